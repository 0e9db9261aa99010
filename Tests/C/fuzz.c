/* Random programs, each run by the library and by a plain model of its promises about pipes, chains and combined
 * sources. Both log every callback in order, and the logs must be equal. Callbacks also emit, start, dispose, end and
 * release at random. */
#include "suite.h"

#include "random_programs.h"

enum { PIPES = 3, CHAINS = 8, RUNS = 24, OPS = 4, EVENTS = 400, WAITING = 256, TICKS = 4096 };
enum { ADD, DROP, TAKE, DISTINCT, REDUCE, KINDS };
enum { NEVER = -1 }; /* instead of a pipe */
enum { END = -1 };   /* among the values of a pipe, and in the log */

typedef enum { SINGLE, MERGED, COMBINED } mode;
_Static_assert(COMBINED + 1 == MODES, "");
typedef struct {
    int kind;
    int64_t n;
} op;
typedef struct {
    mode mode;
    int pipes[2], count;
    op ops[OPS];
    bool exists;
    sgk_signal *signal;
} chain;
/* A value, or a new subscriber that forwards the values that arrived during its start. */
typedef struct {
    int64_t value;
    int put_at;
    bool is_arrival;
    int who;
} item;

typedef struct {
    bool replays, has_ended, is_gone, has_latest, is_delivering;
    int64_t latest;
    item waiting[WAITING];
    int first, last;
    sgk_pipe *pipe;
} feed;

/* The entry of a subscription in a pipe's list. */
typedef struct {
    int pipe, joined; /* when, or 0 */
    bool is_starting, is_cut;
    int64_t missed[WAITING]; /* values that arrived during the start */
    int missed_count, passed_on;
} member;

typedef struct {
    chain chain;
    bool is_over, has_started;
    bool has[OPS];
    int64_t state[OPS];
    member members[2];
    /* Two combined sources: one event at a time. */
    bool is_busy, has_value[2];
    int running, first, last;
    int64_t value[2], waiting[WAITING][2];
    sgk_disposable *run;
} run;

/* An action in the library or in the model. */
typedef struct world {
    bool is_real;
    choices choices;
    int clock, depth, events, chains, runs;
    int joiners[TICKS]; /* who joined a pipe then: run * 2 + source; or -1 */
    int64_t log[EVENTS][2];
    feed feeds[PIPES];
    chain chain[CHAINS];
    run run[RUNS];
    struct {
        struct world *world;
        int run;
    } place[RUNS];
} world;

uint64_t operations_of_programs;

static uint32_t chance(world *w, uint32_t below) { return choose(&w->choices, below); }

static void heard(world *w, int run, int64_t value);

/* ---- The model ---- */

static int tick(world *w, int joiner) {
    assert_true(++w->clock < TICKS);
    w->joiners[w->clock] = joiner;
    return w->clock;
}

static void pass(world *w, run *r, int stage, int64_t value);

static void finish(world *w, run *r, int stage) {
    for (; stage < r->chain.count && !r->is_over; stage++) {
        if (r->chain.ops[stage].kind == REDUCE) pass(w, r, stage + 1, r->state[stage]);
    }
    if (r->is_over) return;
    r->is_over = true;
    heard(w, (int)(r - w->run), END);
}

static void pass(world *w, run *r, int stage, int64_t value) {
    if (r->is_over) return;
    if (stage == r->chain.count) return heard(w, (int)(r - w->run), value);
    op o = r->chain.ops[stage];
    int64_t *state = &r->state[stage];
    switch (o.kind) {
    case ADD: return pass(w, r, stage + 1, value + o.n);
    case DROP:
        if (value % o.n == 0) return;
        break;
    case REDUCE: *state += value; return;
    case DISTINCT:
        if (r->has[stage] && *state == value) return;
        r->has[stage] = true;
        *state = value;
        break;
    case TAKE:
        if (*state >= o.n) return;
        ++*state;
        pass(w, r, stage + 1, value);
        if (*state == o.n) finish(w, r, stage + 1);
        return;
    }
    pass(w, r, stage + 1, value);
}

