/** @file
 * Operators that go on with another signal, or with the same one again, at an end. All of them are serial (see
 * operators.h), and go on in a loop: a million rounds over sources that end inside their start need no more stack than
 * one.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_SEQUENCE_H
#define SIGNALKIT_OPERATORS_SEQUENCE_H

#include "operators-inner.h"

SGK_BEGIN

/** Returns a signal (see sgk_map_to_signal_fn). */
typedef sgk_signal *(*sgk_deferred_fn)(void *context);

/** A signal that calls `generator(context)` for each start, on the starting thread, and behaves as what that
 * returns. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_deferred(sgk_deferred_fn generator, void *context, sgk_destroy_fn destroy);

/** When the signal has completed, goes on with `next`, which is started before the first is disposed. The first error
 * ends it. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_then(sgk_signal *signal, sgk_signal *next);

/** When the signal fails, goes on with the signal that `f(context, error)` returns, which is started before the failed
 * one is disposed. `f` is called on the failing thread. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_catch(
    sgk_signal *signal, sgk_map_to_signal_fn f, void *context, sgk_destroy_fn destroy);

/** Returns the signal of the next round (see sgk_map_to_signal_fn), or NULL to end the loop. `accumulated` points to
 * the accumulated value, borrowed for the call. It is NULL before the first value. */
typedef sgk_signal *(*sgk_loop_fn)(void *context, const sgk_value *accumulated);

/** Runs the signals that `once(context, accumulated)` returns, one after another, until that is NULL, and folds all
 * their values into one by `reduce(context, accumulated, value)`: the first value of all is the beginning, and what has
 * been accumulated is emitted at each value. An error ends it. The callbacks are called one at a time, on the thread
 * that brought the value or ended the signal before. */
SGK_API SGK_OWNED sgk_signal *sgk_accumulating_loop(
    sgk_loop_fn once, sgk_reduce_fn reduce, void *context, sgk_destroy_fn destroy);

/** Runs `count` signals one after another, each when the one before has completed, as a row of sgk_signal_then does.
 * The first error ends it; without any it completes at once. */
SGK_API SGK_OWNED sgk_signal *sgk_concat(sgk_signal *const *sources, size_t count);

/** Emits `value` inside the start, before the signal is started. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_start_with(sgk_signal *signal, sgk_value value);

/** Emits `value` when the signal has completed. An error drops it. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_end_with(sgk_signal *signal, sgk_value value);

/** Emits `value` if the signal completes without one. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_default_if_empty(sgk_signal *signal, sgk_value value);

/** Goes on with `other` if the signal completes without a value; it is started before the first is disposed. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_switch_if_empty(sgk_signal *signal, sgk_signal *other);

/** When the signal fails, emits `value` and completes instead. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_catch_and_return(sgk_signal *signal, sgk_value value);

/* ---- Again ---- */

/** Starts the signal again each time it has completed, until it fails or the run is disposed. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_restart(sgk_signal *signal);

/** Runs the signal `count` times, each after the completion of the one before, until it fails. 0 completes at once,
 * without starting it; less is an error. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_repeat(sgk_signal *signal, int64_t count);

/** Starts the signal again each time it has failed, at once; never fails. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_restart_if_error(sgk_signal *signal);

/** Whether to start again after an error; if not, the error to fail with is stored in `*other` (null before). What is
 * stored becomes the library's in any case: `sgk_value_retain(error)` to fail with the same one. */
typedef bool (*sgk_restart_fn)(void *context, sgk_value error, sgk_value *other);

/** When the signal fails, starts it again at once, or fails with another error, as `condition` says. It is called on
 * the failing thread. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_restart_or_map_error(
    sgk_signal *signal, sgk_restart_fn condition, void *context, sgk_destroy_fn destroy);

/** When the signal fails, starts it again at once if `predicate(context, error)` is true, otherwise fails. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_if(
    sgk_signal *signal, sgk_filter_fn predicate, void *context, sgk_destroy_fn destroy);

/** When the signal fails, waits and starts it again, on `queue`; never fails. The first attempt is made on the starting
 * thread. The wait before the second attempt is `delay_increment` seconds; each further one is longer by as much, up to
 * `max_delay`. With `reset_on_value` a value makes the waits short again. The seconds must be 0 or more. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry(
    sgk_signal *signal, double delay_increment, double max_delay, bool reset_on_value, sgk_queue *queue);

/** As sgk_signal_retry (also as to `delay_increment`, `max_delay` and `queue`), after errors for which
 * `retry_on_error(context, error)` is true; any other ends the result. There are `max_retries` attempts in all: the
 * error of the last of them ends the result. With 0 or 1 the first error does; less than 0 is without limit. With
 * `reset_on_value` a value also makes the attempts uncounted. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_retry_on_error(sgk_signal *signal, double delay_increment, double max_delay,
    int64_t max_retries, bool reset_on_value, sgk_filter_fn retry_on_error, void *context, sgk_destroy_fn destroy,
    sgk_queue *queue);

/** How long sgk_signal_retry_backoff waits. */
typedef struct sgk_backoff {
    size_t size;    /**< sizeof(sgk_backoff) */
    double initial; /**< Seconds before the second attempt; 0 or more. */
    double factor;  /**< Each further wait is so many times as long; 1 or more. */
    double max;     /**< No wait is longer, in seconds. */
    double jitter;  /**< From 0 to 1: by which part of it each wait is made longer or shorter, by chance, at most. */
    uint64_t seed;  /**< Makes the chance the same in each run, for tests; 0 takes another for each. */
} sgk_backoff;

/** What a sgk_backoff begins as: a second, twice as long each time, up to a minute; without jitter. */
#define SGK_BACKOFF_INIT {sizeof(sgk_backoff), 1, 2, 60, 0, 0}

/** When the signal fails, waits as `backoff` says, which is copied, and starts it again, on `queue`. There are
 * `attempts` in all: the error of the last of them ends the result. With 0 or 1 the first error does; less than 0 is
 * without limit. With `reset_on_value` a value makes the waits short, and the attempts uncounted, again. */
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
