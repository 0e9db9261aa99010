/* Operators that make values of values. */
#include "suite.h"

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

static bool half_of_even(void *context, sgk_value value, sgk_value *result) {
    (void)context;
    *result = sgk_int(sgk_to_int(value) / 2);
    return sgk_to_int(value) % 2 == 0;
}

static bool text_of_odd(void *context, sgk_value value, sgk_value *result) {
    (void)context;
    *result = sgk_string("text"); /* also when it is not wanted */
    return sgk_to_int(value) % 2 == 1;
}

static void compact_map_maps_and_drops(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(5);
    SGK_AUTO(sgk_signal) halves = sgk_signal_compact_map(source, half_of_even, NULL, NULL);
    SGK_AUTO(sgk_signal) texts = sgk_signal_compact_map(source, text_of_odd, NULL, NULL);
    recorder *r = recorder_new(), *s = recorder_new();
    sgk_disposable_release(record_run(halves, r));
    sgk_disposable_release(record_run(texts, s));
    ASSERT_VALUES(r, 1, 2);
    assert_int_equal(s->nexts, 3);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    recorder_free(r);
    recorder_free(s);
}

/* By the number: 1 stays, 2 goes, 3 becomes a text, 4 fails with one. */
static sgk_value transformed(void *context, sgk_value value) {
    counted_work(context);
    switch (sgk_to_int(value)) {
    case 1: return sgk_unchanged();
    case 2: return sgk_dropped();
    case 3: return sgk_string("three");
    default: return sgk_failed(sgk_string("four"));
    }
}

static sgk_value text_or_number(void *context, sgk_value value) {
    counted_work(context);
    return sgk_value_kind(value) == SGK_STRING ? sgk_int(30) : sgk_unchanged();
}

static void transform_maps_drops_and_fails(void **state) {
    (void)state;
    counted c = {0}, below = {0};
    SGK_AUTO(sgk_signal) source = count_to(INT64_MAX);
    sgk_signal *behind = sgk_signal_transform(source, transformed, &c, counted_destroy);
    sgk_signal *stepped = sgk_signal_transform(behind, text_or_number, &below, counted_destroy);
    SGK_AUTO(sgk_signal) numbers = sgk_signal_map(stepped, times_ten, NULL, NULL);
    /* a stage of another kind between the steps and the end */
    SGK_AUTO(sgk_signal) serial = sgk_signal_serialized(numbers);
    for (int round = 1; round <= 2; round++) {
        recorder *r = recorder_new();
        sgk_disposable_release(record_run(round == 1 ? numbers : serial, r));
        ASSERT_VALUES(r, 10, 300);
        assert_int_equal(r->errors, 1);
        assert_int_equal(r->ends, 0);
        assert_int_equal(c.calls, 4 * round); /* the source was stopped */
        assert_int_equal(below.calls, 2 * round);
        recorder_free(r);
    }
    sgk_signal_release(stepped);
    sgk_signal_release(behind);
}

static void transform_fails_the_run_that_it_was_called_for(void **state) {
    (void)state;
    counted c = {0};
    hand first, second;
    SGK_AUTO(sgk_pipe) signals = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(signals);
    SGK_AUTO(sgk_signal) inner = sgk_signal_switch_to_latest(source);
    sgk_signal *failing = sgk_signal_transform(inner, transformed, &c, counted_destroy);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) one = record_run(failing, r);
    SGK_AUTO(sgk_signal) to_one = hand_signal(&first);
    put_signal(signals, to_one);
    SGK_AUTO(sgk_disposable) two = record_run(failing, s);
    SGK_AUTO(sgk_signal) to_both = hand_signal(&second);
    sgk_signal_release(failing);
    sgk_subscriber_next(first.subscriber, sgk_int(4)); /* the first run alone has it */
    assert_int_equal(r->errors, 1);
    assert_int_equal(first.disposals, 1);
    assert_int_equal(sgk_subscriber_next(first.subscriber, sgk_int(1)), SGK_ERROR_ENDED);
    put_signal(signals, to_both);
    assert_int_equal(second.starts, 1);
    sgk_subscriber_next(second.subscriber, sgk_int(1));
    assert_int_equal(r->nexts, 0);
    ASSERT_VALUES(s, 1);
    assert_int_equal(c.calls, 2);
    sgk_disposable_dispose(two);
    assert_int_equal(c.destroyed, 1);
    hand_free(&first);
    hand_free(&second);
    recorder_free(r);
    recorder_free(s);
}

