/* Values that the library lends (SGK_LENT): a callback returns them, and gives no reference away. Each event owns the
 * only reference to its value, so that a release too many is a use after the release. */
#include "suite.h"

/* The results of a callback that receives the array [first, second]. */
enum { ITSELF, ITEM, ITEM_OF_ALL, GIVEN, CAUSE, FAILED, FAILED_ITEM, LAST, LAST_ITEM, FORMS };

static sgk_value part_of(int form, sgk_value value) {
    switch (form) {
    case ITEM: return sgk_array_at(value, 1);
    case ITEM_OF_ALL: return sgk_array_items(value, NULL)[1];
    case GIVEN: return sgk_give(value);
    case CAUSE: return sgk_error_cause(sgk_array_at(value, 2));
    case FAILED: return sgk_failed(value);
    case FAILED_ITEM: return sgk_failed(sgk_array_at(value, 1));
    case LAST: return sgk_last(value);
    case LAST_ITEM: return sgk_last(sgk_array_at(value, 1));
    default: return value;
    }
}

static sgk_value by_value(void *form, sgk_value value) {
    assert_int_equal(value.reserved, SGK_LENT);
    return part_of(*(int *)form, value);
}
static sgk_value by_second(void *form, sgk_value first, sgk_value second) {
    assert_int_equal(first.reserved, first.kind < SGK_STRING ? 0 : SGK_LENT);
    return by_value(form, second);
}
static sgk_value by_values(void *form, const sgk_value *values, size_t count) {
    assert_true(count > 0);
    return by_value(form, values[0]);
}
static void by_store(void *form, sgk_value value, sgk_value *result) { *result = by_value(form, value); }
static void by_update(void *form, sgk_value *value) {
    assert_int_equal(value->reserved, 0);
    sgk_value owned = *value;
    *value = part_of(*(int *)form, owned);
    if (value->reserved & SGK_LENT) { /* a part of the value, whose reference must remain until the value is retained */
        uint32_t outcome = value->reserved & ~SGK_LENT;
        *value = sgk_value_retain(*value);
        value->reserved = outcome;
        sgk_value_release(owned);
    }
}

/* ---- What arrives ---- */

typedef struct heard {
    char text[512];
    size_t length;
} heard;

static void note(heard *heard, sgk_value value, const char *end) {
    assert_int_equal(value.reserved, value.kind < SGK_STRING ? 0 : SGK_LENT);
    heard->length += sgk_value_describe(value, heard->text + heard->length, sizeof heard->text - heard->length);
    heard->length += (size_t)snprintf(heard->text + heard->length, sizeof heard->text - heard->length, "%s", end);
}
static void on_value(void *heard, sgk_value value) { note(heard, value, "; "); }
static void on_error(void *heard, sgk_value error) { note(heard, error, "!"); }
static void on_completed(void *context) {
    heard *heard = context;
    heard->length += (size_t)snprintf(heard->text + heard->length, sizeof heard->text - heard->length, ".");
}

static sgk_disposable *listen(sgk_signal *signal, heard *heard) {
    return sgk_signal_start(
        signal, SGK_HANDLERS(.context = heard, .next = on_value, .error = on_error, .completed = on_completed));
}

static sgk_value event_of(const char *first, const char *second) {
    sgk_value cause = sgk_string("cause");
    const sgk_value parts[] = {sgk_give(sgk_string(first)), sgk_give(sgk_string(second)),
        sgk_give(sgk_error_from(1, "error", sgk_give(cause)))};
    return sgk_array(parts, 3);
}

/* ---- Each callback that returns a value ---- */

