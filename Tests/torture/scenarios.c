/* What is made again and again: of each part of the interface something, whose outcome is known. Each context must be
 * destroyed once, and called by nobody then; each run keeps the grammar. */
#include "torture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

/* ---- Runs ---- */

typedef struct seen {
    struct seen *next; /* of all */
    int line;      /* that it was made in */
    bool is_given; /* to the library, which has to give it back */
    atomic_int values, error, ends, gone;
    atomic_llong sum;
} seen;

static _Atomic(seen *) all_seen;
static atomic_bool was_refused; /* in a callback */

static seen *new_seen_at(int line) {
    seen *made = calloc(1, sizeof *made);
    made->line = line;
    made->next = all_seen;
    while (!atomic_compare_exchange_weak(&all_seen, &made->next, made)) {}
    return made;
}

#define new_seen() new_seen_at(__LINE__)

static seen *given(seen *seen) {
    seen->is_given = true;
    return seen;
}

static void forget_seen(void *seen_by) { MUST(((seen *)seen_by)->gone++ == 0); }

static void nothing(void *context) { (void)context; }

/* What waits since threads were refused goes on with the next work. */
static bool has_threads(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    SGK_AUTO(sgk_disposable) later = queue ? sgk_queue_after(queue, 0.0001, nothing, NULL, NULL) : NULL;
    return later && sgk_queue_dispatch(queue, nothing, NULL, NULL) == SGK_OK;
}

/* Whether there are none however often they are asked for. */
static bool refused_again(void) {
    static int refused;
    refused = has_threads() ? 0 : refused + 1;
    (void)sgk_main_drain();
    nanosleep(&(struct timespec){0, 100000}, NULL);
    return refused > 20;
}

/* Waits, but not for what nobody brings as the system gives no thread. */
#define UNTIL(condition) while (!(condition)) if (refused_again()) return false

static bool is_given_back(void) {
    for (seen *one = all_seen; one; one = one->next)
        if (one->is_given && !one->gone) return false;
    return sgk_live_total() == 0;
}

void nothing_is_left(void) {
    (void)sgk_drain(0.01);
    for (int i = 0; i < 5000 && !is_given_back(); i++) (void)refused_again(), (void)sgk_drain(0.01);
    for (seen *one = all_seen; one; one = one->next) {
        if (one->gone != one->is_given) fprintf(stderr, "of line %d, given back %d times\n", one->line, one->gone);
        MUST(one->gone == one->is_given);
    }
    MUST(sgk_live_total() == 0);
    for (seen *one; (one = all_seen) != NULL; free(one)) all_seen = one->next;
    sgk_clear_error();
    was_refused = false;
}

/* What was refused says why. */
static bool refused_at(int line) {
    sgk_status status = sgk_last_status();
    if (status != SGK_ERROR_MEMORY && status != SGK_ERROR_SYSTEM)
        fprintf(stderr, "line %d is refused, and nothing says why\n", line);
    MUST(status == SGK_ERROR_MEMORY || status == SGK_ERROR_SYSTEM);
    return false;
}
#define refused() refused_at(__LINE__)

/* Declares what is let go at the end, and ends the scenario if it was refused. */
#define MADE(type, name, expression)          \
    SGK_AUTO(type) name = (expression);       \
    if (!name) return refused()
#define RUN(name, expression)                                                                \
    __attribute__((cleanup(dispose_at))) sgk_disposable *name = (expression);                \
    if (!name) return refused()
#define STAGE(name, expression)               \
    sgk_signal_replace(&name, (expression));  \
    if (!name) return refused()
#define HELD(name, expression)                                                               \
    __attribute__((cleanup(release_at))) sgk_value name = (expression);                      \
    if (sgk_value_kind(name) == SGK_NULL) return refused()
#define DONE(expression)                                          \
    do {                                                          \
        if ((expression) != SGK_OK) return refused();             \
    } while (0)
static void dispose_at(sgk_disposable **run) {
    if (*run) MUST(sgk_disposable_dispose(*run) == SGK_OK);
    sgk_disposable_release(*run);
}
static void release_at(sgk_value *value) { sgk_value_release(*value); }

