/* deliver_on with a bound. */
#include "suite.h"

static sgk_signal *bounded(
    sgk_signal *source, sgk_queue *queue, int64_t limit, sgk_overflow policy, sgk_overflow_counter *counter) {
    return sgk_signal_deliver_on_bounded(source, queue, limit, policy, sgk_int(99), counter);
}

/* Ten values come at once, four of them find room. */
static void what_becomes_of_the_rest(void **state) {
    (void)state;
    static const struct {
        sgk_overflow policy;
        int count;
        int64_t values[10];
        int errors, dropped;
    } rows[] = {
        /* a virtual queue comes to it during the wait */
        {SGK_OVERFLOW_SUSPEND, 10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0, 0},
        {SGK_OVERFLOW_DROP_OLDEST, 4, {7, 8, 9, 10}, 0, 6},
        {SGK_OVERFLOW_DROP_NEWEST, 4, {1, 2, 3, 4}, 0, 6},
        {SGK_OVERFLOW_KEEP_LATEST, 2, {9, 10}, 0, 8},
        {SGK_OVERFLOW_ERROR, 4, {1, 2, 3, 4}, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) source = count_to(10);
        SGK_AUTO(sgk_signal) signal = bounded(source, queue, 4, rows[i].policy, counter);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, r);
        sgk_queue_run(queue, 100);
        assert_recorded(r, rows[i].count, rows[i].values);
        assert_true(r->errors == rows[i].errors && r->ends == 1 - rows[i].errors);
        if (r->errors) assert_int_equal(r->error, 99);
        assert_int_equal(sgk_overflow_counter_dropped(counter), rows[i].dropped);
        assert_true((sgk_overflow_counter_suspended(counter) > 0) == (rows[i].policy == SGK_OVERFLOW_SUSPEND));
        recorder_free(r);
    }
}

static void slow(void *context, sgk_value value) {
    atomic_int *most = context;
    (void)value;
    if (*most % 16 == 0) sleep_a_moment();
    (*most)++;
}

static void emit_500(void *context, int index) {
    (void)index;
    for (int i = 0; i < 500; i++) sgk_pipe_next(context, sgk_int(i));
}

/* Threads that are faster than the queue are held up, and nothing is lost. */
static void emitters_are_suspended(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("slow");
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    sgk_pipe *pipes[3];
    atomic_int received = 0;
    for (int i = 0; i < 3; i++) pipes[i] = sgk_pipe_create();
    sgk_disposable *runs[3];
    for (int i = 0; i < 3; i++) {
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipes[i]);
        SGK_AUTO(sgk_signal) signal = bounded(source, queue, 2, SGK_OVERFLOW_SUSPEND, counter);
        runs[i] = sgk_signal_start_next(signal, slow, &received, NULL);
    }
    for (int i = 0; i < 3; i++) in_parallel(2, emit_500, pipes[i]);
    EVENTUALLY(received == 3000);
    assert_true(sgk_overflow_counter_suspended(counter) > 0);
    assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
    for (int i = 0; i < 3; i++) {
        sgk_disposable_dispose(runs[i]);
        sgk_disposable_release(runs[i]);
        sgk_pipe_release(pipes[i]);
    }
}

static void emit_5(void *context, int index) {
    (void)index;
    for (int i = 0; i < 5; i++) sgk_pipe_next(context, sgk_int(i));
}

typedef struct stopper {
    sgk_pipe *pipe;
    sgk_disposable *run;
    sgk_overflow_counter *counter;
} stopper;

static void emit_or_stop(void *context, int index) {
    stopper *s = context;
    if (index) return emit_5(s->pipe, 0);
    EVENTUALLY(sgk_overflow_counter_suspended(s->counter) > 0);
    sgk_disposable_dispose(s->run);
}

static void disposal_frees_who_is_suspended(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("stuck");
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = bounded(source, queue, 1, SGK_OVERFLOW_SUSPEND, counter);
    door door = {0};
    sgk_queue_dispatch(queue, wait_at, &door, counted_destroy);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    stopper s = {pipe, run, counter};
    in_parallel(2, emit_or_stop, &s);
    assert_int_equal(r->destroyed, 1); /* at once, although the queue is busy */
    open_and_wait(&door);
    sgk_queue_sync(queue, do_nothing, NULL);
    assert_int_equal(r->nexts, 0);
    recorder_free(r);
}

static void feed_back(void *context, sgk_value value) {
    int64_t n = sgk_to_int(value);
    if (n < 50) for (int i = 0; i < 2; i++) sgk_pipe_next(context, sgk_int(n + 25));
}

/* From inside its own callback, also on a concurrent queue, a value is taken beyond the bound: waiting would be for
 * ever. */
static void the_callback_may_emit(void **state) {
    (void)state;
    sgk_queue *queues[] = {sgk_queue_create("own"), sgk_queue_concurrent_default()};
    for (int i = 0; i < 2; i++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal) signal = bounded(source, queues[i], 1, SGK_OVERFLOW_SUSPEND, NULL);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_signal) fed = sgk_signal_before_next(signal, feed_back, pipe, NULL);
        SGK_AUTO(sgk_disposable) run = record_run(fed, r);
        sgk_pipe_next(pipe, sgk_int(0));
        EVENTUALLY(r->nexts == 7); /* 0, two of 25, four of 50 */
        sgk_disposable_dispose(run);
        recorder_free(r);
        sgk_queue_release(queues[i]);
    }
}

static void a_pool_that_ends(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_next_queue(pool);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = bounded(source, queue, 1, SGK_OVERFLOW_SUSPEND, NULL);
    door door = {0};
    sgk_queue_dispatch(queue, wait_at, &door, counted_destroy);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(signal, r);
    sgk_pipe_next(pipe, sgk_int(1));
    sgk_thread_pool_shutdown(pool);
    open_and_wait(&door);
    EVENTUALLY(r->destroyed == 1); /* nobody will ever deliver: the run lets go */
    sgk_pipe_next(pipe, sgk_int(2));
    sgk_pipe_next(pipe, sgk_int(3)); /* nor is anybody suspended */
    recorder_free(r);
}

int run_bounded(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_becomes_of_the_rest),
        TEST(emitters_are_suspended),
        TEST(disposal_frees_who_is_suspended),
        TEST(the_callback_may_emit),
        TEST(a_pool_that_ends),
    };
    return cmocka_run_group_tests_name("bounded", tests, NULL, NULL);
}
