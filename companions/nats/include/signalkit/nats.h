/** @file
 * NATS: signals that cross to other processes and machines by a nats-server. `libsignalkit-nats`, on the client library
 * libnats.
 *
 *     SGK_AUTO(sgk_nats) nats = sgk_nats_connect("nats://127.0.0.1:4222", NULL);
 *     SGK_AUTO(sgk_signal) readings = sgk_nats_subscribe(nats, "house.*.temperature");
 *     SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(readings, print_reading, NULL, NULL);
 *     sgk_nats_publish(nats, "house.cellar.temperature", sgk_give(sgk_string("12.5")));
 *
 * The rules are those of signalkit.h. Mistakes of a call are told by sgk_nats_last_error; what a run fails with is an
 * array: the number of the client library's error (a natsStatus), and a text.
 *
 * What a subscription receives is delivered on a thread of its own, the client library's, which waits for the
 * callbacks; the replies to requests come on one thread of the connection, so a callback there must not wait for
 * another reply. While a callback does not return, what comes then is kept up to the limits of sgk_nats_options.
 * Nothing of the client is ever torn down on a thread of its own: everything may be disposed and released inside
 * callbacks.
 *
 * A plain message is delivered at most once. What must not be lost goes through a stream (JetStream): sgk_nats_store,
 * sgk_nats_consume. Streams themselves are made by the server's tools, or by the client library's functions on
 * sgk_nats_client.
 * @since 1.0
 */
#ifndef SIGNALKIT_NATS_H
#define SIGNALKIT_NATS_H

#include <signalkit.h>

SGK_BEGIN

/** What went wrong in the last failing call of this header on this thread, as "function: argument: reason"; "" when
 * nothing has. Valid until the next call of it on this thread. */
SGK_API const char *sgk_nats_last_error(void);

/* ---- Connections ---- */

/** A connection to a server, or to one of several. What is made of it keeps it: its signals and their runs, sinks,
 * messages. When the last reference goes it is closed (sgk_drain waits for that, and for runs that have been disposed).
 * In the child of a fork it must not be used. */
SGK_HANDLE(sgk_nats)

/** How a connection is made, and its bounds. 0 stands for what is said at each. */
typedef struct sgk_nats_options {
    size_t size;            /**< sizeof(sgk_nats_options) */
    const char *name;       /**< What the server calls the connection. NULL: nothing. */
    double connect_timeout; /**< Seconds until a server counts as absent. 2. */
    double reconnect_wait;  /**< Seconds between tries to connect anew to the same server. 2. */
    /** How often it is tried to connect anew to each server before the connection is given up and all its runs fail.
     * SGK_UNBOUNDED: for ever. 60. */
    int64_t reconnects;
    int64_t waiting_messages; /**< How many messages wait for a subscription's callbacks; more are dropped. 65536. */
    int64_t waiting_bytes;    /**< How many bytes of them. 64 MiB. */
    /** How many bytes are kept of what is published while there is no connection; more is refused. 8 MiB. */
    int64_t publishing_bytes;
    int64_t requests; /**< How many requests wait for a reply; more fail. 65536. */
    /** Each message goes out by itself, at once. Otherwise up to a millisecond later, with others: a question and its
     * answer take two of them, but there go many more in a second. */
    bool prompt;
    /** A natsOptions of the client library, borrowed for the call: for what is not here, as TLS and credentials. Its
     * callbacks for errors, and for the connection's states, are replaced; and its name, if there is one here. With
     * natsOptions_SetRetryOnFailedConnect, without a callback, sgk_nats_connect waits for a server that is not there
     * yet, as `reconnects` says. */
    void *client;
} sgk_nats_options;

/** What a sgk_nats_options begins as. */
#define SGK_NATS_OPTIONS_INIT {sizeof(sgk_nats_options), NULL, 0, 0, 0, 0, 0, 0, 0, false, NULL}

/** Connects to the server at `url`, or to one of several, separated by commas, and waits for that. An address begins
 * with `nats://`, `tls://` or the host. `options` may be NULL. NULL with an error when no server answers. */
