/* The library as a whole: version, texts, errors of each thread. */
#include "suite.h"

static void it_knows_its_version(void **state) {
    (void)state;
    assert_string_equal(sgk_version(), SGK_VERSION_STRING);
    char composed[32];
    snprintf(composed, sizeof composed, "%d.%d.%d", SGK_VERSION_MAJOR, SGK_VERSION_MINOR, SGK_VERSION_PATCH);
    assert_string_equal(composed, SGK_VERSION_STRING);
}

static void every_code_has_a_text(void **state) {
    (void)state;
#define CHECK(name, number, text) assert_int_equal(name, number); assert_string_equal(sgk_status_text(name), text);
    SGK_STATUS_MAP(CHECK)
#undef CHECK
#define CHECK(name, number, text) assert_int_equal(name, number); assert_string_equal(sgk_kind_text(name), text);
    SGK_KIND_MAP(CHECK)
#undef CHECK
#define CHECK(name, number, text) assert_int_equal(name, number); assert_string_equal(sgk_live_text(name), text); assert_int_equal(sgk_live_count(name), 0);
    SGK_LIVE_MAP(CHECK)
#undef CHECK
    assert_string_equal(sgk_status_text((sgk_status)99), "unknown status");
    assert_string_equal(sgk_kind_text((sgk_kind)99), "unknown kind of value");
    assert_string_equal(sgk_live_text((sgk_live)99), "unknown kind of object");
    assert_int_equal(sgk_live_count((sgk_live)99), -1);
}

static void live_counts_follow_the_handles(void **state) {
    (void)state;
    assert_int_equal(sgk_live_total(), 0);
    sgk_signal *signal = sgk_signal_never();
    sgk_queue *queue = sgk_queue_create(NULL);
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_disposable *meta = sgk_meta_disposable_create();
    counted c = {0};
    sgk_timer *timer = sgk_timer_create(1, false, counted_work, &c, NULL, queue);
    assert_int_equal(sgk_live_count(SGK_LIVE_SIGNAL), 1);
    assert_int_equal(sgk_live_count(SGK_LIVE_QUEUE), 1);
    assert_int_equal(sgk_live_count(SGK_LIVE_PIPE), 1);
    assert_int_equal(sgk_live_count(SGK_LIVE_DISPOSABLE), 1);
    assert_int_equal(sgk_live_count(SGK_LIVE_TIMER), 1);
    assert_int_equal(sgk_live_count(SGK_LIVE_CALLBACK), 1);
    assert_int_equal(sgk_live_total(), 6);
    assert_ptr_equal(sgk_signal_retain(signal), signal);
    assert_ptr_equal(sgk_queue_retain(queue), queue);
    assert_int_equal(sgk_live_total(), 6);
    sgk_signal_release(signal);
    sgk_signal_release(signal);
    sgk_queue_release(queue);
    sgk_queue_release(queue);
    sgk_pipe_release(pipe);
    sgk_disposable_release(meta);
    sgk_timer_release(timer);
}

static void fail_here(void *context, int index) {
    const char **texts = context;
    if (index == 0) {
        sgk_queue_release(NULL);
        sgk_signal_take(NULL, 1);
        texts[0] = strcmp(sgk_last_error(), "sgk_signal_take: signal: is NULL") == 0 ? "ok" : "wrong";
    } else {
        texts[1] = sgk_last_status() == SGK_OK && !*sgk_last_error() ? "ok" : "wrong";
    }
}

static void errors_belong_to_their_thread(void **state) {
    (void)state;
    const char *texts[2] = {NULL, NULL};
    in_parallel(2, fail_here, texts);
    assert_string_equal(texts[0], "ok");
    assert_string_equal(texts[1], "ok");
    assert_int_equal(sgk_last_status(), SGK_OK);
}

int run_library(void) {
    const struct CMUnitTest tests[] = {
        TEST(it_knows_its_version),
        TEST(every_code_has_a_text),
        TEST(live_counts_follow_the_handles),
        TEST(errors_belong_to_their_thread),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
