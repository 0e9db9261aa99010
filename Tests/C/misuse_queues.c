/* Misuse of clocks and loops: virtual time, queues on custom loops, bounded delivery, readers. */
#include "misuse.h"

/* A function on a queue that returns a status. */
#define REFUSES_QUEUE(name, ...) \
    do { \
        REFUSED(name(NULL, __VA_ARGS__), SGK_ERROR_NULL, #name ": queue: "); \
        REFUSED(name(WRONG_QUEUE, __VA_ARGS__), SGK_ERROR_HANDLE, #name ": queue: "); \
        REFUSED(name(some_queue, __VA_ARGS__), SGK_ERROR_ARGUMENT, #name ": queue: must have a virtual"); \
    } while (0)

static void virtual_time(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    REFUSED_NULL(sgk_queue_create_virtual(some_queue), SGK_ERROR_ARGUMENT, "sgk_queue_create_virtual: beside: ");
    REFUSED_NULL(sgk_queue_create_virtual(WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_queue_create_virtual: beside: ");
    assert_true(isnan(sgk_queue_now(NULL)));
    assert_failed(SGK_ERROR_NULL, "sgk_queue_now: queue: ");
    assert_true(isnan(sgk_queue_now(WRONG_QUEUE)));
    assert_failed(SGK_ERROR_HANDLE, "sgk_queue_now: queue: ");
    REFUSES_QUEUE(sgk_queue_advance, 1);
    REFUSES_QUEUE(sgk_queue_advance_to, 1);
    REFUSES_QUEUE(sgk_queue_run, 1);
    REFUSES_QUEUE(sgk_queue_suspend, 1);
    REFUSED(sgk_queue_pending(NULL), SGK_ERROR_NULL, "sgk_queue_pending: queue: ");
    REFUSED(sgk_queue_pending(WRONG_QUEUE), SGK_ERROR_HANDLE, "sgk_queue_pending: queue: ");
    REFUSED(sgk_queue_pending(some_queue), SGK_ERROR_ARGUMENT, "sgk_queue_pending: queue: must have a virtual");
    REFUSED(sgk_queue_run(queue, 0), SGK_ERROR_ARGUMENT, "sgk_queue_run: limit: ");
    const double bad[] = {-1, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        REFUSED(sgk_queue_advance(queue, bad[i]), SGK_ERROR_ARGUMENT, "sgk_queue_advance: seconds: ");
        REFUSED(sgk_queue_suspend(queue, bad[i]), SGK_ERROR_ARGUMENT, "sgk_queue_suspend: seconds: ");
        if (i) REFUSED(sgk_queue_advance_to(queue, bad[i]), SGK_ERROR_ARGUMENT, "sgk_queue_advance_to: time: ");
    }
    assert_true(sgk_queue_now(queue) == 0);
}

static sgk_status refuse(void *loop, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    (void)work;
    counted_work(loop);
    destroy(work_context);
    return SGK_ERROR_ENDED;
}

static sgk_status refuse_to_watch(
    void *loop, int fd, uint32_t events, sgk_ready_fn ready, void *ready_context, sgk_destroy_fn destroy) {
    (void)fd, (void)events, (void)ready;
    return refuse(loop, NULL, ready_context, destroy);
}

static void custom_queues(void **state) {
    (void)state;
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.retain = counted_work;
    table.release = counted_destroy;
    REFUSED_NULL(sgk_queue_create_custom(NULL, &context), SGK_ERROR_NULL, "sgk_queue_create_custom: table: ");
    REFUSED_NULL(
        sgk_queue_create_custom(&table, &context), SGK_ERROR_NULL, "sgk_queue_create_custom: table.dispatch: ");
    table.dispatch = refuse;
    /* none, inside of a field, less and more than any has, of a newer program than this library */
    struct {
        sgk_queue_table known;
        void *more;
    } newer = {table, &context};
    const size_t sizes[] = {0, 3, offsetof(sgk_queue_table, is_current), 4104, sizeof newer};
    for (int i = 0; i < 5; i++) {
        newer.known.size = sizes[i];
        REFUSED_NULL(
            sgk_queue_create_custom(&newer.known, &context), SGK_ERROR_ARGUMENT, "sgk_queue_create_custom: table: ");
    }
    assert_true(context.calls == 0 && context.destroyed == 0);
    table.size = sizeof table;
    table.watch = refuse_to_watch;
    REFUSED_NULL(sgk_queue_create_custom(&table, &context), SGK_ERROR_NULL, "sgk_queue_create_custom: table.unwatch: ");
    assert_true(context.calls == 0 && context.destroyed == 0);
    assert_int_equal(sgk_queue_dropped(NULL), -1);
    assert_failed(SGK_ERROR_NULL, "sgk_queue_dropped: queue: ");
    assert_int_equal(sgk_queue_dropped(WRONG_QUEUE), -1);
    assert_failed(SGK_ERROR_HANDLE, "sgk_queue_dropped: queue: ");
    assert_int_equal(sgk_queue_dropped(some_queue), 0);
}

static void bounded_deliveries(void **state) {
    (void)state;
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
#define DELIVERED(bound) sgk_signal_deliver_on_bounded(some_signal, bound, some_queue)
    REFUSES_BOUND(REFUSED_NULL, DELIVERED, "sgk_signal_deliver_on_bounded: bound");
    REFUSED_NULL(DELIVERED(SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE | 6)), SGK_ERROR_ARGUMENT,
        "sgk_signal_deliver_on_bounded: bound.overflow: must be a sgk_overflow");
    assert_int_equal(sgk_overflow_counter_dropped(NULL), -1);
    assert_failed(SGK_ERROR_NULL, "sgk_overflow_counter_dropped: counter: ");
    assert_int_equal(sgk_overflow_counter_dropped(WRONG(sgk_overflow_counter)), -1);
    assert_failed(SGK_ERROR_HANDLE, "sgk_overflow_counter_dropped: counter: ");
    assert_int_equal(sgk_overflow_counter_exceeded(NULL), -1);
    assert_failed(SGK_ERROR_NULL, "sgk_overflow_counter_exceeded: counter: ");
    assert_int_equal(sgk_overflow_counter_exceeded(WRONG(sgk_overflow_counter)), -1);
    assert_failed(SGK_ERROR_HANDLE, "sgk_overflow_counter_exceeded: counter: ");
    assert_int_equal(sgk_overflow_counter_suspended(NULL), -1);
    assert_failed(SGK_ERROR_NULL, "sgk_overflow_counter_suspended: counter: ");
    assert_int_equal(sgk_overflow_counter_suspended(WRONG(sgk_overflow_counter)), -1);
    assert_failed(SGK_ERROR_HANDLE, "sgk_overflow_counter_suspended: counter: ");
    sgk_overflow_counter_release(sgk_overflow_counter_retain(counter));
    assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
}

static void run_of_the_main_queue(void **state) {
    (void)state;
    SGK_AUTO(sgk_disposable) action = sgk_action_disposable_create(counted_work, &context, counted_destroy);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(some_signal, NULL);
    REFUSED(sgk_main_run_until(NULL, 1), SGK_ERROR_NULL, "sgk_main_run_until: subscription: ");
    REFUSED(
        sgk_main_run_until(WRONG(sgk_disposable), 1), SGK_ERROR_HANDLE, "sgk_main_run_until: subscription: must have");
    REFUSED(
        sgk_main_run_until(action, 1), SGK_ERROR_HANDLE, "sgk_main_run_until: subscription: must be a subscription");
    REFUSED(sgk_main_run_until(subscription, -1), SGK_ERROR_ARGUMENT, "sgk_main_run_until: seconds: ");
    REFUSED(sgk_main_run_until(subscription, (double)NAN), SGK_ERROR_ARGUMENT, "sgk_main_run_until: seconds: ");
}

static void readers(void **state) {
    (void)state;
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    sgk_value value = sgk_int(1);
#define READER(bound) sgk_reader_create(some_signal, bound)
    REFUSES_BOUND(REFUSED_NULL, READER, "sgk_reader_create: bound");
    REFUSED_NULL(sgk_reader_create(NULL, NULL), SGK_ERROR_NULL, "sgk_reader_create: signal: ");
    REFUSED_NULL(sgk_reader_create(WRONG(sgk_signal), NULL), SGK_ERROR_HANDLE, "sgk_reader_create: signal: ");
    SGK_AUTO(sgk_reader) reader = READER(SGK_BOUND(.limit = INT64_MAX, .counter = counter));
    assert_non_null(reader);
    sgk_reader_release(sgk_reader_retain(reader));
    REFUSED(sgk_reader_close(NULL), SGK_ERROR_NULL, "sgk_reader_close: reader: ");
    REFUSED(sgk_reader_close(WRONG(sgk_reader)), SGK_ERROR_HANDLE, "sgk_reader_close: reader: ");
    REFUSED(sgk_reader_fd(NULL), SGK_ERROR_NULL, "sgk_reader_fd: reader: ");
    REFUSED(sgk_reader_fd(WRONG(sgk_reader)), SGK_ERROR_HANDLE, "sgk_reader_fd: reader: ");
    REFUSED_WORK(sgk_reader_when_ready(NULL, counted_work, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_reader_when_ready: reader: ");
    REFUSED_WORK(sgk_reader_when_ready(WRONG(sgk_reader), counted_work, &context, counted_destroy), SGK_ERROR_HANDLE,
        "sgk_reader_when_ready: reader: ");
    REFUSED_WORK(sgk_reader_when_ready(reader, NULL, &context, counted_destroy), SGK_ERROR_NULL,
        "sgk_reader_when_ready: ready: ");
    REFUSED(sgk_reader_next(NULL, 1, &value), SGK_ERROR_NULL, "sgk_reader_next: reader: ");
    assert_int_equal(sgk_value_kind(value), SGK_NULL); /* in any case: it can be released */
    REFUSED(sgk_reader_next(WRONG(sgk_reader), 1, &value), SGK_ERROR_HANDLE, "sgk_reader_next: reader: ");
    REFUSED(sgk_reader_next(reader, 1, NULL), SGK_ERROR_NULL, "sgk_reader_next: value: ");
    REFUSED(sgk_signal_get(NULL, 1, &value), SGK_ERROR_NULL, "sgk_signal_get: signal: ");
    REFUSED(sgk_signal_get(WRONG(sgk_signal), 1, &value), SGK_ERROR_HANDLE, "sgk_signal_get: signal: ");
    REFUSED(sgk_signal_get(some_signal, 1, NULL), SGK_ERROR_NULL, "sgk_signal_get: value: ");
    REFUSED(sgk_signal_collect(NULL, 1, 1, &value), SGK_ERROR_NULL, "sgk_signal_collect: signal: ");
    REFUSED(sgk_signal_collect(WRONG(sgk_signal), 1, 1, &value), SGK_ERROR_HANDLE, "sgk_signal_collect: signal: ");
    REFUSED(sgk_signal_collect(some_signal, 0, 1, &value), SGK_ERROR_ARGUMENT, "sgk_signal_collect: limit: ");
    REFUSED(sgk_signal_collect(some_signal, INT64_MIN, 1, &value), SGK_ERROR_ARGUMENT, "sgk_signal_collect: limit: ");
    REFUSED(sgk_signal_collect(some_signal, 1, 1, NULL), SGK_ERROR_NULL, "sgk_signal_collect: values: ");
    const double bad[] = {-1, (double)NAN, -(double)INFINITY};
    for (int i = 0; i < 3; i++) {
        REFUSED(sgk_reader_next(reader, bad[i], &value), SGK_ERROR_ARGUMENT, "sgk_reader_next: seconds: ");
        REFUSED(sgk_signal_get(some_signal, bad[i], &value), SGK_ERROR_ARGUMENT, "sgk_signal_get: seconds: ");
        REFUSED(
            sgk_signal_collect(some_signal, 1, bad[i], &value), SGK_ERROR_ARGUMENT, "sgk_signal_collect: seconds: ");
    }
}

int run_misuse_queues(void) {
    const struct CMUnitTest tests[] = {
        MISUSE(virtual_time),
        MISUSE(custom_queues),
        MISUSE(bounded_deliveries),
        MISUSE(readers),
        MISUSE(run_of_the_main_queue),
    };
    return cmocka_run_group_tests_name("misuse of queues", tests, NULL, NULL);
}
