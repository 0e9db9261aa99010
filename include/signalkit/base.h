/** @file
 * Declarations for all headers: the version, status codes, the last error, the log, counts of live objects.
 * @since 1.0
 */
#ifndef SIGNALKIT_BASE_H
#define SIGNALKIT_BASE_H

#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ != 8
#error "SignalKit does not run on 32-bit systems: it needs pointers of 64 bits."
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The major version of this header. It increases with incompatible changes. See sgk_version. */
#define SGK_VERSION_MAJOR 1
/** The minor version. It increases with additions. */
#define SGK_VERSION_MINOR 0
/** The patch version. It increases with corrections. */
#define SGK_VERSION_PATCH 0
/** The three numbers as text. */
#define SGK_VERSION_STRING "1.0.0"

#ifdef __cplusplus
/** Begins declarations of C functions. It is needed in C++. */
#define SGK_BEGIN extern "C" {
/** Ends declarations of C functions. */
#define SGK_END }
#else
#define SGK_BEGIN
#define SGK_END
#endif

#if defined(__GNUC__)
/** Marks a function that the library exports. */
#define SGK_API __attribute__((visibility("default")))
/** Marks a function that returns an owned handle or value. The compiler warns if a program ignores the result. To drop
 * it, release it: `sgk_disposable_release(sgk_signal_start(…))`. */
#define SGK_OWNED __attribute__((warn_unused_result))
/** Marks a function with a printf format. The compiler compares the format with the arguments. The numbers count
 * parameters from 1: that of the format, and the first one that it describes. */
#define SGK_FORMAT(place, first) __attribute__((format(printf, place, first)))
#else
#define SGK_API
#define SGK_OWNED
#define SGK_FORMAT(place, first)
#endif

#if defined(__GNUC__)
/** `SGK_AUTO(sgk_signal) even = …` declares a handle that is released at the end of its scope. GCC and Clang. */
#define SGK_AUTO(type) __attribute__((cleanup(type##_release_at))) type *
#endif

/** Declares what variables of a handle type have: `_replace`, and the function that SGK_AUTO calls. */
#define SGK_HANDLE_VARIABLES(type) \
    /** Stores `handle` in the variable at `place` and releases the old              \
     * handle, so that one variable is enough for a pipeline:                        \
     * `sgk_signal_replace(&s, sgk_signal_take(s, 1))`. It takes over                \
     * `handle`, which may be NULL. */ \
    static inline void type##_replace(type **place, type *handle) { \
        type *old = *place; \
        *place = handle; \
        type##_release(old); \
    } \
    /** Implements SGK_AUTO. */ \
    static inline void type##_release_at(type **place) { type##_release(*place); }

/** Declares a handle type with its functions `_retain`, `_release` and `_replace`. They check the type at compile time,
 * and call sgk_retain and sgk_release. */
#define SGK_HANDLE(type) \
    typedef struct type type; \
    /** Adds a reference and returns its argument. NULL does nothing. */ \
    static inline type *type##_retain(type *handle) { return (type *)sgk_retain(handle); } \
    /** Drops a reference. NULL does nothing. */ \
    static inline void type##_release(type *handle) { sgk_release(handle); } \
    SGK_HANDLE_VARIABLES(type)

/** Declares the same for a companion, which exports its own `_retain` and `_release`. */
#define SGK_COMPANION_HANDLE(type) \
    typedef struct type type; \
    SGK_API type *type##_retain(type *handle); \
    SGK_API void type##_release(type *handle); \
    SGK_HANDLE_VARIABLES(type)

/** Passes a callback without a context: a function, and NULL for its context and for the function that destroys it. */
#define SGK_FN(function) (function), NULL, NULL

#ifndef __cplusplus
/** Passes items as an array and its length: `sgk_merge(SGK_LIST(sgk_signal *, a, b))`. The compiler evaluates each item
 * once. */
#define SGK_LIST(type, ...) ((type[]){__VA_ARGS__}), (sizeof((type[]){__VA_ARGS__}) / sizeof(type))
#endif

SGK_BEGIN

/** The status codes with their texts: X(name, number, text). */
#define SGK_STATUS_MAP(X) \
    X(SGK_OK, 0, "success") \
    X(SGK_ERROR_NULL, -1, "a required argument is NULL") \
    X(SGK_ERROR_HANDLE, -2, "not a live handle of the required kind") \
    X(SGK_ERROR_ARGUMENT, -3, "an argument is out of range") \
    X(SGK_ERROR_ENDED, -4, "already ended or disposed") \
    X(SGK_ERROR_KIND, -5, "a value has the wrong kind") \
    X(SGK_ERROR_THREAD, -6, "not allowed on this thread") \
    X(SGK_ERROR_SYSTEM, -7, "a system call failed") \
    X(SGK_ERROR_TIMEOUT, -8, "timed out") \
    X(SGK_ERROR_MEMORY, -9, "out of memory") \
    X(SGK_ERROR_LEFT, -10, "a callback exited without returning; delivery has stopped") \
    X(SGK_ERROR_COMPLETED, -11, "the signal has completed without a value") \
    X(SGK_ERROR_FAILED, -12, "the signal has failed") \
    X(SGK_ERROR_OVERFLOW, -13, "a buffer is full") \
    X(SGK_PAUSED, 1, "accepted; a subscription asks for a pause")

