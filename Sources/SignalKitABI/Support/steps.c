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

/* Runs a map and the maps that follow it, as long as plain values come of them: there is nothing to let go in between.
 * Stops behind the last. */
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

/* The same with typed ones. (An error is no plain value.) */
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

/* What a typed function says about the value, which stays unless it fails. */
static inline passing asked(const sgk_step *step, passing old, bool *says, bool *failed) {
    passing answer = {step->function.typed(step->context, old.value, failed), true};
    if (*failed) return replaced(old, answer.value);
    *says = answer.value.bits != 0;
    drop(answer);
    return old;
}

/* A transformation and those that follow it, as long as the value goes on. Stops behind the last. */
static inline passing transformed(const sgk_step **step, passing current, bool *goes_on, bool *failed) {
    const sgk_step *now = *step;
    do {
        sgk_value result = now->function.transform(now->context, current.value);
        now++;
        if (sgk_steps_made_plain(result)) {
            drop(current);
            current = (passing){result, true};
        } else if (result.reserved == SGK_OUTCOME_DROPPED) {
            *goes_on = false;
        } else if (result.reserved != SGK_OUTCOME_UNCHANGED) {
            *failed = result.reserved == SGK_OUTCOME_FAILED;
            current = replaced(current, result);
        }
    } while (*goes_on && !*failed && now->action == SGK_STEP_TRANSFORM);
    *step = now;
    return current;
}

static inline sgk_value with_outcome(sgk_value value, sgk_outcome outcome) {
    value.reserved = outcome;
    return value;
}

static inline sgk_value finished(passing last, bool goes_on, bool failed) {
    if (!goes_on) drop(last);
    return with_outcome(last.value,
        failed             ? SGK_OUTCOME_FAILED
            : !goes_on     ? SGK_OUTCOME_DROPPED
            : last.is_ours ? SGK_OUTCOME_REPLACED
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
        case SGK_STEP_TRANSFORM: current = transformed(&step, current, &goes_on, &failed); continue;
        case SGK_STEP_FILTER_TYPED: current = asked(step, current, &goes_on, &failed); break;
        case SGK_STEP_TAP_TYPED: current = asked(step, current, &ignored, &failed); break;
        }
        step++;
    }
    return finished(current, goes_on, failed);
}

/* The same for those that begin with transformations. */
static __attribute__((noinline)) sgk_value run_transformations(const sgk_step *step, sgk_value value) {
    bool goes_on = true, failed = false;
    passing current = transformed(&step, (passing){value, false}, &goes_on, &failed);
    return step->action == SGK_STEPS_END || !goes_on || failed ? finished(current, goes_on, failed)
                                                               : run(step, current.value, current.is_ours);
}

/* Maps or transformations come first most of the time, and often nothing else. */
__attribute__((aligned(32))) sgk_value sgk_steps_run(const sgk_step *step, sgk_value value) {
    if (step->action != SGK_STEP_MAP)
        return step->action == SGK_STEP_TRANSFORM ? run_transformations(step, value) : run(step, value, false);
    value = mapped(&step, value);
    value = sgk_value_checked(value);
    return step->action == SGK_STEPS_END ? with_outcome(value, SGK_OUTCOME_REPLACED) : run(step, value, true);
}
