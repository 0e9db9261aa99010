/* Examples of signalkit/testing.h. */
#include "print.h"

#include <signalkit/testing.h>

/* sgk_marble_cold, sgk_marble_start, sgk_marble_expect
 * A character is a second; what comes out is compared with what was expected. */
static void cold(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_marble_cold(time, "-a-bc---|");
    SGK_AUTO(sgk_signal) quiet = sgk_signal_debounce(source, 2, time);
    sgk_marble_run *run = sgk_marble_start(time, quiet, "^");
    sgk_queue_run(time, 1000);
    puts(sgk_marble_expect(run, "------c-|") ? "as expected" : "not as expected");
}
/* as expected */

/* sgk_marble_hot
 * A source that goes on whether somebody listens or not: here from the third second to the seventh. */
static void hot(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) source = sgk_marble_hot(time, "^a-b-c-d-e|");
    sgk_marble_run *run = sgk_marble_start(time, source, "--^---!");
    sgk_queue_run(time, 1000);
    puts(sgk_marble_expect(run, "---b-c") ? "as expected" : "not as expected");
}
/* as expected */

int main(void) {
    cold();
    hot();
}
