#include <signalkit.h>

static int printed;
static void print(void *context) { (void)context, printed++; }

static void example(void) {
    EXAMPLE
}

int main(void) {
    example();
    return printed == 1 && sgk_live_total() == 0 ? 0 : 1;
}
