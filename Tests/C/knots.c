/* Random programs whose sources contain signals of themselves: pipes with and without replay, promises, emitters,
 * shared signals, readers; signals derived from all of them by operators of every family, which are values as well.
 * Callbacks emit, start, dispose, read and advance the time at random. Nothing checks the values. At the end the
 * program breaks its own cycles, and then no object may be alive. */
#include <math.h>

#include "suite.h"

enum { SOURCES = 2, SIGNALS = 24, STARTED = 32, READERS = 4, BUDGET = 300, STEPS = 120 };

typedef struct {
    uint64_t random;
    sgk_queue *queue; /* virtual */
    sgk_pipe *pipes[2 * SOURCES];
    sgk_promise *promises[SOURCES];
    sgk_state *holders[SOURCES];
    sgk_event_link *emitters[SOURCES];
    sgk_multicast *table;
    sgk_sequencer *sequencer;
    sgk_disposable *set;
    sgk_signal *signals[SIGNALS];
    sgk_disposable *runs[STARTED];
    sgk_reader *readers[READERS];
    int budget; /* how many values may still go round in circles */
    int resources;
    bool is_over;
} knot;

static uint32_t chance(knot *k, uint32_t below) {
    k->random = k->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(k->random >> 33) % below;
}

static sgk_signal *any_signal(knot *k) { return k->signals[chance(k, SIGNALS)]; }

static bool within_budget(void *context, sgk_value value) {
    (void)value;
    return --((knot *)context)->budget > 0;
}

static sgk_signal *signal_in(void *context, sgk_value value) {
    knot *k = context;
    if (!within_budget(k, value)) return sgk_signal_never();
    sgk_signal *inside = value.kind == SGK_SIGNAL ? sgk_to_signal(value) : NULL;
    return inside ? inside : sgk_signal_retain(any_signal(k));
}

static sgk_signal *signal_when(void *context, sgk_value error, int64_t number) {
    return number > 2 ? NULL : signal_in(context, error);
}

static sgk_signal *signal_of(void *context) { return signal_in(context, sgk_null()); }

static void *acquire(void *context) {
    ((knot *)context)->resources++;
    return context;
}

static sgk_signal *use(void *context, void *resource) {
    (void)resource;
    return signal_in(context, sgk_null());
}

static void release(void *resource) { ((knot *)resource)->resources--; }

static sgk_value any_value(knot *k) { return chance(k, 2) ? sgk_signal_value(any_signal(k)) : sgk_int(chance(k, 5)); }

static void act(knot *k);

static void heard(void *context, sgk_value value) {
    knot *k = context;
    if (!k->is_over && within_budget(k, value) && chance(k, 4) == 0) act(k);
}

static void ended(void *context) { heard(context, sgk_null()); }

static sgk_signal *limited(knot *k, sgk_signal *signal) { return sgk_signal_filter(signal, within_budget, k, NULL); }

static sgk_signal *source(knot *k) {
    uint32_t i = chance(k, SOURCES);
    switch (chance(k, 10)) {
    case 0: return sgk_promise_signal(k->promises[i]);
    case 1: return sgk_state_signal(k->holders[i]);
    case 2: return sgk_event_link_signal(k->emitters[i]);
    case 3: return sgk_signal_timer(chance(k, 3), k->queue);
    case 4: return sgk_signal_interval(1 + chance(k, 3), k->queue);
    case 5: return sgk_signal_deferred(signal_of, k, NULL);
    case 6: return sgk_signal_using(acquire, use, release, k, NULL);
    case 7: {
        sgk_value items[3] = {any_value(k), any_value(k), any_value(k)};
        sgk_signal *made = sgk_signal_from_array(items, 3);
        for (int n = 0; n < 3; n++) sgk_value_release(items[n]);
        return made;
    }
    default: return sgk_pipe_signal(k->pipes[chance(k, 2 * SOURCES)]);
    }
}

static bool is_plain(void *context, sgk_value value) {
    (void)context;
    return value.kind < SGK_STRING;
}

