/* Promises. */
#include "suite.h"

static void a_promise_passes_on_what_its_source_says(void **state) {
    (void)state;
    hand h[2];
    SGK_AUTO(sgk_signal) first = hand_signal(&h[0]);
    SGK_AUTO(sgk_signal) second = hand_signal(&h[1]);
    SGK_AUTO(sgk_promise) promise = sgk_promise_create();
    SGK_AUTO(sgk_signal) signal = sgk_promise_signal(promise);
    recorder *a = recorder_new(), *b = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, a);
    assert_int_equal(sgk_promise_set(promise, first), SGK_OK);
    sgk_subscriber_next(h[0].subscriber, sgk_int(1));
    SGK_AUTO(sgk_disposable) late = record_run(signal, b);
    sgk_promise_set(promise, second);
    assert_int_equal(h[0].disposals, 1);
    sgk_subscriber_next(h[1].subscriber, sgk_int(2));
    sgk_subscriber_error(h[1].subscriber, sgk_int(3)); /* the value stays */
    ASSERT_VALUES(a, 1, 2);
    ASSERT_VALUES(b, 1, 2);
    assert_int_equal(a->errors + a->ends, 0);
    recorder *c = recorder_new();
    SGK_AUTO(sgk_disposable) last = record_run(signal, c);
    ASSERT_VALUES(c, 2);
    sgk_disposable_dispose(run);
    sgk_disposable_dispose(late);
    sgk_disposable_dispose(last);
    hand_free(&h[0]);
    hand_free(&h[1]);
    recorder_free(a);
    recorder_free(b);
    recorder_free(c);
}

static void a_promise_can_begin_with_a_value_or_at_the_first_access(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_promise) given = sgk_promise_create_value(sgk_int(5));
    SGK_AUTO(sgk_promise) lazy = sgk_promise_create_initialize_on_first_access(source);
    SGK_AUTO(sgk_signal) of_given = sgk_promise_signal(given);
    SGK_AUTO(sgk_signal) of_lazy = sgk_promise_signal(lazy);
    recorder *a = recorder_new(), *b = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(of_given, a);
    ASSERT_VALUES(a, 5);
    assert_int_equal(h.starts, 0);
    SGK_AUTO(sgk_disposable) other = record_run(of_lazy, b);
    assert_int_equal(h.starts, 1);
    sgk_subscriber_next(h.subscriber, sgk_int(6));
    sgk_subscriber_error(h.subscriber, sgk_int(7));
    ASSERT_VALUES(b, 6);
    assert_int_equal(b->errors + b->ends, 0);
    sgk_disposable_dispose(run);
    sgk_disposable_dispose(other);
    hand_free(&h);
    recorder_free(a);
    recorder_free(b);
}

static void when_a_promise_goes_it_says_so(void **state) {
    (void)state;
    counted c = {0}, d = {0};
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    sgk_promise *promise = sgk_promise_create();
    sgk_promise_set(promise, source);
    assert_int_equal(sgk_promise_on_deinit(promise, counted_work, &d, counted_destroy), SGK_OK);
    assert_int_equal(sgk_promise_on_deinit(promise, counted_work, &c, counted_destroy), SGK_OK);
    assert_int_equal(d.destroyed, 1);
    sgk_signal *signal = sgk_promise_signal(promise);
    assert_ptr_equal(sgk_promise_retain(promise), promise);
    sgk_promise_release(promise);
    sgk_promise_release(promise);
    assert_int_equal(c.calls, 0); /* the signal keeps it */
    sgk_signal_release(signal);
    assert_int_equal(c.calls, 1);
    assert_int_equal(c.destroyed, 1);
    assert_int_equal(d.calls, 0);
    assert_int_equal(h.disposals, 1);
    SGK_AUTO(sgk_promise) silent = sgk_promise_create();
    sgk_promise_on_deinit(silent, counted_work, &c, counted_destroy);
    sgk_promise_on_deinit(silent, NULL, NULL, NULL);
    assert_int_equal(c.calls, 1);
    assert_int_equal(c.destroyed, 2);
    hand_free(&h);
}

