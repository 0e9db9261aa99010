/* Operators that join several signals. */
#include "suite.h"

static void combine_latest_joins(void **state) {
    (void)state;
    hand h[3];
    sgk_signal *signals[3];
    for (int i = 0; i < 3; i++) signals[i] = hand_signal(&h[i]);
    SGK_AUTO(sgk_signal) combined = sgk_combine_latest(signals, 3, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(combined, r);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    sgk_subscriber_next(h[2].subscriber, sgk_int(3));
    sgk_subscriber_next(h[0].subscriber, sgk_int(4));
    assert_int_equal(r->count, 0);
    sgk_subscriber_next(h[1].subscriber, sgk_int(2));
    sgk_subscriber_complete(h[0].subscriber);
    assert_int_equal(h[0].disposals, 1);
    sgk_subscriber_next(h[2].subscriber, sgk_int(5));
    ASSERT_VALUES(r, 40203, 40205);
    sgk_subscriber_complete(h[1].subscriber);
    assert_int_equal(r->ends, 0);
    sgk_subscriber_complete(h[2].subscriber);
    assert_int_equal(r->ends, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(h[i].disposals, 1);
        hand_free(&h[i]);
        sgk_signal_release(signals[i]);
    }
    recorder_free(r);
}

static void the_first_error_ends_combine_latest(void **state) {
    (void)state;
    hand h;
    sgk_signal *open = hand_signal(&h), *failing = sgk_signal_fail(sgk_int(9)), *endless = count_to(INT64_MAX);
    sgk_signal *signals[] = {open, failing, endless};
    int64_t before = generator_rounds();
    SGK_AUTO(sgk_signal) combined = sgk_combine_latest(signals, 3, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(combined, r);
    assert_int_equal(r->error, 9);
    assert_int_equal(h.disposals, 1);
    assert_int_equal(generator_rounds(), before); /* the third is not even started */
    hand_free(&h);
    for (int i = 0; i < 3; i++) sgk_signal_release(signals[i]);
    recorder_free(r);
}

static void combine_latest_of_nothing_and_on_a_queue(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("combine");
    SGK_AUTO(sgk_signal) nothing = sgk_combine_latest(NULL, 0, NULL);
    sgk_signal *singles[] = {sgk_signal_just(sgk_int(1)), sgk_signal_just(sgk_int(2))};
    SGK_AUTO(sgk_signal) queued = sgk_combine_latest(singles, 2, queue);
    recorder *a = recorder_new(), *b = recorder_new();
    sgk_disposable_release(record_run(nothing, a));
    ASSERT_VALUES(a, 0); /* one empty array */
    assert_int_equal(a->ends, 1);
    sgk_disposable_release(record_run(queued, b));
    EVENTUALLY(b->ends == 1);
    ASSERT_VALUES(b, 102);
    sgk_signal_release(singles[0]);
    sgk_signal_release(singles[1]);
    recorder_free(a);
    recorder_free(b);
}

static sgk_value sum_of(void *context, const sgk_value *values, size_t count) {
    counted_work(context);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += sgk_to_int(values[i]);
    return sgk_int(sum);
}

static void combine_latest_map_gives_the_values_without_an_array(void **state) {
    (void)state;
    enum { MANY = 100 }; /* more than fits on the stack */
    counted c = {0};
    hand h[MANY];
    sgk_signal *signals[MANY];
    for (int i = 0; i < MANY; i++) signals[i] = hand_signal(&h[i]);
    const int counts[] = {2, MANY};
    for (int k = 0; k < 2; k++) {
        sgk_signal *sums = sgk_combine_latest_map(signals, (size_t)counts[k], sum_of, &c, counted_destroy, NULL);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(sums, r);
        for (int i = 0; i < counts[k]; i++) sgk_subscriber_next(h[i].subscriber, sgk_int(i));
        sgk_subscriber_next(h[1].subscriber, sgk_int(1000));
        int64_t sum = counts[k] * (counts[k] - 1) / 2;
        ASSERT_VALUES(r, sum, sum + 999);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        sgk_disposable_dispose(run);
        sgk_signal_release(sums);
        assert_int_equal(c.destroyed, k + 1);
        recorder_free(r);
    }
    for (int i = 0; i < MANY; i++) {
        hand_free(&h[i]);
        sgk_signal_release(signals[i]);
    }
}

static void combine_latest_map_on_a_queue_and_of_nothing(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("combine");
    sgk_signal *two[] = {sgk_signal_just(sgk_int(1)), sgk_signal_just(sgk_int(2))};
    SGK_AUTO(sgk_signal) sums = sgk_combine_latest_map(two, 2, sum_of, &c, NULL, queue);
    SGK_AUTO(sgk_signal) none = sgk_combine_latest_map(NULL, 0, sum_of, &c, NULL, NULL);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(sums, r);
    SGK_AUTO(sgk_disposable) other = record_run(none, s);
    EVENTUALLY(r->ends == 1);
    ASSERT_VALUES(r, 3);
    ASSERT_VALUES(s, 0);
    sgk_signal_release(two[0]);
    sgk_signal_release(two[1]);
    recorder_free(r);
    recorder_free(s);
}

static void signals_begin_with_values(void **state) {
    (void)state;
    hand h[2];
    sgk_signal *signals[] = {hand_signal(&h[0]), hand_signal(&h[1])};
    sgk_signal *first = sgk_signal_start_with(signals[0], sgk_int(1));
    sgk_signal *second = sgk_signal_start_with(signals[1], sgk_int(2));
    for (int i = 0; i < 2; i++) {
        sgk_signal *both[] = {first, i ? signals[1] : second};
        SGK_AUTO(sgk_signal) combined = sgk_combine_latest(both, 2, NULL);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(combined, r);
        sgk_subscriber_next(h[1].subscriber, sgk_int(5));
        if (i == 0) ASSERT_VALUES(r, 102, 105);
        if (i == 1) ASSERT_VALUES(r, 105);
        sgk_disposable_dispose(run);
        recorder_free(r);
    }
    sgk_signal_release(first);
    sgk_signal_release(second);
    for (int i = 0; i < 2; i++) {
        hand_free(&h[i]);
        sgk_signal_release(signals[i]);
    }
}

static void merge_signals_passes_everything(void **state) {
    (void)state;
    hand h[2];
    sgk_signal *signals[] = {hand_signal(&h[0]), hand_signal(&h[1])};
    SGK_AUTO(sgk_signal) merged = sgk_merge(signals, 2);
    SGK_AUTO(sgk_signal) none = sgk_merge(NULL, 0);
    recorder *r = recorder_new(), *s = recorder_new(), *t = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(merged, r);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    sgk_subscriber_next(h[1].subscriber, sgk_int(2));
    sgk_subscriber_complete(h[0].subscriber);
    sgk_subscriber_next(h[1].subscriber, sgk_int(3));
    assert_int_equal(r->ends, 0);
    sgk_subscriber_complete(h[1].subscriber);
    ASSERT_VALUES(r, 1, 2, 3);
    assert_int_equal(r->ends, 1);
    SGK_AUTO(sgk_disposable) other = record_run(merged, s);
    sgk_subscriber_error(h[1].subscriber, sgk_int(4));
    assert_int_equal(s->error, 4);
    assert_int_equal(h[0].disposals, 2);
    SGK_AUTO(sgk_disposable) empty = record_run(none, t);
    assert_int_equal(t->ends, 1);
    for (int i = 0; i < 2; i++) {
        hand_free(&h[i]);
        sgk_signal_release(signals[i]);
    }
    recorder_free(r);
    recorder_free(s);
    recorder_free(t);
}

/* An ended source is released while the others continue: here a pipe with its latest value. */
static void what_has_ended_is_not_kept_by_those_who_go_on(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) going_on = hand_signal(&h);
    sgk_pipe *pipe = sgk_pipe_create_replay();
    sgk_signal *values = sgk_pipe_signal(pipe);
    counted remembered = {0};
    static const sgk_object_type type = {.size = sizeof type, .name = "counted", .release = counted_destroy};
    sgk_value object = sgk_object(&remembered, &type);
    sgk_pipe_next(pipe, object);
    sgk_value_release(object);
    sgk_signal *merged = sgk_merge((sgk_signal *[]){values, going_on}, 2);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(merged, r);
    assert_int_equal(r->nexts, 1);
    sgk_signal_release(merged);
    sgk_signal_release(values);
    sgk_pipe_complete(pipe);
    assert_int_equal(remembered.destroyed, 0);
    sgk_pipe_release(pipe);
    assert_int_equal(remembered.destroyed, 1);
    assert_int_equal(r->ends, 0);
    sgk_disposable_dispose(run);
    hand_free(&h);
    recorder_free(r);
}

int run_combining(void) {
    const struct CMUnitTest tests[] = {
        TEST(combine_latest_joins),
        TEST(the_first_error_ends_combine_latest),
        TEST(combine_latest_of_nothing_and_on_a_queue),
        TEST(combine_latest_map_gives_the_values_without_an_array),
        TEST(combine_latest_map_on_a_queue_and_of_nothing),
        TEST(signals_begin_with_values),
        TEST(merge_signals_passes_everything),
        TEST(what_has_ended_is_not_kept_by_those_who_go_on),
    };
    return cmocka_run_group_tests_name("combining", tests, NULL, NULL);
}
