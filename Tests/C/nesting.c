/* Signals that make each other while they run: however many levels there are, a small stack is enough. */
#include "suite.h"

enum { TINY_STACK = 64 * 1024 };

/* Twenty thousand, or the fiftieth part of what SUITE_ROUNDS says. */
static int64_t many = 20000;

/* ---- Levels ---- */

typedef struct nest nest;

struct nest {
    sgk_signal *(*level)(nest *n); /* one more, whose inner signal is `inner` or what `inner_of` returns */
    int64_t left;
    sgk_signal *deepest;
    sgk_queue *queue;
};

static sgk_signal *next_level(void *context) {
    nest *n = context;
    return n->left-- > 0 ? n->level(n) : sgk_signal_retain(n->deepest);
}
static sgk_signal *inner_of(void *context, sgk_value value) {
    (void)value;
    return next_level(context);
}
static sgk_value in_an_array(void *context, sgk_value value) {
    (void)context;
    return sgk_array(&value, 1);
}
static sgk_signal *fold_of(void *context, sgk_value accumulated, sgk_value value) {
    (void)accumulated;
    (void)value;
    SGK_AUTO(sgk_signal) next = next_level(context);
    return sgk_signal_map(next, in_an_array, NULL, NULL);
}
static sgk_signal *inner(nest *n) { return sgk_signal_deferred(next_level, n, NULL); }

/* One level: an expression in `s`, the inner signal, or in `one`, a signal of one value. */
#define LEVEL(name, expression) \
    static sgk_signal *name(nest *n) { \
        SGK_AUTO(sgk_signal) s = inner(n); \
        SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1)); \
        SGK_AUTO(sgk_signal) failed = sgk_signal_fail(sgk_int(1)); \
        SGK_AUTO(sgk_signal) never = sgk_signal_never(); \
        SGK_AUTO(sgk_signal) over = sgk_signal_empty(); \
        (void)one, (void)failed, (void)never, (void)over; \
        return expression; \
    }

static bool yes(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return true;
}
static sgk_value same(void *context, sgk_value value) {
    (void)context;
    return sgk_value_retain(value);
}
static sgk_value first_of(void *context, const sgk_value *values, size_t count) {
    (void)context;
    (void)count;
    return sgk_value_retain(values[0]);
}
static void look(void *context, sgk_value value) {
    (void)context;
    (void)value;
}
static sgk_signal *joined(sgk_signal *(*join)(sgk_signal *), sgk_signal *signal) {
    SGK_AUTO(sgk_signal) outer = sgk_signal_just(sgk_give(sgk_signal_value(signal)));
    return join(outer);
}
static sgk_signal *replaced(sgk_signal *signal, sgk_signal *by) {
    SGK_AUTO(sgk_signal) replacement = sgk_signal_just(sgk_give(sgk_signal_value(by)));
    return sgk_signal_take_until_replacement(signal, replacement);
}
static sgk_signal *taken(sgk_signal *signal) {
    SGK_AUTO(sgk_signal) filtered = sgk_signal_filter(signal, yes, NULL, NULL);
    return sgk_signal_take(filtered, INT64_MAX);
}

LEVEL(switch_map, sgk_signal_switch_map(one, inner_of, n, NULL))
LEVEL(concat_map, sgk_signal_concat_map(one, inner_of, n, NULL))
LEVEL(concat_map_latest, sgk_signal_concat_map_latest(one, inner_of, n, NULL))
LEVEL(switch_to_latest, joined(sgk_signal_switch_to_latest, s))
LEVEL(queued, joined(sgk_signal_concat_all, s))
LEVEL(throttled, joined(sgk_signal_concat_latest, s))
LEVEL(reduce_generator, sgk_signal_reduce_generator(one, sgk_int(0), fold_of, n, NULL))
LEVEL(catch, sgk_signal_catch(failed, inner_of, n, NULL))
LEVEL(catch_around, sgk_signal_catch(s, inner_of, n, NULL))
LEVEL(then, sgk_signal_concat_with(over, s))
LEVEL(then_before, sgk_signal_concat_with(s, over))
LEVEL(retry, sgk_signal_retry(s, SGK_RETRY(.attempts = 1), NULL))
LEVEL(retry_at_once, sgk_signal_retry(s, SGK_RETRY(.delay = SGK_AT_ONCE), NULL))
LEVEL(take_until_replacement, sgk_signal_take_until_replacement(s, never))
LEVEL(replacement, replaced(never, s))
LEVEL(merge, sgk_merge((sgk_signal *[]){s, over}, 2))
LEVEL(combine, sgk_combine_latest_map((sgk_signal *[]){s, one}, 2, first_of, NULL, NULL, NULL))
LEVEL(timeout, sgk_signal_timeout_first(s, 1, n->queue))
LEVEL(map, sgk_signal_map(s, same, NULL, NULL))
LEVEL(filter_and_take, taken(s))
LEVEL(distinct, sgk_signal_distinct_until_changed(s))
LEVEL(before_next, sgk_signal_before_next(s, look, NULL, NULL))
LEVEL(after_disposed, sgk_signal_after_disposed(s, do_nothing, NULL, NULL))
LEVEL(named, sgk_signal_named(s, "level"))
LEVEL(take_last, sgk_signal_take_last(s, 1))
LEVEL(run_on, sgk_signal_run_on(s, n->queue))
LEVEL(delay, sgk_signal_delay_start(s, 0, n->queue))
LEVEL(deliver_on, sgk_signal_deliver_on(s, n->queue))

