/* Signals, subscribers, starting: the contract of events. */
#include "suite.h"

static void the_simple_sources_emit_what_they_say(void **state) {
    (void)state;
    recorder *a = recorder_new(), *b = recorder_new(), *c = recorder_new(), *d = recorder_new();
    SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_int(7));
    SGK_AUTO(sgk_signal) complete = sgk_signal_empty();
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(13));
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    sgk_disposable_release(record_run(single, a));
    sgk_disposable_release(record_run(complete, b));
    sgk_disposable_release(record_run(failing, c));
    sgk_disposable *waiting = record_run(never, d);
    ASSERT_VALUES(a, 7);
    assert_int_equal(a->ends, 1);
    assert_int_equal(b->count, 0);
    assert_int_equal(b->ends, 1);
    assert_int_equal(c->errors, 1);
    assert_int_equal(c->error, 13);
    assert_int_equal(d->nexts + d->errors + d->ends, 0);
    assert_int_equal(d->destroyed, 1); /* no thread can emit: freed before the start returned */
    sgk_disposable_release(waiting);
    recorder_free(a);
    recorder_free(b);
    recorder_free(c);
    recorder_free(d);
}

static void the_generator_runs_for_every_start(void **state) {
    (void)state;
    hand h;
    sgk_signal *signal = hand_signal(&h);
    recorder *r[2] = {recorder_new(), recorder_new()};
    for (int i = 0; i < 2; i++) {
        sgk_disposable *run = record_run(signal, r[i]);
        assert_int_equal(h.starts, i + 1);
        assert_true(sgk_subscriber_is_active(h.subscriber));
        assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(i)), SGK_OK);
        assert_int_equal(sgk_subscriber_complete(h.subscriber), SGK_OK);
        assert_int_equal(h.disposals, i + 1);
        sgk_disposable_dispose(run);
        sgk_disposable_release(run);
        assert_int_equal(h.disposals, i + 1);
    }
    ASSERT_VALUES(r[0], 0);
    ASSERT_VALUES(r[1], 1);
    hand_free(&h);
    assert_int_equal(h.destroyed, 0);
    sgk_signal_release(signal);
    assert_int_equal(h.destroyed, 1);
    recorder_free(r[0]);
    recorder_free(r[1]);
}

static void nothing_comes_after_the_end(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) signal = hand_signal(&h);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    assert_int_equal(sgk_subscriber_error(h.subscriber, sgk_int(5)), SGK_OK);
    assert_int_equal(r->destroyed, 1); /* the callbacks went with the end, although the subscriber is still held */
    assert_false(sgk_subscriber_is_active(h.subscriber));
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(1)), SGK_ERROR_ENDED);
    assert_int_equal(sgk_subscriber_error(h.subscriber, sgk_int(6)), SGK_ERROR_ENDED);
    assert_int_equal(sgk_subscriber_complete(h.subscriber), SGK_ERROR_ENDED);
    assert_string_equal(sgk_last_error(), ""); /* that is not an error */
    assert_int_equal(r->nexts, 0);
    assert_int_equal(r->error, 5);
    hand_free(&h);
    recorder_free(r);
}

static void disposing_stops_and_frees(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) signal = hand_signal(&h);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    assert_int_equal(sgk_disposable_dispose(run), SGK_OK);
    assert_int_equal(sgk_disposable_dispose(run), SGK_OK);
    assert_int_equal(h.disposals, 1);
    assert_int_equal(r->destroyed, 1);
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(2)), SGK_ERROR_ENDED);
    ASSERT_VALUES(r, 1);
    assert_int_equal(r->ends, 0);
    hand_free(&h);
    recorder_free(r);
}

static void disposing_inside_a_callback_is_allowed(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) signal = hand_signal(&h);
    recorder *r = recorder_new();
    r->dispose_at = 2;
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    for (int i = 1; i <= 4; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    ASSERT_VALUES(r, 1, 2);
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
    recorder_free(r);
}

static void a_synchronous_source_can_be_stopped_from_its_first_value_on(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) endless = count_to(INT64_MAX);
    recorder *r = recorder_new();
    r->dispose_at = 3;
    int64_t before = generator_rounds();
    SGK_AUTO(sgk_disposable) run = record_run(endless, r);
    assert_int_equal(generator_rounds() - before, 3); /* the third has told the generator */
    ASSERT_VALUES(r, 1, 2, 3);
    recorder_free(r);
}

static void releasing_the_run_stops_nothing(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) signal = hand_signal(&h);
    recorder *r = recorder_new();
    sgk_handlers handlers = recorder_handlers(r);
    handlers.started = NULL;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    sgk_subscriber_complete(h.subscriber);
    ASSERT_VALUES(r, 1);
    assert_int_equal(r->ends, 1);
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
    recorder_free(r);
}

static void a_source_that_goes_away_frees_the_callbacks(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) signal = hand_signal(&h);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    hand_free(&h);
    assert_int_equal(r->destroyed, 1);
    assert_int_equal(h.disposals, 0);
    sgk_disposable_dispose(run); /* what it returned can still be disposed */
    assert_int_equal(h.disposals, 1);
    recorder_free(r);
}

static void a_run_needs_no_callbacks(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) signal = hand_signal(&h);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, NULL);
    sgk_handlers empty = SGK_HANDLERS_INIT;
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(1));
    SGK_AUTO(sgk_disposable) other = sgk_signal_start(failing, &empty);
    assert_non_null(other);
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(1)), SGK_OK);
    assert_int_equal(sgk_subscriber_error(h.subscriber, sgk_int(1)), SGK_OK);
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
}

