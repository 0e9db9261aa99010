/* Virtual time: every timed operator uses the clock of its queue, which only advances on request. */
#include "suite.h"

#include <math.h>

/* The events with their times, such as "7@0.5 C@1". */
typedef struct diary {
    sgk_queue *queue;
    char text[512];
} diary;

static void note(diary *d, const char *what) {
    size_t length = strlen(d->text);
    snprintf(d->text + length, sizeof d->text - length, "%s%s@%g", length ? " " : "", what, sgk_queue_now(d->queue));
}

static void note_next(void *context, sgk_value value) {
    char text[24];
    size_t count = 0;
    const sgk_value *pair = sgk_value_kind(value) == SGK_ARRAY ? sgk_array_items(value, &count) : NULL;
    int64_t number = pair ? sgk_to_int(pair[0]) * 100 + sgk_to_int(pair[1]) : sgk_to_int(value);
    snprintf(text, sizeof text, "%lld", (long long)number);
    note(context, text);
    assert_true(sgk_queue_pending(((diary *)context)->queue) >= 0);
}
/* (This used to loop without end.) */
static void the_shortest_interval(void **state) {
    (void)state;
    counted c = {0, 0};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_timer) timer = sgk_timer_create(5e-324, true, counted_work, &c, NULL, queue);
    sgk_timer_start(timer);
    assert_int_equal(sgk_queue_advance(queue, 0.001), SGK_OK);
    assert_in_range(c.calls, 990, 1002);
    sgk_timer_invalidate(timer);
    assert_int_equal(sgk_queue_advance_to(queue, 1e12), SGK_OK); /* from where a microsecond is too little to be seen */
    c.calls = 0;
    sgk_timer_start(timer);
    assert_int_equal(sgk_queue_advance(queue, 0.01), SGK_OK);
    assert_in_range(c.calls, 1, 1000);
}

static void note_error(void *context, sgk_value error) { (void)error, note(context, "E"); }
static void note_end(void *context) { note(context, "C"); }
static void note_work(void *context) { note(context, "W"); }

static sgk_disposable *start(sgk_signal *signal, diary *d) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = d;
    handlers.next = note_next;
    handlers.error = note_error;
    handlers.completed = note_end;
    return sgk_signal_start(signal, &handlers);
}

/* ---- Sources that go by the clock ---- */

typedef struct event {
    sgk_subscriber *subscriber;
    int64_t value; /* 0: completion, negative: an error */
} event;

static void event_free(void *context) {
    sgk_subscriber_release(((event *)context)->subscriber);
    free(context);
}

static void event_happens(void *context) {
    event *e = context;
    if (e->value > 0) sgk_subscriber_next(e->subscriber, sgk_int(e->value));
    else if (e->value == 0) sgk_subscriber_complete(e->subscriber);
    else sgk_subscriber_error(e->subscriber, sgk_int(e->value));
}

static void at(sgk_queue *queue, sgk_disposable *all, double time, sgk_subscriber *subscriber, int64_t value) {
    event *e = malloc(sizeof *e);
    *e = (event){sgk_subscriber_retain(subscriber), value};
    SGK_AUTO(sgk_disposable) one = sgk_queue_after(queue, time, event_happens, e, event_free);
    sgk_disposable_bag_add(all, one);
}

/* 1 after one second, 2 after two, 3 after five, completion after six. */
static sgk_disposable *usual(void *context, sgk_subscriber *subscriber) {
    sgk_disposable *all = sgk_disposable_bag_create();
    const double times[] = {1, 2, 5, 6};
    const int64_t values[] = {1, 2, 3, 0};
    for (int i = 0; i < 4; i++) at(context, all, times[i], subscriber, values[i]);
    return all;
}

/* 7 after half a second, an error after one. */
static sgk_disposable *failing(void *context, sgk_subscriber *subscriber) {
    sgk_disposable *all = sgk_disposable_bag_create();
    at(context, all, 0.5, subscriber, 7);
    at(context, all, 1, subscriber, -1);
    return all;
}

