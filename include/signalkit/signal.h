/** @file
 * Signals: cold streams of values, their subscribers, and the functions that start them.
 * @since 1.0
 */
#ifndef SIGNALKIT_SIGNAL_H
#define SIGNALKIT_SIGNAL_H

#include "queue.h"

SGK_BEGIN

/** An immutable description of a stream of values. Each start creates an independent subscription.
 *
 * Create a signal with sgk_signal_create or a source (sources.h), derive others with operators (operators.h), and start
 * the last one with sgk_signal_start. A signal is cold: two starts call its generator, and each upstream operator,
 * twice. Pipes and promises are hot.
 *
 * A signal has at most 500 stages, because an event passes through all of them on one stack. An operator on a signal
 * with 500 stages fails with SGK_ERROR_ARGUMENT. Up to 128 neighbouring operators without state (maps, filters,
 * transforms and the like) count as one stage. sgk_signal_concat_with does not count, at any depth.
 * The longest chain needs half a mebibyte of stack, which is more than a thread of musl has by default.
 *
 * Signals that callbacks return during a subscription do not count either. If sgk_signal_switch_map or
 * sgk_signal_deferred nests them without limit, each level needs memory but no stack. When half of the stack is used,
 * their events are deferred (docs/contract.md). Then a callback that emits into another source may return before its
 * value has arrived. On the stack of a coroutine each level uses up to one kilobyte.
 */
SGK_HANDLE(sgk_signal)

/** The object through which a generator emits into one subscription. */
SGK_HANDLE(sgk_subscriber)

/* ---- Creating signals ---- */

/** Starts the source of one subscription. It emits into `subscriber` during the call or later, from any thread.
 *
 * @return  A disposable that stops the source, or NULL if nothing is to be stopped. The library takes it over, and
 *          disposes it exactly once: when the subscription ends or is disposed. A handle of another type is recorded
 *          as an error and not released.
 *
 * NULL never fails the subscription. If a call inside the function has failed, call sgk_subscriber_error.
 *
 * Ownership: `subscriber` is borrowed for the call. Retain it to emit after the function has returned.
 */
typedef sgk_disposable *(*sgk_generator_fn)(void *context, sgk_subscriber *subscriber);

/** Creates a signal that calls `generator(context, subscriber)` for each start.
 *
 * Thread: `generator` is called on the starting thread, before the start returns.
 * Ownership: `destroy` runs when the signal, all signals that use it, and their subscriptions are released.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_create(sgk_generator_fn generator, void *context, sgk_destroy_fn destroy);

/** Creates a signal that emits one value and completes during the start. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_just(sgk_value value);

/** Creates a signal that completes during the start. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_empty(void);

/** Creates a signal that fails with `error`, which may be any value, during the start. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_fail(sgk_value error);

/** Creates a signal that never emits, completes or fails. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_never(void);

/** Returns a value that contains and retains the signal, for signals of signals. */
SGK_API SGK_OWNED sgk_value sgk_signal_value(sgk_signal *signal);

/** Returns the signal that a value contains.
 *
 * @return  A new reference to the signal, or NULL if the value contains no signal (SGK_ERROR_KIND).
 */
SGK_API SGK_OWNED sgk_signal *sgk_to_signal(sgk_value value);

/* ---- Emitting ---- */

/** Emits `value`.
 *
 * @return  SGK_OK if the subscription is still active after the call; SGK_ERROR_ENDED if it has ended or was disposed,
 *          before this value or because of it. SGK_ERROR_ENDED leaves the last error unchanged. A generator that emits
 *          in a loop stops then.
 *
 * Thread: callbacks run on the calling thread.
 */
SGK_API sgk_status sgk_subscriber_next(sgk_subscriber *subscriber, sgk_value value);

/** Fails the subscription with `error`, which may be any value.
 *
 * @return  SGK_OK; SGK_ERROR_ENDED if the subscription has already ended.
 */
SGK_API sgk_status sgk_subscriber_error(sgk_subscriber *subscriber, sgk_value error);

/** Completes the subscription.
 *
 * @return  SGK_OK; SGK_ERROR_ENDED if the subscription has already ended.
 */
SGK_API sgk_status sgk_subscriber_complete(sgk_subscriber *subscriber);

/** Reports whether the subscription is active. It is inactive after its terminal event and after its disposal. */
SGK_API bool sgk_subscriber_is_active(sgk_subscriber *subscriber);

/** Returns whether a stage asks for a pause. After the end it returns false.
 *
 * A stage asks for a pause if a buffer with SGK_OVERFLOW_PAUSE is full, or if the program holds the subscription
 * (sgk_disposable_hold). A generator that goes on loses no value, but its values exceed the limit, or a second policy
 * decides about them. An iterator (sgk_signal_from_iterator) pauses by itself.
 */
SGK_API bool sgk_subscriber_is_paused(sgk_subscriber *subscriber);

