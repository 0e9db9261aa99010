/** @file
 * Operators on signals whose values are signals, or that create a signal for each value.
 *
 * The first error of the outer signal or an inner signal fails the result. The result completes when the outer signal
 * and all running or pending inner signals have completed.
 *
 * Order: serial (see operators.h).
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_INNER_H
#define SIGNALKIT_OPERATORS_INNER_H

#include "operators-mapping.h"
#include "operators-timing.h"

SGK_BEGIN

/* ---- Signals of signals ----
 * The values of the outer signal are inner signals, which sgk_signal_value creates. If a value is not a signal, the
 * result fails with that value when its turn arrives. */

/** Follows the latest inner signal. A new inner signal is started, then the previous one is disposed. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_switch_to_latest(sgk_signal *signal);

/** Runs the inner signals one after another, each until it completes. Pending inner signals are stored without limit.
 *
 * Swift calls this `queue`. A sgk_sequencer runs signals that no common signal emits.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_concat_all(sgk_signal *signal);

/** Runs the inner signals one after another, but stores only the latest one that arrives while another is running. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_concat_latest(sgk_signal *signal);

/** Passes the events of the signal until `replacement`, a signal of signals, emits another signal.
 *
 * For each signal that `replacement` emits, the operator disposes the current signal and starts the new one. The result
 * completes when the current signal completes.
 *
 * `replacement` is started first. If it emits during its start, `signal` is never started. Its completion is ignored.
 * Its error fails the result.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_until_replacement(sgk_signal *signal, sgk_signal *replacement);

/* ---- A signal for each value ---- */

/** Returns a signal for a value (or for an error).
 *
 * A callback that returns a signal may return NULL: a signal that completes when it starts. If a call of the library
 * has failed inside the callback, NULL is a signal that fails with the text of that error. Call sgk_clear_error if
 * the failure does not matter. A handle of another type also fails the subscription.
 *
 * Ownership: the library takes over the result. To keep it, return it retained.
 */
typedef sgk_signal *(*sgk_map_to_signal_fn)(void *context, sgk_value value);

/** Follows the signal that `map(context, value)` returns for the latest value, like sgk_signal_switch_to_latest. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_switch_map(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signals that `map(context, value)` returns one after another. `map` is called when the value arrives.
 *
 * Order: the next signal starts before the previous one is disposed, unless that one ended inside its own start.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_concat_map(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signals that `map(context, value)` returns one after another, like sgk_signal_concat_latest.
 *
 * It stores only the latest signal that arrives while another is running. `map` is called for every value.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_concat_map_latest(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Returns a signal (see sgk_map_to_signal_fn) that computes the next accumulated value.
 *
 * Each value of that signal is an array: the new accumulated value, optionally followed by a value that the result
 * emits immediately. Any other value fails the result with that value.
 */
typedef sgk_signal *(*sgk_reduce_generator_fn)(void *context, sgk_value accumulated, sgk_value value);

/** Folds all values into one. `generator` returns a signal for each step.
 *
 * The fold starts with `initial`. The signals run one after another, each until it completes. Values that arrive in the
 * meantime are pending. The result emits the last accumulated value when all signals have completed. An error drops it.
 *
 * Thread: `generator` is called on the thread that emitted the value or completed the previous signal.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce_generator(
    sgk_signal *signal, sgk_value initial, sgk_reduce_generator_fn generator, void *context, sgk_destroy_fn destroy);

/* ---- Several inner signals simultaneously ---- */