/* ---- The table of timed operators ---- */

static sgk_signal *plain(sgk_signal *s, sgk_queue *q) { return (void)q, sgk_signal_retain(s); }
static sgk_signal *delayed(sgk_signal *s, sgk_queue *q) { return sgk_signal_delay_start(s, 10, q); }
static sgk_signal *suspend_aware(sgk_signal *s, sgk_queue *q) { return sgk_signal_suspend_aware_delay(s, 10, 4, q); }
static sgk_signal *throttled(sgk_signal *s, sgk_queue *q) { return sgk_signal_throttle(s, 2, SGK_EDGES_BOTH, q); }
static sgk_signal *debounced(sgk_signal *s, sgk_queue *q) { return sgk_signal_debounce(s, 1.5, q); }
static sgk_signal *there(sgk_signal *s, sgk_queue *q) { return sgk_signal_deliver_on(s, q); }
static sgk_signal *run_there(sgk_signal *s, sgk_queue *q) { return sgk_signal_run_on(s, q); }
static sgk_signal *impatient(sgk_signal *s, sgk_queue *q) {
    SGK_AUTO(sgk_signal) nine = sgk_signal_just(sgk_int(9));
    return first_within_or(s, 0.5, nine, q);
}
static sgk_signal *patient(sgk_signal *s, sgk_queue *q) {
    SGK_AUTO(sgk_signal) nine = sgk_signal_just(sgk_int(9));
    return first_within_or(s, 1.5, nine, q);
}
static sgk_signal *retried(sgk_signal *s, sgk_queue *q) {
    (void)s;
    SGK_AUTO(sgk_signal) bad = sgk_signal_create(failing, q, NULL);
    return sgk_signal_retry(bad, SGK_RETRY(.factor = 1, .increment = 1, .max_delay = 3), q);
}
static sgk_signal *retried_twice(sgk_signal *s, sgk_queue *q) {
    (void)s;
    SGK_AUTO(sgk_signal) bad = sgk_signal_create(failing, q, NULL);
    return sgk_signal_retry(bad, SGK_RETRY(.attempts = 2), q);
}
static sgk_signal *all_at_once(sgk_signal *s, sgk_queue *q) {
    SGK_AUTO(sgk_signal) late = sgk_signal_delay_start(s, 0.5, q);
    sgk_signal *both[] = {s, late};
    return sgk_combine_latest(both, 2, q);
}

static const struct row {
    const char *name, *expected;
    sgk_signal *(*make)(sgk_signal *, sgk_queue *);
    double begin; /* the time right after the start */
} rows[] = {
    {"source", "1@1 2@2 3@5 C@6", plain, 0},
    {"delay_start", "1@11 2@12 3@15 C@16", delayed, 0},
    {"suspend_aware_delay", "1@11 2@12 3@15 C@16", suspend_aware, 0},
    {"throttle", "1@1 2@3 3@5 C@6", throttled, 0},
    {"debounce", "2@3.5 3@6 C@6", debounced, 0},
    {"deliver_on", "1@1 2@2 3@5 C@6", there, 0},
    {"run_on", "1@1 2@2 3@5 C@6", run_there, 0},
    {"timeout, late", "9@0.5 C@0.5", impatient, 0},
    {"timeout, in time", "1@1 2@2 3@5 C@6", patient, 0},
    {"retry", "7@0.5 7@2.5 7@5.5 7@9.5 7@13.5 7@17.5", retried, 0},
    {"retry, two attempts", "7@0.5 7@2.5 E@3", retried_twice, 0},
    {"combine_latest", "101@1.5 201@2 202@2.5 302@5 303@5.5 C@6.5", all_at_once, 0},
};

