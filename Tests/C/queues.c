/* Queues, timers, the main queue's loop. */
#include "suite.h"

#include <math.h>
#include <time.h>

#include <poll.h>
#include <sys/resource.h>

typedef struct place {
    sgk_queue *queue;
    atomic_int calls;
    atomic_bool was_current;
} place;

static void look(void *context) {
    place *p = context;
    p->was_current = sgk_queue_is_current(p->queue);
    p->calls++;
}

static void work_runs_on_its_queue(void **state) {
    (void)state;
    place p = {sgk_queue_create("work"), 0, false};
    counted c = {0};
    assert_false(sgk_queue_is_current(p.queue));
    assert_int_equal(sgk_queue_sync(p.queue, look, &p), SGK_OK);
    assert_int_equal(p.calls, 1);
    assert_true(p.was_current);
    assert_int_equal(sgk_queue_async(p.queue, counted_work, &c, counted_destroy), SGK_OK);
    assert_int_equal(sgk_queue_dispatch(p.queue, counted_work, &c, counted_destroy), SGK_OK);
    EVENTUALLY(c.destroyed == 2);
    assert_int_equal(c.calls, 2);
    sgk_queue_release(p.queue);
}

static void nested(void *context) {
    place *p = context;
    counted now = {0}, later = {0};
    sgk_queue_async(p->queue, counted_work, &now, counted_destroy);
    assert_true(now.calls == 1 && now.destroyed == 1); /* inline: we are there */
    sgk_queue_sync(p->queue, look, p);
    static counted kept;
    kept = later;
    sgk_queue_dispatch(p->queue, counted_work, &kept, counted_destroy);
    assert_int_equal(kept.calls, 0); /* never inline */
}

static void what_is_current_runs_inline(void **state) {
    (void)state;
    place p = {sgk_queue_create(NULL), 0, false};
    sgk_queue_sync(p.queue, nested, &p);
    assert_int_equal(p.calls, 1);
    assert_true(p.was_current);
    sgk_queue_release(p.queue);
}

typedef struct brief {
    sgk_queue *queue;
    counted after;
} brief;

static void put_and_let_go(void *context) {
    brief *b = context;
    if (b->after.calls == 0) sgk_queue_dispatch(b->queue, counted_work, &b->after, counted_destroy);
    sgk_queue_release(b->queue);
}

static void *let_go_elsewhere(void *context) {
    put_and_let_go(context);
    return NULL;
}

static void have_it_let_go(void *context) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, let_go_elsewhere, context), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* After its end, the work accesses no destroyed object. */
static void the_work_that_is_waited_for_lets_the_queue_go(void **state) {
    (void)state;
    sgk_work_fn ways[] = {put_and_let_go, have_it_let_go};
    for (int way = 0; way < 2; way++) {
        brief b = {sgk_queue_create("brief"), {0}};
        assert_int_equal(sgk_queue_sync(b.queue, ways[way], &b), SGK_OK);
        EVENTUALLY(b.after.destroyed == 1);
        assert_int_equal(b.after.calls, 1);
        b.queue = sgk_queue_create("brief, and idle");
        assert_int_equal(sgk_queue_sync(b.queue, ways[way], &b), SGK_OK);
    }
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
}

static atomic_int order[256];
static atomic_int order_count;
static void note(void *context) { order[order_count++] = (int)(intptr_t)context; }

static void work_keeps_its_order(void **state) {
    (void)state;
    sgk_queue *queue = sgk_queue_create("order");
    order_count = 0;
    for (int i = 0; i < 256; i++) sgk_queue_async(queue, note, (void *)(intptr_t)i, NULL);
    EVENTUALLY(order_count == 256);
    for (int i = 0; i < 256; i++) assert_int_equal(order[i], i);
    sgk_queue_release(queue);
}

