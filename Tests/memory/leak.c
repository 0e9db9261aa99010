/* Leaks: several, as the last one may still lie in a register. */
#include <signalkit.h>

int main(void) {
    for (int i = 0; i < 10; i++) {
        sgk_signal *leaked = sgk_signal_just(sgk_int(i));
        (void)leaked;
    }
    return 0;
}
