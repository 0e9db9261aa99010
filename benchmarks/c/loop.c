/* The limit: the same callbacks on the same values, called by hand. */
#include "../bench.h"
#include "callbacks.h"
#include "threads.h"

#define NAME "C loop"

/* Volatile, so that the compiler cannot inline the call. */
static sgk_map_fn volatile map_at_run_time = plus_one;
static sgk_next_fn volatile next_at_run_time = add_up;

static double ten_maps(long count) {
    int64_t sum = 0;
    struct {
        sgk_map_fn call;
        void *context;
    } stages[10];
    for (int i = 0; i < 10; i++) stages[i].call = map_at_run_time, stages[i].context = NULL;
    sgk_next_fn next = next_at_run_time;
    double start = bench_now();
    for (long i = 0; i < count; i++) {
        sgk_value it = sgk_int(i);
        for (int stage = 0; stage < 10; stage++) it = stages[stage].call(stages[stage].context, it);
        next(&sum, it);
    }
    double end = bench_now();
    bench_check(sum, bench_sum(count) + 10 * (int64_t)count, "sum");
    return (end - start) / (double)count;
}

static double broadcast(long count, long subscribers) {
    int64_t sum = 0;
    struct subscriber {
        sgk_next_fn call;
        void *context;
    } *list = malloc((size_t)subscribers * sizeof *list);
    for (long i = 0; i < subscribers; i++) list[i].call = next_at_run_time, list[i].context = &sum;
    long events = (count + subscribers - 1) / subscribers;
    double start = bench_now();
    for (long i = 0; i < events; i++) {
        for (long j = 0; j < subscribers; j++) list[j].call(list[j].context, sgk_int(i));
    }
    double end = bench_now();
    bench_check(sum, bench_sum(events) * subscribers, "sum");
    free(list);
    return (end - start) / (double)(events * subscribers);
}

/* The cost of memory alone: subscribers of two blocks each, as in the library. */
typedef struct sink {
    sgk_next_fn call;
    void *context;
    char rest[40];
} sink;
typedef struct listener {
    sink *sink;
    char rest[32];
} listener;

static double blocks(long count, long subscribers) {
    int64_t sum = 0;
    listener **list = malloc((size_t)subscribers * sizeof *list);
    for (long i = 0; i < subscribers; i++) {
        list[i] = malloc(sizeof *list[i]);
        list[i]->sink = malloc(sizeof *list[i]->sink);
        list[i]->sink->call = next_at_run_time, list[i]->sink->context = &sum;
    }
    long events = (count + subscribers - 1) / subscribers;
    double start = bench_now();
    for (long i = 0; i < events; i++) {
        for (long j = 0; j < subscribers; j++) list[j]->sink->call(list[j]->sink->context, sgk_int(i));
    }
    double end = bench_now();
    bench_check(sum, bench_sum(events) * subscribers, "sum");
    for (long i = 0; i < subscribers; i++) free(list[i]->sink), free(list[i]);
    free(list);
    return (end - start) / (double)(events * subscribers);
}

/* A state that is changed under a mutex. The callback runs under it too, which keeps the order, and must not change
 * the state. */
typedef struct state {
    pthread_mutex_t lock;
    int64_t number, expected;
    long changes;
} state;

static sgk_status one_more(void *context, sgk_value value, sgk_value *result) {
    (void)context;
    *result = sgk_int(sgk_to_int(value) + 1);
    return SGK_OK;
}

static void expect_next(void *context, sgk_value value) {
    state *it = context;
    bench_check(sgk_to_int(value), ++it->expected, "state");
}

static sgk_modify_fn volatile modify_at_run_time = one_more;
static sgk_next_fn volatile show_at_run_time = expect_next;

static void change(void *context) {
    state *it = context;
    sgk_modify_fn modify = modify_at_run_time;
    sgk_next_fn show = show_at_run_time;
    for (long i = 0; i < it->changes; i++) {
        pthread_mutex_lock(&it->lock);
        sgk_value result;
        if (modify(NULL, sgk_int(it->number), &result) == SGK_OK) it->number = sgk_to_int(result);
        show(it, sgk_int(it->number));
        pthread_mutex_unlock(&it->lock);
    }
}

static double modify(long count, int threads) {
    state it = {.lock = PTHREAD_MUTEX_INITIALIZER, .changes = count / threads};
    double nanoseconds = (threads == 2 ? on_two_threads : on_this_thread)(change, &it);
    bench_check(it.number, it.changes * threads, "state");
    return nanoseconds / (double)(it.changes * threads);
}

static double modify_alone(long count) { return modify(count, 1); }
static double modify_together(long count) { return modify(count, 2); }

#define BLOCKS(X) X(1) X(10) X(100) X(1000) X(10000) X(100000)
#define BLOCKS_CASE(size) \
    static double blocks_##size(long count) { return blocks(count, size); }
#define BLOCKS_ENTRY(size) {"W10.deliveries." #size, NAME " over two blocks each", blocks_##size, 20000000},
BLOCKS(BLOCKS_CASE)

static double one_subscriber(long count) { return broadcast(count, 1); }
static double ten_subscribers(long count) { return broadcast(count, 10); }
static double thousand_subscribers(long count) { return broadcast(count, 1000); }

static const bench_case cases[] = {{"W1", NAME, ten_maps, 5000000}, {"W2.1", NAME, one_subscriber, 10000000},
    {"W2.10", NAME, ten_subscribers, 20000000}, {"W2.1000", NAME, thousand_subscribers, 20000000},
    {"W14.modify.1", NAME ", under a mutex", modify_alone, 5000000},
    {"W14.modify.2", NAME ", under a mutex", modify_together, 5000000}, BLOCKS(BLOCKS_ENTRY)};

BENCH_MAIN(cases)
