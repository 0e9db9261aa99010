/** @file
 * Pipes: hot sources that a program emits into.
 * @since 1.0
 */
#ifndef SIGNALKIT_PIPE_H
#define SIGNALKIT_PIPE_H

#include "signal.h"

SGK_BEGIN

/** A hot source. It sends each value to the subscriptions that are active at that moment.
 *
 * A plain pipe stores nothing. A replaying pipe stores the latest value for new subscriptions.
 *
 * Order: one event at a time. An event that is sent during a delivery, on another thread or inside a callback, is
 * queued. The delivering thread delivers it next.
 */
SGK_HANDLE(sgk_pipe)

/** Creates a pipe.
 *
 * @return  The pipe, or NULL (SGK_ERROR_MEMORY).
 */
SGK_API SGK_OWNED sgk_pipe *sgk_pipe_create(void);

/** Creates a pipe that replays its latest value.
 *
 * A new subscription receives the latest value, if there is one, before the starting call returns.
 *
 * @return  The pipe, or NULL (SGK_ERROR_MEMORY).
 */
SGK_API SGK_OWNED sgk_pipe *sgk_pipe_create_replay(void);

/** Returns a signal that emits the events sent into the pipe.
 *
 * @return  The signal, or NULL (SGK_ERROR_NULL, SGK_ERROR_HANDLE, SGK_ERROR_MEMORY).
 *
 * Ownership: neither the signal nor a subscription retains the pipe. When the last reference to the pipe is released,
 * its subscriptions are released without a terminal event, and its latest value is destroyed. A subscription that
 * starts later receives nothing, or only the terminal event if the pipe had completed or failed.
 */
SGK_API SGK_OWNED sgk_signal *sgk_pipe_signal(sgk_pipe *pipe);

/** Sends `value` to all active subscriptions, in the order in which they were started.
 *
 * @return  SGK_OK; SGK_PAUSED if a subscription asks for a pause, and the value was accepted; SGK_ERROR_ENDED if the
 *          pipe has ended (the last error stays unchanged); SGK_ERROR_LEFT if a callback of the pipe did not return
 *          (rule 12).
 *
 * Thread: callbacks run on the calling thread, unless the pipe is delivering another event at that moment. Then this
 * function queues the value and returns, and the delivering thread delivers it.
 *
 * Pauses: a subscription asks for a pause if a buffer with SGK_OVERFLOW_PAUSE is full behind it. A program that sends
 * further values loses none, but they exceed the limit, or a second policy decides about them. sgk_pipe_on_resume tells
 * when it may continue.
 */
SGK_API sgk_status sgk_pipe_next(sgk_pipe *pipe, sgk_value value);

/** Returns whether a subscription of the pipe asks for a pause (see sgk_pipe_next). After the end it returns false. */
SGK_API bool sgk_pipe_is_paused(sgk_pipe *pipe);

/** Calls `resumed(context)` once on `queue`, as soon as no subscription of the pipe asks for a pause.
 *
 * If none does so now, or if the pipe has ended, the call enqueues `resumed` at once. So no resumption is missed after
 * sgk_pipe_next has returned SGK_PAUSED. The end of the pipe, and the end of the last paused subscription, also count
 * as a resumption.
 *
 * @return  SGK_OK, or an error of a wrong argument.
 *
 * Ownership: the callback does not retain the pipe. If the pipe is released, or if the queue ends before, `resumed` is
 * not called, and `context` is destroyed.
 * Thread: `resumed` runs on `queue`, never inside this call.
 */
SGK_API sgk_status sgk_pipe_on_resume(
    sgk_pipe *pipe, sgk_work_fn resumed, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Completes the pipe.
 *
 * Active subscriptions receive the completion after all values sent before. Subscriptions that start later receive it
 * immediately; from a replaying pipe they receive the latest value first. Values sent later are dropped. A pipe ends
 * once: completing or failing it again does nothing.
 *
 * @return  SGK_OK, also if the pipe has ended; SGK_ERROR_LEFT as in sgk_pipe_next.
 */
SGK_API sgk_status sgk_pipe_complete(sgk_pipe *pipe);

/** Fails the pipe. It behaves like sgk_pipe_complete in every other respect.
 *
 * @param error  Any value.
 */
SGK_API sgk_status sgk_pipe_error(sgk_pipe *pipe, sgk_value error);

SGK_END

#endif
