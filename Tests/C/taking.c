/* Operators that pass a part of the values. */
#include "suite.h"

static void take_passes_exactly_so_many_and_stops_the_source(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) endless = count_to(INT64_MAX);
    SGK_AUTO(sgk_signal) three = sgk_signal_take(endless, 3);
    SGK_AUTO(sgk_signal) none = sgk_signal_take(endless, 0);
    SGK_AUTO(sgk_signal) two = count_to(2);
    SGK_AUTO(sgk_signal) fewer = sgk_signal_take(two, 5);
    recorder *a = recorder_new(), *b = recorder_new(), *c = recorder_new();
    int64_t before = generator_rounds();
    sgk_disposable_release(record_run(three, a));
    assert_int_equal(generator_rounds() - before, 3);
    sgk_disposable_release(record_run(none, b));
    assert_int_equal(generator_rounds() - before, 3);
    sgk_disposable_release(record_run(fewer, c));
    ASSERT_VALUES(a, 1, 2, 3);
    assert_int_equal(a->ends, 1);
    assert_int_equal(b->count, 0);
    assert_int_equal(b->ends, 1);
    ASSERT_VALUES(c, 1, 2);
    assert_int_equal(c->ends, 1);
    recorder_free(a);
    recorder_free(b);
    recorder_free(c);
}

static sgk_value until_ten(void *context, sgk_value value) {
    counted_work(context);
    switch (sgk_to_int(value)) {
    case 1: return value;
    case 10: return sgk_last(value);
    case 20: return sgk_completed();
    default: return sgk_dropped();
    }
}

static void map_completes_as_it_is_told(void **state) {
    (void)state;
    hand h;
    counted c = {0};
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) some = sgk_signal_map(source, until_ten, &c, counted_destroy);
    for (int last = 10; last <= 20; last += 10) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(some, r);
        sgk_subscriber_next(h.subscriber, sgk_int(1));
        sgk_subscriber_next(h.subscriber, sgk_int(2));
        sgk_subscriber_next(h.subscriber, sgk_int(last));
        assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(1)), SGK_ERROR_ENDED);
        assert_int_equal(r->ends, 1);
        if (last == 10) ASSERT_VALUES(r, 1, 10);
        else ASSERT_VALUES(r, 1);
        recorder_free(r);
    }
    assert_int_equal(c.calls, 6);
    assert_int_equal(h.disposals, 2);
    hand_free(&h);
}

static bool dispose_and_pass(void *context, sgk_value value) {
    (void)value;
    sgk_disposable_dispose(((recorder *)context)->run);
    return true;
}

static void who_disposes_when_asked_passes_nothing_on(void **state) {
    (void)state;
    recorder *r = recorder_new();
    counted below = {0};
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) some = sgk_signal_take_while(source, dispose_and_pass, r, NULL);
    SGK_AUTO(sgk_signal) seen = sgk_signal_before_next(some, counted_next, &below, counted_destroy);
    SGK_AUTO(sgk_disposable) run = record_run(seen, r);
    sgk_pipe_next(pipe, sgk_int(1));
    assert_int_equal(below.calls, 0);
    assert_int_equal(r->count + r->ends, 0);
    recorder_free(r);
}

static void the_last_value_comes_at_the_end(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) three = count_to(3);
    SGK_AUTO(sgk_signal) none = sgk_signal_empty();
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) last_of_three = sgk_signal_take_last(three, 1);
    SGK_AUTO(sgk_signal) last_of_none = sgk_signal_take_last(none, 1);
    SGK_AUTO(sgk_signal) no_last = sgk_signal_take_last(failing, 1);
    SGK_AUTO(sgk_signal) last_or_null = sgk_signal_default_if_empty(last_of_none, sgk_null());
    sgk_signal *signals[] = {last_of_three, last_of_none, no_last, last_or_null};
    const int counts[] = {1, 0, 0, 1}, errors[] = {0, 0, 1, 0};
    for (int i = 0; i < 4; i++) {
        recorder *r = recorder_new();
        sgk_disposable_release(record_run(signals[i], r));
        assert_int_equal(r->count, counts[i]);
        assert_int_equal(r->errors, errors[i]);
        if (i == 0) ASSERT_VALUES(r, 3);
        if (i == 3) ASSERT_VALUES(r, 0); /* null */
        recorder_free(r);
    }
}

