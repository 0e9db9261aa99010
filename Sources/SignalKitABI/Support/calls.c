/* Calls out: functions by their signatures. */
#include "plan.h"

#include <ffi.h>
#include <stdlib.h>
#include <string.h>

static ffi_type *value_parts[] = {&ffi_type_uint32, &ffi_type_uint32, &ffi_type_uint64, NULL};
static ffi_type value_type = {sizeof(sgk_value), _Alignof(sgk_value), FFI_TYPE_STRUCT, value_parts};

static ffi_type *ffi_type_of(sgk_type type) {
    switch (type) {
#define CASE(name, ffi) case SGK_TYPE_##name: return &ffi;
        SGK_TYPE_MAP(CASE)
#undef CASE
    }
    abort();
}

/* ---- The calls that are compiled in ----
 * For up to three parameters, and results, of the classes V void, B bool, N i32, D f64, and I for the 64-bit integers and the pointers, which are passed
 * alike wherever pointers have 64 bits. Each combination has a number, its shape. */

typedef enum class { N, I, D, V, B, OTHER } class; /* the first three are those of parameters */

enum { PARAMETER_SHAPES = 1 + 3 + 9 + 27, NO_SHAPE = -1 };
#define SHAPE0 0
#define SHAPE1(a) (1 + (a))
#define SHAPE2(a, b) (4 + (a) * 3 + (b))
#define SHAPE3(a, b, c) (13 + (a) * 9 + (b) * 3 + (c))
#define SHAPE(result, parameters) ((result) * PARAMETER_SHAPES + (parameters))

static class class_of(sgk_type type) {
    switch (type) {
        case SGK_TYPE_void: return V;
        case SGK_TYPE_bool: return B;
        case SGK_TYPE_i32: return N;
        case SGK_TYPE_f64: return D;
        case SGK_TYPE_i64: case SGK_TYPE_u64: return I;
        case SGK_TYPE_ptr: case SGK_TYPE_cstr: case SGK_TYPE_text: case SGK_TYPE_ctx: return sizeof(void *) == 8 ? I : OTHER;
        default: return OTHER;
    }
}

static int shape_of(const sgk_type *parameters, size_t count, sgk_type result) {
    if (count > 3 || class_of(result) == OTHER) return NO_SHAPE;
    int classes[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        classes[i] = (int)class_of(parameters[i]);
        if (classes[i] > D) return NO_SHAPE;
    }
    const int shapes[] = {SHAPE0, SHAPE1(classes[0]), SHAPE2(classes[0], classes[1]), SHAPE3(classes[0], classes[1], classes[2])};
    return SHAPE((int)class_of(result), shapes[count]);
}

#define TYPE_N int32_t
#define TYPE_I uint64_t
#define TYPE_D double
#define TYPE_V void
#define TYPE_B bool
#define GET_N(slot) (slot).i32
#define GET_I(slot) (slot).u64
#define GET_D(slot) (slot).f64
#define SET_N(call) result->i32 = call
#define SET_I(call) result->u64 = call
#define SET_D(call) result->f64 = call
#define SET_V(call) call
#define SET_B(call) result->flag = call

#define CALL0(R) case SHAPE(R, SHAPE0): SET_##R(((TYPE_##R (*)(void))function)()); return;
#define CALL1(R, A) case SHAPE(R, SHAPE1(A)): SET_##R(((TYPE_##R (*)(TYPE_##A))function)(GET_##A(a[0]))); return;
#define CALL2(R, A, B) case SHAPE(R, SHAPE2(A, B)): SET_##R(((TYPE_##R (*)(TYPE_##A, TYPE_##B))function)(GET_##A(a[0]), GET_##B(a[1]))); return;
#define CALL3(R, A, B, C)             \
    case SHAPE(R, SHAPE3(A, B, C)): \
        SET_##R(((TYPE_##R (*)(TYPE_##A, TYPE_##B, TYPE_##C))function)(GET_##A(a[0]), GET_##B(a[1]), GET_##C(a[2]))); return;

