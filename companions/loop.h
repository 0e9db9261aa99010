/* A thread that owns objects for a single thread. It is a custom queue, whose loop also polls a descriptor.
 *
 * Only this thread calls the driver, and so the client library. It exits after its present work. So nothing is
 * destroyed inside a callback, independent of the thread of the last release. sgk_drain waits for the exit. */
#ifndef COMPANION_LOOP_H
#define COMPANION_LOOP_H

#include "common.h"

#include <poll.h>
#include <pthread.h>

/* The functions that the loop calls with the client on its thread. */
typedef struct companion_driver {
    const char *name; /* the thread's */
    /* Before each wait: what to wait for, and for how many milliseconds at most (-1: no matter how long). */
    int (*prepare)(void *client, struct pollfd *descriptor);
    void (*step)(void *client, short events); /* After it, and after the queue's work. */
    void (*close)(void *client);              /* In the end: the client goes. */
} companion_driver;

typedef struct companion_work companion_work;

typedef struct companion_loop {
    const companion_driver *driver;
    void *client;
    sgk_queue *queue;
    pthread_t thread;
    uint32_t process;      /* that it was made in: elsewhere it has no thread, and nothing is put */
    int event;             /* raised when there is work, or the end */
    atomic_int references; /* the owner's, and the queue's table's */
    pthread_mutex_t lock;
    companion_work *first, **last; /* under the lock */
    atomic_bool is_ended;          /* changed under the lock: new work is rejected */
} companion_loop;

/* Starts the thread. NULL when the system refuses; the client is the caller's then. */
companion_loop *companion_loop_create(const companion_driver *driver, void *client);

/* Records that the system cannot create a loop, and returns NULL. */
static inline void *companion_loop_refused(const char *function) {
    return companion_refused(
        SGK_ERROR_SYSTEM, function, "thread", "the system cannot create a thread, or memory ran out");
}

/* Lets sgk_drain wait for the present work of the loop's thread and for its pending work. */
void companion_loop_be_awaited(companion_loop *loop);

/* Runs work that may release objects on the loop's thread. sgk_drain waits for that, too. The object that is released
 * may be the only one that retains the loop. */
void companion_loop_let_go(companion_loop *loop, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/* Ends the loop, which then closes the client. Call it on any thread after the last use of the client. */
void companion_loop_end(companion_loop *loop);

/* Like COMPANION_HANDLE, for a client with a loop: after a release, sgk_drain waits for the loop's present work. */
#define COMPANION_LOOP_HANDLE(type, kind) \
    type *type##_retain(type *handle) { \
        if (handle && companion_needs(handle, kind, __func__, "handle")) companion_retain(handle); \
        return handle; \
    } \
    void type##_release(type *handle) { \
        if (!handle || !companion_needs(handle, kind, __func__, "handle")) return; \
        companion_loop_be_awaited(handle->loop); \
        companion_release(handle); \
    }

#endif
