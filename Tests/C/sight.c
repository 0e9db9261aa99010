/* Inspection of what runs: descriptions, watched subscriptions, traces. */
#include "suite.h"

typedef struct text {
    char *bytes;
    size_t length;
    int writes;
} text;

static void append(void *context, const char *bytes, size_t length) {
    text *t = context;
    t->bytes = realloc(t->bytes, t->length + length + 1);
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = 0;
    t->writes++;
}

static text graph(sgk_debug_format format) {
    text t = {NULL, 0, 0};
    assert_int_equal(sgk_debug_graph(format, append, &t), SGK_OK);
    assert_true(t.writes >= 1);
    return t;
}

/* Returns how often `part` occurs. */
static int count_of(const char *all, const char *part) {
    int count = 0;
    for (const char *at = all; (at = strstr(at, part)) != NULL; at++) count++;
    return count;
}

static int count_in_graph(sgk_debug_format format, const char *part) {
    text t = graph(format);
    int count = count_of(t.bytes, part);
    free(t.bytes);
    return count;
}

static void assert_text(sgk_value value, const char *expected) {
    assert_string_equal((const char *)sgk_value_data(value, NULL), expected);
    sgk_value_release(value);
}

/* ---- Recipes ---- */

static void a_signal_describes_itself(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    sgk_signal_replace(&s, sgk_signal_named_at(s, "cpu", "monitor.c", 12));
    sgk_signal_replace(&s, sgk_signal_filter(s, is_even, NULL, NULL));
    sgk_signal_replace(&s, sgk_signal_map(s, times_ten, NULL, NULL));
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    sgk_signal *both[] = {s, one};
    SGK_AUTO(sgk_signal) merged = sgk_merge(both, 2);
    sgk_signal_replace(&merged, sgk_signal_take(merged, 3));
    assert_text(sgk_signal_describe(merged, SGK_DEBUG_TEXT),
        "take 3\n  merge\n    map\n      filter\n        named \"cpu\" (monitor.c:12)\n          pipe\n"
        "    just\n");
    assert_text(sgk_signal_describe(s, SGK_DEBUG_JSON),
        "{\"operator\":\"map\",\"sources\":[{\"operator\":\"filter\",\"sources\":[{\"operator\":\"named\","
        "\"name\":\"cpu\",\"file\":\"monitor.c\",\"line\":12,\"sources\":[{\"operator\":\"pipe\"}]}]}]}");
    sgk_value dot = sgk_signal_describe(merged, SGK_DEBUG_DOT);
    const char *drawn = sgk_value_data(dot, NULL);
    assert_int_equal(count_of(drawn, " [label="), 7);
    assert_int_equal(count_of(drawn, " -> "), 6);
    assert_non_null(strstr(drawn, "label=\"named \\\"cpu\\\" (monitor.c:12)\""));
    sgk_value_release(dot);
}

/* Independent of the implementation: stages that only convert values are not shown. */
static void operators_have_the_names_that_were_called(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    sgk_signal *both[] = {never, never};
    const struct {
        sgk_signal *signal;
        const char *described;
    } all[] = {
        {sgk_signal_start_with(never, sgk_int(1)), "start_with\n  just\n  never\n"},
        {sgk_signal_end_with(never, sgk_int(1)), "end_with\n  never\n  just\n"},
        {sgk_concat(both, 2), "concat\n  never\n  never (as above)\n"},
        {sgk_concat(both, 1), "never\n"},
        {sgk_signal_concat_with(never, never), "concat_with\n  never\n  never (as above)\n"},
        {sgk_signal_ignore_values(never), "ignore_values\n  never\n"},
        {sgk_signal_pairwise(never), "pairwise\n  never\n"},
        {sgk_signal_to_events(never), "to_events\n  never\n"},
        {sgk_signal_catch_and_return(never, sgk_int(1)), "catch_and_return\n  never\n"},
        {sgk_signal_take_until(never, never), "take_until\n  never\n  never (as above)\n"},
        {sgk_signal_paused_by(never, never), "paused_by\n  never\n  never (as above)\n"},
        {sgk_signal_take(never, 1), "take 1\n  never\n"},
        {sgk_signal_interval(1, queue), "interval 1 s\n"},
        {sgk_signal_timestamped(never, queue), "timestamped\n  never\n"},
        {sgk_signal_throttle(never, 1, SGK_EDGES_BOTH, queue), "throttle 1 s\n  never\n"},
        {sgk_signal_fd_datagrams(0, 9, queue), "fd_datagrams 0, 9\n"},
        {sgk_signal_sink_fd(never, 1, false, NULL, queue), "sink_fd 1, 65536\n  never\n"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_text(sgk_signal_describe(all[i].signal, SGK_DEBUG_TEXT), all[i].described);
        sgk_signal_release(all[i].signal);
    }
    assert_text(sgk_signal_describe(never, SGK_DEBUG_TEXT), "never\n"); /* that is as it was */
}

static void *acquired(void *context) { return context; }
static void released(void *resource) { (void)resource; }
static sgk_signal *used(void *context, void *resource) { return (void)resource, sgk_signal_retain(context); }

/* Also while they run. Pending values in an operator are identified by their kind. */
static void running_operators_have_the_names_that_were_called(void **state) {
    (void)state;
    sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) s = sgk_signal_using(acquired, used, released, source, NULL);
    assert_text(sgk_signal_describe(s, SGK_DEBUG_TEXT), "using\n");
    sgk_signal_replace(&s, sgk_signal_pairwise(s));
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    sgk_signal_replace(&s, sgk_signal_deliver_on(s, queue));
    sgk_signal_replace(&s, sgk_signal_start_with(s, sgk_int(1)));
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(s, NULL);
    for (int i = 0; i < 3; i++) sgk_pipe_next(pipe, sgk_int(i));
    text t = graph(SGK_DEBUG_TEXT);
    const char *const lines[] = {" run: 1 values", "\n  #", " start_with: 1 values", "\n    #",
        " deliver_on queue: 0 values, 2 waiting", "\n      #", " pairwise: 2 values", "\n        #", " using: 3 values",
        "\n          #", " pipe: 3 values"};
    const char *at = t.bytes;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        at = strstr(at, lines[i]);
        if (!at) fail_msg("%s is not in its place in\n%s", lines[i], t.bytes);
    }
    assert_int_equal(count_of(t.bytes, "#"), 6);
    free(t.bytes);
    sgk_disposable_dispose(run);
    sgk_debug_watch(false);
}

