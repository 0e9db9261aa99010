/* Clients and their statistics. */
#include "parts.h"

#include <time.h>

const char *sgk_mqtt_last_error(void) { return companion_last_error(); }

static void client_destroy(void *object) { companion_loop_end(((sgk_mqtt *)object)->loop); }
const companion_kind client_kind = {"sgk_mqtt", client_destroy};
COMPANION_LOOP_HANDLE(sgk_mqtt, &client_kind)

sgk_value error_of(int number, const char *function) {
    const char *text = number < 128 ? mosquitto_strerror(number) : mosquitto_reason_string(number);
    return companion_error(number, function, text, sgk_null());
}

bool is_about_connection(int failure) {
    return failure == MOSQ_ERR_NO_CONN || failure == MOSQ_ERR_CONN_LOST || failure == MOSQ_ERR_ERRNO;
}
bool is_text(const char *text) { return *text && mosquitto_validate_utf8(text, (int)strlen(text)) == MOSQ_ERR_SUCCESS; }
bool is_topic(const char *text) { return is_text(text) && mosquitto_pub_topic_check(text) == MOSQ_ERR_SUCCESS; }

bool needs_qos(int32_t qos, const char *function) {
    return (qos >= 0 && qos <= 2) || companion_refused(SGK_ERROR_ARGUMENT, function, "qos", "must be from 0 to 2");
}

/* ---- The thread ---- */

static int64_t seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Returns whether the client reads nothing: messages then stay in the socket and at the broker. It still reads while it
 * waits for an answer, with the messages before it. Otherwise a callback that waits for the answer would deadlock. */
static bool pauses(sgk_mqtt *client) {
    bool is_paused = client->is_connected && !client->sent_count && !client->asked_count && runs_are_paused(client);
    if (is_paused) client->behind_until = seconds() + client->options.keep_alive;
    return is_paused;
}

/* Sends a packet without effect now and then, instead of libmosquitto's pings. Without packets the broker would close
 * the connection. If the answer to a ping is behind unread messages, libmosquitto would close it. */
static void show_life(sgk_mqtt *client) {
    if (seconds() < client->next_sign) return;
    client->next_sign = seconds() + client->options.keep_alive / 2;
    client->sign = client->newest;
    mosquitto_unsubscribe_v5(client->mosquitto, &client->sign, "signalkit/nothing", NULL);
    client->newest = (uint16_t)client->sign;
}

static int prepare(void *context, struct pollfd *descriptor) {
    sgk_mqtt *client = context;
    struct mosquitto *m = client->is_lent ? NULL : client->mosquitto;
    if (m && mosquitto_want_write(m)) mosquitto_loop_write(m, 1);
    descriptor->fd = m ? mosquitto_socket(m) : -1;
    int reading = pauses(client) ? POLLRDHUP : POLLIN;
    if (m && descriptor->fd >= 0) descriptor->events = (short)(reading | (mosquitto_want_write(m) ? POLLOUT : 0));
    bool has_more = client->has_more && client->is_connected;
    if (client->event_count || client->has_given_up || has_more || is_lost(client)) return 0;
    return descriptor->fd >= 0 ? 1000 : -1;
}

static void step(void *context, short events) {
    sgk_mqtt *client = context;
    struct mosquitto *m = client->is_lent ? NULL : client->mosquitto;
    if (m && mosquitto_socket(m) >= 0) {
        size_t before = client->event_count;
        bool is_paused = pauses(client), is_behind = seconds() < client->behind_until;
        bool reads = events & ~(is_paused ? POLLIN | POLLOUT : POLLOUT);
        if (is_behind && reads) client->behind_until = seconds() + client->options.keep_alive;
        reads |= is_behind && !is_paused; /* TLS may have more than the socket */
        for (int n = 0; n < READS && reads && mosquitto_loop_read(m, 1) == MOSQ_ERR_SUCCESS; n++) {
            if (client->event_count == before) break; /* no new event */
            before = client->event_count;
        }
        if (seconds() < client->behind_until) show_life(client);
        else mosquitto_loop_misc(m);
    }
    deal_with_events(client);
    if (is_lost(client) && !client->event_count) lost(client);
    if (client->has_given_up) give_up(client);
    if (client->has_more && client->is_connected) pump_all(client);
}

/* Frees the data of a client, except its thread. */
static void client_free(sgk_mqtt *client) {
    sgk_value_release(client->will);
    free(client->sent);
    char *texts[] = {client->host, client->id, client->user, client->password, client->will_topic};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
    if (client->options.destroy) client->options.destroy(client->options.context);
    free(client);
}

static void client_close(void *context) {
    sgk_mqtt *client = context;
    if (client->link) sgk_disposable_dispose(client->link);
    sgk_disposable_release(client->link);
    mosquitto_destroy(client->mosquitto);
    for (size_t i = 0; i < client->event_count; i++) sgk_value_release(client->events[i].message);
    for (uint32_t i = 0; i < client->sent_size; i++)
        if (client->sent[i].sink) companion_release(client->sent[i].sink);
    sgk_value_release(client->failure);
    free(client->events);
    free(client->asked);
    free(client->filters);
    client_free(client);
}

