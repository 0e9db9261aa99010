#include "signalkit/nats.h"

#include "common.h"

#include <limits.h>
#include <math.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SERVERS = 64, SUBJECT_LENGTH = 1024 };

const char *sgk_nats_last_error(void) { return companion_last_error(); }

/* What a status of the client means for the caller. That something is over is an answer, and no mistake. */
static sgk_status answer(natsStatus status, const char *function, const char *argument) {
    switch (status) {
    case NATS_OK: return SGK_OK;
    case NATS_CONNECTION_CLOSED:
    case NATS_DRAINING:
    case NATS_INVALID_SUBSCRIPTION: return SGK_ERROR_ENDED;
    case NATS_TIMEOUT: return SGK_ERROR_TIMEOUT;
    case NATS_NO_MEMORY: return companion_failed(SGK_ERROR_MEMORY, function, argument, natsStatus_GetText(status));
    case NATS_INVALID_ARG:
    case NATS_INVALID_SUBJECT:
    case NATS_INVALID_QUEUE_NAME:
    case NATS_MAX_PAYLOAD: return companion_failed(SGK_ERROR_ARGUMENT, function, argument, natsStatus_GetText(status));
    default: return companion_failed(SGK_ERROR_SYSTEM, function, argument, natsStatus_GetText(status));
    }
}

static sgk_value error_of(natsStatus status, const char *text) {
    return companion_error((int64_t)status, text && *text ? text : natsStatus_GetText(status));
}

/* Words between dots, without what would end a line of the protocol or a word of it; with wildcards, or without. The
 * server ends a connection that sends longer lines than it likes. */
static bool is_subject(const char *subject, bool wildcards) {
    size_t length = strlen(subject), word = 0;
    if (length == 0 || length > SUBJECT_LENGTH) return false;
    for (const char *c = subject;; c++) {
        if (*c == '.' || *c == '\0') {
            bool is_wildcard = word == 1 && (c[-1] == '*' || c[-1] == '>');
            if (word == 0 || (is_wildcard && (!wildcards || (c[-1] == '>' && *c == '.')))) return false;
            if (*c == '\0') return true;
            word = 0;
        } else {
            if ((unsigned char)*c <= ' ' || *c == 0x7f) return false;
            word++;
        }
    }
}

static bool needs_subject(const char *subject, bool wildcards, const char *function) {
    if (!subject) return companion_failed(SGK_ERROR_NULL, function, "subject", "is NULL"), false;
    if (is_subject(subject, wildcards)) return true;
    return companion_failed(SGK_ERROR_ARGUMENT, function, "subject", "is not a subject"), false;
}

/* ---- Connections ---- */

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
    sgk_value_promise *state;
    int64_t waiting_messages, waiting_bytes;
    _Atomic int64_t refused;
    pthread_mutex_t lock; /* of what follows, and of what is in runs */
    pthread_cond_t over;
    bool is_closing;
    int callers; /* what of the client's may still call for the connection: its end, the thread of the replies */
    run *runs;
    int64_t dropped; /* by runs that are over */
    natsSubscription *replies;
    char *inbox; /* where replies come, at NUMBER behind it */
    slot *slots; /* of requests that wait, where a number begins with the index */
    int64_t slots_made, slots_limit, slots_taken;
    uint32_t free_slot; /* the first of a list; NO_SLOT: none */
};

/* How many callbacks of the client this thread is in: what waits for the client must not wait here. */
static _Thread_local int inside;

static void tear_down_connection(void *context) {
    sgk_nats *nats = context;
    natsConnection_Close(nats->connection);
    pthread_mutex_lock(&nats->lock);
    while (nats->callers) pthread_cond_wait(&nats->over, &nats->lock);
    pthread_mutex_unlock(&nats->lock);
    natsSubscription_Destroy(nats->replies);
    natsConnection_Destroy(nats->connection);
    sgk_value_promise_release(nats->state);
    pthread_cond_destroy(&nats->over);
    pthread_mutex_destroy(&nats->lock);
    free(nats->inbox);
    free(nats->slots);
    free(nats);
}

static void destroy_connection(void *nats) { companion_later(tear_down_connection, nats); }
static const companion_kind connection_kind = {"sgk_nats", destroy_connection};

COMPANION_HANDLE(sgk_nats, &connection_kind)

static void set_state(sgk_nats *nats, sgk_nats_state state) {
    inside++;
    sgk_value_promise_set(nats->state, sgk_int(state));
    inside--;
}
static void on_disconnected(natsConnection *connection, void *nats) {
    (void)connection;
    set_state(nats, SGK_NATS_RECONNECTING);
}
static void ask_all_anew(sgk_nats *nats);
static void on_reconnected(natsConnection *connection, void *nats) {
    (void)connection;
    ask_all_anew(nats);
    set_state(nats, SGK_NATS_CONNECTED);
}
static void caller_is_over(sgk_nats *nats) {
    pthread_mutex_lock(&nats->lock);
    nats->callers--;
    pthread_cond_broadcast(&nats->over);
    pthread_mutex_unlock(&nats->lock);
}
static void on_closed(natsConnection *connection, void *nats) {
    (void)connection;
    set_state(nats, SGK_NATS_CLOSED);
    caller_is_over(nats);
}
static void is_slow(sgk_nats *nats, natsSubscription *subscription);
/* (The client would say it on stderr.) */
static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *nats) {
    (void)connection;
    if (status == NATS_SLOW_CONSUMER) is_slow(nats, subscription);
}

/* Puts the parts of `url` into the options. */
static natsStatus set_servers(natsOptions *options, const char *url) {
    char *copy = strdup(url), *rest = copy;
    const char *servers[SERVERS];
    int count = 0;
    if (!copy) return NATS_NO_MEMORY;
    for (char *server; (server = strtok_r(rest, ", ", &rest)) && count < SERVERS;) servers[count++] = server;
    natsStatus status = count ? natsOptions_SetServers(options, servers, count) : NATS_INVALID_ARG;
    free(copy);
    return status;
}

static int int_of(int64_t number, int usual) {
    return number == 0 ? usual : number < 0 || number > INT_MAX ? INT_MAX : (int)number;
}

