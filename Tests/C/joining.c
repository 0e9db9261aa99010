/* Signals that run simultaneously, and signals combined with another one. */
#include "suite.h"

/* A signal of the value's signal, or for 0 none. */
static sgk_signal *given(void *context, sgk_value value) {
    sgk_signal *const *signals = context;
    return sgk_to_int(value) ? sgk_signal_retain(signals[sgk_to_int(value) - 1]) : NULL;
}

static void merged_runs_so_many(void **state) {
    (void)state;
    hand h[3];
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) a = hand_signal(&h[0]);
    SGK_AUTO(sgk_signal) b = hand_signal(&h[1]);
    SGK_AUTO(sgk_signal) c = hand_signal(&h[2]);
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal)
    merged = sgk_signal_merge_all(
        outer, 2, SGK_BOUND(.limit = 1, .error = sgk_give(sgk_string("full")), .counter = counter));
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(merged, r);
    put_signal(pipe, a);
    put_signal(pipe, b);
    put_signal(pipe, c);
    assert_int_equal(h[2].starts, 0);
    sgk_subscriber_next(h[1].subscriber, sgk_int(1));
    sgk_subscriber_next(h[0].subscriber, sgk_int(2));
    sgk_subscriber_complete(h[0].subscriber);
    assert_int_equal(h[2].starts, 1);
    sgk_subscriber_next(h[2].subscriber, sgk_int(3));
    ASSERT_VALUES(r, 1, 2, 3);
    put_signal(pipe, a);
    assert_int_equal(r->errors, 0);
    put_signal(pipe, a);
    assert_int_equal(r->errors, 1);
    assert_int_equal(sgk_overflow_counter_dropped(counter), 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(h[i].disposals, 1);
        hand_free(&h[i]);
    }
    recorder_free(r);
}

static void merged_of_what_is_no_signal_fails(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) numbers = count_to(2);
    SGK_AUTO(sgk_signal)
    merged = sgk_signal_merge_all(numbers, 1, SGK_BOUND(.limit = SGK_UNBUFFERED, .overflow = SGK_OVERFLOW_DROP_NEWEST));
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(merged, r));
    assert_true(r->errors == 1 && r->error == 1);
    recorder_free(r);
}

static void exhaust_map_drops_while_one_runs(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) inner = hand_signal(&h);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) numbers = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) first = sgk_signal_exhaust_map(numbers, given, &inner, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(first, r);
    for (int i = 0; i < 2; i++) {
        sgk_pipe_next(pipe, sgk_int(0)); /* no signal, over at once */
        sgk_pipe_next(pipe, sgk_int(1));
        sgk_pipe_next(pipe, sgk_int(1));
        assert_int_equal(h.starts, i + 1);
        sgk_subscriber_complete(h.subscriber);
    }
    sgk_pipe_complete(pipe);
    assert_int_equal(r->ends, 1);
    hand_free(&h);
    recorder_free(r);
}

/* As the function of the plain and of the typed form. */
static sgk_value hundreds(void *context, const sgk_value *values, size_t count) {
    assert_true(count == 2);
    if (context) ((counted *)context)->calls++;
    return sgk_int(sgk_to_int(values[0]) * 100 + sgk_to_int(values[1]));
}
static int64_t natural_hundreds(int64_t a, int64_t b) { return a * 100 + b; }

