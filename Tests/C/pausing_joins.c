/* SGK_OVERFLOW_PAUSE in operators that combine signals: a source whose own values wait is paused alone. (pausing.c has
 * the pauses that come from below.) */
#include "suite.h"

static sgk_signal *numbers_on(numbers *n, sgk_queue *queue) {
    SGK_AUTO(sgk_signal) here = sgk_signal_from_iterator(next_number, n, numbers_destroy);
    return sgk_signal_run_on(here, queue);
}

/* Checks that the combined values are 0, 1, 2 …, and how far the sources are ahead. */
typedef struct results {
    numbers *sources[2];
    atomic_llong count, most_ahead;
    atomic_bool is_wrong, has_ended;
    atomic_int destroyed;
} results;

static void results_next(void *context, sgk_value value) {
    results *r = context;
    int64_t expected = r->count++;
    for (int i = 0; i < 2 && r->sources[i]; i++) {
        if (value.kind == SGK_ARRAY && sgk_to_int(sgk_array_at(value, (size_t)i)) != expected) r->is_wrong = true;
        long long ahead = r->sources[i]->next - expected;
        if (ahead > r->most_ahead) r->most_ahead = ahead;
    }
    if (value.kind == SGK_INT && sgk_to_int(value) != expected) r->is_wrong = true;
    if (expected % 997 == 0) sleep_a_moment();
}

static void results_ended(void *context) { ((results *)context)->has_ended = true; }
static void results_destroy(void *context) { ((results *)context)->destroyed++; }

static sgk_disposable *hear(sgk_signal *signal, results *r) {
    return sgk_signal_start(signal,
        SGK_HANDLERS(.context = r, .destroy = results_destroy, .next = results_next, .completed = results_ended));
}

#define PAUSING(most, counted) SGK_BOUND(.limit = most, .overflow = SGK_OVERFLOW_PAUSE, .counter = counted)

static const int64_t limits[] = {1, 2, 3, 16};
enum { LIMITS = sizeof limits / sizeof *limits };

/* The faster source waits for the slower one, in turn. */
static void zipped_threads(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    for (int i = 0; i < LIMITS; i++) {
        numbers a = {.count = COUNT}, b = {.count = COUNT};
        results r = {.sources = {&a, &b}};
        SGK_AUTO(sgk_queue) here = sgk_queue_create("a");
        SGK_AUTO(sgk_queue) there = sgk_queue_create("b");
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        sgk_signal *sources[] = {numbers_on(&a, here), numbers_on(&b, there)};
        SGK_AUTO(sgk_signal) zipped = sgk_zip(sources, 2, PAUSING(limits[i], counter));
        for (int side = 0; side < 2; side++) sgk_signal_release(sources[side]);
        SGK_AUTO(sgk_disposable) run = hear(zipped, &r);
        EVENTUALLY(r.has_ended);
        assert_true(r.count == COUNT && !r.is_wrong);
        assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
        /* One more value may wait for the section, and one is made. */
        assert_in_range(r.most_ahead, 1, limits[i] + 2);
        sgk_disposable_dispose(run);
        EVENTUALLY(r.destroyed == 1);
        sgk_signal_replace(&zipped, NULL);
        EVENTUALLY(a.destroyed == 1 && b.destroyed == 1);
    }
}

/* A pipe, and the status of each value. */
static sgk_status send(sgk_pipe *pipe, int count) {
    sgk_status last = SGK_OK;
    for (int i = 0; i < count; i++) {
        assert_int_not_equal(last, SGK_PAUSED);
        last = sgk_pipe_next(pipe, sgk_int(i));
    }
    return last;
}

