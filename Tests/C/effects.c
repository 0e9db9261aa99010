/* Operators that watch. */
#include "suite.h"

/* The events, as letters. */
typedef struct diary {
    char text[64];
    size_t length;
} diary;

static void note(void *context, char letter) {
    diary *d = context;
    if (d->length + 1 < sizeof d->text) d->text[d->length++] = letter;
}

typedef struct entry {
    diary *diary;
    char letter;
} entry;

static void note_it(void *context) { note(((entry *)context)->diary, ((entry *)context)->letter); }
static void note_value(void *context, sgk_value value) {
    note_it(context);
    note(((entry *)context)->diary, (char)('0' + sgk_to_int(value)));
}

static void note_received(void *context, sgk_value value) { note(context, (char)('0' + sgk_to_int(value))); }
static void note_error(void *context, sgk_value value) {
    (void)value;
    note(context, '!');
}
static void note_end(void *context) { note(context, '.'); }

static sgk_disposable *emit_one(void *context, sgk_subscriber *subscriber) {
    diary *d = context;
    note(d, 'g');
    sgk_subscriber_next(subscriber, sgk_int(1));
    return NULL;
}

static void each_hook_has_its_moment(void **state) {
    (void)state;
    diary d = {{0}, 0};
    entry before = {&d, 'b'}, after = {&d, 'a'}, started = {&d, 's'}, failing = {&d, 'e'}, ending = {&d, 'c'},
          ended = {&d, 'd'}, over = {&d, 'o'};
    hand h;
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&h);
    SGK_AUTO(sgk_signal) first = sgk_signal_create(emit_one, &d, NULL);
    SGK_AUTO(sgk_signal) immediate = sgk_signal_before_started(first, note_it, &started, NULL);
    SGK_AUTO(sgk_disposable) once = sgk_signal_start_next(immediate, note_received, &d, NULL);
    assert_string_equal(d.text, "sg1");
    memset(&d, 0, sizeof d);
    SGK_AUTO(sgk_signal) a = sgk_signal_before_next(by_hand, note_value, &before, NULL);
    SGK_AUTO(sgk_signal) b = sgk_signal_after_next(a, note_value, &after, NULL);
    SGK_AUTO(sgk_signal) c = sgk_signal_before_error(b, note_value, &failing, NULL);
    SGK_AUTO(sgk_signal) e = sgk_signal_before_completed(c, note_it, &ending, NULL);
    SGK_AUTO(sgk_signal) f = sgk_signal_after_completed(e, note_it, &ended, NULL);
    SGK_AUTO(sgk_signal) g = sgk_signal_after_disposed(f, note_it, &over, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &d;
    handlers.next = note_received;
    handlers.error = note_error;
    handlers.completed = note_end;
    const char *expected[] = {"b11a1c.od", "b11a1e2!o", "b11a1o"};
    for (int i = 0; i < 3; i++) {
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(g, &handlers);
        sgk_subscriber_next(h.subscriber, sgk_int(1));
        if (i == 0) sgk_subscriber_complete(h.subscriber);
        if (i == 1) sgk_subscriber_error(h.subscriber, sgk_int(2));
        sgk_disposable_dispose(run);
        sgk_disposable_dispose(run);
        assert_string_equal(d.text, expected[i]);
        memset(&d, 0, sizeof d);
    }
    hand_free(&h);
}

typedef struct again {
    diary diary;
    sgk_subscriber *subscriber;
    sgk_disposable *run;
} again;

static void dispose_again(void *context) {
    again *a = context;
    note(&a->diary, '(');
    sgk_disposable_dispose(a->run);
    note(&a->diary, ')');
}

static sgk_disposable *start_again(void *context, sgk_subscriber *subscriber) {
    again *a = context;
    a->subscriber = sgk_subscriber_retain(subscriber);
    return sgk_action_disposable_create(dispose_again, a, NULL);
}

/* Also if the callback disposes the subscription again. */
static void a_run_is_over_after_its_source_has_been_disposed(void **state) {
    (void)state;
    const char *expected[] = {"()o", ".()o"};
    for (int ends = 0; ends < 2; ends++) {
        again a = {{{0}, 0}, NULL, NULL};
        entry over = {&a.diary, 'o'};
        SGK_AUTO(sgk_signal) source = sgk_signal_create(start_again, &a, NULL);
        SGK_AUTO(sgk_signal) watched = sgk_signal_after_disposed(source, note_it, &over, NULL);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = &a.diary;
        handlers.completed = note_end;
        a.run = sgk_signal_start(watched, &handlers);
        if (ends) sgk_subscriber_complete(a.subscriber);
        else sgk_disposable_dispose(a.run);
        assert_string_equal(a.diary.text, expected[ends]);
        sgk_subscriber_release(a.subscriber);
        sgk_disposable_release(a.run);
    }
}

static void their_contexts_are_destroyed(void **state) {
    (void)state;
    counted c = {0};
    SGK_AUTO(sgk_signal) source = sgk_signal_never();
    sgk_signal_release(sgk_signal_before_started(source, counted_work, &c, counted_destroy));
    sgk_signal_release(sgk_signal_before_completed(source, counted_work, &c, counted_destroy));
    sgk_signal_release(sgk_signal_after_completed(source, counted_work, &c, counted_destroy));
    sgk_signal *watched = sgk_signal_after_disposed(source, counted_work, &c, counted_destroy);
    sgk_disposable *run = sgk_signal_start(watched, NULL);
    sgk_signal_release(watched);
    assert_int_equal(c.destroyed, 3);
    sgk_disposable_dispose(run);
    assert_int_equal(c.calls, 1);
    assert_int_equal(c.destroyed, 4); /* the subscription released it, although its handle is still retained */
    sgk_disposable_release(run);
}

