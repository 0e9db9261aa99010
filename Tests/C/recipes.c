/* The code of docs/recipes.md: its blocks are here, line for line. */
#include "suite.h"

#include <signalkit/testing.h>
#include <signalkit/typed.h>

/* ---- What the blocks use ---- */

static sgk_signal *time_of(sgk_queue *clock, sgk_value value) {
    return sgk_signal_timer((double)sgk_to_int(value), clock);
}
static sgk_signal *page(intptr_t number);
static int64_t key(int64_t value) { return value % 4; }

/* ---- The blocks ---- */

static int64_t one_more(int64_t count, sgk_value value) { return (void)value, count + 1; }
static int64_t add(int64_t sum, int64_t value) { return sum + value; }

static sgk_signal *count(sgk_signal *source) {
    return sgk_signal_reduce_typed(source, sgk_int(0), SGK_TYPED(one_more, "(i64, value) -> i64"), NULL, NULL);
}
static sgk_signal *sum(sgk_signal *source) {
    return sgk_signal_reduce_typed(source, sgk_int(0), SGK_TYPED(add, "(i64, i64) -> i64"), NULL, NULL);
}

static sgk_value better(void *context, sgk_value best, sgk_value value) {
    (void)context;
    bool is_first = sgk_value_kind(best) == SGK_NULL;
    return is_first || key(sgk_to_int(value)) > key(sgk_to_int(best)) ? value : best;
}

static sgk_signal *best(sgk_signal *source) {
    sgk_signal *s = sgk_signal_scan(source, sgk_null(), better, NULL, NULL);
    SGK_STAGE(take_last, s, 1);
    return s;
}

static bool is_one(int64_t value) { return value == 1; }

static sgk_signal *third(sgk_signal *source) {
    sgk_signal *s = sgk_signal_skip(source, 2);
    SGK_STAGE(take, s, 1);
    return s;
}
static sgk_signal *has_one(sgk_signal *source) {
    sgk_signal *s = sgk_signal_filter_typed(source, SGK_TYPED(is_one, "(i64) -> bool"), NULL, NULL);
    SGK_STAGE(map_typed, s, SGK_TYPED(is_one, "(i64) -> bool"), NULL, NULL);
    SGK_STAGE(take, s, 1);
    SGK_STAGE(default_if_empty, s, sgk_bool(false));
    return s;
}

static sgk_value first_of(void *context, sgk_value items) { return (void)context, sgk_array_at(items, 0); }

static sgk_signal *without_the_last_two(sgk_signal *source) {
    sgk_signal *s = sgk_signal_windowed(source, 3, 1);
    SGK_STAGE(map, s, first_of, NULL, NULL);
    return s;
}

static bool is_recent(void *queue, sgk_value stamped) {
    return sgk_queue_now(queue) - sgk_to_double(sgk_array_at(stamped, 0)) <= 3;
}
static sgk_value value_of(void *context, sgk_value stamped) { return (void)context, sgk_array_at(stamped, 1); }

static sgk_signal *latest(sgk_signal *source, sgk_queue *queue) {
    sgk_signal *s = sgk_signal_timestamped(source, queue);
    SGK_STAGE(take_last, s, 1000);
    SGK_STAGE(filter, s, is_recent, sgk_queue_retain(queue), sgk_release);
    SGK_STAGE(map, s, value_of, NULL, NULL);
    return s;
}

static sgk_signal *last_of_both(sgk_signal *a, sgk_signal *b) {
    SGK_AUTO(sgk_signal) last_of_a = sgk_signal_take_last(a, 1);
    SGK_AUTO(sgk_signal) last_of_b = sgk_signal_take_last(b, 1);
    return sgk_zip((sgk_signal *[]){last_of_a, last_of_b}, 2, NULL);
}

static sgk_signal *resumed(sgk_signal *a, sgk_signal *b) {
    SGK_AUTO(sgk_signal) nothing = sgk_signal_empty();
    SGK_AUTO(sgk_signal) all_of_a = sgk_signal_catch_with(a, nothing);
    SGK_AUTO(sgk_signal) all_of_b = sgk_signal_catch_with(b, nothing);
    return sgk_concat((sgk_signal *[]){all_of_a, all_of_b}, 2);
}

static bool are_same(sgk_value a, sgk_value b) { return sgk_value_equal(a, b); }
static bool is_true(bool flag) { return flag; }