static void map_error_and_ignore_values(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) tens = sgk_signal_map_error(source, times_ten, NULL, NULL);
    SGK_AUTO(sgk_signal) silent = sgk_signal_ignore_values(tens);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(tens, r);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    sgk_subscriber_error(h.subscriber, sgk_int(2));
    ASSERT_VALUES(r, 1);
    assert_int_equal(r->error, 20);
    SGK_AUTO(sgk_disposable) other = record_run(silent, s);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    sgk_subscriber_complete(h.subscriber);
    assert_int_equal(s->nexts, 0);
    assert_int_equal(s->ends, 1);
    hand_free(&h);
    recorder_free(r);
    recorder_free(s);
}

typedef struct overlap {
    atomic_int inside, overlaps, values;
} overlap;

static void look_for_overlap(void *context, sgk_value value) {
    (void)value;
    overlap *o = context;
    if (o->inside++) o->overlaps++;
    o->values++;
    o->inside--;
}

enum { EMITTED = 2000 };

static void emit_some(void *context, int index) {
    for (int i = 0; i < EMITTED; i++) sgk_subscriber_next(((hand *)context)->subscriber, sgk_int(index));
}

static void serialized_delivers_one_at_a_time(void **state) {
    (void)state;
    hand h;
    overlap o = {0};
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) serial = sgk_signal_serialized(source);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(serial, look_for_overlap, &o, NULL);
    in_parallel(3, emit_some, &h);
    assert_int_equal(o.values, 3 * EMITTED);
    assert_int_equal(o.overlaps, 0);
    sgk_disposable_dispose(run);
    hand_free(&h);
}

static sgk_value add(void *context, sgk_value accumulated, sgk_value value) {
    counted_work(context);
    return sgk_int(sgk_to_int(accumulated) + sgk_to_int(value));
}

static sgk_value append(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    size_t count = 0;
    sgk_value items[8];
    const sgk_value *before = sgk_array_items(accumulated, &count);
    memcpy(items, before, count * sizeof *items);
    items[count] = value;
    return sgk_array(items, count + 1);
}

static void reduce_left_folds_into_one(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_signal) source = count_to(4);
    SGK_AUTO(sgk_signal) nothing = sgk_signal_complete();
    sgk_signal *sum = sgk_signal_reduce_left(source, sgk_int(100), add, &c, counted_destroy);
    SGK_AUTO(sgk_signal) none = sgk_signal_reduce_left(nothing, sgk_int(100), add, &c, NULL);
    sgk_value empty = sgk_array(NULL, 0);
    SGK_AUTO(sgk_signal) list = sgk_signal_reduce_left(source, empty, append, NULL, NULL);
    sgk_value_release(empty);
    recorder *a = recorder_new(), *b = recorder_new(), *d = recorder_new();
    for (int twice = 0; twice < 2; twice++) sgk_disposable_release(sgk_signal_start(sum, NULL));
    sgk_disposable_release(record_run(sum, a));
    sgk_disposable_release(record_run(none, b));
    sgk_disposable_release(record_run(list, d));
    ASSERT_VALUES(a, 110); /* each run begins anew */
    ASSERT_VALUES(b, 100);
    ASSERT_VALUES(d, 1020304);
    assert_int_equal(c.calls, 12);
    sgk_signal_release(sum);
    assert_int_equal(c.destroyed, 1);
    recorder_free(a);
    recorder_free(b);
    recorder_free(d);
}

