/** @file
 * Queues, timers, and the loop of the main queue.
 * @since 1.0
 */
#ifndef SIGNALKIT_QUEUE_H
#define SIGNALKIT_QUEUE_H

#include "disposable.h"

SGK_BEGIN

/** Runs work. A serial queue and the main queue run one job at a time, in order. */
SGK_HANDLE(sgk_queue)

/** Work for a queue. */
typedef void (*sgk_work_fn)(void *context);

/** Creates a serial queue. It uses a thread of the library's pool while it has work.
 *
 * @param name  For debuggers; copied. May be NULL.
 *
 * Ownership: work that is pending when the last reference is released still runs.
 */
SGK_API SGK_OWNED sgk_queue *sgk_queue_create(const char *name);

/** Creates a concurrent queue with its own threads.
 *
 * Each job runs on the first free thread, so several run simultaneously. The queue is never current: sgk_queue_sync on
 * one of the threads runs the work there.
 *
 * @param name     For debuggers; copied. May be NULL.
 * @param threads  From 1 to 1024.
 * @return         The queue, or NULL if the system cannot create one of the threads (SGK_ERROR_SYSTEM).
 *
 * Ownership: as in sgk_queue_create. The threads end after that work.
 */
SGK_API SGK_OWNED sgk_queue *sgk_queue_create_concurrent(const char *name, int threads);

/** Returns the main queue. Its work runs on the main thread, inside sgk_main_run or sgk_main_drain.
 *
 * Ownership: the queue lives as long as the process. To retain or release it does nothing.
 * Warning: if nothing runs the queue, the library reports it once. It does so through the log when the main thread has
 * been idle for two seconds, or on stderr at exit.
 */
SGK_API sgk_queue *sgk_queue_main(void);

/** Returns the process-wide concurrent queue of default priority. It is never current.
 *
 * Ownership: as in sgk_queue_main.
 */
SGK_API sgk_queue *sgk_queue_concurrent_default(void);

/** Returns the process-wide concurrent queue of background priority. It is never current.
 *
 * Ownership: as in sgk_queue_main.
 */
SGK_API sgk_queue *sgk_queue_concurrent_background(void);

/** Reports whether the caller runs on the queue: inside its work or, for the main queue, on the main thread. */
SGK_API bool sgk_queue_is_current(sgk_queue *queue);

/** Runs `work(context)` on the queue: inline if the queue is current, otherwise later.
 *
 * @return  SGK_OK, or an error of sgk_queue_dispatch.
 */
