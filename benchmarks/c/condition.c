/* By hand: a list of jobs under a mutex, and threads that wait at a condition variable for it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct job {
    struct job *next;
    void (*work)(void *context);
    void *context;
} job;

typedef struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    job *first, **end;
    bool is_over;
    int threads;
    pthread_t thread[8];
} queue, *queue_t, *pool_t;

static void put(queue *it, void (*work)(void *context), void *context) {
    job *made = malloc(sizeof *made);
    *made = (job){NULL, work, context};
    pthread_mutex_lock(&it->lock);
    *it->end = made;
    it->end = &made->next;
    pthread_cond_signal(&it->changed);
    pthread_mutex_unlock(&it->lock);
}

static void *serve(void *context) {
    queue *it = context;
    pthread_mutex_lock(&it->lock);
    while (true) {
        while (it->first == NULL && !it->is_over) pthread_cond_wait(&it->changed, &it->lock);
        job *taken = it->first;
        if (taken == NULL) break;
        it->first = taken->next;
        if (it->first == NULL) it->end = &it->first;
        pthread_mutex_unlock(&it->lock);
        taken->work(taken->context);
        free(taken);
        pthread_mutex_lock(&it->lock);
    }
    pthread_mutex_unlock(&it->lock);
    return NULL;
}

static queue *queue_with(int threads) {
    queue *it = calloc(1, sizeof *it);
    pthread_mutex_init(&it->lock, NULL);
    pthread_cond_init(&it->changed, NULL);
    it->end = &it->first;
    it->threads = threads;
    for (int i = 0; i < threads; i++) pthread_create(&it->thread[i], NULL, serve, it);
    return it;
}

static void stop(void *context) {
    queue *it = context;
    pthread_mutex_lock(&it->lock);
    it->is_over = true;
    pthread_cond_broadcast(&it->changed);
    pthread_mutex_unlock(&it->lock);
}

/* When all is done. */
static void end(queue *it) {
    stop(it);
    for (int i = 0; i < it->threads; i++) pthread_join(it->thread[i], NULL);
    free(it);
}

static queue_t serial_queue(void) { return queue_with(1); }
static queue_t global_queue(void) { return queue_with(2); }
static void let_go(queue_t queue) { end(queue); }

static pool_t pool_of(int threads) { return queue_with(threads); }
static void add(pool_t pool, void (*work)(void *context), void *context) { put(pool, work, context); }
static void await(pool_t pool, sem_t *done) {
    (void)pool;
    sem_wait(done);
}

static queue *of_main;
static queue_t main_queue(void) { return of_main = queue_with(0); }
static void run_main(void) { serve(of_main); }
static void stop_main(void *context) {
    (void)context;
    stop(of_main);
}

#define MAIN_QUEUE
#include "jobs.h"
#include "latency.h"
#include "pools.h"

#define NAME "a mutex and a condition variable"

static const bench_case cases[] = {JOBS(NAME), POOLS(NAME), HOPS(NAME), MAIN_HOPS(NAME)};

BENCH_MAIN(cases)
