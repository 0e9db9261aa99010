/** @file
 * Debugging: descriptions of signals, running subscriptions, live objects, and traces. See docs/debugging.md.
 *
 * A signal can be described at any time. Subscriptions are observed on request. Without a request observation costs
 * nothing. A subscription that was started before the request is not observed. Each of these is a request:
 *
 * - sgk_debug_watch(true)
 * - a trace handler
 * - one of the environment variables SIGNALKIT_DOT, SIGNALKIT_SLOW, SIGNALKIT_INSPECT and SIGNALKIT_DEBUG
 * - a system tracer that is attached to a probe of the library
 * @since 1.0
 */
#ifndef SIGNALKIT_DEBUG_H
#define SIGNALKIT_DEBUG_H

#include "signal.h"

SGK_BEGIN

/* ---- Descriptions of signals ---- */

/** The formats of descriptions and graphs: X(name, number, text). */
#define SGK_DEBUG_FORMAT_MAP(X) \
    X(SGK_DEBUG_TEXT, 0, "text") \
    X(SGK_DEBUG_DOT, 1, "dot") \
    X(SGK_DEBUG_JSON, 2, "json")

/** The format of sgk_signal_describe and sgk_debug_graph. */
typedef enum sgk_debug_format {
#define SGK_DEBUG_FORMAT_ENUM(name, number, text) name = number,
    SGK_DEBUG_FORMAT_MAP(SGK_DEBUG_FORMAT_ENUM)
#undef SGK_DEBUG_FORMAT_ENUM
} sgk_debug_format;

/** Describes a signal in a `format`.
 *
 * SGK_DEBUG_TEXT has one line per stage, from the end to the sources. Sources are indented:
 *
 *     map
 *       filter
 *         named "clock" (clock.c:12)
 *           interval 0.5 s
 *
 * Operators have the names of their functions, without sgk_signal_. The text may also contain operators from which the
 * library builds one. Signals that callbacks create during a subscription are not known. If several stages use one
 * signal, it is described once, and later as `take 3 (as above)`. The indentation ends at 64 stages.
 *
 * SGK_DEBUG_DOT is a graph for Graphviz (`dot -Tsvg`). The arrows have the direction of the events.
 *
 * SGK_DEBUG_JSON is an object with `operator` and, if they are not empty, `parameter`, `name`, `file`, `line`, and
 * `sources`, an array of such objects. A signal that was described before has `same` instead of `sources`. It is the
 * number of the first object, where the objects without `same` are counted from 0.
 *
 * @return  A string.
 */
SGK_API SGK_OWNED sgk_value sgk_signal_describe(sgk_signal *signal, sgk_debug_format format);

/** The file and the line of the call: two arguments for sgk_signal_named_at and sgk_signal_trace_at. */
#define SGK_HERE __FILE__, __LINE__

/** Names a signal like sgk_signal_named, with a place: `sgk_signal_named_at(signal, "cpu", SGK_HERE)`.
 *
 * @param name  Copied.
 * @param file  Copied. May be NULL, for no place. Then `line` is ignored.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_named_at(sgk_signal *signal, const char *name, const char *file, int line);

/** Traces a signal like sgk_signal_trace, with a place.
 *
 * @param name  As in sgk_signal_named_at.
 * @param file  As in sgk_signal_named_at. May be NULL.
 * @param line  As in sgk_signal_named_at.
 */
SGK_API SGK_OWNED sgk_signal *sgk_signal_trace_at(sgk_signal *signal, const char *name, const char *file, int line);

/* ---- Running subscriptions ---- */

/** Requests the observation of subscriptions that start later, or withdraws a request.
 *
 * Calls are counted, so that a library and its program do not affect each other.
 *
 * @param on  true: a request. false: withdraws one. It does nothing if there is no request.
 */
SGK_API void sgk_debug_watch(bool on);

/** Receives a part of a text: `length` bytes at `text`, without a final NUL. They are borrowed for the call. */
typedef void (*sgk_write_fn)(void *context, const char *text, size_t length);

