/* Typed callbacks, calls out: functions of natural signatures. Each test runs with compiled-in calls and through
 * libffi. */
#include "suite.h"

#include <inttypes.h>
#include <math.h>

static const char *via; /* the suffix of every signature: "" or " via libffi" */

static sgk_signature *sign(const char *text) {
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", text, via);
    sgk_signature *signature = sgk_signature_create(whole);
    assert_non_null(signature);
    if (*via) assert_true(sgk_signature_uses_libffi(signature));
    return signature;
}

static int compiled_in_first(void **state) {
    (void)state;
    via = "";
    return 0;
}
#define BOTH_WAYS for (via = ""; via; via = *via ? NULL : " via libffi")

/* Sends one value through `map`. The caller owns the result: a value, or the text of the error. */
typedef struct outcome {
    sgk_value value, error;
    int values, errors, ends;
} outcome;

static void outcome_next(void *context, sgk_value value) {
    outcome *o = context;
    sgk_value_release(o->value);
    o->value = sgk_value_retain(value);
    o->values++;
}
static void outcome_error(void *context, sgk_value error) {
    ((outcome *)context)->error = sgk_value_retain(error);
    ((outcome *)context)->errors++;
}
static void outcome_completed(void *context) { ((outcome *)context)->ends++; }

static outcome outcome_of(sgk_signal *signal) {
    outcome o = {0};
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &o;
    handlers.next = outcome_next;
    handlers.error = outcome_error;
    handlers.completed = outcome_completed;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
    assert_int_equal(o.errors + o.ends, 1);
    return o;
}

static void outcome_free(outcome o) {
    sgk_value_release(o.value);
    sgk_value_release(o.error);
}

static outcome mapped(sgk_value value, sgk_function f, const char *text, void *context) {
    SGK_AUTO(sgk_signature) signature = sign(text);
    SGK_AUTO(sgk_signal) single = sgk_signal_just(value);
    SGK_AUTO(sgk_signal) result = sgk_signal_map_typed(single, f, signature, context, NULL);
    return outcome_of(result);
}

static void assert_maps(sgk_value value, sgk_function f, const char *signature, sgk_value expected) {
    outcome o = mapped(value, f, signature, NULL);
    assert_int_equal(o.values, 1);
    assert_int_equal(o.errors, 0);
    assert_true(sgk_value_equal(o.value, expected));
    outcome_free(o);
}

static void assert_fails(sgk_value value, sgk_function f, const char *signature, const char *error) {
    outcome o = mapped(value, f, signature, NULL);
    assert_int_equal(o.values, 0);
    assert_int_equal(o.errors, 1);
    assert_string_equal(sgk_error_text(o.error), error);
    outcome_free(o);
}

/* ---- Every type ---- */

#define SAME(type, name) \
    static type same_##name(type value) { return value; }
/* clang-format off */
SAME(bool, bool) SAME(int8_t, i8) SAME(int16_t, i16) SAME(int32_t, i32) SAME(int64_t, i64) SAME(uint8_t, u8)
SAME(uint16_t, u16) SAME(uint32_t, u32) SAME(uint64_t, u64) SAME(float, f32) SAME(double, f64) SAME(void *, ptr)
SAME(const char *, cstr)
    /* clang-format on */
    static sgk_value same_value(sgk_value value) {
    return sgk_value_retain(value);
}
static int64_t four_less(int8_t a, uint8_t b, float c, double d) { return (int64_t)(a - b + c - d); }

static void every_type_goes_in_and_comes_back(void **state) {
    (void)state;
    BOTH_WAYS {
#define BACK(name, value) assert_maps(value, SGK_FUNCTION(same_##name), "(" #name ") -> " #name, value)
        BACK(bool, sgk_bool(true));
        BACK(bool, sgk_bool(false));
        BACK(i8, sgk_int(INT8_MIN));
        BACK(i8, sgk_int(INT8_MAX));
        BACK(i16, sgk_int(INT16_MIN));
        BACK(i32, sgk_int(INT32_MIN));
        BACK(i64, sgk_int(INT64_MIN));
        BACK(i64, sgk_int(INT64_MAX));
        BACK(u8, sgk_int(UINT8_MAX));
        BACK(u16, sgk_int(UINT16_MAX));
        BACK(u32, sgk_int(UINT32_MAX));
        BACK(u64, sgk_int(INT64_MAX));
        BACK(f32, sgk_double(-0.5));
        BACK(f32, sgk_double(INFINITY));
        BACK(f64, sgk_double(M_PI));
        BACK(f64, sgk_double(NAN));
        BACK(ptr, sgk_pointer(&via));
        BACK(value, sgk_double(1));
        sgk_value text = sgk_string("text"), items[] = {sgk_int(-8), sgk_int(200), sgk_double(1.5), sgk_int(3)},
                  array = sgk_array(items, 4);
        BACK(cstr, text);
        BACK(value, array);
        assert_maps(array, SGK_FUNCTION(four_less), "(i8,u8,f32,f64)->i64", sgk_int(-209));
        sgk_value_release(array);
        sgk_value shown = sgk_string("0.5");
        assert_maps(sgk_double(0.5), SGK_FUNCTION(same_cstr), "(text) -> cstr", shown);
        assert_maps(text, SGK_FUNCTION(same_cstr), "(text) -> text", text);
        sgk_value_release(shown);
        sgk_value_release(text);
    }
}