static sgk_signal *mapped(sgk_signal *source, int *form) { return sgk_signal_map(source, by_value, form, NULL); }
static sgk_signal *mapped_often(sgk_signal *source, int *form) { /* values that a step has replaced */
    static int itself = ITSELF;
    SGK_AUTO(sgk_signal) one = sgk_signal_map(source, by_value, &itself, NULL);
    SGK_AUTO(sgk_signal) two = sgk_signal_map(one, by_value, form, NULL);
    SGK_AUTO(sgk_signal) three = sgk_signal_map(two, by_value, &itself, NULL);
    return sgk_signal_map(three, by_value, &itself, NULL);
}
static sgk_value copied(void *context, sgk_value value) {
    (void)context;
    size_t count;
    const sgk_value *items = sgk_array_items(value, &count);
    return sgk_array(items, count);
}
static sgk_signal *mapped_copies(sgk_signal *source, int *form) { /* values that only the steps hold */
    SGK_AUTO(sgk_signal) copies = sgk_signal_map(source, copied, NULL, NULL);
    return mapped_often(copies, form);
}
static sgk_signal *scanned(sgk_signal *source, int *form) {
    return sgk_signal_scan(source, sgk_null(), by_second, form, NULL);
}
static sgk_signal *reduced(sgk_signal *source, int *form) {
    return sgk_signal_reduce(source, sgk_null(), by_second, form, NULL);
}
static sgk_signal *combined(sgk_signal *source, int *form) {
    return sgk_combine_latest_map((sgk_signal *[]){source}, 1, by_values, form, NULL, NULL);
}
static sgk_signal *zipped(sgk_signal *source, int *form) {
    return sgk_zip_map((sgk_signal *[]){source}, 1, SGK_BOUND(.limit = SGK_UNBOUNDED), by_values, form, NULL);
}
static sgk_signal *with_latest(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_signal) other = sgk_signal_just(sgk_int(1));
    return sgk_signal_with_latest_from_map(source, other, by_values, form, NULL);
}
static sgk_signal *linked(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_event_link) link = sgk_event_link_from_signal(source);
    SGK_AUTO(sgk_event_link) mapped = sgk_event_link_map(link, by_value, form, NULL);
    return sgk_event_link_signal(mapped);
}
static sgk_signal *source_then_nothing(void *context, const sgk_value *accumulated) {
    if (accumulated) assert_int_equal(accumulated->reserved, SGK_LENT);
    return accumulated ? NULL : sgk_signal_retain(context);
}
static const int *form_of_loop;
static sgk_value by_second_of_loop(void *source, sgk_value first, sgk_value second) {
    (void)source;
    return by_second((void *)form_of_loop, first, second);
}
static void release_source(void *source) { sgk_signal_release(source); }
static sgk_signal *looped(sgk_signal *source, int *form) {
    form_of_loop = form;
    return sgk_accumulating_loop(source_then_nothing, by_second_of_loop, sgk_signal_retain(source), release_source);
}
static sgk_signal *staged(sgk_signal *source, int *form, sgk_stage stage) {
    stage.size = sizeof stage;
    stage.context = form;
    return sgk_signal_stage(source, &stage);
}
static sgk_signal *stepped(sgk_signal *source, int *form) {
    return staged(source, form, (sgk_stage){.next = by_value});
}
static sgk_signal *stored(sgk_signal *source, int *form) {
    return staged(source, form, (sgk_stage){.store = by_store});
}
static sgk_signal *updated(sgk_signal *source, int *form) {
    return staged(source, form, (sgk_stage){.update = by_update});
}
static sgk_signal *updated_copies(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_signal) copies = sgk_signal_map(source, copied, NULL, NULL);
    return updated(copies, form);
}
static void *begin(void *context) { return context; }
static void end(void *state) { (void)state; }
static sgk_signal *begun(sgk_signal *source, int *form) {
    return staged(source, form, (sgk_stage){.begin = begin, .end = end, .next = by_value});
}
static sgk_signal *stored_with_state(sgk_signal *source, int *form) {
    return staged(source, form, (sgk_stage){.begin = begin, .end = end, .store = by_store});
}
static sgk_signal *updated_with_state(sgk_signal *source, int *form) {
    return staged(source, form, (sgk_stage){.begin = begin, .end = end, .update = by_update});
}

