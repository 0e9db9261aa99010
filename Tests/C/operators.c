/* The contract of events, on every operator. */
#include "suite.h"

static sgk_queue *contract_queue;

static bool never_equal(void *context, sgk_value last, sgk_value value) {
    (void)context;
    (void)last;
    (void)value;
    return false;
}

static bool always(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return true;
}

static sgk_value first_of(void *context, sgk_value value) {
    (void)context;
    return sgk_value_retain(value);
}

static sgk_value second_of(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    (void)accumulated;
    return sgk_value_retain(value);
}

static void watch(void *context, sgk_value value) {
    (void)context;
    (void)value;
}

static sgk_signal *with_map_error(sgk_signal *s) { return sgk_signal_map_error(s, first_of, NULL, NULL); }
static sgk_signal *with_reduce(sgk_signal *s) { return sgk_signal_reduce(s, sgk_int(0), second_of, NULL, NULL); }
static sgk_signal *with_events(sgk_signal *s) {
    SGK_AUTO(sgk_signal) events = sgk_signal_to_events(s);
    return sgk_signal_from_events(events);
}
static sgk_signal *with_before_next(sgk_signal *s) { return sgk_signal_before_next(s, watch, NULL, NULL); }
static sgk_signal *with_after_next(sgk_signal *s) { return sgk_signal_after_next(s, watch, NULL, NULL); }
static sgk_signal *with_before_started(sgk_signal *s) { return sgk_signal_before_started(s, do_nothing, NULL, NULL); }
static sgk_signal *with_before_error(sgk_signal *s) { return sgk_signal_before_error(s, watch, NULL, NULL); }
static sgk_signal *with_before_completed(sgk_signal *s) {
    return sgk_signal_before_completed(s, do_nothing, NULL, NULL);
}
static sgk_signal *with_after_completed(sgk_signal *s) { return sgk_signal_after_completed(s, do_nothing, NULL, NULL); }
static sgk_signal *with_after_disposed(sgk_signal *s) { return sgk_signal_after_disposed(s, do_nothing, NULL, NULL); }
static sgk_signal *with_named(sgk_signal *s) { return sgk_signal_named(s, "contract"); }
static sgk_signal *with_trace(sgk_signal *s) { return sgk_signal_trace(s, "contract"); }
static sgk_signal *with_map(sgk_signal *s) { return sgk_signal_map(s, times_ten, NULL, NULL); }
static sgk_signal *with_filter(sgk_signal *s) { return sgk_signal_filter(s, always, NULL, NULL); }
static sgk_signal *with_distinct_by(sgk_signal *s) {
    return sgk_signal_distinct_until_changed_by(s, never_equal, NULL, NULL);
}
static sgk_signal *with_take(sgk_signal *s) { return sgk_signal_take(s, INT64_MAX); }
static sgk_signal *with_combine(sgk_signal *s) { return sgk_combine_latest(&s, 1, NULL); }
static sgk_signal *with_throttle(sgk_signal *s) { return sgk_signal_throttle(s, 0, SGK_EDGES_BOTH, contract_queue); }
static sgk_signal *with_debounce(sgk_signal *s) { return sgk_signal_debounce(s, 0, contract_queue); }
static sgk_signal *with_deliver_on(sgk_signal *s) { return sgk_signal_deliver_on(s, contract_queue); }
static sgk_signal *of_signals(sgk_signal *s, sgk_signal *(*apply)(sgk_signal *)) {
    SGK_AUTO(sgk_signal) signals = sgk_signal_map(s, as_signal, NULL, NULL);
    return apply(signals);
}
static sgk_signal *with_concat_latest(sgk_signal *s) { return of_signals(s, sgk_signal_concat_latest); }
static sgk_signal *with_concat_all(sgk_signal *s) { return of_signals(s, sgk_signal_concat_all); }
static sgk_signal *with_switch_to_latest(sgk_signal *s) { return of_signals(s, sgk_signal_switch_to_latest); }

static sgk_signal *single_of(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(value);
}
static sgk_signal *fail_with(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_fail(value);
}
static sgk_signal *pass_on(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    sgk_value items[] = {accumulated, value}, both = sgk_array(items, 2);
    sgk_signal *step = sgk_signal_just(both);
    sgk_value_release(both);
    return step;
}
static sgk_signal *given(void *context) { return sgk_signal_retain(context); }
static void release_signal(void *context) { sgk_signal_release(context); }
static bool never(void *context, sgk_value value) {
    (void)context;
    (void)value;
    return false;
}
static sgk_value first_item(void *context, const sgk_value *values, size_t count) {
    (void)context;
    (void)count;
    return sgk_value_retain(values[0]);
}

