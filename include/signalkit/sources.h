/** @file
 * Sources: arrays, iterators, ranges, timers, and resources. signal.h has single values; pipes and promises emit values
 * from outside.
 * @since 1.0
 */
#ifndef SIGNALKIT_SOURCES_H
#define SIGNALKIT_SOURCES_H

#include "queue.h"
#include "signal.h"

SGK_BEGIN

/** Creates a signal that emits the values of an array and completes, during each start.
 *
 * It stops when the subscription is no longer active.
 *
 * @param items  The `count` values. May be NULL if `count` is 0.
 *
 * Ownership: the values are retained. Values marked by sgk_give are transferred, even if the call fails.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_from_array(const sgk_value *items, size_t count);

/** Stores the next item in `*item`, which is null before, and returns true.
 *
 * It returns false at the end. If it also stores sgk_failed(error) in `*item`, the subscription fails.
 *
 * Ownership: the stored value becomes the library's, whatever the result is, unless it is borrowed (SGK_LENT).
 */
typedef bool (*sgk_iterator_fn)(void *context, sgk_value *item);

/** Creates a signal that emits the items that `next(context, item)` stores, during the start.
 *
 * It completes or fails when `next` returns false. It does not call `next` when the subscription is no longer active.
 *
 * All subscriptions share one `context`. If each of them must begin with the first item, create the signal inside
 * sgk_signal_deferred.
 *
 * Thread: `next` is called on the starting thread.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_from_iterator(sgk_iterator_fn next, void *context, sgk_destroy_fn destroy);

/** What a function of sgk_signal_from_loop emits into. It is valid inside the call that receives it, on its thread. */
typedef struct sgk_loop {
    /** A word of the library's, which any thread may change. */
    const uint32_t *state;
    /** The function returns if `*state` has one of these bits. */
    uint32_t stops;
    /** The subscription has ended if `*state` has one of these bits. */
    uint32_t ends;
    /** The library's. */
    void *source;
} sgk_loop;

/** Returns whether the function may emit its next value: the subscription is active, and no stage asks for a pause. */
static inline bool sgk_loop_goes_on(const sgk_loop *loop) {
    return (__atomic_load_n(loop->state, __ATOMIC_RELAXED) & loop->stops) == 0;
}

/** Returns whether the subscription is active. Check it after a wait. */
static inline bool sgk_loop_is_active(const sgk_loop *loop) {
    return (__atomic_load_n(loop->state, __ATOMIC_RELAXED) & loop->ends) == 0;
}

/** Emits a value in the loop. After the end it has no effect. Values after a pause exceed the limit.
 *
 * @param value  Any value.
 *
 * Ownership: the value is retained. A value marked by sgk_give is transferred, even if the call fails.
 *
 * @return  SGK_OK; SGK_ERROR_ENDED if the subscription has ended.
 */
SGK_API sgk_status sgk_loop_next(const sgk_loop *loop, sgk_value value);

/** Emits values by sgk_loop_next as long as sgk_loop_goes_on is true, and returns true if it has more values.
 *
 * It returns false at the end. If it also stores sgk_failed(error) in `*end`, the subscription fails.
 */
typedef bool (*sgk_emit_fn)(void *context, const sgk_loop *loop, sgk_value *end);

/** Creates a signal that emits what `emit(context, loop, end)` emits, during the start.
 *
 * It calls `emit` again as long as that returns true, but not during a pause. It completes or fails when `emit` returns
 * false. It is faster than sgk_signal_from_iterator if few of many items are emitted, or if a call from C is expensive.
 *
 * All subscriptions share one `context`. If each of them must begin with the first value, create the signal inside
 * sgk_signal_deferred.
 *
 * Thread: `emit` is called on the starting thread, and after a pause on the serial queue whose work has started the
 * signal, or on a thread of the library.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_from_loop(sgk_emit_fn emit, void *context, sgk_destroy_fn destroy);

/** Creates a signal that emits consecutive ints and completes, during each start.
 *
 * It stops when the subscription is no longer active.
 *
 * @param first  The first int.
 * @param count  0 or more. The last int must not exceed the range of int64_t.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_range(int64_t first, int64_t count);

/** Creates a signal that emits the ints 0, 1, 2 … on `queue` at regular times, and never completes.
 *
 * It emits n at (n + 1) * `seconds` after the start, however long a delivery takes. If a delivery lasts longer than an
 * interval, the numbers that would be late are skipped. So are those of a pause (SGK_OVERFLOW_PAUSE).
 *
 * @param seconds  More than 0 and finite, by the queue's clock. Less than one microsecond counts as one microsecond.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_interval(double seconds, sgk_queue *queue);

/** Creates a signal that emits the int 0 on `queue` after a delay and completes.
 *
 * @param seconds  The delay after the start, by the queue's clock: 0 or more. Infinity: never.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_timer(double seconds, sgk_queue *queue);

/** Creates the resource of a subscription. */
typedef void *(*sgk_acquire_fn)(void *context);
/** Returns the signal that uses a resource (see sgk_map_to_signal_fn). */
typedef sgk_signal *(*sgk_use_fn)(void *context, void *resource);

/** Creates a signal with a resource for each subscription.
 *
 * Each start calls `acquire(context)` and then starts the signal that `use(context, resource)` returns. The result
 * emits the events of that signal. `release(resource)` is called once per resource, when the subscription ends or is
 * disposed.
 *
 * Thread: `acquire` is called on the starting thread.
 * Order: `release` is called after the signal of `use` has been disposed. If that signal can emit nothing more and the
 * last reference to the subscription has been released, `release` is called then.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_using(
    sgk_acquire_fn acquire, sgk_use_fn use, sgk_destroy_fn release, void *context, sgk_destroy_fn destroy);

SGK_END

#endif