SGK_API SGK_OWNED sgk_nats *sgk_nats_connect(const char *url, const sgk_nats_options *options);

/** What a connection is in. */
typedef enum sgk_nats_state {
    SGK_NATS_CONNECTED = 0,    /**< Messages go and come. */
    SGK_NATS_RECONNECTING = 1, /**< The server is gone, and it is tried to connect anew. */
    SGK_NATS_CLOSED = 2        /**< It is over. */
} sgk_nats_state;

/** The states of the connection as ints (sgk_nats_state): the present one inside the start, then each change, on a
 * thread of the client's that all connections share. It never ends, and does not keep the connection. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_states(sgk_nats *nats);

/** Waits until the server has got all that was published, at most `seconds`: SGK_OK; SGK_ERROR_TIMEOUT;
 * SGK_ERROR_ENDED when the connection is closed. */
SGK_API sgk_status sgk_nats_flush(sgk_nats *nats, double seconds);

/** Closes the connection when what has been received is delivered and what was published is sent; its subscriptions
 * complete, its requests fail. Waits for that, at most `seconds` (0 or more): SGK_ERROR_TIMEOUT when what is left then
 * is dropped. Inside a callback of a connection SGK_ERROR_THREAD: it cannot be waited for there, but is closed all the
 * same. A second time it only waits. */
SGK_API sgk_status sgk_nats_close(sgk_nats *nats, double seconds);

/** The client library's own connection, a natsConnection, borrowed: for what is not here. It is not to be destroyed. */
SGK_API void *sgk_nats_client(sgk_nats *nats);

/** What has happened to a connection. */
typedef struct sgk_nats_counts {
    size_t size;       /**< sizeof(sgk_nats_counts) */
    int64_t received;  /**< Messages that have come. */
    int64_t published; /**< Messages that have gone out. */
    int64_t dropped;   /**< Messages that have come and found no room in their subscription. */
    int64_t refused;   /**< Messages that could not be published: no room, or no connection any more. */
    int64_t requests;  /**< Requests that wait for a reply. */
    int64_t reconnects; /**< How often it was connected anew. */
} sgk_nats_counts;

/** What a sgk_nats_counts begins as. */
#define SGK_NATS_COUNTS_INIT {sizeof(sgk_nats_counts), 0, 0, 0, 0, 0, 0}

/** Puts at `counts` what has happened so far. */
SGK_API sgk_status sgk_nats_counts_get(sgk_nats *nats, sgk_nats_counts *counts);

/* ---- Messages ---- */

/** The data of a message, borrowed from it, and followed by a NUL; `length` (may be NULL) gets the length. Of any other
 * value NULL, with an error. */
SGK_API const char *sgk_nats_data(sgk_value message, size_t *length);

/** The data of a message as bytes, owned by the caller. Null of any other value, with an error. */
SGK_API SGK_OWNED sgk_value sgk_nats_payload(sgk_value message);

/** The subject of a message, borrowed from it. Of any other value NULL, with an error. */
SGK_API const char *sgk_nats_subject(sgk_value message);

/** Publishes `payload`, a string or bytes, as the reply to `message`. SGK_ERROR_ARGUMENT when that wants none;
 * otherwise as sgk_nats_publish. */
SGK_API sgk_status sgk_nats_reply(sgk_value message, sgk_value payload);

/* ---- Subscribing ---- */

/** What is published under `subject`, in which `*` stands for a word and `>` at the end for any number of them: each
 * start subscribes, and emits messages. It ends with the connection: it completes after sgk_nats_close, and fails when
 * the connection is lost for good, or the server does not allow it. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_subscribe(sgk_nats *nats, const char *subject);

/** As sgk_nats_subscribe to `subject`, but of all that belong to `group`, in any process on any machine, each message
 * reaches one. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_work(sgk_nats *nats, const char *subject, const char *group);

/* ---- Publishing ---- */

