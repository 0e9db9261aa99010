/* The work of the example programs: threads emit events and enqueue work, and a timer fires. Everything is counted and checked. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <signalkit.h>
#include <signalkit/queue_custom.h>
#include <stdatomic.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EMITTERS = 4 };

typedef struct workload {
    sgk_queue *queue;
    int events; /* of each thread; then it is done */
    void (*finished)(void *context);
    void *context;
    pthread_t loop, emitters[EMITTERS];
    sgk_pipe *pipe;
    sgk_disposable *subscription, *reading;
    int ends[2]; /* of a pipe, from which lines are read */
    sgk_timer *timer;
    atomic_int threads, given, done, destroyed;
    int next[EMITTERS], received, lines, fired, wrong; /* the loop's own: no lock, since everything arrives on its thread */
    atomic_bool stops;
} workload;

/* Ends the loop when everything has arrived: events, work, lines, and a firing, in any order. */
static void look(workload *w) {
    if (w->fired > 0 && w->lines == (w->events + 7) / 8 && w->received == EMITTERS * w->events && w->done == EMITTERS * ((w->events + 7) / 8)) w->finished(w->context);
}

static void work(void *context) {
    workload *w = context;
    w->done++;
    if (!pthread_equal(w->loop, pthread_self())) w->wrong++;
    look(w);
}
static void destroyed(void *context) { ((workload *)context)->destroyed++; }

static void *emit(void *context) {
    workload *w = context;
    int me = w->threads++;
    for (int i = 0; i < w->events && !w->stops; i++) {
        if (i % 8 == 0) {
            w->given++;
            sgk_queue_dispatch(w->queue, work, w, destroyed);
            if (me == 0 && write(w->ends[1], "line\n", 5) != 5 && !w->stops) w->wrong++;
        }
        sgk_pipe_next(w->pipe, sgk_int((int64_t)me << 32 | i));
        if (i % 8 == 0) usleep(100); /* not faster than an instrumented loop comes to it */
    }
    return NULL;
}

static void receive(void *context, sgk_value value) {
    workload *w = context;
    int64_t number = sgk_to_int(value);
    if (w->next[number >> 32]++ != (int)number || !pthread_equal(w->loop, pthread_self()) || !sgk_queue_is_current(w->queue)) w->wrong++;
    w->received++;
    look(w);
}

static void read_line(void *context, sgk_value line) {
    (void)line;
    workload *w = context;
    w->lines++;
    if (!pthread_equal(w->loop, pthread_self())) w->wrong++;
    look(w);
}

/* Work that puts the next does not keep the loop from what else it has to do. */
static void again(void *context) {
    workload *w = context;
    if (w->lines < 10) sgk_queue_dispatch(w->queue, again, w, NULL);
}

static void fire(void *context) {
    workload *w = context;
    w->fired++;
    if (!pthread_equal(w->loop, pthread_self())) w->wrong++;
    look(w);
}

/* On the loop's thread. */
static void workload_start(workload *w, sgk_queue *queue, int events, void (*finished)(void *), void *context) {
    *w = (workload){.queue = sgk_queue_retain(queue), .events = events, .finished = finished, .context = context, .loop = pthread_self(), .pipe = sgk_pipe_create()};
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(w->pipe);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    w->subscription = sgk_signal_start_next(there, receive, w, NULL);
    if (pipe(w->ends) != 0) exit(1);
    SGK_AUTO(sgk_signal) lines = sgk_signal_fd_lines(w->ends[0], 100, queue);
    w->reading = sgk_signal_start_next(lines, read_line, w, NULL);
    w->timer = sgk_timer_create(0.002, true, fire, w, NULL, queue);
    sgk_timer_start(w->timer);
    sgk_queue_dispatch(queue, again, w, NULL);
    for (int i = 0; i < EMITTERS; i++) pthread_create(&w->emitters[i], NULL, emit, w);
}

/* Joins the threads and releases everything. Exits if a check failed. */
static void workload_end(workload *w, const char *name, int ticks) {
    if (w->received < EMITTERS * w->events) usleep(5000); /* the loop has ended, and the threads do not know yet */
    w->stops = true;
    for (int i = 0; i < EMITTERS; i++) pthread_join(w->emitters[i], NULL);
    sgk_timer_invalidate(w->timer);
    sgk_disposable_dispose(w->subscription);
    sgk_disposable_dispose(w->reading);
    close(w->ends[0]);
    close(w->ends[1]);
    printf("%s: %d events in order, %d lines, %d of %d works done, each let go once, %d firings, %d ticks of the loop's own; %lld dropped\n", name, w->received, w->lines,
        w->done, w->given, w->fired, ticks, (long long)sgk_queue_dropped(w->queue));
    sgk_timer_release(w->timer);
    sgk_disposable_release(w->subscription);
    sgk_disposable_release(w->reading);
    sgk_pipe_release(w->pipe);
    bool all = w->received == EMITTERS * w->events;
    if (w->wrong || w->destroyed != w->given || (all && w->done != w->given)) {
        fprintf(stderr, "%s: %d wrong, %d of %d destroyed\n", name, w->wrong, w->destroyed, w->given);
        exit(1);
    }
    sgk_queue_release(w->queue);
}

/* Checks at the end that no object is alive. */
static int nothing_left(void) {
    if (sgk_live_total() != 0) fprintf(stderr, "%lld objects are left\n", (long long)sgk_live_total());
    return sgk_live_total() == 0 ? 0 : 1;
}

#endif
