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

/* ---- Filters and taps before a start with one callback: no step can end the subscription ---- */

static void append_text(void *text, sgk_value value) {
    size_t length = strlen(text);
    sgk_value_describe(value, (char *)text + length, 64 - length);
    strcat(text, ";");
}
static bool is_not_short(void *context, sgk_value value) {
    (void)context;
    return value.kind != SGK_STRING || strlen(sgk_to_text(value)) > 1;
}

static void a_start_with_one_callback_receives_what_filters_pass(void **state) {
    (void)state;
    char tapped[64] = "", received[64] = "";
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_STAGE(filter, signal, is_not_short, NULL, NULL);
    SGK_STAGE(before_next, signal, append_text, tapped, NULL);
    SGK_STAGE(filter, signal, is_not_short, NULL, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, append_text, received, NULL);
    const sgk_value values[] = {sgk_int(1), sgk_string("a"), sgk_string("two"), sgk_null(), sgk_string("")};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) sgk_pipe_next(pipe, sgk_give(values[i]));
    sgk_disposable_dispose(run);
    sgk_pipe_next(pipe, sgk_int(2));
    assert_string_equal(tapped, "1;two;null;");
    assert_string_equal(received, "1;two;null;");
}

static void distinct_tells_values_apart_by_kind_length_and_content(void **state) {
    (void)state;
    char received[64] = "";
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_STAGE(distinct_until_changed, signal);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, append_text, received, NULL);
    const sgk_value values[] = {sgk_null(), sgk_bool(false), sgk_int(0), sgk_double(0), sgk_string("ab"),
        sgk_string("abc"), sgk_string("abc"), sgk_string("abd"), sgk_string("ab"), sgk_bytes("ab", 2)};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) sgk_pipe_next(pipe, sgk_give(values[i]));
    assert_string_equal(received, "null;false;0;0;ab;abc;abd;ab;6162;");
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

static sgk_value half_of_even(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) % 2 ? sgk_dropped() : sgk_int(sgk_to_int(value) / 2);
}

static sgk_value text_of_odd(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) % 2 ? sgk_string("text") : sgk_dropped();
}

