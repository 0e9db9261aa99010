/* Examples of signalkit/operators-inner.h, in virtual time. */
#include "print.h"

#include <signalkit/testing.h>

/* Three letters of the same kind, one each second. */
static sgk_signal *three_of(void *queue, sgk_value letter) {
    char diagram[] = "x-x-x|";
    const char *text = sgk_value_data(letter, NULL);
    for (char *mark = diagram; *mark; mark++)
        if (*mark == 'x') *mark = *text;
    return sgk_marble_cold(queue, diagram);
}

/* The signal of a letter as a value. */
static sgk_value signal_of(void *queue, sgk_value letter) {
    SGK_AUTO(sgk_signal) signal = three_of(queue, letter);
    return sgk_signal_value(signal);
}

/* A signal of signals: `a` is there at the beginning, `b` after three seconds. */
static sgk_signal *two_signals(sgk_queue *time) {
    SGK_AUTO(sgk_signal) letters = sgk_marble_cold(time, "a--b|");
    return sgk_signal_map(letters, signal_of, time, NULL);
}

/* sgk_signal_switch_to_latest
 * The signal of `b` takes the place of that of `a`. */
static void switch_to_latest(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) signals = two_signals(time);
    SGK_AUTO(sgk_signal) latest = sgk_signal_switch_to_latest(signals);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(latest, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 2 s: a
 * 3 s: b
 * 5 s: b
 * 7 s: b */

/* sgk_signal_concat_all
 * The signal of `b` waits until that of `a` has completed. */
static void concat_all(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) signals = two_signals(time);
    SGK_AUTO(sgk_signal) all = sgk_signal_concat_all(signals);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(all, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 2 s: a
 * 4 s: a
 * 5 s: b
 * 7 s: b
 * 9 s: b */

static sgk_value number_signal(void *pipe, sgk_value number) {
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) first = sgk_signal_start_with(values, number);
    return sgk_signal_value(first);
}

/* sgk_signal_concat_latest
 * Of four signals the second and the third are never run: while the first runs only the latest is kept. */
static void concat_latest(void) {
    SGK_AUTO(sgk_pipe) work = sgk_pipe_create();
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 4);
    SGK_AUTO(sgk_signal) signals = sgk_signal_map(numbers, number_signal, work, NULL);
    SGK_AUTO(sgk_signal) some = sgk_signal_concat_latest(signals);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(some, print, NULL, NULL);
    sgk_pipe_complete(work);
}
/* 1
 * 4 */

