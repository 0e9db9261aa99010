/* Examples of signalkit/value.h. */
#include "print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* sgk_null, sgk_bool, sgk_int, sgk_double, sgk_pointer
 * Values that own nothing. */
static void plain(void) {
    int number = 0;
    print(NULL, sgk_null());
    print(NULL, sgk_bool(true));
    print(NULL, sgk_int(42));
    print(NULL, sgk_double(2.5));
    printf("%d\n", sgk_to_pointer(sgk_pointer(&number)) == &number);
}
/* null
 * true
 * 42
 * 2.5
 * 1 */

/* sgk_to_bool, sgk_to_int, sgk_to_double, sgk_to_pointer, sgk_value_kind, sgk_kind_text
 * Reading a value as another kind returns 0, except an int as a double. */
static void reading(void) {
    sgk_value value = sgk_int(42);
    printf("%s: %d %g %d %d\n", sgk_kind_text(sgk_value_kind(value)), (int)sgk_to_int(value), sgk_to_double(value),
        sgk_to_bool(value), sgk_to_pointer(value) != NULL);
}
/* int: 42 42 0 0 */

/* sgk_to_text
 * The text of any value, without a check of its kind. */
static void to_text(void) {
    sgk_value name = sgk_string("tea");
    printf("%s [%s]\n", sgk_to_text(name), sgk_to_text(sgk_int(42)));
    sgk_value_release(name);
}
/* tea [] */

/* sgk_give, sgk_string
 * A transferred value need not be released. */
static void give(void) {
    SGK_AUTO(sgk_signal) given = sgk_signal_just(sgk_give(sgk_string("mine, then yours")));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(given, print, NULL, NULL);
}
/* mine, then yours */

/* sgk_string_n */
static void string_n(void) {
    sgk_value text = sgk_string_n("hello, world", 5);
    print(NULL, text);
    sgk_value_release(text);
}
/* hello */

/* sgk_string_f */
static void string_f(void) {
    sgk_value text = sgk_string_f("%d cups of %s", 2, "tea");
    print(NULL, text);
    sgk_value_release(text);
}
/* 2 cups of tea */

/* sgk_bytes, sgk_value_data */
static void bytes(void) {
    const unsigned char raw[] = {0x00, 0xff, 0x10};
    sgk_value value = sgk_bytes(raw, sizeof raw);
    size_t length;
    const char *data = sgk_value_data(value, &length);
    printf("%d bytes, the same: %d\n", (int)length, memcmp(data, raw, length) == 0);
    sgk_value_release(value);
}
/* 3 bytes, the same: 1 */

/* sgk_value_make_writable
 * Changes the string in place, because nobody else holds it. */
static void make_writable(void) {
    sgk_value value = sgk_string("a cap of tea");
    sgk_value_make_writable(&value, 12)[3] = 'u';
    print("", value);
    memcpy(sgk_value_make_writable(&value, 15) + 5, " of coffee", 10);
    print("", value);
    sgk_value_release(value);
}
/* a cup of tea
 * a cup of coffee */

/* sgk_array, sgk_array_items, sgk_array_at */
static void array(void) {
    const sgk_value items[] = {sgk_give(sgk_string("kitchen")), sgk_double(21.5)};
    sgk_value reading = sgk_array(items, 2);
    size_t count;
    const sgk_value *all = sgk_array_items(reading, &count);
    for (size_t i = 0; i < count; i++) print("- ", all[i]);
    print("the first: ", sgk_array_at(reading, 0));
    sgk_value_release(reading);
}
/* - kitchen
 * - 21.5
 * the first: kitchen */

struct point {
    int x, y;
};

static void free_point(void *point) {
    puts("freed");
    free(point);
}

static size_t describe_point(void *object, char *text, size_t size) {
    const struct point *point = object;
    return (size_t)snprintf(text, size, "(%d, %d)", point->x, point->y);
}

static const sgk_object_type point_type = {
    .size = sizeof point_type, .name = "point", .release = free_point, .describe = describe_point,
};

/* sgk_object, sgk_to_object
 * Wraps an object in a value, and frees it with the last reference. */
static void object_value(void) {
    struct point *point = calloc(1, sizeof *point);
    sgk_value value = sgk_object(point, &point_type);
    print(NULL, value);
    printf("the same: %d\n", sgk_to_object(value, &point_type) == point);
    sgk_value_release(value);
}
/* (0, 0)
 * the same: 1
 * freed */

/* Keeps the latest value. */
static void keep(void *context, sgk_value value) {
    sgk_value *kept = context;
    sgk_value_release(*kept);
    *kept = sgk_value_retain(value);
}

/* sgk_value_retain, sgk_value_release
 * A callback borrows values, and retains the values that it stores. */
static void retain(void) {
    sgk_value kept = sgk_null();
    SGK_AUTO(sgk_signal) source = sgk_signal_just(sgk_give(sgk_string("to be kept")));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(source, keep, &kept, NULL);
    print(NULL, kept);
    sgk_value_release(kept);
}
/* to be kept */

/* sgk_error, sgk_error_from, sgk_error_f, sgk_error_code, sgk_error_text, sgk_error_cause
 * The error of a request keeps the error of the connection as its cause. */
static void error(void) {
    sgk_value closed = sgk_error(ECONNRESET, "read: connection reset");
    sgk_value error = sgk_error_from(503, "fetch: no answer", sgk_give(closed));
    sgk_value cause = sgk_error_cause(error);
    printf("%d %s\n", sgk_error_code(error), sgk_error_text(error));
    printf("%d %s\n", sgk_error_code(cause) == ECONNRESET, sgk_error_text(cause));
    sgk_value_release(error);
    error = sgk_error_f(404, "fetch: no page %d", 7);
    print(NULL, error);
    sgk_value_release(error);
}
/* 503 fetch: no answer
 * 1 read: connection reset
 * fetch: no page 7 (404) */

/* sgk_value_equal, sgk_value_hash
 * Equal values have equal hashes. An int never equals a double. */
static void equal(void) {
    sgk_value a = sgk_string("a"), same = sgk_string("a");
    printf("%d %d %d\n", sgk_value_equal(a, same), sgk_value_hash(a) == sgk_value_hash(same),
        sgk_value_equal(sgk_int(1), sgk_double(1)));
    sgk_value_release(a);
    sgk_value_release(same);
}
/* 1 1 0 */

/* sgk_value_describe
 * The length shows whether the buffer was large enough. */
static void describe(void) {
    char text[8];
    sgk_value value = sgk_string("a long text");
    size_t length = sgk_value_describe(value, text, sizeof text);
    printf("%s, of %d\n", text, (int)length);
    sgk_value_release(value);
}
/* a long , of 11 */

int main(void) {
    plain();
    reading();
    to_text();
    give();
    string_n();
    string_f();
    bytes();
    make_writable();
    array();
    object_value();
    retain();
    error();
    equal();
    describe();
}
