/* Queues in the child of a fork: they are usable and empty there. Pending and running work continues only in the
 * parent. */
#include <poll.h>
#include <pthread.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    ((condition) ? (void)0 \
                 : (printf("%s, line %d: %s (%s)\n", who, __LINE__, #condition, sgk_last_error()), fflush(stdout), \
                       _exit(1)))
#define EVENTUALLY(condition) \
    do { \
        for (int i = 0; !(condition) && i < 60000; i++) usleep(1000); \
        CHECK(condition); \
    } while (0)

static const char *who = "parent";
static atomic_bool open_doors;
static atomic_int begun, old, new, fired, destroyed;
static sgk_queue *main_queue;

static void wait_at_door(void *context) {
    (void)context;
    begun++;
    while (!open_doors) usleep(1000);
}
static void count(void *counter) { ++*(atomic_int *)counter; }
static void destroy(void *context) { (void)context, destroyed++; }

enum { OWN, BUSY, GLOBAL, POOL, MAIN, QUEUES };

static void use_all(sgk_queue **queues) {
    new = 0;
    for (int i = 0; i < QUEUES; i++) CHECK(sgk_queue_dispatch(queues[i], count, &new, NULL) == SGK_OK);
    EVENTUALLY((sgk_main_drain(), new == QUEUES));
    for (int i = 0; i < QUEUES; i++) {
        sgk_disposable *later = sgk_queue_after(queues[i], 0.002, count, &new, NULL);
        CHECK(later);
        sgk_disposable_release(later);
    }
    EVENTUALLY((sgk_main_drain(), new == 2 * QUEUES));
    for (int i = 0; i < QUEUES; i++) CHECK(sgk_queue_sync(queues[i], count, &new) == SGK_OK);
    CHECK(new == 3 * QUEUES);
}

/* Work that the parent started and finished does not count: only work of the child does. */
static void wait_in_vain(sgk_queue *queue) {
    open_doors = false;
    CHECK(sgk_queue_dispatch(queue, wait_at_door, NULL, NULL) == SGK_OK);
    CHECK(sgk_drain(0.01) == SGK_ERROR_TIMEOUT);
    open_doors = true;
}

static char graph[65536];
static void add_to_graph(void *context, const char *bytes, size_t length) {
    CHECK(strlen(graph) + length < sizeof graph);
    strncat(graph, bytes, length);
    (void)context;
}

/* Returns the main queue's counts, as inspection reports them. */
static bool main_only_waits(void) {
    long long done;
    char running[6] = "";
    graph[0] = 0;
    CHECK(sgk_debug_graph(SGK_DEBUG_JSON, add_to_graph, NULL) == SGK_OK);
    const char *seen = strstr(graph, "{\"name\":\"main\",\"depth\":1,");
    return seen && sscanf(strstr(seen, "\"done\""), "\"done\":%lld,\"running\":%5[a-z]", &done, running) == 2 &&
        strcmp(running, "false") == 0;
}

static bool is_readable(void) {
    struct pollfd ready = {sgk_main_fd(), POLLIN, 0};
    return poll(&ready, 1, 0) == 1;
}

