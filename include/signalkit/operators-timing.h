/** @file
 * Operators that bring events to a queue, or go by time. What delivers on a queue carries every event there, those that
 * a throttle then drops as well: while the queue is busy they wait, without a bound. A source that is faster than its
 * queue for long should emit less, or go through sgk_signal_deliver_on_bounded.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_TIMING_H
#define SIGNALKIT_OPERATORS_TIMING_H

#include "signal.h"
#include "thread_pool.h"

SGK_BEGIN

/** Emits a value at once and then at most one every `seconds`: the latest of those that came meanwhile, when the time
 * is over. The end first emits what waits; an error drops it. Delivers on `queue`. `seconds` must be 0 or more. */
SGK_API sgk_signal *sgk_signal_throttle(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Emits a value when no other has followed it for `seconds`. The end first emits what waits; an error drops it.
 * Delivers on `queue`. `seconds` must be 0 or more. */
SGK_API sgk_signal *sgk_signal_debounce(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Delivers every event on `queue`: inline when it is current and nothing of the run is on its way, otherwise later, in
 * order, one at a time. A serial queue is first in, first out across all that uses it: values and ends of this run and
 * of others, work of sgk_queue_async and sgk_queue_dispatch, sgk_signal_run_on, timers that have fired. However many
 * events come, it gets to its other work in between. Disposal drops what is on its way. */
SGK_API sgk_signal *sgk_signal_deliver_on(sgk_signal *signal, sgk_queue *queue);

/** Delivers every event on a thread of `pool`, later, in the order in which they came; each run has a queue of its own
 * there. The signal keeps the pool. */
SGK_API sgk_signal *sgk_signal_deliver_on_thread_pool(sgk_signal *signal, sgk_thread_pool *pool);

/** What becomes of a value for which there is no room. */
typedef enum sgk_overflow {
    /** The emitting thread is blocked until there is room. Not where that would wait for itself (on the queue, or
     * inside the callback): there the bound is exceeded instead. */
    SGK_OVERFLOW_SUSPEND = 0,
    SGK_OVERFLOW_DROP_OLDEST = 1, /**< The value that has waited longest is dropped. */
    SGK_OVERFLOW_DROP_NEWEST = 2, /**< The new value is dropped. */
    SGK_OVERFLOW_KEEP_LATEST = 3, /**< All that wait are dropped: the new value alone is kept. */
    /** The new value is dropped, the source disposed, and the run fails when what waits has been delivered. */
    SGK_OVERFLOW_ERROR = 4
} sgk_overflow;

/** Counts what overflows, of any number of runs. */
SGK_HANDLE(sgk_overflow_counter)

/** A new counter, at 0. */
SGK_API sgk_overflow_counter *sgk_overflow_counter_create(void);

/** How many values were dropped; -1 for NULL, with an error. Any thread. */
SGK_API int64_t sgk_overflow_counter_dropped(sgk_overflow_counter *counter);

/** How often an emitting thread was blocked; -1 for NULL, with an error. Any thread. */
SGK_API int64_t sgk_overflow_counter_suspended(sgk_overflow_counter *counter);

/** As sgk_signal_deliver_on, with a bound: at most `limit` (1 or more) values wait for `queue`; what comes then goes by
 * `overflow`. Ends need no room. The queue is given to other work after every `limit` values. `error` is what
 * SGK_OVERFLOW_ERROR fails with, otherwise it does not matter; `counter` may be NULL. */
SGK_API sgk_signal *sgk_signal_deliver_on_bounded(sgk_signal *signal, sgk_queue *queue, int64_t limit,
    sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter);

/** Starts the signal on `queue`: inside the start when it is current, otherwise later; disposal before that prevents
 * it. Where events are delivered is up to the source. */
SGK_API sgk_signal *sgk_signal_run_on(sgk_signal *signal, sgk_queue *queue);

/** Starts the signal on a thread of `pool`, always later; disposal before that prevents it. The signal keeps the
 * pool. */
SGK_API sgk_signal *sgk_signal_run_on_thread_pool(sgk_signal *signal, sgk_thread_pool *pool);

/** Delays the start, not the events: the signal is started on `queue` after `seconds`, by a clock that stands still
 * while the system sleeps. Disposal before that prevents it. `seconds` must be 0 or more; infinity is never. */
SGK_API sgk_signal *sgk_signal_delay(sgk_signal *signal, double seconds, sgk_queue *queue);

/** As sgk_signal_delay (also as to `seconds` and `queue`), but time during which the system sleeps counts: after waking
 * up the signal is late by at most about `granularity` seconds (4 is a good number; 0: it looks at the clock only
 * once). By the wall clock; whoever sets that changes the delay. */
SGK_API sgk_signal *sgk_signal_suspend_aware_delay(
    sgk_signal *signal, double seconds, double granularity, sgk_queue *queue);

/** Goes on with `alternate` when nothing has come from the signal within `seconds`: it is started on `queue`, then the
 * signal disposed. The first event of any kind calls that off for good. `seconds` must be 0 or more. Serial. */
SGK_API sgk_signal *sgk_signal_timeout(sgk_signal *signal, double seconds, sgk_signal *alternate, sgk_queue *queue);

/** A signal whose start blocks: it starts `signal`, then keeps the starting thread until its first event of any kind,
 * or for `seconds` (0 or more); nothing is cancelled by that. Never to be used on a thread that the source needs. */
SGK_API sgk_signal *sgk_signal_blocking(sgk_signal *signal, double seconds);

/** As sgk_signal_blocking, with the `seconds` measured by the clock of `queue`: a virtual one is moved on by the wait,
 * as far as that takes. */
SGK_API sgk_signal *sgk_signal_blocking_on(sgk_signal *signal, double seconds, sgk_queue *queue);

SGK_END

#endif
