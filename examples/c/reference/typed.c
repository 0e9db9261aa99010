/* Examples of signalkit/typed.h. */
#include "print.h"

#include <signalkit/typed.h>

/* sgk_signature_create
 * The error of an invalid text contains the position. */
static void signature_create(void) {
    SGK_AUTO(sgk_signature) compare = sgk_signature_create("(i64, i64) -> bool");
    printf("%d\n", compare != NULL);
    if (!sgk_signature_create("(i65) -> bool")) puts(sgk_last_error());
}
/* 1
 * sgk_signature_create: text: column 2: unknown type 'i65' */

/* sgk_signature_shared
 * Two calls with the same text return the same signature. */
static void signature_shared(void) {
    printf("%d\n", sgk_signature_shared("(i64) -> bool") == sgk_signature_shared("(i64) -> bool"));
}
/* 1 */

/* sgk_signature_arity, sgk_signature_uses_libffi
 * The context is not a value. Functions like this one are called without libffi. */
static void signature_arity(void) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64, f64, ctx) -> bool");
    SGK_AUTO(sgk_signature) long_way = sgk_signature_create("(i64, f64, ctx) -> bool via libffi");
    printf("%d values\n", (int)sgk_signature_arity(signature));
    printf("%d\n", sgk_signature_uses_libffi(long_way));
}
/* 2 values
 * 1 */

static void print_number(int64_t number) { printf("%d\n", (int)number); }

static void print_text(const char *text) { printf("failed: %s\n", text); }

static void print_done(void) { puts("completed"); }

/* sgk_signal_start_typed */
static void start_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_typed(numbers,
        SGK_TYPED(print_number, "(i64) -> void"), SGK_TYPED(print_text, "(text) -> void"),
        SGK_TYPED(print_done, "() -> void"), NULL, NULL);
}
/* 1
 * 2
 * completed */

static double celsius(double fahrenheit) { return (fahrenheit - 32) / 1.8; }

/* sgk_signal_map_typed */
static void map_typed(void) {
    SGK_AUTO(sgk_signal) fahrenheit = sgk_signal_just(sgk_double(68));
    SGK_AUTO(sgk_signal) degrees = sgk_signal_map_typed(fahrenheit, SGK_TYPED(celsius, "(f64) -> f64"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(degrees, print, NULL, NULL);
}
/* 20 */

static bool is_even(int64_t number) { return number % 2 == 0; }

/* sgk_signal_filter_typed */
static void filter_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) even = sgk_signal_filter_typed(numbers, SGK_TYPED(is_even, "(i64) -> bool"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(even, print, NULL, NULL);
}
/* 2
 * 4 */

static const char *explain(int64_t error) { return error == 5 ? "no answer" : "something else"; }

/* sgk_signal_map_error_typed */
static void map_error_typed(void) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) explained =
        sgk_signal_map_error_typed(failing, SGK_TYPED(explain, "(i64) -> cstr"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(explained);
}
/* failed: no answer */

static void note(const char *what, int64_t number) { printf("%s %d\n", what, (int)number); }

/* sgk_signal_before_next_typed, sgk_signal_after_next_typed
 * The context is the first parameter here. */
static void next_typed(void) {
    SGK_AUTO(sgk_signal) s = sgk_signal_just(sgk_int(1));
    sgk_signal_replace(&s, sgk_signal_before_next_typed(s, SGK_TYPED(note, "(ctx, i64) -> void"), "before", NULL));
    sgk_signal_replace(&s, sgk_signal_after_next_typed(s, SGK_TYPED(note, "(ctx, i64) -> void"), "after", NULL));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(s, print, NULL, NULL);
}
/* before 1
 * 1
 * after 1 */

/* sgk_signal_before_error_typed */
static void before_error_typed(void) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) watched =
        sgk_signal_before_error_typed(failing, SGK_TYPED(print_text, "(text) -> void"), NULL, NULL);
    SGK_AUTO(sgk_signal) caught = sgk_signal_catch_and_return(watched, sgk_int(0));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(caught, print, NULL, NULL);
}
/* failed: 5
 * 0 */

static bool within_one(int64_t last, int64_t number) { return number - last <= 1 && last - number <= 1; }