#define LAST_OF_1(R) CALL1(R, N) CALL1(R, I) CALL1(R, D)
#define LAST_OF_2(R, A) CALL2(R, A, N) CALL2(R, A, I) CALL2(R, A, D)
#define LAST_OF_3(R, A, B) CALL3(R, A, B, N) CALL3(R, A, B, I) CALL3(R, A, B, D)
#define SECOND_OF_3(R, A) LAST_OF_3(R, A, N) LAST_OF_3(R, A, I) LAST_OF_3(R, A, D)
#define CALLS(R)                                               \
    CALL0(R) LAST_OF_1(R)                                      \
    LAST_OF_2(R, N) LAST_OF_2(R, I) LAST_OF_2(R, D)            \
    SECOND_OF_3(R, N) SECOND_OF_3(R, I) SECOND_OF_3(R, D)

/* The sanitizer would have the very type of the function; here it is one that is called alike. */
__attribute__((no_sanitize("function")))
static void call_by_shape(int shape, sgk_any_function function, const sgk_slot *a, sgk_slot *result) {
    switch (shape) { CALLS(N) CALLS(I) CALLS(D) CALLS(V) CALLS(B) }
    abort();
}

/* ---- All others ---- */

/* libffi gives results that are narrower than a register as a whole one. */
static void narrow(sgk_type type, sgk_slot *result) {
    uint64_t whole = result->u64;
    switch (type) {
        case SGK_TYPE_bool: result->flag = (uint8_t)whole != 0; break;
        case SGK_TYPE_i8: result->i8 = (int8_t)whole; break;
        case SGK_TYPE_i16: result->i16 = (int16_t)whole; break;
        case SGK_TYPE_i32: result->i32 = (int32_t)whole; break;
        case SGK_TYPE_u8: result->u8 = (uint8_t)whole; break;
        case SGK_TYPE_u16: result->u16 = (uint16_t)whole; break;
        case SGK_TYPE_u32: result->u32 = (uint32_t)whole; break;
        default: break;
    }
}

sgk_plan *sgk_support_plan_create(const sgk_type *parameters, size_t count, sgk_type result, bool slow) {
    sgk_plan *plan = malloc(sizeof *plan + count * (sizeof *plan->types + sizeof *plan->parameters));
    if (!plan) abort();
    plan->parameters = (sgk_type *)(plan->types + count);
    plan->result = result;
    plan->arity = 0;
    plan->shape = slow ? NO_SHAPE : shape_of(parameters, count, result);
    for (size_t i = 0; i < count; i++) {
        plan->parameters[i] = parameters[i];
        plan->types[i] = ffi_type_of(parameters[i]);
        plan->arity += parameters[i] != SGK_TYPE_ctx;
    }
    if (ffi_prep_cif(&plan->cif, FFI_DEFAULT_ABI, (unsigned)count, ffi_type_of(result), plan->types) == FFI_OK) return plan;
    free(plan);
    return NULL;
}

void sgk_support_plan_free(sgk_plan *plan) { free(plan); }
bool sgk_support_plan_is_slow(const sgk_plan *plan) { return plan->shape == NO_SHAPE; }
size_t sgk_support_plan_arity(const sgk_plan *plan) { return plan->arity; }
sgk_type sgk_support_plan_result(const sgk_plan *plan) { return plan->result; }

const sgk_type *sgk_support_plan_parameters(const sgk_plan *plan, size_t *count) {
    *count = plan->cif.nargs;
    return plan->parameters;
}

void sgk_support_call(const sgk_plan *plan, sgk_any_function function, sgk_slot *arguments, sgk_slot *result) {
    if (plan->shape != NO_SHAPE) {
        call_by_shape(plan->shape, function, arguments, result);
        return;
    }
    void *addresses[SGK_MOST_PARAMETERS];
    for (unsigned i = 0; i < plan->cif.nargs; i++) addresses[i] = &arguments[i];
    ffi_call((ffi_cif *)&plan->cif, function, result, addresses);
    narrow(plan->result, result);
}
