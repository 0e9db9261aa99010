/* Operators and plain models of them: random events of two pipes at whole seconds of virtual time, random arguments,
 * disposal at any time. The results and their times must be equal. A result that has ended, or was disposed, has ended
 * its inner subscriptions. */
#include "suite.h"

#include "random_programs.h"

enum { STEPS = 12, HALVES = 60, KEPT = 64, TEXT = 8192, ROUNDS = 400 };
enum { ERROR_OF_OVERFLOW = 77, ERROR_OF_MAP = 33, OTHER = 99 };

typedef enum { START, TICK, NEXT, FAIL, DONE } kind;
typedef struct {
    kind kind;
    int source;
    int64_t value;
} event;

/* A subscription of a model, and the operator's arguments: a count from 1 to 3, a policy, half seconds. */
typedef struct {
    int64_t n;
    sgk_overflow overflow;
    double seconds, now;
    bool is_over;
    char text[TEXT];
    size_t length;
    /* The state of a model. */
    int64_t kept[2][KEPT];
    double at[KEPT], due;
    int count[2];
    kind end[2];
    int64_t error[2], number;
    bool flag;
} run;

static void write_down(run *r, char what, const char *value) {
    if (r->is_over) return;
    r->length += (size_t)snprintf(r->text + r->length, TEXT - r->length, "%.1f%c%s ", r->now, what, value);
    assert_true(r->length < TEXT - 256);
    r->is_over = what != ':';
}

static void give(run *r, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%d", (int)value);
    write_down(r, ':', text);
}

static void give_array(run *r, const int64_t *values, int count) {
    char text[512] = "[";
    for (int i = 0; i < count; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i ? ", " : "", (int)values[i]);
    }
    strcat(text, "]");
    write_down(r, ':', text);
}

static void give_two(run *r, int64_t a, int64_t b) { give_array(r, (int64_t[]){a, b}, 2); }

static void fail_with(run *r, int64_t error) {
    char text[32];
    snprintf(text, sizeof text, "%d", (int)error);
    write_down(r, '!', text);
}

static void finish(run *r) { write_down(r, '|', ""); }

static void push(run *r, int row, int64_t value) {
    r->at[r->count[row]] = r->now;
    r->kept[row][r->count[row]++] = value;
    assert_true(r->count[row] < KEPT);
}

static void drop(run *r, int row, int index) {
    for (int i = index + 1; i < r->count[row]; i++) {
        r->kept[row][i - 1] = r->kept[row][i];
        r->at[i - 1] = r->at[i];
    }
    r->count[row]--;
}

static int64_t pop(run *r, int row) {
    int64_t first = r->kept[row][0];
    drop(r, row, 0);
    return first;
}

/* Returns whether the value fits a limit of `limit`; ERROR fails immediately. */
static bool has_room(run *r, int row, int64_t limit) {
    if (r->count[row] < limit) return true;
    if (r->overflow == SGK_OVERFLOW_DROP_OLDEST && limit > 0) drop(r, row, 0);
    if (r->overflow == SGK_OVERFLOW_KEEP_LATEST) r->count[row] = 0;
    if (r->overflow == SGK_OVERFLOW_ERROR) fail_with(r, ERROR_OF_OVERFLOW);
    return r->count[row] < limit;
}

/* Most operators forward terminal events. */
static bool passes_end(run *r, event e) {
    if (e.kind == FAIL) fail_with(r, e.value);
    if (e.kind == DONE && e.source == 0) finish(r);
    return e.kind != NEXT;
}

static bool is_due(run *r) { return r->due > 0 && r->now >= r->due; }

/* ---- One source ---- */

static void scan(run *r, event e) {
    if (!passes_end(r, e)) give(r, r->number += e.value);
}

static void pairwise(run *r, event e) {
    if (passes_end(r, e)) return;
    push(r, 0, e.value);
    if (r->count[0] == 2) give_array(r, r->kept[0], 2), drop(r, 0, 0);
}

static void enumerated(run *r, event e) {
    if (!passes_end(r, e)) give_two(r, r->number++, e.value);
}