static void handle(world *w, run *r, int source, int64_t value) {
    if (value == END) {
        if (--r->running == 0) finish(w, r, 0);
    } else if (r->chain.mode == COMBINED) {
        r->value[source] = value;
        r->has_value[source] = true;
        if (r->has_value[0] && r->has_value[1]) pass(w, r, 0, r->value[0] * 100 + r->value[1]);
    } else {
        pass(w, r, 0, value);
    }
}

/* Delivers an event to a subscription. At combined sources it waits until earlier events are handled. */
static void arrive(world *w, run *r, int source, int64_t value) {
    if (r->chain.mode == SINGLE) return r->is_over ? (void)0 : handle(w, r, source, value);
    r->waiting[r->last][0] = source;
    r->waiting[r->last++][1] = value;
    assert_true(r->last < WAITING);
    if (r->is_busy) return;
    r->is_busy = true;
    for (; r->first < r->last; r->first++) {
        if (!r->is_over) handle(w, r, (int)r->waiting[r->first][0], r->waiting[r->first][1]);
    }
    r->first = r->last = 0;
    r->is_busy = false;
}

static void tell(world *w, run *r, int source, int64_t value) {
    member *m = &r->members[source];
    if (r->is_over || m->is_cut) return;
    if (m->is_starting) m->missed[m->missed_count++] = value;
    else arrive(w, r, source, value);
}

static void model_deliver(world *w, int pipe, item item) {
    for (int now = 1; now < item.put_at; now++) {
        int who = w->joiners[now];
        run *r = &w->run[who / 2];
        if (who >= 0 && r->members[who % 2].pipe == pipe) tell(w, r, who % 2, item.value);
    }
}

static void pass_on(world *w, run *r, int source) {
    member *m = &r->members[source];
    for (int until = m->missed_count; m->passed_on < until;) {
        int64_t value = m->missed[m->passed_on++];
        if (!r->is_over && !m->is_cut) arrive(w, r, source, value);
    }
}

static void model_arrive(world *w, int who) {
    run *r = &w->run[who / 2];
    member *m = &r->members[who % 2];
    while (m->passed_on < m->missed_count) pass_on(w, r, who % 2);
    m->is_starting = false;
}

static void model_enqueue(world *w, int pipe, item item) {
    feed *f = &w->feeds[pipe];
    f->waiting[f->last++] = item;
    assert_true(f->last < WAITING);
    if (f->is_delivering) return;
    f->is_delivering = true;
    while (f->first < f->last) {
        item = f->waiting[f->first++];
        if (item.is_arrival) model_arrive(w, item.who);
        else model_deliver(w, pipe, item);
    }
    f->first = f->last = 0;
    f->is_delivering = false;
}

static void model_put(world *w, int pipe, int64_t value) {
    feed *f = &w->feeds[pipe];
    if (f->has_ended || f->is_gone) return;
    if (value == END) f->has_ended = true;
    else f->latest = value, f->has_latest = true;
    model_enqueue(w, pipe, (item){value, tick(w, -1), false, 0});
}

static void model_join(world *w, run *r, int source) {
    member *m = &r->members[source];
    m->pipe = r->chain.pipes[source];
    if (m->pipe == NEVER) return;
    feed *f = &w->feeds[m->pipe];
    bool ends = f->has_ended;
    if (f->is_gone && !ends) return;
    if (!ends) m->joined = tick(w, (int)(r - w->run) * 2 + source);
    m->is_starting = true;
    if (f->replays && f->has_latest && !f->is_gone) arrive(w, r, source, f->latest);
    if (ends && !r->is_over) arrive(w, r, source, END);
    /* the values that arrived in the meantime; values that arrive during their delivery follow after the present one */
    bool has_missed = m->missed_count > 0;
    pass_on(w, r, source);
    if (has_missed) model_enqueue(w, m->pipe, (item){0, 0, true, (int)(r - w->run) * 2 + source});
    else m->is_starting = false;
}

static void model_start(world *w, run *r) {
    int sources = r->chain.mode == SINGLE ? 1 : 2;
    r->running = sources;
    for (int i = 0; i < sources && !r->is_over; i++) model_join(w, r, i);
}

