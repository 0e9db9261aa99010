/* Errors that end a run without an error callback, and runs that say that theirs do not matter. */
#include "suite.h"

typedef struct heard {
    int errors, lines, destroyed;
    int64_t last;
    char name[64], line[512];
} heard;

static void hear(void *context, sgk_value error, const char *name) {
    heard *h = context;
    h->errors++;
    h->last = sgk_to_int(error);
    snprintf(h->name, sizeof h->name, "%s", name ? name : "(none)");
}
static void hear_line(void *context, const char *line) {
    heard *h = context;
    h->lines++;
    snprintf(h->line, sizeof h->line, "%s", line);
}
static void hear_the_end(void *context) { ((heard *)context)->destroyed++; }
static void no_value(void *context, sgk_value value) { (void)context, (void)value; }
static void no_int(void *context, int64_t number) { (void)context, (void)number; }

/* The ways to start a run without an error callback. */
static sgk_disposable *start_with(int way, sgk_signal *signal) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = no_value;
    switch (way) {
    case 0: return sgk_signal_start(signal, NULL);
    case 1: return sgk_signal_start(signal, &handlers);
    case 2: return sgk_signal_start_waitable(signal, &handlers);
    case 3: return sgk_signal_start_next(signal, no_value, NULL, NULL);
    default: return sgk_signal_start_typed(signal, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    }
}
enum { WAYS = 5 };

static void each_is_told_once_a_run(void **state) {
    (void)state;
    heard h = {0};
    sgk_set_unhandled_error_handler(hear, &h, hear_the_end);
    assert_int_equal(sgk_live_total(), 0); /* the handler is not a leak */
    for (int way = 0; way < WAYS; way++) {
        hand source;
        SGK_AUTO(sgk_signal) signal = hand_signal(&source);
        SGK_AUTO(sgk_disposable) run = start_with(way, signal);
        sgk_subscriber_next(source.subscriber, sgk_int(1));
        assert_int_equal(h.errors, way);
        sgk_subscriber_error(source.subscriber, sgk_int(40 + way));
        sgk_subscriber_error(source.subscriber, sgk_int(50 + way));
        assert_int_equal(h.errors, way + 1);
        assert_int_equal(h.last, 40 + way);
        assert_string_equal(h.name, "(none)");
        hand_free(&source);
    }
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
    assert_int_equal(h.destroyed, 1);
    assert_int_equal(h.errors, WAYS);
}

/* Steps in front of the end, a mismatch in a typed one, a subscriber without a signal, a bounded delivery that
 * fails. */
static void wherever_it_comes_from(void **state) {
    (void)state;
    heard h = {0};
    sgk_set_unhandled_error_handler(hear, &h, NULL);
    SGK_AUTO(sgk_signal) fails = sgk_signal_fail(sgk_int(1));
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(fails, times_ten, NULL, NULL);
    sgk_disposable_release(sgk_signal_start(mapped, NULL));
    assert_int_equal(h.errors, 1);
    sgk_value text = sgk_string("no int");
    SGK_AUTO(sgk_signal) single = sgk_signal_just(text);
    SGK_AUTO(sgk_signature) takes_int = sgk_signature_create("(ctx, i64) -> void");
    sgk_disposable_release(
        sgk_signal_start_typed(single, (sgk_function)no_int, takes_int, NULL, NULL, NULL, NULL, NULL, NULL));
    sgk_value_release(text);
    assert_int_equal(h.errors, 2);
    sgk_subscriber *alone = sgk_subscriber_create(NULL);
    sgk_subscriber_error(alone, sgk_int(3));
    sgk_subscriber_release(alone);
    assert_int_equal(h.errors, 3);
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
}

static void what_is_handled_or_not_wanted_is_not_told(void **state) {
    (void)state;
    heard h = {0};
    sgk_set_unhandled_error_handler(hear, &h, NULL);
    SGK_AUTO(sgk_signal) fails = sgk_signal_fail(sgk_int(1));
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.error = sgk_ignore_error;
    sgk_disposable_release(sgk_signal_start(fails, &handlers));
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(fails, r));
    assert_int_equal(r->errors, 1);
    recorder_free(r);
    SGK_AUTO(sgk_signal) completes = sgk_signal_empty();
    sgk_disposable_release(sgk_signal_start(completes, NULL));
    hand source;
    SGK_AUTO(sgk_signal) signal = hand_signal(&source);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, NULL);
    sgk_disposable_dispose(run);
    sgk_subscriber_error(source.subscriber, sgk_int(2)); /* there is no subscriber now */
    hand_free(&source);
    assert_int_equal(h.errors, 0);
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
}

/* The name is that of the last named signal upstream of the subscription. */
static void names(void **state) {
    (void)state;
    heard h = {0};
    sgk_set_unhandled_error_handler(hear, &h, NULL);
    SGK_AUTO(sgk_signal) fails = sgk_signal_fail(sgk_int(7));
    char name[] = "pressure";
    SGK_AUTO(sgk_signal) inner = sgk_signal_named(fails, name);
    memset(name, 'x', sizeof name - 1); /* it was copied */
    sgk_disposable_release(sgk_signal_start(inner, NULL));
    assert_string_equal(h.name, "pressure");
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(inner, times_ten, NULL, NULL);
    SGK_AUTO(sgk_signal) outer = sgk_signal_named(mapped, "station");
    sgk_disposable_release(sgk_signal_start(outer, NULL));
    assert_string_equal(h.name, "station");
    sgk_disposable_release(sgk_signal_start(fails, NULL));
    assert_string_equal(h.name, "(none)"); /* and gone with the error */
    sgk_set_log_handler(hear_line, &h, NULL);
    SGK_AUTO(sgk_signal) traced = sgk_signal_trace(fails, "traced");
    sgk_disposable_release(sgk_signal_start(traced, NULL));
    assert_string_equal(h.name, "traced");
    sgk_set_log_handler(NULL, NULL, NULL);
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
    assert_int_equal(h.errors, 4);
}

