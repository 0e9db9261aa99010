/* The parameters in a signal's description of its operator: numbers, times and limits, and the queue of its delivery.
 * (scripts/parameters.py checks that none is missing here.) */
#include "suite.h"

#include <math.h>

static sgk_queue *queue;
static sgk_signal *other;

static sgk_value itself(void *context, sgk_value value) {
    (void)context;
    return sgk_value_retain(value);
}
static sgk_value first_of(void *context, const sgk_value *values, size_t count) {
    (void)context, (void)count;
    return sgk_value_retain(values[0]);
}
static sgk_signal *single_of(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(value);
}
static sgk_signal *no_connection(void *context, int connection) { return (void)context, (void)connection, NULL; }
static sgk_signal *pass(void *context, sgk_value key, sgk_signal *group) {
    (void)context, (void)key;
    return sgk_signal_retain(group);
}
/* A stage of the signal says that. Releases the signal. */
static void says(sgk_signal *signal, const char *stage) {
    assert_non_null(signal);
    sgk_value described = sgk_signal_describe(signal, SGK_DEBUG_TEXT);
    char line[200];
    const char *text = sgk_value_data(described, NULL);
    snprintf(line, sizeof line, "%s\n", stage);
    const char *found = strstr(text, line);
    if (!found || (found > text && found[-1] != ' ')) fail_msg("not \"%s\", but:\n%s", stage, text);
    sgk_value_release(described);
    sgk_signal_release(signal);
}

#define UNBOUNDED SGK_BOUND(.limit = SGK_UNBOUNDED)
#define AT_MOST(count) SGK_BOUND(.limit = (count), .overflow = SGK_OVERFLOW_DROP_OLDEST)

static void set_up(void) {
    queue = sgk_queue_create("db");
    other = sgk_signal_never();
}

static void tear_down(void) {
    sgk_signal_release(other);
    sgk_queue_release(queue);
}

static void counts(void **state) {
    (void)state;
    set_up();
    sgk_value items[] = {sgk_int(1), sgk_int(2), sgk_int(3)};
    says(sgk_signal_from_array(items, 3), "from_array 3");
    says(sgk_signal_range(-3, 10), "range -3, 10");
    says(sgk_signal_take(other, 3), "take 3");
    says(sgk_signal_take_last(other, 4), "take_last 4");
    says(sgk_signal_skip(other, 5), "skip 5");
    says(sgk_signal_repeat(other, 6), "repeat 6");
    says(sgk_signal_repeat(other, SGK_UNBOUNDED), "repeat unbounded");
    says(sgk_signal_chunked(other, 7), "chunked 7");
    says(sgk_signal_chunked_within(other, 8, 0.5, queue), "chunked_within 8, 0.5 s");
    says(sgk_signal_chunked_by(other, other, 9), "chunked_by 9");
    says(sgk_signal_windowed(other, 10, 2), "windowed 10, 2");
    tear_down();
}

static void times(void **state) {
    (void)state;
    set_up();
    says(sgk_signal_interval(0.25, queue), "interval 0.25 s");
    says(sgk_signal_timer(60, queue), "timer 60 s");
    says(sgk_signal_throttle(other, 0.5, SGK_EDGES_BOTH, queue), "throttle 0.5 s");
    says(sgk_signal_debounce(other, 0.1, queue), "debounce 0.1 s");
    says(sgk_signal_delay_start(other, 1.5, queue), "delay_start 1.5 s");
    says(sgk_signal_suspend_aware_delay(other, 30, 4, queue), "suspend_aware_delay 30 s, 4 s");
    says(sgk_signal_delay(other, 2, AT_MOST(100), queue), "delay 2 s, 100");
    says(sgk_signal_rate_limit(other, 5, 2, AT_MOST(100), queue), "rate_limit 5, 2 s, 100");
    says(sgk_signal_timeout_first(other, 3, queue), "timeout_first 3 s");
    says(sgk_signal_timeout(other, 4, queue), "timeout 4 s");
    says(sgk_signal_take_for(other, 7, queue), "take_for 7 s");
    says(sgk_signal_sample(other, 8, queue), "sample 8 s");
    says(sgk_signal_retry(other, NULL, queue), "retry 1 s, 60 s, unbounded");
    says(
        sgk_signal_retry(other, SGK_RETRY(.attempts = 4, .delay = 0.1, .max_delay = 20), NULL), "retry 0.1 s, 20 s, 4");
    says(sgk_signal_share(other, 0, 0, NULL), "share");
    says(sgk_signal_share(other, 2, 0, NULL), "share 2");
    says(sgk_signal_share(other, 2, 1.5, queue), "share 2, 1.5 s");
    says(sgk_signal_share(other, 0, INFINITY, queue), "share 0, infinity s");
    tear_down();
}