static void states_hold_what_is_set(void **state) {
    (void)state;
    for (int ignores = 0; ignores <= 1; ignores++) {
        SGK_AUTO(sgk_state)
        promise = ignores ? sgk_state_create(true) : sgk_state_create_value(sgk_int(1), false);
        SGK_AUTO(sgk_signal) signal = sgk_state_signal(promise);
        recorder *a = recorder_new(), *b = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, a);
        const int64_t values[] = {1, 2, 2, 3};
        for (int i = 0; i < 4; i++) assert_int_equal(sgk_state_set(promise, sgk_int(values[i])), SGK_OK);
        SGK_AUTO(sgk_disposable) late = record_run(signal, b);
        if (ignores) ASSERT_VALUES(a, 1, 2, 3);
        else ASSERT_VALUES(a, 1, 1, 2, 2, 3);
        ASSERT_VALUES(b, 3);
        sgk_disposable_dispose(run);
        sgk_disposable_dispose(late);
        recorder_free(a);
        recorder_free(b);
    }
    SGK_AUTO(sgk_state) texts = sgk_state_create(true);
    SGK_AUTO(sgk_state) same = sgk_state_retain(texts);
    SGK_AUTO(sgk_signal) signal = sgk_state_signal(same);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    for (int i = 0; i < 3; i++) {
        sgk_value text = sgk_string("by content");
        sgk_state_set(texts, text);
        sgk_value_release(text);
    }
    assert_int_equal(r->nexts, 1);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

enum { SET = 500 };

static void a_promise_that_follows_itself_is_not_kept_by_that(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        sgk_promise *promise = sgk_promise_create();
        SGK_AUTO(sgk_signal) never = sgk_signal_never();
        sgk_signal *own = sgk_promise_signal(promise);
        sgk_signal *followed = kind == 0 ? sgk_signal_retain(own)
            : kind == 1                  ? sgk_signal_map(own, times_ten, NULL, NULL)
                                         : sgk_merge((sgk_signal *[]){own, never}, 2);
        sgk_promise_set(promise, followed);
        sgk_signal_release(followed);
        sgk_promise_release(promise);
        assert_int_equal(sgk_live_count(SGK_LIVE_PROMISE), 1); /* by its signal */
        sgk_signal_release(own);
        assert_int_equal(sgk_live_count(SGK_LIVE_PROMISE), 0);
    }
}

/* A cycle of the program, which the program must break. Until then the count shows it. */
static void promises_that_follow_each_other_are_counted(void **state) {
    (void)state;
    sgk_promise *promises[2] = {sgk_promise_create(), sgk_promise_create()};
    for (int i = 0; i < 2; i++) {
        SGK_AUTO(sgk_signal) other = sgk_promise_signal(promises[1 - i]);
        sgk_promise_set(promises[i], other);
    }
    sgk_promise_release(promises[1]);
    assert_int_equal(sgk_live_count(SGK_LIVE_PROMISE), 2);
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    sgk_promise_set(promises[0], never);
    assert_int_equal(sgk_live_count(SGK_LIVE_PROMISE), 1);
    sgk_promise_release(promises[0]);
}

static void a_promise_whose_value_is_its_own_signal_is_counted(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        sgk_promise *promise = kind == 0 ? sgk_promise_create() : NULL;
        sgk_state *holder = kind == 1 ? sgk_state_create(true) : NULL;
        sgk_signal *own = promise ? sgk_promise_signal(promise) : sgk_state_signal(holder);
        sgk_value value = sgk_signal_value(own);
        sgk_signal *single = sgk_signal_just(value);
        if (promise) sgk_promise_set(promise, single);
        else sgk_state_set(holder, value);
        sgk_signal_release(own);
        sgk_value_release(value);
        sgk_signal_release(single);
        assert_int_equal(sgk_live_total(), 2);
        SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
        /* breaks the circle */
        if (promise) sgk_promise_set(promise, one);
        else sgk_state_set(holder, sgk_int(1));
        assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
        sgk_promise_release(promise);
        sgk_state_release(holder);
    }
}

static void set_many(void *context, int index) {
    for (int i = 0; i < SET; i++) sgk_state_set(context, sgk_int(index * SET + i));
}

