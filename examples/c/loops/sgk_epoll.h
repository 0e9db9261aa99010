/* A queue on an epoll loop. An eventfd signals work, and a timerfd signals a deadline. Both are edge-triggered, so that they need not be read.
 *
 *     sgk_epoll *adapter = sgk_epoll_open(epoll);      on the loop's thread; NULL, with errno or sgk_last_error, when it fails
 *     … adapter->inbox.queue …                         a queue like any other; borrowed
 *     if (event.data.ptr == adapter) sgk_epoll_ready(adapter);
 *     sgk_epoll_close(adapter);                        on the loop's thread, when the loop ends: destroys pending work and rejects later work */
#ifndef SGK_EPOLL_H
#define SGK_EPOLL_H

#include "inbox.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

typedef struct sgk_epoll {
    inbox inbox; /* must be the first */
    int epoll, event, timer;
} sgk_epoll;

static void sgk_epoll_wake(inbox *in) { (void)!write(((sgk_epoll *)in)->event, &(uint64_t){1}, sizeof(uint64_t)); }
static void sgk_epoll_free(inbox *in) {
    close(((sgk_epoll *)in)->event);
    free(in);
}

static inline void sgk_epoll_ready(sgk_epoll *a) {
    double left = inbox_run(&a->inbox);
    if (left < 0) return;
    if (left < 1e-9) left = 1e-9; /* 0 would mean never */
    timerfd_settime(a->timer, 0, &(struct itimerspec){{0, 0}, {(time_t)left, (long)((left - (double)(time_t)left) * 1e9) + 1}}, NULL);
}

static inline void sgk_epoll_close(sgk_epoll *a) {
    epoll_ctl(a->epoll, EPOLL_CTL_DEL, a->event, NULL);
    close(a->timer); /* which takes it out of the epoll */
    inbox_close(&a->inbox);
}

static inline sgk_epoll *sgk_epoll_open(int epoll) {
    sgk_epoll *a = malloc(sizeof *a);
    if (!a) return NULL;
    a->epoll = epoll;
    a->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    a->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = a};
    bool opened = inbox_open(&a->inbox, sgk_epoll_wake, sgk_epoll_free, NULL, NULL);
    a->inbox.wakes_unlocked = true;
    if (opened && epoll_ctl(epoll, EPOLL_CTL_ADD, a->event, &event) == 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, a->timer, &event) == 0) return a;
    sgk_epoll_close(a);
    return NULL;
}

#endif
