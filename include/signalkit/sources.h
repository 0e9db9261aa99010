/** @file
 * Sources: of items that are there, of items that are asked for one by one, of time, of a resource. (Single values are
 * in signal.h; what is fed from outside are pipes and promises.)
 * @since 1.0
 */
#ifndef SIGNALKIT_SOURCES_H
#define SIGNALKIT_SOURCES_H

#include "queue.h"
#include "signal.h"

SGK_BEGIN

/** Emits the `count` values that `items` points to, inside each start, in order, as long as somebody listens, and
 * completes. They are retained, also those that are marked by sgk_give: these are taken over in any case. `items` may
 * be NULL if there are none. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_from_array(const sgk_value *items, size_t count);

/** Stores the next item in `*item` (null before) and returns true; false when there are no more, or, with
 * sgk_failed(error) in `*item`, to fail. What is stored becomes the library's in any case. */
typedef bool (*sgk_iterator_fn)(void *context, sgk_value *item);

/** Emits what `next(context, item)` stores, inside the start, on the starting thread, as long as somebody listens;
 * completes or fails when it says so. It is not asked for an item that nobody wants. All runs have the same `context`:
 * where each is to begin anew, make the signal inside of sgk_signal_deferred. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_from_iterator(sgk_iterator_fn next, void *context, sgk_destroy_fn destroy);

/** Emits `count` ints (0 or more), beginning with `first`, each greater by one, inside each start, as long as somebody
 * listens, and completes. The last must be an int64_t as well. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_range(int64_t first, int64_t count);

/** Emits the ints 0, 1, 2 … on `queue`: n at (n + 1) * `seconds` after the start by the queue's clock, whatever time
 * the deliveries take. What falls due while a number is being delivered is skipped, as the next number tells. Never
 * ends. `seconds` must be more than 0 and finite; less than a microsecond is taken for one. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_interval(double seconds, sgk_queue *queue);

/** Emits the int 0 on `queue`, `seconds` after the start by the queue's clock, and completes. `seconds` must be 0 or
 * more; infinity is never. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_timer(double seconds, sgk_queue *queue);

/** Makes the resource of a run, on the starting thread. */
typedef void *(*sgk_acquire_fn)(void *context);
/** Returns the signal that uses a resource (see sgk_map_to_signal_fn). */
typedef sgk_signal *(*sgk_use_fn)(void *context, void *resource);

/** For each start makes a resource, by `acquire(context)`, and behaves as the signal that `use(context, resource)`
 * returns. `release(resource)` is called once for each, when the run is torn down, by an end or by disposal: after
 * what uses it has been disposed. Where neither can come any more, as what uses it has gone silent and nobody holds the
 * run, it is called then. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_using(
    sgk_acquire_fn acquire, sgk_use_fn use, sgk_destroy_fn release, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