/* Of the outcomes, typed functions return sgk_failed only. */
static sgk_value typed_one(int *form, sgk_value value) { return by_value(form, value); }
static sgk_value typed_two(int *form, sgk_value first, sgk_value second) { return by_second(form, first, second); }
static sgk_signature *signature(const char *text) { return sgk_signature_create(text); }

static sgk_signal *mapped_typed(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_signature) one = signature("(ctx, value) -> value");
    return sgk_signal_map_typed(source, SGK_FUNCTION(typed_one), one, form, NULL);
}
static sgk_signal *mapped_typed_often(sgk_signal *source, int *form) {
    static int itself = ITSELF;
    SGK_AUTO(sgk_signal) copies = sgk_signal_map(source, copied, NULL, NULL);
    SGK_AUTO(sgk_signal) one = mapped_typed(copies, &itself);
    SGK_AUTO(sgk_signal) two = mapped_typed(one, form);
    return mapped_typed(two, &itself);
}
static sgk_signal *tapped_typed(sgk_signal *source, int *form) { /* ignores the result */
    SGK_AUTO(sgk_signature) one = signature("(ctx, value) -> value");
    SGK_AUTO(sgk_signal) tapped = sgk_signal_before_next_typed(source, SGK_FUNCTION(typed_one), one, form, NULL);
    SGK_AUTO(sgk_signal) later = sgk_signal_after_next_typed(tapped, SGK_FUNCTION(typed_one), one, form, NULL);
    return mapped(later, form);
}
static sgk_signal *scanned_typed(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_signature) two = signature("(ctx, value, value) -> value");
    return sgk_signal_scan_typed(source, sgk_null(), SGK_FUNCTION(typed_two), two, form, NULL);
}
static sgk_signal *reduced_typed(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_signature) two = signature("(ctx, value, value) -> value");
    return sgk_signal_reduce_typed(source, sgk_null(), SGK_FUNCTION(typed_two), two, form, NULL);
}
static sgk_signal *combined_typed(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_signature) two = signature("(ctx, value, value) -> value");
    SGK_AUTO(sgk_signal) other = sgk_signal_just(sgk_int(1));
    sgk_signal *both[] = {other, source};
    return sgk_combine_latest_typed(both, 2, SGK_FUNCTION(typed_two), two, form, NULL, NULL);
}
/* The function receives the items of the event. */
static sgk_value typed_items(int *form, sgk_value first, sgk_value second, sgk_value third) {
    assert_int_equal(first.reserved & second.reserved & third.reserved, SGK_LENT);
    return *form == ITEM ? second : first;
}
static sgk_signal *mapped_items(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_signature) three = signature("(ctx, value, value, value) -> value");
    return sgk_signal_map_typed(source, SGK_FUNCTION(typed_items), three, form, NULL);
}

#define ALL_A "[a, x, error (1), caused by cause]"
#define ALL_B "[b, y, error (1), caused by cause]"

/* The events that follow from both arrays, in each form. */
typedef struct texts {
    const char *of[FORMS];
} texts;

static const texts each = {{ALL_A "; " ALL_B "; .", "x; y; .", "x; y; .", ALL_A "; " ALL_B "; .", "cause; cause; .",
    ALL_A "!", "x!", ALL_A "; .", "x; ."}};
static const texts only_the_last = {
    {ALL_B "; .", "y; .", "y; .", ALL_B "; .", "cause; .", ALL_A "!", "x!", ALL_A "; .", "x; ."}};
/* The loop starts with the first value. */
static const texts behind_the_first = {{ALL_A "; " ALL_B "; .", ALL_A "; y; .", ALL_A "; y; .", ALL_A "; " ALL_B "; .",
    ALL_A "; cause; .", ALL_A "; " ALL_B "!", ALL_A "; y!", ALL_A "; " ALL_B "; .", ALL_A "; y; ."}};
static const texts items = {{"a; b; .", "x; y; ."}};

