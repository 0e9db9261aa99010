#include <malloc.h>

/** Returns the allocated bytes, including the allocator's overhead. (The Glibc module does not have mallinfo2.) */
static inline double allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}
