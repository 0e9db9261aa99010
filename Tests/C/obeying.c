/* Programs and buffers that obey pauses: generators that ask their subscriber, readers, and delays with
 * SGK_OVERFLOW_PAUSE. (pausing.c has the stages and pipes.) */
#include "suite.h"

#include <unistd.h>

/* ---- Generators ---- */

/* Emits 0 … count-1 as work of a queue, up to each pause. */
typedef struct feeder {
    sgk_subscriber *subscriber;
    sgk_queue *queue;
    int64_t next, count;
    atomic_llong produced;
    atomic_int waits, destroyed, stopped;
} feeder;

static void feed(void *context);

static void feeder_destroy(void *context) { ((feeder *)context)->destroyed++; }

static void feed(void *context) {
    feeder *f = context;
    while (f->next < f->count) {
        if (!sgk_subscriber_is_active(f->subscriber)) {
            f->stopped++;
            return;
        }
        if (sgk_subscriber_is_paused(f->subscriber)) {
            f->waits++;
            assert_int_equal(sgk_subscriber_on_resume(f->subscriber, feed, f, feeder_destroy, f->queue), SGK_OK);
            return;
        }
        f->produced++;
        sgk_subscriber_next(f->subscriber, sgk_int(f->next++));
    }
    sgk_subscriber_complete(f->subscriber);
}

static sgk_disposable *feed_later(void *context, sgk_subscriber *subscriber) {
    feeder *f = context;
    f->subscriber = sgk_subscriber_retain(subscriber);
    sgk_queue_dispatch(f->queue, feed, f, NULL);
    return NULL;
}

static sgk_disposable *hear(sgk_signal *signal, sequence *s) {
    s->slow = 997;
    return sequence_run(signal, s, sequence_next);
}

static sgk_value same(void *context, sgk_value value) {
    (void)context;
    return value;
}

/* Passes a signal through a stage that hands its source down, and through one that joins it with another. */
static sgk_signal *joined(sgk_signal *signal) {
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(signal, same, NULL, NULL);
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    return sgk_merge((sgk_signal *[]){mapped, never}, 2);
}

static void a_generator_that_obeys(void **state) {
    (void)state;
    static const int64_t limits[] = {1, 2, 3, 1024};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        sequence s = {0};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_queue) source = sgk_queue_create("source");
        SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
        feeder f = {.queue = source, .count = 20000};
        SGK_AUTO(sgk_signal) generated = sgk_signal_create(feed_later, &f, NULL);
        SGK_AUTO(sgk_signal) both = joined(generated);
        SGK_AUTO(sgk_signal)
        bounded = sgk_signal_deliver_on_bounded(
            both, SGK_BOUND(.limit = limits[i], .overflow = SGK_OVERFLOW_PAUSE, .counter = counter), slow);
        SGK_AUTO(sgk_disposable) run = hear(bounded, &s);
        EVENTUALLY(s.count == 20000);
        assert_false(s.is_wrong);
        assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
        assert_true(f.waits > 0);
        EVENTUALLY(f.destroyed == f.waits);
        sgk_disposable_dispose(run);
        EVENTUALLY(s.destroyed == 1);
        sgk_subscriber_release(f.subscriber);
    }
}

/* A subscription by hand whose bounded stage holds two values until its virtual queue runs. */
typedef struct paused_run {
    hand hand;
    sequence sequence;
    sgk_queue *time;
    sgk_disposable *run;
} paused_run;

static void paused_run_begin(paused_run *r) {
    r->time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) by_hand = hand_signal(&r->hand);
    SGK_AUTO(sgk_signal) both = joined(by_hand);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(both, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_PAUSE), r->time);
    r->run = hear(bounded, &r->sequence);
    assert_int_equal(sgk_subscriber_next(r->hand.subscriber, sgk_int(0)), SGK_OK);
    assert_false(sgk_subscriber_is_paused(r->hand.subscriber));
    assert_int_equal(sgk_subscriber_next(r->hand.subscriber, sgk_int(1)), SGK_OK);
    assert_true(sgk_subscriber_is_paused(r->hand.subscriber));
}

