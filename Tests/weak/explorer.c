/* Runs the library's own code in every order of its threads, and with everything that C++ lets them see of each other.
 *
 * The code is compiled for ThreadSanitizer; what it calls then, at each access to memory, is here. Threads are fibers:
 * one runs at a time, and stops before each atomic operation. An execution is a path of choices: which thread goes on,
 * which of the stores that it may read an operation reads, where among others a store comes. All paths are taken.
 *
 * What may be read is what C++20 says (views of RC11; the order S of seq_cst operations is kept as a partial one), but
 * for one thing: nothing is read before it was written (no "load buffering"). Beside that it is looked at in each
 * execution: that no two accesses to memory race, that none is to memory that was let go, that all of it is let go at
 * the end, that no threads wait for each other for ever, and what the scenario looks at.
 *
 * Two executions that differ in the order of steps which have nothing to do with each other are one (sleep sets).
 * References are counted as the library counts them, but are no steps. */
#include "../../Sources/SignalKitShims/include/shims/counters.h"
#include "../../Sources/SignalKitShims/include/shims/turns.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 6, LOCATIONS = 96, STORES = 48, ALL_STORES = 1024, EVENTS = 192, PATH = 4096, STEPS = 4096 };
enum { ARENA = 1 << 18, CODE = 1 << 22, CODE_BEGINS = 0x200000, SITES = 2048 };

/* ---- The scenarios, in Swift ---- */

extern int32_t weak_count(void);
extern const char *weak_name(int32_t scenario);
extern int32_t weak_limit(int32_t scenario);
extern int32_t weak_make(int32_t scenario); /* how many threads */
extern void weak_run(int32_t thread);
extern void weak_end(void);
extern void weak_drop(void);

/* ---- Sites: the atomic operations of the code, as scripts/weak.py tells them ---- */

static uint16_t site_at[CODE];    /* by the address behind the call; 0: none */
static uint8_t is_quiet[SITES];   /* no step: references are counted; 2: but where a scenario is about them */
static bool names_failure[SITES]; /* the order of a failure stands there too */
static uint64_t used_in[SITES];   /* by which scenarios, as bits */
static bool is_used[SITES];       /* by the one that is explored */
static uint8_t kind_of[SITES];    /* what is done there */
static int order_of[SITES][2];    /* and how: the orders, of a success and of a failure */
static int weakened, weakened_part, weakened_to; /* the site whose order is another one */

/* ---- An execution ---- */

typedef struct {
    double floor[LOCATIONS]; /* the oldest store that may still be read */
    uint16_t clock[THREADS];
} view;

typedef struct {
    double at; /* its place among the stores to that location */
    uint64_t value;
    bool is_released, is_followed; /* followed by a read-modify-write that has read it */
    view seen;
} store;

typedef struct {
    uintptr_t address;
    int count, size;
    store *stores[STORES]; /* in their order */
    uint16_t reads[THREADS], writes[THREADS];
    view bucket; /* of the futex */
} location;

typedef unsigned _BitInt(EVENTS) set;

typedef struct { /* of one byte of memory */
    uint16_t written, read[THREADS];
    uint8_t by;
    bool is_gone;
} shadow;

typedef struct {
    int thread, location;
    uint16_t clock;
    double at;
    bool writes;
    set before;
} event; /* a seq_cst operation */

typedef struct { uint64_t reads, writes; } footprint; /* of a step: locations as bits */

typedef struct {
    int pc, op, order, thread;
    uintptr_t address;
    uint64_t value;
    int older; /* so many newer stores were there */
} step;

typedef struct {
    enum { FREE, READY, WAITS, DONE } state;
    void *start[5], *context[5];
    uintptr_t pointer;
    void *(*main)(void *);
    void *argument;
    view view;
    uintptr_t waits_on;
    bool has_time, timed_out;
    struct { int pc; uintptr_t address; store *seen; int times; } looked[8]; /* since it has done anything else */
    int looks;
} fiber;

static char arena[ARENA] __attribute__((aligned(64)));
static shadow shadows[ARENA];
static uint8_t location_at[ARENA];
static size_t arena_begins, arena_ends;
static int64_t blocks;
static bool is_on, explores; /* memory comes from the arena; threads run */
static fiber fibers[THREADS];
static int current, thread_count;
static location locations[LOCATIONS];
static store all_stores[ALL_STORES];
static event events[EVENTS];
static int location_count, store_count, event_count, step_count;
static step steps[STEPS];
static footprint touched;
static int64_t now;
static const char *scenario_name;
static bool is_quiet_run, is_warm, counts_references;

