/** @file
 * Native callbacks: function pointers without a context, created at run time. The calls of such a function are events
 * of a signal.
 *
 *     SGK_AUTO(sgk_signature) signature = sgk_signature_create("(ctx, i32, cstr, cstr, i64) -> void");
 *     SGK_AUTO(sgk_callback) hook = sgk_callback_create(signature, sgk_null(), NULL, NULL, NULL);
 *     SGK_AUTO(sgk_signal) changes = sgk_callback_signal(hook);
 *     typedef void (*update_hook)(void *, int, const char *, const char *, sqlite3_int64);
 *     sqlite3_update_hook(database, (update_hook)sgk_callback_function(hook), NULL);
 *
 * Many libraries pass a user's pointer to a callback. `ctx` in the signature represents such a parameter and ignores
 * it.
 *
 * **Arguments** are converted to values as results are in typed.h. A `cstr` is copied. A `ptr` is an address: the
 * object belongs to the calling library, and often exists only during the call. A `value` is borrowed from the caller,
 * or transferred by sgk_give. **Results** are converted from values as arguments are in typed.h, but must outlive the
 * call (sgk_callback_create).
 *
 * **Executable memory**: if calls of the signature do not use libffi (sgk_signature_uses_libffi), the function is one
 * of 256 compiled-in functions, as long as one is free. All other functions are created by libffi in executable memory.
 * If the system forbids that (SELinux, MemoryDenyWriteExecute of systemd), sgk_callback_create fails with
 * SGK_ERROR_SYSTEM. Everything else, also in typed.h, works there.
 *
 * Include this header by name: signalkit.h does not include it.
 * @since 1.0
 */
#ifndef SIGNALKIT_CALLBACK_H
#define SIGNALKIT_CALLBACK_H

#include "typed.h"

SGK_BEGIN

/** A native callback.
 *
 * It also works in the child of a `fork`. Parent and child release it independently.
 *
 * Thread: the function may be called on any thread, but not in a signal handler.
 * Ownership: unregister the function before you release the last reference, because no call may start afterwards. A
 * running call continues, and its memory is freed at its end.
 */
SGK_HANDLE(sgk_callback)

/** Creates a function of this signature. Each call of the function is an event of sgk_callback_signal.
 *
 * With a handler, the function first delivers the event, then calls the handler and returns its result. It returns
 * `result` instead in three cases: the handler returns null, the handler returns a value that does not fit, or the
 * callback has been disposed. A value that does not fit also fails the subscriptions of the signal. So does sgk_failed
 * with its error, another outcome, and an argument that cannot be converted (a u64 above INT64_MAX). In the last case
 * the handler is not called.
 *
 * @param result   The fixed result. It must fit the signature. Null: zero, NULL or nothing. A `cstr` or `text` must be
 *                 fixed, because a string of the handler would not outlive the call.
 * @param handler  Called as `handler(context, values, count)` with the arguments. NULL: every result is `result`.
 *                 For a `ptr` it returns a pointer or null. The caller of the function owns a result of the type
 *                 `value`.
 *
 * Thread: the calling thread of the function. Calls on several threads call the handler simultaneously.
 */
SGK_API SGK_OWNED sgk_callback *sgk_callback_create(
    sgk_signature *signature, sgk_value result, sgk_map_array_fn handler, void *context, sgk_destroy_fn destroy);

/** Creates a native callback like sgk_callback_create, with a handler of a natural signature.
 *
 * For example, `compare(context, a, b)` with the signature "(ctx, ptr, ptr) -> i32" handles the calls of a function
 * "(ptr, ptr) -> i32".
 *
 * @param result             As in sgk_callback_create.
 * @param handler            Called with the arguments. Must not be NULL.
 * @param handler_signature  Must have as many values as `signature`.
 */
SGK_API SGK_OWNED sgk_callback *sgk_callback_create_typed(sgk_signature *signature, sgk_value result,
    sgk_function handler, sgk_signature *handler_signature, void *context, sgk_destroy_fn destroy);

/** Returns the function, which a program casts to its type. */
SGK_API sgk_function sgk_callback_function(sgk_callback *callback);

/** Returns a signal that emits a value for each call of the function.
 *
 * The value is null if the function has no parameters, the argument if it has one, and an array if it has several. The
 * signal completes when the callback is disposed.
 *
 * Thread: the calling thread of the function, before the call returns. If another call is being delivered, its thread
 * delivers this event, too.
 * Ownership: neither the signal nor a subscription retains the callback. When the last reference to the callback is
 * released, its subscriptions are released without a terminal event.
 */
SGK_API SGK_OWNED sgk_signal *sgk_callback_signal(sgk_callback *callback);

/** Returns a disposable that ends the callback.
 *
 * After its disposal the signal completes, calls of the function return `result`, and the handler is not called. The
 * handler's context is destroyed.
 *
 * Ownership: the disposable retains the callback, so the function may be called until the disposable is released, too.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_callback_disposable(sgk_callback *callback);

SGK_END

#endif