static sgk_signal *with_switch_map(sgk_signal *s) { return sgk_signal_switch_map(s, single_of, NULL, NULL); }
static sgk_signal *with_concat_map(sgk_signal *s) { return sgk_signal_concat_map(s, single_of, NULL, NULL); }
static sgk_signal *with_concat_map_latest(sgk_signal *s) {
    return sgk_signal_concat_map_latest(s, single_of, NULL, NULL);
}
static sgk_signal *with_reduce_generator(sgk_signal *s) {
    return sgk_signal_reduce_generator(s, sgk_int(0), pass_on, NULL, NULL);
}
static sgk_signal *with_deferred(sgk_signal *s) {
    return sgk_signal_deferred(given, sgk_signal_retain(s), release_signal);
}
static sgk_signal *with_concat_with(sgk_signal *s) {
    SGK_AUTO(sgk_signal) end = sgk_signal_empty();
    return sgk_signal_concat_with(s, end);
}
static sgk_signal *with_then_behind(sgk_signal *s) {
    SGK_AUTO(sgk_signal) end = sgk_signal_empty();
    return sgk_signal_concat_with(end, s);
}
static sgk_signal *with_catch(sgk_signal *s) { return sgk_signal_catch(s, fail_with, NULL, NULL); }
static sgk_signal *with_retry(sgk_signal *s) {
    return sgk_signal_retry(s, SGK_RETRY(.delay = 0.001, .max_delay = 0.001), contract_queue);
}
static sgk_signal *with_one_attempt(sgk_signal *s) {
    return sgk_signal_retry(s, SGK_RETRY(.attempts = 1, .reset_on_value = true), contract_queue);
}
static sgk_signal *when_never(void *context, sgk_value error, int64_t failures) {
    (void)context, (void)failures;
    return sgk_signal_fail(error);
}
static sgk_signal *with_decisions(sgk_signal *s) {
    return sgk_signal_retry(s, SGK_RETRY(.decide = when_never, .reset_after = 1), NULL);
}
static sgk_signal *with_take_until_replacement(sgk_signal *s) {
    SGK_AUTO(sgk_signal) none = sgk_signal_never();
    return sgk_signal_take_until_replacement(s, none);
}
static sgk_signal *with_run_on(sgk_signal *s) { return sgk_signal_run_on(s, contract_queue); }
static sgk_signal *with_delay_start(sgk_signal *s) { return sgk_signal_delay_start(s, 0.001, contract_queue); }
static sgk_signal *with_suspend_aware_delay(sgk_signal *s) {
    return sgk_signal_suspend_aware_delay(s, 0.001, 4, contract_queue);
}
static sgk_signal *with_timeout_first(sgk_signal *s) { return sgk_signal_timeout_first(s, 1e6, contract_queue); }
static sgk_signal *with_catch_with(sgk_signal *s) {
    SGK_AUTO(sgk_signal) nothing = sgk_signal_empty();
    return sgk_signal_catch_with(s, nothing);
}
static sgk_signal *with_share(sgk_signal *s) { return sgk_signal_share(s, 2, 0, NULL); }
static sgk_signal *with_multicast_get(sgk_signal *s) {
    SGK_AUTO(sgk_multicast) multicast = sgk_multicast_create();
    return sgk_multicast_get(multicast, "key", s);
}
static sgk_sequencer *contract_sequencer;
static sgk_signal *with_enqueue(sgk_signal *s) { return sgk_sequencer_enqueue(contract_sequencer, s); }
static sgk_signal *with_combine_map(sgk_signal *s) {
    return sgk_combine_latest_map(&s, 1, first_item, NULL, NULL, NULL);
}
static sgk_signal *with_merge(sgk_signal *s) {
    SGK_AUTO(sgk_signal) end = sgk_signal_empty();
    sgk_signal *both[] = {end, s};
    return sgk_merge(both, 2);
}
static sgk_signal *with_merge_all(sgk_signal *s) {
    SGK_AUTO(sgk_signal) signals = sgk_signal_map(s, as_signal, NULL, NULL);
    return sgk_signal_merge_all(signals, 2, NULL);
}
static sgk_signal *with_merge_map(sgk_signal *s) {
    return sgk_signal_merge_map(s, SGK_UNBOUNDED, SGK_BOUND(.limit = SGK_UNBUFFERED), single_of, NULL, NULL);
}
static sgk_signal *with_merge_all_ordered(sgk_signal *s) {
    SGK_AUTO(sgk_signal) signals = sgk_signal_map(s, as_signal, NULL, NULL);
    return sgk_signal_merge_all_ordered(signals, 2, NULL);
}
static sgk_signal *with_map_ordered(sgk_signal *s) {
    return sgk_signal_map_ordered(s, SGK_UNBOUNDED, SGK_BOUND(.limit = SGK_UNBUFFERED), single_of, NULL, NULL);
}
static sgk_signal *with_exhaust_map(sgk_signal *s) { return sgk_signal_exhaust_map(s, single_of, NULL, NULL); }
static sgk_signal *with_switch_map_per(sgk_signal *s) {
    return sgk_signal_switch_map_per(s, NULL, first_of, single_of, NULL, NULL);
}
static sgk_signal *group_itself(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    return sgk_signal_retain(values);
}
static sgk_signal *with_group_by(sgk_signal *s) {
    return sgk_signal_group_by(s, NULL, first_of, group_itself, NULL, NULL);
}
static sgk_signal *with_zip(sgk_signal *s) { return sgk_zip(&s, 1, SGK_BOUND(.limit = 1)); }
static sgk_signal *with_zip_map(sgk_signal *s) { return sgk_zip_map(&s, 1, NULL, first_item, NULL, NULL); }
static sgk_signal *with_race(sgk_signal *s) { return sgk_race(&s, 1); }
static sgk_signal *beside(sgk_signal *s, sgk_signal *other, sgk_signal *(*apply)(sgk_signal *, sgk_signal *)) {
    SGK_AUTO(sgk_signal) released = other;
    return apply(s, other);
}
static sgk_signal *with_latest_first(sgk_signal *s, sgk_signal *other) {
    return sgk_signal_with_latest_from_map(s, other, first_item, NULL, NULL);
}
static sgk_signal *with_latest_from(sgk_signal *s) {
    return beside(s, sgk_signal_just(sgk_int(0)), sgk_signal_with_latest_from);
}
static sgk_signal *with_latest_from_map(sgk_signal *s) {
    return beside(s, sgk_signal_just(sgk_int(0)), with_latest_first);
}
static sgk_signal *with_skip_until(sgk_signal *s) {
    return beside(s, sgk_signal_just(sgk_int(0)), sgk_signal_skip_until);
}
static sgk_signal *with_paused_by(sgk_signal *s) { return beside(s, sgk_signal_never(), sgk_signal_paused_by); }
static sgk_signal *with_take_until(sgk_signal *s) { return beside(s, sgk_signal_never(), sgk_signal_take_until); }