static const struct {
    const char *name;
    sgk_signal *(*make)(sgk_signal *source, int *form);
    const texts *expected;
    int forms;
} rows[] = {
    {"map", mapped, &each, FORMS},
    {"a row of maps", mapped_often, &each, FORMS},
    {"a row of maps behind one that makes values", mapped_copies, &each, FORMS},
    {"scan", scanned, &each, FORMS},
    {"reduce", reduced, &only_the_last, FORMS},
    {"combine_latest_map", combined, &each, FORMS},
    {"zip_map", zipped, &each, FORMS},
    {"with_latest_from_map", with_latest, &each, FORMS},
    {"event_link_map", linked, &each, FORMS},
    {"accumulating_loop", looped, &behind_the_first, FORMS},
    {"stage.next", stepped, &each, FORMS},
    {"stage.store", stored, &each, FORMS},
    {"stage.update", updated, &each, FORMS},
    {"stage.update of a value that a step made", updated_copies, &each, FORMS},
    {"stage.next with a state", begun, &each, FORMS},
    {"stage.store with a state", stored_with_state, &each, FORMS},
    {"stage.update with a state", updated_with_state, &each, FORMS},
    {"map_typed", mapped_typed, &each, LAST},
    {"a row of map_typed", mapped_typed_often, &each, LAST},
    {"before_next_typed, after_next_typed", tapped_typed, &each, LAST},
    {"scan_typed", scanned_typed, &each, LAST},
    {"reduce_typed", reduced_typed, &only_the_last, LAST},
    {"combine_latest_typed", combined_typed, &each, LAST},
    {"map_typed of several values", mapped_items, &items, ITEM + 1},
};

/* With SIGNALKIT_DEBUG=1 nothing of that is reported. */
static atomic_int reports;
static void count_report(void *context, const char *message) {
    (void)context;
    print_error("reported: %s\n", message);
    reports++;
}
static void begin_reports(void) {
    reports = 0;
    sgk_set_log_handler(count_report, NULL, NULL);
}
static bool is_debug(void) {
    const char *debug = getenv("SIGNALKIT_DEBUG");
    return debug && strcmp(debug, "1") == 0;
}
static void end_reports(int expected) {
    sgk_set_log_handler(NULL, NULL, NULL);
    assert_int_equal(reports, is_debug() ? expected : 0);
}

static void assert_heard(const char *name, int form, const heard *heard, const char *expected) {
    if (strcmp(heard->text, expected) != 0) print_error("%s, form %d\n", name, form);
    assert_string_equal(heard->text, expected);
}

static void each_callback_may_return_what_it_receives(void **state) {
    (void)state;
    begin_reports();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int form = 0; form < rows[i].forms; form++) {
            heard heard = {0};
            hand h;
            {
                SGK_AUTO(sgk_signal) source = hand_signal(&h);
                SGK_AUTO(sgk_signal) made = rows[i].make(source, &form);
                SGK_AUTO(sgk_disposable) subscription = listen(made, &heard);
                sgk_subscriber_next(h.subscriber, sgk_give(event_of("a", "x")));
                sgk_subscriber_next(h.subscriber, sgk_give(event_of("b", "y")));
                sgk_subscriber_complete(h.subscriber);
                assert_heard(rows[i].name, form, &heard, rows[i].expected->of[form]);
            }
            hand_free(&h);
            int64_t alive = sgk_live_count(SGK_LIVE_VALUE);
            if (alive) fail_msg("%s, form %d: %lld values are alive", rows[i].name, form, (long long)alive);
        }
    }
    end_reports(0);
}

/* ---- Errors ---- */

static sgk_signal *error_mapped(sgk_signal *source, int *form) {
    return sgk_signal_map_error(source, by_value, form, NULL);
}
static sgk_signal *error_of_stage(sgk_signal *source, int *form) {
    return staged(source, form, (sgk_stage){.next = by_value, .error = by_value});
}
static sgk_signal *error_mapped_typed(sgk_signal *source, int *form) {
    SGK_AUTO(sgk_signature) one = signature("(ctx, value) -> value");
    return sgk_signal_map_error_typed(source, SGK_FUNCTION(typed_one), one, form, NULL);
}

