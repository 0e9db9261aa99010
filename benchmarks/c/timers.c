/* SignalKit from C: what a timer costs. */
#include <semaphore.h>
#include <signalkit.h>

typedef sgk_disposable once_t;
typedef sgk_timer again_t;

static void fired(void);

static sgk_queue *queue;
static sem_t all_fired;

static void open_timers(void) {
    queue = sgk_queue_create("benchmark");
    sem_init(&all_fired, 0, 0);
}

static void close_timers(void) { sgk_queue_release(queue); }
static void settle(void) {}

static void call_fired(void *context) { (void)context, fired(); }

static inline once_t *set(double seconds) { return sgk_queue_after(queue, seconds, call_fired, NULL, NULL); }

static inline void cancel(once_t *timer) {
    sgk_disposable_dispose(timer);
    sgk_disposable_release(timer);
}

static again_t *make(void) { return sgk_timer_create(1, false, call_fired, NULL, NULL, queue); }
static inline void restart(again_t *timer, double seconds) { sgk_timer_reset_timeout(timer, seconds); }
static void drop(again_t *timer) { sgk_timer_release(timer); }

static void fire_all(void);

#include "timers.h"

static void post(void *semaphore) { sem_post(semaphore); }

/* (A timer that is set later fires later.) */
static void fire_all(void) {
    for (long i = 0; i < firing.count; i++) sgk_disposable_release(waiting[i]);
    sgk_disposable_release(sgk_queue_after(queue, 0.2, post, &all_fired, NULL));
    sem_wait(&all_fired);
}

static const bench_case cases[] = {TIMERS("SignalKit (C)")};

BENCH_MAIN(cases)
