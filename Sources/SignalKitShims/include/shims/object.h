/* References to Swift objects. */
#ifndef SIGNALKIT_SHIMS_OBJECT_H
#define SIGNALKIT_SHIMS_OBJECT_H

#include <stdint.h>

/* Lets go of a Swift object: `Unmanaged.release` counts up by one before it counts down by two, in locked
 * instructions. */
void sgk_shim_let_go(void *object);

/* There will be a look at what is there, if anything is. */
static inline void sgk_shim_expect(uintptr_t address) { __builtin_prefetch((const void *)address, 1); }

#endif
