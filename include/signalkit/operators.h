/** @file
 * Operators: signals made of signals. None of them runs anything until it is started; all of them pass NULL through.
 */
#ifndef SIGNALKIT_OPERATORS_H
#define SIGNALKIT_OPERATORS_H

#include "signal.h"

SGK_BEGIN

/** Makes a value of a value. What it returns becomes the library's (rule 5). */
typedef sgk_value (*sgk_map_fn)(void *context, sgk_value value);
/** Whether a value is to pass. */
typedef bool (*sgk_filter_fn)(void *context, sgk_value value);
/** Whether two values count as the same. */
typedef bool (*sgk_equal_fn)(void *context, sgk_value last, sgk_value value);

/** Emits `map(context, value)` for each value. */
SGK_API sgk_signal *sgk_signal_map(sgk_signal *signal, sgk_map_fn map, void *context, sgk_destroy_fn destroy);

/** Passes the values for which `filter(context, value)` is true. */
SGK_API sgk_signal *sgk_signal_filter(sgk_signal *signal, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** Drops a value that equals (sgk_value_equal) the last one that passed. Serial: one value at a time, whatever the number of emitting
 * threads. */
SGK_API sgk_signal *sgk_signal_distinct_until_changed(sgk_signal *signal);

/** Drops a value for which `equal(context, last that passed, value)` is true. Serial. */
SGK_API sgk_signal *sgk_signal_distinct_until_changed_by(sgk_signal *signal, sgk_equal_fn equal, void *context, sgk_destroy_fn destroy);

/** Passes the first `count` values and completes right after the last of them; the source is stopped. 0 completes at once, without starting
 * the source; less is an error. Serial. */
SGK_API sgk_signal *sgk_signal_take(sgk_signal *signal, int64_t count);

/** Emits an array of the latest values of all signals, in their order, for each value of any of them, once every one has emitted. Completes
 * when all have completed; the first error ends it. With a `queue` (may be NULL) everything is processed and delivered there; otherwise
 * on the emitting threads, one at a time. No signals: one empty array, and the end. */
SGK_API sgk_signal *sgk_combine_latest(sgk_signal *const *signals, size_t count, sgk_queue *queue);

/** Of a signal of signals, runs one inner signal after another; of those that arrive while one runs only the latest is kept. A value that is no
 * signal ends it with that value as the error. Serial. */
SGK_API sgk_signal *sgk_signal_throttled(sgk_signal *signal);

/** Emits a value at once and then at most one every `seconds`: the latest of those that came meanwhile, when the time is over. The end first
 * emits what waits; an error drops it. Delivers on `queue`. `seconds` must be 0 or more. */
SGK_API sgk_signal *sgk_signal_throttle(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Emits a value when no other has followed it for `seconds`. The end first emits what waits; an error drops it. Delivers on `queue`.
 * `seconds` must be 0 or more. */
SGK_API sgk_signal *sgk_signal_debounce(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Delivers every event on `queue`: inline when it is current and nothing is on its way, otherwise later, in order, one at a time. Disposal
 * drops what is on its way. */
SGK_API sgk_signal *sgk_signal_deliver_on(sgk_signal *signal, sgk_queue *queue);

SGK_END

#endif