SGK_API sgk_status sgk_queue_async(sgk_queue *queue, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/** Runs `work(context)` on the queue and waits for it.
 *
 * @return  SGK_OK; SGK_ERROR_THREAD if the queue's work waits for the caller, directly or through other queues and
 *          threads; SGK_ERROR_ENDED if the thread pool was shut down or the custom loop has ended; SGK_ERROR_SYSTEM as
 *          in sgk_queue_dispatch. After an error the work does not run.
 *
 * Thread: the work runs inline if the queue is current. Otherwise it may run on the calling thread or on another one.
 * Warning: deadlocks on the main queue if nothing runs it. The library detects deadlocks through its waits. It does not
 * detect the program's locks.
 */
SGK_API sgk_status sgk_queue_sync(sgk_queue *queue, sgk_work_fn work, void *context);

/** Runs `work(context)` on the queue later, never inline.
 *
 * @return  SGK_OK; SGK_ERROR_ENDED if the thread pool was shut down or the custom loop has ended; SGK_ERROR_SYSTEM if
 *          no thread exists and the system cannot create one. After an error the work does not run.
 */
SGK_API sgk_status sgk_queue_dispatch(sgk_queue *queue, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/** Runs `work(context)` on the queue after a delay, never inline.
 *
 * The queue's clock measures the delay. The library's own clock stops while the system sleeps.
 *
 * @param seconds  0 or less: as soon as possible. Infinity: never. Must not be NaN.
 * @return         A disposable that cancels the work, or NULL (SGK_ERROR_ARGUMENT, SGK_ERROR_SYSTEM). Releasing it does
 *                 not cancel the work.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_queue_after(
    sgk_queue *queue, double seconds, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/* ---- Timers ---- */

/** Calls a function on a queue after a delay, once or repeatedly. */
SGK_HANDLE(sgk_timer)

/** Creates a timer that is not running. sgk_timer_start starts it.
 *
 * @param seconds  The delay, and the interval if the timer repeats. Must not be NaN.
 * @param repeat   If true, `seconds` must be more than 0. An interval below one microsecond counts as one microsecond.
 * @param fire     Called as `fire(context)` on `queue`.
 * @param queue    Its clock measures the time.
 *
 * Order: firings that a busy queue misses are merged into one.
 */
SGK_API SGK_OWNED sgk_timer *sgk_timer_create(
    double seconds, bool repeat, sgk_work_fn fire, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Starts or restarts the timer.
 *
 * @return  SGK_OK; SGK_ERROR_SYSTEM if no thread exists and the system cannot create one.
 *
 * Ownership: a running timer does not retain itself. Releasing its last reference stops it.
 */
SGK_API sgk_status sgk_timer_start(sgk_timer *timer);

/** Stops the timer. It can be started again.
 *
 * Thread: a call on the timer's queue prevents every later firing. A call on another thread may overlap one firing.
 */
SGK_API sgk_status sgk_timer_invalidate(sgk_timer *timer);

/** Fires a running timer and stops it. It does nothing if the timer is not running.
 *
 * Thread: fires inline if the timer's queue is current, otherwise later on that queue.
 */
SGK_API sgk_status sgk_timer_fire_and_invalidate(sgk_timer *timer);

/** Sets a new delay and restarts the timer.
 *
 * @param seconds  As in sgk_timer_create.
 */
SGK_API sgk_status sgk_timer_reset_timeout(sgk_timer *timer, double seconds);

/** Reports whether a firing is scheduled. */
SGK_API bool sgk_timer_is_scheduled(sgk_timer *timer);

/** Returns the seconds until the next firing.
 *
 * @return  0 if the firing is overdue; infinity if none is scheduled, or after an error.
 */
SGK_API double sgk_timer_remaining_time(sgk_timer *timer);

/** Returns the time of the next firing, in seconds since 1970 by the wall clock.
 *
 * @return  0 if no firing is scheduled; infinity before the first start, or after an error.
 */
SGK_API double sgk_timer_timeout_date(sgk_timer *timer);

/* ---- Draining ---- */

/** Waits until all queues and thread pools are idle and have destroyed their work.
 *
 * Call it before sgk_live_total at the end of a program. Delayed work, running timers, and the work of custom and
 * virtual queues are not included.
 *
 * @param seconds  The longest wait; 0 or more.
 * @return         SGK_OK; SGK_ERROR_TIMEOUT if work is still pending, which is always so inside a queue's work.
 *
 * Thread: on the main thread it also runs the main queue. For a call on another thread, the main thread must run it.
 */
SGK_API sgk_status sgk_drain(double seconds);

/* ---- The library's threads ---- */

/** Runs on a thread of the library.
 *
 * @param name  The name that debuggers show: "signalkit" for a thread of the library's own pools, "signalkit-pool" for
 *              a thread of sgk_queue_create_concurrent or sgk_thread_pool_create, "signalkit-clock" or
 *              "signalkit-watch". It is valid for the call.
 */
typedef void (*sgk_thread_hook_fn)(void *context, const char *name);

/** Sets functions that each thread of the library calls before its first work and after its last.
 *
 * They can attach the thread to a language's runtime, or set its affinity or priority. Threads that have already begun
 * call neither of them. A thread calls the `end` that was set together with its `begin`.
 *
 * @param begin  May be NULL.
 * @param end    May be NULL. The clock, the thread that watches descriptors, and threads that exist when the process
 *               exits do not call it.
 *
 * Ownership: `destroy` runs after other hooks were set, and no thread will call `end` with this context.
 */
SGK_API void sgk_set_thread_hooks(
    sgk_thread_hook_fn begin, sgk_thread_hook_fn end, void *context, sgk_destroy_fn destroy);

/* ---- The loop of the main queue ---- */

/** Runs the main queue's work until sgk_main_stop.
 *
 * If sgk_main_stop was called before, it returns immediately.
 *
 * @return  SGK_OK; SGK_ERROR_THREAD outside the thread that started the process, or inside the queue's own work;
 *          SGK_ERROR_SYSTEM if the system cannot create a descriptor.
 */
SGK_API sgk_status sgk_main_run(void);

/** Runs the main queue until a subscription has ended or was disposed.
 *
 * It runs the work that is pending then, too. sgk_main_stop does not end it.
 *
 * @param subscription  A disposable of sgk_signal_start, not one of SGK_STRICT. It is not disposed.
 * @param seconds       The longest run: 0 or more. Infinity: no limit.
 * @return              SGK_OK, also if the subscription has failed: its error handler receives the error;
 *                      SGK_ERROR_TIMEOUT; SGK_ERROR_THREAD outside the main thread or inside work of the main queue,
 *                      and SGK_ERROR_HANDLE if `subscription` is another disposable.
 */
SGK_API sgk_status sgk_main_run_until(sgk_disposable *subscription, double seconds);

/** Makes sgk_main_run return after the current job.
 *
 * Thread: any, but not a signal handler.
 */
SGK_API sgk_status sgk_main_stop(void);

/** Returns a file descriptor that is readable while the main queue has work.
 *
 * Use it to run the main queue in your own loop: when it is readable, call sgk_main_drain.
 *
 * @return  The descriptor, or SGK_ERROR_SYSTEM if the system cannot create one.
 *
 * Ownership: the library owns the descriptor. Do not read from it or close it.
 */
SGK_API int sgk_main_fd(void);

/** Runs the main queue's pending work without waiting.
 *
 * @return  SGK_OK; SGK_ERROR_THREAD outside the main thread.
 */
SGK_API sgk_status sgk_main_drain(void);

SGK_END

#endif
