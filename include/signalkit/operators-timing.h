/** @file
 * Operators that bring events to a queue, or go by time. What delivers on a queue carries every event there, those that
 * a throttle then drops as well: while the queue is busy they wait, without a bound. A source that is faster than its
 * queue for long should emit less, or go through sgk_signal_deliver_on_bounded.
 *
 * Timers of one clock that expire at the same time fire in the order in which they were set. sgk_signal_timeout and
 * sgk_signal_take_for set theirs before they start the source: at the deadline they act before a timer of the source.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_TIMING_H
#define SIGNALKIT_OPERATORS_TIMING_H

#include "overflow.h"
#include "signal.h"
#include "thread_pool.h"

SGK_BEGIN

/** Emits a value at once and then at most one every `seconds`: the latest of those that came meanwhile, when the time
 * is over. The end first emits what waits; an error drops it. Delivers on `queue`. `seconds` must be 0 or more. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_throttle(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Emits a value when no other has followed it for `seconds`. The end first emits what waits; an error drops it.
 * Delivers on `queue`. `seconds` must be 0 or more. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_debounce(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Delivers every event on `queue`: inline when it is current and nothing of the run is on its way, otherwise later, in
 * order, one at a time. A serial queue is first in, first out across all that uses it: values and ends of this run and
 * of others, work of sgk_queue_async and sgk_queue_dispatch, sgk_signal_run_on, timers that have fired. However many
 * events come, it gets to its other work in between. Disposal drops what is on its way. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_deliver_on(sgk_signal *signal, sgk_queue *queue);

/** Delivers every event on a thread of `pool`, later, in the order in which they came; each run has a queue of its own
 * there. The signal keeps the pool. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_deliver_on_thread_pool(sgk_signal *signal, sgk_thread_pool *pool);

/** As sgk_signal_deliver_on, with a bound: at most `limit` (1 or more) values wait for `queue`; what comes then goes by
 * `overflow`. Ends need no room. The queue is given to other work after every `limit` values. `error` is what
 * SGK_OVERFLOW_ERROR fails with, otherwise it does not matter; `counter` may be NULL. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_deliver_on_bounded(sgk_signal *signal, sgk_queue *queue, int64_t limit,
    sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter);

/** Starts the signal on `queue`: inside the start when it is current, otherwise later; disposal before that prevents
 * it. Where events are delivered is up to the source. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_run_on(sgk_signal *signal, sgk_queue *queue);

/** Starts the signal on a thread of `pool`, always later; disposal before that prevents it. The signal keeps the
 * pool. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_run_on_thread_pool(sgk_signal *signal, sgk_thread_pool *pool);

/** Delays the start, not the events: the signal is started on `queue` after `seconds`, by a clock that stands still
 * while the system sleeps. Disposal before that prevents it. `seconds` must be 0 or more; infinity is never. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_delay(sgk_signal *signal, double seconds, sgk_queue *queue);

/** As sgk_signal_delay (also as to `seconds` and `queue`), but time during which the system sleeps counts: after waking
 * up the signal is late by at most about `granularity` seconds (4 is a good number; 0: it looks at the clock only
 * once). By the wall clock; whoever sets that changes the delay. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_suspend_aware_delay(
    sgk_signal *signal, double seconds, double granularity, sgk_queue *queue);

/** Goes on with `alternate` when nothing has come from the signal within `seconds`: it is started on `queue`, then the
 * signal disposed. The first event of any kind calls that off for good. `seconds` must be 0 or more. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_timeout(
    sgk_signal *signal, double seconds, sgk_signal *alternate, sgk_queue *queue);

/** A signal whose start blocks: it starts `signal`, then keeps the starting thread until its first event of any kind,
 * or for `seconds` (0 or more); nothing is cancelled by that. Never to be used on a thread that the source needs. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_blocking(sgk_signal *signal, double seconds);

/** As sgk_signal_blocking, with the `seconds` measured by the clock of `queue`: a virtual one is moved on by the wait,
 * as far as that takes. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_blocking_on(sgk_signal *signal, double seconds, sgk_queue *queue);

/* ---- Chunks ---- */