static void map_drops_what_it_makes_nothing_of(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(5);
    SGK_AUTO(sgk_signal) halves = sgk_signal_map(source, half_of_even, NULL, NULL);
    SGK_AUTO(sgk_signal) texts = sgk_signal_map(source, text_of_odd, NULL, NULL);
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

static void map_maps_drops_and_fails(void **state) {
    (void)state;
    counted c = {0}, below = {0};
    SGK_AUTO(sgk_signal) source = count_to(INT64_MAX);
    sgk_signal *behind = sgk_signal_map(source, transformed, &c, counted_destroy);
    sgk_signal *stepped = sgk_signal_map(behind, text_or_number, &below, counted_destroy);
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

static void map_fails_the_run_that_it_was_called_for(void **state) {
    (void)state;
    counted c = {0};
    hand first, second;
    SGK_AUTO(sgk_pipe) signals = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(signals);
    SGK_AUTO(sgk_signal) inner = sgk_signal_switch_to_latest(source);
    sgk_signal *failing = sgk_signal_map(inner, transformed, &c, counted_destroy);
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

/* By the number: 1 stays, 2 is the last, 3 completes, 4 has an unknown outcome, 5 is a text and the last. */
static sgk_value ended(void *context, sgk_value value) {
    counted_work(context);
    sgk_value result = sgk_string("last");
    switch (sgk_to_int(value)) {
    case 1: sgk_value_release(result); return sgk_unchanged();
    case 2: sgk_value_release(result); return sgk_last(sgk_int(20));
    case 3: sgk_value_release(result); return sgk_completed();
    case 4: sgk_value_release(result); return (sgk_value){SGK_INT, 15, 4};
    default: return sgk_last(result);
    }
}

static bool is_small(void *context, sgk_value value) { return (void)context, sgk_to_int(value) < 20; }
static sgk_value fails(void *context, sgk_value value) {
    (void)context, (void)value;
    return sgk_failed(sgk_string("below"));
}
static bool as_it_is(void *context, sgk_value value) { return (void)context, (void)value, true; }

static sgk_value receive_by_number(void *context, sgk_value value) {
    (void)context;
    counted c = {0};
    return ended(&c, value);
}

/* As the last step, before a filter that drops the last value, before a map that fails, and before another stage. */
static void map_ends_the_run_with_and_without_a_value(void **state) {
    (void)state;
    for (int number = 2; number <= 5; number++)
        for (int way = 0; way < 5; way++) {
            counted c = {0};
            hand h;
            SGK_AUTO(sgk_signal) source = hand_signal(&h);
            SGK_AUTO(sgk_signal) ending = sgk_signal_map(source, ended, &c, NULL);
            sgk_signal *last = way == 1 ? sgk_signal_filter(ending, is_small, NULL, NULL)
                : way == 2              ? sgk_signal_map(ending, fails, NULL, NULL)
                : way == 3              ? sgk_signal_serialized(ending)
                                        : sgk_signal_filter(ending, as_it_is, NULL, NULL);
            recorder *r = recorder_new();
            SGK_AUTO(sgk_disposable) run = record_run(last, r);
            if (way != 2) sgk_subscriber_next(h.subscriber, sgk_int(1));
            int before = r->nexts;
            assert_int_equal(before, way != 2);
            sgk_subscriber_next(h.subscriber, sgk_int(number));
            bool has_value = number == 2 || number == 5, fails = number == 4 || (has_value && way == 2);
            bool is_dropped = way == 2 || (way == 1 && number == 2);
            assert_int_equal(r->nexts - before, has_value && !is_dropped);
            assert_int_equal(r->errors, fails);
            assert_int_equal(r->ends, !fails);
            assert_int_equal(h.disposals, 1);
            assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(1)), SGK_ERROR_ENDED);
            sgk_signal_release(last);
            hand_free(&h);
            recorder_free(r);
            assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        }
}

static void keep_text(void *text, sgk_value error) { snprintf(text, 120, "%s", sgk_error_text(error)); }

static void an_unknown_outcome_is_named(void **state) {
    (void)state;
    counted c = {0};
    char text[120] = "";
    SGK_AUTO(sgk_signal) source = sgk_signal_just(sgk_int(4));
    SGK_AUTO(sgk_signal) passing = sgk_signal_filter(source, as_it_is, NULL, NULL);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(passing, ended, &c, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = text;
    handlers.error = keep_text;
    sgk_disposable_release(sgk_signal_start(mapped, &handlers));
    assert_string_equal(text, "sgk_signal_map: the callback's result: must have a known sgk_outcome");
    SGK_AUTO(sgk_signal) four = sgk_signal_just(sgk_int(4));
    handlers.receive = receive_by_number;
    sgk_disposable_release(sgk_signal_start(four, &handlers));
    assert_string_equal(text, "sgk_signal_start: the callback's result: must have a known sgk_outcome");
}

/* `receive` ends the subscription, which stops its source before it reports the end. After a disposal it reports no
 * end. */
static void check_receive_that_ends(sgk_map_fn receive, bool disposes) {
    for (int number = 2; number <= 5; number++) {
        hand h;
        recorder *r = recorder_new();
        sgk_handlers handlers = recorder_handlers(r);
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        handlers.next = NULL;
        handlers.receive = receive;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(source, &handlers);
        for (int i = 0; i < 2 && !disposes; i++) sgk_subscriber_next(h.subscriber, sgk_int(1));
        assert_int_equal(h.disposals, 0);
        sgk_subscriber_next(h.subscriber, sgk_int(number));
        assert_int_equal(r->errors, !disposes && number == 4);
        assert_int_equal(r->ends, !disposes && number != 4);
        assert_int_equal(h.disposals, 1);
        hand_free(&h);
        recorder_free(r);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    }
}

static void receive_ends_the_run(void **state) {
    (void)state;
    check_receive_that_ends(receive_by_number, false);
}

/* Disposes its subscription, then returns a result that would end it. */
static sgk_value dispose_and_receive(void *context, sgk_value value) {
    recorder *r = context;
    sgk_disposable_dispose(r->run);
    return receive_by_number(NULL, value);
}

static void receive_ends_nothing_after_a_disposal(void **state) {
    (void)state;
    check_receive_that_ends(dispose_and_receive, true);
}

/* By the number: 1 stays, 2 is dropped, 3 fails, 4 is the last, 5 completes, another is the sum with the state. */
static sgk_value folded_by_number(void *context, sgk_value state, sgk_value value) {
    (void)context;
    switch (sgk_to_int(value)) {
    case 1: return sgk_unchanged();
    case 2: return sgk_dropped();
    case 3: return sgk_failed(sgk_string("three"));
    case 4: return sgk_last(sgk_int(40));
    case 5: return sgk_completed();
    case 6: return (sgk_value){SGK_INT, 15, 0};
    default: return sgk_int(sgk_to_int(state) + sgk_to_int(value));
    }
}

static void folds_understand_every_outcome(void **state) {
    (void)state;
    /* the last number, the values of scan and of reduce, whether the run fails, whether it stops its source */
    static const struct {
        int number, scanned, reduced;
        bool fails, stops;
    } rows[] = {{1, 20, 20, false, false}, {2, 10, 20, false, false}, {3, 10, 0, true, true}, {4, 40, 40, false, true},
        {5, 10, 0, false, true}, {6, 10, 0, true, true}, {10, 20, 20, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int folds = 0; folds < 2; folds++) {
            hand h;
            recorder *r = recorder_new();
            SGK_AUTO(sgk_signal) source = hand_signal(&h);
            SGK_AUTO(sgk_signal)
            folded = folds ? sgk_signal_reduce(source, sgk_int(0), folded_by_number, NULL, NULL)
                           : sgk_signal_scan(source, sgk_int(0), folded_by_number, NULL, NULL);
            SGK_AUTO(sgk_disposable) run = record_run(folded, r);
            sgk_subscriber_next(h.subscriber, sgk_int(10));
            sgk_subscriber_next(h.subscriber, sgk_int(rows[i].number));
            assert_int_equal(h.disposals, rows[i].stops);
            if (!rows[i].stops) {
                sgk_subscriber_next(h.subscriber, sgk_int(rows[i].number == 10 ? 1 : 10));
                sgk_subscriber_complete(h.subscriber);
            }
            assert_int_equal(r->errors, rows[i].fails);
            assert_int_equal(r->ends, !rows[i].fails);
            if (folds) assert_int_equal(r->nexts, rows[i].reduced != 0);
            if (folds && rows[i].reduced) ASSERT_VALUES(r, rows[i].reduced);
            if (!folds && rows[i].number == 1) ASSERT_VALUES(r, 10, 10, 20);
            if (!folds && rows[i].number == 2) ASSERT_VALUES(r, 10, 20);
            if (!folds && rows[i].number == 4) ASSERT_VALUES(r, 10, 40);
            if (!folds && rows[i].stops && rows[i].number != 4) ASSERT_VALUES(r, 10);
            hand_free(&h);
            recorder_free(r);
            assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        }
}

/* By the error: 1 stays, 2 completes, 3 is another error, 4 a last value, 5 the completion, 6 is unknown, 7 a value. */
static sgk_value error_by_number(void *context, sgk_value error) {
    (void)context;
    switch (sgk_to_int(error)) {
    case 1: return sgk_unchanged();
    case 2: return sgk_dropped();
    case 3: return sgk_failed(sgk_int(30));
    case 4: return sgk_last(sgk_int(40));
    case 5: return sgk_completed();
    case 6: return (sgk_value){SGK_INT, 15, 0};
    default: return sgk_int(70);
    }
}

static void map_error_understands_every_outcome(void **state) {
    (void)state;
    static const int errors[] = {0, 1, -1, 30, -1, -1, 0, 70};
    for (int number = 1; number <= 7; number++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_signal) source = sgk_signal_fail(sgk_int(number));
        SGK_AUTO(sgk_signal) mapped = sgk_signal_map_error(source, error_by_number, NULL, NULL);
        sgk_disposable_release(record_run(mapped, r));
        assert_int_equal(r->errors, errors[number] >= 0);
        assert_int_equal(r->ends, errors[number] < 0);
        if (errors[number] > 0) assert_int_equal(r->error, errors[number]);
        assert_int_equal(r->nexts, number == 4);
        recorder_free(r);
    }
}

/* ---- A stage of several functions ---- */

/* The shared context: how many states there were and are, and when they ended. */
typedef struct staged {
    counted counted;
    int begun, ended, number;
} staged;

static void *begin_state(void *context) {
    staged *s = context;
    s->begun++;
    return s;
}
static void end_state(void *state) { ((staged *)state)->ended++; }
static void destroy_staged(void *context) { ((staged *)context)->counted.destroyed++; }
static sgk_value sum_of_stage(void *state, sgk_value value) {
    staged *s = state;
    return folded_by_number(NULL, sgk_int(s->number++), value);
}
static void sum_is_stored(void *state, sgk_value value, sgk_value *result) {
    assert_int_equal(result->kind, SGK_NULL);
    assert_int_equal(result->reserved, 0);
    *result = sum_of_stage(state, value);
}
static void sum_is_updated(void *state, sgk_value *value) {
    assert_int_equal(value->reserved, 0);
    sgk_value result = sum_of_stage(state, *value);
    if (result.reserved != SGK_OUTCOME_UNCHANGED) *value = result;
}
static sgk_value error_of_stage(void *state, sgk_value error) { return error_by_number(state, error); }
static sgk_value completion_of_stage(void *state) {
    staged *s = state;
    switch (s->number) {
    case 0: return sgk_int(100);
    case 1: return sgk_completed();
    case 2: return sgk_last(sgk_int(300));
    case 3: return sgk_failed(sgk_int(400));
    default: return (sgk_value){SGK_INT, 15, 0};
    }
}
static const char *const stage_names[] = {"sum", "limit", "tell"};

static sgk_stage whole_stage(staged *s) {
    sgk_stage stage = SGK_STAGE_INIT;
    stage.context = s;
    stage.destroy = destroy_staged;
    stage.names = stage_names;
    stage.name_count = 3;
    stage.begin = begin_state;
    stage.end = end_state;
    stage.next = sum_of_stage;
    stage.error = error_of_stage;
    stage.completed = completion_of_stage;
    return stage;
}

static void a_stage_has_a_state_for_each_subscription(void **state) {
    (void)state;
    staged s = {0};
    sgk_stage stage = whole_stage(&s);
    hand h;
    recorder *r = recorder_new();
    sgk_signal *source = hand_signal(&h), *staged = sgk_signal_stage(source, &stage);
    assert_int_equal(s.begun, 0);
    sgk_disposable *run = record_run(staged, r);
    sgk_signal_release(staged);
    assert_int_equal(s.begun, 1);
    for (int number = 1; number <= 2; number++) sgk_subscriber_next(h.subscriber, sgk_int(number));
    sgk_subscriber_next(h.subscriber, sgk_int(10)); /* its state is 2 */
    ASSERT_VALUES(r, 1, 12);
    assert_int_equal(s.ended, 0);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(source);
    hand_free(&h);
    assert_int_equal(s.ended, 1);
    assert_int_equal(s.counted.destroyed, 1);
    recorder_free(r);
}

static void a_stage_ends_as_its_functions_decide(void **state) {
    (void)state;
    for (int number = 0; number <= 4; number++) { /* at the completion */
        staged s = {.number = number};
        sgk_stage stage = whole_stage(&s);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_signal) source = sgk_signal_empty(), *ended = sgk_signal_stage(source, &stage);
        sgk_disposable_release(record_run(ended, r));
        assert_int_equal(r->nexts, number == 0 || number == 2);
        assert_int_equal(r->errors, number >= 3);
        assert_int_equal(r->ends, number < 3);
        assert_int_equal(s.ended, 1);
        recorder_free(r);
    }
    static const int errors[] = {0, 1, -1, 30, -1, -1, 0, 70};
    for (int number = 1; number <= 7; number++) { /* at an error */
        staged s = {0};
        sgk_stage stage = whole_stage(&s);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_signal) source = sgk_signal_fail(sgk_int(number)), *ended = sgk_signal_stage(source, &stage);
        sgk_disposable_release(record_run(ended, r));
        assert_int_equal(r->errors, errors[number] >= 0);
        if (errors[number] > 0) assert_int_equal(r->error, errors[number]);
        assert_int_equal(r->ends, errors[number] < 0);
        recorder_free(r);
    }
    for (int number = 3; number <= 6; number++) { /* at a value */
        staged s = {0};
        sgk_stage stage = whole_stage(&s);
        hand h;
        recorder *r = recorder_new();
        SGK_AUTO(sgk_signal) source = hand_signal(&h), *ended = sgk_signal_stage(source, &stage);
        SGK_AUTO(sgk_disposable) run = record_run(ended, r);
        sgk_subscriber_next(h.subscriber, sgk_int(number));
        assert_int_equal(r->nexts, number == 4);
        assert_int_equal(r->errors, number == 3 || number == 6);
        assert_int_equal(h.disposals, 1);
        hand_free(&h);
        recorder_free(r);
    }
}

