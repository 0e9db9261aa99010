/* SGK_OVERFLOW_PAUSE: a full buffer pauses its source, and resumes it when half of the values were delivered. The
 * program pauses a source by sgk_disposable_hold. */
#include "suite.h"

/* Counts values in any order. */
static void count_next(void *context, sgk_value value) {
    sequence *s = context;
    (void)value;
    s->count++;
    if (s->slow && s->count % s->slow == 0) sleep_a_moment();
}

/* Delivers a signal with a pausing bound, and waits for its end. Consumes the signal. */
static void hear_all(sgk_signal *source, int64_t limit, sequence *s, sgk_next_fn next, sgk_overflow_counter *counter) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("slow");
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(
        source, SGK_BOUND(.limit = limit, .overflow = SGK_OVERFLOW_PAUSE, .counter = counter), queue);
    sgk_signal_release(source);
    SGK_AUTO(sgk_disposable) run = sequence_run(bounded, s, next);
    EVENTUALLY(s->has_ended || s->has_failed);
    sgk_disposable_dispose(run);
    EVENTUALLY(s->destroyed == 1);
}

static const int64_t limits[] = {1, 2, 3, 1024};
enum { LIMITS = sizeof limits / sizeof *limits };

static sgk_value same(void *context, sgk_value value) {
    (void)context;
    return value;
}

static bool is_any(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return true;
}

static sgk_value plus(void *context, sgk_value sum, sgk_value value) {
    (void)context;
    return sgk_to_int(value) == 0 ? value : sgk_int(sgk_to_int(sum) + 1);
}

static bool emit_numbers(void *context, const sgk_loop *loop, sgk_value *end) {
    numbers *n = context;
    (void)end;
    while (sgk_loop_goes_on(loop)) {
        if (n->next == n->count) return false;
        sgk_loop_next(loop, sgk_int(n->next++));
    }
    return true;
}

enum { RANGE, ARRAY, ITERATOR, LOOP, STAGES, KINDS };

/* 0 … count-1 by each kind of source, and through stages with one source. */
static sgk_signal *source_of(int kind, int64_t count, numbers *n) {
    if (kind == RANGE) return sgk_signal_range(0, count);
    if (kind == ARRAY) {
        sgk_value *items = calloc((size_t)count, sizeof *items);
        assert_non_null(items);
        for (int64_t i = 0; i < count; i++) items[i] = sgk_int(i);
        sgk_signal *signal = sgk_signal_from_array(items, (size_t)count);
        free(items);
        return signal;
    }
    if (kind == ITERATOR) {
        *n = (numbers){0, count, 0};
        return sgk_signal_from_iterator(next_number, n, numbers_destroy);
    }
    if (kind == LOOP) {
        *n = (numbers){0, count, 0};
        return sgk_signal_from_loop(emit_numbers, n, numbers_destroy);
    }
    SGK_AUTO(sgk_signal) range = sgk_signal_range(0, count);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(range, same, NULL, NULL);
    SGK_AUTO(sgk_signal) kept = sgk_signal_filter(mapped, is_any, NULL, NULL);
    return sgk_signal_scan(kept, sgk_int(0), plus, NULL, NULL);
}

/* Sources that are faster than the queue are paused. All values arrive in order, none exceeds the limit. */
static void nothing_is_lost(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < LIMITS; i++) {
            numbers n = {0};
            sequence s = {.slow = 997};
            SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
            hear_all(source_of(kind, 20000, &n), limits[i], &s, sequence_next, counter);
            assert_true(s.count == 20000 && s.has_ended && !s.is_wrong);
            assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
            assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
            assert_int_equal(sgk_overflow_counter_suspended(counter), 0);
            if (kind == ITERATOR || kind == LOOP) EVENTUALLY(n.destroyed == 1);
        }
    }
}

/* In virtual time everything happens on the thread that runs the queue. The start returns at the first pause. */
static void the_marks(void **state) {
    (void)state;
    static const struct {
        uint32_t policy;
        int64_t limit;
        int before; /* how many values the iterator has produced when the start returns */
    } rows[] = {
        {SGK_OVERFLOW_PAUSE, 1, 1}, {SGK_OVERFLOW_PAUSE, 2, 2}, {SGK_OVERFLOW_PAUSE, 8, 8},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_OLDEST, 8, 6}, {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_SUSPEND, 8, 6},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_ERROR, 2, 1}, {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_KEEP_LATEST, 1, 1},
        {SGK_OVERFLOW_PAUSE, 0, 1024}, /* the default */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        numbers n = {0, 3000, 0};
        SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_AUTO(sgk_signal)
        bounded =
            sgk_signal_deliver_on_bounded(source, SGK_BOUND(.limit = rows[i].limit, .overflow = rows[i].policy), queue);
        sequence s = {0};
        SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, sequence_next);
        assert_int_equal(n.next, rows[i].before);
        assert_int_equal(s.count, 0);
        sgk_queue_run(queue, 100000);
        assert_true(s.count == 3000 && s.has_ended && !s.is_wrong && !s.has_failed);
    }
}

static void emit_10(void *context, int index) {
    (void)index;
    for (int i = 0; i < 10; i++) sgk_pipe_next(context, sgk_int(i));
}

/* A program that does not look at the status of sgk_pipe_next: its values exceed the limit, or the second policy
 * decides. */
static void sources_that_cannot_be_paused(void **state) {
    (void)state;
    static const struct {
        uint32_t policy;
        int count;
        int64_t values[10];
        int errors, dropped, exceeded;
    } rows[] = {
        {SGK_OVERFLOW_PAUSE, 10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, 0, 6},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_OLDEST, 4, {6, 7, 8, 9}, 0, 6, 0},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_NEWEST, 4, {0, 1, 2, 3}, 0, 6, 0},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_KEEP_LATEST, 2, {8, 9}, 0, 8, 0},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_ERROR, 4, {0, 1, 2, 3}, 1, 1, 0},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_SUSPEND, 10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal)
        bounded = sgk_signal_deliver_on_bounded(
            source, SGK_BOUND(.limit = 4, .overflow = rows[i].policy, .counter = counter), queue);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(bounded, r);
        emit_10(pipe, 0);
        sgk_queue_run(queue, 100000);
        assert_recorded(r, rows[i].count, rows[i].values);
        assert_int_equal(r->errors, rows[i].errors);
        assert_int_equal(sgk_overflow_counter_dropped(counter), rows[i].dropped);
        assert_int_equal(sgk_overflow_counter_exceeded(counter), rows[i].exceeded);
        sgk_disposable_dispose(run);
        recorder_free(r);
    }
}

/* Hubs pause all their sources. */
static void hubs_pass_pauses(void **state) {
    (void)state;
    enum { EACH = 2000, SOURCES = 4 };
    for (int kind = 0; kind < 6; kind++) {
        for (int i = 0; i < LIMITS; i++) {
            sgk_signal *sources[SOURCES], *signal = NULL;
            for (int j = 0; j < SOURCES; j++) sources[j] = sgk_signal_range(0, EACH);
            SGK_AUTO(sgk_signal) outer = sgk_signal_range(0, EACH);
            SGK_AUTO(sgk_signal) signals = sgk_signal_map(outer, as_signal, NULL, NULL);
            int64_t expected = EACH;
            switch (kind) {
            case 0:
                signal = sgk_merge(sources, SOURCES);
                expected = (int64_t)EACH * SOURCES;
                break;
            case 1: signal = sgk_zip(sources, SOURCES, NULL); break;
            case 2:
                signal = sgk_concat(sources, SOURCES);
                expected = (int64_t)EACH * SOURCES;
                break;
            case 3: signal = sgk_signal_concat_all(signals); break;
            case 4: signal = sgk_signal_merge_all(signals, 4, NULL); break;
            case 5: signal = sgk_signal_run_on(sources[0], sgk_queue_concurrent_default()); break;
            }
            assert_non_null(signal);
            for (int j = 0; j < SOURCES; j++) sgk_signal_release(sources[j]);
            sequence s = {.slow = 499};
            SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
            hear_all(signal, limits[i], &s, count_next, counter);
            assert_int_equal(s.count, expected);
            assert_true(s.has_ended);
            assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
        }
    }
}

