/* A signal, or a group, for each key. */
#include "suite.h"

static sgk_value tens(void *context, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) / 10);
}

/* The hand of each value's last digit. */
static sgk_signal *held(void *context, sgk_value value) {
    sgk_signal *const *signals = context;
    return sgk_signal_retain(signals[sgk_to_int(value) % 10]);
}

enum { HANDS = 3 };

static void the_latest_of_each_key(void **state) {
    (void)state;
    hand h[HANDS];
    sgk_signal *signals[HANDS];
    for (int i = 0; i < HANDS; i++) signals[i] = hand_signal(&h[i]);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) numbers = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal)
    latest = sgk_signal_switch_map_per(numbers,
        SGK_BOUND(.limit = 2, .error = sgk_give(sgk_string("full")), .counter = counter), tens, held, signals, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(latest, r);
    sgk_pipe_next(pipe, sgk_int(10));
    sgk_pipe_next(pipe, sgk_int(21));
    sgk_pipe_next(pipe, sgk_int(12)); /* replaces 10 */
    assert_true(h[0].disposals == 1 && h[1].disposals == 0 && h[2].disposals == 0);
    for (int i = 0; i < HANDS; i++) sgk_subscriber_next(h[i].subscriber, sgk_int(i));
    ASSERT_VALUES(r, 1, 2);
    sgk_subscriber_complete(h[1].subscriber);
    sgk_pipe_next(pipe, sgk_int(30)); /* 20 is free */
    assert_true(h[0].starts == 2 && r->errors == 0);
    sgk_pipe_next(pipe, sgk_int(40));
    assert_int_equal(r->errors, 1);
    assert_int_equal(sgk_overflow_counter_dropped(counter), 1);
    for (int i = 0; i < HANDS; i++) {
        assert_int_equal(h[i].disposals, h[i].starts);
        sgk_signal_release(signals[i]);
        hand_free(&h[i]);
    }
    recorder_free(r);
}

static sgk_value sum(void *context, sgk_value total, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(total) + sgk_to_int(value));
}

static sgk_signal *summed(void *context, sgk_value key, sgk_signal *values) {
    *(int64_t *)context += sgk_to_int(key);
    return sgk_signal_reduce(values, sgk_int(0), sum, NULL, NULL);
}

static void each_group_has_a_pipeline(void **state) {
    (void)state;
    const struct {
        sgk_overflow overflow;
        int64_t keys, values[3], dropped;
    } rows[] = {
        {SGK_OVERFLOW_DROP_NEWEST, 1 + 2, {10 + 11, 20, 0}, 1},
        {SGK_OVERFLOW_DROP_OLDEST, 1 + 2 + 3, {10 + 11, 20, 30}, 1},
        {SGK_OVERFLOW_KEEP_LATEST, 1 + 2 + 3, {10 + 11, 20, 30}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t keys = 0;
        const sgk_value numbers[] = {sgk_int(10), sgk_int(20), sgk_int(11), sgk_int(30)};
        SGK_AUTO(sgk_signal) source = sgk_signal_from_array(numbers, 4);
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal)
        sums = sgk_signal_group_by(
            source, SGK_BOUND(.limit = 2, .overflow = rows[i].overflow, .counter = counter), tens, summed, &keys, NULL);
        recorder *r = recorder_new();
        sgk_disposable_release(record_run(sums, r));
        assert_int_equal(keys, rows[i].keys);
        assert_int_equal(r->nexts, rows[i].values[2] ? 3 : 2);
        for (int n = 0; n < r->nexts; n++) assert_int_equal(r->values[n], rows[i].values[n]);
        assert_int_equal(r->ends, 1);
        assert_int_equal(sgk_overflow_counter_dropped(counter), rows[i].dropped);
        recorder_free(r);
    }
}

static sgk_signal *kept_group(void *context, sgk_value key, sgk_signal *values) {
    assert_int_equal(key.kind, SGK_INT);
    sgk_signal **kept = context;
    sgk_signal_release(*kept);
    *kept = sgk_signal_retain(values);
    return sgk_signal_take(values, 1);
}

static sgk_signal *itself(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(value);
}

