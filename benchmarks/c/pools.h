/* Small jobs on a thread pool. The program that includes this file defines the pool: `pool_t`, `pool_of(threads)`,
 * `add(pool, work, context)`, `await(pool, done)`, which waits for the semaphore, and `end(pool)`. */
#include <semaphore.h>
#include <stdatomic.h>

#include "../bench.h"

static struct {
    atomic_long left;
    sem_t done;
} tasks;

static void count_task(void *context) {
    (void)context;
    if (atomic_fetch_sub_explicit(&tasks.left, 1, memory_order_acq_rel) == 1) sem_post(&tasks.done);
}

static double many_on_pool(long count, int threads) {
    pool_t pool = pool_of(threads);
    tasks.left = count;
    sem_init(&tasks.done, 0, 0);
    double start = bench_now();
    for (long i = 0; i < count; i++) add(pool, count_task, NULL);
    await(pool, &tasks.done);
    double time = bench_now() - start;
    bench_check(tasks.left, 0, "jobs");
    end(pool);
    return time / (double)count;
}

static double on_pool_of_1(long count) { return many_on_pool(count, 1); }
static double on_pool_of_2(long count) { return many_on_pool(count, 2); }
static double on_pool_of_4(long count) { return many_on_pool(count, 4); }
static double on_pool_of_8(long count) { return many_on_pool(count, 8); }

#define POOLS(name) \
    {"W13.pool.1", name, on_pool_of_1, 1000000}, {"W13.pool.2", name, on_pool_of_2, 1000000}, \
        {"W13.pool.4", name, on_pool_of_4, 1000000}, { \
        "W13.pool.8", name, on_pool_of_8, 1000000 \
    }
