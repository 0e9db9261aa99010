/* Native callbacks, calls in: function pointers created at run time. Each test runs with compiled callbacks and with
 * libffi's. */
#include "suite.h"

static const char *via = "";

static sgk_signature *sign(const char *text) {
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", text, via);
    sgk_signature *signature = sgk_signature_create(whole);
    assert_non_null(signature);
    return signature;
}

static sgk_callback *callback_of(
    const char *text, sgk_value result, sgk_map_array_fn handler, void *context, sgk_destroy_fn destroy) {
    SGK_AUTO(sgk_signature) signature = sign(text);
    sgk_callback *callback = sgk_callback_create(signature, result, handler, context, destroy);
    assert_non_null(callback);
    return callback;
}

#define FUNCTION_OF(callback, result, ...) ((result(*)(__VA_ARGS__))sgk_callback_function(callback))

typedef struct texts {
    char all[256]; /* the events as texts, with blanks between; the end as "|", an error as "!text" */
} texts;

static void add_text(texts *t, const char *text) {
    strncat(t->all, text, sizeof t->all - strlen(t->all) - 1);
    strncat(t->all, " ", sizeof t->all - strlen(t->all) - 1);
}
static void add_error(texts *t, const char *text) {
    strncat(t->all, "!", sizeof t->all - strlen(t->all) - 1);
    add_text(t, text);
}
static void add_end(texts *t) { add_text(t, "|"); }

static sgk_disposable *listen_to(sgk_callback *callback, texts *t) {
    SGK_AUTO(sgk_signature)
    text = sgk_signature_create("(ctx, text) -> void"), *end = sgk_signature_create("(ctx) -> void");
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    memset(t, 0, sizeof *t);
    sgk_disposable *run = sgk_signal_start_typed(
        calls, SGK_FUNCTION(add_text), text, SGK_FUNCTION(add_error), text, SGK_FUNCTION(add_end), end, t, NULL);
    return run;
}

static void calls_are_events(void **state) {
    (void)state;
    texts t;
    SGK_AUTO(sgk_callback) none = callback_of("() -> void", sgk_null(), NULL, NULL, NULL);
    sgk_disposable *run = listen_to(none, &t);
    FUNCTION_OF(none, void, void)();
    sgk_disposable_release(run);
    FUNCTION_OF(none, void, void)(); /* the handle is released, the subscription continues */
    assert_string_equal(t.all, "null null ");
    SGK_AUTO(sgk_callback) one = callback_of("(i8) -> void", sgk_null(), NULL, NULL, NULL);
    sgk_disposable_release(listen_to(one, &t));
    FUNCTION_OF(one, void, int8_t)(-3);
    assert_string_equal(t.all, "-3 ");
    SGK_AUTO(sgk_callback)
    many = callback_of("(ctx, bool, u8, f32, f64, cstr, cstr, u64, i16) -> void", sgk_null(), NULL, NULL, NULL);
    sgk_disposable_release(listen_to(many, &t));
    FUNCTION_OF(many, void, void *, bool, uint8_t, float, double, const char *, const char *, uint64_t, int16_t)
    (&t, true, 255, 0.5f, -2.5, "text", NULL, INT64_MAX, INT16_MIN);
    assert_string_equal(t.all, "[true, 255, 0.5, -2.5, text, null, 9223372036854775807, -32768] ");
    sgk_value array = sgk_array(&(sgk_value){SGK_INT, 0, 1}, 1);
    SGK_AUTO(sgk_callback)
    mixed = callback_of("(f32, i8, value, f64, u16, bool, f32) -> void", sgk_null(), NULL, NULL, NULL);
    sgk_disposable_release(listen_to(mixed, &t));
    FUNCTION_OF(mixed, void, float, int8_t, sgk_value, double, uint16_t, bool, float)
    (-0.5f, -128, array, -1024.5, 65535, false, 2.25f);
    assert_string_equal(t.all, "[-0.5, -128, [1], -1024.5, 65535, false, 2.25] ");
    SGK_AUTO(sgk_callback) value = callback_of("(value) -> void", sgk_null(), NULL, NULL, NULL);
    sgk_disposable_release(listen_to(value, &t));
    FUNCTION_OF(value, void, sgk_value)(array);
    assert_string_equal(t.all, "[1] ");
    sgk_value_release(array);
}