static void model_let_go(world *w, int pipe) {
    for (int i = 0; i < w->runs && !w->feeds[pipe].has_ended; i++) {
        for (int source = 0; source < 2; source++) {
            member *m = &w->run[i].members[source];
            if (m->joined && m->pipe == pipe) m->is_cut = true;
        }
    }
}

/* ---- The library ---- */

static sgk_value add(void *context, sgk_value value) { return sgk_int(sgk_to_int(value) + *(int64_t *)context); }
static bool keep(void *context, sgk_value value) { return sgk_to_int(value) % *(int64_t *)context != 0; }
static sgk_value sum(void *context, sgk_value total, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(total) + sgk_to_int(value));
}

static sgk_value both(void *context, const sgk_value *values, size_t count) {
    (void)context;
    assert_int_equal(count, 2);
    return sgk_int(sgk_to_int(values[0]) * 100 + sgk_to_int(values[1]));
}

static int64_t *boxed(int64_t number) {
    int64_t *box = malloc(sizeof *box);
    *box = number;
    return box;
}

static sgk_signal *real_op(sgk_signal *source, op o) {
    switch (o.kind) {
    case ADD: return sgk_signal_map(source, add, boxed(o.n), free);
    case DROP: return sgk_signal_filter(source, keep, boxed(o.n), free);
    case TAKE: return sgk_signal_take(source, o.n);
    case DISTINCT: return sgk_signal_distinct_until_changed(source);
    default: return sgk_signal_reduce(source, sgk_int(0), sum, NULL, NULL);
    }
}

static void real_next(void *context, sgk_value value) {
    world *w = *(world **)context;
    heard(w, (int)(((char *)context - (char *)w->place) / (long)sizeof w->place[0]), sgk_to_int(value));
}

static void real_completed(void *context) { real_next(context, sgk_int(END)); }

/* ---- What a program does ---- */

static void put(world *w, int pipe, int64_t value) {
    feed *f = &w->feeds[pipe];
    if (!w->is_real) {
        model_put(w, pipe, value);
    } else if (!f->is_gone) {
        operations_of_programs++;
        if (value == END) sgk_pipe_complete(f->pipe);
        else sgk_pipe_next(f->pipe, sgk_int(value));
    }
}

static void release_pipe(world *w, int pipe) {
    feed *f = &w->feeds[pipe];
    if (f->is_gone) return;
    if (!w->is_real) model_let_go(w, pipe);
    f->is_gone = true;
    operations_of_programs += w->is_real;
    sgk_pipe_release(f->pipe);
}

static void add_chain(world *w) {
    if (w->chains == CHAINS) return;
    operations_of_programs += w->is_real;
    chain *c = &w->chain[w->chains++];
    chain *base = w->chains > PIPES && chance(w, 2) ? &w->chain[chance(w, (uint32_t)w->chains - 1)] : NULL;
    if (base && base->exists && base->count < OPS) {
        *c = *base;
        op o = {(int)chance(w, KINDS), 1 + chance(w, 4)};
        c->ops[c->count++] = o;
        if (w->is_real) c->signal = real_op(base->signal, o);
    } else {
        *c = (chain){.mode = (mode)chance(w, MODES), .exists = true};
        sgk_signal *sources[2];
        for (int i = 0; i < 2; i++) {
            int pipe = (int)chance(w, PIPES);
            feed *f = &w->feeds[pipe];
            c->pipes[i] = f->is_gone ? NEVER : pipe;
            if (w->is_real) sources[i] = f->is_gone ? sgk_signal_never() : sgk_pipe_signal(f->pipe);
        }
        if (!w->is_real) return;
        c->signal = c->mode == SINGLE ? sgk_signal_retain(sources[0])
            : c->mode == MERGED       ? sgk_merge(sources, 2)
                                      : sgk_combine_latest_map(sources, 2, both, NULL, NULL, NULL);
        for (int i = 0; i < 2; i++) sgk_signal_release(sources[i]);
    }
}

static void release_chain(world *w) {
    if (w->chains == 0) return;
    chain *c = &w->chain[chance(w, (uint32_t)w->chains)];
    operations_of_programs += w->is_real && c->exists;
    c->exists = false;
    sgk_signal_release(c->signal);
    c->signal = NULL;
}

