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
SGK_API sgk_signal *sgk_signal_switch_to_latest(sgk_signal *signal);

/** Runs the inner signals one after another, each to its end; those that wait are kept, without a bound. (The operator
 * `queue` of Swift, `concat` of Rx. Signals that do not come from one signal are run one after another by a
 * sgk_sequencer.) */
SGK_API sgk_signal *sgk_signal_queued(sgk_signal *signal);

/** Runs one inner signal after another; of those that arrive while one runs only the latest is kept. */
SGK_API sgk_signal *sgk_signal_throttled(sgk_signal *signal);

/** Passes the signal on until `replacement`, a signal of signals that is started first, emits another one, which takes
 * its place; the next one replaces that in turn. Completes when the current one has. The completion of `replacement`
 * means nothing, its error ends the result. */
SGK_API sgk_signal *sgk_signal_take_until_replacement(sgk_signal *signal, sgk_signal *replacement);

/* ---- Signals made of values ---- */

/** Makes a signal of a value (or of an error). What it returns becomes the library's: a signal that the callback keeps,
 * it returns retained. NULL stands for a signal that completes at once; a handle of another kind does too, with an
 * error. */
typedef sgk_signal *(*sgk_map_to_signal_fn)(void *context, sgk_value value);

/** Follows the signal that `map(context, value)` returns for the latest value, as sgk_signal_switch_to_latest does. */
SGK_API sgk_signal *sgk_signal_map_to_signal(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signals that `map(context, value)` returns one after another. `map` is called when the value arrives. */
SGK_API sgk_signal *sgk_signal_map_to_queue(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signals that `map(context, value)` returns one after another; of those that arrive while one runs only the
 * latest is kept. `map` is called for every value. */
SGK_API sgk_signal *sgk_signal_map_to_throttled(
    sgk_signal *signal, sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Makes a signal of the accumulated value and a value, owned by the library then (see sgk_map_to_signal_fn). Each of
 * its values is an array: of the new accumulated value, or of that and a value to be passed on at once. Any other value
 * ends the result with that value as the error. */
typedef sgk_signal *(*sgk_reduce_generator_fn)(void *context, sgk_value accumulated, sgk_value value);

/** Folds by signals, beginning with `initial`: they run one after another, each to its end; values that come meanwhile
 * wait. The last accumulated value comes at the end; an error drops it. `generator` is called on the thread that
 * brought the value or ended the signal before. Serial. */
SGK_API sgk_signal *sgk_signal_reduce_left_generator(
    sgk_signal *signal, sgk_value initial, sgk_reduce_generator_fn generator, void *context, sgk_destroy_fn destroy);

/* ---- Several at the same time ---- */

/** Runs the inner signals at the same time, at most `limit` of them (1 or more; SGK_UNBOUNDED: all), and passes their
 * values on, one at a time. Those that find no place wait, at most `waiting` of them (0 or more, or SGK_UNBOUNDED);
 * what comes then goes by `overflow`. SGK_OVERFLOW_SUSPEND is refused: the thread that would wait may be the one that
 * makes room. `error` is what SGK_OVERFLOW_ERROR ends the run with, at once; otherwise it does not matter; `counter`
 * may be NULL. Values of signals: see above. */
SGK_API sgk_signal *sgk_signal_merged(
    sgk_signal *signal, int64_t limit, int64_t waiting, sgk_overflow overflow, sgk_value error,
        sgk_overflow_counter *counter);

/** As sgk_signal_merged (also as to `limit`, `waiting`, `overflow`, `error` and `counter`), of the signals that
 * `map(context, value)` returns. `map` is called when the value arrives. */
SGK_API sgk_signal *sgk_signal_map_to_merged(
    sgk_signal *signal, int64_t limit, int64_t waiting, sgk_overflow overflow, sgk_value error,
        sgk_overflow_counter *counter,
    sgk_map_to_signal_fn map, void *context, sgk_destroy_fn destroy);

/** Runs the signal that `map(context, value)` returns, unless one runs already: then the value is dropped, and `map`
 * not called for it. */
SGK_API sgk_signal *sgk_signal_map_to_first(sgk_signal *signal, sgk_map_to_signal_fn map, void *context,
    sgk_destroy_fn destroy);

SGK_END

#endif
