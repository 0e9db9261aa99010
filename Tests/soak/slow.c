/* Four threads that emit faster than the consumer reads, with each policy: each value was received or dropped, and
 * counted. */
#include "soak.h"

#include <pthread.h>
#include <time.h>

enum { THREADS = 4, LIMIT = 64, SLOW_EVERY = 512 };

static const struct {
    sgk_overflow policy;
    const char *name;
} policies[] = {
    {SGK_OVERFLOW_SUSPEND, "SUSPEND"},
    {SGK_OVERFLOW_DROP_OLDEST, "DROP_OLDEST"},
    {SGK_OVERFLOW_DROP_NEWEST, "DROP_NEWEST"},
    {SGK_OVERFLOW_KEEP_LATEST, "KEEP_LATEST"},
    {SGK_OVERFLOW_ERROR, "ERROR"},
};

typedef struct flood {
    sgk_pipe *pipe;
    long each;
    atomic_long sent; /* values that arrived at the operator */
    heard taken;
} flood;

static void *emit(void *context) {
    flood *f = context;
    for (long i = 0; i < f->each; i++) sgk_pipe_next(f->pipe, sgk_int(i));
    return NULL;
}

static void emit_all(flood *f) {
    pthread_t emitters[THREADS];
    for (int i = 0; i < THREADS; i++) MUST(pthread_create(&emitters[i], NULL, emit, f) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(emitters[i], NULL);
    sgk_pipe_complete(f->pipe);
}

static void count_sent(void *sent, sgk_value value) { (void)value, ++*(atomic_long *)sent; }

static void take_slowly(void *context, sgk_value value) {
    flood *f = context;
    if (f->taken.nexts % SLOW_EVERY == 0) nanosleep(&(struct timespec){0, 100000}, NULL);
    heard_next(&f->taken, value);
}

static void failed(void *context, sgk_value error) { heard_error(&((flood *)context)->taken, error); }
static void ended(void *context) { heard_end(&((flood *)context)->taken); }
static void gone(void *context) { heard_gone(&((flood *)context)->taken); }

/* A queue takes them. */
static void deliver(flood *f, sgk_signal *source, sgk_overflow policy, sgk_overflow_counter *counter) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("slow");
    SGK_AUTO(sgk_signal)
    delivered =
        sgk_signal_deliver_on_bounded(source, SGK_BOUND(.limit = LIMIT, .overflow = policy, .counter = counter), queue);
    sgk_handlers handlers = {sizeof handlers, f, gone, take_slowly, failed, ended, NULL, NULL};
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(delivered, &handlers);
    emit_all(f);
    MUST(sgk_drain(600) == SGK_OK);
}

typedef struct reading {
    flood *flood;
    sgk_reader *reader;
} reading;

static void *read_slowly(void *context) {
    reading *r = context;
    sgk_value value;
    sgk_status status;
    while ((status = sgk_reader_next(r->reader, 600, &value)) == SGK_OK) {
        take_slowly(r->flood, value);
        sgk_value_release(value);
    }
    if (status == SGK_ERROR_FAILED) failed(r->flood, value);
    else ended(r->flood);
    MUST(status == SGK_ERROR_COMPLETED || status == SGK_ERROR_FAILED);
    gone(r->flood);
    return NULL;
}

/* A thread asks for them. */
static void read_them(flood *f, sgk_signal *source, sgk_overflow policy, sgk_overflow_counter *counter) {
    reading r = {f, sgk_reader_create(source, SGK_BOUND(.limit = LIMIT, .overflow = policy, .counter = counter))};
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, read_slowly, &r) == 0);
    emit_all(f);
    pthread_join(thread, NULL);
    sgk_reader_release(r.reader);
}

typedef void (*consumer)(flood *, sgk_signal *, sgk_overflow, sgk_overflow_counter *);
static const struct {
    const char *name;
    consumer consume;
} consumers[] = {{"deliver_on_bounded", deliver}, {"a reader", read_them}};

static void one(const char *consumer_name, consumer consume, size_t policy, long count) {
    flood f = {.pipe = sgk_pipe_create(), .each = count / THREADS};
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_signal) piped = sgk_pipe_signal(f.pipe);
    SGK_AUTO(sgk_signal) source = sgk_signal_before_next(piped, count_sent, &f.sent, NULL);
    consume(&f, source, policies[policy].policy, counter);
    sgk_pipe_release(f.pipe);
    long dropped = (long)sgk_overflow_counter_dropped(counter);
    long suspended = (long)sgk_overflow_counter_suspended(counter);
    bool fails = policies[policy].policy == SGK_OVERFLOW_ERROR, waits = policies[policy].policy == SGK_OVERFLOW_SUSPEND;
    MUST(f.taken.nexts + dropped == f.sent);
    MUST(fails || f.sent == f.each * THREADS);
    MUST(f.taken.errors == fails && f.taken.ends == !fails && f.taken.gone == 1);
    MUST(fails ? dropped == 1 : waits ? dropped == 0 && suspended > 0 : dropped > 0);
    char what[128];
    snprintf(
        what, sizeof what, "values of four threads for a slow consumer: %s, %s", consumer_name, policies[policy].name);
    tell(what, "%ld taken + %ld dropped = %ld sent%s; an emitting thread blocked %ld times", (long)f.taken.nexts,
        dropped, (long)f.sent, fails ? " until it failed" : "", suspended);
}

void slow_consumers(long count) {
    for (size_t i = 0; i < sizeof consumers / sizeof *consumers; i++)
        for (size_t policy = 0; policy < sizeof policies / sizeof *policies; policy++)
            one(consumers[i].name, consumers[i].consume, policy, count);
}
