/** @file
 * Pipes: sources that are fed by hand.
 * @since 1.0
 */
#ifndef SIGNALKIT_PIPE_H
#define SIGNALKIT_PIPE_H

#include "signal.h"

SGK_BEGIN

/** A source that is fed by hand; what is put in reaches everybody who listens then. Nothing is kept, unless it
 * replays. */
SGK_HANDLE(sgk_pipe)

/** A new pipe. */
SGK_API sgk_pipe *sgk_pipe_create(void);

/** A new pipe that remembers the latest value: who starts gets it, if there was one, inside the start. */
SGK_API sgk_pipe *sgk_pipe_create_replay(void);

/** Its signal, which ends by sgk_pipe_complete or sgk_pipe_error alone. Neither the signal nor a run keeps the pipe:
 * when its last reference goes, the runs are let go without an event, its latest value goes, and starting the signal
 * afterwards gives a run without events; but if the pipe has been completed, with the completion. */
SGK_API sgk_signal *sgk_pipe_signal(sgk_pipe *pipe);

/** Delivers `value` to those who listen now, in the order of their starts, on the calling thread; when another value is
 * being delivered (by another thread, or further up this one), that one's deliverer does it afterwards. SGK_ERROR_ENDED
 * when the pipe has been completed (which is no mistake: it leaves the last error alone). SGK_ERROR_LEFT when a
 * callback of it was left without return (rule 10). */
SGK_API sgk_status sgk_pipe_next(sgk_pipe *pipe, sgk_value value);

/** Ends the pipe: everybody who listens, and who starts later, is told of the completion, after the values put before.
 * What is put later goes nowhere. A second time does nothing. */
SGK_API sgk_status sgk_pipe_complete(sgk_pipe *pipe);

/** Ends the pipe with `error`: everybody who listens, and who starts later, is told, after the values put before. As
 * sgk_pipe_complete otherwise. */
SGK_API sgk_status sgk_pipe_error(sgk_pipe *pipe, sgk_value error);

SGK_END

#endif
