#include "common.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Processes ---- */

static uint32_t process; /* changed where there is one thread */

uint32_t companion_process(void) { return process; }

/* The objects that are ending, and whether a thread waits for them; protected by the lock. */
static struct ending {
    pthread_mutex_t lock;
    pthread_cond_t over;
    int64_t count;
    bool is_awaited;
} ending = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false};

static void in_the_child(void) {
    process++;
    ending = (struct ending){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false};
}
__attribute__((constructor)) static void hear_of_children(void) { pthread_atfork(NULL, NULL, in_the_child); }

/* ---- Handles ---- */

void *companion_create(const companion_kind *kind, size_t size) {
    companion_object *object = calloc(1, size);
    if (!object) return NULL;
    object->kind = kind;
    object->process = process;
    atomic_init(&object->references, 1);
    return object;
}

void *companion_retain(void *object) {
    atomic_fetch_add_explicit(&((companion_object *)object)->references, 1, memory_order_relaxed);
    return object;
}

void companion_release(void *object) {
    companion_object *self = object;
    if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) != 1) return;
    if (companion_is_here(self)) self->kind->destroy(self);
}

bool companion_needs(const void *handle, const companion_kind *kind, const char *function, const char *argument) {
    if (!handle) return companion_failed(SGK_ERROR_NULL, function, argument, "must not be NULL"), false;
    if (((const companion_object *)handle)->kind == kind) return true;
    char reason[64];
    snprintf(reason, sizeof reason, "must be a %s", kind->name);
    return companion_failed(SGK_ERROR_HANDLE, function, argument, reason), false;
}

/* All fields end where a word does, and none of these structs will ever be so large. */
static bool is_size(size_t size) { return size >= sizeof size && size <= 4096 && size % sizeof size == 0; }

bool companion_copy_struct(void *known, size_t size, const void *given) {
    size_t its = *(const size_t *)given;
    if (!is_size(its)) return false;
    for (size_t i = size; i < its; i++)
        if (((const char *)given)[i] != 0) return false;
    memcpy(known, given, its < size ? its : size);
    return true;
}

sgk_status companion_may_count(
    const void *handle, const companion_kind *kind, const char *function, const char *argument, const void *counts) {
    if (!companion_needs(handle, kind, function, argument)) return handle ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
    if (!counts) return companion_failed(SGK_ERROR_NULL, function, "counts", "must not be NULL");
    if (is_size(*(const size_t *)counts)) return SGK_OK;
    return companion_failed(SGK_ERROR_ARGUMENT, function, "counts", "unknown struct size; use the _INIT macro");
}

sgk_status companion_count(void *counts, const void *known, size_t size) {
    size_t its = *(const size_t *)counts, begin = sizeof its;
    memset((char *)counts + begin, 0, its - begin);
    memcpy((char *)counts + begin, (const char *)known + begin, (its < size ? its : size) - begin);
    return SGK_OK;
}

static size_t describe(void *object, char *text, size_t size) {
    return (size_t)snprintf(text, size, "%s", ((const companion_object *)object)->kind->name);
}

/* The objects of this companion. Each companion has its own type. */
static const sgk_object_type type = {
    .size = sizeof type, .name = "companion object", .release = companion_release, .describe = describe};

sgk_value companion_value(void *object) {
    sgk_value value = sgk_object(object, &type);
    if (sgk_value_kind(value) == SGK_NULL) companion_release(object);
    return value;
}

void *companion_of(sgk_value value, const companion_kind *kind, const char *function, const char *argument) {
    companion_object *object = sgk_value_kind(value) == SGK_OBJECT ? sgk_to_object(value, &type) : NULL;
    if (object && object->kind == kind) return object;
    char reason[64];
    snprintf(reason, sizeof reason, "must be a %s", kind->name);
    return companion_failed(SGK_ERROR_KIND, function, argument, reason), NULL;
}

/* ---- Mistakes and errors ---- */

static _Thread_local char last_error[256];

sgk_status companion_failed(sgk_status status, const char *function, const char *argument, const char *reason) {
    snprintf(last_error, sizeof last_error, "%s: %s: %s", function, argument, reason);
    return status;
}

const char *companion_last_error(void) { return last_error; }

sgk_value companion_error(int code, const char *function, const char *text, sgk_value cause) {
    sgk_value whole = sgk_string_f("%s: %s", function, text);
    sgk_value error = sgk_error_from(code, sgk_to_text(whole), cause);
    sgk_value_release(whole);
    return error;
}

sgk_status companion_payload(sgk_value value, const char *function, const void **data, size_t *length) {
    sgk_kind kind = sgk_value_kind(value);
    if (kind != SGK_STRING && kind != SGK_BYTES)
        return companion_failed(SGK_ERROR_KIND, function, "payload", "must be a string or bytes");
    *data = sgk_value_data(value, length);
    return SGK_OK;
}

/* ---- Memory ---- */

char *companion_copy(const char *text, bool *failed) {
    char *copy = text ? strdup(text) : NULL;
    *failed = *failed || !copy != !text;
    return copy;
}

void *companion_with_room(void *array, size_t count, size_t *room, size_t size) {
    if (count < *room) return array;
    size_t larger = *room ? *room * 2 : 16;
    void *moved = realloc(array, larger * size);
    if (moved) *room = larger;
    return moved;
}

/* ---- Threads ---- */

void companion_later(sgk_work_fn work, void *context) {
    sgk_queue *queue = sgk_queue_concurrent_default();
    /* If the system cannot create a thread, the object leaks. */
    sgk_queue_dispatch(queue, work, context, NULL);
    sgk_queue_release(queue);
}

static void wait_for_ends(void *context) {
    (void)context;
    pthread_mutex_lock(&ending.lock);
    while (ending.count > 0) pthread_cond_wait(&ending.over, &ending.lock);
    ending.is_awaited = false;
    pthread_mutex_unlock(&ending.lock);
}
void companion_ends(void) {
    pthread_mutex_lock(&ending.lock);
    ending.count++;
    bool is_first = !ending.is_awaited;
    ending.is_awaited = true;
    pthread_mutex_unlock(&ending.lock);
    if (is_first) companion_later(wait_for_ends, NULL);
}
void companion_has_ended(void) {
    pthread_mutex_lock(&ending.lock);
    if (--ending.count <= 0) pthread_cond_broadcast(&ending.over);
    pthread_mutex_unlock(&ending.lock);
}
