/* Random signatures: values go out through a call of the signature, and in through a function created for it. The
 * received values are compared. */
#include "suite.h"

#include <inttypes.h>

static uint64_t seed;

static uint64_t random_bits(void) { /* splitmix64 */
    uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
static int64_t below(int64_t n) { return (int64_t)(random_bits() % (uint64_t)n); }

static const char *const names[] = {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "ptr",
    "cstr", "text", "value", "ctx", "void"};
enum type { BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, PTR, CSTR, TEXT, VALUE, CTX, VOID };

/* The least and the greatest of a range more often than the others. */
static int64_t within(int64_t least, int64_t greatest) {
    switch (below(4)) {
    case 0: return least;
    case 1: return greatest;
    default: {
        uint64_t size = (uint64_t)greatest - (uint64_t)least + 1; /* 0: all 64 bits */
        return (int64_t)((uint64_t)least + (size ? random_bits() % size : random_bits()));
    }
    }
}

static sgk_value random_text(void) {
    char text[32];
    int64_t length = below(31);
    for (int64_t i = 0; i < length; i++) text[i] = (char)(1 + below(255));
    return sgk_string_n(text, (size_t)length);
}

static sgk_value random_value(enum type type) {
    switch (type) {
    case BOOL: return sgk_bool(below(2));
    case I8: return sgk_int(within(INT8_MIN, INT8_MAX));
    case I16: return sgk_int(within(INT16_MIN, INT16_MAX));
    case I32: return sgk_int(within(INT32_MIN, INT32_MAX));
    case I64: return sgk_int(within(INT64_MIN, INT64_MAX));
    case U8: return sgk_int(within(0, UINT8_MAX));
    case U16: return sgk_int(within(0, UINT16_MAX));
    case U32: return sgk_int(within(0, UINT32_MAX));
    case U64: return sgk_int(within(0, INT64_MAX));
    case F32: return sgk_double((double)((float)within(INT32_MIN, INT32_MAX) / 7));
    case F64: return sgk_double((double)within(INT64_MIN, INT64_MAX) / 7);
    case PTR: return sgk_pointer((void *)(uintptr_t)random_bits());
    case CSTR: return below(8) ? random_text() : sgk_null();
    case TEXT: return random_text();
    case VALUE: return random_value((enum type)below(VALUE));
    default: return sgk_null();
    }
}

typedef struct trial {
    sgk_value sent, answer;
    int events, calls, results;
    bool right;
} trial;

/* Represents one value by itself, several by an array, and none by null. */
static sgk_value whole(const sgk_value *values, size_t count) {
    return count == 1 ? sgk_value_retain(values[0]) : count ? sgk_array(values, count) : sgk_null();
}

static sgk_value answer_call(void *context, const sgk_value *values, size_t count) {
    trial *t = context;
    t->calls++;
    sgk_value arrived = whole(values, count);
    if (!sgk_value_equal(arrived, t->sent)) t->right = false;
    sgk_value_release(arrived);
    return sgk_value_retain(t->answer);
}

static void compare_event(void *context, sgk_value value) {
    trial *t = context;
    t->events++;
    if (!sgk_value_equal(value, t->sent)) t->right = false;
}

static void compare_result(void *context, sgk_value value) {
    trial *t = context;
    t->results++;
    if (!sgk_value_equal(value, t->answer)) t->right = false;
}

/* The function is made by libffi, or is compiled in if it can be. */
static void one_trial(int most_parameters, bool through_libffi) {
    const int64_t kinds = CTX + 1;
    char text[512] = "(";
    sgk_value values[64];
    size_t count = 0;
    int64_t parameters = below(most_parameters + 1);
    for (int64_t i = 0; i < parameters; i++) {
        enum type type = (enum type)below(kinds);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? ", " : "", names[type]);
        if (type != CTX) values[count++] = random_value(type);
    }
    enum type result = below(10) ? (enum type)below(kinds) : VOID;
    if (result == CTX) result = VALUE;
    snprintf(text + strlen(text), sizeof text - strlen(text), ") -> %s", names[result]);
    bool fixed = result == CSTR || result == TEXT || result == VOID; /* no answers of a handler */
    trial t = {whole(values, count), random_value(result), 0, 0, 0, true};
    for (size_t i = 0; i < count; i++) sgk_value_release(values[i]);

    size_t length = strlen(text);
    if (through_libffi) strcat(text, " via libffi");
    SGK_AUTO(sgk_signature) signature = sgk_signature_create(text);
    assert_non_null(signature);
    text[length] = '\0';
    SGK_AUTO(sgk_callback)
    callback = sgk_callback_create(signature, fixed ? t.answer : sgk_null(), fixed ? NULL : answer_call, &t, NULL);
    assert_non_null(callback);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    SGK_AUTO(sgk_disposable) listening = sgk_signal_start_next(calls, compare_event, &t, NULL);
    for (int slow = 0; slow < 2; slow++) {
        if (slow) strcat(text, " via libffi");
        SGK_AUTO(sgk_signature) way = sgk_signature_create(text);
        SGK_AUTO(sgk_signal) single = sgk_signal_just(t.sent);
        sgk_signal *(*apply)(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_destroy_fn) =
            result == VOID ? sgk_signal_before_next_typed : sgk_signal_map_typed;
        SGK_AUTO(sgk_signal) outcome = apply(single, sgk_callback_function(callback), way, &t, NULL);
        SGK_AUTO(sgk_disposable)
        run = sgk_signal_start_next(outcome, result == VOID ? compare_event : compare_result, &t, NULL);
    }
    sgk_value_release(t.sent);
    sgk_value_release(t.answer);
    if (!t.right || t.events != (result == VOID ? 4 : 2) || t.results != (result == VOID ? 0 : 2) ||
        t.calls != (fixed ? 0 : 2)) {
        print_error("%s: seed %" PRIu64 ", right %d, events %d, results %d, calls %d\n", text, seed, t.right, t.events,
            t.results, t.calls);
        fail();
    }
}

/* Sanitizers and valgrind ask for fewer rounds. */
static int trials(void) {
    const char *rounds = getenv("SUITE_ROUNDS");
    int asked = rounds ? atoi(rounds) / 20 : 20000;
    return asked < 500 ? 500 : asked;
}

static void arguments_and_results_of_random_signatures_arrive(void **state) {
    (void)state;
    for (int i = 0; i < trials(); i++) {
        seed = (uint64_t)i;
        one_trial(i % 16 == 0 ? 48 : 20, i % 4 == 0);
    }
}

/* Most of these need no more than the registers. */
static void compiled_in_calls_do_what_libffi_does(void **state) {
    (void)state;
    for (int i = 0; i < trials(); i++) {
        seed = (uint64_t)i << 32;
        one_trial(i % 4 ? 6 : 13, i % 2 == 0);
    }
}

int run_signatures(void) {
    const struct CMUnitTest tests[] = {
        TEST(arguments_and_results_of_random_signatures_arrive),
        TEST(compiled_in_calls_do_what_libffi_does),
    };
    return cmocka_run_group_tests_name("random signatures", tests, NULL, NULL);
}