/** Publishes `payload`, a string or bytes, under `subject`. SGK_OK: it is on its way, and arrives if the connection
 * lasts. SGK_ERROR_ENDED when the connection is closed; SGK_ERROR_SYSTEM when there is no room for it while it is
 * connected anew; SGK_ERROR_ARGUMENT when the subject is none, or the payload larger than the server takes;
 * SGK_ERROR_KIND. While the server does not read, the call waits. */
SGK_API sgk_status sgk_nats_publish(sgk_nats *nats, const char *subject, sgk_value payload);

/** A subscriber that publishes what it gets under `subject`. What cannot be published is counted as refused. The ends
 * mean nothing. */
SGK_API SGK_OWNED sgk_subscriber *sgk_nats_sink(sgk_nats *nats, const char *subject);

/** `signal`, of which each value is published under `subject` before it is passed on; it fails where that fails. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_published(sgk_signal *signal, sgk_nats *nats, const char *subject);

/* ---- Requests. Who answers them subscribes, and calls sgk_nats_reply. ---- */

/** Publishes `payload`, a string or bytes, under `subject` for each start, emits the first reply, a message, and
 * completes. Fails when there is none after `seconds` (infinity: for ever), when nobody subscribes to the subject, or
 * when the connection is lost for good. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_request(sgk_nats *nats, const char *subject, sgk_value payload, double seconds);

/* ---- Streams: at least once ---- */

/** Publishes `payload`, a string or bytes, under `subject` for each start, emits the number, an int, that a stream has
 * stored it under, and completes. Fails when no stream has said so after `seconds`: it may be stored all the same. Who
 * then starts again names it by `id` (may be NULL), so that the stream stores it once. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_store(
    sgk_nats *nats, const char *subject, sgk_value payload, const char *id, double seconds);

/** How messages of a stream are consumed. 0 and NULL stand for what is said at each. */
typedef struct sgk_nats_consumer {
    size_t size;         /**< sizeof(sgk_nats_consumer) */
    const char *subject; /**< Only what was stored under it; may have wildcards. NULL: all. */
    double patience;     /**< Seconds after which a message that is not settled is delivered again. 30. */
    double pause;        /**< Seconds until a message that was refused is delivered again. 0. */
    int64_t deliveries;  /**< How often a message is delivered at most. SGK_UNBOUNDED. */
    int64_t limit;       /**< How many messages of a run are not settled at most. 256. */
} sgk_nats_consumer;

/** What a sgk_nats_consumer begins as. */
#define SGK_NATS_CONSUMER_INIT {sizeof(sgk_nats_consumer), NULL, 0, 0, 0, 0}

/** The messages of `stream`: of all runs with the same `name`, in any process on any machine, each reaches one, and
 * again another one until it is settled. `consumer` may be NULL; its `subject`, `patience` and `deliveries` belong to
 * the name, and must be the same everywhere. A message is asked for when there is room for it, so who is slow holds
 * nothing back from others. A message is settled by sgk_nats_settled, sgk_nats_accept or sgk_nats_refuse; refused, when
 * its value is let go without that. It goes on when the server is gone for a while. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_consume(
    sgk_nats *nats, const char *stream, const char *name, const sgk_nats_consumer *consumer);

/** `pipeline`, which does what there is to do for `message`: that is accepted when it completes, and refused when it
 * fails or is disposed. */
SGK_API SGK_OWNED sgk_signal *sgk_nats_settled(sgk_signal *pipeline, sgk_value message);

/** Settles `message`: it is done with. The first settling counts. SGK_ERROR_ARGUMENT when it is of no stream. */
SGK_API sgk_status sgk_nats_accept(sgk_value message);

/** Settles `message`: it is to be delivered again. Otherwise as sgk_nats_accept. */
SGK_API sgk_status sgk_nats_refuse(sgk_value message);

/** Begins the patience with `message` anew: it is being worked on. SGK_ERROR_ARGUMENT when it is of no stream. */
SGK_API sgk_status sgk_nats_in_progress(sgk_value message);

/** How often `message` has been delivered by its stream, this time included; 0 when it is of none, and of any other
 * value, with an error. */
SGK_API int64_t sgk_nats_deliveries(sgk_value message);

SGK_END

#endif