static void everybody_ends_on_the_same_value(void **state) {
    (void)state;
    SGK_AUTO(sgk_state) promise = sgk_state_create(false);
    SGK_AUTO(sgk_signal) signal = sgk_state_signal(promise);
    recorder *r = recorder_new(), *s = recorder_new();
    SGK_AUTO(sgk_signal) last = sgk_signal_distinct_until_changed(signal);
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    in_parallel(3, set_many, promise);
    assert_int_equal(r->nexts, 3 * SET);
    SGK_AUTO(sgk_disposable) late = record_run(last, s);
    assert_true(s->count == 1 && s->values[0] % SET == SET - 1);
    sgk_disposable_dispose(run);
    sgk_disposable_dispose(late);
    recorder_free(r);
    recorder_free(s);
}

typedef struct overtaken {
    sgk_promise *promise;
    hand old, new;
    sgk_signal *old_source, *new_source;
} overtaken;

/* While the old source is being started, the promise is set to the new one. */
static sgk_signal *overtake(void *context) {
    overtaken *o = context;
    assert_int_equal(sgk_promise_set(o->promise, o->new_source), SGK_OK);
    return sgk_signal_retain(o->old_source);
}

static void a_source_that_is_overtaken_in_its_start_does_not_replace_the_newer(void **state) {
    (void)state;
    overtaken o = {.promise = sgk_promise_create()};
    o.old_source = hand_signal(&o.old);
    o.new_source = hand_signal(&o.new);
    SGK_AUTO(sgk_signal) overtaking = sgk_signal_deferred(overtake, &o, NULL);
    sgk_signal *values = sgk_promise_signal(o.promise);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(values, r);
    assert_int_equal(sgk_promise_set(o.promise, overtaking), SGK_OK);
    assert_int_equal(o.old.starts - o.old.disposals, 0); /* it was disposed before its turn */
    assert_int_equal(o.new.starts, 1);
    sgk_subscriber_next(o.new.subscriber, sgk_int(7));
    ASSERT_VALUES(r, 7);
    sgk_disposable_dispose(run);
    sgk_promise_release(o.promise);
    sgk_signal_release(values); /* the last that keeps the promise */
    assert_int_equal(o.new.disposals, 1);
    hand_free(&o.old);
    hand_free(&o.new);
    sgk_signal_release(o.old_source);
    sgk_signal_release(o.new_source);
    recorder_free(r);
}

typedef struct relay {
    hand old, new;
} relay;

static void count_disposal(void *context) { ((hand *)context)->disposals++; }

static sgk_disposable *end_the_old(void *context, sgk_subscriber *subscriber) {
    relay *r = context;
    r->new.subscriber = sgk_subscriber_retain(subscriber);
    sgk_subscriber_complete(r->old.subscriber);
    return sgk_action_disposable_create(count_disposal, &r->new, NULL);
}

/* The old source ends while the new one starts, which stays the one that the promise disposes. */
static void the_end_of_an_old_source_does_not_let_the_newer_go(void **state) {
    (void)state;
    relay r = {0};
    SGK_AUTO(sgk_signal) old = hand_signal(&r.old);
    SGK_AUTO(sgk_signal) new = sgk_signal_create(end_the_old, &r, NULL);
    sgk_promise *promise = sgk_promise_create();
    sgk_promise_set(promise, old);
    sgk_promise_set(promise, new);
    assert_int_equal(r.new.disposals, 0);
    sgk_promise_release(promise);
    assert_int_equal(r.new.disposals, 1);
    hand_free(&r.old);
    sgk_subscriber_release(r.new.subscriber);
}

/* ---- State ---- */

enum { CHANGES = 2000 };

static sgk_status add_one(void *context, sgk_value value, sgk_value *result) {
    if (context) ++*(int *)context;
    *result = sgk_int(sgk_to_int(value) + 1);
    return SGK_OK;
}

static void count_up(void *promise, int index) {
    (void)index;
    for (int i = 0; i < CHANGES; i++) assert_int_equal(sgk_state_modify(promise, add_one, NULL), SGK_OK);
}

typedef struct ascent {
    int64_t last;
    bool is_broken;
} ascent;

static void expect_one_more(void *context, sgk_value value) {
    ascent *a = context;
    if (sgk_to_int(value) != ++a->last) a->is_broken = true;
}

