#include "objects.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 8, HEAVIEST = 48 };

_Thread_local choices *choosing;
static atomic_ullong chance; /* of the library's threads */

uint32_t below(uint32_t n) {
    if (choosing) return choose(choosing, n);
    uint64_t bits = atomic_fetch_add(&chance, UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(bits >> 32) % n;
}

/* ---- What each kind has ---- */

#define FUNCTIONS(name) \
    static void *retain_##name(void *h) { return sgk_##name##_retain(h); } \
    static void release_##name(void *h) { sgk_##name##_release(h); }
KINDS(FUNCTIONS)

static const struct {
    void *(*retain)(void *);
    void (*release)(void *);
} of_kind[] = {
#define ROW(name) {retain_##name, release_##name},
    KINDS(ROW)};

/* ---- What a program holds: all with the lock ---- */

typedef struct slot {
    void *handle;
    int weight;
} slot;
typedef struct kept {
    struct kept *next;
    void *handle;
    kind kind;
} kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static slot slots[KIND_COUNT][SLOTS];
static struct {
    sgk_value value;
    int weight;
} value_slots[SLOTS];
static kept *all_kept;
static context *contexts;
static int descriptors[2] = {-1, -1};
bool has_ties;

atomic_int fuel;
atomic_bool is_enough;
context something;
static atomic_int all_inside; /* callbacks that run, on all threads */
static atomic_int all_alive;  /* contexts that are not gone */

_Thread_local int weight;
_Thread_local const char *being_made = "";

/* ---- Contexts ---- */

context *new_context(bool is_owned) {
    context *made = calloc(1, sizeof *made);
    made->is_owned = is_owned;
    made->maker = being_made;
    all_alive++;
    pthread_mutex_lock(&lock);
    made->next = contexts;
    contexts = made;
    pthread_mutex_unlock(&lock);
    return made;
}

/* Releases the signal of a context, which can break a cycle. */
static void cut(context *c) {
    pthread_mutex_lock(&lock);
    sgk_signal *tied = c->tied;
    c->tied = NULL;
    pthread_mutex_unlock(&lock);
    sgk_signal_release(tied);
}

void destroyed(void *c) {
    context *gone = c;
    cut(gone);
    MUST(gone->is_owned);
    MUST(!atomic_exchange(&gone->is_gone, true));
    MUST(gone->inside == 0);
    all_alive--;
}

void is_over(context *c) {
    MUST(c->inside == 0);
    c->is_gone = true;
    all_alive--;
}

static void run_dry(void);

bool enter(void *c) {
    context *entered = c;
    MUST(!entered->is_gone);
    if (atomic_fetch_sub(&fuel, 1) <= 0) run_dry();
    all_inside++; /* before looking: the end looks whether anybody is inside when it has said that it is enough */
    entered->inside++;
    if (!is_enough) return true;
    leave(c);
    return false;
}

void leave(void *c) {
    ((context *)c)->inside--;
    all_inside--;
}

/* ---- Handles ---- */

static taken take_from(kind kind, uint32_t place) {
    pthread_mutex_lock(&lock);
    slot *slot = &slots[kind][place % SLOTS];
    taken taken = {slot->handle ? of_kind[kind].retain(slot->handle) : NULL, kind};
    weight += slot->weight;
    pthread_mutex_unlock(&lock);
    return taken;
}

taken take(kind wanted, bool may_be_null) {
    if (may_be_null && below(2)) return (taken){NULL, wanted};
    uint32_t which = below(256);
    return take_from(which == 255 ? (kind)below(KIND_COUNT) : wanted, which);
}

void let_go(taken taken) {
    if (taken.handle) of_kind[taken.kind].release(taken.handle);
}

/* The result of a callback is transferred to the library, but not a handle of another type. */
void *take_own(kind kind) { return take_from(kind, below(SLOTS)).handle; }

static bool holds_others(kind kind) {
    return has_ties || kind == K_disposable || kind == K_subscriber || kind == K_reader || kind == K_timer;
}

void give(kind kind, void *handle) {
    if (!handle) return;
    int own = weight + 1;
    if (kind == K_signal && own > HEAVIEST) return of_kind[kind].release(handle);
    kept *keeping = holds_others(kind) ? malloc(sizeof *keeping) : NULL;
    uint32_t place = below(SLOTS);
    pthread_mutex_lock(&lock);
    if (keeping) {
        *keeping = (kept){all_kept, of_kind[kind].retain(handle), kind};
        all_kept = keeping;
    }
    slot *slot = &slots[kind][place];
    void *old = slot->handle;
    slot->handle = handle;
    slot->weight = own;
    pthread_mutex_unlock(&lock);
    if (old) of_kind[kind].release(old);
}

void keep_lent(kind kind, void *handle) {
    weight = 16; /* who knows */
    give(kind, of_kind[kind].retain(handle));
}

several take_signals(void) {
    several several = {.count = below(5)};
    for (size_t i = 0; i < several.count; i++) {
        several.taken[i] = take(K_signal, false);
        several.signals[i] = several.taken[i].handle;
    }
    return several;
}

void let_go_signals(several *several) {
    for (size_t i = 0; i < several->count; i++) let_go(several->taken[i]);
}

static sgk_signal *while_not_enough(void *c) {
    if (atomic_fetch_sub(&fuel, 1) <= 0 || is_enough) return sgk_signal_never();
    pthread_mutex_lock(&lock);
    sgk_signal *tied = sgk_signal_retain(((context *)c)->tied);
    pthread_mutex_unlock(&lock);
    return tied ? tied : sgk_signal_never();
}

taken take_ending(kind kind, bool may_be_null) {
    taken signal = take(kind, may_be_null);
    if (!signal.handle || signal.kind != K_signal) return signal;
    context *c = new_context(true);
    pthread_mutex_lock(&lock);
    c->tied = signal.handle;
    pthread_mutex_unlock(&lock);
    return (taken){sgk_signal_deferred(while_not_enough, c, destroyed), K_signal};
}

/* ---- Values ---- */

/* A replay pipe may keep a value that runs the pipe's own signal: without an end, the runs would never stop. A shared
 * signal stores values and its terminal event as long as it exists. If one of them retains that signal, only the
 * program can break the cycle. */
static sgk_value some_signal(void) {
    taken signal = take_ending(K_signal, false);
    sgk_value value = sgk_signal_value(signal.handle);
    let_go(signal);
    return value;
}

static void hold(void *object) { ((context *)object)->inside++; }
static void drop(void *object) { ((context *)object)->inside--; }
static const sgk_object_type object_type = {sizeof object_type, "something", hold, drop, NULL, NULL, NULL};

void some_values(values *values, size_t count) {
    values->count = count;
    for (size_t i = 0; i < count; i++) {
        values->values[i] = some_value();
        values->perhaps[i] = below(2) ? &values->values[i] : NULL;
    }
}

void release_values(values *values) {
    for (size_t i = 0; i < values->count; i++) sgk_value_release(values->values[i]);
}

static sgk_value some_array(void) {
    values items;
    some_values(&items, below(3));
    sgk_value array = sgk_array(items.values, items.count);
    release_values(&items);
    return array;
}

static sgk_value some_error(void) {
    sgk_value cause = below(2) ? some_value() : sgk_null();
    return sgk_error_from((int)below(5) - 2, some_text(), sgk_give(cause));
}

static sgk_value some_given(void) {
    uint32_t place = below(SLOTS);
    pthread_mutex_lock(&lock);
    sgk_value value = sgk_value_retain(value_slots[place].value);
    weight += value_slots[place].weight;
    pthread_mutex_unlock(&lock);
    return value;
}

sgk_value some_value(void) {
    uint32_t which = below(17);
    switch (which) {
    case 0: return sgk_null();
    case 1: return sgk_bool(below(2));
    case 2: return sgk_double(some_seconds());
    case 3: return sgk_string(some_text());
    case 4: return sgk_bytes("\0\1\2\377", below(5));
    case 5: return some_array();
    case 6: return sgk_pointer(&something);
    case 7:
    case 8: return has_ties ? some_signal() : sgk_int(which);
    case 9: return sgk_object(&something, &object_type);
    case 10:
    case 11: return some_given();
    case 16: return some_error();
    default: return sgk_int(below(8));
    }
}

sgk_value some_outcome(sgk_value value) {
    switch (below(6)) {
    case 0: return sgk_dropped();
    case 1: return sgk_failed(some_value());
    case 2: return sgk_value_retain(value);
    case 3: return some_value();
    default: return sgk_unchanged();
    }
}

void give_value(sgk_value value) {
    uint32_t place = below(SLOTS);
    pthread_mutex_lock(&lock);
    sgk_value old = value_slots[place].value;
    value_slots[place].value = value;
    value_slots[place].weight = weight;
    pthread_mutex_unlock(&lock);
    sgk_value_release(old);
}

void read_value(sgk_value value) {
    char text[32];
    size_t count = 0;
    uint32_t how = below(8);
    if (how == 0) MUST(sgk_value_equal(value, value));
    if (how == 1) (void)sgk_value_describe(value, text, sizeof text);
    if (how == 2) (void)sgk_value_hash(value);
    if (how == 3 && has_ties && sgk_value_kind(value) == SGK_SIGNAL) weight = 16, give(K_signal, sgk_to_signal(value));
    if (how == 4 && sgk_value_kind(value) == SGK_ARRAY) (void)sgk_array_items(value, &count);
    if (how == 5) weight = 16, give_value(sgk_value_retain(value));
}

/* ---- Arguments ---- */

double some_seconds(void) {
    static const double seconds[] = {0, 0, 0.25, 0.5, 1, 1, 2, 3, 0.001, 100, -1, NAN, INFINITY, 1e300, 5e-324, 0.1};
    return seconds[below(16)];
}

double some_short_time(void) {
    static const double seconds[] = {0, 0.001, 0.5, -1, NAN, 0, 0.001, 0};
    return seconds[below(8)];
}

int64_t some_number(void) {
    static const int64_t numbers[] = {
        0, 1, 1, 2, 2, 3, 4, SGK_UNBOUNDED, SGK_UNBOUNDED, -1, -7, INT64_MIN, INT64_MAX, 100, 1, 2};
    return numbers[below(16)];
}

/* Also the default, one that is unknown, and each of these with PAUSE. */
uint32_t some_overflow(void) {
    uint32_t policy = below(14);
    return policy < 7 ? policy : SGK_OVERFLOW_PAUSE | (policy - 7);
}

sgk_bound some_bound(sgk_overflow_counter *counter) {
    sgk_bound bound = SGK_BOUND_INIT;
    bound.limit = below(8) ? some_number() : SGK_UNBUFFERED;
    bound.overflow = some_overflow();
    bound.counter = counter;
    bound.error = some_value();
    return bound;
}

int some_descriptor(void) {
    pthread_mutex_lock(&lock);
    if (descriptors[0] < 0) MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, descriptors) == 0);
    pthread_mutex_unlock(&lock);
    uint32_t which = below(5);
    if (which == 4) return -1;
    if (which == 3) (void)!write(descriptors[0], "ab\ncd\n", 6);
    return descriptors[which % 2];
}

