/* Endless rounds on a small stack: a signal that restarts repeatedly does so in a loop, and can be stopped. */
#include "suite.h"

enum { SMALL_STACK = 256 * 1024 };

/* A million, or what SUITE_ROUNDS says: under an instrument that makes everything slow. */
static int64_t many = 1000000;

typedef struct rounds {
    _Atomic int64_t starts; /* of the source */
    int64_t received, ends, errors;
} rounds;

static sgk_disposable *emit_and_complete(void *context, sgk_subscriber *subscriber) {
    sgk_subscriber_next(subscriber, sgk_int(++((rounds *)context)->starts));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

/* Fails a million times, then emits and completes. */
static sgk_disposable *fail_long(void *context, sgk_subscriber *subscriber) {
    if (++((rounds *)context)->starts <= many) {
        sgk_subscriber_error(subscriber, sgk_int(1));
    } else {
        sgk_subscriber_next(subscriber, sgk_int(7));
        sgk_subscriber_complete(subscriber);
    }
    return NULL;
}

static void receive(void *context, sgk_value value) {
    (void)value;
    ((rounds *)context)->received++;
}
static void end(void *context) { ((rounds *)context)->ends++; }
static void fail_run(void *context, sgk_value error) {
    (void)error;
    ((rounds *)context)->errors++;
}

static void run_to_its_end(sgk_signal *signal, rounds *r) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = r;
    handlers.next = receive;
    handlers.completed = end;
    handlers.error = fail_run;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
}

static void restart_a_million_times(void *context) {
    SGK_AUTO(sgk_signal) source = sgk_signal_create(emit_and_complete, context, NULL);
    SGK_AUTO(sgk_signal) again = sgk_signal_repeat(source, SGK_UNBOUNDED);
    SGK_AUTO(sgk_signal) million = sgk_signal_take(again, many);
    run_to_its_end(million, context);
}

static void retry_a_million_errors(void *context) {
    SGK_AUTO(sgk_signal) source = sgk_signal_create(fail_long, context, NULL);
    SGK_AUTO(sgk_signal) again = sgk_signal_retry(source, SGK_RETRY(.delay = SGK_AT_ONCE), NULL);
    run_to_its_end(again, context);
}

static sgk_signal *immediately(void *context, sgk_value error, int64_t failures) {
    (void)context, (void)failures;
    return sgk_signal_just(error);
}

static void retry_after_a_million_decisions(void *context) {
    SGK_AUTO(sgk_signal) source = sgk_signal_create(fail_long, context, NULL);
    SGK_AUTO(sgk_signal) again = sgk_signal_retry(source, SGK_RETRY(.decide = immediately), NULL);
    run_to_its_end(again, context);
}

static sgk_signal *single_of(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(value);
}

static void queue_a_million_signals(void *context) {
    SGK_AUTO(sgk_signal) source = count_to(many);
    SGK_AUTO(sgk_signal) queued = sgk_signal_concat_map(source, single_of, NULL, NULL);
    run_to_its_end(queued, context);
}

/* The same with signals that have a generator: one that is a mere value would not be started at all. */
static sgk_signal *generator_of(void *context, sgk_value value) {
    (void)value;
    return sgk_signal_create(emit_and_complete, context, NULL);
}

static void join_a_million_generators(
    void *context, sgk_signal *(*join)(sgk_signal *, sgk_map_to_signal_fn, void *, sgk_destroy_fn)) {
    SGK_AUTO(sgk_signal) source = count_to(many);
    SGK_AUTO(sgk_signal) joined = join(source, generator_of, context, NULL);
    run_to_its_end(joined, context);
}
static void queue_a_million_generators(void *context) { join_a_million_generators(context, sgk_signal_concat_map); }
static void switch_to_a_million_generators(void *context) { join_a_million_generators(context, sgk_signal_switch_map); }
static void throttle_a_million_generators(void *context) {
    join_a_million_generators(context, sgk_signal_concat_map_latest);
}

/* Each inner signal makes the next one arrive while it is still inside its generator. */
typedef struct feeding {
    rounds rounds; /* first: what the callbacks get */
    hand outer;
} feeding;

