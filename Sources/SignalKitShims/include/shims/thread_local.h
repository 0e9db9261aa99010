/* A thread-local variable. */
#ifndef SIGNALKIT_SHIMS_THREAD_LOCAL_H
#define SIGNALKIT_SHIMS_THREAD_LOCAL_H

#include <stdlib.h> /* says which C library this is */

/* Accessed without a call. glibc reserves some space for this, so that a running program can load the library. musl
 * reserves none. */
#ifdef __GLIBC__
#define SGK_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define SGK_THREAD_LOCAL _Thread_local
#endif

#endif
