/* Chains of observers. */
#include "suite.h"

static void on_next(void *context, sgk_value value) {
    recorder *r = context;
    sgk_handlers handlers = recorder_handlers(r);
    handlers.next(r, value);
}

static void on_error(void *context, sgk_value error) { recorder_handlers(context).error(context, error); }
static void on_finish(void *context) { recorder_handlers(context).completed(context); }

/* Observes everything; the recorder is "destroyed" when the last of its three handlers is. */
static void observe(sgk_event_link *link, recorder *r, sgk_queue *queue) {
    assert_int_equal(sgk_event_link_on_next(link, on_next, r, NULL, queue), SGK_OK);
    assert_int_equal(sgk_event_link_on_error(link, on_error, r, NULL, queue), SGK_OK);
    assert_int_equal(sgk_event_link_on_finish(link, on_finish, r, recorder_handlers(r).destroy, queue), SGK_OK);
}

static void values_wait_for_the_first_who_observes(void **state) {
    (void)state;
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create_value(sgk_int(1));
    recorder *first = recorder_new(), *second = recorder_new(), *late = recorder_new();
    assert_int_equal(sgk_event_emitter_next(emitter, sgk_int(2)), SGK_OK);
    observe(emitter, first, NULL);
    observe(emitter, second, NULL);
    sgk_event_emitter_next(emitter, sgk_int(3));
    ASSERT_VALUES(first, 1, 2, 3);
    ASSERT_VALUES(second, 3);
    assert_int_equal(sgk_event_emitter_finish(emitter), SGK_OK);
    sgk_event_emitter_next(emitter, sgk_int(4)); /* ignored, as a second end is */
    sgk_event_emitter_error(emitter, sgk_int(5));
    observe(emitter, late, NULL);
    assert_int_equal(first->ends + second->ends + late->ends, 3);
    assert_int_equal(first->errors, 0);
    recorder_free(first);
    recorder_free(second);
    recorder_free(late);
}

static sgk_value halve(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) != 40 ? sgk_int(sgk_to_int(value) / 2) : sgk_dropped();
}

static void derived_links_map_and_filter_and_own_what_is_above(void **state) {
    (void)state;
    counted c = {0};
    sgk_event_link *emitter = sgk_event_emitter_create();
    sgk_event_link *shown = sgk_event_link_observer(emitter);
    sgk_event_link *even = sgk_event_link_filter(shown, is_even, &c, counted_destroy);
    sgk_event_link *tens = sgk_event_link_map(even, times_ten, &c, counted_destroy);
    SGK_AUTO(sgk_event_link) last = sgk_event_link_map(tens, halve, &c, counted_destroy);
    sgk_event_link_release(shown);
    sgk_event_link_release(even);
    sgk_event_link_release(tens); /* the chain is held by its last link */
    recorder *r = recorder_new();
    observe(last, r, NULL);
    for (int i = 1; i <= 6; i++) sgk_event_emitter_next(emitter, sgk_int(i));
    ASSERT_VALUES(r, 10, 30); /* 4 is 40 at the last stage */
    assert_int_equal(c.destroyed, 0);
    assert_int_equal(sgk_event_emitter_error(emitter, sgk_int(7)), SGK_OK);
    assert_int_equal(r->errors, 1);
    assert_int_equal(r->error, 7);
    sgk_event_link_release(emitter);
    recorder_free(r);
}

static void who_unlinks_hears_nothing_any_more(void **state) {
    (void)state;
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_event_link) link = sgk_event_link_observer(emitter);
    recorder *r = recorder_new();
    observe(link, r, NULL);
    sgk_event_emitter_next(emitter, sgk_int(1));
    for (int twice = 0; twice < 2; twice++) assert_int_equal(sgk_event_link_unlink(link), SGK_OK);
    sgk_event_emitter_next(emitter, sgk_int(2));
    ASSERT_VALUES(r, 1);
    assert_int_equal(r->destroyed, 1); /* the handlers are released, although the link is still retained */
    assert_int_equal(sgk_event_link_unlink(emitter), SGK_OK); /* which does nothing */
    recorder_free(r);
}