/* A hub whose section is occupied pauses each source that waits for it, so little is stored between them. */
static void merged_ranges_do_not_run_ahead(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    numbers n[3] = {{0, 1000, 0}, {0, 1000, 0}, {0, 1000, 0}};
    sgk_signal *sources[3];
    for (int i = 0; i < 3; i++) sources[i] = sgk_signal_from_iterator(next_number, &n[i], numbers_destroy);
    SGK_AUTO(sgk_signal) merged = sgk_merge(sources, 3);
    for (int i = 0; i < 3; i++) sgk_signal_release(sources[i]);
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(
        merged, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE, .counter = counter), queue);
    sequence s = {0};
    SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, count_next);
    /* The sources that are started after the first one start paused. */
    assert_true(n[0].next == 4 && n[1].next == 0 && n[2].next == 0);
    sgk_queue_run(queue, 100000);
    assert_true(s.count == 3000 && s.has_ended);
    assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
}

typedef struct occupation {
    sgk_pipe *pipe;
    atomic_bool is_inside, may_leave;
} occupation;

static sgk_value stay_inside(void *context, sgk_value value) {
    occupation *o = context;
    if (sgk_to_int(value) < 0) {
        o->is_inside = true;
        while (!o->may_leave) sleep_a_moment();
    }
    return value;
}

static void *occupy(void *context) {
    sgk_pipe_next(((occupation *)context)->pipe, sgk_int(-1));
    return NULL;
}

static void nothing(void *context) { (void)context; }

/* A source whose value waits for the section of a hub is paused, so that only one value waits for it. */
static void who_waits_for_a_section_is_paused(bool is_shared) {
    occupation o = {.pipe = sgk_pipe_create()};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("source");
    SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
    door d = {0};
    sgk_queue_dispatch(queue, wait_at, &d, counted_destroy);
    numbers n = {0, 1000, 0};
    SGK_AUTO(sgk_signal) numbers_signal = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
    sgk_signal *sources[] = {sgk_pipe_signal(o.pipe), sgk_signal_run_on(numbers_signal, queue)};
    SGK_AUTO(sgk_signal) merged = sgk_merge(sources, 2);
    for (int i = 0; i < 2; i++) sgk_signal_release(sources[i]);
    sequence ungoverned = {0};
    if (is_shared) sgk_signal_replace(&merged, sgk_signal_share(merged, 0, 0, NULL));
    sgk_disposable *early = is_shared ? sequence_run(merged, &ungoverned, count_next) : NULL;
    SGK_AUTO(sgk_signal) staying = sgk_signal_map(merged, stay_inside, &o, NULL);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(staying, SGK_BOUND(.limit = 5000, .overflow = SGK_OVERFLOW_PAUSE), slow);
    sequence s = {0};
    SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, count_next);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, occupy, &o), 0);
    EVENTUALLY(o.is_inside);
    open_and_wait(&d);
    /* The work that starts the source has returned when this runs. */
    sgk_queue_sync(queue, nothing, NULL);
    assert_int_equal(n.next, 1);
    o.may_leave = true;
    pthread_join(thread, NULL);
    EVENTUALLY(s.count == 1001);
    sgk_pipe_complete(o.pipe);
    EVENTUALLY(s.has_ended && s.destroyed == 1);
    sgk_disposable_release(early);
    sgk_pipe_release(o.pipe);
}

static void a_value_that_waits_for_a_section(void **state) {
    (void)state;
    who_waits_for_a_section_is_paused(false);
}

/* The same for a shared source, also if the stage that pauses comes after the start. */
static void a_value_that_waits_in_a_shared_source(void **state) {
    (void)state;
    who_waits_for_a_section_is_paused(true);
}

/* The trigger of take_until is never paused. Otherwise it could not end the source. */
static void control_sources_are_not_paused(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    numbers n = {0, 1000, 0};
    SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
    SGK_AUTO(sgk_signal) tick = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) later = sgk_signal_delay_start(tick, 1, queue);
    SGK_AUTO(sgk_signal) limited = sgk_signal_take_until(source, later);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(limited, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE), queue);
    SGK_AUTO(sgk_signal) kept = sgk_signal_take(bounded, 2000);
    sequence s = {0};
    SGK_AUTO(sgk_disposable) run = sequence_run(kept, &s, sequence_next);
    assert_int_equal(n.next, 4);
    sgk_queue_run(queue, 100000);
    assert_true(s.count == 1000 && s.has_ended && !s.is_wrong);
}

/* Terminal events pass a full buffer: an error arrives behind the values that wait. */
static void errors_pass(void **state) {
    (void)state;
    for (int i = 0; i < LIMITS; i++) {
        sgk_signal *parts[] = {sgk_signal_range(0, 5000), sgk_signal_fail(sgk_int(7))};
        sgk_signal *both = sgk_concat(parts, 2);
        sgk_signal_release(parts[0]);
        sgk_signal_release(parts[1]);
        sequence s = {.slow = 997};
        hear_all(both, limits[i], &s, sequence_next, NULL);
        assert_true(s.count == 5000 && s.has_failed && !s.has_ended && !s.is_wrong);
    }
}

/* Runs that are disposed at any time: the position of the source is dropped once. */
static void disposal_midway(void **state) {
    (void)state;
    int rounds = getenv("SUITE_ROUNDS") ? 300 : 3000;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("midway");
    for (int round = 0; round < rounds; round++) {
        numbers n = {0, 200, 0};
        sgk_signal *signal = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        if (round % 4 == 0) {
            sgk_signal *source = signal;
            signal = sgk_merge(&source, 1);
            sgk_signal_release(source);
        }
        sgk_signal *bounded = sgk_signal_deliver_on_bounded(
            signal, SGK_BOUND(.limit = 1 + round % 8, .overflow = SGK_OVERFLOW_PAUSE), queue);
        sgk_signal_release(signal);
        sequence s = {0};
        SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, count_next);
        sgk_signal_release(bounded);
        if (round % 3 == 0) {
            while (s.count < round % 150) sched_yield();
            sgk_disposable_dispose(run);
        } else {
            EVENTUALLY(s.has_ended);
            assert_int_equal(s.count, 200);
        }
        EVENTUALLY(s.destroyed == 1 && n.destroyed == 1);
    }
}

typedef struct reentrance {
    sequence s;
    sgk_disposable *run;
    int64_t dispose_at;
} reentrance;

static void next_disposing(void *context, sgk_value value) {
    reentrance *r = context;
    sequence_next(&r->s, value);
    if (r->s.count == r->dispose_at) sgk_disposable_dispose(r->run);
}

static void reentrance_ended(void *context) { sequence_ended(&((reentrance *)context)->s); }
static void reentrance_destroy(void *context) { sequence_destroy(&((reentrance *)context)->s); }
static void reentrance_started(void *context, sgk_disposable *run) {
    ((reentrance *)context)->run = sgk_disposable_retain(run);
}

/* The callback disposes while the source is paused. */
static void disposal_inside_the_callback(void **state) {
    (void)state;
    for (int64_t at = 1; at <= 20; at++) {
        SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
        numbers n = {0, 1000, 0};
        sgk_signal *source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        sgk_signal *bounded =
            sgk_signal_deliver_on_bounded(source, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE), queue);
        sgk_signal_release(source);
        reentrance r = {.dispose_at = at};
        sgk_disposable *run = sgk_signal_start(bounded,
            SGK_HANDLERS(.context = &r, .destroy = reentrance_destroy, .next = next_disposing,
                .completed = reentrance_ended, .started = reentrance_started));
        sgk_signal_release(bounded);
        sgk_queue_run(queue, 100000);
        assert_true(r.s.count == at && !r.s.has_ended && r.s.destroyed == 1 && n.destroyed == 1);
        sgk_disposable_release(r.run);
        sgk_disposable_release(run);
    }
}

/* A queue that ends with values in it disposes the source, which nothing would resume. */
static void a_queue_that_ends(void **state) {
    (void)state;
    numbers n = {0, 1000, 0};
    sgk_queue *queue = sgk_queue_create_virtual(NULL);
    sgk_signal *source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
    sgk_signal *bounded =
        sgk_signal_deliver_on_bounded(source, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE), queue);
    sgk_signal_release(source);
    sequence s = {0};
    sgk_disposable *run = sequence_run(bounded, &s, sequence_next);
    sgk_signal_release(bounded);
    sgk_disposable_release(run);
    sgk_queue_release(queue);
    assert_true(n.destroyed == 1 && s.destroyed == 1 && s.count == 0);
}

