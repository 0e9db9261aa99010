/* Transferred values: a function takes over the reference of a transferred value exactly once, whether the call
 * succeeds or fails. */
#include "suite.h"

/* ---- A function for each of the library's: calls it with a value, so that it succeeds or so that it fails, if it can
 * ---- */

static sgk_value latter(void *context, sgk_value accumulated, sgk_value value) {
    (void)context, (void)accumulated;
    return sgk_value_retain(value);
}
static sgk_signal *generated(void *context, sgk_value accumulated, sgk_value value) {
    (void)context, (void)accumulated, (void)value;
    return sgk_signal_empty();
}

static void give_sgk_callback_create(sgk_value value, bool well) {
    SGK_AUTO(sgk_signature)
    signature = sgk_signature_create("() -> value"), *narrow = sgk_signature_create("() -> i64");
    sgk_callback_release(sgk_callback_create(well ? signature : narrow, value, NULL, NULL, NULL));
}
static void give_sgk_callback_create_typed(sgk_value value, bool well) {
    SGK_AUTO(sgk_signature)
    signature = sgk_signature_create("() -> value"), *handler = sgk_signature_create("() -> i64");
    sgk_callback_release(
        sgk_callback_create_typed(well ? signature : NULL, value, SGK_FUNCTION(rand), handler, NULL, NULL));
}
static void give_sgk_disposable_dict_set(sgk_value key, bool well) {
    SGK_AUTO(sgk_disposable) dict = sgk_disposable_dict_create();
    sgk_disposable_dict_set(well ? dict : NULL, key, dict);
    sgk_disposable_dispose(dict);
}
static void give_sgk_event_emitter_create_value(sgk_value value, bool well) {
    (void)well;
    sgk_event_link_release(sgk_event_emitter_create_value(value));
}
static void give_sgk_event_emitter_next(sgk_value value, bool well) {
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    sgk_event_emitter_next(well ? emitter : NULL, value);
}
static void give_sgk_event_emitter_error(sgk_value error, bool well) {
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create(), *link = sgk_event_link_observer(emitter);
    sgk_event_emitter_error(well ? emitter : link, error);
}
static void give_sgk_signal_reduce(sgk_value initial, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_reduce(source, initial, well ? latter : NULL, NULL, NULL));
}
static void give_sgk_signal_reduce_typed(sgk_value initial, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64, i64) -> i64");
    sgk_signal_release(
        sgk_signal_reduce_typed(source, initial, SGK_FUNCTION(labs), well ? signature : NULL, NULL, NULL));
}
static void give_sgk_signal_scan(sgk_value initial, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_scan(source, initial, well ? latter : NULL, NULL, NULL));
}
static void give_sgk_signal_scan_typed(sgk_value initial, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64, i64) -> i64");
    sgk_signal_release(sgk_signal_scan_typed(source, initial, SGK_FUNCTION(labs), well ? signature : NULL, NULL, NULL));
}
static void give_sgk_signal_distinct_by_typed(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64) -> i64");
    sgk_signal_release(sgk_signal_distinct_by_typed(
        source, SGK_BOUND(.limit = 1, .error = error), SGK_FUNCTION(labs), well ? signature : NULL, NULL, NULL));
}
static void give_sgk_signal_reduce_generator_typed(sgk_value initial, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64, i64) -> ptr");
    sgk_signal_release(
        sgk_signal_reduce_generator_typed(source, initial, SGK_FUNCTION(labs), well ? signature : NULL, NULL, NULL));
}
static void give_sgk_signal_to_array(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_to_array(source, SGK_BOUND(.limit = well ? 1 : -3, .error = error)));
}
static void give_sgk_signal_distinct(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_distinct(source, SGK_BOUND(.limit = well ? 1 : -3, .error = error)));
}
static sgk_value same_key(void *context, sgk_value value) {
    (void)context;
    return sgk_value_retain(value);
}
static void give_sgk_signal_distinct_by(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(
        sgk_signal_distinct_by(source, SGK_BOUND(.limit = 1, .error = error), well ? same_key : NULL, NULL, NULL));
}
static void give_sgk_pipe_error(sgk_value error, bool well) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    sgk_pipe_error(well ? pipe : NULL, error);
}
static void give_sgk_signal_start_with(sgk_value value, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_start_with(well ? source : NULL, value));
}
static void give_sgk_signal_end_with(sgk_value value, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_end_with(well ? source : NULL, value));
}
static void give_sgk_signal_default_if_empty(sgk_value value, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_default_if_empty(well ? source : NULL, value));
}
static void give_sgk_signal_catch_and_return(sgk_value value, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_catch_and_return(well ? source : NULL, value));
}
static void give_sgk_signal_reduce_generator(sgk_value initial, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_reduce_generator(well ? source : NULL, initial, generated, NULL, NULL));
}

