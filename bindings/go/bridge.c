#include "bridge.h"

#include "_cgo_export.h"

// ---- Objects ----

// The objects that this thread has released since its first call of those that are active. (A goroutine that ends inside
// a call leaves them to the next one. So they are not on the stack.)
static _Thread_local go_sent collected;
static _Thread_local bool collects;

static void let_go(void *object) {
    if (collects && collected.count < GO_RELEASED) {
        collected.released[collected.count++] = (uintptr_t)object;
    } else {
        goObjectRelease((uintptr_t)object);
    }
}
static bool equal(void *a, void *b) { return goObjectEqual((uintptr_t)a, (uintptr_t)b); }
static uint64_t hash(void *object) { return goObjectHash((uintptr_t)object); }
static size_t describe(void *object, char *text, size_t size) {
    return goObjectDescribe((uintptr_t)object, text, size);
}

static const sgk_object_type type = {
    .size = sizeof type, .name = "Go", .release = let_go, .equal = equal, .hash = hash, .describe = describe};

sgk_value go_object_value(uintptr_t number) { return sgk_object((void *)number, &type); }
static bool begin(void) {
    bool inside = collects;
    collects = true;
    return inside;
}
static go_sent end(bool inside, sgk_status status) {
    go_sent sent = collected;
    sent.status = status;
    collected.count = 0;
    collects = inside;
    return sent;
}
go_sent go_pipe_next_object(void *pipe, uintptr_t number) {
    bool inside = begin();
    return end(inside, sgk_pipe_next(pipe, sgk_give(go_object_value(number))));
}
go_sent go_subscriber_next_object(void *subscriber, uintptr_t number) {
    bool inside = begin();
    return end(inside, sgk_subscriber_next(subscriber, sgk_give(go_object_value(number))));
}

sgk_value go_numbered(sgk_value value) {
    void *number = value.kind == SGK_OBJECT ? sgk_to_object(value, &type) : NULL;
    if (number == NULL) return value;
    sgk_value numbered = {SGK_OBJECT, GO_NUMBERED, (uintptr_t)number};
    return numbered;
}
uintptr_t go_object_number(sgk_value value) { return (uintptr_t)sgk_to_object(value, &type); }

// ---- Queues on a loop of Go's ----

static sgk_status async(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    return goQueueAsync((uintptr_t)context, work, (uintptr_t)work_context, destroy);
}

sgk_queue *go_queue(uintptr_t context) {
    sgk_queue_table table = {.size = sizeof table, .dispatch = async, .release = go_destroy};
    return sgk_queue_create_custom(&table, (void *)context);
}

// ---- Objects of one queue ----

static void *make(void *context) {
    go_work(context);
    return context;
}
static void use(void *context, void *object) {
    (void)object;
    go_work(context);
}
static sgk_disposable *generate(void *context, void *object, sgk_subscriber *subscriber) {
    (void)object;
    return go_generator(context, subscriber);
}

sgk_queue_local *go_queue_local(uintptr_t context, sgk_queue *queue) {
    return sgk_queue_local_create(make, NULL, (void *)context, go_destroy, queue);
}
sgk_status go_queue_local_with(sgk_queue_local *local, uintptr_t context) {
    return sgk_queue_local_with(local, use, (void *)context, go_destroy);
}
sgk_status go_queue_local_sync_with(sgk_queue_local *local, uintptr_t context) {
    return sgk_queue_local_sync_with(local, use, (void *)context);
}
sgk_signal *go_queue_local_signal_with(sgk_queue_local *local, uintptr_t context) {
    return sgk_queue_local_signal_with(local, generate, (void *)context, go_destroy);
}