/* ---- What programs call ---- */

static const char *fault_of(const sgk_mqtt_options *o, const sgk_retry *retry) {
    sgk_kind will = sgk_value_kind(o->will);
    if (o->keep_alive && (o->keep_alive < 5 || o->keep_alive > 65535))
        return "keep_alive must be 0 or from 5 to 65535 seconds";
    if (!(o->timeout >= 0)) return "timeout must be 0 or more";
    if (o->session && !o->id) return "session requires id";
    if (o->password && !o->user) return "password requires user";
    if (o->attempts < 0) return "attempts must be 0 or more";
    if (o->window < 0 || o->window > 30000) return "window must be from 0 to 30000";
    if (o->will_qos < 0 || o->will_qos > 2) return "will_qos must be from 0 to 2";
    if (o->will_topic && !is_topic(o->will_topic)) return "will_topic must be a topic";
    if (o->will_topic && will != SGK_STRING && will != SGK_BYTES) return "will must be a string or bytes";
    if (!(retry->delay >= 0 || retry->delay == SGK_AT_ONCE) || !(retry->factor == 0 || retry->factor >= 1) ||
        !(retry->increment >= 0 && retry->max_delay >= 0 && retry->reset_after >= 0) ||
        !(retry->jitter >= 0 && retry->jitter <= 1))
        return "retry has a field out of range";
    return NULL;
}

static void begin_library(void) { mosquitto_lib_init(); }

sgk_mqtt *sgk_mqtt_create(const char *host, int32_t port, const sgk_mqtt_options *given) {
    static pthread_once_t library = PTHREAD_ONCE_INIT;
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    sgk_retry retry = {.size = sizeof retry, .delay = 0.1, .max_delay = 30, .jitter = 0.2};
    static const companion_driver driver = {"signalkit-mqtt", prepare, step, client_close};
    bool failed = true;
    sgk_mqtt *client = NULL;
    const char *fault;
    if (given && !companion_copy_struct(&options, sizeof options, given))
        fault = "unknown struct size; use the _INIT macro";
    else if (options.retry && !companion_copy_struct(&retry, sizeof retry, options.retry))
        fault = "retry: unknown struct size; use the _INIT macro";
    else fault = fault_of(&options, &retry);
    if (!host) companion_failed(SGK_ERROR_NULL, __func__, "host", "must not be NULL");
    else if (port < 0 || port > 65535)
        companion_failed(SGK_ERROR_ARGUMENT, __func__, "port", "must be from 0 to 65535");
    else if (fault) companion_failed(SGK_ERROR_ARGUMENT, __func__, "options", fault);
    else client = companion_create(&client_kind, sizeof *client);
    if (!client) {
        if (options.destroy) options.destroy(options.context);
        return NULL;
    }
    pthread_once(&library, begin_library);
    failed = false;
    client->options = options;
    client->port = port;
    client->host = companion_copy(host, &failed);
    client->id = companion_copy(options.id, &failed);
    client->user = companion_copy(options.user, &failed);
    client->password = companion_copy(options.password, &failed);
    client->will_topic = companion_copy(options.will_topic, &failed);
    client->will = client->will_topic ? sgk_value_retain(options.will) : sgk_null();
    if (!options.keep_alive) client->options.keep_alive = 60;
    if (options.timeout == 0) client->options.timeout = 10;
    if (!options.window) client->options.window = 1000;
    client->retry = retry;
    client->retry.size = sizeof retry; /* its known fields have been copied */
    client->retry.attempts = options.attempts;
    client->retry.reset_on_value = true;
    client->retry.decide = NULL, client->retry.context = NULL, client->retry.destroy = NULL;
    client->status.last = &client->status.first;
    client->last_sink = &client->sinks;
    for (client->sent_size = 2; client->sent_size < 2u * (uint32_t)client->options.window;) client->sent_size *= 2;
    client->sent = calloc(client->sent_size, sizeof *client->sent);
    if (!failed && client->sent && (client->loop = companion_loop_create(&driver, client))) return client;
    client_free(client);
    return companion_loop_refused(__func__);
}

sgk_status sgk_mqtt_counts_get(sgk_mqtt *mqtt, sgk_mqtt_counts *counts) {
    sgk_status status = companion_may_count(mqtt, &client_kind, __func__, "mqtt", counts);
    if (status != SGK_OK) return status;
    sgk_mqtt_counts now = {sizeof now, mqtt->connections, mqtt->received, mqtt->published, mqtt->acknowledged,
        mqtt->lost, mqtt->failed, mqtt->last_reason};
    return companion_count(counts, &now, sizeof now);
}