static natsStatus configure(natsOptions *client, const char *url, const sgk_nats_options *options, sgk_nats *nats) {
    natsStatus status = set_servers(client, url);
    if (status == NATS_OK && options->name) status = natsOptions_SetName(client, options->name);
    if (status == NATS_OK && options->connect_timeout > 0)
        status = natsOptions_SetTimeout(client, (int64_t)ceil(options->connect_timeout * 1000));
    if (status == NATS_OK && options->reconnect_wait > 0)
        status = natsOptions_SetReconnectWait(client, (int64_t)ceil(options->reconnect_wait * 1000));
    if (status == NATS_OK && options->reconnects)
        status = natsOptions_SetMaxReconnect(client, options->reconnects < 0 ? -1 : int_of(options->reconnects, 0));
    if (status == NATS_OK && options->publishing_bytes)
        status = natsOptions_SetReconnectBufSize(client, int_of(options->publishing_bytes, 0));
    if (status == NATS_OK && options->prompt) status = natsOptions_SetSendAsap(client, true);
    if (status == NATS_OK) status = natsOptions_SetErrorHandler(client, on_error, nats);
    if (status == NATS_OK) status = natsOptions_SetClosedCB(client, on_closed, nats);
    if (status == NATS_OK) status = natsOptions_SetDisconnectedCB(client, on_disconnected, nats);
    if (status == NATS_OK) status = natsOptions_SetReconnectedCB(client, on_reconnected, nats);
    return status;
}

sgk_nats *sgk_nats_connect(const char *url, const sgk_nats_options *options) {
    static const sgk_nats_options usual = SGK_NATS_OPTIONS_INIT;
    if (!url) return companion_failed(SGK_ERROR_NULL, __func__, "url", "is NULL"), NULL;
    if (!options) options = &usual;
    if (options->size != sizeof usual)
        return companion_failed(SGK_ERROR_ARGUMENT, __func__, "options", "is of an unknown size"), NULL;
    sgk_nats *nats = companion_create(&connection_kind, sizeof *nats);
    natsOptions *client = options->client;
    natsStatus status = !nats ? NATS_NO_MEMORY : client ? NATS_OK : natsOptions_Create(&client);
    if (nats) {
        nats->state = sgk_value_promise_create_value(sgk_int(SGK_NATS_CONNECTED), true);
        nats->waiting_messages = int_of(options->waiting_messages, 65536);
        nats->waiting_bytes = int_of(options->waiting_bytes, 64 << 20);
        nats->slots_limit = int_of(options->requests, 65536);
        nats->free_slot = NO_SLOT;
        nats->callers = 1;
        pthread_condattr_t clock;
        pthread_condattr_init(&clock);
        pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
        pthread_cond_init(&nats->over, &clock);
        pthread_condattr_destroy(&clock);
        pthread_mutex_init(&nats->lock, NULL);
    }
    if (status == NATS_OK) status = configure(client, url, options, nats);
    if (status == NATS_OK) status = natsConnection_Connect(&nats->connection, client);
    if (client != options->client) natsOptions_Destroy(client);
    if (status == NATS_OK) return nats;
    if (answer(status, __func__, "url") == SGK_ERROR_TIMEOUT) /* no answer here */
        companion_failed(SGK_ERROR_SYSTEM, __func__, "url", natsStatus_GetText(status));
    if (nats) {
        nats->callers = 0;
        tear_down_connection(nats);
    }
    return NULL;
}

sgk_signal *sgk_nats_states(sgk_nats *nats) {
    return companion_needs(nats, &connection_kind, __func__, "nats") ? sgk_value_promise_get(nats->state) : NULL;
}

void *sgk_nats_client(sgk_nats *nats) {
    return companion_needs(nats, &connection_kind, __func__, "nats") ? nats->connection : NULL;
}

/* A time in milliseconds, one at least; 0, and the mistake is recorded, when it is none. */
static int64_t milliseconds(double seconds, const char *function) {
    if (!(seconds >= 0)) return companion_failed(SGK_ERROR_ARGUMENT, function, "seconds", "is no time"), 0;
    return seconds < 0.001 ? 1 : seconds > 1e9 ? (int64_t)1e12 : (int64_t)ceil(seconds * 1000);
}

sgk_status sgk_nats_flush(sgk_nats *nats, double seconds) {
    if (!companion_needs(nats, &connection_kind, __func__, "nats")) return nats ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
    int64_t time = milliseconds(seconds, __func__);
    return time ? answer(natsConnection_FlushTimeout(nats->connection, time), __func__, "nats") : SGK_ERROR_ARGUMENT;
}

static void close_now(void *context) {
    sgk_nats *nats = context;
    natsConnection_Close(nats->connection);
    companion_release(nats);
}

sgk_status sgk_nats_close(sgk_nats *nats, double seconds) {
    if (!companion_needs(nats, &connection_kind, __func__, "nats")) return nats ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
    int64_t time = milliseconds(seconds, __func__);
    if (!time) return SGK_ERROR_ARGUMENT;
    pthread_mutex_lock(&nats->lock);
    bool is_first = !nats->is_closing;
    nats->is_closing = true;
    pthread_mutex_unlock(&nats->lock);
    /* One that is being made anew cannot be drained. (What is too much is ended below, unless nobody can wait there.) */
    if (is_first && (seconds == 0 || natsConnection_DrainTimeout(nats->connection, time + 1000) != NATS_OK))
        companion_later(close_now, companion_retain(nats));
    if (inside) return SGK_ERROR_THREAD;

    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += time / 1000 + (until.tv_nsec + time % 1000 * 1000000) / 1000000000;
    until.tv_nsec = (until.tv_nsec + time % 1000 * 1000000) % 1000000000;
    pthread_mutex_lock(&nats->lock);
    for (int waited = 0; nats->callers && waited == 0;)
        waited = pthread_cond_timedwait(&nats->over, &nats->lock, &until);
    bool is_closed = nats->callers == 0;
    pthread_mutex_unlock(&nats->lock);
    if (is_closed) return SGK_OK;
    companion_later(close_now, companion_retain(nats));
    return SGK_ERROR_TIMEOUT;
}

/* ---- Messages ---- */

typedef struct message {
    companion_object object;
    sgk_nats *nats;
    natsMsg *contents;
    run *consumer; /* of one of a stream, until it is settled */
    atomic_bool is_settled;
} message;