static sgk_signal *with_scan(sgk_signal *s) { return sgk_signal_scan(s, sgk_int(0), second_of, NULL, NULL); }

static sgk_signal *with_to_array(sgk_signal *s) { return sgk_signal_to_array(s, NULL); }
static sgk_signal *with_distinct(sgk_signal *s) { return sgk_signal_distinct(s, NULL); }
static sgk_signal *with_distinct_key(sgk_signal *s) {
    return sgk_signal_distinct_by(s, SGK_BOUND(.limit = 5, .overflow = SGK_OVERFLOW_DROP_OLDEST), first_of, NULL, NULL);
}
static sgk_signal *with_pairwise(sgk_signal *s) { /* pairs the first value with the value sent before it */
    SGK_AUTO(sgk_signal) begun = sgk_signal_start_with(s, sgk_int(0));
    return sgk_signal_pairwise(begun);
}
static sgk_signal *with_take_last(sgk_signal *s) { return sgk_signal_take_last(s, 1); }
static sgk_signal *with_take_while(sgk_signal *s) { return sgk_signal_take_while(s, always, NULL, NULL); }
static sgk_signal *with_skip_while(sgk_signal *s) { return sgk_signal_skip_while(s, never, NULL, NULL); }
static sgk_signal *with_skip(sgk_signal *s) { /* skips the value sent before it */
    SGK_AUTO(sgk_signal) begun = sgk_signal_start_with(s, sgk_int(0));
    return sgk_signal_skip(begun, 1);
}
static sgk_signal *with_end_with(sgk_signal *s) { return sgk_signal_end_with(s, sgk_int(0)); }
static sgk_signal *with_concat(sgk_signal *s) {
    SGK_AUTO(sgk_signal) end = sgk_signal_empty();
    return sgk_concat((sgk_signal *[]){end, s, end}, 3);
}
static sgk_signal *with_default_if_empty(sgk_signal *s) { return sgk_signal_default_if_empty(s, sgk_int(0)); }
static sgk_signal *with_switch_if_empty_behind(sgk_signal *s) {
    SGK_AUTO(sgk_signal) end = sgk_signal_empty();
    return sgk_signal_switch_if_empty(end, s);
}
static sgk_signal *with_catch_and_return(sgk_signal *s) { return sgk_signal_catch_and_return(s, sgk_int(0)); }
static sgk_signal *with_repeat(sgk_signal *s) { return sgk_signal_repeat(s, 1); }
static sgk_signal *with_repeat_unbounded(sgk_signal *s) { return sgk_signal_repeat(s, SGK_UNBOUNDED); }
static sgk_signal *with_repeat_again(sgk_signal *s) { return sgk_signal_repeat(s, INT64_MAX); }

