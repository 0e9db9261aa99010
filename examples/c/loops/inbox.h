/* Shared code of the adapters: stores work from any thread, and deadlines, until the loop's thread runs them.
 *
 * An adapter starts with an inbox, sets `wake` to a function that wakes its loop, and calls inbox_run on the loop's thread after each wake-up. Work runs
 * outside the lock. `wake` is called under the lock, so that a closed loop is never woken. */
#ifndef INBOX_H
#define INBOX_H

#include <pthread.h>
#include <signalkit.h>
#include <stdlib.h>
#include <time.h>

typedef struct inbox_item {
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy;
    double due; /* of alarms */
    struct inbox_item *next;
} inbox_item;

typedef struct inbox {
    pthread_mutex_t lock;
    inbox_item *first, **last; /* in order of arrival */
    inbox_item *alarms;        /* the earliest first */
    bool is_closed;
    pthread_t thread; /* the loop's */
    void (*wake)(struct inbox *inbox);
    void (*free)(struct inbox *inbox); /* called when the owner has closed the inbox and the queue is destroyed */
    int references;
    sgk_queue *queue; /* the owner's */
} inbox;

static inline double inbox_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static inline void inbox_destroy(inbox_item *item) {
    item->destroy(item->context);
    free(item);
}

static inline sgk_status inbox_put(inbox *in, double due, sgk_work_fn work, void *context, sgk_destroy_fn destroy) {
    inbox_item *item = malloc(sizeof *item);
    if (!item) return destroy(context), SGK_ERROR_SYSTEM;
    *item = (inbox_item){work, context, destroy, due, NULL};
    pthread_mutex_lock(&in->lock);
    bool is_closed = in->is_closed;
    if (!is_closed) {
        inbox_item **place = in->last;
        if (due > 0) {
            for (place = &in->alarms; *place && (*place)->due <= due;) place = &(*place)->next;
            item->next = *place;
        } else {
            in->last = &item->next;
        }
        bool is_first = place == &in->first || place == &in->alarms; /* otherwise the loop knows already that there is something */
        *place = item;
        if (is_first) in->wake(in);
    }
    pthread_mutex_unlock(&in->lock);
    if (is_closed) inbox_destroy(item);
    return is_closed ? SGK_ERROR_ENDED : SGK_OK;
}

static inline void inbox_release(void *context) {
    inbox *in = context;
    pthread_mutex_lock(&in->lock);
    bool is_last = --in->references == 0;
    pthread_mutex_unlock(&in->lock);
    if (!is_last) return;
    pthread_mutex_destroy(&in->lock);
    in->free(in);
}

/* ---- The queue's table ---- */

static sgk_status inbox_async(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    return inbox_put(context, 0, work, work_context, destroy);
}
static sgk_status inbox_after(void *context, double seconds, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    return inbox_put(context, inbox_now() + seconds, work, work_context, destroy);
}
static bool inbox_is_current(void *context) { return pthread_equal(((inbox *)context)->thread, pthread_self()); }
static void inbox_retain(void *context) { ((inbox *)context)->references++; } /* inside sgk_queue_create_custom only */

/* ---- For the adapter, on the loop's thread ---- */

/* How a loop watches descriptors: see sgk_queue_table. */
typedef sgk_status (*inbox_watch_fn)(void *context, int fd, int64_t events, sgk_ready_fn ready, void *ready_context, sgk_destroy_fn destroy);
typedef void (*inbox_unwatch_fn)(void *context, int fd);

/* Makes the queue; false when that fails. Without `watch` the library watches descriptors itself. */
static inline bool inbox_open(inbox *in, void (*wake)(inbox *), void (*free_it)(inbox *), inbox_watch_fn watch, inbox_unwatch_fn unwatch) {
    sgk_queue_table table = {sizeof table, inbox_async, inbox_is_current, inbox_after, NULL, inbox_retain, inbox_release, watch, unwatch};
    pthread_mutex_init(&in->lock, NULL);
    in->first = in->alarms = NULL;
    in->last = &in->first;
    in->is_closed = false;
    in->thread = pthread_self();
    in->wake = wake;
    in->free = free_it;
    in->references = 1; /* the owner's */
    in->queue = sgk_queue_create_custom(&table, in);
    return in->queue != NULL;
}

/* Runs the pending work and the expired deadlines. Work that arrives in the meantime wakes the loop again. Returns the seconds until the next deadline.
 * The result is negative if there is none, or if the work has closed the inbox, which may be freed then. */
static inline double inbox_run(inbox *in) {
    pthread_mutex_lock(&in->lock);
    in->references++;
    inbox_item *item = in->first; /* work that arrives during the loop waits for the next call, because the loop has other work */
    in->first = NULL;
    in->last = &in->first;
    for (double now = in->alarms ? inbox_now() : 0; in->alarms && in->alarms->due <= now;) {
        inbox_item *due = in->alarms, **end = &item;
        in->alarms = due->next;
        due->next = NULL;
        while (*end) end = &(*end)->next;
        *end = due;
    }
    pthread_mutex_unlock(&in->lock);
    while (item) {
        inbox_item *next = item->next;
        if (!in->is_closed) item->work(item->context); /* this thread closes it */
        inbox_destroy(item);
        item = next;
    }
    pthread_mutex_lock(&in->lock);
    double left = in->alarms ? in->alarms->due - inbox_now() : -1;
    if (in->alarms && left < 0) left = 0;
    pthread_mutex_unlock(&in->lock);
    inbox_release(in);
    return left;
}

/* Closes the inbox at the end of the loop: destroys pending work, rejects later work, and releases the owner's references. */
static inline void inbox_close(inbox *in) {
    pthread_mutex_lock(&in->lock);
    in->is_closed = true;
    inbox_item *items[] = {in->first, in->alarms};
    in->first = in->alarms = NULL;
    in->last = &in->first;
    pthread_mutex_unlock(&in->lock);
    for (int i = 0; i < 2; i++) {
        for (inbox_item *item = items[i], *next; item; item = next) {
            next = item->next;
            inbox_destroy(item);
        }
    }
    sgk_queue_release(in->queue);
    inbox_release(in);
}

#endif