/* A value that is returned, stored or changed leads to the same events, in a stage with a state and without one. */
static void a_result_is_returned_or_stored(void **state) {
    (void)state;
    for (int number = 1; number <= 8; number++) {
        recorder *results[6];
        for (int way = 0; way < 6; way++) {
            recorder *r = results[way] = recorder_new();
            staged s = {0};
            sgk_stage stage = whole_stage(&s);
            stage.error = NULL;
            stage.completed = NULL;
            if (way / 2 == 1) stage.next = NULL, stage.store = sum_is_stored;
            if (way / 2 == 2) stage.next = NULL, stage.update = sum_is_updated;
            if (way % 2) stage.begin = NULL, stage.end = NULL;
            hand h;
            SGK_AUTO(sgk_signal) source = hand_signal(&h), *result = sgk_signal_stage(source, &stage);
            SGK_AUTO(sgk_disposable) run = record_run(result, r);
            sgk_subscriber_next(h.subscriber, sgk_int(10)); /* its state is 0 */
            sgk_subscriber_next(h.subscriber, sgk_int(number));
            assert_int_equal(r->nexts, results[0]->nexts);
            assert_int_equal(r->errors, results[0]->errors);
            assert_int_equal(r->ends, results[0]->ends);
            assert_int_equal(r->error, results[0]->error);
            assert_memory_equal(r->values, results[0]->values, (size_t)r->nexts * sizeof *r->values);
            hand_free(&h);
        }
        for (int way = 0; way < 6; way++) recorder_free(results[way]);
    }
}

