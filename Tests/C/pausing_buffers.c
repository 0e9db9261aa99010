/* Pauses of deliver_on, delay and other buffers: by a stage below, or by the program. Their values go on waiting. In a
 * governed run they have a limit. (pausing.c has the pauses of sources.) */
#include "suite.h"

static void sequence_started(void *context, sgk_disposable *run) {
    ((sequence *)context)->run = sgk_disposable_retain(run);
}

static sgk_disposable *hear(sgk_signal *signal, sequence *s) {
    return sgk_signal_start(signal,
        SGK_HANDLERS(.context = s, .destroy = sequence_destroy, .started = sequence_started, .next = sequence_next,
            .error = sequence_failed, .completed = sequence_ended));
}

static void sequence_free(sequence *s) {
    if (s->hold) sgk_disposable_release(s->hold);
    sgk_disposable_release(s->run);
}

#define PAUSING(most, counted) SGK_BOUND(.limit = most, .overflow = SGK_OVERFLOW_PAUSE, .counter = counted)

enum { DELIVER_ON, DELIVER_ON_BOUNDED, DELAY, DELAY_BOUNDED, BUFFERS };

/* A buffer on the queue. Those with a limit have one of 1,024. */
static sgk_signal *buffered(int kind, sgk_signal *signal, sgk_queue *queue) {
    if (kind == DELIVER_ON) return sgk_signal_deliver_on(signal, queue);
    if (kind == DELIVER_ON_BOUNDED) return sgk_signal_deliver_on_bounded(signal, PAUSING(1024, NULL), queue);
    return sgk_signal_delay(signal, 1, kind == DELAY ? NULL : PAUSING(1024, NULL), queue);
}

static sgk_signal *buffered_pipe(int kind, sgk_pipe *pipe, sgk_queue *queue) {
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    return buffered(kind, signal, queue);
}

static void count_work(void *count) { ++*(atomic_int *)count; }

static void send(sgk_pipe *pipe, int64_t from, int64_t to) {
    for (int64_t i = from; i < to; i++) sgk_pipe_next(pipe, sgk_int(i));
}

static void end(sgk_pipe *pipe, bool fails) {
    if (fails) sgk_pipe_error(pipe, sgk_int(1));
    if (!fails) sgk_pipe_complete(pipe);
}

/* A buffer without a limit gets one, if a stage below pauses. So the source is paused, and no value exceeds a limit. */
static void a_governed_buffer_has_a_limit(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    for (int kind = 0; kind < BUFFERS; kind++) {
        numbers n = {.count = COUNT};
        sequence s = {0};
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_queue) slow = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_AUTO(sgk_signal) first = buffered(kind, source, time);
        SGK_AUTO(sgk_signal) bounded = sgk_signal_deliver_on_bounded(first, PAUSING(2, counter), slow);
        SGK_AUTO(sgk_disposable) run = hear(bounded, &s);
        assert_int_equal(n.next, 1024);
        for (int turn = 1; turn < COUNT; turn++) {
            sgk_queue_advance(time, 1);
            sgk_queue_advance(time, 0);
            assert_true(n.next - s.count <= 1024 + 2);
            assert_int_equal(s.count, 2 * (turn - 1));
            sgk_queue_run(slow, 1000);
            if (s.has_ended) break;
            assert_int_equal(s.count, 2 * turn);
        }
        assert_true(s.count == COUNT && s.has_ended && !s.is_wrong);
        assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
        assert_int_equal(s.destroyed, 1);
        sequence_free(&s);
    }
}

static void a_governed_rate_has_a_limit(void **state) {
    (void)state;
    sequence s = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) limited = sgk_signal_rate_limit(source, 1, 1, NULL, time);
    SGK_AUTO(sgk_signal) bounded = sgk_signal_deliver_on_bounded(limited, PAUSING(2, NULL), time);
    SGK_AUTO(sgk_disposable) run = hear(bounded, &s);
    for (int i = 0; i < 1024; i++) assert_int_equal(sgk_pipe_next(pipe, sgk_int(i)), SGK_OK);
    assert_int_equal(sgk_pipe_next(pipe, sgk_int(1024)), SGK_PAUSED); /* one has passed, 1,024 wait */
    sgk_queue_advance(time, 511);
    assert_true(s.count == 512 && sgk_pipe_is_paused(pipe));
    sgk_queue_advance(time, 1);
    assert_false(sgk_pipe_is_paused(pipe));
    sgk_pipe_complete(pipe);
    sgk_queue_advance(time, 1000);
    assert_true(s.count == 1025 && s.has_ended && !s.is_wrong && s.destroyed == 1);
    sequence_free(&s);
}

