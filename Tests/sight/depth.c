/* A stack for debuggers: a callback below three stages, started from `main`, and another on a thread of a queue. */
#include <signalkit.h>
#include <stdio.h>

static sgk_value add_one(void *context, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) + 1);
}
static bool is_odd(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) % 2 != 0;
}

void seen_from_main(void *context, sgk_value value);
void seen_from_main(void *context, sgk_value value) { *(int64_t *)context += sgk_to_int(value); }

void seen_on_a_queue(void *context);
void seen_on_a_queue(void *context) { ++*(int64_t *)context; }

int main(void) {
    int64_t sum = 0;
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_signal *numbers = sgk_pipe_signal(pipe), *more = sgk_signal_map(numbers, add_one, NULL, NULL);
    sgk_signal *odd = sgk_signal_filter(more, is_odd, NULL, NULL);
    sgk_disposable *run = sgk_signal_start_next(odd, seen_from_main, &sum, NULL);
    sgk_pipe_next(pipe, sgk_int(2));
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(odd);
    sgk_signal_release(more);
    sgk_signal_release(numbers);
    sgk_pipe_release(pipe);

    sgk_queue *queue = sgk_queue_create("own");
    sgk_queue_async(queue, seen_on_a_queue, &sum, NULL);
    while (sgk_live_count(SGK_LIVE_CALLBACK) > 0) {}
    sgk_queue_release(queue);
    printf("%lld\n", (long long)sum);
    return 0;
}