static sgk_value natural_same(sgk_value value) { return sgk_value_retain(value); }
static sgk_value natural_last(sgk_value accumulated, sgk_value value) {
    return (void)accumulated, sgk_value_retain(value);
}
static bool natural_no(sgk_value last, sgk_value value) { return (void)last, (void)value, false; }
static bool natural_never(void) { return false; }
static int64_t natural_ten(int64_t value) { return value * 10; }
static bool natural_yes(int16_t value) { return (void)value, true; }
static void *natural_single(sgk_value value) { return sgk_signal_just(value); }
static void *natural_fail(sgk_value value) { return sgk_signal_fail(value); }

typedef sgk_signal *(*typed_operator)(sgk_signal *, sgk_function, sgk_signature *, void *, sgk_destroy_fn);
static sgk_signal *with_typed(sgk_signal *s, typed_operator apply, sgk_function f, const char *text) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create(text);
    return apply(s, f, signature, NULL, NULL);
}
#define WITH_TYPED(name, f, text) \
    static sgk_signal *with_##name##_typed(sgk_signal *s) { \
        return with_typed(s, sgk_signal_##name##_typed, SGK_FUNCTION(f), text); \
    }
WITH_TYPED(map, natural_ten, "(i64) -> i64")
WITH_TYPED(filter, natural_yes, "(i16) -> bool")
WITH_TYPED(map_error, natural_same, "(value) -> value")
WITH_TYPED(before_next, natural_ten, "(i64) -> i64")
WITH_TYPED(after_next, natural_ten, "(i64) -> i64")
WITH_TYPED(distinct_until_changed_by, natural_no, "(value, value) -> bool")
WITH_TYPED(take_while, natural_yes, "(i16) -> bool")
WITH_TYPED(skip_while, natural_never, "() -> bool")
WITH_TYPED(switch_map, natural_single, "(value) -> ptr")
WITH_TYPED(concat_map, natural_single, "(value) -> ptr")
WITH_TYPED(catch, natural_fail, "(value) -> ptr")
WITH_TYPED(concat_map_latest, natural_single, "(value) -> ptr")
WITH_TYPED(before_error, natural_ten, "(i64) -> i64")
static sgk_signal *with_reduce_typed(sgk_signal *s) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value, value) -> value");
    return sgk_signal_reduce_typed(s, sgk_int(0), SGK_FUNCTION(natural_last), signature, NULL, NULL);
}
static sgk_signal *with_scan_typed(sgk_signal *s) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value, value) -> value");
    return sgk_signal_scan_typed(s, sgk_int(0), SGK_FUNCTION(natural_last), signature, NULL, NULL);
}
static void *natural_generated(sgk_value accumulated, sgk_value value) { return pass_on(NULL, accumulated, value); }
static sgk_signal *with_reduce_generator_typed(sgk_signal *s) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value, value) -> ptr");
    return sgk_signal_reduce_generator_typed(s, sgk_int(0), SGK_FUNCTION(natural_generated), signature, NULL, NULL);
}
static sgk_signal *with_distinct_key_typed(sgk_signal *s) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64) -> i64");
    return sgk_signal_distinct_by_typed(s, SGK_BOUND(.limit = INT64_MAX, .overflow = SGK_OVERFLOW_DROP_OLDEST),
        SGK_FUNCTION(natural_ten), signature, NULL, NULL);
}
static sgk_signal *with_combine_typed(sgk_signal *s) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value) -> value");
    return sgk_combine_latest_typed(&s, 1, SGK_FUNCTION(natural_same), signature, NULL, NULL, NULL);
}
static sgk_value natural_first(sgk_value first, sgk_value second) { return (void)second, sgk_value_retain(first); }
WITH_TYPED(exhaust_map, natural_single, "(value) -> ptr")
static sgk_signal *with_merge_map_typed(sgk_signal *s) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value) -> ptr");
    return sgk_signal_merge_map_typed(
        s, SGK_UNBOUNDED, SGK_BOUND(.limit = SGK_UNBUFFERED), SGK_FUNCTION(natural_single), signature, NULL, NULL);
}
static sgk_signal *with_latest_from_typed(sgk_signal *s) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value, value) -> value");
    SGK_AUTO(sgk_signal) other = sgk_signal_just(sgk_int(0));
    return sgk_signal_with_latest_from_typed(s, other, SGK_FUNCTION(natural_first), signature, NULL, NULL);
}
static sgk_signal *with_zip_typed(sgk_signal *s) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(value) -> value");
    return sgk_zip_typed(&s, 1, SGK_BOUND(.limit = 1), SGK_FUNCTION(natural_same), signature, NULL, NULL);
}

