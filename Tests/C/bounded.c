/* deliver_on with a bound. */
#include "suite.h"

static sgk_signal *bounded(
    sgk_signal *source, sgk_queue *queue, int64_t limit, sgk_overflow policy, sgk_overflow_counter *counter) {
    return sgk_signal_deliver_on_bounded(
        source, SGK_BOUND(.limit = limit, .overflow = policy, .error = sgk_int(99), .counter = counter), queue);
}

/* Ten values arrive in succession, and four of them fit. */
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
    if (n < 50)
        for (int i = 0; i < 2; i++) sgk_pipe_next(context, sgk_int(n + 25));
}

/* Inside its own callback, also on a concurrent queue, a value may exceed the limit, because waiting would deadlock. */
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
    EVENTUALLY(r->destroyed == 1); /* no thread will deliver: the subscription is released */
    sgk_pipe_next(pipe, sgk_int(2));
    sgk_pipe_next(pipe, sgk_int(3)); /* nor is anybody suspended */
    recorder_free(r);
}

/* ---- Indirect deadlocks ---- */

/* Work of `queue` waits for work of `other`, which emits into a delivery on `queue`. */
typedef struct detour {
    sgk_queue *queue, *other;
    sgk_pipe *pipe;
    sgk_work_fn work;
    sgk_status status;
} detour;

static void emit_3(void *context) {
    for (int i = 1; i <= 3; i++) sgk_pipe_next(((detour *)context)->pipe, sgk_int(i));
}
static void emit_elsewhere(void *context) {
    detour *d = context;
    assert_int_equal(sgk_queue_sync(d->other, emit_3, d), SGK_OK);
}
static void emit_by_way_of_two(void *context) {
    detour *d = context;
    SGK_AUTO(sgk_queue) between = sgk_queue_create("between");
    assert_int_equal(sgk_queue_sync(between, emit_elsewhere, d), SGK_OK);
}
static void emit_in_virtual_time(void *context) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    sgk_queue_dispatch(time, emit_3, context, NULL);
    assert_int_equal(sgk_queue_advance(time, 1), SGK_OK);
}

/* The bound is exceeded there: all comes, in order, and nobody counts as having waited. */
static void assert_exceeded(recorder *r, sgk_overflow_counter *counter, sgk_disposable *run) {
    EVENTUALLY((sgk_main_drain(), r->nexts == 3));
    ASSERT_VALUES(r, 1, 2, 3);
    assert_int_equal(sgk_overflow_counter_suspended(counter), 0);
    assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

static void nobody_waits_for_itself_by_way_of_another(void **state) {
    (void)state;
    enum { QUEUES = 3 };
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(2, 0.5);
    SGK_AUTO(sgk_thread_pool) small = sgk_thread_pool_create(1, 0.5);
    /* The other work runs on the same thread, or on a thread of a pool that has an idle one. */
    sgk_queue *queues[] = {sgk_queue_create("own"), sgk_thread_pool_next_queue(pool), sgk_thread_pool_queue(small)};
    sgk_queue *others[] = {sgk_queue_create("other"), sgk_thread_pool_next_queue(pool), sgk_thread_pool_queue(pool)};
    const sgk_work_fn ways[] = {emit_elsewhere, emit_by_way_of_two, emit_in_virtual_time};
    for (int i = 0; i < QUEUES * 3 * 3; i++) {
        detour d = {.queue = queues[i % QUEUES], .other = others[i / QUEUES % 3], .pipe = sgk_pipe_create()};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(d.pipe);
        SGK_AUTO(sgk_signal) signal = bounded(source, d.queue, 1, SGK_OVERFLOW_SUSPEND, counter);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, r);
        assert_int_equal(sgk_queue_dispatch(d.queue, ways[i / QUEUES / 3], &d, NULL), SGK_OK);
        assert_exceeded(r, counter, run);
        sgk_pipe_release(d.pipe);
    }
    for (int i = 0; i < QUEUES; i++) sgk_queue_release(queues[i]);
    for (int i = 0; i < 3; i++) sgk_queue_release(others[i]);
}