static void a_bag_owns_the_last_links(void **state) {
    (void)state;
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    sgk_link_bag *bag = sgk_link_bag_create();
    recorder *r[3];
    for (int i = 0; i < 3; i++) {
        r[i] = recorder_new();
        SGK_AUTO(sgk_event_link) link = sgk_event_link_observer(emitter);
        observe(link, r[i], NULL);
        for (int twice = 0; twice < 2; twice++) assert_int_equal(sgk_link_bag_add(bag, link), SGK_OK);
        if (i == 2) sgk_event_link_unlink(link); /* leaves the bag */
    }
    sgk_event_emitter_next(emitter, sgk_int(1));
    ASSERT_VALUES(r[0], 1);
    ASSERT_VALUES(r[1], 1);
    assert_int_equal(r[2]->count, 0);
    assert_int_equal(sgk_link_bag_clear(bag), SGK_OK);
    assert_int_equal(r[0]->destroyed + r[1]->destroyed + r[2]->destroyed, 3);
    SGK_AUTO(sgk_event_link) another = sgk_event_link_observer(emitter);
    recorder *late = recorder_new();
    observe(another, late, NULL);
    sgk_link_bag_add(bag, another);
    assert_ptr_equal(sgk_link_bag_retain(bag), bag);
    sgk_link_bag_release(bag);
    assert_int_equal(late->destroyed, 0);
    sgk_link_bag_release(bag); /* going, it unlinks */
    assert_int_equal(late->destroyed, 1);
    for (int i = 0; i < 3; i++) recorder_free(r[i]);
    recorder_free(late);
}

static void handlers_can_be_called_on_a_queue(void **state) {
    (void)state;
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("links");
    recorder *r = recorder_new();
    observe(emitter, r, queue);
    for (int i = 1; i <= 3; i++) sgk_event_emitter_next(emitter, sgk_int(i));
    sgk_event_emitter_finish(emitter);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    ASSERT_VALUES(r, 1, 2, 3);
    assert_int_equal(r->ends, 1);
    recorder_free(r);
}

typedef struct echo {
    sgk_event_link *emitter;
} echo;

static void emit_more(void *context, sgk_value value) {
    if (sgk_to_int(value) < 3) sgk_event_emitter_next(((echo *)context)->emitter, sgk_int(sgk_to_int(value) + 1));
}

static void what_is_emitted_inside_a_handler_comes_after_it(void **state) {
    (void)state;
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    echo e = {emitter};
    recorder *r = recorder_new();
    sgk_event_link_on_next(emitter, emit_more, &e, NULL, NULL);
    observe(emitter, r, NULL);
    sgk_event_emitter_next(emitter, sgk_int(1));
    ASSERT_VALUES(r, 1, 2, 3);
    sgk_event_emitter_finish(emitter);
    recorder_free(r);
}

static void links_become_signals_and_signals_links(void **state) {
    (void)state;
    sgk_event_link *emitter = sgk_event_emitter_create_value(sgk_int(1));
    SGK_AUTO(sgk_signal) signal = sgk_event_link_signal(emitter);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    sgk_event_emitter_next(emitter, sgk_int(2));
    sgk_event_emitter_finish(emitter);
    ASSERT_VALUES(r, 1, 2);
    assert_int_equal(r->ends, 1);
    sgk_event_link_release(emitter);
    recorder_free(r);

    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    recorder *q = recorder_new();
    sgk_event_link *link = sgk_event_link_from_signal(source);
    assert_int_equal(h.starts, 1);
    sgk_subscriber_next(h.subscriber, sgk_int(3)); /* kept for the first handler */
    observe(link, q, NULL);
    sgk_subscriber_next(h.subscriber, sgk_int(4));
    ASSERT_VALUES(q, 3, 4);
    sgk_event_link_release(link);
    assert_int_equal(h.disposals, 1);
    recorder_free(q);
    hand_free(&h);
}

/* An emitter is released when no thread can emit, although its signals and unseen values exist. */
static void an_emitter_is_not_kept_by_its_signals(void **state) {
    (void)state;
    for (int ends = 0; ends < 2; ends++) {
        sgk_event_link *emitter = sgk_event_emitter_create();
        SGK_AUTO(sgk_signal) signal = sgk_event_link_signal(emitter);
        sgk_value value = sgk_signal_value(signal);
        sgk_event_emitter_next(emitter, value);
        sgk_value_release(value);
        if (ends) sgk_event_emitter_finish(emitter);
        sgk_event_link_release(emitter);
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        recorder *late = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, late); /* and is not disposed */
        assert_int_equal(late->nexts, 0);
        assert_int_equal(late->ends, ends);
        recorder_free(late);
    }
    sgk_event_link *emitter = sgk_event_emitter_create();
    sgk_signal *signal = sgk_event_link_signal(emitter);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    sgk_signal_release(signal);
    sgk_event_link *below = sgk_event_link_map(emitter, times_ten, NULL, NULL);
    signal = sgk_event_link_signal(below);
    SGK_AUTO(sgk_disposable) other = record_run(signal, s);
    sgk_signal_release(signal);
    sgk_event_link_release(below); /* a subscription retains its link, and the link its upstream */
    sgk_event_emitter_next(emitter, sgk_int(1));
    sgk_event_link_release(emitter);
    ASSERT_VALUES(r, 1);
    ASSERT_VALUES(s, 10);
    assert_int_equal(r->destroyed, 0);
    sgk_disposable_dispose(other);
    assert_int_equal(r->destroyed, 1); /* released: no thread can emit */
    recorder_free(r);
    recorder_free(s);
}

