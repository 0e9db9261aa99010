/** @file
 * MQTT 5: topics of a broker as signals, and publishing of signals. `libsignalkit-mqtt`, on the client library
 * libmosquitto.
 *
 *     SGK_AUTO(sgk_mqtt) mqtt = sgk_mqtt_create("127.0.0.1", 1883, NULL);
 *     SGK_AUTO(sgk_signal) readings = sgk_mqtt_topic(mqtt, "house/+/temperature", 1);
 *     SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(readings, print_reading, NULL, NULL);
 *     sgk_value degrees = sgk_string("12.5");
 *     SGK_AUTO(sgk_signal) cellar = sgk_mqtt_publish(mqtt, "house/cellar/temperature", sgk_give(degrees), 1, true);
 *     SGK_AUTO(sgk_disposable) sent = sgk_signal_start(cellar, NULL);
 *
 * The rules of signalkit.h apply. sgk_mqtt_last_error describes a failed call. A subscription fails with an error
 * (sgk_error_code, sgk_error_text). Its code is a number of libmosquitto (mosq_err_t, below 128), a reason code of
 * MQTT 5 (128 and more), or a sgk_mqtt_error.
 *
 * A client has one thread, which is the only user of libmosquitto. It emits all events, one at a time and never inside
 * a callback of libmosquitto. So your callbacks may dispose and release everything. While a callback runs, the client
 * reads nothing, and messages are pending at the broker, within the broker's limits. For a slow consumer use
 * sgk_signal_deliver_on_bounded, which has an overflow policy and a counter. (A callback that runs longer than one and
 * a half times `keep_alive` makes the broker close the connection.)
 *
 * libmosquitto makes the whole process ignore SIGPIPE.
 * @since 1.0
 */
#ifndef SIGNALKIT_MQTT_H
#define SIGNALKIT_MQTT_H

#include <signalkit.h>

struct mosquitto;

SGK_BEGIN

/** Returns the last error of this header's functions on this thread, as "function: argument: reason"; "" if there was
 * none. Valid until the next call of it on this thread. */
SGK_API const char *sgk_mqtt_last_error(void);

/** Errors of this library. */
typedef enum sgk_mqtt_error {
    SGK_MQTT_GONE = -100,    /**< The last will that sgk_mqtt_watch waits for has arrived. It is the cause. */
    SGK_MQTT_PAYLOAD = -101, /**< A value that cannot be published. */
    SGK_MQTT_TIMEOUT = -102  /**< The broker has not answered in time. */
} sgk_mqtt_error;

/* ---- Clients ---- */

/** A client of a broker, which connects for the first subscription and stays connected. If the connection is lost, it
 * reconnects by its options. Signals and subscriptions retain their client. After the last release the client
 * disconnects on its own thread, and sgk_drain waits for that. Do not use it in the child of a fork. */
SGK_COMPANION_HANDLE(sgk_mqtt)

/** The connection options and limits of a client. 0 and NULL select the documented default. All data is copied. */
typedef struct sgk_mqtt_options {
    size_t size;          /**< sizeof(sgk_mqtt_options) */
    const char *id;       /**< The client's identifier. NULL: the broker assigns one. */
    const char *user;     /**< NULL: none. */
    const char *password; /**< NULL: none. */
    int32_t keep_alive;   /**< Seconds of silence after which the client pings; 5 or more. Default 60. */
    double timeout;       /**< Seconds to wait for an answer of the broker. Default 10. */
    /** Seconds for which the broker keeps the session after a lost connection: its topics, and pending messages of QoS
     * 1 and 2. Requires `id`. 0: no session. */
    uint32_t session;
    const char *will_topic; /**< The topic of the last will. NULL: no last will. */
    sgk_value will;         /**< The last will, a string or bytes; borrowed for the call. */
    int32_t will_qos;       /**< From 0 to 2. */
    bool will_retained;     /**< Whether the broker retains it for later subscriptions. */
    /** Number of consecutive failed attempts to connect until all subscriptions fail. The next subscription starts
     * again. A connection without use counts as a failure, see `retry`. 0: no limit. */
    int64_t attempts;
    /** The waits between attempts, see sgk_signal_retry. NULL: 0.1 seconds before the second attempt, then twice as
     * long each time, up to 30, with a jitter of 0.2. After a connection that was of use, the wait is the first one
     * again: it has received a message or an acknowledgement, or has lasted for `timeout` seconds. `attempts`,
     * `reset_on_value` and `decide` of the policy do not count. */
    const sgk_retry *retry;
    int32_t window; /**< How many messages may be on their way to the broker, not yet acknowledged. 1000. */
    /** Called with `context` and libmosquitto's client before each connection, on a thread of SignalKit. Use it for
     * other options, such as TLS (mosquitto_tls_set). It must not connect, and must not change the callbacks. May be
     * NULL. */
    void (*configure)(void *context, struct mosquitto *client);
    void *context;          /**< For `configure`. */
    sgk_destroy_fn destroy; /**< Called with `context` when the client is destroyed, or sgk_mqtt_create fails. */
} sgk_mqtt_options;

/** The initial value of a sgk_mqtt_options. */
#define SGK_MQTT_OPTIONS_INIT \
    { \
        sizeof(sgk_mqtt_options), NULL, NULL, NULL, 0, 0, 0, NULL, {SGK_NULL, 0, 0}, 0, false, 0, NULL, 0, NULL, NULL, \
            NULL \
    }

