/** @file
 * Pipes: sources that are fed by hand.
 */
#ifndef SIGNALKIT_PIPE_H
#define SIGNALKIT_PIPE_H

#include "signal.h"

SGK_BEGIN

/** A source that is fed by hand; what is put in reaches everybody who listens then. Nothing is kept. */
SGK_HANDLE(sgk_pipe)

/** A new pipe. */
SGK_API sgk_pipe *sgk_pipe_create(void);

/** Its signal, which never ends and never fails. Neither the signal nor a run keeps the pipe: when its last reference goes, the runs
 * are let go without an event, and starting the signal afterwards gives a run without events. */
SGK_API sgk_signal *sgk_pipe_signal(sgk_pipe *pipe);

/** Delivers a value to those who listen now, in the order of their starts, on the calling thread; when another value is being delivered (by
 * another thread, or further up this one), that one's deliverer does it afterwards. */
SGK_API sgk_status sgk_pipe_next(sgk_pipe *pipe, sgk_value value);

SGK_END

#endif