static void make_room(run *consumer);
static double pause_of(const run *consumer);

static const char ACCEPTED[] = "+ACK", REFUSED[] = "-NAK", WORKING[] = "+WPI";

static sgk_status tell_stream(message *self, const char *what) {
    natsStatus status =
        natsConnection_PublishString(self->nats->connection, natsMsg_GetReply(self->contents), what);
    return answer(status, "sgk_nats", "message");
}

static sgk_status settle(message *self, const char *how) {
    if (!self->consumer || atomic_exchange(&self->is_settled, true)) return SGK_OK;
    char text[64];
    double pause = pause_of(self->consumer);
    if (how == REFUSED && pause > 0)
        snprintf(text, sizeof text, "-NAK {\"delay\": %lld}", (long long)(pause * 1e9));
    sgk_status status = tell_stream(self, how == REFUSED && pause > 0 ? text : how);
    make_room(self->consumer);
    return status;
}

static void destroy_message(void *object) {
    message *self = object;
    settle(self, REFUSED);
    if (self->consumer) companion_release(self->consumer);
    natsMsg_Destroy(self->contents);
    companion_release(self->nats);
    free(self);
}
static const companion_kind message_kind = {"message of sgk_nats", destroy_message};

/* Takes the contents over. Null: there is no memory. */
static sgk_value message_value(sgk_nats *nats, natsMsg *contents, run *consumer) {
    message *self = companion_create(&message_kind, sizeof *self);
    if (!self) return natsMsg_Destroy(contents), sgk_null();
    self->nats = companion_retain(nats);
    self->contents = contents;
    self->consumer = consumer ? companion_retain(consumer) : NULL;
    return companion_value(self);
}

const char *sgk_nats_data(sgk_value value, size_t *length) {
    const message *self = companion_of(value, &message_kind, __func__, "message");
    if (!self) return NULL;
    if (length) *length = (size_t)natsMsg_GetDataLength(self->contents);
    return natsMsg_GetData(self->contents);
}

sgk_value sgk_nats_payload(sgk_value value) {
    const message *self = companion_of(value, &message_kind, __func__, "message");
    sgk_value payload = !self ? sgk_null()
        : sgk_bytes(natsMsg_GetData(self->contents), (size_t)natsMsg_GetDataLength(self->contents));
    companion_done_with(value);
    return payload;
}

const char *sgk_nats_subject(sgk_value value) {
    const message *self = companion_of(value, &message_kind, __func__, "message");
    return self ? natsMsg_GetSubject(self->contents) : NULL;
}

/* ---- Publishing ---- */

static sgk_status publish(sgk_nats *nats, const char *subject, sgk_value payload, const char *function) {
    const void *data;
    size_t length;
    sgk_status status = companion_payload(payload, function, &data, &length);
    if (status != SGK_OK) return status;
    natsStatus done = length > INT_MAX ? NATS_MAX_PAYLOAD
                                       : natsConnection_Publish(nats->connection, subject, data, (int)length);
    if (done != NATS_OK) atomic_fetch_add_explicit(&nats->refused, 1, memory_order_relaxed);
    return answer(done, function, "payload");
}

sgk_status sgk_nats_publish(sgk_nats *nats, const char *subject, sgk_value payload) {
    sgk_status status = !nats ? SGK_ERROR_NULL : SGK_ERROR_HANDLE;
    if (companion_needs(nats, &connection_kind, __func__, "nats"))
        status = needs_subject(subject, false, __func__) ? publish(nats, subject, payload, __func__)
            : subject ? SGK_ERROR_ARGUMENT : SGK_ERROR_NULL;
    companion_done_with(payload);
    return status;
}

sgk_status sgk_nats_reply(sgk_value value, sgk_value payload) {
    message *self = companion_of(value, &message_kind, __func__, "message");
    const char *subject = self && !self->consumer ? natsMsg_GetReply(self->contents) : NULL;
    sgk_status status = !self ? SGK_ERROR_KIND
        : !subject || !*subject ? companion_failed(SGK_ERROR_ARGUMENT, __func__, "message", "wants no reply")
        : publish(self->nats, subject, payload, __func__);
    companion_done_with(value);
    companion_done_with(payload);
    return status;
}

/* ---- What signals are made of: a connection and a subject ---- */

typedef struct recipe {
    sgk_nats *nats;
    const char *group; /* behind the subject; NULL: none */
    char subject[];
} recipe;

static void free_recipe(void *context) {
    companion_release(((recipe *)context)->nats);
    free(context);
}

/* NULL, and the mistake is recorded, when the arguments are none. */
static recipe *recipe_of(sgk_nats *nats, const char *subject, const char *group, bool wildcards, const char *function) {
    if (!companion_needs(nats, &connection_kind, function, "nats") || !needs_subject(subject, wildcards, function))
        return NULL;
    if (group && !is_subject(group, false))
        return companion_failed(SGK_ERROR_ARGUMENT, function, "group", "is not a name"), NULL;
    size_t length = strlen(subject) + 1, more = group ? strlen(group) + 1 : 0;
    recipe *recipe = malloc(sizeof *recipe + length + more);
    if (!recipe) return companion_failed(SGK_ERROR_MEMORY, function, "subject", "there is no memory left"), NULL;
    recipe->nats = companion_retain(nats);
    memcpy(recipe->subject, subject, length);
    recipe->group = group ? memcpy(recipe->subject + length, group, more) : NULL;
    return recipe;
}

static void publish_next(void *context, sgk_value value) {
    const recipe *recipe = context;
    publish(recipe->nats, recipe->subject, value, "sgk_nats_sink");
}

sgk_subscriber *sgk_nats_sink(sgk_nats *nats, const char *subject) {
    recipe *recipe = recipe_of(nats, subject, NULL, false, __func__);
    if (!recipe) return NULL;
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = recipe;
    handlers.destroy = free_recipe;
    handlers.next = publish_next;
    handlers.error = sgk_ignore_error;
    return sgk_subscriber_create(&handlers);
}

static sgk_value publish_on_its_way(void *context, sgk_value value) {
    const recipe *recipe = context;
    sgk_status status = publish(recipe->nats, recipe->subject, value, "sgk_nats_published");
    return status == SGK_OK ? sgk_unchanged()
        : sgk_failed(companion_error(status, status == SGK_ERROR_ENDED ? "the connection is closed"
                                                                         : companion_last_error()));
}

