# The part of Python's package that is in C. It is in the folder of the modules, where a checkout and the wheel find it.

GUARD := bindings/python/src/libsignalkit/_guard-$(ARCH).so

ifeq ($(SANITIZE)$(filter %-musl,$(CROSS)),)
lib: $(GUARD)
endif

$(GUARD): bindings/python/guard.c | $(READY)
	@echo "  CC     $@"
	@$(CLANG) $(C_TARGET) -O2 -std=gnu11 -fPIC $(WARNINGS) $(HARDENED) $< $(LINK_TARGET) -shared -fuse-ld=lld \
		$(HARDENED_LINK) -o $(OBJ)/guard.so
	@mv $(OBJ)/guard.so $@
