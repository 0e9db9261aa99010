/* Scenarios that run repeatedly: each part of the interface, with a known result. Each context must be destroyed once
 * and not used afterwards. Each subscription obeys the grammar. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "torture.h"

#include <stdatomic.h>

/* ---- All of them: their names, and whether calls of the system have a part in it ---- */

/* clang-format off */
#define SCENARIOS(X) \
    X(values, false) X(chain, false) X(replays, false) X(joins, false) X(inner, false) X(in_a_row, false) \
    X(virtual_time, false) X(pauses, false) X(disposables, false) X(promises, false) X(links, false) \
    X(generators, false) \
    X(reads, true) X(typed, true) X(sight, true) X(threads, true) X(queues, true) X(pools, true) \
    X(clocks, true) X(loops, true) X(lines, true) X(readiness, true) X(sinks, true) X(unix_signals, true) \
    X(children, true) X(programs, true) X(sockets, true) X(datagrams, true) X(wall_clock, true) X(file_changes, true) \
    X(file_lines, true) X(inspected, true)
/* clang-format on */

#define DECLARE(name, is_of_system) bool name(void);
SCENARIOS(DECLARE)

/* ---- What a scenario has seen: runs.c ---- */

typedef struct seen {
    struct seen *next; /* of all */
    const char *file;
    int line;      /* that it was made in */
    bool is_given; /* to the library, which has to give it back */
    atomic_int values, error, ends, gone;
    atomic_llong sum;
} seen;

extern atomic_bool was_refused; /* in a callback */

seen *new_seen_at(const char *file, int line);
#define new_seen() new_seen_at(__FILE__, __LINE__)
seen *given(seen *seen);

/* Callbacks, whose context it is. */
void see_next(void *seen, sgk_value value);
void see_end(void *seen);
void see_error(void *seen, sgk_value error);
void count_call(void *seen);
void forget_seen(void *seen);

sgk_handlers all_of(seen *seen);
sgk_disposable *start(sgk_signal *signal, seen *seen);

/* Returns whether this number of values with this total weight arrived, and whether the completion did. */
bool came(seen *seen, int values, int64_t sum, bool end);

/* Numbers weigh their value, strings their length, arrays the sum of their items. */
int64_t weight(sgk_value value);

/* ---- Callbacks that several need ---- */

void nothing(void *context);
sgk_value plus_one(void *context, sgk_value value);
sgk_value sum(void *context, sgk_value a, sgk_value b);
bool is_odd(void *context, sgk_value value);

/* ---- Failures ---- */

bool has_threads(void);
bool refused_again(void); /* whether there are none however often they are asked for */

/* Waits, but not for what nobody brings as the system gives no thread. */
#define UNTIL(condition) \
    while (!(condition)) \
        if (refused_again()) return false

bool refused_at(const char *file, int line); /* the failed call has described the error */
#define refused() refused_at(__FILE__, __LINE__)

/* Declares an object that is released at the end, and ends the scenario if its creation failed. */
#define MADE(type, name, expression) \
    SGK_AUTO(type) name = (expression); \
    if (!name) return refused()
#define RUN(name, expression) \
    __attribute__((cleanup(dispose_at))) sgk_disposable *name = (expression); \
    if (!name) return refused()
#define STAGE(name, expression) \
    sgk_signal_replace(&name, (expression)); \
    if (!name) return refused()
#define HELD(name, expression) \
    __attribute__((cleanup(release_at))) sgk_value name = (expression); \
    if (sgk_value_kind(name) == SGK_NULL) return refused()
#define DONE(expression) \
    do { \
        if ((expression) != SGK_OK) return refused(); \
    } while (0)
void dispose_at(sgk_disposable **run);
void release_at(sgk_value *value);

#endif
