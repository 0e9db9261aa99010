/* Examples of signalkit/operators-timing.h, most of them in virtual time. */
#include "print.h"

#include <signalkit/testing.h>

/* sgk_signal_throttle
 * A source emits every second; at most one value in three seconds is wanted. */
static void throttle(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(1, time);
    SGK_AUTO(sgk_signal) calm = sgk_signal_throttle(ticks, 3, SGK_EDGES_BOTH, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(calm, print_at, time, NULL);
    sgk_queue_advance(time, 8);
}
/* 1 s: 0
 * 4 s: 2
 * 7 s: 5 */

/* sgk_signal_throttle: the first value of an interval
 * A button that is pressed too often counts once in five seconds: the first time. */
static void throttle_leading(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) presses = sgk_marble_cold(time, "-ab--------c-d-|");
    SGK_AUTO(sgk_signal) counted = sgk_signal_throttle(presses, 5, SGK_EDGE_LEADING, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(counted, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 1 s: a
 * 11 s: c */

/* sgk_signal_debounce
 * Search as you type: only a text that was unchanged for two seconds is emitted. */
static void debounce(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) typed = sgk_marble_cold(time, "abc-----d|");
    SGK_AUTO(sgk_signal) settled = sgk_signal_debounce(typed, 2, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(settled, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 4 s: c
 * 9 s: d */

/* Stops the main queue at the end of the work. */
static void stop(void *context) {
    (void)context;
    sgk_main_stop();
}

/* Prints a value, and whether this is the queue of the context. */
static void print_where(void *queue, sgk_value value) {
    printf("%s ", sgk_queue_is_current(queue) ? "on the queue:" : "elsewhere:");
    print(NULL, value);
}

/* sgk_signal_deliver_on
 * Delivers values of another thread on the main thread. */
static void deliver_on(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    sgk_signal_replace(&numbers, sgk_signal_run_on(numbers, worker));
    sgk_signal_replace(&numbers, sgk_signal_deliver_on(numbers, main_queue));
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = main_queue;
    handlers.next = print_where;
    handlers.completed = stop;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(numbers, &handlers);
    sgk_main_run();
}
/* on the queue: 1
 * on the queue: 2 */

/* sgk_signal_deliver_on_bounded
 * Buffers at most three values of a source that is faster than its queue, and drops the oldest. */
static void deliver_on_bounded(void) {
    SGK_AUTO(sgk_queue) slow = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 10);
    SGK_AUTO(sgk_signal) delivered =
        sgk_signal_deliver_on_bounded(numbers,
            SGK_BOUND(.limit = 3, .overflow = SGK_OVERFLOW_DROP_OLDEST, .counter = counter), slow);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(delivered, print, NULL, NULL);
    sgk_queue_run(slow, 100);
    printf("dropped: %d\n", (int)sgk_overflow_counter_dropped(counter));
}
/* 8
 * 9
 * 10
 * dropped: 7 */

/* sgk_signal_run_on
 * The source does its work on a queue, and the start returns at once. */
static void run_on(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) elsewhere = sgk_signal_run_on(number, worker);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(elsewhere, print_where, worker, NULL);
    sgk_drain(10);
}
/* on the queue: 1 */

/* sgk_signal_delay_start
 * Delays the start, and so all events, by two seconds. */
static void delay_start(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_marble_cold(time, "ab|");
    SGK_AUTO(sgk_signal) later = sgk_signal_delay_start(source, 2, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(later, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 2 s: a
 * 3 s: b */

/* sgk_signal_suspend_aware_delay
 * An alarm in ten seconds, of which the system sleeps for nine. */
static void suspend_aware_delay(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) alarm = sgk_signal_just(sgk_give(sgk_string("wake up")));
    SGK_AUTO(sgk_signal) later = sgk_signal_suspend_aware_delay(alarm, 10, 4, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(later, print, NULL, NULL);
    sgk_queue_suspend(time, 9);
    sgk_queue_advance(time, 4);
    puts("four seconds later");
}
/* wake up
 * four seconds later */

/* sgk_signal_timeout_first
 * Replaces an answer that does not arrive within three seconds. */
static void timeout_first(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) answer = sgk_marble_cold(time, "-----a|");
    SGK_AUTO(sgk_signal) instead = sgk_signal_just(sgk_give(sgk_string("no answer")));
    SGK_AUTO(sgk_signal) timed = sgk_signal_timeout_first(answer, 3, time);
    SGK_AUTO(sgk_signal) patient = sgk_signal_catch_with(timed, instead);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(patient, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 3 s: no answer */

/* sgk_signal_timeout
 * A sensor that falls silent for more than three seconds is given up. */
static void timeout(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) readings = sgk_marble_cold(time, "1-2-3------4|");
    SGK_AUTO(sgk_signal) instead = sgk_signal_just(sgk_give(sgk_string("silent")));
    SGK_AUTO(sgk_signal) timed = sgk_signal_timeout(readings, 3, time);
    SGK_AUTO(sgk_signal) watched = sgk_signal_catch_with(timed, instead);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(watched, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: 1
 * 2 s: 2
 * 4 s: 3
 * 7 s: silent */

/* sgk_signal_chunked
 * Values in pairs. */
static void chunked(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) pairs = sgk_signal_chunked(numbers, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(pairs, print, NULL, NULL);
}
/* [1, 2]
 * [3, 4]
 * [5] */

/* sgk_signal_chunked_within
 * Batches for a database: three values, or the values of four seconds. */
static void chunked_within(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) values = sgk_marble_cold(time, "abcd-------e|");
    SGK_AUTO(sgk_signal) batches = sgk_signal_chunked_within(values, 3, 4, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(batches, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 2 s: [a, b, c]
 * 7 s: [d]
 * 12 s: [e] */

/* sgk_signal_chunked_by
 * Batches of the values between two ticks, at most a hundred. */
static void chunked_by(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) values = sgk_marble_cold(time, "ab-c----d|");
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(2.5, time);
    SGK_AUTO(sgk_signal) batches = sgk_signal_chunked_by(values, ticks, 100);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(batches, print_at, time, NULL);
    sgk_queue_advance(time, 20);
}
/* 2.5 s: [a, b]
 * 5 s: [c]
 * 9 s: [d] */

/* sgk_signal_delay
 * Delays every value by two seconds, with a limit of ten pending values. */
static void delay(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) values = sgk_marble_cold(time, "a--b|");
    SGK_AUTO(sgk_signal) later =
        sgk_signal_delay(values, 2, SGK_BOUND(.limit = 10, .overflow = SGK_OVERFLOW_DROP_OLDEST), time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(later, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 2 s: a
 * 5 s: b */

/* sgk_signal_rate_limit
 * Two requests may be sent at once, and one more every two seconds. */
static void rate_limit(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) requests = sgk_marble_cold(time, "(abcd|)");
    SGK_AUTO(sgk_signal) sent = sgk_signal_rate_limit(
        requests, 2, 4, SGK_BOUND(.limit = 100, .error = sgk_give(sgk_string("too many requests"))), time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(sent, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 0 s: b
 * 2 s: c
 * 4 s: d */

/* sgk_signal_timestamped
 * Adds the time of arrival to each value. */
static void timestamped(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) values = sgk_marble_cold(time, "-a--b|");
    SGK_AUTO(sgk_signal) stamped = sgk_signal_timestamped(values, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(stamped, print, NULL, NULL);
    sgk_queue_run(time, 100);
}
/* [1, a]
 * [4, b] */

/* sgk_signal_time_interval
 * Each value with the time since the one before it. */
static void time_interval(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) values = sgk_marble_cold(time, "-a--b|");
    SGK_AUTO(sgk_signal) measured = sgk_signal_time_interval(values, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(measured, print, NULL, NULL);
    sgk_queue_run(time, 100);
}
/* [1, a]
 * [3, b] */

/* sgk_signal_take_for
 * Emits the values of the first three seconds. */
static void take_for(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(2, time);
    SGK_AUTO(sgk_signal) some = sgk_signal_take_for(ticks, 3, time);
    SGK_AUTO(sgk_disposable) subscription = start_printing(some);
    sgk_queue_run(time, 100);
}
/* 0
 * completed */

/* sgk_signal_sample_on
 * The position of a pointer, whenever something is drawn. */
static void sample_on(void) {
    SGK_AUTO(sgk_pipe) pointer = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) frames = sgk_pipe_create();
    SGK_AUTO(sgk_signal) positions = sgk_pipe_signal(pointer);
    SGK_AUTO(sgk_signal) frame = sgk_pipe_signal(frames);
    SGK_AUTO(sgk_signal) drawn = sgk_signal_sample_on(positions, frame);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(drawn, print, NULL, NULL);
    sgk_pipe_next(pointer, sgk_int(1));
    sgk_pipe_next(pointer, sgk_int(2));
    sgk_pipe_next(frames, sgk_null());
    sgk_pipe_next(frames, sgk_null()); /* nothing new */
    sgk_pipe_next(pointer, sgk_int(3));
    sgk_pipe_next(frames, sgk_null());
}
/* 2
 * 3 */

/* sgk_signal_sample
 * The latest value every five seconds. */
static void sample(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(3, time);
    SGK_AUTO(sgk_signal) sampled = sgk_signal_sample(ticks, 5, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(sampled, print_at, time, NULL);
    sgk_queue_advance(time, 12);
}
/* 5 s: 0
 * 10 s: 2 */

static sgk_value average(void *context, sgk_value window) {
    (void)context;
    size_t count = 0;
    const sgk_value *numbers = sgk_array_items(window, &count);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += sgk_to_int(numbers[i]);
    return sgk_double((double)sum / (double)count);
}

/* sgk_signal_windowed
 * A moving average of three values. */
static void windowed(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) windows = sgk_signal_windowed(numbers, 3, 1); /* [1, 2, 3] [2, 3, 4] [3, 4, 5] */
    SGK_AUTO(sgk_signal) averages = sgk_signal_map(windows, average, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(averages, print, NULL, NULL);
}
/* 2
 * 3
 * 4 */

static sgk_value no(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return sgk_bool(false);
}

/* sgk_signal_paused_by
 * Pauses a source while the latest value of another signal is true: here during the first five seconds. */
static void paused_by(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) timer = sgk_signal_timer(5, time);
    SGK_AUTO(sgk_signal) over = sgk_signal_map(timer, no, NULL, NULL);
    SGK_AUTO(sgk_signal) is_busy = sgk_signal_start_with(over, sgk_bool(true));
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) paused = sgk_signal_paused_by(numbers, is_busy);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(paused, print_at, time, NULL);
    sgk_queue_advance(time, 12);
}
/* 5 s: 1
 * 5 s: 2
 * 5 s: 3 */

int main(void) {
    throttle();
    throttle_leading();
    debounce();
    deliver_on();
    deliver_on_bounded();
    run_on();
    delay_start();
    suspend_aware_delay();
    timeout_first();
    timeout();
    chunked();
    chunked_within();
    chunked_by();
    delay();
    rate_limit();
    timestamped();
    time_interval();
    take_for();
    sample_on();
    sample();
    windowed();
    paused_by();
}
