# Installation.

.PHONY: install copied configuration install-debug uninstall

# The files for pkg-config and CMake name folders relative to their own, so that an installation can be moved. Folders
# outside PREFIX are absolute.
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
# gdb looks for its script in the library's folder, and below its own data in a folder of the same name.
gdb_dirs := $(DESTDIR)$(LIBDIR) $(DESTDIR)$(PREFIX)/share/gdb/auto-load$(LIBDIR)

# `sudo` sets another PATH. If it has no Swift, the files that were built before are installed.
BUILT := $(if $(wildcard $(CLANG)),,$(and $(wildcard $(SO)),$(wildcard $(A)),$(wildcard $(TOP))))

install: copied
	@echo "  INSTALLED in $(DESTDIR)$(PREFIX)"
	@$(if $(DESTDIR)$(CROSS),,scripts/found.sh $(LIBDIR))

# `install -C` leaves equal files alone, so that programs that depend on them are not built again.
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

# Python makes the manual pages of the functions from the headers.
INSTALL_MAN_PAGES = if command -v python3 >/dev/null; then scripts/man_pages.py build/man && \
	install -d $(man_dir)/man3 $(man_dir)/man7 && install -C -m 644 build/man/man3/* $(man_dir)/man3/ && \
	install -C -m 644 build/man/man7/* $(man_dir)/man7/; \
	else echo "  (without the manual pages of the functions: there is no python3)"; fi

# These files need no build. CMakeLists.txt reads them first.
configuration:
	@install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(cmake_dir)
	@$(PC_SUBST) pkgconfig/signalkit.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/signalkit.pc
	@$(PC_SUBST) pkgconfig/signalkit-config.cmake.in > $(cmake_dir)/signalkit-config.cmake
	@$(PC_SUBST) pkgconfig/signalkit-config-version.cmake.in > $(cmake_dir)/signalkit-config-version.cmake

# Debuggers look for the debug information in .debug, in the library's folder.
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
