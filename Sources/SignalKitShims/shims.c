/* The definitions that exist once in the library. The rest is in the headers and in the folder `posix`. */
#include "shims/platform.h"

#include "shims/object.h"
#include "shims/process.h"
#include "shims/system.h"
#include "shims/thread.h"
#include "shims/turns.h"

uint32_t sgk_shim_forks = 0;

void (*sgk_shim_pin)(void) = NULL;

SGK_THREAD_LOCAL void *sgk_shim_work = NULL;

static SGK_THREAD_LOCAL sgk_shim_turns turns;

sgk_shim_turns *sgk_shim_turns_here(void) { return &turns; }

_Thread_local struct sgk_shim_stack sgk_shim_stack = {0, UINTPTR_MAX};

static void learn_stack(void) {
    uintptr_t end;
    size_t size;
    sgk_shim_stack.middle = 0;
    if (sgk_shim_own_stack(&end, &size)) sgk_shim_stack = (struct sgk_shim_stack){end, end + size / 2};
}

bool sgk_shim_stack_is_really_low(void) {
    if (sgk_shim_stack.middle == UINTPTR_MAX) learn_stack();
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here >= sgk_shim_stack.end && here < sgk_shim_stack.middle;
}

bool sgk_shim_stack_is_nearly_full(void) {
    if (!sgk_shim_stack_is_low()) return false;
    uintptr_t half = sgk_shim_stack.middle - sgk_shim_stack.end;
    return (uintptr_t)__builtin_frame_address(0) < sgk_shim_stack.end + half / 2;
}

extern void swift_release(void *object);

void sgk_shim_let_go(void *object) { swift_release(object); }
