/* Work on one thread, or on two that do the same at the same time. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>

#include "../bench.h"

typedef struct bench_thread {
    void (*work)(void *context);
    void *context;
    pthread_barrier_t *barrier;
} bench_thread;

static void *bench_thread_main(void *context) {
    bench_thread *it = (bench_thread *)context;
    pthread_barrier_wait(it->barrier);
    it->work(it->context);
    return NULL;
}

/* Nanoseconds of `work(context)`. */
static inline double on_this_thread(void (*work)(void *context), void *context) {
    double start = bench_now();
    work(context);
    return bench_now() - start;
}

/* Nanoseconds until both have done `work(context)`. */
static inline double on_two_threads(void (*work)(void *context), void *context) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 3);
    bench_thread it = {work, context, &barrier};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, bench_thread_main, &it);
    pthread_barrier_wait(&barrier);
    double start = bench_now();
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    double end = bench_now();
    pthread_barrier_destroy(&barrier);
    return end - start;
}

#endif
