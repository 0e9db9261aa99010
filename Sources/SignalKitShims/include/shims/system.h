/* What differs from system to system; all else here is POSIX. Linux has short ways (linux.h), all inline. What stands
 * for them on every other system, and with SGK_PORTABLE on Linux too, is made of POSIX (the folder `posix`). Both keep
 * what is promised here. */
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

/* The same, for at most so many nanoseconds. False when they are over. */
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

/* Whether a thread has ended: there is none with this thread pointer. False when that cannot be told. Slow: it goes
 * through all threads. */
SGK_SYSTEM bool sgk_shim_thread_has_ended(uintptr_t thread);

/* Whether it is the thread that the process began with. */
SGK_SYSTEM bool sgk_shim_is_main_thread(void);

/* The processor time of that thread so far, in nanoseconds; or more. */
SGK_SYSTEM int64_t sgk_shim_main_thread_cpu_time(void);

/* The name by which it is shown; at most 15 characters. */
SGK_SYSTEM void sgk_shim_thread_set_name(const char *name);

/* Its priority, from 19 (lowest) to -20; raising it needs a privilege. What is refused, or not to be had for a single
 * thread, is left. */
SGK_SYSTEM void sgk_shim_thread_set_nice(int nice);

/* By what the system knows it. */
SGK_SYSTEM int32_t sgk_shim_thread_number(void);

/* What was seen of a thread. All zeros: it has not been looked at yet. */
typedef struct sgk_shim_sight {
    int64_t time, cpu_time; /* in nanoseconds */
    int64_t sleeps;         /* how often it has gone to sleep */
    bool is_blocked;
} sgk_shim_sight;

/* One more look at a thread that passes for running. It is blocked if it has gone to sleep since the last look that
 * counted, and has got next to no time. Between looks that count others have had their turns. */
static inline void sgk_shim_see(sgk_shim_sight *sight, int64_t now, int64_t cpu_time, int64_t sleeps) {
    enum { MOMENT = 20000000 /* nanoseconds */, SHARE = 10 /* a tenth */ };
    int64_t elapsed = now - sight->time;
    bool is_first = sight->time == 0;
    if (!is_first && elapsed < MOMENT) return;
    bool is_blocked = !is_first && sleeps != sight->sleeps && cpu_time - sight->cpu_time < elapsed / SHARE;
    *sight = (sgk_shim_sight){now, cpu_time, sleeps, is_blocked};
}

/* Whether the thread of that number, of this process, is running or waits for a processor, and not for anything
 * else. Where a system does not show that at one look, several tell it: until enough time has passed between them the
 * answer is true, or what it was before. No look waits. */
SGK_SYSTEM bool sgk_shim_thread_runs(int32_t number, sgk_shim_sight *sight);

/* Where its stack lies: the lowest address, and how many bytes from there. False when the system does not say. */
SGK_SYSTEM bool sgk_shim_own_stack(uintptr_t *lowest, size_t *size);

/* ---- The process ---- */

/* How many threads of this process can run at once. */
SGK_SYSTEM int32_t sgk_shim_processors(void);

/* A number that changes a few hundred times a second. */
SGK_SYSTEM int64_t sgk_shim_tick(void);

/* pthread_atfork, for which all that is promised here holds in the child already. */
SGK_SYSTEM void sgk_shim_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* A variable of the environment; NULL if there is none, and always in a program that runs with more rights than whoever
 * has set it (set-user-ID). */
SGK_SYSTEM const char *sgk_shim_variable(const char *name);

#ifndef SGK_SYSTEM_IS_POSIX
#include "linux.h"
#endif

#endif
