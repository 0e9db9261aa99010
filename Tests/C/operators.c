/* Operators: what each one does, and the contract of events on every one of them. */
#include "suite.h"

/* ---- Each one ---- */

static void map_filter_and_distinct(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) even = sgk_signal_filter(source, is_even, NULL, NULL);
    SGK_AUTO(sgk_signal) changed = sgk_signal_distinct_until_changed(even);
    SGK_AUTO(sgk_signal) tens = sgk_signal_map(changed, times_ten, NULL, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(tens, r);
    const int64_t values[] = {1, 2, 2, 3, 2, 4, 4, 2};
    for (size_t i = 0; i < 8; i++) sgk_pipe_next(pipe, sgk_int(values[i]));
    ASSERT_VALUES(r, 20, 40, 20);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

static bool same_parity(void *context, sgk_value last, sgk_value value) {
    counted_work(context);
    return sgk_to_int(last) % 2 == sgk_to_int(value) % 2;
}

static void distinct_by_asks_for_the_last_that_passed(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_signal) source = count_to(4);
    sgk_signal *distinct = sgk_signal_distinct_until_changed_by(source, same_parity, &c, counted_destroy);
    SGK_AUTO(sgk_signal) even = sgk_signal_filter(source, is_even, NULL, NULL);
    SGK_AUTO(sgk_signal) one = sgk_signal_distinct_until_changed_by(even, same_parity, &c, counted_destroy);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(distinct, r);
    SGK_AUTO(sgk_disposable) other = record_run(one, s);
    ASSERT_VALUES(r, 1, 2, 3, 4);
    ASSERT_VALUES(s, 2);
    assert_int_equal(c.calls, 4);
    sgk_signal_release(distinct);
    assert_int_equal(c.destroyed, 1);
    recorder_free(r);
    recorder_free(s);
}

static void distinct_compares_boxed_values_by_content(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) changed = sgk_signal_distinct_until_changed(source);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(changed, r);
    for (int i = 0; i < 3; i++) {
        sgk_value text = sgk_string("text");
        sgk_pipe_next(pipe, text);
        sgk_value_release(text);
    }
    assert_int_equal(r->nexts, 1);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

static sgk_value give_back(void *context, sgk_value value) {
    (void)context;
    return sgk_value_retain(value);
}

static sgk_value make_text(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return sgk_string("made");
}

static void map_owns_what_its_callback_returns(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(3);
    SGK_AUTO(sgk_signal) text = sgk_signal_map(source, make_text, NULL, NULL);
    SGK_AUTO(sgk_signal) same = sgk_signal_map(text, give_back, NULL, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(same, r);
    assert_int_equal(r->nexts, 3);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    recorder_free(r);
}

static void take_passes_exactly_so_many_and_stops_the_source(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) endless = count_to(INT64_MAX);
    SGK_AUTO(sgk_signal) three = sgk_signal_take(endless, 3);
    SGK_AUTO(sgk_signal) none = sgk_signal_take(endless, 0);
    SGK_AUTO(sgk_signal) two = count_to(2);
    SGK_AUTO(sgk_signal) fewer = sgk_signal_take(two, 5);
    recorder *a = recorder_new(), *b = recorder_new(), *c = recorder_new();
    int64_t before = generator_rounds();
    sgk_disposable_release(record_run(three, a));
    assert_int_equal(generator_rounds() - before, 4);
    sgk_disposable_release(record_run(none, b));
    assert_int_equal(generator_rounds() - before, 4);
    sgk_disposable_release(record_run(fewer, c));
    ASSERT_VALUES(a, 1, 2, 3);
    assert_int_equal(a->ends, 1);
    assert_int_equal(b->count, 0);
    assert_int_equal(b->ends, 1);
    ASSERT_VALUES(c, 1, 2);
    assert_int_equal(c->ends, 1);
    recorder_free(a);
    recorder_free(b);
    recorder_free(c);
}

