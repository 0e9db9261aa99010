/* Incoming calls: function pointers created at run time, and the count of calls that are in progress.
 *
 * If all arguments are in registers, the function is one of the compiled-in functions (registers_*.S), and no memory
 * becomes executable. If all of them are in use, or the signature is different, libffi creates a function. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- The calls in progress ----
 *
 * Two counts in one word, like strong and weak references. `asking` counts the calls that may call the handler, plus 1
 * until the entry ends. `staying` counts the calls that arrived after the end, plus 1 while `asking` is not 0, plus 1
 * until the entry is freed.
 *
 *     staying: 32 bits | asking: 31 bits | ended: 1 bit
 *
 * A call enters only if `staying` is not 0. Therefore a late call of a compiled-in entry is rejected. */
static const uint64_t ended = SGK_ENTRY_ENDED, asking = 1 << 1, staying = UINT64_C(1) << 32;

static void let_go(sgk_entry *entry) {
    const sgk_native *native = entry->native;
    if (entry->closure) {
        ffi_closure_free(entry->closure);
        free(entry);
    } else {
        atomic_store_explicit(&entry->inside, 0, memory_order_release);
    }
    native->gone(native->owner);
}

/* Returns the count that the call belongs to, or 0 if the call is too late. */
static inline uint64_t enter(sgk_entry *entry) {
    uint64_t seen = atomic_load_explicit(&entry->inside, memory_order_relaxed), as;
    do {
        if (seen < asking) return 0;
        as = seen & ended ? staying : asking;
    } while (!atomic_compare_exchange_weak_explicit(
        &entry->inside, &seen, seen + as, memory_order_acquire, memory_order_relaxed));
    return as;
}

static inline uint64_t subtract(sgk_entry *entry, uint64_t count) {
    return atomic_fetch_sub_explicit(&entry->inside, count, memory_order_acq_rel) - count;
}

static inline void leave(sgk_entry *entry, uint64_t as) {
    uint64_t left = subtract(entry, as);
    if (as == asking) {
        if (left & (staying - asking)) return;
        entry->native->ended(entry->native->owner);
        left = subtract(entry, staying);
    }
    if (left < staying) let_go(entry);
}

void sgk_entry_end(sgk_entry *entry) {
    if (!(atomic_fetch_or_explicit(&entry->inside, ended, memory_order_acq_rel) & ended)) leave(entry, asking);
}

void sgk_entry_free(sgk_entry *entry) {
    sgk_entry_end(entry);
    leave(entry, staying);
}

static void open_entry(sgk_entry *entry, const sgk_native *native) {
    entry->native = native;
    atomic_store_explicit(&entry->inside, asking + 2 * staying, memory_order_release);
}

/* The entry may be gone when this returns. */
static inline void called(sgk_entry *entry, uint64_t *words, sgk_slot *result) {
    uint64_t as = enter(entry);
    if (as == 0) return;
    sgk_native_answer(entry, words, result);
    leave(entry, as);
}

/* ---- Functions that are compiled in ---- */

#if SGK_HAS_REGISTERS

/* Each entry has its own cache line because different threads call the entries. */
static struct { _Alignas(64) sgk_entry entry; } entries[SGK_ENTRIES];
extern const char sgk_entry_functions[SGK_ENTRIES][SGK_ENTRY_SIZE];

/* Called by all of them, with the registers that take arguments. The result is for the registers of integers, and of
 * floating point. */
typedef struct sgk_entry_result {
    uint64_t first, second;
} sgk_entry_result;
sgk_entry_result sgk_entry_called(unsigned index, uint64_t *registers);

sgk_entry_result sgk_entry_called(unsigned index, uint64_t *registers) {
    sgk_slot result = {.value = {0, 0, 0}};
    called(&entries[index].entry, registers, &result);
    sgk_entry_result words;
    memcpy(&words, &result, sizeof words);
    return words;
}

/* Starts the search after the entry that was created last, so that a freed entry stays unused as long as possible. */
static sgk_any_function take_entry(const sgk_native *native, sgk_entry **taken) {
    static atomic_uint last;
    for (unsigned i = 0; i < SGK_ENTRIES; i++) {
        unsigned index = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) % SGK_ENTRIES;
        sgk_entry *entry = &entries[index].entry;
        uint64_t nobody = 0;
        if (!atomic_compare_exchange_strong_explicit(
                &entry->inside, &nobody, ended, memory_order_acquire, memory_order_relaxed))
            continue;
        open_entry(entry, native);
        *taken = entry;
        return (sgk_any_function)sgk_entry_functions[index];
    }
    return NULL;
}
#else
static sgk_any_function take_entry(const sgk_native *native, sgk_entry **taken) { return NULL; }
#endif

/* ---- Functions of libffi's ---- */

/* Integers are given as a whole word, however narrow they are. */
static size_t size_of_result(const ffi_type *type) {
    switch (type->type) {
    case FFI_TYPE_VOID: return 0;
    case FFI_TYPE_FLOAT:
    case FFI_TYPE_DOUBLE:
    case FFI_TYPE_STRUCT: return type->size;
    default: return sizeof(ffi_arg);
    }
}

static void called_by_libffi(ffi_cif *cif, void *place, void **addresses, void *context) {
    sgk_entry *entry = context;
    const sgk_plan *plan = entry->native->plan;
    size_t size = size_of_result(cif->rtype); /* the plan may be gone after the call, too */
    uint64_t words[SGK_MOST_WORDS];
    sgk_slot result = {.value = {0, 0, 0}};
    for (unsigned i = 0; i < cif->nargs; i++)
        memcpy(sgk_plan_slot(plan, words, i), addresses[i], cif->arg_types[i]->size);
    called(entry, words, &result);
    memcpy(place, &result, size);
}

static sgk_any_function make_closure(const sgk_native *native, sgk_entry **made) {
    void *code = NULL;
    ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &code);
    if (!closure) return NULL;
    sgk_entry *entry = malloc(sizeof *entry);
    if (!entry) {
        ffi_closure_free(closure);
        return NULL;
    }
    entry->closure = closure;
    open_entry(entry, native);
    if (ffi_prep_closure_loc(closure, (ffi_cif *)&native->plan->cif, called_by_libffi, entry, code) != FFI_OK) {
        ffi_closure_free(closure);
        free(entry);
        return NULL;
    }
    *made = entry;
    return (sgk_any_function)code;
}

sgk_any_function sgk_entry_create(const sgk_native *native, sgk_entry **entry) {
    sgk_any_function function = native->plan->in_registers ? take_entry(native, entry) : NULL;
    return function ? function : make_closure(native, entry);
}
