/* Shared code of the benchmark programs in C and C++. A program is a table of cases:
 *
 *     PROGRAM                          lists them, "row TAB name TAB count" each
 *     PROGRAM ROW NAME                 warms up with a tenth of the count, measures, prints "row TAB name TAB value"
 *     PROGRAM ROW NAME COUNT           repeats the case exactly COUNT times, without warming up: for smoke tests and
 *                                      for counting instructions
 *
 * A case repeats its work `count` times and checks the result, so that the compiler cannot remove the work. It returns
 * nanoseconds or bytes per repetition, as the row requires. Exit status 3 reports that the peer is not installed. */
#ifndef BENCH_H
#define BENCH_H

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench_case {
    const char *row;
    const char *name;
    double (*run)(long count);
    long count;
} bench_case;

static inline double bench_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/** Nanoseconds, on a clock that only goes forward. */
static inline double bench_now(void) { return bench_clock(CLOCK_MONOTONIC); }

/** Nanoseconds that all threads have spent on processors. */
static inline double bench_work(void) { return bench_clock(CLOCK_PROCESS_CPUTIME_ID); }

/** Returns the allocated bytes, including the allocator's overhead. */
static inline double bench_heap(void) {
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}

/** Exits because the peer is not installed. */
static inline void bench_missing(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(3);
}

/** The program ends here if it has not computed what it was to compute. */
static inline void bench_check(int64_t actual, int64_t expected, const char *what) {
    if (actual == expected) return;
    fprintf(stderr, "%s: %lld instead of %lld\n", what, (long long)actual, (long long)expected);
    exit(1);
}

/** 0 + 1 + … + (count - 1). */
static inline int64_t bench_sum(long count) { return (int64_t)count * (count - 1) / 2; }

/** Goes through 0 … count - 1 in no order, each once. `count` is a power of ten. */
static inline long bench_scattered(long i, long count) { return (i * 7919 + 13) % count; }

static inline int bench_main(int argc, char **argv, const bench_case *cases, size_t number) {
    for (size_t i = 0; i < number; i++) {
        const bench_case *it = &cases[i];
        if (argc < 3) {
            printf("%s\t%s\t%ld\n", it->row, it->name, it->count);
        } else if (strcmp(it->row, argv[1]) == 0 && strcmp(it->name, argv[2]) == 0) {
            if (argc == 3 && it->count >= 10) it->run(it->count / 10);
            printf("%s\t%s\t%.3f\n", it->row, it->name, it->run(argc == 3 ? it->count : atol(argv[3])));
            return 0;
        }
    }
    if (argc < 3) return 0;
    fprintf(stderr, "%s: no case %s of %s\n", argv[0], argv[1], argv[2]);
    return 2;
}

#define BENCH_MAIN(cases) \
    int main(int argc, char **argv) { return bench_main(argc, argv, cases, sizeof cases / sizeof *cases); }

#endif
