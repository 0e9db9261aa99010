/** @file
 * Disposables: what stops something or frees something, once.
 * @since 1.0
 */
#ifndef SIGNALKIT_DISPOSABLE_H
#define SIGNALKIT_DISPOSABLE_H

#include "value.h"

SGK_BEGIN

/** What can be disposed of: a subscription, an action, or a container of others. */
SGK_HANDLE(sgk_disposable)

/** What an action disposable runs. */
typedef void (*sgk_action_fn)(void *context);

/** Disposes. Any thread; inside callbacks too; more than once is allowed and does nothing. What the disposable does
 * runs on the calling thread. */
SGK_API sgk_status sgk_disposable_dispose(sgk_disposable *disposable);

/** Disposes `disposable`, a run that sgk_signal_start_waitable has started, and returns when no callback of it runs on
 * any other thread: what they use, but for the context, whose `destroy` may be about to run, can be torn down then.
 * SGK_ERROR_THREAD if a callback still runs because it waits for the caller: the caller is inside of it, or is work for
 * which it waits, or both wait for each other's run. The run is disposed all the same, and the last error is left
 * alone. For any other disposable (one made strict of such a run is none) SGK_ERROR_HANDLE, and nothing happens. */
SGK_API sgk_status sgk_disposable_dispose_and_wait(sgk_disposable *disposable);

/** A disposable that runs `action(context)` when it is disposed, on the disposing thread: at most once, whatever the
 * number of threads. Letting it go does not run it. */
SGK_API SGK_OWNED sgk_disposable *sgk_action_disposable_create(
    sgk_action_fn action, void *context, sgk_destroy_fn destroy);

/** A container that holds at most one disposable, which is disposed with it. */
SGK_API SGK_OWNED sgk_disposable *sgk_meta_disposable_create(void);

/** Stores `child` (NULL: none), then disposes the one that was there. On a disposed container the child is disposed at
 * once. Setting the one that is there already changes nothing. */
SGK_API sgk_status sgk_meta_disposable_set(sgk_disposable *meta, sgk_disposable *child);

/** A container that holds any number of disposables, and disposes them in the order in which they were added. A run
 * that is over, by its end or its disposal, leaves the set; one whose source has gone without an end stays if there is
 * something left to dispose. */
SGK_API SGK_OWNED sgk_disposable *sgk_disposable_set_create(void);

/** Adds `member`; on a disposed set it is disposed at once. A member that is added twice is held twice; a run that is
 * over is not added. */
SGK_API sgk_status sgk_disposable_set_add(sgk_disposable *set, sgk_disposable *member);

/** Takes the first occurrence of `member` out, in constant time, without disposing it; an unknown one is no error. */
SGK_API sgk_status sgk_disposable_set_remove(sgk_disposable *set, sgk_disposable *member);

/** Takes the member that was added last out, without disposing it; an empty set is no error. */
SGK_API sgk_status sgk_disposable_set_remove_last(sgk_disposable *set);

/** A container that holds a disposable per key, and disposes all of them. A run that is over leaves it, as with a
 * set. */
SGK_API SGK_OWNED sgk_disposable *sgk_disposable_dict_create(void);

/** Stores `member` under `key` (any value, which is retained), then disposes the one that was there; NULL only removes
 * and disposes. On a disposed container the member is disposed at once. */
SGK_API sgk_status sgk_disposable_dict_set(sgk_disposable *dict, sgk_value key, sgk_disposable *member);

/** What has become of a run, for people: "running", "ended" (its source has) or "disposed" (by the program, or by an
 * operator that needs no more); "no run" where `disposable` is that of something else. Static. NULL, with an error, for
 * what is no disposable. */
SGK_API const char *sgk_disposable_state(sgk_disposable *disposable);

/** A disposable that forwards to `disposable` once, and reports through the log, with `file` and `line`, when its last
 * reference goes without it having been disposed (a subscription that has ended by itself needs no disposal). `file` is
 * copied. See SGK_STRICT. */
SGK_API SGK_OWNED sgk_disposable *sgk_disposable_strict(sgk_disposable *disposable, const char *file, int line);

/** Makes the disposable strict and releases the plain one: `sgk_disposable *run = SGK_STRICT(sgk_signal_start(…));` */
#define SGK_STRICT(disposable) sgk_disposable_strict_take((disposable), __FILE__, __LINE__)

/** What SGK_STRICT calls: releases `disposable` (NULL gives NULL), and passes `file` and `line` on. */
static inline sgk_disposable *sgk_disposable_strict_take(sgk_disposable *disposable, const char *file, int line) {
    sgk_disposable *strict = disposable ? sgk_disposable_strict(disposable, file, line) : NULL;
    sgk_disposable_release(disposable);
    return strict;
}

SGK_END

#endif