static void combine_latest_joins(void **state) {
    (void)state;
    hand h[3];
    sgk_signal *signals[3];
    for (int i = 0; i < 3; i++) signals[i] = hand_signal(&h[i]);
    SGK_AUTO(sgk_signal) combined = sgk_combine_latest(signals, 3, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(combined, r);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    sgk_subscriber_next(h[2].subscriber, sgk_int(3));
    sgk_subscriber_next(h[0].subscriber, sgk_int(4));
    assert_int_equal(r->count, 0);
    sgk_subscriber_next(h[1].subscriber, sgk_int(2));
    sgk_subscriber_complete(h[0].subscriber);
    assert_int_equal(h[0].disposals, 1);
    sgk_subscriber_next(h[2].subscriber, sgk_int(5));
    ASSERT_VALUES(r, 40203, 40205);
    sgk_subscriber_complete(h[1].subscriber);
    assert_int_equal(r->ends, 0);
    sgk_subscriber_complete(h[2].subscriber);
    assert_int_equal(r->ends, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(h[i].disposals, 1);
        hand_free(&h[i]);
        sgk_signal_release(signals[i]);
    }
    recorder_free(r);
}

static void the_first_error_ends_combine_latest(void **state) {
    (void)state;
    hand h;
    sgk_signal *open = hand_signal(&h), *failing = sgk_signal_fail(sgk_int(9)), *endless = count_to(INT64_MAX);
    sgk_signal *signals[] = {open, failing, endless};
    int64_t before = generator_rounds();
    SGK_AUTO(sgk_signal) combined = sgk_combine_latest(signals, 3, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(combined, r);
    assert_int_equal(r->error, 9);
    assert_int_equal(h.disposals, 1);
    assert_int_equal(generator_rounds(), before); /* the third is not even started */
    hand_free(&h);
    for (int i = 0; i < 3; i++) sgk_signal_release(signals[i]);
    recorder_free(r);
}

static void combine_latest_of_nothing_and_on_a_queue(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("combine");
    SGK_AUTO(sgk_signal) nothing = sgk_combine_latest(NULL, 0, NULL);
    sgk_signal *singles[] = {sgk_signal_single(sgk_int(1)), sgk_signal_single(sgk_int(2))};
    SGK_AUTO(sgk_signal) queued = sgk_combine_latest(singles, 2, queue);
    recorder *a = recorder_new(), *b = recorder_new();
    sgk_disposable_release(record_run(nothing, a));
    ASSERT_VALUES(a, 0); /* one empty array */
    assert_int_equal(a->ends, 1);
    sgk_disposable_release(record_run(queued, b));
    EVENTUALLY(b->ends == 1);
    ASSERT_VALUES(b, 102);
    sgk_signal_release(singles[0]);
    sgk_signal_release(singles[1]);
    recorder_free(a);
    recorder_free(b);
}

static void put_signal(sgk_pipe *pipe, sgk_signal *signal) {
    sgk_value value = sgk_signal_value(signal);
    sgk_pipe_next(pipe, value);
    sgk_value_release(value);
}

static void throttled_keeps_only_the_latest_that_waits(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) throttled = sgk_signal_throttled(outer);
    hand h[3];
    sgk_signal *inner[3];
    for (int i = 0; i < 3; i++) inner[i] = hand_signal(&h[i]);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(throttled, r);
    for (int i = 0; i < 3; i++) put_signal(pipe, inner[i]);
    assert_int_equal(h[0].starts, 1);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    sgk_subscriber_complete(h[0].subscriber);
    assert_int_equal(h[1].starts, 0); /* it was replaced while it waited */
    assert_int_equal(h[2].starts, 1);
    sgk_subscriber_next(h[2].subscriber, sgk_int(3));
    ASSERT_VALUES(r, 1, 3);
    sgk_pipe_next(pipe, sgk_int(77)); /* no signal: it becomes the error, in its turn */
    assert_int_equal(r->errors, 0);
    sgk_subscriber_complete(h[2].subscriber);
    assert_int_equal(r->error, 77);
    for (int i = 0; i < 3; i++) {
        hand_free(&h[i]);
        sgk_signal_release(inner[i]);
    }
    recorder_free(r);
}

static void throttle_limits_the_rate(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("throttle");
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) throttled = sgk_signal_throttle(source, 0.05, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(throttled, r);
    for (int i = 1; i <= 5; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    EVENTUALLY(r->nexts >= 1);
    EVENTUALLY(r->nexts >= 2);
    assert_true(r->values[0] == 1 && r->values[r->count - 1] == 5);
    sgk_subscriber_next(h.subscriber, sgk_int(6));
    sgk_subscriber_complete(h.subscriber);
    EVENTUALLY(r->ends == 1);
    assert_int_equal(r->values[r->count - 1], 6); /* the end first emits what waits */
    hand_free(&h);
    recorder_free(r);
}

static void debounce_waits_for_quiet(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("debounce");
    hand h, g;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) other = hand_signal(&g);
    SGK_AUTO(sgk_signal) quiet = sgk_signal_debounce(source, 0.03, queue);
    SGK_AUTO(sgk_signal) failing = sgk_signal_debounce(other, 1e6, queue);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(quiet, r);
    SGK_AUTO(sgk_disposable) run_too = record_run(failing, s);
    for (int i = 1; i <= 5; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    EVENTUALLY(r->nexts == 1);
    ASSERT_VALUES(r, 5);
    sgk_subscriber_next(h.subscriber, sgk_int(6));
    sgk_subscriber_complete(h.subscriber);
    EVENTUALLY(r->ends == 1);
    ASSERT_VALUES(r, 5, 6);
    sgk_subscriber_next(g.subscriber, sgk_int(1));
    sgk_subscriber_error(g.subscriber, sgk_int(2));
    EVENTUALLY(s->errors == 1); /* at once: the error drops what waits */
    assert_int_equal(s->count, 0);
    hand_free(&h);
    hand_free(&g);
    recorder_free(r);
    recorder_free(s);
}

typedef struct where {
    sgk_queue *queue;
    atomic_int there, elsewhere;
} where;

static void look_around(void *context, sgk_value value) {
    (void)value;
    where *w = context;
    if (sgk_queue_is_current(w->queue)) w->there++;
    else w->elsewhere++;
}

static void deliver_on_delivers_there_in_order(void **state) {
    (void)state;
    where w = {sgk_queue_create("delivery"), 0, 0};
    SGK_AUTO(sgk_signal) source = count_to(50);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, w.queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    SGK_AUTO(sgk_disposable) other = sgk_signal_start_next(there, look_around, &w, NULL);
    EVENTUALLY(r->ends == 1 && w.there == 50);
    assert_int_equal(w.elsewhere, 0);
    assert_int_equal(r->count, 50);
    for (int i = 0; i < 50; i++) assert_int_equal(r->values[i], i + 1);
    sgk_queue_release(w.queue);
    recorder_free(r);
}

static void nothing(void *context) { (void)context; }
static void wait_for(void *context) { EVENTUALLY(*(atomic_bool *)context); }

static void disposal_drops_what_is_on_its_way(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("delivery");
    atomic_bool go = false;
    sgk_queue_dispatch(queue, wait_for, &go, NULL);
    SGK_AUTO(sgk_signal) source = count_to(10);
    SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(source, queue);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(there, r);
    sgk_disposable_dispose(run);
    assert_int_equal(r->destroyed, 1); /* at once, although the queue is busy and events are on their way */
    go = true;
    sgk_queue_sync(queue, nothing, NULL);
    assert_int_equal(r->nexts + r->ends, 0);
    recorder_free(r);
}

/* ---- The contract, on every operator ---- */

static sgk_queue *contract_queue;

static bool never_equal(void *context, sgk_value last, sgk_value value) {
    (void)context;
    (void)last;
    (void)value;
    return false;
}

static bool always(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return true;
}

static sgk_value as_signal(void *context, sgk_value value) {
    (void)context;
    sgk_signal *single = sgk_signal_single(value);
    sgk_value result = sgk_signal_value(single);
    sgk_signal_release(single);
    return result;
}

static sgk_signal *with_map(sgk_signal *s) { return sgk_signal_map(s, times_ten, NULL, NULL); }
static sgk_signal *with_filter(sgk_signal *s) { return sgk_signal_filter(s, always, NULL, NULL); }
static sgk_signal *with_distinct_by(sgk_signal *s) { return sgk_signal_distinct_until_changed_by(s, never_equal, NULL, NULL); }
static sgk_signal *with_take(sgk_signal *s) { return sgk_signal_take(s, INT64_MAX); }
static sgk_signal *with_combine(sgk_signal *s) { return sgk_combine_latest(&s, 1, NULL); }
static sgk_signal *with_throttle(sgk_signal *s) { return sgk_signal_throttle(s, 0, contract_queue); }
static sgk_signal *with_debounce(sgk_signal *s) { return sgk_signal_debounce(s, 0, contract_queue); }
static sgk_signal *with_deliver_on(sgk_signal *s) { return sgk_signal_deliver_on(s, contract_queue); }
static sgk_signal *with_throttled(sgk_signal *s) {
    sgk_signal *signals = sgk_signal_map(s, as_signal, NULL, NULL);
    sgk_signal *result = sgk_signal_throttled(signals);
    sgk_signal_release(signals);
    return result;
}

typedef struct row {
    const char *name;
    sgk_signal *(*apply)(sgk_signal *);
    bool elsewhere; /* delivers on the queue, later */
    bool lossy;     /* may drop values that come fast */
} row;

static const row rows[] = {
    {"map", with_map, false, false},
    {"filter", with_filter, false, false},
    {"distinct_until_changed", sgk_signal_distinct_until_changed, false, false},
    {"distinct_until_changed_by", with_distinct_by, false, false},
    {"take", with_take, false, false},
    {"combine_latest", with_combine, false, false},
    {"throttled", with_throttled, false, true},
    {"throttle", with_throttle, true, true},
    {"debounce", with_debounce, true, true},
    {"deliver_on", with_deliver_on, true, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void settle(void) { sgk_queue_sync(contract_queue, nothing, NULL); }

static void contract_end(const row *o, bool by_error) {
    hand h;
    sgk_signal *source = hand_signal(&h), *result = o->apply(source);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(result, r);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    if (by_error) sgk_subscriber_error(h.subscriber, sgk_int(3));
    else sgk_subscriber_complete(h.subscriber);
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(2)), SGK_ERROR_ENDED);
    sgk_subscriber_complete(h.subscriber);
    EVENTUALLY(r->errors + r->ends == 1);
    assert_int_equal(r->errors, by_error);
    assert_int_equal(h.disposals, 1);
    EVENTUALLY(r->destroyed == 1); /* at the end, although run, signal and subscriber are all still held */
    if (!by_error) assert_int_equal(r->nexts, 1);
    sgk_disposable_dispose(run);
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(source);
    recorder_free(r);
}

static void contract_dispose(const row *o) {
    hand h;
    sgk_signal *source = hand_signal(&h), *result = o->apply(source);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(result, r);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    if (!o->elsewhere) assert_int_equal(r->nexts, 1);
    sgk_disposable_dispose(run);
    assert_int_equal(h.disposals, 1);
    int so_far = r->nexts;
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(2)), SGK_ERROR_ENDED);
    sgk_subscriber_complete(h.subscriber);
    settle();
    if (!o->elsewhere) assert_int_equal(r->nexts, so_far);
    assert_int_equal(r->errors + r->ends, 0);
    EVENTUALLY(r->destroyed == 1);
    hand_free(&h);
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(source);
    recorder_free(r);
}

