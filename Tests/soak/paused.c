/* Lines of pipes that the program writes faster than the consumer takes them, with SGK_OVERFLOW_PAUSE: each line
 * arrives once and in order, memory does not grow, and no thread of the library is blocked. */
#include "soak.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SOURCES = 4, LIMIT = 1024, SLOW_EVERY = 512, WAIT_EVERY = 10000, AHEAD = LIMIT + 16, ROOM = 4 << 20 };

/* Source i of n emits the lines i, i + n, i + 2n, … */
typedef struct source {
    long first, step, count;
    int ends[2];
    sgk_queue *reads;
} source;

typedef struct stream {
    source sources[SOURCES];
    int count; /* of the sources */
    long lines;
    atomic_long read, most_ahead; /* lines that this consumer has not taken, at most */
    struct consumer *consumer;
} stream;

/* It takes lines slowly. At every 10,000th line it waits until the queue of each source has done other work. If a
 * thread of a source waited for the consumer, that work would never be done. */
typedef struct consumer {
    stream *stream;
    heard heard;
    long next[SOURCES];
    long resident, most; /* after the first tenth, and the most after it */
    sem_t done;
} consumer;

static void *write_lines(void *context) {
    source *s = context;
    char block[1 << 14], *end = block;
    for (long n = s->first; n < s->count; n += s->step) {
        end += sprintf(end, "%ld\n", n);
        if (end - block < (long)sizeof block - 32 && n + s->step < s->count) continue;
        for (const char *at = block; at < end;) {
            ssize_t written = write(s->ends[1], at, (size_t)(end - at));
            MUST(written > 0 || errno == EINTR);
            if (written > 0) at += written;
        }
        end = block;
    }
    close(s->ends[1]);
    return NULL;
}

static void count_read(void *context, sgk_value line) {
    stream *s = context;
    long ahead = ++s->read - s->consumer->heard.nexts;
    for (long most = s->most_ahead; most < ahead;)
        if (atomic_compare_exchange_weak(&s->most_ahead, &most, ahead)) break;
    (void)line;
}

static void done(void *context) { sem_post(&((consumer *)context)->done); }

static void take(void *context, sgk_value line) {
    consumer *c = context;
    stream *s = c->stream;
    long n = strtol(sgk_to_text(line), NULL, 10), count = c->heard.nexts++;
    MUST(n == c->next[n % s->count]);
    c->next[n % s->count] += s->count;
    if (count % SLOW_EVERY == 0) nanosleep(&(struct timespec){0, 100000}, NULL);
    if (count % WAIT_EVERY != 0) return;
    for (int i = 0; i < s->count; i++) MUST(sgk_queue_dispatch(s->sources[i].reads, done, c, NULL) == SGK_OK);
    for (int i = 0; i < s->count; i++)
        while (sem_wait(&c->done) != 0) MUST(errno == EINTR);
    if (count < s->lines / 10) return;
    long now = resident();
    if (c->resident == 0) c->resident = now;
    if (now > c->most) c->most = now;
}

static void failed(void *context, sgk_value error) { heard_error(&((consumer *)context)->heard, error); }
static void ended(void *context) { heard_end(&((consumer *)context)->heard); }
static void gone(void *context) { heard_gone(&((consumer *)context)->heard); }

static sgk_disposable *consume(sgk_signal *signal, consumer *c, sgk_overflow_counter *counter) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("slow");
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(
        signal, SGK_BOUND(.limit = LIMIT, .overflow = SGK_OVERFLOW_PAUSE, .counter = counter), queue);
    sgk_handlers handlers = {sizeof handlers, c, gone, take, failed, ended, NULL, NULL};
    sgk_disposable *run = sgk_signal_start(bounded, &handlers);
    MUST(run);
    return run;
}

static sgk_signal *itself_elsewhere(void *context, sgk_value line) {
    (void)context;
    SGK_AUTO(sgk_signal) one = sgk_signal_just(line);
    return sgk_signal_run_on(one, sgk_queue_concurrent_default());
}

