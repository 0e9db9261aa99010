/* SignalKit from C: two threads that have nothing to do with each other take half as long for the same work as one. */
#include <semaphore.h>

#include "frames.h"
#include "threads.h"

static double nanoseconds(long count, int threads, void (*work)(void *each)) {
    long each = (count + threads - 1) / threads;
    return (threads == 2 ? on_two_threads : on_this_thread)(work, &each) / (double)(each * threads);
}

/* ---- Pipes ---- */

static void start_and_dispose(void *each) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = through(source, 2, mapped);
    for (long i = 0; i < *(long *)each; i++) {
        sgk_disposable *run = sgk_signal_start_next(signal, add_up, &sum, NULL);
        sgk_disposable_dispose(run);
        sgk_disposable_release(run);
    }
    sgk_pipe_next(pipe, sgk_int(1));
    bench_check(sum, 0, "received after disposal");
}

static void put(long count, stage_fn stage, int64_t added) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) signal = stage(source);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, add_up, &sum, NULL);
    put_all(pipe, count);
    bench_check(sum, bench_sum(count) + added, "sum");
    sgk_disposable_dispose(run);
}

static sgk_signal *as_single(void *context, sgk_value value) {
    (void)context;
    return sgk_signal_just(value);
}

static sgk_signal *switched(sgk_signal *source) { return sgk_signal_switch_map(source, as_single, NULL, NULL); }

static void emit(void *each) { put(*(long *)each, mapped, *(long *)each); }
static void switch_over(void *each) { put(*(long *)each, switched, 0); }

/* ---- Queues ---- */

static void count_up(void *number) { ++*(int64_t *)number; }

static void wait_for_jobs(void *each) {
    int64_t number = 0;
    long count = *(long *)each;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("benchmark");
    for (long i = 0; i < count; i++) sgk_queue_sync(queue, count_up, &number);
    bench_check(number, count, "jobs");
}

/* A job that puts the next one: so the queue has a thread to do, and no more than that. */
typedef struct row {
    sgk_queue *queue;
    long left;
    sem_t done;
} row;

static void put_next(void *context) {
    row *it = context;
    if (it->left-- > 0) sgk_queue_dispatch(it->queue, put_next, it, NULL);
    else sem_post(&it->done);
}

static void run_jobs(void *each) {
    row it = {.queue = sgk_queue_create("benchmark"), .left = *(long *)each};
    sem_init(&it.done, 0, 0);
    sgk_queue_dispatch(it.queue, put_next, &it, NULL);
    sem_wait(&it.done);
    sgk_queue_release(it.queue);
}

#define CASES(X) \
    X(start, start_and_dispose, 500000) \
    X(switch, switch_over, 500000) X(emit, emit, 5000000) X(sync, wait_for_jobs, 1000000) X(jobs, run_jobs, 1000000)

#define ROWS(name, work, count) \
    static double name##_apart(long number) { return nanoseconds(number, 2, work); } \
    static double name##_alone(long number) { return nanoseconds(number, 1, work); }
CASES(ROWS)

#define ENTRIES(name, work, count) \
    {"W17." #name, NAME, name##_apart, count}, {"W17." #name, "one thread", name##_alone, count},
static const bench_case cases[] = {CASES(ENTRIES)};

BENCH_MAIN(cases)
