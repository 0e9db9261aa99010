#include "suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

void counted_destroy(void *context) { ((counted *)context)->destroyed++; }
void counted_work(void *context) { ((counted *)context)->calls++; }

void counted_next(void *context, sgk_value value) {
    (void)value;
    counted_work(context);
}

void assert_ended(sgk_queue *queue, counted *c) {
    int calls = c->calls, destroyed = c->destroyed;
    assert_int_equal(sgk_queue_dispatch(queue, counted_work, c, counted_destroy), SGK_ERROR_ENDED);
    assert_failed(SGK_ERROR_ENDED, "sgk_queue_dispatch: queue: ");
    assert_int_equal(c->destroyed, destroyed + 1);
    assert_int_equal(sgk_queue_sync(queue, counted_work, c), SGK_ERROR_ENDED);
    assert_failed(SGK_ERROR_ENDED, "sgk_queue_sync: queue: ");
    assert_int_equal(c->calls, calls);
}

static int64_t number_of(sgk_value value) {
    if (sgk_value_kind(value) != SGK_ARRAY) return sgk_to_int(value);
    size_t count = 0;
    const sgk_value *items = sgk_array_items(value, &count);
    uint64_t sum = 0; /* of long arrays only what fits */
    for (size_t i = 0; i < count; i++) sum = sum * 100 + (uint64_t)sgk_to_int(items[i]);
    return (int64_t)sum;
}

static void on_next(void *context, sgk_value value) {
    recorder *r = context;
    if (r->inside++) r->overlapped = true;
    if (r->yields) sched_yield();
    pthread_mutex_lock(&r->lock);
    if (r->count < RECORDED) r->values[r->count++] = number_of(value);
    pthread_mutex_unlock(&r->lock);
    if (r->errors || r->ends) r->late = true;
    if (++r->nexts == r->dispose_at) sgk_disposable_dispose(r->run);
    r->inside--;
}

static void on_error(void *context, sgk_value error) {
    recorder *r = context;
    if (r->errors || r->ends) r->late = true;
    r->error = sgk_to_int(error);
    r->errors++;
}

static void on_completed(void *context) {
    recorder *r = context;
    if (r->errors || r->ends) r->late = true;
    r->ends++;
}

static void on_started(void *context, sgk_disposable *run) { ((recorder *)context)->run = sgk_disposable_retain(run); }
static void on_destroy(void *context) { ((recorder *)context)->destroyed++; }

