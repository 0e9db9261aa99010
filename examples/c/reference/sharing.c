/* Examples of signalkit/sharing.h. */
#include "print.h"

static void say(void *text) { puts(text); }

/* A sensor that says when it is asked to measure, once for each run. */
static sgk_signal *sensor_of(sgk_pipe *pipe) {
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) started = sgk_signal_before_started(values, say, "on", NULL);
    return sgk_signal_after_disposed(started, say, "off", NULL);
}

/* sgk_signal_share
 * A late subscription receives the latest value. The source stays active for a minute without subscribers. */
static void share(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) sensor = sensor_of(pipe);
    SGK_AUTO(sgk_signal) shared = sgk_signal_share(sensor, 1, 60, time);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(shared, print, "first: ", NULL);
    sgk_pipe_next(pipe, sgk_int(20));
    sgk_disposable_dispose(first);
    sgk_queue_advance(time, 30);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(shared, print, "second: ", NULL);
    sgk_disposable_dispose(second);
    sgk_queue_advance(time, 60);
}
/* on
 * first: 20
 * second: 20
 * off */

/* sgk_sequencer_create, sgk_sequencer_enqueue
 * A printer, which prints one thing at a time, in the order in which they were started. */
static void sequencer(void) {
    SGK_AUTO(sgk_sequencer) printer = sgk_sequencer_create();
    SGK_AUTO(sgk_pipe) paper = sgk_pipe_create();
    SGK_AUTO(sgk_signal) slow = sgk_pipe_signal(paper);
    SGK_AUTO(sgk_signal) quick = sgk_signal_just(sgk_int(2));
    SGK_AUTO(sgk_signal) first = sgk_sequencer_enqueue(printer, slow);
    SGK_AUTO(sgk_signal) second = sgk_sequencer_enqueue(printer, quick);
    SGK_AUTO(sgk_disposable) first_run = sgk_signal_start_next(first, print, "first: ", NULL);
    SGK_AUTO(sgk_disposable) second_run = sgk_signal_start_next(second, print, "second: ", NULL);
    sgk_pipe_next(paper, sgk_int(1));
    sgk_pipe_complete(paper);
}
/* first: 1
 * second: 2 */

int main(void) {
    share();
    sequencer();
}
