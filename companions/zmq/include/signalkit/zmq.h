/** @file
 * ZeroMQ: signals that cross to other processes and machines without a server. `libsignalkit-zmq`, on libzmq.
 *
 *     SGK_AUTO(sgk_zmq) zmq = sgk_zmq_create(1);
 *     SGK_AUTO(sgk_signal) tasks = sgk_zmq_pull(zmq, "tcp://127.0.0.1:5557", NULL);
 *     SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(tasks, work, NULL, NULL);
 *
 * The rules are those of signalkit.h. Mistakes of a call are told by sgk_zmq_last_error; what a run fails with is an
 * array: an errno, and a text.
 *
 * Endpoints are those of ZeroMQ, one or several, separated by commas: `@` before one binds there, `>` connects. Without
 * either, who publishes and who pulls binds, the others connect. A message of one part is bytes, of several an array of
 * bytes; sent are strings and bytes, and arrays of them.
 *
 * Each run that receives has a thread of its own, on which it delivers, so that who is slow holds nobody else up: its
 * own peers alone, when the limits on both sides are reached.
 * @since 1.0
 */
#ifndef SIGNALKIT_ZMQ_H
#define SIGNALKIT_ZMQ_H

#include <signalkit.h>

SGK_BEGIN

/** What went wrong in the last failing call of this header on this thread, as "function: argument: reason"; "" when
 * nothing has. Valid until the next call of it on this thread. */
SGK_API const char *sgk_zmq_last_error(void);

/** A context, which sockets belong to. They and their runs keep it. In the child of a fork it must not be used. */
SGK_HANDLE(sgk_zmq)

/** A new context, with `io_threads` threads that send and receive; 0 stands for 1. */
SGK_API SGK_OWNED sgk_zmq *sgk_zmq_create(int io_threads);

/** The bounds of a socket. 0 stands for what is said at each. */
typedef struct sgk_zmq_options {
    size_t size;   /**< sizeof(sgk_zmq_options) */
    int64_t limit; /**< How many messages wait for each peer, or of each (ZeroMQ's high-water mark). 1000. */
    /** What becomes of a message when they are as many.
     *
     * Where it is sent: SGK_OVERFLOW_SUSPEND: the sending thread waits, also when there is nobody to push to.
     * SGK_OVERFLOW_DROP_NEWEST: it is dropped, and counted; by who publishes for each peer alone that has no room, and
     * not counted. SGK_OVERFLOW_ERROR: sgk_zmq_send fails. SGK_OVERFLOW_KEEP_LATEST: one message is kept, of one part.
     *
     * Where it is received: SGK_OVERFLOW_SUSPEND: the sender's limit counts. SGK_OVERFLOW_KEEP_LATEST: as there. For
     * anything else there is sgk_signal_deliver_on_bounded. */
    sgk_overflow overflow;
    double linger; /**< Seconds for which what is not sent is kept after the end; infinity is for ever. 1. */
} sgk_zmq_options;

/** What a sgk_zmq_options begins as. */
#define SGK_ZMQ_OPTIONS_INIT {sizeof(sgk_zmq_options), 0, SGK_OVERFLOW_SUSPEND, 0}

/** What has happened in a context. */
typedef struct sgk_zmq_counts {
    size_t size;      /**< sizeof(sgk_zmq_counts) */
    int64_t sent;     /**< Messages that ZeroMQ has taken. */
    int64_t received; /**< Messages that have been delivered. */
    int64_t dropped;  /**< Messages that were dropped as they were sent. */
} sgk_zmq_counts;

/** What a sgk_zmq_counts begins as. */
#define SGK_ZMQ_COUNTS_INIT {sizeof(sgk_zmq_counts), 0, 0, 0}

/** Puts at `counts` what has happened so far. */
SGK_API sgk_status sgk_zmq_counts_get(sgk_zmq *zmq, sgk_zmq_counts *counts);

/* ---- Sending ---- */

/** A socket that sends, from any thread. When the last reference goes it is closed. */
SGK_HANDLE(sgk_zmq_sender)

/** A socket at `endpoints` that publishes: each message reaches all that subscribe, and have done so before. `options`
 * may be NULL. */
SGK_API SGK_OWNED sgk_zmq_sender *sgk_zmq_publisher(
    sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options);

/** A socket at `endpoints` that pushes: each message reaches one of those that pull, in turns. `options` may be
 * NULL. */
SGK_API SGK_OWNED sgk_zmq_sender *sgk_zmq_pusher(sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options);

/** Sends `message`. SGK_OK: ZeroMQ has it, or it was dropped as the options say. SGK_ERROR_ENDED when the socket is
 * closed; SGK_ERROR_SYSTEM when there is no room, and the options say so; SGK_ERROR_KIND. */
SGK_API sgk_status sgk_zmq_send(sgk_zmq_sender *sender, sgk_value message);

/** A subscriber that sends what it gets. The ends mean nothing. */
SGK_API SGK_OWNED sgk_subscriber *sgk_zmq_sink(sgk_zmq_sender *sender);

/** `signal`, of which each value is sent by `sender` before it is passed on; it fails where that fails. */
SGK_API SGK_OWNED sgk_signal *sgk_zmq_sent(sgk_signal *signal, sgk_zmq_sender *sender);

/** Puts at `text`, of `size` bytes, where the socket was bound or connected last: the port that was found for `:*`. */
SGK_API sgk_status sgk_zmq_endpoint(sgk_zmq_sender *sender, char *text, size_t size);

/** Closes the socket; who waits in sgk_zmq_send is woken. Any thread, and more than once. */
SGK_API sgk_status sgk_zmq_close(sgk_zmq_sender *sender);

/* ---- Receiving ---- */

/** The messages that begin with `topic` (its bytes; "": all) of those that publish at `endpoints`. Each start makes a
 * socket, which is closed when the run is over. `options` may be NULL. It does not end by itself. */
SGK_API SGK_OWNED sgk_signal *sgk_zmq_subscribe(
    sgk_zmq *zmq, const char *endpoints, const char *topic, const sgk_zmq_options *options);

/** The messages that are pushed to `endpoints`, shared with all others that pull there. As sgk_zmq_subscribe
 * otherwise, also as to `options`. */
SGK_API SGK_OWNED sgk_signal *sgk_zmq_pull(sgk_zmq *zmq, const char *endpoints, const sgk_zmq_options *options);

SGK_END

#endif
