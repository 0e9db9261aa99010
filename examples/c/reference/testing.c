/* Examples of signalkit/testing.h. */
#include "print.h"

#include <signalkit/testing.h>

/* sgk_marble_cold, sgk_marble_start, sgk_marble_expect
 * A character is a second. The output is compared with the expected diagram. */
static void cold(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_marble_cold(time, "-a-bc---|");
    SGK_AUTO(sgk_signal) quiet = sgk_signal_debounce(source, 2, time);
    sgk_marble_run *subscription = sgk_marble_start(time, quiet, "^");
    sgk_queue_run(time, 1000);
    puts(sgk_marble_expect(subscription, "------c-|") ? "as expected" : "not as expected");
}
/* as expected */

/* sgk_marble_hot
 * A hot source emits without subscribers, too. This subscription lasts from the third second to the seventh. */
static void hot(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_marble_hot(time, "^a-b-c-d-e|");
    sgk_marble_run *subscription = sgk_marble_start(time, source, "--^---!");
    sgk_queue_run(time, 1000);
    puts(sgk_marble_expect(subscription, "---b-c") ? "as expected" : "not as expected");
}
/* as expected */

/* sgk_marble_log_create, sgk_marble_logged, sgk_marble_expect_subscriptions
 * A source that is repeated is started twice; each subscription has a diagram. */
static void subscriptions(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    sgk_marble_log *log = sgk_marble_log_create(time);
    SGK_AUTO(sgk_signal) source = sgk_marble_cold(time, "-a|");
    SGK_AUTO(sgk_signal) logged = sgk_marble_logged(log, source);
    SGK_AUTO(sgk_signal) twice = sgk_signal_repeat(logged, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(twice, NULL);
    sgk_queue_run(time, 1000);
    const char *expected[] = {"^-!", "--^-!"};
    puts(sgk_marble_expect_subscriptions(log, expected, 2) ? "as expected" : "not as expected");
}
/* as expected */

/* sgk_marble_log_cold
 * At its second value the delay pauses the source (`p`). When it has emitted one, the source continues (`r`). */
static void pauses(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    sgk_marble_log *log = sgk_marble_log_create(time);
    SGK_AUTO(sgk_signal) source = sgk_marble_log_cold(log, "-a-b-c|");
    const sgk_bound *two = SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_PAUSE);
    SGK_AUTO(sgk_signal) late = sgk_signal_delay(source, 3, two, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(late, NULL);
    sgk_queue_run(time, 1000);
    const char *expected[] = {"^--prp!"};
    puts(sgk_marble_expect_subscriptions(log, expected, 1) ? "as expected" : "not as expected");
}
/* as expected */

/* sgk_marble_log_release
 * Of a log whose subscriptions are not compared. */
static void unused(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    sgk_marble_log_release(sgk_marble_log_create(time));
}

int main(void) {
    cold();
    hot();
    subscriptions();
    pauses();
    unused();
}
