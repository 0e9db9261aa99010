/* Marble tests, and operators in which time or interleaving matters, as diagrams. */
#include "suite.h"

#include <signalkit/testing.h>

typedef struct row {
    sgk_signal *signal; /* released in the end */
    const char *subscription, *expected;
} row;

static void check(sgk_queue *queue, row *rows, int count) {
    sgk_marble_run *runs[16];
    assert_true(count <= 16);
    for (int i = 0; i < count; i++) runs[i] = sgk_marble_start(queue, rows[i].signal, rows[i].subscription);
    sgk_queue_run(queue, 10000);
    for (int i = 0; i < count; i++) {
        if (!sgk_marble_expect(runs[i], rows[i].expected)) fail_msg("row %d", i);
        sgk_signal_release(rows[i].signal);
    }
}

static void operators_that_go_by_time(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "-1-23----4-|");
    SGK_AUTO(sgk_signal) f = sgk_marble_cold(q, "-1#");
    SGK_AUTO(sgk_signal) x = sgk_marble_cold(q, "-x|");
    row rows[] = {
        {sgk_signal_retain(s), "             ^    ", "-1-23----4-|"},
        {sgk_signal_retain(s), "             ^---!", "-1-2"}, /* disposed before 3 */
        {sgk_signal_delay_start(s, 2, q), "        ^    ", "---1-23----4-|"},
        {sgk_signal_debounce(s, 2, q), "     ^    ", "------3----(4|)"},
        {sgk_signal_throttle(s, 3, SGK_EDGES_BOTH, q), "     ^    ", "-1--3----4-|"},
        {first_within_or(s, 1.5, x, q), " ^    ", "-1-23----4-|"},
        {sgk_signal_take(s, 2), "            --^  ", "---1-(2|)"},
        {sgk_signal_retry(f, SGK_RETRY(.factor = 1, .increment = 1, .max_delay = 2), q), "^------------!",
            "-1--1---1---1"},
    };
    check(q, rows, sizeof rows / sizeof *rows);
}

/* A value at the very end of an interval begins the next one, as with both edges. */
static void intervals_that_end_with_a_value(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "a-b-cde-(fg)-h---i|");
    row rows[] = {
        {sgk_signal_throttle(s, 2, SGK_EDGE_LEADING, q), "^", "a-b-c-e-f----h---i|"},
        {sgk_signal_throttle(s, 2, SGK_EDGES_BOTH, q), "^", "a-b-c-e-g----h---i|"},
    };
    check(q, rows, sizeof rows / sizeof *rows);
}

static sgk_signal *when_it_ticks(void *context, sgk_value error, int64_t number) {
    (void)error;
    return sgk_signal_timer((double)number, context);
}

static sgk_value first_letter(void *context, sgk_value chunk) {
    (void)context;
    return sgk_value_retain(sgk_array_at(chunk, 0));
}

static sgk_value second_item(void *context, sgk_value pair) {
    (void)context;
    return sgk_value_retain(sgk_array_at(pair, 1));
}

/* Observes the result of arrays or chunks by one of their items. */
static sgk_signal *seen_by(sgk_map_fn item, sgk_signal *arrays) {
    sgk_signal *items = sgk_signal_map(arrays, item, NULL, NULL);
    sgk_signal_release(arrays);
    return items;
}

static void a_limit_of_the_rate(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "-1-23----4-|");
    SGK_AUTO(sgk_signal) f = sgk_marble_cold(q, "-12#");
    row rows[] = {
        {sgk_signal_rate_limit(s, 1, 2, NULL, q), "^", "-1-2-3---4-|"},
        {sgk_signal_rate_limit(s, 2, 4, NULL, q), "^", "-1-23----4-|"},
        {sgk_signal_rate_limit(s, 1, 6, NULL, q), "^", "-1-----2-----3-----(4|)"},
        {sgk_signal_rate_limit(s, 1, 6, SGK_BOUND(.limit = SGK_UNBUFFERED, .overflow = SGK_OVERFLOW_DROP_NEWEST), q),
            "^", "-1-------4-|"},
        {sgk_signal_rate_limit(s, 1, 6, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_OLDEST), q), "^",
            "-1-----3-----(4|)"},
        {sgk_signal_rate_limit(f, 1, 6, NULL, q), "^", "-1-#"},
        {sgk_signal_rate_limit(s, 1, 6, NULL, q), "^-------!", "-1-----2"},
    };
    check(q, rows, sizeof rows / sizeof *rows);
}