static void only_as_much_of_a_register_counts_as_the_type_is_wide(void **state) {
    (void)state;
    if (INTEGER_REGISTERS == 0) return; /* others may have it that narrow arguments are extended */
    texts t;
    SGK_AUTO(sgk_callback) narrow = callback_of("(i8, u8, bool, i16, u16, i32) -> void", sgk_null(), NULL, NULL, NULL);
    sgk_disposable_release(listen_to(narrow, &t));
    const uint64_t dirt = 0xa5a5a5a500000000;
    FUNCTION_OF(narrow, void, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)
    (dirt + 0x7efd, dirt + 0x7ec8, dirt + 0x7e00, dirt + 0x7efffd, dirt + 0x7eea60, dirt + 0xfffffffd);
    assert_string_equal(t.all, "[-3, 200, false, -3, 60000, -3] ");
    SGK_AUTO(sgk_callback) more = callback_of("(u32, f32) -> void", sgk_null(), NULL, NULL, NULL);
    sgk_disposable_release(listen_to(more, &t));
    uint64_t bits = dirt + 0xbf000000; /* -0.5f */
    double word;
    memcpy(&word, &bits, sizeof word);
    FUNCTION_OF(more, void, uint64_t, double)(dirt + 4000000000, word);
    assert_string_equal(t.all, "[4000000000, -0.5] ");
}

/* Each register has its own argument, out and in. The other arguments are on the stack. */
static void no_register_is_taken_for_another(void **state) {
    (void)state;
    enum { INTEGERS = 10, FLOATS = 10 };
    sgk_value values[INTEGERS + FLOATS];
    for (int integers = 0; integers <= INTEGERS; integers++) {
        for (int floats = 0; floats <= FLOATS; floats++) {
            char types[128] = "(";
            int count = 0;
            for (int i = 0; i < integers; i++, count++) {
                values[count] = sgk_int(1000 + i);
                strcat(types, count ? ", i64" : "i64");
            }
            for (int i = 0; i < floats; i++, count++) {
                values[count] = sgk_double(i + 0.25);
                strcat(types, count ? ", f64" : "f64");
            }
            if (count < 2) continue;
            strcat(types, ") -> void");
            sgk_value array = sgk_array(values, (size_t)count);
            char expected[256];
            sgk_value_describe(array, expected, sizeof expected);
            strcat(expected, " ");
            SGK_AUTO(sgk_signature) signature = sgk_signature_create(types);
            SGK_AUTO(sgk_callback) callback = callback_of(types, sgk_null(), NULL, NULL, NULL);
            texts t;
            sgk_disposable_release(listen_to(callback, &t));
            SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_give(array));
            SGK_AUTO(sgk_disposable)
            run = sgk_signal_start_typed(
                single, sgk_callback_function(callback), signature, NULL, NULL, NULL, NULL, NULL, NULL);
            assert_string_equal(t.all, expected);
        }
    }
}

