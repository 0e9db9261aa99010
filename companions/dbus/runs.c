/* Runs: signals and calls of the bus, names that are owned, objects that answer. */
#include "parts.h"

static void run_destroy(void *object) {
    run *run = object;
    sgk_dbus *client = run->client;
    sgk_subscriber_release(run->subscriber);
    free(run->name);
    free(run);
    companion_release(client);
}
static const companion_kind run_kind = {"run", run_destroy};

/* Whether the client has a run, this one aside, that owns the name. */
static bool is_owned_by_another(const run *run, const struct run *other) {
    for (; other; other = other->next)
        if (other != run && other->name && strcmp(other->name, run->name) == 0) return true;
    return false;
}

/* Removes an ended subscription, so that sd-bus does not call it again. */
static void take_out(run *run) {
    if (!run->place) return;
    *run->place = run->next;
    if (run->next) run->next->place = run->place;
    run->place = NULL;
    sd_bus_slot_unref(run->slot);
    sgk_dbus *client = run->client;
    if (run->name && client->bus && !is_owned_by_another(run, client->runs))
        sd_bus_release_name_async(client->bus, NULL, run->name, NULL, NULL);
    companion_release(run);
}
static void take_out_here(void *run) { take_out(run); }
static void run_stop(void *context) {
    companion_loop_let_go(((run *)context)->client->loop, take_out_here, companion_retain(context), companion_release);
}

/* The caller retains the subscription, and transfers the error. */
static void run_fail(run *run, sgk_value error) {
    take_out(run);
    sgk_subscriber_error(run->subscriber, sgk_give(error));
}
static void run_complete(run *run) {
    take_out(run);
    sgk_subscriber_complete(run->subscriber);
}

void end_all(run **list, int failure) {
    run *runs = *list;
    *list = NULL;
    if (runs) runs->place = &runs;
    while (runs) {
        run *run = companion_retain(runs);
        if (failure < 0) run_fail(run, error_of_failure(run->kind, failure));
        else run_complete(run);
        companion_release(run);
    }
}

/* ---- What comes ---- */

void deal_with(sgk_dbus *client, run *run, sd_bus_message *m) {
    sgk_value value = sgk_null();
    uint32_t owned = 0;
    int failed = 0;
    client->received++;
    if (sd_bus_message_get_error(m)) return run_fail(run, error_of_reply(run->kind, m));
    switch (run->kind) {
    case HEARS: failed = read_message(m, sgk_null(), &value); break;
    case CALLS: failed = read_all(m, 0, &value); break;
    case OWNS:
        failed = sd_bus_message_read_basic(m, 'u', &owned);
        if (failed >= 0 && owned != 1 && owned != 4) failed = -EEXIST; /* not the owner, nor was it before */
        value = sgk_bool(true);
        break;
    case ANSWERS:
        if (read_call(client, m, &value) < 0) return;
        break;
    default: break;
    }
    if (failed < 0) return run_fail(run, error_of_failure(run->kind, failed));
    sgk_subscriber_next(run->subscriber, sgk_give(value));
    if (run->kind == CALLS) run_complete(run);
}

static int note_refusal(sd_bus_message *answer, void *run, sd_bus_error *error) {
    return sd_bus_message_is_method_error(answer, NULL) ? note(answer, run, error) : 0;
}
static int note_call(sd_bus_message *call, void *context, sd_bus_error *error) {
    sgk_dbus *client = ((run *)context)->client;
    const char *interface = sd_bus_message_get_interface(call);
    if (interface &&
        (strcmp(interface, "org.freedesktop.DBus.Peer") == 0 ||
            strcmp(interface, "org.freedesktop.DBus.Introspectable") == 0))
        return 0;
    if (client->unanswered + (int64_t)client->event_count < ROOM) return note(call, context, error);
    client->refused++;
    return sd_bus_reply_method_errorf(call, SD_BUS_ERROR_LIMITS_EXCEEDED, "too many calls wait for an answer");
}

/* ---- Beginning ---- */

/* The description of a signal, used at each start. */
typedef struct recipe {
    sgk_dbus *client;
    kind kind;
    char *destination, *path, *interface, *member, *types;
    sgk_value arguments;
} recipe;