static sgk_signal *are_equal(sgk_signal *a, sgk_signal *b) {
    SGK_AUTO(sgk_signal) all_of_a = sgk_signal_end_with(a, sgk_null());
    SGK_AUTO(sgk_signal) all_of_b = sgk_signal_end_with(b, sgk_null());
    sgk_signal *s = sgk_zip((sgk_signal *[]){all_of_a, all_of_b}, 2, SGK_BOUND(.limit = 1000));
    SGK_STAGE(map_typed, s, SGK_TYPED(are_same, "(value, value) -> bool"), NULL, NULL);
    SGK_STAGE(skip_while_typed, s, SGK_TYPED(is_true, "(bool) -> bool"), NULL, NULL);
    SGK_STAGE(take, s, 1);
    SGK_STAGE(default_if_empty, s, sgk_bool(true));
    return s;
}

static sgk_value signal_of(void *context, sgk_value chunk) {
    size_t count = 0;
    const sgk_value *items = sgk_array_items(chunk, &count);
    SGK_AUTO(sgk_signal) signal = sgk_signal_from_array(items, count);
    return (void)context, sgk_signal_value(signal);
}

static sgk_signal *windows(sgk_signal *source) {
    sgk_signal *s = sgk_signal_chunked(source, 2);
    SGK_STAGE(map, s, signal_of, NULL, NULL);
    return s;
}

static sgk_signal *audited(sgk_signal *source, sgk_queue *queue) {
    return sgk_signal_throttle(source, 3, SGK_EDGE_TRAILING, queue);
}

static sgk_signal *after_its_time(void *queue, sgk_value value) {
    SGK_AUTO(sgk_signal) one = sgk_signal_just(value);
    SGK_AUTO(sgk_signal) time = time_of(queue, value);
    sgk_signal *s = sgk_zip((sgk_signal *[]){one, time}, 2, NULL);
    SGK_STAGE(map, s, first_of, NULL, NULL);
    return s;
}

static sgk_signal *debounced(sgk_signal *source, sgk_queue *queue) {
    return sgk_signal_switch_map(source, after_its_time, sgk_queue_retain(queue), sgk_release);
}

static sgk_signal *before_its_time(void *queue, sgk_value value) {
    sgk_signal *s = time_of(queue, value);
    SGK_STAGE(take, s, 1);
    SGK_STAGE(ignore_values, s);
    SGK_STAGE(start_with, s, value);
    return s;
}

static sgk_signal *throttled(sgk_signal *source, sgk_queue *queue) {
    return sgk_signal_exhaust_map(source, before_its_time, sgk_queue_retain(queue), sgk_release);
}

static sgk_value too_late(void *context, sgk_value event) {
    (void)context, (void)event;
    return sgk_event(SGK_EVENT_ERROR, sgk_give(sgk_string("too late")));
}
static sgk_signal *watched(void *queue, sgk_value event) {
    if (sgk_to_int(sgk_array_at(event, 0)) != SGK_EVENT_NEXT) return sgk_signal_just(event);
    sgk_signal *s = time_of(queue, sgk_array_at(event, 1));
    SGK_STAGE(to_events, s);
    SGK_STAGE(take, s, 1);
    SGK_STAGE(map, s, too_late, NULL, NULL);
    SGK_STAGE(start_with, s, event);
    return s;
}

static sgk_signal *limited(sgk_signal *source, sgk_queue *queue) {
    sgk_signal *s = sgk_signal_to_events(source);
    SGK_STAGE(switch_map, s, watched, sgk_queue_retain(queue), sgk_release);
    SGK_STAGE(from_events, s);
    return s;
}

static sgk_signal *delayed(sgk_signal *source, sgk_queue *queue) {
    const sgk_bound *waiting = SGK_BOUND(.limit = SGK_UNBUFFERED);
    return sgk_signal_merge_map(source, 10, waiting, after_its_time, sgk_queue_retain(queue), sgk_release);
}

static sgk_signal *pages_from(void *number) {
    SGK_AUTO(sgk_signal) this_page = page((intptr_t)number);
    SGK_AUTO(sgk_signal) further = sgk_signal_deferred(pages_from, (void *)((intptr_t)number + 1), NULL);
    return sgk_signal_concat_with(this_page, further);
}

static void publish(void *pipe, sgk_value value) { sgk_pipe_next(pipe, value); }

static sgk_disposable *connect_to(sgk_pipe *published, sgk_signal *source) {
    return sgk_signal_start_next(source, publish, sgk_pipe_retain(published), sgk_release);
}

static sgk_signal *restarted(void *source, sgk_value reset) { return (void)reset, sgk_signal_retain(source); }

