/* Writes with a limit: sgk_signal_sink_fd pauses its source instead of blocking a thread. */
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { LINE = 8 }; /* bytes */

/* A subscription that writes, and its terminal event. */
typedef struct writing {
    sgk_disposable *run;
    atomic_int ends, error, destroyed;
} writing;

static void writing_failed(void *context, sgk_value error) {
    writing *w = context;
    w->error = sgk_error_code(error);
    w->ends++;
}
static void writing_completed(void *context) { ((writing *)context)->ends++; }
static void writing_destroy(void *context) { ((writing *)context)->destroyed++; }

/* Starts and releases the signal. */
static void start(writing *w, sgk_signal *signal) {
    assert_non_null(signal);
    w->run = sgk_signal_start(signal,
        SGK_HANDLERS(.context = w, .destroy = writing_destroy, .error = writing_failed,
            .completed = writing_completed));
    sgk_signal_release(signal);
}
static void stop(writing *w) {
    sgk_disposable_dispose(w->run);
    EVENTUALLY(w->destroyed == 1);
    sgk_disposable_release(w->run);
}
static void assert_ends(writing *w, int error) {
    EVENTUALLY(w->ends == 1);
    assert_int_equal(w->error, error);
    stop(w);
}

static sgk_value line_of(void *context, sgk_value number) {
    (void)context;
    char line[LINE + 1];
    snprintf(line, sizeof line, "%07lld\n", (long long)sgk_to_int(number));
    return sgk_string(line);
}
/* The lines of the numbers, written to `fd`. Releases the signal. */
static sgk_signal *written(sgk_signal *numbers, int fd, bool closes, const sgk_bound *bound, sgk_queue *queue) {
    SGK_STAGE(map, numbers, line_of, NULL, NULL);
    sgk_signal *sink = sgk_signal_sink_fd(numbers, fd, closes, bound, queue);
    sgk_signal_release(numbers);
    return sink;
}

/* A pipe that is full of zeros, so that nothing is written before something is read. */
typedef struct two {
    int reads, writes;
} two;
static two full(void) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    char zeros[4096] = {0};
    while (write(ends[1], zeros, sizeof zeros) > 0) {}
    return (two){ends[0], ends[1]};
}

/* Like read, but returns -1 if nothing arrives in time. */
static ssize_t read_soon(int fd, void *to, size_t size) {
    struct pollfd asked = {fd, POLLIN, 0};
    return poll(&asked, 1, 1000 * PATIENCE) == 1 ? read(fd, to, size) : -1;
}

/* Reads a line and returns its number, -1 at the end, or -2 if none arrives in time. */
static long long next_line(int fd) {
    char line[LINE + 1] = {0};
    for (int count = 0; count < LINE;) {
        ssize_t got = read_soon(fd, line + count, 1);
        if (got != 1) return got == 0 ? -1 : -2;
        count += line[count] != 0;
    }
    assert_int_equal(line[LINE - 1], '\n');
    return atoll(line);
}
static void assert_lines(int fd, long long from, long long to) {
    for (long long i = from; i < to; i++) assert_int_equal(next_line(fd), i);
}

#define OVER(most, policy, counted) SGK_BOUND(.limit = most, .overflow = policy, .counter = counted)

static const uint32_t pausing[] = {
    SGK_OVERFLOW_PAUSE, SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_SUSPEND, SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_ERROR};

