/** @file
 * Operators that process each value: mapping, filtering, folding, events as values.
 *
 * Callbacks run on the emitting thread. Two threads that emit simultaneously call them simultaneously, unless the
 * operator has "Order: serial" (see operators.h).
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_MAPPING_H
#define SIGNALKIT_OPERATORS_MAPPING_H

#include "overflow.h"
#include "signal.h"

SGK_BEGIN

/** Reports whether a value passes. */
typedef bool (*sgk_filter_fn)(void *context, sgk_value value);
/** Reports whether two values are the same. */
typedef bool (*sgk_equal_fn)(void *context, sgk_value last, sgk_value value);

/** Emits the result of `map(context, value)` for each value. The result can also drop the value or end the subscription
 * (see sgk_map_fn).
 *
 * sgk_failed, sgk_last and sgk_completed end only the subscription for which `map` was called.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map(sgk_signal *signal, sgk_map_fn map, void *context, sgk_destroy_fn destroy);

/** Passes the values for which `filter(context, value)` returns true. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_filter(
    sgk_signal *signal, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** Fails with the result of `map(context, error)` when the signal fails. It passes values and completion.
 *
 * With sgk_dropped or sgk_completed the result completes instead. With sgk_last(value) it emits a value and completes.
 * sgk_failed(other) is another error, like a returned value.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_map_error(
    sgk_signal *signal, sgk_map_fn map, void *context, sgk_destroy_fn destroy);

/** Drops all values and passes the terminal event. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_ignore_values(sgk_signal *signal);

/** Drops a value that equals (sgk_value_equal) the last one that passed.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_until_changed(sgk_signal *signal);

/** Drops a value for which `equal(context, last, value)` returns true. `last` is the last value that passed.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_until_changed_by(
    sgk_signal *signal, sgk_equal_fn equal, void *context, sgk_destroy_fn destroy);

/** Passes the events of a source one at a time.
 *
 * Use it for a source that emits on several threads or inside its own callbacks. Other operators do not queue such
 * events unless they are serial.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_serialized(sgk_signal *signal);

/* ---- Folding ---- */

/** Returns the next accumulated value, or sgk_unchanged, sgk_dropped, sgk_failed, sgk_last or sgk_completed.
 *
 * sgk_unchanged and sgk_dropped keep the old one. The others end the subscription.
 *
 * Ownership: a returned value becomes the library's, unless it is borrowed (SGK_LENT).
 */
typedef sgk_value (*sgk_reduce_fn)(void *context, sgk_value accumulated, sgk_value value);

/** Folds all values into one with `reduce`, and emits it when the signal completes.
 *
 * The fold starts with `initial`, which is emitted if there was no value. An error drops the accumulated value.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_reduce(
    sgk_signal *signal, sgk_value initial, sgk_reduce_fn reduce, void *context, sgk_destroy_fn destroy);

/** Folds the values with `reduce` and emits each accumulated value.
 *
 * The fold starts with `initial`, which is not emitted. With sgk_unchanged the old value is emitted again, with
 * sgk_dropped nothing is.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_scan(
    sgk_signal *signal, sgk_value initial, sgk_reduce_fn reduce, void *context, sgk_destroy_fn destroy);

/** Emits each value except the first in an array of two, after the previous value.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_pairwise(sgk_signal *signal);

/** Emits each value in an array of two, after its number, an int that counts from 0.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_enumerated(sgk_signal *signal);

/** Emits all values as one array when the signal completes.
 *
 * Without values the array is empty. An error drops the values.
 *
 * @param bound  Limits the stored values. SGK_OVERFLOW_ERROR fails the result immediately. SGK_OVERFLOW_SUSPEND is an
 *               error, because nothing frees space before the end. May be NULL.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_to_array(sgk_signal *signal, const sgk_bound *bound);

/** Passes each value that differs from all values that it remembers (sgk_value_equal).
 *
 * A value that is not remembered can pass again. If as many values as the limit are remembered, a new value passes, and
 * the policy decides which values are remembered:
 *
 * - SGK_OVERFLOW_DROP_OLDEST forgets the oldest value.
 * - SGK_OVERFLOW_KEEP_LATEST forgets all values except the new one.
 * - SGK_OVERFLOW_DROP_NEWEST does not remember the new value.
 * - SGK_OVERFLOW_ERROR drops the new value and fails the result.
 *
 * @param bound  Limits the remembered values. Its counter counts the values that were forgotten or not remembered.
 *               SGK_OVERFLOW_SUSPEND is an error, because nothing frees space. May be NULL.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct(sgk_signal *signal, const sgk_bound *bound);

/** Passes each value whose key differs from all keys that it remembers, like sgk_signal_distinct.
 *
 * @param bound  As in sgk_signal_distinct.
 * @param key    Returns the key of a value: `key(context, value)`. With sgk_unchanged the value is its own key. With
 *               sgk_dropped the value is dropped. sgk_failed and sgk_completed end the subscription, and sgk_last is an
 *               error.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_distinct_by(
    sgk_signal *signal, const sgk_bound *bound, sgk_map_fn key, void *context, sgk_destroy_fn destroy);

/* ---- Several functions as one stage ---- */

