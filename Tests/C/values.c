/* Values: makers, readers, boxes, equality, texts. */
#include "suite.h"

#include <math.h>

static void plain_values_are_what_they_were_made_of(void **state) {
    (void)state;
    assert_int_equal(sizeof(sgk_value), 16);
    assert_int_equal(sgk_to_int(sgk_int(INT64_MIN)), INT64_MIN);
    assert_int_equal(sgk_to_int(sgk_int(INT64_MAX)), INT64_MAX);
    assert_true(sgk_to_double(sgk_double(0.1)) == 0.1);
    assert_true(isnan(sgk_to_double(sgk_double(NAN))));
    assert_true(sgk_to_bool(sgk_bool(true)));
    assert_false(sgk_to_bool(sgk_bool(false)));
    assert_ptr_equal(sgk_to_pointer(sgk_pointer(state)), state);
    assert_int_equal(sgk_value_kind(sgk_null()), SGK_NULL);
    assert_int_equal(sgk_value_kind(sgk_pointer(NULL)), SGK_POINTER);
}

static void reading_another_kind_gives_nothing_but_ints_as_doubles(void **state) {
    (void)state;
    assert_int_equal(sgk_to_int(sgk_double(3)), 0);
    assert_true(sgk_to_double(sgk_int(-3)) == -3.0);
    assert_true(sgk_to_double(sgk_bool(true)) == 0);
    assert_false(sgk_to_bool(sgk_int(1)));
    assert_null(sgk_to_pointer(sgk_int(1)));
}

static void strings_and_bytes_are_copies(void **state) {
    (void)state;
    char text[] = "grün";
    sgk_value string = sgk_string(text);
    text[0] = 'x';
    size_t length = 0;
    assert_string_equal(sgk_value_data(string, &length), "grün");
    assert_int_equal(length, 5);
    sgk_value part = sgk_string_n("ab\0cd", 5);
    assert_memory_equal(sgk_value_data(part, &length), "ab\0cd", 6);
    assert_int_equal(length, 5);
    sgk_value bytes = sgk_bytes("\x01\xff", 2);
    assert_int_equal(sgk_value_kind(bytes), SGK_BYTES);
    assert_memory_equal(sgk_value_data(bytes, NULL), "\x01\xff", 2);
    sgk_value empty = sgk_bytes(NULL, 0);
    assert_string_equal(sgk_value_data(empty, &length), "");
    assert_int_equal(length, 0);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 4);
    sgk_value_release(string);
    sgk_value_release(part);
    sgk_value_release(bytes);
    sgk_value_release(empty);
}

static void a_format_makes_a_string_of_any_length(void **state) {
    (void)state;
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    size_t length = 0;
    sgk_value text = sgk_string_f("%d of %s", 3, "five");
    assert_int_equal(sgk_value_kind(text), SGK_STRING);
    assert_string_equal(sgk_value_data(text, &length), "3 of five");
    assert_int_equal(length, 9);
    sgk_value large = sgk_string_f("%s%c%c", long_text, 0, 'y'), empty = sgk_string_f("%s", "");
    assert_memory_equal(sgk_value_data(large, &length), long_text, 4999);
    assert_int_equal(length, 5001);
    assert_memory_equal(sgk_value_data(large, NULL) + 4999, "\0y", 3);
    assert_string_equal(sgk_value_data(empty, &length), "");
    assert_int_equal(length, 0);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 3);
    sgk_value_release(text);
    sgk_value_release(large);
    sgk_value_release(empty);
}

static void arrays_hold_their_items(void **state) {
    (void)state;
    sgk_value items[] = {sgk_int(1), sgk_string("two"), sgk_null()};
    sgk_value array = sgk_array(items, 3);
    sgk_value_release(items[1]);
    size_t count = 0;
    assert_non_null(sgk_array_items(array, &count));
    assert_int_equal(count, 3);
    assert_int_equal(sgk_to_int(sgk_array_at(array, 0)), 1);
    assert_string_equal(sgk_value_data(sgk_array_at(array, 1), NULL), "two");
    sgk_value again = sgk_value_retain(array);
    sgk_value_release(array);
    assert_int_equal(sgk_value_kind(sgk_array_at(again, 2)), SGK_NULL);
    sgk_value_release(again);
}

