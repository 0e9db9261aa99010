/** @file
 * Overflow policies of operators that buffer values, and a counter of dropped values.
 * @since 1.0
 */
#ifndef SIGNALKIT_OVERFLOW_H
#define SIGNALKIT_OVERFLOW_H

#include "base.h"

SGK_BEGIN

/** The overflow policy: what happens to a new value when a buffer has reached its `limit`. */
typedef enum sgk_overflow {
    /** Blocks the emitting thread until the buffer has capacity. If that would deadlock, the buffer exceeds its limit.
     * This is so on the delivering queue, inside the callback, and where one of them waits for the emitting thread. It
     * is also so if all threads of the queue's thread pool wait for the emitting thread. */
    SGK_OVERFLOW_SUSPEND = 0,
    SGK_OVERFLOW_DROP_OLDEST = 1, /**< Drops the oldest buffered value. */
    SGK_OVERFLOW_DROP_NEWEST = 2, /**< Drops the new value. */
    SGK_OVERFLOW_KEEP_LATEST = 3, /**< Drops all buffered values and stores the new one. */
    /** Drops the new value and disposes the source. The subscription fails after all buffered values are delivered. */
    SGK_OVERFLOW_ERROR = 4
} sgk_overflow;

/** Counts dropped values and blocked threads. Any number of subscriptions can share a counter. */
SGK_HANDLE(sgk_overflow_counter)

/** Creates a counter. It starts at 0. */
SGK_API SGK_OWNED sgk_overflow_counter *sgk_overflow_counter_create(void);

/** Returns the number of dropped values.
 *
 * @return  -1 if `counter` is NULL.
 */
SGK_API int64_t sgk_overflow_counter_dropped(sgk_overflow_counter *counter);

/** Returns how many times an emitting thread was blocked.
 *
 * @return  -1 if `counter` is NULL.
 */
SGK_API int64_t sgk_overflow_counter_suspended(sgk_overflow_counter *counter);

SGK_END

#endif