/* ---- Strings that stages change in place ---- */

typedef struct texts {
    const char *places[3]; /* of the data, behind each stage */
    int stage, count;
    char seen[2][8];
} texts;

static void append_x(void *state, sgk_value *value) {
    texts *t = state;
    size_t length;
    sgk_value_data(*value, &length);
    char *data = sgk_value_make_writable(value, length + 1);
    data[length] = 'x';
    t->places[t->stage++ % 3] = data;
}
static void see_text(void *context, sgk_value value) {
    texts *t = context;
    snprintf(t->seen[t->count++], sizeof t->seen[0], "%s", sgk_to_text(value));
}

static sgk_value completion_of_texts(void *state) { return (void)state, sgk_unchanged(); }

/* The first stage copies, because the caller holds the value. The others change that copy. */
static void stages_change_strings_in_place(void **state) {
    (void)state;
    for (int has_state = 0; has_state < 2; has_state++) {
        texts t = {.stage = 0};
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal) changed = sgk_signal_retain(source);
        sgk_stage stage = SGK_STAGE_INIT;
        stage.context = &t;
        stage.update = append_x;
        if (has_state) stage.completed = completion_of_texts;
        for (int i = 0; i < 3; i++) sgk_signal_replace(&changed, sgk_signal_stage(changed, &stage));
        SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(changed, see_text, &t, NULL);
        SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(changed, see_text, &t, NULL);
        sgk_value value = sgk_string("abc");
        sgk_pipe_next(pipe, value);
        assert_int_equal(t.count, 2);
        for (int i = 0; i < 2; i++) assert_string_equal(t.seen[i], "abcxxx"); /* also for the second subscriber */
        assert_string_equal(sgk_to_text(value), "abc");
        if (!has_state && !getenv("SUITE_HOSTED")) assert_ptr_equal(t.places[1], t.places[0]);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 1);
        sgk_value_release(value);
    }
}

