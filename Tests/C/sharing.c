/* One run for many listeners; many runs one after another. */
#include "suite.h"
#include <math.h>

/* Two subscribers share the source of `a`. The third, after their disposal, has a separate source. */
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
    SGK_AUTO(sgk_signal) one = sgk_signal_share(source, 0, 0, NULL);
    shared(one, one, &h);
    hand_free(&h);
}

static void a_share_replays_and_is_kept(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    const double kept[] = {0, 10, HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        hand h;
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        sgk_signal *one = sgk_signal_share(source, 2, kept[i], i == 1 ? queue : NULL);
        recorder *r = recorder_new(), *s = recorder_new(), *t = recorder_new();
        SGK_AUTO(sgk_disposable) first = record_run(one, r);
        for (int n = 1; n <= 3; n++) sgk_subscriber_next(h.subscriber, sgk_int(n));
        SGK_AUTO(sgk_disposable) second = record_run(one, s);
        sgk_subscriber_next(h.subscriber, sgk_int(4));
        ASSERT_VALUES(r, 1, 2, 3, 4);
        ASSERT_VALUES(s, 2, 3, 4);
        sgk_disposable_dispose(first);
        sgk_disposable_dispose(second);
        sgk_queue_advance(queue, 9);
        assert_int_equal(h.disposals, i == 0);
        SGK_AUTO(sgk_disposable) third = record_run(one, t);
        assert_int_equal(h.starts, i == 0 ? 2 : 1);
        if (i == 0) assert_int_equal(t->count, 0);
        else ASSERT_VALUES(t, 3, 4);
        sgk_disposable_dispose(third);
        sgk_queue_advance(queue, 10);
        assert_int_equal(h.starts - h.disposals, i == 2);
        sgk_signal_release(one);
        assert_int_equal(h.starts, h.disposals);
        recorder_free(r);
        recorder_free(s);
        recorder_free(t);
        hand_free(&h);
    }
}

static void a_share_that_goes_needs_its_time_no_more(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    sgk_signal *one = sgk_signal_share(source, 0, 10, queue);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(one, NULL);
    sgk_disposable_dispose(run);
    assert_int_equal(h.disposals, 0);
    assert_int_equal(sgk_queue_pending(queue), 1);
    sgk_signal_release(one);
    assert_int_equal(h.disposals, 1);
    assert_int_equal(sgk_queue_pending(queue), 0);
    hand_free(&h);
}

/* The replay buffer is released with the shared signal, also if a disposable is retained. */
static void a_share_keeps_its_end_as_long_as_somebody_can_come(void **state) {
    (void)state;
    for (int replay = 0; replay < 3; replay++) {
        hand h;
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        sgk_signal *one = sgk_signal_share(source, replay, 0, NULL);
        int64_t boxed = sgk_live_count(SGK_LIVE_VALUE);
        SGK_AUTO(sgk_disposable) first = sgk_signal_start(one, NULL);
        for (int n = 1; n <= 3; n++) sgk_subscriber_next(h.subscriber, sgk_give(sgk_string("a value")));
        sgk_subscriber_error(h.subscriber, sgk_give(sgk_string("an error")));
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE) - boxed, replay + 1);
        recorder *late = recorder_new();
        SGK_AUTO(sgk_disposable) second = record_run(one, late);
        assert_int_equal(late->count, replay);
        assert_int_equal(late->errors, 1);
        assert_int_equal(h.starts, 1);
        sgk_signal_release(one);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), boxed);
        recorder_free(late);
        hand_free(&h);
    }
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
    sgk_subscriber_error(h[0].subscriber, sgk_int(2)); /* ends the subscription, not the queue */
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

static sgk_disposable *end_inside(void *context, sgk_subscriber *subscriber) {
    strcat(context, "(");
    sgk_subscriber_complete(subscriber);
    strcat(context, ")");
    return NULL;
}

