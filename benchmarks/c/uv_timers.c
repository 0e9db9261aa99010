/* libuv: what a timer costs, on one thread. */
#include <stdlib.h>
#include <uv.h>

typedef uv_timer_t once_t;
typedef uv_timer_t again_t;

static void fired(void);

static uv_loop_t loop;

static void open_timers(void) { uv_loop_init(&loop); }
static void close_timers(void) { uv_loop_close(&loop); }
static void settle(void) { uv_run(&loop, UV_RUN_NOWAIT); }
static void fire_all(void) { uv_run(&loop, UV_RUN_DEFAULT); }

static void call_fired(uv_timer_t *timer);

static uv_timer_t *make(void);

static inline void restart(again_t *timer, double seconds) {
    uv_timer_start(timer, call_fired, (uint64_t)(seconds * 1000), 0);
}

static inline once_t *set(double seconds) {
    uv_timer_t *timer = make();
    restart(timer, seconds);
    return timer;
}

static inline void cancel(once_t *timer) {
    uv_timer_stop(timer);
    uv_close((uv_handle_t *)timer, (uv_close_cb)free);
}

static void drop(again_t *timer) { cancel(timer); }

#include "timers.h"

static uv_timer_t *make(void) {
    uv_timer_t *timer = malloc(sizeof *timer);
    uv_timer_init(&loop, timer);
    return timer;
}

static void call_fired(uv_timer_t *timer) {
    cancel(timer);
    fired();
}

static const bench_case cases[] = {TIMERS("libuv")};

BENCH_MAIN(cases)
