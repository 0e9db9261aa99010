/* Random programs of finite sources, once without pauses and once with them: holds, paused_by, and buffers that pause.
 * Both emit the same values. The second ends, too, after the last pause. If a hold precedes the first
 * value, no source emits during it. */
#include "suite.h"

#include "random_programs.h"

enum { STAGES = 6, MOST = 2000, HOLDS = 4, ACTS = 100, LONG = 100000 };

/* A program, and the values that it has emitted. */
typedef struct program {
    choices plan;   /* the same for both */
    choices pauses; /* of the second */
    bool is_paused, is_threaded;
    bool is_shared;  /* a shared signal may still run when it is repeated */
    bool is_ordered; /* the values of sources that run simultaneously have no order between them */
    bool is_held;    /* before the first value */
    bool may_emit;   /* during a pause */
    sgk_queue *queue;
    sgk_pipe *valve;
    sgk_signal *signal;
    sgk_disposable *run, *holds[HOLDS];
    int64_t values[MOST];
    atomic_int count, destroyed;
    atomic_bool has_started, has_ended, is_inside;
} program;

static uint32_t planned(program *p, uint32_t below) { return choose(&p->plan, below); }
static uint32_t by_the_way(program *p, uint32_t below) { return choose(&p->pauses, below); }

/* ---- Sources ---- */

static sgk_signal *counting(void *context) {
    numbers *n = calloc(1, sizeof *n);
    n->count = *(int64_t *)context;
    return sgk_signal_from_iterator(next_number, n, free);
}

/* A generator that asks for pauses, and continues on the queue. */
typedef struct feeder {
    sgk_subscriber *subscriber;
    sgk_queue *queue;
    int64_t next, count;
    atomic_int references;
} feeder;

static void feeder_release(void *context) {
    feeder *f = context;
    if (--f->references > 0) return;
    sgk_subscriber_release(f->subscriber);
    free(f);
}

static void feed(void *context) {
    feeder *f = context;
    while (f->next < f->count && sgk_subscriber_is_active(f->subscriber)) {
        if (sgk_subscriber_is_paused(f->subscriber)) {
            f->references++;
            sgk_subscriber_on_resume(f->subscriber, feed, f, feeder_release, f->queue);
            return;
        }
        sgk_subscriber_next(f->subscriber, sgk_int(f->next++));
    }
    if (f->next == f->count) sgk_subscriber_complete(f->subscriber);
}

typedef struct generation {
    sgk_queue *queue;
    int64_t count;
    bool obeys;
} generation;

static sgk_disposable *generate(void *context, sgk_subscriber *subscriber) {
    generation *g = context;
    if (!g->obeys) {
        for (int64_t i = 0; i < g->count; i++) sgk_subscriber_next(subscriber, sgk_int(i));
        sgk_subscriber_complete(subscriber);
        return NULL;
    }
    feeder *f = calloc(1, sizeof *f);
    f->subscriber = sgk_subscriber_retain(subscriber);
    f->queue = g->queue;
    f->count = g->count;
    f->references = 1;
    feed(f);
    feeder_release(f);
    return NULL;
}

static sgk_signal *range_of(void *context, sgk_value value) {
    (void)context;
    int64_t number = sgk_to_int(value);
    return sgk_signal_range(number, (number % 4 + 4) % 4);
}

static sgk_signal *some_source(program *p) {
    int64_t count = planned(p, 40);
    sgk_value items[40];
    for (int i = 0; i < 40; i++) items[i] = sgk_int(i * i);
    int64_t *number = malloc(sizeof *number);
    *number = count;
    uint32_t which = planned(p, 6);
    if (which == 2) return sgk_signal_deferred(counting, number, free);
    free(number);
    if (which == 0) return sgk_signal_range(1, count);
    if (which == 1) return sgk_signal_from_array(items, (size_t)count);
    p->may_emit |= which == 4 || (which == 5 && count == 0);
    if (which <= 4) {
        generation *g = malloc(sizeof *g);
        *g = (generation){p->queue, count, which == 3};
        return sgk_signal_create(generate, g, free);
    }
    SGK_AUTO(sgk_signal) good = sgk_signal_range(1, count);
    SGK_AUTO(sgk_signal) bad = sgk_signal_fail(sgk_int(7));
    SGK_AUTO(sgk_signal) both = sgk_concat((sgk_signal *[]){good, bad}, 2);
    switch (planned(p, 3)) {
    case 0: return sgk_signal_catch(both, range_of, NULL, NULL);
    case 1: return sgk_signal_catch_and_return(both, sgk_int(5));
    }
    SGK_AUTO(sgk_signal) twice = sgk_signal_retry(both, SGK_RETRY(.attempts = 2, .delay = 0.001), p->queue);
    return sgk_signal_catch_and_return(twice, sgk_int(6));
}

