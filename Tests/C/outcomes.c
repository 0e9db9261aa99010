/* The outcomes of callbacks in operators that combine, compare keys or fold, and in links. (The others: mapping.c.) */
#include "suite.h"

/* By the number: 1 stays, 2 is dropped, 3 fails, 4 is the last, 5 completes, 6 is unknown, another is itself. */
enum { STAYS = 1, DROPPED, FAILS, LAST, COMPLETES, UNKNOWN };

static sgk_value outcome_of(int64_t number) {
    switch (number) {
    case STAYS: return sgk_unchanged();
    case DROPPED: return sgk_dropped();
    case FAILS: return sgk_failed(sgk_string("fails"));
    case LAST: return sgk_last(sgk_int(40));
    case COMPLETES: return sgk_completed();
    case UNKNOWN: return (sgk_value){SGK_INT, 15, 0};
    default: return sgk_int(number);
    }
}

static sgk_value by_value(void *context, sgk_value value) {
    (void)context;
    return outcome_of(sgk_to_int(value));
}
static sgk_value by_first(void *context, const sgk_value *values, size_t count) {
    (void)context;
    return outcome_of(count ? sgk_to_int(values[0]) : 0);
}
static sgk_value by_second(void *context, sgk_value accumulated, sgk_value value) {
    (void)accumulated;
    return by_value(context, value);
}

static sgk_signal *combined(sgk_signal *source) {
    SGK_AUTO(sgk_signal) zero = sgk_signal_just(sgk_int(0));
    return sgk_combine_latest_map((sgk_signal *[]){source, zero}, 2, by_first, NULL, NULL, NULL);
}
static sgk_signal *zipped(sgk_signal *source) {
    SGK_AUTO(sgk_signal) numbers = count_to(5);
    return sgk_zip_map((sgk_signal *[]){source, numbers}, 2, SGK_BOUND(.limit = SGK_UNBOUNDED), by_first, NULL, NULL);
}
static sgk_signal *with_latest(sgk_signal *source) {
    SGK_AUTO(sgk_signal) zero = sgk_signal_just(sgk_int(0));
    return sgk_signal_with_latest_from_map(source, zero, by_first, NULL, NULL);
}
static sgk_signal *distinct_by(sgk_signal *source) {
    return sgk_signal_distinct_by(source, SGK_BOUND(.limit = 9), by_value, NULL, NULL);
}
static sgk_signal *just_it(void *context, sgk_value value) { return (void)context, sgk_signal_just(value); }
static sgk_signal *switched_per_key(sgk_signal *source) {
    return sgk_signal_switch_map_per(source, SGK_BOUND(.limit = 9), by_value, just_it, NULL, NULL);
}
static sgk_signal *the_group(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    return sgk_signal_retain(values);
}
static sgk_signal *grouped(sgk_signal *source) {
    return sgk_signal_group_by(source, SGK_BOUND(.limit = 9), by_value, the_group, NULL, NULL);
}
static sgk_signal *source_then_nothing(void *context, const sgk_value *state) {
    return state ? NULL : sgk_signal_retain(context);
}
static void release_source(void *source) { sgk_signal_release(source); }
static sgk_signal *looped(sgk_signal *source) {
    return sgk_accumulating_loop(source_then_nothing, by_second, sgk_signal_retain(source), release_source);
}
static sgk_signal *linked(sgk_signal *source) {
    SGK_AUTO(sgk_event_link) link = sgk_event_link_from_signal(source);
    SGK_AUTO(sgk_event_link) mapped = sgk_event_link_map(link, by_value, NULL, NULL);
    return sgk_event_link_signal(mapped);
}

typedef struct row {
    const char *function;
    sgk_signal *(*make)(sgk_signal *source);
    int64_t unchanged; /* the value that sgk_unchanged emits, after 11 and before 12 */
    bool is_key, keeps_source;
} row;

static const row rows[] = {
    {"sgk_combine_latest_map", combined, 100, false, false}, /* [1, 0] */
    {"sgk_zip_map", zipped, 102, false, false},              /* [1, 2] */
    {"sgk_signal_with_latest_from_map", with_latest, 100, false, false},
    {"sgk_signal_distinct_by", distinct_by, 1, true, false},
    {"sgk_signal_switch_map_per", switched_per_key, 1, true, false},
    {"sgk_signal_group_by", grouped, 1, true, false},
    {"sgk_accumulating_loop", looped, 11, false, false},
    {"sgk_event_link_map", linked, 1, false, true},
};