static void with_latest_from_takes_the_latest(void **state) {
    (void)state;
    hand h[2];
    counted c = {0};
    SGK_AUTO(sgk_signal) a = hand_signal(&h[0]);
    SGK_AUTO(sgk_signal) b = hand_signal(&h[1]);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64, i64) -> i64");
    sgk_signal *forms[] = {sgk_signal_with_latest_from(a, b),
        sgk_signal_with_latest_from_map(a, b, hundreds, &c, counted_destroy),
        sgk_signal_with_latest_from_typed(a, b, SGK_FUNCTION(natural_hundreds), signature, NULL, NULL)};
    for (int i = 0; i < 3; i++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(forms[i], r);
        sgk_subscriber_next(h[0].subscriber, sgk_int(1));
        sgk_subscriber_next(h[1].subscriber, sgk_int(2));
        sgk_subscriber_next(h[0].subscriber, sgk_int(3));
        sgk_subscriber_complete(h[1].subscriber);
        sgk_subscriber_next(h[0].subscriber, sgk_int(4));
        ASSERT_VALUES(r, 302, 402); /* an array is recorded like that, too */
        sgk_subscriber_complete(h[0].subscriber);
        assert_int_equal(r->ends, 1);
        sgk_signal_release(forms[i]);
        recorder_free(r);
    }
    assert_true(c.calls == 2 && c.destroyed == 1);
    SGK_AUTO(sgk_signal) texts = sgk_signal_just(sgk_give(sgk_string("x")));
    SGK_AUTO(sgk_signal)
    unfit = sgk_signal_with_latest_from_typed(a, texts, SGK_FUNCTION(natural_hundreds), signature, NULL, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(unfit, r);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    assert_int_equal(r->errors, 1);
    recorder_free(r);
    for (int i = 0; i < 2; i++) hand_free(&h[i]);
}

static void zip_takes_one_of_each(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) two = count_to(2);
    SGK_AUTO(sgk_signal) three = count_to(3);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64, i64) -> i64");
    sgk_signal *both[] = {three, two};
    counted c = {0};
    for (int limit = 1; limit < 4; limit += 2) {
        sgk_signal *forms[] = {sgk_zip(both, 2, SGK_BOUND(.limit = limit, .error = sgk_int(7))),
            sgk_zip_map(both, 2, SGK_BOUND(.limit = limit, .error = sgk_int(7)), hundreds, &c, counted_destroy),
            sgk_zip_typed(both, 2, SGK_BOUND(.limit = limit, .error = sgk_int(7)), SGK_FUNCTION(natural_hundreds),
                signature, NULL, NULL)};
        for (int i = 0; i < 3; i++) {
            recorder *r = recorder_new();
            sgk_disposable_release(record_run(forms[i], r));
            if (limit == 1) assert_true(r->nexts == 0 && r->errors == 1 && r->error == 7);
            else ASSERT_VALUES(r, 101, 202);
            assert_int_equal(r->ends, limit == 3);
            recorder_free(r);
            sgk_signal_release(forms[i]);
        }
    }
    assert_true(c.calls == 2 && c.destroyed == 2);
    SGK_AUTO(sgk_signal) none = sgk_zip(NULL, 0, NULL);
    SGK_AUTO(sgk_signal) nobody = sgk_race(NULL, 0);
    sgk_signal *empty[] = {none, nobody};
    for (int i = 0; i < 2; i++) {
        recorder *r = recorder_new();
        sgk_disposable_release(record_run(empty[i], r));
        assert_true(r->nexts == 0 && r->ends == 1);
        recorder_free(r);
    }
}

static void race_follows_the_first(void **state) {
    (void)state;
    hand h[3];
    sgk_signal *signals[3];
    for (int i = 0; i < 3; i++) signals[i] = hand_signal(&h[i]);
    SGK_AUTO(sgk_signal) race = sgk_race(signals, 3);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(race, r);
    sgk_subscriber_next(h[1].subscriber, sgk_int(5));
    assert_true(h[0].disposals == 1 && h[1].disposals == 0 && h[2].disposals == 1);
    sgk_subscriber_next(h[0].subscriber, sgk_int(6));
    sgk_subscriber_error(h[1].subscriber, sgk_int(7));
    ASSERT_VALUES(r, 5);
    assert_true(r->errors == 1 && r->error == 7);
    recorder_free(r);
    for (int i = 0; i < 3; i++) {
        sgk_signal_release(signals[i]);
        hand_free(&h[i]);
    }
}

