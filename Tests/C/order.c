/* A serial queue is first in, first out across all its users: jobs, values and terminal events that are delivered
 * there, `run_on`, fired timers. This holds on every kind of queue, independent of the duration of callbacks. */
#include "suite.h"

#include <time.h>

enum { KINDS = 5 };
enum kind { OWN, CUSTOM, POOL, VIRTUAL, MAIN };

/* ---- A loop with its own thread ---- */

typedef struct loop_work {
    struct loop_work *next;
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy;
} loop_work;

typedef struct loop {
    pthread_mutex_t lock;
    pthread_cond_t news;
    loop_work *first, **last;
    bool has_ended;
    pthread_t thread;
} loop;

static sgk_status loop_async(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    loop *l = context;
    loop_work *item = malloc(sizeof *item);
    *item = (loop_work){NULL, work, work_context, destroy};
    pthread_mutex_lock(&l->lock);
    *l->last = item;
    l->last = &item->next;
    pthread_cond_signal(&l->news);
    pthread_mutex_unlock(&l->lock);
    return SGK_OK;
}

static void *loop_run(void *context) {
    loop *l = context;
    pthread_mutex_lock(&l->lock);
    for (;;) {
        while (!l->first && !l->has_ended) pthread_cond_wait(&l->news, &l->lock);
        loop_work *item = l->first;
        if (!item) break;
        l->first = item->next;
        if (!l->first) l->last = &l->first;
        pthread_mutex_unlock(&l->lock);
        item->work(item->context);
        item->destroy(item->context);
        free(item);
        pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* ---- Queues of every kind ---- */

typedef struct place {
    enum kind kind;
    sgk_queue *queue;
    sgk_thread_pool *pool;
    loop loop;
} place;

static void open_place(place *p, enum kind kind) {
    static const sgk_queue_table table = {.size = sizeof table, .dispatch = loop_async};
    *p = (place){.kind = kind};
    switch (kind) {
    case OWN: p->queue = sgk_queue_create("order"); break;
    case CUSTOM:
        pthread_mutex_init(&p->loop.lock, NULL);
        pthread_cond_init(&p->loop.news, NULL);
        p->loop.last = &p->loop.first;
        assert_int_equal(pthread_create(&p->loop.thread, NULL, loop_run, &p->loop), 0);
        p->queue = sgk_queue_create_custom(&table, &p->loop);
        break;
    case POOL:
        p->pool = sgk_thread_pool_create(2, 0.5);
        p->queue = sgk_thread_pool_next_queue(p->pool);
        break;
    case VIRTUAL: p->queue = sgk_queue_create_virtual(NULL); break;
    case MAIN: p->queue = sgk_queue_main(); break;
    }
}

static void close_place(place *p) {
    sgk_queue_release(p->queue);
    sgk_thread_pool_release(p->pool);
    if (p->kind != CUSTOM) return;
    pthread_mutex_lock(&p->loop.lock);
    p->loop.has_ended = true;
    pthread_cond_signal(&p->loop.news);
    pthread_mutex_unlock(&p->loop.lock);
    pthread_join(p->loop.thread, NULL);
    pthread_mutex_destroy(&p->loop.lock);
    pthread_cond_destroy(&p->loop.news);
}

/* ---- What arrives ---- */

typedef struct diary {
    place *place;
    long busy; /* nanoseconds that a callback takes */
    char text[128];
    atomic_int count;
    hand a, b; /* sources, for as long as anything is on its way */
} diary;

static void be_busy(long nanoseconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < nanoseconds);
}

static void note(diary *d, const char *what) {
    be_busy(d->busy);
    strcat(strcat(d->text, what), " ");
    d->count++;
}

/* The context of a callback or of work: who it is. */
typedef struct who {
    diary *diary;
    const char *name;
} who;

static who *who_new(diary *d, const char *name) {
    who *w = malloc(sizeof *w);
    *w = (who){d, name};
    return w;
}

static void write_down(void *context, const char *format, int64_t number) {
    who *w = context;
    char what[24];
    snprintf(what, sizeof what, format, w->name, (long long)number);
    note(w->diary, what);
}

static void told(void *context, sgk_value value) { write_down(context, "%s%lld", sgk_to_int(value)); }
static void told_error(void *context, sgk_value error) { write_down(context, "%sE%lld", sgk_to_int(error)); }
static void told_end(void *context) { write_down(context, "%sC", 0); }
static void job(void *context) { write_down(context, "%s", 0); }
static void told_combination(void *context, sgk_value value) {
    write_down(context, "%s%lld", sgk_to_int(sgk_array_at(value, 0)) * 10 + sgk_to_int(sgk_array_at(value, 1)));
}
static sgk_disposable *started(void *context, sgk_subscriber *subscriber) {
    (void)subscriber;
    job(context);
    return NULL;
}

/* Starts a subscription that logs its events. */
static sgk_disposable *follow(sgk_signal *signal, diary *d, const char *name, void (*next)(void *, sgk_value)) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = next;
    handlers.error = told_error;
    handlers.completed = told_end;
    handlers.context = who_new(d, name);
    handlers.destroy = free;
    sgk_disposable *run = sgk_signal_start(signal, &handlers);
    assert_non_null(run);
    return run;
}

static void put_job(diary *d, const char *name) {
    assert_int_equal(sgk_queue_dispatch(d->place->queue, job, who_new(d, name), free), SGK_OK);
}

