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
    if (passing.is_ours && !is_plain(passing.value)) sgk_value_release(passing.value);
}

static inline passing replaced(passing old, sgk_value value) {
    drop(old);
    return (passing){is_plain(value) ? value : checked(value), true};
}

/* Runs a map and the maps that follow it, as long as plain values come of them: there is nothing to let go in between. */
static inline passing mapped(const sgk_step **step, const sgk_step *last, passing old) {
    const sgk_step *now = *step;
    sgk_value value = old.value;
    for (;; now++) {
        value = now->function.map(now->context, value);
        if (!is_plain(value) || now == last || now[1].action != SGK_STEP_MAP) break;
    }
    *step = now;
    return replaced(old, value);
}

static passing compact_mapped(const sgk_step *step, passing old, bool *goes_on) {
    sgk_value result = sgk_null();
    *goes_on = step->function.compact_map(step->context, old.value, &result);
    return replaced(old, result); /* it is ours, whatever the function says */
}

int sgk_steps_run(const sgk_step *steps, size_t count, sgk_value value, sgk_value *result) {
    passing current = {value, false};
    bool goes_on = true;
    for (const sgk_step *step = steps, *last = steps + count - 1; step <= last && goes_on; step++) {
        switch (step->action) {
        case SGK_STEP_MAP: current = mapped(&step, last, current); break;
        case SGK_STEP_FILTER: goes_on = step->function.filter(step->context, current.value); break;
        case SGK_STEP_COMPACT_MAP: current = compact_mapped(step, current, &goes_on); break;
        case SGK_STEP_TAP: step->function.tap(step->context, current.value); break;
        }
    }
    if (!goes_on) {
        drop(current);
        return SGK_STEPS_DROPPED;
    }
    *result = current.value;
    return current.is_ours ? SGK_STEPS_REPLACED : SGK_STEPS_UNCHANGED;
}
