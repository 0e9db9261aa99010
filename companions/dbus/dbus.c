#include "signalkit/dbus.h"

#include "common.h"
#include "loop.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

enum { ROOM = 10000 };   /* messages that wait for the bus, and calls that wait for an answer of this side */
enum { FAREWELL = 500 }; /* milliseconds, until a bus that does not read is left as it is */
enum { TURN = 64 };      /* messages, before the queue's work has its turn */
enum { DEPTH = 64 };     /* of containers, as the bus allows */

const char *sgk_dbus_last_error(void) { return companion_last_error(); }

/* ---- What there is ---- */

typedef enum kind { HEARS, CALLS, EMITS, OWNS, ANSWERS } kind;

/* What a signal does when it is started. */
typedef struct recipe {
    sgk_dbus *client;
    kind kind;
    char *destination, *path, *interface, *member, *types;
    sgk_value arguments;
} recipe;

typedef struct run run;
struct run {
    companion_object object;
    sgk_dbus *client;
    sgk_subscriber *subscriber;
    sd_bus_slot *slot;
    kind kind;
    char *name; /* that it owns */
    run *next, **place; /* among those of the client; NULL when it is over */
};

/* A call that is to be answered. */
typedef struct request {
    companion_object object;
    sgk_dbus *client;
    sd_bus_message *call;
    atomic_bool is_answered;
} request;

/* What sd-bus has called back with, until it has returned. */
typedef struct event {
    run *run;
    sd_bus_message *message;
} event;

struct sgk_dbus {
    companion_object object;
    companion_loop *loop;
    char *address;
    _Atomic int64_t connections, received, sent, refused, unanswered;
    /* What follows is the client's thread's alone. */
    sd_bus *bus; /* NULL: there is none, and nobody has wanted it */
    run *runs, **last;
    event *events;
    size_t event_count, event_size;
};

static void client_destroy(void *object) { companion_loop_end(((sgk_dbus *)object)->loop); }
static const companion_kind client_kind = {"sgk_dbus", client_destroy};
COMPANION_LOOP_HANDLE(sgk_dbus, &client_kind)

static sgk_value error_of(int number, const char *text, const char *name) {
    sgk_value parts[] = {sgk_int(number), sgk_give(sgk_string(text ? text : strerror(number))),
        name ? sgk_give(sgk_string(name)) : sgk_null()};
    return sgk_array(parts, 3);
}
static sgk_value error_of_failure(int failure) { /* as sd-bus returns it */
    if (failure == -ENOMSG) return error_of(SGK_DBUS_TYPE, "a value and its type do not fit", NULL);
    return error_of(-failure, NULL, NULL);
}

/* ---- Values: functions return 0, or a negative number of errno; -ENOMSG where there is no such value ---- */

/* The values up to the end of the message, or of the container that was entered, as an array. */
static int read_all(sd_bus_message *m, int depth, sgk_value *result);

static int read_one(sd_bus_message *m, char type, const char *contents, int depth, sgk_value *result) {
    union {
        uint8_t y; int16_t n; uint16_t q; int32_t i; uint32_t u; int64_t x; uint64_t t; double d; int b; const char *s;
    } v;
    int failed;
    if (type == 'a' && strcmp(contents, "y") == 0) {
        const void *data;
        size_t size;
        failed = sd_bus_message_read_array(m, 'y', &data, &size);
        if (failed >= 0) *result = sgk_bytes(data, size);
        return failed < 0 ? failed : 0;
    }
    if (strchr("arev", type)) {
        failed = sd_bus_message_enter_container(m, type, contents);
        if (failed >= 0) failed = read_all(m, depth + 1, result);
        if (failed >= 0) failed = sd_bus_message_exit_container(m);
        if (failed >= 0 && type == 'v') {
            sgk_value inside = *result;
            *result = sgk_value_retain(sgk_array_at(inside, 0));
            sgk_value_release(inside);
        }
        return failed < 0 ? failed : 0;
    }
    if (type == 'h') return -ENOMSG;
    failed = sd_bus_message_read_basic(m, type, &v);
    if (failed < 0) return failed;
    switch (type) {
    case 'y': *result = sgk_int(v.y); break;
    case 'n': *result = sgk_int(v.n); break;
    case 'q': *result = sgk_int(v.q); break;
    case 'i': *result = sgk_int(v.i); break;
    case 'u': *result = sgk_int(v.u); break;
    case 'x': *result = sgk_int(v.x); break;
    case 't':
        if (v.t > INT64_MAX) return -ENOMSG;
        *result = sgk_int((int64_t)v.t);
        break;
    case 'd': *result = sgk_double(v.d); break;
    case 'b': *result = sgk_bool(v.b); break;
    case 's': case 'o': case 'g': *result = sgk_string(v.s); break;
    default: return -ENOMSG;
    }
    return 0;
}