sgk_signal *sgk_nats_published(sgk_signal *signal, sgk_nats *nats, const char *subject) {
    recipe *recipe = recipe_of(nats, subject, NULL, false, __func__);
    return recipe ? sgk_signal_transform(signal, publish_on_its_way, recipe, free_recipe) : NULL;
}

/* ---- Subscribing ---- */

struct run {
    companion_object object; /* held by the run's disposable, by the client until its thread is over, by messages */
    sgk_nats *nats;
    sgk_subscriber *subscriber;
    natsSubscription *subscription;
    bool is_disposed;
    atomic_bool is_slow; /* it has dropped messages */
    int64_t dropped;
    run *next, **place;  /* among the connection's */
    consumer *consumer;       /* NULL: of a plain subscription */
    natsInbox *inbox;         /* where its messages come */
    sgk_timer *timer;
    int64_t asked, unsettled; /* messages that may still come; that are not settled */
    int quiet, absent;        /* seconds in which nothing has come; how often nobody was there to be asked */
};

/* How many messages a subscription has dropped. One that has ended does not tell any more: so what it has told is kept. */
static void look_at_dropped(run *self) {
    int64_t dropped;
    if (natsSubscription_GetDropped(self->subscription, &dropped) != NATS_OK) return;
    pthread_mutex_lock(&self->nats->lock);
    self->nats->dropped += dropped - self->dropped;
    self->dropped = dropped;
    pthread_mutex_unlock(&self->nats->lock);
}

/* The subscription begins to drop messages. */
static void is_slow(sgk_nats *nats, natsSubscription *subscription) {
    pthread_mutex_lock(&nats->lock);
    run *run = nats->runs;
    while (run && run->subscription != subscription) run = run->next;
    if (run) companion_retain(run);
    pthread_mutex_unlock(&nats->lock);
    if (!run) return;
    run->is_slow = true;
    look_at_dropped(run);
    companion_release(run);
}

static void destroy_run(void *object) {
    run *self = object;
    natsSubscription_Destroy(self->subscription); /* which has ended */
    natsInbox_Destroy(self->inbox);
    sgk_subscriber_release(self->subscriber);
    if (self->consumer) companion_release(self->consumer);
    companion_release(self->nats);
    free(self);
}
static const companion_kind run_kind = {"run", destroy_run};

/* At once, so that the server hears of it before messages are refused: it would deliver them here again. Of a consumer
 * all that has come by then is still delivered, to be refused. */
static void stop_run(run *self) {
    look_at_dropped(self);
    if (!self->consumer || natsSubscription_Drain(self->subscription) != NATS_OK)
        natsSubscription_Unsubscribe(self->subscription);
}

static void tear_down_run(void *context) {
    run *self = context;
    pthread_mutex_lock(&self->nats->lock);
    if ((*self->place = self->next)) self->next->place = self->place;
    pthread_mutex_unlock(&self->nats->lock);
    sgk_timer_release(self->timer);
    companion_release(self);
}

static void dispose_run(void *context) {
    run *self = context;
    pthread_mutex_lock(&self->nats->lock);
    self->is_disposed = true;
    bool is_there = self->subscription != NULL;
    pthread_mutex_unlock(&self->nats->lock);
    if (is_there) stop_run(self);
}

static void fail(run *self, natsStatus status, const char *text) {
    sgk_subscriber_error(self->subscriber, sgk_give(error_of(status, text)));
}

static void emit(run *self, natsMsg *contents) {
    sgk_value value = message_value(self->nats, contents, self->consumer ? self : NULL);
    if (sgk_value_kind(value) == SGK_NULL) fail(self, NATS_NO_MEMORY, NULL);
    else sgk_subscriber_next(self->subscriber, sgk_give(value));
}

static bool is_of_the_stream(run *self, natsMsg *contents);

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *contents, void *context) {
    (void)connection, (void)subscription;
    run *self = context;
    inside++;
    if (atomic_load_explicit(&self->is_slow, memory_order_relaxed)) look_at_dropped(self);
    if (!self->consumer || is_of_the_stream(self, contents)) emit(self, contents);
    else natsMsg_Destroy(contents);
    inside--;
}

/* The client's thread for the subscription ends: it was disposed, or the connection is closed. */
static void on_complete(void *context) {
    run *self = context;
    pthread_mutex_lock(&self->nats->lock);
    bool is_closing = self->nats->is_closing;
    pthread_mutex_unlock(&self->nats->lock);
    inside++;
    if (is_closing) {
        sgk_subscriber_complete(self->subscriber);
    } else if (sgk_subscriber_is_active(self->subscriber)) {
        const char *text = NULL;
        natsStatus status = natsConnection_GetLastError(self->nats->connection, &text);
        fail(self, status == NATS_OK ? NATS_CONNECTION_CLOSED : status, text);
    }
    inside--;
    companion_later(tear_down_run, self);
}

/* Subscribes. What of the client's calls it, does so once more, for the end, if that has worked. */
static sgk_disposable *start(run *self, const char *subject, const char *group) {
    natsSubscription *subscription = NULL;
    natsConnection *connection = self->nats->connection;
    companion_retain(self); /* for the client */
    natsStatus status = group
        ? natsConnection_QueueSubscribe(&subscription, connection, subject, group, on_message, self)
        : natsConnection_Subscribe(&subscription, connection, subject, on_message, self);
    if (status != NATS_OK) {
        fail(self, status, NULL);
        sgk_timer_release(self->timer);
        companion_release(self);
        companion_release(self);
        return NULL;
    }
    natsSubscription_SetPendingLimits(subscription, (int)self->nats->waiting_messages, (int)self->nats->waiting_bytes);
    pthread_mutex_lock(&self->nats->lock);
    self->subscription = subscription;
    bool is_disposed = self->is_disposed; /* it may have emitted by now */
    if ((self->next = self->nats->runs)) self->nats->runs->place = &self->next;
    *(self->place = &self->nats->runs) = self;
    pthread_mutex_unlock(&self->nats->lock);
    /* Before it is stopped; and unless the connection has been closed. */
    if (natsSubscription_SetOnCompleteCB(subscription, on_complete, self) != NATS_OK) on_complete(self);
    else if (is_disposed) stop_run(self);
    return sgk_action_disposable_create(dispose_run, self, companion_release);
}

