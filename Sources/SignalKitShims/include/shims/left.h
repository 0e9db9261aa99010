/* Whether a call that has not returned can still do so: it cannot when it was left by longjmp, or when its thread has ended inside it. */
#ifndef SIGNALKIT_SHIMS_LEFT_H
#define SIGNALKIT_SHIMS_LEFT_H

#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern long syscall(long number, ...);
extern int pthread_getattr_np(pthread_t, pthread_attr_t *);

/* The calling thread, as a multiple of 16 that no other living thread has. No call. */
__attribute__((always_inline)) static inline uintptr_t sgk_shim_thread_pointer(void) { return (uintptr_t)__builtin_thread_pointer(); }

/* Where the frame of the calling function begins. */
__attribute__((always_inline)) static inline uintptr_t sgk_shim_frame(void) { return (uintptr_t)__builtin_frame_address(0); }

/* Whether a frame of the calling thread's is gone, as another one stands at its place or above. Only of the thread's own stack is that known:
 * one that the program has made (of a coroutine) may be gone back to. */
static inline bool sgk_shim_frame_is_gone(uintptr_t frame, uintptr_t here) {
    if (here < frame) return false;
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
    (void)pthread_attr_destroy(&attributes);
    return known && frame - (uintptr_t)lowest < size && here - (uintptr_t)lowest < size;
}

/* Where the kernel is told to find the locks that a thread holds. The C library tells it for each thread, as a place beside its thread pointer. */
static inline uintptr_t sgk_shim_robust_list(long thread) {
    uintptr_t list = 0;
    size_t length;
    return syscall(SYS_get_robust_list, thread, &list, &length) == 0 ? list : 0;
}

/* Whether it is time to look at threads again: a few hundred times a second in the whole process, at most. */
static inline bool sgk_shim_may_look_at_threads(void) {
    static int64_t last;
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) != 0) return false;
    int64_t tick = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    return __atomic_exchange_n(&last, tick, __ATOMIC_RELAXED) != tick;
}

/* Whether a thread has ended: there is none with this thread pointer. False when that cannot be told. Slow: it goes through all threads. */
static inline bool sgk_shim_thread_has_ended(uintptr_t thread) {
    uintptr_t own = sgk_shim_robust_list(0);
    if (own == 0) return false;
    uintptr_t sought = own - sgk_shim_thread_pointer() + thread;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) return false;
    bool found = false, any = false;
    for (struct dirent *task; !found && (task = readdir(tasks)) != NULL;) {
        long number = strtol(task->d_name, NULL, 10);
        if (number <= 0) continue;
        uintptr_t list = sgk_shim_robust_list(number);
        any = true;
        found = list == 0 || list == sought; /* one that has told nothing yet, or is just ending, may be it */
    }
    (void)closedir(tasks);
    return any && !found;
}

#endif
