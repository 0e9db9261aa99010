/* What every companion is made of: counted handles, objects that travel as values, mistakes, errors, and a way off the
 * threads of the client's library. Compiled into each, and seen by nobody else.
 *
 * A hand-over of values with a bound needs nothing here: what a companion emits goes through
 * sgk_signal_deliver_on_bounded, which has the policies and the counter. */
#ifndef COMPANION_COMMON_H
#define COMPANION_COMMON_H

#include <signalkit.h>
#include <stdatomic.h>

/* ---- Handles ---- */

/* What a companion's objects begin with. Their kind tells them from any other handle. */
typedef struct companion_kind {
    const char *name;
    void (*destroy)(void *object); /* Called when the last reference goes, on any thread: the client's, too. */
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

/* Tells a process from the one that it was forked from. The child has neither the threads of its parent's clients, nor
 * sockets of its own for them: what was made before is left as it is there, and only the program's references go. */
uint32_t companion_process(void);
static inline bool companion_is_here(const void *object) {
    return ((const companion_object *)object)->process == companion_process();
}

/* Whether `handle` is what the function needs as its `argument`; if not, the mistake is recorded. */
bool companion_needs(const void *handle, const companion_kind *kind, const char *function, const char *argument);

/* Copies a struct that begins with its size over `known`, of `size` bytes: one of an older program is shorter, and the
 * rest stays as it was; one of a newer program is longer, and is taken if that is zero. */
bool companion_copy_struct(void *known, size_t size, const void *given);

/* Whether the counts of what `handle` stands for may be put at `counts`. */
sgk_status companion_may_count(
    const void *handle, const companion_kind *kind, const char *function, const char *argument, const void *counts);

/* Puts them there: those that the program knows; and zero for those that are not known here. */
sgk_status companion_count(void *counts, const void *known, size_t size);

/* The functions that SGK_HANDLE declares. */
#define COMPANION_HANDLE(type, kind)                                                           \
    type *type##_retain(type *handle) {                                                        \
        if (handle && companion_needs(handle, kind, __func__, "handle")) companion_retain(handle); \
        return handle;                                                                         \
    }                                                                                          \
    void type##_release(type *handle) {                                                        \
        if (handle && companion_needs(handle, kind, __func__, "handle")) companion_release(handle); \
    }

/* An object as a value, which takes over the reference, also when there is no memory: null. */
sgk_value companion_value(void *object);

/* The object of such a value, borrowed; of any other value NULL, and the mistake is recorded. */
void *companion_of(sgk_value value, const companion_kind *kind, const char *function, const char *argument);

/* ---- Mistakes and errors ---- */

/* Records the mistake for this thread, and returns `status`. */
sgk_status companion_failed(sgk_status status, const char *function, const char *argument, const char *reason);

/* The same, for a function that then returns nothing of what it makes. */
static inline void *companion_refused(
    sgk_status status, const char *function, const char *argument, const char *reason) {
    return companion_failed(status, function, argument, reason), NULL;
}

/* What was recorded last on this thread, as "function: argument: reason"; "" when nothing has been. */
const char *companion_last_error(void);

/* What a run fails with: an array of the client's number of the error, and a text. */
sgk_value companion_error(int64_t number, const char *text);

/* The data of a string or of bytes; SGK_ERROR_KIND, recorded, for any other value. */
sgk_status companion_payload(sgk_value value, const char *function, const void **data, size_t *length);

/* To be called last with a value that was an argument: it is let go if the caller has given it away. */
static inline void companion_done_with(sgk_value value) {
    if (value.reserved == SGK_GIVEN) sgk_value_release(value);
}

/* ---- Memory ---- */

/* A copy; NULL of NULL. `failed` becomes true when there is no memory for it. */
char *companion_copy(const char *text, bool *failed);

/* The array, with room for one more of this size; NULL when there is no memory, and then it is as it was. */
void *companion_with_room(void *array, size_t count, size_t *room, size_t size);

/* ---- Threads ---- */

/* Runs `work(context)` soon, on a thread of SignalKit's: what must not be done inside a callback of the client's
 * library, as to tear down what has called. sgk_drain waits for it. */
void companion_later(sgk_work_fn work, void *context);

/* Something begins to end, on a thread of the client's library, which says so in the end: sgk_drain waits for that. */
void companion_ends(void);
void companion_has_ended(void);

#endif