static void contract_dispose_inside(const row *o) {
    sgk_signal *source = count_to(40), *result = o->apply(source);
    recorder *r = recorder_new();
    r->dispose_at = 1;
    int64_t before = generator_rounds();
    sgk_disposable *run = record_run(result, r);
    settle();
    EVENTUALLY(r->destroyed == 1);
    assert_int_equal(r->nexts, 1);
    assert_int_equal(r->ends, 0);
    if (!o->elsewhere) assert_int_equal(generator_rounds() - before, 2); /* the source is stopped in its loop */
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(source);
    recorder_free(r);
}

static void contract_take_behind(const row *o) {
    sgk_signal *source = o->elsewhere ? count_to(40) : count_to(INT64_MAX), *result = o->apply(source), *one = sgk_signal_take(result, 1);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(one, r);
    EVENTUALLY(r->ends == 1);
    assert_int_equal(r->nexts, 1);
    sgk_disposable_release(run);
    sgk_signal_release(one);
    sgk_signal_release(result);
    sgk_signal_release(source);
    recorder_free(r);
}

typedef struct two_emitters {
    sgk_subscriber *subscriber;
} two_emitters;

enum { EACH = 500 };

static void emit_many(void *context, int index) {
    two_emitters *e = context;
    for (int i = 0; i < EACH; i++) sgk_subscriber_next(e->subscriber, sgk_int(index * EACH + i));
    sgk_subscriber_complete(e->subscriber);
}

