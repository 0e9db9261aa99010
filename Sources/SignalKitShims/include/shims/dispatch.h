/* libdispatch's C functions, declared here because its own headers need the blocks runtime and its Swift overlay does
 * not exist in Embedded mode. Only functions of its public, stable ABI, and the two that let a foreign loop drive the
 * main queue on Linux. */
#ifndef SIGNALKIT_SHIMS_DISPATCH_H
#define SIGNALKIT_SHIMS_DISPATCH_H

#include <stdint.h>

typedef struct sgk_shim_dispatch *sgk_shim_dispatch_t;
typedef void (*sgk_shim_work_t)(void *context);

extern sgk_shim_dispatch_t sgk_shim_queue_create(const char *label, const void *attr) __asm__("dispatch_queue_create");
extern sgk_shim_dispatch_t sgk_shim_global_queue(intptr_t identifier, uintptr_t flags) __asm__("dispatch_get_global_queue");
extern void sgk_shim_release(sgk_shim_dispatch_t object) __asm__("dispatch_release");
extern void sgk_shim_async(sgk_shim_dispatch_t queue, void *context, sgk_shim_work_t work) __asm__("dispatch_async_f");
extern void sgk_shim_sync(sgk_shim_dispatch_t queue, void *context, sgk_shim_work_t work) __asm__("dispatch_sync_f");
extern void sgk_shim_set_specific(sgk_shim_dispatch_t queue, const void *key, void *value, sgk_shim_work_t destroy)
    __asm__("dispatch_queue_set_specific");
extern void *sgk_shim_get_specific(const void *key) __asm__("dispatch_get_specific");

extern uint64_t sgk_shim_time(uint64_t when, int64_t delta) __asm__("dispatch_time");
extern sgk_shim_dispatch_t sgk_shim_source_create(const void *type, uintptr_t handle, uintptr_t mask, sgk_shim_dispatch_t queue)
    __asm__("dispatch_source_create");
extern void sgk_shim_source_set_timer(sgk_shim_dispatch_t source, uint64_t start, uint64_t interval, uint64_t leeway)
    __asm__("dispatch_source_set_timer");
extern void sgk_shim_source_set_handler(sgk_shim_dispatch_t source, sgk_shim_work_t handler)
    __asm__("dispatch_source_set_event_handler_f");
extern void sgk_shim_source_cancel(sgk_shim_dispatch_t source) __asm__("dispatch_source_cancel");
extern void sgk_shim_set_context(sgk_shim_dispatch_t object, void *context) __asm__("dispatch_set_context");
extern void sgk_shim_set_finalizer(sgk_shim_dispatch_t object, sgk_shim_work_t finalizer) __asm__("dispatch_set_finalizer_f");
extern void sgk_shim_resume(sgk_shim_dispatch_t object) __asm__("dispatch_resume");

extern struct sgk_shim_dispatch_queue_s { char opaque; } sgk_shim_main_queue_object __asm__("_dispatch_main_q");
extern const struct sgk_shim_source_type_s { char opaque; } sgk_shim_timer_type __asm__("_dispatch_source_type_timer");

extern int sgk_shim_main_queue_fd(void) __asm__("_dispatch_get_main_queue_handle_4CF");
extern void sgk_shim_main_queue_drain(void *message) __asm__("_dispatch_main_queue_callback_4CF");

static inline sgk_shim_dispatch_t sgk_shim_main_queue(void) { return (sgk_shim_dispatch_t)&sgk_shim_main_queue_object; }
static inline const void *sgk_shim_source_type_timer(void) { return &sgk_shim_timer_type; }

#endif