static void equality_and_hashes_go_by_content(void **state) {
    (void)state;
    sgk_value a = sgk_string("same"), b = sgk_string("same"), c = sgk_bytes("same", 4), d = sgk_string("sane");
    assert_true(sgk_value_equal(a, b));
    assert_int_equal(sgk_value_hash(a), sgk_value_hash(b));
    assert_false(sgk_value_equal(a, c));
    assert_false(sgk_value_equal(a, d));
    assert_false(sgk_value_equal(sgk_int(1), sgk_double(1)));
    assert_true(sgk_value_equal(sgk_double(NAN), sgk_double(NAN)));
    assert_false(sgk_value_equal(sgk_double(0.0), sgk_double(-0.0)));
    assert_int_equal(sgk_value_hash(sgk_int(5)), sgk_value_hash(sgk_int(5)));
    assert_int_not_equal(sgk_value_hash(sgk_int(5)), sgk_value_hash(sgk_int(6)));
    sgk_value one[] = {a, sgk_int(1)}, two[] = {b, sgk_int(1)}, three[] = {b, sgk_int(2)};
    sgk_value x = sgk_array(one, 2), y = sgk_array(two, 2), z = sgk_array(three, 2), w = sgk_array(one, 1);
    assert_true(sgk_value_equal(x, y));
    assert_int_equal(sgk_value_hash(x), sgk_value_hash(y));
    assert_false(sgk_value_equal(x, z));
    assert_false(sgk_value_equal(x, w));
    sgk_value all[] = {a, b, c, d, x, y, z, w};
    for (size_t i = 0; i < 8; i++) sgk_value_release(all[i]);
}

typedef struct thing {
    int retained, released, number;
} thing;

static void thing_retain(void *object) { ((thing *)object)->retained++; }
static void thing_release(void *object) { ((thing *)object)->released++; }
static bool thing_equal(void *a, void *b) { return ((thing *)a)->number == ((thing *)b)->number; }
static uint64_t thing_hash(void *object) { return (uint64_t)((thing *)object)->number; }
static size_t thing_describe(void *object, char *text, size_t size) {
    return (size_t)snprintf(text, size, "thing %d", ((thing *)object)->number);
}

static const sgk_object_type thing_type = {
    sizeof thing_type, "thing", thing_retain, thing_release, thing_equal, thing_hash, thing_describe};
static const sgk_object_type plain_type = {sizeof plain_type, "plain", NULL, NULL, NULL, NULL, NULL};

static void foreign_objects_are_retained_once_and_released_once(void **state) {
    (void)state;
    thing first = {0, 0, 7}, second = {0, 0, 7};
    sgk_value a = sgk_object(&first, &thing_type), b = sgk_object(&second, &thing_type);
    assert_int_equal(first.retained, 1);
    assert_ptr_equal(sgk_to_object(a, &thing_type), &first);
    assert_true(sgk_value_equal(a, b));
    assert_int_equal(sgk_value_hash(a), sgk_value_hash(b));
    char text[32];
    assert_int_equal(sgk_value_describe(a, text, sizeof text), 7);
    assert_string_equal(text, "thing 7");
    sgk_value_release(sgk_value_retain(a));
    assert_int_equal(first.released, 0);
    sgk_value_release(a);
    sgk_value_release(b);
    assert_int_equal(first.retained, 1);
    assert_int_equal(first.released, 1);
    assert_int_equal(second.released, 1);

    sgk_value plain = sgk_object(&first, &plain_type), same = sgk_object(&first, &plain_type);
    sgk_value other = sgk_object(&second, &plain_type);
    assert_true(sgk_value_equal(plain, same));
    assert_int_equal(sgk_value_hash(plain), sgk_value_hash(same));
    assert_false(sgk_value_equal(plain, other));
    sgk_value_release(plain);
    sgk_value_release(same);
    sgk_value_release(other);
}

