/** @file
 * Promises: sources that hold a value, and pass it on to whoever comes.
 * @since 1.0
 */
#ifndef SIGNALKIT_PROMISE_H
#define SIGNALKIT_PROMISE_H

#include "signal.h"

SGK_BEGIN

/** Holds the latest value of whichever signal it was set to last, and passes it on: first the value that is there, then
 * each new one. (A signal in C can always fail, so this is Swift's Variable as well: an error of the source is ignored
 * like its completion, the value stays.) */
SGK_HANDLE(sgk_promise)

/** A promise without a value. */
SGK_API SGK_OWNED sgk_promise *sgk_promise_create(void);

/** A promise with a value. */
SGK_API SGK_OWNED sgk_promise *sgk_promise_create_value(sgk_value value);

/** A promise that sets itself to `signal` when it is first listened to, unless it was set before. */
SGK_API SGK_OWNED sgk_promise *sgk_promise_create_initialize_on_first_access(sgk_signal *signal);

/** Follows `signal` from now on. The value that is there is forgotten, nothing of an earlier source is accepted any
 * more, `signal` is started on the calling thread, and then the earlier source is disposed. Of several calls, nested or
 * concurrent, the last one stands. The source does not keep the promise. */
SGK_API sgk_status sgk_promise_set(sgk_promise *promise, sgk_signal *signal);

/** The signal of the value that is there, inside the start, then of each new one. It never ends. It keeps the promise,
 * and so does a run as long as somebody holds its disposable. When the promise goes, its source is disposed and the
 * runs are let go without an event. */
SGK_API SGK_OWNED sgk_signal *sgk_promise_get(sgk_promise *promise);

/** `f(context)` is called when the promise goes, before its source is disposed, on whichever thread lets go last. NULL:
 * nothing any more. The former callback's `destroy` runs. */
SGK_API sgk_status sgk_promise_on_deinit(sgk_promise *promise, sgk_action_fn f, void *context, sgk_destroy_fn destroy);

/** Holds a value and passes it on: first the value that is there, then each one that is set. */
SGK_HANDLE(sgk_value_promise)

/** A promise without a value. With `ignore_repeated`, setting a value that equals (sgk_value_equal) the one that is
 * there does nothing. */
SGK_API SGK_OWNED sgk_value_promise *sgk_value_promise_create(bool ignore_repeated);

/** A promise with a value; `ignore_repeated` as in sgk_value_promise_create. */
SGK_API SGK_OWNED sgk_value_promise *sgk_value_promise_create_value(sgk_value value, bool ignore_repeated);

/** Sets `value` and delivers it to those who listen, on the calling thread; when another value is being delivered (by
 * another thread, or further up this one), that one's deliverer does it afterwards. */
SGK_API sgk_status sgk_value_promise_set(sgk_value_promise *promise, sgk_value value);

/** The value that is there; null when there is none. Release it. */
SGK_API SGK_OWNED sgk_value sgk_value_promise_value(sgk_value_promise *promise);

/** Puts at `result` what becomes of `value`, which is borrowed; what is put there becomes the library's. Anything but
 * SGK_OK: nothing changes. */
typedef sgk_status (*sgk_modify_fn)(void *context, sgk_value value, sgk_value *result);

/** Sets what `f(context, value, &result)` makes of the newest value (of null, when there is none). No change of another
 * thread's is lost, and none is delivered after a newer one. `f` is called on the calling thread, under no lock, before
 * the call returns (so it needs no `destroy`); more than once, when another thread has set a value meanwhile: what was
 * made of the old one is dropped. What `f` itself sets in the same promise takes effect at once, and is then replaced
 * by its result. When `f` returns anything but SGK_OK, nothing changes, and the call returns it. */
SGK_API sgk_status sgk_value_promise_modify(sgk_value_promise *promise, sgk_modify_fn f, void *context);

/** The signal of the value that is there, inside the start, then of each one that is set. It never ends. What keeps the
 * promise is the same as with sgk_promise_get. */
SGK_API SGK_OWNED sgk_signal *sgk_value_promise_get(sgk_value_promise *promise);

SGK_END

#endif
