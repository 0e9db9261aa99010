# The library, static and shared, and sgk-top.

.PHONY: lib static top

# The check of the objects uses the C library of this machine.
CHECK_LIBS := $(RUNTIME_LIBS)

# The library loads with glibc 2.28 and later, also if this machine has a later one.
ifeq ($(RUNTIME)$(PORTABLE)$(SANITIZE),embedded)
ifndef LIBC
LIBC := $(OBJ)/glibc/libraries.ld
$(LIBC): scripts/glibc.sh Sources/SignalKitABI/glibc.symbols | $(OBJ)
	@scripts/glibc.sh $@ $(ARCH) $(CLANG) $(C_TARGET)
endif
RUNTIME_LIBS := -nodefaultlibs -Wl,-z,defs $(FFI_LIBS) -lgcc $(LIBC)
endif

# Debuggers, profilers and crash reporters need unwind tables to see through a callback. Embedded Swift makes none, and
# has no option for them. So clang compiles the LLVM IR, and adds them. Exceptions must not use them: unwinding.c.
# Functions that no event passes through are made small. For ARM64 clang's own rules do most of it.
ifeq ($(RUNTIME)$(SANITIZE),embedded)
ifeq ($(ARCH),x86_64)
COLD = scripts/cold_code.sh $(MADE).ll >$(OBJ)/cold_code.log &&
OUTLINE := -mllvm -enable-machine-outliner=always
endif
COMPILE = $(SWIFTC) $(SWIFTFLAGS) -emit-ir $(CORE) $(ABI) -o $(MADE).ll && \
	scripts/unwind_tables.sh ir $(MADE).ll >/dev/null && $(COLD) \
	$(CLANG) $(C_TARGET) -O2 -fPIC -ffunction-sections -Xclang -disable-llvm-passes -Wno-override-module \
		$(OUTLINE) -Wno-unused-command-line-argument -S $(MADE).ll -o $(MADE).s && \
	scripts/unwind_tables.sh asm $(MADE).s >/dev/null && \
	$(CLANG) $(C_TARGET) -ffile-compilation-dir=. -Wno-unused-command-line-argument -c $(MADE).s -o $@ && \
	rm $(MADE).s