int some_unix_signal(void) {
    static const int numbers[] = {SIGURG, SIGWINCH, SIGURG, 0, -1, 1000, SIGKILL, SIGWINCH};
    uint32_t which = below(8);
    if (which == 2) (void)raise(SIGURG);
    return numbers[which];
}

#define TEN "1234567890"
#define FIFTY TEN TEN TEN TEN TEN
static const char texts[][320] = {"", "a", "b", "(i64) -> i64", "%s%n%d", "/tmp", "(ctx, value) -> value",
    "\xff\xfe\xc0\x80 no text", "a name\nwith a line", FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY};

const char *some_text(void) {
    uint32_t which = below(sizeof texts / sizeof *texts + 1);
    return which == sizeof texts / sizeof *texts ? NULL : texts[which];
}

size_t some_length(void) { return below(64); }

/* ---- Functions with signatures ---- */

static int64_t number_of_number(void *context, int64_t number) {
    if (enter(context)) leave(context);
    return (int64_t)((uint64_t)number + 1);
}

static bool flag_of_number(void *context, int64_t number) {
    if (enter(context)) leave(context);
    return number % 2 == 0;
}

static void nothing_of_number(void *context, int64_t number) {
    (void)number;
    if (enter(context)) leave(context);
}

static int64_t number_of_two(void *context, int64_t a, int64_t b) {
    if (enter(context)) leave(context);
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static sgk_value value_of_value(void *context, sgk_value value) {
    if (!enter(context)) return sgk_null();
    sgk_value result = below(2) ? sgk_value_retain(value) : some_value();
    leave(context);
    return result;
}

static void nothing(void *context) {
    if (enter(context)) leave(context);
}

static struct {
    const char *text;
    sgk_function function;
    sgk_signature *signature;
} all_typed[] = {
    {"(ctx, i64) -> i64", (sgk_function)number_of_number, NULL},
    {"(ctx, i64) -> bool", (sgk_function)flag_of_number, NULL},
    {"(ctx, i64) -> void", (sgk_function)nothing_of_number, NULL},
    {"(ctx, i64, i64) -> i64", (sgk_function)number_of_two, NULL},
    {"(ctx, value) -> value", (sgk_function)value_of_value, NULL},
    {"(ctx, value) -> value via libffi", (sgk_function)value_of_value, NULL},
    {"(ctx) -> void", (sgk_function)nothing, NULL},
};
enum { TYPED = sizeof all_typed / sizeof *all_typed };

typed some_typed(void) {
    uint32_t which = below(TYPED + 1);
    if (which == TYPED) return (typed){NULL, NULL};
    return (typed){all_typed[which].function, all_typed[which].signature};
}

/* ---- The loop of the custom queue ---- */

typedef struct job {
    struct job *next;
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy;
} job;
static job *first_job, **last_job = &first_job;
static bool loop_has_ended;
static pthread_t loop_thread;

static sgk_status loop_async(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    (void)context;
    job *made = malloc(sizeof *made);
    *made = (job){NULL, work, work_context, destroy};
    pthread_mutex_lock(&lock);
    bool is_refused = loop_has_ended;
    if (!is_refused) *last_job = made, last_job = &made->next;
    pthread_mutex_unlock(&lock);
    if (is_refused) free(made);
    return is_refused ? SGK_ERROR_ENDED : SGK_OK;
}

static bool loop_is_current(void *context) {
    (void)context;
    return pthread_equal(pthread_self(), loop_thread);
}

int64_t pump(void) {
    int64_t count = 0;
    for (;; count++) {
        pthread_mutex_lock(&lock);
        job *job = first_job;
        if (job && !(first_job = job->next)) last_job = &first_job;
        pthread_mutex_unlock(&lock);
        if (!job) return count;
        job->work(job->context);
        job->destroy(job->context);
        free(job);
    }
}

sgk_queue *loop_queue(void) {
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.dispatch = loop_async;
    if (below(2)) table.is_current = loop_is_current;
    return sgk_queue_create_custom(&table, NULL);
}

/* ---- A whole program ---- */

void set_up(void) {
    loop_thread = pthread_self();
    for (size_t i = 0; i < TYPED; i++) MUST(all_typed[i].signature = sgk_signature_create(all_typed[i].text));
}

void begin_objects(uint64_t seed) {
    choices none = {NULL, NULL};
    chance = seed;
    fuel = FUEL;
    is_enough = false;
    loop_has_ended = false;
    choosing = &none;
    sgk_queue *virtual = sgk_queue_create_virtual(NULL);
    sgk_queue *queues[] = {virtual, sgk_queue_create("q"), loop_queue(), sgk_queue_main(),
        sgk_queue_concurrent_default(), sgk_queue_create_virtual(virtual), sgk_queue_create(NULL)};
    sgk_pipe *pipes[] = {sgk_pipe_create(), sgk_pipe_create(), sgk_pipe_create_replay()};
    for (int i = 0; i < 7; i++) slots[K_queue][i].handle = queues[i];
    for (int i = 0; i < 3; i++) {
        slots[K_pipe][i].handle = pipes[i];
        slots[K_signal][i] = (slot){sgk_pipe_signal(pipes[i]), 1};
        slots[K_signature][i].handle = sgk_signature_retain(all_typed[i].signature);
        if (has_ties) {
            kept *keeping = malloc(sizeof *keeping);
            *keeping = (kept){all_kept, sgk_pipe_retain(pipes[i]), K_pipe};
            all_kept = keeping;
        }
    }
    slots[K_signal][3] = (slot){sgk_signal_range(1, 3), 1};
    slots[K_signal][4] = (slot){sgk_signal_interval(1, virtual), 1};
    slots[K_state][0].handle = sgk_state_create_value(sgk_int(1), false);
    choosing = NULL;
}

static void end_one(kind kind, void *handle) {
    switch (kind) {
    case K_disposable: (void)sgk_disposable_dispose(handle); break;
    case K_pipe: (void)sgk_pipe_complete(handle); break;
    case K_promise: {
        SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_null());
        (void)sgk_promise_set(handle, single);
        break;
    }
    case K_state: (void)sgk_state_set(handle, sgk_null()); break;
    case K_event_link: (void)sgk_event_emitter_finish(handle), (void)sgk_event_link_unlink(handle); break;
    case K_link_bag: (void)sgk_link_bag_clear(handle); break;
    case K_reader: (void)sgk_reader_close(handle); break;
    case K_timer: (void)sgk_timer_invalidate(handle); break;
    case K_subscriber: (void)sgk_subscriber_complete(handle); break;
    case K_thread_pool: (void)sgk_thread_pool_shutdown(handle); break;
    default: break;
    }
}