static sgk_signal *shared(knot *k, sgk_signal *base) {
    /* A replay after the end must not retain the signal that replays it: that would be a cycle of the program, which
     * nothing breaks. */
    SGK_AUTO(sgk_signal) plain = sgk_signal_filter(base, is_plain, NULL, NULL);
    static const char *const keys[] = {"a", "b", "c"};
    switch (chance(k, 5)) {
    case 0: return sgk_multicast_get(k->table, keys[chance(k, 3)], base);
    case 1: return sgk_signal_share(base, 0, 0, NULL);
    case 2: return sgk_signal_share(plain, chance(k, 3), 0, NULL);
    case 3: return sgk_signal_share(plain, chance(k, 3), 1 + chance(k, 3), k->queue);
    default: return sgk_signal_share(plain, chance(k, 3), HUGE_VAL, NULL);
    }
}

static sgk_signal *group_in(void *context, sgk_value key, sgk_signal *values) {
    (void)key;
    return chance(context, 2) ? limited(context, values) : sgk_signal_take(values, 2);
}

static sgk_signal *joined(knot *k, sgk_signal *a, sgk_signal *b) {
    sgk_signal *both[] = {a, b};
    sgk_overflow overflow = (sgk_overflow)(2 + chance(k, 4));
    int64_t limit = 1 + chance(k, 3);
    SGK_AUTO(sgk_signal) few = NULL;
    switch (chance(k, 19)) {
    case 0: return sgk_signal_switch_map(a, signal_in, k, NULL);
    case 1: return sgk_signal_concat_map(a, signal_in, k, NULL);
    case 2: return sgk_merge(both, 2);
    case 3: return sgk_combine_latest(both, 2, NULL);
    case 4: return sgk_zip(both, 2, SGK_BOUND(.limit = limit, .overflow = overflow, .error = sgk_int(9)));
    case 5: return sgk_race(both, 2);
    case 6: return sgk_signal_with_latest_from(a, b);
    case 7:
        return sgk_signal_merge_all(
            few = limited(k, a), limit, SGK_BOUND(.limit = limit, .overflow = overflow, .error = sgk_int(9)));
    case 8:
        return sgk_signal_merge_map(
            a, limit, SGK_BOUND(.limit = limit, .overflow = overflow, .error = sgk_int(9)), signal_in, k, NULL);
    case 17:
        return sgk_signal_map_ordered(
            a, limit, SGK_BOUND(.limit = limit, .overflow = overflow, .error = sgk_int(9)), signal_in, k, NULL);
    case 9: return sgk_signal_exhaust_map(a, signal_in, k, NULL);
    case 10: return sgk_signal_skip_until(a, b);
    case 11: return sgk_signal_take_until(a, b);
    case 12: return sgk_signal_sample_on(a, b);
    case 13: return sgk_signal_chunked_by(a, b, limit);
    case 14: return sgk_signal_switch_if_empty(a, b);
    case 15:
        return sgk_signal_switch_map_per(
            a, SGK_BOUND(.limit = limit, .overflow = overflow, .error = sgk_int(9)), NULL, signal_in, k, NULL);
    case 16:
        return sgk_signal_group_by(
            a, SGK_BOUND(.limit = limit, .overflow = overflow, .error = sgk_int(9)), NULL, group_in, k, NULL);
    default: return sgk_concat(both, 2);
    }
}

static sgk_signal *timed(knot *k, sgk_signal *a, sgk_signal *b) {
    double seconds = chance(k, 3);
    const bool resets = chance(k, 2);
    switch (chance(k, 12)) {
    case 0:
        return sgk_signal_delay(a, seconds,
            SGK_BOUND(.limit = 2, .overflow = (sgk_overflow)(2 + chance(k, 4)), .error = sgk_int(9)), k->queue);
    case 1: return each_within_or(a, seconds, b, k->queue);
    case 2: return sgk_signal_throttle(a, seconds, (sgk_edges)(1 + chance(k, 3)), k->queue);
    case 3: return sgk_signal_debounce(a, seconds, k->queue);
    case 4: return sgk_signal_chunked_within(a, 2, seconds, k->queue);
    case 5: return sgk_signal_take_for(a, seconds, k->queue);
    case 6: return sgk_signal_sample(a, 1 + seconds, k->queue);
    case 7: return sgk_signal_time_interval(a, k->queue);
    case 8:
        return sgk_signal_retry(
            a, SGK_RETRY(.attempts = 3, .jitter = 0.5, .seed = 1, .reset_on_value = resets), k->queue);
    case 9: return sgk_signal_deliver_on(a, k->queue);
    case 10:
        return sgk_signal_rate_limit(a, 2, seconds,
            SGK_BOUND(.limit = 2, .overflow = (sgk_overflow)(2 + chance(k, 4)), .error = sgk_int(9)), k->queue);
    default: return first_within_or(a, seconds, b, k->queue);
    }
}