/* ---- Faults ---- */

static const char *const ops[] = {"load", "store", "exchange", "add", "subtract", "and", "or", "compareExchange",
                                  "wait", "wake"};
enum { LOAD, STORE, EXCHANGE, ADD, SUBTRACT, AND, OR, COMPARE, WAIT, WAKE };
static const char *const orders[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

static void show_steps(void);
static _Noreturn void fault(const char *format, ...) {
    if (is_quiet_run) _exit(1);
    va_list values;
    va_start(values, format);
    printf("fault\t%s: ", scenario_name);
    vprintf(format, values);
    printf("\n");
    va_end(values);
    show_steps();
    fflush(stdout);
    _exit(1);
}
static void show_steps(void) {
    for (int i = 0; i < step_count && i < STEPS; i++) {
        const step *s = &steps[i];
        printf("\t%d  %-16s %-8s +%-6lx", s->thread, ops[s->op], orders[s->order], (long)s->address);
        printf(" %#-10lx %s @%x\n", (long)s->value, s->older ? "(an older one)" : "", (unsigned)s->pc);
    }
}
void weak_fault(const char *text) { fault("%s", text); }

/* ---- Choices ---- */

typedef struct {
    bool is_thread;
    uint8_t options, chosen, enabled, asleep, tried, previous;
    footprint now, of[THREADS];
} node;

static node path[PATH];
static int path_length, place; /* how far the path goes; how far we have gone on it */
static bool is_pruned;         /* the rest has been explored: it is only run to its end */
static footprint asleep_of[THREADS];
static uint8_t asleep;
static int deviations, most_deviations = INT32_MAX; /* threads that are interrupted, and what is not the newest */

static node *next_node(void) {
    if (place == PATH) fault("it does not end");
    return &path[place++];
}

static int choose(int options) {
    if (options == 1 || is_pruned || deviations == most_deviations) return 0;
    bool is_new = place == path_length;
    node *node = next_node();
    if (is_new) {
        memset(node, 0, sizeof *node);
        node->options = (uint8_t)options;
        path_length = place;
    }
    if (node->options != options) fault("an execution cannot be had again");
    deviations += node->chosen > 0;
    return node->chosen;
}

static bool is_independent(footprint a, footprint b) {
    return !((a.writes & (b.reads | b.writes)) | (b.writes & a.reads));
}

static int preferred(unsigned of, int previous) {
    if (of >> previous & 1) return previous;
    return __builtin_ctz(of);
}

static int choose_thread(unsigned enabled, int previous) {
    if (is_pruned) return preferred(enabled, previous);
    bool is_new = place == path_length;
    if (is_new) {
        unsigned allowed = enabled;
        if (deviations == most_deviations && enabled >> previous & 1) allowed = 1u << previous;
        unsigned left = allowed & ~asleep;
        if (left == 0) {
            is_pruned = true;
            return preferred(enabled, previous);
        }
        node *node = next_node();
        memset(node, 0, sizeof *node);
        node->is_thread = true;
        node->enabled = (uint8_t)allowed;
        node->asleep = asleep;
        node->previous = (uint8_t)previous;
        memcpy(node->of, asleep_of, sizeof asleep_of);
        node->chosen = (uint8_t)preferred(left, previous);
        path_length = place;
    } else {
        (void)next_node();
        node *node = &path[place - 1];
        if (!node->is_thread || !(enabled >> node->chosen & 1)) fault("an execution cannot be had again");
    }
    int chosen = path[place - 1].chosen;
    if (chosen != previous && enabled >> previous & 1) deviations++;
    return chosen;
}

/* What is asleep after a step: those that have been tried before it, and have nothing to do with it. */
static void after_step(int at) {
    node *node = &path[at];
    node->now.reads |= touched.reads;
    node->now.writes |= touched.writes;
    asleep = 0;
    for (int t = 0; t < THREADS; t++) {
        if (!((node->asleep | node->tried) >> t & 1) || !is_independent(node->of[t], touched)) continue;
        if (most_deviations < 1000) continue;
        asleep |= (uint8_t)(1 << t);
        asleep_of[t] = node->of[t];
    }
}

static bool backtrack(void) {
    while (path_length > 0) {
        node *node = &path[path_length - 1];
        if (!node->is_thread) {
            if (++node->chosen < node->options) return true;
        } else {
            node->tried |= (uint8_t)(1 << node->chosen);
            node->of[node->chosen] = node->now;
            unsigned left = node->enabled & ~node->asleep & ~node->tried;
            if (left) {
                node->chosen = (uint8_t)preferred(left, node->previous);
                node->now = (footprint){0, 0};
                return true;
            }
        }
        path_length--;
    }
    return false;
}

/* ---- Fibers: threads of the system's, each with its stack and its thread pointer, which this one thread plays ---- */

#ifdef __x86_64__
static inline void set_thread_pointer(uintptr_t pointer) {
    __asm__ volatile("wrfsbase %0" ::"r"(pointer) : "memory");
}
#else
static inline void set_thread_pointer(uintptr_t pointer) {
    __asm__ volatile("msr tpidr_el0, %0" ::"r"(pointer) : "memory");
}
#endif

static __attribute__((noinline)) void go_to(int next, bool from_the_start) {
    fiber *from = &fibers[current], *to = &fibers[next];
    if (__builtin_setjmp(from->context) == 0) {
        current = next;
        set_thread_pointer(to->pointer);
        if (from_the_start) __builtin_longjmp(to->start, 1);
        else __builtin_longjmp(to->context, 1);
    }
}

/* Far away from where the system's thread waits on the same stack. */
static __attribute__((noinline)) _Noreturn void play(void) {
    volatile char gap[1 << 16];
    gap[0] = 0;
    fiber *me = &fibers[current];
    me->main(me->argument);
    me->state = DONE;
    go_to(0, false);
    __builtin_unreachable();
}

static int made;
static void *fiber_main(void *number) {
    fiber *me = &fibers[(intptr_t)number];
    me->pointer = (uintptr_t)__builtin_thread_pointer();
    sgk_shim_count(SGK_SHIM_LIVE, 0); /* (its memory is not to be of one execution) */
    (void)sgk_shim_stack_is_low();
    if (__builtin_setjmp(me->start) == 0) {
        __atomic_store_n(&made, (int)(intptr_t)number, __ATOMIC_RELEASE);
        for (;;) pause();
    }
    play();
}

extern int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static void make_fibers(void) {
    fibers[0].pointer = (uintptr_t)__builtin_thread_pointer();
    for (intptr_t i = 1; i < THREADS; i++) {
        pthread_t thread;
        __real_pthread_create(&thread, NULL, fiber_main, (void *)i);
        while (__atomic_load_n(&made, __ATOMIC_ACQUIRE) != i) usleep(100);
    }
}

static bool begins[THREADS];

static void new_thread(void *(*body)(void *), void *argument) {
    if (thread_count == THREADS) fault("more threads than there are");
    fiber *new = &fibers[thread_count];
    new->state = READY;
    new->main = body;
    new->argument = argument;
    new->view = fibers[current].view;
    new->looks = 0;
    begins[thread_count++] = true;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    if (!is_on) return __real_pthread_create(thread, attributes, body, argument);
    new_thread(body, argument);
    fibers[current].view.clock[current]++;
    return 0;
}

/* The running thread stops; it goes on when it is chosen. */
static void stop(void) { go_to(0, false); }

/* ---- Memory ---- */

unsigned sgk_support_attention; /* (of a part of the library that is not here) */

static inline bool is_ours(uintptr_t address) {
    return address - (uintptr_t)arena - arena_begins < ARENA - arena_begins;
}
static inline size_t offset(uintptr_t address) { return address - (uintptr_t)arena; }

static void accesses(uintptr_t address, size_t size, bool writes) {
    if (!explores || !is_ours(address)) return;
    const uint16_t *clock = fibers[current].view.clock;
    for (size_t i = 0; i < size; i++) {
        shadow *byte = &shadows[offset(address) + i];
        if (byte->is_gone) fault("memory is used that was let go");
        if (byte->by != current && byte->written > clock[byte->by]) fault("a race with what was written");
        if (writes) {
            for (int t = 0; t < thread_count; t++)
                if (t != current && byte->read[t] > clock[t]) fault("a race with what was read");
            byte->by = (uint8_t)current;
            byte->written = clock[current] + 1;
        } else {
            byte->read[current] = clock[current] + 1;
        }
    }
    for (size_t i = 0; i < size; i++) {
        uint8_t index = location_at[offset(address) + i];
        if (index == 0) continue;
        location *at = &locations[index];
        for (int t = 0; t < thread_count; t++) {
            if (t == current) continue;
            if (at->writes[t] > clock[t] || (writes && at->reads[t] > clock[t])) fault("a race with what is atomic");
        }
        if (writes) location_at[offset(address) + i] = 0;
    }
}

extern void *__real_malloc(size_t), *__real_aligned_alloc(size_t, size_t);
extern void __real_free(void *);

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    if (!is_on) return __real_aligned_alloc(alignment, size);
    if (alignment < 16) alignment = 16;
    size_t at = (arena_ends + 16 + alignment - 1) & ~(alignment - 1);
    arena_ends = at + size;
    if (arena_ends > ARENA) fault("more memory than there is");
    ((size_t *)(arena + at))[-1] = size;
    blocks++;
    return arena + at;
}
void *__wrap_malloc(size_t size) { return is_on ? __wrap_aligned_alloc(16, size) : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) {
    void *made = __wrap_malloc(count * size);
    return memset(made, 0, count * size);
}
void __wrap_free(void *memory) {
    if (memory == NULL) return;
    uintptr_t address = (uintptr_t)memory;
    if (address - (uintptr_t)arena >= ARENA) return __real_free(memory);
    if (!is_ours(address)) return;
    size_t size = ((size_t *)memory)[-1];
    if (size == SIZE_MAX) fault("memory is let go twice");
    accesses(address, size, true);
    for (size_t i = 0; i < size; i++) shadows[offset(address) + i].is_gone = true;
    ((size_t *)memory)[-1] = SIZE_MAX;
    blocks--;
}
void *__wrap_realloc(void *memory, size_t size) {
    void *made = __wrap_malloc(size);
    if (memory) {
        size_t before = ((size_t *)memory)[-1];
        memcpy(made, memory, before < size ? before : size);
        __wrap_free(memory);
    }
    return made;
}

