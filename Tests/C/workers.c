/* The threads behind the queues: none is kept waiting by another, nothing is lost, nobody waits for himself. */
#include "suite.h"

#include <signal.h>
#include <sys/prctl.h>

/* ---- Blocked threads ---- */

enum { BLOCKED = 40 };

static void queues_that_block_starve_no_other(void **state) {
    (void)state;
    sgk_queue *blocked[BLOCKED], *concurrent = sgk_queue_concurrent_default();
    door doors[BLOCKED];
    counted c = {0};
    memset(doors, 0, sizeof doors);
    for (int i = 0; i < BLOCKED; i++) {
        blocked[i] = i % 2 ? sgk_queue_create("blocked") : sgk_queue_retain(concurrent);
        sgk_queue_dispatch(blocked[i], wait_at, &doors[i], counted_destroy);
    }
    SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
    sgk_queue_dispatch(other, counted_work, &c, counted_destroy);
    sgk_queue_dispatch(concurrent, counted_work, &c, counted_destroy);
    EVENTUALLY(c.destroyed == 2);
    for (int i = BLOCKED - 1; i >= 0; i--) { /* each of them has a thread by now, or gets one */
        open_and_wait(&doors[i]);
        sgk_queue_release(blocked[i]);
    }
    sgk_queue_release(concurrent);
}

/* Each job waits for the next one, which was put behind it. */
static atomic_int passed;
static void wait_for_next(void *number) {
    EVENTUALLY(passed == (int)(intptr_t)number);
    passed--;
}

static void concurrent_work_may_wait_for_what_comes_behind_it(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) concurrent = sgk_queue_concurrent_background();
    passed = 20;
    for (intptr_t i = 1; i <= 20; i++) sgk_queue_dispatch(concurrent, wait_for_next, (void *)i, NULL);
    EVENTUALLY(passed == 0);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
}

/* ---- Order and turns ---- */

typedef struct again {
    sgk_queue *queue;
    atomic_bool stop;
    atomic_int rounds;
} again;

static void go_on(void *context) {
    again *a = context;
    a->rounds++;
    if (!a->stop) sgk_queue_dispatch(a->queue, go_on, a, NULL);
}

static void a_queue_that_never_rests_lets_the_others_work(void **state) {
    (void)state;
    again restless[16];
    counted c = {0};
    SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
    for (int i = 0; i < 16; i++) {
        restless[i].queue = sgk_queue_create("restless");
        restless[i].stop = false;
        restless[i].rounds = 0;
        sgk_queue_dispatch(restless[i].queue, go_on, &restless[i], NULL);
    }
    EVENTUALLY(restless[15].rounds > 0);
    for (int i = 0; i < 50; i++) {
        sgk_queue_dispatch(other, counted_work, &c, NULL);
        EVENTUALLY(c.calls == i + 1);
    }
    for (int i = 0; i < 16; i++) restless[i].stop = true;
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    for (int i = 0; i < 16; i++) sgk_queue_release(restless[i].queue);
}

typedef struct storm {
    sgk_queue *queue;
    int64_t sum; /* of the queue's work alone, which is serial */
    int last[4]; /* of each thread */
    atomic_bool disordered;
} storm;

typedef struct item {
    storm *storm;
    int thread, number;
} item;

static void add_item(void *context) {
    item *it = context;
    if (it->storm->last[it->thread] + 1 != it->number) it->storm->disordered = true;
    it->storm->last[it->thread] = it->number;
    it->storm->sum += it->number;
}

static void put_items(void *context, int index) {
    storm *s = context;
    for (int i = 1; i <= 3000; i++) {
        item *it = malloc(sizeof *it);
        *it = (item){s, index, i};
        if (i % 7 == 0) sgk_queue_sync(s->queue, add_item, it), free(it);
        else sgk_queue_dispatch(s->queue, add_item, it, free);
    }
}

static void what_threads_put_and_wait_for_keeps_its_order(void **state) {
    (void)state;
    storm s = {sgk_queue_create("storm"), 0, {0, 0, 0, 0}, false};
    in_parallel(4, put_items, &s);
    sgk_queue_sync(s.queue, do_nothing, NULL);
    assert_false(s.disordered);
    assert_true(s.sum == 4 * 3000 * 3001 / 2);
    sgk_queue_release(s.queue);
}

static void work_of_a_queue_that_was_released_runs(void **state) {
    (void)state;
    counted c = {0};
    door door = {0};
    sgk_queue *queue = sgk_queue_create("released");
    sgk_queue_dispatch(queue, wait_at, &door, counted_destroy);
    for (int i = 0; i < 2500; i++) sgk_queue_dispatch(queue, counted_work, &c, counted_destroy); /* more than a turn */
    sgk_queue_release(queue);
    open_and_wait(&door);
    EVENTUALLY(c.destroyed == 2500);
    assert_int_equal(c.calls, 2500);
}

/* ---- Waiting for oneself ---- */

typedef struct circle {
    sgk_queue *first, *second;
    sgk_status status;
    bool was_current;
} circle;

static void come_back(void *context) {
    circle *c = context;
    c->was_current = sgk_queue_is_current(c->first);
    c->status = sgk_queue_sync(c->first, do_nothing, NULL);
}

static void go_round(void *context) {
    circle *c = context;
    assert_int_equal(sgk_queue_sync(c->second, come_back, c), SGK_OK);
}

static void waiting_for_oneself_by_way_of_another_queue_is_an_error(void **state) {
    (void)state;
    for (int busy = 0; busy < 2; busy++) {
        circle c = {sgk_queue_create("first"), sgk_queue_create("second"), SGK_OK, true};
        door door = {0};
        if (busy) sgk_queue_dispatch(c.second, wait_at, &door, counted_destroy); /* so that the work comes to another thread */
        sgk_queue_dispatch(c.first, go_round, &c, NULL);
        if (busy) open_and_wait(&door);
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
        assert_int_equal(c.status, SGK_ERROR_THREAD);
        assert_false(c.was_current);
        sgk_queue_release(c.first);
        sgk_queue_release(c.second);
    }
}

/* ---- What the threads are ---- */

static void look_at_thread(void *context) {
    sigset_t *blocked = context;
    pthread_sigmask(SIG_SETMASK, NULL, blocked);
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    if (strcmp(name, "signalkit") != 0) sigemptyset(blocked);
}

static void the_threads_have_a_name_and_take_no_signals(void **state) {
    (void)state;
    sigset_t blocked;
    sigemptyset(&blocked);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    sgk_queue_dispatch(queue, look_at_thread, &blocked, NULL);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_true(sigismember(&blocked, SIGTERM) && sigismember(&blocked, SIGCHLD) && sigismember(&blocked, SIGINT));
}

int run_workers(void) {
    const struct CMUnitTest tests[] = {
        TEST(queues_that_block_starve_no_other),
        TEST(concurrent_work_may_wait_for_what_comes_behind_it),
        TEST(a_queue_that_never_rests_lets_the_others_work),
        TEST(what_threads_put_and_wait_for_keeps_its_order),
        TEST(work_of_a_queue_that_was_released_runs),
        TEST(waiting_for_oneself_by_way_of_another_queue_is_an_error),
        TEST(the_threads_have_a_name_and_take_no_signals),
    };
    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
