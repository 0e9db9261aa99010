/** @file
 * Operators that join several signals.
 */
#ifndef SIGNALKIT_OPERATORS_COMBINING_H
#define SIGNALKIT_OPERATORS_COMBINING_H

#include "operators-mapping.h"

SGK_BEGIN

/** Emits an array of the latest values of all signals, in their order, for each value of any of them, once every one has emitted. Completes
 * when all have completed; the first error ends it. With a `queue` (may be NULL) everything is processed and delivered there; otherwise
 * on the emitting threads, one at a time. No signals: one empty array, and the end. */
SGK_API sgk_signal *sgk_combine_latest(sgk_signal *const *signals, size_t count, sgk_queue *queue);

SGK_END

#endif
