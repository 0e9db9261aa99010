# SignalKit: the shared library for C, its tests, its demonstration.
#
#   make demo      builds everything, installs it into build/prefix, and runs the system monitor (SECONDS=n)
#   make test      runs the tests; of those make test-aarch64, test-musl and test-portable run what is said for ARM64,
#                  musl and PORTABLE=yes
#   make trust     the same, and those that take longer: before a release
#   make fuzz      looks for programs that the library does not stand, so many seconds with each fuzzer (SECONDS=n)
#   make bench     measures everything, beside its peers (ROWS="W1 W2", ROUNDS=5, RUNS=3)
#   make           builds libsignalkit.so and libsignalkit.a, and sgk-top
#   make docs      builds the site, with the reference of the C interface and of the companions', and the manual pages,
#                  into build/docs; with marbles that one can move, where the toolchain makes WebAssembly
#   make companions   builds the libraries by which signals cross to other processes (docs/bridges.md)
#   make wheel     builds Python's package with the library inside, and its sources, into build/wheels
#   make install   copies it where programs look for it; make uninstall, with the same variables, removes that
#   make install-debug   the same, and what debuggers want to know of it
#   make dist      what is there to download: the sources and the built libraries, as archives, into build/dist
#   make abi       records what the headers promise to programs that are linked already (Tests/abi/declarations.txt)
#   make release   that, after the tests, with Python's wheels and notes: docs/releases.md (TESTED=yes: they have run)
#
#   PREFIX=/usr/local  where it is installed
#   LIBDIR=$(PREFIX)/lib             the libraries, and what pkg-config and CMake read
#   INCLUDEDIR=$(PREFIX)/include     the headers
#   DESTDIR=           what all these paths begin with when files are copied, for packagers
#
#   RUNTIME=embedded   Embedded Swift: small, no Swift runtime (the default)
#   RUNTIME=hosted     the same library with the ordinary standard library linked in, for toolchains without Embedded
#                      Swift
#   RUNTIME_FAST=no    Embedded Swift's objects are counted by its own runtime, not by the faster one of
#                      Support/runtime.c: for toolchains whose objects are not what that knows (and on processors other
#                      than x86-64 and ARM64)
#   SANITIZE=address|thread   an instrumented build, for the tests
#   COVERAGE=yes       besides, one that tells a fuzzer where it has been: for make fuzz
#   CROSS=aarch64-linux-gnu|x86_64-linux-musl   for machines of another kind, or with another C library: scripts/targets
#                      (not installed on this machine, unless PREFIX or DESTDIR says where)
#   FFI=shared|static  libffi: as a library that the system has (the default), or its archive, so that nothing is needed
#                      but the C library (the default with musl, where there is nothing else)
#   WERROR=yes|no      warnings are errors, as in the tests (another toolchain may have others)
#   PORTABLE=yes|no    on Linux too what stands on the system as elsewhere: made of POSIX (docs/platforms.md)

VERSION := 1.0.0
RUNTIME ?= embedded
RUNTIME_FAST ?= yes
SANITIZE ?=
COVERAGE ?=
WERROR ?=
CROSS ?=
PORTABLE ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DESTDIR ?=
SECONDS ?= 10

SWIFTC ?= swiftc
# The compiler that belongs to the Swift toolchain: it knows the toolchain's sanitizers and static libraries.
TOOLCHAIN := $(patsubst %/bin/,%,$(dir $(shell readlink -f "$$(command -v $(SWIFTC))" || echo /missing/bin/swiftc)))
CLANG := $(TOOLCHAIN)/bin/clang
STATIC := $(TOOLCHAIN)/lib/swift_static/linux

# ---- What was asked for ----

