/** @file
 * Marble tests: sources and expectations as diagrams, on a virtual queue. All of it is in this header, for tests to
 * include by itself; signalkit.h does not.
 *
 *     SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
 *     SGK_AUTO(sgk_signal) source = sgk_marble_cold(queue, "-a-bc---|");
 *     SGK_AUTO(sgk_signal) quiet = sgk_signal_debounce(source, 2, queue);
 *     sgk_marble_run *run = sgk_marble_start(queue, quiet, "^");
 *     sgk_queue_run(queue, 1000);
 *     assert(sgk_marble_expect(run, "------c-|"));       // prints both diagrams when they differ; releases the run
 *
 * One character is one frame, of a second. `-`: nothing happens; a digit: that int; any other letter: a string of it;
 * `|`: the completion; `#`: an error; `(ab)`: what happens at once (it takes as many frames as characters). In a hot
 * source the test begins at `^`. In a subscription `^` is its begin and `!` its disposal. Spaces are passed over. What
 * cannot be done, as of a diagram that is none, gives NULL, or false, and why is said on stderr.
 * @since 1.0
 */
#ifndef SIGNALKIT_TESTING_H
#define SIGNALKIT_TESTING_H

#include "../signalkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SGK_BEGIN

/** @cond What is inside. */
enum { SGK_MARBLES = 256 };

typedef struct sgk_marbles {
    int count;
    struct { int frame; char mark; } at[SGK_MARBLES];
} sgk_marbles;

static inline void sgk_marbles_add(sgk_marbles *m, int frame, char mark) {
    if (m->count == SGK_MARBLES) return;
    m->at[m->count].frame = frame;
    m->at[m->count++].mark = mark;
}

/* Reads a diagram; `zero` is the mark at which frames begin to count, if it is there. */
static inline bool sgk_marbles_read(sgk_marbles *m, const char *diagram, char zero) {
    int frame = 0, group = -1, origin = 0;
    bool is_one = diagram != NULL;
    m->count = 0;
    for (const char *c = diagram; is_one && *c; c++) {
        if (*c == ' ') continue;
        /* no group within a group, none to close that was not opened */
        if (*c == '(' || *c == ')') is_one = (*c == '(') == (group < 0);
        if (*c == '(') group = frame;
        else if (*c == ')') group = -1;
        else if (*c == zero) origin = frame;
        else if (*c != '-') sgk_marbles_add(m, group >= 0 ? group : frame, *c);
        frame++;
    }
    for (int i = 0; i < m->count; i++) m->at[i].frame -= origin;
    is_one = is_one && group < 0;
    if (!is_one) fprintf(stderr, "no diagram: %s\n", diagram ? diagram : "NULL");
    return is_one;
}

/** @endcond */

/* ---- Sources ---- */

/** @cond What is inside. */

typedef struct sgk_marble_source {
    sgk_marbles marbles;
    sgk_queue *queue;
    sgk_pipe *events; /* of a hot source: the marks, as ints */
} sgk_marble_source;

typedef struct sgk_marble_timer {
    sgk_subscriber *subscriber;
    sgk_pipe *events;
    char mark;
} sgk_marble_timer;

static inline void sgk_marble_put(sgk_subscriber *subscriber, char mark) {
    sgk_value value = mark >= '0' && mark <= '9' ? sgk_int(mark - '0') : sgk_string_n(&mark, 1);
    if (mark == '|') sgk_subscriber_complete(subscriber);
    else if (mark == '#') sgk_subscriber_error(subscriber, value);
    else sgk_subscriber_next(subscriber, value);
    sgk_value_release(value);
}

static inline void sgk_marble_fire(void *context) {
    sgk_marble_timer *timer = (sgk_marble_timer *)context;
    if (timer->subscriber) sgk_marble_put(timer->subscriber, timer->mark);
    else sgk_pipe_next(timer->events, sgk_int(timer->mark));
}

static inline void sgk_marble_timer_free(void *context) {
    sgk_subscriber_release(((sgk_marble_timer *)context)->subscriber);
    sgk_pipe_release(((sgk_marble_timer *)context)->events);
    free(context);
}

