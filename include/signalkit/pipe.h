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
 * @return  SGK_OK; SGK_ERROR_ENDED if the pipe has ended (the last error stays unchanged); SGK_ERROR_LEFT if a callback
 *          of the pipe did not return (rule 12).
 *
 * Thread: callbacks run on the calling thread, unless the pipe is delivering another event at that moment. Then this
 * function queues the value and returns, and the delivering thread delivers it.
 */
SGK_API sgk_status sgk_pipe_next(sgk_pipe *pipe, sgk_value value);

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