static int read_all(sd_bus_message *m, int depth, sgk_value *result) {
    sgk_value *values = NULL;
    size_t count = 0, size = 0;
    int failed = depth > DEPTH ? -ENOMSG : 0;
    for (char type; failed >= 0;) {
        const char *contents;
        failed = sd_bus_message_peek_type(m, &type, &contents);
        if (failed <= 0) break;
        if (count == size) {
            sgk_value *more = realloc(values, (size = size ? size * 2 : 8) * sizeof *more);
            if (!more) { failed = -ENOMEM; break; }
            values = more;
        }
        sgk_value value = sgk_null();
        failed = read_one(m, type, contents, depth, &value);
        if (failed >= 0) values[count++] = sgk_give(value);
    }
    if (failed >= 0) *result = sgk_array(values, count);
    else for (size_t i = 0; i < count; i++) values[i].reserved = 0, sgk_value_release(values[i]);
    free(values);
    return failed < 0 ? failed : 0;
}

/* The length of the first whole type of a signature; 0 when that is none. */
static size_t type_length(const char *types, int depth) {
    if (depth > DEPTH || !*types || !strchr("ynqiuxtdbsogvha({", *types)) return 0;
    if (*types == 'a') {
        size_t inner = type_length(types + 1, depth + 1);
        return inner ? inner + 1 : 0;
    }
    if (*types != '(' && *types != '{') return 1;
    size_t length = 1;
    for (char end = *types == '(' ? ')' : '}'; types[length] != end;) {
        size_t inner = type_length(types + length, depth + 1);
        if (!inner) return 0;
        length += inner;
    }
    return length + 1;
}

static int append_all(sd_bus_message *m, const char *types, const sgk_value *values, size_t count, int depth);

static int append_int(sd_bus_message *m, char type, int64_t number) {
    union { uint8_t y; int16_t n; uint16_t q; int32_t i; uint32_t u; int64_t x; uint64_t t; } v = {0};
    bool fits = true;
    switch (type) {
    case 'y': fits = number >= 0 && number <= UINT8_MAX, v.y = (uint8_t)number; break;
    case 'n': fits = number >= INT16_MIN && number <= INT16_MAX, v.n = (int16_t)number; break;
    case 'q': fits = number >= 0 && number <= UINT16_MAX, v.q = (uint16_t)number; break;
    case 'i': fits = number >= INT32_MIN && number <= INT32_MAX, v.i = (int32_t)number; break;
    case 'u': fits = number >= 0 && number <= UINT32_MAX, v.u = (uint32_t)number; break;
    case 'x': v.x = number; break;
    case 't': fits = number >= 0, v.t = (uint64_t)number; break;
    }
    return fits ? sd_bus_message_append_basic(m, type, &v) : -ENOMSG;
}

