/* Descriptors of the program's: to read, write and wait for. Numbers of errors are those of errno; a result that may be
 * one is negative then. None of it sends SIGPIPE, or ends with EINTR. */
#ifndef SIGNALKIT_SHIMS_DESCRIPTORS_H
#define SIGNALKIT_SHIMS_DESCRIPTORS_H

#include "system.h"

#include <errno.h>
#include <string.h>

/* (Macros of the system's that Swift does not see everywhere.) */
enum {
    SGK_SHIM_AGAIN = EAGAIN,
    SGK_SHIM_NOT_TO_BE_WATCHED = EPERM,
    SGK_SHIM_TOO_LONG = EMSGSIZE,
    SGK_SHIM_NO_ROOM = ENOBUFS,
    SGK_SHIM_NO_MEMORY = ENOMEM,
    SGK_SHIM_NOT_SUPPORTED = ENOTSUP,
    SGK_SHIM_INVALID = EINVAL,
    SGK_SHIM_UNREAD = EPIPE,
};

/* The call that failed, if another one than the function's usual one: added to an error. */
enum {
    SGK_SHIM_IN_PIPE = 1 << 16,
    SGK_SHIM_IN_PIDFD = 2 << 16,
    SGK_SHIM_IN_WAIT = 3 << 16,
    SGK_SHIM_IN_THREAD = 4 << 16,
    SGK_SHIM_IN_SET = 5 << 16,
};

/* The readiness of a descriptor. Errors and hang-ups are always reported. */
enum { SGK_SHIM_READ = 1, SGK_SHIM_WRITE = 2, SGK_SHIM_HANG_UP = 4, SGK_SHIM_FAULT = 8, SGK_SHIM_OWN = 16 };

typedef struct sgk_shim_ready {
    uint64_t key;
    uint32_t events;
} sgk_shim_ready;

#define SGK_DESCRIPTORS __attribute__((visibility("hidden")))

/* ---- POSIX ---- */

/* Another descriptor of the same, not inherited by programs. */
SGK_DESCRIPTORS int32_t sgk_shim_fd_duplicate(int32_t fd);
SGK_DESCRIPTORS void sgk_shim_fd_close(int32_t fd);

/* The users of a number: its owner, and at most one each that reads and writes. _lend: called by the owner, which has
 * opened it. _borrow: false if it was not lent, or if it has such a user. _give_back: whether the caller must close it,
 * because it has no more users. _forget: in the child of a fork. Do not call them at the same time. */
SGK_DESCRIPTORS void sgk_shim_fd_lend(int32_t fd);
SGK_DESCRIPTORS bool sgk_shim_fd_borrow(int32_t fd, uint32_t part);
SGK_DESCRIPTORS bool sgk_shim_fd_give_back(int32_t fd, uint32_t part);
SGK_DESCRIPTORS void sgk_shim_fd_forget(void);

/* Reads the available data without waiting for more. 0 is the end. A terminal whose other side is closed is not an
   error. */
SGK_DESCRIPTORS int64_t sgk_shim_fd_read(int32_t fd, void *to, size_t size);

/* Writes as much as fits without waiting, also if the descriptor is in blocking mode. */
SGK_DESCRIPTORS int64_t sgk_shim_fd_write(int32_t fd, const void *from, size_t size);

/* Reports whether that write can block nevertheless. A terminal in blocking mode accepts a part and then blocks the
 * writer until the rest fits. */
SGK_DESCRIPTORS bool sgk_shim_fd_may_wait(int32_t fd);

/* Returns and clears the pending error of a descriptor, EPIPE if nobody reads the written data, or 0. */
SGK_DESCRIPTORS int32_t sgk_shim_fd_error(int32_t fd);

/* Another descriptor of a socket that listens; SGK_SHIM_INVALID if it does not. */
SGK_DESCRIPTORS int32_t sgk_shim_socket_listener(int32_t fd);

/* Accepts a connection of a socket that listens, without waiting. SGK_SHIM_AGAIN: there is none, or it has failed.
 * SGK_SHIM_NO_ROOM: the system has no descriptor or no memory for it. */
SGK_DESCRIPTORS int32_t sgk_shim_socket_accept(int32_t fd);

/* Opens a socket, which is writable when it is connected, or has an error. An address has from 2 to SGK_SHIM_ADDRESS
 * bytes. */
enum { SGK_SHIM_ADDRESS = 128 };
SGK_DESCRIPTORS int32_t sgk_shim_socket_connect(const void *address, size_t size);

