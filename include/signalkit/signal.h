/** @file
 * Signals: cold streams of values. Making them, starting them.
 * @since 1.0
 */
#ifndef SIGNALKIT_SIGNAL_H
#define SIGNALKIT_SIGNAL_H

#include "queue.h"

SGK_BEGIN

/** A recipe for a stream of values, which runs anew for every start: two starts run the generator, and every operator
 * above, twice. Immutable.
 *
 * At most 500 stages can stand one behind another, as events go down the stack through all of them; an operator on a
 * signal that has so many fails with SGK_ERROR_ARGUMENT. Neighbouring maps, filters, transforms and the like count as
 * one, up to 128 of them; successors (sgk_signal_then) do not count, however they are nested; nor does what a callback
 * returns while the signal runs: a callback of sgk_signal_map_to_signal or sgk_signal_deferred that goes on returning
 * such signals needs memory for each, and no stack. (Where more than half of the stack is used, events take turns:
 * those that pass through so many signals are left to whoever has brought them that far. A callback that emits into
 * another source there may return before its value has arrived. On a stack that the program has made itself, as for a
 * coroutine, each level takes up to a kilobyte of it.) */
SGK_HANDLE(sgk_signal)

/** What a generator emits into: the upper end of a run. */
SGK_HANDLE(sgk_subscriber)

/* ---- Making signals ---- */

/** Emits into `subscriber`, now or later, from any thread. The subscriber is borrowed: retain it to emit after having
 * returned. Returns what stops the source, owned, or NULL for nothing; it is disposed exactly once, at the end or at
 * the disposal of the run. (A handle of another kind is left alone, with an error: the run then has nothing to
 * stop.) */
typedef sgk_disposable *(*sgk_generator_fn)(void *context, sgk_subscriber *subscriber);

/** A signal that calls `generator(context, subscriber)` for every start, inside it, on the starting thread. `destroy`
 * runs when the signal and all that are made of it are released and their runs are over. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_create(sgk_generator_fn generator, void *context, sgk_destroy_fn destroy);

/** A signal that emits one value and completes, inside the start. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_single(sgk_value value);

/** A signal that completes inside the start. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_complete(void);

/** A signal that fails with an error (any value) inside the start. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_fail(sgk_value error);

/** A signal that emits nothing and never ends. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_never(void);

/** A signal as a value, for signals of signals; it retains the signal. Of NULL null, with an error. */
SGK_API SGK_OWNED sgk_value sgk_signal_value(sgk_signal *signal);

/** The signal of such a value, owned: a handle of its own. Of any other kind NULL, with an error. */
SGK_API SGK_OWNED sgk_signal *sgk_value_signal(sgk_value value);

/* ---- Emitting ---- */

/** Emits `value`. Returns SGK_OK if the run is still active after that, and SGK_ERROR_ENDED if it has ended or was
 * disposed, before this value or by it (which is no mistake: it leaves the last error alone). A generator that emits in
 * a loop stops then. The callbacks run on the calling thread. */
SGK_API sgk_status sgk_subscriber_next(sgk_subscriber *subscriber, sgk_value value);

/** Ends the run with `error`, which may be any value. SGK_ERROR_ENDED when it had ended. */
SGK_API sgk_status sgk_subscriber_error(sgk_subscriber *subscriber, sgk_value error);

/** Ends the run. SGK_ERROR_ENDED when it had ended. */
SGK_API sgk_status sgk_subscriber_complete(sgk_subscriber *subscriber);

/** Whether values still arrive anywhere: false after the end and after disposal. False for NULL, with an error. */
SGK_API bool sgk_subscriber_is_active(sgk_subscriber *subscriber);

/** Holds `object` until the end or the disposal of the run, or until the last reference to the subscriber goes,
 * whichever is first; then calls `destroy(object)`, after the source has been disposed. What is given after the end
 * stays until the subscriber goes. */
SGK_API sgk_status sgk_subscriber_keep_alive(sgk_subscriber *subscriber, void *object, sgk_destroy_fn destroy);

/** Calls `action(context)` once when the run is torn down: at the end, after the callback of that, or at disposal,
 * before what the generator has returned is disposed, on whichever thread does it; now, if that has happened already.
 * It does not wait for the generator to return: one that blocks is woken by this. */
SGK_API sgk_status sgk_subscriber_on_dispose(
    sgk_subscriber *subscriber, sgk_action_fn action, void *context, sgk_destroy_fn destroy);

/* ---- Callbacks that can fail ---- */

/** Makes a value of a value, which becomes the library's; or says something else about it by sgk_unchanged, sgk_dropped
 * or sgk_failed. */
typedef sgk_value (*sgk_transform_fn)(void *context, sgk_value value);

/** What stands in the field `reserved` of the value that a transformation returns. */
typedef enum sgk_outcome {
    SGK_OUTCOME_REPLACED = 0,   /**< The value is emitted. */
    SGK_OUTCOME_UNCHANGED = 16, /**< What was given is passed on as it is. */
    SGK_OUTCOME_DROPPED = 17,   /**< Nothing is emitted. */
    SGK_OUTCOME_FAILED = 18     /**< The run ends with the value as its error. */
} sgk_outcome;

