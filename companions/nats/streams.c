/* Streams: messages that are asked for, a few at a time, and settled. The protocol is public, and short. */
#include "parts.h"

/* The server reports the expiry of a request after EXPIRY seconds. Without that report the client requests again. */
enum { EXPIRY = 30, QUIET = EXPIRY + 5, ABSENCE = 30, API_PATIENCE = 5 };

/* A value of `asked`: the next request waits for the end of a pause. */
enum { PAUSED = -1 };

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

static void ask_after_pause(void *context);

/* Requests messages up to the limit when all requested ones have arrived. (This avoids a request per release.) During a
 * pause the messages stay in the stream. */
static void ask_for_more(run *self) {
    sgk_nats *nats = self->nats;
    bool is_paused = sgk_subscriber_is_paused(self->subscriber);
    pthread_mutex_lock(&nats->lock);
    int64_t limit = self->consumer->limit, room = limit - self->unsettled;
    bool is_due = !self->is_disposed && self->asked == 0 && room >= (limit + 3) / 4;
    if (is_due) self->asked = is_paused ? PAUSED : room, self->quiet = 0;
    pthread_mutex_unlock(&nats->lock);
    if (!is_due) return;
    if (is_paused) {
        SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
        sgk_subscriber_on_resume(self->subscriber, ask_after_pause, companion_retain(self), companion_release, queue);
        return;
    }
    char text[96];
    snprintf(text, sizeof text, "{\"batch\": %lld, \"expires\": %d000000000}", (long long)room, EXPIRY);
    natsConnection_PublishRequestString(nats->connection, self->consumer->next, self->inbox, text);
}

static void ask_after_pause(void *context) {
    run *self = context;
    if (!companion_is_here(self)) return;
    pthread_mutex_lock(&self->nats->lock);
    if (self->asked == PAUSED) self->asked = 0;
    pthread_mutex_unlock(&self->nats->lock);
    ask_for_more(self);
}

static void make_room(run *self) {
    pthread_mutex_lock(&self->nats->lock);
    self->unsettled--;
    pthread_mutex_unlock(&self->nats->lock);
    ask_for_more(self);
}

static const char ACCEPTED[] = "+ACK", REFUSED[] = "-NAK", WORKING[] = "+WPI";

static sgk_status tell_stream(message *self, const char *what) {
    natsStatus status = natsConnection_PublishString(self->nats->connection, natsMsg_GetReply(self->contents), what);
    return answer(status, "sgk_nats", "message");
}

static sgk_status settle(message *self, const char *how) {
    if (!self->consumer || atomic_exchange(&self->is_settled, true)) return SGK_OK;
    char text[64];
    double pause = self->consumer->consumer->pause;
    if (how == REFUSED && pause > 0) snprintf(text, sizeof text, "-NAK {\"delay\": %lld}", (long long)(pause * 1e9));
    sgk_status status = tell_stream(self, how == REFUSED && pause > 0 ? text : how);
    make_room(self->consumer);
    return status;
}

void let_go_unsettled(message *self) { settle(self, REFUSED); }

