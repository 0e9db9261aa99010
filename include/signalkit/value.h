/** @file
 * Values: what signals carry. Sixteen bytes, passed by value.
 * @since 1.0
 */
#ifndef SIGNALKIT_VALUE_H
#define SIGNALKIT_VALUE_H

#include "base.h"

SGK_BEGIN

/** The kinds of values with their texts: X(name, number, text). From SGK_STRING on they are reference-counted boxes,
 * and so are those of later versions, which whoever does not know them passes on, retains and releases; those before
 * own nothing. */
#define SGK_KIND_MAP(X)            \
    X(SGK_NULL, 0, "null")         \
    X(SGK_BOOL, 1, "bool")         \
    X(SGK_INT, 2, "int")           \
    X(SGK_DOUBLE, 3, "double")     \
    X(SGK_POINTER, 4, "pointer")   \
    X(SGK_STRING, 5, "string")     \
    X(SGK_BYTES, 6, "bytes")       \
    X(SGK_ARRAY, 7, "array")       \
    X(SGK_SIGNAL, 8, "signal")     \
    X(SGK_OBJECT, 9, "object")

/** The kind of a value. */
typedef enum sgk_kind {
#define SGK_KIND_ENUM(name, number, text) name = number,
    SGK_KIND_MAP(SGK_KIND_ENUM)
#undef SGK_KIND_ENUM
} sgk_kind;

/** A value: a kind and a payload. Make and read it with the functions below; the fields are public for speed and for
 * other languages. */
typedef struct sgk_value {
    /** A sgk_kind. */
    uint32_t kind;
    /** 0; SGK_GIVEN; or a sgk_outcome, in what a callback returns. The rest is later versions': never set it. */
    uint32_t reserved;
    /** By kind: 0 or 1; an int64_t; the bits of a double; a pointer; a pointer to a box. */
    uint64_t bits;
} sgk_value;

/* ---- Plain values: nothing to own, nothing allocated ---- */

/** The value that says that there is none. */
static inline sgk_value sgk_null(void) {
    sgk_value value = {SGK_NULL, 0, 0};
    return value;
}

/** A bool. */
static inline sgk_value sgk_bool(bool flag) {
    sgk_value value = {SGK_BOOL, 0, 0};
    value.bits = flag ? 1 : 0;
    return value;
}

/** An int, of 64 bits. */
static inline sgk_value sgk_int(int64_t number) {
    sgk_value value = {SGK_INT, 0, 0};
    value.bits = (uint64_t)number;
    return value;
}

/** A double. */
static inline sgk_value sgk_double(double number) {
    sgk_value value = {SGK_DOUBLE, 0, 0};
    union {
        double number;
        uint64_t bits;
    } pun;
    pun.number = number;
    value.bits = pun.bits;
    return value;
}

/** A pointer that the library only carries. */
static inline sgk_value sgk_pointer(void *pointer) {
    sgk_value value = {SGK_POINTER, 0, 0};
    value.bits = (uint64_t)(uintptr_t)pointer;
    return value;
}

/** The kind of a value. */
static inline sgk_kind sgk_value_kind(sgk_value value) { return (sgk_kind)value.kind; }

/** The flag of a bool; of any other kind, false. */
static inline bool sgk_to_bool(sgk_value value) { return value.kind == SGK_BOOL && value.bits != 0; }

/** The number of an int; of any other kind, 0. */
static inline int64_t sgk_to_int(sgk_value value) { return value.kind == SGK_INT ? (int64_t)value.bits : 0; }

/** The number of a double or an int; of any other kind, 0. */
static inline double sgk_to_double(sgk_value value) {
    union {
        uint64_t bits;
        double number;
    } pun;
    if (value.kind == SGK_INT) return (double)(int64_t)value.bits;
    if (value.kind != SGK_DOUBLE) return 0;
    pun.bits = value.bits;
    return pun.number;
}

/** The pointer of a pointer; of any other kind, NULL. */
static inline void *sgk_to_pointer(sgk_value value) {
    return value.kind == SGK_POINTER ? (void *)(uintptr_t)value.bits : NULL;
}

/* ---- The same as exported functions, for languages that cannot use a C header ---- */

SGK_API sgk_value sgk_make_null(void);              /**< As sgk_null. */
SGK_API sgk_value sgk_make_bool(bool flag);         /**< As sgk_bool. */
SGK_API sgk_value sgk_make_int(int64_t number);     /**< As sgk_int. */
SGK_API sgk_value sgk_make_double(double number);   /**< As sgk_double. */
SGK_API sgk_value sgk_make_pointer(void *pointer);  /**< As sgk_pointer. */
SGK_API bool sgk_get_bool(sgk_value value);         /**< As sgk_to_bool. */
SGK_API int64_t sgk_get_int(sgk_value value);       /**< As sgk_to_int. */
SGK_API double sgk_get_double(sgk_value value);     /**< As sgk_to_double. */
SGK_API void *sgk_get_pointer(sgk_value value);     /**< As sgk_to_pointer. */

