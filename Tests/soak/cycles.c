/* Runs are started and disposed, of each kind in turn, some with an event in between: that must leave nothing, however
 * often. */
#include "soak.h"

enum { KINDS = 10, ROOM = 4096 };

static sgk_value next_number(void *context, sgk_value value) { return (void)context, sgk_int(sgk_to_int(value) + 1); }
static bool is_even(void *context, sgk_value value) { return (void)context, sgk_to_int(value) % 2 == 0; }
static sgk_signal *inner(void *signal, sgk_value value) { return (void)value, sgk_signal_retain(signal); }
static sgk_signal *again(void *signal) { return sgk_signal_retain(signal); }

static void cycle(sgk_signal *const *kinds, long from, long to, sgk_pipe *pipe, heard *heard) {
    for (long i = from; i < to; i++) {
        SGK_AUTO(sgk_disposable) run = hear(kinds[i % KINDS], heard);
        if (i % 7 == 0) sgk_pipe_next(pipe, sgk_int(i));
        sgk_disposable_dispose(run);
    }
    MUST(sgk_drain(60) == SGK_OK);
    MUST(heard->gone == to);
}

void cycles(long count) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) other = sgk_pipe_create_replay();
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("soak");
    SGK_AUTO(sgk_state) promise = sgk_state_create_value(sgk_int(1), false);
    sgk_pipe_next(other, sgk_int(2));
    SGK_AUTO(sgk_signal) a = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) b = sgk_pipe_signal(other);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(a, next_number, NULL, NULL);
    sgk_signal *both[] = {a, b};
    sgk_signal *kinds[KINDS] = {
        sgk_pipe_signal(pipe),
        sgk_signal_filter(mapped, is_even, NULL, NULL),
        sgk_combine_latest(both, 2, NULL),
        sgk_merge(both, 2),
        sgk_signal_switch_map(b, inner, a, NULL),
        sgk_signal_deliver_on(a, queue),
        sgk_signal_share(mapped, 0, 0, NULL),
        sgk_signal_timer(3600, queue),
        sgk_signal_take(b, 1), /* ends inside the start */
        sgk_signal_deferred(again, a, NULL),
    };
    heard heard = {0};
    long early = count / 10, alive = (long)sgk_live_total();
    cycle(kinds, 0, early, pipe, &heard);
    long used = in_use(), held = resident();
    cycle(kinds, early, count, pipe, &heard);
    MUST(sgk_live_total() == alive);
    MUST(in_use() - used < ROOM);
    tell("subscriptions of ten kinds, started and disposed in sequence",
        "no live object; since the first tenth %+ld bytes in use, %+ld KiB resident", in_use() - used,
        (resident() - held) / 1024);
    for (int i = 0; i < KINDS; i++) sgk_signal_release(kinds[i]);
}
