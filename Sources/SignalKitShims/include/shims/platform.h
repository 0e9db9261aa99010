/* Systems on which SignalKit cannot run: the build says so there, before anything is missed. */
#ifndef SIGNALKIT_SHIMS_PLATFORM_H
#define SIGNALKIT_SHIMS_PLATFORM_H

#if defined(_WIN32)
#error "SignalKit does not run on Windows: it needs POSIX threads."
#elif defined(__wasm__)
#error "SignalKit does not run on WebAssembly: it needs threads."
#elif __SIZEOF_POINTER__ != 8
#error "SignalKit does not run on 32-bit systems: it needs pointers of 64 bits."
#endif

#endif