/* Signals that complete inside their starts are started in sequence, not recursively. */
static void a_sequencer_waits_for_the_start_to_return(void **state) {
    (void)state;
    char text[8] = "";
    hand h;
    SGK_AUTO(sgk_sequencer) queue = sgk_sequencer_create();
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&h);
    SGK_AUTO(sgk_signal) ending = sgk_signal_create(end_inside, text, NULL);
    SGK_AUTO(sgk_signal) first = sgk_sequencer_enqueue(queue, by_hand);
    SGK_AUTO(sgk_signal) next = sgk_sequencer_enqueue(queue, ending);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(first, NULL);
    for (int i = 0; i < 3; i++) sgk_disposable_release(sgk_signal_start(next, NULL));
    assert_string_equal(text, "");
    sgk_subscriber_complete(h.subscriber);
    assert_string_equal(text, "()()()");
    hand_free(&h);
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
        assert_int_equal(
            sgk_multicast_signal_manager_start_standalone_signal_if_not_running(manager, "key", make_signal, &m),
            SGK_OK);
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

/* ---- Runs that join themselves ---- */

/* Disposes the last subscriber from outside, and releases everything: the source is disposed, and nothing leaks (the
 * tear-down counts). */
static void leaves_alone(sgk_signal *signal, hand *source, int starts) {
    for (int round = 1; round <= 2; round++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, r);
        SGK_AUTO(sgk_disposable) second = sgk_signal_start(signal, NULL);
        assert_int_equal(source->starts, round * starts);
        if (starts) sgk_subscriber_next(source->subscriber, sgk_int(round));
        sgk_disposable_dispose(run);
        assert_int_equal(source->disposals, (round - 1) * starts);
        sgk_disposable_dispose(second);
        assert_int_equal(source->disposals, round * starts);
        recorder_free(r);
    }
}

static void a_run_that_joins_itself_is_not_its_own_listener(void **state) {
    (void)state;
    SGK_AUTO(sgk_multicast) table = sgk_multicast_create();
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) once = sgk_multicast_get(table, "a", source);
    /* `source` is never started: there is a run already */
    SGK_AUTO(sgk_signal) twice = sgk_multicast_get(table, "a", once);
    leaves_alone(twice, &h, 0);
    SGK_AUTO(sgk_signal) tens = sgk_signal_map(once, times_ten, NULL, NULL);
    SGK_AUTO(sgk_signal) shown = sgk_signal_take(tens, 5);
    SGK_AUTO(sgk_signal) joined = sgk_merge((sgk_signal *[]){shown, source}, 2);
    SGK_AUTO(sgk_signal) stages = sgk_multicast_get(table, "a", joined);
    leaves_alone(stages, &h, 1);
    /* Through other keys, and both ways round. */
    SGK_AUTO(sgk_signal) b = sgk_multicast_get(table, "b", stages);
    SGK_AUTO(sgk_signal) c = sgk_multicast_get(table, "c", b);
    SGK_AUTO(sgk_signal) circle = sgk_merge((sgk_signal *[]){c, joined}, 2);
    SGK_AUTO(sgk_signal) a = sgk_multicast_get(table, "a", circle);
    sgk_disposable *run = sgk_signal_start(b, NULL), *other = sgk_signal_start(a, NULL),
                   *third = sgk_signal_start(c, NULL);
    int disposals = h.disposals;
    sgk_disposable_dispose(run);
    sgk_disposable_dispose(third);
    assert_int_equal(h.disposals, disposals);
    sgk_disposable_dispose(other);
    assert_int_equal(h.disposals, h.starts);
    sgk_disposable_release(run);
    sgk_disposable_release(other);
    sgk_disposable_release(third);
    hand_free(&h);
}

typedef struct loop {
    sgk_signal *shared;
} loop;

static sgk_signal *itself(void *context, sgk_value value) {
    (void)value;
    return sgk_signal_retain(((loop *)context)->shared);
}

static void a_run_whose_operators_come_back_to_it_is_not_its_own_listener(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("loops");
    for (int kind = 0; kind < 5; kind++) {
        hand h;
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        loop l;
        SGK_AUTO(sgk_signal)
        inner = kind < 3 ? sgk_signal_switch_map(source, itself, &l, NULL)
                         : sgk_signal_concat_map(source, itself, &l, NULL);
        SGK_AUTO(sgk_signal)
        whole = kind == 1 ? sgk_signal_deliver_on(inner, queue)
            : kind == 2   ? sgk_signal_after_disposed(inner, do_nothing, NULL, NULL)
            : kind == 3   ? first_within_or(inner, 1000, source, queue)
                          : sgk_signal_retain(inner);
        l.shared = sgk_signal_share(whole, 0, 0, NULL);
        leaves_alone(l.shared, &h, 1);
        sgk_signal_release(l.shared);
        hand_free(&h);
    }
}

