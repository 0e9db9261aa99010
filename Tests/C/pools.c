/* Thread pools; objects that live on one queue. */
#include "suite.h"

typedef struct place {
    sgk_thread_pool *pool;
    sgk_queue *queue;
    atomic_int inside, outside, current;
} place;

static void look(void *context) {
    place *p = context;
    if (sgk_thread_pool_is_current_thread_in_pool(p->pool)) p->inside++;
    else p->outside++;
    if (p->queue && sgk_queue_is_current(p->queue)) p->current++;
}

static void tasks_run_on_the_threads_of_the_pool(void **state) {
    (void)state;
    place p = {sgk_thread_pool_create(2, 0.5), NULL, 0, 0, 0};
    counted c = {0};
    for (int i = 0; i < 20; i++) sgk_disposable_release(sgk_thread_pool_add_task(p.pool, look, &p, NULL));
    sgk_disposable_release(sgk_thread_pool_add_task(p.pool, counted_work, &c, counted_destroy));
    EVENTUALLY(p.inside == 20);
    EVENTUALLY(c.destroyed == 1);
    assert_int_equal(c.calls, 1);
    assert_int_equal(p.outside, 0);
    assert_false(sgk_thread_pool_is_current_thread_in_pool(p.pool));
    assert_ptr_equal(sgk_thread_pool_retain(p.pool), p.pool);
    sgk_thread_pool_release(p.pool);
    sgk_thread_pool_release(p.pool);
}

static void a_task_that_waits_can_be_cancelled(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    door door = {0};
    counted cancelled = {0}, kept = {0};
    sgk_disposable_release(sgk_thread_pool_add_task(pool, wait_at, &door, counted_destroy));
    SGK_AUTO(sgk_disposable) task = sgk_thread_pool_add_task(pool, counted_work, &cancelled, counted_destroy);
    SGK_AUTO(sgk_disposable) other = sgk_thread_pool_add_task(pool, counted_work, &kept, counted_destroy);
    sgk_disposable_dispose(task);
    open_and_wait(&door);
    EVENTUALLY(kept.destroyed == 1 && cancelled.destroyed == 1); /* although the disposables are held */
    assert_int_equal(cancelled.calls, 0);
    assert_int_equal(kept.calls, 1);
}

static void a_pool_has_queues(void **state) {
    (void)state;
    place p = {sgk_thread_pool_create(3, 0.5), NULL, 0, 0, 0};
    p.queue = sgk_thread_pool_next_queue(p.pool);
    assert_int_equal(sgk_queue_sync(p.queue, look, &p), SGK_OK);
    assert_true(p.inside == 1 && p.current == 1);
    SGK_AUTO(sgk_signal) source = count_to(50);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, p.queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    EVENTUALLY(r->ends == 1);
    for (int i = 0; i < 50; i++) assert_int_equal(r->values[i], i + 1);
    counted c = {0};
    SGK_AUTO(sgk_disposable) later = sgk_queue_after(p.queue, 0.001, counted_work, &c, counted_destroy);
    EVENTUALLY(c.destroyed == 1);
    assert_int_equal(c.calls, 1);
    sgk_queue_release(p.queue);
    sgk_thread_pool_release(p.pool);
    recorder_free(r);
}

static sgk_signal *as_delayed(void *queue, sgk_value value) {
    SGK_AUTO(sgk_signal) single = sgk_signal_just(value);
    return sgk_signal_delay_start(single, 0.0001, queue);
}

typedef struct meeting {
    sgk_queue *queue;
    atomic_int there, synced;
} meeting;

static void meet(void *context) { /* with one thread this would not come to its end */
    meeting *m = context;
    m->there++;
    EVENTUALLY(m->there >= 2);
}
static void step_in(void *context) { ((meeting *)context)->synced++; }
static void sync_inside(void *context) {
    meeting *m = context;
    assert_false(sgk_queue_is_current(m->queue));
    assert_int_equal(sgk_queue_sync(m->queue, step_in, m), SGK_OK);
}