static void give_sgk_signal_deliver_on_bounded(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_queue) queue = sgk_queue_main();
    sgk_signal_release(sgk_signal_deliver_on_bounded(source, SGK_BOUND(.limit = well ? 1 : -3, .error = error), queue));
}
static void give_sgk_signal_sink_fd(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_queue) queue = sgk_queue_main();
    sgk_signal_release(sgk_signal_sink_fd(source, well ? 1 : -1, false, SGK_BOUND(.error = error), queue));
}
static void give_sgk_reader_create(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_reader_release(sgk_reader_create(source, SGK_BOUND(.limit = well ? 1 : -3, .error = error)));
}
static void give_sgk_signal_from_array(sgk_value item, bool well) {
    (void)well;
    sgk_signal_release(sgk_signal_from_array(&item, 1));
}
static void give_sgk_signal_delay(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_queue) queue = sgk_queue_main();
    sgk_signal_release(sgk_signal_delay(source, 1, SGK_BOUND(.limit = well ? 1 : -3, .error = error), queue));
}
static void give_sgk_signal_rate_limit(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_queue) queue = sgk_queue_main();
    sgk_signal_release(sgk_signal_rate_limit(source, well ? 1 : 0, 1, SGK_BOUND(.limit = 1, .error = error), queue));
}
static sgk_signal *no_signal(void *context, sgk_value value) { return (void)context, (void)value, NULL; }
static void give_sgk_signal_merge_all(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_merge_all(source, well ? 1 : 0, SGK_BOUND(.limit = 1, .error = error)));
}
static void give_sgk_signal_merge_map(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(
        sgk_signal_merge_map(source, 1, SGK_BOUND(.limit = well ? 1 : -3, .error = error), no_signal, NULL, NULL));
}
static void give_sgk_signal_merge_all_ordered(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_merge_all_ordered(source, well ? 1 : 0, SGK_BOUND(.limit = 1, .error = error)));
}
static void give_sgk_signal_map_ordered(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(
        sgk_signal_map_ordered(source, 1, SGK_BOUND(.limit = well ? 1 : -3, .error = error), no_signal, NULL, NULL));
}
static void *natural_no_signal(void) { return NULL; }
static void give_sgk_signal_merge_map_typed(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("() -> ptr");
    sgk_signal_release(sgk_signal_merge_map_typed(source, 1, SGK_BOUND(.limit = well ? 1 : -3, .error = error),
        SGK_FUNCTION(natural_no_signal), signature, NULL, NULL));
}
static void give_sgk_signal_switch_map_per(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(sgk_signal_switch_map_per(
        source, SGK_BOUND(.limit = well ? 1 : -3, .error = error), NULL, no_signal, NULL, NULL));
}
static sgk_signal *no_group(void *context, sgk_value key, sgk_signal *values) {
    return (void)context, (void)key, (void)values, NULL;
}
static void give_sgk_signal_group_by(sgk_value error, bool well) {
    SGK_AUTO(sgk_signal) source = count_to(1);
    sgk_signal_release(
        sgk_signal_group_by(source, SGK_BOUND(.limit = well ? 1 : -3, .error = error), NULL, no_group, NULL, NULL));
}
static sgk_value no_value(void *context, const sgk_value *values, size_t count) {
    return (void)context, (void)values, (void)count, sgk_null();
}
static void give_sgk_zip(sgk_value error, bool well) {
    sgk_signal_release(sgk_zip(NULL, 0, SGK_BOUND(.limit = well ? 1 : -3, .error = error)));
}
static void give_sgk_zip_map(sgk_value error, bool well) {
    sgk_signal_release(sgk_zip_map(NULL, 0, SGK_BOUND(.limit = well ? 1 : -3, .error = error), no_value, NULL, NULL));
}
static void give_sgk_zip_typed(sgk_value error, bool well) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("() -> ptr");
    sgk_signal_release(sgk_zip_typed(NULL, 0, SGK_BOUND(.limit = well ? 1 : -3, .error = error),
        SGK_FUNCTION(natural_no_signal), signature, NULL, NULL));
}
static void give_sgk_pipe_next(sgk_value value, bool well) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create_replay();
    sgk_pipe_next(well ? pipe : NULL, value);
}
static void give_sgk_multicast_signal_manager_next(sgk_value value, bool well) {
    SGK_AUTO(sgk_multicast_signal_manager) manager = sgk_multicast_signal_manager_create();
    sgk_multicast_signal_manager_next(manager, well ? "key" : NULL, value);
}
static void give_sgk_promise_create_value(sgk_value value, bool well) {
    (void)well;
    sgk_promise_release(sgk_promise_create_value(value));
}
static void give_sgk_state_create_value(sgk_value value, bool well) {
    (void)well;
    sgk_state_release(sgk_state_create_value(value, true));
}
static void give_sgk_state_set(sgk_value value, bool well) {
    SGK_AUTO(sgk_state) promise = sgk_state_create(false);
    sgk_state_set(well ? promise : NULL, value);
}
static void give_sgk_signal_just(sgk_value value, bool well) {
    (void)well;
    sgk_signal_release(sgk_signal_just(value));
}
static void give_sgk_signal_fail(sgk_value error, bool well) {
    (void)well;
    sgk_signal_release(sgk_signal_fail(error));
}
static void give_sgk_to_signal(sgk_value value, bool well) { /* (a string is not a signal) */
    (void)well;
    assert_null(sgk_to_signal(value));
}
static void give_sgk_subscriber_next(sgk_value value, bool well) {
    SGK_AUTO(sgk_subscriber) subscriber = sgk_subscriber_create(NULL);
    sgk_subscriber_next(well ? subscriber : NULL, value);
}
typedef struct given_in_a_loop {
    sgk_value value;
    bool well;
} given_in_a_loop;

