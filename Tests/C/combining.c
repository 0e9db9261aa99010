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
    sgk_signal *singles[] = {sgk_signal_single(sgk_int(1)), sgk_signal_single(sgk_int(2))};
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

int run_combining(void) {
    const struct CMUnitTest tests[] = {
        TEST(combine_latest_joins),
        TEST(the_first_error_ends_combine_latest),
        TEST(combine_latest_of_nothing_and_on_a_queue),
    };
    return cmocka_run_group_tests_name("combining", tests, NULL, NULL);
}