static void stop_main(void *context) {
    (void)context;
    sgk_main_stop();
}

/* Lets the queue run until all of it has arrived. */
static void expect(diary *d, const char *text) {
    int count = 0;
    for (const char *c = text; *c; c++) count += *c == ' ';
    if (d->place->kind == VIRTUAL) sgk_queue_advance(d->place->queue, 0);
    if (d->place->kind == MAIN) {
        sgk_queue_dispatch(d->place->queue, stop_main, NULL, NULL);
        sgk_main_run();
    }
    EVENTUALLY(d->count >= count);
    assert_string_equal(d->text, text);
}

/* Calls `put` repeatedly with an empty diary, on a thread that is not the main one. The result must be `text`. */
static void on_every_queue(void (*put)(void *diary, int), const char *text) {
    static const long busy[] = {0, 30000, 100000, 1000000};
    static const int rounds[] = {50, 50, 20, 5};
    for (int kind = 0; kind < KINDS; kind++) {
        place p;
        open_place(&p, (enum kind)kind);
        for (int i = 0; i < 4; i++) {
            for (int round = 0; round < rounds[i]; round++) {
                diary d = {.place = &p, .busy = busy[i]};
                in_parallel(1, put, &d);
                expect(&d, text);
                /* the callback of the last event has returned */
                if (kind != MAIN && kind != VIRTUAL) sgk_queue_sync(p.queue, do_nothing, NULL);
            }
        }
        close_place(&p);
    }
}

/* ---- The cases ---- */

static void put_single_and_job(void *context, int index) {
    (void)index;
    diary *d = context;
    SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(single, d->place->queue);
    sgk_disposable_release(follow(delivered, d, "a", told));
    put_job(d, "job");
}

static void the_end_comes_before_a_job_that_was_put_after_it(void **state) {
    (void)state;
    on_every_queue(put_single_and_job, "a1 aC job ");
}

static void put_everything(void *context, int index) {
    (void)index;
    diary *d = context;
    sgk_queue *queue = d->place->queue;
    SGK_AUTO(sgk_signal) source_a = hand_signal(&d->a);
    SGK_AUTO(sgk_signal) source_b = hand_signal(&d->b);
    SGK_AUTO(sgk_signal) delivered_a = sgk_signal_deliver_on(source_a, queue);
    SGK_AUTO(sgk_signal)
    delivered_b =
        sgk_signal_deliver_on_bounded(source_b, SGK_BOUND(.limit = 100, .overflow = SGK_OVERFLOW_SUSPEND), queue);
    sgk_disposable_release(follow(delivered_a, d, "a", told));
    sgk_disposable_release(follow(delivered_b, d, "b", told));
    put_job(d, "i");
    sgk_subscriber_next(d->a.subscriber, sgk_int(1));
    sgk_subscriber_next(d->b.subscriber, sgk_int(2));
    sgk_subscriber_next(d->a.subscriber, sgk_int(3));
    put_job(d, "j");
    sgk_subscriber_next(d->a.subscriber, sgk_int(4));
    sgk_disposable_release(sgk_queue_after(queue, 0, job, who_new(d, "t"), free));
    sgk_subscriber_next(d->a.subscriber, sgk_int(5));
    SGK_AUTO(sgk_signal) generated = sgk_signal_create(started, who_new(d, "r"), free);
    SGK_AUTO(sgk_signal) there = sgk_signal_run_on(generated, queue);
    sgk_disposable_release(sgk_signal_start(there, NULL));
    sgk_subscriber_next(d->a.subscriber, sgk_int(6));
    sgk_subscriber_complete(d->b.subscriber);
    sgk_subscriber_next(d->a.subscriber, sgk_int(7));
    sgk_subscriber_error(d->a.subscriber, sgk_int(8));
    put_job(d, "k");
    hand_free(&d->a);
    hand_free(&d->b);
}

static void what_was_put_first_arrives_first(void **state) {
    (void)state;
    on_every_queue(put_everything, "i a1 b2 a3 j a4 t a5 r a6 bC a7 aE8 k ");
}

static void put_combination(void *context, int index) {
    (void)index;
    diary *d = context;
    SGK_AUTO(sgk_signal) source_a = hand_signal(&d->a);
    SGK_AUTO(sgk_signal) source_b = hand_signal(&d->b);
    SGK_AUTO(sgk_signal) both = sgk_combine_latest((sgk_signal *[]){source_a, source_b}, 2, d->place->queue);
    sgk_disposable_release(follow(both, d, "", told_combination));
    sgk_subscriber_next(d->a.subscriber, sgk_int(1));
    sgk_subscriber_next(d->b.subscriber, sgk_int(2));
    sgk_subscriber_next(d->a.subscriber, sgk_int(3));
    sgk_subscriber_complete(d->a.subscriber);
    sgk_subscriber_complete(d->b.subscriber);
    put_job(d, "job");
    hand_free(&d->a);
    hand_free(&d->b);
}

static void combining_on_a_queue_loses_nothing(void **state) {
    (void)state;
    on_every_queue(put_combination, "12 32 C job ");
}

int run_order(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_end_comes_before_a_job_that_was_put_after_it),
        TEST(what_was_put_first_arrives_first),
        TEST(combining_on_a_queue_loses_nothing),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
