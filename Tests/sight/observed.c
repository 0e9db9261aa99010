/* A program that is inspected from outside: by variables of the environment, and by a system signal. */
#include <signal.h>
#include <signalkit.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void rest(double seconds) {
    struct timespec time = {0, (long)(seconds * 1e9)};
    (void)nanosleep(&time, NULL);
}

static void take_long(void *context, sgk_value value) {
    (void)context;
    (void)value;
    rest(0.2);
}

static void do_nothing(void *context) { (void)context; }
static void do_nothing_more(int number) { (void)number; }

/* Dumps to a slow standard error output, while system signals interrupt calls. */
static void dump(sgk_signal *signal) {
    for (int i = 0; i < 5000; i++) sgk_disposable_release(sgk_signal_start(signal, NULL));
    struct sigaction action = {.sa_handler = do_nothing_more};
    (void)sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, 1000}, {0, 1000}};
    (void)setitimer(ITIMER_REAL, &often, NULL);
    sgk_debug_dump(NULL, NULL);
    _exit(0);
}

/* In the work of a queue that the caller waits for. */
static void wait_for_oneself(void *queue, sgk_value value) {
    (void)value;
    SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
    (void)other;
    if (sgk_queue_sync(queue, do_nothing, NULL) != SGK_OK) puts("refused");
}

static void sync_with(void *context) {
    void **both = context;
    sgk_pipe_next(both[0], sgk_int(1));
}

static void from_other_queue(void *context) {
    void **all = context;
    sgk_queue_sync(all[1], sync_with, all);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_signal *plain = sgk_pipe_signal(pipe);
    sgk_signal *named = sgk_signal_named_at(plain, "cpu", "observed.c", 42);
    if (strcmp(what, "slow") == 0) {
        sgk_disposable_release(sgk_signal_start_next(named, take_long, NULL, NULL));
        sgk_pipe_next(pipe, sgk_int(7));
        sgk_pipe_next(pipe, sgk_int(8));
    } else if (strcmp(what, "wait") == 0) {
        /* first waits for second, in whose work the callback waits for first */
        sgk_queue *first = sgk_queue_create("first"), *second = sgk_queue_create("second");
        sgk_disposable_release(sgk_signal_start_next(named, wait_for_oneself, first, NULL));
        void *all[] = {pipe, second};
        sgk_queue_sync(first, from_other_queue, all);
        sgk_queue_release(first);
        sgk_queue_release(second);
    } else if (strcmp(what, "dump") == 0) {
        dump(named);
    } else {
        sgk_disposable *run = sgk_signal_start(named, NULL);
        sgk_pipe_next(pipe, sgk_int(7));
        puts("running");
        (void)fflush(stdout);
        if (strcmp(what, "stay") == 0) (void)getchar();
        if (strcmp(what, "fork") == 0) { /* the child is asked, and neither answers it at its end */
            pid_t child = fork();
            if (child == 0) raise(SIGUSR1);
            else (void)waitpid(child, NULL, 0);
            rest(0.3);
            _exit(0);
        }
        sgk_disposable_release(run);
    }
    return 0; /* live objects at the exit of the program */
}