static void come_back_to_it(void *context) {
    detour *d = context;
    emit_3(d);
    d->status = sgk_queue_sync(d->queue, do_nothing, NULL);
}
static void wait_for_other(void *context) {
    detour *d = context;
    assert_int_equal(sgk_queue_sync(d->other, d->work, d), SGK_OK);
}

/* The same where no thread of the library is held up: the main thread, and the one that moves a virtual time. */
static void nor_does_the_main_thread_or_virtual_time(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) other = sgk_thread_pool_next_queue(pool);
    sgk_queue *queues[] = {sgk_queue_main(), sgk_queue_create_virtual(NULL)};
    for (int i = 0; i < 2; i++) {
        detour d = {queues[i], other, sgk_pipe_create(), come_back_to_it, SGK_OK};
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(d.pipe);
        SGK_AUTO(sgk_signal) signal = bounded(source, d.queue, 1, SGK_OVERFLOW_SUSPEND, counter);
        recorder *r = recorder_new();
        SGK_AUTO(sgk_disposable) run = record_run(signal, r);
        if (i == 0) {
            wait_for_other(&d);
        } else {
            sgk_queue_dispatch(d.queue, wait_for_other, &d, NULL);
            sgk_queue_advance(d.queue, 1);
        }
        assert_int_equal(d.status, SGK_ERROR_THREAD);
        assert_exceeded(r, counter, run);
        sgk_pipe_release(d.pipe);
        sgk_queue_release(queues[i]);
    }
}

/* The thread that delivers on a concurrent queue is the one that would free space. */
typedef struct round_trip {
    detour detour;
    atomic_bool has_emitted;
} round_trip;

static void emit_from_elsewhere(void *context, sgk_value value) {
    (void)value;
    round_trip *t = context;
    if (!atomic_exchange(&t->has_emitted, true)) emit_elsewhere(&t->detour);
}

static void nor_who_delivers_on_a_concurrent_queue(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) other = sgk_thread_pool_next_queue(pool);
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_default();
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = bounded(source, queue, 1, SGK_OVERFLOW_SUSPEND, NULL);
    round_trip trip = {{.other = other, .pipe = pipe}, false};
    SGK_AUTO(sgk_signal) fed = sgk_signal_before_next(signal, emit_from_elsewhere, &trip, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(fed, r);
    sgk_pipe_next(pipe, sgk_int(0));
    EVENTUALLY(r->nexts == 4);
    ASSERT_VALUES(r, 0, 1, 2, 3);
    sgk_disposable_dispose(run);
    recorder_free(r);
}

/* A thread waits for space. Another thread exceeds the limit, without taking space from the first. */
typedef struct mixed {
    sgk_queue *queue, *other;
    hand source; /* a pipe would have one thread wait for the other's turn */
    atomic_bool is_open;
} mixed;

static void *emit_2(void *source) {
    sgk_subscriber_next(((hand *)source)->subscriber, sgk_int(2));
    return NULL;
}
static void emit_another(void *source) { sgk_subscriber_next(((hand *)source)->subscriber, sgk_int(3)); }
static void wait_and_emit_elsewhere(void *context) {
    mixed *m = context;
    EVENTUALLY(m->is_open);
    assert_int_equal(sgk_queue_sync(m->other, emit_another, &m->source), SGK_OK);
}
static void let_it_look(void *context, sgk_value value) {
    (void)context;
    if (sgk_to_int(value) == 1)
        for (int i = 0; i < 20; i++) sleep_a_moment();
}

static void who_exceeds_takes_no_room_from_others(void **state) {
    (void)state;
    mixed m = {.queue = sgk_queue_create("own"), .other = sgk_queue_create("other")};
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal) source = hand_signal(&m.source);
    SGK_AUTO(sgk_signal) signal = bounded(source, m.queue, 1, SGK_OVERFLOW_SUSPEND, counter);
    SGK_AUTO(sgk_signal) slow = sgk_signal_before_next(signal, let_it_look, NULL, NULL);
    recorder *r = recorder_new();
    SGK_AUTO(sgk_disposable) run = record_run(slow, r);
    assert_int_equal(sgk_queue_dispatch(m.queue, wait_and_emit_elsewhere, &m, NULL), SGK_OK);
    sgk_subscriber_next(m.source.subscriber, sgk_int(1));
    pthread_t waits;
    assert_int_equal(pthread_create(&waits, NULL, emit_2, &m.source), 0);
    EVENTUALLY(sgk_overflow_counter_suspended(counter) == 1);
    m.is_open = true;
    EVENTUALLY(r->nexts == 3);
    pthread_join(waits, NULL);
    sgk_disposable_dispose(run);
    recorder_free(r);
    hand_free(&m.source);
    sgk_queue_release(m.queue);
    sgk_queue_release(m.other);
}

