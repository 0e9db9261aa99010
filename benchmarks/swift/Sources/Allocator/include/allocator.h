#include <malloc.h>

/** Bytes that are allocated at this moment, with what the allocator needs beside. (The Glibc module does not have
    mallinfo2.) */
static inline double allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}
