/* SignalKit from C: what a subscription costs, in time and in memory. */
#include "frames.h"

static bool is_odd(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) % 2 != 0;
}

static sgk_signal *never(void *context, sgk_value value) {
    (void)context, (void)value;
    return sgk_signal_never();
}

static sgk_value first(void *context, const sgk_value *values, size_t count) {
    (void)context, (void)count;
    return values[0];
}

static void count_up(void *context, sgk_value value) {
    (void)value;
    ++*(int64_t *)context;
}

static sgk_signal *map_and_filter(sgk_signal *source) {
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(source, plus_one, NULL, NULL);
    return sgk_signal_filter(mapped, is_odd, NULL, NULL);
}

/* ---- W3: start and dispose ---- */

static double start_and_dispose(long count) {
    int64_t received = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = map_and_filter(source);
    int64_t alive = sgk_live_total();
    double start = bench_now();
    for (long i = 0; i < count; i++) {
        sgk_disposable *run = sgk_signal_start_next(signal, count_up, &received, NULL);
        sgk_disposable_dispose(run);
        sgk_disposable_release(run);
    }
    double end = bench_now();
    sgk_pipe_next(pipe, sgk_int(0));
    bench_check(received, 0, "received after disposal");
    bench_check(sgk_live_total(), alive, "left alive");
    return (end - start) / (double)count;
}

/* ---- W3: bytes of live subscriptions ---- */

static double bytes_alive(long count, sgk_signal *signal, sgk_pipe *pipe, int64_t expected_per_value) {
    int64_t received = 0;
    sgk_disposable **runs = malloc((size_t)count * sizeof *runs);
    double before = bench_heap();
    for (long i = 0; i < count; i++) runs[i] = sgk_signal_start_next(signal, count_up, &received, NULL);
    if (pipe) sgk_pipe_next(pipe, sgk_int(0));
    double after = bench_heap();
    bench_check(received, expected_per_value * count, "received");
    for (long i = 0; i < count; i++) {
        sgk_disposable_dispose(runs[i]);
        sgk_disposable_release(runs[i]);
    }
    free(runs);
    return (after - before) / (double)count;
}

static double bytes_map_filter(long count) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = map_and_filter(source);
    return bytes_alive(count, signal, pipe, 1);
}

static double bytes_never(long count) {
    SGK_AUTO(sgk_signal) signal = sgk_signal_never();
    return bytes_alive(count, signal, NULL, 0);
}

static double bytes_five_maps(long count) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) one = sgk_signal_map(source, plus_one, NULL, NULL);
    SGK_AUTO(sgk_signal) two = sgk_signal_map(one, plus_one, NULL, NULL);
    SGK_AUTO(sgk_signal) three = sgk_signal_map(two, plus_one, NULL, NULL);
    SGK_AUTO(sgk_signal) four = sgk_signal_map(three, plus_one, NULL, NULL);
    SGK_AUTO(sgk_signal) signal = sgk_signal_map(four, plus_one, NULL, NULL);
    return bytes_alive(count, signal, pipe, 1);
}

static double bytes_combine(long count) {
    sgk_promise *promises[3];
    sgk_signal *signals[3];
    for (int i = 0; i < 3; i++) {
        promises[i] = sgk_promise_create_value(sgk_int(i));
        signals[i] = sgk_promise_signal(promises[i]);
    }
    SGK_AUTO(sgk_signal) signal = sgk_combine_latest_map(signals, 3, first, NULL, NULL, NULL);
    double bytes = bytes_alive(count, signal, NULL, 1);
    for (int i = 0; i < 3; i++) {
        sgk_signal_release(signals[i]);
        sgk_promise_release(promises[i]);
    }
    return bytes;
}

/* Each with an inner signal that runs. */
static double bytes_switch_map(long count) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = sgk_signal_switch_map(source, never, NULL, NULL);
    return bytes_alive(count, signal, pipe, 0);
}

static const bench_case cases[] = {
    {"W3.time", NAME, start_and_dispose, 500000},
    {"W3.bytes", NAME, bytes_map_filter, 10000},
    {"W3.never", NAME, bytes_never, 10000},
    {"W3.maps", NAME, bytes_five_maps, 10000},
    {"W3.combine", NAME, bytes_combine, 10000},
    {"W3.inner", NAME, bytes_switch_map, 10000},
};

BENCH_MAIN(cases)