/** To be returned by a transformation: its value is passed on as it is. */
static inline sgk_value sgk_unchanged(void) {
    sgk_value value = {SGK_NULL, SGK_OUTCOME_UNCHANGED, 0};
    return value;
}

/** To be returned by a transformation: its value is dropped. */
static inline sgk_value sgk_dropped(void) {
    sgk_value value = {SGK_NULL, SGK_OUTCOME_DROPPED, 0};
    return value;
}

/** To be returned by a transformation: the run ends with `error`, which becomes the library's, and the source is
 * stopped. */
static inline sgk_value sgk_failed(sgk_value error) {
    error.reserved = SGK_OUTCOME_FAILED;
    return error;
}

/* ---- Starting ---- */

/** Receives a value. */
typedef void (*sgk_next_fn)(void *context, sgk_value value);
/** Receives the error that ended the run. */
typedef void (*sgk_error_fn)(void *context, sgk_value error);
/** Is told of the end. */
typedef void (*sgk_completed_fn)(void *context);
/** Is given the run's disposable before the generator runs, so that a source that emits inside the start can be
 * stopped. It is the handle that the start will return, and lives as long as that one; retain it to keep it longer. */
typedef void (*sgk_started_fn)(void *context, sgk_disposable *run);

/** The callbacks of a run. Any may be NULL. They run on the thread that emits, or where the last operator delivers. */
typedef struct sgk_handlers {
    size_t size;                /**< sizeof(sgk_handlers) */
    void *context;              /**< Given to each callback. */
    sgk_destroy_fn destroy;     /**< Called with `context` when none of them can be called any more. */
    sgk_next_fn next;           /**< Receives each value. */
    /** Receives the error that ends the run. NULL: see sgk_set_unhandled_error_handler, and sgk_ignore_error. */
    sgk_error_fn error;
    sgk_completed_fn completed; /**< Is told of the end without an error. */
    sgk_started_fn started;     /**< Is given the run's disposable, before anything is emitted. */
    /** As `next`, and in its place, for a callback that can fail: when it returns sgk_failed(error) the run is
     * disposed, and ends with that error. What else it returns does not matter; sgk_unchanged() is the quickest. */
    sgk_transform_fn receive;
} sgk_handlers;

/** What a sgk_handlers begins as. */
#define SGK_HANDLERS_INIT {sizeof(sgk_handlers), NULL, NULL, NULL, NULL, NULL, NULL, NULL}

/** Starts a run. `handlers` is copied; NULL starts it without callbacks, one of a wrong size is an error. The generator
 * runs before this returns. (Of a source that another thread is emitting into, the start may be the one that delivers
 * what comes meanwhile, and return when nothing waits: who must be able to stop that takes the run by `started`.)
 * Returns what stops the run; releasing that stops nothing. After disposal, and after the end, the callbacks' context
 * is destroyed as soon as no callback runs. */
SGK_API SGK_OWNED sgk_disposable *sgk_signal_start(sgk_signal *signal, const sgk_handlers *handlers);

/** As sgk_signal_start, with `signal` and `handlers`, for a run that sgk_disposable_dispose_and_wait can be called
 * with. Once its disposable is disposed no callback begins on any thread. Each event costs a little more for that. */
SGK_API SGK_OWNED sgk_disposable *sgk_signal_start_waitable(sgk_signal *signal, const sgk_handlers *handlers);

/** A subscriber of its own, outside any signal, with the same rules: what is emitted into it reaches the `handlers`,
 * which are copied. `started` is not called; NULL means without callbacks. For tests of generators, and for bridges. */
SGK_API SGK_OWNED sgk_subscriber *sgk_subscriber_create(const sgk_handlers *handlers);

/** Starts a run with a callback for values alone: `next(context, value)`, which must not be NULL. As sgk_signal_start
 * otherwise. */
SGK_API SGK_OWNED sgk_disposable *sgk_signal_start_next(
    sgk_signal *signal, sgk_next_fn next, void *context, sgk_destroy_fn destroy);

/* ---- Errors that nobody handles ---- */

/** Receives an `error` that has ended a run without an error callback, and the `name` of its signal (see
 * sgk_signal_named), or NULL. Both are borrowed for the call, which comes once a run, on the thread that brought the
 * error. */
typedef void (*sgk_unhandled_error_fn)(void *context, sgk_value error, const char *name);

/** Tells `handler` of errors that end a run without an error callback; NULL goes back to a line in the log for each.
 * There is one for the whole process. The former handler's `destroy` runs when no call of it can be running any
 * more. */
SGK_API void sgk_set_unhandled_error_handler(sgk_unhandled_error_fn handler, void *context, sgk_destroy_fn destroy);

/** Does nothing: the error callback of a run whose errors do not matter, `handlers.error = sgk_ignore_error`. */
SGK_API void sgk_ignore_error(void *context, sgk_value error);

SGK_END

#endif
