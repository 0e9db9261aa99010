/* SignalKit from C: the growth of costs. Each case measures the cost of one unit (a stage, a subscription) among many
 * units. The cost should be constant. */
#include "frames.h"

static sgk_signal *plus_one_later(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(sgk_int(sgk_to_int(value) + 1));
}

static sgk_signal *switched(sgk_signal *source) { return sgk_signal_switch_map(source, plus_one_later, NULL, NULL); }

/* ---- Subscriptions, side by side ---- */

/* Repeatedly starts `alive` subscriptions and disposes them in random order. */
static double start_and_dispose(long count, long alive) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    sgk_disposable **runs = malloc((size_t)alive * sizeof *runs);
    long rounds = (count + alive - 1) / alive;
    double start = bench_now();
    for (long round = 0; round < rounds; round++) {
        for (long i = 0; i < alive; i++) runs[i] = sgk_signal_start_next(source, add_up, &sum, NULL);
        for (long i = 0; i < alive; i++) {
            sgk_disposable *run = runs[bench_scattered(i, alive)];
            sgk_disposable_dispose(run);
            sgk_disposable_release(run);
        }
    }
    double end = bench_now();
    sgk_pipe_next(pipe, sgk_int(1));
    bench_check(sum, 0, "received after disposal");
    free(runs);
    return (end - start) / (double)(rounds * alive);
}

/* The cost of memory alone, for comparison. */
static double allocate_and_free(long count, long alive) {
    void **blocks = malloc((size_t)alive * sizeof *blocks);
    long rounds = (count + alive - 1) / alive;
    int64_t sum = 0;
    double start = bench_now();
    for (long round = 0; round < rounds; round++) {
        for (long i = 0; i < alive; i++) memset(blocks[i] = malloc(256), (int)(i & 1), 256);
        for (long i = 0; i < alive; i++) {
            long place = bench_scattered(i, alive);
            sum += *(char *)blocks[place] == (place & 1);
            free(blocks[place]);
        }
    }
    double end = bench_now();
    bench_check(sum, rounds * alive, "blocks");
    free(blocks);
    return (end - start) / (double)(rounds * alive);
}

#define LIMIT "malloc and free of 256 bytes"

/* X(rows, size, count): a case, and further down its line in the table, for each size. */
#define MAPS(X) X(maps, 1, 3000000) X(maps, 10, 5000000) X(maps, 100, 5000000)
#define SWITCHES(X) X(switches, 1, 300000) X(switches, 10, 300000) X(switches, 100, 300000)
/* With a million alive there is no warming up: it would double the time, and one round is long enough. */
#define ALIVE(X) X(alive, 1, 300000) X(alive, 100, 300000) X(alive, 10000, 300000) X(alive, 1000000, 1)

#define MAPS_CASE(name, size, n) \
    static double name##_##size(long count) { return in_a_chain(count, size, mapped); }
#define SWITCHES_CASE(name, size, n) \
    static double name##_##size(long count) { return in_a_chain(count, size, switched); }
#define ALIVE_CASE(name, size, n) \
    static double name##_##size(long count) { return start_and_dispose(count, size); } \
    static double limit_##size(long count) { return allocate_and_free(count, size); }

MAPS(MAPS_CASE)
SWITCHES(SWITCHES_CASE)
ALIVE(ALIVE_CASE)

#define ENTRY(name, size, count) {"W10." #name "." #size, NAME, name##_##size, count},
#define LIMIT_ENTRY(name, size, count) {"W10." #name "." #size, LIMIT, limit_##size, count},

static const bench_case cases[] = {MAPS(ENTRY) SWITCHES(ENTRY) ALIVE(ENTRY) ALIVE(LIMIT_ENTRY)};

BENCH_MAIN(cases)