static void paused_run_end(paused_run *r) {
    sgk_disposable_release(r->run);
    hand_free(&r->hand);
    sgk_queue_release(r->time);
}

static sgk_status call_on_resume(paused_run *r, counted *c, sgk_queue *queue) {
    return sgk_subscriber_on_resume(r->hand.subscriber, counted_work, c, counted_destroy, queue);
}

/* (A virtual queue releases the contexts of its work at its own release, so the contexts are declared before it.) */

static void a_subscriber_tells_of_pauses(void **state) {
    (void)state;
    counted c = {0};
    paused_run r = {0};
    SGK_AUTO(sgk_queue) calls = sgk_queue_create_virtual(NULL);
    paused_run_begin(&r);
    assert_int_equal(sgk_subscriber_next(r.hand.subscriber, sgk_int(2)), SGK_OK); /* it is accepted */
    assert_int_equal(call_on_resume(&r, &c, calls), SGK_OK);
    sgk_queue_run(calls, 1000);
    assert_true(c.calls == 0 && c.destroyed == 0);
    /* The program's own pause counts, too. */
    SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(r.run);
    sgk_queue_run(r.time, 1000);
    assert_int_equal(r.sequence.count, 0);
    sgk_disposable_dispose(hold);
    assert_true(sgk_subscriber_is_paused(r.hand.subscriber)); /* the buffer is full */
    sgk_queue_run(calls, 1000);
    assert_int_equal(c.calls, 0);
    sgk_queue_run(r.time, 1000);
    assert_int_equal(r.sequence.count, 3);
    assert_false(sgk_subscriber_is_paused(r.hand.subscriber));
    assert_int_equal(c.calls, 0); /* it runs on its queue, not inside the resumption */
    sgk_queue_run(calls, 1000);
    assert_true(c.calls == 1 && c.destroyed == 1);
    /* Without a pause it is enqueued at once. */
    assert_int_equal(call_on_resume(&r, &c, calls), SGK_OK);
    assert_int_equal(c.calls, 1);
    sgk_queue_run(calls, 1000);
    assert_true(c.calls == 2 && c.destroyed == 2);
    paused_run_end(&r);
}

/* The end is a resumption, and each context is destroyed once. */
static void a_paused_subscriber_that_ends(void **state) {
    (void)state;
    enum { DISPOSED, COMPLETED, FAILED, RELEASED, QUEUE_OVER, ENDS };
    for (int end = 0; end < ENDS; end++) {
        counted c = {0};
        paused_run r = {0};
        SGK_AUTO(sgk_queue) calls = sgk_queue_create_virtual(NULL);
        paused_run_begin(&r);
        for (int i = 0; i < 3; i++) assert_int_equal(call_on_resume(&r, &c, calls), SGK_OK);
        if (end == DISPOSED) sgk_disposable_dispose(r.run);
        if (end == COMPLETED) sgk_subscriber_complete(r.hand.subscriber);
        if (end == FAILED) sgk_subscriber_error(r.hand.subscriber, sgk_int(9));
        if (end == RELEASED) {
            sgk_subscriber_release(r.hand.subscriber);
            r.hand.subscriber = NULL;
        }
        if (end == QUEUE_OVER) {
            SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0);
            SGK_AUTO(sgk_queue) over = sgk_thread_pool_next_queue(pool);
            sgk_thread_pool_shutdown(pool);
            assert_int_equal(call_on_resume(&r, &c, over), SGK_OK);
            sgk_queue_run(r.time, 1000);
            assert_int_equal(c.destroyed, 1);
        }
        sgk_queue_run(calls, 1000);
        assert_int_equal(c.calls, end == RELEASED ? 0 : 3);
        assert_int_equal(c.destroyed, end == QUEUE_OVER ? 4 : 3);
        if (end != RELEASED) {
            assert_false(sgk_subscriber_is_paused(r.hand.subscriber));
            assert_int_equal(call_on_resume(&r, &c, calls), SGK_OK);
            sgk_queue_run(calls, 1000);
            assert_int_equal(c.calls, 4);
        }
        paused_run_end(&r);
    }
}

