/* Waits that system signals interrupt, a user who may create no more threads, a program without standard input. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, sgk_last_error()), _exit(1)))

static void count(void *counter) { ++*(atomic_int *)counter; }

/* ---- Waits that are interrupted ---- */

static volatile sig_atomic_t interruptions;
static void interrupt(int number) { (void)number, interruptions++; }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void stop(void *context) { (void)context, sgk_main_stop(); }

static void sleep_for_long(void *context) {
    (void)context;
    double until = now() + 0.1;
    while (now() < until) nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* Each wait has its full length, and ends with its event, independent of the number of handlers in the meantime,
 * without SA_RESTART. (The library's threads block all signals. This thread is interrupted.) */
static void waits_are_interrupted(void) {
    struct sigaction action = {.sa_handler = interrupt};
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0);
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_signal *silent = sgk_pipe_signal(pipe);
    sgk_queue *queue = sgk_queue_create("q");
    sgk_value value = sgk_null();
    double begin = now();
    CHECK(sgk_signal_get(silent, 0.1, &value) == SGK_ERROR_TIMEOUT && now() - begin >= 0.1);
    sgk_clear_error();
    sgk_signal *timer = sgk_signal_timer(0.1, queue);
    CHECK(sgk_signal_get(timer, 60, &value) == SGK_OK);
    sgk_value_release(value);
    sgk_reader *reader = sgk_reader_create(silent, SGK_BOUND(.limit = 1, .overflow = SGK_OVERFLOW_DROP_OLDEST));
    begin = now();
    CHECK(sgk_reader_next(reader, 0.1, &value) == SGK_ERROR_TIMEOUT && now() - begin >= 0.1);
    sgk_clear_error();
    begin = now();
    CHECK(sgk_queue_sync(queue, sleep_for_long, NULL) == SGK_OK && now() - begin >= 0.1);
    begin = now();
    CHECK(sgk_queue_dispatch(queue, sleep_for_long, NULL, NULL) == SGK_OK);
    CHECK(sgk_drain(60) == SGK_OK && now() - begin >= 0.1);
    begin = now();
    sgk_disposable *later = sgk_queue_after(queue, 0.1, stop, NULL, NULL);
    CHECK(sgk_main_run() == SGK_OK && now() - begin >= 0.1);
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0 && interruptions > 100);
    sgk_disposable_release(later);
    sgk_reader_release(reader);
    sgk_signal_release(timer);
    sgk_queue_release(queue);
    sgk_signal_release(silent);
    sgk_pipe_release(pipe);
    CHECK(sgk_drain(60) == SGK_OK && sgk_live_total() == 0);
}

/* ---- No more threads for this user ---- */

static void no_more_threads(void) {
    struct rlimit before, none;
    CHECK(getrlimit(RLIMIT_NPROC, &before) == 0);
    if (getuid() == 0) CHECK(setgid(65534) == 0 && setuid(65534) == 0); /* root has no such limit */
    none = (struct rlimit){1, before.rlim_max};
    CHECK(setrlimit(RLIMIT_NPROC, &none) == 0);
    atomic_int calls = 0, gone = 0;
    sgk_queue *queue = sgk_queue_create("q");
    CHECK(sgk_queue_dispatch(queue, count, &calls, NULL) == SGK_ERROR_SYSTEM);
    CHECK(sgk_queue_async(queue, count, &calls, NULL) == SGK_ERROR_SYSTEM);
    CHECK(!sgk_queue_after(queue, 0.001, count, &gone, count) && sgk_last_status() == SGK_ERROR_SYSTEM && gone == 1);
    CHECK(!sgk_thread_pool_create(2, 0.5) && sgk_last_status() == SGK_ERROR_SYSTEM);
    CHECK(sgk_queue_sync(queue, count, &calls) == SGK_OK && calls == 1); /* on this thread */
    CHECK(setrlimit(RLIMIT_NPROC, &before) == 0);
    CHECK(sgk_queue_dispatch(queue, count, &calls, NULL) == SGK_OK);
    CHECK(sgk_drain(60) == SGK_OK && calls == 2);
    sgk_queue_release(queue);
    CHECK(sgk_drain(60) == SGK_OK && sgk_live_total() == 0);
}

static char reason[100];

static void take_error(void *code, sgk_value error) {
    snprintf(reason, sizeof reason, "%s", sgk_error_text(error));
    *(atomic_int *)code = sgk_error_code(error);
}

/* A program is reaped even if the system refuses the thread that would watch it. */
static void no_thread_for_a_program(void) {
    static const char *const arguments[] = {"sleep", "100", NULL};
    struct rlimit two = {2, 2}; /* this process and the program */
    if (getuid() != 0) return;  /* the user may have other processes, which count, too */
    CHECK(setgid(12345) == 0 && setuid(54321) == 0 && setrlimit(RLIMIT_NPROC, &two) == 0);
    sgk_queue *queue = sgk_queue_create("q");
    sgk_signal *program = sgk_signal_process(arguments, NULL, SGK_PROCESS_OUTPUT, 4096, queue);
    atomic_int code = 0;
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.error = take_error, handlers.context = &code;
    sgk_disposable *run = sgk_signal_start(program, &handlers);
    CHECK(strncmp(reason, "sgk_signal_process: pthread_create: ", 36) == 0);
    CHECK(code == EAGAIN && waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    sgk_disposable_release(run);
    sgk_signal_release(program);
    sgk_queue_release(queue);
    CHECK(sgk_live_total() == 0);
}

/* ---- Without a standard input ---- */

/* Its number is the next that the system gives: to the set of the descriptors that are watched. */
static void no_standard_input(void) {
    int ends[2];
    char some[4096] = "", last = 0;
    CHECK(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    while (write(ends[1], some, sizeof some) > 0) {}
    sgk_queue *queue = sgk_queue_create("q");
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_signal *texts = sgk_pipe_signal(pipe),
               *sink = sgk_signal_sink_fd(
                   texts, ends[1], true, SGK_BOUND(.limit = 100, .overflow = SGK_OVERFLOW_SUSPEND), queue);
    sgk_disposable *run = sgk_signal_start(sink, NULL);
    atomic_int calls = 0;
    CHECK(run && sgk_queue_dispatch(queue, count, &calls, NULL) == SGK_OK && sgk_drain(60) == SGK_OK);
    CHECK(close(STDIN_FILENO) == 0);
    CHECK(sgk_pipe_next(pipe, sgk_give(sgk_string("x"))) == SGK_OK); /* for which there is no space yet */
    (void)alarm(60);
    while (fcntl(STDIN_FILENO, F_GETFD) < 0) nanosleep(&(struct timespec){0, 1000000}, NULL);
    for (ssize_t got = 0; last != 'x'; last = got > 0 ? some[got - 1] : last) {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        got = read(ends[0], some, sizeof some);
    }
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(sink);
    sgk_signal_release(texts);
    sgk_pipe_release(pipe);
    sgk_queue_release(queue);
    CHECK(sgk_drain(60) == SGK_OK && sgk_live_total() == 0);
}

int main(void) {
    static const struct {
        const char *name;
        void (*test)(void);
    } tests[] = {
        {"waits_are_interrupted", waits_are_interrupted},
        {"no_more_threads", no_more_threads},
        {"no_thread_for_a_program", no_thread_for_a_program},
        {"no_standard_input", no_standard_input},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        printf("%s\n", tests[i].name);
        fflush(stdout);
        pid_t child = fork(); /* none of them may have threads of another */
        if (child == 0) tests[i].test(), _exit(0);
        int status = -1;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
    }
    return 0;
}
