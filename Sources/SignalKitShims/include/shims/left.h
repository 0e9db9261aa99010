/* Whether a call that has not returned can still do so: it cannot when it was left by longjmp, or when its thread has
 * ended inside it. */
#ifndef SIGNALKIT_SHIMS_LEFT_H
#define SIGNALKIT_SHIMS_LEFT_H

#include "system.h"

/* Returns the address of the calling function's frame. */
__attribute__((always_inline)) static inline uintptr_t sgk_shim_frame(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

/* Reports whether a frame of the calling thread no longer exists, because another frame is at its place or above. The
 * answer is known only for the thread's original stack. A program can return to a stack that it created (of a
 * coroutine). */
static inline bool sgk_shim_frame_is_gone(uintptr_t frame, uintptr_t here) {
    uintptr_t lowest;
    size_t size;
    return here >= frame && sgk_shim_own_stack(&lowest, &size) && frame - lowest < size && here - lowest < size;
}

/* Whether it is time to look at threads again: a few hundred times a second in the whole process, at most. */
static inline bool sgk_shim_may_look_at_threads(void) {
    static int64_t last;
    int64_t tick = sgk_shim_tick();
    if (__atomic_load_n(&last, __ATOMIC_RELAXED) == tick) return false; /* most of the time */
    return __atomic_exchange_n(&last, tick, __ATOMIC_RELAXED) != tick;
}

#endif