/* The bits that such functions may leave in the part of a register that a narrow result does not use. */
static uint64_t rest(uint64_t word, uint64_t mask) { return (word & mask) | (0xa5a5a5a5a5a5a5a5 & ~mask); }
static uint64_t dirty_8(uint64_t word) { return rest(word, 0xff); }
static uint64_t dirty_16(uint64_t word) { return rest(word, 0xffff); }
static uint64_t dirty_32(uint64_t word) { return rest(word, 0xffffffff); }
static double dirty_f32(double word) {
    uint64_t bits;
    memcpy(&bits, &word, sizeof bits);
    bits = rest(bits, 0xffffffff);
    memcpy(&word, &bits, sizeof bits);
    return word;
}

static void only_as_much_of_a_register_counts_as_the_type_is_wide(void **state) {
    (void)state;
    if (INTEGER_REGISTERS == 0) return; /* others may have it that narrow results are extended */
    BOTH_WAYS {
        assert_maps(sgk_int(-3), SGK_FUNCTION(dirty_8), "(i8) -> i8", sgk_int(-3));
        assert_maps(sgk_int(200), SGK_FUNCTION(dirty_8), "(u8) -> u8", sgk_int(200));
        assert_maps(sgk_bool(false), SGK_FUNCTION(dirty_8), "(bool) -> bool", sgk_bool(false));
        assert_maps(sgk_int(-300), SGK_FUNCTION(dirty_16), "(i16) -> i16", sgk_int(-300));
        assert_maps(sgk_int(60000), SGK_FUNCTION(dirty_16), "(u16) -> u16", sgk_int(60000));
        assert_maps(sgk_int(-70000), SGK_FUNCTION(dirty_32), "(i32) -> i32", sgk_int(-70000));
        assert_maps(sgk_int(INT64_C(4000000000)), SGK_FUNCTION(dirty_32), "(u32) -> u32", sgk_int(INT64_C(4000000000)));
        assert_maps(sgk_double(-0.5), SGK_FUNCTION(dirty_f32), "(f32) -> f32", sgk_double(-0.5));
    }
}

static size_t describe_via(void *object, char *text, size_t size) {
    (void)object;
    return (size_t)snprintf(text, size, "via");
}
static const sgk_object_type via_type = {sizeof via_type, "via", NULL, NULL, NULL, NULL, describe_via};