/* Ends objects in any order, and from anywhere. Their callbacks may create more objects. */
void end_all(void) {
    is_enough = true;
    pthread_mutex_lock(&lock);
    size_t count = 0, place = 0;
    for (kept *one = all_kept; one; one = one->next) count++;
    taken *all = malloc((count + 1) * sizeof *all);
    for (kept *one = all_kept; one; one = one->next)
        all[place++] = (taken){of_kind[one->kind].retain(one->handle), one->kind};
    context *newest = contexts;
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < count; i++) {
        end_one(all[i].kind, all[i].handle);
        let_go(all[i]);
    }
    free(all);
    for (context *one = newest; one; one = one->next) cut(one);
}

static void run_dry(void) {
    if (!atomic_exchange(&is_enough, true)) end_all();
}

static void release_slots(void) {
    for (kind kind = 0; kind < KIND_COUNT; kind++) {
        for (int i = 0; i < SLOTS; i++) {
            pthread_mutex_lock(&lock);
            void *handle = slots[kind][i].handle;
            slots[kind][i] = (slot){NULL, 0};
            pthread_mutex_unlock(&lock);
            if (handle) of_kind[kind].release(handle);
        }
    }
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&lock);
        sgk_value value = value_slots[i].value;
        value_slots[i].value = sgk_null();
        pthread_mutex_unlock(&lock);
        sgk_value_release(value);
    }
    for (;;) {
        pthread_mutex_lock(&lock);
        kept *one = all_kept;
        if (one) all_kept = one->next;
        pthread_mutex_unlock(&lock);
        if (!one) break;
        end_one(one->kind, one->handle); /* what a callback has made that was still running */
        of_kind[one->kind].release(one->handle);
        free(one);
    }
}

