/* One run for many listeners; many runs one after another. */
#include "suite.h"

/* Two listeners share the source of `a`; the third, after they have left, has a run of its own. */
static void shared(sgk_signal *a, sgk_signal *b, hand *h) {
    recorder *r = recorder_new(), *s = recorder_new(), *t = recorder_new();
    SGK_AUTO(sgk_disposable) first = record_run(a, r);
    SGK_AUTO(sgk_disposable) second = record_run(b, s);
    assert_int_equal(h->starts, 1);
    sgk_subscriber_next(h->subscriber, sgk_int(1));
    sgk_disposable_dispose(first);
    sgk_subscriber_next(h->subscriber, sgk_int(2));
    assert_int_equal(h->disposals, 0);
    sgk_disposable_dispose(second);
    assert_int_equal(h->disposals, 1);
    SGK_AUTO(sgk_disposable) third = record_run(a, t);
    assert_int_equal(h->starts, 2);
    sgk_subscriber_next(h->subscriber, sgk_int(3));
    sgk_subscriber_error(h->subscriber, sgk_int(4));
    ASSERT_VALUES(r, 1);
    ASSERT_VALUES(s, 1, 2);
    ASSERT_VALUES(t, 3);
    assert_int_equal(t->error, 4);
    recorder_free(r);
    recorder_free(s);
    recorder_free(t);
}

static void multicast_shares_a_run(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) one = sgk_signal_multicast(source);
    shared(one, one, &h);
    hand_free(&h);
}

static void a_multicast_shares_by_key(void **state) {
    (void)state;
    hand h, g;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) unused = hand_signal(&g);
    sgk_multicast *multicast = sgk_multicast_create();
    char key[] = "key";
    SGK_AUTO(sgk_signal) a = sgk_multicast_get(multicast, key, source);
    memset(key, 'x', 3); /* it was copied */
    SGK_AUTO(sgk_signal) b = sgk_multicast_get(multicast, "key", unused);
    SGK_AUTO(sgk_signal) other = sgk_multicast_get(multicast, "another key", unused);
    assert_ptr_equal(sgk_multicast_retain(multicast), multicast);
    sgk_multicast_release(multicast);
    sgk_multicast_release(multicast);
    shared(a, b, &h);
    assert_int_equal(g.starts, 0);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(other, NULL);
    assert_int_equal(g.starts, 1);
    sgk_disposable_dispose(run);
    assert_int_equal(g.disposals, 1);
    hand_free(&h);
    hand_free(&g);
}

static void a_sequencer_runs_one_at_a_time(void **state) {
    (void)state;
    SGK_AUTO(sgk_sequencer) queue = sgk_sequencer_create();
    hand h[3];
    sgk_signal *sources[3], *queued[3];
    sgk_disposable *runs[3];
    recorder *r[3];
    for (int i = 0; i < 3; i++) {
        sources[i] = hand_signal(&h[i]);
        queued[i] = sgk_sequencer_enqueue(queue, sources[i]);
        r[i] = recorder_new();
        runs[i] = record_run(queued[i], r[i]);
    }
    assert_int_equal(h[0].starts, 1);
    assert_int_equal(h[1].starts + h[2].starts, 0);
    sgk_disposable_dispose(runs[1]); /* while it waits */
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    sgk_subscriber_error(h[0].subscriber, sgk_int(2)); /* ends the run, not the queue */
    assert_int_equal(r[0]->error, 2);
    assert_int_equal(h[1].starts, 0);
    assert_int_equal(h[2].starts, 1);
    sgk_subscriber_complete(h[2].subscriber);
    assert_int_equal(r[2]->ends, 1);
    for (int i = 0; i < 3; i++) {
        hand_free(&h[i]);
        sgk_disposable_release(runs[i]);
        sgk_signal_release(queued[i]);
        sgk_signal_release(sources[i]);
        recorder_free(r[i]);
    }
}

static void when_a_sequencer_goes_its_runs_do(void **state) {
    (void)state;
    sgk_sequencer *queue = sgk_sequencer_create();
    hand h, g;
    SGK_AUTO(sgk_signal) running = hand_signal(&h);
    SGK_AUTO(sgk_signal) waiting = hand_signal(&g);
    SGK_AUTO(sgk_signal) first = sgk_sequencer_enqueue(queue, running);
    SGK_AUTO(sgk_signal) second = sgk_sequencer_enqueue(queue, waiting);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) a = record_run(first, r);
    SGK_AUTO(sgk_disposable) b = record_run(second, s);
    assert_ptr_equal(sgk_sequencer_retain(queue), queue);
    sgk_sequencer_release(queue);
    assert_int_equal(h.disposals, 0);
    sgk_sequencer_release(queue);
    assert_int_equal(h.disposals, 1);
    assert_int_equal(g.starts, 0);
    assert_int_equal(r->errors + r->ends + s->errors + s->ends, 0);
    hand_free(&h);
    hand_free(&g);
    recorder_free(r);
    recorder_free(s);
}

typedef struct maker {
    hand hand;
    sgk_signal *signal;
    int calls;
} maker;

static sgk_signal *make_signal(void *context) {
    maker *m = context;
    m->calls++;
    return sgk_signal_retain(m->signal);
}