static void functions_of_errors_may_return_what_they_receive(void **state) {
    (void)state;
    sgk_signal *(*const make[])(sgk_signal *, int *) = {error_mapped, error_of_stage, error_mapped_typed};
    const char *const expected[FORMS] = {
        ALL_A "!", "x!", "x!", ALL_A "!", "cause!", ALL_A "!", "x!", ALL_A "; .", "x; ."};
    begin_reports();
    for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
        for (int form = 0; form < (i < 2 ? FORMS : LAST); form++) {
            heard heard = {0};
            hand h;
            {
                SGK_AUTO(sgk_signal) source = hand_signal(&h);
                SGK_AUTO(sgk_signal) made = make[i](source, &form);
                SGK_AUTO(sgk_disposable) subscription = listen(made, &heard);
                sgk_subscriber_error(h.subscriber, sgk_give(event_of("a", "x")));
                assert_heard("an error", form, &heard, expected[form]);
            }
            hand_free(&h);
            assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        }
    }
    end_reports(0);
}

static sgk_value first_item(void *context, sgk_value value) { return (void)context, sgk_array_at(value, 0); }

/* The part has the kind of the whole. */
static void an_array_in_an_array_may_be_lent(void **state) {
    (void)state;
    heard heard = {0};
    hand h;
    {
        SGK_AUTO(sgk_signal) signal = hand_signal(&h);
        SGK_STAGE(map, signal, first_item, NULL, NULL);
        SGK_STAGE(map, signal, first_item, NULL, NULL);
        SGK_AUTO(sgk_disposable) subscription = listen(signal, &heard);
        sgk_value inner = sgk_array((sgk_value[]){sgk_give(sgk_string("a"))}, 1);
        sgk_value middle = sgk_array((sgk_value[]){sgk_give(inner), sgk_int(2)}, 2);
        sgk_subscriber_next(h.subscriber, sgk_give(sgk_array((sgk_value[]){sgk_give(middle)}, 1)));
    }
    assert_string_equal(heard.text, "[a]; ");
    hand_free(&h);
}

/* ---- Keys, answers, and functions that store ---- */

static sgk_signal *just_it(void *form, sgk_value value) { return (void)form, sgk_signal_just(value); }
static sgk_signal *the_group(void *form, sgk_value key, sgk_signal *values) {
    (void)form;
    assert_int_equal(key.reserved, SGK_LENT);
    return sgk_signal_retain(values);
}
static sgk_signal *distinct(sgk_signal *source, int *form) {
    return sgk_signal_distinct_by(source, SGK_BOUND(.limit = 9), by_value, form, NULL);
}
static sgk_signal *per_key(sgk_signal *source, int *form) {
    return sgk_signal_switch_map_per(source, SGK_BOUND(.limit = 9), by_value, just_it, form, NULL);
}
static sgk_signal *grouped(sgk_signal *source, int *form) {
    return sgk_signal_group_by(source, SGK_BOUND(.limit = 9), by_value, the_group, form, NULL);
}

/* Both events have the same second item, and the same cause. */
static void a_key_may_be_lent(void **state) {
    (void)state;
    static const char both[] = "[a, x, error (1), caused by cause]; [b, x, error (1), caused by cause]; .";
    static const struct {
        sgk_signal *(*make)(sgk_signal *, int *);
        const char *by_itself, *by_item;
    } keyed[] = {{distinct, both, ALL_A "; ."}, {per_key, both, both}, {grouped, both, both}};
    begin_reports();
    for (size_t i = 0; i < sizeof keyed / sizeof *keyed; i++) {
        for (int form = 0; form < FAILED; form++) {
            heard heard = {0};
            hand h;
            {
                SGK_AUTO(sgk_signal) source = hand_signal(&h);
                SGK_AUTO(sgk_signal) made = keyed[i].make(source, &form);
                SGK_AUTO(sgk_disposable) subscription = listen(made, &heard);
                sgk_subscriber_next(h.subscriber, sgk_give(event_of("a", "x")));
                sgk_subscriber_next(h.subscriber, sgk_give(event_of("b", "x")));
                sgk_subscriber_complete(h.subscriber);
                bool is_whole = form == ITSELF || form == GIVEN;
                assert_heard("a key", form, &heard, is_whole ? keyed[i].by_itself : keyed[i].by_item);
            }
            hand_free(&h);
            assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        }
    }
    end_reports(0);
}

