/* The parts of counted values that do not need Swift: reads of their boxes, and reference counts. (Each access through
 * a Swift reference would retain and release.) */
#include "SignalKitValues.h"

#include "objects.h"
#include "signalkit.h"

#include <stdarg.h>
#include <stdatomic.h>

_Static_assert(offsetof(sgk_box, kind) == SGK_OBJECT_HEADER && sizeof(sgk_box) == 32,
    "the fields begin behind the header, and what is held behind them is aligned as items are");

/* Box.swift */
sgk_box *sgk_support_empty_box(sgk_kind kind);

/* Ownership.swift, with SIGNALKIT_DEBUG=1 */
void sgk_support_box_born(sgk_box *box);
bool sgk_support_is_alive(sgk_value value);
void sgk_support_hand_out(sgk_value value);
bool sgk_support_give_back(sgk_value value);

#define INLINE static inline __attribute__((always_inline))
#define APART static __attribute__((noinline)) /* rare cases, so that the others need no stack frame */

/* ---- Making ---- */

/* How a new box begins: with its class, and a count of one. */
typedef struct {
    _Atomic uintptr_t words[2];
} header;

static header data_header, array_header, failure_header;

APART void learn(header *header, sgk_kind kind) {
    sgk_box *box = sgk_support_empty_box(kind);
    atomic_store_explicit(&header->words[1], box->header[1], memory_order_relaxed);
    atomic_store_explicit(&header->words[0], box->header[0], memory_order_release);
    swift_release((object *)box);
}

APART void born(sgk_box *box, bool is_handed_out) {
    if (!sgk_support_is_debug()) return;
    sgk_support_box_born(box);
    if (is_handed_out) sgk_support_hand_out((sgk_value){box->kind, 0, (uintptr_t)box});
}

INLINE sgk_box *make(header *header, sgk_kind kind, size_t count, size_t size, bool must, bool is_handed_out) {
    if (__builtin_expect(atomic_load_explicit(&header->words[0], memory_order_acquire) == 0, 0)) learn(header, kind);
    sgk_box *box = malloc(sizeof *box + size);
    if (box == NULL && must) box = sgk_support_allocate_from_reserve(1, sizeof *box + size);
    if (box == NULL) return NULL;
    for (int i = 0; i < 2; i++) box->header[i] = atomic_load_explicit(&header->words[i], memory_order_relaxed);
    box->kind = kind;
    box->depth = 0;
    box->count = count;
    sgk_support_count(SGK_LIVE_VALUE, 1);
    if (!sgk_support_is_debug_off()) born(box, is_handed_out);
    return box;
}

sgk_box *sgk_box_make_array(size_t count, bool must) {
    return make(&array_header, SGK_ARRAY, count, count * sizeof(sgk_value), must, false);
}

INLINE sgk_box *make_data(sgk_kind kind, const void *source, size_t count, bool must, bool is_handed_out) {
    sgk_box *box = make(&data_header, kind, count, count + 1, must, is_handed_out);
    if (box == NULL) return NULL;
    char *data = (char *)(box + 1);
    if (count > 0) memcpy(data, source, count);
    data[count] = 0;
    return box;
}

sgk_box *sgk_box_make_data(sgk_kind kind, const void *source, size_t count, bool must) {
    return make_data(kind, source, count, must, false);
}

/* The bytes of a text are behind the other contents of an error. */
enum { FAILURE_HEAD = offsetof(sgk_failure, text) };

INLINE sgk_box *make_failure(int32_t code, size_t length, bool must, bool is_handed_out) {
    sgk_box *box = make(&failure_header, SGK_FAILURE, length, FAILURE_HEAD + length + 1, must, is_handed_out);
    if (box == NULL) return NULL;
    sgk_failure *failure = (sgk_failure *)(box + 1);
    failure->cause = sgk_null();
    failure->code = code != SGK_OK ? code : SGK_ERROR_FAILED;
    failure->text[length] = 0;
    box->depth = 1;
    return box;
}

sgk_box *sgk_box_make_failure(int32_t code, const char *text, size_t length, bool must) {
    sgk_box *box = make_failure(code, length, must, false);
    if (box != NULL) memcpy(((sgk_failure *)(box + 1))->text, text, length);
    return box;
}

