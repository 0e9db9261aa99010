/* Values, and signals derived from others. */
#include "scenarios.h"

#include <errno.h>

/* ---- Callbacks ---- */

static sgk_value modulo(void *context, sgk_value value) { return (void)context, sgk_int(weight(value) % 2); }

static sgk_value as_text(void *context, sgk_value value) {
    char text[40];
    (void)context;
    size_t length = sgk_value_describe(value, text, sizeof text);
    sgk_value made = sgk_string_n(text, length);
    if (sgk_value_kind(made) == SGK_NULL) was_refused = true;
    return made;
}

static sgk_signal *two_of(void *context, sgk_value value) {
    (void)context;
    const sgk_value items[] = {value, sgk_int(10)};
    sgk_signal *made = sgk_signal_from_array(items, 2);
    if (!made) was_refused = true;
    return made;
}

static sgk_signal *same_signal(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    sgk_signal *made = sgk_signal_map(values, plus_one, NULL, NULL);
    if (!made) was_refused = true;
    return made;
}

/* ---- Values, chains, joins ---- */

static size_t describe_object(void *object, char *text, size_t size) {
    return (void)object, (size_t)snprintf(text, size, "an object");
}

bool values(void) {
    static int retained;
    static const sgk_object_type type = {sizeof type, "object", NULL, NULL, NULL, NULL, describe_object};
    char text[100];
    HELD(string, sgk_string("a text of some length"));
    HELD(bytes, sgk_bytes("\0\1\2", 3));
    HELD(object, sgk_object(&retained, &type));
    const sgk_value items[] = {string, bytes, object, sgk_int(7)};
    HELD(array, sgk_array(items, 4));
    HELD(nested, sgk_array((const sgk_value[]){array, array}, 2));
    HELD(other, sgk_array((const sgk_value[]){array, array}, 2));
    MADE(sgk_signal, never, sgk_signal_never());
    HELD(signal, sgk_signal_value(never));
    MUST(weight(nested) == 2 * (21 + 3 + 7) && sgk_value_equal(nested, other));
    MUST(sgk_value_hash(nested) == sgk_value_hash(other));
    MUST(sgk_value_describe(nested, text, sizeof text) > 40);
    return true;
}

bool chain(void) {
    MADE(sgk_pipe, pipe, sgk_pipe_create());
    MADE(sgk_signal, signal, sgk_pipe_signal(pipe));
    STAGE(signal, sgk_signal_map(signal, plus_one, NULL, NULL));
    STAGE(signal, sgk_signal_filter(signal, is_odd, NULL, NULL));
    STAGE(signal, sgk_signal_distinct_until_changed(signal));
    STAGE(signal, sgk_signal_scan(signal, sgk_int(0), sum, NULL, NULL));
    STAGE(signal, sgk_signal_map(signal, as_text, given(new_seen()), forget_seen));
    STAGE(signal, sgk_signal_named(signal, "numbers as texts"));
    STAGE(signal, sgk_signal_serialized(signal));
    STAGE(signal, sgk_signal_take(signal, 3));
    seen *first = new_seen(), *second = new_seen();
    RUN(run, start(signal, first));
    RUN(other, start(signal, second));
    for (int i = 0; i < 8; i++) DONE(sgk_pipe_next(pipe, sgk_int(i))); /* 1, 3, 5 as sums: 1, 4, 9 */
    return came(first, 3, 3, true) && came(second, 3, 3, true);
}

bool replays(void) {
    MADE(sgk_pipe, pipe, sgk_pipe_create_replay());
    MADE(sgk_signal, signal, sgk_pipe_signal(pipe));
    HELD(text, sgk_string("twelve bytes"));
    for (int i = 0; i < 3; i++) DONE(sgk_pipe_next(pipe, text));
    MADE(sgk_signal, shared, sgk_signal_share(signal, 100, 0, NULL));
    seen *early = new_seen(), *late = new_seen(), *latest = new_seen();
    RUN(one, start(shared, early));
    for (int i = 0; i < 20; i++) DONE(sgk_pipe_next(pipe, sgk_int(1)));
    RUN(two, start(shared, late));
    RUN(three, start(signal, latest));
    DONE(sgk_pipe_complete(pipe));
    return came(early, 21, 32, true) && came(late, 21, 32, true) && came(latest, 1, 1, true);
}

