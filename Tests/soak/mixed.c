/* Four threads use shared objects in every way for some seconds, in rounds. After each round nothing is running and no
 * object is alive. Memory, descriptors and threads are as before. */
#include "soak.h"

#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { THREADS = 4, PIPES = 4, RUNS = 32, STEPS = 20000, PARTS = 8 };
enum { ROOM = 64, ROOM_HELD = 8 * 1024 }; /* KiB */

typedef struct shared {
    sgk_pipe *pipes[PIPES];
    sgk_queue *queues[2];
    sgk_state *promise;
    sgk_signal *hot; /* shared by subscribers */
    sgk_queue *pool;
} shared;

typedef struct worker {
    shared *shared;
    uint64_t seed;
    sgk_disposable *runs[RUNS];
    long steps;
    pthread_t thread;
} worker;

static heard all_heard;
static atomic_long all_started;

static uint64_t below(worker *w, uint64_t n) { return by_chance(&w->seed) % n; }

static sgk_value next_number(void *context, sgk_value value) { return (void)context, sgk_int(sgk_to_int(value) + 1); }
static bool is_even(void *context, sgk_value value) { return (void)context, sgk_to_int(value) % 2 == 0; }
static bool is_number(void *context, sgk_value value) { return (void)context, sgk_value_kind(value) == SGK_INT; }
static sgk_signal *same(void *signal, sgk_value value) { return (void)value, sgk_signal_retain(signal); }
static void release_signal(void *signal) { sgk_signal_release(signal); }

static sgk_value maybe_fail(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) % 64 == 63 ? sgk_failed(sgk_string("no")) : sgk_unchanged();
}

/* Returns `source` with a stage. */
static sgk_signal *behind(worker *w, sgk_signal *source) {
    shared *s = w->shared;
    sgk_queue *queue = s->queues[below(w, 2)];
    int64_t n = 1 + (int64_t)below(w, 4);
    double soon = (double)below(w, 4) / 1000;
    sgk_signal *other = s->hot, *made = NULL, *both[] = {source, other};
    switch (below(w, 20)) {
    case 0: made = sgk_signal_map(source, next_number, NULL, NULL); break;
    case 1: made = sgk_signal_filter(source, is_even, NULL, NULL); break;
    case 2: made = sgk_signal_take(source, 16 * n); break;
    case 3: made = sgk_combine_latest(both, 2, NULL); break;
    case 4: made = sgk_merge(both, 2); break;
    case 5: made = sgk_zip(both, 2, SGK_BOUND(.limit = n, .overflow = SGK_OVERFLOW_DROP_OLDEST)); break;
    case 6: made = sgk_signal_switch_map(source, same, sgk_signal_retain(other), release_signal); break;
    case 7: made = sgk_signal_deliver_on(source, queue); break;
    case 8:
        made =
            sgk_signal_deliver_on_bounded(source, SGK_BOUND(.limit = n, .overflow = SGK_OVERFLOW_KEEP_LATEST), queue);
        break;
    case 9: made = sgk_signal_debounce(source, soon, queue); break;
    case 10: made = sgk_signal_throttle(source, soon, SGK_EDGES_BOTH, queue); break;
    case 11:
        made = sgk_signal_delay(source, soon, SGK_BOUND(.limit = n, .overflow = SGK_OVERFLOW_DROP_NEWEST), queue);
        break;
    case 12: made = sgk_signal_chunked(source, n); break;
    case 13: made = sgk_signal_share(source, n, soon, queue); break;
    case 14: made = sgk_signal_map(source, maybe_fail, NULL, NULL); break;
    case 15:
        made = sgk_signal_retry(
            source, SGK_RETRY(.delay = 0.001 + soon, .max_delay = 0.01, .reset_on_value = true), queue);
        break;
    case 16: made = sgk_signal_distinct_until_changed(source); break;
    case 17: made = sgk_signal_timeout_first(source, soon, queue); break;
    case 18: made = sgk_signal_delay_start(source, soon, queue); break;
    default: made = sgk_signal_run_on(source, s->pool); break;
    }
    MUST(made);
    sgk_signal_release(source);
    return made;
}

static sgk_signal *some_signal(worker *w) {
    shared *s = w->shared;
    sgk_signal *made = NULL;
    switch (below(w, 6)) {
    case 0: made = sgk_state_signal(s->promise); break;
    case 1: made = sgk_signal_interval(0.001, s->queues[below(w, 2)]); break;
    case 2: made = sgk_signal_range(1, 10); break;
    default: made = sgk_pipe_signal(s->pipes[below(w, PIPES)]); break;
    }
    sgk_signal_replace(&made, sgk_signal_filter(made, is_number, NULL, NULL));
    for (uint64_t n = below(w, 4); n > 0; n--) made = behind(w, made);
    return made;
}

static void put_in_place(worker *w, sgk_disposable *run) {
    sgk_disposable **place = &w->runs[below(w, RUNS)];
    sgk_disposable_dispose(*place ? *place : run);
    sgk_disposable_replace(place, run);
}

static void start(worker *w) {
    SGK_AUTO(sgk_signal) signal = some_signal(w);
    all_started++;
    put_in_place(w, hear(signal, &all_heard));
}

static void put(worker *w) {
    int64_t number = (int64_t)below(w, 1000);
    sgk_value value = below(w, 8) ? sgk_int(number) : sgk_give(sgk_string("a text that is somewhere in memory"));
    sgk_pipe_next(w->shared->pipes[below(w, PIPES)], value);
}

static void set_promise(worker *w) { sgk_state_set(w->shared->promise, sgk_int((int64_t)below(w, 100))); }

