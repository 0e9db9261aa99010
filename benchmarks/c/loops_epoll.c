/* A queue on a custom epoll loop, compared with the same by hand. */
#include "sgk_epoll.h"

#include "loops.h"

static struct {
    int epoll, event;
    bool stops;
    sgk_epoll *adapter;
} loop;

static void watch(int fd, void *ptr, uint32_t events) {
    epoll_ctl(loop.epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = events, .data.ptr = ptr});
}

static void open_loop(void) {
    loop.epoll = epoll_create1(EPOLL_CLOEXEC);
    loop.event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    watch(loop.event, NULL, EPOLLIN | EPOLLET); /* by edges, as in the adapter: it need not be read */
    loop.stops = false;
}

static void close_loop(void) {
    close(loop.event);
    close(loop.epoll);
}

static void stop_loop(void) { loop.stops = true; }

static void run_loop(void) {
    while (!loop.stops) {
        struct epoll_event event;
        if (epoll_wait(loop.epoll, &event, 1, -1) < 1) continue;
        if (event.data.ptr == NULL) come_by_hand();
        else if (event.data.ptr == loop.adapter) sgk_epoll_ready(loop.adapter);
        else sgk_main_drain();
    }
}

static sgk_queue *open_queue(void) { return (loop.adapter = sgk_epoll_open(loop.epoll))->inbox.queue; }
static void close_queue(void) { sgk_epoll_close(loop.adapter); }
static sgk_queue *open_main(void) {
    watch(sgk_main_fd(), &loop, EPOLLIN);
    return sgk_queue_main();
}
static void close_main(void) {}

static void wake_by_hand(void) { (void)!write(loop.event, &(uint64_t){1}, sizeof(uint64_t)); }

static const bench_case cases[] = {LOOP("epoll")};

BENCH_MAIN(cases)