/* ---- Atomic operations ---- */

static uint64_t in_memory(uintptr_t address, int size) {
    uint64_t value = 0;
    memcpy(&value, (void *)address, (size_t)size);
    return value;
}
static void to_memory(uintptr_t address, int size, uint64_t value) { memcpy((void *)address, &value, (size_t)size); }

static store *new_store(double at, uint64_t value) {
    if (store_count == ALL_STORES) fault("more stores than there is room for");
    store *new = &all_stores[store_count++];
    memset(new, 0, sizeof *new);
    new->at = at;
    new->value = value;
    return new;
}

static location *locate(uintptr_t address, int size) {
    uint8_t *index = &location_at[offset(address)];
    if (*index == 0) {
        if (location_count == LOCATIONS) fault("more locations than there is room for");
        *index = (uint8_t)location_count++;
        location *new = &locations[*index];
        memset(new, 0, sizeof *new);
        new->address = address;
        new->size = size;
        new->stores[new->count++] = new_store(0, in_memory(address, size));
    }
    return &locations[*index];
}

static void join(view *to, const view *from) {
    for (int i = 0; i < location_count; i++)
        if (from->floor[i] > to->floor[i]) to->floor[i] = from->floor[i];
    for (int t = 0; t < thread_count; t++)
        if (from->clock[t] > to->clock[t]) to->clock[t] = from->clock[t];
}

