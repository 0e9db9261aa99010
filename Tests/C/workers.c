/* The threads behind the queues: none is kept waiting by another, nothing is lost, nobody waits for himself. */
#include "suite.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- The thread that watches descriptors ---- */

static void one_thread_watches_all_descriptors(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("watched");
    SGK_AUTO(sgk_signal) ready = sgk_signal_fd(ends[0], SGK_FD_READ, queue);
    SGK_AUTO(sgk_disposable) one = sgk_signal_start(ready, NULL);
    SGK_AUTO(sgk_disposable) other = sgk_signal_start(ready, NULL);
    EVENTUALLY(threads_named("signalkit-watch") == 1);
    sgk_disposable_dispose(one);
    sgk_disposable_dispose(other);
    close(ends[0]), close(ends[1]);
}

/* ---- The thread of the clock ---- */

/* Returns how often the thread has gone to sleep. */
static long rests_of_the_clock(void) {
    char path[300] = "", line[200];
    long rests = -1;
    assert_int_equal(threads_of("signalkit-clock", path), 1);
    FILE *status = fopen(path, "r");
    assert_non_null(status);
    while (fgets(line, sizeof line, status)) sscanf(line, "voluntary_ctxt_switches: %ld", &rests);
    fclose(status);
    assert_true(rests >= 0);
    return rests;
}

/* Like time-outs that each event restarts. The thread sleeps until the first time. */
static void to_put_off_a_timer_wakes_nobody(void **state) {
    (void)state;
    enum { TIMES = 5000 };
    counted c = {0};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("puts off");
    sgk_timer *timer = sgk_timer_create(100, false, counted_work, &c, counted_destroy, queue);
    sgk_timer_start(timer);
    EVENTUALLY(threads_named("signalkit-clock") == 1); /* it may have just been started */
    EVENTUALLY(rests_of_the_clock() > 0);
    long before = rests_of_the_clock();
    for (int i = 0; i < TIMES; i++) {
        assert_int_equal(sgk_timer_reset_timeout(timer, 100 + i), SGK_OK);
        sgk_disposable *after = sgk_queue_after(queue, 200, counted_work, NULL, NULL);
        sgk_disposable_dispose(after);
        sgk_disposable_release(after);
        if (i % 100 == 0) usleep(100); /* it would have time to look, and to go to sleep again */
    }
    assert_true(rests_of_the_clock() - before < 20);
    sgk_timer_release(timer);
    EVENTUALLY(c.destroyed == 1);
    assert_int_equal(c.calls, 0);
}

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

typedef struct closed_door {
    atomic_bool is_reached, is_open;
} closed_door;

static void reach_and_wait(void *context) {
    closed_door *d = context;
    d->is_reached = true;
    EVENTUALLY(d->is_open);
}