static void in_child(void (*look)(void *context), void *context) {
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        who = "child";
        alarm(60); /* something that is never done */
        old = new = 0;
        look(context);
        _exit(0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

typedef struct door {
    atomic_bool is_reached, is_open;
} door;
static void pass(void *context) {
    door *door = context;
    door->is_reached = true;
    while (!door->is_open) usleep(1000);
}
static void dispatch(sgk_queue *queue, sgk_work_fn work, void *context) {
    CHECK(sgk_queue_dispatch(queue, work, context, NULL) == SGK_OK);
}

/* Three queues: on the one thread of a pool, or on the library's threads. */
typedef struct trio {
    sgk_queue *queues[3];
} trio;

static void count_value(void *counter, sgk_value value) { (void)value, count(counter); }

/* A dispatch asks whether there is a thread before, a delivery does not. */
static void use_trio(void *context) {
    trio *trio = context;
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(one, trio->queues[2]);
    sgk_disposable_release(sgk_signal_start_next(there, count_value, &new, NULL));
    EVENTUALLY(new == 1);
    new = 0;
    for (int i = 0; i < 3; i++) dispatch(trio->queues[i], count, &new);
    EVENTUALLY(new == 3);
    for (int i = 0; i < 3; i++) CHECK(sgk_queue_sync(trio->queues[i], count, &new) == SGK_OK);
    CHECK(sgk_drain(60) == SGK_OK && old == 0);
}

/* Pending work is in three places: in the inbox, in the queue, and in the pool. */
static void fork_with_work_waiting(trio *trio) {
    door first = {0}, second = {0};
    old = 0;
    dispatch(trio->queues[0], pass, &first);
    EVENTUALLY(first.is_reached);
    dispatch(trio->queues[0], count, &old);
    dispatch(trio->queues[1], pass, &second);
    dispatch(trio->queues[1], count, &old);
    dispatch(trio->queues[2], count, &old);
    in_child(use_trio, trio); /* nothing has been taken; all threads are at work */
    dispatch(trio->queues[0], count, &old);
    first.is_open = true;
    EVENTUALLY(second.is_reached);
    in_child(use_trio, trio); /* the second queue has taken the pending work, and so has the pool */
    second.is_open = true;
    EVENTUALLY(old == 4);
    CHECK(sgk_drain(60) == SGK_OK);
    in_child(use_trio, trio); /* all rest */
}

/* On the only thread of its pool, so that work of another queue after it runs after it. */
static atomic_bool is_over;
static void end_child(void *context) {
    (void)context;
    CHECK(is_over);
    _exit(0);
}
static void go_on(void *context) {
    trio *trio = context;
    CHECK(sgk_queue_is_current(trio->queues[0]));
    CHECK(sgk_queue_async(trio->queues[0], count, &new, NULL) == SGK_OK && new == 1);
    dispatch(trio->queues[0], end_child, NULL); /* comes behind this */
    dispatch(trio->queues[1], count, &new);
    EVENTUALLY(new == 2);
    is_over = true;
}
static void fork_and_go_on(void *context) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        who = "child that goes on";
        alarm(60);
        new = 0;
        return go_on(context); /* the thread continues with the queue */
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* On another thread than the one that runs the main queue. */
static void use_main(void *context) {
    (void)context;
    dispatch(main_queue, count, &new);
    CHECK(is_readable() && main_only_waits());
    sgk_main_drain();
    CHECK(new == 1 && old == 0);
}
static void fork_elsewhere(void *context) {
    in_child(use_main, NULL);
    ((door *)context)->is_open = true;
}
static void fork_while_main_drains(sgk_queue *queue) {
    door door = {0};
    old = 0;
    dispatch(main_queue, pass, &door);
    dispatch(main_queue, count, &old);
    dispatch(queue, fork_elsewhere, &door);
    sgk_main_drain();
    CHECK(old == 1);
}

static bool is_child;
static void fork_main(void *context) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        who = "child that drains";
        is_child = true;
        dispatch(main_queue, count, &new);
        sgk_main_drain(); /* not from inside */
        CHECK(new == 0);
        return;
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    (void)context;
}
static void fork_in_main(void) {
    new = old = 0;
    dispatch(main_queue, fork_main, NULL);
    dispatch(main_queue, count, &old);
    sgk_main_drain();
    CHECK(old == 1);
    if (!is_child) return;
    sgk_main_drain();
    CHECK(new == 1);
    _exit(0);
}

/* The parent's timer is the earlier one. Nobody asks for the clock before the operator does. */
static void outlive(void *context) {
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) late = sgk_signal_delay_start(one, 0.1, context);
    sgk_disposable_release(sgk_signal_start_next(late, count_value, &new, NULL));
    EVENTUALLY(new == 1);
    sgk_disposable *timer = sgk_queue_after(context, 0.1, count, &new, NULL);
    EVENTUALLY(new == 2);
    CHECK(sgk_drain(60) == SGK_OK && old == 0);
    sgk_disposable_release(timer);
}
static void fork_with_a_timer(sgk_queue *queue) {
    old = 0;
    sgk_disposable *timer = sgk_queue_after(queue, 0.05, count, &old, NULL);
    in_child(outlive, queue);
    EVENTUALLY(old == 1);
    sgk_disposable_release(timer);
}

/* Others put work all the time: somebody is inside of everything. */
static atomic_bool is_enough;
static void *put_work(void *context) {
    trio *trio = context;
    while (!is_enough) {
        for (int i = 0; i < 3; i++) dispatch(trio->queues[i], count, &old);
        CHECK(sgk_queue_sync(trio->queues[0], count, &old) == SGK_OK);
    }
    return NULL;
}
static void fork_in_a_storm(trio *trio) {
    enum { FORKS = 100 };
    pthread_t threads[2];
    is_enough = false;
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, put_work, trio) == 0);
    for (int i = 0; i < FORKS; i++) in_child(use_trio, trio);
    is_enough = true;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