/* The place of an operation in S: after `before`, before `after`. Whether there is one. (C++20: after what strongly
 * happens before it, and in the order of what is read and written at one location.) */
static bool has_place(int location, double at, bool writes, set *before, set *after) {
    const uint16_t *clock = fibers[current].view.clock;
    *before = *after = 0;
    for (int i = 0; i < event_count; i++) {
        const event *other = &events[i];
        bool is_before = other->thread == current || clock[other->thread] > other->clock;
        if (other->location == location) {
            if (other->at < at || (other->at == at && other->writes)) is_before = true;
            else if (other->at > at || writes) *after |= (set)1 << i;
        }
        if (is_before) *before |= (set)1 << i | other->before;
    }
    return !(*before & *after);
}

static void take_place(int location, double at, bool writes) {
    if (event_count == EVENTS) fault("more seq_cst operations than there is room for");
    set before, after;
    if (!has_place(location, at, writes, &before, &after)) fault("no place in S");
    fiber *me = &fibers[current];
    events[event_count] = (event){current, location, me->view.clock[current], at, writes, before};
    for (int i = 0; i < event_count; i++)
        if ((after >> i & 1) || (events[i].before & after)) events[i].before |= before | (set)1 << event_count;
    event_count++;
}

static bool acquires(int order) { return order == ACQUIRE || order == CONSUME || order >= ACQ_REL; }
static bool releases(int order) { return order >= RELEASE; }

static double behind(const location *at, int index) {
    double here = at->stores[index]->at;
    return index + 1 == at->count ? here + 1 : (here + at->stores[index + 1]->at) / 2;
}

static uint64_t changed(int op, uint64_t before, uint64_t value) {
    switch (op) {
    case ADD: return before + value;
    case SUBTRACT: return before - value;
    case AND: return before & value;
    case OR: return before | value;
    default: return value;
    }
}

