/* The values that an atomic operation may read, and the visibility of its effects: views, as in RC11, with a partial
 * order S of the seq_cst operations. */
#include "explorer.h"

#include <string.h>

enum { ALL_STORES = 1024, EVENTS = 192 };

typedef unsigned _BitInt(EVENTS) set;

typedef struct {
    int thread, location;
    uint16_t clock;
    double at;
    bool writes;
    set before;
} event; /* a seq_cst operation */

location locations[LOCATIONS];
static store all_stores[ALL_STORES];
static event events[EVENTS];
int location_count;
static int store_count, event_count;

uint16_t site_at[CODE];
site sites[SITES];
struct weakening weakened;
bool counts_references;

void forget_atomics(void) {
    location_count = 1;
    store_count = event_count = 0;
}

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

location *locate(uintptr_t address, int size) {
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

void join(view *to, const view *from) {
    for (int i = 0; i < location_count; i++)
        if (from->floor[i] > to->floor[i]) to->floor[i] = from->floor[i];
    for (int t = 0; t < thread_count; t++)
        if (from->clock[t] > to->clock[t]) to->clock[t] = from->clock[t];
}

/* Finds the place of an operation in S, after `before` and before `after`. Returns whether there is one. (C++20: after
 * all that strongly happens before it, and in the order of reads and writes of one location.) */
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

void touches(uintptr_t address, bool writes) {
    uint64_t bit = 1ull << ((offset(address) * 0x9E3779B97F4A7C15ull) >> 58);
    *(writes ? &touched.writes : &touched.reads) |= bit;
}

view outside;

/* Orders the accesses around a global variable, such as a lock. Its values are not explored. */
static void pass_outside(int op, int order) {
    view *view = &fibers[current].view;
    view->clock[current]++;
    if (op != STORE && acquires(order)) join(view, &outside);
    if (op != LOAD && releases(order)) join(&outside, view);
}

/* Returns the old value. */
static uint64_t operate(
    int op, void *pointer, int size, uint64_t value, uint64_t expected, int order, int failure, uintptr_t pc) {
    uintptr_t address = (uintptr_t)pointer;
    uint64_t mask = size == 8 ? UINT64_MAX : (1ull << size * 8) - 1;
    value &= mask;
    expected &= mask;
    if (!explores || !is_ours(address)) {
        if (explores) pass_outside(op, order);
        uint64_t before = in_memory(address, size);
        if (op != LOAD && (op != COMPARE || before == expected)) {
            to_memory(address, size, changed(op, before, value));
        }
        return before;
    }
    int number = pc - CODE_BEGINS < CODE ? site_at[pc - CODE_BEGINS] : 0;
    if (number == 0) fault("an unknown operation @%lx", (long)pc);
    site *site = &sites[number];
    bool quiet = site->quiet == 1 || (site->quiet == 2 && !counts_references);
    if (!quiet) {
        site->kind = (uint8_t)op;
        site->is_used = true;
        site->orders[0] = order;
        site->orders[1] = failure;
    }
    if (number == weakened.site) *(weakened.part ? &failure : &order) = weakened.order;
    fiber *me = &fibers[current];
    if (!quiet) {
        if (op == LOAD) {
            /* A repeated read of one location, without other operations in between, returns the same value. */
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

    /* The readable stores, the newest first. */
    int options[STORES], count = 0;
    for (int i = at->count - 1; i >= 0 && (count == 0 || !quiet); i--) {
        store *seen = at->stores[i];
        if (seen->at < view->floor[index]) break;
        bool fails = op == COMPARE && seen->value != expected, reads = op == LOAD || fails;
        if (!reads && seen->is_followed) continue;
        set before, after;
        if ((fails ? failure : order) == SEQ_CST &&
            !has_place(index, reads ? seen->at : behind(at, i), !reads, &before, &after))
            continue;
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
        new->is_released = seen->is_released; /* the release sequence continues */
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

#define PC (uintptr_t) __builtin_return_address(0)
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