/* Two shared runs of which each listens to the other are not wanted by each other; one that is wanted wants what feeds
 * it. */
static void runs_that_feed_each_other_end_together(void **state) {
    (void)state;
    SGK_AUTO(sgk_multicast) table = sgk_multicast_create();
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    SGK_AUTO(sgk_signal) b = sgk_multicast_get(table, "b", never); /* which is started with the signal below */
    SGK_AUTO(sgk_signal) back = sgk_signal_filter(b, is_even, NULL, NULL);
    SGK_AUTO(sgk_signal) a = sgk_merge((sgk_signal *[]){source, back}, 2);
    SGK_AUTO(sgk_signal) shared_a = sgk_multicast_get(table, "a", a);
    SGK_AUTO(sgk_signal) shared_b = sgk_multicast_get(table, "b", shared_a);
    for (int first = 0; first < 2; first++) {
        sgk_disposable *outer[2] = {sgk_signal_start(shared_b, NULL), sgk_signal_start(shared_a, NULL)};
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) late = record_run(b, r);
        assert_int_equal(h.starts, first + 1);
        sgk_disposable_dispose(outer[first]);
        sgk_disposable_dispose(outer[1 - first]);
        assert_int_equal(h.disposals, first);
        sgk_subscriber_next(h.subscriber, sgk_int(7));
        ASSERT_VALUES(r, 7); /* an even number would loop without end */
        sgk_disposable_dispose(late);
        assert_int_equal(h.disposals, first + 1);
        for (int i = 0; i < 2; i++) sgk_disposable_release(outer[i]);
        recorder_free(r);
    }
    hand_free(&h);
}

static void join_and_leave(void *context, int index) {
    sgk_signal **signals = context;
    for (int i = 0; i < 200; i++) {
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(signals[(i + index) % 2], NULL);
        SGK_AUTO(sgk_disposable) other = sgk_signal_start(signals[index % 2], NULL);
        sgk_disposable_dispose(run);
        sgk_disposable_dispose(other);
    }
}

static void threads_join_and_leave_runs_that_feed_each_other(void **state) {
    (void)state;
    SGK_AUTO(sgk_multicast) table = sgk_multicast_create();
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    SGK_AUTO(sgk_signal) b = sgk_multicast_get(table, "b", never);
    SGK_AUTO(sgk_signal) both = sgk_merge((sgk_signal *[]){never, b}, 2);
    SGK_AUTO(sgk_signal) shared_a = sgk_multicast_get(table, "a", both);
    SGK_AUTO(sgk_signal) shared_b = sgk_multicast_get(table, "b", shared_a);
    sgk_signal *signals[] = {shared_a, shared_b};
    in_parallel(4, join_and_leave, signals);
}

/* A manager's subscription to its own pipe does not retain the manager. */
static void a_manager_is_not_kept_by_its_own_run(void **state) {
    (void)state;
    sgk_multicast_signal_manager *manager = sgk_multicast_signal_manager_create();
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    sgk_signal *pipe = sgk_multicast_signal_manager_multicasted_pipe(manager, "name");
    maker m = {.signal = sgk_merge((sgk_signal *[]){pipe, source}, 2)};
    sgk_signal_release(pipe);
    sgk_multicast_signal_manager_start_standalone_signal_if_not_running(manager, "key", make_signal, &m);
    sgk_signal_release(m.signal);
    assert_int_equal(h.starts, 1);
    sgk_multicast_signal_manager_release(manager);
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
}

/* ---- A producer that asks for its own key, at once or through that of another ---- */

typedef struct self_producer {
    sgk_multicast_signal_manager *manager;
    sgk_signal *source, *kept;
    counted stages;
    int asks;
} self_producer;

static sgk_signal *its_own(void *context);

static sgk_signal *another_key(void *context) {
    self_producer *p = context;
    return sgk_multicast_signal_manager_multicasted_signal(p->manager, "own", its_own, p);
}

