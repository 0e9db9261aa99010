/** @file
 * MQTT 5: topics of a broker as signals, and signals as what is published. `libsignalkit-mqtt`, on the client library
 * libmosquitto.
 *
 *     SGK_AUTO(sgk_mqtt) mqtt = sgk_mqtt_create("127.0.0.1", 1883, NULL);
 *     SGK_AUTO(sgk_signal) readings = sgk_mqtt_topic(mqtt, "house/+/temperature", 1);
 *     SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(readings, print_reading, NULL, NULL);
 *     sgk_value degrees = sgk_string("12.5");
 *     SGK_AUTO(sgk_signal) cellar = sgk_mqtt_publish(mqtt, "house/cellar/temperature", sgk_give(degrees), 1, true);
 *     SGK_AUTO(sgk_disposable) sent = sgk_signal_start(cellar, NULL);
 *
 * The rules are those of signalkit.h. Mistakes of a call are told by sgk_mqtt_last_error; what a run fails with is an
 * array: a number, and a text. The number is one of libmosquitto's (mosq_err_t, below 128), a reason code of MQTT 5
 * (128 and more), or a sgk_mqtt_error.
 *
 * A client has one thread, which alone uses libmosquitto, and on which everything is emitted: one event at a time, and
 * never inside a callback of libmosquitto's, so that everything may be disposed and released there. While a callback
 * does not return, the client reads nothing: what comes waits at the broker, as much as that keeps, and nothing more is
 * kept here. A consumer that may be slow stands behind sgk_signal_deliver_on_bounded, which says what becomes of what
 * finds no room, and counts it. (One that takes more than one and a half times `keep_alive` is taken for dead by the
 * broker.)
 *
 * libmosquitto lets the whole process ignore SIGPIPE.
 * @since 1.0
 */
#ifndef SIGNALKIT_MQTT_H
#define SIGNALKIT_MQTT_H

#include <signalkit.h>

struct mosquitto;

SGK_BEGIN

/** What went wrong in the last failing call of this header on this thread, as "function: argument: reason"; "" when
 * nothing has. Valid until the next call of it on this thread. */
SGK_API const char *sgk_mqtt_last_error(void);

/** Errors of this library's own. */
typedef enum sgk_mqtt_error {
    SGK_MQTT_GONE = -100,    /**< The last will of what sgk_mqtt_watch watches has come. */
    SGK_MQTT_PAYLOAD = -101, /**< A value that cannot be published. */
    SGK_MQTT_TIMEOUT = -102  /**< The broker has not answered in time. */
} sgk_mqtt_error;

/* ---- Clients ---- */

/** A client of a broker. It connects when the first run needs it, and stays connected; when the connection is lost it
 * connects anew, as its options say. What is made of it keeps it: its signals, and their runs. When the last reference
 * goes it takes its leave of the broker, on its own thread (sgk_drain waits for that). In the child of a fork it must
 * not be used. */
SGK_HANDLE(sgk_mqtt)

/** How a client connects, and its bounds. 0 and NULL stand for what is said at each. What it points to is copied. */
typedef struct sgk_mqtt_options {
    size_t size;           /**< sizeof(sgk_mqtt_options) */
    const char *id;        /**< What the broker knows the client by. NULL: the broker finds one. */
    const char *user;      /**< NULL: none. */
    const char *password;  /**< NULL: none. */
    int32_t keep_alive;    /**< Seconds of silence after which the two ask for each other; 5 or more. 60. */
    double timeout;        /**< Seconds until a broker that does not answer counts as absent. 10. */
    /** For how many seconds after a lost connection the broker keeps the subscriptions, and collects for them what is
     * of QoS 1 and 2. Needs an `id`. 0: not at all. */
    uint32_t session;
    const char *will_topic; /**< Where the broker publishes the last will, when the connection is lost. NULL: none. */
    sgk_value will;         /**< The last will, a string or bytes; borrowed for the call. */
    int32_t will_qos;       /**< From 0 to 2. */
    bool will_retained;     /**< Whether the broker keeps it for those who come later. */
    /** How often in a row it is tried to connect before all runs fail; the next run that is started begins anew. A
     * connection without use counts as a failure, see `backoff`. 0: without an end. */
    int64_t attempts;
    /** How long it waits between them, see sgk_signal_retry_backoff. NULL: 0.1 seconds until it is tried again, twice
     * as long each time, up to 30, with a jitter of 0.2. After a connection that was of use, the wait is the first one
     * again: it has received a message or an acknowledgement, or has lasted for `timeout` seconds. */
    const sgk_backoff *backoff;
    int32_t window; /**< How many messages may be on their way to the broker, not yet acknowledged. 1000. */
    /** Called with `context` before each connection, on a thread of SignalKit's, with the client of libmosquitto: for
     * what is not here, as TLS (mosquitto_tls_set). It must not connect, nor change the callbacks. NULL: not called. */
    void (*configure)(void *context, struct mosquitto *client);
    void *context;          /**< For `configure`. */
    sgk_destroy_fn destroy; /**< Called with `context` when the client is gone, or sgk_mqtt_create fails. */
} sgk_mqtt_options;

