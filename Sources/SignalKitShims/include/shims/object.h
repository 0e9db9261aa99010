/* References to Swift objects. */
#ifndef SIGNALKIT_SHIMS_OBJECT_H
#define SIGNALKIT_SHIMS_OBJECT_H

#include <stdint.h>

/* Releases a Swift object with one locked instruction. `Unmanaged.release` increments by one before it decrements by
 * two. */
void sgk_shim_let_go(void *object);

/* Prefetches memory that will be read. */
static inline void sgk_shim_expect(uintptr_t address) { __builtin_prefetch((const void *)address, 1); }

#endif
