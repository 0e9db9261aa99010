/* What happens when memory runs out.
 *
 * Small objects come out of a reserve then, so that nothing is left half done. From then on, and as long as the reserve
 * cannot be restored, each function that makes values or handles refuses, with SGK_ERROR_MEMORY. Memory whose size the
 * program says (texts, arrays) is not taken from the reserve. A program that goes on to emit and to queue nevertheless,
 * until the reserve is used up, is ended with a message. */
#include "SignalKitSupport.h"

#include <stdatomic.h>
#include <unistd.h>

enum { RESERVE = 32 * 1024 };

static _Atomic(void *) reserve;

/* The first call makes the reserve. */
bool sgk_support_restore_reserve(void) {
    void *memory = malloc(RESERVE), *none = NULL;
    if (!memory) return false;
    sgk_support_attend_no_more(SGK_SUPPORT_RESERVE_IS_MISSING);
    if (!atomic_compare_exchange_strong(&reserve, &none, memory)) free(memory);
    return true;
}

void sgk_support_use_reserve(void) {
    sgk_support_attend(SGK_SUPPORT_RESERVE_IS_MISSING);
    free(atomic_exchange(&reserve, NULL));
}

void *sgk_support_zeroed(size_t size) {
    void *memory = calloc(1, size);
    if (memory) return memory;
    sgk_support_use_reserve();
    memory = calloc(1, size);
    if (!memory) sgk_support_out_of_memory();
    return memory;
}

_Noreturn void sgk_support_out_of_memory(void) {
    static const char message[] = "signalkit: out of memory\n";
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0) abort(); /* nobody to tell */
    abort();
}
