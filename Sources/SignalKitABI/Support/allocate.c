/* Embedded Swift allocates everything by posix_memalign, although malloc aligns well enough for all but a few things, and is faster. Hidden in
 * the library, like everything else in here. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *allocated = alignment <= _Alignof(max_align_t) ? malloc(size) : aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
    if (allocated == NULL) return ENOMEM;
    *memory = allocated;
    return 0;
}