/* ---- Boxed values: reference-counted; the maker's caller owns one reference ---- */

/** What sgk_give writes into a value. */
#define SGK_GIVEN 0x67697665u

/** Gives a value away: the function of the library that it is passed to takes over the reference, also when the call
 * fails, so that nothing is left to release: `sgk_pipe_next(pipe, sgk_give(sgk_string("x")))`. Passed once, also inside
 * of what sgk_array copies: whoever looks at it afterwards needs a reference of their own. What lends a part of a value
 * (sgk_value_data, sgk_array_items, sgk_array_at, sgk_object_pointer) takes nothing over, nor do the functions that
 * read plain values. A plain value is returned as it is. */
static inline sgk_value sgk_give(sgk_value value) {
    if (value.kind >= SGK_STRING) value.reserved = SGK_GIVEN;
    return value;
}

/** A copy of a NUL-terminated text (UTF-8 by custom; not checked). NULL gives null, with an error. */
SGK_API SGK_OWNED sgk_value sgk_string(const char *text);

/** A copy of `length` bytes of text, which may contain NULs. NULL with a length gives null, with an error. */
SGK_API SGK_OWNED sgk_value sgk_string_n(const char *text, size_t length);

/** A copy of `length` bytes. NULL with a length gives null, with an error. */
SGK_API SGK_OWNED sgk_value sgk_bytes(const void *data, size_t length);

/** An array of `count` values, which it retains. NULL with a count, or arrays in arrays more than 1000 deep, give null,
 * with an error. */
SGK_API SGK_OWNED sgk_value sgk_array(const sgk_value *values, size_t count);

/** The text of a string, NUL-terminated, or the data of bytes; `length` (may be NULL) gets the length without the NUL.
 * Borrowed from the value. Of any other kind NULL, with an error. */
SGK_API const char *sgk_value_data(sgk_value value, size_t *length);

/** The elements of an array, borrowed from it; `count` (may be NULL) gets their number. Of any other kind NULL, with an
 * error. */
SGK_API const sgk_value *sgk_array_items(sgk_value array, size_t *count);

/** The element at `index`, from 0 on, borrowed from the array; null, with an error, when there is no such element or it
 * is no array. */
SGK_API sgk_value sgk_array_at(sgk_value array, size_t index);

/** What the library needs to know about foreign objects. Any function may be NULL. They are called on whichever thread
 * handles the value. */
typedef struct sgk_object_table {
    size_t size;                                                /**< sizeof(sgk_object_table) */
    void (*retain)(void *object);                               /**< Called once when a value is made of the object. */
    void (*release)(void *object); /**< Called once when the last reference to the value goes. */
    /** Asked about two objects whose tables have this same function. Others are equal if they are the same pointer. */
    bool (*equal)(void *a, void *b);
    uint64_t (*hash)(void *object);                             /**< By default, of the pointer. */
    size_t (*describe)(void *object, char *text, size_t size);  /**< Like snprintf. */
} sgk_object_table;

/** What a sgk_object_table begins as. */
#define SGK_OBJECT_TABLE_INIT {sizeof(sgk_object_table), NULL, NULL, NULL, NULL, NULL}

/** A value that stands for a foreign object. `table` is copied; NULL means no functions. A table whose size is none
 * that this library knows gives null, with an error. */
SGK_API SGK_OWNED sgk_value sgk_object_value(void *object, const sgk_object_table *table);

/** The foreign object, borrowed. Of any other kind NULL, with an error. */
SGK_API void *sgk_object_pointer(sgk_value value);

/** Adds a reference, if the kind has any, and returns its argument. (Of one that is given away it keeps the reference:
 * the result is the caller's.) */
SGK_API SGK_OWNED sgk_value sgk_value_retain(sgk_value value);

/** Drops a reference, if the kind has any. */
SGK_API void sgk_value_release(sgk_value value);

/** Whether `a` and `b` are of the same kind and equal: bits for the plain kinds (so NaN equals itself, and 0.0 is not
 * -0.0), content for strings, bytes and arrays, identity for signals, the table's `equal` for objects. */
SGK_API bool sgk_value_equal(sgk_value a, sgk_value b);

/** A number that is the same for equal values, within one run of the program. */
SGK_API uint64_t sgk_value_hash(sgk_value value);

/** Writes the value as text for people into `text`, as snprintf does: at most `size` bytes with the NUL; returns the
 * length of the whole text. Strings are written as they are (a NUL inside one ends the text for whoever reads it as a C
 * string), bytes in hexadecimal. */
SGK_API size_t sgk_value_describe(sgk_value value, char *text, size_t size);

/** The text of a kind of value; for an unknown one, a text that says so. Static. */
SGK_API const char *sgk_kind_text(sgk_kind kind);

SGK_END

#endif