/* NULL: there is no memory, and the subscriber knows. */
static run *run_of(sgk_nats *nats, sgk_subscriber *subscriber) {
    run *self = companion_create(&run_kind, sizeof *self);
    if (!self) return sgk_subscriber_error(subscriber, sgk_give(error_of(NATS_NO_MEMORY, NULL))), NULL;
    self->nats = companion_retain(nats);
    self->subscriber = sgk_subscriber_retain(subscriber);
    return self;
}

static sgk_disposable *start_subscription(void *context, sgk_subscriber *subscriber) {
    const recipe *recipe = context;
    run *self = run_of(recipe->nats, subscriber);
    return self ? start(self, recipe->subject, recipe->group) : NULL;
}

sgk_signal *sgk_nats_subscribe(sgk_nats *nats, const char *subject) {
    recipe *recipe = recipe_of(nats, subject, NULL, true, __func__);
    return recipe ? sgk_signal_create(start_subscription, recipe, free_recipe) : NULL;
}

sgk_signal *sgk_nats_work(sgk_nats *nats, const char *subject, const char *group) {
    if (!group) return companion_failed(SGK_ERROR_NULL, __func__, "group", "is NULL"), NULL;
    recipe *recipe = recipe_of(nats, subject, group, true, __func__);
    return recipe ? sgk_signal_create(start_subscription, recipe, free_recipe) : NULL;
}

/* ---- Requests ---- */

struct request {
    companion_object object; /* held by its slot, its timer, and the run's disposable */
    sgk_nats *nats;
    sgk_subscriber *subscriber;
    sgk_disposable *timer;
    uint64_t number;
    bool is_storing;
};

static void destroy_request(void *object) {
    request *self = object;
    sgk_subscriber_release(self->subscriber);
    sgk_disposable_release(self->timer);
    companion_release(self->nats);
    free(self);
}
static const companion_kind request_kind = {"request", destroy_request};

/* Gives it a number, and keeps it under that; false when there is no room. */
static bool put_request(request *self) {
    sgk_nats *nats = self->nats;
    pthread_mutex_lock(&nats->lock);
    if (nats->free_slot == NO_SLOT && nats->slots_made < nats->slots_limit) {
        int64_t more = nats->slots_made ? nats->slots_made : 16;
        if (more > nats->slots_limit - nats->slots_made) more = nats->slots_limit - nats->slots_made;
        slot *slots = realloc(nats->slots, sizeof *slots * (size_t)(nats->slots_made + more));
        for (nats->slots = slots ? slots : nats->slots; slots && more > 0; more--, nats->slots_made++) {
            slots[nats->slots_made] = (slot){NULL, 0, nats->free_slot};
            nats->free_slot = (uint32_t)nats->slots_made;
        }
    }
    uint32_t index = nats->free_slot;
    if (index != NO_SLOT) {
        slot *slot = &nats->slots[index];
        nats->free_slot = slot->next_free;
        nats->slots_taken++;
        slot->request = companion_retain(self);
        self->number = (uint64_t)++slot->generation << 32 | index;
    }
    pthread_mutex_unlock(&nats->lock);
    return index != NO_SLOT;
}

/* Whoever takes it, with the slot's reference, is the one that ends it. NULL: somebody has. */
static request *take_request(sgk_nats *nats, uint64_t number) {
    uint32_t index = (uint32_t)number;
    request *self = NULL;
    pthread_mutex_lock(&nats->lock);
    if (index < nats->slots_made && nats->slots[index].generation == number >> 32) {
        self = nats->slots[index].request;
        nats->slots[index].request = NULL;
    }
    if (self) {
        nats->slots[index].next_free = nats->free_slot;
        nats->free_slot = index;
        nats->slots_taken--;
    }
    pthread_mutex_unlock(&nats->lock);
    return self;
}

static void end_request(sgk_nats *nats, uint64_t number, natsStatus status, const char *text) {
    request *self = take_request(nats, number);
    if (!self) return;
    sgk_subscriber_error(self->subscriber, sgk_give(error_of(status, text)));
    companion_release(self);
}

static void request_is_late(void *context) {
    request *self = context;
    end_request(self->nats, self->number, NATS_TIMEOUT, NULL);
}

static void dispose_request(void *context) {
    request *self = context;
    request *taken = take_request(self->nats, self->number);
    if (taken) companion_release(taken);
    if (self->timer) sgk_disposable_dispose(self->timer);
}

/* What stands in an answer of the server's behind a name, in quotes itself: a number, or a text, to its closing quote.
 * NULL: nothing does. What such answers say in other texts are names, in which there is no quote. */
static const char *said(const char *answer, const char *name) {
    const char *place = strstr(answer, name);
    return place ? place + strlen(name) + strspn(place + strlen(name), ": ") : NULL;
}

/* What the server tells of `what` it has done, behind that name. NULL: it has not, and the error is put at `error`,
 * owned by the caller. */
static const char *done(natsMsg *reply, const char *what, sgk_value *error) {
    const char *text = natsMsg_GetData(reply), *failure = text ? said(text, "\"error\"") : NULL;
    const char *result = text && !failure ? said(text, what) : NULL;
    if (result) return result;
    const char *description = failure ? said(failure, "\"description\"") : NULL;
    char reason[256] = "the answer is not understood";
    if (description && *description == '"')
        snprintf(reason, sizeof reason, "%.*s", (int)strcspn(description + 1, "\""), description + 1);
    *error = error_of(failure ? NATS_ERR : NATS_PROTOCOL_ERROR, reason);
    return NULL;
}

