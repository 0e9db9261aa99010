# Packages: the Python wheel, the archives, and releases.

.PHONY: wheel dist abi release

# The wheel contains libffi, because another machine may have another version, or none.
ifneq ($(filter %-musl,$(CROSS)),)
wheel:
	@echo "there is no wheel for musl: bindings/python/README.md says why"; exit 1
else ifeq ($(FFI),static)
wheel: lib
	@scripts/wheel.sh $(SO) manylinux_2_28_$(ARCH)
else
wheel:
	@scripts/deps.sh with python3-venv $(PACKAGES)
	@$(MAKE) --no-print-directory wheel FFI=static
endif

dist:
	@scripts/dist.sh build/dist $(VERSION) $(sort $(MACHINE)-linux-gnu $(TARGETS))

abi:
	@scripts/deps.sh check abigail-tools
	@scripts/abi.py --record

release:
	@$(if $(TESTED),,$(MAKE) --no-print-directory test)
	@scripts/release.sh $(VERSION)