/* Reports whether it is a socket that keeps the boundaries of messages. */
SGK_DESCRIPTORS bool sgk_shim_socket_has_datagrams(int32_t fd);

/* Another descriptor of such a socket; SGK_SHIM_INVALID if it is a socket for streams. */
SGK_DESCRIPTORS int32_t sgk_shim_socket_of_datagrams(int32_t fd);

/* A received datagram; its data follows. */
typedef struct sgk_shim_received {
    size_t size; /* of the address */
    unsigned char address[SGK_SHIM_ADDRESS];
} sgk_shim_received;

/* Receives a datagram without waiting. Returns the number of bytes, with those of sgk_shim_received; 0: there will be
 * no more. SGK_SHIM_TOO_LONG: the datagram did not fit, and is lost. */
SGK_DESCRIPTORS int64_t sgk_shim_socket_receive(int32_t fd, void *to, size_t size);

/* A datagram to send: the sizes of both parts, the address, the data. */
enum { SGK_SHIM_HEAD = 2 * sizeof(size_t) };
SGK_DESCRIPTORS void sgk_shim_datagram_begin(void *to, size_t address, size_t data);

/* Sends the first datagram without waiting. Returns the number of its bytes, with those of both sizes.
 * SGK_SHIM_NO_ROOM: the system has no room for it, but will not report when it has. */
SGK_DESCRIPTORS int64_t sgk_shim_socket_send(int32_t fd, const void *from, size_t size);

/* Returns the index of the first newline in `size` bytes, or -1 if there is none. */
static inline int64_t sgk_shim_newline(const void *bytes, size_t size) {
    const char *found = memchr(bytes, '\n', size);
    return found == NULL ? -1 : found - (const char *)bytes;
}

/* Returns the text of an error. */
static inline const char *sgk_shim_error_text(int32_t error) { return strerror(error); }

/* Reports whether the calling thread blocks a signal. Returns an error if the signal does not exist. */
SGK_DESCRIPTORS int32_t sgk_shim_signal_is_blocked(int32_t signal);

/* ---- A set of descriptors, for which one thread waits. epoll, or POSIX's poll (which has one set) ---- */

SGK_DESCRIPTORS int32_t sgk_shim_watch_make(void);
SGK_DESCRIPTORS void sgk_shim_watch_forget(int32_t set); /* in the child of a fork, whose parent still uses it */

/* Tells once, with the key, what a descriptor is ready for; `again` if it is in the set already. A number may be in it
 * twice: for SGK_SHIM_WRITE alone, and for SGK_SHIM_READ. 0 or an error: SGK_SHIM_NOT_TO_BE_WATCHED for one that is
 * always ready, as files are. */
SGK_DESCRIPTORS int32_t sgk_shim_watch_set(int32_t set, int32_t fd, uint32_t events, uint64_t key, bool again);
SGK_DESCRIPTORS void sgk_shim_watch_remove(int32_t set, int32_t fd, uint32_t events);

/* Waits until there is something to tell, perhaps. */
SGK_DESCRIPTORS void sgk_shim_watch_wait(int32_t set);

/* Returns the next ready descriptor; false if there is none. Do not call it while the set is changed. */
SGK_DESCRIPTORS bool sgk_shim_watch_take(int32_t set, sgk_shim_ready *ready);

/* ---- Descriptors for events without one. SGK_SHIM_NOT_SUPPORTED except on Linux ---- */

/* One that reads the signals of that number, which are blocked; the next of them, or an error. */
SGK_DESCRIPTORS int32_t sgk_shim_signal_open(int32_t signal);
SGK_DESCRIPTORS int32_t sgk_shim_signal_next(int32_t fd, int32_t *signal);

/* Whether all threads of the process block one, as far as that can be seen. */
SGK_DESCRIPTORS bool sgk_shim_signal_is_blocked_everywhere(int32_t signal);

/* Until `_leave` was called as often, a thread that does not block a signal passes it on to the readers of the signal,
 * and the program continues. The main thread of an asynchronous Swift program blocks no signal while it is idle. This
 * exists only in the Swift package. It has no effect if the program has its own handler. */
SGK_DESCRIPTORS void sgk_shim_signal_pass_on(int32_t signal);
SGK_DESCRIPTORS void sgk_shim_signal_leave(int32_t signal);