sgk_value sgk_value_of_text(const char *text, size_t length) {
    return (sgk_value){SGK_STRING, 0, (uintptr_t)make_data(SGK_STRING, text, length, true, true)};
}

APART sgk_value null(sgk_status status, const char *function, const char *argument, const char *reason) {
    sgk_support_fail(status, function, argument, reason);
    return sgk_null();
}

INLINE sgk_value data(sgk_kind kind, const void *source, size_t length, const char *function) {
    if (source == NULL && length != 0)
        return null(SGK_ERROR_NULL, function, "data", "must not be NULL if length is not 0");
    if (length > PTRDIFF_MAX) return null(SGK_ERROR_ARGUMENT, function, "length", "is more than an object can have");
    if (!sgk_support_has_room()) return null(SGK_ERROR_MEMORY, function, "memory", "out of memory");
    sgk_box *box = make_data(kind, source, length, false, true);
    if (box == NULL) return null(SGK_ERROR_MEMORY, function, "length", "out of memory");
    return (sgk_value){kind, 0, (uintptr_t)box};
}

sgk_value sgk_string(const char *text) {
    if (text == NULL) return null(SGK_ERROR_NULL, "sgk_string", "text", "must not be NULL");
    return data(SGK_STRING, text, strlen(text), "sgk_string");
}

sgk_value sgk_string_n(const char *text, size_t length) { return data(SGK_STRING, text, length, "sgk_string_n"); }

/* A string or an error with a formatted text. */
SGK_FORMAT(4, 0)
static sgk_value formatted(const char *function, sgk_kind kind, int32_t code, const char *format, va_list arguments) {
    if (format == NULL) return null(SGK_ERROR_NULL, function, "format", "must not be NULL");
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    size_t size = length < 0 ? 0 : (size_t)length, head = kind == SGK_FAILURE ? FAILURE_HEAD : 0;
    sgk_box *box = NULL;
    if (length >= 0 && sgk_support_has_room())
        box = kind == SGK_FAILURE ? make_failure(code, size, false, true)
                                  : make(&data_header, kind, size, size + 1, false, true);
    if (box != NULL) vsnprintf((char *)(box + 1) + head, size + 1, format, again);
    va_end(again);
    if (box != NULL) return (sgk_value){kind, 0, (uintptr_t)box};
    if (length < 0) return null(SGK_ERROR_ARGUMENT, function, "format", "cannot be converted");
    return null(SGK_ERROR_MEMORY, function, "format", "out of memory");
}

sgk_value sgk_string_f(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sgk_value value = formatted("sgk_string_f", SGK_STRING, 0, format, arguments);
    va_end(arguments);
    return value;
}

sgk_value sgk_error_f(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sgk_value value = formatted("sgk_error_f", SGK_FAILURE, code, format, arguments);
    va_end(arguments);
    return value;
}

sgk_value sgk_bytes(const void *bytes, size_t length) { return data(SGK_BYTES, bytes, length, "sgk_bytes"); }

sgk_value sgk_value_of_failure(int32_t code, const char *text, size_t length) {
    sgk_box *box = make_failure(code, length, true, true);
    memcpy(((sgk_failure *)(box + 1))->text, text, length);
    return (sgk_value){SGK_FAILURE, 0, (uintptr_t)box};
}

sgk_value sgk_support_own_error(int32_t code, const char *function, const char *reason) {
    char text[256];
    int length = snprintf(text, sizeof text, SGK_SUPPORT_NAME ": %s", SGK_SUPPORT_NAME_OF(function), reason);
    return sgk_value_of_failure(code, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

/* ---- Counting, and reading ---- */

static _Atomic(void *) immortals[3];

void sgk_support_make_immortal(void *made) {
    atomic_init(&((object *)made)->references, uncounted);
    for (size_t i = 0; i < sizeof immortals / sizeof *immortals; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&immortals[i], &none, made)) return;
    }
}

/* The shared signatures. Two threads may add the same text. */
typedef struct shared {
    struct shared *next;
    void *signature;
    char text[];
} shared;
static _Atomic(shared *) all_shared;