static inline sgk_disposable *sgk_marble_schedule(const sgk_marble_source *source, sgk_subscriber *subscriber) {
    sgk_disposable *all = sgk_disposable_set_create();
    for (int i = 0; i < source->marbles.count; i++) {
        if (source->marbles.at[i].frame < 0) continue; /* before the test */
        sgk_marble_timer *timer = (sgk_marble_timer *)malloc(sizeof *timer);
        timer->subscriber = sgk_subscriber_retain(subscriber);
        timer->events = sgk_pipe_retain(source->events);
        timer->mark = source->marbles.at[i].mark;
        sgk_disposable *one =
            sgk_queue_after(source->queue, source->marbles.at[i].frame, sgk_marble_fire, timer, sgk_marble_timer_free);
        sgk_disposable_set_add(all, one);
        sgk_disposable_release(one);
    }
    return all;
}

static inline sgk_disposable *sgk_marble_generate(void *context, sgk_subscriber *subscriber) {
    return sgk_marble_schedule((const sgk_marble_source *)context, subscriber);
}

static inline void sgk_marble_hear(void *context, sgk_value mark) {
    sgk_marble_put((sgk_subscriber *)context, (char)sgk_to_int(mark));
}

static inline sgk_disposable *sgk_marble_listen(void *context, sgk_subscriber *subscriber) {
    sgk_signal *marks = sgk_pipe_signal(((const sgk_marble_source *)context)->events);
    sgk_disposable *run = sgk_signal_start_next(marks, sgk_marble_hear, sgk_subscriber_retain(subscriber), sgk_release);
    sgk_signal_release(marks);
    return run;
}

static inline void sgk_marble_source_free(void *context) {
    sgk_marble_source *source = (sgk_marble_source *)context;
    sgk_queue_release(source->queue);
    sgk_pipe_release(source->events);
    free(source);
}

static inline sgk_signal *sgk_marble_make(sgk_queue *queue, const char *diagram, bool is_hot) {
    sgk_marble_source *source = (sgk_marble_source *)calloc(1, sizeof *source);
    if (!source || !sgk_marbles_read(&source->marbles, diagram, is_hot ? '^' : 0))
        return free(source), (sgk_signal *)NULL;
    source->queue = sgk_queue_retain(queue);
    if (is_hot) {
        source->events = sgk_pipe_create();
        sgk_disposable_release(sgk_marble_schedule(source, NULL));
    }
    return sgk_signal_create(is_hot ? sgk_marble_listen : sgk_marble_generate, source, sgk_marble_source_free);
}

/** @endcond */

/** A source on a virtual `queue` that does what `diagram` says, anew for each subscriber. */
static inline sgk_signal *sgk_marble_cold(sgk_queue *queue, const char *diagram) {
    return sgk_marble_make(queue, diagram, false);
}

/** A source on a virtual `queue` that does what `diagram` says from now on, whether somebody listens or not. What it
 * shows at a frame comes before what is started or disposed there. */
static inline sgk_signal *sgk_marble_hot(sgk_queue *queue, const char *diagram) {
    return sgk_marble_make(queue, diagram, true);
}

/* ---- Expectations ---- */

/** A run that is recorded. */
typedef struct sgk_marble_run sgk_marble_run;

/** @cond What is inside. */
struct sgk_marble_run {
    sgk_queue *queue;
    sgk_signal *signal;
    sgk_disposable *run;
    sgk_marbles marbles;
};

static inline void sgk_marble_note(sgk_marble_run *run, char mark) {
    double now = sgk_queue_now(run->queue);
    int frame = (int)(now + 1e-6);
    double rest = now - frame;
    /* between two frames: never what was expected */
    sgk_marbles_add(&run->marbles, frame, rest > 1e-5 || rest < -1e-5 ? '~' : mark);
}

static inline void sgk_marble_on_next(void *context, sgk_value value) {
    size_t length = 0;
    const char *text = sgk_value_kind(value) == SGK_STRING ? (const char *)sgk_value_data(value, &length) : NULL;
    int64_t number = sgk_value_kind(value) == SGK_INT ? sgk_to_int(value) : -1;
    sgk_marble_note((sgk_marble_run *)context,
        length == 1                      ? text[0]
            : number >= 0 && number <= 9 ? (char)('0' + number)
                                         : '?');
}
static inline void sgk_marble_on_error(void *context, sgk_value error) {
    (void)error, sgk_marble_note((sgk_marble_run *)context, '#');
}
static inline void sgk_marble_on_completed(void *context) { sgk_marble_note((sgk_marble_run *)context, '|'); }

static inline void sgk_marble_begin(void *context) {
    sgk_marble_run *run = (sgk_marble_run *)context;
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = run;
    handlers.next = sgk_marble_on_next;
    handlers.error = sgk_marble_on_error;
    handlers.completed = sgk_marble_on_completed;
    sgk_disposable *started = sgk_signal_start(run->signal, &handlers);
    sgk_meta_disposable_set(run->run, started);
    sgk_disposable_release(started);
}
static inline void sgk_marble_stop(void *context) { sgk_disposable_dispose(((sgk_marble_run *)context)->run); }

