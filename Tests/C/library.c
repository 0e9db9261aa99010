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
#define CHECK(name, number, text) \
    assert_int_equal(name, number); \
    assert_string_equal(sgk_status_text(name), text);
    SGK_STATUS_MAP(CHECK)
#undef CHECK
#define CHECK(name, number, text) \
    assert_int_equal(name, number); \
    assert_string_equal(sgk_kind_text(name), text);
    SGK_KIND_MAP(CHECK)
#undef CHECK
#define CHECK(name, number, text) \
    assert_int_equal(name, number); \
    assert_string_equal(sgk_live_text(name), text); \
    assert_int_equal(sgk_live_count(name), 0);
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
    sgk_disposable *meta = sgk_disposable_slot_create();
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

/* A signal becomes a counter of overflows, and that a signal: one of them is there at each moment. */
static void *exchange(void *done) {
    sgk_signal *signal = sgk_signal_never();
    for (int i = 0, many = repeated(300000); i < many; i++) {
        sgk_overflow_counter *counter = sgk_overflow_counter_create();
        sgk_signal_release(signal);
        signal = sgk_signal_never();
        sgk_overflow_counter_release(counter);
    }
    *(atomic_bool *)done = true;
    return signal;
}
/* Has counted, and is there, so that a sum takes longer. */
static void *stay(void *barrier) {
    sgk_signal_release(sgk_signal_never());
    pthread_barrier_wait(barrier);
    pthread_barrier_wait(barrier);
    return NULL;
}
static void the_sum_is_never_too_low(void **state) {
    (void)state;
    enum { CROWD = 64 };
    pthread_t crowd[CROWD], thread;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, CROWD + 1);
    for (int i = 0; i < CROWD; i++) pthread_create(&crowd[i], NULL, stay, &barrier);
    pthread_barrier_wait(&barrier);
    atomic_bool done = false;
    void *signal;
    pthread_create(&thread, NULL, exchange, &done);
    EVENTUALLY(sgk_live_total() > 0);
    while (!done) assert_true(sgk_live_total() > 0);
    pthread_join(thread, &signal);
    sgk_signal_release(signal);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < CROWD; i++) pthread_join(crowd[i], NULL);
    pthread_barrier_destroy(&barrier);
}

static void fail_here(void *context, int index) {
    const char **texts = context;
    if (index == 0) {
        sgk_queue_release(NULL);
        sgk_signal_release(sgk_signal_take(NULL, 1));
        texts[0] = strcmp(sgk_last_error(), "sgk_signal_take: signal: must not be NULL") == 0 ? "ok" : "wrong";
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

/* Functions of a program that return nothing. */
static sgk_signal *no_signal(void) { return NULL; }

static void the_first_reason_stays_while_null_flows(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = sgk_signal_never();
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    sgk_signal *failed = sgk_signal_take(source, -1);
    SGK_AUTO(sgk_signal) other = sgk_signal_just(sgk_int(1)); /* created in the meantime, to be combined with it */
    sgk_signal *mapped = sgk_signal_map(failed, times_ten, NULL, NULL);
    sgk_signal *there = sgk_signal_deliver_on(mapped, queue);
    sgk_signal *joined = sgk_merge((sgk_signal *[]){other, there}, 2);
    assert_null(sgk_signal_start(joined, NULL));
    assert_string_equal(sgk_last_error(), "sgk_signal_take: count: must be 0 or more");
    assert_null(sgk_signal_filter(failed, is_even, NULL, NULL)); /* also after it has been read */
    assert_int_equal(sgk_last_status(), SGK_ERROR_ARGUMENT);
    assert_string_equal(sgk_last_error(), "sgk_signal_take: count: must be 0 or more");
    sgk_clear_error();
}

static void an_old_error_is_no_reason(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = sgk_signal_never();
    /* of a call that returns no signal */
    assert_int_equal(sgk_pipe_next(NULL, sgk_int(1)), SGK_ERROR_NULL);
    assert_null(sgk_signal_map(no_signal(), times_ten, NULL, NULL));
    assert_string_equal(sgk_last_error(), "sgk_signal_map: signal: must not be NULL");
    sgk_clear_error();
    assert_int_equal(sgk_value_kind(sgk_array_at(sgk_int(1), 0)), SGK_NULL);
    assert_null(sgk_signal_start_next(no_signal(), NULL, NULL, NULL));
    assert_string_equal(sgk_last_error(), "sgk_signal_start_next: signal: must not be NULL");
    assert_null(sgk_signal_take(no_signal(), 1));
    assert_string_equal(sgk_last_error(), "sgk_signal_take: signal: must not be NULL");
    sgk_clear_error();
    assert_null(sgk_event_link_observer(NULL));
    assert_null(sgk_signal_take(no_signal(), 1)); /* a link is not a signal */
    assert_string_equal(sgk_last_error(), "sgk_signal_take: signal: must not be NULL");
    /* of one that the program has dealt with */
    assert_null(sgk_signal_take(source, -1));
    assert_int_equal(sgk_last_status(), SGK_ERROR_ARGUMENT);
    SGK_AUTO(sgk_signal) instead = sgk_signal_just(sgk_int(1));
    assert_null(sgk_signal_map(no_signal(), times_ten, NULL, NULL));
    assert_string_equal(sgk_last_error(), "sgk_signal_map: signal: must not be NULL");
    /* the same of links */
    assert_null(sgk_event_link_map(NULL, times_ten, NULL, NULL));
    assert_string_equal(sgk_last_error(), "sgk_event_link_map: link: must not be NULL");
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    assert_null(sgk_event_link_filter(NULL, is_even, NULL, NULL));
    assert_string_equal(sgk_last_error(), "sgk_event_link_filter: link: must not be NULL");
    sgk_clear_error();
}

int run_library(void) {
    const struct CMUnitTest tests[] = {
        TEST(it_knows_its_version),
        TEST(every_code_has_a_text),
        TEST(the_first_reason_stays_while_null_flows),
        TEST(an_old_error_is_no_reason),
        TEST(live_counts_follow_the_handles),
        TEST(the_sum_is_never_too_low),
        TEST(errors_belong_to_their_thread),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
