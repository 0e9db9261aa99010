/* Calls of the system and the C library that fail on request, if the library makes them, not the program. Each replaces
 * the C library's function of the same name (faults.c). */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, the function that the program calls). Events differ from other descriptors: they have no file type. */
/* clang-format off */
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
/* clang-format on */

typedef enum call {
#define CALL(name, text) name,
    CALL_MAP(CALL)
#undef CALL
        CALLS
} call;

extern const char *const call_names[CALLS];

/* From now on, `count` calls of a kind fail with that error, starting with the `first`. With `is_bounded`, memory does
 * not fail completely: the amount that is freed can be allocated again. */
typedef struct fault {
    call call;
    int error;
    int64_t first, count;
    bool is_bounded;
} fault;

void begin_fault(fault fault);
int64_t end_fault(void); /* how many calls have failed */

/* Returns the number of memory blocks that the library has allocated. */
int64_t blocks_in_use(void);

#endif