static void recipe_free(void *context) {
    recipe *recipe = context;
    char *texts[] = {recipe->destination, recipe->path, recipe->interface, recipe->member, recipe->types};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
    sgk_value_release(recipe->arguments);
    companion_release(recipe->client);
    free(recipe);
}

static int begin(sgk_dbus *client, const recipe *r, run *run) {
    sd_bus *bus = client->bus;
    sd_bus_message *m = NULL;
    uint64_t queued = 0;
    int failed = sd_bus_get_n_queued_write(bus, &queued);
    if (failed >= 0 && queued >= ROOM) {
        client->refused++;
        return -ENOBUFS;
    }
    switch (r->kind) {
    case HEARS:
        return sd_bus_match_signal_async(
            bus, &run->slot, r->destination, r->path, r->interface, r->member, note, note_refusal, run);
    case OWNS: return sd_bus_request_name_async(bus, &run->slot, run->name = strdup(r->destination), 0, note, run);
    case ANSWERS: return sd_bus_add_object(bus, &run->slot, r->path, note_call, run);
    case CALLS:
        failed = sd_bus_message_new_method_call(bus, &m, r->destination, r->path, r->interface, r->member);
        if (failed >= 0) failed = append(m, r->types, r->arguments);
        if (failed >= 0) failed = sd_bus_call_async(bus, &run->slot, m, note, run, UINT64_MAX);
        break;
    case EMITS:
        failed = sd_bus_message_new_signal(bus, &m, r->path, r->interface, r->member);
        if (failed >= 0) failed = append(m, r->types, r->arguments);
        if (failed >= 0) failed = sd_bus_send(bus, m, NULL);
        break;
    }
    sd_bus_message_unref(m);
    if (failed >= 0) client->sent++;
    return failed;
}

/* A new run, on the client's thread. */
static sgk_disposable *run_begin(void *context, sgk_subscriber *subscriber) {
    recipe *recipe = context;
    sgk_dbus *client = recipe->client;
    run *run = companion_create(&run_kind, sizeof *run);
    sgk_disposable *stop =
        run ? sgk_action_disposable_create(run_stop, companion_retain(run), companion_release) : NULL;
    int failed = !stop ? -ENOMEM : client->bus ? 0 : open_bus(client);
    if (run) {
        run->client = sgk_dbus_retain(client);
        run->subscriber = sgk_subscriber_retain(subscriber);
        run->kind = recipe->kind;
        run->place = run->kind == EMITS ? &client->emitting : &client->runs;
        run->next = *run->place;
        if (run->next) run->next->place = &run->next;
        *run->place = companion_retain(run);
    }
    if (failed >= 0) failed = begin(client, recipe, run);
    if (failed < 0) sgk_subscriber_error(subscriber, sgk_give(error_of_failure(recipe->kind, failed)));
    if (run && !stop) take_out(run);
    if (run) companion_release(run);
    return stop;
}

/* ---- What programs call ---- */

/* The signal that does what the recipe says, whose texts are copied. */
static sgk_signal *signal_of(recipe parts, const char *function) {
    recipe *recipe = malloc(sizeof *recipe);
    if (!recipe) return companion_refused(SGK_ERROR_MEMORY, function, "memory", "out of memory");
    *recipe = parts;
    char **texts[] = {&recipe->destination, &recipe->path, &recipe->interface, &recipe->member, &recipe->types};
    bool failed = false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) *texts[i] = companion_copy(*texts[i], &failed);
    sgk_dbus_retain(recipe->client);
    recipe->arguments = sgk_value_retain(recipe->arguments);
    if (failed) {
        recipe_free(recipe);
        return companion_refused(SGK_ERROR_MEMORY, function, "memory", "out of memory");
    }
    sgk_signal *signal = sgk_signal_create(run_begin, recipe, recipe_free);
    SGK_STAGE(run_on, signal, parts.client->loop->queue);
    return signal;
}