static void no_change_of_several_threads_is_lost_or_out_of_order(void **state) {
    (void)state;
    for (int ignores = 0; ignores <= 1; ignores++) {
        SGK_AUTO(sgk_state) promise = sgk_state_create_value(sgk_int(0), ignores);
        SGK_AUTO(sgk_signal) signal = sgk_state_signal(promise);
        ascent a = {.last = -1};
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, expect_one_more, &a, NULL);
        in_parallel(3, count_up, promise);
        assert_int_equal(sgk_to_int(sgk_state_value(promise)), 3 * CHANGES);
        assert_int_equal(a.last, 3 * CHANGES);
        assert_false(a.is_broken);
        sgk_disposable_dispose(run);
    }
}

typedef struct changing {
    sgk_state *promise;
    int calls;
    sgk_status answer;
} changing;

static sgk_status append_a_letter(void *context, sgk_value value, sgk_value *result) {
    changing *c = context;
    char text[16];
    if (c->calls++ == 0) assert_int_equal(sgk_state_set(c->promise, sgk_give(sgk_string("between"))), SGK_OK);
    snprintf(text, sizeof text, "%sb", value.kind == SGK_NULL ? "" : sgk_value_data(value, NULL));
    *result = sgk_string(text);
    return c->answer;
}

static void a_function_of_c_changes_the_value(void **state) {
    (void)state;
    SGK_AUTO(sgk_state) promise = sgk_state_create(false);
    assert_int_equal(sgk_state_value(promise).kind, SGK_NULL);
    changing c = {.promise = promise, .calls = 1};
    assert_int_equal(sgk_state_modify(promise, append_a_letter, &c), SGK_OK); /* of null */
    c.calls = 0;
    recorder *r = recorder_new();
    SGK_AUTO(sgk_signal) signal = sgk_state_signal(promise);
    SGK_AUTO(sgk_signal) changes = sgk_signal_to_events(signal);
    SGK_AUTO(sgk_disposable) run = record_run(changes, r);
    /* what it sets itself comes before its result */
    assert_int_equal(sgk_state_modify(promise, append_a_letter, &c), SGK_OK);
    assert_int_equal(r->nexts, 3);
    sgk_value value = sgk_state_value(promise);
    assert_string_equal(sgk_value_data(value, NULL), "bb");
    sgk_value_release(value);
    c.answer = SGK_ERROR_KIND; /* its result is released, and nothing changes */
    assert_int_equal(sgk_state_modify(promise, append_a_letter, &c), SGK_ERROR_KIND);
    assert_int_equal(r->nexts, 3);
    assert_int_equal(c.calls, 2);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

static void *set_ten(void *promise) {
    sgk_state_set(promise, sgk_int(10));
    return NULL;
}

static sgk_status add_one_to_ten(void *context, sgk_value value, sgk_value *result) {
    changing *c = context;
    pthread_t thread;
    if (c->calls++ == 0) {
        assert_int_equal(pthread_create(&thread, NULL, set_ten, c->promise), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    return add_one(NULL, value, result);
}

/* A change does not overwrite a value that another thread sets in the meantime. */
static void a_change_is_made_again_of_what_is_set_meanwhile(void **state) {
    (void)state;
    for (int ignores = 0; ignores <= 1; ignores++) {
        SGK_AUTO(sgk_state) promise = sgk_state_create_value(sgk_int(0), ignores);
        changing c = {.promise = promise};
        assert_int_equal(sgk_state_modify(promise, add_one_to_ten, &c), SGK_OK);
        assert_int_equal(c.calls, 2);
        assert_int_equal(sgk_to_int(sgk_state_value(promise)), 11);
    }
}

int run_promises(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_promise_passes_on_what_its_source_says),
        TEST(a_promise_can_begin_with_a_value_or_at_the_first_access),
        TEST(when_a_promise_goes_it_says_so),
        TEST(states_hold_what_is_set),
        TEST(a_promise_that_follows_itself_is_not_kept_by_that),
        TEST(promises_that_follow_each_other_are_counted),
        TEST(a_promise_whose_value_is_its_own_signal_is_counted),
        TEST(everybody_ends_on_the_same_value),
        TEST(a_source_that_is_overtaken_in_its_start_does_not_replace_the_newer),
        TEST(the_end_of_an_old_source_does_not_let_the_newer_go),
        TEST(no_change_of_several_threads_is_lost_or_out_of_order),
        TEST(a_function_of_c_changes_the_value),
        TEST(a_change_is_made_again_of_what_is_set_meanwhile),
    };
    return cmocka_run_group_tests_name("promises", tests, NULL, NULL);
}