/** What a sgk_mqtt_options begins as. */
#define SGK_MQTT_OPTIONS_INIT                                                                                     \
    {sizeof(sgk_mqtt_options), NULL, NULL, NULL, 0, 0, 0, NULL, {SGK_NULL, 0, 0}, 0, false, 0, NULL, 0, NULL, NULL, \
     NULL}

/** A client of the broker on `host`, at `port` (1 to 65535); with 0 as the port, of one at a Unix socket, whose path
 * `host` is. `options` may be NULL. It does not connect yet. */
SGK_API SGK_OWNED sgk_mqtt *sgk_mqtt_create(const char *host, int32_t port, const sgk_mqtt_options *options);

/** Whether the client is connected, as a bool: now, then at each change. To start it connects the client. Fails when
 * that gives up. `reason` of sgk_mqtt_counts_get says why it is connected no more. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_connected(sgk_mqtt *mqtt);

/** What has happened to a client. */
typedef struct sgk_mqtt_counts {
    size_t size;          /**< sizeof(sgk_mqtt_counts) */
    int64_t connections;  /**< How often it was connected. */
    int64_t received;     /**< Messages that have come; of overlapping subscriptions each gets one. */
    int64_t published;    /**< Messages that have been published. */
    int64_t acknowledged; /**< Those that the broker has got; of QoS 0, that the system has got. */
    int64_t lost;         /**< Those of QoS 0 that were on their way when a connection was lost. */
    int64_t failed;       /**< Attempts to connect that ended without use. See `backoff` of sgk_mqtt_options. */
    int64_t reason;       /**< Why the latest attempt or connection ended: the number of an error. 0: none has. */
} sgk_mqtt_counts;

/** What a sgk_mqtt_counts begins as. */
#define SGK_MQTT_COUNTS_INIT {sizeof(sgk_mqtt_counts), 0, 0, 0, 0, 0, 0, 0}

/** Puts at `counts` what has happened so far. */
SGK_API sgk_status sgk_mqtt_counts_get(sgk_mqtt *mqtt, sgk_mqtt_counts *counts);

/* ---- Topics ---- */

/** Where the parts of a message stand in its array. */
typedef enum sgk_mqtt_part {
    SGK_MQTT_PART_TOPIC = 0,    /**< A string. */
    SGK_MQTT_PART_PAYLOAD = 1,  /**< Bytes. */
    SGK_MQTT_PART_RETAINED = 2, /**< A bool: it was published before the run was started, and kept by the broker. */
    SGK_MQTT_PART_QOS = 3       /**< An int. */
} sgk_mqtt_part;

/** The payload of a message, borrowed from it; `length` (may be NULL) gets the length. Of any value that is no message
 * NULL, with an error. */
SGK_API const char *sgk_mqtt_data(sgk_value message, size_t *length);

/** The topic of a message, borrowed from it. Of any value that is no message NULL, with an error. */
SGK_API const char *sgk_mqtt_message_topic(sgk_value message);

/** The messages of the topics that `filter` fits (`+` stands for a level, a `#` at the end for any number of them),
 * each an array: see sgk_mqtt_part. Each run begins with the messages that the broker retains, of each topic the
 * latest: its state; and so it does again when the client was connected anew. All runs of a filter share one
 * subscription at the broker, of the greatest `qos` (0 to 2) that any of them has wanted. `$share/GROUP/FILTER`
 * spreads the messages over the clients of the group. Fails when the broker refuses the subscription, or the client
 * gives up. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_topic(sgk_mqtt *mqtt, const char *filter, int32_t qos);

/** As sgk_mqtt_topic (also as to `filter` and `qos`), but fails with SGK_MQTT_GONE at a message whose payload is
 * `will`: what somebody has left as the last will there, or says as a farewell. If that is retained, so does each run
 * that is started until there is another message. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_watch(sgk_mqtt *mqtt, const char *filter, int32_t qos, const char *will);

/* ---- Publishing ---- */

/** Each start publishes `payload`, a string or bytes, under `topic`, and completes when the broker has acknowledged it
 * (with `qos` 0: when the system has got it). A `retained` message stays with the broker as the state of its topic; one
 * without a byte takes that away. Disposal calls it off, unless it is on its way. A lost connection is waited for: then
 * it is sent again, and comes once with `qos` 2, at least once with 1. It fails when the broker refuses it, or the
 * client gives up. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_publish(
    sgk_mqtt *mqtt, const char *topic, sgk_value payload, int32_t qos, bool retained);

/** Each start runs `signal` and publishes its values, in their order; no values come out. Completes when `signal` has,
 * and everything is acknowledged (as by sgk_mqtt_publish, with `qos` and `retained`); fails when `signal` does, with
 * its error, or when a value cannot be published. Values are strings or bytes, to be published under `topic`; where
 * that is NULL each is an array of a topic and a payload, as the messages of sgk_mqtt_topic are.
 *
 * At most `limit` (1 or more) values wait for the client and its window; what comes then goes by `overflow`, and
 * `error`, which is what SGK_OVERFLOW_ERROR fails with; `counter` may be NULL. See sgk_reader_create: what `signal`
 * emits inside its start cannot be held up by SGK_OVERFLOW_SUSPEND, unless that is sgk_signal_run_on another queue; nor
 * is what is emitted on the client's thread. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_sink(
    sgk_mqtt *mqtt, sgk_signal *signal, const char *topic, int32_t qos, bool retained,
    int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter);

SGK_END

#endif