static void conversions_lose_nothing(void **state) {
    (void)state;
    BOTH_WAYS {
        assert_maps(sgk_int(3), SGK_FUNCTION(same_f64), "(f64) -> f64", sgk_double(3));
        assert_maps(sgk_int(-7), SGK_FUNCTION(same_f32), "(f32) -> f32", sgk_double(-7));
        assert_maps(sgk_double(0.1), SGK_FUNCTION(same_f32), "(f32) -> f32", sgk_double((double)0.1f));
        assert_maps(sgk_null(), SGK_FUNCTION(same_ptr), "(ptr) -> ptr", sgk_pointer(NULL));
        assert_maps(sgk_null(), SGK_FUNCTION(same_cstr), "(cstr) -> cstr", sgk_null());
        sgk_value object = sgk_object(&via, &via_type), data = sgk_bytes("data", 4), holed = sgk_string_n("a\0b", 3);
        assert_maps(
            data, SGK_FUNCTION(same_ptr), "(ptr) -> ptr", sgk_pointer((void *)(uintptr_t)sgk_value_data(data, NULL)));
#define FAILS(name, value, reason) \
    assert_fails(value, SGK_FUNCTION(same_##name), "(" #name ") -> " #name, \
        "sgk_signal_map_typed: parameter 1 (" #name "): " reason)
        FAILS(bool, sgk_int(1), "1 must be a bool");
        FAILS(i8, sgk_int(128), "128 must fit the type");
        FAILS(i8, sgk_int(-129), "-129 must fit the type");
        FAILS(i16, sgk_int(32768), "32768 must fit the type");
        FAILS(i32, sgk_int(INT64_C(1) << 31), "2147483648 must fit the type");
        FAILS(u8, sgk_int(-1), "-1 must fit the type");
        FAILS(u16, sgk_int(65536), "65536 must fit the type");
        FAILS(u32, sgk_int(-1), "-1 must fit the type");
        FAILS(u64, sgk_int(-1), "-1 must fit the type");
        FAILS(i64, sgk_double(1), "1 must be an int");
        FAILS(i64, sgk_bool(true), "true must be an int");
        FAILS(f64, sgk_int((INT64_C(1) << 53) + 1), "9007199254740993 must be exactly representable");
        FAILS(f32, sgk_int((1 << 24) + 1), "16777217 must be exactly representable");
        FAILS(f32, sgk_double(1e300), "1.0000000000000001e+300 must fit the type");
        FAILS(f32, sgk_null(), "null must be a number");
        FAILS(f64, sgk_bool(false), "false must be a number");
        FAILS(ptr, sgk_int(1), "1 must be a pointer");
        FAILS(ptr, object, "via must be a pointer"); /* of any owner */
        FAILS(cstr, data, "64617461 must be a string");
        FAILS(cstr, sgk_int(1), "1 must be a string");
        assert_fails(holed, SGK_FUNCTION(same_cstr), "(cstr) -> cstr",
            "sgk_signal_map_typed: parameter 1 (cstr): a must not contain NUL");
        sgk_value_release(object);
        sgk_value_release(data);
        sgk_value_release(holed);
    }
}

static uint64_t most(void) { return UINT64_MAX; }
static int32_t forty_two(void) { return 42; }

static void results_that_no_value_can_hold_are_errors(void **state) {
    (void)state;
    BOTH_WAYS {
        assert_fails(sgk_null(), SGK_FUNCTION(most), "() -> u64",
            "sgk_signal_map_typed: result (u64): the number is more than an int can be");
        /* no parameters: called all the same */
        assert_maps(sgk_int(9), SGK_FUNCTION(forty_two), "(void) -> i32", sgk_int(42));
    }
}

static void arrays_are_spread_over_the_parameters(void **state) {
    (void)state;
    BOTH_WAYS {
        sgk_value items[] = {sgk_int(1), sgk_int(2), sgk_int(3)}, array = sgk_array(items, 3);
        assert_fails(array, SGK_FUNCTION(four_less), "(i8, u8, f32, f64) -> i64",
            "sgk_signal_map_typed: the value must be an array of 4 values, got [1, 2, 3]");
        assert_fails(sgk_int(5), SGK_FUNCTION(four_less), "(i8, u8, f32, f64) -> i64",
            "sgk_signal_map_typed: the value must be an array of 4 values, got 5");
        assert_fails(array, SGK_FUNCTION(same_i64), "(i64) -> i64",
            "sgk_signal_map_typed: parameter 1 (i64): [1, 2, 3] must be an int");
        sgk_value_release(array);
    }
}

static int64_t scaled(int32_t a, void *context, int64_t b, const int64_t *again) {
    return (a + b) * *(int64_t *)context + *again;
}

static void the_context_goes_where_the_signature_says(void **state) {
    (void)state;
    BOTH_WAYS {
        int64_t factor = 10;
        sgk_value items[] = {sgk_int(3), sgk_int(4)}, array = sgk_array(items, 2);
        outcome o = mapped(array, SGK_FUNCTION(scaled), "(i32, ctx, i64, ctx) -> i64", &factor);
        assert_int_equal(sgk_to_int(o.value), 80);
        sgk_value_release(array);
    }
}

/* ---- The operators ---- */

static bool odd(int64_t value) { return value & 1; }
static int8_t odd_as_i8(int64_t value) { return (int8_t)(value & 1); }
static double halved(double value) { return value / 2; }
static int64_t summed(int64_t sum, int64_t value) { return sum + value; }
static double weighted(double sum, double value, double weight) { return sum + value * weight; }
static bool same_tens(int64_t last, int64_t value) { return last / 10 == value / 10; }
static void *twice(int64_t value) {
    sgk_signal *single = sgk_signal_just(sgk_int(value)), *pair[] = {single, single}, *both = sgk_merge(pair, 2);
    sgk_signal_release(single);
    return both;
}
static void count_calls(counted *c, int64_t value) { c->calls += (int)value; }

#define RECORDS(result, ...) \
    do { \
        sgk_signal *made = (result); \
        recorder *r = recorder_new(); \
        sgk_disposable_release(record_run(made, r)); \
        sgk_signal_release(made); \
        ASSERT_VALUES(r, __VA_ARGS__); \
        assert_int_equal(r->errors, 0); \
        recorder_free(r); \
    } while (0)

static void operators_do_what_their_plain_forms_do(void **state) {
    (void)state;
    BOTH_WAYS {
        SGK_AUTO(sgk_signature)
        predicate = sign("(i64) -> bool"), *number = sign("(i64) -> i8"), *pair = sign("(i64, i64) -> i64");
        SGK_AUTO(sgk_signature)
        compare = sign("(i64, i64) -> bool"), *action = sign("(i64) -> i32"), *maker = sign("(i64) -> ptr"),
        *watcher = sign("(ctx, i64) -> void");
        SGK_AUTO(sgk_signal) source = count_to(4), *failing = sgk_signal_fail(sgk_int(8));
        counted c = {0};
        RECORDS(sgk_signal_filter_typed(source, SGK_FUNCTION(odd), predicate, NULL, NULL), 1, 3);
        RECORDS(sgk_signal_filter_typed(source, SGK_FUNCTION(odd_as_i8), number, NULL, NULL), 1, 3);
        RECORDS(sgk_signal_reduce_typed(source, sgk_int(100), SGK_FUNCTION(summed), pair, NULL, NULL), 110);
        RECORDS(sgk_signal_take_while_typed(source, SGK_FUNCTION(odd), predicate, NULL, NULL), 1);
        RECORDS(sgk_signal_skip_while_typed(source, SGK_FUNCTION(odd_as_i8), number, NULL, NULL), 2, 3, 4);
        RECORDS(
            sgk_signal_scan_typed(source, sgk_int(100), SGK_FUNCTION(summed), pair, NULL, NULL), 101, 103, 106, 110);
        RECORDS(
            sgk_signal_before_next_typed(source, SGK_FUNCTION(count_calls), watcher, &c, counted_destroy), 1, 2, 3, 4);
        RECORDS(
            sgk_signal_after_next_typed(source, SGK_FUNCTION(count_calls), watcher, &c, counted_destroy), 1, 2, 3, 4);
        assert_int_equal(c.calls, 20);
        assert_int_equal(c.destroyed, 2);
        RECORDS(sgk_signal_switch_map_typed(source, SGK_FUNCTION(twice), maker, NULL, NULL), 1, 1, 2, 2, 3, 3, 4, 4);
        RECORDS(sgk_signal_concat_map_typed(source, SGK_FUNCTION(twice), maker, NULL, NULL), 1, 1, 2, 2, 3, 3, 4, 4);
        RECORDS(sgk_signal_catch_typed(failing, SGK_FUNCTION(twice), maker, NULL, NULL), 8, 8);
        SGK_AUTO(sgk_signal) tens = sgk_signal_map(source, times_ten, NULL, NULL);
        RECORDS(sgk_signal_distinct_until_changed_by_typed(source, SGK_FUNCTION(same_tens), compare, NULL, NULL), 1);
        RECORDS(sgk_signal_distinct_until_changed_by_typed(tens, SGK_FUNCTION(same_tens), compare, NULL, NULL), 10, 20,
            30, 40);
        SGK_AUTO(sgk_signal) other = sgk_signal_map_error_typed(failing, SGK_FUNCTION(same_i64), action, NULL, NULL);
        outcome o = outcome_of(other);
        assert_int_equal(sgk_to_int(o.error), 8);
    }
}

/* The accumulated value, tenfold, and the value, which is passed on. */
static void *shifted(int64_t accumulated, int64_t value) {
    sgk_value items[] = {sgk_int(10 * accumulated + value), sgk_int(value)};
    return sgk_signal_just(sgk_give(sgk_array(items, 2)));
}

static void typed_keys_and_generators(void **state) {
    (void)state;
    BOTH_WAYS {
        SGK_AUTO(sgk_signature)
        number = sign("(i64) -> i8"), *maker = sign("(i64) -> ptr"), *makers = sign("(i64, i64) -> ptr"),
        *watcher = sign("(ctx, i64) -> void");
        SGK_AUTO(sgk_signal) source = count_to(4), *failing = sgk_signal_fail(sgk_int(7));
        counted c = {0};
        RECORDS(sgk_signal_distinct_by_typed(source, SGK_BOUND(.limit = 9, .overflow = SGK_OVERFLOW_DROP_OLDEST),
                    SGK_FUNCTION(odd_as_i8), number, NULL, NULL),
            1, 2);
        RECORDS(sgk_signal_distinct_by_typed(source, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_OLDEST),
                    SGK_FUNCTION(odd_as_i8), number, NULL, NULL),
            1, 2, 3, 4);
        RECORDS(
            sgk_signal_concat_map_latest_typed(source, SGK_FUNCTION(twice), maker, NULL, NULL), 1, 1, 2, 2, 3, 3, 4, 4);
        RECORDS(sgk_signal_reduce_generator_typed(source, sgk_int(0), SGK_FUNCTION(shifted), makers, NULL, NULL), 1, 2,
            3, 4, 1234);
        SGK_AUTO(sgk_signal)
        watched = sgk_signal_before_error_typed(failing, SGK_FUNCTION(count_calls), watcher, &c, counted_destroy);
        outcome o = outcome_of(watched);
        assert_int_equal(sgk_to_int(o.error), 7);
        assert_int_equal(c.calls, 7);
    }
}

static int64_t last_of(recorder *r) {
    pthread_mutex_lock(&r->lock);
    int64_t last = r->count ? r->values[r->count - 1] : 0;
    pthread_mutex_unlock(&r->lock);
    return last;
}

static void combining_gives_each_parameter_a_signal(void **state) {
    (void)state;
    BOTH_WAYS {
        SGK_AUTO(sgk_pipe) a = sgk_pipe_create(), *b = sgk_pipe_create();
        SGK_AUTO(sgk_signal) from_a = sgk_pipe_signal(a), *from_b = sgk_pipe_signal(b);
        SGK_AUTO(sgk_signature) signature = sign("(i64, i64) -> i64"), *three = sign("(f64, f64, f64) -> f64");
        SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
        sgk_signal *sources[] = {from_a, from_b};
        counted c = {0};
        SGK_AUTO(sgk_signal)
        sums = sgk_combine_latest_typed(sources, 2, SGK_FUNCTION(summed), signature, &c, counted_destroy, NULL);
        SGK_AUTO(sgk_signal)
        there = sgk_combine_latest_typed(sources, 2, SGK_FUNCTION(summed), signature, NULL, NULL, queue);
        recorder *r = recorder_new(), *s = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(sums, r), *elsewhere = record_run(there, s);
        sgk_pipe_next(a, sgk_int(1));
        sgk_pipe_next(b, sgk_int(10));
        sgk_pipe_next(a, sgk_int(2));
        ASSERT_VALUES(r, 11, 12);
        EVENTUALLY(last_of(s) == 12);
        sgk_disposable_dispose(elsewhere);
        sgk_pipe_next(b, sgk_double(1)); /* does not fit */
        assert_int_equal(r->errors, 1);
        assert_null(sgk_combine_latest_typed(sources, 2, SGK_FUNCTION(weighted), three, &c, counted_destroy, NULL));
        assert_failed(SGK_ERROR_ARGUMENT, "sgk_combine_latest_typed: signature: must have one parameter");
        assert_int_equal(c.destroyed, 1);
        recorder_free(r);
        recorder_free(s);
    }
}

static void folding_spreads_the_value(void **state) {
    (void)state;
    BOTH_WAYS {
        SGK_AUTO(sgk_signature) signature = sign("(f64, f64, f64) -> f64");
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal)
        sum = sgk_signal_reduce_typed(source, sgk_int(0), SGK_FUNCTION(weighted), signature, NULL, NULL);
        outcome o = {0}, p = {0};
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.next = outcome_next;
        handlers.error = outcome_error;
        handlers.context = &o;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(sum, &handlers);
        handlers.context = &p;
        for (int i = 1; i <= 2; i++) {
            sgk_value items[] = {sgk_int(i), sgk_double(0.5)}, pair = sgk_array(items, 2);
            sgk_pipe_next(pipe, pair);
            sgk_value_release(pair);
        }
        SGK_AUTO(sgk_disposable) wrong = sgk_signal_start(sum, &handlers);
        sgk_value odd_one = sgk_array(&(sgk_value){SGK_INT, 0, 1}, 1);
        sgk_disposable_dispose(run);
        sgk_pipe_next(pipe, odd_one);
        sgk_value_release(odd_one);
        assert_int_equal(o.values, 0);
        assert_string_equal(
            sgk_error_text(p.error), "sgk_signal_reduce_typed: the value must be an array of 3 values, got [1]");
        SGK_AUTO(sgk_disposable) whole = sgk_signal_start(sum, &handlers);
        sgk_value items[] = {sgk_int(3), sgk_int(4)}, pair = sgk_array(items, 2);
        sgk_pipe_next(pipe, pair);
        sgk_value_release(pair);
        sgk_pipe_complete(pipe);
        assert_true(sgk_to_double(p.value) == 12);
        outcome_free(p);
    }
}

