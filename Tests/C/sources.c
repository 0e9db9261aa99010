/* Sources: of items, of time, of a resource. */
#include "suite.h"

#include <math.h>

/* Returns the values of a signal that completes inside its start. */
static int ints_of(sgk_signal *signal, int64_t *ints) {
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    assert_int_equal(r->ends, 1);
    int count = r->count;
    for (int i = 0; i < count; i++) ints[i] = r->values[i];
    recorder_free(r);
    return count;
}

#define ASSERT_INTS(signal, ...) \
    do { \
        int64_t wanted[] = {__VA_ARGS__}, found[8]; \
        assert_int_equal(ints_of((signal), found), sizeof wanted / 8); \
        assert_memory_equal(wanted, found, sizeof wanted); \
    } while (0)

static void items_of_an_array(void **state) {
    (void)state;
    sgk_value items[] = {sgk_int(1), sgk_int(2), sgk_int(3), sgk_give(sgk_string("four"))};
    SGK_AUTO(sgk_signal) s = sgk_signal_from_array(items, 4);
    items[0] = sgk_null(); /* copied */
    SGK_AUTO(sgk_signal) three = sgk_signal_take(s, 3);
    ASSERT_INTS(three, 1, 2, 3);
    ASSERT_INTS(three, 1, 2, 3);
    SGK_AUTO(sgk_signal) none = sgk_signal_from_array(NULL, 0);
    assert_int_equal(ints_of(none, NULL), 0);
}

static void numbers_of_a_range(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) s = sgk_signal_range(-1, 3);
    ASSERT_INTS(s, -1, 0, 1);
    SGK_AUTO(sgk_signal) last = sgk_signal_range(INT64_MAX - 1, 2);
    ASSERT_INTS(last, INT64_MAX - 1, INT64_MAX);
    SGK_AUTO(sgk_signal) none = sgk_signal_range(5, 0);
    assert_int_equal(ints_of(none, NULL), 0);
    SGK_AUTO(sgk_signal) many = sgk_signal_range(0, INT64_MAX);
    SGK_AUTO(sgk_signal) two = sgk_signal_take(many, 2);
    ASSERT_INTS(two, 0, 1);
}

typedef struct lines {
    counted counts;
    int left;
    bool fails;
} lines;

static bool next_line(void *context, sgk_value *item) {
    lines *l = context;
    l->counts.calls++;
    if (l->left == 0) {
        if (l->fails) *item = sgk_failed(sgk_string("broken"));
        return false;
    }
    *item = l->left % 2 ? sgk_int(l->left) : sgk_string("line");
    l->left--;
    return true;
}

static void items_that_are_asked_for(void **state) {
    (void)state;
    lines l = {.left = 4};
    int64_t ints[8];
    {
        SGK_AUTO(sgk_signal) s = sgk_signal_from_iterator(next_line, &l, counted_destroy);
        SGK_AUTO(sgk_signal) two = sgk_signal_take(s, 2);
        assert_int_equal(l.counts.calls, 0);
        assert_int_equal(ints_of(two, ints), 2);
        assert_int_equal(l.counts.calls, 2);   /* not for what nobody wants */
        assert_int_equal(ints_of(s, ints), 2); /* the rest */
        assert_int_equal(l.counts.calls, 5);
        l.fails = true;
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) failed = record_run(s, r);
        assert_int_equal(r->errors, 1);
        recorder_free(r);
        assert_int_equal(l.counts.destroyed, 0);
    }
    assert_int_equal(l.counts.destroyed, 1);
}

/* The values of a loop: `count` of them, at most `room` in each call. */
typedef struct batches {
    counted counts;
    int next, count, room;
    bool fails;
    sgk_disposable *run; /* disposed after `ends_after` values */
    int ends_after, values;
    sgk_status last;
} batches;

static bool emit_batch(void *context, const sgk_loop *loop, sgk_value *end) {
    batches *b = context;
    b->counts.calls++;
    for (int i = 0; i < b->room && sgk_loop_goes_on(loop); i++) {
        if (b->next == b->count) {
            if (b->fails) *end = sgk_failed(sgk_string("broken"));
            return false;
        }
        b->last = sgk_loop_next(loop, b->next % 2 ? sgk_give(sgk_string("odd")) : sgk_int(b->next));
        if (++b->next == b->ends_after) {
            sgk_disposable_dispose(b->run);
            assert_false(sgk_loop_goes_on(loop) || sgk_loop_is_active(loop));
            b->last = sgk_loop_next(loop, sgk_give(sgk_string("late")));
        }
    }
    if (b->counts.calls % 2) *end = sgk_string("of no use");
    return true;
}

static void keep_run(void *context, sgk_disposable *run) { ((batches *)context)->run = sgk_disposable_retain(run); }

static void count_value(void *context, sgk_value value) {
    (void)value;
    ((batches *)context)->values++;
}

static void loops(void **state) {
    (void)state;
    for (int room = 1; room <= 5; room++) {
        batches b = {.count = 4, .room = room};
        int64_t ints[8];
        {
            SGK_AUTO(sgk_signal) s = sgk_signal_from_loop(emit_batch, &b, counted_destroy);
            SGK_AUTO(sgk_signal) two = sgk_signal_take(s, 2);
            assert_int_equal(b.counts.calls, 0);
            assert_int_equal(ints_of(two, ints), 2);
            assert_true(b.next == 2 && b.counts.calls == (room == 1 ? 2 : 1)); /* it went on no longer */
            assert_int_equal(ints_of(s, ints), 2);                             /* the rest */
            b.fails = true;
            recorder *r = recorder_new();
            SGK_AUTO(sgk_disposable) failed = record_run(s, r);
            assert_true(r->errors == 1 && b.next == 4);
            recorder_free(r);
            assert_int_equal(b.counts.destroyed, 0);
        }
        assert_int_equal(b.counts.destroyed, 1);
    }
}