/* Work of each queue emits into a delivery on the next queue. The last one to wait would deadlock. */
enum { RING = 4 };

typedef struct ring {
    sgk_pipe *pipe;
    pthread_barrier_t *all_are_there;
} ring;

static void emit_once_all_are_there(void *context) {
    ring *member = context;
    pthread_barrier_wait(member->all_are_there);
    for (int i = 1; i <= 3; i++) sgk_pipe_next(member->pipe, sgk_int(i));
}

static void several_do_not_wait_for_each_other(void **state) {
    (void)state;
    sgk_queue *queues[RING];
    for (int i = 0; i < RING; i++) queues[i] = sgk_queue_create("of a ring");
    for (int round = 0; round < 100; round++) {
        pthread_barrier_t all_are_there;
        pthread_barrier_init(&all_are_there, NULL, RING);
        ring members[RING];
        recorder *recorders[RING];
        sgk_disposable *runs[RING];
        for (int i = 0; i < RING; i++) {
            members[i] = (ring){sgk_pipe_create(), &all_are_there};
            recorders[i] = recorder_new();
            SGK_AUTO(sgk_signal) source = sgk_pipe_signal(members[i].pipe);
            SGK_AUTO(sgk_signal) signal = bounded(source, queues[(i + 1) % RING], 1, SGK_OVERFLOW_SUSPEND, NULL);
            runs[i] = record_run(signal, recorders[i]);
        }
        for (int i = 0; i < RING; i++) sgk_queue_dispatch(queues[i], emit_once_all_are_there, &members[i], NULL);
        for (int i = 0; i < RING; i++) {
            EVENTUALLY(recorders[i]->nexts == 3);
            ASSERT_VALUES(recorders[i], 1, 2, 3);
        }
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
        for (int i = 0; i < RING; i++) {
            sgk_disposable_dispose(runs[i]);
            sgk_disposable_release(runs[i]);
            sgk_pipe_release(members[i].pipe);
            recorder_free(recorders[i]);
        }
        pthread_barrier_destroy(&all_are_there);
    }
    for (int i = 0; i < RING; i++) sgk_queue_release(queues[i]);
}

/* ---- Pools, of which each thread waits, and clocks ---- */

/* A job that emits 1, 2, 3 into a delivery on a queue, once all are there. */
typedef struct emission {
    sgk_pipe *pipe;
    pthread_barrier_t *all_are_there;
    sgk_overflow_counter *counter;
    recorder *recorder;
    sgk_disposable *run;
} emission;

static void emission_open(emission *e, sgk_queue *queue, pthread_barrier_t *all_are_there) {
    *e = (emission){sgk_pipe_create(), all_are_there, sgk_overflow_counter_create(), recorder_new(), NULL};
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(e->pipe);
    SGK_AUTO(sgk_signal) signal = bounded(source, queue, 1, SGK_OVERFLOW_SUSPEND, e->counter);
    e->run = record_run(signal, e->recorder);
}

static void emission_job(void *context) {
    emission *e = context;
    if (e->all_are_there) pthread_barrier_wait(e->all_are_there);
    for (int i = 1; i <= 3; i++) sgk_pipe_next(e->pipe, sgk_int(i));
}

/* Checks that everything has arrived in order. Returns how often the job waited. */
static int64_t emission_close(emission *e) {
    EVENTUALLY((sgk_main_drain(), e->recorder->nexts == 3));
    ASSERT_VALUES(e->recorder, 1, 2, 3);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    int64_t suspended = sgk_overflow_counter_suspended(e->counter);
    sgk_disposable_dispose(e->run);
    sgk_disposable_release(e->run);
    sgk_overflow_counter_release(e->counter);
    sgk_pipe_release(e->pipe);
    recorder_free(e->recorder);
    return suspended;
}

