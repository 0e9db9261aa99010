/* The callbacks of libmosquitto store events, which are handled after libmosquitto has returned. */
#include "parts.h"

#include <mqtt_protocol.h>

static void note(sgk_mqtt *client, event event) {
    struct event *events = companion_with_room(client->events, client->event_count, &client->event_size, sizeof event);
    if (!events) return sgk_value_release(event.message);
    client->events = events;
    client->events[client->event_count++] = event;
}
static void on_connect(struct mosquitto *m, void *client, int reason, int flags, const mosquitto_property *all) {
    note(client, (event){CONNECTED, reason, ((sgk_mqtt *)client)->attempts, sgk_null()});
}
static void on_disconnect(struct mosquitto *m, void *client, int reason, const mosquitto_property *all) {
    ((sgk_mqtt *)client)->reason = reason; /* the closed socket shows that the connection ended */
}
static void on_publish(struct mosquitto *m, void *client, int packet, int reason, const mosquitto_property *all) {
    note(client, (event){ACKNOWLEDGED, reason, (uint32_t)packet, sgk_null()});
}
static void on_subscribe(
    struct mosquitto *m, void *client, int packet, int count, const int *granted, const mosquitto_property *all) {
    note(client, (event){SUBSCRIBED, count > 0 ? granted[0] : 0, (uint32_t)packet, sgk_null()});
}
static void on_unsubscribe(struct mosquitto *m, void *context, int packet, const mosquitto_property *all) {
    sgk_mqtt *client = context;
    if (packet == client->sign) client->behind_until = 0;
}
static void on_message(
    struct mosquitto *m, void *client, const struct mosquitto_message *message, const mosquitto_property *all) {
    sgk_value parts[] = {sgk_give(sgk_string(message->topic)),
        sgk_give(sgk_bytes(message->payload, (size_t)message->payloadlen)), sgk_bool(message->retain),
        sgk_int(message->qos)};
    sgk_value value = sgk_array(parts, 4);
    uint32_t number = 0;
    const mosquitto_property *one =
        mosquitto_property_read_varint(all, MQTT_PROP_SUBSCRIPTION_IDENTIFIER, &number, false);
    do { /* a broker may send one copy for several subscriptions, or one for each */
        note(client, (event){MESSAGE, 0, number, sgk_value_retain(value)});
        if (one) one = mosquitto_property_read_varint(one, MQTT_PROP_SUBSCRIPTION_IDENTIFIER, &number, true);
    } while (one);
    sgk_value_release(value);
}

void listen_to_library(struct mosquitto *m) {
    mosquitto_connect_v5_callback_set(m, on_connect);
    mosquitto_disconnect_v5_callback_set(m, on_disconnect);
    mosquitto_publish_v5_callback_set(m, on_publish);
    mosquitto_subscribe_v5_callback_set(m, on_subscribe);
    mosquitto_unsubscribe_v5_callback_set(m, on_unsubscribe);
    mosquitto_message_v5_callback_set(m, on_message);
}

void deal_with_events(sgk_mqtt *client) {
    size_t count = client->event_count;
    for (size_t i = 0; i < count; i++) {
        event event = client->events[i]; /* the array may move */
        switch (event.kind) {
        case CONNECTED: connected(client, event.number, event.reason); break;
        case MESSAGE: prove(client), bring_message(client, event.message, event.number); break;
        case SUBSCRIBED: answered(client, event.number, event.reason); break;
        case ACKNOWLEDGED:
            client->acknowledged++;
            acknowledged(client, (uint16_t)event.number, event.reason);
            break;
        }
        sgk_value_release(event.message);
    }
    client->event_count -= count;
    if (client->event_count)
        memmove(client->events, client->events + count, client->event_count * sizeof *client->events);
}
