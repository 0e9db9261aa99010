/* Shared code of the companions: counted handles, objects in values, error reports, and work outside the threads of the
 * client library. Each companion contains a private copy.
 *
 * Bounded delivery needs no code here: programs use sgk_signal_deliver_on_bounded, which has the policies and the
 * counter. */
#ifndef COMPANION_COMMON_H
#define COMPANION_COMMON_H

#include <signalkit.h>
#include <stdatomic.h>

/* ---- Handles ---- */

/* The kind of a companion's object, which every object starts with, identifies its handles. */
typedef struct companion_kind {
    const char *name;
    void (*destroy)(void *object); /* Called after the last release, on any thread, also the client's. */
} companion_kind;

typedef struct companion_object {
    const companion_kind *kind;
    atomic_size_t references;
    uint32_t process; /* that it was made in */
} companion_object;

/* Memory for an object of `size` bytes, zeroed, with one reference; NULL when there is none. */
void *companion_create(const companion_kind *kind, size_t size);
void *companion_retain(void *object);
void companion_release(void *object);

/* Returns a number that differs between a process and its forked child. The child has neither the threads nor private
 * sockets of its parent's clients. So the child leaves older objects unchanged, and only drops the program's
 * references. */
uint32_t companion_process(void);
static inline bool companion_is_here(const void *object) {
    return ((const companion_object *)object)->process == companion_process();
}

/* Whether `handle` is what the function needs as its `argument`; if not, the mistake is recorded. */
bool companion_needs(const void *handle, const companion_kind *kind, const char *function, const char *argument);

/* Copies a struct that begins with its size over `known`, of `size` bytes: one of an older program is shorter, and the
 * rest stays as it was; one of a newer program is longer, and is taken if that is zero. */
bool companion_copy_struct(void *known, size_t size, const void *given);

/* Checks the handle and the struct of a function that returns statistics. */
sgk_status companion_may_count(
    const void *handle, const companion_kind *kind, const char *function, const char *argument, const void *counts);

/* Copies the statistics that the program knows, and writes zero for fields that this library does not know. */
sgk_status companion_count(void *counts, const void *known, size_t size);

/* The functions that SGK_COMPANION_HANDLE declares. */
#define COMPANION_HANDLE(type, kind) \
    type *type##_retain(type *handle) { \
        if (handle && companion_needs(handle, kind, __func__, "handle")) companion_retain(handle); \
        return handle; \
    } \
    void type##_release(type *handle) { \
        if (handle && companion_needs(handle, kind, __func__, "handle")) companion_release(handle); \
    }

/* An object as a value, which takes over the reference, also when there is no memory: null. */
sgk_value companion_value(void *object);

/* The object of such a value, borrowed; of any other value NULL, and the mistake is recorded. */
void *companion_of(sgk_value value, const companion_kind *kind, const char *function, const char *argument);

/* ---- Mistakes and errors ---- */

/* Records the mistake for this thread, and returns `status`. */
sgk_status companion_failed(sgk_status status, const char *function, const char *argument, const char *reason);

/* The same, for a function that returns an object. */
static inline void *companion_refused(
    sgk_status status, const char *function, const char *argument, const char *reason) {
    return companion_failed(status, function, argument, reason), NULL;
}

/* Returns the last error of this thread, as "function: argument: reason"; "" if there was none. */
const char *companion_last_error(void);

/* Returns the error of a subscription, whose text is "function: text". The cause is borrowed, and may be null. */
sgk_value companion_error(int code, const char *function, const char *text, sgk_value cause);

/* The data of a string or of bytes; SGK_ERROR_KIND, recorded, for any other value. */
sgk_status companion_payload(sgk_value value, const char *function, const void **data, size_t *length);

/* Call this last with each value argument: it releases the value if the caller transferred it. */
static inline void companion_done_with(sgk_value value) {
    if (value.reserved == SGK_GIVEN) sgk_value_release(value);
}

/* ---- Memory ---- */

/* A copy; NULL of NULL. `failed` becomes true when there is no memory for it. */
char *companion_copy(const char *text, bool *failed);

/* Returns the array with capacity for one more item of this size. NULL: no memory, and the array is unchanged. */
void *companion_with_room(void *array, size_t count, size_t *room, size_t size);

/* ---- Threads ---- */

/* Runs `work(context)` later on a thread of SignalKit. Use it for work that is not allowed inside a callback of the
 * client library, such as destroying the caller. sgk_drain waits for it. */
void companion_later(sgk_work_fn work, void *context);

/* Something begins to end, on a thread of the client's library, which says so in the end: sgk_drain waits for that. */
void companion_ends(void);
void companion_has_ended(void);

#endif