/* Without a pausing stage a buffer has no limit. A source that cannot be paused exceeds it. */
static void other_buffers_have_no_limit(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    for (int is_governed = 0; is_governed < 2; is_governed++) {
        for (int kind = 0; kind < BUFFERS; kind++) {
            numbers n = {.count = COUNT};
            sequence s = {0};
            SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
            SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
            SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
            SGK_AUTO(sgk_signal)
            first = is_governed ? buffered_pipe(kind, pipe, time) : buffered(kind, source, time);
            SGK_AUTO(sgk_signal) bounded = sgk_signal_deliver_on_bounded(first, PAUSING(2, NULL), time);
            SGK_AUTO(sgk_disposable) run = hear(is_governed ? bounded : first, &s);
            if (is_governed) send(pipe, 0, COUNT);
            bool has_limit = kind == DELIVER_ON_BOUNDED || kind == DELAY_BOUNDED;
            if (!is_governed) assert_int_equal(n.next, has_limit ? 1024 : COUNT);
            for (int turn = 0; turn < 2 * COUNT && s.count < COUNT; turn++) sgk_queue_advance(time, 1);
            assert_true(s.count == COUNT && !s.is_wrong);
            sgk_disposable_dispose(run);
            sequence_free(&s);
        }
    }
}

/* The values wait for the end of a hold. New ones follow them, and so does the end. */
static void values_wait_for_a_hold(void **state) {
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        for (int kind = 0; kind < BUFFERS; kind++) {
            sequence s = {0};
            SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
            SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
            SGK_AUTO(sgk_signal) signal = buffered_pipe(kind, pipe, time);
            SGK_AUTO(sgk_disposable) run = hear(signal, &s);
            send(pipe, 0, 10);
            SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
            SGK_AUTO(sgk_disposable) other = sgk_disposable_hold(run);
            sgk_queue_advance(time, 5);
            send(pipe, 10, 20);
            sgk_queue_advance(time, 5);
            assert_int_equal(s.count, 0);
            sgk_disposable_dispose(hold);
            sgk_queue_advance(time, 5);
            assert_int_equal(s.count, 0);
            sgk_disposable_dispose(other);
            assert_int_equal(s.count, 0); /* never inside the call */
            sgk_queue_advance(time, 0);
            assert_int_equal(s.count, 20);
            hold = (sgk_disposable_release(hold), sgk_disposable_hold(run));
            send(pipe, 20, 30);
            sgk_queue_advance(time, 5);
            end(pipe, fails);
            sgk_queue_advance(time, 5);
            /* An error drops the values of delay. */
            bool drops = fails && (kind == DELAY || kind == DELAY_BOUNDED);
            assert_true(s.count == 20 && s.has_failed == drops && !s.has_ended);
            sgk_disposable_dispose(hold);
            sgk_queue_advance(time, 5);
            assert_int_equal(s.count, drops ? 20 : 30);
            assert_true(s.has_failed == fails && s.has_ended == !fails && !s.is_wrong && s.destroyed == 1);
            sequence_free(&s);
        }
    }
}

/* Terminal events need no capacity. */
static void an_end_passes_a_hold(void **state) {
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        for (int kind = 0; kind < BUFFERS; kind++) {
            sequence s = {0};
            SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
            SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
            SGK_AUTO(sgk_signal) signal = buffered_pipe(kind, pipe, time);
            SGK_AUTO(sgk_disposable) run = hear(signal, &s);
            SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
            end(pipe, fails);
            sgk_queue_advance(time, 1);
            assert_true(s.has_failed == fails && s.has_ended == !fails && s.destroyed == 1);
            sequence_free(&s);
        }
    }
}

/* A hold from inside `next` stops a burst after the current value. The other work of the queue runs. */
static void a_hold_inside_a_burst(void **state) {
    (void)state;
    static const int64_t places[] = {1, 2, 9, 10};
    for (int disposes = 0; disposes < 2; disposes++) {
        for (int kind = 0; kind < BUFFERS; kind++) {
            for (int i = 0; i < 4; i++) {
                sequence s = {.hold_at = places[i], .disposes = disposes};
                atomic_int done = 0;
                SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
                SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
                SGK_AUTO(sgk_signal) signal = buffered_pipe(kind, pipe, time);
                SGK_AUTO(sgk_disposable) run = hear(signal, &s);
                send(pipe, 0, 10);
                sgk_queue_advance(time, 1);
                assert_int_equal(s.count, places[i]);
                sgk_queue_dispatch(time, count_work, &done, NULL);
                send(pipe, 10, 15);
                sgk_queue_advance(time, 1);
                assert_true(s.count == places[i] && done == 1);
                sgk_disposable_dispose(s.hold);
                sgk_queue_advance(time, 1);
                assert_int_equal(s.count, disposes ? places[i] : 15);
                assert_int_equal(s.destroyed, disposes);
                sgk_disposable_dispose(run);
                assert_true(s.destroyed == 1 && !s.is_wrong);
                sequence_free(&s);
            }
        }
    }
}

