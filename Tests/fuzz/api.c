/* The input is a program with the whole C interface, of one to four threads. Its callbacks continue the program: they
 * start, emit, dispose, and retain each other. These rules must hold for every program. A subscription receives at most
 * one terminal event. A serialized one receives one event at a time, in the order of each thread, and none after the
 * end. No event follows a disposal that waits. Each context is destroyed once, and not used afterwards. After the
 * release of all objects, no object is alive. */
#include "objects.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

enum { THREADS = 4, DEEPEST = 3 };

/* ---- Callbacks ---- */

static void act(void);
static _Thread_local int depth, own_number;
static bool is_told; /* FUZZ_TELLS=1: what a program does, on stderr */

static void act_inside(void) {
    if (depth >= DEEPEST || below(4) != 1) return;
    int outside = weight;
    depth++;
    for (uint32_t n = 1 + below(2); n > 0; n--) act();
    depth--;
    weight = outside;
}

static sgk_value some_result(void) { return some_value(); }

static bool run_enters(context *c) {
    MUST(!c->is_stopped);
    MUST(!(c->is_serial && (c->ends || c->inside)));
    return enter(c);
}

static void run_next(void *context, sgk_value value) {
    if (!run_enters(context)) return;
    read_value(value);
    act_inside();
    leave(context);
}

static void run_ends(context *c) {
    MUST(!c->is_stopped);
    MUST(!(c->is_serial && c->inside));
    MUST(c->ends++ == 0);
    if (!enter(c)) return;
    act_inside();
    leave(c);
}

static void run_error(void *context, sgk_value error) {
    read_value(error);
    run_ends(context);
}

static void run_completed(void *context) { run_ends(context); }

static void run_started(void *context, sgk_disposable *run) {
    if (!enter(context)) return;
    keep_lent(K_disposable, run);
    act_inside();
    leave(context);
}

static sgk_value run_receive(void *context, sgk_value value) {
    if (!run_enters(context)) return sgk_unchanged();
    sgk_value outcome = some_outcome(value);
    act_inside();
    leave(context);
    return outcome;
}

/* Of the numbers that each thread has emitted, in its order. */
static void ordered_next(void *c, sgk_value value) {
    if (!run_enters(c)) return;
    int64_t number = sgk_to_int(value), thread = number >> 40;
    MUST(thread >= 0 && thread < THREADS && number > ((context *)c)->latest[thread]);
    ((context *)c)->latest[thread] = number;
    act_inside();
    leave(c);
}

/* Emits also when it must stop. */
static bool on_sgk_emit_fn(void *context, const sgk_loop *loop, sgk_value *end) {
    if (!enter(context)) return false;
    for (uint32_t n = below(4); n > 0 && (sgk_loop_goes_on(loop) || below(8) == 0); n--)
        (void)sgk_loop_next(loop, sgk_give(some_value()));
    act_inside();
    bool has_more = below(2);
    if (!has_more && below(2)) *end = sgk_failed(some_value());
    leave(context);
    return has_more;
}

/* The state of a stage is its context. */
static sgk_value on_sgk_map_fn(void *context, sgk_value value);
static void *stage_begin(void *context) { return enter(context) ? leave(context), context : context; }

static sgk_value stage_completed(void *context) {
    if (!enter(context)) return sgk_null();
    act_inside();
    sgk_value made = some_result();
    leave(context);
    return made;
}

/* ---- Structs ---- */

static sgk_handlers handlers_of(context *c) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = c;
    handlers.destroy = destroyed;
    uint32_t which = below(16);
    if (which == 15) handlers.receive = run_receive;
    else handlers.next = run_next;
    if (which % 4 != 3) handlers.error = run_error;
    if (which % 5 != 4) handlers.completed = run_completed;
    if (which % 2 == 0) handlers.started = run_started;
    return handlers;
}

static sgk_handlers some_sgk_handlers(void) { return handlers_of(new_context(true)); }

static void stage_store(void *context, sgk_value value, sgk_value *result) { *result = on_sgk_map_fn(context, value); }

/* Changes a string in place, or replaces the value. */
static void stage_update(void *context, sgk_value *value) {
    if (!enter(context)) return;
    read_value(*value);
    act_inside();
    size_t length = below(100);
    bool is_data = value->kind == SGK_STRING || value->kind == SGK_BYTES;
    char *data = is_data && below(2) ? sgk_value_make_writable(value, length) : NULL;
    sgk_value made = data ? sgk_unchanged() : some_outcome(*value);
    if (data) memset(data, 'x', length);
    if (made.reserved != SGK_OUTCOME_UNCHANGED) {
        sgk_value_release(*value);
        *value = made;
    }
    leave(context);
}

