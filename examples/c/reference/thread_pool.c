/* Examples of signalkit/thread_pool.h. */
#include "print.h"

#include <stdatomic.h>

static void add_one(void *sum) { atomic_fetch_add((atomic_int *)sum, 1); }

/* sgk_thread_pool_create, sgk_thread_pool_add_task
 * A hundred tasks on four threads. */
static void create(void) {
    atomic_int sum = 0;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(4, 0.5);
    for (int i = 0; i < 100; i++) sgk_disposable_release(sgk_thread_pool_add_task(pool, add_one, &sum, NULL));
    sgk_drain(10);
    printf("%d\n", atomic_load(&sum));
}
/* 100 */

static void say(void *text) { puts(text); }

/* sgk_thread_pool_next_queue
 * Work that needs an order uses its own queue. */
static void next_queue(void) {
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(4, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_next_queue(pool);
    sgk_queue_dispatch(queue, say, "first", NULL);
    sgk_queue_dispatch(queue, say, "second", NULL);
    sgk_drain(10);
}
/* first
 * second */

static void tell_where(void *pool) { printf("in the pool: %d\n", sgk_thread_pool_is_current_thread_in_pool(pool)); }

/* sgk_thread_pool_queue, sgk_thread_pool_is_current_thread_in_pool
 * The pool where a queue is asked for. */
static void queue(void) {
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(2, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_queue(pool);
    sgk_queue_sync(queue, tell_where, pool);
    tell_where(pool);
}
/* in the pool: 1
 * in the pool: 0 */

/* sgk_thread_pool_shutdown
 * Later work is destroyed, and the call fails. */
static void shutdown(void) {
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_next_queue(pool);
    sgk_thread_pool_shutdown(pool);
    puts(sgk_status_text(sgk_queue_dispatch(queue, say, "never", NULL)));
}
/* already ended or disposed */

int main(void) {
    create();
    next_queue();
    queue();
    shutdown();
}