static void another_signal_opens_closes_and_samples(void **state) {
    (void)state;
    sgk_signal *(*const operators[])(sgk_signal *, sgk_signal *) = {
        sgk_signal_skip_until, sgk_signal_take_until, sgk_signal_sample_on};
    for (int i = 0; i < 3; i++) {
        hand h[2];
        SGK_AUTO(sgk_signal) source = hand_signal(&h[0]);
        SGK_AUTO(sgk_signal) other = hand_signal(&h[1]);
        SGK_AUTO(sgk_signal) both = operators[i](source, other);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(both, r);
        sgk_subscriber_next(h[0].subscriber, sgk_int(1));
        sgk_subscriber_next(h[0].subscriber, sgk_int(2));
        sgk_subscriber_next(h[1].subscriber, sgk_int(0));
        sgk_subscriber_next(h[0].subscriber, sgk_int(3));
        sgk_subscriber_complete(h[0].subscriber);
        if (i == 0) ASSERT_VALUES(r, 3);
        else if (i == 1) ASSERT_VALUES(r, 1, 2);
        else ASSERT_VALUES(r, 2, 3);
        assert_int_equal(r->ends, 1);
        assert_true(h[0].disposals == 1 && h[1].disposals == 1);
        recorder_free(r);
        for (int j = 0; j < 2; j++) hand_free(&h[j]);
    }
}

enum { ROUNDS = 2000 };

typedef struct pair {
    sgk_pipe *pipes[2];
} pair;

static void put_many(void *context, int index) {
    pair *both = context;
    for (int i = 1; i <= ROUNDS; i++) sgk_pipe_next(both->pipes[index], sgk_int(i));
}

/* Both emit at once: one at a time comes out, and zip loses none. */
static void two_threads(void **state) {
    (void)state;
    for (int form = 0; form < 6; form++) {
        pair both = {{sgk_pipe_create(), sgk_pipe_create()}};
        SGK_AUTO(sgk_signal) a = sgk_pipe_signal(both.pipes[0]);
        SGK_AUTO(sgk_signal) b = sgk_pipe_signal(both.pipes[1]);
        sgk_signal *signals[] = {a, b};
        SGK_AUTO(sgk_signal)
        joined = form == 0 ? sgk_zip(signals, 2, NULL)
            : form == 1    ? sgk_race(signals, 2)
            : form == 2    ? sgk_signal_with_latest_from(a, b)
            : form == 3    ? sgk_signal_sample_on(a, b)
            : form == 4    ? sgk_signal_skip_until(a, b)
                           : sgk_signal_take_until(a, b);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(joined, r);
        in_parallel(2, put_many, &both);
        if (form == 0 || form == 1) assert_int_equal(r->nexts, ROUNDS);
        for (int i = 0; i < 2; i++) sgk_pipe_complete(both.pipes[i]);
        assert_int_equal(r->ends, 1);
        assert_true(!r->overlapped && !r->late);
        for (int i = 0; i < 2; i++) sgk_pipe_release(both.pipes[i]);
        recorder_free(r);
    }
}

static sgk_signal *either(void *context, sgk_value value) {
    if (sgk_to_int(value) % 2) return sgk_signal_just(value);
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(context);
    return sgk_signal_take(signal, 1);
}

/* The outer one emits on one thread, the inner ones on another. */
static void merged_on_two_threads(void **state) {
    (void)state;
    for (int limit = -1; limit < 4; limit += 2) {
        pair both = {{sgk_pipe_create(), sgk_pipe_create()}};
        SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(both.pipes[0]);
        SGK_AUTO(sgk_signal)
        merged = sgk_signal_merge_map(outer, limit, NULL, either, both.pipes[1], NULL);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(merged, r);
        in_parallel(2, put_many, &both);
        sgk_pipe_complete(both.pipes[0]);
        while (!r->ends) sgk_pipe_next(both.pipes[1], sgk_int(0));
        assert_int_equal(r->nexts, ROUNDS);
        assert_true(!r->overlapped && !r->late);
        for (int i = 0; i < 2; i++) sgk_pipe_release(both.pipes[i]);
        recorder_free(r);
    }
}

