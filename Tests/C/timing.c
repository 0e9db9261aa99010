/* Operators that bring events to a queue, or go by time. */
#include "suite.h"

#include <time.h>

static void throttle_limits_the_rate(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) throttled = sgk_signal_throttle(source, 5, SGK_EDGES_BOTH, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(throttled, r);
    for (int i = 1; i <= 4; i++) {
        sgk_subscriber_next(h.subscriber, sgk_int(i));
        sgk_queue_advance(queue, 1);
    }
    ASSERT_VALUES(r, 1);
    sgk_queue_advance(queue, 1);
    ASSERT_VALUES(r, 1, 4);
    sgk_subscriber_next(h.subscriber, sgk_int(6));
    sgk_subscriber_complete(h.subscriber);
    sgk_queue_advance(queue, 0);
    assert_int_equal(r->ends, 1);
    ASSERT_VALUES(r, 1, 4, 6); /* the completion first emits the pending value */
    hand_free(&h);
    recorder_free(r);
}

static void debounce_waits_for_quiet(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    hand h, g;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) other = hand_signal(&g);
    SGK_AUTO(sgk_signal) quiet = sgk_signal_debounce(source, 3, queue);
    SGK_AUTO(sgk_signal) failing = sgk_signal_debounce(other, 1e6, queue);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(quiet, r);
    SGK_AUTO(sgk_disposable) run_too = record_run(failing, s);
    for (int i = 1; i <= 5; i++) {
        sgk_queue_advance(queue, 2);
        sgk_subscriber_next(h.subscriber, sgk_int(i));
    }
    sgk_queue_advance(queue, 2);
    assert_int_equal(r->count, 0);
    sgk_queue_advance(queue, 1);
    ASSERT_VALUES(r, 5);
    sgk_subscriber_next(h.subscriber, sgk_int(6));
    sgk_subscriber_complete(h.subscriber);
    sgk_queue_advance(queue, 0);
    assert_int_equal(r->ends, 1);
    ASSERT_VALUES(r, 5, 6);
    sgk_subscriber_next(g.subscriber, sgk_int(1));
    sgk_subscriber_error(g.subscriber, sgk_int(2));
    sgk_queue_advance(queue, 0);
    assert_int_equal(s->errors, 1); /* immediately: the error drops the pending value */
    assert_int_equal(s->count, 0);
    hand_free(&h);
    hand_free(&g);
    recorder_free(r);
    recorder_free(s);
}

static sgk_signal *debounced(sgk_signal *s, sgk_queue *queue) { return sgk_signal_debounce(s, 3, queue); }
static sgk_signal *throttled(sgk_signal *s, sgk_queue *queue) {
    return sgk_signal_throttle(s, 3, SGK_EDGES_BOTH, queue);
}
static sgk_signal *chunks(sgk_signal *s, sgk_queue *queue) { return sgk_signal_chunked_within(s, 9, 3, queue); }
static sgk_signal *limited(sgk_signal *s, sgk_queue *queue) { return sgk_signal_timeout(s, 3, queue); }
static sgk_signal *limited_at_first(sgk_signal *s, sgk_queue *queue) { return sgk_signal_timeout_first(s, 3, queue); }
static sgk_signal *for_a_while(sgk_signal *s, sgk_queue *queue) { return sgk_signal_take_for(s, 3, queue); }
static sgk_signal *sampled(sgk_signal *s, sgk_queue *queue) { return sgk_signal_sample(s, 3, queue); }
static sgk_signal *rated(sgk_signal *s, sgk_queue *queue) { return sgk_signal_rate_limit(s, 1, 3, NULL, queue); }
static sgk_signal *delayed(sgk_signal *s, sgk_queue *queue) { return sgk_signal_delay(s, 3, NULL, queue); }
static sgk_signal *started_later(sgk_signal *s, sgk_queue *queue) { return sgk_signal_delay_start(s, 3, queue); }

