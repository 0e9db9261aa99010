/* Operators on signals of signals. */
#include "suite.h"

static void throttled_keeps_only_the_latest_that_waits(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) throttled = sgk_signal_throttled(outer);
    hand h[3];
    sgk_signal *inner[3];
    for (int i = 0; i < 3; i++) inner[i] = hand_signal(&h[i]);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(throttled, r);
    for (int i = 0; i < 3; i++) put_signal(pipe, inner[i]);
    assert_int_equal(h[0].starts, 1);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    sgk_subscriber_complete(h[0].subscriber);
    assert_int_equal(h[1].starts, 0); /* it was replaced while it waited */
    assert_int_equal(h[2].starts, 1);
    sgk_subscriber_next(h[2].subscriber, sgk_int(3));
    ASSERT_VALUES(r, 1, 3);
    sgk_pipe_next(pipe, sgk_int(77)); /* no signal: it becomes the error, in its turn */
    assert_int_equal(r->errors, 0);
    sgk_subscriber_complete(h[2].subscriber);
    assert_int_equal(r->error, 77);
    for (int i = 0; i < 3; i++) {
        hand_free(&h[i]);
        sgk_signal_release(inner[i]);
    }
    recorder_free(r);
}

int run_inner(void) {
    const struct CMUnitTest tests[] = {
        TEST(throttled_keeps_only_the_latest_that_waits),
    };
    return cmocka_run_group_tests_name("inner", tests, NULL, NULL);
}
