/* Pull: readers, sgk_signal_get, sgk_signal_collect. */
#include "suite.h"

#include <math.h>
#include <poll.h>

static sgk_reader *reader_of(sgk_signal *signal) {
    return sgk_reader_create(signal, SGK_BOUND(.limit = 8, .overflow = SGK_OVERFLOW_SUSPEND));
}

/* The result of the next reading. An int or an array of ints is stored in `number`. */
static sgk_status next(sgk_reader *reader, double seconds, int64_t *number) {
    sgk_value value = sgk_int(-1);
    sgk_status status = sgk_reader_next(reader, seconds, &value);
    *number = sgk_to_int(value);
    assert_true(status == SGK_OK || status == SGK_ERROR_FAILED || sgk_value_kind(value) == SGK_NULL);
    sgk_value_release(value);
    return status;
}

#define ASSERT_NEXT(reader, seconds, status, number) \
    do { \
        int64_t found; \
        assert_int_equal(next((reader), (seconds), &found), (status)); \
        assert_int_equal(found, (number)); \
    } while (0)

static size_t count_of(sgk_value array) {
    size_t count = 0;
    assert_non_null(sgk_array_items(array, &count));
    return count;
}

static bool is_readable(int fd) {
    struct pollfd ready = {fd, POLLIN, 0};
    return poll(&ready, 1, 0) == 1;
}

/* Answers are no errors: the last error stays what it was. */
static void values_then_the_end_again_and_again(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(3);
    SGK_AUTO(sgk_reader) reader = reader_of(source);
    for (int i = 1; i <= 3; i++) ASSERT_NEXT(reader, i % 2 ? 0 : PATIENCE, SGK_OK, i);
    for (int i = 0; i < 2; i++) ASSERT_NEXT(reader, i ? 0 : PATIENCE, SGK_ERROR_COMPLETED, 0);
    hand h;
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&h);
    SGK_AUTO(sgk_reader) other = reader_of(by_hand);
    ASSERT_NEXT(other, 0, SGK_ERROR_TIMEOUT, 0);
    ASSERT_NEXT(other, 0.002, SGK_ERROR_TIMEOUT, 0);
    sgk_subscriber_next(h.subscriber, sgk_give(sgk_string("text")));
    sgk_subscriber_error(h.subscriber, sgk_int(7));
    sgk_value text;
    assert_int_equal(sgk_reader_next(other, 0, &text), SGK_OK);
    assert_string_equal(sgk_value_data(text, NULL), "text");
    sgk_value_release(text);
    for (int i = 0; i < 2; i++) ASSERT_NEXT(other, i ? 0 : PATIENCE, SGK_ERROR_FAILED, 7);
    sgk_reader_close(other);
    ASSERT_NEXT(other, PATIENCE, SGK_ERROR_ENDED, 0);
    assert_int_equal(h.disposals, 1);
    assert_int_equal(sgk_last_status(), SGK_OK);
    hand_free(&h);
}

/* Ten values arrive in succession, and four of them fit. */
static void what_becomes_of_the_rest(void **state) {
    (void)state;
    static const struct {
        sgk_overflow policy;
        int count;
        int64_t values[10];
        sgk_status end;
        int dropped;
    } rows[] = {
        /* it would wait for itself */
        {SGK_OVERFLOW_SUSPEND, 10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, SGK_ERROR_COMPLETED, 0},
        {SGK_OVERFLOW_DROP_OLDEST, 4, {7, 8, 9, 10}, SGK_ERROR_COMPLETED, 6},
        {SGK_OVERFLOW_DROP_NEWEST, 4, {1, 2, 3, 4}, SGK_ERROR_COMPLETED, 6},
        {SGK_OVERFLOW_KEEP_LATEST, 2, {9, 10}, SGK_ERROR_COMPLETED, 8},
        {SGK_OVERFLOW_ERROR, 4, {1, 2, 3, 4}, SGK_ERROR_FAILED, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) source = count_to(10);
        int64_t before = generator_rounds();
        SGK_AUTO(sgk_reader)
        reader = sgk_reader_create(
            source, SGK_BOUND(.limit = 4, .overflow = rows[i].policy, .error = sgk_int(99), .counter = counter));
        int rounds = rows[i].policy == SGK_OVERFLOW_ERROR ? 5 : 10; /* it is stopped */
        assert_int_equal(generator_rounds() - before, rounds);
        for (int k = 0; k < rows[i].count; k++) ASSERT_NEXT(reader, 0, SGK_OK, rows[i].values[k]);
        ASSERT_NEXT(reader, 0, rows[i].end, rows[i].end == SGK_ERROR_FAILED ? 99 : 0);
        assert_int_equal(sgk_overflow_counter_dropped(counter), rows[i].dropped);
        assert_int_equal(sgk_overflow_counter_suspended(counter), 0);
    }
}