static bool must_not_be_asked(void *a, void *b) {
    fail_msg("%p and %p are of two owners", a, b);
    return true;
}

/* It would read a foreign object as one of its own type. */
static void an_object_is_asked_about_its_own_type_alone(void **state) {
    (void)state;
    int object, foreign;
    static const sgk_object_type type = {sizeof type, "one", NULL, NULL, must_not_be_asked, NULL, NULL};
    static const sgk_object_type same_content = {sizeof type, "one", NULL, NULL, must_not_be_asked, NULL, NULL};
    sgk_value values[] = {sgk_object(&object, &type), sgk_object(&foreign, &same_content),
        sgk_object(&object, &plain_type), sgk_object(&object, &same_content)};
    for (int i = 1; i < 4; i++) {
        assert_false(sgk_value_equal(values[0], values[i]));
        assert_false(sgk_value_equal(values[i], values[0]));
    }
    assert_ptr_equal(sgk_to_object(values[3], &same_content), &object);
    assert_null(sgk_to_object(values[3], &type));
    assert_failed(SGK_ERROR_KIND, "sgk_to_object: value: must be an object of the type one, not one");
    for (int i = 0; i < 4; i++) sgk_value_release(values[i]);
}

/* Fields that this version does not know are 0. */
static void a_type_of_a_newer_program_is_longer(void **state) {
    (void)state;
    static const struct {
        sgk_object_type known;
        void *unknown;
    } type = {{sizeof type, "newer", NULL, thing_release, NULL, NULL, NULL}, NULL};
    thing object = {0, 0, 1};
    sgk_value value = sgk_object(&object, &type.known);
    assert_ptr_equal(sgk_to_object(value, &type.known), &object);
    sgk_value_release(value);
    assert_int_equal(object.released, 1);
}