static const struct kind {
    const char *name;
    sgk_signal *(*level)(nest *n);
    bool stays; /* it does not pass on the end, or the error */
} kinds[] = {
#define KIND(name) \
    { #name, name, false }
    KIND(switch_map),
    KIND(concat_map),
    KIND(concat_map_latest),
    KIND(switch_to_latest),
    KIND(queued),
    KIND(throttled),
    KIND(reduce_generator),
    KIND(catch),
    {"catch_around", catch_around, true},
    KIND(then),
    KIND(then_before),
    KIND(retry),
    {"retry_at_once", retry_at_once, true},
    KIND(take_until_replacement),
    KIND(replacement),
    KIND(merge),
    KIND(combine),
    KIND(timeout),
    KIND(map),
    KIND(filter_and_take),
    KIND(distinct),
    KIND(before_next),
    KIND(after_disposed),
    KIND(named),
    KIND(take_last),
    KIND(run_on),
    KIND(delay),
    KIND(deliver_on),
#undef KIND
};

/* ---- What happens to them ---- */

enum way { ENDS_IN_THE_START, ENDS_LATER, FAILS, IS_DISPOSED, IS_LET_GO, WAYS };

typedef struct trial {
    const struct kind *kind;
    enum way way;
} trial;

static void come_to_rest(sgk_queue *queue) { sgk_queue_advance(queue, 0); }

static void nest_signals(void *context) {
    const trial *t = context;
    hand h;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&h);
    SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_int(7));
    nest n = {t->kind->level, many, t->way == ENDS_IN_THE_START ? single : by_hand, queue};
    SGK_AUTO(sgk_signal) outermost = inner(&n);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(outermost, r);
    come_to_rest(queue);
    assert_true(n.left < 0);
    if (t->way != ENDS_IN_THE_START) {
        assert_int_equal(h.starts, 1);
        sgk_subscriber_next(h.subscriber, sgk_int(7));
    }
    if (t->way == ENDS_LATER) sgk_subscriber_complete(h.subscriber);
    if (t->way == FAILS) sgk_subscriber_error(h.subscriber, sgk_int(8));
    if (t->way == IS_DISPOSED) sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    hand_free(&h);
    come_to_rest(queue);
    assert_int_equal(r->ends, t->way == ENDS_IN_THE_START || t->way == ENDS_LATER);
    assert_int_equal(r->errors, t->way == FAILS);
    if (r->ends) assert_true(r->nexts > 0);
    sgk_disposable_release(r->run);
    r->run = NULL;
    recorder_free(r);
}

static void a_small_stack_is_enough_for_any_number_of_levels(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (enum way way = ENDS_IN_THE_START; way < WAYS; way++) {
            if (kinds[i].stays && way == FAILS) continue;
            trial t = {&kinds[i], way};
            on_stack_of(TINY_STACK, nest_signals, &t);
        }
    }
}

/* ---- What relies on having been done ---- */

static sgk_disposable *count_for_ever(void *context, sgk_subscriber *subscriber) {
    (void)context;
    for (int64_t i = 1; sgk_subscriber_next(subscriber, sgk_int(i)) == SGK_OK; i++) {}
    return NULL;
}