/* One that is readable when a child has ended. How it has (0 to 255, or, less than 0, the signal that has ended it), or
 * an error: SGK_SHIM_AGAIN if it has not. */
SGK_DESCRIPTORS int32_t sgk_shim_child_open(int32_t pid);
SGK_DESCRIPTORS int32_t sgk_shim_child_status(int32_t pid, int32_t *status);

/* A program that a subscription has started. */
typedef struct sgk_shim_process sgk_shim_process;
enum { SGK_SHIM_OUTPUT = 1, SGK_SHIM_ERRORS = 2, SGK_SHIM_TERMINATES = 16, SGK_SHIM_OWN_GROUP = 32 };

/* Starts a program, with pipes for the streams in `options` and perhaps for its input. Returns a descriptor that is
 * readable when the program has ended, or an error. _stream: the library's end of a pipe, or -1. _take_input: that of
 * the program's input, which the caller closes. */
SGK_DESCRIPTORS int32_t sgk_shim_process_start(
    const char *const *arguments, bool has_input, uint32_t options, sgk_shim_process **process);
SGK_DESCRIPTORS int32_t sgk_shim_process_stream(const sgk_shim_process *process, int32_t stream);
SGK_DESCRIPTORS int32_t sgk_shim_process_take_input(sgk_shim_process *process);

/* Like sgk_shim_child_status. _is_over: whether the process was reaped. _stop: ends it unless it was. _wait: reaps it
 * when it has ended, which is soon after SIGKILL; not after SIGTERM. */
SGK_DESCRIPTORS int32_t sgk_shim_process_status(sgk_shim_process *process, int32_t *status);
SGK_DESCRIPTORS bool sgk_shim_process_is_over(sgk_shim_process *process);
SGK_DESCRIPTORS void sgk_shim_process_stop(sgk_shim_process *process);
SGK_DESCRIPTORS void sgk_shim_process_wait(sgk_shim_process *process);
SGK_DESCRIPTORS void sgk_shim_process_free(sgk_shim_process *process);

/* One that is readable when the wall clock has reached a time, in seconds since 1970, and whether it has: 0, or an
 * error, SGK_SHIM_AGAIN if it has not. */
SGK_DESCRIPTORS int32_t sgk_shim_wall_clock_open(double unix_time);
SGK_DESCRIPTORS int32_t sgk_shim_wall_clock_came(int32_t fd);

/* Writes the path with all its folders into PATH_MAX bytes, because the program may leave its folder. Returns the
 * length, or an error. */
SGK_DESCRIPTORS int32_t sgk_shim_absolute_path(const char *path, char *absolute);

/* The changes at a path, and with SGK_SHIM_BELOW in all folders below it. Returns a descriptor that reads it, or an
 * error. */
typedef struct sgk_shim_changes sgk_shim_changes;
enum { SGK_SHIM_BELOW = 0x8000000 };
SGK_DESCRIPTORS int32_t sgk_shim_changes_open(const char *path, uint32_t mask, sgk_shim_changes **changes);
SGK_DESCRIPTORS void sgk_shim_changes_free(sgk_shim_changes *changes);

/* A change, valid until the next one. */
typedef struct sgk_shim_change {
    uint32_t mask, cookie; /* a mask of 0: nothing to report */
    const char *name;      /* with a NUL behind */
    size_t length, size;
    int32_t error;
    bool is_last;
} sgk_shim_change;

/* _at: the change in the data that was read. The next one begins `size` bytes later. _found: files that a new folder
 * contained before it was watched, to be reported after the change; false: no more. */
SGK_DESCRIPTORS sgk_shim_change sgk_shim_changes_at(sgk_shim_changes *changes, const void *bytes);
SGK_DESCRIPTORS bool sgk_shim_changes_found(sgk_shim_changes *changes, sgk_shim_change *change);

/* A file that is followed by its name. Returns a descriptor that is readable after changes, or an error. */
typedef struct sgk_shim_tail sgk_shim_tail;
SGK_DESCRIPTORS int32_t sgk_shim_tail_open(const char *path, bool from_start, sgk_shim_tail **tail);
SGK_DESCRIPTORS void sgk_shim_tail_close(sgk_shim_tail *tail);

/* Reads what follows. At the end of a file it adds the newline that is missing. 0: the folder is gone; SGK_SHIM_AGAIN:
   no more until the descriptor is readable. */
SGK_DESCRIPTORS int64_t sgk_shim_tail_read(sgk_shim_tail *tail, void *to, size_t size);

#endif
