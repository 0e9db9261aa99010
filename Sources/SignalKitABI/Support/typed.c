/* Typed functions: what a value becomes as an argument, and a result as a value (the table at the top of `typed.h`),
 * and calls with values. */
#include "plan.h"

#include "signalkit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Conversions ---- */

static const char *const out_of_range = "must fit the type", *const inexact = "must be exactly representable",
                         *const no_number = "must be a number";

static const char *store_f64(sgk_value value, double *place) {
    if (value.kind == SGK_DOUBLE) return *place = sgk_to_double(value), NULL;
    if (value.kind != SGK_INT) return no_number;
    int64_t number = sgk_to_int(value);
    *place = (double)number;
    return *place < 0x1p63 && (int64_t)*place == number ? NULL : inexact;
}

static const char *store_f32(sgk_value value, float *place) {
    if (value.kind == SGK_DOUBLE) {
        double number = sgk_to_double(value);
        *place = (float)number;
        return isfinite(number) && !isfinite(*place) ? out_of_range : NULL;
    }
    if (value.kind != SGK_INT) return no_number;
    int64_t number = sgk_to_int(value);
    *place = (float)number;
    return *place < 0x1p63f && (int64_t)*place == number ? NULL : inexact;
}

static const char *store_pointer(sgk_value value, const void **place) {
    switch (value.kind) {
    case SGK_NULL: *place = NULL; return NULL;
    case SGK_POINTER: *place = sgk_to_pointer(value); return NULL;
    case SGK_BYTES: *place = sgk_value_data(value, NULL); return NULL;
    default: return "must be a pointer";
    }
}

static const char *store_cstr(sgk_value value, const void **place) {
    *place = NULL;
    if (value.kind == SGK_NULL) return NULL;
    if (value.kind == SGK_FAILURE) return *place = sgk_error_text(value), NULL;
    if (value.kind != SGK_STRING) return "must be a string";
    size_t length;
    const char *text = sgk_value_data(value, &length);
    *place = text;
    return strlen(text) == length ? NULL : "must not contain NUL";
}

static sgk_value described(sgk_value value) {
    size_t length = sgk_value_describe(value, NULL, 0);
    char *text = sgk_support_zeroed(length + 1);
    sgk_value_describe(value, text, length + 1);
    sgk_value result = sgk_value_of_text(text, length);
    free(text);
    return result;
}

const char *sgk_typed_store(sgk_value value, sgk_type type, sgk_slot *slot, sgk_value *text) {
    int64_t number = (int64_t)value.bits;
    switch (type) {
#define INTEGER(name, fits) \
    case SGK_TYPE_##name: \
        if (value.kind != SGK_INT) return "must be an int"; \
        slot->i64 = number; \
        return fits ? NULL : out_of_range;
        INTEGER(i8, number == (int8_t)number)
        INTEGER(i16, number == (int16_t)number)
        INTEGER(i32, number == (int32_t)number)
        INTEGER(i64, true)
        INTEGER(u8, number == (uint8_t)number)
        INTEGER(u16, number == (uint16_t)number)
        INTEGER(u32, number == (uint32_t)number)
        INTEGER(u64, number >= 0)
#undef INTEGER
    case SGK_TYPE_bool: slot->u64 = value.bits != 0; return value.kind == SGK_BOOL ? NULL : "must be a bool";
    case SGK_TYPE_f32: return store_f32(value, &slot->f32);
    case SGK_TYPE_f64: return store_f64(value, &slot->f64);
    case SGK_TYPE_ptr: return store_pointer(value, &slot->pointer);
    case SGK_TYPE_cstr: return store_cstr(value, &slot->pointer);
    case SGK_TYPE_text:
        *text = value.kind == SGK_STRING ? sgk_null() : described(value);
        slot->pointer = sgk_value_data(value.kind == SGK_STRING ? value : *text, NULL);
        return NULL;
    default: slot->value = value; return NULL;
    }
}

bool sgk_typed_load(const sgk_slot *slot, sgk_type type, sgk_value *value) {
    switch (type) {
#define INTEGER(name) \
    case SGK_TYPE_##name: *value = sgk_int((int64_t)slot->name); return true;
        /* clang-format off */
    INTEGER(i8) INTEGER(i16) INTEGER(i32) INTEGER(i64) INTEGER(u8) INTEGER(u16) INTEGER(u32)
        /* clang-format on */
#undef INTEGER
            case SGK_TYPE_u64 : *value = sgk_int(slot->i64);
        return slot->i64 >= 0;
    case SGK_TYPE_void: *value = sgk_null(); return true;
    case SGK_TYPE_bool: *value = sgk_bool(slot->u8 != 0); return true;
    case SGK_TYPE_f32: *value = sgk_double(slot->f32); return true;
    case SGK_TYPE_f64: *value = sgk_double(slot->f64); return true;
    case SGK_TYPE_cstr:
    case SGK_TYPE_text:
        *value = slot->pointer ? sgk_value_of_text(slot->pointer, strlen(slot->pointer)) : sgk_null();
        return true;
    case SGK_TYPE_value: *value = slot->value; return true;
    default: *value = sgk_pointer((void *)slot->pointer); return true;
    }
}

