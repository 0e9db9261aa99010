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

struct sgk_nats {
    companion_object object;
    natsConnection *connection;
    sgk_value_promise *state;
    int64_t waiting_messages, waiting_bytes;
    _Atomic int64_t refused;
    pthread_mutex_t lock; /* of what follows, and of the runs' subscriptions */
    pthread_cond_t closed;
    bool is_closing, is_closed;
    run *runs;
    int64_t dropped; /* by runs that are over */
};

/* How many callbacks of the client this thread is in: what waits for the client must not wait here. */
static _Thread_local int inside;

static void tear_down_connection(void *context) {
    sgk_nats *nats = context;
    natsConnection_Close(nats->connection);
    pthread_mutex_lock(&nats->lock);
    while (!nats->is_closed) pthread_cond_wait(&nats->closed, &nats->lock);
    pthread_mutex_unlock(&nats->lock);
    natsConnection_Destroy(nats->connection);
    sgk_value_promise_release(nats->state);
    pthread_cond_destroy(&nats->closed);
    pthread_mutex_destroy(&nats->lock);
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
static void on_reconnected(natsConnection *connection, void *nats) {
    (void)connection;
    set_state(nats, SGK_NATS_CONNECTED);
}
/* Comes once, and is the last that the client calls for the connection itself. */
static void on_closed(natsConnection *connection, void *context) {
    (void)connection;
    sgk_nats *nats = context;
    set_state(nats, SGK_NATS_CLOSED);
    pthread_mutex_lock(&nats->lock);
    nats->is_closed = true;
    pthread_cond_broadcast(&nats->closed);
    pthread_mutex_unlock(&nats->lock);
}
/* What the client would say on stderr: that a subscription drops messages, which is counted. */
static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *nats) {
    (void)connection, (void)subscription, (void)status, (void)nats;
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
        pthread_condattr_t clock;
        pthread_condattr_init(&clock);
        pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
        pthread_cond_init(&nats->closed, &clock);
        pthread_condattr_destroy(&clock);
        pthread_mutex_init(&nats->lock, NULL);
    }
    if (status == NATS_OK) status = configure(client, url, options, nats);
    if (status == NATS_OK) status = natsConnection_Connect(&nats->connection, client);
    if (client != options->client) natsOptions_Destroy(client);
    if (status == NATS_OK) return nats;
    answer(status, __func__, "url");
    if (nats) {
        nats->is_closed = true;
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
    /* One that is being made anew cannot be drained. */
    if (is_first && (seconds == 0 || natsConnection_DrainTimeout(nats->connection, time) != NATS_OK))
        companion_later(close_now, companion_retain(nats));
    if (inside) return SGK_ERROR_THREAD;

    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += time / 1000 + (until.tv_nsec + time % 1000 * 1000000) / 1000000000;
    until.tv_nsec = (until.tv_nsec + time % 1000 * 1000000) % 1000000000;
    pthread_mutex_lock(&nats->lock);
    for (int waited = 0; !nats->is_closed && waited == 0;)
        waited = pthread_cond_timedwait(&nats->closed, &nats->lock, &until);
    bool is_closed = nats->is_closed;
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
} message;

static void destroy_message(void *object) {
    message *self = object;
    natsMsg_Destroy(self->contents);
    companion_release(self->nats);
    free(self);
}
static const companion_kind message_kind = {"message of sgk_nats", destroy_message};

/* Takes the contents over. Null: there is no memory. */
static sgk_value message_value(sgk_nats *nats, natsMsg *contents) {
    message *self = companion_create(&message_kind, sizeof *self);
    if (!self) return natsMsg_Destroy(contents), sgk_null();
    self->nats = companion_retain(nats);
    self->contents = contents;
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
    const char *subject = self ? natsMsg_GetReply(self->contents) : NULL;
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
    companion_object object; /* held by the run's disposable, and by the client until its thread is over */
    sgk_nats *nats;
    sgk_subscriber *subscriber;
    natsSubscription *subscription;
    bool is_disposed;
    run *next, **place; /* among the connection's */
};

static int64_t dropped_by(natsSubscription *subscription) {
    int64_t dropped = 0;
    return subscription && natsSubscription_GetDropped(subscription, &dropped) == NATS_OK ? dropped : 0;
}

