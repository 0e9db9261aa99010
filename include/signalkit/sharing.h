/** @file
 * One run for many listeners, and many runs one after another.
 * @since 1.0
 */
#ifndef SIGNALKIT_SHARING_H
#define SIGNALKIT_SHARING_H

#include "signal.h"

SGK_BEGIN

/** Shares one run of the signal among all who listen at the same time: the first one starts it, the last one to leave disposes it, and after
 * that the next one starts it anew. There is no replay of values, but who comes after the end is told of the end. */
SGK_API sgk_signal *sgk_signal_multicast(sgk_signal *signal);

/** Shares one run of a signal per key among all who listen at the same time. */
SGK_HANDLE(sgk_multicast)

/** A new table of shared runs. */
SGK_API sgk_multicast *sgk_multicast_create(void);

/** The signal shared under `key` (copied; compared byte by byte; NULL is an error). Whoever is the first to start a signal of this key starts the
 * `signal` given with it; those of the others are not used. The last one to leave disposes the run; after that, or after its end, which everybody is
 * told of, the next one starts a fresh run. The result does not need the handle to stay. */
SGK_API sgk_signal *sgk_multicast_get(sgk_multicast *multicast, const char *key, sgk_signal *signal);

/** Runs signals one at a time, in the order in which they were started, whoever starts them. When the last reference goes, the signal that runs
 * is disposed and those that wait are let go; nobody is told. */
SGK_HANDLE(sgk_signal_queue)

/** A new, empty queue of signals. */
SGK_API sgk_signal_queue *sgk_signal_queue_create(void);

/** A signal that runs `signal` when its turn has come, each time that it is started. An error or a disposal ends that run, not the queue; a run
 * that is disposed while it waits does not start. */
SGK_API sgk_signal *sgk_signal_queue_enqueue(sgk_signal_queue *queue, sgk_signal *signal);

SGK_END

#endif
