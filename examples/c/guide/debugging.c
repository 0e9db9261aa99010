#include <signalkit.h>
#include <stdio.h>

static void log_message(void *context, const char *message) { printf("%s%s\n", (const char *)context, message); }

int main(void) {
    sgk_set_log_handler(log_message, "log: ", NULL);

    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(7));
    SGK_AUTO(sgk_signal) wrong = sgk_signal_take(number, -1);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(wrong, NULL, NULL, NULL);
    SGK_AUTO(sgk_disposable) none = sgk_signal_start_next(mapped, NULL, NULL, NULL);
    if (!none) printf("%s\n", sgk_last_error());

    SGK_AUTO(sgk_signal) traced = sgk_signal_trace(number, "seven");
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(traced, NULL);

    sgk_signal *released = sgk_signal_never();
    sgk_signal_release(released);
    if (!sgk_signal_take(released, 1)) printf("%s\n", sgk_last_error());

    sgk_set_log_handler(NULL, NULL, NULL);
}