enum {
    ELSEWHERE = 1, /* delivers on the queue, later */
    LOSSY = 2,     /* may drop values that come fast */
    LATE = 4,      /* one value, at the end */
    SILENT = 8,    /* no values */
    MORE = 16,     /* one more value at the end */
    ENDLESS = 32,  /* continues after a completion */
    RECOVERS = 64, /* continues, or completes, after an error */
    STARTS_LATER = 128,
    /* lets two threads in at once, and a value that one carries may arrive after the end that the other brings */
    PLAIN = 256,
    FREE = 512, /* no separate stage after another of its kind */
};

typedef struct row {
    const char *name;
    sgk_signal *(*apply)(sgk_signal *);
    int shape;
} row;

static bool is(const row *o, int shape) { return (o->shape & shape) != 0; }

static sgk_signal *with_chunked(sgk_signal *s) { return sgk_signal_chunked(s, 1); }
static sgk_signal *with_chunked_within(sgk_signal *s) { return sgk_signal_chunked_within(s, 1, 1, contract_queue); }
static sgk_signal *with_windowed(sgk_signal *s) { return sgk_signal_windowed(s, 1, 1); }
static sgk_signal *with_chunked_by(sgk_signal *s) {
    SGK_AUTO(sgk_signal) silent = sgk_signal_never();
    return sgk_signal_chunked_by(s, silent, 1);
}
static sgk_signal *with_delay(sgk_signal *s) {
    return sgk_signal_delay(s, 0, SGK_BOUND(.limit = INT64_MAX, .overflow = SGK_OVERFLOW_DROP_NEWEST), contract_queue);
}
static sgk_signal *with_rate_limit(sgk_signal *s) { return sgk_signal_rate_limit(s, 1, 0, NULL, contract_queue); }
static sgk_signal *with_timeout(sgk_signal *s) { return sgk_signal_timeout(s, 1e6, contract_queue); }
static sgk_signal *with_timestamped(sgk_signal *s) { return sgk_signal_timestamped(s, contract_queue); }
static sgk_signal *with_time_interval(sgk_signal *s) { return sgk_signal_time_interval(s, contract_queue); }
static sgk_signal *with_take_for(sgk_signal *s) { return sgk_signal_take_for(s, 1e6, contract_queue); }
static sgk_signal *with_sample_on(sgk_signal *s) {
    SGK_AUTO(sgk_signal) silent = sgk_signal_never();
    return sgk_signal_sample_on(s, silent);
}
static sgk_signal *with_sample(sgk_signal *s) { return sgk_signal_sample(s, 1e6, contract_queue); }
static void *itself(void *context) { return context; }
static sgk_signal *used(void *context, void *resource) {
    (void)context;
    return sgk_signal_retain(resource);
}
static sgk_signal *with_using(sgk_signal *s) {
    return sgk_signal_using(itself, used, do_nothing, sgk_signal_retain(s), release_signal);
}

