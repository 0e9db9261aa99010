/* Examples of signalkit/operators-mapping.h. */
#include "print.h"

#include <stdlib.h>
#include <string.h>

static sgk_value square(void *context, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) * sgk_to_int(value));
}

/* sgk_signal_map */
static void map(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) squares = sgk_signal_map(numbers, square, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(squares, print, NULL, NULL);
}
/* 1
 * 4
 * 9 */

static bool is_even(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) % 2 == 0;
}

/* sgk_signal_filter */
static void filter(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) even = sgk_signal_filter(numbers, is_even, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(even, print, NULL, NULL);
}
/* 2
 * 4 */

/* Emits the numbers, and completes with the first that is 3 or more. */
static sgk_value until_three(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) < 3 ? sgk_unchanged() : sgk_last(value);
}

/* Completes at 0. */
static sgk_value until_zero(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) == 0 ? sgk_completed() : sgk_unchanged();
}

/* sgk_last, sgk_completed */
static void ends(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 9);
    SGK_AUTO(sgk_signal) few = sgk_signal_map(numbers, until_three, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(few);
    SGK_AUTO(sgk_signal) rising = sgk_signal_range(-1, 9);
    SGK_AUTO(sgk_signal) negative = sgk_signal_map(rising, until_zero, NULL, NULL);
    SGK_AUTO(sgk_disposable) other = start_printing(negative);
}
/* 1
 * 2
 * 3
 * completed
 * -1
 * completed */

/* The state of a subscription: the sum of its numbers. */
static void *begin_sum(void *context) {
    (void)context;
    return calloc(1, sizeof(int64_t));
}

static sgk_value add(void *sum, sgk_value value) {
    *(int64_t *)sum += sgk_to_int(value);
    return sgk_dropped();
}

static sgk_value tell_sum(void *sum) { return sgk_int(*(int64_t *)sum); }

/* sgk_signal_stage
 * Emits the sum of the values when the signal completes. */
static void stage(void) {
    static const char *const names[] = {"sum"};
    sgk_stage sum = SGK_STAGE_INIT;
    sum.names = names;
    sum.name_count = 1;
    sum.begin = begin_sum;
    sum.end = free;
    sum.next = add;
    sum.completed = tell_sum;
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) total = sgk_signal_stage(numbers, &sum);
    SGK_AUTO(sgk_disposable) subscription = start_printing(total);
}
/* 10
 * completed */

/* Drops 1, passes 2 on as it is, makes 30 of 3, and fails at 4. */
static sgk_value choose(void *context, sgk_value value) {
    (void)context;
    switch (sgk_to_int(value)) {
    case 1: return sgk_dropped();
    case 2: return sgk_unchanged();
    case 3: return sgk_int(30);
    default: return sgk_failed(sgk_string("too many"));
    }
}

/* sgk_unchanged, sgk_dropped, sgk_failed */
static void outcomes(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 9);
    SGK_AUTO(sgk_signal) chosen = sgk_signal_map(numbers, choose, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(chosen);
}
/* 2
 * 30
 * failed: too many */

static sgk_value explain(void *context, sgk_value error) {
    (void)context;
    char text[60];
    snprintf(text, sizeof text, "error number %d", (int)sgk_to_int(error));
    return sgk_string(text);
}

/* sgk_signal_map_error */
static void map_error(void) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) explained = sgk_signal_map_error(failing, explain, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(explained);
}
/* failed: error number 5 */

/* sgk_signal_ignore_values */
static void ignore_values(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) end = sgk_signal_ignore_values(numbers);
    SGK_AUTO(sgk_disposable) subscription = start_printing(end);
}
/* completed */

/* sgk_signal_distinct_until_changed
 * Drops a value that equals the previous one. */
static void distinct_until_changed(void) {
    const sgk_value readings[] = {sgk_int(20), sgk_int(20), sgk_int(21), sgk_int(20)};
    SGK_AUTO(sgk_signal) sensor = sgk_signal_from_array(readings, 4);
    SGK_AUTO(sgk_signal) news = sgk_signal_distinct_until_changed(sensor);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(news, print, NULL, NULL);
}
/* 20
 * 21
 * 20 */

static bool within_one(void *context, sgk_value last, sgk_value value) {
    (void)context;
    return llabs(sgk_to_int(value) - sgk_to_int(last)) <= 1;
}

/* sgk_signal_distinct_until_changed_by
 * Changes of less than 2 are dropped. */
