/* SignalKit from C: what a job on a queue costs. */
#include <signalkit.h>

typedef sgk_queue *queue_t;

static queue_t serial_queue(void) { return sgk_queue_create("benchmark"); }
static queue_t global_queue(void) { return sgk_queue_concurrent_default(); }
static void let_go(queue_t queue) { sgk_queue_release(queue); }
static inline void put(queue_t queue, sgk_work_fn work, void *context) {
    sgk_queue_dispatch(queue, work, context, NULL);
}

#include "jobs.h"

static const bench_case cases[] = {JOBS("SignalKit (C)")};

BENCH_MAIN(cases)