/* The last thread that would wait exceeds the limit, because no other thread would free space. */
static void nor_do_all_threads_of_a_pool(void **state) {
    (void)state;
    enum { MOST_THREADS = 3 };
    for (int i = 0; i < 2 * MOST_THREADS; i++) {
        int threads = 1 + i / 2;
        pthread_barrier_t all_are_there;
        pthread_barrier_init(&all_are_there, NULL, (unsigned)threads);
        SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(threads, 0.5);
        SGK_AUTO(sgk_queue) queue = i % 2 ? sgk_thread_pool_queue(pool) : sgk_thread_pool_next_queue(pool);
        emission emissions[MOST_THREADS];
        int64_t suspended = 0;
        for (int k = 0; k < threads; k++) emission_open(&emissions[k], queue, &all_are_there);
        for (int k = 0; k < threads; k++) {
            SGK_AUTO(sgk_queue) line = sgk_thread_pool_next_queue(pool);
            assert_int_equal(sgk_queue_dispatch(line, emission_job, &emissions[k], NULL), SGK_OK);
        }
        for (int k = 0; k < threads; k++) suspended += emission_close(&emissions[k]);
        assert_true((suspended > 0) == (threads > 1));
        pthread_barrier_destroy(&all_are_there);
    }
}

/* Threads of a pool wait for different queues. A thread that waits for the pool depends on all of them. */
static void who_waits_for_a_pool_waits_for_each_of_its_threads(void **state) {
    (void)state;
    for (int are_all = 0; are_all < 2; are_all++) {
        SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(2, 0.5);
        SGK_AUTO(sgk_queue) queue = sgk_thread_pool_queue(pool);
        SGK_AUTO(sgk_queue) busy = sgk_queue_create("busy");
        SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
        emission emissions[3];
        door door = {0};
        pthread_barrier_t both_wait;
        pthread_barrier_init(&both_wait, NULL, 2);
        emission_open(&emissions[0], busy, NULL);
        emission_open(&emissions[1], are_all ? busy : other, NULL);
        emission_open(&emissions[2], queue, &both_wait);
        sgk_queue_dispatch(busy, emission_job, &emissions[2], NULL);
        sgk_queue_dispatch(other, wait_at, &door, counted_destroy);
        for (int i = 0; i < 2; i++) {
            sgk_queue_dispatch(queue, emission_job, &emissions[i], NULL);
            EVENTUALLY(sgk_overflow_counter_suspended(emissions[i].counter) == 1);
        }
        pthread_barrier_wait(&both_wait);
        if (!are_all) EVENTUALLY(sgk_overflow_counter_suspended(emissions[2].counter) == 1);
        open_and_wait(&door);
        for (int i = 0; i < 2; i++) assert_true(emission_close(&emissions[i]) > 0);
        assert_true((emission_close(&emissions[2]) > 0) == !are_all);
        pthread_barrier_destroy(&both_wait);
    }
}