static void a_pool_is_a_concurrent_queue(void **state) {
    (void)state;
    sgk_thread_pool *pool = sgk_thread_pool_create(2, 0.5);
    meeting m = {.queue = sgk_thread_pool_queue(pool)};
    place p = {pool, m.queue, 0, 0, 0};
    assert_int_equal(sgk_queue_dispatch(m.queue, meet, &m, NULL), SGK_OK);
    assert_int_equal(sgk_queue_async(m.queue, meet, &m, NULL), SGK_OK);
    assert_int_equal(sgk_queue_sync(m.queue, look, &p), SGK_OK);
    assert_true(p.inside == 1 && p.current == 0);
    sgk_thread_pool_release(pool); /* the queue keeps it */
    assert_int_equal(sgk_queue_sync(m.queue, sync_inside, &m), SGK_OK);
    assert_true(m.synced == 1 && m.there == 2);
    counted c = {0};
    SGK_AUTO(sgk_disposable) later = sgk_queue_after(m.queue, 0.001, counted_work, &c, counted_destroy);
    EVENTUALLY(c.destroyed == 1);
    assert_int_equal(c.calls, 1);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK); /* the threads that met may still be exiting */
    sgk_queue_release(m.queue);
}

static void the_only_thread_waits_for_itself(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_queue(pool);
    meeting m = {.queue = queue};
    assert_int_equal(sgk_queue_sync(queue, sync_inside, &m), SGK_OK);
    assert_int_equal(m.synced, 1);
    assert_int_equal(sgk_thread_pool_shutdown(pool), SGK_OK);
    assert_int_equal(sgk_queue_sync(queue, step_in, &m), SGK_ERROR_ENDED);
    assert_failed(SGK_ERROR_ENDED, "sgk_queue_sync: queue: ");
    assert_int_equal(m.synced, 1);
    counted c = {0};
    assert_ended(queue, &c);
}

/* Numbers through all operators that use a queue. */
static sgk_disposable *run_on_queue(sgk_queue *queue, recorder *r) {
    SGK_AUTO(sgk_signal) s = count_to(20);
    sgk_signal_replace(&s, sgk_signal_run_on(s, queue));
    sgk_signal_replace(&s, sgk_signal_delay_start(s, 0.001, queue));
    sgk_signal_replace(&s, sgk_signal_concat_map(s, as_delayed, queue, NULL));
    sgk_signal_replace(&s, sgk_signal_deliver_on(s, queue));
    return record_run(s, r);
}