/* ---- A subscription that fails ---- */

static void a_value_that_does_not_fit_ends_the_run_and_stops_the_source(void **state) {
    (void)state;
    BOTH_WAYS {
        SGK_AUTO(sgk_signature) narrow = sign("(i8) -> i8");
        SGK_AUTO(sgk_signal) source = count_to(INT64_MAX); /* endless, if it is not stopped */
        counted c = {0};
        sgk_signal *bytes = sgk_signal_map_typed(source, SGK_FUNCTION(same_i8), narrow, &c, counted_destroy);
        int64_t before = generator_rounds();
        outcome o = outcome_of(bytes);
        assert_int_equal(o.values, 127);
        assert_string_equal(sgk_error_text(o.error), "sgk_signal_map_typed: parameter 1 (i8): 128 must fit the type");
        assert_int_equal(generator_rounds() - before, 128);
        outcome_free(o);
        outcome again = outcome_of(bytes); /* each start is a separate subscription */
        assert_int_equal(again.values, 127);
        outcome_free(again);
        assert_int_equal(c.destroyed, 0);
        sgk_signal_release(bytes);
        assert_int_equal(c.destroyed, 1);
    }
}

static void fail_at_once(void *context, int index) {
    sgk_subscriber_next(((hand *)context)->subscriber, sgk_int(1000 + index));
}