/* No work is pending when all threads are blocked. New work must start the check for blocked threads. */
static void queues_that_block_one_after_another_get_threads(void **state) {
    (void)state;
    enum { MORE = 6 };
    closed_door doors[MORE];
    sgk_queue *blocked[MORE];
    memset(doors, 0, sizeof doors);
    for (int i = 0; i < MORE; i++) {
        blocked[i] = sgk_queue_create("blocked");
        sgk_queue_dispatch(blocked[i], reach_and_wait, &doors[i], NULL);
        EVENTUALLY(doors[i].is_reached);
    }
    for (int i = 0; i < MORE; i++) {
        doors[i].is_open = true;
        sgk_queue_release(blocked[i]);
    }
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
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

typedef struct computation {
    atomic_int at_work;
    atomic_bool stop;
} computation;

static void compute(void *context) {
    computation *c = context;
    c->at_work++;
    while (!c->stop) {}
}

/* Threads that were idle for seconds end, except one of each set. Computing threads are not blocked, and more threads
 * would not help. */
static void there_are_no_more_threads_than_are_of_use(void **state) {
    (void)state;
    computation c = {0, false};
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    int processors = CPU_COUNT(&set);
    SGK_AUTO(sgk_queue) concurrent = sgk_queue_concurrent_background();
    concurrent_work_may_wait_for_what_comes_behind_it(state); /* makes many there */
    assert_true(threads_named("signalkit") > 2);
    EVENTUALLY(threads_named("signalkit") <= 2);
    for (int i = 0; i < 50; i++) sleep_a_moment();
    assert_true(threads_named("signalkit") > 0);
    /* Under an instrument threads may wait for it, and not for a processor. */
    if (getenv("SUITE_ROUNDS") && !getenv("SIGNALKIT_MUTANT")) return;
    if (getenv("PORTABLE")) return; /* a thread that has had no turn for long passes for blocked there */
    for (int i = 0; i < processors + 4; i++) sgk_queue_dispatch(concurrent, compute, &c, NULL);
    EVENTUALLY(c.at_work >= processors);
    for (int i = 0; i < 150; i++) sleep_a_moment(); /* more than the longest time between two looks at the threads */
    assert_int_equal(c.at_work, processors);
    c.stop = true;
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
}

static void *compute_beside(void *context) {
    compute(context);
    return NULL;
}

/* Waiting threads check each millisecond whether they may continue. The pool must not take that for work. */
static void blocked_threads_get_company_on_a_machine_that_is_busy(void **state) {
    (void)state;
    enum { MOST = 4 };
    int busy = getenv("SUITE_SLOW") ? 1 : MOST; /* which shares one processor with all others */
    pthread_t others[MOST];
    computation c = {0, false};
    for (int i = 0; i < busy; i++) assert_int_equal(pthread_create(&others[i], NULL, compute_beside, &c), 0);
    EVENTUALLY(c.at_work == busy);
    concurrent_work_may_wait_for_what_comes_behind_it(state);
    c.stop = true;
    for (int i = 0; i < busy; i++) pthread_join(others[i], NULL);
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

static void would_wait_for_itself(sgk_queue *first, sgk_queue *second) {
    circle c = {first, second, SGK_OK, true};
    sgk_queue_dispatch(first, go_round, &c, NULL);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_int_equal(c.status, SGK_ERROR_THREAD);
    assert_false(c.was_current);
}

static void waiting_for_oneself_by_way_of_another_queue_is_an_error(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_thread_pool) large = sgk_thread_pool_create(3, 0.5);
    /* The work of the second queue runs on the same thread, or on a pool's: in a separate queue, or in none. */
    sgk_queue *seconds[] = {sgk_queue_create("second"), sgk_thread_pool_next_queue(pool), sgk_thread_pool_queue(pool),
        sgk_thread_pool_next_queue(large), sgk_thread_pool_queue(large)};
    SGK_AUTO(sgk_queue) first = sgk_queue_create("first");
    for (int i = 0; i < 5; i++) would_wait_for_itself(first, seconds[i]);
    /* The idle threads of the large pool do not help the thread that waits for the small pool. */
    for (int i = 3; i < 5; i++) {
        for (int k = 1; k < 3; k++) would_wait_for_itself(seconds[k], seconds[i]);
    }
    for (int i = 0; i < 5; i++) sgk_queue_release(seconds[i]);
}

/* Work that started independently, on queues that wait for each other. */
typedef struct meeting {
    pthread_barrier_t *both_are_there;
    sgk_queue *other;
    sgk_status status;
} meeting;

static void meet(void *context) {
    meeting *m = context;
    pthread_barrier_wait(m->both_are_there);
    m->status = sgk_queue_sync(m->other, do_nothing, NULL);
}

static void queues_that_wait_for_each_other(void **state) {
    (void)state;
    pthread_barrier_t both_are_there;
    pthread_barrier_init(&both_are_there, NULL, 2);
    sgk_queue *queues[] = {sgk_queue_create("first"), sgk_queue_create("second")};
    for (int round = 0; round < 100; round++) {
        meeting meetings[] = {{&both_are_there, queues[1], SGK_OK}, {&both_are_there, queues[0], SGK_OK}};
        for (int i = 0; i < 2; i++) sgk_queue_dispatch(queues[i], meet, &meetings[i], NULL);
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
        assert_true(meetings[0].status == SGK_OK || meetings[0].status == SGK_ERROR_THREAD);
        assert_true(meetings[1].status == SGK_OK || meetings[1].status == SGK_ERROR_THREAD);
        assert_true(meetings[0].status == SGK_OK || meetings[1].status == SGK_OK);
    }
    for (int i = 0; i < 2; i++) sgk_queue_release(queues[i]);
    pthread_barrier_destroy(&both_are_there);
}

static void wait_for_first(void *context) {
    circle *c = context;
    c->status = sgk_queue_sync(c->first, do_nothing, NULL);
}

static void let_second_wait(void *context) {
    circle *c = context;
    sgk_queue_dispatch(c->second, wait_for_first, c, NULL);
}

static void wait_for_second(void *context) {
    circle *c = context;
    assert_int_equal(sgk_queue_sync(c->second, let_second_wait, c), SGK_OK);
}

/* The second queue runs its next work before the woken thread runs. */
static void a_wait_is_over_before_its_thread_wakes(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    circle c = {sgk_queue_create("first"), sgk_thread_pool_next_queue(pool), SGK_OK, false};
    for (int round = 0; round < 200; round++) {
        sgk_queue_dispatch(c.first, wait_for_second, &c, NULL);
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
        assert_int_equal(c.status, SGK_OK);
    }
    sgk_queue_release(c.first);
    sgk_queue_release(c.second);
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

static void look_at_priority(void *context) { *(int *)context = getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid)); }