/* A generator that waits is stopped by the disposal, although nothing resumes it. */
static void a_waiting_generator_that_is_disposed(void **state) {
    (void)state;
    sequence s = {0};
    SGK_AUTO(sgk_queue) never_runs = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_queue) source = sgk_queue_create("source");
    feeder f = {.queue = source, .count = 100};
    SGK_AUTO(sgk_signal) generated = sgk_signal_create(feed_later, &f, NULL);
    SGK_AUTO(sgk_signal)
    bounded =
        sgk_signal_deliver_on_bounded(generated, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE), never_runs);
    SGK_AUTO(sgk_disposable) run = hear(bounded, &s);
    EVENTUALLY(f.waits == 1);
    assert_int_equal(f.produced, 4);
    sgk_disposable_dispose(run);
    EVENTUALLY(f.stopped == 1 && f.destroyed == 1);
    sgk_subscriber_release(f.subscriber);
}

/* Holds that come and go on one thread, a generator that waits on another: no wake-up is lost. */
static void holds_beside_a_waiting_generator(void **state) {
    (void)state;
    sequence s = {0};
    SGK_AUTO(sgk_queue) source = sgk_queue_create("source");
    feeder f = {.queue = source, .count = 100000};
    SGK_AUTO(sgk_signal) generated = sgk_signal_create(feed_later, &f, NULL);
    SGK_AUTO(sgk_disposable) run = hear(generated, &s);
    while (f.waits < 200 && !s.has_ended) {
        SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
        if (f.waits % 3 == 0) sleep_a_moment();
    }
    EVENTUALLY(s.has_ended && s.destroyed == 1);
    assert_true(s.count == 100000 && !s.is_wrong && f.waits > 0);
    EVENTUALLY(f.destroyed == f.waits);
    sgk_subscriber_release(f.subscriber);
}

/* ---- Readers and delays ---- */

/* The source is never more than the limit ahead, also through a stage that joins signals. */
static void a_reader_pauses_its_source(void **state) {
    (void)state;
    static const struct {
        uint32_t policy;
        int64_t limit, ahead;
        int resumes_at; /* how many values wait when the source continues */
    } rows[] = {{SGK_OVERFLOW_PAUSE, 4, 4, 2}, {SGK_OVERFLOW_PAUSE, 1, 1, 0},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_SUSPEND, 8, 6, 4}, {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_ERROR, 4, 3, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        numbers n = {.count = 2000};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, NULL);
        SGK_AUTO(sgk_signal) both = joined(source);
        SGK_AUTO(sgk_reader)
        reader =
            sgk_reader_create(both, SGK_BOUND(.limit = rows[i].limit, .overflow = rows[i].policy, .counter = counter));
        assert_int_equal(n.next, rows[i].ahead);
        for (int read = 0; read < 2000; read++) {
            sgk_value value;
            assert_int_equal(sgk_reader_next(reader, 10, &value), SGK_OK);
            assert_int_equal(sgk_to_int(value), read);
            assert_true(n.next - (read + 1) <= rows[i].ahead);
            /* Not before the mark. */
            if (read + 1 < rows[i].ahead - rows[i].resumes_at) assert_int_equal(n.next, rows[i].ahead);
        }
        assert_int_equal(n.next, 2000);
        assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
        assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
    }
}

/* A pipe is told, and its values exceed the limit. */
static void a_reader_of_a_pipe(void **state) {
    (void)state;
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_reader)
    reader = sgk_reader_create(signal, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE, .counter = counter));
    sgk_value value;
    for (int i = 0; i < 10; i++) assert_int_equal(sgk_pipe_next(pipe, sgk_int(i)), i < 3 ? SGK_OK : SGK_PAUSED);
    assert_int_equal(sgk_overflow_counter_exceeded(counter), 6);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(sgk_pipe_is_paused(pipe), i < 8);
        assert_int_equal(sgk_reader_next(reader, 0, &value), SGK_OK);
        assert_int_equal(sgk_to_int(value), i);
    }
    for (int i = 0; i < 4; i++) sgk_pipe_next(pipe, sgk_int(i));
    assert_true(sgk_pipe_is_paused(pipe));
    sgk_reader_close(reader);
    assert_false(sgk_pipe_is_paused(pipe));
}

