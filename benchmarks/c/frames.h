/* Shared code of the programs that measure SignalKit from C: sources of values, and chains. */
#ifndef FRAMES_H
#define FRAMES_H

#include "../bench.h"
#include "callbacks.h"

#define NAME "SignalKit (C)"

/* Puts 0 … count - 1 into a pipe. Nanoseconds of all. */
static inline double put_all(sgk_pipe *pipe, long count) {
    double start = bench_now();
    for (long i = 0; i < count; i++) sgk_pipe_next(pipe, sgk_int(i));
    return bench_now() - start;
}

typedef sgk_signal *(*stage_fn)(sgk_signal *source);

static inline sgk_signal *mapped(sgk_signal *source) { return sgk_signal_map(source, plus_one, NULL, NULL); }

/* Returns the source with `number` stages in sequence. */
static inline sgk_signal *through(sgk_signal *source, int number, stage_fn stage) {
    sgk_signal *signal = sgk_signal_retain(source);
    for (int i = 0; i < number; i++) {
        sgk_signal *next = stage(signal);
        sgk_signal_release(signal);
        signal = next;
    }
    return signal;
}

/* Returns the nanoseconds of one of `number` stages, each of which adds one. */
static inline double in_a_chain(long count, int number, stage_fn stage) {
    int64_t sum = 0;
    long events = (count + number - 1) / number;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = through(source, number, stage);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, add_up, &sum, NULL);
    double nanoseconds = put_all(pipe, events);
    bench_check(sum, bench_sum(events) + (int64_t)number * events, "sum");
    sgk_disposable_dispose(run);
    return nanoseconds / (double)(events * number);
}

#endif
