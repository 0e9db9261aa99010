#include <signalkit.h>
#include <signalkit/typed.h>

static double result;
EXAMPLE 1
static void print(void *context, sgk_value value) { (void)context, result = sgk_to_double(value); }

static void example(void) {
    SGK_AUTO(sgk_signal) source = sgk_signal_just(sgk_double(212));
    EXAMPLE 2
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(degrees, print, NULL, NULL);
}

int main(void) {
    example();
    return result == 100 && sgk_live_total() == 0 ? 0 : 1;
}
