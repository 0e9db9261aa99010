/* A queue on a libuv loop, compared with the same by hand. */
#include "sgk_uv.h"

#include "loops.h"

static struct {
    uv_loop_t uv;
    uv_async_t async;
    uv_poll_t main;
    sgk_uv *adapter;
} loop;

static void come(uv_async_t *async) {
    (void)async;
    come_by_hand();
}

static void open_loop(void) {
    uv_loop_init(&loop.uv);
    uv_async_init(&loop.uv, &loop.async, come);
}

static void close_loop(void) {
    uv_close((uv_handle_t *)&loop.async, NULL);
    uv_run(&loop.uv, UV_RUN_DEFAULT);
    bench_check(uv_loop_close(&loop.uv), 0, "left open");
}

static void stop_loop(void) { uv_stop(&loop.uv); }
static void run_loop(void) { uv_run(&loop.uv, UV_RUN_DEFAULT); }

static sgk_queue *open_queue(void) { return (loop.adapter = sgk_uv_open(&loop.uv))->inbox.queue; }
static void close_queue(void) { sgk_uv_close(loop.adapter); }
static void drain(uv_poll_t *poll, int status, int events) {
    (void)poll, (void)status, (void)events;
    sgk_main_drain();
}
static sgk_queue *open_main(void) {
    uv_poll_init(&loop.uv, &loop.main, sgk_main_fd());
    uv_poll_start(&loop.main, UV_READABLE, drain);
    return sgk_queue_main();
}
static void close_main(void) { uv_close((uv_handle_t *)&loop.main, NULL); }

static void wake_by_hand(void) { uv_async_send(&loop.async); }

static const bench_case cases[] = {LOOP("uv")};

BENCH_MAIN(cases)
