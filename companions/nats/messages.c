/* Messages, and how they are published. */
#include "parts.h"

static void destroy_message(void *object) {
    message *self = object;
    let_go_unsettled(self);
    if (self->consumer) companion_release(self->consumer);
    natsMsg_Destroy(self->contents);
    companion_release(self->nats);
    free(self);
}
const companion_kind message_kind = {"message of sgk_nats", destroy_message};

sgk_value message_value(sgk_nats *nats, natsMsg *contents, run *consumer) {
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
    sgk_value payload =
        !self ? sgk_null() : sgk_bytes(natsMsg_GetData(self->contents), (size_t)natsMsg_GetDataLength(self->contents));
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
    natsStatus done =
        length > INT_MAX ? NATS_MAX_PAYLOAD : natsConnection_Publish(nats->connection, subject, data, (int)length);
    if (done != NATS_OK) atomic_fetch_add_explicit(&nats->refused, 1, memory_order_relaxed);
    return answer(done, function, "payload");
}

sgk_status sgk_nats_publish(sgk_nats *nats, const char *subject, sgk_value payload) {
    sgk_status status = !nats ? SGK_ERROR_NULL : SGK_ERROR_HANDLE;
    if (companion_needs(nats, &connection_kind, __func__, "nats"))
        status = needs_subject(subject, false, __func__) ? publish(nats, subject, payload, __func__)
            : subject                                    ? SGK_ERROR_ARGUMENT
                                                         : SGK_ERROR_NULL;
    companion_done_with(payload);
    return status;
}

sgk_status sgk_nats_reply(sgk_value value, sgk_value payload) {
    message *self = companion_of(value, &message_kind, __func__, "message");
    const char *subject = self && !self->consumer ? natsMsg_GetReply(self->contents) : NULL;
    sgk_status status = !self   ? SGK_ERROR_KIND
        : !subject || !*subject ? companion_failed(SGK_ERROR_ARGUMENT, __func__, "message", "must have a reply subject")
                                : publish(self->nats, subject, payload, __func__);
    companion_done_with(value);
    companion_done_with(payload);
    return status;
}

void free_recipe(void *context) {
    companion_release(((recipe *)context)->nats);
    free(context);
}

recipe *recipe_of(sgk_nats *nats, const char *subject, const char *group, bool wildcards, const char *function) {
    if (!companion_needs(nats, &connection_kind, function, "nats") || !needs_subject(subject, wildcards, function))
        return NULL;
    if (group && !is_subject(group, false))
        return companion_failed(SGK_ERROR_ARGUMENT, function, "group", "must be a name"), NULL;
    size_t length = strlen(subject) + 1, more = group ? strlen(group) + 1 : 0;
    recipe *recipe = malloc(sizeof *recipe + length + more);
    if (!recipe) return companion_failed(SGK_ERROR_MEMORY, function, "subject", "out of memory"), NULL;
    recipe->nats = companion_retain(nats);
    recipe->function = function;
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
    return status == SGK_OK
        ? sgk_unchanged()
        : sgk_failed(sgk_error(status,
              status == SGK_ERROR_ENDED ? "sgk_nats_published: the connection is closed" : companion_last_error()));
}

sgk_signal *sgk_nats_published(sgk_signal *signal, sgk_nats *nats, const char *subject) {
    recipe *recipe = recipe_of(nats, subject, NULL, false, __func__);
    return recipe ? sgk_signal_map(signal, publish_on_its_way, recipe, free_recipe) : NULL;
}