static void to_array(run *r, event e) {
    if (e.kind == NEXT && has_room(r, 0, r->n)) push(r, 0, e.value);
    if (e.kind == DONE) give_array(r, r->kept[0], r->count[0]);
    passes_end(r, e);
}

static void distinct(run *r, event e) {
    if (passes_end(r, e)) return;
    for (int i = 0; i < r->count[0]; i++)
        if (r->kept[0][i] == e.value) return;
    if (has_room(r, 0, r->n)) push(r, 0, e.value);
    give(r, e.value);
}

static void take(run *r, event e) {
    if (passes_end(r, e)) return;
    give(r, e.value);
    if (++r->number == r->n) finish(r);
}

static void take_last(run *r, event e) {
    if (e.kind == NEXT) push(r, 0, e.value);
    if (e.kind == DONE) {
        for (int i = 0; i < r->count[0]; i++)
            if (i >= r->count[0] - r->n) give(r, r->kept[0][i]);
    }
    passes_end(r, e);
}

static void take_while(run *r, event e) {
    if (passes_end(r, e)) return;
    if (e.value < r->n) give(r, e.value);
    else finish(r);
}

static void skip_some(run *r, event e) {
    if (!passes_end(r, e) && ++r->number > r->n) give(r, e.value);
}

static void skip_while(run *r, event e) {
    if (passes_end(r, e)) return;
    if (e.value >= r->n) r->flag = true;
    if (r->flag) give(r, e.value);
}

static void start_with(run *r, event e) {
    if (e.kind == START) give(r, OTHER);
    if (e.kind == NEXT) give(r, e.value);
    passes_end(r, e);
}

static void end_with(run *r, event e) {
    if (e.kind == NEXT) give(r, e.value);
    if (e.kind == DONE) give(r, OTHER);
    passes_end(r, e);
}

static void default_if_empty(run *r, event e) {
    if (e.kind == NEXT) give(r, e.value), r->flag = true;
    if (e.kind == DONE && !r->flag) give(r, OTHER);
    passes_end(r, e);
}

static void catch_and_return(run *r, event e) {
    if (e.kind == NEXT) give(r, e.value);
    if (e.kind == FAIL) give(r, OTHER), finish(r);
    passes_end(r, e);
}

static void failing_map(run *r, event e) {
    if (passes_end(r, e)) return;
    if (e.value == r->n) fail_with(r, ERROR_OF_MAP);
    else give(r, e.value * 10);
}

static void chunked(run *r, event e) {
    if (e.kind == NEXT) push(r, 0, e.value);
    if (r->count[0] == r->n || (e.kind == DONE && r->count[0])) {
        give_array(r, r->kept[0], r->count[0]);
        r->count[0] = 0;
    }
    passes_end(r, e);
}

/* Windows of n values, which start with every second value. */
static void windowed(run *r, event e) {
    if (e.kind == NEXT && r->number++ % 2 == 0 && r->n == 1) give_array(r, &e.value, 1);
    if (e.kind == NEXT && r->n > 1) {
        push(r, 0, e.value);
        if (r->count[0] == r->n) give_array(r, r->kept[0], r->n), drop(r, 0, 0), drop(r, 0, 0);
    }
    passes_end(r, e);
}

/* The pipe fails at once when it is started again. */
static void retry(run *r, event e) {
    if (e.kind == NEXT) give(r, e.value);
    if (e.kind == DONE) finish(r);
    if (e.kind == FAIL) r->error[0] = e.value;
    if (e.kind == FAIL || is_due(r)) {
        if (++r->number == r->n) fail_with(r, r->error[0]);
        r->due = r->now + r->seconds * (double)r->number;
    }
}

/* ---- Time ---- */

static void chunked_within(run *r, event e) {
    if (e.kind == NEXT && r->count[0] == 0) r->due = r->now + r->seconds;
    if (e.kind == NEXT) push(r, 0, e.value);
    if (r->count[0] && (r->count[0] == r->n || e.kind == DONE || is_due(r))) {
        if (e.kind != FAIL) give_array(r, r->kept[0], r->count[0]);
        r->count[0] = 0;
        r->due = 0;
    }
    passes_end(r, e);
}