/* Records the events of a signal that ends inside its start. */
#define RECORDS(signal, end, ...) \
    do { \
        SGK_AUTO(sgk_signal) records = signal; \
        recorder *r = recorder_new(); \
        sgk_disposable_release(record_run(records, r)); \
        ASSERT_VALUES(r, __VA_ARGS__); \
        assert_int_equal(r->end, 1); \
        recorder_free(r); \
    } while (0)
#define RECORDS_NOTHING(signal, end) \
    do { \
        SGK_AUTO(sgk_signal) records = signal; \
        recorder *r = recorder_new(); \
        sgk_disposable_release(record_run(records, r)); \
        assert_int_equal(r->nexts, 0); \
        assert_int_equal(r->end, 1); \
        recorder_free(r); \
    } while (0)

static bool below(void *context, sgk_value value) { return sgk_to_int(value) < *(int64_t *)context; }

static sgk_signal *first_or_nine(sgk_signal *signal) {
    SGK_AUTO(sgk_signal) first = sgk_signal_take(signal, 1);
    return sgk_signal_default_if_empty(first, sgk_int(9));
}

static void the_first_are_skipped_or_taken(void **state) {
    (void)state;
    int64_t three = 3, nothing = 0, endless = INT64_MAX;
    SGK_AUTO(sgk_signal) source = count_to(5), *many = count_to(INT64_MAX);
    SGK_AUTO(sgk_signal) none = sgk_signal_empty(), *failing = sgk_signal_fail(sgk_int(8));
    RECORDS(sgk_signal_skip(source, 3), ends, 4, 5);
    RECORDS(sgk_signal_skip(source, 0), ends, 1, 2, 3, 4, 5);
    RECORDS_NOTHING(sgk_signal_skip(source, INT64_MAX), ends);
    RECORDS(sgk_signal_skip_while(source, below, &three, NULL), ends, 3, 4, 5);
    RECORDS_NOTHING(sgk_signal_skip_while(source, below, &endless, NULL), ends);
    RECORDS(sgk_signal_take_while(many, below, &three, NULL), ends, 1, 2);
    RECORDS_NOTHING(sgk_signal_take_while(many, below, &nothing, NULL), ends);
    RECORDS(sgk_signal_take(many, 1), ends, 1);
    RECORDS_NOTHING(sgk_signal_take(none, 1), ends);
    RECORDS_NOTHING(sgk_signal_take(failing, 1), errors);
    RECORDS(first_or_nine(many), ends, 1);
    RECORDS(first_or_nine(none), ends, 9);
    RECORDS_NOTHING(first_or_nine(failing), errors);
}

static sgk_value boxed(void *context, sgk_value value) {
    (void)context;
    return sgk_array(&value, 1);
}

static void so_many_of_the_last_come_at_the_end(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(20), *none = sgk_signal_empty(), *failing = sgk_signal_fail(sgk_int(8));
    RECORDS(sgk_signal_take_last(source, 3), ends, 18, 19, 20);
    RECORDS(sgk_signal_take_last(source, 11), ends, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
    RECORDS_NOTHING(sgk_signal_take_last(source, 0), ends);
    RECORDS_NOTHING(sgk_signal_take_last(none, INT64_MAX), ends);
    SGK_AUTO(sgk_signal) failed = sgk_signal_concat_with(source, failing);
    RECORDS_NOTHING(sgk_signal_take_last(failed, 3), errors);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) open = sgk_pipe_signal(pipe), *boxes = sgk_signal_map(open, boxed, NULL, NULL);
    SGK_AUTO(sgk_signal) held = sgk_signal_take_last(boxes, 3);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(held, NULL);
    for (int i = 0; i < 20; i++) sgk_pipe_next(pipe, sgk_int(i));
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 3); /* and no more */
    sgk_disposable_dispose(run);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
}

int run_taking(void) {
    const struct CMUnitTest tests[] = {
        TEST(take_passes_exactly_so_many_and_stops_the_source),
        TEST(map_completes_as_it_is_told),
        TEST(who_disposes_when_asked_passes_nothing_on),
        TEST(the_last_value_comes_at_the_end),
        TEST(the_first_are_skipped_or_taken),
        TEST(so_many_of_the_last_come_at_the_end),
    };
    return cmocka_run_group_tests_name("taking", tests, NULL, NULL);
}