/* sgk_signal_take_until_replacement */
static void take_until_replacement(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) first = sgk_marble_cold(time, "1-1-1-1-1-1|");
    SGK_AUTO(sgk_signal) letters = sgk_marble_cold(time, "---b|");
    SGK_AUTO(sgk_signal) replacement = sgk_signal_map(letters, signal_of, time, NULL);
    SGK_AUTO(sgk_signal) replaced = sgk_signal_take_until_replacement(first, replacement);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(replaced, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: 1
 * 2 s: 1
 * 3 s: b
 * 5 s: b
 * 7 s: b */

/* sgk_signal_switch_map
 * Search as you type: only the results of the latest text are emitted. */
static void switch_map(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) typed = sgk_marble_cold(time, "a--b|");
    SGK_AUTO(sgk_signal) answers = sgk_signal_switch_map(typed, three_of, time, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(answers, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 2 s: a
 * 3 s: b
 * 5 s: b
 * 7 s: b */

/* sgk_signal_concat_map
 * One after another, each to its end. */
static void concat_map(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) orders = sgk_marble_cold(time, "a--b|");
    SGK_AUTO(sgk_signal) done = sgk_signal_concat_map(orders, three_of, time, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(done, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 2 s: a
 * 4 s: a
 * 5 s: b
 * 7 s: b
 * 9 s: b */

/* sgk_signal_concat_map_latest
 * The latest order that arrives while another is in progress is next; `b` is dropped. */
static void concat_map_latest(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) orders = sgk_marble_cold(time, "abc|");
    SGK_AUTO(sgk_signal) done = sgk_signal_concat_map_latest(orders, three_of, time, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(done, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 2 s: a
 * 4 s: a
 * 5 s: c
 * 7 s: c
 * 9 s: c */

/* Adds a value to the sum, and says so at once. */
static sgk_signal *add_and_say(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    const sgk_value sum = sgk_int(sgk_to_int(accumulated) + sgk_to_int(value)), both[] = {sum, sum};
    return sgk_signal_just(sgk_give(sgk_array(both, 2)));
}

/* sgk_signal_reduce_generator
 * Each step is a signal, and may pass values on before the end. */
static void reduce_generator(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) sums = sgk_signal_reduce_generator(numbers, sgk_int(0), add_and_say, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(sums, print, NULL, NULL);
}
/* 1
 * 3
 * 6
 * 6 */

/* sgk_signal_merge_all
 * Both run at the same time; no more than two would. */
static void merge_all(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) signals = two_signals(time);
    SGK_AUTO(sgk_signal) all = sgk_signal_merge_all(signals, 2, SGK_BOUND(.limit = 100, .error = sgk_int(-1)));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(all, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 2 s: a
 * 3 s: b
 * 4 s: a
 * 5 s: b
 * 7 s: b */

/* sgk_signal_merge_map
 * Downloads, of which at most two run at the same time and a hundred wait: `c` begins when `a` is done. */
static void merge_map(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) names = sgk_marble_cold(time, "a-bc|");
    SGK_AUTO(sgk_signal) downloads = sgk_signal_merge_map(
        names, 2, SGK_BOUND(.limit = 100, .error = sgk_int(-1)), three_of, time, NULL);
    SGK_AUTO(sgk_signal) began = sgk_signal_distinct(downloads, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(began, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 2 s: b
 * 5 s: c */

/* The signal of a letter, which comes after one second for `a`, two for `b`, and three for `c`. */
static sgk_signal *later(void *queue, sgk_value letter) {
    SGK_AUTO(sgk_signal) single = sgk_signal_just(letter);
    const char *text = sgk_value_data(letter, NULL);
    return sgk_signal_delay_start(single, 1 + *text - 'a', queue);
}

static sgk_value later_as_value(void *queue, sgk_value letter) {
    SGK_AUTO(sgk_signal) signal = later(queue, letter);
    return sgk_signal_value(signal);
}

/* sgk_signal_merge_all_ordered
 * Three signals run at the same time. Their values have the order of the signals. */
static void merge_all_ordered(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) letters = sgk_marble_cold(time, "(cab|)");
    SGK_AUTO(sgk_signal) signals = sgk_signal_map(letters, later_as_value, time, NULL);
    SGK_AUTO(sgk_signal) ordered = sgk_signal_merge_all_ordered(signals, 3, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(ordered, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 3 s: c
 * 3 s: a
 * 3 s: b */

/* sgk_signal_map_ordered
 * Downloads, of which at most two run at the same time: `b` begins when `c` and `a` are done. */
static void map_ordered(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) names = sgk_marble_cold(time, "(cab|)");
    SGK_AUTO(sgk_signal) downloads = sgk_signal_map_ordered(names, 2, NULL, later, time, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(downloads, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 3 s: c
 * 3 s: a
 * 5 s: b */

/* sgk_signal_exhaust_map
 * A button that does nothing while its work is being done. */
static void exhaust_map(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) presses = sgk_marble_cold(time, "a--b----c|");
    SGK_AUTO(sgk_signal) work = sgk_signal_exhaust_map(presses, three_of, time, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(work, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 2 s: a
 * 4 s: a
 * 8 s: c
 * 10 s: c
 * 12 s: c */

/* sgk_signal_switch_map_per
 * For each letter its latest signal: the second `a` takes the place of the first, and of no other. */
static void switch_map_per(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) letters = sgk_marble_cold(time, "aba|");
    SGK_AUTO(sgk_signal) latest = sgk_signal_switch_map_per(
        letters, SGK_BOUND(.limit = 100, .error = sgk_int(-1)), NULL, three_of, time, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(latest, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* 0 s: a
 * 1 s: b
 * 2 s: a
 * 3 s: b
 * 4 s: a
 * 5 s: b
 * 6 s: a */

static sgk_value parity(void *context, sgk_value value) {
    (void)context;
    return sgk_string(sgk_to_int(value) % 2 == 0 ? "even" : "odd");
}

/* The values of a group, all at once. */
static sgk_signal *gathered(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    return sgk_signal_chunked(values, 100);
}

/* sgk_signal_group_by */
static void group_by(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) groups = sgk_signal_group_by(
        numbers, SGK_BOUND(.limit = 100, .error = sgk_int(-1)), parity, gathered, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(groups, print, NULL, NULL);
}
/* [1, 3, 5]
 * [2, 4] */

int main(void) {
    switch_to_latest();
    concat_all();
    concat_latest();
    take_until_replacement();
    switch_map();
    concat_map();
    concat_map_latest();
    reduce_generator();
    merge_all();
    merge_map();
    merge_all_ordered();
    map_ordered();
    exhaust_map();
    switch_map_per();
    group_by();
}
