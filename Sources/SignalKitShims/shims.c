/* What has to be in one place for the whole library: the rest of the target is in the headers. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "shims/platform.h"

#include "shims/turns.h"

#include <pthread.h>
#include <stddef.h>

static _Thread_local __attribute__((tls_model("initial-exec"))) sgk_shim_turns turns;

sgk_shim_turns *sgk_shim_turns_here(void) { return &turns; }

_Thread_local struct sgk_shim_stack sgk_shim_stack = {0, UINTPTR_MAX};

static void learn_stack(void) {
    pthread_attr_t attributes;
    void *end;
    size_t size;
    sgk_shim_stack.middle = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    if (pthread_attr_getstack(&attributes, &end, &size) == 0) sgk_shim_stack = (struct sgk_shim_stack){(uintptr_t)end, (uintptr_t)end + size / 2};
    (void)pthread_attr_destroy(&attributes);
}

bool sgk_shim_stack_is_really_low(void) {
    if (sgk_shim_stack.middle == UINTPTR_MAX) learn_stack();
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here >= sgk_shim_stack.end && here < sgk_shim_stack.middle;
}
