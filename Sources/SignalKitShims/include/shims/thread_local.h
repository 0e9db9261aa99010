/* A variable that each thread has of its own. */
#ifndef SIGNALKIT_SHIMS_THREAD_LOCAL_H
#define SIGNALKIT_SHIMS_THREAD_LOCAL_H

#include <stdlib.h> /* says which C library this is */

/* Found without a call. glibc keeps some room for that, so that the library can be loaded into a program that runs;
 * musl keeps none. */
#ifdef __GLIBC__
#define SGK_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define SGK_THREAD_LOCAL _Thread_local
#endif

#endif