static sgk_stage some_sgk_stage(void) {
    static const char *const names[] = {"sum", "limit"};
    return (sgk_stage){sizeof(sgk_stage), new_context(true), destroyed, names, below(3), below(2) ? stage_begin : NULL,
        NULL, below(2) ? on_sgk_map_fn : NULL, below(2) ? on_sgk_map_fn : NULL, below(2) ? stage_completed : NULL,
        below(2) ? stage_store : NULL, stage_update};
}

static sgk_signal *on_sgk_retry_fn(void *context, sgk_value error, int64_t failures);

static sgk_retry some_sgk_retry(void) {
    sgk_retry policy = SGK_RETRY_INIT;
    policy.attempts = 1 + below(4);
    policy.delay = below(4) ? some_seconds() : SGK_AT_ONCE;
    policy.factor = (double)below(4);
    policy.increment = some_seconds();
    policy.max_delay = some_seconds();
    policy.jitter = below(3) / 2.0;
    policy.reset_after = some_seconds();
    policy.reset_on_value = below(2);
    policy.decide = below(2) ? on_sgk_retry_fn : NULL;
    policy.context = new_context(true);
    policy.destroy = destroyed;
    return policy;
}

/* Objects keep their type, so it is not on the stack. */
static const sgk_object_type object_types[] = {
    {.size = sizeof(sgk_object_type), .name = "one"}, {.size = sizeof(sgk_object_type), .name = "other"}};

#include "calls.h"

enum { CALLS = sizeof calls / sizeof *calls };
static atomic_bool was_called[CALLS];

static void tell_calls(void) {
    int count = 0;
    for (int i = 0; i < CALLS; i++) {
        count += was_called[i];
        if (!was_called[i]) fprintf(stderr, "not called: %s\n", calls[i].name);
    }
    fprintf(stderr, "called: %d of %d functions\n", count, CALLS);
}

/* ---- Operations that are not calls ---- */

static void start_checked(void) {
    taken signal = take(K_signal, false);
    context *c = new_context(true);
    sgk_handlers handlers = handlers_of(c);
    c->is_serial = below(2);
    bool is_waitable = below(3) == 0;
    sgk_signal *started = c->is_serial ? sgk_signal_serialized(signal.handle) : sgk_signal_retain(signal.handle);
    sgk_disposable *run =
        is_waitable ? sgk_signal_start_waitable(started, &handlers) : sgk_signal_start(started, &handlers);
    if (run && is_waitable) {
        if (depth == 0 && below(2) && sgk_disposable_dispose_and_wait(run) == SGK_OK) {
            MUST(c->inside == 0);
            c->is_stopped = true;
        } else {
            sgk_disposable_dispose(run);
        }
    }
    give(K_disposable, run);
    sgk_signal_release(started);
    let_go(signal);
}

static sgk_pipe *ordered; /* of all programs: what their threads emit into, each its numbers */
static int64_t emitted[THREADS];

static sgk_value itself(void *context, sgk_value value) {
    (void)context;
    return sgk_value_retain(value);
}

static sgk_signal *in_order(sgk_signal *source) {
    taken queue = take(K_queue, false);
    sgk_queue *q = queue.handle;
    double seconds = some_seconds();
    int64_t n = some_number();
    sgk_signal *result = NULL;
    uint32_t which = below(12);
    if (is_told) fprintf(stderr, "%d: in order by %u\n", own_number, which);
    switch (which) {
    case 0: result = sgk_signal_map(source, itself, NULL, NULL); break;
    case 1: result = sgk_signal_deliver_on(source, q); break;
    case 2:
        result = sgk_signal_deliver_on_bounded(source, SGK_BOUND(.limit = n, .overflow = some_overflow()), q);
        break;
    case 3: result = sgk_signal_delay_start(source, seconds, q); break;
    case 4:
        result = sgk_signal_delay(source, seconds, SGK_BOUND(.limit = n, .overflow = SGK_OVERFLOW_DROP_OLDEST), q);
        break;
    case 5: result = sgk_signal_distinct_until_changed(source); break;
    case 6: result = sgk_signal_skip(source, n); break;
    case 7: result = sgk_signal_debounce(source, seconds, q); break;
    case 8: result = sgk_signal_throttle(source, seconds, (sgk_edges)(1 + below(3)), q); break;
    case 9: result = sgk_signal_take_last(source, n); break;
    case 10: result = sgk_signal_share(source, 0, 0, NULL); break;
    default: result = sgk_signal_sample(source, seconds, q); break;
    }
    let_go(queue);
    if (!result) return source;
    sgk_signal_release(source);
    return result;
}