static void one_side_of_a_zip(void **state) {
    (void)state;
    static const struct {
        uint32_t overflow;
        int64_t limit;
        int high, low;
        int64_t dropped, exceeded;
    } rows[] = {{SGK_OVERFLOW_PAUSE, 4, 4, 2, 0, 3}, {SGK_OVERFLOW_PAUSE, 1, 1, 0, 0, 3},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_OLDEST, 4, 3, 2, 2, 0},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_NEWEST, 8, 6, 4, 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        results r = {0};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_pipe) a = sgk_pipe_create();
        SGK_AUTO(sgk_pipe) b = sgk_pipe_create();
        SGK_AUTO(sgk_signal) left = sgk_pipe_signal(a);
        SGK_AUTO(sgk_signal) right = sgk_pipe_signal(b);
        SGK_AUTO(sgk_signal)
        zipped = sgk_zip((sgk_signal *[]){left, right}, 2,
            SGK_BOUND(.limit = rows[i].limit, .overflow = rows[i].overflow, .counter = counter));
        SGK_AUTO(sgk_disposable) run = hear(zipped, &r);
        assert_int_equal(send(a, rows[i].high), SGK_PAUSED);
        assert_false(sgk_pipe_is_paused(b));
        for (int n = 0; n < 3; n++) assert_int_equal(sgk_pipe_next(a, sgk_int(n)), SGK_PAUSED);
        assert_int_equal(sgk_overflow_counter_dropped(counter), rows[i].dropped);
        assert_int_equal(sgk_overflow_counter_exceeded(counter), rows[i].exceeded);
        int waiting = rows[i].high + 3 - (int)rows[i].dropped;
        for (; waiting > rows[i].low; waiting--) {
            assert_true(sgk_pipe_is_paused(a));
            assert_int_equal(sgk_pipe_next(b, sgk_int(0)), SGK_OK);
        }
        assert_false(sgk_pipe_is_paused(a));
        /* The end of a zip, and of a side, while the other one is paused. */
        send(a, rows[i].high - rows[i].low);
        assert_true(sgk_pipe_is_paused(a));
        if (i % 2) sgk_pipe_complete(a);
        else sgk_disposable_dispose(run);
        assert_int_not_equal(sgk_pipe_is_paused(a), true);
        sgk_pipe_complete(b);
        assert_int_equal(r.has_ended, i % 2);
        assert_int_equal(r.destroyed, 1);
    }
}

/* A hold and the pause of the zip itself are counted together. */
static void a_held_zip(void **state) {
    (void)state;
    results r = {0};
    SGK_AUTO(sgk_pipe) a = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) b = sgk_pipe_create();
    SGK_AUTO(sgk_signal) left = sgk_pipe_signal(a);
    SGK_AUTO(sgk_signal) right = sgk_pipe_signal(b);
    SGK_AUTO(sgk_signal) zipped = sgk_zip((sgk_signal *[]){left, right}, 2, PAUSING(1, NULL));
    SGK_AUTO(sgk_disposable) run = hear(zipped, &r);
    SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
    assert_true(sgk_pipe_is_paused(a) && sgk_pipe_is_paused(b));
    sgk_pipe_next(a, sgk_int(0));
    sgk_disposable_dispose(hold);
    assert_true(sgk_pipe_is_paused(a) && !sgk_pipe_is_paused(b));
    SGK_AUTO(sgk_disposable) again = sgk_disposable_hold(run);
    sgk_pipe_next(b, sgk_int(0));
    assert_true(r.count == 1 && sgk_pipe_is_paused(a));
    sgk_disposable_dispose(again);
    assert_false(sgk_pipe_is_paused(a));
    sgk_disposable_dispose(run);
}

/* ---- Inner signals ---- */

typedef struct inners {
    sgk_pipe *pipes[16];
    int count;
} inners;

static sgk_signal *inner(void *context, sgk_value value) {
    inners *all = context;
    (void)value;
    all->pipes[all->count] = sgk_pipe_create();
    return sgk_pipe_signal(all->pipes[all->count++]);
}