static void contract_two_threads(const row *o) {
    hand h;
    sgk_signal *source = hand_signal(&h), *result = o->apply(source);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(result, r);
    two_emitters e = {h.subscriber};
    in_parallel(2, emit_many, &e);
    EVENTUALLY(r->ends == 1);
    if (!o->lossy) assert_true(r->nexts >= EACH); /* all of whoever completed first */
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(source);
    /* On plain stages a value that another thread was carrying may arrive after the end (it was on its way). */
    r->ended_early = false;
    recorder_free(r);
}

static void dispose_run(void *context, int index) {
    void **both = context;
    if (index) sgk_disposable_dispose(both[0]);
    else emit_many(&(two_emitters){both[1]}, 0);
}

static void contract_dispose_elsewhere(const row *o) {
    for (int round = 0; round < 20; round++) {
        hand h;
        sgk_signal *source = hand_signal(&h), *result = o->apply(source);
        recorder *r = recorder_new();
        sgk_disposable *run = record_run(result, r);
        void *both[] = {run, h.subscriber};
        in_parallel(2, dispose_run, both);
        assert_int_equal(h.disposals, 1);
        hand_free(&h);
        sgk_disposable_release(run);
        sgk_signal_release(result);
        sgk_signal_release(source);
        recorder_free(r);
    }
}