static void values_in_their_time(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "-1-23----4-|");
    SGK_AUTO(sgk_signal) x = sgk_marble_cold(q, "-x|");
    SGK_AUTO(sgk_signal) t = sgk_marble_cold(q, "----t--t");
    row rows[] = {
        {seen_by(first_letter, sgk_signal_chunked(s, 2)), "              ^", "---1-----3-|"},
        {seen_by(first_letter, sgk_signal_chunked(s, 3)), "              ^", "----1------(4|)"},
        {seen_by(first_letter, sgk_signal_chunked_within(s, 3, 2, q)), "^", "---1--3----(4|)"},
        {seen_by(first_letter, sgk_signal_chunked_by(s, t, 9)), "         ^", "----1--3---(4|)"},
        {sgk_signal_delay(s, 2, SGK_BOUND(.limit = 9, .overflow = SGK_OVERFLOW_DROP_OLDEST), q), "^", "---1-23----4-|"},
        {each_within_or(s, 3, x, q), "^", "-1-23---x|"},
        {sgk_signal_throttle(s, 3, SGK_EDGE_LEADING, q), "^", "-1--3----4-|"},
        {sgk_signal_throttle(s, 3, SGK_EDGE_TRAILING, q), "^", "----3------(4|)"},
        {sgk_signal_throttle(s, 3, SGK_EDGES_BOTH, q), "^", "-1--3----4-|"},
        {seen_by(second_item, sgk_signal_timestamped(s, q)), "^", "-1-23----4-|"},
        {seen_by(second_item, sgk_signal_time_interval(s, q)), "^", "-1-23----4-|"},
        {sgk_signal_take_for(s, 3, q), "^", "-1-|"},
        {sgk_signal_sample_on(s, t), "^", "----2--3---(4|)"},
        {sgk_signal_sample(s, 4, q), "^", "----2---3--(4|)"},
    };
    check(q, rows, sizeof rows / sizeof *rows);
}

static void attempts_in_their_time(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) f = sgk_marble_cold(q, "-1#");
    row rows[] = {
        {sgk_signal_retry(f, SGK_RETRY(.attempts = 4, .max_delay = 3), q), "^", "-1--1---1----1#"},
        {sgk_signal_retry(f, SGK_RETRY(.reset_on_value = true), q), "^--------!", "-1--1--1"},
        {sgk_signal_retry(f, SGK_RETRY(.decide = when_it_ticks, .context = q), q), "^--------!", "-1--1---1"},
        {sgk_signal_retry(f, SGK_RETRY(.delay = SGK_AT_ONCE), q), "^-----!", "-1-1-1"},
    };
    check(q, rows, sizeof rows / sizeof *rows);
}

static void sources_that_join(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) a = sgk_marble_hot(q, "--1-^-2-------3-|");
    SGK_AUTO(sgk_signal) b = sgk_marble_hot(q, "    ^a(bc)-------#");
    sgk_signal *both[] = {a, b};
    SGK_AUTO(sgk_signal) merged = sgk_merge(both, 2);
    row rows[] = {
        {sgk_signal_retain(merged), "^", "-a(2bc)---3--#"}, {sgk_signal_retain(a), "---^", "----------3-|"},
        {sgk_signal_retain(b), "-^-!", "--(bc)"}, /* it listens after a has been */
    };
    check(q, rows, 3);
}

static bool was_taken;
static void expect_another(void *run) { was_taken = sgk_marble_expect(run, "-a-b--c-|"); }

/* The message of a mismatch, with both diagrams aligned. */
static void a_mismatch_is_printed(void **state) {
    (void)state;
    char text[512];
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "-a-(bc)-|");
    sgk_marble_run *run = sgk_marble_start(q, s, "^");
    sgk_queue_run(q, 100);
    written_to_stderr(text, sizeof text, expect_another, run);
    assert_false(was_taken);
    assert_string_equal(text,
        "expected  -a-b   --c-|\n"
        "actual    -a-(bc)----|\n"
        "             ^\n");
}

static void what_is_not_expected_is_seen(void **state) {
    (void)state;
    static const char *pairs[][2] = {{"-1", "--"}, {"--", "-1"}, {"-1|", "-1"}, {"-1", "-1|"}, {"-#", "-|"},
        {"-1", "-2"}, {"(12)", "(21)"}, {"-1", "1-"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, pairs[i][0]);
        sgk_marble_run *run = sgk_marble_start(q, s, "^"), *again = sgk_marble_start(q, s, "^");
        sgk_queue_run(q, 100);
        assert_false(sgk_marble_expect(run, pairs[i][1]));
        assert_true(sgk_marble_expect(again, pairs[i][0]));
    }
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "1-|");
    SGK_AUTO(sgk_signal) between = sgk_signal_delay_start(s, 0.5, q);
    sgk_marble_run *run = sgk_marble_start(q, between, "^");
    sgk_queue_run(q, 100);
    assert_false(sgk_marble_expect(run, "1-|"));
}

