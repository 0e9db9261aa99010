/** @file
 * Chains of observers, an alternative to signals. (Observable, Observer and LinkBag in Swift.)
 *
 *     SGK_AUTO(sgk_event_link) temperature = sgk_event_emitter_create();
 *     SGK_AUTO(sgk_event_link) warm = sgk_event_link_filter(temperature, is_warm, NULL, NULL);
 *     sgk_event_link_on_next(warm, print, NULL, NULL, NULL);
 *     sgk_event_emitter_next(temperature, sgk_double(21.5));
 *
 * Include this header by name: signalkit.h does not include it.
 * @since 1.0
 */
#ifndef SIGNALKIT_EVENT_LINK_H
#define SIGNALKIT_EVENT_LINK_H

#include "operators-mapping.h"

SGK_BEGIN

/** A link of a chain. Handlers observe it, and further links can be derived from it.
 *
 * Values are stored until the first handler of values is registered, which receives them. A handler that is registered
 * after the terminal event receives that event. A chain has at most 500 links.
 *
 * Order: handlers are called in the order of registration, one event at a time. An event that is emitted during a
 * delivery, inside a handler or on another thread, is delivered afterwards.
 * Ownership: a link owns its upstream link, so the last link, or a sgk_link_bag that contains it, owns the chain. A
 * link receives no event when its chain is released.
 */
SGK_HANDLE(sgk_event_link)

/** Creates an emitter, the first link of a chain. sgk_event_emitter_next and similar functions emit through it. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_emitter_create(void);

/** Creates an emitter that has emitted `value`. The value is stored for the first handler. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_emitter_create_value(sgk_value value);

/** Emits `value`. After the terminal event the value is dropped.
 *
 * @param emitter  Must be an emitter (SGK_ERROR_HANDLE).
 */
SGK_API sgk_status sgk_event_emitter_next(sgk_event_link *emitter, sgk_value value);

/** Fails the chain with `error`, which may be any value. */
SGK_API sgk_status sgk_event_emitter_error(sgk_event_link *emitter, sgk_value error);

/** Completes the chain. */
SGK_API sgk_status sgk_event_emitter_finish(sgk_event_link *emitter);

/* ---- Observing ----
 * The handler is called on `queue`, never inline. If `queue` is NULL, it is called on the emitting thread. */

/** Calls `next(context, value)` with each value.
 *
 * @param queue  May be NULL.
 */
SGK_API sgk_status sgk_event_link_on_next(
    sgk_event_link *link, sgk_next_fn next, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Calls `error(context, error)` when the chain fails, or immediately if it has failed.
 *
 * @param queue  May be NULL.
 */
SGK_API sgk_status sgk_event_link_on_error(
    sgk_event_link *link, sgk_error_fn error, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Calls `finish(context)` when the chain completes, or immediately if it has completed.
 *
 * @param queue  May be NULL.
 */
SGK_API sgk_status sgk_event_link_on_finish(
    sgk_event_link *link, sgk_completed_fn finish, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/* ---- Derived links ----
 * The callbacks are called on the emitting thread, one at a time. A NULL link gives NULL, as with signals (rule 7). */

/** Derives a link that emits `map(context, value)` for each value.
 *
 * sgk_unchanged emits the value, and sgk_dropped nothing. sgk_failed, sgk_last and sgk_completed end the link. An
 * unknown outcome fails it.
 */
SGK_API SGK_OWNED sgk_event_link *sgk_event_link_map(
    sgk_event_link *link, sgk_map_fn map, void *context, sgk_destroy_fn destroy);

/** Derives a link that passes the values for which `filter(context, value)` returns true. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_link_filter(
    sgk_event_link *link, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** Derives a link with the same events that cannot emit. Use it to publish an emitter. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_link_observer(sgk_event_link *link);

/** Disconnects the link from its upstream link, releases that, and releases the handlers of the link.
 *
 * On an emitter it does nothing.
 */
SGK_API sgk_status sgk_event_link_unlink(sgk_event_link *link);

/* ---- Links and signals ---- */

/** Returns a signal that emits the events of the link.
 *
 * Each start observes the link. The first subscription also receives the stored values.
 *
 * Ownership: the signal, and a subscription until it ends or is disposed, retain the link, but not an emitter. An
 * emitter is destroyed with its last reference and its last downstream link. Then its stored values are dropped, and
 * its subscriptions are released without a terminal event.
 */
SGK_API SGK_OWNED sgk_signal *sgk_event_link_signal(sgk_event_link *link);

/** Starts the signal and returns a link that emits its events.
 *
 * Unlinking or releasing the link disposes the subscription.
 */
SGK_API SGK_OWNED sgk_event_link *sgk_event_link_from_signal(sgk_signal *signal);

/* ---- Bags ---- */

/** Owns the last links of chains.
 *
 * When it is cleared or destroyed, it unlinks them in the order in which they were added.
 */
SGK_HANDLE(sgk_link_bag)

/** Creates an empty bag. */
SGK_API SGK_OWNED sgk_link_bag *sgk_link_bag_create(void);

/** Adds `link`. A second call with the same link does nothing. A link that is unlinked leaves the bag. */
SGK_API sgk_status sgk_link_bag_add(sgk_link_bag *bag, sgk_event_link *link);

/** Unlinks all links and removes them. */
SGK_API sgk_status sgk_link_bag_clear(sgk_link_bag *bag);

SGK_END

#endif
