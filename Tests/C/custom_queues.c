/* Queues on a custom loop. This loop is minimal: work stays in a list until the test runs it. */
#include "suite.h"

#include <unistd.h>

typedef struct item {
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy;
    double due;
} item;

typedef struct loop {
    pthread_mutex_t lock;
    pthread_t thread;
    item items[4096];
    atomic_int count;
    int alarms; /* how often `after` was called */
    double now;
    bool has_ended;
    atomic_int retained, released;
} loop;

static loop *loop_new(void) {
    loop *l = calloc(1, sizeof *l);
    pthread_mutex_init(&l->lock, NULL);
    l->thread = pthread_self();
    return l;
}

static sgk_status put(loop *l, double due, sgk_work_fn work, void *context, sgk_destroy_fn destroy) {
    pthread_mutex_lock(&l->lock);
    bool accepts = !l->has_ended && l->count < 4096;
    if (accepts) l->items[l->count++] = (item){work, context, destroy, due};
    pthread_mutex_unlock(&l->lock);
    if (accepts) return SGK_OK;
    destroy(context);
    return SGK_ERROR_ENDED;
}

static sgk_status loop_async(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    return put(context, 0, work, work_context, destroy);
}
static sgk_status loop_after(
    void *context, double seconds, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    loop *l = context;
    assert_true(seconds >= 0);
    l->alarms++;
    return put(l, l->now + seconds, work, work_context, destroy);
}
static bool loop_is_current(void *context) { return pthread_equal(((loop *)context)->thread, pthread_self()); }
static double loop_now(void *context) { return ((loop *)context)->now; }
static void loop_retain(void *context) { ((loop *)context)->retained++; }
static void loop_release(void *context) { ((loop *)context)->released++; }

static const sgk_queue_table whole = {
    sizeof(sgk_queue_table), loop_async, loop_is_current, loop_after, loop_now, loop_retain, loop_release, NULL, NULL};
static const sgk_queue_table least = {sizeof(sgk_queue_table), loop_async, NULL, NULL, NULL, NULL, NULL, NULL, NULL};

/* Removes the first item whose time has come. */
static bool take(loop *l, item *taken) {
    pthread_mutex_lock(&l->lock);
    int first = 0;
    while (first < l->count && l->items[first].due > l->now) first++;
    bool found = first < l->count;
    if (found) {
        *taken = l->items[first];
        memmove(l->items + first, l->items + first + 1, (size_t)(--l->count - first) * sizeof *taken);
    }
    pthread_mutex_unlock(&l->lock);
    return found;
}

static void loop_run(loop *l) {
    item one;
    while (take(l, &one)) {
        one.work(one.context);
        one.destroy(one.context);
    }
}

/* Ends the loop: pending work is destroyed, later work is rejected. */
static void loop_end(loop *l) {
    pthread_mutex_lock(&l->lock);
    l->has_ended = true;
    int count = l->count;
    item *items = malloc(sizeof l->items);
    memcpy(items, l->items, sizeof l->items);
    l->count = 0;
    pthread_mutex_unlock(&l->lock);
    for (int i = 0; i < count; i++) items[i].destroy(items[i].context);
    free(items);
}

