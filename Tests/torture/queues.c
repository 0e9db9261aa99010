/* Queues: the library's, and one on a loop of the program's. */
#include "scenarios.h"

#include <pthread.h>

static void *emit(void *pipe) {
    for (int i = 0; i < 20; i++) (void)sgk_pipe_next(pipe, sgk_int(1));
    return NULL;
}

/* The program's own threads emit into a chain that delivers on one of the library's. */
bool threads(void) {
    MADE(sgk_pipe, pipe, sgk_pipe_create());
    MADE(sgk_queue, queue, sgk_queue_create("a queue"));
    MADE(sgk_signal, signal, sgk_pipe_signal(pipe));
    STAGE(signal, sgk_signal_deliver_on(signal, queue));
    STAGE(signal, sgk_signal_map(signal, plus_one, NULL, NULL));
    seen *seen = new_seen();
    RUN(run, start(signal, seen));
    pthread_t emitting[3];
    for (int i = 0; i < 3; i++) MUST(pthread_create(&emitting[i], NULL, emit, pipe) == 0);
    for (int i = 0; i < 3; i++) MUST(pthread_join(emitting[i], NULL) == 0);
    DONE(sgk_pipe_complete(pipe));
    UNTIL(seen->ends);
    return came(seen, 60, 120, true);
}

static void add_one_more(void *context) {
    seen *seen = context;
    seen->sum += 1;
}

static void *make_object(void *context) { return context; }
static void use_object(void *context, void *object) { (void)object, count_call(context); }

bool queues(void) {
    MADE(sgk_queue, serial, sgk_queue_create("a queue"));
    MADE(sgk_queue, concurrent, sgk_queue_concurrent_default());
    MADE(sgk_queue, background, sgk_queue_concurrent_background());
    MADE(sgk_queue, main_queue, sgk_queue_main());
    sgk_queue *const all[] = {serial, concurrent, background, main_queue};
    seen *seen[4];
    for (int i = 0; i < 4; i++) {
        seen[i] = new_seen();
        DONE(sgk_queue_dispatch(all[i], count_call, given(seen[i]), forget_seen));
        for (int j = 0; j < 5; j++) DONE(sgk_queue_async(all[i], nothing, NULL, NULL));
    }
    DONE(sgk_queue_sync(serial, add_one_more, seen[0]));
    MADE(sgk_queue_local, local, sgk_queue_local_create(make_object, NULL, NULL, NULL, serial));
    DONE(sgk_queue_local_with(local, use_object, given(new_seen()), forget_seen));
    DONE(sgk_drain(60));
    for (int i = 0; i < 4; i++) MUST(seen[i]->values == 1 && seen[i]->gone == 1);
    MUST(seen[0]->sum == 1);
    return true;
}

bool pools(void) {
    MADE(sgk_thread_pool, pool, sgk_thread_pool_create(2, 0.5));
    MADE(sgk_queue, line, sgk_thread_pool_next_queue(pool));
    MADE(sgk_signal, numbers, sgk_signal_range(1, 10));
    MADE(sgk_queue, threads, sgk_queue_create_concurrent("threads", 2));
    MADE(sgk_signal, delivered, sgk_signal_deliver_on(numbers, threads));
    MADE(sgk_signal, elsewhere, sgk_signal_run_on(delivered, line));
    seen *seen = new_seen(), *tasks = new_seen(), *lines = new_seen();
    RUN(run, start(elsewhere, seen));
    MADE(sgk_disposable, task, sgk_thread_pool_add_task(pool, count_call, given(tasks), forget_seen));
    DONE(sgk_queue_sync(line, count_call, lines));
    DONE(sgk_drain(60));
    DONE(sgk_thread_pool_shutdown(pool));
    MUST(tasks->values == 1 && lines->values == 1);
    return came(seen, 10, 55, true);
}

bool clocks(void) {
    MADE(sgk_queue, queue, sgk_queue_create("a queue"));
    seen *fired = new_seen(), *later = new_seen(), *seen = new_seen();
    MADE(sgk_timer, timer, sgk_timer_create(0.0002, true, count_call, given(fired), forget_seen, queue));
    DONE(sgk_timer_start(timer));
    MADE(sgk_disposable, after, sgk_queue_after(queue, 0.0001, count_call, given(later), forget_seen));
    MADE(sgk_signal, one, sgk_signal_just(sgk_int(1)));
    MADE(sgk_signal, delayed, sgk_signal_delay_start(one, 0.0003, queue));
    RUN(run, start(delayed, seen));
    UNTIL(fired->values >= 2 && later->values >= 1 && seen->ends);
    DONE(sgk_timer_invalidate(timer));
    return came(seen, 1, 1, true);
}

/* ---- A loop of the program's ---- */

typedef struct job {
    struct job *next;
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy;
} job;
static pthread_mutex_t loop_lock = PTHREAD_MUTEX_INITIALIZER;
static job *first_job, **last_job = &first_job;

static sgk_status put_job(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    (void)context;
    job *made = malloc(sizeof *made);
    *made = (job){NULL, work, work_context, destroy};
    pthread_mutex_lock(&loop_lock);
    *last_job = made;
    last_job = &made->next;
    pthread_mutex_unlock(&loop_lock);
    return SGK_OK;
}

static job *take_job(void) {
    pthread_mutex_lock(&loop_lock);
    job *taken = first_job;
    if (taken && !(first_job = taken->next)) last_job = &first_job;
    pthread_mutex_unlock(&loop_lock);
    return taken;
}

static void run_loop(void) {
    for (job *job; (job = take_job()) != NULL; free(job)) {
        job->work(job->context);
        job->destroy(job->context);
    }
}

static bool loop_in(sgk_queue *queue) {
    seen *seen = new_seen(), *work = new_seen();
    MADE(sgk_signal, numbers, sgk_signal_range(1, 10));
    MADE(sgk_signal, delivered, sgk_signal_deliver_on(numbers, queue));
    MADE(sgk_signal, later, sgk_signal_delay_start(delivered, 0.0001, queue));
    RUN(run, start(later, seen));
    DONE(sgk_queue_dispatch(queue, count_call, given(work), forget_seen));
    UNTIL((run_loop(), seen->ends && work->gone));
    return came(seen, 10, 55, true);
}

bool loops(void) {
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.dispatch = put_job;
    MADE(sgk_queue, queue, sgk_queue_create_custom(&table, NULL));
    bool is_whole = loop_in(queue);
    while (sgk_drain(0.01), first_job) run_loop();
    return is_whole;
}
