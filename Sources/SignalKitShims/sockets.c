/* Sockets: connections, which are accepted or opened without waiting, and datagrams. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* accept4, POLLRDHUP */
#endif

#include "shims/descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* The events that would not block. */
static short ready(int fd, short events) {
    struct pollfd asked = {fd, events, 0};
    return poll(&asked, 1, 0) > 0 ? asked.revents : 0;
}

/* An option of a socket, or an error. */
__attribute__((noinline)) static int option(int fd, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : -errno;
}

/* ---- Connections ---- */

#ifdef SGK_SYSTEM_IS_POSIX
static int prepared(int fd) {
    if (fd < 0 || (fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0)) return fd;
    int error = errno;
    (void)close(fd);
    return errno = error, -1;
}
static int accept_one(int fd) { return prepared(accept(fd, NULL, NULL)); }
static int open_socket(int family) { return prepared(socket(family, SOCK_STREAM, 0)); }
#else
static int accept_one(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
static int open_socket(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }
#endif

/* Returns a negative number: SGK_SHIM_AGAIN if only a connection has failed, SGK_SHIM_NO_ROOM if the system has no room
 * for it, otherwise the error. */
static int32_t error_of_accept(int error) {
    switch (error) {
    case EINTR:
    case EAGAIN:
    case ECONNABORTED:
    case EPERM:
    case EPROTO:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENOPROTOOPT:
#ifdef EHOSTDOWN
    case EHOSTDOWN:
#endif
#ifdef ENONET
    case ENONET:
#endif
        return -SGK_SHIM_AGAIN;
    case EMFILE:
    case ENFILE:
    case ENOMEM: return -SGK_SHIM_NO_ROOM;
    default: return error == EWOULDBLOCK ? -SGK_SHIM_AGAIN : -error;
    }
}

int32_t sgk_shim_socket_listener(int32_t fd) {
    int listens = option(fd, SO_ACCEPTCONN);
    return listens > 0 ? sgk_shim_fd_duplicate(fd) : listens < 0 ? listens : -EINVAL;
}

int32_t sgk_shim_socket_accept(int32_t fd) {
    if (!ready(fd, POLLIN)) return -SGK_SHIM_AGAIN;
    int made = accept_one(fd);
    return made < 0 ? error_of_accept(errno) : made;
}

int32_t sgk_shim_socket_connect(const void *address, size_t size) {
    sa_family_t family;
    memcpy(&family, (const char *)address + offsetof(struct sockaddr, sa_family), sizeof family);
    int made = open_socket(family);
    if (made < 0 || connect(made, address, (socklen_t)size) == 0) return made < 0 ? -errno : made;
    int error = errno;
    if (error == EINPROGRESS || error == EINTR) return made;
    (void)close(made);
    return -error;
}

/* ---- Datagrams ---- */

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SIGPIPE is for sockets of streams */
#endif
#ifndef POLLRDHUP
#define POLLRDHUP POLLHUP
#endif

static bool is_to_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

bool sgk_shim_socket_has_datagrams(int32_t fd) {
    int type = option(fd, SO_TYPE);
    return type >= 0 && type != SOCK_STREAM;
}

int32_t sgk_shim_socket_of_datagrams(int32_t fd) {
    int type = option(fd, SO_TYPE);
    return type < 0 ? type : type == SOCK_STREAM ? -EINVAL : sgk_shim_fd_duplicate(fd);
}

int64_t sgk_shim_socket_receive(int32_t fd, void *to, size_t size) {
    sgk_shim_received *received = to;
    struct iovec data = {received + 1, size - sizeof *received};
    struct msghdr message = {
        .msg_name = received->address, .msg_namelen = sizeof received->address, .msg_iov = &data, .msg_iovlen = 1};
    bool is_over = false;
    ssize_t count;
    while ((count = recvmsg(fd, &message, MSG_DONTWAIT)) < 0) {
        if (errno == EINTR) continue;
        if (!is_to_wait(errno)) return -errno;
        if (is_over) return 0;
        /* After a shutdown the socket is always ready. Only earlier datagrams follow. */
        if (!(ready(fd, POLLIN | POLLRDHUP) & (POLLRDHUP | POLLHUP))) return -SGK_SHIM_AGAIN;
        is_over = true;
    }
    if (message.msg_flags & MSG_TRUNC) return -SGK_SHIM_TOO_LONG;
    if (count == 0 && option(fd, SO_TYPE) == SOCK_SEQPACKET) return 0;
    received->size = message.msg_namelen < SGK_SHIM_ADDRESS ? message.msg_namelen : SGK_SHIM_ADDRESS;
    return (int64_t)sizeof *received + count;
}

void sgk_shim_datagram_begin(void *to, size_t address, size_t data) {
    const size_t sizes[] = {address, data};
    memcpy(to, sizes, sizeof sizes);
}

int64_t sgk_shim_socket_send(int32_t fd, const void *from, size_t size) {
    size_t sizes[2];
    memcpy(sizes, from, sizeof sizes);
    const char *address = (const char *)from + sizeof sizes;
    (void)size;
    for (int retries = 0;;) {
        ssize_t sent = sendto(fd, address + sizes[0], sizes[1], MSG_DONTWAIT | MSG_NOSIGNAL,
            sizes[0] > 0 ? (const void *)address : NULL, (socklen_t)sizes[0]);
        if (sent >= 0) return (int64_t)(sizeof sizes + sizes[0] + sizes[1]);
        if (errno == EINTR) continue;
        if (!is_to_wait(errno)) return -errno;
        /* The socket is ready although the receiver is not: that one has another address than the socket's peer. */
        if (!ready(fd, POLLOUT)) return -SGK_SHIM_AGAIN;
        if (retries++ > 0) return -SGK_SHIM_NO_ROOM;
    }
}
