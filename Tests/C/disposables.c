/* Disposables of every kind. */
#include "suite.h"

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

static void a_meta_disposable_replaces_its_child(void **state) {
    (void)state;
    counted a = {0}, b = {0}, c = {0};
    sgk_disposable *meta = sgk_meta_disposable_create(), *first = action(&a), *second = action(&b), *third = action(&c);
    assert_int_equal(sgk_meta_disposable_set(meta, first), SGK_OK);
    sgk_meta_disposable_set(meta, first); /* the same again: nothing happens */
    assert_int_equal(a.calls, 0);
    sgk_meta_disposable_set(meta, second);
    assert_int_equal(a.calls, 1);
    sgk_meta_disposable_set(meta, NULL);
    assert_int_equal(b.calls, 1);
    sgk_disposable_dispose(meta);
    sgk_meta_disposable_set(meta, third);
    assert_int_equal(c.calls, 1);
    sgk_disposable_release(first);
    sgk_disposable_release(second);
    sgk_disposable_release(third);
    sgk_disposable_release(meta);
}

static void a_set_disposes_its_members(void **state) {
    (void)state;
    counted a = {0}, b = {0}, c = {0}, d = {0};
    sgk_disposable *set = sgk_disposable_set_create(), *first = action(&a), *second = action(&b), *third = action(&c), *late = action(&d);
    assert_int_equal(sgk_disposable_set_add(set, first), SGK_OK);
    sgk_disposable_set_add(set, second);
    sgk_disposable_set_add(set, third);
    assert_int_equal(sgk_disposable_set_remove(set, second), SGK_OK);
    assert_int_equal(sgk_disposable_set_remove(set, second), SGK_OK);
    assert_int_equal(sgk_disposable_set_remove_last(set), SGK_OK);
    sgk_disposable_dispose(set);
    assert_int_equal(a.calls, 1);
    assert_int_equal(b.calls, 0);
    assert_int_equal(c.calls, 0);
    sgk_disposable_set_add(set, late);
    assert_int_equal(d.calls, 1);
    assert_int_equal(sgk_disposable_set_remove_last(set), SGK_OK);
    sgk_disposable_release(first);
    sgk_disposable_release(second);
    sgk_disposable_release(third);
    sgk_disposable_release(late);
    sgk_disposable_release(set);
}

static void a_dict_holds_one_per_key(void **state) {
    (void)state;
    counted a = {0}, b = {0}, c = {0};
    sgk_disposable *dict = sgk_disposable_dict_create(), *first = action(&a), *second = action(&b), *third = action(&c);
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
    sgk_value_release(key);
    sgk_value_release(same);
    sgk_disposable_release(first);
    sgk_disposable_release(second);
    sgk_disposable_release(third);
    sgk_disposable_release(dict);
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
    assert_int_equal(sgk_live_total(), 0); /* it is no leak */
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

    sgk_signal *single = sgk_signal_single(sgk_int(1));
    sgk_disposable_release(SGK_STRICT(sgk_signal_start(single, NULL))); /* has ended by itself */
    sgk_signal_release(single);
    assert_int_equal(log.calls, 1);
    sgk_set_log_handler(NULL, NULL, NULL);
    assert_int_equal(log.destroyed, 1);
    assert_null(SGK_STRICT(NULL));
}

static void dispose_itself(void *context) { sgk_disposable_dispose(*(sgk_disposable **)context); }

static void disposing_from_inside_the_action_does_nothing(void **state) {
    (void)state;
    sgk_disposable *disposable = NULL;
    disposable = sgk_action_disposable_create(dispose_itself, &disposable, NULL);
    sgk_disposable_dispose(disposable);
    sgk_disposable_release(disposable);
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
        TEST(a_meta_disposable_replaces_its_child),
        TEST(a_set_disposes_its_members),
        TEST(a_dict_holds_one_per_key),
        TEST(a_strict_disposable_reports_when_it_is_let_go_too_early),
        TEST(disposing_from_inside_the_action_does_nothing),
        TEST(many_threads_dispose_once),
    };
    return cmocka_run_group_tests_name("disposables", tests, NULL, NULL);
}