static void loop_free(loop *l) {
    assert_int_equal(l->count, 0);
    assert_int_equal(l->retained, l->released);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

typedef struct scene {
    sgk_queue *queue;
    counted work;
    bool was_current;
} scene;

static void look(void *context) {
    scene *s = context;
    s->work.calls++;
    s->was_current = sgk_queue_is_current(s->queue);
    int before = s->work.calls;
    sgk_queue_async(s->queue, counted_work, &s->work, counted_destroy);
    assert_int_equal(s->work.calls, before + 1); /* inline when current */
    sgk_queue_dispatch(s->queue, counted_work, &s->work, counted_destroy);
    assert_int_equal(s->work.calls, before + 1); /* never inline */
}

static void work_runs_on_the_loop(void **state) {
    (void)state;
    for (int knows = 0; knows < 2; knows++) { /* a loop that knows its thread, and one that does not */
        loop *l = loop_new();
        scene s = {sgk_queue_create_custom(knows ? &whole : &least, l), {0, 0}, false};
        assert_int_equal(l->retained, knows);
        assert_int_equal(sgk_queue_is_current(s.queue), knows);
        sgk_queue_dispatch(s.queue, look, &s, NULL);
        assert_int_equal(s.work.calls, 0);
        loop_run(l);
        assert_int_equal(s.work.calls, 3);
        assert_true(s.was_current);
        sgk_queue_async(s.queue, counted_work, &s.work, counted_destroy);
        assert_int_equal(s.work.calls, knows ? 4 : 3); /* on the loop's thread, outside of work */
        loop_run(l);
        assert_int_equal(s.work.calls, 4);
        sgk_queue_release(s.queue);
        assert_int_equal(l->released, knows);
        loop_free(l);
    }
}

static void emit_many(void *context, int index) {
    for (int i = 0; i < 500; i++) sgk_pipe_next(context, sgk_int(index * 1000 + i));
}

typedef struct seen {
    loop *loop;
    int last[4], count;
} seen;

static void in_order(void *context, sgk_value value) {
    seen *s = context;
    int number = (int)sgk_to_int(value), thread = number / 1000;
    assert_true(loop_is_current(s->loop));
    assert_int_equal(s->last[thread], number % 1000);
    s->last[thread]++;
    s->count++;
}

static void events_of_other_threads_arrive_in_order(void **state) {
    (void)state;
    loop *l = loop_new();
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_custom(&whole, l);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    seen s = {l, {0}, 0};
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(there, in_order, &s, NULL);
    in_parallel(4, emit_many, pipe);
    assert_int_equal(s.count, 0);
    loop_run(l);
    assert_int_equal(s.count, 2000);
    sgk_disposable_dispose(run);
    sgk_queue_release(queue);
    queue = NULL;
    sgk_signal_release(there);
    there = NULL;
    sgk_disposable_release(run);
    run = NULL;
    loop_free(l);
}

/* Many timers, few questions to the loop; by its clock. */
static void timers_go_by_the_loops_clock(void **state) {
    (void)state;
    loop *l = loop_new();
    sgk_queue *queue = sgk_queue_create_custom(&whole, l);
    counted c = {0, 0};
    l->now = 5;
    assert_true(sgk_queue_now(queue) == 5);
    for (int i = 0; i < 1000; i++)
        sgk_disposable_release(sgk_queue_after(queue, 1 + i, counted_work, &c, counted_destroy));
    sgk_disposable *called_off = sgk_queue_after(queue, 500.5, counted_work, &c, counted_destroy);
    sgk_disposable_dispose(called_off);
    sgk_disposable_release(called_off);
    assert_int_equal(c.destroyed, 1);
    assert_int_equal(l->alarms, 1);
    loop_run(l);
    assert_int_equal(c.calls, 0);
    l->now = 6;
    loop_run(l);
    assert_int_equal(c.calls, 1);
    l->now = 505;
    loop_run(l);
    assert_int_equal(c.calls, 500);
    l->now = 2000;
    loop_run(l);
    assert_true(c.calls == 1000 && c.destroyed == 1001);
    assert_true(l->alarms <= 4);
    SGK_AUTO(sgk_timer) timer = sgk_timer_create(1, true, counted_work, &c, NULL, queue);
    sgk_timer_start(timer);
    l->now += 5.5; /* firings that were missed become one */
    loop_run(l);
    assert_int_equal(c.calls, 1001);
    sgk_timer_invalidate(timer);
    l->now += 10;
    loop_run(l); /* the alarm that was asked for finds nothing */
    assert_int_equal(c.calls, 1001);
    sgk_timer_release(timer);
    timer = NULL;
    sgk_queue_release(queue);
    loop_free(l);
}

/* The loop is faster than the caller that sets the alarm: it fires before `after` has returned. */
static sgk_status after_and_ring(
    void *context, double seconds, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    loop *l = context;
    sgk_status status = loop_after(context, seconds, work, work_context, destroy);
    if (l->alarms > 1) return status;
    l->now += seconds;
    loop_run(l);
    return status;
}

static void alarms_may_ring_at_once(void **state) {
    (void)state;
    sgk_queue_table table = whole;
    table.after = after_and_ring;
    for (int i = 0; i < 3; i++) {
        loop *l = loop_new();
        sgk_queue *queue = sgk_queue_create_custom(&table, l);
        SGK_AUTO(sgk_signal) source = count_to(1);
        SGK_AUTO(sgk_signal) never = sgk_signal_never();
        sgk_signal *late = i == 0 ? sgk_signal_delay_start(source, 1, queue)
            : i == 1              ? sgk_signal_suspend_aware_delay(source, 0.02, 0.005, queue)
                                  : first_within_or(never, 1, source, queue);
        recorder *r = recorder_new();
        sgk_disposable *run = record_run(late, r);
        EVENTUALLY((l->now += 1, loop_run(l), r->ends == 1));
        assert_int_equal(r->count, 1);
        l->now += 1000;
        loop_run(l); /* alarms that were asked for and find nothing */
        recorder_free(r);
        sgk_disposable_release(run);
        sgk_signal_release(late);
        sgk_queue_release(queue);
        loop_free(l);
    }
}

/* Without `after` the library keeps the time. */
static void timers_of_a_loop_without_a_clock(void **state) {
    (void)state;
    loop *l = loop_new();
    sgk_queue *queue = sgk_queue_create_custom(&least, l);
    counted c = {0, 0};
    sgk_disposable_release(sgk_queue_after(queue, 0, counted_work, &c, counted_destroy));
    loop_run(l);
    assert_int_equal(c.calls, 1);
    sgk_disposable_release(sgk_queue_after(queue, 0.01, counted_work, &c, counted_destroy));
    EVENTUALLY((loop_run(l), c.calls == 2));
    assert_int_equal(c.destroyed, 2);
    sgk_queue_release(queue);
    loop_free(l);
}

static void *wait_on_it(void *context) {
    scene *s = context;
    assert_int_equal(sgk_queue_sync(s->queue, counted_work, &s->work), SGK_ERROR_ENDED);
    assert_failed(SGK_ERROR_ENDED, "sgk_queue_sync: queue: ");
    return NULL;
}

/* The loop ends with all kinds of work in flight. Each is destroyed once and counted, and no thread deadlocks. */
static void the_end_of_the_loop(void **state) {
    (void)state;
    loop *l = loop_new();
    scene s = {sgk_queue_create_custom(&whole, l), {0, 0}, false};
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    sgk_signal *there = sgk_signal_deliver_on(source, s.queue);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(there, r);
    in_parallel(2, emit_many, pipe); /* one hop for all of them */
    for (int i = 0; i < 10; i++) sgk_queue_dispatch(s.queue, counted_work, &s.work, counted_destroy);
    for (int i = 0; i < 10; i++)
        sgk_disposable_release(sgk_queue_after(s.queue, 10 + i, counted_work, &s.work, counted_destroy));
    assert_int_equal(sgk_queue_dropped(s.queue), 0);
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_on_it, &s);
    assert_int_equal(l->count, 2); /* the turn and the alarm */
    loop_end(l);
    pthread_join(waiter, NULL);
    assert_true(s.work.calls == 0 && s.work.destroyed == 20);
    assert_int_equal(sgk_queue_dropped(s.queue), 22);
    /* refused by the loop */
    assert_int_equal(sgk_queue_dispatch(s.queue, counted_work, &s.work, counted_destroy), SGK_ERROR_ENDED);
    assert_failed(SGK_ERROR_ENDED, "sgk_queue_dispatch: queue: ");
    sgk_disposable *late = sgk_queue_after(s.queue, 1, counted_work, &s.work, counted_destroy);
    assert_int_equal(s.work.destroyed, 22);
    assert_int_equal(sgk_queue_dropped(s.queue), 24);
    sgk_disposable_release(late);
    assert_int_equal(r->nexts, 0);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(there);
    recorder_free(r);
    sgk_queue_release(s.queue);
    loop_free(l);
}