/* ---- Stages ---- */

static sgk_value sum_of(void *context, sgk_value value) {
    (void)context;
    size_t count = 0;
    const sgk_value *items = sgk_array_items(value, &count);
    int64_t sum = (int64_t)count;
    for (size_t i = 0; i < count; i++) sum += sgk_to_int(items[i]);
    return sgk_int(sum);
}

static sgk_value sum_of_both(void *context, const sgk_value *values, size_t count) {
    (void)context;
    return sgk_int((int64_t)count + sgk_to_int(values[0]) * 3 + sgk_to_int(values[1]));
}

static sgk_value add(void *context, sgk_value sum, sgk_value value) {
    (void)context;
    return sgk_int((sgk_to_int(sum) + sgk_to_int(value)) % 1000);
}

/* Consumes the signal, as the following functions do. */
static sgk_signal *summed(sgk_signal *arrays) {
    SGK_AUTO(sgk_signal) all = arrays;
    return sgk_signal_map(all, sum_of, NULL, NULL);
}

static sgk_bound pausing(int64_t limit) {
    sgk_bound bound = SGK_BOUND_INIT;
    bound.limit = limit;
    bound.overflow = SGK_OVERFLOW_PAUSE;
    return bound;
}

/* For signals of any order. */
static sgk_signal *any_stage(program *p, uint32_t which, sgk_signal *a, int64_t n) {
    double seconds = 0.001;
    sgk_bound bound = pausing(n);
    switch (which) {
    case 0: return sgk_signal_map(a, times_ten, NULL, NULL);
    case 1: return sgk_signal_filter(a, is_even, NULL, NULL);
    case 2: return sgk_signal_deliver_on(a, p->queue);
    case 3: return sgk_signal_delay(a, seconds, p->is_paused ? &bound : NULL, p->queue);
    case 4: return sgk_signal_rate_limit(a, n, seconds, p->is_paused ? &bound : NULL, p->queue);
    case 5: return sgk_signal_run_on(a, p->queue);
    case 6: return sgk_signal_delay_start(a, seconds, p->queue);
    case 7: p->is_shared = true; return sgk_signal_share(a, 0, 0, NULL);
    case 8: p->may_emit = true; return sgk_signal_start_with(a, sgk_int(3));
    case 9: return sgk_signal_timeout_first(a, LONG, p->queue);
    }
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    return sgk_signal_take_until(a, never);
}

enum { ANY_STAGES = 11 };

static sgk_signal *ordered_stage(program *p, uint32_t which, sgk_signal *a, int64_t n) {
    bool is_unbuffered = n == 3;
    p->may_emit |= which == 7 || which == 8 || which == 12; /* without a value of the source */
    sgk_bound bound = pausing(is_unbuffered ? SGK_UNBUFFERED : n);
    switch (which) {
    case 0: return sgk_signal_scan(a, sgk_int(0), add, NULL, NULL);
    case 1: return sgk_signal_take(a, n);
    case 2: return sgk_signal_skip(a, n);
    case 3: return sgk_signal_take_last(a, n);
    case 4: return summed(sgk_signal_chunked(a, n));
    case 5: return summed(sgk_signal_pairwise(a));
    case 6: return sgk_signal_distinct_until_changed(a);
    case 7: return sgk_signal_end_with(a, sgk_int(4));
    case 8: return sgk_signal_default_if_empty(a, sgk_int(2));
    case 9: return sgk_signal_concat_map(a, range_of, NULL, NULL);
    case 10: return sgk_signal_map_ordered(a, n, p->is_paused ? &bound : NULL, range_of, NULL, NULL);
    case 11: return sgk_signal_merge_map(a, 1, p->is_paused ? &bound : NULL, range_of, NULL, NULL);
    case 12: return summed(sgk_signal_to_array(a, NULL));
    case 13: return sgk_signal_distinct(a, NULL);
    }
    return sgk_signal_repeat(a, p->is_shared ? 1 : 2);
}

