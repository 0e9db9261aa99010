/* Leaks: several, as the last one may still lie in a register. */
#include <signalkit.h>

int main(void) {
    for (int i = 0; i < 10; i++) sgk_signal_single(sgk_int(i));
    return 0;
}