/* Of the type that is so many characters long. */
static int append_one(sd_bus_message *m, const char *types, size_t length, sgk_value value, int depth) {
    sgk_kind kind = sgk_value_kind(value);
    size_t size = 0;
    char inner[256];
    if (depth > DEPTH || length >= sizeof inner) return -ENOMSG;
    switch (*types) {
    case 'y': case 'n': case 'q': case 'i': case 'u': case 'x': case 't':
        return kind == SGK_INT ? append_int(m, *types, sgk_to_int(value)) : -ENOMSG;
    case 'b': return kind == SGK_BOOL ? sd_bus_message_append_basic(m, 'b', &(int){sgk_to_bool(value)}) : -ENOMSG;
    case 'd':
        if (kind != SGK_DOUBLE && kind != SGK_INT) return -ENOMSG;
        return sd_bus_message_append_basic(m, 'd', &(double){sgk_to_double(value)});
    case 's': case 'o': case 'g': {
        const char *text = kind == SGK_STRING ? sgk_value_data(value, &size) : NULL;
        if (!text || strlen(text) != size) return -ENOMSG;
        int failed = sd_bus_message_append_basic(m, *types, text);
        return failed == -EINVAL ? -ENOMSG : failed;
    }
    case 'v': {
        static const char *const types_of[] = {NULL, "b", "x", "d", NULL, "s", "ay", "av", NULL, NULL};
        const char *type = kind <= SGK_OBJECT ? types_of[kind] : NULL;
        int failed = type ? sd_bus_message_open_container(m, 'v', type) : -ENOMSG;
        if (failed >= 0) failed = append_one(m, type, strlen(type), value, depth + 1);
        return failed < 0 ? failed : sd_bus_message_close_container(m);
    }
    case 'a': case '(': case '{': {
        if (length == 2 && types[1] == 'y') {
            const char *data = kind == SGK_BYTES || kind == SGK_STRING ? sgk_value_data(value, &size) : NULL;
            return data ? sd_bus_message_append_array(m, 'y', data, size) : -ENOMSG;
        }
        const sgk_value *items = kind == SGK_ARRAY ? sgk_array_items(value, &size) : NULL;
        if (kind != SGK_ARRAY) return -ENOMSG;
        bool is_array = *types == 'a';
        snprintf(inner, sizeof inner, "%.*s", (int)(length - (is_array ? 1 : 2)), types + 1);
        int failed = sd_bus_message_open_container(m, is_array ? 'a' : *types == '(' ? 'r' : 'e', inner);
        for (size_t i = 0; is_array && failed >= 0 && i < size; i++)
            failed = append_one(m, inner, strlen(inner), items[i], depth + 1);
        if (!is_array && failed >= 0) failed = append_all(m, inner, items, size, depth + 1);
        return failed < 0 ? failed : sd_bus_message_close_container(m);
    }
    default: return -ENOMSG;
    }
}

static int append_all(sd_bus_message *m, const char *types, const sgk_value *values, size_t count, int depth) {
    int failed = 0;
    for (size_t i = 0; failed >= 0 && *types; i++) {
        size_t length = type_length(types, depth);
        if (!length || i == count) return -ENOMSG;
        failed = append_one(m, types, length, values[i], depth);
        types += length;
        if (failed >= 0 && !*types && i + 1 != count) return -ENOMSG;
    }
    return failed;
}

static int append(sd_bus_message *m, const char *types, sgk_value arguments) {
    size_t count = 0;
    const sgk_value *values = sgk_value_kind(arguments) == SGK_ARRAY ? sgk_array_items(arguments, &count) : NULL;
    if ((sgk_value_kind(arguments) != SGK_ARRAY && sgk_value_kind(arguments) != SGK_NULL) || (count && !*types))
        return -ENOMSG;
    return append_all(m, types, values, count, 0);
}

