/* Runs that publish: what they have read, and what of that the broker has not acknowledged. */
#include "parts.h"

enum { MAX_PAYLOAD = 268435455 };

struct sink {
    companion_object object;
    sgk_mqtt *client;
    sgk_subscriber *subscriber;
    sgk_reader *reader;
    char *topic;
    const char *function; /* of the header */
    int qos;
    bool retained;
    /* Only the client's thread uses the following. */
    sgk_value waiting; /* already read, not yet published */
    bool has_waiting, has_asked, is_complete, is_over;
    uint32_t link; /* with which it fails */
    int64_t under_way;
    sink *next, **place;
};

static void sink_destroy(void *object) {
    sink *sink = object;
    sgk_value_release(sink->waiting);
    sgk_reader_release(sink->reader);
    sgk_subscriber_release(sink->subscriber);
    free(sink->topic);
    sgk_mqtt *client = sink->client;
    free(sink);
    companion_release(client);
}
static const companion_kind sink_kind = {"run that publishes", sink_destroy};

static void sink_append(sink *sink) {
    sgk_mqtt *client = sink->client;
    sink->next = NULL;
    sink->place = client->last_sink;
    client->last_sink = (*sink->place = sink, &sink->next);
    client->sink_count++;
}
static void sink_unlink(sink *sink) {
    sgk_mqtt *client = sink->client;
    if (client->next_sink == sink) client->next_sink = sink->next;
    *sink->place = sink->next;
    *(sink->next ? &sink->next->place : &client->last_sink) = sink->place;
    sink->place = NULL;
    client->sink_count--;
}

/* Removes an ended subscription and returns its subscriber, which then receives the terminal event. Messages in flight
 * continue. */
static sgk_subscriber *sink_take_out(sink *sink) {
    sgk_mqtt *client = sink->client;
    sink->is_over = true;
    for (uint32_t i = 0; sink->under_way && i < client->sent_size; i++) {
        if (client->sent[i].sink != sink) continue;
        client->sent[i].sink = NULL;
        sink->under_way--;
        companion_release(sink);
    }
    sgk_subscriber *subscriber = sgk_subscriber_retain(sink->subscriber);
    sgk_reader_close(sink->reader);
    if (sink->place) sink_unlink(sink), companion_release(sink);
    return subscriber;
}
static void sink_fail(sink *sink, sgk_value error) {
    if (sink->is_over) return;
    sgk_subscriber *subscriber = sink_take_out(sink);
    sgk_subscriber_error(subscriber, error);
    sgk_subscriber_release(subscriber);
}
static void sink_look_for_end(sink *sink) {
    if (sink->is_over || !sink->is_complete || sink->under_way) return;
    sgk_subscriber *subscriber = sink_take_out(sink);
    sgk_subscriber_complete(subscriber);
    sgk_subscriber_release(subscriber);
}

/* Packets have consecutive numbers: the next must have a place that is free. */
static bool has_room(const sgk_mqtt *client) {
    return !client->sent_count ||
        (client->sent_count < client->options.window &&
            (uint16_t)(client->newest - client->oldest) + 1u < client->sent_size);
}

/* Publishes the pending value. Returns false if it is still pending, or the subscription has ended. */
static bool send(sgk_mqtt *client, sink *sink) {
    sgk_value value = sink->waiting, parts = value;
    const char *topic = sink->topic;
    if (!topic) {
        size_t count = 0;
        const sgk_value *items = sgk_value_kind(value) == SGK_ARRAY ? sgk_array_items(value, &count) : NULL;
        topic = count > 1 && sgk_value_kind(items[0]) == SGK_STRING ? sgk_value_data(items[0], NULL) : NULL;
        if (topic) parts = items[1];
    }
    const void *data = NULL;
    size_t length = 0;
    if (!topic || !is_topic(topic) || companion_payload(parts, __func__, &data, &length) != SGK_OK ||
        length > MAX_PAYLOAD) {
        sgk_value error = companion_error(SGK_MQTT_PAYLOAD, sink->function,
            topic ? "the value is no payload, or not for this topic" : "the value must be a topic with a payload",
            sgk_null());
        sink_fail(sink, error);
        sgk_value_release(error);
        return false;
    }
    int packet = client->newest;
    int failed =
        mosquitto_publish_v5(client->mosquitto, &packet, topic, (int)length, data, sink->qos, sink->retained, NULL);
    client->newest = (uint16_t)packet;
    if (failed == MOSQ_ERR_NO_CONN && sink->qos == 0) return false; /* not taken: the next connection will */
    if (failed && !is_about_connection(failed)) {
        sgk_value error = error_of(failed, sink->function);
        sink_fail(sink, error);
        sgk_value_release(error);
        return false;
    }
    if (!client->sent_count++) client->oldest = client->newest;
    client->sent[client->newest & (client->sent_size - 1)] = (sent){companion_retain(sink), true, sink->qos == 0};
    sink->under_way++;
    client->published++;
    sink->has_waiting = false;
    sink->waiting = sgk_null();
    sgk_value_release(value);
    return true;
}

