/* Examples of signalkit/virtual_time.h. */
#include "print.h"

static void say(void *text) { puts(text); }

/* sgk_queue_create_virtual, sgk_queue_advance, sgk_queue_now
 * Advances the clock by an hour, and runs all work of that hour. */
static void create_virtual(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_disposable) work = sgk_queue_after(queue, 1800, say, "half an hour", NULL);
    sgk_queue_advance(queue, 3600);
    printf("%g s\n", sgk_queue_now(queue));
}
/* half an hour
 * 3600 s */

/* sgk_queue_advance_to
 * To a time, which may be the one that it is. */
static void advance_to(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(1, queue);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(ticks, print_at, queue, NULL);
    sgk_queue_advance_to(queue, 1.5);
    sgk_queue_advance_to(queue, 2);
}
/* 1 s: 0
 * 2 s: 1 */

/* sgk_queue_run
 * Until nothing is left to do, which after three ticks it is. */
static void run(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(1, queue);
    SGK_AUTO(sgk_signal) three = sgk_signal_take(ticks, 3);
    SGK_AUTO(sgk_disposable) subscription = start_printing(three);
    sgk_queue_run(queue, 1000);
    printf("%g s\n", sgk_queue_now(queue));
}
/* 0
 * 1
 * 2
 * completed
 * 3 s */

/* sgk_queue_pending
 * What a test leaves behind. */
static void pending(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_disposable) work = sgk_queue_after(queue, 10, say, "ten seconds", NULL);
    printf("%d waits\n", (int)sgk_queue_pending(queue));
    sgk_queue_advance(queue, 10);
    printf("%d waits\n", (int)sgk_queue_pending(queue));
}
/* 1 waits
 * ten seconds
 * 0 waits */

/* sgk_queue_suspend
 * Simulates an hour of system sleep: only timers of the wall clock fire. */
static void suspend(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) now = sgk_signal_just(sgk_give(sgk_string("the wall clock")));
    SGK_AUTO(sgk_signal) aware = sgk_signal_suspend_aware_delay(now, 60, 4, queue);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(aware, print, NULL, NULL);
    SGK_AUTO(sgk_disposable) work = sgk_queue_after(queue, 60, say, "the queue's clock", NULL);
    sgk_queue_suspend(queue, 3600);
    sgk_queue_advance(queue, 5);
    printf("%g s\n", sgk_queue_now(queue));
}
/* the wall clock
 * 5 s */

int main(void) {
    create_virtual();
    advance_to();
    run();
    pending();
    suspend();
}
