/* Disposables of every kind. */
#include "suite.h"

#include <malloc.h>

static sgk_disposable *action(counted *c) { return sgk_action_disposable_create(counted_work, c, counted_destroy); }

static void an_action_runs_once(void **state) {
    (void)state;
    counted c = {0};
    sgk_disposable *disposable = action(&c);
    assert_int_equal(sgk_disposable_dispose(disposable), SGK_OK);
    assert_int_equal(sgk_disposable_dispose(disposable), SGK_OK);
    assert_int_equal(c.calls, 1);
    assert_int_equal(c.destroyed, 1);
    sgk_disposable_release(disposable);
    assert_int_equal(c.destroyed, 1);
}

static void letting_go_does_not_dispose(void **state) {
    (void)state;
    counted c = {0};
    sgk_disposable *disposable = action(&c);
    assert_ptr_equal(sgk_disposable_retain(disposable), disposable);
    sgk_disposable_release(disposable);
    assert_int_equal(c.destroyed, 0);
    sgk_disposable_release(disposable);
    assert_int_equal(c.calls, 0);
    assert_int_equal(c.destroyed, 1);
}

static void a_disposable_slot_replaces_its_child(void **state) {
    (void)state;
    counted a = {0}, b = {0}, c = {0};
    sgk_disposable *slot = sgk_disposable_slot_create(), *first = action(&a), *second = action(&b), *third = action(&c);
    assert_int_equal(sgk_disposable_slot_set(slot, first), SGK_OK);
    sgk_disposable_slot_set(slot, first); /* the same again: nothing happens */
    assert_int_equal(a.calls, 0);
    sgk_disposable_slot_set(slot, second);
    assert_int_equal(a.calls, 1);
    sgk_disposable_slot_set(slot, NULL);
    assert_int_equal(b.calls, 1);
    sgk_disposable_dispose(slot);
    sgk_disposable_slot_set(slot, third);
    assert_int_equal(c.calls, 1);
    sgk_disposable_release(first);
    sgk_disposable_release(second);
    sgk_disposable_release(third);
    sgk_disposable_release(slot);
}

static void a_set_disposes_its_members(void **state) {
    (void)state;
    counted a = {0}, b = {0}, c = {0}, d = {0};
    sgk_disposable *set = sgk_disposable_bag_create(), *first = action(&a), *second = action(&b), *third = action(&c),
                   *late = action(&d);
    assert_int_equal(sgk_disposable_bag_add(set, first), SGK_OK);
    sgk_disposable_bag_add(set, second);
    sgk_disposable_bag_add(set, third);
    assert_int_equal(sgk_disposable_bag_remove(set, second), SGK_OK);
    assert_int_equal(sgk_disposable_bag_remove(set, second), SGK_OK);
    assert_int_equal(sgk_disposable_bag_remove(set, third), SGK_OK);
    sgk_disposable_dispose(set);
    assert_int_equal(a.calls, 1);
    assert_int_equal(b.calls, 0);
    assert_int_equal(c.calls, 0);
    sgk_disposable_bag_add(set, late);
    assert_int_equal(d.calls, 1);
    assert_int_equal(sgk_disposable_bag_remove(set, late), SGK_OK);
    sgk_disposable_release(first);
    sgk_disposable_release(second);
    sgk_disposable_release(third);
    sgk_disposable_release(late);
    sgk_disposable_release(set);
}

static void a_dict_holds_one_per_key(void **state) {
    (void)state;
    counted a = {0}, b = {0}, c = {0}, d = {0};
    sgk_disposable *dict = sgk_disposable_dict_create(), *first = action(&a), *second = action(&b), *third = action(&c),
                   *late = action(&d);
    sgk_value key = sgk_string("key"), same = sgk_string("key");
    assert_int_equal(sgk_disposable_dict_set(dict, key, first), SGK_OK);
    sgk_disposable_dict_set(dict, sgk_int(1), second);
    sgk_disposable_dict_set(dict, same, third);
    assert_int_equal(a.calls, 1);
    sgk_disposable_dict_set(dict, key, NULL);
    assert_int_equal(c.calls, 1);
    sgk_disposable_dispose(dict);
    assert_int_equal(b.calls, 1);
    assert_int_equal(c.calls, 1);
    sgk_disposable_dict_set(dict, key, late);
    assert_int_equal(d.calls, 1);
    sgk_value_release(key);
    sgk_value_release(same);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0); /* it has not kept the key */
    sgk_disposable_release(late);
    sgk_disposable_release(first);
    sgk_disposable_release(second);
    sgk_disposable_release(third);
    sgk_disposable_release(dict);
}