static void names_of_any_bytes_are_escaped(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) odd = sgk_signal_named(one, "a\"b\\c\nd\x7f \xff\xc3\xa4\xe2\x82 \xed\xa0\x80");
    assert_text(sgk_signal_describe(odd, SGK_DEBUG_JSON),
        "{\"operator\":\"named\",\"name\":\"a\\\"b\\\\c\\u000ad\\u007f \xef\xbf\xbd\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd "
        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\",\"sources\":[{\"operator\":\"just\"}]}");
    char *name = malloc(100001);
    memset(name, 'x', 100000);
    name[100000] = 0;
    SGK_AUTO(sgk_signal) longest = sgk_signal_named(one, name);
    memset(name, 'y', 100000); /* it was copied */
    sgk_value described = sgk_signal_describe(longest, SGK_DEBUG_TEXT);
    size_t length;
    const char *text = sgk_value_data(described, &length);
    assert_int_equal(length, strlen("named \"\"\n  just\n") + 100000);
    assert_memory_equal(text, "named \"xxx", 10);
    sgk_value_release(described);
    free(name);
}

static void what_comes_again_is_described_once(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) s = sgk_signal_just(sgk_int(1));
    sgk_signal_replace(&s, sgk_signal_take(s, 3));
    sgk_signal *both[] = {s, s};
    SGK_AUTO(sgk_signal) merged = sgk_merge(both, 2);
    assert_text(sgk_signal_describe(merged, SGK_DEBUG_TEXT), "merge\n  take 3\n    just\n  take 3 (as above)\n");
    assert_text(sgk_signal_describe(merged, SGK_DEBUG_JSON),
        "{\"operator\":\"merge\",\"sources\":[{\"operator\":\"take\",\"parameter\":\"3\",\"sources\":["
        "{\"operator\":\"just\"}]},{\"operator\":\"take\",\"parameter\":\"3\",\"same\":1}]}");
    sgk_value dot = sgk_signal_describe(merged, SGK_DEBUG_DOT);
    assert_int_equal(count_of(sgk_value_data(dot, NULL), "n1 -> n0;"), 2);
    assert_int_equal(count_of(sgk_value_data(dot, NULL), " -> "), 3);
    sgk_value_release(dot);
    /* there are 2^100 ways from its end to its source */
    for (int i = 0; i < 100; i++) {
        both[0] = both[1] = s;
        sgk_signal_replace(&s, sgk_merge(both, 2));
    }
    sgk_value text = sgk_signal_describe(s, SGK_DEBUG_TEXT);
    assert_int_equal(count_of(sgk_value_data(text, NULL), "\n"), 202);
    sgk_value_release(text);
}

static void describe_many_successors(void *context) {
    (void)context;
    int many = repeated(20000);
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) s = sgk_signal_retain(one);
    for (int i = 0; i < many; i++) {
        sgk_signal_replace(&s, i % 2 ? sgk_signal_concat_with(s, one) : sgk_signal_concat_with(one, s));
    }
    for (sgk_debug_format format = SGK_DEBUG_TEXT; format <= SGK_DEBUG_JSON; format++) {
        sgk_value text = sgk_signal_describe(s, format);
        size_t length = 0;
        assert_non_null(sgk_value_data(text, &length));
        assert_in_range(length, (size_t)many * 20, (size_t)many * 300);
        sgk_value_release(text);
    }
}

static void successors_without_end_are_described(void **state) {
    (void)state;
    on_stack_of(512 * 1024, describe_many_successors, NULL);
}

/* ---- What runs ---- */