bool is_of_the_stream(run *self, natsMsg *contents) {
    const char *status = NULL, *text = NULL, *reply = natsMsg_GetReply(contents);
    bool is_message = reply && *reply; /* messages have a reply subject, and status replies do not */
    int number = natsMsgHeader_Get(contents, "Status", &status) == NATS_OK && status ? atoi(status) : 0;
    pthread_mutex_lock(&self->nats->lock);
    self->quiet = 0;
    if (is_message) self->unsettled++, self->asked -= self->asked > 0;
    else if (number > 100 && self->asked != PAUSED) self->asked = 0;
    self->absent = !is_message && number == 503 ? self->absent + 1 : 0;
    bool is_gone = self->absent > ABSENCE;
    pthread_mutex_unlock(&self->nats->lock);
    if (is_message) return true;
    if (natsMsgHeader_Get(contents, "Description", &text) != NATS_OK) text = NULL;
    /* 404 and 408: the request has expired. 503: no server is available, and the timer requests again. */
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

void ask_all_anew(sgk_nats *nats) {
    pthread_mutex_lock(&nats->lock);
    for (run *run = nats->runs; run; run = run->next) run->quiet = QUIET;
    pthread_mutex_unlock(&nats->lock);
}

static sgk_disposable *start_consuming(void *context, sgk_subscriber *subscriber) {
    consumer *consumer = context;
    run *self = run_of(consumer->nats, "sgk_nats_consume", subscriber);
    if (!self) return NULL;
    self->consumer = companion_retain(consumer);
    (void)natsInbox_Create(&self->inbox); /* without one it cannot be subscribed to either */
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    self->timer = sgk_timer_create(1, true, each_second, companion_retain(self), companion_release, queue);
    SGK_AUTO(sgk_timer) timer = sgk_timer_retain(self->timer); /* the subscription may have ended by then */
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
    if (!done(self->contents, "\"config\"", "sgk_nats_consume", &error)) return sgk_signal_fail(sgk_give(error));
    return sgk_signal_create(start_consuming, companion_retain(context), companion_release);
}

/* Returns whether the name is one word of a subject, and can be in quotes. */
static bool is_name(const char *name) { return is_subject(name, false) && !strpbrk(name, ".\"\\*>/"); }

sgk_signal *sgk_nats_consume(sgk_nats *nats, const char *stream, const char *name, const sgk_nats_consumer *given) {
    sgk_nats_consumer options = SGK_NATS_CONSUMER_INIT;
    if (!companion_needs(nats, &connection_kind, __func__, "nats")) return NULL;
    for (int i = 0; i < 2; i++) {
        const char *one = i ? name : stream, *argument = i ? "name" : "stream";
        if (!one) return companion_failed(SGK_ERROR_NULL, __func__, argument, "must not be NULL"), NULL;
        if (!is_name(one)) return companion_failed(SGK_ERROR_ARGUMENT, __func__, argument, "must be a name"), NULL;
    }
    bool is_known = !given || companion_copy_struct(&options, sizeof options, given);
    const char *subject = options.subject ? options.subject : ">";
    if (!is_known || !(options.patience >= 0 && options.patience < 1e9) ||
        !(options.pause >= 0 && options.pause < 1e9) || options.limit < 0 || options.limit > INT_MAX ||
        options.deliveries > INT_MAX || !is_subject(subject, true) || strpbrk(subject, "\"\\"))
        return companion_failed(SGK_ERROR_ARGUMENT, __func__, "consumer", "a field is out of range"), NULL;

    consumer *self = companion_create(&consumer_kind, sizeof *self);
    if (!self) return companion_failed(SGK_ERROR_MEMORY, __func__, "consumer", "out of memory"), NULL;
    self->nats = companion_retain(nats);
    self->pause = options.pause;
    self->limit = options.limit ? options.limit : 256;
    snprintf(self->next, sizeof self->next, "$JS.API.CONSUMER.MSG.NEXT.%s.%s", stream, name);
    char api[sizeof self->next], text[4 * SUBJECT_LENGTH];
    snprintf(api, sizeof api, "$JS.API.CONSUMER.DURABLE.CREATE.%s.%s", stream, name);
    snprintf(text, sizeof text,
        "{\"stream_name\": \"%s\", \"config\": {\"durable_name\": \"%s\", \"deliver_policy\": \"all\", "
        "\"ack_policy\": \"explicit\", \"ack_wait\": %lld, \"max_deliver\": %lld, \"filter_subject\": \"%s\"}}",
        stream, name, (long long)((options.patience > 0 ? options.patience : 30) * 1e9),
        (long long)(options.deliveries > 0 ? options.deliveries : -1), strcmp(subject, ">") ? subject : "");
    sgk_value payload = sgk_string(text);
    sgk_signal *made = ask(nats, api, payload, NULL, false, API_PATIENCE, __func__);
    sgk_value_release(payload);
    sgk_signal *messages = sgk_signal_switch_map(made, consume, self, companion_release);
    sgk_signal_release(made);
    return messages;
}

/* ---- Settling ---- */

static message *of_a_stream(sgk_value value, sgk_status *status, const char *function) {
    message *self = companion_of(value, &message_kind, function, "message");
    *status = !self ? SGK_ERROR_KIND : SGK_OK;
    if (!self || self->consumer) return self;
    *status = companion_failed(SGK_ERROR_ARGUMENT, function, "message", "must come from a stream");
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
    for (int skip = words >= 11 ? 6 : 4; skip > 0 && place; skip--) {
        place = strchr(place, '.');
        place += place != NULL;
    }
    int64_t deliveries = place ? atoll(place) : 0;
    companion_done_with(value);
    return deliveries;
}

static void accept_now(void *context) { settle(context, ACCEPTED); }
static void refuse_after(void *context, sgk_value error) { (void)error, settle(context, REFUSED); }
static void refuse_now(void *context) { settle(context, REFUSED); }

sgk_signal *sgk_nats_settled(sgk_signal *pipeline, sgk_value value) {
    sgk_status status;
    message *self = of_a_stream(value, &status, __func__);
    sgk_signal *settled = NULL;
    if (self) {
        settled = sgk_signal_before_completed(pipeline, accept_now, companion_retain(self), companion_release);
        SGK_STAGE(before_error, settled, refuse_after, companion_retain(self), companion_release);
        SGK_STAGE(after_disposed, settled, refuse_now, companion_retain(self), companion_release);
    }
    companion_done_with(value);
    return settled;
}
