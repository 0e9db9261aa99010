#include <signalkit.h>
#include <stdio.h>

static void print(void *context, sgk_value value) {
    (void)context;
    printf("%.1f degrees\n", sgk_to_double(value));
}

int main(void) {
    SGK_AUTO(sgk_signal) reading = sgk_signal_just(sgk_double(21.5));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(reading, print, NULL, NULL);
    SGK_AUTO(sgk_disposable) again = sgk_signal_start_next(reading, print, NULL, NULL);
    return subscription && again ? 0 : 1;
}
