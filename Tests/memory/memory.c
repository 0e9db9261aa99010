/* Tests without memory, each case in a separate process with a limited address space.
 *
 * Constructors of values and handles return null or NULL with SGK_ERROR_MEMORY. A program that still enqueues events is
 * aborted with a message. */
#include <signalkit/all.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s, %s\n", __LINE__, #condition, sgk_last_error()); \
            _exit(1); \
        } \
    } while (0)

static void limit(rlim_t bytes) {
    const struct rlimit room = {bytes, bytes};
    CHECK(setrlimit(RLIMIT_AS, &room) == 0);
}

/* Uses up memory of every size. One more allocation may still find freed memory. */
static void use_up_memory(void) {
    limit(1);
    for (size_t size = 1 << 20; size >= 8; size /= 2)
        while (malloc(size)) continue;
}

static bool refused(void) {
    bool is_memory = sgk_last_status() == SGK_ERROR_MEMORY;
    sgk_clear_error();
    return is_memory;
}

static void large_values(void) {
    enum { LARGE = 64 << 20 };
    char *large = malloc(LARGE);
    CHECK(large);
    memset(large, 'x', LARGE - 1);
    large[LARGE - 1] = 0;
    sgk_value *nulls = calloc(LARGE / sizeof *nulls, sizeof *nulls);
    limit(1);
    CHECK(sgk_value_kind(sgk_string(large)) == SGK_NULL && refused());
    CHECK(sgk_value_kind(sgk_string_n(large, LARGE - 1)) == SGK_NULL && refused());
    CHECK(sgk_value_kind(sgk_bytes(large, LARGE - 1)) == SGK_NULL && refused());
    CHECK(sgk_value_kind(sgk_array(nulls, LARGE / sizeof *nulls)) == SGK_NULL && refused());
    CHECK(sgk_signal_from_array(nulls, LARGE / sizeof *nulls) == NULL && refused());
    CHECK(sgk_value_kind(sgk_error(1, large)) == SGK_NULL && refused());
    CHECK(sgk_value_kind(sgk_error_f(1, "%s", large)) == SGK_NULL && refused());
    sgk_value small = sgk_string("a small one is made all the same");
    CHECK(sgk_value_kind(small) == SGK_STRING);
    sgk_value_release(small);
    CHECK(sgk_live_total() == 0);
}

#define UNTIL_REFUSED(make) \
    do { \
        int left = 1000000; \
        while ((make) && left > 0) left--; \
        CHECK(left > 0); \
        CHECK(refused()); \
    } while (0)

#define IS_VALUE(make) (sgk_value_kind(make) != SGK_NULL)

static void small_values(void) {
    sgk_value item = sgk_int(1);
    sgk_signal *signal = sgk_signal_never();
    use_up_memory();
    UNTIL_REFUSED(IS_VALUE(sgk_string("small")));
    UNTIL_REFUSED(IS_VALUE(sgk_array(&item, 1)));
    static const sgk_object_type type = {sizeof type, "item", NULL, NULL, NULL, NULL, NULL};
    UNTIL_REFUSED(IS_VALUE(sgk_object(&item, &type)));
    UNTIL_REFUSED(IS_VALUE(sgk_error_from(1, "small", item)));
    UNTIL_REFUSED(IS_VALUE(sgk_error_f(1, "%s", "small")));
    UNTIL_REFUSED(IS_VALUE(sgk_signal_value(signal)));
    sgk_signal_release(signal);
}

static sgk_value same(void *context, sgk_value value) { return (void)context, sgk_value_retain(value); }
static void ignore(void *context, sgk_value value) { (void)context, (void)value; }
static void run_down(void *context) { (void)context; }

