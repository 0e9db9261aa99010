/* SignalKit from C: what an event costs while somebody looks. */
#include "frames.h"

static sgk_signal *taken(sgk_signal *source) { return sgk_signal_take(source, INT64_MAX); }

static void count_it(void *context, const sgk_trace_event *event) {
    *(int64_t *)context += event->kind == SGK_TRACE_NEXT;
}

static int64_t told;

static void nobody(bool begins) { (void)begins; }
static void watch(bool begins) { sgk_debug_watch(begins); }
static void trace(bool begins) { sgk_set_trace_handler(begins ? count_it : NULL, &told, NULL); }

/* A pipe, `stages` serialized stages, and a callback. */
static double looked_at(long count, int stages, void (*look)(bool begins)) {
    int64_t sum = 0;
    told = 0;
    look(true);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = through(source, stages, taken);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, add_up, &sum, NULL);
    double nanoseconds = put_all(pipe, count);
    bench_check(sum, bench_sum(count), "sum");
    bench_check(told, look == trace ? (stages + 2) * count : 0, "told");
    sgk_disposable_dispose(run);
    look(false);
    return nanoseconds / (double)count;
}

#define LOOKED_AT(look, stages) \
    static double look##_##stages(long count) { return looked_at(count, stages, look); }

LOOKED_AT(nobody, 0)
LOOKED_AT(watch, 0)
LOOKED_AT(trace, 0)
LOOKED_AT(nobody, 10)
LOOKED_AT(watch, 10)
LOOKED_AT(trace, 10)

static const bench_case cases[] = {
    {"W21.unseen.0", NAME, nobody_0, 5000000},
    {"W21.watched.0", NAME, watch_0, 500000},
    {"W21.traced.0", NAME, trace_0, 500000},
    {"W21.unseen.10", NAME, nobody_10, 1000000},
    {"W21.watched.10", NAME, watch_10, 100000},
    {"W21.traced.10", NAME, trace_10, 100000},
};

BENCH_MAIN(cases)
