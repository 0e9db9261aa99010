/* A program that does what its standard input says, a word in a line, and answers each with a line: what inspect.py
 * looks into. */
#include <pthread.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4 };

static sgk_pipe *pipe_of_numbers;
static sgk_queue *queue;
static sgk_signal *numbers, *delivered;
static sgk_disposable *run;
static int64_t sum;

static bool is_odd(void *context, sgk_value value) { return (void)context, sgk_to_int(value) % 2 != 0; }
static void add(void *context, sgk_value value) { *(int64_t *)context += sgk_to_int(value); }

/* numbers -> filter, which is named -> a virtual queue, where they wait. */
static void start(void) {
    queue = sgk_queue_create_virtual(NULL);
    pipe_of_numbers = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe_of_numbers);
    SGK_AUTO(sgk_signal) odd = sgk_signal_filter(source, is_odd, NULL, NULL);
    numbers = sgk_signal_named_at(odd, "odd \"\033\n\200", "numbers.c", 12);
    delivered = sgk_signal_deliver_on(numbers, queue);
    run = sgk_signal_start_next(delivered, add, &sum, NULL);
}

static void end(void) {
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(delivered);
    sgk_signal_release(numbers);
    sgk_pipe_release(pipe_of_numbers);
    sgk_queue_release(queue);
}

/* ---- A storm: runs that begin and end, and events, on several threads ---- */

static atomic_bool is_storm;
static pthread_t threads[THREADS];

static void *rage(void *context) {
    int64_t own = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    (void)context;
    while (is_storm) {
        SGK_AUTO(sgk_signal) pair = sgk_merge((sgk_signal *[]){source, source}, 2);
        SGK_AUTO(sgk_disposable) one = sgk_signal_start_next(pair, add, &own, NULL);
        for (int i = 0; i < 10; i++) sgk_pipe_next(pipe, sgk_int(1));
        sgk_pipe_next(pipe_of_numbers, sgk_int(0)); /* even: that waits nowhere */
        sgk_disposable_dispose(one);
    }
    return NULL;
}

static void storm(void) {
    is_storm = true;
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, rage, NULL);
}

static void calm(void) {
    is_storm = false;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

/* ---- Processes ---- */

static int status_of(pid_t child) {
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

/* A child that does the same as this, and then ends as programs end; or at once, since what the threads of the parent
 * hold would pass for leaks in it. */
static int in_child(bool at_once) {
    fflush(NULL);
    pid_t child = fork();
    if (child > 0) return status_of(child);
    alarm(120);
    int64_t own = 0;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) one = sgk_signal_start_next(signal, add, &own, NULL);
    sgk_pipe_next(pipe, sgk_int(3));
    sgk_disposable_dispose(one);
    if (at_once) _exit(own == 3 ? 0 : 1);
    exit(own == 3 ? 0 : 1);
}

/* One that is ended only by the word. */
static pid_t kept;
static int ends_of_kept[2];

static void keep_a_child(void) {
    fflush(NULL);
    if (pipe(ends_of_kept) != 0) abort();
    kept = fork();
    if (kept > 0) return;
    char nothing;
    close(ends_of_kept[1]);
    exit(read(ends_of_kept[0], &nothing, 1) < 0);
}

static void exit_here(void *context, sgk_value value) { (void)context, (void)value, exit(0); }

static void exit_in_a_callback(void) {
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    sgk_disposable_release(sgk_signal_start_next(one, exit_here, NULL, NULL));
}

int main(void) {
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        char *argument = strchr(line, ' ');
        long result = 0;
        line[strcspn(line, "\n")] = 0;
        if (argument) *argument++ = 0;
#define ON(word) else if (strcmp(line, word) == 0)
        if (!*line) continue;
        ON("start") start();
        ON("end") end();
        ON("emit") for (int i = 0; i < atoi(argument); i++) sgk_pipe_next(pipe_of_numbers, sgk_int(i));
        ON("advance") result = sgk_queue_advance(queue, 1);
        ON("inspect") result = sgk_debug_inspect(argument);
        ON("storm") storm();
        ON("calm") calm();
        ON("fork") result = in_child(argument != NULL);
        ON("keep") keep_a_child();
        ON("drop") close(ends_of_kept[1]), result = status_of(kept);
        ON("live") result = (long)sgk_live_total();
        ON("exit") exit_in_a_callback();
        else abort(); printf("%ld %s\n", result, result ? sgk_last_error() : "");
        fflush(stdout);
    }
    return 0;
}
