#include <signalkit.h>
#include <signalkit/event_link.h>

static double printed;
static bool is_warm(void *context, sgk_value value) { return (void)context, sgk_to_double(value) > 20; }
static void print(void *context, sgk_value value) { (void)context, printed = sgk_to_double(value); }

static void example(void) {
    EXAMPLE
    sgk_event_emitter_next(temperature, sgk_double(5));
}

int main(void) {
    example();
    return printed == 21.5 && sgk_live_total() == 0 ? 0 : 1;
}
