/* Examples of signalkit/operators-timing.h, in virtual time. */
#include "print.h"

/* sgk_signal_throttle
 * Of what a source emits every second, at most one value in three seconds is wanted. */
static void throttle(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(1, time);
    SGK_AUTO(sgk_signal) calm = sgk_signal_throttle(ticks, 3, time);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(calm, print, NULL, NULL);
    sgk_queue_advance(time, 8);
}
/* 0
 * 3
 * 6 */

int main(void) {
    throttle();
}