typedef struct receiving {
    int form;
    heard heard;
} receiving;

static sgk_value receive(void *context, sgk_value value) {
    receiving *receiving = context;
    return by_value(&receiving->form, value);
}
static void receive_error(void *context, sgk_value error) { on_error(&((receiving *)context)->heard, error); }
static void receive_completion(void *context) { on_completed(&((receiving *)context)->heard); }

/* The library releases a returned value, unless it is lent. */
static void a_receiver_may_return_what_it_receives(void **state) {
    (void)state;
    const char *const expected[FORMS] = {".", ".", ".", ".", ".", ALL_A "!", "x!", ".", "."};
    begin_reports();
    for (int behind = 0; behind < 2; behind++) {
        for (int form = 0; form < FORMS; form++) {
            receiving receiving = {form, {{0}, 0}};
            hand h;
            {
                SGK_AUTO(sgk_signal) source = hand_signal(&h);
                SGK_AUTO(sgk_signal) copies = sgk_signal_map(source, copied, NULL, NULL);
                sgk_handlers handlers = {.size = sizeof handlers, .context = &receiving, .receive = receive};
                handlers.error = receive_error;
                handlers.completed = receive_completion;
                SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(behind ? copies : source, &handlers);
                sgk_subscriber_next(h.subscriber, sgk_give(event_of("a", "x")));
                assert_int_equal(sgk_subscriber_is_active(h.subscriber), form < FAILED);
                sgk_subscriber_complete(h.subscriber);
                assert_heard("receive", form, &receiving.heard, expected[form]);
            }
            hand_free(&h);
            assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        }
    }
    end_reports(0);
}

/* An iterator, and a stage at the completion, lend what their context holds. */
typedef struct holding {
    sgk_value array;
    size_t index;
    bool fails;
} holding;

static bool next_item(void *context, sgk_value *item) {
    holding *h = context;
    if (h->index < 2) return *item = sgk_array_at(h->array, h->index++), true;
    if (h->fails) *item = sgk_failed(sgk_array_at(h->array, 2));
    return false;
}
static sgk_value last_item(void *context) { return sgk_array_at(((holding *)context)->array, 1); }
static void release_array(void *context) { sgk_value_release(((holding *)context)->array); }

static void what_a_context_holds_may_be_lent(void **state) {
    (void)state;
    begin_reports();
    for (int fails = 0; fails < 2; fails++) {
        holding h = {event_of("a", "x"), 0, fails};
        heard heard = {0};
        SGK_AUTO(sgk_signal) all = sgk_signal_from_iterator(next_item, &h, release_array);
        sgk_disposable_release(listen(all, &heard));
        assert_heard("iterator", fails, &heard, fails ? "a; x; error (1), caused by cause!" : "a; x; .");
    }
    holding h = {event_of("a", "x"), 0, false};
    heard heard = {0};
    SGK_AUTO(sgk_signal) nothing = sgk_signal_range(0, 0);
    sgk_stage stage = {.size = sizeof stage, .context = &h, .destroy = release_array, .next = by_value};
    stage.completed = last_item;
    SGK_AUTO(sgk_signal) completed = sgk_signal_stage(nothing, &stage);
    sgk_disposable_release(listen(completed, &heard));
    assert_heard("stage.completed", 0, &heard, "x; .");
    end_reports(0);
}

static sgk_status modified(void *form, sgk_value value, sgk_value *result) {
    *result = by_value(form, value);
    return SGK_OK;
}

