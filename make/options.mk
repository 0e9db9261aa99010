# Options: checks their values, and derives the target platform and the build directory from them.

comma := ,
space := $() $()
MACHINE := $(shell uname -m)
TARGETS := $(patsubst scripts/targets/%.mk,%,$(wildcard scripts/targets/*.mk))

# $(call one-of,NAME,VALUES): fails unless the variable NAME is one of the words VALUES.
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

# ---- Target ----
#
# A file of scripts/targets defines these variables. A build for this machine needs none of them.
#   PACKAGES                              Debian packages that the build needs
#   SYSROOT_ARCH, SYSROOT_PACKAGES        packages of the target's architecture, which are fetched into $(SYSROOT)
#   BINUTILS                              prefix of the names of its tools
#   USUAL_FFI, FFI_ARCHIVE                default of FFI, and the path of libffi's archive
#   LIBC                                  flags for its C library, if that is not glibc
#   EMULATOR                              program that runs its programs here
#   SWIFT_TARGET, C_TARGET, LINK_TARGET   flags for the compilers and the linker

ifneq ($(CROSS),)
ifneq ($(RUNTIME)$(SANITIZE),embedded)
$(error CROSS=$(CROSS) is for RUNTIME=embedded without SANITIZE)
endif
SYSROOT := build/sysroot/$(CROSS)
include scripts/targets/$(CROSS).mk
endif
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
