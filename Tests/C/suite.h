/* Shared code of the tests: counted contexts, a recorder of events, threads, and the rule that no object is alive after
 * a test. */
#ifndef SUITE_H
#define SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <pthread.h>
#include <signalkit/all.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eventually.h"

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif

/* ---- A context whose destructions are counted ---- */
typedef struct counted {
    atomic_int calls;
    atomic_int destroyed;
} counted;

void counted_destroy(void *context);
void counted_work(void *context); /* counts a call */
void counted_next(void *context, sgk_value value);

/* Checks that an ended queue rejects dispatch and sync, and destroys their work: one is destroyed. */
void assert_ended(sgk_queue *queue, counted *c);

/* ---- A recorder of the events of a run ---- */
enum { RECORDED = 64 };

typedef struct recorder {
    pthread_mutex_t lock;
    int64_t values[RECORDED]; /* of ints; an array of ints is recorded as the sum of item * 10^position */
    int count;
    atomic_int nexts, errors, ends, destroyed;
    int64_t error;
    atomic_int inside;      /* callbacks of values that are running */
    atomic_bool overlapped; /* two of them ran at once */
    atomic_bool late;       /* an event arrived after the terminal event */
    sgk_disposable *run;    /* given by `started`; retained */
    bool yields;            /* let other threads run inside the callback */
    int dispose_at;         /* dispose from inside the callback of this many values; 0: never */
} recorder;

recorder *recorder_new(void);
void recorder_free(recorder *r);
sgk_handlers recorder_handlers(recorder *r);
sgk_disposable *record_run(sgk_signal *signal, recorder *r);
void assert_recorded(recorder *r, int count, const int64_t *values);

#define ASSERT_VALUES(r, ...) \
    assert_recorded((r), (int)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (int64_t[]){__VA_ARGS__})

/* ---- Sources ---- */
/* Switches to another signal after a timeout or an error: before the first event, or before it and between two. */
sgk_signal *first_within_or(sgk_signal *signal, double seconds, sgk_signal *other, sgk_queue *queue);
sgk_signal *each_within_or(sgk_signal *signal, double seconds, sgk_signal *other, sgk_queue *queue);
sgk_signal *count_to(int64_t n); /* emits 1…n inside the start, as long as it is wanted, and completes */
int64_t generator_rounds(void);  /* how many values count_to's generators have produced, in all */

/* A source that is driven by hand: `hand` holds the subscriber of the latest start. */
typedef struct hand {
    sgk_subscriber *subscriber;
    atomic_int starts, disposals, destroyed;
} hand;

sgk_signal *hand_signal(hand *h);
void hand_free(hand *h);

/* The context of an iterator that emits the numbers from `next` up to `count`, without it. */
typedef struct numbers {
    atomic_llong next;
    int64_t count;
    atomic_int destroyed;
} numbers;
bool next_number(void *context, sgk_value *value);
void numbers_destroy(void *context);

/* ---- Sequences ---- */
/* Checks that the values are 0, 1, 2 … */
typedef struct sequence {
    atomic_llong count;
    atomic_bool is_wrong, has_failed, has_ended;
    atomic_int slow; /* sleeps at each of so many values; 0: never */
    atomic_int destroyed;
    long long hold_at; /* holds `run` at so many values; 0: never */
    bool disposes;     /* and disposes it */
    sgk_disposable *run, *hold;
} sequence;
void sequence_next(void *context, sgk_value value);
void sequence_failed(void *context, sgk_value error);
void sequence_ended(void *context);
void sequence_destroy(void *context);
sgk_disposable *sequence_run(sgk_signal *signal, sequence *s, sgk_next_fn next); /* starts it */

/* ---- Small callbacks ---- */
sgk_value times_ten(void *context, sgk_value value);
bool is_even(void *context, sgk_value value);
sgk_value as_signal(void *context, sgk_value value); /* a signal of that value */
void do_nothing(void *context);
void put_signal(sgk_pipe *pipe, sgk_signal *signal); /* puts it as a value */

