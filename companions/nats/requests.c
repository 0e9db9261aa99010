/* Requests: one inbox for all replies of a connection, told apart by a number. */
#include "parts.h"

struct request {
    companion_object object; /* retained by its slot, its timer, and the disposable */
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

/* Assigns a number and stores the request. Returns false if the limit is reached. */
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

/* Removes the request with the slot's reference. The caller that gets it must end it; later callers get NULL. */
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

/* The function of the header that made the signal. */
static const char *name_of(bool is_storing) { return is_storing ? "sgk_nats_store" : "sgk_nats_request"; }
static const char *function_of(const request *self) { return name_of(self->is_storing); }

static void end_request(sgk_nats *nats, uint64_t number, natsStatus status, const char *text) {
    request *self = take_request(nats, number);
    if (!self) return;
    sgk_subscriber_error(self->subscriber, sgk_give(error_of(status, function_of(self), text)));
    companion_release(self);
}

static void request_is_late(void *context) {
    request *self = context;
    end_request(self->nats, self->number, NATS_TIMEOUT, NULL);
}

static void dispose_request(void *context) {
    request *self = context;
    if (!companion_is_here(self)) return;
    request *taken = take_request(self->nats, self->number);
    if (taken) companion_release(taken);
    if (self->timer) sgk_disposable_dispose(self->timer);
}

/* Finds the number or string after a quoted name in an answer of the server. Returns NULL if it is missing. (Other
 * texts in such answers are names, which contain no quotes.) */
static const char *said(const char *answer, const char *name) {
    const char *place = strstr(answer, name);
    return place ? place + strlen(name) + strspn(place + strlen(name), ": ") : NULL;
}

const char *done(natsMsg *reply, const char *what, const char *function, sgk_value *error) {
    const char *text = natsMsg_GetData(reply), *failure = text ? said(text, "\"error\"") : NULL;
    const char *result = text && !failure ? said(text, what) : NULL;
    if (result) return result;
    const char *description = failure ? said(failure, "\"description\"") : NULL;
    char reason[256] = "the answer cannot be parsed";
    if (description && *description == '"')
        snprintf(reason, sizeof reason, "%.*s", (int)strcspn(description + 1, "\""), description + 1);
    *error = error_of(failure ? NATS_ERR : NATS_PROTOCOL_ERROR, function, reason);
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
        error = error_of(NATS_NO_RESPONDERS, function_of(self), NULL);
        natsMsg_Destroy(contents);
    } else if (self->is_storing) {
        const char *sequence = done(contents, "\"seq\"", function_of(self), &error);
        if (sequence) result = sgk_int(atoll(sequence));
        natsMsg_Destroy(contents);
    } else {
        result = message_value(nats, contents, NULL);
        if (sgk_value_kind(result) == SGK_NULL) error = error_of(NATS_NO_MEMORY, function_of(self), NULL);
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

/* A request and its destination. */
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
    if (!question->id) return natsConnection_PublishRequest(connection, question->subject, reply, data, (int)length);
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
    const char *function = name_of(question->is_storing);
    natsStatus status = hear_replies(nats);
    request *self = status == NATS_OK ? companion_create(&request_kind, sizeof *self) : NULL;
    if (status != NATS_OK || !self) {
        if (status == NATS_OK) status = NATS_NO_MEMORY;
        sgk_subscriber_error(subscriber, sgk_give(error_of(status, function, NULL)));
        return NULL;
    }
    self->nats = companion_retain(nats);
    self->subscriber = sgk_subscriber_retain(subscriber);
    self->is_storing = question->is_storing;
    if (!put_request(self)) {
        sgk_value error = error_of(NATS_INSUFFICIENT_BUFFER, function, "too many requests wait for a reply");
        sgk_subscriber_error(subscriber, sgk_give(error));
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

sgk_signal *ask(sgk_nats *nats, const char *subject, sgk_value payload, const char *id, bool is_storing, double seconds,
    const char *function) {
    const void *data;
    size_t length = 0, more = id ? strlen(id) + 1 : 0;
    if (!companion_needs(nats, &connection_kind, function, "nats") || !needs_subject(subject, false, function) ||
        companion_payload(payload, function, &data, &length) != SGK_OK || !milliseconds(seconds, function))
        return NULL;
    if (id && (!*id || strpbrk(id, "\r\n")))
        return companion_failed(SGK_ERROR_ARGUMENT, function, "id", "must be one line"), NULL;
    length = strlen(subject) + 1;
    question *question = malloc(sizeof *question + length + more);
    if (!question) return companion_failed(SGK_ERROR_MEMORY, function, "payload", "out of memory"), NULL;
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
