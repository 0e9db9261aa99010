/* Many simultaneous subscriptions of each kind: each receives an event once, and their memory is returned. */
#include "soak.h"

static sgk_value next_number(void *context, sgk_value value) { return (void)context, sgk_int(sgk_to_int(value) + 1); }
static bool is_odd(void *context, sgk_value value) { return (void)context, sgk_to_int(value) % 2 == 1; }
static void count_byte(void *byte, sgk_value value) { (void)value, ++*(unsigned char *)byte; }

enum { ROOM = 4096 };

typedef struct source {
    sgk_pipe *pipe;
    sgk_queue *queue;
} source;

static sgk_signal *listener(source s) { return sgk_pipe_signal(s.pipe); }
static sgk_signal *timer(source s) { return sgk_signal_timer(1, s.queue); }

static sgk_signal *chain(source s) {
    sgk_signal *made = sgk_pipe_signal(s.pipe);
    sgk_signal_replace(&made, sgk_signal_map(made, next_number, NULL, NULL));
    sgk_signal_replace(&made, sgk_signal_filter(made, is_odd, NULL, NULL));
    sgk_signal_replace(&made, sgk_signal_distinct_until_changed(made));
    return made;
}

static sgk_signal *two(source s) {
    SGK_AUTO(sgk_signal) a = sgk_pipe_signal(s.pipe);
    SGK_AUTO(sgk_signal) b = sgk_signal_just(sgk_int(1));
    return sgk_combine_latest((sgk_signal *[]){a, b}, 2, NULL);
}

static const struct {
    const char *name;
    sgk_signal *(*make)(source);
} kinds[] = {
    {"simultaneous subscriptions to a pipe", listener},
    {"simultaneous subscriptions to a pipe, through map, filter and distinct_until_changed", chain},
    {"simultaneous subscriptions to combine_latest", two},
    {"simultaneous pending timers", timer},
};

void live(long count) {
    sgk_disposable **runs = calloc((size_t)count, sizeof *runs);
    unsigned char *heard = calloc((size_t)count, 1);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        source s = {sgk_pipe_create(), sgk_queue_create_virtual(NULL)};
        SGK_AUTO(sgk_signal) signal = kinds[kind].make(s);
        long before = in_use(), alive = (long)sgk_live_total();
        for (long i = 0; i < count; i++) MUST(runs[i] = sgk_signal_start_next(signal, count_byte, &heard[i], NULL));
        long used = in_use() - before;
        sgk_pipe_next(s.pipe, sgk_int(2));
        sgk_queue_advance(s.queue, 1);
        for (long i = 0; i < count; i++) MUST(heard[i] == 1);
        for (long i = 0; i < count; i++) {
            long which = scattered(i, count);
            sgk_disposable_dispose(runs[which]);
            sgk_disposable_release(runs[which]);
        }
        sgk_pipe_next(s.pipe, sgk_int(4));
        for (long i = 0; i < count; i++) MUST(heard[i] == 1);
        MUST(sgk_live_total() == alive);
        MUST(in_use() - before < ROOM);
        tell(kinds[kind].name,
            "%ld bytes each; each receives an event once; %ld bytes remain in total after they are disposed, in random "
            "order",
            used / count, in_use() - before);
        for (long i = 0; i < count; i++) heard[i] = 0;
        sgk_pipe_release(s.pipe);
        sgk_queue_release(s.queue);
    }
    free(heard);
    free(runs);
}