enum { ORDERED_STAGES = 15 };

static sgk_signal *built(program *p, int stages);

static sgk_signal *joined_with_another(program *p, sgk_signal *a, bool is_ordered, int stages) {
    p->is_ordered = true;
    SGK_AUTO(sgk_signal) b = built(p, stages);
    sgk_signal *both[] = {a, b};
    uint32_t which = planned(p, 3);
    int64_t limit = 1 + planned(p, 3);
    bool are_ordered = p->is_ordered && is_ordered;
    sgk_bound bound = pausing(limit);
    p->is_ordered = are_ordered && which != 1;
    if (which == 0) return sgk_concat(both, 2);
    if (which == 2 && are_ordered) return sgk_zip_map(both, 2, p->is_paused ? &bound : NULL, sum_of_both, NULL, NULL);
    p->is_ordered = false;
    return sgk_merge(both, 2);
}

/* The additional parts of the second program. */
static sgk_signal *with_pauses(program *p, sgk_signal *signal) {
    SGK_AUTO(sgk_signal) a = signal;
    if (p->is_paused && by_the_way(p, 4) == 0) {
        SGK_AUTO(sgk_signal) condition = sgk_pipe_signal(p->valve);
        sgk_signal_replace(&a, sgk_signal_paused_by(a, condition));
    }
    if (p->is_paused && by_the_way(p, 4) == 0) {
        sgk_bound bound = pausing(1 + by_the_way(p, 4));
        if (by_the_way(p, 4) == 0) bound.overflow |= SGK_OVERFLOW_SUSPEND;
        sgk_signal_replace(&a, sgk_signal_deliver_on_bounded(a, &bound, p->queue));
    }
    return sgk_signal_retain(a);
}

static sgk_signal *built(program *p, int stages) {
    sgk_signal *a = with_pauses(p, some_source(p));
    while (stages > 0 && planned(p, 8) > 0) {
        stages--;
        SGK_AUTO(sgk_signal) before = a;
        uint32_t which = planned(p, ANY_STAGES + ORDERED_STAGES + 4);
        int64_t n = 1 + planned(p, 3);
        if (which < ANY_STAGES) a = any_stage(p, which, before, n);
        else if (which >= ANY_STAGES + ORDERED_STAGES) a = joined_with_another(p, before, p->is_ordered, stages / 2);
        else if (p->is_ordered) a = ordered_stage(p, which - ANY_STAGES, before, n);
        else a = sgk_signal_retain(before);
        assert_non_null(a);
        a = with_pauses(p, a);
    }
    return a;
}

/* ---- Its events ---- */

/* Asks for a pause, or no more. */
static void pause_or_resume(program *p) {
    sgk_disposable **hold = &p->holds[by_the_way(p, HOLDS)];
    uint32_t which = by_the_way(p, 5);
    operations_of_programs++;
    if (which < 2) sgk_pipe_next(p->valve, sgk_bool(which == 1));
    else if (*hold) sgk_disposable_replace(hold, NULL);
    else if (p->run) assert_non_null(*hold = sgk_disposable_hold(p->run));
}

static void program_started(void *context, sgk_disposable *run) {
    program *p = context;
    p->run = sgk_disposable_retain(run);
    if (p->is_paused && by_the_way(p, 2)) p->is_held = (p->holds[0] = sgk_disposable_hold(run)) != NULL;
}

static void program_next(void *context, sgk_value value) {
    program *p = context;
    assert_false(p->is_inside);
    p->is_inside = true;
    if (p->count < MOST) p->values[p->count++] = sgk_to_int(value);
    if (p->is_paused && !p->is_threaded && by_the_way(p, 8) == 1) pause_or_resume(p);
    p->is_inside = false;
}

static void program_completed(void *context) { ((program *)context)->has_ended = true; }
static void program_destroyed(void *context) { ((program *)context)->destroyed++; }

