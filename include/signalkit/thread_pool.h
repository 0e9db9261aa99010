/** @file
 * Thread pools: a fixed number of threads of one's own.
 * @since 1.0
 */
#ifndef SIGNALKIT_THREAD_POOL_H
#define SIGNALKIT_THREAD_POOL_H

#include "queue.h"

SGK_BEGIN

/** A fixed number of threads that run tasks. When the last reference goes, or by sgk_thread_pool_shutdown, the tasks
 * that wait are let go, those that run come to their end, and the threads end. */
SGK_HANDLE(sgk_thread_pool)

/** A new pool of 1 to 1024 threads. `thread_priority` is from 0 to 1; 0.5 is that of any thread, a higher one is
 * granted only to programs with the privilege. NULL, with SGK_ERROR_SYSTEM, when the system refuses one of the
 * threads. */
SGK_API SGK_OWNED sgk_thread_pool *sgk_thread_pool_create(int thread_count, double thread_priority);

/** Runs `work(context)` on any of the threads, unordered with other tasks; on a pool that was shut down it is let go.
 * Returns what keeps it from running if its turn has not come; its context is destroyed when that comes. Work that runs
 * is not told: give it a flag to look at. Releasing what is returned cancels nothing. */
SGK_API SGK_OWNED sgk_disposable *sgk_thread_pool_add_task(
    sgk_thread_pool *pool, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/** A new serial queue on the pool: its work runs in order, one at a time, on any of the threads; different queues run
 * side by side. It does not keep the pool: when that has gone, work is let go. Its times are kept by the process-wide
 * background queue. */
SGK_API SGK_OWNED sgk_queue *sgk_thread_pool_next_queue(sgk_thread_pool *pool);

/** The pool as a concurrent queue: each work runs on whichever thread comes first, several at once. So whatever takes a
 * queue runs on a pool as well as on a loop or in virtual time. It is never current (sgk_queue_sync from one of the
 * threads runs the work there), and it keeps the pool, which sgk_thread_pool_shutdown ends all the same: work is let go
 * then. Returned owned. */
SGK_API SGK_OWNED sgk_queue *sgk_thread_pool_queue(sgk_thread_pool *pool);

/** Whether the caller runs on one of the threads. False for NULL, with an error. */
SGK_API bool sgk_thread_pool_is_current_thread_in_pool(sgk_thread_pool *pool);

/** Lets the tasks that wait go and ends the threads, those that run a task after it. Does not wait. What is added later
 * is let go. */
SGK_API sgk_status sgk_thread_pool_shutdown(sgk_thread_pool *pool);

SGK_END

#endif
