/* Examples of signalkit/pipe.h. */
#include "print.h"

/* sgk_pipe_create, sgk_pipe_signal, sgk_pipe_next, sgk_pipe_complete */
static void create(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    sgk_pipe_next(pipe, sgk_give(sgk_string("nobody hears this")));
    SGK_AUTO(sgk_disposable) subscription = start_printing(values);
    sgk_pipe_next(pipe, sgk_give(sgk_string("hello")));
    sgk_pipe_complete(pipe);
}
/* hello
 * completed */

/* sgk_pipe_create_replay
 * Who comes late gets the latest value. */
static void create_replay(void) {
    SGK_AUTO(sgk_pipe) temperature = sgk_pipe_create_replay();
    sgk_pipe_next(temperature, sgk_int(20));
    sgk_pipe_next(temperature, sgk_int(21));
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(temperature);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(values, print, NULL, NULL);
}
/* 21 */

/* sgk_pipe_error
 * A later subscription also receives the error. */
static void error(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) subscription = start_printing(values);
    sgk_pipe_error(pipe, sgk_give(sgk_string("out of paper")));
    SGK_AUTO(sgk_disposable) late = start_printing(values);
}
/* failed: out of paper
 * failed: out of paper */

struct filling {
    sgk_pipe *pipe;
    sgk_queue *queue;
    int next;
};

static void fill(void *context) {
    struct filling *f = context;
    while (f->next < 5) {
        if (sgk_pipe_next(f->pipe, sgk_int(++f->next)) != SGK_PAUSED) continue;
        printf("paused after %d\n", f->next);
        sgk_pipe_on_resume(f->pipe, fill, f, NULL, f->queue);
        return;
    }
}

/* sgk_pipe_on_resume, sgk_pipe_is_paused
 * A program that obeys loses no value, and never exceeds the limit. */
static void on_resume(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(values, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_PAUSE), time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(bounded, print, NULL, NULL);
    struct filling all = {pipe, time, 0};
    fill(&all);
    while (sgk_pipe_is_paused(pipe)) sgk_queue_run(time, 100);
}
/* paused after 2
 * 1
 * 2
 * 3
 * 4
 * 5 */

int main(void) {
    create();
    create_replay();
    error();
    on_resume();
}
