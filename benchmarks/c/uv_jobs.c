/* libuv: what a job on its pool costs. */
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

typedef uv_loop_t *pool_t;

typedef struct task {
    uv_work_t request;
    void (*work)(void *context);
    void *context;
} task;

static pool_t pool_of(int threads) {
    char number[16];
    snprintf(number, sizeof number, "%d", threads);
    setenv("UV_THREADPOOL_SIZE", number, 1); /* libuv reads it with the first job */
    return uv_default_loop();
}

static void run(uv_work_t *request) {
    task *it = (task *)request;
    it->work(it->context);
}

static void let_go(uv_work_t *request, int status) {
    (void)status;
    free(request);
}

static inline void add(pool_t pool, void (*work)(void *context), void *context) {
    task *it = malloc(sizeof *it);
    it->work = work;
    it->context = context;
    uv_queue_work(pool, &it->request, run, let_go);
}

static void await(pool_t pool, sem_t *done) {
    uv_run(pool, UV_RUN_DEFAULT);
    sem_wait(done);
}

static void end(pool_t pool) { (void)pool; }

#include "pools.h"

static const bench_case cases[] = {POOLS("libuv")};

BENCH_MAIN(cases)
