/** @file
 * Promises: hot sources that store their latest value and emit it to each new subscription.
 * @since 1.0
 */
#ifndef SIGNALKIT_PROMISE_H
#define SIGNALKIT_PROMISE_H

#include "signal.h"

SGK_BEGIN

/** A promise that follows a signal. It stores the latest value and emits it first to each new subscription.
 *
 * A terminal event of the source does not end the promise, and the value stays. (Swift has Promise for signals without
 * errors and Variable for the others. In C every signal can fail, so this type is both.)
 */
SGK_HANDLE(sgk_promise)

/** Creates a promise without a value. */
SGK_API SGK_OWNED sgk_promise *sgk_promise_create(void);

/** Creates a promise with a value. */
SGK_API SGK_OWNED sgk_promise *sgk_promise_create_value(sgk_value value);

/** Creates a promise that follows `signal` from its first subscription on.
 *
 * If sgk_promise_set is called before, `signal` is never started.
 */
SGK_API SGK_OWNED sgk_promise *sgk_promise_create_initialize_on_first_access(sgk_signal *signal);

/** Makes the promise follow `signal`.
 *
 * The promise drops its value and rejects every later value of the previous source. Then it starts `signal` and
 * disposes the previous source. If several calls are nested or concurrent, the last one wins.
 *
 * Thread: `signal` is started on the calling thread.
 * Ownership: the source does not retain the promise.
 */
SGK_API sgk_status sgk_promise_set(sgk_promise *promise, sgk_signal *signal);

/** Returns a signal that emits the stored value during the start, then each new value. It never ends.
 *
 * Ownership: the signal retains the promise. So does a subscription as long as a reference to its disposable exists.
 * When the promise is destroyed, it disposes its source and releases its subscriptions without a terminal event.
 */
SGK_API SGK_OWNED sgk_signal *sgk_promise_signal(sgk_promise *promise);

/** Sets a function that is called as `f(context)` when the promise is destroyed, before its source is disposed.
 *
 * @param f  May be NULL. Then no function is called.
 *
 * Thread: the thread that releases the last reference.
 * Ownership: the `destroy` of the previous function is called.
 */
SGK_API sgk_status sgk_promise_on_deinit(sgk_promise *promise, sgk_action_fn f, void *context, sgk_destroy_fn destroy);

/** A value that the program sets. Its signal emits the stored value first to each new subscription. */
SGK_HANDLE(sgk_state)

/** Creates a state without a value.
 *
 * @param ignore_repeated  If true, setting a value that equals the stored one (sgk_value_equal) does nothing.
 */
SGK_API SGK_OWNED sgk_state *sgk_state_create(bool ignore_repeated);

/** Creates a state with a value.
 *
 * @param ignore_repeated  As in sgk_state_create.
 */
SGK_API SGK_OWNED sgk_state *sgk_state_create_value(sgk_value value, bool ignore_repeated);

/** Sets `value` and delivers it to all subscriptions.
 *
 * Thread: the calling thread. If the promise is delivering another value at that moment, this function queues the new
 * one and returns, and the delivering thread delivers it.
 */
SGK_API sgk_status sgk_state_set(sgk_state *state, sgk_value value);

/** Returns the stored value, or null if there is none. */
SGK_API SGK_OWNED sgk_value sgk_state_value(sgk_state *state);

/** Computes a new value from `value` and stores it in `*result`.
 *
 * @return  SGK_OK. With any other status the state does not change.
 *
 * Ownership: `value` is borrowed. The stored value becomes the library's, unless it is borrowed (SGK_LENT).
 */
typedef sgk_status (*sgk_modify_fn)(void *context, sgk_value value, sgk_value *result);

/** Replaces the latest value with the result of `f(context, value, &result)`. `value` is null if there is no value.
 *
 * No change of another thread is lost, and no value is delivered after a newer one. If `f` sets a value in the same
 * state, that value takes effect immediately and is then replaced by the result of `f`.
 *
 * @return  The status of `f`. If it is not SGK_OK, nothing changes.
 *
 * Thread: `f` is called on the calling thread, without a lock, before the call returns. Therefore it has no `destroy`.
 * Order: if another thread sets a value during `f`, the result is dropped, and `f` is called again with the new value.
 */
SGK_API sgk_status sgk_state_modify(sgk_state *state, sgk_modify_fn f, void *context);

/** Returns a signal that emits the stored value during the start, then each value that is set. It never ends.
 *
 * Ownership: as in sgk_promise_signal.
 */
SGK_API SGK_OWNED sgk_signal *sgk_state_signal(sgk_state *state);

SGK_END

#endif