/* No value follows a disposal inside the loop. */
static void a_loop_that_is_disposed(void **state) {
    (void)state;
    batches b = {.count = 10, .room = 10, .ends_after = 3};
    SGK_AUTO(sgk_signal) s = sgk_signal_from_loop(emit_batch, &b, counted_destroy);
    SGK_AUTO(sgk_disposable)
    run = sgk_signal_start(s, SGK_HANDLERS(.context = &b, .started = keep_run, .next = count_value));
    assert_true(b.values == 3 && b.next == 3 && b.counts.calls == 1);
    assert_int_equal(b.last, SGK_ERROR_ENDED);
    sgk_disposable_release(b.run);
}

static void ticks(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    recorder *r = recorder_new(), *once = recorder_new(), *silent = recorder_new();
    SGK_AUTO(sgk_signal) interval = sgk_signal_interval(0.1, queue);
    SGK_AUTO(sgk_signal) timer = sgk_signal_timer(2, queue);
    SGK_AUTO(sgk_signal) never = sgk_signal_timer(INFINITY, queue);
    SGK_AUTO(sgk_disposable) ticking = record_run(interval, r), *waiting = record_run(never, silent);
    sgk_queue_advance(queue, 0.35);
    ASSERT_VALUES(r, 0, 1, 2);
    sgk_disposable_dispose(ticking);
    SGK_AUTO(sgk_disposable) run = record_run(timer, once);
    sgk_queue_advance(queue, 10);
    ASSERT_VALUES(r, 0, 1, 2);
    ASSERT_VALUES(once, 0);
    assert_int_equal(once->ends, 1);
    sgk_disposable_dispose(waiting);
    assert_int_equal(sgk_queue_pending(queue), 0);
    recorder_free(r);
    recorder_free(once);
    recorder_free(silent);
}

/* On a queue with its own thread and the clock of the system. */
static void ticks_of_the_clock(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("ticks");
    recorder *r = recorder_new();
    SGK_AUTO(sgk_signal) interval = sgk_signal_interval(0.0001, queue);
    SGK_AUTO(sgk_signal) some = sgk_signal_take(interval, 20);
    SGK_AUTO(sgk_disposable) run = record_run(some, r);
    EVENTUALLY(r->ends == 1);
    EVENTUALLY(r->destroyed == 1);
    assert_int_equal(r->count, 20);
    recorder_free(r);
}

typedef struct resource {
    counted counts; /* of releases */
    hand *source;
} resource;

static void *acquire(void *context) {
    ((resource *)context)->counts.calls++;
    return context;
}
static sgk_signal *use(void *context, void *made) {
    assert_ptr_equal(context, made);
    hand *source = ((resource *)made)->source;
    return source ? hand_signal(source) : NULL;
}
static void give_back(void *made) { ((resource *)made)->counts.destroyed++; }

static void a_resource_for_each_run(void **state) {
    (void)state;
    hand h;
    resource resource = {.source = &h};
    SGK_AUTO(sgk_signal) s = sgk_signal_using(acquire, use, give_back, &resource, NULL);
    assert_int_equal(resource.counts.calls, 0);
    for (int i = 1; i <= 3; i++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(s, r);
        assert_int_equal(resource.counts.calls, i);
        assert_int_equal(resource.counts.destroyed, i - 1);
        if (i == 1) sgk_subscriber_complete(h.subscriber);
        if (i == 2) sgk_subscriber_error(h.subscriber, sgk_int(1));
        sgk_disposable_dispose(run);
        assert_int_equal(resource.counts.destroyed, i);
        recorder_free(r);
        hand_free(&h);
    }
    resource.source = NULL; /* no signal: one that completes at once */
    assert_int_equal(ints_of(s, NULL), 0);
    assert_int_equal(resource.counts.destroyed, 4);
}

static sgk_signal *use_nothing(void *context, void *resource) {
    (void)context, (void)resource;
    return sgk_signal_never();
}

/* The user of the resource is released without a terminal event, and no disposable exists. */
static void a_resource_goes_with_a_run_that_is_let_go(void **state) {
    (void)state;
    resource resource = {.source = NULL};
    SGK_AUTO(sgk_signal) s = sgk_signal_using(acquire, use_nothing, give_back, &resource, NULL);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(s, r);
    assert_int_equal(resource.counts.destroyed, 0);
    sgk_disposable_release(run);
    recorder_free(r);
    assert_int_equal(resource.counts.calls, 1);
    assert_int_equal(resource.counts.destroyed, 1);
}

static void be_late(void *queue, sgk_value value) {
    if (sgk_to_int(value) == 0) sgk_queue_advance(queue, 2.5);
}

static void ticks_that_are_missed_are_skipped(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_signal_interval(1, queue);
    sgk_signal_replace(&s, sgk_signal_before_next(s, be_late, queue, NULL));
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(s, r);
    sgk_queue_advance(queue, 5);
    ASSERT_VALUES(r, 0, 3, 4);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

int run_sources(void) {
    const struct CMUnitTest tests[] = {
        TEST(items_of_an_array),
        TEST(numbers_of_a_range),
        TEST(items_that_are_asked_for),
        TEST(loops),
        TEST(a_loop_that_is_disposed),
        TEST(ticks),
        TEST(ticks_of_the_clock),
        TEST(a_resource_for_each_run),
        TEST(a_resource_goes_with_a_run_that_is_let_go),
        TEST(ticks_that_are_missed_are_skipped),
    };
    return cmocka_run_group_tests_name("sources", tests, NULL, NULL);
}
