/* Calls of any signature, out and in: the compiled-in calls, and all that the library asks of libffi. Hidden in the library. */
#ifndef SIGNALKIT_TYPED_SUPPORT_H
#define SIGNALKIT_TYPED_SUPPORT_H

#include "signalkit/value.h"

/* The types of a signature: X(name, type of libffi). */
#define SGK_TYPE_MAP(X)             \
    X(void, ffi_type_void)          \
    X(bool, ffi_type_uint8)         \
    X(i8, ffi_type_sint8)           \
    X(i16, ffi_type_sint16)         \
    X(i32, ffi_type_sint32)         \
    X(i64, ffi_type_sint64)         \
    X(u8, ffi_type_uint8)           \
    X(u16, ffi_type_uint16)         \
    X(u32, ffi_type_uint32)         \
    X(u64, ffi_type_uint64)         \
    X(f32, ffi_type_float)          \
    X(f64, ffi_type_double)         \
    X(ptr, ffi_type_pointer)        \
    X(cstr, ffi_type_pointer)       \
    X(text, ffi_type_pointer)       \
    X(ctx, ffi_type_pointer)        \
    X(value, value_type)

typedef enum sgk_type {
#define SGK_TYPE_ENUM(name, ffi) SGK_TYPE_##name,
    SGK_TYPE_MAP(SGK_TYPE_ENUM)
#undef SGK_TYPE_ENUM
} sgk_type;

/* One argument or result. */
typedef union sgk_slot {
    bool flag;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    const void *pointer;
    sgk_value value;
} sgk_slot;

enum { SGK_MOST_PARAMETERS = 64, SGK_TYPES = SGK_TYPE_value + 1 };

const char *sgk_support_type_name(sgk_type type);

/* The type whose name these characters are; -1 if it is none's. */
int32_t sgk_support_type_named(const char *name, size_t length);

/* ---- Calls out ---- */

typedef void (*sgk_any_function)(void);

/* How functions of one signature are called. */
typedef struct sgk_plan sgk_plan;

/* NULL when libffi refuses. With `slow`, never a compiled-in call. */
sgk_plan *sgk_support_plan_create(const sgk_type *parameters, size_t count, sgk_type result, bool slow);
void sgk_support_plan_free(sgk_plan *plan);
bool sgk_support_plan_is_slow(const sgk_plan *plan);
size_t sgk_support_plan_arity(const sgk_plan *plan);
sgk_type sgk_support_plan_result(const sgk_plan *plan);
const sgk_type *sgk_support_plan_parameters(const sgk_plan *plan, size_t *count);
void sgk_support_call(const sgk_plan *plan, sgk_any_function function, sgk_slot *arguments, sgk_slot *result);

/* ---- Calls out, with values ---- */

/* Stores a value where an argument is taken from, or says why it cannot. For a `text`, `*text` holds it until it is released. */
const char *sgk_typed_store(sgk_value value, sgk_type type, sgk_slot *slot, sgk_value *text);

/* Makes a value of a result or argument; a `value` is given as it is, anything else is the caller's. False for an integer that is
 * too large. */
bool sgk_typed_load(const sgk_slot *slot, sgk_type type, sgk_value *value);
extern const char *const sgk_typed_too_large;

/* The message about an argument (from 1 on) or a result (0) that does not fit; about a value that has not as many items as a function takes. */
sgk_value sgk_typed_mismatch(const char *function, size_t parameter, sgk_type type, const sgk_value *value, const char *reason);
sgk_value sgk_typed_unfit(const char *function, size_t arity, sgk_value value);

/* A function as its signature says. */
typedef struct sgk_typed {
    const sgk_plan *plan;
    sgk_any_function function;
    void *context;
    const char *name; /* on whose behalf it is called, for messages */
} sgk_typed;

/* Calls it with a value, which is borrowed. The result is the caller's, and is the error when `*failed` has been set. */
typedef sgk_value (*sgk_typed_fn)(const sgk_typed *f, sgk_value value, bool *failed);

/* With the value, or its items, as many as it takes. */
sgk_value sgk_typed_call_spreading(const sgk_typed *f, sgk_value value, bool *failed);

/* The quickest that does the same for functions of such a plan. */
sgk_typed_fn sgk_typed_caller(const sgk_plan *plan);

/* With as many values as it takes. */
sgk_value sgk_typed_call(const sgk_typed *f, const sgk_value *values, bool *failed);

/* ---- Calls in ---- */

/* What a call in comes to: `arguments` as the signature says, `result` to be filled. */
typedef void (*sgk_entered_fn)(void *owner, const sgk_slot *arguments, sgk_slot *result);

/* A function pointer of the plan's signature whose calls come to `entered`. `*entry` is to be freed, also from inside a call. NULL when the
 * system gives no executable memory. The plan must live as long. */
sgk_any_function sgk_support_entry_create(const sgk_plan *plan, sgk_entered_fn entered, void *owner, void **entry);
void sgk_support_entry_free(void *entry);

/* ---- Texts ---- */
void sgk_support_fail_at(int32_t status, const char *function, const char *argument, size_t column, const char *reason, const char *word, size_t length);
size_t sgk_support_print_mismatch(char *text, size_t size, const char *function, size_t parameter, sgk_type type, const char *value, const char *reason);
size_t sgk_support_print_unfit(char *text, size_t size, const char *function, size_t arity, const char *value);

#endif
