/**
 * Signals (cold streams of values), their subscriptions, pipes, queues and timers. {@link signalkit.Signal} is where to
 * begin.
 */
package signalkit;