enum { EACH = 2000, EMITTERS = 2, READERS = 2 };

typedef struct traffic {
    sgk_subscriber *subscriber;
    sgk_reader *reader;
    atomic_int left; /* emitters that are still running */
    atomic_int received;
    atomic_llong sum;
} traffic;

static void emit_or_read(void *context, int index) {
    traffic *t = context;
    if (index < EMITTERS) {
        for (int i = 0; i < EACH; i++) sgk_subscriber_next(t->subscriber, sgk_give(sgk_string("x")));
        if (--t->left == 0) sgk_subscriber_complete(t->subscriber);
        return;
    }
    sgk_value value;
    sgk_status status;
    while ((status = sgk_reader_next(t->reader, INFINITY, &value)) == SGK_OK) {
        sgk_value_release(value);
        t->received++;
    }
    assert_int_equal(status, SGK_ERROR_COMPLETED);
}

/* Emitting threads wait for reading threads and vice versa, and each value reaches one of them. */
static void threads_emit_and_threads_read(void **state) {
    (void)state;
    for (int64_t limit = 1; limit <= 3; limit += 2) {
        hand h;
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) source = hand_signal(&h);
        SGK_AUTO(sgk_reader)
        reader =
            sgk_reader_create(source, SGK_BOUND(.limit = limit, .overflow = SGK_OVERFLOW_SUSPEND, .counter = counter));
        traffic t = {h.subscriber, reader, EMITTERS, 0, 0};
        in_parallel(EMITTERS + READERS, emit_or_read, &t);
        assert_int_equal(t.received, EMITTERS * EACH);
        assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
        assert_true(sgk_overflow_counter_suspended(counter) > 0);
        hand_free(&h);
    }
}

/* One thread emits in order into a reader with a limit, and gets no further ahead. */
typedef struct pace {
    sgk_subscriber *subscriber;
    sgk_overflow_counter *counter;
    atomic_int emitted;
    sgk_reader *reader;
} pace;

static void emit_20(void *context, int index) {
    pace *p = context;
    if (index == 0) {
        for (int i = 0; i < 20 && sgk_subscriber_next(p->subscriber, sgk_int(i)) == SGK_OK; i++) p->emitted++;
        return;
    }
    for (int i = 0; i < 10; i++) {
        EVENTUALLY(sgk_overflow_counter_suspended(p->counter) == i + 1); /* it waits, with three values inside */
        assert_int_equal(p->emitted, 3 + i);
        ASSERT_NEXT(p->reader, 0, SGK_OK, i);
    }
    EVENTUALLY(sgk_overflow_counter_suspended(p->counter) == 11);
    sgk_reader_close(p->reader); /* frees it */
}

static void the_bound_is_kept(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_reader)
    reader = sgk_reader_create(source, SGK_BOUND(.limit = 3, .overflow = SGK_OVERFLOW_SUSPEND, .counter = counter));
    pace p = {h.subscriber, counter, 0, reader};
    in_parallel(2, emit_20, &p);
    assert_true(p.emitted >= 13); /* the one that was under way is dropped and told so, as others may be */
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
}

typedef struct rival {
    sgk_reader *reader;
    atomic_int asking;
} rival;

static void wait_or_close(void *context, int index) {
    rival *r = context;
    if (index) {
        r->asking++;
        ASSERT_NEXT(r->reader, INFINITY, SGK_ERROR_ENDED, 0);
        return;
    }
    EVENTUALLY(r->asking == 3);
    for (int i = 0; i < 10; i++) sleep_a_moment(); /* most likely they wait by now */
    assert_int_equal(sgk_reader_close(r->reader), SGK_OK);
    assert_int_equal(sgk_reader_close(r->reader), SGK_OK);
}