static void the_same_pipeline_runs_on_a_pool_on_a_queue_and_in_virtual_time(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(3, 0.5);
    sgk_queue *queues[] = {sgk_thread_pool_queue(pool), sgk_queue_create("serial"), sgk_queue_create_virtual(NULL)};
    for (int i = 0; i < 3; i++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = run_on_queue(queues[i], r);
        if (i == 2) assert_int_equal(sgk_queue_advance(queues[i], 1), SGK_OK);
        EVENTUALLY(r->ends == 1);
        ASSERT_VALUES(r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
        recorder_free(r);
        sgk_queue_release(queues[i]);
    }
}

static void what_is_shut_down_runs_nothing(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_next_queue(pool);
    door door = {0};
    counted waiting = {0}, refused = {0}, late = {0};
    sgk_disposable_release(sgk_thread_pool_add_task(pool, wait_at, &door, counted_destroy));
    SGK_AUTO(sgk_disposable) task = sgk_thread_pool_add_task(pool, counted_work, &refused, counted_destroy);
    sgk_queue_dispatch(queue, counted_work, &waiting, counted_destroy);
    assert_int_equal(sgk_thread_pool_shutdown(pool), SGK_OK);
    EVENTUALLY(waiting.destroyed == 1 && refused.destroyed == 1); /* although what cancels it is held */
    open_and_wait(&door);
    sgk_disposable_release(sgk_thread_pool_add_task(pool, counted_work, &late, counted_destroy));
    assert_int_equal(late.destroyed, 1);
    assert_ended(queue, &late);
    assert_int_equal(waiting.calls + refused.calls + late.calls, 0);
}

/* Also what a thread has taken over already, to do it next. */
static void what_is_shut_down_lets_all_go_that_waits(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    door doors[2] = {0};
    counted begun = {0}, waiting = {0};
    for (int i = 0; i < 2; i++) {
        sgk_disposable_release(sgk_thread_pool_add_task(pool, wait_at, &doors[i], counted_destroy));
        if (i == 0) sgk_disposable_release(sgk_thread_pool_add_task(pool, counted_work, &begun, counted_destroy));
    }
    for (int i = 0; i < 4; i++) {
        sgk_disposable_release(sgk_thread_pool_add_task(pool, counted_work, &waiting, counted_destroy));
    }
    open_and_wait(&doors[0]);
    EVENTUALLY(begun.destroyed == 1);
    assert_int_equal(sgk_thread_pool_shutdown(pool), SGK_OK);
    EVENTUALLY(waiting.destroyed == 4);
    open_and_wait(&doors[1]);
    assert_int_equal(waiting.calls, 0);
}

/* ---- Objects of a queue ---- */

typedef struct resident {
    sgk_queue *queue;
    atomic_int made, used, dropped, strayed;
} resident;

static void check_place(resident *r) {
    if (!sgk_queue_is_current(r->queue)) r->strayed++;
}

static void *make_it(void *context) {
    check_place(context);
    ((resident *)context)->made++;
    return context;
}

static void drop_it(void *object) {
    check_place(object);
    ((resident *)object)->dropped++;
}

static void use_it(void *context, void *object) {
    counted_work(context);
    check_place(object);
    ((resident *)object)->used++;
}

static sgk_disposable *emit_it(void *context, void *object, sgk_subscriber *subscriber) {
    use_it(context, object);
    sgk_subscriber_next(subscriber, sgk_int(((resident *)object)->used));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

typedef struct asking {
    sgk_queue_local *local;
    void *object;
} asking;

static void ask(void *context) { ((asking *)context)->object = sgk_queue_local_unsafe_get(((asking *)context)->local); }

static void an_object_lives_on_its_queue(void **state) {
    (void)state;
    resident r = {sgk_queue_create("home"), 0, 0, 0, 0};
    counted c = {0};
    sgk_queue_local *local = sgk_queue_local_create(make_it, drop_it, &r, NULL, r.queue);
    assert_int_equal(sgk_queue_local_with(local, use_it, &c, counted_destroy), SGK_OK);
    assert_int_equal(sgk_queue_local_sync_with(local, use_it, &c), SGK_OK);
    assert_int_equal(c.calls, 2);
    EVENTUALLY(c.destroyed == 1);
    asking a = {local, NULL};
    sgk_queue_sync(r.queue, ask, &a);
    assert_ptr_equal(a.object, &r);
    sgk_signal *signal = sgk_queue_local_signal_with(local, emit_it, &c, counted_destroy);
    recorder *s = recorder_new(), *t = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, s);
    EVENTUALLY(s->ends == 1);
    ASSERT_VALUES(s, 3);
    assert_ptr_equal(sgk_queue_local_retain(local), local);
    sgk_queue_local_release(local);
    sgk_queue_local_release(local);
    EVENTUALLY(r.dropped == 1);
    SGK_AUTO(sgk_disposable) late = record_run(signal, t); /* the object is destroyed */
    EVENTUALLY(t->destroyed == 1);
    assert_int_equal(t->nexts + t->ends, 0);
    sgk_signal_release(signal);
    sgk_queue_sync(r.queue, do_nothing, NULL);
    EVENTUALLY(c.destroyed == 2);
    assert_true(r.made == 1 && r.used == 3 && r.strayed == 0);
    sgk_queue_release(r.queue);
    recorder_free(s);
    recorder_free(t);
}

static void *make_of_counted(void *context) {
    counted_work(context);
    return context;
}

static void who_is_gone_is_not_shown_the_object(void **state) {
    (void)state;
    resident r = {sgk_queue_create_virtual(NULL), 0, 0, 0, 0};
    counted c = {0};
    SGK_AUTO(sgk_queue_local) local = sgk_queue_local_create(make_it, NULL, &r, NULL, r.queue);
    SGK_AUTO(sgk_signal) signal = sgk_queue_local_signal_with(local, emit_it, &c, counted_destroy);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, NULL);
    sgk_disposable_dispose(run);
    assert_true(sgk_queue_run(r.queue, 100) > 0);
    assert_true(r.made == 1 && c.calls == 0);
    sgk_queue_release(r.queue);
}

static void the_maker_is_let_go_when_it_has_made(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("home");
    counted c = {0};
    SGK_AUTO(sgk_queue_local) local = sgk_queue_local_create(make_of_counted, NULL, &c, counted_destroy, queue);
    EVENTUALLY(c.destroyed == 1);
    assert_int_equal(c.calls, 1);
}