static sgk_signal *its_own(void *context) {
    self_producer *p = context;
    SGK_AUTO(sgk_signal)
    own = p->asks++ ? sgk_multicast_signal_manager_multicasted_signal(p->manager, "other", another_key, p)
                    : another_key(p);
    sgk_signal_replace(&p->kept, sgk_signal_retain(own));
    SGK_AUTO(sgk_signal) tens = sgk_signal_map(own, times_ten, &p->stages, counted_destroy);
    SGK_AUTO(sgk_signal) shown = sgk_signal_take(tens, 2);
    return sgk_merge((sgk_signal *[]){shown, p->source}, 2);
}

static void a_producer_that_asks_for_its_own_key_does_not_keep_itself(void **state) {
    (void)state;
    for (int asks = 0; asks < 2; asks++) {
        hand h;
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        self_producer p = {sgk_multicast_signal_manager_create(), source, NULL, {0}, asks};
        sgk_signal *whole = another_key(&p);
        for (int round = 1; round < 3; round++) {
            recorder *r = recorder_new(), *late = recorder_new();
            SGK_AUTO(sgk_disposable) run = record_run(whole, r);
            assert_int_equal(h.starts, round);
            sgk_subscriber_next(h.subscriber, sgk_int(1));
            ASSERT_VALUES(r, 1, 10, 100);
            SGK_AUTO(sgk_disposable) other = record_run(p.kept, late); /* one run more to listen to it */
            sgk_disposable_dispose(run);
            assert_int_equal(h.disposals, round - 1);
            sgk_subscriber_next(h.subscriber, sgk_int(2));
            ASSERT_VALUES(late, 2);
            sgk_disposable_dispose(other);
            assert_int_equal(h.disposals, round);
            recorder_free(r);
            recorder_free(late);
        }
        assert_int_equal(p.stages.destroyed, 0);
        sgk_signal_release(whole);
        sgk_multicast_signal_manager_release(p.manager);
        assert_int_equal(p.stages.destroyed, 1);
        recorder *silent = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(p.kept, silent);
        assert_int_equal(silent->ends + silent->nexts, 0);
        assert_int_equal(h.starts, 2);
        sgk_disposable_dispose(run);
        sgk_signal_release(p.kept);
        recorder_free(silent);
        hand_free(&h);
    }
}

static sgk_signal *its_own_twice(void *context);

static sgk_signal *asked_for(self_producer *p) {
    return sgk_multicast_signal_manager_multicasted_signal(p->manager, "own", its_own_twice, p);
}

static sgk_signal *its_own_twice(void *context) {
    self_producer *p = context;
    sgk_signal *parts[] = {asked_for(p), asked_for(p), sgk_signal_retain(p->source)};
    for (int i = 0; i < 2; i++) {
        sgk_signal_replace(&parts[i], sgk_signal_take(parts[i], 1));
        sgk_signal_replace(&parts[i], sgk_signal_map(parts[i], times_ten, NULL, NULL));
    }
    sgk_signal *merged = sgk_merge(parts, 3);
    for (int i = 0; i < 3; i++) sgk_signal_release(parts[i]);
    return merged;
}

static void a_producer_asks_for_its_own_key_twice(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    self_producer p = {sgk_multicast_signal_manager_create(), source, NULL, {0}, 0};
    sgk_signal *whole = asked_for(&p);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(whole, r);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    ASSERT_VALUES(r, 1, 10, 10);
    sgk_disposable_dispose(run);
    assert_int_equal(h.disposals, 1);
    sgk_signal_release(whole);
    sgk_multicast_signal_manager_release(p.manager);
    hand_free(&h);
    recorder_free(r);
}