static void closing_wakes_who_waits(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_reader) reader = reader_of(source);
    rival r = {reader, 0};
    in_parallel(4, wait_or_close, &r);
    assert_int_equal(h.disposals, 1);
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(1)), SGK_ERROR_ENDED);
    hand_free(&h);
}

static void close_it(void *reader, sgk_value value) {
    if (sgk_to_int(value) == 2) sgk_reader_close(*(sgk_reader **)reader);
}

static void closed_inside_an_emission(void **state) {
    (void)state;
    hand h;
    sgk_reader *reader = NULL;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) watched = sgk_signal_before_next(source, close_it, &reader, NULL);
    reader = reader_of(watched);
    sgk_subscriber_next(h.subscriber, sgk_int(1));
    sgk_subscriber_next(h.subscriber, sgk_int(2));
    assert_int_equal(sgk_subscriber_next(h.subscriber, sgk_int(3)), SGK_ERROR_ENDED);
    assert_int_equal(h.disposals, 1);
    ASSERT_NEXT(reader, INFINITY, SGK_ERROR_ENDED, 0); /* the pending values are released */
    sgk_reader_release(reader);
    hand_free(&h);
}

static void ignore(void *context, sgk_value value) { (void)context, (void)value; }

/* The last release closes it, and pending values are released. */
static void releasing_closes(void **state) {
    (void)state;
    hand h;
    counted c = {0};
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_signal) kept = sgk_signal_before_next(source, ignore, &c, counted_destroy);
    sgk_reader *reader = sgk_reader_retain(reader_of(kept));
    sgk_signal_replace(&kept, NULL);
    sgk_subscriber_next(h.subscriber, sgk_give(sgk_string("waits")));
    sgk_reader_release(reader);
    assert_int_equal(h.disposals, 0);
    sgk_reader_release(reader);
    assert_int_equal(h.disposals, 1);
    assert_int_equal(c.destroyed, 1);
    assert_int_equal(sgk_live_count(SGK_LIVE_VALUE), 0);
    hand_free(&h);
}

/* If the source is released without a terminal event, waiting threads are woken. */
static void the_source_vanishes(void **state) {
    (void)state;
    sgk_pipe *pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_reader) reader = reader_of(source);
    sgk_pipe_next(pipe, sgk_int(1));
    sgk_pipe_release(pipe);
    ASSERT_NEXT(reader, INFINITY, SGK_OK, 1);
    ASSERT_NEXT(reader, INFINITY, SGK_ERROR_COMPLETED, 0);
    SGK_AUTO(sgk_signal) never = sgk_signal_never(); /* nobody is there who could emit */
    sgk_value value;
    assert_int_equal(sgk_signal_get(never, INFINITY, &value), SGK_ERROR_COMPLETED);
}

static void the_descriptor_says_what_is_so(void **state) {
    (void)state;
    hand h;
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_reader) reader = reader_of(source);
    int fd = sgk_reader_fd(reader);
    assert_true(fd >= 0 && sgk_reader_fd(reader) == fd);
    for (int round = 0; round < 2; round++) {
        assert_false(is_readable(fd));
        sgk_subscriber_next(h.subscriber, sgk_int(1));
        sgk_subscriber_next(h.subscriber, sgk_int(2));
        assert_true(is_readable(fd));
        ASSERT_NEXT(reader, 0, SGK_OK, 1);
        assert_true(is_readable(fd));
        ASSERT_NEXT(reader, 0, SGK_OK, 2);
    }
    assert_false(is_readable(fd));
    sgk_subscriber_complete(h.subscriber);
    assert_true(is_readable(fd));
    ASSERT_NEXT(reader, 0, SGK_ERROR_COMPLETED, 0);
    assert_true(is_readable(fd)); /* as long as nobody closes it */
    hand_free(&h);

    SGK_AUTO(sgk_pipe) quiet = sgk_pipe_create();
    SGK_AUTO(sgk_signal) silent = sgk_pipe_signal(quiet);
    SGK_AUTO(sgk_reader) closed = reader_of(silent);
    fd = sgk_reader_fd(closed);
    assert_false(is_readable(fd));
    sgk_reader_close(closed);
    assert_true(is_readable(fd)); /* a poll detects it */
    assert_int_equal(sgk_reader_fd(closed), SGK_ERROR_ENDED);

    SGK_AUTO(sgk_signal) full = count_to(3);
    SGK_AUTO(sgk_reader) late = reader_of(full);
    assert_true(is_readable(sgk_reader_fd(late))); /* asked for when there is something already */
}

