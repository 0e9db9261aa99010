/* Handles an incoming call: emits an event and determines the answer. */
#include "plan.h"

#include "signalkit.h"
#include "signalkit/callback.h"

/* Values.swift */
sgk_value sgk_support_array(const sgk_value *values, size_t count);

static void tell(const sgk_native *native, const sgk_value *values, size_t count) {
    if (count == 1) return native->happened(native->events, values[0]);
    sgk_value event = count == 0 ? sgk_null() : sgk_support_array(values, count);
    native->happened(native->events, event);
    sgk_value_drop(event);
}

/* Ends the runs that listen. */
static void complain(
    const sgk_native *native, size_t parameter, sgk_type type, const sgk_value *value, const char *reason) {
    native->failed(native->events, sgk_typed_mismatch("sgk_callback", parameter, type, value, reason));
}

/* Makes the result of a handler's value, or says that it does not fit. */
static bool give(const sgk_native *native, sgk_value value, sgk_slot *result) {
    sgk_type type = native->plan->result.type;
    /* (no handler answers with a text) */
    const char *reason = sgk_place_store(&native->plan->result, value, result, NULL);
    if (type == SGK_TYPE_ptr && !sgk_value_is_plain(value)) reason = "must outlive the call";
    if (reason) complain(native, 0, type, &value, reason);
    if (reason || type != SGK_TYPE_value) sgk_value_drop(value);
    return !reason;
}

/* Converts the handler's return value to the result. Returns false if the conversion fails. */
static bool take(const sgk_native *native, sgk_value value, bool failed, sgk_slot *result) {
    /* the caller of the function pointer owns a result of the type `value` */
    if (sgk_value_is_lent(value) && native->plan->result.type == SGK_TYPE_value) value = sgk_value_retain(value);
    value = sgk_value_checked(value);
    if (failed) native->failed(native->events, value);
    return !failed && value.kind != SGK_NULL && give(native, value, result);
}

/* Asks the handler, if there is one. False when it has no answer. */
static bool ask(const sgk_native *native, const sgk_value *values, size_t count, sgk_slot *result) {
    sgk_value value = sgk_null();
    bool failed = false;
    if (native->typed) value = sgk_typed_call(native->typed, values, &failed);
    else if (native->handler) {
        value = native->handler(native->context, values, count);
        if (value.reserved) value = sgk_typed_outcome("sgk_callback", native->plan->result.type, value, &failed);
    }
    return take(native, value, failed, result);
}

static inline bool ask_one(const sgk_native *native, sgk_value value, sgk_slot *result) {
    if (!native->ask_one) return ask(native, (sgk_value[]){value}, 1, result);
    bool failed = false;
    sgk_value answer = native->ask_one(native->typed, value, &failed);
    if (failed || answer.kind == SGK_NULL || answer.kind != native->plan->result.kind)
        return take(native, answer, failed, result);
    result->u64 = answer.bits;
    return true;
}

static void give_fixed(const sgk_native *native, sgk_slot *result) {
    *result = native->fixed;
    if (native->plan->result.type == SGK_TYPE_value) result->value = sgk_value_retain(result->value);
}

static inline bool has_ended(const sgk_entry *entry) {
    return atomic_load_explicit(&entry->inside, memory_order_relaxed) & SGK_ENTRY_ENDED;
}

/* Any number of parameters of any types. */
static void answer_values(const sgk_entry *entry, uint64_t *words, sgk_slot *result) {
    const sgk_native *native = entry->native;
    const sgk_plan *plan = native->plan;
    sgk_value values[SGK_MOST_PARAMETERS];
    size_t count = 0;
    unsigned index = 0;
    for (; index < plan->cif.nargs; index++) {
        const sgk_place *parameter = &plan->parameters[index];
        if (parameter->type == SGK_TYPE_ctx) continue;
        if (!sgk_place_load(parameter, sgk_plan_slot(plan, words, index), &values[count])) break;
        if (parameter->type == SGK_TYPE_value) values[count] = sgk_value_checked(sgk_value_retain(values[count]));
        values[count] = sgk_value_lent(values[count]);
        count++;
    }
    bool fits = index == plan->cif.nargs;
    if (fits) tell(native, values, count);
    else complain(native, index + 1, plan->parameters[index].type, NULL, sgk_typed_too_large);
    if (!fits || has_ended(entry) || !ask(native, values, count, result)) give_fixed(native, result);
    for (size_t i = 0; i < count; i++) sgk_value_drop(values[i]);
}

/* One number or pointer has a short way, on which everything is in registers. */
void sgk_native_answer(const sgk_entry *entry, uint64_t *words, sgk_slot *result) {
    const sgk_native *native = entry->native;
    const sgk_place *parameter = native->plan->parameters;
    if (native->plan->cif.nargs != 1 || parameter->kind == SGK_NULL) return answer_values(entry, words, result);
    sgk_value value = {parameter->kind, 0, words[parameter->word]};
    native->happened(native->events, value);
    if (has_ended(entry) || !ask_one(native, value, result)) give_fixed(native, result);
}
