/* A queue on a libuv loop.
 *
 *     sgk_uv *adapter = sgk_uv_open(loop);             on the loop's thread; NULL when it fails
 *     … adapter->inbox.queue …                         a queue like any other; borrowed
 *     sgk_uv_close(adapter);                           on the loop's thread: work that waits is let go, later work refused; then run the loop
 *                                                      once more, for libuv to close the handles */
#ifndef SGK_UV_H
#define SGK_UV_H

#include "inbox.h"

#include <uv.h>

typedef struct sgk_uv {
    inbox inbox; /* must be the first */
    uv_async_t async;
    uv_timer_t timer;
    int open;
} sgk_uv;

static void sgk_uv_wake(inbox *in) { uv_async_send(&((sgk_uv *)in)->async); }
static void sgk_uv_free(inbox *in) { free(in); }

static void sgk_uv_come(sgk_uv *a);
static void sgk_uv_on_async(uv_async_t *async) { sgk_uv_come(async->data); }
static void sgk_uv_on_timer(uv_timer_t *timer) { sgk_uv_come(timer->data); }

static void sgk_uv_come(sgk_uv *a) {
    uv_update_time(a->timer.loop);
    double left = inbox_run(&a->inbox);
    if (left >= 0) uv_timer_start(&a->timer, sgk_uv_on_timer, (uint64_t)(left * 1000 + 0.999), 0);
}

static void sgk_uv_closed(uv_handle_t *handle) {
    sgk_uv *a = handle->data;
    if (--a->open == 0) inbox_release(&a->inbox);
}

static inline void sgk_uv_close(sgk_uv *a) {
    a->inbox.references++; /* of the handles */
    inbox_close(&a->inbox);
    uv_close((uv_handle_t *)&a->async, sgk_uv_closed);
    uv_close((uv_handle_t *)&a->timer, sgk_uv_closed);
}

static inline sgk_uv *sgk_uv_open(uv_loop_t *loop) {
    sgk_uv *a = malloc(sizeof *a);
    if (!a) return NULL;
    if (uv_async_init(loop, &a->async, sgk_uv_on_async) != 0) return free(a), NULL;
    uv_timer_init(loop, &a->timer);
    a->async.data = a->timer.data = a;
    a->open = 2;
    if (inbox_open(&a->inbox, sgk_uv_wake, sgk_uv_free)) return a;
    sgk_uv_close(a);
    return NULL;
}

#endif
