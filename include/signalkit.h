/** @file
 * SignalKit: signals, their subscriptions and queues, for C and everything that can call C.
 *
 *     SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
 *     SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
 *     sgk_signal_replace(&s, sgk_signal_filter(s, is_short, NULL, NULL));
 *     sgk_signal_replace(&s, sgk_signal_map(s, shout, NULL, NULL));
 *     SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(s, print, NULL, NULL);
 *     if (!run) fprintf(stderr, "%s\n", sgk_last_error());
 *     sgk_pipe_next(pipe, sgk_give(sgk_string("hello")));
 *
 * # The rules, which hold for every function unless its own comment says otherwise
 *
 * **Ownership.**
 * 1. A handle (`sgk_signal *`, `sgk_disposable *` …) is a reference-counted object. `X_retain` adds a reference,
 *   `X_release` drops one; NULL is allowed there and does nothing.
 * 2. Arguments are borrowed: the library retains what it keeps. A function that returns a handle returns it owned:
 *   release it when you are done. You release what a function returned to you, and nothing else. So what a call inside
 *   of a call returns would leak (`sgk_signal_take(sgk_pipe_signal(pipe), 1)`): `X_replace(&variable, …)` puts it into
 *   a variable and releases what was there.
 * 3. Releasing a signal does not end a running subscription; disposing does. Releasing a disposable does not dispose
 *   it.
 * 4. A callback comes as three arguments: the function, a `context` for it, and `destroy`, which may be NULL.
 *   `destroy(context)` is called exactly once, after the last call of the function has returned and nothing can call it
 *   again, on whichever thread lets go last, and also when the registering call fails (unless it is inside a struct of
 *   a wrong size, which is not looked into). No lock of the library is held then. To hand over a handle as a context,
 *   `sgk_release` is the destroy function.
 *
 * **Values.**
 * 5. A `sgk_value` passed to a function or to a callback is borrowed for the call, unless it is marked by `sgk_give`:
 *   then the function, of this library, takes over the caller's reference, also when the call fails. (A callback never
 *   gets a marked one.) A value that a function returns is owned by the caller; a value that a callback returns becomes
 *   the library's. So a callback that returns its argument returns `sgk_value_retain(argument)`. For null, bool, int,
 *   double and pointer none of this matters: they own nothing.
 *
 * **Errors of use.**
 * 6. A call that cannot do what it is asked to (NULL where a handle, a function or a text is needed, a live handle of
 *   another kind, a number out of range) changes nothing and returns NULL or a negative `sgk_status`;
 *   `sgk_last_error()` then says which function, which argument and why. A call that succeeds leaves the last error
 *   alone. A pointer to memory that is no live handle (released, or never one) cannot be told from one cheaply: with
 *   the environment variable SIGNALKIT_DEBUG=1 every handle is looked up first, so that such a pointer, and one release
 *   too many, are errors as well, and are reported through the log. Values are looked at then too: the use of one that
 *   was released or given away, one release too many, and a lent one that a callback returns without retaining it are
 *   reported through the log and do no harm; the status stays SGK_OK.
 * 7. A NULL signal flows through: an operator on NULL returns NULL and keeps the first error, so that a pipeline is
 *   checked once, at its end. (A NULL that is not of the library's making is an error of that operator: unless the last
 *   failing call of the thread returns a signal, and the program has not both read that error and made another signal
 *   since.)
 *
 *    When memory runs out, what makes values and handles returns null or NULL, with SGK_ERROR_MEMORY; who goes on to
 *    emit and to queue is stopped with a message on stderr.
 *
 * **Events.**
 * 8. A run of a signal is `next* (error | completed)?`. The end comes once; what is emitted after it, or after
 *   disposal, is dropped.
 * 9. Disposing is allowed from any thread, from inside a callback, and more than once. After it returns no callback of
 *   that subscription starts on the disposing thread; one that is running on another thread may still be.
 * 10. The library holds no lock while it calls you. A callback returns to it: it must not be left by `longjmp`, by an
 *   exception, or with its thread (`pthread_exit`, cancellation; a callback that can be cancelled disables that first).
 *   What was under way then is never released, the stages that were inside swallow what comes later, and an exception
 *   ends the program by `std::terminate` (signalkit.hpp catches those of lambdas). A pipe, a promise or a manager that
 *   was delivering finds out: the next call, or one soon after, returns SGK_ERROR_LEFT, and there is nothing to do but
 *   to release it. (docs/conventions.md says what cannot be found out.)
 *
 * **Threads.**
 * 11. Every function may be called from any thread. Callbacks run on the thread that emits, unless an operator's
 *   comment says otherwise.
 * 12. Times are in seconds, as double.
 *
 * **Growth.**
 * 13. A struct that you fill begins with its own size, and has an `_INIT` macro. A newer library accepts the smaller
 *   structs of older programs, and an older one the larger structs of newer programs, as long as the fields that it
 *   does not know are zero: what comes later means by zero what was before.
 * 14. `@since` in the first lines of a header is the version that brought all of it, unless a comment there names a
 *   later one.
 */
#ifndef SIGNALKIT_H
#define SIGNALKIT_H

#include "signalkit/base.h"
#include "signalkit/value.h"
#include "signalkit/disposable.h"
#include "signalkit/queue.h"
#include "signalkit/queue_custom.h"
#include "signalkit/virtual_time.h"
#include "signalkit/thread_pool.h"
#include "signalkit/signal.h"
#include "signalkit/sources.h"
#include "signalkit/queue_local.h"
#include "signalkit/operators.h"
#include "signalkit/pipe.h"
#include "signalkit/promise.h"
#include "signalkit/reader.h"
#include "signalkit/descriptors.h"
#include "signalkit/sharing.h"
#include "signalkit/event_link.h"
#include "signalkit/typed.h"
#include "signalkit/callback.h"
#include "signalkit/debug.h"

#endif