static void sink_ready(void *context);

/* Publishes pending values up to the limit, and only some of them, so that other subscriptions have a turn. */
static void pump(sink *sink) {
    sgk_mqtt *client = sink->client;
    for (int n = 0; n < READS; n++) {
        if (sink->is_over || (!sink->has_waiting && (sink->is_complete || sink->has_asked))) return;
        if (!sink->has_waiting) {
            sgk_value value;
            switch (sgk_reader_next(sink->reader, 0, &value)) {
            case SGK_OK:
                sink->waiting = value;
                sink->has_waiting = true;
                break;
            case SGK_ERROR_FAILED:
                sink_fail(sink, value);
                sgk_value_release(value);
                return;
            case SGK_ERROR_COMPLETED: sink->is_complete = true; return sink_look_for_end(sink);
            default:
                sink->has_asked = true;
                sgk_reader_when_ready(sink->reader, sink_ready, companion_retain(sink), companion_release);
                return;
            }
        }
        if (!client->is_connected || !has_room(client) || !send(client, sink)) return;
    }
    client->has_more = true;
    sink_unlink(sink);
    sink_append(sink);
}
static void pump_again(void *context) {
    ((sink *)context)->has_asked = false;
    pump(context);
}
static void sink_ready(void *context) { /* on the thread that has emitted */
    sgk_queue *queue = ((sink *)context)->client->loop->queue;
    sgk_queue_dispatch(queue, pump_again, companion_retain(context), companion_release);
}

void pump_all(sgk_mqtt *client) {
    client->has_more = false;
    client->next_sink = client->sinks;
    for (size_t n = client->sink_count; n && client->next_sink && has_room(client); n--) {
        sink *sink = companion_retain(client->next_sink);
        client->next_sink = sink->next;
        pump(sink);
        companion_release(sink);
    }
}

void acknowledged(sgk_mqtt *client, uint16_t packet, int reason) {
    sent *place = &client->sent[packet & (client->sent_size - 1)];
    if (!client->sent_count || (uint16_t)(packet - client->oldest) > (uint16_t)(client->newest - client->oldest) ||
        !place->is_there)
        return;
    if (!place->is_lost_with_connection) prove(client); /* one of QoS 0 was only sent */
    sink *sink = place->sink;
    *place = (sent){NULL, false, false};
    client->sent_count--;
    while (client->sent_count && !client->sent[client->oldest & (client->sent_size - 1)].is_there) client->oldest++;
    client->has_more = true;
    if (!sink) return;
    sink->under_way--;
    if (reason >= 128) {
        sgk_value error = error_of(reason, sink->function);
        sink_fail(sink, error);
        sgk_value_release(error);
    }
    sink_look_for_end(sink);
    companion_release(sink);
}

void forget_what_is_lost(sgk_mqtt *client) {
    uint32_t packet = client->oldest;
    for (uint32_t n = client->sent_count ? (uint16_t)(client->newest - packet) + 1u : 0; n--; packet++) {
        if (!client->sent[packet & (client->sent_size - 1)].is_lost_with_connection) continue;
        client->lost++;
        acknowledged(client, (uint16_t)packet, 0);
    }
}

void fail_sinks(sgk_mqtt *client, uint32_t link, sgk_value error) {
    for (sink *sink; (sink = client->sinks) && sink->link <= link;) sink_fail(sink, error);
}

typedef struct recipe {
    sgk_mqtt *client;
    sgk_signal *signal;
    char *topic;
    int qos;
    bool retained;
    int64_t limit;
    sgk_overflow overflow;
    sgk_value error;
    sgk_overflow_counter *counter;
    const char *function; /* of the header */
} recipe;

static void sink_begin(void *context) {
    sink *sink = context;
    sgk_mqtt *client = sink->client;
    if (sink->is_over) return;
    need_link(client);
    sink->link = client->links;
    sink_append(companion_retain(sink));
    pump(sink); /* even without values: the first read tells the reader the thread of its consumer */
}
static void sink_stop_here(void *context) {
    sink *sink = context;
    if (!sink->is_over) sgk_subscriber_release(sink_take_out(sink));
}
static void sink_stop(void *context) {
    sink *sink = context;
    sgk_reader_close(sink->reader); /* wakes blocked threads */
    companion_loop_let_go(sink->client->loop, sink_stop_here, companion_retain(sink), companion_release);
}