static void of_many_that_fail_at_once_one_is_told(void **state) {
    (void)state;
    BOTH_WAYS {
        SGK_AUTO(sgk_signature) narrow = sign("(i8) -> i8");
        for (int round = 0; round < 100; round++) {
            hand h;
            SGK_AUTO(sgk_signal) source = hand_signal(&h);
            SGK_AUTO(sgk_signal) bytes = sgk_signal_map_typed(source, SGK_FUNCTION(same_i8), narrow, NULL, NULL);
            recorder *r = recorder_new();
            SGK_AUTO(sgk_disposable) run = record_run(bytes, r);
            in_parallel(4, fail_at_once, &h);
            assert_int_equal(r->errors, 1);
            assert_int_equal(h.disposals, 1);
            hand_free(&h);
            recorder_free(r);
        }
    }
}

/* ---- Starting ---- */

typedef struct seen {
    int64_t sum;
    char error[128];
    int nexts, errors, ends;
    atomic_int destroyed;
    sgk_disposable *run;
} seen;

static void see_next(seen *s, int64_t value) {
    s->sum += value;
    s->nexts++;
    if (s->run && value == 3) sgk_disposable_dispose(s->run);
}
static void see_error(const char *text, seen *s) {
    snprintf(s->error, sizeof s->error, "%s", text);
    s->errors++;
}
static void see_end(seen *s) { s->ends++; }
static void see_destroy(void *context) { ((seen *)context)->destroyed++; }
static void dispose_given(void *context, sgk_value value) {
    (void)value;
    sgk_disposable **run = context;
    sgk_disposable_dispose(*run);
}

