/* Work on one thread, or on two that do the same at the same time. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>

#include "../bench.h"

typedef struct bench_thread {
    pthread_t thread;
    void (*work)(void *context);
    void *context;
    pthread_barrier_t *barrier;
    double start, end;
} bench_thread;

static void *bench_thread_main(void *context) {
    bench_thread *it = (bench_thread *)context;
    pthread_barrier_wait(it->barrier);
    it->start = bench_now();
    it->work(it->context);
    it->end = bench_now();
    return NULL;
}

/* Nanoseconds of `work(context)`. */
static inline double on_this_thread(void (*work)(void *context), void *context) {
    double start = bench_now();
    work(context);
    return bench_now() - start;
}

/* Nanoseconds from when the first begins until both have done `work(context)`. */
static inline double on_two_threads(void (*work)(void *context), void *context) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    bench_thread one, two;
    one.work = work;
    one.context = context;
    one.barrier = &barrier;
    two = one;
    pthread_create(&one.thread, NULL, bench_thread_main, &one);
    pthread_create(&two.thread, NULL, bench_thread_main, &two);
    pthread_join(one.thread, NULL);
    pthread_join(two.thread, NULL);
    pthread_barrier_destroy(&barrier);
    double start = one.start < two.start ? one.start : two.start, end = one.end > two.end ? one.end : two.end;
    return end - start;
}

#endif
