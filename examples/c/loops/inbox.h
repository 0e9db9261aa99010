/* Shared code of the adapters: stores work from any thread, and deadlines, until the loop's thread runs them.
 *
 * An adapter starts with an inbox, sets `wake` to a function that wakes its loop, and calls inbox_run on the loop's thread after each wake-up. Work runs
 * outside the lock. `wake` is called under the lock, so that a closed loop is never woken. If it may be called until `free`, set `wakes_unlocked`: then the
 * woken loop need not wait for the lock. */
#ifndef INBOX_H
#define INBOX_H

#include <pthread.h>
#include <signalkit.h>
#include <signalkit/queue_custom.h>
#include <stdlib.h>
#include <time.h>

typedef struct inbox_work {
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy; /* NULL if there is none */
} inbox_work;

typedef struct inbox_alarm {
    inbox_work work;
    double due;
    struct inbox_alarm *next;
} inbox_alarm;

/* A call of inbox_run, with the work that it is running. Work that runs the loop again has another call inside. */
typedef struct inbox_call {
    inbox_work work;
    bool is_closed;
    struct inbox_call *outer;
} inbox_call;

typedef struct inbox {
    pthread_mutex_t lock;
    inbox_work turn;     /* at most one is pending */
    inbox_alarm *alarms; /* the earliest first */
    bool is_closed;
    pthread_t thread; /* the loop's */
    inbox_call *call; /* the innermost */
    void (*wake)(struct inbox *inbox);
    bool wakes_unlocked;
    void (*free)(struct inbox *inbox); /* called when the owner has closed the inbox and the queue is destroyed */
    int references;
    sgk_queue *queue; /* the owner's */
} inbox;

static inline double inbox_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
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
    inbox *in = context;
    pthread_mutex_lock(&in->lock);
    bool is_closed = in->is_closed;
    if (!is_closed) {
        in->turn = (inbox_work){work, work_context, destroy};
        if (!in->wakes_unlocked) in->wake(in);
    }
    pthread_mutex_unlock(&in->lock);
    if (!is_closed && in->wakes_unlocked) in->wake(in);
    return is_closed ? SGK_ERROR_ENDED : SGK_OK;
}
static sgk_status inbox_after(void *context, double seconds, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    inbox *in = context;
    inbox_alarm *alarm = malloc(sizeof *alarm);
    if (!alarm) return SGK_ERROR_SYSTEM;
    *alarm = (inbox_alarm){{work, work_context, destroy}, inbox_now() + seconds, NULL};
    pthread_mutex_lock(&in->lock);
    bool is_closed = in->is_closed;
    if (!is_closed) {
        inbox_alarm **place = &in->alarms;
        while (*place && (*place)->due <= alarm->due) place = &(*place)->next;
        alarm->next = *place;
        *place = alarm;
        if (place == &in->alarms) in->wake(in); /* otherwise the loop wakes for an earlier one */
    }
    pthread_mutex_unlock(&in->lock);
    if (is_closed) free(alarm);
    return is_closed ? SGK_ERROR_ENDED : SGK_OK;
}
static bool inbox_is_current(void *context) { return pthread_equal(((inbox *)context)->thread, pthread_self()); }
static void inbox_retain(void *context) { ((inbox *)context)->references++; } /* inside sgk_queue_create_custom only */

/* ---- For the adapter, on the loop's thread ---- */

/* How a loop watches descriptors: see sgk_queue_table. */
typedef sgk_status (*inbox_watch_fn)(void *context, int fd, uint32_t events, sgk_ready_fn ready, void *ready_context, sgk_destroy_fn destroy);
typedef void (*inbox_unwatch_fn)(void *context, int fd);

/* Makes the queue; false when that fails. Without `watch` the library watches descriptors itself. */
static inline bool inbox_open(inbox *in, void (*wake)(inbox *), void (*free_it)(inbox *), inbox_watch_fn watch, inbox_unwatch_fn unwatch) {
    sgk_queue_table table = {sizeof table, inbox_async, inbox_is_current, inbox_after, NULL, inbox_retain, inbox_release, watch, unwatch};
    pthread_mutex_init(&in->lock, NULL);
    in->turn = (inbox_work){NULL, NULL, NULL};
    in->alarms = NULL;
    in->is_closed = false;
    in->thread = pthread_self();
    in->call = NULL;
    in->wake = wake;
    in->wakes_unlocked = false;
    in->free = free_it;
    in->references = 1; /* the owner's */
    in->queue = sgk_queue_create_custom(&table, in);
    return in->queue != NULL;
}

/* Runs one piece of work. Returns false if it has closed the inbox, which may be freed then. */
static inline bool inbox_run_one(inbox *in, inbox_work work) {
    inbox_call call = {work, false, in->call};
    in->call = &call;
    work.work(work.context);
    if (call.is_closed) return false; /* inbox_close has destroyed the work */
    in->call = call.outer;
    work.destroy(work.context);
    return true;
}

/* Runs the pending turn and the expired deadlines. A turn that is requested in the meantime wakes the loop again. Returns the seconds until the next
 * deadline. The result is negative if there is none, or if the work has closed the inbox. */
static inline double inbox_run(inbox *in) {
    pthread_mutex_lock(&in->lock);
    inbox_work turn = in->turn;
    in->turn.destroy = NULL;
    bool has_alarms = in->alarms;
    pthread_mutex_unlock(&in->lock);
    if (turn.destroy && !inbox_run_one(in, turn)) return -1;
    if (!has_alarms) return -1; /* a deadline that the turn has set wakes the loop again */
    double now = inbox_now();
    while (true) {
        pthread_mutex_lock(&in->lock);
        inbox_alarm *alarm = in->alarms;
        double left = alarm ? alarm->due - now : -1;
        if (alarm && left <= 0) in->alarms = alarm->next;
        pthread_mutex_unlock(&in->lock);
        if (!alarm || left > 0) return left;
        inbox_work work = alarm->work;
        free(alarm);
        if (!inbox_run_one(in, work)) return -1;
    }
}

/* Closes the inbox at the end of the loop: destroys pending work, rejects later work, and releases the owner's references. The work that calls this is
 * destroyed as well, so that the remaining jobs of its turn do not run. */
static inline void inbox_close(inbox *in) {
    pthread_mutex_lock(&in->lock);
    in->is_closed = true;
    inbox_work turn = in->turn;
    inbox_alarm *alarms = in->alarms;
    in->turn.destroy = NULL;
    in->alarms = NULL;
    pthread_mutex_unlock(&in->lock);
    for (inbox_call *call = in->call; call; call = call->outer) {
        call->is_closed = true;
        call->work.destroy(call->work.context);
    }
    if (turn.destroy) turn.destroy(turn.context);
    for (inbox_alarm *alarm = alarms, *next; alarm; alarm = next) {
        next = alarm->next;
        alarm->work.destroy(alarm->work.context);
        free(alarm);
    }
    sgk_queue_release(in->queue);
    inbox_release(in);
}

#endif