static void replace_text(void *state, sgk_value *value) {
    (void)state;
    const char *text = sgk_to_text(*value);
    sgk_value made = strcmp(text, "fail") == 0 ? sgk_failed(sgk_string("failed"))
        : strcmp(text, "drop") == 0            ? sgk_dropped()
        : strcmp(text, "last") == 0            ? sgk_last(sgk_string("the last"))
                                               : sgk_string("new");
    sgk_value_release(*value);
    *value = made;
}

/* A stage may replace a string by any result. */
static void a_stage_may_replace_the_string(void **state) {
    (void)state;
    static const char *const words[] = {"old", "drop", "fail", "last"};
    for (int i = 0; i < 4; i++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        sgk_stage stage = SGK_STAGE_INIT;
        stage.update = replace_text;
        SGK_AUTO(sgk_signal) replaced = sgk_signal_stage(source, &stage);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(replaced, r);
        sgk_pipe_next(pipe, sgk_give(sgk_string(words[i])));
        assert_int_equal(r->nexts, i == 0 || i == 3);
        assert_int_equal(r->errors, i == 2);
        assert_int_equal(r->ends, i == 3);
        sgk_disposable_dispose(run);
        recorder_free(r);
    }
}

/* Without a state it joins its neighbours, and counts as its names. */
static void a_stage_is_as_many_operators_as_it_has_names(void **state) {
    (void)state;
    char text[400];
    for (int way = 0; way < 2; way++) {
        staged s = {0};
        sgk_stage stage = whole_stage(&s);
        if (way == 0)
            stage = (sgk_stage){
                .size = sizeof stage, .names = stage_names, .name_count = 3, .context = &s, .next = sum_of_stage};
        SGK_AUTO(sgk_signal) source = sgk_signal_just(sgk_int(10));
        SGK_AUTO(sgk_signal) filtered = sgk_signal_filter(source, as_it_is, NULL, NULL);
        SGK_AUTO(sgk_signal) staged = sgk_signal_stage(filtered, &stage);
        sgk_value described = sgk_signal_describe(staged, SGK_DEBUG_TEXT);
        snprintf(text, sizeof text, "%s", sgk_value_data(described, NULL));
        sgk_value_release(described);
        assert_non_null(strstr(text, "sum"));
        assert_non_null(strstr(text, "limit"));
        assert_non_null(strstr(text, "tell"));
        assert_non_null(strstr(text, "filter"));
    }
    staged s = {0};
    {
        sgk_stage nameless = {.size = sizeof nameless, .context = &s, .next = sum_of_stage};
        SGK_AUTO(sgk_signal) source = sgk_signal_just(sgk_int(10));
        SGK_AUTO(sgk_signal) staged = sgk_signal_stage(source, &nameless);
        sgk_value described = sgk_signal_describe(staged, SGK_DEBUG_TEXT);
        assert_string_equal(sgk_to_text(described), "stage\n  just\n");
        sgk_value_release(described);
    }
    sgk_stage stage = whole_stage(&s);
    sgk_signal *signal = sgk_signal_never();
    int stages = 0;
    for (sgk_signal *next; (next = sgk_signal_stage(signal, &stage)) != NULL; stages++) {
        sgk_signal_release(signal);
        signal = next;
    }
    assert_int_equal(stages, 500 / 3);
    assert_int_equal(sgk_last_status(), SGK_ERROR_ARGUMENT);
    sgk_signal_release(signal);
    assert_int_equal(s.counted.destroyed, stages + 1); /* that of the one that failed, too */
}