/* Numbers count as what they are, texts as their length, arrays as their items together. */
static int64_t weight(sgk_value value) {
    size_t count = 0;
    int64_t sum = 0;
    if (sgk_value_kind(value) == SGK_INT) return sgk_to_int(value);
    if (sgk_value_kind(value) == SGK_STRING || sgk_value_kind(value) == SGK_BYTES)
        return sgk_value_data(value, &count), (int64_t)count;
    if (sgk_value_kind(value) != SGK_ARRAY) return 0;
    const sgk_value *items = sgk_array_items(value, &count);
    for (size_t i = 0; i < count; i++) sum += weight(items[i]);
    return sum;
}

static void see_next(void *context, sgk_value value) {
    seen *seen = context;
    MUST(!seen->ends && !seen->gone);
    seen->values++;
    seen->sum += weight(value);
}

static void see_end(void *context) {
    seen *seen = context;
    MUST(seen->ends++ == 0 && !seen->gone);
}

static void see_error(void *context, sgk_value error) {
    size_t count = 0;
    const sgk_value *items = sgk_value_kind(error) == SGK_ARRAY ? sgk_array_items(error, &count) : &error;
    ((seen *)context)->error = (int)sgk_to_int(items[0]);
    see_end(context);
}

static void count_call(void *context) { ((seen *)context)->values++; }

static sgk_handlers all_of(seen *seen) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = given(seen);
    handlers.destroy = forget_seen;
    handlers.next = see_next;
    handlers.error = see_error;
    handlers.completed = see_end;
    return handlers;
}

static sgk_disposable *start(sgk_signal *signal, seen *seen) {
    sgk_handlers handlers = all_of(seen);
    return sgk_signal_start(signal, &handlers);
}

/* So many values, which weigh that much together; and whether the end has come. */
static bool came(seen *seen, int values, int64_t sum, bool end) {
    if (was_refused) return false;
    MUST(seen->values == values);
    MUST(seen->sum == sum);
    MUST(seen->ends == end);
    return true;
}

/* ---- Callbacks ---- */

static sgk_value plus_one(void *context, sgk_value value) { return (void)context, sgk_int(weight(value) + 1); }
static sgk_value sum(void *context, sgk_value a, sgk_value b) { return (void)context, sgk_int(weight(a) + weight(b)); }
static bool is_odd(void *context, sgk_value value) { return (void)context, weight(value) % 2 != 0; }
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