bool joins(void) {
    MADE(sgk_pipe, left, sgk_pipe_create());
    MADE(sgk_pipe, right, sgk_pipe_create());
    MADE(sgk_signal, a, sgk_pipe_signal(left));
    MADE(sgk_signal, b, sgk_pipe_signal(right));
    sgk_signal *const both[] = {a, b};
    MADE(sgk_signal, latest, sgk_combine_latest(both, 2, NULL));
    MADE(sgk_signal, zipped, sgk_zip(both, 2, SGK_BOUND(.overflow = SGK_OVERFLOW_DROP_OLDEST)));
    MADE(sgk_signal, merged, sgk_merge(both, 2));
    MADE(sgk_signal, with, sgk_signal_with_latest_from(a, b));
    MADE(sgk_signal, race, sgk_race(both, 2));
    sgk_signal *const all[] = {latest, zipped, merged, with, race};
    MADE(sgk_signal, together, sgk_merge(all, 5));
    seen *seen = new_seen();
    RUN(run, start(together, seen));
    for (int i = 0; i < 4; i++) DONE(sgk_pipe_next(left, sgk_int(1)));  /* merged, race: 8 */
    for (int i = 0; i < 4; i++) DONE(sgk_pipe_next(right, sgk_int(1))); /* latest, zipped: 8, of 2; merged: 4 */
    DONE(sgk_pipe_next(left, sgk_int(1)));                              /* latest, with: 2, of 2; merged, race: 2 */
    DONE(sgk_pipe_complete(left));
    DONE(sgk_pipe_complete(right));
    return came(seen, 24, 34, true);
}

bool inner(void) {
    MADE(sgk_signal, numbers, sgk_signal_range(1, 3));
    MADE(sgk_signal, switched, sgk_signal_switch_map(numbers, two_of, NULL, NULL));
    MADE(sgk_signal, queued, sgk_signal_concat_map(numbers, two_of, given(new_seen()), forget_seen));
    MADE(sgk_signal, merged,
        sgk_signal_merge_map(numbers, 2, SGK_BOUND(.overflow = SGK_OVERFLOW_DROP_OLDEST), two_of, NULL, NULL));
    MADE(sgk_signal, per_key,
        sgk_signal_switch_map_per(
            numbers, SGK_BOUND(.overflow = SGK_OVERFLOW_DROP_OLDEST), modulo, two_of, NULL, NULL));
    MADE(sgk_signal, grouped,
        sgk_signal_group_by(numbers, SGK_BOUND(.overflow = SGK_OVERFLOW_DROP_OLDEST), modulo, same_signal, NULL, NULL));
    sgk_signal *const all[] = {switched, queued, merged, per_key, grouped};
    MADE(sgk_signal, row, sgk_concat(all, 5));
    seen *seen = new_seen();
    RUN(run, start(row, seen));
    return came(seen, 4 * 6 + 3, 4 * 36 + 9, true);
}

static sgk_signal *again(void *context, sgk_value error) {
    return (void)context, (void)error, sgk_signal_just(sgk_int(5));
}
static sgk_signal *deferred(void *context) { return (void)context, sgk_signal_range(1, 2); }

bool in_a_row(void) {
    MADE(sgk_signal, failing, sgk_signal_fail(sgk_int(EIO)));
    MADE(sgk_signal, caught, sgk_signal_catch(failing, again, NULL, NULL));
    MADE(sgk_signal, later, sgk_signal_deferred(deferred, NULL, NULL));
    MADE(sgk_signal, repeated, sgk_signal_repeat(later, 3));
    MADE(sgk_signal, both, sgk_signal_concat_with(caught, repeated));
    STAGE(both, sgk_signal_start_with(both, sgk_int(1)));
    STAGE(both, sgk_signal_pairwise(both));
    MADE(sgk_signal, list, sgk_signal_to_array(both, SGK_BOUND(.overflow = SGK_OVERFLOW_DROP_OLDEST)));
    seen *seen = new_seen(), *error = new_seen();
    RUN(run, start(list, seen)); /* 1 5 1 2 1 2 1 2, each twice but the ends */
    RUN(other, start(failing, error));
    MUST(error->error == EIO && error->ends == 1);
    if (seen->values == 0) { /* `again` or `deferred` returned NULL, because a call inside failed */
        MUST(seen->ends == 1);
        return false;
    }
    return came(seen, 1, 27, true);
}

