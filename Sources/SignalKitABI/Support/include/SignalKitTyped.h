/* Calls of any signature, out and in: the compiled-in calls, and the interface to libffi. Hidden in the library. */
#ifndef SIGNALKIT_TYPED_SUPPORT_H
#define SIGNALKIT_TYPED_SUPPORT_H

#include "SignalKitValues.h"

#include "signalkit/operators.h"

#include <string.h>

/* The types of a signature: X(name, type of libffi). */
#define SGK_TYPE_MAP(X) \
    X(void, ffi_type_void) \
    X(bool, ffi_type_uint8) \
    X(i8, ffi_type_sint8) \
    X(i16, ffi_type_sint16) \
    X(i32, ffi_type_sint32) \
    X(i64, ffi_type_sint64) \
    X(u8, ffi_type_uint8) \
    X(u16, ffi_type_uint16) \
    X(u32, ffi_type_uint32) \
    X(u64, ffi_type_uint64) \
    X(f32, ffi_type_float) \
    X(f64, ffi_type_double) \
    X(ptr, ffi_type_pointer) \
    X(cstr, ffi_type_pointer) \
    X(text, ffi_type_pointer) \
    X(ctx, ffi_type_pointer) \
    X(value, value_type)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    "SignalKit is for little-endian processors: a word begins with what is narrower than it");

typedef enum sgk_type {
#define SGK_TYPE_ENUM(name, ffi) SGK_TYPE_##name,
    SGK_TYPE_MAP(SGK_TYPE_ENUM)
#undef SGK_TYPE_ENUM
} sgk_type;

/* One argument or result: integers as a whole word, of which the lowest bytes are the number. */
typedef union sgk_slot {
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
} __attribute__((may_alias)) sgk_slot;

enum { SGK_MOST_PARAMETERS = 64, SGK_TYPES = SGK_TYPE_value + 1 };

const char *sgk_support_type_name(sgk_type type);

/* Returns the type with the name in these characters, or -1 if there is none. */
int32_t sgk_support_type_named(const char *name, size_t length);

/* ---- Calls out ---- */

typedef void (*sgk_any_function)(void);

/* How functions of one signature are called. */
typedef struct sgk_plan sgk_plan;

/* NULL when libffi refuses. Where the arguments are passed in registers the call is compiled in, unless
 * `through_libffi`. */
sgk_plan *sgk_support_plan_create(const sgk_type *parameters, size_t count, sgk_type result, bool through_libffi);
void sgk_support_plan_free(sgk_plan *plan);
bool sgk_support_plan_uses_libffi(const sgk_plan *plan);
size_t sgk_support_plan_arity(const sgk_plan *plan);
sgk_type sgk_support_plan_result(const sgk_plan *plan);

/* `words` contains the arguments in the order of the plan. */
void sgk_support_call(const sgk_plan *plan, sgk_any_function function, uint64_t *words, sgk_slot *result);

/* ---- Calls out, with values ---- */

/* Stores a value where an argument is taken from, or says why it cannot. For a `text`, `*text` holds it until it is
 * released. */
const char *sgk_typed_store(sgk_value value, sgk_type type, sgk_slot *slot, sgk_value *text);

/* Makes a value of a result or argument; a `value` is given as it is, anything else is the caller's. False for an
 * integer that is too large. */
bool sgk_typed_load(const sgk_slot *slot, sgk_type type, sgk_value *value);
extern const char *const sgk_typed_too_large;

/* The message about an argument (from 1 on) or a result (0) that does not fit; about a value that has not as many items
 * as a function takes. */
sgk_value sgk_typed_mismatch(
    const char *function, size_t parameter, sgk_type type, const sgk_value *value, const char *reason);
sgk_value sgk_typed_unfit(const char *function, size_t arity, sgk_value value);

/* A function as its signature says. */
typedef struct sgk_typed {
    const sgk_plan *plan;
    sgk_any_function function;
    void *context;
    const char *name; /* on whose behalf it is called, for messages */
} sgk_typed;

/* Calls it with a value, which is borrowed. The result is the caller's, and is the error when `*failed` has been
 * set. */
typedef sgk_value (*sgk_typed_fn)(const sgk_typed *f, sgk_value value, bool *failed);

/* Passes the value, or as many of its items as the function takes. */
sgk_value sgk_typed_call_spreading(const sgk_typed *f, sgk_value value, bool *failed);

/* The quickest that does the same for functions of such a plan. */
sgk_typed_fn sgk_typed_caller(const sgk_plan *plan);

/* With as many values as it takes. */
sgk_value sgk_typed_call(const sgk_typed *f, const sgk_value *values, bool *failed);

/* ---- Calls in ---- */

/* The data of a function pointer created at run time. */
typedef struct sgk_native {
    const sgk_plan *plan;
    /* The result without an answer; a `value` is counted for each call. */
    sgk_slot fixed;
    /* The handler, if there is one: of values, or typed, and then also as it is called with one value. */
    sgk_map_array_fn handler;
    void *context;
    const sgk_typed *typed;
    sgk_typed_fn ask_one;
    /* Where the events go, which are borrowed, and the errors, which become the callee's. */
    void *events;
    void (*happened)(void *events, sgk_value event);
    void (*failed)(void *events, sgk_value error);
    /* Called once each: after the last call of the handler; after the last call of the function pointer. */
    void *owner;
    void (*ended)(void *owner);
    void (*gone)(void *owner);
} sgk_native;

typedef struct sgk_entry sgk_entry;

/* Returns a function pointer of the plan's signature, whose calls `native` answers. Returns NULL if this requires
 * executable memory and the system rejects the request. */
sgk_any_function sgk_entry_create(const sgk_native *native, sgk_entry **entry);

/* No more questions to the handler. */
void sgk_entry_end(sgk_entry *entry);

/* Ends the entry. No new call can begin, but earlier calls can still run. */
void sgk_entry_free(sgk_entry *entry);

/* ---- Texts ---- */
void sgk_support_fail_at(int32_t status, const char *function, const char *argument, size_t column, const char *reason,
    const char *word, size_t length);
size_t sgk_support_print_mismatch(char *text, size_t size, const char *function, size_t parameter, sgk_type type,
    const char *value, const char *reason);
size_t sgk_support_print_unfit(char *text, size_t size, const char *function, size_t arity, const char *value);

/* ---- Operators ---- */

/* The typed operators that take a signal and a function alone: X(operator, what the header calls the function). */
#define SGK_TYPED_OPERATOR_MAP(X) \
    X(map, map) \
    X(filter, filter) \
    X(map_error, map) \
    X(before_next, f) \
    X(after_next, f) \
    X(before_error, f) \
    X(distinct_until_changed_by, equal) \
    X(take_while, filter) \
    X(skip_while, filter) \
    X(switch_map, map) \
    X(concat_map, map) \
    X(concat_map_latest, map) \
    X(exhaust_map, map) \
    X(catch, f)

typedef enum sgk_typed_operator {
#define SGK_TYPED_ENUM(operator, argument) SGK_TYPED_##operator,
    SGK_TYPED_OPERATOR_MAP(SGK_TYPED_ENUM)
#undef SGK_TYPED_ENUM
} sgk_typed_operator;

#endif
