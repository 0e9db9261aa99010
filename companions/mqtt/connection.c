/* The connection: its attempts are the runs of a signal, which is started again as `retry` says. */
#include "parts.h"

#include <errno.h>
#include <mqtt_protocol.h>

enum { FAREWELL = 500 }; /* milliseconds, until a broker that does not read is left without one */

/* Takes its leave of the broker, so that this does not publish the last will. */
static void hang_up(sgk_mqtt *client) {
    struct mosquitto *m = client->mosquitto;
    if (mosquitto_disconnect_v5(m, 0, NULL) != MOSQ_ERR_SUCCESS) return;
    struct pollfd descriptor = {.fd = mosquitto_socket(m), .events = POLLOUT};
    for (int left = FAREWELL; left > 0 && mosquitto_socket(m) >= 0 && mosquitto_want_write(m); left -= 10)
        if (poll(&descriptor, 1, 10) > 0) mosquitto_loop_write(m, 1);
}

/* Records the end of an attempt or connection, and its reason. */
static void note_end(sgk_mqtt *client, int reason) {
    client->last_reason = reason;
    if (!client->is_proven) client->failed++;
}

void prove(sgk_mqtt *client) {
    if (client->is_proven || !client->is_connected || !client->attempt) return;
    client->is_proven = true;
    SGK_AUTO(sgk_subscriber) attempt = sgk_subscriber_retain(client->attempt);
    sgk_subscriber_next(attempt, sgk_bool(true));
}
static void prove_by_time(void *client) { prove(client); }

static void connected_or_not(void *context) {
    sgk_mqtt *client = context;
    SGK_AUTO(sgk_subscriber) attempt = sgk_subscriber_retain(client->attempt);
    client->is_lent = false;
    if (!attempt) hang_up(client); /* cancelled in the meantime */
    if (!attempt || !client->refused) return;
    note_end(client, client->refused);
    errno = client->refusal; /* whose text that of MOSQ_ERR_ERRNO is */
    sgk_subscriber_error(attempt, sgk_give(error_of(client->refused, "sgk_mqtt")));
}

/* On a thread of the library's: libmosquitto keeps it for as long as the system tries to connect. */
static void connect_now(void *context) {
    sgk_mqtt *client = context;
    const sgk_mqtt_options *options = &client->options;
    if (options->configure) options->configure(options->context, client->mosquitto);
    mosquitto_property *properties = NULL;
    mosquitto_property_add_int16(&properties, MQTT_PROP_RECEIVE_MAXIMUM, READS);
    if (options->session)
        mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, options->session);
    client->refused =
        mosquitto_connect_bind_v5(client->mosquitto, client->host, client->port, options->keep_alive, NULL, properties);
    client->refusal = errno;
    mosquitto_property_free_all(&properties);
    companion_loop_let_go(client->loop, connected_or_not, client, companion_release);
}

static void attempt_end(void *context) {
    sgk_mqtt *client = context;
    sgk_subscriber_replace(&client->attempt, NULL);
    client->is_connected = false;
    if (client->proof) sgk_disposable_dispose(client->proof);
    sgk_disposable_replace(&client->proof, NULL);
    if (!client->is_lent) hang_up(client);
}
static sgk_disposable *attempt_begin(void *context, sgk_subscriber *subscriber) {
    sgk_mqtt *client = context;
    client->attempt = sgk_subscriber_retain(subscriber);
    client->attempts++;
    client->reason = 0;
    client->is_proven = false;
    client->behind_until = client->next_sign = client->sign = 0;
    if (!client->is_lent) { /* otherwise an abandoned attempt is still running, and may succeed */
        client->is_lent = true;
        sgk_queue *queue = sgk_queue_concurrent_default();
        sgk_queue_dispatch(queue, connect_now, sgk_mqtt_retain(client), NULL);
        sgk_queue_release(queue);
    }
    return sgk_action_disposable_create(attempt_end, client, NULL);
}

