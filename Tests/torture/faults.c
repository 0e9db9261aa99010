#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const call_names[CALLS] = {
#define NAME(name, text) text,
    CALL_MAP(NAME)
#undef NAME
};

/* ---- Which call fails ---- */

static fault wanted;
static atomic_bool is_wanted;
static atomic_llong calls, failures, room, blocks;

void begin_fault(fault fault) {
    wanted = fault;
    calls = failures = room = 0;
    is_wanted = true;
}

int64_t end_fault(void) {
    is_wanted = false;
    return failures;
}

int64_t blocks_in_use(void) { return blocks; }

/* The address range of this program: its own calls never fail, nor do calls inside them. */
extern const char __executable_start[], etext[];
static _Thread_local bool is_own_thread;
static bool is_own(const void *caller) {
    return is_own_thread || ((const char *)caller >= __executable_start && (const char *)caller < etext);
}

/* Returns whether this call, counted from the first, must fail. */
static bool comes_up(call call, const void *caller) {
    if (!atomic_load_explicit(&is_wanted, memory_order_acquire) || wanted.call != call || is_own(caller)) return false;
    return atomic_fetch_add(&calls, 1) + 1 >= wanted.first;
}

static bool takes_failure(void) {
    if (atomic_fetch_add(&failures, 1) < wanted.count) return true;
    failures--;
    return false;
}

static bool fails(call call, const void *caller) {
    if (!comes_up(call, caller) || !takes_failure()) return false;
    errno = wanted.error;
    return true;
}

#define CALLER __builtin_return_address(0)

/* ---- Memory ---- */

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REAL(name) ___interceptor_##name
#define REAL_ALIGNED ___interceptor_aligned_alloc
#endif
#endif
#ifndef REAL
#define REAL(name) __libc_##name
#define REAL_ALIGNED __libc_memalign
#endif

extern void *REAL(malloc)(size_t), *REAL(calloc)(size_t, size_t), *REAL(realloc)(void *, size_t), REAL(free)(void *);
extern void *REAL_ALIGNED(size_t, size_t);

/* Returns glibc's size of a block. */
static int64_t whole(size_t usable) { return usable <= 24 ? 32 : (int64_t)((usable + 8 + 15) & ~(size_t)15); }

static bool is_refused(size_t size, const void *caller) {
    if (!comes_up(ALLOCATION, caller)) return false;
    if (wanted.is_bounded) {
        if (atomic_fetch_sub(&room, whole(size)) >= whole(size)) return false;
        room += whole(size);
    }
    if (!takes_failure()) return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *made) {
    if (made) blocks++;
    return made;
}

void *malloc(size_t size) { return is_refused(size, CALLER) ? NULL : counted(REAL(malloc)(size)); }

