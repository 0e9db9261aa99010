/** @file
 * Operators that deliver on a queue or measure time.
 *
 * An operator that delivers on a queue carries each event there, including the values that a throttle then drops. While
 * the queue is busy, the events are buffered without limit. If a source is faster than its queue for a long time, let
 * it emit less, or use sgk_signal_deliver_on_bounded.
 *
 * Timers of one clock that expire at the same time fire in the order in which they were set. sgk_signal_timeout_first
 * and sgk_signal_take_for set their timer before they start the source. At the deadline they therefore act before a
 * timer of the source. operators.h defines "Order: serial".
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_TIMING_H
#define SIGNALKIT_OPERATORS_TIMING_H

#include "overflow.h"
#include "signal.h"

SGK_BEGIN

/** The values of an interval that sgk_signal_throttle emits.
 *
 * A value starts an interval. If a value is emitted at the end of an interval, the next interval starts there. A value
 * that arrives exactly at the end of an interval is emitted. With SGK_EDGE_LEADING alone it starts the next interval.
 */
typedef enum sgk_edges {
    SGK_EDGE_LEADING = 1,  /**< The value that starts the interval, immediately. Other values are dropped. */
    SGK_EDGE_TRAILING = 2, /**< The latest value of the interval, at its end. */
    SGK_EDGES_BOTH = 3     /**< Both values. */
} sgk_edges;

/** Limits the rate to one value per interval, plus the first value.
 *
 * With both edges the first value is emitted immediately and starts an interval. At its end the operator emits the
 * latest value that arrived during it, and starts the next interval. If no value arrived, the next value is emitted
 * immediately again. Completion first emits the pending value. An error drops it.
 *
 * @param seconds  The length of an interval, by the clock of `queue`: 0 or more.
 * @param edges    The values of an interval that are emitted.
 *
 * Thread: callbacks run on `queue`.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_throttle(
    sgk_signal *signal, double seconds, sgk_edges edges, sgk_queue *queue);

/** Emits a value when no other value has followed it for `seconds`.
 *
 * Each new value replaces the pending one and restarts the delay. Completion first emits the pending value. An error
 * drops it.
 *
 * @param seconds  The delay, by the clock of `queue`: 0 or more.
 *
 * Thread: callbacks run on `queue`.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_debounce(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Delivers every event on `queue`, in order, one at a time.
 *
 * The operator delivers inline if the queue is current and no event of the subscription is in flight. Otherwise it
 * delivers later. Disposal drops the events in flight.
 *
 * Order: a serial queue is first in, first out across all its users: events of this and other subscriptions, work of
 * sgk_queue_async and sgk_queue_dispatch, sgk_signal_run_on, and expired timers. The queue also runs its other work if
 * events arrive without pause.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_deliver_on(sgk_signal *signal, sgk_queue *queue);

/** Delivers every event on `queue`, with a buffer of limited size.
 *
 * It is like sgk_signal_deliver_on in every other respect. Terminal events need no capacity. The queue can run its
 * other work each time it has delivered as many values as the limit.
 *
 * With SGK_OVERFLOW_PAUSE a full buffer pauses its source, and the default limit is 1,024. A pause reaches the source
 * through these operators:
 *
 * - Operators with one source, such as map, filter and scan. Timeouts begin again after a pause.
 * - Operators that combine signals, such as merge, combine_latest, zip, concat, concat_map and retry. They pause all
 *   sources that run. A pause never reaches a signal that only controls another one, such as the trigger of
 *   take_until. If several threads emit, each of them waits with at most one value.
 * - deliver_on, delay, rate_limit, debounce, throttle and chunks by time. Their own values wait, too. The first three
 *   then have a limit of 1,024 values, if the program sets none. There they pause their source.
 * - share, multicast and promises. They are paused while one of their subscriptions asks for it, also for the others.
 *
 * Ranges, arrays and iterators then stop after the current value. They continue on the serial queue whose work has
 * started them, or else on the concurrent default queue. So the start returns at the first pause. Signals that read
 * descriptors read no more, and intervals skip numbers. Pipes and the subscribers of generators report the pause to
 * the program that sends the values. Timers, system signals and changes of files cannot be paused: their values exceed
 * the limit, unless another policy is added.
 *
 * @param bound  Limits the buffered values. May be NULL.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_deliver_on_bounded(
    sgk_signal *signal, const sgk_bound *bound, sgk_queue *queue);

/** Pauses the signal while the latest value of `condition` is true.
 *
 * `condition` is started first, so a value that it emits during its start holds back the first value. It is never
 * paused itself. Its completion is ignored, and its last value stays. Its error fails the result, and so does a value
 * of another kind than bool.
 *
 * The operator stores no value. Which sources pause is stated at sgk_signal_deliver_on_bounded. Values of another
 * source pass.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_paused_by(sgk_signal *signal, sgk_signal *condition);

/** Starts the signal on `queue`: inline if the queue is current, otherwise later.
 *
 * Disposal before that prevents the start. The source decides where events are delivered.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_run_on(sgk_signal *signal, sgk_queue *queue);

/** Starts the signal on `queue` after `seconds`. It does not delay the events.
 *
 * Disposal before that prevents the start. sgk_signal_delay delays each value.
 *
 * @param seconds  0 or more. Infinity: never. Time during which the system sleeps does not count.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_delay_start(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Starts the signal on `queue` after `seconds`, including time during which the system sleeps.
 *
 * It is like sgk_signal_delay_start in every other respect. It uses the wall clock, so setting that clock changes the
 * delay.
 *
 * @param seconds      As in sgk_signal_delay_start.
 * @param granularity  After a wake-up the start is late by at most about this many seconds. 4 is a good value. With 0
 *                     the operator reads the clock only once.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_suspend_aware_delay(
    sgk_signal *signal, double seconds, double granularity, sgk_queue *queue);

/** Fails if no event of the signal arrives for `seconds`, before the first event or between two.
 *
 * The delivery of a value does not count. After a timeout the operator fails on `queue` and disposes the signal. The
 * error has the code SGK_ERROR_TIMEOUT. A sgk_signal_catch_with downstream switches to another signal.
 *
 * @param seconds  By the clock of `queue`: 0 or more.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_timeout(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Fails if the signal emits no event within `seconds`.
 *
 * The first event of any kind cancels the timer for good. It is like sgk_signal_timeout in every other respect.
 *
 * @param seconds  By the clock of `queue`: 0 or more.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_timeout_first(sgk_signal *signal, double seconds, sgk_queue *queue);

/* ---- Chunks ---- */

