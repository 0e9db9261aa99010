/* Connections and their statistics. */
#include "parts.h"

#include <time.h>

enum { SERVERS = 64 };
static const double most_seconds = 1e6;

const char *sgk_nats_last_error(void) { return companion_last_error(); }

sgk_status answer(natsStatus status, const char *function, const char *argument) {
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

sgk_value error_of(natsStatus status, const char *function, const char *text) {
    return companion_error((int)status, function, text && *text ? text : natsStatus_GetText(status), sgk_null());
}

/* The server ends a connection that sends longer lines than it likes. */
bool is_subject(const char *subject, bool wildcards) {
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

bool needs_subject(const char *subject, bool wildcards, const char *function) {
    if (!subject) return companion_failed(SGK_ERROR_NULL, function, "subject", "must not be NULL"), false;
    if (is_subject(subject, wildcards)) return true;
    return companion_failed(SGK_ERROR_ARGUMENT, function, "subject", "must be a subject"), false;
}

_Thread_local int inside;

void wait_until_closed(sgk_nats *nats) {
    pthread_mutex_lock(&nats->lock);
    while (nats->callers) pthread_cond_wait(&nats->over, &nats->lock);
    pthread_mutex_unlock(&nats->lock);
}

static void tear_down_connection(void *context) {
    sgk_nats *nats = context;
    natsConnection_Close(nats->connection);
    wait_until_closed(nats);
    natsSubscription_Destroy(nats->replies);
    natsConnection_Destroy(nats->connection);
    sgk_state_release(nats->state);
    pthread_cond_destroy(&nats->over);
    pthread_mutex_destroy(&nats->lock);
    free(nats->inbox);
    free(nats->slots);
    free(nats);
}

static void destroy_connection(void *nats) { companion_later(tear_down_connection, nats); }
const companion_kind connection_kind = {"sgk_nats", destroy_connection};

COMPANION_HANDLE(sgk_nats, &connection_kind)

static void set_state(sgk_nats *nats, sgk_nats_state state) {
    inside++;
    sgk_state_set(nats->state, sgk_int(state));
    inside--;
}
static void on_disconnected(natsConnection *connection, void *nats) {
    (void)connection;
    set_state(nats, SGK_NATS_RECONNECTING);
}
static void on_reconnected(natsConnection *connection, void *nats) {
    (void)connection;
    ask_all_anew(nats);
    set_state(nats, SGK_NATS_CONNECTED);
}
void caller_is_over(sgk_nats *nats) {
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
/* (The client would say it on stderr.) */
static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *nats) {
    const char *text = NULL;
    if (status == NATS_SLOW_CONSUMER) is_slow(nats, subscription);
    if (status == NATS_NOT_PERMITTED && natsConnection_GetLastError(connection, &text) == status && text) {
        char copy[2 * SUBJECT_LENGTH]; /* it is the connection's, which may have another one soon */
        snprintf(copy, sizeof copy, "%s", text);
        is_forbidden(nats, copy);
    }
}

/* Puts the parts of `url` into the options. */
static natsStatus set_servers(natsOptions *options, const char *url) {
    char *copy = strdup(url), *rest = copy;
    const char *servers[SERVERS];
    int count = 0;
    if (!copy) return NATS_NO_MEMORY;
    bool is_known = true; /* the client library takes any scheme for its own */
    for (char *server; (server = strtok_r(rest, ", ", &rest)) && count < SERVERS;) {
        is_known &= !strstr(server, "://") || strncmp(server, "nats://", 7) == 0 || strncmp(server, "tls://", 6) == 0;
        servers[count++] = server;
    }
    natsStatus status = count && is_known ? natsOptions_SetServers(options, servers, count) : NATS_INVALID_ARG;
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

sgk_nats *sgk_nats_connect(const char *url, const sgk_nats_options *given) {
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    if (!url) return companion_failed(SGK_ERROR_NULL, __func__, "url", "must not be NULL"), NULL;
    if ((given && !companion_copy_struct(&options, sizeof options, given)) ||
        !(options.connect_timeout >= 0 && options.connect_timeout < most_seconds) ||
        !(options.reconnect_wait >= 0 && options.reconnect_wait < most_seconds))
        return companion_refused(SGK_ERROR_ARGUMENT, __func__, "options", "a field is out of range");
    sgk_nats *nats = companion_create(&connection_kind, sizeof *nats);
    natsOptions *client = options.client;
    natsStatus status = !nats ? NATS_NO_MEMORY : client ? NATS_OK : natsOptions_Create(&client);
    if (nats) {
        nats->state = sgk_state_create_value(sgk_int(SGK_NATS_CONNECTED), true);
        nats->waiting_messages = int_of(options.waiting_messages, 65536);
        nats->waiting_bytes = int_of(options.waiting_bytes, 64 << 20);
        nats->slots_limit = int_of(options.requests, 65536);
        nats->free_slot = NO_SLOT;
        nats->callers = 1;
        pthread_condattr_t clock;
        pthread_condattr_init(&clock);
        pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
        pthread_cond_init(&nats->over, &clock);
        pthread_condattr_destroy(&clock);
        pthread_mutex_init(&nats->lock, NULL);
    }
    if (status == NATS_OK) status = configure(client, url, &options, nats);
    if (status == NATS_OK) status = natsConnection_Connect(&nats->connection, client);
    if (client != options.client) natsOptions_Destroy(client);
    if (status == NATS_OK) return nats;
    if (answer(status, __func__, "url") == SGK_ERROR_TIMEOUT) /* no answer here */
        companion_failed(SGK_ERROR_SYSTEM, __func__, "url", natsStatus_GetText(status));
    if (!nats) return NULL;
    if (!nats->connection) nats->callers = 0; /* (libnats also reports the end of a failed first attempt.) */
    tear_down_connection(nats);
    return NULL;
}

sgk_signal *sgk_nats_states(sgk_nats *nats) {
    return companion_needs(nats, &connection_kind, __func__, "nats") ? sgk_state_signal(nats->state) : NULL;
}

void *sgk_nats_client(sgk_nats *nats) {
    return companion_needs(nats, &connection_kind, __func__, "nats") ? nats->connection : NULL;
}

int64_t milliseconds(double seconds, const char *function) {
    if (!(seconds >= 0)) return companion_failed(SGK_ERROR_ARGUMENT, function, "seconds", "must be 0 or more"), 0;
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
    /* A reconnecting connection cannot be drained. */
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

/* ---- Statistics ---- */

sgk_status sgk_nats_counts_get(sgk_nats *nats, sgk_nats_counts *counts) {
    sgk_status status = companion_may_count(nats, &connection_kind, __func__, "nats", counts);
    if (status != SGK_OK) return status;
    sgk_nats_counts now = SGK_NATS_COUNTS_INIT;
    uint64_t received = 0, published = 0, bytes, reconnects = 0;
    natsStatistics *statistics = NULL;
    if (natsStatistics_Create(&statistics) == NATS_OK &&
        natsConnection_GetStats(nats->connection, statistics) == NATS_OK)
        natsStatistics_GetCounts(statistics, &received, &bytes, &published, &bytes, &reconnects);
    natsStatistics_Destroy(statistics);
    now.received = (int64_t)received;
    now.published = (int64_t)published;
    now.reconnects = (int64_t)reconnects;
    now.refused = atomic_load_explicit(&nats->refused, memory_order_relaxed);
    pthread_mutex_lock(&nats->lock);
    now.requests = nats->slots_taken;
    now.dropped = nats->dropped;
    pthread_mutex_unlock(&nats->lock);
    return companion_count(counts, &now, sizeof now);
}