static void assert_text(sgk_value value, const char *expected) {
    char text[64];
    size_t length = sgk_value_describe(value, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    assert_int_equal(sgk_value_describe(value, NULL, 0), length);
    char three[3];
    sgk_value_describe(value, three, sizeof three);
    assert_memory_equal(three, expected, 2);
    assert_int_equal(three[2], 0);
    sgk_value_release(value);
}

static void values_describe_themselves(void **state) {
    (void)state;
    assert_text(sgk_null(), "null");
    assert_text(sgk_bool(true), "true");
    assert_text(sgk_bool(false), "false");
    assert_text(sgk_int(INT64_MIN), "-9223372036854775808");
    assert_text(sgk_double(0.25), "0.25");
    assert_text(sgk_pointer((void *)0x10), "0x10");
    assert_text(sgk_string("text"), "text");
    assert_text(sgk_bytes("\x01\xff\x9a", 3), "01ff9a");
    sgk_value inner[] = {sgk_int(1), sgk_bool(true)};
    sgk_value outer[] = {sgk_array(inner, 2), sgk_null()};
    assert_text(sgk_array(outer, 2), "[[1, true], null]");
    sgk_value_release(outer[0]);
    assert_text(sgk_array(NULL, 0), "[]");
    assert_text(sgk_error(SGK_ERROR_TIMEOUT, "timed out"), "timed out");
    assert_text(sgk_error(404, "load"), "load (404)");
    sgk_value parts[] = {sgk_int(1), sgk_give(sgk_error(404, "load")), sgk_int(2)};
    sgk_value array = sgk_give(sgk_array(parts, 3));
    assert_text(sgk_error_from(-1, "b", array), "b, caused by [1, load (404), 2]");
    array = sgk_give(sgk_error_from(-1, "b", sgk_give(sgk_error_from(7, "c", sgk_int(3)))));
    assert_text(sgk_error_from(-1, "a", array), "a, caused by b, caused by c (7), caused by 3");
}

static void signals_are_values_too(void **state) {
    (void)state;
    sgk_signal *signal = sgk_signal_just(sgk_int(1));
    sgk_value a = sgk_signal_value(signal), b = sgk_signal_value(signal);
    sgk_signal_release(signal);
    assert_true(sgk_value_equal(a, b));
    assert_int_equal(sgk_value_hash(a), sgk_value_hash(b));
    sgk_signal *back = sgk_to_signal(a);
    assert_non_null(back);
    sgk_signal_release(back);
    sgk_value_release(a);
    sgk_value_release(b);
}

/* A callback releases the program's only reference and replaces it by another. */
static void replace(void *context, sgk_value value) {
    sgk_value *kept = context;
    sgk_value_release(*kept);
    *kept = sgk_string(sgk_value_data(value, NULL));
}

static void count_letters(void *context, sgk_value value) {
    size_t length = 0;
    assert_string_equal(sgk_value_data(value, &length), "kept by nobody else");
    *(size_t *)context += length;
}

static void what_is_passed_lives_until_the_call_returns(void **state) {
    (void)state;
    sgk_value kept = sgk_string("kept by nobody else");
    size_t letters = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(signal, replace, &kept, NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(signal, count_letters, &letters, NULL);
    for (int i = 0; i < 3; i++) assert_int_equal(sgk_pipe_next(pipe, kept), SGK_OK);
    assert_int_equal(letters, 3 * 19);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 1);
    sgk_disposable_dispose(first);
    sgk_disposable_dispose(second);
    sgk_value_release(kept);
}

static void arrays_nest_up_to_a_limit(void **state) {
    (void)state;
    sgk_value value = sgk_int(1);
    int depth = 0;
    for (;; depth++) {
        sgk_value deeper = sgk_array(&value, 1);
        if (sgk_value_kind(deeper) == SGK_NULL) break;
        sgk_value_release(value);
        value = deeper;
    }
    assert_int_equal(depth, 1000);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_array: values: ");
    assert_int_equal(sgk_value_describe(value, NULL, 0), 2001);
    assert_true(sgk_value_equal(value, value));
    sgk_value_hash(value);
    /* Combining it would be one level deeper: a value that is too deep becomes null. */
    SGK_AUTO(sgk_signal) single = sgk_signal_just(value);
    SGK_AUTO(sgk_signal) joined = sgk_combine_latest(&single, 1, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(joined, NULL);
    sgk_value_release(value);
}

static void store_copy(void *place, sgk_value value) {
    sgk_value_release(*(sgk_value *)place);
    *(sgk_value *)place = sgk_value_retain(value);
}

/* A stage makes an array of each value. The item of the deepest array becomes null. */
static void arrays_of_stages_nest_up_to_the_same_limit(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_STAGE(chunked, signal, 1);
    sgk_value value = sgk_int(7);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, store_copy, &value, NULL);
    for (int depth = 1; depth <= 1000; depth++) {
        sgk_pipe_next(pipe, value);
        assert_int_equal(sgk_value_describe(value, NULL, 0), 2 * depth + 1);
    }
    sgk_pipe_next(pipe, value);
    assert_int_equal(sgk_value_describe(value, NULL, 0), strlen("[null]"));
    sgk_disposable_dispose(run);
    sgk_value_release(value);
}

/* Nobody else holds the value, so the data changes in place. (A build for other runtimes does not know that.) */
static void the_data_of_one_holder_changes_in_place(void **state) {
    (void)state;
    for (int kind = SGK_STRING; kind <= SGK_BYTES; kind++) {
        sgk_value value = kind == SGK_STRING ? sgk_string("abcdef") : sgk_bytes("abcdef", 6);
        const char *before = sgk_value_data(value, NULL);
        char *data = sgk_value_make_writable(&value, 6);
        if (!getenv("SUITE_HOSTED")) assert_ptr_equal(data, before);
        assert_string_equal(data, "abcdef");
        data[0] = 'x';
        data = sgk_value_make_writable(&value, 2);
        assert_string_equal(data, "xb"); /* a NUL follows */
        for (size_t length = 3; length < 1000; length++) {
            data = sgk_value_make_writable(&value, length);
            data[length - 1] = (char)('a' + length % 26);
            assert_int_equal(data[length], 0);
        }
        size_t length;
        const char *read = sgk_value_data(value, &length);
        assert_int_equal(length, 999);
        assert_memory_equal(read, "xb", 2);
        for (size_t i = 3; i < 1000; i++) assert_int_equal(read[i - 1], 'a' + i % 26);
        assert_int_equal(sgk_value_kind(value), kind);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 1);
        assert_non_null(sgk_value_make_writable(&value, 0));
        sgk_value_data(value, &length);
        assert_int_equal(length, 0);
        sgk_value_release(value);
    }
}

