/* The parts of Embedded Swift's runtime that every object goes through, faster. (What Swift brings itself is weak.) It
 * allocates everything by posix_memalign, although malloc aligns well enough for all but a few things; and it releases
 * the last reference by a locked operation, although no other thread can count then. And it destroys a chain of objects
 * in calls inside of each other, as deep as the chain is long; here objects that are too deep wait. Hidden in the
 * library, like everything else in here; without it (RUNTIME_FAST=no) Swift's own takes its place. */
#include "objects.h"

#include "../../SignalKitShims/include/shims/turns.h"

/* Never NULL: Swift would write there. */
static inline void *allocate(size_t alignment, size_t size) {
    void *allocated = sgk_support_allocate(alignment, size);
    return allocated ? allocated : sgk_support_allocate_from_reserve(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = allocate(alignment, size);
    return 0;
}

/* A mask of all bits means any alignment. */
object *swift_allocObject(const class *class, size_t size, size_t alignment_mask) {
    object *made = allocate(alignment_mask + 1, size);
    made->class = class;
    atomic_init(&made->references, 1);
    return made;
}

/* swift_allocObject(metadata:requiredSize:requiredAlignmentMask:), which the compiler calls instead. */
object *swift_allocObject_inside(const class *class, size_t size, size_t alignment_mask) __asm__(
    "$es17swift_allocObject8metadata12requiredSize0E13AlignmentMaskSpys04HeapC0VGSpys13ClassMetadataVG_S2itF");
object *swift_allocObject_inside(const class *class, size_t size, size_t alignment_mask) {
    return swift_allocObject(class, size, alignment_mask);
}

/* The objects that wait to be destroyed, linked where their references were; and how many are being destroyed since the
 * stack is low. */
static SGK_THREAD_LOCAL struct {
    object *waiting;
    unsigned level;
} destroying;

enum { FEW = 16 }; /* that are still destroyed inside of each other */

static void destroy_now(object *object, uintptr_t bits) {
    atomic_store_explicit(&object->references, bits, memory_order_relaxed);
    object->class->destroy(object);
}

static __attribute__((noinline)) void destroy_deeply(object *first) {
    if (destroying.level >= FEW) {
        atomic_store_explicit(&first->references, (uintptr_t)destroying.waiting, memory_order_relaxed);
        destroying.waiting = first;
        return;
    }
    destroying.level++;
    destroy_now(first, uncounted);
    for (object *next; (next = destroying.waiting) != NULL; destroy_now(next, uncounted)) {
        destroying.waiting = (object *)atomic_load_explicit(&next->references, memory_order_relaxed);
    }
    destroying.level--;
}

/* sgk_shim_stack_is_low, without a separate stack frame. */
static inline bool is_low(void) {
#ifdef __x86_64__
    uintptr_t here;
    __asm__("movq %%rsp, %0" : "=r"(here));
    return __builtin_expect(here < sgk_shim_stack.middle, 0) && sgk_shim_stack_is_really_low();
#else
    return sgk_shim_stack_is_low();
#endif
}

/* Destroys an object after its last release. A separate function, so that other releases need no stack frame. */
static __attribute__((noinline)) void destroy(object *object) {
    if (is_low()) destroy_deeply(object);
    else destroy_now(object, uncounted);
}

static __attribute__((noinline)) void release_special(object *object, uintptr_t references, uint32_t count) {
    if ((references & ~borrowed) == uncounted) return;
    references = atomic_fetch_sub_explicit(&object->references, count, memory_order_acq_rel);
    /* at once: its memory may go with the caller */
    if (references == (borrowed | count)) destroy_now(object, borrowed | uncounted);
}

static inline __attribute__((always_inline)) void release(object *object, uint32_t count) {
    if ((intptr_t)object <= 0) return; /* none, or an object without a reference count */
    uintptr_t references = atomic_load_explicit(&object->references, memory_order_acquire);
    if (references == count) return destroy(object);
    if (references >= uncounted) return release_special(object, references, count);
    if (atomic_fetch_sub_explicit(&object->references, count, memory_order_acq_rel) == count) destroy(object);
}

void swift_release(object *object) { release(object, 1); }
void swift_release_n(object *object, uint32_t count) { release(object, count); }