/* ---- Work that blocks a queue or a pool until it is opened ---- */
typedef struct door {
    counted passed; /* first: `counted_destroy` of the work counts here */
    atomic_bool is_open;
} door;

void wait_at(void *door);       /* the work; no thread may access the door after it has passed */
void open_and_wait(door *door); /* and sees it through, so that the door may go */

/* ---- Repetitions ---- */
/* How often a test repeats something, or of how many: a tenth of the usual number if SUITE_SLOW is set, under valgrind
 * and an emulator. (The suite runs with the usual number, too.) */
int repeated(int usual);

/* ---- Descriptors ---- */
int open_descriptors(void); /* how many this process has */

/* ---- Threads ---- */
/* Returns how many threads of this process have that name, and the path of the status of one of them. */
int threads_of(const char *name, char status[300]);
int threads_named(const char *name);

/* Runs `body(context, index)` on `count` threads at once and waits for them. */
void in_parallel(int count, void (*body)(void *context, int index), void *context);

/* Runs `body(context)` on a thread whose stack has this number of bytes (eight times as many under a sanitizer, whose
 * frames are larger). */
void on_stack_of(size_t bytes, void (*body)(void *context), void *context);

/* ---- The standard error output ---- */
/* Captures the output of `body(context)` on stderr, up to the size of the buffer. */
void written_to_stderr(char *text, size_t size, void (*body)(void *context), void *context);

/* ---- Misuse ---- */
/* The last error has this status and its text begins with "function: argument: ". Clears it. */
void assert_failed(sgk_status status, const char *beginning);

/* The number of integer arguments in registers in compiled calls; 0 if libffi makes all calls. */
#if defined(__ELF__) && defined(__LP64__) && defined(__x86_64__)
enum { INTEGER_REGISTERS = 6 };
#elif defined(__ELF__) && defined(__LP64__) && defined(__aarch64__)
enum { INTEGER_REGISTERS = 8 };
#else
enum { INTEGER_REGISTERS = 0 };
#endif

int nothing_alive(void **state); /* the tear-down of every test */

#define TEST(name) cmocka_unit_test_teardown(name, nothing_alive)

/* The groups, one a file. Each returns the number of failed tests. */
/* clang-format off */
#define GROUPS(X) \
    X(values) X(giving) X(disposables) X(queues) X(workers) X(signals) X(mapping) X(taking) X(effects) X(unhandled) \
    X(inner) X(sequence) X(combining) X(timing) X(operators) X(pipes) X(promises) X(sharing) X(pools) X(links) \
    X(subscribers) X(misuse) X(misuse_sources) X(misuse_operators) X(misuse_made) X(misuse_queues) X(typed) \
    X(typed_steps) X(callbacks) X(signatures) X(misuse_typed) X(threads) X(storms) X(stack) X(depth) X(nesting) \
    X(library) X(virtual_time) X(custom_queues) X(bounded) X(pausing) X(obeying) X(pausing_joins) X(pausing_buffers) \
    X(pauses) X(pausing_writes) X(readers) X(order) X(marbles) X(recipes) X(fuzz) X(sources) X(joining) X(keyed) \
    X(knots) X(models) X(sight) X(parameters) X(descriptors) X(processes) X(folders) X(sockets) X(datagrams) \
    X(inspect) X(dump) X(outcomes) X(lent)
/* clang-format on */
#define DECLARE(name) int run_##name(void);
GROUPS(DECLARE)
#undef DECLARE

/* Which tests run: all of a group, one (`wanted`), or none, because their names are printed. Set by main.c. */
typedef struct choice {
    const char *group, *wanted;
    bool lists;
    int matched; /* counts tests that were wanted */
} choice;
extern choice chosen;

#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(title, tests, set_up, tear_down) \
    run_chosen_tests(title, tests, sizeof(tests) / sizeof *(tests), set_up, tear_down)
int run_chosen_tests(
    const char *title, const struct CMUnitTest *tests, size_t count, int (*set_up)(void **), int (*tear_down)(void **));

#endif
