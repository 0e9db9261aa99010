/* Depth of nesting: a limit is reported, and everything else needs no stack. */
#include "suite.h"

enum { SMALL_STACK = 256 * 1024 };

/* A million, or what SUITE_ROUNDS says: under an instrument that makes everything slow. */
static int64_t many = 1000000;

typedef struct outcome {
    int64_t received, ends, destroyed;
} outcome;

static void receive(void *context, sgk_value value) {
    (void)value;
    ((outcome *)context)->received++;
}
static void end(void *context) { ((outcome *)context)->ends++; }

static void run_to_its_end(sgk_signal *signal, outcome *o) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = o;
    handlers.next = receive;
    handlers.completed = end;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
}

static void release_signal(void *signal) { sgk_signal_release(signal); }

static void replace(sgk_signal **slot, sgk_signal *signal) {
    assert_non_null(signal);
    sgk_signal_release(*slot);
    *slot = signal;
}

/* ---- Successors ---- */

static void nest_to_the_left(void *context) {
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) row = sgk_signal_retain(one);
    for (int64_t i = 1; i < many; i++) replace(&row, sgk_signal_concat_with(row, one));
    run_to_its_end(row, context);
}

static void nest_to_the_right(void *context) {
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) row = sgk_signal_retain(one);
    for (int64_t i = 1; i < many; i++) replace(&row, sgk_signal_concat_with(one, row));
    run_to_its_end(row, context);
}

/* Pairs of pairs of pairs: the row doubles with each. */
static void nest_to_both_sides(void *context) {
    SGK_AUTO(sgk_signal) row = sgk_signal_just(sgk_int(1));
    for (int64_t length = 1; length < many; length *= 2) replace(&row, sgk_signal_concat_with(row, row));
    run_to_its_end(row, context);
}

static void successors_of_any_number_need_no_stack(void **state) {
    (void)state;
    outcome o = {0};
    on_stack_of(SMALL_STACK, nest_to_the_left, &o);
    assert_true(o.received == many && o.ends == 1);
    o = (outcome){0};
    on_stack_of(SMALL_STACK, nest_to_the_right, &o);
    assert_true(o.received == many && o.ends == 1);
    o = (outcome){0};
    on_stack_of(SMALL_STACK, nest_to_both_sides, &o);
    assert_true(o.received >= many && o.ends == 1);
}

static __attribute__((noinline)) void nest_far_down(void *context) {
    volatile char used[1 << 20];
    used[0] = 0;
    nest_to_the_left(context);
    assert_true(used[0] == 0);
}

/* The main thread's stack grows, and a system may say of it only how much there is so far. */
static void nor_far_down_the_main_threads_stack(void **state) {
    (void)state;
#if __has_feature(thread_sanitizer)
    skip(); /* it supports 65,536 nested calls, and this stack is large */
#endif
    outcome few = {0}, o = {0};
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    run_to_its_end(one, &few); /* now it is known */
    nest_far_down(&o);
    assert_true(o.received == many && o.ends == 1);
}

/* ---- Signals that are made at each start ---- */

static sgk_signal *given(void *signal) { return sgk_signal_retain(signal); }

typedef struct making {
    outcome outcome;
    int64_t made;
} making;

static sgk_signal *another(void *context) {
    making *m = context;
    if (++m->made == many) return sgk_signal_just(sgk_int(1));
    return sgk_signal_deferred(another, m, NULL);
}

static void make_makers(void *context) {
    making *m = context;
    SGK_AUTO(sgk_signal) first = sgk_signal_deferred(another, m, NULL);
    run_to_its_end(first, &m->outcome);
}

static void what_is_made_at_the_start_needs_no_stack(void **state) {
    (void)state;
    making m = {0};
    on_stack_of(SMALL_STACK, make_makers, &m);
    assert_true(m.made == many && m.outcome.received == 1 && m.outcome.ends == 1);
}

/* ---- Letting go ---- */

static void defer_each_other(void *context) {
    SGK_AUTO(sgk_signal) chain = sgk_signal_just(sgk_int(1));
    for (int64_t i = 0; i < many; i++)
        replace(&chain, sgk_signal_deferred(given, sgk_signal_retain(chain), release_signal));
    run_to_its_end(chain, context);
}

static sgk_disposable *nothing(void *context, sgk_subscriber *subscriber) {
    (void)context;
    (void)subscriber;
    return NULL;
}

static void create_around_each_other(void *context) {
    (void)context;
    SGK_AUTO(sgk_signal) chain = sgk_signal_never();
    for (int64_t i = 0; i < many; i++)
        replace(&chain, sgk_signal_create(nothing, sgk_signal_retain(chain), release_signal));
}

