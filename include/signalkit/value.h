/** @file
 * Values: the data that signals carry. A value has 16 bytes and is passed by value.
 * @since 1.0
 */
#ifndef SIGNALKIT_VALUE_H
#define SIGNALKIT_VALUE_H

#include "base.h"

SGK_BEGIN

/** The kinds of values with their texts: X(name, number, text).
 *
 * The kinds before SGK_STRING own nothing. SGK_STRING and all later kinds are reference-counted boxes. Later versions
 * may add kinds: a program passes on, retains and releases values whose kind it does not know.
 */
#define SGK_KIND_MAP(X) \
    X(SGK_NULL, 0, "null") \
    X(SGK_BOOL, 1, "bool") \
    X(SGK_INT, 2, "int") \
    X(SGK_DOUBLE, 3, "double") \
    X(SGK_POINTER, 4, "pointer") \
    X(SGK_STRING, 5, "string") \
    X(SGK_BYTES, 6, "bytes") \
    X(SGK_ARRAY, 7, "array") \
    X(SGK_SIGNAL, 8, "signal") \
    X(SGK_OBJECT, 9, "object") \
    X(SGK_FAILURE, 10, "error")

/** The kind of a value. */
typedef enum sgk_kind {
#define SGK_KIND_ENUM(name, number, text) name = number,
    SGK_KIND_MAP(SGK_KIND_ENUM)
#undef SGK_KIND_ENUM
} sgk_kind;

/** A kind and a payload. The functions below create and read values.
 *
 * The fields are public for speed and for other languages.
 */
typedef struct sgk_value {
    /** A sgk_kind. */
    uint32_t kind;
    /** 0, SGK_GIVEN or SGK_LENT, or a sgk_outcome in the result of a callback. Never set other bits. Do not compare
     * values by their bytes: sgk_value_equal ignores this field. */
    uint32_t reserved;
    /** Depends on the kind: 0 or 1, an int64_t, the bits of a double, a pointer, or a pointer to a box. */
    uint64_t bits;
} sgk_value;

/* ---- Plain values: they own nothing and allocate nothing ---- */

/** Returns null, the value that represents the absence of a value. */
static inline sgk_value sgk_null(void) {
    sgk_value value = {SGK_NULL, 0, 0};
    return value;
}

/** Returns a bool. */
static inline sgk_value sgk_bool(bool flag) {
    sgk_value value = {SGK_BOOL, 0, 0};
    value.bits = flag ? 1 : 0;
    return value;
}

/** Returns an int of 64 bits. */
static inline sgk_value sgk_int(int64_t number) {
    sgk_value value = {SGK_INT, 0, 0};
    value.bits = (uint64_t)number;
    return value;
}

/** Returns a double. */
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

/** Returns a pointer. The library passes it on and never follows it. */
static inline sgk_value sgk_pointer(void *pointer) {
    sgk_value value = {SGK_POINTER, 0, 0};
    value.bits = (uint64_t)(uintptr_t)pointer;
    return value;
}

/** Returns the kind of a value. */
static inline sgk_kind sgk_value_kind(sgk_value value) { return (sgk_kind)value.kind; }

/** Returns the content of a bool, or false for any other kind. */
static inline bool sgk_to_bool(sgk_value value) { return value.kind == SGK_BOOL && value.bits != 0; }

/** Returns the content of an int, or 0 for any other kind. */
static inline int64_t sgk_to_int(sgk_value value) { return value.kind == SGK_INT ? (int64_t)value.bits : 0; }

/** Returns the content of a double or an int, or 0 for any other kind. */
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

/** Returns the content of a pointer, or NULL for any other kind. */
static inline void *sgk_to_pointer(sgk_value value) {
    return value.kind == SGK_POINTER ? (void *)(uintptr_t)value.bits : NULL;
}

/* ---- Boxed values: they are reference-counted ---- */

/** The mark that sgk_give sets in the field `reserved`. */
#define SGK_GIVEN 0x67697665u

/** The bit in the field `reserved` of a borrowed string, array or other boxed value.
 *
 * The library sets it in the arguments of callbacks, in the elements of arrays, and in the result of sgk_error_cause. A
 * callback that returns a marked value gives no reference away, because the library retains the value.
 * sgk_value_retain returns the value without the bit. sgk_give and sgk_value_release do nothing with a marked value.
 *
 * Warning: a copy of the fields `kind` and `bits` alone is not marked. A callback must not return such a copy.
 */
#define SGK_LENT 0x80000000u