/** A client of the broker on `host`, at `port` (1 to 65535); with 0 as the port, of one at a Unix socket, whose path
 * `host` is. `options` may be NULL. It does not connect yet. */
SGK_API SGK_OWNED sgk_mqtt *sgk_mqtt_create(const char *host, int32_t port, const sgk_mqtt_options *options);

/** Emits whether the client is connected, a bool, now and at each change. A start connects the client. Fails when the
 * client gives up. `reason` of sgk_mqtt_counts_get is the reason of a lost connection. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_connected(sgk_mqtt *mqtt);

/** The statistics of a client. */
typedef struct sgk_mqtt_counts {
    size_t size;          /**< sizeof(sgk_mqtt_counts) */
    int64_t connections;  /**< Number of connections so far. */
    int64_t received;     /**< Messages received, one for each overlapping filter. */
    int64_t published;    /**< Messages published. */
    int64_t acknowledged; /**< Messages that the broker acknowledged, or of QoS 0, that the system accepted. */
    int64_t lost;         /**< Messages of QoS 0 that were in flight when a connection was lost. */
    int64_t failed;       /**< Attempts to connect that ended without use. See `retry` of sgk_mqtt_options. */
    int64_t reason;       /**< The error number of the latest end of an attempt or connection. 0: none has ended. */
} sgk_mqtt_counts;

/** The initial value of a sgk_mqtt_counts. */
#define SGK_MQTT_COUNTS_INIT \
    { sizeof(sgk_mqtt_counts), 0, 0, 0, 0, 0, 0, 0 }

/** Writes the statistics of the client to `counts`. */
SGK_API sgk_status sgk_mqtt_counts_get(sgk_mqtt *mqtt, sgk_mqtt_counts *counts);

/* ---- Topics ---- */

/** The indices of the parts of a message in its array. */
typedef enum sgk_mqtt_part {
    SGK_MQTT_PART_TOPIC = 0,    /**< A string. */
    SGK_MQTT_PART_PAYLOAD = 1,  /**< Bytes. */
    SGK_MQTT_PART_RETAINED = 2, /**< A bool: the broker retained it from a time before the start. */
    SGK_MQTT_PART_QOS = 3       /**< An int. */
} sgk_mqtt_part;

/** Returns the payload of a message, borrowed, and its length in `length` (may be NULL). Returns NULL and records an
 * error if the value is not a message. */
SGK_API const char *sgk_mqtt_data(sgk_value message, size_t *length);

/** Returns the topic of a message, borrowed. Returns NULL and records an error if the value is not a message. */
SGK_API const char *sgk_mqtt_message_topic(sgk_value message);

/** Emits the messages of the topics that match `filter`. In a filter `+` matches one level, and `#` at the end any
 * number of levels. Each message is an array: see sgk_mqtt_part.
 *
 * Each subscription first receives the retained message of each topic, also after a reconnection. All subscriptions to
 * a filter share one subscription at the broker, with the highest `qos` (0 to 2) of them. `$share/GROUP/FILTER`
 * distributes the messages among the clients of the group. Fails when the broker rejects the subscription, or the
 * client gives up.
 *
 * A pause (overflow.h) of all subscriptions to topics of the client stops its reading, unless it waits for an answer of
 * the broker. At most 64 messages still arrive. The connection stays open. A client with a subscription of QoS 2 cannot
 * be paused. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_topic(sgk_mqtt *mqtt, const char *filter, int32_t qos);

/** Like sgk_mqtt_topic, also in `filter` and `qos`, but fails with SGK_MQTT_GONE at a message whose payload is `will`.
 * The payload is the last will of a client, or its message before it disconnects. If it is retained, later
 * subscriptions also fail, until another message replaces it. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_watch(sgk_mqtt *mqtt, const char *filter, int32_t qos, const char *will);

/* ---- Publishing ---- */

/** Publishes `payload`, a string or bytes, under `topic` at each start, and completes when the broker has acknowledged
 * it (with `qos` 0: when the system has accepted it).
 *
 * The broker stores a `retained` message as the state of its topic. An empty retained message removes the state. A
 * disposal cancels a message that is not in flight yet. After a lost connection the client sends the message again: it
 * arrives once with `qos` 2, and at least once with 1. Fails when the broker rejects the message, or the client gives
 * up. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_publish(
    sgk_mqtt *mqtt, const char *topic, sgk_value payload, int32_t qos, bool retained);

/** Starts `signal` at each start and publishes its values, in order, with `qos` and `retained` as in sgk_mqtt_publish.
 * Emits no values.
 *
 * Completes when `signal` has completed and the broker has acknowledged all values. Fails with the error of `signal`,
 * or if a value cannot be published. Values are strings or bytes, published under `topic`. If `topic` is NULL, each
 * value is an array of a topic and a payload, like a message of sgk_mqtt_topic.
 *
 * At most `limit` (1 or more) values are pending. `overflow` decides what happens to a value beyond the limit, `error`
 * is the error of SGK_OVERFLOW_ERROR, and `counter` may be NULL: see sgk_reader_create. SGK_OVERFLOW_SUSPEND does not
 * block values that `signal` emits inside its start (unless you use sgk_signal_run_on with another queue) or on the
 * client's thread. */
SGK_API SGK_OWNED sgk_signal *sgk_mqtt_sink(sgk_mqtt *mqtt, sgk_signal *signal, const char *topic, int32_t qos,
    bool retained, int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter);

SGK_END

#endif
