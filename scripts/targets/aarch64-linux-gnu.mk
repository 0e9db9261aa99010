# ARM64 Linux, on a machine of another kind: with Debian's cross compiler, and the toolchain's Embedded library for bare
# ARM64, to which the headers of Linux are shown. libffi comes from Debian's packages for ARM64.
PACKAGES := gcc-aarch64-linux-gnu libc6-dev-arm64-cross
SYSROOT_ARCH := arm64
SYSROOT_PACKAGES := libffi-dev
BINUTILS := aarch64-linux-gnu-
EMULATOR := qemu-aarch64-static

# Outline atomics: one instruction where the processor has one for it (ARMv8.1), which is found out when the library is
# loaded; a loop on older ones.
SWIFT_TARGET := -target aarch64-none-none-elf -Xcc -isystem -Xcc /usr/aarch64-linux-gnu/include \
	$(addprefix -Xcc ,-D__linux__ -D_GNU_SOURCE -fPIC -moutline-atomics -Wno-macro-redefined)
C_TARGET := --target=aarch64-linux-gnu -moutline-atomics -isystem $(SYSROOT)/usr/include/aarch64-linux-gnu
LINK_TARGET := --target=aarch64-linux-gnu -L$(SYSROOT)/usr/lib/aarch64-linux-gnu
FFI_ARCHIVE := $(SYSROOT)/usr/lib/aarch64-linux-gnu/libffi_pic.a
