/** @file
 * Native callbacks: function pointers without a context, made at run time, for libraries whose callbacks are to become
 * signals.
 *
 *     SGK_AUTO(sgk_signature) signature = sgk_signature_create("(ctx, i32, cstr, cstr, i64) -> void");
 *     SGK_AUTO(sgk_callback) hook = sgk_callback_create(signature, sgk_null(), NULL, NULL, NULL);
 *     SGK_AUTO(sgk_signal) changes = sgk_callback_signal(hook);
 *     typedef void (*update_hook)(void *, int, const char *, const char *, sqlite3_int64);
 *     sqlite3_update_hook(database, (update_hook)sgk_callback_function(hook), NULL);
 *
 * Many libraries give a callback a pointer of their user's: `ctx` in the signature stands for such a parameter, and
 * leaves it out.
 *
 * Arguments become values as results do in typed.h: a `cstr` is copied; a `ptr` is a number, and what it points to is
 * the library's, often for the call alone; a `value` is borrowed from the caller, or given away by sgk_give. Results
 * are made of values as arguments are there, except that nothing may be lent that would not outlive the call: see
 * sgk_callback_create.
 *
 * Where calls of the signature do not go through libffi (sgk_signature_uses_libffi), it is one of 256 functions that
 * are compiled in, if one of them is free. All others are made by libffi, with executable memory. Where the system
 * refuses that (SELinux, systemd's MemoryDenyWriteExecute), sgk_callback_create gives NULL and SGK_ERROR_SYSTEM;
 * everything else, also in typed.h, works there.
 * @since 1.0
 */
#ifndef SIGNALKIT_CALLBACK_H
#define SIGNALKIT_CALLBACK_H

#include "typed.h"

SGK_BEGIN

/** A native callback. Its function can be called from any thread until the last reference is released: then no call may
 * begin any more, so the library that knows the pointer is to be told first. A call that runs at that moment, on
 * another thread or further up on this one, goes on undisturbed; the memory is freed at its end. In the child of a
 * `fork` it works as in the parent, and each may release its own. It is not for signal handlers, in which no function
 * of this library may be called. */
SGK_HANDLE(sgk_callback)

/** Makes a function of this signature, whose calls become the events of sgk_callback_signal, on the calling thread.
 * What it returns:
 * - without a `handler` (NULL): `result`, which must fit the signature; null stands for zero, NULL or nothing;
 * - with one: what `handler(context, values, count)` makes of the arguments; it is called after the event has been
 *   delivered, several times at once when several threads call. `result` is returned in its place when that is null,
 *   when it does not fit the signature (which also ends the runs of the signal with an error that says so), and after
 *   disposal.
 * A result of `cstr` or `text` can only be fixed, and a handler's `ptr` be a pointer or null: a string or an object of
 * its own would not outlive the call. An argument that cannot become a value (a u64 above INT64_MAX) ends the runs with
 * an error; the handler is not called. */
SGK_API SGK_OWNED sgk_callback *sgk_callback_create(
    sgk_signature *signature, sgk_value result, sgk_map_array_fn handler, void *context, sgk_destroy_fn destroy);

/** As sgk_callback_create (also as to `result`) with a `handler` of a natural signature, `handler_signature`, which
 * takes as many values: `compare(context, a, b)` as "(ctx, ptr, ptr) -> i32" answers for a function of "(ptr, ptr) ->
 * i32". */
SGK_API SGK_OWNED sgk_callback *sgk_callback_create_typed(
    sgk_signature *signature, sgk_value result, sgk_function handler,
    sgk_signature *handler_signature, void *context, sgk_destroy_fn destroy);

/** The function. NULL for NULL, with an error. */
SGK_API sgk_function sgk_callback_function(sgk_callback *callback);

/** Its calls as events: null for a function without parameters, the argument of one of one parameter, an array of
 * several. Delivered on the calling thread before the call returns, one at a time: a call that comes while another
 * one's event is being delivered leaves its own to that. It completes at disposal. Neither the signal nor a run keeps
 * the callback: when the last reference goes, the runs are let go without an event. */
SGK_API SGK_OWNED sgk_signal *sgk_callback_signal(sgk_callback *callback);

/** What ends it: the signal completes, the handler is not called any more and its context goes, and calls return
 * `result`. It keeps the callback: the function may be called until this is released as well. */
SGK_API SGK_OWNED sgk_disposable *sgk_callback_disposable(sgk_callback *callback);

SGK_END

#endif
