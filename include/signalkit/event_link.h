/** @file
 * Chains of observers: what was observed by links rather than by signals. (Swift's Observable, Observer and LinkBag.)
 *
 *     SGK_AUTO(sgk_event_link) temperature = sgk_event_emitter_create();
 *     SGK_AUTO(sgk_event_link) warm = sgk_event_link_filter(temperature, is_warm, NULL, NULL);
 *     sgk_event_link_on_next(warm, print, NULL, NULL, NULL);
 *     sgk_event_emitter_next(temperature, sgk_double(21.5));
 * @since 1.0
 */
#ifndef SIGNALKIT_EVENT_LINK_H
#define SIGNALKIT_EVENT_LINK_H

#include "operators-mapping.h"

SGK_BEGIN

/** A link of a chain: it can be observed, and other links can be derived from it. A link owns the one above, so a chain
 * is held by its last link, and by a sgk_link_bag that this is in. Values that nobody has observed yet are kept for the
 * first handler of values; those who come after the end are told of it. Handlers are called in the order of
 * registration, one event at a time: what is emitted from inside a handler, or meanwhile on another thread, comes after
 * it. A link is not told when its chain is let go. At most 500 links can hang on each other: to derive one more is an
 * error. */
SGK_HANDLE(sgk_event_link)

/** The beginning of a chain, which whoever emits owns: a link as the others, that the three functions below work on. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_emitter_create(void);

/** A new emitter that has emitted a value, which is kept for the first handler. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_emitter_create_value(sgk_value value);

/** Emits `value`. It is ignored after the end. A link that is no emitter is an error. */
SGK_API sgk_status sgk_event_emitter_next(sgk_event_link *emitter, sgk_value value);

/** Ends the chain with `error` (any value). */
SGK_API sgk_status sgk_event_emitter_error(sgk_event_link *emitter, sgk_value error);

/** Ends the chain. */
SGK_API sgk_status sgk_event_emitter_finish(sgk_event_link *emitter);

/* ---- Observing. With a `queue` (may be NULL) the handler is called there, never inline; otherwise on the emitting
 * thread. ---- */

/** Calls `next(context, value)` with each value, on `queue`, if there is one. */
SGK_API sgk_status sgk_event_link_on_next(
    sgk_event_link *link, sgk_next_fn next, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Calls `error(context, error)` when the chain fails, on `queue`, if there is one; now (soon, with a queue) if it has
 * failed. */
SGK_API sgk_status sgk_event_link_on_error(
    sgk_event_link *link, sgk_error_fn error, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/** Calls `finish(context)` when the chain finishes, on `queue`, if there is one; now (soon, with a queue) if it has
 * finished. */
SGK_API sgk_status sgk_event_link_on_finish(
    sgk_event_link *link, sgk_completed_fn finish, void *context, sgk_destroy_fn destroy, sgk_queue *queue);

/* ---- Derived links; the callbacks are called on the emitting thread, one at a time. NULL passes through, as with
 * signals. ---- */

/** A link of what `map(context, value)` returns for each value. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_link_map(
    sgk_event_link *link, sgk_map_fn map, void *context, sgk_destroy_fn destroy);

/** A link of the values for which `filter(context, value)` is true. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_link_filter(
    sgk_event_link *link, sgk_filter_fn filter, void *context, sgk_destroy_fn destroy);

/** A link of what `map` stores for each value for which it returns true. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_link_compact_map(
    sgk_event_link *link, sgk_compact_map_fn map, void *context, sgk_destroy_fn destroy);

/** The same events, without the means to emit any: what the owner of an emitter shows to others. */
SGK_API SGK_OWNED sgk_event_link *sgk_event_link_observer(sgk_event_link *link);

/** Disconnects this link from the one above and lets that go, which goes in turn if nobody else needs it. The handlers
 * of this link are released. On an emitter it does nothing. */
SGK_API sgk_status sgk_event_link_unlink(sgk_event_link *link);

/* ---- Links and signals ---- */

/** This link as a signal: each start observes it; the first run gets the values that nobody has seen yet. The signal,
 * and a run until its end or disposal, own the link, but not an emitter: when that goes, which is when nobody holds it
 * nor a link below, the values that nobody has seen go with it, and the runs are let go. */
SGK_API SGK_OWNED sgk_signal *sgk_event_link_signal(sgk_event_link *link);

/** A link that the signal, started at once, feeds. Unlinking it, or letting it go, disposes the run. */
SGK_API SGK_OWNED sgk_event_link *sgk_signal_link(sgk_signal *signal);

/* ---- Bags ---- */

/** Owns the last links of chains: when it is cleared, or goes, it unlinks them, in the order in which they were
 * added. */
SGK_HANDLE(sgk_link_bag)

/** A new, empty bag. */
SGK_API SGK_OWNED sgk_link_bag *sgk_link_bag_create(void);

/** Adds `link`; once, however often it is added. One that is unlinked otherwise leaves the bag. */
SGK_API sgk_status sgk_link_bag_add(sgk_link_bag *bag, sgk_event_link *link);

/** Unlinks all links and forgets them. */
SGK_API sgk_status sgk_link_bag_clear(sgk_link_bag *bag);

SGK_END

#endif