static void delay(run *r, event e) {
    if (e.kind == FAIL && !r->flag) return fail_with(r, e.value);
    while (r->count[0] && r->now >= r->at[0] + r->seconds) give(r, pop(r, 0));
    if (e.kind == NEXT && !r->flag) {
        bool is_full = r->count[0] >= r->n;
        if (is_full && r->overflow == SGK_OVERFLOW_ERROR) r->flag = true; /* the source is over */
        else if (has_room(r, 0, r->n)) push(r, 0, e.value);
    }
    if (r->flag && r->count[0] == 0) fail_with(r, ERROR_OF_OVERFLOW);
    if (e.kind == DONE && !r->flag) r->due = r->now + r->seconds;
    if (!r->flag && is_due(r)) finish(r);
}

static void timeout(run *r, event e) {
    if (is_due(r)) give(r, OTHER), finish(r);
    if (e.kind != TICK) r->due = r->now + r->seconds;
    if (e.kind == NEXT) give(r, e.value);
    if (e.kind == FAIL) give(r, OTHER), finish(r);
    else passes_end(r, e);
}

static void throttle(run *r, event e) {
    const sgk_edges edges = (sgk_edges)r->n;
    if (is_due(r)) {
        r->due = 0;
        if (r->count[0]) {
            give(r, pop(r, 0));
            r->due = r->now + r->seconds; /* an emitted value starts an interval */
        }
    }
    if (e.kind == NEXT) {
        bool is_first = r->due == 0;
        if (is_first) r->due = r->now + r->seconds;
        if (is_first && (edges & SGK_EDGE_LEADING)) give(r, e.value);
        else if (edges & SGK_EDGE_TRAILING) r->count[0] = 0, push(r, 0, e.value);
    }
    if (e.kind == DONE && r->count[0]) give(r, pop(r, 0));
    passes_end(r, e);
}

static void debounce(run *r, event e) {
    if ((is_due(r) || e.kind == DONE) && r->count[0]) give(r, pop(r, 0));
    if (e.kind == NEXT) r->count[0] = 0, push(r, 0, e.value), r->due = r->now + r->seconds;
    passes_end(r, e);
}

static void take_for(run *r, event e) {
    if (r->now >= r->seconds) finish(r);
    if (e.kind == NEXT) give(r, e.value);
    passes_end(r, e);
}

static void sample_when(run *r, event e, bool asked) {
    if ((asked || (e.kind == DONE && e.source == 0)) && r->count[0]) give(r, pop(r, 0));
    if (e.kind == NEXT && e.source == 0) r->count[0] = 0, push(r, 0, e.value);
    passes_end(r, e);
}

static void sample(run *r, event e) {
    if (e.kind == START) r->due = r->seconds;
    bool asked = is_due(r);
    if (asked) r->due += r->seconds;
    sample_when(r, e, asked);
}

/* ---- Two sources ---- */

static void zip(run *r, event e) {
    int other = 1 - e.source;
    if (e.kind == FAIL) return fail_with(r, e.value);
    if (e.kind == DONE) r->end[e.source] = DONE;
    if (e.kind == NEXT && r->count[other] == 0) {
        if (has_room(r, e.source, r->n)) push(r, e.source, e.value);
    } else if (e.kind == NEXT) {
        int64_t first = pop(r, other);
        if (e.source == 0) give_two(r, e.value, first);
        else give_two(r, first, e.value);
    }
    for (int i = 0; i < 2; i++)
        if (r->end[i] == DONE && r->count[i] == 0) finish(r);
}

static void race(run *r, event e) {
    if (r->number == 0 && e.kind > TICK) r->number = e.source + 1;
    if (e.source + 1 != r->number) return;
    if (e.kind == NEXT) give(r, e.value);
    else e.source = 0, passes_end(r, e);
}

static void with_latest_from(run *r, event e) {
    if (passes_end(r, e)) return;
    if (e.source == 1) r->flag = true, r->number = e.value;
    else if (r->flag) give_two(r, e.value, r->number);
}

