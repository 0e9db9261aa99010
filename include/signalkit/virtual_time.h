/** @file
 * Virtual time: queues whose clock moves only when it is told to, so that tests own the time.
 *
 *     SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
 *     SGK_AUTO(sgk_disposable) work = sgk_queue_after(queue, 86400, print, NULL, NULL);
 *     sgk_queue_advance(queue, 86400);     // a day; everything due in it runs now, in its order, in here
 *
 * Work runs inside sgk_queue_advance, sgk_queue_advance_to, sgk_queue_run and sgk_queue_sync, on the thread that calls
 * them, and nowhere else; the queue whose work runs is current meanwhile. Work may move the time on itself. While one
 * thread moves the time, another that tries to gets SGK_ERROR_THREAD. On a queue that is not virtual these functions
 * fail with SGK_ERROR_ARGUMENT.
 * @since 1.0
 */
#ifndef SIGNALKIT_VIRTUAL_TIME_H
#define SIGNALKIT_VIRTUAL_TIME_H

#include "queue.h"

SGK_BEGIN

/** A serial queue with a virtual clock of its own, at time 0; or, given another virtual queue, one beside it, with the
 * same clock. With the last handle of a queue of this clock what waits is let go, since nobody can move the time any
 * more; and so is what is put there later. */
SGK_API SGK_OWNED sgk_queue *sgk_queue_create_virtual(sgk_queue *beside);

/** The time of a queue's clock, in seconds from any fixed point; virtual clocks begin at 0. Any queue; NaN for NULL,
 * with an error. */
SGK_API double sgk_queue_now(sgk_queue *queue);

/** Moves the time on by `seconds`, which must be 0 or more and finite, running what becomes due on the way: each thing
 * at its time. */
SGK_API sgk_status sgk_queue_advance(sgk_queue *queue, double seconds);

/** Moves the time on to `time`, which must be finite. What is due by now runs in any case; the time never goes back. */
SGK_API sgk_status sgk_queue_advance_to(sgk_queue *queue, double time);

/** Runs until nothing waits, or `limit` (1 or more) things have run, for what repeats would go on for ever; the time
 * moves on as far as that takes. Returns how many things have run; a negative sgk_status when it fails. */
SGK_API int64_t sgk_queue_run(sgk_queue *queue, int64_t limit);

/** How much waits on the queue's clock, work and timers; a negative sgk_status when it fails. */
SGK_API int64_t sgk_queue_pending(sgk_queue *queue);

/** The system sleeps for `seconds`, 0 or more and finite: the clock on the wall, by which
 * sgk_signal_suspend_aware_delay goes, moves on, and the queue's does not. */
SGK_API sgk_status sgk_queue_suspend(sgk_queue *queue, double seconds);

SGK_END

#endif