/* Reports whether a leaked object is reachable, and the call that created it. */
static void tell_leaks(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    __lsan_do_recoverable_leak_check();
#endif
#endif
}

static void nothing_is_left(int64_t baseline, int waited) {
    int64_t left = sgk_live_total();
    if (left == baseline && all_alive == 0) return;
    fprintf(stderr, "after %d rounds\n", waited);
    for (context *one = contexts; one; one = one->next)
        if (!one->is_gone) fprintf(stderr, "a context of %s is not destroyed\n", one->maker);
    fprintf(stderr, "left: %lld instead of %lld\n", (long long)left, (long long)baseline);
    for (int kind = 0; sgk_live_count((sgk_live)kind) >= 0; kind++) {
        int64_t count = sgk_live_count((sgk_live)kind);
        if (count) fprintf(stderr, "left: %lld of kind %s\n", (long long)count, sgk_live_text((sgk_live)kind));
    }
    tell_leaks();
    MUST(left == baseline);
    MUST(all_alive == 0);
}

static void say_nothing(void *context, const char *message) { (void)context, (void)message; }

static _Thread_local bool has_begun;

static void thread_begins(void *context, const char *name) {
    (void)context;
    MUST(!has_begun && strncmp(name, "signalkit", 9) == 0);
    has_begun = true;
}

