/* libdispatch by hand: what a hop to a serial queue costs with a dispatch per event, and with one per batch; and what
 * jobs cost. */
#include <dispatch/dispatch.h>

typedef dispatch_queue_t queue_t;

static queue_t serial_queue(void) { return dispatch_queue_create("benchmark", NULL); }
static queue_t global_queue(void) { return dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_DEFAULT, 0); }
static void let_go(queue_t queue) { dispatch_release(queue); }
static inline void put(queue_t queue, dispatch_function_t work, void *context) {
    dispatch_async_f(queue, context, work);
}

#include "jobs.h"
#include "latency.h"

static struct {
    int64_t sum;
    long next;
    long left;
    sem_t done;
} seen;

static void arrive(int64_t number) {
    bench_check(number, seen.next++, "order");
    seen.sum += number;
    if (--seen.left == 0) sem_post(&seen.done);
}

static dispatch_queue_t expect(long count) {
    seen.sum = seen.next = 0;
    seen.left = count;
    sem_init(&seen.done, 0, 0);
    return dispatch_queue_create("benchmark", NULL);
}

static double finish(dispatch_queue_t queue, double start, long count) {
    sem_wait(&seen.done);
    double end = bench_now();
    bench_check(seen.sum, bench_sum(count), "sum");
    dispatch_release(queue);
    return (end - start) / (double)count;
}

/* ---- A dispatch per event ---- */

static void one(void *number) { arrive((int64_t)(intptr_t)number); }

static double per_event(long count) {
    dispatch_queue_t queue = expect(count);
    double start = bench_now();
    for (long i = 0; i < count; i++) dispatch_async_f(queue, (void *)(intptr_t)i, one);
    return finish(queue, start, count);
}

/* ---- A locked array, and a dispatch when it turns non-empty ---- */

typedef struct value {
    uint64_t kind;
    int64_t number;
} value;

static struct {
    pthread_mutex_t lock;
    value *items;
    size_t count, capacity;
} waiting = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void drain(void *nothing) {
    (void)nothing;
    pthread_mutex_lock(&waiting.lock);
    value *items = waiting.items;
    size_t count = waiting.count;
    waiting.items = NULL;
    waiting.count = waiting.capacity = 0;
    pthread_mutex_unlock(&waiting.lock);
    for (size_t i = 0; i < count; i++) arrive(items[i].number);
    free(items);
}

static double per_batch(long count) {
    dispatch_queue_t queue = expect(count);
    double start = bench_now();
    for (long i = 0; i < count; i++) {
        pthread_mutex_lock(&waiting.lock);
        if (waiting.count == waiting.capacity) {
            waiting.capacity = waiting.capacity ? waiting.capacity * 2 : 16;
            waiting.items = realloc(waiting.items, waiting.capacity * sizeof *waiting.items);
        }
        waiting.items[waiting.count++] = (value){2, i};
        int first = waiting.count == 1;
        pthread_mutex_unlock(&waiting.lock);
        if (first) dispatch_async_f(queue, NULL, drain);
    }
    return finish(queue, start, count);
}

/* ---- On the calling thread ---- */

static void count_up(void *counter) { ++*(int64_t *)counter; }

static double sync_idle(long count) {
    dispatch_queue_t queue = serial_queue();
    int64_t counter = 0;
    double start = bench_now();
    for (long i = 0; i < count; i++) dispatch_sync_f(queue, &counter, count_up);
    double time = bench_now() - start;
    bench_check(counter, count, "works");
    let_go(queue);
    return time / (double)count;
}

static const bench_case cases[] = {
    {"W6", "dispatch_async_f per event", per_event, 1000000},
    {"W6", "locked array, dispatch per batch", per_batch, 1000000},
    {"W19.sync", "libdispatch", sync_idle, 5000000},
    JOBS("libdispatch"),
    HOPS("libdispatch"),
};

BENCH_MAIN(cases)
