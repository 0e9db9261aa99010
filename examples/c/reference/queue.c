/* Examples of signalkit/queue.h. */
#include "print.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>

static void say(void *text) { puts(text); }

static void thread_begins(void *context, const char *name) {
    (void)context;
    printf("%s begins\n", name);
}
static void thread_ends(void *ended, const char *name) {
    printf("%s ends\n", name);
    sem_post(ended);
}

/* sgk_set_thread_hooks
 * Each thread of the pool reports its begin and its end. */
static void thread_hooks(void) {
    sem_t ended;
    sem_init(&ended, 0, 0);
    sgk_set_thread_hooks(thread_begins, thread_ends, &ended, NULL);
    sgk_thread_pool *pool = sgk_thread_pool_create(1, 0.5);
    sgk_disposable_release(sgk_thread_pool_add_task(pool, say, "a task", NULL));
    sgk_drain(10);
    sgk_thread_pool_release(pool);
    sem_wait(&ended);
    sgk_set_thread_hooks(NULL, NULL, NULL, NULL);
}
/* signalkit-pool begins
 * a task
 * signalkit-pool ends */

/* sgk_queue_create, sgk_queue_dispatch, sgk_drain
 * Work runs on a thread of the library, in order, one at a time. */
static void create(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    sgk_queue_dispatch(worker, say, "first", NULL);
    sgk_queue_dispatch(worker, say, "second", NULL);
    sgk_drain(10);
}
/* first
 * second */

static void meet(void *barrier) { pthread_barrier_wait(barrier); }

/* sgk_queue_create_concurrent
 * Two jobs run simultaneously: each waits for the other one. */
static void create_concurrent(void) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    SGK_AUTO(sgk_queue) workers = sgk_queue_create_concurrent("workers", 2);
    sgk_queue_dispatch(workers, meet, &barrier, NULL);
    sgk_queue_dispatch(workers, meet, &barrier, NULL);
    puts(sgk_drain(10) == SGK_OK ? "both have met" : sgk_last_error());
    pthread_barrier_destroy(&barrier);
}
/* both have met */

static void tell_where(void *queue) { printf("on the queue: %d\n", sgk_queue_is_current(queue)); }

/* sgk_queue_sync, sgk_queue_is_current
 * When the call returns the work is done. */
static void sync(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    sgk_queue_sync(worker, tell_where, worker);
    tell_where(worker);
}
/* on the queue: 1
 * on the queue: 0 */

static void twice(void *queue) {
    sgk_queue_dispatch(queue, say, "later", NULL);
    sgk_queue_async(queue, say, "at once", NULL);
}

/* sgk_queue_async
 * Work that is enqueued on its own queue runs immediately. Other work waits. */
static void async(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    sgk_queue_async(worker, twice, worker, NULL);
    sgk_drain(10);
}
/* at once
 * later */

/* sgk_queue_concurrent_default, sgk_queue_concurrent_background
 * Work that needs no order runs on as many threads as there are processors. */
static void concurrent(void) {
    SGK_AUTO(sgk_queue) common = sgk_queue_concurrent_default();
    SGK_AUTO(sgk_queue) unhurried = sgk_queue_concurrent_background();
    sgk_queue_dispatch(common, say, "done", NULL);
    sgk_drain(10);
    sgk_queue_dispatch(unhurried, say, "done as well", NULL);
    sgk_drain(10);
}
/* done
 * done as well */

/* sgk_queue_after
 * Work that is disposed before its time does not run. */
static void after(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_disposable) second = sgk_queue_after(time, 2, say, "after two seconds", NULL);
    SGK_AUTO(sgk_disposable) first = sgk_queue_after(time, 1, say, "after one second", NULL);
    SGK_AUTO(sgk_disposable) third = sgk_queue_after(time, 3, say, "never", NULL);
    sgk_disposable_dispose(third);
    sgk_queue_advance(time, 10);
}
/* after one second
 * after two seconds */

static void stop(void *context) {
    (void)context;
    puts("on the main thread");
    sgk_main_stop();
}

/* sgk_queue_main, sgk_main_run, sgk_main_stop
 * A program whose work is done on its main thread, until something stops it. */
static void main_run(void) {
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    sgk_queue_dispatch(main_queue, stop, NULL, NULL);
    sgk_main_run();
    puts("stopped");
}
/* on the main thread
 * stopped */

/* sgk_main_run_until
 * The program ends with its subscription, which is delivered on the main queue. */
static void main_run_until(void) {
    SGK_AUTO(sgk_signal) two = sgk_signal_range(0, 2);
    SGK_AUTO(sgk_signal) here = sgk_signal_deliver_on(two, sgk_queue_main());
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(here, print, NULL, NULL);
    if (sgk_main_run_until(subscription, 60) == SGK_OK) puts("over");
}
/* 0
 * 1
 * over */

/* sgk_main_fd, sgk_main_drain
 * A program with its own loop watches a descriptor and runs the pending work. */
static void main_drain(void) {
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    sgk_queue_dispatch(main_queue, say, "on the main thread", NULL);
    struct pollfd ready = {sgk_main_fd(), POLLIN, 0};
    while (poll(&ready, 1, 0) > 0) sgk_main_drain();
}
/* on the main thread */

static void tick(void *queue) { printf("%g s\n", sgk_queue_now(queue)); }

/* sgk_timer_create, sgk_timer_start, sgk_timer_invalidate */
static void timer(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_timer) timer = sgk_timer_create(2, true, tick, time, NULL, time);
    sgk_timer_start(timer);
    sgk_queue_advance(time, 5);
    sgk_timer_invalidate(timer);
    sgk_queue_advance(time, 5);
}
/* 2 s
 * 4 s */

/* sgk_timer_fire_and_invalidate
 * Fires a timer of an hour immediately, and only once. */
static void fire(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_timer) save = sgk_timer_create(3600, false, tick, time, NULL, time);
    sgk_timer_start(save);
    sgk_timer_fire_and_invalidate(save);
    sgk_queue_advance(time, 7200);
}
/* 0 s */

/* sgk_timer_reset_timeout, sgk_timer_is_scheduled, sgk_timer_remaining_time
 * Each action restarts the time-out of the session. */
static void reset(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_timer) session = sgk_timer_create(10, false, tick, time, NULL, time);
    sgk_timer_start(session);
    sgk_queue_advance(time, 9);
    printf("%g s are left\n", sgk_timer_remaining_time(session));
    sgk_timer_reset_timeout(session, 10);
    sgk_queue_advance(time, 9);
    printf("it still waits: %d\n", sgk_timer_is_scheduled(session));
    sgk_queue_advance(time, 9);
}
/* 1 s are left
 * it still waits: 1
 * 19 s */

/* sgk_timer_timeout_date
 * Returns the time of the wall clock, or infinity if the timer was never started. */
static void timeout_date(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_timer) timer = sgk_timer_create(3600, false, say, "an hour", NULL, worker);
    printf("no date: %d\n", isinf(sgk_timer_timeout_date(timer)));
    sgk_timer_start(timer);
    printf("in this millennium: %d\n", sgk_timer_timeout_date(timer) > 978307200);
}
/* no date: 1
 * in this millennium: 1 */

int main(void) {
    thread_hooks();
    create();
    create_concurrent();
    sync();
    async();
    concurrent();
    after();
    main_run();
    main_run_until();
    main_drain();
    timer();
    fire();
    reset();
    timeout_date();
}
