/* Internal interface of the companion for D-Bus: client.c, values.c, runs.c, answers.c, properties.c. */
#ifndef DBUS_PARTS_H
#define DBUS_PARTS_H

#include "common.h"
#include "loop.h"
#include "signalkit/dbus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

enum { ROOM = 10000 }; /* messages that wait for the bus, and calls that wait for an answer of this side */

/* ---- client.c ---- */

typedef enum kind { HEARS, CALLS, EMITS, OWNS, ANSWERS } kind;

typedef struct run run;
struct run {
    companion_object object;
    sgk_dbus *client;
    sgk_subscriber *subscriber;
    sd_bus_slot *slot;
    kind kind;
    char *name;         /* that it owns */
    run *next, **place; /* among those of the client; NULL when it is over */
};

/* A message that sd-bus passed to a callback, stored until sd-bus has returned. */
typedef struct event {
    run *run;
    sd_bus_message *message;
} event;

struct sgk_dbus {
    companion_object object;
    companion_loop *loop;
    char *address;
    _Atomic int64_t connections, received, sent, refused, unanswered;
    /* Only the client's thread uses the following. */
    sd_bus *bus;          /* NULL: not connected, because no subscription needed it */
    run *runs, *emitting; /* `emitting` complete when the bus has accepted all messages */
    event *events;
    size_t event_count, event_size;
};

extern const companion_kind client_kind;

/* Returns the error of a subscription of this kind, for a result of sd-bus, which is negative. */
sgk_value error_of_failure(kind kind, int failure);
/* Returns the same for a reply: an errno, a text, and the name of the error on the bus, which is the cause. */
sgk_value error_of_reply(kind kind, sd_bus_message *reply);

/* Whether a text is of its form, or missing where it may; if not, the mistake is recorded. */
bool needs(const char *text, bool optional, int (*is_valid)(const char *), const char *function, const char *argument);

/* Connects. 0, or a negative number of errno. */
int open_bus(sgk_dbus *client);

/* The callback of sd-bus stores the message. It is handled after sd-bus has returned. */
int note(sd_bus_message *message, void *run, sd_bus_error *error);

/* ---- values.c: functions return 0, or a negative number of errno; -ENOMSG where there is no such value ---- */

/* The values up to the end of the message, or of the container that was entered, as an array. */
int read_all(sd_bus_message *m, int depth, sgk_value *result);

/* Converts a message to a value. For a call, the value contains `request`, which is transferred. */
int read_message(sd_bus_message *m, sgk_value request, sgk_value *result);

/* Appends the arguments, an array or null, of these types. */
int append(sd_bus_message *m, const char *types, sgk_value arguments);

/* Returns whether a text consists of complete types (for `needs`). */
int are_types(const char *types);

/* ---- runs.c ---- */

/* Handles a message of a subscription. */
void deal_with(sgk_dbus *client, run *run, sd_bus_message *m);

/* Fails all subscriptions of the list with a result of sd-bus, or completes them (0). New ones use a new list. */
void end_all(run **list, int failure);

/* ---- answers.c ---- */

/* Converts a received call to a value that can be answered. Returns 0, or a negative errno, which is the answer. */
int read_call(sgk_dbus *client, sd_bus_message *call, sgk_value *result);

#endif
