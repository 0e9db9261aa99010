/* Misuse of the operators. */
#include "misuse.h"

static bool any_answer(void *context_, sgk_value value, sgk_value *result) {
    (void)context_;
    (void)value;
    (void)result;
    return true;
}

static sgk_value any_step(void *context_, sgk_value accumulated, sgk_value value) {
    (void)context_;
    (void)value;
    return sgk_value_retain(accumulated);
}

static sgk_value any_emitting_step(void *context_, sgk_value accumulated, sgk_value value, sgk_emitter *emitter) {
    (void)emitter;
    return any_step(context_, accumulated, value);
}

static sgk_take_action any_action(void *context_, sgk_value value) {
    (void)context_;
    (void)value;
    return SGK_TAKE_NOTHING;
}

static void any_next(void *context_, sgk_value value) {
    (void)context_;
    (void)value;
}

static void operators_of_one_signal(void **state) {
    (void)state;
    REFUSES_CALLBACK(sgk_signal_compact_map, any_answer, "map");
    REFUSES_CALLBACK(sgk_signal_transform, times_ten, "transform");
    REFUSES_CALLBACK(sgk_signal_map_error, times_ten, "map");
    REFUSES_SIGNAL(sgk_signal_ignore_values);
    REFUSES_SIGNAL(sgk_signal_serialized);
    REFUSES_CALLBACK(sgk_signal_reduce_left, any_step, "reduce", , sgk_int(0));
    REFUSES_CALLBACK(sgk_signal_reduce_left_emitting, any_emitting_step, "reduce", , sgk_int(0));
    REFUSED(sgk_emitter_next(NULL, sgk_int(1)), SGK_ERROR_NULL, "sgk_emitter_next: emitter: ");
    REFUSES_SIGNAL(sgk_signal_to_events);
    REFUSES_SIGNAL(sgk_signal_from_events);
    REFUSES_CALLBACK(sgk_signal_take_until, any_action, "until");
    REFUSES_SIGNAL(sgk_signal_take_last);
    REFUSES_SIGNAL(sgk_signal_last);
    REFUSES_CALLBACK(sgk_signal_before_next, any_next, "f");
    REFUSES_CALLBACK(sgk_signal_after_next, any_next, "f");
    REFUSES_CALLBACK(sgk_signal_before_started, counted_work, "f");
    REFUSES_CALLBACK(sgk_signal_before_error, any_next, "f");
    REFUSES_CALLBACK(sgk_signal_before_completed, counted_work, "f");
    REFUSES_CALLBACK(sgk_signal_after_completed, counted_work, "f");
    REFUSES_CALLBACK(sgk_signal_after_disposed, counted_work, "f");
    REFUSED_NULL(sgk_signal_named(NULL, "name"), SGK_ERROR_NULL, "sgk_signal_named: signal: ");
    REFUSED_NULL(sgk_signal_named(WRONG(sgk_signal), "name"), SGK_ERROR_HANDLE, "sgk_signal_named: signal: ");
    REFUSED_NULL(sgk_signal_named(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_named: name: ");
    REFUSED_NULL(sgk_signal_trace(NULL, "name"), SGK_ERROR_NULL, "sgk_signal_trace: signal: ");
    REFUSED_NULL(sgk_signal_trace(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_trace: name: ");
}

static bool any_equal(void *context_, sgk_value a, sgk_value b) {
    (void)context_;
    return sgk_value_equal(a, b);
}

static void operators(void **state) {
    (void)state;
    REFUSED_DESTROYED(sgk_signal_map(NULL, times_ten, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_map: signal: ");
    REFUSED_DESTROYED(sgk_signal_map(WRONG(sgk_signal), times_ten, &context, counted_destroy), SGK_ERROR_HANDLE, "sgk_signal_map: signal: ");
    REFUSED_DESTROYED(sgk_signal_map(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_map: map: ");
    REFUSED_DESTROYED(sgk_signal_filter(NULL, is_even, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_filter: signal: ");
    REFUSED_DESTROYED(sgk_signal_filter(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_filter: filter: ");
    REFUSED_NULL(sgk_signal_distinct_until_changed(NULL), SGK_ERROR_NULL, "sgk_signal_distinct_until_changed: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_distinct_until_changed_by(NULL, any_equal, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_distinct_until_changed_by: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_distinct_until_changed_by(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_distinct_until_changed_by: equal: ");
    REFUSED_NULL(sgk_signal_take(NULL, 1), SGK_ERROR_NULL, "sgk_signal_take: signal: ");
    REFUSED_NULL(sgk_signal_take(some_signal, -1), SGK_ERROR_ARGUMENT, "sgk_signal_take: count: ");
    REFUSED_NULL(sgk_combine_latest(NULL, 2, NULL), SGK_ERROR_NULL, "sgk_combine_latest: signals: ");
    sgk_signal *with_null[] = {some_signal, NULL};
    REFUSED_NULL(sgk_combine_latest(with_null, 2, NULL), SGK_ERROR_NULL, "sgk_combine_latest: signal: ");
    REFUSED_NULL(sgk_combine_latest(with_null, SIZE_MAX, NULL), SGK_ERROR_ARGUMENT, "sgk_combine_latest: count: ");
    REFUSED_NULL(sgk_combine_latest(with_null, 1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_combine_latest: queue: ");
    REFUSED_NULL(sgk_signal_throttled(NULL), SGK_ERROR_NULL, "sgk_signal_throttled: signal: ");
    REFUSED_NULL(sgk_signal_throttle(NULL, 1, some_queue), SGK_ERROR_NULL, "sgk_signal_throttle: signal: ");
    REFUSED_NULL(sgk_signal_throttle(some_signal, 1, NULL), SGK_ERROR_NULL, "sgk_signal_throttle: queue: ");
    REFUSED_NULL(sgk_signal_throttle(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_throttle: seconds: ");
    REFUSED_NULL(sgk_signal_throttle(some_signal, (double)NAN, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_throttle: seconds: ");
    REFUSED_NULL(sgk_signal_debounce(NULL, 1, some_queue), SGK_ERROR_NULL, "sgk_signal_debounce: signal: ");
    REFUSED_NULL(sgk_signal_debounce(some_signal, 1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_debounce: queue: ");
    REFUSED_NULL(sgk_signal_debounce(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_debounce: seconds: ");
    REFUSED_NULL(sgk_signal_deliver_on(NULL, some_queue), SGK_ERROR_NULL, "sgk_signal_deliver_on: signal: ");
    REFUSED_NULL(sgk_signal_deliver_on(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_deliver_on: queue: ");
    REFUSED_NULL(sgk_signal_deliver_on(some_signal, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_deliver_on: queue: ");
}

static sgk_signal *any_signal(void *context_, sgk_value value) {
    (void)context_;
    return sgk_signal_single(value);
}

static sgk_signal *any_generator(void *context_, sgk_value accumulated, sgk_value value) {
    (void)value;
    return any_signal(context_, accumulated);
}

static sgk_value any_of_many(void *context_, const sgk_value *values, size_t count) {
    (void)context_;
    (void)values;
    (void)count;
    return sgk_null();
}

static void operators_with_other_signals(void **state) {
    (void)state;
    REFUSES_SIGNAL(sgk_signal_switch_to_latest);
    REFUSES_SIGNAL(sgk_signal_queued);
    REFUSED_NULL(sgk_signal_take_until_replacement(NULL, some_signal), SGK_ERROR_NULL, "sgk_signal_take_until_replacement: signal: ");
    REFUSED_NULL(sgk_signal_take_until_replacement(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_take_until_replacement: replacement: ");
    REFUSED_NULL(
        sgk_signal_take_until_replacement(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE, "sgk_signal_take_until_replacement: replacement: ");
    REFUSES_CALLBACK(sgk_signal_map_to_signal, any_signal, "map");
    REFUSES_CALLBACK(sgk_signal_map_to_queue, any_signal, "map");
    REFUSES_CALLBACK(sgk_signal_map_to_throttled, any_signal, "map");
    REFUSES_CALLBACK(sgk_signal_reduce_left_generator, any_generator, "generator", , sgk_int(0));
    REFUSED_DESTROYED(sgk_signal_deferred(NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_deferred: generator: ");
    REFUSED_NULL(sgk_signal_then(NULL, some_signal), SGK_ERROR_NULL, "sgk_signal_then: signal: ");
    REFUSED_NULL(sgk_signal_then(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_then: next: ");
    REFUSED_NULL(sgk_signal_then(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE, "sgk_signal_then: next: ");
    REFUSES_CALLBACK(sgk_signal_catch, any_signal, "f");
    REFUSES_SIGNAL(sgk_signal_restart);
    REFUSES_SIGNAL(sgk_signal_restart_if_error);
    REFUSES_CALLBACK(sgk_signal_restart_or_map_error, any_answer, "condition");
    REFUSES_CALLBACK(sgk_signal_retry_if, is_even, "predicate");
    REFUSED_NULL(sgk_signal_retry(NULL, 1, 1, false, some_queue), SGK_ERROR_NULL, "sgk_signal_retry: signal: ");
    REFUSED_NULL(sgk_signal_retry(some_signal, 1, 1, false, NULL), SGK_ERROR_NULL, "sgk_signal_retry: queue: ");
    REFUSED_NULL(sgk_signal_retry(some_signal, 1, 1, false, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_retry: queue: ");
    REFUSED_NULL(sgk_signal_retry(some_signal, -1, 1, false, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_retry: delay_increment: ");
    REFUSED_NULL(sgk_signal_retry(some_signal, 1, (double)NAN, false, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_retry: max_delay: ");
#define RETRY(signal, increment, maximum, f, queue) \
    sgk_signal_retry_on_error((signal), (increment), (maximum), -1, false, (f), &context, counted_destroy, (queue))
    REFUSED_DESTROYED(RETRY(NULL, 1, 1, is_even, some_queue), SGK_ERROR_NULL, "sgk_signal_retry_on_error: signal: ");
    REFUSED_DESTROYED(RETRY(some_signal, 1, 1, NULL, some_queue), SGK_ERROR_NULL, "sgk_signal_retry_on_error: retry_on_error: ");
    REFUSED_DESTROYED(RETRY(some_signal, 1, 1, is_even, NULL), SGK_ERROR_NULL, "sgk_signal_retry_on_error: queue: ");
    REFUSED_DESTROYED(RETRY(some_signal, 1, 1, is_even, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_retry_on_error: queue: ");
    REFUSED_DESTROYED(RETRY(some_signal, (double)NAN, 1, is_even, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_retry_on_error: delay_increment: ");
    REFUSED_DESTROYED(RETRY(some_signal, 1, -1, is_even, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_retry_on_error: max_delay: ");
    sgk_signal *with_null[] = {some_signal, NULL}, *with_wrong[] = {some_signal, WRONG(sgk_signal)};
#define COMBINE(signals, count, f, queue) sgk_combine_latest_map((signals), (count), (f), &context, counted_destroy, (queue))
    REFUSED_DESTROYED(COMBINE(NULL, 2, any_of_many, NULL), SGK_ERROR_NULL, "sgk_combine_latest_map: signals: ");
    REFUSED_DESTROYED(COMBINE(with_null, 2, any_of_many, NULL), SGK_ERROR_NULL, "sgk_combine_latest_map: signal: ");
    REFUSED_DESTROYED(COMBINE(with_wrong, 2, any_of_many, NULL), SGK_ERROR_HANDLE, "sgk_combine_latest_map: signal: ");
    REFUSED_DESTROYED(COMBINE(with_null, SIZE_MAX, any_of_many, NULL), SGK_ERROR_ARGUMENT, "sgk_combine_latest_map: count: ");
    REFUSED_DESTROYED(COMBINE(with_null, 1, NULL, NULL), SGK_ERROR_NULL, "sgk_combine_latest_map: map: ");
    REFUSED_DESTROYED(COMBINE(with_null, 1, any_of_many, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_combine_latest_map: queue: ");
    REFUSED_NULL(sgk_combine_signals(NULL, 2, NULL, NULL), SGK_ERROR_NULL, "sgk_combine_signals: signals: ");
    REFUSED_NULL(sgk_combine_signals(with_wrong, 2, NULL, NULL), SGK_ERROR_HANDLE, "sgk_combine_signals: signal: ");
    REFUSED_NULL(sgk_combine_signals(with_null, SIZE_MAX, NULL, NULL), SGK_ERROR_ARGUMENT, "sgk_combine_signals: count: ");
    REFUSED_NULL(sgk_combine_signals(with_null, 1, NULL, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_combine_signals: queue: ");
    REFUSED_NULL(sgk_merge_signals(NULL, 2), SGK_ERROR_NULL, "sgk_merge_signals: signals: ");
    REFUSED_NULL(sgk_merge_signals(with_null, 2), SGK_ERROR_NULL, "sgk_merge_signals: signal: ");
    REFUSED_NULL(sgk_merge_signals(with_null, SIZE_MAX), SGK_ERROR_ARGUMENT, "sgk_merge_signals: count: ");
}

static void operators_with_queues_and_times(void **state) {
    (void)state;
    REFUSED_NULL(sgk_signal_run_on(NULL, some_queue), SGK_ERROR_NULL, "sgk_signal_run_on: signal: ");
    REFUSED_NULL(sgk_signal_run_on(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_run_on: queue: ");
    REFUSED_NULL(sgk_signal_run_on(some_signal, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_run_on: queue: ");
    REFUSED_NULL(sgk_signal_delay(NULL, 1, some_queue), SGK_ERROR_NULL, "sgk_signal_delay: signal: ");
    REFUSED_NULL(sgk_signal_delay(some_signal, 1, NULL), SGK_ERROR_NULL, "sgk_signal_delay: queue: ");
    REFUSED_NULL(sgk_signal_delay(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_delay: seconds: ");
    REFUSED_NULL(sgk_signal_delay(some_signal, (double)NAN, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_delay: seconds: ");
    REFUSED_NULL(sgk_signal_suspend_aware_delay(NULL, 1, 4, some_queue), SGK_ERROR_NULL, "sgk_signal_suspend_aware_delay: signal: ");
    REFUSED_NULL(sgk_signal_suspend_aware_delay(some_signal, 1, 4, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_suspend_aware_delay: queue: ");
    REFUSED_NULL(sgk_signal_suspend_aware_delay(some_signal, -1, 4, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_suspend_aware_delay: seconds: ");
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(some_signal, 1, (double)NAN, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_suspend_aware_delay: granularity: ");
    REFUSED_NULL(sgk_signal_timeout(NULL, 1, some_signal, some_queue), SGK_ERROR_NULL, "sgk_signal_timeout: signal: ");
    REFUSED_NULL(sgk_signal_timeout(some_signal, 1, NULL, some_queue), SGK_ERROR_NULL, "sgk_signal_timeout: alternate: ");
    REFUSED_NULL(sgk_signal_timeout(some_signal, 1, WRONG(sgk_signal), some_queue), SGK_ERROR_HANDLE, "sgk_signal_timeout: alternate: ");
    REFUSED_NULL(sgk_signal_timeout(some_signal, 1, some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_timeout: queue: ");
    REFUSED_NULL(sgk_signal_timeout(some_signal, -1, some_signal, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_timeout: seconds: ");
    REFUSED_NULL(sgk_signal_blocking(NULL, 1), SGK_ERROR_NULL, "sgk_signal_blocking: signal: ");
    REFUSED_NULL(sgk_signal_blocking(WRONG(sgk_signal), 1), SGK_ERROR_HANDLE, "sgk_signal_blocking: signal: ");
    REFUSED_NULL(sgk_signal_blocking(some_signal, (double)NAN), SGK_ERROR_ARGUMENT, "sgk_signal_blocking: seconds: ");
}

static sgk_signal *any_round(void *context_, const sgk_value *accumulated) {
    (void)context_;
    (void)accumulated;
    return NULL;
}

static void *any_state(void *context_) { return context_; }

static void operators_with_structs_loops_and_pools(void **state) {
    (void)state;
    REFUSED_DESTROYED(sgk_accumulating_loop(NULL, any_step, &context, counted_destroy), SGK_ERROR_NULL, "sgk_accumulating_loop: once: ");
    REFUSED_DESTROYED(sgk_accumulating_loop(any_round, NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_accumulating_loop: reduce: ");
    sgk_state_handlers handlers = SGK_STATE_HANDLERS_INIT;
    handlers.context = &context;
    handlers.destroy = counted_destroy;
    REFUSED_NULL(sgk_signal_with_state(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_with_state: handlers: ");
    REFUSED_DESTROYED(sgk_signal_with_state(some_signal, &handlers), SGK_ERROR_NULL, "sgk_signal_with_state: initial_state: ");
    handlers.initial_state = any_state;
    REFUSED_DESTROYED(sgk_signal_with_state(NULL, &handlers), SGK_ERROR_NULL, "sgk_signal_with_state: signal: ");
    REFUSED_DESTROYED(sgk_signal_with_state(WRONG(sgk_signal), &handlers), SGK_ERROR_HANDLE, "sgk_signal_with_state: signal: ");
    handlers.size += sizeof(void *);
    REFUSED_NULL(sgk_signal_with_state(some_signal, &handlers), SGK_ERROR_ARGUMENT, "sgk_signal_with_state: handlers: ");
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    REFUSED_NULL(sgk_signal_deliver_on_thread_pool(NULL, pool), SGK_ERROR_NULL, "sgk_signal_deliver_on_thread_pool: signal: ");
    REFUSED_NULL(sgk_signal_deliver_on_thread_pool(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_deliver_on_thread_pool: pool: ");
    REFUSED_NULL(
        sgk_signal_deliver_on_thread_pool(some_signal, WRONG(sgk_thread_pool)), SGK_ERROR_HANDLE, "sgk_signal_deliver_on_thread_pool: pool: ");
    REFUSED_NULL(sgk_signal_run_on_thread_pool(NULL, pool), SGK_ERROR_NULL, "sgk_signal_run_on_thread_pool: signal: ");
    REFUSED_NULL(sgk_signal_run_on_thread_pool(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_run_on_thread_pool: pool: ");
    REFUSED_NULL(sgk_signal_run_on_thread_pool(some_signal, WRONG(sgk_thread_pool)), SGK_ERROR_HANDLE, "sgk_signal_run_on_thread_pool: pool: ");
}

int run_misuse_operators(void) {
    const struct CMUnitTest tests[] = {
        MISUSE(operators),
        MISUSE(operators_of_one_signal),
        MISUSE(operators_with_other_signals),
        MISUSE(operators_with_queues_and_times),
        MISUSE(operators_with_structs_loops_and_pools),
    };
    return cmocka_run_group_tests_name("misuse of operators", tests, NULL, NULL);
}
