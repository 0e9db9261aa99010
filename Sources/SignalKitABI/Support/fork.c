/* Forks.swift has what happens at a fork; here it is asked for, when the library is loaded. */
#include "shims/system.h"

void sgk_support_before_fork(void);
void sgk_support_after_fork(void);

static __attribute__((constructor)) void watch_forks(void) {
    sgk_shim_at_fork(sgk_support_before_fork, sgk_support_after_fork, sgk_support_after_fork);
}