bool virtual_time(void) {
    MADE(sgk_queue, clock, sgk_queue_create_virtual(NULL));
    MADE(sgk_signal, ticks, sgk_signal_interval(1, clock));
    STAGE(ticks, sgk_signal_take(ticks, 6));
    STAGE(ticks, sgk_signal_map(ticks, plus_one, NULL, NULL));
    MADE(sgk_signal, delayed,
        sgk_signal_delay(ticks, 2, SGK_BOUND(.limit = 8, .overflow = SGK_OVERFLOW_DROP_OLDEST), clock));
    MADE(sgk_signal, debounced, sgk_signal_debounce(ticks, 0.5, clock));
    MADE(sgk_signal, chunked, sgk_signal_chunked_within(ticks, 2, 10, clock));
    MADE(sgk_signal, delivered, sgk_signal_deliver_on(ticks, clock));
    MADE(sgk_signal, late, sgk_signal_delay_start(ticks, 3, clock));
    MADE(sgk_signal, watched, sgk_signal_timeout(ticks, 5, clock));
    sgk_signal *const all[] = {delayed, debounced, chunked, delivered, late, watched};
    MADE(sgk_signal, together, sgk_merge(all, 6));
    seen *seen = new_seen(), *after = new_seen();
    RUN(run, start(together, seen));
    MADE(sgk_disposable, later, sgk_queue_after(clock, 1.5, count_call, given(after), forget_seen));
    DONE(sgk_queue_advance(clock, 100));
    MUST(after->values == 1);
    return came(seen, 5 * 6 + 3, 6 * 21, true);
}

/* ---- Pauses ---- */

static sgk_signal *soon(void *clock, sgk_value value) {
    sgk_signal *made = sgk_signal_just(value);
    if (made) sgk_signal_replace(&made, sgk_signal_delay_start(made, 0.25, clock));
    if (!made) was_refused = true;
    return made;
}

bool pauses(void) {
    const sgk_bound *two = SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_PAUSE);
    const sgk_bound *none = SGK_BOUND(.limit = SGK_UNBUFFERED, .overflow = SGK_OVERFLOW_PAUSE);
    MADE(sgk_queue, clock, sgk_queue_create_virtual(NULL));
    MADE(sgk_queue, slow, sgk_queue_create_virtual(clock));
    MADE(sgk_signal, numbers, sgk_signal_range(1, 6));
    STAGE(numbers, sgk_signal_run_on(numbers, clock));
    MADE(sgk_signal, ordered, sgk_signal_map_ordered(numbers, 2, none, soon, clock, NULL));
    MADE(sgk_signal, zipped, sgk_zip((sgk_signal *const[]){numbers, ordered}, 2, two));
    MADE(sgk_signal, delayed, sgk_signal_delay(numbers, 1, two, clock));
    MADE(sgk_signal, rated, sgk_signal_rate_limit(numbers, 1, 1, two, clock));
    MADE(sgk_signal, shared, sgk_signal_share(numbers, 1, 0, NULL));
    MADE(sgk_pipe, conditions, sgk_pipe_create());
    MADE(sgk_signal, condition, sgk_pipe_signal(conditions));
    MADE(sgk_signal, valved, sgk_signal_paused_by(numbers, condition));
    sgk_signal *const all[] = {ordered, zipped, delayed, rated, shared, valved};
    MADE(sgk_signal, together, sgk_merge(all, 6));
    STAGE(together, sgk_signal_deliver_on_bounded(together, two, slow));
    MADE(sgk_pipe, pipe, sgk_pipe_create());
    MADE(sgk_signal, sent, sgk_pipe_signal(pipe));
    STAGE(sent, sgk_signal_deliver_on_bounded(sent, two, slow));
    seen *seen = new_seen(), *received = new_seen(), *resumed = new_seen();
    RUN(run, start(together, seen));
    RUN(other, start(sent, received));
    for (int i = 0; i < 3; i++) {
        sgk_status status = sgk_pipe_next(pipe, sgk_int(1));
        if (status != SGK_OK && status != SGK_PAUSED) return refused();
    }
    DONE(sgk_pipe_on_resume(pipe, count_call, given(resumed), forget_seen, clock));
    MADE(sgk_disposable, hold, sgk_disposable_hold(run));
    DONE(sgk_queue_advance(clock, 1));
    (void)sgk_pipe_next(conditions, sgk_bool(true));
    DONE(sgk_disposable_dispose(hold));
    DONE(sgk_queue_advance(clock, 100));
    (void)sgk_pipe_next(conditions, sgk_bool(false));
    DONE(sgk_queue_advance(clock, 100));
    MUST(resumed->values == 1);
    return came(received, 3, 3, false) && came(seen, 6 * 6, 7 * 21, true);
}
