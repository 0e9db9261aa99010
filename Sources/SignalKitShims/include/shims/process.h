/* Facts about the calling thread and process. */
#ifndef SIGNALKIT_SHIMS_PROCESS_H
#define SIGNALKIT_SHIMS_PROCESS_H

#include <pthread.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern long syscall(long number, ...);

/* True on the thread that the process began with: on Linux its thread id is the process id. */
static inline bool sgk_shim_is_main_thread(void) { return syscall(SYS_gettid) == (long)getpid(); }

/* The processor time of that thread so far, in nanoseconds. */
static inline int64_t sgk_shim_main_thread_cpu_time(void) {
    struct timespec time = {0, 0};
    clock_gettime((clockid_t)(~(unsigned)getpid() << 3 | 6), &time); /* the kernel's number for a thread's clock; the thread's id is the process's */
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline void sgk_shim_at_exit(void (*work)(void)) { (void)atexit(work); }

/* `work` is called in the child of each fork, on its only thread, before fork returns there. */
static inline void sgk_shim_in_forked_child(void (*work)(void)) { (void)pthread_atfork(NULL, NULL, work); }

/* How many forks lie between this process and the one that loaded the library. */
extern __attribute__((visibility("hidden"))) uint32_t sgk_shim_forks;
static inline __attribute__((always_inline)) uint32_t sgk_shim_process_number(void) { return __atomic_load_n(&sgk_shim_forks, __ATOMIC_RELAXED); }
static inline void sgk_shim_process_is_new(void) { __atomic_store_n(&sgk_shim_forks, sgk_shim_forks + 1, __ATOMIC_RELAXED); }

/* Lets go of a Swift object: `Unmanaged.release` counts up by one before it counts down by two, in locked instructions. */
void sgk_shim_let_go(void *object);

/* A copy of a text; NULL for NULL. */
static inline char *sgk_shim_copy_text(const char *text) { return text == NULL ? NULL : strdup(text); }
static inline void sgk_shim_free(void *memory) { free(memory); }

/* A line on the standard error output. */
static inline void sgk_shim_complain(const uint8_t *text, intptr_t length) { fprintf(stderr, "signalkit: %.*s\n", (int)length, (const char *)text); }

/* A number that no other running thread has. */
static inline uintptr_t sgk_shim_thread(void) { return (uintptr_t)pthread_self(); }

/* Seconds of the clock that never jumps and stands still while the system sleeps. */
static inline double sgk_shim_monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds since 1970; counts on while the system sleeps, and jumps when somebody sets the clock. */
static inline double sgk_shim_wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