/* A loop that runs work twice, or forgets the order of work and destroy, is wrong; twice does no harm. */
static void work_runs_once(void **state) {
    (void)state;
    loop *l = loop_new();
    sgk_queue *queue = sgk_queue_create_custom(&least, l);
    counted c = {0, 0};
    sgk_queue_dispatch(queue, counted_work, &c, counted_destroy);
    item one;
    assert_true(take(l, &one));
    one.work(one.context);
    one.work(one.context);
    one.destroy(one.context);
    assert_true(c.calls == 1 && c.destroyed == 1);
    sgk_queue_release(queue);
    loop_free(l);
}

static sgk_status refuse_and_destroy(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    (void)context, (void)work;
    destroy(work_context);
    return SGK_ERROR_SYSTEM;
}
static sgk_status refuse_and_forget(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    (void)context, (void)work, (void)work_context, (void)destroy;
    return SGK_ERROR_SYSTEM;
}
static sgk_status refuse_alarm(
    void *context, double seconds, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    (void)seconds;
    return refuse_and_forget(context, work, work_context, destroy);
}

/* If a loop rejects work, the caller is notified and the work is destroyed, even if the loop forgets to. */
static void what_a_loop_refuses(void **state) {
    (void)state;
    for (int forgets = 0; forgets < 2; forgets++) {
        sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
        table.dispatch = forgets ? refuse_and_forget : refuse_and_destroy;
        table.after = refuse_alarm;
        SGK_AUTO(sgk_queue) queue = sgk_queue_create_custom(&table, NULL);
        counted c = {0, 0};
        assert_ended(queue, &c);
        assert_int_equal(sgk_queue_async(queue, counted_work, &c, counted_destroy), SGK_ERROR_ENDED);
        assert_failed(SGK_ERROR_ENDED, "sgk_queue_async: queue: ");
        assert_int_equal(c.destroyed, 2);
        sgk_disposable_release(sgk_queue_after(queue, 1, counted_work, &c, counted_destroy));
        assert_int_equal(c.destroyed, 3);
        assert_int_equal(sgk_queue_dropped(queue), 4);
        SGK_AUTO(sgk_signal) source = count_to(3);
        SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(there, r);
        assert_int_equal(r->nexts, 0);
        sgk_disposable_dispose(run);
        recorder_free(r);
        assert_int_equal(c.calls, 0);
    }
}