static void every_timed_operator_goes_by_it(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        diary d = {sgk_queue_create_virtual(NULL), ""};
        SGK_AUTO(sgk_signal) source = sgk_signal_create(usual, d.queue, NULL);
        SGK_AUTO(sgk_signal) signal = rows[i].make(source, d.queue);
        SGK_AUTO(sgk_disposable) run = start(signal, &d);
        if (sgk_queue_now(d.queue) != rows[i].begin)
            fail_msg("%s: started at %g", rows[i].name, sgk_queue_now(d.queue));
        /* … in small steps: nothing is late or early */
        for (int step = 0; step < 200; step++) assert_int_equal(sgk_queue_advance(d.queue, 0.1), SGK_OK);
        if (strcmp(d.text, rows[i].expected)) fail_msg("%s: %s, not %s", rows[i].name, d.text, rows[i].expected);
        sgk_disposable_dispose(run);
        assert_int_equal(sgk_queue_pending(d.queue), 0);
        sgk_queue_release(d.queue);
    }
}

static void timers_go_by_it(void **state) {
    (void)state;
    diary d = {sgk_queue_create_virtual(NULL), ""};
    SGK_AUTO(sgk_timer) timer = sgk_timer_create(2, true, note_work, &d, NULL, d.queue);
    assert_int_equal(sgk_timer_start(timer), SGK_OK);
    assert_true(sgk_timer_remaining_time(timer) == 2 && sgk_timer_timeout_date(timer) == 2);
    assert_int_equal(sgk_queue_advance(d.queue, 5), SGK_OK);
    assert_string_equal(d.text, "W@2 W@4");
    assert_true(sgk_timer_remaining_time(timer) == 1);
    assert_int_equal(sgk_queue_suspend(d.queue, 100), SGK_OK);
    assert_true(sgk_timer_remaining_time(timer) == 1 && sgk_timer_timeout_date(timer) == 106);
    sgk_timer_invalidate(timer);
    assert_int_equal(sgk_queue_run(d.queue, 10), 0);
    sgk_queue_release(d.queue);
}

static void suspension_counts_for_those_who_ask(void **state) {
    (void)state;
    diary d = {sgk_queue_create_virtual(NULL), ""};
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) aware = sgk_signal_suspend_aware_delay(one, 100, 4, d.queue);
    SGK_AUTO(sgk_disposable) run = start(aware, &d);
    sgk_queue_advance(d.queue, 10);
    sgk_queue_suspend(d.queue, 3600);
    sgk_queue_advance(d.queue, 10);
    assert_string_equal(d.text, "1@12 C@12");
    sgk_queue_release(d.queue);
}

typedef struct order {
    sgk_queue *a, *b;
    char text[64];
} order;

static void say(order *o, const char *what) { strcat(o->text, what); }
static void on_b(void *context) {
    order *o = context;
    assert_true(sgk_queue_is_current(o->b) && !sgk_queue_is_current(o->a));
    say(o, "b");
}
static void inline_on_a(void *context) { say(context, "i"); }
static void on_a(void *context) {
    order *o = context;
    assert_true(sgk_queue_is_current(o->a) && !sgk_queue_is_current(o->b));
    say(o, "a");
    sgk_queue_async(o->a, inline_on_a, o, NULL);    /* it is current */
    sgk_queue_dispatch(o->a, inline_on_a, o, NULL); /* later */
    sgk_queue_sync(o->b, on_b, o);
    say(o, ".");
}

/* Two queues of one clock: each is current in its own work alone, and sync runs no other work in the midst of what
 * runs. */
static void queues_beside_each_other(void **state) {
    (void)state;
    order o = {sgk_queue_create_virtual(NULL), NULL, ""};
    o.b = sgk_queue_create_virtual(o.a);
    SGK_AUTO(sgk_disposable) later = sgk_queue_after(o.b, 1, on_b, &o, NULL);
    sgk_queue_async(o.a, on_a, &o, NULL);
    assert_string_equal(o.text, ""); /* not current: later */
    assert_false(sgk_queue_is_current(o.a));
    sgk_queue_advance_to(o.b, 1);
    assert_string_equal(o.text, "aib.ib");
    assert_true(sgk_queue_now(o.a) == 1);
    assert_int_equal(sgk_queue_advance_to(o.a, -5), SGK_OK);
    assert_true(sgk_queue_now(o.a) == 1); /* never goes back */
    sgk_queue_dispatch(o.a, inline_on_a, &o, NULL);
    sgk_queue_sync(o.b, on_b, &o); /* expired work is first */
    assert_string_equal(o.text, "aib.ibib");
    sgk_queue_release(o.a);
    sgk_queue_release(o.b);
}

