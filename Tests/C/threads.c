/* Several threads at once: emitting, starting, disposing, releasing. Meant for ThreadSanitizer above all. */
#include "suite.h"

#include <sched.h>

enum { ROUNDS = 300 };

typedef struct shared {
    sgk_pipe *pipe;
    sgk_signal *signal;
    counted callbacks;
    atomic_bool stop;
} shared;

static void come_and_go(void *context, int index) {
    shared *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        if (index < 2) {
            sgk_value text = sgk_string("x");
            sgk_pipe_next(s->pipe, text);
            sgk_value_release(text);
        } else {
            sgk_disposable *run = sgk_signal_start_next(s->signal, counted_next, &s->callbacks, counted_destroy);
            if (i % 3) sgk_disposable_dispose(run);
            sgk_disposable_dispose(run);
            sgk_disposable_release(run);
        }
    }
}

static void listeners_come_and_go_while_values_are_put(void **state) {
    (void)state;
    shared s = {0};
    s.pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(s.pipe);
    SGK_AUTO(sgk_signal) distinct = sgk_signal_distinct_until_changed(source);
    s.signal = distinct;
    in_parallel(4, come_and_go, &s);
    sgk_pipe_release(s.pipe);
    EVENTUALLY(s.callbacks.destroyed == 2 * ROUNDS);
}

static void put_values(void *context, int index) {
    (void)index;
    for (int i = 0; i < ROUNDS; i++) sgk_pipe_next(((shared *)context)->pipe, sgk_int(i));
}

static void every_value_put_by_any_thread_arrives(void **state) {
    (void)state;
    shared s = {0};
    s.pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(s.pipe);
    sgk_disposable *runs[3];
    for (int i = 0; i < 3; i++) runs[i] = sgk_signal_start_next(source, counted_next, &s.callbacks, counted_destroy);
    in_parallel(4, put_values, &s);
    /* every waiting event was delivered before the last deliverer returned */
    assert_int_equal(s.callbacks.calls, 3 * 4 * ROUNDS);
    for (int i = 0; i < 3; i++) {
        sgk_disposable_dispose(runs[i]);
        sgk_disposable_release(runs[i]);
    }
    sgk_pipe_release(s.pipe);
}

typedef struct ends {
    sgk_subscriber *subscriber;
} ends;

static void end_it(void *context, int index) {
    sgk_subscriber *subscriber = ((ends *)context)->subscriber;
    if (index % 2) sgk_subscriber_complete(subscriber);
    else sgk_subscriber_error(subscriber, sgk_int(index));
}

static void one_end_wins(void **state) {
    (void)state;
    for (int i = 0; i < 50; i++) {
        hand h;
        SGK_AUTO(sgk_signal) signal = hand_signal(&h);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, r);
        in_parallel(4, end_it, &(ends){h.subscriber});
        assert_int_equal(r->errors + r->ends, 1);
        assert_int_equal(h.disposals, 1);
        hand_free(&h);
        recorder_free(r);
    }
}

static void take_from(void *context, int index) {
    (void)index;
    for (int i = 0; i < 100; i++) sgk_subscriber_next(((ends *)context)->subscriber, sgk_int(i));
}

static void take_passes_exactly_so_many_of_many_threads(void **state) {
    (void)state;
    for (int i = 0; i < 50; i++) {
        hand h;
        SGK_AUTO(sgk_signal) signal = hand_signal(&h);
        SGK_AUTO(sgk_signal) ten = sgk_signal_take(signal, 10);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(ten, r);
        in_parallel(4, take_from, &(ends){h.subscriber});
        assert_int_equal(r->nexts, 10);
        assert_int_equal(r->ends, 1);
        assert_int_equal(h.disposals, 1);
        hand_free(&h);
        recorder_free(r);
    }
}

typedef struct pair {
    hand a, b;
} pair;

static void put_both(void *context, int index) {
    pair *p = context;
    for (int i = 1; i <= 100; i++) sgk_subscriber_next(index ? p->a.subscriber : p->b.subscriber, sgk_int(i % 100));
    sgk_subscriber_next(index ? p->a.subscriber : p->b.subscriber, sgk_int(77));
}

static void keep_last(void *context, sgk_value value) {
    int64_t *last = context;
    last[0] = sgk_to_int(sgk_array_at(value, 0));
    last[1] = sgk_to_int(sgk_array_at(value, 1));
}

static void combine_latest_ends_on_the_latest(void **state) {
    (void)state;
    for (int i = 0; i < 30; i++) {
        pair p;
        sgk_signal *signals[] = {hand_signal(&p.a), hand_signal(&p.b)};
        SGK_AUTO(sgk_signal) combined = sgk_combine_latest(signals, 2, NULL);
        int64_t last[2] = {0, 0};
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(combined, keep_last, last, NULL);
        in_parallel(2, put_both, &p);
        assert_int_equal(last[0], 77);
        assert_int_equal(last[1], 77);
        sgk_disposable_dispose(run);
        hand_free(&p.a);
        hand_free(&p.b);
        sgk_signal_release(signals[0]);
        sgk_signal_release(signals[1]);
    }
}

