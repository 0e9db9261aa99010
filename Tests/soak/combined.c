/* Many signals in one operator, on a small stack: the depth must not depend on their number. */
#include "soak.h"

#include <pthread.h>

enum { STACK = 128 * 1024 };

static sgk_value sum(void *context, const sgk_value *values, size_t count) {
    int64_t total = 0;
    for (size_t i = 0; i < count; i++) total += sgk_to_int(values[i]);
    return (void)context, sgk_int(total);
}

typedef sgk_signal *(*joining)(sgk_signal *const *signals, size_t count);

static sgk_signal *combine(sgk_signal *const *signals, size_t count) {
    return sgk_combine_latest_map(signals, count, sum, NULL, NULL, NULL);
}

static sgk_signal *zip(sgk_signal *const *signals, size_t count) {
    return sgk_zip_map(signals, count, SGK_BOUND(.limit = 1), sum, NULL, NULL);
}

/* A hundred at a time, and these again, until one is left. */
static sgk_signal *combine_tree(sgk_signal *const *signals, size_t count) {
    if (count <= 100) return combine(signals, count);
    size_t groups = (count + 99) / 100;
    sgk_signal **joined = calloc(groups, sizeof *joined);
    for (size_t i = 0; i < groups; i++) joined[i] = combine(signals + i * 100, i < groups - 1 ? 100 : count - i * 100);
    sgk_signal *made = combine_tree(joined, groups);
    for (size_t i = 0; i < groups; i++) sgk_signal_release(joined[i]);
    free(joined);
    return made;
}

/* The emitted values of 1 … n, one from each signal, in random order: their number and their sum. */
static const struct {
    const char *name;
    joining join;
    bool is_each;
} ways[] = {
    {"signals in one combine_latest", combine, false},
    {"signals in a tree of combine_latest, a hundred in each", combine_tree, false},
    {"signals in one zip", zip, false},
    {"signals in one merge", sgk_merge, true},
};

typedef struct work {
    size_t way;
    long count;
} work;

static void *do_work(void *context) {
    work *w = context;
    size_t count = (size_t)w->count;
    sgk_pipe **pipes = calloc(count, sizeof *pipes);
    sgk_signal **signals = calloc(count, sizeof *signals);
    for (size_t i = 0; i < count; i++) {
        pipes[i] = sgk_pipe_create();
        signals[i] = sgk_pipe_signal(pipes[i]);
    }
    sgk_signal *signal = ways[w->way].join(signals, count);
    MUST(signal);
    heard heard = {0};
    SGK_AUTO(sgk_disposable) run = hear(signal, &heard);
    for (long i = 0; i < w->count; i++) sgk_pipe_next(pipes[scattered(i, w->count)], sgk_int(i + 1));
    MUST(heard.nexts == (ways[w->way].is_each ? w->count : 1));
    MUST(heard.sum == w->count * (w->count + 1) / 2);
    for (size_t i = 0; i < count; i++) sgk_pipe_complete(pipes[i]);
    MUST(heard.ends == 1 && heard.gone == 1 && heard.errors == 0);
    sgk_signal_release(signal);
    for (size_t i = 0; i < count; i++) {
        sgk_signal_release(signals[i]);
        sgk_pipe_release(pipes[i]);
    }
    free(signals);
    free(pipes);
    return NULL;
}

static void on_small_stack(size_t way, long count) {
    work w = {way, count};
    pthread_attr_t attributes;
    pthread_t thread;
    MUST(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, STACK) == 0);
    MUST(pthread_create(&thread, &attributes, do_work, &w) == 0 && pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
    nothing_is_left();
}

void combined(long count) {
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        on_small_stack(way, count);
        tell(ways[way].name, "a value and the completion of each arrive, on a stack of %d KiB", STACK / 1024);
    }
}