static bool emit_given(void *context, const sgk_loop *loop, sgk_value *end) {
    given_in_a_loop *given = context;
    (void)end;
    sgk_loop_next(given->well ? loop : NULL, given->value);
    return false;
}
static void give_sgk_loop_next(sgk_value value, bool well) {
    given_in_a_loop given = {value, well};
    SGK_AUTO(sgk_signal) signal = sgk_signal_from_loop(emit_given, &given, NULL);
    sgk_disposable_release(sgk_signal_start(signal, NULL));
}
static void give_sgk_subscriber_error(sgk_value error, bool well) {
    SGK_AUTO(sgk_subscriber) subscriber = sgk_subscriber_create(NULL);
    sgk_subscriber_error(well ? subscriber : NULL, error);
}

static void give_sgk_event(sgk_value value, bool well) {
    sgk_value_release(sgk_event(well ? SGK_EVENT_NEXT : (sgk_event_kind)3, value));
}
static void give_sgk_array(sgk_value value, bool well) {
    sgk_value too_deep = sgk_array(NULL, 0);
    for (int depth = 1; depth < 1000; depth++) {
        sgk_value inner = sgk_give(too_deep);
        too_deep = sgk_array(&inner, 1);
    }
    sgk_value items[] = {value, well ? sgk_null() : too_deep};
    sgk_value array = sgk_array(items, 2);
    assert_int_equal(sgk_value_kind(array), well ? SGK_ARRAY : SGK_NULL);
    if (well) assert_int_equal(sgk_array_items(array, NULL)->reserved, SGK_LENT);
    sgk_value_release(array);
    sgk_value_release(too_deep);
}
static void give_sgk_error_from(sgk_value cause, bool well) {
    sgk_value_release(sgk_error_from(1, well ? "failed" : NULL, cause));
}
static void give_sgk_error_code(sgk_value error, bool well) {
    (void)well;
    assert_int_equal(sgk_error_code(error), SGK_ERROR_FAILED);
}
static void give_sgk_error_text(sgk_value error, bool well) {
    (void)well;
    assert_string_equal(sgk_error_text(error), "given");
}
static void give_sgk_error_cause(sgk_value error, bool well) {
    (void)well;
    assert_int_equal(sgk_value_kind(sgk_error_cause(error)), SGK_NULL);
}
static void give_sgk_value_retain(sgk_value value, bool well) {
    (void)well;
    sgk_value mine = sgk_value_retain(value);
    assert_int_equal(mine.reserved, 0);
    sgk_value_release(mine);
}
static void give_sgk_value_release(sgk_value value, bool well) {
    (void)well;
    sgk_value_release(value);
}
static void give_sgk_value_equal(sgk_value value, bool well) {
    assert_int_equal(sgk_value_equal(well ? sgk_null() : value, well ? value : sgk_null()), false);
}
static void give_sgk_value_hash(sgk_value value, bool well) {
    (void)well;
    sgk_value_hash(value);
}
static void give_sgk_value_describe(sgk_value value, bool well) {
    char text[8];
    assert_int_equal(sgk_value_describe(value, well ? text : NULL, sizeof text), 5);
    if (well) assert_string_equal(text, "given");
}