static bool values(void) {
    static int retained;
    static const sgk_object_table table = {sizeof table, NULL, NULL, NULL, NULL, describe_object};
    char text[100];
    HELD(string, sgk_string("a text of some length"));
    HELD(bytes, sgk_bytes("\0\1\2", 3));
    HELD(object, sgk_object_value(&retained, &table));
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

static bool chain(void) {
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

static bool replays(void) {
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

static bool joins(void) {
    MADE(sgk_pipe, left, sgk_pipe_create());
    MADE(sgk_pipe, right, sgk_pipe_create());
    MADE(sgk_signal, a, sgk_pipe_signal(left));
    MADE(sgk_signal, b, sgk_pipe_signal(right));
    sgk_signal *const both[] = {a, b};
    MADE(sgk_signal, latest, sgk_combine_latest(both, 2, NULL));
    MADE(sgk_signal, zipped, sgk_zip(both, 2, SGK_UNBOUNDED, SGK_OVERFLOW_DROP_OLDEST, sgk_null(), NULL));
    MADE(sgk_signal, merged, sgk_merge_signals(both, 2));
    MADE(sgk_signal, with, sgk_signal_with_latest_from(a, b));
    MADE(sgk_signal, race, sgk_race(both, 2));
    sgk_signal *const all[] = {latest, zipped, merged, with, race};
    MADE(sgk_signal, together, sgk_merge_signals(all, 5));
    seen *seen = new_seen();
    RUN(run, start(together, seen));
    for (int i = 0; i < 4; i++) DONE(sgk_pipe_next(left, sgk_int(1)));  /* merged, race: 8 */
    for (int i = 0; i < 4; i++) DONE(sgk_pipe_next(right, sgk_int(1))); /* latest, zipped: 8, of 2; merged: 4 */
    DONE(sgk_pipe_next(left, sgk_int(1)));                              /* latest, with: 2, of 2; merged, race: 2 */
    DONE(sgk_pipe_complete(left));
    DONE(sgk_pipe_complete(right));
    return came(seen, 24, 34, true);
}

static bool inner(void) {
    MADE(sgk_signal, numbers, sgk_signal_range(1, 3));
    MADE(sgk_signal, switched, sgk_signal_map_to_signal(numbers, two_of, NULL, NULL));
    MADE(sgk_signal, queued, sgk_signal_map_to_queue(numbers, two_of, given(new_seen()), forget_seen));
    MADE(sgk_signal, merged, sgk_signal_map_to_merged(
        numbers, 2, SGK_UNBOUNDED, SGK_OVERFLOW_DROP_OLDEST, sgk_null(), NULL, two_of, NULL, NULL));
    MADE(sgk_signal, per_key, sgk_signal_map_to_signal_per(
        numbers, SGK_UNBOUNDED, SGK_OVERFLOW_DROP_OLDEST, sgk_null(), NULL, modulo, two_of, NULL, NULL));
    MADE(sgk_signal, grouped, sgk_signal_grouped_by(
        numbers, SGK_UNBOUNDED, SGK_OVERFLOW_DROP_OLDEST, sgk_null(), NULL, modulo, same_signal, NULL, NULL));
    sgk_signal *const all[] = {switched, queued, merged, per_key, grouped};
    MADE(sgk_signal, row, sgk_concat(all, 5));
    seen *seen = new_seen();
    RUN(run, start(row, seen));
    return came(seen, 4 * 6 + 3, 4 * 36 + 9, true);
}

static sgk_signal *again(void *context, sgk_value error) {
    return (void)context, (void)error, sgk_signal_single(sgk_int(5));
}
static sgk_signal *deferred(void *context) { return (void)context, sgk_signal_range(1, 2); }

static bool in_a_row(void) {
    MADE(sgk_signal, failing, sgk_signal_fail(sgk_int(EIO)));
    MADE(sgk_signal, caught, sgk_signal_catch(failing, again, NULL, NULL));
    MADE(sgk_signal, later, sgk_signal_deferred(deferred, NULL, NULL));
    MADE(sgk_signal, repeated, sgk_signal_repeat(later, 3));
    MADE(sgk_signal, both, sgk_signal_then(caught, repeated));
    STAGE(both, sgk_signal_start_with(both, sgk_int(1)));
    STAGE(both, sgk_signal_pairwise(both));
    MADE(sgk_signal, list, sgk_signal_to_array(both, SGK_UNBOUNDED, SGK_OVERFLOW_DROP_OLDEST, sgk_null(), NULL));
    seen *seen = new_seen(), *error = new_seen();
    RUN(run, start(list, seen)); /* 1 5 1 2 1 2 1 2, each twice but the ends */
    RUN(other, start(failing, error));
    MUST(error->error == EIO && error->ends == 1);
    if (seen->values == 1 && seen->sum < 27) return false; /* `again` or `deferred` was refused */
    return came(seen, 1, 27, true);
}

static bool virtual_time(void) {
    MADE(sgk_queue, clock, sgk_queue_create_virtual(NULL));
    MADE(sgk_signal, ticks, sgk_signal_interval(1, clock));
    STAGE(ticks, sgk_signal_take(ticks, 6));
    STAGE(ticks, sgk_signal_map(ticks, plus_one, NULL, NULL));
    MADE(sgk_signal, delayed, sgk_signal_delay_each(ticks, 2, clock, 8, SGK_OVERFLOW_DROP_OLDEST, sgk_null(), NULL));
    MADE(sgk_signal, debounced, sgk_signal_debounce(ticks, 0.5, clock));
    MADE(sgk_signal, chunked, sgk_signal_chunked_within(ticks, 2, 10, clock));
    MADE(sgk_signal, delivered, sgk_signal_deliver_on(ticks, clock));
    MADE(sgk_signal, late, sgk_signal_delay(ticks, 3, clock));
    MADE(sgk_signal, watched, sgk_signal_timeout_between(ticks, 5, ticks, clock));
    sgk_signal *const all[] = {delayed, debounced, chunked, delivered, late, watched};
    MADE(sgk_signal, together, sgk_merge_signals(all, 6));
    seen *seen = new_seen(), *after = new_seen();
    RUN(run, start(together, seen));
    MADE(sgk_disposable, later, sgk_queue_after(clock, 1.5, count_call, given(after), forget_seen));
    DONE(sgk_queue_advance(clock, 100));
    MUST(after->values == 1);
    return came(seen, 5 * 6 + 3, 6 * 21, true);
}

/* ---- Disposables, promises, links, sharing ---- */

static bool disposables(void) {
    seen *seen[40];
    MADE(sgk_disposable, set, sgk_disposable_set_create());
    MADE(sgk_disposable, dict, sgk_disposable_dict_create());
    MADE(sgk_disposable, meta, sgk_meta_disposable_create());
    for (int i = 0; i < 40; i++) {
        seen[i] = new_seen();
        MADE(sgk_disposable, member, sgk_action_disposable_create(count_call, given(seen[i]), forget_seen));
        DONE(i % 4 == 0 ? sgk_disposable_dict_set(dict, sgk_int(i), member) :
            i % 4 == 1 ? sgk_meta_disposable_set(meta, member) : sgk_disposable_set_add(set, member));
        if (i % 8 == 2) DONE(sgk_disposable_set_remove(set, member));
    }
    DONE(sgk_disposable_set_add(set, dict));
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

static sgk_signal *five(void *context) { return (void)context, sgk_signal_single(sgk_int(5)); }

static bool promises(void) {
    MADE(sgk_promise, promise, sgk_promise_create());
    MADE(sgk_value_promise, value, sgk_value_promise_create_value(sgk_int(1), true));
    MADE(sgk_signal, of_promise, sgk_promise_get(promise));
    MADE(sgk_signal, of_value, sgk_value_promise_get(value));
    MADE(sgk_multicast, multicast, sgk_multicast_create());
    MADE(sgk_signal, cast, sgk_multicast_get(multicast, "a key of some length", of_promise));
    MADE(sgk_multicast_signal_manager, manager, sgk_multicast_signal_manager_create());
    MADE(sgk_signal, piped, sgk_multicast_signal_manager_multicasted_pipe(manager, "a pipe"));
    MADE(sgk_signal, managed, sgk_multicast_signal_manager_multicasted_signal(manager, "five", five, NULL));
    MADE(sgk_sequencer, sequencer, sgk_sequencer_create());
    MADE(sgk_signal, sequenced, sgk_sequencer_enqueue(sequencer, managed));
    sgk_signal *const all[] = {of_promise, of_value, cast, piped, sequenced};
    MADE(sgk_signal, together, sgk_merge_signals(all, 5));
    seen *seen = new_seen(), *end = new_seen();
    DONE(sgk_promise_on_deinit(promise, count_call, given(end), forget_seen));
    RUN(run, start(together, seen)); /* 1 of the value, 5 of the manager */
    MADE(sgk_signal, three, sgk_signal_single(sgk_int(3)));
    DONE(sgk_promise_set(promise, three)); /* twice */
    DONE(sgk_value_promise_modify(value, add_one, NULL));
    DONE(sgk_value_promise_set(value, sgk_int(2))); /* the same */
    DONE(sgk_multicast_signal_manager_next(manager, "a pipe", sgk_int(4)));
    if (seen->sum == 13) return false; /* `five` was refused */
    return came(seen, 6, 18, false);
}

static bool links(void) {
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

static bool generators(void) {
    MADE(sgk_signal, signal, sgk_signal_create(generate, given(new_seen()), forget_seen));
    seen *seen = new_seen(), *waited = new_seen();
    RUN(run, start(signal, seen));
    sgk_handlers handlers = all_of(waited);
    RUN(waitable, sgk_signal_start_waitable(signal, &handlers));
    DONE(sgk_disposable_dispose_and_wait(waitable));
    MUST(waited->gone == 1 || was_refused);
    return came(seen, 3, 6, false) && came(waited, 3, 6, false);
}

/* ---- Readers, typed functions, sight ---- */

static bool reads(void) {
    sgk_value value = sgk_null();
    MADE(sgk_signal, numbers, sgk_signal_range(1, 4));
    MADE(sgk_reader, reader, sgk_reader_create(numbers, 10, SGK_OVERFLOW_DROP_OLDEST, sgk_null(), NULL));
    int fd = sgk_reader_fd(reader);
    if (fd < 0) return refused();
    for (int i = 1; i <= 4; i++) {
        DONE(sgk_reader_next(reader, 0, &value));
        MUST(sgk_to_int(value) == i);
    }
    MUST(sgk_reader_next(reader, 0, &value) == SGK_ERROR_COMPLETED);
    seen *seen = new_seen();
    DONE(sgk_reader_when_ready(reader, count_call, given(seen), forget_seen));
    MUST(seen->values == 1);
    DONE(sgk_signal_get(numbers, 1, &value));
    MUST(sgk_to_int(value) == 1);
    DONE(sgk_signal_collect(numbers, 10, 1, &value));
    MUST(weight(value) == 10);
    sgk_value_release(value);
    return true;
}

static int64_t twice(int64_t number) { return 2 * number; }
static bool is_even(double number) { return (int64_t)number % 2 == 0; }

static bool typed(void) {
    MADE(sgk_signature, of_twice, sgk_signature_create("(i64) -> i64"));
    MADE(sgk_signature, of_even, sgk_signature_create("(f64) -> bool via libffi"));
    MADE(sgk_signal, numbers, sgk_signal_range(1, 4));
    MADE(sgk_signal, doubled, sgk_signal_map_typed(numbers, SGK_FUNCTION(twice), of_twice, NULL, NULL));
    STAGE(doubled, sgk_signal_filter_typed(doubled, SGK_FUNCTION(is_even), of_even, given(new_seen()), forget_seen));
    seen *seen = new_seen(), *called = new_seen(), *handled = new_seen();
    RUN(run, start(doubled, seen));
    MADE(sgk_signature, of_native, sgk_signature_create("(i64, i64) -> void"));
    MADE(sgk_signature, of_other, sgk_signature_create("(i64, i64) -> void via libffi"));
    MADE(sgk_callback, native, sgk_callback_create(of_native, sgk_null(), NULL, given(handled), forget_seen));
    MADE(sgk_callback, other, sgk_callback_create(of_other, sgk_null(), NULL, NULL, NULL));
    MADE(sgk_signal, calls, sgk_callback_signal(native));
    MADE(sgk_signal, more, sgk_callback_signal(other));
    STAGE(calls, sgk_merge_signals((sgk_signal *[]){calls, more}, 2));
    RUN(listening, start(calls, called));
    ((void (*)(int64_t, int64_t))sgk_callback_function(native))(3, 4);
    ((void (*)(int64_t, int64_t))sgk_callback_function(other))(5, 6);
    return came(seen, 4, 20, true) && came(called, 2, 18, false);
}

static void add_length(void *context, const char *text, size_t length) {
    (void)text;
    *(size_t *)context += length;
}

static void count_event(void *context, const sgk_trace_event *event) {
    (void)event;
    count_call(context);
}

static bool sight(void) {
    size_t length = 0;
    MADE(sgk_pipe, pipe, sgk_pipe_create());
    MADE(sgk_signal, signal, sgk_pipe_signal(pipe));
    STAGE(signal, sgk_signal_map(signal, plus_one, NULL, NULL));
    STAGE(signal, sgk_signal_named_at(signal, "a name", SGK_HERE));
    STAGE(signal, sgk_merge_signals((sgk_signal *[]){signal, signal}, 2));
    HELD(text, sgk_signal_describe(signal));
    HELD(dot, sgk_signal_to_dot(signal));
    HELD(json, sgk_signal_to_json(signal));
    MUST(weight(text) > 20 && weight(dot) > 100 && weight(json) > 100);
    sgk_debug_watch(true);
    seen *events = new_seen(), *seen = new_seen();
    sgk_set_trace_handler(count_event, given(events), forget_seen);
    sgk_disposable *run = start(signal, seen);
    bool is_fine = run && sgk_pipe_next(pipe, sgk_int(1)) == SGK_OK &&
        sgk_debug_graph(SGK_DEBUG_JSON, add_length, &length) == SGK_OK && sgk_debug_dump(add_length, &length) == SGK_OK;
    if (is_fine) MUST(length > 200 && events->values > 3);
    if (run) sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_set_trace_handler(NULL, NULL, NULL);
    sgk_debug_watch(false);
    return is_fine ? came(seen, 2, 4, false) : refused();
}

/* ---- Queues ---- */

static void *emit(void *pipe) {
    for (int i = 0; i < 20; i++) (void)sgk_pipe_next(pipe, sgk_int(1));
    return NULL;
}

/* The program's own threads emit into a chain that delivers on one of the library's. */
static bool threads(void) {
    MADE(sgk_pipe, pipe, sgk_pipe_create());
    MADE(sgk_queue, queue, sgk_queue_create("a queue"));
    MADE(sgk_signal, signal, sgk_pipe_signal(pipe));
    STAGE(signal, sgk_signal_deliver_on(signal, queue));
    STAGE(signal, sgk_signal_map(signal, plus_one, NULL, NULL));
    seen *seen = new_seen();
    RUN(run, start(signal, seen));
    pthread_t emitting[3];
    for (int i = 0; i < 3; i++) MUST(pthread_create(&emitting[i], NULL, emit, pipe) == 0);
    for (int i = 0; i < 3; i++) MUST(pthread_join(emitting[i], NULL) == 0);
    DONE(sgk_pipe_complete(pipe));
    UNTIL(seen->ends);
    return came(seen, 60, 120, true);
}

static void add_one_more(void *context) {
    seen *seen = context;
    seen->sum += 1;
}

static void *make_object(void *context) { return context; }
static void use_object(void *context, void *object) { (void)object, count_call(context); }

static bool queues(void) {
    MADE(sgk_queue, serial, sgk_queue_create("a queue"));
    MADE(sgk_queue, concurrent, sgk_queue_concurrent_default());
    MADE(sgk_queue, background, sgk_queue_concurrent_background());
    MADE(sgk_queue, main_queue, sgk_queue_main());
    sgk_queue *const all[] = {serial, concurrent, background, main_queue};
    seen *seen[4];
    for (int i = 0; i < 4; i++) {
        seen[i] = new_seen();
        DONE(sgk_queue_dispatch(all[i], count_call, given(seen[i]), forget_seen));
        for (int j = 0; j < 5; j++) DONE(sgk_queue_async(all[i], nothing, NULL, NULL));
    }
    DONE(sgk_queue_sync(serial, add_one_more, seen[0]));
    MADE(sgk_queue_local, local, sgk_queue_local_create(make_object, NULL, NULL, NULL, serial));
    DONE(sgk_queue_local_with(local, use_object, given(new_seen()), forget_seen));
    DONE(sgk_drain(60));
    for (int i = 0; i < 4; i++) MUST(seen[i]->values == 1 && seen[i]->gone == 1);
    MUST(seen[0]->sum == 1);
    return true;
}

static bool pools(void) {
    MADE(sgk_thread_pool, pool, sgk_thread_pool_create(2, 0.5));
    MADE(sgk_queue, line, sgk_thread_pool_next_queue(pool));
    MADE(sgk_signal, numbers, sgk_signal_range(1, 10));
    MADE(sgk_signal, delivered, sgk_signal_deliver_on_thread_pool(numbers, pool));
    MADE(sgk_signal, elsewhere, sgk_signal_run_on_thread_pool(delivered, pool));
    seen *seen = new_seen(), *tasks = new_seen(), *lines = new_seen();
    RUN(run, start(elsewhere, seen));
    MADE(sgk_disposable, task, sgk_thread_pool_add_task(pool, count_call, given(tasks), forget_seen));
    DONE(sgk_queue_sync(line, count_call, lines));
    DONE(sgk_drain(60));
    DONE(sgk_thread_pool_shutdown(pool));
    MUST(tasks->values == 1 && lines->values == 1);
    return came(seen, 10, 55, true);
}

static bool clocks(void) {
    MADE(sgk_queue, queue, sgk_queue_create("a queue"));
    seen *fired = new_seen(), *later = new_seen(), *seen = new_seen();
    MADE(sgk_timer, timer, sgk_timer_create(0.0002, true, count_call, given(fired), forget_seen, queue));
    DONE(sgk_timer_start(timer));
    MADE(sgk_disposable, after, sgk_queue_after(queue, 0.0001, count_call, given(later), forget_seen));
    MADE(sgk_signal, one, sgk_signal_single(sgk_int(1)));
    MADE(sgk_signal, delayed, sgk_signal_delay(one, 0.0003, queue));
    RUN(run, start(delayed, seen));
    UNTIL(fired->values >= 2 && later->values >= 1 && seen->ends);
    DONE(sgk_timer_invalidate(timer));
    return came(seen, 1, 1, true);
}

/* ---- A loop of the program's ---- */

typedef struct job { struct job *next; sgk_work_fn work; void *context; sgk_destroy_fn destroy; } job;
static pthread_mutex_t loop_lock = PTHREAD_MUTEX_INITIALIZER;
static job *first_job, **last_job = &first_job;

static sgk_status put_job(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    (void)context;
    job *made = malloc(sizeof *made);
    *made = (job){NULL, work, work_context, destroy};
    pthread_mutex_lock(&loop_lock);
    *last_job = made;
    last_job = &made->next;
    pthread_mutex_unlock(&loop_lock);
    return SGK_OK;
}

static job *take_job(void) {
    pthread_mutex_lock(&loop_lock);
    job *taken = first_job;
    if (taken && !(first_job = taken->next)) last_job = &first_job;
    pthread_mutex_unlock(&loop_lock);
    return taken;
}

static void run_loop(void) {
    for (job *job; (job = take_job()) != NULL; free(job)) {
        job->work(job->context);
        job->destroy(job->context);
    }
}

static bool loop_in(sgk_queue *queue) {
    seen *seen = new_seen(), *work = new_seen();
    MADE(sgk_signal, numbers, sgk_signal_range(1, 10));
    MADE(sgk_signal, delivered, sgk_signal_deliver_on(numbers, queue));
    MADE(sgk_signal, later, sgk_signal_delay(delivered, 0.0001, queue));
    RUN(run, start(later, seen));
    DONE(sgk_queue_dispatch(queue, count_call, given(work), forget_seen));
    UNTIL((run_loop(), seen->ends && work->gone));
    return came(seen, 10, 55, true);
}

static bool loops(void) {
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.dispatch = put_job;
    MADE(sgk_queue, queue, sgk_queue_create_custom(&table, NULL));
    bool is_whole = loop_in(queue);
    while (sgk_drain(0.01), first_job) run_loop();
    return is_whole;
}

/* ---- Descriptors ---- */

static void stop_at_end(void *context) { see_end(context), sgk_main_stop(); }
static void stop_at_error(void *context, sgk_value error) { see_error(context, error), sgk_main_stop(); }

/* Runs the main queue until the signal has ended; true if it has not failed. What it fails with is a number of the
 * system's. */
static bool see_through(sgk_signal *signal, seen *seen) {
    sgk_handlers handlers = all_of(seen);
    handlers.completed = stop_at_end;
    handlers.error = stop_at_error;
    RUN(run, sgk_signal_start(signal, &handlers));
    sgk_status status = has_threads() ? sgk_main_run() : SGK_OK;
    MUST(status == SGK_OK || status == SGK_ERROR_SYSTEM);
    UNTIL(seen->ends);
    MUST(!seen->error || strerror(seen->error));
    return !seen->error;
}

/* Two ends of a pipe, closed at the end. */
typedef struct ends { int reads, writes; } ends;
static void close_ends(ends *ends) {
    close(ends->reads);
    if (ends->writes >= 0) close(ends->writes);
}
static ends new_ends(void) {
    int made[2];
    MUST(pipe2(made, O_CLOEXEC) == 0);
    return (ends){made[0], made[1]};
}
#define ENDS(name) __attribute__((cleanup(close_ends))) ends name = new_ends()

static bool lines(void) {
    ENDS(pipe);
    seen *seen = new_seen();
    MUST(write(pipe.writes, "first\nsecond\nthird", sizeof "first\nsecond\nthird" - 1) > 0 && close(pipe.writes) == 0);
    pipe.writes = -1;
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, all, sgk_signal_lines(pipe.reads, 100, main_queue));
    return see_through(all, seen) && came(seen, 3, 16, true);
}

static bool readiness(void) {
    ENDS(pipe);
    seen *seen = new_seen();
    MUST(write(pipe.writes, "a", 1) == 1);
    MADE(sgk_queue, queue, sgk_queue_create("a queue"));
    MADE(sgk_signal, ready, sgk_signal_fd(pipe.reads, SGK_FD_READ, queue));
    STAGE(ready, sgk_signal_take(ready, 2));
    return see_through(ready, seen) && came(seen, 2, 2, true);
}

/* From one descriptor to another, by a sink, and by bytes. */
static bool sinks(void) {
    ENDS(pipe);
    seen *written = new_seen(), *read_ = new_seen();
    HELD(text, sgk_string("a text of thirty bytes or so.\n"));
    MADE(sgk_queue, queue, sgk_queue_create("a queue"));
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, source, sgk_signal_from_array((sgk_value[]){text, text, text}, 3));
    MADE(sgk_signal, sink, sgk_sink_fd(source, pipe.writes, 40, false, queue));
    MADE(sgk_signal, bytes, sgk_signal_bytes(pipe.reads, 1000, main_queue));
    if (!see_through(sink, written)) return false;
    MUST(written->values == 0);
    STAGE(bytes, sgk_signal_take(bytes, 1));
    return see_through(bytes, read_) && came(read_, 1, 90, true);
}

static bool unix_signals(void) {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    seen *seen = new_seen();
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, signals, sgk_signal_unix_signal(SIGUSR1, main_queue));
    STAGE(signals, sgk_signal_take(signals, 1));
    MUST(kill(getpid(), SIGUSR1) == 0);
    bool is_whole = see_through(signals, seen) && came(seen, 1, SIGUSR1, true);
    (void)sigtimedwait(&blocked, NULL, &(struct timespec){0, 0}); /* nobody has read it */
    return is_whole;
}

static bool children(void) {
    seen *seen = new_seen();
    pid_t child = fork();
    if (child == 0) _exit(3);
    MUST(child > 0);
    sgk_queue *main_queue = sgk_queue_main();
    sgk_signal *end = sgk_signal_child(child, main_queue);
    bool is_whole = end ? see_through(end, seen) && came(seen, 1, 3, true) : main_queue && refused();
    sgk_signal_release(end);
    sgk_queue_release(main_queue);
    pid_t reaped = waitpid(child, NULL, 0);
    MUST(is_whole ? reaped < 0 : true);
    return is_whole;
}

static bool file_changes(void) {
    char folder[] = "/tmp/torture.XXXXXX", file[40];
    MUST(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/new", folder);
    seen *seen = new_seen();
    sgk_queue *main_queue = sgk_queue_main();
    sgk_signal *changes = sgk_signal_file_changes(folder, SGK_FILE_CREATED, main_queue);
    if (changes) sgk_signal_replace(&changes, sgk_signal_take(changes, 1));
    sgk_handlers handlers = all_of(seen);
    sgk_disposable *run = sgk_signal_start(changes, &handlers);
    close(open(file, O_WRONLY | O_CREAT, 0600));
    while (run && !seen->ends && !refused_again()) continue;
    bool is_whole = run && seen->ends && !seen->error ? came(seen, 1, SGK_FILE_CREATED + 3, true) : false;
    if (!run && changes) (void)refused();
    sgk_disposable_release(run);
    sgk_signal_release(changes);
    sgk_queue_release(main_queue);
    MUST(unlink(file) == 0 && rmdir(folder) == 0);
    return is_whole;
}

/* ---- The inspector ---- */

/* How many lines of answers come. */
static int ask(const char *path, const char *requests) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), lines = 0;
    MUST(client >= 0 && connect(client, (struct sockaddr *)&address, sizeof address) == 0);
    if (send(client, requests, strlen(requests), MSG_NOSIGNAL) > 0) (void)shutdown(client, SHUT_WR);
    char text[4096];
    for (ssize_t count; (count = recv(client, text, sizeof text, 0)) > 0;)
        for (ssize_t i = 0; i < count; i++) lines += text[i] == '\n';
    close(client);
    return lines;
}

static bool inspected(void) {
    char path[40];
    snprintf(path, sizeof path, "/tmp/torture-%d", (int)getpid());
    MADE(sgk_signal, never, sgk_signal_never());
    if (sgk_debug_inspect(path) != SGK_OK) {
        (void)refused();
        MUST(access(path, F_OK) != 0);
        return false;
    }
    int lines = ask(path, "graph\nlive\ndump\nwhat\n");
    MUST(lines <= 4);
    DONE(sgk_debug_inspect(NULL));
    return unlink(path) != 0 && lines == 4; /* it leaves what it cannot look at */
}

/* ---- All of them, and the examples of the reference ---- */

#define EXAMPLE(name) int example_##name(void); static bool run_##name(void) { return (void)example_##name(), true; }
EXAMPLES(EXAMPLE)

const scenario scenarios[] = {
    {"values", values, false, false},
    {"chain", chain, false, false},
    {"replays", replays, false, false},
    {"joins", joins, false, false},
    {"inner", inner, false, false},
    {"in_a_row", in_a_row, false, false},
    {"virtual_time", virtual_time, false, false},
    {"disposables", disposables, false, false},
    {"promises", promises, false, false},
    {"links", links, false, false},
    {"generators", generators, false, false},
    {"reads", reads, false, true},
    {"typed", typed, false, true},
    {"sight", sight, false, true},
    {"threads", threads, false, true},
    {"queues", queues, false, true},
    {"pools", pools, false, true},
    {"clocks", clocks, false, true},
    {"loops", loops, false, true},
    {"lines", lines, false, true},
    {"readiness", readiness, false, true},
    {"sinks", sinks, false, true},
    {"unix_signals", unix_signals, false, true},
    {"children", children, false, true},
    {"file_changes", file_changes, false, true},
    {"inspected", inspected, false, true},
#define ROW(name) {"example_" #name, run_##name, true, false},
    EXAMPLES(ROW)
    {NULL, NULL, false, false},
};