/* A message as a value; of a call with what is to be answered, which it takes over. */
static int read_message(sd_bus_message *m, sgk_value request, sgk_value *result) {
    sgk_value arguments = sgk_null();
    const char *texts[] = {sd_bus_message_get_sender(m), sd_bus_message_get_path(m), sd_bus_message_get_interface(m),
        sd_bus_message_get_member(m)};
    sgk_value parts[6];
    int failed = read_all(m, 0, &arguments);
    if (failed < 0) return sgk_value_release(request), failed;
    for (int i = 0; i < 4; i++) parts[i] = texts[i] ? sgk_give(sgk_string(texts[i])) : sgk_null();
    parts[SGK_DBUS_PART_ARGUMENTS] = sgk_give(arguments);
    parts[SGK_DBUS_PART_REQUEST] = sgk_give(request);
    *result = sgk_array(parts, sgk_value_kind(request) == SGK_OBJECT ? 6 : 5);
    return 0;
}

/* ---- Runs ---- */

static void run_destroy(void *object) {
    run *run = object;
    sgk_dbus *client = run->client;
    sgk_subscriber_release(run->subscriber);
    free(run->name);
    free(run);
    companion_release(client);
}
static const companion_kind run_kind = {"run", run_destroy};

/* The run is over: sd-bus does not call it any more. */
static void take_out(run *run) {
    if (!run->place) return;
    *run->place = run->next;
    if (run->next) run->next->place = run->place;
    run->place = NULL;
    sd_bus_slot_unref(run->slot);
    if (run->kind == OWNS && run->client->bus) sd_bus_release_name_async(run->client->bus, NULL, run->name, NULL, NULL);
    companion_release(run);
}
static void take_out_here(void *run) { take_out(run); }
static void run_stop(void *context) {
    companion_loop_let_go(((run *)context)->client->loop, take_out_here, companion_retain(context), companion_release);
}

static void run_fail(run *run, sgk_value error) { /* which it takes over; the caller holds the run */
    take_out(run);
    sgk_subscriber_error(run->subscriber, sgk_give(error));
}

/* ---- What sd-bus says: it is noted, and dealt with when the call has returned ---- */

static int note(sd_bus_message *message, void *context, sd_bus_error *error) {
    run *run = context;
    sgk_dbus *client = run->client;
    if (client->event_count == client->event_size) {
        size_t larger = client->event_size ? client->event_size * 2 : 16;
        event *moved = realloc(client->events, larger * sizeof *moved);
        if (!moved) return -ENOMEM;
        client->events = moved;
        client->event_size = larger;
    }
    client->events[client->event_count++] = (event){companion_retain(run), sd_bus_message_ref(message)};
    return run->kind == ANSWERS; /* a signal may be for others, too */
}
static int note_refusal(sd_bus_message *answer, void *run, sd_bus_error *error) {
    return sd_bus_message_is_method_error(answer, NULL) ? note(answer, run, error) : 0;
}
static int note_call(sd_bus_message *call, void *context, sd_bus_error *error) {
    sgk_dbus *client = ((run *)context)->client;
    const char *interface = sd_bus_message_get_interface(call);
    if (interface && (strcmp(interface, "org.freedesktop.DBus.Peer") == 0 ||
                         strcmp(interface, "org.freedesktop.DBus.Introspectable") == 0)) return 0;
    if (client->unanswered + (int64_t)client->event_count < ROOM) return note(call, context, error);
    client->refused++;
    return sd_bus_reply_method_errorf(call, SD_BUS_ERROR_LIMITS_EXCEEDED, "too many calls wait for an answer");
}

static void request_destroy(void *object);
static const companion_kind request_kind = {"call of a sgk_dbus_object", request_destroy};

