/** @file
 * Thread pools: a fixed number of separate threads.
 * @since 1.0
 */
#ifndef SIGNALKIT_THREAD_POOL_H
#define SIGNALKIT_THREAD_POOL_H

#include "queue.h"

SGK_BEGIN

/** A fixed number of threads that run tasks.
 *
 * When the last reference is released, the pool is shut down like by sgk_thread_pool_shutdown.
 */
SGK_HANDLE(sgk_thread_pool)

/** Creates a pool.
 *
 * @param thread_count     From 1 to 1024.
 * @param thread_priority  From 0 to 1. 0.5 is the priority of an ordinary thread. A higher priority needs a privilege.
 * @return                 The pool, or NULL if the system cannot create one of the threads (SGK_ERROR_SYSTEM).
 */
SGK_API SGK_OWNED sgk_thread_pool *sgk_thread_pool_create(int thread_count, double thread_priority);

/** Runs `work(context)` on one of the threads, in no order with other tasks.
 *
 * If the pool was shut down, the work is dropped.
 *
 * @return  A disposable that cancels the work before it starts. Work that is running continues: give it a flag to
 *          check. Releasing the disposable does not cancel the work.
 *
 * Ownership: the context of cancelled work is destroyed when its turn arrives.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_thread_pool_add_task(
    sgk_thread_pool *pool, sgk_work_fn work, void *context, sgk_destroy_fn destroy);

/** Creates a serial queue on the pool.
 *
 * Its work runs in order, one job at a time, on any of the threads. Different queues run simultaneously. The
 * process-wide background queue measures its times.
 *
 * Ownership: the queue does not retain the pool. When the pool is destroyed, work of the queue is dropped.
 */
SGK_API SGK_OWNED sgk_queue *sgk_thread_pool_next_queue(sgk_thread_pool *pool);

/** Returns the pool as a concurrent queue.
 *
 * Use it to run any function that needs a queue on the pool. Each job runs on the first free thread, so several run
 * simultaneously. The queue is never current: sgk_queue_sync on one of the threads runs the work there.
 *
 * Ownership: the queue retains the pool. After sgk_thread_pool_shutdown its work is dropped.
 */
SGK_API SGK_OWNED sgk_queue *sgk_thread_pool_queue(sgk_thread_pool *pool);

/** Reports whether the caller runs on one of the threads. */
SGK_API bool sgk_thread_pool_is_current_thread_in_pool(sgk_thread_pool *pool);

/** Drops the pending tasks and ends the threads, without waiting for them.
 *
 * A thread that runs a task ends after it. Tasks that are added later are dropped.
 */
SGK_API sgk_status sgk_thread_pool_shutdown(sgk_thread_pool *pool);

SGK_END

#endif
