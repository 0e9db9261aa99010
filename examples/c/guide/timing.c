#include <signalkit.h>
#include <stdio.h>

static void print(void *context, sgk_value value) { printf("%s %lld\n", (const char *)context, (long long)sgk_to_int(value)); }

static void stop(void *context) {
    (void)context;
    sgk_main_stop();
}

int main(void) {
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_pipe) dial = sgk_pipe_create();
    SGK_AUTO(sgk_signal) turns = sgk_pipe_signal(dial);

    SGK_AUTO(sgk_signal) settled = sgk_signal_debounce(turns, 0.05, main_queue);
    SGK_AUTO(sgk_signal) calm = sgk_signal_throttle(turns, 0.05, SGK_EDGES_BOTH, main_queue);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(settled, print, "settled at", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(calm, print, "drawn", NULL);

    SGK_AUTO(sgk_signal) broken = sgk_signal_never();
    SGK_AUTO(sgk_signal) unknown = sgk_signal_just(sgk_int(-1));
    SGK_AUTO(sgk_signal) timed = sgk_signal_timeout_first(broken, 0.5, main_queue);
    SGK_AUTO(sgk_signal) answer = sgk_signal_catch_with(timed, unknown);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = "no answer:";
    handlers.next = print;
    handlers.completed = stop;
    SGK_AUTO(sgk_disposable) third = sgk_signal_start(answer, &handlers);
    if (!first || !second || !third) return fprintf(stderr, "%s\n", sgk_last_error()), 1;

    for (int i = 1; i <= 5; i++) sgk_pipe_next(dial, sgk_int(i));
    sgk_pipe_complete(dial);
    sgk_main_run();
}