/* A new run, on the thread that starts it: what it publishes may be emitted inside that start. */
static sgk_disposable *sink_start(void *context, sgk_subscriber *subscriber) {
    recipe *recipe = context;
    sink *sink = companion_create(&sink_kind, sizeof *sink);
    if (!sink) return sgk_subscriber_error(subscriber, sgk_give(error_of(MOSQ_ERR_NOMEM, recipe->function))), NULL;
    sink->client = sgk_mqtt_retain(recipe->client);
    sink->subscriber = sgk_subscriber_retain(subscriber);
    sink->topic = recipe->topic ? strdup(recipe->topic) : NULL;
    sink->function = recipe->function;
    sink->qos = recipe->qos;
    sink->retained = recipe->retained;
    sink->reader = sgk_reader_create(recipe->signal,
        SGK_BOUND(.limit = recipe->limit, .overflow = recipe->overflow, .error = recipe->error,
            .counter = recipe->counter));
    sgk_disposable *stop = sink->reader && !sink->topic == !recipe->topic
        ? sgk_action_disposable_create(sink_stop, companion_retain(sink), companion_release)
        : NULL;
    if (stop) sgk_queue_async(sink->client->loop->queue, sink_begin, companion_retain(sink), companion_release);
    else sgk_subscriber_error(subscriber, sgk_give(error_of(MOSQ_ERR_NOMEM, recipe->function)));
    companion_release(sink);
    return stop;
}

/* ---- What programs call ---- */

static void recipe_free(void *context) {
    recipe *recipe = context;
    companion_release(recipe->client);
    sgk_signal_release(recipe->signal);
    sgk_overflow_counter_release(recipe->counter);
    sgk_value_release(recipe->error);
    free(recipe->topic);
    free(recipe);
}

static sgk_signal *publishing(recipe parts, const char *function) {
    if (!companion_needs(parts.client, &client_kind, function, "mqtt") || !needs_qos(parts.qos, function)) return NULL;
    if (parts.topic && !is_topic(parts.topic))
        return companion_refused(SGK_ERROR_ARGUMENT, function, "topic", "must be a topic");
    recipe *recipe = malloc(sizeof *recipe);
    bool failed = !recipe;
    if (recipe) {
        *recipe = parts;
        recipe->topic = companion_copy(parts.topic, &failed);
        recipe->function = function;
        sgk_mqtt_retain(recipe->client);
        sgk_signal_retain(recipe->signal);
        sgk_overflow_counter_retain(recipe->counter);
        recipe->error = sgk_value_retain(recipe->error);
    }
    if (!failed) return sgk_signal_create(sink_start, recipe, recipe_free);
    if (recipe) recipe_free(recipe);
    return companion_refused(SGK_ERROR_MEMORY, function, "memory", "out of memory");
}

sgk_signal *sgk_mqtt_publish(sgk_mqtt *mqtt, const char *topic, sgk_value payload, int32_t qos, bool retained) {
    const void *data;
    size_t length;
    SGK_AUTO(sgk_signal) single = NULL;
    sgk_signal *signal = NULL;
    if (!topic) companion_failed(SGK_ERROR_NULL, __func__, "topic", "must not be NULL");
    else if (companion_payload(payload, __func__, &data, &length) == SGK_OK && (single = sgk_signal_just(payload)))
        signal = publishing(
            (recipe){mqtt, single, (char *)topic, qos, retained, 1, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL, NULL},
            __func__);
    if (!single) companion_done_with(payload);
    return signal;
}

sgk_signal *sgk_mqtt_sink(sgk_mqtt *mqtt, sgk_signal *signal, const char *topic, int32_t qos, bool retained,
    int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter) {
    sgk_value lent = error;
    lent.reserved = 0;
    sgk_signal *sink = NULL;
    if (!signal) companion_failed(SGK_ERROR_NULL, __func__, "signal", "must not be NULL");
    else if (limit < 1) companion_failed(SGK_ERROR_ARGUMENT, __func__, "limit", "must be 1 or more");
    else if (overflow < SGK_OVERFLOW_SUSPEND || overflow > SGK_OVERFLOW_ERROR)
        companion_failed(SGK_ERROR_ARGUMENT, __func__, "overflow", "must be a sgk_overflow");
    else
        sink = publishing(
            (recipe){mqtt, signal, (char *)topic, qos, retained, limit, overflow, lent, counter, NULL}, __func__);
    companion_done_with(error);
    return sink;
}