/* A subscription whose last step fails: its events and their order. */
typedef struct failed_run {
    hand source;
    atomic_int nexts, errors, ends, disposals_before;
} failed_run;

static void count_next(void *run, sgk_value value) { (void)value, ((failed_run *)run)->nexts++; }
static void count_end(void *run) { ((failed_run *)run)->ends++; }
static void go_on_in_spite_of(void *run, sgk_value error) {
    (void)error;
    failed_run *f = run;
    f->errors++;
    f->disposals_before = f->source.disposals;
    sgk_subscriber_next(f->source.subscriber, sgk_int(1));
    sgk_subscriber_complete(f->source.subscriber);
}
static sgk_value receive_next(void *run, sgk_value value) {
    count_next(run, value);
    return sgk_to_int(value) == 1 ? sgk_unchanged() : sgk_failed(sgk_string("not received"));
}

static void go_on_unhandled(void *run, sgk_value error, const char *name) {
    (void)name;
    go_on_in_spite_of(run, error);
}

/* With `next`, with `receive`, and without an error callback. */
static void a_step_that_fails_ends_the_run_as_an_event_does(void **state) {
    (void)state;
    counted c = {0};
    for (int way = 0; way < 3; way++) {
        failed_run f = {0};
        SGK_AUTO(sgk_signal) source = hand_signal(&f.source);
        SGK_AUTO(sgk_signal) failing = sgk_signal_map(source, transformed, &c, NULL);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = &f;
        handlers.error = go_on_in_spite_of;
        handlers.completed = count_end;
        if (way == 1) handlers.receive = receive_next;
        else handlers.next = count_next;
        sgk_set_unhandled_error_handler(go_on_unhandled, &f, NULL);
        SGK_AUTO(sgk_disposable)
        run = way == 2 ? sgk_signal_start_next(failing, count_next, &f, NULL) : sgk_signal_start(failing, &handlers);
        sgk_subscriber_next(f.source.subscriber, sgk_int(1));
        sgk_subscriber_next(f.source.subscriber, sgk_int(4));
        assert_int_equal(f.nexts, 1);
        assert_int_equal(f.errors, 1);
        assert_int_equal(f.ends, 0);
        assert_int_equal(f.disposals_before, 0);
        assert_int_equal(f.source.disposals, 1);
        assert_int_equal(sgk_subscriber_next(f.source.subscriber, sgk_int(1)), SGK_ERROR_ENDED);
        hand_free(&f.source);
    }
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
}

static void fail_it(void *run, int thread) {
    (void)thread;
    sgk_subscriber_next(((failed_run *)run)->source.subscriber, sgk_int(4));
}
static void count_error(void *run, sgk_value error) { (void)error, ((failed_run *)run)->errors++; }

