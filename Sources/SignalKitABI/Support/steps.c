/* The loop over steps is in C because between two functions of C's there is nothing for Swift to do. */
#include "SignalKitSteps.h"

/* A value on its way. The outcome is SGK_OUTCOME_REPLACED while the subscription lasts, SGK_OUTCOME_LAST if it
 * completes after the value, or the outcome that stops the value. */
typedef struct {
    sgk_value value;
    bool is_ours; /* is to be released: it is neither plain nor borrowed */
    uint32_t outcome;
} passing;

#define INLINE static inline __attribute__((always_inline))

INLINE bool goes_on(const passing *now) {
    return now->outcome == SGK_OUTCOME_REPLACED || now->outcome == SGK_OUTCOME_LAST;
}

INLINE void replace(passing *now, sgk_value value) {
    value = sgk_value_checked(value); /* before the release, because the value can be a part of the old one */
    if (now->is_ours) sgk_support_value_release(now->value);
    now->value = sgk_value_lent(value);
    now->is_ours = !sgk_value_is_plain(value);
}

/* Drops the value. After sgk_last that completes the subscription. */
INLINE void stop(passing *now) {
    bool ends = now->outcome == SGK_OUTCOME_LAST;
    replace(now, sgk_null());
    now->outcome = ends ? SGK_OUTCOME_COMPLETED : SGK_OUTCOME_DROPPED;
}

INLINE void fail(passing *now, sgk_value error) {
    replace(now, error);
    now->outcome = SGK_OUTCOME_FAILED;
}

/* Handles the result of a map, which is not SGK_OUTCOME_UNCHANGED. An unknown outcome fails the run: the value is then
 * the step, for the message, and the returned value is not touched. */
INLINE void answer(passing *now, const sgk_step *step, sgk_value result) {
    if (__builtin_expect(result.reserved != SGK_OUTCOME_REPLACED && result.reserved != SGK_GIVEN, 0)) {
        bool is_argument = result.bits == now->value.bits && result.kind == now->value.kind;
        if (result.reserved == SGK_LENT && is_argument) return;
        uint32_t outcome = result.reserved & ~SGK_LENT;
        if (outcome == SGK_OUTCOME_DROPPED) return stop(now);
        if (outcome != SGK_OUTCOME_REPLACED) {
            bool is_known = outcome >= SGK_OUTCOME_FAILED && outcome <= SGK_OUTCOME_COMPLETED;
            now->outcome = is_known ? outcome : SGK_OUTCOME_UNKNOWN;
            if (!is_known) result = sgk_pointer((void *)step);
        }
    }
    replace(now, result);
}

/* Runs a row of maps while their results are plain or unchanged. Stops after the last one. `*value` is the value after
 * it, or before it if there is another result.
 *
 * The argument of a map is still needed if the result is that it is unchanged. It and `other_…` are volatile. They
 * stay in memory, because in registers they cost more moves. The words of a value are apart, so that they are not
 * composed again. */
INLINE sgk_value mapped(const sgk_step **step, sgk_value *value) {
    const sgk_step *now = *step;
    uint64_t head = sgk_value_head(*value), bits = value->bits;
    volatile uint64_t old_head, old_bits, other_bits;
    volatile uint32_t other_kind, other_outcome;
    uint32_t left = now->maps;
    sgk_value result;
#define MAP(index) \
    old_head = head; \
    old_bits = bits; \
    result = now[index].function.map(now[index].context, sgk_value_composed(head, bits)); \
    if (__builtin_expect(!sgk_steps_made_plain(result), 0)) { \
        now += (index) + 1; \
        left -= (index) + 1; \
        other_kind = result.kind; \
        other_outcome = result.reserved; \
        other_bits = result.bits; \
        goto other; \
    } \
    head = result.kind; \
    bits = result.bits;
#define TWO(index) MAP(index) MAP((index) + 1)
#define FOUR(index) TWO(index) TWO((index) + 2)
again:
    for (; left >= 8; left -= 8, now += 8) { /* jumps back cost as much as the calls */
        FOUR(0)
        FOUR(4)
    }
    if (left & 4) {
        FOUR(0)
        left -= 4, now += 4;
    }
    if (left & 2) {
        TWO(0)
        left -= 2, now += 2;
    }
    if (left & 1) {
        MAP(0)
        now++;
    }
#undef FOUR
#undef TWO
#undef MAP
    *step = now;
    return *value = sgk_value_composed(head, bits);
other:
    head = old_head;
    bits = old_bits;
    result = (sgk_value){other_kind, other_outcome, other_bits};
    if (result.reserved == SGK_OUTCOME_UNCHANGED && head < SGK_STRING) goto again;
    *step = now;
    *value = sgk_value_composed(head, bits);
    return result;
}

/* The same for typed maps. (An error is not a plain value.) */
INLINE sgk_value mapped_typed(const sgk_step **step, sgk_value value, bool *failed) {
    const sgk_step *now = *step;
    do {
        value = now->function.typed(now->context, value, failed);
        now++;
    } while (sgk_value_is_plain(value) && now->action == SGK_STEP_MAP_TYPED);
    *step = now;
    return value;
}

