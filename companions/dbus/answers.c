/* Calls that are to be answered, and the answers. */
#include "parts.h"

typedef struct request {
    companion_object object;
    sgk_dbus *client;
    sd_bus_message *call;
    atomic_bool is_answered;
} request;

static void request_close(void *context) {
    request *request = context;
    if (!request->is_answered)
        sd_bus_reply_method_errorf(request->call, SD_BUS_ERROR_NO_REPLY, "no handler answered the call");
    sd_bus_message_unref(request->call);
    sgk_dbus *client = request->client;
    client->unanswered--;
    free(request);
    companion_release(client);
}
static void request_destroy(void *object) {
    companion_loop_let_go(((request *)object)->client->loop, request_close, object, NULL);
}
static const companion_kind request_kind = {"call of a sgk_dbus_object", request_destroy};

int read_call(sgk_dbus *client, sd_bus_message *call, sgk_value *result) {
    request *request = companion_create(&request_kind, sizeof *request);
    if (!request) return -ENOMEM;
    request->client = sgk_dbus_retain(client);
    request->call = sd_bus_message_ref(call);
    client->unanswered++;
    return read_message(call, companion_value(request), result); /* if it fails nobody answers */
}

typedef struct answer {
    request *request;
    char *types, *name, *text; /* name and text of an error; NULL: not an error */
    sgk_value arguments;
} answer;

static void answer_free(void *context) {
    answer *answer = context;
    companion_release(answer->request);
    free(answer->types);
    free(answer->name);
    free(answer->text);
    sgk_value_release(answer->arguments);
    free(answer);
}
static void answer_here(void *context) {
    answer *answer = context;
    sd_bus_message *m = NULL, *call = answer->request->call;
    int failed = 0;
    if (!answer->name) {
        failed = sd_bus_message_new_method_return(call, &m);
        if (failed >= 0) failed = append(m, answer->types, answer->arguments);
        if (failed >= 0) failed = sd_bus_send(NULL, m, NULL);
        sd_bus_message_unref(m);
    }
    if (answer->name || failed < 0)
        sd_bus_reply_method_errorf(call, answer->name ? answer->name : SD_BUS_ERROR_FAILED, "%s",
            answer->name ? answer->text : "the answer does not fit its type");
    answer->request->client->sent++;
}

static sgk_status send_answer(
    sgk_value call, const char *types, const char *name, const char *text, sgk_value arguments, const char *function) {
    sgk_value lent = call, kept = arguments;
    size_t count = 0;
    lent.reserved = kept.reserved = 0;
    const sgk_value *parts = sgk_value_kind(lent) == SGK_ARRAY ? sgk_array_items(lent, &count) : NULL;
    request *request = companion_of(
        count > SGK_DBUS_PART_REQUEST ? parts[SGK_DBUS_PART_REQUEST] : lent, &request_kind, function, "call");
    if (!request) return SGK_ERROR_KIND;
    answer *answer = calloc(1, sizeof *answer);
    if (!answer) return companion_failed(SGK_ERROR_MEMORY, function, "memory", "out of memory");
    bool failed = false;
    *answer = (struct answer){companion_retain(request), companion_copy(types, &failed), companion_copy(name, &failed),
        companion_copy(text, &failed), sgk_value_retain(kept)};
    if (failed) return answer_free(answer), companion_failed(SGK_ERROR_MEMORY, function, "memory", "out of memory");
    if (atomic_exchange(&request->is_answered, true)) return answer_free(answer), SGK_ERROR_ENDED;
    companion_loop_let_go(request->client->loop, answer_here, answer, answer_free);
    return SGK_OK;
}

sgk_status sgk_dbus_reply(sgk_value call, const char *types, sgk_value arguments) {
    if (!types) types = "";
    sgk_status status = needs(types, false, are_types, __func__, "types")
        ? send_answer(call, types, NULL, NULL, arguments, __func__)
        : SGK_ERROR_ARGUMENT;
    companion_done_with(call);
    companion_done_with(arguments);
    return status;
}

sgk_status sgk_dbus_reply_error(sgk_value call, const char *name, const char *text) {
    sgk_status status = !name || !text ? SGK_ERROR_NULL : SGK_ERROR_ARGUMENT;
    if (!text) companion_failed(status, __func__, "text", "must not be NULL");
    else if (needs(name, false, sd_bus_interface_name_is_valid, __func__, "name"))
        status = send_answer(call, "", name, text, sgk_null(), __func__);
    companion_done_with(call);
    return status;
}