static void on_reply(natsConnection *connection, natsSubscription *subscription, natsMsg *contents, void *context) {
    (void)connection, (void)subscription;
    sgk_nats *nats = context;
    const char *number = strrchr(natsMsg_GetSubject(contents), '.');
    request *self = number ? take_request(nats, strtoull(number + 1, NULL, 16)) : NULL;
    if (!self) return natsMsg_Destroy(contents); /* late, or not ours */
    sgk_value result = sgk_null(), error = sgk_null();
    if (natsMsg_IsNoResponders(contents)) {
        error = error_of(NATS_NO_RESPONDERS, NULL);
        natsMsg_Destroy(contents);
    } else if (self->is_storing) {
        const char *number = done(contents, "\"seq\"", &error);
        if (number) result = sgk_int(atoll(number));
        natsMsg_Destroy(contents);
    } else {
        result = message_value(nats, contents, NULL);
        if (sgk_value_kind(result) == SGK_NULL) error = error_of(NATS_NO_MEMORY, NULL);
    }
    inside++;
    if (sgk_value_kind(error) != SGK_NULL) sgk_subscriber_error(self->subscriber, sgk_give(error));
    else sgk_subscriber_next(self->subscriber, sgk_give(result));
    sgk_subscriber_complete(self->subscriber);
    inside--;
    companion_release(self);
}

/* The thread of the replies ends with the connection. */
static void replies_are_over(void *context) {
    sgk_nats *nats = context;
    inside++;
    for (int64_t i = 0;; i++) {
        pthread_mutex_lock(&nats->lock);
        bool is_over = i >= nats->slots_made;
        uint64_t number = is_over ? 0 : (uint64_t)nats->slots[i].generation << 32 | (uint64_t)i;
        pthread_mutex_unlock(&nats->lock);
        if (is_over) break;
        end_request(nats, number, NATS_CONNECTION_CLOSED, NULL);
    }
    inside--;
    caller_is_over(nats);
}

/* Subscribes to the replies, the first time. */
static natsStatus hear_replies(sgk_nats *nats) {
    natsStatus status = NATS_OK;
    natsInbox *inbox = NULL;
    char subject[128];
    pthread_mutex_lock(&nats->lock);
    if (!nats->replies) {
        status = natsInbox_Create(&inbox);
        if (status == NATS_OK && !nats->inbox && !(nats->inbox = strdup(inbox))) status = NATS_NO_MEMORY;
        natsInbox_Destroy(inbox);
        if (status == NATS_OK) snprintf(subject, sizeof subject, "%s.*", nats->inbox);
        if (status == NATS_OK)
            status = natsConnection_Subscribe(&nats->replies, nats->connection, subject, on_reply, nats);
        if (status == NATS_OK) status = natsSubscription_SetOnCompleteCB(nats->replies, replies_are_over, nats);
        if (status == NATS_OK) nats->callers++;
        if (status == NATS_OK)
            natsSubscription_SetPendingLimits(nats->replies, (int)nats->slots_limit, (int)nats->waiting_bytes);
    }
    pthread_mutex_unlock(&nats->lock);
    return status;
}

/* What is asked, and of whom. */
typedef struct question {
    sgk_nats *nats;
    sgk_value payload;
    double seconds;
    const char *id; /* behind the subject; NULL: none */
    bool is_storing;
    char subject[];
} question;

static void free_question(void *context) {
    question *question = context;
    sgk_value_release(question->payload);
    companion_release(question->nats);
    free(question);
}

static natsStatus publish_question(const question *question, const char *reply) {
    size_t length;
    const char *data = sgk_value_data(question->payload, &length);
    natsConnection *connection = question->nats->connection;
    if (length > INT_MAX) return NATS_MAX_PAYLOAD;
    if (!question->id)
        return natsConnection_PublishRequest(connection, question->subject, reply, data, (int)length);
    natsMsg *contents = NULL;
    natsStatus status = natsMsg_Create(&contents, question->subject, reply, data, (int)length);
    if (status == NATS_OK) status = natsMsgHeader_Set(contents, "Nats-Msg-Id", question->id);
    if (status == NATS_OK) status = natsConnection_PublishMsg(connection, contents);
    natsMsg_Destroy(contents);
    return status;
}

static sgk_disposable *start_request(void *context, sgk_subscriber *subscriber) {
    const question *question = context;
    sgk_nats *nats = question->nats;
    natsStatus status = hear_replies(nats);
    request *self = status == NATS_OK ? companion_create(&request_kind, sizeof *self) : NULL;
    if (status != NATS_OK || !self) {
        sgk_subscriber_error(subscriber, sgk_give(error_of(status == NATS_OK ? NATS_NO_MEMORY : status, NULL)));
        return NULL;
    }
    self->nats = companion_retain(nats);
    self->subscriber = sgk_subscriber_retain(subscriber);
    self->is_storing = question->is_storing;
    if (!put_request(self)) {
        sgk_subscriber_error(
            subscriber, sgk_give(error_of(NATS_INSUFFICIENT_BUFFER, "too many requests wait for a reply")));
        companion_release(self);
        return NULL;
    }
    if (isfinite(question->seconds)) {
        sgk_queue *queue = sgk_queue_concurrent_default();
        self->timer =
            sgk_queue_after(queue, question->seconds, request_is_late, companion_retain(self), companion_release);
        sgk_queue_release(queue);
    }
    char reply[128];
    snprintf(reply, sizeof reply, "%s.%llx", nats->inbox, (unsigned long long)self->number);
    status = publish_question(question, reply);
    if (status != NATS_OK) {
        atomic_fetch_add_explicit(&nats->refused, 1, memory_order_relaxed);
        end_request(nats, self->number, status, NULL);
    }
    return sgk_action_disposable_create(dispose_request, self, companion_release);
}

/* Retains the payload. */
static sgk_signal *ask(sgk_nats *nats, const char *subject, sgk_value payload, const char *id, bool is_storing,
    double seconds, const char *function) {
    const void *data;
    size_t length = 0, more = id ? strlen(id) + 1 : 0;
    if (!companion_needs(nats, &connection_kind, function, "nats") || !needs_subject(subject, false, function) ||
        companion_payload(payload, function, &data, &length) != SGK_OK || !milliseconds(seconds, function))
        return NULL;
    if (id && (!*id || strpbrk(id, "\r\n")))
        return companion_failed(SGK_ERROR_ARGUMENT, function, "id", "is not one line"), NULL;
    length = strlen(subject) + 1;
    question *question = malloc(sizeof *question + length + more);
    if (!question) return companion_failed(SGK_ERROR_MEMORY, function, "payload", "there is no memory left"), NULL;
    question->nats = companion_retain(nats);
    payload.reserved = 0;
    question->payload = sgk_value_retain(payload);
    question->seconds = seconds;
    question->is_storing = is_storing;
    memcpy(question->subject, subject, length);
    question->id = id ? memcpy(question->subject + length, id, more) : NULL;
    return sgk_signal_create(start_request, question, free_question);
}

