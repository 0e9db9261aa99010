/* Typed maps, filters and taps are steps of one loop with untyped ones. Functions of one number have separate ways of
 * calling. */
#include "suite.h"

/* ---- Neighbours ---- */

typedef struct trail {
    char text[256];
    int destroyed;
} trail;

static void note(void *context, sgk_value value) {
    trail *t = context;
    size_t length = strlen(t->text);
    char shown[80];
    sgk_value_describe(value, shown, sizeof shown);
    snprintf(t->text + length, sizeof t->text - length, "%s;", shown);
}
static void destroyed(void *context) { ((trail *)context)->destroyed++; }

static int64_t tripled(int64_t number) { return number * 3; }
static bool is_odd(int64_t number) { return number % 2 != 0; }
static double half(double number) { return number / 2; }
static void seen(int64_t number, trail *t) { note(t, sgk_int(number)); }
static sgk_value as_text(void *context, sgk_value value) {
    (void)context;
    char text[32];
    snprintf(text, sizeof text, "<%lld>", (long long)sgk_to_int(value));
    return sgk_string(text);
}
static sgk_value doubled(void *context, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) * 2);
}
static bool always(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return true;
}
static size_t length_of(const char *text) { return strlen(text); }

/* Adds a stage and releases the previous signal. */
#define THEN(signal, call) \
    do { \
        sgk_signal *above = signal; \
        signal = call; \
        sgk_signal_release(above); \
        assert_non_null(signal); \
    } while (0)

static sgk_signature *sign(const char *text, const char *via) {
    char whole[64];
    snprintf(whole, sizeof whole, "%s%s", text, via);
    return sgk_signature_create(whole);
}

static void typed_and_untyped_neighbours_do_as_they_say(void **state) {
    (void)state;
    const char *const ways[] = {"", " via libffi"};
    for (int way = 0; way < 2; way++) {
        trail t = {0};
        SGK_AUTO(sgk_signature) number = sign("(i64) -> i64", ways[way]);
        SGK_AUTO(sgk_signature) question = sign("(i64) -> bool", ways[way]);
        SGK_AUTO(sgk_signature) tap = sign("(i64, ctx) -> void", ways[way]);
        SGK_AUTO(sgk_signature) size = sign("(cstr) -> i64", ways[way]);
        SGK_AUTO(sgk_signature) fraction = sign("(f64) -> f64", ways[way]);
        sgk_signal *signal = count_to(5);
        THEN(signal, sgk_signal_map_typed(signal, SGK_FUNCTION(tripled), number, NULL, NULL));
        THEN(signal, sgk_signal_filter(signal, always, NULL, NULL));
        THEN(signal, sgk_signal_filter_typed(signal, SGK_FUNCTION(is_odd), question, NULL, NULL));
        THEN(signal, sgk_signal_before_next_typed(signal, SGK_FUNCTION(seen), tap, &t, destroyed));
        THEN(signal, sgk_signal_map(signal, doubled, NULL, NULL));
        THEN(signal, sgk_signal_map_typed(signal, SGK_FUNCTION(tripled), number, NULL, NULL));
        THEN(signal, sgk_signal_map(signal, as_text, NULL, NULL));
        THEN(signal, sgk_signal_before_next(signal, note, &t, destroyed));
        THEN(signal, sgk_signal_map_typed(signal, SGK_FUNCTION(length_of), size, NULL, NULL));
        /* an int that a double holds */
        THEN(signal, sgk_signal_map_typed(signal, SGK_FUNCTION(half), fraction, NULL, NULL));
        sgk_disposable_release(sgk_signal_start_next(signal, note, &t, destroyed));
        sgk_signal_release(signal);
        assert_string_equal(t.text, "3;<18>;2;9;<54>;2;15;<90>;2;");
        assert_int_equal(t.destroyed, 3);
    }
}

static sgk_value with_mark(sgk_value value) { return sgk_string_f("%s!", sgk_to_text(value)); }

