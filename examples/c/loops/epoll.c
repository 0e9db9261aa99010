/* SignalKit inside an epoll loop that also has its own work: a timer. */
#include "sgk_epoll.h"
#include "workload.h"

static bool stops;
static int ticks;
static void stop(void *context) { (void)context, stops = true; }

static void run(int epoll, int tick, sgk_epoll *adapter, int until_tick) {
    for (stops = false; !stops && ticks < until_tick;) {
        struct epoll_event event;
        if (epoll_wait(epoll, &event, 1, -1) < 1) continue;
        uint64_t count;
        if (event.data.ptr == adapter) sgk_epoll_ready(adapter);
        else if (read(tick, &count, sizeof count) > 0) ticks++;
    }
}

int main(void) {
    int epoll = epoll_create1(EPOLL_CLOEXEC), tick = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    timerfd_settime(tick, 0, &(struct itimerspec){{0, 1000000}, {0, 1000000}}, NULL);
    epoll_ctl(epoll, EPOLL_CTL_ADD, tick, &(struct epoll_event){.events = EPOLLIN, .data.ptr = NULL});
    sgk_epoll *adapter = sgk_epoll_open(epoll);
    if (!adapter) return fprintf(stderr, "%s\n", sgk_last_error()), 1;

    workload w;
    workload_start(&w, adapter->inbox.queue, 5000, stop, NULL);
    run(epoll, tick, adapter, 1 << 30);
    workload_end(&w, "epoll", ticks);

    /* The loop ends with events in flight. */
    workload_start(&w, adapter->inbox.queue, 1 << 28, stop, NULL);
    run(epoll, tick, adapter, ticks + 50);
    sgk_epoll_close(adapter);
    workload_end(&w, "epoll, ended", ticks);
    close(tick);
    close(epoll);
    return nothing_left();
}
