/* SignalKit inside a libev loop that also has its own work: a timer. */
#include "sgk_ev.h"
#include "workload.h"

static int ticks, last_tick = 1 << 30;
static void stop(void *loop) { ev_break(loop, EVBREAK_ALL); }

static void tick(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)timer, (void)events;
    if (++ticks == last_tick) ev_break(loop, EVBREAK_ALL);
}

int main(void) {
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    ev_timer timer;
    ev_init(&timer, tick);
    ev_timer_set(&timer, 0.001, 0.001);
    ev_timer_start(loop, &timer);
    sgk_ev *adapter = sgk_ev_open(loop);
    if (!adapter) return fprintf(stderr, "%s\n", sgk_last_error()), 1;

    workload w;
    workload_start(&w, adapter->inbox.queue, 5000, stop, loop);
    ev_run(loop, 0);
    workload_end(&w, "libev", ticks);

    /* The loop ends with events in flight. */
    last_tick = ticks + 50;
    workload_start(&w, adapter->inbox.queue, 1 << 28, stop, loop);
    ev_run(loop, 0);
    sgk_ev_close(adapter);
    workload_end(&w, "libev, ended", ticks);
    ev_timer_stop(loop, &timer);
    ev_loop_destroy(loop);
    return nothing_left();
}