typedef struct {
    int received, received_before_work;
} burst;

static void count_received(void *context, sgk_value value) {
    (void)value;
    ((burst *)context)->received++;
}
static void note_received(void *context) { ((burst *)context)->received_before_work = ((burst *)context)->received; }

/* A pipe whose values are delivered on the loop. */
typedef struct route {
    loop *loop;
    sgk_queue *queue;
    sgk_pipe *pipe;
    sgk_disposable *run;
} route;

static void open_route(route *r, const sgk_queue_table *table, sgk_next_fn next, void *context) {
    r->loop = loop_new();
    r->queue = sgk_queue_create_custom(table, r->loop);
    r->pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(r->pipe);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, r->queue);
    r->run = sgk_signal_start_next(there, next, context, NULL);
}

static void close_route(route *r) {
    sgk_disposable_dispose(r->run);
    sgk_disposable_release(r->run);
    sgk_pipe_release(r->pipe);
    sgk_queue_release(r->queue);
    loop_free(r->loop);
}

/* A subscription that is never delivered again stores no later values. */
static void what_comes_after_the_end_of_the_loop_is_let_go(void **state) {
    (void)state;
    burst b = {0, 0};
    route r;
    open_route(&r, &least, count_received, &b);
    sgk_pipe_next(r.pipe, sgk_int(1));
    loop_end(r.loop);
    sgk_pipe_next(r.pipe, sgk_give(sgk_string("a text that nobody will hear")));
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    assert_int_equal(b.received, 0);
    close_route(&r);
}