/** Emits the values in arrays of `count`, which must be 1 or more.
 *
 * Completion first emits the remaining values. An error drops them.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_chunked(sgk_signal *signal, int64_t count);

/** Emits the values in arrays of `count`, or of fewer values `seconds` after the first of them.
 *
 * The operator emits no empty array. Completion first emits the pending values. An error drops them.
 *
 * @param count    1 or more.
 * @param seconds  By the clock of `queue`: 0 or more. Infinity: never.
 *
 * Thread: callbacks run on `queue`.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_chunked_within(
    sgk_signal *signal, int64_t count, double seconds, sgk_queue *queue);

/** Emits an array for each value of `boundary`, with the values that arrived since the previous one.
 *
 * The operator emits no empty array. Completion first emits the pending values. An error, also of `boundary`, drops
 * them. `boundary` is started first, and its completion is ignored.
 *
 * @param limit  1 or more. If this many values are pending, they are emitted without a boundary.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_chunked_by(sgk_signal *signal, sgk_signal *boundary, int64_t limit);

/** Emits windows: arrays of `count` values.
 *
 * The first window starts with the first value, and each further one starts `every` values later. If `every` is less
 * than `count`, windows overlap. If it is more, the values between two windows are dropped. The terminal event drops
 * the windows that are not full.
 *
 * @param count  1 or more.
 * @param every  1 or more.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_windowed(sgk_signal *signal, int64_t count, int64_t every);

/* ---- Time of each value ---- */

/** Limits the rate of values by a token bucket: `count` values may pass at once, and one more every `seconds / count`.
 *
 * A value that may not pass yet waits. The operator completes after the last pending value. An error drops them.
 *
 * @param count    The capacity of the bucket: 1 or more.
 * @param seconds  The time in which an empty bucket becomes full, by the clock of `queue`: finite, and 0 or more.
 * @param waiting  Limits the pending values. With the limit SGK_UNBUFFERED and SGK_OVERFLOW_DROP_NEWEST, a value that
 *                 may not pass is dropped. SGK_OVERFLOW_PAUSE pauses `signal`. SGK_OVERFLOW_SUSPEND is an error,
 *                 because the emitting thread would then wait for a timer. May be NULL.
 *
 * Thread: a value that need not wait passes on the emitting thread. A value that waited passes on `queue`.
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_rate_limit(
    sgk_signal *signal, int64_t count, double seconds, const sgk_bound *waiting, sgk_queue *queue);

/** Emits each value and the completion on `queue`, `seconds` after its arrival.
 *
 * An error is emitted without the delay. It drops the pending values.
 *
 * @param seconds  By the clock of `queue`: 0 or more.
 * @param bound    Limits the pending values. SGK_OVERFLOW_SUSPEND is an error, because the emitting thread would then
 *                 wait for the delay itself. SGK_OVERFLOW_PAUSE pauses the source, as in
 *                 sgk_signal_deliver_on_bounded. May be NULL.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_delay(
    sgk_signal *signal, double seconds, const sgk_bound *bound, sgk_queue *queue);

/** Emits an array for each value: the time of its arrival and the value.
 *
 * The time is a number of seconds since a fixed point, by the clock of `queue`.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_timestamped(sgk_signal *signal, sgk_queue *queue);

/** Emits an array for each value: the seconds since the previous value and the value.
 *
 * For the first value the time counts from the start. The clock of `queue` measures it.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_time_interval(sgk_signal *signal, sgk_queue *queue);

/** Passes the events within `seconds` of the start, then completes on `queue` and disposes the source.
 *
 * @param seconds  By the clock of `queue`: 0 or more.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_for(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Emits the latest value for each value of `trigger`, if a value arrived since the previous one.
 *
 * Completion first emits the pending value. An error, also of `trigger`, drops it. `trigger` is started first, and its
 * completion is ignored.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_sample_on(sgk_signal *signal, sgk_signal *trigger);

/** Emits the latest value every `seconds`, if a value arrived since the previous emission.
 *
 * It is sgk_signal_sample_on with sgk_signal_interval as the trigger.
 *
 * @param seconds  By the clock of `queue`: more than 0 and finite.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_sample(sgk_signal *signal, double seconds, sgk_queue *queue);

SGK_END

#endif
