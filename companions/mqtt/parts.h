/* Internal interface of the companion for MQTT: client.c, events.c, connection.c, listening.c, publishing.c. */
#ifndef MQTT_PARTS_H
#define MQTT_PARTS_H

#include "common.h"
#include "loop.h"
#include "signalkit/mqtt.h"

#include <mosquitto.h>
#include <stdlib.h>
#include <string.h>

enum { READS = 64 }; /* packets that are read before anything else has its turn */

/* ---- client.c ---- */

typedef struct run run;
typedef struct filter filter;
typedef struct sink sink;

/* A filter at the broker, and the subscriptions that share it. The filter whose text is NULL is local: its
 * subscriptions receive the state of the connection. */
struct filter {
    char *text;
    const char *pattern; /* the text without `$share/GROUP/` */
    size_t index;        /* among those of the client */
    uint32_t request;    /* the latest */
    int qos;
    run *first, **last;
};

/* A message that the broker has not acknowledged. */
typedef struct sent {
    sink *sink; /* NULL: that is over */
    bool is_there, is_lost_with_connection;
} sent;

/* An event from a callback of libmosquitto, stored until libmosquitto has returned. */
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
    _Atomic int64_t connections, received, published, acknowledged, lost, failed, last_reason;
    /* Only the client's thread uses the following. */
    struct mosquitto *mosquitto; /* NULL: not connected, because no subscription needed it */
    bool is_lent;                /* to the thread that connects it */
    sgk_disposable *link;        /* the subscription that connects */
    sgk_subscriber *attempt;     /* the present attempt or connection */
    sgk_retry retry;
    uint32_t attempts, links, requests;
    int refused, refusal; /* what the thread that connects has to say, and its errno */
    int reason;           /* why the connection was lost */
    bool is_connected, has_more, has_given_up;
    bool is_proven;        /* the connection has received something, or lasted long enough */
    sgk_disposable *proof; /* by time */
    /* Seconds: until then answers may be behind unread messages; when the next packet replaces a ping. */
    int64_t behind_until, next_sign;
    int sign;          /* the packet, whose answer shows that everything before it was read */
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

extern const companion_kind client_kind;

sgk_value error_of(int number, const char *function);
bool is_about_connection(int failure);
bool is_text(const char *text);
bool is_topic(const char *text);

/* Whether it is one; if not, the mistake is recorded. */
bool needs_qos(int32_t qos, const char *function);

/* ---- events.c ---- */

/* Sets what libmosquitto calls back. */
void listen_to_library(struct mosquitto *m);

/* Handles the stored events. Events that arrive in the meantime wait for the next call. */
void deal_with_events(sgk_mqtt *client);

/* ---- connection.c ---- */

/* Begins to connect, unless the client is at it. */
void need_link(sgk_mqtt *client);

/* The broker has answered an attempt. */
void connected(sgk_mqtt *client, uint32_t attempt, int reason);

/* The connection is good for something: the next attempt is the first again. */
void prove(sgk_mqtt *client);

/* Returns whether the connection is lost without a notification; and notifies the client. */
bool is_lost(const sgk_mqtt *client);
void lost(sgk_mqtt *client);

/* Fails everything that waits for this connection. New subscriptions wait for the next connection. */
void give_up(sgk_mqtt *client);

/* ---- listening.c ---- */

/* Brings a message to the runs of the subscription with this identifier. */
void bring_message(sgk_mqtt *client, sgk_value message, uint32_t identifier);

/* The broker has answered a subscription: if it refuses, those fail that have asked. */
void answered(sgk_mqtt *client, uint32_t packet, int reason);

/* Asks the broker for all subscriptions, when the connection is new. */
void subscribe_again(sgk_mqtt *client);

/* Tells who wants to know whether there is a connection. */
void tell_connected(sgk_mqtt *client);

/* Returns whether all subscriptions to topics can be paused and ask for it. If so, the end of the first pause wakes the
 * thread. */
bool runs_are_paused(const sgk_mqtt *client);

/* The runs fail that have waited for this link, or an earlier one. */
void fail_runs(sgk_mqtt *client, uint32_t link, sgk_value error);

/* ---- publishing.c ---- */

/* Lets each publishing subscription send, up to the limit. */
void pump_all(sgk_mqtt *client);

/* The broker has got a message, or refuses it. */
void acknowledged(sgk_mqtt *client, uint16_t packet, int reason);

/* Drops the messages that were in flight on the lost connection, except those that are sent again. */
void forget_what_is_lost(sgk_mqtt *client);

/* The runs fail that have waited for this link, or an earlier one. */
void fail_sinks(sgk_mqtt *client, uint32_t link, sgk_value error);

#endif