recorder *recorder_new(void) {
    recorder *r = calloc(1, sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void recorder_free(recorder *r) {
    EVENTUALLY(r->destroyed == 1);
    assert_false(r->late);
    assert_true(r->errors + r->ends <= 1);
    sgk_disposable_release(r->run);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

sgk_handlers recorder_handlers(recorder *r) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = r;
    handlers.destroy = on_destroy;
    handlers.next = on_next;
    handlers.error = on_error;
    handlers.completed = on_completed;
    handlers.started = on_started;
    return handlers;
}

sgk_disposable *record_run(sgk_signal *signal, recorder *r) {
    sgk_handlers handlers = recorder_handlers(r);
    return sgk_signal_start(signal, &handlers);
}

void assert_recorded(recorder *r, int count, const int64_t *values) {
    pthread_mutex_lock(&r->lock);
    int same = r->count == count && memcmp(r->values, values, (size_t)count * sizeof *values) == 0;
    if (!same) {
        print_error("recorded:");
        for (int i = 0; i < r->count; i++) print_error(" %lld", (long long)r->values[i]);
        print_error("\nexpected:");
        for (int i = 0; i < count; i++) print_error(" %lld", (long long)values[i]);
        print_error("\n");
    }
    pthread_mutex_unlock(&r->lock);
    assert_true(same);
}

static atomic_llong rounds;

static sgk_disposable *count_up(void *context, sgk_subscriber *subscriber) {
    int64_t n = *(int64_t *)context;
    for (int64_t i = 1; i <= n; i++) {
        rounds++;
        if (sgk_subscriber_next(subscriber, sgk_int(i)) != SGK_OK) return NULL;
    }
    sgk_subscriber_complete(subscriber);
    return NULL;
}

sgk_signal *first_within_or(sgk_signal *signal, double seconds, sgk_signal *other, sgk_queue *queue) {
    SGK_AUTO(sgk_signal) timed = sgk_signal_timeout_first(signal, seconds, queue);
    return sgk_signal_catch_with(timed, other);
}

sgk_signal *each_within_or(sgk_signal *signal, double seconds, sgk_signal *other, sgk_queue *queue) {
    SGK_AUTO(sgk_signal) timed = sgk_signal_timeout(signal, seconds, queue);
    return sgk_signal_catch_with(timed, other);
}

sgk_signal *count_to(int64_t n) {
    int64_t *context = malloc(sizeof *context);
    *context = n;
    return sgk_signal_create(count_up, context, free);
}

int64_t generator_rounds(void) { return rounds; }

int open_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 4096; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

int repeated(int usual) { return getenv("SUITE_SLOW") ? usual / 10 : usual; }

static void hand_disposed(void *context) { ((hand *)context)->disposals++; }
static void hand_destroyed(void *context) { ((hand *)context)->destroyed++; }

static sgk_disposable *hand_started(void *context, sgk_subscriber *subscriber) {
    hand *h = context;
    sgk_subscriber_release(h->subscriber);
    h->subscriber = sgk_subscriber_retain(subscriber);
    h->starts++; /* a thread that reads this also sees the subscriber */
    return sgk_action_disposable_create(hand_disposed, h, NULL);
}

sgk_signal *hand_signal(hand *h) {
    memset(h, 0, sizeof *h);
    return sgk_signal_create(hand_started, h, hand_destroyed);
}

void hand_free(hand *h) {
    sgk_subscriber_release(h->subscriber);
    h->subscriber = NULL;
}

bool next_number(void *context, sgk_value *value) {
    numbers *n = context;
    if (n->next == n->count) return false;
    *value = sgk_int(n->next++);
    return true;
}

void numbers_destroy(void *context) { ((numbers *)context)->destroyed++; }

void sequence_next(void *context, sgk_value value) {
    sequence *s = context;
    if (sgk_to_int(value) != s->count) s->is_wrong = true;
    s->count++;
    if (s->slow && s->count % s->slow == 0) sleep_a_moment();
    if (s->count != s->hold_at) return;
    s->hold = sgk_disposable_hold(s->run);
    assert_non_null(s->hold);
    if (s->disposes) sgk_disposable_dispose(s->run);
}
void sequence_failed(void *context, sgk_value error) {
    (void)error;
    ((sequence *)context)->has_failed = true;
}
void sequence_ended(void *context) { ((sequence *)context)->has_ended = true; }
void sequence_destroy(void *context) { ((sequence *)context)->destroyed++; }
sgk_disposable *sequence_run(sgk_signal *signal, sequence *s, sgk_next_fn next) {
    return sgk_signal_start(signal,
        SGK_HANDLERS(.context = s, .destroy = sequence_destroy, .next = next, .error = sequence_failed,
            .completed = sequence_ended));
}

sgk_value times_ten(void *context, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) * 10);
}

bool is_even(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) % 2 == 0;
}

sgk_value as_signal(void *context, sgk_value value) {
    (void)context;
    SGK_AUTO(sgk_signal) single = sgk_signal_just(value);
    return sgk_signal_value(single);
}

void do_nothing(void *context) { (void)context; }
void wait_at(void *context) { EVENTUALLY(((door *)context)->is_open); }

void open_and_wait(door *door) {
    door->is_open = true;
    EVENTUALLY(door->passed.destroyed == 1);
}

void put_signal(sgk_pipe *pipe, sgk_signal *signal) {
    sgk_value value = sgk_signal_value(signal);
    sgk_pipe_next(pipe, value);
    sgk_value_release(value);
}

typedef struct job {
    void (*body)(void *, int);
    void *context;
    int index;
    pthread_barrier_t *start;
} job;

static void *job_run(void *argument) {
    job *j = argument;
    pthread_barrier_wait(j->start);
    j->body(j->context, j->index);
    return NULL;
}