/* A manager's subscription, a link, and a promise, each subscribed to itself through a shared signal. */
static void circles_of_the_programs_own_are_counted(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        hand h;
        SGK_AUTO(sgk_signal) stop = hand_signal(&h);
        sgk_signal *itself;
        if (kind == 0) {
            sgk_multicast_signal_manager *manager = sgk_multicast_signal_manager_create();
            itself = sgk_multicast_signal_manager_multicasted_pipe(manager, "name");
            sgk_signal_replace(&itself, sgk_merge((sgk_signal *[]){itself, stop}, 2));
            maker m = {.signal = sgk_signal_share(itself, 0, 0, NULL)};
            sgk_multicast_signal_manager_start_standalone_signal_if_not_running(manager, "key", make_signal, &m);
            sgk_signal_release(m.signal);
            sgk_multicast_signal_manager_release(manager);
        } else if (kind == 1) {
            sgk_pipe *pipe = sgk_pipe_create();
            SGK_AUTO(sgk_signal) signals = sgk_pipe_signal(pipe);
            SGK_AUTO(sgk_signal) latest = sgk_signal_switch_to_latest(signals);
            SGK_AUTO(sgk_signal) stoppable = sgk_merge((sgk_signal *[]){latest, stop}, 2);
            sgk_event_link *link = sgk_event_link_from_signal(stoppable);
            itself = sgk_event_link_signal(link);
            put_signal(pipe, itself);
            sgk_event_link_release(link);
            sgk_pipe_release(pipe);
        } else {
            sgk_promise *promise = sgk_promise_create();
            itself = sgk_promise_signal(promise);
            sgk_signal_replace(&itself, sgk_merge((sgk_signal *[]){itself, stop}, 2));
            SGK_AUTO(sgk_signal) shared = sgk_signal_share(itself, 0, 0, NULL);
            sgk_promise_set(promise, shared);
            sgk_promise_release(promise);
        }
        sgk_signal_release(itself);
        const sgk_live kinds[] = {SGK_LIVE_MULTICAST_SIGNAL_MANAGER, SGK_LIVE_EVENT_LINK, SGK_LIVE_PROMISE};
        assert_int_equal(sgk_live_count(kinds[kind]), 1);
        sgk_subscriber_error(h.subscriber, sgk_null()); /* its end cuts the circle */
        assert_int_equal(sgk_live_count(kinds[kind]), 0);
        hand_free(&h);
    }
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

/* Nothing can receive it: the last subscriber was disposed, or a retained subscription has lost its source. */
static void what_is_replayed_goes_with_the_run(void **state) {
    (void)state;
    for (int held = 0; held < 2; held++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal) shared = sgk_signal_share(source, 2, held ? HUGE_VAL : 0, NULL);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(shared, NULL);
        for (int i = 0; i < 3; i++) sgk_pipe_next(pipe, sgk_give(sgk_string("text")));
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 2);
        sgk_disposable_dispose(run);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), held ? 2 : 0);
        sgk_pipe_replace(&pipe, NULL);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    }
}

/* ---- Chains and diamonds of shared runs, at random, and a model of them ---- */

enum { NODES = 6, STEPS = 40, VISITORS = 4, LOGGED = 256 };

typedef struct shared_node {
    int sources[2]; /* of the nodes before; -1: none, -2: the source of all */
    double keep;    /* 0: multicast, or share without */
    bool replays;
    sgk_signal *signal;
    /* The model */
    int listeners;
    bool runs, has_latest;
    int64_t latest;
    double over; /* the time of its end without subscribers; INFINITY: not idle */
} shared_node;

/* An entry of the log: a start (1), a disposal (-1), or a value that a visitor received (10 + value). */
typedef struct entry {
    double time;
    int64_t what;
} entry;

typedef struct network {
    sgk_queue *queue;
    shared_node nodes[NODES];
    int64_t starts, model_starts;
    entry found[LOGGED], expected[LOGGED];
    int found_count, expected_count;
    double now; /* the model's */
} network;

static void network_found(network *n, int64_t what) {
    assert_true(n->found_count < LOGGED);
    n->found[n->found_count++] = (entry){sgk_queue_now(n->queue), what};
}
static void network_expects(network *n, int64_t what) {
    assert_true(n->expected_count < LOGGED);
    n->expected[n->expected_count++] = (entry){n->now, what};
}
static void network_source_stops(void *context) {
    network *n = ((void **)context)[0];
    network_found(n, -1);
    sgk_subscriber_release(((void **)context)[1]);
}
static sgk_disposable *network_source(void *context, sgk_subscriber *subscriber) {
    network *n = context;
    network_found(n, 1);
    void **run = malloc(2 * sizeof *run);
    run[0] = n;
    run[1] = sgk_subscriber_retain(subscriber);
    sgk_subscriber_next(subscriber, sgk_int(++n->starts));
    return sgk_action_disposable_create(network_source_stops, run, free);
}
static void network_visited(void *context, sgk_value value) { network_found(context, 10 + sgk_to_int(value)); }

