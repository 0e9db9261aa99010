/** @file
 * Pull: a thread asks for what a signal emits.
 * @since 1.0
 */
#ifndef SIGNALKIT_READER_H
#define SIGNALKIT_READER_H

#include "operators-timing.h"

SGK_BEGIN

/** Runs a signal and keeps its values until they are asked for: a bounded queue between those who emit and those who
 * read. When the last reference goes it is closed. In the child of a fork a reader of the parent is closed. */
SGK_HANDLE(sgk_reader)

/** Starts a run of `signal`, of which at most `limit` (1 or more) values wait; what comes then goes by `overflow`.
 * SGK_OVERFLOW_SUSPEND does not block the thread that has asked last, or has made the reader, as that would wait for
 * itself: there, as inside this call, the bound is exceeded instead. `error` is what SGK_OVERFLOW_ERROR fails with,
 * otherwise it does not matter; `counter` may be NULL. */
SGK_API SGK_OWNED sgk_reader *sgk_reader_create(
    sgk_signal *signal, int64_t limit, sgk_overflow overflow, sgk_value error, sgk_overflow_counter *counter);

/** Puts the next value at `value`, owned by the caller; waits for it, if need be, at most `seconds` (0 or more; 0 only
 * looks, infinity is for ever). Any thread; of several that ask at once each gets values of its own. What else it may
 * come to, with null at `value` unless something else is said:
 *
 * - SGK_ERROR_COMPLETED: the signal has completed, or its source is gone (that of sgk_signal_never is at once) and was
 *   disposed therefore, and nothing is left.
 * - SGK_ERROR_FAILED: the signal has failed, and nothing is left; its error is at `value`, owned by the caller.
 * - SGK_ERROR_TIMEOUT: the time was over before.
 * - SGK_ERROR_ENDED: the reader is closed.
 *
 * These are answers, and leave the last error alone; the first two are given again at each call. SGK_ERROR_THREAD is
 * an error: there is nothing to read yet, and the caller is in the work of a serial queue, which must not wait, as it
 * may be what the source needs. On the main thread, outside of the main queue's work, that work is done during the
 * wait; in work of a virtual queue the time is moved on, as far as that takes, and no further than until nothing is
 * left to happen. Inside a callback of the source that it waits for, a wait is for nothing. */
SGK_API sgk_status sgk_reader_next(sgk_reader *reader, double seconds, sgk_value *value);

/** A file descriptor that is readable while there is something to read, be it the end: for a loop, which then calls
 * sgk_reader_next with 0 seconds. Owned by the library: do not read or close it; it lives as long as the reader.
 * Negative (a sgk_status) when the system refuses, or the reader is closed: SGK_ERROR_ENDED. (One that was asked for
 * before is readable then.) */
SGK_API int sgk_reader_fd(sgk_reader *reader);

/** Calls `ready(context)` once, as soon as there is something to read, be it the end: before this returns, if there is;
 * otherwise on the thread that brings it, or closes the reader. By then another thread may have read it:
 * SGK_ERROR_TIMEOUT. For those who do not wait, as coroutines. */
SGK_API sgk_status sgk_reader_when_ready(
    sgk_reader *reader, sgk_action_fn ready, void *context, sgk_destroy_fn destroy);

/** Disposes the run and lets go of what waits. Whoever waits in sgk_reader_next is woken, with SGK_ERROR_ENDED, and so
 * is who is blocked as he emits. Any thread, also inside an emission of the source, and more than once. */
SGK_API sgk_status sgk_reader_close(sgk_reader *reader);

/* ---- Once ---- */

/** Starts `signal` and waits for its first value, at most `seconds`, which is put at `value`, owned by the caller; then
 * the run is disposed. The results are those of sgk_reader_next (SGK_ERROR_ENDED is none of them; after
 * SGK_ERROR_FAILED the error is at `value`, owned by the caller, too), and so is what is done during the wait. A run
 * without a source any more, as that of sgk_signal_never, could be waited for in vain: it counts as completed, and
 * SGK_ERROR_COMPLETED comes at once, whatever `seconds` says. */
SGK_API sgk_status sgk_signal_get(sgk_signal *signal, double seconds, sgk_value *value);

/** Starts `signal` and waits until it has completed or `limit` (1 or more) values have come, at most `seconds`; then
 * the run is disposed. What is put at `values` is an array of them, which may be empty, owned by the caller. The
 * results are those of sgk_reader_next, without SGK_ERROR_COMPLETED and SGK_ERROR_ENDED: after a failure, or when the
 * time is over, the values are lost. */
SGK_API sgk_status sgk_signal_collect(sgk_signal *signal, int64_t limit, double seconds, sgk_value *values);

SGK_END

#endif