static void touches(uintptr_t address, bool writes) {
    uint64_t bit = 1ull << ((offset(address) * 0x9E3779B97F4A7C15ull) >> 58);
    *(writes ? &touched.writes : &touched.reads) |= bit;
}

static void note(int pc, int op, int order, uintptr_t address, uint64_t value, int older) {
    if (step_count == STEPS) fault("it does not end");
    steps[step_count++] = (step){pc, op, order, current, offset(address), value, older};
}

/* Returns what was there. */
static uint64_t operate(
    int op, void *pointer, int size, uint64_t value, uint64_t expected, int order, int failure, uintptr_t pc) {
    uintptr_t address = (uintptr_t)pointer;
    uint64_t mask = size == 8 ? UINT64_MAX : (1ull << size * 8) - 1;
    value &= mask;
    expected &= mask;
    if (!explores || !is_ours(address)) {
        uint64_t before = in_memory(address, size);
        if (op != LOAD && (op != COMPARE || before == expected)) {
            to_memory(address, size, changed(op, before, value));
        }
        return before;
    }
    int site = pc - CODE_BEGINS < CODE ? site_at[pc - CODE_BEGINS] : 0;
    if (site == 0) fault("an unknown operation @%lx", (long)pc);
    bool quiet = is_quiet[site] == 1 || (is_quiet[site] == 2 && !counts_references);
    if (!quiet) {
        kind_of[site] = (uint8_t)op;
        is_used[site] = true;
        order_of[site][0] = order;
        order_of[site][1] = failure;
    }
    if (site == weakened) *(weakened_part ? &failure : &order) = weakened_to;
    fiber *me = &fibers[current];
    if (!quiet) {
        if (op == LOAD) {
            /* Who looks again at the same place, and has done nothing else meanwhile, sees the same. */
            for (int i = 0; i < me->looks; i++) {
                if (me->looked[i].pc != (int)pc || me->looked[i].address != address) continue;
                if (++me->looked[i].times > 1000) {
                    me->looks = 0;
                    break;
                }
                return me->looked[i].seen->value;
            }
        } else {
            me->looks = 0;
        }
        stop();
    }
    location *at = locate(address, size);
    int index = (int)(at - locations);
    view *view = &me->view;
    shadow *byte = &shadows[offset(address)];
    if (byte->is_gone) fault("memory is used that was let go @%lx", (long)pc);
    if (byte->by != current && byte->written > view->clock[byte->by]) fault("it is not made yet @%lx", (long)pc);
    view->clock[current]++;

    /* What it may read, the newest first. */
    int options[STORES], count = 0;
    for (int i = at->count - 1; i >= 0 && (count == 0 || !quiet); i--) {
        store *seen = at->stores[i];
        if (seen->at < view->floor[index]) break;
        bool fails = op == COMPARE && seen->value != expected, reads = op == LOAD || fails;
        if (!reads && seen->is_followed) continue;
        set before, after;
        if ((fails ? failure : order) == SEQ_CST &&
            !has_place(index, reads ? seen->at : behind(at, i), !reads, &before, &after)) continue;
        options[count++] = i;
    }
    if (count == 0) fault("nothing can be read");
    int chosen = options[choose(count)];
    store *seen = at->stores[chosen];
    bool fails = op == COMPARE && seen->value != expected, reads = op == LOAD || fails;
    if (fails) order = failure;
    touches(address, !reads);
    double place = reads ? seen->at : behind(at, chosen);
    if (order == SEQ_CST) take_place(index, place, !reads);
    if (op != STORE && acquires(order) && seen->is_released) join(view, &seen->seen);
    view->floor[index] = place;
    (reads ? at->reads : at->writes)[current] = view->clock[current];
    uint64_t left = reads ? seen->value : changed(op, seen->value, value) & mask;
    if (!quiet) note((int)pc, op, order, address, left, at->count - 1 - chosen);
    if (op == LOAD && !quiet && me->looks < 8) {
        me->looked[me->looks].pc = (int)pc;
        me->looked[me->looks].address = address;
        me->looked[me->looks].times = 0;
        me->looked[me->looks++].seen = seen;
    }
    if (reads) return seen->value;
    uint64_t before = seen->value;
    if (at->count == STORES) fault("more stores than there is room for");
    store *new = new_store(place, left);
    if (op != STORE) {
        seen->is_followed = true;
        new->is_released = seen->is_released; /* a release sequence goes on */
        new->seen = seen->seen;
    }
    if (releases(order)) {
        new->is_released = true;
        join(&new->seen, view);
    }
    memmove(&at->stores[chosen + 2], &at->stores[chosen + 1], sizeof(store *) * (size_t)(at->count - chosen - 1));
    at->stores[chosen + 1] = new;
    at->count++;
    to_memory(address, size, at->stores[at->count - 1]->value);
    return before;
}