static void share_handles(void *context, int index) {
    (void)index;
    sgk_signal *signal = context;
    for (int i = 0; i < ROUNDS; i++) {
        sgk_signal *mine = sgk_signal_retain(signal), *mapped = sgk_signal_map(mine, times_ten, NULL, NULL);
        sgk_disposable *run = sgk_signal_start(mapped, NULL);
        sgk_signal_release(mine);
        sgk_signal_release(mapped);
        sgk_disposable_release(run);
    }
}

static void a_signal_is_shared_by_threads(void **state) {
    (void)state;
    sgk_signal *signal = count_to(3);
    in_parallel(4, share_handles, signal);
    sgk_signal_release(signal);
}

static void hop(void *context, int index) {
    shared *s = context;
    (void)index;
    for (int i = 0; i < 30; i++) {
        sgk_disposable *run = sgk_signal_start_next(s->signal, counted_next, &s->callbacks, counted_destroy);
        if (i % 2) sgk_disposable_dispose(run);
        sgk_disposable_release(run);
    }
}

static void hops_and_disposals_race(void **state) {
    (void)state;
    shared s = {0};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("hops");
    SGK_AUTO(sgk_signal) source = count_to(20);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    s.signal = there;
    in_parallel(3, hop, &s);
    EVENTUALLY(s.callbacks.destroyed == 90);
}

static void log_message(void *context, const char *message) {
    (void)message;
    ((counted *)context)->calls++;
}

static void set_and_log(void *context, int index) {
    for (int i = 0; i < 50; i++) {
        if (index) sgk_set_log_handler(log_message, context, counted_destroy);
        else sgk_disposable_release(SGK_STRICT(sgk_disposable_slot_create()));
    }
}

static void the_log_handler_changes_under_way(void **state) {
    (void)state;
    counted c = {0};
    sgk_set_log_handler(log_message, &c, counted_destroy);
    in_parallel(2, set_and_log, &c);
    sgk_set_log_handler(NULL, NULL, NULL);
    assert_int_equal(c.destroyed, 51);
    assert_int_equal(c.calls, 50);
}

/* ---- Counting: each thread counts in its own slot, which the next thread takes over ---- */

static void release_late(void *pipe) { sgk_pipe_release(pipe); }

typedef struct late {
    pthread_key_t key;
    sgk_pipe *made[2];
    int64_t alive;
} late;

static void *make_and_leave(void *context) {
    late *l = context;
    pthread_setspecific(l->key, sgk_pipe_create());
    for (int i = 0; i < 2; i++) l->made[i] = sgk_pipe_create();
    l->alive = sgk_live_count(SGK_LIVE_PIPE);
    return NULL;
}

static void what_ending_threads_make_and_let_go_is_counted(void **state) {
    (void)state;
    late l = {0};
    int64_t before = sgk_live_count(SGK_LIVE_PIPE);
    assert_int_equal(pthread_key_create(&l.key, release_late), 0);
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, make_and_leave, &l), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(l.alive, before + 3);
        assert_int_equal(sgk_live_count(SGK_LIVE_PIPE), before + 2);
        for (int k = 0; k < 2; k++) sgk_pipe_release(l.made[k]); /* on another thread than the one that made it */
        assert_int_equal(sgk_live_count(SGK_LIVE_PIPE), before);
    }
    pthread_key_delete(l.key);
}

/* ---- A start amid a flood ---- */

typedef struct flood {
    sgk_pipe *pipe;
    pthread_t starter, other;
    atomic_int puts, delivered;
    atomic_bool has_started;
} flood;

enum { A_FLOOD = 1000000 };

static void *put_until_it_has_started(void *context) {
    flood *f = context;
    while (!f->has_started && f->puts < A_FLOOD) {
        while (f->puts > f->delivered + 2000 && !f->has_started) sched_yield(); /* however long the others rest */
        f->puts++;
        sgk_pipe_next(f->pipe, sgk_int(1));
    }
    f->has_started = true;
    return NULL;
}

/* The thread that starts always has another value to deliver. */
static void take_one_of_the_flood(void *context, sgk_value value) {
    (void)value;
    flood *f = context;
    f->delivered++;
    while (pthread_equal(pthread_self(), f->starter) && f->puts < f->delivered + 100 && !f->has_started) sched_yield();
}

/* It listens, and nothing has been delivered to it yet. */
static void wait_for_another_put(void *context, sgk_disposable *run) {
    (void)run;
    flood *f = context;
    int puts = f->puts;
    f->delivered = puts;
    while (f->puts < puts + 2) sched_yield();
}

