/* Values with a count, as far as Swift has no part in it: what is read of their boxes, and how often they are counted.
 * (Through a reference of Swift's each look would count up and down.) */
#include "SignalKitValues.h"

#include "objects.h"
#include "signalkit.h"

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
#define APART static __attribute__((noinline)) /* what comes about seldom: the rest needs no frame for it */

/* ---- Making ---- */

/* How a new box begins: with its class, and a count of one. */
typedef struct {
    _Atomic uintptr_t words[2];
} header;

static header data_header, array_header;

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

sgk_value sgk_value_of_text(const char *text, size_t length) {
    return (sgk_value){SGK_STRING, 0, (uintptr_t)make_data(SGK_STRING, text, length, true, true)};
}

APART sgk_value null(sgk_status status, const char *function, const char *argument, const char *reason) {
    sgk_support_fail(status, function, argument, reason);
    return sgk_null();
}

INLINE sgk_value data(sgk_kind kind, const void *source, size_t length, const char *function) {
    if (source == NULL && length != 0)
        return null(SGK_ERROR_NULL, function, "data", "is NULL although there is a length");
    if (length > PTRDIFF_MAX) return null(SGK_ERROR_ARGUMENT, function, "length", "is more than an object can have");
    if (!sgk_support_has_room()) return null(SGK_ERROR_MEMORY, function, "memory", "there is none left");
    sgk_box *box = make_data(kind, source, length, false, true);
    if (box == NULL) return null(SGK_ERROR_MEMORY, function, "length", "there is not so much memory");
    return (sgk_value){kind, 0, (uintptr_t)box};
}

sgk_value sgk_string(const char *text) {
    if (text == NULL) return null(SGK_ERROR_NULL, "sgk_string", "text", "is NULL");
    return data(SGK_STRING, text, strlen(text), "sgk_string");
}

sgk_value sgk_string_n(const char *text, size_t length) { return data(SGK_STRING, text, length, "sgk_string_n"); }
sgk_value sgk_bytes(const void *bytes, size_t length) { return data(SGK_BYTES, bytes, length, "sgk_bytes"); }

/* ---- Counting, and reading ---- */

INLINE sgk_value retain(sgk_value value, sgk_box *box) {
    if (box == NULL) return value;
    if (value.reserved != SGK_GIVEN) object_retain((object *)box);
    value.reserved = 0;
    return value;
}

INLINE void release(sgk_box *box) {
    if (box != NULL) swift_release((object *)box);
}

/* The same where nobody watches: with the last reference to a string nothing goes but its memory. */
INLINE void release_quickly(sgk_box *box) {
    if (box == NULL || box->kind > SGK_BYTES || !object_is_last((object *)box)) return release(box);
    sgk_support_count(SGK_LIVE_VALUE, -1);
    free(box);
}

APART const char *no_data(size_t *length) {
    if (length != NULL) *length = 0;
    sgk_support_fail(SGK_ERROR_KIND, "sgk_value_data", "value", "is neither string nor bytes");
    return NULL;
}

INLINE const char *data_of(sgk_box *box, size_t *length) {
    if (box == NULL || box->kind > SGK_BYTES) return no_data(length);
    if (length != NULL) *length = box->count;
    return (const char *)(box + 1);
}

/* With SIGNALKIT_DEBUG=1, or as long as nobody knows. */

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
    if (!sgk_support_is_debug() || sgk_support_give_back(value)) release_watched(value);
}

APART const char *data_watched(sgk_value value, size_t *length) { return data_of(box_if_alive(value), length); }

/* Without. */

sgk_value sgk_value_retain(sgk_value value) {
    if (sgk_value_is_plain(value)) return value;
    return sgk_support_is_debug_off() ? retain(value, sgk_value_box(value)) : retain_watched(value);
}

void sgk_value_release(sgk_value value) {
    if (sgk_value_is_plain(value)) return;
    if (sgk_support_is_debug_off()) release_quickly(sgk_value_box(value));
    else give_back_watched(value);
}

void sgk_support_value_release(sgk_value value) {
    if (sgk_support_is_debug_off()) release_quickly(sgk_value_box(value));
    else release_watched(value);
}

const char *sgk_value_data(sgk_value value, size_t *length) {
    return sgk_support_is_debug_off() ? data_of(sgk_value_box(value), length) : data_watched(value, length);
}