/* Creates each type of handle until it fails. */
static void handles(void) {
    sgk_signal *source = sgk_signal_never();
    sgk_queue *queue = sgk_queue_create_virtual(NULL);
    sgk_disposable *run = sgk_signal_start(source, NULL);
    use_up_memory();
    UNTIL_REFUSED(sgk_pipe_create());
    UNTIL_REFUSED(sgk_pipe_create_replay());
    UNTIL_REFUSED(sgk_signal_never());
    UNTIL_REFUSED(sgk_signal_just(sgk_int(1)));
    UNTIL_REFUSED(sgk_signal_map(source, same, NULL, NULL));
    UNTIL_REFUSED(sgk_signal_deliver_on(source, queue));
    UNTIL_REFUSED(sgk_merge(&source, 1));
    UNTIL_REFUSED(sgk_signal_start(source, NULL));
    UNTIL_REFUSED(sgk_signal_start_next(source, ignore, NULL, NULL));
    UNTIL_REFUSED(sgk_promise_create());
    UNTIL_REFUSED(sgk_state_create(false));
    UNTIL_REFUSED(sgk_multicast_create());
    UNTIL_REFUSED(sgk_queue_create_virtual(NULL));
    UNTIL_REFUSED(sgk_timer_create(1, false, run_down, NULL, NULL, queue));
    UNTIL_REFUSED(sgk_queue_after(queue, 1, run_down, NULL, NULL));
    UNTIL_REFUSED(sgk_event_emitter_create());
    UNTIL_REFUSED(sgk_signature_create("(i64) -> bool"));
    UNTIL_REFUSED(sgk_action_disposable_create(run_down, NULL, NULL));
    UNTIL_REFUSED(sgk_disposable_slot_create());
    UNTIL_REFUSED(sgk_disposable_bag_create());
    UNTIL_REFUSED(sgk_disposable_dict_create());
    UNTIL_REFUSED(sgk_disposable_strict(run, "file", 1));
    CHECK(sgk_disposable_dispose(run) == SGK_OK); /* a release needs no memory */
    sgk_disposable_release(run);
    sgk_signal_release(source);
    sgk_queue_release(queue);
}

static sgk_signal *no_signal(void *context, sgk_value value) { return (void)context, (void)value, NULL; }

/* Operators that combine, operators that store, and readers: each alone, with its arguments. */
static void operators_and_readers(void) {
    sgk_value one = sgk_int(1), got;
    sgk_signal *source = sgk_signal_never(), *single = sgk_signal_just(one), *two[] = {source, source};
    sgk_queue *queue = sgk_queue_create_virtual(NULL);
    use_up_memory();
    UNTIL_REFUSED(sgk_signal_from_array(&one, 1));
    UNTIL_REFUSED(sgk_signal_range(0, 1));
    UNTIL_REFUSED(sgk_signal_interval(1, queue));
    UNTIL_REFUSED(sgk_zip(two, 2, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_NEWEST, .error = one)));
    UNTIL_REFUSED(sgk_race(two, 2));
    UNTIL_REFUSED(sgk_signal_merge_map(
        source, 1, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_NEWEST, .error = one), no_signal, NULL, NULL));
    UNTIL_REFUSED(sgk_signal_map_ordered(
        source, 1, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_NEWEST, .error = one), no_signal, NULL, NULL));
    UNTIL_REFUSED(sgk_signal_with_latest_from(source, single));
    UNTIL_REFUSED(
        sgk_signal_to_array(source, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_NEWEST, .error = one)));
    UNTIL_REFUSED(sgk_signal_pairwise(source));
    UNTIL_REFUSED(
        sgk_signal_delay(source, 1, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_NEWEST, .error = one), queue));
    UNTIL_REFUSED(sgk_signal_rate_limit(
        source, 1, 1, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_NEWEST, .error = one), queue));
    UNTIL_REFUSED(sgk_signal_retry(source, SGK_RETRY(.attempts = 2), queue));
    UNTIL_REFUSED(sgk_signal_share(source, 2, 1, queue));
    UNTIL_REFUSED(sgk_overflow_counter_create());
    UNTIL_REFUSED(sgk_reader_create(source, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_NEWEST, .error = one)));
    CHECK(sgk_signal_get(single, 1, &got) == SGK_ERROR_MEMORY && refused());
    CHECK(sgk_signal_collect(single, 1, 1, &got) == SGK_ERROR_MEMORY && refused());
    sgk_signal_release(source);
    sgk_signal_release(single);
    sgk_queue_release(queue);
}

/* It is as before when there is memory again. */
static void memory_comes_back(void) {
    void *block = malloc(1 << 16);
    sgk_pipe_release(sgk_pipe_create());
    use_up_memory();
    UNTIL_REFUSED(sgk_pipe_create());
    free(block);
    sgk_pipe *pipe = sgk_pipe_create();
    CHECK(pipe);
    sgk_pipe_release(pipe);
}

