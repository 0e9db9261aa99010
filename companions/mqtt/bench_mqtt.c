/* The companion for MQTT, compared with its client library: `bench_mqtt CONTENDER MESSAGES PORT`, with QoS 0. One
 * client sends, and another receives. A request is published, and its answer is published back. */
#include "bench.h"

#include <mosquitto.h>
#include <semaphore.h>
#include <signalkit/mqtt.h>

static int port;
static sem_t ready, answered;

/* ---- Plainly: each client with the thread of the library ---- */

static void plain_connected(struct mosquitto *m, void *topic, int reason) {
    must(reason == 0, "to connect");
    mosquitto_subscribe(m, NULL, topic, 0);
}
static void plain_subscribed(struct mosquitto *m, void *topic, int id, int count, const int *granted) {
    (void)m, (void)topic, (void)id, (void)count, (void)granted;
    sem_post(&ready);
}
static void plain_count(struct mosquitto *m, void *topic, const struct mosquitto_message *message) {
    (void)m, (void)topic;
    must(message->payloadlen == SIZE, "the size");
    arrived++;
}
static void plain_answer(struct mosquitto *m, void *topic, const struct mosquitto_message *message) {
    (void)topic;
    mosquitto_publish(m, NULL, "back", message->payloadlen, message->payload, 0, false);
}
static void plain_hear(struct mosquitto *m, void *topic, const struct mosquitto_message *message) {
    (void)m, (void)topic, (void)message;
    sem_post(&answered);
}
static struct mosquitto *plain_client(
    const char *topic, void (*hear)(struct mosquitto *, void *, const struct mosquitto_message *)) {
    struct mosquitto *m = mosquitto_new(NULL, true, (void *)topic);
    mosquitto_int_option(m, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(m, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(m, plain_connected);
    mosquitto_subscribe_callback_set(m, plain_subscribed);
    mosquitto_message_callback_set(m, hear);
    must(mosquitto_connect(m, "127.0.0.1", port, 60) == MOSQ_ERR_SUCCESS, "to connect");
    must(mosquitto_loop_start(m) == MOSQ_ERR_SUCCESS, "a thread");
    while (sem_wait(&ready) != 0) {}
    return m;
}
static void plain_send(void *m, const char *data) {
    must(mosquitto_publish(m, NULL, "forth", SIZE, data, 0, false) == MOSQ_ERR_SUCCESS, "to publish");
}
static void plain_ask(void *m) {
    static const char data[SIZE];
    plain_send(m, data);
    while (sem_wait(&answered) != 0) {}
}
static void measure_plain(bool is_rate, int64_t messages) {
    mosquitto_lib_init();
    struct mosquitto *clients[] = {
        plain_client("forth", is_rate ? plain_count : plain_answer), plain_client("back", plain_hear)};
    if (is_rate) measure_rate(messages, plain_send, clients[1]);
    else measure_latency(messages, plain_ask, clients[1]);
    for (int i = 0; i < 2; i++) {
        mosquitto_disconnect(clients[i]);
        mosquitto_loop_stop(clients[i], false);
        mosquitto_destroy(clients[i]);
    }
}

/* ---- With the companion: a pipe sends messages into a sink ---- */

static void own_count(void *context, sgk_value message) {
    (void)context;
    size_t length;
    must(sgk_mqtt_data(message, &length) && length == SIZE, "the size");
    arrived++;
}
static void own_send(void *pipe, const char *data) { sgk_pipe_next(pipe, sgk_give(sgk_bytes(data, SIZE))); }
static void own_answer(void *pipe, sgk_value message) {
    sgk_pipe_next(pipe, sgk_array_at(message, SGK_MQTT_PART_PAYLOAD));
}
static void own_hear(void *context, sgk_value message) { (void)context, (void)message, sem_post(&answered); }
static void own_ask(void *pipe) {
    static const char data[SIZE];
    own_send(pipe, data);
    while (sem_wait(&answered) != 0) {}
}

/* Returns when the broker has acknowledged a message of this client, and the earlier subscription. */
static sgk_disposable *own_started(sgk_mqtt *mqtt, sgk_signal *signal, sgk_next_fn next, void *context) {
    sgk_disposable *run = sgk_signal_start_next(signal, next, context, NULL);
    SGK_AUTO(sgk_signal) last = sgk_mqtt_publish(mqtt, "ready", sgk_give(sgk_string("x")), 1, false);
    sgk_value none;
    must(sgk_signal_collect(last, 1, 60, &none) == SGK_OK, "to subscribe");
    sgk_value_release(none);
    return run;
}
static void own_ignore(void *context, sgk_value value) { (void)context, (void)value; }

static sgk_disposable *own_sink(sgk_mqtt *mqtt, sgk_pipe *pipe, const char *topic) {
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal)
    sink = sgk_mqtt_sink(mqtt, values, topic, 0, false, WINDOW, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL);
    return own_started(mqtt, sink, own_ignore, NULL);
}

static void measure_own(bool is_rate, int64_t messages) {
    SGK_AUTO(sgk_mqtt) here = sgk_mqtt_create("127.0.0.1", port, NULL);
    SGK_AUTO(sgk_mqtt) there = sgk_mqtt_create("127.0.0.1", port, NULL);
    SGK_AUTO(sgk_pipe) questions = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) answers = sgk_pipe_create();
    SGK_AUTO(sgk_signal) forth = sgk_mqtt_topic(there, "forth", 0);
    SGK_AUTO(sgk_signal) back = sgk_mqtt_topic(here, "back", 0);
    SGK_AUTO(sgk_disposable) asking = own_sink(here, questions, "forth");
    SGK_AUTO(sgk_disposable) answering = own_sink(there, answers, "back");
    SGK_AUTO(sgk_disposable) first = own_started(there, forth, is_rate ? own_count : own_answer, answers);
    SGK_AUTO(sgk_disposable) second = own_started(here, back, own_hear, NULL);
    if (is_rate) measure_rate(messages, own_send, questions);
    else measure_latency(messages, own_ask, questions);
    sgk_disposable *runs[] = {first, second, asking, answering};
    for (int i = 0; i < 4; i++) sgk_disposable_dispose(runs[i]);
}

int main(int count, char **arguments) {
    must(count == 4, "bench_mqtt CONTENDER MESSAGES PORT");
    port = atoi(arguments[3]);
    sem_init(&ready, 0, 0);
    sem_init(&answered, 0, 0);
    bool is_rate = strstr(arguments[1], "rate") != NULL;
    (strstr(arguments[1], "plain") ? measure_plain : measure_own)(is_rate, atoll(arguments[2]));
    return 0;
}
