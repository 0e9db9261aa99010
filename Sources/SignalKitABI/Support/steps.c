/* The loop over steps is in C because between two functions of C's there is nothing for Swift to do. */
#include "SignalKitSteps.h"

static bool is_plain(sgk_value value) { return value.kind < SGK_STRING; }

/* A value that a callback made: what is none (an unknown kind, a box at no address or of another kind) becomes null. The kind of a box
 * stands behind the header of a Swift object. */
static sgk_value checked(sgk_value value) {
    bool is_box = value.kind <= SGK_OBJECT && value.bits != 0 && *(const uint32_t *)(uintptr_t)(value.bits + 16) == value.kind;
    return is_box ? value : sgk_null();
}

/* A value on its way: borrowed at first, ours from the first replacement on. */
typedef struct {
    sgk_value value;
    bool is_ours;
} passing;

static inline void drop(passing passing) {
    if (passing.is_ours && !is_plain(passing.value)) sgk_value_release(passing.value); /* which looks whether it is a value */
}

static inline passing replaced(passing old, sgk_value value) {
    drop(old);
    return (passing){is_plain(value) ? value : checked(value), true};
}

/* Runs a map and the maps that follow it, as long as plain values come of them: there is nothing to let go in between. Stops behind the last. */
static inline sgk_value mapped(const sgk_step **step, sgk_value value) {
    const sgk_step *now = *step;
#pragma clang loop unroll_count(4) /* jumps back cost as much as the calls */
    do {
        value = now->function.map(now->context, value);
        now++;
    } while (is_plain(value) && now->action == SGK_STEP_MAP);
    *step = now;
    return value;
}

/* The same with typed ones. (An error is no plain value.) */
static inline sgk_value mapped_typed(const sgk_step **step, sgk_value value, bool *failed) {
    const sgk_step *now = *step;
    do {
        value = now->function.typed(now->context, value, failed);
        now++;
    } while (is_plain(value) && now->action == SGK_STEP_MAP_TYPED);
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

static inline sgk_value outcome(sgk_value value, uint32_t what) {
    value.reserved = what;
    return value;
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
        case SGK_STEP_FILTER_TYPED: current = asked(step, current, &goes_on, &failed); break;
        case SGK_STEP_TAP_TYPED: current = asked(step, current, &ignored, &failed); break;
        }
        step++;
    }
    if (!goes_on) drop(current);
    return outcome(current.value, failed ? SGK_STEPS_FAILED : !goes_on ? SGK_STEPS_DROPPED : current.is_ours ? SGK_STEPS_REPLACED : SGK_STEPS_UNCHANGED);
}

/* Maps come first most of the time, and often nothing else. */
__attribute__((aligned(32))) sgk_value sgk_steps_run(const sgk_step *step, sgk_value value) {
    if (step->action != SGK_STEP_MAP) return run(step, value, false);
    value = mapped(&step, value);
    if (!is_plain(value)) value = checked(value);
    return step->action == SGK_STEPS_END ? outcome(value, SGK_STEPS_REPLACED) : run(step, value, true);
}