/* Although the subscription is retained, and its source. */
static void what_waits_for_its_time_goes_with_a_disposal(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    sgk_signal *(*const makes[])(sgk_signal *, sgk_queue *) = {
        debounced, throttled, chunks, limited, limited_at_first, for_a_while, sampled, rated, delayed, started_later};
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++) {
        hand h;
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        SGK_AUTO(sgk_signal) made = makes[i](source, queue);
        int64_t before = sgk_live_count(SGK_LIVE_VALUE); /* the error of a timeout */
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(made, r);
        if (h.starts)
            for (int n = 0; n < 2; n++)
                sgk_subscriber_next(h.subscriber, sgk_give(sgk_string("a long text that waits")));
        sgk_queue_advance(queue, 1);
        assert_int_equal(sgk_queue_pending(queue) > 0, makes[i] != limited_at_first);
        sgk_disposable_dispose(run);
        assert_int_equal(sgk_queue_pending(queue), 0);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), before);
        hand_free(&h);
        recorder_free(r);
    }
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

static void disposal_drops_what_is_on_its_way(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("delivery");
    door door = {0};
    sgk_queue_dispatch(queue, wait_at, &door, counted_destroy);
    SGK_AUTO(sgk_signal) source = count_to(10);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    sgk_disposable_dispose(run);
    assert_int_equal(r->destroyed, 1); /* at once, although the queue is busy and events are on their way */
    open_and_wait(&door);
    sgk_queue_sync(queue, do_nothing, NULL);
    assert_int_equal(r->nexts + r->ends, 0);
    recorder_free(r);
}

typedef struct leaving {
    sgk_disposable *run;
    int calls;
} leaving;
static void leave(void *context, sgk_value value) {
    (void)value;
    leaving *l = context;
    l->calls++;
    sgk_disposable_dispose(l->run);
}

/* During a batch, while the subscription is retained: no downstream stage receives a value, and none is stored. */
static void disposal_inside_drops_the_rest_of_the_batch(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("delivery");
    door door = {0};
    leaving l = {0};
    sgk_queue_dispatch(queue, wait_at, &door, counted_destroy);
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    SGK_AUTO(sgk_signal) seen = sgk_signal_before_next(there, leave, &l, NULL);
    SGK_AUTO(sgk_disposable) run = l.run = sgk_signal_start(seen, NULL);
    for (int i = 0; i < 10; i++) sgk_subscriber_next(h.subscriber, sgk_give(sgk_string("a long text that waits")));
    sgk_subscriber_error(h.subscriber, sgk_give(sgk_string("an error that is as long")));
    open_and_wait(&door);
    sgk_queue_sync(queue, do_nothing, NULL);
    assert_int_equal(l.calls, 1);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    hand_free(&h);
}

/* No thread can emit, but the emitted values are in flight. */
static void what_is_on_its_way_outlives_the_source(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    for (int i = 1; i <= 3; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    hand_free(&h);
    assert_int_equal(r->nexts + r->destroyed, 0);
    sgk_queue_advance(queue, 0);
    ASSERT_VALUES(r, 1, 2, 3);
    assert_true(r->ends == 0 && r->destroyed == 1);
    recorder_free(r);
}

typedef struct slow {
    sgk_pipe *pipe;
    int put, received, missing, in_vain; /* the number of values that arrived although other work was pending */
    bool feeds, stopped;
    atomic_bool waits;
} slow;

/* Takes a few microseconds, so that some bursts last longer than a turn of the queue. */
static void receive_slowly(void *context, sgk_value value) {
    slow *s = context;
    (void)value;
    for (volatile int i = 0; i < 1000; i++) {}
    s->received++;
    s->in_vain += s->waits;
    if (s->feeds && !s->stopped && s->in_vain < 1000000) sgk_pipe_next(s->pipe, sgk_int(0));
}

static void count_missing(void *context) {
    slow *s = context;
    s->missing += s->put - s->received;
    s->stopped = true;
}

/* Values that were sent before other work of the queue are delivered before it. The queue runs its other work,
 * independent of the number of events. */
static void delivers_before_and_beside_other_work_of(sgk_queue *queue) {
    slow s = {.pipe = sgk_pipe_create()};
    {
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(s.pipe);
        SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(there, receive_slowly, &s, NULL);
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i <= round; i++, s.put++) sgk_pipe_next(s.pipe, sgk_int(i));
            sgk_queue_sync(queue, count_missing, &s);
        }
        assert_int_equal(s.missing, 0);
        s.stopped = false;
        s.feeds = true;
        sgk_pipe_next(s.pipe, sgk_int(0));
        sgk_queue_dispatch(queue, count_missing, &s, NULL);
        s.waits = true;
        sgk_queue_sync(queue, do_nothing, NULL);
        /* A value that was put behind the other work may still be on its way. */
        sgk_disposable_dispose(run);
        sgk_queue_sync(queue, do_nothing, NULL);
        assert_true(s.stopped && s.in_vain < 1000000);
        assert_true(s.received > s.put);
    }
    sgk_pipe_release(s.pipe);
}