/* Each map makes a string, and the next one releases it. */
static void typed_maps_in_a_row_make_strings(void **state) {
    (void)state;
    const char *const ways[] = {"", " via libffi"};
    for (int way = 0; way < 2; way++) {
        trail t = {0};
        SGK_AUTO(sgk_signature) mark = sign("(value) -> value", ways[way]);
        SGK_AUTO(sgk_signature) size = sign("(cstr) -> i64", ways[way]);
        sgk_signal *signal = sgk_signal_just(sgk_give(sgk_string("a")));
        THEN(signal, sgk_signal_map_typed(signal, SGK_FUNCTION(with_mark), mark, NULL, NULL));
        THEN(signal, sgk_signal_map_typed(signal, SGK_FUNCTION(with_mark), mark, NULL, NULL));
        THEN(signal, sgk_signal_before_next(signal, note, &t, destroyed));
        THEN(signal, sgk_signal_map_typed(signal, SGK_FUNCTION(length_of), size, NULL, NULL));
        sgk_disposable_release(sgk_signal_start_next(signal, note, &t, destroyed));
        sgk_signal_release(signal);
        assert_string_equal(t.text, "a!!;3;");
    }
}

static sgk_value some_text(sgk_value value) {
    (void)value;
    return sgk_string("what nobody wants");
}

static void what_a_tap_answers_is_let_go(void **state) {
    (void)state;
    SGK_AUTO(sgk_signature) answers = sgk_signature_create("(value) -> value");
    sgk_signal *signal = count_to(3);
    THEN(signal, sgk_signal_before_next_typed(signal, SGK_FUNCTION(some_text), answers, NULL, NULL));
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(signal, r));
    ASSERT_VALUES(r, 1, 2, 3);
    sgk_signal_release(signal);
    recorder_free(r);
}

/* ---- Failing ---- */

static void error_seen(void *context, sgk_value error) { note(context, error); }
static void end_seen(void *context) { strcat(((trail *)context)->text, "end;"); }

static void a_stage_in_the_middle_ends_the_run(void **state) {
    (void)state;
    const struct { bool filters, taps; } cases[] = {{false, false}, {true, false}, {false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trail t = {0};
        SGK_AUTO(sgk_signature) number = sgk_signature_create("(i64) -> i64");
        sgk_signal *signal = count_to(3);
        THEN(signal, sgk_signal_map(signal, as_text, NULL, NULL));
        THEN(signal, sgk_signal_before_next(signal, note, &t, NULL));
        THEN(signal,
            cases[i].filters    ? sgk_signal_filter_typed(signal, SGK_FUNCTION(tripled), number, &t, destroyed)
                : cases[i].taps ? sgk_signal_before_next_typed(signal, SGK_FUNCTION(tripled), number, &t, destroyed)
                                : sgk_signal_map_typed(signal, SGK_FUNCTION(tripled), number, &t, destroyed));
        THEN(signal, sgk_signal_before_next(signal, note, &t, NULL)); /* never reached */
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = &t;
        handlers.next = note;
        handlers.error = error_seen;
        handlers.completed = end_seen;
        sgk_disposable_release(sgk_signal_start(signal, &handlers));
        sgk_signal_release(signal);
        const char *names[] = {"map", "filter", "before_next"};
        char expected[128];
        snprintf(
            expected, sizeof expected, "<1>;sgk_signal_%s_typed: parameter 1 (i64): <1> must be an int;", names[i]);
        assert_string_equal(t.text, expected);
        assert_int_equal(t.destroyed, 1);
    }
}

/* Upstream errors and terminal events pass through. */
static void other_errors_pass(void **state) {
    (void)state;
    trail t = {0};
    SGK_AUTO(sgk_signature) number = sgk_signature_create("(i64) -> i64");
    sgk_signal *signal = sgk_signal_fail(sgk_int(7));
    THEN(signal, sgk_signal_map_typed(signal, SGK_FUNCTION(tripled), number, NULL, NULL));
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &t;
    handlers.error = error_seen;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
    sgk_signal_release(signal);
    assert_string_equal(t.text, "7;");
}

/* ---- Functions of one number: every form gives what libffi gives ---- */

static void *context_seen;
static int calls;

#define ARGUMENTS_N int32_t number
#define ARGUMENTS_I int64_t number
#define ARGUMENTS_D double number
#define FUNCTIONS(P, R, type) \
    static type alone_##P##R(ARGUMENTS_##P) { \
        calls++; \
        return (type)(number * 3 - 4); \
    } \
    static type then_##P##R(ARGUMENTS_##P, void *c) { \
        calls++; \
        context_seen = c; \
        return (type)(number * 3 - 4); \
    } \
    static type after_##P##R(void *c, ARGUMENTS_##P) { \
        calls++; \
        context_seen = c; \
        return (type)(number * 3 - 4); \
    }
