/* The child of a fork: what docs/processes.md says that it may do, also when other threads of the parent were in the
 * library at that moment.
 *
 * Run once as it is, and once with SIGNALKIT_DEBUG=1, which looks handles and values up in tables of the process. */
#include <pthread.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    ((condition) ? (void)0 \
                 : (fprintf(stderr, "%s, line %d: %s (%s)\n", who, __LINE__, #condition, sgk_last_error()), _exit(1)))

enum { FORKS = 300, THREADS = 2 };

static const char *who = "parent";
static atomic_bool is_over;
static atomic_int lines, errors;

static void log_line(void *context, const char *line) { (void)context, (void)line, lines++; }
static void hear_error(void *context, sgk_value error, const char *name) {
    (void)context, (void)error, (void)name, errors++;
}
static sgk_value again(void *context, sgk_value value) { return (void)context, sgk_value_retain(value); }
static void add(void *sum, sgk_value value) {
    size_t length;
    CHECK(sgk_value_data(value, &length));
    *(size_t *)sum += length;
}

/* Uses each part that has no queue: values, a pipeline, a pipe, a container, a shared signal that feeds another one, an
 * unhandled error, the log, both handlers. Containers and shared signals use tables of the process. */
static void use(void) {
    size_t sum = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create_replay();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(source, again, NULL, NULL);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(mapped, add, &sum, NULL);
    sgk_value text = sgk_string("text");
    CHECK(sgk_pipe_next(pipe, text) == SGK_OK);
    SGK_AUTO(sgk_signal) fails = sgk_signal_fail(text);
    sgk_value_release(text);
    SGK_AUTO(sgk_signal) traced = sgk_signal_trace(fails, "fork");
    sgk_disposable_release(sgk_signal_start(traced, NULL));
    SGK_AUTO(sgk_disposable) bag = sgk_disposable_bag_create();
    CHECK(sgk_disposable_bag_add(bag, run) == SGK_OK);
    SGK_AUTO(sgk_signal) shared = sgk_signal_share(mapped, 0, 0, NULL);
    SGK_AUTO(sgk_signal) feeding = sgk_signal_share(shared, 0, 0, NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(feeding, add, &sum, NULL);
    CHECK(sgk_disposable_bag_add(bag, second) == SGK_OK);
    sgk_disposable_dispose(bag);
    CHECK(sum == 8);
    CHECK(!sgk_signal_take(fails, -1) && sgk_last_status() == SGK_ERROR_ARGUMENT);
}

/* A reader of the parent is closed in the child: its source is not there, and may have been emitting. A reader of the
 * child works. */
static void *read_on_and_on(void *reader) {
    sgk_value value;
    sgk_status status;
    while ((status = sgk_reader_next(reader, 1000, &value)) == SGK_OK) sgk_value_release(value);
    CHECK(status == SGK_ERROR_ENDED);
    return NULL;
}
static void *feed_on_and_on(void *pipe) {
    while (!is_over) CHECK(sgk_pipe_next(pipe, sgk_give(sgk_string("text"))) == SGK_OK);
    return NULL;
}
static void read_in_child(sgk_reader *old) {
    sgk_value value;
    CHECK(sgk_reader_next(old, 1000, &value) == SGK_ERROR_ENDED);
    CHECK(sgk_reader_fd(old) == SGK_ERROR_ENDED && sgk_reader_close(old) == SGK_OK);
    sgk_reader_release(old);
    SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_reader) own = sgk_reader_create(single, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_SUSPEND));
    CHECK(sgk_reader_fd(own) >= 0 && sgk_reader_next(own, 0, &value) == SGK_OK && sgk_to_int(value) == 1);
    CHECK(sgk_reader_next(own, 1000, &value) == SGK_ERROR_COMPLETED);
}

/* A descriptor watched by the parent is still watched there. The child reads nothing of it, and has its own set of
 * descriptors. */
static atomic_int parents_lines;
static void count_line(void *context, sgk_value value) { (void)value, ++*(atomic_int *)context; }
static void watch_in_child(sgk_queue *queue) {
    int ends[2], before = parents_lines;
    CHECK(pipe(ends) == 0);
    SGK_AUTO(sgk_signal) lines = sgk_signal_fd_lines(ends[0], 100, queue);
    SGK_AUTO(sgk_reader) reader = sgk_reader_create(lines, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_SUSPEND));
    CHECK(write(ends[1], "of the child\n", 13) == 13);
    sgk_value line;
    CHECK(sgk_reader_next(reader, 1000, &line) == SGK_OK);
    CHECK(strcmp(sgk_value_data(line, NULL), "of the child") == 0);
    sgk_value_release(line);
    CHECK(parents_lines == before);
}

