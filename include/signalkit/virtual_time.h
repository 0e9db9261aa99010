/** @file
 * Virtual time: queues whose clock advances only by calls, so that tests control the time.
 *
 *     SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
 *     SGK_AUTO(sgk_disposable) work = sgk_queue_after(queue, 86400, print, NULL, NULL);
 *     sgk_queue_advance(queue, 86400);     // a day; all work of that day runs now, in order, inside the call
 *
 * Work runs only inside sgk_queue_advance, sgk_queue_advance_to, sgk_queue_run and sgk_queue_sync, on the calling
 * thread. During the work its queue is current. Work may advance the time, too. While one thread advances the time, the
 * same call on another thread fails with SGK_ERROR_THREAD. If a queue is not virtual, the functions that require a
 * virtual clock fail with SGK_ERROR_ARGUMENT.
 * @since 1.0
 */
#ifndef SIGNALKIT_VIRTUAL_TIME_H
#define SIGNALKIT_VIRTUAL_TIME_H

#include "queue.h"

SGK_BEGIN

/** Creates a serial queue with a virtual clock, which starts at 0.
 *
 * When the last handle of the queues of a clock is released, nothing can advance the time. Then pending work and all
 * later work is dropped.
 *
 * @param beside  Another virtual queue, whose clock the new queue shares. May be NULL, for a new clock.
 */
SGK_API SGK_OWNED sgk_queue *sgk_queue_create_virtual(sgk_queue *beside);

/** Returns the time of a queue's clock, in seconds since a fixed point. A virtual clock starts at 0.
 *
 * @param queue  Any queue.
 * @return       NaN if `queue` is NULL.
 */
SGK_API double sgk_queue_now(sgk_queue *queue);

/** Advances the time by `seconds` and runs the work that expires on the way, each job at its time.
 *
 * @param seconds  0 or more, and finite.
 */
SGK_API sgk_status sgk_queue_advance(sgk_queue *queue, double seconds);

/** Advances the time to `time` and runs the work that expires on the way, each job at its time.
 *
 * If `time` is in the past, it only runs the work that has expired. The time never decreases.
 *
 * @param time  Finite.
 */
SGK_API sgk_status sgk_queue_advance_to(sgk_queue *queue, double time);

/** Runs work until none is pending, and advances the time as necessary.
 *
 * @param limit  The maximum number of jobs: 1 or more. Work that repeats would never end without it.
 * @return       The number of jobs that have run, or a negative sgk_status.
 */
SGK_API int64_t sgk_queue_run(sgk_queue *queue, int64_t limit);

/** Returns the number of pending jobs and timers on the queue's clock, or a negative sgk_status. */
SGK_API int64_t sgk_queue_pending(sgk_queue *queue);

/** Simulates a sleep of the system: advances the wall clock by `seconds`, but not the queue's clock.
 *
 * sgk_signal_suspend_aware_delay uses the wall clock.
 *
 * @param seconds  0 or more, and finite.
 */
SGK_API sgk_status sgk_queue_suspend(sgk_queue *queue, double seconds);

SGK_END

#endif