/* A callback is called once for any event: already pending, emitted, or a close. */
static void told_when_there_is_something(void **state) {
    (void)state;
    hand h;
    counted c[4] = {{0}};
    SGK_AUTO(sgk_signal) source = hand_signal(&h);
    SGK_AUTO(sgk_reader) reader = reader_of(source);
    for (int i = 0; i < 2; i++) sgk_reader_when_ready(reader, counted_work, &c[i], counted_destroy);
    assert_true(c[0].calls == 0 && c[0].destroyed == 0);
    for (int i = 0; i < 2; i++) sgk_subscriber_next(h.subscriber, sgk_int(i));
    for (int i = 0; i < 2; i++) assert_true(c[i].calls == 1 && c[i].destroyed == 1);
    sgk_reader_when_ready(reader, counted_work, &c[2], counted_destroy);
    assert_true(c[2].calls == 1 && c[2].destroyed == 1);
    for (int i = 0; i < 2; i++) ASSERT_NEXT(reader, 0, SGK_OK, i);
    sgk_reader_when_ready(reader, counted_work, &c[3], counted_destroy);
    sgk_reader_close(reader);
    assert_true(c[3].calls == 1 && c[3].destroyed == 1);
    hand_free(&h);
}

/* ---- Once ---- */

/* A source that has released its subscriber is silent until the deadline. */
static void a_wait_with_a_timeout_lasts_until_the_timeout(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) clock = sgk_queue_create("clock");
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) one_only = sgk_signal_concat_with(one, never);
    sgk_value value;
    double start = sgk_queue_now(clock);
    assert_int_equal(sgk_signal_get(never, 0.01, &value), SGK_ERROR_TIMEOUT);
    assert_true(sgk_queue_now(clock) >= start + 0.01);
    start = sgk_queue_now(clock);
    assert_int_equal(sgk_signal_collect(one_only, 2, 0.01, &value), SGK_ERROR_TIMEOUT);
    assert_true(sgk_queue_now(clock) >= start + 0.01);
    assert_int_equal(sgk_value_kind(value), SGK_NULL);
    assert_int_equal(sgk_signal_collect(one_only, 1, 0, &value), SGK_OK);
    sgk_value_release(value);
}