/* Returns the answer of a typed function about the value. The value stays unless the function fails. */
INLINE bool asked(const sgk_step *step, passing *now) {
    bool failed = false;
    sgk_value answer = step->function.typed(step->context, now->value, &failed);
    if (failed) return fail(now, answer), true;
    if (!sgk_value_is_lent(answer)) sgk_value_drop(answer);
    return answer.bits != 0;
}

/* Asks a row of filters, until one drops the value. Returns the last one that was asked. */
INLINE const sgk_step *filtered(const sgk_step *step, passing *now) {
    while (step->function.filter(step->context, now->value)) {
        if (step[1].action != SGK_STEP_FILTER) return step;
        step++;
    }
    stop(now);
    return step;
}

INLINE void store(passing *now, const sgk_step *step) {
    sgk_value result = sgk_null();
    step->function.store(step->context, now->value, &result);
    if (result.reserved != SGK_OUTCOME_UNCHANGED) answer(now, step, result);
}

/* Returns the result of an update, which owns the value. (Apart, so that the other steps keep their registers.) */
static __attribute__((noinline)) sgk_value updated(const sgk_step *step, sgk_value value, bool is_ours) {
    if (!is_ours) value = sgk_support_value_retain(value);
    value.reserved = 0;
    step->function.update(step->context, &value);
    if (value.reserved == SGK_OUTCOME_UNCHANGED) value.reserved = SGK_OUTCOME_UNKNOWN;
    return value;
}

/* Continues with the result of the step before. The value before that result is borrowed or plain. */
static __attribute__((noinline)) sgk_value run(const sgk_step *step, sgk_value value, sgk_value result) {
    passing now = {value, false, SGK_OUTCOME_REPLACED};
    bool failed = false;
    for (;;) {
    answered:
        if (result.reserved != SGK_OUTCOME_UNCHANGED) answer(&now, step - 1, result);
        for (;; step++) {
            if (step->action == SGK_STEPS_END || !goes_on(&now)) goto out;
            if (step->action == SGK_STEP_MAP) break;
            switch (step->action) {
            case SGK_STEPS_END:
            case SGK_STEP_MAP: break;
            case SGK_STEP_MAP_TYPED:
                replace(&now, mapped_typed(&step, now.value, &failed));
                if (failed) now.outcome = SGK_OUTCOME_FAILED;
                step--;
                break;
            case SGK_STEP_FILTER: step = filtered(step, &now); break;
            case SGK_STEP_TAP: step->function.tap(step->context, now.value); break;
            case SGK_STEP_STORE: store(&now, step); break;
            case SGK_STEP_UPDATE:
                result = updated(step, now.value, now.is_ours);
                now.value = sgk_null();
                now.is_ours = false;
                step++;
                goto answered;
            case SGK_STEP_FILTER_TYPED:
                if (!asked(step, &now)) stop(&now);
                break;
            case SGK_STEP_TAP_TYPED: asked(step, &now); break;
            }
        }
        if (!now.is_ours) {
            result = mapped(&step, &now.value);
            continue;
        }
        for (;;) { /* values that must be released, most of them made by maps */
            result = step->function.map(step->context, now.value);
            step++;
            if (result.reserved != SGK_OUTCOME_REPLACED || sgk_value_is_plain(result)) break;
            if (step->action != SGK_STEP_MAP) break;
            replace(&now, result);
        }
    }
out:;
    /* (A plain value needs no owner. It counts as replaced because the caller handles that case faster.) */
    bool is_borrowed = !now.is_ours && !sgk_value_is_plain(now.value);
    if (now.outcome == SGK_OUTCOME_REPLACED && is_borrowed) now.outcome = SGK_OUTCOME_UNCHANGED;
    now.value.reserved = now.outcome;
    return now.value;
}

/* Runs steps that begin with maps. */
static __attribute__((noinline)) sgk_value run_maps(const sgk_step *step, sgk_value value) {
    sgk_value result = mapped(&step, &value);
    return step->action == SGK_STEPS_END && sgk_steps_made_plain(result) ? result : run(step, value, result);
}

/* The same for a single map, such as a group of C++ functions. Its argument is volatile for the reason above. */
static __attribute__((noinline)) sgk_value run_map(const sgk_step *step, sgk_value value) {
    volatile uint64_t head = sgk_value_head(value), bits = value.bits;
    sgk_value result = step->function.map(step->context, value);
    step++;
    if (__builtin_expect(step->action == SGK_STEPS_END && sgk_steps_made_plain(result), 1)) return result;
    return run(step, sgk_value_composed(head, bits), result);
}

sgk_value sgk_steps_run(const sgk_step *step, sgk_value value) {
    if (step->maps == 1) return run_map(step, value);
    return step->maps ? run_maps(step, value) : run(step, value, sgk_unchanged());
}