static void every_operator_keeps_the_contract(void **state) {
    (void)state;
    contract_queue = sgk_queue_create("contract");
    for (int i = 0; i < ROWS; i++) {
        print_message("  %s\n", rows[i].name);
        contract_end(&rows[i], false);
        contract_end(&rows[i], true);
        contract_dispose(&rows[i]);
        contract_dispose_inside(&rows[i]);
        contract_take_behind(&rows[i]);
        contract_two_threads(&rows[i]);
        contract_dispose_elsewhere(&rows[i]);
    }
    sgk_queue_release(contract_queue);
}

int run_operators(void) {
    const struct CMUnitTest tests[] = {
        TEST(map_filter_and_distinct),
        TEST(distinct_by_asks_for_the_last_that_passed),
        TEST(distinct_compares_boxed_values_by_content),
        TEST(map_owns_what_its_callback_returns),
        TEST(take_passes_exactly_so_many_and_stops_the_source),
        TEST(combine_latest_joins),
        TEST(the_first_error_ends_combine_latest),
        TEST(combine_latest_of_nothing_and_on_a_queue),
        TEST(throttled_keeps_only_the_latest_that_waits),
        TEST(throttle_limits_the_rate),
        TEST(debounce_waits_for_quiet),
        TEST(deliver_on_delivers_there_in_order),
        TEST(disposal_drops_what_is_on_its_way),
        TEST(every_operator_keeps_the_contract),
    };
    return cmocka_run_group_tests_name("operators", tests, NULL, NULL);
}