/* A source that can be paused loses nothing, and blocks and fails nobody, whatever the second policy and the limit. */
static void sources_are_paused(void **state) {
    (void)state;
    const int64_t limits[] = {1, LINE, 2 * LINE - 1, 1000};
    const int count = repeated(1000);
    for (int kind = 0; kind < 24; kind++) {
        const int64_t limit = limits[kind / 3 % 4];
        const bool here = kind >= 12; /* it emits on the queue of the sink */
        SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        two p = full();
        numbers n = {.count = count};
        sgk_signal *source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        if (here) SGK_STAGE(run_on, source, queue);
        writing w = {0};
        start(&w, written(source, p.writes, true, OVER(limit, pausing[kind % 3], counter), queue));
        EVENTUALLY(n.next * LINE >= limit * 3 / 4);
        sleep_a_moment();
        assert_true(n.next * LINE <= 2 * (limit + LINE)); /* half of it is being written */
        assert_lines(p.reads, 0, count);
        assert_ends(&w, 0);
        assert_int_equal(next_line(p.reads), -1);
        assert_int_equal(n.destroyed, 1);
        assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
        assert_int_equal(sgk_overflow_counter_suspended(counter), 0);
        assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
        close(p.reads);
    }
}

/* Values that are longer than the limit. */
enum { BIG = 300000 };
static sgk_value big_text(void *context, sgk_value number) {
    (void)context;
    char *text = malloc(BIG);
    memset(text, 'a' + (int)sgk_to_int(number), BIG);
    sgk_value value = sgk_bytes(text, BIG);
    free(text);
    return value;
}
static void big_values_one_by_one(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    two p = full();
    numbers n = {.count = 5};
    sgk_signal *source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
    SGK_STAGE(map, source, big_text, NULL, NULL);
    sgk_signal *sink = sgk_signal_sink_fd(source, p.writes, true, OVER(1, SGK_OVERFLOW_PAUSE, NULL), queue);
    sgk_signal_release(source);
    writing w = {0};
    start(&w, sink);
    EVENTUALLY(n.next == 2);
    sleep_a_moment();
    assert_int_equal(n.next, 2); /* one is being written, and one waits */
    static char some[65536];
    long long place = 0;
    for (ssize_t got; (got = read_soon(p.reads, some, sizeof some)) > 0;)
        for (ssize_t i = 0; i < got; i++)
            if (some[i]) assert_int_equal(some[i], 'a' + place++ / BIG);
    assert_int_equal(place, 5 * BIG);
    assert_ends(&w, 0);
    close(p.reads);
}

/* A pipe with one line that is being written, and with a sink that has `limit` bytes of space. */
typedef struct feed {
    sgk_pipe *pipe;
    sgk_queue *queue;
    sgk_overflow_counter *counter;
    two ends;
    writing w;
} feed;

static void feed_open(feed *f, int64_t limit, uint32_t overflow, sgk_value error, bool closes) {
    *f = (feed){sgk_pipe_create(), sgk_queue_create(NULL), sgk_overflow_counter_create(), full(), {0}};
    start(&f->w,
        written(sgk_pipe_signal(f->pipe), f->ends.writes, closes,
            SGK_BOUND(.limit = limit, .overflow = overflow, .counter = f->counter, .error = error), f->queue));
    assert_int_equal(sgk_pipe_next(f->pipe, sgk_int(0)), SGK_OK);
    sgk_queue_sync(f->queue, do_nothing, NULL);
}
static void feed_close(feed *f, bool closes) {
    close(f->ends.reads);
    if (!closes) close(f->ends.writes);
    sgk_pipe_release(f->pipe);
    sgk_overflow_counter_release(f->counter);
    sgk_queue_release(f->queue);
}
/* Sends the numbers from 1 on. The last `paused` calls report a pause. */
static void feed_lines(feed *f, int count, int paused) {
    for (int i = 1; i <= count; i++)
        assert_int_equal(sgk_pipe_next(f->pipe, sgk_int(i)), i > count - paused ? SGK_PAUSED : SGK_OK);
}

