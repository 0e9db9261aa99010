/* Misuse of the operators on a signal, written by scripts/misuse.py. What the headers do not say is in misuse_operators.c. */
#include "misuse.h"

static void any_function(void) {}

static void sgk_signal_named_at_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_named_at(NULL, "name", "name", 1), SGK_ERROR_NULL,
        "sgk_signal_named_at: signal: ");
    REFUSED_NULL(
        sgk_signal_named_at(WRONG(sgk_signal), "name", "name", 1), SGK_ERROR_HANDLE,
        "sgk_signal_named_at: signal: ");
    REFUSED_NULL(
        sgk_signal_named_at(some_signal, NULL, "name", 1), SGK_ERROR_NULL,
        "sgk_signal_named_at: name: ");
}

static void sgk_signal_trace_at_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_trace_at(NULL, "name", "name", 1), SGK_ERROR_NULL,
        "sgk_signal_trace_at: signal: ");
    REFUSED_NULL(
        sgk_signal_trace_at(WRONG(sgk_signal), "name", "name", 1), SGK_ERROR_HANDLE,
        "sgk_signal_trace_at: signal: ");
    REFUSED_NULL(
        sgk_signal_trace_at(some_signal, NULL, "name", 1), SGK_ERROR_NULL,
        "sgk_signal_trace_at: name: ");
}