static const row rows[] = {
    {"map", with_map, PLAIN | FREE},
    {"filter", with_filter, PLAIN | FREE},
    {"map_error", with_map_error, PLAIN},
    {"ignore_values", sgk_signal_ignore_values, SILENT},
    {"serialized", sgk_signal_serialized, 0},
    {"reduce", with_reduce, LATE},
    {"to_events", sgk_signal_to_events, MORE | RECOVERS},
    {"to_events, from_events", with_events, 0},
    {"take_last", with_take_last, LATE},
    {"before_next", with_before_next, PLAIN | FREE},
    {"after_next", with_after_next, PLAIN},
    {"before_started", with_before_started, PLAIN},
    {"before_error", with_before_error, PLAIN},
    {"before_completed", with_before_completed, PLAIN},
    {"after_completed", with_after_completed, PLAIN},
    {"after_disposed", with_after_disposed, PLAIN},
    {"named", with_named, PLAIN},
    {"trace", with_trace, PLAIN},
    {"distinct_until_changed", sgk_signal_distinct_until_changed, 0},
    {"distinct_until_changed_by", with_distinct_by, 0},
    {"take", with_take, 0},
    {"combine_latest", with_combine, 0},
    {"combine_latest_map", with_combine_map, 0},
    {"merge", with_merge, 0},
    {"switch_to_latest", with_switch_to_latest, LOSSY},
    {"concat_all", with_concat_all, 0},
    {"concat_latest", with_concat_latest, LOSSY},
    {"switch_map", with_switch_map, LOSSY},
    {"concat_map", with_concat_map, 0},
    {"concat_map_latest", with_concat_map_latest, LOSSY},
    {"reduce_generator", with_reduce_generator, MORE},
    {"take_until_replacement", with_take_until_replacement, 0},
    {"deferred", with_deferred, PLAIN | FREE},
    {"concat_with", with_concat_with, FREE},
    {"then, behind", with_then_behind, FREE},
    {"catch", with_catch, 0},
    {"repeat, unbounded", with_repeat_unbounded, ENDLESS},
    {"retry", with_retry, RECOVERS},
    {"retry, one attempt", with_one_attempt, 0},
    {"retry, decisions", with_decisions, 0},
    {"throttle", with_throttle, ELSEWHERE | LOSSY},
    {"debounce", with_debounce, ELSEWHERE | LOSSY},
    {"run_on", with_run_on, STARTS_LATER | PLAIN},
    {"delay_start", with_delay_start, STARTS_LATER | PLAIN},
    {"suspend_aware_delay", with_suspend_aware_delay, STARTS_LATER | PLAIN},
    {"timeout_first", with_timeout_first, 0},
    {"share", with_share, 0},
    {"multicast by key", with_multicast_get, 0},
    {"enqueue", with_enqueue, 0},
    {"deliver_on", with_deliver_on, ELSEWHERE},
    {"map_typed", with_map_typed, PLAIN | FREE},
    {"filter_typed", with_filter_typed, PLAIN | FREE},
    {"map_error_typed", with_map_error_typed, PLAIN},
    {"before_next_typed", with_before_next_typed, PLAIN | FREE},
    {"after_next_typed", with_after_next_typed, PLAIN},
    {"distinct_until_changed_by_typed", with_distinct_until_changed_by_typed, 0},
    {"reduce_typed", with_reduce_typed, LATE},
    {"switch_map_typed", with_switch_map_typed, LOSSY},
    {"concat_map_typed", with_concat_map_typed, 0},
    {"catch_typed", with_catch_typed, 0},
    {"combine_latest_typed", with_combine_typed, 0},
    {"to_array", with_to_array, LATE},
    {"distinct", with_distinct, 0},
    {"distinct_by", with_distinct_key, 0},
    {"start_with, pairwise", with_pairwise, 0},
    {"enumerated", sgk_signal_enumerated, 0},
    {"take_while", with_take_while, 0},
    {"take_while_typed", with_take_while_typed, 0},
    {"skip_while", with_skip_while, 0},
    {"skip_while_typed", with_skip_while_typed, 0},
    {"start_with, skip", with_skip, 0},
    {"end_with", with_end_with, MORE | FREE},
    {"concat", with_concat, FREE},
    {"default_if_empty", with_default_if_empty, 0},
    {"switch_if_empty, behind", with_switch_if_empty_behind, 0},
    {"catch_and_return", with_catch_and_return, RECOVERS},
    {"catch_with", with_catch_with, RECOVERS},
    {"repeat", with_repeat, 0},
    {"repeat, endless", with_repeat_again, ENDLESS},
    {"scan", with_scan, 0},
    {"scan_typed", with_scan_typed, 0},
    {"chunked", with_chunked, 0},
    {"chunked_within", with_chunked_within, ELSEWHERE},
    {"chunked_by", with_chunked_by, 0},
    {"windowed", with_windowed, 0},
    {"delay", with_delay, ELSEWHERE | LOSSY},
    {"rate_limit", with_rate_limit, 0},
    {"timeout", with_timeout, 0},
    {"timestamped", with_timestamped, PLAIN},
    {"time_interval", with_time_interval, 0},
    {"take_for", with_take_for, 0},
    {"sample_on", with_sample_on, LATE},
    {"sample", with_sample, LATE},
    {"using", with_using, PLAIN | FREE},
    {"merge_all", with_merge_all, 0},
    {"merge_map", with_merge_map, 0},
    {"merge_all_ordered", with_merge_all_ordered, 0},
    {"map_ordered", with_map_ordered, 0},
    {"merge_map_typed", with_merge_map_typed, 0},
    {"exhaust_map", with_exhaust_map, LOSSY},
    {"exhaust_map_typed", with_exhaust_map_typed, LOSSY},
    {"switch_map_per", with_switch_map_per, 0},
    {"group_by", with_group_by, 0},
    {"zip", with_zip, 0},
    {"zip_map", with_zip_map, 0},
    {"zip_typed", with_zip_typed, 0},
    {"race", with_race, 0},
    {"with_latest_from", with_latest_from, 0},
    {"with_latest_from_map", with_latest_from_map, 0},
    {"with_latest_from_typed", with_latest_from_typed, 0},
    {"skip_until", with_skip_until, 0},
    {"paused_by", with_paused_by, 0},
    {"take_until", with_take_until, 0},
    {"before_error_typed", with_before_error_typed, PLAIN},
    {"concat_map_latest_typed", with_concat_map_latest_typed, LOSSY},
    {"reduce_generator_typed", with_reduce_generator_typed, MORE},
    {"distinct_by_typed", with_distinct_key_typed, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void settle(void) { sgk_queue_sync(contract_queue, do_nothing, NULL); }

/* Where the source starts on the queue, it has also returned what disposes of it. */
static void wait_for_start(hand *h) {
    EVENTUALLY(h->starts == 1);
    settle();
}

static void contract_end(const row *o, bool by_error) {
    hand h;
    sgk_signal *source = hand_signal(&h), *result = o->apply(source);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(result, r);
    wait_for_start(&h);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    if (by_error) sgk_subscriber_error(h.subscriber, sgk_int(3));
    else sgk_subscriber_complete(h.subscriber);
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(2)), SGK_ERROR_ENDED);
    sgk_subscriber_complete(h.subscriber);
    EVENTUALLY(r->errors + r->ends == 1);
    assert_int_equal(r->errors, by_error);
    assert_int_equal(h.disposals, 1);
    EVENTUALLY(r->destroyed == 1); /* at the end, although run, signal and subscriber are all still held */
    if (!by_error) assert_int_equal(r->nexts, is(o, SILENT) ? 0 : is(o, MORE) ? 2 : 1);
    sgk_disposable_dispose(run);
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(source);
    recorder_free(r);
}

