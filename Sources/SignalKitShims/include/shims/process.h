/* The process: its end, its forks, its clocks. */
#ifndef SIGNALKIT_SHIMS_PROCESS_H
#define SIGNALKIT_SHIMS_PROCESS_H

#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline void sgk_shim_at_exit(void (*work)(void)) { (void)atexit(work); }

/* `work` is called in the child of each fork, on its only thread, before fork returns there. */
static inline void sgk_shim_in_forked_child(void (*work)(void)) { sgk_shim_at_fork(NULL, NULL, work); }

/* The number of forks between this process and the process that loaded the library. */
extern __attribute__((visibility("hidden"))) uint32_t sgk_shim_forks;
static inline __attribute__((always_inline)) uint32_t sgk_shim_process_number(void) {
    return __atomic_load_n(&sgk_shim_forks, __ATOMIC_RELAXED);
}
static inline void sgk_shim_process_is_new(void) {
    __atomic_store_n(&sgk_shim_forks, sgk_shim_forks + 1, __ATOMIC_RELAXED);
}

static inline int64_t sgk_shim_process_id(void) { return getpid(); }

static inline size_t sgk_shim_text_length(const char *text) { return strlen(text); }

/* How long `prefix` is, if the text begins with it; otherwise 0. */
static inline size_t sgk_shim_prefix_length(const char *text, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? length : 0;
}

/* A copy of a text; NULL for NULL. */
static inline char *sgk_shim_copy_text(const char *text) { return text == NULL ? NULL : strdup(text); }
/* NULL when there is not so much. */
static inline void *sgk_shim_memory(size_t size) { return malloc(size); }
static inline void sgk_shim_free(void *memory) { free(memory); }

/* A line on the standard error output. */
static inline void sgk_shim_complain(const char *text) { fprintf(stderr, "signalkit: %s\n", text); }

/* Returns the seconds of the clock that never jumps and that stops while the system sleeps. */
static inline double sgk_shim_monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The same in nanoseconds. */
static inline int64_t sgk_shim_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Seconds since 1970; counts on while the system sleeps, and jumps when the clock is set. */
static inline double sgk_shim_wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