void sgk_support_share(const char *text, void *signature) {
    atomic_init(&((object *)signature)->references, uncounted);
    size_t size = strlen(text) + 1;
    shared *one = malloc(sizeof *one + size);
    if (one == NULL) return; /* the next call creates another one */
    one->signature = signature;
    memcpy(one->text, text, size);
    one->next = atomic_load(&all_shared);
    while (!atomic_compare_exchange_weak(&all_shared, &one->next, one)) continue;
}

void *sgk_support_shared(const char *text) {
    for (shared *one = atomic_load(&all_shared); one != NULL; one = one->next)
        if (strcmp(one->text, text) == 0) return one->signature;
    return NULL;
}

bool sgk_support_is_immortal(const void *pointer) {
    for (size_t i = 0; i < sizeof immortals / sizeof *immortals; i++) {
        if (atomic_load(&immortals[i]) == pointer) return true;
    }
    for (shared *one = atomic_load(&all_shared); one != NULL; one = one->next)
        if (one->signature == pointer) return true;
    return false;
}

INLINE sgk_value retain(sgk_value value, sgk_box *box) {
    if (box == NULL) return value;
    if (value.reserved != SGK_GIVEN) object_retain((object *)box);
    value.reserved = 0;
    return value;
}

INLINE void release(sgk_box *box) {
    if (box != NULL) swift_release((object *)box);
}

/* The same without debugging: the last release of a string frees only its memory. */
INLINE void release_quickly(sgk_box *box) {
    if (box == NULL || box->kind > SGK_BYTES || !object_is_last((object *)box)) return release(box);
    sgk_support_count(SGK_LIVE_VALUE, -1);
    free(box);
}

APART const char *no_data(size_t *length) {
    if (length != NULL) *length = 0;
    sgk_support_fail(SGK_ERROR_KIND, "sgk_value_data", "value", "must be a string or bytes");
    return NULL;
}

INLINE const char *data_of(sgk_box *box, size_t *length) {
    if (box == NULL || box->kind > SGK_BYTES) return no_data(length);
    if (length != NULL) *length = box->count;
    return (const char *)(box + 1);
}

/* With SIGNALKIT_DEBUG=1, or until the library has read it. */

APART sgk_box *box_if_alive(sgk_value value) {
    return sgk_support_is_debug() && !sgk_support_is_alive(value) ? NULL : sgk_value_box(value);
}

APART sgk_value retain_watched(sgk_value value) {
    sgk_box *box = box_if_alive(value);
    if (sgk_support_is_debug() && box != NULL && value.reserved != SGK_GIVEN) sgk_support_hand_out(value);
    return retain(value, box);
}

APART void release_watched(sgk_value value) { release(box_if_alive(value)); }

APART void give_back_watched(sgk_value value) {
    if (sgk_support_is_debug() ? sgk_support_give_back(value) : !sgk_value_is_lent(value)) release_watched(value);
}

APART const char *data_watched(sgk_value value, size_t *length) { return data_of(box_if_alive(value), length); }

/* Without. */

sgk_value sgk_value_retain(sgk_value value) {
    if (sgk_value_is_plain(value)) return value;
    return sgk_support_is_debug_off() ? retain(value, sgk_value_box(value)) : retain_watched(value);
}

void sgk_value_release(sgk_value value) {
    if (sgk_value_is_plain(value)) return;
    if (!sgk_support_is_debug_off()) give_back_watched(value);
    else if (!sgk_value_is_lent(value)) release_quickly(sgk_value_box(value));
}

sgk_value sgk_support_value_retain(sgk_value value) { return retain(value, sgk_value_box(value)); }

void sgk_support_value_release(sgk_value value) {
    if (sgk_support_is_debug_off()) release_quickly(sgk_value_box(value));
    else release_watched(value);
}

const char *sgk_value_data(sgk_value value, size_t *length) {
    return sgk_support_is_debug_off() ? data_of(sgk_value_box(value), length) : data_watched(value, length);
}

/* ---- Errors ---- */

static const sgk_failure *failure_of(sgk_value value) {
    if (value.kind != SGK_FAILURE) return NULL;
    const sgk_box *box = box_if_alive(value);
    return box != NULL ? (const sgk_failure *)(box + 1) : NULL;
}