/* A timeout does not count the time in which the stage below pauses. */
static void back_pressure_is_no_timeout(void **state) {
    (void)state;
    for (int each = 0; each < 2; each++) {
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
        door d = {0};
        sgk_queue_dispatch(slow, wait_at, &d, counted_destroy);
        SGK_AUTO(sgk_signal) range = sgk_signal_range(0, 100);
        SGK_AUTO(sgk_signal) late = sgk_signal_fail(sgk_int(1));
        sgk_signal *both[] = {range, (each ? each_within_or : first_within_or)(range, 1, late, time)};
        SGK_AUTO(sgk_signal) merged = sgk_merge(both, 2);
        sgk_signal_release(both[1]);
        SGK_AUTO(sgk_signal)
        bounded = sgk_signal_deliver_on_bounded(merged, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE), slow);
        sequence s = {0};
        SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, count_next);
        for (int i = 0; i < 10; i++) sgk_queue_advance(time, 0.75);
        open_and_wait(&d);
        EVENTUALLY(s.has_ended || s.has_failed);
        assert_true(s.count == 200 && s.has_ended);
        /* Afterwards it counts again: nothing more happens here, because the source has ended. */
        sgk_queue_advance(time, 10);
        sgk_disposable_dispose(run);
        EVENTUALLY(s.destroyed == 1);
    }
}

/* Without a pause the same timer fires. */
static void a_timeout_after_a_pause(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
    door d = {0};
    sgk_queue_dispatch(slow, wait_at, &d, counted_destroy);
    sgk_signal *parts[] = {sgk_signal_range(0, 100), sgk_signal_never()};
    SGK_AUTO(sgk_signal) both = sgk_concat(parts, 2);
    sgk_signal_release(parts[0]);
    sgk_signal_release(parts[1]);
    SGK_AUTO(sgk_signal) late = sgk_signal_fail(sgk_int(1));
    SGK_AUTO(sgk_signal) limited = each_within_or(both, 1, late, time);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(limited, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE), slow);
    sequence s = {0};
    SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, count_next);
    sgk_queue_advance(time, 5);
    open_and_wait(&d);
    EVENTUALLY(s.count == 100);
    assert_false(s.has_failed);
    sgk_queue_advance(time, 3);
    EVENTUALLY(s.has_failed && s.destroyed == 1);
}

/* ---- Pipes ---- */

typedef struct producer {
    sgk_pipe *pipe;
    sgk_queue *queue;
    int64_t next, count;
    atomic_int resumed, destroyed;
    atomic_bool is_done;
    int ahead, most; /* values since the last resumption, and their maximum */
} producer;

static void produce(void *context);
static void producer_destroy(void *context) { ((producer *)context)->destroyed++; }

static void go_on(void *context) {
    ((producer *)context)->resumed++;
    produce(context);
}

/* Sends values up to a pause, and continues after it. */
static void produce(void *context) {
    producer *p = context;
    for (p->ahead = 0; p->next < p->count;) {
        sgk_status status = sgk_pipe_next(p->pipe, sgk_int(p->next++));
        p->ahead++;
        if (p->ahead > p->most) p->most = p->ahead;
        if (status == SGK_PAUSED) {
            assert_int_equal(sgk_pipe_on_resume(p->pipe, go_on, p, producer_destroy, p->queue), SGK_OK);
            return;
        }
        assert_int_equal(status, SGK_OK);
    }
    sgk_pipe_complete(p->pipe);
    p->is_done = true;
}

/* A program that obeys loses no value and never exceeds the limit, through every stage that hands pauses on. */
static void a_pipe_that_obeys(void **state) {
    (void)state;
    for (int i = 0; i < LIMITS; i++) {
        for (int replays = 0; replays < 2; replays++) {
            SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
            SGK_AUTO(sgk_queue) source = sgk_queue_create("source");
            SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
            SGK_AUTO(sgk_pipe) pipe = replays ? sgk_pipe_create_replay() : sgk_pipe_create();
            SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
            SGK_AUTO(sgk_signal) mapped = sgk_signal_map(signal, same, NULL, NULL);
            sgk_signal *both[] = {mapped, sgk_signal_never()};
            SGK_AUTO(sgk_signal) merged = sgk_merge(both, 2);
            sgk_signal_release(both[1]);
            SGK_AUTO(sgk_signal)
            bounded = sgk_signal_deliver_on_bounded(
                merged, SGK_BOUND(.limit = limits[i], .overflow = SGK_OVERFLOW_PAUSE, .counter = counter), slow);
            sequence s = {.slow = 997};
            SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, sequence_next);
            producer p = {.pipe = pipe, .queue = source, .count = 20000};
            sgk_queue_dispatch(source, produce, &p, NULL);
            EVENTUALLY(p.is_done && s.count == 20000);
            assert_false(s.is_wrong);
            assert_true(p.resumed > 0 && p.resumed == p.destroyed);
            assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
            sgk_disposable_dispose(run);
            EVENTUALLY(s.destroyed == 1);
            assert_false(sgk_pipe_is_paused(pipe));
        }
    }
}

static void count_work(void *context) { (*(atomic_int *)context)++; }

static sgk_status call_on_resume(sgk_pipe *pipe, counted *c, sgk_queue *queue) {
    return sgk_pipe_on_resume(pipe, counted_work, c, counted_destroy, queue);
}

/* A stage that holds a pipe paused: its queue runs nothing before it is advanced. */
static sgk_disposable *hold(sgk_pipe *pipe, sgk_queue *time, sequence *s) {
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(signal, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_PAUSE), time);
    return sequence_run(bounded, s, count_next);
}

/* (A virtual queue releases the contexts of its work at its own release, so the contexts are declared before it.) */

/* The status tells of the value that fills the buffer. The pipe is paused while any subscription asks for it. */
static void a_pipe_tells_of_pauses(void **state) {
    (void)state;
    for (int replays = 0; replays < 2; replays++) {
        sequence s = {0}, t = {0};
        counted c = {0};
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) later = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) calls = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_pipe) pipe = replays ? sgk_pipe_create_replay() : sgk_pipe_create();
        SGK_AUTO(sgk_disposable) first = hold(pipe, time, &s);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(0)), SGK_OK);
        assert_false(sgk_pipe_is_paused(pipe));
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(1)), SGK_PAUSED);
        assert_true(sgk_pipe_is_paused(pipe));
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(2)), SGK_PAUSED); /* it is accepted */
        SGK_AUTO(sgk_disposable) second = hold(pipe, later, &t);
        assert_int_equal(call_on_resume(pipe, &c, calls), SGK_OK);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(3)), SGK_PAUSED);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(4)), SGK_PAUSED);
        sgk_queue_run(time, 1000); /* the second still asks */
        sgk_queue_run(calls, 1000);
        assert_int_equal(s.count, 5);
        assert_true(sgk_pipe_is_paused(pipe));
        assert_true(c.calls == 0 && c.destroyed == 0);
        sgk_queue_run(later, 1000);
        assert_false(sgk_pipe_is_paused(pipe));
        assert_int_equal(c.calls, 0); /* it runs on its queue, not inside the resumption */
        sgk_queue_run(calls, 1000);
        assert_true(c.calls == 1 && c.destroyed == 1);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(5)), SGK_OK);
        /* Without a pause it is enqueued at once. */
        assert_int_equal(call_on_resume(pipe, &c, calls), SGK_OK);
        assert_int_equal(c.calls, 1);
        sgk_queue_run(calls, 1000);
        assert_true(c.calls == 2 && c.destroyed == 2);
        /* A second pause counts again. */
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(6)), SGK_PAUSED);
        sgk_queue_run(time, 1000);
        sgk_queue_run(later, 1000);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(7)), SGK_OK);
    }
}

/* A subscription that leaves or ends does not hold up the others, and each callback is destroyed once. */
static void a_paused_pipe_that_ends(void **state) {
    (void)state;
    enum { DISPOSED, COMPLETED, FAILED, RELEASED, QUEUE_OVER, ENDS };
    for (int end = 0; end < ENDS; end++) {
        sequence s = {0};
        counted c = {0};
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) calls = sgk_queue_create_virtual(NULL);
        sgk_pipe *pipe = sgk_pipe_create();
        SGK_AUTO(sgk_disposable) run = hold(pipe, time, &s);
        sgk_pipe_next(pipe, sgk_int(0));
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(1)), SGK_PAUSED);
        for (int i = 0; i < 3; i++) assert_int_equal(call_on_resume(pipe, &c, calls), SGK_OK);
        if (end == DISPOSED) sgk_disposable_dispose(run);
        if (end == COMPLETED) sgk_pipe_complete(pipe);
        if (end == FAILED) sgk_pipe_error(pipe, sgk_int(9));
        if (end == RELEASED) sgk_pipe_release(pipe);
        if (end == QUEUE_OVER) {
            SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0);
            SGK_AUTO(sgk_queue) over = sgk_thread_pool_next_queue(pool);
            sgk_thread_pool_shutdown(pool);
            assert_int_equal(call_on_resume(pipe, &c, over), SGK_OK);
            sgk_queue_run(time, 1000);
            assert_int_equal(c.destroyed, 1);
        }
        sgk_queue_run(calls, 1000);
        assert_int_equal(c.calls, end == RELEASED ? 0 : 3);
        assert_int_equal(c.destroyed, end == QUEUE_OVER ? 4 : 3);
        if (end == RELEASED) continue;
        assert_false(sgk_pipe_is_paused(pipe));
        bool is_over = end == COMPLETED || end == FAILED;
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(2)), is_over ? SGK_ERROR_ENDED : SGK_OK);
        assert_int_equal(call_on_resume(pipe, &c, calls), SGK_OK);
        sgk_queue_run(calls, 1000);
        assert_int_equal(c.calls, 4);
        sgk_pipe_release(pipe);
    }
}