const char *const sgk_typed_too_large = "the number is more than an int can be";

/* ---- Messages: cut at 255 bytes ---- */

enum { LONGEST = 256 };

static sgk_value message(const char *text, size_t length) {
    return sgk_value_of_failure(SGK_ERROR_KIND, text, length < LONGEST ? length : LONGEST - 1);
}

sgk_value sgk_typed_mismatch(
    const char *function, size_t parameter, sgk_type type, const sgk_value *value, const char *reason) {
    char text[LONGEST], shown[LONGEST];
    if (value) sgk_value_describe(*value, shown, sizeof shown);
    return message(
        text, sgk_support_print_mismatch(text, sizeof text, function, parameter, type, value ? shown : NULL, reason));
}

sgk_value sgk_typed_unfit(const char *function, size_t arity, sgk_value value) {
    char text[LONGEST], shown[LONGEST];
    sgk_value_describe(value, shown, sizeof shown);
    return message(text, sgk_support_print_unfit(text, sizeof text, function, arity, shown));
}

/* ---- Calls ---- */

sgk_value sgk_typed_outcome(const char *function, sgk_type type, sgk_value result, bool *failed) {
    if (result.reserved == SGK_LENT || result.reserved == SGK_GIVEN) return result;
    *failed = true;
    uint32_t outcome = result.reserved & ~SGK_LENT;
    result.reserved &= SGK_LENT;
    if (outcome == SGK_OUTCOME_FAILED) return result;
    if (outcome == SGK_OUTCOME_LAST && result.reserved == 0) sgk_value_drop(result);
    return sgk_typed_mismatch(function, 0, type, NULL, "must be a value or sgk_failed");
}

static inline sgk_value result_of(const sgk_typed *f, const sgk_slot *result, bool *failed) {
    sgk_value value;
    sgk_type type = f->plan->result.type;
    if (sgk_place_load(&f->plan->result, result, &value))
        return __builtin_expect(value.reserved == 0, 1) ? value : sgk_typed_outcome(f->name, type, value, failed);
    *failed = true;
    return sgk_typed_mismatch(f->name, 0, type, NULL, sgk_typed_too_large);
}

/* (Unused registers get arbitrary values, but no uninitialized memory.) */
static inline void clear_registers(const sgk_plan *plan, uint64_t *words) {
    if (plan->in_registers) memset(words, 0, SGK_REGISTERS * sizeof *words);
}

sgk_value sgk_typed_call(const sgk_typed *f, const sgk_value *values, bool *failed) {
    const sgk_plan *plan = f->plan;
    uint64_t words[SGK_MOST_WORDS];
    sgk_slot result;
    sgk_value texts[SGK_MOST_PARAMETERS], *text = texts, value;
    const char *reason = NULL;
    unsigned index = 0;
    clear_registers(plan, words);
    for (; index < plan->cif.nargs; index++) {
        sgk_type type = plan->parameters[index].type;
        sgk_slot *slot = sgk_plan_slot(plan, words, index);
        if (type == SGK_TYPE_ctx) {
            slot->pointer = f->context;
            continue;
        }
        reason = sgk_place_store(&plan->parameters[index], *values, slot, text);
        if (reason) break;
        if (type == SGK_TYPE_text) text++;
        values++;
    }
    if (reason) {
        *failed = true;
        value = sgk_typed_mismatch(f->name, index + 1, plan->parameters[index].type, values, reason);
    } else {
        sgk_support_call(plan, f->function, words, &result);
        value = result_of(f, &result, failed);
    }
    while (text > texts) sgk_value_release(*--text);
    return value;
}

/* A function with one parameter needs no spreading. Only a text must be released. sgk_typed_call reports values that do
 * not fit. */