static void get_and_collect(void **state) {
    (void)state;
    sgk_value value = sgk_int(-1);
    SGK_AUTO(sgk_signal) endless = count_to(INT64_MAX);
    assert_int_equal(sgk_signal_get(endless, 0, &value), SGK_OK);
    assert_int_equal(sgk_to_int(value), 1);
    SGK_AUTO(sgk_signal) text = sgk_signal_just(sgk_give(sgk_string("text")));
    assert_int_equal(sgk_signal_get(text, INFINITY, &value), SGK_OK);
    assert_string_equal(sgk_value_data(value, NULL), "text");
    sgk_value_release(value);
    SGK_AUTO(sgk_signal) empty = sgk_signal_empty();
    assert_int_equal(sgk_signal_get(empty, INFINITY, &value), SGK_ERROR_COMPLETED);
    assert_int_equal(sgk_value_kind(value), SGK_NULL);
    SGK_AUTO(sgk_signal) fails = sgk_signal_fail(sgk_give(sgk_string("why")));
    assert_int_equal(sgk_signal_get(fails, INFINITY, &value), SGK_ERROR_FAILED);
    assert_string_equal(sgk_value_data(value, NULL), "why");
    sgk_value_release(value);
    hand h;
    SGK_AUTO(sgk_signal) silent = hand_signal(&h);
    assert_int_equal(sgk_signal_get(silent, 0.002, &value), SGK_ERROR_TIMEOUT);
    assert_int_equal(sgk_value_kind(value), SGK_NULL);
    assert_true(h.starts == 1 && h.disposals == 1);

    const struct {
        int64_t limit;
        size_t count;
    } rows[] = {{1, 1}, {4, 4}, {5, 5}, {6, 5}, {INT64_MAX, 5}};
    SGK_AUTO(sgk_signal) five = count_to(5);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(sgk_signal_collect(five, rows[i].limit, 0, &value), SGK_OK);
        assert_int_equal(count_of(value), rows[i].count);
        for (size_t k = 0; k < rows[i].count; k++) assert_int_equal(sgk_to_int(sgk_array_at(value, k)), k + 1);
        sgk_value_release(value);
    }
    assert_int_equal(sgk_signal_collect(empty, 3, 0, &value), SGK_OK);
    assert_true(sgk_value_kind(value) == SGK_ARRAY && count_of(value) == 0);
    sgk_value_release(value);
    assert_int_equal(sgk_signal_collect(fails, 3, 0, &value), SGK_ERROR_FAILED);
    assert_string_equal(sgk_value_data(value, NULL), "why");
    sgk_value_release(value);
    assert_int_equal(sgk_signal_collect(silent, 3, 0.002, &value), SGK_ERROR_TIMEOUT);
    assert_int_equal(sgk_value_kind(value), SGK_NULL);
    assert_true(h.starts == 2 && h.disposals == 2);
    assert_int_equal(sgk_last_status(), SGK_OK);
    hand_free(&h);
}

/* ---- Where the thread that waits is needed ---- */

static void on_the_main_thread_the_main_queue_works(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) main = sgk_queue_main();
    SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(one, other);
    SGK_AUTO(sgk_signal) here = sgk_signal_deliver_on(there, main);
    SGK_AUTO(sgk_signal) later = sgk_signal_delay_start(one, 0.005, main);
    sgk_signal *signals[] = {there, here, later};
    for (int i = 0; i < 3; i++) {
        sgk_value value;
        assert_int_equal(sgk_signal_get(signals[i], i == 2 ? PATIENCE : INFINITY, &value), SGK_OK);
        assert_int_equal(sgk_to_int(value), 1);
    }
    sgk_value values;
    SGK_AUTO(sgk_signal) three = count_to(3);
    SGK_AUTO(sgk_signal) on_other = sgk_signal_run_on(three, other);
    SGK_AUTO(sgk_signal)
    on_main = sgk_signal_deliver_on_bounded(on_other, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_SUSPEND), main);
    assert_int_equal(sgk_signal_collect(on_main, 9, PATIENCE, &values), SGK_OK);
    assert_int_equal(count_of(values), 3);
    sgk_value_release(values);
    SGK_AUTO(sgk_pipe) quiet = sgk_pipe_create();
    SGK_AUTO(sgk_signal) silent = sgk_pipe_signal(quiet);
    assert_int_equal(sgk_signal_get(silent, 0.005, &values), SGK_ERROR_TIMEOUT);
}

typedef struct ask {
    sgk_signal *signal;
    double seconds;
    sgk_status status;
    int64_t number;
    atomic_bool is_done;
} ask;

static void get_it(void *context) {
    ask *a = context;
    sgk_value value;
    a->status = sgk_signal_get(a->signal, a->seconds, &value);
    a->number = sgk_to_int(value);
    sgk_value_release(value);
    a->is_done = true;
}

static void in_virtual_work_the_time_moves_on(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_queue) beside = sgk_queue_create_virtual(queue);
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) tomorrow = sgk_signal_delay_start(one, 86400, beside);
    ask a = {tomorrow, INFINITY, SGK_OK, 0, false};
    sgk_queue_sync(queue, get_it, &a);
    assert_true(a.status == SGK_OK && a.number == 1);
    assert_true(sgk_queue_now(queue) == 86400);
    a.seconds = 3600;
    sgk_queue_sync(queue, get_it, &a);
    assert_int_equal(a.status, SGK_ERROR_TIMEOUT);
    assert_true(sgk_queue_now(queue) == 90000);
    SGK_AUTO(sgk_pipe) quiet = sgk_pipe_create();
    SGK_AUTO(sgk_signal) silent = sgk_pipe_signal(quiet);
    ask for_ever = {silent, INFINITY, SGK_OK, 0, false};
    sgk_queue_sync(queue, get_it, &for_ever); /* nothing is left to happen */
    assert_int_equal(for_ever.status, SGK_ERROR_TIMEOUT);
}