static void deliveries_and_other_work_of_a_queue(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("delivery");
    delivers_before_and_beside_other_work_of(queue);
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(2, 0.5);
    SGK_AUTO(sgk_queue) line = sgk_thread_pool_next_queue(pool);
    delivers_before_and_beside_other_work_of(line);
}

static sgk_disposable *look_around_and_end(void *context, sgk_subscriber *subscriber) {
    look_around(context, sgk_null());
    sgk_subscriber_next(subscriber, sgk_int(1));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

typedef struct started_there {
    sgk_signal *signal;
    recorder *recorder;
} started_there;

static void start_it(void *context) {
    started_there *s = context;
    sgk_disposable_release(record_run(s->signal, s->recorder));
}

static void run_on_starts_there(void **state) {
    (void)state;
    where w = {sgk_queue_create("run"), 0, 0};
    SGK_AUTO(sgk_signal) source = sgk_signal_create(look_around_and_end, &w, NULL);
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, w.queue);
    recorder *r = recorder_new(), *s = recorder_new(), *t = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    EVENTUALLY(r->ends == 1);
    ASSERT_VALUES(r, 1);
    started_there inside = {there, s};
    sgk_queue_sync(w.queue, start_it, &inside);
    assert_int_equal(s->ends, 1); /* it was current */
    assert_int_equal(w.there, 2);
    assert_int_equal(w.elsewhere, 0);
    door door = {0};
    sgk_queue_dispatch(w.queue, wait_at, &door, counted_destroy);
    SGK_AUTO(sgk_disposable) late = record_run(there, t);
    sgk_disposable_dispose(late);
    assert_int_equal(t->destroyed, 1);
    open_and_wait(&door);
    sgk_queue_sync(w.queue, do_nothing, NULL);
    assert_int_equal(w.there, 2); /* disposal before prevents it */
    sgk_queue_release(w.queue);
    recorder_free(r);
    recorder_free(s);
    recorder_free(t);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void delays_delay_the_start(void **state) {
    (void)state;
    where w = {sgk_queue_create("delay"), 0, 0};
    SGK_AUTO(sgk_signal) source = sgk_signal_create(look_around_and_end, &w, NULL);
    sgk_signal *delayed[] = {
        sgk_signal_delay_start(source, 0.02, w.queue),
        sgk_signal_suspend_aware_delay(source, 0.02, 0.005, w.queue),
        sgk_signal_suspend_aware_delay(source, 0.02, 0, w.queue),
    };
    for (int i = 0; i < 3; i++) {
        recorder *r = recorder_new();
        double start = now();
        SGK_AUTO(sgk_disposable) run = record_run(delayed[i], r);
        EVENTUALLY(r->ends == 1);
        assert_true(now() - start >= 0.019);
        assert_int_equal(w.there, i + 1);
        recorder_free(r);
        sgk_signal_release(delayed[i]);
    }
    sgk_signal *late[] = {
        sgk_signal_delay_start(source, 1e6, w.queue), sgk_signal_suspend_aware_delay(source, 1e6, 4, w.queue)};
    for (int i = 0; i < 2; i++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(late[i], r);
        sgk_disposable_dispose(run);
        assert_int_equal(r->destroyed, 1);
        recorder_free(r);
        sgk_signal_release(late[i]);
    }
    assert_int_equal(w.there, 3);
    assert_int_equal(w.elsewhere, 0);
    sgk_queue_release(w.queue);
}

static void timeout_goes_on_with_the_alternate(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("timeout");
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) two = count_to(2);
    SGK_AUTO(sgk_signal) impatient = first_within_or(source, 0.01, two, queue);
    SGK_AUTO(sgk_signal) patient = first_within_or(source, 1e6, two, queue);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(impatient, r);
    EVENTUALLY(r->ends == 1);
    ASSERT_VALUES(r, 1, 2);
    EVENTUALLY(h.disposals == h.starts); /* it is not started if the time is over before */
    SGK_AUTO(sgk_disposable) other = record_run(patient, s);
    sgk_subscriber_next(h.subscriber, sgk_int(5));
    sgk_subscriber_complete(h.subscriber);
    ASSERT_VALUES(s, 5);
    assert_int_equal(s->ends, 1);
    hand_free(&h);
    recorder_free(r);
    recorder_free(s);
}

