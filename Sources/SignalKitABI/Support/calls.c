/* Calls out: functions by their signatures. */
#include "plan.h"

#include "SignalKitSupport.h"

#include <stdlib.h>
#include <string.h>

static ffi_type *value_parts[] = {&ffi_type_uint32, &ffi_type_uint32, &ffi_type_uint64, NULL};
static ffi_type value_type = {sizeof(sgk_value), _Alignof(sgk_value), FFI_TYPE_STRUCT, value_parts};

static ffi_type *ffi_type_of(sgk_type type) {
    switch (type) {
#define CASE(name, ffi) \
    case SGK_TYPE_##name: return &ffi;
        SGK_TYPE_MAP(CASE)
#undef CASE
    }
    abort();
}

/* ---- Registers ----
 * Arguments get registers from left to right. If too few registers remain, an argument is passed in memory, and libffi
 * makes the call. */

#if SGK_HAS_REGISTERS
static bool is_float(sgk_type type) { return type == SGK_TYPE_f32 || type == SGK_TYPE_f64; }

static bool place_in_registers(sgk_plan *plan, size_t count) {
    unsigned integers = 0, floats = 0;
    for (size_t i = 0; i < count; i++) {
        sgk_place *parameter = &plan->parameters[i];
        unsigned *taken = is_float(parameter->type) ? &floats : &integers;
        parameter->word = taken == &floats ? SGK_INTEGER_REGISTERS + floats : integers;
        *taken += parameter->type == SGK_TYPE_value ? 2 : 1;
    }
    plan->takes_floats = floats > 0;
    return integers <= SGK_INTEGER_REGISTERS && floats <= SGK_FLOAT_REGISTERS;
}

/* A function ignores registers that it does not take. Therefore one call serves all functions whose arguments are in
 * the same kinds of registers. */
typedef struct pair {
    uint64_t first, second;
} __attribute__((may_alias)) pair;
typedef double __attribute__((may_alias)) float_word;

#define SIX(type) type, type, type, type, type, type
#define EIGHT(type) SIX(type), type, type
#define FIRST_SIX(w) w[0], w[1], w[2], w[3], w[4], w[5]
#define FIRST_EIGHT(w) FIRST_SIX(w), w[6], w[7]

#if SGK_INTEGER_REGISTERS == 6
#define INTEGER_TYPES SIX(uint64_t)
#define INTEGERS FIRST_SIX(w)
#else
#define INTEGER_TYPES EIGHT(uint64_t)
#define INTEGERS FIRST_EIGHT(w)
#endif
#define FLOAT_TYPES EIGHT(double)
#define FLOATS FIRST_EIGHT(f)
_Static_assert(SGK_INTEGER_REGISTERS == 6 || SGK_INTEGER_REGISTERS == 8, "as many arguments as there are registers");
_Static_assert(SGK_FLOAT_REGISTERS == 8, "as many arguments as there are registers");

/* (The sanitizer would have the very type of the function; here it is one that is called alike.) */
__attribute__((no_sanitize("function"))) static void call_in_registers(
    const sgk_plan *plan, sgk_any_function function, const uint64_t *w, sgk_slot *result) {
    const float_word *f = (const float_word *)(w + SGK_INTEGER_REGISTERS);
    bool gives_float = is_float(plan->result.type);
    if (!plan->takes_floats && !gives_float) *(pair *)result = ((pair(*)(INTEGER_TYPES))function)(INTEGERS);
    else if (!gives_float) *(pair *)result = ((pair(*)(INTEGER_TYPES, FLOAT_TYPES))function)(INTEGERS, FLOATS);
    else result->f64 = ((double (*)(INTEGER_TYPES, FLOAT_TYPES))function)(INTEGERS, FLOATS);
}
#else
static bool place_in_registers(sgk_plan *plan, size_t count) { return false; }
#endif

/* ---- Plans ---- */

static uint32_t kind_of_same_bits(sgk_type type) {
    switch (type) {
    case SGK_TYPE_i64: return SGK_INT;
    case SGK_TYPE_f64: return SGK_DOUBLE;
    case SGK_TYPE_ptr: return sizeof(void *) == 8 ? SGK_POINTER : SGK_NULL;
    default: return SGK_NULL;
    }
}

static sgk_place place_of(sgk_type type) { return (sgk_place){type, kind_of_same_bits(type), 0}; }

sgk_plan *sgk_support_plan_create(const sgk_type *parameters, size_t count, sgk_type result, bool through_libffi) {
    sgk_plan *plan = sgk_support_zeroed(sizeof *plan + count * sizeof *plan->parameters);
    ffi_type **types = sgk_support_zeroed((count + 1) * sizeof *types);
    plan->types = types;
    plan->result = place_of(result);
    plan->through_libffi = through_libffi;
    for (size_t i = 0; i < count; i++) {
        plan->parameters[i] = place_of(parameters[i]);
        types[i] = ffi_type_of(parameters[i]);
        plan->arity += parameters[i] != SGK_TYPE_ctx;
    }
    plan->in_registers = !through_libffi && place_in_registers(plan, count);
    for (size_t i = 0; i < count && !plan->in_registers; i++) plan->parameters[i].word = (uint32_t)(2 * i);
    if (ffi_prep_cif(&plan->cif, FFI_DEFAULT_ABI, (unsigned)count, ffi_type_of(result), types) == FFI_OK) return plan;
    sgk_support_plan_free(plan);
    return NULL;
}

void sgk_support_plan_free(sgk_plan *plan) {
    free(plan->types);
    free(plan);
}

bool sgk_support_plan_uses_libffi(const sgk_plan *plan) { return !plan->in_registers; }
size_t sgk_support_plan_arity(const sgk_plan *plan) { return plan->arity; }
sgk_type sgk_support_plan_result(const sgk_plan *plan) { return plan->result.type; }

void sgk_support_call(const sgk_plan *plan, sgk_any_function function, uint64_t *words, sgk_slot *result) {
#if SGK_HAS_REGISTERS
    if (plan->in_registers) return call_in_registers(plan, function, words, result);
#endif
    void *addresses[SGK_MOST_PARAMETERS];
    for (unsigned i = 0; i < plan->cif.nargs; i++) addresses[i] = sgk_plan_slot(plan, words, i);
    ffi_call((ffi_cif *)&plan->cif, function, result, addresses);
}