int sgk_error_code(sgk_value error) {
    const sgk_failure *failure = failure_of(error);
    return failure != NULL ? failure->code : (int)SGK_ERROR_FAILED;
}

const char *sgk_error_text(sgk_value error) {
    const sgk_failure *failure = failure_of(error);
    if (failure != NULL) return failure->text;
    const sgk_box *box = error.kind == SGK_STRING ? box_if_alive(error) : NULL;
    return box != NULL ? (const char *)(box + 1) : sgk_kind_text((sgk_kind)error.kind);
}

sgk_value sgk_error_cause(sgk_value error) {
    const sgk_failure *failure = failure_of(error);
    return failure != NULL ? failure->cause : sgk_null();
}

/* ---- Writing ---- */

APART char *not_writable(sgk_status status, const char *argument, const char *reason) {
    sgk_support_fail(status, "sgk_value_make_writable", argument, reason);
    return NULL;
}

/* Replaces the value by a copy with space for more. */
APART char *copy_to_write(sgk_value *value, const sgk_box *box, size_t length) {
    if (length > PTRDIFF_MAX / 2) return not_writable(SGK_ERROR_ARGUMENT, "length", "is more than an object can have");
    size_t spare = length / 2 < UINT32_MAX ? length / 2 : UINT32_MAX;
    sgk_box *copy = NULL;
    if (sgk_support_has_room()) copy = make(&data_header, (sgk_kind)box->kind, length, length + spare + 1, false, true);
    if (copy == NULL) return not_writable(SGK_ERROR_MEMORY, "length", "out of memory");
    copy->depth = (uint32_t)spare;
    char *data = (char *)(copy + 1);
    memcpy(data, box + 1, length < box->count ? length : box->count);
    data[length] = 0;
    if (!sgk_value_is_lent(*value)) sgk_value_release(*value);
    sgk_value_store(value, (sgk_value){copy->kind, 0, (uintptr_t)copy});
    return data;
}

char *sgk_value_make_writable(sgk_value *value, size_t length) {
    if (value == NULL) return not_writable(SGK_ERROR_NULL, "value", "must not be NULL");
    sgk_box *box = sgk_support_is_debug_off() ? sgk_value_box(*value) : box_if_alive(*value);
    if (box == NULL || box->kind > SGK_BYTES) return not_writable(SGK_ERROR_KIND, "value", "must be a string or bytes");
    size_t space = box->count + box->depth;
    if (length > space || sgk_value_is_lent(*value) || !object_is_last((object *)box))
        return copy_to_write(value, box, length);
    box->depth = space - length < UINT32_MAX ? (uint32_t)(space - length) : UINT32_MAX;
    box->count = length;
    char *data = (char *)(box + 1);
    data[length] = 0;
    return data;
}

/* ---- Walking through arrays and errors in each other ---- */

/* A position in an array: before an item. The cause is the only item of an error. */
typedef struct {
    const sgk_box *box;
    const sgk_value *item, *end;
    const sgk_value *other; /* the item to which it is compared */
    uint64_t hash;
} level;

enum { FEW = 4 };

/* One for each box that can be inside another. An operator cannot fail here, so the reserve may be used. */
static level *make_levels(const sgk_box *box, level *few) {
    if (box->depth <= FEW) return few;
    size_t size = box->depth * sizeof(level);
    level *made = malloc(size);
    return made != NULL ? made : sgk_support_allocate_from_reserve(_Alignof(level), size);
}

static const sgk_failure *failure_in(const sgk_box *box) { return (const sgk_failure *)(box + 1); }
static const sgk_value *items(const sgk_box *box) { return (const sgk_value *)(box + 1); }
static const sgk_box *box_of(const sgk_value *item) { return (const sgk_box *)(uintptr_t)item->bits; }

/* Hashes everything but the items. */
static uint64_t hash_of_head(const sgk_box *box) {
    uint64_t hash = box->count;
    if (box->kind == SGK_ARRAY) return hash;
    const sgk_failure *failure = failure_in(box);
    for (size_t i = 0; i < box->count; i++) hash = sgk_mix(hash, (unsigned char)failure->text[i]);
    return sgk_mix(hash, (uint32_t)failure->code);
}