#define PC (uintptr_t)__builtin_return_address(0)
#define OPERATIONS(bits, type) \
    type __tsan_atomic##bits##_load(type *a, int o) { return (type)operate(LOAD, a, sizeof(type), 0, 0, o, o, PC); } \
    void __tsan_atomic##bits##_store(type *a, type v, int o) { operate(STORE, a, sizeof(type), v, 0, o, o, PC); } \
    CHANGE(bits, type, exchange, EXCHANGE) \
    CHANGE(bits, type, fetch_add, ADD) \
    CHANGE(bits, type, fetch_sub, SUBTRACT) \
    CHANGE(bits, type, fetch_and, AND) \
    CHANGE(bits, type, fetch_or, OR) \
    type __tsan_atomic##bits##_compare_exchange_val(type *a, type e, type v, int o, int f) { \
        return (type)operate(COMPARE, a, sizeof(type), v, e, o, f, PC); \
    }
#define CHANGE(bits, type, name, op) \
    type __tsan_atomic##bits##_##name(type *a, type v, int o) { \
        return (type)operate(op, a, sizeof(type), v, 0, o, o, PC); \
    }
OPERATIONS(8, uint8_t)
OPERATIONS(16, uint16_t)
OPERATIONS(32, uint32_t)
OPERATIONS(64, uint64_t)

#define ACCESS(name, size) \
    void __tsan_read##name(void *a) { accesses((uintptr_t)a, size, false); } \
    void __tsan_write##name(void *a) { accesses((uintptr_t)a, size, true); }
ACCESS(1, 1)
ACCESS(2, 2)
ACCESS(4, 4)
ACCESS(8, 8)
ACCESS(16, 16)
void __tsan_unaligned_read2(void *a) { accesses((uintptr_t)a, 2, false); }
void __tsan_unaligned_read4(void *a) { accesses((uintptr_t)a, 4, false); }
void __tsan_unaligned_read8(void *a) { accesses((uintptr_t)a, 8, false); }
void __tsan_unaligned_read16(void *a) { accesses((uintptr_t)a, 16, false); }
void __tsan_unaligned_write2(void *a) { accesses((uintptr_t)a, 2, true); }
void __tsan_unaligned_write4(void *a) { accesses((uintptr_t)a, 4, true); }
void __tsan_unaligned_write8(void *a) { accesses((uintptr_t)a, 8, true); }
void __tsan_unaligned_write16(void *a) { accesses((uintptr_t)a, 16, true); }
void *__tsan_memcpy(void *to, const void *from, size_t size) {
    accesses((uintptr_t)from, size, false);
    accesses((uintptr_t)to, size, true);
    return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
    accesses((uintptr_t)from, size, false);
    accesses((uintptr_t)to, size, true);
    return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
    accesses((uintptr_t)to, size, true);
    return memset(to, value, size);
}
void __tsan_init(void) {}
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_external_write(void *a, void *pc, void *tag) { (void)a, (void)pc, (void)tag; }
void __tsan_external_read(void *a, void *pc, void *tag) { (void)a, (void)pc, (void)tag; }
void __tsan_vptr_update(void **a, void *v) { (void)a, (void)v; }

/* ---- The system ---- */