static void the_concurrent_queues_run_work_and_are_never_current(void **state) {
    (void)state;
    place a = {sgk_queue_concurrent_default(), 0, true}, b = {sgk_queue_concurrent_background(), 0, true};
    sgk_queue_dispatch(a.queue, look, &a, NULL);
    sgk_queue_dispatch(b.queue, look, &b, NULL);
    EVENTUALLY(a.calls == 1 && b.calls == 1);
    assert_false(a.was_current);
    assert_false(b.was_current);
    sgk_queue_release(a.queue);
    sgk_queue_release(b.queue);
}

static void after_runs_once_and_can_be_cancelled(void **state) {
    (void)state;
    sgk_queue *queue = sgk_queue_create("after");
    counted fired = {0}, cancelled = {0}, past = {0};
    double began = sgk_queue_now(queue);
    sgk_disposable *wait = sgk_queue_after(queue, 0.01, counted_work, &fired, counted_destroy);
    sgk_disposable *long_wait = sgk_queue_after(queue, 1e9, counted_work, &cancelled, counted_destroy);
    sgk_disposable *no_wait = sgk_queue_after(queue, -1, counted_work, &past, counted_destroy);
    EVENTUALLY(fired.destroyed == 1 && past.destroyed == 1);
    assert_int_equal(fired.calls, 1);
    assert_true(sgk_queue_now(queue) - began > 0.009);
    assert_int_equal(cancelled.destroyed, 0);
    sgk_disposable_dispose(long_wait);
    assert_int_equal(cancelled.destroyed, 1); /* at once */
    assert_int_equal(cancelled.calls, 0);
    sgk_disposable_dispose(wait);
    sgk_disposable_release(wait);
    sgk_disposable_release(long_wait);
    sgk_disposable_release(no_wait);
    sgk_queue_release(queue);
}

static void a_timer_fires_once_or_again_and_again(void **state) {
    (void)state;
    sgk_queue *queue = sgk_queue_create("timers");
    counted once = {0}, often = {0}, never = {0};
    sgk_timer *single = sgk_timer_create(0.005, false, counted_work, &once, counted_destroy, queue);
    sgk_timer *repeating = sgk_timer_create(0.002, true, counted_work, &often, counted_destroy, queue);
    sgk_timer *unstarted = sgk_timer_create(0.001, false, counted_work, &never, counted_destroy, queue);
    assert_int_equal(sgk_timer_start(single), SGK_OK);
    assert_int_equal(sgk_timer_start(repeating), SGK_OK);
    EVENTUALLY(once.calls == 1 && often.calls >= 5);
    assert_int_equal(sgk_timer_invalidate(repeating), SGK_OK);
    assert_int_equal(sgk_timer_invalidate(repeating), SGK_OK);
    sgk_timer_start(single); /* again */
    EVENTUALLY(once.calls == 2);
    assert_int_equal(never.calls, 0);
    sgk_timer_release(sgk_timer_retain(single));
    sgk_timer_release(single);
    sgk_timer_release(repeating);
    sgk_timer_release(unstarted);
    EVENTUALLY(once.destroyed == 1 && often.destroyed == 1 && never.destroyed == 1);
    sgk_queue_release(queue);
}

static void releasing_a_running_timer_stops_it(void **state) {
    (void)state;
    sgk_queue *queue = sgk_queue_create("timers");
    counted c = {0};
    sgk_timer *timer = sgk_timer_create(3600, true, counted_work, &c, counted_destroy, queue);
    sgk_timer_start(timer);
    sgk_timer_release(timer);
    assert_int_equal(c.destroyed, 1);
    assert_int_equal(c.calls, 0);
    sgk_queue_release(queue);
}

static void stop_main(void *context) {
    look(context);
    assert_int_equal(sgk_main_stop(), SGK_OK);
}