static void start_ordered(void) {
    sgk_signal *signal = sgk_pipe_signal(ordered);
    for (uint32_t n = below(4); n > 0; n--) signal = in_order(signal);
    SGK_AUTO(sgk_signal) serial = sgk_signal_serialized(signal);
    sgk_signal_release(signal);
    context *c = new_context(true);
    c->is_serial = true;
    sgk_handlers handlers = handlers_of(c);
    handlers.next = ordered_next;
    handlers.receive = NULL;
    give(K_disposable, sgk_signal_start(serial, &handlers));
}

static void put_ordered(void) {
    if (choosing) sgk_pipe_next(ordered, sgk_int((int64_t)own_number << 40 | ++emitted[own_number]));
}

static void call_native(void) {
    context *context = new_context(true);
    SGK_AUTO(sgk_signature) signature = sgk_signature_create(below(2) ? "(i64) -> i64" : "(i64) -> i64 via libffi");
    sgk_callback *callback =
        sgk_callback_create(signature, sgk_int(3), below(2) ? on_sgk_map_array_fn : NULL, context, destroyed);
    MUST(callback);
    int64_t (*function)(int64_t) = (int64_t(*)(int64_t))sgk_callback_function(callback);
    give(K_signal, sgk_callback_signal(callback));
    for (uint32_t n = below(3); n > 0; n--) (void)function(n);
    sgk_callback_release(callback);
}

static void make_loop_queue(void) { give(K_queue, loop_queue()); }

static const struct {
    uint32_t until;
    void (*make)(void);
    const char *name;
} usual[] = {
    {60, start_checked, "start, checked"},
    {70, start_ordered, "start, in order"},
    {90, put_ordered, "put, in order"},
    {130, call_sgk_pipe_next, "sgk_pipe_next"},
    {133, call_native, "call a function pointer"},
    {135, make_loop_queue, "sgk_queue_create_custom"},
};

static _Thread_local uint64_t done;

static void act(void) {
    uint32_t which = below(256);
    weight = 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (which >= usual[i].until) continue;
        done++;
        being_made = usual[i].name;
        if (is_told) fprintf(stderr, "%d: %*s%s\n", own_number, 2 * depth, "", usual[i].name);
        return usual[i].make();
    }
    const uint32_t number = below(CALLS);
    const call *call = &calls[number];
    if ((call->waits && depth > 0) || (call->ties && !has_ties)) return;
    done++;
    being_made = call->name;
    was_called[number] = true;
    if (is_told) fprintf(stderr, "%d: %*s%s\n", own_number, 2 * depth, "", call->name);
    call->make();
}

/* ---- The threads ---- */

static choices parts[THREADS];
static sem_t begins[THREADS], over;
static int64_t baseline;

static void *run_thread(void *number) {
    own_number = (int)(intptr_t)number;
    for (;;) {
        while (sem_wait(&begins[own_number]) != 0) {}
        choosing = &parts[own_number];
        while (choosing->next < choosing->end && !is_enough) act();
        choosing = NULL;
        count_operations(done);
        done = 0;
        sem_post(&over);
    }
    return NULL;
}

/* This thread runs the main queue and the loop. Threads that wait for each other, as in real programs, are freed by
 * ending everything. */
static void see_through(int running) {
    for (int rounds = 1; running > 0; rounds++) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 500000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        if (sem_timedwait(&over, &until) == 0) running--;
        (void)sgk_main_drain();
        (void)pump();
        if (rounds % 100 == 0) end_all();
    }
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    tell_operations_at_exit();
    atexit(tell_calls);
    is_told = getenv("FUZZ_TELLS");
    set_up();
    ordered = sgk_pipe_create();
    baseline = sgk_live_total();
    MUST(sem_init(&over, 0, 0) == 0);
    for (intptr_t i = 0; i < THREADS; i++) {
        pthread_t thread;
        MUST(sem_init(&begins[i], 0, 0) == 0);
        MUST(pthread_create(&thread, NULL, run_thread, (void *)i) == 0);
        pthread_detach(thread);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return -1;
    uint64_t seed = size;
    for (size_t i = 0; i < size; i++) seed = (seed ^ data[i]) * UINT64_C(0x100000001b3);
    int threads = 1 + data[0] % THREADS;
    has_ties = data[0] & 4;
    reset_handlers();
    begin_objects(seed);
    const size_t share = (size - 1) / (size_t)threads;
    for (int i = 0; i < threads; i++) {
        const uint8_t *part = data + 1 + (size_t)i * share;
        parts[i] = (choices){part, part + share};
    }
    for (int i = 0; i < threads; i++) sem_post(&begins[i]);
    see_through(threads);
    end_all();
    sgk_debug_watch(false);
    end_objects(baseline);
    sgk_clear_error();
    return 0;
}