static bool is_always_watched(void) {
    const char *debug = getenv("SIGNALKIT_DEBUG");
    return debug && *debug;
}

static void somebody_looks_however_often_that_is_said(void **state) {
    (void)state;
    for (int i = 0; i < 65536; i++) sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    sgk_trace_set_context(UINT64_MAX);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(s, NULL);
    assert_int_equal(sgk_trace_set_context(0), UINT64_MAX);
    assert_int_equal(count_in_graph(SGK_DEBUG_JSON, "\"context\":18446744073709551615,"), 2);
    for (int i = 0; i < 65536; i++) sgk_debug_watch(false);
    SGK_AUTO(sgk_disposable) another = sgk_signal_start(s, NULL);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "pipe"), is_always_watched() ? 2 : 1);
    sgk_disposable_dispose(run);
    sgk_disposable_dispose(another);
}

static sgk_signal *the_signal(void *context, sgk_value value) {
    (void)value;
    return sgk_signal_retain(context);
}

static sgk_signal *single_of(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(value);
}

static void what_waits_is_seen(void **state) {
    (void)state;
    sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) inner = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) endless = sgk_pipe_signal(inner);
    sgk_signal_replace(&s, sgk_signal_concat_map(s, the_signal, endless, NULL));
    sgk_signal_replace(&s, sgk_signal_named_at(s, "stuck", SGK_HERE));
    counted c = {0};
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(s, counted_next, &c, NULL);
    for (int i = 0; i < 5; i++) sgk_pipe_next(pipe, sgk_int(i));
    sgk_pipe_next(inner, sgk_int(7));
    assert_int_equal(c.calls, 1);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "concat_map: 1 values, 4 waiting"), 1);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "run \"stuck\""), 1);
    assert_int_equal(count_in_graph(SGK_DEBUG_JSON, "\"operator\":\"concat_map\""), 1);
    assert_int_equal(count_in_graph(SGK_DEBUG_JSON, "\"values\":1,\"in\":5,\"waiting\":4,\"most_waiting\":4,"), 1);
    assert_int_equal(count_in_graph(SGK_DEBUG_DOT, "4 waiting"), 1);
    sgk_disposable_dispose(run);
    assert_int_equal(count_in_graph(SGK_DEBUG_JSON, "stuck"), 0);
    sgk_debug_watch(false);
    sgk_debug_watch(false); /* one too many */
}

/* After watching has stopped, a source that emits immediately does not wait, although its start was not seen. */
static void what_is_started_unseen_does_not_wait(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    sgk_signal_replace(&s, sgk_signal_concat_map(s, single_of, NULL, NULL));
    sgk_debug_watch(true);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(s, NULL);
    sgk_debug_watch(false);
    for (int i = 0; i < 5; i++) sgk_pipe_next(pipe, sgk_int(i));
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "concat_map: 5 values, for "), 1);
    sgk_disposable_dispose(run);
}

static void look_from_inside(void *context, sgk_value value) {
    (void)value;
    ++*(int *)context;
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, ", in a callback for "), 1);
    sleep_a_moment();
}

/* Counts and times of subscriptions: the times of callbacks; for stages, received errors and dropped values. */
static void what_a_run_does_is_counted(void **state) {
    (void)state;
    sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_pipe) instead = sgk_pipe_create();
    SGK_AUTO(sgk_signal) endless = sgk_pipe_signal(instead);
    SGK_AUTO(sgk_signal) caught = sgk_signal_catch(values, the_signal, endless, NULL);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(values, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_DROP_OLDEST), queue);
    int calls = 0;
    SGK_AUTO(sgk_disposable) one = sgk_signal_start_next(caught, look_from_inside, &calls, NULL);
    SGK_AUTO(sgk_disposable) other = sgk_signal_start(bounded, NULL);
    assert_int_equal(count_in_graph(SGK_DEBUG_JSON, "\"slowest\":0.000000,"), 6);
    for (int i = 0; i < 5; i++) sgk_pipe_next(pipe, sgk_int(i));
    assert_int_equal(calls, 5);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, ", in a callback for "), 0);
    assert_int_equal(count_in_graph(SGK_DEBUG_JSON, "\"slowest\":0.000000,"), 5);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, ": 0 values, 2 waiting, 3 dropped, for "), 1);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "errors"), 0);
    sgk_pipe_error(pipe, sgk_int(7));
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, " catch: 5 values, 1 errors, for "), 1);
    sgk_disposable_dispose(one);
    sgk_disposable_dispose(other);
    sgk_debug_watch(false);
}

static int count_of_pauses(int pauses, bool is_paused, int64_t by) {
    char members[64];
    int number = snprintf(members, sizeof members, "\"pauses\":%d,\"paused\":", pauses), count = 0;
    text t = graph(SGK_DEBUG_JSON);
    for (const char *at = t.bytes; (at = strstr(at, members)) != NULL;) {
        char *end;
        double seconds = strtod(at += number, &end);
        assert_ptr_equal(strstr(end, ",\"paused_by\":"), end);
        count += (seconds > 0) == is_paused && strtoll(end + strlen(",\"paused_by\":"), NULL, 10) == by;
    }
    free(t.bytes);
    return count;
}