static void without_a_handler_the_result_is_fixed(void **state) {
    (void)state;
#define FIXED(type, name, value, expected) \
    do { \
        SGK_AUTO(sgk_callback) fixed = callback_of("() -> " name, value, NULL, NULL, NULL); \
        assert_true(FUNCTION_OF(fixed, type, void)() == (expected)); \
        SGK_AUTO(sgk_callback) zero = callback_of("() -> " name, sgk_null(), NULL, NULL, NULL); \
        assert_true(FUNCTION_OF(zero, type, void)() == 0); \
    } while (0)
    FIXED(bool, "bool", sgk_bool(true), true);
    FIXED(int8_t, "i8", sgk_int(-5), -5);
    FIXED(int16_t, "i16", sgk_int(-300), -300);
    FIXED(int32_t, "i32", sgk_int(INT32_MIN), INT32_MIN);
    FIXED(int64_t, "i64", sgk_int(INT64_MIN), INT64_MIN);
    FIXED(uint8_t, "u8", sgk_int(200), 200);
    FIXED(uint16_t, "u16", sgk_int(65535), 65535);
    FIXED(uint32_t, "u32", sgk_int(UINT32_MAX), UINT32_MAX);
    FIXED(uint64_t, "u64", sgk_int(INT64_MAX), INT64_MAX);
    FIXED(float, "f32", sgk_double(-0.25), -0.25f);
    FIXED(double, "f64", sgk_int(3), 3);
    FIXED(void *, "ptr", sgk_pointer(state), (void *)state);
    sgk_value text = sgk_string("fixed");
    SGK_AUTO(sgk_callback) cstr = callback_of("() -> cstr", text, NULL, NULL, NULL);
    SGK_AUTO(sgk_callback) shown = callback_of("() -> text", sgk_double(0.5), NULL, NULL, NULL);
    SGK_AUTO(sgk_callback) value = callback_of("() -> value", text, NULL, NULL, NULL);
    assert_string_equal(FUNCTION_OF(cstr, const char *, void)(), "fixed");
    assert_string_equal(FUNCTION_OF(shown, const char *, void)(), "0.5");
    sgk_value given = FUNCTION_OF(value, sgk_value, void)(); /* owned by the caller */
    assert_true(sgk_value_equal(given, text));
    int64_t alive = sgk_live_count(SGK_LIVE_VALUE);
    sgk_value_release(given);
    sgk_value_release(text);
    for (int i = 0; i < 3; i++) sgk_value_release(FUNCTION_OF(value, sgk_value, void)());
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), alive); /* the callbacks have their own references */
}

static sgk_value add_all(void *context, const sgk_value *values, size_t count) {
    if (context) counted_work(context);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += sgk_to_int(values[i]);
    return sgk_int(sum);
}

static void a_handler_answers(void **state) {
    (void)state;
    counted c = {0};
    texts t;
    sgk_callback *sum = callback_of("(i8, ctx, i64) -> i8", sgk_int(-1), add_all, &c, counted_destroy);
    sgk_disposable_release(listen_to(sum, &t));
    assert_int_equal(FUNCTION_OF(sum, int8_t, int8_t, void *, int64_t)(3, NULL, 4), 7);
    assert_int_equal(FUNCTION_OF(sum, int8_t, int8_t, void *, int64_t)(100, NULL, 100), -1); /* 200 is too much */
    assert_string_equal(t.all, "[3, 4] [100, 100] !sgk_callback: result (i8): 200 must fit the type ");
    sgk_disposable_release(listen_to(sum, &t)); /* a new run */
    assert_int_equal(FUNCTION_OF(sum, int8_t, int8_t, void *, int64_t)(1, NULL, 1), 2);
    assert_string_equal(t.all, "[1, 1] ");
    assert_int_equal(c.calls, 3);
    assert_int_equal(c.destroyed, 0);
    sgk_callback_release(sum);
    assert_int_equal(c.destroyed, 1);
    SGK_AUTO(sgk_callback) large = callback_of("(u64) -> i64", sgk_int(-1), add_all, NULL, NULL);
    sgk_disposable_release(listen_to(large, &t));
    assert_int_equal(FUNCTION_OF(large, int64_t, uint64_t)(UINT64_MAX), -1);
    assert_string_equal(t.all, "!sgk_callback: parameter 1 (u64): the number is more than an int can be ");
}

static const sgk_object_type nothing_type = {sizeof nothing_type, "nothing", NULL, NULL, NULL, NULL, NULL};

