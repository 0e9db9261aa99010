/* SignalKit inside a libuv loop that also has its own work: a timer. */
#include "sgk_uv.h"
#include "workload.h"

static int ticks, last_tick = 1 << 30;
static void stop(void *loop) { uv_stop(loop); }

static void tick(uv_timer_t *timer) {
    if (++ticks == last_tick) uv_stop(timer->loop);
}

int main(void) {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, tick, 1, 1);
    sgk_uv *adapter = sgk_uv_open(&loop);
    if (!adapter) return fprintf(stderr, "%s\n", sgk_last_error()), 1;

    workload w;
    workload_start(&w, adapter->inbox.queue, 5000, stop, &loop);
    uv_run(&loop, UV_RUN_DEFAULT);
    workload_end(&w, "libuv", ticks);

    /* The loop ends with events in flight. */
    last_tick = ticks + 50;
    workload_start(&w, adapter->inbox.queue, 1 << 28, stop, &loop);
    uv_run(&loop, UV_RUN_DEFAULT);
    sgk_uv_close(adapter);
    workload_end(&w, "libuv, ended", ticks);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&loop) != 0) return fprintf(stderr, "the loop is busy\n"), 1;
    return nothing_left();
}