static void a_state_may_become_a_part_of_itself(void **state_) {
    (void)state_;
    begin_reports();
    for (int form = 0; form < FAILED; form++) {
        SGK_AUTO(sgk_state) state = sgk_state_create_value(sgk_give(event_of("a", "x")), false);
        assert_int_equal(sgk_state_modify(state, modified, &form), SGK_OK);
        SGK_AUTO(sgk_signal) values = sgk_state_signal(state);
        heard heard = {0};
        sgk_disposable_release(listen(values, &heard));
        const char *const expected[] = {ALL_A "; ", "x; ", "x; ", ALL_A "; ", "cause; "};
        assert_heard("state_modify", form, &heard, expected[form]);
    }
    end_reports(0);
}

/* ---- Functions made at run time ---- */

static sgk_value (*function_of(sgk_callback *callback))(sgk_value) {
    return (sgk_value(*)(sgk_value))sgk_callback_function(callback);
}

static void assert_answers(sgk_callback *callback, int form, const char *expected) {
    heard events = {0};
    {
        SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
        SGK_AUTO(sgk_disposable) subscription = listen(calls, &events);
        sgk_value answer = function_of(callback)(sgk_give(event_of("a", "x")));
        assert_int_equal(answer.reserved, 0); /* the caller owns it */
        char text[128];
        sgk_value_describe(answer, text, sizeof text);
        if (strcmp(text, expected) != 0) print_error("form %d\n", form);
        assert_string_equal(text, expected);
        sgk_value_release(answer);
    }
    assert_heard("a call", form, &events, ALL_A "; ");
}

static void a_handler_may_answer_with_what_it_receives(void **state) {
    (void)state;
    SGK_AUTO(sgk_signature) same = signature("(value) -> value");
    SGK_AUTO(sgk_signature) with_ctx = signature("(ctx, value) -> value");
    const char *const expected[] = {ALL_A, "x", "x", ALL_A, "cause"};
    for (int form = 0; form < FAILED; form++) {
        SGK_AUTO(sgk_callback) of_values = sgk_callback_create(same, sgk_null(), by_values, &form, NULL);
        assert_answers(of_values, form, expected[form]);
        sgk_function handler = SGK_FUNCTION(typed_one);
        SGK_AUTO(sgk_callback) typed = sgk_callback_create_typed(same, sgk_null(), handler, with_ctx, &form, NULL);
        assert_answers(typed, form, expected[form]);
    }
    SGK_AUTO(sgk_callback) fixed = sgk_callback_create(same, sgk_give(sgk_string("fixed")), NULL, NULL, NULL);
    assert_answers(fixed, 0, "fixed");
}

/* ---- The functions of values ---- */

static sgk_value kept;

/* An argument is not the program's: to give it away and to release it change nothing. */
static void use_each_function(void *context, sgk_value value) {
    (void)context;
    int64_t alive = sgk_live_count(SGK_LIVE_VALUE);
    assert_int_equal(value.reserved, SGK_LENT);
    assert_int_equal(sgk_give(value).reserved, SGK_LENT);
    sgk_value_release(value);
    sgk_value_release(sgk_array_at(value, 0));
    sgk_value_release(sgk_give(sgk_array_at(value, 0)));
    sgk_value again = sgk_array(&value, 1);
    SGK_AUTO(sgk_signal) just = sgk_signal_just(sgk_give(value));
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), alive + 1);
    assert_int_equal(sgk_array_at(again, 0).reserved, SGK_LENT);
    sgk_value_release(again);
    kept = sgk_value_retain(value);
    assert_int_equal(kept.reserved, 0);
    assert_true(sgk_value_equal(kept, value));
    assert_int_equal(sgk_value_hash(kept), sgk_value_hash(value));
}

static void a_lent_value_is_not_given_away_or_released(void **state) {
    (void)state;
    begin_reports();
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(values, use_each_function, NULL, NULL);
    sgk_pipe_next(pipe, sgk_give(event_of("a", "x")));
    end_reports(3); /* the releases */
    char text[128];
    sgk_value_describe(kept, text, sizeof text);
    assert_string_equal(text, ALL_A);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 5);
    sgk_value_release(kept);
}

