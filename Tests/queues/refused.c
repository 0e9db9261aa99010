/* A system that creates no threads. Functions that need a thread then fail and leave nothing behind. Work waits until a
 * thread is free. This pthread_create replaces the C library's. */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef int (*create_fn)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int granted = -1; /* how many threads more; -1: any number */
static atomic_int calls;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    if (granted == 0) return EAGAIN;
    if (granted > 0) granted--;
    return ((create_fn)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, argument);
}

static void count(void *context) {
    (void)context;
    calls++;
}

static atomic_int destroyed, warnings;
static void destroy(void *context) {
    (void)context;
    destroyed++;
}
static void log_it(void *context, const char *message) {
    (void)context;
    if (strstr(message, "cannot create a thread")) warnings++;
}

static atomic_bool is_open;
static void wait_at(void *context) {
    (void)context;
    while (!is_open) nanosleep(&(struct timespec){0, 1000000}, NULL);
}

#define CHECK(condition) \
    if (!(condition)) return printf("line %d: %s: %s\n", __LINE__, #condition, sgk_last_error()), 1

static void count_value(void *context, sgk_value value) { (void)value, count(context); }
static sgk_value same(void *context, sgk_value value) {
    (void)context;
    return value;
}

/* Before anything has a thread. */
static int queues(void) {
    SGK_AUTO(sgk_queue) first = sgk_queue_create("first");
    SGK_AUTO(sgk_queue) second = sgk_queue_create("second");
    SGK_AUTO(sgk_queue) concurrent = sgk_queue_concurrent_default();
    sgk_queue *all[] = {first, second, concurrent};
    sgk_set_log_handler(log_it, NULL, NULL);
    granted = 0;
    for (int i = 0; i < 3; i++) {
        CHECK(sgk_queue_dispatch(all[i], count, NULL, destroy) == SGK_ERROR_SYSTEM &&
            strncmp(sgk_last_error(), "sgk_queue_dispatch: queue: ", 27) == 0);
        CHECK(sgk_queue_async(all[i], count, NULL, destroy) == SGK_ERROR_SYSTEM &&
            strncmp(sgk_last_error(), "sgk_queue_async: queue: ", 24) == 0);
        CHECK(!sgk_queue_after(all[i], 0.001, count, NULL, destroy) && sgk_last_status() == SGK_ERROR_SYSTEM);
        CHECK(destroyed == 3 * (i + 1) && calls == i);
        SGK_AUTO(sgk_timer) timer = sgk_timer_create(0.001, false, count, NULL, NULL, all[i]);
        CHECK(timer && sgk_timer_start(timer) == SGK_ERROR_SYSTEM &&
            strncmp(sgk_last_error(), "sgk_timer_start: queue: ", 24) == 0);
        CHECK(sgk_queue_sync(all[i], count, NULL) == SGK_OK && calls == i + 1); /* on the calling thread */
    }
    /* Functions without a status wait, and log it. */
    {
        SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
        SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(one, first);
        SGK_AUTO(sgk_signal) mapped = sgk_signal_map(delivered, same, NULL, destroy);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(mapped, count_value, NULL, destroy);
        CHECK(run && warnings > 0 && calls == 3 && destroyed == 9);
        /* Work before it is pending without end. */
        CHECK(sgk_queue_sync(first, count, NULL) == SGK_ERROR_SYSTEM && calls == 3);
        granted = 1;
        CHECK(sgk_queue_dispatch(second, wait_at, NULL, destroy) == SGK_OK); /* brings the thread */
    }
    /* One thread does for all, one thing after another. */
    for (int i = 0; i < 3; i++) CHECK(sgk_queue_dispatch(all[i], count, NULL, destroy) == SGK_OK);
    CHECK(!sgk_queue_after(first, 0.001, count, NULL, destroy) && sgk_last_status() == SGK_ERROR_SYSTEM);
    is_open = true;
    CHECK(sgk_drain(60) == SGK_OK && calls == 7 && destroyed == 16);
    granted = -1;
    SGK_AUTO(sgk_disposable) later = sgk_queue_after(first, 0.001, count, NULL, destroy);
    for (int i = 0; calls < 8 && i < 60000; i++) nanosleep(&(struct timespec){0, 1000000}, NULL);
    CHECK(later && calls == 8);
    CHECK(sgk_drain(60) == SGK_OK);
    sgk_clear_error();
    sgk_set_log_handler(NULL, NULL, NULL);
    return calls = 0;
}

/* All threads are blocked and the system creates no more. When it creates one again, pending work runs. */
static void arrive(void *at_work) {
    ++*(atomic_int *)at_work;
    wait_at(NULL);
}
static int blocked_queues(int more) {
    SGK_AUTO(sgk_queue) concurrent = sgk_queue_concurrent_default();
    atomic_int at_work = 0;
    is_open = false;
    granted = 0;
    CHECK(sgk_queue_dispatch(concurrent, arrive, &at_work, NULL) == SGK_OK);
    for (int i = 0; at_work < 1 && i < 60000; i++) nanosleep(&(struct timespec){0, 1000000}, NULL);
    for (int i = 0; i < more; i++) CHECK(sgk_queue_dispatch(concurrent, arrive, &at_work, NULL) == SGK_OK);
    for (int i = 0; i < 100; i++) nanosleep(&(struct timespec){0, 1000000}, NULL); /* it fails in the meantime */
    granted = -1;
    for (int i = 0; at_work < 1 + more && i < 60000; i++) nanosleep(&(struct timespec){0, 1000000}, NULL);
    CHECK(at_work == 1 + more);
    is_open = true;
    CHECK(sgk_drain(60) == SGK_OK);
    return 0;
}

/* The child of a fork has no thread, and knows that. */
static int child(sgk_queue *queue) {
    CHECK(sgk_queue_sync(queue, count, NULL) == SGK_OK);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        granted = 0;
        _exit(sgk_queue_sync(queue, count, NULL) != SGK_ERROR_SYSTEM);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    return calls = 0;
}

/* A pool has all of its threads, or is refused; then nothing stays of it, and there is nothing to warn of. */
static int pools(void) {
    enum { ROUNDS = 1000 };
    size_t before = 0;
    sgk_set_log_handler(log_it, NULL, NULL);
    warnings = 0;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        if (i == ROUNDS) before = mallinfo2().uordblks;
        granted = i < 4 ? i : 0;
        CHECK(!sgk_thread_pool_create(4, 0.5) && sgk_last_status() == SGK_ERROR_SYSTEM &&
            strncmp(sgk_last_error(), "sgk_thread_pool_create: thread_count: ", 38) == 0);
    }
    CHECK(mallinfo2().uordblks < before + 16 * ROUNDS && warnings == 0);
    granted = -1;
    sgk_set_log_handler(NULL, NULL, NULL);
    return 0;
}

int main(void) {
    if (queues() != 0 || blocked_queues(1) != 0 || blocked_queues(8) != 0 || pools() != 0) return 1;
    granted = 4;
    sgk_thread_pool *pool = sgk_thread_pool_create(4, 0.5);
    granted = -1;
    if (!pool) return printf("four threads were to be had: %s\n", sgk_last_error()), 1;
    sgk_disposable_release(sgk_thread_pool_add_task(pool, count, NULL, NULL));
    if (sgk_drain(60) != SGK_OK || calls != 1) return printf("the pool does not run its task\n"), 1;
    sgk_queue *line = sgk_thread_pool_next_queue(pool);
    if (child(line) != 0) return 1;
    sgk_queue_release(line);
    sgk_thread_pool_release(pool);
    if (sgk_live_total() != 0) return printf("left alive: %lld\n", (long long)sgk_live_total()), 1;
    return 0;
}
