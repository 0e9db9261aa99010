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
typedef sgk_signal *(*sgk_loop_fn)(void *context, const sgk_value *accumulated);

/** Runs the signals that `once(context, accumulated)` returns, one after another, and folds their values into one.
 *
 * The first value is the first accumulated value. `reduce(context, accumulated, value)` returns each further one. The
 * result emits each accumulated value. It completes when `once` returns NULL. An error fails it.
 *
 * Thread: callbacks run one at a time, on the thread that emitted the value or completed the previous signal.
 */
SGK_API SGK_OWNED sgk_signal *sgk_accumulating_loop(
    sgk_loop_fn once, sgk_reduce_fn reduce, void *context, sgk_destroy_fn destroy);

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

/* ---- Repeat and retry ---- */

/** Starts the signal again each time it has completed, until it fails or the subscription is disposed. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_restart(sgk_signal *signal);

/** Runs the signal `count` times, one after another, until it fails.
 *
 * @param count  0 or more. With 0 the result completes without starting the signal.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_repeat(sgk_signal *signal, int64_t count);

/** Starts the signal again immediately each time it has failed. The result never fails. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_restart_if_error(sgk_signal *signal);

/** Returns true to start the signal again after an error; or stores the final error in `*other` and returns false.
 *
 * `*other` is null before. To fail with the same error, store `sgk_value_retain(error)`.
 *
 * Ownership: the stored value becomes the library's, whatever the function returns.
 */
typedef bool (*sgk_restart_fn)(void *context, sgk_value error, sgk_value *other);

/** Starts the signal again immediately when it fails, or fails with another error.
 *
 * `condition(context, error, &other)` decides.
 *
 * Thread: `condition` is called on the failing thread.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_restart_or_map_error(
    sgk_signal *signal, sgk_restart_fn condition, void *context, sgk_destroy_fn destroy);

/** Starts the signal again immediately when it fails, if `predicate(context, error)` returns true.
 *
 * If `predicate` returns false, the result fails.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_if(
    sgk_signal *signal, sgk_filter_fn predicate, void *context, sgk_destroy_fn destroy);

/** Starts the signal again after a delay each time it fails. The result never fails.
 *
 * @param delay_increment  The seconds before the second attempt: 0 or more. Each further delay is longer by this
 *                         number.
 * @param max_delay        The longest delay in seconds: 0 or more.
 * @param reset_on_value   If true, a value resets the delay to `delay_increment`.
 * @param queue            Its clock measures the delays.
 *
 * Thread: the first attempt is started on the starting thread, later attempts on `queue`.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry(
    sgk_signal *signal, double delay_increment, double max_delay, bool reset_on_value, sgk_queue *queue);

/** Starts the signal again after a delay if `retry_on_error(context, error)` returns true. Otherwise it fails.
 *
 * @param delay_increment  As in sgk_signal_retry.
 * @param max_delay        As in sgk_signal_retry.
 * @param max_retries      The number of attempts, including the first one. The error of the last attempt fails the
 *                         result. 0 or 1: the first error does. Less than 0: no limit.
 * @param reset_on_value   If true, a value resets the delay and the number of attempts.
 * @param queue            As in sgk_signal_retry.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_on_error(sgk_signal *signal, double delay_increment, double max_delay,
    int64_t max_retries, bool reset_on_value, sgk_filter_fn retry_on_error, void *context, sgk_destroy_fn destroy,
    sgk_queue *queue);

/** The delays of sgk_signal_retry_backoff. */
typedef struct sgk_backoff {
    size_t size;    /**< sizeof(sgk_backoff) */
    double initial; /**< The seconds before the second attempt: 0 or more. */
    double factor;  /**< The ratio of each further delay to the previous one: 1 or more. */
    double max;     /**< The longest delay in seconds. */
    double jitter;  /**< From 0 to 1: the largest random change of a delay, as a part of it. */
    uint64_t seed;  /**< The seed of the random changes, for tests. 0: a different seed for each subscription. */
} sgk_backoff;

/** The initializer of a sgk_backoff: 1 second, twice as long each time, at most 60 seconds, no jitter. */
#define SGK_BACKOFF_INIT {sizeof(sgk_backoff), 1, 2, 60, 0, 0}

/** Starts the signal again after a delay each time it fails, with exponential backoff.
 *
 * @param attempts        The number of attempts, including the first one. The error of the last attempt fails the
 *                        result. 0 or 1: the first error does. Less than 0: no limit.
 * @param backoff         The delays. Copied.
 * @param reset_on_value  If true, a value resets the delay and the number of attempts.
 * @param queue           Its clock measures the delays.
 *
 * Thread: the first attempt is started on the starting thread, later attempts on `queue`.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_backoff(
    sgk_signal *signal, int64_t attempts, const sgk_backoff *backoff, bool reset_on_value, sgk_queue *queue);

/** Returns the signal that triggers the next attempt after an `error` (see sgk_map_to_signal_fn). `number` counts the
 * failures from 1. */
typedef sgk_signal *(*sgk_retry_when_fn)(void *context, sgk_value error, int64_t number);

/** Starts the signal again after a failure, when a trigger emits.
 *
 * The trigger is the signal that `when(context, error, number)` returns. Its first value starts the next attempt. If it
 * fails, the result fails with its error. If it completes without a value, the result fails with the signal's error.
 *
 * Thread: `when` is called on the failing thread.
 * Order: the next attempt starts before the trigger is disposed, unless the trigger emits inside its own start.
 * Warning: do not return the same shared signal for each failure. If the next attempt fails inside its start, it joins
 * the trigger that is being delivered, and waits for a further value.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_when(
    sgk_signal *signal, sgk_retry_when_fn when, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