/* Returns the number of the only stage with this operator. */
static int64_t id_of(const char *operator) {
    char member[64];
    snprintf(member, sizeof member, "\"operator\":\"%s\"", operator);
    text t = graph(SGK_DEBUG_JSON);
    assert_int_equal(count_of(t.bytes, member), 1);
    const char *at = strstr(t.bytes, member);
    while (strncmp(at, "{\"id\":", 6) != 0) at--;
    int64_t id = strtoll(at + 6, NULL, 10);
    free(t.bytes);
    return id;
}

/* A full stage pauses all stages upstream. A full side of a zip pauses only its source. */
static void it_is_seen_who_pauses(void **state) {
    (void)state;
    sgk_debug_watch(true);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) later = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) range = sgk_signal_range(0, 10);
    sgk_signal_replace(&range, sgk_signal_concat_with(range, later));
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(range, times_ten, NULL, NULL);
    SGK_AUTO(sgk_signal) at_last = sgk_signal_after_disposed(mapped, do_nothing, NULL, NULL);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(at_last, SGK_BOUND(.limit = 8, .overflow = SGK_OVERFLOW_PAUSE), queue);
    SGK_AUTO(sgk_signal) above = sgk_signal_filter(bounded, is_even, NULL, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(above, NULL);
    int64_t by = id_of("deliver_on_bounded");
    assert_int_equal(count_of_pauses(1, true, by), 4);
    assert_int_equal(count_of_pauses(0, false, 0), 3);
    char text[64];
    snprintf(text, sizeof text, ", paused by #%lld for ", (long long)by);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, text), 4);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, " range 0, 10: 8 values, 1 pauses, for "), 1);
    SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, ", paused for "), 7); /* the hold is the cause of all */
    assert_int_equal(count_of_pauses(1, true, 0), 7);
    sgk_disposable_dispose(hold);
    assert_int_equal(count_of_pauses(1, true, by), 4);
    assert_int_equal(count_of_pauses(1, false, 0), 3);
    sgk_queue_advance(queue, 0);
    assert_int_equal(count_of_pauses(1, false, 0), 6); /* the range has ended, and the pipe was not paused */
    assert_int_equal(count_of_pauses(0, false, 0), 1);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "paused"), 0);
    sgk_disposable_dispose(run);
    const sgk_value texts[] = {sgk_give(sgk_string("one")), sgk_give(sgk_string("two"))};
    SGK_AUTO(sgk_signal) text_signal = sgk_signal_from_array(texts, 2);
    SGK_AUTO(sgk_signal)
    written = sgk_signal_sink_fd(text_signal, 1, false, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_PAUSE), queue);
    SGK_AUTO(sgk_disposable) writing = sgk_signal_start(written, NULL);
    assert_int_equal(count_of_pauses(1, true, id_of("sink_fd")), 1); /* nothing is written before the clock advances */
    sgk_disposable_dispose(writing);

    sgk_signal *sides[] = {later, range};
    SGK_AUTO(sgk_signal) both = sgk_zip(sides, 2, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE));
    SGK_AUTO(sgk_disposable) zipped = sgk_signal_start(both, NULL);
    assert_int_equal(count_of_pauses(1, true, id_of("zip")), 2);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "paused by"), 2); /* the range and its successors */
    sgk_disposable_dispose(zipped);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "paused"), 0);
    sgk_debug_watch(false);
}

/* A shut valve pauses the stages upstream, not itself: also a source that comes later. Its condition is not paused. */
static void it_is_seen_that_a_valve_pauses(void **state) {
    (void)state;
    sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) is_busy = sgk_pipe_create_replay();
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) condition = sgk_pipe_signal(is_busy);
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(source, times_ten, NULL, NULL);
    SGK_AUTO(sgk_signal) valve = sgk_signal_paused_by(mapped, condition);
    sgk_pipe_next(is_busy, sgk_bool(true));
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(valve, NULL);
    int64_t by = id_of("paused_by");
    assert_int_equal(count_of_pauses(1, true, by), 2); /* the map and its pipe */
    assert_int_equal(count_of_pauses(0, false, 0), 3);
    sgk_pipe_next(is_busy, sgk_bool(false));
    assert_false(sgk_pipe_is_paused(pipe));
    assert_int_equal(count_of_pauses(1, false, 0), 2);
    sgk_pipe_next(is_busy, sgk_bool(true));
    assert_int_equal(count_of_pauses(2, true, by), 2);
    SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
    assert_int_equal(count_of_pauses(2, true, 0), 2); /* the valve is also paused, by the hold */
    assert_int_equal(count_of_pauses(1, true, 0), 2);
    sgk_pipe_next(is_busy, sgk_bool(false));
    assert_int_equal(count_of_pauses(2, true, 0), 2);
    sgk_pipe_next(is_busy, sgk_bool(true));
    sgk_disposable_dispose(hold);
    assert_int_equal(count_of_pauses(2, true, by), 2);
    assert_true(sgk_pipe_is_paused(pipe));
    sgk_pipe_next(is_busy, sgk_bool(false));
    assert_false(sgk_pipe_is_paused(pipe));
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "paused by"), 0);
    sgk_debug_watch(false);
}

