/* How functions of a signature are called, and the entries by which C calls in. */
#ifndef SIGNALKIT_PLAN_H
#define SIGNALKIT_PLAN_H

#include "SignalKitTyped.h"
#include "registers.h"

#include <ffi.h>
#include <stdatomic.h>
#include <string.h>

/* The arguments of a call are in words: first the integer registers, then the floating-point registers; or two words
 * for each argument. */
enum { SGK_REGISTERS = SGK_INTEGER_REGISTERS + SGK_FLOAT_REGISTERS, SGK_MOST_WORDS = 2 * SGK_MOST_PARAMETERS };

_Static_assert(sizeof(sgk_slot) == 2 * sizeof(uint64_t), "a slot is as long as a value, which takes two registers");

/* A parameter, or the result. */
typedef struct sgk_place {
    sgk_type type;
    uint32_t kind; /* of the values that have the same bits; SGK_NULL: there is something to convert */
    uint32_t word; /* the place of a parameter */
} sgk_place;

struct sgk_plan {
    ffi_cif cif; /* points into `types` */
    ffi_type **types;
    size_t arity;        /* how many values the parameters take */
    bool through_libffi; /* as was asked for */
    bool in_registers;   /* whether all parameters are passed in registers; if not, libffi calls */
    bool takes_floats;
    sgk_place result, parameters[];
};

static inline sgk_slot *sgk_plan_slot(const sgk_plan *plan, uint64_t *words, size_t parameter) {
    return (sgk_slot *)&words[plan->parameters[parameter].word];
}

/* sgk_typed_store and sgk_typed_load, with a short way. */
static inline const char *sgk_place_store(const sgk_place *place, sgk_value value, sgk_slot *slot, sgk_value *text) {
    if (value.kind == SGK_NULL || value.kind != place->kind) return sgk_typed_store(value, place->type, slot, text);
    slot->u64 = value.bits;
    return NULL;
}

static inline bool sgk_place_load(const sgk_place *place, const sgk_slot *slot, sgk_value *value) {
    if (place->kind == SGK_NULL) return sgk_typed_load(slot, place->type, value);
    sgk_value_store(value, (sgk_value){place->kind, 0, slot->u64});
    return true;
}

/* Handles a result with something in `reserved`. The outcome sgk_failed is allowed: then the result is the error. */
sgk_value sgk_typed_outcome(const char *function, sgk_type type, sgk_value result, bool *failed);

/* A function pointer made at run time. */
struct sgk_entry {
    _Atomic uint64_t inside; /* see entries.c */
    const sgk_native *native;
    ffi_closure *closure; /* NULL for a compiled-in function */
};

/* In `inside`: the handler must not be called after this. */
enum { SGK_ENTRY_ENDED = 1 };

/* Makes an event of a call, and answers it: `words` as the plan says. */
void sgk_native_answer(const sgk_entry *entry, uint64_t *words, sgk_slot *result);

#endif
