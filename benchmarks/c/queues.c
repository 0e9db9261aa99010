/* SignalKit from C: what a job on a queue costs, and how long it takes. */
#include <signalkit.h>

#include <semaphore.h>

typedef sgk_queue *queue_t;

static queue_t serial_queue(void) { return sgk_queue_create("benchmark"); }
static queue_t global_queue(void) { return sgk_queue_concurrent_default(); }
static void let_go(queue_t queue) { sgk_queue_release(queue); }
static inline void put(queue_t queue, sgk_work_fn work, void *context) {
    sgk_queue_dispatch(queue, work, context, NULL);
}

typedef sgk_thread_pool *pool_t;

static pool_t pool_of(int threads) { return sgk_thread_pool_create(threads, 0.5); }
static inline void add(pool_t pool, sgk_work_fn work, void *context) {
    sgk_disposable_release(sgk_thread_pool_add_task(pool, work, context, NULL));
}
static void await(pool_t pool, sem_t *done) {
    (void)pool;
    sem_wait(done);
}
static void end(pool_t pool) { sgk_thread_pool_release(pool); }

static queue_t main_queue(void) { return sgk_queue_main(); }
static void run_main(void) { sgk_main_run(); }
static void stop_main(void *context) {
    (void)context;
    sgk_main_stop();
}

#define MAIN_QUEUE
#include "jobs.h"
#include "latency.h"
#include "pools.h"

/* ---- What a job costs its thread, while the queue is held up ---- */

static struct { sem_t held, go; } hold;

static void hold_up(void *context) {
    (void)context;
    sem_post(&hold.held);
    sem_wait(&hold.go);
}

static double put_alone(long count) {
    queue_t queue = serial_queue();
    jobs.left = count;
    sem_init(&jobs.done, 0, 0);
    sem_init(&hold.held, 0, 0);
    sem_init(&hold.go, 0, 0);
    put(queue, hold_up, NULL);
    sem_wait(&hold.held);
    double start = bench_now();
    for (long i = 0; i < count; i++) put(queue, count_down, NULL);
    double time = bench_now() - start;
    sem_post(&hold.go);
    sem_wait(&jobs.done);
    let_go(queue);
    return time / (double)count;
}

static double add_alone(long count) {
    pool_t pool = pool_of(1);
    tasks.left = count;
    sem_init(&tasks.done, 0, 0);
    sem_init(&hold.held, 0, 0);
    sem_init(&hold.go, 0, 0);
    add(pool, hold_up, NULL);
    sem_wait(&hold.held);
    double start = bench_now();
    for (long i = 0; i < count; i++) add(pool, count_task, NULL);
    double time = bench_now() - start;
    sem_post(&hold.go);
    sem_wait(&tasks.done);
    end(pool);
    return time / (double)count;
}

/* ---- On the calling thread ---- */

static void count_up(void *counter) { ++*(int64_t *)counter; }

static double sync_idle(long count) {
    queue_t queue = serial_queue();
    int64_t counter = 0;
    double start = bench_now();
    for (long i = 0; i < count; i++) sgk_queue_sync(queue, count_up, &counter);
    double time = bench_now() - start;
    bench_check(counter, count, "works");
    let_go(queue);
    return time / (double)count;
}

typedef struct inside {
    queue_t queue;
    long count;
    int64_t counter;
    double time;
} inside;

static void put_inside(void *context) {
    inside *it = context;
    double start = bench_now();
    for (long i = 0; i < it->count; i++) sgk_queue_async(it->queue, count_up, &it->counter, NULL);
    it->time = bench_now() - start;
}

static double async_inside(long count) {
    inside it = {.queue = serial_queue(), .count = count};
    sgk_queue_sync(it.queue, put_inside, &it);
    bench_check(it.counter, count, "works");
    let_go(it.queue);
    return it.time / (double)count;
}

#define NAME "SignalKit (C)"

static const bench_case cases[] = {
    JOBS(NAME),
    POOLS(NAME),
    HOPS(NAME),
    MAIN_HOPS(NAME),
    {"W13.put", NAME, put_alone, 1000000},
    {"W13.add", NAME, add_alone, 1000000},
    {"W19.sync", NAME, sync_idle, 5000000},
    {"W19.inline", NAME, async_inside, 5000000},
};

BENCH_MAIN(cases)
