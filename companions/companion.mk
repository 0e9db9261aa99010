# Companions: signals that cross to other processes, each by a library of its own, libsignalkit-NAME, beside this one.
#
#   make companions    builds those whose client library pkg-config finds; `make install` installs them as well, then
#   make bench-companions   measures them beside their client libraries, into docs/bridges.md (NAMES="nats zmq")
#
# A companion is a folder: its sources, include/signalkit/NAME.h, signalkit-NAME.pc.in (`client` there is what
# pkg-config calls the client library), the tests, test_NAME.c, which scripts/steps/70-companions.sh runs, and the
# benchmark, bench_NAME.c.

COMPANIONS := $(notdir $(patsubst %/,%,$(wildcard companions/*/)))
companion_so = $(LIB)/libsignalkit-$(1).so.$(VERSION)
companion_sources = $(filter-out %/test_$(1).c %/bench_$(1).c,$(wildcard companions/$(1)/*.c))
companion_client = $(shell sed -n 's/^client=//p' companions/$(1)/signalkit-$(1).pc.in)
companions_found = $(foreach name,$(COMPANIONS),$(if \
	$(shell pkg-config --exists '$(call companion_client,$(name))' && echo yes),$(name)))

CFLAGS_COMPANION = $(C_TARGET) -O2 -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -ffunction-sections \
	$(WARNINGS) $(HARDENED) -Iinclude -Icompanions $(if $(SANITIZE),-g -fsanitize=$(SANITIZE))
LDFLAGS_COMPANION = $(LINK_TARGET) -shared -fuse-ld=lld $(HARDENED_LINK) -Wl,--as-needed -Wl,--gc-sections

.PHONY: companions bench-companions
companions: lib
	@$(MAKE) --no-print-directory $(foreach name,$(companions_found),$(call companion_so,$(name)))

bench-companions: companions
	@companions/bench.py $(NAMES)

define companion_rule
$(companion_so): $(companion_sources) companions/companion.mk $(HEADERS) \
		$(wildcard companions/*.[ch] companions/$(1)/*.h companions/$(1)/include/signalkit/*.h) | $(SO)
	@echo "  CC     $$@"
	@echo 'SIGNALKIT_$(1)_1.0 { global: sgk_$(1)_*; local: *; };' > $$(OBJ)/$(1).map
	@$$(CLANG) $$(CFLAGS_COMPANION) -Icompanions/$(1)/include $$(call companion_sources,$(1)) companions/*.c \
		$$(LDFLAGS_COMPANION) -Wl,-soname,libsignalkit-$(1).so.1 -Wl,--version-script=$$(OBJ)/$(1).map \
		-L$$(LIB) -lsignalkit \
		$$$$(pkg-config --cflags --libs '$$(call companion_client,$(1))') -lpthread -lm -o $$@
	@ln -sf $$(notdir $$@) $$(LIB)/libsignalkit-$(1).so.1
	@ln -sf libsignalkit-$(1).so.1 $$(LIB)/libsignalkit-$(1).so
endef
$(foreach name,$(COMPANIONS),$(eval $(call companion_rule,$(name))))

# What `install` does besides, with those that were built; and `uninstall`. (Headers go with the library's own.)
companions_built = $(foreach name,$(COMPANIONS),$(if $(wildcard $(call companion_so,$(name))),$(name)))
companion_install = install -m 755 $(call companion_so,$(1)) $(DESTDIR)$(LIBDIR)/ && \
	ln -sf libsignalkit-$(1).so.$(VERSION) $(DESTDIR)$(LIBDIR)/libsignalkit-$(1).so.1 && \
	ln -sf libsignalkit-$(1).so.1 $(DESTDIR)$(LIBDIR)/libsignalkit-$(1).so && \
	install -m 644 companions/$(1)/include/signalkit/$(1).h $(DESTDIR)$(INCLUDEDIR)/signalkit/ && \
	$(PC_SUBST) companions/$(1)/signalkit-$(1).pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/signalkit-$(1).pc
INSTALL_COMPANIONS = $(foreach name,$(companions_built),$(call companion_install,$(name)) &&) true
UNINSTALL_COMPANIONS = rm -f $(foreach name,$(COMPANIONS),$(DESTDIR)$(LIBDIR)/pkgconfig/signalkit-$(name).pc \
	$(addprefix $(DESTDIR)$(LIBDIR)/libsignalkit-$(name).,so so.1 so.$(VERSION)))