static void a_manager_shares_what_a_producer_makes(void **state) {
    (void)state;
    maker m = {.calls = 0};
    m.signal = hand_signal(&m.hand);
    SGK_AUTO(sgk_multicast_signal_manager) manager = sgk_multicast_signal_manager_create();
    SGK_AUTO(sgk_signal) a = sgk_multicast_signal_manager_multicasted_signal(manager, "key", make_signal, &m);
    SGK_AUTO(sgk_signal) b = sgk_multicast_signal_manager_multicasted_signal(manager, "key", make_signal, &m);
    assert_int_equal(m.calls, 1);
    shared(a, b, &m.hand);
    SGK_AUTO(sgk_signal) alone = sgk_multicast_signal_manager_multicasted_signal(manager, NULL, make_signal, &m);
    assert_int_equal(m.calls, 2);
    int starts = m.hand.starts;
    SGK_AUTO(sgk_disposable) first = sgk_signal_start(alone, NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start(alone, NULL);
    assert_int_equal(m.hand.starts, starts + 2); /* unshared */
    hand_free(&m.hand);
    sgk_signal_release(m.signal);
}

static void a_manager_runs_without_listeners(void **state) {
    (void)state;
    maker m = {.calls = 0};
    m.signal = hand_signal(&m.hand);
    sgk_multicast_signal_manager *manager = sgk_multicast_signal_manager_create();
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(sgk_multicast_signal_manager_start_standalone_signal_if_not_running(manager, "key", make_signal, &m), SGK_OK);
    assert_int_equal(m.calls, 1);
    assert_int_equal(m.hand.starts, 1);
    sgk_subscriber_complete(m.hand.subscriber);
    sgk_multicast_signal_manager_start_standalone_signal_if_not_running(manager, "key", make_signal, &m);
    assert_int_equal(m.hand.starts, 2); /* the one before was over */
    assert_ptr_equal(sgk_multicast_signal_manager_retain(manager), manager);
    sgk_multicast_signal_manager_release(manager);
    assert_int_equal(m.hand.disposals, 1);
    sgk_multicast_signal_manager_release(manager);
    assert_int_equal(m.hand.disposals, 2);
    hand_free(&m.hand);
    sgk_signal_release(m.signal);
}

static void a_manager_has_pipes_by_name(void **state) {
    (void)state;
    SGK_AUTO(sgk_multicast_signal_manager) manager = sgk_multicast_signal_manager_create();
    SGK_AUTO(sgk_signal) pipe = sgk_multicast_signal_manager_multicasted_pipe(manager, "name");
    recorder *r = recorder_new();
    assert_int_equal(sgk_multicast_signal_manager_next(manager, "name", sgk_int(1)), SGK_OK); /* nobody listens */
    SGK_AUTO(sgk_disposable) run = record_run(pipe, r);
    sgk_multicast_signal_manager_next(manager, "name", sgk_int(2));
    sgk_multicast_signal_manager_next(manager, "another", sgk_int(3));
    sgk_disposable_dispose(run);
    sgk_multicast_signal_manager_next(manager, "name", sgk_int(4));
    ASSERT_VALUES(r, 2);
    recorder_free(r);
}

enum { ROUNDS = 300 };

typedef struct traffic {
    sgk_multicast_signal_manager *manager;
    atomic_int destroyed, received;
} traffic;

static sgk_signal *produce(void *context) {
    (void)context;
    return count_to(3);
}

static void hear(void *context, sgk_value value) {
    (void)value;
    ((traffic *)context)->received++;
}

static void hung_up(void *context) { ((traffic *)context)->destroyed++; }

static void use_manager(void *context, int index) {
    traffic *t = context;
    const char *key = index % 2 ? "a" : "b";
    for (int i = 0; i < ROUNDS; i++) {
        SGK_AUTO(sgk_signal) pipe = sgk_multicast_signal_manager_multicasted_pipe(t->manager, key);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(pipe, hear, t, hung_up);
        sgk_multicast_signal_manager_next(t->manager, key, sgk_int(i));
        SGK_AUTO(sgk_signal) made = sgk_multicast_signal_manager_multicasted_signal(t->manager, key, produce, NULL);
        SGK_AUTO(sgk_disposable) other = sgk_signal_start_next(made, hear, t, hung_up);
        sgk_multicast_signal_manager_start_standalone_signal_if_not_running(t->manager, key, produce, NULL);
        sgk_disposable_dispose(run);
        sgk_disposable_dispose(other);
    }
}

static void threads_use_a_manager_at_once(void **state) {
    (void)state;
    traffic t = {sgk_multicast_signal_manager_create(), 0, 0};
    in_parallel(4, use_manager, &t);
    sgk_multicast_signal_manager_release(t.manager);
    EVENTUALLY(t.destroyed == 4 * 2 * ROUNDS);
}

int run_sharing(void) {
    const struct CMUnitTest tests[] = {
        TEST(multicast_shares_a_run),
        TEST(a_multicast_shares_by_key),
        TEST(a_sequencer_runs_one_at_a_time),
        TEST(when_a_sequencer_goes_its_runs_do),
        TEST(a_manager_shares_what_a_producer_makes),
        TEST(a_manager_runs_without_listeners),
        TEST(a_manager_has_pipes_by_name),
        TEST(threads_use_a_manager_at_once),
    };
    return cmocka_run_group_tests_name("sharing", tests, NULL, NULL);
}
