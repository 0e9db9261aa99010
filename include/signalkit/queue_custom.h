/** @file
 * Queues whose work runs on an event loop of the program's own. examples/c/loops has adapters to GLib, libuv, libev and
 * epoll.
 * @since 1.0
 */
#ifndef SIGNALKIT_QUEUE_CUSTOM_H
#define SIGNALKIT_QUEUE_CUSTOM_H

#include "queue.h"

SGK_BEGIN

/** Told by a loop what a descriptor is ready for: SGK_FD_READ, SGK_FD_WRITE, SGK_FD_HANGUP (descriptors.h). An error
 * that waits there counts as what was asked for. */
typedef void (*sgk_ready_fn)(void *context, int64_t events);

/** How a loop runs work. `dispatch` must be there; what else is NULL has a meaning of its own. Each function gets the
 * `context` that the queue was made with, may be called on any thread unless its comment says otherwise, and must be
 * ready for that until `release`.
 *
 * `dispatch` and `after` are of the shape, and keep the promises, of sgk_queue_dispatch: `work(work_context)` runs at
 * most once; `destroy(work_context)` exactly once, after it, or instead of it when the loop has ended; both are never
 * NULL. So no work is lost silently: whoever waits for it in sgk_queue_sync is told, and sgk_queue_dropped counts it.
 *
 * A loop that cannot take the work refuses it, by a negative status. It may have called `destroy` before it returns
 * that, as sgk_queue_dispatch does; it must not afterwards: if it has not, the library does. */
typedef struct sgk_queue_table {
    size_t size; /**< sizeof(sgk_queue_table) */
    /** Runs the work later on the loop, never inside this call: in the order of the calls, and one at a time. SGK_OK:
     * the loop calls `destroy`. Negative: refused (see above), and sgk_queue_dispatch returns SGK_ERROR_ENDED. */
    sgk_status (*dispatch)(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy);
    /** Whether the caller runs on the loop's thread, so that work may run inline. NULL: only inside the queue's own
     * work, which the library knows. */
    bool (*is_current)(void *context);
    /** Runs the work on the loop in `seconds`, 0 or more. Called rarely: for the earliest deadline of all timers. It
     * may be early by the clock's rounding. NULL: the library keeps the time, and brings what is due by `dispatch`. */
    sgk_status (*after)(void *context, double seconds, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy);
    /** The clock of `after`, in seconds; never goes back. NULL: CLOCK_MONOTONIC. Without `after` it is not used. */
    double (*now)(void *context);
    /** Called once when the queue is made, and once, on whichever thread lets go last, when no function of the table
     * will be called again. */
    void (*retain)(void *context);
    void (*release)(void *context); /**< See `retain`. */
    /** Watches a descriptor of the library's, for the signals of descriptors.h: calls `ready(ready_context, …)` once,
     * on the loop, as soon as `fd` is ready for one of `events`, or its other side is gone; then, or when it is
     * called off or the loop ends, `destroy(ready_context)`, exactly once. Called on the loop, also inside of
     * `ready`, for the next time. Negative, without having called `ready`: the loop cannot watch such a descriptor
     * (many cannot watch files), and a thread of the library's does; `destroy` as for `dispatch`. NULL: that thread
     * watches all. */
    sgk_status (*watch)(
        void *context, int fd, int64_t events, sgk_ready_fn ready, void *ready_context, sgk_destroy_fn destroy);
    /** Called on the loop: lets go of `fd`, which is closed afterwards, if it watches that. Not NULL with `watch`. */
    void (*unwatch)(void *context, int fd);
} sgk_queue_table;

/** What a table begins as: its size, and nothing else. */
#define SGK_QUEUE_TABLE_INIT {sizeof(sgk_queue_table), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}

/** A serial queue whose work runs on a loop of the program's own. `table` is copied. When this fails, no function of
 * the table has been called. */
SGK_API SGK_OWNED sgk_queue *sgk_queue_create_custom(const sgk_queue_table *table, void *context);

/** How much work, timers included, was let go because the loop of this custom queue had ended. 0 for other queues; for
 * NULL -1, with an error. */
SGK_API int64_t sgk_queue_dropped(sgk_queue *queue);

SGK_END

#endif