static sgk_value call_with_one(const sgk_typed *f, sgk_value value, bool *failed) {
    uint64_t words[SGK_REGISTERS];
    sgk_slot result;
    clear_registers(f->plan, words);
    if (sgk_place_store(f->plan->parameters, value, sgk_plan_slot(f->plan, words, 0), NULL))
        return sgk_typed_call(f, &value, failed);
    sgk_support_call(f->plan, f->function, words, &result);
    return result_of(f, &result, failed);
}

static sgk_value call_with_one_through_libffi(const sgk_typed *f, sgk_value value, bool *failed) {
    sgk_slot argument, result;
    if (sgk_place_store(f->plan->parameters, value, &argument, NULL)) return sgk_typed_call(f, &value, failed);
    ffi_call((ffi_cif *)&f->plan->cif, f->function, &result, (void *[]){&argument});
    return result_of(f, &result, failed);
}

sgk_value sgk_typed_call_spreading(const sgk_typed *f, sgk_value value, bool *failed) {
    if (f->plan->arity <= 1) return sgk_typed_call(f, &value, failed);
    size_t count;
    const sgk_value *items = value.kind == SGK_ARRAY ? sgk_array_items(value, &count) : NULL;
    if (items && count == f->plan->arity) return sgk_typed_call(f, items, failed);
    *failed = true;
    return sgk_typed_unfit(f->name, f->plan->arity, value);
}

/* ---- Functions of one number ----
 * They are called at once, without anything stored, as long as their argument is of the very kind. */

/* N is i32, I is i64, D f64, B bool, V void. */
#define TYPE_N SGK_TYPE_i32
#define TYPE_I SGK_TYPE_i64
#define TYPE_D SGK_TYPE_f64
#define TYPE_B SGK_TYPE_bool
#define TYPE_V SGK_TYPE_void
#define C_N int32_t
#define C_I int64_t
#define C_D double
#define C_B bool
#define C_V void
#define FITS_N (value.kind == SGK_INT && sgk_to_int(value) == (int32_t)sgk_to_int(value))
#define FITS_I (value.kind == SGK_INT)
#define FITS_D (value.kind == SGK_DOUBLE)
#define ARGUMENT_N (int32_t) sgk_to_int(value)
#define ARGUMENT_I sgk_to_int(value)
#define ARGUMENT_D sgk_to_double(value)
#define RESULT_N(call) return sgk_int(call)
#define RESULT_I(call) return sgk_int(call)
#define RESULT_D(call) return sgk_double(call)
#define RESULT_B(call) return sgk_bool(call)
#define RESULT_V(call) \
    call; \
    return sgk_null()

enum { ALONE, THEN_CONTEXT, AFTER_CONTEXT };

/* X(parameter, result, form, types of the parameters, arguments) */
#define FORMS(X, P, R) \
    X(P, R, ALONE, (C_##P), (ARGUMENT_##P)) \
    X(P, R, THEN_CONTEXT, (C_##P, void *), (ARGUMENT_##P, f->context)) \
    X(P, R, AFTER_CONTEXT, (void *, C_##P), (f->context, ARGUMENT_##P))
#define RESULTS(X, P) FORMS(X, P, N) FORMS(X, P, I) FORMS(X, P, D) FORMS(X, P, B) FORMS(X, P, V)
#define ALL(X) RESULTS(X, N) RESULTS(X, I) RESULTS(X, D)

/* (The sanitizer would have the very type of the function; here it is one that is called alike.) */
#define DIRECT(P, R, form, types, arguments) \
    __attribute__((no_sanitize("function"))) static sgk_value P##R##_##form( \
        const sgk_typed *f, sgk_value value, bool *failed) { \
        if (!FITS_##P) return sgk_typed_call_spreading(f, value, failed); \
        RESULT_##R(((C_##R(*) types)f->function)arguments); \
    }
ALL(DIRECT)

sgk_typed_fn sgk_typed_caller(const sgk_plan *plan) {
    const sgk_place *parameters = plan->parameters;
    if (plan->arity != 1 || plan->cif.nargs > 2) return sgk_typed_call_spreading;
    int form = plan->cif.nargs == 1 ? ALONE : parameters[0].type == SGK_TYPE_ctx ? AFTER_CONTEXT : THEN_CONTEXT;
    sgk_type number = parameters[form == AFTER_CONTEXT].type;
#define IF_SO(P, R, name, types, arguments) \
    if (form == name && number == TYPE_##P && plan->result.type == TYPE_##R) return P##R##_##name;
    if (!plan->through_libffi) { ALL(IF_SO) }
#undef IF_SO
    if (form != ALONE || number == SGK_TYPE_text) return sgk_typed_call_spreading;
    return plan->in_registers ? call_with_one : call_with_one_through_libffi;
}