/** Calls `resumed(context)` once on `queue`, as soon as no stage asks for a pause.
 *
 * If none does so now, the call enqueues `resumed` at once. So no resumption is missed after sgk_subscriber_is_paused.
 * The end and the disposal of the subscription also count as a resumption.
 *
 * @return  SGK_OK, or an error of a wrong argument.
 *
 * Ownership: the callback does not retain the subscriber. If the last reference to the subscriber is released, or if
 * the queue ends before, `resumed` is not called, and `context` is destroyed.
 * Thread: `resumed` runs on `queue`, never inside this call.
 */
SGK_API sgk_status sgk_subscriber_on_resume(
    sgk_subscriber *subscriber, sgk_work_fn resumed, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Keeps `object` until the subscription ends or is disposed, and then calls `destroy(object)`.
 *
 * If the last reference to the subscriber is released earlier, `destroy` is called at that moment. An object that is
 * added after the end is destroyed with the subscriber.
 *
 * Order: `destroy` is called after the source has been disposed.
 */
SGK_API sgk_status sgk_subscriber_keep_alive(sgk_subscriber *subscriber, void *object, sgk_destroy_fn destroy);

/** Calls `action(context)` once when the subscription ends or is disposed.
 *
 * If it has already ended or was disposed, the call happens immediately.
 *
 * Thread: the thread that ends or disposes the subscription. It does not wait for a running generator, so `action` can
 * wake a generator that blocks.
 * Order: after the callback of the terminal event; before the generator's disposable is disposed.
 */
SGK_API sgk_status sgk_subscriber_on_dispose(
    sgk_subscriber *subscriber, sgk_action_fn action, void *context, sgk_destroy_fn destroy);

/* ---- Results of callbacks ---- */

/** Returns the value to emit, or the result of sgk_unchanged, sgk_dropped, sgk_failed, sgk_last or sgk_completed.
 *
 * The result may be the argument or a part of it: a borrowed value (SGK_LENT) is retained.
 *
 * A result with an unknown sgk_outcome fails the subscription. The library does not release such a value.
 */
typedef sgk_value (*sgk_map_fn)(void *context, sgk_value value);

/** The result of a callback, in the field `reserved` of the value that it returns. */
typedef enum sgk_outcome {
    SGK_OUTCOME_REPLACED = 0,   /**< The returned value is emitted. */
    SGK_OUTCOME_UNCHANGED = 16, /**< The received value is emitted. */
    SGK_OUTCOME_DROPPED = 17,   /**< Nothing is emitted. */
    SGK_OUTCOME_FAILED = 18,    /**< The subscription fails with the returned value. */
    SGK_OUTCOME_LAST = 19,      /**< The returned value is emitted, then the subscription completes. */
    SGK_OUTCOME_COMPLETED = 20  /**< The subscription completes. */
} sgk_outcome;

/** Returns the result of a callback that emits its argument unchanged. */
static inline sgk_value sgk_unchanged(void) {
    sgk_value value = {SGK_NULL, SGK_OUTCOME_UNCHANGED, 0};
    return value;
}

/** Returns the result of a callback that drops its argument. */
static inline sgk_value sgk_dropped(void) {
    sgk_value value = {SGK_NULL, SGK_OUTCOME_DROPPED, 0};
    return value;
}

/** Returns the result of a callback that disposes the source and fails the subscription with `error`.
 *
 * Ownership: `error` becomes the library's, unless it is borrowed (SGK_LENT).
 */
static inline sgk_value sgk_failed(sgk_value error) {
    error.reserved = (error.reserved & SGK_LENT) | (uint32_t)SGK_OUTCOME_FAILED;
    return error;
}

/** Returns the result of a callback that emits `value`, completes the subscription and disposes the source.
 *
 * Ownership: `value` becomes the library's, unless it is borrowed (SGK_LENT).
 */
static inline sgk_value sgk_last(sgk_value value) {
    value.reserved = (value.reserved & SGK_LENT) | (uint32_t)SGK_OUTCOME_LAST;
    return value;
}

/** Returns the result of a callback that completes the subscription and disposes the source. */
static inline sgk_value sgk_completed(void) {
    sgk_value value = {SGK_NULL, SGK_OUTCOME_COMPLETED, 0};
    return value;
}

/* ---- Starting ---- */

/** Receives a value. */
typedef void (*sgk_next_fn)(void *context, sgk_value value);
/** Receives the error that ended the subscription. */
typedef void (*sgk_error_fn)(void *context, sgk_value error);
/** Receives the completion. */
typedef void (*sgk_completed_fn)(void *context);
/** Receives the subscription's disposable before the generator is called.
 *
 * Use it to dispose a subscription whose source emits during the start.
 *
 * Ownership: `subscription` is borrowed, and is the handle that the start returns later. It lives as long as that one;
 * retain it to keep it longer.
 */
typedef void (*sgk_started_fn)(void *context, sgk_disposable *subscription);

/** The callbacks of a subscription. Each of them may be NULL.
 *
 * Thread: the emitting thread, or the queue of the last operator that changes it.
 */
typedef struct sgk_handlers {
    size_t size;            /**< sizeof(sgk_handlers) */
    void *context;          /**< The first argument of each callback. */
    sgk_destroy_fn destroy; /**< Called with `context` after the last call of every callback. */
    sgk_next_fn next;       /**< Receives each value. */
    /** Receives the error. If it is NULL, the handler of sgk_set_unhandled_error_handler receives the error.
     * sgk_ignore_error ignores it. */
    sgk_error_fn error;
    sgk_completed_fn completed; /**< Receives the completion. */
    sgk_started_fn started;     /**< Receives the subscription's disposable before the first event. */
    /** Replaces `next` with a callback that can end the subscription, by sgk_failed(error), sgk_last(value) or
     * sgk_completed(). A returned value is released. sgk_unchanged() is the fastest result. */
    sgk_map_fn receive;
} sgk_handlers;

/** The initializer of a sgk_handlers without callbacks. */
#define SGK_HANDLERS_INIT \
    { sizeof(sgk_handlers), NULL, NULL, NULL, NULL, NULL, NULL, NULL }

#ifndef __cplusplus
/** Passes handlers as an argument: `sgk_signal_start(s, SGK_HANDLERS(.next = show, .context = page))`. A part without a
 * value is NULL. The struct lives until the end of the block. */
#define SGK_HANDLERS(...) (&(sgk_handlers){.size = sizeof(sgk_handlers), __VA_ARGS__})
#endif

/** Implements SGK_STAGE. */
#define SGK_FIRST_(first, ...) first

/** Replaces the signal in a variable by the same signal with one more stage.
 *
 * `SGK_STAGE(take, s, 3)` is `sgk_signal_replace(&s, sgk_signal_take(s, 3))`. If the stage fails, the variable contains
 * NULL, which passes through the following stages.
 *
 * @param name  The function without `sgk_signal_`. The variable, which is evaluated twice, and the other arguments of
 *              the function follow.
 */
#define SGK_STAGE(name, ...) sgk_signal_replace(&SGK_FIRST_(__VA_ARGS__, ), sgk_signal_##name(__VA_ARGS__))

/** Starts a subscription.
 *
 * The generator runs before the call returns. When the subscription has ended or was disposed, its context is destroyed
 * as soon as no callback runs.
 *
 * @param handlers  Copied. May be NULL, for a subscription without callbacks. A wrong size is an error.
 * @return          A disposable that stops the subscription. Releasing it does not stop the subscription.
 *
 * Order: if another thread emits into the source during the start, the starting thread may deliver those events. Then
 * the call returns when no event is pending. To dispose such a subscription early, use `started`.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_signal_start(sgk_signal *signal, const sgk_handlers *handlers);

/** Starts a subscription that sgk_disposable_dispose_and_wait accepts.
 *
 * It is like sgk_signal_start, but after the disposal no callback starts on any thread. Each event costs slightly more.
 *
 * @param handlers  As in sgk_signal_start.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_signal_start_waitable(sgk_signal *signal, const sgk_handlers *handlers);

/** Creates a subscriber without a signal, for bridges and for tests of generators.
 *
 * Events that are emitted into it reach `handlers`, according to the same rules. `started` is not called.
 *
 * @param handlers  As in sgk_signal_start.
 */
SGK_API SGK_OWNED sgk_subscriber *sgk_subscriber_create(const sgk_handlers *handlers);

/** Starts a subscription with one callback, `next(context, value)`, which must not be NULL.
 *
 * It is like sgk_signal_start in every other respect.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_signal_start_next(
    sgk_signal *signal, sgk_next_fn next, void *context, sgk_destroy_fn destroy);

/* ---- Unhandled errors ---- */

/** Receives an error of a subscription without an error callback, once per subscription.
 *
 * @param error  Borrowed for the call.
 * @param name   The name of the signal (sgk_signal_named), borrowed for the call, or NULL.
 *
 * Thread: the thread that emitted the error.
 */
typedef void (*sgk_unhandled_error_fn)(void *context, sgk_value error, const char *name);

/** Sets the function that receives the errors of subscriptions without an error callback.
 *
 * There is one handler per process.
 *
 * @param handler  If NULL, each such error is a line in the log again.
 *
 * Ownership: the previous handler's `destroy` runs after its last call.
 */
SGK_API void sgk_set_unhandled_error_handler(sgk_unhandled_error_fn handler, void *context, sgk_destroy_fn destroy);

/** Does nothing. As an error callback it ignores the error: `handlers.error = sgk_ignore_error`. */
SGK_API void sgk_ignore_error(void *context, sgk_value error);

SGK_END

#endif