/* Pending events are delivered before work that is enqueued after them, independent of their number. */
static void what_was_put_before_other_work_is_delivered_before_it(void **state) {
    (void)state;
    burst b = {0, 0};
    route r;
    open_route(&r, &least, count_received, &b);
    for (int i = 0; i < 10000; i++) sgk_pipe_next(r.pipe, sgk_int(i));
    sgk_queue_dispatch(r.queue, note_received, &b, NULL);
    loop_run(r.loop);
    assert_int_equal(b.received_before_work, 10000);
    close_route(&r);
}

typedef struct feedback {
    route route;
    burst seen;
} feedback;

static void feed(void *context, sgk_value value) {
    feedback *f = context;
    count_received(&f->seen, value);
    if (sgk_to_int(value) < 10000) sgk_pipe_next(f->route.pipe, sgk_int(sgk_to_int(value) + 1));
}

/* The loop runs its other work, independent of the number of events that arrive during a delivery. */
static void deliveries_leave_room_for_other_work(void **state) {
    (void)state;
    feedback f = {.seen = {0, 0}};
    open_route(&f.route, &least, feed, &f);
    sgk_pipe_next(f.route.pipe, sgk_int(1));
    sgk_queue_dispatch(f.route.queue, note_received, &f.seen, NULL);
    loop_run(f.route.loop);
    assert_in_range(f.seen.received_before_work, 1, 1000);
    assert_int_equal(f.seen.received, 10000);
    close_route(&f.route);
}

/* Work of another thread arrives simultaneously: it is in the list before the first `async` has returned. */
static feedback *intruded;
static sgk_status async_and_intrude(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    sgk_status status = put(context, 0, work, work_context, destroy);
    feedback *f = intruded;
    intruded = NULL;
    if (f) assert_int_equal(sgk_queue_dispatch(f->route.queue, note_received, &f->seen, NULL), SGK_OK);
    return status;
}

/* A value is not delivered together with values that arrived before other work. */
static void what_comes_behind_other_work_is_delivered_behind_it(void **state) {
    (void)state;
    static const sgk_queue_table table = {.size = sizeof table, .dispatch = async_and_intrude};
    feedback f = {.seen = {0, 0}};
    open_route(&f.route, &table, count_received, &f.seen);
    intruded = &f;
    for (int i = 0; i < 2; i++) sgk_pipe_next(f.route.pipe, sgk_int(i));
    loop_run(f.route.loop);
    assert_int_equal(f.seen.received_before_work, 1);
    assert_int_equal(f.seen.received, 2);
    close_route(&f.route);
}

/* ---- Work of the loop that waits for other work ---- */

/* Work of `other` emits into a delivery on the loop, waits for the loop, and for the callback that waits for it. */
typedef struct detour {
    sgk_queue *queue, *other;
    sgk_pipe *pipe;
    sgk_disposable *run;
    sgk_status sync, disposal;
} detour;

static void emit_3_and_wait(void *context) {
    detour *d = context;
    for (int i = 1; i <= 3; i++) sgk_pipe_next(d->pipe, sgk_int(i));
    d->sync = sgk_queue_sync(d->queue, do_nothing, NULL);
    if (d->run) d->disposal = sgk_disposable_dispose_and_wait(d->run);
}
static void wait_for_other(void *context) {
    detour *d = context;
    assert_int_equal(sgk_queue_sync(d->other, emit_3_and_wait, d), SGK_OK);
}
static void callback_that_waits(void *context, sgk_value value) {
    (void)value;
    wait_for_other(context);
}
static void take_run(void *context, sgk_disposable *run) { ((detour *)context)->run = run; }

