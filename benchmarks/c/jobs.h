/* Work on queues, one job at a time: the cases that both this library and libdispatch are measured by. The program that
 * includes this says how a job is put: `queue_t`, `serial_queue()`, `global_queue()`, `put(queue, work, context)`,
 * `let_go(queue)`. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "../bench.h"

/* ---- Many jobs ---- */

static struct {
    atomic_long left;
    sem_t done;
} jobs;

static void count_down(void *context) {
    (void)context;
    if (atomic_fetch_sub_explicit(&jobs.left, 1, memory_order_acq_rel) == 1) sem_post(&jobs.done);
}

static double many(queue_t queue, long count) {
    jobs.left = count;
    sem_init(&jobs.done, 0, 0);
    double start = bench_now();
    for (long i = 0; i < count; i++) put(queue, count_down, NULL);
    sem_wait(&jobs.done);
    double end = bench_now();
    let_go(queue);
    return (end - start) / (double)count;
}

static double many_on_serial(long count) { return many(serial_queue(), count); }
static double many_on_global(long count) { return many(global_queue(), count); }

/* ---- One at a time: there and back ---- */

static double *taken;

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static double portion(double *times, long count, double part) {
    qsort(times, (size_t)count, sizeof *times, compare);
    double time = times[(long)((double)(count - 1) * part)];
    free(times);
    return time;
}

/* A thread that looks whether the job has run. */
static void raise_flag(void *flag) { atomic_store_explicit((atomic_bool *)flag, true, memory_order_release); }

static double there(long count, double part) {
    queue_t queue = serial_queue();
    taken = malloc((size_t)count * sizeof *taken);
    for (long i = 0; i < count; i++) {
        atomic_bool flag = false;
        double start = bench_now();
        put(queue, raise_flag, &flag);
        while (!atomic_load_explicit(&flag, memory_order_acquire)) {}
        taken[i] = bench_now() - start;
    }
    let_go(queue);
    return portion(taken, count, part);
}

static double there_p50(long count) { return there(count, 0.5); }
static double there_p99(long count) { return there(count, 0.99); }

/* Jobs that hop from one serial queue to another. */
static struct {
    queue_t queues[2];
    long next, count;
    double start;
} match;

static void ball(void *context) {
    double now = bench_now();
    if (match.next > 0) taken[match.next - 1] = now - match.start;
    if (match.next++ == match.count) return (void)sem_post(&jobs.done);
    match.start = bench_now();
    put(match.queues[match.next % 2], ball, context);
}

static double between(long count, double part) {
    match.queues[0] = serial_queue();
    match.queues[1] = serial_queue();
    match.next = 0;
    match.count = count;
    sem_init(&jobs.done, 0, 0);
    taken = malloc((size_t)count * sizeof *taken);
    put(match.queues[0], ball, NULL);
    sem_wait(&jobs.done);
    let_go(match.queues[0]);
    let_go(match.queues[1]);
    return portion(taken, count, part);
}

static double between_p50(long count) { return between(count, 0.5); }
static double between_p99(long count) { return between(count, 0.99); }

/* A thread that sleeps until the job has run. */
static void post(void *semaphore) { sem_post(semaphore); }

static double asleep(long count, double part) {
    queue_t queue = serial_queue();
    sem_t done;
    sem_init(&done, 0, 0);
    taken = malloc((size_t)count * sizeof *taken);
    for (long i = 0; i < count; i++) {
        double start = bench_now();
        put(queue, post, &done);
        sem_wait(&done);
        taken[i] = bench_now() - start;
    }
    let_go(queue);
    return portion(taken, count, part);
}

static double asleep_p50(long count) { return asleep(count, 0.5); }
static double asleep_p99(long count) { return asleep(count, 0.99); }

#define JOBS(name) \
    {"W13.serial", name, many_on_serial, 1000000}, {"W13.global", name, many_on_global, 1000000}, \
        {"W13.there.p50", name, there_p50, 20000}, {"W13.there.p99", name, there_p99, 20000}, \
        {"W13.asleep.p50", name, asleep_p50, 20000}, {"W13.asleep.p99", name, asleep_p99, 20000}, \
        {"W13.between.p50", name, between_p50, 20000}, { \
        "W13.between.p99", name, between_p99, 20000 \
    }
