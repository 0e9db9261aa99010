/** @file
 * One run for many listeners, and many runs one after another.
 * @since 1.0
 */
#ifndef SIGNALKIT_SHARING_H
#define SIGNALKIT_SHARING_H

#include "operators-sequence.h"

SGK_BEGIN

/** Shares one run of the signal among all who listen at the same time: the first one starts it, the last one to leave
 * disposes it, and after that the next one starts it anew. There is no replay of values, but who comes after the end is
 * told of the end, which is kept as long as the shared signal is there. A run that listens to itself, at once, through
 * operators or through other shared runs, is not kept by that: who counts are the listeners from outside. */
SGK_API sgk_signal *sgk_signal_multicast(sgk_signal *signal);

/** Shares one run of the signal among all who listen: the first one starts it, and a later one gets the latest `replay`
 * values (0: none) of it first, in one order with those that follow. Who comes after the end gets these values and the
 * end, which are kept as long as the shared signal is there. `keep` says for how many seconds, by the clock of `queue`,
 * the run goes on after its last listener has left, for whoever comes by then: with 0 it ends at once, with HUGE_VAL
 * (infinity) only by itself, and in both cases `queue` may be NULL. The next one starts it anew, and nothing of the
 * former run is replayed. What keeps a run that nobody listens to is the shared signal: when that is gone, the run ends
 * with its last listener. A run that listens to itself is not kept by that. A source that lets go of its subscriber
 * without an end, as sgk_signal_never() does, has no run that could be joined: each listener starts it anew. */
SGK_API sgk_signal *sgk_signal_share(sgk_signal *signal, int64_t replay, double keep, sgk_queue *queue);

/** Shares one run of a signal per key among all who listen at the same time. */
SGK_HANDLE(sgk_multicast)

/** A new table of shared runs. */
SGK_API sgk_multicast *sgk_multicast_create(void);

/** The signal shared under `key` (copied; compared byte by byte; NULL is an error). Whoever is the first to start a
 * signal of this key starts the `signal` given with it; those of the others are not used. The last one to leave
 * disposes the run; after that, or after its end, which everybody is told of, the next one starts a fresh run. The
 * result does not need the handle to stay. */
SGK_API sgk_signal *sgk_multicast_get(sgk_multicast *multicast, const char *key, sgk_signal *signal);

/** Signals that are shared by name, runs that nobody listens to, and pipes by name. When the last reference goes, the
 * runs without listeners are disposed. Keys are copied, and compared byte by byte; the producers are called without a
 * lock, on the calling thread, before the call returns (so they need no `destroy`), and what they return becomes the
 * library's. */
SGK_HANDLE(sgk_multicast_signal_manager)

/** A new manager. */
SGK_API sgk_multicast_signal_manager *sgk_multicast_signal_manager_create(void);

/** The signal shared under `key` (as by sgk_signal_multicast), made by `producer(context)` if there is none; with NULL
 * as the key the producer's signal, unshared. The key is forgotten when a run is over: by its end, or because the last
 * listener has left. */
SGK_API sgk_signal *sgk_multicast_signal_manager_multicasted_signal(
    sgk_multicast_signal_manager *manager, const char *key, sgk_deferred_fn producer, void *context);

/** Starts the signal that `producer(context)` makes, for what it does, unless one runs under `key` already. The run is
 * over with its end, or when the manager goes. */
SGK_API sgk_status sgk_multicast_signal_manager_start_standalone_signal_if_not_running(
    sgk_multicast_signal_manager *manager, const char *key, sgk_deferred_fn producer, void *context);

/** What is put into the pipe named `key` from now on. The signal keeps the manager, and so does a run as long as
 * somebody holds its disposable. */
SGK_API sgk_signal *sgk_multicast_signal_manager_multicasted_pipe(
    sgk_multicast_signal_manager *manager, const char *key);

/** Delivers `value` to those who listen to the pipe named `key`, as sgk_pipe_next does; without listeners nothing
 * happens. */
SGK_API sgk_status sgk_multicast_signal_manager_next(
    sgk_multicast_signal_manager *manager, const char *key, sgk_value value);

/** Runs signals one at a time, in the order in which they were started, whoever starts them (SignalQueue in Swift).
 * When the last reference goes, the signal that runs is disposed and those that wait are let go; nobody is told. */
SGK_HANDLE(sgk_sequencer)

/** A new sequencer, at which nothing waits. */
SGK_API sgk_sequencer *sgk_sequencer_create(void);

/** A signal that runs `signal` when its turn has come, each time that it is started. An error or a disposal ends that
 * run alone; a run that is disposed while it waits does not start. The signal does not keep the sequencer: a run of it
 * that is started when the sequencer is gone has no events, and its callbacks are let go at once. */
SGK_API sgk_signal *sgk_sequencer_enqueue(sgk_sequencer *sequencer, sgk_signal *signal);

SGK_END

#endif