/** Marks a value for transfer: `sgk_pipe_next(pipe, sgk_give(sgk_string("x")))`.
 *
 * The function of the library that receives the value takes over its reference, even if the call fails. The items that
 * sgk_array copies may be marked, too. Pass a marked value once; to use it afterwards, retain it first. Plain and
 * borrowed values (SGK_LENT) are returned unchanged.
 *
 * Warning: do not mark the argument of a function that returns a part of a value (sgk_value_data, sgk_array_items,
 * sgk_array_at, sgk_to_object) or that reads a plain value. It takes over no reference.
 */
static inline sgk_value sgk_give(sgk_value value) {
    if (value.kind >= SGK_STRING && !(value.reserved & SGK_LENT)) value.reserved = SGK_GIVEN;
    return value;
}

/** Returns a string with a copy of a NUL-terminated text.
 *
 * The text is UTF-8 by convention. The library does not check it.
 */
SGK_API SGK_OWNED sgk_value sgk_string(const char *text);

/** Returns a string with a copy of `length` bytes of text, which may contain NULs.
 *
 * @param text  Must not be NULL unless `length` is 0.
 */
SGK_API SGK_OWNED sgk_value sgk_string_n(const char *text, size_t length);

/** Returns a string in the format of printf: `sgk_string_f("%d of %d", done, all)`.
 *
 * @return  The string; null if the text cannot be converted (SGK_ERROR_ARGUMENT) or the memory is exhausted
 *          (SGK_ERROR_MEMORY).
 */
SGK_API SGK_OWNED SGK_FORMAT(1, 2) sgk_value sgk_string_f(const char *format, ...);

/** Returns a copy of `length` bytes.
 *
 * @param data  Must not be NULL unless `length` is 0.
 */
SGK_API SGK_OWNED sgk_value sgk_bytes(const void *data, size_t length);

/** Returns an array that contains and retains `count` values.
 *
 * @param values  May be NULL if `count` is 0. Arrays must not be nested deeper than 1,000 levels.
 */
SGK_API SGK_OWNED sgk_value sgk_array(const sgk_value *values, size_t count);

/** Returns the text of a string, which ends with a NUL, or the data of bytes.
 *
 * @param length  Receives the length without the NUL. May be NULL.
 * @return        The data, borrowed from `value`; NULL for any other kind (SGK_ERROR_KIND).
 */
SGK_API const char *sgk_value_data(sgk_value value, size_t *length);

/** Returns the data of a string or bytes for writing. Copies it if there are other references.
 *
 * The first bytes keep their content. Further bytes are undefined until the caller writes them. A NUL follows them.
 *
 * @param value   A value of which the caller owns a reference. It is replaced if the data is copied. The data of a
 *                borrowed value (SGK_LENT) is always copied.
 * @param length  The new length.
 * @return        The data, which is valid until the reference is released or the function is called again; NULL for any
 *                other kind (SGK_ERROR_KIND), if `length` is more than an object can have (SGK_ERROR_ARGUMENT) or if
 *                the memory is exhausted (SGK_ERROR_MEMORY). After an error the value is unchanged.
 */
SGK_API char *sgk_value_make_writable(sgk_value *value, size_t length);

/** Returns the elements of an array.
 *
 * @param count  Receives their number, which is 0 after an error. May be NULL.
 * @return       The elements, borrowed from `array`; NULL for any other kind (SGK_ERROR_KIND).
 */
SGK_API const sgk_value *sgk_array_items(sgk_value array, size_t *count);

/** Returns the element at `index`, which counts from 0.
 *
 * @return  The element, borrowed from `array`; null if the index is out of range (SGK_ERROR_ARGUMENT) or the value is
 *          not an array (SGK_ERROR_KIND).
 */
SGK_API sgk_value sgk_array_at(sgk_value array, size_t index);

/** A type of objects: its name and functions. The functions may be NULL.
 *
 * It is a static constant of the program, because values keep its address: two types with the same content differ.
 * Thread of the functions: any thread that uses a value.
 */
typedef struct sgk_object_type {
    size_t size;                     /**< sizeof(sgk_object_type) */
    const char *name;                /**< For messages. Must not be NULL. */
    void (*retain)(void *object);    /**< Called once, when a value is created. */
    void (*release)(void *object);   /**< Called once, when the last reference is released. */
    bool (*equal)(void *a, void *b); /**< NULL: objects are equal if their pointers are. */
    uint64_t (*hash)(void *object);  /**< NULL: a hash of the pointer. */
    /** Writes text, like snprintf. NULL: the name and the pointer. */
    size_t (*describe)(void *object, char *text, size_t size);
} sgk_object_type;

