/* The limit of callbacks of natural signatures: calls of a `(i64) -> i64` by hand, plain, through libffi, and in
 * through a closure. */
#include <ffi.h>

#include "../bench.h"

static int64_t plus_one(int64_t number) { return number + 1; }

/* Volatile, so that the compiler cannot inline the call. */
static int64_t (*volatile at_run_time)(int64_t) = plus_one;

static ffi_cif cif;
static ffi_type *parameters[] = {&ffi_type_sint64};

static void prepare(void) {
    bench_check(ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 1, &ffi_type_sint64, parameters), FFI_OK, "ffi_prep_cif");
}

static double call(long count, int64_t (*function)(int64_t)) {
    int64_t number = 0;
    double start = bench_now();
    for (long i = 0; i < count; i++) number = function(number);
    double end = bench_now();
    bench_check(number, count, "number");
    return (end - start) / (double)count;
}

static double plain_call(long count) { return call(count, at_run_time); }

static double call_through_libffi(long count) {
    int64_t number = 0;
    prepare();
    double start = bench_now();
    for (long i = 0; i < count; i++) {
        int64_t result;
        void *arguments[] = {&number};
        ffi_call(&cif, FFI_FN(plus_one), &result, arguments);
        number = result;
    }
    double end = bench_now();
    bench_check(number, count, "number");
    return (end - start) / (double)count;
}

static void called(ffi_cif *shape, void *result, void **arguments, void *context) {
    (void)shape, (void)context;
    *(int64_t *)result = *(int64_t *)arguments[0] + 1;
}

static double call_in_by_hand(long count) {
    void *code;
    ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &code);
    prepare();
    bench_check(ffi_prep_closure_loc(closure, &cif, called, NULL, code), FFI_OK, "ffi_prep_closure_loc");
    double nanoseconds = call(count, (int64_t(*)(int64_t))code);
    ffi_closure_free(closure);
    return nanoseconds;
}

static const bench_case cases[] = {
    {"W8.fast", "plain call", plain_call, 10000000},
    {"W8.libffi", "ffi_call", call_through_libffi, 3000000},
    {"W8.in", "closure of libffi", call_in_by_hand, 3000000},
};

BENCH_MAIN(cases)