MADE = $(@:.o=)
else ifeq ($(RUNTIME)-$(SANITIZE)$(COVERAGE),embedded-address)
# The pass that instruments is the last one, so this build has the optimized code of the plain one, instrumented. (At
# -O0 clang would select other instructions, with which a watch of a descriptor misses events.)
PLAIN := $(OBJ:%-address/obj=%/obj)
INSTRUMENT := /^attributes /{s/ uwtable//;s/{/& sanitize_address/}
COMPILE = $(MAKE) --no-print-directory SANITIZE= $(PLAIN)/signalkit.o && \
	sed '$(INSTRUMENT)' $(PLAIN)/signalkit.ll >$(MADE).ll && \
	$(CLANG) -O0 -fsanitize=address -Wno-override-module -emit-llvm -c $(MADE).ll -o $(MADE).bc && \
	$(CLANG) -O1 -fPIC -ffunction-sections -Xclang -disable-llvm-passes -Wno-override-module -c $(MADE).bc -o $@ && \
	rm $(MADE).ll $(MADE).bc
MADE = $(@:.o=)
else
COMPILE = $(SWIFTC) $(SWIFTFLAGS) -c $(CORE) $(ABI) -o $@
endif
# FFI is an option of the linker: the usual build has the same object.
ifneq ($(UNUSUAL_FFI),)
USUAL := $(OBJ:%-ffi-$(FFI)/obj=%/obj)
COMPILE = $(MAKE) --no-print-directory FFI=$(USUAL_FFI) $(USUAL)/signalkit.o && cp $(USUAL)/signalkit.o $@
endif

lib: $(SO)
static: $(A)

$(OBJ)/signalkit.o: $(CORE) $(ABI) $(HEADERS) $(SHIMS) scripts/unwind_tables.sh scripts/cold_code.sh \
		scripts/hot_code.txt $(OBJ)/swift.record | $(OBJ) $(READY)
	@echo "  SWIFT  $@"
	@$(call keep-warnings,$(COMPILE) && $(ALIGN) $@)

$(OBJ)/%.o: Sources/SignalKitABI/Support/%.c $(HEADERS) $(SHIMS) $(OBJ)/c.record | $(OBJ) $(READY)
	@echo "  CC     $@"
	@$(call keep-warnings,$(CLANG) $(CFLAGS_LIB) -c $< -o $@)

$(OBJ)/shims/%.o: Sources/SignalKitShims/%.c $(SHIMS) $(OBJ)/c.record | $(READY)
	@echo "  CC     $@"
	@mkdir -p $(@D)
	@$(call keep-warnings,$(CLANG) $(CFLAGS_LIB) -c $< -o $@)

$(OBJ)/%.o: Sources/SignalKitABI/Support/%.S $(SHIMS) $(OBJ)/c.record | $(OBJ) $(READY)
	@echo "  AS     $@"
	@$(CLANG) $(C_TARGET) -c $< -o $@

OBJECTS := $(OBJ)/signalkit.o $(SHIMS_OBJECTS) \
	$(patsubst Sources/SignalKitABI/Support/%,$(OBJ)/%.o,$(basename $(SUPPORT)))

# Each target also depends on the record of its sources, command and compiler.
$(call record,swift,$(compiler) $(if $(PLAIN),$(SWIFTFLAGS) $(CORE) $(ABI)) $(COMPILE) $(ALIGN) $(HEADERS) $(SHIMS))
$(call record,c,$(compiler) $(CFLAGS_LIB) $(HEADERS) $(SHIMS))
$(call record,link,$(compiler) $(LDFLAGS_LIB) $(filter-out %/pin.o,$(OBJECTS)) $(RUNTIME_LIBS))

# The C parts rely on the layout of Swift's objects. A program checks it before the library is linked. Instrumented
# builds have the same layout and are not checked.
CHECKED := $(if $(SANITIZE),,$(OBJ)/objects-are-known)

$(OBJ)/objects-are-known: Tests/toolchain/objects.c $(OBJECTS) $(OBJ)/link.record
	@echo "  CHECK  $(OBJ)/objects"
	@touch $(begun)
	@$(CLANG) $(CFLAGS_LIB) -ISources/SignalKitABI/Support $< \
		$(filter-out %/relocate.o,$(OBJECTS)) $(LINK_TARGET) $(CROSS:%=-static) -fuse-ld=lld -Wl,--gc-sections \
		-Wl,--wrap=free $(CHECK_LIBS) -o $(OBJ)/objects || { $(UNKNOWN); }
	@if [ -n "$(EMULATOR)" ] && ! command -v $(EMULATOR) >/dev/null; then \
		echo "skipped: $(OBJ)/objects, without $(EMULATOR)"; \
	else $(EMULATOR) $(OBJ)/objects || { $(UNKNOWN); }; fi
	@mv $(begun) $@

ADVICE := $(if $(FAST),Build with RUNTIME_FAST=no$(comma) which leaves them to the toolchain,It cannot be used)
UNKNOWN = echo "$$($(SWIFTC) --version 2>/dev/null | head -n 1): its objects are not what the library knows." \
	"$(ADVICE)." >&2; exit 1

# Functions that are neighbours share an unwind table. The step `unwind_joined` compares with the linker's file.
ifeq ($(RUNTIME)$(SANITIZE),embedded)
JOIN := $(OBJ)/join_unwind_tables
LINKED := $(OBJ)/linked.so
$(JOIN): scripts/join_unwind_tables.c | $(READY)
	@echo "  CC     $@"
	@$(CLANG) -O1 -std=c11 -D_GNU_SOURCE $(WARNINGS) $< -o $@
endif

WHOLE := $(OBJ)/$(notdir $(SO))
DEBUG := $(OBJ)/$(notdir $(SO)).debug
SPLIT = $(BINUTILS)objcopy --only-keep-debug $(WHOLE) $(DEBUG) && chmod -x $(DEBUG) && \
	$(BINUTILS)objcopy --strip-all --add-gnu-debuglink=$(DEBUG) $(WHOLE) $@ && rm $(WHOLE)

$(SO): $(OBJECTS) $(CHECKED) $(JOIN) $(filter %.ld,$(LIBC)) Sources/SignalKitABI/signalkit.map $(OBJ)/link.record \
		| $(LIB)
	@echo "  LINK   $@"
	@$(CLANG) $(LDFLAGS_LIB) $(filter-out %/pin.o,$(OBJECTS)) $(RUNTIME_LIBS) \
		-o $(if $(SANITIZE),$@,$(or $(LINKED),$(WHOLE)))
	@$(if $(JOIN),$(JOIN) $(LINKED) $(WHOLE))
	@$(if $(SANITIZE),,$(SPLIT))
	@ln -sf $(notdir $@) $(LIB)/libsignalkit.so.1
	@ln -sf libsignalkit.so.1 $(LIB)/libsignalkit.so

# The archive contains one object, in which only the public functions are visible. So its other names cannot clash.
$(A): $(OBJECTS) $(CHECKED) Tests/abi/symbols.txt $(OBJ)/link.record | $(LIB)
	@echo "  AR     $@"
	@$(TOOLCHAIN)/bin/ld.lld -r $(filter-out %/relocate.o,$(OBJECTS)) $(filter %.a,$(RUNTIME_LIBS)) -o $(OBJ)/whole.o
	@$(BINUTILS)objcopy --strip-debug --keep-global-symbols=Tests/abi/symbols.txt $(OBJ)/whole.o
	@rm -f $@ && $(BINUTILS)ar rcs $@ $(OBJ)/whole.o

# sgk-top, which shows running programs. It needs only the C library. For other machines it is static.
TOP_FLAGS := $(if $(CROSS)$(filter static,$(FFI)),-static -s)
TOP_SOURCES := $(sort $(wildcard tools/sgk-top/*.[ch]))
TOP_CFLAGS := $(C_TARGET) -O2 -std=c11 -D_GNU_SOURCE $(WARNINGS) $(HARDENED) -DSGK_TOP_VERSION='"$(VERSION)"'
COMPILE_TOP = $(CLANG) $(TOP_CFLAGS) $(filter %.c,$(TOP_SOURCES)) $(LINK_TARGET) $(HARDENED_LINK) $(TOP_FLAGS) \
	-fuse-ld=lld -o $(TOP)
$(call record,top,$(compiler) $(COMPILE_TOP))
top: $(TOP)
$(TOP): $(TOP_SOURCES) $(OBJ)/top.record | $(READY)
	@echo "  CC     $@"
	@mkdir -p $(@D)
	@$(call keep-warnings,$(COMPILE_TOP))

$(OBJ) $(LIB):
	@mkdir -p $@

# The toolchain and the packages are checked once for each toolchain.
$(READY): scripts/toolchain.sh scripts/sysroot.sh | $(OBJ)
	@touch $(begun)
	@scripts/deps.sh $(if $(CROSS),check $(PACKAGES),build)
	@scripts/toolchain.sh $(SWIFTC) $(RUNTIME) $(SWIFT_TARGET)
	@$(if $(SYSROOT_PACKAGES),scripts/sysroot.sh $(SYSROOT_ARCH) $(SYSROOT) $(SYSROOT_PACKAGES))
	@mv $(begun) $@