/* Starts `deepest` below several levels, and takes three values of it. */
static void take_three_of(sgk_signal *deepest, sgk_signal *(*level)(nest *n)) {
    nest n = {level, many, deepest, NULL};
    SGK_AUTO(sgk_signal) outermost = inner(&n);
    SGK_AUTO(sgk_signal) three = sgk_signal_take(outermost, 3);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(three, r));
    ASSERT_VALUES(r, 1, 2, 3);
    assert_int_equal(r->ends, 1);
    sgk_disposable_release(r->run);
    r->run = NULL;
    recorder_free(r);
}

static void stop_what_is_endless(void *context) {
    (void)context;
    SGK_AUTO(sgk_signal) endless = sgk_signal_create(count_for_ever, NULL, NULL);
    take_three_of(endless, switch_map);
    take_three_of(endless, map);
}

static void an_endless_source_far_up_can_be_stopped(void **state) {
    (void)state;
    on_stack_of(TINY_STACK, stop_what_is_endless, NULL);
}

/* Values and the completion of a subscription that a deeply nested callback starts arrive inside that start. */
static sgk_disposable *start_others(void *context, sgk_subscriber *subscriber) {
    (void)context;
    for (int64_t i = 1; i <= 3; i++) {
        SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_int(i));
        nest n = {switch_map, 100, single, NULL};
        SGK_AUTO(sgk_signal) outermost = inner(&n);
        recorder *r = recorder_new();
        sgk_disposable_release(record_run(outermost, r));
        ASSERT_VALUES(r, i);
        assert_int_equal(r->ends, 1);
        recorder_free(r);
        sgk_subscriber_next(subscriber, sgk_int(i));
    }
    sgk_subscriber_complete(subscriber);
    return NULL;
}

static void start_far_down(void *context) {
    (void)context;
    SGK_AUTO(sgk_signal) starting = sgk_signal_create(start_others, NULL, NULL);
    take_three_of(starting, switch_map);
    take_three_of(starting, map);
}

static void what_is_started_far_down_has_emitted_when_the_start_returns(void **state) {
    (void)state;
    on_stack_of(TINY_STACK, start_far_down, NULL);
}

/* ---- Pending starts that are outdated when their turn comes ---- */

typedef struct turn {
    int levels; /* how many starts are inside of each other */
    hand early, late;
    sgk_signal *first, *second;
    sgk_promise *promise;
    sgk_pipe *signals;
} turn;

static void *set_the_second(void *context) {
    turn *t = context;
    put_signal(t->signals, t->second);
    sgk_promise_set(t->promise, t->second);
    return NULL;
}

/* Here starts wait, while those of another thread are done at once. */
static void overtake_the_first(turn *t) {
    pthread_t other;
    sgk_promise_set(t->promise, t->first);
    put_signal(t->signals, t->first);
    assert_int_equal(t->early.starts, 0);
    pthread_create(&other, NULL, set_the_second, t);
    pthread_join(other, NULL);
    assert_int_equal(t->late.starts, 2);
}

static sgk_disposable *start_another(void *context, sgk_subscriber *subscriber) {
    (void)subscriber;
    turn *t = context;
    if (t->late.starts > 0) return NULL;
    int levels = ++t->levels;
    SGK_AUTO(sgk_promise) promise = sgk_promise_create();
    SGK_AUTO(sgk_signal) another = sgk_signal_create(start_another, t, NULL);
    sgk_promise_set(promise, another);
    if (t->levels == levels && t->late.starts == 0) overtake_the_first(t);
    return NULL;
}

static void overtake(void *context) {
    (void)context;
    volatile char most_of_the_stack[TINY_STACK * 5 / 8];
    most_of_the_stack[0] = 0;
    (void)most_of_the_stack[0];
    turn t = {.promise = sgk_promise_create(), .signals = sgk_pipe_create()};
    t.first = hand_signal(&t.early);
    t.second = hand_signal(&t.late);
    SGK_AUTO(sgk_signal) of_promise = sgk_promise_signal(t.promise);
    SGK_AUTO(sgk_signal) of_pipe = sgk_pipe_signal(t.signals);
    SGK_AUTO(sgk_signal) latest = sgk_signal_switch_to_latest(of_pipe);
    recorder *promised = recorder_new(), *switched = recorder_new();
    SGK_AUTO(sgk_disposable) one = record_run(of_promise, promised);
    SGK_AUTO(sgk_disposable) other = record_run(latest, switched);
    start_another(&t, NULL);
    assert_int_equal(t.early.starts, 0); /* its turn came too late */
    sgk_subscriber_next(t.late.subscriber, sgk_int(1));
    ASSERT_VALUES(promised, 1); /* and has outdated nothing */
    sgk_disposable_dispose(other);
    sgk_disposable_dispose(one);
    sgk_promise_release(t.promise);
    sgk_pipe_release(t.signals);
    sgk_signal_release(t.first);
    sgk_signal_release(t.second);
    hand_free(&t.late);
    recorder_free(promised);
    recorder_free(switched);
}