static void the_main_queue_runs_until_it_is_stopped(void **state) {
    (void)state;
    place p = {sgk_queue_main(), 0, false};
    sgk_queue *other = sgk_queue_create("other");
    assert_true(sgk_queue_is_current(p.queue));
    for (int round = 1; round <= 3; round++) {
        /* From another queue through a timer: the loop has to be woken. */
        sgk_queue_dispatch(p.queue, stop_main, &p, NULL);
        assert_int_equal(sgk_main_run(), SGK_OK);
        assert_int_equal(p.calls, round);
    }
    assert_true(p.was_current);
    sgk_disposable *wait = sgk_queue_after(p.queue, 0.005, stop_main, &p, NULL);
    assert_int_equal(sgk_main_run(), SGK_OK);
    assert_int_equal(p.calls, 4);
    sgk_main_stop();
    assert_int_equal(sgk_main_run(), SGK_OK); /* returns at once */
    sgk_disposable_release(wait);
    sgk_queue_release(other);
    sgk_queue_release(p.queue);
}

typedef struct visitor {
    place main;
    int rounds;
} visitor;

static void *visit_and_stop(void *context) {
    visitor *v = context;
    for (int i = 1; i <= v->rounds; i++) {
        sgk_queue_dispatch(v->main.queue, look, &v->main, NULL);
        EVENTUALLY(v->main.calls == i);
    }
    assert_int_equal(sgk_main_stop(), SGK_OK);
    return NULL;
}

/* Also while the main thread looks for more. */
static void the_main_queue_is_stopped_by_another_thread(void **state) {
    (void)state;
    visitor v = {{sgk_queue_main(), 0, false}, 0};
    for (v.rounds = 0; v.rounds < 100; v.rounds++) {
        v.main.calls = 0;
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, visit_and_stop, &v), 0);
        assert_int_equal(sgk_main_run(), SGK_OK);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(v.main.calls, v.rounds);
    }
    sgk_queue_release(v.main.queue);
}

static void dispose_disposable(void *disposable) { sgk_disposable_dispose(disposable); }

static void *complete_soon(void *subscriber) {
    sleep_a_moment();
    sgk_subscriber_complete(subscriber);
    return NULL;
}

static void run_until_inside(void *context) {
    sgk_disposable *subscription = *(sgk_disposable **)context;
    assert_int_equal(sgk_main_run_until(subscription, 1), SGK_ERROR_THREAD);
    assert_failed(SGK_ERROR_THREAD, "sgk_main_run_until: queue: ");
}

/* Whoever ends the subscription wakes the loop: work of the queue, another thread, a disposal. */
static void the_main_queue_runs_until_a_subscription_is_over(void **state) {
    (void)state;
    sgk_queue *queue = sgk_queue_main();
    for (int who = 0; who < 4; who++) {
        hand h;
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(source, queue);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) subscription = record_run(who < 2 ? source : delivered, r);
        assert_int_equal(sgk_main_run_until(subscription, 0), SGK_ERROR_TIMEOUT);
        sgk_queue_dispatch(queue, run_until_inside, &subscription, NULL);
        pthread_t thread;
        if (who == 0) sgk_queue_dispatch(queue, dispose_disposable, subscription, NULL);
        else assert_int_equal(pthread_create(&thread, NULL, complete_soon, h.subscriber), 0);
        assert_int_equal(sgk_main_run_until(subscription, (double)INFINITY), SGK_OK);
        assert_int_equal(sgk_main_run_until(subscription, 0), SGK_OK); /* which is over */
        if (who > 0) pthread_join(thread, NULL);
        if (who > 1) assert_int_equal(r->ends, 1);
        hand_free(&h);
        recorder_free(r);
    }
}

static void run_inside(void *context) {
    *(sgk_status *)context = sgk_main_run();
    sgk_main_stop();
}

/* (It used to spin until somebody stopped it.) */
static void the_main_queue_does_not_run_inside_its_own_work(void **state) {
    (void)state;
    sgk_status inside = SGK_OK;
    SGK_AUTO(sgk_queue) queue = sgk_queue_main();
    sgk_queue_dispatch(queue, run_inside, &inside, NULL);
    assert_int_equal(sgk_main_run(), SGK_OK);
    assert_int_equal(inside, SGK_ERROR_THREAD);
    assert_failed(SGK_ERROR_THREAD, "sgk_main_run: queue: ");
}

