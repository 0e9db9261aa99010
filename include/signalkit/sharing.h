/** @file
 * Sharing one subscription among many subscribers, and running many signals in sequence.
 * @since 1.0
 */
#ifndef SIGNALKIT_SHARING_H
#define SIGNALKIT_SHARING_H

#include "operators-sequence.h"

SGK_BEGIN

/** Shares one subscription to the signal among all subscribers, and replays its latest values to later ones.
 *
 * The first subscriber starts the signal. A later one receives the stored values first, then the new values, in order.
 * A subscriber after the terminal event receives the stored values and the terminal event, as long as the shared signal
 * exists. So a repeat or a retry behind it receives them forever. Use sgk_multicast_get to start the source again after
 * its end.
 *
 * When the signal has been disposed, the next subscriber starts it again, and no earlier value is replayed. If the
 * source releases its subscriber without a terminal event, each subscriber starts the source.
 *
 * @param replay  How many values are stored; 0 or more.
 * @param keep    For how many seconds the source continues after the last subscriber was disposed. 0: it is disposed
 *                immediately. HUGE_VAL (infinity): it continues until its terminal event.
 * @param queue   Its clock measures `keep`. With 0 and HUGE_VAL, `queue` may be NULL.
 *
 * Ownership: the shared signal keeps a source without subscribers running. After its release the source is disposed
 * with the last subscriber. A subscription of the source to its own shared signal does not count, whether it is direct,
 * through operators, or through other shared signals.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_share(sgk_signal *signal, int64_t replay, double keep, sgk_queue *queue);

/** Runs signals one at a time, in the order in which they were started. (SignalQueue in Swift.)
 *
 * When the last reference is released, the running signal is disposed and the pending subscriptions are released,
 * without a terminal event.
 */
SGK_HANDLE(sgk_sequencer)

/** Creates a sequencer. */
SGK_API SGK_OWNED sgk_sequencer *sgk_sequencer_create(void);

/** Returns a signal whose subscriptions wait for their turn before they start `signal`.
 *
 * An error or a disposal ends only the running subscription, and the next one starts. A subscription that is disposed
 * before its turn does not start.
 *
 * Ownership: the signal does not retain the sequencer. A subscription that starts after the sequencer was destroyed
 * receives no event, and is released immediately.
 */
SGK_API SGK_OWNED sgk_signal *sgk_sequencer_enqueue(sgk_sequencer *sequencer, sgk_signal *signal);

SGK_END

#endif
