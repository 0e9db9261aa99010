/* Descriptors in Linux' own ways: epoll, signalfd, pidfd, inotify. */
#include "shims/descriptors.h"

#ifndef SGK_SYSTEM_IS_POSIX
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int32_t made(int fd) { return fd < 0 ? -errno : fd; }

/* ---- The set ---- */

int32_t sgk_shim_watch_make(void) { return made(epoll_create1(EPOLL_CLOEXEC)); }
void sgk_shim_watch_forget(int32_t set) { (void)close(set); }

int32_t sgk_shim_watch_set(int32_t set, int32_t fd, uint32_t events, uint64_t key, bool again) {
    struct epoll_event event = {EPOLLONESHOT, {.u64 = key}};
    if (events & SGK_SHIM_READ) event.events |= EPOLLIN;
    if (events & SGK_SHIM_WRITE) event.events |= EPOLLOUT;
    return epoll_ctl(set, again ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

void sgk_shim_watch_remove(int32_t set, int32_t fd) {
    struct epoll_event event = {0, {.u64 = 0}}; /* not looked at */
    (void)epoll_ctl(set, EPOLL_CTL_DEL, fd, &event);
}

int32_t sgk_shim_watch_wait(int32_t set, sgk_shim_ready *ready, int32_t room) {
    enum { MOST = 64 };
    struct epoll_event events[MOST];
    int count;
    while ((count = epoll_wait(set, events, room < MOST ? room : MOST, -1)) < 0 && errno == EINTR) {}
    for (int i = 0; i < count; i++) {
        uint32_t seen = events[i].events;
        ready[i].key = events[i].data.u64;
        ready[i].events = (seen & EPOLLIN ? SGK_SHIM_READ : 0) | (seen & EPOLLOUT ? SGK_SHIM_WRITE : 0) |
                          (seen & EPOLLHUP ? SGK_SHIM_HANG_UP : 0) | (seen & EPOLLERR ? SGK_SHIM_ERROR : 0);
    }
    return count < 0 ? 0 : count;
}

/* ---- Signals ---- */

int32_t sgk_shim_signal_open(int32_t signal) {
    sigset_t wanted;
    (void)sigemptyset(&wanted);
    if (sigaddset(&wanted, signal) != 0) return -errno;
    return made(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
}

int32_t sgk_shim_signal_next(int32_t fd) {
    struct signalfd_siginfo info;
    int64_t size = sgk_shim_fd_read(fd, &info, sizeof info);
    return size < 0 ? (int32_t)size : (int32_t)info.ssi_signo;
}

/* ---- Children ---- */

/* (Older headers do not know them.) */
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

int32_t sgk_shim_child_open(int32_t pid) { return made((int)syscall(SYS_pidfd_open, pid, 0)); }

/* Of this process alone: that of another child waits for whoever asks for it. */
int32_t sgk_shim_child_status(int32_t pid, int32_t *status) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG) != 0)
        if (errno != EINTR) return errno;
    if (info.si_pid == 0) return EAGAIN;
    *status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
    return 0;
}

/* ---- Files ---- */

int32_t sgk_shim_changes_open(const char *path, uint32_t mask) {
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (fd < 0 || inotify_add_watch(fd, path, mask) >= 0) return made(fd);
    int error = errno;
    (void)close(fd);
    return -error;
}

sgk_shim_change sgk_shim_change_at(const void *bytes) {
    const struct inotify_event *event = bytes;
    size_t length = event->len > 0 ? strnlen(event->name, event->len) : 0;
    return (sgk_shim_change){event->mask & ~(uint32_t)(IN_IGNORED | IN_UNMOUNT | IN_Q_OVERFLOW), event->cookie,
        length > 0 ? event->name : "", length, sizeof *event + event->len, (event->mask & IN_IGNORED) != 0,
        (event->mask & IN_Q_OVERFLOW) != 0};
}
#endif
