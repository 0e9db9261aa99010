/* Sleeping on a 32-bit word, for the core's small lock. */
#ifndef SIGNALKIT_SHIMS_FUTEX_H
#define SIGNALKIT_SHIMS_FUTEX_H

#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern long syscall(long number, ...);

/* For loops that wait for another core. */
static inline void sgk_shim_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Sleeps while *word == expected. Spurious returns are allowed: the caller looks again. */
static inline void sgk_shim_futex_wait(uintptr_t word, uint32_t expected) {
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

/* The same, for at most so many nanoseconds. */
static inline void sgk_shim_futex_wait_for(uintptr_t word, uint32_t expected, int64_t nanoseconds) {
    struct timespec time;
    time.tv_sec = (time_t)(nanoseconds / 1000000000);
    time.tv_nsec = (long)(nanoseconds % 1000000000);
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &time, NULL, 0);
}

static inline void sgk_shim_futex_wake_one(uintptr_t word) {
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static inline void sgk_shim_futex_wake_all(uintptr_t word) {
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

#endif