static void thread_ends(void *context, const char *name) {
    (void)context;
    MUST(has_begun && strncmp(name, "signalkit", 9) == 0);
    has_begun = false;
}

void reset_handlers(void) {
    sgk_set_thread_hooks(thread_begins, thread_ends, NULL, NULL);
    sgk_set_log_handler(say_nothing, NULL, NULL);
    sgk_set_trace_handler(NULL, NULL, NULL);
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
}

void end_objects(int64_t baseline) {
    int rounds = 0;
    for (; rounds < 10000; rounds++) {
        end_all();
        reset_handlers(); /* a late callback may have set one */
        release_slots();
        (void)sgk_main_drain();
        (void)pump();
        if (all_inside == 0 && all_alive == 0 && sgk_live_total() == baseline) break;
        (void)sgk_drain(1);
        nanosleep(&(struct timespec){0, rounds < 100 ? 10000 : 1000000}, NULL);
    }
    nothing_is_left(baseline, rounds);
    MUST(something.inside == 0);
    while (contexts) {
        context *gone = contexts;
        contexts = gone->next;
        MUST(gone->inside == 0);
        free(gone);
    }
    for (int i = 0; i < 2; i++) {
        if (descriptors[i] >= 0) close(descriptors[i]);
        descriptors[i] = -1;
    }
}