/* The first look at the waits takes two of them to be stuck because one depends on the other. Only one is needed. */
static void a_second_look_finds_that_a_wait_comes_to_its_end(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(3, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_queue(pool);
    SGK_AUTO(sgk_queue) first = sgk_thread_pool_next_queue(pool);
    SGK_AUTO(sgk_queue) second = sgk_thread_pool_next_queue(pool);
    SGK_AUTO(sgk_queue) outside = sgk_queue_create("outside");
    pthread_barrier_t first_waits;
    pthread_barrier_init(&first_waits, NULL, 2);
    emission emissions[3];
    door door = {0};
    emission_open(&emissions[0], second, NULL);
    emission_open(&emissions[1], queue, &first_waits);
    emission_open(&emissions[2], first, NULL);
    sgk_queue_dispatch(queue, wait_at, &door, counted_destroy); /* so one thread is busy, and waits for nobody */
    sgk_queue_dispatch(second, emission_job, &emissions[1], NULL);
    sgk_queue_dispatch(first, emission_job, &emissions[0], NULL);
    EVENTUALLY(sgk_overflow_counter_suspended(emissions[0].counter) == 1);
    pthread_barrier_wait(&first_waits);
    EVENTUALLY(sgk_overflow_counter_suspended(emissions[1].counter) == 1);
    sgk_queue_dispatch(outside, emission_job, &emissions[2], NULL);
    EVENTUALLY(sgk_overflow_counter_suspended(emissions[2].counter) == 1);
    open_and_wait(&door);
    for (int i = 0; i < 3; i++) emission_close(&emissions[i]);
    pthread_barrier_destroy(&first_waits);
}

/* The main thread, and the thread of a pool whose delivery it would run. */
static void nor_does_who_waits_for_a_pool_that_waits_for_it(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) main = sgk_queue_main();
    sgk_queue *queues[] = {sgk_thread_pool_queue(pool), sgk_thread_pool_next_queue(pool)};
    emission e;
    emission_open(&e, main, NULL);
    sgk_queue_dispatch(queues[0], emission_job, &e, NULL);
    EVENTUALLY(sgk_overflow_counter_suspended(e.counter) == 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sgk_queue_sync(queues[i], do_nothing, NULL), SGK_ERROR_THREAD);
        assert_failed(SGK_ERROR_THREAD, "sgk_queue_sync: queue: would deadlock");
        sgk_queue_release(queues[i]);
    }
    assert_true(emission_close(&e) > 0);
}

/* A callback waits for the queue whose work it has just woken. */
typedef struct wake_up {
    sgk_pipe *pipe;
    sgk_queue *queue;
    sgk_status status;
} wake_up;

static void emit_2_values(void *context) {
    for (int i = 1; i <= 2; i++) sgk_pipe_next(((wake_up *)context)->pipe, sgk_int(i));
}

static void wait_for_the_woken(void *context, sgk_value value) {
    wake_up *w = context;
    if (sgk_to_int(value) == 1) w->status = sgk_queue_sync(w->queue, do_nothing, NULL);
}

static void a_wait_for_space_is_over_before_its_thread_wakes(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) delivering = sgk_thread_pool_next_queue(pool);
    wake_up w = {.queue = sgk_queue_create("emits")};
    for (int round = 0; round < 100; round++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal) signal = bounded(source, delivering, 1, SGK_OVERFLOW_SUSPEND, counter);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, wait_for_the_woken, &w, NULL);
        door door = {0};
        sgk_queue_dispatch(delivering, wait_at, &door, counted_destroy);
        w.pipe = pipe;
        sgk_queue_dispatch(w.queue, emit_2_values, &w, NULL);
        EVENTUALLY(sgk_overflow_counter_suspended(counter) == 1);
        open_and_wait(&door);
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
        assert_int_equal(w.status, SGK_OK);
        sgk_disposable_dispose(run);
    }
    sgk_queue_release(w.queue);
}

/* A queue whose `dispatch` returns when a new thread has run the work, or waits in it. */
typedef struct haste {
    emission emission;
    sgk_queue *queue;
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy;
    atomic_bool is_done;
    pthread_t thread;
    bool has_thread;
} haste;

static void *run_in_haste(void *context) {
    haste *h = context;
    h->work(h->context);
    h->destroy(h->context);
    h->is_done = true;
    return NULL;
}

static sgk_status dispatch_in_haste(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    haste *h = context;
    if (h->has_thread) pthread_join(h->thread, NULL); /* of a turn that found no work */
    h->work = work, h->context = work_context, h->destroy = destroy;
    h->is_done = false;
    h->has_thread = true;
    assert_int_equal(pthread_create(&h->thread, NULL, run_in_haste, h), 0);
    EVENTUALLY(h->is_done || sgk_overflow_counter_suspended(h->emission.counter) == 1);
    return SGK_OK;
}

static void wait_for_hasty_work(void *context) {
    haste *h = context;
    assert_int_equal(sgk_queue_sync(h->queue, emission_job, &h->emission), SGK_OK);
}

