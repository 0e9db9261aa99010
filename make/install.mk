# Installation.

.PHONY: install copied configuration install-debug uninstall

# What pkg-config and CMake read says the places as seen from its own, so that all can be moved together; what is not
# below PREFIX stands there as it is.
below = $(patsubst $(PREFIX)/%,%,$(filter $(PREFIX)/%,$(1)))
under = $(if $(call below,$(1)),\1/$(call below,$(1)),$(1))
up = $(subst $(space),/,$(patsubst %,..,$(subst /, ,$(call below,$(LIBDIR)))))
PC_SUBST = sed -e 's|@VERSION@|$(VERSION)|g' -e 's|@FFI@|$(filter -lffi,$(FFI_LIBS))|g' \
	-e 's|@PREFIX from \([^@]*\)@|$(if $(up),\1/$(up),$(PREFIX))|g' \
	-e 's|@LIBDIR under \([^@]*\)@|$(call under,$(LIBDIR))|g' \
	-e 's|@INCLUDEDIR under \([^@]*\)@|$(call under,$(INCLUDEDIR))|g'

cmake_dir := $(DESTDIR)$(LIBDIR)/cmake/signalkit
doc_dir := $(DESTDIR)$(PREFIX)/share/doc/signalkit
data_dir := $(DESTDIR)$(PREFIX)/share/signalkit
man_dir := $(DESTDIR)$(PREFIX)/share/man
man_page := $(man_dir)/man1/sgk-top.1
# gdb looks beside the library, and where its own data are, in a folder named as the library's.
gdb_dirs := $(DESTDIR)$(LIBDIR) $(DESTDIR)$(PREFIX)/share/gdb/auto-load$(LIBDIR)

# Root may have no Swift on its PATH (`sudo` sets another): what was built before is installed then.
BUILT := $(if $(wildcard $(CLANG)),,$(and $(wildcard $(SO)),$(wildcard $(A)),$(wildcard $(TOP))))

install: copied
	@echo "  INSTALLED in $(DESTDIR)$(PREFIX)"
	@$(if $(DESTDIR)$(CROSS),,scripts/found.sh $(LIBDIR))

# (What is there already stays as it is: what was made of it needs not be made anew.)
copied: $(if $(BUILT),,all) configuration
	@install -d $(DESTDIR)$(LIBDIR) $(DESTDIR)$(INCLUDEDIR)/signalkit/cpp $(doc_dir)
	@install -C -D -m 755 $(TOP) $(DESTDIR)$(PREFIX)/bin/sgk-top
	@install -C -D -m 644 tools/sgk-top/sgk-top.1 $(man_page)
	@install -C -D -m 644 bindings/api.json $(data_dir)/api.json
	@install -C -m 755 $(SO) $(DESTDIR)$(LIBDIR)/
	@ln -sf libsignalkit.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libsignalkit.so.1
	@ln -sf libsignalkit.so.1 $(DESTDIR)$(LIBDIR)/libsignalkit.so
	@install -C -m 644 $(A) $(DESTDIR)$(LIBDIR)/
	@install -C -m 644 include/signalkit.h include/signalkit.hpp $(DESTDIR)$(INCLUDEDIR)/
	@install -C -m 644 include/signalkit/*.h include/signalkit/module.modulemap $(DESTDIR)$(INCLUDEDIR)/signalkit/
	@install -C -m 644 include/signalkit/cpp/*.hpp $(DESTDIR)$(INCLUDEDIR)/signalkit/cpp/
	@install -m 644 LICENSE NOTICE README.md CHANGELOG.md $(doc_dir)/
	@cp -r --parents --no-preserve=mode,ownership $$(find docs -name '*.md' -o -name '*.svg') examples/c examples/cpp \
		$(doc_dir)
	@chmod -R u=rwX,go=rX $(doc_dir)
	@$(INSTALL_MAN_PAGES)
	@$(foreach dir,$(gdb_dirs),install -D -m 644 tools/gdb/signalkit-gdb.py $(dir)/$(notdir $(SO))-gdb.py;)
	$(IN_COMPANIONS) install

# The pages of the functions are made of the headers, by Python alone.
INSTALL_MAN_PAGES = if command -v python3 >/dev/null; then scripts/man_pages.py build/man && \
	install -d $(man_dir)/man3 $(man_dir)/man7 && install -C -m 644 build/man/man3/* $(man_dir)/man3/ && \
	install -C -m 644 build/man/man7/* $(man_dir)/man7/; \
	else echo "  (without the manual pages of the functions: there is no python3)"; fi

# What needs nothing built: CMakeLists.txt reads it first.
configuration:
	@install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(cmake_dir)
	@$(PC_SUBST) pkgconfig/signalkit.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/signalkit.pc
	@$(PC_SUBST) pkgconfig/signalkit-config.cmake.in > $(cmake_dir)/signalkit-config.cmake
	@$(PC_SUBST) pkgconfig/signalkit-config-version.cmake.in > $(cmake_dir)/signalkit-config-version.cmake

# Beside the library, where debuggers look for it.
install-debug: install
	@install -d $(DESTDIR)$(LIBDIR)/.debug
	@install -m 644 $(DEBUG) $(DESTDIR)$(LIBDIR)/.debug/

uninstall:
	@rm -f $(addprefix $(DESTDIR)$(LIBDIR)/libsignalkit.,so so.1 so.$(VERSION) a)
	@rm -f $(DESTDIR)$(LIBDIR)/pkgconfig/signalkit.pc $(DESTDIR)$(PREFIX)/bin/sgk-top $(man_page)
	@rm -f $(addprefix $(man_dir)/,man3/sgk_*.3 man3/SGK_*.3 man7/signalkit.7 man7/signalkit-*.7)
	@rm -f $(DESTDIR)$(INCLUDEDIR)/signalkit.h $(DESTDIR)$(INCLUDEDIR)/signalkit.hpp
	@rm -f $(DESTDIR)$(LIBDIR)/.debug/$(notdir $(DEBUG))
	@rmdir $(DESTDIR)$(LIBDIR)/.debug 2>/dev/null || true
	$(IN_COMPANIONS) uninstall
	@rm -f $(addsuffix /$(notdir $(SO))-gdb.py,$(gdb_dirs))
	@rm -rf $(cmake_dir) $(data_dir) $(DESTDIR)$(INCLUDEDIR)/signalkit $(doc_dir)
	@echo "  UNINSTALLED from $(DESTDIR)$(PREFIX)"