static void deal_with(sgk_dbus *client, run *run, sd_bus_message *m) {
    const sd_bus_error *refusal = sd_bus_message_get_error(m);
    sgk_value value = sgk_null();
    uint32_t owned = 0;
    int failed = 0;
    client->received++;
    if (refusal) return run_fail(run, error_of(sd_bus_message_get_errno(m), refusal->message, refusal->name));
    switch (run->kind) {
    case HEARS: failed = read_message(m, sgk_null(), &value); break;
    case CALLS: failed = read_all(m, 0, &value); break;
    case OWNS:
        failed = sd_bus_message_read_basic(m, 'u', &owned);
        if (failed >= 0 && owned != 1 && owned != 4) failed = -EEXIST; /* not the owner, nor was it before */
        value = sgk_bool(true);
        break;
    case ANSWERS: {
        request *request = companion_create(&request_kind, sizeof *request);
        if (!request) return;
        request->client = sgk_dbus_retain(client);
        request->call = sd_bus_message_ref(m);
        client->unanswered++;
        failed = read_message(m, companion_value(request), &value);
        if (failed < 0) return; /* the caller has been told: nobody answers */
        break;
    }
    default: break;
    }
    if (failed < 0) return run_fail(run, error_of_failure(failed));
    sgk_subscriber_next(run->subscriber, sgk_give(value));
    if (run->kind != CALLS) return;
    take_out(run);
    sgk_subscriber_complete(run->subscriber);
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

static int open_bus(sgk_dbus *client) {
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

/* All runs fail; what begins meanwhile connects anew. */
static void bus_is_lost(sgk_dbus *client, int failure) {
    sd_bus *bus = client->bus;
    run *runs = client->runs;
    client->bus = NULL;
    client->runs = NULL;
    if (runs) runs->place = &runs;
    while (runs) {
        run *run = companion_retain(runs);
        run_fail(run, error_of_failure(failure < 0 ? failure : -ECONNRESET));
        companion_release(run);
    }
    sd_bus_close_unref(bus);
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int prepare(void *context, struct pollfd *descriptor) {
    sgk_dbus *client = context;
    if (!client->bus) return -1;
    uint64_t until;
    int events = sd_bus_get_events(client->bus);
    descriptor->fd = sd_bus_get_fd(client->bus);
    descriptor->events = (short)events;
    if (descriptor->fd < 0 || events < 0 || client->event_count) return 0;
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
    if (client->bus && (more < 0 || sd_bus_is_open(client->bus) <= 0)) bus_is_lost(client, more);
}

static void client_close(void *context) {
    sgk_dbus *client = context;
    uint64_t queued = 0;
    struct pollfd descriptor;
    for (int64_t end = milliseconds() + FAREWELL; client->bus && milliseconds() < end;) { /* what is on its way */
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

/* ---- Beginning ---- */

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
        run->next = client->runs;
        if (run->next) run->next->place = &run->next;
        run->place = &client->runs;
        client->runs = companion_retain(run);
    }
    if (failed >= 0) failed = begin(client, recipe, run);
    if (failed < 0) sgk_subscriber_error(subscriber, sgk_give(error_of_failure(failed)));
    else if (recipe->kind == EMITS) sgk_subscriber_complete(subscriber);
    if (run && !stop) take_out(run);
    if (run) companion_release(run);
    return stop;
}

/* ---- Answers ---- */

typedef struct answer {
    request *request;
    char *types, *name, *text; /* the name and the text of an error; NULL: it is none */
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

static void request_close(void *context) {
    request *request = context;
    if (!request->is_answered)
        sd_bus_reply_method_errorf(request->call, SD_BUS_ERROR_NO_REPLY, "nobody has answered");
    sd_bus_message_unref(request->call);
    sgk_dbus *client = request->client;
    client->unanswered--;
    free(request);
    companion_release(client);
}
static void request_destroy(void *object) {
    companion_loop_let_go(((request *)object)->client->loop, request_close, object, NULL);
}

static sgk_status send_answer(
    sgk_value call, const char *types, const char *name, const char *text, sgk_value arguments, const char *function) {
    sgk_value lent = call, kept = arguments;
    size_t count = 0;
    lent.reserved = kept.reserved = 0;
    const sgk_value *parts = sgk_value_kind(lent) == SGK_ARRAY ? sgk_array_items(lent, &count) : NULL;
    request *request = companion_of(
        count > SGK_DBUS_PART_REQUEST ? parts[SGK_DBUS_PART_REQUEST] : sgk_null(), &request_kind, function, "call");
    if (!request) return SGK_ERROR_KIND;
    answer *answer = calloc(1, sizeof *answer);
    if (!answer) return companion_failed(SGK_ERROR_MEMORY, function, "memory", "there is none left");
    *answer = (struct answer){companion_retain(request), strdup(types), name ? strdup(name) : NULL,
        text ? strdup(text) : NULL, sgk_value_retain(kept)};
    if (!answer->types || !answer->name != !name || !answer->text != !text)
        return answer_free(answer), companion_failed(SGK_ERROR_MEMORY, function, "memory", "there is none left");
    if (atomic_exchange(&request->is_answered, true)) return answer_free(answer), SGK_ERROR_ENDED;
    companion_loop_let_go(request->client->loop, answer_here, answer, answer_free);
    return SGK_OK;
}

/* ---- What programs call ---- */

static void *refuse(sgk_status status, const char *function, const char *argument, const char *reason) {
    companion_failed(status, function, argument, reason);
    return NULL;
}

sgk_dbus *sgk_dbus_create(const char *address) {
    static const companion_driver driver = {"signalkit-dbus", prepare, step, client_close};
    if (!address) address = getenv("DBUS_SESSION_BUS_ADDRESS");
    if (!address) return refuse(SGK_ERROR_NULL, __func__, "address", "is NULL, and DBUS_SESSION_BUS_ADDRESS not set");
    sgk_dbus *client = companion_create(&client_kind, sizeof *client);
    if (client) client->address = strdup(address);
    if (client && client->address && (client->loop = companion_loop_create(&driver, client))) return client;
    if (client) free(client->address);
    free(client);
    return refuse(SGK_ERROR_SYSTEM, __func__, "thread", "the system refuses it, or memory");
}

sgk_status sgk_dbus_counts_get(sgk_dbus *dbus, sgk_dbus_counts *counts) {
    if (!companion_needs(dbus, &client_kind, __func__, "dbus")) return dbus ? SGK_ERROR_HANDLE : SGK_ERROR_NULL;
    if (!counts) return companion_failed(SGK_ERROR_NULL, __func__, "counts", "is NULL");
    if (counts->size != sizeof *counts)
        return companion_failed(SGK_ERROR_ARGUMENT, __func__, "counts", "has a size that is unknown");
    counts->connections = dbus->connections;
    counts->received = dbus->received;
    counts->sent = dbus->sent;
    counts->refused = dbus->refused;
    return SGK_OK;
}

/* Whether a text is of its form, or missing where it may. */
static bool needs(
    const char *text, bool optional, int (*is_valid)(const char *), const char *function, const char *argument) {
    if (!text && optional) return true;
    if (!text) return companion_failed(SGK_ERROR_NULL, function, argument, "is NULL"), false;
    if (is_valid(text) > 0) return true;
    return companion_failed(SGK_ERROR_ARGUMENT, function, argument, "is not of the form that D-Bus wants"), false;
}
static int are_types(const char *types) {
    if (strlen(types) > 255) return 0;
    for (size_t length; *types; types += length)
        if (*types == '{' || !(length = type_length(types, 0))) return 0;
    return 1;
}

/* The signal that does what the recipe says, whose texts are copied. */
static sgk_signal *signal_of(recipe parts, const char *function) {
    recipe *recipe = malloc(sizeof *recipe);
    if (!recipe) return refuse(SGK_ERROR_MEMORY, function, "memory", "there is none left");
    *recipe = parts;
    char **texts[] = {&recipe->destination, &recipe->path, &recipe->interface, &recipe->member, &recipe->types};
    bool failed = false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*texts[i]) failed = !(*texts[i] = strdup(*texts[i])) || failed;
    sgk_dbus_retain(recipe->client);
    sgk_value_retain(recipe->arguments);
    if (failed) return recipe_free(recipe), refuse(SGK_ERROR_MEMORY, function, "memory", "there is none left");
    sgk_signal *signal = sgk_signal_create(run_begin, recipe, recipe_free);
    sgk_signal_replace(&signal, sgk_signal_run_on(signal, parts.client->loop->queue));
    return signal;
}

sgk_signal *sgk_dbus_signals(
    sgk_dbus *dbus, const char *sender, const char *path, const char *interface, const char *member) {
    if (!companion_needs(dbus, &client_kind, __func__, "dbus") ||
        !needs(sender, true, sd_bus_service_name_is_valid, __func__, "sender") ||
        !needs(path, true, sd_bus_object_path_is_valid, __func__, "path") ||
        !needs(interface, true, sd_bus_interface_name_is_valid, __func__, "interface") ||
        !needs(member, true, sd_bus_member_name_is_valid, __func__, "member")) return NULL;
    return signal_of((recipe){.client = dbus, .kind = HEARS, .destination = (char *)sender, .path = (char *)path,
        .interface = (char *)interface, .member = (char *)member}, __func__);
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
        if (!(seconds >= 0)) companion_failed(SGK_ERROR_ARGUMENT, function, "seconds", "is negative");
        else {
            sgk_value late = error_of(ETIMEDOUT, NULL, NULL);
            SGK_AUTO(sgk_signal) too_late = sgk_signal_fail(sgk_give(late));
            signal = signal_of(recipe, function);
            if (!emits) sgk_signal_replace(&signal, sgk_signal_timeout( /* sd-bus has none before it is connected */
                signal, seconds == 0 ? 25 : seconds, too_late, recipe.client->loop->queue));
        }
    }
    companion_done_with(arguments);
    return signal;
}

sgk_signal *sgk_dbus_call(sgk_dbus *dbus, const char *destination, const char *path, const char *interface,
    const char *member, const char *types, sgk_value arguments, double seconds) {
    return call_or_emit((recipe){.client = dbus, .kind = CALLS, .destination = (char *)destination,
        .path = (char *)path, .interface = (char *)interface, .member = (char *)member, .types = (char *)types,
        .arguments = arguments}, seconds, __func__);
}

sgk_signal *sgk_dbus_emit(sgk_dbus *dbus, const char *path, const char *interface, const char *member,
    const char *types, sgk_value arguments) {
    return call_or_emit((recipe){.client = dbus, .kind = EMITS, .path = (char *)path, .interface = (char *)interface,
        .member = (char *)member, .types = (char *)types, .arguments = arguments}, 0, __func__);
}

sgk_signal *sgk_dbus_own(sgk_dbus *dbus, const char *name) {
    if (!companion_needs(dbus, &client_kind, __func__, "dbus") ||
        !needs(name, false, sd_bus_service_name_is_valid, __func__, "name")) return NULL;
    if (*name == ':') return refuse(SGK_ERROR_ARGUMENT, __func__, "name", "is a unique name");
    return signal_of((recipe){.client = dbus, .kind = OWNS, .destination = (char *)name}, __func__);
}

sgk_signal *sgk_dbus_object(sgk_dbus *dbus, const char *path) {
    if (!companion_needs(dbus, &client_kind, __func__, "dbus") ||
        !needs(path, false, sd_bus_object_path_is_valid, __func__, "path")) return NULL;
    return signal_of((recipe){.client = dbus, .kind = ANSWERS, .path = (char *)path}, __func__);
}

sgk_status sgk_dbus_reply(sgk_value call, const char *types, sgk_value arguments) {
    if (!types) types = "";
    sgk_status status = needs(types, false, are_types, __func__, "types")
        ? send_answer(call, types, NULL, NULL, arguments, __func__) : SGK_ERROR_ARGUMENT;
    companion_done_with(call);
    companion_done_with(arguments);
    return status;
}

sgk_status sgk_dbus_reply_error(sgk_value call, const char *name, const char *text) {
    sgk_status status = !name || !text ? SGK_ERROR_NULL : SGK_ERROR_ARGUMENT;
    if (!text) companion_failed(status, __func__, "text", "is NULL");
    else if (needs(name, false, sd_bus_interface_name_is_valid, __func__, "name"))
        status = send_answer(call, "", name, text, sgk_null(), __func__);
    companion_done_with(call);
    return status;
}

/* ---- Properties: made of the signals and calls above ---- */

typedef struct property {
    companion_object object;
    sgk_signal *get;
    char *interface, *name;
} property;

static void property_destroy(void *object) {
    property *property = object;
    sgk_signal_release(property->get);
    free(property->interface);
    free(property->name);
    free(property);
}
static const companion_kind property_kind = {"property", property_destroy};

static bool is_text(sgk_value value, const char *text) {
    return sgk_value_kind(value) == SGK_STRING && strcmp(sgk_value_data(value, NULL), text) == 0;
}
static sgk_value first_of(void *context, sgk_value reply) { return sgk_value_retain(sgk_array_at(reply, 0)); }

/* What PropertiesChanged says of the property: its value, that it is to be asked for, or nothing. */
static sgk_signal *change_of(void *context, sgk_value message) {
    property *property = context;
    size_t count = 0, changed_count = 0, invalid_count = 0;
    const sgk_value *parts = sgk_array_items(sgk_array_at(message, SGK_DBUS_PART_ARGUMENTS), &count);
    if (count != 3 || !is_text(parts[0], property->interface) || sgk_value_kind(parts[1]) != SGK_ARRAY ||
        sgk_value_kind(parts[2]) != SGK_ARRAY) return NULL;
    const sgk_value *changed = sgk_array_items(parts[1], &changed_count);
    for (size_t i = 0; i < changed_count; i++)
        if (sgk_value_kind(changed[i]) == SGK_ARRAY && is_text(sgk_array_at(changed[i], 0), property->name))
            return sgk_signal_single(sgk_array_at(changed[i], 1));
    const sgk_value *invalid = sgk_array_items(parts[2], &invalid_count);
    for (size_t i = 0; i < invalid_count; i++)
        if (is_text(invalid[i], property->name)) return sgk_signal_retain(property->get);
    return NULL;
}

sgk_signal *sgk_dbus_property(
    sgk_dbus *dbus, const char *destination, const char *path, const char *interface, const char *name) {
    static const char properties[] = "org.freedesktop.DBus.Properties";
    if (!companion_needs(dbus, &client_kind, __func__, "dbus") ||
        !needs(destination, false, sd_bus_service_name_is_valid, __func__, "destination") ||
        !needs(path, false, sd_bus_object_path_is_valid, __func__, "path") ||
        !needs(interface, false, sd_bus_interface_name_is_valid, __func__, "interface") ||
        !needs(name, false, sd_bus_member_name_is_valid, __func__, "name")) return NULL;
    property *property = companion_create(&property_kind, sizeof *property);
    if (!property) return refuse(SGK_ERROR_MEMORY, __func__, "memory", "there is none left");
    sgk_value arguments[] = {sgk_give(sgk_string(interface)), sgk_give(sgk_string(name))};
    property->interface = strdup(interface);
    property->name = strdup(name);
    property->get =
        sgk_dbus_call(dbus, destination, path, properties, "Get", "ss", sgk_give(sgk_array(arguments, 2)), 0);
    sgk_signal_replace(&property->get, sgk_signal_map(property->get, first_of, NULL, NULL));
    SGK_AUTO(sgk_signal) changes = sgk_dbus_signals(dbus, destination, path, properties, "PropertiesChanged");
    sgk_signal_replace(
        &changes, sgk_signal_map_to_queue(changes, change_of, companion_retain(property), companion_release));
    sgk_signal *both[] = {changes, property->get}; /* the bus knows of the first when it gets the second */
    sgk_signal *signal = sgk_merge_signals(both, 2);
    companion_release(property);
    return signal;
}