static sgk_signal *passed(knot *k, sgk_signal *a) {
    int64_t count = chance(k, 3);
    SGK_AUTO(sgk_signal) few = NULL;
    switch (chance(k, 12)) {
    case 0: return sgk_signal_take(a, count);
    case 1: return sgk_signal_take_last(a, count);
    case 2: return sgk_signal_pairwise(a);
    case 3:
        return sgk_signal_to_array(
            a, SGK_BOUND(.limit = 3, .overflow = (sgk_overflow)(2 + chance(k, 4)), .error = sgk_int(9)));
    case 4:
        return sgk_signal_distinct(
            a, SGK_BOUND(.limit = 2, .overflow = (sgk_overflow)(2 + chance(k, 4)), .error = sgk_int(9)));
    case 5: return sgk_signal_start_with(a, sgk_int(count));
    case 6: return sgk_signal_default_if_empty(a, sgk_int(count));
    case 7: return sgk_signal_repeat(few = limited(k, a), count);
    case 8: few = limited(k, a); return sgk_signal_retry(few, SGK_RETRY(.decide = signal_when, .context = k), k->queue);
    case 9: return sgk_signal_catch(a, signal_in, k, NULL);
    case 10: return sgk_sequencer_enqueue(k->sequencer, a);
    default: return sgk_signal_chunked(a, 1 + count);
    }
}

static sgk_signal *new_signal(knot *k) {
    SGK_AUTO(sgk_signal) a = sgk_signal_retain(any_signal(k));
    SGK_AUTO(sgk_signal) b = sgk_signal_retain(any_signal(k));
    SGK_AUTO(sgk_signal) few = limited(k, a);
    switch (chance(k, 6)) {
    case 0: return shared(k, few);
    case 1:
    case 2: return joined(k, a, b);
    case 3: return timed(k, few, b);
    case 4: return passed(k, a);
    default: return source(k);
    }
}

static void read_one(knot *k, uint32_t i) {
    sgk_value value;
    if (!k->readers[i]) return;
    sgk_reader_next(k->readers[i], 0, &value);
    sgk_value_release(value);
}

static void ready(void *context) { heard(context, sgk_null()); }

static void act(knot *k) {
    uint32_t i = chance(k, SOURCES), slot = chance(k, STARTED), place = chance(k, READERS);
    sgk_value value = sgk_null();
    sgk_signal *signal = NULL;
    sgk_handlers handlers = {.size = sizeof handlers, .context = k, .next = heard, .error = heard, .completed = ended};
    switch (chance(k, 18)) {
    case 0:
    case 1:
    case 2: sgk_pipe_next(k->pipes[chance(k, 2 * SOURCES)], value = any_value(k)); break;
    case 3: sgk_state_set(k->holders[i], value = any_value(k)); break;
    case 4: sgk_event_emitter_next(k->emitters[i], value = any_value(k)); break;
    case 5: sgk_promise_set(k->promises[i], signal = limited(k, any_signal(k))); break;
    case 6:
    case 7:
    case 8: {
        signal = sgk_signal_retain(any_signal(k)); /* a callback may put another one into its place */
        sgk_disposable *run = sgk_signal_start(signal, &handlers);
        if (chance(k, 3) == 0) sgk_disposable_bag_add(k->set, run);
        if (k->runs[slot]) sgk_disposable_dispose(k->runs[slot]);
        sgk_disposable_release(k->runs[slot]);
        k->runs[slot] = run;
        break;
    }
    case 9:
        if (k->runs[slot]) sgk_disposable_dispose(k->runs[slot]);
        break;
    case 10:
        if (chance(k, 8) == 0) sgk_pipe_complete(k->pipes[chance(k, 2 * SOURCES)]);
        break;
    case 11:
        if (chance(k, 8) == 0) sgk_event_emitter_finish(k->emitters[i]);
        break;
    case 12:
        if (chance(k, 8) == 0) sgk_pipe_error(k->pipes[chance(k, 2 * SOURCES)], sgk_int(chance(k, 5)));
        break;
    case 13: sgk_queue_advance(k->queue, chance(k, 3)); break;
    case 14: {
        signal = sgk_signal_retain(any_signal(k));
        sgk_reader *reader = sgk_reader_create(
            signal, SGK_BOUND(.limit = 2, .overflow = (sgk_overflow)(1 + chance(k, 5)), .error = sgk_int(9)));
        if (chance(k, 2)) sgk_reader_when_ready(reader, ready, k, NULL);
        sgk_reader_replace(&k->readers[place], reader);
        break;
    }
    case 15: read_one(k, place); break;
    default:
        slot = chance(k, SIGNALS);
        signal = new_signal(k);
        sgk_signal *old = k->signals[slot];
        k->signals[slot] = signal;
        signal = old;
    }
    sgk_value_release(value);
    sgk_signal_release(signal);
}

