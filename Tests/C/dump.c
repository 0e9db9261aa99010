/* Dumps of live objects. */
#include "suite.h"

typedef struct {
    char text[64 * 1024];
    size_t length;
    bool is_wrong;
} page;

/* Empty again. */
static page *blank(page *p) {
    p->text[p->length = 0] = 0;
    p->is_wrong = false;
    return p;
}

static void keep(void *context, const char *text, size_t length) {
    page *p = context;
    p->is_wrong |= p->length + length >= sizeof p->text;
    if (p->is_wrong) return;
    memcpy(p->text + p->length, text, length);
    p->text[p->length += length] = 0;
}

static bool has_line(const page *p, const char *line) {
    const char *found = strstr(p->text, line);
    return found != NULL && (found == p->text || found[-1] == '\n') && found[strlen(line)] == '\n';
}

/* Of the library a line tells what the program has called, and nothing of what lies within. */
static void assert_frames_of_the_program(const page *p) {
    for (const char *at = p->text; (at = strstr(at, "libsignalkit.so")) != NULL; at++)
        assert_memory_equal(at + strcspn(at, "("), "(sgk_", 5);
}

/* How many objects the groups of a kind have: their lines are "  NUMBER KIND, …". */
static int held(const page *p, const char *kind) {
    int sum = 0;
    for (const char *line = p->text; line != NULL && *line; line = strchr(line, '\n'), line += line != NULL) {
        char *end;
        long count = strtol(line, &end, 10);
        size_t length = strlen(kind);
        if (end != line && *end == ' ' && strncmp(end + 1, kind, length) == 0 && end[1 + length] == ',')
            sum += (int)count;
    }
    return sum;
}

static bool is_debug(void) {
    const char *debug = getenv("SIGNALKIT_DEBUG");
    return debug && strcmp(debug, "1") == 0;
}

static sgk_signal *one_more(void) { return sgk_signal_never(); }

static void what_is_alive_is_written_down(void **state) {
    (void)state;
    static page p;
    sgk_signal *signals[3], *other = sgk_signal_never();
    for (int i = 0; i < 3; i++) signals[i] = one_more();
    sgk_signal_retain(signals[2]);
    sgk_value text = sgk_string("text");
    sgk_clear_error();
    assert_int_equal(sgk_debug_dump(keep, blank(&p)), SGK_OK);
    assert_string_equal(sgk_last_error(), "");
    assert_true(has_line(&p, "alive: 5"));
    assert_true(has_line(&p, "     4 signal"));
    assert_true(has_line(&p, "     1 boxed value"));
    assert_null(strstr(p.text, "pipe"));
    if (is_debug()) {
        const char *larger = strstr(p.text, "\n     3 signal, 4 held, 0.");
        const char *smaller = strstr(p.text, "\n     1 signal, 1 held");
        const char *value = strstr(p.text, "\n     1 boxed value: string, 1 held");
        assert_true(larger && smaller && value && larger < smaller && larger < value);
        assert_true(
            has_line(&p, "live handles (with reference counts) and subscriptions, by where they were created:"));
        assert_frames_of_the_program(&p);
#ifdef __GLIBC__
        assert_memory_equal(strchr(larger + 1, '\n'), "\n           ", 12); /* a frame */
#endif
    } else {
        assert_non_null(strstr(p.text, "SIGNALKIT_DEBUG=1"));
    }
    for (int i = 0; i < 3; i++) sgk_signal_release(signals[i]);
    sgk_signal_release(signals[2]);
    sgk_signal_release(other);
    sgk_value_release(text);
    assert_int_equal(sgk_debug_dump(keep, blank(&p)), SGK_OK);
    assert_true(has_line(&p, "alive: 0"));
    assert_int_equal(held(&p, "signal"), 0);
}

/* Only the library retains an object that the program has transferred. */
static void what_was_given_away_is_there_and_not_held(void **state) {
    (void)state;
    if (!is_debug()) skip();
    static page p;
    SGK_AUTO(sgk_signal) signal = sgk_signal_just(sgk_give(sgk_bytes("ab", 2)));
    assert_int_equal(sgk_debug_dump(keep, blank(&p)), SGK_OK);
    assert_non_null(strstr(p.text, "\n     1 boxed value: bytes, 0 held"));
    sgk_value text = sgk_value_retain(sgk_give(sgk_string("given to itself")));
    assert_int_equal(sgk_debug_dump(keep, blank(&p)), SGK_OK);
    assert_non_null(strstr(p.text, "\n     1 boxed value: string, 1 held"));
    sgk_value_release(text);
}

/* Also subscriptions whose disposable is released. */
static void runs_are_there_with_their_names(void **state) {
    (void)state;
    if (!is_debug()) skip();
    static page p;
    counted c = {0};
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = sgk_signal_named(values, "many\nlines and forty more characters behind");
    for (int i = 0; i < 2; i++) sgk_disposable_release(sgk_signal_start_next(signal, counted_next, &c, NULL));
    assert_int_equal(sgk_debug_dump(keep, blank(&p)), SGK_OK);
    assert_non_null(strstr(p.text, "\n     2 run \"many?lines and forty more characters be\", 0."));
    assert_non_null(strstr(p.text, "\n     1 signal \"many?lines and forty more characters be\", 1 held"));
    assert_frames_of_the_program(&p);
    sgk_pipe_complete(pipe);
    assert_int_equal(sgk_debug_dump(keep, blank(&p)), SGK_OK);
    assert_null(strstr(p.text, " run "));
}

static void dump_within(void *context, const char *text, size_t length) {
    page *p = context;
    SGK_AUTO(sgk_signal) signal = sgk_signal_just(sgk_give(sgk_string_n(text, length)));
    static page inner;
    assert_int_equal(sgk_debug_dump(keep, blank(&inner)), SGK_OK);
    keep(p, text, length);
}

static void a_writer_calls_whatever_it_likes(void **state) {
    (void)state;
    static page p;
    SGK_AUTO(sgk_signal) signal = sgk_signal_never();
    assert_int_equal(sgk_debug_dump(dump_within, blank(&p)), SGK_OK);
    assert_true(has_line(&p, "alive: 1"));
}

/* Each thread holds a text only while it holds a signal: so no moment has more texts. */
enum { MAKERS = 4 };
static atomic_bool is_over;

static void make_or_look(void *context, int index) {
    page *p = context;
    while (index > 0 && !is_over) {
        sgk_signal *signal = one_more();
        sgk_value text = sgk_string("text");
        sgk_value_release(text);
        sgk_signal_release(signal);
    }
    if (index > 0) return;
    bool is_wrong = false;
    for (int i = 0; i < 300; i++) {
        is_wrong |= sgk_debug_dump(keep, blank(p)) != SGK_OK || p->is_wrong || held(p, "signal") > MAKERS;
        is_wrong |= held(p, "boxed value: string") > held(p, "signal");
    }
    p->is_wrong = is_wrong;
    is_over = true;
}

static void it_is_of_one_moment_while_four_threads_make_and_release(void **state) {
    (void)state;
    static page p;
    is_over = false;
    in_parallel(1 + MAKERS, make_or_look, &p);
    assert_false(p.is_wrong);
}

int run_dump(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_alive_is_written_down),
        TEST(what_was_given_away_is_there_and_not_held),
        TEST(runs_are_there_with_their_names),
        TEST(a_writer_calls_whatever_it_likes),
        TEST(it_is_of_one_moment_while_four_threads_make_and_release),
    };
    return cmocka_run_group_tests_name("dump", tests, NULL, NULL);
}