static void shared_data_is_copied_for_writing(void **state) {
    (void)state;
    sgk_value value = sgk_string("shared"), other = sgk_value_retain(value);
    char *data = sgk_value_make_writable(&value, 7);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 2);
    memcpy(data, "changed", 7);
    assert_string_equal(sgk_value_data(value, NULL), "changed");
    assert_string_equal(sgk_value_data(other, NULL), "shared");
    assert_false(sgk_value_equal(value, other));
    sgk_value_release(value);
    sgk_value_release(other);
}

static void an_error_has_a_code_a_text_and_a_cause(void **state) {
    (void)state;
    char text[] = "load: not found";
    sgk_value cause = sgk_error(404, text), plain = sgk_string("no route");
    text[0] = 'x';
    assert_int_equal(sgk_value_kind(cause), SGK_FAILURE);
    assert_int_equal(sgk_error_code(cause), 404);
    assert_string_equal(sgk_error_text(cause), "load: not found");
    assert_int_equal(sgk_value_kind(sgk_error_cause(cause)), SGK_NULL);
    sgk_value error = sgk_error_from(SGK_ERROR_TIMEOUT, "start: timed out", cause);
    sgk_value other = sgk_error_from(0, "", sgk_give(plain));
    assert_int_equal(sgk_error_code(error), SGK_ERROR_TIMEOUT);
    assert_true(sgk_value_equal(sgk_error_cause(error), cause));
    assert_int_equal(sgk_error_code(other), SGK_ERROR_FAILED);
    assert_string_equal(sgk_error_text(other), "");
    assert_string_equal(sgk_error_text(sgk_error_cause(other)), "no route");
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 4);
    sgk_value_release(cause);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 4);
    sgk_value_release(error);
    sgk_value_release(other);
}

static void any_value_can_be_read_as_an_error(void **state) {
    (void)state;
    sgk_value string = sgk_string("broken"), array = sgk_array(NULL, 0);
    sgk_value values[] = {string, array, sgk_int(404), sgk_null(), {77, 0, 0}};
    const char *const texts[] = {"broken", "array", "int", "null", sgk_kind_text((sgk_kind)77)};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(sgk_error_code(values[i]), SGK_ERROR_FAILED);
        assert_string_equal(sgk_error_text(values[i]), texts[i]);
        assert_int_equal(sgk_value_kind(sgk_error_cause(values[i])), SGK_NULL);
    }
    sgk_value_release(string);
    sgk_value_release(array);
}

static void errors_compare_their_code_text_and_cause(void **state) {
    (void)state;
    sgk_value number = sgk_int(1);
    sgk_value errors[] = {sgk_error(1, "a"), sgk_error(2, "a"), sgk_error(1, "b"), sgk_error(1, "ab"),
        sgk_error_from(1, "a", number), sgk_error_from(1, "a", sgk_int(3)),
        sgk_error_from(1, "a", sgk_give(sgk_error(1, "a"))), sgk_error_from(1, "a", sgk_give(sgk_error(1, "b"))),
        sgk_error_from(1, "a", sgk_give(sgk_array(&number, 1))), sgk_string("a")};
    for (size_t i = 0; i < 10; i++)
        for (size_t k = 0; k < 10; k++) {
            assert_int_equal(sgk_value_equal(errors[i], errors[k]), i == k);
            assert_int_equal(sgk_value_hash(errors[i]) == sgk_value_hash(errors[k]), i == k);
        }
    sgk_value again = sgk_error_from(1, "a", sgk_give(sgk_error_f(1, "%c", 'b')));
    sgk_value array = sgk_array(errors, 10), same = sgk_array(errors, 10);
    assert_true(sgk_value_equal(again, errors[7]));
    assert_int_equal(sgk_value_hash(again), sgk_value_hash(errors[7]));
    assert_true(sgk_value_equal(array, same));
    assert_int_equal(sgk_value_hash(array), sgk_value_hash(same));
    for (size_t i = 0; i < 10; i++) sgk_value_release(errors[i]);
    sgk_value_release(again);
    sgk_value_release(array);
    sgk_value_release(same);
}

