/* The data of each thread about its stack and its postponed work. */
#ifndef SIGNALKIT_SHIMS_TURNS_H
#define SIGNALKIT_SHIMS_TURNS_H

#include "thread_local.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    void *first, *last;
} sgk_shim_row;

/* For work that leads to more work of its kind: the depth of the thread in it since the stack became low, and the
 * postponed work. */
typedef struct {
    sgk_shim_row ends, starts, events;
    uintptr_t passing; /* where on the stack events are waited for, or 0 */
    uint32_t level;
    uint32_t stages; /* the number of nested starts by signals that were created for a start */
} sgk_shim_turns;

/* The calling thread's. */
sgk_shim_turns *sgk_shim_turns_here(void);

/* Where the thread's stack ends, and the middle of it; before that is known: everything is beyond. (A variable of each
 * thread's, found without a call.) */
extern SGK_THREAD_LOCAL __attribute__((visibility("hidden"))) struct sgk_shim_stack {
    uintptr_t end, middle;
} sgk_shim_stack;

/* Called beyond the middle of the stack, if the caller's place is in the thread's stack at all. */
bool sgk_shim_stack_is_really_low(void);

/* Reports whether more than half of the calling thread's stack is used. Returns false on a stack that the program
   created. */
static inline __attribute__((always_inline)) bool sgk_shim_stack_is_low(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return __builtin_expect(here < sgk_shim_stack.middle, 0) && sgk_shim_stack_is_really_low();
}

/* Reports whether more than three quarters are used. (Ruby's threads begin with more than half in use.) */
bool sgk_shim_stack_is_nearly_full(void);

#endif
