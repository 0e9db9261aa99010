/** @file
 * NATS: signals between processes and machines through a nats-server. `libsignalkit-nats`, on the client library
 * libnats.
 *
 *     SGK_AUTO(sgk_nats) nats = sgk_nats_connect("nats://127.0.0.1:4222", NULL);
 *     SGK_AUTO(sgk_signal) readings = sgk_nats_subscribe(nats, "house.*.temperature");
 *     SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(readings, print_reading, NULL, NULL);
 *     sgk_nats_publish(nats, "house.cellar.temperature", sgk_give(sgk_string("12.5")));
 *
 * The rules of signalkit.h apply. sgk_nats_last_error describes a failed call. A subscription fails with an
 * error (sgk_error_code, sgk_error_text). Its code is a natsStatus, or a sgk_status of sgk_nats_published.
 *
 * The client library delivers the messages of each subscription on a separate thread, which waits for the callbacks. It
 * delivers the replies to requests on one thread of the connection, so a callback there must not wait for another
 * reply. While a callback runs, messages are buffered up to the limits of sgk_nats_options. Callbacks may dispose and
 * release everything, because no object of the client library is destroyed on one of its threads.
 *
 * A plain message is delivered at most once. Use a stream (JetStream) for messages that must not be lost:
 * sgk_nats_store and sgk_nats_consume. Create streams with the server's tools, or with the client library's functions
 * on sgk_nats_client.
 * @since 1.0
 */
#ifndef SIGNALKIT_NATS_H
#define SIGNALKIT_NATS_H

#include <signalkit.h>

SGK_BEGIN

/** Returns the last error of this header's functions on this thread, as "function: argument: reason"; "" if there was
 * none. Valid until the next call of it on this thread. */
SGK_API const char *sgk_nats_last_error(void);

/* ---- Connections ---- */

/** A connection to a server, or to one of several. Signals, subscriptions, sinks and messages retain it. It is closed
 * after the last release, and sgk_drain waits for that and for disposed subscriptions. Do not use it in the child of a
 * fork. */
SGK_COMPANION_HANDLE(sgk_nats)

/** The options and limits of a connection. 0 selects the documented default. */
typedef struct sgk_nats_options {
    size_t size;            /**< sizeof(sgk_nats_options) */
    const char *name;       /**< The name of the connection at the server. May be NULL. */
    double connect_timeout; /**< Seconds to wait for a server. Default 2. */
    double reconnect_wait;  /**< Seconds between two attempts to reconnect to the same server. Default 2. */
    /** Number of attempts to reconnect to each server until the connection is closed and all subscriptions fail.
     * SGK_UNBOUNDED: no limit. Default 60. */
    int64_t reconnects;
    int64_t waiting_messages; /**< Pending messages of a subscription; more are dropped. Default 65536. */
    int64_t waiting_bytes;    /**< Bytes of the pending messages. Default 64 MiB. */
    /** Bytes of published messages that are buffered while there is no connection; more are rejected. Default 8 MiB. */
    int64_t publishing_bytes;
    int64_t requests; /**< Requests that wait for a reply; more fail. Default 65536. */
    /** Sends each message immediately. Otherwise messages are sent together up to a millisecond later. Then a request
     * and its answer take up to two milliseconds, but the throughput is much higher. */
    bool prompt;
    /** A natsOptions of the client library, borrowed for the call, for other options such as TLS and credentials. Its
     * callbacks for errors and connection states are replaced, and its name by `name` if that is set. With
     * natsOptions_SetRetryOnFailedConnect and no callback, sgk_nats_connect waits for an absent server as `reconnects`
     * specifies. */
    void *client;
} sgk_nats_options;

/** The initial value of a sgk_nats_options. */
#define SGK_NATS_OPTIONS_INIT \
    { sizeof(sgk_nats_options), NULL, 0, 0, 0, 0, 0, 0, 0, false, NULL }

/** Connects to the server at `url`, or to one of several separated by commas, and waits for the connection. An address
 * starts with `nats://`, `tls://` or the host. `options` may be NULL. Returns NULL if no server answers. */