comma := ,
space := $() $()
MACHINE := $(shell uname -m)
TARGETS := $(patsubst scripts/targets/%.mk,%,$(wildcard scripts/targets/*.mk))

# one-of NAME,VALUES: the variable is one word, and that one of these.
is-one = $(filter 1-1,$(words $($(1)))-$(words $(filter $(2),$($(1)))))
one-of = $(if $(call is-one,$(1),$(2)),$(eval override $(1) := $(strip $($(1)))),$(error \
	$(1)=$($(1)) is not known: there is $(subst $(space),$(comma) ,$(2))))
$(call one-of,RUNTIME,embedded hosted)
$(call one-of,RUNTIME_FAST,yes no)
$(if $(SANITIZE),$(call one-of,SANITIZE,address thread))
$(if $(PORTABLE),$(call one-of,PORTABLE,yes no))
$(if $(COVERAGE),$(call one-of,COVERAGE,yes no))
$(if $(WERROR),$(call one-of,WERROR,yes no))
$(if $(CROSS),$(call one-of,CROSS,$(TARGETS) $(MACHINE)-linux-gnu))
override PORTABLE := $(filter yes,$(PORTABLE))
override COVERAGE := $(filter yes,$(COVERAGE))
override WERROR := $(filter yes,$(WERROR))
override CROSS := $(filter-out $(MACHINE)-linux-gnu,$(CROSS))

ifneq ($(filter install install-debug copied configuration uninstall,$(MAKECMDGOALS)),)
ifneq ($(CROSS),)
ifeq ($(DESTDIR)$(filter-out file,$(origin PREFIX)),)
$(error What is built by CROSS=$(CROSS) is installed with a PREFIX or DESTDIR of its own, not in $(PREFIX))
endif
endif
path = $(if $(call is-one,$(1),/%),$(abspath $($(1))),$(error $(1)=$($(1)) is not an absolute path without spaces))
override DESTDIR := $(if $(strip $(DESTDIR)),$(call path,DESTDIR))
override PREFIX := $(call path,PREFIX)
override LIBDIR := $(call path,LIBDIR)
override INCLUDEDIR := $(call path,INCLUDEDIR)
endif

# ---- What the library is built for ----
#
# A file of scripts/targets says of a target:
#   PACKAGES                              the Debian packages without which it cannot be built
#   SYSROOT_ARCH, SYSROOT_PACKAGES        what is fetched besides, into $(SYSROOT): Debian's packages for that machine
#   BINUTILS                              how the names of its tools begin
#   USUAL_FFI, FFI_ARCHIVE                how libffi is used if nothing else is asked for, and where its archive is
#   LIBC                                  the flags for its C library, if that is not glibc
#   EMULATOR                              what runs its programs here
#   SWIFT_TARGET, C_TARGET, LINK_TARGET   flags for the compilers, and for linking
# For this machine there is nothing to say.

ifneq ($(CROSS),)
ifneq ($(RUNTIME)$(SANITIZE),embedded)
$(error CROSS=$(CROSS) is for RUNTIME=embedded without SANITIZE)
endif
SYSROOT := build/sysroot/$(CROSS)
include scripts/targets/$(CROSS).mk
endif
RULES := Makefile $(CROSS:%=scripts/targets/%.mk)
ARCH := $(firstword $(subst -, ,$(CROSS) $(MACHINE)))

FAST := $(if $(filter x86_64 aarch64,$(ARCH)),$(filter embedded-yes,$(RUNTIME)-$(RUNTIME_FAST)))
USUAL_FFI ?= shared
FFI ?= $(USUAL_FFI)
$(call one-of,FFI,shared static)
UNUSUAL_FFI := $(filter-out $(USUAL_FFI),$(FFI))
FFI_ARCHIVE ?= $(shell $(CLANG) -print-file-name=libffi_pic.a)
FFI_LIBS := $(if $(filter static,$(FFI)),$(FFI_ARCHIVE),-lffi)

VARIANT := $(RUNTIME)$(if $(filter yes,$(RUNTIME_FAST)),,-plain)$(PORTABLE:%=-portable)
BUILD := build/$(CROSS:%=%-)$(VARIANT)$(SANITIZE:%=-%)$(COVERAGE:%=-covered)$(UNUSUAL_FFI:%=-ffi-%)
LIB := $(BUILD)/lib
OBJ := $(BUILD)/obj
TOP := $(BUILD)/bin/sgk-top
READY := $(OBJ)/ready-for$(subst /,-,$(TOOLCHAIN))
SO := $(LIB)/libsignalkit.so.$(VERSION)
A := $(LIB)/libsignalkit.a

CORE := $(sort $(shell find Sources/SignalKit -name '*.swift'))
ABI := $(sort $(shell find Sources/SignalKitABI -name '*.swift'))
SUPPORT := $(sort $(wildcard Sources/SignalKitABI/Support/*.c Sources/SignalKitABI/Support/*.S))
HEADERS := include/signalkit.h $(sort $(wildcard include/signalkit/*.h))
SHIMS_SOURCES := $(sort $(shell find Sources/SignalKitShims -name '*.c'))
SHIMS_OBJECTS := $(SHIMS_SOURCES:Sources/SignalKitShims/%.c=$(OBJ)/shims/%.o)
SHIMS := $(shell find Sources/SignalKitShims Sources/SignalKitABI/Support -name '*.h' -o -name '*.modulemap')
INCLUDES := -Iinclude -ISources/SignalKitShims/include -ISources/SignalKitABI/Support/include

WARNINGS := -Wall -Wextra -Wno-unused-parameter -Wconversion -Wshadow -Wformat=2 -Wvla -Wpointer-arith \
	-Wstrict-prototypes $(if $(WERROR),-Werror)

# What keeps a mistake from being of use to others: docs/platforms.md#hardening. Shadow stacks ask nothing of the code
# but a mark, which the linker would leave out because objects of the C library's have none.
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
ALIGN := true
SWIFTFLAGS += -O -static-stdlib
RUNTIME_LIBS := -L$(STATIC) $(STATIC)/$(ARCH)/swiftrt.o -lswiftCore -lswiftSynchronization -lswift_Concurrency \
	-ldispatch -lBlocksRuntime -lstdc++ $(FFI_LIBS) -lpthread -ldl -lm
else
# For size: what is called at each event asks for its place itself, by `@inline(__always)`; and it begins at half a
# cache line, or its speed would depend on what happens to stand before it.
ALIGN := $(BINUTILS)objcopy $(foreach name,*4next* *_next*,--set-section-alignment '.text.$(name)=32')
SWIFTFLAGS += -Osize -enable-experimental-feature Embedded -Xfrontend -function-sections
CFLAGS_LIB += -ffunction-sections -fdata-sections
RUNTIME_LIBS := $(FFI_LIBS) -lpthread -lm
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
# What debuggers want goes into a file of its own: `make install-debug`.
SWIFTFLAGS += -gline-tables-only -Xfrontend -no-clang-module-breadcrumbs -file-compilation-dir . \
	-debug-prefix-map $(CURDIR)=. -debug-prefix-map $(TOOLCHAIN)=swift
CFLAGS_LIB += -gline-tables-only -fasynchronous-unwind-tables -ffile-prefix-map=$(CURDIR)=.
LDFLAGS_LIB += -Wl,--build-id=sha1 -Wl,--icf=all
endif

.PHONY: all top lib static wheel install copied configuration install-debug uninstall dist release
.PHONY: abi demo test trust test-aarch64 test-musl test-portable fuzz bench docs clean
all: lib static top

# ---- The library ----

# With this machine's own C library.
CHECK_LIBS := $(RUNTIME_LIBS)

# What is released loads with glibc 2.28 and later, whatever this machine has.
ifeq ($(RUNTIME)$(PORTABLE)$(SANITIZE),embedded)
ifndef LIBC
LIBC := $(OBJ)/glibc/libraries.ld
$(LIBC): scripts/glibc.sh Sources/SignalKitABI/glibc.symbols | $(OBJ)
	@scripts/glibc.sh $@ $(ARCH) $(CLANG) $(C_TARGET)
endif
RUNTIME_LIBS := -nodefaultlibs -Wl,-z,defs $(FFI_LIBS) -lgcc $(LIBC)
endif

# So that debuggers, profilers and crash reporters see through a callback: Embedded Swift makes no tables for unwinding,
# and has no option for it; so the compiler of C makes its code, and those. Exceptions are not to use them: unwinding.c.
ifeq ($(RUNTIME)$(SANITIZE),embedded)
COMPILE = $(SWIFTC) $(SWIFTFLAGS) -emit-ir $(CORE) $(ABI) -o $(MADE).ll && \
	sed -i '/^attributes .* = {/s/ nounwind/& uwtable/' $(MADE).ll && \
	$(CLANG) $(C_TARGET) -O2 -fPIC -ffunction-sections -Xclang -disable-llvm-passes -Wno-override-module \
		-Wno-unused-command-line-argument -S $(MADE).ll -o $(MADE).s && \
	sed -i 's/^\t\.cfi_startproc$$/&\n\t.cfi_personality 0x1b, sgk_support_personality/' $(MADE).s && \
	$(CLANG) $(C_TARGET) -ffile-compilation-dir=. -Wno-unused-command-line-argument -c $(MADE).s -o $@ && \
	rm $(MADE).ll $(MADE).s
MADE = $(@:.o=)
else
COMPILE = $(SWIFTC) $(SWIFTFLAGS) -c $(CORE) $(ABI) -o $@
endif

lib: $(SO)
static: $(A)

$(OBJ)/signalkit.o: $(CORE) $(ABI) $(HEADERS) $(SHIMS) $(RULES) | $(OBJ) $(READY)
	@echo "  SWIFT  $@"
	@$(COMPILE)
	@$(ALIGN) $@
	@touch $@ # the compiler leaves an object alone, date and all, that would come out the same

$(OBJ)/%.o: Sources/SignalKitABI/Support/%.c $(HEADERS) $(SHIMS) $(RULES) | $(OBJ) $(READY)
	@echo "  CC     $@"
	@$(CLANG) $(CFLAGS_LIB) -c $< -o $@

$(OBJ)/shims/%.o: Sources/SignalKitShims/%.c $(SHIMS) $(RULES) | $(READY)
	@echo "  CC     $@"
	@mkdir -p $(@D)
	@$(CLANG) $(CFLAGS_LIB) -c $< -o $@

$(OBJ)/%.o: Sources/SignalKitABI/Support/%.S $(SHIMS) $(RULES) | $(OBJ) $(READY)
	@echo "  AS     $@"
	@$(CLANG) $(C_TARGET) -c $< -o $@

OBJECTS := $(OBJ)/signalkit.o $(SHIMS_OBJECTS) \
	$(patsubst Sources/SignalKitABI/Support/%,$(OBJ)/%.o,$(basename $(SUPPORT)))

# That Swift's objects are what the C parts take them for is looked at before they are linked. (Instrumented ones are no
# others.)
CHECKED := $(if $(SANITIZE),,$(OBJ)/objects-are-known)

$(OBJ)/objects-are-known: Tests/toolchain/objects.c $(OBJECTS)
	@echo "  CHECK  $(OBJ)/objects"
	@$(CLANG) $(CFLAGS_LIB) -ISources/SignalKitABI/Support $< \
		$(filter-out %/relocate.o,$(OBJECTS)) $(LINK_TARGET) $(CROSS:%=-static) -fuse-ld=lld -Wl,--gc-sections \
		-Wl,--wrap=free $(CHECK_LIBS) -o $(OBJ)/objects || { $(UNKNOWN); }
	@if [ -n "$(EMULATOR)" ] && ! command -v $(EMULATOR) >/dev/null; then \
		echo "skipped: $(OBJ)/objects, without $(EMULATOR)"; \
	else $(EMULATOR) $(OBJ)/objects || { $(UNKNOWN); }; fi
	@touch $@

ADVICE := $(if $(FAST),Build with RUNTIME_FAST=no$(comma) which leaves them to the toolchain,It cannot be used)
UNKNOWN = echo "$$($(SWIFTC) --version 2>/dev/null | head -n 1): its objects are not what the library knows." \
	"$(ADVICE)." >&2; exit 1

WHOLE := $(OBJ)/$(notdir $(SO))
DEBUG := $(OBJ)/$(notdir $(SO)).debug
SPLIT = $(BINUTILS)objcopy --only-keep-debug $(WHOLE) $(DEBUG) && chmod -x $(DEBUG) && \
	$(BINUTILS)objcopy --strip-all --add-gnu-debuglink=$(DEBUG) $(WHOLE) $@ && rm $(WHOLE)

$(SO): $(OBJECTS) $(CHECKED) $(filter %.ld,$(LIBC)) Sources/SignalKitABI/signalkit.map | $(LIB)
	@echo "  LINK   $@"
	@$(CLANG) $(LDFLAGS_LIB) $(OBJECTS) $(RUNTIME_LIBS) -o $(if $(SANITIZE),$@,$(WHOLE))
	@$(if $(SANITIZE),,$(SPLIT))
	@ln -sf $(notdir $@) $(LIB)/libsignalkit.so.1
	@ln -sf libsignalkit.so.1 $(LIB)/libsignalkit.so

# One object with everything in it, in which only the public functions are visible: what is inside can clash with
# nobody.
$(A): $(OBJECTS) $(CHECKED) Tests/abi/symbols.txt | $(LIB)
	@echo "  AR     $@"
	@$(TOOLCHAIN)/bin/ld.lld -r $(filter-out %/relocate.o,$(OBJECTS)) $(filter %.a,$(RUNTIME_LIBS)) -o $(OBJ)/whole.o
	@$(BINUTILS)objcopy --strip-debug --keep-global-symbols=Tests/abi/symbols.txt $(OBJ)/whole.o
	@rm -f $@ && $(BINUTILS)ar rcs $@ $(OBJ)/whole.o

# The program that looks at others from outside. It needs the C library alone; what goes to other machines not even
# that.
TOP_FLAGS := $(if $(CROSS)$(filter static,$(FFI)),-static -s)
top: $(TOP)
$(TOP): $(sort $(wildcard tools/sgk-top/*.[ch])) $(RULES) | $(READY)
	@echo "  CC     $@"
	@mkdir -p $(@D)
	@$(CLANG) $(C_TARGET) -O2 -std=c11 -D_GNU_SOURCE $(WARNINGS) $(HARDENED) -DSGK_TOP_VERSION='"$(VERSION)"' \
		$(filter %.c,$^) $(LINK_TARGET) $(HARDENED_LINK) $(TOP_FLAGS) -fuse-ld=lld -o $@

$(OBJ) $(LIB):
	@mkdir -p $@

# That the toolchain can do it, and what else is needed, is looked at once.
$(READY): scripts/toolchain.sh scripts/sysroot.sh | $(OBJ)
	@scripts/deps.sh $(if $(CROSS),check $(PACKAGES),build)
	@scripts/toolchain.sh $(SWIFTC) $(RUNTIME) $(SWIFT_TARGET)
	@$(if $(SYSROOT_PACKAGES),scripts/sysroot.sh $(SYSROOT_ARCH) $(SYSROOT) $(SYSROOT_PACKAGES))
	@touch $@

include companions/companion.mk

# ---- Installation ----

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
	@$(INSTALL_COMPANIONS)

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
	@$(UNINSTALL_COMPANIONS)
	@rm -f $(addsuffix /$(notdir $(SO))-gdb.py,$(gdb_dirs))
	@rm -rf $(cmake_dir) $(DESTDIR)$(INCLUDEDIR)/signalkit $(doc_dir)
	@echo "  UNINSTALLED from $(DESTDIR)$(PREFIX)"

# ---- Python's package ----

# libffi is inside of it, too: where it is installed there may be another one, or none.
ifneq ($(filter %-musl,$(CROSS)),)
wheel:
	@echo "there is no wheel for musl: bindings/python/README.md says why"; exit 1
else ifeq ($(FFI),static)
wheel: lib
	@scripts/wheel.sh $(SO) manylinux_2_28_$(ARCH)
else
wheel:
	@$(MAKE) --no-print-directory wheel FFI=static
endif

# ---- What is there to download ----

dist:
	@scripts/dist.sh build/dist $(VERSION) $(sort $(MACHINE)-linux-gnu $(TARGETS))

abi:
	@scripts/deps.sh check abigail-tools
	@scripts/abi.py --record

release:
	@$(if $(TESTED),,$(MAKE) --no-print-directory test)
	@scripts/release.sh $(VERSION)

# ---- The two commands of the README ----

demo: monitor
	@SIGNALKIT_INSPECT=build/sysmon.socket build/sysmon --seconds $(SECONDS)
	@echo "  While it runs (make demo SECONDS=600), this shows what runs in it, in another terminal:"
	@echo "      build/prefix/bin/sgk-top build/sysmon.socket"

monitor:
	@scripts/deps.sh demo
	@$(MAKE) --no-print-directory install PREFIX=$(CURDIR)/build/prefix DESTDIR=
	@echo "  CC     build/sysmon (cc and pkg-config alone)"
	@export PKG_CONFIG_PATH=$(CURDIR)/build/prefix/lib/pkgconfig && \
	cc -O2 -Wall -Wextra examples/c/sysmon.c -o build/sysmon $$(pkg-config --cflags --libs signalkit) \
		-Wl,-rpath,$(CURDIR)/build/prefix/lib

.PHONY: monitor pictures
# Of what the monitor shows, here and now; and the marbles, of the tests.
pictures: monitor
	@scripts/terminal.py docs/sysmon.svg 80 15 build/sysmon --load --interval 0.25 --seconds 12
	@scripts/pictures.py

test:
	@scripts/deps.sh tests
	@scripts/test.sh

trust:
	@scripts/deps.sh tests
	@LONG=yes scripts/test.sh

test-aarch64:
	@scripts/deps.sh tests
	@scripts/test.sh suite_aarch64 cpp_aarch64 python_aarch64 python_wheel_aarch64 binary_aarch64

test-musl:
	@scripts/deps.sh tests
	@scripts/test.sh suite_musl suite_musl_static binary_musl

test-portable:
	@scripts/deps.sh tests
	@PORTABLE=yes scripts/test.sh system_contract system_thread system_posix swift_tests suite_shared suite_debug_mode \
		suite_address suite_thread out_of_memory no_executable_memory callbacks_after_fork cpp_shared loops \
		main_queue_neglected queues_after_fork queues_at_exit refused_threads children_of_forks ends_of_processes \
		set_user_id

fuzz:
	@scripts/deps.sh tests
	@FUZZ_SECONDS=$(SECONDS) LIMIT=$$((8 * $(SECONDS) + 3600)) scripts/test.sh fuzz_campaign
	@scripts/reliability.py --campaign build/log/fuzz_campaign.log

# ---- The site, and the manual pages ----

# With what its pages can play: not where the toolchain makes no WebAssembly.
MARBLES := build/marbles/marbles-wasm.js
$(MARBLES): $(CORE) $(SHIMS) $(wildcard tools/marbles/*.[chs]* Sources/SignalKitTesting/*.swift) \
	$(wildcard Tests/SignalKitTests/Pictures/*.swift)
	@tools/marbles/build.sh $(@D)

# What the compiler knows of the public symbols in Swift; docc has read their comments, and the articles.
SYMBOLS := build/docc/graph/SignalKit.symbols.json
CATALOG := Sources/SignalKit/SignalKit.docc

$(SYMBOLS): $(CORE) $(wildcard $(CATALOG)/*)
	@echo "  DOCC   build/docc"
	@rm -rf build/docc && mkdir -p $(@D)
	@$(SWIFTC) -emit-module -module-name SignalKit -swift-version 5 -I Sources/SignalKitShims/include \
		-emit-symbol-graph -emit-symbol-graph-dir $(@D) -o build/docc/SignalKit.swiftmodule $(CORE)
	@$(TOOLCHAIN)/bin/docc convert $(CATALOG) --additional-symbol-graph-dir $(@D) --warnings-as-errors \
		--fallback-display-name SignalKit --output-path build/docc/SignalKit.doccarchive || { rm $@; exit 1; }

docs: $(MARBLES)
	@scripts/deps.sh docs
	@$(MAKE) --no-print-directory $(SYMBOLS)
	@scripts/reference.py && scripts/swift_reference.py
	@rm -rf build/docs/html && scripts/man_pages.py build/docs/man && scripts/site_pages.py build/site
	@sphinx-build -q -W --keep-going -E -d build/site/_doctrees build/site build/docs/html
	@echo "  DOCS   build/docs/html/index.html; man -M build/docs/man sgk_signal_map"

# ---- The benchmark: all rows into docs/, or ROWS="W1 W2" on the terminal alone ----

bench:
	@scripts/deps.sh bench
	@benchmarks/bench.py $(if $(ROWS),--rows "$(ROWS)") $(if $(ROUNDS),--rounds $(ROUNDS)) \
		$(if $(RUNS),--runs $(RUNS))

clean:
	rm -rf build .build .build-*