static void feed(void *context, sgk_value value) {
    feeding *f = context;
    receive(&f->rounds, value);
    if (f->rounds.received < many) sgk_subscriber_next(f->outer.subscriber, sgk_int(0));
    else sgk_subscriber_complete(f->outer.subscriber);
}

static void feed_the_outer_signal(void *context) {
    feeding *f = context;
    SGK_AUTO(sgk_signal) outer = hand_signal(&f->outer);
    SGK_AUTO(sgk_signal) joined = sgk_signal_switch_map(outer, generator_of, &f->rounds, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = f;
    handlers.next = feed;
    handlers.completed = end;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(joined, &handlers);
    sgk_subscriber_next(f->outer.subscriber, sgk_int(0));
    hand_free(&f->outer);
}

/* catch that catches itself: `chain` fails, and is followed by another of its kind, a million times. */
static sgk_signal *fail_again(void *context, sgk_value error) {
    (void)error;
    rounds *r = context;
    if (++r->starts == many) return sgk_signal_just(sgk_int(1));
    sgk_signal *failing = sgk_signal_fail(sgk_int(1)), *caught = sgk_signal_catch(failing, fail_again, r, NULL);
    sgk_signal_release(failing);
    return caught;
}

static void catch_a_million_times(void *context) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(1));
    SGK_AUTO(sgk_signal) caught = sgk_signal_catch(failing, fail_again, context, NULL);
    run_to_its_end(caught, context);
}

static void a_million_rounds_need_no_more_stack_than_one(void **state) {
    (void)state;
    rounds r = {0};
    on_stack_of(SMALL_STACK, restart_a_million_times, &r);
    assert_int_equal(r.starts, many);
    assert_int_equal(r.received, many);
    assert_int_equal(r.ends, 1);
    r = (rounds){0};
    on_stack_of(SMALL_STACK, retry_a_million_errors, &r);
    assert_int_equal(r.starts, many + 1);
    assert_true(r.received == 1 && r.ends == 1 && r.errors == 0);
    r = (rounds){0};
    on_stack_of(SMALL_STACK, retry_after_a_million_decisions, &r);
    assert_int_equal(r.starts, many + 1);
    assert_true(r.received == 1 && r.ends == 1 && r.errors == 0);
    r = (rounds){0};
    on_stack_of(SMALL_STACK, queue_a_million_signals, &r);
    assert_true(r.received == many && r.ends == 1);
    void (*joins[])(void *) = {
        queue_a_million_generators, switch_to_a_million_generators, throttle_a_million_generators};
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        r = (rounds){0};
        on_stack_of(SMALL_STACK, joins[i], &r);
        assert_true(r.starts == many && r.received == many && r.ends == 1);
    }
    feeding f = {0};
    on_stack_of(SMALL_STACK, feed_the_outer_signal, &f);
    assert_true(f.rounds.starts == many && f.rounds.received == many && f.rounds.ends == 1);
    r = (rounds){0};
    on_stack_of(SMALL_STACK, catch_a_million_times, &r);
    assert_int_equal(r.starts, many);
    assert_true(r.received == 1 && r.ends == 1 && r.errors == 0);
}

/* ---- Arrays of arrays, as deep as they may be ---- */

enum { SMALLEST_STACK = 64 * 1024, DEPTH = 999 };

typedef struct deep {
    sgk_value arrays[3]; /* the first two are equal */
    uint64_t hashes[2];
    size_t length;
    char text[2 * DEPTH + 2];
    bool are_equal, are_different;
    int distinct;
} deep;

static sgk_value nested(int64_t innermost) {
    sgk_value value = sgk_int(innermost);
    for (int i = 0; i < DEPTH; i++) {
        sgk_value deeper = sgk_array(&value, 1);
        sgk_value_release(value);
        value = deeper;
    }
    return value;
}

static void count_value(void *context, sgk_value value) { (void)value, ++*(int *)context; }

static void go_through_arrays(void *context) {
    deep *d = context;
    d->are_equal = sgk_value_equal(d->arrays[0], d->arrays[1]);
    d->are_different = !sgk_value_equal(d->arrays[0], d->arrays[2]);
    for (int i = 0; i < 2; i++) d->hashes[i] = sgk_value_hash(d->arrays[i]);
    d->length = sgk_value_describe(d->arrays[0], d->text, sizeof d->text);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) distinct = sgk_signal_distinct(values, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(distinct, count_value, &d->distinct, NULL);
    for (int i = 0; i < 3; i++) sgk_pipe_next(pipe, d->arrays[i]);
    sgk_disposable_dispose(run);
}

