/** @file
 * ZeroMQ: signals between processes and machines without a server. `libsignalkit-zmq`, on libzmq.
 *
 *     SGK_AUTO(sgk_zmq) zmq = sgk_zmq_create(1);
 *     SGK_AUTO(sgk_signal) tasks = sgk_zmq_pull(zmq, "tcp://127.0.0.1:5557", NULL);
 *     SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(tasks, work, NULL, NULL);
 *
 * The rules of signalkit.h apply. sgk_zmq_last_error describes a failed call. A subscription fails with an
 * error (sgk_error_code, sgk_error_text). Its code is an errno, or a sgk_status of sgk_zmq_sent.
 *
 * Endpoints have the format of ZeroMQ. Separate several by commas. A socket binds to an endpoint with the prefix `@`,
 * and connects to one with the prefix `>`. Without a prefix, publishers and pulling sockets bind, and the others
 * connect. A received message is bytes, or an array of bytes if it has several parts. You can send strings, bytes, and
 * arrays of them.
 *
 * Each receiving subscription delivers on a separate thread. So a slow subscription delays only its own peers, when the
 * limits on both sides are reached.
 *
 * ZeroMQ does not acknowledge messages. Those on their way to a subscription that ends are lost.
 * @since 1.0
 */
#ifndef SIGNALKIT_ZMQ_H
#define SIGNALKIT_ZMQ_H

#include <signalkit.h>

SGK_BEGIN

/** Returns the last error of this header's functions on this thread, as "function: argument: reason"; "" if there was
 * none. Valid until the next call of it on this thread. */
SGK_API const char *sgk_zmq_last_error(void);

/** A context, which sockets belong to. They and their runs keep it. In the child of a fork it must not be used. */
SGK_COMPANION_HANDLE(sgk_zmq)

/** Creates a context with `io_threads` threads that send and receive; 0 selects 1. */
SGK_API SGK_OWNED sgk_zmq *sgk_zmq_create(int io_threads);

/** The limits of a socket. 0 selects the documented default. */
typedef struct sgk_zmq_options {
    size_t size;   /**< sizeof(sgk_zmq_options) */
    int64_t limit; /**< How many messages wait for each peer, or of each (ZeroMQ's high-water mark). 1000. */
    /** Decides what happens to a message beyond the limit.
     *
     * In a sending socket, SGK_OVERFLOW_SUSPEND blocks the sending thread, also while no peer pulls.
     * SGK_OVERFLOW_DROP_NEWEST drops and counts the message. A publisher drops it only for the peers whose limit is
     * reached, without counting. With SGK_OVERFLOW_ERROR sgk_zmq_send fails. SGK_OVERFLOW_KEEP_LATEST stores one
     * message of one part.
     *
     * In a receiving socket, SGK_OVERFLOW_SUSPEND applies the sender's limit, and SGK_OVERFLOW_KEEP_LATEST does the
     * same as in a sending socket. For other policies use sgk_signal_deliver_on_bounded. */
    sgk_overflow overflow;
    double linger; /**< Seconds for which unsent messages are kept after closing; may be infinity. Default 1. */
} sgk_zmq_options;

/** The initial value of a sgk_zmq_options. */
#define SGK_ZMQ_OPTIONS_INIT \
    { sizeof(sgk_zmq_options), 0, SGK_OVERFLOW_SUSPEND, 0 }

/** The statistics of a context. */
typedef struct sgk_zmq_counts {
    size_t size;      /**< sizeof(sgk_zmq_counts) */
    int64_t sent;     /**< Messages that ZeroMQ has accepted. */
    int64_t received; /**< Messages that were delivered. */
    int64_t dropped;  /**< Messages that were dropped by sgk_zmq_send. */
} sgk_zmq_counts;

/** The initial value of a sgk_zmq_counts. */
#define SGK_ZMQ_COUNTS_INIT \
    { sizeof(sgk_zmq_counts), 0, 0, 0 }

/** Writes the statistics of the context to `counts`. */
SGK_API sgk_status sgk_zmq_counts_get(sgk_zmq *zmq, sgk_zmq_counts *counts);

/* ---- Sending ---- */

/** A socket that sends from any thread. It is closed after the last release. */
SGK_COMPANION_HANDLE(sgk_zmq_sender)

/** Creates a publishing socket at `endpoints`. Each message reaches all sockets that were already subscribed. `options`
 * may be NULL. */
SGK_API SGK_OWNED sgk_zmq_sender *sgk_zmq_publisher(
    sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options);

/** Creates a pushing socket at `endpoints`. Each message reaches one of the pulling sockets, in turn. `options` may be
 * NULL. */
SGK_API SGK_OWNED sgk_zmq_sender *sgk_zmq_pusher(sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options);

/** Sends `message`. Returns SGK_OK if ZeroMQ has accepted it, or the overflow policy dropped it. Returns
 * SGK_ERROR_ENDED if the socket is closed, SGK_ERROR_SYSTEM if the limit is reached with SGK_OVERFLOW_ERROR, or
 * SGK_ERROR_KIND. */
SGK_API sgk_status sgk_zmq_send(sgk_zmq_sender *sender, sgk_value message);

/** Creates a subscriber that sends its values. Terminal events are ignored. */
SGK_API SGK_OWNED sgk_subscriber *sgk_zmq_sink(sgk_zmq_sender *sender);

/** Returns `signal` with a stage that sends each value by `sender`, then forwards it. It fails if sending fails. */
SGK_API SGK_OWNED sgk_signal *sgk_zmq_sent(sgk_signal *signal, sgk_zmq_sender *sender);

/** Writes the last endpoint of the socket to `text`, of `size` bytes, with the port that was chosen for `:*`. */
SGK_API sgk_status sgk_zmq_endpoint(sgk_zmq_sender *sender, char *text, size_t size);

/** Closes the socket and wakes threads that wait in sgk_zmq_send. It may be called on any thread, and repeatedly. */
SGK_API sgk_status sgk_zmq_close(sgk_zmq_sender *sender);

/* ---- Receiving ---- */

/** Emits the messages of the publishers at `endpoints` whose first bytes are `topic` ("": all). Each subscription has a
 * socket, which is closed at its end. `options` may be NULL. The signal never completes.
 *
 * A pause (overflow.h) stops the receiving. At the limits of both sides the sender's `overflow` applies. */
SGK_API SGK_OWNED sgk_signal *sgk_zmq_subscribe(
    sgk_zmq *zmq, const char *endpoints, const char *topic, const sgk_zmq_options *options);

/** Emits the messages that are pushed to `endpoints`, shared with all other pulling sockets there. For `options` and
 * the end of the signal see sgk_zmq_subscribe. */
SGK_API SGK_OWNED sgk_signal *sgk_zmq_pull(sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options);

SGK_END

#endif