static sgk_value give_object(void *context, const sgk_value *values, size_t count) {
    (void)values;
    (void)count;
    return context ? sgk_pointer(context) : sgk_object(NULL, &nothing_type);
}
static sgk_value give_null(void *context, const sgk_value *values, size_t count) {
    (void)context;
    (void)values;
    (void)count;
    return sgk_null();
}
static sgk_value give_back(void *context, const sgk_value *values, size_t count) {
    (void)context;
    (void)count;
    return sgk_value_retain(values[0]);
}

static void answers_outlive_the_call(void **state) {
    (void)state;
    texts t;
    SGK_AUTO(sgk_callback) pointer = callback_of("() -> ptr", sgk_null(), give_object, state, NULL);
    assert_ptr_equal(FUNCTION_OF(pointer, void *, void)(), state);
    SGK_AUTO(sgk_callback) object = callback_of("() -> ptr", sgk_pointer(state), give_object, NULL, NULL);
    sgk_disposable_release(listen_to(object, &t));
    assert_ptr_equal(FUNCTION_OF(object, void *, void)(), state);
    assert_non_null(strstr(t.all, "must outlive the call"));
    SGK_AUTO(sgk_callback) null = callback_of("() -> i32", sgk_int(5), give_null, NULL, NULL);
    assert_int_equal(FUNCTION_OF(null, int32_t, void)(), 5);
    SGK_AUTO(sgk_callback) same = callback_of("(value) -> value", sgk_null(), give_back, NULL, NULL);
    sgk_value text = sgk_string("text"), back = FUNCTION_OF(same, sgk_value, sgk_value)(text);
    assert_true(sgk_value_equal(text, back));
    sgk_value_release(back);
    sgk_value_release(text);
}

static sgk_value give_outcome(void *context, const sgk_value *values, size_t count) {
    (void)context, (void)count;
    if (values[0].kind == SGK_STRING) return sgk_failed(values[0]);
    switch (sgk_to_int(values[0])) {
    case 0: return sgk_failed(sgk_error(404, "not found"));
    case 1: return sgk_last(sgk_string("last"));
    case 2: return sgk_dropped();
    case 3: return sgk_unchanged();
    default: return sgk_completed();
    }
}

static void outcomes_of_handlers_do_not_reach_the_caller(void **state) {
    (void)state;
    texts t;
    for (int number = 0; number < 6; number++) {
        SGK_AUTO(sgk_callback) callback = callback_of("(value) -> value", sgk_int(5), give_outcome, NULL, NULL);
        sgk_disposable_release(listen_to(callback, &t));
        sgk_value argument = number < 5 ? sgk_int(number) : sgk_string("own error");
        sgk_value answer = FUNCTION_OF(callback, sgk_value, sgk_value)(argument);
        sgk_value_release(argument);
        assert_true(answer.kind == SGK_INT && answer.reserved == 0 && sgk_to_int(answer) == 5);
        const char *error = number == 0 ? "not found" : number == 5 ? "own error" : "must be a value or sgk_failed";
        assert_non_null(strstr(t.all, error));
    }
}

/* ---- Handlers of libraries: a context for functions without one ---- */

static int descending(counted *c, const int *a, const int *b) {
    c->calls++;
    return (*a < *b) - (*a > *b);
}

static void qsort_gets_a_context(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_signature)
    comparison = sign("(ptr, ptr) -> i32"), *handler = sgk_signature_create("(ctx, ptr, ptr) -> i32");
    sgk_callback *compare =
        sgk_callback_create_typed(comparison, sgk_null(), SGK_FUNCTION(descending), handler, &c, counted_destroy);
    int numbers[] = {3, 9, 1, 7, 5};
    qsort(numbers, 5, sizeof *numbers, FUNCTION_OF(compare, int, const void *, const void *));
    const int sorted[] = {9, 7, 5, 3, 1};
    assert_memory_equal(numbers, sorted, sizeof sorted);
    assert_true(c.calls >= 4);
    sgk_callback_release(compare);
    assert_int_equal(c.destroyed, 1);
}

