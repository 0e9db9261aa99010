/* References to Swift objects. */
#ifndef SIGNALKIT_SHIMS_OBJECT_H
#define SIGNALKIT_SHIMS_OBJECT_H

/* Lets go of a Swift object: `Unmanaged.release` counts up by one before it counts down by two, in locked
 * instructions. */
void sgk_shim_let_go(void *object);

#endif
