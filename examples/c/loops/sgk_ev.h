/* A queue on a libev loop.
 *
 *     sgk_ev *adapter = sgk_ev_open(loop);             on the loop's thread; NULL when it fails
 *     … adapter->inbox.queue …                         a queue like any other; borrowed
 *     sgk_ev_close(adapter);                           on the loop's thread, when the loop ends: work that waits is let go, later work refused */
#ifndef SGK_EV_H
#define SGK_EV_H

#include "inbox.h"

#include <ev.h>

typedef struct sgk_ev {
    inbox inbox; /* must be the first */
    struct ev_loop *loop;
    ev_async async;
    ev_timer timer;
} sgk_ev;

static void sgk_ev_wake(inbox *in) { ev_async_send(((sgk_ev *)in)->loop, &((sgk_ev *)in)->async); }
static void sgk_ev_free(inbox *in) { free(in); }

static void sgk_ev_come(sgk_ev *a) {
    double left = inbox_run(&a->inbox);
    if (left < 0) return;
    ev_timer_stop(a->loop, &a->timer);
    ev_now_update(a->loop);
    ev_timer_set(&a->timer, left, 0.);
    ev_timer_start(a->loop, &a->timer);
}

static void sgk_ev_on_async(struct ev_loop *loop, ev_async *async, int events) { (void)loop, (void)events, sgk_ev_come(async->data); }
static void sgk_ev_on_timer(struct ev_loop *loop, ev_timer *timer, int events) { (void)loop, (void)events, sgk_ev_come(timer->data); }

static inline void sgk_ev_close(sgk_ev *a) {
    ev_async_stop(a->loop, &a->async);
    ev_timer_stop(a->loop, &a->timer);
    inbox_close(&a->inbox);
}

static inline sgk_ev *sgk_ev_open(struct ev_loop *loop) {
    sgk_ev *a = malloc(sizeof *a);
    if (!a) return NULL;
    a->loop = loop;
    ev_async_init(&a->async, sgk_ev_on_async);
    ev_init(&a->timer, sgk_ev_on_timer);
    a->async.data = a->timer.data = a;
    ev_async_start(loop, &a->async);
    if (inbox_open(&a->inbox, sgk_ev_wake, sgk_ev_free, NULL, NULL)) return a;
    sgk_ev_close(a);
    return NULL;
}

#endif