static void give_sgk_value_data(sgk_value value, bool well) {
    size_t length;
    assert_string_equal(sgk_value_data(value, well ? &length : NULL), "given");
}
static void give_sgk_array_items(sgk_value value, bool well) {
    (void)well;
    assert_null(sgk_array_items(value, NULL));
}
static void give_sgk_array_at(sgk_value value, bool well) {
    (void)well;
    assert_int_equal(sgk_value_kind(sgk_array_at(value, 0)), SGK_NULL);
}
static void give_sgk_to_object(sgk_value value, bool well) {
    (void)well;
    static const sgk_object_type type = {sizeof type, "object", NULL, NULL, NULL, NULL, NULL};
    assert_null(sgk_to_object(value, &type));
}
static void give_sgk_ignore_error(sgk_value value, bool well) { /* a callback: what it is passed is borrowed */
    (void)well;
    sgk_ignore_error(NULL, value);
}

/* All functions with a value parameter (the step `tested` compares): those that take over a reference, and those that
 * borrow a part or read plain values. */
static const struct {
    const char *name;
    void (*call)(sgk_value value, bool well);
    bool lends;
} rows[] = {
#define TAKES(name) \
    { #name, give_##name, false }
#define LENDS(name) \
    { #name, give_##name, true }
    TAKES(sgk_callback_create),
    TAKES(sgk_callback_create_typed),
    TAKES(sgk_disposable_dict_set),
    TAKES(sgk_event_emitter_create_value),
    TAKES(sgk_event_emitter_next),
    TAKES(sgk_event_emitter_error),
    TAKES(sgk_signal_reduce),
    TAKES(sgk_signal_reduce_typed),
    TAKES(sgk_signal_reduce_generator),
    TAKES(sgk_signal_deliver_on_bounded),
    TAKES(sgk_signal_sink_fd),
    TAKES(sgk_signal_delay),
    TAKES(sgk_signal_rate_limit),
    TAKES(sgk_signal_from_array),
    TAKES(sgk_reader_create),
    TAKES(sgk_pipe_next),
    TAKES(sgk_multicast_signal_manager_next),
    TAKES(sgk_promise_create_value),
    TAKES(sgk_state_create_value),
    TAKES(sgk_state_set),
    TAKES(sgk_signal_just),
    TAKES(sgk_signal_fail),
    TAKES(sgk_to_signal),
    TAKES(sgk_subscriber_next),
    TAKES(sgk_loop_next),
    TAKES(sgk_subscriber_error),
    TAKES(sgk_event),
    TAKES(sgk_array),
    TAKES(sgk_error_from),
    TAKES(sgk_value_retain),
    TAKES(sgk_value_release),
    TAKES(sgk_value_equal),
    TAKES(sgk_value_hash),
    TAKES(sgk_value_describe),
    TAKES(sgk_signal_start_with),
    TAKES(sgk_signal_end_with),
    TAKES(sgk_signal_default_if_empty),
    TAKES(sgk_signal_catch_and_return),
    TAKES(sgk_signal_scan),
    TAKES(sgk_signal_scan_typed),
    TAKES(sgk_signal_to_array),
    TAKES(sgk_signal_distinct_by_typed),
    TAKES(sgk_signal_reduce_generator_typed),
    TAKES(sgk_signal_distinct),
    TAKES(sgk_signal_distinct_by),
    TAKES(sgk_pipe_error),
    LENDS(sgk_value_data),
    LENDS(sgk_array_items),
    LENDS(sgk_array_at),
    LENDS(sgk_to_object),
    LENDS(sgk_error_code),
    LENDS(sgk_error_text),
    LENDS(sgk_error_cause),
    LENDS(sgk_ignore_error),
    TAKES(sgk_signal_merge_all),
    TAKES(sgk_signal_merge_map),
    TAKES(sgk_signal_merge_all_ordered),
    TAKES(sgk_signal_map_ordered),
    TAKES(sgk_signal_switch_map_per),
    TAKES(sgk_signal_group_by),
    TAKES(sgk_signal_merge_map_typed),
    TAKES(sgk_zip),
    TAKES(sgk_zip_map),
    TAKES(sgk_zip_typed),
};

static void one_reference_is_taken_over_by_success_and_by_failure(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int well = 0; well < 2; well++) {
            sgk_value kept = sgk_value_retain(sgk_string("given"));
            rows[i].call(sgk_give(kept), well);
            if (rows[i].lends) sgk_value_release(kept);
            int64_t left = sgk_live_total();
            if (left != 1) fail_msg("%s takes over too much: %lld are alive", rows[i].name, (long long)left);
            sgk_value_release(kept);
            left = sgk_live_total();
            if (left != 0) fail_msg("%s takes over too little: %lld are alive", rows[i].name, (long long)left);
        }
    }
    sgk_clear_error();
}