static void queue_work(worker *w) {
    sgk_queue *queue = w->shared->queues[below(w, 2)];
    all_started++;
    MUST(sgk_queue_async(queue, heard_end, &all_heard, heard_gone) == SGK_OK);
}

static void work_later(worker *w) {
    all_started++;
    put_in_place(w, sgk_queue_after(w->shared->queues[below(w, 2)], 0.001, heard_end, &all_heard, heard_gone));
}

static void read_some(worker *w) {
    SGK_AUTO(sgk_signal) signal = some_signal(w);
    SGK_AUTO(sgk_reader)
    reader = sgk_reader_create(signal, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_DROP_OLDEST));
    sgk_value value;
    for (int i = 0; i < 3; i++) {
        (void)sgk_reader_next(reader, 0, &value);
        sgk_value_release(value); /* it may be an error's */
    }
}

static void read_lines(worker *w) {
    int ends[2];
    MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    SGK_AUTO(sgk_signal) lines = sgk_signal_fd_lines(ends[0], 100, w->shared->queues[0]);
    all_started++;
    put_in_place(w, hear(lines, &all_heard));
    MUST(write(ends[1], "a line\nand one\n", 15) == 15);
    close(ends[0]);
    close(ends[1]);
}

static void call_native(worker *w) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64) -> i64");
    SGK_AUTO(sgk_callback) callback = sgk_callback_create(signature, sgk_int(3), NULL, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    all_started++;
    put_in_place(w, hear(calls, &all_heard));
    MUST(((int64_t(*)(int64_t))sgk_callback_function(callback))(1) == 3);
}

static void read_graph(void *length, const char *text, size_t count) { (void)text, *(size_t *)length += count; }

static void look(worker *w) {
    size_t length = 0;
    if (below(w, 64) == 0) MUST(sgk_debug_graph(SGK_DEBUG_JSON, read_graph, &length) == SGK_OK && length > 0);
}

static const struct {
    unsigned until;
    void (*step)(worker *);
} steps[] = {
    {50, start},
    {85, put},
    {88, set_promise},
    {92, queue_work},
    {94, work_later},
    {97, read_some},
    {98, read_lines},
    {99, call_native},
    {100, look},
};

static void *do_round(void *context) {
    worker *w = context;
    for (long i = 0; i < STEPS; i++) {
        uint64_t which = below(w, 100);
        size_t step = 0;
        while (which >= steps[step].until) step++;
        steps[step].step(w);
        w->steps++;
    }
    for (int i = 0; i < RUNS; i++) {
        sgk_disposable_dispose(w->runs[i]);
        sgk_disposable_replace(&w->runs[i], NULL);
    }
    return NULL;
}

static void one_round(shared *s, worker *workers, int64_t alive) {
    for (int i = 0; i < THREADS; i++) MUST(pthread_create(&workers[i].thread, NULL, do_round, &workers[i]) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    sgk_pipe_next(s->pipes[0], sgk_int(1)); /* which keeps it, and no text */
    MUST(sgk_drain(60) == SGK_OK);
    for (int left = 60000; sgk_live_total() > alive && left > 0; left--)
        usleep(1000); /* objects that are retained for
                                                                                        * a while */
    MUST(sgk_live_total() == alive);
    MUST(all_heard.gone == all_started);
}

/* Freed with the process. */
static char *row(const long *numbers) {
    char *text = calloc(PARTS, 24), *end = text;
    for (int i = 0; i < PARTS; i++) end += sprintf(end, "%s%ld", i ? ", " : "", numbers[i]);
    return text;
}

void mixed(long seconds) {
    shared s = {.queues = {sgk_queue_create("soak"), sgk_queue_concurrent_default()},
        .promise = sgk_state_create_value(sgk_int(1), false),
        .pool = sgk_queue_create_concurrent("pool", 2)};
    for (int i = 0; i < PIPES; i++) s.pipes[i] = i == 0 ? sgk_pipe_create_replay() : sgk_pipe_create();
    s.hot = sgk_pipe_signal(s.pipes[0]);
    sgk_signal_replace(&s.hot, sgk_signal_filter(s.hot, is_number, NULL, NULL));
    sgk_signal_replace(&s.hot, sgk_signal_share(s.hot, 1, 0, NULL));
    worker workers[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) workers[i] = (worker){.shared = &s, .seed = (uint64_t)i};
    for (int i = 0; i < PIPES; i++) sgk_pipe_next(s.pipes[i], sgk_int(1));
    const int64_t alive = sgk_live_total();
    const double begin = now();
    long rounds = 0, used[PARTS], held[PARTS], steps = 0;
    int open = 0;
    for (int part = 0; part < PARTS; part++) {
        do one_round(&s, workers, alive), rounds++;
        while (now() - begin < (double)(seconds * (part + 1)) / PARTS);
        used[part] = in_use() / 1024;
        held[part] = resident() / 1024;
        if (part == 0) open = descriptors(); /* with memory that stays allocated */
        MUST(descriptors() == open);
        MUST(used[part] < used[0] + ROOM && held[part] < held[0] + ROOM_HELD);
    }
    for (int i = 0; i < THREADS; i++) steps += workers[i].steps;
    tell("seconds of mixed operations on four threads, in rounds that end with no live object",
        "%ld rounds of %ld operations; %ld subscriptions and jobs; after each eighth %s KiB in use, and %s KiB "
        "resident; always %d descriptors",
        rounds, steps / rounds, (long)all_started, row(used), row(held), open);
    for (int i = 0; i < PIPES; i++) sgk_pipe_release(s.pipes[i]);
    for (int i = 0; i < 2; i++) sgk_queue_release(s.queues[i]);
    sgk_signal_release(s.hot);
    sgk_state_release(s.promise);
    sgk_queue_release(s.pool);
}
