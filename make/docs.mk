# The documentation site, the manual pages and the pictures.

.PHONY: docs pictures

# The playable marbles of the site. A toolchain without WebAssembly makes none.
MARBLES := build/marbles/marbles-wasm.js
MARBLES_SOURCES := $(CORE) $(SHIMS) $(wildcard tools/marbles/*.[chs]* Sources/SignalKitTesting/*.swift) \
	$(wildcard Tests/SignalKitTests/Pictures/*.swift)
$(call record,marbles,$(compiler) $(MARBLES_SOURCES))
$(MARBLES): $(MARBLES_SOURCES) $(OBJ)/marbles.record
	@$(call from-start,tools/marbles/build.sh $(@D))

# The symbol graph of the Swift interface with the core, after docc has checked its comments and the articles.
SYMBOLS := build/docc/graph/SignalKit.symbols.json
CATALOG := Sources/SignalKit/SignalKit.docc

FOR_SWIFT := $(sort $(shell find Sources/SignalKit -name '*.swift'))
SYMBOLS_SOURCES := $(CORE) $(FOR_SWIFT) $(wildcard $(CATALOG)/*)
module = $(SWIFTC) -emit-module -wmo -experimental-skip-non-inlinable-function-bodies -swift-version 5 \
	-I Sources/SignalKitShims/include -I build/docc -module-name $(1) -o build/docc/$(1).swiftmodule $(2)
$(call record,symbols,$(compiler) $(SYMBOLS_SOURCES))
$(SYMBOLS): $(SYMBOLS_SOURCES) $(OBJ)/symbols.record
	@echo "  DOCC   build/docc"
	@rm -rf build/docc && mkdir -p $(@D)
	@$(call from-start,$(call module,SignalKitCore,$(CORE)) && \
		$(call module,SignalKit,$(FOR_SWIFT)) -emit-symbol-graph -emit-symbol-graph-dir $(@D) && \
		$(TOOLCHAIN)/bin/docc convert $(CATALOG) --additional-symbol-graph-dir $(@D) --warnings-as-errors \
			--fallback-display-name SignalKit --output-path build/docc/SignalKit.doccarchive)

docs: lib $(MARBLES)
	@scripts/deps.sh docs
	@$(MAKE) --no-print-directory $(SYMBOLS)
	@scripts/reference.py && scripts/swift_reference.py && scripts/coverage.py
	@rm -rf build/docs/html && scripts/man_pages.py build/docs/man && scripts/site_pages.py build/site
	@sphinx-build -q -W --keep-going -E -d build/site/_doctrees build/site build/docs/html
	@echo "  DOCS   build/docs/html/index.html; man -M build/docs/man sgk_signal_map"

# A picture of the monitor on this machine, and the marble pictures of the tests.
pictures: monitor
	@scripts/terminal.py docs/sysmon.svg 80 15 1.2 build/sysmon --load --interval 0.25 --seconds 12
	@scripts/pictures.py
