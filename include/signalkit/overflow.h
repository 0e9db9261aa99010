/** @file
 * Limits of operators that store values: their overflow policies, and a counter of dropped values.
 * @since 1.0
 */
#ifndef SIGNALKIT_OVERFLOW_H
#define SIGNALKIT_OVERFLOW_H

#include "value.h"

SGK_BEGIN

/** The overflow policy: what happens to a new value when a buffer has reached its limit. */
typedef enum sgk_overflow {
    /** Blocks the emitting thread until the buffer has capacity. If that would deadlock, the buffer exceeds its limit.
     * This is so on the delivering queue, inside the callback, and where one of them waits for the emitting thread. It
     * is also so if all threads of the queue's thread pool wait for the emitting thread. */
    SGK_OVERFLOW_SUSPEND = 1,
    SGK_OVERFLOW_DROP_OLDEST = 2, /**< Drops the oldest buffered value. */
    SGK_OVERFLOW_DROP_NEWEST = 3, /**< Drops the new value. */
    SGK_OVERFLOW_KEEP_LATEST = 4, /**< Drops all buffered values and stores the new one. */
    /** Drops the new value and disposes the source. The subscription fails after all buffered values are delivered. */
    SGK_OVERFLOW_ERROR = 5,
    /** Pauses the source when the limit is reached, and resumes it when half of the values were delivered. Nothing is
     * lost, and no thread is blocked. Operators in which values or signals wait support it, and so do readers. The
     * comment of sgk_signal_deliver_on_bounded states which sources can be paused. Values of another source exceed the
     * limit. Pipes and subscribers tell the program that sends the values.
     *
     * It is a bit, and one of the other policies can be added: `SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_OLDEST`. Then
     * the source is paused at three quarters of the limit, and the other policy applies at the limit. */
    SGK_OVERFLOW_PAUSE = 0x100
} sgk_overflow;

/** Counts dropped values, blocked threads and values above a limit. Any number of subscriptions can share a counter. */
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

/** Returns how many values exceeded a limit with SGK_OVERFLOW_PAUSE. Their source was not paused in time, or cannot be
 * paused.
 *
 * @return  -1 if `counter` is NULL.
 */
SGK_API int64_t sgk_overflow_counter_exceeded(sgk_overflow_counter *counter);

/** The limit of a sgk_bound that stores nothing. The functions that run inner signals simultaneously accept it. */
#define SGK_UNBUFFERED (-2)

/** How many values an operator stores, and what happens to a further value. A field that is 0 has its default.
 *
 * Functions copy it. If they have NULL instead, all fields have their defaults. Most operators have no limit then, and
 * the policy SGK_OVERFLOW_ERROR. Their comments state other defaults. With SGK_OVERFLOW_PAUSE the default limit is
 * 1,024. With SIGNALKIT_DEBUG=1 the log reports an operator without a limit once, when more than 65,536 values are
 * pending in it.
 *
 * Ownership: functions retain the counter and the error. The error may be marked by sgk_give. Then use the struct for
 * one call.
 */
typedef struct sgk_bound {
    size_t size;                   /**< sizeof(sgk_bound) */
    int64_t limit;                 /**< 1 or more, or SGK_UNBOUNDED. 0: the default. */
    uint32_t overflow;             /**< A sgk_overflow, or SGK_OVERFLOW_PAUSE with another one. 0: the default. */
    uint32_t reserved;             /**< 0. */
    sgk_overflow_counter *counter; /**< Counts values that were dropped and so on. May be NULL. */
    sgk_value error;               /**< The error of SGK_OVERFLOW_ERROR. Null: an error with SGK_ERROR_OVERFLOW. */
} sgk_bound;

/** The initializer of a sgk_bound with the defaults. */
#define SGK_BOUND_INIT \
    { \
        sizeof(sgk_bound), 0, 0, 0, NULL, { 0, 0, 0 } \
    }
#ifndef __cplusplus
/** A bound as an argument: `SGK_BOUND(.limit = 100, .overflow = SGK_OVERFLOW_DROP_OLDEST)`. */
#define SGK_BOUND(...) (&(const sgk_bound){.size = sizeof(sgk_bound), __VA_ARGS__})
#endif

SGK_END

#endif