enum { LONG = 1000 };

/* All events count, not only the first 256. */
static void diagrams_may_be_long(void **state) {
    (void)state;
    char diagram[LONG + 2], other[LONG + 2], text[4 * LONG];
    for (int i = 0; i < LONG; i++) diagram[i] = (char)('a' + i % 26);
    strcpy(diagram + LONG, "|");
    strcpy(other, diagram);
    other[LONG - 1] = 'Z';
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, diagram);
    sgk_marble_run *run = sgk_marble_start(q, s, "^"), *again = sgk_marble_start(q, s, "^");
    sgk_marble_run *shorter = sgk_marble_start(q, s, "^---!");
    sgk_queue_run(q, 4 * LONG);
    assert_true(sgk_marble_expect(run, diagram));
    assert_true(sgk_marble_expect(shorter, "abcd"));
    written_to_stderr(text, sizeof text, expect_another, again);
    assert_false(was_taken);
    again = sgk_marble_start(q, s, "^");
    sgk_queue_run(q, 4 * LONG);
    assert_false(sgk_marble_expect(again, other));
}

/* As rxjs reads them: a number and a unit, between spaces. */
static void times_in_diagrams(void **state) {
    (void)state;
    static const char *pairs[][2] = {{"9s a|", "---------a|"}, {"a 2s b 1m |", "a--b 60s |"}, {"1500ms 0.5s -", "--"},
        {"2000ms a", "2s a"}, {"-- 3s (ab) 0s c|", "-----(ab)c|"}, {"a9s|", "a9s|"}, {"9s", "9s"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        bool is_valid = strncmp(pairs[i][0], "1500ms", 6) != 0; /* 1.5 frames */
        SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, pairs[i][0]);
        assert_true(is_valid == (s != NULL));
        if (!s) continue;
        sgk_marble_run *run = sgk_marble_start(q, s, "^");
        sgk_queue_run(q, 100);
        assert_true(sgk_marble_expect(run, pairs[i][1]));
    }
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) hot = sgk_marble_hot(q, "a 3s ^b 2s c|");
    sgk_marble_run *run = sgk_marble_start(q, hot, "2s ^");
    sgk_queue_run(q, 100);
    assert_true(sgk_marble_expect(run, "----c|"));
}

enum { RIGHT, LATE_END, ONE_LESS, OTHER_BEGIN };

/* As rxjs's expectSubscriptions: in the order of the starts. A disposal and a completion look alike. */
static void subscriptions_are_compared(void **state) {
    (void)state;
    for (int what = RIGHT; what <= OTHER_BEGIN; what++) {
        SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "-a-b-|");
        sgk_marble_log *log = sgk_marble_log_create(q);
        SGK_AUTO(sgk_signal) source = sgk_marble_logged(log, s);
        SGK_AUTO(sgk_signal) twice = sgk_signal_repeat(source, 2);
        sgk_marble_run *disposed = sgk_marble_start(q, source, "^---!"), *repeated = sgk_marble_start(q, twice, "---^");
        sgk_queue_run(q, 100);
        assert_true(sgk_marble_expect(disposed, "-a-b") && sgk_marble_expect(repeated, "----a-b--a-b-|"));
        const char *expected[] = {"^---!", "---^----!", "--------^----!"};
        if (what == LATE_END) expected[1] = "---^-----!";
        if (what == OTHER_BEGIN) expected[2] = "-------^-----!";
        bool is_right = sgk_marble_expect_subscriptions(log, expected, what == ONE_LESS ? 2 : 3);
        assert_true(is_right == (what == RIGHT));
    }
}

static void a_subscription_may_be_open_or_begin_between_frames(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    sgk_marble_log *open = sgk_marble_log_create(q), *between = sgk_marble_log_create(q);
    sgk_marble_log *none = sgk_marble_log_create(q);
    SGK_AUTO(sgk_signal) started = sgk_marble_logged(open, never);
    SGK_AUTO(sgk_signal) late = sgk_marble_logged(between, never);
    SGK_AUTO(sgk_signal) unused = sgk_marble_logged(none, never);
    SGK_AUTO(sgk_signal) delayed = sgk_signal_delay_start(late, 2.5, q);
    sgk_marble_run *runs[] = {sgk_marble_start(q, started, "-^"), sgk_marble_start(q, delayed, "^")};
    sgk_queue_run(q, 100);
    static const char *const begin[] = {"-^"}, *const frame[] = {"--^"};
    assert_true(sgk_marble_expect_subscriptions(open, begin, 1));
    assert_false(sgk_marble_expect_subscriptions(between, frame, 1));
    assert_true(sgk_marble_expect_subscriptions(none, NULL, 0));
    assert_true(sgk_marble_expect(runs[0], "") && sgk_marble_expect(runs[1], ""));
}