static long futex(uintptr_t address, int op, uint32_t value, const struct timespec *time) {
    fiber *me = &fibers[current];
    me->looks = 0;
    stop();
    location *at = locate(address, 4);
    touches(address, true);
    /* The kernel's lock for this address. */
    me->view.clock[current]++;
    join(&me->view, &at->bucket);
    if (op == FUTEX_WAKE_PRIVATE) {
        at->bucket = me->view;
        long woken = 0;
        for (int t = 0; t < thread_count && woken < (int32_t)value; t++) {
            if (fibers[t].state != WAITS || fibers[t].waits_on != address) continue;
            fibers[t].state = READY;
            woken++;
        }
        note(0, WAKE, RELAXED, address, (uint64_t)woken, 0);
        return woken;
    }
    int index = (int)(at - locations), options[STORES], count = 0;
    for (int i = at->count - 1; i >= 0 && at->stores[i]->at >= me->view.floor[index]; i--) options[count++] = i;
    store *seen = at->stores[options[choose(count)]];
    me->view.floor[index] = seen->at;
    at->reads[current] = me->view.clock[current];
    at->bucket = me->view;
    note(0, WAIT, RELAXED, address, seen->value, 0);
    if ((uint32_t)seen->value != value) return errno = EAGAIN, -1;
    me->state = WAITS;
    me->waits_on = address;
    me->has_time = time && time->tv_sec < 1000000;
    me->timed_out = false;
    stop();
    return me->timed_out ? (errno = ETIMEDOUT, -1) : 0;
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
    if (number == SYS_futex && explores && is_ours((uintptr_t)a)) {
        return futex((uintptr_t)a, (int)b, (uint32_t)c, (const struct timespec *)d);
    }
    return __real_syscall(number, a, b, c, d, e, f);
}
/* What wakes the main thread: how often it was raised. */
static int raised;
int32_t weak_raised(void) { return raised; }
int __wrap_eventfd(unsigned count, int flags) { return (void)count, (void)flags, 1 << 20; }
extern ssize_t __real_write(int, const void *, size_t), __real_read(int, void *, size_t);
ssize_t __wrap_write(int fd, const void *bytes, size_t size) {
    if (fd < 1 << 20) return __real_write(fd, bytes, size);
    return raised++, (ssize_t)size;
}
ssize_t __wrap_read(int fd, void *bytes, size_t size) {
    return fd < 1 << 20 ? __real_read(fd, bytes, size) : (ssize_t)size;
}
extern int __real_close(int);
int __wrap_close(int fd) { return fd < 1 << 20 ? __real_close(fd) : 0; }
int __wrap_sched_yield(void) { return 0; }
int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    now += clock == CLOCK_MONOTONIC_COARSE ? 0 : 1000000; /* (by that it is never time to look at threads) */
    if (clock == CLOCK_MONOTONIC_COARSE) return memset(time, 0, sizeof *time), 0;
    *time = (struct timespec){1000 + now / 1000000000, now % 1000000000};
    return 0;
}

/* ---- Exploring ---- */

static void *run_thread(void *number) {
    weak_run((int32_t)(intptr_t)number);
    return NULL;
}

static void go_on(int thread) {
    bool is_new = begins[thread];
    begins[thread] = false;
    go_to(thread, is_new);
}

static void execute(int scenario) {
    memset(shadows + arena_begins, 0, sizeof *shadows * (arena_ends - arena_begins));
    memset(location_at + arena_begins, 0, arena_ends - arena_begins);
    location_count = 1, store_count = event_count = step_count = 0, now = 0, blocks = 0, raised = 0;
    place = 0, is_pruned = false, asleep = 0, deviations = 0;
    memset(fibers[0].view.clock, 0, sizeof fibers[0].view.clock);
    memset(fibers[0].view.floor, 0, sizeof fibers[0].view.floor);
    thread_count = 1;
    arena_ends = arena_begins;
    counts_references = strcmp(scenario_name, "References") == 0;
    is_on = true;
    int32_t count = weak_make(scenario);
    for (int32_t i = 0; i < count; i++) new_thread(run_thread, (void *)(intptr_t)i);
    explores = true;
    for (int32_t i = 1; i <= count; i++) go_on(i);
    for (int previous = 0;;) {
        unsigned enabled = 0, done = 0, timed = 0;
        for (int t = 1; t < thread_count; t++) {
            enabled |= (unsigned)(fibers[t].state == READY) << t;
            done += fibers[t].state == DONE;
            timed |= (unsigned)(fibers[t].state == WAITS && fibers[t].has_time) << t;
        }
        if (enabled == 0) {
            if ((int)done == thread_count - 1) break;
            if (timed == 0) fault("threads wait for each other");
            int first = __builtin_ctz(timed);
            fibers[first].state = READY;
            fibers[first].timed_out = true;
            /* Time has passed: it sees what was written. */
            for (int i = 1; i < location_count; i++)
                fibers[first].view.floor[i] = locations[i].stores[locations[i].count - 1]->at;
            asleep = 0;
            continue;
        }
        touched = (footprint){0, 0};
        previous = choose_thread(enabled, previous);
        int at = place - 1;
        go_on(previous);
        if (!is_pruned) after_step(at);
    }
    explores = false;
    weak_end();
    weak_drop();
    is_on = false;
    if (blocks != 0 && is_warm) fault("%ld pieces of memory are left", (long)blocks);
}

enum { FEW = 2 };
static bool is_deeper;

