/* SignalKit from C: what an event costs. */
#include <semaphore.h>

#include "frames.h"
#include "threads.h"

/* ---- W1: a chain ---- */

static sgk_disposable *emit_all(void *context, sgk_subscriber *subscriber) {
    long count = *(long *)context;
    for (long i = 0; i < count; i++) sgk_subscriber_next(subscriber, sgk_int(i));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

static double chain(long count, int length) {
    int64_t sum = 0;
    SGK_AUTO(sgk_signal) source = sgk_signal_create(emit_all, &count, NULL);
    SGK_AUTO(sgk_signal) signal = through(source, length, mapped);
    double start = bench_now();
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, add_up, &sum, NULL);
    double end = bench_now();
    bench_check(sum, bench_sum(count) + (int64_t)length * count, "sum");
    return (end - start) / (double)count;
}

static double ten_maps(long count) { return chain(count, 10); }

/* ---- W2, W10: a pipe and its subscribers ---- */

static double broadcast(long count, long subscribers) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    sgk_disposable **runs = malloc((size_t)subscribers * sizeof *runs);
    for (long i = 0; i < subscribers; i++) runs[i] = sgk_signal_start_next(source, add_up, &sum, NULL);
    long events = (count + subscribers - 1) / subscribers;
    double nanoseconds = put_all(pipe, events);
    bench_check(sum, bench_sum(events) * subscribers, "sum");
    for (long i = 0; i < subscribers; i++) {
        sgk_disposable_dispose(runs[i]);
        sgk_disposable_release(runs[i]);
    }
    free(runs);
    return nanoseconds / (double)(events * subscribers);
}

#define BROADCAST(subscribers) \
    static double broadcast_##subscribers(long count) { return broadcast(count, subscribers); }

BROADCAST(1)
BROADCAST(10)
BROADCAST(100)
BROADCAST(1000)
BROADCAST(10000)
BROADCAST(100000)

/* ---- W4: combining ---- */

static sgk_value sum_of_two(void *context, const sgk_value *values, size_t count) {
    (void)context, (void)count;
    return sgk_int(sgk_to_int(values[0]) + sgk_to_int(values[1]));
}

static double combine(long count) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) left = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) right = sgk_pipe_create();
    SGK_AUTO(sgk_signal) left_signal = sgk_pipe_signal(left);
    SGK_AUTO(sgk_signal) right_signal = sgk_pipe_signal(right);
    sgk_signal *both[] = {left_signal, right_signal};
    SGK_AUTO(sgk_signal) combined = sgk_combine_latest_map(both, 2, sum_of_two, NULL, NULL, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(combined, add_up, &sum, NULL);
    sgk_pipe_next(right, sgk_int(0));
    double start = bench_now();
    for (long i = 0; i < count; i++) sgk_pipe_next(i % 2 ? right : left, sgk_int(i));
    double end = bench_now();
    bench_check(sum, (int64_t)(count - 1) * (count - 1), "sum");
    sgk_disposable_dispose(run);
    return (end - start) / (double)count;
}

/* ---- W5: switching to a new inner signal for each event ---- */

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

static double switching(long count, sgk_signal *(*inner)(void *context, sgk_value)) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) switched = sgk_signal_switch_map(source, inner, NULL, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(switched, add_up, &sum, NULL);
    double nanoseconds = put_all(pipe, count);
    bench_check(sum, bench_sum(count), "sum");
    sgk_disposable_dispose(run);
    return nanoseconds / (double)count;
}

static double switching_to_singles(long count) { return switching(count, as_single); }
static double switching_to_created(long count) { return switching(count, as_created); }

/* ---- W6: to a queue ---- */

typedef struct arrivals {
    int64_t sum;
    long next;
    long left;
    sem_t done;
} arrivals;

static void arrive(void *context, sgk_value value) {
    arrivals *it = context;
    bench_check(sgk_to_int(value), it->next++, "order");
    it->sum += sgk_to_int(value);
    if (--it->left == 0) sem_post(&it->done);
}

static void hold(void *semaphore) { sem_wait(semaphore); }

/* Measures until all events have arrived; with the queue blocked, only until all have been emitted. */
static double hop(long count, bool held) {
    arrivals seen = {.left = count};
    sem_t go_on;
    sem_init(&seen.done, 0, 0);
    sem_init(&go_on, 0, 0);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("benchmark");
    if (held) sgk_queue_dispatch(queue, hold, &go_on, NULL);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(source, queue);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(delivered, arrive, &seen, NULL);
    double start = bench_now();
    double emitting = put_all(pipe, count);
    sem_post(&go_on);
    sem_wait(&seen.done);
    double nanoseconds = held ? emitting : bench_now() - start;
    bench_check(seen.sum, bench_sum(count), "sum");
    sgk_disposable_dispose(run);
    return nanoseconds / (double)count;
}

