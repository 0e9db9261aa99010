/* Runs that listen, and the subscriptions at the broker that they share. */
#include "parts.h"

#include <mqtt_protocol.h>

/* The subscription identifier of MQTT 5 has 28 bits: the index of the filter in the client, and the number of its
 * request at the broker. */
enum { REQUEST_BITS = 12, REQUESTS = 1 << REQUEST_BITS, MAX_FILTERS = (1 << 16) - 1 };

struct run {
    companion_object object; /* retained by the disposable, and while it waits for the end of a pause */
    sgk_mqtt *client;
    filter *filter;
    sgk_subscriber *subscriber;
    uint32_t link;    /* with which it fails */
    uint64_t since;   /* the number of the first message that it receives */
    uint32_t request; /* its request at the broker, which delivers the retained messages */
    bool is_awaited;  /* the end of its pause notifies the client's thread */
    run *next, **place;
};

static bool is_filter(const char *text) { return is_text(text) && mosquitto_sub_topic_check(text) == MOSQ_ERR_SUCCESS; }

static bool fits(const filter *filter, const char *topic) {
    bool does = false;
    return mosquitto_topic_matches_sub(filter->pattern, topic, &does) == MOSQ_ERR_SUCCESS && does;
}

/* Requests the subscription at the broker. Each subscription makes a request to receive the retained messages. On a new
 * connection one request is for all of them (`run` is NULL). */
static int request(sgk_mqtt *client, filter *filter, run *run) {
    filter->request = client->requests++ % REQUESTS;
    for (struct run *one = filter->first; one; one = one->next)
        if (!run || one == run) one->request = filter->request;
    mosquitto_property *properties = NULL;
    mosquitto_property_add_varint(&properties, MQTT_PROP_SUBSCRIPTION_IDENTIFIER,
        (uint32_t)(filter->index + 1) << REQUEST_BITS | filter->request);
    int packet = client->newest;
    int failed = mosquitto_subscribe_v5(client->mosquitto, &packet, filter->text, filter->qos, 0, properties);
    mosquitto_property_free_all(&properties);
    client->newest = (uint16_t)packet;
    asked *asked = failed
        ? NULL
        : companion_with_room(client->asked, client->asked_count, &client->asked_size, sizeof *client->asked);
    if (asked) {
        client->asked = asked;
        client->asked[client->asked_count++] = (struct asked){packet, filter->index, filter->request};
    }
    return is_about_connection(failed) ? 0 : failed; /* the next connection will do it */
}

/* The subscription of this text, made if there is none. NULL when there are too many. */
static filter *filter_of(sgk_mqtt *client, const char *text) {
    size_t free_index = client->filter_count;
    for (size_t i = client->filter_count; i-- > 0;) {
        if (!client->filters[i]) free_index = i;
        else if (strcmp(client->filters[i]->text, text) == 0) return client->filters[i];
    }
    if (free_index == MAX_FILTERS) return NULL;
    if (free_index == client->filter_count) {
        filter **more = realloc(client->filters, (free_index + 1) * sizeof *more);
        if (!more) return NULL;
        client->filters = more;
        client->filter_count++;
        more[free_index] = NULL;
    }
    filter *made = calloc(1, sizeof *made);
    if (!made || !(made->text = strdup(text))) return free(made), NULL;
    const char *shared = strncmp(made->text, "$share/", 7) == 0 ? strchr(made->text + 7, '/') : NULL;
    made->pattern = shared ? shared + 1 : made->text;
    made->index = free_index;
    made->last = &made->first;
    return client->filters[free_index] = made;
}

/* Removes a subscription. The last one also removes the filter at the broker. */
static void take_out(run *run) {
    sgk_mqtt *client = run->client;
    filter *filter = run->filter;
    if (!filter) return;
    run->filter = NULL;
    if (client->next == run) client->next = run->next;
    *run->place = run->next;
    *(run->next ? &run->next->place : &filter->last) = run->place;
    if (filter->first || !filter->text) return;
    int packet = client->newest;
    if (client->is_connected) mosquitto_unsubscribe_v5(client->mosquitto, &packet, filter->text, NULL);
    client->newest = (uint16_t)packet;
    client->filters[filter->index] = NULL;
    free(filter->text);
    free(filter);
}

static void run_fail(run *run, sgk_value error) {
    sgk_subscriber *subscriber = sgk_subscriber_retain(run->subscriber);
    take_out(run);
    sgk_subscriber_error(subscriber, error);
    sgk_subscriber_release(subscriber);
}

static void run_destroy(void *object) {
    run *run = object;
    sgk_mqtt *client = run->client;
    sgk_subscriber_release(run->subscriber);
    free(run);
    companion_release(client);
}
static const companion_kind run_kind = {"run", run_destroy};