/* Threads are identified by system numbers: the child's thread has another number than the parent's. */
static void hear_thread(void *thread, const sgk_trace_event *event) { *(int64_t *)thread = event->thread; }
static int64_t own_number(void) {
    int64_t thread = 0;
    sgk_set_trace_handler(hear_thread, &thread, NULL);
    SGK_AUTO(sgk_signal) single = sgk_signal_just(sgk_int(1));
    sgk_disposable_release(sgk_signal_start(single, NULL));
    sgk_set_trace_handler(NULL, NULL, NULL);
    return thread;
}

/* The thread that forks is the main thread of the child, although it was another one of the parent. */
static void fork_once(sgk_queue *main_queue) {
    pid_t child = fork();
    if (child == 0) {
        who = "child";
        CHECK(sgk_queue_is_current(main_queue));
        _exit(0);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}
static void *fork_elsewhere(void *main_queue) {
    CHECK(!sgk_queue_is_current(main_queue));
    fork_once(main_queue);
    CHECK(!sgk_queue_is_current(main_queue));
    return NULL;
}
static void become_the_main_thread(void) {
    pthread_t thread;
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    CHECK(sgk_queue_is_current(main_queue));
    fork_once(main_queue);
    CHECK(pthread_create(&thread, NULL, fork_elsewhere, main_queue) == 0 && pthread_join(thread, NULL) == 0);
}

static void *use_on_and_on(void *context) {
    while (!is_over) {
        use();
        sgk_set_log_handler(log_line, NULL, NULL);
        sgk_set_unhandled_error_handler(hear_error, NULL, NULL);
    }
    return context;
}

int main(void) {
    pthread_t threads[THREADS], feeder, asker;
    become_the_main_thread();
    int64_t parents_number = own_number();
    CHECK(parents_number > 0);
    sgk_set_log_handler(log_line, NULL, NULL);
    sgk_set_unhandled_error_handler(hear_error, NULL, NULL);
    SGK_AUTO(sgk_pipe) old = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) fed = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(fed);
    SGK_AUTO(sgk_reader) reader = sgk_reader_create(source, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_SUSPEND));
    CHECK(sgk_reader_fd(reader) >= 0);
    int ends[2], sent = 0;
    CHECK(pipe(ends) == 0);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("lines");
    SGK_AUTO(sgk_signal) lines_of_pipe = sgk_signal_fd_lines(ends[0], 100, queue);
    SGK_AUTO(sgk_disposable) watching = sgk_signal_start_next(lines_of_pipe, count_line, &parents_lines, NULL);
    CHECK(pthread_create(&feeder, NULL, feed_on_and_on, fed) == 0 &&
        pthread_create(&asker, NULL, read_on_and_on, reader) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, use_on_and_on, NULL) == 0);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            who = "child";
            alarm(60); /* a lock that stays closed */
            lines = errors = 0;
            use();
            sgk_set_log_handler(NULL, NULL, NULL);
            sgk_set_log_handler(log_line, NULL, NULL);
            CHECK(lines > 0 && errors == 1);
            CHECK(sgk_pipe_next(old, sgk_int(i)) == SGK_OK); /* made before, used by nobody else */
            read_in_child(reader);
            watch_in_child(queue);
            int64_t number = own_number();
            CHECK(number > 0 && number != parents_number);
            if (i % 10 == 0) execlp("true", "true", (char *)NULL);
            _exit(0);
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        if (status != 0) fprintf(stderr, "fork %d: status %#x\n", i, (unsigned)status);
        CHECK(status == 0);
        CHECK(write(ends[1], "of the parent\n", 14) == 14);
        sent++;
    }
    for (int i = 0; i < 60000 && parents_lines < sent; i++) usleep(1000);
    CHECK(parents_lines == sent);
    sgk_disposable_dispose(watching);
    is_over = true;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    sgk_reader_close(reader);
    pthread_join(feeder, NULL), pthread_join(asker, NULL);
    sgk_set_log_handler(NULL, NULL, NULL);
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
    return 0;
}
