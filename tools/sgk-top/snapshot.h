/* The state of a process at one time, read from the JSON of its inspector (docs/debugging.md). */
#ifndef SGK_TOP_SNAPSHOT_H
#define SGK_TOP_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A subscription or one of its stages. Missing members are 0 or NULL. Strings belong to the snapshot. */
typedef struct run {
    double id, parent; /* the parent is what it delivers to */
    const char *operator, * parameter, *name, *file, *state;
    double line, values, waiting, most_waiting, dropped, errors, age, idle, busy, slowest, thread;
    double pauses, paused, paused_by;
    double rate;  /* values per second since an earlier snapshot; NAN when there is none */
    size_t above; /* the index of the parent among the runs; NO_RUN */
    int depth;    /* number of ancestors */
    size_t count; /* how many equal ones it represents */
} run;

/* A queue with its own jobs. */
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

/* Computes the rates from the difference to an earlier snapshot of the same process. */
void snapshot_compare(snapshot *now, const snapshot *earlier);

/* The filters of a view. A filter that is NULL or empty selects everything. */
typedef struct selection {
    const char *name;  /* stages whose name or operator contains this text, with their ancestors and descendants */
    const char *queue; /* the same for stages that name such a queue; and the queues of that name */
    bool folds;        /* equal siblings become one */
} selection;

/* Copies the selected subscriptions and queues. Siblings are equal if they have the same operator, parameter, name and
 * state, and the same kinds of descendants. The counts of equal siblings are added. Their times are the longest, and
 * the shortest since the last event. Strings still belong to `in`. Returns false if there is no memory; then there is
 * nothing to free. (Sets the depths in `in`.) */
bool snapshot_select(snapshot *in, const selection *wanted, snapshot *out);

/* The order of siblings, the largest first. For queues, BY_VALUES (finished jobs), BY_WAITING (depth) and BY_COUNT
 * apply. */
typedef enum order {
    BY_NUMBER,
    BY_VALUES,
    BY_RATE,
    BY_WAITING,
    BY_MOST,
    BY_DROPPED,
    BY_PAUSED,
    BY_SLOWEST,
    BY_AGE,
    BY_IDLE,
    BY_COUNT,
    ORDERS
} order;

/* Returns the indices of all subscriptions and stages, each after its parent. The largest descendant decides the place
 * of a parent. The caller frees the result; NULL if there is no memory. (Sets the depths, and sorts the queues.) */
size_t *snapshot_tree(snapshot *snapshot, order order);

#endif