static void work_waits_for(sgk_queue *other, loop *l, const sgk_queue_table *table, sgk_status expected) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_custom(table, l);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    detour d = {queue, other, pipe, NULL, SGK_OK, SGK_OK};
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal)
    there = sgk_signal_deliver_on_bounded(
        source, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_SUSPEND, .counter = counter), queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    sgk_queue_dispatch(queue, wait_for_other, &d, NULL);
    loop_run(l);
    ASSERT_VALUES(r, 1, 2, 3);
    assert_int_equal(d.sync, expected);
    assert_int_equal(sgk_overflow_counter_suspended(counter), 0);
    /* a callback on the loop that is waited for */
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(0));
    SGK_AUTO(sgk_signal) on_loop = sgk_signal_deliver_on(one, queue);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &d, handlers.next = callback_that_waits, handlers.started = take_run;
    SGK_AUTO(sgk_disposable) waitable = sgk_signal_start_waitable(on_loop, &handlers);
    loop_run(l);
    assert_int_equal(d.disposal, SGK_ERROR_THREAD);
    assert_int_equal(sgk_disposable_dispose_and_wait(waitable), SGK_OK);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

static void its_work_does_not_wait_for_itself(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    sgk_queue *others[] = {sgk_queue_create("idle"), sgk_thread_pool_next_queue(pool), sgk_thread_pool_queue(pool)};
    for (int i = 0; i < 6; i++) {
        loop *l = loop_new();
        /* The work of an idle queue runs on the loop's thread. */
        work_waits_for(others[i % 3], l, i < 3 ? &whole : &least, i % 3 == 0 ? SGK_OK : SGK_ERROR_THREAD);
        loop_free(l);
    }
    for (int i = 0; i < 3; i++) sgk_queue_release(others[i]);
}

/* ---- Turns: the loop is asked once for all pending jobs ---- */

typedef struct turns {
    loop *loop;
    sgk_queue *queue;
    int next[4], count, others, counts_at_others[8];
    counted more;
    int asked_at_more;
} turns;

typedef struct numbered {
    turns *all;
    int thread, number;
} numbered;

static void run_numbered(void *context) {
    numbered *n = context;
    assert_int_equal(n->all->next[n->thread]++, n->number);
    n->all->count++;
}

static void put_numbered(void *context, int thread) {
    for (int i = 0; i < 600; i++) {
        numbered *n = malloc(sizeof *n);
        *n = (numbered){context, thread, i};
        assert_int_equal(sgk_queue_dispatch(((turns *)context)->queue, run_numbered, n, free), SGK_OK);
    }
}

static void other_work(void *context) {
    turns *t = context;
    t->counts_at_others[t->others++] = t->count;
    if (t->others < 4) put(t->loop, 0, other_work, t, do_nothing);
}

/* One request for 2,400 jobs of four threads, in the order of each. After 1,000 the loop runs its other work. */
static void a_turn_runs_all_that_waits(void **state) {
    (void)state;
    turns t = {.loop = loop_new()};
    t.queue = sgk_queue_create_custom(&least, t.loop);
    in_parallel(4, put_numbered, &t);
    assert_int_equal(t.loop->count, 1);
    put(t.loop, 0, other_work, &t, do_nothing);
    loop_run(t.loop);
    assert_int_equal(t.count, 2400);
    assert_int_equal(t.others, 4);
    assert_int_equal(t.counts_at_others[0], 1000);
    assert_int_equal(t.counts_at_others[1], 2000);
    assert_int_equal(t.counts_at_others[2], 2400);
    sgk_queue_release(t.queue);
    loop_free(t.loop);
}

/* The loop runs while four threads enqueue. Each job runs, and the loop is asked again as soon as it must be. */
static void *run_until_all(void *context) {
    turns *t = context;
    t->loop->thread = pthread_self();
    while (t->count < 2400) loop_run(t->loop);
    return NULL;
}

static void jobs_arrive_while_turns_run(void **state) {
    (void)state;
    turns t = {.loop = loop_new()};
    t.queue = sgk_queue_create_custom(&whole, t.loop);
    pthread_t thread;
    pthread_create(&thread, NULL, run_until_all, &t);
    in_parallel(4, put_numbered, &t);
    pthread_join(thread, NULL);
    assert_int_equal(t.count, 2400);
    loop_run(t.loop);
    sgk_queue_release(t.queue);
    loop_free(t.loop);
}