/* Pauses that end, and subscriptions that end while they are paused, leave no trace. */
static void a_pause_is_over_with_its_run(void **state) {
    (void)state;
    sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    for (int how = 0; how < 3; how++) {
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(source, NULL);
        SGK_AUTO(sgk_disposable) other = sgk_signal_start(source, NULL);
        SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
        assert_int_equal(count_of_pauses(1, true, 0), 2); /* not the other subscription of the pipe */
        assert_int_equal(count_of_pauses(0, false, 0), 2);
        if (how == 0) sgk_disposable_dispose(hold);
        if (how == 1) sgk_disposable_dispose(run);
        if (how == 2) sgk_pipe_complete(pipe);
        assert_int_equal(count_of_pauses(1, true, 0), 0);
        assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "paused"), 0);
        sgk_disposable_dispose(run);
        sgk_disposable_dispose(other);
    }
    sgk_debug_watch(false);
}

static void look_at_the_end(void *context) {
    const char *ending = context;
    char text[32], member[32];
    snprintf(text, sizeof text, ", %s\n", ending);
    snprintf(member, sizeof member, "\"state\":\"%s\"}", ending);
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, text), 2); /* the subscription, and the pipe's stage */
    assert_int_equal(count_in_graph(SGK_DEBUG_JSON, member), 2);
}
static void look_at_the_error(void *context, sgk_value error) {
    (void)error;
    look_at_the_end(context);
}

static void it_is_seen_how_a_run_ends(void **state) {
    (void)state;
    sgk_debug_watch(true);
    for (int fails = 0; fails < 2; fails++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = fails ? "failed" : "completed";
        handlers.error = look_at_the_error;
        handlers.completed = look_at_the_end;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, &handlers);
        if (fails) sgk_pipe_error(pipe, sgk_int(7));
        else sgk_pipe_complete(pipe);
    }
    sgk_debug_watch(false);
}

/* Each object has all of its members, and there is a comma between two things. */
static void the_json_has_what_it_promises(void **state) {
    (void)state;
    sgk_debug_watch(true);
    counted c = {0};
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("any");
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) one = sgk_signal_start_next(signal, counted_next, &c, counted_destroy);
    SGK_AUTO(sgk_disposable) other = sgk_signal_start(signal, NULL);
    text t = graph(SGK_DEBUG_JSON);
    assert_ptr_equal(strstr(t.bytes, "{\"version\":1,\"time\":"), t.bytes);
    assert_string_equal(t.bytes + t.length - 3, "}}\n");
    assert_int_equal(count_of(t.bytes, ",\"runs\":[{\"id\":"), 1);
    assert_int_equal(count_of(t.bytes, "],\"queues\":[{\"name\":"), 1);
    assert_int_equal(count_of(t.bytes, "],\"live\":{\""), 1);
    static const char *const wrong[] = {"[,", "{,", ",,", "}{", ",]", ",}", ":,", ":}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_int_equal(count_of(t.bytes, wrong[i]), 0);
    *strstr(t.bytes, "],\"queues\"") = 0; /* "live" has a member "state", too */
    static const char *const members[] = {"id", "parent", "operator", "parameter", "file", "line", "values", "in",
        "waiting", "most_waiting", "errors", "age", "idle", "thread", "busy", "slowest", "pauses", "paused",
        "paused_by", "context", "state"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char member[32];
        snprintf(member, sizeof member, "%c\"%s\":", i ? ',' : '{', members[i]);
        assert_int_equal(count_of(t.bytes, member), 4); /* two stages, and the ends of two runs */
    }
    free(t.bytes);
    sgk_disposable_dispose(one);
    sgk_disposable_dispose(other);
    sgk_debug_watch(false);
}

typedef struct stop {
    atomic_bool is_there, may_go;
} stop;

static void stay(void *context) {
    stop *s = context;
    s->is_there = true;
    EVENTUALLY(s->may_go);
}

static int count_of_queues(const char *known) { return count_in_graph(SGK_DEBUG_JSON, known); }