static sgk_disposable *see(sgk_signal *signal, seen *s) {
    SGK_AUTO(sgk_signature)
    next = sign("(ctx, i64) -> void"), *error = sign("(text, ctx) -> void"), *end = sign("(ctx) -> void");
    sgk_disposable *run = sgk_signal_start_typed(signal, SGK_FUNCTION(see_next), next, SGK_FUNCTION(see_error), error,
        SGK_FUNCTION(see_end), end, s, see_destroy);
    return run;
}

static void starting_with_natural_functions(void **state) {
    (void)state;
    BOTH_WAYS {
        seen s = {0};
        SGK_AUTO(sgk_signal) source = count_to(4);
        sgk_disposable_release(see(source, &s));
        assert_int_equal(s.sum, 10);
        assert_int_equal(s.ends, 1);
        assert_int_equal(s.destroyed, 1);
        s = (seen){0};
        SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(7));
        sgk_disposable_release(see(failing, &s));
        assert_string_equal(s.error, "7");
        assert_int_equal(s.errors + s.ends, 1);
        s = (seen){0};
        hand h;
        SGK_AUTO(sgk_signal) by_hand = hand_signal(&h);
        SGK_AUTO(sgk_disposable) run = see(by_hand, &s);
        sgk_subscriber_next(h.subscriber, sgk_int(5));
        sgk_subscriber_next(h.subscriber, sgk_double(0.5));
        assert_string_equal(s.error, "sgk_signal_start_typed: parameter 2 (i64): 0.5 must be an int");
        assert_int_equal(h.disposals, 1);
        assert_int_equal(s.destroyed, 1);
        assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(5)), SGK_ERROR_ENDED);
        assert_int_equal(s.sum, 5);
        hand_free(&h);
        /* nobody to tell */
        sgk_disposable_release(sgk_signal_start_typed(source, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    }
}

static void disposal_stops_it_at_once(void **state) {
    (void)state;
    BOTH_WAYS {
        seen s = {0}, t = {0};
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_disposable) run = see(source, &s);
        s.run = run;
        for (int i = 1; i <= 5; i++) sgk_pipe_next(pipe, sgk_int(i));
        assert_int_equal(s.nexts, 3); /* disposed from inside its third call */
        assert_int_equal(s.destroyed, 1);
        sgk_disposable *other = NULL; /* disposed further up, while the value is on its way down */
        SGK_AUTO(sgk_signal) disposing = sgk_signal_before_next(source, dispose_given, &other, NULL);
        other = see(disposing, &t);
        sgk_pipe_next(pipe, sgk_int(1));
        assert_int_equal(t.nexts, 0);
        assert_int_equal(t.destroyed, 1);
        sgk_disposable_release(other);
    }
}

static void log_line(void *context, const char *message) { snprintf(context, 128, "%s", message); }

static void an_error_that_does_not_fit_its_handler_goes_to_the_log(void **state) {
    (void)state;
    BOTH_WAYS {
        char line[128] = "";
        sgk_set_log_handler(log_line, line, NULL);
        SGK_AUTO(sgk_signature) numbers = sign("(i64) -> i64");
        SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_double(0.5));
        sgk_disposable_release(
            sgk_signal_start_typed(failing, NULL, NULL, SGK_FUNCTION(same_i64), numbers, NULL, NULL, NULL, NULL));
        sgk_set_log_handler(NULL, NULL, NULL);
        assert_string_equal(line, "sgk_signal_start_typed: parameter 1 (i64): 0.5 must be an int");
    }
}

/* ---- Signatures ---- */

/* The header puts signatures, and nothing else that begins with a bracket, in backquotes. */
static void signatures_in_the_header_compile(void **state) {
    (void)state;
    char header[32768];
    FILE *file = fopen("include/signalkit/typed.h", "r");
    assert_non_null(file);
    header[fread(header, 1, sizeof header - 1, file)] = 0;
    assert_true(feof(file));
    fclose(file);
    int found = 0;
    for (char *text = strstr(header, "`("), *end; text; text = strstr(end + 1, "`(")) {
        end = strchr(++text, '`');
        *end = 0;
        sgk_signature *signature = sgk_signature_create(text);
        if (!signature) fail_msg("%s: %s", text, sgk_last_error());
        sgk_signature_release(signature);
        found++;
    }
    assert_true(found >= 4);
}

