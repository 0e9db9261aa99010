# Linux with musl (Alpine, static programs), on a machine with glibc: with Debian's musl, and behind its headers those
# of the kernel and of libffi. libffi is Debian's archive: it was made with glibc, but asks for nothing that musl has
# not likewise.
PACKAGES := musl-dev musl-tools
USUAL_FFI := static
ifeq ($(FFI),shared)
$(error CROSS=x86_64-linux-musl is for FFI=static: the shared libffi of this machine needs glibc)
endif

MUSL_HEADERS := -nostdlibinc -isystem /usr/include/x86_64-linux-musl -idirafter /usr/include/x86_64-linux-gnu \
	-idirafter /usr/include
SWIFT_TARGET := -target x86_64-unknown-none-elf $(addprefix -Xcc ,$(MUSL_HEADERS) -D__linux__ -D_GNU_SOURCE -fPIC)
C_TARGET := --target=x86_64-linux-musl $(MUSL_HEADERS)
LINK_TARGET := --target=x86_64-linux-musl -B/usr/lib/x86_64-linux-musl -L/usr/lib/x86_64-linux-musl
LIBC := -lc
