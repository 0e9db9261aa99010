#include <signalkit/testing.h>
#include <assert.h>

static void example(void) {
    EXAMPLE
}

int main(void) {
    example();
    return sgk_live_total() == 0 ? 0 : 1;
}
