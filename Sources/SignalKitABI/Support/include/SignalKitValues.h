/* Values as C sees them inside: with the boxes that they point to. Hidden in the library. */
#ifndef SIGNALKIT_VALUES_H
#define SIGNALKIT_VALUES_H

#include "SignalKitSupport.h"

#include "signalkit/value.h"

_Static_assert(sizeof(sgk_value) == 16 && offsetof(sgk_value, reserved) == 4 && offsetof(sgk_value, bits) == 8,
    "a value is a kind, what is reserved, and a word");

static inline bool sgk_value_is_plain(sgk_value value) { return value.kind < SGK_STRING; }
static inline bool sgk_value_is_lent(sgk_value value) { return value.reserved & SGK_LENT; }

/* Returns a value that the library owns in the form in which callbacks receive it. */
static inline sgk_value sgk_value_lent(sgk_value value) {
    value.reserved = sgk_value_is_plain(value) ? 0 : SGK_LENT;
    return value;
}

/* Returns the kind of a value and its `reserved` as one word. */
static inline uint64_t sgk_value_head(sgk_value value) { return value.kind | (uint64_t)value.reserved << 32; }

/* Returns the value with this head. Registers hold values in this form, so that code that computes whole words is
 * short. */
static inline sgk_value sgk_value_composed(uint64_t head, uint64_t bits) {
    return (sgk_value){(uint32_t)head, (uint32_t)(head >> 32), bits};
}

/* Stores a value as two whole words, because a read of a whole word after writes of its parts is slow. */
__attribute__((always_inline)) static inline void sgk_value_store(sgk_value *place, sgk_value value) {
    uint64_t words[2] = {sgk_value_head(value), value.bits};
    memcpy(place, words, sizeof words);
}

/* ---- Boxes ---- */

/* The target of a counted value: a Swift object (Box.swift), of which C knows these fields. The contents of strings,
 * bytes, arrays and errors follow in the same memory, so that C can create them. */
typedef struct {
    uintptr_t header[SGK_OBJECT_HEADER / sizeof(uintptr_t)];
    uint32_t kind;  /* an sgk_kind: the only field of the others */
    uint32_t depth; /* of an array or error: the number of nested ones; of bytes: how many more have space */
    size_t count;   /* of bytes, items or bytes of an error's text; a NUL follows the bytes */
} sgk_box;

/* The contents of an error. The text has `count` bytes and a NUL. */
typedef struct {
    sgk_value cause;
    int32_t code;
    char text[4];
} sgk_failure;

/* The box of a value that the library holds, or knows to be alive: NULL when it is plain, or none at all (of an unknown
 * kind, or with a box at no address or of another kind). */
static inline sgk_box *sgk_value_box(sgk_value value) {
    sgk_box *box = (sgk_box *)(uintptr_t)value.bits;
    bool may_be = !sgk_value_is_plain(value) && value.kind <= SGK_FAILURE && box != NULL;
    return may_be && box->kind == value.kind ? box : NULL;
}

/* Whether a value can contain other values that the library walks through. */
static inline bool sgk_value_is_nested(sgk_value value) { return value.kind == SGK_ARRAY || value.kind == SGK_FAILURE; }

/* The number of nested arrays and errors in a value that the library holds. (A call for each item would be seen in the
 * time of an array.) */
__attribute__((always_inline)) static inline uint32_t sgk_value_depth(sgk_value value) {
    const sgk_box *box = sgk_value_is_nested(value) ? sgk_value_box(value) : NULL;
    return box != NULL ? box->depth : 0;
}

/* Create a string or bytes with one reference, an array with unwritten items, and an error without a cause. They return
 * NULL if memory is insufficient. With `must` they use the reserve and never return NULL. */
sgk_box *sgk_box_make_data(sgk_kind kind, const void *source, size_t count, bool must);
sgk_box *sgk_box_make_array(size_t count, bool must);
sgk_box *sgk_box_make_failure(int32_t code, const char *text, size_t length, bool must);

/* Compare two arrays or errors, hash one, and describe it as snprintf does. The walk through nested ones needs the same
 * stack at any depth. */
bool sgk_box_nested_equal(const sgk_box *a, const sgk_box *b);
uint64_t sgk_box_hash_nested(const sgk_box *box);
size_t sgk_box_describe_nested(const sgk_box *box, char *text, size_t size);

/* Mixes a number into a hash (the constants are those of FNV-1a and of a 64-bit finaliser). */
static inline uint64_t sgk_mix(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * 0x100000001b3 + 0xcbf29ce484222325;
    hash ^= hash >> 33;
    return hash * 0xff51afd7ed558ccd;
}

/* A string that comes while events flow, so that there must be memory for it; the holder is as a program is. */
sgk_value sgk_value_of_text(const char *text, size_t length);

/* The same for an error. */
sgk_value sgk_value_of_failure(int32_t code, const char *text, size_t length);

/* An error of the library, with the text "function: reason". */
sgk_value sgk_support_own_error(int32_t code, const char *function, const char *reason);

/* Adds a reference that the library holds, not the program. */
sgk_value sgk_support_value_retain(sgk_value value);

/* Returns a callback's result as a value that the caller owns, with or without `sgk_give`. Retains a lent result. An
 * invalid result becomes null. */
static inline sgk_value sgk_value_checked(sgk_value value) {
    if (sgk_value_is_plain(value)) return value;
    if (sgk_value_box(value) == NULL) return sgk_null();
    if (__builtin_expect(sgk_value_is_lent(value), 0)) return sgk_support_value_retain(value);
    value.reserved = 0;
    return value;
}

/* Gives back a reference that the library holds, not the program: that may be counting its own. Ignores SGK_LENT. */
void sgk_support_value_release(sgk_value value);

/* The same for values with references. */
static inline void sgk_value_drop(sgk_value value) {
    if (!sgk_value_is_plain(value)) sgk_support_value_release(value);
}

#endif