static void the_first_event_calls_the_timeout_off(void **state) {
    (void)state;
    for (int what = 0; what < 4; what++) {
        hand h;
        SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        SGK_AUTO(sgk_signal) never = sgk_signal_never();
        SGK_AUTO(sgk_signal) limited = first_within_or(source, 1000, never, queue);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(limited, r);
        assert_int_equal(sgk_queue_pending(queue), 1);
        if (what == 0) sgk_subscriber_next(h.subscriber, sgk_int(1));
        if (what == 1) sgk_subscriber_complete(h.subscriber);
        if (what == 2) sgk_subscriber_error(h.subscriber, sgk_int(1));
        if (what == 3) sgk_disposable_dispose(run);
        assert_int_equal(sgk_queue_pending(queue), 0);
        sgk_disposable_dispose(run);
        hand_free(&h);
        recorder_free(r);
    }
}

/* The callbacks are released when no event can arrive, although the disposable is retained, and no timer is left. */
static void what_waits_outlives_its_source(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal)
        made = kind < 2
            ? sgk_signal_delay(source, 1, SGK_BOUND(.limit = 5, .overflow = SGK_OVERFLOW_DROP_OLDEST), queue)
            : sgk_signal_sample(source, 1, queue);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(made, r);
        if (kind > 0) sgk_pipe_next(pipe, sgk_int(1));
        sgk_pipe_replace(&pipe, NULL);
        assert_int_equal(r->destroyed, kind == 0);
        sgk_queue_advance(queue, 2);
        assert_int_equal(r->count, kind > 0);
        assert_int_equal(r->destroyed, 1);
        assert_int_equal(sgk_queue_pending(queue), 0);
        recorder_free(r);
    }
}

/* A subscription whose time never comes has no terminal event, and is released. */
static void what_waits_for_its_time_goes_with_the_clock(void **state) {
    (void)state;
    sgk_signal *(*const operators[])(sgk_signal *, sgk_queue *) = {throttled, debounced, for_a_while};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        counted c = {0};
        sgk_queue *queue = sgk_queue_create_virtual(NULL);
        sgk_pipe *pipe = sgk_pipe_create();
        sgk_signal *s = sgk_pipe_signal(pipe);
        sgk_signal_replace(&s, operators[i](s, queue));
        sgk_disposable_release(sgk_signal_start_next(s, counted_next, &c, counted_destroy));
        sgk_signal_release(s);
        sgk_pipe_next(pipe, sgk_int(1));
        sgk_pipe_release(pipe);
        assert_int_equal(c.destroyed, 0);
        sgk_queue_release(queue);
        assert_int_equal(c.destroyed, 1);
    }
}

static void dispose_it(void *context, sgk_disposable *run) {
    (void)context;
    sgk_disposable_dispose(run);
}

static sgk_signal *asked(void *context) {
    counted_work(context);
    return NULL;
}

static void what_is_disposed_before_its_source_is_started_leaves_that_alone(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_signal_deferred(asked, &c, NULL);
    sgk_signal *made[] = {
        sgk_signal_delay(source, 1, SGK_BOUND(.limit = 5, .overflow = SGK_OVERFLOW_DROP_OLDEST), queue),
        sgk_signal_deliver_on(source, queue),
        sgk_signal_debounce(source, 1, queue),
        each_within_or(source, 1, source, queue),
        sgk_signal_run_on(source, queue),
    };
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.started = dispose_it;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        sgk_disposable_release(sgk_signal_start(made[i], &handlers));
        sgk_queue_advance(queue, 2);
        assert_int_equal(c.calls, 0);
        sgk_signal_release(made[i]);
    }
}

typedef struct flood {
    sgk_pipe *pipe;
    sgk_queue *queue;
    recorder *recorder;
    int put;
} flood;