static void sgk_sink_fd_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_sink_fd(NULL, 1, 1, false, some_queue), SGK_ERROR_NULL,
        "sgk_sink_fd: signal: ");
    REFUSED_NULL(
        sgk_sink_fd(WRONG(sgk_signal), 1, 1, false, some_queue), SGK_ERROR_HANDLE,
        "sgk_sink_fd: signal: ");
    REFUSED_NULL(
        sgk_sink_fd(some_signal, 1, 1, false, NULL), SGK_ERROR_NULL,
        "sgk_sink_fd: queue: ");
    REFUSED_NULL(
        sgk_sink_fd(some_signal, 1, 1, false, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_sink_fd: queue: ");
}

static void sgk_signal_with_latest_from_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_with_latest_from(NULL, some_signal), SGK_ERROR_NULL,
        "sgk_signal_with_latest_from: signal: ");
    REFUSED_NULL(
        sgk_signal_with_latest_from(WRONG(sgk_signal), some_signal), SGK_ERROR_HANDLE,
        "sgk_signal_with_latest_from: signal: ");
    REFUSED_NULL(
        sgk_signal_with_latest_from(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_with_latest_from: other: ");
    REFUSED_NULL(
        sgk_signal_with_latest_from(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_with_latest_from: other: ");
}

static void sgk_signal_with_latest_from_map_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_with_latest_from_map(NULL, some_signal, (sgk_map_array_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_with_latest_from_map: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_with_latest_from_map(WRONG(sgk_signal), some_signal, (sgk_map_array_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_with_latest_from_map: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_with_latest_from_map(some_signal, NULL, (sgk_map_array_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_with_latest_from_map: other: ");
    REFUSED_DESTROYED(
        sgk_signal_with_latest_from_map(some_signal, WRONG(sgk_signal), (sgk_map_array_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_with_latest_from_map: other: ");
    REFUSED_DESTROYED(
        sgk_signal_with_latest_from_map(some_signal, some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_with_latest_from_map: map: ");
}

static void sgk_signal_before_next_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_before_next(NULL, (sgk_next_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_before_next: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_before_next(WRONG(sgk_signal), (sgk_next_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_before_next: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_before_next(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_before_next: f: ");
}

static void sgk_signal_after_next_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_after_next(NULL, (sgk_next_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_after_next: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_after_next(WRONG(sgk_signal), (sgk_next_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_after_next: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_after_next(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_after_next: f: ");
}

static void sgk_signal_before_started_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_before_started(NULL, (sgk_action_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_before_started: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_before_started(WRONG(sgk_signal), (sgk_action_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_before_started: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_before_started(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_before_started: f: ");
}

static void sgk_signal_before_error_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_before_error(NULL, (sgk_error_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_before_error: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_before_error(WRONG(sgk_signal), (sgk_error_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_before_error: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_before_error(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_before_error: f: ");
}

static void sgk_signal_before_completed_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_before_completed(NULL, (sgk_completed_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_before_completed: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_before_completed(WRONG(sgk_signal), (sgk_completed_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_before_completed: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_before_completed(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_before_completed: f: ");
}

static void sgk_signal_after_completed_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_after_completed(NULL, (sgk_completed_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_after_completed: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_after_completed(WRONG(sgk_signal), (sgk_completed_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_after_completed: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_after_completed(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_after_completed: f: ");
}

static void sgk_signal_after_disposed_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_after_disposed(NULL, (sgk_action_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_after_disposed: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_after_disposed(WRONG(sgk_signal), (sgk_action_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_after_disposed: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_after_disposed(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_after_disposed: f: ");
}

static void sgk_signal_named_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_named(NULL, "name"), SGK_ERROR_NULL,
        "sgk_signal_named: signal: ");
    REFUSED_NULL(
        sgk_signal_named(WRONG(sgk_signal), "name"), SGK_ERROR_HANDLE,
        "sgk_signal_named: signal: ");
    REFUSED_NULL(
        sgk_signal_named(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_named: name: ");
}

static void sgk_signal_trace_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_trace(NULL, "name"), SGK_ERROR_NULL,
        "sgk_signal_trace: signal: ");
    REFUSED_NULL(
        sgk_signal_trace(WRONG(sgk_signal), "name"), SGK_ERROR_HANDLE,
        "sgk_signal_trace: signal: ");
    REFUSED_NULL(
        sgk_signal_trace(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_trace: name: ");
}

static void sgk_signal_switch_to_latest_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_switch_to_latest(NULL), SGK_ERROR_NULL,
        "sgk_signal_switch_to_latest: signal: ");
    REFUSED_NULL(
        sgk_signal_switch_to_latest(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_switch_to_latest: signal: ");
}

static void sgk_signal_queued_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_queued(NULL), SGK_ERROR_NULL,
        "sgk_signal_queued: signal: ");
    REFUSED_NULL(
        sgk_signal_queued(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_queued: signal: ");
}

static void sgk_signal_throttled_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_throttled(NULL), SGK_ERROR_NULL,
        "sgk_signal_throttled: signal: ");
    REFUSED_NULL(
        sgk_signal_throttled(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_throttled: signal: ");
}

static void sgk_signal_take_until_replacement_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_take_until_replacement(NULL, some_signal), SGK_ERROR_NULL,
        "sgk_signal_take_until_replacement: signal: ");
    REFUSED_NULL(
        sgk_signal_take_until_replacement(WRONG(sgk_signal), some_signal), SGK_ERROR_HANDLE,
        "sgk_signal_take_until_replacement: signal: ");
    REFUSED_NULL(
        sgk_signal_take_until_replacement(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_take_until_replacement: replacement: ");
    REFUSED_NULL(
        sgk_signal_take_until_replacement(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_take_until_replacement: replacement: ");
}

static void sgk_signal_map_to_signal_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_map_to_signal(NULL, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_signal: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_signal(WRONG(sgk_signal), (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_map_to_signal: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_signal(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_signal: map: ");
}

static void sgk_signal_map_to_queue_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_map_to_queue(NULL, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_queue: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_queue(WRONG(sgk_signal), (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_map_to_queue: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_queue(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_queue: map: ");
}

static void sgk_signal_map_to_throttled_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_map_to_throttled(NULL, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_throttled: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_throttled(WRONG(sgk_signal), (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_map_to_throttled: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_throttled(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_throttled: map: ");
}

static void sgk_signal_reduce_left_generator_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_reduce_left_generator(NULL, sgk_int(0), (sgk_reduce_generator_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_reduce_left_generator: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_reduce_left_generator(WRONG(sgk_signal), sgk_int(0), (sgk_reduce_generator_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_reduce_left_generator: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_reduce_left_generator(some_signal, sgk_int(0), NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_reduce_left_generator: generator: ");
}

static void sgk_signal_merged_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_merged(NULL, 1, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_NULL,
        "sgk_signal_merged: signal: ");
    REFUSED_NULL(
        sgk_signal_merged(WRONG(sgk_signal), 1, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_merged: signal: ");
}

static void sgk_signal_map_to_merged_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_map_to_merged(NULL, 1, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_merged: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_merged(WRONG(sgk_signal), 1, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_map_to_merged: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_merged(some_signal, 1, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_merged: map: ");
}

static void sgk_signal_map_to_first_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_map_to_first(NULL, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_first: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_first(WRONG(sgk_signal), (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_map_to_first: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_first(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_first: map: ");
}

static void sgk_signal_map_to_signal_per_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_map_to_signal_per(NULL, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_fn)any_function, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_signal_per: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_signal_per(WRONG(sgk_signal), 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_fn)any_function, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_map_to_signal_per: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_to_signal_per(some_signal, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_fn)any_function, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_to_signal_per: map: ");
}

static void sgk_signal_grouped_by_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_grouped_by(NULL, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_fn)any_function, (sgk_pipeline_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_grouped_by: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_grouped_by(WRONG(sgk_signal), 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_fn)any_function, (sgk_pipeline_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_grouped_by: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_grouped_by(some_signal, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_fn)any_function, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_grouped_by: pipeline: ");
}

static void sgk_signal_map_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_map(NULL, (sgk_map_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map(WRONG(sgk_signal), (sgk_map_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_map: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map: map: ");
}

static void sgk_signal_filter_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_filter(NULL, (sgk_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_filter: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_filter(WRONG(sgk_signal), (sgk_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_filter: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_filter(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_filter: filter: ");
}

static void sgk_signal_compact_map_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_compact_map(NULL, (sgk_compact_map_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_compact_map: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_compact_map(WRONG(sgk_signal), (sgk_compact_map_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_compact_map: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_compact_map(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_compact_map: map: ");
}

static void sgk_signal_transform_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_transform(NULL, (sgk_transform_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_transform: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_transform(WRONG(sgk_signal), (sgk_transform_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_transform: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_transform(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_transform: transform: ");
}

static void sgk_signal_map_error_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_map_error(NULL, (sgk_map_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_error: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_error(WRONG(sgk_signal), (sgk_map_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_map_error: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_map_error(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_map_error: map: ");
}

static void sgk_signal_ignore_values_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_ignore_values(NULL), SGK_ERROR_NULL,
        "sgk_signal_ignore_values: signal: ");
    REFUSED_NULL(
        sgk_signal_ignore_values(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_ignore_values: signal: ");
}

static void sgk_signal_distinct_until_changed_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_distinct_until_changed(NULL), SGK_ERROR_NULL,
        "sgk_signal_distinct_until_changed: signal: ");
    REFUSED_NULL(
        sgk_signal_distinct_until_changed(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_distinct_until_changed: signal: ");
}

static void sgk_signal_distinct_until_changed_by_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_distinct_until_changed_by(NULL, (sgk_equal_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_distinct_until_changed_by: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_distinct_until_changed_by(WRONG(sgk_signal), (sgk_equal_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_distinct_until_changed_by: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_distinct_until_changed_by(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_distinct_until_changed_by: equal: ");
}

static void sgk_signal_serialized_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_serialized(NULL), SGK_ERROR_NULL,
        "sgk_signal_serialized: signal: ");
    REFUSED_NULL(
        sgk_signal_serialized(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_serialized: signal: ");
}

static void sgk_signal_reduce_left_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_reduce_left(NULL, sgk_int(0), (sgk_reduce_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_reduce_left: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_reduce_left(WRONG(sgk_signal), sgk_int(0), (sgk_reduce_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_reduce_left: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_reduce_left(some_signal, sgk_int(0), NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_reduce_left: reduce: ");
}

static void sgk_signal_reduce_left_emitting_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_reduce_left_emitting(NULL, sgk_int(0), (sgk_reduce_emitting_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_reduce_left_emitting: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_reduce_left_emitting(WRONG(sgk_signal), sgk_int(0), (sgk_reduce_emitting_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_reduce_left_emitting: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_reduce_left_emitting(some_signal, sgk_int(0), NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_reduce_left_emitting: reduce: ");
}

static void sgk_signal_scan_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_scan(NULL, sgk_int(0), (sgk_reduce_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_scan: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_scan(WRONG(sgk_signal), sgk_int(0), (sgk_reduce_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_scan: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_scan(some_signal, sgk_int(0), NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_scan: reduce: ");
}

static void sgk_signal_pairwise_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_pairwise(NULL), SGK_ERROR_NULL,
        "sgk_signal_pairwise: signal: ");
    REFUSED_NULL(
        sgk_signal_pairwise(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_pairwise: signal: ");
}

static void sgk_signal_enumerated_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_enumerated(NULL), SGK_ERROR_NULL,
        "sgk_signal_enumerated: signal: ");
    REFUSED_NULL(
        sgk_signal_enumerated(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_enumerated: signal: ");
}

static void sgk_signal_to_array_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_to_array(NULL, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_NULL,
        "sgk_signal_to_array: signal: ");
    REFUSED_NULL(
        sgk_signal_to_array(WRONG(sgk_signal), 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_to_array: signal: ");
}

static void sgk_signal_distinct_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_distinct(NULL, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_NULL,
        "sgk_signal_distinct: signal: ");
    REFUSED_NULL(
        sgk_signal_distinct(WRONG(sgk_signal), 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_distinct: signal: ");
}

static void sgk_signal_distinct_by_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_distinct_by(NULL, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_distinct_by: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_distinct_by(WRONG(sgk_signal), 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, (sgk_map_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_distinct_by: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_distinct_by(some_signal, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_distinct_by: key: ");
}

static void sgk_signal_try_map_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_try_map(NULL, (sgk_try_map_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_try_map: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_try_map(WRONG(sgk_signal), (sgk_try_map_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_try_map: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_try_map(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_try_map: map: ");
}

static void sgk_signal_try_filter_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_try_filter(NULL, (sgk_try_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_try_filter: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_try_filter(WRONG(sgk_signal), (sgk_try_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_try_filter: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_try_filter(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_try_filter: filter: ");
}

static void sgk_signal_to_events_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_to_events(NULL), SGK_ERROR_NULL,
        "sgk_signal_to_events: signal: ");
    REFUSED_NULL(
        sgk_signal_to_events(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_to_events: signal: ");
}

static void sgk_signal_from_events_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_from_events(NULL), SGK_ERROR_NULL,
        "sgk_signal_from_events: signal: ");
    REFUSED_NULL(
        sgk_signal_from_events(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_from_events: signal: ");
}

static void sgk_signal_then_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_then(NULL, some_signal), SGK_ERROR_NULL,
        "sgk_signal_then: signal: ");
    REFUSED_NULL(
        sgk_signal_then(WRONG(sgk_signal), some_signal), SGK_ERROR_HANDLE,
        "sgk_signal_then: signal: ");
    REFUSED_NULL(
        sgk_signal_then(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_then: next: ");
    REFUSED_NULL(
        sgk_signal_then(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_then: next: ");
}

static void sgk_signal_catch_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_catch(NULL, (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_catch: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_catch(WRONG(sgk_signal), (sgk_map_to_signal_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_catch: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_catch(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_catch: f: ");
}

static void sgk_signal_start_with_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_start_with(NULL, sgk_int(0)), SGK_ERROR_NULL,
        "sgk_signal_start_with: signal: ");
    REFUSED_NULL(
        sgk_signal_start_with(WRONG(sgk_signal), sgk_int(0)), SGK_ERROR_HANDLE,
        "sgk_signal_start_with: signal: ");
}

static void sgk_signal_end_with_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_end_with(NULL, sgk_int(0)), SGK_ERROR_NULL,
        "sgk_signal_end_with: signal: ");
    REFUSED_NULL(
        sgk_signal_end_with(WRONG(sgk_signal), sgk_int(0)), SGK_ERROR_HANDLE,
        "sgk_signal_end_with: signal: ");
}

static void sgk_signal_default_if_empty_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_default_if_empty(NULL, sgk_int(0)), SGK_ERROR_NULL,
        "sgk_signal_default_if_empty: signal: ");
    REFUSED_NULL(
        sgk_signal_default_if_empty(WRONG(sgk_signal), sgk_int(0)), SGK_ERROR_HANDLE,
        "sgk_signal_default_if_empty: signal: ");
}

static void sgk_signal_switch_if_empty_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_switch_if_empty(NULL, some_signal), SGK_ERROR_NULL,
        "sgk_signal_switch_if_empty: signal: ");
    REFUSED_NULL(
        sgk_signal_switch_if_empty(WRONG(sgk_signal), some_signal), SGK_ERROR_HANDLE,
        "sgk_signal_switch_if_empty: signal: ");
    REFUSED_NULL(
        sgk_signal_switch_if_empty(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_switch_if_empty: other: ");
    REFUSED_NULL(
        sgk_signal_switch_if_empty(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_switch_if_empty: other: ");
}

static void sgk_signal_catch_and_return_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_catch_and_return(NULL, sgk_int(0)), SGK_ERROR_NULL,
        "sgk_signal_catch_and_return: signal: ");
    REFUSED_NULL(
        sgk_signal_catch_and_return(WRONG(sgk_signal), sgk_int(0)), SGK_ERROR_HANDLE,
        "sgk_signal_catch_and_return: signal: ");
}

static void sgk_signal_restart_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_restart(NULL), SGK_ERROR_NULL,
        "sgk_signal_restart: signal: ");
    REFUSED_NULL(
        sgk_signal_restart(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_restart: signal: ");
}

static void sgk_signal_repeat_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_repeat(NULL, 1), SGK_ERROR_NULL,
        "sgk_signal_repeat: signal: ");
    REFUSED_NULL(
        sgk_signal_repeat(WRONG(sgk_signal), 1), SGK_ERROR_HANDLE,
        "sgk_signal_repeat: signal: ");
}

static void sgk_signal_restart_if_error_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_restart_if_error(NULL), SGK_ERROR_NULL,
        "sgk_signal_restart_if_error: signal: ");
    REFUSED_NULL(
        sgk_signal_restart_if_error(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_restart_if_error: signal: ");
}

static void sgk_signal_restart_or_map_error_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_restart_or_map_error(NULL, (sgk_restart_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_restart_or_map_error: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_restart_or_map_error(WRONG(sgk_signal), (sgk_restart_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_restart_or_map_error: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_restart_or_map_error(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_restart_or_map_error: condition: ");
}

static void sgk_signal_retry_if_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_retry_if(NULL, (sgk_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_retry_if: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_if(WRONG(sgk_signal), (sgk_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_retry_if: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_if(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_retry_if: predicate: ");
}

static void sgk_signal_retry_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_retry(NULL, 1, 1, false, some_queue), SGK_ERROR_NULL,
        "sgk_signal_retry: signal: ");
    REFUSED_NULL(
        sgk_signal_retry(WRONG(sgk_signal), 1, 1, false, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_retry: signal: ");
    REFUSED_NULL(
        sgk_signal_retry(some_signal, -1, 1, false, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_retry: delay_increment: ");
    REFUSED_NULL(
        sgk_signal_retry(some_signal, (double)NAN, 1, false, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_retry: delay_increment: ");
    REFUSED_NULL(
        sgk_signal_retry(some_signal, 1, -1, false, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_retry: max_delay: ");
    REFUSED_NULL(
        sgk_signal_retry(some_signal, 1, (double)NAN, false, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_retry: max_delay: ");
    REFUSED_NULL(
        sgk_signal_retry(some_signal, 1, 1, false, NULL), SGK_ERROR_NULL,
        "sgk_signal_retry: queue: ");
    REFUSED_NULL(
        sgk_signal_retry(some_signal, 1, 1, false, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_retry: queue: ");
}

static void sgk_signal_retry_on_error_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(NULL, 1, 1, 1, false, (sgk_filter_fn)any_function, &context, counted_destroy, some_queue), SGK_ERROR_NULL,
        "sgk_signal_retry_on_error: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(WRONG(sgk_signal), 1, 1, 1, false, (sgk_filter_fn)any_function, &context, counted_destroy, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_retry_on_error: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(some_signal, -1, 1, 1, false, (sgk_filter_fn)any_function, &context, counted_destroy, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_retry_on_error: delay_increment: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(some_signal, (double)NAN, 1, 1, false, (sgk_filter_fn)any_function, &context, counted_destroy, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_retry_on_error: delay_increment: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(some_signal, 1, -1, 1, false, (sgk_filter_fn)any_function, &context, counted_destroy, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_retry_on_error: max_delay: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(some_signal, 1, (double)NAN, 1, false, (sgk_filter_fn)any_function, &context, counted_destroy, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_retry_on_error: max_delay: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(some_signal, 1, 1, 1, false, NULL, &context, counted_destroy, some_queue), SGK_ERROR_NULL,
        "sgk_signal_retry_on_error: retry_on_error: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(some_signal, 1, 1, 1, false, (sgk_filter_fn)any_function, &context, counted_destroy, NULL), SGK_ERROR_NULL,
        "sgk_signal_retry_on_error: queue: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_on_error(some_signal, 1, 1, 1, false, (sgk_filter_fn)any_function, &context, counted_destroy, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_retry_on_error: queue: ");
}

static void sgk_signal_retry_when_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_retry_when(NULL, (sgk_retry_when_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_retry_when: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_when(WRONG(sgk_signal), (sgk_retry_when_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_retry_when: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_retry_when(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_retry_when: when: ");
}

static void sgk_signal_take_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_take(NULL, 1), SGK_ERROR_NULL,
        "sgk_signal_take: signal: ");
    REFUSED_NULL(
        sgk_signal_take(WRONG(sgk_signal), 1), SGK_ERROR_HANDLE,
        "sgk_signal_take: signal: ");
}

static void sgk_signal_take_until_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_take_until(NULL, (sgk_take_until_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_take_until: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_take_until(WRONG(sgk_signal), (sgk_take_until_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_take_until: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_take_until(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_take_until: until: ");
}

static void sgk_signal_take_last_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_take_last(NULL, 1), SGK_ERROR_NULL,
        "sgk_signal_take_last: signal: ");
    REFUSED_NULL(
        sgk_signal_take_last(WRONG(sgk_signal), 1), SGK_ERROR_HANDLE,
        "sgk_signal_take_last: signal: ");
}

static void sgk_signal_last_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_last(NULL), SGK_ERROR_NULL,
        "sgk_signal_last: signal: ");
    REFUSED_NULL(
        sgk_signal_last(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_last: signal: ");
}

static void sgk_signal_take_while_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_take_while(NULL, (sgk_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_take_while: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_take_while(WRONG(sgk_signal), (sgk_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_take_while: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_take_while(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_take_while: filter: ");
}

static void sgk_signal_skip_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_skip(NULL, 1), SGK_ERROR_NULL,
        "sgk_signal_skip: signal: ");
    REFUSED_NULL(
        sgk_signal_skip(WRONG(sgk_signal), 1), SGK_ERROR_HANDLE,
        "sgk_signal_skip: signal: ");
}

static void sgk_signal_skip_while_is_refused(void **state) {
    (void)state;
    REFUSED_DESTROYED(
        sgk_signal_skip_while(NULL, (sgk_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_skip_while: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_skip_while(WRONG(sgk_signal), (sgk_filter_fn)any_function, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_signal_skip_while: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_skip_while(some_signal, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_signal_skip_while: filter: ");
}

static void sgk_signal_first_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_first(NULL), SGK_ERROR_NULL,
        "sgk_signal_first: signal: ");
    REFUSED_NULL(
        sgk_signal_first(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_first: signal: ");
}

static void sgk_signal_first_or_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_first_or(NULL, sgk_int(0)), SGK_ERROR_NULL,
        "sgk_signal_first_or: signal: ");
    REFUSED_NULL(
        sgk_signal_first_or(WRONG(sgk_signal), sgk_int(0)), SGK_ERROR_HANDLE,
        "sgk_signal_first_or: signal: ");
}

static void sgk_signal_skip_until_signal_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_skip_until_signal(NULL, some_signal), SGK_ERROR_NULL,
        "sgk_signal_skip_until_signal: signal: ");
    REFUSED_NULL(
        sgk_signal_skip_until_signal(WRONG(sgk_signal), some_signal), SGK_ERROR_HANDLE,
        "sgk_signal_skip_until_signal: signal: ");
    REFUSED_NULL(
        sgk_signal_skip_until_signal(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_skip_until_signal: until: ");
    REFUSED_NULL(
        sgk_signal_skip_until_signal(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_skip_until_signal: until: ");
}

static void sgk_signal_take_until_signal_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_take_until_signal(NULL, some_signal), SGK_ERROR_NULL,
        "sgk_signal_take_until_signal: signal: ");
    REFUSED_NULL(
        sgk_signal_take_until_signal(WRONG(sgk_signal), some_signal), SGK_ERROR_HANDLE,
        "sgk_signal_take_until_signal: signal: ");
    REFUSED_NULL(
        sgk_signal_take_until_signal(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_take_until_signal: until: ");
    REFUSED_NULL(
        sgk_signal_take_until_signal(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_take_until_signal: until: ");
}

static void sgk_signal_throttle_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_throttle(NULL, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_throttle: signal: ");
    REFUSED_NULL(
        sgk_signal_throttle(WRONG(sgk_signal), 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_throttle: signal: ");
    REFUSED_NULL(
        sgk_signal_throttle(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_throttle: seconds: ");
    REFUSED_NULL(
        sgk_signal_throttle(some_signal, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_throttle: seconds: ");
    REFUSED_NULL(
        sgk_signal_throttle(some_signal, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_throttle: queue: ");
    REFUSED_NULL(
        sgk_signal_throttle(some_signal, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_throttle: queue: ");
}

static void sgk_signal_debounce_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_debounce(NULL, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_debounce: signal: ");
    REFUSED_NULL(
        sgk_signal_debounce(WRONG(sgk_signal), 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_debounce: signal: ");
    REFUSED_NULL(
        sgk_signal_debounce(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_debounce: seconds: ");
    REFUSED_NULL(
        sgk_signal_debounce(some_signal, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_debounce: seconds: ");
    REFUSED_NULL(
        sgk_signal_debounce(some_signal, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_debounce: queue: ");
    REFUSED_NULL(
        sgk_signal_debounce(some_signal, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_debounce: queue: ");
}

static void sgk_signal_deliver_on_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_deliver_on(NULL, some_queue), SGK_ERROR_NULL,
        "sgk_signal_deliver_on: signal: ");
    REFUSED_NULL(
        sgk_signal_deliver_on(WRONG(sgk_signal), some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_deliver_on: signal: ");
    REFUSED_NULL(
        sgk_signal_deliver_on(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_deliver_on: queue: ");
    REFUSED_NULL(
        sgk_signal_deliver_on(some_signal, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_deliver_on: queue: ");
}

static void sgk_signal_deliver_on_thread_pool_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_deliver_on_thread_pool(NULL, NULL), SGK_ERROR_NULL,
        "sgk_signal_deliver_on_thread_pool: signal: ");
    REFUSED_NULL(
        sgk_signal_deliver_on_thread_pool(WRONG(sgk_signal), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_deliver_on_thread_pool: signal: ");
    REFUSED_NULL(
        sgk_signal_deliver_on_thread_pool(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_deliver_on_thread_pool: pool: ");
    REFUSED_NULL(
        sgk_signal_deliver_on_thread_pool(some_signal, WRONG(sgk_thread_pool)), SGK_ERROR_HANDLE,
        "sgk_signal_deliver_on_thread_pool: pool: ");
}

static void sgk_signal_deliver_on_bounded_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_deliver_on_bounded(NULL, some_queue, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_NULL,
        "sgk_signal_deliver_on_bounded: signal: ");
    REFUSED_NULL(
        sgk_signal_deliver_on_bounded(WRONG(sgk_signal), some_queue, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_deliver_on_bounded: signal: ");
    REFUSED_NULL(
        sgk_signal_deliver_on_bounded(some_signal, NULL, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_NULL,
        "sgk_signal_deliver_on_bounded: queue: ");
    REFUSED_NULL(
        sgk_signal_deliver_on_bounded(some_signal, WRONG_QUEUE, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_deliver_on_bounded: queue: ");
}

static void sgk_signal_run_on_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_run_on(NULL, some_queue), SGK_ERROR_NULL,
        "sgk_signal_run_on: signal: ");
    REFUSED_NULL(
        sgk_signal_run_on(WRONG(sgk_signal), some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_run_on: signal: ");
    REFUSED_NULL(
        sgk_signal_run_on(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_run_on: queue: ");
    REFUSED_NULL(
        sgk_signal_run_on(some_signal, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_run_on: queue: ");
}

static void sgk_signal_run_on_thread_pool_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_run_on_thread_pool(NULL, NULL), SGK_ERROR_NULL,
        "sgk_signal_run_on_thread_pool: signal: ");
    REFUSED_NULL(
        sgk_signal_run_on_thread_pool(WRONG(sgk_signal), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_run_on_thread_pool: signal: ");
    REFUSED_NULL(
        sgk_signal_run_on_thread_pool(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_run_on_thread_pool: pool: ");
    REFUSED_NULL(
        sgk_signal_run_on_thread_pool(some_signal, WRONG(sgk_thread_pool)), SGK_ERROR_HANDLE,
        "sgk_signal_run_on_thread_pool: pool: ");
}

static void sgk_signal_delay_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_delay(NULL, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_delay: signal: ");
    REFUSED_NULL(
        sgk_signal_delay(WRONG(sgk_signal), 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_delay: signal: ");
    REFUSED_NULL(
        sgk_signal_delay(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_delay: seconds: ");
    REFUSED_NULL(
        sgk_signal_delay(some_signal, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_delay: seconds: ");
    REFUSED_NULL(
        sgk_signal_delay(some_signal, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_delay: queue: ");
    REFUSED_NULL(
        sgk_signal_delay(some_signal, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_delay: queue: ");
}

static void sgk_signal_suspend_aware_delay_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(NULL, 1, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_suspend_aware_delay: signal: ");
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(WRONG(sgk_signal), 1, 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_suspend_aware_delay: signal: ");
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(some_signal, -1, 1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_suspend_aware_delay: seconds: ");
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(some_signal, (double)NAN, 1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_suspend_aware_delay: seconds: ");
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(some_signal, 1, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_suspend_aware_delay: granularity: ");
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(some_signal, 1, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_suspend_aware_delay: granularity: ");
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(some_signal, 1, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_suspend_aware_delay: queue: ");
    REFUSED_NULL(
        sgk_signal_suspend_aware_delay(some_signal, 1, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_suspend_aware_delay: queue: ");
}

static void sgk_signal_timeout_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_timeout(NULL, 1, some_signal, some_queue), SGK_ERROR_NULL,
        "sgk_signal_timeout: signal: ");
    REFUSED_NULL(
        sgk_signal_timeout(WRONG(sgk_signal), 1, some_signal, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_timeout: signal: ");
    REFUSED_NULL(
        sgk_signal_timeout(some_signal, -1, some_signal, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_timeout: seconds: ");
    REFUSED_NULL(
        sgk_signal_timeout(some_signal, (double)NAN, some_signal, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_timeout: seconds: ");
    REFUSED_NULL(
        sgk_signal_timeout(some_signal, 1, NULL, some_queue), SGK_ERROR_NULL,
        "sgk_signal_timeout: alternate: ");
    REFUSED_NULL(
        sgk_signal_timeout(some_signal, 1, WRONG(sgk_signal), some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_timeout: alternate: ");
    REFUSED_NULL(
        sgk_signal_timeout(some_signal, 1, some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_timeout: queue: ");
    REFUSED_NULL(
        sgk_signal_timeout(some_signal, 1, some_signal, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_timeout: queue: ");
}

static void sgk_signal_blocking_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_blocking(NULL, 1), SGK_ERROR_NULL,
        "sgk_signal_blocking: signal: ");
    REFUSED_NULL(
        sgk_signal_blocking(WRONG(sgk_signal), 1), SGK_ERROR_HANDLE,
        "sgk_signal_blocking: signal: ");
    REFUSED_NULL(
        sgk_signal_blocking(some_signal, -1), SGK_ERROR_ARGUMENT,
        "sgk_signal_blocking: seconds: ");
    REFUSED_NULL(
        sgk_signal_blocking(some_signal, (double)NAN), SGK_ERROR_ARGUMENT,
        "sgk_signal_blocking: seconds: ");
}

static void sgk_signal_blocking_on_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_blocking_on(NULL, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_blocking_on: signal: ");
    REFUSED_NULL(
        sgk_signal_blocking_on(WRONG(sgk_signal), 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_blocking_on: signal: ");
    REFUSED_NULL(
        sgk_signal_blocking_on(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_blocking_on: seconds: ");
    REFUSED_NULL(
        sgk_signal_blocking_on(some_signal, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_blocking_on: seconds: ");
    REFUSED_NULL(
        sgk_signal_blocking_on(some_signal, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_blocking_on: queue: ");
    REFUSED_NULL(
        sgk_signal_blocking_on(some_signal, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_blocking_on: queue: ");
}

static void sgk_signal_chunked_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_chunked(NULL, 1), SGK_ERROR_NULL,
        "sgk_signal_chunked: signal: ");
    REFUSED_NULL(
        sgk_signal_chunked(WRONG(sgk_signal), 1), SGK_ERROR_HANDLE,
        "sgk_signal_chunked: signal: ");
}

static void sgk_signal_chunked_within_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_chunked_within(NULL, 1, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_chunked_within: signal: ");
    REFUSED_NULL(
        sgk_signal_chunked_within(WRONG(sgk_signal), 1, 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_chunked_within: signal: ");
    REFUSED_NULL(
        sgk_signal_chunked_within(some_signal, 1, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_chunked_within: seconds: ");
    REFUSED_NULL(
        sgk_signal_chunked_within(some_signal, 1, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_chunked_within: seconds: ");
    REFUSED_NULL(
        sgk_signal_chunked_within(some_signal, 1, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_chunked_within: queue: ");
    REFUSED_NULL(
        sgk_signal_chunked_within(some_signal, 1, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_chunked_within: queue: ");
}

static void sgk_signal_chunked_by_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_chunked_by(NULL, some_signal, 1), SGK_ERROR_NULL,
        "sgk_signal_chunked_by: signal: ");
    REFUSED_NULL(
        sgk_signal_chunked_by(WRONG(sgk_signal), some_signal, 1), SGK_ERROR_HANDLE,
        "sgk_signal_chunked_by: signal: ");
    REFUSED_NULL(
        sgk_signal_chunked_by(some_signal, NULL, 1), SGK_ERROR_NULL,
        "sgk_signal_chunked_by: boundary: ");
    REFUSED_NULL(
        sgk_signal_chunked_by(some_signal, WRONG(sgk_signal), 1), SGK_ERROR_HANDLE,
        "sgk_signal_chunked_by: boundary: ");
}

static void sgk_signal_delay_each_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_delay_each(NULL, 1, some_queue, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_NULL,
        "sgk_signal_delay_each: signal: ");
    REFUSED_NULL(
        sgk_signal_delay_each(WRONG(sgk_signal), 1, some_queue, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_delay_each: signal: ");
    REFUSED_NULL(
        sgk_signal_delay_each(some_signal, -1, some_queue, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_ARGUMENT,
        "sgk_signal_delay_each: seconds: ");
    REFUSED_NULL(
        sgk_signal_delay_each(some_signal, (double)NAN, some_queue, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_ARGUMENT,
        "sgk_signal_delay_each: seconds: ");
    REFUSED_NULL(
        sgk_signal_delay_each(some_signal, 1, NULL, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_NULL,
        "sgk_signal_delay_each: queue: ");
    REFUSED_NULL(
        sgk_signal_delay_each(some_signal, 1, WRONG_QUEUE, 1, SGK_OVERFLOW_DROP_OLDEST, sgk_int(0), NULL), SGK_ERROR_HANDLE,
        "sgk_signal_delay_each: queue: ");
}

static void sgk_signal_timeout_between_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_timeout_between(NULL, 1, some_signal, some_queue), SGK_ERROR_NULL,
        "sgk_signal_timeout_between: signal: ");
    REFUSED_NULL(
        sgk_signal_timeout_between(WRONG(sgk_signal), 1, some_signal, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_timeout_between: signal: ");
    REFUSED_NULL(
        sgk_signal_timeout_between(some_signal, -1, some_signal, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_timeout_between: seconds: ");
    REFUSED_NULL(
        sgk_signal_timeout_between(some_signal, (double)NAN, some_signal, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_timeout_between: seconds: ");
    REFUSED_NULL(
        sgk_signal_timeout_between(some_signal, 1, NULL, some_queue), SGK_ERROR_NULL,
        "sgk_signal_timeout_between: alternate: ");
    REFUSED_NULL(
        sgk_signal_timeout_between(some_signal, 1, WRONG(sgk_signal), some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_timeout_between: alternate: ");
    REFUSED_NULL(
        sgk_signal_timeout_between(some_signal, 1, some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_timeout_between: queue: ");
    REFUSED_NULL(
        sgk_signal_timeout_between(some_signal, 1, some_signal, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_timeout_between: queue: ");
}

static void sgk_signal_throttle_edges_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_throttle_edges(NULL, 1, SGK_EDGES_BOTH, some_queue), SGK_ERROR_NULL,
        "sgk_signal_throttle_edges: signal: ");
    REFUSED_NULL(
        sgk_signal_throttle_edges(WRONG(sgk_signal), 1, SGK_EDGES_BOTH, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_throttle_edges: signal: ");
    REFUSED_NULL(
        sgk_signal_throttle_edges(some_signal, -1, SGK_EDGES_BOTH, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_throttle_edges: seconds: ");
    REFUSED_NULL(
        sgk_signal_throttle_edges(some_signal, (double)NAN, SGK_EDGES_BOTH, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_throttle_edges: seconds: ");
    REFUSED_NULL(
        sgk_signal_throttle_edges(some_signal, 1, SGK_EDGES_BOTH, NULL), SGK_ERROR_NULL,
        "sgk_signal_throttle_edges: queue: ");
    REFUSED_NULL(
        sgk_signal_throttle_edges(some_signal, 1, SGK_EDGES_BOTH, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_throttle_edges: queue: ");
}

static void sgk_signal_timestamped_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_timestamped(NULL, some_queue), SGK_ERROR_NULL,
        "sgk_signal_timestamped: signal: ");
    REFUSED_NULL(
        sgk_signal_timestamped(WRONG(sgk_signal), some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_timestamped: signal: ");
    REFUSED_NULL(
        sgk_signal_timestamped(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_timestamped: queue: ");
    REFUSED_NULL(
        sgk_signal_timestamped(some_signal, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_timestamped: queue: ");
}

static void sgk_signal_time_interval_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_time_interval(NULL, some_queue), SGK_ERROR_NULL,
        "sgk_signal_time_interval: signal: ");
    REFUSED_NULL(
        sgk_signal_time_interval(WRONG(sgk_signal), some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_time_interval: signal: ");
    REFUSED_NULL(
        sgk_signal_time_interval(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_time_interval: queue: ");
    REFUSED_NULL(
        sgk_signal_time_interval(some_signal, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_time_interval: queue: ");
}

static void sgk_signal_take_for_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_take_for(NULL, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_take_for: signal: ");
    REFUSED_NULL(
        sgk_signal_take_for(WRONG(sgk_signal), 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_take_for: signal: ");
    REFUSED_NULL(
        sgk_signal_take_for(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_take_for: seconds: ");
    REFUSED_NULL(
        sgk_signal_take_for(some_signal, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_take_for: seconds: ");
    REFUSED_NULL(
        sgk_signal_take_for(some_signal, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_take_for: queue: ");
    REFUSED_NULL(
        sgk_signal_take_for(some_signal, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_take_for: queue: ");
}

static void sgk_signal_sample_on_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_sample_on(NULL, some_signal), SGK_ERROR_NULL,
        "sgk_signal_sample_on: signal: ");
    REFUSED_NULL(
        sgk_signal_sample_on(WRONG(sgk_signal), some_signal), SGK_ERROR_HANDLE,
        "sgk_signal_sample_on: signal: ");
    REFUSED_NULL(
        sgk_signal_sample_on(some_signal, NULL), SGK_ERROR_NULL,
        "sgk_signal_sample_on: trigger: ");
    REFUSED_NULL(
        sgk_signal_sample_on(some_signal, WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_sample_on: trigger: ");
}

static void sgk_signal_sample_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_sample(NULL, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_sample: signal: ");
    REFUSED_NULL(
        sgk_signal_sample(WRONG(sgk_signal), 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_sample: signal: ");
    REFUSED_NULL(
        sgk_signal_sample(some_signal, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_sample: seconds: ");
    REFUSED_NULL(
        sgk_signal_sample(some_signal, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_sample: seconds: ");
    REFUSED_NULL(
        sgk_signal_sample(some_signal, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_sample: queue: ");
    REFUSED_NULL(
        sgk_signal_sample(some_signal, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_sample: queue: ");
}

static void sgk_signal_multicast_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_multicast(NULL), SGK_ERROR_NULL,
        "sgk_signal_multicast: signal: ");
    REFUSED_NULL(
        sgk_signal_multicast(WRONG(sgk_signal)), SGK_ERROR_HANDLE,
        "sgk_signal_multicast: signal: ");
}

static void sgk_signal_share_is_refused(void **state) {
    (void)state;
    REFUSED_NULL(
        sgk_signal_share(NULL, 1, 1, some_queue), SGK_ERROR_NULL,
        "sgk_signal_share: signal: ");
    REFUSED_NULL(
        sgk_signal_share(WRONG(sgk_signal), 1, 1, some_queue), SGK_ERROR_HANDLE,
        "sgk_signal_share: signal: ");
    REFUSED_NULL(
        sgk_signal_share(some_signal, 1, -1, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_share: keep: ");
    REFUSED_NULL(
        sgk_signal_share(some_signal, 1, (double)NAN, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_share: keep: ");
    REFUSED_NULL(
        sgk_signal_share(some_signal, 1, 1, NULL), SGK_ERROR_NULL,
        "sgk_signal_share: queue: ");
    REFUSED_NULL(
        sgk_signal_share(some_signal, 1, 1, WRONG_QUEUE), SGK_ERROR_HANDLE,
        "sgk_signal_share: queue: ");
}

int run_misuse_made(void) {
    const struct CMUnitTest tests[] = {
        MISUSE(sgk_signal_named_at_is_refused),
        MISUSE(sgk_signal_trace_at_is_refused),
        MISUSE(sgk_sink_fd_is_refused),
        MISUSE(sgk_signal_with_latest_from_is_refused),
        MISUSE(sgk_signal_with_latest_from_map_is_refused),
        MISUSE(sgk_signal_before_next_is_refused),
        MISUSE(sgk_signal_after_next_is_refused),
        MISUSE(sgk_signal_before_started_is_refused),
        MISUSE(sgk_signal_before_error_is_refused),
        MISUSE(sgk_signal_before_completed_is_refused),
        MISUSE(sgk_signal_after_completed_is_refused),
        MISUSE(sgk_signal_after_disposed_is_refused),
        MISUSE(sgk_signal_named_is_refused),
        MISUSE(sgk_signal_trace_is_refused),
        MISUSE(sgk_signal_switch_to_latest_is_refused),
        MISUSE(sgk_signal_queued_is_refused),
        MISUSE(sgk_signal_throttled_is_refused),
        MISUSE(sgk_signal_take_until_replacement_is_refused),
        MISUSE(sgk_signal_map_to_signal_is_refused),
        MISUSE(sgk_signal_map_to_queue_is_refused),
        MISUSE(sgk_signal_map_to_throttled_is_refused),
        MISUSE(sgk_signal_reduce_left_generator_is_refused),
        MISUSE(sgk_signal_merged_is_refused),
        MISUSE(sgk_signal_map_to_merged_is_refused),
        MISUSE(sgk_signal_map_to_first_is_refused),
        MISUSE(sgk_signal_map_to_signal_per_is_refused),
        MISUSE(sgk_signal_grouped_by_is_refused),
        MISUSE(sgk_signal_map_is_refused),
        MISUSE(sgk_signal_filter_is_refused),
        MISUSE(sgk_signal_compact_map_is_refused),
        MISUSE(sgk_signal_transform_is_refused),
        MISUSE(sgk_signal_map_error_is_refused),
        MISUSE(sgk_signal_ignore_values_is_refused),
        MISUSE(sgk_signal_distinct_until_changed_is_refused),
        MISUSE(sgk_signal_distinct_until_changed_by_is_refused),
        MISUSE(sgk_signal_serialized_is_refused),
        MISUSE(sgk_signal_reduce_left_is_refused),
        MISUSE(sgk_signal_reduce_left_emitting_is_refused),
        MISUSE(sgk_signal_scan_is_refused),
        MISUSE(sgk_signal_pairwise_is_refused),
        MISUSE(sgk_signal_enumerated_is_refused),
        MISUSE(sgk_signal_to_array_is_refused),
        MISUSE(sgk_signal_distinct_is_refused),
        MISUSE(sgk_signal_distinct_by_is_refused),
        MISUSE(sgk_signal_try_map_is_refused),
        MISUSE(sgk_signal_try_filter_is_refused),
        MISUSE(sgk_signal_to_events_is_refused),
        MISUSE(sgk_signal_from_events_is_refused),
        MISUSE(sgk_signal_then_is_refused),
        MISUSE(sgk_signal_catch_is_refused),
        MISUSE(sgk_signal_start_with_is_refused),
        MISUSE(sgk_signal_end_with_is_refused),
        MISUSE(sgk_signal_default_if_empty_is_refused),
        MISUSE(sgk_signal_switch_if_empty_is_refused),
        MISUSE(sgk_signal_catch_and_return_is_refused),
        MISUSE(sgk_signal_restart_is_refused),
        MISUSE(sgk_signal_repeat_is_refused),
        MISUSE(sgk_signal_restart_if_error_is_refused),
        MISUSE(sgk_signal_restart_or_map_error_is_refused),
        MISUSE(sgk_signal_retry_if_is_refused),
        MISUSE(sgk_signal_retry_is_refused),
        MISUSE(sgk_signal_retry_on_error_is_refused),
        MISUSE(sgk_signal_retry_when_is_refused),
        MISUSE(sgk_signal_take_is_refused),
        MISUSE(sgk_signal_take_until_is_refused),
        MISUSE(sgk_signal_take_last_is_refused),
        MISUSE(sgk_signal_last_is_refused),
        MISUSE(sgk_signal_take_while_is_refused),
        MISUSE(sgk_signal_skip_is_refused),
        MISUSE(sgk_signal_skip_while_is_refused),
        MISUSE(sgk_signal_first_is_refused),
        MISUSE(sgk_signal_first_or_is_refused),
        MISUSE(sgk_signal_skip_until_signal_is_refused),
        MISUSE(sgk_signal_take_until_signal_is_refused),
        MISUSE(sgk_signal_throttle_is_refused),
        MISUSE(sgk_signal_debounce_is_refused),
        MISUSE(sgk_signal_deliver_on_is_refused),
        MISUSE(sgk_signal_deliver_on_thread_pool_is_refused),
        MISUSE(sgk_signal_deliver_on_bounded_is_refused),
        MISUSE(sgk_signal_run_on_is_refused),
        MISUSE(sgk_signal_run_on_thread_pool_is_refused),
        MISUSE(sgk_signal_delay_is_refused),
        MISUSE(sgk_signal_suspend_aware_delay_is_refused),
        MISUSE(sgk_signal_timeout_is_refused),
        MISUSE(sgk_signal_blocking_is_refused),
        MISUSE(sgk_signal_blocking_on_is_refused),
        MISUSE(sgk_signal_chunked_is_refused),
        MISUSE(sgk_signal_chunked_within_is_refused),
        MISUSE(sgk_signal_chunked_by_is_refused),
        MISUSE(sgk_signal_delay_each_is_refused),
        MISUSE(sgk_signal_timeout_between_is_refused),
        MISUSE(sgk_signal_throttle_edges_is_refused),
        MISUSE(sgk_signal_timestamped_is_refused),
        MISUSE(sgk_signal_time_interval_is_refused),
        MISUSE(sgk_signal_take_for_is_refused),
        MISUSE(sgk_signal_sample_on_is_refused),
        MISUSE(sgk_signal_sample_is_refused),
        MISUSE(sgk_signal_multicast_is_refused),
        MISUSE(sgk_signal_share_is_refused),
    };
    return cmocka_run_group_tests_name("misuse of operators on a signal", tests, NULL, NULL);
}