static sgk_signal *shared(sgk_signal *source, sgk_signal *resets) {
    sgk_signal *s = sgk_signal_start_with(resets, sgk_null());
    SGK_STAGE(switch_map, s, restarted, sgk_signal_retain(source), sgk_release);
    SGK_STAGE(share, s, 1, 0, NULL);
    return s;
}

/* ---- What they do ---- */

/* The sources of a comparison, on a virtual queue. */
static sgk_queue *queue;
static sgk_signal *a, *b;
static sgk_marble_log *of_a; /* the subscriptions of `a` */

static sgk_signal *page(intptr_t number) {
    SGK_AUTO(sgk_signal) timer = sgk_signal_timer(1, queue);
    SGK_AUTO(sgk_signal) nothing = sgk_signal_ignore_values(timer);
    return sgk_signal_end_with(nothing, sgk_int(number));
}

static void sources(const char *first, const char *second) {
    queue = sgk_queue_create_virtual(NULL);
    of_a = sgk_marble_log_create(queue);
    SGK_AUTO(sgk_signal) cold = sgk_marble_cold(queue, first);
    a = sgk_marble_logged(of_a, cold);
    b = sgk_marble_cold(queue, second);
}

static sgk_value letter(void *context, sgk_value value) {
    if (sgk_value_kind(value) != SGK_BOOL) return (void)context, value;
    return sgk_string(sgk_to_bool(value) ? "T" : "F");
}

/* Compares the events of a recipe with a diagram, and the subscriptions of `a`. Releases all. */
static void check(sgk_signal *result, const char *expected, const char *subscription) {
    SGK_STAGE(map, result, letter, NULL, NULL);
    sgk_marble_run *run = sgk_marble_start(queue, result, "^");
    sgk_queue_run(queue, 10000);
    bool is_right = sgk_marble_expect(run, expected);
    is_right &= sgk_marble_expect_subscriptions(of_a, &subscription, 1);
    sgk_signal_release(result);
    sgk_signal_release(a);
    sgk_signal_release(b);
    sgk_queue_release(queue);
    if (!is_right) fail_msg("expected %s", expected);
}

/* The items of arrays, one after another. */
static sgk_signal *items_of(void *context, sgk_value value) {
    size_t count = 0;
    const sgk_value *items = sgk_array_items(value, &count);
    return (void)context, sgk_signal_from_array(items, count);
}
static sgk_signal *flat(sgk_signal *arrays) {
    sgk_signal *items = sgk_signal_concat_map(arrays, items_of, NULL, NULL);
    sgk_signal_release(arrays);
    return items;
}
static sgk_signal *joined(sgk_signal *signals) {
    SGK_STAGE(concat_all, signals);
    return signals;
}

static void one_value_of_all(void **state) {
    (void)state;
    sources("-3-1-2-|", "|"), check(count(a), "-------(3|)", "^------!");
    sources("-3-1-2-|", "|"), check(sum(a), "-------(6|)", "^------!");
    sources("--|", "|"), check(count(a), "--(0|)", "^-!");
    sources("--|", "|"), check(sum(a), "--(0|)", "^-!");
    sources("-3#", "|"), check(sum(a), "--#", "^-!");
    sources("-a-b|", "|"), check(count(a), "----(2|)", "^---!");
    sources("-1-3-5-7-4-|", "|"), check(best(a), "-----------(3|)", "^----------!");
    sources("-4-8-|", "|"), check(best(a), "-----(4|)", "^----!");
    sources("--|", "|"), check(best(a), "--|", "^-!");
}

static void some_of_them(void **state) {
    (void)state;
    sources("-3-1-2-1-|", "|"), check(third(a), "-----(2|)", "^----!");
    sources("-3-1-2-1-|", "|"), check(has_one(a), "---(T|)", "^--!");
    sources("-3-|", "|"), check(third(a), "---|", "^--!");
    sources("-3-|", "|"), check(has_one(a), "---(F|)", "^--!");
    sources("-3-#", "|"), check(has_one(a), "---#", "^--!");
    sources("-1-2-3-4-|", "|"), check(without_the_last_two(a), "-----1-2-|", "^--------!");
    sources("-1-2-|", "|"), check(without_the_last_two(a), "-----|", "^----!");
    sources("-12-3#", "|"), check(without_the_last_two(a), "----1#", "^----!");
    sources("-1-2--3-4-|", "|"), check(latest(a, queue), "----------(4|)", "^---------!");
    sources("-1-2-34-|", "|"), check(latest(a, queue), "--------(34|)", "^-------!");
    sources("--|", "|"), check(latest(a, queue), "--|", "^-!");
    sources("-1-2-3-|", "|"), check(joined(windows(a)), "---(12)(3|)", "^------!");
}