static void bounds(void **state) {
    (void)state;
    set_up();
    sgk_signal *both[] = {other, other};
    says(sgk_zip(both, 2, AT_MOST(3)), "zip 3");
    says(sgk_zip(both, 2, UNBOUNDED), "zip unbounded");
    says(sgk_zip_map(both, 2, AT_MOST(4), first_of, NULL, NULL), "zip 4");
    says(sgk_signal_merge_all(other, 2, AT_MOST(5)), "merge_all 2, 5");
    says(sgk_signal_merge_all(other, SGK_UNBOUNDED, UNBOUNDED), "merge_all unbounded, unbounded");
    says(sgk_signal_merge_map(other, 3, AT_MOST(6), single_of, NULL, NULL), "merge_map 3, 6");
    says(sgk_signal_merge_all_ordered(other, 2, AT_MOST(5)), "merge_all_ordered 2, 5");
    says(sgk_signal_map_ordered(other, 3, NULL, single_of, NULL, NULL), "map_ordered 3, unbounded");
    says(sgk_signal_exhaust_map(other, single_of, NULL, NULL), "exhaust_map");
    says(sgk_signal_switch_map_per(other, AT_MOST(7), itself, single_of, NULL, NULL), "switch_map_per 7");
    says(sgk_signal_group_by(other, AT_MOST(8), itself, pass, NULL, NULL), "group_by 8");
    says(sgk_signal_group_by(other, UNBOUNDED, itself, pass, NULL, NULL), "group_by unbounded");
    says(sgk_signal_to_array(other, AT_MOST(9)), "to_array 9");
    says(sgk_signal_distinct(other, AT_MOST(10)), "distinct 10");
    says(sgk_signal_distinct_by(other, AT_MOST(11), itself, NULL, NULL), "distinct_by 11");
    says(sgk_signal_deliver_on(other, queue), "deliver_on \"db\"");
    says(sgk_signal_run_on(other, queue), "run_on \"db\"");
    says(sgk_signal_deliver_on_bounded(other, AT_MOST(12), queue), "deliver_on_bounded \"db\", 12");
    tear_down();
}

static void descriptors(void **state) {
    (void)state;
    set_up();
    says(sgk_signal_fd(0, SGK_FD_READ, queue), "fd 0");
    says(sgk_signal_fd_lines(0, 100, queue), "fd_lines 0, 100");
    says(sgk_signal_fd_bytes(0, 200, queue), "fd_bytes 0, 200");
    says(sgk_signal_sink_fd(other, 1, false, SGK_BOUND(.limit = 300), queue), "sink_fd 1, 300");
    says(sgk_signal_unix_signal(10, queue), "unix_signal 10");
    says(sgk_signal_child(4711, queue), "child 4711");
    says(sgk_signal_wall_clock_timer(2000000000, queue), "wall_clock_timer 2000000000 s");
    says(sgk_signal_process((const char *const[]){"true", NULL}, NULL, 0, 600, queue), "process \"true\", 600");
    says(sgk_signal_accept(3, 700, no_connection, NULL, NULL, queue), "accept 3, 700");
    says(sgk_signal_connect("address", 7, no_connection, NULL, NULL, queue), "connect");
    says(sgk_signal_fd_datagrams(3, 800, queue), "fd_datagrams 3, 800");
    says(sgk_signal_file_lines("log", true, 400, queue), "file_lines 400");
    tear_down();
}

int run_parameters(void) {
    const struct CMUnitTest tests[] = {
        TEST(counts),
        TEST(times),
        TEST(bounds),
        TEST(descriptors),
    };
    return cmocka_run_group_tests_name("parameters", tests, NULL, NULL);
}