/* Emits 11, the number and 12, and completes, as far as the subscription lasts. */
static void run_row(const row *row, int number) {
    hand h;
    recorder *r = recorder_new();
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) made = row->make(source);
    sgk_disposable *run = record_run(made, r);
    sgk_clear_error();
    sgk_subscriber_next(h.subscriber, sgk_int(11));
    sgk_subscriber_next(h.subscriber, sgk_int(number));
    bool fails = number == FAILS || number == UNKNOWN || (row->is_key && number == LAST);
    bool ends = number >= FAILS;
    assert_int_equal(r->errors, fails);
    assert_int_equal(r->ends, ends && !fails);
    assert_int_equal(h.disposals, ends && !row->keeps_source);
    if (fails && number != FAILS) {
        char beginning[100];
        snprintf(beginning, sizeof beginning, "%s: the callback's result: must ", row->function);
        assert_failed(SGK_ERROR_ARGUMENT, beginning);
    }
    sgk_subscriber_next(h.subscriber, sgk_int(12));
    sgk_subscriber_complete(h.subscriber);
    assert_int_equal(r->errors + r->ends, 1);
    int64_t expected[5] = {11};
    int count = 1;
    if (number == STAYS) expected[count++] = row->unchanged;
    if (number == LAST && !fails) expected[count++] = 40;
    if (!ends) expected[count++] = 12;
    assert_recorded(r, count, expected);
    sgk_disposable_release(run);
    hand_free(&h);
    recorder_free(r);
}

static void every_callback_understands_the_outcomes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int number = STAYS; number <= UNKNOWN; number++) run_row(&rows[i], number);
}

/* Without a source the function is called once, with no values. */
static sgk_value by_context(void *context, const sgk_value *values, size_t count) {
    (void)values, (void)count;
    return outcome_of(*(int *)context);
}

static void a_combination_of_nothing_understands_them(void **state) {
    (void)state;
    for (int number = STAYS; number <= UNKNOWN; number++) {
        recorder *r = recorder_new();
        SGK_AUTO(sgk_signal) made = sgk_combine_latest_map(NULL, 0, by_context, &number, NULL, NULL);
        sgk_disposable_release(record_run(made, r));
        assert_int_equal(r->nexts, number == STAYS || number == LAST);
        assert_int_equal(r->errors, number == FAILS || number == UNKNOWN);
        assert_int_equal(r->errors + r->ends, 1);
        recorder_free(r);
    }
}

/* A callback that has ended its subscription is not called again: each source here has further values. */
typedef struct ending {
    int calls;
    bool is_last;
} ending;

static sgk_value end_by_array(void *context, const sgk_value *values, size_t count) {
    (void)values, (void)count;
    ending *e = context;
    e->calls++;
    return e->is_last ? sgk_last(sgk_int(40)) : sgk_completed();
}
static sgk_value end_by_value(void *context, sgk_value value) { return end_by_array(context, &value, 1); }
static sgk_value end_by_second(void *context, sgk_value accumulated, sgk_value value) {
    (void)accumulated;
    return end_by_value(context, value);
}
static sgk_signal *three(void *context, const sgk_value *state) { return (void)context, state ? NULL : count_to(3); }

static void run_to_completion(sgk_signal *signal) {
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(signal, r));
    assert_int_equal(r->ends, 1);
    recorder_free(r);
}

static void an_ended_callback_is_not_called_again(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        ending e = {0, i};
        SGK_AUTO(sgk_signal) numbers = count_to(3);
        SGK_AUTO(sgk_signal)
        zipped = sgk_zip_map(
            (sgk_signal *[]){numbers, numbers}, 2, SGK_BOUND(.limit = SGK_UNBOUNDED), end_by_array, &e, NULL);
        run_to_completion(zipped);
        assert_int_equal(e.calls, 1);
        SGK_AUTO(sgk_signal) loop = sgk_accumulating_loop(three, end_by_second, &e, NULL);
        run_to_completion(loop);
        assert_int_equal(e.calls, 2);
        SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
        SGK_AUTO(sgk_event_link) mapped = sgk_event_link_map(emitter, end_by_value, &e, NULL);
        for (int n = 0; n < 3; n++) sgk_event_emitter_next(emitter, sgk_int(n));
        assert_int_equal(e.calls, 3);
    }
}

int run_outcomes(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_callback_understands_the_outcomes),
        TEST(a_combination_of_nothing_understands_them),
        TEST(an_ended_callback_is_not_called_again),
    };
    return cmocka_run_group_tests_name("outcomes", tests, NULL, NULL);
}
