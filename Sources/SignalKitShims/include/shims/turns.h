/* What each thread knows of how deep it is. */
#ifndef SIGNALKIT_SHIMS_TURNS_H
#define SIGNALKIT_SHIMS_TURNS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    void *first, *last;
} sgk_shim_row;

/* How deep the thread is in work that leads to more of its kind, and what it has left for later. */
typedef struct {
    sgk_shim_row ends, starts;
    uint32_t level;
} sgk_shim_turns;

/* The calling thread's. */
sgk_shim_turns *sgk_shim_turns_here(void);

/* Whether more than half of the calling thread's stack is used. (No, on a stack that the program has made itself.) */
bool sgk_shim_stack_is_low(void);

#endif
