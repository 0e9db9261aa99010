/** @file
 * Operators on signals of signals.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_INNER_H
#define SIGNALKIT_OPERATORS_INNER_H

#include "operators-mapping.h"
#include "operators-timing.h"

SGK_BEGIN

/* ---- Signals of signals: their values are signals, see sgk_signal_value ----
 * A value that is no signal ends them, when its turn comes, with that value as the error. All are serial (see
 * operators.h); the first error, of the outer or of an inner signal, ends them; they complete when the outer signal and
 * the inner ones that are to run have completed. */

/** Follows the latest inner signal: a new one is started, then the one before it disposed. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_switch_to_latest(sgk_signal *signal);

/** Runs the inner signals one after another, each to its end; those that wait are kept, without a bound. (The operator
 * `queue` of Swift, `concat` of Rx. Signals that do not come from one signal are run one after another by a
 * sgk_sequencer.) */
SGK_API SGK_OWNED sgk_signal *sgk_signal_queued(sgk_signal *signal);

/** Runs one inner signal after another; of those that arrive while one runs only the latest is kept. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_throttled(sgk_signal *signal);

/** Passes the signal on until `replacement`, a signal of signals that is started first, emits another one, which takes
 * its place; the next one replaces that in turn. Completes when the current one has. The completion of `replacement`
 * means nothing, its error ends the result. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_until_replacement(sgk_signal *signal, sgk_signal *replacement);

/* ---- Signals made of values ---- */

/** Returns a signal for a value (or for an error).
 *
 * A callback that returns a signal may return NULL: a signal that completes when it starts. If a call of the library
 * has failed inside the callback, NULL is a signal that fails with the text of that error. Call sgk_clear_error if
 * the failure does not matter. A handle of another type also fails the subscription.
 *
 * Ownership: the library takes over the result. To keep it, return it retained.
 */
typedef sgk_signal *(*sgk_map_to_signal_fn)(void *context, sgk_value value);

/** Follows the signal that `map(context, value)` returns for the latest value, as sgk_signal_switch_to_latest does. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_signal(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signals that `map(context, value)` returns one after another. `map` is called when the value arrives.
 *
 * Order: the next signal starts before the previous one is disposed, unless that one ended inside its own start.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_queue(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signals that `map(context, value)` returns one after another; of those that arrive while one runs only the
 * latest is kept. `map` is called for every value. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_throttled(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Makes a signal of the accumulated value and a value, owned by the library then (see sgk_map_to_signal_fn). Each of
 * its values is an array: of the new accumulated value, or of that and a value to be passed on at once. Any other value
 * ends the result with that value as the error. */
typedef sgk_signal *(*sgk_reduce_generator_fn)(void *context, sgk_value accumulated, sgk_value value);

/** Folds by signals, beginning with `initial`: they run one after another, each to its end; values that come meanwhile
 * wait. The last accumulated value comes at the end; an error drops it. `generator` is called on the thread that
 * brought the value or ended the signal before. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce_left_generator(
    sgk_signal *signal, sgk_value initial, sgk_reduce_generator_fn generator, void *context, sgk_destroy_fn destroy);

/* ---- Several at the same time ---- */

/** Runs the inner signals at the same time, at most `limit` of them (1 or more; SGK_UNBOUNDED: all), and passes their
 * values on, one at a time. Those that find no place wait, at most `waiting` of them (0 or more, or SGK_UNBOUNDED);
 * what comes then goes by `overflow`. SGK_OVERFLOW_SUSPEND is refused: the thread that would wait may be the one that
 * makes room. `error` is what SGK_OVERFLOW_ERROR ends the run with, at once; otherwise it does not matter; `counter`
 * may be NULL. Values of signals: see above. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_merged(
    sgk_signal *signal, int64_t limit, int64_t waiting, sgk_overflow overflow, sgk_value error,
        sgk_overflow_counter *counter);

/** As sgk_signal_merged (also as to `limit`, `waiting`, `overflow`, `error` and `counter`), of the signals that
 * `map(context, value)` returns. `map` is called when the value arrives. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_merged(
    sgk_signal *signal, int64_t limit, int64_t waiting, sgk_overflow overflow, sgk_value error,
        sgk_overflow_counter *counter,
    sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signal that `map(context, value)` returns, unless one runs already: then the value is dropped, and `map`
 * not called for it. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_first(sgk_signal *signal, sgk_map_to_signal_fn map, void *context,
    sgk_destroy_fn destroy);

/* ---- One for each key ---- */

/** Follows, for each key, the signal that `map(context, value)` returns for the latest value of that key: a new one is
 * started, then the one before it of the same key disposed; those of different keys run at the same time. The keys are
 * what `key(context, value)` makes of the values, told apart as sgk_value_equal says; `key` may be NULL, then the
 * values are keys themselves. Both are called for each value that arrives, on the thread that brings it. A key is free
 * again when its signal has completed. There are at most `limit` keys (1 or more, or SGK_UNBOUNDED). For a value of one
 * more `overflow` says what becomes: SGK_OVERFLOW_DROP_OLDEST disposes the signal that was started before all others,
 * SGK_OVERFLOW_KEEP_LATEST all of them, by SGK_OVERFLOW_DROP_NEWEST its signal is not started, and by
 * SGK_OVERFLOW_ERROR the run fails with `error`, which otherwise does not matter; SGK_OVERFLOW_SUSPEND is refused.
 * `counter`, which may be NULL, is told how many were disposed for others or not started. Serial; the first error ends
 * all; completes when the outer signal and all inner ones have. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_to_signal_per(
    sgk_signal *signal, int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter,
    sgk_map_fn key, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Returns the signal of a group (see sgk_map_to_signal_fn) for its key and the signal of its values. Both arguments
 * are borrowed. */
typedef sgk_signal *(*sgk_pipeline_fn)(void *context, sgk_value key, sgk_signal *values);

/** Sorts the values by keys: with the first value of a key `pipeline(context, key, values)` makes the signal of a
 * group, which is started before that value is passed on to `values`, and whose own values are merged into the result.
 * `values` is hot: what the pipeline does not listen to goes nowhere, and nothing waits. The keys are what
 * `key(context, value)` makes of the values, told apart as sgk_value_equal says; `key` may be NULL, then the values are
 * keys themselves. It is called for each value, on the thread that brings it. A group is over when its pipeline
 * completes, or the outer signal does: then `values` completes, and the key is free for another group. There are at
 * most `limit` groups (1 or more, or SGK_UNBOUNDED). For the key of one more `overflow` says what becomes:
 * SGK_OVERFLOW_DROP_OLDEST completes `values` of the oldest group, SGK_OVERFLOW_KEEP_LATEST those of all groups, by
 * SGK_OVERFLOW_DROP_NEWEST the value is dropped, and by SGK_OVERFLOW_ERROR the run fails with `error`, which otherwise
 * does not matter; SGK_OVERFLOW_SUSPEND is refused. `counter`, which may be NULL, is told how many groups were
 * completed for others, or values dropped. Serial; the first error ends all; completes when the outer signal and all
 * pipelines have. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_grouped_by(
    sgk_signal *signal, int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter,
    sgk_map_fn key, sgk_pipeline_fn pipeline, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
