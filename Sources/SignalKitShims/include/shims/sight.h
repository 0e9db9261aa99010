/* Whether anybody looks at what runs, and what each thread knows of it. */
#ifndef SIGNALKIT_SHIMS_SIGHT_H
#define SIGNALKIT_SHIMS_SIGHT_H

#include "system.h"
#include "thread_local.h"

/* How many look: not zero, and what is started is watched. It begins as one, until the environment has been looked at.
 * A tracer of the system (USDT) counts itself in here as well. */
extern __attribute__((visibility("hidden"))) uint16_t sgk_shim_lookers;

static inline __attribute__((always_inline)) bool sgk_shim_is_seen(void) {
    return __builtin_expect(__atomic_load_n(&sgk_shim_lookers, __ATOMIC_RELAXED) != 0, 0);
}
static inline void sgk_shim_look(bool on) {
    (void)__atomic_fetch_add(&sgk_shim_lookers, (uint16_t)(on ? 1 : -1), __ATOMIC_RELEASE);
}

/* What can happen to a stage of a run. */
typedef enum {
    SGK_SHIM_START, SGK_SHIM_NEXT, SGK_SHIM_FAILED, SGK_SHIM_COMPLETED, SGK_SHIM_DISPOSE, SGK_SHIM_HOP, SGK_SHIM_RETURN
} sgk_shim_happening;

/* Passes the probe of that name; a tracer may stand there. `more`: of a hop, the thread from which it comes. */
__attribute__((visibility("hidden"))) void sgk_shim_probe(
    sgk_shim_happening kind, int64_t run, int64_t parent, const char *operation, const char *name, int64_t more);

/* Whether there is a variable of the environment that is neither empty nor 0; and its number of seconds, or 0: what is
 * none is complained of. */
__attribute__((visibility("hidden"))) bool sgk_shim_environment_says(const char *name);
__attribute__((visibility("hidden"))) double sgk_shim_environment_seconds(const char *name);

/* Whether SIGNALKIT_TRACE is a pattern (as of file names) that this name is like. */
__attribute__((visibility("hidden"))) bool sgk_shim_is_traced(const char *name);

/* Writes a file signalkit-PID-name; it is there when it is whole. False when that cannot be. */
__attribute__((visibility("hidden"))) bool sgk_shim_write_file(
    const char *directory, const char *name, const void *bytes, size_t size);

/* Has `work` done, on a thread for that, whenever the process gets the signal of the system whose number that variable
 * of the environment has; where that cannot be it is complained of. Not in the child of a fork, which has no such
 * thread. */
__attribute__((visibility("hidden"))) void sgk_shim_on_signal(const char *name, void (*work)(void));

/* A run, or a stage of one, that a thread is in. */
typedef struct sgk_shim_visit {
    void *record;           /* what is being fed, retained */
    uintptr_t frame;        /* where on the stack that was set: in frames above it is left over from a longjmp */
    uint64_t context;       /* the value for traces outside of it */
    bool is_delivery, is_inner; /* an event comes into `record`; from an inner source */
} sgk_shim_visit;

/* What a thread knows of the runs that it is in. */
typedef struct sgk_shim_view {
    sgk_shim_visit *visits; /* the innermost is the last */
    size_t depth, room;
    uint64_t context;       /* the program's value for traces */
    uint32_t process;       /* in which process the thread's number was asked for */
    int32_t thread;         /* that number */
    bool is_telling;        /* a trace handler runs */
} sgk_shim_view;

/* (Not for the code of events: that of watched runs alone. So it needs no short way.) */
__attribute__((visibility("hidden"))) sgk_shim_view *sgk_shim_view_here(void);

/* Makes room for one more visit, if there is memory. Those in which a thread ends it leaves by `leave`. */
__attribute__((visibility("hidden"))) bool sgk_shim_view_grow(sgk_shim_view *view, void (*leave)(sgk_shim_view *));

/* The calling thread's number, asked for once. */
__attribute__((visibility("hidden"))) int32_t sgk_shim_own_number(void);

#endif