static void a_cause_that_is_too_deep_is_left_out(void **state) {
    (void)state;
    sgk_value chain = sgk_error(7, "start");
    for (int depth = 1; depth < 1000; depth++) {
        /* Arrays and errors count alike. */
        sgk_value inner = sgk_give(chain);
        chain = depth % 2 ? sgk_array(&inner, 1) : sgk_error_from(depth, "next", inner);
    }
    assert_int_equal(sgk_value_kind(chain), SGK_ARRAY);
    assert_int_equal(sgk_value_kind(sgk_array(&chain, 1)), SGK_NULL);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_array: values: ");
    sgk_value last = sgk_error_from(5, "last", chain);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_error_from: cause: errors must not be nested deeper than 1,000");
    assert_int_equal(sgk_error_code(last), 5);
    assert_int_equal(sgk_value_kind(sgk_error_cause(last)), SGK_NULL);
    sgk_value_release(last);
    sgk_value again = sgk_value_retain(chain);
    assert_true(sgk_value_equal(chain, again));
    assert_int_equal(sgk_value_hash(chain), sgk_value_hash(again));
    assert_true(sgk_value_describe(chain, NULL, 0) > 10000);
    sgk_value_release(again);
    sgk_value_release(sgk_error_from(5, "last", sgk_give(chain)));
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    sgk_clear_error();
}

static void keep_error(void *context, sgk_value error) { *(sgk_value *)context = sgk_value_retain(error); }

static void a_signal_fails_with_an_error(void **state) {
    (void)state;
    sgk_value error = sgk_null();
    SGK_AUTO(sgk_signal) signal = sgk_signal_fail(sgk_give(sgk_error(503, "busy")));
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, SGK_HANDLERS(.error = keep_error, .context = &error));
    assert_int_equal(sgk_error_code(error), 503);
    assert_string_equal(sgk_error_text(error), "busy");
    sgk_value_release(error);
}

int run_values(void) {
    const struct CMUnitTest tests[] = {
        TEST(plain_values_are_what_they_were_made_of),
        TEST(reading_another_kind_gives_nothing_but_ints_as_doubles),
        TEST(strings_and_bytes_are_copies),
        TEST(a_format_makes_a_string_of_any_length),
        TEST(arrays_hold_their_items),
        TEST(equality_and_hashes_go_by_content),
        TEST(foreign_objects_are_retained_once_and_released_once),
        TEST(an_object_is_asked_about_its_own_type_alone),
        TEST(a_type_of_a_newer_program_is_longer),
        TEST(values_describe_themselves),
        TEST(signals_are_values_too),
        TEST(what_is_passed_lives_until_the_call_returns),
        TEST(arrays_nest_up_to_a_limit),
        TEST(arrays_of_stages_nest_up_to_the_same_limit),
        TEST(the_data_of_one_holder_changes_in_place),
        TEST(shared_data_is_copied_for_writing),
        TEST(an_error_has_a_code_a_text_and_a_cause),
        TEST(any_value_can_be_read_as_an_error),
        TEST(errors_compare_their_code_text_and_cause),
        TEST(a_cause_that_is_too_deep_is_left_out),
        TEST(a_signal_fails_with_an_error),
    };
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