/* A pipe whose callback sends further values: the inner calls tell of the pause, too. */
typedef struct echo {
    sgk_pipe *pipe;
    sgk_status statuses[8];
    int count;
} echo;

static void echo_next(void *context, sgk_value value) {
    echo *e = context;
    int64_t number = sgk_to_int(value);
    if (number < 4) e->statuses[e->count++] = sgk_pipe_next(e->pipe, sgk_int(number + 1));
}

static void a_pause_inside_a_delivery(void **state) {
    (void)state;
    sequence s = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    echo e = {.pipe = pipe};
    SGK_AUTO(sgk_disposable) run = hold(pipe, time, &s);
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) echoes = sgk_signal_start_next(signal, echo_next, &e, NULL);
    assert_int_equal(sgk_pipe_next(pipe, sgk_int(0)), SGK_PAUSED); /* by the values that its callback has sent */
    assert_int_equal(e.count, 4);
    assert_int_equal(e.statuses[0], SGK_OK);
    assert_int_equal(e.statuses[1], SGK_PAUSED);
    assert_int_equal(e.statuses[3], SGK_PAUSED);
    sgk_queue_run(time, 1000);
    assert_int_equal(s.count, 5);
    assert_int_equal(sgk_pipe_next(pipe, sgk_int(9)), SGK_OK);
}

typedef struct contest {
    sgk_pipe *pipe;
    sgk_queue *queue;
    sgk_disposable *run;
    counted counts;
    atomic_int registered;
} contest;

static void contest_emit(void *context) {
    contest *c = context;
    for (int i = 0; i < 300; i++) {
        if (sgk_pipe_next(c->pipe, sgk_int(i)) != SGK_PAUSED) continue;
        c->registered++;
        call_on_resume(c->pipe, &c->counts, c->queue);
    }
}

static void contest_dispose(void *context) {
    contest *c = context;
    for (int i = 0; i < 10; i++) sleep_a_moment();
    sgk_disposable_dispose(c->run);
}

/* Threads that send, a consumer, a subscription that leaves, and the end of the pipe: no wake-up is lost. */
static void contests(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
        SGK_AUTO(sgk_queue) calls = sgk_queue_create("calls");
        SGK_AUTO(sgk_queue) one = sgk_queue_create("one");
        SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
        SGK_AUTO(sgk_pipe) pipe = round % 2 ? sgk_pipe_create() : sgk_pipe_create_replay();
        sequence s = {.slow = 50}, t = {.slow = 20};
        SGK_AUTO(sgk_disposable) stays = hold(pipe, slow, &s);
        SGK_AUTO(sgk_disposable) leaves = hold(pipe, slow, &t);
        contest c = {.pipe = pipe, .queue = calls, .run = leaves};
        atomic_int done = 0;
        sgk_queue_dispatch(one, contest_emit, &c, NULL);
        sgk_queue_dispatch(other, contest_emit, &c, NULL);
        contest_dispose(&c);
        sgk_queue_dispatch(one, count_work, &done, NULL);
        sgk_queue_dispatch(other, count_work, &done, NULL);
        EVENTUALLY(done == 2 && s.count == 600);
        EVENTUALLY(!sgk_pipe_is_paused(pipe));
        EVENTUALLY(c.counts.calls == c.registered && c.counts.destroyed == c.registered);
        sgk_disposable_dispose(stays);
        EVENTUALLY(s.destroyed == 1 && t.destroyed == 1);
    }
}

/* ---- Holds ---- */

/* A source whose loop is work of the virtual queue, so that it continues there. */
static sgk_disposable *hear_in(sgk_queue *time, sgk_signal *source, sgk_handlers handlers) {
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, time);
    sgk_signal_release(source);
    return sgk_signal_start(there, &handlers);
}

/* Holds its own run at a value, and takes back that hold at once, if `releases`. */
typedef struct holder {
    sequence s;
    sgk_disposable *run, *hold;
    int64_t hold_at; /* 0: before the first value */
    bool releases;
} holder;

static void holder_hold(holder *h) {
    h->hold = sgk_disposable_hold(h->run);
    assert_non_null(h->hold);
    if (h->releases) sgk_disposable_release(h->hold);
}

static void holder_next(void *context, sgk_value value) {
    holder *h = context;
    sequence_next(&h->s, value);
    if (h->s.count == h->hold_at) holder_hold(h);
}

static void holder_ended(void *context) { sequence_ended(&((holder *)context)->s); }
static void holder_destroy(void *context) { sequence_destroy(&((holder *)context)->s); }
static void holder_started(void *context, sgk_disposable *run) {
    holder *h = context;
    h->run = sgk_disposable_retain(run);
    if (h->hold_at == 0) holder_hold(h);
}

static sgk_handlers holder_handlers(holder *h) {
    return *SGK_HANDLERS(.context = h, .destroy = holder_destroy, .next = holder_next, .completed = holder_ended,
        .started = holder_started);
}

/* A hold from inside `next` lets no further value pass. The source continues on the queue that has started it. */
static void holds(void **state) {
    (void)state;
    static const int64_t places[] = {0, 1, 7, 99};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < 8; i++) {
            int64_t place = places[i / 2];
            bool releases = i % 2;
            numbers n = {0};
            holder h = {.hold_at = place, .releases = releases};
            SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
            SGK_AUTO(sgk_disposable) run = hear_in(time, source_of(kind, 100, &n), holder_handlers(&h));
            sgk_queue_run(time, 1000);
            assert_int_equal(h.s.count, releases ? 100 : place);
            assert_int_equal(h.s.has_ended, releases);
            if (!releases) {
                assert_int_equal(sgk_disposable_dispose(h.hold), SGK_OK);
                assert_int_equal(h.s.count, place); /* never inside the call */
                sgk_queue_run(time, 1000);
                assert_int_equal(sgk_disposable_dispose(h.hold), SGK_OK);
                sgk_disposable_release(h.hold);
            }
            assert_true(h.s.count == 100 && h.s.has_ended && !h.s.is_wrong && h.s.destroyed == 1);
            if (kind == ITERATOR || kind == LOOP) assert_int_equal(n.destroyed, 1);
            sgk_disposable_release(h.run);
        }
    }
}

/* Holds of the same run, through any of its handles, are counted. There may be more of them than the run can count. */
static void holds_are_counted(void **state) {
    (void)state;
    enum { HOLDS = 100 };
    sequence s = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) range = sgk_signal_range(0, 50);
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(range, time);
    SGK_AUTO(sgk_disposable)
    run = sgk_signal_start_waitable(there,
        SGK_HANDLERS(.context = &s, .destroy = sequence_destroy, .next = sequence_next, .completed = sequence_ended));
    SGK_AUTO(sgk_disposable) strict = sgk_disposable_strict(run, "pausing.c", 1);
    SGK_AUTO(sgk_disposable) bag = sgk_disposable_bag_create();
    sgk_disposable *all[HOLDS];
    for (int i = 0; i < HOLDS; i++) {
        all[i] = sgk_disposable_hold(i % 2 ? run : strict);
        assert_non_null(all[i]);
    }
    for (int i = 0; i < HOLDS; i++) {
        sgk_queue_run(time, 1000);
        assert_int_equal(s.count, 0);
        /* By its last release, by its disposal, or by that of a container. */
        if (i % 3 == 1) sgk_disposable_dispose(all[i]);
        if (i % 3 == 2) {
            sgk_disposable_bag_add(bag, all[i]);
            sgk_disposable_dispose(bag);
        }
        if (i % 2 && i % 3) sgk_disposable_dispose(all[i]); /* it counts once */
        sgk_disposable_release(all[i]);
    }
    sgk_queue_run(time, 1000);
    assert_true(s.count == 50 && s.has_ended && s.destroyed == 1);
    sgk_disposable_dispose(strict);
}