static void threads_that_fail_a_run_at_once_tell_one_error(void **state) {
    (void)state;
    counted c = {0};
    for (int round = 0; round < 2000; round++) {
        failed_run f = {0};
        SGK_AUTO(sgk_signal) source = hand_signal(&f.source);
        SGK_AUTO(sgk_signal) failing = sgk_signal_map(source, transformed, &c, NULL);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = &f;
        handlers.error = count_error;
        if (round % 2) handlers.receive = receive_next;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(round % 2 ? source : failing, &handlers);
        in_parallel(2, fail_it, &f);
        assert_int_equal(f.errors, 1);
        assert_int_equal(f.source.disposals, 1);
        hand_free(&f.source);
    }
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

static sgk_value dispose_and_return(void *run, sgk_value error) {
    sgk_disposable_dispose(*(sgk_disposable **)run);
    return sgk_value_retain(error);
}

/* What follows would start another signal after the disposal. */
static void an_error_whose_function_disposes_goes_no_further(void **state) {
    (void)state;
    hand h;
    sgk_disposable *run = NULL;
    recorder *r = recorder_new();
    int64_t rounds = generator_rounds();
    {
        SGK_AUTO(sgk_signal) signal = hand_signal(&h);
        SGK_STAGE(map_error, signal, dispose_and_return, &run, NULL);
        SGK_AUTO(sgk_signal) other = count_to(3);
        SGK_STAGE(catch_with, signal, other);
        run = record_run(signal, r);
    }
    sgk_subscriber_error(h.subscriber, sgk_int(1));
    assert_int_equal(generator_rounds(), rounds);
    assert_int_equal(r->nexts + r->errors + r->ends, 0);
    sgk_disposable_release(run);
    hand_free(&h);
    recorder_free(r);
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

static void reduce_folds_into_one(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_signal) source = count_to(4);
    SGK_AUTO(sgk_signal) nothing = sgk_signal_empty();
    sgk_signal *sum = sgk_signal_reduce(source, sgk_int(100), add, &c, counted_destroy);
    SGK_AUTO(sgk_signal) none = sgk_signal_reduce(nothing, sgk_int(100), add, &c, NULL);
    sgk_value empty = sgk_array(NULL, 0);
    SGK_AUTO(sgk_signal) list = sgk_signal_reduce(source, empty, append, NULL, NULL);
    sgk_value_release(empty);
    recorder *a = recorder_new(), *b = recorder_new(), *d = recorder_new();
    for (int twice = 0; twice < 2; twice++) sgk_disposable_release(sgk_signal_start(sum, NULL));
    sgk_disposable_release(record_run(sum, a));
    sgk_disposable_release(record_run(none, b));
    sgk_disposable_release(record_run(list, d));
    ASSERT_VALUES(a, 110); /* each subscription starts with the initial state */
    ASSERT_VALUES(b, 100);
    ASSERT_VALUES(d, 1020304);
    assert_int_equal(c.calls, 12);
    sgk_signal_release(sum);
    assert_int_equal(c.destroyed, 1);
    recorder_free(a);
    recorder_free(b);
    recorder_free(d);
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
    sgk_value one = sgk_event(SGK_EVENT_NEXT, sgk_int(1)), failure = sgk_event(SGK_EVENT_ERROR, sgk_int(7)),
              end = sgk_event(SGK_EVENT_COMPLETED, sgk_int(3));
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

static void scan_emits_every_accumulated_value(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_signal) source = count_to(4);
    sgk_signal *sums = sgk_signal_scan(source, sgk_int(100), add, &c, counted_destroy);
    SGK_AUTO(sgk_signal) lists = sgk_signal_scan(source, sgk_give(sgk_array(NULL, 0)), append, NULL, NULL);
    for (int twice = 0; twice < 2; twice++) { /* each subscription starts with the initial state */
        recorder *r = recorder_new(), *s = recorder_new();
        sgk_disposable_release(record_run(sums, r));
        sgk_disposable_release(record_run(lists, s));
        ASSERT_VALUES(r, 101, 103, 106, 110);
        ASSERT_VALUES(s, 1, 102, 10203, 1020304);
        assert_int_equal(r->ends, 1);
        recorder_free(r);
        recorder_free(s);
    }
    assert_int_equal(c.calls, 8);
    sgk_signal_release(sums);
    assert_int_equal(c.destroyed, 1);
}

/* 1…6 into an array of three. */
static void what_finds_no_room_in_an_array(void **state) {
    (void)state;
    static const struct {
        sgk_overflow policy;
        int64_t limit, value;
        int errors, dropped;
    } rows[] = {
        {SGK_OVERFLOW_DROP_OLDEST, 3, 40506, 0, 3},
        {SGK_OVERFLOW_DROP_NEWEST, 3, 10203, 0, 3},
        {SGK_OVERFLOW_KEEP_LATEST, 3, 40506, 0, 3},
        {SGK_OVERFLOW_ERROR, 3, 0, 1, 1},
        {SGK_OVERFLOW_ERROR, SGK_UNBOUNDED, 10203040506, 0, 0},
    };
    SGK_AUTO(sgk_signal) source = count_to(6), *none = sgk_signal_empty(), *failing = sgk_signal_fail(sgk_int(7));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal)
        all = sgk_signal_to_array(source,
            SGK_BOUND(.limit = rows[i].limit, .overflow = rows[i].policy, .error = sgk_int(99), .counter = counter));
        recorder *r = recorder_new();
        sgk_disposable_release(record_run(all, r));
        if (!rows[i].errors) ASSERT_VALUES(r, rows[i].value);
        assert_true(r->errors == rows[i].errors && r->ends == 1 - rows[i].errors && r->nexts == r->ends);
        if (r->errors) assert_int_equal(r->error, 99);
        assert_int_equal(sgk_overflow_counter_dropped(counter), rows[i].dropped);
        recorder_free(r);
    }
    for (int fails = 0; fails < 2; fails++) {
        sgk_signal *empty = fails ? failing : none;
        SGK_AUTO(sgk_signal) all = sgk_signal_to_array(empty, SGK_BOUND(.limit = 3, .error = sgk_int(99)));
        recorder *r = recorder_new();
        sgk_disposable_release(record_run(all, r));
        assert_true(r->nexts == 1 - fails && r->ends == 1 - fails && r->errors == fails);
        recorder_free(r);
    }
}

static sgk_value tens_of(void *context, sgk_value value) {
    counted_work(context);
    return sgk_int(sgk_to_int(value) / 10);
}

