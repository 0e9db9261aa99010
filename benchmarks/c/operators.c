/* SignalKit from C: the cost of an event in operators that keep state, combine sources or use time; and the cost of
 * their start and disposal. */
#include <semaphore.h>

#include "frames.h"
#include "threads.h"

/* ---- Functions and sources ---- */

/* `scan` with this function emits 0, 1, 1, 2, 2, 3 … */
static sgk_value difference(void *context, sgk_value accumulated, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) - sgk_to_int(accumulated));
}

static sgk_value sum_of_two(void *context, const sgk_value *values, size_t count) {
    (void)context, (void)count;
    return sgk_int(sgk_to_int(values[0]) + sgk_to_int(values[1]));
}

static sgk_signal *as_single(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(value);
}

/* A signal with a generator. */
static sgk_disposable *emit_once(void *number, sgk_subscriber *subscriber) {
    sgk_subscriber_next(subscriber, sgk_int((intptr_t)number));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

static sgk_signal *as_created(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_create(emit_once, (void *)(intptr_t)sgk_to_int(value), NULL);
}

enum { CHUNK = 10 };

static void add_up_chunk(void *context, sgk_value chunk) {
    size_t count;
    const sgk_value *items = sgk_array_items(chunk, &count);
    for (size_t i = 0; i < count; i++) add_up(context, items[i]);
}

/* ---- The operators ---- */

static sgk_queue *queue; /* of the time-based operators */

static sgk_signal *scanned(sgk_signal *source) { return sgk_signal_scan(source, sgk_int(0), difference, NULL, NULL); }
static sgk_signal *shared(sgk_signal *source) { return sgk_signal_share(source, 0, 0, NULL); }
static sgk_signal *chunked(sgk_signal *source) { return sgk_signal_chunked(source, CHUNK); }
static sgk_signal *debounced(sgk_signal *source) { return sgk_signal_debounce(source, 0.01, queue); }

static sgk_signal *merged(sgk_signal *source) {
    return sgk_signal_merge_map(source, 4, SGK_BOUND(.limit = SGK_UNBUFFERED), as_single, NULL, NULL);
}

static sgk_signal *merged_created(sgk_signal *source) {
    return sgk_signal_merge_map(source, 4, SGK_BOUND(.limit = SGK_UNBUFFERED), as_created, NULL, NULL);
}

typedef sgk_signal *(*join_fn)(sgk_signal *left, sgk_signal *right);

static sgk_signal *combined(sgk_signal *left, sgk_signal *right) {
    sgk_signal *both[] = {left, right};
    return sgk_combine_latest_map(both, 2, sum_of_two, NULL, NULL, NULL);
}

static sgk_signal *zipped(sgk_signal *left, sgk_signal *right) {
    sgk_signal *both[] = {left, right};
    return sgk_zip_map(both, 2, SGK_BOUND(.limit = 1), sum_of_two, NULL, NULL);
}

static sgk_signal *with_latest(sgk_signal *left, sgk_signal *right) {
    return sgk_signal_with_latest_from_map(left, right, sum_of_two, NULL, NULL);
}

/* ---- W14: an event ---- */

/* Sends 0 … count - 1 through the operator. */
static double through_one(long count, stage_fn stage, sgk_next_fn next, int64_t expected) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = stage(source);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, next, &sum, NULL);
    double nanoseconds = put_all(pipe, count);
    bench_check(sum, expected, "sum");
    sgk_disposable_dispose(run);
    return nanoseconds / (double)count;
}

static double scan(long count) { return through_one(count, scanned, add_up, (int64_t)count * count / 4); }
static double share(long count) { return through_one(count, shared, add_up, bench_sum(count)); }
static double merge(long count) { return through_one(count, merged, add_up, bench_sum(count)); }
static double merge_created(long count) { return through_one(count, merged_created, add_up, bench_sum(count)); }
static double chunk(long count) { return through_one(count, chunked, add_up_chunk, bench_sum(count / CHUNK * CHUNK)); }

/* Of two pipes, `per_round` events in each round: i from the one on the left, and before it, if there are two,
 * from the other. */
