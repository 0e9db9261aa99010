/* Starts subscriptions repeatedly until it is killed, for a system tracer that attaches and detaches. */
#include <signalkit.h>
#include <stdatomic.h>
#include <unistd.h>

static void count(void *counter, sgk_value value) { (void)value, ++*(atomic_int *)counter; }

int main(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    for (;;) {
        atomic_int values = 0;
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
        sgk_signal_replace(&s, sgk_signal_deliver_on(s, queue));
        sgk_signal_replace(&s, sgk_signal_named(s, "ticks"));
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(s, count, &values, NULL);
        for (int i = 0; i < 10; i++) sgk_pipe_next(pipe, sgk_int(i));
        while (values < 10) usleep(1000);
        sgk_disposable_dispose(run);
    }
}
