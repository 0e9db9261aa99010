/* Whether a program inspects the subscriptions, and the data of each thread about them. */
#ifndef SIGNALKIT_SHIMS_SIGHT_H
#define SIGNALKIT_SHIMS_SIGHT_H

#include "system.h"
#include "thread_local.h"

/* The number of inspectors. While it is not zero, new subscriptions are recorded. It starts at one until the library
 * has read the environment. A system tracer (USDT) also increments it. */
extern __attribute__((visibility("hidden"))) uint16_t sgk_shim_lookers;

static inline __attribute__((always_inline)) bool sgk_shim_is_seen(void) {
    return __builtin_expect(__atomic_load_n(&sgk_shim_lookers, __ATOMIC_RELAXED) != 0, 0);
}
static inline void sgk_shim_look(bool on) {
    (void)__atomic_fetch_add(&sgk_shim_lookers, (uint16_t)(on ? 1 : -1), __ATOMIC_RELEASE);
}

/* The events of a stage of a subscription. */
typedef enum {
    SGK_SHIM_START,
    SGK_SHIM_NEXT,
    SGK_SHIM_FAILED,
    SGK_SHIM_COMPLETED,
    SGK_SHIM_DISPOSE,
    SGK_SHIM_HOP,
    SGK_SHIM_RETURN
} sgk_shim_happening;

/* Passes the probe with that name, where a tracer can attach. `more`: for a hop, the number of the source thread. */
__attribute__((visibility("hidden"))) void sgk_shim_probe(
    sgk_shim_happening kind, int64_t run, int64_t parent, const char *operation, const char *name, int64_t more);

/* The first reports whether an environment variable is set and neither empty nor 0. The second returns its number of
 * seconds, or 0. It logs a warning if the text is not a number. */
__attribute__((visibility("hidden"))) bool sgk_shim_environment_says(const char *name);
__attribute__((visibility("hidden"))) double sgk_shim_environment_seconds(const char *name);

/* Reports whether the name matches the pattern in SIGNALKIT_TRACE (like a pattern of file names). */
__attribute__((visibility("hidden"))) bool sgk_shim_is_traced(const char *name);

/* Writes a file signalkit-PID-name; it is there when it is whole. False when that cannot be. */
__attribute__((visibility("hidden"))) bool sgk_shim_write_file(
    const char *directory, const char *name, const void *bytes, size_t size);

/* Calls `work` on a separate thread whenever the process receives a system signal. The environment variable contains
 * the signal's number. If that is impossible, logs a warning. The child of a fork does not have this thread. */
__attribute__((visibility("hidden"))) void sgk_shim_on_signal(const char *name, void (*work)(void));

/* A subscription, or a stage of one, that a thread is delivering to. */
typedef struct sgk_shim_visit {
    void *record;               /* the subscription that receives the event, retained */
    uintptr_t frame;            /* where on the stack it was set: it is left over from a longjmp in frames further up */
    uint64_t context;           /* the value for traces outside of it */
    bool is_delivery, is_inner; /* an event arrives at `record`; from an inner source */
} sgk_shim_visit;

/* The data of a thread about the subscriptions that it is delivering to. */
typedef struct sgk_shim_view {
    sgk_shim_visit *visits; /* the innermost is the last */
    size_t depth, room;
    uint64_t context; /* the program's value for traces */
    uint32_t process; /* in which process the thread's number was asked for */
    int32_t thread;   /* that number */
    bool is_telling;  /* a trace handler runs */
} sgk_shim_view;

/* (Not for the code of events: that of watched runs alone. So it needs no short way.) */
__attribute__((visibility("hidden"))) sgk_shim_view *sgk_shim_view_here(void);

/* Adds space for one more visit if memory is available. When a thread ends during visits, it leaves them through
   `leave`. */
__attribute__((visibility("hidden"))) bool sgk_shim_view_grow(sgk_shim_view *view, void (*leave)(sgk_shim_view *));

/* The calling thread's number, asked for once. */
__attribute__((visibility("hidden"))) int32_t sgk_shim_own_number(void);

#endif