typedef struct hasty {
    resident resident;
    sgk_queue_local *local;
} hasty;

static void *make_and_let_go(void *context) {
    hasty *h = context;
    sgk_queue_local_release(h->local);
    return make_it(&h->resident);
}

/* The last handle goes while the object is being made. */
static void an_object_that_is_made_too_late_is_not_used(void **state) {
    (void)state;
    hasty h = {.resident = {.queue = sgk_queue_create_virtual(NULL)}};
    counted c = {0};
    h.local = sgk_queue_local_create(make_and_let_go, drop_it, &h, NULL, h.resident.queue);
    assert_int_equal(sgk_queue_local_with(h.local, use_it, &c, counted_destroy), SGK_OK);
    assert_int_equal(sgk_queue_run(h.resident.queue, 100), 2);
    assert_true(h.resident.made == 1 && h.resident.dropped == 1 && h.resident.used == 0);
    assert_true(c.calls == 0 && c.destroyed == 1);
    sgk_queue_release(h.resident.queue);
}

typedef struct visit {
    sgk_queue *other;
    sgk_queue_local *local;
    counted c;
    sgk_status status;
} visit;

static void use_it_from_there(void *context) {
    visit *v = context;
    v->status = sgk_queue_local_sync_with(v->local, use_it, &v->c);
}

static void wait_for_the_use(void *context) {
    visit *v = context;
    assert_int_equal(sgk_queue_sync(v->other, use_it_from_there, v), SGK_OK);
}

static void an_object_on_a_queue_that_waits_for_the_caller(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) other = sgk_thread_pool_queue(pool);
    resident r = {sgk_queue_create("home"), 0, 0, 0, 0};
    visit v = {other, sgk_queue_local_create(make_it, drop_it, &r, NULL, r.queue), {0}, SGK_OK};
    sgk_queue_dispatch(r.queue, wait_for_the_use, &v, NULL);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_int_equal(v.status, SGK_ERROR_THREAD);
    assert_int_equal(v.c.calls, 0);
    sgk_queue_local_release(v.local);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    sgk_queue_release(r.queue);
}

static void an_object_on_a_pool_that_is_shut_down(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    resident r = {sgk_thread_pool_next_queue(pool), 0, 0, 0, 0};
    sgk_queue_local *local = sgk_queue_local_create(make_it, NULL, &r, NULL, r.queue);
    assert_int_equal(sgk_queue_local_sync_with(local, use_it, &c), SGK_OK);
    sgk_thread_pool_shutdown(pool);
    assert_int_equal(sgk_queue_local_sync_with(local, use_it, &c), SGK_ERROR_ENDED);
    assert_failed(SGK_ERROR_ENDED, "sgk_queue_local_sync_with: local: ");
    assert_int_equal(c.calls, 1);
    sgk_queue_local_release(local);
    sgk_queue_release(r.queue);
}

static sgk_disposable *generate_there(void *context, sgk_subscriber *subscriber) {
    look(context);
    for (int i = 1; i <= 3; i++) sgk_subscriber_next(subscriber, sgk_int(i));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

static void look_at_value(void *context, sgk_value value) {
    (void)value;
    look(context);
}

static void signals_run_and_deliver_on_a_pool(void **state) {
    (void)state;
    place generating = {sgk_thread_pool_create(2, 0.5), NULL, 0, 0, 0}, delivering = {generating.pool, NULL, 0, 0, 0};
    SGK_AUTO(sgk_signal) source = sgk_signal_create(generate_there, &generating, NULL);
    SGK_AUTO(sgk_queue) pool = sgk_thread_pool_queue(generating.pool);
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, pool);
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(source, pool);
    SGK_AUTO(sgk_signal) seen = sgk_signal_before_next(delivered, look_at_value, &delivering, NULL);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) first = record_run(there, r);
    EVENTUALLY(r->ends == 1);
    assert_true(generating.inside == 1 && generating.outside == 0);
    SGK_AUTO(sgk_disposable) second = record_run(seen, s);
    EVENTUALLY(s->ends == 1);
    assert_true(generating.outside == 1 && delivering.inside == 3 && delivering.outside == 0);
    ASSERT_VALUES(r, 1, 2, 3);
    ASSERT_VALUES(s, 1, 2, 3);
    recorder_free(r);
    recorder_free(s);
    sgk_thread_pool_release(generating.pool);
}