static sgk_value add_and_tell(void *context, sgk_value accumulated, sgk_value value, sgk_emitter *emitter) {
    (void)context;
    int64_t sum = sgk_to_int(accumulated) + sgk_to_int(value);
    if (sum % 2 == 0) assert_int_equal(sgk_emitter_next(emitter, sgk_int(sum * 10)), SGK_OK);
    return sgk_int(sum);
}

static void reduce_left_emitting_emits_on_the_way(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(4);
    SGK_AUTO(sgk_signal) sums = sgk_signal_reduce_left_emitting(source, sgk_int(0), add_and_tell, NULL, NULL);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(sums, r));
    ASSERT_VALUES(r, 60, 100, 10);
    assert_int_equal(r->ends, 1);
    recorder_free(r);
}

static void events_as_values(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) events = sgk_signal_to_events(source);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(events, r);
    sgk_subscriber_next(h.subscriber, sgk_int(5));
    sgk_subscriber_error(h.subscriber, sgk_int(6));
    ASSERT_VALUES(r, SGK_EVENT_NEXT * 100 + 5, SGK_EVENT_ERROR * 100 + 6);
    assert_int_equal(r->ends, 1);
    SGK_AUTO(sgk_disposable) again = record_run(events, s);
    sgk_subscriber_complete(h.subscriber);
    ASSERT_VALUES(s, SGK_EVENT_COMPLETED * 100);
    hand_free(&h);
    recorder_free(r);
    recorder_free(s);
}

static void values_as_events(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) signal = sgk_signal_from_events(source);
    sgk_value one = sgk_event_make_next(sgk_int(1)), failure = sgk_event_make_error(sgk_int(7)),
              end = sgk_event_make_completed();
    sgk_value odd[] = {sgk_int(9), sgk_int(1)}, none = sgk_array(odd, 2), short_one = sgk_array(odd, 1);
    assert_true(sgk_value_equal(sgk_array_at(one, 1), sgk_int(1)));
    assert_int_equal(sgk_to_int(sgk_array_at(end, 0)), SGK_EVENT_COMPLETED);
    assert_int_equal(sgk_value_kind(sgk_array_at(end, 1)), SGK_NULL);
    struct {
        sgk_value last;
        int errors, ends;
        int64_t error;
    } cases[] = {{failure, 1, 0, 7}, {end, 0, 1, 0}, {none, 1, 0, 0}, {short_one, 1, 0, 0}, {sgk_int(8), 1, 0, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, r);
        sgk_subscriber_next(h.subscriber, one);
        sgk_subscriber_next(h.subscriber, cases[i].last);
        assert_int_equal(sgk_subscriber_next(h.subscriber, one), SGK_ERROR_ENDED);
        ASSERT_VALUES(r, 1);
        assert_int_equal(r->errors, cases[i].errors);
        assert_int_equal(r->ends, cases[i].ends);
        assert_int_equal(r->error, cases[i].error);
        recorder_free(r);
    }
    recorder *a = recorder_new(); /* an error of the source itself */
    SGK_AUTO(sgk_disposable) run = record_run(signal, a);
    sgk_subscriber_error(h.subscriber, sgk_int(4));
    assert_int_equal(a->error, 4);
    hand_free(&h);
    recorder_free(a);
    sgk_value_release(one);
    sgk_value_release(failure);
    sgk_value_release(end);
    sgk_value_release(none);
    sgk_value_release(short_one);
}

int run_mapping(void) {
    const struct CMUnitTest tests[] = {
        TEST(map_filter_and_distinct),
        TEST(distinct_by_asks_for_the_last_that_passed),
        TEST(distinct_compares_boxed_values_by_content),
        TEST(map_owns_what_its_callback_returns),
        TEST(compact_map_maps_and_drops),
        TEST(transform_maps_drops_and_fails),
        TEST(transform_fails_the_run_that_it_was_called_for),
        TEST(map_error_and_ignore_values),
        TEST(serialized_delivers_one_at_a_time),
        TEST(reduce_left_folds_into_one),
        TEST(reduce_left_emitting_emits_on_the_way),
        TEST(events_as_values),
        TEST(values_as_events),
    };
    return cmocka_run_group_tests_name("mapping", tests, NULL, NULL);
}