/* sgk_signal_distinct_until_changed_by_typed */
static void distinct_until_changed_by_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) steps =
        sgk_signal_distinct_until_changed_by_typed(numbers, SGK_TYPED(within_one, "(i64, i64) -> bool"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(steps, print, NULL, NULL);
}
/* 1
 * 3
 * 5 */

static int64_t parity(int64_t number) { return number % 2; }

/* sgk_signal_distinct_by_typed
 * The first number of each parity. */
static void distinct_by_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) firsts =
        sgk_signal_distinct_by_typed(numbers, NULL, SGK_TYPED(parity, "(i64) -> i64"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(firsts, print, NULL, NULL);
}
/* 1
 * 2 */

static int64_t add(int64_t sum, int64_t number) { return sum + number; }

/* sgk_signal_reduce_typed */
static void reduce_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) total =
        sgk_signal_reduce_typed(numbers, sgk_int(0), SGK_TYPED(add, "(i64, i64) -> i64"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(total, print, NULL, NULL);
}
/* 10 */

/* sgk_signal_scan_typed */
static void scan_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) sums = sgk_signal_scan_typed(numbers, sgk_int(0), SGK_TYPED(add, "(i64, i64) -> i64"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(sums, print, NULL, NULL);
}
/* 1
 * 3
 * 6 */

static bool is_small(int64_t number) { return number < 3; }

/* sgk_signal_take_while_typed */
static void take_while_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 100);
    SGK_AUTO(sgk_signal) small = sgk_signal_take_while_typed(numbers, SGK_TYPED(is_small, "(i64) -> bool"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(small);
}
/* 1
 * 2
 * completed */

/* sgk_signal_skip_while_typed */
static void skip_while_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) rest = sgk_signal_skip_while_typed(numbers, SGK_TYPED(is_small, "(i64) -> bool"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(rest, print, NULL, NULL);
}
/* 3
 * 4 */

/* A number and the next one. */
static sgk_signal *two_from(int64_t number) { return sgk_signal_range(number, 2); }

/* sgk_signal_switch_map_typed, sgk_signal_concat_map_typed, sgk_signal_concat_map_latest_typed
 * The function returns a signal. The operator decides how several signals are combined. */
static void switch_map_typed(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(10));
    SGK_AUTO(sgk_signal) latest =
        sgk_signal_switch_map_typed(number, SGK_TYPED(two_from, "(i64) -> ptr"), NULL, NULL);
    SGK_AUTO(sgk_signal) queued =
        sgk_signal_concat_map_typed(latest, SGK_TYPED(two_from, "(i64) -> ptr"), NULL, NULL);
    SGK_AUTO(sgk_signal) throttled =
        sgk_signal_concat_map_latest_typed(queued, SGK_TYPED(two_from, "(i64) -> ptr"), NULL, NULL);
    SGK_AUTO(sgk_signal) all = sgk_signal_chunked(throttled, 100);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(all, print, NULL, NULL);
}
/* [10, 11, 11, 12, 11, 12, 12, 13] */

/* sgk_signal_merge_map_typed, sgk_signal_exhaust_map_typed */
static void merge_map_typed(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(10));
    SGK_AUTO(sgk_signal) merged =
        sgk_signal_merge_map_typed(number, 2, NULL, SGK_TYPED(two_from, "(i64) -> ptr"), NULL, NULL);
    SGK_AUTO(sgk_signal) first = sgk_signal_exhaust_map_typed(merged, SGK_TYPED(two_from, "(i64) -> ptr"), NULL, NULL);
    SGK_AUTO(sgk_signal) all = sgk_signal_chunked(first, 100);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(all, print, NULL, NULL);
}
/* [10, 11, 11, 12] */

static sgk_signal *instead_of(int64_t error) { return sgk_signal_just(sgk_int(-error)); }

/* sgk_signal_catch_typed */
static void catch_typed(void) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) caught = sgk_signal_catch_typed(failing, SGK_TYPED(instead_of, "(i64) -> ptr"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(caught);
}
/* -5
 * completed */

static double area(double width, double height) { return width * height; }

/* sgk_combine_latest_typed, sgk_zip_typed, sgk_signal_with_latest_from_typed
 * A parameter for each signal. */
static void combine_latest_typed(void) {
    SGK_AUTO(sgk_signal) width = sgk_signal_range(2, 2);
    SGK_AUTO(sgk_signal) height = sgk_signal_just(sgk_int(10));
    sgk_signal *const both[] = {width, height};
    SGK_AUTO(sgk_signal) latest =
        sgk_combine_latest_typed(both, 2, SGK_TYPED(area, "(f64, f64) -> f64"), NULL, NULL, NULL);
    SGK_AUTO(sgk_signal) zipped = sgk_zip_typed(
        both, 2, NULL, SGK_TYPED(area, "(f64, f64) -> f64"), NULL, NULL);
    SGK_AUTO(sgk_signal) with =
        sgk_signal_with_latest_from_typed(width, height, SGK_TYPED(area, "(f64, f64) -> f64"), NULL, NULL);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(latest, print, "latest: ", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(zipped, print, "zipped: ", NULL);
    SGK_AUTO(sgk_disposable) third = sgk_signal_start_next(with, print, "each: ", NULL);
}
/* latest: 30
 * zipped: 20
 * each: 20
 * each: 30 */

/* The new sum, of which nothing is passed on yet. */
static sgk_signal *add_later(int64_t sum, int64_t number) {
    const sgk_value accumulated = sgk_int(sum + number);
    return sgk_signal_just(sgk_give(sgk_array(&accumulated, 1)));
}

/* sgk_signal_reduce_generator_typed */
static void reduce_generator_typed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) total = sgk_signal_reduce_generator_typed(
        numbers, sgk_int(0), SGK_TYPED(add_later, "(i64, i64) -> ptr"), NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(total, print, NULL, NULL);
}
/* 10 */

int main(void) {
    signature_create();
    signature_shared();
    signature_arity();
    start_typed();
    map_typed();
    filter_typed();
    map_error_typed();
    next_typed();
    before_error_typed();
    distinct_until_changed_by_typed();
    distinct_by_typed();
    reduce_typed();
    scan_typed();
    take_while_typed();
    skip_while_typed();
    switch_map_typed();
    merge_map_typed();
    catch_typed();
    combine_latest_typed();
    reduce_generator_typed();
}