SGK_API SGK_OWNED sgk_nats *sgk_nats_connect(const char *url, const sgk_nats_options *options);

/** The state of a connection. */
typedef enum sgk_nats_state {
    SGK_NATS_CONNECTED = 0,    /**< Connected. */
    SGK_NATS_RECONNECTING = 1, /**< The connection is lost, and the client tries to reconnect. */
    SGK_NATS_CLOSED = 2        /**< Closed. */
} sgk_nats_state;

/** The states of the connection as ints (sgk_nats_state): the present one inside the start, then each change, on a
 * thread of the client's that all connections share. It never ends, and does not keep the connection. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_states(sgk_nats *nats);

/** Waits until the server has received all published messages, at most `seconds`. Returns SGK_OK, SGK_ERROR_TIMEOUT, or
 * SGK_ERROR_ENDED if the connection is closed. */
SGK_API sgk_status sgk_nats_flush(sgk_nats *nats, double seconds);

/** Closes the connection after it has delivered received messages and sent published ones. Subscriptions complete, and
 * requests fail. Waits at most `seconds` (0 or more). Returns SGK_ERROR_TIMEOUT if it dropped the remaining messages.
 * Inside a callback of a connection it closes the connection without waiting, and returns SGK_ERROR_THREAD. A second
 * call only waits. */
SGK_API sgk_status sgk_nats_close(sgk_nats *nats, double seconds);

/** Returns the client library's natsConnection, borrowed, for its other functions. Do not destroy it. */
SGK_API void *sgk_nats_client(sgk_nats *nats);

/** The statistics of a connection. */
typedef struct sgk_nats_counts {
    size_t size;        /**< sizeof(sgk_nats_counts) */
    int64_t received;   /**< Messages received. */
    int64_t published;  /**< Messages published. */
    int64_t dropped;    /**< Received messages that exceeded the limits of their subscription. */
    int64_t refused;    /**< Messages that were not published: buffer full, or connection closed. */
    int64_t requests;   /**< Requests that wait for a reply. */
    int64_t reconnects; /**< Number of reconnections so far. */
} sgk_nats_counts;

/** The initial value of a sgk_nats_counts. */
#define SGK_NATS_COUNTS_INIT \
    { sizeof(sgk_nats_counts), 0, 0, 0, 0, 0, 0 }

/** Writes the statistics of the connection to `counts`. */
SGK_API sgk_status sgk_nats_counts_get(sgk_nats *nats, sgk_nats_counts *counts);

/* ---- Messages ---- */

/** Returns the data of a message, borrowed and followed by a NUL, and its length in `length` (may be NULL). Returns
 * NULL and records an error for another value. */
SGK_API const char *sgk_nats_data(sgk_value message, size_t *length);

/** The data of a message as bytes, owned by the caller. Null of any other value, with an error. */
SGK_API SGK_OWNED sgk_value sgk_nats_payload(sgk_value message);

/** Returns the subject of a message, borrowed. Returns NULL and records an error for another value. */
SGK_API const char *sgk_nats_subject(sgk_value message);

/** Publishes `payload`, a string or bytes, as the reply to `message`. SGK_ERROR_ARGUMENT when that wants none;
 * otherwise as sgk_nats_publish. */
SGK_API sgk_status sgk_nats_reply(sgk_value message, sgk_value payload);

/* ---- Subscribing ---- */

/** Subscribes to `subject` at each start, and emits messages. In a subject `*` matches one word, and `>` at the end any
 * number of words. Completes after sgk_nats_close. Fails if the connection is lost permanently, or if the server does
 * not allow the subject. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_subscribe(sgk_nats *nats, const char *subject);

/** Like sgk_nats_subscribe to `subject`, but each message reaches only one member of `group`, among all processes and
 * machines. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_work(sgk_nats *nats, const char *subject, const char *group);

/* ---- Publishing ---- */

/** Publishes `payload`, a string or bytes, under `subject`. Blocks while the server does not read.
 *
 * Returns SGK_OK if the message is in flight; it arrives unless the connection is lost. Returns SGK_ERROR_ENDED if the
 * connection is closed, SGK_ERROR_SYSTEM if the buffer is full during a reconnection, and SGK_ERROR_ARGUMENT if the
 * subject is invalid or the payload is larger than the server's limit; or SGK_ERROR_KIND. */
