/* A thread that owns what must not be used by several: a queue like any other, whose loop polls a descriptor as well.
 *
 * The thread is the only one that calls the driver, and by that the client's library. It ends itself, after the work
 * that it is in: so nothing is torn down inside of a callback, whoever lets go last. sgk_drain waits for that. */
#ifndef COMPANION_LOOP_H
#define COMPANION_LOOP_H

#include "common.h"

#include <poll.h>
#include <pthread.h>

/* What the loop calls, with the client, on its thread. */
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
    uint32_t process; /* that it was made in: elsewhere it has no thread, and nothing is put */
    int event; /* raised when there is work, or the end */
    atomic_int references; /* the owner's, and the queue's table's */
    pthread_mutex_t lock;
    companion_work *first, **last; /* under the lock */
    atomic_bool is_ended;          /* changed under the lock: nothing is taken in any more */
} companion_loop;

/* Starts the thread. NULL when the system refuses; the client is the caller's then. */
companion_loop *companion_loop_create(const companion_driver *driver, void *client);

/* What a function returns that makes a client with a loop, when the system refuses. */
static inline void *companion_loop_refused(const char *function) {
    return companion_refused(
        SGK_ERROR_SYSTEM, function, "thread", "the system cannot create a thread, or memory ran out");
}

/* Lets sgk_drain wait for what the loop's thread is at, and for the work that has been put. */
void companion_loop_be_awaited(companion_loop *loop);

/* Runs what may let go of something on the loop's thread; sgk_drain waits for that, too. The caller may hold the loop
 * by that something alone. */
void companion_loop_let_go(companion_loop *loop, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/* To be called when nobody uses the client any more, on any thread: the loop ends, and closes it. */
void companion_loop_end(companion_loop *loop);

/* As COMPANION_HANDLE, for a client that has a loop: who has released it, and drains, waits for what it is at. */
#define COMPANION_LOOP_HANDLE(type, kind)                                                           \
    type *type##_retain(type *handle) {                                                             \
        if (handle && companion_needs(handle, kind, __func__, "handle")) companion_retain(handle);  \
        return handle;                                                                              \
    }                                                                                               \
    void type##_release(type *handle) {                                                             \
        if (!handle || !companion_needs(handle, kind, __func__, "handle")) return;                  \
        companion_loop_be_awaited(handle->loop);                                                    \
        companion_release(handle);                                                                  \
    }

#endif