#define RESULTS(X, P) X(P, N, int32_t) X(P, I, int64_t) X(P, D, double) X(P, B, bool)
RESULTS(FUNCTIONS, N)
RESULTS(FUNCTIONS, I)
RESULTS(FUNCTIONS, D)

static const struct {
    char parameter, result;
    sgk_function alone, then, after;
} functions[] = {
#define ENTRY(P, R, type) \
    {#P[0], #R[0], SGK_FUNCTION(alone_##P##R), SGK_FUNCTION(then_##P##R), SGK_FUNCTION(after_##P##R)},
    RESULTS(ENTRY, N) RESULTS(ENTRY, I) RESULTS(ENTRY, D)};

static const char *name_of(char letter) {
    return letter == 'N' ? "i32" : letter == 'I' ? "i64" : letter == 'D' ? "f64" : "bool";
}

/* Returns the result for a value as text: the value, or the error. */
static void pass(
    char *text, size_t size, sgk_value value, sgk_function f, const char *signature, const char *via, void *context) {
    SGK_AUTO(sgk_signature) compiled = sign(signature, via);
    SGK_AUTO(sgk_signal) single = sgk_signal_just(value);
    SGK_AUTO(sgk_signal) result = sgk_signal_map_typed(single, f, compiled, context, NULL);
    trail t = {0};
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &t;
    handlers.next = note;
    handlers.error = error_seen;
    handlers.completed = end_seen;
    sgk_disposable_release(sgk_signal_start(result, &handlers));
    snprintf(text, size, "%s", t.text);
}

static void all_ways_give_the_same(void **state) {
    (void)state;
    const sgk_value values[] = {
        sgk_int(0),
        sgk_int(-5),
        sgk_int(1),
        sgk_int(INT32_MAX / 4),
        sgk_int(INT32_MIN),
        sgk_int((int64_t)INT32_MAX + 1),
        sgk_int(INT64_MIN / 4),
        sgk_int((1LL << 53) + 1),
        sgk_double(2.5),
        sgk_double(-0.0),
        sgk_bool(true),
        sgk_null(),
        sgk_string("1"),
    };
    int passed = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            double much = sgk_to_double(values[j]); /* three times the number may not fit into int32_t */
            if ((functions[i].parameter == 'N' && much == INT32_MIN) ||
                (functions[i].result == 'N' && (much < INT32_MIN / 4 || much > INT32_MAX / 4)))
                continue;
            char texts[6][256], forms[3][32];
            const char *parameter = name_of(functions[i].parameter), *result = name_of(functions[i].result);
            snprintf(forms[0], sizeof forms[0], "(%s) -> %s", parameter, result);
            snprintf(forms[1], sizeof forms[1], "(%s, ctx) -> %s", parameter, result);
            snprintf(forms[2], sizeof forms[2], "(ctx, %s) -> %s", parameter, result);
            const sgk_function each[] = {functions[i].alone, functions[i].then, functions[i].after};
            for (int form = 0; form < 3; form++) {
                for (int slow = 0; slow < 2; slow++) {
                    context_seen = NULL;
                    calls = 0;
                    pass(texts[form * 2 + slow], sizeof texts[0], values[j], each[form], forms[form],
                        slow ? " via libffi" : "", &passed);
                    assert_true(calls <= 1);
                    if (form > 0 && calls == 1) assert_ptr_equal(context_seen, &passed);
                }
                assert_string_equal(texts[form * 2], texts[form * 2 + 1]);
                passed += calls;
            }
            if (calls) assert_string_equal(texts[0], texts[2]); /* errors name different parameters */
        }
    }
    assert_true(passed > 150);
    for (size_t j = 0; j < sizeof values / sizeof *values; j++) sgk_value_release(values[j]);
}

int run_typed_steps(void) {
    const struct CMUnitTest tests[] = {
        TEST(typed_and_untyped_neighbours_do_as_they_say),
        TEST(typed_maps_in_a_row_make_strings),
        TEST(what_a_tap_answers_is_let_go),
        TEST(a_stage_in_the_middle_ends_the_run),
        TEST(other_errors_pass),
        TEST(all_ways_give_the_same),
    };
    return cmocka_run_group_tests_name("typed steps", tests, NULL, NULL);
}