sgk_signal *sgk_nats_request(sgk_nats *nats, const char *subject, sgk_value payload, double seconds) {
    sgk_signal *signal = ask(nats, subject, payload, NULL, false, seconds, __func__);
    companion_done_with(payload);
    return signal;
}

sgk_signal *sgk_nats_store(sgk_nats *nats, const char *subject, sgk_value payload, const char *id, double seconds) {
    sgk_signal *signal = ask(nats, subject, payload, id, true, seconds, __func__);
    companion_done_with(payload);
    return signal;
}

/* ---- Streams ---- */

/* The server forgets what it was asked for after so many seconds, and says so; if it does not, it is asked again. */
enum { EXPIRY = 30, QUIET = EXPIRY + 5, ABSENCE = 30, API_PATIENCE = 5 };

struct consumer {
    companion_object object; /* held by the signal and its runs */
    sgk_nats *nats;
    double pause;
    int64_t limit;
    char next[2 * SUBJECT_LENGTH + 64]; /* where it is asked for messages */
};

static void destroy_consumer(void *object) {
    companion_release(((consumer *)object)->nats);
    free(object);
}
static const companion_kind consumer_kind = {"consumer", destroy_consumer};

static double pause_of(const run *self) { return self->consumer->pause; }

/* Asks for as many messages as there is room for, when all that were asked for have come. (Not for each one by itself,
 * where many are let go one by one.) */
static void ask_for_more(run *self) {
    sgk_nats *nats = self->nats;
    pthread_mutex_lock(&nats->lock);
    int64_t limit = self->consumer->limit, room = limit - self->unsettled;
    bool is_due = !self->is_disposed && self->asked == 0 && room >= (limit + 3) / 4;
    if (is_due) self->asked = room, self->quiet = 0;
    pthread_mutex_unlock(&nats->lock);
    if (!is_due) return;
    char text[96];
    snprintf(text, sizeof text, "{\"batch\": %lld, \"expires\": %d000000000}", (long long)room, EXPIRY);
    natsConnection_PublishRequestString(nats->connection, self->consumer->next, self->inbox, text);
}

static void make_room(run *self) {
    pthread_mutex_lock(&self->nats->lock);
    self->unsettled--;
    pthread_mutex_unlock(&self->nats->lock);
    ask_for_more(self);
}

/* A message of the stream, or word from the server about what it was asked. */
static bool is_of_the_stream(run *self, natsMsg *contents) {
    const char *status = NULL, *text = NULL;
    int number = natsMsgHeader_Get(contents, "Status", &status) == NATS_OK && status ? atoi(status) : 0;
    pthread_mutex_lock(&self->nats->lock);
    self->quiet = 0;
    if (number == 0) self->unsettled++, self->asked -= self->asked > 0;
    else if (number != 100) self->asked = 0;
    self->absent = number == 503 ? self->absent + 1 : 0;
    bool is_gone = self->absent > ABSENCE;
    pthread_mutex_unlock(&self->nats->lock);
    if (number == 0) return true;
    if (natsMsgHeader_Get(contents, "Description", &text) != NATS_OK) text = NULL;
    /* 404 and 408: what was asked for has expired. 503: nobody is there, until the timer asks again. */
    if (number == 404 || number == 408) ask_for_more(self);
    else if (number == 503 && is_gone) fail(self, NATS_NO_RESPONDERS, NULL);
    else if (number == 409 && !(text && (strstr(text, "Leadership") || strstr(text, "Shutdown"))))
        fail(self, NATS_ERR, text);
    return false;
}

static void each_second(void *context) {
    run *self = context;
    pthread_mutex_lock(&self->nats->lock);
    if (self->asked > 0 && ++self->quiet > QUIET) self->asked = 0;
    pthread_mutex_unlock(&self->nats->lock);
    ask_for_more(self);
}

/* The server has forgotten what it was asked before. */
static void ask_all_anew(sgk_nats *nats) {
    pthread_mutex_lock(&nats->lock);
    for (run *run = nats->runs; run; run = run->next) run->quiet = QUIET;
    pthread_mutex_unlock(&nats->lock);
}

static sgk_disposable *start_consuming(void *context, sgk_subscriber *subscriber) {
    consumer *consumer = context;
    run *self = run_of(consumer->nats, subscriber);
    if (!self) return NULL;
    self->consumer = companion_retain(consumer);
    (void)natsInbox_Create(&self->inbox); /* without one it cannot be subscribed to either */
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    self->timer = sgk_timer_create(1, true, each_second, companion_retain(self), companion_release, queue);
    SGK_AUTO(sgk_timer) timer = sgk_timer_retain(self->timer); /* by then the run may be over */
    companion_retain(self);
    sgk_disposable *disposable = start(self, self->inbox, NULL);
    if (disposable) {
        sgk_timer_start(timer);
        ask_for_more(self);
    }
    companion_release(self);
    return disposable;
}

/* The server has made the consumer, or knows it already. */
static sgk_signal *consume(void *context, sgk_value reply) {
    message *self = companion_of(reply, &message_kind, __func__, "reply");
    sgk_value error;
    if (!done(self->contents, "\"config\"", &error)) return sgk_signal_fail(sgk_give(error));
    return sgk_signal_create(start_consuming, companion_retain(context), companion_release);
}

/* A word of a subject, which can stand in quotes. */
static bool is_name(const char *name) { return is_subject(name, false) && !strpbrk(name, ".\"\\*>/"); }

