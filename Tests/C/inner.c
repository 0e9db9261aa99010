/* Operators on signals of signals. */
#include "suite.h"

static void throttled_keeps_only_the_latest_that_waits(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) throttled = sgk_signal_concat_latest(outer);
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

static void switch_to_latest_follows_the_latest(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) latest = sgk_signal_switch_to_latest(outer);
    hand h[2];
    SGK_AUTO(sgk_signal) first = hand_signal(&h[0]);
    SGK_AUTO(sgk_signal) second = hand_signal(&h[1]);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(latest, r);
    put_signal(pipe, first);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    put_signal(pipe, second);
    assert_int_equal(h[0].disposals, 1);
    assert_int_equal(sgk_subscriber_next(h[0].subscriber, sgk_int(2)), SGK_ERROR_ENDED);
    sgk_subscriber_next(h[1].subscriber, sgk_int(3));
    sgk_pipe_next(pipe, sgk_int(77)); /* no signal */
    ASSERT_VALUES(r, 1, 3);
    assert_int_equal(r->error, 77);
    assert_int_equal(h[1].disposals, 1);
    hand_free(&h[0]);
    hand_free(&h[1]);
    recorder_free(r);
}

typedef struct followed {
    sgk_pipe *outer;
    sgk_signal *second;
    sgk_subscriber *first;
} followed;

/* While a value of the first is delivered, the second follows it, and then the first fails. */
static void go_over_and_fail(void *context, sgk_value value) {
    followed *f = context;
    if (sgk_to_int(value) != 1) return;
    put_signal(f->outer, f->second);
    sgk_subscriber_error(f->first, sgk_int(7));
}

static void who_is_followed_fails_for_nobody(void **state) {
    (void)state;
    hand h[2];
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe), *first = hand_signal(&h[0]), *second = hand_signal(&h[1]);
    followed f = {pipe, second, NULL};
    SGK_AUTO(sgk_signal) latest = sgk_signal_switch_to_latest(outer);
    SGK_AUTO(sgk_signal) seen = sgk_signal_before_next(latest, go_over_and_fail, &f, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(seen, r);
    put_signal(pipe, first);
    f.first = h[0].subscriber;
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    assert_int_equal(r->errors, 0);
    sgk_subscriber_next(h[1].subscriber, sgk_int(2));
    ASSERT_VALUES(r, 1, 2);
    sgk_disposable_dispose(run);
    hand_free(&h[0]);
    hand_free(&h[1]);
    recorder_free(r);
}

static void queued_runs_one_after_another(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) outer = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) queued = sgk_signal_concat_all(outer);
    hand h[3];
    sgk_signal *inner[3];
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(queued, r);
    for (int i = 0; i < 3; i++) put_signal(pipe, inner[i] = hand_signal(&h[i]));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(h[i].starts, 1);
        if (i < 2) assert_int_equal(h[i + 1].starts, 0);
        sgk_subscriber_next(h[i].subscriber, sgk_int(i));
        sgk_subscriber_complete(h[i].subscriber);
    }
    ASSERT_VALUES(r, 0, 1, 2);
    sgk_disposable_dispose(run);
    for (int i = 0; i < 3; i++) {
        hand_free(&h[i]);
        sgk_signal_release(inner[i]);
    }
    recorder_free(r);
}

/* As many values as the value says; nothing for 0. */
static sgk_signal *that_many(void *context, sgk_value value) {
    counted_work(context);
    return sgk_to_int(value) > 0 ? count_to(sgk_to_int(value)) : NULL;
}

static void signals_are_made_of_values(void **state) {
    (void)state;
    typedef sgk_signal *(*make)(sgk_signal *, sgk_map_to_signal_fn, void *, sgk_destroy_fn);
    const make makes[] = {sgk_signal_switch_map, sgk_signal_concat_map, sgk_signal_concat_map_latest};
    for (int i = 0; i < 3; i++) {
        counted c = {0};
        hand h;
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        sgk_signal *made = makes[i](source, that_many, &c, counted_destroy);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(made, r);
        for (int value = 2; value >= 0; value--) sgk_subscriber_next(h.subscriber, sgk_int(value));
        sgk_subscriber_complete(h.subscriber);
        ASSERT_VALUES(r, 1, 2, 1);
        assert_int_equal(r->ends, 1);
        assert_int_equal(c.calls, 3);
        sgk_signal_release(made);
        assert_int_equal(c.destroyed, 1);
        hand_free(&h);
        recorder_free(r);
    }
}

typedef struct latecomer {
    hand hand;
    sgk_signal *signal;
    recorder *recorder;
} latecomer;