static void enqueue_more(void *context) {
    turns *t = context;
    for (int i = 0; i < 3; i++) sgk_queue_dispatch(t->queue, counted_work, &t->more, counted_destroy);
    t->asked_at_more = t->loop->count;
}

static void take_one(loop *l) {
    item one;
    assert_true(take(l, &one));
    one.work(one.context);
    one.destroy(one.context);
}

/* Jobs from inside a turn wait for the next one, which is the only request. */
static void jobs_from_a_turn_run_in_the_next(void **state) {
    (void)state;
    turns t = {.loop = loop_new()};
    t.queue = sgk_queue_create_custom(&least, t.loop);
    sgk_queue_dispatch(t.queue, enqueue_more, &t, NULL);
    sgk_queue_dispatch(t.queue, enqueue_more, &t, NULL);
    take_one(t.loop);
    assert_int_equal(t.more.calls, 0);
    assert_int_equal(t.asked_at_more, 1);
    take_one(t.loop);
    assert_true(t.more.calls == 6 && t.more.destroyed == 6);
    sgk_queue_release(t.queue);
    loop_free(t.loop);
}

/* A job that runs the loop again: the pending jobs run inside it, in order. */
static void note_count(void *context) {
    turns *t = context;
    t->counts_at_others[t->others++] = t->more.calls;
}

static void run_loop_again(void *context) {
    turns *t = context;
    sgk_queue_dispatch(t->queue, note_count, t, NULL);
    loop_run(t->loop);
    assert_int_equal(t->more.calls, 2);
    assert_int_equal(t->counts_at_others[0], 2);
}

static void a_job_may_run_the_loop(void **state) {
    (void)state;
    turns t = {.loop = loop_new()};
    t.queue = sgk_queue_create_custom(&least, t.loop);
    sgk_queue_dispatch(t.queue, run_loop_again, &t, NULL);
    for (int i = 0; i < 2; i++) sgk_queue_dispatch(t.queue, counted_work, &t.more, counted_destroy);
    loop_run(t.loop);
    assert_true(t.more.calls == 2 && t.more.destroyed == 2);
    sgk_queue_release(t.queue);
    loop_free(t.loop);
}

static sgk_status run_at_once(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    (void)context;
    work(work_context);
    destroy(work_context);
    return SGK_OK;
}

/* A loop that breaks the rule and runs the work inside `dispatch` loses no job. */
static void a_loop_that_runs_at_once_loses_nothing(void **state) {
    (void)state;
    sgk_queue_table table = {.size = sizeof table, .dispatch = run_at_once};
    turns t = {.loop = loop_new()};
    t.queue = sgk_queue_create_custom(&table, t.loop);
    sgk_queue_dispatch(t.queue, enqueue_more, &t, NULL);
    assert_int_equal(t.more.calls, 3);
    in_parallel(1, put_numbered, &t);
    assert_int_equal(t.count, 600);
    assert_int_equal(sgk_queue_dropped(t.queue), 0);
    sgk_queue_release(t.queue);
    loop_free(t.loop);
}

static void release_queue(void *context) {
    turns *t = context;
    sgk_queue_release(t->queue);
    t->queue = NULL;
}

/* The last reference to the queue is released inside the turn. The other jobs of the turn still run. */
static void a_queue_may_be_released_in_its_turn(void **state) {
    (void)state;
    turns t = {.loop = loop_new()};
    t.queue = sgk_queue_create_custom(&whole, t.loop);
    sgk_queue_dispatch(t.queue, release_queue, &t, NULL);
    sgk_queue_dispatch(t.queue, counted_work, &t.more, counted_destroy);
    take_one(t.loop);
    assert_true(t.more.calls == 1 && t.more.destroyed == 1);
    assert_int_equal(t.loop->released, 1);
    loop_free(t.loop);
}

/* The loop ends inside a turn. If it destroys the turn there, the remaining jobs are destroyed. Otherwise they run. */
typedef struct ending {
    turns turns;
    item turn;
    bool destroys;
} ending;

