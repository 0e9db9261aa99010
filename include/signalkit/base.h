/** @file
 * What every part of the header needs: the version, status codes, the last error, the log, live-object counts.
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

/** The version of this header (sgk_version tells the library's). It grows with incompatible changes. */
#define SGK_VERSION_MAJOR 1
/** Grows with what is new. */
#define SGK_VERSION_MINOR 0
/** Grows with what is mended. */
#define SGK_VERSION_PATCH 0
/** The three of them as a text. */
#define SGK_VERSION_STRING "1.0.0"

#ifdef __cplusplus
/** Begins declarations of C functions, in C++ as well. */
#define SGK_BEGIN extern "C" {
/** Ends them. */
#define SGK_END }
#else
#define SGK_BEGIN
#define SGK_END
#endif

#if defined(__GNUC__)
/** Marks what the library exports. */
#define SGK_API __attribute__((visibility("default")))
/** Marks a function that returns an owned handle or value. The compiler warns if a program ignores the result. To drop
 * it, release it: `sgk_disposable_release(sgk_signal_start(…))`. */
#define SGK_OWNED __attribute__((warn_unused_result))
#else
#define SGK_API
#define SGK_OWNED
#endif

#if defined(__GNUC__)
/** `SGK_AUTO(sgk_signal) even = …` declares a handle that is released at the end of its scope. GCC and Clang. */
#define SGK_AUTO(type) __attribute__((cleanup(type##_release_at))) type *
#endif

/** Declares what every kind of handle has: `_retain` (returns its argument), `_release`, `_replace`, and what SGK_AUTO
 * calls. */
#define SGK_HANDLE(type)                                                     \
    typedef struct type type;                                                \
    /** Adds a reference and returns its argument. NULL does nothing. */     \
    SGK_API type *type##_retain(type *handle);                               \
    /** Drops a reference. NULL does nothing. */                             \
    SGK_API void type##_release(type *handle);                               \
    /** Puts `handle`, which it takes over, into the variable at `place` and \
     * releases what was there: one variable is enough for a pipeline, as in \
     * `sgk_signal_replace(&s, sgk_signal_take(s, 1))`. NULL is put there    \
     * as well. */                                                           \
    static inline void type##_replace(type **place, type *handle) {          \
        type *old = *place;                                                  \
        *place = handle;                                                     \
        type##_release(old);                                                 \
    }                                                                        \
    /** What SGK_AUTO calls. */                                              \
    static inline void type##_release_at(type **place) { type##_release(*place); }

SGK_BEGIN

/** The status codes with their texts: X(name, number, text). */
#define SGK_STATUS_MAP(X)                                                               \
    X(SGK_OK, 0, "success")                                                             \
    X(SGK_ERROR_NULL, -1, "a required argument is NULL")                                \
    X(SGK_ERROR_HANDLE, -2, "not a live handle of the required kind")                   \
    X(SGK_ERROR_ARGUMENT, -3, "an argument is out of range")                            \
    X(SGK_ERROR_ENDED, -4, "already ended or disposed")                                 \
    X(SGK_ERROR_KIND, -5, "a value has the wrong kind")                                 \
    X(SGK_ERROR_THREAD, -6, "not allowed on this thread")                               \
    X(SGK_ERROR_SYSTEM, -7, "a system call failed")                                     \
    X(SGK_ERROR_TIMEOUT, -8, "timed out")                                               \
    X(SGK_ERROR_MEMORY, -9, "out of memory")                                            \
    X(SGK_ERROR_LEFT, -10, "a callback exited without returning; delivery has stopped") \
    X(SGK_ERROR_COMPLETED, -11, "the signal has completed without a value")             \
    X(SGK_ERROR_FAILED, -12, "the signal has failed")

/** What a call came to: SGK_OK, or a negative code. */
typedef enum sgk_status {
#define SGK_STATUS_ENUM(name, number, text) name = number,
    SGK_STATUS_MAP(SGK_STATUS_ENUM)
#undef SGK_STATUS_ENUM
} sgk_status;

/** The library's version, "MAJOR.MINOR.PATCH". Static. */
SGK_API const char *sgk_version(void);

/** The text of a status code; for an unknown one, a text that says so. Static. */
SGK_API const char *sgk_status_text(sgk_status status);