static void distinct_until_changed_by(void) {
    const sgk_value readings[] = {sgk_int(20), sgk_int(21), sgk_int(22), sgk_int(20)};
    SGK_AUTO(sgk_signal) sensor = sgk_signal_from_array(readings, 4);
    SGK_AUTO(sgk_signal) news = sgk_signal_distinct_until_changed_by(sensor, within_one, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(news, print, NULL, NULL);
}
/* 20
 * 22
 * 20 */

/* Prints a value and emits the next one, up to 3. */
static void print_and_emit_next(void *pipe, sgk_value value) {
    print("begin ", value);
    if (sgk_to_int(value) < 3) sgk_pipe_next(pipe, sgk_int(sgk_to_int(value) + 1));
    print("end ", value);
}

/* sgk_signal_serialized
 * A value that a callback sends is delivered after the callback has returned. */
static void serialized(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) one_by_one = sgk_signal_serialized(values);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(one_by_one, print_and_emit_next, pipe, NULL);
    sgk_pipe_next(pipe, sgk_int(1));
}
/* begin 1
 * end 1
 * begin 2
 * end 2
 * begin 3
 * end 3 */

static sgk_value sum(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(accumulated) + sgk_to_int(value));
}

/* sgk_signal_reduce
 * The sum of all values. */
static void reduce(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) total = sgk_signal_reduce(numbers, sgk_int(0), sum, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(total, print, NULL, NULL);
}
/* 10 */

/* sgk_signal_scan
 * The sum so far, at each value. */
static void scan(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) sums = sgk_signal_scan(numbers, sgk_int(0), sum, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(sums, print, NULL, NULL);
}
/* 1
 * 3
 * 6
 * 10 */

/* sgk_signal_pairwise */
static void pairwise(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) pairs = sgk_signal_pairwise(numbers);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(pairs, print, NULL, NULL);
}
/* [1, 2]
 * [2, 3] */

/* sgk_signal_enumerated */
static void enumerated(void) {
    const sgk_value lines[] = {sgk_give(sgk_string("first")), sgk_give(sgk_string("second"))};
    SGK_AUTO(sgk_signal) source = sgk_signal_from_array(lines, 2);
    SGK_AUTO(sgk_signal) numbered = sgk_signal_enumerated(source);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(numbered, print, NULL, NULL);
}
/* [0, first]
 * [1, second] */

/* sgk_signal_to_array
 * All values at once; a thousand of them are more than was agreed. */
static void to_array(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) all = sgk_signal_to_array(numbers, SGK_BOUND(.limit = 1000, .error = sgk_int(-1)));
    SGK_AUTO(sgk_disposable) subscription = start_printing(all);
}
/* [1, 2, 3, 4]
 * completed */

/* sgk_signal_distinct
 * Emits each value once, and remembers a thousand values. */
static void distinct(void) {
    const sgk_value values[] = {sgk_int(1), sgk_int(2), sgk_int(1), sgk_int(3), sgk_int(2)};
    SGK_AUTO(sgk_signal) source = sgk_signal_from_array(values, 5);
    SGK_AUTO(sgk_signal) once = sgk_signal_distinct(source, SGK_BOUND(.limit = 1000));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(once, print, NULL, NULL);
}
/* 1
 * 2
 * 3 */

static sgk_value length_of(void *context, sgk_value text) {
    (void)context;
    size_t length;
    sgk_value_data(text, &length);
    return sgk_int((int64_t)length);
}

/* sgk_signal_distinct_by
 * Of texts the first of each length. */
static void distinct_by(void) {
    const sgk_value texts[] = {
        sgk_give(sgk_string("one")), sgk_give(sgk_string("two")), sgk_give(sgk_string("three"))};
    SGK_AUTO(sgk_signal) source = sgk_signal_from_array(texts, 3);
    SGK_AUTO(sgk_signal) lengths = sgk_signal_distinct_by(
        source, NULL, length_of, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(lengths, print, NULL, NULL);
}
/* one
 * three */

/* sgk_signal_to_events
 * Also the end becomes a value. */
static void to_events(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(7));
    SGK_AUTO(sgk_signal) events = sgk_signal_to_events(number);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(events, print, NULL, NULL);
}
/* [0, 7]
 * [2, null] */

/* sgk_signal_from_events, sgk_event
 * Values become events, of which the last is an error. */
static void from_events(void) {
    const sgk_value events[] = {
        sgk_give(sgk_event(SGK_EVENT_NEXT, sgk_int(1))), sgk_give(sgk_event(SGK_EVENT_ERROR, sgk_int(5)))};
    SGK_AUTO(sgk_signal) source = sgk_signal_from_array(events, 2);
    SGK_AUTO(sgk_signal) lived = sgk_signal_from_events(source);
    SGK_AUTO(sgk_disposable) subscription = start_printing(lived);
}
/* 1
 * failed: 5 */

int main(void) {
    map();
    filter();
    ends();
    stage();
    outcomes();
    map_error();
    ignore_values();
    distinct_until_changed();
    distinct_until_changed_by();
    serialized();
    reduce();
    scan();
    pairwise();
    enumerated();
    to_array();
    distinct();
    distinct_by();
    to_events();
    from_events();
}