/* The delay has a limit, and the source is paused until the values are due. */
static void a_delay_pauses_its_source(void **state) {
    (void)state;
    static const struct {
        uint32_t policy;
        int64_t limit, ahead;
    } rows[] = {{SGK_OVERFLOW_PAUSE, 4, 4}, {SGK_OVERFLOW_PAUSE, 1, 1}, {SGK_OVERFLOW_PAUSE, 0, 1024},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_OLDEST, 8, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        numbers n = {.count = 3000};
        sequence s = {0};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, NULL);
        SGK_AUTO(sgk_signal) both = joined(source);
        SGK_AUTO(sgk_signal)
        delayed = sgk_signal_delay(
            both, 1, SGK_BOUND(.limit = rows[i].limit, .overflow = rows[i].policy, .counter = counter), time);
        SGK_AUTO(sgk_disposable) run = hear(delayed, &s);
        assert_int_equal(n.next, rows[i].ahead);
        sgk_queue_advance(time, 0.5);
        assert_true(s.count == 0 && n.next == rows[i].ahead);
        for (int round = 0; round < 7000 && s.count < 3000; round++) {
            sgk_queue_advance(time, 0.5);
            assert_true(n.next - s.count <= rows[i].ahead);
        }
        assert_true(s.count == 3000 && !s.is_wrong);
        assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
        assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
    }
}

/* If a program sends further values into a paused pipe, they exceed the limit, or the second policy decides. */
static void a_delay_of_a_pipe(void **state) {
    (void)state;
    static const struct {
        uint32_t policy;
        int count, exceeded, dropped;
    } rows[] = {{SGK_OVERFLOW_PAUSE, 10, 6, 0}, {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_NEWEST, 4, 0, 6},
        {SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_KEEP_LATEST, 2, 0, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sequence s = {0};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal)
        delayed =
            sgk_signal_delay(signal, 1, SGK_BOUND(.limit = 4, .overflow = rows[i].policy, .counter = counter), time);
        SGK_AUTO(sgk_disposable) run = hear(delayed, &s);
        for (int k = 0; k < 10; k++) sgk_pipe_next(pipe, sgk_int(k));
        assert_true(sgk_pipe_is_paused(pipe));
        sgk_queue_advance(time, 1);
        assert_int_equal(s.count, rows[i].count);
        assert_false(sgk_pipe_is_paused(pipe));
        assert_int_equal(sgk_overflow_counter_exceeded(counter), rows[i].exceeded);
        assert_int_equal(sgk_overflow_counter_dropped(counter), rows[i].dropped);
        /* A disposal takes the pause back. */
        for (int k = 0; k < 4; k++) sgk_pipe_next(pipe, sgk_int(k));
        assert_true(sgk_pipe_is_paused(pipe));
        sgk_disposable_dispose(run);
        assert_false(sgk_pipe_is_paused(pipe));
    }
}

/* ---- Descriptors and intervals ---- */

typedef struct writer {
    int fd, count;
    atomic_int written;
} writer;

/* Writes the numbers 0 … count-1 as lines. It blocks while the pipe is full. */
static void *write_lines(void *context) {
    writer *w = context;
    for (; w->written < w->count; w->written++) dprintf(w->fd, "%d\n", w->written);
    close(w->fd);
    return NULL;
}

/* The lines that a subscription has read, and how many of them have not arrived yet at most. */
typedef struct reading {
    sequence *sequence;
    atomic_llong read, ahead;
} reading;

static sgk_value to_number(void *context, sgk_value line) {
    reading *r = context;
    long long ahead = ++r->read - r->sequence->count;
    if (ahead > r->ahead) r->ahead = ahead;
    return sgk_int(strtoll(sgk_to_text(line), NULL, 10));
}

