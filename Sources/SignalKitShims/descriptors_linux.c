/* Descriptors in Linux' own ways: epoll, signalfd, pidfd, timerfd, inotify. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* statx */
#endif

#include "shims/descriptors.h"
#include "shims/thread.h"

#ifndef SGK_SYSTEM_IS_POSIX
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int32_t made(int fd) { return fd < 0 ? -errno : fd; }

/* ---- The set ---- */

/* A set accepts each number once. So descriptors that are only written are in a second set, which is in the first. */
static int writing;

int32_t sgk_shim_watch_make(void) {
    struct epoll_event event = {EPOLLIN, {.u64 = 0}};
    int set = epoll_create1(EPOLL_CLOEXEC);
    writing = set < 0 ? -1 : epoll_create1(EPOLL_CLOEXEC);
    if (writing >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, writing, &event) == 0) return set;
    int error = errno;
    if (writing >= 0) (void)close(writing);
    if (set >= 0) (void)close(set);
    return -error;
}

void sgk_shim_watch_forget(int32_t set) {
    (void)close(set);
    (void)close(writing);
}

static int set_for(uint32_t events, int32_t set) { return events == SGK_SHIM_WRITE ? writing : set; }

int32_t sgk_shim_watch_set(int32_t set, int32_t fd, uint32_t events, uint64_t key, bool again) {
    struct epoll_event event = {EPOLLONESHOT, {.u64 = key}};
    if (events & SGK_SHIM_READ) event.events |= EPOLLIN;
    if (events & SGK_SHIM_WRITE) event.events |= EPOLLOUT;
    return epoll_ctl(set_for(events, set), again ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

void sgk_shim_watch_remove(int32_t set, int32_t fd, uint32_t events) {
    struct epoll_event event = {0, {.u64 = 0}}; /* not looked at */
    (void)epoll_ctl(set_for(events, set), EPOLL_CTL_DEL, fd, &event);
}

void sgk_shim_watch_wait(int32_t set) {
    struct pollfd asked = {set, POLLIN, 0};
    (void)poll(&asked, 1, -1);
}

bool sgk_shim_watch_take(int32_t set, sgk_shim_ready *ready) {
    struct epoll_event event;
    do {
        if (epoll_wait(set, &event, 1, 0) != 1) return false;
    } while (event.data.u64 == 0 && epoll_wait(writing, &event, 1, 0) != 1);
    ready->key = event.data.u64;
    ready->events = (event.events & EPOLLIN ? SGK_SHIM_READ : 0) | (event.events & EPOLLOUT ? SGK_SHIM_WRITE : 0) |
        (event.events & EPOLLHUP ? SGK_SHIM_HANG_UP : 0) | (event.events & EPOLLERR ? SGK_SHIM_FAULT : 0);
    return true;
}

/* ---- Signals ---- */

int32_t sgk_shim_signal_open(int32_t signal) {
    sigset_t wanted;
    (void)sigemptyset(&wanted);
    if (sigaddset(&wanted, signal) != 0) return -errno;
    return made(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
}

int32_t sgk_shim_signal_next(int32_t fd, int32_t *signal) {
    struct signalfd_siginfo info;
    int64_t size = sgk_shim_fd_read(fd, &info, sizeof info);
    if (size < 0) return (int32_t)-size;
    *signal = (int32_t)info.ssi_signo;
    return 0;
}

#ifdef SWIFT_PACKAGE
static struct {
    int32_t users;
    struct sigaction before;
} passed_on[_NSIG];
static pthread_mutex_t passing_on = PTHREAD_MUTEX_INITIALIZER;

/* Called if this thread does not block the signal: sends the signal to the process, whose descriptor for it becomes
 * readable. If the handler returned before the signal was read, it would run again; the pause avoids a busy loop. */
static void pass_on(int signal) {
    int error = errno;
    (void)kill(getpid(), signal);
    (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    errno = error;
}

static bool is_passed_on(int32_t signal) {
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == pass_on;
}

void sgk_shim_signal_pass_on(int32_t signal) {
    if (signal < 1 || signal >= _NSIG) return;
    (void)pthread_mutex_lock(&passing_on);
    struct sigaction *before = &passed_on[signal].before;
    if (passed_on[signal].users++ == 0 && sigaction(signal, NULL, before) == 0 && !(before->sa_flags & SA_SIGINFO) &&
        before->sa_handler == SIG_DFL) {
        struct sigaction wanted = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
        (void)sigfillset(&wanted.sa_mask);
        (void)sigaction(signal, &wanted, NULL);
    }
    (void)pthread_mutex_unlock(&passing_on);
}

void sgk_shim_signal_leave(int32_t signal) {
    if (signal < 1 || signal >= _NSIG) return;
    (void)pthread_mutex_lock(&passing_on);
    if (--passed_on[signal].users == 0 && is_passed_on(signal))
        (void)sigaction(signal, &passed_on[signal].before, NULL);
    (void)pthread_mutex_unlock(&passing_on);
}
#endif

bool sgk_shim_signal_is_blocked_everywhere(int32_t signal) {
#ifdef SWIFT_PACKAGE
    if (is_passed_on(signal)) return true; /* this has the same effect */
#endif
    static const char title[] = "\nSigBlk:";
    DIR *threads = opendir("/proc/self/task");
    bool is_blocked = true;
    for (struct dirent *thread; is_blocked && threads && (thread = readdir(threads)) != NULL;) {
        char text[4096];
        sgk_shim_read_of_thread((int32_t)strtol(thread->d_name, NULL, 10), "status", text, sizeof text);
        const char *mask = strstr(text, title); /* none if it has ended in the meantime */
        is_blocked = mask == NULL || strtoull(mask + sizeof title - 1, NULL, 16) >> (signal - 1) & 1;
    }
    if (threads) (void)closedir(threads);
    return is_blocked;
}

/* ---- Children ---- */

/* (Not declared unless a program requests all functions of the C library.) */
extern int pipe2(int ends[2], int flags);

/* (Older headers do not know them.) */
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* Waits for this child only. The status of other children stays available to their owners. */
static int32_t look(int32_t pid, siginfo_t *info, int options) {
    memset(info, 0, sizeof *info);
    while (waitid(P_PID, (id_t)pid, info, WEXITED | WNOHANG | options) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* Used if pidfd_open fails. A thread polls until the child has ended or the other end of the pipe is closed. It does
 * not reap children, and does not need SIGCHLD, for which the program may have a handler. */
typedef union {
    struct {
        int32_t pid, fd;
    } of;
    void *context;
} look_out;
_Static_assert(sizeof(look_out) == sizeof(void *), "it is handed over as a pointer");

static void *look_out_for_child(void *context) {
    look_out it = {.context = context};
    siginfo_t info;
    struct pollfd end = {it.of.fd, 0, 0};
    for (int milliseconds = 1; look(it.of.pid, &info, WNOWAIT) == 0 && info.si_pid == 0;) {
        if (poll(&end, 1, milliseconds) > 0) break;
        if (milliseconds < 32) milliseconds *= 2;
    }
    (void)!write(it.of.fd, "", 1);
    (void)close(it.of.fd);
    return NULL;
}

static int32_t open_without_pidfd(int32_t pid) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -(errno | SGK_SHIM_IN_PIPE);
    look_out it = {.of = {pid, ends[1]}};
    if (sgk_shim_thread_start(look_out_for_child, it.context)) return ends[0];
    (void)close(ends[0]);
    (void)close(ends[1]);
    return -(EAGAIN | SGK_SHIM_IN_THREAD);
}

int32_t sgk_shim_child_open(int32_t pid) {
    siginfo_t info;
    int32_t error = look(pid, &info, WNOWAIT);
    if (error) return -(error | SGK_SHIM_IN_WAIT);
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd >= 0) return fd;
    return errno == ENOSYS || errno == EPERM ? open_without_pidfd(pid) : -(errno | SGK_SHIM_IN_PIDFD);
}

int32_t sgk_shim_child_status(int32_t pid, int32_t *status) {
    siginfo_t info;
    int32_t error = look(pid, &info, 0);
    if (error || info.si_pid == 0) return error ? error : EAGAIN;
    *status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
    return 0;
}

/* ---- The wall clock ---- */

/* The system keeps an absolute time of this clock when somebody sets the clock. */
int32_t sgk_shim_wall_clock_open(double unix_time) {
    static const double latest = 1e11;           /* later than any time of the system's clock */
    struct itimerspec at = {.it_value = {0, 1}}; /* (0 is no time, but switches the timer off) */
    if (unix_time > 0) {
        at.it_value.tv_sec = (time_t)(unix_time < latest ? unix_time : latest);
        at.it_value.tv_nsec = unix_time < latest ? (long)((unix_time - (double)at.it_value.tv_sec) * 1e9) : 0;
        if (at.it_value.tv_sec == 0 && at.it_value.tv_nsec == 0) at.it_value.tv_nsec = 1;
    }
    int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd < 0 || timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL) == 0) return made(fd);
    int error = errno;
    (void)close(fd);
    return -error;
}

int32_t sgk_shim_wall_clock_came(int32_t fd) {
    uint64_t times;
    int64_t size = sgk_shim_fd_read(fd, &times, sizeof times);
    return size < 0 ? (int32_t)-size : 0;
}

/* ---- Paths ---- */

int32_t sgk_shim_absolute_path(const char *path, char *absolute) {
    size_t length = 0, more = strlen(path);
    if (more == 0) return -ENOENT;
    if (*path != '/') {
        if (!getcwd(absolute, PATH_MAX)) return -errno;
        length = strlen(absolute);
        absolute[length++] = '/';
    }
    if (length + more >= PATH_MAX) return -ENAMETOOLONG;
    memcpy(absolute + length, path, more + 1);
    return (int32_t)(length + more);
}

/* ---- A file that is followed ---- */

typedef struct facts {
    uint64_t inode, device;
    int64_t size;
    uint64_t names;
} facts;

struct sgk_shim_tail {
    facts is;      /* the open file */
    int64_t place; /* in it */
    int32_t changes, folder, file, watch;
    bool is_in_line; /* the last byte was no newline */
    char *name;      /* in the path */
    char path[];
};

/* glibc before 2.33 does not export fstatat, and other C libraries have no statx. */
static bool look_at(int32_t at, const char *path, int flags, facts *seen) {
#ifdef __GLIBC__
    struct statx it;
    if (statx(at, path, flags, STATX_INO | STATX_SIZE | STATX_NLINK, &it) != 0) return false;
    *seen =
        (facts){it.stx_ino, (uint64_t)it.stx_dev_major << 32 | it.stx_dev_minor, (int64_t)it.stx_size, it.stx_nlink};
#else
    struct stat it;
    if (fstatat(at, path, &it, flags) != 0) return false;
    *seen = (facts){it.st_ino, it.st_dev, it.st_size, it.st_nlink};
#endif
    return true;
}

static bool is_open_file(const sgk_shim_tail *tail, const facts *seen) {
    return tail->file >= 0 && seen->inode == tail->is.inode && seen->device == tail->is.device;
}

/* Returns the number that it had before, unless another folder is there now.
 *
 * IN_MASK_ADD: without it, Linux would drop events of the watched folder while it replaces the mask by an equal one. */
static int32_t watch_folder(sgk_shim_tail *tail) {
    const uint32_t mask = IN_CREATE | IN_MOVED_TO | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD;
    char first = *tail->name;
    *tail->name = 0;
    int32_t watch = inotify_add_watch(tail->changes, tail->path, mask);
    *tail->name = first;
    return watch;
}

static void drop_file(sgk_shim_tail *tail) {
    if (tail->file < 0) return;
    (void)inotify_rm_watch(tail->changes, tail->watch);
    (void)close(tail->file);
    tail->file = -1;
}

/* It is no error that there is none. */
static int32_t take_file(sgk_shim_tail *tail) {
    drop_file(tail);
    tail->file = open(tail->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (tail->file < 0) return errno == ENOENT ? 0 : errno;
    tail->place = 0;
    /* If the name receives another file at this point, the folder's watch tells it. */
    tail->watch = inotify_add_watch(tail->changes, tail->path, IN_MODIFY | IN_ATTRIB);
    if (tail->watch < 0 && errno != ENOENT) return errno;
    return look_at(tail->file, "", AT_EMPTY_PATH, &tail->is) ? 0 : errno;
}

int32_t sgk_shim_tail_open(const char *path, bool from_start, sgk_shim_tail **result) {
    char absolute[PATH_MAX];
    int32_t length = sgk_shim_absolute_path(path, absolute);
    if (length < 0) return length;
    sgk_shim_tail *tail = malloc(sizeof *tail + (size_t)length + 1);
    if (!tail) return -ENOMEM;
    tail->file = -1;
    tail->is_in_line = false;
    memcpy(tail->path, absolute, (size_t)length + 1);
    tail->name = strrchr(tail->path, '/') + 1;
    tail->changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    tail->folder = tail->changes < 0 ? -1 : watch_folder(tail);
    int32_t error = tail->folder < 0 ? errno : take_file(tail);
    if (!error) {
        if (tail->file >= 0 && !from_start) tail->place = tail->is.size;
        *result = tail;
        return tail->changes;
    }
    if (tail->changes >= 0) (void)close(tail->changes);
    sgk_shim_tail_close(tail);
    return -error;
}

void sgk_shim_tail_close(sgk_shim_tail *tail) {
    if (tail && tail->file >= 0) (void)close(tail->file);
    free(tail);
}

int64_t sgk_shim_tail_read(sgk_shim_tail *tail, void *to, size_t size) {
    /* The changes only say that it is time to look. So it does not matter if some are lost. */
    (void)sgk_shim_fd_read(tail->changes, to, size);
    for (;;) {
        /* It looks before it reads. So it reads all that the old file contains when another one has the name. */
        facts seen;
        bool is_there = look_at(AT_FDCWD, tail->path, 0, &seen), is_same = is_there && is_open_file(tail, &seen);
        ssize_t count = 0;
        while (tail->file >= 0 && (count = pread(tail->file, to, size, tail->place)) < 0)
            if (errno != EINTR) return -errno;
        if (count > 0) {
            tail->place += count;
            tail->is_in_line = ((const char *)to)[count - 1] != '\n';
            return count;
        }
        if (is_same) {
            if (seen.size >= tail->place) return -EAGAIN;
            tail->place = 0;
        } else if (watch_folder(tail) != tail->folder) {
            return 0;
        } else if (is_there) {
            int32_t error = take_file(tail);
            if (error) return -error;
        } else if (tail->file < 0 || !look_at(tail->file, "", AT_EMPTY_PATH, &seen) || seen.names > 0) {
            return -EAGAIN;
        } else {
            drop_file(tail); /* an open file would keep the deletion of the folder from being told */
        }
        if (tail->is_in_line) {
            tail->is_in_line = false;
            *(char *)to = '\n';
            return 1;
        }
    }
}
#endif
