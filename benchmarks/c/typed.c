/* SignalKit from C: callbacks of natural signatures, a `(i64) -> i64`. */
#include "callbacks.h"

static int64_t natural_plus_one(int64_t number) { return number + 1; }

/* ---- Calls out ---- */

/* A stage in a chain of a hundred. `signature` NULL: the ordinary operator. */
static double stage(long count, const char *signature) {
    enum { stages = 100 };
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signature) compiled = signature ? sgk_signature_create(signature) : NULL;
    sgk_signal *signal = sgk_pipe_signal(pipe);
    for (int i = 0; i < stages; i++) {
        sgk_signal *next = signature ? sgk_signal_map_typed(signal, SGK_FUNCTION(natural_plus_one), compiled, NULL, NULL)
                                     : sgk_signal_map(signal, plus_one, NULL, NULL);
        sgk_signal_release(signal);
        signal = next;
    }
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, add_up, &sum, NULL);
    sgk_signal_release(signal);
    long events = (count + stages - 1) / stages;
    double start = bench_now();
    for (long i = 0; i < events; i++) sgk_pipe_next(pipe, sgk_int(i));
    double end = bench_now();
    bench_check(sum, bench_sum(events) + stages * (int64_t)events, "sum");
    sgk_disposable_dispose(run);
    return (end - start) / (double)(events * stages);
}

static double untyped(long count) { return stage(count, NULL); }
static double typed(long count) { return stage(count, "(i64) -> i64"); }
static double typed_through_libffi(long count) { return stage(count, "(i64) -> i64 via libffi"); }

/* ---- Calls in ---- */

/* A call in becomes an event, and is answered by a function. */
static double call_in(long count) {
    int64_t sum = 0;
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64) -> i64");
    SGK_AUTO(sgk_callback) callback = sgk_callback_create_typed(signature, sgk_null(), SGK_FUNCTION(natural_plus_one), signature, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(calls, add_up, &sum, NULL);
    int64_t (*function)(int64_t) = (int64_t (*)(int64_t))sgk_callback_function(callback);
    int64_t number = 0;
    double start = bench_now();
    for (long i = 0; i < count; i++) number = function(number);
    double end = bench_now();
    bench_check(number, count, "number");
    bench_check(sum, bench_sum(count), "sum");
    sgk_disposable_dispose(run);
    return (end - start) / (double)count;
}

static const bench_case cases[] = {
    {"W8.fast", NAME, typed, 5000000},
    {"W8.fast", "the untyped map of this library", untyped, 5000000},
    {"W8.libffi", NAME, typed_through_libffi, 3000000},
    {"W8.in", NAME, call_in, 1000000},
};

BENCH_MAIN(cases)
