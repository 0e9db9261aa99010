/** @file
 * What operators that keep values do when there is no room for more: the policies, and a counter.
 * @since 1.0
 */
#ifndef SIGNALKIT_OVERFLOW_H
#define SIGNALKIT_OVERFLOW_H

#include "base.h"

SGK_BEGIN

/** What becomes of a value for which there is no room. */
typedef enum sgk_overflow {
    /** The emitting thread is blocked until there is room. Where it would wait for itself, the bound is exceeded
     * instead: on the queue, inside the callback, and where one of these waits for the emitting thread. */
    SGK_OVERFLOW_SUSPEND = 0,
    SGK_OVERFLOW_DROP_OLDEST = 1, /**< The value that has waited longest is dropped. */
    SGK_OVERFLOW_DROP_NEWEST = 2, /**< The new value is dropped. */
    SGK_OVERFLOW_KEEP_LATEST = 3, /**< All that wait are dropped: the new value alone is kept. */
    /** The new value is dropped, the source disposed, and the run fails when what waits has been delivered. */
    SGK_OVERFLOW_ERROR = 4
} sgk_overflow;

/** Counts what overflows, of any number of runs. */
SGK_HANDLE(sgk_overflow_counter)

/** A new counter, at 0. */
SGK_API SGK_OWNED sgk_overflow_counter *sgk_overflow_counter_create(void);

/** How many values were dropped; -1 for NULL, with an error. Any thread. */
SGK_API int64_t sgk_overflow_counter_dropped(sgk_overflow_counter *counter);

/** How often an emitting thread was blocked; -1 for NULL, with an error. Any thread. */
SGK_API int64_t sgk_overflow_counter_suspended(sgk_overflow_counter *counter);

SGK_END

#endif