static void the_main_queue_lives_in_a_foreign_loop(void **state) {
    (void)state;
    place p = {sgk_queue_main(), 0, false};
    int descriptor = sgk_main_fd();
    assert_true(descriptor >= 0);
    assert_int_equal(sgk_main_drain(), SGK_OK);
    sgk_queue_dispatch(p.queue, look, &p, NULL);
    for (int left = 100; p.calls == 0 && left > 0; left--) {
        struct pollfd ready = {descriptor, POLLIN, 0};
        assert_int_equal(poll(&ready, 1, PATIENCE * 1000), 1);
        assert_int_equal(sgk_main_drain(), SGK_OK);
    }
    assert_int_equal(p.calls, 1);
    struct pollfd ready = {descriptor, POLLIN, 0};
    assert_int_equal(poll(&ready, 1, 0), 0); /* nothing left: not readable */
    sgk_queue_release(p.queue);
}

/* By a limit of descriptors, which is one of what poll takes, too. */
static void the_main_queue_says_when_it_cannot_wait(void **state) {
    (void)state;
    struct rlimit before;
    assert_true(sgk_main_fd() >= 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, before.rlim_max}), 0);
    bool is_refused = poll(&(struct pollfd){sgk_main_fd(), POLLIN, 0}, 1, 0) < 0;
    sgk_status status = is_refused ? sgk_main_run() : SGK_OK;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    if (!is_refused) skip();
    assert_int_equal(status, SGK_ERROR_SYSTEM);
    assert_failed(SGK_ERROR_SYSTEM, "sgk_main_run: descriptor: ");
}

static void run_elsewhere(void *context) {
    atomic_int *results = context;
    results[0] = (int)sgk_main_run();
    results[1] = (int)sgk_main_drain();
    results[2] = (int)sgk_last_status();
}

static void the_main_loop_belongs_to_the_main_thread(void **state) {
    (void)state;
    atomic_int results[3] = {0, 0, 0};
    sgk_queue *queue = sgk_queue_create(NULL);
    sgk_queue_sync(queue, look, &(place){queue, 0, false});
    sgk_queue_dispatch(queue, run_elsewhere, results, NULL);
    EVENTUALLY(results[2] != 0);
    assert_int_equal(results[0], SGK_ERROR_THREAD);
    assert_int_equal(results[1], SGK_ERROR_THREAD);
    assert_int_equal(results[2], SGK_ERROR_THREAD);
    sgk_queue_release(queue);
}

static void a_timer_tells_when_it_fires(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_timer) timer = sgk_timer_create(1000, false, counted_work, &c, NULL, queue);
    assert_false(sgk_timer_is_scheduled(timer));
    assert_true(isinf(sgk_timer_remaining_time(timer)));
    assert_true(isinf(sgk_timer_timeout_date(timer)));
    sgk_timer_start(timer);
    sgk_queue_advance(queue, 300);
    assert_true(sgk_timer_is_scheduled(timer));
    assert_true(sgk_timer_remaining_time(timer) == 700 && sgk_timer_timeout_date(timer) == 1000);
    assert_int_equal(sgk_timer_reset_timeout(timer, 2000), SGK_OK);
    assert_true(sgk_timer_remaining_time(timer) == 2000 && sgk_timer_timeout_date(timer) == 2300);
    assert_int_equal(sgk_timer_fire_and_invalidate(timer), SGK_OK);
    assert_false(sgk_timer_is_scheduled(timer));
    assert_true(sgk_timer_timeout_date(timer) == 0);
    sgk_timer_fire_and_invalidate(timer); /* it does not run */
    sgk_queue_advance(queue, 0);
    assert_int_equal(c.calls, 1);
    assert_int_equal(sgk_timer_reset_timeout(timer, 10), SGK_OK); /* starts it, too */
    sgk_queue_advance(queue, 9);
    assert_int_equal(c.calls, 1);
    sgk_queue_advance(queue, 1);
    assert_int_equal(c.calls, 2);
    /* By the clock of a real queue, and by that on the wall, which somebody may set. */
    SGK_AUTO(sgk_queue) real = sgk_queue_create("timer");
    SGK_AUTO(sgk_timer) late = sgk_timer_create(1e6, false, counted_work, &c, NULL, real);
    sgk_timer_start(late);
    assert_true(sgk_timer_remaining_time(late) > 0 && sgk_timer_remaining_time(late) <= 1e6);
    double ahead = sgk_timer_timeout_date(late) - (double)time(NULL);
    assert_true(ahead > 9e5 && ahead < 1.1e6);
}