static sgk_value is_t(void *context, sgk_value letter) {
    (void)context;
    return sgk_bool(*(const char *)sgk_value_data(letter, NULL) == 't');
}

/* A value of a cold source waits for the end of a pause, also behind a log, and what follows keeps its distance. */
static void sources_that_are_paused(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "-1-2-3-4-|");
    SGK_AUTO(sgk_signal) burst = sgk_marble_cold(q, "--(ab)|");
    SGK_AUTO(sgk_signal) end = sgk_marble_cold(q, "1--#");
    SGK_AUTO(sgk_signal) hot = sgk_marble_hot(q, "-1-2-|");
    SGK_AUTO(sgk_signal) letters = sgk_marble_cold(q, "--t----f");
    SGK_AUTO(sgk_signal) condition = sgk_signal_map(letters, is_t, NULL, NULL);
    SGK_AUTO(sgk_signal) row_of_four = sgk_marble_cold(q, "-1234-|");
    sgk_marble_log *log = sgk_marble_log_create(q);
    SGK_AUTO(sgk_signal) logged = sgk_marble_logged(log, s);
    row rows[] = {
        {sgk_signal_retain(s), "    ^-p---r-p--r  ", "-1----2----3-4-|"},
        {sgk_signal_retain(s), "    ^-p--------!  ", "-1"},
        {sgk_signal_retain(s), "    --^p--r       ", "------1-2-3-4-|"},
        {sgk_signal_retain(s), "    ^-p(rp)-r     ", "-1------2-3-4-|"},
        {sgk_signal_retain(burst), "^-p-r         ", "----(ab)|"},
        {sgk_signal_retain(end), "  ^p            ", "1--#"},
        {sgk_signal_retain(hot), "  ^p            ", "-1-2-|"},
        {sgk_signal_paused_by(s, condition), "^  ", "-1-----2-3-4-|"},
        {sgk_signal_retain(logged), "^-p-r         ", "-1--2-3-4-|"},
        {sgk_signal_delay(row_of_four, 3, SGK_BOUND(.limit = 3, .overflow = SGK_OVERFLOW_PAUSE), q), "^",
            "----123-4-|"},
    };
    check(q, rows, sizeof rows / sizeof *rows);
    static const char *const once[] = {"^---------!"};
    assert_true(sgk_marble_expect_subscriptions(log, once, 1));
}

/* A source stops at the value that causes the pause, or at the next one, and continues at the resumption. */
static void pauses_are_compared(void **state) {
    (void)state;
    static const char *const first[] = {
        "^--p--r-p--r---!", "^-p---r-p--r---!", "^--p---rp--r---!", "^--p--r--------!", "^--------------!"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
        sgk_marble_log *log = sgk_marble_log_create(q);
        SGK_AUTO(sgk_signal) s = sgk_marble_log_cold(log, "-1-2-3-4-|");
        row rows[] = {
            {sgk_signal_retain(s), "^-p---r-p--r", "-1----2----3-4-|"},
            {sgk_signal_retain(s), "^-pr        ", "-1-2-3-4-|"},
            {sgk_signal_retain(s), "^-p-----!   ", "-1"},
            {sgk_signal_delay(s, 3, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_PAUSE), q), "^", "----1-2-3-4-|"},
            {sgk_signal_retain(s), "--^--p(rp)r ", "---1------2-3-4-|"},
        };
        check(q, rows, sizeof rows / sizeof *rows);
        const char *expected[] = {first[i], "^--------!", "^--p----!", "^--prprpr!", "--^--p----r-----!"};
        bool is_right = sgk_marble_expect_subscriptions(log, expected, 5);
        assert_true(is_right == (i == 0));
    }
}