/* All executions of a scenario; of these are `whole` no repetitions of others. */
static int64_t explore(int scenario, int64_t *whole) {
    int64_t count = 0;
    scenario_name = weak_name(scenario);
    path_length = 0;
    int limit = weak_limit(scenario);
    if (weakened && limit >= 0) limit = FEW;
    most_deviations = limit == 0 ? INT32_MAX : abs(limit) + is_deeper;
    do {
        execute(scenario);
        count++;
        *whole += !is_pruned;
    } while (backtrack());
    return count;
}

/* What the first executions make for good is kept. */
static void warm_up(void) {
    for (int i = 0; i < weak_count(); i++) {
        scenario_name = weak_name(i);
        path_length = 0;
        execute(i);
        arena_begins = arena_ends = (arena_ends + 63) & ~(size_t)63;
    }
    is_warm = true;
}

/* ---- Weaker orders ---- */

static int next_weaker(int op, int order, int weaker[2]) {
    int count = 0;
    if (order == SEQ_CST) weaker[count++] = op == LOAD ? ACQUIRE : op == STORE ? RELEASE : ACQ_REL;
    else if (order == ACQ_REL) weaker[count++] = ACQUIRE, weaker[count++] = RELEASE;
    else if (order != RELAXED) weaker[count++] = RELAXED;
    return count;
}

typedef struct { int site, part, order; pid_t process; } mutant;

static void explore_weakened(const mutant *what) {
    is_quiet_run = true;
    weakened = what->site, weakened_part = what->part, weakened_to = what->order;
    int64_t whole = 0;
    for (int i = 0; i < weak_count(); i++)
        if (used_in[what->site] >> i & 1) explore(i, &whole);
    _exit(0);
}

static void weaken_all(int processes) {
    static mutant queue[SITES * 4];
    int begun = 0, ended = 0, count = 0, weaker[2];
    for (int site = 1; site < SITES; site++) {
        for (int part = 0; used_in[site] && part < (names_failure[site] ? 2 : 1); part++) {
            int ways = next_weaker(part ? LOAD : kind_of[site], order_of[site][part], weaker);
            for (int i = 0; i < ways; i++) queue[count++] = (mutant){site, part, weaker[i], 0};
        }
    }
    while (ended < count) {
        if (begun < count && begun - ended < processes) {
            fflush(stdout);
            if ((queue[begun].process = fork()) == 0) explore_weakened(&queue[begun]);
            begun++;
            continue;
        }
        int status;
        pid_t process = wait(&status);
        mutant *what = queue;
        while (what->process != process) what++;
        ended++;
        bool survives = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        printf("%s\t%d\t%d\t%s\n", survives ? "survives" : "fails", what->site, what->part, orders[what->order]);
        if (!survives) continue;
        int ways = next_weaker(what->part ? LOAD : kind_of[what->site], what->order, weaker);
        for (int i = 0; i < ways; i++) queue[count++] = (mutant){what->site, what->part, weaker[i], 0};
    }
}

static void read_sites(const char *name) {
    FILE *file = fopen(name, "r");
    unsigned long pc;
    int site, quiet, failure;
    while (file && fscanf(file, "%lx %d %d %d", &pc, &site, &quiet, &failure) == 4) {
        if (pc - CODE_BEGINS >= CODE || site >= SITES) abort();
        site_at[pc - CODE_BEGINS] = (uint16_t)site;
        is_quiet[site] = (uint8_t)quiet;
        names_failure[site] = failure;
    }
    if (file) fclose(file);
}

/* explorer SITES [PROCESSES [SCENARIO]]: with more than 0, tries weaker orders; DEEPER=1: one deviation more. */
int main(int count, char **arguments) {
#ifdef __x86_64__
    if (!(getauxval(AT_HWCAP2) & 2)) return puts("skipped: the explorer, which cannot set thread pointers here"), 0;
#endif
    read_sites(arguments[1]);
    is_deeper = getenv("DEEPER") != NULL;
    make_fibers();
    warm_up();
    for (int i = 0; i < weak_count(); i++) {
        if (count > 3 && strcmp(arguments[3], weak_name(i)) != 0) continue;
        memset(is_used, 0, sizeof is_used);
        int64_t whole = 0, all = explore(i, &whole);
        for (int site = 1; site < SITES; site++) used_in[site] |= (uint64_t)is_used[site] << i;
        printf("explored\t%s\t%ld\t%ld\n", scenario_name, (long)all, (long)whole);
        fflush(stdout);
    }
    for (int site = 1; site < SITES; site++) {
        if (!used_in[site]) continue;
        printf("used\t%d\n", site);
    }
    if (count > 2 && atoi(arguments[2]) > 0) weaken_all(atoi(arguments[2]));
    return 0;
}
