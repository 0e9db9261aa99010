/* Threads of our own, and a mark that each thread can carry. */
#ifndef SIGNALKIT_SHIMS_THREAD_H
#define SIGNALKIT_SHIMS_THREAD_H

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern long syscall(long number, ...);

/* A number that tells the calling thread from all other living ones; never 0. */
static inline uintptr_t sgk_shim_thread_id(void) { return (uintptr_t)pthread_self(); }

/* Starts a thread that nobody joins. Its stack has the default size. Signals go to the program's own threads. */
static inline bool sgk_shim_thread_start(void *(*main)(void *), void *context) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0) return false;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thread, &attributes, main, context) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return started;
}

/* The name by which the calling thread is shown; at most 15 characters. */
static inline void sgk_shim_thread_set_name(const char *name) { (void)prctl(PR_SET_NAME, name); }

/* By what the system knows the calling thread. */
static inline int32_t sgk_shim_thread_number(void) { return (int32_t)syscall(SYS_gettid); }

/* Whether that thread of this process is running or waits for a processor, and not for anything else. */
static inline bool sgk_shim_thread_runs(int32_t number) {
    char path[48], text[128];
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t length = read(file, text, sizeof text - 1);
    (void)close(file);
    text[length > 0 ? length : 0] = 0;
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && name_end[1] == ' ' && name_end[2] == 'R';
}

/* How many threads of this process can run at once. */
static inline int32_t sgk_shim_processors(void) {
    unsigned long set[128] = {0};
    int32_t count = 0;
    if (syscall(SYS_sched_getaffinity, 0, sizeof set, set) < 0) return (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) count += __builtin_popcountl(set[i]);
    return count;
}

/* Lets another thread run on this core, if one wants to. */
static inline void sgk_shim_yield(void) { (void)sched_yield(); }

/* The calling thread's priority, from 19 (lowest) to -20; raising it needs a privilege. What is refused is ignored. */
static inline void sgk_shim_thread_set_nice(int nice) { (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice); }

/* A key under which each thread keeps one pointer. */
static inline uint32_t sgk_shim_thread_key(void) {
    pthread_key_t key = 0;
    return pthread_key_create(&key, NULL) == 0 ? (uint32_t)key : UINT32_MAX;
}

static inline void *sgk_shim_thread_get(uint32_t key) { return pthread_getspecific((pthread_key_t)key); }
static inline void sgk_shim_thread_set(uint32_t key, void *value) { (void)pthread_setspecific((pthread_key_t)key, value); }

#endif