static int model_join(network *n, int at, int64_t values[static 8]);

/* A new subscription receives the values that its sources emit in their start. A later one receives the latest, if it
 * is stored. */
static int model_start(network *n, int at, int64_t values[static 8]) {
    shared_node *node = &n->nodes[at];
    int count = 0;
    node->runs = true;
    node->has_latest = false;
    for (int i = 0; i < 2; i++) {
        int64_t got[8];
        int some = 0;
        if (node->sources[i] == -2) {
            network_expects(n, 1);
            got[some++] = ++n->model_starts;
        } else if (node->sources[i] >= 0) {
            some = model_join(n, node->sources[i], got);
        }
        for (int k = 0; k < some && count < 8; k++) values[count++] = got[k];
    }
    if (count > 0) node->has_latest = true, node->latest = values[count - 1];
    return count;
}
static int model_join(network *n, int at, int64_t values[static 8]) {
    shared_node *node = &n->nodes[at];
    node->listeners++;
    node->over = INFINITY;
    if (!node->runs) return model_start(n, at, values);
    if (!node->replays || !node->has_latest) return 0;
    values[0] = node->latest;
    return 1;
}
static void model_leave(network *n, int at);
static void model_stop(network *n, int at) {
    shared_node *node = &n->nodes[at];
    node->runs = false;
    node->over = INFINITY;
    for (int i = 0; i < 2; i++) {
        if (node->sources[i] == -2) network_expects(n, -1);
        if (node->sources[i] >= 0) model_leave(n, node->sources[i]);
    }
}
static void model_leave(network *n, int at) {
    shared_node *node = &n->nodes[at];
    if (--node->listeners > 0) return;
    if (node->keep > 0) node->over = n->now + node->keep;
    else model_stop(n, at);
}
static void model_advance(network *n, double to) {
    for (;;) {
        int first = 0;
        for (int i = 1; i < NODES; i++)
            if (n->nodes[i].over < n->nodes[first].over) first = i;
        if (n->nodes[first].over > to) break;
        n->now = n->nodes[first].over;
        model_stop(n, first);
    }
    n->now = to;
}

static void a_network_is_as_its_model(unsigned seed) {
    network *n = calloc(1, sizeof *n);
    n->queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_signal_create(network_source, n, NULL);
    for (int i = 0; i < NODES; i++) {
        shared_node *node = &n->nodes[i];
        node->over = INFINITY;
        node->sources[0] = i == 0 ? -2 : (int)(rand_r(&seed) % (unsigned)i);
        node->sources[1] = i < 2 || rand_r(&seed) % 2 ? -1 : (int)(rand_r(&seed) % (unsigned)i);
        if (node->sources[1] == node->sources[0]) node->sources[1] = -1;
        node->replays = rand_r(&seed) % 2;
        /* No two things happen at the same time. */
        if (rand_r(&seed) % 3) node->keep = 0.5 * (1 + rand_r(&seed) % 8) + (double)(1 << i) / 1024;
        sgk_signal *above[2] = {i == 0 ? source : n->nodes[node->sources[0]].signal, NULL};
        if (node->sources[1] >= 0) above[1] = n->nodes[node->sources[1]].signal;
        SGK_AUTO(sgk_signal) merged = above[1] ? sgk_merge(above, 2) : sgk_signal_retain(above[0]);
        node->signal = node->keep > 0 || node->replays
            ? sgk_signal_share(merged, node->replays ? 1 : 0, node->keep, n->queue)
            : sgk_signal_share(merged, 0, 0, NULL);
        assert_non_null(node->signal);
    }
    struct {
        sgk_disposable *run;
        int at;
    } visitors[VISITORS] = {{NULL, 0}};
    for (int step = 0; step < STEPS + VISITORS; step++) {
        int who = step < STEPS ? (int)(rand_r(&seed) % VISITORS) : step - STEPS;
        if (visitors[who].run) {
            sgk_disposable_dispose(visitors[who].run);
            sgk_disposable_release(visitors[who].run);
            visitors[who].run = NULL;
            model_leave(n, visitors[who].at);
        } else if (step < STEPS) {
            int at = visitors[who].at = (int)(rand_r(&seed) % NODES);
            visitors[who].run = sgk_signal_start_next(n->nodes[at].signal, network_visited, n, NULL);
            int64_t values[8];
            int count = model_join(n, at, values);
            for (int i = 0; i < count; i++) network_expects(n, 10 + values[i]);
        }
        double seconds = 0.25 * (1 + rand_r(&seed) % 8);
        sgk_queue_advance(n->queue, seconds);
        model_advance(n, n->now + seconds);
    }
    sgk_queue_advance(n->queue, 100);
    model_advance(n, n->now + 100);
    assert_int_equal(n->found_count, n->expected_count);
    for (int i = 0; i < n->found_count; i++) {
        assert_true(n->found[i].time == n->expected[i].time);
        assert_int_equal(n->found[i].what, n->expected[i].what);
    }
    for (int i = 0; i < NODES; i++) sgk_signal_release(n->nodes[i].signal);
    sgk_queue_release(n->queue);
    free(n);
}