static void a_natural_handler_can_fail(void **state) {
    (void)state;
    texts t;
    counted c = {0};
    SGK_AUTO(sgk_signature) wide = sign("(i64, i64) -> i32"), *narrow = sgk_signature_create("(ctx, ptr, i8) -> i32");
    SGK_AUTO(sgk_callback)
    callback = sgk_callback_create_typed(wide, sgk_int(-9), SGK_FUNCTION(descending), narrow, &c, NULL);
    sgk_disposable_release(listen_to(callback, &t));
    assert_int_equal(FUNCTION_OF(callback, int32_t, int64_t, int64_t)(1, 2), -9);
    assert_string_equal(t.all, "[1, 2] !sgk_callback_create_typed: parameter 2 (ptr): 1 must be a pointer ");
    assert_int_equal(c.calls, 0);
}

/* ---- Ends ---- */

static void disposal_ends_it_but_the_function_stays(void **state) {
    (void)state;
    counted c = {0};
    texts t;
    sgk_callback *callback = callback_of("(i64) -> i64", sgk_int(-1), add_all, &c, counted_destroy);
    int64_t (*function)(int64_t) = FUNCTION_OF(callback, int64_t, int64_t);
    SGK_AUTO(sgk_disposable) disposable = sgk_callback_disposable(callback);
    sgk_disposable_release(listen_to(callback, &t));
    assert_int_equal(function(1), 1);
    sgk_disposable_dispose(disposable);
    sgk_disposable_dispose(disposable);
    assert_int_equal(c.destroyed, 1);
    assert_int_equal(function(2), -1);
    sgk_callback_release(callback);
    assert_int_equal(function(3), -1); /* the disposable keeps it */
    assert_int_equal(c.calls, 1);
    assert_string_equal(t.all, "1 | ");
}

