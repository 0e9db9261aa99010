/** @file
 * Operators that make values of values: mapping, filtering, folding, events as values. The callbacks run on the thread
 * that emits; two threads that emit at once call them at once, unless the operator is serial (see operators.h).
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_MAPPING_H
#define SIGNALKIT_OPERATORS_MAPPING_H

#include "overflow.h"
#include "signal.h"

SGK_BEGIN

/** Makes a value of a value. What it returns becomes the library's (rule 5). */
typedef sgk_value (*sgk_map_fn)(void *context, sgk_value value);
/** Whether a value is to pass. */
typedef bool (*sgk_filter_fn)(void *context, sgk_value value);
/** Whether two values count as the same. */
typedef bool (*sgk_equal_fn)(void *context, sgk_value last, sgk_value value);
/** Whether there is a result, which is then stored in `*result` (null before). What is stored becomes the library's in
 * any case. */
typedef bool (*sgk_compact_map_fn)(void *context, sgk_value value, sgk_value *result);

/** Emits `map(context, value)` for each value. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map(sgk_signal *signal, sgk_map_fn map, void *context, sgk_destroy_fn destroy);

/** Passes the values for which `filter(context, value)` is true. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_filter(
    sgk_signal *signal, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** Emits what `map` stores for each value for which it returns true; drops the others. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_compact_map(
    sgk_signal *signal, sgk_compact_map_fn map, void *context, sgk_destroy_fn destroy);

/** Maps, drops, watches or fails at each value, as what `transform(context, value)` returns says. Of several runs of
 * the signal that one fails which it was called for. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_transform(
    sgk_signal *signal, sgk_transform_fn transform, void *context, sgk_destroy_fn destroy);

/** Fails with `map(context, error)` when the signal fails; leaves the rest alone. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_error(
    sgk_signal *signal, sgk_map_fn map, void *context, sgk_destroy_fn destroy);

/** Passes only the end. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_ignore_values(sgk_signal *signal);

/** Drops a value that equals (sgk_value_equal) the last one that passed. Serial: one value at a time, whatever the
 * number of emitting threads. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_until_changed(sgk_signal *signal);

/** Drops a value for which `equal(context, last that passed, value)` is true. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_until_changed_by(
    sgk_signal *signal, sgk_equal_fn equal, void *context, sgk_destroy_fn destroy);

/** Passes the events of a source that emits from several threads, or from inside its own callbacks, one at a time: a
 * plain chain does not queue, this does. An event that comes while another is being delivered is delivered after it, by
 * whoever is at it. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_serialized(sgk_signal *signal);

/* ---- Folding ---- */

/** Makes the next accumulated value of the last one and a value. What it returns becomes the library's:
 * `sgk_value_retain(accumulated)` to leave it as it is. */
typedef sgk_value (*sgk_reduce_fn)(void *context, sgk_value accumulated, sgk_value value);

/** Folds all values into one with `reduce`, beginning with `initial`, and emits it at completion, also when there were
 * no values. An error drops it. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce_left(
    sgk_signal *signal, sgk_value initial, sgk_reduce_fn reduce, void *context, sgk_destroy_fn destroy);

/** What a step of sgk_signal_reduce_left_emitting emits into. Valid during the call that it is given to, on its thread;
 * not a handle. */
typedef struct sgk_emitter sgk_emitter;

/** As sgk_reduce_fn; what it gives to sgk_emitter_next is emitted at once. */
typedef sgk_value (*sgk_reduce_emitting_fn)(
    void *context, sgk_value accumulated, sgk_value value, sgk_emitter *emitter);

/** As sgk_signal_reduce_left, beginning with `initial`, with steps (`reduce`) that can emit beside accumulating. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce_left_emitting(
    sgk_signal *signal, sgk_value initial, sgk_reduce_emitting_fn reduce, void *context, sgk_destroy_fn destroy);

/** Emits `value` from inside a step. After disposal it is dropped. */
SGK_API sgk_status sgk_emitter_next(sgk_emitter *emitter, sgk_value value);