int main(void) {
    sgk_thread_pool *pool = sgk_thread_pool_create(2, 0.5);
    sgk_queue *queues[QUEUES] = {sgk_queue_create("own"), sgk_queue_create("busy"), sgk_queue_concurrent_default(),
        sgk_thread_pool_next_queue(pool), sgk_queue_main()};
    main_queue = queues[MAIN];
    use_all(queues);
    for (int round = 0; round < 20; round++) {
        /* Work runs and waits everywhere. */
        open_doors = false;
        begun = old = 0;
        for (int i = 0; i < MAIN; i++) sgk_queue_dispatch(queues[i], wait_at_door, NULL, NULL);
        EVENTUALLY(begun == MAIN);
        for (int i = 0; i < QUEUES; i++) sgk_queue_dispatch(queues[i], count, &old, NULL);
        fired = destroyed = 0;
        sgk_disposable *timer = sgk_queue_after(queues[OWN], 0.001, count, &old, destroy),
                       *far = sgk_queue_after(queues[OWN], 1000, count, &old, destroy);
        /* One expires now or soon; the other is pending. */
        sgk_timer *timers[2];
        for (int i = 0; i < 2; i++) {
            timers[i] = sgk_timer_create(i == 0 ? 0.0001 : 1000, false, count, &fired, destroy, queues[OWN]);
            CHECK(sgk_timer_start(timers[i]) == SGK_OK);
        }
        if (round % 2 == 0) usleep(2000);
        CHECK(is_readable());
        fflush(NULL);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            who = "child";
            old = 0;
            use_all(queues);
            CHECK(!is_readable());
            sgk_disposable_dispose(timer);
            sgk_disposable_dispose(far);
            /* The parent's timers do nothing here, and a timer that is set here fires. */
            CHECK(destroyed == 0 && !sgk_timer_is_scheduled(timers[1]));
            for (int i = 0; i < 2; i++) CHECK(sgk_timer_reset_timeout(timers[i], 0.001) == SGK_OK);
            EVENTUALLY(fired == 2);
            for (int i = 0; i < 2; i++) {
                sgk_queue *fresh = sgk_queue_create("fresh");
                CHECK(sgk_queue_sync(fresh, count, &new) == SGK_OK);
                sgk_queue_release(fresh);
            }
            wait_in_vain(queues[OWN]);
            CHECK(sgk_drain(60) == SGK_OK);
            CHECK(old == 0);
            _exit(0);
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        CHECK(is_readable());
        open_doors = true;
        EVENTUALLY((sgk_main_drain(), old == QUEUES + 1));
        sgk_disposable_dispose(far);
        EVENTUALLY(fired == 1 && destroyed == 2);
        for (int i = 0; i < 2; i++) sgk_timer_release(timers[i]);
        EVENTUALLY(destroyed == 4);
        sgk_disposable_release(far);
        sgk_disposable_release(timer);
        use_all(queues);
    }
    sgk_thread_pool *narrow = sgk_thread_pool_create(1, 0.5);
    trio one_thread, threads;
    for (int i = 0; i < 3; i++) {
        one_thread.queues[i] = sgk_thread_pool_next_queue(narrow);
        threads.queues[i] = sgk_queue_create("one of three");
    }
    fork_with_work_waiting(&one_thread);
    fork_with_work_waiting(&threads);
    dispatch(one_thread.queues[0], fork_and_go_on, &one_thread);
    CHECK(sgk_drain(60) == SGK_OK);
    fork_while_main_drains(queues[OWN]);
    fork_in_main();
    fork_with_a_timer(queues[OWN]);
    fork_in_a_storm(&one_thread);
    fork_in_a_storm(&threads);
    for (int i = 0; i < 3; i++) {
        sgk_queue_release(one_thread.queues[i]);
        sgk_queue_release(threads.queues[i]);
    }
    sgk_thread_pool_release(narrow);
    for (int i = 0; i < QUEUES; i++) sgk_queue_release(queues[i]);
    sgk_thread_pool_release(pool);
    EVENTUALLY(sgk_live_total() == 0);
    return 0;
}