static void both(void **state) {
    (void)state;
    const char *rows[][6] = {
        {"-1-2-|", "---3|", "-----(23|)", "^----!", "---(F|)", "^--!"},
        {"-1-2-|", "--12---|", "-------(22|)", "^----!", "-------(T|)", "^----!"},
        {"|", "-1-|", "|", "(^!)", "-(F|)", "(^!)"},
        {"--|", "-|", "-|", "^!", "--(T|)", "^-!"},
        {"-1-2-|", "-1--|", "-----(21|)", "^----!", "----(F|)", "^---!"},
        {"-1-#", "-1|", "---#", "^--!", "---#", "^--!"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const *row = rows[i];
        sources(row[0], row[1]), check(flat(last_of_both(a, b)), row[2], row[3]);
        sources(row[0], row[1]), check(are_equal(a, b), row[4], row[5]);
    }
    sources("-1-#", "-2-|"), check(resumed(a, b), "-1--2-|", "^--!");
    sources("-1-|", "-2-#"), check(resumed(a, b), "-1--2-|", "^--!");
    sources("#", "#"), check(resumed(a, b), "|", "(^!)");
}

static void a_time_for_each_value(void **state) {
    (void)state;
    sources("-12-3---4-|", "|"), check(audited(a, queue), "----3-----(4|)", "^---------!");
    /* The first value's time ends at 4, that of the second one at 8, and that of the last one after the source. */
    sources("-3-5-----2|", "|"), check(debounced(a, queue), "--------5--(2|)", "^---------!");
    sources("-3-5-----2|", "|"), check(throttled(a, queue), "-3-------2-|", "^---------!");
    sources("-3-5-----2|", "|"), check(limited(a, queue), "-3-5----#", "^-------!");
    sources("-3-5-|", "|"), check(limited(a, queue), "-3-5-|", "^----!");
    sources("-3#", "|"), check(limited(a, queue), "-3#", "^-!");
    sources("-4-1-|", "|"), check(delayed(a, queue), "----1(4|)", "^----!");
    sources("(99999999999)", "|"), check(delayed(a, queue), "#", "(^!)");
}

static void signals_that_decide(void **state) {
    (void)state;
    sources("|", "|");
    sgk_signal *pages = pages_from((void *)1);
    SGK_STAGE(take, pages, 3);
    SGK_STAGE(concat_with, pages, a);
    check(pages, "-12(3|)", "---(^!)");
    sources("-1-2-|", "-1-2-|");
    SGK_AUTO(sgk_signal) resets = sgk_marble_hot(queue, "---x|");
    SGK_AUTO(sgk_signal) both = shared(a, resets);
    sgk_marble_run *early = sgk_marble_start(queue, both, "^"), *late = sgk_marble_start(queue, both, "--^");
    sgk_queue_run(queue, 10000);
    assert_true(sgk_marble_expect(early, "-1--1-2-|"));
    assert_true(sgk_marble_expect(late, "--1-1-2-|"));
    assert_true(sgk_marble_expect_subscriptions(of_a, (const char *[]){"^--!", "---^----!"}, 2));
    sgk_signal_release(a);
    sgk_signal_release(b);
    sgk_queue_release(queue);
}

static void a_pipe_in_between(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) published = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(published);
    SGK_AUTO(sgk_signal) source = count_to(2);
    recorder *first = recorder_new(), *second = recorder_new();
    SGK_AUTO_DISPOSE one = record_run(values, first);
    SGK_AUTO_DISPOSE two = record_run(values, second);
    SGK_AUTO_DISPOSE connection = connect_to(published, source);
    ASSERT_VALUES(first, 1, 2);
    ASSERT_VALUES(second, 1, 2);
    assert_int_equal(first->ends, 0);
    sgk_disposable_dispose(one);
    sgk_disposable_dispose(two);
    recorder_free(first);
    recorder_free(second);
}

int run_recipes(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_value_of_all),
        TEST(some_of_them),
        TEST(both),
        TEST(a_time_for_each_value),
        TEST(signals_that_decide),
        TEST(a_pipe_in_between),
    };
    return cmocka_run_group_tests_name("recipes", tests, NULL, NULL);
}
