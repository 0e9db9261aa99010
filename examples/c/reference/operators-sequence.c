/* Examples of signalkit/operators-sequence.h. */
#include "print.h"

static sgk_signal *the_time_now(void *queue) { return sgk_signal_just(sgk_double(sgk_queue_now(queue))); }

/* sgk_signal_deferred
 * Creates the signal when it is started. */
static void deferred(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) now = sgk_signal_deferred(the_time_now, time, NULL);
    sgk_queue_advance(time, 7);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(now, print, NULL, NULL);
}
/* 7 */

/* sgk_signal_concat_with */
static void concat_with(void) {
    SGK_AUTO(sgk_signal) first = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) second = sgk_signal_range(10, 1);
    SGK_AUTO(sgk_signal) both = sgk_signal_concat_with(first, second);
    SGK_AUTO(sgk_disposable) subscription = start_printing(both);
}
/* 1
 * 2
 * 10
 * completed */

static sgk_signal *apologise(void *context, sgk_value error) {
    (void)context, (void)error;
    return sgk_signal_just(sgk_give(sgk_string("sorry")));
}

/* sgk_signal_catch */
static void catch_error(void) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) caught = sgk_signal_catch(failing, apologise, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(caught);
}
/* sorry
 * completed */

/* sgk_signal_catch_with
 * A second server answers when the first one fails. */
static void catch_with(void) {
    SGK_AUTO(sgk_signal) first = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) second = sgk_signal_just(sgk_give(sgk_string("from the second")));
    SGK_AUTO(sgk_signal) either = sgk_signal_catch_with(first, second);
    SGK_AUTO(sgk_disposable) subscription = start_printing(either);
}
/* from the second
 * completed */

/* Pages of two numbers, as long as the sum is below 10. */
static sgk_signal *next_page(void *context, const sgk_value *accumulated) {
    (void)context;
    int64_t sum = accumulated ? sgk_to_int(*accumulated) : 0;
    return sum < 10 ? sgk_signal_range(sum + 1, 2) : NULL;
}

static sgk_value sum(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(accumulated) + sgk_to_int(value));
}

/* sgk_accumulating_loop
 * The next request depends on the values received. */
static void accumulating_loop(void) {
    SGK_AUTO(sgk_signal) sums = sgk_accumulating_loop(next_page, sum, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(sums);
}
/* 1
 * 3
 * 7
 * 12
 * completed */

/* sgk_concat */
static void concat(void) {
    SGK_AUTO(sgk_signal) first = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) second = sgk_signal_just(sgk_int(10));
    sgk_signal *const all[] = {first, second, first};
    SGK_AUTO(sgk_signal) row = sgk_concat(all, 3);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(row, print, NULL, NULL);
}
/* 1
 * 2
 * 10
 * 1
 * 2 */

/* sgk_signal_start_with */
static void start_with(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) more = sgk_signal_start_with(numbers, sgk_int(0));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(more, print, NULL, NULL);
}
/* 0
 * 1
 * 2 */

/* sgk_signal_end_with */
static void end_with(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) more = sgk_signal_end_with(numbers, sgk_give(sgk_string("that was all")));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(more, print, NULL, NULL);
}
/* 1
 * 2
 * that was all */

/* sgk_signal_default_if_empty */
static void default_if_empty(void) {
    SGK_AUTO(sgk_signal) nothing = sgk_signal_empty();
    SGK_AUTO(sgk_signal) something = sgk_signal_default_if_empty(nothing, sgk_int(0));
    SGK_AUTO(sgk_disposable) subscription = start_printing(something);
}
/* 0
 * completed */

/* sgk_signal_switch_if_empty
 * Requests a value that the cache does not have. */
static void switch_if_empty(void) {
    SGK_AUTO(sgk_signal) cache = sgk_signal_empty();
    SGK_AUTO(sgk_signal) server = sgk_signal_just(sgk_give(sgk_string("from the server")));
    SGK_AUTO(sgk_signal) answer = sgk_signal_switch_if_empty(cache, server);
    SGK_AUTO(sgk_disposable) subscription = start_printing(answer);
}
/* from the server
 * completed */

/* sgk_signal_catch_and_return */
static void catch_and_return(void) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) caught = sgk_signal_catch_and_return(failing, sgk_int(0));
    SGK_AUTO(sgk_disposable) subscription = start_printing(caught);
}
/* 0
 * completed */

/* sgk_signal_repeat
 * Starts the signal again until the subscription ends. */
static void repeat_without_limit(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) endless = sgk_signal_repeat(numbers, SGK_UNBOUNDED);
    SGK_AUTO(sgk_signal) five = sgk_signal_take(endless, 5);
    SGK_AUTO(sgk_signal) all = sgk_signal_chunked(five, 5);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(all, print, NULL, NULL);
}
/* [1, 2, 1, 2, 1] */

/* sgk_signal_repeat */
static void repeat(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) twice = sgk_signal_repeat(numbers, 2);
    SGK_AUTO(sgk_disposable) subscription = start_printing(twice);
}
/* 1
 * 2
 * 1
 * 2
 * completed */

/* A server that answers when it is asked for the third time. */
static sgk_disposable *ask(void *context, sgk_subscriber *subscriber) {
    int *attempts = context;
    if (++*attempts < 3) {
        printf("attempt %d fails\n", *attempts);
        sgk_subscriber_error(subscriber, sgk_int(*attempts));
    } else {
        sgk_subscriber_next(subscriber, sgk_give(sgk_string("answer")));
        sgk_subscriber_complete(subscriber);
    }
    return NULL;
}

/* sgk_signal_retry
 * Again after one second, then after two. The result fails after 10 attempts. */
static void retry(void) {
    int attempts = 0;
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) server = sgk_signal_create(ask, &attempts, NULL);
    SGK_AUTO(sgk_signal) patient = sgk_signal_retry(server, SGK_RETRY(.attempts = 10), time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(patient, print_at, time, NULL);
    sgk_queue_run(time, 100);
}
/* attempt 1 fails
 * attempt 2 fails
 * 3 s: answer */

/* Retries after the first error without a wait, and replaces the second error. */
static sgk_signal *once_more(void *context, sgk_value error, int64_t failures) {
    (void)context, (void)error;
    return failures < 2 ? NULL : sgk_signal_fail(sgk_give(sgk_string("no server")));
}

/* sgk_signal_retry: with a decision */
static void retry_and_decide(void) {
    int attempts = 0;
    SGK_AUTO(sgk_signal) server = sgk_signal_create(ask, &attempts, NULL);
    SGK_AUTO(sgk_signal) patient =
        sgk_signal_retry(server, SGK_RETRY(.delay = SGK_AT_ONCE, .decide = once_more), NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(patient);
}
/* attempt 1 fails
 * attempt 2 fails
 * failed: no server */

int main(void) {
    deferred();
    concat_with();
    catch_error();
    catch_with();
    accumulating_loop();
    concat();
    start_with();
    end_with();
    default_if_empty();
    switch_if_empty();
    catch_and_return();
    repeat_without_limit();
    repeat();
    retry();
    retry_and_decide();
}
