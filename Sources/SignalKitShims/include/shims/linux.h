/* The functions of system.h with Linux interfaces. */
#ifndef SIGNALKIT_SHIMS_LINUX_H
#define SIGNALKIT_SHIMS_LINUX_H

#include "thread_local.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* (Not declared unless a program requests all functions of the C library.) */
extern long syscall(long number, ...);
extern int pthread_getattr_np(pthread_t, pthread_attr_t *);
extern char *secure_getenv(const char *);

/* ---- Sleeping on a word ---- */

static inline void sgk_shim_futex_wait(uintptr_t word, uint32_t expected) {
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static inline bool sgk_shim_futex_wait_for(uintptr_t word, uint32_t expected, int64_t nanoseconds) {
    struct timespec time;
    time.tv_sec = (time_t)(nanoseconds / 1000000000);
    time.tv_nsec = (long)(nanoseconds % 1000000000);
    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &time, NULL, 0) == 0 || errno != ETIMEDOUT;
}

static inline void sgk_shim_futex_wake_one(uintptr_t word) {
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static inline void sgk_shim_futex_wake_all(uintptr_t word) {
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/* ---- What wakes a loop ---- */

static inline int32_t sgk_shim_event_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline void sgk_shim_event_close(int32_t event) { (void)close(event); }
static inline int32_t sgk_shim_event_descriptor(int32_t event) { return event; }

static inline void sgk_shim_event_raise(int32_t event) {
    const uint64_t one = 1;
    while (event >= 0 && write(event, &one, sizeof one) < 0 && errno == EINTR) {} /* EAGAIN: it is up, more than so */
}

static inline void sgk_shim_event_clear(int32_t event) {
    uint64_t count;
    while (event >= 0 && read(event, &count, sizeof count) < 0 && errno == EINTR) {} /* EAGAIN: it was not up */
}

static inline void sgk_shim_event_renew(int32_t event) {
    int made = event >= 0 ? sgk_shim_event_make() : -1;
    if (made < 0) return;
    if (dup2(made, event) >= 0) (void)fcntl(event, F_SETFD, FD_CLOEXEC);
    (void)close(made);
}

/* ---- The calling thread ---- */

/* No call. (It is a multiple of 16.) */
SGK_SYSTEM_HOT uintptr_t sgk_shim_thread_pointer(void) { return (uintptr_t)__builtin_thread_pointer(); }

/* Returns the address of the list of locks that a thread holds (the robust list), as the kernel knows it. The C library
 * sets it for each thread, at a fixed distance from the thread pointer. */
static inline uintptr_t sgk_shim_robust_list(long thread) {
    uintptr_t list = 0;
    size_t length;
    return syscall(SYS_get_robust_list, thread, &list, &length) == 0 ? list : 0;
}

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
        found = list == 0 || list == sought; /* a thread without an entry, or one that is ending, may have it */
    }
    (void)closedir(tasks);
    return any && !found;
}

static inline int32_t sgk_shim_thread_number(void) { return (int32_t)syscall(SYS_gettid); }

/* That thread's number is the process's. Each delivery on the main queue asks. The main thread stays the main thread,
 * also in a child of a fork. (If another thread forks, it becomes the main thread of the child.) */
static inline bool sgk_shim_is_main_thread(void) {
    static SGK_THREAD_LOCAL bool is_known;
    if (!is_known) is_known = syscall(SYS_gettid) == (long)getpid();
    return is_known;
}

static inline int64_t sgk_shim_time_of(clockid_t clock) {
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* By the kernel's number for a thread's clock. */
static inline int64_t sgk_shim_cpu_time_of_thread(int32_t number) {
    return sgk_shim_time_of((clockid_t)(~(unsigned)number << 3 | 6));
}

static inline int64_t sgk_shim_main_thread_cpu_time(void) { return sgk_shim_cpu_time_of_thread(getpid()); }

static inline void sgk_shim_thread_set_name(const char *name) { (void)prctl(PR_SET_NAME, name); }
static inline void sgk_shim_thread_set_nice(int nice) {
    (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice);
}

/* Reads as much as fits of a file in the thread's folder in /proc. */
static inline void sgk_shim_read_of_thread(int32_t number, const char *name, char *text, size_t size) {
    char path[48];
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)number, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, size - 1);
    if (file >= 0) (void)close(file);
    text[length > 0 ? length : 0] = 0;
}

/* A thread that waits for a processor is running and not blocked. However, on a busy machine a blocked thread that only
 * polls its condition from time to time also appears in this state at most checks. */
static inline bool sgk_shim_thread_runs(int32_t number, sgk_shim_sight *sight) {
    char text[4096];
    sgk_shim_read_of_thread(number, "stat", text, sizeof text);
    const char *name_end = strrchr(text, ')');
    if (name_end == NULL || name_end[1] != ' ' || name_end[2] != 'R') return false;
    static const char title[] = "\nvoluntary_ctxt_switches:";
    sgk_shim_read_of_thread(number, "status", text, sizeof text);
    const char *sleeps = strstr(text, title);
    int64_t count = sleeps == NULL ? 0 : strtol(sleeps + sizeof title - 1, NULL, 10);
    sgk_shim_see(sight, sgk_shim_time_of(CLOCK_MONOTONIC), sgk_shim_cpu_time_of_thread(number), count);
    return !sight->is_blocked;
}

static inline bool sgk_shim_own_stack(uintptr_t *lowest, size_t *size) {
    pthread_attr_t attributes;
    void *start;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    bool known = pthread_attr_getstack(&attributes, &start, size) == 0;
    (void)pthread_attr_destroy(&attributes);
    *lowest = (uintptr_t)start;
#ifndef __GLIBC__ /* musl says of the main thread's how much there is so far; it grows up to the limit */
    struct rlimit limit;
    if (known && sgk_shim_is_main_thread() && getrlimit(RLIMIT_STACK, &limit) == 0) {
        enum { USUAL = 8 << 20 };
        size_t most = limit.rlim_cur == RLIM_INFINITY ? USUAL : (size_t)limit.rlim_cur;
        if (most > *size) *lowest -= most - *size, *size = most;
    }
#endif
    return known;
}

/* ---- The process ---- */

static inline int32_t sgk_shim_processors(void) {
    unsigned long set[128] = {0};
    int32_t count = 0;
    if (syscall(SYS_sched_getaffinity, 0, sizeof set, set) < 0) return (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) count += __builtin_popcountl(set[i]);
    return count;
}

static inline int64_t sgk_shim_tick(void) {
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void sgk_shim_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)pthread_atfork(prepare, parent, child);
}

static inline const char *sgk_shim_variable(const char *name) { return secure_getenv(name); }

#endif