/* A hold and a full buffer below it: the source continues when neither asks for a pause. */
static void a_hold_beside_a_buffer(void **state) {
    (void)state;
    for (int order = 0; order < 2; order++) {
        numbers n = {0, 20, 0};
        sequence s = {0};
        SGK_AUTO(sgk_queue) source = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) numbers_signal = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_AUTO(sgk_signal) there = sgk_signal_run_on(numbers_signal, source);
        SGK_AUTO(sgk_signal)
        bounded = sgk_signal_deliver_on_bounded(there, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE), time);
        SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, sequence_next);
        sgk_queue_run(source, 1000);
        assert_int_equal(n.next, 4);
        SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
        if (order) sgk_disposable_dispose(hold);
        sgk_queue_run(source, 1000);
        assert_int_equal(n.next, 4); /* the buffer is full */
        sgk_queue_run(time, 1000);
        sgk_queue_run(source, 1000);
        assert_int_equal(s.count, order ? 4 : 0); /* what has been accepted waits for the hold */
        assert_int_equal(n.next, order ? 8 : 4);
        sgk_disposable_dispose(hold);
        for (int i = 0; i < 20; i++) {
            sgk_queue_run(source, 1000);
            sgk_queue_run(time, 1000);
        }
        assert_true(s.count == 20 && s.has_ended && !s.is_wrong && s.destroyed == 1);
    }
}

/* A run that ends or is disposed while it is held lets its objects go. Later holds have no effect. */
static void a_held_run_that_ends(void **state) {
    (void)state;
    enum { PARKED, PIPE_COMPLETED, PIPE_RELEASED, DISPOSED, ENDS };
    for (int end = 0; end < ENDS; end++) {
        numbers n = {0, 20, 0};
        sequence s = {0};
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        sgk_pipe *pipe = sgk_pipe_create();
        sgk_signal *source = sgk_pipe_signal(pipe);
        if (end == PARKED) {
            sgk_signal_release(source);
            SGK_AUTO(sgk_signal) numbers_signal = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
            source = sgk_signal_run_on(numbers_signal, time);
        }
        sgk_disposable *run = sequence_run(source, &s, sequence_next);
        sgk_signal_release(source);
        sgk_disposable *hold = sgk_disposable_hold(run), *other = sgk_disposable_hold(run);
        sgk_queue_run(time, 1000);
        assert_int_equal(s.count, 0);
        assert_int_equal(sgk_pipe_is_paused(pipe), end != PARKED);
        if (end == PARKED || end == DISPOSED) sgk_disposable_dispose(run);
        if (end == PIPE_COMPLETED) sgk_pipe_complete(pipe);
        if (end == PIPE_RELEASED) sgk_disposable_release(run);
        if (end != PIPE_RELEASED) assert_false(sgk_pipe_is_paused(pipe));
        sgk_pipe_release(pipe);
        assert_int_equal(s.destroyed, 1); /* although it is held */
        if (end == PARKED) assert_int_equal(n.destroyed, 1);
        assert_int_equal(s.has_ended, end == PIPE_COMPLETED);
        assert_int_equal(sgk_disposable_dispose(hold), SGK_OK);
        sgk_disposable_release(hold);
        sgk_disposable_release(other);
        if (end == PIPE_RELEASED) continue;
        SGK_AUTO(sgk_disposable) late = sgk_disposable_hold(run);
        assert_non_null(late);
        assert_int_equal(sgk_disposable_dispose(late), SGK_OK);
        sgk_disposable_release(run);
        sgk_queue_run(time, 1000);
        assert_int_equal(s.count, 0);
    }
}

/* The callback disposes its run that it has just held. */
static void next_ending(void *context, sgk_value value) {
    holder *h = context;
    holder_next(h, value);
    if (h->s.count == h->hold_at) sgk_disposable_dispose(h->run);
}

static void disposal_of_a_held_run(void **state) {
    (void)state;
    for (int64_t at = 1; at <= 3; at++) {
        for (int releases = 0; releases < 2; releases++) {
            numbers n = {0, 20, 0};
            holder h = {.hold_at = at, .releases = releases};
            SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
            sgk_handlers handlers = holder_handlers(&h);
            handlers.next = next_ending;
            sgk_signal *source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
            SGK_AUTO(sgk_disposable) run = hear_in(time, source, handlers);
            sgk_queue_run(time, 1000);
            assert_true(h.s.count == at && !h.s.has_ended && h.s.destroyed == 1 && n.destroyed == 1);
            if (!releases) sgk_disposable_release(h.hold);
            sgk_disposable_release(h.run);
        }
    }
}

/* A hub pauses all its sources for a hold. A source that starts later starts paused. */
static void a_hold_on_a_hub(void **state) {
    (void)state;
    numbers n[3] = {{0, 30, 0}, {0, 30, 0}, {0, 30, 0}};
    sequence s = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    sgk_signal *sources[3];
    for (int i = 0; i < 3; i++) {
        SGK_AUTO(sgk_signal) one = sgk_signal_from_iterator(next_number, &n[i], numbers_destroy);
        sources[i] = sgk_signal_delay_start(one, i, time);
    }
    SGK_AUTO(sgk_signal) merged = sgk_merge(sources, 3);
    for (int i = 0; i < 3; i++) sgk_signal_release(sources[i]);
    SGK_AUTO(sgk_disposable) run = sequence_run(merged, &s, count_next);
    sgk_queue_advance(time, 0);
    assert_int_equal(s.count, 30);
    sgk_disposable *hold = sgk_disposable_hold(run);
    sgk_queue_advance(time, 10);
    assert_true(s.count == 30 && n[1].next == 0 && n[2].next == 0);
    sgk_disposable_release(hold);
    sgk_queue_advance(time, 10);
    assert_true(s.count == 90 && s.has_ended && s.destroyed == 1);
}

/* What cannot obey goes on. A pipe tells the program that sends its values. */
static void sources_that_go_on(void **state) {
    (void)state;
    sequence s = {0}, t = {0};
    counted c = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_queue) calls = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) timer = sgk_signal_timer(1, time);
    SGK_AUTO(sgk_disposable) run = sequence_run(timer, &s, count_next);
    SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
    sgk_queue_advance(time, 3);
    assert_int_equal(s.count, 1);
    sgk_disposable_dispose(run);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) heard = sequence_run(signal, &t, sequence_next);
    SGK_AUTO(sgk_disposable) held = sgk_disposable_hold(heard);
    assert_true(sgk_pipe_is_paused(pipe));
    assert_int_equal(sgk_pipe_next(pipe, sgk_int(0)), SGK_PAUSED);
    assert_int_equal(t.count, 1); /* accepted */
    assert_int_equal(call_on_resume(pipe, &c, calls), SGK_OK);
    sgk_queue_run(calls, 1000);
    assert_int_equal(c.calls, 0);
    sgk_disposable_dispose(held);
    assert_false(sgk_pipe_is_paused(pipe));
    sgk_queue_run(calls, 1000);
    assert_true(c.calls == 1 && c.destroyed == 1);
    assert_int_equal(sgk_pipe_next(pipe, sgk_int(1)), SGK_OK);
    sgk_disposable_dispose(heard);
}

typedef struct holding {
    sgk_disposable *run;
    atomic_bool is_over;
    atomic_int failures;
} holding;

/* It rests without a hold. (Under valgrind four such threads came to the same line at the end of each time slice, for
   minutes, and one of them always held.) */
static void *hold_often(void *context) {
    holding *h = context;
    for (int turn = 1; !h->is_over; turn++) {
        sgk_disposable *one = sgk_disposable_hold(h->run), *two = sgk_disposable_hold(h->run);
        if (!one || !two) h->failures++;
        sgk_disposable_dispose(two);
        sgk_disposable_release(one);
        sgk_disposable_release(two);
        if (turn % 1000 == 0) sleep_a_moment();
    }
    return NULL;
}

/* Threads that hold and release while the source runs, and its disposal: nothing is lost, nothing stays parked. */
typedef struct home {
    sequence seen;
    sgk_disposable *run, *hold;
    bool is_elsewhere;
} home;

static void hold_at_each_value(void *context, sgk_value value) {
    home *h = context;
    SGK_AUTO(sgk_queue) main = sgk_queue_main();
    if (!sgk_queue_is_current(main)) h->is_elsewhere = true;
    sequence_next(&h->seen, value);
    h->hold = sgk_disposable_hold(h->run);
}
static void keep_run(void *context, sgk_disposable *run) { ((home *)context)->run = sgk_disposable_retain(run); }
static void end_at_home(void *context) { ((home *)context)->seen.has_ended = true; }

