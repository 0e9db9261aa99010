/* The loop over steps is in C because between two functions of C's there is nothing for Swift to do. */
#include "SignalKitSteps.h"

/* A value on its way: borrowed at first, ours from the first replacement on. */
typedef struct {
    sgk_value value;
    bool is_ours;
} passing;

static inline void drop(passing passing) {
    if (passing.is_ours) sgk_value_drop(passing.value);
}

static inline passing replaced(passing old, sgk_value value) {
    drop(old);
    return (passing){sgk_value_checked(value), true};
}

/* Runs a map and the maps that follow it while their results are plain values, so that nothing must be released in
 * between. Stops after the last one. */
static inline sgk_value mapped(const sgk_step **step, sgk_value value) {
    const sgk_step *now = *step;
#pragma clang loop unroll_count(4) /* jumps back cost as much as the calls */
    do {
        value = now->function.map(now->context, value);
        now++;
    } while (sgk_value_is_plain(value) && now->action == SGK_STEP_MAP);
    *step = now;
    return value;
}

/* The same for typed maps. (An error is not a plain value.) */
static inline sgk_value mapped_typed(const sgk_step **step, sgk_value value, bool *failed) {
    const sgk_step *now = *step;
    do {
        value = now->function.typed(now->context, value, failed);
        now++;
    } while (sgk_value_is_plain(value) && now->action == SGK_STEP_MAP_TYPED);
    *step = now;
    return value;
}

static passing compact_mapped(const sgk_step *step, passing old, bool *goes_on) {
    sgk_value result = sgk_null();
    *goes_on = step->function.compact_map(step->context, old.value, &result);
    return replaced(old, result); /* it is ours, whatever the function says */
}

/* Returns the stored error, or the status if no error is stored. */
static inline sgk_value reason(sgk_status status, sgk_value stored) {
    return stored.kind == SGK_NULL ? sgk_int(status) : stored;
}

static passing tried_map(const sgk_step *step, passing old, bool *failed) {
    sgk_value result = sgk_null();
    sgk_status status = step->function.try_map(step->context, old.value, &result);
    *failed = status != SGK_OK;
    return replaced(old, *failed ? reason(status, result) : result);
}

static passing tried_filter(const sgk_step *step, passing old, bool *goes_on, bool *failed) {
    sgk_value error = sgk_null();
    *goes_on = false;
    sgk_status status = step->function.try_filter(step->context, old.value, goes_on, &error);
    *failed = status != SGK_OK;
    if (*failed) return *goes_on = true, replaced(old, reason(status, error));
    drop((passing){sgk_value_checked(error), true});
    return old;
}

/* Returns the answer of a typed function about the value. The value stays unless the function fails. */
static inline passing asked(const sgk_step *step, passing old, bool *says, bool *failed) {
    passing answer = {step->function.typed(step->context, old.value, failed), true};
    if (*failed) return replaced(old, answer.value);
    *says = answer.value.bits != 0;
    drop(answer);
    return old;
}

static inline sgk_value transformed(const sgk_step *step, sgk_value value) {
    return step->function.transform(step->context, value);
}

/* Handles the answer of a transformation about a value. */
static inline passing answered(passing old, sgk_value result, bool *goes_on, bool *failed) {
    if (result.reserved == SGK_OUTCOME_UNCHANGED) return old;
    if (result.reserved == SGK_OUTCOME_DROPPED) return *goes_on = false, old;
    *failed = result.reserved == SGK_OUTCOME_FAILED;
    return replaced(old, result);
}

static inline sgk_value with_outcome(sgk_value value, sgk_outcome outcome) {
    value.reserved = outcome;
    return value;
}

/* (A plain value needs no owner. It counts as replaced because the caller handles that case faster.) */
static inline sgk_value finished(passing last, bool goes_on, bool failed) {
    if (!goes_on) drop(last);
    return with_outcome(last.value,
        failed                                               ? SGK_OUTCOME_FAILED
            : !goes_on                                       ? SGK_OUTCOME_DROPPED
            : last.is_ours || sgk_value_is_plain(last.value) ? SGK_OUTCOME_REPLACED
                                                             : SGK_OUTCOME_UNCHANGED);
}

static __attribute__((noinline)) sgk_value run(const sgk_step *step, sgk_value value, bool is_ours) {
    passing current = {value, is_ours};
    bool goes_on = true, failed = false, ignored;
    while (step->action != SGK_STEPS_END && goes_on && !failed) {
        switch (step->action) {
        case SGK_STEPS_END: break;
        case SGK_STEP_MAP: current = replaced(current, mapped(&step, current.value)); continue;
        case SGK_STEP_MAP_TYPED: current = replaced(current, mapped_typed(&step, current.value, &failed)); continue;
        case SGK_STEP_FILTER: goes_on = step->function.filter(step->context, current.value); break;
        case SGK_STEP_COMPACT_MAP: current = compact_mapped(step, current, &goes_on); break;
        case SGK_STEP_TAP: step->function.tap(step->context, current.value); break;
        case SGK_STEP_TRANSFORM:
            current = answered(current, transformed(step, current.value), &goes_on, &failed);
            break;
        case SGK_STEP_TRY_MAP: current = tried_map(step, current, &failed); break;
        case SGK_STEP_TRY_FILTER: current = tried_filter(step, current, &goes_on, &failed); break;
        case SGK_STEP_FILTER_TYPED: current = asked(step, current, &goes_on, &failed); break;
        case SGK_STEP_TAP_TYPED: current = asked(step, current, &ignored, &failed); break;
        }
        step++;
    }
    return finished(current, goes_on, failed);
}

/* Continues after a transformation whose result is not plain. The value before it is not owned or plain. */
static __attribute__((noinline)) sgk_value go_on(const sgk_step *step, sgk_value value, sgk_value result) {
    bool goes_on = true, failed = false;
    passing current = answered((passing){value, false}, result, &goes_on, &failed);
    return goes_on && !failed ? run(step, current.value, current.is_ours) : finished(current, goes_on, failed);
}

/* The same for steps that begin with transformations, while nothing must be released in between: the value is not owned
 * or plain. */
static __attribute__((noinline)) sgk_value run_transformations(const sgk_step *step, sgk_value value) {
    do {
        sgk_value result = transformed(step++, value);
        if (sgk_steps_made_plain(result)) value = result;
        else if (result.reserved != SGK_OUTCOME_UNCHANGED) return go_on(step, value, result);
    } while (step->action == SGK_STEP_TRANSFORM);
    return step->action == SGK_STEPS_END ? finished((passing){value, false}, true, false) : run(step, value, false);
}

/* Maps or transformations come first most of the time, and often nothing else. */
__attribute__((aligned(32))) sgk_value sgk_steps_run(const sgk_step *step, sgk_value value) {
    if (step->action != SGK_STEP_MAP)
        return step->action == SGK_STEP_TRANSFORM ? run_transformations(step, value) : run(step, value, false);
    value = mapped(&step, value);
    value = sgk_value_checked(value);
    return step->action == SGK_STEPS_END ? with_outcome(value, SGK_OUTCOME_REPLACED) : run(step, value, true);
}