static void signatures_say_where_they_are_wrong(void **state) {
    (void)state;
    const struct {
        const char *text, *error;
    } cases[] = {
        {"", "column 1: '(' is missing; write a signature as (types) -> type"},
        {"i64", "column 1: write a signature as (types) -> type; '(' is missing before 'i64'"},
        {"(i64", "column 5: ',' or ')' is missing"},
        {"(i65) -> void", "column 2: unknown type 'i65'"},
        {"( i64  i64)", "column 8: ',' or ')' is missing before 'i64'"},
        {"(void, i64) -> i64", "column 2: not a parameter type 'void'"},
        {"(i64, void) -> i64", "column 7: not a parameter type 'void'"},
        {"() -> ctx", "column 7: not a result type 'ctx'"},
        {"()", "column 3: '->' is missing"},
        {"() - i64", "column 4: '->' is missing before '-'"},
        {"() -> ", "column 7: a type is missing"},
        {"(i8,) -> i8", "column 5: unknown type ')'"},
        {"() -> i64 i64", "column 11: unexpected 'i64'"},
        {"() -> i64 via libff", "column 15: unexpected 'libff'"},
        {"() -> i64 via libffi.", "column 21: unexpected '.'"},
        {"(I64) -> i64", "column 2: unknown type 'I64'"},
        {"(\xc3\xa4) -> i64", "column 2: unknown type '\xc3'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(sgk_signature_create(cases[i].text));
        assert_string_equal(sgk_last_error() + strlen("sgk_signature_create: text: "), cases[i].error);
        assert_failed(SGK_ERROR_ARGUMENT, "sgk_signature_create: text: ");
    }
}

static void *share(void *text) { return sgk_signature_shared(text); }

/* A shared signature does not count as a live object, and nothing frees it. Threads that create it simultaneously can
 * use theirs. */
static void signatures_are_shared_by_their_text(void **state) {
    (void)state;
    int64_t alive = sgk_live_count(SGK_LIVE_SIGNATURE);
    sgk_signature *one = sgk_signature_shared("(i32, ctx) -> i16");
    assert_non_null(one);
    char copy[] = "(i32, ctx) -> i16";
    assert_ptr_equal(sgk_signature_shared(copy), one);
    assert_ptr_not_equal(sgk_signature_shared("(i32,ctx) -> i16"), one);
    assert_int_equal(sgk_live_count(SGK_LIVE_SIGNATURE), alive);
    for (int i = 0; i < 3; i++) sgk_signature_release(one);
    assert_int_equal(sgk_signature_arity(one), 1);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, share, "(u8, u8, u8) -> u8"), 0);
    for (int i = 0; i < 4; i++) {
        void *made;
        pthread_join(threads[i], &made);
        assert_int_equal(sgk_signature_arity(made), 3);
    }
    SGK_AUTO(sgk_signal) s = sgk_signal_just(sgk_int(-4));
    SGK_STAGE(map_typed, s, SGK_TYPED(labs, "(i64) -> i64"), NULL, NULL);
    SGK_STAGE(filter_typed, s, SGK_TYPED(labs, "(i64) -> i64"), NULL, NULL);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(s, r));
    ASSERT_VALUES(r, 4);
    recorder_free(r);
}

