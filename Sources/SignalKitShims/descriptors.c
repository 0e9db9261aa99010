/* Descriptors, as far as POSIX knows them. */
#include "shims/descriptors.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int32_t sgk_shim_fd_duplicate(int32_t fd) {
    int made = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return made < 0 ? -errno : made;
}

void sgk_shim_fd_close(int32_t fd) { (void)close(fd); }

/* ---- The users of numbers ---- */

static uint8_t *users; /* by number */
static size_t users_room;

void sgk_shim_fd_lend(int32_t fd) {
    size_t number = (size_t)fd;
    if (number >= users_room) {
        size_t room = 2 * number + 64;
        uint8_t *moved = realloc(users, room);
        if (!moved) return; /* all users are refused then */
        users = moved;
        while (users_room < room) users[users_room++] = 0;
    }
    users[number] = SGK_SHIM_OWN;
}

bool sgk_shim_fd_borrow(int32_t fd, uint32_t part) {
    size_t number = (size_t)fd;
    if (number >= users_room || !(users[number] & SGK_SHIM_OWN) || users[number] & part) return false;
    users[number] |= (uint8_t)part;
    return true;
}

bool sgk_shim_fd_give_back(int32_t fd, uint32_t part) {
    size_t number = (size_t)fd;
    /* Not lent, because memory was short. Or the parent's, of which the owner closes this process' copy. */
    if (number >= users_room || !(users[number] & part)) return part == SGK_SHIM_OWN;
    users[number] &= (uint8_t)~part;
    return users[number] == 0;
}

/* (Another thread of the parent may have been about to move them.) */
void sgk_shim_fd_forget(void) {
    users = NULL;
    users_room = 0;
}

/* ---- Reading and writing ---- */

/* Reports whether a call would not block. */
static bool is_ready(int fd, short events) {
    struct pollfd asked = {fd, events, 0};
    int count;
    while ((count = poll(&asked, 1, 0)) < 0 && errno == EINTR) {}
    return count != 0;
}

int64_t sgk_shim_fd_read(int32_t fd, void *to, size_t size) {
    if (!is_ready(fd, POLLIN)) return -EAGAIN;
    ssize_t count;
    while ((count = read(fd, to, size)) < 0 && errno == EINTR) {}
    if (count >= 0) return count;
    int error = errno;
    return error == EIO && isatty(fd) ? 0 : error == EWOULDBLOCK ? -EAGAIN : -error;
}

/* A write that raises SIGPIPE in this thread, where that is blocked, and takes it back. */
static ssize_t write_quietly(int fd, const void *from, size_t size) {
    sigset_t pipe, before, pending;
    (void)sigemptyset(&pipe);
    (void)sigaddset(&pipe, SIGPIPE);
    (void)sigemptyset(&pending);
    (void)pthread_sigmask(SIG_BLOCK, &pipe, &before);
    (void)sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    ssize_t count = write(fd, from, size);
    int error = errno, taken;
    if (count < 0 && error == EPIPE && !was_pending) {
        (void)sigpending(&pending); /* it is not, where the program ignores it */
        if (sigismember(&pending, SIGPIPE) == 1) (void)sigwait(&pipe, &taken);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return count;
}

#ifdef PIPE_BUF
enum { AT_ONCE = PIPE_BUF };
#else
enum { AT_ONCE = _POSIX_PIPE_BUF };
#endif

/* A send to a socket can be non-blocking. For another descriptor in blocking mode, only the atomic size of a pipe write
 * is known to be accepted. */
static ssize_t write_now(int fd, const void *from, size_t size) {
#if defined(MSG_DONTWAIT) && defined(MSG_NOSIGNAL)
    ssize_t sent = send(fd, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0 || errno != ENOTSOCK) return sent;
#endif
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && !(flags & O_NONBLOCK)) {
        if (!is_ready(fd, POLLOUT)) return errno = EAGAIN, -1;
        if (size > AT_ONCE) size = AT_ONCE;
    }
    return write_quietly(fd, from, size);
}

int64_t sgk_shim_fd_write(int32_t fd, const void *from, size_t size) {
    ssize_t count;
    while ((count = write_now(fd, from, size)) < 0 && errno == EINTR) {}
    if (count >= 0) return count;
    return errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

bool sgk_shim_fd_may_wait(int32_t fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && !(flags & O_NONBLOCK) && isatty(fd);
}

int32_t sgk_shim_fd_error(int32_t fd) {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0) return error;
    return errno == ENOTSOCK ? EPIPE : errno;
}

int32_t sgk_shim_signal_is_blocked(int32_t signal) {
    sigset_t blocked;
    (void)sigemptyset(&blocked);
    (void)pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    sigset_t any = blocked;
    if (sigaddset(&any, signal) != 0) return -EINVAL; /* musl reports an invalid signal as not blocked */
    return sigismember(&blocked, signal);
}
