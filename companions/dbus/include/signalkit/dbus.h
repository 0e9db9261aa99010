/** @file
 * D-Bus: its signals, calls and properties as signals. `libsignalkit-dbus`, on sd-bus of libsystemd.
 *
 *     SGK_AUTO(sgk_dbus) bus = sgk_dbus_create(NULL);
 *     SGK_AUTO(sgk_signal) name = sgk_dbus_property(
 *         bus, "org.freedesktop.hostname1", "/org/freedesktop/hostname1", "org.freedesktop.hostname1", "Hostname");
 *     SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(name, print, NULL, NULL);
 *
 * The rules of signalkit.h apply. sgk_dbus_last_error describes a failed call. A subscription fails with an
 * error (sgk_error_code, sgk_error_text). Its code is an errno or a sgk_dbus_error. The cause of an error reply is its
 * name on the bus, a string (sgk_error_cause).
 *
 * A client has one thread, which is the only user of sd-bus. It emits all events, one at a time and never inside a
 * callback of sd-bus. So your callbacks may dispose and release everything. While a callback runs, the client reads
 * nothing and messages are pending at the bus, which closes a connection with too many pending messages. For a slow
 * consumer use sgk_signal_deliver_on_bounded.
 *
 * # Types
 *
 * | type on the bus | received as | sent from |
 * | --- | --- | --- |
 * | `y` `n` `q` `i` `u` `x` | int | an int in the type's range |
 * | `t` | int; a number above 2^63 - 1 is an error | an int of 0 or more |
 * | `b` | bool | bool |
 * | `d` | double | double, int |
 * | `s` `o` `g` | string | a string without a NUL, valid for the type |
 * | `ay` | bytes | bytes, string |
 * | `a…` | array | array |
 * | `(…)` | array of the members | array of the same size |
 * | `a{…}` | array of pairs: arrays of a key and a value | the same |
 * | `v` | its content | bool `b`, int `x`, double `d`, string `s`, bytes `ay`, array `av` |
 * | `h` | an error: descriptors are not supported | an error |
 *
 * A subscription that receives an unsupported type fails with SGK_DBUS_TYPE.
 * @since 1.0
 */
#ifndef SIGNALKIT_DBUS_H
#define SIGNALKIT_DBUS_H

#include <signalkit.h>

SGK_BEGIN

/** Returns the last error of this header's functions on this thread, as "function: argument: reason"; "" if there was
 * none. Valid until the next call of it on this thread. */
SGK_API const char *sgk_dbus_last_error(void);

/** Errors of this library's own. */
typedef enum sgk_dbus_error {
    SGK_DBUS_TYPE = -100 /**< A message contains an unsupported type, or a value does not fit its type. */
} sgk_dbus_error;

/* ---- Clients ---- */

/** A client of a bus, which connects for the first subscription. If the connection is lost, all subscriptions fail, for
 * example with ECONNRESET, and the next subscription connects again. So sgk_signal_retry waits for the bus.
 * Signals and subscriptions retain their client. After the last release the client disconnects on its own thread, and
 * sgk_drain waits for that. Do not use it in the child of a fork. */
SGK_COMPANION_HANDLE(sgk_dbus)

/** The address of the bus of the system. */
#define SGK_DBUS_SYSTEM "unix:path=/run/dbus/system_bus_socket"

/** Creates a client of the bus at `address`, in the format of D-Bus (`unix:path=…`), without connecting. For NULL it
 * uses the user's bus, DBUS_SESSION_BUS_ADDRESS, and returns NULL if that is not set. */
SGK_API SGK_OWNED sgk_dbus *sgk_dbus_create(const char *address);

/** The statistics of a client. */
typedef struct sgk_dbus_counts {
    size_t size;         /**< sizeof(sgk_dbus_counts) */
    int64_t connections; /**< Number of connections so far. */
    int64_t received;    /**< Messages received for subscriptions. */
    int64_t sent;        /**< Messages that subscriptions have sent. */
    int64_t refused;     /**< Messages rejected while 10,000 wait for the bus or for an answer of this program. */
} sgk_dbus_counts;