/* ---- Trace ---- */

typedef struct lines {
    char text[16][600];
    int count;
} lines;

static void keep_line(void *context, const char *message) {
    lines *l = context;
    if (l->count < 16) snprintf(l->text[l->count], sizeof l->text[0], "%s", message);
    l->count++;
}

/* The text behind the number, which is as before; in front of it are a time and the thread. */
static const char *traced(lines *l, int index, long *number) {
    char *end = NULL;
    double time = strtod(l->text[index], &end);
    assert_true(time > 0);
    assert_memory_equal(end, " [", 2);
    assert_true(strtol(end + 2, &end, 10) != 0);
    assert_memory_equal(end, "] source#", 9);
    long here = strtol(end + 9, &end, 10);
    if (*number == 0) *number = here;
    assert_int_equal(here, *number);
    return end;
}

static void trace_writes_what_happens(void **state) {
    (void)state;
    lines l = {{{0}}, 0};
    sgk_set_log_handler(keep_line, &l, NULL);
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    char name[] = "source";
    SGK_AUTO(sgk_signal) watched = sgk_signal_trace(source, name);
    memset(name, 'x', sizeof name - 1); /* it was copied */
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.error = sgk_ignore_error;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(watched, &handlers);
    sgk_value text = sgk_string("a text");
    sgk_subscriber_next(h.subscriber, sgk_int(42));
    sgk_subscriber_next(h.subscriber, text);
    sgk_value_release(text);
    sgk_subscriber_error(h.subscriber, sgk_int(3));
    long number = 0, next = 0;
    assert_int_equal(l.count, 5);
    assert_string_equal(traced(&l, 0, &number), " started");
    assert_string_equal(traced(&l, 1, &number), " next 42");
    assert_string_equal(traced(&l, 2, &number), " next a text");
    assert_string_equal(traced(&l, 3, &number), " error 3");
    assert_string_equal(traced(&l, 4, &number), " disposed");
    SGK_AUTO(sgk_disposable) again = sgk_signal_start(watched, NULL);
    char *long_text = malloc(5000);
    memset(long_text, 'l', 5000);
    text = sgk_string_n(long_text, 5000);
    sgk_subscriber_next(h.subscriber, text);
    sgk_value_release(text);
    free(long_text);
    sgk_subscriber_complete(h.subscriber);
    assert_int_equal(l.count, 9);
    assert_string_equal(traced(&l, 5, &next), " started");
    assert_int_equal(next, number + 1);
    assert_int_equal(strlen(l.text[6]), 511); /* cut */
    assert_string_equal(traced(&l, 7, &next), " completed");
    sgk_set_log_handler(NULL, NULL, NULL);
    hand_free(&h);
}

static void start_unseen(void *signal) { sgk_disposable_release(sgk_signal_start(signal, NULL)); }

static void a_long_name_is_cut(void **state) {
    (void)state;
    lines l = {{{0}}, 0};
    char name[2000], text[4000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) watched = sgk_signal_trace_at(single, name, "effects.c", 1);
    sgk_set_log_handler(keep_line, &l, NULL);
    sgk_disposable_release(sgk_signal_start(watched, NULL));
    sgk_set_log_handler(NULL, NULL, NULL);
    assert_int_equal(l.count, 4);
    assert_int_equal(strlen(l.text[1]), 511);
    written_to_stderr(text, sizeof text, start_unseen, watched); /* each is a line all the same */
    int count = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1, count++)
        assert_in_range(strcspn(line, "\n"), 500, 511);
    assert_int_equal(count, 4);
}

static sgk_value sum_of(void *context, sgk_value a, sgk_value b) {
    (void)context;
    return sgk_int(sgk_to_int(a) + sgk_to_int(b));
}

/* If a callback disposes at the last value, no downstream stage receives the completion. */
static void who_disposes_at_the_last_value_sees_no_end(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    sgk_signal *made[] = {sgk_signal_reduce(source, sgk_int(0), sum_of, NULL, NULL), sgk_signal_to_array(source, NULL),
        sgk_signal_take_last(source, 1), sgk_signal_take(source, 1), sgk_signal_chunked(source, 2)};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        counted c = {0};
        SGK_AUTO(sgk_signal) seen = sgk_signal_before_completed(made[i], counted_work, &c, counted_destroy);
        recorder *r = recorder_new();
        r->dispose_at = 1;
        SGK_AUTO(sgk_disposable) run = record_run(seen, r);
        sgk_subscriber_next(h.subscriber, sgk_int(1));
        sgk_subscriber_complete(h.subscriber);
        assert_int_equal(r->nexts, 1);
        assert_int_equal(c.calls + r->ends, 0);
        sgk_signal_release(made[i]);
        recorder_free(r);
        hand_free(&h);
    }
}

int run_effects(void) {
    const struct CMUnitTest tests[] = {
        TEST(each_hook_has_its_moment),
        TEST(a_run_is_over_after_its_source_has_been_disposed),
        TEST(their_contexts_are_destroyed),
        TEST(who_disposes_at_the_last_value_sees_no_end),
        TEST(trace_writes_what_happens),
        TEST(a_long_name_is_cut),
    };
    return cmocka_run_group_tests_name("effects", tests, NULL, NULL);
}
