/** @file
 * SignalKit: reactive signals, subscriptions and queues for C and every language that can call C.
 *
 *     SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
 *     SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
 *     SGK_STAGE(filter, s, SGK_FN(is_short));
 *     SGK_STAGE(map, s, SGK_FN(shout));
 *     SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(s, print, NULL, NULL);
 *     if (!subscription) fprintf(stderr, "%s\n", sgk_last_error());
 *     sgk_pipe_next(pipe, sgk_give(sgk_string("hello")));
 *
 * # Rules
 *
 * These rules hold for every function, unless its own comment says otherwise. docs/conventions.md has the details.
 *
 * **Ownership**
 * 1. A handle (`sgk_signal *`, `sgk_queue *` …) is reference-counted. `X_retain` adds a reference, `X_release` drops
 *   one. Both accept NULL.
 * 2. Arguments are borrowed: the library retains what it stores. Returned handles are owned: release each one. Do not
 *   pass a returned handle straight to another call, because nothing would release it. Store it in a variable, or use
 *   `X_replace(&variable, …)`, which also releases the previous handle.
 * 3. Releasing a signal or a disposable never stops a subscription. Call sgk_disposable_dispose to stop it.
 * 4. A callback is three arguments: function, `context`, `destroy`. The library calls `destroy(context)` exactly once,
 *   after the last call of the function has returned, on any thread. It also does so if the registering call fails.
 *   The exception is a struct that the library ignores (rule 15). `destroy` may be NULL. For a context that is a
 *   handle, retain the handle and pass sgk_release.
 *
 * **Values**
 * 5. A `sgk_value` argument is borrowed for the call, also in your callbacks. `sgk_give(value)` transfers ownership to
 *   the library function that receives it, even if the call fails. A value that a function returns to you is owned. A
 *   value that your callback returns becomes the library's. Your callback may also return an argument or an element of
 *   an array that still exists: these are marked as borrowed (SGK_LENT), and the library retains them. To keep one,
 *   store the result of sgk_value_retain. Null, bool, int, double and pointer values own nothing, so they need none of
 *   this.
 *
 * **Errors**
 * 6. A function that fails changes nothing. It returns NULL, null, false or a negative `sgk_status`. sgk_last_error
 *   describes the last failure on the calling thread. A function that succeeds leaves the last error unchanged.
 * 7. An operator on a NULL signal returns NULL and keeps the first error: check a pipeline once, at its end.
 * 8. Using a released handle or value is undefined. SIGNALKIT_DEBUG=1 in the environment detects and logs it.
 * 9. If memory runs out, constructors return NULL or null with SGK_ERROR_MEMORY. A program that ignores this and keeps
 *   emitting is aborted with a message on stderr.
 *
 * **Events**
 * 10. A subscription receives `next* (error | completed)?`. Later events are dropped.
 * 11. You may dispose from any thread, inside a callback, and more than once. After sgk_disposable_dispose returns, no
 *   callback of the subscription starts on your thread. One that is running on another thread may continue. To wait
 *   for it, start with sgk_signal_start_waitable and call sgk_disposable_dispose_and_wait.
 * 12. A callback must return. Do not leave it by `longjmp`, a C++ exception, `pthread_exit` or cancellation. Pipes,
 *   promises and managers report a violation as SGK_ERROR_LEFT where they can detect it.
 *
 * **Threads and time**
 * 13. Every function may be called from any thread. Callbacks run on the emitting thread. The library holds no lock
 *   while it calls you, and none while it calls `destroy`.
 * 14. Times are seconds, as double.
 *
 * **Compatibility**
 * 15. A struct that you fill starts with its size, which its `_INIT` macro or `sizeof` sets. If the size is unknown,
 *   such as 0 or that of a pointer, or an unknown field is set, the call fails and ignores the struct. Zero in any
 *   other field keeps the behaviour of versions that did not have the field.
 * 16. `@since` at the top of a header names the version that introduced its declarations, unless a comment names a
 *   later one.
 *
 * signalkit/all.h includes everything. signalkit.h leaves out typed.h, callback.h, event_link.h, multicast.h,
 * queue_custom.h, queue_local.h and testing.h.
 */
#ifndef SIGNALKIT_H
#define SIGNALKIT_H

#include "signalkit/base.h"
#include "signalkit/value.h"
#include "signalkit/disposable.h"
#include "signalkit/queue.h"
#include "signalkit/virtual_time.h"
#include "signalkit/thread_pool.h"
#include "signalkit/signal.h"
#include "signalkit/sources.h"
#include "signalkit/operators.h"
#include "signalkit/pipe.h"
#include "signalkit/promise.h"
#include "signalkit/reader.h"
#include "signalkit/descriptors.h"
#include "signalkit/sharing.h"
#include "signalkit/debug.h"

#endif