/* The work has the only reference, and releases it before the call that enqueued it has returned. */
static void a_queue_may_go_with_its_work(void **state) {
    (void)state;
    for (int i = 0, many = repeated(100000); i < many; i++) {
        sgk_queue *queue = sgk_queue_create("short");
        assert_int_equal((i % 2 ? sgk_queue_dispatch : sgk_queue_async)(queue, do_nothing, queue, sgk_release), SGK_OK);
    }
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
}

static void the_background_has_a_lower_priority(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip(); /* POSIX knows only the process's priority */
    int usual = -100, background = -100, own = getpriority(PRIO_PROCESS, 0);
    SGK_AUTO(sgk_queue) first = sgk_queue_create("usual");
    SGK_AUTO(sgk_queue) second = sgk_queue_concurrent_background();
    sgk_queue_dispatch(first, look_at_priority, &usual, NULL);
    sgk_queue_dispatch(second, look_at_priority, &background, NULL);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_int_equal(usual, own);
    assert_int_equal(background, 10);
}

/* Pending work is released, also in its queues, and idle and busy threads end. */
static void the_threads_of_a_pool_end_with_it(void **state) {
    (void)state;
    closed_door d = {false, false};
    counted c = {0};
    sgk_thread_pool *pool = sgk_thread_pool_create(4, 0.5);
    sgk_queue *line = sgk_thread_pool_next_queue(pool);
    EVENTUALLY(threads_named("signalkit-pool") == 4);
    sgk_queue_dispatch(line, reach_and_wait, &d, NULL);
    EVENTUALLY(d.is_reached);
    for (int i = 0; i < 3; i++) sgk_queue_dispatch(line, counted_work, &c, counted_destroy);
    sgk_thread_pool_shutdown(pool);
    d.is_open = true;
    EVENTUALLY(threads_named("signalkit-pool") == 0);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_true(c.calls == 0 && c.destroyed == 3);
    sgk_queue_release(line);
    sgk_thread_pool_release(pool);
}

static void wait_at_barrier(void *barrier) { pthread_barrier_wait(barrier); }

/* All threads of a concurrent queue work simultaneously. Pending work runs after the release of the queue. */
static void the_threads_of_a_concurrent_queue_end_after_its_work(void **state) {
    (void)state;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 4);
    sgk_queue *queue = sgk_queue_create_concurrent("crew", 3);
    EVENTUALLY(threads_named("signalkit-pool") == 3);
    assert_false(sgk_queue_is_current(queue));
    SGK_AUTO(sgk_signal) s = sgk_signal_never();
    sgk_signal_replace(&s, sgk_signal_run_on(s, queue));
    sgk_value text = sgk_signal_describe(s, SGK_DEBUG_TEXT);
    assert_non_null(strstr(sgk_to_text(text), "\"crew\""));
    sgk_value_release(text);
    for (int i = 0; i < 3; i++) sgk_queue_dispatch(queue, wait_at_barrier, &barrier, NULL);
    pthread_barrier_wait(&barrier);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    sgk_signal_replace(&s, NULL);
    sgk_queue_release(queue);
    EVENTUALLY(threads_named("signalkit-pool") == 0);
    pthread_barrier_destroy(&barrier);

    closed_door d = {false, false};
    counted c = {0};
    queue = sgk_queue_create_concurrent(NULL, 1);
    sgk_queue_dispatch(queue, reach_and_wait, &d, NULL);
    EVENTUALLY(d.is_reached);
    for (int i = 0; i < 3; i++) sgk_queue_dispatch(queue, counted_work, &c, counted_destroy);
    sgk_queue_release(queue);
    d.is_open = true;
    EVENTUALLY(threads_named("signalkit-pool") == 0);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    assert_true(c.calls == 3 && c.destroyed == 3);
}

int run_workers(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_thread_watches_all_descriptors),
        TEST(to_put_off_a_timer_wakes_nobody),
        TEST(queues_that_block_starve_no_other),
        TEST(there_are_no_more_threads_than_are_of_use),
        TEST(queues_that_block_one_after_another_get_threads),
        TEST(blocked_threads_get_company_on_a_machine_that_is_busy), /* while the pool is small */
        TEST(concurrent_work_may_wait_for_what_comes_behind_it),
        TEST(a_queue_that_never_rests_lets_the_others_work),
        TEST(what_threads_put_and_wait_for_keeps_its_order),
        TEST(work_of_a_queue_that_was_released_runs),
        TEST(waiting_for_oneself_by_way_of_another_queue_is_an_error),
        TEST(queues_that_wait_for_each_other),
        TEST(a_wait_is_over_before_its_thread_wakes),
        TEST(the_threads_have_a_name_and_take_no_signals),
        TEST(the_background_has_a_lower_priority),
        TEST(a_queue_may_go_with_its_work),
        TEST(the_threads_of_a_pool_end_with_it),
        TEST(the_threads_of_a_concurrent_queue_end_after_its_work),
    };
    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