static void what_owns_nothing_is_given_as_it_is(void **state) {
    (void)state;
    const sgk_value plain[] = {sgk_null(), sgk_bool(true), sgk_int(7), sgk_double(7), sgk_pointer(state)};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        sgk_value given = sgk_give(plain[i]);
        assert_memory_equal(&given, &plain[i], sizeof given);
    }
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    assert_int_equal(sgk_pipe_next(pipe, sgk_give(sgk_give(sgk_string("twice marked is given once")))), SGK_OK);
}

/* ---- A value that a callback receives is lent, never given, and a value that it returns may be given ---- */

static sgk_value seen(sgk_value value) {
    assert_int_equal(value.reserved, SGK_LENT);
    assert_string_equal(sgk_value_data(value, NULL), "x");
    return value;
}
static sgk_value map_given(void *context, sgk_value value) {
    (void)context;
    return sgk_give(sgk_value_retain(seen(value)));
}
static sgk_value typed_given(sgk_value value) { return sgk_give(sgk_value_retain(seen(value))); }
static sgk_value reduce_given(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    seen(accumulated);
    return sgk_give(sgk_value_retain(seen(value)));
}
static void see(void *context, sgk_value value) {
    seen(value);
    ++*(int *)context;
}

static void callbacks_get_values_without_the_mark(void **state) {
    (void)state;
    int count = 0;
    sgk_signal *s = sgk_signal_just(sgk_give(sgk_string("x")));
    SGK_AUTO(sgk_signature) value_to_value = sgk_signature_create("(value) -> value");
    for (int round = 0; round < 2; round++) {
        sgk_signal_replace(&s, sgk_signal_map(s, map_given, NULL, NULL));
        sgk_signal_replace(&s, sgk_signal_map_typed(s, SGK_FUNCTION(typed_given), value_to_value, NULL, NULL));
        sgk_disposable_release(sgk_signal_start_next(s, see, &count, NULL)); /* behind steps */
        sgk_signal_replace(&s, sgk_signal_reduce(s, sgk_give(sgk_string("x")), reduce_given, NULL, NULL));
    }
    sgk_disposable_release(sgk_signal_start_next(s, see, &count, NULL));
    assert_int_equal(count, 3);
    sgk_signal_release(s);
}

