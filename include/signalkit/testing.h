/** @file
 * Marble tests: sources and expectations as diagrams, on a virtual queue. Tests include this header, which contains all
 * of the code. signalkit.h does not include it.
 *
 *     SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
 *     SGK_AUTO(sgk_signal) source = sgk_marble_cold(queue, "-a-bc---|");
 *     SGK_AUTO(sgk_signal) quiet = sgk_signal_debounce(source, 2, queue);
 *     sgk_marble_run *run = sgk_marble_start(queue, quiet, "^");
 *     sgk_queue_run(queue, 1000);
 *     assert(sgk_marble_expect(run, "------c-|"));       // prints both diagrams if they differ; releases the run
 *
 * One character is one frame of one second:
 *
 * - `-`: nothing happens. A digit: that int. Any other letter: a string of it. `|`: the completion. `#`: an error.
 * - `(ab)`: both simultaneously. A group takes one frame for each of its characters, including the parentheses.
 * - `9s `: a time of nine frames. Its unit is `ms`, `s` or `m`. It is at the start of the diagram or follows a space,
 *   and a space follows it. It must be a whole number of frames.
 * - `^` in a hot source: the frame at which the test starts. `^` and `!` in a subscription: its start and its disposal.
 *   In other diagrams they are an error.
 * - `p` and `r` in a subscription: the start and the end of a pause (sgk_disposable_hold).
 * - Other spaces are ignored.
 *
 * A function that fails, for example because of an invalid diagram, returns NULL or false, and prints the reason on
 * stderr.
 * @since 1.0
 */
#ifndef SIGNALKIT_TESTING_H
#define SIGNALKIT_TESTING_H

#include "../signalkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SGK_BEGIN

/** @cond Implementation. */
typedef struct sgk_marble {
    int frame;
    char mark;
} sgk_marble;

typedef struct sgk_marbles {
    sgk_marble *at;
    int count, capacity;
    bool is_short; /* some marks are missing, because memory ran out */
} sgk_marbles;

static inline void sgk_marbles_add(sgk_marbles *m, int frame, char mark) {
    if (m->count == m->capacity) {
        int capacity = m->capacity ? 2 * m->capacity : 16;
        sgk_marble *at = (sgk_marble *)realloc(m->at, (size_t)capacity * sizeof *at);
        if (!at) m->is_short = true;
        if (!at) return;
        m->at = at;
        m->capacity = capacity;
    }
    m->at[m->count].frame = frame;
    m->at[m->count++].mark = mark;
}

/* Returns the length of the time at the start of a text, with its space, or 0. `frames` is -1 if the time is not a
 * whole number of frames. */
static inline int sgk_marbles_time(const char *text, int *frames) {
    const char *c = text, *unit;
    double number = 0, scale = 1;
    for (; *c >= '0' && *c <= '9'; c++) number = 10 * number + (*c - '0');
    if (c == text) return 0;
    if (*c == '.' && c[1] >= '0' && c[1] <= '9')
        for (c++; *c >= '0' && *c <= '9'; c++) number = 10 * number + (*c - '0'), scale *= 10;
    unit = c;
    if (strncmp(c, "ms ", 3) == 0) scale *= 1000, c += 3;
    else if (strncmp(c, "s ", 2) == 0) c += 2;
    else if (strncmp(c, "m ", 2) == 0) number *= 60, c += 2;
    if (c == unit) return 0;
    number /= scale;
    *frames = number < 1e6 ? (int)(number + 0.5) : -1;
    if (number - *frames > 1e-6 || *frames - number > 1e-6) *frames = -1;
    return (int)(c - text);
}

/* Reads a diagram. `^` and `!` are marks only if `marks` contains them. If `marks` is "^", frames count from `^`. For
 * an invalid diagram it returns false, prints the reason on stderr, and allocates nothing. */
