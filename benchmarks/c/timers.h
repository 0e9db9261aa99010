/* Timers: the cases that measure both this library and libuv. The program that includes this file defines
 * - a timer that calls `fired` once, and its cancellation: `once_t`, `set(seconds)`, `cancel(timer)`;
 * - a timer that is restarted and never fires: `again_t`, `make()`, `restart(timer, seconds)`, `drop(timer)`;
 * - `open_timers()`, `close_timers()`, `settle()`, which destroys cancelled timers, and `fire_all()`, which returns
 *   when all timers have fired. */
#include <stdatomic.h>

#include "../bench.h"

/* Deadlines in random order, none of which expires. */
static double scattered(long i) { return 60 + (double)((unsigned long)i * 2654435761u % 1000000u) * 1e-3; }

/* The number of pending timers, also in longer cases. */
enum { WAITING = 100000 };
static once_t *waiting[WAITING];
static again_t *lasting[WAITING];

static long at_most(long count) { return count < WAITING ? count : WAITING; }

/* ---- Firing ---- */

static struct {
    long count, left;
    double first, last;
} firing;

static void fired(void) {
    if (firing.left == firing.count) firing.first = bench_now();
    if (--firing.left == 0) firing.last = bench_now();
}

/* Measures from the first firing to the last. */
static double fire(long count) {
    open_timers();
    firing.count = firing.left = at_most(count);
    for (long i = 0; i < firing.count; i++) waiting[i] = set(0.2 + (double)bench_scattered(i, firing.count) * 1e-9);
    fire_all();
    bench_check(firing.left, 0, "left to fire");
    close_timers();
    return (firing.last - firing.first) / (double)firing.count;
}

/* ---- Cancellation ---- */

static struct { double set, cancel, bytes; } one;

static void set_and_cancel(long count) {
    open_timers();
    once_t *first = set(1e6); /* does the allocations that happen only once */
    count = at_most(count);
    memset(waiting, 1, sizeof waiting); /* is there now */
    double bytes = bench_heap(), start = bench_now();
    for (long i = 0; i < count; i++) waiting[i] = set(scattered(i));
    double between = bench_now();
    one.bytes = (bench_heap() - bytes) / (double)count;
    double restart = bench_now();
    for (long i = 0; i < count; i++) cancel(waiting[i]);
    settle();
    double end = bench_now();
    one.set = (between - start) / (double)count;
    one.cancel = (end - restart) / (double)count;
    cancel(first);
    settle();
    close_timers();
}

static double set_all(long count) { return set_and_cancel(count), one.set; }
static double cancel_all(long count) { return set_and_cancel(count), one.cancel; }
static double bytes(long count) { return set_and_cancel(count), one.bytes; }

/* Changes the time of `among` timers in turn. */
static double restart_among(long count, long among) {
    open_timers();
    for (long i = 0; i < among; i++) restart(lasting[i] = make(), scattered(i));
    double start = bench_now();
    for (long i = 0; i < count; i++) restart(lasting[i % among], scattered(among + i));
    double end = bench_now();
    for (long i = 0; i < among; i++) drop(lasting[i]);
    settle();
    close_timers();
    return (end - start) / (double)count;
}

static double restart_many(long count) { return restart_among(count, at_most(count)); }

/* A time-out that each event restarts. */
static double restart_lone(long count) { return restart_among(count, 1); }

#define TIMERS(name) \
    {"W18.set", name, set_all, WAITING}, {"W18.cancel", name, cancel_all, WAITING}, \
        {"W18.restart", name, restart_many, WAITING}, {"W18.restart.lone", name, restart_lone, 1000000}, \
        {"W18.fire", name, fire, WAITING}, { \
        "W18.bytes", name, bytes, WAITING \
    }
