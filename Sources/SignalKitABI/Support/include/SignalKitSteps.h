/* Steps: what stages without state do with a value, each a function of C's and its context. Hidden in the library. */
#ifndef SIGNALKIT_STEPS_H
#define SIGNALKIT_STEPS_H

#include "SignalKitTyped.h"

#include <signalkit.h>
#include <signalkit/typed.h>

/* The owner of the step retains the context. */
typedef struct {
    enum {
        SGK_STEPS_END, /* behind the last one */
        SGK_STEP_MAP,
        SGK_STEP_FILTER,
        SGK_STEP_TAP,
        SGK_STEP_STORE,
        SGK_STEP_UPDATE,
        SGK_STEP_MAP_TYPED,
        SGK_STEP_FILTER_TYPED,
        SGK_STEP_TAP_TYPED, /* the context is the sgk_typed */
    } action;
    uint32_t maps; /* the number of maps in a row, from this step on */
    union {
        sgk_map_fn map;
        sgk_filter_fn filter;
        sgk_next_fn tap;
        sgk_stage_store_fn store;
        sgk_stage_update_fn update;
        sgk_typed_fn typed;
    } function;
    void *context;
} sgk_step;

static inline sgk_step sgk_step_map(sgk_map_fn f, void *context) {
    return (sgk_step){SGK_STEP_MAP, 0, {.map = f}, context};
}
static inline sgk_step sgk_step_filter(sgk_filter_fn f, void *context) {
    return (sgk_step){SGK_STEP_FILTER, 0, {.filter = f}, context};
}
static inline sgk_step sgk_step_tap(sgk_next_fn f, void *context) {
    return (sgk_step){SGK_STEP_TAP, 0, {.tap = f}, context};
}
static inline sgk_step sgk_step_store(sgk_stage_store_fn f, void *context) {
    return (sgk_step){SGK_STEP_STORE, 0, {.store = f}, context};
}
static inline sgk_step sgk_step_update(sgk_stage_update_fn f, void *context) {
    return (sgk_step){SGK_STEP_UPDATE, 0, {.update = f}, context};
}

static inline sgk_step sgk_step_map_typed(const sgk_typed *f) {
    return (sgk_step){SGK_STEP_MAP_TYPED, 0, {.typed = sgk_typed_caller(f->plan)}, (void *)f};
}
static inline sgk_step sgk_step_filter_typed(const sgk_typed *f) {
    return (sgk_step){SGK_STEP_FILTER_TYPED, 0, {.typed = sgk_typed_caller(f->plan)}, (void *)f};
}
static inline sgk_step sgk_step_tap_typed(const sgk_typed *f) {
    return (sgk_step){SGK_STEP_TAP_TYPED, 0, {.typed = sgk_typed_caller(f->plan)}, (void *)f};
}

/* The outcome of steps if a callback returned an unknown one. The bits are the address of its step. */
static const sgk_outcome SGK_OUTCOME_UNKNOWN = (sgk_outcome)21;

/* Runs the borrowed value through all steps. `reserved` of the result contains the outcome (an sgk_outcome). The caller
 * owns the result if the value was replaced or is the last, and the error if a step failed. All parts are passed in
 * registers because a read of a whole word after writes of its parts is slow. */
sgk_value sgk_steps_run(const sgk_step *steps, sgk_value value);

/* Whether the result is one that has been replaced, by a plain value: most often it is. One comparison of the first
 * word. */
__attribute__((always_inline)) static inline bool sgk_steps_made_plain(sgk_value result) {
    return (result.kind | (uint64_t)result.reserved << 32) < SGK_STRING;
}

#endif
