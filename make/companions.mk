# The companions: their own Makefile builds and installs them, here with the library of this build.

.PHONY: companions bench-companions
IN_COMPANIONS = +@$(MAKE) --no-print-directory -C companions OUT='../$(LIB)' VERSION=$(VERSION) \
	CC='$(CLANG) $(C_TARGET)' WARNINGS='$(WARNINGS)' HARDENED='$(HARDENED)' HARDENED_LINK='$(HARDENED_LINK)' \
	CFLAGS='$(if $(SANITIZE),-g -fsanitize=$(SANITIZE))' LDFLAGS='$(LINK_TARGET) -fuse-ld=lld' \
	SIGNALKIT_CFLAGS='-I../include' SIGNALKIT_LIBS='-L../$(LIB) -lsignalkit' \
	PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' DESTDIR='$(DESTDIR)'

companions: lib
	$(IN_COMPANIONS) all

bench-companions: companions
	@companions/bench.py $(NAMES)