static struct mosquitto *new_client_of_library(sgk_mqtt *client) {
    const sgk_mqtt_options *options = &client->options;
    struct mosquitto *m = mosquitto_new(client->id, options->session == 0, client);
    if (!m) return NULL;
    size_t length = 0;
    const char *will = client->will_topic ? sgk_value_data(client->will, &length) : NULL;
    bool failed = mosquitto_int_option(m, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5) ||
        mosquitto_int_option(m, MOSQ_OPT_SEND_MAXIMUM, options->window) ||
        mosquitto_int_option(m, MOSQ_OPT_TCP_NODELAY, 1) ||
        (client->user && mosquitto_username_pw_set(m, client->user, client->password)) ||
        (will &&
            mosquitto_will_set_v5(
                m, client->will_topic, (int)length, will, options->will_qos, options->will_retained, NULL));
    if (failed) return mosquitto_destroy(m), NULL;
    listen_to_library(m);
    return m;
}

static void give_up_soon(void *context, sgk_value error) {
    sgk_mqtt *client = context;
    client->failure = sgk_value_retain(error);
    client->has_given_up = true;
}

static sgk_disposable *fail_late(void *client, sgk_subscriber *subscriber) {
    note_end(client, SGK_MQTT_TIMEOUT);
    const char *text = "sgk_mqtt: no answer from the broker before the timeout";
    sgk_subscriber_error(subscriber, sgk_give(sgk_error(SGK_MQTT_TIMEOUT, text)));
    return NULL;
}

/* An attempt emits false when it is connected, which ends the timeout; and true, by which the next wait is the first
 * again. */
static bool is_proof(void *context, sgk_value value) { return (void)context, sgk_to_bool(value); }

void need_link(sgk_mqtt *client) {
    if (client->link) return;
    client->links++;
    if (!client->mosquitto) client->mosquitto = new_client_of_library(client);
    SGK_AUTO(sgk_signal) too_late = sgk_signal_create(fail_late, client, NULL);
    SGK_AUTO(sgk_signal)
    s = client->mosquitto ? sgk_signal_create(attempt_begin, client, NULL)
                          : sgk_signal_fail(sgk_give(error_of(MOSQ_ERR_NOMEM, "sgk_mqtt")));
    SGK_STAGE(delay_start, too_late, client->options.timeout, client->loop->queue);
    sgk_signal_replace(&s, sgk_race(SGK_LIST(sgk_signal *, s, too_late)));
    SGK_STAGE(filter, s, SGK_FN(is_proof));
    SGK_STAGE(retry, s, &client->retry, client->loop->queue);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = client;
    handlers.error = give_up_soon;
    client->link = sgk_signal_start(s, &handlers);
}

void give_up(sgk_mqtt *client) {
    sgk_value error = client->failure;
    uint32_t link = client->links;
    client->has_given_up = false;
    client->failure = sgk_null();
    sgk_disposable_replace(&client->link, NULL);
    if (!client->is_lent) {
        mosquitto_destroy(client->mosquitto);
        client->mosquitto = NULL;
    }
    fail_sinks(client, link, error);
    fail_runs(client, link, error);
    sgk_value_release(error);
}

void connected(sgk_mqtt *client, uint32_t attempt, int reason) {
    if (!client->attempt || attempt != client->attempts) return;
    SGK_AUTO(sgk_subscriber) subscriber = sgk_subscriber_retain(client->attempt);
    if (reason) {
        note_end(client, reason);
        sgk_subscriber_error(subscriber, sgk_give(error_of(reason, "sgk_mqtt")));
        return;
    }
    client->is_connected = client->has_more = true;
    client->connections++;
    sgk_disposable_replace(
        &client->proof, sgk_queue_after(client->loop->queue, client->options.timeout, prove_by_time, client, NULL));
    sgk_subscriber_next(subscriber, sgk_bool(false));
    subscribe_again(client);
    tell_connected(client);
}

bool is_lost(const sgk_mqtt *client) {
    return client->attempt && !client->is_lent && mosquitto_socket(client->mosquitto) < 0;
}
void lost(sgk_mqtt *client) {
    SGK_AUTO(sgk_subscriber) subscriber = sgk_subscriber_retain(client->attempt);
    bool was_connected = client->is_connected;
    client->is_connected = false;
    client->asked_count = 0;
    forget_what_is_lost(client);
    int reason = client->reason ? client->reason : MOSQ_ERR_CONN_LOST;
    note_end(client, reason);
    sgk_subscriber_error(subscriber, sgk_give(error_of(reason, "sgk_mqtt")));
    if (was_connected) tell_connected(client);
}