/** The result of a call: SGK_OK, or a negative code. SGK_PAUSED is no error (see sgk_pipe_next). */
typedef enum sgk_status {
#define SGK_STATUS_ENUM(name, number, text) name = number,
    SGK_STATUS_MAP(SGK_STATUS_ENUM)
#undef SGK_STATUS_ENUM
} sgk_status;

/* An enumeration has 4 bytes in the library, so a program must not use -fshort-enums. */
#ifdef __cplusplus
static_assert(sizeof(sgk_status) == 4, "SignalKit needs enumerations of 4 bytes: compile without -fshort-enums");
#elif defined(__GNUC__)
__extension__ _Static_assert(
    sizeof(sgk_status) == 4, "SignalKit needs enumerations of 4 bytes: compile without -fshort-enums");
#endif

/** Returns the library's version, "MAJOR.MINOR.PATCH". The string is static. */
SGK_API const char *sgk_version(void);

/** Returns the text of a status code, or a text for unknown codes. The string is static. */
SGK_API const char *sgk_status_text(sgk_status status);

/** Returns the reason of the last failed call on this thread, as "function: argument: reason".
 *
 * @return  "" if no call has failed. The string is valid until the next call of the library on this thread.
 */
SGK_API const char *sgk_last_error(void);

/** Returns the status of the last failed call on this thread, or SGK_OK if no call has failed. */
SGK_API sgk_status sgk_last_status(void);

/** Clears the last error of this thread. */
SGK_API void sgk_clear_error(void);

/** The value of a limit that means "no limit". */
#define SGK_UNBOUNDED (-1)

/** Destroys the context of a callback, after its last use. */
typedef void (*sgk_destroy_fn)(void *context);

/** Adds a reference to a handle of any type, and returns the handle. NULL does nothing.
 *
 * Programs call the typed function, such as sgk_signal_retain. Handles of the companions have separate functions.
 */
SGK_API void *sgk_retain(void *handle);

/** Drops a reference to a handle of any type. NULL does nothing.
 *
 * Use it as the destroy function of a context that is a handle. It does not accept handles of the companions, which
 * have separate functions.
 */
SGK_API void sgk_release(void *handle);

/** Receives a message of the library. `message` is borrowed for the call.
 *
 * Thread: the thread that caused the message. Several threads may call it simultaneously.
 */
typedef void (*sgk_log_fn)(void *context, const char *message);

/** Sets the function that receives the library's messages.
 *
 * Messages report strict disposables released without dispose, misuse that SIGNALKIT_DEBUG=1 detects, unhandled errors,
 * a main queue that nothing runs, and the lines of sgk_signal_trace.
 *
 * @param log  If NULL, messages are written to stderr again.
 *
 * Ownership: the previous function's `destroy` runs after its last call.
 */
SGK_API void sgk_set_log_handler(sgk_log_fn log, void *context, sgk_destroy_fn destroy);

/** The kinds of counted objects: X(name, number, text). */
#define SGK_LIVE_MAP(X) \
    X(SGK_LIVE_SIGNAL, 0, "signal") \
    X(SGK_LIVE_SUBSCRIBER, 1, "subscriber") \
    X(SGK_LIVE_DISPOSABLE, 2, "disposable") \
    X(SGK_LIVE_QUEUE, 3, "queue") \
    X(SGK_LIVE_TIMER, 4, "timer") \
    X(SGK_LIVE_PIPE, 5, "pipe") \
    X(SGK_LIVE_VALUE, 6, "boxed value") \
    X(SGK_LIVE_CALLBACK, 7, "callback") \
    X(SGK_LIVE_PROMISE, 8, "promise") \
    X(SGK_LIVE_STATE, 9, "state") \
    X(SGK_LIVE_MULTICAST, 10, "multicast") \
    X(SGK_LIVE_SEQUENCER, 11, "sequencer") \
    X(SGK_LIVE_THREAD_POOL, 12, "thread pool") \
    X(SGK_LIVE_QUEUE_LOCAL, 13, "object of a queue") \
    X(SGK_LIVE_SIGNATURE, 14, "signature") \
    X(SGK_LIVE_NATIVE, 15, "native callback") \
    X(SGK_LIVE_MULTICAST_SIGNAL_MANAGER, 16, "multicast signal manager") \
    X(SGK_LIVE_EVENT_LINK, 17, "event link") \
    X(SGK_LIVE_LINK_BAG, 18, "link bag") \
    X(SGK_LIVE_OVERFLOW_COUNTER, 19, "overflow counter") \
    X(SGK_LIVE_READER, 20, "reader")

/** A kind of counted object. */
typedef enum sgk_live {
#define SGK_LIVE_ENUM(name, number, text) name = number,
    SGK_LIVE_MAP(SGK_LIVE_ENUM)
#undef SGK_LIVE_ENUM
} sgk_live;

/** Returns the number of live objects of a kind.
 *
 * Live objects are handles with references (a promise also because of its signals), boxed values, and callbacks whose
 * `destroy` has not run. Handlers of the process, such as the log handler, do not count. Counting is always active.
 *
 * @return  -1 for an unknown kind. While other threads create and release objects, the number may be too high, but
 *          never too low.
 */
SGK_API int64_t sgk_live_count(sgk_live kind);

/** Returns the number of live objects of all kinds.
 *
 * It is 0 if a program has released everything and nothing is running. The number is never too low: 0 means that at
 * some moment during the call nothing was alive.
 */
SGK_API int64_t sgk_live_total(void);

/** Returns the text of a kind of live object, or a text for unknown kinds. The string is static. */
SGK_API const char *sgk_live_text(sgk_live kind);

SGK_END

#endif
