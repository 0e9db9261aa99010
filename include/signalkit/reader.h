/** @file
 * Readers: a thread requests the values of a signal and waits for them.
 * @since 1.0
 */
#ifndef SIGNALKIT_READER_H
#define SIGNALKIT_READER_H

#include "operators-timing.h"

SGK_BEGIN

/** Subscribes to a signal and buffers its values until they are requested.
 *
 * It is a queue of limited size between the threads that emit and the threads that read. When its last reference is
 * released, it is closed. In the child of a fork the parent's readers are closed.
 */
SGK_HANDLE(sgk_reader)

/** Starts a subscription to `signal` and buffers its values.
 *
 * @param bound  Limits the buffered values. The defaults are 1,024 values and SGK_OVERFLOW_SUSPEND. This policy does
 *               not block the thread that read last or created the reader, because that would deadlock. There, and
 *               inside this call, the buffer exceeds its limit. SGK_OVERFLOW_PAUSE pauses the source, as in
 *               sgk_signal_deliver_on_bounded. May be NULL.
 */
SGK_API SGK_OWNED sgk_reader *sgk_reader_create(sgk_signal *signal, const sgk_bound *bound);

/** Waits for the next value and stores it in `*value`.
 *
 * Several threads may read. Each value is returned once. If no value is buffered, the result is one of these:
 *
 * - SGK_ERROR_COMPLETED: the signal has completed, or its source has released its subscriber without a terminal event,
 *   as sgk_signal_never does. Each later call returns this result, too.
 * - SGK_ERROR_FAILED: the signal has failed, and its error is in `*value`. Each later call returns this result, too.
 * - SGK_ERROR_TIMEOUT: no value arrived in time.
 * - SGK_ERROR_ENDED: the reader is closed.
 * - SGK_ERROR_THREAD: the caller is inside work of a serial queue. Such work must not wait, because the source may need
 *   the queue. This result sets the last error. The others leave it unchanged.
 *
 * @param seconds  The longest wait: 0 or more. 0: it does not wait. Infinity: no limit.
 * @param value    Receives the value or the error, which the caller owns. After the other results it is null.
 * @return         SGK_OK, or one of the results above.
 *
 * Thread: a wait on the main thread, outside work of the main queue, runs that work. A wait inside work of a virtual
 * queue advances its clock, until a value arrives or nothing is pending.
 * Warning: a wait inside a callback of the same source never receives a value.
 */
SGK_API sgk_status sgk_reader_next(sgk_reader *reader, double seconds, sgk_value *value);

/** Returns a file descriptor that is readable while a value or the terminal event can be read.
 *
 * Use it in a loop: when it is readable, call sgk_reader_next with 0 seconds.
 *
 * @return  The descriptor; SGK_ERROR_ENDED if the reader is closed (a descriptor that was returned before is then
 *          readable); SGK_ERROR_SYSTEM if the system cannot create one.
 *
 * Ownership: the library owns the descriptor. Do not read from it or close it. It exists as long as the reader.
 */
SGK_API int sgk_reader_fd(sgk_reader *reader);

/** Calls `ready(context)` once, when a value or the terminal event can be read.
 *
 * Use it in programs that do not wait, such as coroutines. If another thread reads the value before, sgk_reader_next
 * returns SGK_ERROR_TIMEOUT.
 *
 * Thread: the calling thread, if something can be read now. Otherwise the thread that emits it or closes the reader.
 */
SGK_API sgk_status sgk_reader_when_ready(
    sgk_reader *reader, sgk_action_fn ready, void *context, sgk_destroy_fn destroy);

/** Disposes the subscription and drops the buffered values. A second call does nothing.
 *
 * A thread that waits in sgk_reader_next returns SGK_ERROR_ENDED. A blocked emitting thread continues.
 *
 * Thread: any, also inside an emission of the source.
 */
SGK_API sgk_status sgk_reader_close(sgk_reader *reader);

/* ---- Single reads ---- */

/** Starts `signal`, waits for its first value, and disposes the subscription.
 *
 * If the source releases its subscriber without a terminal event, as sgk_signal_never does, the call waits until the
 * timeout. Without a timeout it returns SGK_ERROR_COMPLETED immediately, because nothing could end the wait.
 *
 * @param seconds  As in sgk_reader_next.
 * @param value    Receives the value, or the error after SGK_ERROR_FAILED. The caller owns it.
 * @return         A result of sgk_reader_next, except SGK_ERROR_ENDED.
 *
 * Thread: a wait behaves as in sgk_reader_next.
 */
SGK_API sgk_status sgk_signal_get(sgk_signal *signal, double seconds, sgk_value *value);

/** Starts `signal`, waits until it has completed or emitted `limit` values, and disposes the subscription.
 *
 * If the source releases its subscriber without a terminal event, the call waits until the timeout. Without a timeout
 * it returns the values.
 *
 * @param limit    1 or more.
 * @param seconds  As in sgk_reader_next.
 * @param values   Receives an array of the values, which may be empty, or the error after SGK_ERROR_FAILED. The caller
 *                 owns it.
 * @return         A result of sgk_reader_next, except SGK_ERROR_COMPLETED and SGK_ERROR_ENDED. After a failure or a
 *                 timeout the values are dropped.
 *
 * Thread: a wait behaves as in sgk_reader_next.
 */
SGK_API sgk_status sgk_signal_collect(sgk_signal *signal, int64_t limit, double seconds, sgk_value *values);

SGK_END

#endif
