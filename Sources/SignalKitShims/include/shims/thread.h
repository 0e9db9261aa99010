/* The library's threads, and a mark for each thread. */
#ifndef SIGNALKIT_SHIMS_THREAD_H
#define SIGNALKIT_SHIMS_THREAD_H

#include "system.h"
#include "thread_local.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

/* The stack that the longest chain of stages needs, plus the program's callbacks. */
enum { SGK_SHIM_LEAST_STACK = 1 << 20 };

/* Keeps the code in memory, for its threads run there. NULL but in the archive (Support/pin.c): the linker marks the
 * shared library as one that stays. */
extern __attribute__((visibility("hidden"))) void (*sgk_shim_pin)(void);

/* Starts a detached thread. Its stack has the default size, if that is enough (musl's is not). Signals go to
 * the program's own threads. */
static inline bool sgk_shim_thread_start(void *(*main)(void *), void *context) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (sgk_shim_pin) sgk_shim_pin();
    if (pthread_attr_init(&attributes) != 0) return false;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    size_t stack;
    if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < SGK_SHIM_LEAST_STACK) {
        (void)pthread_attr_setstacksize(&attributes, SGK_SHIM_LEAST_STACK);
    }
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thread, &attributes, main, context) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return started;
}

/* For loops that wait for another core. */
static inline void sgk_shim_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Lets another thread run on this core, if one wants to. */
static inline void sgk_shim_yield(void) { (void)sched_yield(); }

/* Does nothing for less than a second; a cancellation point. */
static inline void sgk_shim_sleep(uint32_t microseconds) {
    struct timespec time = {0, (long)microseconds * 1000};
    (void)nanosleep(&time, NULL);
}

/* A key under which each thread keeps one pointer. */
static inline uint32_t sgk_shim_thread_key(void) {
    pthread_key_t key = 0;
    return pthread_key_create(&key, NULL) == 0 ? (uint32_t)key : UINT32_MAX;
}

/* The innermost work of a queue that the calling thread runs. (A thread-local variable, accessed without a call.) */
extern SGK_THREAD_LOCAL __attribute__((visibility("hidden"))) void *sgk_shim_work;
static inline void *sgk_shim_work_here(void) { return sgk_shim_work; }
static inline void sgk_shim_set_work_here(void *work) { sgk_shim_work = work; }

static inline void *sgk_shim_thread_get(uint32_t key) { return pthread_getspecific((pthread_key_t)key); }
static inline void sgk_shim_thread_set(uint32_t key, void *value) {
    (void)pthread_setspecific((pthread_key_t)key, value);
}

#endif