static void wait_until(void *flag) {
    while (!*(atomic_bool *)flag) sleep_a_moment();
}

/* Lines of one block wait in the subscription, and the others in the system. The writer is slowed down. */
static void lines_obey(void **state) {
    (void)state;
    static const int64_t limits[] = {1, 4, 1024};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        sequence s = {0};
        reading r = {.sequence = &s};
        atomic_bool may_go_on = false;
        writer w = {.fd = ends[1], .count = 30000};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
        SGK_AUTO(sgk_queue) reads = sgk_queue_create("reads");
        SGK_AUTO(sgk_signal) lines = sgk_signal_fd_lines(ends[0], 100, reads);
        SGK_AUTO(sgk_signal) numbers = sgk_signal_map(lines, to_number, &r, NULL);
        SGK_AUTO(sgk_signal)
        bounded = sgk_signal_deliver_on_bounded(
            numbers, SGK_BOUND(.limit = limits[i], .overflow = SGK_OVERFLOW_PAUSE, .counter = counter), slow);
        sgk_queue_dispatch(slow, wait_until, &may_go_on, NULL);
        SGK_AUTO(sgk_disposable) run = hear(bounded, &s);
        close(ends[0]);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, write_lines, &w), 0);
        EVENTUALLY(r.read == limits[i]);
        for (int k = 0; k < 5; k++) sleep_a_moment();
        assert_int_equal(r.read, limits[i]);
        assert_true(w.written < w.count); /* the pipe is full */
        may_go_on = true;
        EVENTUALLY(s.has_ended);
        assert_true(s.count == 30000 && !s.is_wrong);
        assert_true(r.ahead <= limits[i] + 1); /* the value that is being delivered is not counted yet */
        assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
        pthread_join(thread, NULL);
    }
}

/* The system already watches the descriptor when the pause begins. */
static void an_idle_descriptor_that_is_paused(void **state) {
    (void)state;
    for (int bytes = 0; bytes < 2; bytes++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        sequence s = {0};
        reading r = {.sequence = &s};
        writer w = {.fd = ends[1], .count = 10};
        SGK_AUTO(sgk_queue) reads = sgk_queue_create("reads");
        SGK_AUTO(sgk_signal)
        source = bytes ? sgk_signal_fd_bytes(ends[0], 2, reads) : sgk_signal_fd_lines(ends[0], 100, reads);
        SGK_AUTO(sgk_signal) numbers = sgk_signal_map(source, to_number, &r, NULL);
        SGK_AUTO(sgk_disposable) run = hear(numbers, &s);
        close(ends[0]);
        for (int k = 0; k < 5; k++) sleep_a_moment();
        SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
        write_lines(&w); /* of one digit each: two bytes */
        for (int k = 0; k < 5; k++) sleep_a_moment();
        sgk_queue_sync(reads, do_nothing, NULL);
        assert_int_equal(r.read, 0);
        sgk_disposable_dispose(hold);
        EVENTUALLY(s.has_ended);
        assert_true(s.count == 10 && (bytes || !s.is_wrong));
    }
}