static void signatures_know_their_parameters(void **state) {
    (void)state;
    const struct {
        const char *text;
        size_t arity;
        int integers, floats; /* that want a register */
    } cases[] = {
        {"()->void", 0, 0, 0},
        {" ( void ) -> bool ", 0, 0, 0},
        {"(ctx)->i32", 0, 1, 0},
        {"\t(i64,f64)\n->f64", 2, 1, 1},
        {"(ctx, ptr, cstr) -> u64", 2, 3, 0},
        {"(i8) -> f32", 1, 1, 0},
        {"(i64, i64, i64, i64, i64, i64) -> i64", 6, 6, 0}, /* as many as there are registers, and one more */
        {"(i64, i64, i64, i64, i64, i64, i64) -> i64", 7, 7, 0},
        {"(i64, i64, i64, i64, i64, i64, i64, i64) -> i64", 8, 8, 0},
        {"(i64, i64, i64, i64, i64, i64, i64, i64, i64) -> i64", 9, 9, 0},
        {"(f64, f32, f64, f64, f64, f64, f64, f32) -> f64", 8, 0, 8},
        {"(f64, f64, f64, f64, f64, f64, f64, f64, f32) -> f64", 9, 0, 9},
        {"(ptr, f64, f64, u8, f64, f64, i16, f64, f64, bool, f64, f64, value) -> value", 13, 6, 8},
        {"(value, value, value) -> value", 3, 6, 0},
        {"(value, i64, value, value) -> void", 4, 7, 0},
        {"(i64, i64, i64, i64, i64, value) -> void", 6, 7, 0}, /* a value is not split */
        {"(i64, i64, i64, i64, i64, i64, i64, value) -> void", 8, 9, 0},
        {"(i64) -> i64 via libffi", 1, 99, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SGK_AUTO(sgk_signature) signature = sgk_signature_create(cases[i].text);
        assert_non_null(signature);
        assert_int_equal(sgk_signature_arity(signature), cases[i].arity);
        bool libffi = INTEGER_REGISTERS == 0 || cases[i].integers > INTEGER_REGISTERS || cases[i].floats > 8;
        assert_int_equal(sgk_signature_uses_libffi(signature), libffi);
        assert_ptr_equal(sgk_signature_retain(signature), signature);
        sgk_signature_release(signature);
    }
    char many[65 * 5 + 16] = "(i64";
    for (int i = 1; i < 64; i++) strcat(many, ", i64");
    char more[sizeof many];
    snprintf(more, sizeof more, "%s, i64) -> void", many);
    SGK_AUTO(sgk_signature) most_of_all = sgk_signature_create(strcat(many, ") -> void"));
    assert_int_equal(sgk_signature_arity(most_of_all), 64);
    assert_null(sgk_signature_create(more));
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_signature_create: text: column 322: more than 64 parameters 'i64'");
}

static void a_signature_outlives_its_handle(void **state) {
    (void)state;
    BOTH_WAYS {
        sgk_signature *signature = sign("(f64) -> f64");
        SGK_AUTO(sgk_signal) source = count_to(2);
        SGK_AUTO(sgk_signal) halves = sgk_signal_map_typed(source, SGK_FUNCTION(halved), signature, NULL, NULL);
        sgk_signature_release(signature);
        assert_int_equal(sgk_live_count(SGK_LIVE_SIGNATURE), 0);
        outcome o = outcome_of(halves);
        assert_true(sgk_to_double(o.value) == 1);
    }
}

/* ---- Outcomes: sgk_failed fails the subscription, and the others are not lost in silence ---- */

static sgk_value some_outcome(sgk_value value) {
    switch (sgk_to_int(value)) {
    case 0: return sgk_failed(sgk_error(404, "not found"));
    case 1: return sgk_last(sgk_string("last"));
    case 2: return sgk_dropped();
    case 3: return sgk_unchanged();
    default: return sgk_completed();
    }
}
static sgk_value outcome_of_two(sgk_value a, sgk_value b) { return some_outcome(sgk_to_int(a) < 0 ? b : a); }
static sgk_value failed_argument(sgk_value value) { return sgk_failed(sgk_value_retain(value)); }

static void assert_outcome(outcome o, int number) {
    assert_int_equal(o.values, 0);
    assert_int_equal(sgk_error_code(o.error), number == 0 ? 404 : SGK_ERROR_KIND);
    const char *text = sgk_error_text(o.error);
    if (number == 0) assert_string_equal(text, "not found");
    else assert_non_null(strstr(text, "result (value): must be a value or sgk_failed"));
    outcome_free(o);
}

static void outcomes_of_typed_functions(void **state) {
    (void)state;
    BOTH_WAYS for (int number = 0; number < 5; number++) {
        assert_outcome(mapped(sgk_int(number), SGK_FUNCTION(some_outcome), "(value) -> value", NULL), number);
        SGK_AUTO(sgk_signature) two = sign("(value, value) -> value");
        SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(number));
        SGK_AUTO(sgk_signal)
        scanned = sgk_signal_scan_typed(one, sgk_int(-1), SGK_FUNCTION(outcome_of_two), two, NULL, NULL);
        SGK_AUTO(sgk_signal)
        reduced = sgk_signal_reduce_typed(one, sgk_int(-1), SGK_FUNCTION(outcome_of_two), two, NULL, NULL);
        sgk_signal *const both[] = {one, one};
        SGK_AUTO(sgk_signal)
        latest = sgk_combine_latest_typed(both, 2, SGK_FUNCTION(outcome_of_two), two, NULL, NULL, NULL);
        SGK_AUTO(sgk_signal) zipped = sgk_zip_typed(both, 2, NULL, SGK_FUNCTION(outcome_of_two), two, NULL, NULL);
        sgk_signal *const all[] = {scanned, reduced, latest, zipped};
        for (int i = 0; i < 4; i++) assert_outcome(outcome_of(all[i]), number);
    }
    via = "";
    SGK_AUTO(sgk_signature) signature = sign("(value) -> value");
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_give(sgk_error(7, "source")));
    SGK_AUTO(sgk_signal)
    same = sgk_signal_map_error_typed(failing, SGK_FUNCTION(failed_argument), signature, NULL, NULL);
    outcome o = outcome_of(same);
    assert_int_equal(sgk_error_code(o.error), 7);
    outcome_free(o);
}

int run_typed(void) {
#define TYPED(name) cmocka_unit_test_setup_teardown(name, compiled_in_first, nothing_alive)
    const struct CMUnitTest tests[] = {
        TYPED(every_type_goes_in_and_comes_back),
        TYPED(only_as_much_of_a_register_counts_as_the_type_is_wide),
        TYPED(conversions_lose_nothing),
        TYPED(results_that_no_value_can_hold_are_errors),
        TYPED(arrays_are_spread_over_the_parameters),
        TYPED(the_context_goes_where_the_signature_says),
        TYPED(operators_do_what_their_plain_forms_do),
        TYPED(typed_keys_and_generators),
        TYPED(combining_gives_each_parameter_a_signal),
        TYPED(folding_spreads_the_value),
        TYPED(a_value_that_does_not_fit_ends_the_run_and_stops_the_source),
        TYPED(of_many_that_fail_at_once_one_is_told),
        TYPED(starting_with_natural_functions),
        TYPED(disposal_stops_it_at_once),
        TYPED(an_error_that_does_not_fit_its_handler_goes_to_the_log),
        TYPED(signatures_in_the_header_compile),
        TYPED(signatures_say_where_they_are_wrong),
        TYPED(signatures_know_their_parameters),
        TYPED(signatures_are_shared_by_their_text),
        TYPED(a_signature_outlives_its_handle),
        TYPED(outcomes_of_typed_functions),
    };
    return cmocka_run_group_tests_name("typed callbacks", tests, NULL, NULL);
}
