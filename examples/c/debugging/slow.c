/* Two readings a tick, on one queue. One of them keeps the other waiting: docs/debugging.md finds out which. */
#include <signalkit.h>
#include <stdio.h>
#include <time.h>

/* Reckons for longer than it should. */
void smooth(void *context, sgk_value value) {
    (void)context, (void)value;
    for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 2;) {}
}

void count(void *context, sgk_value value) { ++*(int *)context, (void)value; }

void listen_to(sgk_pipe *readings, const char *name, sgk_queue *queue, sgk_next_fn next, void *context) {
    SGK_AUTO(sgk_signal) all = sgk_pipe_signal(readings);
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(all, queue);
    SGK_AUTO(sgk_signal) named = sgk_signal_named_at(delivered, name, SGK_HERE);
    sgk_disposable_release(sgk_signal_start_next(named, next, context, NULL));
}

int main(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("readings");
    SGK_AUTO(sgk_pipe) readings = sgk_pipe_create();
    int counted = 0;
    listen_to(readings, "temperature", queue, smooth, NULL);
    listen_to(readings, "pressure", queue, count, &counted);
    for (int reading = 0; reading < 3; reading++) sgk_pipe_next(readings, sgk_int(reading));
    sgk_pipe_complete(readings);
    sgk_drain(60);
    printf("%d of 3 readings\n", counted);
    return 0;
}