/* The outer source is paused while all places are taken, and as many signals wait as may. */
static void outer_signals(void **state) {
    (void)state;
    static const struct {
        int64_t limit, waiting;
        int high; /* of all inner signals */
        int ends; /* so many ends until the outer source is resumed */
    } rows[] = {{1, SGK_UNBUFFERED, 1, 1}, {2, SGK_UNBUFFERED, 2, 1}, {2, 1, 3, 1}, {2, 4, 6, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int is_ordered = 0; is_ordered < 2; is_ordered++) {
            results r = {0};
            inners all = {0};
            SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
            SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
            SGK_AUTO(sgk_signal)
            merged = (is_ordered ? sgk_signal_map_ordered : sgk_signal_merge_map)(
                outer, rows[i].limit, PAUSING(rows[i].waiting, NULL), inner, &all, NULL);
            SGK_AUTO(sgk_disposable) run = hear(merged, &r);
            assert_int_equal(send(pipe, rows[i].high), SGK_PAUSED);
            for (int ended = 0; ended < rows[i].ends; ended++) {
                assert_true(sgk_pipe_is_paused(pipe));
                sgk_pipe_complete(all.pipes[ended]);
            }
            assert_false(sgk_pipe_is_paused(pipe));
            assert_int_equal(send(pipe, rows[i].ends), SGK_PAUSED);
            sgk_pipe_complete(pipe); /* while it is paused */
            for (int ended = rows[i].ends; ended < all.count; ended++) sgk_pipe_complete(all.pipes[ended]);
            assert_true(r.has_ended && r.destroyed == 1);
            assert_int_equal(all.count, rows[i].high + rows[i].ends);
            for (int p = 0; p < all.count; p++) sgk_pipe_release(all.pipes[p]);
        }
    }
}

static sgk_signal *later(void *context, sgk_value value) {
    SGK_AUTO(sgk_signal) just = sgk_signal_just(value);
    return sgk_signal_run_on(just, context);
}

static sgk_signal *at_once(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(value);
}

/* Each value becomes a signal that runs on another queue, or ends inside its start. The source stays near. */
static void outer_threads(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    for (int round = 0; round < 4; round++) {
        numbers n = {.count = COUNT};
        results r = {.sources = {&n}};
        SGK_AUTO(sgk_queue) here = sgk_queue_create("outer");
        SGK_AUTO(sgk_queue) there = sgk_queue_create("inner");
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) outer = numbers_on(&n, here);
        SGK_AUTO(sgk_signal)
        merged = (round & 1 ? sgk_signal_map_ordered : sgk_signal_merge_map)(outer, 1 + round / 2,
            PAUSING(round < 2 ? SGK_UNBUFFERED : 2, counter), round == 1 ? at_once : later, there, NULL);
        SGK_AUTO(sgk_disposable) run = hear(merged, &r);
        EVENTUALLY(r.has_ended);
        assert_int_equal(r.count, COUNT);
        assert_true(!r.is_wrong || round == 2); /* two at the same time start in any order */
        assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
        if (round != 1) assert_in_range(r.most_ahead, 1, 2 + 2 + 2);
        sgk_disposable_dispose(run);
        EVENTUALLY(r.destroyed == 1);
        sgk_signal_replace(&merged, NULL);
        sgk_signal_replace(&outer, NULL);
        EVENTUALLY(n.destroyed == 1);
    }
}

/* Inner signals that end while the outer source pauses and resumes, and the disposal of all in between. */
static void disposal_of_paused_joins(void **state) {
    (void)state;
    for (int round = 0; round < 200; round++) {
        numbers a = {.count = INT64_MAX}, b = {.count = INT64_MAX};
        results r = {0};
        SGK_AUTO(sgk_queue) here = sgk_queue_create("a");
        SGK_AUTO(sgk_queue) there = sgk_queue_create("b");
        SGK_AUTO(sgk_signal) first = numbers_on(&a, here);
        SGK_AUTO(sgk_signal) second = numbers_on(&b, there);
        SGK_AUTO(sgk_signal)
        joined = round % 2 ? sgk_zip((sgk_signal *[]){first, second}, 2, PAUSING(1 + round % 3, NULL))
                           : sgk_signal_merge_map(first, 2, PAUSING(SGK_UNBUFFERED, NULL), later, there, NULL);
        SGK_AUTO(sgk_disposable) run = hear(joined, &r);
        EVENTUALLY(r.count > round % 50);
        sgk_disposable_dispose(run);
        EVENTUALLY(r.destroyed == 1);
        sgk_signal_replace(&joined, NULL);
        sgk_signal_replace(&first, NULL);
        sgk_signal_replace(&second, NULL);
        EVENTUALLY(a.destroyed == 1 && b.destroyed == 1);
    }
}

