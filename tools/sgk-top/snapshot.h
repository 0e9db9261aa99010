/* What runs in a process at one moment, read from the JSON of its inspector (docs/debugging.md). */
#ifndef SGK_TOP_SNAPSHOT_H
#define SGK_TOP_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One run, or a stage of one. What is not told is 0 or NULL; texts are in the snapshot's own. */
typedef struct run {
    double id, parent; /* the parent is what it delivers to */
    const char *operator, *parameter, *name, *file, *state;
    double line, values, waiting, dropped, errors, age, idle, busy, slowest, thread;
    double rate;      /* values per second since an earlier snapshot; NAN when there is none */
    size_t above;     /* the index of the parent among the runs; NO_RUN */
    int depth;        /* how many stand above it */
    size_t count;     /* how many equal ones it represents */
} run;

/* A queue with jobs of its own. */
typedef struct queue {
    const char *name;
    double depth, done; /* how many jobs wait or run; how many have run */
    bool is_running;    /* a thread is at them */
    size_t count;       /* how many queues of that name it represents */
} queue;

typedef struct live {
    const char *kind;
    double count;
} live;

enum { MOST_RUNS = 1 << 20, MOST_QUEUES = 1 << 20, MOST_KINDS = 1 << 16 };
#define NO_RUN SIZE_MAX

typedef struct snapshot {
    char *text; /* owned: what all texts here are in */
    double time, pid;
    run *runs; /* by number */
    size_t run_count;
    queue *queues;
    size_t queue_count;
    live *lives;
    size_t live_count;
    const char *dump; /* what sgk_debug_dump has written, if that was asked for */
} snapshot;

/* Takes over `text`, of `length` bytes and a 0 behind them, in any case. False: `reason` says why, and there is nothing
 * to free. */
bool snapshot_read(snapshot *snapshot, char *text, size_t length, char *reason, size_t size);
void snapshot_free(snapshot *snapshot);

/* Sets the rates, by what has passed since an earlier one of the same process. */
void snapshot_compare(snapshot *now, const snapshot *earlier);

/* What is shown of a snapshot. A text is NULL or empty if it selects nothing. */
typedef struct selection {
    const char *name;  /* the stages whose name or operator contains this, and what is above and below them */
    const char *queue; /* the same for stages that name such a queue; and the queues of that name */
    bool folds;        /* equal siblings become one */
} selection;

/* Copies the runs and queues that are selected. Siblings are equal if they have the same operator, parameter, name and
 * state, and if the same stages are below them, however many of each. Their counts are added. Of their times the
 * longest is taken, and the shortest since the last event. Texts stay those of `in`. False: no memory, and there is
 * nothing to free. (Sets the depths in `in`.) */
bool snapshot_select(snapshot *in, const selection *wanted, snapshot *out);

/* By what runs are put in order: the largest first, among those with the same parent. Queues are put in order by
 * BY_VALUES (jobs done), BY_WAITING (depth) and BY_COUNT. */
typedef enum order {
    BY_NUMBER, BY_VALUES, BY_RATE, BY_WAITING, BY_DROPPED, BY_SLOWEST, BY_AGE, BY_IDLE, BY_COUNT, ORDERS
} order;

/* The indices of all runs, each behind its parent; where a parent stands is decided by the largest below it. To be
 * freed; NULL when there is no memory. (Sets their depths, and puts the queues in order.) */
size_t *snapshot_tree(snapshot *snapshot, order order);

#endif