static void contract_dispose(const row *o) {
    hand h;
    sgk_signal *source = hand_signal(&h), *result = o->apply(source);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(result, r);
    wait_for_start(&h);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    if (!is(o, ELSEWHERE)) assert_int_equal(r->nexts, is(o, LATE | SILENT) ? 0 : 1);
    sgk_disposable_dispose(run);
    assert_int_equal(h.disposals, 1);
    int so_far = r->nexts;
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(2)), SGK_ERROR_ENDED);
    sgk_subscriber_complete(h.subscriber);
    settle();
    if (!is(o, ELSEWHERE)) assert_int_equal(r->nexts, so_far);
    assert_int_equal(r->errors + r->ends, 0);
    EVENTUALLY(r->destroyed == 1);
    hand_free(&h);
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(source);
    recorder_free(r);
}

static void contract_dispose_inside(const row *o) {
    sgk_signal *source = count_to(40), *result = o->apply(source);
    recorder *r = recorder_new();
    r->dispose_at = 1;
    int64_t before = generator_rounds();
    sgk_disposable *run = record_run(result, r);
    settle();
    EVENTUALLY(r->destroyed == 1);
    settle(); /* the source may still be in its loop there */
    assert_int_equal(r->nexts, 1);
    assert_int_equal(r->ends, 0);
    /* the source is stopped in its loop */
    if (!is(o, ELSEWHERE | STARTS_LATER | LATE)) assert_int_equal(generator_rounds() - before, 1);
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(source);
    recorder_free(r);
}

/* Inside of the last value: the stages below do not see the end either. */
static void contract_dispose_before_the_end(const row *o) {
    hand h;
    counted ends = {0};
    sgk_signal *source = hand_signal(&h), *applied = o->apply(source),
               *result = sgk_signal_before_completed(applied, counted_work, &ends, NULL);
    recorder *r = recorder_new();
    r->dispose_at = is(o, MORE) ? 2 : 1;
    sgk_disposable *run = record_run(result, r);
    wait_for_start(&h);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    sgk_subscriber_complete(h.subscriber);
    EVENTUALLY(r->destroyed == 1);
    settle();
    assert_int_equal(r->nexts, r->dispose_at);
    assert_int_equal(r->errors + r->ends + ends.calls, 0);
    EVENTUALLY(h.disposals == 1);
    hand_free(&h);
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(applied);
    sgk_signal_release(source);
    recorder_free(r);
}

static void contract_take_behind(const row *o) {
    sgk_signal *source = is(o, ELSEWHERE | LATE) ? count_to(40) : count_to(INT64_MAX), *result = o->apply(source),
               *one = sgk_signal_take(result, 1);
    recorder *r = recorder_new();
    sgk_disposable *run = record_run(one, r);
    EVENTUALLY(r->ends == 1);
    assert_int_equal(r->nexts, 1);
    sgk_disposable_release(run);
    sgk_signal_release(one);
    sgk_signal_release(result);
    sgk_signal_release(source);
    recorder_free(r);
}

typedef struct two_emitters {
    sgk_subscriber *subscriber;
} two_emitters;

enum { EACH = 500 };

static void emit_many(void *context, int index) {
    two_emitters *e = context;
    for (int i = 0; i < EACH; i++) sgk_subscriber_next(e->subscriber, sgk_int(index * EACH + i));
    sgk_subscriber_complete(e->subscriber);
}

