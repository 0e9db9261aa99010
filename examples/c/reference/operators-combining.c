/* Examples of signalkit/operators-combining.h. */
#include "print.h"

static sgk_value difference(void *context, const sgk_value *values, size_t count) {
    (void)context, (void)count;
    return sgk_int(sgk_to_int(values[0]) - sgk_to_int(values[1]));
}

/* sgk_combine_latest */
static void combine_latest(void) {
    SGK_AUTO(sgk_pipe) inside = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) outside = sgk_pipe_create();
    SGK_AUTO(sgk_signal) first = sgk_pipe_signal(inside);
    SGK_AUTO(sgk_signal) second = sgk_pipe_signal(outside);
    sgk_signal *const both[] = {first, second};
    SGK_AUTO(sgk_signal) latest = sgk_combine_latest(both, 2, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(latest, print, NULL, NULL);
    sgk_pipe_next(inside, sgk_int(21));
    sgk_pipe_next(outside, sgk_int(5));
    sgk_pipe_next(inside, sgk_int(22));
}
/* [21, 5]
 * [22, 5] */

/* sgk_combine_latest_map */
static void combine_latest_map(void) {
    SGK_AUTO(sgk_pipe) inside = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) outside = sgk_pipe_create();
    SGK_AUTO(sgk_signal) first = sgk_pipe_signal(inside);
    SGK_AUTO(sgk_signal) second = sgk_pipe_signal(outside);
    sgk_signal *const both[] = {first, second};
    SGK_AUTO(sgk_signal) differences = sgk_combine_latest_map(both, 2, difference, NULL, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(differences, print, NULL, NULL);
    sgk_pipe_next(inside, sgk_int(21));
    sgk_pipe_next(outside, sgk_int(5));
    sgk_pipe_next(inside, sgk_int(22));
}
/* 16
 * 17 */

/* sgk_merge */
static void merge(void) {
    SGK_AUTO(sgk_pipe) left = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) right = sgk_pipe_create();
    SGK_AUTO(sgk_signal) first = sgk_pipe_signal(left);
    SGK_AUTO(sgk_signal) second = sgk_pipe_signal(right);
    sgk_signal *const both[] = {first, second};
    SGK_AUTO(sgk_signal) merged = sgk_merge(both, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(merged, print, NULL, NULL);
    sgk_pipe_next(left, sgk_int(1));
    sgk_pipe_next(right, sgk_int(2));
    sgk_pipe_next(left, sgk_int(3));
}
/* 1
 * 2
 * 3 */

/* sgk_zip
 * The first with the first, the second with the second. Ten values may wait for their partners. */
static void zip(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) others = sgk_signal_range(10, 2);
    sgk_signal *const both[] = {numbers, others};
    SGK_AUTO(sgk_signal) pairs = sgk_zip(both, 2, SGK_BOUND(.limit = 10, .overflow = SGK_OVERFLOW_DROP_NEWEST));
    SGK_AUTO(sgk_disposable) subscription = start_printing(pairs);
}
/* [1, 10]
 * [2, 11]
 * completed */

/* sgk_zip_map */
static void zip_map(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(10, 2);
    SGK_AUTO(sgk_signal) others = sgk_signal_range(1, 2);
    sgk_signal *const both[] = {numbers, others};
    SGK_AUTO(sgk_signal) differences =
        sgk_zip_map(both, 2, SGK_BOUND(.limit = 10, .overflow = SGK_OVERFLOW_DROP_NEWEST), difference, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(differences, print, NULL, NULL);
}
/* 9
 * 9 */

/* sgk_race
 * Two servers are asked, and the one that answers first is heard. */
static void race(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) slow = sgk_signal_interval(5, time);
    SGK_AUTO(sgk_signal) fast = sgk_signal_interval(2, time);
    sgk_signal *const both[] = {slow, fast};
    SGK_AUTO(sgk_signal) first = sgk_race(both, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(first, print_at, time, NULL);
    sgk_queue_advance(time, 7);
}
/* 2 s: 0
 * 4 s: 1
 * 6 s: 2 */

/* sgk_signal_with_latest_from
 * Each click with the position of the pointer. */
static void with_latest_from(void) {
    SGK_AUTO(sgk_pipe) clicks = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) pointer = sgk_pipe_create();
    SGK_AUTO(sgk_signal) click = sgk_pipe_signal(clicks);
    SGK_AUTO(sgk_signal) position = sgk_pipe_signal(pointer);
    SGK_AUTO(sgk_signal) both = sgk_signal_with_latest_from(click, position);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(both, print, NULL, NULL);
    sgk_pipe_next(pointer, sgk_int(100));
    sgk_pipe_next(pointer, sgk_int(120));
    sgk_pipe_next(clicks, sgk_give(sgk_string("left")));
}
/* [left, 120] */

/* sgk_signal_with_latest_from_map */
static void with_latest_from_map(void) {
    SGK_AUTO(sgk_pipe) readings = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) offsets = sgk_pipe_create();
    SGK_AUTO(sgk_signal) reading = sgk_pipe_signal(readings);
    SGK_AUTO(sgk_signal) offset = sgk_pipe_signal(offsets);
    SGK_AUTO(sgk_signal) corrected = sgk_signal_with_latest_from_map(reading, offset, difference, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(corrected, print, NULL, NULL);
    sgk_pipe_next(offsets, sgk_int(2));
    sgk_pipe_next(readings, sgk_int(21));
}
/* 19 */

int main(void) {
    combine_latest();
    combine_latest_map();
    merge();
    zip();
    zip_map();
    race();
    with_latest_from();
    with_latest_from_map();
}