static void start(world *w) {
    if (w->runs == RUNS || w->chains == 0) return;
    chain *c = &w->chain[chance(w, (uint32_t)w->chains)];
    if (!c->exists) return;
    int index = w->runs++;
    run *r = &w->run[index];
    r->chain = *c;
    if (w->is_real) {
        operations_of_programs++;
        w->place[index].world = w;
        sgk_handlers handlers = {
            .size = sizeof handlers, .context = &w->place[index], .next = real_next, .completed = real_completed};
        r->run = sgk_signal_start(c->signal, &handlers);
    } else {
        model_start(w, r);
    }
    r->has_started = true;
}

static void stop(world *w) {
    if (w->runs == 0) return;
    run *r = &w->run[chance(w, (uint32_t)w->runs)];
    if (!r->has_started) return; /* it is being started, and nobody has got it yet */
    r->is_over = true;
    operations_of_programs += w->is_real;
    sgk_disposable_dispose(r->run);
}

static void act(world *w) {
    uint32_t kind = chance(w, 40);
    int pipe = (int)chance(w, PIPES);
    int64_t value = chance(w, 30);
    if (kind < 18) put(w, pipe, value);
    else if (kind < 24) add_chain(w);
    else if (kind < 32) start(w);
    else if (kind < 37) stop(w);
    else if (kind < 38) release_chain(w);
    else if (kind < 39) put(w, pipe, END);
    else if (chance(w, 3) == 0) release_pipe(w, pipe);
}

static void heard(world *w, int run, int64_t value) {
    if (w->events == EVENTS) return;
    w->log[w->events][0] = run;
    w->log[w->events++][1] = value;
    if (w->depth == 3 || chance(w, 4) != 1) return;
    w->depth++;
    act(w);
    w->depth--;
}

static void play(world *w, choices choices, bool is_real) {
    memset(w, 0, sizeof *w);
    w->is_real = is_real;
    w->choices = choices;
    for (int i = 0; i < PIPES; i++) {
        w->feeds[i].replays = i == 1;
        if (is_real) w->feeds[i].pipe = i == 1 ? sgk_pipe_create_replay() : sgk_pipe_create();
    }
    for (int i = 0; i < 120 && w->events < EVENTS && w->choices.next < w->choices.end; i++) act(w);
    w->depth = 3;
    for (int i = 0; i < w->runs; i++) sgk_disposable_release(w->run[i].run);
    for (int i = 0; i < w->chains; i++) sgk_signal_release(w->chain[i].signal);
    for (int i = 0; i < PIPES; i++)
        if (!w->feeds[i].is_gone) sgk_pipe_release(w->feeds[i].pipe);
}

void program_does_what_the_model_does(choices choices, long events[MODES]) {
    static world worlds[2];
    world *model = &worlds[0], *real = &worlds[1];
    play(model, choices, false);
    play(real, choices, true);
    for (int i = 0; i < model->events || i < real->events; i++) {
        if (i < model->events && i < real->events && memcmp(model->log[i], real->log[i], sizeof model->log[i]) == 0)
            continue;
        print_error("event %d of %d and %d: the model has %d:%d, the library %d:%d\n", i, model->events, real->events,
            (int)model->log[i][0], (int)model->log[i][1], (int)real->log[i][0], (int)real->log[i][1]);
        fail();
    }
    assert_ptr_equal(model->choices.next, real->choices.next);
    for (int i = 0; i < model->events; i++) events[model->run[model->log[i][0]].chain.mode]++;
}

static void random_programs_do_what_the_model_does(void **state) {
    (void)state;
    long events[MODES] = {0};
    uint8_t bytes[2048];
    for (uint64_t seed = 1, last = (uint64_t)repeated(3000); seed <= last; seed++)
        program_does_what_the_model_does(by_chance(seed, bytes, sizeof bytes), events);
    for (int i = 0; i < MODES; i++) assert_true(events[i] > repeated(10000));
}

int run_fuzz(void) {
    const struct CMUnitTest tests[] = {
        TEST(random_programs_do_what_the_model_does),
    };
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
