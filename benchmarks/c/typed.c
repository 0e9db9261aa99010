/* SignalKit from C: callbacks of natural signatures, a `(i64) -> i64`. */
#include "frames.h"

#include <signalkit/callback.h>

static int64_t natural_plus_one(int64_t number) { return number + 1; }

/* ---- Calls out ---- */

static sgk_signature *signature;

static sgk_signal *mapped_typed(sgk_signal *source) {
    return sgk_signal_map_typed(source, SGK_FUNCTION(natural_plus_one), signature, NULL, NULL);
}

static double among_a_hundred(long count, const char *text) {
    signature = sgk_signature_create(text);
    double nanoseconds = in_a_chain(count, 100, mapped_typed);
    sgk_signature_release(signature);
    return nanoseconds;
}

static double untyped(long count) { return in_a_chain(count, 100, mapped); }
static double typed(long count) { return among_a_hundred(count, "(i64) -> i64"); }
static double typed_through_libffi(long count) { return among_a_hundred(count, "(i64) -> i64 via libffi"); }

/* ---- Calls in ---- */

/* A call in becomes an event, and is answered by a function. */
static double call_in(long count) {
    int64_t sum = 0;
    SGK_AUTO(sgk_signature) numbers = sgk_signature_create("(i64) -> i64");
    SGK_AUTO(sgk_callback)
    callback = sgk_callback_create_typed(numbers, sgk_null(), SGK_FUNCTION(natural_plus_one), numbers, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(calls, add_up, &sum, NULL);
    int64_t (*function)(int64_t) = (int64_t(*)(int64_t))sgk_callback_function(callback);
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