static void pipes_report_the_pause(void **state) {
    (void)state;
    feed f;
    counted resumed = {0};
    feed_open(&f, 3 * LINE, SGK_OVERFLOW_PAUSE, sgk_null(), false);
    feed_lines(&f, 5, 3);
    assert_true(sgk_pipe_is_paused(f.pipe));
    assert_int_equal(sgk_overflow_counter_exceeded(f.counter), 2);
    assert_int_equal(sgk_pipe_on_resume(f.pipe, counted_work, &resumed, counted_destroy, f.queue), SGK_OK);
    sleep_a_moment();
    assert_int_equal(resumed.calls, 0);
    assert_lines(f.ends.reads, 0, 6);
    EVENTUALLY(resumed.destroyed == 1);
    assert_int_equal(resumed.calls, 1);
    assert_false(sgk_pipe_is_paused(f.pipe));
    assert_int_equal(sgk_pipe_next(f.pipe, sgk_int(6)), SGK_OK);
    assert_lines(f.ends.reads, 6, 7);
    sgk_pipe_complete(f.pipe);
    assert_ends(&f.w, 0);
    feed_close(&f, false);
}

/* A source that goes on meets the second policy at the limit: it fails, or blocks the thread. */
static void a_second_policy_fails(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        const bool pauses = kind % 2;
        feed f;
        feed_open(&f, 4 * LINE, SGK_OVERFLOW_ERROR | (pauses ? SGK_OVERFLOW_PAUSE : 0),
            kind < 2 ? sgk_null() : sgk_give(sgk_error(7, "full")), true);
        feed_lines(&f, 4, pauses ? 2 : 0); /* the source is paused at three quarters */
        assert_int_equal(f.w.ends, 0);
        sgk_pipe_next(f.pipe, sgk_int(5));
        assert_int_equal(fcntl(f.ends.writes, F_GETFD), -1);
        assert_ends(&f.w, kind < 2 ? SGK_ERROR_OVERFLOW : 7); /* at once: the pipe is still full */
        assert_false(sgk_pipe_is_paused(f.pipe));
        assert_int_equal(sgk_overflow_counter_dropped(f.counter), 1);
        assert_int_equal(sgk_overflow_counter_exceeded(f.counter), 0);
        feed_close(&f, true);
    }
}

static void *send_5(void *pipe) {
    sgk_pipe_next(pipe, sgk_int(5));
    return NULL;
}
static void a_second_policy_blocks(void **state) {
    (void)state;
    feed f;
    feed_open(&f, 4 * LINE, SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_SUSPEND, sgk_null(), false);
    feed_lines(&f, 4, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, send_5, f.pipe);
    EVENTUALLY(sgk_overflow_counter_suspended(f.counter) == 1);
    assert_lines(f.ends.reads, 0, 6);
    pthread_join(thread, NULL);
    EVENTUALLY(!sgk_pipe_is_paused(f.pipe));
    stop(&f.w);
    feed_close(&f, false);
}
static void send_6(void *pipe) {
    for (int i = 1; i <= 6; i++) sgk_pipe_next(pipe, sgk_int(i));
}
/* Nothing can free space while work of its own queue waits for it. Without the second policy it need not wait. */
static void on_its_own_queue(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        feed f;
        feed_open(&f, 4 * LINE, pausing[kind], sgk_null(), false);
        sgk_queue_sync(f.queue, send_6, f.pipe);
        if (kind == 0) {
            assert_true(sgk_pipe_is_paused(f.pipe));
            assert_lines(f.ends.reads, 0, 7);
            EVENTUALLY(!sgk_pipe_is_paused(f.pipe));
            stop(&f.w);
        } else {
            assert_ends(&f.w, ENOBUFS);
            assert_false(sgk_pipe_is_paused(f.pipe));
        }
        feed_close(&f, false);
    }
}