static sgk_signal *dispose_and_return(void *context) {
    latecomer *l = context;
    sgk_disposable_dispose(l->recorder->run);
    return sgk_signal_retain(l->signal);
}
static sgk_signal *a_latecomer(void *context, sgk_value value) {
    (void)value;
    return sgk_signal_deferred(dispose_and_return, context, NULL);
}
static sgk_signal *merged(sgk_signal *s, sgk_map_to_signal_fn f, void *context, sgk_destroy_fn destroy) {
    return sgk_signal_merge_map(s, 1, SGK_BOUND(.limit = 1), f, context, destroy);
}
static sgk_signal *ordered(sgk_signal *s, sgk_map_to_signal_fn f, void *context, sgk_destroy_fn destroy) {
    return sgk_signal_map_ordered(s, 1, SGK_BOUND(.limit = 1), f, context, destroy);
}
static sgk_signal *per_key(sgk_signal *s, sgk_map_to_signal_fn f, void *context, sgk_destroy_fn destroy) {
    return sgk_signal_switch_map_per(s, SGK_BOUND(.limit = 1), NULL, f, context, destroy);
}

/* The start of an inner signal is under way already. */
static void what_starts_while_the_run_is_disposed_is_stopped(void **state) {
    (void)state;
    sgk_signal *(*const makes[])(sgk_signal *, sgk_map_to_signal_fn, void *, sgk_destroy_fn) = {
        sgk_signal_switch_map, sgk_signal_concat_map, sgk_signal_concat_map_latest, merged, ordered, per_key};
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++) {
        latecomer l = {.recorder = recorder_new()};
        l.signal = hand_signal(&l.hand);
        SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
        SGK_AUTO(sgk_signal) made = makes[i](one, a_latecomer, &l, NULL);
        SGK_AUTO(sgk_disposable) run = record_run(made, l.recorder);
        assert_int_equal(l.hand.disposals, l.hand.starts);
        sgk_signal_release(l.signal);
        hand_free(&l.hand);
        recorder_free(l.recorder);
    }
}

static sgk_signal *something_else(void *context, sgk_value value) {
    (void)value;
    return context;
}

static void a_result_that_is_no_signal_fails(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) source = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) made = sgk_signal_switch_map(source, something_else, queue, NULL);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(made, r));
    assert_int_equal(r->errors, 1);
    assert_failed(SGK_ERROR_HANDLE, "sgk_signal_switch_map: the callback's result: ");
    recorder_free(r); /* and the queue was left alone */
}

/* How a callback comes to return NULL. */
typedef enum { NO_FAILURE, FAILURE, CLEARED_FAILURE } reason;

static sgk_signal *no_signal(reason why) {
    if (why == NO_FAILURE) return NULL;
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    sgk_signal *failed = sgk_signal_take(never, -1);
    if (why == CLEARED_FAILURE) sgk_clear_error();
    return failed;
}

static sgk_signal *none_of_nothing(void *why) { return no_signal(*(reason *)why); }
static sgk_signal *none_of_value(void *why, sgk_value value) { return (void)value, no_signal(*(reason *)why); }
static sgk_signal *none_of_two(void *why, sgk_value accumulated, sgk_value value) {
    return (void)accumulated, none_of_value(why, value);
}
static sgk_signal *none_of_error(void *why, sgk_value error, int64_t failures) {
    return (void)failures, none_of_value(why, error);
}
static sgk_signal *none_of_key(void *why, sgk_value key, sgk_signal *values) {
    return (void)values, none_of_value(why, key);
}
static sgk_signal *none_of_state(void *why, const sgk_value *accumulated) {
    return accumulated ? NULL : none_of_nothing(why);
}
static void *whole_context(void *why) { return why; }
static void leave_alone(void *why) { (void)why; }
static sgk_value first_of(void *why, sgk_value accumulated, sgk_value value) {
    return (void)why, (void)value, sgk_value_retain(accumulated);
}
static sgk_signal *none_of_resource(void *why, void *resource) { return (void)resource, none_of_nothing(why); }
static sgk_signal *none_typed(void *why, int64_t value) { return (void)value, none_of_nothing(why); }