static void skip_until(run *r, event e) {
    if (r->flag && e.source == 1) return;
    if (passes_end(r, e)) return;
    if (e.source == 1) r->flag = true;
    else if (r->flag) give(r, e.value);
}

static void take_until(run *r, event e) {
    if (passes_end(r, e)) return;
    if (e.source == 1) finish(r);
    else give(r, e.value);
}

static void sample_on(run *r, event e) { sample_when(r, e, e.kind == NEXT && e.source == 1); }

static void chunked_by(run *r, event e) {
    if (e.kind == NEXT && e.source == 0) push(r, 0, e.value);
    bool is_asked = (e.kind == NEXT && e.source == 1) || (e.kind == DONE && e.source == 0);
    if (r->count[0] && (is_asked || r->count[0] == r->n)) give_array(r, r->kept[0], r->count[0]), r->count[0] = 0;
    passes_end(r, e);
}

/* Subscribes to the second source at the end of the first. It receives the present state of its pipe. */
static void after_first(run *r, event e, bool goes_on) {
    if (e.kind != NEXT && e.source == 1) r->end[1] = e.kind, r->error[1] = e.value;
    if (r->flag != (e.source == 1)) return;
    if (e.kind == NEXT) give(r, e.value), r->number++;
    if (e.kind == FAIL) fail_with(r, e.value);
    if (e.kind != DONE) return;
    if (r->flag || !goes_on) return finish(r);
    r->flag = true;
    if (r->end[1] == FAIL) fail_with(r, r->error[1]);
    if (r->end[1] == DONE) finish(r);
}

static void switch_if_empty(run *r, event e) { after_first(r, e, r->number == 0); }
static void concat(run *r, event e) { after_first(r, e, true); }

/* ---- Inner signals: each emits its value after its number and a half of seconds, and completes ---- */

enum { RUNNING, WAITING };

static void begin(run *r, int64_t value) {
    push(r, RUNNING, value);
    r->at[r->count[RUNNING] - 1] = r->now + (double)value + 0.5;
}

/* At most `limit` run, and the others wait. Of simultaneous results, that of the earlier start is first. If it is in
 * order, a result waits for those of all earlier starts. */
static void running(run *r, event e, int64_t limit, int64_t waiting, bool in_order) {
    for (int i = 0; i < r->count[RUNNING];) {
        if (r->now < r->at[i]) {
            if (in_order) break;
            i++;
            continue;
        }
        give(r, r->kept[RUNNING][i]);
        drop(r, RUNNING, i);
        double at[KEPT]; /* of those without a limit */
        memcpy(at, r->at, sizeof at);
        if (r->count[WAITING]) {
            int64_t next = pop(r, WAITING);
            memcpy(r->at, at, sizeof at);
            begin(r, next);
        }
    }
    if (e.kind == FAIL) fail_with(r, e.value);
    if (e.kind == NEXT && r->count[RUNNING] < limit) begin(r, e.value);
    else if (e.kind == NEXT) {
        double at[KEPT];
        memcpy(at, r->at, sizeof at);
        if (has_room(r, WAITING, waiting)) push(r, WAITING, e.value);
        memcpy(r->at, at, sizeof at);
    }
    if (e.kind == DONE) r->flag = true;
    if (r->flag && r->count[RUNNING] == 0) finish(r);
}

static void inner(run *r, event e, int64_t limit, int64_t waiting) { running(r, e, limit, waiting, false); }
static void merge_map(run *r, event e) { inner(r, e, r->n, r->n - 1); }
static void map_ordered(run *r, event e) { running(r, e, r->n, r->n - 1, true); }
static void concat_map(run *r, event e) { inner(r, e, 1, KEPT); }
static void exhaust_map(run *r, event e) {
    r->overflow = SGK_OVERFLOW_DROP_NEWEST;
    inner(r, e, 1, 0);
}
static void concat_map_latest(run *r, event e) {
    r->overflow = SGK_OVERFLOW_KEEP_LATEST;
    inner(r, e, 1, 1);
}
static void switch_map(run *r, event e) {
    if (e.kind == NEXT) inner(r, (event){TICK, 0, 0}, 1, 0), r->count[RUNNING] = 0;
    inner(r, e, 1, 0);
}