/** Writes the observed subscriptions with their stages.
 *
 * For each stage it writes the operator, its parameter, its name and place, the numbers of received, emitted and
 * pending values, and times. It calls `write(context, text, length)` once or several times before it returns. The
 * callback may use the library, because all data was copied before and no lock is held. While other threads emit, each
 * number is correct at some moment during the call.
 *
 * SGK_DEBUG_JSON writes one object in one line: `version` (1), `time`, `pid`, `runs`, `queues`, and `live`, the numbers
 * of sgk_live_count by name. All times are seconds of one clock. A later version may add fields.
 *
 * `runs` is an array. It has an object for each stage. The last stage of a subscription calls the callbacks, and its
 * `operator` is "run". The fields of an object are:
 *
 * - `id` and `parent`: numbers that are unique in the process. The parent is the next stage. For a last stage it is the
 *   subscription in whose callback it was started, or 0.
 * - `operator`, `parameter` and `name`: texts, or null.
 * - `file` and `line`: the place where the stage was named. The file may be null.
 * - `values`, `in`, `waiting`, `errors` and `dropped`: the numbers of emitted, received and pending values, of errors,
 *   and of dropped values.
 * - `most_waiting`: the largest number of pending values so far.
 * - `age` and `idle`: the seconds since the start and since the last event.
 * - `thread` of the last event.
 * - `busy` and `slowest`: the seconds since the start of the running callback, or 0, and the seconds of the longest
 *   callback.
 * - `pauses` and `paused`: the number of pauses by a stage downstream or by the program (overflow.h), and the seconds
 *   since the start of the present one, or 0.
 * - `paused_by`: the `id` of the stage that pauses this one. It is 0 if the stage is not paused, if
 *   sgk_disposable_hold pauses it, or if a listener of a shared signal does.
 * - `context` of sgk_trace_set_context.
 * - `state`: "running", "completed" or "failed".
 *
 * `queues` is an array of the library's serial queues and, after its first use, the main queue. It does not need
 * observation. The fields of an object are:
 *
 * - `name`: a text, or null.
 * - `depth` and `done`: the number of pending and running jobs, and of jobs that have run or were dropped.
 * - `running`: whether a thread runs its jobs.
 *
 * A job is a function for the queue, or a turn of a signal's values. Work that runs on the thread that waits for it
 * (sgk_queue_sync of an idle queue) is not a job.
 */
SGK_API sgk_status sgk_debug_graph(sgk_debug_format format, sgk_write_fn write, void *context);

/* ---- Live objects ---- */

/** Writes the number of live objects of each kind (sgk_live_count), and the text of sgk_debug_graph.
 *
 * With SIGNALKIT_DEBUG=1 in the environment it also writes the handles and counted values to which the program has
 * references, and its subscriptions. They are grouped by the place where the program got them, the largest group first.
 * A group has the kind, name, number, references and age of its objects. The place is the function of the library and
 * its callers, as far as the loader knows their names (with musl it is unknown).
 *
 * SIGNALKIT_DEBUG=leaks includes SIGNALKIT_DEBUG=1. With it, a program that exits with live objects writes the same
 * text to standard error, after the functions of `atexit` have run.
 *
 * @param write  Called as `write(context, text, length)`. It may use the library. May be NULL: then the text is written
 *               to standard error, for debuggers.
 * @return       SGK_OK; SGK_ERROR_MEMORY.
 *
 * Thread: any, also while others create and release objects. The handles and values are those of one moment before the
 * first call of `write`.
 */
SGK_API sgk_status sgk_debug_dump(sgk_write_fn write, void *context);

/* ---- Traces ---- */

/** The kinds of trace events: X(name, number, text). */
#define SGK_TRACE_MAP(X) \
    X(SGK_TRACE_START, 0, "start") \
    X(SGK_TRACE_NEXT, 1, "next") \
    X(SGK_TRACE_ERROR, 2, "error") \
    X(SGK_TRACE_COMPLETED, 3, "completed") \
    X(SGK_TRACE_DISPOSE, 4, "dispose") \
    X(SGK_TRACE_HOP, 5, "hop") \
    X(SGK_TRACE_RETURN, 6, "return")