static void a_day_at_once(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    counted c = {0, 0};
    SGK_AUTO(sgk_timer) second = sgk_timer_create(1, true, counted_work, &c, counted_destroy, queue);
    sgk_timer_start(second);
    assert_int_equal(sgk_queue_advance(queue, 86400), SGK_OK);
    assert_int_equal(c.calls, 86400);
    sgk_timer_invalidate(second);
}

/* Pending work is destroyed once, with the queue or at its disposal. */
static void nothing_is_kept(void **state) {
    (void)state;
    counted c = {0, 0};
    sgk_queue *queue = sgk_queue_create_virtual(NULL);
    for (int i = 0; i < 100; i++) {
        sgk_disposable *one = sgk_queue_after(queue, i % 7, counted_work, &c, counted_destroy);
        if (i % 3 == 0) sgk_disposable_dispose(one);
        sgk_disposable_release(one);
    }
    assert_int_equal(c.destroyed, 34);
    assert_int_equal(sgk_queue_pending(queue), 66);
    assert_int_equal(sgk_queue_run(queue, 30), 30);
    assert_true(c.calls == 30 && c.destroyed == 64);
    sgk_queue_release(queue);
    assert_true(c.calls == 30 && c.destroyed == 100);
}

/* Pending work of a queue may retain the subscription that retains the queue. */
static void what_waits_goes_with_the_last_handle(void **state) {
    (void)state;
    for (int disposes = 0; disposes < 2; disposes++) {
        counted job = {0}, run = {0};
        sgk_queue *queue = sgk_queue_create_virtual(NULL), *beside = sgk_queue_create_virtual(queue);
        SGK_AUTO(sgk_signal) s = sgk_signal_just(sgk_give(sgk_string("x")));
        sgk_signal_replace(&s, sgk_signal_deliver_on(s, queue));
        sgk_disposable *handle = sgk_signal_start_next(s, counted_next, &run, counted_destroy);
        assert_int_equal(sgk_queue_dispatch(queue, counted_work, &job, counted_destroy), SGK_OK);
        if (disposes) sgk_disposable_dispose(handle);
        sgk_disposable_release(handle);
        sgk_queue_release(queue);
        assert_true(job.destroyed == 0 && run.destroyed == disposes);
        sgk_queue_release(beside);
        assert_true(job.calls == 0 && job.destroyed == 1 && run.calls == 0 && run.destroyed == 1);
        sgk_signal_replace(&s, NULL);
        assert_int_equal(sgk_live_total(), 0);
    }
}

static void run_stops_at_its_limit(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    counted c = {0, 0};
    SGK_AUTO(sgk_timer) endless = sgk_timer_create(10, true, counted_work, &c, counted_destroy, queue);
    SGK_AUTO(sgk_disposable) never = sgk_queue_after(queue, INFINITY, counted_work, &c, NULL);
    sgk_timer_start(endless);
    assert_int_equal(sgk_queue_run(queue, 6), 6);
    assert_true(c.calls == 6 && sgk_queue_now(queue) == 60);
    sgk_timer_invalidate(endless);
    assert_int_equal(sgk_queue_run(queue, 6), 0);
    sgk_queue_advance(queue, 1e300);
    assert_int_equal(c.calls, 6);
    sgk_disposable_dispose(never);
}

static void advance_inside(void *context) {
    diary *d = context;
    note(d, "in");
    assert_int_equal(sgk_queue_advance(d->queue, 2), SGK_OK);
    note(d, "out");
}

