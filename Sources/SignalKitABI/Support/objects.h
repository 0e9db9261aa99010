/* The layout of Embedded Swift objects. Tests/toolchain/objects.c checks it whenever the library is built. */
#ifndef SIGNALKIT_OBJECTS_H
#define SIGNALKIT_OBJECTS_H

#include "SignalKitSupport.h"

#include <stdatomic.h>

typedef struct object object;

/* Swift passes `self` in a separate register. */
typedef __attribute__((swiftcall)) void (*destroy_fn)(__attribute__((swift_context)) object *self);

typedef struct {
    const void *superclass;
    destroy_fn destroy;
} class;

struct object {
    const class *class;
    _Atomic uintptr_t references; /* the highest bit says that the memory is not its own */
};

static const uintptr_t borrowed = ~(UINTPTR_MAX >> 1), uncounted = UINTPTR_MAX >> 1; /* static, or being destroyed */

_Static_assert(sizeof(object) == SGK_OBJECT_HEADER, "the fields begin behind the class and the count");
_Static_assert(offsetof(object, references) == 8 && offsetof(class, destroy) == 8, "one word before each");
_Static_assert(sizeof(_Atomic uintptr_t) == sizeof(uintptr_t), "a count is one word");

void swift_release(object *object);

/* For objects with a reference count and a separate allocation. */
#ifdef SGK_RUNTIME_FAST
static inline void object_retain(object *object) {
    atomic_fetch_add_explicit(&object->references, 1, memory_order_relaxed);
}
static inline bool object_is_last(object *object) {
    return atomic_load_explicit(&object->references, memory_order_acquire) == 1;
}
#else
object *swift_retain(object *object);
static inline void object_retain(object *object) { swift_retain(object); }
static inline bool object_is_last(object *object) { return (void)object, false; } /* unknown */
#endif

#endif