static struct {
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy;
} loops_work;
static sgk_status take_work(void *loop, sgk_work_fn work, void *context, sgk_destroy_fn destroy) {
    (void)loop;
    loops_work.work = work, loops_work.context = context, loops_work.destroy = destroy;
    return SGK_OK;
}

static void one_must_not_wait_on_a_serial_queue(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) own = sgk_queue_create("own");
    SGK_AUTO(sgk_queue) main = sgk_queue_main();
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) of_pool = sgk_thread_pool_next_queue(pool);
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.dispatch = take_work;
    SGK_AUTO(sgk_queue) custom = sgk_queue_create_custom(&table, NULL);
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    sgk_queue *queues[] = {own, of_pool, custom, main};
    for (int i = 0; i < 4; i++) {
        SGK_AUTO(sgk_signal) delivered = sgk_signal_delay_start(one, 1000, queues[i]); /* work there never runs */
        ask asks[] = {
            {delivered, INFINITY, SGK_OK, 0, false},
            {one, INFINITY, SGK_OK, 0, false},
            {delivered, 0, SGK_OK, 0, false},
        };
        for (int k = 0; k < 3; k++) {
            sgk_queue_dispatch(queues[i], get_it, &asks[k], NULL);
            if (queues[i] == custom) loops_work.work(loops_work.context), loops_work.destroy(loops_work.context);
            EVENTUALLY((sgk_main_drain(), asks[k].is_done));
        }
        assert_int_equal(asks[0].status, SGK_ERROR_THREAD);
        assert_true(asks[1].status == SGK_OK && asks[1].number == 1); /* there is nothing to wait for */
        assert_int_equal(asks[2].status, SGK_ERROR_TIMEOUT);
    }
    sgk_queue_sync(own, get_it, &(ask){one, INFINITY, SGK_OK, 0, false});
    /* The last error, on the calling thread. */
    SGK_AUTO(sgk_pipe) quiet = sgk_pipe_create();
    SGK_AUTO(sgk_signal) silent = sgk_pipe_signal(quiet);
    ask a = {silent, INFINITY, SGK_OK, 0, false};
    sgk_queue_sync(own, get_it, &a); /* borrowed by this thread */
    assert_int_equal(a.status, SGK_ERROR_THREAD);
    assert_failed(SGK_ERROR_THREAD, "sgk_signal_get: thread: ");
}

static void emit_3(void *pipe) {
    for (int i = 1; i <= 3; i++) sgk_pipe_next(pipe, sgk_int(i));
}

/* The last thread that waits depends on the emitting thread, which would not free space. */
static void who_emits_does_not_wait_for_a_reader_that_waits_for_it(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_next_queue(pool);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_reader) reader = sgk_reader_create(signal, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_SUSPEND));
    assert_int_equal(sgk_queue_sync(queue, emit_3, pipe), SGK_OK);
    for (int i = 1; i <= 3; i++) ASSERT_NEXT(reader, 0, SGK_OK, i);
}

/* Concurrent queues and pools still have other threads. */
static void one_may_wait_elsewhere(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) own = sgk_queue_create("own");
    SGK_AUTO(sgk_queue) any = sgk_queue_concurrent_default();
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) delivered = sgk_signal_delay_start(one, 0.001, own);
    ask a = {delivered, INFINITY, SGK_OK, 0, false}, b = a;
    sgk_queue_dispatch(any, get_it, &a, NULL);
    sgk_disposable_release(sgk_thread_pool_add_task(pool, get_it, &b, NULL));
    EVENTUALLY(a.is_done && b.is_done);
    assert_true(a.status == SGK_OK && a.number == 1 && b.status == SGK_OK && b.number == 1);
}

static sgk_disposable *go_at_once(void *context, sgk_subscriber *subscriber) {
    (void)subscriber;
    return sgk_action_disposable_create(counted_work, context, NULL);
}