/* Which of these pass, two being remembered. */
static void what_is_not_remembered_passes_again(void **state) {
    (void)state;
    static const int64_t values[] = {10, 15, 20, 30, 11, 22};
    static const struct {
        sgk_overflow policy;
        int64_t limit;
        int count;
        int64_t passed[5];
        int errors, forgotten;
    } rows[] = {
        {SGK_OVERFLOW_DROP_OLDEST, 2, 5, {10, 20, 30, 11, 22}, 0, 3},
        {SGK_OVERFLOW_KEEP_LATEST, 2, 5, {10, 20, 30, 11, 22}, 0, 4},
        {SGK_OVERFLOW_DROP_NEWEST, 2, 3, {10, 20, 30}, 0, 1},
        {SGK_OVERFLOW_ERROR, 2, 2, {10, 20}, 1, 1},
        {SGK_OVERFLOW_ERROR, SGK_UNBOUNDED, 3, {10, 20, 30}, 0, 0},
    };
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        counted c = {0};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        sgk_signal *some = sgk_signal_distinct_by(source,
            SGK_BOUND(.limit = rows[i].limit, .overflow = rows[i].policy, .error = sgk_int(99), .counter = counter),
            tens_of, &c, counted_destroy);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(some, r);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) sgk_pipe_next(pipe, sgk_int(values[k]));
        assert_recorded(r, rows[i].count, rows[i].passed);
        assert_int_equal(r->errors, rows[i].errors);
        if (r->errors) assert_int_equal(r->error, 99);
        assert_int_equal(sgk_overflow_counter_dropped(counter), rows[i].forgotten);
        assert_int_equal(c.calls, rows[i].errors ? 4 : 6);
        sgk_disposable_dispose(run);
        sgk_signal_release(some);
        assert_int_equal(c.destroyed, 1);
        recorder_free(r);
    }
}

/* Strings are the same by their contents; none of them is left alive. */
static void distinct_knows_what_has_come(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal)
    some = sgk_signal_distinct(source, SGK_BOUND(.limit = 100, .overflow = SGK_OVERFLOW_DROP_OLDEST));
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(some, r);
    for (int i = 0; i < 9; i++) sgk_pipe_next(pipe, sgk_give(sgk_string(i % 3 ? "one" : "other")));
    assert_int_equal(r->nexts, 2);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 2);
    sgk_disposable_dispose(run);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    recorder_free(r);
}

static void pairs_and_numbers(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(4);
    SGK_AUTO(sgk_signal) pairs = sgk_signal_pairwise(source), *numbered = sgk_signal_enumerated(source);
    recorder *r = recorder_new(), *s = recorder_new();
    sgk_disposable_release(record_run(pairs, r));
    sgk_disposable_release(record_run(numbered, s));
    ASSERT_VALUES(r, 102, 203, 304);
    ASSERT_VALUES(s, 1, 102, 203, 304);
    recorder_free(r);
    recorder_free(s);
}

int run_mapping(void) {
    const struct CMUnitTest tests[] = {
        TEST(map_filter_and_distinct),
        TEST(distinct_by_asks_for_the_last_that_passed),
        TEST(distinct_compares_boxed_values_by_content),
        TEST(distinct_tells_values_apart_by_kind_length_and_content),
        TEST(a_start_with_one_callback_receives_what_filters_pass),
        TEST(map_owns_what_its_callback_returns),
        TEST(map_drops_what_it_makes_nothing_of),
        TEST(map_maps_drops_and_fails),
        TEST(map_fails_the_run_that_it_was_called_for),
        TEST(map_ends_the_run_with_and_without_a_value),
        TEST(an_unknown_outcome_is_named),
        TEST(receive_ends_the_run),
        TEST(receive_ends_nothing_after_a_disposal),
        TEST(folds_understand_every_outcome),
        TEST(map_error_understands_every_outcome),
        TEST(a_stage_has_a_state_for_each_subscription),
        TEST(a_stage_ends_as_its_functions_decide),
        TEST(a_result_is_returned_or_stored),
        TEST(stages_change_strings_in_place),
        TEST(a_stage_may_replace_the_string),
        TEST(a_stage_is_as_many_operators_as_it_has_names),
        TEST(a_step_that_fails_ends_the_run_as_an_event_does),
        TEST(threads_that_fail_a_run_at_once_tell_one_error),
        TEST(map_error_and_ignore_values),
        TEST(an_error_whose_function_disposes_goes_no_further),
        TEST(serialized_delivers_one_at_a_time),
        TEST(reduce_folds_into_one),
        TEST(events_as_values),
        TEST(values_as_events),
        TEST(scan_emits_every_accumulated_value),
        TEST(what_finds_no_room_in_an_array),
        TEST(what_is_not_remembered_passes_again),
        TEST(distinct_knows_what_has_come),
        TEST(pairs_and_numbers),
    };
    return cmocka_run_group_tests_name("mapping", tests, NULL, NULL);
}
