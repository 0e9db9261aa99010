/* A queue on a libuv loop.
 *
 *     sgk_uv *adapter = sgk_uv_open(loop);             on the loop's thread; NULL when it fails
 *     … adapter->inbox.queue …                         a queue like any other; borrowed
 *     sgk_uv_close(adapter);                           on the loop's thread: destroys pending work, rejects later work; then run the loop
 *                                                      once more, for libuv to close the handles */
#ifndef SGK_UV_H
#define SGK_UV_H

#include "inbox.h"

#include <uv.h>

typedef struct sgk_uv {
    inbox inbox; /* must be the first */
    uv_async_t async;
    uv_timer_t timer;
    struct sgk_uv_watch *watches;
    int open;
} sgk_uv;

static void sgk_uv_wake(inbox *in) { uv_async_send(&((sgk_uv *)in)->async); }
static void sgk_uv_free(inbox *in) { free(in); }

static void sgk_uv_come(sgk_uv *a);
static void sgk_uv_on_async(uv_async_t *async) { sgk_uv_come(async->data); }
static void sgk_uv_on_timer(uv_timer_t *timer) { sgk_uv_come(timer->data); }

static void sgk_uv_come(sgk_uv *a) {
    double left = inbox_run(&a->inbox);
    if (left < 0) return;
    uv_update_time(a->timer.loop);
    uv_timer_start(&a->timer, sgk_uv_on_timer, (uint64_t)(left * 1000 + 0.999), 0);
}

static void sgk_uv_closed(uv_handle_t *handle) {
    sgk_uv *a = handle->data;
    if (--a->open == 0) inbox_release(&a->inbox);
}

/* ---- Descriptors: a handle for each, as long as the library has it ---- */

typedef struct sgk_uv_watch {
    uv_poll_t poll; /* must be the first */
    struct sgk_uv_watch *next;
    int fd;
    sgk_ready_fn ready;
    void *context;
    sgk_destroy_fn destroy; /* NULL when it does not watch */
} sgk_uv_watch;

static void sgk_uv_let_go(sgk_uv_watch *w) {
    sgk_destroy_fn destroy = w->destroy;
    w->destroy = NULL;
    uv_poll_stop(&w->poll);
    if (destroy) destroy(w->context);
}

/* Reports readiness once. (An error is reported as readable and writable.) */
static void sgk_uv_on_fd(uv_poll_t *poll, int status, int events) {
    sgk_uv_watch *w = (sgk_uv_watch *)poll;
    sgk_destroy_fn destroy = w->destroy;
    void *context = w->context;
    w->destroy = NULL;
    uv_poll_stop(poll);
    if (!destroy) return;
    if (status < 0) events = UV_READABLE | UV_WRITABLE;
    w->ready(context, (events & UV_READABLE ? SGK_FD_READ : 0) | (events & UV_WRITABLE ? SGK_FD_WRITE : 0));
    destroy(context);
}

static void sgk_uv_poll_closed(uv_handle_t *handle) {
    sgk_uv *a = handle->data;
    free(handle);
    if (--a->open == 0) inbox_release(&a->inbox);
}

static sgk_status sgk_uv_watch_fd(void *context, int fd, uint32_t events, sgk_ready_fn ready, void *ready_context, sgk_destroy_fn destroy) {
    sgk_uv *a = context;
    sgk_uv_watch *w = a->watches;
    while (w && w->fd != fd) w = w->next;
    if (!w) {
        w = malloc(sizeof *w);
        if (!w || uv_poll_init(a->async.loop, &w->poll, fd) != 0) return free(w), SGK_ERROR_SYSTEM; /* a file, perhaps */
        w->poll.data = a;
        w->fd = fd;
        w->next = a->watches;
        a->watches = w;
        a->open++;
    }
    w->ready = ready;
    w->context = ready_context;
    w->destroy = destroy;
    uv_poll_start(&w->poll, (events & SGK_FD_READ ? UV_READABLE : 0) | (events & SGK_FD_WRITE ? UV_WRITABLE : 0), sgk_uv_on_fd);
    return SGK_OK;
}

/* That of a descriptor; of -1 all. */
static void sgk_uv_unwatch_fd(void *context, int fd) {
    for (sgk_uv_watch **place = &((sgk_uv *)context)->watches, *w; (w = *place);) {
        if (fd >= 0 && w->fd != fd) {
            place = &w->next;
            continue;
        }
        *place = w->next;
        sgk_uv_let_go(w);
        uv_close((uv_handle_t *)w, sgk_uv_poll_closed);
    }
}

static inline void sgk_uv_close(sgk_uv *a) {
    a->inbox.references++; /* of the handles */
    sgk_uv_unwatch_fd(a, -1);
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
    a->watches = NULL;
    a->open = 2;
    if (inbox_open(&a->inbox, sgk_uv_wake, sgk_uv_free, sgk_uv_watch_fd, sgk_uv_unwatch_fd)) return a;
    sgk_uv_close(a);
    return NULL;
}

#endif
