/* Sources of signals: disposables, promises, links, generators. */
#include "scenarios.h"

bool disposables(void) {
    seen *seen[40];
    MADE(sgk_disposable, set, sgk_disposable_bag_create());
    MADE(sgk_disposable, dict, sgk_disposable_dict_create());
    MADE(sgk_disposable, meta, sgk_disposable_slot_create());
    for (int i = 0; i < 40; i++) {
        seen[i] = new_seen();
        MADE(sgk_disposable, member, sgk_action_disposable_create(count_call, given(seen[i]), forget_seen));
        DONE(i % 4 == 0      ? sgk_disposable_dict_set(dict, sgk_int(i), member)
                : i % 4 == 1 ? sgk_disposable_slot_set(meta, member)
                             : sgk_disposable_bag_add(set, member));
        if (i % 8 == 2) DONE(sgk_disposable_bag_remove(set, member));
    }
    DONE(sgk_disposable_bag_add(set, dict));
    MADE(sgk_disposable, strict, sgk_disposable_strict(set, "a file", 1));
    DONE(sgk_disposable_dispose(strict));
    DONE(sgk_disposable_dispose(meta));
    for (int i = 0; i < 40; i++) MUST(seen[i]->values == (i % 8 != 2));
    return true;
}

static sgk_status add_one(void *context, sgk_value value, sgk_value *result) {
    (void)context;
    *result = sgk_int(weight(value) + 1);
    return SGK_OK;
}

static sgk_signal *five(void *context) { return (void)context, sgk_signal_just(sgk_int(5)); }

bool promises(void) {
    MADE(sgk_promise, promise, sgk_promise_create());
    MADE(sgk_state, value, sgk_state_create_value(sgk_int(1), true));
    MADE(sgk_signal, of_promise, sgk_promise_signal(promise));
    MADE(sgk_signal, of_value, sgk_state_signal(value));
    MADE(sgk_multicast, multicast, sgk_multicast_create());
    MADE(sgk_signal, cast, sgk_multicast_get(multicast, "a key of some length", of_promise));
    MADE(sgk_multicast_signal_manager, manager, sgk_multicast_signal_manager_create());
    MADE(sgk_signal, piped, sgk_multicast_signal_manager_multicasted_pipe(manager, "a pipe"));
    MADE(sgk_signal, managed, sgk_multicast_signal_manager_multicasted_signal(manager, "five", five, NULL));
    MADE(sgk_sequencer, sequencer, sgk_sequencer_create());
    MADE(sgk_signal, sequenced, sgk_sequencer_enqueue(sequencer, managed));
    sgk_signal *const all[] = {of_promise, of_value, cast, piped, sequenced};
    MADE(sgk_signal, together, sgk_merge(all, 5));
    seen *seen = new_seen(), *end = new_seen();
    DONE(sgk_promise_on_deinit(promise, count_call, given(end), forget_seen));
    RUN(run, start(together, seen)); /* 1 of the value, 5 of the manager */
    MADE(sgk_signal, three, sgk_signal_just(sgk_int(3)));
    DONE(sgk_promise_set(promise, three)); /* twice */
    DONE(sgk_state_modify(value, add_one, NULL));
    DONE(sgk_state_set(value, sgk_int(2))); /* the same */
    DONE(sgk_multicast_signal_manager_next(manager, "a pipe", sgk_int(4)));
    if (seen->sum == 13) return false; /* `five` was refused */
    return came(seen, 6, 18, false);
}

bool links(void) {
    MADE(sgk_event_link, emitter, sgk_event_emitter_create());
    MADE(sgk_event_link, mapped, sgk_event_link_map(emitter, plus_one, NULL, NULL));
    MADE(sgk_event_link, odd, sgk_event_link_filter(mapped, is_odd, NULL, NULL));
    MADE(sgk_link_bag, bag, sgk_link_bag_create());
    DONE(sgk_link_bag_add(bag, odd));
    seen *seen = new_seen(), *ends = new_seen(), *other = new_seen();
    DONE(sgk_event_link_on_next(odd, see_next, given(seen), forget_seen, NULL));
    DONE(sgk_event_link_on_finish(odd, count_call, given(ends), forget_seen, NULL));
    MADE(sgk_signal, signal, sgk_event_link_signal(mapped));
    RUN(run, start(signal, other));
    for (int i = 0; i < 4; i++) DONE(sgk_event_emitter_next(emitter, sgk_int(i)));
    DONE(sgk_event_emitter_finish(emitter));
    MUST(ends->values == 1);
    return came(seen, 2, 4, false) && came(other, 4, 10, true);
}

static sgk_disposable *generate(void *context, sgk_subscriber *subscriber) {
    seen *kept = new_seen();
    (void)context;
    for (int i = 1; i <= 3; i++) MUST(sgk_subscriber_next(subscriber, sgk_int(i)) == SGK_OK);
    MUST(sgk_subscriber_keep_alive(subscriber, given(kept), forget_seen) == SGK_OK);
    sgk_disposable *made = sgk_action_disposable_create(count_call, given(new_seen()), forget_seen);
    if (!made) was_refused = true;
    return made;
}

bool generators(void) {
    MADE(sgk_signal, signal, sgk_signal_create(generate, given(new_seen()), forget_seen));
    seen *seen = new_seen(), *waited = new_seen();
    RUN(run, start(signal, seen));
    sgk_handlers handlers = all_of(waited);
    RUN(waitable, sgk_signal_start_waitable(signal, &handlers));
    DONE(sgk_disposable_dispose_and_wait(waitable));
    MUST(waited->gone == 1 || was_refused);
    return came(seen, 3, 6, false) && came(waited, 3, 6, false);
}
