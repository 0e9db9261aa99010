/** @file
 * Operators that pass a part of the values: the first, the last, those until some value. Callbacks run on the thread
 * that emits, one at a time where an operator is serial (see operators.h).
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_TAKING_H
#define SIGNALKIT_OPERATORS_TAKING_H

#include "operators-mapping.h"

SGK_BEGIN

/** Passes the first `count` values and completes right after the last of them; the source is stopped. 0 completes at
 * once, without starting the source; less is an error. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take(sgk_signal *signal, int64_t count);

/** What sgk_signal_take_until does about a value: pass it on, complete, both (in this order) or neither. */
typedef enum sgk_take_action {
    SGK_TAKE_NOTHING = 0,                  /**< Drop the value. */
    SGK_TAKE_PASSTHROUGH = 1,              /**< Pass it on. */
    SGK_TAKE_COMPLETE = 2,                 /**< Drop it, and complete. */
    SGK_TAKE_PASSTHROUGH_AND_COMPLETE = 3  /**< Pass it on, then complete. */
} sgk_take_action;

/** Says what is to be done about a value. */
typedef sgk_take_action (*sgk_take_until_fn)(void *context, sgk_value value);

/** Asks `until(context, value)` about each value: whether it passes, and whether the end comes (the source is stopped
 * then). Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_until(
    sgk_signal *signal, sgk_take_until_fn until, void *context, sgk_destroy_fn destroy);

/** Emits the last `count` values, or as many as there were, at completion, in their order. An error drops them; less
 * than 0 is an error. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_last(sgk_signal *signal, int64_t count);

/** Emits the last value, or null if there was none, at completion. An error drops it. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_last(sgk_signal *signal);

/** Passes the values as long as `filter(context, value)` is true, and completes at the first for which it is false,
 * which is dropped; the source is stopped. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_while(
    sgk_signal *signal, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** Drops the first `count` values and passes the rest; less than 0 is an error. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_skip(sgk_signal *signal, int64_t count);

/** Drops the values as long as `filter(context, value)` is true; the first for which it is false, and all that follow,
 * pass without a further question. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_skip_while(
    sgk_signal *signal, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** Passes the first value and completes right after it; the source is stopped. Where there is none, the end of the
 * source is the end. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_first(sgk_signal *signal);

/** Passes the first value and completes right after it; emits `value` when the signal completes without one. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_first_or(sgk_signal *signal, sgk_value value);

/** Drops the values until `until` has emitted one; that is stopped then. `until` is started first; its completion means
 * nothing (without a value before it, nothing ever passes), its error ends the result. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_skip_until_signal(sgk_signal *signal, sgk_signal *until);

/** Passes the values until `until` emits one, and completes then. `until` is started first: if it emits at once, the
 * signal is not started. Its completion means nothing, its error ends the result. Serial. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_until_signal(sgk_signal *signal, sgk_signal *until);

SGK_END

#endif
