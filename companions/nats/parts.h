/* Internal interface of the companion for NATS: connection.c, messages.c, subscriptions.c, requests.c, streams.c. */
#ifndef NATS_PARTS_H
#define NATS_PARTS_H

#include "common.h"
#include "signalkit/nats.h"

#include <limits.h>
#include <math.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUBJECT_LENGTH = 1024 };

/* ---- connection.c ---- */

typedef struct run run;
typedef struct consumer consumer;
typedef struct request request;

/* A place for a request. Its generation tells a late reply to another one that was there. */
typedef struct slot {
    request *request;
    uint32_t generation, next_free;
} slot;

static const uint32_t NO_SLOT = UINT32_MAX;

struct sgk_nats {
    companion_object object;
    natsConnection *connection;
    sgk_state *state;
    int64_t waiting_messages, waiting_bytes;
    _Atomic int64_t refused;
    pthread_mutex_t lock; /* protects the following, and the subscriptions */
    pthread_cond_t over;
    bool is_closing;
    int callers;       /* what of the client's may still call for the connection: its end, the thread of the replies */
    run *runs, *ended; /* that are not over; that wait for the client's reading thread */
    bool is_tearing_down;
    int64_t dropped; /* by runs that are over */
    natsSubscription *replies;
    char *inbox; /* where replies come, at NUMBER behind it */
    slot *slots; /* of requests that wait, where a number begins with the index */
    int64_t slots_made, slots_limit, slots_taken;
    uint32_t free_slot; /* the first of a list; NO_SLOT: none */
};

extern const companion_kind connection_kind;

/* The number of callbacks of the client library on this thread's stack. Such a thread must not wait for the client. */
extern _Thread_local int inside;

/* Converts a status of the client library. A closed connection is a result, but not recorded as an error. */
sgk_status answer(natsStatus status, const char *function, const char *argument);

/* Returns the error of a subscription to a signal of `function`. `text` may be NULL or empty. */
sgk_value error_of(natsStatus status, const char *function, const char *text);

/* Returns whether the text is words between dots, without characters that end a line or word of the protocol. */
bool is_subject(const char *subject, bool wildcards);
bool needs_subject(const char *subject, bool wildcards, const char *function);

/* Returns a time in milliseconds, 1 or more. For an invalid time it records the error and returns 0. */
int64_t milliseconds(double seconds, const char *function);

/* One of `callers` calls no more. */
void caller_is_over(sgk_nats *nats);

/* Waits until `callers` is 0. Then the threads of the client have ended. */
void wait_until_closed(sgk_nats *nats);

/* ---- messages.c ---- */

typedef struct message {
    companion_object object;
    sgk_nats *nats;
    natsMsg *contents;
    run *consumer; /* of one of a stream, until it is settled */
    atomic_bool is_settled;
} message;

extern const companion_kind message_kind;

/* Takes the contents over. Null: there is no memory. */
sgk_value message_value(sgk_nats *nats, natsMsg *contents, run *consumer);

/* The description of a signal: a connection and a subject. */
typedef struct recipe {
    sgk_nats *nats;
    const char *function; /* of the header */
    const char *group;    /* behind the subject; NULL: none */
    char subject[];
} recipe;

/* NULL, and the mistake is recorded, when the arguments are none. */
recipe *recipe_of(sgk_nats *nats, const char *subject, const char *group, bool wildcards, const char *function);
void free_recipe(void *context);

/* ---- subscriptions.c ---- */

struct run {
    companion_object object; /* retained by the disposable, by the client until its thread has ended, by messages */
    sgk_nats *nats;
    const char *function; /* of the header */
    sgk_subscriber *subscriber;
    char *subject;
    natsSubscription *subscription; /* NULL: not yet */
    bool is_disposed;
    atomic_bool is_slow; /* it has dropped messages */
    bool is_forbidden;
    int64_t dropped;
    run *next, **place; /* among the connection's; those that have ended have no place */
    consumer *consumer; /* NULL: of a plain subscription */
    natsInbox *inbox;   /* where its messages come */
    sgk_timer *timer;
    int64_t asked, unsettled; /* messages that may still come (or PAUSED); that are not settled */
    int quiet, absent;        /* seconds without a message; requests without a server */
};

/* NULL: there is no memory, and the subscriber knows. */
run *run_of(sgk_nats *nats, const char *function, sgk_subscriber *subscriber);

/* Subscribes. If it succeeds, the client library calls the function a last time at the end. */
sgk_disposable *start(run *self, const char *subject, const char *group);
void fail(run *self, natsStatus status, const char *text);

/* The subscription begins to drop messages. */
void is_slow(sgk_nats *nats, natsSubscription *subscription);

/* The server does not allow subscriptions of this connection to the subject in quotes in `text`. */
void is_forbidden(sgk_nats *nats, const char *text);

/* ---- requests.c ---- */

/* A signal of the reply, or (`is_storing`) of the number that a stream has stored the payload under. Retains that. */
sgk_signal *ask(sgk_nats *nats, const char *subject, sgk_value payload, const char *id, bool is_storing, double seconds,
    const char *function);

/* Returns the part of the server's reply after the name `what`. On failure, returns NULL and sets `error`, which the
 * caller owns, for `function` of the header. */
const char *done(natsMsg *reply, const char *what, const char *function, sgk_value *error);

/* ---- streams.c ---- */

/* A message of the stream, or word from the server about what it was asked. */
bool is_of_the_stream(run *self, natsMsg *contents);

/* Refuses a message of a stream, unless it is settled. */
void let_go_unsettled(message *self);

/* The server has forgotten what it was asked before. */
void ask_all_anew(sgk_nats *nats);

#endif