/* Pending signals start after the outer signal has completed, also if earlier ones complete inside their starts. */
static void merged_goes_on_with_what_waits(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) first = hand_signal(&h);
    SGK_AUTO(sgk_signal) more = count_to(2);
    SGK_AUTO(sgk_signal)
    merged = sgk_signal_merge_all(outer, 1, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_DROP_NEWEST));
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(merged, r);
    put_signal(pipe, first);
    put_signal(pipe, more);
    put_signal(pipe, more);
    sgk_pipe_complete(pipe);
    sgk_subscriber_complete(h.subscriber);
    ASSERT_VALUES(r, 1, 2, 1, 2);
    assert_int_equal(r->ends, 1);
    hand_free(&h);
    recorder_free(r);
}

/* A signal keeps its place until its last value was passed. Then as many start as there is space for. */
static void in_order_as_many_start_as_have_a_place(void **state) {
    (void)state;
    hand hands[3];
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) merged = sgk_signal_merge_all_ordered(outer, 2, NULL);
    SGK_AUTO(sgk_signal) second = sgk_signal_just(sgk_int(2));
    sgk_signal *signals[] = {hand_signal(&hands[0]), hand_signal(&hands[1]), hand_signal(&hands[2])};
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(merged, r);
    sgk_signal *arrivals[] = {signals[0], second, signals[1], signals[2]};
    for (int i = 0; i < 4; i++) put_signal(pipe, arrivals[i]);
    assert_int_equal(hands[1].starts, 0);
    assert_int_equal(r->count, 0);
    sgk_subscriber_next(hands[0].subscriber, sgk_int(1));
    sgk_subscriber_complete(hands[0].subscriber);
    ASSERT_VALUES(r, 1, 2);
    assert_int_equal(hands[1].starts + hands[2].starts, 2);
    sgk_disposable_dispose(run);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hands[i].disposals, 1);
        sgk_signal_release(signals[i]);
        hand_free(&hands[i]);
    }
    recorder_free(r);
}

static void who_comes_too_late_is_not_started(void **state) {
    (void)state;
    counted starts = {0};
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    SGK_AUTO(sgk_signal) late = sgk_signal_before_started(never, counted_work, &starts, NULL);
    SGK_AUTO(sgk_signal) quick = sgk_signal_start_with(never, sgk_int(1));
    SGK_AUTO(sgk_signal) race = sgk_race((sgk_signal *[]){quick, late}, 2);
    SGK_AUTO(sgk_signal) until = sgk_signal_take_until(late, quick);
    sgk_signal *both[] = {race, until};
    for (int i = 0; i < 2; i++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(both[i], r);
        assert_int_equal(r->count, i == 0);
        assert_int_equal(r->ends, i);
        assert_int_equal(starts.calls, 0);
        sgk_disposable_dispose(run);
        recorder_free(r);
    }
}

int run_joining(void) {
    const struct CMUnitTest tests[] = {
        TEST(merged_runs_so_many),
        TEST(merged_of_what_is_no_signal_fails),
        TEST(exhaust_map_drops_while_one_runs),
        TEST(with_latest_from_takes_the_latest),
        TEST(zip_takes_one_of_each),
        TEST(race_follows_the_first),
        TEST(another_signal_opens_closes_and_samples),
        TEST(two_threads),
        TEST(merged_on_two_threads),
        TEST(merged_goes_on_with_what_waits),
        TEST(in_order_as_many_start_as_have_a_place),
        TEST(who_comes_too_late_is_not_started),
    };
    return cmocka_run_group_tests_name("joining", tests, NULL, NULL);
}