/* ---- The library ---- */

typedef struct {
    run run;
    sgk_queue *queue;
    sgk_pipe *pipes[2];
    sgk_signal *made[2];
    atomic_int starts, ends;
} real;

static sgk_value add(void *context, sgk_value sum, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(sum) + sgk_to_int(value));
}

static bool is_less(void *context, sgk_value value) { return sgk_to_int(value) < ((real *)context)->run.n; }

static sgk_value tenfold(void *context, sgk_value value) {
    bool fails = sgk_to_int(value) == ((real *)context)->run.n;
    return fails ? sgk_failed(sgk_int(ERROR_OF_MAP)) : sgk_int(sgk_to_int(value) * 10);
}

static sgk_value itself(void *context, sgk_value value) {
    (void)value;
    return sgk_int(*(int64_t *)context);
}

static sgk_signal *later(void *context, sgk_value value) {
    int64_t *number = malloc(sizeof *number);
    *number = sgk_to_int(value);
    SGK_AUTO(sgk_signal) timer = sgk_signal_timer((double)*number + 0.5, ((real *)context)->queue);
    return sgk_signal_map(timer, itself, number, free);
}

static sgk_signal *other(void) { return sgk_signal_just(sgk_int(OTHER)); }

static sgk_signal *retried(real *l, sgk_signal *signal) {
    /* A second failure waits twice as long, and there is no third. */
    return sgk_signal_retry(signal, SGK_RETRY(.attempts = l->run.n, .delay = l->run.seconds), l->queue);
}

/* The name of the model, how many pipes there are, and the operator. */
#define MODELS(X) \
    X(scan, 1, sgk_signal_scan(a, sgk_int(0), add, NULL, NULL)) \
    X(pairwise, 1, sgk_signal_pairwise(a)) \
    X(enumerated, 1, sgk_signal_enumerated(a)) \
    X(to_array, 1, sgk_signal_to_array(a, SGK_BOUND(.limit = n, .overflow = overflow, .error = error))) \
    X(distinct, 1, sgk_signal_distinct(a, SGK_BOUND(.limit = n, .overflow = overflow, .error = error))) \
    X(take, 1, sgk_signal_take(a, n)) \
    X(take_last, 1, sgk_signal_take_last(a, n)) \
    X(take_while, 1, sgk_signal_take_while(a, is_less, l, NULL)) \
    X(skip_some, 1, sgk_signal_skip(a, n)) \
    X(skip_while, 1, sgk_signal_skip_while(a, is_less, l, NULL)) \
    X(start_with, 1, sgk_signal_start_with(a, sgk_int(OTHER))) \
    X(end_with, 1, sgk_signal_end_with(a, sgk_int(OTHER))) \
    X(default_if_empty, 1, sgk_signal_default_if_empty(a, sgk_int(OTHER))) \
    X(catch_and_return, 1, sgk_signal_catch_and_return(a, sgk_int(OTHER))) \
    X(failing_map, 1, sgk_signal_map(a, tenfold, l, NULL)) \
    X(chunked, 1, sgk_signal_chunked(a, n)) \
    X(windowed, 1, sgk_signal_windowed(a, n, 2)) \
    X(retry, 1, retried(l, a)) \
    X(chunked_within, 1, sgk_signal_chunked_within(a, n, seconds, l->queue)) \
    X(delay, 1, sgk_signal_delay(a, seconds, SGK_BOUND(.limit = n, .overflow = overflow, .error = error), l->queue)) \
    X(timeout, 1, each_within_or(a, seconds, alternate, l->queue)) \
    X(throttle, 1, sgk_signal_throttle(a, seconds, (sgk_edges)n, l->queue)) \
    X(debounce, 1, sgk_signal_debounce(a, seconds, l->queue)) \
    X(take_for, 1, sgk_signal_take_for(a, seconds, l->queue)) \
    X(sample, 1, sgk_signal_sample(a, seconds, l->queue)) \
    X(zip, 2, sgk_zip(both, 2, SGK_BOUND(.limit = n, .overflow = overflow, .error = error))) \
    X(race, 2, sgk_race(both, 2)) \
    X(with_latest_from, 2, sgk_signal_with_latest_from(a, b)) \
    X(skip_until, 2, sgk_signal_skip_until(a, b)) \
    X(take_until, 2, sgk_signal_take_until(a, b)) \
    X(sample_on, 2, sgk_signal_sample_on(a, b)) \
    X(chunked_by, 2, sgk_signal_chunked_by(a, b, n)) \
    X(switch_if_empty, 2, sgk_signal_switch_if_empty(a, b)) \
    X(concat, 2, sgk_concat(both, 2)) \
    X(merge_map, 1, \
        sgk_signal_merge_map(a, n, \
            SGK_BOUND(.limit = n == 1 ? SGK_UNBUFFERED : n - 1, .overflow = overflow, .error = error), later, l, \
            NULL)) \
    X(map_ordered, 1, \
        sgk_signal_map_ordered(a, n, \
            SGK_BOUND(.limit = n == 1 ? SGK_UNBUFFERED : n - 1, .overflow = overflow, .error = error), later, l, \
            NULL)) \
    X(concat_map, 1, sgk_signal_concat_map(a, later, l, NULL)) \
    X(exhaust_map, 1, sgk_signal_exhaust_map(a, later, l, NULL)) \
    X(concat_map_latest, 1, sgk_signal_concat_map_latest(a, later, l, NULL)) \
    X(switch_map, 1, sgk_signal_switch_map(a, later, l, NULL))