/* How many jobs a queue has, whether anybody looks or not. */
static void queues_are_seen(void **state) {
    (void)state;
    sgk_queue *queue = sgk_queue_create("j\"obs");
    int all = count_of_queues("{\"name\":");
    assert_int_equal(count_of_queues("{\"name\":\"j\\\"obs\",\"depth\":0,\"done\":0,\"running\":false}"), 1);
    stop s = {false, false};
    for (int i = 0; i < 3; i++) sgk_queue_dispatch(queue, stay, &s, NULL);
    EVENTUALLY(s.is_there);
    assert_int_equal(count_of_queues("obs\",\"depth\":3,\"done\":0,\"running\":true}"), 1);
    s.may_go = true;
    EVENTUALLY(count_of_queues("obs\",\"depth\":0,\"done\":3,\"running\":false}") == 1);
    sgk_queue_release(queue);
    assert_int_equal(count_of_queues("{\"name\":"), all - 1);
    /* work that is released without running counts as finished */
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) of_pool = sgk_thread_pool_next_queue(pool);
    s = (stop){false, false};
    for (int i = 0; i < 7; i++) sgk_queue_dispatch(of_pool, stay, &s, NULL);
    EVENTUALLY(s.is_there);
    assert_int_equal(count_of_queues("{\"name\":null,\"depth\":7,\"done\":0,\"running\":true}"), 1);
    assert_int_equal(sgk_thread_pool_shutdown(pool), SGK_OK);
    s.may_go = true;
    EVENTUALLY(count_of_queues("{\"name\":null,\"depth\":0,\"done\":7,\"running\":false}") == 1);
}

static sgk_disposable *kept;

static void start_another(void *context, sgk_value value) {
    (void)value;
    kept = sgk_signal_start_next(context, counted_next, NULL, NULL);
}

static void a_run_knows_where_it_was_started(void **state) {
    (void)state;
    sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) named = sgk_signal_named(s, "child");
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(s, start_another, named, NULL);
    sgk_pipe_next(pipe, sgk_int(1));
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, "\n  #"), 2); /* the pipe; the subscription that its value has
                                                                   * started */
    assert_int_equal(count_in_graph(SGK_DEBUG_TEXT, " run \"child\": "), 1);
    sgk_disposable_dispose(kept);
    sgk_disposable_release(kept);
    sgk_disposable_dispose(run);
    sgk_debug_watch(false);
}

/* ---- Traces ---- */

typedef struct happened {
    pthread_mutex_t lock;
    char text[4000];
    sgk_disposable *disposes; /* at the first value */
    int64_t thread, from;
    uint64_t context;
    int64_t parent; /* of the latest run */
} happened;

static void note(void *context, const sgk_trace_event *event) {
    happened *h = context;
    assert_int_equal(event->size, sizeof *event);
    pthread_mutex_lock(&h->lock);
    size_t length = strlen(h->text);
    snprintf(h->text + length, sizeof h->text - length, "%s.%s ", event->operation, sgk_trace_kind_text(event->kind));
    if (event->kind == SGK_TRACE_HOP) {
        h->thread = event->thread;
        h->from = event->from_thread;
    }
    h->context = event->context;
    if (event->kind == SGK_TRACE_START && strcmp(event->operation, "run") == 0) h->parent = event->parent;
    sgk_disposable *run = event->kind == SGK_TRACE_NEXT ? h->disposes : NULL;
    if (run) h->disposes = NULL;
    pthread_mutex_unlock(&h->lock);
    if (run) sgk_disposable_dispose(run);
}

static void what_happens_is_told(void **state) {
    (void)state;
    happened h = {.lock = PTHREAD_MUTEX_INITIALIZER};
    sgk_set_trace_handler(note, &h, NULL);
    SGK_AUTO(sgk_signal) s = count_to(2);
    sgk_signal_replace(&s, sgk_signal_map(s, times_ten, NULL, NULL));
    sgk_disposable_release(sgk_signal_start_next(s, counted_next, &(counted){0}, NULL));
    assert_string_equal(h.text,
        "run.start map.start create.start create.next map.next run.next run.return create.next map.next run.next "
        "run.return create.completed map.completed run.completed run.return "
        "create.dispose map.dispose run.dispose ");
    sgk_set_trace_handler(NULL, NULL, NULL);
    h.text[0] = 0;
    sgk_disposable_release(sgk_signal_start_next(s, counted_next, &(counted){0}, NULL));
    assert_string_equal(h.text, "");
    assert_string_equal(sgk_trace_kind_text((sgk_trace_kind)99), "unknown kind of trace event");
}