static void put_or_advance(void *context, int index) {
    flood *f = context;
    if (index == 1) {
        while (f->recorder->ends == 0) {
            int before = f->recorder->nexts;
            sgk_queue_advance(f->queue, 0);
            if (f->recorder->nexts == before) sched_yield();
        }
        return;
    }
    for (; f->recorder->nexts < 2000; f->put++) {
        sgk_pipe_next(f->pipe, sgk_give(sgk_string("a text that waits, or makes room")));
        if (f->put % 64 == 0) sched_yield();
    }
    sgk_pipe_complete(f->pipe);
}

/* A value that did not fit may fit later, when another must be dropped for it. */
static void a_delay_passes_on_each_value_or_counts_it(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal)
    delayed = sgk_signal_delay(
        source, 0, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_OLDEST, .counter = counter), queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(delayed, r);
    flood f = {pipe, queue, r, 0};
    in_parallel(2, put_or_advance, &f);
    assert_int_equal(r->nexts + sgk_overflow_counter_dropped(counter), f.put);
    recorder_free(r);
}

static void take_three_seconds(void *queue, sgk_value value) {
    (void)value;
    sgk_queue_advance(queue, 3);
}

/* The duration of a delivery is not a pause. */
static void timeout_waits_for_a_delivery(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) other = sgk_signal_just(sgk_int(9));
    SGK_AUTO(sgk_signal) s = each_within_or(source, 1, other, queue);
    sgk_signal_replace(&s, sgk_signal_after_next(s, take_three_seconds, queue, NULL));
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(s, r);
    sgk_pipe_next(pipe, sgk_int(1));
    ASSERT_VALUES(r, 1);
    sgk_queue_advance(queue, 0.9);
    ASSERT_VALUES(r, 1);
    sgk_queue_advance(queue, 0.2);
    ASSERT_VALUES(r, 1, 9);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

static void keep_text(void *context, sgk_value error) { *(sgk_value *)context = sgk_value_retain(error); }

/* Both fail on the queue at the time, dispose the source, and name themselves. */
static void a_timeout_fails(void **state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        hand h;
        sgk_value error = sgk_null();
        SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        SGK_AUTO(sgk_signal)
        limited = form ? sgk_signal_timeout(source, 2, queue) : sgk_signal_timeout_first(source, 2, queue);
        SGK_AUTO(sgk_disposable)
        run = sgk_signal_start(limited, SGK_HANDLERS(.error = keep_text, .context = &error));
        sgk_queue_advance(queue, 1.9);
        assert_true(error.kind == SGK_NULL && h.disposals == 0);
        if (form) sgk_subscriber_next(h.subscriber, sgk_int(1)); /* the next two seconds begin */
        sgk_queue_advance(queue, form ? 1.9 : 0.1);
        assert_true((error.kind == SGK_NULL) == (form == 1));
        sgk_queue_advance(queue, 0.1);
        assert_string_equal(
            sgk_to_text(error), form ? "sgk_signal_timeout: timed out" : "sgk_signal_timeout_first: timed out");
        assert_int_equal(h.disposals, 1);
        sgk_value_release(error);
        hand_free(&h);
    }
}

int run_timing(void) {
    const struct CMUnitTest tests[] = {
        TEST(throttle_limits_the_rate),
        TEST(debounce_waits_for_quiet),
        TEST(what_waits_for_its_time_goes_with_a_disposal),
        TEST(deliver_on_delivers_there_in_order),
        TEST(deliveries_and_other_work_of_a_queue),
        TEST(disposal_drops_what_is_on_its_way),
        TEST(disposal_inside_drops_the_rest_of_the_batch),
        TEST(what_is_on_its_way_outlives_the_source),
        TEST(run_on_starts_there),
        TEST(delays_delay_the_start),
        TEST(timeout_goes_on_with_the_alternate),
        TEST(the_first_event_calls_the_timeout_off),
        TEST(what_waits_outlives_its_source),
        TEST(what_waits_for_its_time_goes_with_the_clock),
        TEST(what_is_disposed_before_its_source_is_started_leaves_that_alone),
        TEST(a_delay_passes_on_each_value_or_counts_it),
        TEST(timeout_waits_for_a_delivery),
        TEST(a_timeout_fails),
    };
    return cmocka_run_group_tests_name("timing", tests, NULL, NULL);
}