static void take_out_here(void *run) { take_out(run); }
static void run_stop(void *context) {
    companion_loop_let_go(((run *)context)->client->loop, take_out_here, context, companion_release);
}

static void pause_is_over(void *context) { ((run *)context)->is_awaited = false; } /* the loop then looks again */

/* A client with QoS 2 goes on: after a pause mosquitto 2.0.11 sends more messages at a time than the client allows, and
 * libmosquitto closes the connection. */
bool runs_are_paused(const sgk_mqtt *client) {
    bool are_paused = false;
    for (size_t i = 0; i < client->filter_count; i++) {
        if (client->filters[i] && client->filters[i]->qos == 2) return false;
        for (run *run = client->filters[i] ? client->filters[i]->first : NULL; run; run = run->next) {
            if (!sgk_subscriber_is_active(run->subscriber)) continue; /* it will be taken out */
            if (!sgk_subscriber_is_paused(run->subscriber)) return false;
            are_paused = true;
            if (run->is_awaited) continue;
            run->is_awaited = true;
            sgk_subscriber_on_resume(
                run->subscriber, pause_is_over, companion_retain(run), companion_release, client->loop->queue);
        }
    }
    return are_paused;
}

typedef struct topic {
    sgk_mqtt *client;
    char *filter; /* NULL: whether there is a connection */
    int qos;
} topic;

/* A new run, on the client's thread. */
static sgk_disposable *run_begin(void *context, sgk_subscriber *subscriber) {
    topic *topic = context;
    sgk_mqtt *client = topic->client;
    filter *filter = topic->filter ? filter_of(client, topic->filter) : &client->status;
    run *run = filter ? companion_create(&run_kind, sizeof *run) : NULL;
    sgk_disposable *stop = run ? sgk_action_disposable_create(run_stop, run, NULL) : NULL;
    if (!stop) {
        sgk_subscriber_error(subscriber, sgk_give(error_of(MOSQ_ERR_NOMEM, "sgk_mqtt_topic")));
        return free(run), NULL;
    }
    need_link(client);
    run->client = sgk_mqtt_retain(client);
    run->filter = filter;
    run->subscriber = sgk_subscriber_retain(subscriber);
    run->link = client->links;
    run->since = client->messages;
    run->request = REQUESTS;
    run->place = filter->last;
    filter->last = (*filter->last = run, &run->next);
    if (filter->qos < topic->qos) filter->qos = topic->qos;
    int refused = 0;
    if (!topic->filter) sgk_subscriber_next(subscriber, sgk_bool(client->is_connected));
    else if (client->is_connected) refused = request(client, filter, run);
    if (refused) sgk_subscriber_error(subscriber, sgk_give(error_of(refused, "sgk_mqtt_topic")));
    return stop;
}

/* Delivers a value to the subscriptions that are older than it. A retained value is delivered only to the subscription
 * that requested it. */
static void bring(sgk_mqtt *client, filter *filter, sgk_value value, uint32_t request) {
    uint64_t number = client->messages++;
    for (run *run = filter->first; run; run = client->next) {
        client->next = run->next;
        if (run->since > number || (request != REQUESTS && run->request != request)) continue;
        sgk_subscriber *subscriber = sgk_subscriber_retain(run->subscriber);
        sgk_subscriber_next(subscriber, value);
        sgk_subscriber_release(subscriber);
    }
}

/* One whose identifier is not known was kept by the broker for an earlier process. */
void bring_message(sgk_mqtt *client, sgk_value message, uint32_t identifier) {
    const char *topic = sgk_mqtt_message_topic(message);
    bool retained = sgk_to_bool(sgk_array_at(message, SGK_MQTT_PART_RETAINED));
    size_t index = identifier >> REQUEST_BITS;
    if (!topic) return; /* there was no memory for it */
    client->received++;
    filter *known = index && index <= client->filter_count ? client->filters[index - 1] : NULL;
    if (known && fits(known, topic)) return bring(client, known, message, retained ? identifier % REQUESTS : REQUESTS);
    for (size_t i = 0; i < client->filter_count && !retained; i++)
        if (client->filters[i] && fits(client->filters[i], topic)) bring(client, client->filters[i], message, REQUESTS);
}

void answered(sgk_mqtt *client, uint32_t packet, int reason) {
    size_t i = 0;
    while (i < client->asked_count && (uint32_t)client->asked[i].packet != packet) i++;
    if (i == client->asked_count) return;
    asked asked = client->asked[i];
    client->asked_count -= i + 1; /* those before it were not answered, and will not be */
    memmove(client->asked, client->asked + i + 1, client->asked_count * sizeof asked);
    if (reason < 128) return;
    sgk_value error = error_of(reason, "sgk_mqtt_topic");
    filter *filter = client->filters[asked.index];
    for (run *run = filter ? filter->first : NULL, *next; run; run = next) {
        next = run->next;
        if (run->request == asked.request) {
            client->next = next;
            run_fail(run, error);
            next = client->next;
        }
    }
    sgk_value_release(error);
}