static sgk_disposable *counted_run(sgk_signal *signal, counted *c) {
    return sgk_signal_start_next(signal, counted_next, c, counted_destroy);
}

/* Returns the number of allocated bytes; 0 if the C library does not report it. */
static size_t allocated_bytes(void) {
#ifdef __GLIBC__
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

static void runs_that_are_over_leave_their_containers(void **state) {
    (void)state;
    sgk_disposable *set = sgk_disposable_bag_create(), *dict = sgk_disposable_dict_create();
    enum { NUMBER = 20000 };
    SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    size_t before = allocated_bytes();
    /* over when they are added, disposed afterwards, or strict, which makes an object more */
    for (int i = 0; i < NUMBER; i++) {
        SGK_AUTO(sgk_disposable) ended = sgk_signal_start(single, NULL);
        SGK_AUTO(sgk_disposable) disposed = sgk_signal_start(source, NULL);
        SGK_AUTO(sgk_disposable) strict = SGK_STRICT(sgk_signal_start(source, NULL));
        sgk_disposable *runs[] = {ended, disposed, strict};
        for (int r = 0; r < 3; r++) {
            sgk_disposable_bag_add(set, runs[r]);
            sgk_disposable_dict_set(dict, sgk_int(3 * i + r), runs[r]);
            sgk_disposable_dispose(runs[r]);
        }
    }
    assert_true(allocated_bytes() < before + 20 * NUMBER);
    sgk_disposable_release(set);
    sgk_disposable_release(dict);
}

/* Ends 15,000 subscriptions of a set, after removing all its members (in random order) and adding them again. */
static void a_set_of_many_runs(void **state) {
    (void)state;
    enum { NUMBER = 20000 };
    sgk_disposable *set = sgk_disposable_bag_create(), **runs = malloc(NUMBER * sizeof *runs);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    counted c = {0};
    for (int i = 0; i < NUMBER; i++) {
        runs[i] = i % 4 ? counted_run(source, &c) : action(&c);
        sgk_disposable_bag_add(set, runs[i]);
    }
    for (int i = 0; i < NUMBER; i++) sgk_disposable_bag_remove(set, runs[(int64_t)i * 7919 % NUMBER]);
    for (int i = 0; i < NUMBER; i++) {
        sgk_disposable_bag_add(set, runs[i]);
        sgk_disposable_release(runs[i]);
    }
    free(runs);
    sgk_pipe_complete(pipe);
    assert_int_equal(c.destroyed, NUMBER / 4 * 3);
    assert_int_equal(c.calls, 0);
    sgk_disposable_dispose(set);
    assert_int_equal(c.calls, NUMBER / 4);
    sgk_disposable_release(set);
}

enum { CROWD = 32 };

typedef struct crowd {
    sgk_disposable *sets[2], *dict;
    sgk_pipe *pipes[CROWD];
    sgk_signal *sources[CROWD];
    counted c;
} crowd;

static void join_and_end(void *context, int thread) {
    crowd *all = context;
    for (int i = 0; i < CROWD; i++) {
        if (thread == 0) {
            sgk_pipe_complete(all->pipes[i]);
        } else if (thread == 1) {
            if (i == CROWD / 2) sgk_disposable_dispose(all->sets[0]);
        } else {
            SGK_AUTO(sgk_disposable) run = counted_run(all->sources[i], &all->c);
            sgk_disposable_bag_add(all->sets[thread % 2], run);
            sgk_disposable_bag_add(all->sets[0], run);
            sgk_disposable_dict_set(all->dict, sgk_int(i % 5), run);
            if (i % 3 == 0) sgk_disposable_bag_remove(all->sets[thread % 2], run);
        }
    }
}

static void runs_end_while_they_are_added_removed_and_disposed(void **state) {
    (void)state;
    for (int round = 0; round < 100; round++) {
        crowd all = {
            {sgk_disposable_bag_create(), sgk_disposable_bag_create()}, sgk_disposable_dict_create(), {0}, {0}, {0}};
        for (int i = 0; i < CROWD; i++) {
            all.pipes[i] = sgk_pipe_create();
            all.sources[i] = sgk_pipe_signal(all.pipes[i]);
        }
        in_parallel(4, join_and_end, &all);
        for (int i = 0; i < CROWD; i++) {
            sgk_signal_release(all.sources[i]);
            sgk_pipe_release(all.pipes[i]);
        }
        assert_int_equal(all.c.destroyed, 2 * CROWD);
        assert_int_equal(sgk_live_count(SGK_LIVE_DISPOSABLE), 3);
        for (int i = 0; i < 2; i++) sgk_disposable_release(all.sets[i]);
        sgk_disposable_release(all.dict);
    }
}

static char logged[512];

static void keep_log(void *context, const char *message) {
    ((counted *)context)->calls++;
    snprintf(logged, sizeof logged, "%s", message);
}

static void a_strict_disposable_reports_when_it_is_let_go_too_early(void **state) {
    (void)state;
    counted log = {0}, c = {0};
    sgk_set_log_handler(keep_log, &log, counted_destroy);
    assert_int_equal(sgk_live_total(), 0); /* it is not a leak */
    sgk_disposable *strict = SGK_STRICT(action(&c));
    int line = __LINE__ - 1;
    sgk_disposable_release(strict);
    assert_int_equal(log.calls, 1);
    char expected[600];
    snprintf(expected, sizeof expected, "%s:%d: ", __FILE__, line);
    assert_memory_equal(logged, expected, strlen(expected));

    strict = SGK_STRICT(action(&c));
    sgk_disposable_dispose(strict);
    sgk_disposable_dispose(strict);
    sgk_disposable_release(strict);
    assert_int_equal(c.calls, 1);

    sgk_signal *single = sgk_signal_just(sgk_int(1));
    sgk_disposable_release(SGK_STRICT(sgk_signal_start(single, NULL))); /* has completed */
    sgk_signal_release(single);
    assert_int_equal(log.calls, 1);
    sgk_set_log_handler(NULL, NULL, NULL);
    assert_int_equal(log.destroyed, 1);
    assert_null(SGK_STRICT(NULL));
}

typedef struct self_disposing {
    sgk_disposable *disposable;
    int calls;
} self_disposing;

static void it_is_told_what_has_become_of_a_run(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) first = sgk_signal_take(values, 1);
    SGK_AUTO(sgk_signal) pairs = sgk_combine_latest((sgk_signal *const[]){values, first}, 2, NULL);
    sgk_signal *const signals[] = {values, first, pairs};
    for (int i = 0; i < 3; i++) {
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(signals[i], NULL);
        assert_string_equal(sgk_disposable_state(run), "running");
        sgk_disposable_dispose(run);
        assert_string_equal(sgk_disposable_state(run), "disposed");
    }
    SGK_AUTO(sgk_disposable) ends = sgk_signal_start_waitable(values, NULL);
    SGK_AUTO(sgk_disposable) strict = SGK_STRICT(sgk_signal_start(values, NULL));
    SGK_AUTO(sgk_disposable) taken = sgk_signal_start(first, NULL);
    assert_string_equal(sgk_disposable_state(ends), "running");
    sgk_pipe_next(pipe, sgk_int(1));
    assert_string_equal(sgk_disposable_state(taken), "disposed"); /* by take */
    sgk_pipe_complete(pipe);
    assert_string_equal(sgk_disposable_state(ends), "ended");
    assert_string_equal(sgk_disposable_state(strict), "ended");
    SGK_AUTO(sgk_disposable) none = sgk_disposable_slot_create();
    assert_string_equal(sgk_disposable_state(none), "no run");
}