/* The values of a burst that ended before its delivery are counted again when a hold puts them back. */
static void a_hold_inside_the_last_burst(void **state) {
    (void)state;
    for (int kind = 0; kind < BUFFERS; kind++) {
        sequence s = {.hold_at = 2};
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = buffered_pipe(kind, pipe, time);
        SGK_AUTO(sgk_disposable) run = hear(signal, &s);
        send(pipe, 0, 10);
        sgk_pipe_complete(pipe);
        sgk_queue_advance(time, 1);
        assert_true(s.count == 2 && !s.has_ended);
        sgk_disposable_dispose(s.hold);
        sgk_queue_advance(time, 1);
        assert_true(s.count == 10 && s.has_ended && !s.is_wrong && s.destroyed == 1);
        sequence_free(&s);
    }
}

/* Values whose time comes during a pause wait: all of rate_limit, one of debounce and throttle, an array of chunked. */
static void timers_wait_for_a_hold(void **state) {
    (void)state;
    enum { RATE, DEBOUNCE, THROTTLE, CHUNKED, KINDS };
    enum { HELD, COMPLETED, DISPOSED, ENDS };
    static const int expected[KINDS] = {6, 1, 2, 1};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int end = 0; end < ENDS; end++) {
            recorder *r = recorder_new();
            SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
            SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
            SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
            SGK_AUTO(sgk_signal)
            timed = kind == RATE   ? sgk_signal_rate_limit(source, 1, 1, NULL, time)
                : kind == DEBOUNCE ? sgk_signal_debounce(source, 1, time)
                : kind == THROTTLE ? sgk_signal_throttle(source, 1, SGK_EDGES_BOTH, time)
                                   : sgk_signal_chunked_within(source, 100, 1, time);
            SGK_AUTO(sgk_disposable) run = record_run(timed, r);
            for (int i = 0; i < 6; i++) sgk_pipe_next(pipe, sgk_int(i));
            sgk_queue_advance(time, 0);
            int first = kind == RATE || kind == THROTTLE;
            assert_int_equal(r->nexts, first);
            SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
            sgk_queue_advance(time, 10);
            assert_int_equal(r->nexts, first);
            if (end == COMPLETED && kind == RATE) sgk_pipe_complete(pipe);
            if (end == DISPOSED) sgk_disposable_dispose(run);
            sgk_queue_advance(time, 10);
            sgk_disposable_dispose(hold);
            assert_int_equal(r->nexts, first); /* never inside the call */
            sgk_queue_advance(time, 10);
            assert_int_equal(r->nexts, end == DISPOSED ? first : expected[kind]);
            assert_int_equal(r->ends, end == COMPLETED && kind == RATE);
            sgk_disposable_dispose(run);
            recorder_free(r);
        }
    }
}

/* The end of take_for is no value. */
static void an_end_by_time_passes_a_hold(void **state) {
    (void)state;
    sequence s = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) timed = sgk_signal_take_for(source, 1, time);
    SGK_AUTO(sgk_disposable) run = hear(timed, &s);
    SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
    sgk_queue_advance(time, 1);
    assert_true(s.has_ended && s.destroyed == 1);
    sequence_free(&s);
}

/* Whatever lets go of a paused buffer releases its values. A run without handles goes on after the pause. */
static void paused_buffers_that_are_left(void **state) {
    (void)state;
    enum { DISPOSED, PIPE_RELEASED, RUN_RELEASED, QUEUE_RELEASED, ENDS };
    for (int end = 0; end < ENDS; end++) {
        for (int kind = 0; kind < BUFFERS; kind++) {
            sequence s = {0};
            sgk_queue *time = sgk_queue_create_virtual(NULL);
            sgk_pipe *pipe = sgk_pipe_create();
            sgk_signal *signal = buffered_pipe(kind, pipe, time);
            sgk_disposable *run = hear(signal, &s);
            sgk_signal_release(signal);
            send(pipe, 0, 10);
            sgk_disposable *hold = sgk_disposable_hold(run);
            sgk_queue_advance(time, 1);
            assert_true(s.count == 0 && s.destroyed == 0);
            if (end == DISPOSED) {
                sgk_disposable_dispose(run);
                assert_int_equal(s.destroyed, 1);
            }
            sgk_pipe_release(pipe);
            if (end == RUN_RELEASED) sgk_disposable_release(run);
            if (end == QUEUE_RELEASED) sgk_queue_release(time);
            sgk_disposable_release(hold);
            if (end != QUEUE_RELEASED) sgk_queue_advance(time, 1);
            if (end != QUEUE_RELEASED) assert_true(s.count == (end == DISPOSED ? 0 : 10) && s.destroyed == 1);
            if (end != RUN_RELEASED) sgk_disposable_dispose(run);
            assert_int_equal(s.destroyed, 1);
            if (end != RUN_RELEASED) sgk_disposable_release(run);
            if (end != QUEUE_RELEASED) sgk_queue_release(time);
            sequence_free(&s);
        }
    }
}

