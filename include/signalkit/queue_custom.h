/** @file
 * Queues whose work runs on the program's event loop. examples/c/loops has adapters to GLib, libuv, libev and epoll.
 *
 * Include this header by name: signalkit.h does not include it.
 * @since 1.0
 */
#ifndef SIGNALKIT_QUEUE_CUSTOM_H
#define SIGNALKIT_QUEUE_CUSTOM_H

#include "queue.h"

SGK_BEGIN

/** Receives from a loop the events for which a descriptor is ready.
 *
 * @param events  SGK_FD_READ, SGK_FD_WRITE and SGK_FD_HANGUP of descriptors.h. A pending error counts as the requested
 *                events.
 */
typedef void (*sgk_ready_fn)(void *context, uint32_t events);

/** The functions through which a queue runs its work on a loop. `dispatch` is required. Each other field describes the
 * meaning of NULL.
 *
 * Each function receives the `context` of the queue. `dispatch` and `after` follow the rules of sgk_queue_dispatch:
 * `work(work_context)` runs at most once. `destroy(work_context)` runs exactly once: after the work, or without it if
 * the loop has ended. Both functions are never NULL. In this way no work is lost silently: a waiting sgk_queue_sync
 * returns an error, and sgk_queue_dropped counts the work.
 *
 * A loop that cannot accept the work returns a negative status. It may call `destroy` before it returns, but not
 * afterwards. If the loop has not called it, the library does.
 *
 * Thread: any thread, until `release` is called, unless the comment of the field names another.
 */
typedef struct sgk_queue_table {
    size_t size; /**< sizeof(sgk_queue_table) */
    /** Runs the work later on the loop, never inline: in the order of the calls, one at a time. After SGK_OK the loop
     * calls `destroy`. After a negative status the work is rejected, and sgk_queue_dispatch returns SGK_ERROR_ENDED.
     *
     * The work is a turn: it runs the jobs that are pending when it begins, at most 1,000. The library calls `dispatch`
     * for the first pending job, and again only after the turn has begun or was destroyed. If the loop ends inside the
     * turn, it may call `destroy` there. Then the other jobs of the turn are destroyed without running. */
    sgk_status (*dispatch)(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy);
    /** Reports whether the caller runs on the loop's thread, where work may run inline. NULL: the queue is current only
     * inside its own work. */
    bool (*is_current)(void *context);
    /** Runs the work on the loop after `seconds`, 0 or more. The library calls it only for the earliest deadline of all
     * timers. It may fire early by the clock's rounding. NULL: the library measures the time and uses `dispatch`. */
    sgk_status (*after)(void *context, double seconds, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy);
    /** Returns the time of the clock of `after`, in seconds, which never decreases. NULL: CLOCK_MONOTONIC. It is not
     * used without `after`. */
    double (*now)(void *context);
    /** Called once, when the queue is created. May be NULL. */
    void (*retain)(void *context);
    /** Called once, after the last call of every other function, on the thread that releases the last use. May be
     * NULL. */
    void (*release)(void *context);
    /** Watches a descriptor of the library for the signals of descriptors.h. The loop calls
     * `ready(ready_context, events)` once, as soon as `fd` is ready for one of `events` or its peer has hung up. It
     * calls `destroy(ready_context)` exactly once: after `ready`, after `unwatch`, or when the loop ends. The library
     * calls `watch` on the loop, and again for each further event, also inside `ready`.
     *
     * A negative status before a call of `ready` means that the loop cannot watch such a descriptor (many loops cannot
     * watch files). Then a thread of the library watches it, and `destroy` is called as for `dispatch`. NULL: that
     * thread watches all descriptors. */
    sgk_status (*watch)(
        void *context, int fd, uint32_t events, sgk_ready_fn ready, void *ready_context, sgk_destroy_fn destroy);
    /** Stops watching `fd` if the loop watches it. It is called on the loop, and `fd` is closed afterwards. It must not
     * be NULL if there is a `watch`. */
    void (*unwatch)(void *context, int fd);
} sgk_queue_table;

/** The initializer of a sgk_queue_table: it sets the size and no function. */
#define SGK_QUEUE_TABLE_INIT \
    { sizeof(sgk_queue_table), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/** Creates a serial queue whose work runs on the program's event loop.
 *
 * If it fails, no function of the table has been called.
 *
 * @param table  Copied.
 */
SGK_API SGK_OWNED sgk_queue *sgk_queue_create_custom(const sgk_queue_table *table, void *context);

/** Returns how many jobs, including timers, were dropped because the loop of a custom queue had ended.
 *
 * @return  0 for other queues; -1 if `queue` is NULL.
 */
SGK_API int64_t sgk_queue_dropped(sgk_queue *queue);

SGK_END

#endif
