#include <signalkit.h>
#include <stdio.h>

static int64_t printed;
static bool is_even(void *context, sgk_value value) { return (void)context, sgk_to_int(value) % 2 == 0; }
static sgk_value times_two(void *context, sgk_value value) { return (void)context, sgk_int(sgk_to_int(value) * 2); }
static void print(void *context, sgk_value value) { (void)context, printed = sgk_to_int(value); }

static void example(void) {
    EXAMPLE
}

int main(void) {
    example();
    return printed == 8 && sgk_live_total() == 0 ? 0 : 1;
}