static void count_next(void *context, sgk_value value) {
    (void)value;
    counted_work(context);
}

static void start_next_takes_values_alone(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_signal) signal = count_to(5);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, count_next, &c, counted_destroy);
    assert_int_equal(c.calls, 5);
    assert_int_equal(c.destroyed, 1);
}

static sgk_disposable *emit_text(void *context, sgk_subscriber *subscriber) {
    (void)context;
    sgk_value text = sgk_string("a text");
    sgk_subscriber_next(subscriber, text);
    sgk_subscriber_error(subscriber, text);
    sgk_value_release(text);
    return NULL;
}

static char kept_text[32];
static sgk_value kept_value;
static void keep_text(void *context, sgk_value value) {
    (void)context;
    if (sgk_value_kind(value) == SGK_STRING) snprintf(kept_text, sizeof kept_text, "%s", sgk_value_data(value, NULL));
    sgk_value_release(kept_value);
    kept_value = sgk_value_retain(value);
}

static void boxed_values_are_borrowed_by_callbacks(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) signal = sgk_signal_create(emit_text, NULL, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = keep_text;
    handlers.error = keep_text;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, &handlers);
    assert_string_equal(kept_text, "a text");
    assert_string_equal(sgk_value_data(kept_value, NULL), "a text");
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 1);
    sgk_value_release(kept_value);
    kept_value = sgk_null();
}

static sgk_value dispose_on_the_way(void *context, sgk_value value) {
    sgk_disposable_dispose(((recorder *)context)->run);
    return value;
}

static void a_run_that_an_operator_disposes_gets_nothing_more(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(source, dispose_on_the_way, r, NULL);
    SGK_AUTO(sgk_disposable) run = record_run(mapped, r);
    sgk_pipe_next(pipe, sgk_int(1)); /* not even the value that is on its way */
    assert_int_equal(r->nexts, 0);
    recorder_free(r);
}

static void the_started_run_is_what_the_start_returns(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) signal = count_to(1);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    assert_ptr_equal(run, r->run);
    recorder_free(r);
}

static void a_handle_can_be_a_context(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) signal = count_to(1);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, keep_text, sgk_pipe_create(), sgk_release);
    assert_int_equal(sgk_live_count(SGK_LIVE_PIPE), 0);
    kept_value = sgk_null();
}

/* A generator that has nothing to stop, whose first value a callback does not handle without a failure. */
static sgk_disposable *emit_and_keep(void *context, sgk_subscriber *subscriber) {
    *(sgk_subscriber **)context = sgk_subscriber_retain(subscriber);
    sgk_subscriber_next(subscriber, sgk_int(1));
    return NULL;
}
static void fail_a_call(void *context, sgk_value value) {
    (void)context, (void)value;
    assert_null(sgk_signal_take(NULL, 1));
}
/* One whose own call fails says so. */
static sgk_disposable *fail_on_its_own(void *context, sgk_subscriber *subscriber) {
    (void)context;
    sgk_disposable *run = sgk_signal_start(NULL, NULL);
    if (!run) sgk_subscriber_error(subscriber, sgk_give(sgk_string(sgk_last_error())));
    return run;
}

static void null_of_a_generator_is_no_failure(void **state) {
    (void)state;
    sgk_subscriber *subscriber = NULL;
    recorder *r = recorder_new();
    SGK_AUTO(sgk_signal) source = sgk_signal_create(emit_and_keep, &subscriber, NULL);
    SGK_AUTO(sgk_signal) observed = sgk_signal_before_next(source, fail_a_call, NULL, NULL);
    sgk_disposable_release(record_run(observed, r));
    assert_failed(SGK_ERROR_NULL, "sgk_signal_take: signal: "); /* of the callback, not of the generator */
    assert_int_equal(sgk_subscriber_next(subscriber, sgk_int(2)), SGK_OK);
    assert_int_equal(sgk_subscriber_complete(subscriber), SGK_OK);
    sgk_subscriber_release(subscriber);
    sgk_clear_error();
    ASSERT_VALUES(r, 1, 2);
    assert_true(r->ends == 1 && r->errors == 0);
    recorder_free(r);
    SGK_AUTO(sgk_signal) failing = sgk_signal_create(fail_on_its_own, NULL, NULL);
    sgk_value error = sgk_null();
    assert_int_equal(sgk_signal_get(failing, 1, &error), SGK_ERROR_FAILED);
    assert_string_equal(sgk_error_text(error), "sgk_signal_start: signal: must not be NULL");
    sgk_value_release(error);
    sgk_clear_error();
}

int run_signals(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_simple_sources_emit_what_they_say),
        TEST(the_generator_runs_for_every_start),
        TEST(null_of_a_generator_is_no_failure),
        TEST(nothing_comes_after_the_end),
        TEST(disposing_stops_and_frees),
        TEST(disposing_inside_a_callback_is_allowed),
        TEST(a_synchronous_source_can_be_stopped_from_its_first_value_on),
        TEST(releasing_the_run_stops_nothing),
        TEST(a_source_that_goes_away_frees_the_callbacks),
        TEST(a_run_needs_no_callbacks),
        TEST(start_next_takes_values_alone),
        TEST(boxed_values_are_borrowed_by_callbacks),
        TEST(a_run_that_an_operator_disposes_gets_nothing_more),
        TEST(the_started_run_is_what_the_start_returns),
        TEST(a_handle_can_be_a_context),
    };
    return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