sgk_signal *sgk_nats_consume(
    sgk_nats *nats, const char *stream, const char *name, const sgk_nats_consumer *options) {
    static const sgk_nats_consumer usual = SGK_NATS_CONSUMER_INIT;
    if (!companion_needs(nats, &connection_kind, __func__, "nats")) return NULL;
    if (!stream || !name) return companion_failed(SGK_ERROR_NULL, __func__, stream ? "name" : "stream", "is NULL"), NULL;
    if (!is_name(stream) || !is_name(name))
        return companion_failed(SGK_ERROR_ARGUMENT, __func__, is_name(stream) ? "name" : "stream", "is not a name"), NULL;
    if (!options) options = &usual;
    const char *subject = options->size == sizeof usual && options->subject ? options->subject : ">";
    if (options->size != sizeof usual || !(options->patience >= 0 && options->patience < 1e9) ||
        !(options->pause >= 0 && options->pause < 1e9) || options->limit < 0 || options->limit > INT_MAX ||
        options->deliveries > INT_MAX || !is_subject(subject, true) || strpbrk(subject, "\"\\"))
        return companion_failed(SGK_ERROR_ARGUMENT, __func__, "consumer", "has a field out of range"), NULL;

    consumer *self = companion_create(&consumer_kind, sizeof *self);
    if (!self) return companion_failed(SGK_ERROR_MEMORY, __func__, "consumer", "there is no memory left"), NULL;
    self->nats = companion_retain(nats);
    self->pause = options->pause;
    self->limit = options->limit ? options->limit : 256;
    snprintf(self->next, sizeof self->next, "$JS.API.CONSUMER.MSG.NEXT.%s.%s", stream, name);
    char api[sizeof self->next], text[4 * SUBJECT_LENGTH];
    snprintf(api, sizeof api, "$JS.API.CONSUMER.DURABLE.CREATE.%s.%s", stream, name);
    snprintf(text, sizeof text,
        "{\"stream_name\": \"%s\", \"config\": {\"durable_name\": \"%s\", \"deliver_policy\": \"all\", "
        "\"ack_policy\": \"explicit\", \"ack_wait\": %lld, \"max_deliver\": %lld, \"filter_subject\": \"%s\"}}",
        stream, name, (long long)((options->patience > 0 ? options->patience : 30) * 1e9),
        (long long)(options->deliveries > 0 ? options->deliveries : -1), strcmp(subject, ">") ? subject : "");
    sgk_value payload = sgk_string(text);
    sgk_signal *made = ask(nats, api, payload, NULL, false, API_PATIENCE, __func__);
    sgk_value_release(payload);
    sgk_signal *messages = sgk_signal_map_to_signal(made, consume, self, companion_release);
    sgk_signal_release(made);
    return messages;
}

/* ---- Settling ---- */

static message *of_a_stream(sgk_value value, sgk_status *status, const char *function) {
    message *self = companion_of(value, &message_kind, function, "message");
    *status = !self ? SGK_ERROR_KIND : SGK_OK;
    if (!self || self->consumer) return self;
    *status = companion_failed(SGK_ERROR_ARGUMENT, function, "message", "is of no stream");
    return NULL;
}

sgk_status sgk_nats_accept(sgk_value value) {
    sgk_status status;
    message *self = of_a_stream(value, &status, __func__);
    if (self) status = settle(self, ACCEPTED);
    companion_done_with(value);
    return status;
}

sgk_status sgk_nats_refuse(sgk_value value) {
    sgk_status status;
    message *self = of_a_stream(value, &status, __func__);
    if (self) status = settle(self, REFUSED);
    companion_done_with(value);
    return status;
}

sgk_status sgk_nats_in_progress(sgk_value value) {
    sgk_status status;
    message *self = of_a_stream(value, &status, __func__);
    if (self && !atomic_load(&self->is_settled)) status = tell_stream(self, WORKING);
    companion_done_with(value);
    return status;
}

/* The server writes what it knows of a delivery where it is to be settled: $JS.ACK.STREAM.NAME.DELIVERIES and so on, or
 * with a domain and an account before the stream. */
int64_t sgk_nats_deliveries(sgk_value value) {
    message *self = companion_of(value, &message_kind, __func__, "message");
    const char *place = self && self->consumer ? natsMsg_GetReply(self->contents) : "";
    int words = 1;
    for (const char *c = place; *c; c++) words += *c == '.';
    for (int skip = words >= 11 ? 6 : 4; skip > 0 && place; skip--) place = (place = strchr(place, '.')) ? place + 1 : NULL;
    int64_t deliveries = place ? atoll(place) : 0;
    companion_done_with(value);
    return deliveries;
}

static void *of_the_context(void *context) { return context; }
static void accept_now(void *context, void *state) { (void)state, settle(context, ACCEPTED); }
static void refuse_after(void *context, void *state, sgk_value error) {
    (void)state, (void)error, settle(context, REFUSED);
}
static void refuse_now(void *context, void *state) { (void)state, settle(context, REFUSED); }

sgk_signal *sgk_nats_settled(sgk_signal *pipeline, sgk_value value) {
    sgk_status status;
    message *self = of_a_stream(value, &status, __func__);
    sgk_signal *settled = NULL;
    if (self) {
        sgk_state_handlers handlers = SGK_STATE_HANDLERS_INIT;
        handlers.context = companion_retain(self);
        handlers.destroy = companion_release;
        handlers.initial_state = of_the_context;
        handlers.completed = accept_now;
        handlers.error = refuse_after;
        handlers.disposed = refuse_now;
        settled = sgk_signal_with_state(pipeline, &handlers);
    }
    companion_done_with(value);
    return settled;
}

/* ---- What has happened ---- */

sgk_status sgk_nats_counts_get(sgk_nats *nats, sgk_nats_counts *counts) {
    if (!companion_needs(nats, &connection_kind, __func__, "nats")) return nats ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
    if (!counts) return companion_failed(SGK_ERROR_NULL, __func__, "counts", "is NULL");
    if (counts->size != sizeof *counts)
        return companion_failed(SGK_ERROR_ARGUMENT, __func__, "counts", "is of an unknown size");
    uint64_t received = 0, published = 0, bytes, reconnects = 0;
    natsStatistics *statistics = NULL;
    if (natsStatistics_Create(&statistics) == NATS_OK && natsConnection_GetStats(nats->connection, statistics) == NATS_OK)
        natsStatistics_GetCounts(statistics, &received, &bytes, &published, &bytes, &reconnects);
    natsStatistics_Destroy(statistics);
    counts->received = (int64_t)received;
    counts->published = (int64_t)published;
    counts->reconnects = (int64_t)reconnects;
    counts->refused = atomic_load_explicit(&nats->refused, memory_order_relaxed);
    pthread_mutex_lock(&nats->lock);
    counts->requests = nats->slots_taken;
    counts->dropped = nats->dropped;
    pthread_mutex_unlock(&nats->lock);
    return SGK_OK;
}