static void destroy_run(void *object) {
    run *self = object;
    companion_release(self->nats);
    free(self);
}
static const companion_kind run_kind = {"run", destroy_run};

static void tear_down_run(void *context) {
    run *self = context;
    natsSubscription_Unsubscribe(self->subscription);
    pthread_mutex_lock(&self->nats->lock);
    self->nats->dropped += dropped_by(self->subscription);
    if ((*self->place = self->next)) self->next->place = self->place;
    pthread_mutex_unlock(&self->nats->lock);
    natsSubscription_Destroy(self->subscription);
    companion_release(self);
}

static void dispose_run(void *context) {
    run *self = context;
    pthread_mutex_lock(&self->nats->lock);
    bool is_first = !self->is_disposed;
    self->is_disposed = true;
    bool is_there = self->subscription != NULL;
    pthread_mutex_unlock(&self->nats->lock);
    if (is_first && is_there) companion_later(tear_down_run, companion_retain(self));
}

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *contents, void *context) {
    (void)connection, (void)subscription;
    run *self = context;
    inside++;
    sgk_value value = message_value(self->nats, contents);
    if (sgk_value_kind(value) == SGK_NULL) sgk_subscriber_error(self->subscriber, sgk_give(error_of(NATS_NO_MEMORY, NULL)));
    else sgk_subscriber_next(self->subscriber, sgk_give(value));
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
        sgk_subscriber_error(self->subscriber,
            sgk_give(error_of(status == NATS_OK ? NATS_CONNECTION_CLOSED : status, text)));
    }
    inside--;
    sgk_subscriber_release(self->subscriber);
    companion_release(self);
}

static sgk_disposable *start_run(void *context, sgk_subscriber *subscriber) {
    const recipe *recipe = context;
    sgk_nats *nats = recipe->nats;
    run *self = companion_create(&run_kind, sizeof *self);
    if (!self) return sgk_subscriber_error(subscriber, sgk_give(error_of(NATS_NO_MEMORY, NULL))), NULL;
    self->nats = companion_retain(nats);
    self->subscriber = sgk_subscriber_retain(subscriber);
    companion_retain(self); /* for the client */
    natsSubscription *subscription = NULL;
    natsStatus status = recipe->group
        ? natsConnection_QueueSubscribe(&subscription, nats->connection, recipe->subject, recipe->group, on_message, self)
        : natsConnection_Subscribe(&subscription, nats->connection, recipe->subject, on_message, self);
    if (status != NATS_OK) {
        sgk_subscriber_error(subscriber, sgk_give(error_of(status, NULL)));
        sgk_subscriber_release(self->subscriber);
        companion_release(self);
        companion_release(self);
        return NULL;
    }
    natsSubscription_SetPendingLimits(subscription, (int)nats->waiting_messages, (int)nats->waiting_bytes);
    /* By now it may have emitted, and its run be disposed; or the connection be closed. */
    bool is_over = natsSubscription_SetOnCompleteCB(subscription, on_complete, self) != NATS_OK;
    pthread_mutex_lock(&nats->lock);
    self->subscription = subscription;
    bool is_disposed = self->is_disposed;
    if ((self->next = nats->runs)) nats->runs->place = &self->next;
    *(self->place = &nats->runs) = self;
    pthread_mutex_unlock(&nats->lock);
    if (is_disposed) companion_later(tear_down_run, companion_retain(self));
    if (is_over) on_complete(self);
    return sgk_action_disposable_create(dispose_run, self, companion_release);
}

sgk_signal *sgk_nats_subscribe(sgk_nats *nats, const char *subject) {
    recipe *recipe = recipe_of(nats, subject, NULL, true, __func__);
    return recipe ? sgk_signal_create(start_run, recipe, free_recipe) : NULL;
}

sgk_signal *sgk_nats_work(sgk_nats *nats, const char *subject, const char *group) {
    if (!group) return companion_failed(SGK_ERROR_NULL, __func__, "group", "is NULL"), NULL;
    recipe *recipe = recipe_of(nats, subject, group, true, __func__);
    return recipe ? sgk_signal_create(start_run, recipe, free_recipe) : NULL;
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
    counts->dropped = nats->dropped;
    for (run *run = nats->runs; run; run = run->next) counts->dropped += dropped_by(run->subscription);
    pthread_mutex_unlock(&nats->lock);
    return SGK_OK;
}
