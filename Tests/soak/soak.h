/* Shared code of the soak. Each case repeats operations many times, or with many objects, ends without live objects,
 * and prints its results: `make soak`, docs/reliability.md. */
#ifndef SOAK_H
#define SOAK_H

#include <signalkit/all.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(condition) \
    ((condition) ? (void)0 \
                 : (fprintf(stderr, "%s:%d: it must be: %s (%s)\n", __FILE__, __LINE__, #condition, sgk_last_error()), \
                       abort()))

/* Counts the events of a subscription, and the destructions of its context. */
typedef struct heard {
    atomic_long nexts, errors, ends, gone;
    atomic_llong sum; /* of ints */
} heard;

void heard_next(void *heard, sgk_value value);
void heard_error(void *heard, sgk_value error);
void heard_end(void *heard);
void heard_gone(void *heard);
sgk_disposable *hear(sgk_signal *signal, heard *heard);

/* Returns the `i`th index of a random permutation of `count`. */
long scattered(long i, long count);
uint64_t by_chance(uint64_t *seed);

double now(void);    /* seconds */
long in_use(void);   /* bytes that have been allocated and not freed */
long resident(void); /* bytes of the process that are in memory */
int descriptors(void);

/* Waits until no object is alive and all work is done. */
void nothing_is_left(void);

/* Prints a row of the page: the kind of objects, and the result. */
void tell(const char *what, const char *format, ...) __attribute__((format(printf, 2, 3)));

void cycles(long count);
void live(long count);
void leaving(long count);
void combined(long count);
void slow_consumers(long count);
void paused(long count);
void mixed(long seconds);

#endif