static void who_starts_amid_a_flood_does_not_deliver_all_of_it(void **state) {
    (void)state;
    flood f = {.pipe = sgk_pipe_create(), .starter = pthread_self()};
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(f.pipe);
    pthread_t other;
    pthread_create(&other, NULL, put_until_it_has_started, &f);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &f;
    handlers.started = wait_for_another_put;
    handlers.next = take_one_of_the_flood;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, &handlers);
    assert_true(f.puts < A_FLOOD);
    f.has_started = true;
    pthread_join(other, NULL);
    sgk_disposable_dispose(run);
    sgk_pipe_release(f.pipe);
}

/* The first value, delivered by the thread that sent it. The flood arrives during its callback. */
static void begin_the_flood(void *context, sgk_value value) {
    flood *f = context;
    if (sgk_to_int(value) != 0) return take_one_of_the_flood(f, value);
    pthread_create(&f->other, NULL, put_until_it_has_started, f);
    EVENTUALLY(f->puts > 100);
}

static void who_puts_one_value_does_not_deliver_all_that_others_put(void **state) {
    (void)state;
    flood f = {.pipe = sgk_pipe_create(), .starter = pthread_self()};
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(f.pipe);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, begin_the_flood, &f, NULL);
    sgk_pipe_next(f.pipe, sgk_int(0));
    assert_true(f.puts < A_FLOOD);
    f.has_started = true;
    pthread_join(f.other, NULL);
    sgk_disposable_dispose(run);
    sgk_pipe_release(f.pipe);
}

/* ---- A thread that brings one event does not stay for those of others ---- */

enum { MOST = 1 << 20 };

typedef struct crowd {
    pthread_t first;
    sgk_subscriber *others; /* the other thread's */
    atomic_int handled, put, last;
    atomic_bool is_back, is_out_of_order;
} crowd;

/* On the first thread it waits until more events are pending, which would never end. */
static void handle_one(void *context, sgk_value value) {
    crowd *c = context;
    int number = (int)sgk_to_int(value);
    if (number != c->last++) c->is_out_of_order = true;
    c->handled++;
    if (pthread_equal(pthread_self(), c->first))
        while (c->put < c->handled && c->put < MOST) sched_yield();
}

static void *emit_until_it_is_back(void *context) {
    crowd *c = context;
    while (c->handled == 0) sched_yield();
    while (!c->is_back && c->put < MOST) {
        int number = c->put + 1;
        sgk_subscriber_next(c->others, sgk_int(number));
        c->put = number;
        while (!c->is_back && c->put > c->handled + 64) sched_yield();
    }
    return NULL;
}

static sgk_value one_key(void *context, sgk_value value) {
    (void)context, (void)value;
    return sgk_null();
}
static sgk_signal *whole_group(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    return sgk_signal_retain(values);
}

static void nobody_is_held_by_the_events_of_others(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        hand one, two = {0};
        SGK_AUTO(sgk_signal) first = hand_signal(&one);
        SGK_AUTO(sgk_signal) second = hand_signal(&two);
        sgk_signal *both[] = {first, second};
        SGK_AUTO(sgk_signal)
        signal = way == 0 ? sgk_merge(both, 2)
            : way == 1    ? sgk_signal_serialized(first)
                          : sgk_signal_group_by(first, SGK_BOUND(.limit = 1), one_key, whole_group, NULL, NULL);
        crowd c = {.first = pthread_self()};
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, handle_one, &c, NULL);
        c.others = way == 0 ? two.subscriber : one.subscriber;
        pthread_t other;
        assert_int_equal(pthread_create(&other, NULL, emit_until_it_is_back, &c), 0);
        sgk_subscriber_next(one.subscriber, sgk_int(0));
        c.is_back = true;
        pthread_join(other, NULL);
        assert_true(c.put < MOST);
        assert_int_equal(c.handled, c.put + 1); /* nothing is lost */
        assert_false(c.is_out_of_order);
        sgk_disposable_dispose(run);
        hand_free(&one);
        hand_free(&two);
    }
}

int run_threads(void) {
    const struct CMUnitTest tests[] = {
        TEST(listeners_come_and_go_while_values_are_put),
        TEST(every_value_put_by_any_thread_arrives),
        TEST(one_end_wins),
        TEST(take_passes_exactly_so_many_of_many_threads),
        TEST(combine_latest_ends_on_the_latest),
        TEST(a_signal_is_shared_by_threads),
        TEST(hops_and_disposals_race),
        TEST(the_log_handler_changes_under_way),
        TEST(what_ending_threads_make_and_let_go_is_counted),
        TEST(who_starts_amid_a_flood_does_not_deliver_all_of_it),
        TEST(who_puts_one_value_does_not_deliver_all_that_others_put),
        TEST(nobody_is_held_by_the_events_of_others),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