/** What went wrong in the last failing call on this thread, as "function: argument: reason"; "" when nothing has. Valid
 * until the next call of the library on this thread. */
SGK_API const char *sgk_last_error(void);

/** The status of the last failing call on this thread; SGK_OK when there was none. */
SGK_API sgk_status sgk_last_status(void);

/** Forgets the last error of this thread. */
SGK_API void sgk_clear_error(void);

/** In place of a limit: none. */
#define SGK_UNBOUNDED (-1)

/** Called when the last use of a callback's context is gone. */
typedef void (*sgk_destroy_fn)(void *context);

/** Drops a reference to a handle of this library of any kind, so it can be the destroy function of a context that is a
 * handle. (Those of the companions have functions of their own.) NULL does nothing. */
SGK_API void sgk_release(void *handle);

/** Receives a message of the library, on the thread that it arose on, so perhaps on several at once. The message is
 * borrowed for the call. */
typedef void (*sgk_log_fn)(void *context, const char *message);

/** Directs the library's messages (strict disposables let go too early, misuse found by SIGNALKIT_DEBUG=1, errors that
 * nobody handles, sgk_signal_trace, a main queue that nobody runs) to `log`; NULL goes back to stderr. The former
 * handler's `destroy` runs when no call of it can be running any more. */
SGK_API void sgk_set_log_handler(sgk_log_fn log, void *context, sgk_destroy_fn destroy);

/** The kinds of objects that are counted: X(name, number, text). */
#define SGK_LIVE_MAP(X)                              \
    X(SGK_LIVE_SIGNAL, 0, "signal")                  \
    X(SGK_LIVE_SUBSCRIBER, 1, "subscriber")          \
    X(SGK_LIVE_DISPOSABLE, 2, "disposable")          \
    X(SGK_LIVE_QUEUE, 3, "queue")                    \
    X(SGK_LIVE_TIMER, 4, "timer")                    \
    X(SGK_LIVE_PIPE, 5, "pipe")                      \
    X(SGK_LIVE_VALUE, 6, "boxed value")              \
    X(SGK_LIVE_CALLBACK, 7, "callback")              \
    X(SGK_LIVE_PROMISE, 8, "promise")                \
    X(SGK_LIVE_VALUE_PROMISE, 9, "value promise")    \
    X(SGK_LIVE_MULTICAST, 10, "multicast")           \
    X(SGK_LIVE_SEQUENCER, 11, "sequencer")           \
    X(SGK_LIVE_THREAD_POOL, 12, "thread pool")       \
    X(SGK_LIVE_QUEUE_LOCAL, 13, "object of a queue") \
    X(SGK_LIVE_SIGNATURE, 14, "signature")           \
    X(SGK_LIVE_NATIVE, 15, "native callback")        \
    X(SGK_LIVE_MULTICAST_SIGNAL_MANAGER, 16, "multicast signal manager") \
    X(SGK_LIVE_EVENT_LINK, 17, "event link")         \
    X(SGK_LIVE_LINK_BAG, 18, "link bag")             \
    X(SGK_LIVE_OVERFLOW_COUNTER, 19, "overflow counter") \
    X(SGK_LIVE_READER, 20, "reader")

/** A kind of object that is counted. */
typedef enum sgk_live {
#define SGK_LIVE_ENUM(name, number, text) name = number,
    SGK_LIVE_MAP(SGK_LIVE_ENUM)
#undef SGK_LIVE_ENUM
} sgk_live;

/** How many objects of a kind are alive: handles that somebody holds (a promise also by what its signals are kept by),
 * boxed values, and callbacks whose `destroy` has not run yet. (What the process has one of, as the handler of the log,
 * does not count.) -1 for an unknown kind. Always counted, each thread by itself. While other threads make and release
 * objects it may be too high, never too low. */
SGK_API int64_t sgk_live_count(sgk_live kind);

/** The sum over all kinds: 0 when a program has let go of everything and nothing runs. Never too low, either: 0 says
 * that there was a moment during the call at which nothing was alive. */
SGK_API int64_t sgk_live_total(void);

/** The text of a kind of live object; for an unknown one, a text that says so. Static. */
SGK_API const char *sgk_live_text(sgk_live kind);

SGK_END

#endif