/* ---- Rates ---- */

static void a_limited_rate(void **state) {
    (void)state;
    results r = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    numbers n = {.count = 1000};
    SGK_AUTO(sgk_signal) source = numbers_on(&n, time);
    SGK_AUTO(sgk_signal) limited = sgk_signal_rate_limit(source, 1, 1, PAUSING(4, NULL), time);
    SGK_AUTO(sgk_disposable) run = hear(limited, &r);
    sgk_queue_advance(time, 0);
    assert_true(r.count == 1 && n.next == 5);
    sgk_queue_advance(time, 1);
    assert_true(r.count == 2 && n.next == 5);
    sgk_queue_advance(time, 1);
    assert_true(r.count == 3 && n.next == 7);
    sgk_queue_advance(time, 1000);
    assert_true(r.count == 1000 && r.has_ended && !r.is_wrong && r.destroyed == 1);
}

/* Without a buffer a value without a token waits alone, or the second policy drops it. The source continues when there
 * is a token again. */
static void a_limited_rate_without_a_buffer(void **state) {
    (void)state;
    results r = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    numbers n = {.count = 100};
    SGK_AUTO(sgk_signal) source = numbers_on(&n, time);
    SGK_AUTO(sgk_signal) limited = sgk_signal_rate_limit(source, 1, 1, PAUSING(SGK_UNBUFFERED, NULL), time);
    SGK_AUTO(sgk_disposable) run = hear(limited, &r);
    for (int i = 1; i < 100; i++) {
        sgk_queue_advance(time, i > 1);
        assert_true(r.count == i && n.next == i + 1 && !r.has_ended);
    }
    sgk_queue_advance(time, 1);
    assert_true(r.count == 100 && r.has_ended && !r.is_wrong && r.destroyed == 1);

    static const uint32_t dropping[] = {SGK_OVERFLOW_DROP_NEWEST, SGK_OVERFLOW_DROP_OLDEST, SGK_OVERFLOW_KEEP_LATEST};
    for (int i = 0; i < 3; i++) {
        const sgk_bound *bound = SGK_BOUND(.limit = SGK_UNBUFFERED, .overflow = SGK_OVERFLOW_PAUSE | dropping[i]);
        results passed = {0};
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) sent = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal) rated = sgk_signal_rate_limit(sent, 1, 1, bound, time);
        SGK_AUTO(sgk_disposable) subscription = hear(rated, &passed);
        for (int second = 0; second < 3; second++) {
            assert_int_equal(sgk_pipe_next(pipe, sgk_int(second)), SGK_OK);
            for (int k = 0; k < 3; k++) assert_int_equal(sgk_pipe_next(pipe, sgk_int(-1)), SGK_PAUSED);
            sgk_queue_advance(time, 1);
            assert_false(sgk_pipe_is_paused(pipe));
        }
        sgk_pipe_complete(pipe);
        assert_true(passed.count == 3 && passed.has_ended && !passed.is_wrong && passed.destroyed == 1);
    }
}

int run_pausing_joins(void) {
    const struct CMUnitTest tests[] = {
        TEST(zipped_threads),
        TEST(one_side_of_a_zip),
        TEST(a_held_zip),
        TEST(outer_signals),
        TEST(outer_threads),
        TEST(disposal_of_paused_joins),
        TEST(a_limited_rate),
        TEST(a_limited_rate_without_a_buffer),
    };
    return cmocka_run_group_tests_name("pausing_joins", tests, NULL, NULL);
}