typedef struct {
    const char *name;
    int sources;
    void (*step)(run *, event);
} model;
#define MODEL(name, sources, made) {#name, sources, name},
static const model models[] = {MODELS(MODEL)};
enum { COUNT = sizeof models / sizeof models[0] };
const int operators_with_models = COUNT;

static sgk_signal *operator_of(real *l, int index) {
    sgk_signal *a = l->made[0], *b = l->made[1], *both[] = {a, b};
    SGK_AUTO(sgk_signal) alternate = other();
    sgk_value error = sgk_int(ERROR_OF_OVERFLOW);
    int64_t n = l->run.n;
    double seconds = l->run.seconds;
    sgk_overflow overflow = l->run.overflow;
    int i = 0;
#define MADE(name, sources, made) \
    if (index == i++) return made;
    MODELS(MADE)
    return NULL;
}

static void real_event(real *l, char what, sgk_value value) {
    char text[512];
    l->run.now = sgk_queue_now(l->queue);
    sgk_value_describe(value, text, sizeof text);
    write_down(&l->run, what, text);
}

static void real_next(void *context, sgk_value value) { real_event(context, ':', value); }
static void real_error(void *context, sgk_value error) { real_event(context, '!', error); }

static void real_completed(void *context) {
    real *l = context;
    l->run.now = sgk_queue_now(l->queue);
    finish(&l->run);
}

static void has_started(void *context) { ((real *)context)->starts++; }
static void has_ended(void *context) { ((real *)context)->ends++; }

/* ---- Both ---- */

static void play_model(run *r, void (*step)(run *, event), const event *events, double disposed) {
    step(r, (event){START, 0, 0});
    for (int half = 1; half < HALVES && !r->is_over; half++) {
        r->now = half * 0.5;
        if (r->now > disposed) return;
        step(r, (event){TICK, 0, 0});
        if (half % 2 == 0 && half / 2 <= STEPS && events[half / 2 - 1].kind != TICK && !r->is_over)
            step(r, events[half / 2 - 1]);
    }
}

