/* The ends of threads and of the process, and system signals, as docs/processes.md describes them. Each case runs in a
 * separate process. */
#include <pthread.h>
#include <signal.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, sgk_last_error()), _exit(1)))

static void count(void *counter) { ++*(atomic_int *)counter; }
static void count_value(void *counter, sgk_value value) { (void)value, count(counter); }

/* ---- A thread that is cancelled ---- */

typedef struct patient {
    sgk_queue *queue;
    sgk_signal *signal;
    atomic_int begun, passed, cleaned;
} patient;

static void cleaned(void *context) { ((patient *)context)->cleaned++; }

static void *wait_for_the_event(void *context) {
    patient *p = context;
    pthread_cleanup_push(cleaned, p);
    p->begun = 1;
    sgk_value value;
    if (sgk_signal_get(p->signal, 1000, &value) == SGK_OK) sgk_value_release(value);
    p->passed = 1;
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return NULL;
}

/* The library's waits are not cancellation points: the thread continues after them, and its clean-up handlers find a
 * consistent state. */
static void cancelled_while_it_waits(void) {
    patient p = {0};
    sgk_pipe *pipe = sgk_pipe_create();
    p.signal = sgk_pipe_signal(pipe);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_for_the_event, &p) == 0);
    while (!p.begun) usleep(1000);
    CHECK(pthread_cancel(thread) == 0);
    for (int i = 0; i < 1000 && !p.passed; i++) { /* until it listens */
        sgk_pipe_next(pipe, sgk_int(1));
        usleep(1000);
    }
    void *result;
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED && p.passed == 1 && p.cleaned == 1);
    atomic_int received = 0;
    sgk_disposable *run = sgk_signal_start_next(p.signal, count_value, &received, NULL);
    sgk_pipe_next(pipe, sgk_int(2));
    CHECK(received == 1);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(p.signal);
    sgk_pipe_release(pipe);
    CHECK(sgk_live_total() == 0);
}

static void *drain(void *context) {
    patient *p = context;
    p->begun = 1;
    sgk_drain(1000);
    return NULL;
}

static void hold_up(void *context) {
    patient *p = context;
    while (!p->passed) usleep(1000);
}

/* sgk_drain is one: it holds nothing while it sleeps. */
static void cancelled_while_it_drains(void) {
    patient p = {.queue = sgk_queue_create(NULL)};
    sgk_queue_dispatch(p.queue, hold_up, &p, NULL);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, drain, &p) == 0);
    while (!p.begun) usleep(1000);
    CHECK(pthread_cancel(thread) == 0);
    void *result;
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED);
    p.passed = 1;
    CHECK(sgk_drain(60) == SGK_OK);
    sgk_queue_release(p.queue);
}

/* ---- A thread that ends ---- */

static void *fail_here(void *context) {
    CHECK(!sgk_signal_take(context, -1));
    CHECK(sgk_last_status() == SGK_ERROR_ARGUMENT);
    return NULL;
}

/* Its last error goes with it; what it has made stays. */
static void threads_come_and_go(void) {
    sgk_signal *signal = sgk_signal_never();
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, fail_here, signal) == 0);
        pthread_join(thread, NULL);
    }
    CHECK(sgk_last_status() == SGK_OK);
    sgk_signal_release(signal);
    CHECK(sgk_live_total() == 0);
}

/* ---- The end of the process ---- */

static sgk_pipe *pipe_of_the_process;
static sgk_signal *signal_of_the_process;
static atomic_int at_the_end;

static void use_it_at_exit(void) {
    sgk_disposable *run = sgk_signal_start_next(signal_of_the_process, count_value, &at_the_end, NULL);
    sgk_pipe_next(pipe_of_the_process, sgk_int(1));
    CHECK(at_the_end == 1);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(signal_of_the_process);
    sgk_pipe_release(pipe_of_the_process);
    CHECK(sgk_live_total() == 0);
}

/* Functions that exit calls, and destructors, may use the library. */
static void used_at_exit(void) {
    CHECK(atexit(use_it_at_exit) == 0);
    pipe_of_the_process = sgk_pipe_create();
    signal_of_the_process = sgk_pipe_signal(pipe_of_the_process);
    exit(0);
}

static void exit_here(void *context, sgk_value value) { (void)context, (void)value, exit(0); }

/* Inside a callback, which never returns then; nothing is disposed. */
static void exit_inside_a_callback(void) {
    sgk_signal *signal = sgk_signal_just(sgk_int(1));
    sgk_disposable_release(sgk_signal_start_next(signal, exit_here, NULL, NULL));
    CHECK(false);
}

static void exit_on_a_queue(void *context) { (void)context, exit(0); }

static void exit_inside_the_work_of_a_queue(void) {
    sgk_queue *queue = sgk_queue_create(NULL);
    sgk_queue_dispatch(queue, exit_on_a_queue, NULL, NULL);
    for (;;) pause();
}

/* ---- Signals ---- */

static atomic_int handled, on_main;
static pthread_t main_thread;

static void on_signal(int number) {
    (void)number;
    handled++;
    on_main += pthread_equal(pthread_self(), main_thread) != 0;
}

static void mask_of_the_thread(void *context) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    *(atomic_int *)context = 1 + sigismember(&mask, SIGUSR1) + sigismember(&mask, SIGTERM);
}

/* The library's threads take no signals: they go to the program's own, whose masks and handlers are left alone. */
static void signals_go_to_the_program(void) {
    struct sigaction action = {.sa_handler = on_signal}, found;
    main_thread = pthread_self();
    sigaction(SIGUSR1, &action, NULL);
    sgk_thread_pool *pool = sgk_thread_pool_create(2, 0);
    sgk_queue *on_pool = sgk_thread_pool_next_queue(pool);
    atomic_int mask = 0;
    CHECK(sgk_queue_dispatch(on_pool, mask_of_the_thread, &mask, NULL) == SGK_OK);
    while (!mask) usleep(1000);
    CHECK(mask == 3);
    for (int i = 0; i < 100; i++) {
        kill(getpid(), SIGUSR1);
        while (handled <= i) usleep(100);
    }
    CHECK(on_main == 100);
    sigaction(SIGUSR1, NULL, &found);
    CHECK(found.sa_handler == on_signal);
    for (int number = 1; number < NSIG; number++)
        if (number != SIGUSR1 && sigaction(number, NULL, &found) == 0)
            CHECK(found.sa_handler == SIG_DFL || found.sa_handler == SIG_IGN);
    sgk_queue_release(on_pool);
    sgk_thread_pool_release(pool);
}

static int run(const char *name, void (*body)(void)) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(120);
        body();
        exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    printf("%s: %s\n", name, status == 0 ? "ok" : "FAILED");
    return status != 0;
}

int main(void) {
#define RUN(name) run(#name, name)
    return RUN(cancelled_while_it_waits) + RUN(cancelled_while_it_drains) + RUN(threads_come_and_go) +
        RUN(used_at_exit) + RUN(exit_inside_a_callback) + RUN(exit_inside_the_work_of_a_queue) +
        RUN(signals_go_to_the_program);
}
