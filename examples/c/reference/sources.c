/* Examples of signalkit/sources.h. */
#include "print.h"

/* sgk_signal_from_array */
static void from_array(void) {
    const sgk_value items[] = {sgk_int(1), sgk_give(sgk_string("two")), sgk_bool(true)};
    SGK_AUTO(sgk_signal) signal = sgk_signal_from_array(items, 3);
    SGK_AUTO(sgk_disposable) subscription = start_printing(signal);
}
/* 1
 * two
 * true
 * completed */

/* Counts down to 1. */
static bool next_number(void *context, sgk_value *item) {
    int *left = context;
    if (*left == 0) return false;
    *item = sgk_int((*left)--);
    return true;
}

/* sgk_signal_from_iterator
 * Items are made when they are asked for: the third is not. */
static void from_iterator(void) {
    int left = 10;
    SGK_AUTO(sgk_signal) numbers = sgk_signal_from_iterator(next_number, &left, NULL);
    SGK_AUTO(sgk_signal) two = sgk_signal_take(numbers, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(two, print, NULL, NULL);
    printf("%d are left\n", left);
}
/* 10
 * 9
 * 8 are left */

static bool emit_squares(void *n, const sgk_loop *loop, sgk_value *end) {
    for (; sgk_loop_goes_on(loop); ++*(int *)n) {
        int64_t now = *(int *)n;
        if (now == 1000) return *end = sgk_failed(sgk_string("too large")), false;
        if (now % 100 == 0) sgk_loop_next(loop, sgk_int(now * now));
    }
    if (!sgk_loop_is_active(loop)) printf("left at %d\n", *(int *)n);
    return true;
}

/* sgk_signal_from_loop, sgk_loop_next, sgk_loop_goes_on, sgk_loop_is_active
 * Of these numbers the library sees two. Then nobody wants more. */
static void from_loop(void) {
    int n = 1;
    SGK_AUTO(sgk_signal) squares = sgk_signal_from_loop(emit_squares, &n, NULL);
    SGK_AUTO(sgk_signal) two = sgk_signal_take(squares, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(two, print, NULL, NULL);
}
/* 10000
 * 40000
 * left at 201 */

/* sgk_signal_range */
static void range(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(5, 3);
    SGK_AUTO(sgk_disposable) subscription = start_printing(numbers);
}
/* 5
 * 6
 * 7
 * completed */

/* sgk_signal_interval */
static void interval(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(2, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(ticks, print_at, time, NULL);
    sgk_queue_advance(time, 5);
}
/* 2 s: 0
 * 4 s: 1 */

/* sgk_signal_timer */
static void timer(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) alarm = sgk_signal_timer(10, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(alarm, print_at, time, NULL);
    sgk_queue_advance(time, 60);
}
/* 10 s: 0 */

static void *open_file(void *name) {
    printf("%s is opened\n", (char *)name);
    return name;
}

static sgk_signal *lines_of(void *context, void *file) {
    (void)context, (void)file;
    return sgk_signal_range(1, 2);
}

static void close_file(void *file) { printf("%s is closed\n", (char *)file); }

/* sgk_signal_using
 * Keeps a file open during a subscription, and closes it at any end. */
static void using(void) {
    SGK_AUTO(sgk_signal) lines = sgk_signal_using(open_file, lines_of, close_file, "a file", NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(lines);
}
/* a file is opened
 * 1
 * 2
 * completed
 * a file is closed */

int main(void) {
    from_array();
    from_iterator();
    from_loop();
    range();
    interval();
    timer();
    using();
}