static void work_may_move_the_time(void **state) {
    (void)state;
    diary d = {sgk_queue_create_virtual(NULL), ""};
    SGK_AUTO(sgk_disposable) first = sgk_queue_after(d.queue, 1, advance_inside, &d, NULL);
    SGK_AUTO(sgk_disposable) second = sgk_queue_after(d.queue, 2, note_work, &d, NULL);
    sgk_queue_advance(d.queue, 2);
    assert_string_equal(d.text, "in@1 W@2 out@3");
    sgk_queue_release(d.queue);
}

static void move_it(void *context) { sgk_queue_advance(context, 0); }

static void two_threads_cannot_move_it(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
    counted c = {0, 0};
    door door = {0};
    sgk_queue_dispatch(queue, wait_at, &door, counted_destroy);
    sgk_queue_dispatch(other, move_it, queue, NULL);
    EVENTUALLY(sgk_queue_pending(queue) == 0);
    assert_int_equal(sgk_queue_advance(queue, 1), SGK_ERROR_THREAD);
    assert_failed(SGK_ERROR_THREAD, "sgk_queue_advance: queue: ");
    assert_int_equal(sgk_queue_run(queue, 1), SGK_ERROR_THREAD);
    sgk_queue_dispatch(queue, counted_work, &c, counted_destroy); /* left to the other thread */
    door.is_open = true;
    sgk_queue_sync(queue, counted_work, &c); /* this one waits until it can */
    assert_int_equal(c.calls, 2);
    sgk_queue_sync(other, do_nothing, NULL);
}

typedef struct inner_loop {
    sgk_queue *queue;
    sgk_pipe *pipe;
    int received, last, depth;
    bool nested, disordered;
} inner_loop;

static void run_inside(void *context, sgk_value value) {
    inner_loop *l = context;
    l->nested |= l->depth++ > 0;
    l->disordered |= sgk_to_int(value) != ++l->received;
    if (l->last < 500) sgk_pipe_next(l->pipe, sgk_int(++l->last));
    sgk_queue_advance(l->queue, 0);
    l->depth--;
}

static void a_loop_inside_a_callback_delivers_nothing(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    inner_loop l = {.queue = queue, .pipe = pipe, .last = 3};
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(there, run_inside, &l, NULL);
    for (int i = 1; i <= 3; i++) sgk_pipe_next(pipe, sgk_int(i));
    sgk_queue_advance(queue, 0);
    assert_int_equal(l.received, 500);
    assert_false(l.nested || l.disordered);
}

static sgk_value whole_seconds(void *context, sgk_value pair) {
    (void)context;
    return sgk_int((int64_t)sgk_to_double(sgk_array_at(pair, 0)));
}

static void the_time_of_a_value_and_since_the_one_before(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) between = sgk_signal_time_interval(source, queue);
    SGK_AUTO(sgk_signal) at = sgk_signal_timestamped(source, queue);
    sgk_signal_replace(&between, sgk_signal_map(between, whole_seconds, NULL, NULL));
    sgk_signal_replace(&at, sgk_signal_map(at, whole_seconds, NULL, NULL));
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(between, r), *other = record_run(at, s);
    for (int i = 1; i < 4; i++) {
        sgk_queue_advance(queue, i);
        sgk_pipe_next(pipe, sgk_int(i));
    }
    ASSERT_VALUES(r, 1, 2, 3);
    ASSERT_VALUES(s, 1, 3, 6);
    sgk_disposable_dispose(run);
    sgk_disposable_dispose(other);
    recorder_free(r);
    recorder_free(s);
}

int run_virtual_time(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_shortest_interval),
        TEST(every_timed_operator_goes_by_it),
        TEST(timers_go_by_it),
        TEST(the_time_of_a_value_and_since_the_one_before),
        TEST(suspension_counts_for_those_who_ask),
        TEST(queues_beside_each_other),
        TEST(a_day_at_once),
        TEST(nothing_is_kept),
        TEST(what_waits_goes_with_the_last_handle),
        TEST(run_stops_at_its_limit),
        TEST(work_may_move_the_time),
        TEST(two_threads_cannot_move_it),
        TEST(a_loop_inside_a_callback_delivers_nothing),
    };
    return cmocka_run_group_tests_name("virtual time", tests, NULL, NULL);
}
