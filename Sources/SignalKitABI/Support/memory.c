/* Behaviour when memory is exhausted.
 *
 * Small objects then come from a reserve, so that no operation stops half done. Until the reserve is restored, each
 * function that creates values or handles fails with SGK_ERROR_MEMORY. Memory whose size the program specifies (texts,
 * arrays) does not come from the reserve. If a program still emits and enqueues until the reserve is exhausted, the
 * library ends it with a message. */
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

/* Several attempts are necessary because another thread may be freeing the reserve or may have just restored it. */
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
