/* Facts that POSIX does not provide but most systems do, each in a different way, and the assumptions for other
   systems. */
#include "shims/system.h"

#ifdef SGK_SYSTEM_IS_POSIX
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <mach/mach.h>
#elif defined(__FreeBSD__) || defined(__OpenBSD__)
#include <pthread_np.h>
#endif
#ifdef __OpenBSD__
#include <sys/signal.h>
#endif

static int64_t nanoseconds_of(clockid_t clock) {
    struct timespec time = {0, 0};
    (void)clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t sgk_shim_tick(void) { return nanoseconds_of(CLOCK_MONOTONIC) >> 22; }

int32_t sgk_shim_processors(void) { return (int32_t)sysconf(_SC_NPROCESSORS_ONLN); }

/* ---- The rights of the process ---- */

#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
static bool has_others_rights(void) { return issetugid() != 0; }
#else
/* The rights when the library was loaded. A program can drop its rights later, but its environment is still from the
   other user. */
static bool began_with_others;

static __attribute__((constructor)) void note_rights(void) {
    began_with_others = getuid() != geteuid() || getgid() != getegid();
}

static bool has_others_rights(void) { return began_with_others; }
#endif

const char *sgk_shim_variable(const char *name) { return has_others_rights() ? NULL : getenv(name); }

/* ---- The main thread ---- */

/* That of all threads together: while it does not grow, the main thread does nothing. */
int64_t sgk_shim_main_thread_cpu_time(void) { return nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID); }

#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__)
bool sgk_shim_is_main_thread(void) { return pthread_main_np() == 1; }
#else
/* The one that has loaded this; in the child of a fork the only one. */
static pthread_t main_thread;

static void note_main_thread(void) { main_thread = pthread_self(); }
static __attribute__((constructor)) void begin(void) {
    note_main_thread();
    sgk_shim_at_fork(NULL, NULL, note_main_thread);
}

bool sgk_shim_is_main_thread(void) { return pthread_equal(pthread_self(), main_thread); }
#endif

/* ---- Names and priorities ---- */

void sgk_shim_thread_set_name(const char *name) {
#if defined(__APPLE__)
    (void)pthread_setname_np(name);
#elif defined(__FreeBSD__) || defined(__OpenBSD__)
    pthread_set_name_np(pthread_self(), name);
#elif defined(__NetBSD__)
    (void)pthread_setname_np(pthread_self(), "%s", (void *)(uintptr_t)name);
#elif defined(__linux__)
    extern int pthread_setname_np(pthread_t, const char *);
    (void)pthread_setname_np(pthread_self(), name);
#else
    (void)name;
#endif
}

/* Threads have no separate priority here. */
void sgk_shim_thread_set_nice(int nice) { (void)nice; }

/* ---- Whether a thread runs ---- */

#if defined(__APPLE__)
int32_t sgk_shim_thread_number(void) { return (int32_t)pthread_mach_thread_np(pthread_self()); }

bool sgk_shim_thread_runs(int32_t number, sgk_shim_sight *sight) {
    (void)sight;
    thread_basic_info_data_t info;
    mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
    return thread_info((thread_act_t)number, THREAD_BASIC_INFO, (thread_info_t)&info, &count) == KERN_SUCCESS &&
        info.run_state == TH_STATE_RUNNING;
}
#elif defined(_POSIX_THREAD_CPUTIME) && _POSIX_THREAD_CPUTIME >= 0
_Static_assert(sizeof(clockid_t) == sizeof(int32_t), "a clock is known by a number of 32 bits");

/* It is known by the clock of its processor time. */
int32_t sgk_shim_thread_number(void) {
    clockid_t clock;
    return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? (int32_t)clock : 0;
}

bool sgk_shim_thread_runs(int32_t number, sgk_shim_sight *sight) {
    if (number == 0) return false;
    int64_t may_have_slept = sight->sleeps + 1;
    sgk_shim_see(sight, nanoseconds_of(CLOCK_MONOTONIC), nanoseconds_of((clockid_t)number), may_have_slept);
    return !sight->is_blocked;
}
#else
/* Not known. (Threads that may be blocked get company.) */
int32_t sgk_shim_thread_number(void) { return 0; }
bool sgk_shim_thread_runs(int32_t number, sgk_shim_sight *sight) { return (void)number, (void)sight, false; }
#endif

/* ---- The stack ---- */

#if defined(__APPLE__)
bool sgk_shim_own_stack(uintptr_t *lowest, size_t *size) {
    *size = pthread_get_stacksize_np(pthread_self());
    *lowest = (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - *size;
    return true;
}
#elif defined(__OpenBSD__)
bool sgk_shim_own_stack(uintptr_t *lowest, size_t *size) {
    stack_t stack;
    if (pthread_stackseg_np(pthread_self(), &stack) != 0) return false;
    *size = stack.ss_size;
    *lowest = (uintptr_t)stack.ss_sp - *size;
    return true;
}
#else
#ifdef __FreeBSD__
static bool describe(pthread_attr_t *attributes) {
    if (pthread_attr_init(attributes) != 0) return false;
    if (pthread_attr_get_np(pthread_self(), attributes) == 0) return true;
    (void)pthread_attr_destroy(attributes);
    return false;
}
#else
extern int pthread_getattr_np(pthread_t, pthread_attr_t *);
static bool describe(pthread_attr_t *attributes) { return pthread_getattr_np(pthread_self(), attributes) == 0; }
#endif

bool sgk_shim_own_stack(uintptr_t *lowest, size_t *size) {
    pthread_attr_t attributes;
    void *start;
    if (!describe(&attributes)) return false;
    bool known = pthread_attr_getstack(&attributes, &start, size) == 0;
    (void)pthread_attr_destroy(&attributes);
    *lowest = (uintptr_t)start;
    return known;
}
#endif
#endif