static inline bool sgk_marbles_read(sgk_marbles *m, const char *diagram, const char *marks) {
    int frame = 0, group = -1, origin = -1, frames = 0;
    const char *wrong = diagram ? NULL : "";
    memset(m, 0, sizeof *m);
    for (const char *c = diagram; !wrong && *c; c++) {
        if (c == diagram || c[-1] == ' ') {
            int length = sgk_marbles_time(c, &frames);
            if (length > 0 && group >= 0) wrong = ": a time is in a group";
            else if (length > 0 && frames < 0) wrong = ": a time is too long, or no whole number of seconds (frames)";
            if (length > 0) frame += frames, c += length - 1;
            if (length > 0) continue;
        }
        if (*c == ' ') continue;
        /* groups are not nested, and only an open group is closed */
        if ((*c == '(' || *c == ')') && (*c == '(') == (group >= 0)) wrong = "";
        if (*c == '(') group = frame;
        else if (*c == ')') group = -1;
        else if ((*c == '^' || *c == '!') && !strchr(marks, *c)) wrong = ": ^ or ! has no meaning in it";
        else if (*c == '^' && !marks[1] && origin >= 0) wrong = ": it begins twice";
        else if (*c == '^' && !marks[1]) origin = frame;
        else if (*c != '-') sgk_marbles_add(m, group >= 0 ? group : frame, *c);
        frame++;
    }
    for (int i = 0; i < m->count && origin > 0; i++) m->at[i].frame -= origin;
    if (!wrong && group >= 0) wrong = "";
    if (!wrong && m->is_short) wrong = ": there is no memory for it";
    if (wrong) fprintf(stderr, "no diagram: %s%s\n", diagram ? diagram : "NULL", wrong), free(m->at), m->at = NULL;
    return !wrong;
}

/* Draws the marks of `frame` among those from `at` to `end`, and returns the width. Without a file it draws nothing. */
static inline int sgk_marbles_draw(const sgk_marble *at, const sgk_marble *end, int frame, bool has_ended, FILE *file) {
    int count = 0;
    while (at + count < end && at[count].frame == frame) count++;
    if (file && count > 1) fputc('(', file);
    if (file && count == 0) fputc(has_ended ? ' ' : '-', file);
    for (int i = 0; file && i < count; i++) fputc(at[i].mark, file);
    if (file && count > 1) fputc(')', file);
    return count > 1 ? count + 2 : 1;
}

/* Reports whether both are equal. If they differ, it prints both, each frame in the same column, and marks the first
 * difference. Both are in the order of time. */
static inline bool sgk_marbles_compare(const sgk_marbles *expected, const sgk_marbles *actual) {
    const sgk_marbles *both[2] = {expected, actual};
    int same = 0, first = 0, last = 0, count = expected->count < actual->count ? expected->count : actual->count;
    while (same < count && expected->at[same].frame == actual->at[same].frame &&
        expected->at[same].mark == actual->at[same].mark)
        same++;
    if (actual->is_short) fputs("there was no memory for all that has happened\n", stderr);
    if (same == expected->count && same == actual->count) return !actual->is_short;
    for (int i = 0; i < 2; i++) {
        if (same < both[i]->count && (i == 0 || same == expected->count || both[i]->at[same].frame < first))
            first = both[i]->at[same].frame;
        if (both[i]->count > 0 && both[i]->at[both[i]->count - 1].frame > last)
            last = both[i]->at[both[i]->count - 1].frame;
    }
    for (int line = 0; line < 3; line++) {
        const sgk_marble *at[2] = {expected->at, actual->at};
        bool has_ended[2] = {false, false};
        fputs(line == 0 ? "expected  " : line == 1 ? "actual    " : "          ", stderr);
        for (int frame = 0; frame <= (line < 2 ? last : first); frame++) {
            int widths[2], width;
            for (int i = 0; i < 2; i++) {
                const sgk_marble *end = both[i]->at + both[i]->count;
                widths[i] = sgk_marbles_draw(at[i], end, frame, has_ended[i], line == i ? stderr : NULL);
            }
            width = widths[0] > widths[1] ? widths[0] : widths[1];
            if (line < 2) fprintf(stderr, "%*s", width - widths[line], "");
            else fprintf(stderr, "%*s", frame < first ? width : 1, frame < first ? "" : "^");
            for (int i = 0; i < 2; i++)
                for (; at[i] < both[i]->at + both[i]->count && at[i]->frame <= frame; at[i]++)
                    has_ended[i] |= at[i]->mark == '|' || at[i]->mark == '#' || at[i]->mark == '!';
        }
        fputc('\n', stderr);
    }
    return false;
}

/** @endcond */

/* ---- Logs of subscriptions ---- */

/** Records the starts, the pauses and the ends of subscriptions. */
typedef struct sgk_marble_log sgk_marble_log;

