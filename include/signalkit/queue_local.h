/** @file
 * Objects that live on one queue.
 * @since 1.0
 */
#ifndef SIGNALKIT_QUEUE_LOCAL_H
#define SIGNALKIT_QUEUE_LOCAL_H

#include "signal.h"

SGK_BEGIN

/** An object that is made, used and let go on one serial queue only; the handle may be used from any thread. (Swift's
 * QueueLocalObject.) When the last reference goes, the object is let go on the queue. */
SGK_HANDLE(sgk_queue_local)

/** Makes the object. */
typedef void *(*sgk_make_object_fn)(void *context);

/** Uses the object. */
typedef void (*sgk_use_object_fn)(void *context, void *object);

/** As sgk_generator_fn, with the object. */
typedef sgk_disposable *(*sgk_object_generator_fn)(void *context, void *object, sgk_subscriber *subscriber);

/** The object is made by `generate(context)` on `queue`, inline when that is current, and let go by `drop(object)` (may
 * be NULL) there. `destroy` runs when the object has been made. A concurrent queue is an error. */
SGK_API SGK_OWNED sgk_queue_local *sgk_queue_local_create(
    sgk_make_object_fn generate, sgk_destroy_fn drop, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** The object, or NULL before it was made. Only on the queue: elsewhere NULL, with an error. */
SGK_API void *sgk_queue_local_unsafe_get(sgk_queue_local *local);

/** Calls `use(context, object)` on the queue: inline when it is current, otherwise later. */
SGK_API sgk_status sgk_queue_local_with(
    sgk_queue_local *local, sgk_use_object_fn use, void *context, sgk_destroy_fn destroy);

/** Calls `use(context, object)` on the queue and returns after it; inline when the queue is current. On a thread pool
 * that was shut down: SGK_ERROR_ENDED, and nothing runs. */
SGK_API sgk_status sgk_queue_local_sync_with(sgk_queue_local *local, sgk_use_object_fn use, void *context);

/** A signal whose `generator` is called with the object on the queue: inline when that is current. If the run is
 * disposed before its turn, or the handle is gone by then, it is not called, and the run stays silent. The signal does
 * not keep the handle. */
SGK_API SGK_OWNED sgk_signal *sgk_queue_local_signal_with(
    sgk_queue_local *local, sgk_object_generator_fn generator, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
