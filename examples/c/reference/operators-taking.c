/* Examples of signalkit/operators-taking.h. */
#include "print.h"

/* sgk_signal_take */
static void take(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 100);
    SGK_AUTO(sgk_signal) two = sgk_signal_take(numbers, 2);
    SGK_AUTO(sgk_disposable) subscription = start_printing(two);
}
/* 1
 * 2
 * completed */

/* sgk_signal_take_last */
static void take_last(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) two = sgk_signal_take_last(numbers, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(two, print, NULL, NULL);
}
/* 4
 * 5 */

static bool is_below_three(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) < 3;
}

/* sgk_signal_take_while */
static void take_while(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 100);
    SGK_AUTO(sgk_signal) small = sgk_signal_take_while(numbers, is_below_three, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(small);
}
/* 1
 * 2
 * completed */

/* sgk_signal_skip */
static void skip(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 5);
    SGK_AUTO(sgk_signal) rest = sgk_signal_skip(numbers, 3);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(rest, print, NULL, NULL);
}
/* 4
 * 5 */

/* sgk_signal_skip_while
 * From the first number that is not small on, all pass. */
static void skip_while(void) {
    const sgk_value values[] = {sgk_int(1), sgk_int(4), sgk_int(2)};
    SGK_AUTO(sgk_signal) numbers = sgk_signal_from_array(values, 3);
    SGK_AUTO(sgk_signal) rest = sgk_signal_skip_while(numbers, is_below_three, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(rest, print, NULL, NULL);
}
/* 4
 * 2 */

/* sgk_signal_skip_until
 * Drops the values before the program is ready. */
static void skip_until(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) ready = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) is_ready = sgk_pipe_signal(ready);
    SGK_AUTO(sgk_signal) heard = sgk_signal_skip_until(values, is_ready);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(heard, print, NULL, NULL);
    sgk_pipe_next(pipe, sgk_int(1));
    sgk_pipe_next(ready, sgk_null());
    sgk_pipe_next(pipe, sgk_int(2));
}
/* 2 */

/* sgk_signal_take_until
 * Emits the values before the program stops. */
static void take_until(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) stop = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) stopped = sgk_pipe_signal(stop);
    SGK_AUTO(sgk_signal) until = sgk_signal_take_until(values, stopped);
    SGK_AUTO(sgk_disposable) subscription = start_printing(until);
    sgk_pipe_next(pipe, sgk_int(1));
    sgk_pipe_next(stop, sgk_null());
    sgk_pipe_next(pipe, sgk_int(2));
}
/* 1
 * completed */

int main(void) {
    take();
    take_last();
    take_while();
    skip();
    skip_while();
    skip_until();
    take_until();
}