/** @cond Implementation. */
struct sgk_marble_log {
    int references; /* changed atomically */
    sgk_queue *queue;
    int count, capacity;
    bool is_short;
    sgk_marbles *subscriptions;
};

static inline void sgk_marble_note(sgk_marbles *marbles, sgk_queue *queue, char mark) {
    double now = sgk_queue_now(queue);
    int frame = (int)(now + 1e-6);
    double rest = now - frame;
    /* between two frames: differs from each expected mark */
    sgk_marbles_add(marbles, frame, rest > 1e-5 || rest < -1e-5 ? '~' : mark);
}

/* Adds a subscription that starts now. Returns its number, or -1 if there is no log, or no memory. */
static inline int sgk_marble_log_add(sgk_marble_log *log) {
    if (!log) return -1;
    if (log->count == log->capacity) {
        int capacity = log->capacity ? 2 * log->capacity : 4;
        sgk_marbles *subscriptions =
            (sgk_marbles *)realloc(log->subscriptions, (size_t)capacity * sizeof *subscriptions);
        log->is_short |= !subscriptions;
        if (!subscriptions) return -1;
        log->subscriptions = subscriptions;
        log->capacity = capacity;
    }
    memset(&log->subscriptions[log->count], 0, sizeof *log->subscriptions);
    sgk_marble_note(&log->subscriptions[log->count], log->queue, '^');
    return log->count++;
}

static inline void sgk_marble_log_mark(sgk_marble_log *log, int number, char mark) {
    if (number >= 0) sgk_marble_note(&log->subscriptions[number], log->queue, mark);
}

static inline sgk_marble_log *sgk_marble_log_retain(sgk_marble_log *log) {
    if (log) __atomic_add_fetch(&log->references, 1, __ATOMIC_RELAXED);
    return log;
}

/** @endcond */

/** Creates a log that uses the clock of a virtual `queue`. sgk_marble_expect_subscriptions releases it.
 *
 * @return  The log, or NULL if memory runs out.
 */
static inline sgk_marble_log *sgk_marble_log_create(sgk_queue *queue) {
    sgk_marble_log *log = (sgk_marble_log *)calloc(1, sizeof *log);
    if (!log) return NULL;
    log->references = 1;
    log->queue = sgk_queue_retain(queue);
    return log;
}