static void end_loop_inside(void *context) {
    ending *e = context;
    enqueue_more(&e->turns);
    loop_end(e->turns.loop);
    if (e->destroys) e->turn.destroy(e->turn.context);
}

static void the_end_of_the_loop_inside_a_turn(void **state) {
    (void)state;
    for (int destroys = 0; destroys < 2; destroys++) {
        ending e = {.turns = {.loop = loop_new()}, .destroys = destroys};
        turns *t = &e.turns;
        t->queue = sgk_queue_create_custom(&whole, t->loop);
        counted rest = {0, 0};
        sgk_queue_dispatch(t->queue, end_loop_inside, &e, NULL);
        for (int i = 0; i < 1500; i++) sgk_queue_dispatch(t->queue, counted_work, &rest, counted_destroy);
        assert_true(take(t->loop, &e.turn));
        e.turn.work(e.turn.context);
        if (!destroys) e.turn.destroy(e.turn.context);
        /* 999 in the turn; the request for the others fails */
        assert_int_equal(rest.calls, destroys ? 0 : 999);
        assert_int_equal(rest.destroyed, 1500);
        assert_true(t->more.calls == 0 && t->more.destroyed == 3);
        assert_int_equal(sgk_queue_dropped(t->queue), (destroys ? 1500 : 501) + 3);
        sgk_queue_release(t->queue);
        loop_free(t->loop);
    }
}

/* The loop ends while four threads enqueue: each job runs or is destroyed, and the queue counts the destroyed ones. */
typedef struct race {
    turns turns;
    atomic_int calls, destroyed;
} race;

static void count_race(void *context) { ((race *)context)->calls++; }
static void destroy_race(void *context) { ((race *)context)->destroyed++; }
static void put_in_race(void *context, int thread) {
    race *r = context;
    if (thread == 0) {
        for (int i = 0; i < 20; i++) loop_run(r->turns.loop);
        loop_end(r->turns.loop);
    }
    for (int i = 0; i < 500; i++) sgk_queue_dispatch(r->turns.queue, count_race, r, destroy_race);
}

static void a_loop_that_ends_in_a_race_loses_nothing(void **state) {
    (void)state;
    race r = {.turns = {.loop = loop_new()}};
    r.turns.queue = sgk_queue_create_custom(&least, r.turns.loop);
    in_parallel(4, put_in_race, &r);
    assert_int_equal(r.destroyed, 2000);
    assert_int_equal(r.calls + sgk_queue_dropped(r.turns.queue), 2000);
    sgk_queue_release(r.turns.queue);
    loop_free(r.turns.loop);
}

int run_custom_queues(void) {
    const struct CMUnitTest tests[] = {
        TEST(work_runs_on_the_loop),
        TEST(events_of_other_threads_arrive_in_order),
        TEST(what_was_put_before_other_work_is_delivered_before_it),
        TEST(what_comes_behind_other_work_is_delivered_behind_it),
        TEST(deliveries_leave_room_for_other_work),
        TEST(timers_go_by_the_loops_clock),
        TEST(alarms_may_ring_at_once),
        TEST(timers_of_a_loop_without_a_clock),
        TEST(the_end_of_the_loop),
        TEST(what_comes_after_the_end_of_the_loop_is_let_go),
        TEST(work_runs_once),
        TEST(what_a_loop_refuses),
        TEST(its_work_does_not_wait_for_itself),
        TEST(a_turn_runs_all_that_waits),
        TEST(jobs_arrive_while_turns_run),
        TEST(jobs_from_a_turn_run_in_the_next),
        TEST(a_job_may_run_the_loop),
        TEST(a_loop_that_runs_at_once_loses_nothing),
        TEST(a_queue_may_be_released_in_its_turn),
        TEST(the_end_of_the_loop_inside_a_turn),
        TEST(a_loop_that_ends_in_a_race_loses_nothing),
    };
    return cmocka_run_group_tests_name("custom queues", tests, NULL, NULL);
}