/* Whatever ends the subscription takes its pause back. What was sent before the source has ended is still written. */
enum { DISPOSED, UNREAD, UNREAD_BY_RANGE, COMPLETED, FAILED, RELEASED, HOW_IT_ENDS };
static void ended_while_paused(void **state) {
    (void)state;
    for (int how = 0; how < HOW_IT_ENDS; how++) {
        feed f;
        feed_open(&f, 2 * LINE, SGK_OVERFLOW_PAUSE, sgk_null(), true);
        feed_lines(&f, 3, 2);
        numbers n = {.count = 100};
        writing range = {0};
        if (how == UNREAD_BY_RANGE) {
            sgk_signal *source = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
            start(&range, written(source, f.ends.writes, false, OVER(LINE, SGK_OVERFLOW_PAUSE, NULL), f.queue));
            EVENTUALLY(n.next == 2);
            sleep_a_moment();
            assert_int_equal(n.destroyed, 0);
        }
        if (how == DISPOSED) stop(&f.w);
        if (how == UNREAD || how == UNREAD_BY_RANGE) {
            int reads = f.ends.reads;
            f.ends.reads = dup(0);
            close(reads);
            assert_ends(&f.w, EPIPE);
            if (how == UNREAD_BY_RANGE) {
                assert_ends(&range, EPIPE);
                EVENTUALLY(n.destroyed == 1);
                assert_int_equal(n.next, 2);
            }
        }
        if (how == COMPLETED) sgk_pipe_complete(f.pipe);
        if (how == FAILED) sgk_pipe_error(f.pipe, sgk_give(sgk_error(7, "early")));
        if (how >= COMPLETED && how != RELEASED) assert_int_equal(f.w.ends, 0);
        if (how == RELEASED) {
            sgk_pipe_release(f.pipe);
            f.pipe = sgk_pipe_create();
        }
        if (how >= COMPLETED) {
            assert_lines(f.ends.reads, 0, 4);
            assert_int_equal(next_line(f.ends.reads), -1); /* it was closed */
            if (how == RELEASED) stop(&f.w);
            if (how != RELEASED) assert_ends(&f.w, how == FAILED ? 7 : 0);
        }
        assert_false(sgk_pipe_is_paused(f.pipe));
        feed_close(&f, true);
    }
}

/* Two sources on two queues: nothing is lost, and each stays in order. */
static sgk_signal *counting_on(sgk_queue *queue, numbers *n) {
    sgk_signal *source = sgk_signal_from_iterator(next_number, n, numbers_destroy);
    SGK_STAGE(run_on, source, queue);
    return source;
}
static void two_emitting_threads(void **state) {
    (void)state;
    const int64_t count = repeated(5000), offset = 1000000;
    for (int kind = 0; kind < 5; kind++) { /* each thread may have one more value in flight: a small limit may fail */
        SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
        SGK_AUTO(sgk_queue) first = sgk_queue_create(NULL);
        SGK_AUTO(sgk_queue) second = sgk_queue_create(NULL);
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        two p = full();
        numbers n[2] = {{.count = count}, {.next = offset, .count = offset + count}};
        sgk_signal *sources[] = {counting_on(first, &n[0]), counting_on(second, &n[1])};
        sgk_signal *both = sgk_merge(sources, 2);
        sgk_signal_release(sources[0]), sgk_signal_release(sources[1]);
        const uint32_t policy = pausing[kind % 3];
        writing w = {0};
        start(&w, written(both, p.writes, true, OVER(kind < 2 ? LINE : 100 * LINE, policy, counter), queue));
        int64_t next[2] = {0, offset};
        for (int64_t i = 0; i < 2 * count; i++) {
            long long line = next_line(p.reads);
            assert_int_equal(line, next[line >= offset]++);
        }
        assert_ends(&w, 0);
        assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
        close(p.reads);
    }
}