static void a_start_whose_turn_comes_too_late_does_nothing(void **state) {
    (void)state;
    on_stack_of(TINY_STACK, overtake, NULL);
}

/* ---- Pending starts whose subscription is disposed ---- */

typedef struct echo {
    hand hand;
    sgk_disposable *run;
    counted heard;
} echo;

/* Here an event inside of another one waits. */
static void put_another_and_dispose(void *context, sgk_value value) {
    echo *e = context;
    e->heard.calls++;
    if (sgk_to_int(value) > 1) return;
    sgk_subscriber_next(e->hand.subscriber, sgk_int(2));
    assert_int_equal(e->heard.calls, 1);
    sgk_disposable_dispose(e->run);
}

/* Calls itself until three quarters of the stack are used. */
static __attribute__((noinline)) void put_far_down(echo *e) {
    volatile char used[1024];
    used[0] = 0;
    pthread_attr_t attributes;
    void *end;
    size_t size;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &end, &size);
    pthread_attr_destroy(&attributes);
    if ((size_t)((char *)__builtin_frame_address(0) - (char *)end) > size / 4) put_far_down(e);
    else sgk_subscriber_next(e->hand.subscriber, sgk_int(1));
    assert_int_equal(used[0], 0);
}

static void put_and_dispose(void *context) {
    (void)context;
    echo e = {0};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = hand_signal(&e.hand);
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(source, queue);
    SGK_AUTO(sgk_signal) seen = sgk_signal_before_next(there, put_another_and_dispose, &e, NULL);
    e.run = sgk_signal_start(seen, NULL);
    come_to_rest(queue);
    put_far_down(&e);
    assert_int_equal(e.heard.calls, 1);
    sgk_disposable_release(e.run);
    hand_free(&e.hand);
}

static void an_event_whose_turn_comes_after_the_disposal_goes_nowhere(void **state) {
    (void)state;
    on_stack_of(TINY_STACK, put_and_dispose, NULL);
}

/* ---- Promises ---- */

static void follow_each_other(void *context) {
    (void)context;
    int64_t count = many / 5;
    sgk_promise **promises = calloc((size_t)count, sizeof *promises);
    for (int64_t i = 0; i < count; i++) {
        promises[i] = sgk_promise_create();
        if (i == 0) continue;
        SGK_AUTO(sgk_signal) values = sgk_promise_signal(promises[i - 1]);
        assert_int_equal(sgk_promise_set(promises[i], values), SGK_OK);
    }
    hand h;
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&h);
    SGK_AUTO(sgk_signal) values = sgk_promise_signal(promises[count - 1]);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(values, r);
    assert_int_equal(sgk_promise_set(promises[0], by_hand), SGK_OK);
    for (int64_t i = 1; i <= 3; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    ASSERT_VALUES(r, 1, 2, 3);
    sgk_disposable_dispose(run);
    for (int64_t i = 0; i < count; i++) sgk_promise_release(promises[i]);
    free(promises);
    hand_free(&h);
    recorder_free(r);
}

static void a_value_passes_through_any_number_of_promises(void **state) {
    (void)state;
    on_stack_of(TINY_STACK, follow_each_other, NULL);
}

/* The ordinary runtime of Swift, in a library built with it, releases recursively. */
int run_nesting(void) {
    if (getenv("SUITE_HOSTED")) return 0;
    if (getenv("SUITE_ROUNDS")) many = atoll(getenv("SUITE_ROUNDS")) / 50;
    const struct CMUnitTest tests[] = {
        TEST(a_small_stack_is_enough_for_any_number_of_levels),
        TEST(an_endless_source_far_up_can_be_stopped),
        TEST(what_is_started_far_down_has_emitted_when_the_start_returns),
        TEST(a_start_whose_turn_comes_too_late_does_nothing),
        TEST(an_event_whose_turn_comes_after_the_disposal_goes_nowhere),
        TEST(a_value_passes_through_any_number_of_promises),
    };
    return cmocka_run_group_tests_name("nesting", tests, NULL, NULL);
}