static void a_plain_value_is_never_lent(void **state) {
    (void)state;
    const sgk_value plain[] = {sgk_null(), sgk_bool(true), sgk_int(7), sgk_double(7), sgk_pointer(state)};
    sgk_value array = sgk_array(plain, sizeof plain / sizeof *plain);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        assert_int_equal(sgk_array_at(array, i).reserved, 0);
        assert_int_equal(sgk_last(plain[i]).reserved, SGK_OUTCOME_LAST);
        assert_int_equal(sgk_failed(plain[i]).reserved, SGK_OUTCOME_FAILED);
    }
    sgk_value error = sgk_error_from(1, "error", sgk_int(7));
    assert_int_equal(sgk_error_cause(error).reserved, 0);
    assert_int_equal(sgk_error_cause(array).reserved, 0);
    sgk_value_release(error);
    sgk_value_release(array);
}

/* The only reference to the text is the library's. */
static sgk_value written(void *context, sgk_value value) {
    const char *before = sgk_value_data(value, NULL);
    sgk_value changed = value;
    char *data = sgk_value_make_writable(&changed, 2);
    assert_true(data && data != before);
    assert_int_equal(changed.reserved, 0);
    memcpy(data, "b", 1);
    assert_string_equal(before, "ax");
    *(int *)context += 1;
    return changed;
}

static void to_write_a_lent_value_copies_it(void **state) {
    (void)state;
    begin_reports();
    int calls = 0;
    heard heard = {0};
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) changed = sgk_signal_map(values, written, &calls, NULL);
    SGK_AUTO(sgk_disposable) subscription = listen(changed, &heard);
    sgk_pipe_next(pipe, sgk_give(sgk_string("ax")));
    assert_int_equal(calls, 1);
    assert_string_equal(heard.text, "bx; ");
    end_reports(0);
}

static void the_program_keeps_its_reference_to_a_lent_part(void **state) {
    (void)state;
    begin_reports();
    heard heard = {0};
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_STAGE(map, signal, first_item, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = listen(signal, &heard);
    sgk_value text = sgk_string("a");
    sgk_pipe_next(pipe, sgk_give(sgk_array(&text, 1)));
    sgk_value_release(text);
    assert_string_equal(heard.text, "a; ");
    end_reports(0);
}

static void replace_with_text(void *text, sgk_value *value) {
    sgk_value_release(*value);
    *(sgk_value *)text = *value = sgk_string("b");
}
static void release_it(void *text, sgk_value value) {
    (void)value;
    if (is_debug()) sgk_value_release(*(sgk_value *)text);
}

/* The result of an update belongs to the library, so the program must not release it. */
static void to_release_the_result_of_an_update_is_reported(void **state) {
    (void)state;
    begin_reports();
    sgk_value text;
    SGK_AUTO(sgk_signal) values = sgk_signal_just(sgk_give(sgk_string("a")));
    sgk_stage stage = {.size = sizeof stage, .context = &text, .update = replace_with_text};
    SGK_AUTO(sgk_signal) changed = sgk_signal_stage(values, &stage);
    sgk_disposable_release(sgk_signal_start_next(changed, release_it, &text, NULL));
    end_reports(1);
}

int run_lent(void) {
    const struct CMUnitTest tests[] = {
        TEST(each_callback_may_return_what_it_receives),
        TEST(functions_of_errors_may_return_what_they_receive),
        TEST(an_array_in_an_array_may_be_lent),
        TEST(a_key_may_be_lent),
        TEST(a_receiver_may_return_what_it_receives),
        TEST(what_a_context_holds_may_be_lent),
        TEST(a_state_may_become_a_part_of_itself),
        TEST(a_handler_may_answer_with_what_it_receives),
        TEST(a_lent_value_is_not_given_away_or_released),
        TEST(a_plain_value_is_never_lent),
        TEST(to_write_a_lent_value_copies_it),
        TEST(the_program_keeps_its_reference_to_a_lent_part),
        TEST(to_release_the_result_of_an_update_is_reported),
    };
    return cmocka_run_group_tests_name("lent", tests, NULL, NULL);
}
