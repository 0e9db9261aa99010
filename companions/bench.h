/* Shared code of the companions' benchmarks. A program is `NAME CONTENDER MESSAGES …` and prints one line: messages
 * per second, or the median and the 99th percentile in microseconds. */
#ifndef COMPANION_BENCH_H
#define COMPANION_BENCH_H

#include <sched.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 128 }; /* bytes of a message */
#ifndef WINDOW
#define WINDOW 16384 /* maximum number of unreceived messages */
#endif

static _Atomic int64_t arrived;

static inline void must(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Sends by `send(context, data)`, and waits until all have arrived. */
static inline void measure_rate(int64_t count, void (*send)(void *, const char *), void *context) {
    char data[SIZE] = {0};
    double began = 0;
    for (int64_t i = -count / 10; i < count; i++) { /* the first tenth warms up */
        if (i == 0) {
            while (arrived < count / 10) sched_yield();
            arrived = 0;
            began = now();
        }
        send(context, data);
        int64_t sent = i < 0 ? i + count / 10 : i;
        while (sent % 256 == 0 && sent - arrived > WINDOW) sched_yield();
    }
    while (arrived < count) sched_yield();
    printf("%.0f\n", (double)count / (now() - began));
}

static inline int by_size(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) * 2 - 1; }

/* How long `ask(context)` takes, from the question to the answer. */
static inline void measure_latency(int64_t count, void (*ask)(void *), void *context) {
    double *times = malloc(sizeof *times * (size_t)count);
    for (int64_t i = -count / 10; i < count; i++) {
        double began = now();
        ask(context);
        if (i >= 0) times[i] = now() - began;
    }
    qsort(times, (size_t)count, sizeof *times, by_size);
    printf("%.1f %.1f\n", times[count / 2] * 1e6, times[count * 99 / 100] * 1e6);
    free(times);
}

#endif