/** The initial value of a sgk_dbus_counts. */
#define SGK_DBUS_COUNTS_INIT \
    { sizeof(sgk_dbus_counts), 0, 0, 0, 0 }

/** Writes the statistics of the client to `counts`. */
SGK_API sgk_status sgk_dbus_counts_get(sgk_dbus *dbus, sgk_dbus_counts *counts);

/* ---- Hearing ---- */

/** The indices of the parts of a message in its array. */
typedef enum sgk_dbus_part {
    SGK_DBUS_PART_SENDER = 0,    /**< A string: its unique name. */
    SGK_DBUS_PART_PATH = 1,      /**< A string. */
    SGK_DBUS_PART_INTERFACE = 2, /**< A string, or null. */
    SGK_DBUS_PART_MEMBER = 3,    /**< A string. */
    SGK_DBUS_PART_ARGUMENTS = 4, /**< An array. */
    SGK_DBUS_PART_REQUEST = 5    /**< Of a call of sgk_dbus_object: what sgk_dbus_reply takes. */
} sgk_dbus_part;

/** Emits the bus's signals from `sender`, of the object `path`, of `interface`, named `member`. Each may be NULL, which
 * matches all. Each value is an array: see sgk_dbus_part. A subscription receives the signals that are sent after the
 * bus has registered it. */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_signals(
    sgk_dbus *dbus, const char *sender, const char *path, const char *interface, const char *member);

/** Emits the value of the property `name` of `interface` of the object at `path` of `destination`, then each new value.
 * Changes arrive with the signal PropertiesChanged. If it contains no value, the client requests the value. Fails if
 * the property does not exist. If the object's process ends, no event reports that. */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_property(
    sgk_dbus *dbus, const char *destination, const char *path, const char *interface, const char *name);

/* ---- Calling ---- */

/** Calls the method `member` of `interface` (may be NULL) of the object at `path` of `destination` at each start.
 *
 * `arguments` is an array with one value for each type in `types`, a D-Bus signature such as "su". Without arguments it
 * is null, and `types` NULL or "". Emits the reply as an array and completes. Fails with the error of the reply, or
 * with ETIMEDOUT after `seconds` (0: 25). A disposal drops the reply, but does not cancel the method. */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_call(sgk_dbus *dbus, const char *destination, const char *path,
    const char *interface, const char *member, const char *types, sgk_value arguments, double seconds);

/** Sends a signal of the bus at each start: `member` of `interface`, from the object at `path`, with `arguments` of
 * `types` as in sgk_dbus_call. Completes when the bus has accepted it. If you start each send after the previous one
 * has completed, the queue is never full (ENOBUFS). */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_emit(sgk_dbus *dbus, const char *path, const char *interface, const char *member,
    const char *types, sgk_value arguments);

/* ---- Answering ---- */

/** Owns `name` on the bus during a subscription, and emits true when it does. Several subscriptions of a client share
 * the name until the last one ends. Fails with EEXIST if another client owns the name. */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_own(sgk_dbus *dbus, const char *name);

/** Emits the method calls to the object at `path`, which exists during the subscription. Each value is an array: see
 * sgk_dbus_part. Answer its last part once, at any time, on any thread. A call that is released without an answer is
 * answered by an error. (sd-bus answers calls of `org.freedesktop.DBus.Peer` and `Introspectable`. Calls of
 * `Properties` arrive here.) */
SGK_API SGK_OWNED sgk_signal *sgk_dbus_object(sgk_dbus *dbus, const char *path);

/** Answers `call`, a value of sgk_dbus_object or its last part, with `arguments` of `types` as in sgk_dbus_call.
 * Returns SGK_ERROR_ENDED if it is already answered. If an argument does not fit its type, the answer is an error. */
SGK_API sgk_status sgk_dbus_reply(sgk_value call, const char *types, sgk_value arguments);

/** Answers `call` with an error: a `name` such as "org.example.Error.Full", and a `text`. See sgk_dbus_reply. */
SGK_API sgk_status sgk_dbus_reply_error(sgk_value call, const char *name, const char *text);

SGK_END

#endif
