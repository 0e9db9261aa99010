/* Connections of stream sockets, which are accepted or opened without waiting. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* accept4 */
#endif

#include "shims/descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

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
    int listens = 0;
    socklen_t size = sizeof listens;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) return -errno;
    return listens ? sgk_shim_fd_duplicate(fd) : -EINVAL;
}

int32_t sgk_shim_socket_accept(int32_t fd) {
    struct pollfd asked = {fd, POLLIN, 0};
    if (poll(&asked, 1, 0) == 0) return -SGK_SHIM_AGAIN;
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
