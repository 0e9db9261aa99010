/** @file
 * Operators that combine several signals, which are an array of `count` handles.
 *
 * The array is read during the call and not retained. It must not be NULL if `count` is not 0. Each element must be a
 * signal.
 *
 * Order: serial (see operators.h), on the emitting threads.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_COMBINING_H
#define SIGNALKIT_OPERATORS_COMBINING_H

#include "operators-mapping.h"
#include "operators-timing.h"

SGK_BEGIN

/** Emits an array of the latest values of all signals, for each value of any of them.
 *
 * The first array follows when every signal has emitted. The values have the order of the signals. The result completes
 * when all signals have completed. The first error fails it. Without signals it emits one empty array and completes.
 *
 * @param queue  Processes and delivers the events. May be NULL, for the emitting threads.
 */
SGK_API SGK_OWNED sgk_signal *sgk_combine_latest(sgk_signal *const *sources, size_t count, sgk_queue *queue);

/** Returns a new value for `count` values, or a result like a sgk_map_fn.
 *
 * sgk_unchanged emits an array of the values. The values and their array are borrowed for the call.
 */
typedef sgk_value (*sgk_map_array_fn)(void *context, const sgk_value *values, size_t count);

/** Emits `map(context, values, count)` for the latest values of all signals, like sgk_combine_latest.
 *
 * For up to 64 signals an event allocates no memory.
 *
 * @param queue  As in sgk_combine_latest.
 */
SGK_API SGK_OWNED sgk_signal *sgk_combine_latest_map(sgk_signal *const *sources, size_t count, sgk_map_array_fn map,
    void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Starts all signals, in their order, and passes every value of each of them.
 *
 * The result completes when all signals have completed, without signals immediately. The first error fails it.
 */
SGK_API SGK_OWNED sgk_signal *sgk_merge(sgk_signal *const *sources, size_t count);

/** Emits an array of the first values of all signals, then of their second values, and so on.
 *
 * The values have the order of the signals. The result completes when a signal without a pending value has completed,
 * without signals immediately. The first error fails it.
 *
 * @param bound  Limits the pending values of each signal. SGK_OVERFLOW_ERROR fails the result immediately.
 *               SGK_OVERFLOW_PAUSE pauses only the signal whose values wait. SGK_OVERFLOW_SUSPEND is an error, because
 *               the blocked thread may be the one that emits the missing values. May be NULL.
 */
SGK_API SGK_OWNED sgk_signal *sgk_zip(sgk_signal *const *sources, size_t count, const sgk_bound *bound);

/** Emits `map(context, values, count)` for the first values of all signals, and so on, like sgk_zip.
 *
 * @param bound  As in sgk_zip.
 */
SGK_API SGK_OWNED sgk_signal *sgk_zip_map(sgk_signal *const *sources, size_t count, const sgk_bound *bound,
    sgk_map_array_fn map, void *context, sgk_destroy_fn destroy);

/** Follows the first signal that emits an event of any kind.
 *
 * The other signals are disposed before that event is passed. The signals are started in their order. If one emits
 * during its start, the following signals are not started. Without signals the result completes immediately.
 */
SGK_API SGK_OWNED sgk_signal *sgk_race(sgk_signal *const *sources, size_t count);

/* ---- A signal and the latest value of another one ----
 * The other signal is started first. Its completion is ignored, and its error fails the result. */

/** Emits an array of each value and the latest value of `other`.
 *
 * Values that arrive before the first value of `other` are dropped.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_with_latest_from(sgk_signal *signal, sgk_signal *other);

/** Emits `map(context, values, 2)` for each value and the latest value of `other`.
 *
 * It is like sgk_signal_with_latest_from in every other respect.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_with_latest_from_map(
    sgk_signal *signal, sgk_signal *other, sgk_map_array_fn map, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