static void program_start(void *context) {
    program *p = context;
    sgk_disposable_release(sgk_signal_start(p->signal,
        SGK_HANDLERS(.context = p, .destroy = program_destroyed, .started = program_started, .next = program_next,
            .completed = program_completed)));
    p->has_started = true;
}

/* Lets the work of the program happen. */
static void some_work(program *p) {
    if (p->is_threaded) {
        if (by_the_way(p, 4) == 0) sched_yield();
        return;
    }
    sgk_queue_advance(p->queue, by_the_way(p, 3) * 0.0005);
}

static int by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Returns whether it was disposed. */
static bool play(program *p) {
    bool is_disposed = false;
    p->queue = p->is_threaded ? sgk_queue_create("program") : sgk_queue_create_virtual(NULL);
    p->valve = sgk_pipe_create_replay();
    p->is_ordered = true;
    p->signal = built(p, STAGES);
    assert_int_equal(sgk_queue_dispatch(p->queue, program_start, p, NULL), SGK_OK);
    if (p->is_threaded) EVENTUALLY(p->has_started);
    if (p->is_held && !p->is_threaded) sgk_queue_advance(p->queue, 1);
    if (p->is_held && !p->may_emit) assert_int_equal(p->count, 0);
    for (int i = 0; p->is_paused && i < ACTS && p->pauses.next < p->pauses.end; i++) {
        if (by_the_way(p, 2)) some_work(p);
        else pause_or_resume(p);
        if (!p->run || by_the_way(p, 250) != 1) continue;
        sgk_disposable_dispose(p->run);
        is_disposed = true;
    }
    for (int i = 0; i < HOLDS; i++) sgk_disposable_replace(&p->holds[i], NULL);
    sgk_pipe_next(p->valve, sgk_bool(false));
    if (!p->is_threaded) sgk_queue_advance(p->queue, LONG / 2);
    if (p->is_threaded && !is_disposed) EVENTUALLY(p->has_ended);
    for (int i = 0; i < HOLDS; i++) sgk_disposable_release(p->holds[i]); /* of the last callbacks */
    if (!p->is_threaded) sgk_queue_advance(p->queue, LONG / 2 - 1);
    return is_disposed;
}

static void end(program *p) {
    sgk_disposable_dispose(p->run);
    sgk_disposable_release(p->run);
    sgk_signal_release(p->signal);
    sgk_pipe_release(p->valve);
    if (!p->is_threaded) sgk_queue_advance(p->queue, 0);
    EVENTUALLY(p->destroyed == 1);
    sgk_queue_release(p->queue);
}

void program_emits_the_same_with_pauses(choices choices) {
    static program programs[2];
    program *expected = &programs[0], *paused = &programs[1];
    bool is_threaded = choose(&choices, 8) == 0;
    struct choices pauses = {choices.next + (choices.end - choices.next) / 2, choices.end};
    choices.end = pauses.next;
    *expected = (program){.plan = choices};
    *paused = (program){.plan = choices, .pauses = pauses, .is_paused = true, .is_threaded = is_threaded};
    play(expected);
    bool is_disposed = play(paused), is_ordered = expected->is_ordered, has_ended = paused->has_ended;
    operations_of_programs += 2;
    assert_true(expected->has_ended);
    end(expected);
    end(paused);
    if (expected->count == MOST) return; /* and more */
    if (!is_ordered && !is_disposed) {
        qsort(expected->values, (size_t)expected->count, sizeof(int64_t), by_number);
        qsort(paused->values, (size_t)paused->count, sizeof(int64_t), by_number);
    }
    assert_true(has_ended || is_disposed);
    assert_true(is_disposed ? paused->count <= expected->count : paused->count == expected->count);
    if (is_ordered || !is_disposed)
        assert_memory_equal(expected->values, paused->values, (size_t)paused->count * sizeof(int64_t));
}

static void random_programs_emit_the_same_with_pauses(void **state) {
    (void)state;
    uint8_t bytes[512];
    for (uint64_t seed = 1, last = (uint64_t)repeated(1000); seed <= last; seed++)
        program_emits_the_same_with_pauses(by_chance(seed, bytes, sizeof bytes));
}

int run_pauses(void) {
    const struct CMUnitTest tests[] = {
        TEST(random_programs_emit_the_same_with_pauses),
    };
    return cmocka_run_group_tests_name("pauses", tests, NULL, NULL);
}