/** A kind of trace event.
 *
 * SGK_TRACE_HOP: the next traced event has moved from another thread to this one. SGK_TRACE_DISPOSE: the stage was
 * released, after a terminal event or without one. SGK_TRACE_RETURN: a callback of the subscription, whose call was
 * traced as next, error or completed, has returned. Only the last stage of a subscription has it.
 */
typedef enum sgk_trace_kind {
#define SGK_TRACE_ENUM(name, number, text) name = number,
    SGK_TRACE_MAP(SGK_TRACE_ENUM)
#undef SGK_TRACE_ENUM
} sgk_trace_kind;

/** Returns the text of a kind of trace event, or a text for unknown kinds. The string is static. */
SGK_API const char *sgk_trace_kind_text(sgk_trace_kind kind);

/** A trace event of a subscription. Its texts are borrowed for the call, and may be NULL. */
typedef struct sgk_trace_event {
    size_t size;           /**< sizeof(sgk_trace_event) of the library that fills it. */
    uint32_t kind;         /**< A sgk_trace_kind. */
    int32_t line;          /**< The line in `file`. */
    const char *file;      /**< The file in which the stage was named (sgk_signal_named_at). */
    const char *name;      /**< The name of the stage, or of the nearest named signal upstream. */
    const char *operation; /**< The operator: "concat_map"; "run" for the last stage. */
    int64_t run;           /**< The number of the stage. */
    int64_t parent;        /**< The next stage; for the last one, the subscription whose callback started it, or 0. */
    int64_t from_thread;   /**< For a hop, the previous thread of the event. */
    int64_t thread;        /**< The system's number of this thread, or the library's if there is none. */
    double time;           /**< Seconds of a clock that never jumps. */
    uint64_t context;      /**< The value of sgk_trace_set_context at the start of the subscription. */
} sgk_trace_event;

/** Receives each event of an observed subscription before it is passed. `event` is borrowed for the call.
 *
 * The function may use the library, and may dispose the subscription. Events inside the call are not traced, except
 * disposals.
 *
 * Thread: the thread of the event. Several threads may call it simultaneously.
 */
typedef void (*sgk_trace_fn)(void *context, const sgk_trace_event *event);

/** Sets the function that receives the events of subscriptions that start later.
 *
 * @param handler  If NULL, no function receives events.
 *
 * Ownership: the previous handler's `destroy` runs after its last call.
 */
SGK_API void sgk_set_trace_handler(sgk_trace_fn handler, void *context, sgk_destroy_fn destroy);

/** Sets the trace value of the calling thread, such as the number of a span. The library does not interpret it.
 *
 * A subscription takes the value of its starting thread. Inside the callbacks of an observed subscription the thread
 * has that value, also on other threads. Subscriptions that they start inherit it.
 *
 * @return  The previous value. It is 0 at first.
 */
SGK_API uint64_t sgk_trace_set_context(uint64_t value);

/** Returns the trace value of the calling thread. Inside callbacks of an observed subscription it is its value. */
SGK_API uint64_t sgk_trace_context(void);

/* ---- Inspection by other programs ---- */

/** Opens a Unix socket through which other programs of the same user inspect this program, such as sgk-top.
 *
 * docs/debugging.md describes the requests: a program writes one line and reads one. From this call on, new
 * subscriptions are observed, and one thread serves the connections. The socket and its connections end with the
 * process, or when another path is set. The child of a fork has no socket. The environment variable
 * SIGNALKIT_INSPECT=path has the same effect when the program creates its first handle. A failure is then logged.
 *
 * @param path  `%p` represents the number of the process. Only the owner has permissions. A socket that a previous
 *              process left there is replaced, any other file is not. May be NULL: closes the socket and all
 *              connections before the call returns.
 * @return      SGK_OK; SGK_ERROR_ARGUMENT if the path is too long (more than 107 bytes on Linux); SGK_ERROR_SYSTEM if
 *              the system cannot create the socket or the thread. After an error there is no socket.
 */
SGK_API sgk_status sgk_debug_inspect(const char *path);

SGK_END

#endif
