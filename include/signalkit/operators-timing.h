/** @file
 * Operators that bring events to a queue, or go by time.
 */
#ifndef SIGNALKIT_OPERATORS_TIMING_H
#define SIGNALKIT_OPERATORS_TIMING_H

#include "signal.h"

SGK_BEGIN

/** Emits a value at once and then at most one every `seconds`: the latest of those that came meanwhile, when the time is over. The end first
 * emits what waits; an error drops it. Delivers on `queue`. `seconds` must be 0 or more. */
SGK_API sgk_signal *sgk_signal_throttle(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Emits a value when no other has followed it for `seconds`. The end first emits what waits; an error drops it. Delivers on `queue`.
 * `seconds` must be 0 or more. */
SGK_API sgk_signal *sgk_signal_debounce(sgk_signal *signal, double seconds, sgk_queue *queue);

/** Delivers every event on `queue`: inline when it is current and nothing is on its way, otherwise later, in order, one at a time. Disposal
 * drops what is on its way. */
SGK_API sgk_signal *sgk_signal_deliver_on(sgk_signal *signal, sgk_queue *queue);

SGK_END

#endif
