/** @file
 * Operators with side effects: they call a function at some event, and pass all events unchanged.
 *
 * Callbacks run on the thread of the event. Two threads that emit simultaneously call them simultaneously.
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_EFFECTS_H
#define SIGNALKIT_OPERATORS_EFFECTS_H

#include "signal.h"

SGK_BEGIN

/** Calls `f(context, value)` before it passes each value. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_next(
    sgk_signal *signal, sgk_next_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context, value)` after it has passed each value.
 *
 * It does so also if the value has ended or disposed the subscription.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_after_next(
    sgk_signal *signal, sgk_next_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context)` for each start, before it starts the signal. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_started(
    sgk_signal *signal, sgk_action_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context, error)` before it passes an error. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_error(
    sgk_signal *signal, sgk_error_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context)` before it passes the completion. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_before_completed(
    sgk_signal *signal, sgk_completed_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context)` after it has passed the completion and disposed the source.
 *
 * A source that completes during its start is disposed after that start, and so after the call.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_after_completed(
    sgk_signal *signal, sgk_completed_fn f, void *context, sgk_destroy_fn destroy);

/** Calls `f(context)` once for each subscription, after its source has been disposed because of an end or a disposal.
 *
 * A source that ends during its start is disposed when that start returns.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_after_disposed(
    sgk_signal *signal, sgk_action_fn f, void *context, sgk_destroy_fn destroy);

/** Names the signal. The handler of sgk_set_unhandled_error_handler receives the name with an error.
 *
 * The error must pass through this operator and reach the end of its subscription on the same thread. If several names
 * are on its way, the handler receives the last one.
 *
 * @param name  Copied. Must not be NULL.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_named(sgk_signal *signal, const char *name);

/** Writes lines to the log (sgk_set_log_handler) at the start, each event and the disposal: `name#7 next 42`.
 *
 * Each subscription has a different number. The line of an event is written before the event is passed. Long lines are
 * cut.
 *
 * @param name  Copied. Must not be NULL. It also names the signal, like sgk_signal_named.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_trace(sgk_signal *signal, const char *name);

SGK_END

#endif
