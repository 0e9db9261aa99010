/* Misuse of the operators that misuse_made.c, generated from the headers, does not contain. */
#include "misuse.h"

static sgk_value any_of_one(void *context_, sgk_value value) {
    (void)context_;
    return value;
}

static sgk_signal *any_inner(void *context_, sgk_value value) {
    (void)context_;
    (void)value;
    return NULL;
}
static sgk_signal *any_group(void *context_, sgk_value key, sgk_signal *values) {
    (void)context_;
    (void)key;
    (void)values;
    return NULL;
}

static void arguments_out_of_range(void **state) {
    (void)state;
    REFUSED_NULL(sgk_signal_repeat(some_signal, -2), SGK_ERROR_ARGUMENT, "sgk_signal_repeat: count: must be 0 or more");
    REFUSED_NULL(sgk_signal_repeat(some_signal, INT64_MIN), SGK_ERROR_ARGUMENT, "sgk_signal_repeat: count: ");
#define TO_ARRAY(bound) sgk_signal_to_array(some_signal, bound)
#define DISTINCT(bound) sgk_signal_distinct(some_signal, bound)
#define DISTINCT_BY(bound) sgk_signal_distinct_by(some_signal, bound, any_of_one, &context, counted_destroy)
#define MAPPED_PER_KEY(bound) \
    sgk_signal_switch_map_per(some_signal, bound, any_of_one, any_inner, &context, counted_destroy)
#define GROUPED_BY(bound) sgk_signal_group_by(some_signal, bound, any_of_one, any_group, &context, counted_destroy)
#define DELAY(bound) sgk_signal_delay(some_signal, 1, bound, some_queue)
#define RATE_LIMIT(waiting) sgk_signal_rate_limit(some_signal, 1, 1, waiting, some_queue)
    REFUSES_SUSPENSION_AND_PAUSES(REFUSED_NULL, TO_ARRAY, "sgk_signal_to_array: bound");
    REFUSES_SUSPENSION_AND_PAUSES(REFUSED_NULL, DISTINCT, "sgk_signal_distinct: bound");
    REFUSES_SUSPENSION_AND_PAUSES(REFUSED_DESTROYED, DISTINCT_BY, "sgk_signal_distinct_by: bound");
    REFUSES_SUSPENSION_AND_PAUSES(REFUSED_DESTROYED, MAPPED_PER_KEY, "sgk_signal_switch_map_per: bound");
    REFUSES_SUSPENSION_AND_PAUSES(REFUSED_DESTROYED, GROUPED_BY, "sgk_signal_group_by: bound");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_NULL, DELAY, "sgk_signal_delay: bound");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_NULL, RATE_LIMIT, "sgk_signal_rate_limit: waiting");
    REFUSED_NULL(sgk_signal_rate_limit(some_signal, 1, (double)INFINITY, NULL, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_rate_limit: seconds: must be finite");
    REFUSED_NULL(
        TO_ARRAY(SGK_BOUND(.limit = SGK_UNBUFFERED)), SGK_ERROR_ARGUMENT, "sgk_signal_to_array: bound.limit: ");
    REFUSED_DESTROYED(
        sgk_signal_deferred(NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_signal_deferred: generator: ");
}

static sgk_value any_of_many(void *context_, const sgk_value *values, size_t count) {
    (void)context_;
    (void)values;
    (void)count;
    return sgk_null();
}

static void operators_on_several_signals(void **state) {
    (void)state;
    sgk_signal *with_null[] = {some_signal, NULL}, *with_wrong[] = {some_signal, WRONG(sgk_signal)};
    REFUSED_NULL(sgk_combine_latest(NULL, 2, NULL), SGK_ERROR_NULL, "sgk_combine_latest: sources: ");
    REFUSED_NULL(sgk_combine_latest(with_null, 2, NULL), SGK_ERROR_NULL, "sgk_combine_latest: signal: ");
    REFUSED_NULL(sgk_combine_latest(with_null, SIZE_MAX, NULL), SGK_ERROR_ARGUMENT, "sgk_combine_latest: count: ");
    REFUSED_NULL(sgk_combine_latest(with_null, 1, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_combine_latest: queue: ");
#define COMBINE(signals, count, f, queue) \
    sgk_combine_latest_map((signals), (count), (f), &context, counted_destroy, (queue))
    REFUSED_DESTROYED(COMBINE(NULL, 2, any_of_many, NULL), SGK_ERROR_NULL, "sgk_combine_latest_map: sources: ");
    REFUSED_DESTROYED(COMBINE(with_null, 2, any_of_many, NULL), SGK_ERROR_NULL, "sgk_combine_latest_map: signal: ");
    REFUSED_DESTROYED(COMBINE(with_wrong, 2, any_of_many, NULL), SGK_ERROR_HANDLE, "sgk_combine_latest_map: signal: ");
    REFUSED_DESTROYED(
        COMBINE(with_null, SIZE_MAX, any_of_many, NULL), SGK_ERROR_ARGUMENT, "sgk_combine_latest_map: count: ");
    REFUSED_DESTROYED(COMBINE(with_null, 1, NULL, NULL), SGK_ERROR_NULL, "sgk_combine_latest_map: map: ");
    REFUSED_DESTROYED(
        COMBINE(with_null, 1, any_of_many, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_combine_latest_map: queue: ");
    REFUSED_NULL(sgk_merge(NULL, 2), SGK_ERROR_NULL, "sgk_merge: sources: ");
    REFUSED_NULL(sgk_merge(with_null, 2), SGK_ERROR_NULL, "sgk_merge: signal: ");
    REFUSED_NULL(sgk_merge(with_null, SIZE_MAX), SGK_ERROR_ARGUMENT, "sgk_merge: count: ");
    REFUSED_NULL(sgk_concat(NULL, 2), SGK_ERROR_NULL, "sgk_concat: sources: ");
    REFUSED_NULL(sgk_concat(with_null, 2), SGK_ERROR_NULL, "sgk_concat: signal: ");
    REFUSED_NULL(sgk_concat(with_wrong, 2), SGK_ERROR_HANDLE, "sgk_concat: signal: ");
    REFUSED_NULL(sgk_concat(with_null, SIZE_MAX), SGK_ERROR_ARGUMENT, "sgk_concat: count: ");
}

static void bounds_of_operators_that_join(void **state) {
    (void)state;
    sgk_signal *sources[] = {some_signal, NULL}, *wrong[] = {WRONG(sgk_signal)};
#define MERGED(waiting) sgk_signal_merge_all(some_signal, 1, waiting)
#define MAPPED(waiting) sgk_signal_merge_map(some_signal, 1, waiting, any_inner, &context, counted_destroy)
#define MERGED_IN_ORDER(waiting) sgk_signal_merge_all_ordered(some_signal, 1, waiting)
#define MAPPED_IN_ORDER(waiting) sgk_signal_map_ordered(some_signal, 1, waiting, any_inner, &context, counted_destroy)
#define ZIP(bound) sgk_zip(sources, 1, bound)
#define ZIP_MAP(bound) sgk_zip_map(sources, 1, bound, any_of_many, &context, counted_destroy)
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_NULL, MERGED, "sgk_signal_merge_all: waiting");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_DESTROYED, MAPPED, "sgk_signal_merge_map: waiting");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_NULL, MERGED_IN_ORDER, "sgk_signal_merge_all_ordered: waiting");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_DESTROYED, MAPPED_IN_ORDER, "sgk_signal_map_ordered: waiting");
    REFUSED_NULL(sgk_signal_merge_all_ordered(some_signal, 0, NULL), SGK_ERROR_ARGUMENT,
        "sgk_signal_merge_all_ordered: limit: ");
    REFUSED_DESTROYED(sgk_signal_map_ordered(some_signal, -3, NULL, any_inner, &context, counted_destroy),
        SGK_ERROR_ARGUMENT, "sgk_signal_map_ordered: limit: ");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_NULL, ZIP, "sgk_zip: bound");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_DESTROYED, ZIP_MAP, "sgk_zip_map: bound");
    REFUSED_NULL(sgk_signal_merge_all(some_signal, 0, NULL), SGK_ERROR_ARGUMENT, "sgk_signal_merge_all: limit: ");
    REFUSED_NULL(
        sgk_signal_merge_all(some_signal, INT64_MIN, NULL), SGK_ERROR_ARGUMENT, "sgk_signal_merge_all: limit: ");
    REFUSED_DESTROYED(sgk_signal_merge_map(some_signal, 0, NULL, any_inner, &context, counted_destroy),
        SGK_ERROR_ARGUMENT, "sgk_signal_merge_map: limit: ");
    REFUSED_NULL(sgk_zip(NULL, 2, NULL), SGK_ERROR_NULL, "sgk_zip: sources: ");
    REFUSED_NULL(sgk_zip(sources, 2, NULL), SGK_ERROR_NULL, "sgk_zip: signal: ");
    REFUSED_NULL(sgk_zip(wrong, 1, NULL), SGK_ERROR_HANDLE, "sgk_zip: signal: ");
    REFUSED_NULL(sgk_zip(sources, SIZE_MAX, NULL), SGK_ERROR_ARGUMENT, "sgk_zip: count: ");
    REFUSED_DESTROYED(
        sgk_zip_map(NULL, 2, NULL, any_of_many, &context, counted_destroy), SGK_ERROR_NULL, "sgk_zip_map: sources: ");
    REFUSED_DESTROYED(
        sgk_zip_map(sources, 1, NULL, NULL, &context, counted_destroy), SGK_ERROR_NULL, "sgk_zip_map: map: ");
    REFUSED_NULL(sgk_race(NULL, 2), SGK_ERROR_NULL, "sgk_race: sources: ");
    REFUSED_NULL(sgk_race(sources, 2), SGK_ERROR_NULL, "sgk_race: signal: ");
    REFUSED_NULL(sgk_race(sources, SIZE_MAX), SGK_ERROR_ARGUMENT, "sgk_race: count: ");
}

static sgk_value any_step(void *context_, sgk_value accumulated, sgk_value value) {
    (void)context_;
    (void)value;
    return sgk_value_retain(accumulated);
}

static sgk_signal *any_round(void *context_, const sgk_value *accumulated) {
    (void)context_;
    (void)accumulated;
    return NULL;
}

static void loops_and_structs(void **state) {
    (void)state;
    REFUSED_DESTROYED(sgk_accumulating_loop(NULL, any_step, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_accumulating_loop: once: ");
    REFUSED_DESTROYED(sgk_accumulating_loop(any_round, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_accumulating_loop: reduce: ");
}

static void stages(void **state) {
    (void)state;
    static const char *const names[] = {"sum", NULL};
    sgk_stage stage = SGK_STAGE_INIT;
    stage.context = &context;
    stage.destroy = counted_destroy;
    REFUSED_NULL(sgk_signal_stage(some_signal, NULL), SGK_ERROR_NULL, "sgk_signal_stage: stage: ");
    REFUSED_DESTROYED(sgk_signal_stage(some_signal, &stage), SGK_ERROR_NULL, "sgk_signal_stage: next: ");
    stage.next = any_of_one;
    REFUSED_DESTROYED(sgk_signal_stage(NULL, &stage), SGK_ERROR_NULL, "sgk_signal_stage: signal: ");
    REFUSED_DESTROYED(sgk_signal_stage(WRONG(sgk_signal), &stage), SGK_ERROR_HANDLE, "sgk_signal_stage: signal: ");
    stage.name_count = 2;
    REFUSED_DESTROYED(sgk_signal_stage(some_signal, &stage), SGK_ERROR_NULL, "sgk_signal_stage: names: ");
    stage.names = names;
    REFUSED_DESTROYED(sgk_signal_stage(some_signal, &stage), SGK_ERROR_NULL, "sgk_signal_stage: names: ");
    static const size_t too_many[] = {501, SIZE_MAX}; /* it does not read names that may not be there */
    for (int i = 0; i < 2; i++) {
        stage.name_count = too_many[i];
        REFUSED_DESTROYED(sgk_signal_stage(some_signal, &stage), SGK_ERROR_ARGUMENT, "sgk_signal_stage: name_count: ");
    }
    stage.size = 1;
    REFUSED_NULL(sgk_signal_stage(some_signal, &stage), SGK_ERROR_ARGUMENT, "sgk_signal_stage: stage: ");
}

static void events_edges_and_waits(void **state) {
    (void)state;
    assert_int_equal(sgk_event((sgk_event_kind)3, sgk_int(1)).kind, SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_event: kind: must be ");
    REFUSED_NULL(sgk_signal_throttle(some_signal, 1, (sgk_edges)0, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_throttle: edges: ");
    REFUSED_NULL(sgk_signal_throttle(some_signal, 1, (sgk_edges)4, some_queue), SGK_ERROR_ARGUMENT,
        "sgk_signal_throttle: edges: ");
    REFUSED_NULL(sgk_signal_sample(some_signal, 0, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_sample: seconds: ");
    REFUSED_NULL(
        sgk_signal_sample(some_signal, INFINITY, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_sample: seconds: ");
}

static sgk_signal *never_asked(void *context, sgk_value error, int64_t failures) {
    (void)context, (void)error, (void)failures;
    fail();
    return NULL;
}

/* The context is destroyed, except that of a struct of another size, which is not read. */
static void policies_of_retry(void **state) {
    (void)state;
#define CONTEXT .decide = never_asked, .context = &context, .destroy = counted_destroy
#define REFUSES(field, complaint) \
    REFUSED_DESTROYED(sgk_signal_retry(some_signal, SGK_RETRY(field, CONTEXT), some_queue), SGK_ERROR_ARGUMENT, \
        "sgk_signal_retry: policy" complaint)
    REFUSES(.attempts = -1, ".attempts: ");
    REFUSES(.delay = -0.5, ".delay: ");
    REFUSES(.delay = -2, ".delay: ");
    REFUSES(.delay = (double)NAN, ".delay: ");
    REFUSES(.factor = 0.5, ".factor: ");
    REFUSES(.factor = -1, ".factor: ");
    REFUSES(.factor = (double)NAN, ".factor: ");
    REFUSES(.increment = -1, ".increment: ");
    REFUSES(.increment = (double)NAN, ".increment: ");
    REFUSES(.max_delay = -1, ".max_delay: ");
    REFUSES(.max_delay = (double)NAN, ".max_delay: ");
    REFUSES(.jitter = -0.5, ".jitter: ");
    REFUSES(.jitter = 1.5, ".jitter: ");
    REFUSES(.jitter = (double)NAN, ".jitter: ");
    REFUSES(.reset_after = -1, ".reset_after: ");
    REFUSES(.reset_after = (double)NAN, ".reset_after: ");
#undef REFUSES
    REFUSED_DESTROYED(
        sgk_signal_retry(NULL, SGK_RETRY(CONTEXT), some_queue), SGK_ERROR_NULL, "sgk_signal_retry: signal: ");
    REFUSED_DESTROYED(
        sgk_signal_retry(some_signal, SGK_RETRY(CONTEXT), WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_signal_retry: queue: ");
#undef CONTEXT
    const size_t sizes[] = {
        0, 4, sizeof(void *), offsetof(sgk_retry, destroy), sizeof(sgk_retry) - 1, sizeof(sgk_retry) + 1, 8192};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const sgk_retry policy = {.size = sizes[i]};
        REFUSED_NULL(
            sgk_signal_retry(some_signal, &policy, some_queue), SGK_ERROR_ARGUMENT, "sgk_signal_retry: policy: ");
    }
}

int run_misuse_operators(void) {
    const struct CMUnitTest tests[] = {
        MISUSE(arguments_out_of_range),
        MISUSE(operators_on_several_signals),
        MISUSE(loops_and_structs),
        MISUSE(stages),
        MISUSE(policies_of_retry),
        MISUSE(events_edges_and_waits),
        MISUSE(bounds_of_operators_that_join),
    };
    return cmocka_run_group_tests_name("misuse of operators", tests, NULL, NULL);
}
