/* Steps: what stages without state do with a value, each a function of C's and its context. Hidden in the library. */
#ifndef SIGNALKIT_STEPS_H
#define SIGNALKIT_STEPS_H

#include <signalkit.h>

/* Whoever owns the step keeps the context alive. */
typedef struct {
    enum { SGK_STEP_MAP, SGK_STEP_FILTER, SGK_STEP_COMPACT_MAP, SGK_STEP_TAP } action;
    union {
        sgk_map_fn map;
        sgk_filter_fn filter;
        sgk_compact_map_fn compact_map;
        sgk_next_fn tap;
    } function;
    void *context;
} sgk_step;

static inline sgk_step sgk_step_map(sgk_map_fn f, void *context) { return (sgk_step){SGK_STEP_MAP, {.map = f}, context}; }
static inline sgk_step sgk_step_filter(sgk_filter_fn f, void *context) { return (sgk_step){SGK_STEP_FILTER, {.filter = f}, context}; }
static inline sgk_step sgk_step_compact_map(sgk_compact_map_fn f, void *context) {
    return (sgk_step){SGK_STEP_COMPACT_MAP, {.compact_map = f}, context};
}
static inline sgk_step sgk_step_tap(sgk_next_fn f, void *context) { return (sgk_step){SGK_STEP_TAP, {.tap = f}, context}; }

/* What has become of a value. */
enum { SGK_STEPS_DROPPED, SGK_STEPS_UNCHANGED, SGK_STEPS_REPLACED };

/* Runs the value, which is borrowed, through all steps. When it was replaced, the result is the caller's. (It comes in registers: what has
 * just been written in parts takes long to be read as a whole.) */
int sgk_steps_run(const sgk_step *steps, size_t count, sgk_value value, sgk_value *result);

#endif
