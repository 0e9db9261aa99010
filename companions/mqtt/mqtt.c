#include "signalkit/mqtt.h"

#include "common.h"
#include "loop.h"

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <string.h>

/* The subscription identifier of MQTT 5, of 28 bits, is where a subscription stands among those of the client, and
 * which of its requests at the broker it stems from. */
enum { REQUEST_BITS = 12, REQUESTS = 1 << REQUEST_BITS, MAX_FILTERS = (1 << 16) - 1 };
enum { FAREWELL = 500 }; /* milliseconds, until a broker that does not read is left without one */
enum { MAX_PAYLOAD = 268435455 };
enum { READS = 64 };     /* packets that are read before anything else has its turn */

const char *sgk_mqtt_last_error(void) { return companion_last_error(); }

/* ---- What there is ---- */

typedef struct run run;
typedef struct filter filter;
typedef struct sink sink;

/* A run that listens. */
struct run {
    sgk_mqtt *client;
    filter *filter;
    sgk_subscriber *subscriber;
    uint32_t link;    /* with which it fails */
    uint64_t since;   /* the number of the first message that it hears */
    uint32_t request; /* the one at the broker that it has made, and that brings it what is retained */
    run *next, **place;
};

/* A subscription at the broker, and the runs that share it. The one of a client whose text is NULL is none: its runs
 * hear whether there is a connection. */
struct filter {
    char *text;
    const char *pattern; /* the text without `$share/GROUP/` */
    size_t index;        /* among those of the client */
    uint32_t request;    /* the latest */
    int qos;
    run *first, **last;
};

/* A run that publishes. */
struct sink {
    companion_object object;
    sgk_mqtt *client;
    sgk_subscriber *subscriber;
    sgk_reader *reader;
    char *topic;
    int qos;
    bool retained;
    /* What follows is the client's thread's alone. */
    sgk_value waiting; /* read already, and not yet published */
    bool has_waiting, has_asked, is_complete, is_over;
    uint32_t link; /* with which it fails */
    int64_t under_way;
    sink *next, **place;
};

/* A message that the broker has not acknowledged. */
typedef struct sent {
    sink *sink; /* NULL: that is over */
    bool is_there, is_lost_with_connection;
} sent;

/* What libmosquitto has called back with, until it has returned. */
typedef struct event {
    enum { CONNECTED, MESSAGE, ACKNOWLEDGED, SUBSCRIBED } kind;
    int reason;
    uint32_t number; /* of an attempt; a subscription's identifier; a packet's */
    sgk_value message;
} event;

/* A subscription that the broker has not answered yet. */
typedef struct asked {
    int packet;
    size_t index;
    uint32_t request;
} asked;

struct sgk_mqtt {
    companion_object object;
    companion_loop *loop;
    char *host, *id, *user, *password, *will_topic;
    sgk_value will;
    sgk_mqtt_options options;
    int port;
    _Atomic int64_t connections, received, published, acknowledged, lost;
    /* What follows is the client's thread's alone. */
    struct mosquitto *mosquitto; /* NULL: there is no connection, and nobody has wanted one */
    bool is_lent;                /* to the thread that connects it */
    sgk_disposable *link;        /* the run of the attempts to connect */
    sgk_subscriber *attempt;     /* the present one, or the connection */
    sgk_backoff backoff;
    uint32_t attempts, links, requests;
    int refused; /* what the thread that connects has to say */
    int reason;  /* why the connection was lost */
    bool is_connected, has_more, has_given_up;
    sgk_value failure; /* of the last attempt, if it has given up */
    filter status, **filters;
    size_t filter_count;
    uint64_t messages;
    run *next; /* the one that the present message is brought to after this */
    sink *sinks, **last_sink, *next_sink;
    size_t sink_count;
    sent *sent; /* by the numbers of packets, which are consecutive; `oldest` is the first without an answer */
    uint32_t sent_size;
    uint16_t oldest, newest;
    int64_t sent_count;
    asked *asked; /* in their order */
    size_t asked_count, asked_size;
    event *events;
    size_t event_count, event_size;
};

static void need_link(sgk_mqtt *client);