static void the_signal_does_not_keep_it(void **state) {
    (void)state;
    texts t;
    sgk_callback *callback = callback_of("() -> void", sgk_null(), NULL, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    SGK_AUTO(sgk_disposable) run = listen_to(callback, &t);
    assert_ptr_equal(sgk_callback_retain(callback), callback);
    sgk_callback_release(callback);
    FUNCTION_OF(callback, void, void)();
    sgk_callback_release(callback);
    assert_string_equal(t.all, "null "); /* released without an event */
    sgk_disposable_release(sgk_signal_start(calls, NULL));
}

typedef struct inner {
    sgk_callback *callback;
    sgk_disposable *disposable;
    atomic_bool inside, released;
    atomic_int destroyed;
} inner;

static void inner_destroy(void *context) { ((inner *)context)->destroyed++; }

static sgk_value release_inside(void *context, const sgk_value *values, size_t count) {
    (void)count;
    inner *i = context;
    if (i->disposable) sgk_disposable_dispose(i->disposable);
    sgk_disposable_release(i->disposable);
    sgk_callback_release(i->callback);
    assert_int_equal(i->destroyed, 0); /* its context lives until it has returned */
    return sgk_int(sgk_to_int(values[0]) * 2);
}

static void it_can_be_released_inside_its_own_call(void **state) {
    (void)state;
    for (int disposing = 0; disposing < 2; disposing++) {
        inner i = {0};
        i.callback = callback_of("(i64) -> i64", sgk_int(-1), release_inside, &i, inner_destroy);
        if (disposing) i.disposable = sgk_callback_disposable(i.callback);
        assert_int_equal(FUNCTION_OF(i.callback, int64_t, int64_t)(21), 42);
        assert_int_equal(i.destroyed, 1);
        assert_int_equal(sgk_live_total(), 0);
    }
}

static void release_in_event(void *context, sgk_value value) {
    (void)value;
    inner *i = context;
    sgk_callback_release(i->callback);
}

static void it_can_be_released_inside_its_own_event(void **state) {
    (void)state;
    inner i = {0};
    i.callback = callback_of("() -> i32", sgk_int(7), NULL, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(i.callback);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(calls, release_in_event, &i, NULL);
    assert_int_equal(FUNCTION_OF(i.callback, int32_t, void)(), 7);
    assert_int_equal(sgk_live_count(SGK_LIVE_NATIVE), 0);
}

static sgk_value wait_inside(void *context, const sgk_value *values, size_t count) {
    (void)count;
    inner *i = context;
    i->inside = true;
    EVENTUALLY(i->released);
    sleep_a_moment();
    return sgk_value_retain(values[0]);
}

static void call_or_release(void *context, int index) {
    inner *i = context;
    if (index == 0) {
        assert_int_equal(FUNCTION_OF(i->callback, int64_t, int64_t)(5), 5);
        return;
    }
    EVENTUALLY(i->inside);
    sgk_callback_release(i->callback);
    i->released = true;
}

static void it_can_be_released_elsewhere_during_a_call(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        inner i = {0};
        i.callback = callback_of("(i64) -> i64", sgk_null(), wait_inside, &i, inner_destroy);
        in_parallel(2, call_or_release, &i);
        assert_int_equal(i.destroyed, 1);
        assert_int_equal(sgk_live_total(), 0);
    }
}

enum { CALLS = 2000 };

static void call_often(void *context, int index) {
    sgk_callback *callback = context;
    int64_t (*function)(int64_t, int64_t) = FUNCTION_OF(callback, int64_t, int64_t, int64_t);
    for (int i = 0; i < CALLS; i++) {
        if (index == 0 && i == CALLS / 2) {
            SGK_AUTO(sgk_disposable) disposable = sgk_callback_disposable(callback);
            sgk_disposable_dispose(disposable);
        }
        int64_t sum = function(i, index);
        assert_true(sum == i + index || sum == -1);
    }
}

static void many_threads_call_and_one_disposes(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_callback) callback = callback_of("(i64, i64) -> i64", sgk_int(-1), add_all, &c, counted_destroy);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(calls, r);
    in_parallel(4, call_often, callback);
    assert_int_equal(r->ends, 1);
    assert_true(r->nexts >= CALLS / 2);
    assert_true(c.calls >= CALLS / 2);
    assert_int_equal(c.destroyed, 1);
    recorder_free(r);
}

/* ---- Failures: they end the runs that listen, and nothing else ---- */

typedef struct nested {
    texts texts;
    int8_t (*function)(int8_t);
    sgk_disposable *inner, *other;
} nested;

/* The event of the call inside waits, and so does the failure of its answer. */
static void call_again(void *context, sgk_value value) {
    nested *n = context;
    add_text(&n->texts, sgk_to_int(value) == 100 ? "100" : "1");
    if (sgk_to_int(value) == 100) return;
    assert_int_equal(n->function(100), -1);
    add_text(&n->texts, "back");
    sgk_disposable_dispose(n->other);
}
static void add_failure(void *context, sgk_value error) {
    (void)error;
    add_text(&((nested *)context)->texts, "!");
}
static void never(void *context, sgk_value value) {
    (void)context;
    (void)value;
    fail();
}

static sgk_value tenfold(void *context, const sgk_value *values, size_t count) {
    (void)context;
    (void)count;
    return sgk_int(sgk_to_int(values[0]) * 10);
}