/* A source that run_on has started inline, outside of the work of the main queue, continues on it. */
static void a_start_outside_of_work(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) main = sgk_queue_main();
    SGK_AUTO(sgk_signal) range = sgk_signal_range(0, 5);
    SGK_AUTO(sgk_signal) at_home = sgk_signal_run_on(range, main);
    home h = {0};
    SGK_AUTO(sgk_disposable)
    run = sgk_signal_start(at_home,
        SGK_HANDLERS(.context = &h, .started = keep_run, .next = hold_at_each_value, .completed = end_at_home));
    for (int i = 1; i <= 5; i++) {
        assert_int_equal(h.seen.count, i);
        sgk_disposable *hold = h.hold;
        sgk_disposable_dispose(hold);
        sgk_disposable_release(hold);
        sleep_a_moment();
        assert_int_equal(h.seen.count, i); /* later, not on another thread */
        sgk_main_drain();
    }
    assert_true(h.seen.has_ended && !h.seen.is_wrong && !h.is_elsewhere);
    sgk_disposable_release(h.run);
}

static void holding_threads(void **state) {
    (void)state;
    enum { THREADS = 4 };
    int rounds = getenv("SUITE_ROUNDS") ? 4 : 40;
    for (int round = 0; round < rounds; round++) {
        bool disposes = round % 4 == 3;
        numbers n = {0, 3000, 0};
        sequence s = {0};
        SGK_AUTO(sgk_queue) queue = sgk_queue_create("source");
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        sgk_signal *pair[] = {sgk_signal_run_on(source, queue), sgk_signal_never()};
        SGK_AUTO(sgk_signal) merged = sgk_merge(pair, 2);
        SGK_AUTO(sgk_disposable) run = sequence_run(round % 2 ? merged : pair[0], &s, sequence_next);
        for (int i = 0; i < 2; i++) sgk_signal_release(pair[i]);
        holding h = {.run = run};
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, hold_often, &h), 0);
        if (disposes) {
            EVENTUALLY(s.count > 500);
            sgk_disposable_dispose(run);
        } else {
            EVENTUALLY(s.count == 3000);
        }
        h.is_over = true;
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        assert_true(!s.is_wrong && h.failures == 0);
        sgk_disposable_dispose(run);
        EVENTUALLY(s.destroyed == 1);
        sgk_signal_replace(&merged, NULL);
        sgk_signal_replace(&source, NULL);
        EVENTUALLY(n.destroyed == 1); /* on the thread that releases it last */
    }
}

/* A hold from another thread: after the call has returned, at most one more value arrives. */
static void a_hold_stops_another_thread(void **state) {
    (void)state;
    for (int round = 0; round < 50; round++) {
        numbers n = {0, INT64_MAX, 0};
        sequence s = {0};
        SGK_AUTO(sgk_queue) queue = sgk_queue_create("source");
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, queue);
        SGK_AUTO(sgk_disposable) run = sequence_run(there, &s, sequence_next);
        EVENTUALLY(s.count > 10);
        sgk_disposable *hold = sgk_disposable_hold(run);
        long long seen = s.count;
        sgk_queue_sync(queue, nothing, NULL); /* the loop has parked */
        assert_true(s.count <= seen + 1);
        seen = s.count;
        sgk_disposable_release(hold);
        EVENTUALLY(s.count > seen + 10);
        sgk_disposable_dispose(run);
        EVENTUALLY(s.destroyed == 1);
    }
}

/* ---- Shared sources ---- */

/* A shared source of each kind. What it needs is retained by the signal, or by `kept`. */
enum { SHARED, REPLAYED, MULTICAST, MANAGED, PROMISED, TWICE, SHARINGS };

static sgk_signal *produced(void *context) { return sgk_signal_retain(context); }

static sgk_signal *shared_in(int kind, sgk_signal *source, void **kept) {
    *kept = NULL;
    if (kind == SHARED) return sgk_signal_share(source, 0, 0, NULL);
    if (kind == REPLAYED) return sgk_signal_share(source, 3, 0, NULL);
    if (kind == MULTICAST) {
        *kept = sgk_multicast_create();
        return sgk_multicast_get(*kept, "key", source);
    }
    if (kind == MANAGED) {
        *kept = sgk_multicast_signal_manager_create();
        return sgk_multicast_signal_manager_multicasted_signal(*kept, "key", produced, source);
    }
    if (kind == PROMISED) {
        *kept = sgk_promise_create_initialize_on_first_access(source);
        return sgk_promise_signal(*kept);
    }
    SGK_AUTO(sgk_signal) inside = sgk_signal_share(source, 0, 0, NULL);
    SGK_AUTO(sgk_signal) same_values = sgk_signal_map(inside, same, NULL, NULL);
    return sgk_signal_share(same_values, 0, 0, NULL);
}

/* A listener with a full buffer after `limit` values. */
static sgk_disposable *hear_bounded(sgk_signal *signal, int64_t limit, sgk_queue *queue, sequence *s) {
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(signal, SGK_BOUND(.limit = limit, .overflow = SGK_OVERFLOW_PAUSE), queue);
    return sequence_run(bounded, s, sequence_next);
}

/* A shared source is paused while any of its listeners asks for it. */
static void the_slowest_listener_decides(void **state) {
    (void)state;
    for (int kind = 0; kind < SHARINGS; kind++) {
        numbers n = {0, 30, 0};
        sequence fast = {0}, slow = {0}, free_one = {0}, late = {0};
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) soon = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) later = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, time);
        void *kept;
        SGK_AUTO(sgk_signal) signal = shared_in(kind, there, &kept);
        SGK_AUTO(sgk_disposable) one = hear_bounded(signal, 2, soon, &fast);
        SGK_AUTO(sgk_disposable) other = hear_bounded(signal, 4, later, &slow);
        SGK_AUTO(sgk_disposable) third = sequence_run(signal, &free_one, sequence_next);
        sgk_queue_run(time, 1000);
        assert_int_equal(n.next, 2);
        sgk_queue_run(soon, 1000);
        sgk_queue_run(time, 1000);
        assert_int_equal(n.next, 4);
        sgk_queue_run(soon, 1000);
        sgk_queue_run(time, 1000);
        assert_int_equal(n.next, 4); /* the slow one still asks */
        assert_true(fast.count == 4 && slow.count == 0 && free_one.count == 4);
        /* A hold of a third one is a pause like the others. */
        sgk_disposable *hold = sgk_disposable_hold(third);
        sgk_queue_run(later, 1000);
        sgk_queue_run(time, 1000);
        assert_int_equal(n.next, 4);
        sgk_disposable_release(hold);
        sgk_queue_run(time, 1000);
        assert_int_equal(n.next, 6);
        /* A listener that comes during the pause does not end it. */
        SGK_AUTO(sgk_disposable) fourth = sequence_run(signal, &late, count_next);
        sgk_queue_run(time, 1000);
        assert_int_equal(n.next, 6);
        /* A listener that leaves while it is paused gives its pause back. */
        sgk_disposable_dispose(one);
        sgk_queue_run(time, 1000);
        assert_int_equal(n.next, 8);
        for (int i = 0; i < 30; i++) {
            sgk_queue_run(later, 1000);
            sgk_queue_run(time, 1000);
        }
        assert_true(slow.count == 30 && free_one.count == 30 && !slow.is_wrong && !free_one.is_wrong);
        assert_true(kind == PROMISED || (slow.has_ended && free_one.has_ended && late.has_ended));
        sgk_disposable_dispose(other);
        sgk_disposable_dispose(third);
        sgk_disposable_dispose(fourth);
        sgk_release(kept);
        assert_true(fast.destroyed == 1 && slow.destroyed == 1 && late.destroyed == 1);
    }
}

/* A promise that is paused starts its next source paused. The one before goes. */
static void a_paused_promise_goes_over(void **state) {
    (void)state;
    numbers first = {0, 30, 0}, second = {30, 60, 0};
    sequence s = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_queue) later = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) one = sgk_signal_from_iterator(next_number, &first, numbers_destroy);
    SGK_AUTO(sgk_signal) other = sgk_signal_from_iterator(next_number, &second, numbers_destroy);
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(one, time);
    SGK_AUTO(sgk_signal) here = sgk_signal_run_on(other, time);
    SGK_AUTO(sgk_promise) promise = sgk_promise_create();
    SGK_AUTO(sgk_signal) signal = sgk_promise_signal(promise);
    SGK_AUTO(sgk_disposable) run = hear_bounded(signal, 4, later, &s);
    sgk_promise_set(promise, there);
    sgk_queue_run(time, 1000);
    assert_int_equal(first.next, 4);
    sgk_promise_set(promise, here);
    sgk_queue_run(time, 1000);
    assert_true(first.next == 4 && second.next == 30);
    for (int i = 0; i < 30; i++) {
        sgk_queue_run(later, 1000);
        sgk_queue_run(time, 1000);
        assert_true(second.next <= 34 + 4 * i);
    }
    assert_true(first.next == 4 && second.next == 60 && s.count == 34);
    sgk_disposable_dispose(run);
}

