/* What each thread knows of its stack, and what it has left for later. */
#ifndef SIGNALKIT_SHIMS_TURNS_H
#define SIGNALKIT_SHIMS_TURNS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    void *first, *last;
} sgk_shim_row;

/* Of work that leads to more of its kind: how deep the thread is in it since its stack is low, and what it has left for later. */
typedef struct {
    sgk_shim_row ends, starts;
    uint32_t level;
} sgk_shim_turns;

/* The calling thread's. */
sgk_shim_turns *sgk_shim_turns_here(void);

/* The further half of the thread's stack; before it is known: everything. (A variable of each thread's, found without a call.) */
extern _Thread_local __attribute__((tls_model("initial-exec"), visibility("hidden"))) struct sgk_shim_half {
    uintptr_t end, size;
} sgk_shim_half;

bool sgk_shim_stack_is_really_low(void);

/* Whether more than half of the calling thread's stack is used. (No, on a stack that the program has made itself.) */
static inline __attribute__((always_inline)) bool sgk_shim_stack_is_low(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return __builtin_expect(here - sgk_shim_half.end < sgk_shim_half.size, 0) && sgk_shim_stack_is_really_low();
}

#endif