static bool heads_equal(const sgk_box *a, const sgk_box *b) {
    if (a->count != b->count) return false;
    if (a->kind == SGK_ARRAY) return true;
    const sgk_failure *one = failure_in(a), *other = failure_in(b);
    return one->code == other->code && memcmp(one->text, other->text, a->count) == 0;
}

static void enter(level *level, const sgk_box *box, const sgk_box *other) {
    level->box = box;
    level->item = items(box);
    level->end = level->item + (box->kind == SGK_ARRAY ? box->count : 1);
    level->other = items(other);
}

bool sgk_box_nested_equal(const sgk_box *a, const sgk_box *b) {
    level few[FEW], *bottom = make_levels(a, few), *top = bottom;
    bool equal = heads_equal(a, b);
    enter(top, a, b);
    while (equal) {
        if (top->item == top->end) {
            if (top == bottom) break;
            top--;
            continue;
        }
        const sgk_value *item = top->item++, *other = top->other++;
        if (sgk_value_is_nested(*item) && item->kind == other->kind && item->bits != other->bits) {
            a = box_of(item), b = box_of(other);
            equal = heads_equal(a, b);
            enter(++top, a, b);
        } else {
            equal = sgk_value_equal(*item, *other);
        }
    }
    if (bottom != few) free(bottom);
    return equal;
}

uint64_t sgk_box_hash_nested(const sgk_box *box) {
    level few[FEW], *bottom = make_levels(box, few), *top = bottom;
    uint64_t hash;
    enter(top, box, box);
    top->hash = hash_of_head(box);
    for (;;) {
        if (top->item == top->end) {
            hash = top->hash;
            if (top == bottom) break;
            hash = sgk_mix(top->box->kind, hash);
            top--;
        } else {
            const sgk_value *item = top->item++;
            if (sgk_value_is_nested(*item)) {
                box = box_of(item);
                enter(++top, box, box);
                top->hash = hash_of_head(box);
                continue;
            }
            hash = sgk_value_hash(*item);
        }
        top->hash = sgk_mix(top->hash, hash);
    }
    if (bottom != few) free(bottom);
    return hash;
}

/* Returns the length including the text. It writes as much of the text as fits, with a NUL at the end. */
static size_t append(char *text, size_t size, size_t length, const char *more) {
    for (; *more != 0; more++, length++)
        if (length + 1 < size) text[length] = *more;
    if (size > 0) text[length < size ? length : size - 1] = 0;
    return length;
}

/* Describes everything but the items. Only a code of the program says more than the text. */
static size_t append_head(char *text, size_t size, size_t length, const sgk_box *box) {
    if (box->kind == SGK_ARRAY) return append(text, size, length, "[");
    const sgk_failure *failure = failure_in(box);
    length = append(text, size, length, failure->text);
    if (failure->code <= 0) return length;
    char code[16];
    snprintf(code, sizeof code, " (%d)", (int)failure->code);
    return append(text, size, length, code);
}

/* Describes the border before an item. */
static size_t append_border(char *text, size_t size, size_t length, const level *level) {
    if (level->box->kind == SGK_FAILURE) return append(text, size, length, ", caused by ");
    return level->item != items(level->box) ? append(text, size, length, ", ") : length;
}

size_t sgk_box_describe_nested(const sgk_box *box, char *text, size_t size) {
    level few[FEW], *bottom = make_levels(box, few), *top = bottom;
    size_t length = append_head(text, size, 0, box);
    enter(top, box, box);
    for (;;) {
        bool is_error = top->box->kind == SGK_FAILURE;
        if (top->item == top->end || (is_error && top->item->kind == SGK_NULL)) {
            if (!is_error) length = append(text, size, length, "]");
            if (top == bottom) break;
            top--;
            continue;
        }
        length = append_border(text, size, length, top);
        const sgk_value *item = top->item++;
        if (sgk_value_is_nested(*item)) {
            box = box_of(item);
            length = append_head(text, size, length, box);
            enter(++top, box, box);
        } else {
            size_t room = length < size ? size - length : 0;
            length += sgk_value_describe(*item, room > 0 ? text + length : NULL, room);
        }
    }
    if (bottom != few) free(bottom);
    return length;
}