void subscribe_again(sgk_mqtt *client) {
    for (size_t i = 0; i < client->filter_count; i++)
        if (client->filters[i]) request(client, client->filters[i], NULL);
}

void tell_connected(sgk_mqtt *client) { bring(client, &client->status, sgk_bool(client->is_connected), REQUESTS); }

void fail_runs(sgk_mqtt *client, uint32_t link, sgk_value error) {
    for (run *run; (run = client->status.first) && run->link <= link;) run_fail(run, error);
    for (size_t i = 0; i < client->filter_count; i++)
        for (run *run; client->filters[i] && (run = client->filters[i]->first) && run->link <= link;)
            run_fail(run, error);
}

/* ---- What programs call ---- */

static void topic_free(void *context) {
    topic *topic = context;
    companion_release(topic->client);
    free(topic->filter);
    free(topic);
}

static sgk_signal *listen_to(sgk_mqtt *mqtt, const char *filter, int qos, const char *function) {
    topic *topic = calloc(1, sizeof *topic);
    bool failed = !topic;
    if (topic) *topic = (struct topic){sgk_mqtt_retain(mqtt), companion_copy(filter, &failed), qos};
    if (failed) {
        if (topic) topic_free(topic);
        return companion_refused(SGK_ERROR_MEMORY, function, "memory", "out of memory");
    }
    sgk_signal *signal = sgk_signal_create(run_begin, topic, topic_free);
    SGK_STAGE(run_on, signal, mqtt->loop->queue);
    return signal;
}

sgk_signal *sgk_mqtt_connected(sgk_mqtt *mqtt) {
    if (!companion_needs(mqtt, &client_kind, __func__, "mqtt")) return NULL;
    return listen_to(mqtt, NULL, 0, __func__);
}

static sgk_signal *topic_signal(sgk_mqtt *mqtt, const char *filter, int32_t qos, const char *function) {
    if (!companion_needs(mqtt, &client_kind, function, "mqtt") || !needs_qos(qos, function)) return NULL;
    if (!filter) return companion_refused(SGK_ERROR_NULL, function, "filter", "must not be NULL");
    if (!is_filter(filter)) return companion_refused(SGK_ERROR_ARGUMENT, function, "filter", "must be a topic filter");
    return listen_to(mqtt, filter, qos, function);
}

sgk_signal *sgk_mqtt_topic(sgk_mqtt *mqtt, const char *filter, int32_t qos) {
    return topic_signal(mqtt, filter, qos, __func__);
}

static sgk_value fail_at_will(void *will, sgk_value message) {
    size_t length = 0;
    const char *payload = sgk_mqtt_data(message, &length);
    if (!payload || length != strlen(will) || memcmp(payload, will, length) != 0) return sgk_unchanged();
    return sgk_failed(companion_error(SGK_MQTT_GONE, "sgk_mqtt_watch", sgk_mqtt_message_topic(message), message));
}

sgk_signal *sgk_mqtt_watch(sgk_mqtt *mqtt, const char *filter, int32_t qos, const char *will) {
    if (!will) return companion_refused(SGK_ERROR_NULL, __func__, "will", "must not be NULL");
    bool failed = false;
    char *copy = companion_copy(will, &failed);
    if (failed) return companion_refused(SGK_ERROR_MEMORY, __func__, "memory", "out of memory");
    SGK_AUTO(sgk_signal) messages = topic_signal(mqtt, filter, qos, __func__);
    return sgk_signal_map(messages, fail_at_will, copy, free);
}

static sgk_value part_of(sgk_value message, sgk_mqtt_part part, sgk_kind kind, const char *function) {
    size_t count = 0;
    const sgk_value *items = sgk_value_kind(message) == SGK_ARRAY ? sgk_array_items(message, &count) : NULL;
    if (count > (size_t)part && sgk_value_kind(items[part]) == kind) return items[part];
    companion_failed(SGK_ERROR_KIND, function, "message", "must be a message");
    return sgk_null();
}

const char *sgk_mqtt_data(sgk_value message, size_t *length) {
    sgk_value payload = part_of(message, SGK_MQTT_PART_PAYLOAD, SGK_BYTES, __func__);
    if (length) *length = 0;
    return sgk_value_kind(payload) == SGK_BYTES ? sgk_value_data(payload, length) : NULL;
}

const char *sgk_mqtt_message_topic(sgk_value message) {
    sgk_value topic = part_of(message, SGK_MQTT_PART_TOPIC, SGK_STRING, __func__);
    return sgk_value_kind(topic) == SGK_STRING ? sgk_value_data(topic, NULL) : NULL;
}
