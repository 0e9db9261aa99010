/** @file
 * Operators that join several signals: `count` of them, in an array. A NULL array with a count, and a NULL or a wrong
 * handle in it, are errors. The array itself is not kept. All are serial (see operators.h): one event at a time, on the
 * emitting threads.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_COMBINING_H
#define SIGNALKIT_OPERATORS_COMBINING_H

#include "operators-mapping.h"
#include "operators-timing.h"

SGK_BEGIN

/** Emits an array of the latest values of all `count` signals, in their order, for each value of any of them, once
 * every one has emitted. Completes when all have completed; the first error ends it. With a `queue` (may be NULL) what
 * the signals emit is processed and delivered there; otherwise on the emitting threads, one at a time. No signals: one
 * empty array, and the end. */
SGK_API SGK_OWNED sgk_signal *sgk_combine_latest(sgk_signal *const *sources, size_t count, sgk_queue *queue);

/** Makes a value, which becomes the library's, of `count` values, which are borrowed for the call, as is the array. */
typedef sgk_value (*sgk_map_array_fn)(void *context, const sgk_value *values, size_t count);

/** As sgk_combine_latest (also as to `count` and `queue`), with the value that `map(context, values, count)` makes of
 * the latest values instead of an array of them. Up to 64 signals, an event allocates nothing. */
SGK_API SGK_OWNED sgk_signal *sgk_combine_latest_map(sgk_signal *const *sources, size_t count, sgk_map_array_fn map,
    void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** sgk_combine_latest whose signals can have a value from the beginning. `initial_states` (may be NULL: none has)
 * points to `count` pointers, each to the value of a signal, or NULL for one without. When all have one, those are
 * emitted inside the start, before any signal is started: on the starting thread, also with a `queue`, on which all
 * that comes later is delivered. The values are retained. */
SGK_API SGK_OWNED sgk_signal *sgk_combine_signals(
    sgk_signal *const *sources, size_t count, const sgk_value *const *initial_states, sgk_queue *queue);

/** Starts all `count` signals, in their order, and passes every value of any of them on. Completes when all have
 * completed, without signals at once; the first error ends it. */
SGK_API SGK_OWNED sgk_signal *sgk_merge_signals(sgk_signal *const *sources, size_t count);

/** Emits an array of the first values of all `count` signals, in their order, then of the second ones, and so on. Of
 * each at most `limit` values (1 or more, or SGK_UNBOUNDED) wait for those of the others; what comes then goes by
 * `overflow`. SGK_OVERFLOW_SUSPEND is refused: the thread that would wait may be the one that brings the others.
 * `error` is what SGK_OVERFLOW_ERROR ends the run with, at once; otherwise it does not matter; `counter` may be NULL.
 * Completes as soon as one has completed of which no value waits, without signals at once; the first error ends it. */
SGK_API SGK_OWNED sgk_signal *sgk_zip(
    sgk_signal *const *sources, size_t count, int64_t limit, sgk_overflow overflow, sgk_value error,
        sgk_overflow_counter *counter);

/** As sgk_zip (also as to `count`, `limit`, `overflow`, `error` and `counter`), with the value that `map(context,
 * values, count)` makes instead of an array. */
SGK_API SGK_OWNED sgk_signal *sgk_zip_map(
    sgk_signal *const *sources, size_t count, int64_t limit, sgk_overflow overflow, sgk_value error,
        sgk_overflow_counter *counter,
    sgk_map_array_fn map, void *context, sgk_destroy_fn destroy);

/** Follows the first of `count` signals to send an event of any kind; the others are disposed before that is passed on.
 * They are started in their order; one that sends something at once wins, and those behind it are not started. Without
 * signals it completes at once. */
SGK_API SGK_OWNED sgk_signal *sgk_race(sgk_signal *const *sources, size_t count);

/* ---- A signal with another one beside it, which is started first: the completion of that means nothing,
    its error ends the result ---- */

/** Emits an array of each value and the latest one of `other`. Values that come before the first of `other` are
 * dropped. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_with_latest_from(sgk_signal *signal, sgk_signal *other);

/** As sgk_signal_with_latest_from, with the value that `map(context, values, 2)` makes of the value and the latest one
 * of `other` instead of an array. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_with_latest_from_map(
    sgk_signal *signal, sgk_signal *other, sgk_map_array_fn map, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