/* A pause that begins before the start, a disposal during a pause, and a queue that ends. */
static void a_paused_descriptor_that_ends(void **state) {
    (void)state;
    enum { DISPOSED, RESUMED, QUEUE_OVER, ENDS };
    for (int end = 0; end < ENDS; end++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        sequence s = {0};
        reading r = {.sequence = &s};
        writer w = {.fd = ends[1], .count = 10};
        SGK_AUTO(sgk_pipe) is_busy = sgk_pipe_create_replay();
        sgk_pipe_next(is_busy, sgk_bool(true));
        SGK_AUTO(sgk_signal) condition = sgk_pipe_signal(is_busy);
        SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0);
        SGK_AUTO(sgk_queue) reads = sgk_thread_pool_next_queue(pool);
        SGK_AUTO(sgk_signal) lines = sgk_signal_fd_lines(ends[0], 100, reads);
        SGK_AUTO(sgk_signal) numbers = sgk_signal_map(lines, to_number, &r, NULL);
        SGK_AUTO(sgk_signal) paused = sgk_signal_paused_by(numbers, condition);
        SGK_AUTO(sgk_disposable) run = hear(paused, &s);
        close(ends[0]);
        write_lines(&w);
        for (int k = 0; k < 5; k++) sleep_a_moment();
        assert_int_equal(r.read, 0);
        if (end == DISPOSED) sgk_disposable_dispose(run);
        if (end == QUEUE_OVER) sgk_thread_pool_shutdown(pool);
        sgk_pipe_next(is_busy, sgk_bool(false));
        if (end == RESUMED) EVENTUALLY(s.has_ended);
        assert_int_equal(s.count, end == RESUMED ? 10 : 0);
        sgk_disposable_dispose(run);
        EVENTUALLY(s.destroyed == 1);
        sgk_thread_pool_shutdown(pool);
    }
}

static void last_next(void *context, sgk_value value) { *(atomic_llong *)context = sgk_to_int(value); }

/* The numbers of a pause are skipped, and the next one tells how many there were. */
static void intervals_skip_numbers(void **state) {
    (void)state;
    atomic_llong last = -1;
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(1, time);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(ticks, last_next, &last, NULL);
    sgk_queue_advance(time, 2);
    assert_int_equal(last, 1);
    SGK_AUTO(sgk_disposable) hold = sgk_disposable_hold(run);
    sgk_queue_advance(time, 3);
    assert_int_equal(last, 1);
    sgk_disposable_dispose(hold);
    assert_int_equal(last, 1);
    sgk_queue_advance(time, 1);
    assert_int_equal(last, 5);
    sgk_disposable_dispose(run);
}

/* ---- The valve ---- */

static sgk_value ask_for_a_pause(void *context, sgk_value value) {
    if (sgk_to_int(value) == 3) sgk_pipe_next(context, sgk_bool(true));
    return value;
}

/* The condition is started first, and decides before the first value. A pause lets no further value pass. (In virtual
 * time the source continues on the queue, and no thread opens the valve at the same time.) */
static void a_valve(void **state) {
    (void)state;
    sequence s = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) is_busy = sgk_pipe_create_replay();
    sgk_pipe_next(is_busy, sgk_bool(true));
    SGK_AUTO(sgk_signal) condition = sgk_pipe_signal(is_busy);
    numbers n = {.count = 10};
    SGK_AUTO(sgk_signal) source = sgk_signal_from_iterator(next_number, &n, NULL);
    SGK_AUTO(sgk_signal) both = joined(source);
    SGK_AUTO(sgk_signal) paused = sgk_signal_paused_by(both, condition);
    SGK_AUTO(sgk_signal) asking = sgk_signal_map(paused, ask_for_a_pause, is_busy, NULL);
    SGK_AUTO(sgk_signal) on_time = sgk_signal_run_on(asking, time);
    SGK_AUTO(sgk_disposable) run = hear(on_time, &s);
    sgk_queue_run(time, 1000);
    assert_true(s.count == 0 && n.next == 0);
    sgk_pipe_next(is_busy, sgk_bool(true)); /* counts once */
    sgk_pipe_next(is_busy, sgk_bool(false));
    assert_int_equal(s.count, 0);
    sgk_queue_run(time, 1000);
    assert_true(s.count == 4 && n.next == 4);
    /* A hold of the program counts, too. */
    sgk_disposable *hold = sgk_disposable_hold(run);
    sgk_pipe_next(is_busy, sgk_bool(false));
    sgk_queue_run(time, 1000);
    assert_int_equal(s.count, 4);
    sgk_disposable_release(hold);
    sgk_queue_run(time, 1000);
    assert_true(s.count == 10 && !s.is_wrong);
    sgk_disposable_dispose(run);
    EVENTUALLY(s.destroyed == 1);
}