/* Sources that feed themselves, through one or two shared sources. The listener that closes the loop asks for no pause,
 * because it would wait for itself. */
static bool is_none(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return false;
}

static sgk_signal *in_the_loop(void *context) { return sgk_signal_retain(*(sgk_signal **)context); }

static void loops_go_on(void **state) {
    (void)state;
    enum { SHARE, SHARE_BOUNDED, TWO_SHARES, THREE_SHARES, PROMISE, SHARE_AND_PROMISE, TWO_PROMISES, LOOPS };
    for (int kind = 0; kind < LOOPS; kind++) {
        numbers n = {0, 30, 0};
        sequence s = {0};
        sgk_signal *end = NULL;
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) later = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, time);
        SGK_AUTO(sgk_signal) back = sgk_signal_deferred(in_the_loop, &end, NULL);
        SGK_AUTO(sgk_signal) nothing_back = sgk_signal_filter(back, is_none, NULL, NULL);
        if (kind == SHARE_BOUNDED) {
            sgk_signal_replace(&back,
                sgk_signal_deliver_on_bounded(back, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_PAUSE), later));
            sgk_signal_replace(&nothing_back, sgk_signal_filter(back, is_none, NULL, NULL));
        }
        sgk_signal *both[] = {there, nothing_back};
        SGK_AUTO(sgk_signal) merged = sgk_merge(both, 2);
        SGK_AUTO(sgk_promise) promise = sgk_promise_create();
        SGK_AUTO(sgk_promise) other = sgk_promise_create();
        if (kind == SHARE || kind == SHARE_BOUNDED) end = sgk_signal_share(merged, 0, 0, NULL);
        if (kind == TWO_SHARES || kind == THREE_SHARES) end = sgk_signal_share(merged, 0, 0, NULL);
        for (int i = SHARE_BOUNDED; i < kind && kind <= THREE_SHARES; i++) {
            SGK_AUTO(sgk_signal) mapped = sgk_signal_map(end, same, NULL, NULL);
            sgk_signal_replace(&end, sgk_signal_share(mapped, 0, 0, NULL));
        }
        if (kind == PROMISE) end = sgk_promise_signal(promise);
        if (kind == SHARE_AND_PROMISE) {
            SGK_AUTO(sgk_signal) held = sgk_promise_signal(promise);
            end = sgk_signal_share(held, 0, 0, NULL);
        }
        if (kind == TWO_PROMISES) end = sgk_promise_signal(other);
        SGK_AUTO(sgk_disposable) run = hear_bounded(end, 2, later, &s);
        if (kind >= PROMISE) sgk_promise_set(promise, merged);
        if (kind == TWO_PROMISES) {
            SGK_AUTO(sgk_signal) first = sgk_promise_signal(promise);
            sgk_promise_set(other, first);
        }
        sgk_queue_run(time, 1000);
        /* Promises pass no pause to other shared sources. */
        bool obeys = kind < SHARE_AND_PROMISE;
        assert_int_equal(n.next, obeys ? 2 : 30);
        for (int i = 0; i < 60; i++) {
            sgk_queue_run(later, 1000);
            sgk_queue_run(time, 1000);
        }
        assert_true(n.next == 30 && s.count == 30 && !s.is_wrong);
        sgk_disposable_dispose(run);
        SGK_AUTO(sgk_signal) never = sgk_signal_never();
        sgk_promise_set(promise, never);
        sgk_promise_set(other, never);
        sgk_signal_release(end);
        end = NULL;
        sgk_queue_run(later, 1000);
        assert_int_equal(s.destroyed, 1);
    }
}

/* A listener that comes during the pause receives the replayed values, also if they fill its own buffer. The pause of
 * that buffer is one more. */
static void a_late_listener_pauses_too(void **state) {
    (void)state;
    numbers n = {0, 30, 0};
    sequence s = {0}, late = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_queue) soon = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_queue) later = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, time);
    SGK_AUTO(sgk_signal) shared = sgk_signal_share(there, 8, 0, NULL);
    SGK_AUTO(sgk_disposable) one = hear_bounded(shared, 4, soon, &s);
    sgk_queue_run(time, 1000);
    assert_int_equal(n.next, 4);
    SGK_AUTO(sgk_disposable) other = hear_bounded(shared, 2, later, &late);
    sgk_queue_run(soon, 1000);
    sgk_queue_run(time, 1000);
    assert_true(s.count == 4 && n.next == 4);
    sgk_queue_run(later, 1000);
    assert_int_equal(late.count, 4);
    sgk_queue_run(time, 1000);
    assert_int_equal(n.next, 6);
    for (int i = 0; i < 30; i++) {
        sgk_queue_run(soon, 1000);
        sgk_queue_run(later, 1000);
        sgk_queue_run(time, 1000);
    }
    assert_true(s.count == 30 && late.count == 30 && !s.is_wrong && !late.is_wrong);
    assert_true(s.has_ended && late.has_ended);
}

static void note_resumption(void *context) { (*(int *)context)++; }

/* A pipe that feeds a shared source tells its program of the pause. */
static void pipes_that_feed_shared_sources(void **state) {
    (void)state;
    for (int kind = 0; kind < SHARINGS; kind++) {
        sequence s = {0}, other = {0};
        int resumptions = 0;
        SGK_AUTO(sgk_queue) later = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
        void *kept;
        SGK_AUTO(sgk_signal) signal = shared_in(kind, values, &kept);
        SGK_AUTO(sgk_disposable) one = hear_bounded(signal, 2, later, &s);
        SGK_AUTO(sgk_disposable) two = sequence_run(signal, &other, sequence_next);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(0)), SGK_OK);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(1)), SGK_PAUSED);
        assert_int_equal(sgk_pipe_on_resume(pipe, note_resumption, &resumptions, NULL, later), SGK_OK);
        assert_int_equal(resumptions, 0);
        sgk_queue_run(later, 1000);
        assert_true(resumptions == 1 && s.count == 2 && other.count == 2);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(2)), SGK_OK);
        sgk_disposable_dispose(one);
        sgk_disposable_dispose(two);
        sgk_release(kept);
    }
}

typedef struct leaving {
    sgk_disposable *run;
    atomic_int count, destroyed;
} leaving;

static void leave_at_three(void *context, sgk_value value) {
    leaving *l = context;
    (void)value;
    if (++l->count < 3) return;
    sgk_disposable *hold = sgk_disposable_hold(l->run);
    sgk_disposable *again = sgk_disposable_hold(l->run);
    sgk_disposable_dispose(l->run);
    sgk_disposable_release(again);
    sgk_disposable_dispose(hold);
    sgk_disposable_release(hold);
}

static void leaving_destroy(void *context) { ((leaving *)context)->destroyed++; }

/* A listener that pauses twice and leaves, in its callback. The others go on. */
static void a_paused_listener_leaves_inside(void **state) {
    (void)state;
    for (int kind = 0; kind < SHARINGS; kind++) {
        for (int others = 0; others < 2; others++) {
            numbers n = {0, 30, 0};
            leaving l = {0};
            sequence s = {0};
            SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
            SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
            SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, time);
            void *kept;
            SGK_AUTO(sgk_signal) signal = shared_in(kind, there, &kept);
            l.run = sgk_signal_start(
                signal, SGK_HANDLERS(.context = &l, .destroy = leaving_destroy, .next = leave_at_three));
            SGK_AUTO(sgk_disposable) other = others ? sequence_run(signal, &s, sequence_next) : NULL;
            sgk_queue_run(time, 1000);
            assert_true(l.count == 3 && l.destroyed == 1);
            /* A promise goes on without listeners. */
            assert_int_equal(n.next, others || kind == PROMISED ? 30 : 3);
            assert_int_equal(s.count, others ? 30 : 0);
            sgk_disposable_release(l.run);
            sgk_release(kept);
        }
    }
}

static sgk_value with_its_signal(void *context, sgk_value value) {
    (void)value;
    return sgk_give(sgk_signal_value(*(sgk_signal **)context));
}