typedef sgk_signal *(*way)(sgk_signal *const *lines, size_t count);
static sgk_signal *plain(sgk_signal *const *lines, size_t count) { return (void)count, sgk_signal_retain(lines[0]); }
static sgk_signal *shared(sgk_signal *const *lines, size_t count) {
    return (void)count, sgk_signal_share(lines[0], 0, 0, NULL);
}
static sgk_signal *ordered(sgk_signal *const *lines, size_t count) {
    SGK_AUTO(sgk_signal) merged = sgk_merge(lines, count);
    return sgk_signal_map_ordered(
        merged, 4, SGK_BOUND(.limit = SGK_UNBUFFERED, .overflow = SGK_OVERFLOW_PAUSE), itself_elsewhere, NULL, NULL);
}

static const struct {
    const char *name;
    way through;
    int sources, consumers;
} ways[] = {
    {"directly", plain, 1, 1},
    {"from four sources through merge", sgk_merge, SOURCES, 1},
    {"from two sources through merge and map_ordered, whose inner signals run elsewhere", ordered, 2, 1},
    {"through share, for two consumers", shared, 1, 2},
};

static void one(size_t which, long count) {
    stream s = {.count = ways[which].sources, .lines = count};
    sgk_signal *lines[SOURCES];
    for (int i = 0; i < s.count; i++) {
        source *each = &s.sources[i];
        *each = (source){.first = i, .step = s.count, .count = count, .reads = sgk_queue_create("reads")};
        MUST(pipe(each->ends) == 0);
        SGK_AUTO(sgk_signal) read = sgk_signal_fd_lines(each->ends[0], 100, each->reads);
        lines[i] = sgk_signal_before_next(read, count_read, &s, NULL);
    }
    SGK_AUTO(sgk_signal) signal = ways[which].through(lines, (size_t)s.count);
    MUST(signal);
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    consumer consumers[2] = {{.stream = &s}, {.stream = &s}};
    s.consumer = consumers;
    sgk_disposable *runs[2];
    for (int i = 0; i < ways[which].consumers; i++) {
        MUST(sem_init(&consumers[i].done, 0, 0) == 0);
        for (int k = 0; k < s.count; k++) consumers[i].next[k] = k;
        runs[i] = consume(signal, &consumers[i], counter);
    }
    pthread_t writers[SOURCES];
    const double begin = now();
    for (int i = 0; i < s.count; i++) {
        MUST(pthread_create(&writers[i], NULL, write_lines, &s.sources[i]) == 0);
        close(s.sources[i].ends[0]);
        sgk_signal_release(lines[i]);
    }
    for (int i = 0; i < s.count; i++) pthread_join(writers[i], NULL);
    /* No queue has work while the system has nothing to report, so sgk_drain alone could return before the end. */
    for (int i = 0; i < ways[which].consumers; i++)
        while (consumers[i].heard.gone == 0 && now() - begin < 600) nanosleep(&(struct timespec){0, 1000000}, NULL);
    MUST(sgk_drain(600) == SGK_OK);
    const double seconds = now() - begin;
    long growth = 0;
    for (int i = 0; i < ways[which].consumers; i++) {
        consumer *c = &consumers[i];
        MUST(c->heard.nexts == count && c->heard.ends == 1 && c->heard.errors == 0 && c->heard.gone == 1);
        if (growth < c->most - c->resident) growth = c->most - c->resident;
        sgk_disposable_release(runs[i]);
        sem_destroy(&c->done);
    }
    for (int i = 0; i < s.count; i++) sgk_queue_release(s.sources[i].reads);
    MUST(growth < ROOM && s.most_ahead <= AHEAD);
    MUST(sgk_overflow_counter_dropped(counter) == 0 && sgk_overflow_counter_suspended(counter) == 0);
    char what[160];
    snprintf(what, sizeof what, "lines of pipes for a slow consumer, with PAUSE at 1,024 lines: %s", ways[which].name);
    tell(what,
        "each line arrives once and in order; at most %ld lines ahead of the consumer; after the first tenth memory "
        "grows by at most %ld KiB; no thread of the library is blocked; %.1f s",
        (long)s.most_ahead, growth / 1024, seconds);
}

void paused(long count) {
    for (size_t which = 0; which < sizeof ways / sizeof *ways; which++) {
        one(which, count);
        nothing_is_left();
    }
}