/* Starts a timer of a millisecond on a blocked queue, and waits some seconds. */
static sgk_timer *timer_of_busy_queue(sgk_queue *busy, door *door, bool repeats, double seconds, counted *fired) {
    SGK_AUTO(sgk_queue) idle = sgk_queue_create("idle");
    counted later = {0};
    sgk_timer *timer = sgk_timer_create(0.001, repeats, counted_work, fired, NULL, busy);
    sgk_queue_dispatch(busy, wait_at, door, counted_destroy);
    assert_int_equal(sgk_timer_start(timer), SGK_OK);
    sgk_disposable_release(sgk_queue_after(idle, seconds, counted_work, &later, counted_destroy));
    EVENTUALLY(later.destroyed == 1);
    assert_int_equal(later.calls, 1);
    return timer;
}

/* Its time has come, but its queue is busy: it is still pending, and can be fired once by hand. */
static void a_timer_that_waits_for_its_queue_is_due(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) busy = sgk_queue_create("busy");
    counted fired = {0};
    door door = {0};
    SGK_AUTO(sgk_timer) timer = timer_of_busy_queue(busy, &door, false, 0.002, &fired);
    assert_true(sgk_timer_is_scheduled(timer));
    assert_true(sgk_timer_remaining_time(timer) == 0);
    sgk_timer_fire_and_invalidate(timer);
    assert_false(sgk_timer_is_scheduled(timer));
    open_and_wait(&door);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_int_equal(fired.calls, 1);
}

static void note_calls(void *both) {
    counted *of = ((void **)both)[0];
    *(int *)((void **)both)[1] = of->calls;
}

/* Firings that the queue is too busy for become one. */
static void a_timer_that_repeats_waits_once(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) busy = sgk_queue_create("busy");
    counted fired = {0};
    int seen = -1;
    door door = {0};
    SGK_AUTO(sgk_timer) timer = timer_of_busy_queue(busy, &door, true, 0.02, &fired);
    void *calls[] = {&fired, &seen};
    sgk_queue_dispatch(busy, note_calls, calls, NULL);
    open_and_wait(&door);
    EVENTUALLY(fired.calls > 1);
    assert_int_equal(seen, 1);
    sgk_timer_invalidate(timer);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
}

static void chain_on(void *context) {
    place *p = context;
    if (++p->calls < 20) sgk_queue_dispatch(p->queue, chain_on, p, NULL);
}

static void drain_inside(void *context) {
    place *p = context;
    p->was_current = sgk_drain(0.01) == SGK_ERROR_TIMEOUT;
}

