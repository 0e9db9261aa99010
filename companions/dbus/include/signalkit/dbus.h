/** @file
 * D-Bus: its signals, calls and properties as signals. `libsignalkit-dbus`, on sd-bus of libsystemd.
 *
 *     SGK_AUTO(sgk_dbus) bus = sgk_dbus_create(NULL);
 *     SGK_AUTO(sgk_signal) name = sgk_dbus_property(
 *         bus, "org.freedesktop.hostname1", "/org/freedesktop/hostname1", "org.freedesktop.hostname1", "Hostname");
 *     SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(name, print, NULL, NULL);
 *
 * The rules are those of signalkit.h. Mistakes of a call are told by sgk_dbus_last_error; what a run fails with is an
 * array: a number (of errno, or a sgk_dbus_error), a text, and the name of the error on the bus (a string, or null).
 *
 * A client has one thread, which alone uses sd-bus, and on which everything is emitted: one event at a time, and never
 * inside a callback of sd-bus, so that everything may be disposed and released there. While a callback does not return
 * the client reads nothing, and what comes waits at the bus, which ends connections that let too much wait. A consumer
 * that may be slow stands behind sgk_signal_deliver_on_bounded.
 *
 * # Types
 *
 * | on the bus | as a value | from a value |
 * | --- | --- | --- |
 * | `y` `n` `q` `i` `u` `x` | int | an int in the type's range |
 * | `t` | int; one above 2^63 - 1 is an error | an int from 0 on |
 * | `b` | bool | bool |
 * | `d` | double | double, int |
 * | `s` `o` `g` | string | a string without a NUL, of the type's form |
 * | `ay` | bytes | bytes, string |
 * | `a…` | array | array |
 * | `(…)` | array of the members | array of as many |
 * | `a{…}` | array of pairs: arrays of a key and a value | the same |
 * | `v` | what is inside | bool `b`, int `x`, double `d`, string `s`, bytes `ay`, array `av` |
 * | `h` | an error: descriptors do not travel | an error |
 *
 * A run that is to bring what has no value fails with SGK_DBUS_TYPE.
 * @since 1.0
 */
#ifndef SIGNALKIT_DBUS_H
#define SIGNALKIT_DBUS_H

#include <signalkit.h>

SGK_BEGIN

/** What went wrong in the last failing call of this header on this thread, as "function: argument: reason"; "" when
 * nothing has. Valid until the next call of it on this thread. */
SGK_API const char *sgk_dbus_last_error(void);

/** Errors of this library's own. */
typedef enum sgk_dbus_error {
    SGK_DBUS_TYPE = -100 /**< A message has something that no value stands for, or a value does not fit its type. */
} sgk_dbus_error;

/* ---- Clients ---- */

/** A client of a bus. It connects when the first run needs it. When the bus is lost all runs fail, with ECONNRESET or
 * the like; the next one that is started connects anew, so that sgk_signal_retry_backoff is what waits for the bus to
 * be back. What is made of a client keeps it: its signals, and their runs. When the last reference goes it leaves the
 * bus, on its own thread (sgk_drain waits for that). In the child of a fork it must not be used. */
SGK_HANDLE(sgk_dbus)

/** The address of the bus of the system. */
#define SGK_DBUS_SYSTEM "unix:path=/run/dbus/system_bus_socket"

/** A client of the bus at `address`, as D-Bus writes it (`unix:path=…`). NULL: the user's, at DBUS_SESSION_BUS_ADDRESS;
 * NULL with an error when there is none. It does not connect yet. */
SGK_API SGK_OWNED sgk_dbus *sgk_dbus_create(const char *address);

/** What has happened to a client. */
typedef struct sgk_dbus_counts {
    size_t size;         /**< sizeof(sgk_dbus_counts) */
    int64_t connections; /**< How often it was connected. */
    int64_t received;    /**< Messages that have come for a run. */
    int64_t sent;        /**< Messages that runs have sent. */
    int64_t refused;     /**< Those without room: 10,000 wait for the bus, or for an answer of this side. */
} sgk_dbus_counts;