/* ---- A callback for values that can fail ---- */

static sgk_value fail_at_three(void *context, sgk_value value) {
    ++*(int *)context;
    return sgk_to_int(value) == 3 ? sgk_failed(sgk_string("three"))
        : sgk_to_int(value) == 2  ? sgk_string("does not matter")
                                  : sgk_unchanged();
}
static void hear_three(void *context, sgk_value error) {
    size_t length = 0;
    const char *text = sgk_value_data(error, &length);
    *(int *)context += text && strcmp(text, "three") == 0 ? 100 : 1000;
}

/* A failing callback ends its own subscription, in any stage. The error is delivered like other errors of the
 * subscription. */
static void callbacks_that_fail(void **state) {
    (void)state;
    heard h = {0};
    sgk_set_unhandled_error_handler(hear, &h, NULL);
    SGK_AUTO(sgk_signal) source = count_to(1000000);
    SGK_AUTO(sgk_signal) evens = sgk_signal_filter(source, is_even, NULL, NULL);
    SGK_AUTO(sgk_signal) distinct = sgk_signal_distinct_until_changed(source);
    hand other;
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&other);
    int calls = 0;
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &calls;
    handlers.receive = fail_at_three;
    sgk_signal *const sources[] = {source, distinct};
    sgk_disposable *(*const starts[])(sgk_signal *, const sgk_handlers *) = {
        sgk_signal_start, sgk_signal_start_waitable};
    int64_t rounds = generator_rounds();
    for (int i = 0; i < 4; i++) {
        for (int handled = 0; handled < 2; handled++) {
            calls = 0;
            handlers.error = handled ? hear_three : NULL;
            sgk_disposable_release(starts[i / 2](sources[i % 2], &handlers));
            assert_int_equal(calls, handled ? 103 : 3);
        }
        assert_int_equal(h.errors, i + 1);
    }
    assert_int_equal(generator_rounds() - rounds, 8 * 3); /* the third has told the generator */
    handlers.error = hear_three;
    calls = 0;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(by_hand, &handlers);
    for (int i = 1; i <= 2; i++) assert_int_equal(sgk_subscriber_next(other.subscriber, sgk_int(i)), SGK_OK);
    sgk_subscriber_next(other.subscriber, sgk_int(3));
    assert_int_equal(sgk_subscriber_next(other.subscriber, sgk_int(3)), SGK_ERROR_ENDED);
    assert_int_equal(calls, 103);
    assert_int_equal(other.disposals, 1);
    hand_free(&other);
    SGK_AUTO(sgk_signal) tens = sgk_signal_map(evens, times_ten, NULL, NULL); /* steps in front of it */
    SGK_AUTO(sgk_signal) some = sgk_signal_take(tens, 3);
    SGK_AUTO(sgk_signal) more = sgk_signal_map(some, times_ten, NULL, NULL);
    calls = 0;
    sgk_disposable_release(sgk_signal_start(more, &handlers));
    assert_int_equal(calls, 3);
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
}

/* Without a handler a line goes to the log. */
static void in_the_log(void **state) {
    (void)state;
    heard h = {0};
    sgk_set_log_handler(hear_line, &h, NULL);
    sgk_value error = sgk_string("out of paper");
    SGK_AUTO(sgk_signal) fails = sgk_signal_fail(error);
    sgk_value_release(error);
    sgk_disposable_release(sgk_signal_start(fails, NULL));
    assert_string_equal(h.line, "a subscription failed with an unhandled error: out of paper");
    SGK_AUTO(sgk_signal) named = sgk_signal_named(fails, "printer");
    sgk_disposable_release(sgk_signal_start(named, NULL));
    assert_string_equal(h.line, "a subscription of 'printer' failed with an unhandled error: out of paper");
    SGK_AUTO(sgk_signal) placed = sgk_signal_named_at(fails, "printer", "office.c", 12);
    sgk_disposable_release(sgk_signal_start(placed, NULL));
    assert_string_equal(
        h.line, "a subscription of 'printer' (office.c:12) failed with an unhandled error: out of paper");
    assert_int_equal(h.lines, 3);
    char name[600]; /* a long text is cut at any position */
    memset(name, 'x', sizeof name);
    const size_t lengths[] = {430, 480, 500, 599};
    for (size_t i = 0; i < 4; i++) {
        name[lengths[i]] = 0;
        SGK_AUTO(sgk_signal) longer = sgk_signal_named_at(fails, name, "office.c", 12);
        sgk_disposable_release(sgk_signal_start(longer, NULL));
        assert_memory_equal(h.line, "a subscription of 'xxx", 22);
        assert_true(strlen(h.line) > 500);
        name[lengths[i]] = 'x';
    }
    sgk_set_log_handler(NULL, NULL, NULL);
}

int run_unhandled(void) {
    const struct CMUnitTest tests[] = {
        TEST(each_is_told_once_a_run),
        TEST(wherever_it_comes_from),
        TEST(what_is_handled_or_not_wanted_is_not_told),
        TEST(names),
        TEST(in_the_log),
        TEST(callbacks_that_fail),
    };
    return cmocka_run_group_tests_name("unhandled errors", tests, NULL, NULL);
}
