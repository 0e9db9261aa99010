/* Examples of signalkit/operators-effects.h. */
#include "print.h"

#include <stdlib.h>
#include <string.h>

/* Says something. */
static void say(void *text) { puts(text); }

/* sgk_signal_before_next */
static void before_next(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) watched = sgk_signal_before_next(numbers, print, "before ", NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(watched, print, NULL, NULL);
}
/* before 1
 * 1
 * before 2
 * 2 */

/* sgk_signal_after_next */
static void after_next(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) watched = sgk_signal_after_next(numbers, print, "after ", NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(watched, print, NULL, NULL);
}
/* 1
 * after 1
 * 2
 * after 2 */

/* sgk_signal_before_started */
static void before_started(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) watched = sgk_signal_before_started(number, say, "starting", NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(watched, print, NULL, NULL);
}
/* starting
 * 1 */

/* sgk_signal_before_error */
static void before_error(void) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) watched = sgk_signal_before_error(failing, print, "seen: ", NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(watched);
}
/* seen: 5
 * failed: 5 */

/* sgk_signal_before_completed */
static void before_completed(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) watched = sgk_signal_before_completed(number, say, "about to complete", NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(watched);
}
/* 1
 * about to complete
 * completed */

/* sgk_signal_after_completed */
static void after_completed(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) watched = sgk_signal_after_completed(number, say, "all is done", NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(watched);
}
/* 1
 * completed
 * all is done */

/* sgk_signal_after_disposed
 * The function is called after a terminal event and after a disposal. */
static void after_disposed(void) {
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    SGK_AUTO(sgk_signal) watched = sgk_signal_after_disposed(never, say, "over", NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(watched, NULL);
    puts("runs");
    sgk_disposable_dispose(subscription);
}
/* runs
 * over */

static void print_unhandled(void *context, sgk_value error, const char *name) {
    (void)context;
    printf("%s: ", name);
    print("nobody handles ", error);
}

/* sgk_signal_named
 * The name appears in the report of an unhandled error. */
static void named(void) {
    sgk_set_unhandled_error_handler(print_unhandled, NULL, NULL);
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_signal) sensor = sgk_signal_named(failing, "sensor");
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(sensor, print, NULL, NULL);
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
}
/* sensor: nobody handles 5 */

/* Prints a message of the library, from its name on (before that it has the time, and the thread). */
static void print_message(void *name, const char *message) { puts(strstr(message, name)); }

/* sgk_signal_trace
 * Logs a line for each event of a subscription. */
static void trace(void) {
    sgk_set_log_handler(print_message, "answer", NULL);
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(42));
    SGK_AUTO(sgk_signal) traced = sgk_signal_trace(number, "answer");
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(traced, NULL);
    sgk_set_log_handler(NULL, NULL, NULL);
}
/* answer#1 started
 * answer#1 next 42
 * answer#1 completed
 * answer#1 disposed */

int main(void) {
    before_next();
    after_next();
    before_started();
    before_error();
    before_completed();
    after_completed();
    after_disposed();
    named();
    trace();
}