/** Releases a log without comparing it. NULL does nothing. */
static inline void sgk_marble_log_release(sgk_marble_log *log) {
    if (!log || __atomic_sub_fetch(&log->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    sgk_queue_release(log->queue);
    for (int i = 0; i < log->count; i++) free(log->subscriptions[i].at);
    free(log->subscriptions);
    free(log);
}

/* ---- Sources ---- */

/** @cond Implementation. */

typedef struct sgk_marble_source {
    int references; /* changed atomically */
    sgk_marbles marbles;
    sgk_queue *queue;
    sgk_pipe *events;    /* of a hot source: the marks, as ints */
    sgk_marble_log *log; /* of its subscriptions, or NULL */
} sgk_marble_source;

/* A subscription to a cold source. Without a subscriber: a hot source, for all of its subscribers. */
typedef struct sgk_marble_play {
    int references; /* changed atomically */
    sgk_marble_source *source;
    sgk_subscriber *subscriber;
    sgk_disposable *timers;
    int number; /* in the log */
    bool is_paused, is_over;
    int next; /* the event that waits for the end of the pause, or -1 */
} sgk_marble_play;

typedef struct sgk_marble_timer {
    sgk_marble_play *play;
    int index; /* of its event */
} sgk_marble_timer;

static inline void sgk_marble_put(sgk_subscriber *subscriber, char mark) {
    sgk_value value = mark >= '0' && mark <= '9' ? sgk_int(mark - '0') : sgk_string_n(&mark, 1);
    if (mark == '|') sgk_subscriber_complete(subscriber);
    else if (mark == '#') sgk_subscriber_error(subscriber, value);
    else sgk_subscriber_next(subscriber, value);
    sgk_value_release(value);
}

static inline void sgk_marble_source_free(void *context) {
    sgk_marble_source *source = (sgk_marble_source *)context;
    if (__atomic_sub_fetch(&source->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    sgk_queue_release(source->queue);
    sgk_pipe_release(source->events);
    sgk_marble_log_release(source->log);
    free(source->marbles.at);
    free(source);
}

static inline sgk_marble_play *sgk_marble_play_create(sgk_marble_source *source, sgk_subscriber *subscriber) {
    sgk_marble_play *play = (sgk_marble_play *)calloc(1, sizeof *play);
    __atomic_add_fetch(&source->references, 1, __ATOMIC_RELAXED);
    play->references = 1;
    play->source = source;
    play->subscriber = sgk_subscriber_retain(subscriber);
    play->timers = sgk_disposable_slot_create();
    play->next = -1;
    return play;
}

static inline sgk_marble_play *sgk_marble_play_retain(sgk_marble_play *play) {
    __atomic_add_fetch(&play->references, 1, __ATOMIC_RELAXED);
    return play;
}

static inline void sgk_marble_play_free(void *context) {
    sgk_marble_play *play = (sgk_marble_play *)context;
    if (__atomic_sub_fetch(&play->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    sgk_marble_source_free(play->source);
    sgk_subscriber_release(play->subscriber);
    sgk_disposable_release(play->timers);
    free(play);
}

static inline void sgk_marble_timer_free(void *context) {
    sgk_marble_play_free(((sgk_marble_timer *)context)->play);
    free(context);
}

static inline void sgk_marble_fire(void *context);

/* Schedules the events from `first` on. The frame `origin` of the diagram is now. */
static inline void sgk_marble_schedule(sgk_marble_play *play, int first, int origin) {
    sgk_disposable *all = sgk_disposable_bag_create();
    for (int i = first; i < play->source->marbles.count; i++) {
        int frame = play->source->marbles.at[i].frame;
        if (frame < 0) continue; /* before the test */
        sgk_marble_timer *timer = (sgk_marble_timer *)malloc(sizeof *timer);
        timer->play = sgk_marble_play_retain(play);
        timer->index = i;
        sgk_disposable *one =
            sgk_queue_after(play->source->queue, frame - origin, sgk_marble_fire, timer, sgk_marble_timer_free);
        sgk_disposable_bag_add(all, one);
        sgk_disposable_release(one);
    }
    if (play->subscriber) sgk_disposable_slot_set(play->timers, all);
    sgk_disposable_release(all);
}

static inline void sgk_marble_go_on(void *context);

static inline void sgk_marble_wait(sgk_marble_play *play) {
    sgk_subscriber_on_resume(
        play->subscriber, sgk_marble_go_on, sgk_marble_play_retain(play), sgk_marble_play_free, play->source->queue);
}

static inline void sgk_marble_go_on(void *context) {
    sgk_marble_play *play = (sgk_marble_play *)context;
    int next = play->next;
    if (play->is_over) return;
    if (sgk_subscriber_is_paused(play->subscriber)) {
        sgk_marble_wait(play);
        return;
    }
    play->is_paused = false;
    play->next = -1;
    sgk_marble_log_mark(play->source->log, play->number, 'r');
    if (next >= 0) sgk_marble_schedule(play, next, play->source->marbles.at[next].frame);
}

/* Finds out whether the subscription is paused. */
static inline bool sgk_marble_is_paused(sgk_marble_play *play) {
    if (!play->is_paused && sgk_subscriber_is_paused(play->subscriber)) {
        play->is_paused = true;
        sgk_marble_log_mark(play->source->log, play->number, 'p');
        sgk_marble_wait(play);
    }
    return play->is_paused;
}

static inline void sgk_marble_fire(void *context) {
    const sgk_marble_timer *timer = (const sgk_marble_timer *)context;
    sgk_marble_play *play = timer->play;
    char mark = play->source->marbles.at[timer->index].mark;
    if (!play->subscriber) {
        sgk_pipe_next(play->source->events, sgk_int(mark));
    } else if (mark == '|' || mark == '#') {
        sgk_marble_put(play->subscriber, mark);
    } else if (sgk_marble_is_paused(play)) {
        play->next = timer->index;
        sgk_disposable_slot_set(play->timers, NULL);
    } else {
        sgk_marble_put(play->subscriber, mark);
        sgk_marble_is_paused(play);
    }
}

static inline void sgk_marble_end(void *context) {
    sgk_marble_play *play = (sgk_marble_play *)context;
    play->is_over = true;
    sgk_disposable_dispose(play->timers);
    sgk_marble_log_mark(play->source->log, play->number, '!');
}

static inline sgk_disposable *sgk_marble_generate(void *context, sgk_subscriber *subscriber) {
    sgk_marble_play *play = sgk_marble_play_create((sgk_marble_source *)context, subscriber);
    play->number = sgk_marble_log_add(play->source->log);
    sgk_marble_schedule(play, 0, 0);
    return sgk_action_disposable_create(sgk_marble_end, play, sgk_marble_play_free);
}

static inline void sgk_marble_hear(void *context, sgk_value mark) {
    sgk_marble_put((sgk_subscriber *)context, (char)sgk_to_int(mark));
}

static inline sgk_disposable *sgk_marble_listen(void *context, sgk_subscriber *subscriber) {
    sgk_signal *marks = sgk_pipe_signal(((const sgk_marble_source *)context)->events);
    sgk_disposable *subscription =
        sgk_signal_start_next(marks, sgk_marble_hear, sgk_subscriber_retain(subscriber), sgk_release);
    sgk_signal_release(marks);
    return subscription;
}

static inline sgk_signal *sgk_marble_make(sgk_queue *queue, const char *diagram, bool is_hot, sgk_marble_log *log) {
    sgk_marble_source *source = (sgk_marble_source *)calloc(1, sizeof *source);
    if (!source || !sgk_marbles_read(&source->marbles, diagram, is_hot ? "^" : ""))
        return free(source), (sgk_signal *)NULL;
    source->references = 1;
    source->queue = sgk_queue_retain(queue);
    source->log = sgk_marble_log_retain(log);
    if (is_hot) {
        sgk_marble_play *play = sgk_marble_play_create(source, NULL);
        source->events = sgk_pipe_create();
        sgk_marble_schedule(play, 0, 0);
        sgk_marble_play_free(play);
    }
    return sgk_signal_create(is_hot ? sgk_marble_listen : sgk_marble_generate, source, sgk_marble_source_free);
}

/** @endcond */

/** Creates a cold source on a virtual `queue`. Each subscription receives the events of `diagram` from its start on.
 *
 * A value waits for the end of a pause, and the events after it keep their distance.
 */
static inline sgk_signal *sgk_marble_cold(sgk_queue *queue, const char *diagram) {
    return sgk_marble_make(queue, diagram, false, NULL);
}

/** Creates a cold source on the queue of `log`, which records its subscriptions and their pauses.
 *
 * @param diagram  As for sgk_marble_cold.
 * @return         The signal, or NULL if an argument is invalid.
 */
static inline sgk_signal *sgk_marble_log_cold(sgk_marble_log *log, const char *diagram) {
    if (!log) return fputs("no log\n", stderr), (sgk_signal *)NULL;
    return sgk_marble_make(log->queue, diagram, false, log);
}

/** Creates a hot source on a virtual `queue`. It emits the events of `diagram` from now on, also without subscriptions.
 *
 * The events of a frame are emitted before subscriptions are started or disposed in that frame. It cannot be paused.
 */
static inline sgk_signal *sgk_marble_hot(sgk_queue *queue, const char *diagram) {
    return sgk_marble_make(queue, diagram, true, NULL);
}

/* ---- Expectations ---- */

/** A subscription whose events are recorded. */
typedef struct sgk_marble_run sgk_marble_run;

/** @cond Implementation. */
struct sgk_marble_run {
    sgk_queue *queue;
    sgk_signal *signal;
    sgk_disposable *run, *started, *hold;
    sgk_marbles marbles;
};

static inline void sgk_marble_on_next(void *context, sgk_value value) {
    size_t length = 0;
    const char *text = sgk_value_kind(value) == SGK_STRING ? (const char *)sgk_value_data(value, &length) : NULL;
    int64_t number = sgk_value_kind(value) == SGK_INT ? sgk_to_int(value) : -1;
    sgk_marble_run *run = (sgk_marble_run *)context;
    sgk_marble_note(&run->marbles, run->queue,
        length == 1                      ? text[0]
            : number >= 0 && number <= 9 ? (char)('0' + number)
                                         : '?');
}
static inline void sgk_marble_on_error(void *context, sgk_value error) {
    sgk_marble_run *run = (sgk_marble_run *)context;
    (void)error, sgk_marble_note(&run->marbles, run->queue, '#');
}
static inline void sgk_marble_on_completed(void *context) {
    sgk_marble_run *run = (sgk_marble_run *)context;
    sgk_marble_note(&run->marbles, run->queue, '|');
}

static inline void sgk_marble_begin(void *context) {
    sgk_marble_run *run = (sgk_marble_run *)context;
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = run;
    handlers.next = sgk_marble_on_next;
    handlers.error = sgk_marble_on_error;
    handlers.completed = sgk_marble_on_completed;
    run->started = sgk_signal_start(run->signal, &handlers);
    sgk_disposable_slot_set(run->run, run->started);
}
static inline void sgk_marble_stop(void *context) { sgk_disposable_dispose(((sgk_marble_run *)context)->run); }
static inline void sgk_marble_pause(void *context) {
    sgk_marble_run *run = (sgk_marble_run *)context;
    run->hold = sgk_disposable_hold(run->started);
}
static inline void sgk_marble_resume(void *context) {
    sgk_marble_run *run = (sgk_marble_run *)context;
    sgk_disposable_release(run->hold), run->hold = NULL;
}

/* Reads the diagram of a subscription: `^`, then pauses (`p`, `r`), then `!`. The last ones may be missing. */
static inline bool sgk_marbles_read_subscription(sgk_marbles *m, const char *diagram) {
    if (!sgk_marbles_read(m, diagram, "^!")) return false;
    bool is_one = m->count > 0 && m->at[0].mark == '^';
    for (int i = 1; is_one && i < m->count; i++) {
        char mark = m->at[i].mark, before = m->at[i - 1].mark;
        is_one = before != '!' && (mark == '!' || mark == (before == 'p' ? 'r' : 'p'));
    }
    if (!is_one) fprintf(stderr, "no subscription: %s\n", diagram), free(m->at), m->at = NULL;
    return is_one;
}

/** @endcond */

/** Starts `signal` at the time of `^` in the diagram `subscription`, and disposes the subscription at `!`.
 *
 * From each `p` to the next `r` it pauses the subscription: `"^--p---r"`.
 *
 * Run the queue afterwards, then call sgk_marble_expect, which releases the result.
 *
 * @param queue   The virtual queue of the sources.
 * @param signal  Must not be NULL.
 * @return        The recorded subscription, or NULL if an argument is invalid.
 */
static inline sgk_marble_run *sgk_marble_start(sgk_queue *queue, sgk_signal *signal, const char *subscription) {
    sgk_marbles when;
    if (!signal) return fprintf(stderr, "no signal: %s\n", sgk_last_error()), (sgk_marble_run *)NULL;
    if (!sgk_marbles_read_subscription(&when, subscription)) return NULL;
    sgk_marble_run *run = (sgk_marble_run *)calloc(1, sizeof *run);
    if (!run) return free(when.at), (sgk_marble_run *)NULL;
    run->queue = sgk_queue_retain(queue);
    run->signal = sgk_signal_retain(signal);
    run->run = sgk_disposable_slot_create();
    /* before the events of that frame */
    for (int i = 0; i < when.count; i++) {
        char mark = when.at[i].mark;
        sgk_work_fn work = mark == '^' ? sgk_marble_begin
            : mark == 'p'              ? sgk_marble_pause
            : mark == 'r'              ? sgk_marble_resume
                                       : sgk_marble_stop;
        if (when.at[i].frame == 0 && i == 0) continue;
        sgk_disposable_release(sgk_queue_after(queue, when.at[i].frame, work, run, NULL));
    }
    if (when.at[0].frame == 0) sgk_marble_begin(run);
    free(when.at);
    return run;
}

/** Compares the recorded events with `diagram`, and releases `run`.
 *
 * If they differ, it prints both, each frame in the same column, and marks the first difference.
 *
 * @return  true if they are equal; false also if `run` is NULL because sgk_marble_start failed, or if there was not
 *          enough memory for all events.
 */
static inline bool sgk_marble_expect(sgk_marble_run *run, const char *diagram) {
    sgk_marbles expected;
    if (!run) return fprintf(stderr, "no run, and expected  %s\n", diagram ? diagram : "NULL"), false;
    sgk_disposable_dispose(run->run);
    bool same = sgk_marbles_read(&expected, diagram, "");
    if (same) same = sgk_marbles_compare(&expected, &run->marbles), free(expected.at);
    sgk_disposable_release(run->run);
    sgk_disposable_release(run->started);
    sgk_disposable_release(run->hold);
    sgk_signal_release(run->signal);
    sgk_queue_release(run->queue);
    free(run->marbles.at);
    free(run);
    return same;
}

/* ---- Subscriptions ---- */

/** @cond Implementation. */

typedef struct sgk_marble_logged_signal {
    sgk_marble_log *log;
    sgk_signal *signal;
} sgk_marble_logged_signal;

typedef struct sgk_marble_logged_run {
    sgk_marble_log *log;
    int number;
} sgk_marble_logged_run;

static inline void sgk_marble_logged_stop(void *context) {
    const sgk_marble_logged_run *run = (const sgk_marble_logged_run *)context;
    sgk_marble_log_mark(run->log, run->number, '!');
}

static inline void sgk_marble_logged_run_free(void *context) {
    sgk_marble_logged_run *run = (sgk_marble_logged_run *)context;
    sgk_marble_log_release(run->log);
    free(run);
}

/* Operators of the library pass a pause. */
static inline sgk_signal *sgk_marble_logged_start(void *context) {
    const sgk_marble_logged_signal *logged = (const sgk_marble_logged_signal *)context;
    sgk_marble_logged_run *run = (sgk_marble_logged_run *)calloc(1, sizeof *run);
    if (!run) return logged->log->is_short = true, sgk_signal_retain(logged->signal);
    run->log = sgk_marble_log_retain(logged->log);
    run->number = sgk_marble_log_add(run->log);
    return sgk_signal_after_disposed(logged->signal, sgk_marble_logged_stop, run, sgk_marble_logged_run_free);
}

static inline void sgk_marble_logged_free(void *context) {
    sgk_marble_logged_signal *logged = (sgk_marble_logged_signal *)context;
    sgk_marble_log_release(logged->log);
    sgk_signal_release(logged->signal);
    free(logged);
}

/** @endcond */

/** Returns a signal that emits the events of `signal` and records its subscriptions in `log`, without their pauses.
 *
 * @param signal  Any signal. For a cold marble source, sgk_marble_log_cold also records the pauses.
 * @return        The signal, or NULL if an argument is NULL.
 */
static inline sgk_signal *sgk_marble_logged(sgk_marble_log *log, sgk_signal *signal) {
    sgk_marble_logged_signal *logged = log && signal ? (sgk_marble_logged_signal *)calloc(1, sizeof *logged) : NULL;
    if (!logged) return fprintf(stderr, log ? "no signal\n" : "no log\n"), (sgk_signal *)NULL;
    logged->log = sgk_marble_log_retain(log);
    logged->signal = sgk_signal_retain(signal);
    return sgk_signal_deferred(sgk_marble_logged_start, logged, sgk_marble_logged_free);
}

/** Compares the subscriptions in `log`, in the order of their starts, with diagrams, and releases the log.
 *
 * In a diagram such as `"--^-p-r---!"`, `!` is the end of the subscription: its disposal or its terminal event. `p` and
 * `r` are the frames at which the source stopped and continued. A pause that no value causes or meets has no marks. The
 * first subscription that differs is printed with its diagram.
 *
 * @param diagrams  The `count` diagrams. May be NULL if `count` is 0.
 * @return          true if all are equal; false also if `log` is NULL.
 */
static inline bool sgk_marble_expect_subscriptions(sgk_marble_log *log, const char *const *diagrams, int count) {
    if (!log) return fputs("no log\n", stderr), false;
    int last = log->count > count ? log->count : count;
    bool same = !log->is_short;
    if (log->is_short) fputs("there was no memory for all subscriptions\n", stderr);
    for (int i = 0; same && i < last; i++) {
        sgk_marbles none = {NULL, 0, 0, false}, expected = none;
        if (i < count && !sgk_marbles_read_subscription(&expected, diagrams[i])) same = false;
        if (!same) break;
        same = sgk_marbles_compare(&expected, i < log->count ? &log->subscriptions[i] : &none);
        if (!same) fprintf(stderr, "          in subscription %d\n", i + 1);
        free(expected.at);
    }
    sgk_marble_log_release(log);
    return same;
}

SGK_END

#endif