/* The valve closes in the middle of a burst, and a value behind it opens it. */
static void a_valve_behind_a_buffer(void **state) {
    (void)state;
    for (int kind = 0; kind < BUFFERS; kind++) {
        sequence s = {0};
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_pipe) condition = sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = buffered_pipe(kind, pipe, time);
        SGK_AUTO(sgk_signal) is_shut = sgk_pipe_signal(condition);
        SGK_AUTO(sgk_signal) valve = sgk_signal_paused_by(signal, is_shut);
        SGK_AUTO(sgk_disposable) run = hear(valve, &s);
        for (int i = 0; i < 20; i++) {
            sgk_pipe_next(condition, sgk_bool(i % 3 != 0));
            send(pipe, 5 * i, 5 * i + 5);
            sgk_queue_advance(time, 1);
            if (i % 3 == 0) assert_int_equal(s.count, 5 * i + 5);
            if (i % 3 != 0) assert_int_equal(s.count, 5 * (i - i % 3) + 5);
        }
        sgk_disposable_dispose(run);
        assert_false(s.is_wrong);
        sequence_free(&s);
    }
}

typedef struct holding {
    sgk_disposable *run;
    atomic_bool is_over;
} holding;

/* It rests without a hold, so that the source makes progress also under valgrind. */
static void hold_often(void *context) {
    holding *h = context;
    for (int i = 1; !h->is_over; i++) {
        SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(h->run);
        assert_non_null(hold);
        if (i % 50 == 0) sleep_a_moment();
        sgk_disposable_dispose(hold);
        if (i % 20 == 0) sleep_a_moment();
    }
}

/* Threads emit, hold and release at once: no value is lost, and none stays. */
static void holding_threads(void **state) {
    (void)state;
    int count = repeated(20000);
    for (int kind = 0; kind < 3; kind++) {
        numbers n = {.count = count};
        sequence s = {0};
        holding h = {0};
        SGK_AUTO(sgk_queue) source = sgk_queue_create("source");
        SGK_AUTO(sgk_queue) queue = sgk_queue_create("buffer");
        SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
        SGK_AUTO(sgk_queue) one = sgk_queue_create("one");
        SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
        SGK_AUTO(sgk_signal) iterated = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_AUTO(sgk_signal) there = sgk_signal_run_on(iterated, source);
        SGK_AUTO(sgk_signal)
        first = kind == DELAY ? sgk_signal_delay(there, 0, NULL, queue) : buffered(kind, there, queue);
        SGK_AUTO(sgk_signal) bounded = sgk_signal_deliver_on_bounded(first, PAUSING(3, NULL), slow);
        SGK_AUTO(sgk_disposable) run = hear(bounded, &s);
        h.run = run;
        sgk_queue_dispatch(one, hold_often, &h, NULL);
        sgk_queue_dispatch(other, hold_often, &h, NULL);
        EVENTUALLY(s.has_ended || s.is_wrong);
        h.is_over = true;
        sgk_queue_sync(one, do_nothing, NULL);
        sgk_queue_sync(other, do_nothing, NULL);
        assert_true(s.count == count && !s.is_wrong);
        EVENTUALLY(s.destroyed == 1);
        sequence_free(&s);
    }
}

int run_pausing_buffers(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_governed_buffer_has_a_limit),
        TEST(a_governed_rate_has_a_limit),
        TEST(other_buffers_have_no_limit),
        TEST(values_wait_for_a_hold),
        TEST(an_end_passes_a_hold),
        TEST(a_hold_inside_a_burst),
        TEST(a_hold_inside_the_last_burst),
        TEST(timers_wait_for_a_hold),
        TEST(an_end_by_time_passes_a_hold),
        TEST(paused_buffers_that_are_left),
        TEST(a_valve_behind_a_buffer),
        TEST(holding_threads),
    };
    return cmocka_run_group_tests_name("pausing_buffers", tests, NULL, NULL);
}
