/* Many subscribers, a third of which are disposed during an event. Each remaining one receives each event once, and the
 * disposed ones receive nothing. The first or last subscriber disposes them, or each disposes itself, or another thread
 * does during the events. */
#include "soak.h"

#include <pthread.h>

enum { EVENTS = 20, LEAVING_AT = 5 };

typedef struct listener {
    struct crowd *crowd;
    long index, nexts;
    int64_t latest;
    atomic_bool has_left;
    sgk_disposable *run;
} listener;

typedef enum { BY_THE_FIRST, BY_THE_LAST, BY_ITSELF, BY_A_THREAD, WAYS } way;

typedef struct crowd {
    way way;
    long count;
    listener *listeners;
    sgk_pipe *pipe;
    atomic_bool begins;
} crowd;

static bool leaves(const listener *l) { return l->index % 3 == 1 && l->index < l->crowd->count - 1; }

static void leave(listener *l) {
    if (l->crowd->way == BY_A_THREAD) MUST(sgk_disposable_dispose_and_wait(l->run) == SGK_OK);
    else sgk_disposable_dispose(l->run);
    l->has_left = true;
}

static void all_leave(crowd *c) {
    for (long i = 0; i < c->count; i++) {
        listener *l = &c->listeners[scattered(i, c->count)];
        if (leaves(l)) leave(l);
    }
}

static void next(void *context, sgk_value value) {
    listener *l = context;
    crowd *c = l->crowd;
    MUST(!l->has_left);
    MUST(sgk_to_int(value) == l->latest + 1);
    l->latest = sgk_to_int(value);
    l->nexts++;
    if (l->latest != LEAVING_AT) return;
    if (l->index == 0) c->begins = true;
    if (c->way == BY_THE_FIRST && l->index == 0) all_leave(c);
    if (c->way == BY_THE_LAST && l->index == c->count - 1) all_leave(c);
    if (c->way == BY_ITSELF && leaves(l)) leave(l);
}

static void *leave_meanwhile(void *crowd) {
    while (!((struct crowd *)crowd)->begins) {}
    all_leave(crowd);
    return NULL;
}

static void check(crowd *c) {
    for (long i = 0; i < c->count; i++) {
        listener *l = &c->listeners[i];
        if (!leaves(l)) MUST(l->nexts == EVENTS);
        else if (c->way == BY_THE_FIRST) MUST(l->nexts == LEAVING_AT - 1);
        else if (c->way != BY_A_THREAD) MUST(l->nexts == LEAVING_AT);
        else MUST(l->has_left);
    }
}

static void one_way(way way, bool is_shared, long count) {
    crowd c = {way, count, calloc((size_t)count, sizeof(listener)), sgk_pipe_create(), false};
    sgk_signal *signal = sgk_pipe_signal(c.pipe);
    if (is_shared) sgk_signal_replace(&signal, sgk_signal_share(signal, 0, 0, NULL));
    for (long i = 0; i < count; i++) {
        listener *l = &c.listeners[i];
        *l = (listener){.crowd = &c, .index = i};
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = l;
        handlers.next = next;
        /* Otherwise an event in flight could still arrive. */
        l->run = (way == BY_A_THREAD ? sgk_signal_start_waitable : sgk_signal_start)(signal, &handlers);
    }
    pthread_t thread;
    if (way == BY_A_THREAD) MUST(pthread_create(&thread, NULL, leave_meanwhile, &c) == 0);
    for (int i = 1; i <= EVENTS; i++) sgk_pipe_next(c.pipe, sgk_int(i));
    if (way == BY_A_THREAD) pthread_join(thread, NULL);
    check(&c);
    for (long i = 0; i < count; i++) {
        sgk_disposable_dispose(c.listeners[i].run);
        sgk_disposable_release(c.listeners[i].run);
    }
    sgk_signal_release(signal);
    sgk_pipe_release(c.pipe);
    free(c.listeners);
    nothing_is_left();
}

void leaving(long count) {
    for (int way = 0; way < WAYS; way++)
        for (int shared = 0; shared < 2; shared++) one_way(way, shared, count);
    tell("subscribers of a pipe or a shared signal. During one of 20 events a third is disposed: by the first "
         "subscriber, by the last, each by its own callback, by another thread",
        "each remaining subscriber receives each event once and in order, and a disposed one receives none");
}