/* A callback that returns NULL after a failed call fails its run; any other NULL completes. */
static void null_after_a_failed_call_fails(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(1));
    SGK_AUTO(sgk_multicast_signal_manager) manager = sgk_multicast_signal_manager_create();
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(ctx, i64) -> ptr");
    reason why;
    for (why = NO_FAILURE; why <= CLEARED_FAILURE; why++) {
        assert_null(sgk_signal_take(source, -1)); /* An earlier failure has no effect. */
        const struct {
            sgk_signal *signal;
            sgk_status without_failure;
        } rows[] = {
            {sgk_signal_switch_map(source, none_of_value, &why, NULL), SGK_ERROR_COMPLETED},
            {sgk_signal_concat_map(source, none_of_value, &why, NULL), SGK_ERROR_COMPLETED},
            {sgk_signal_catch(failing, none_of_value, &why, NULL), SGK_ERROR_COMPLETED},
            {sgk_signal_reduce_generator(source, sgk_int(0), none_of_two, &why, NULL), SGK_OK},
            {sgk_signal_retry(failing,
                 SGK_RETRY(.attempts = 3, .delay = SGK_AT_ONCE, .decide = none_of_error, .context = &why), NULL),
                SGK_ERROR_FAILED},
            {sgk_signal_group_by(source, NULL, NULL, none_of_key, &why, NULL), SGK_ERROR_COMPLETED},
            {sgk_signal_deferred(none_of_nothing, &why, NULL), SGK_ERROR_COMPLETED},
            {sgk_signal_using(whole_context, none_of_resource, leave_alone, &why, NULL), SGK_ERROR_COMPLETED},
            {sgk_accumulating_loop(none_of_state, first_of, &why, NULL), SGK_ERROR_COMPLETED},
            {sgk_signal_switch_map_typed(source, SGK_FUNCTION(none_typed), signature, &why, NULL), SGK_ERROR_COMPLETED},
            {sgk_multicast_signal_manager_multicasted_signal(manager, "key", none_of_nothing, &why),
                SGK_ERROR_COMPLETED},
        };
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            sgk_value error = sgk_null();
            sgk_status status = sgk_signal_get(rows[i].signal, 1, &error);
            assert_int_equal(status, why == FAILURE ? SGK_ERROR_FAILED : rows[i].without_failure);
            if (why == FAILURE) assert_string_equal(sgk_error_text(error), "sgk_signal_take: count: must be 0 or more");
            sgk_value_release(error);
            sgk_signal_release(rows[i].signal);
        }
    }
}

static void take_until_replacement_goes_over(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) replacement = sgk_pipe_signal(pipe);
    hand h[2];
    SGK_AUTO(sgk_signal) first = hand_signal(&h[0]);
    SGK_AUTO(sgk_signal) second = hand_signal(&h[1]);
    SGK_AUTO(sgk_signal) both = sgk_signal_take_until_replacement(first, replacement);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(both, r);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    put_signal(pipe, second);
    assert_int_equal(h[0].disposals, 1);
    sgk_subscriber_next(h[1].subscriber, sgk_int(2));
    sgk_subscriber_complete(h[1].subscriber);
    ASSERT_VALUES(r, 1, 2);
    assert_int_equal(r->ends, 1);
    hand_free(&h[0]);
    hand_free(&h[1]);
    recorder_free(r);
}

/* For each value: the sum as the accumulated value, and ten times it to be passed on when it is even; something odd for
 * 99. */
static sgk_signal *step(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    if (sgk_to_int(value) == 99) return sgk_signal_just(sgk_int(98));
    if (sgk_to_int(value) == 0) return NULL;
    int64_t sum = sgk_to_int(accumulated) + sgk_to_int(value);
    sgk_value items[] = {sgk_int(sum), sgk_int(sum * 10)}, array = sgk_array(items, sum % 2 == 0 ? 2 : 1);
    sgk_signal *signal = sgk_signal_just(array);
    sgk_value_release(array);
    return signal;
}

static void reduce_generator_folds_by_signals(void **state) {
    (void)state;
    hand h;
    counted c = {0};
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    sgk_signal *sums = sgk_signal_reduce_generator(source, sgk_int(0), step, &c, counted_destroy);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(sums, r);
    for (int i = 0; i <= 4; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    sgk_subscriber_complete(h.subscriber);
    ASSERT_VALUES(r, 60, 100, 10);
    assert_int_equal(r->ends, 1);
    SGK_AUTO(sgk_disposable) other = record_run(sums, s);
    sgk_subscriber_next(h.subscriber, sgk_int(99)); /* its signal says nothing of use */
    assert_int_equal(s->error, 98);
    sgk_signal_release(sums);
    assert_int_equal(c.destroyed, 1);
    hand_free(&h);
    recorder_free(r);
    recorder_free(s);
}

int run_inner(void) {
    const struct CMUnitTest tests[] = {
        TEST(throttled_keeps_only_the_latest_that_waits),
        TEST(switch_to_latest_follows_the_latest),
        TEST(who_is_followed_fails_for_nobody),
        TEST(queued_runs_one_after_another),
        TEST(signals_are_made_of_values),
        TEST(what_starts_while_the_run_is_disposed_is_stopped),
        TEST(a_result_that_is_no_signal_fails),
        TEST(null_after_a_failed_call_fails),
        TEST(take_until_replacement_goes_over),
        TEST(reduce_generator_folds_by_signals),
    };
    return cmocka_run_group_tests_name("inner", tests, NULL, NULL);
}
