/* Readers, typed functions, and inspection of subscriptions. */
#include "scenarios.h"

bool reads(void) {
    sgk_value value = sgk_null();
    MADE(sgk_signal, numbers, sgk_signal_range(1, 4));
    MADE(sgk_reader, reader, sgk_reader_create(numbers, SGK_BOUND(.limit = 10, .overflow = SGK_OVERFLOW_DROP_OLDEST)));
    int fd = sgk_reader_fd(reader);
    if (fd < 0) return refused();
    for (int i = 1; i <= 4; i++) {
        DONE(sgk_reader_next(reader, 0, &value));
        MUST(sgk_to_int(value) == i);
    }
    MUST(sgk_reader_next(reader, 0, &value) == SGK_ERROR_COMPLETED);
    seen *seen = new_seen();
    DONE(sgk_reader_when_ready(reader, count_call, given(seen), forget_seen));
    MUST(seen->values == 1);
    DONE(sgk_signal_get(numbers, 1, &value));
    MUST(sgk_to_int(value) == 1);
    DONE(sgk_signal_collect(numbers, 10, 1, &value));
    MUST(weight(value) == 10);
    sgk_value_release(value);
    return true;
}

static int64_t twice(int64_t number) { return 2 * number; }
static bool is_even(double number) { return (int64_t)number % 2 == 0; }

bool typed(void) {
    MADE(sgk_signature, of_twice, sgk_signature_create("(i64) -> i64"));
    MADE(sgk_signature, of_even, sgk_signature_create("(f64) -> bool via libffi"));
    MADE(sgk_signal, numbers, sgk_signal_range(1, 4));
    MADE(sgk_signal, doubled, sgk_signal_map_typed(numbers, SGK_FUNCTION(twice), of_twice, NULL, NULL));
    STAGE(doubled, sgk_signal_filter_typed(doubled, SGK_FUNCTION(is_even), of_even, given(new_seen()), forget_seen));
    seen *seen = new_seen(), *called = new_seen(), *handled = new_seen();
    RUN(run, start(doubled, seen));
    MADE(sgk_signature, of_native, sgk_signature_create("(i64, i64) -> void"));
    MADE(sgk_signature, of_other, sgk_signature_create("(i64, i64) -> void via libffi"));
    MADE(sgk_callback, native, sgk_callback_create(of_native, sgk_null(), NULL, given(handled), forget_seen));
    MADE(sgk_callback, other, sgk_callback_create(of_other, sgk_null(), NULL, NULL, NULL));
    MADE(sgk_signal, calls, sgk_callback_signal(native));
    MADE(sgk_signal, more, sgk_callback_signal(other));
    STAGE(calls, sgk_merge((sgk_signal *[]){calls, more}, 2));
    RUN(listening, start(calls, called));
    ((void (*)(int64_t, int64_t))sgk_callback_function(native))(3, 4);
    ((void (*)(int64_t, int64_t))sgk_callback_function(other))(5, 6);
    return came(seen, 4, 20, true) && came(called, 2, 18, false);
}

static void add_length(void *context, const char *text, size_t length) {
    (void)text;
    *(size_t *)context += length;
}

static void count_event(void *context, const sgk_trace_event *event) {
    (void)event;
    count_call(context);
}

bool sight(void) {
    size_t length = 0;
    MADE(sgk_pipe, pipe, sgk_pipe_create());
    MADE(sgk_signal, signal, sgk_pipe_signal(pipe));
    STAGE(signal, sgk_signal_map(signal, plus_one, NULL, NULL));
    STAGE(signal, sgk_signal_named_at(signal, "a name", SGK_HERE));
    STAGE(signal, sgk_merge((sgk_signal *[]){signal, signal}, 2));
    HELD(text, sgk_signal_describe(signal, SGK_DEBUG_TEXT));
    HELD(dot, sgk_signal_describe(signal, SGK_DEBUG_DOT));
    HELD(json, sgk_signal_describe(signal, SGK_DEBUG_JSON));
    MUST(weight(text) > 20 && weight(dot) > 100 && weight(json) > 100);
    sgk_debug_watch(true);
    seen *events = new_seen(), *seen = new_seen();
    sgk_set_trace_handler(count_event, given(events), forget_seen);
    sgk_disposable *run = start(signal, seen);
    bool is_fine = run && sgk_pipe_next(pipe, sgk_int(1)) == SGK_OK &&
        sgk_debug_graph(SGK_DEBUG_JSON, add_length, &length) == SGK_OK && sgk_debug_dump(add_length, &length) == SGK_OK;
    if (is_fine) MUST(length > 200 && events->values > 3);
    if (run) sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_set_trace_handler(NULL, NULL, NULL);
    sgk_debug_watch(false);
    return is_fine ? came(seen, 2, 4, false) : refused();
}
