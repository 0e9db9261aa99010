/* Results that a program must not ignore. The compiler warns of each line that says so, and of no other line. */
#include <signalkit.h>

void ignore(sgk_signal *signal, sgk_pipe *pipe, sgk_value value);

void ignore(sgk_signal *signal, sgk_pipe *pipe, sgk_value value) {
    sgk_signal_start(signal, NULL);  /* warning */
    sgk_signal_take(signal, 1);      /* warning */
    sgk_value_retain(value);         /* warning */
    sgk_string("lost");              /* warning */
    sgk_pipe_signal(pipe);           /* warning */
    sgk_queue_create("lost");        /* warning */
    sgk_array_at(value, 0);          /* borrowed */
    sgk_signal_retain(signal);       /* the program has the handle */
    sgk_pipe_next(pipe, sgk_int(1)); /* a status */
    sgk_disposable_release(sgk_signal_start(signal, NULL));
}