/* What the condition does at its end, and how values that are no bools fail the result. */
static void the_condition_of_a_valve(void **state) {
    (void)state;
    enum { COMPLETED, FAILED, NO_BOOL, RELEASED, ENDS };
    for (int end = 0; end < ENDS; end++) {
        sgk_pipe *is_busy = sgk_pipe_create();
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) condition = sgk_pipe_signal(is_busy);
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal) paused = sgk_signal_paused_by(signal, condition);
        recorder *r = recorder_new();
        sgk_disposable *run = record_run(paused, r);
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(1)), SGK_OK);
        sgk_pipe_next(is_busy, sgk_bool(true));
        assert_int_equal(sgk_pipe_next(pipe, sgk_int(2)), SGK_PAUSED); /* it passes */
        ASSERT_VALUES(r, 1, 2);
        if (end == COMPLETED) sgk_pipe_complete(is_busy);
        if (end == FAILED) sgk_pipe_error(is_busy, sgk_int(9));
        if (end == NO_BOOL) sgk_pipe_next(is_busy, sgk_int(1));
        if (end == RELEASED) sgk_pipe_release(is_busy);
        bool is_over = end == FAILED || end == NO_BOOL;
        assert_int_equal(r->errors, is_over);
        assert_int_equal(sgk_pipe_is_paused(pipe), !is_over);
        sgk_disposable_dispose(run);
        assert_false(sgk_pipe_is_paused(pipe));
        sgk_disposable_release(run);
        recorder_free(r);
        if (end != RELEASED) sgk_pipe_release(is_busy);
    }
    sgk_value error;
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) wrong = sgk_signal_paused_by(never, one);
    assert_int_equal(sgk_signal_get(wrong, 1, &error), SGK_ERROR_FAILED);
    assert_int_equal(sgk_error_code(error), SGK_ERROR_KIND);
    assert_string_equal(sgk_error_text(error), "sgk_signal_paused_by: the condition must emit bools");
    sgk_value_release(error);
}

static void open_and_shut(void *context) {
    for (int i = 0; i < 2000; i++) {
        sgk_pipe_next(context, sgk_bool(i % 2 == 0));
        if (i % 50 == 0) sleep_a_moment();
    }
    sgk_pipe_next(context, sgk_bool(false));
}

/* The condition changes on another thread: nothing is lost, and no wake-up either. */
static void a_valve_beside_a_thread(void **state) {
    (void)state;
    sequence s = {0};
    SGK_AUTO(sgk_queue) other = sgk_queue_create("valve");
    SGK_AUTO(sgk_pipe) is_busy = sgk_pipe_create();
    SGK_AUTO(sgk_signal) condition = sgk_pipe_signal(is_busy);
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(0, 100000);
    SGK_AUTO(sgk_signal) both = joined(numbers);
    SGK_AUTO(sgk_signal) paused = sgk_signal_paused_by(both, condition);
    sgk_queue_dispatch(other, open_and_shut, is_busy, NULL);
    SGK_AUTO(sgk_disposable) run = hear(paused, &s);
    EVENTUALLY(s.count == 100000);
    assert_false(s.is_wrong);
    sgk_disposable_dispose(run);
    EVENTUALLY(s.destroyed == 1);
    sgk_queue_sync(other, do_nothing, NULL);
}

int run_obeying(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_generator_that_obeys),
        TEST(a_subscriber_tells_of_pauses),
        TEST(a_paused_subscriber_that_ends),
        TEST(a_waiting_generator_that_is_disposed),
        TEST(holds_beside_a_waiting_generator),
        TEST(a_reader_pauses_its_source),
        TEST(a_reader_of_a_pipe),
        TEST(a_delay_pauses_its_source),
        TEST(a_delay_of_a_pipe),
        TEST(lines_obey),
        TEST(an_idle_descriptor_that_is_paused),
        TEST(a_paused_descriptor_that_ends),
        TEST(intervals_skip_numbers),
        TEST(a_valve),
        TEST(the_condition_of_a_valve),
        TEST(a_valve_beside_a_thread),
    };
    return cmocka_run_group_tests_name("obeying", tests, NULL, NULL);
}