static void contract_two_threads(const row *o) {
    hand h;
    sgk_signal *source = hand_signal(&h), *result = o->apply(source);
    recorder *r = recorder_new();
    r->yields = true;
    sgk_disposable *run = record_run(result, r);
    wait_for_start(&h);
    two_emitters e = {h.subscriber};
    in_parallel(2, emit_many, &e);
    EVENTUALLY(r->ends == 1);
    if (!is(o, LOSSY | LATE | SILENT)) assert_true(r->nexts >= EACH); /* all values of the first source */
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
    sgk_disposable_release(run);
    sgk_signal_release(result);
    sgk_signal_release(source);
    if (is(o, PLAIN)) r->late = false;
    else assert_false(r->overlapped);
    recorder_free(r);
}

static void dispose_run(void *context, int index) {
    void **both = context;
    if (index) sgk_disposable_dispose(both[0]);
    else emit_many(&(two_emitters){both[1]}, 0);
}

static void contract_dispose_elsewhere(const row *o) {
    for (int round = 0; round < repeated(20); round++) {
        hand h;
        sgk_signal *source = hand_signal(&h), *result = o->apply(source);
        recorder *r = recorder_new();
        sgk_disposable *run = record_run(result, r);
        wait_for_start(&h);
        void *both[] = {run, h.subscriber};
        in_parallel(2, dispose_run, both);
        assert_int_equal(h.disposals, 1);
        hand_free(&h);
        sgk_disposable_release(run);
        sgk_signal_release(result);
        sgk_signal_release(source);
        recorder_free(r);
    }
}

static void no_log(void *context, const char *message) {
    (void)context;
    (void)message;
}

static void every_operator_keeps_the_contract(void **state) {
    (void)state;
    contract_queue = sgk_queue_create("contract");
    contract_sequencer = sgk_sequencer_create();
    sgk_set_log_handler(no_log, NULL, NULL); /* for trace */
    for (int i = 0; i < ROWS; i++) {
        print_message("  %s\n", rows[i].name);
        const row *o = &rows[i];
        if (!is(o, ENDLESS)) contract_end(o, false);
        if (!is(o, RECOVERS)) contract_end(o, true);
        contract_dispose(o);
        if (!is(o, SILENT)) contract_dispose_inside(o);
        if (!is(o, SILENT)) contract_dispose_before_the_end(o);
        if (!is(o, SILENT)) contract_take_behind(o);
        if (!is(o, ENDLESS)) contract_two_threads(o);
        if (!is(o, ENDLESS)) contract_dispose_elsewhere(o);
    }
    sgk_set_log_handler(NULL, NULL, NULL);
    sgk_sequencer_release(contract_sequencer);
    sgk_queue_release(contract_queue);
}

/* The longest chain of an operator: composed, run to its end, disposed and released. */
static void longest_chain(void *context) {
    const row *o = context;
    hand h;
    sgk_signal *source = hand_signal(&h), *chain = sgk_signal_retain(source), *longer;
    int levels = 0;
    while (levels < 700 && (longer = o->apply(chain))) {
        sgk_signal_release(chain);
        chain = longer;
        levels++;
    }
    assert_int_equal(levels == 700, is(o, FREE));
    if (levels < 700) {
        assert_int_equal(sgk_last_status(), SGK_ERROR_ARGUMENT);
        assert_non_null(strstr(sgk_last_error(), ": already has the maximum of 500 stages"));
        assert_true(levels <= 500);
        sgk_clear_error();
    }
    for (int run = 0; run < 2; run++) {
        recorder *r = recorder_new();
        sgk_disposable *handle = record_run(chain, r);
        if (!is(o, STARTS_LATER) && h.subscriber) {
            sgk_subscriber_next(h.subscriber, sgk_int(0));
            if (run == 0) sgk_subscriber_complete(h.subscriber);
        }
        settle();
        sgk_disposable_dispose(handle);
        sgk_disposable_release(handle);
        settle();
        recorder_free(r);
        hand_free(&h);
    }
    sgk_signal_release(source);
    sgk_signal_release(chain);
}

static void half_a_mebibyte_of_stack_is_enough_for_every_operator(void **state) {
    (void)state;
#if __has_feature(thread_sanitizer)
    skip(); /* it keeps each call stack that memory was taken on: gibibytes here, where no two threads meet */
#endif
    contract_queue = sgk_queue_create("depth");
    contract_sequencer = sgk_sequencer_create();
    sgk_set_log_handler(no_log, NULL, NULL);
    for (int i = 0; i < ROWS; i++) {
        print_message("  %s\n", rows[i].name);
        /* the ordinary runtime needs more */
        on_stack_of((getenv("SUITE_HOSTED") ? 2048 : 512) * 1024, longest_chain, (void *)&rows[i]);
    }
    sgk_set_log_handler(NULL, NULL, NULL);
    sgk_sequencer_release(contract_sequencer);
    sgk_queue_release(contract_queue);
}

int run_operators(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_operator_keeps_the_contract), TEST(half_a_mebibyte_of_stack_is_enough_for_every_operator)};
    return cmocka_run_group_tests_name("operators", tests, NULL, NULL);
}