static void untie(knot *k) {
    k->is_over = true;
    k->budget = 0;
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    for (int i = 0; i < SOURCES; i++) {
        sgk_promise_set(k->promises[i], never);
        sgk_state_set(k->holders[i], sgk_int(0));
    }
    for (int i = 0; i < STARTED; i++) {
        if (k->runs[i]) sgk_disposable_dispose(k->runs[i]);
        sgk_disposable_release(k->runs[i]);
    }
    sgk_disposable_dispose(k->set);
    sgk_disposable_release(k->set);
    for (int i = 0; i < READERS; i++) sgk_reader_release(k->readers[i]);
    for (int i = 0; i < 2 * SOURCES; i++) sgk_pipe_release(k->pipes[i]);
    for (int i = 0; i < SOURCES; i++) {
        sgk_promise_release(k->promises[i]);
        sgk_state_release(k->holders[i]);
        sgk_event_link_release(k->emitters[i]);
    }
    for (int i = 0; i < SIGNALS; i++) sgk_signal_release(k->signals[i]);
    sgk_sequencer_release(k->sequencer);
    sgk_multicast_release(k->table);
    sgk_queue_advance(k->queue, 10); /* nothing is kept longer than that */
    sgk_queue_release(k->queue);
}

static bool leaves_nothing(knot *k, uint64_t seed) {
    memset(k, 0, sizeof *k);
    k->random = seed;
    k->budget = BUDGET;
    k->queue = sgk_queue_create_virtual(NULL);
    for (int i = 0; i < 2 * SOURCES; i++) k->pipes[i] = i % 2 ? sgk_pipe_create_replay() : sgk_pipe_create();
    for (int i = 0; i < SOURCES; i++) {
        k->promises[i] = sgk_promise_create();
        k->holders[i] = sgk_state_create(i == 0);
        k->emitters[i] = sgk_event_emitter_create();
    }
    k->table = sgk_multicast_create();
    k->sequencer = sgk_sequencer_create();
    k->set = sgk_disposable_bag_create();
    for (int i = 0; i < SIGNALS; i++) k->signals[i] = sgk_pipe_signal(k->pipes[i % (2 * SOURCES)]);
    for (int i = 0; i < STEPS; i++) act(k);
    untie(k);
    return sgk_live_total() == 0 && k->resources == 0;
}

static void programs_that_hold_themselves_can_be_taken_apart(void **state) {
    (void)state;
    uint64_t many = 3000; /* or the twentieth part of what SUITE_ROUNDS says */
    if (getenv("SUITE_ROUNDS")) many = (uint64_t)atoll(getenv("SUITE_ROUNDS")) / 20;
    knot *k = malloc(sizeof *k);
    for (uint64_t seed = 1; seed <= many; seed++) {
        bool is_gone = leaves_nothing(k, seed);
        if (!is_gone) print_error("program %d\n", (int)seed);
        assert_true(is_gone);
    }
    free(k);
}

int run_knots(void) {
    const struct CMUnitTest tests[] = {
        TEST(programs_that_hold_themselves_can_be_taken_apart),
    };
    return cmocka_run_group_tests_name("knots", tests, NULL, NULL);
}