SGK_API sgk_status sgk_nats_publish(sgk_nats *nats, const char *subject, sgk_value payload);

/** Creates a subscriber that publishes its values under `subject`. Values that cannot be published are counted as
 * `refused`. Terminal events are ignored. */
SGK_API SGK_OWNED sgk_subscriber *sgk_nats_sink(sgk_nats *nats, const char *subject);

/** `signal`, of which each value is published under `subject` before it is passed on; it fails where that fails. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_published(sgk_signal *signal, sgk_nats *nats, const char *subject);

/* ---- Requests. To answer requests, subscribe and call sgk_nats_reply. ---- */

/** Publishes `payload`, a string or bytes, under `subject` at each start, emits the first reply, a message, and
 * completes. Fails if there is no reply after `seconds` (infinity: no limit), if the subject has no subscriber, or if
 * the connection is lost permanently. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_request(sgk_nats *nats, const char *subject, sgk_value payload, double seconds);

/* ---- Streams: at least once ---- */

/** Publishes `payload`, a string or bytes, under `subject` at each start, and emits its sequence number in the stream,
 * an int. Fails if no stream confirms it within `seconds`. Then it may still be stored. Set `id` (may be NULL) if you
 * retry, so that the stream stores it only once. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_store(
    sgk_nats *nats, const char *subject, sgk_value payload, const char *id, double seconds);

/** The options for consuming a stream. 0 and NULL select the documented default. */
typedef struct sgk_nats_consumer {
    size_t size;         /**< sizeof(sgk_nats_consumer) */
    const char *subject; /**< Selects messages by subject; may have wildcards. NULL: all. */
    double patience;     /**< Seconds after which an unsettled message is delivered again. Default 30. */
    double pause;        /**< Seconds until a refused message is delivered again. Default 0. */
    int64_t deliveries;  /**< Maximum number of deliveries of a message. Default SGK_UNBOUNDED. */
    int64_t limit;       /**< Maximum number of unsettled messages of a subscription. Default 256. */
} sgk_nats_consumer;

/** The initial value of a sgk_nats_consumer. */
#define SGK_NATS_CONSUMER_INIT \
    { sizeof(sgk_nats_consumer), NULL, 0, 0, 0, 0 }

/** Emits the messages of `stream`. Each message reaches one of the subscriptions with the same `name`, among all
 * processes and machines, and is delivered again until it is settled.
 *
 * `consumer` may be NULL. Its `subject`, `patience` and `deliveries` belong to the name and must be the same
 * everywhere. A subscription requests messages only when it can store them, so a slow one does not delay others. Settle
 * a message with sgk_nats_settled, sgk_nats_accept or sgk_nats_refuse. A value that is released without that is
 * refused. The subscription continues after an absence of the server.
 *
 * A pause (overflow.h) keeps the messages in the stream. At most `limit` requested messages still arrive. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_consume(
    sgk_nats *nats, const char *stream, const char *name, const sgk_nats_consumer *consumer);

/** Returns `pipeline`, which processes `message`. The message is accepted when the pipeline completes, and refused when
 * it fails or is disposed. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_settled(sgk_signal *pipeline, sgk_value message);

/** Settles `message` as processed. Only the first settling counts. Returns SGK_ERROR_ARGUMENT if it is not from a
 * stream. */
SGK_API sgk_status sgk_nats_accept(sgk_value message);

/** Settles `message` so that it is delivered again. See sgk_nats_accept. */
SGK_API sgk_status sgk_nats_refuse(sgk_value message);

/** Restarts the `patience` of `message` during long work. Returns SGK_ERROR_ARGUMENT if it is not from a stream. */
SGK_API sgk_status sgk_nats_in_progress(sgk_value message);

/** How often `message` has been delivered by its stream, this time included; 0 when it is of none, and of any other
 * value, with an error. */
SGK_API int64_t sgk_nats_deliveries(sgk_value message);

SGK_END

#endif