static void client_destroy(void *object) { companion_loop_end(((sgk_mqtt *)object)->loop); }
static const companion_kind client_kind = {"sgk_mqtt", client_destroy};
COMPANION_LOOP_HANDLE(sgk_mqtt, &client_kind)

static sgk_value error_of(int number) {
    return companion_error(number, number < 128 ? mosquitto_strerror(number) : mosquitto_reason_string(number));
}

static bool is_about_connection(int failure) {
    return failure == MOSQ_ERR_NO_CONN || failure == MOSQ_ERR_CONN_LOST || failure == MOSQ_ERR_ERRNO;
}
static bool is_text(const char *text) {
    return *text && mosquitto_validate_utf8(text, (int)strlen(text)) == MOSQ_ERR_SUCCESS;
}
static bool is_topic(const char *text) { return is_text(text) && mosquitto_pub_topic_check(text) == MOSQ_ERR_SUCCESS; }
static bool is_filter(const char *text) { return is_text(text) && mosquitto_sub_topic_check(text) == MOSQ_ERR_SUCCESS; }

/* The array, with room for one more; NULL when there is no memory, and then it is as it was. */
static void *with_room(void *array, size_t count, size_t *size, size_t of_one) {
    if (count < *size) return array;
    size_t larger = *size ? *size * 2 : 16;
    void *moved = realloc(array, larger * of_one);
    if (moved) *size = larger;
    return moved;
}

/* ---- What libmosquitto says: it is noted, and dealt with when the call has returned ---- */

static void note(sgk_mqtt *client, event event) {
    struct event *events = with_room(client->events, client->event_count, &client->event_size, sizeof event);
    if (!events) return sgk_value_release(event.message);
    client->events = events;
    client->events[client->event_count++] = event;
}
static void on_connect(struct mosquitto *m, void *client, int reason, int flags, const mosquitto_property *all) {
    note(client, (event){CONNECTED, reason, ((sgk_mqtt *)client)->attempts, sgk_null()});
}
static void on_disconnect(struct mosquitto *m, void *client, int reason, const mosquitto_property *all) {
    ((sgk_mqtt *)client)->reason = reason; /* that it has no socket any more says the rest */
}
static void on_publish(struct mosquitto *m, void *client, int packet, int reason, const mosquitto_property *all) {
    note(client, (event){ACKNOWLEDGED, reason, (uint32_t)packet, sgk_null()});
}
static void on_subscribe(
    struct mosquitto *m, void *client, int packet, int count, const int *granted, const mosquitto_property *all) {
    note(client, (event){SUBSCRIBED, count > 0 ? granted[0] : 0, (uint32_t)packet, sgk_null()});
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

/* ---- Runs that listen ---- */

static bool fits(const filter *filter, const char *topic) {
    bool does = false;
    return mosquitto_topic_matches_sub(filter->pattern, topic, &does) == MOSQ_ERR_SUCCESS && does;
}

/* Asks the broker for the subscription, anew for each run, which so gets what is retained; for all of them (NULL) when
 * the connection is new. */
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
    asked *asked = failed ? NULL
        : with_room(client->asked, client->asked_count, &client->asked_size, sizeof *client->asked);
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

/* The run hears nothing any more; the last one takes the subscription with it. */
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

static void run_free(void *context) {
    run *run = context;
    sgk_mqtt *client = run->client;
    take_out(run);
    sgk_subscriber_release(run->subscriber);
    free(run);
    companion_release(client);
}
static void run_stop(void *context) { companion_loop_let_go(((run *)context)->client->loop, run_free, context, NULL); }

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
    run *run = filter ? calloc(1, sizeof *run) : NULL;
    sgk_disposable *stop = run ? sgk_action_disposable_create(run_stop, run, NULL) : NULL;
    if (!stop) {
        sgk_subscriber_error(subscriber, sgk_give(error_of(MOSQ_ERR_NOMEM)));
        return free(run), NULL;
    }
    need_link(client);
    *run = (struct run){sgk_mqtt_retain(client), filter, sgk_subscriber_retain(subscriber), client->links,
        client->messages, REQUESTS, NULL, filter->last};
    filter->last = (*filter->last = run, &run->next);
    if (filter->qos < topic->qos) filter->qos = topic->qos;
    int refused = 0;
    if (!topic->filter) sgk_subscriber_next(subscriber, sgk_bool(client->is_connected));
    else if (client->is_connected) refused = request(client, filter, run);
    if (refused) sgk_subscriber_error(subscriber, sgk_give(error_of(refused)));
    return stop;
}