static void wrap_in_values(void *context) {
    (void)context;
    SGK_AUTO(sgk_signal) chain = sgk_signal_never();
    for (int64_t i = 0; i < many; i++) {
        sgk_value value = sgk_signal_value(chain);
        replace(&chain, sgk_signal_just(value));
        sgk_value_release(value);
    }
}

static void follow_each_other(void *context) {
    (void)context;
    sgk_promise *last = sgk_promise_create();
    for (int64_t i = 0; i < many / 10; i++) {
        sgk_promise *next = sgk_promise_create();
        SGK_AUTO(sgk_signal) values = sgk_promise_signal(last);
        assert_int_equal(sgk_promise_set(next, values), SGK_OK);
        sgk_promise_release(last);
        last = next;
    }
    sgk_promise_release(last);
}

/* The ordinary runtime of Swift, in a library built with it, releases recursively. */
static void letting_go_of_any_depth_needs_no_stack(void **state) {
    (void)state;
    if (getenv("SUITE_HOSTED")) return skip();
    outcome o = {0};
    on_stack_of(SMALL_STACK, defer_each_other, &o);
    assert_true(o.received == 1 && o.ends == 1);
    on_stack_of(SMALL_STACK, create_around_each_other, NULL);
    on_stack_of(SMALL_STACK, wrap_in_values, NULL);
    on_stack_of(SMALL_STACK, follow_each_other, NULL);
}

/* ---- Disposables ---- */

static void *wrap_strictly(void *disposable) { return sgk_disposable_strict(disposable, "depth.c", 1); }

static void *put_into_a_set(void *disposable) {
    sgk_disposable *set = sgk_disposable_bag_create();
    assert_int_equal(sgk_disposable_bag_add(set, disposable), SGK_OK);
    return set;
}

static void *put_into_a_meta(void *disposable) {
    sgk_disposable *slot = sgk_disposable_slot_create();
    assert_int_equal(sgk_disposable_slot_set(slot, disposable), SGK_OK);
    return slot;
}

static void *put_into_a_dict(void *disposable) {
    sgk_disposable *dict = sgk_disposable_dict_create();
    assert_int_equal(sgk_disposable_dict_set(dict, sgk_int(1), disposable), SGK_OK);
    return dict;
}

typedef struct nesting {
    void *(*wrap)(void *disposable);
    counted action;
} nesting;

static void nest_disposables(void *context) {
    nesting *n = context;
    sgk_disposable *outer = sgk_action_disposable_create(counted_work, &n->action, counted_destroy);
    for (int64_t i = 0; i < many; i++) {
        sgk_disposable *next = n->wrap(outer);
        sgk_disposable_release(outer);
        outer = next;
    }
    sgk_disposable_dispose(outer);
    assert_int_equal(n->action.calls, 1);
    sgk_disposable_release(outer);
}

static void disposables_of_any_depth_need_no_stack(void **state) {
    (void)state;
    void *(*wraps[])(void *) = {wrap_strictly, put_into_a_set, put_into_a_meta, put_into_a_dict};
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
        nesting n = {wraps[i], {0}};
        on_stack_of(SMALL_STACK, nest_disposables, &n);
        assert_int_equal(n.action.calls, 1);
        assert_int_equal(n.action.destroyed, 1);
    }
}

/* ---- A signal that contains itself ---- */

typedef struct mirror {
    sgk_signal *(*join)(sgk_signal *signals);
    sgk_disposable *run;
    int64_t starts;
} mirror;

static void count_start(void *context) {
    mirror *m = context;
    if (++m->starts == many / 50) sgk_disposable_dispose(m->run);
}

static void hand_out(void *context, sgk_disposable *run) { ((mirror *)context)->run = sgk_disposable_retain(run); }

static void look_into_it(void *context) {
    mirror *m = context;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create_replay();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) counting = sgk_signal_before_started(values, count_start, m, NULL);
    SGK_AUTO(sgk_signal) joined = m->join(counting);
    put_signal(pipe, joined);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = m;
    handlers.started = hand_out;
    sgk_disposable_release(sgk_signal_start(joined, &handlers)); /* comes back when it has been disposed */
    sgk_disposable_release(m->run);
    sgk_pipe_next(pipe, sgk_null());
}

static void a_signal_that_contains_itself_goes_on_until_it_is_disposed(void **state) {
    (void)state;
    sgk_signal *(*joins[])(sgk_signal *) = {
        sgk_signal_switch_to_latest, sgk_signal_concat_all, sgk_signal_concat_latest};
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        mirror m = {joins[i], NULL, 0};
        on_stack_of(SMALL_STACK, look_into_it, &m);
        assert_int_equal(m.starts, many / 50);
    }
}

/* ---- Limits ---- */

static sgk_value one_more(void *context, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) + 1);
}

static void sum(void *context, sgk_value value) { *(int64_t *)context += sgk_to_int(value); }