int threads_of(const char *name, char status[300]) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    assert_non_null(tasks);
    for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
        char path[300], found[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
        FILE *file = fopen(path, "r");
        if (file == NULL) continue;
        if (fgets(found, sizeof found, file)) found[strcspn(found, "\n")] = 0;
        fclose(file);
        if (strcmp(found, name) != 0) continue;
        snprintf(status, 300, "/proc/self/task/%.100s/status", task->d_name);
        count++;
    }
    closedir(tasks);
    return count;
}

int threads_named(const char *name) { return threads_of(name, (char[300]){0}); }

void in_parallel(int count, void (*body)(void *context, int index), void *context) {
    pthread_t threads[16];
    job jobs[16];
    pthread_barrier_t start;
    assert_true(count <= 16);
    pthread_barrier_init(&start, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        jobs[i] = (job){body, context, i, &start};
        assert_int_equal(pthread_create(&threads[i], NULL, job_run, &jobs[i]), 0);
    }
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
}

#if __has_feature(address_sanitizer)
#define FRAMES 8
#elif __has_feature(thread_sanitizer) /* it supports 65,536 nested calls, and then writes beyond its memory */
#define FRAMES 2
#else
#define FRAMES 1
#endif

typedef struct on_stack {
    void (*body)(void *context);
    void *context;
} on_stack;

static void *run_on_stack(void *context) {
    on_stack *o = context;
    o->body(o->context);
    return NULL;
}

void written_to_stderr(char *text, size_t size, void (*body)(void *context), void *context) {
    char path[] = "/tmp/stderr-XXXXXX";
    int file = mkstemp(path), before = dup(STDERR_FILENO);
    assert_true(file >= 0 && before >= 0 && unlink(path) == 0);
    dup2(file, STDERR_FILENO);
    body(context);
    dup2(before, STDERR_FILENO);
    close(before);
    ssize_t length = pread(file, text, size - 1, 0);
    close(file);
    assert_true(length >= 0);
    text[length] = 0;
}

void on_stack_of(size_t bytes, void (*body)(void *context), void *context) {
    pthread_attr_t attributes;
    pthread_t thread;
    on_stack o = {body, context};
    pthread_attr_init(&attributes);
    /* Not one of the C library's, which may be a larger one that another thread has left. */
    size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN), guard = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = bytes * FRAMES > least ? bytes * FRAMES : least;
    char *stack = mmap(NULL, guard + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(stack != MAP_FAILED && mprotect(stack, guard, PROT_NONE) == 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack + guard, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_on_stack, &o), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    munmap(stack, guard + size);
}

void assert_failed(sgk_status status, const char *beginning) {
    assert_int_equal(sgk_last_status(), status);
    if (strncmp(sgk_last_error(), beginning, strlen(beginning)) != 0) {
        print_error("the error is \"%s\", not \"%s…\"\n", sgk_last_error(), beginning);
        fail();
    }
    sgk_clear_error();
    assert_string_equal(sgk_last_error(), "");
}

int nothing_alive(void **state) {
    (void)state;
    static int64_t leaked; /* by tests before: they have failed for it */
    if (sgk_live_total() > leaked) sgk_drain(30);
    /* threads that have finished release their objects now */
    for (int left = 10000; sgk_live_total() > leaked && left > 0; left--) sleep_a_moment();
    bool clean = sgk_live_total() <= leaked;
    for (int kind = 0; !clean && sgk_live_count((sgk_live)kind) >= 0; kind++) {
        int64_t count = sgk_live_count((sgk_live)kind);
        if (count) print_error("left alive: %lld of kind %s\n", (long long)count, sgk_live_text((sgk_live)kind));
    }
    leaked = sgk_live_total();
    sgk_clear_error();
    return clean ? 0 : -1;
}

choice chosen;

int run_chosen_tests(const char *title, const struct CMUnitTest *tests, size_t count, int (*set_up)(void **),
    int (*tear_down)(void **)) {
    if (!chosen.lists && !chosen.wanted) return _cmocka_run_group_tests(title, tests, count, set_up, tear_down);
    int failures = 0;
    for (size_t i = 0; i < count; i++) {
        if (chosen.lists) printf("%s.%s\n", chosen.group, tests[i].name);
        else if (strcmp(tests[i].name, chosen.wanted) == 0 && ++chosen.matched)
            failures += _cmocka_run_group_tests(title, tests + i, 1, set_up, tear_down);
    }
    return failures;
}
