/* The function of libm that Swift's hash tables call: so programs need not link libm. */
#include <stdint.h>

static const double all_are_whole = 4503599627370496; /* 2^52 */

double ceil(double number) {
    double whole = number > -all_are_whole && number < all_are_whole ? (double)(int64_t)number : number;
    return __builtin_copysign(whole < number ? whole + 1 : whole, number);
}