static void failures_keep_their_turn(void **state) {
    (void)state;
    nested n = {0};
    SGK_AUTO(sgk_callback) callback = callback_of("(i8) -> i8", sgk_int(-1), tenfold, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    n.function = FUNCTION_OF(callback, int8_t, int8_t);
    const sgk_handlers first = {.size = sizeof first, .next = call_again, .error = add_failure, .context = &n};
    const sgk_handlers second = {.size = sizeof second, .next = never, .error = never};
    n.inner = sgk_signal_start(calls, &first);
    n.other = sgk_signal_start(calls, &second);
    assert_int_equal(n.function(1), 10);
    assert_string_equal(n.texts.all, "1 back 100 ! ");
    assert_int_equal(n.function(2), 20); /* nobody listens */
    /* A subscription that was notified has nothing left to exit. A new subscription receives everything. */
    sgk_disposable_dispose(n.inner);
    sgk_disposable_replace(&n.inner, sgk_signal_start(calls, &first));
    n.texts = (texts){0};
    assert_int_equal(n.function(1), 10);
    assert_string_equal(n.texts.all, "1 back 100 ! ");
    sgk_disposable_release(listen_to(callback, &n.texts));
    assert_int_equal(n.function(3), 30);
    assert_string_equal(n.texts.all, "3 ");
    sgk_disposable_release(n.inner);
    sgk_disposable_release(n.other);
}

typedef struct failing {
    sgk_callback *callback;
    atomic_int ends, destroyed;
} failing;

static void count_end(void *context, sgk_value error) {
    (void)error;
    ((failing *)context)->ends++;
}
static void count_destroyed(void *context) { ((failing *)context)->destroyed++; }

static void listen_or_fail(void *context, int index) {
    failing *f = context;
    int8_t (*function)(int8_t) = FUNCTION_OF(f->callback, int8_t, int8_t);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(f->callback);
    const sgk_handlers handlers = {
        .size = sizeof handlers, .error = count_end, .context = f, .destroy = count_destroyed};
    for (int i = 0; i < CALLS; i++) {
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(calls, &handlers);
        int8_t number = (int8_t)((i + index) % 3 ? 1 : 100);
        assert_int_equal(function(number), number == 1 ? 10 : -1);
        if (i % 5) sgk_disposable_dispose(run);
    }
}

static void many_listen_and_fail(void **state) {
    (void)state;
    failing f = {0};
    f.callback = callback_of("(i8) -> i8", sgk_int(-1), tenfold, NULL, NULL);
    in_parallel(4, listen_or_fail, &f);
    assert_int_equal(FUNCTION_OF(f.callback, int8_t, int8_t)(100), -1);
    assert_int_equal(f.destroyed, 4 * CALLS); /* of those that were not disposed, the last has failed */
    assert_true(f.ends >= 4 * CALLS / 5);
    sgk_callback_release(f.callback);
}

/* ---- More than are compiled in ---- */

enum { MANY = 600 };

static void there_can_be_any_number(void **state) {
    (void)state;
    static sgk_callback *callbacks[MANY];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++) callbacks[i] = callback_of("(i64) -> i64", sgk_int(i + round), NULL, NULL, NULL);
        for (int i = 0; i < MANY; i++) assert_int_equal(FUNCTION_OF(callbacks[i], int64_t, int64_t)(1), i + round);
        for (int i = round; i < MANY; i += 2) { /* others in their places */
            sgk_callback_release(callbacks[i]);
            callbacks[i] = callback_of("(f64) -> f64", sgk_double(i), NULL, NULL, NULL);
        }
        for (int i = 0; i < MANY; i++) {
            if (i >= round && (i - round) % 2 == 0) assert_true(FUNCTION_OF(callbacks[i], double, double)(1) == i);
            else assert_int_equal(FUNCTION_OF(callbacks[i], int64_t, int64_t)(1), i + round);
            sgk_callback_release(callbacks[i]);
        }
    }
}

static void make_and_call(void *context, int index) {
    (void)context;
    enum { AT_ONCE = 100 };
    sgk_callback *callbacks[AT_ONCE];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < AT_ONCE; i++)
            callbacks[i] = callback_of("(i64) -> i64", sgk_int(index * AT_ONCE + i), NULL, NULL, NULL);
        for (int i = 0; i < AT_ONCE; i++)
            assert_int_equal(FUNCTION_OF(callbacks[i], int64_t, int64_t)(1), index * AT_ONCE + i);
        for (int i = 0; i < AT_ONCE; i++) sgk_callback_release(callbacks[i]);
    }
}

