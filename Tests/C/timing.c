/* Operators that bring events to a queue, or go by time. */
#include "suite.h"

static void throttle_limits_the_rate(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("throttle");
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) throttled = sgk_signal_throttle(source, 0.05, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(throttled, r);
    for (int i = 1; i <= 5; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    EVENTUALLY(r->nexts >= 1);
    EVENTUALLY(r->nexts >= 2);
    assert_true(r->values[0] == 1 && r->values[r->count - 1] == 5);
    sgk_subscriber_next(h.subscriber, sgk_int(6));
    sgk_subscriber_complete(h.subscriber);
    EVENTUALLY(r->ends == 1);
    assert_int_equal(r->values[r->count - 1], 6); /* the end first emits what waits */
    hand_free(&h);
    recorder_free(r);
}

static void debounce_waits_for_quiet(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("debounce");
    hand h, g;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) other = hand_signal(&g);
    SGK_AUTO(sgk_signal) quiet = sgk_signal_debounce(source, 0.03, queue);
    SGK_AUTO(sgk_signal) failing = sgk_signal_debounce(other, 1e6, queue);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(quiet, r);
    SGK_AUTO(sgk_disposable) run_too = record_run(failing, s);
    for (int i = 1; i <= 5; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    EVENTUALLY(r->nexts == 1);
    ASSERT_VALUES(r, 5);
    sgk_subscriber_next(h.subscriber, sgk_int(6));
    sgk_subscriber_complete(h.subscriber);
    EVENTUALLY(r->ends == 1);
    ASSERT_VALUES(r, 5, 6);
    sgk_subscriber_next(g.subscriber, sgk_int(1));
    sgk_subscriber_error(g.subscriber, sgk_int(2));
    EVENTUALLY(s->errors == 1); /* at once: the error drops what waits */
    assert_int_equal(s->count, 0);
    hand_free(&h);
    hand_free(&g);
    recorder_free(r);
    recorder_free(s);
}

typedef struct where {
    sgk_queue *queue;
    atomic_int there, elsewhere;
} where;

static void look_around(void *context, sgk_value value) {
    (void)value;
    where *w = context;
    if (sgk_queue_is_current(w->queue)) w->there++;
    else w->elsewhere++;
}

static void deliver_on_delivers_there_in_order(void **state) {
    (void)state;
    where w = {sgk_queue_create("delivery"), 0, 0};
    SGK_AUTO(sgk_signal) source = count_to(50);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, w.queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    SGK_AUTO(sgk_disposable) other = sgk_signal_start_next(there, look_around, &w, NULL);
    EVENTUALLY(r->ends == 1 && w.there == 50);
    assert_int_equal(w.elsewhere, 0);
    assert_int_equal(r->count, 50);
    for (int i = 0; i < 50; i++) assert_int_equal(r->values[i], i + 1);
    sgk_queue_release(w.queue);
    recorder_free(r);
}

static void wait_for(void *context) { EVENTUALLY(*(atomic_bool *)context); }

static void disposal_drops_what_is_on_its_way(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("delivery");
    atomic_bool go = false;
    sgk_queue_dispatch(queue, wait_for, &go, NULL);
    SGK_AUTO(sgk_signal) source = count_to(10);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    sgk_disposable_dispose(run);
    assert_int_equal(r->destroyed, 1); /* at once, although the queue is busy and events are on their way */
    go = true;
    sgk_queue_sync(queue, do_nothing, NULL);
    assert_int_equal(r->nexts + r->ends, 0);
    recorder_free(r);
}

int run_timing(void) {
    const struct CMUnitTest tests[] = {
        TEST(throttle_limits_the_rate),
        TEST(debounce_waits_for_quiet),
        TEST(deliver_on_delivers_there_in_order),
        TEST(disposal_drops_what_is_on_its_way),
    };
    return cmocka_run_group_tests_name("timing", tests, NULL, NULL);
}