/* Functions that cannot report it: they abort with a message. */
static void events_that_nobody_takes(void) {
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_queue *queue = sgk_queue_create_virtual(NULL);
    sgk_signal *source = sgk_pipe_signal(pipe), *there = sgk_signal_deliver_on(source, queue);
    sgk_disposable *run = sgk_signal_start_next(there, ignore, NULL, NULL);
    CHECK(run);
    limit(1);
    for (;;) sgk_pipe_next(pipe, sgk_int(1));
}

static void work_that_nobody_does(void) {
    sgk_queue *queue = sgk_queue_create_virtual(NULL);
    limit(1);
    for (;;) sgk_queue_dispatch(queue, run_down, NULL, NULL);
}

static void members_that_nobody_removes(void) {
    sgk_disposable *set = sgk_disposable_bag_create(), *member = sgk_disposable_slot_create();
    limit(1);
    for (;;) sgk_disposable_bag_add(set, member);
}

/* A pipeline receives the signal of its group's values. Each value arrives, if anything works at all. */
static sgk_signal *its_values(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    CHECK(values != NULL);
    return sgk_signal_retain(values);
}

static void take_down(void *context, sgk_value value) { *(int64_t *)context = sgk_to_int(value); }

static void groups_that_nobody_makes(void) {
    int64_t last = -1;
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_signal *source = sgk_pipe_signal(pipe),
               *groups = sgk_signal_group_by(source, NULL, NULL, its_values, NULL, NULL);
    CHECK(sgk_signal_start_next(groups, take_down, &last, NULL));
    use_up_memory();
    for (int64_t key = 0;; key++) {
        CHECK(sgk_pipe_next(pipe, sgk_int(key)) == SGK_OK);
        CHECK(last == key);
    }
}

/* A callback without memory for its signal returns NULL, which fails the subscription. */
static sgk_signal *mapped(void *context, sgk_value key, sgk_signal *values) {
    (void)context, (void)key;
    return sgk_signal_map(values, same, NULL, NULL);
}

static void is_of_memory(void *context, sgk_value error) {
    CHECK(strstr(sgk_error_text(error), "memory: out of memory"));
    *(bool *)context = true;
}

static void groups_without_memory(void) {
    bool has_failed = false;
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_signal *source = sgk_pipe_signal(pipe), *groups = sgk_signal_group_by(source, NULL, NULL, mapped, NULL, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &has_failed;
    handlers.error = is_of_memory;
    CHECK(sgk_signal_start(groups, &handlers));
    use_up_memory();
    for (int64_t key = 0; key < 1000 && !has_failed; key++) CHECK(sgk_pipe_next(pipe, sgk_int(key)) == SGK_OK);
    CHECK(has_failed);
}

/* Runs the case, and holds what it ends with against what it should. */
static int run(const char *name, void (*body)(void), bool is_stopped) {
    int error[2];
    char text[4096] = "";
    size_t length = 0;
    if (pipe(error) != 0) return 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(error[1], STDERR_FILENO);
        body();
        _exit(0);
    }
    close(error[1]);
    for (ssize_t got; (got = read(error[0], text + length, sizeof text - 1 - length)) > 0;) length += (size_t)got;
    close(error[0]);
    int status = 0;
    waitpid(child, &status, 0);
    bool right = is_stopped
        ? WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strcmp(text, "signalkit: out of memory\n") == 0
        : WIFEXITED(status) && WEXITSTATUS(status) == 0 && length == 0;
    printf("%s: %s\n", name, right ? "ok" : "FAILED");
    if (!right) printf("  status %#x, stderr: %s\n", (unsigned)status, text);
    return right ? 0 : 1;
}

int main(void) {
    return run("operators and readers", operators_and_readers, false) + run("large values", large_values, false) +
        run("small values", small_values, false) + run("handles", handles, false) +
        run("memory comes back", memory_comes_back, false) +
        run("events that nobody takes", events_that_nobody_takes, true) +
        run("work that nobody does", work_that_nobody_does, true) +
        run("members that nobody removes", members_that_nobody_removes, true) +
        run("groups that nobody makes", groups_that_nobody_makes, true) +
        run("groups without memory", groups_without_memory, false);
}