/* It counts as completion, so the subscription is disposed. */
static void a_source_that_goes_is_disposed(void **state) {
    (void)state;
    counted c = {0}, later = {0};
    SGK_AUTO(sgk_signal) gone = sgk_signal_create(go_at_once, &c, NULL);
    SGK_AUTO(sgk_reader) reader = reader_of(gone);
    ASSERT_NEXT(reader, PATIENCE, SGK_ERROR_COMPLETED, 0);
    assert_int_equal(c.calls, 1);
    sgk_value value;
    assert_int_equal(sgk_signal_get(gone, INFINITY, &value), SGK_ERROR_COMPLETED);
    assert_int_equal(c.calls, 2);
    assert_int_equal(sgk_signal_get(gone, 0, &value), SGK_ERROR_TIMEOUT);
    assert_int_equal(c.calls, 3);
    sgk_pipe *pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) piped = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) watched = sgk_signal_after_disposed(piped, counted_work, &later, NULL);
    sgk_reader_replace(&reader, reader_of(watched));
    sgk_pipe_release(pipe);
    ASSERT_NEXT(reader, PATIENCE, SGK_ERROR_COMPLETED, 0);
    assert_int_equal(later.calls, 1);
}

typedef struct {
    sgk_reader *reader;
    hand source;
    atomic_int got;
} emitter_and_reader;

static void ask_and_emit(void *context, int index) {
    (void)index;
    emitter_and_reader *both = context;
    ASSERT_NEXT(both->reader, 0, SGK_ERROR_TIMEOUT, 0);
    for (int i = 0; i < 20; i++) sgk_subscriber_next(both->source.subscriber, sgk_int(i));
}

/* It would wait for itself. */
static void who_has_asked_last_is_not_held_up(void **state) {
    (void)state;
    emitter_and_reader both = {0};
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&both.source);
    both.reader = reader_of(by_hand);
    in_parallel(1, ask_and_emit, &both);
    for (int i = 0; i < 20; i++) ASSERT_NEXT(both.reader, 0, SGK_OK, i);
    sgk_reader_release(both.reader);
    hand_free(&both.source);
}

static void read_one(void *context, int index) {
    emitter_and_reader *both = context;
    int64_t number;
    if (index == 0) {
        both->got += next(both->reader, PATIENCE, &number) == SGK_OK;
    } else {
        for (int i = 0; i < 20; i++) sleep_a_moment();
        sgk_subscriber_next(both->source.subscriber, sgk_int(1));
    }
}

/* A value wakes a thread that still waits. */
static void who_has_given_up_is_not_woken(void **state) {
    (void)state;
    emitter_and_reader both = {0};
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&both.source);
    both.reader = reader_of(by_hand);
    ASSERT_NEXT(both.reader, 0.001, SGK_ERROR_TIMEOUT, 0);
    in_parallel(2, read_one, &both);
    assert_int_equal(both.got, 1);
    sgk_reader_release(both.reader);
    hand_free(&both.source);
}

int run_readers(void) {
    const struct CMUnitTest tests[] = {
        TEST(values_then_the_end_again_and_again),
        TEST(what_becomes_of_the_rest),
        TEST(threads_emit_and_threads_read),
        TEST(the_bound_is_kept),
        TEST(closing_wakes_who_waits),
        TEST(closed_inside_an_emission),
        TEST(releasing_closes),
        TEST(the_source_vanishes),
        TEST(the_descriptor_says_what_is_so),
        TEST(told_when_there_is_something),
        TEST(get_and_collect),
        TEST(a_wait_with_a_timeout_lasts_until_the_timeout),
        TEST(on_the_main_thread_the_main_queue_works),
        TEST(in_virtual_work_the_time_moves_on),
        TEST(one_must_not_wait_on_a_serial_queue),
        TEST(one_may_wait_elsewhere),
        TEST(who_emits_does_not_wait_for_a_reader_that_waits_for_it),
        TEST(a_source_that_goes_is_disposed),
        TEST(who_has_asked_last_is_not_held_up),
        TEST(who_has_given_up_is_not_woken),
    };
    return cmocka_run_group_tests_name("readers", tests, NULL, NULL);
}