/* A value that retains the signal that stores it. Nothing is left at the end. */
static void a_value_that_retains_its_signal(void **state) {
    (void)state;
    for (int kind = 0; kind < SHARINGS; kind++) {
        sequence s = {0};
        sgk_signal *signal = NULL;
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) later = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) range = sgk_signal_range(0, 30);
        SGK_AUTO(sgk_signal) there = sgk_signal_run_on(range, time);
        SGK_AUTO(sgk_signal) values = sgk_signal_map(there, with_its_signal, &signal, NULL);
        void *kept;
        signal = shared_in(kind, values, &kept);
        SGK_AUTO(sgk_signal)
        bounded = sgk_signal_deliver_on_bounded(signal, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_PAUSE), later);
        SGK_AUTO(sgk_disposable) run = sequence_run(bounded, &s, count_next);
        for (int i = 0; i < 5; i++) {
            sgk_queue_run(time, 1000);
            sgk_queue_run(later, 1000);
        }
        assert_int_equal(s.count, 10);
        sgk_queue_run(time, 1000);
        sgk_disposable_dispose(run);
        if (kind == PROMISED) {
            SGK_AUTO(sgk_signal) never = sgk_signal_never();
            sgk_promise_set(kept, never);
        }
        sgk_release(kept);
        sgk_signal_release(signal);
        assert_int_equal(s.destroyed, 1);
    }
}

typedef struct deep_chain {
    int left; /* how many shared sources are still to be made */
    sgk_queue *time;
    numbers numbers;
    int64_t reached, count;
} deep_chain;

/* Each shared source makes the one above it when it starts. */
static sgk_signal *one_more(void *context) {
    deep_chain *chain = context;
    if (chain->left-- == 0) {
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &chain->numbers, numbers_destroy);
        return sgk_signal_run_on(source, chain->time);
    }
    SGK_AUTO(sgk_signal) above = sgk_signal_deferred(one_more, chain, NULL);
    return sgk_signal_share(above, 0, 0, NULL);
}

static void pause_deeply(void *context) {
    deep_chain *chain = context;
    sequence s = {0};
    SGK_AUTO(sgk_queue) time = chain->time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) signal = one_more(chain);
    SGK_AUTO(sgk_disposable) run = sequence_run(signal, &s, sequence_next);
    for (int i = 0; i < 3; i++) {
        sgk_disposable *hold = sgk_disposable_hold(run);
        if (i == 2) sgk_queue_run(time, 1000);
        chain->reached = chain->numbers.next;
        sgk_disposable_release(hold);
    }
    sgk_queue_run(time, 1000);
    chain->count = s.is_wrong ? -1 : s.count;
    sgk_disposable_dispose(run);
}

/* A pause takes locks on its way up, so it cannot take turns. Where the stack gets low, it ends, and the source keeps
 * emitting. */
static void a_deep_chain_of_shared_sources(void **state) {
    (void)state;
    deep_chain chain = {.left = 20, .numbers = {0, 30, 0}};
    on_stack_of(256 * 1024, pause_deeply, &chain);
    assert_true(chain.reached == 0 && chain.count == 30);
    chain = (deep_chain){.left = repeated(10000), .numbers = {0, 30, 0}};
    on_stack_of(256 * 1024, pause_deeply, &chain);
    assert_int_equal(chain.count, 30);
}

static void pause_with_half_of_the_stack(void *context) {
    volatile char used[144 * 1024];
    used[0] = used[sizeof used - 1] = 0;
    pause_deeply(context);
    used[0] = 1;
}
static void pause_a_pipe_with_little_stack(void *context) {
    volatile char used[200 * 1024];
    used[0] = used[sizeof used - 1] = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, NULL);
    sgk_disposable *hold = sgk_disposable_hold(run);
    bool was_paused = sgk_pipe_is_paused(pipe);
    sgk_disposable_release(hold);
    *(bool *)context = was_paused && !sgk_pipe_is_paused(pipe);
    sgk_disposable_dispose(run);
    used[0] = 1;
}

/* A thread of Ruby begins with more than half of its stack in use. */
static void threads_that_begin_with_a_low_stack(void **state) {
    (void)state;
    deep_chain chain = {.left = 20, .numbers = {0, 30, 0}};
    on_stack_of(256 * 1024, pause_with_half_of_the_stack, &chain);
    assert_true(chain.reached == 0 && chain.count == 30);
    bool is_right = false;
    on_stack_of(256 * 1024, pause_a_pipe_with_little_stack, &is_right);
    assert_true(is_right);
}

typedef struct visitors {
    sgk_signal *signal;
    sgk_queue *queue;
    atomic_bool is_over;
    atomic_int failures;
} visitors;

/* Listeners with a small buffer that come and go. */
static void *visit_often(void *context) {
    visitors *v = context;
    while (!v->is_over) {
        sequence s = {0};
        SGK_AUTO(sgk_signal)
        bounded =
            sgk_signal_deliver_on_bounded(v->signal, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_PAUSE), v->queue);
        sgk_disposable *run = sequence_run(bounded, &s, count_next);
        sgk_disposable *hold = sgk_disposable_hold(run);
        sched_yield();
        sgk_disposable_dispose(run);
        sgk_disposable_release(hold);
        sgk_disposable_release(run);
        for (int i = 0; s.destroyed != 1 && i < 10000; i++) sleep_a_moment();
        if (s.destroyed != 1) v->failures++;
        for (int i = 0; i < 20; i++) sleep_a_moment(); /* otherwise one of them would always hold the source */
    }
    return NULL;
}

static void listeners_that_come_and_go(void **state) {
    (void)state;
    enum { THREADS = 3 };
    int rounds = getenv("SUITE_ROUNDS") ? 2 : 15;
    for (int round = 0; round < rounds; round++) {
        numbers n = {0, 3000, 0};
        sequence s = {.slow = 200}, t = {0};
        SGK_AUTO(sgk_queue) queue = sgk_queue_create("source");
        SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
        SGK_AUTO(sgk_queue) quick = sgk_queue_create("quick");
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, queue);
        void *kept;
        SGK_AUTO(sgk_signal) signal = shared_in(round % SHARINGS, there, &kept);
        door d = {0};
        sgk_queue_dispatch(queue, wait_at, &d, counted_destroy);
        SGK_AUTO(sgk_disposable) one = hear_bounded(signal, 2, slow, &s);
        SGK_AUTO(sgk_disposable) other = hear_bounded(signal, 64, slow, &t);
        visitors v = {.signal = signal, .queue = quick};
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, visit_often, &v), 0);
        open_and_wait(&d);
        EVENTUALLY(s.count == 3000 && t.count == 3000);
        v.is_over = true;
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        assert_true(!s.is_wrong && !t.is_wrong && v.failures == 0);
        sgk_disposable_dispose(one);
        sgk_disposable_dispose(other);
        EVENTUALLY(s.destroyed == 1 && t.destroyed == 1);
        sgk_release(kept);
    }
}

int run_pausing(void) {
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_lost),
        TEST(the_marks),
        TEST(sources_that_cannot_be_paused),
        TEST(hubs_pass_pauses),
        TEST(merged_ranges_do_not_run_ahead),
        TEST(a_value_that_waits_for_a_section),
        TEST(a_value_that_waits_in_a_shared_source),
        TEST(control_sources_are_not_paused),
        TEST(errors_pass),
        TEST(disposal_midway),
        TEST(disposal_inside_the_callback),
        TEST(a_queue_that_ends),
        TEST(back_pressure_is_no_timeout),
        TEST(a_timeout_after_a_pause),
        TEST(a_pipe_that_obeys),
        TEST(a_pipe_tells_of_pauses),
        TEST(a_paused_pipe_that_ends),
        TEST(a_pause_inside_a_delivery),
        TEST(contests),
        TEST(holds),
        TEST(holds_are_counted),
        TEST(a_hold_beside_a_buffer),
        TEST(a_held_run_that_ends),
        TEST(disposal_of_a_held_run),
        TEST(a_hold_on_a_hub),
        TEST(sources_that_go_on),
        TEST(a_start_outside_of_work),
        TEST(holding_threads),
        TEST(a_hold_stops_another_thread),
        TEST(the_slowest_listener_decides),
        TEST(a_paused_promise_goes_over),
        TEST(loops_go_on),
        TEST(a_late_listener_pauses_too),
        TEST(pipes_that_feed_shared_sources),
        TEST(a_paused_listener_leaves_inside),
        TEST(a_value_that_retains_its_signal),
        TEST(a_deep_chain_of_shared_sources),
        TEST(threads_that_begin_with_a_low_stack),
        TEST(listeners_that_come_and_go),
    };
    return cmocka_run_group_tests_name("pausing", tests, NULL, NULL);
}