/* ---- Hooks of the library's threads ---- */

/* A thread of an earlier test may begin or end while these hooks are set. So only the work of a pool tells that the
 * threads of that pool have begun. */
typedef struct hooks {
    atomic_int begun, ended, destroyed, works, strays;
    int threads; /* of the pool */
    bool has_no_end;
} hooks;

static _Thread_local hooks *hooks_here;
static _Thread_local const char *name_here;

static void begin_thread(void *context, const char *name) {
    hooks *h = context;
    if (hooks_here) h->strays++;
    hooks_here = h;
    name_here = name;
    h->begun++;
}
static void end_thread(void *context, const char *name) {
    hooks *h = context;
    if (hooks_here != h || strcmp(name, name_here) != 0) h->strays++;
    hooks_here = NULL;
    h->ended++;
}
static void destroy_hooks(void *context) {
    hooks *h = context;
    if (!h->has_no_end && h->ended != h->begun) h->strays++;
    h->destroyed++;
}
static void work_between_hooks(void *context) {
    hooks *h = context;
    if (hooks_here != h || strcmp(name_here, "signalkit-pool") != 0) h->strays++;
    h->works++;
}
static void work_on_all_threads(void *context) {
    hooks *h = context;
    work_between_hooks(h);
    while (h->works < h->threads) sleep_a_moment();
}

static void a_thread_calls_its_hooks(void **state) {
    (void)state;
    hooks first = {.threads = 3}, second = {.threads = 1, .has_no_end = true};
    sgk_set_thread_hooks(begin_thread, end_thread, &first, destroy_hooks);
    sgk_thread_pool *pool = sgk_thread_pool_create(first.threads, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_next_queue(pool);
    for (int i = 0; i < first.threads; i++)
        sgk_disposable_release(sgk_thread_pool_add_task(pool, work_on_all_threads, &first, NULL));
    for (int i = 0; i < 100; i++) sgk_queue_dispatch(queue, work_between_hooks, &first, NULL);
    EVENTUALLY(first.works == first.threads + 100);
    /* Other hooks are for later threads. These threads still call the hook that belongs to their first one. */
    sgk_set_thread_hooks(begin_thread, NULL, &second, destroy_hooks);
    assert_int_equal(first.destroyed, 0);
    assert_int_equal(sgk_queue_sync(queue, do_nothing, NULL), SGK_OK);
    sgk_thread_pool_release(pool);
    EVENTUALLY(first.destroyed == 1);
    assert_true(first.ended >= first.threads);
    pool = sgk_thread_pool_create(second.threads, 0.5);
    sgk_disposable_release(sgk_thread_pool_add_task(pool, work_on_all_threads, &second, NULL));
    EVENTUALLY(second.works == second.threads);
    sgk_set_thread_hooks(NULL, NULL, NULL, NULL);
    assert_int_equal(second.destroyed, 0);
    sgk_thread_pool_release(pool);
    EVENTUALLY(second.destroyed == 1);
    assert_int_equal(first.strays + second.strays, 0);
}

int run_pools(void) {
    const struct CMUnitTest tests[] = {
        TEST(tasks_run_on_the_threads_of_the_pool),
        TEST(a_task_that_waits_can_be_cancelled),
        TEST(a_pool_has_queues),
        TEST(a_pool_is_a_concurrent_queue),
        TEST(the_only_thread_waits_for_itself),
        TEST(the_same_pipeline_runs_on_a_pool_on_a_queue_and_in_virtual_time),
        TEST(what_is_shut_down_runs_nothing),
        TEST(what_is_shut_down_lets_all_go_that_waits),
        TEST(an_object_lives_on_its_queue),
        TEST(who_is_gone_is_not_shown_the_object),
        TEST(the_maker_is_let_go_when_it_has_made),
        TEST(an_object_that_is_made_too_late_is_not_used),
        TEST(an_object_on_a_queue_that_waits_for_the_caller),
        TEST(an_object_on_a_pool_that_is_shut_down),
        TEST(signals_run_and_deliver_on_a_pool),
        TEST(a_thread_calls_its_hooks),
    };
    return cmocka_run_group_tests_name("pools", tests, NULL, NULL);
}