/** Returns a value that represents an object of the program.
 *
 * @param type  Not copied: it must exist as long as the value, so the library that defines it must stay loaded. An
 *              unknown size is an error.
 */
SGK_API SGK_OWNED sgk_value sgk_object(void *object, const sgk_object_type *type);

/** Returns the object of a value.
 *
 * @param type  The type of the object. Objects of other types, such as those of another language, are not returned.
 * @return      The object, borrowed from `value`; NULL for any other kind or type (SGK_ERROR_KIND).
 */
SGK_API void *sgk_to_object(sgk_value value, const sgk_object_type *type);

/* ---- Errors: any value can be the error of a signal, and errors of the library are of this kind ---- */

/** Returns an error with a code, a text and a cause: the error that led to this one, or any other value.
 *
 * @param code   A sgk_status, which is negative, or a positive number of the program, such as an errno or an HTTP
 *               status. 0 becomes SGK_ERROR_FAILED.
 * @param text   Copied. It begins with the name of the function or operator that failed, by convention.
 * @param cause  Retained. null: no cause. A cause that contains 1,000 nested errors and arrays is left out
 *               (SGK_ERROR_ARGUMENT).
 * @return       The error; null if the memory is exhausted (SGK_ERROR_MEMORY).
 */
SGK_API SGK_OWNED sgk_value sgk_error_from(int code, const char *text, sgk_value cause);

/** Returns an error with a `code` and a `text`: `sgk_failed(sgk_error(404, "load: not found"))`. See sgk_error_from. */
static inline SGK_OWNED sgk_value sgk_error(int code, const char *text) {
    return sgk_error_from(code, text, sgk_null());
}

/** Returns an error with a text in the `format` of printf: `sgk_error_f(errno, "open %s: %s", path, strerror(errno))`.
 *
 * @param code  As for sgk_error_from.
 * @return      The error; null if the text cannot be converted (SGK_ERROR_ARGUMENT) or the memory is exhausted
 *              (SGK_ERROR_MEMORY).
 */
SGK_API SGK_OWNED SGK_FORMAT(2, 3) sgk_value sgk_error_f(int code, const char *format, ...);

/** Returns the code of an error, or SGK_ERROR_FAILED for a value of any other kind. It is never 0. */
SGK_API int sgk_error_code(sgk_value error);

/** Returns the text of an error or a string, borrowed from `error`; the text of the kind for any other value. */
SGK_API const char *sgk_error_text(sgk_value error);

/** Returns the text of a string or an error, borrowed from `value`; "" for any other kind:
 * `printf("%s", sgk_to_text(value))`. */
static inline const char *sgk_to_text(sgk_value value) {
    return value.kind == SGK_STRING || value.kind == SGK_FAILURE ? sgk_error_text(value) : "";
}

/** Returns the cause of an error, borrowed from `error`; null if it has none or is of any other kind. */
SGK_API sgk_value sgk_error_cause(sgk_value error);

/** Adds a reference and returns the value with it. Plain values have no references.
 *
 * Use the result instead of the argument: the result of a borrowed value (SGK_LENT) is not marked. If the argument is
 * marked by sgk_give, it adds no reference: the result is the transferred reference.
 */
SGK_API SGK_OWNED sgk_value sgk_value_retain(sgk_value value);

/** Drops a reference. Plain and borrowed values (SGK_LENT) have none to drop. */
SGK_API void sgk_value_release(sgk_value value);

/** Reports whether `a` and `b` have the same kind and are equal.
 *
 * Plain values are equal if their bits are: NaN equals itself, and 0.0 does not equal -0.0. Strings, bytes, arrays and
 * errors compare their content, signals their identity. Objects of one type use its function `equal`.
 */
SGK_API bool sgk_value_equal(sgk_value a, sgk_value b);

/** Returns a hash. Equal values have equal hashes within one process. */
SGK_API uint64_t sgk_value_hash(sgk_value value);

/** Writes the value as readable text into `text`, like snprintf.
 *
 * It writes at most `size` bytes, including the final NUL. Strings are copied unchanged, also if they contain NULs.
 * Bytes are written in hexadecimal. An error is written as its text, a positive code in parentheses, and its cause.
 *
 * @return  The length of the whole text without the NUL.
 */
SGK_API size_t sgk_value_describe(sgk_value value, char *text, size_t size);

/** Returns the text of a kind, or a text for unknown kinds. The string is static. */
SGK_API const char *sgk_kind_text(sgk_kind kind);

SGK_END

#endif