/* Brings a value to the runs that were there before it, and of those, if it was asked for, only to who has. */
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
static void bring_message(sgk_mqtt *client, sgk_value message, uint32_t identifier) {
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

/* The broker has answered a subscription: if it refuses, those fail that have asked. */
static void answered(sgk_mqtt *client, uint32_t packet, int reason) {
    size_t i = 0;
    while (i < client->asked_count && (uint32_t)client->asked[i].packet != packet) i++;
    if (i == client->asked_count) return;
    asked asked = client->asked[i];
    client->asked_count -= i + 1; /* those before it were not answered, and will not be */
    memmove(client->asked, client->asked + i + 1, client->asked_count * sizeof asked);
    if (reason < 128) return;
    sgk_value error = error_of(reason);
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

/* ---- Runs that publish ---- */

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

/* The run is over, and gives its subscriber: what is to be told it last. What is on its way goes on. */
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
    return !client->sent_count || (client->sent_count < client->options.window &&
                                      (uint16_t)(client->newest - client->oldest) + 1u < client->sent_size);
}

/* Publishes the value that waits. False when it waits on, or the run is over. */
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
    if (!topic || !is_topic(topic) ||
        companion_payload(parts, __func__, &data, &length) != SGK_OK || length > MAX_PAYLOAD) {
        sgk_value error = companion_error(SGK_MQTT_PAYLOAD, topic ? "the value is no payload, or not for this topic"
                                                                  : "the value is no topic with a payload");
        sink_fail(sink, error);
        sgk_value_release(error);
        return false;
    }
    int packet = client->newest;
    int failed = mosquitto_publish_v5(
        client->mosquitto, &packet, topic, (int)length, data, sink->qos, sink->retained, NULL);
    client->newest = (uint16_t)packet;
    if (failed == MOSQ_ERR_NO_CONN && sink->qos == 0) return false; /* not taken: the next connection will */
    if (failed && !is_about_connection(failed)) {
        sgk_value error = error_of(failed);
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

/* Publishes what there is, as far as there is room; a part of it, that others have their turn. */
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
            case SGK_ERROR_COMPLETED:
                sink->is_complete = true;
                return sink_look_for_end(sink);
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

/* Gives each a turn, as long as there is room. */
static void pump_all(sgk_mqtt *client) {
    client->has_more = false;
    client->next_sink = client->sinks;
    for (size_t n = client->sink_count; n && client->next_sink && has_room(client); n--) {
        sink *sink = companion_retain(client->next_sink);
        client->next_sink = sink->next;
        pump(sink);
        companion_release(sink);
    }
}

/* The broker has got a message, or refuses it. */
static void acknowledged(sgk_mqtt *client, uint16_t packet, int reason) {
    sent *place = &client->sent[packet & (client->sent_size - 1)];
    if (!client->sent_count || (uint16_t)(packet - client->oldest) > (uint16_t)(client->newest - client->oldest) ||
        !place->is_there) return;
    sink *sink = place->sink;
    *place = (sent){NULL, false, false};
    client->sent_count--;
    while (client->sent_count && !client->sent[client->oldest & (client->sent_size - 1)].is_there) client->oldest++;
    client->has_more = true;
    if (!sink) return;
    sink->under_way--;
    if (reason >= 128) {
        sgk_value error = error_of(reason);
        sink_fail(sink, error);
        sgk_value_release(error);
    }
    sink_look_for_end(sink);
    companion_release(sink);
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
} recipe;

static void sink_begin(void *context) {
    sink *sink = context;
    sgk_mqtt *client = sink->client;
    if (sink->is_over) return;
    need_link(client);
    sink->link = client->links;
    sink_append(companion_retain(sink));
    pump(sink); /* in any case it asks: from now on its reader knows that this is another thread than those that emit */
}
static void sink_stop_here(void *context) {
    sink *sink = context;
    if (!sink->is_over) sgk_subscriber_release(sink_take_out(sink));
}
static void sink_stop(void *context) {
    sink *sink = context;
    sgk_reader_close(sink->reader); /* who is held up goes on */
    companion_loop_let_go(sink->client->loop, sink_stop_here, companion_retain(sink), companion_release);
}

/* A new run, on the thread that starts it: what it publishes may be emitted inside that start. */
static sgk_disposable *sink_start(void *context, sgk_subscriber *subscriber) {
    recipe *recipe = context;
    sink *sink = companion_create(&sink_kind, sizeof *sink);
    if (!sink) return sgk_subscriber_error(subscriber, sgk_give(error_of(MOSQ_ERR_NOMEM))), NULL;
    sink->client = sgk_mqtt_retain(recipe->client);
    sink->subscriber = sgk_subscriber_retain(subscriber);
    sink->topic = recipe->topic ? strdup(recipe->topic) : NULL;
    sink->qos = recipe->qos;
    sink->retained = recipe->retained;
    sink->reader =
        sgk_reader_create(recipe->signal, recipe->limit, recipe->overflow, recipe->error, recipe->counter);
    sgk_disposable *stop = sink->reader && !sink->topic == !recipe->topic
        ? sgk_action_disposable_create(sink_stop, companion_retain(sink), companion_release) : NULL;
    if (stop)
        sgk_queue_async(sink->client->loop->queue, sink_begin, companion_retain(sink), companion_release);
    else
        sgk_subscriber_error(subscriber, sgk_give(error_of(MOSQ_ERR_NOMEM)));
    companion_release(sink);
    return stop;
}

/* ---- The connection: its attempts are the runs of a signal, which is started again as `backoff` says ---- */

/* Takes its leave of the broker, so that this does not publish the last will. */
static void hang_up(sgk_mqtt *client) {
    struct mosquitto *m = client->mosquitto;
    if (mosquitto_disconnect_v5(m, 0, NULL) != MOSQ_ERR_SUCCESS) return;
    struct pollfd descriptor = {.fd = mosquitto_socket(m), .events = POLLOUT};
    for (int left = FAREWELL; left > 0 && mosquitto_socket(m) >= 0 && mosquitto_want_write(m); left -= 10)
        if (poll(&descriptor, 1, 10) > 0) mosquitto_loop_write(m, 1);
}

static void connected_or_not(void *context) {
    sgk_mqtt *client = context;
    SGK_AUTO(sgk_subscriber) attempt = sgk_subscriber_retain(client->attempt);
    client->is_lent = false;
    if (!attempt) hang_up(client); /* called off meanwhile */
    else if (client->refused) sgk_subscriber_error(attempt, sgk_give(error_of(client->refused)));
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
    client->refused = mosquitto_connect_bind_v5(
        client->mosquitto, client->host, client->port, options->keep_alive, NULL, properties);
    mosquitto_property_free_all(&properties);
    sgk_queue_dispatch(client->loop->queue, connected_or_not, client, companion_release);
}

static void attempt_end(void *context) {
    sgk_mqtt *client = context;
    sgk_subscriber_replace(&client->attempt, NULL);
    client->is_connected = false;
    if (!client->is_lent) hang_up(client);
}
static sgk_disposable *attempt_begin(void *context, sgk_subscriber *subscriber) {
    sgk_mqtt *client = context;
    client->attempt = sgk_subscriber_retain(subscriber);
    client->attempts++;
    client->reason = 0;
    if (!client->is_lent) { /* otherwise one that was given up goes on there, and may still come to something */
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
        (will && mosquitto_will_set_v5(
            m, client->will_topic, (int)length, will, options->will_qos, options->will_retained, NULL));
    if (failed) return mosquitto_destroy(m), NULL;
    mosquitto_connect_v5_callback_set(m, on_connect);
    mosquitto_disconnect_v5_callback_set(m, on_disconnect);
    mosquitto_publish_v5_callback_set(m, on_publish);
    mosquitto_subscribe_v5_callback_set(m, on_subscribe);
    mosquitto_message_v5_callback_set(m, on_message);
    return m;
}

static void give_up_soon(void *context, sgk_value error) {
    sgk_mqtt *client = context;
    client->failure = sgk_value_retain(error);
    client->has_given_up = true;
}

/* Begins to connect, unless the client is at it. */
static void need_link(sgk_mqtt *client) {
    if (client->link) return;
    client->links++;
    if (!client->mosquitto) client->mosquitto = new_client_of_library(client);
    sgk_value late = companion_error(SGK_MQTT_TIMEOUT, "the broker has not answered in time");
    SGK_AUTO(sgk_signal) too_late = sgk_signal_fail(sgk_give(late));
    SGK_AUTO(sgk_signal) s = client->mosquitto ? sgk_signal_create(attempt_begin, client, NULL)
                                               : sgk_signal_fail(sgk_give(error_of(MOSQ_ERR_NOMEM)));
    sgk_signal_replace(&s, sgk_signal_timeout(s, client->options.timeout, too_late, client->loop->queue));
    sgk_signal_replace(&s, sgk_signal_retry_backoff(
        s, client->options.attempts, &client->backoff, true, client->loop->queue));
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = client;
    handlers.error = give_up_soon;
    client->link = sgk_signal_start(s, &handlers);
}

/* All that has waited for this link fails; what begins meanwhile waits for another. */
static void give_up(sgk_mqtt *client) {
    sgk_value error = client->failure;
    uint32_t link = client->links;
    client->has_given_up = false;
    client->failure = sgk_null();
    sgk_disposable_replace(&client->link, NULL);
    if (!client->is_lent) {
        mosquitto_destroy(client->mosquitto);
        client->mosquitto = NULL;
    }
    for (sink *sink; (sink = client->sinks) && sink->link <= link;) sink_fail(sink, error);
    for (run *run; (run = client->status.first) && run->link <= link;) run_fail(run, error);
    for (size_t i = 0; i < client->filter_count; i++)
        for (run *run; client->filters[i] && (run = client->filters[i]->first) && run->link <= link;)
            run_fail(run, error);
    sgk_value_release(error);
}

static void connected(sgk_mqtt *client, uint32_t attempt, int reason) {
    if (!client->attempt || attempt != client->attempts) return;
    SGK_AUTO(sgk_subscriber) subscriber = sgk_subscriber_retain(client->attempt);
    if (reason) {
        sgk_subscriber_error(subscriber, sgk_give(error_of(reason)));
        return;
    }
    client->is_connected = client->has_more = true;
    client->connections++;
    sgk_subscriber_next(subscriber, sgk_null());
    for (size_t i = 0; i < client->filter_count; i++)
        if (client->filters[i]) request(client, client->filters[i], NULL);
    bring(client, &client->status, sgk_bool(true), REQUESTS);
}

static bool is_lost(const sgk_mqtt *client) {
    return client->attempt && !client->is_lent && mosquitto_socket(client->mosquitto) < 0;
}
static void lost(sgk_mqtt *client) {
    SGK_AUTO(sgk_subscriber) subscriber = sgk_subscriber_retain(client->attempt);
    bool was_connected = client->is_connected;
    client->is_connected = false;
    client->asked_count = 0;
    uint32_t packet = client->oldest;
    for (uint32_t n = client->sent_count ? (uint16_t)(client->newest - packet) + 1u : 0; n--; packet++) {
        if (!client->sent[packet & (client->sent_size - 1)].is_lost_with_connection) continue;
        client->lost++;
        acknowledged(client, (uint16_t)packet, 0);
    }
    sgk_subscriber_error(subscriber, sgk_give(error_of(client->reason ? client->reason : MOSQ_ERR_CONN_LOST)));
    if (was_connected) bring(client, &client->status, sgk_bool(false), REQUESTS);
}

/* ---- The thread ---- */

/* Deals with what libmosquitto has said by now; what it says meanwhile waits for the next time. */
static void deal_with_events(sgk_mqtt *client) {
    size_t count = client->event_count;
    for (size_t i = 0; i < count; i++) {
        event event = client->events[i]; /* the array may move */
        switch (event.kind) {
        case CONNECTED: connected(client, event.number, event.reason); break;
        case MESSAGE: bring_message(client, event.message, event.number); break;
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

static int prepare(void *context, struct pollfd *descriptor) {
    sgk_mqtt *client = context;
    struct mosquitto *m = client->is_lent ? NULL : client->mosquitto;
    if (m && mosquitto_want_write(m)) mosquitto_loop_write(m, 1);
    descriptor->fd = m ? mosquitto_socket(m) : -1;
    if (m && descriptor->fd >= 0) descriptor->events = (short)(POLLIN | (mosquitto_want_write(m) ? POLLOUT : 0));
    bool has_more = client->has_more && client->is_connected;
    if (client->event_count || client->has_given_up || has_more || is_lost(client)) return 0;
    return descriptor->fd >= 0 ? 1000 : -1;
}

static void step(void *context, short events) {
    sgk_mqtt *client = context;
    struct mosquitto *m = client->is_lent ? NULL : client->mosquitto;
    if (m && mosquitto_socket(m) >= 0) {
        size_t before = client->event_count;
        for (int n = 0; n < READS && (events & ~POLLOUT) && mosquitto_loop_read(m, 1) == MOSQ_ERR_SUCCESS; n++) {
            if (client->event_count == before) break; /* nothing more has come */
            before = client->event_count;
        }
        mosquitto_loop_misc(m);
    }
    deal_with_events(client);
    if (is_lost(client) && !client->event_count) lost(client);
    if (client->has_given_up) give_up(client);
    if (client->has_more && client->is_connected) pump_all(client);
}

/* Frees what a client has beside its thread. */
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
    for (uint32_t i = 0; i < client->sent_size; i++) if (client->sent[i].sink) companion_release(client->sent[i].sink);
    sgk_value_release(client->failure);
    free(client->events);
    free(client->asked);
    free(client->filters);
    client_free(client);
}

/* ---- What programs call ---- */

static void *refuse(sgk_status status, const char *function, const char *argument, const char *reason) {
    companion_failed(status, function, argument, reason);
    return NULL;
}

static const char *fault_of(const sgk_mqtt_options *o) {
    if (o->size != sizeof *o) return "has a size that is unknown"; /* and nothing else of it is looked at */
    sgk_kind will = sgk_value_kind(o->will);
    if (o->keep_alive && (o->keep_alive < 5 || o->keep_alive > 65535)) return "keep_alive is out of range";
    if (!(o->timeout >= 0)) return "timeout is out of range";
    if (o->session && !o->id) return "a session needs an id";
    if (o->password && !o->user) return "a password needs a user";
    if (o->attempts < 0) return "attempts is negative";
    if (o->window < 0 || o->window > 30000) return "window is out of range";
    if (o->will_qos < 0 || o->will_qos > 2) return "will_qos is out of range";
    if (o->will_topic && !is_topic(o->will_topic)) return "will_topic is no topic";
    if (o->will_topic && will != SGK_STRING && will != SGK_BYTES) return "will is neither a string nor bytes";
    if (!(o->backoff.initial >= 0 && o->backoff.factor >= 1 && o->backoff.max >= 0) ||
        !(o->backoff.jitter >= 0 && o->backoff.jitter <= 1)) return "backoff is out of range";
    return NULL;
}

static void begin_library(void) { mosquitto_lib_init(); }

/* A copy; NULL of NULL. */
static char *copy_of(const char *text, bool *failed) {
    char *copy = text ? strdup(text) : NULL;
    *failed = *failed || !copy != !text;
    return copy;
}

sgk_mqtt *sgk_mqtt_create(const char *host, int32_t port, const sgk_mqtt_options *options) {
    static pthread_once_t library = PTHREAD_ONCE_INIT;
    static const sgk_mqtt_options usual = SGK_MQTT_OPTIONS_INIT;
    static const companion_driver driver = {"signalkit-mqtt", prepare, step, client_close};
    if (!options) options = &usual;
    const char *fault = fault_of(options);
    bool failed = true, has_size = options->size == sizeof *options;
    sgk_mqtt *client = NULL;
    if (!host) companion_failed(SGK_ERROR_NULL, __func__, "host", "is NULL");
    else if (port < 0 || port > 65535) companion_failed(SGK_ERROR_ARGUMENT, __func__, "port", "is out of range");
    else if (fault) companion_failed(SGK_ERROR_ARGUMENT, __func__, "options", fault);
    else client = companion_create(&client_kind, sizeof *client);
    if (!client) {
        if (has_size && options->destroy) options->destroy(options->context);
        return NULL;
    }
    pthread_once(&library, begin_library);
    failed = false;
    client->options = *options;
    client->port = port;
    client->host = copy_of(host, &failed);
    client->id = copy_of(options->id, &failed);
    client->user = copy_of(options->user, &failed);
    client->password = copy_of(options->password, &failed);
    client->will_topic = copy_of(options->will_topic, &failed);
    client->will = client->will_topic ? sgk_value_retain(options->will) : sgk_null();
    if (!options->keep_alive) client->options.keep_alive = 60;
    if (options->timeout == 0) client->options.timeout = 10;
    if (!options->attempts) client->options.attempts = SGK_UNBOUNDED;
    if (!options->window) client->options.window = 1000;
    client->backoff = options->backoff;
    client->backoff.size = sizeof client->backoff;
    client->status.last = &client->status.first;
    client->last_sink = &client->sinks;
    for (client->sent_size = 2; client->sent_size < 2u * (uint32_t)client->options.window;) client->sent_size *= 2;
    client->sent = calloc(client->sent_size, sizeof *client->sent);
    if (!failed && client->sent && (client->loop = companion_loop_create(&driver, client))) return client;
    client_free(client);
    return refuse(SGK_ERROR_SYSTEM, __func__, "thread", "the system refuses it, or memory");
}

sgk_status sgk_mqtt_counts_get(sgk_mqtt *mqtt, sgk_mqtt_counts *counts) {
    if (!companion_needs(mqtt, &client_kind, __func__, "mqtt")) return mqtt ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
    if (!counts) return companion_failed(SGK_ERROR_NULL, __func__, "counts", "is NULL");
    if (counts->size != sizeof *counts)
        return companion_failed(SGK_ERROR_ARGUMENT, __func__, "counts", "has a size that is unknown");
    counts->connections = mqtt->connections;
    counts->received = mqtt->received;
    counts->published = mqtt->published;
    counts->acknowledged = mqtt->acknowledged;
    counts->lost = mqtt->lost;
    return SGK_OK;
}

static void topic_free(void *context) {
    topic *topic = context;
    companion_release(topic->client);
    free(topic->filter);
    free(topic);
}

static sgk_signal *listen_to(sgk_mqtt *mqtt, const char *filter, int qos, const char *function) {
    topic *topic = calloc(1, sizeof *topic);
    bool failed = !topic;
    if (topic) *topic = (struct topic){sgk_mqtt_retain(mqtt), copy_of(filter, &failed), qos};
    if (failed) {
        if (topic) topic_free(topic);
        return refuse(SGK_ERROR_MEMORY, function, "memory", "there is none left");
    }
    sgk_signal *signal = sgk_signal_create(run_begin, topic, topic_free);
    sgk_signal_replace(&signal, sgk_signal_run_on(signal, mqtt->loop->queue));
    return signal;
}

sgk_signal *sgk_mqtt_connected(sgk_mqtt *mqtt) {
    if (!companion_needs(mqtt, &client_kind, __func__, "mqtt")) return NULL;
    return listen_to(mqtt, NULL, 0, __func__);
}

static bool needs_qos(int32_t qos, const char *function) {
    return (qos >= 0 && qos <= 2) || refuse(SGK_ERROR_ARGUMENT, function, "qos", "is out of range");
}

static sgk_signal *topic_signal(sgk_mqtt *mqtt, const char *filter, int32_t qos, const char *function) {
    if (!companion_needs(mqtt, &client_kind, function, "mqtt") || !needs_qos(qos, function)) return NULL;
    if (!filter) return refuse(SGK_ERROR_NULL, function, "filter", "is NULL");
    if (!is_filter(filter))
        return refuse(SGK_ERROR_ARGUMENT, function, "filter", "is not a filter of topics");
    return listen_to(mqtt, filter, qos, function);
}

sgk_signal *sgk_mqtt_topic(sgk_mqtt *mqtt, const char *filter, int32_t qos) {
    return topic_signal(mqtt, filter, qos, __func__);
}

static sgk_value fail_at_will(void *will, sgk_value message) {
    size_t length = 0;
    const char *payload = sgk_mqtt_payload(message, &length);
    if (!payload || length != strlen(will) || memcmp(payload, will, length) != 0) return sgk_unchanged();
    return sgk_failed(companion_error(SGK_MQTT_GONE, sgk_mqtt_message_topic(message)));
}

sgk_signal *sgk_mqtt_watch(sgk_mqtt *mqtt, const char *filter, int32_t qos, const char *will) {
    if (!will) return refuse(SGK_ERROR_NULL, __func__, "will", "is NULL");
    bool failed = false;
    char *copy = copy_of(will, &failed);
    if (failed) return refuse(SGK_ERROR_MEMORY, __func__, "memory", "there is none left");
    SGK_AUTO(sgk_signal) messages = topic_signal(mqtt, filter, qos, __func__);
    return sgk_signal_transform(messages, fail_at_will, copy, free);
}

static sgk_value part_of(sgk_value message, sgk_mqtt_part part, sgk_kind kind, const char *function) {
    size_t count = 0;
    const sgk_value *items = sgk_value_kind(message) == SGK_ARRAY ? sgk_array_items(message, &count) : NULL;
    if (count > (size_t)part && sgk_value_kind(items[part]) == kind) return items[part];
    companion_failed(SGK_ERROR_KIND, function, "message", "is not a message");
    return sgk_null();
}

const char *sgk_mqtt_payload(sgk_value message, size_t *length) {
    sgk_value payload = part_of(message, SGK_MQTT_PART_PAYLOAD, SGK_BYTES, __func__);
    if (length) *length = 0;
    return sgk_value_kind(payload) == SGK_BYTES ? sgk_value_data(payload, length) : NULL;
}

const char *sgk_mqtt_message_topic(sgk_value message) {
    sgk_value topic = part_of(message, SGK_MQTT_PART_TOPIC, SGK_STRING, __func__);
    return sgk_value_kind(topic) == SGK_STRING ? sgk_value_data(topic, NULL) : NULL;
}

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
        return refuse(SGK_ERROR_ARGUMENT, function, "topic", "is not a topic");
    recipe *recipe = malloc(sizeof *recipe);
    bool failed = !recipe;
    if (recipe) {
        *recipe = parts;
        recipe->topic = copy_of(parts.topic, &failed);
        sgk_mqtt_retain(recipe->client);
        sgk_signal_retain(recipe->signal);
        sgk_overflow_counter_retain(recipe->counter);
        sgk_value_retain(recipe->error);
    }
    if (!failed) return sgk_signal_create(sink_start, recipe, recipe_free);
    if (recipe) recipe_free(recipe);
    return refuse(SGK_ERROR_MEMORY, function, "memory", "there is none left");
}

sgk_signal *sgk_mqtt_publish(sgk_mqtt *mqtt, const char *topic, sgk_value payload, int32_t qos, bool retained) {
    const void *data;
    size_t length;
    SGK_AUTO(sgk_signal) single = NULL;
    sgk_signal *signal = NULL;
    if (!topic) companion_failed(SGK_ERROR_NULL, __func__, "topic", "is NULL");
    else if (companion_payload(payload, __func__, &data, &length) == SGK_OK && (single = sgk_signal_single(payload)))
        signal = publishing((recipe){mqtt, single, (char *)topic, qos, retained, 1, SGK_OVERFLOW_SUSPEND, sgk_null(),
            NULL}, __func__);
    if (!single) companion_done_with(payload);
    return signal;
}

sgk_signal *sgk_mqtt_sink(sgk_mqtt *mqtt, sgk_signal *signal, const char *topic, int32_t qos, bool retained,
    int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter) {
    sgk_value lent = error;
    lent.reserved = 0;
    sgk_signal *sink = NULL;
    if (!signal) companion_failed(SGK_ERROR_NULL, __func__, "signal", "is NULL");
    else if (limit < 1) companion_failed(SGK_ERROR_ARGUMENT, __func__, "limit", "is less than 1");
    else if (overflow < SGK_OVERFLOW_SUSPEND || overflow > SGK_OVERFLOW_ERROR)
        companion_failed(SGK_ERROR_ARGUMENT, __func__, "overflow", "is none");
    else sink = publishing((recipe){mqtt, signal, (char *)topic, qos, retained, limit, overflow, lent, counter},
        __func__);
    companion_done_with(error);
    return sink;
}