static void draining_waits_for_all_work(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(2, 0.5);
    place own = {sgk_queue_create("drained"), 0, false}, main_place = {sgk_queue_main(), 0, false},
          of_pool = {sgk_thread_pool_next_queue(pool), 0, false};
    counted c = {0};
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    sgk_queue_dispatch(own.queue, chain_on, &own, NULL); /* work that makes more work */
    sgk_queue_dispatch(main_place.queue, chain_on, &main_place, NULL);
    sgk_queue_dispatch(of_pool.queue, chain_on, &of_pool, NULL);
    sgk_queue_dispatch(own.queue, counted_work, &c, counted_destroy);
    sgk_disposable_release(sgk_thread_pool_add_task(pool, counted_work, &c, counted_destroy));
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_true(own.calls == 20 && main_place.calls == 20 && of_pool.calls == 20);
    assert_true(c.calls == 2 && c.destroyed == 2);
    /* Drain does not wait for delayed work. It waits in vain for work that does not end. */
    sgk_disposable *later = sgk_queue_after(own.queue, 1e6, counted_work, &c, counted_destroy);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    sgk_disposable_dispose(later);
    sgk_disposable_release(later);
    door door = {0};
    sgk_queue_dispatch(own.queue, wait_at, &door, counted_destroy);
    assert_int_equal(sgk_drain(0.01), SGK_ERROR_TIMEOUT);
    assert_failed(SGK_ERROR_TIMEOUT, "sgk_drain: seconds: ");
    open_and_wait(&door);
    sgk_queue_dispatch(own.queue, drain_inside, &own, NULL);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_true(own.was_current);
    /* Released tasks do not count. */
    sgk_disposable_release(sgk_thread_pool_add_task(pool, counted_work, &c, counted_destroy));
    sgk_thread_pool_shutdown(pool);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_int_equal(c.destroyed, 4);
    sgk_queue_release(own.queue);
    sgk_queue_release(main_place.queue);
    sgk_queue_release(of_pool.queue);
    assert_int_equal(sgk_live_total(), 1); /* the pool */
}

static void count_call(void *context) { (*(int *)context)++; }

/* One handle each, which no program can destroy, and which is no live object. */
static void global_queues_live_as_long_as_the_process(void **state) {
    (void)state;
    sgk_queue *(*const queues[])(void) = {
        sgk_queue_main, sgk_queue_concurrent_default, sgk_queue_concurrent_background};
    for (int i = 0; i < 3; i++) {
        sgk_queue *queue = queues[i]();
        for (int k = 0; k < 3; k++) {
            assert_ptr_equal(queues[i](), queue);
            assert_ptr_equal(sgk_queue_retain(queue), queue);
            assert_ptr_equal(sgk_retain(queue), queue);
        }
        for (int k = 0; k < 10; k++) sgk_queue_release(queue);
        sgk_release(queue);
        assert_int_equal(sgk_live_count(SGK_LIVE_QUEUE), 0);
        assert_ptr_equal(queues[i](), queue);
    }
    int calls = 0;
    assert_int_equal(sgk_queue_async(sgk_queue_main(), count_call, &calls, NULL), SGK_OK); /* a call inside a call */
    assert_int_equal(sgk_queue_sync(sgk_queue_concurrent_default(), count_call, &calls), SGK_OK);
    assert_int_equal(calls, 2);
}

int run_queues(void) {
    const struct CMUnitTest tests[] = {
        TEST(global_queues_live_as_long_as_the_process),
        TEST(work_runs_on_its_queue),
        TEST(what_is_current_runs_inline),
        TEST(the_work_that_is_waited_for_lets_the_queue_go),
        TEST(work_keeps_its_order),
        TEST(the_concurrent_queues_run_work_and_are_never_current),
        TEST(after_runs_once_and_can_be_cancelled),
        TEST(a_timer_fires_once_or_again_and_again),
        TEST(releasing_a_running_timer_stops_it),
        TEST(the_main_queue_runs_until_it_is_stopped),
        TEST(the_main_queue_is_stopped_by_another_thread),
        TEST(the_main_queue_runs_until_a_subscription_is_over),
        TEST(the_main_queue_does_not_run_inside_its_own_work),
        TEST(the_main_queue_lives_in_a_foreign_loop),
        TEST(the_main_queue_says_when_it_cannot_wait),
        TEST(the_main_loop_belongs_to_the_main_thread),
        TEST(a_timer_tells_when_it_fires),
        TEST(a_timer_that_waits_for_its_queue_is_due),
        TEST(a_timer_that_repeats_waits_once),
        TEST(draining_waits_for_all_work),
    };
    return cmocka_run_group_tests_name("queues", tests, NULL, NULL);
}
