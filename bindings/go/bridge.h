// Functions that Go cannot express: contexts and objects, which are numbers here, as pointers.
#ifndef SIGNALKIT_GO_BRIDGE_H
#define SIGNALKIT_GO_BRIDGE_H

#include <stdlib.h>

#include "entries.h"

// Returns a value for a Go object, which its number identifies.
sgk_value go_object_value(uintptr_t number);
uintptr_t go_object_number(sgk_value value);

// The objects that were released during a call. Go forgets them afterwards, which is faster than a callback for each.
enum { GO_RELEASED = 8 };
typedef struct go_sent {
    sgk_status status;
    int count;
    uintptr_t released[GO_RELEASED];
} go_sent;
// Sends an object into a pipe or to a subscriber.
go_sent go_pipe_next_object(void *pipe, uintptr_t number);
go_sent go_subscriber_next_object(void *subscriber, uintptr_t number);
// Send another value. (Go allocates memory to check a pointer to a struct that it does not know, but not for a void *.)
static inline sgk_status go_pipe_next(void *pipe, sgk_value value) { return sgk_pipe_next(pipe, sgk_give(value)); }
static inline sgk_status go_subscriber_next(void *subscriber, sgk_value value) {
    return sgk_subscriber_next(subscriber, sgk_give(value));
}

// Starts a signal with those functions of a receiver that it has.
static inline sgk_disposable *go_start(
    sgk_signal *signal, uintptr_t context, bool next, bool error, bool completed, bool started, bool waitable) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = (void *)context;
    handlers.destroy = go_destroy;
    if (next) handlers.receive = go_receive;
    if (error) handlers.error = go_failing;
    if (completed) handlers.completed = go_completing;
    if (started) handlers.started = go_started;
    return waitable ? sgk_signal_start_waitable(signal, &handlers) : sgk_signal_start(signal, &handlers);
}

// A queue whose work runs where a receiver's function puts it.
sgk_queue *go_queue(uintptr_t context);
static inline void go_work_run(sgk_work_fn work, uintptr_t context) { work((void *)context); }
static inline void go_work_destroy(sgk_destroy_fn destroy, uintptr_t context) { destroy((void *)context); }

// An object of one queue: that is Go's own, and no business of the library's.
sgk_queue_local *go_queue_local(uintptr_t context, sgk_queue *queue);
sgk_status go_queue_local_with(sgk_queue_local *local, uintptr_t context);
sgk_status go_queue_local_sync_with(sgk_queue_local *local, uintptr_t context);
sgk_signal *go_queue_local_signal_with(sgk_queue_local *local, uintptr_t context);

#endif
