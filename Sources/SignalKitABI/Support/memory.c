/* What happens when memory runs out.
 *
 * Small objects come out of a reserve then, so that nothing is left half done. From then on, and as long as the reserve
 * cannot be restored, each function that makes values or handles refuses, with SGK_ERROR_MEMORY. Memory whose size the
 * program says (texts, arrays) is not taken from the reserve. A program that goes on to emit and to queue nevertheless,
 * until the reserve is used up, is ended with a message. */
#include "SignalKitSupport.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum { RESERVE = 32 * 1024 };

static _Atomic(void *) reserve;

bool sgk_support_restore_reserve(void) {
    void *memory = malloc(RESERVE), *none = NULL;
    if (!memory) return false;
    sgk_support_attend_no_more(SGK_SUPPORT_RESERVE_IS_MISSING);
    if (!atomic_compare_exchange_strong(&reserve, &none, memory)) free(memory);
    return true;
}

/* When the library is loaded: its first call may be the one that finds no memory. */
static __attribute__((constructor)) void make_reserve(void) { (void)sgk_support_restore_reserve(); }

static _Noreturn void end(void) {
    static const char message[] = "signalkit: out of memory\n";
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0) abort(); /* nobody to tell */
    abort();
}

/* Not once only: another thread may just be freeing the reserve, or have restored it meanwhile. */
void *sgk_support_allocate_from_reserve(size_t alignment, size_t size) {
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES; i++) {
        sgk_support_attend(SGK_SUPPORT_RESERVE_IS_MISSING);
        free(atomic_exchange(&reserve, NULL));
        void *memory = sgk_support_allocate(alignment, size);
        if (memory) return memory;
        (void)sched_yield();
    }
    end();
}

void *sgk_support_zeroed(size_t size) {
    void *memory = calloc(1, size);
    if (memory) return memory;
    return memset(sgk_support_allocate_from_reserve(1, size), 0, size);
}
