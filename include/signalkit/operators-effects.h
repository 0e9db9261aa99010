/** @file
 * Operators that watch: they call back at some event, and pass everything on as it is. The callbacks run on the thread
 * on which the event happens; two threads that emit at once call them at once.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_EFFECTS_H
#define SIGNALKIT_OPERATORS_EFFECTS_H

#include "signal.h"

SGK_BEGIN

/** Calls `f(context, value)` with each value before it is passed on. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_next(
    sgk_signal *signal, sgk_next_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context, value)` with each value after it has been passed on, also when that has ended or disposed the
 * run. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_after_next(
    sgk_signal *signal, sgk_next_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context)` for each start, before the signal is started. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_started(
    sgk_signal *signal, sgk_action_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context, error)` before the error is passed on. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_error(
    sgk_signal *signal, sgk_error_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context)` before completion is passed on. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_completed(
    sgk_signal *signal, sgk_completed_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context)` after completion has been passed on and the source disposed (one that completes inside the start
 * is disposed after it). */
SGK_API SGK_OWNED sgk_signal *sgk_signal_after_completed(
    sgk_signal *signal, sgk_completed_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context)` once for each run when it is torn down, by disposal or an end: after the source has been disposed
 * (one that ends inside the start is disposed when that returns). */
SGK_API SGK_OWNED sgk_signal *sgk_signal_after_disposed(
    sgk_signal *signal, sgk_action_fn f, void *context, sgk_destroy_fn destroy);

/** What sgk_signal_with_state calls. Any but `initial_state` may be NULL; `state` is what that has returned for the
 * run. */
typedef struct sgk_state_handlers {
    size_t size;                                                         /**< sizeof(sgk_state_handlers) */
    void *context;                                                       /**< Given to each callback. */
    sgk_destroy_fn destroy; /**< Called with `context` when none can be called any more. */
    void *(*initial_state)(void *context); /**< Makes the state of a run, on the starting thread. */
    sgk_destroy_fn drop; /**< Called with the state when the run has let go of it. */
    void (*next)(void *context, void *state, sgk_value value);           /**< Before a value is passed on. */
    void (*error)(void *context, void *state, sgk_value error);          /**< Before the error is passed on. */
    void (*completed)(void *context, void *state);                       /**< Before completion is passed on. */
    void (*disposed)(void *context, void *state); /**< Once, as the callback of sgk_signal_after_disposed. */
} sgk_state_handlers;

/** What a sgk_state_handlers begins as. */
#define SGK_STATE_HANDLERS_INIT {sizeof(sgk_state_handlers), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}

/** Watches, with a state of its own for each run (the context of a callback is that of the signal, and shared by its
 * runs). `handlers` is copied. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_with_state(sgk_signal *signal, const sgk_state_handlers *handlers);

/** Gives `signal` a name: what sgk_set_unhandled_error_handler says of an error that goes through here, and on to the
 * end of its run on the same thread. Where several names stand in its way it is that of the last. `name` is copied;
 * NULL is an error. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_named(sgk_signal *signal, const char *name);

/** Writes a line to the log (see sgk_set_log_handler) for whatever happens to a run, before it is passed on: `name#7
 * next 42`. Each run has a number of its own. Long lines are cut. `name` is copied, and is that of sgk_signal_named as
 * well; NULL is an error. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_trace(sgk_signal *signal, const char *name);

SGK_END

#endif
