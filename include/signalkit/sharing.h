/** @file
 * One run for many listeners, and many runs one after another.
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
 * The first subscriber starts the signal. A later one receives the stored values first, in one order with those that
 * follow. A subscriber after the terminal event receives the stored values and the terminal event, as long as the
 * shared signal exists. So a restart or a retry behind it receives them forever (sgk_signal_multicast).
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

/** Shares one run of a signal per key among all who listen at the same time. */
SGK_HANDLE(sgk_multicast)

/** A new table of shared runs. */
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

/** Signals that are shared by name, runs that nobody listens to, and pipes by name. When the last reference goes, the
 * runs without listeners are disposed. Keys are copied, and compared byte by byte; the producers are called without a
 * lock, on the calling thread, before the call returns (so they need no `destroy`), and what they return becomes the
 * library's. */
SGK_HANDLE(sgk_multicast_signal_manager)

/** A new manager. */
SGK_API SGK_OWNED sgk_multicast_signal_manager *sgk_multicast_signal_manager_create(void);

/** The signal shared under `key` (as by sgk_signal_multicast), made by `producer(context)` if there is none; with NULL
 * as the key the producer's signal, unshared. The key is forgotten when a run is over: by its end, or because the last
 * listener has left. */
SGK_API SGK_OWNED sgk_signal *sgk_multicast_signal_manager_multicasted_signal(
    sgk_multicast_signal_manager *manager, const char *key, sgk_deferred_fn producer, void *context);

/** Starts the signal that `producer(context)` makes, for what it does, unless one runs under `key` already. The run is
 * over with its end, or when the manager goes. */
SGK_API sgk_status sgk_multicast_signal_manager_start_standalone_signal_if_not_running(
    sgk_multicast_signal_manager *manager, const char *key, sgk_deferred_fn producer, void *context);

/** What is put into the pipe named `key` from now on. The signal keeps the manager, and so does a run as long as
 * somebody holds its disposable. */
SGK_API SGK_OWNED sgk_signal *sgk_multicast_signal_manager_multicasted_pipe(
    sgk_multicast_signal_manager *manager, const char *key);

/** Delivers `value` to those who listen to the pipe named `key`, as sgk_pipe_next does; without listeners nothing
 * happens. */
SGK_API sgk_status sgk_multicast_signal_manager_next(
    sgk_multicast_signal_manager *manager, const char *key, sgk_value value);

/** Runs signals one at a time, in the order in which they were started, whoever starts them (SignalQueue in Swift).
 * When the last reference goes, the signal that runs is disposed and those that wait are let go; nobody is told. */
SGK_HANDLE(sgk_sequencer)

/** A new sequencer, at which nothing waits. */
SGK_API SGK_OWNED sgk_sequencer *sgk_sequencer_create(void);

/** A signal that runs `signal` when its turn has come, each time that it is started. An error or a disposal ends that
 * run alone; a run that is disposed while it waits does not start. The signal does not keep the sequencer: a run of it
 * that is started when the sequencer is gone has no events, and its callbacks are let go at once. */
SGK_API SGK_OWNED sgk_signal *sgk_sequencer_enqueue(sgk_sequencer *sequencer, sgk_signal *signal);

SGK_END

#endif