/* The work begins before its thread knows that another one waits for it. */
static void nor_does_work_that_begins_before_the_wait_for_it(void **state) {
    (void)state;
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.dispatch = dispatch_in_haste;
    haste h = {.is_done = false};
    h.queue = sgk_queue_create_custom(&table, &h);
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) queue = sgk_thread_pool_queue(pool);
    emission_open(&h.emission, queue, NULL);
    sgk_queue_dispatch(queue, wait_for_hasty_work, &h, NULL);
    assert_int_equal(emission_close(&h.emission), 0);
    pthread_join(h.thread, NULL);
    sgk_queue_release(h.queue);
}

/* Work of virtual time, and a queue's work that waits until another thread has moved that time. */
typedef struct appointment {
    emission emission;
    sgk_queue *time, *queue;
    pthread_barrier_t both_are_there;
    bool emits; /* or waits for work */
    sgk_status statuses[2];
} appointment;

static void wait_for_time(void *context) {
    appointment *a = context;
    pthread_barrier_wait(&a->both_are_there);
    if (a->emits) emission_job(&a->emission);
    else a->statuses[0] = sgk_queue_sync(a->time, do_nothing, NULL);
}

static void wait_for_queue(void *context) {
    appointment *a = context;
    pthread_barrier_wait(&a->both_are_there);
    if (a->emits) EVENTUALLY(sgk_overflow_counter_suspended(a->emission.counter) == 1);
    a->statuses[1] = sgk_queue_sync(a->queue, do_nothing, NULL);
}

static void nor_does_virtual_time_that_another_thread_moves(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        appointment a = {.time = sgk_queue_create_virtual(NULL), .queue = sgk_queue_create("waits")};
        a.emits = round % 2;
        pthread_barrier_init(&a.both_are_there, NULL, 2);
        emission_open(&a.emission, a.time, NULL);
        sgk_queue_dispatch(a.queue, wait_for_time, &a, NULL);
        sgk_queue_dispatch(a.time, wait_for_queue, &a, NULL);
        assert_int_equal(sgk_queue_advance(a.time, 1), SGK_OK);
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
        if (a.emits) {
            assert_int_equal(a.statuses[1], SGK_ERROR_THREAD);
        } else { /* the last one */
            int failed = (a.statuses[0] != SGK_OK) + (a.statuses[1] != SGK_OK);
            assert_int_equal(failed, 1);
            assert_int_equal(a.statuses[0] + a.statuses[1], SGK_ERROR_THREAD);
            emission_job(&a.emission);
        }
        assert_int_equal(sgk_queue_advance(a.time, 1), SGK_OK);
        emission_close(&a.emission);
        pthread_barrier_destroy(&a.both_are_there);
        sgk_queue_release(a.time);
        sgk_queue_release(a.queue);
    }
}

/* A job of virtual time runs on the thread that waits for it, which then waits no longer. */
typedef struct inline_job {
    emission emission;
    sgk_queue *time;
    atomic_bool is_inside;
} inline_job;

static void await_emitter(void *context) {
    inline_job *job = context;
    job->is_inside = true;
    EVENTUALLY(sgk_overflow_counter_suspended(job->emission.counter) == 1);
}

static void wait_for_inline_job(void *context) {
    assert_int_equal(sgk_queue_sync(((inline_job *)context)->time, await_emitter, context), SGK_OK);
}

static void who_runs_the_awaited_job_itself_holds_nobody_up(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("waits");
    inline_job job = {.time = sgk_queue_create_virtual(NULL)};
    emission_open(&job.emission, queue, NULL);
    sgk_queue_dispatch(queue, wait_for_inline_job, &job, NULL);
    EVENTUALLY(job.is_inside);
    emission_job(&job.emission);
    assert_true(emission_close(&job.emission) > 0);
    sgk_queue_release(job.time);
}

static void keep_text(void *context, sgk_value error) { *(sgk_value *)context = sgk_value_retain(error); }

/* The error of the library names the operator. Null is never the error. */
static void a_full_buffer_without_an_error_of_the_program(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(3);
    SGK_AUTO(sgk_signal) all = sgk_signal_to_array(source, SGK_BOUND(.limit = 2));
    sgk_value error = sgk_null();
    sgk_disposable_release(sgk_signal_start(all, SGK_HANDLERS(.error = keep_text, .context = &error)));
    assert_string_equal(sgk_to_text(error), "sgk_signal_to_array: the buffer is full");
    sgk_value_release(error);
}

