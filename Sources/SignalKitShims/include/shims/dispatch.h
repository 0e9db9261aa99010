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

extern struct sgk_shim_dispatch_queue_s { char opaque; } sgk_shim_main_queue_object __asm__("_dispatch_main_q");

extern int sgk_shim_main_queue_fd(void) __asm__("_dispatch_get_main_queue_handle_4CF");
extern void sgk_shim_main_queue_drain(void *message) __asm__("_dispatch_main_queue_callback_4CF");

static inline sgk_shim_dispatch_t sgk_shim_main_queue(void) { return (sgk_shim_dispatch_t)&sgk_shim_main_queue_object; }

#endif
