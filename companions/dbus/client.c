/* Clients: the bus, the thread that is its only user, and the statistics. */
#include "parts.h"

#include <limits.h>
#include <time.h>

enum { FAREWELL = 500 }; /* milliseconds, until a bus that does not read is left as it is */
enum { TURN = 64 };      /* messages, before the queue's work has its turn */

const char *sgk_dbus_last_error(void) { return companion_last_error(); }

static void client_destroy(void *object) { companion_loop_end(((sgk_dbus *)object)->loop); }
const companion_kind client_kind = {"sgk_dbus", client_destroy};
COMPANION_LOOP_HANDLE(sgk_dbus, &client_kind)

static const char *const functions[] = {[HEARS] = "sgk_dbus_signals",
    [CALLS] = "sgk_dbus_call",
    [EMITS] = "sgk_dbus_emit",
    [OWNS] = "sgk_dbus_own",
    [ANSWERS] = "sgk_dbus_object"};

sgk_value error_of_failure(kind kind, int failure) {
    if (failure == -ENOMSG)
        return companion_error(SGK_DBUS_TYPE, functions[kind], "a value and its type do not fit", sgk_null());
    return companion_error(-failure, functions[kind], strerror(-failure), sgk_null());
}
sgk_value error_of_reply(kind kind, sd_bus_message *reply) {
    const sd_bus_error *refusal = sd_bus_message_get_error(reply);
    int number = sd_bus_message_get_errno(reply);
    sgk_value name = sgk_string(refusal->name);
    const char *text = refusal->message ? refusal->message : strerror(number);
    sgk_value error = companion_error(number, functions[kind], text, name);
    sgk_value_release(name);
    return error;
}

bool needs(const char *text, bool optional, int (*is_valid)(const char *), const char *function, const char *argument) {
    if (!text && optional) return true;
    if (!text) return companion_failed(SGK_ERROR_NULL, function, argument, "must not be NULL"), false;
    if (is_valid(text) > 0) return true;
    return companion_failed(SGK_ERROR_ARGUMENT, function, argument, "must be valid in D-Bus"), false;
}

/* ---- What sd-bus says ---- */

int note(sd_bus_message *message, void *context, sd_bus_error *error) {
    run *run = context;
    sgk_dbus *client = run->client;
    event *events = companion_with_room(client->events, client->event_count, &client->event_size, sizeof *events);
    if (!events) return -ENOMEM;
    client->events = events;
    client->events[client->event_count++] = (event){companion_retain(run), sd_bus_message_ref(message)};
    return run->kind == ANSWERS; /* a signal may be for others, too */
}

static void deal_with_events(sgk_dbus *client) {
    size_t count = client->event_count;
    for (size_t i = 0; i < count; i++) {
        event event = client->events[i]; /* the array may move */
        if (event.run->place) deal_with(client, event.run, event.message);
        sd_bus_message_unref(event.message);
        companion_release(event.run);
    }
    client->event_count -= count;
    if (client->event_count)
        memmove(client->events, client->events + count, client->event_count * sizeof *client->events);
}

/* ---- The bus ---- */

int open_bus(sgk_dbus *client) {
    sd_bus *bus = NULL;
    int failed = sd_bus_new(&bus);
    if (failed >= 0) failed = sd_bus_set_address(bus, client->address);
    if (failed >= 0) failed = sd_bus_set_bus_client(bus, 1);
    if (failed >= 0) failed = sd_bus_start(bus);
    if (failed < 0) return sd_bus_unref(bus), failed;
    client->bus = bus;
    client->connections++;
    return 0;
}

/* Fails all subscriptions. Subscriptions that start during this call connect again. */
static void bus_is_lost(sgk_dbus *client, int failure) {
    sd_bus *bus = client->bus;
    run *emitting = client->emitting;
    client->bus = NULL;
    client->emitting = NULL;
    if (emitting) emitting->place = &emitting;
    end_all(&client->runs, failure < 0 ? failure : -ECONNRESET);
    end_all(&emitting, failure < 0 ? failure : -ECONNRESET);
    sd_bus_close_unref(bus);
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns whether the bus has accepted the emitted signals. */
static bool has_emitted(const sgk_dbus *client) {
    uint64_t queued = 0;
    return client->emitting && sd_bus_get_n_queued_write(client->bus, &queued) >= 0 && !queued;
}

static int prepare(void *context, struct pollfd *descriptor) {
    sgk_dbus *client = context;
    if (!client->bus) return -1;
    uint64_t until;
    int events = sd_bus_get_events(client->bus);
    descriptor->fd = sd_bus_get_fd(client->bus);
    descriptor->events = (short)events;
    if (descriptor->fd < 0 || events < 0 || client->event_count || has_emitted(client)) return 0;
    if (sd_bus_get_timeout(client->bus, &until) < 0 || until == UINT64_MAX) return -1;
    int64_t left = (int64_t)(until / 1000) + 1 - milliseconds();
    return until == 0 || left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static void step(void *context, short events) {
    sgk_dbus *client = context;
    int more = client->bus ? 1 : 0;
    for (int n = 0; more > 0 && n < TURN; n++) {
        more = sd_bus_process(client->bus, NULL);
        deal_with_events(client);
    }
    if (client->bus && has_emitted(client)) end_all(&client->emitting, 0);
    if (client->bus && (more < 0 || sd_bus_is_open(client->bus) <= 0)) bus_is_lost(client, more);
}

static void client_close(void *context) {
    sgk_dbus *client = context;
    uint64_t queued = 0;
    struct pollfd descriptor;
    for (int64_t end = milliseconds() + FAREWELL; client->bus && milliseconds() < end;) { /* messages in flight */
        if (sd_bus_process(client->bus, NULL) < 0) break;
        if (sd_bus_get_n_queued_write(client->bus, &queued) < 0 || !queued) break;
        if (prepare(client, &descriptor) != 0) poll(&descriptor, 1, 10);
    }
    for (size_t i = 0; i < client->event_count; i++) sd_bus_message_unref(client->events[i].message);
    sd_bus_close_unref(client->bus);
    free(client->events);
    free(client->address);
    free(client);
}

/* ---- What programs call ---- */

sgk_dbus *sgk_dbus_create(const char *address) {
    static const companion_driver driver = {"signalkit-dbus", prepare, step, client_close};
    if (!address) address = secure_getenv("DBUS_SESSION_BUS_ADDRESS");
    if (!address)
        return companion_refused(SGK_ERROR_NULL, __func__, "address", "is NULL, and DBUS_SESSION_BUS_ADDRESS not set");
    sgk_dbus *client = companion_create(&client_kind, sizeof *client);
    if (client) client->address = strdup(address);
    if (client && client->address && (client->loop = companion_loop_create(&driver, client))) return client;
    if (client) free(client->address);
    free(client);
    return companion_loop_refused(__func__);
}

sgk_status sgk_dbus_counts_get(sgk_dbus *dbus, sgk_dbus_counts *counts) {
    sgk_status status = companion_may_count(dbus, &client_kind, __func__, "dbus", counts);
    if (status != SGK_OK) return status;
    sgk_dbus_counts now = {sizeof now, dbus->connections, dbus->received, dbus->sent, dbus->refused};
    return companion_count(counts, &now, sizeof now);
}