/* Neighbouring steps run in one loop; and one more of them takes the same time, however many there are. */
static void count_by_maps(void *context) {
    SGK_AUTO(sgk_signal) chain = sgk_signal_just(sgk_int(0));
    int64_t maps = many / 20;
    for (int64_t i = 0; i < maps; i++) replace(&chain, sgk_signal_map(chain, one_more, NULL, NULL));
    sgk_disposable_release(sgk_signal_start_next(chain, sum, context, NULL));
    assert_int_equal(*(int64_t *)context, maps);
}

static void fifty_thousand_steps_are_a_few_stages(void **state) {
    (void)state;
    int64_t total = 0;
    on_stack_of(SMALL_STACK, count_by_maps, &total);
    assert_int_equal(total, many / 20);
}

static void mixed_chain(void *context) {
    (void)context;
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) chain = sgk_signal_retain(one);
    sgk_signal *longer;
    int stages = 0;
    /* a signal that directly follows another is not a stage, but this one is */
    while ((longer = sgk_signal_concat_with(chain, one))) {
        replace(&chain, longer);
        stages++;
        if (!(longer = sgk_signal_share(chain, 0, 0, NULL))) break;
        replace(&chain, longer);
        stages++;
    }
    assert_int_equal(stages, 500);
    assert_int_equal(sgk_last_status(), SGK_ERROR_ARGUMENT);
    sgk_clear_error();
    outcome o = {0};
    run_to_its_end(chain, &o);
    assert_true(o.received == 251 && o.ends == 1);
    assert_null(sgk_merge((sgk_signal *[]){one, chain}, 2));
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_merge: signal: already has the maximum of 500 stages");
    assert_null(sgk_signal_concat_with(one, chain));
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_signal_concat_with: next: already has the maximum of 500 stages");
    assert_null(sgk_signal_map(chain, one_more, NULL, NULL));
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_signal_map: signal: already has the maximum of 500 stages");
    SGK_AUTO(sgk_promise) promise = sgk_promise_create(); /* begins anew */
    assert_int_equal(sgk_promise_set(promise, chain), SGK_OK);
}

static void stages_have_a_limit(void **state) {
    (void)state;
    on_stack_of(512 * 1024, mixed_chain, NULL);
}

static void link_as_long_as_possible(void *context) {
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_event_link) last = sgk_event_link_retain(emitter);
    sgk_event_link *next;
    int links = 0;
    while ((next = sgk_event_link_map(last, one_more, NULL, NULL))) {
        sgk_event_link_release(last);
        last = next;
        links++;
    }
    assert_int_equal(links, 500);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_event_link_map: link: already has the maximum number of links upstream");
    assert_null(sgk_event_link_signal(last)); /* a way around the limit would be none */
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_event_link_signal: link: ");
    sgk_event_link_on_next(last, sum, context, NULL, NULL);
    sgk_event_emitter_next(emitter, sgk_int(0));
}

/* Nor are signals in between. */
static void link_by_signals(void *context) {
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_event_link) last = sgk_event_link_retain(emitter);
    int links = 0;
    for (sgk_signal *signal; links < 700 && (signal = sgk_event_link_signal(last)); links++) {
        sgk_event_link_replace(&last, sgk_event_link_from_signal(signal));
        sgk_signal_release(signal);
    }
    assert_int_equal(links, 500);
    assert_failed(SGK_ERROR_ARGUMENT, "sgk_event_link_signal: link: already has the maximum number of links upstream");
    sgk_event_link_on_next(last, sum, context, NULL, NULL);
    sgk_event_emitter_next(emitter, sgk_int(500));
}

static void links_have_a_limit(void **state) {
    (void)state;
    void (*const ways[])(void *) = {link_as_long_as_possible, link_by_signals};
    for (int i = 0; i < 2; i++) {
        int64_t total = 0;
        on_stack_of(512 * 1024, ways[i], &total);
        assert_int_equal(total, 500);
    }
}

int run_depth(void) {
    if (getenv("SUITE_ROUNDS")) many = atoll(getenv("SUITE_ROUNDS"));
    const struct CMUnitTest tests[] = {
        TEST(successors_of_any_number_need_no_stack),
        TEST(nor_far_down_the_main_threads_stack),
        TEST(what_is_made_at_the_start_needs_no_stack),
        TEST(letting_go_of_any_depth_needs_no_stack),
        TEST(disposables_of_any_depth_need_no_stack),
        TEST(a_signal_that_contains_itself_goes_on_until_it_is_disposed),
        TEST(fifty_thousand_steps_are_a_few_stages),
        TEST(stages_have_a_limit),
        TEST(links_have_a_limit),
    };
    return cmocka_run_group_tests_name("depth", tests, NULL, NULL);
}
