/* What becomes of a call in: an event, and an answer. */
#include "plan.h"

#include "signalkit.h"

static void tell(const sgk_native *native, const sgk_value *values, size_t count) {
    if (count == 1) return native->happened(native->events, values[0]);
    sgk_value event = count == 0 ? sgk_null() : sgk_array(values, count);
    native->happened(native->events, event);
    sgk_value_drop(event);
}

/* Ends the runs that listen. */
static void complain(const sgk_native *native, size_t parameter, sgk_type type, const sgk_value *value, const char *reason) {
    native->failed(native->events, sgk_typed_mismatch("sgk_callback", parameter, type, value, reason));
}

/* Makes the result of a handler's value, or says that it does not fit. */
static bool give(const sgk_native *native, sgk_value value, sgk_slot *result) {
    sgk_type type = native->plan->result;
    const char *reason = sgk_plan_store(value, type, result, NULL); /* (no handler answers with a text) */
    if (type == SGK_TYPE_ptr && !sgk_value_is_plain(value)) reason = "would not outlive the call";
    if (reason) complain(native, 0, type, &value, reason);
    if (reason || type != SGK_TYPE_value) sgk_value_drop(value);
    return !reason;
}

/* Asks the handler, if there is one. False when it has no answer. */
static bool ask(const sgk_native *native, const sgk_value *values, size_t count, sgk_slot *result) {
    sgk_value value = sgk_null();
    bool failed = false;
    if (native->ask_one) value = native->ask_one(native->typed, values[0], &failed);
    else if (native->typed) value = sgk_typed_call(native->typed, values, &failed);
    else if (native->handler) value = native->handler(native->context, values, count);
    value = sgk_value_checked(value);
    if (failed) native->failed(native->events, value);
    return !failed && value.kind != SGK_NULL && give(native, value, result);
}

static bool has_ended(const sgk_entry *entry) { return atomic_load_explicit(&entry->inside, memory_order_relaxed) & SGK_ENTRY_ENDED; }

void sgk_native_answer(const sgk_entry *entry, uint64_t *words, sgk_slot *result) {
    const sgk_native *native = entry->native;
    const sgk_plan *plan = native->plan;
    sgk_value values[SGK_MOST_PARAMETERS];
    size_t count = 0;
    unsigned index = 0;
    for (; index < plan->cif.nargs; index++) {
        sgk_type type = plan->parameters[index];
        if (type == SGK_TYPE_ctx) continue;
        if (!sgk_plan_load(sgk_plan_slot(plan, words, index), type, &values[count])) break;
        if (type == SGK_TYPE_value) values[count] = sgk_value_retain(sgk_value_checked(values[count]));
        count++;
    }
    bool fits = index == plan->cif.nargs;
    if (fits) tell(native, values, count);
    else complain(native, index + 1, plan->parameters[index], NULL, sgk_typed_too_large);
    bool answered = fits && !has_ended(entry) && ask(native, values, count, result);
    for (size_t i = 0; i < count; i++) sgk_value_drop(values[i]);
    if (answered) return;
    *result = native->fixed;
    if (plan->result == SGK_TYPE_value) sgk_value_retain(result->value);
}
