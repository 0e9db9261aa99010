/* Misuse of typed and native callbacks. */
#include "misuse.h"

static sgk_signature *void_one, *i64_to_i64, *i64_to_bool, *i64_to_ptr, *two_to_i64, *two_to_bool, *two_to_ptr;

static int make_signatures(void **state) {
    make_some(state);
    void_one = sgk_signature_create("(i64) -> void");
    i64_to_i64 = sgk_signature_create("(i64) -> i64");
    i64_to_bool = sgk_signature_create("(i64) -> bool");
    i64_to_ptr = sgk_signature_create("(i64) -> ptr");
    two_to_i64 = sgk_signature_create("(i64, i64) -> i64");
    two_to_bool = sgk_signature_create("(i64, i64) -> bool");
    two_to_ptr = sgk_signature_create("(i64, i64) -> ptr");
    return 0;
}

static int drop_signatures(void **state) {
    sgk_signature *all[] = {void_one, i64_to_i64, i64_to_bool, i64_to_ptr, two_to_i64, two_to_bool, two_to_ptr};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sgk_signature_release(all[i]);
    return drop_some(state);
}

static int64_t any(int64_t value) { return value; }
#define ANY SGK_FUNCTION(any)

static void signatures(void **state) {
    (void)state;
    REFUSED_NULL(sgk_signature_create(NULL), SGK_ERROR_NULL, "sgk_signature_create: text: must not be NULL");
    assert_null(sgk_signature_shared(NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_signature_shared: text: must not be NULL");
    assert_int_equal(sgk_signature_arity(NULL), 0);
    assert_failed(SGK_ERROR_NULL, "sgk_signature_arity: signature: ");
    assert_int_equal(sgk_signature_arity(WRONG(sgk_signature)), 0);
    assert_failed(SGK_ERROR_HANDLE, "sgk_signature_arity: signature: ");
    assert_false(sgk_signature_uses_libffi(NULL));
    assert_failed(SGK_ERROR_NULL, "sgk_signature_uses_libffi: signature: ");
}

/* A typed operator; `signature` fits it, `misfit` does not. */
#define REFUSES_TYPED(name, argument, signature, misfit, complaint, ...) \
    do { \
        REFUSED_DESTROYED( \
            name(NULL __VA_ARGS__, ANY, signature, &context, counted_destroy), SGK_ERROR_NULL, #name ": signal: "); \
        REFUSED_DESTROYED(name(WRONG(sgk_signal) __VA_ARGS__, ANY, signature, &context, counted_destroy), \
            SGK_ERROR_HANDLE, #name ": signal: "); \
        REFUSED_DESTROYED(name(some_signal __VA_ARGS__, NULL, signature, &context, counted_destroy), SGK_ERROR_NULL, \
            #name ": " argument ": "); \
        REFUSED_DESTROYED(name(some_signal __VA_ARGS__, ANY, NULL, &context, counted_destroy), SGK_ERROR_NULL, \
            #name ": signature: "); \
        REFUSED_DESTROYED(name(some_signal __VA_ARGS__, ANY, WRONG(sgk_signature), &context, counted_destroy), \
            SGK_ERROR_HANDLE, #name ": signature: "); \
        if (misfit) \
            REFUSED_DESTROYED(name(some_signal __VA_ARGS__, ANY, misfit, &context, counted_destroy), \
                SGK_ERROR_ARGUMENT, #name ": signature: " complaint); \
    } while (0)

static void typed_operators(void **state) {
    (void)state;
    sgk_signature *none = NULL;
    REFUSES_TYPED(sgk_signal_map_typed, "map", i64_to_i64, void_one, "must have a result");
    REFUSES_TYPED(sgk_signal_map_error_typed, "map", i64_to_i64, void_one, "must have a result");
    REFUSES_TYPED(sgk_signal_filter_typed, "filter", i64_to_bool, i64_to_ptr, "must return bool or an integer");
    REFUSES_TYPED(sgk_signal_before_next_typed, "f", void_one, none, "");
    REFUSES_TYPED(sgk_signal_after_next_typed, "f", void_one, none, "");
    REFUSES_TYPED(sgk_signal_switch_map_typed, "map", i64_to_ptr, i64_to_i64, "must return ptr");
    REFUSES_TYPED(sgk_signal_exhaust_map_typed, "map", i64_to_ptr, i64_to_i64, "must return ptr");
    REFUSES_TYPED(sgk_signal_concat_map_typed, "map", i64_to_ptr, i64_to_i64, "must return ptr");
    REFUSES_TYPED(sgk_signal_catch_typed, "f", i64_to_ptr, i64_to_i64, "must return ptr");
    REFUSES_TYPED(
        sgk_signal_distinct_until_changed_by_typed, "equal", two_to_bool, i64_to_bool, "must have more parameters");
    REFUSES_TYPED(sgk_signal_reduce_typed, "reduce", two_to_i64, i64_to_i64, "must have more parameters", , sgk_int(0));
    REFUSES_TYPED(sgk_signal_take_while_typed, "filter", i64_to_bool, i64_to_ptr, "must return bool or an integer");
    REFUSES_TYPED(sgk_signal_skip_while_typed, "filter", i64_to_bool, i64_to_ptr, "must return bool or an integer");
    REFUSES_TYPED(sgk_signal_scan_typed, "reduce", two_to_i64, i64_to_i64, "must have more parameters", , sgk_int(0));
    REFUSES_TYPED(sgk_signal_before_error_typed, "f", void_one, none, "");
    REFUSES_TYPED(sgk_signal_concat_map_latest_typed, "map", i64_to_ptr, i64_to_i64, "must return ptr");
    REFUSES_TYPED(sgk_signal_reduce_generator_typed, "generator", two_to_ptr, i64_to_ptr, "must have more parameters", ,
        sgk_int(0));
    REFUSES_TYPED(sgk_signal_distinct_by_typed, "key", i64_to_i64, void_one, "must have a result", , NULL);
#define DISTINCT_BY(bound) sgk_signal_distinct_by_typed(some_signal, bound, ANY, i64_to_i64, &context, counted_destroy)
    REFUSES_SUSPENSION_AND_PAUSES(REFUSED_DESTROYED, DISTINCT_BY, "sgk_signal_distinct_by_typed: bound");
}

static void the_error_of_a_wrong_signature_stays(void **state) {
    (void)state;
    SGK_AUTO(sgk_signature) wrong = sgk_signature_create("(i65) -> i64");
    REFUSED_DESTROYED(sgk_signal_map_typed(some_signal, ANY, wrong, &context, counted_destroy), SGK_ERROR_ARGUMENT,
        "sgk_signature_create: text: column 2: unknown type 'i65'");
}

static void the_error_of_a_wrong_shared_signature_stays(void **state) {
    (void)state;
    REFUSED_DESTROYED(sgk_signal_map_typed(some_signal, SGK_TYPED(labs, "(i65) -> i64"), &context, counted_destroy),
        SGK_ERROR_ARGUMENT, "sgk_signature_shared: text: column 2: unknown type 'i65'");
}

static void combining_and_starting(void **state) {
    (void)state;
    sgk_signal *sources[] = {some_signal, some_signal}, *holes[] = {some_signal, NULL};
#define COMBINE(sources, count, f, signature, queue) \
    sgk_combine_latest_typed(sources, count, f, signature, &context, counted_destroy, queue)
    REFUSED_DESTROYED(COMBINE(NULL, 2, ANY, two_to_i64, NULL), SGK_ERROR_NULL, "sgk_combine_latest_typed: sources: ");
    REFUSED_DESTROYED(COMBINE(holes, 2, ANY, two_to_i64, NULL), SGK_ERROR_NULL, "sgk_combine_latest_typed: signal: ");
    REFUSED_DESTROYED(COMBINE(sources, 2, NULL, two_to_i64, NULL), SGK_ERROR_NULL, "sgk_combine_latest_typed: map: ");
    REFUSED_DESTROYED(COMBINE(sources, 2, ANY, NULL, NULL), SGK_ERROR_NULL, "sgk_combine_latest_typed: signature: ");
    REFUSED_DESTROYED(COMBINE(sources, 2, ANY, i64_to_i64, NULL), SGK_ERROR_ARGUMENT,
        "sgk_combine_latest_typed: signature: must have one parameter");
    REFUSED_DESTROYED(COMBINE(sources, 1, ANY, void_one, NULL), SGK_ERROR_ARGUMENT,
        "sgk_combine_latest_typed: signature: must have a result");
    REFUSED_DESTROYED(
        COMBINE(sources, 2, ANY, two_to_i64, WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_combine_latest_typed: queue: ");
#define ZIP(signals, f, signature) sgk_zip_typed(signals, 2, NULL, f, signature, &context, counted_destroy)
#define BOUND_ZIP(bound) sgk_zip_typed(sources, 2, bound, ANY, two_to_i64, &context, counted_destroy)
    REFUSED_DESTROYED(ZIP(NULL, ANY, two_to_i64), SGK_ERROR_NULL, "sgk_zip_typed: sources: ");
    REFUSED_DESTROYED(ZIP(holes, ANY, two_to_i64), SGK_ERROR_NULL, "sgk_zip_typed: signal: ");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_DESTROYED, BOUND_ZIP, "sgk_zip_typed: bound");
    REFUSED_DESTROYED(ZIP(sources, NULL, two_to_i64), SGK_ERROR_NULL, "sgk_zip_typed: map: ");
    REFUSED_DESTROYED(
        ZIP(sources, ANY, i64_to_i64), SGK_ERROR_ARGUMENT, "sgk_zip_typed: signature: must have one parameter");
#define LATEST(source, other, f, signature) \
    sgk_signal_with_latest_from_typed(source, other, f, signature, &context, counted_destroy)
    REFUSED_DESTROYED(
        LATEST(NULL, some_signal, ANY, two_to_i64), SGK_ERROR_NULL, "sgk_signal_with_latest_from_typed: signal: ");
    REFUSED_DESTROYED(
        LATEST(some_signal, NULL, ANY, two_to_i64), SGK_ERROR_NULL, "sgk_signal_with_latest_from_typed: other: ");
    REFUSED_DESTROYED(
        LATEST(some_signal, some_signal, NULL, two_to_i64), SGK_ERROR_NULL, "sgk_signal_with_latest_from_typed: map: ");
    REFUSED_DESTROYED(LATEST(some_signal, some_signal, ANY, i64_to_i64), SGK_ERROR_ARGUMENT,
        "sgk_signal_with_latest_from_typed: signature: must have one parameter");
#define MERGED(source, limit, f, signature) \
    sgk_signal_merge_map_typed(source, limit, NULL, f, signature, &context, counted_destroy)
#define BOUND_MERGED(waiting) \
    sgk_signal_merge_map_typed(some_signal, 1, waiting, ANY, i64_to_i64, &context, counted_destroy)
    REFUSED_DESTROYED(MERGED(NULL, 1, ANY, i64_to_i64), SGK_ERROR_NULL, "sgk_signal_merge_map_typed: signal: ");
    REFUSED_DESTROYED(
        MERGED(some_signal, 0, ANY, i64_to_i64), SGK_ERROR_ARGUMENT, "sgk_signal_merge_map_typed: limit: ");
    REFUSES_SUSPENSION_AFTER_PAUSES(REFUSED_DESTROYED, BOUND_MERGED, "sgk_signal_merge_map_typed: waiting");
    REFUSED_DESTROYED(MERGED(some_signal, 1, NULL, i64_to_i64), SGK_ERROR_NULL, "sgk_signal_merge_map_typed: map: ");
    REFUSED_DESTROYED(
        MERGED(some_signal, 1, ANY, i64_to_i64), SGK_ERROR_ARGUMENT, "sgk_signal_merge_map_typed: signature: ");
#define START(signal, next, next_signature, end, end_signature) \
    sgk_signal_start_typed(signal, next, next_signature, NULL, NULL, end, end_signature, &context, counted_destroy)
    REFUSED_DESTROYED(START(NULL, ANY, i64_to_i64, NULL, NULL), SGK_ERROR_NULL, "sgk_signal_start_typed: signal: ");
    REFUSED_DESTROYED(
        START(WRONG(sgk_signal), ANY, i64_to_i64, NULL, NULL), SGK_ERROR_HANDLE, "sgk_signal_start_typed: signal: ");
    REFUSED_DESTROYED(
        START(some_signal, NULL, i64_to_i64, NULL, NULL), SGK_ERROR_NULL, "sgk_signal_start_typed: next: ");
    REFUSED_DESTROYED(START(some_signal, ANY, NULL, NULL, NULL), SGK_ERROR_NULL, "sgk_signal_start_typed: signature: ");
    REFUSED_DESTROYED(START(some_signal, NULL, NULL, ANY, void_one), SGK_ERROR_ARGUMENT,
        "sgk_signal_start_typed: completed: must have no parameters");
    REFUSED_DESTROYED(START(some_signal, NULL, NULL, ANY, WRONG(sgk_signature)), SGK_ERROR_HANDLE,
        "sgk_signal_start_typed: signature: ");
}

static sgk_value no_answer(void *context_, const sgk_value *values, size_t count) {
    (void)context_;
    (void)values;
    (void)count;
    return sgk_null();
}

static void native_callbacks(void **state) {
    (void)state;
    SGK_AUTO(sgk_signature) text = sgk_signature_create("() -> cstr");
#define CREATE(signature, result, handler) sgk_callback_create(signature, result, handler, &context, counted_destroy)
    REFUSED_DESTROYED(CREATE(NULL, sgk_null(), no_answer), SGK_ERROR_NULL, "sgk_callback_create: signature: ");
    REFUSED_DESTROYED(
        CREATE(WRONG(sgk_signature), sgk_null(), no_answer), SGK_ERROR_HANDLE, "sgk_callback_create: signature: ");
    REFUSED_DESTROYED(
        CREATE(i64_to_i64, sgk_double(1), no_answer), SGK_ERROR_KIND, "sgk_callback_create: result: must be an int");
    REFUSED_DESTROYED(CREATE(text, sgk_null(), no_answer), SGK_ERROR_ARGUMENT,
        "sgk_callback_create: signature: a handler must not return a text");
#define CREATE_TYPED(signature, result, handler, handler_signature) \
    sgk_callback_create_typed(signature, result, handler, handler_signature, &context, counted_destroy)
    REFUSED_DESTROYED(
        CREATE_TYPED(NULL, sgk_null(), ANY, i64_to_i64), SGK_ERROR_NULL, "sgk_callback_create_typed: signature: ");
    REFUSED_DESTROYED(
        CREATE_TYPED(i64_to_i64, sgk_null(), NULL, i64_to_i64), SGK_ERROR_NULL, "sgk_callback_create_typed: handler: ");
    REFUSED_DESTROYED(
        CREATE_TYPED(i64_to_i64, sgk_null(), ANY, NULL), SGK_ERROR_NULL, "sgk_callback_create_typed: signature: ");
    REFUSED_DESTROYED(CREATE_TYPED(i64_to_i64, sgk_null(), ANY, two_to_i64), SGK_ERROR_ARGUMENT,
        "sgk_callback_create_typed: handler_signature: must take as many");
    REFUSED_NULL(sgk_callback_function(NULL), SGK_ERROR_NULL, "sgk_callback_function: callback: ");
    REFUSED_NULL(sgk_callback_function(WRONG(sgk_callback)), SGK_ERROR_HANDLE, "sgk_callback_function: callback: ");
    REFUSED_NULL(sgk_callback_signal(NULL), SGK_ERROR_NULL, "sgk_callback_signal: callback: ");
    REFUSED_NULL(sgk_callback_disposable(NULL), SGK_ERROR_NULL, "sgk_callback_disposable: callback: ");
}

int run_misuse_typed(void) {
#define MISUSE_TYPED(name) cmocka_unit_test_setup_teardown(name, make_signatures, drop_signatures)
    const struct CMUnitTest tests[] = {
        MISUSE_TYPED(signatures),
        MISUSE_TYPED(typed_operators),
        MISUSE_TYPED(the_error_of_a_wrong_signature_stays),
        MISUSE_TYPED(the_error_of_a_wrong_shared_signature_stays),
        MISUSE_TYPED(combining_and_starting),
        MISUSE_TYPED(native_callbacks),
    };
    return cmocka_run_group_tests_name("misuse of typed callbacks", tests, NULL, NULL);
}