static void *emit_one(void *pipe) {
    sgk_pipe_next(pipe, sgk_int(0));
    return NULL;
}

static void emit_1100(void *context, int index) {
    for (int i = 0; index == 1 && i < 1100; i++) sgk_pipe_next(context, sgk_int(i));
}

static void defaults_of_a_bound(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) busy = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    /* no limit, not even that of a reader */
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on_bounded(source, NULL, busy);
    SGK_AUTO(sgk_signal) delayed = sgk_signal_delay(source, 1, SGK_BOUND(.error = sgk_int(1)), busy);
    recorder *r[] = {recorder_new(), recorder_new()};
    SGK_AUTO(sgk_disposable) first = record_run(delivered, r[0]);
    SGK_AUTO(sgk_disposable) second = record_run(delayed, r[1]);
    in_parallel(2, emit_1100, pipe);
    sgk_queue_advance(busy, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(r[i]->nexts == 1100 && r[i]->errors == 0);
        sgk_disposable_dispose(i == 0 ? first : second);
        recorder_free(r[i]);
    }
    /* 1,024 values of a reader, then the emitting thread is blocked; here the thread that created the reader emits */
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_reader) reader = sgk_reader_create(source, SGK_BOUND(.counter = counter));
    for (int i = 0; i < 1024; i++) sgk_pipe_next(pipe, sgk_int(i));
    assert_int_equal(sgk_overflow_counter_suspended(counter), 0);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, emit_one, pipe), 0);
    EVENTUALLY(sgk_overflow_counter_suspended(counter) == 1);
    sgk_reader_close(reader);
    pthread_join(thread, NULL);
    assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
}

/* A struct of a newer program is longer. No program has a shorter one. */
static void a_bound_of_another_version(void **state) {
    (void)state;
    SGK_AUTO(sgk_signal) source = count_to(3);
    struct {
        sgk_bound known;
        uint64_t more;
    } newer = {SGK_BOUND_INIT, 0};
    newer.known.size = sizeof newer;
    newer.known.limit = 2;
    SGK_AUTO(sgk_signal) all = sgk_signal_to_array(source, &newer.known);
    recorder *r = recorder_new();
    sgk_disposable_release(record_run(all, r));
    assert_int_equal(r->errors, 1);
    recorder_free(r);
    newer.more = 1;
    for (int i = 0; i < 3; i++) {
        assert_null(sgk_signal_to_array(source, &newer.known));
        assert_failed(SGK_ERROR_ARGUMENT, "sgk_signal_to_array: bound: unknown size or field");
        newer.known.size = i == 0 ? offsetof(sgk_bound, counter) : sizeof(sgk_bound) - sizeof(void *);
    }
}

int run_bounded(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_becomes_of_the_rest),
        TEST(emitters_are_suspended),
        TEST(disposal_frees_who_is_suspended),
        TEST(the_callback_may_emit),
        TEST(a_pool_that_ends),
        TEST(nobody_waits_for_itself_by_way_of_another),
        TEST(nor_does_the_main_thread_or_virtual_time),
        TEST(nor_who_delivers_on_a_concurrent_queue),
        TEST(who_exceeds_takes_no_room_from_others),
        TEST(several_do_not_wait_for_each_other),
        TEST(nor_do_all_threads_of_a_pool),
        TEST(who_waits_for_a_pool_waits_for_each_of_its_threads),
        TEST(a_second_look_finds_that_a_wait_comes_to_its_end),
        TEST(nor_does_who_waits_for_a_pool_that_waits_for_it),
        TEST(a_wait_for_space_is_over_before_its_thread_wakes),
        TEST(nor_does_work_that_begins_before_the_wait_for_it),
        TEST(who_runs_the_awaited_job_itself_holds_nobody_up),
        TEST(nor_does_virtual_time_that_another_thread_moves),
        TEST(a_full_buffer_without_an_error_of_the_program),
        TEST(defaults_of_a_bound),
        TEST(a_bound_of_another_version),
    };
    return cmocka_run_group_tests_name("bounded", tests, NULL, NULL);
}