static void dispose_itself(void *context) {
    self_disposing *s = context;
    s->calls++;
    assert_int_equal(sgk_disposable_dispose(s->disposable), SGK_OK);
}

static void disposing_from_inside_the_action_does_nothing(void **state) {
    (void)state;
    self_disposing s = {0};
    s.disposable = sgk_action_disposable_create(dispose_itself, &s, NULL);
    sgk_disposable_dispose(s.disposable);
    assert_int_equal(s.calls, 1);
    sgk_disposable_release(s.disposable);
}

static void dispose_shared(void *context, int index) {
    (void)index;
    sgk_disposable_dispose(context);
}

static void many_threads_dispose_once(void **state) {
    (void)state;
    for (int round = 0; round < 50; round++) {
        counted c = {0};
        sgk_disposable *disposable = action(&c);
        in_parallel(4, dispose_shared, disposable);
        assert_int_equal(c.calls, 1);
        sgk_disposable_release(disposable);
        assert_int_equal(c.destroyed, 1);
    }
}

int run_disposables(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_action_runs_once),
        TEST(letting_go_does_not_dispose),
        TEST(a_disposable_slot_replaces_its_child),
        TEST(a_set_disposes_its_members),
        TEST(a_dict_holds_one_per_key),
        TEST(runs_that_are_over_leave_their_containers),
        TEST(a_set_of_many_runs),
        TEST(runs_end_while_they_are_added_removed_and_disposed),
        TEST(a_strict_disposable_reports_when_it_is_let_go_too_early),
        TEST(it_is_told_what_has_become_of_a_run),
        TEST(disposing_from_inside_the_action_does_nothing),
        TEST(many_threads_dispose_once),
    };
    return cmocka_run_group_tests_name("disposables", tests, NULL, NULL);
}
