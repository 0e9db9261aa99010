/** @file
 * Operators that run signals in sequence, or run the same signal again: then, catch, repeat, retry.
 *
 * They run the signals in a loop: a million rounds over sources that end during their start need no more stack than
 * one.
 *
 * Order: serial (see operators.h).
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_SEQUENCE_H
#define SIGNALKIT_OPERATORS_SEQUENCE_H

#include "operators-inner.h"

SGK_BEGIN

/** Returns a signal (see sgk_map_to_signal_fn). */
typedef sgk_signal *(*sgk_deferred_fn)(void *context);

/** Creates a signal that calls `generator(context)` for each start, and starts the signal that it returns.
 *
 * Thread: `generator` is called on the starting thread.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_deferred(sgk_deferred_fn generator, void *context, sgk_destroy_fn destroy);

/** Switches to `next` when the signal has completed. The first error fails the result.
 *
 * Order: `next` is started before the first signal is disposed, unless that one ended during its start.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_concat_with(sgk_signal *signal, sgk_signal *next);

/** Switches to the signal that `f(context, error)` returns when the signal fails.
 *
 * Thread: `f` is called on the failing thread.
 * Order: the new signal is started before the failed one is disposed, unless that one ended during its start.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_catch(
    sgk_signal *signal, sgk_map_to_signal_fn f, void *context, sgk_destroy_fn destroy);

/** Returns the signal of the next round (see sgk_map_to_signal_fn), or NULL to end the loop.
 *
 * @param accumulated  Points to the accumulated value, borrowed for the call. It is NULL before the first value.
 */
typedef sgk_signal *(*sgk_once_fn)(void *context, const sgk_value *accumulated);

/** Runs the signals that `once(context, accumulated)` returns, one after another, and folds their values into one.
 *
 * The first value is the first accumulated value. `reduce(context, accumulated, value)` returns each further one, or
 * another result, as in sgk_signal_scan. The result emits each accumulated value. It completes when `once` returns
 * NULL. An error fails it.
 *
 * Thread: callbacks run one at a time, on the thread that emitted the value or completed the previous signal.
 */
SGK_API SGK_OWNED sgk_signal *sgk_accumulating_loop(
    sgk_once_fn once, sgk_reduce_fn reduce, void *context, sgk_destroy_fn destroy);

/** Runs `count` signals one after another, like several sgk_signal_concat_with.
 *
 * The next signal is started when the previous one has completed. The first error fails the result. Without signals the
 * result completes immediately.
 */
SGK_API SGK_OWNED sgk_signal *sgk_concat(sgk_signal *const *sources, size_t count);

/** Emits `value` during the start, before it starts the signal. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_start_with(sgk_signal *signal, sgk_value value);

/** Emits `value` when the signal has completed. An error drops it. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_end_with(sgk_signal *signal, sgk_value value);

/** Emits `value` if the signal completes without one. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_default_if_empty(sgk_signal *signal, sgk_value value);

/** Switches to `other` if the signal completes without a value.
 *
 * Order: `other` is started before the first signal is disposed, unless that one ended during its start.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_switch_if_empty(sgk_signal *signal, sgk_signal *other);

/** Emits `value` and completes when the signal fails. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_catch_and_return(sgk_signal *signal, sgk_value value);

/** Switches to `other` when the signal fails.
 *
 * Order: `other` is started before the failed signal is disposed, unless that one ended during its start.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_catch_with(sgk_signal *signal, sgk_signal *other);

/* ---- Repeat and retry ---- */

/** Runs the signal `count` times, one after another, until it fails or the subscription is disposed.
 *
 * @param count  0 or more, or SGK_UNBOUNDED. With 0 the result completes without starting the signal.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_repeat(sgk_signal *signal, int64_t count);

/** Decides about a failure of sgk_signal_retry. `failures` counts from 1.
 *
 * @param error  Borrowed for the call.
 * @return       A signal, which becomes the library's. Its first value starts the next attempt (sgk_signal_timer). If
 *               it fails, the result fails with its error. If it completes without a value (sgk_signal_empty), the
 *               result fails with `error`. NULL starts the next attempt after the wait of the policy. But if a call of
 *               the library has failed inside the callback, the result fails with that error.
 *
 * Thread: the failing thread.
 * Warning: do not return the same shared signal for each failure. If the next attempt fails inside its start, it joins
 * the signal that is being delivered, and waits for a further value.
 */
typedef sgk_signal *(*sgk_retry_fn)(void *context, sgk_value error, int64_t failures);

/** The number of seconds in `delay` of sgk_retry that means no wait. */
#define SGK_AT_ONCE (-1)

/** When sgk_signal_retry starts a signal again. A field that is 0 has its default. */
typedef struct sgk_retry {
    size_t size;      /**< sizeof(sgk_retry) */
    int64_t attempts; /**< The number of attempts, including the first one. 0: no limit. */
    double delay;     /**< The seconds before the second attempt. 0: 1 second. SGK_AT_ONCE: no wait. */
    double factor;    /**< Multiplies each further wait: 1 or more. 0: 2. */
    double increment; /**< Lengthens each further wait: seconds, 0 or more. */
    double max_delay; /**< The longest wait in seconds. 0: 60 seconds. */
    double jitter;    /**< From 0 to 1: the largest random change of a wait, as a part of it. */
    /** If an attempt lasted this many seconds or more, its failure counts as the first one. 0: the time of an attempt
     * does not matter. */
    double reset_after;
    uint64_t seed;          /**< The seed of the random changes, for tests. 0: another seed for each subscription. */
    bool reset_on_value;    /**< If true, the failure after a value counts as the first one. */
    sgk_retry_fn decide;    /**< Decides about each failure. NULL: start again after the wait. */
    void *context;          /**< The first argument of `decide`. */
    sgk_destroy_fn destroy; /**< Called with `context` after the last call of `decide`. */
} sgk_retry;

/** The initializer of a sgk_retry with the defaults. */
#define SGK_RETRY_INIT \
    { sizeof(sgk_retry), 0, 0, 0, 0, 0, 0, 0, 0, false, NULL, NULL, NULL }
#ifndef __cplusplus
/** A policy as an argument: `SGK_RETRY(.attempts = 5, .delay = 0.1)`. */
#define SGK_RETRY(...) (&(const sgk_retry){.size = sizeof(sgk_retry), __VA_ARGS__})
#endif

/** Starts the signal again each time it fails: by default after 1 second, then after twice as long each time.
 *
 * The error of the last attempt fails the result.
 *
 * @param policy  When it starts again. Copied. NULL: the defaults. A wrong size is an error.
 * @param queue   Its clock measures the waits. NULL: sgk_queue_concurrent_default.
 *
 * Thread: the first attempt is started on the starting thread, and an attempt after a wait on `queue`. Each other
 * attempt is started on the thread that emitted the failure or the first value of the signal that `decide` returned.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry(sgk_signal *signal, const sgk_retry *policy, sgk_queue *queue);

SGK_END

#endif
