/* What 100,000 pending timers cost, in memory and time, next to libuv's. Prints a line for each;
 * `scripts/measure-timers.sh` builds it. */
#include <malloc.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <uv.h>

enum { TIMERS = 100000 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static size_t in_use(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }

/* Deadlines in no order, from one minute on: none of them comes while this measures. */
static double deadline(int i) { return 60 + (double)((unsigned)i * 2654435761u % 1000000u) * 1e-3; }

static void report(const char *what, size_t bytes, double set, double cancel, double fire) {
    printf("%-28s %5.0f bytes a timer, %5.2f µs to set, %5.2f µs to cancel, %5.2f µs to fire\n", what,
        (double)bytes / TIMERS, set * 1e6 / TIMERS, cancel * 1e6 / TIMERS, fire * 1e6 / TIMERS);
}

static atomic_int fired;
static void count(void *context) { (void)context, fired++; }

static void signalkit(void) {
    static sgk_disposable *timers[TIMERS];
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("timers");
    sgk_disposable *first = sgk_queue_after(queue, 1e6, count, NULL, NULL); /* what is there once for all */
    size_t before = in_use();
    double start = now();
    for (int i = 0; i < TIMERS; i++) timers[i] = sgk_queue_after(queue, deadline(i), count, NULL, NULL);
    double set = now() - start;
    size_t bytes = in_use() - before;
    start = now();
    for (int i = 0; i < TIMERS; i++) {
        sgk_disposable_dispose(timers[i]);
        sgk_disposable_release(timers[i]);
    }
    double cancel = now() - start;
    sgk_disposable_dispose(first);
    sgk_disposable_release(first);
    for (int i = 0; i < TIMERS; i++)
        sgk_disposable_release(sgk_queue_after(queue, 1 + (double)i * 1e-9, count, NULL, NULL));
    while (!fired) {}
    start = now();
    while (fired < TIMERS) {}
    report("sgk_queue_after", bytes, set, cancel, now() - start);
}

static int uv_fired;
static void uv_count(uv_timer_t *timer) { uv_fired++, uv_close((uv_handle_t *)timer, (uv_close_cb)free); }

static void libuv(void) {
    static uv_timer_t *timers[TIMERS];
    uv_loop_t loop;
    uv_loop_init(&loop);
    size_t before = in_use();
    double start = now();
    for (int i = 0; i < TIMERS; i++) {
        timers[i] = malloc(sizeof *timers[i]);
        uv_timer_init(&loop, timers[i]);
        uv_timer_start(timers[i], uv_count, (uint64_t)(deadline(i) * 1000), 0);
    }
    double set = now() - start;
    size_t bytes = in_use() - before;
    start = now();
    for (int i = 0; i < TIMERS; i++) {
        uv_timer_stop(timers[i]);
        uv_close((uv_handle_t *)timers[i], (uv_close_cb)free);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    double cancel = now() - start;
    for (int i = 0; i < TIMERS; i++) {
        uv_timer_t *timer = malloc(sizeof *timer);
        uv_timer_init(&loop, timer);
        uv_timer_start(timer, uv_count, 0, 0);
    }
    start = now();
    uv_run(&loop, UV_RUN_DEFAULT);
    double fire = now() - start;
    uv_loop_close(&loop);
    report("uv_timer_t, allocated", bytes, set, cancel, fire);
    if (uv_fired != TIMERS) printf("libuv fired only %d\n", uv_fired);
}

int main(void) {
    signalkit();
    libuv();
    return 0;
}