static sgk_value answer_given(void *context, const sgk_value *values, size_t count) {
    (void)context;
    assert_int_equal(count, 1);
    return sgk_give(sgk_value_retain(seen(values[0])));
}

static void a_function_made_at_run_time_takes_over_too(void **state) {
    (void)state;
    int count = 0;
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value) -> value");
    SGK_AUTO(sgk_callback) callback = sgk_callback_create(signature, sgk_null(), answer_given, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(calls, see, &count, NULL);
    sgk_value (*function)(sgk_value) = (sgk_value(*)(sgk_value))sgk_callback_function(callback);
    sgk_value answer = function(sgk_give(sgk_string("x")));
    assert_int_equal(answer.reserved, 0);
    assert_string_equal(sgk_value_data(answer, NULL), "x");
    sgk_value_release(answer);
    assert_int_equal(count, 1);
}

/* ---- One variable for a pipeline ---- */

static void a_pipeline_needs_one_variable(void **state) {
    (void)state;
    recorder *r = recorder_new();
    {
        SGK_AUTO(sgk_signal) s = count_to(10);
        sgk_signal_replace(&s, sgk_signal_filter(s, is_even, NULL, NULL));
        sgk_signal_replace(&s, sgk_signal_map(s, times_ten, NULL, NULL));
        sgk_signal_replace(&s, sgk_signal_take(s, 2));
        SGK_AUTO(sgk_disposable) run = record_run(s, r);
        ASSERT_VALUES(r, 20, 40);
    }
    recorder_free(r);
}

static void a_stage_that_fails_leaves_null_and_the_first_error(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) s = count_to(10);
    sgk_signal_replace(&s, sgk_signal_take(s, -1));
    assert_null(s);
    sgk_signal_replace(&s, sgk_signal_map(s, times_ten, NULL, NULL));
    sgk_signal_replace(&s, NULL);
    assert_null(s);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_signal_take: count: ");
    sgk_signal_replace(&s, sgk_signal_never());
    sgk_signal_replace(&s, sgk_signal_retain(s)); /* by itself */
    assert_int_equal(sgk_live_count(SGK_LIVE_SIGNAL), 1);
}

int run_giving(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_reference_is_taken_over_by_success_and_by_failure),
        TEST(what_owns_nothing_is_given_as_it_is),
        TEST(callbacks_get_values_without_the_mark),
        TEST(a_function_made_at_run_time_takes_over_too),
        TEST(a_pipeline_needs_one_variable),
        TEST(a_stage_that_fails_leaves_null_and_the_first_error),
    };
    return cmocka_run_group_tests_name("giving", tests, NULL, NULL);
}