static void a_handler_disposes_what_it_is_told_of(void **state) {
    (void)state;
    happened h = {.lock = PTHREAD_MUTEX_INITIALIZER};
    sgk_set_trace_handler(note, &h, NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    counted c = {0};
    SGK_AUTO(sgk_disposable) run = h.disposes = sgk_signal_start_next(s, counted_next, &c, NULL);
    sgk_pipe_next(pipe, sgk_int(1));
    sgk_pipe_next(pipe, sgk_int(2));
    assert_int_equal(c.calls, 0);
    assert_int_equal(count_of(h.text, "pipe.next"), 1);
    assert_int_equal(count_of(h.text, "pipe.dispose"), 1);
    assert_int_equal(count_of(h.text, "run.dispose"), 1);
    sgk_set_trace_handler(NULL, NULL, NULL);
}

typedef struct stage {
    sgk_signal *other;
    int64_t number;
    int started;               /* runs */
    bool is_over, has_started; /* has_started: a run, when it was over */
} stage;

static void note_stage(void *context, const sgk_trace_event *event) {
    stage *s = context;
    if (strcmp(event->operation, "switch_map") == 0) {
        s->number = event->run;
        s->is_over |= event->kind == SGK_TRACE_DISPOSE;
    } else if (strcmp(event->operation, "run") == 0 && event->kind == SGK_TRACE_START) {
        s->started++;
        s->has_started |= s->is_over && event->parent == s->number;
    }
}

static void start_the_other(void *context) {
    sgk_disposable_release(sgk_signal_start(((stage *)context)->other, NULL));
}

/* The last object of a subscription is released inside a stage that has already ended. */
static void nothing_is_started_by_what_is_over(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = sgk_signal_switch_map(values, single_of, NULL, NULL);
    SGK_AUTO(sgk_signal) other = sgk_signal_just(sgk_int(1));
    stage s = {.other = other};
    sgk_set_trace_handler(note_stage, &s, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &s;
    handlers.destroy = start_the_other;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
    sgk_pipe_next(pipe, sgk_int(1));
    sgk_pipe_complete(pipe);
    sgk_set_trace_handler(NULL, NULL, NULL);
    assert_int_equal(s.started, 2);
    assert_true(s.is_over && !s.has_started);
}

/* The destruction of a handler sets another one, or none. The last call wins, independent of the order of returns. */
static void set_in_its_place(void *context) { sgk_set_trace_handler(context ? note : NULL, context, NULL); }
static void the_handler_that_was_set_last_is_told(void **state) {
    (void)state;
    happened h = {.lock = PTHREAD_MUTEX_INITIALIZER};
    SGK_AUTO(sgk_signal) s = count_to(1);
    sgk_set_trace_handler(note, &h, set_in_its_place);
    sgk_set_trace_handler(NULL, NULL, NULL);
    sgk_disposable_release(sgk_signal_start_next(s, counted_next, &(counted){0}, NULL));
    assert_int_equal(count_of(h.text, "run.start"), 1);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) silent = sgk_pipe_signal(pipe);
    int watched = count_in_graph(SGK_DEBUG_JSON, "\"id\":");
    sgk_set_trace_handler(note, NULL, set_in_its_place);
    sgk_set_trace_handler(note, &h, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(silent, counted_next, NULL, NULL);
    assert_int_equal(count_of(h.text, "run.start"), 1);
    if (!is_always_watched()) assert_int_equal(count_in_graph(SGK_DEBUG_JSON, "\"id\":"), watched);
    sgk_disposable_dispose(run);
}

static void look_at_context(void *context, sgk_value value) {
    (void)value;
    *(atomic_ullong *)context = sgk_trace_context();
}

static void a_hop_is_told_and_the_context_follows(void **state) {
    (void)state;
    happened h = {.lock = PTHREAD_MUTEX_INITIALIZER};
    sgk_set_trace_handler(note, &h, NULL);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("other");
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    sgk_signal_replace(&s, sgk_signal_deliver_on(s, queue));
    atomic_ullong seen = 0;
    assert_int_equal(sgk_trace_set_context(42), 0);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(s, look_at_context, &seen, NULL);
    assert_int_equal(sgk_trace_set_context(0), 42);
    sgk_pipe_next(pipe, sgk_int(1));
    EVENTUALLY(seen == 42);
    sgk_disposable_dispose(run);
    sgk_drain(PATIENCE);
    assert_int_equal(count_of(h.text, "deliver_on.hop"), 1);
    assert_int_equal(count_of(h.text, ".hop"), 1);
    assert_true(h.thread != h.from && h.from != 0);
    assert_int_equal(h.context, 42);
    assert_int_equal(sgk_trace_context(), 0);
    sgk_set_trace_handler(NULL, NULL, NULL);
}

/* ---- Callbacks that would wait for themselves ---- */

typedef struct waiting {
    sgk_queue *first, *second;
    sgk_signal *named;
    char said[300];
} waiting;

static void write_down(void *context, const char *message) {
    snprintf(((waiting *)context)->said, sizeof((waiting *)context)->said, "%s", message);
}
static void wait_for_first(void *context, sgk_value value) {
    (void)value;
    assert_int_equal(sgk_queue_sync(((waiting *)context)->first, do_nothing, NULL), SGK_ERROR_THREAD);
}
static void emit_in_second(void *context) {
    sgk_disposable_release(sgk_signal_start_next(((waiting *)context)->named, wait_for_first, context, NULL));
}
static void go_on_in_second(void *context) {
    assert_int_equal(sgk_queue_sync(((waiting *)context)->second, emit_in_second, context), SGK_OK);
}

static void who_would_wait_for_itself_is_told(void **state) {
    (void)state;
    waiting w = {sgk_queue_create("first"), sgk_queue_create("second"), sgk_signal_just(sgk_int(1)), ""};
    sgk_signal_replace(&w.named, sgk_signal_named(w.named, "waiting"));
    sgk_debug_watch(true);
    sgk_set_log_handler(write_down, &w, NULL);
    char *used[64]; /* the text comes to lie where there was something */
    for (size_t i = 0; i < 64; i++) memset(used[i] = malloc(100 + 4 * i), 'x', 100 + 4 * i);
    for (size_t i = 0; i < 64; i++) free(used[i]);
    assert_int_equal(sgk_queue_sync(w.first, go_on_in_second, &w), SGK_OK);
    sgk_set_log_handler(NULL, NULL, NULL);
    sgk_debug_watch(false);
    assert_non_null(strstr(w.said, " \"waiting\" would deadlock "));
    const char end[] = "on its own queue; its wait was rejected";
    assert_string_equal(w.said + strlen(w.said) - strlen(end), end);
    sgk_clear_error();
    sgk_signal_release(w.named);
    sgk_queue_release(w.first);
    sgk_queue_release(w.second);
}

/* ---- Callbacks that are left without return ---- */

static jmp_buf way_out;

static void leave(void *context, sgk_value value) {
    (void)context, (void)value;
    longjmp(way_out, 1);
}

__attribute__((noinline)) static void emit_far_below(sgk_pipe *pipe) {
    volatile char stack[100000];
    stack[0] = 0;
    sgk_pipe_next(pipe, sgk_int(stack[0]));
}

/* The interrupted context of the thread ends. The outer context is restored when the thread enters an outer call. (Leak
 * checks and, at the end of a thread, pipes.c check that it is released.) */
static void what_was_left_by_a_longjmp_is_over(void **state) {
    (void)state;
    sgk_debug_watch(true);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    for (int i = 0; i < 40; i++) sgk_signal_replace(&s, sgk_signal_named(s, "left"));
    sgk_trace_set_context(7);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(s, leave, NULL, NULL);
    sgk_trace_set_context(1);
    if (setjmp(way_out) == 0) emit_far_below(pipe);
    assert_int_equal(sgk_trace_context(), 7);
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) named = sgk_signal_named(one, "afterwards");
    happened h = {.lock = PTHREAD_MUTEX_INITIALIZER};
    sgk_set_trace_handler(note, &h, NULL);
    sgk_disposable_release(sgk_signal_start_next(named, counted_next, &(counted){0}, NULL));
    sgk_set_trace_handler(NULL, NULL, NULL);
    assert_int_equal(h.parent, 0);
    assert_int_equal(sgk_trace_set_context(0), 1);
    sgk_debug_watch(false);
}

/* ---- Others emit simultaneously ---- */

typedef struct traffic {
    sgk_pipe *pipe;
    atomic_bool is_over;
} traffic;

static void emit_or_look(void *context, int index) {
    traffic *t = context;
    if (index == 4) {
        for (int i = 0; i < 60; i++) assert_int_equal(count_in_graph(SGK_DEBUG_TEXT + i % 3, "traffic") > 0, 1);
        t->is_over = true;
        return;
    }
    SGK_AUTO(sgk_pipe) own = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(own);
    sgk_signal_replace(&s, sgk_signal_concat_map(s, single_of, NULL, NULL));
    counted c = {0};
    while (!t->is_over) {
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(s, counted_next, &c, NULL);
        for (int i = 0; i < 20; i++) sgk_pipe_next(own, sgk_int(i));
        sgk_pipe_next(t->pipe, sgk_int(0));
        sgk_disposable_dispose(run);
    }
}

static void a_graph_is_written_while_others_emit(void **state) {
    (void)state;
    sgk_debug_watch(true);
    traffic t = {sgk_pipe_create(), false};
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(t.pipe);
    sgk_signal_replace(&s, sgk_signal_named(s, "traffic"));
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(s, NULL);
    in_parallel(5, emit_or_look, &t);
    sgk_disposable_dispose(run);
    sgk_pipe_release(t.pipe);
    sgk_debug_watch(false);
}

int run_sight(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_signal_describes_itself),
        TEST(operators_have_the_names_that_were_called),
        TEST(running_operators_have_the_names_that_were_called),
        TEST(names_of_any_bytes_are_escaped),
        TEST(what_comes_again_is_described_once),
        TEST(successors_without_end_are_described),
        TEST(somebody_looks_however_often_that_is_said),
        TEST(what_waits_is_seen),
        TEST(what_is_started_unseen_does_not_wait),
        TEST(what_a_run_does_is_counted),
        TEST(it_is_seen_who_pauses),
        TEST(it_is_seen_that_a_valve_pauses),
        TEST(a_pause_is_over_with_its_run),
        TEST(it_is_seen_how_a_run_ends),
        TEST(the_json_has_what_it_promises),
        TEST(queues_are_seen),
        TEST(a_run_knows_where_it_was_started),
        TEST(what_happens_is_told),
        TEST(a_handler_disposes_what_it_is_told_of),
        TEST(nothing_is_started_by_what_is_over),
        TEST(the_handler_that_was_set_last_is_told),
        TEST(a_hop_is_told_and_the_context_follows),
        TEST(who_would_wait_for_itself_is_told),
        TEST(what_was_left_by_a_longjmp_is_over),
        TEST(a_graph_is_written_while_others_emit),
    };
    return cmocka_run_group_tests_name("sight", tests, NULL, NULL);
}