/** Emits the values in arrays of `count` (1 or more); completion first emits those that are left. An error drops them.
 * Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_chunked(sgk_signal *signal, int64_t count);

/** Emits the values in arrays of `count` (1 or more), or of fewer when `seconds` have gone by since the first of them
 * came: never an empty one. Completion first emits those that wait; an error drops them. Delivers on `queue`.
 * `seconds` must be 0 or more; infinity is never. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_chunked_within(
    sgk_signal *signal, int64_t count, double seconds, sgk_queue *queue);

/** Emits the values in arrays, one for each value of `boundary`: of those that came since the last one, if there are
 * any; earlier when there are `limit` (1 or more). Completion first emits those that wait; an error, also of
 * `boundary`, drops them. The completion of `boundary` means nothing. It is started first. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_chunked_by(sgk_signal *signal, sgk_signal *boundary, int64_t limit);

/* ---- Every value in its time ---- */

/** Emits each value, and the completion, `seconds` after it has come, on `queue`. An error comes at once, and drops
 * what waits. (What others call delay.) At most `limit` (1 or more) values wait; what comes then goes by `overflow`,
 * which must not be SGK_OVERFLOW_SUSPEND: the emitting thread would wait for the time itself. `error` is what
 * SGK_OVERFLOW_ERROR fails with, otherwise it does not matter; `counter` may be NULL. `seconds` must be 0 or more. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_delay_each(
    sgk_signal *signal, double seconds, sgk_queue *queue, int64_t limit, sgk_overflow overflow, sgk_value error,
    sgk_overflow_counter *counter);

/** Goes on with `alternate` when `seconds` go by without an event of the signal: before the first, or between any two,
 * the delivery of a value not counted. It is started on `queue`, then the signal disposed. `seconds` must be 0 or
 * more. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_timeout_between(
    sgk_signal *signal, double seconds, sgk_signal *alternate, sgk_queue *queue);

/** Which values of an interval sgk_signal_throttle_edges emits. An interval begins with a value; and right after one at
 * the end of which a value was emitted. A value at the very end of an interval is emitted. With SGK_EDGE_LEADING alone,
 * it begins the next interval. */
typedef enum sgk_edges {
    SGK_EDGE_LEADING = 1,  /**< The one that begins it, at once. What comes meanwhile is dropped. */
    SGK_EDGE_TRAILING = 2, /**< The latest of those that came, when it is over. */
    SGK_EDGES_BOTH = 3     /**< Both: this is sgk_signal_throttle. */
} sgk_edges;

/** As sgk_signal_throttle (also as to `seconds` and `queue`), with the values that `edges` says. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_throttle_edges(
    sgk_signal *signal, double seconds, sgk_edges edges, sgk_queue *queue);

/** Emits arrays of two: the time at which a value comes, in seconds from any fixed point, by the clock of `queue`; and
 * the value. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_timestamped(sgk_signal *signal, sgk_queue *queue);

/** Emits arrays of two: the seconds since the value before, or since the start, by the clock of `queue`; and the
 * value. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_time_interval(sgk_signal *signal, sgk_queue *queue);

/** Passes what comes within `seconds` of the start, then completes, on `queue`; the source is stopped. `seconds` must
 * be 0 or more. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_for(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Emits the latest value at each value of `trigger`, if it has come since the last one. Completion first emits the
 * value that waits, if any; an error, also of `trigger`, drops it. The completion of `trigger` means nothing. It is
 * started first. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_sample_on(sgk_signal *signal, sgk_signal *trigger);

/** The same every `seconds`, on `queue`, as sgk_signal_interval: more than 0 and finite. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_sample(sgk_signal *signal, double seconds, sgk_queue *queue);

SGK_END

#endif