/* While a value is on its way to the sink, another thread can emit only one. So the join before it needs no space. */
typedef struct gate {
    atomic_int values;
    atomic_bool is_open;
} gate;
static void wait_at_the_first(void *context, sgk_value value) {
    (void)value;
    gate *g = context;
    if (g->values++ == 0) EVENTUALLY(g->is_open);
}
static void a_join_before_it_is_governed(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    SGK_AUTO(sgk_queue) first = sgk_queue_create(NULL);
    SGK_AUTO(sgk_queue) second = sgk_queue_create(NULL);
    two p = full();
    gate g = {0};
    numbers n[2] = {{.count = COUNT}, {.count = COUNT}};
    sgk_signal *sources[] = {counting_on(first, &n[0]), counting_on(second, &n[1])};
    sgk_signal *both = sgk_merge(sources, 2);
    sgk_signal_release(sources[0]), sgk_signal_release(sources[1]);
    SGK_STAGE(before_next, both, wait_at_the_first, &g, NULL);
    writing w = {0};
    start(&w, written(both, p.writes, true, OVER(1000000, SGK_OVERFLOW_PAUSE, NULL), queue));
    EVENTUALLY(n[0].next >= 1 && n[1].next >= 1);
    for (int i = 0; i < 20; i++) sleep_a_moment();
    assert_true(n[0].next + n[1].next <= 3);
    g.is_open = true;
    for (int i = 0; i < 2 * COUNT; i++) assert_true(next_line(p.reads) >= 0);
    assert_ends(&w, 0);
    close(p.reads);
}

/* A buffer before it drops values for a slow reader. The reader then receives whole lines, and the latest ones. */
static void a_buffer_before_it_drops(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    SGK_AUTO(sgk_overflow_counter) dropped = sgk_overflow_counter_create();
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    two p = full();
    sgk_signal *source = sgk_pipe_signal(pipe);
    SGK_STAGE(deliver_on_bounded, source, OVER(4, SGK_OVERFLOW_DROP_OLDEST, dropped), queue);
    writing w = {0};
    start(&w, written(source, p.writes, true, OVER(LINE, SGK_OVERFLOW_PAUSE, counter), queue));
    for (int i = 0; i < COUNT; i++) sgk_pipe_next(pipe, sgk_int(i));
    sgk_pipe_complete(pipe);
    long long received = 0, last = -1;
    for (long long line; (line = next_line(p.reads)) >= 0; last = line, received++) assert_true(line > last);
    assert_int_equal(last, COUNT - 1);
    assert_int_equal(received + sgk_overflow_counter_dropped(dropped), COUNT);
    assert_int_equal(sgk_overflow_counter_exceeded(counter), 0);
    assert_ends(&w, 0);
    close(p.reads);
}

/* Disposal on one thread while another one reads, so that pauses and resumptions are in flight. */
static void *read_on(void *fd) {
    char some[64];
    while (read_soon(*(int *)fd, some, sizeof some) > 0) {}
    return NULL;
}
static void disposed_at_any_time(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    const int rounds = repeated(300);
    for (int i = 0; i < rounds; i++) {
        two p = full();
        numbers n = {.count = 1000000};
        sgk_signal *sources[] = {sgk_signal_from_iterator(next_number, &n, numbers_destroy), sgk_pipe_signal(pipe)};
        sgk_signal *both = sgk_merge(sources, 2);
        sgk_signal_release(sources[0]), sgk_signal_release(sources[1]);
        writing w = {0};
        start(&w, written(both, p.writes, true, OVER(1 + i % 20, pausing[i % 2], NULL), queue));
        pthread_t reader;
        pthread_create(&reader, NULL, read_on, &p.reads);
        for (int k = 0; k < i % 50; k++) sgk_pipe_next(pipe, sgk_int(k));
        stop(&w);
        pthread_join(reader, NULL);
        close(p.reads);
        EVENTUALLY(n.destroyed == 1);
        assert_false(sgk_pipe_is_paused(pipe));
    }
}

int run_pausing_writes(void) {
    const struct CMUnitTest tests[] = {
        TEST(sources_are_paused),
        TEST(big_values_one_by_one),
        TEST(pipes_report_the_pause),
        TEST(a_second_policy_fails),
        TEST(a_second_policy_blocks),
        TEST(on_its_own_queue),
        TEST(ended_while_paused),
        TEST(two_emitting_threads),
        TEST(a_join_before_it_is_governed),
        TEST(a_buffer_before_it_drops),
        TEST(disposed_at_any_time),
    };
    return cmocka_run_group_tests_name("pausing_writes", tests, NULL, NULL);
}