static double joined(long count, join_fn join, int per_round) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) left = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) right = sgk_pipe_create();
    SGK_AUTO(sgk_signal) left_signal = sgk_pipe_signal(left);
    SGK_AUTO(sgk_signal) right_signal = sgk_pipe_signal(right);
    SGK_AUTO(sgk_signal) signal = join(left_signal, right_signal);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, add_up, &sum, NULL);
    long rounds = count / per_round;
    if (per_round == 1) sgk_pipe_next(right, sgk_int(0));
    double start = bench_now();
    for (long i = 0; i < rounds; i++) {
        if (per_round == 2) sgk_pipe_next(right, sgk_int(i));
        sgk_pipe_next(left, sgk_int(i));
    }
    double end = bench_now();
    bench_check(sum, bench_sum(rounds) * per_round, "sum");
    sgk_disposable_dispose(run);
    return (end - start) / (double)(rounds * per_round);
}

static double zip(long count) { return joined(count, zipped, 2); }
static double latest(long count) { return joined(count, with_latest, 1); }

/* ---- W14: time ---- */

/* The clock is virtual: moving it on is part of a tick. */
static double interval(long count) {
    int64_t sum = 0;
    SGK_AUTO(sgk_queue) clock = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(1, clock);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(ticks, add_up, &sum, NULL);
    double start = bench_now();
    sgk_queue_advance(clock, (double)count);
    double end = bench_now();
    bench_check(sum, bench_sum(count), "sum");
    sgk_disposable_dispose(run);
    return (end - start) / (double)count;
}

typedef struct burst {
    sgk_pipe *pipe;
    long count;
    double nanoseconds;
} burst;

static void put_burst(void *context) {
    burst *it = context;
    it->nanoseconds = put_all(it->pipe, it->count);
}

/* Each value follows the one before at once; they are emitted on the queue by which time goes. The last one arrives. */
static double debounce_there(long count) {
    int64_t sum = 0;
    queue = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = debounced(source);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, add_up, &sum, NULL);
    burst it = {.pipe = pipe, .count = count};
    sgk_queue_sync(queue, put_burst, &it);
    bench_check(sum, 0, "sum too soon");
    sgk_queue_advance(queue, 1);
    bench_check(sum, count - 1, "sum");
    sgk_disposable_dispose(run);
    sgk_queue_release(queue);
    return it.nanoseconds / (double)count;
}

typedef struct arrival {
    long last;
    sem_t done;
} arrival;

static void await_last(void *context, sgk_value value) {
    arrival *it = context;
    if (sgk_to_int(value) == it->last) sem_post(&it->done);
}

static void nothing(void *context) { (void)context; }

/* From another thread, by the clock on the wall, until the queue has taken all. The last one arrives, at once or in its
 * time. */
static double to_queue(long count, stage_fn stage) {
    arrival seen = {.last = count - 1};
    sem_init(&seen.done, 0, 0);
    queue = sgk_queue_create("benchmark");
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = stage(source);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, await_last, &seen, NULL);
    double start = bench_now();
    put_all(pipe, count);
    sgk_queue_sync(queue, nothing, NULL);
    double end = bench_now();
    sem_wait(&seen.done);
    sgk_disposable_dispose(run);
    sgk_queue_release(queue);
    return (end - start) / (double)count;
}

static sgk_signal *throttled(sgk_signal *source) { return sgk_signal_throttle(source, 0.01, SGK_EDGES_BOTH, queue); }
static sgk_signal *delivered(sgk_signal *source) { return sgk_signal_deliver_on(source, queue); }

static double debounce(long count) { return to_queue(count, debounced); }
static double throttle(long count) { return to_queue(count, throttled); }
static double deliver(long count) { return to_queue(count, delivered); }

/* ---- W14: state ---- */

static sgk_status one_more(void *context, sgk_value value, sgk_value *result) {
    (void)context;
    *result = sgk_int(sgk_to_int(value) + 1);
    return SGK_OK;
}

typedef struct changes {
    sgk_state *state;
    long count;
} changes;

static void change(void *context) {
    changes *it = context;
    for (long i = 0; i < it->count; i++) sgk_state_modify(it->state, one_more, NULL);
}

/* Every state, from 0 to the last one, is shown once and in order. */
static void expect_next(void *context, sgk_value value) {
    int64_t *expected = context;
    bench_check(sgk_to_int(value), (*expected)++, "state");
}

