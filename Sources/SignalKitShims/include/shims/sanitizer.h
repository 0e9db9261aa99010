/* ThreadSanitizer does not see hand-overs through libdispatch, which is not instrumented: these mark them.
 * Build with -DSGK_TSAN=1 together with -sanitize=thread. */
#ifndef SIGNALKIT_SHIMS_SANITIZER_H
#define SIGNALKIT_SHIMS_SANITIZER_H

#if SGK_TSAN
extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);
static inline void sgk_shim_hand_over(void *object) { __tsan_release(object); }
static inline void sgk_shim_take_over(void *object) { __tsan_acquire(object); }
#else
static inline void sgk_shim_hand_over(void *object) { (void)object; }
static inline void sgk_shim_take_over(void *object) { (void)object; }
#endif

#endif