sgk_signal *sgk_dbus_signals(
    sgk_dbus *dbus, const char *sender, const char *path, const char *interface, const char *member) {
    if (!companion_needs(dbus, &client_kind, __func__, "dbus") ||
        !needs(sender, true, sd_bus_service_name_is_valid, __func__, "sender") ||
        !needs(path, true, sd_bus_object_path_is_valid, __func__, "path") ||
        !needs(interface, true, sd_bus_interface_name_is_valid, __func__, "interface") ||
        !needs(member, true, sd_bus_member_name_is_valid, __func__, "member"))
        return NULL;
    return signal_of((recipe){.client = dbus,
                         .kind = HEARS,
                         .destination = (char *)sender,
                         .path = (char *)path,
                         .interface = (char *)interface,
                         .member = (char *)member},
        __func__);
}

/* Fails if no reply arrives in time: sd-bus has no timeout while it connects. It takes over `signal`. */
static sgk_signal *in_time(sgk_signal *signal, double seconds, sgk_signal *too_late, sgk_queue *queue) {
    SGK_AUTO(sgk_signal) late = sgk_signal_delay_start(too_late, seconds, queue);
    sgk_signal_replace(&signal, sgk_race(SGK_LIST(sgk_signal *, signal, late)));
    return signal;
}

static sgk_signal *call_or_emit(recipe recipe, double seconds, const char *function) {
    sgk_signal *signal = NULL;
    sgk_value arguments = recipe.arguments;
    bool emits = recipe.kind == EMITS;
    recipe.arguments.reserved = 0;
    if (!recipe.types) recipe.types = "";
    if (companion_needs(recipe.client, &client_kind, function, "dbus") &&
        (emits || needs(recipe.destination, false, sd_bus_service_name_is_valid, function, "destination")) &&
        needs(recipe.path, false, sd_bus_object_path_is_valid, function, "path") &&
        needs(recipe.interface, !emits, sd_bus_interface_name_is_valid, function, "interface") &&
        needs(recipe.member, false, sd_bus_member_name_is_valid, function, "member") &&
        needs(recipe.types, false, are_types, function, "types")) {
        if (!(seconds >= 0)) companion_failed(SGK_ERROR_ARGUMENT, function, "seconds", "must be 0 or more");
        else {
            sgk_value late = error_of_failure(recipe.kind, -ETIMEDOUT);
            SGK_AUTO(sgk_signal) too_late = sgk_signal_fail(sgk_give(late));
            signal = signal_of(recipe, function);
            if (!emits) signal = in_time(signal, seconds == 0 ? 25 : seconds, too_late, recipe.client->loop->queue);
        }
    }
    companion_done_with(arguments);
    return signal;
}

sgk_signal *sgk_dbus_call(sgk_dbus *dbus, const char *destination, const char *path, const char *interface,
    const char *member, const char *types, sgk_value arguments, double seconds) {
    return call_or_emit((recipe){.client = dbus,
                            .kind = CALLS,
                            .destination = (char *)destination,
                            .path = (char *)path,
                            .interface = (char *)interface,
                            .member = (char *)member,
                            .types = (char *)types,
                            .arguments = arguments},
        seconds, __func__);
}

sgk_signal *sgk_dbus_emit(sgk_dbus *dbus, const char *path, const char *interface, const char *member,
    const char *types, sgk_value arguments) {
    return call_or_emit((recipe){.client = dbus,
                            .kind = EMITS,
                            .path = (char *)path,
                            .interface = (char *)interface,
                            .member = (char *)member,
                            .types = (char *)types,
                            .arguments = arguments},
        0, __func__);
}

sgk_signal *sgk_dbus_own(sgk_dbus *dbus, const char *name) {
    if (!companion_needs(dbus, &client_kind, __func__, "dbus") ||
        !needs(name, false, sd_bus_service_name_is_valid, __func__, "name"))
        return NULL;
    if (*name == ':') return companion_refused(SGK_ERROR_ARGUMENT, __func__, "name", "must not be a unique name");
    return signal_of((recipe){.client = dbus, .kind = OWNS, .destination = (char *)name}, __func__);
}

sgk_signal *sgk_dbus_object(sgk_dbus *dbus, const char *path) {
    if (!companion_needs(dbus, &client_kind, __func__, "dbus") ||
        !needs(path, false, sd_bus_object_path_is_valid, __func__, "path"))
        return NULL;
    return signal_of((recipe){.client = dbus, .kind = ANSWERS, .path = (char *)path}, __func__);
}