static double modify(long count, int threads) {
    int64_t expected = 0;
    SGK_AUTO(sgk_state) state = sgk_state_create_value(sgk_int(0), false);
    SGK_AUTO(sgk_signal) source = sgk_state_signal(state);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(source, expect_next, &expected, NULL);
    changes it = {state, count / threads};
    double nanoseconds = (threads == 2 ? on_two_threads : on_this_thread)(change, &it);
    bench_check(expected, it.count * threads + 1, "states");
    sgk_disposable_dispose(run);
    return nanoseconds / (double)(it.count * threads);
}

static double modify_alone(long count) { return modify(count, 1); }
static double modify_together(long count) { return modify(count, 2); }

/* ---- W15: started and disposed ---- */

static double start_and_dispose(long count, sgk_signal *signal) {
    int64_t sum = 0;
    int64_t alive = sgk_live_total();
    double start = bench_now();
    for (long i = 0; i < count; i++) {
        sgk_disposable *run = sgk_signal_start_next(signal, add_up, &sum, NULL);
        sgk_disposable_dispose(run);
        sgk_disposable_release(run);
    }
    double end = bench_now();
    bench_check(sgk_live_total(), alive, "left alive");
    bench_check(sum, 0, "sum");
    return (end - start) / (double)count;
}

static double start_stage(long count, stage_fn stage) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = stage(source);
    return start_and_dispose(count, signal);
}

static double start_join(long count, join_fn join) {
    SGK_AUTO(sgk_pipe) left = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) right = sgk_pipe_create();
    SGK_AUTO(sgk_signal) left_signal = sgk_pipe_signal(left);
    SGK_AUTO(sgk_signal) right_signal = sgk_pipe_signal(right);
    SGK_AUTO(sgk_signal) signal = join(left_signal, right_signal);
    return start_and_dispose(count, signal);
}

static sgk_signal *ticking(sgk_signal *nothing) {
    (void)nothing;
    return sgk_signal_interval(1, queue);
}

static double start_timed(long count, stage_fn stage) {
    queue = sgk_queue_create_virtual(NULL);
    double nanoseconds = start_stage(count, stage);
    sgk_queue_release(queue);
    return nanoseconds;
}

static double start_scan(long count) { return start_stage(count, scanned); }
static double start_merge(long count) { return start_stage(count, merged); }
static double start_share(long count) { return start_stage(count, shared); }
static double start_chunk(long count) { return start_stage(count, chunked); }
static double start_combine(long count) { return start_join(count, combined); }
static double start_zip(long count) { return start_join(count, zipped); }
static double start_latest(long count) { return start_join(count, with_latest); }
static double start_interval(long count) { return start_timed(count, ticking); }
static double start_debounce(long count) { return start_timed(count, debounced); }

static const bench_case cases[] = {
    {"W14.scan", NAME, scan, 3000000},
    {"W14.merged", NAME, merge, 500000},
    {"W14.merged.created", NAME, merge_created, 500000},
    {"W14.zip", NAME, zip, 2000000},
    {"W14.latest", NAME, latest, 2000000},
    {"W14.share", NAME, share, 3000000},
    {"W14.chunked", NAME, chunk, 3000000},
    {"W14.interval", NAME, interval, 500000},
    {"W14.debounce", NAME, debounce, 1000000},
    {"W14.debounce", "deliver_on alone (C)", deliver, 1000000},
    {"W14.throttle", NAME, throttle, 1000000},
    {"W14.throttle", "deliver_on alone (C)", deliver, 1000000},
    {"W14.debounce.there", NAME, debounce_there, 1000000},
    {"W14.modify.1", NAME, modify_alone, 2000000},
    {"W14.modify.2", NAME, modify_together, 2000000},
    {"W15.scan", NAME, start_scan, 300000},
    {"W15.merged", NAME, start_merge, 300000},
    {"W15.combine", NAME, start_combine, 300000},
    {"W15.zip", NAME, start_zip, 300000},
    {"W15.latest", NAME, start_latest, 300000},
    {"W15.share", NAME, start_share, 300000},
    {"W15.chunked", NAME, start_chunk, 300000},
    {"W15.interval", NAME, start_interval, 300000},
    {"W15.debounce", NAME, start_debounce, 300000},
};

BENCH_MAIN(cases)