static void networks_are_as_their_model(void **state) {
    (void)state;
    for (unsigned seed = 1, last = (unsigned)repeated(2000); seed <= last; seed++) a_network_is_as_its_model(seed);
}

/* A visit during another active subscription: the source stays active after the next visit. */
static void a_visit_does_not_end_what_holds_a_run(void **state) {
    (void)state;
    network *n = calloc(1, sizeof *n);
    n->queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_signal_create(network_source, n, NULL);
    SGK_AUTO(sgk_signal) once = sgk_signal_share(source, 0, 0, NULL);
    SGK_AUTO(sgk_signal) a = sgk_signal_share(once, 1, 1, n->queue);
    SGK_AUTO(sgk_signal) b = sgk_signal_share(a, 0, 3, n->queue);
    struct {
        sgk_signal *at;
        double from, to;
    } visits[] = {{b, 0, 0.5}, {a, 1, 1.25}, {a, 3.1, 4.1}, {a, 4.6, 5}};
    for (int i = 0; i < 4; i++) {
        sgk_queue_advance_to(n->queue, visits[i].from);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(visits[i].at, network_visited, n, NULL);
        sgk_queue_advance_to(n->queue, visits[i].to);
        sgk_disposable_dispose(run);
    }
    sgk_queue_advance_to(n->queue, 10);
    static const entry expected[] = {{0, 1}, {0, 11}, {1, 11}, {3.1, 11}, {4.6, 11}, {6, -1}};
    assert_int_equal(n->found_count, 6);
    for (int i = 0; i < 6; i++) {
        assert_true(n->found[i].time == expected[i].time);
        assert_int_equal(n->found[i].what, expected[i].what);
    }
    sgk_queue_release(n->queue);
    free(n);
}

int run_sharing(void) {
    const struct CMUnitTest tests[] = {
        TEST(multicast_shares_a_run),
        TEST(a_share_replays_and_is_kept),
        TEST(a_share_that_goes_needs_its_time_no_more),
        TEST(a_share_keeps_its_end_as_long_as_somebody_can_come),
        TEST(a_multicast_shares_by_key),
        TEST(a_sequencer_runs_one_at_a_time),
        TEST(a_sequencer_waits_for_the_start_to_return),
        TEST(when_a_sequencer_goes_its_runs_do),
        TEST(a_manager_shares_what_a_producer_makes),
        TEST(a_manager_runs_without_listeners),
        TEST(a_manager_has_pipes_by_name),
        TEST(a_run_that_joins_itself_is_not_its_own_listener),
        TEST(a_run_whose_operators_come_back_to_it_is_not_its_own_listener),
        TEST(runs_that_feed_each_other_end_together),
        TEST(threads_join_and_leave_runs_that_feed_each_other),
        TEST(a_manager_is_not_kept_by_its_own_run),
        TEST(a_producer_that_asks_for_its_own_key_does_not_keep_itself),
        TEST(a_producer_asks_for_its_own_key_twice),
        TEST(circles_of_the_programs_own_are_counted),
        TEST(threads_use_a_manager_at_once),
        TEST(what_is_replayed_goes_with_the_run),
        TEST(a_visit_does_not_end_what_holds_a_run),
        TEST(networks_are_as_their_model),
    };
    return cmocka_run_group_tests_name("sharing", tests, NULL, NULL);
}
