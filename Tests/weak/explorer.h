/* Internal interface of the explorer, which explorer.c describes. */
#ifndef EXPLORER_H
#define EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 6, LOCATIONS = 96, STORES = 48, ARENA = 1 << 18 };
enum { CODE = 1 << 22, CODE_BEGINS = 0x200000, SITES = 2048 };

/* ---- An execution: explorer.c ---- */

extern bool is_on, explores; /* memory comes from the arena; threads run */

enum { LOAD, STORE, EXCHANGE, ADD, SUBTRACT, AND, OR, COMPARE, WAIT, WAKE };
enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

void note(int pc, int op, int order, uintptr_t address, uint64_t value, int older); /* a step, to be shown */
_Noreturn void fault(const char *format, ...);

/* ---- The sequence of choices: paths.c ---- */

typedef struct {
    uint64_t reads, writes;
} footprint; /* of a step: locations as bits */
extern footprint touched;

extern bool is_pruned;      /* the rest has been explored: it is only run to its end */
extern int most_deviations; /* interruptions of threads, and reads that are not the newest */

void new_paths(void);
void begin_path(void);
int choose(int options);
int choose_thread(unsigned enabled, int previous);
void after_step(void);
void wake_all(void); /* the sleeping threads depend on the present step */
bool backtrack(void);

/* ---- Threads: fibers.c ---- */

typedef struct {
    double floor[LOCATIONS]; /* the oldest store that may still be read */
    uint16_t clock[THREADS];
} view;

typedef struct store store;

typedef struct {
    enum { FREE, READY, WAITS, DONE } state;
    void *start[5], *context[5];
    uintptr_t pointer;
    void *(*main)(void *);
    void *argument;
    view view;
    uintptr_t waits_on;
    bool has_time, timed_out;
    struct {
        int pc;
        uintptr_t address;
        store *seen;
        int times;
    } looked[8]; /* since it has done anything else */
    int looks;
} fiber;

extern fiber fibers[THREADS];
extern int current, thread_count;

void make_fibers(void);
void forget_threads(void);
void new_thread(void *(*body)(void *), void *argument);
void go_on(int thread);
void stop(void); /* stops the running thread until it is chosen again */

/* ---- Accesses that are not atomic: memory.c ---- */

typedef struct { /* of one byte of memory */
    uint16_t written, read[THREADS];
    uint8_t by;
    bool is_gone;
} shadow;

extern char arena[ARENA];
extern shadow shadows[ARENA];
extern uint8_t location_at[ARENA];
extern size_t arena_begins;
extern int64_t blocks;

static inline bool is_ours(uintptr_t address) {
    return address - (uintptr_t)arena - arena_begins < ARENA - arena_begins;
}
static inline size_t offset(uintptr_t address) { return address - (uintptr_t)arena; }

void forget_memory(void);
void keep_memory(void); /* the present objects are permanent */

/* ---- Atomic operations: atomics.c ---- */

struct store {
    double at; /* its place among the stores to that location */
    uint64_t value;
    bool is_released, is_followed; /* followed by a read-modify-write that has read it */
    view seen;
};

typedef struct {
    uintptr_t address;
    int count, size;
    store *stores[STORES]; /* in their order */
    uint16_t reads[THREADS], writes[THREADS];
    view bucket; /* of the futex */
} location;

extern location locations[LOCATIONS];
extern int location_count;

typedef struct {        /* an atomic operation of the code */
    uint8_t quiet;      /* no step: references are counted; 2: but where a scenario is about them */
    bool names_failure; /* it also contains the order of a failure */
    uint64_t used_in;   /* by which scenarios, as bits */
    bool is_used;       /* by the one that is explored */
    uint8_t kind;       /* the kind of the operation */
    int orders[2];      /* and how: of a success and of a failure */
} site;

extern uint16_t site_at[CODE]; /* by the address behind the call; 0: none */
extern site sites[SITES];
extern struct weakening { int site, part, order; } weakened; /* a site whose order is another one */
extern bool counts_references;

void forget_atomics(void);
location *locate(uintptr_t address, int size);
void join(view *to, const view *from);
extern view outside; /* what the threads passed to each other by global variables */
void touches(uintptr_t address, bool writes);

/* ---- What the system does: system.c ---- */

void forget_system(void);

#endif