/** @endcond */

/** Starts `signal` when the virtual `queue` comes to `^` in the diagram `subscription`, disposes the run at `!`, if
 * there is one. NULL when `signal` is NULL or the diagram none. The run goes with sgk_marble_expect, when the queue has
 * run. */
static inline sgk_marble_run *sgk_marble_start(sgk_queue *queue, sgk_signal *signal, const char *subscription) {
    sgk_marbles when;
    if (!signal) return fprintf(stderr, "no signal: %s\n", sgk_last_error()), (sgk_marble_run *)NULL;
    if (!sgk_marbles_read(&when, subscription, 0)) return NULL;
    if (when.count < 1 || when.at[0].mark != '^')
        return fprintf(stderr, "no subscription: %s\n", subscription), (sgk_marble_run *)NULL;
    sgk_marble_run *run = (sgk_marble_run *)calloc(1, sizeof *run);
    if (!run) return NULL;
    run->queue = sgk_queue_retain(queue);
    run->signal = sgk_signal_retain(signal);
    run->run = sgk_meta_disposable_create();
    /* before what comes at that frame */
    if (when.count > 1) sgk_disposable_release(sgk_queue_after(queue, when.at[1].frame, sgk_marble_stop, run, NULL));
    if (when.at[0].frame == 0) sgk_marble_begin(run);
    else sgk_disposable_release(sgk_queue_after(queue, when.at[0].frame, sgk_marble_begin, run, NULL));
    return run;
}

/** @cond What is inside. */
/* What happens at a frame, as it is drawn; returns the width. */
static inline int sgk_marbles_draw(const sgk_marbles *m, int frame, char *text) {
    int count = 0, width = 0;
    bool has_ended = false;
    for (int i = 0; i < m->count; i++) {
        count += m->at[i].frame == frame;
        has_ended |= m->at[i].frame < frame && (m->at[i].mark == '|' || m->at[i].mark == '#');
    }
    if (count > 1) text[width++] = '(';
    for (int i = 0; i < m->count; i++)
        if (m->at[i].frame == frame) text[width++] = m->at[i].mark;
    if (count > 1) text[width++] = ')';
    if (count == 0) text[width++] = has_ended ? ' ' : '-';
    text[width] = 0;
    return width;
}

/** @endcond */

/** Compares what has come with `diagram`, and releases `run`. When they differ it prints both, each frame in the same
 * column, and marks the first difference. False also for NULL, which is what a start that was refused has returned. */
static inline bool sgk_marble_expect(sgk_marble_run *run, const char *diagram) {
    sgk_marbles expected;
    bool same = false;
    if (!run) return fprintf(stderr, "no run, and expected  %s\n", diagram ? diagram : "NULL"), false;
    sgk_disposable_dispose(run->run);
    if (sgk_marbles_read(&expected, diagram, 0)) {
        int last = 0, first = -1;
        for (int i = 0; i < expected.count; i++) last = expected.at[i].frame > last ? expected.at[i].frame : last;
        for (int i = 0; i < run->marbles.count; i++)
            last = run->marbles.at[i].frame > last ? run->marbles.at[i].frame : last;
        char token[2][SGK_MARBLES + 3];
        for (int line = 0; line < 4; line++) { /* at first only the search for a difference, then what is printed */
            if (line == 1 && (same = first < 0)) break;
            if (line > 0) fputs(line == 1 ? "expected  " : line == 2 ? "actual    " : "          ", stderr);
            for (int frame = 0; frame <= last; frame++) {
                int widths[2] = {
                    sgk_marbles_draw(&expected, frame, token[0]), sgk_marbles_draw(&run->marbles, frame, token[1])};
                int width = widths[0] > widths[1] ? widths[0] : widths[1];
                if (line == 0 && first < 0 && strcmp(token[0], token[1]) != 0) first = frame;
                if (line == 1 || line == 2) fprintf(stderr, "%-*s", width, token[line - 1]);
                if (line == 3 && frame <= first)
                    fprintf(stderr, "%*s", frame < first ? width : 1, frame < first ? "" : "^");
            }
            if (line > 0) fputc('\n', stderr);
        }
    }
    sgk_disposable_release(run->run);
    sgk_signal_release(run->signal);
    sgk_queue_release(run->queue);
    free(run);
    return same;
}

SGK_END

#endif
