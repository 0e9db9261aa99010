/* Counters for all threads. Each thread writes only its own place, so that counting needs no locked instruction. The
 * sum over the places is exact if no thread counts during the read. */
#ifndef SIGNALKIT_SHIMS_COUNTERS_H
#define SIGNALKIT_SHIMS_COUNTERS_H

#include "thread_local.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The work that was enqueued and released, then the objects of each kind that the C library created and released. The
 * counters only grow. */
enum {
    SGK_SHIM_WORK_BEGUN,
    SGK_SHIM_WORK_ENDED,
    SGK_SHIM_LIVE,
    SGK_SHIM_LIVE_KINDS = 21,
    SGK_SHIM_COUNTERS = SGK_SHIM_LIVE + 2 * SGK_SHIM_LIVE_KINDS
};

typedef struct sgk_shim_place {
    int64_t counters[SGK_SHIM_COUNTERS];
    struct sgk_shim_place *next;
    bool is_taken, is_shared;
} sgk_shim_place;

/* The calling thread's place; NULL before it counts for the first time. */
extern SGK_THREAD_LOCAL __attribute__((visibility("hidden"))) sgk_shim_place *sgk_shim_place_here;
sgk_shim_place *sgk_shim_take_place(void);

/* A thread that sees the count also sees earlier writes of the counting thread. */
static inline __attribute__((always_inline)) void sgk_shim_count(uint32_t counter, int64_t change) {
    sgk_shim_place *place = sgk_shim_place_here;
    if (__builtin_expect(place == NULL, 0)) place = sgk_shim_take_place();
    int64_t *number = &place->counters[counter];
    if (__builtin_expect(place->is_shared, 0)) (void)__atomic_fetch_add(number, change, __ATOMIC_RELEASE);
    else __atomic_store_n(number, __atomic_load_n(number, __ATOMIC_RELAXED) + change, __ATOMIC_RELEASE);
}

int64_t sgk_shim_counted(uint32_t counter);

/* Returns how many objects of `kinds` consecutive kinds, starting with `begun`, have not ended. The counter after each
 * kind counts its ends. The result is never too low. The function reads the ends of all kinds first. Therefore, if it
 * returns 0, there was a moment when no object was left. */
static inline int64_t sgk_shim_left(uint32_t begun, uint32_t kinds) {
    int64_t left = 0;
    for (uint32_t kind = 0; kind < kinds; kind++) left -= sgk_shim_counted(begun + 2 * kind + 1);
    for (uint32_t kind = 0; kind < kinds; kind++) left += sgk_shim_counted(begun + 2 * kind);
    return left;
}

/* In the child of a fork, which has one thread. */
void sgk_shim_count_anew(uint32_t counter);

#endif