enum { ROUNDS = 300 };

typedef struct shared {
    sgk_event_link *emitter;
    sgk_link_bag *bag;
    counted callbacks;
} shared;

static void come_and_go(void *context, int index) {
    shared *s = context;
    for (int i = 0; i < ROUNDS; i++) {
        if (index == 0) {
            sgk_value text = sgk_string("x");
            sgk_event_emitter_next(s->emitter, text);
            sgk_value_release(text);
        } else {
            SGK_AUTO(sgk_event_link) link = sgk_event_link_observer(s->emitter);
            SGK_AUTO(sgk_event_link) mapped = sgk_event_link_map(link, times_ten, &s->callbacks, counted_destroy);
            sgk_event_link_on_next(mapped, counted_next, &s->callbacks, counted_destroy, NULL);
            if (i % 3 == 0) sgk_link_bag_add(s->bag, mapped);
            if (i % 5 == 0) sgk_link_bag_clear(s->bag);
            if (i % 2) sgk_event_link_unlink(mapped);
        }
    }
}

static void threads_emit_observe_unlink_and_clear_at_once(void **state) {
    (void)state;
    shared s = {.emitter = sgk_event_emitter_create(), .bag = sgk_link_bag_create()};
    in_parallel(4, come_and_go, &s);
    sgk_link_bag_release(s.bag);
    sgk_event_link_release(s.emitter);
    EVENTUALLY(s.callbacks.destroyed == 2 * 3 * ROUNDS);
}

/* Taking one out costs the same however many there are (twice as many took four times as long): here in an order in
 * which each is in the middle. */
typedef struct numbered {
    int64_t *last;
    int64_t number, *calls;
} numbered;

static void expect_order(void *context, sgk_value value) {
    (void)value;
    numbered *n = context;
    assert_true(n->number > *n->last);
    *n->last = n->number;
    ++*n->calls;
}

static void links_leave_an_emitter_of_many(void **state) {
    (void)state;
    int64_t last = -1, calls = 0, many = repeated(100000);
    sgk_event_link *emitter = sgk_event_emitter_create(), **links = calloc((size_t)many, sizeof *links);
    numbered *numbers = calloc((size_t)many, sizeof *numbers);
    SGK_AUTO(sgk_link_bag) bag = sgk_link_bag_create();
    for (int64_t i = 0; i < many; i++) {
        numbers[i] = (numbered){&last, i, &calls};
        links[i] = sgk_event_link_observer(emitter);
        sgk_event_link_on_next(links[i], expect_order, &numbers[i], NULL, NULL);
        sgk_link_bag_add(bag, links[i]);
    }
    /* those that are left keep their order, and can be taken out at their new places */
    for (int step = 0; step < 3; step++) {
        for (int64_t i = step; i < many; i += 4) sgk_event_link_unlink(links[i]);
        last = -1, calls = 0;
        sgk_event_emitter_next(emitter, sgk_int(step));
        assert_int_equal(calls, many / 4 * (3 - step));
    }
    assert_int_equal(sgk_link_bag_clear(bag), SGK_OK);
    calls = 0;
    sgk_event_emitter_next(emitter, sgk_int(4));
    assert_int_equal(calls, 0);
    for (int64_t i = 0; i < many; i++) sgk_event_link_release(links[i]);
    sgk_event_link_release(emitter);
    free(links);
    free(numbers);
}

int run_links(void) {
    const struct CMUnitTest tests[] = {
        TEST(values_wait_for_the_first_who_observes),
        TEST(derived_links_map_and_filter_and_own_what_is_above),
        TEST(who_unlinks_hears_nothing_any_more),
        TEST(a_bag_owns_the_last_links),
        TEST(links_leave_an_emitter_of_many),
        TEST(handlers_can_be_called_on_a_queue),
        TEST(what_is_emitted_inside_a_handler_comes_after_it),
        TEST(links_become_signals_and_signals_links),
        TEST(an_emitter_is_not_kept_by_its_signals),
        TEST(threads_emit_observe_unlink_and_clear_at_once),
    };
    return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