/** Emits every accumulated value: what `reduce` makes of the last one, at first `initial`, and each value. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_scan(
    sgk_signal *signal, sgk_value initial, sgk_reduce_fn reduce, void *context, sgk_destroy_fn destroy);

/** Emits each value but the first together with the one before it, as an array of two. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_pairwise(sgk_signal *signal);

/** Emits each value together with its number, from 0 on, as an array of an int and the value. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_enumerated(sgk_signal *signal);

/** Emits all values as one array, at completion, also when there were none; an error drops them. At most `limit` (1 or
 * more, or SGK_UNBOUNDED) are kept; what comes then goes by `overflow`. Nobody takes values out before the end, so
 * SGK_OVERFLOW_SUSPEND is an error. `error` is what SGK_OVERFLOW_ERROR fails with, at once, otherwise it does not
 * matter; `counter` may be NULL. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_to_array(
    sgk_signal *signal, int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter);

/** Passes the values that have not come before, as sgk_value_equal says. At most `limit` (1 or more, or SGK_UNBOUNDED)
 * are remembered; one that finds no room then goes by `overflow`: SGK_OVERFLOW_DROP_OLDEST forgets the oldest,
 * SGK_OVERFLOW_KEEP_LATEST all others, and SGK_OVERFLOW_DROP_NEWEST does not remember it: it passes, and what is
 * forgotten can come again. With SGK_OVERFLOW_ERROR the run fails with `error`, which otherwise does not matter;
 * SGK_OVERFLOW_SUSPEND is an error, as nobody makes room. `counter` is told how many are forgotten; it may be NULL.
 * Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct(
    sgk_signal *signal, int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter);

/** As sgk_signal_distinct (also as to `limit`, `overflow`, `error` and `counter`), going by what `key(context, value)`
 * makes of the values. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_by(
    sgk_signal *signal, int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter,
    sgk_map_fn key, void *context, sgk_destroy_fn destroy);

/* ---- Functions that can fail ---- */

/** Makes a value of a value and stores it in `*result` (null before), or fails: with any status but SGK_OK the run ends
 * with what is stored there as its error, or with the status, as an int, if nothing is. What is stored becomes the
 * library's in any case. */
typedef sgk_status (*sgk_try_map_fn)(void *context, sgk_value value, sgk_value *result);
/** Says in `*passes` (false before) whether a value is to pass, or fails as a sgk_try_map_fn does, with what it stores
 * in `*error`. */
typedef sgk_status (*sgk_try_filter_fn)(void *context, sgk_value value, bool *passes, sgk_value *error);

/** Emits what `map` stores for each value. When that fails, so does the run: the source is stopped. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_try_map(
    sgk_signal *signal, sgk_try_map_fn map, void *context, sgk_destroy_fn destroy);

/** Passes the values that `filter` lets pass. When that fails, so does the run: the source is stopped. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_try_filter(
    sgk_signal *signal, sgk_try_filter_fn filter, void *context, sgk_destroy_fn destroy);

/* ---- Events as values ---- */

/** An event as a value is an array of two: one of these numbers, as an int, and the value or the error (null for the
 * end). */
typedef enum sgk_event_kind {
    SGK_EVENT_NEXT = 0,      /**< A value. */
    SGK_EVENT_ERROR = 1,     /**< The end, with an error. */
    SGK_EVENT_COMPLETED = 2  /**< The end without one. */
} sgk_event_kind;

/** The event of a value as a value; the caller owns it. */
SGK_API SGK_OWNED sgk_value sgk_event_make_next(sgk_value value);

/** The event of an error as a value; the caller owns it. */
SGK_API SGK_OWNED sgk_value sgk_event_make_error(sgk_value error);

/** The event of completion as a value; the caller owns it. */
SGK_API SGK_OWNED sgk_value sgk_event_make_completed(void);

/** Makes values of the events: each becomes such an array, the end too; then the result completes. It never fails.
 * Serial. (In Rx this is `materialize`, in SwiftSignalKit `dematerialize`.) */
SGK_API SGK_OWNED sgk_signal *sgk_signal_to_events(sgk_signal *signal);

/** Makes events of such arrays, the reverse of sgk_signal_to_events. A signal that ends without an event of an end ends
 * the result in the same way. A value that is no event ends it with that value as the error. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_from_events(sgk_signal *signal);

SGK_END

#endif
