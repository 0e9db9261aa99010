/* The companion for NATS, compared with its client library: `bench_nats CONTENDER MESSAGES URL`. For requests both send
 * each message immediately. */
#include "bench.h"

#include <nats/nats.h>
#include <signalkit/nats.h>

static natsConnection *plain_to(const char *url, bool is_prompt) {
    natsConnection *connection = NULL;
    natsOptions *options = NULL;
    natsOptions_Create(&options);
    natsOptions_SetURL(options, url);
    natsOptions_SetSendAsap(options, is_prompt);
    must(natsConnection_Connect(&connection, options) == NATS_OK, url);
    natsOptions_Destroy(options);
    return connection;
}
static void plain_next(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *context) {
    (void)connection, (void)subscription, (void)context;
    must(natsMsg_GetDataLength(message) == SIZE, "the size");
    arrived++;
    natsMsg_Destroy(message);
}
static void plain_send(void *context, const char *data) {
    must(natsConnection_Publish(context, "bench", data, SIZE) == NATS_OK, "to publish");
}
static void plain_answer(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *context) {
    (void)subscription, (void)context;
    natsConnection_Publish(connection, natsMsg_GetReply(message), natsMsg_GetData(message), SIZE);
    natsMsg_Destroy(message);
}
static void plain_ask(void *context) {
    static const char data[SIZE];
    natsMsg *reply = NULL;
    must(natsConnection_Request(&reply, context, "bench", data, SIZE, 10000) == NATS_OK, "to ask");
    natsMsg_Destroy(reply);
}

static void own_next(void *context, sgk_value message) {
    (void)context;
    size_t length;
    must(sgk_nats_data(message, &length) && length == SIZE, "the size");
    arrived++;
}
static void own_send(void *context, const char *data) {
    must(sgk_nats_publish(context, "bench", sgk_give(sgk_bytes(data, SIZE))) == SGK_OK, "to publish");
}
static void own_answer(void *context, sgk_value message) {
    (void)context;
    sgk_nats_reply(message, sgk_give(sgk_nats_payload(message)));
}
static void own_ask(void *context) {
    sgk_value reply;
    must(sgk_signal_get(context, 10, &reply) == SGK_OK, "to ask");
    sgk_value_release(reply);
}

int main(int count, char **arguments) {
    must(count == 4, "bench_nats CONTENDER MESSAGES URL");
    const char *contender = arguments[1], *url = arguments[3];
    int64_t messages = atoll(arguments[2]);
    bool is_rate = strstr(contender, "rate") != NULL;
    if (strstr(contender, "plain")) {
        natsConnection *here = plain_to(url, !is_rate), *there = plain_to(url, !is_rate);
        natsSubscription *subscription;
        natsConnection_Subscribe(&subscription, there, "bench", is_rate ? plain_next : plain_answer, NULL);
        must(natsConnection_Flush(there) == NATS_OK, "to subscribe");
        if (is_rate) measure_rate(messages, plain_send, here);
        else measure_latency(messages, plain_ask, here);
        natsSubscription_Destroy(subscription);
        natsConnection_Destroy(here);
        natsConnection_Destroy(there);
    } else {
        static const char data[SIZE];
        sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
        options.prompt = !is_rate;
        sgk_nats *here = sgk_nats_connect(url, &options), *there = sgk_nats_connect(url, &options);
        sgk_signal *signal = sgk_nats_subscribe(there, "bench");
        sgk_disposable *run = sgk_signal_start_next(signal, is_rate ? own_next : own_answer, NULL, NULL);
        must(sgk_nats_flush(there, 10) == SGK_OK, "to subscribe");
        sgk_signal *request = sgk_nats_request(here, "bench", sgk_give(sgk_bytes(data, SIZE)), 10);
        if (is_rate) measure_rate(messages, own_send, here);
        else measure_latency(messages, own_ask, request);
        sgk_signal_release(request);
        sgk_disposable_dispose(run);
        sgk_disposable_release(run);
        sgk_signal_release(signal);
        sgk_nats_release(here);
        sgk_nats_release(there);
    }
    return 0;
}
