/* What has to be in one place for the whole library: the rest of the target is in the headers. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "shims/turns.h"

#include <pthread.h>
#include <stddef.h>

/* In the memory that each thread has from its beginning: no call is needed to find it. */
#define OF_EACH_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

OF_EACH_THREAD sgk_shim_turns turns;
OF_EACH_THREAD uintptr_t stack_end, stack_middle;

sgk_shim_turns *sgk_shim_turns_here(void) { return &turns; }

static __attribute__((noinline)) void learn_stack(void) {
    pthread_attr_t attributes;
    void *end;
    size_t size;
    stack_middle = 1;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &end, &size) == 0) {
        stack_end = (uintptr_t)end;
        stack_middle = stack_end + size / 2;
    }
    (void)pthread_attr_destroy(&attributes);
}

bool sgk_shim_stack_is_low(void) {
    if (stack_middle == 0) learn_stack();
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here >= stack_end && here < stack_middle;
}
