/** @file
 * Operators that pass a part of the values: the first, the last, or those before or after a condition.
 *
 * Callbacks run on the emitting thread. operators.h defines "Order: serial".
 * @since 1.0
 */
#ifndef SIGNALKIT_OPERATORS_TAKING_H
#define SIGNALKIT_OPERATORS_TAKING_H

#include "operators-mapping.h"

SGK_BEGIN

/** Passes the first `count` values, then completes and disposes the source.
 *
 * It completes immediately after the last of these values.
 *
 * @param count  0 or more. With 0 it completes without starting the source.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take(sgk_signal *signal, int64_t count);

/** Emits the last `count` values in their order when the signal completes.
 *
 * If the signal emitted fewer values, it emits all of them. An error drops them.
 *
 * @param count  0 or more.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_last(sgk_signal *signal, int64_t count);

/** Passes values while `filter(context, value)` returns true.
 *
 * At the first value for which it returns false, the operator drops the value, completes and disposes the source.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_while(
    sgk_signal *signal, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** Drops the first `count` values and passes the rest.
 *
 * @param count  0 or more.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_skip(sgk_signal *signal, int64_t count);

/** Drops values while `filter(context, value)` returns true.
 *
 * The operator passes the first value for which it returns false, and all later values without a further call.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_skip_while(
    sgk_signal *signal, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** Drops values until `until` has emitted a value, and passes all later values.
 *
 * `until` is started first, and disposed after its first value. If it completes without a value, no value ever passes.
 * Its error fails the result.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_skip_until(sgk_signal *signal, sgk_signal *until);

/** Passes values until `until` emits a value, then completes.
 *
 * `until` is started first. If it emits during its start, the signal is not started. Its completion is ignored. Its
 * error fails the result.
 *
 * Order: serial.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_take_until(sgk_signal *signal, sgk_signal *until);

SGK_END

#endif
