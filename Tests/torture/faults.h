/* Calls of the system's and the C library's that fail when they are told to: those that the library makes, not those of
 * the program. Each stands before the C library's own, with the same name (faults.c). */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, what the program calls it). Events are told apart from other descriptors: they have no file type. */
#define CALL_MAP(X) \
    X(ALLOCATION, "allocation") X(THREAD, "pthread_create") X(EVENTFD, "eventfd") X(RAISE, "write, of an eventfd") \
    X(CLEAR, "read, of what is no file") X(EPOLL_CREATE, "epoll_create1") X(EPOLL_CTL, "epoll_ctl") \
    X(EPOLL_WAIT, "epoll_wait") X(POLL, "poll") X(READ, "read") X(WRITE, "write") X(SEND, "send") \
    X(RECV, "recv") \
    X(FCNTL, "fcntl") X(DUP2, "dup2") X(CLOSE, "close") X(SIGNALFD, "signalfd") X(PIDFD, "pidfd_open") \
    X(WAITID, "waitid") X(INOTIFY, "inotify_init1") X(INOTIFY_ADD, "inotify_add_watch") \
    X(FUTEX_WAITS, "futex, to wait") \
    X(SOCKET, "socket") X(BIND, "bind") X(LISTEN, "listen") X(ACCEPT, "accept4") X(CHMOD, "chmod") \
    X(STATX, "statx") \
    X(OPEN, "open") X(OPENDIR, "opendir") X(ROBUST_LIST, "get_robust_list") X(AFFINITY, "sched_getaffinity") \
    X(KEY, "pthread_key_create") X(SPECIFIC, "pthread_setspecific") X(MAPPING, "mmap")

typedef enum call {
#define CALL(name, text) name,
    CALL_MAP(CALL)
#undef CALL
    CALLS
} call;

extern const char *const call_names[CALLS];

/* From now on fails, with that error, what is the `first` call of its kind and as many as `count` from there. With
 * `is_bounded` memory is not refused altogether from then on: as much can be had as is given back. */
typedef struct fault {
    call call;
    int error;
    int64_t first, count;
    bool is_bounded;
} fault;

void begin_fault(fault fault);
int64_t end_fault(void); /* how many calls have failed */

/* How many blocks of memory are in use that the library has asked for. */
int64_t blocks_in_use(void);

#endif