static double hop_at_once(long count) { return hop(count, false); }
static double hop_later(long count) { return hop(count, true); }

/* ---- W24: to a queue, with a limit ---- */

static void count_arrival(void *context, sgk_value value) {
    arrivals *it = context;
    it->left--;
    it->sum += sgk_to_int(value);
}

static void arrived(void *context) { sem_post(&((arrivals *)context)->done); }

/* Measures by a clock until the end of the range has arrived. A policy of 0: without a limit. */
static double to_queue(long count, uint32_t policy, double (*clock)(void)) {
    arrivals seen = {.left = count};
    sem_init(&seen.done, 0, 0);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("benchmark");
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal) source = sgk_signal_range(0, count);
    SGK_AUTO(sgk_signal)
    delivered = policy
        ? sgk_signal_deliver_on_bounded(source, SGK_BOUND(.limit = 1024, .overflow = policy, .counter = counter), queue)
        : sgk_signal_deliver_on(source, queue);
    double start = clock();
    SGK_AUTO(sgk_disposable)
    run = sgk_signal_start(delivered, SGK_HANDLERS(.context = &seen, .next = count_arrival, .completed = arrived));
    sem_wait(&seen.done);
    double nanoseconds = clock() - start;
    bench_check(seen.left, sgk_overflow_counter_dropped(counter), "dropped");
    if (seen.left == 0) bench_check(seen.sum, bench_sum(count), "sum");
    return nanoseconds / (double)count;
}

#define TO_QUEUE(name, policy) \
    static double to_queue_##name(long count) { return to_queue(count, policy, bench_now); } \
    static double to_queue_##name##_work(long count) { return to_queue(count, policy, bench_work); }

TO_QUEUE(none, 0)
TO_QUEUE(pause, SGK_OVERFLOW_PAUSE)
TO_QUEUE(suspend, SGK_OVERFLOW_SUSPEND)
TO_QUEUE(oldest, SGK_OVERFLOW_DROP_OLDEST)

#define TO_QUEUE_CASES(name) \
    {"W24." #name, NAME, to_queue_##name, 1000000}, { "W24." #name ".work", NAME, to_queue_##name##_work, 1000000 }

/* ---- W7: two threads, one pipe ---- */

typedef struct emission {
    sgk_pipe *pipe;
    long count;
} emission;

static void emit(void *context) {
    emission *it = context;
    put_all(it->pipe, it->count);
}

static double two_threads(long count) {
    int64_t sum = 0; /* a pipe delivers one at a time, so it needs no lock */
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(source, add_up, &sum, NULL);
    emission each = {pipe, (count + 1) / 2};
    double nanoseconds = on_two_threads(emit, &each);
    bench_check(sum, bench_sum(each.count) * 2, "sum");
    sgk_disposable_dispose(run);
    return nanoseconds / (double)(each.count * 2);
}

static const bench_case cases[] = {
    {"W1", NAME, ten_maps, 3000000},
    {"W2.1", NAME, broadcast_1, 5000000},
    {"W2.10", NAME, broadcast_10, 10000000},
    {"W2.1000", NAME, broadcast_1000, 10000000},
    {"W10.deliveries.1", NAME, broadcast_1, 5000000},
    {"W10.deliveries.10", NAME, broadcast_10, 5000000},
    {"W10.deliveries.100", NAME, broadcast_100, 5000000},
    {"W10.deliveries.1000", NAME, broadcast_1000, 5000000},
    {"W10.deliveries.10000", NAME, broadcast_10000, 5000000},
    {"W10.deliveries.100000", NAME, broadcast_100000, 5000000},
    {"W4", NAME, combine, 2000000},
    {"W5", NAME, switching_to_singles, 500000},
    {"W5.created", NAME, switching_to_created, 500000},
    {"W6", NAME, hop_at_once, 1000000},
    {"W6.emit", NAME, hop_later, 1000000},
    {"W7", NAME, two_threads, 2000000},
    TO_QUEUE_CASES(none),
    TO_QUEUE_CASES(pause),
    TO_QUEUE_CASES(suspend),
    TO_QUEUE_CASES(oldest),
};

BENCH_MAIN(cases)
