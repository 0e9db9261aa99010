# compile_commands.json, for clangd and other tools: the C files of the library and of sgk-top, and those of the tests
# if CMake has configured them (build/tests). Tools for Swift read Package.swift.

.PHONY: compile_commands.json
compile_commands.json:
	@{ $(foreach file,$(filter %.c,$(SUPPORT)) $(SHIMS_SOURCES),$(call compile-command,$(file),$(CFLAGS_LIB))) \
		$(foreach file,$(filter %.c,$(TOP_SOURCES)),$(call compile-command,$(file),$(TOP_CFLAGS))) \
		sed -n '/^\[/,/^\]/{/^[][]/!p}' build/tests/compile_commands.json 2>/dev/null; } | \
		sed '1s/^/[/; $$!{s/^}$$/},/; s/"}$$/"},/}; $$s/$$/]/' >$@
	@echo "  WROTE  $@"
compile-command = printf '{"directory": "%s", "file": "%s", "command": "%s"}\n' '$(CURDIR)' $(1) \
	'$(subst ",\",$(CLANG) $(subst ','\'',$(2)) -c $(1))';
