/* The interfaces that differ between systems. All other code uses POSIX. Linux has fast inline versions (linux.h).
 * Other systems, and Linux with SGK_PORTABLE, use POSIX versions (folder `posix`). Both obey the comments here. */
#ifndef SIGNALKIT_SHIMS_SYSTEM_H
#define SIGNALKIT_SHIMS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__) && !SGK_PORTABLE
#define SGK_SYSTEM static inline
#define SGK_SYSTEM_HOT __attribute__((always_inline)) static inline
typedef int32_t sgk_shim_event;
#else
#define SGK_SYSTEM_IS_POSIX 1
#define SGK_SYSTEM __attribute__((visibility("hidden")))
#define SGK_SYSTEM_HOT SGK_SYSTEM
typedef int64_t sgk_shim_event;
#endif

/* ---- Sleeping on a 32-bit word ---- No cancellation points. */

/* Sleeps while *word == expected. Spurious returns are allowed: the caller looks again. */
SGK_SYSTEM void sgk_shim_futex_wait(uintptr_t word, uint32_t expected);

/* The same with a timeout in nanoseconds. Returns false after the timeout. */
SGK_SYSTEM bool sgk_shim_futex_wait_for(uintptr_t word, uint32_t expected, int64_t nanoseconds);

/* Wakes at least one thread that sleeps on the word; or all. The word may be gone already. */
SGK_SYSTEM void sgk_shim_futex_wake_one(uintptr_t word);
SGK_SYSTEM void sgk_shim_futex_wake_all(uintptr_t word);

/* ---- What wakes a loop: a file descriptor that is readable from being raised until it is cleared ---- */

/* A new one, or -1. */
SGK_SYSTEM sgk_shim_event sgk_shim_event_make(void);
SGK_SYSTEM void sgk_shim_event_close(sgk_shim_event event);

/* Of -1 it is -1. */
SGK_SYSTEM int32_t sgk_shim_event_descriptor(sgk_shim_event event);

/* With -1 they do nothing. */
SGK_SYSTEM void sgk_shim_event_raise(sgk_shim_event event);
SGK_SYSTEM void sgk_shim_event_clear(sgk_shim_event event);

/* In the child of a fork: under the same number one that the parent does not share. */
SGK_SYSTEM void sgk_shim_event_renew(sgk_shim_event event);

/* ---- The calling thread ---- */

/* A multiple of 4 that no other living thread has. */
SGK_SYSTEM_HOT uintptr_t sgk_shim_thread_pointer(void);

/* Reports whether a thread has ended: no thread has this thread pointer. Returns false if that is unknown. Slow,
 * because it visits all threads. */
SGK_SYSTEM bool sgk_shim_thread_has_ended(uintptr_t thread);

/* Reports whether the caller is the initial thread of the process. */
SGK_SYSTEM bool sgk_shim_is_main_thread(void);

/* The processor time of that thread so far, in nanoseconds; or more. */
SGK_SYSTEM int64_t sgk_shim_main_thread_cpu_time(void);

/* The name by which it is shown; at most 15 characters. */
SGK_SYSTEM void sgk_shim_thread_set_name(const char *name);

/* Sets the thread's priority, from 19 (lowest) to -20. Raising it requires a privilege. Failures are ignored, also on
 * systems without a priority per thread. */
SGK_SYSTEM void sgk_shim_thread_set_nice(int nice);

/* Returns the system's number of the calling thread. */
SGK_SYSTEM int32_t sgk_shim_thread_number(void);

/* The observations of a thread. All zeros: not observed yet. */
typedef struct sgk_shim_sight {
    int64_t time, cpu_time; /* in nanoseconds */
    int64_t sleeps;         /* how often it slept */
    bool is_blocked;
} sgk_shim_sight;

/* Adds an observation of a thread that appears to run. The thread is blocked if it has slept since the last counted
 * observation and has used almost no processor time. Enough time passes between counted observations for other threads
 * to run. */
static inline void sgk_shim_see(sgk_shim_sight *sight, int64_t now, int64_t cpu_time, int64_t sleeps) {
    enum { MOMENT = 20000000 /* nanoseconds */, SHARE = 10 /* a tenth */ };
    int64_t elapsed = now - sight->time;
    bool is_first = sight->time == 0;
    if (!is_first && elapsed < MOMENT) return;
    bool is_blocked = !is_first && sleeps != sight->sleeps && cpu_time - sight->cpu_time < elapsed / SHARE;
    *sight = (sgk_shim_sight){now, cpu_time, sleeps, is_blocked};
}

/* Reports whether a thread of this process is running or waits for a processor, and for nothing else. On systems where
 * one observation is not sufficient, it combines several. Until enough time has passed between them, it returns true or
 * the previous answer. It never waits. */
SGK_SYSTEM bool sgk_shim_thread_runs(int32_t number, sgk_shim_sight *sight);

/* Where its stack lies: the lowest address, and how many bytes from there. False when the system does not say. */
SGK_SYSTEM bool sgk_shim_own_stack(uintptr_t *lowest, size_t *size);

/* ---- The process ---- */

/* Returns how many threads of this process can run simultaneously. */
SGK_SYSTEM int32_t sgk_shim_processors(void);

/* A number that changes a few hundred times a second. */
SGK_SYSTEM int64_t sgk_shim_tick(void);

/* pthread_atfork. The functions of this header already work in the child when the handlers run. */
SGK_SYSTEM void sgk_shim_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* Returns an environment variable. Returns NULL if it is not set, and always in a set-user-ID program, which has more
 * rights than the user who set it. */
SGK_SYSTEM const char *sgk_shim_variable(const char *name);

#ifndef SGK_SYSTEM_IS_POSIX
#include "linux.h"
#endif

#endif