void *calloc(size_t count, size_t size) {
    return is_refused(count * size, CALLER) ? NULL : counted(REAL(calloc)(count, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
    return is_refused(size, CALLER) ? NULL : counted(REAL_ALIGNED(alignment, size));
}

static void given_back(void *memory) {
    if (is_wanted && wanted.is_bounded) room += whole(malloc_usable_size(memory));
}

void free(void *memory) {
    if (memory == NULL) return;
    given_back(memory);
    blocks--;
    REAL(free)(memory);
}

void *realloc(void *memory, size_t size) {
    if (memory == NULL) return is_refused(size, CALLER) ? NULL : counted(REAL(realloc)(NULL, size));
    if (is_refused(size, CALLER)) return NULL;
    given_back(memory);
    return REAL(realloc)(memory, size);
}

/* ---- Everything else ---- */

/* The function that this program's function replaces. */
#define NEXT(name) \
    ({ \
        static __typeof__(name) *_Atomic next; \
        if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
        next; \
    })

/* FAILING(call, result, name, (parameters), (arguments)): -1, and errno, where it fails. */
#define FAILING(call, result, name, parameters, arguments) \
    result name parameters { return fails(call, CALLER) ? -1 : NEXT(name) arguments; }

FAILING(EVENTFD, int, eventfd, (unsigned count, int flags), (count, flags))
FAILING(EPOLL_CREATE, int, epoll_create1, (int flags), (flags))
/* The system can always remove a descriptor from a set. */
int epoll_ctl(int set, int how, int fd, struct epoll_event *event) {
    return how != EPOLL_CTL_DEL && fails(EPOLL_CTL, CALLER) ? -1 : NEXT(epoll_ctl)(set, how, fd, event);
}
FAILING(
    EPOLL_WAIT, int, epoll_wait, (int set, struct epoll_event *events, int most, int time), (set, events, most, time))
FAILING(POLL, int, poll, (struct pollfd * asked, nfds_t count, int time), (asked, count, time))
FAILING(DUP2, int, dup2, (int from, int to), (from, to))
FAILING(SIGNALFD, int, signalfd, (int fd, const sigset_t *signals, int flags), (fd, signals, flags))
FAILING(INOTIFY, int, inotify_init1, (int flags), (flags))
FAILING(INOTIFY_ADD, int, inotify_add_watch, (int fd, const char *path, uint32_t mask), (fd, path, mask))
FAILING(WAITID, int, waitid, (idtype_t what, id_t id, siginfo_t *info, int options), (what, id, info, options))
FAILING(SEND, ssize_t, send, (int fd, const void *from, size_t size, int flags), (fd, from, size, flags))
FAILING(RECV, ssize_t, recv, (int fd, void *to, size_t size, int flags), (fd, to, size, flags))
FAILING(SEND, ssize_t, sendto,
    (int fd, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t length),
    (fd, from, size, flags, to, length))
FAILING(RECV, ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))
FAILING(SOCKET, int, socket, (int domain, int type, int protocol), (domain, type, protocol))
FAILING(BIND, int, bind, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size))
FAILING(LISTEN, int, listen, (int fd, int most), (fd, most))
FAILING(
    ACCEPT, int, accept4, (int fd, struct sockaddr *address, socklen_t *size, int flags), (fd, address, size, flags))
FAILING(CHMOD, int, chmod, (const char *path, mode_t mode), (path, mode))
FAILING(STATX, int, statx, (int at, const char *path, int flags, unsigned mask, struct statx *found),
    (at, path, flags, mask, found))

/* Events, signalfd and inotify are no files of any type. */
static bool is_no_file(int fd) {
    struct stat of;
    return fstat(fd, &of) == 0 && (of.st_mode & S_IFMT) == 0;
}

ssize_t write(int fd, const void *from, size_t size) {
    return fails(is_no_file(fd) ? RAISE : WRITE, CALLER) ? -1 : NEXT(write)(fd, from, size);
}

ssize_t read(int fd, void *to, size_t size) {
    return fails(is_no_file(fd) ? CLEAR : READ, CALLER) ? -1 : NEXT(read)(fd, to, size);
}

/* The descriptor is closed, whatever the result of close. */
int close(int fd) {
    int result = NEXT(close)(fd);
    return fails(CLOSE, CALLER) ? -1 : result;
}

int fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return fails(FCNTL, CALLER) ? -1 : NEXT(fcntl)(fd, command, argument);
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails(OPEN, CALLER) ? -1 : NEXT(open)(path, flags, mode);
}

DIR *opendir(const char *path) { return fails(OPENDIR, CALLER) ? NULL : NEXT(opendir)(path); }

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    return fails(MAPPING, CALLER) ? MAP_FAILED : NEXT(mmap)(at, size, protection, flags, fd, offset);
}

static call call_of(long number, long operation) {
    switch (number) {
    case SYS_futex: return (operation & FUTEX_CMD_MASK) == FUTEX_WAIT ? FUTEX_WAITS : CALLS;
    case SYS_pidfd_open: return PIDFD;
    case SYS_get_robust_list: return ROBUST_LIST;
    case SYS_sched_getaffinity: return AFFINITY;
    default: return CALLS;
    }
}

long syscall(long number, ...) {
    long given[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++) given[i] = va_arg(arguments, long);
    va_end(arguments);
    if (fails(call_of(number, given[1]), CALLER)) return -1;
    return NEXT(syscall)(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

/* ---- Threads: the result is the error ---- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    if (fails(THREAD, CALLER)) return wanted.error;
    bool before = is_own_thread;
    is_own_thread = is_own(CALLER);
    int error = NEXT(pthread_create)(thread, attributes, start, argument);
    is_own_thread = before;
    return error;
}

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
    return fails(KEY, CALLER) ? wanted.error : NEXT(pthread_key_create)(key, destroy);
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    return fails(SPECIFIC, CALLER) ? wanted.error : NEXT(pthread_setspecific)(key, value);
}
