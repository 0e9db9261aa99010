/** @file
 * Objects that are used on one queue only.
 *
 * Include this header by name: signalkit.h does not include it.
 * @since 1.0
 */
#ifndef SIGNALKIT_QUEUE_LOCAL_H
#define SIGNALKIT_QUEUE_LOCAL_H

#include "signal.h"

SGK_BEGIN

/** An object that is created, used and destroyed on one serial queue. (QueueLocalObject in Swift.)
 *
 * Thread: the handle may be used on any thread. When its last reference is released, the object is destroyed on the
 * queue.
 */
SGK_HANDLE(sgk_queue_local)

/** Creates the object. */
typedef void *(*sgk_make_object_fn)(void *context);

/** Uses the object. */
typedef void (*sgk_use_object_fn)(void *context, void *object);

/** A sgk_generator_fn that also receives the object. */
typedef sgk_disposable *(*sgk_object_generator_fn)(void *context, void *object, sgk_subscriber *subscriber);

/** Creates an object on a queue by `generate(context)`.
 *
 * `destroy` runs when the object has been created.
 *
 * @param drop   Called as `drop(object)` on the queue to destroy the object. May be NULL.
 * @param queue  A serial queue. If it is current, `generate` is called inline.
 */
SGK_API SGK_OWNED sgk_queue_local *sgk_queue_local_create(
    sgk_make_object_fn generate, sgk_destroy_fn drop, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Returns the object.
 *
 * @return  NULL before the object has been created, or if the queue is not current (SGK_ERROR_THREAD).
 */
SGK_API void *sgk_queue_local_unsafe_get(sgk_queue_local *local);

/** Calls `use(context, object)` on the queue: inline if the queue is current, otherwise later. */
SGK_API sgk_status sgk_queue_local_with(
    sgk_queue_local *local, sgk_use_object_fn use, void *context, sgk_destroy_fn destroy);

/** Calls `use(context, object)` on the queue and waits for it. The call is inline if the queue is current.
 *
 * @return  As sgk_queue_sync returns. After an error `use` is not called.
 */
SGK_API sgk_status sgk_queue_local_sync_with(sgk_queue_local *local, sgk_use_object_fn use, void *context);

/** Creates a signal that calls `generator(context, object, subscriber)` on the queue for each start.
 *
 * The call is inline if the queue is current, otherwise later. If the subscription is disposed or the handle is
 * destroyed before, `generator` is not called, and the subscription receives no event.
 *
 * Ownership: the signal does not retain the handle.
 */
SGK_API SGK_OWNED sgk_signal *sgk_queue_local_signal_with(
    sgk_queue_local *local, sgk_object_generator_fn generator, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
