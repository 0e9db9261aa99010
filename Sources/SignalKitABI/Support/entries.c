/* Calls in: function pointers made at run time. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    ffi_closure *closure;
    const sgk_plan *plan;
    sgk_entered_fn entered;
    void *owner;
} entry;

/* libffi wants results that are narrower than a register as a whole one. */
static void widen(sgk_type type, const sgk_slot *result, void *place) {
    switch (type) {
        case SGK_TYPE_void: break;
        case SGK_TYPE_bool: *(ffi_arg *)place = result->flag; break;
        case SGK_TYPE_i8: *(ffi_sarg *)place = result->i8; break;
        case SGK_TYPE_i16: *(ffi_sarg *)place = result->i16; break;
        case SGK_TYPE_i32: *(ffi_sarg *)place = result->i32; break;
        case SGK_TYPE_u8: *(ffi_arg *)place = result->u8; break;
        case SGK_TYPE_u16: *(ffi_arg *)place = result->u16; break;
        case SGK_TYPE_u32: *(ffi_arg *)place = result->u32; break;
        case SGK_TYPE_f32: *(float *)place = result->f32; break;
        case SGK_TYPE_value: *(sgk_value *)place = result->value; break;
        default: *(uint64_t *)place = result->u64; break;
    }
}

static void enter(ffi_cif *cif, void *place, void **addresses, void *context) {
    const entry *e = context;
    sgk_type type = e->plan->result; /* the entry may be freed by the call */
    sgk_slot arguments[SGK_MOST_PARAMETERS], result;
    for (unsigned i = 0; i < cif->nargs; i++) memcpy(&arguments[i], addresses[i], cif->arg_types[i]->size);
    memset(&result, 0, sizeof result);
    e->entered(e->owner, arguments, &result);
    widen(type, &result, place);
}

sgk_any_function sgk_support_entry_create(const sgk_plan *plan, sgk_entered_fn entered, void *owner, void **place) {
    void *code = NULL;
    ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &code);
    if (!closure) return NULL;
    entry *e = malloc(sizeof *e);
    if (!e) abort();
    *e = (entry){closure, plan, entered, owner};
    if (ffi_prep_closure_loc(closure, (ffi_cif *)&plan->cif, enter, e, code) != FFI_OK) {
        sgk_support_entry_free(e);
        return NULL;
    }
    *place = e;
    return (sgk_any_function)code;
}

void sgk_support_entry_free(void *place) {
    entry *e = place;
    ffi_closure_free(e->closure);
    free(e);
}
