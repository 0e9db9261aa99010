/** @file
 * Seeing what runs: what a signal is made of, which runs there are, and what happens to them.
 *
 * A signal can be described at any time. Runs are watched as long as somebody looks, and cost nothing more when nobody
 * does; what was started before that is not seen. Somebody looks from sgk_debug_watch(true) on, while a trace handler
 * is set, when one of the environment variables SIGNALKIT_DOT, SIGNALKIT_SLOW, SIGNALKIT_INSPECT or SIGNALKIT_DEBUG is
 * set, and when a tracer of the system is attached to a probe of the library. (docs/debugging.md)
 * @since 1.0
 */
#ifndef SIGNALKIT_DEBUG_H
#define SIGNALKIT_DEBUG_H

#include "signal.h"

SGK_BEGIN

/* ---- What a signal is made of ---- */

/** Describes a signal as text: one stage in a line, from its end to its sources, each source further in:
 *
 *     map
 *       filter
 *         named "clock" (clock.c:12)
 *           interval 0.5 s
 *
 * The result is a string, owned by the caller; null for what is no signal, with an error. Operators have the names of
 * their functions, without sgk_signal_; what the library makes an operator of may stand there as well. Signals that
 * callbacks make while a run goes on are not known before. A signal of which several others are made is described once,
 * and stands there as `take 3 (as above)` then. More than 64 stages one behind another stand no further in. */
SGK_API SGK_OWNED sgk_value sgk_signal_describe(sgk_signal *signal);

/** The same as a graph for Graphviz (`dot -Tsvg`), in which events flow along the arrows. A string, owned by the
 * caller; null for what is no signal, with an error. */
SGK_API SGK_OWNED sgk_value sgk_signal_to_dot(sgk_signal *signal);

/** The same as a JSON object: `operator` and, where there is something to say, `parameter`, `name`, `file`, `line`, and
 * `sources`, an array of such objects. A signal that has come before has `same` in place of its sources: the number of
 * the object that it has there, when those without `same` are counted from 0. A string, owned by the caller; null for
 * what is no signal, with an error. */
SGK_API SGK_OWNED sgk_value sgk_signal_to_json(sgk_signal *signal);

/** Where it stands in the source, for sgk_signal_named_at and sgk_signal_trace_at: two arguments. */
#define SGK_HERE __FILE__, __LINE__

/** sgk_signal_named that also says where: `sgk_signal_named_at(signal, "cpu", SGK_HERE)`. `name` and `file` are copied;
 * `file` may be NULL, for nowhere (`line` is nothing then). */
SGK_API SGK_OWNED sgk_signal *sgk_signal_named_at(sgk_signal *signal, const char *name, const char *file, int line);

/** sgk_signal_trace that also says where: `name`, `file` and `line` as for sgk_signal_named_at. `file` may be NULL. */
SGK_API SGK_OWNED sgk_signal *sgk_signal_trace_at(sgk_signal *signal, const char *name, const char *file, int line);

/* ---- What runs ---- */

/** Has what is started from now on watched (true), or not watched by this any more (false). Each true needs a false: a
 * library and its program do not disturb each other. More of the latter do nothing. */
SGK_API void sgk_debug_watch(bool on);

/** How sgk_debug_graph writes: X(name, number, text). */
#define SGK_DEBUG_FORMAT_MAP(X)        \
    X(SGK_DEBUG_TEXT, 0, "text")       \
    X(SGK_DEBUG_DOT, 1, "dot")         \
    X(SGK_DEBUG_JSON, 2, "json")

/** How sgk_debug_graph writes. */
typedef enum sgk_debug_format {
#define SGK_DEBUG_FORMAT_ENUM(name, number, text) name = number,
    SGK_DEBUG_FORMAT_MAP(SGK_DEBUG_FORMAT_ENUM)
#undef SGK_DEBUG_FORMAT_ENUM
} sgk_debug_format;

/** Receives a piece of a text: `length` bytes at `text`, borrowed for the call, and not ended by a NUL. */
typedef void (*sgk_write_fn)(void *context, const char *text, size_t length);

/** Writes what runs, as far as it is watched: each run with its stages, and for each stage its operator and parameter,
 * name and place, how many values it has passed on and got, how many wait in it, since when. It calls
 * `write(context, …)`, once or several times, before it returns; the callback may do whatever it likes, as all was
 * copied before, and no lock is held. Other threads may emit meanwhile: each number is right at some moment during the
 * call.
 *
 * SGK_DEBUG_JSON is one object, in one line:
 * - `version` (1), `time` (seconds of the clock that all times here are of), `pid`;
 * - `runs`: an array with an object for each stage, and one for the end of each run (`operator` is "run"): `id` and
 *   `parent`, numbers that no two of a process share (of a run, `parent` is the one in whose callback it was started,
 *   or 0); `operator`, `parameter` and `name` (texts, or null); `file` (text or null) and `line`; `values` (passed on),
 *   `in` (got from sources), `waiting`, `errors`, `dropped`; `age` and `idle` (seconds since the start and since the
 *   last event), `thread` (of the last event), `busy` (how long the callback that runs now has been running, else 0)
 *   and `slowest` (the longest call of a callback), in seconds; `context` (see sgk_trace_set_context); `state`:
 *   "running", "completed" or "failed";
 * - `queues`: the library's own serial queues and, once it is used, the main queue, whether anything is watched or not:
 *   `name` (text or null), `depth` (how many jobs wait or run), `done` (how many have run, or were let go), `running`
 *   (whether a thread is at them). A job is a function for the queue, or a turn of a signal's values. What runs on the
 *   thread that waits for it (sgk_queue_sync of an idle queue) is no job;
 * - `live`: what sgk_live_count says, by its names.
 *
 * A newer library may say more. */
