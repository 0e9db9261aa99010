# Sources of the library, and the flags of its compilers.

CORE := $(sort $(shell find Sources/SignalKitCore -name '*.swift'))
ABI := $(sort $(shell find Sources/SignalKitABI -name '*.swift'))
SUPPORT := $(sort $(wildcard Sources/SignalKitABI/Support/*.c Sources/SignalKitABI/Support/*.S))
HEADERS := include/signalkit.h $(sort $(wildcard include/signalkit/*.h))
SHIMS_SOURCES := $(sort $(shell find Sources/SignalKitShims -name '*.c'))
SHIMS_OBJECTS := $(SHIMS_SOURCES:Sources/SignalKitShims/%.c=$(OBJ)/shims/%.o)
SHIMS := $(shell find Sources/SignalKitShims Sources/SignalKitABI/Support -name '*.h' -o -name '*.modulemap')
INCLUDES := -Iinclude -ISources/SignalKitShims/include -ISources/SignalKitABI/Support/include

WARNINGS := -Wall -Wextra -Wno-unused-parameter -Wconversion -Wshadow -Wformat=2 -Wvla -Wpointer-arith \
	-Wstrict-prototypes $(if $(WERROR),-Werror)

# Hardening: docs/platforms.md#hardening. The linker sets the mark for shadow stacks only if told to, because objects of
# the C library have no mark.
HARDENED := $(if $(SANITIZE),,-fstack-protector-strong -D_FORTIFY_SOURCE=3)
HARDENED_LINK := -Wl,-z,now -Wl,-z,relro $(if $(filter x86_64,$(ARCH)),-Wl$(comma)-z$(comma)shstk)

SWIFTFLAGS := $(SWIFT_TARGET) -wmo -parse-as-library -module-name SignalKit -swift-version 5 -D SIGNALKIT_LIBRARY \
	$(INCLUDES) -Xcc -fvisibility=hidden $(if $(WERROR),-warnings-as-errors)
CFLAGS_LIB := $(C_TARGET) -O2 -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(WARNINGS) $(HARDENED) \
	$(INCLUDES)
LDFLAGS_LIB := $(LINK_TARGET) -shared -fuse-ld=lld -Wl,-soname,libsignalkit.so.1 \
	-Wl,--version-script=Sources/SignalKitABI/signalkit.map $(HARDENED_LINK) -Wl,-z,nodelete -Wl,-z,text \
	-Wl,--pack-dyn-relocs=relr -Wl,--use-android-relr-tags -Wl,-init=sgk_support_relocate -Wl,--gc-sections -Wl,--as-needed
ifeq ($(ARCH),aarch64) # whose kernels have pages of 4, 16 or 64 KiB
LDFLAGS_LIB += -Wl,-z,max-page-size=65536 -Wl,-z,common-page-size=65536
endif

ifeq ($(FAST),)
SUPPORT := $(filter-out %/runtime.c,$(SUPPORT))
else
CFLAGS_LIB += -DSGK_RUNTIME_FAST
endif

ifeq ($(RUNTIME),hosted)
CFLAGS_LIB += -DSWIFT_PACKAGE # this library contains the whole core, as the Swift package does
ALIGN := true
SWIFTFLAGS += -O -static-stdlib
RUNTIME_LIBS := -L$(STATIC) $(STATIC)/$(ARCH)/swiftrt.o -lswiftCore -lswiftSynchronization -lswift_Concurrency \
	-ldispatch -lBlocksRuntime -lstdc++ $(FFI_LIBS) -lpthread -ldl -lm
else
# The compiler optimises for size; functions that are called at each event are `@inline(__always)`. Functions named
# `next`, and the functions of the C parts through which events pass, begin at a multiple of 64 bytes. Their speed would
# otherwise depend on the code in front of them: at multiples of 16, a typed call took 4.9 or 6.2 ns.
ALIGN := $(BINUTILS)objcopy $(foreach name,*4next* *_next*,--set-section-alignment '.text.$(name)=64')
SWIFTFLAGS += -Osize -enable-experimental-feature Embedded -Xfrontend -function-sections
CFLAGS_LIB += -ffunction-sections -fdata-sections
$(addprefix $(OBJ)/,answers.o calls.o entries.o steps.o typed.o values.o): CFLAGS_LIB += -falign-functions=64
RUNTIME_LIBS := $(FFI_LIBS) -lpthread
endif

ifneq ($(PORTABLE),)
SWIFTFLAGS += -Xcc -DSGK_PORTABLE=1
CFLAGS_LIB += -DSGK_PORTABLE=1
endif

ifneq ($(SANITIZE),)
SWIFTFLAGS += -sanitize=$(SANITIZE) -g
CFLAGS_LIB += -fsanitize=$(SANITIZE) -g
LDFLAGS_LIB += -fsanitize=$(SANITIZE)
ifeq ($(SANITIZE),thread)
SWIFTFLAGS += -Xcc -DSGK_TSAN=1
CFLAGS_LIB += -DSGK_TSAN=1
else
CFLAGS_LIB += -fsanitize=undefined -fno-sanitize-recover=undefined
endif
ifneq ($(COVERAGE),)
SWIFTFLAGS += -sanitize-coverage=edge,inline-8bit-counters,pc-table
CFLAGS_LIB += -fsanitize=fuzzer-no-link
endif
else
# Debug information goes into a separate file: `make install-debug`.
SWIFTFLAGS += -gline-tables-only -Xfrontend -no-clang-module-breadcrumbs -file-compilation-dir . \
	-debug-prefix-map $(CURDIR)=. -debug-prefix-map $(TOOLCHAIN)=swift
CFLAGS_LIB += -gline-tables-only -fasynchronous-unwind-tables -ffile-prefix-map=$(CURDIR)=.
LDFLAGS_LIB += -Wl,--build-id=sha1 -Wl,--icf=all
endif
