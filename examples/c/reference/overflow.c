/* Examples of signalkit/overflow.h. */
#include "print.h"

/* sgk_overflow_counter_create, sgk_overflow_counter_dropped, sgk_overflow_counter_suspended
 * Counts the values that exceeded the limit: ten values arrive, and three may be pending. */
static void overflow_counter(void) {
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_queue) slow = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 10);
    SGK_AUTO(sgk_signal) delivered =
        sgk_signal_deliver_on_bounded(numbers,
            SGK_BOUND(.limit = 3, .overflow = SGK_OVERFLOW_DROP_NEWEST, .counter = counter), slow);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(delivered, print, NULL, NULL);
    sgk_queue_run(slow, 100);
    printf("dropped: %d, suspended: %d\n", (int)sgk_overflow_counter_dropped(counter),
        (int)sgk_overflow_counter_suspended(counter));
}
/* 1
 * 2
 * 3
 * dropped: 7, suspended: 0 */

/* sgk_overflow_counter_exceeded
 * A range pauses when three of its values are pending, and continues when half of them were delivered. A pipe cannot be
 * paused, so two of its five values exceed the limit. */
static void pauses(void) {
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_queue) slow = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on_bounded(
        numbers, SGK_BOUND(.limit = 3, .overflow = SGK_OVERFLOW_PAUSE, .counter = counter), slow);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(delivered, print, NULL, NULL);
    sgk_queue_run(slow, 100);
    printf("exceeded: %d\n", (int)sgk_overflow_counter_exceeded(counter));

    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) pushed = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) buffered = sgk_signal_deliver_on_bounded(
        pushed, SGK_BOUND(.limit = 3, .overflow = SGK_OVERFLOW_PAUSE, .counter = counter), slow);
    SGK_AUTO_DISPOSE other = sgk_signal_start_next(buffered, print, NULL, NULL);
    for (int64_t i = 6; i <= 10; i++) sgk_pipe_next(pipe, sgk_int(i));
    sgk_queue_run(slow, 100);
    printf("exceeded: %d\n", (int)sgk_overflow_counter_exceeded(counter));
}
/* 1
 * 2
 * 3
 * 4
 * 5
 * exceeded: 0
 * 6
 * 7
 * 8
 * 9
 * 10
 * exceeded: 2 */

int main(void) {
    overflow_counter();
    pauses();
}