/** Runs at most `limit` inner signals simultaneously and passes their values.
 *
 * @param limit    1 or more, or SGK_UNBOUNDED.
 * @param waiting  Limits the pending inner signals. Its limit may be SGK_UNBUFFERED. SGK_OVERFLOW_ERROR fails the
 *                 result immediately. SGK_OVERFLOW_PAUSE pauses `signal` while no further signal may run or
 *                 wait. SGK_OVERFLOW_SUSPEND is an error, because the blocked thread may be the one that completes an
 *                 inner signal. May be NULL.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_merge_all(sgk_signal *signal, int64_t limit, const sgk_bound *waiting);

/** Runs the signals that `map(context, value)` returns simultaneously, like sgk_signal_merge_all.
 *
 * @param limit    As in sgk_signal_merge_all.
 * @param waiting  As in sgk_signal_merge_all.
 * @param map      Called when the value arrives.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_merge_map(sgk_signal *signal, int64_t limit, const sgk_bound *waiting,
    sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs at most `limit` inner signals simultaneously, and passes their values in the order of the signals.
 *
 * The oldest signal passes its values immediately. Those of a later signal are pending until all earlier signals have
 * completed. A signal counts as running until its last value was passed. Therefore at most `limit` values are pending
 * if each signal emits one. The first error fails the result immediately, and drops the pending values.
 *
 * @param limit    As in sgk_signal_merge_all.
 * @param waiting  As in sgk_signal_merge_all.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_merge_all_ordered(sgk_signal *signal, int64_t limit, const sgk_bound *waiting);

/** Runs the signals that `map(context, value)` returns simultaneously, and passes their values in the order of the
 * values that they were made of, like sgk_signal_merge_all_ordered.
 *
 * @param limit    As in sgk_signal_merge_all.
 * @param waiting  As in sgk_signal_merge_all.
 * @param map      Called when the value arrives.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_ordered(sgk_signal *signal, int64_t limit, const sgk_bound *waiting,
    sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signal that `map(context, value)` returns, and drops values that arrive while it is running.
 *
 * `map` is not called for a dropped value.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_exhaust_map(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/* ---- A signal for each key ---- */

/** Follows, for each key, the signal that `map(context, value)` returns for the latest value of that key.
 *
 * A new signal is started, then the previous signal of the same key is disposed. Signals of different keys run
 * simultaneously. A key is free again when its signal has completed.
 *
 * If as many keys as the limit are in use, the policy decides what happens to a value with a new key:
 *
 * - SGK_OVERFLOW_DROP_OLDEST disposes the signal that was started first.
 * - SGK_OVERFLOW_KEEP_LATEST disposes all signals.
 * - SGK_OVERFLOW_DROP_NEWEST does not start the new signal.
 * - SGK_OVERFLOW_ERROR fails the result.
 *
 * @param bound  Limits the keys. Its counter counts the signals that were disposed for others or not started.
 *               SGK_OVERFLOW_SUSPEND is an error, because the blocked thread may be the one that frees a key. May be
 *               NULL.
 * @param key    Returns the key of a value, or another result, as in sgk_signal_distinct_by. Keys are compared by
 *               sgk_value_equal. May be NULL: then each value is its own key.
 *
 * Thread: `key` and `map` are called once for each value, on the emitting thread.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_switch_map_per(sgk_signal *signal, const sgk_bound *bound, sgk_map_fn key,
    sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Returns the signal of a group (see sgk_map_to_signal_fn).
 *
 * @param key     The key of the group, borrowed for the call.
 * @param values  The signal of the group's values, borrowed for the call.
 */
typedef sgk_signal *(*sgk_pipeline_fn)(void *context, sgk_value key, sgk_signal *values);

/** Groups the values by keys and merges the signals that `pipeline(context, key, values)` returns for the groups.
 *
 * The first value of a key starts a group. The operator starts the signal of `pipeline` before it emits that value into
 * `values`. `values` is hot: nothing is buffered, and a value without a subscription is dropped.
 *
 * A group ends when its pipeline completes or the outer signal completes. Then `values` completes, and the key is free
 * for a new group.
 *
 * If there are as many groups as the limit, the policy decides what happens to a value with a new key:
 *
 * - SGK_OVERFLOW_DROP_OLDEST completes `values` of the oldest group.
 * - SGK_OVERFLOW_KEEP_LATEST completes `values` of all groups.
 * - SGK_OVERFLOW_DROP_NEWEST drops the value.
 * - SGK_OVERFLOW_ERROR fails the result.
 *
 * @param bound  Limits the groups. Its counter counts the groups that were completed for others, and the dropped
 *               values. SGK_OVERFLOW_SUSPEND is an error, because the blocked thread may be the one that ends a group.
 *               May be NULL.
 * @param key    Returns the key of a value, or another result, as in sgk_signal_distinct_by. Keys are compared by
 *               sgk_value_equal. May be NULL: then each value is its own key.
 *
 * Thread: `key` is called once for each value, on the emitting thread.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_group_by(sgk_signal *signal, const sgk_bound *bound, sgk_map_fn key,
    sgk_pipeline_fn pipeline, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
