/** @file
 * Shared subscriptions and pipes under keys.
 *
 * Include this header by name: signalkit.h does not include it.
 * @since 1.0
 */
#ifndef SIGNALKIT_MULTICAST_H
#define SIGNALKIT_MULTICAST_H

#include "sharing.h"

SGK_BEGIN

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

/** Returns the signal that is shared under a key, like sgk_signal_share without a replay.
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

SGK_END

#endif
