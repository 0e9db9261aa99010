/** @file
 * Queues: where work runs. Timers. The main queue as a loop, or inside somebody else's loop.
 * @since 1.0
 */
#ifndef SIGNALKIT_QUEUE_H
#define SIGNALKIT_QUEUE_H

#include "disposable.h"

SGK_BEGIN

/** Runs work: in order and one at a time on a serial queue and on the main queue. */
SGK_HANDLE(sgk_queue)

/** Work for a queue. */
typedef void (*sgk_work_fn)(void *context);

/** A new serial queue with a thread of the pool whenever it has work. `name` (may be NULL) is copied, for debuggers.
 * Work that waits when the queue is released still runs. */
SGK_API sgk_queue *sgk_queue_create(const char *name);

/** The main queue, whose work runs on the main thread in sgk_main_run or sgk_main_drain. Always the same object,
 * returned owned. A program that sends work there and never runs it is told so, once: through the log when the main
 * thread has waited for something else for two seconds, or on stderr when the program ends. */
SGK_API sgk_queue *sgk_queue_main(void);

/** The process-wide concurrent queue of default priority; never current. Returned owned. */
SGK_API sgk_queue *sgk_queue_concurrent_default(void);

/** The process-wide concurrent queue of background priority; never current. Returned owned. */
SGK_API sgk_queue *sgk_queue_concurrent_background(void);

/** Whether the caller runs on this queue: inside its work, or, for the main queue, on the main thread. False for NULL,
 * with an error. */
SGK_API bool sgk_queue_is_current(sgk_queue *queue);

/** Runs `work(context)` on the queue: inline, before this returns, when it is current; otherwise later. SGK_ERROR_ENDED
 * and SGK_ERROR_SYSTEM as sgk_queue_dispatch. */
SGK_API sgk_status sgk_queue_async(sgk_queue *queue, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/** Runs `work(context)` on the queue and returns after it; inline when it is current. The work may run on the calling
 * thread itself, on the queue's behalf. Waiting for the main queue hangs when nobody runs it. On a thread pool that was
 * shut down, or a custom queue whose loop has ended: SGK_ERROR_ENDED, and nothing runs. SGK_ERROR_THREAD when the
 * caller is work that the queue's own work waits for, be it by way of other serial queues: it would wait for itself.
 * That is not seen where the way leads through a loop of your own or a thread of a pool of your own, nor where works
 * that began by themselves wait for each other's queues: as with locks taken in different orders, they hang.
 * SGK_ERROR_SYSTEM as sgk_queue_dispatch. */
SGK_API sgk_status sgk_queue_sync(sgk_queue *queue, sgk_work_fn work, void *context);

/** Runs `work(context)` on the queue later, never inline. SGK_ERROR_ENDED, and nothing runs, when what would run it has
 * ended: the thread pool was shut down, or the loop of the custom queue refuses. SGK_ERROR_SYSTEM when there is no
 * thread that could run it, and the system refuses one. */
SGK_API sgk_status sgk_queue_dispatch(sgk_queue *queue, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/** Runs `work(context)` on the queue in `seconds`, never inline, by a clock that stands still while the system sleeps.
 * 0 or less: as soon as the queue gets to it; infinity: never; NaN is an error, and so is a system that refuses the
 * threads for it (SGK_ERROR_SYSTEM). Returns what cancels it; releasing that cancels nothing. */
SGK_API sgk_disposable *sgk_queue_after(
    sgk_queue *queue, double seconds, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/* ---- Timers ---- */

/** Calls a function on a queue after some time, once or again and again. */
SGK_HANDLE(sgk_timer)

/** A timer that is not running yet, and will call `fire(context)` on `queue`. `seconds` is the time until it fires and,
 * with `repeat`, between firings; it must not be NaN, and must be more than 0 when it repeats, where less than a
 * microsecond counts as one. Firings that a busy queue misses become one. */
SGK_API sgk_timer *sgk_timer_create(
    double seconds, bool repeat, sgk_work_fn fire, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Starts it, or starts it anew. A running timer does not keep itself: releasing its last reference stops it.
 * SGK_ERROR_SYSTEM when there is no thread for it, and the system refuses one. */
SGK_API sgk_status sgk_timer_start(sgk_timer *timer);

/** Stops it. On its own queue it does not fire after this; from elsewhere one firing may be in progress. It can be
 * started again. */
SGK_API sgk_status sgk_timer_invalidate(sgk_timer *timer);

/** Ends a running timer by firing it: inline when its queue is current, otherwise later on its queue. A timer that does
 * not run does nothing. */
SGK_API sgk_status sgk_timer_fire_and_invalidate(sgk_timer *timer);

/** Changes the time to `seconds` (under the same conditions as in sgk_timer_create) and starts anew. */
SGK_API sgk_status sgk_timer_reset_timeout(sgk_timer *timer, double seconds);

/** Whether a firing is due. False for NULL, with an error. */
SGK_API bool sgk_timer_is_scheduled(sgk_timer *timer);

/** Seconds until the next firing, 0 if it is overdue; infinite when none is due, and for NULL, with an error. */
SGK_API double sgk_timer_remaining_time(sgk_timer *timer);

/** When it fires next, in seconds since 1970 by the clock on the wall; infinite before the first start (and for NULL,
 * with an error), 0 when no firing is due. */
SGK_API double sgk_timer_timeout_date(sgk_timer *timer);

/* ---- Idle ---- */

/** Waits, at most `seconds` (0 or more), until the queues and thread pools have no work left and have let go of what
 * there was: for a program that wants to look at sgk_live_total before it ends. On the main thread it also does the
 * main queue's work meanwhile; from elsewhere that must be done by whoever runs it. Timers that wait for their time,
 * what `sgk_queue_after` is to run, and the work of custom and virtual queues, which is their loop's affair, are not
 * waited for. SGK_ERROR_TIMEOUT
 * when there still is work at the end of the time, as there is from inside a queue's work. */
SGK_API sgk_status sgk_drain(double seconds);

/* ---- The main queue's loop ---- */

/** Runs the work of the main queue until sgk_main_stop. Main thread only (the thread that the process began with), and
 * not from inside the queue's own work: SGK_ERROR_THREAD. A stop that comes before the run makes it return at once. */
SGK_API sgk_status sgk_main_run(void);

/** Makes sgk_main_run return when the work that is running now has returned. Any thread; not from a signal handler. */
SGK_API sgk_status sgk_main_stop(void);

/** A file descriptor that is readable when the main queue has work: for a program with a loop of its own, which then
 * calls sgk_main_drain. Owned by the library: do not read or close it. Negative (a sgk_status) when the system
 * refuses. */
SGK_API int sgk_main_fd(void);

/** Runs what the main queue has to do by now, without waiting. Main thread only. */
SGK_API sgk_status sgk_main_drain(void);

SGK_END

#endif