static void misuse(void *queue) {
    sgk_queue *q = queue;
    SGK_AUTO(sgk_signal) s = sgk_marble_cold(q, "");
    sgk_marble_run *run = sgk_marble_start(q, s, "^");
    bool any = sgk_marble_cold(q, "-(a") != NULL;
    any |= sgk_marble_cold(q, "-a)") != NULL;
    any |= sgk_marble_hot(q, "((a))") != NULL;
    any |= sgk_marble_hot(q, NULL) != NULL;
    any |= sgk_marble_start(q, s, "--!") != NULL;
    any |= sgk_marble_start(q, s, "(") != NULL;
    any |= sgk_marble_start(q, NULL, "^") != NULL;
    any |= sgk_marble_start(q, sgk_signal_take(NULL, 1), "^") != NULL;
    any |= sgk_marble_expect(NULL, "-");
    any |= sgk_marble_expect(NULL, NULL);
    any |= sgk_marble_expect(run, ")");
    any |= sgk_marble_cold(q, "9ms a|") != NULL;
    any |= sgk_marble_cold(q, "99999999s a") != NULL;
    any |= sgk_marble_cold(q, "(a 2s b)") != NULL;
    any |= sgk_marble_cold(q, "-^a") != NULL;
    any |= sgk_marble_cold(q, "-a!") != NULL;
    any |= sgk_marble_hot(q, "-^a!") != NULL;
    any |= sgk_marble_hot(q, "^a^") != NULL;
    any |= sgk_marble_start(q, s, "^-a") != NULL;
    any |= sgk_marble_start(q, s, "^-!-!") != NULL;
    any |= sgk_marble_start(q, s, "^-r") != NULL;
    any |= sgk_marble_start(q, s, "^-pp") != NULL;
    any |= sgk_marble_start(q, s, "^-!p") != NULL;
    any |= sgk_marble_start(q, s, "p^") != NULL;
    any |= sgk_marble_expect(sgk_marble_start(q, s, "^"), "^-");
    sgk_marble_log *log = sgk_marble_log_create(q);
    any |= sgk_marble_logged(NULL, s) != NULL;
    any |= sgk_marble_logged(log, NULL) != NULL;
    any |= sgk_marble_log_cold(NULL, "-a") != NULL;
    any |= sgk_marble_log_cold(log, "-(a") != NULL;
    any |= !sgk_marble_expect_subscriptions(log, NULL, 0);
    any |= sgk_marble_expect_subscriptions(NULL, NULL, 0);
    was_taken = any;
}

static void misuse_says_why(void **state) {
    (void)state;
    char text[2048];
    SGK_AUTO(sgk_queue) q = sgk_queue_create_virtual(NULL);
    sgk_clear_error();
    written_to_stderr(text, sizeof text, misuse, q);
    assert_false(was_taken);
    assert_string_equal(text,
        "no diagram: -(a\n"
        "no diagram: -a)\n"
        "no diagram: ((a))\n"
        "no diagram: NULL\n"
        "no subscription: --!\n"
        "no diagram: (\n"
        "no signal: \n"
        "no signal: sgk_signal_take: signal: must not be NULL\n"
        "no run, and expected  -\n"
        "no run, and expected  NULL\n"
        "no diagram: )\n"
        "no diagram: 9ms a|: a time is too long, or no whole number of seconds (frames)\n"
        "no diagram: 99999999s a: a time is too long, or no whole number of seconds (frames)\n"
        "no diagram: (a 2s b): a time is in a group\n"
        "no diagram: -^a: ^ or ! has no meaning in it\n"
        "no diagram: -a!: ^ or ! has no meaning in it\n"
        "no diagram: -^a!: ^ or ! has no meaning in it\n"
        "no diagram: ^a^: it begins twice\n"
        "no subscription: ^-a\n"
        "no subscription: ^-!-!\n"
        "no subscription: ^-r\n"
        "no subscription: ^-pp\n"
        "no subscription: ^-!p\n"
        "no subscription: p^\n"
        "no diagram: ^-: ^ or ! has no meaning in it\n"
        "no log\n"
        "no signal\n"
        "no log\n"
        "no diagram: -(a\n"
        "no log\n");
}

int run_marbles(void) {
    const struct CMUnitTest tests[] = {
        TEST(operators_that_go_by_time),
        TEST(values_in_their_time),
        TEST(a_limit_of_the_rate),
        TEST(intervals_that_end_with_a_value),
        TEST(attempts_in_their_time),
        TEST(sources_that_join),
        TEST(a_mismatch_is_printed),
        TEST(what_is_not_expected_is_seen),
        TEST(diagrams_may_be_long),
        TEST(times_in_diagrams),
        TEST(subscriptions_are_compared),
        TEST(a_subscription_may_be_open_or_begin_between_frames),
        TEST(sources_that_are_paused),
        TEST(pauses_are_compared),
        TEST(misuse_says_why),
    };
    return cmocka_run_group_tests_name("marbles", tests, NULL, NULL);
}