SGK_API sgk_status sgk_debug_graph(sgk_debug_format format, sgk_write_fn write, void *context);

/* ---- What is alive ---- */

/** Writes down what is alive: how many objects of each kind (see sgk_live_count). With SIGNALKIT_DEBUG=1 in the
 * environment also what the program holds references to (handles, and values with a count), and its runs, in groups of
 * what it got in the same place, the largest first: how many of which kind and name, how many references are held, how
 * old, and the place: the function of the library, and behind it its callers, as far as the loader has their names
 * (with musl the place is not known). What sgk_debug_graph writes as text follows.
 *
 * The handles and values are those of one moment before the first call of `write`. It may be called from any thread,
 * while others make and release objects, and `write` may do whatever it likes. `write` may be NULL: then it is written
 * to the standard error output, as for a debugger. SGK_ERROR_MEMORY when there is no memory for it.
 *
 * With SIGNALKIT_DEBUG=leaks, which is SIGNALKIT_DEBUG=1 besides, a program that ends with anything alive writes the
 * same to the standard error output, after the functions given to `atexit` have run. */
SGK_API sgk_status sgk_debug_dump(sgk_write_fn write, void *context);

/* ---- What happens ---- */

/** What a trace handler is told: X(name, number, text). */
#define SGK_TRACE_MAP(X)              \
    X(SGK_TRACE_START, 0, "start")    \
    X(SGK_TRACE_NEXT, 1, "next")      \
    X(SGK_TRACE_ERROR, 2, "error")    \
    X(SGK_TRACE_COMPLETED, 3, "completed") \
    X(SGK_TRACE_DISPOSE, 4, "dispose") \
    X(SGK_TRACE_HOP, 5, "hop")        \
    X(SGK_TRACE_RETURN, 6, "return")

/** What a trace handler is told. A hop: the next event, which is told afterwards, has come from another thread than the
 * one on which it is now. A dispose: the stage has been let go, after its end or without one. A return: the run's
 * callback, whose call was told as next, error or completed, has returned. (Told of the ends of runs alone.) */
typedef enum sgk_trace_kind {
#define SGK_TRACE_ENUM(name, number, text) name = number,
    SGK_TRACE_MAP(SGK_TRACE_ENUM)
#undef SGK_TRACE_ENUM
} sgk_trace_kind;

/** The text of a kind of trace event; for an unknown one, a text that says so. Static. */
SGK_API const char *sgk_trace_kind_text(sgk_trace_kind kind);

/** Something that has happened to a run. Its texts are borrowed for the call, and may be NULL. */
typedef struct sgk_trace_event {
    size_t size;          /**< sizeof(sgk_trace_event) of the library that fills it. */
    sgk_trace_kind kind;  /**< What has happened. */
    int32_t line;         /**< The line in `file`. */
    const char *file;     /**< Where it was named (sgk_signal_named_at). */
    const char *name;     /**< Its name, or that of the nearest signal above it. */
    const char *operation; /**< The operator: "map_to_queue"; "run" for the end of a run, with the callbacks. */
    int64_t run;          /**< Its number. */
    int64_t parent;       /**< The number of what it feeds; of a run, that in whose callback it was started; or 0. */
    int64_t from_thread;  /**< Of a hop: the thread that the event has come from. */
    int64_t thread;       /**< The system's number of this thread, or one of the library's where it tells none. */
    double time;          /**< Seconds of the clock that never jumps. */
    uint64_t context;     /**< What sgk_trace_set_context had set where the run was started. */
} sgk_trace_event;

/** Called with each thing that happens to a watched run, before it is passed on, on the thread on which it happens, so
 * perhaps on several at once. It may dispose what it looks at, and use the library in any other way; what happens to
 * runs inside of the call is not told (but for disposals). `event` is borrowed for the call. */
typedef void (*sgk_trace_fn)(void *context, const sgk_trace_event *event);

/** Has `handler` told of all that happens to what is started from now on, until another is set; NULL ends it. The
 * former handler's `destroy` runs when no call of it can be running any more. */
SGK_API void sgk_set_trace_handler(sgk_trace_fn handler, void *context, sgk_destroy_fn destroy);

/** Sets the calling thread's value for traces, which says nothing to the library (the number of a span, an address). A
 * run that is started has that value from then on, and with it all that it starts; it is the thread's inside of the
 * run's callbacks, on whichever thread they are called, as far as the run is watched. Returns the value that was
 * there: 0 at first. */
SGK_API uint64_t sgk_trace_set_context(uint64_t value);

/** The calling thread's value for traces: inside the callbacks of a watched run, that of the run. */
SGK_API uint64_t sgk_trace_context(void);

/* ---- From outside ---- */

/** Lets other programs of this user ask what runs here: sgk-top, or any that writes a line to a Unix socket and reads
 * one (docs/debugging.md has the requests). The socket is made at `path`, in which `%p` stands for the number of the
 * process, with permissions for its owner alone; one that was left over there is taken over, anything else is not.
 * From then on what is started is watched, and one thread serves those who ask, until the socket is set elsewhere.
 * `path` may be NULL, for no socket any more: when this returns it is gone, and so are all connections. They go with
 * the process, too; the child of a fork has none of them. SIGNALKIT_INSPECT=path does the same when the program first
 * makes a handle, and the log says it if that is not possible. SGK_ERROR_ARGUMENT: the path is too long (107 bytes are
 * the most on Linux); SGK_ERROR_SYSTEM: the socket or the thread could not be made. There is none then. */
SGK_API sgk_status sgk_debug_inspect(const char *path);

SGK_END

#endif