static void play_library(real *l, int index, const event *events, double disposed) {
    l->queue = sgk_queue_create_virtual(NULL);
    for (int i = 0; i < 2; i++) {
        l->pipes[i] = sgk_pipe_create();
        SGK_AUTO(sgk_signal) piped = sgk_pipe_signal(l->pipes[i]);
        SGK_AUTO(sgk_signal) started = sgk_signal_before_started(piped, has_started, l, NULL);
        l->made[i] = sgk_signal_after_disposed(started, has_ended, l, NULL);
    }
    SGK_AUTO(sgk_signal) signal = operator_of(l, index);
    assert_non_null(signal);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = l;
    handlers.next = real_next;
    handlers.error = real_error;
    handlers.completed = real_completed;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, &handlers);
    operations_of_programs += 5; /* it is created, started, disposed, and time advances twice after the events */
    for (int i = 0; i < STEPS; i++) {
        if (i + 1 > disposed) break;
        operations_of_programs += events[i].kind == TICK ? 1 : 2;
        sgk_queue_advance_to(l->queue, i + 1);
        sgk_pipe *pipe = l->pipes[events[i].source];
        if (events[i].kind == NEXT) sgk_pipe_next(pipe, sgk_int(events[i].value));
        if (events[i].kind == FAIL) sgk_pipe_error(pipe, sgk_int(events[i].value));
        if (events[i].kind == DONE) sgk_pipe_complete(pipe);
        if (l->run.is_over) assert_int_equal(l->starts, l->ends);
    }
    sgk_queue_advance_to(l->queue, disposed < HALVES / 2 ? disposed : HALVES / 2 - 0.25);
    sgk_disposable_dispose(run);
    assert_int_equal(l->starts, l->ends);
    l->run.is_over = true;
    sgk_queue_advance_to(l->queue, HALVES);
    for (int i = 0; i < 2; i++) {
        sgk_pipe_release(l->pipes[i]);
        sgk_signal_release(l->made[i]);
    }
    sgk_queue_release(l->queue);
}

static void some_events(choices *choices, event *events, int sources) {
    bool is_over[2] = {false, false};
    uint32_t ends = choose(choices, 3); /* some programs have many ends, some few */
    for (int i = 0; i < STEPS; i++) {
        event *e = &events[i];
        e->source = (int)choose(choices, (uint32_t)sources);
        e->value = choose(choices, 4);
        e->kind = choose(choices, 4) == 0 ? TICK : choose(choices, 6) >= ends ? NEXT : choose(choices, 2) ? FAIL : DONE;
        if (is_over[e->source]) e->kind = TICK;
        if (e->kind >= FAIL) is_over[e->source] = true;
    }
}

bool operator_does_what_its_model_does(int index, choices choices) {
    run r = {.n = 1 + choose(&choices, 3),
        .overflow = (sgk_overflow)(2 + choose(&choices, 4)),
        .seconds = 0.5 + choose(&choices, 3)};
    real l = {.run = r};
    event events[STEPS];
    some_events(&choices, events, models[index].sources);
    double disposed = choose(&choices, 3) ? HALVES : choose(&choices, STEPS) + 0.25;
    play_model(&r, models[index].step, events, disposed);
    play_library(&l, index, events, disposed);
    if (strcmp(r.text, l.run.text) == 0) return r.is_over;
    print_error("%s: n %d, overflow %d, seconds %.1f, disposed at %.2f\n", models[index].name, (int)r.n,
        (int)r.overflow, r.seconds, disposed);
    for (int i = 0; i < STEPS; i++) {
        if (events[i].kind != TICK) {
            print_error("%d%c%c%d ", i + 1, 'a' + events[i].source, ".. :!|"[events[i].kind + 1], (int)events[i].value);
        }
    }
    print_error("\nmodel:   %s\nlibrary: %s\n", r.text, l.run.text);
    fail();
    return false;
}

static void operators_do_what_their_models_do(void **state) {
    (void)state;
    uint8_t bytes[128];
    int rounds = repeated(ROUNDS);
    for (int index = 0; index < COUNT; index++) {
        int ends = 0;
        for (int round = 0; round < rounds; round++) {
            uint64_t seed = (uint64_t)index * ROUNDS + (uint64_t)round;
            ends += operator_does_what_its_model_does(index, by_chance(seed, bytes, sizeof bytes));
        }
        assert_true(ends > rounds / 8);
    }
}

int run_models(void) {
    const struct CMUnitTest tests[] = {
        TEST(operators_do_what_their_models_do),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
