# SignalKit: builds, tests and installs the shared library, its packages and its documentation.
#
# Two commands matter on a fresh machine:
#   make demo           build into build/prefix and run the system monitor (SECONDS=n; 10 by default)
#   make test           run the tests that find most errors (ONLY=name: the tests with that in their names)
#
# Build
#   make                libsignalkit.so, libsignalkit.a and sgk-top
#   make companions     libraries that carry signals over NATS, MQTT, ZeroMQ and D-Bus (docs/bridges.md)
#   make wheel          Python wheel with the library inside, and its source archive, in build/wheels
#   make docs           documentation site and manual pages in build/docs
#   make pictures       pictures of the system monitor and of the marble tests, in docs
#   make compile_commands.json   commands of the C compiler, for clangd and other tools
#   make clean          remove all build products
#
# Install
#   make install        copy libraries, headers, pkg-config and CMake files, and documentation
#   make install-debug  the same, plus debug information
#   make uninstall      remove the files; needs the variables that make install had
#
# Test
#   make test-all       all tests but the long ones; make setup-all installs the packages for it (MISSING=skip: go
#                       on without them)
#   make test-nightly   the long tests
#   make trust          all tests; run before a release
#   make test-aarch64   ARM64 tests, emulated
#   make test-musl      musl tests
#   make test-portable  tests of the portable layer (PORTABLE=yes)
#   make fuzz           search for failing programs (SECONDS=n per fuzzer; PLAIN=yes without sanitizers;
#                       FUZZERS="api models"; FUZZ_PROCESSES=6 of each)
#   make soak           long-running load tests (SECONDS=n)
#   make bench          measure the library and its peers (ROWS="W1 W2" ROUNDS=5 RUNS=3)
#   make bench-companions   measure the companions and their client libraries (NAMES="nats zmq")
#
# Release
#   make dist           source and binary archives in build/dist
#   make abi            record the binary interface of the headers in Tests/abi/declarations.txt
#   make release        tests, archives, wheels and release notes (TESTED=yes skips the tests; docs/releases.md)
#
# Variables
#   PREFIX=/usr/local               installation directory
#   LIBDIR=$(PREFIX)/lib            libraries, pkg-config and CMake files
#   INCLUDEDIR=$(PREFIX)/include    headers
#   DESTDIR=                        staging directory, prepended to all paths when files are copied
#
#   SWIFTC=swiftc       Swift compiler; the C compiler is the clang of the same toolchain
#   RUNTIME=embedded    Embedded Swift, without the Swift runtime (default)
#   RUNTIME=hosted      the standard library linked in, for toolchains without Embedded Swift
#   RUNTIME_FAST=no     count references with the Swift runtime, not with Support/runtime.c. Needed if the toolchain
#                       lays objects out differently, and on processors other than x86-64 and ARM64
#   SANITIZE=address    instrumented build for the tests; also SANITIZE=thread
#   COVERAGE=yes        with SANITIZE, adds the coverage counters that make fuzz needs
#   CROSS=TARGET        cross-compile: aarch64-linux-gnu or x86_64-linux-musl (scripts/targets)
#   FFI=shared          link libffi dynamically (default); FFI=static links its archive (default with musl)
#   WERROR=yes          treat warnings as errors, as the tests do
#   PORTABLE=yes        use the POSIX implementation on Linux too (docs/platforms.md)

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
# Use the clang of the Swift toolchain: its sanitizers and static libraries match the Swift compiler.
TOOLCHAIN := $(patsubst %/bin/,%,$(dir $(shell readlink -f "$$(command -v $(SWIFTC))" || echo /missing/bin/swiftc)))
CLANG := $(TOOLCHAIN)/bin/clang
STATIC := $(TOOLCHAIN)/lib/swift_static/linux

.DELETE_ON_ERROR:
.PHONY: all demo monitor clean
all: lib static top

include make/options.mk
include make/flags.mk
include make/records.mk
include make/library.mk
include make/compile_commands.mk
include make/companions.mk
include make/python.mk
include make/install.mk
include make/packages.mk
include make/tests.mk
include make/docs.mk
include make/bench.mk

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

clean:
	rm -rf build .build .build-* benchmarks/build compile_commands.json bindings/python/src/libsignalkit/_guard-*.so