static void many_threads_make_them(void **state) {
    (void)state;
    in_parallel(4, make_and_call, NULL);
}

static void compiled_in_ones_are_nobody_after_release(void **state) {
    (void)state;
    SGK_AUTO(sgk_signature) signature = sign("(i64) -> i64");
    sgk_callback *callback = sgk_callback_create(signature, sgk_int(7), add_all, NULL, NULL);
    int64_t (*function)(int64_t) = FUNCTION_OF(callback, int64_t, int64_t);
    assert_int_equal(function(3), 3);
    sgk_callback_release(callback);
    if (!sgk_signature_uses_libffi(signature)) assert_int_equal(function(3), 0); /* a mistake, but no crash */
}

static void dispose_in_event(void *context, sgk_value value) {
    (void)value;
    inner *i = context;
    sgk_disposable_dispose(i->disposable);
    assert_int_equal(i->destroyed, 0); /* the call may still ask, as far as is known from here */
}

static void disposed_inside_its_own_event_it_asks_nobody(void **state) {
    (void)state;
    inner i = {0};
    i.callback = callback_of("(i64) -> i64", sgk_int(-1), release_inside, &i, inner_destroy);
    i.disposable = sgk_callback_disposable(i.callback);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(i.callback);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(calls, dispose_in_event, &i, NULL);
    assert_int_equal(FUNCTION_OF(i.callback, int64_t, int64_t)(21), -1);
    assert_int_equal(i.destroyed, 1);
    sgk_disposable_release(i.disposable);
    sgk_callback_release(i.callback);
}

/* Their code, too. */
static void what_is_let_go_is_taken_again(void **state) {
    (void)state;
    enum { MANY = 2000 };
    static const void *places[MANY];
    int different = 0;
    for (int i = 0; i < MANY; i++) {
        SGK_AUTO(sgk_callback) callback = callback_of("(i64) -> void", sgk_null(), NULL, NULL, NULL);
        const void *place = (const void *)(uintptr_t)sgk_callback_function(callback);
        int known = 0;
        while (known < different && places[known] != place) known++;
        if (known == different) places[different++] = place;
    }
    assert_in_range(different, 1, MANY / 4);
}

int run_callbacks(void) {
    const struct CMUnitTest tests[] = {
        TEST(calls_are_events),
        TEST(only_as_much_of_a_register_counts_as_the_type_is_wide),
        TEST(no_register_is_taken_for_another),
        TEST(without_a_handler_the_result_is_fixed),
        TEST(a_handler_answers),
        TEST(answers_outlive_the_call),
        TEST(outcomes_of_handlers_do_not_reach_the_caller),
        TEST(qsort_gets_a_context),
        TEST(a_natural_handler_can_fail),
        TEST(disposal_ends_it_but_the_function_stays),
        TEST(the_signal_does_not_keep_it),
        TEST(it_can_be_released_inside_its_own_call),
        TEST(it_can_be_released_inside_its_own_event),
        TEST(it_can_be_released_elsewhere_during_a_call),
        TEST(disposed_inside_its_own_event_it_asks_nobody),
        TEST(many_threads_call_and_one_disposes),
        TEST(failures_keep_their_turn),
        TEST(many_listen_and_fail),
        TEST(there_can_be_any_number),
        TEST(many_threads_make_them),
        TEST(compiled_in_ones_are_nobody_after_release),
        TEST(what_is_let_go_is_taken_again),
    };
    via = "";
    int failed = cmocka_run_group_tests_name("native callbacks", tests, NULL, NULL);
    via = " via libffi";
    return failed + cmocka_run_group_tests_name("native callbacks through libffi", tests, NULL, NULL);
}
