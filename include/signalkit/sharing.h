/** @file
 * Sharing one subscription among many subscribers, and running many signals in sequence.
 * @since 1.0
 */
#ifndef SIGNALKIT_SHARING_H
#define SIGNALKIT_SHARING_H

#include "operators-sequence.h"

SGK_BEGIN

/** Shares one subscription to the signal among all subscribers of the same time.
 *
 * The first subscriber starts the signal. When the last one has been disposed, the signal is disposed, and the next
 * subscriber starts it again. Values are not replayed.
 *
 * The terminal event is stored as long as the shared signal exists, and a later subscriber receives it. So
 * sgk_signal_restart or a retry behind it receives the same end forever. Use sgk_multicast_get to start the source
 * again after its end.
 *
 * If the source releases its subscriber without a terminal event, as sgk_signal_never does, there is nothing to share:
 * each subscriber starts the source.
 *
 * Ownership: a subscription of the source to its own shared signal does not keep it running, whether it is direct,
 * through operators, or through other shared signals. Only subscribers from outside count.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_multicast(sgk_signal *signal);

/** Shares one subscription to the signal, and replays its latest values to later subscribers.
 *
 * The first subscriber starts the signal. A later one receives the stored values first, then the new values, in order.
 * A subscriber after the terminal event receives the stored values and the terminal event, as long as the shared signal
 * exists. So a restart or a retry behind it receives them forever (sgk_signal_multicast).
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
 * with the last subscriber. A subscription of the source to its own shared signal does not count.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_share(sgk_signal *signal, int64_t replay, double keep, sgk_queue *queue);

/** A table of shared subscriptions: one subscription per key, for all subscribers of the same time. */
SGK_HANDLE(sgk_multicast)

/** Creates an empty table. */
SGK_API SGK_OWNED sgk_multicast *sgk_multicast_create(void);

/** Returns the signal that is shared under a key.
 *
 * The first subscriber of a key starts the `signal` that was passed with it. The signals of the other subscribers are
 * not used. When the last subscriber was disposed, or after the terminal event, the next subscriber starts its signal:
 * the terminal event is not stored. If the source releases its subscriber without a terminal event, each subscriber
 * starts its own signal.
 *
 * @param key  Copied; compared byte by byte. Must not be NULL.
 *
 * Ownership: the result does not need the table.
 */
SGK_API SGK_OWNED sgk_signal *sgk_multicast_get(sgk_multicast *multicast, const char *key, sgk_signal *signal);

/** Shared signals, subscriptions without subscribers, and pipes, each under a key.
 *
 * When the last reference is released, the subscriptions without subscribers are disposed.
 *
 * Keys are copied, and compared byte by byte. A producer is called on the calling thread, without a lock, before the
 * call returns. Therefore it has no `destroy`. Its result becomes the library's.
 */
SGK_HANDLE(sgk_multicast_signal_manager)

/** Creates an empty manager. */
SGK_API SGK_OWNED sgk_multicast_signal_manager *sgk_multicast_signal_manager_create(void);

/** Returns the signal that is shared under a key, like sgk_signal_multicast.
 *
 * If the key has no signal, `producer(context)` returns one. The manager forgets the key when a subscription of that
 * signal ends, or when its last subscriber has been disposed.
 *
 * @param key  NULL: the signal of `producer`, without sharing.
 */
SGK_API SGK_OWNED sgk_signal *sgk_multicast_signal_manager_multicasted_signal(
    sgk_multicast_signal_manager *manager, const char *key, sgk_deferred_fn producer, void *context);

/** Starts the signal that `producer(context)` returns, without callbacks, unless one is running under `key`.
 *
 * The subscription lasts until it ends or the manager is destroyed.
 */
SGK_API sgk_status sgk_multicast_signal_manager_start_standalone_signal_if_not_running(
    sgk_multicast_signal_manager *manager, const char *key, sgk_deferred_fn producer, void *context);

/** Returns a signal that emits the values sent into the pipe `key`.
 *
 * Ownership: the signal retains the manager. So does a subscription as long as a reference to its disposable exists.
 */
SGK_API SGK_OWNED sgk_signal *sgk_multicast_signal_manager_multicasted_pipe(
    sgk_multicast_signal_manager *manager, const char *key);

/** Sends `value` into the pipe `key`, like sgk_pipe_next. Without subscribers it drops the value. */
SGK_API sgk_status sgk_multicast_signal_manager_next(
    sgk_multicast_signal_manager *manager, const char *key, sgk_value value);

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
