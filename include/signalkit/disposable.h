/** @file
 * Disposables: objects that stop or free something once.
 * @since 1.0
 */
#ifndef SIGNALKIT_DISPOSABLE_H
#define SIGNALKIT_DISPOSABLE_H

#include "value.h"

SGK_BEGIN

/** An object that can be disposed once: a subscription, an action, or a container of disposables. */
SGK_HANDLE(sgk_disposable)

/** The function of an action disposable. */
typedef void (*sgk_action_fn)(void *context);

/** Disposes the object. A second call does nothing.
 *
 * Thread: any, also inside callbacks. The actions of the disposable run on the calling thread.
 */
SGK_API sgk_status sgk_disposable_dispose(sgk_disposable *disposable);

/** Disposes a subscription and waits until none of its callbacks runs on another thread.
 *
 * After that you can destroy the objects that the callbacks use, except the context: its `destroy` may not have run
 * yet.
 *
 * A running callback may wait for the caller. Then the call disposes the subscription, does not wait for that callback,
 * and returns SGK_ERROR_THREAD, which leaves the last error unchanged. This happens in three cases:
 *
 * - The caller is inside the callback.
 * - The caller is work for which the callback waits.
 * - The caller and the callback wait for each other's subscription.
 *
 * @param disposable  The result of sgk_signal_start_waitable. A strict disposable of it is not accepted.
 * @return            SGK_OK; SGK_ERROR_THREAD as described; SGK_ERROR_HANDLE if `disposable` is of another kind. Then
 *                    nothing is disposed.
 */
SGK_API sgk_status sgk_disposable_dispose_and_wait(sgk_disposable *disposable);

/** Pauses the source of `subscription` until the result is disposed or released, whichever is first.
 *
 * Holds and the pauses of buffers with SGK_OVERFLOW_PAUSE are counted together. The source continues after the last of
 * them. It never continues inside the call that takes the last one back.
 *
 * - A source in a loop, such as a range, stops after its current value. Inside `next` that is the value of this call.
 *   A call from another thread can be overtaken by one more value of each thread that emits.
 * - Values that wait for a queue, for a delay or for their rate go on waiting. Values that wait in an operator that
 *   combines signals still arrive.
 * - Terminal events are not paused. The subscription can be disposed as usual.
 * - A source that cannot be paused keeps emitting. docs/queues.md lists what each source does. A pipe reports the pause
 *   to the program that sends its values (see sgk_pipe_next).
 *
 * If the subscription is over, the result has no effect. A hold does not retain the objects of a subscription that is
 * over.
 *
 * Thread: any, also inside callbacks of the subscription.
 *
 * @param subscription  A subscription, also a strict one.
 * @return              The hold; NULL if `subscription` is another disposable (SGK_ERROR_KIND).
 */
SGK_API SGK_OWNED sgk_disposable *sgk_disposable_hold(sgk_disposable *subscription);

/** Creates a disposable that runs `action(context)` when it is disposed.
 *
 * The action runs at most once, even if several threads dispose. Releasing the disposable does not run it.
 *
 * Thread: the disposing thread.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_action_disposable_create(
    sgk_action_fn action, void *context, sgk_destroy_fn destroy);

/** Creates a slot for one disposable at a time. Disposing the slot disposes its content. */
SGK_API SGK_OWNED sgk_disposable *sgk_disposable_slot_create(void);

/** Stores `child` and then disposes the previous one. If `child` is stored already, nothing changes.
 *
 * If the slot has been disposed, it disposes `child` immediately.
 *
 * @param slot   A disposable of sgk_disposable_slot_create.
 * @param child  May be NULL. Then the slot becomes empty.
 */
SGK_API sgk_status sgk_disposable_slot_set(sgk_disposable *slot, sgk_disposable *child);

/** Creates a bag of disposables. Disposing the bag disposes its members in the order in which they were added.
 *
 * A subscription leaves the bag when it ends or is disposed. If its source releases it without a terminal event, it
 * stays as long as it has something to dispose.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_disposable_bag_create(void);

/** Adds `member` to the bag. A member that is added twice is stored twice.
 *
 * If the bag has been disposed, it disposes `member` immediately. A subscription that has ended is not added.
 */
SGK_API sgk_status sgk_disposable_bag_add(sgk_disposable *bag, sgk_disposable *member);

/** Removes the first occurrence of `member` without disposing it, in constant time.
 *
 * @return  SGK_OK, also if the bag does not contain `member`.
 */
SGK_API sgk_status sgk_disposable_bag_remove(sgk_disposable *bag, sgk_disposable *member);

/** Creates a dictionary of disposables. Disposing it disposes all members.
 *
 * A subscription leaves it under the same conditions as in sgk_disposable_bag_create.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_disposable_dict_create(void);

/** Stores `member` under `key` and then disposes the previous member of that key.
 *
 * If the dictionary has been disposed, it disposes `member` immediately.
 *
 * @param key     Any value. It is retained.
 * @param member  May be NULL. Then the key is removed.
 */
SGK_API sgk_status sgk_disposable_dict_set(sgk_disposable *dict, sgk_value key, sgk_disposable *member);

/** Returns the state of a subscription as text.
 *
 * @return  A static string: "running"; "ended" if the source completed or failed; "disposed" if the program or an
 *          operator disposed it; "no run" if `disposable` is not a subscription. NULL after an error.
 */
SGK_API const char *sgk_disposable_state(sgk_disposable *disposable);

/** Creates a strict disposable, which logs a message if it is released without dispose.
 *
 * Disposing it disposes `disposable`. A subscription that has ended needs no disposal. SGK_STRICT is a shorter form.
 *
 * @param file  The file in the message. It is copied.
 * @param line  The line in the message.
 */
SGK_API SGK_OWNED sgk_disposable *sgk_disposable_strict(sgk_disposable *disposable, const char *file, int line);

/** Makes a disposable strict: `sgk_disposable *subscription = SGK_STRICT(sgk_signal_start(…));`
 *
 * It releases the original disposable.
 */
#define SGK_STRICT(disposable) sgk_disposable_strict_take((disposable), __FILE__, __LINE__)

/** Implements SGK_STRICT. Releases `disposable` and passes `file` and `line` on. Returns NULL for NULL. */
static inline sgk_disposable *sgk_disposable_strict_take(sgk_disposable *disposable, const char *file, int line) {
    sgk_disposable *strict = disposable ? sgk_disposable_strict(disposable, file, line) : NULL;
    sgk_disposable_release(disposable);
    return strict;
}

/** Implements SGK_AUTO_DISPOSE. */
static inline void sgk_disposable_dispose_at(sgk_disposable **place) {
    if (*place) (void)sgk_disposable_dispose(*place);
    sgk_disposable_release(*place);
}

#if defined(__GNUC__)
/** `SGK_AUTO_DISPOSE subscription = sgk_signal_start(…)` declares a disposable that is disposed and released at the end
 * of its scope. GCC and Clang. */
#define SGK_AUTO_DISPOSE __attribute__((cleanup(sgk_disposable_dispose_at))) sgk_disposable *
#endif

SGK_END

#endif