static void deep_arrays_need_no_stack(void **state) {
    (void)state;
    deep d = {.arrays = {nested(1), nested(1), nested(2)}};
    on_stack_of(SMALLEST_STACK, go_through_arrays, &d);
    assert_true(d.are_equal && d.are_different && d.hashes[0] == d.hashes[1] && d.distinct == 2);
    assert_int_equal(d.length, 2 * DEPTH + 1);
    assert_true(strspn(d.text, "[") == DEPTH && d.text[DEPTH] == '1' && strspn(d.text + DEPTH + 1, "]") == DEPTH);
    for (int i = 0; i < 3; i++) sgk_value_release(d.arrays[i]);
}

/* Walks nested arrays, and a text that does not fit. */
static void arrays_of_arrays(void **state) {
    (void)state;
    sgk_value pair[] = {sgk_int(1), sgk_string("x")}, none = sgk_array(NULL, 0);
    sgk_value inner = sgk_array(pair, 2), items[] = {none, inner, sgk_int(1), inner, none};
    sgk_value outer = sgk_array(items, 5), wide = sgk_array(items, 4);
    static const char expected[] = "[[], [1, x], 1, [1, x], []]";
    char text[sizeof expected];
    for (size_t size = 1; size <= sizeof text; size++) {
        memset(text, '?', sizeof text);
        assert_int_equal(sgk_value_describe(outer, text, size), strlen(expected));
        assert_true(strlen(text) == size - 1 && memcmp(text, expected, size - 1) == 0);
        for (size_t i = size; i < sizeof text; i++) assert_int_equal(text[i], '?');
    }
    sgk_value same = sgk_array(items, 5), other_items[] = {none, inner, sgk_int(1), pair[1], none};
    sgk_value other = sgk_array(other_items, 5), swapped[] = {pair[1], pair[0]}, turned = sgk_array(swapped, 2);
    assert_true(sgk_value_equal(outer, same) && sgk_value_hash(outer) == sgk_value_hash(same));
    assert_false(sgk_value_equal(outer, other) || sgk_value_equal(outer, wide) || sgk_value_equal(inner, turned));
    assert_false(sgk_value_equal(outer, none) || sgk_value_equal(none, inner));
    assert_true(sgk_value_hash(outer) != sgk_value_hash(other) && sgk_value_hash(inner) != sgk_value_hash(turned));
    sgk_value all[] = {pair[1], none, inner, outer, wide, same, other, turned};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sgk_value_release(all[i]);
}

typedef struct endless {
    rounds rounds;
    _Atomic(sgk_disposable *) run;
    atomic_bool over;
} endless;

static void hand_out(void *context, sgk_disposable *run) { ((endless *)context)->run = sgk_disposable_retain(run); }

static void *restart_for_ever(void *context) {
    endless *e = context;
    SGK_AUTO(sgk_signal) source = sgk_signal_create(emit_and_complete, &e->rounds, NULL);
    SGK_AUTO(sgk_signal) again = sgk_signal_repeat(source, SGK_UNBOUNDED);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = e;
    handlers.started = hand_out;
    sgk_disposable_release(sgk_signal_start(again, &handlers)); /* comes back when another thread has disposed */
    e->over = true;
    return NULL;
}

static void endless_rounds_stop_when_they_are_disposed(void **state) {
    (void)state;
    endless e = {0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, restart_for_ever, &e), 0);
    EVENTUALLY(e.run != NULL && e.rounds.starts > 100);
    assert_false(e.over);
    sgk_disposable_dispose(e.run);
    pthread_join(thread, NULL);
    assert_true(e.over);
    sgk_disposable_release(e.run);
}

int run_stack(void) {
    if (getenv("SUITE_ROUNDS")) many = atoll(getenv("SUITE_ROUNDS"));
    const struct CMUnitTest tests[] = {
        TEST(a_million_rounds_need_no_more_stack_than_one),
        TEST(deep_arrays_need_no_stack),
        TEST(arrays_of_arrays),
        TEST(endless_rounds_stop_when_they_are_disposed),
    };
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
