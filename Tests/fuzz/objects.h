/* The objects of a random program: handles and values in slots that its threads share, and the contexts of its
 * callbacks. Each context must be destroyed once and not used afterwards. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "../C/choices.h"
#include "fuzz.h"

#include <signalkit/all.h>
#include <stdatomic.h>
#include <string.h>

/* clang-format off */
#define KINDS(X) \
    X(callback) X(disposable) X(event_link) X(link_bag) X(overflow_counter) X(pipe) X(promise) X(state) \
    X(queue) X(timer) X(queue_local) X(reader) X(multicast) X(multicast_signal_manager) X(sequencer) X(signal) \
    X(subscriber) X(thread_pool) X(signature)
/* clang-format on */
#define KIND(name) K_##name,
typedef enum kind { KINDS(KIND) KIND_COUNT } kind;
#undef KIND

extern _Thread_local choices *choosing; /* the thread's part of the input; of the library's own threads NULL */
uint32_t below(uint32_t n);             /* of that, or by chance */

/* ---- Contexts ---- */

typedef struct context {
    struct context *next; /* of all */
    atomic_int inside, ends;
    atomic_bool is_gone, is_stopped;
    bool is_owned, is_serial; /* one event at a time, and none after the end */
    const char *maker;        /* the call that it was made for */
    int64_t latest[4];        /* of an ordered run: the latest number of each thread */
    sgk_signal *tied;         /* retained until the end of the program (`take_ending`); guarded by the lock */
} context;

extern context something; /* an object that is always there */

context *new_context(bool is_owned);
void destroyed(void *context);
void is_over(context *context); /* for a context without destroy: later calls are errors */
bool enter(void *context);      /* false: there has been enough, nothing more is to be done */
void leave(void *context);

/* The number of callbacks of a program; then it ends. */
enum { FUEL = 1500 };
extern atomic_int fuel;
extern atomic_bool is_enough;

/* ---- Handles and values ---- */

typedef struct taken {
    void *handle;
    kind kind;
} taken;
typedef struct several {
    sgk_signal *signals[4];
    taken taken[4];
    size_t count;
} several;
typedef struct values {
    sgk_value values[8];
    const sgk_value *perhaps[8];
    size_t count;
} values;
typedef struct typed {
    sgk_function function;
    sgk_signature *signature;
} typed;

/* The number of stages in the thread's arguments: one event must not become a million. */
extern _Thread_local int weight;
extern _Thread_local const char *being_made;
extern bool has_ties; /* objects may hold each other: all are kept, and ended at the end */

taken take(kind kind, bool may_be_null);        /* borrowed until `let_go`; NULL, or of another kind, by chance */
taken take_ending(kind kind, bool may_be_null); /* a signal that `end_all` separates from its source */
void *take_own(kind kind);
void let_go(taken taken);
void give(kind kind, void *handle); /* owned; NULL is passed over */
void keep_lent(kind kind, void *handle);
several take_signals(void);
void let_go_signals(several *several);

sgk_value some_value(void);
sgk_value some_outcome(sgk_value value);
void give_value(sgk_value value);
void read_value(sgk_value value);
void some_values(values *values, size_t count);
void release_values(values *values);

double some_seconds(void), some_short_time(void);
int64_t some_number(void);
uint32_t some_overflow(void);
sgk_bound some_bound(sgk_overflow_counter *counter);
int some_descriptor(void), some_unix_signal(void);
const char *some_text(void);
size_t some_length(void);
typed some_typed(void);

/* ---- A whole program ---- */

void set_up(void); /* once */
void begin_objects(uint64_t seed);
void end_all(void);                 /* active subscriptions, and objects that may be in a cycle */
void end_objects(int64_t baseline); /* and see that nothing is left */
void reset_handlers(void);          /* those of the process: none is left, and the log says nothing */
int64_t pump(void);                 /* the loop of the custom queues, on its thread: how much has run */
sgk_queue *loop_queue(void);

#endif