/** Creates the state of a subscription, which is the first argument of the other functions. */
typedef void *(*sgk_begin_fn)(void *context);
/** Receives the completion. It returns a value to emit first, or a result like a sgk_map_fn. */
typedef sgk_value (*sgk_stage_completed_fn)(void *state);
/** Stores the result of a sgk_map_fn in `*result`, which is null before. */
typedef void (*sgk_stage_store_fn)(void *state, sgk_value value, sgk_value *result);

/** Changes `*value`, or replaces it by a result of a sgk_map_fn other than sgk_unchanged.
 *
 * Ownership: the function owns `*value`, so sgk_value_make_writable copies it only if there are other references. It
 * releases the value if it replaces it. If it replaces an array by one of its elements, it retains the element before.
 */
typedef void (*sgk_stage_update_fn)(void *state, sgk_value *value);

/** Several functions of a program as one stage, with a state for each subscription.
 *
 * Every result is like that of a sgk_map_fn, and all of them can end the subscription.
 */
typedef struct sgk_stage {
    size_t size;            /**< sizeof(sgk_stage) */
    void *context;          /**< The argument of `begin`; that of all functions if `begin` is NULL. */
    sgk_destroy_fn destroy; /**< Called with `context` after the last subscription. May be NULL. */
    /** The operators in the stage, for descriptions. The strings and the array are not copied. */
    const char *const *names;
    size_t name_count;  /**< With 0 the stage is one operator. */
    sgk_begin_fn begin; /**< Called at each start. May be NULL. */
    sgk_destroy_fn end; /**< Called with the state after the last other call of the subscription. May be NULL. */
    sgk_map_fn next;    /**< Receives each value. NULL: `store` or `update` receives it, so one of the two is needed. */
    sgk_map_fn error;   /**< Receives the error, like the function of sgk_signal_map_error. NULL: passes it. */
    sgk_stage_completed_fn completed; /**< Receives the completion. NULL: passes it. */
    sgk_stage_store_fn store;         /**< Instead of `next`, for languages whose callbacks cannot return a struct. */
    sgk_stage_update_fn update;       /**< Instead of `next`, to change strings and bytes in place. */
} sgk_stage;

/** The initializer of a sgk_stage without functions. */
#define SGK_STAGE_INIT \
    { sizeof(sgk_stage), NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/** Runs several functions of a program as one stage. A binding can compose the operators of its language in this way.
 *
 * The operator counts as one of at most 500 stages for each name. With `next`, `store` or `update` alone it is an
 * operator without state, and joins its neighbours. If several of them are set, `next` precedes `store`, and `store`
 * precedes `update`.
 *
 * @param stage  Copied, except the names.
 *
 * Order: serial, unless `next`, `store` or `update` is the only function.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_stage(sgk_signal *signal, const sgk_stage *stage);

/* ---- Events as values ---- */

/** The kind of an event. An event as a value is an array of two: its kind, as an int, and the value or the error.
 *
 * For a completion the second element is null.
 */
typedef enum sgk_event_kind {
    SGK_EVENT_NEXT = 0,     /**< A value. */
    SGK_EVENT_ERROR = 1,    /**< An error. */
    SGK_EVENT_COMPLETED = 2 /**< The completion. */
} sgk_event_kind;

/** Returns an event as a value, for sgk_signal_from_events.
 *
 * @param value  The value or the error. A completion ignores it.
 */
SGK_API SGK_OWNED sgk_value sgk_event(sgk_event_kind kind, sgk_value value);

/** Emits each event, including the terminal event, as a value, then completes. It never fails.
 *
 * Rx calls this `materialize`, SwiftSignalKit `dematerialize`.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_to_events(sgk_signal *signal);

/** Emits the events that the values represent, the reverse of sgk_signal_to_events.
 *
 * If the signal ends before a value represents a terminal event, the result ends in the same way. If a value represents
 * no event, the result fails with that value.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_from_events(sgk_signal *signal);

SGK_END

#endif
