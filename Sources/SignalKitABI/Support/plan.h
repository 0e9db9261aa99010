/* What is known about how functions of a signature are called, and who calls in. */
#ifndef SIGNALKIT_PLAN_H
#define SIGNALKIT_PLAN_H

#include "SignalKitTyped.h"

#include <ffi.h>
#include <stdatomic.h>
#include <string.h>

/* How many registers take arguments, in the System V convention of x86-64: for integers and pointers, and for floating point. */
#if defined(__x86_64__) && defined(__LP64__) && defined(__linux__)
#define SGK_HAS_REGISTERS 1
#endif
enum { SGK_INTEGER_REGISTERS = 6, SGK_FLOAT_REGISTERS = 8, SGK_REGISTERS = SGK_INTEGER_REGISTERS + SGK_FLOAT_REGISTERS };

/* The arguments of a call stand in words: those of the registers, the floating point numbers behind the others, or two for each. */
enum { SGK_MOST_WORDS = 2 * SGK_MOST_PARAMETERS };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word begins with the number in it, however narrow that is");

struct sgk_plan {
    ffi_cif cif; /* points into `types` */
    sgk_type *parameters, result;
    size_t arity;        /* how many values the parameters take */
    bool through_libffi; /* as was asked for */
    bool in_registers;   /* whether all parameters are passed in registers; if not, libffi calls */
    bool takes_floats;
    uint8_t *places;     /* the words where the parameters stand */
    ffi_type *types[];
};

static inline sgk_slot *sgk_plan_slot(const sgk_plan *plan, uint64_t *words, size_t parameter) { return (sgk_slot *)&words[plan->places[parameter]]; }

/* The kind of the values whose bits are also those of the argument or result; SGK_NULL: there is something to convert. */
static inline uint32_t sgk_kind_of_same_bits(sgk_type type) {
    return type == SGK_TYPE_i64 ? SGK_INT : type == SGK_TYPE_f64 ? SGK_DOUBLE : type == SGK_TYPE_ptr && sizeof(void *) == 8 ? SGK_POINTER : SGK_NULL;
}

/* sgk_typed_store and sgk_typed_load, for those in a line. */
static inline const char *sgk_plan_store(sgk_value value, sgk_type type, sgk_slot *slot, sgk_value *text) {
    if (value.kind == SGK_NULL || value.kind != sgk_kind_of_same_bits(type)) return sgk_typed_store(value, type, slot, text);
    slot->u64 = value.bits;
    return NULL;
}

static inline bool sgk_plan_load(const sgk_slot *slot, sgk_type type, sgk_value *value) {
    uint32_t kind = sgk_kind_of_same_bits(type);
    if (kind == SGK_NULL) return sgk_typed_load(slot, type, value);
    const uint64_t words[] = {kind, slot->u64};
    memcpy(value, words, sizeof *value); /* (what has just been written in parts takes long to be read as a whole) */
    return true;
}

/* A function pointer made at run time. */
struct sgk_entry {
    _Atomic uint64_t inside; /* see entries.c */
    const sgk_native *native;
    ffi_closure *closure; /* NULL: it is one of those that are compiled in */
};

/* In `inside`: the handler is not to be asked any more. */
enum { SGK_ENTRY_ENDED = 1 };

/* Makes an event of a call, and answers it: `words` as the plan says. */
void sgk_native_answer(const sgk_entry *entry, uint64_t *words, sgk_slot *result);

#endif