/** What a sgk_dbus_counts begins as. */
#define SGK_DBUS_COUNTS_INIT {sizeof(sgk_dbus_counts), 0, 0, 0, 0}

/** Puts at `counts` what has happened so far. */
SGK_API sgk_status sgk_dbus_counts_get(sgk_dbus *dbus, sgk_dbus_counts *counts);

/* ---- Hearing ---- */

/** Where the parts of a message stand in its array. */
typedef enum sgk_dbus_part {
    SGK_DBUS_PART_SENDER = 0,    /**< A string: its unique name. */
    SGK_DBUS_PART_PATH = 1,      /**< A string. */
    SGK_DBUS_PART_INTERFACE = 2, /**< A string, or null. */
    SGK_DBUS_PART_MEMBER = 3,    /**< A string. */
    SGK_DBUS_PART_ARGUMENTS = 4, /**< An array. */
    SGK_DBUS_PART_REQUEST = 5    /**< Of a call of sgk_dbus_object: what sgk_dbus_reply takes. */
} sgk_dbus_part;

/** The bus's signals of `sender`, on the object `path`, of `interface`, named `member`; NULL, each: of any. Each value
 * is an array: see sgk_dbus_part. Each run begins with what is sent after the bus has taken note of it. */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_signals(
    sgk_dbus *dbus, const char *sender, const char *path, const char *interface, const char *member);

/** The property `name` of `interface` of the object at `path` of `destination`, as its state: its value now, then each
 * that it changes to (by the signal PropertiesChanged; where that has no value it is asked for). Fails when there is
 * none. What an object does not tell of is not known: one that goes with its process keeps its last value here. */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_property(
    sgk_dbus *dbus, const char *destination, const char *path, const char *interface, const char *name);

/* ---- Calling ---- */

/** Each start calls the method `member` of `interface` (may be NULL) of the object at `path` of `destination`, with
 * `arguments`: an array of as many values as `types`, a signature of D-Bus as "su", has types; null, and NULL or "",
 * for none. Emits the reply, an array of what it has, and completes. Fails with the error that is the reply, or after
 * `seconds` (0: 25) with ETIMEDOUT. Disposal calls the reply off, and not what is done for it. */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_call(
    sgk_dbus *dbus, const char *destination, const char *path, const char *interface,
    const char *member, const char *types, sgk_value arguments, double seconds);

/** Each start sends a signal of the bus, `member` of `interface`, from the object at `path`, with `arguments` of
 * `types` as in sgk_dbus_call, and completes when the bus has taken it: whoever waits for that never finds the queue
 * full (ENOBUFS). */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_emit(sgk_dbus *dbus, const char *path, const char *interface, const char *member,
    const char *types, sgk_value arguments);

/* ---- Answering ---- */

/** Owns `name` on the bus as long as a run goes on (of several runs of a client, the last): emits true when it does.
 * Fails with EEXIST when somebody else has it. */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_own(sgk_dbus *dbus, const char *name);

/** The calls of methods of the object at `path`, which is there as long as a run goes on. Each value is an array: see
 * sgk_dbus_part. Its last part is to be answered, once, at any time, on any thread; one that is let go without an
 * answer is answered by an error. (Calls of `org.freedesktop.DBus.Peer` and `Introspectable` are answered by sd-bus;
 * those of `Properties` come here.) */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_object(sgk_dbus *dbus, const char *path);

/** Answers `call`, a value of sgk_dbus_object or the last part of one, with `arguments` of `types` as in sgk_dbus_call.
 * SGK_ERROR_ENDED when it is answered already. What does not fit its type is sent as an error. */
SGK_API sgk_status sgk_dbus_reply(sgk_value call, const char *types, sgk_value arguments);

/** Answers `call` with an error: a `name` like "org.example.Error.Full", and a `text`. As sgk_dbus_reply otherwise. */
SGK_API sgk_status sgk_dbus_reply_error(sgk_value call, const char *name, const char *text);

SGK_END

#endif