/* Without a key function the values are keys. A stored group that has ended completes. */
static void values_are_their_own_keys(void **state) {
    (void)state;
    sgk_signal *kept = NULL;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) numbers = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal)
    grouped = sgk_signal_group_by(numbers, SGK_BOUND(.limit = 1), NULL, kept_group, &kept, NULL);
    SGK_AUTO(sgk_signal)
    mapped = sgk_signal_switch_map_per(numbers, SGK_BOUND(.limit = 1), NULL, itself, NULL, NULL);
    recorder *r = recorder_new(), *late = recorder_new(), *others = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(grouped, r);
    SGK_AUTO(sgk_disposable) second = record_run(mapped, others);
    for (int i = 1; i < 4; i++) sgk_pipe_next(pipe, sgk_int(i));
    ASSERT_VALUES(r, 1, 2, 3);
    ASSERT_VALUES(others, 1, 2, 3);
    sgk_pipe_complete(pipe);
    assert_true(r->ends == 1 && others->ends == 1);
    sgk_disposable_release(record_run(kept, late));
    assert_int_equal(late->ends, 1);
    sgk_signal_release(kept);
    recorder_free(r);
    recorder_free(late);
    recorder_free(others);
}

static sgk_value text_of(void *context, sgk_value value) {
    (void)context;
    char text[32];
    snprintf(text, sizeof text, "a key of %d", (int)sgk_to_int(value));
    return sgk_string(text);
}

static sgk_signal *nothing_of(void *context, sgk_value value) {
    (void)context, (void)value;
    return sgk_signal_never();
}

static sgk_signal *all_of_group(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    return sgk_signal_retain(values);
}

/* Although the subscription is retained. */
static void the_keys_go_with_a_disposal(void **state) {
    (void)state;
    for (int grouped = 0; grouped < 2; grouped++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) numbers = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal)
        keyed = grouped ? sgk_signal_group_by(numbers, NULL, text_of, all_of_group, NULL, NULL)
                        : sgk_signal_switch_map_per(numbers, NULL, text_of, nothing_of, NULL, NULL);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(keyed, NULL);
        for (int i = 0; i < 3; i++) sgk_pipe_next(pipe, sgk_int(i));
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 3);
        sgk_disposable_dispose(run);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    }
}

static sgk_signal *last_of_group(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    return sgk_signal_take_last(values, 1);
}

static void the_oldest_group_makes_room(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) numbers = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal)
    grouped = sgk_signal_group_by(
        numbers, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_DROP_OLDEST), tens, last_of_group, NULL, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(grouped, r);
    const int values[] = {10, 20, 11, 30, 40};
    for (int i = 0; i < 5; i++) sgk_pipe_next(pipe, sgk_int(values[i]));
    ASSERT_VALUES(r, 11, 20);
    sgk_pipe_complete(pipe);
    ASSERT_VALUES(r, 11, 20, 30, 40);
    recorder_free(r);
}

typedef struct {
    sgk_pipe *outer, *ticks;
} pipes;

enum { ROUNDS = 2000 };

static void put_many(void *context, int thread) {
    pipes *both = context;
    for (int i = 0; i < ROUNDS; i++) sgk_pipe_next(thread < 2 ? both->outer : both->ticks, sgk_int(i));
}

static sgk_signal *ticked(void *context, sgk_value value) {
    (void)value;
    SGK_AUTO(sgk_signal) ticks = sgk_pipe_signal(context);
    return sgk_signal_take(ticks, 2);
}

static sgk_signal *some(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    return sgk_signal_take(values, 3);
}

/* Two threads emit values of the same keys, and a third emits into their signals. */
static void three_threads(void **state) {
    (void)state;
    for (int form = 0; form < 4; form++) {
        pipes both = {sgk_pipe_create(), sgk_pipe_create()};
        const sgk_overflow overflow = form % 2 ? SGK_OVERFLOW_DROP_OLDEST : SGK_OVERFLOW_DROP_NEWEST;
        SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(both.outer);
        SGK_AUTO(sgk_signal)
        keyed = form < 2 ? sgk_signal_switch_map_per(
                               outer, SGK_BOUND(.limit = 3, .overflow = overflow), tens, ticked, both.ticks, NULL)
                         : sgk_signal_group_by(outer, SGK_BOUND(.overflow = overflow), tens, some, NULL, NULL);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(keyed, r);
        in_parallel(3, put_many, &both);
        sgk_pipe_complete(both.outer);
        while (!r->ends) sgk_pipe_next(both.ticks, sgk_int(0));
        if (form >= 2) assert_int_equal(r->nexts, 2 * ROUNDS);
        assert_true(!r->overlapped && !r->late && r->ends == 1 && r->errors == 0);
        sgk_pipe_release(both.outer);
        sgk_pipe_release(both.ticks);
        recorder_free(r);
    }
}

int run_keyed(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_latest_of_each_key),
        TEST(each_group_has_a_pipeline),
        TEST(values_are_their_own_keys),
        TEST(the_keys_go_with_a_disposal),
        TEST(the_oldest_group_makes_room),
        TEST(three_threads),
    };
    return cmocka_run_group_tests_name("keyed", tests, NULL, NULL);
}
