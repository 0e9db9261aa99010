/* Programs that subscriptions start: what they write, what they read, how they end, and who ends them. */
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The events of a subscription, each value as `kind:data:status|`. */
typedef struct program {
    pthread_mutex_t lock;
    char text[512], reason[128];
    atomic_llong bytes, values;
    atomic_int error, ends, destroyed, biggest;
    sgk_disposable *run;
    int dispose_at; /* in the callback of this many values; 0: never */
} program;

static void take_value(void *context, sgk_value value) {
    program *p = context;
    size_t length = 0;
    const char *data = sgk_value_data(sgk_array_at(value, 1), &length);
    long long kind = sgk_to_int(sgk_array_at(value, 0)), status = sgk_to_int(sgk_array_at(value, 2));
    pthread_mutex_lock(&p->lock);
    size_t used = strlen(p->text);
    snprintf(p->text + used, sizeof p->text - used, "%lld:%.*s:%lld|", kind, (int)length, data, status);
    pthread_mutex_unlock(&p->lock);
    p->bytes += (long long)length;
    if ((int)length > p->biggest) p->biggest = (int)length;
    if (++p->values == p->dispose_at) sgk_disposable_dispose(p->run);
}
static void take_error(void *context, sgk_value error) {
    program *p = context;
    p->error = sgk_error_code(error);
    snprintf(p->reason, sizeof p->reason, "%s", sgk_error_text(error));
    p->ends++;
}
static void take_end(void *context) { ((program *)context)->ends++; }
static void take_run(void *context, sgk_disposable *run) { ((program *)context)->run = sgk_disposable_retain(run); }
static void take_destroy(void *context) { ((program *)context)->destroyed++; }

/* Starts and releases the signal. */
static void start(program *p, sgk_signal *signal) {
    assert_non_null(signal);
    pthread_mutex_init(&p->lock, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = take_value, handlers.error = take_error, handlers.completed = take_end;
    handlers.started = take_run, handlers.context = p, handlers.destroy = take_destroy;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
    sgk_signal_release(signal);
}
static void stop(program *p) {
    sgk_disposable_dispose(p->run);
    EVENTUALLY(p->destroyed == 1);
    sgk_disposable_release(p->run);
    pthread_mutex_destroy(&p->lock);
}
static void assert_ends(program *p, int error, const char *text) {
    EVENTUALLY(p->ends == 1);
    assert_int_equal(p->error, error);
    if (text) assert_string_equal(p->text, text);
    stop(p);
}

static sgk_queue *queue;
static int open_before;

enum { BOTH = SGK_PROCESS_OUTPUT | SGK_PROCESS_ERRORS };
#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define RUN(options, input, ...) sgk_signal_process(ARGUMENTS(__VA_ARGS__), input, options, 4096, queue)
#define SHELL(options, command) RUN(options, NULL, "sh", "-c", command)

/* Programs inherit the end that writes. So the other end reports when the last of them has ended. */
static int alive[2];

static void run_one(void) {
    program p = {0};
    start(&p, SHELL(0, "exit 0"));
    assert_ends(&p, 0, "4::0|");
}
/* The descriptors of the thread that watches stay open, so they are counted. */
static int prepare(void **state) {
    (void)state;
    queue = sgk_queue_create("programs");
    run_one();
    open_before = open_descriptors();
    return pipe(alive);
}
static void assert_all_ended(void) {
    struct pollfd end = {alive[0], POLLIN, 0};
    if (alive[1] >= 0) close(alive[1]), alive[1] = -1;
    assert_int_equal(poll(&end, 1, 60000), 1);
    assert_true(end.revents & POLLHUP);
    siginfo_t info;
    EVENTUALLY(waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == -1 && errno == ECHILD); /* all are reaped */
}
static int finish(void **state) {
    assert_all_ended();
    close(alive[0]);
    EVENTUALLY(open_descriptors() <= open_before); /* a thread closes what it has used, perhaps after the count */
    sgk_queue_release(queue);
    return nothing_alive(state);
}
#define STARTED(name) cmocka_unit_test_setup_teardown(name, prepare, finish)

static void output_and_status(void **state) {
    (void)state;
    program p = {0}, killed = {0}, both = {0}, none = {0};
    start(&p, SHELL(SGK_PROCESS_OUTPUT, "echo one; echo two; printf three; exit 7"));
    assert_ends(&p, 0, "1:one:0|1:two:0|1:three:0|4::7|");
    start(&killed, SHELL(SGK_PROCESS_ERRORS, "echo bad >&2; kill -9 $$"));
    assert_ends(&killed, 0, "2:bad:0|4::-9|");
    start(&both, SHELL(BOTH, "echo bad >&2; echo good; exit 3"));
    EVENTUALLY(both.ends == 1);
    assert_non_null(strstr(both.text, "1:good:0|"));
    assert_non_null(strstr(both.text, "2:bad:0|"));
    assert_string_equal(strstr(both.text, "4:"), "4::3|"); /* the last one */
    assert_ends(&both, 0, NULL);
    start(&none, RUN(0, NULL, "true"));
    assert_ends(&none, 0, "4::0|");
}

static void it_starts_at_each_start(void **state) {
    (void)state;
    program first = {0}, second = {0};
    char name[] = "echo";
    const char *arguments[] = {name, "text", NULL};
    sgk_signal *signal = sgk_signal_process(arguments, NULL, SGK_PROCESS_OUTPUT, 100, queue);
    name[0] = '?'; /* copied */
    arguments[1] = NULL;
    start(&first, sgk_signal_retain(signal));
    assert_ends(&first, 0, "1:text:0|4::0|");
    start(&second, signal);
    assert_ends(&second, 0, "1:text:0|4::0|");
}

static sgk_signal *texts(void) {
    return sgk_signal_from_array((sgk_value[]){sgk_give(sgk_string("one\n")), sgk_give(sgk_string("two"))}, 2);
}
static void input_of_a_program(void **state) {
    (void)state;
    program p = {0}, none = {0};
    sgk_signal *input = texts();
    start(&p, RUN(SGK_PROCESS_OUTPUT, input, "cat"));
    assert_ends(&p, 0, "1:one:0|1:two:0|4::0|");
    start(&none, RUN(SGK_PROCESS_OUTPUT, NULL, "cat")); /* an empty input */
    assert_ends(&none, 0, "4::0|");
    sgk_signal_release(input);
}

/* Whoever does not read its input is no error; the subscription to the input ends. */
static void unread_input(void **state) {
    (void)state;
    hand h = {0};
    program p = {0}, endless = {0};
    sgk_signal *source = hand_signal(&h), *one = sgk_signal_just(sgk_give(sgk_string("line\n")));
    start(&p, RUN(SGK_PROCESS_OUTPUT, source, "sh", "-c", "exec <&-; echo closed; exit 4"));
    EVENTUALLY(p.values >= 1);
    for (int i = 0; i < 1000 && h.disposals == 0; i++) sgk_subscriber_next(h.subscriber, sgk_give(sgk_string("text")));
    assert_ends(&p, 0, "1:closed:0|4::4|");
    assert_int_equal(h.disposals, 1);
    hand_free(&h);
    sgk_signal_release(source);
    sgk_signal *lines = sgk_signal_repeat(one, INT64_MAX);
    start(&endless, RUN(SGK_PROCESS_OUTPUT, lines, "head", "-n", "2"));
    assert_ends(&endless, 0, "1:line:0|1:line:0|4::0|");
    sgk_signal_release(lines), sgk_signal_release(one);
}

static void failing_input(void **state) {
    (void)state;
    hand h = {0};
    program p = {0}, number = {0};
    sgk_signal *source = hand_signal(&h), *one = sgk_signal_just(sgk_int(1));
    start(&p, RUN(SGK_PROCESS_OUTPUT, source, "cat"));
    sgk_subscriber_next(h.subscriber, sgk_give(sgk_string("one\n")));
    EVENTUALLY(p.values == 1);
    sgk_subscriber_error(h.subscriber, sgk_give(sgk_error_f(77, "no more")));
    assert_ends(&p, 77, "1:one:0|");
    hand_free(&h);
    start(&number, RUN(SGK_PROCESS_OUTPUT, one, "cat"));
    assert_ends(&number, EINVAL, "");
    assert_non_null(strstr(number.reason, "write of a value that is neither a string nor bytes"));
    sgk_signal_release(source), sgk_signal_release(one);
}

/* valgrind and emulators copy this process before exec, so the error of exec becomes the exit status 127. */
static void assert_not_found(program *p, int error) {
    if (getenv("SUITE_SLOW")) assert_ends(p, 0, "4::127|");
    else assert_ends(p, error, "");
}
static void not_startable(void **state) {
    (void)state;
    program missing = {0}, folder = {0}, full = {0};
    start(&missing, RUN(BOTH, NULL, "/nowhere/program"));
    assert_not_found(&missing, ENOENT);
    start(&folder, RUN(BOTH, NULL, "/"));
    assert_not_found(&folder, EACCES);
    if (getenv("SUITE_SLOW")) return; /* valgrind keeps descriptors for itself */
    struct rlimit before, few;
    int failed_pipes = 0, failed_pidfds = 0;
    getrlimit(RLIMIT_NOFILE, &before);
    few = before;
    for (few.rlim_cur = (rlim_t)(alive[1] + 1); full.ends == 0 || full.error; few.rlim_cur++) {
        if (full.ends) stop(&full);
        full = (program){0};
        setrlimit(RLIMIT_NOFILE, &few);
        sgk_signal *input = texts();
        start(&full, RUN(BOTH, input, "cat"));
        sgk_signal_release(input);
        EVENTUALLY(full.ends == 1);
        assert_true(full.error == 0 || full.error == EMFILE);
        failed_pipes += strstr(full.reason, "sgk_signal_process: pipe2: ") != NULL;
        failed_pidfds += strstr(full.reason, "sgk_signal_process: pidfd_open: ") != NULL;
#ifdef __GLIBC__ /* That of musl makes a pipe of its own. */
        assert_null(strstr(full.reason, "posix_spawn"));
#endif
    }
    setrlimit(RLIMIT_NOFILE, &before);
    assert_true(failed_pipes >= 6 && failed_pipes + failed_pidfds >= 7); /* without pidfd_open there is a fourth pipe */
    assert_ends(&full, 0, "1:one:0|1:two:0|4::0|");
}

/* An early end of the subscription ends the program, and the library reaps it. */
static void ended_early(void **state) {
    (void)state;
    program disposed = {0}, within = {0}, later = {0}, too_long = {0}, group = {0}, gentle = {0};
    start(&disposed, RUN(BOTH, NULL, "sleep", "1000"));
    stop(&disposed);
    within.dispose_at = 1;
    start(&within, SHELL(BOTH, "echo go; exec sleep 1000"));
    EVENTUALLY(within.destroyed == 1);
    stop(&within);
    assert_string_equal(within.text, "1:go:0|");
    sgk_signal *endless = RUN(BOTH, NULL, "yes"), *five = sgk_signal_take(endless, 5);
    start(&later, five);
    assert_ends(&later, 0, "1:y:0|1:y:0|1:y:0|1:y:0|1:y:0|");
    sgk_signal_release(endless);
    start(&too_long, SHELL(BOTH, "head -c 5000 /dev/zero; exec sleep 1000"));
    assert_ends(&too_long, EMSGSIZE, "");
    start(&group, SHELL(BOTH | SGK_PROCESS_OWN_GROUP, "sleep 1000 & echo go; sleep 1000"));
    EVENTUALLY(group.values == 1);
    stop(&group);
    char path[] = "/tmp/signalkit-XXXXXX", command[200];
    int file = mkstemp(path);
    snprintf(command, sizeof command, "trap 'echo ended >%s; exit' TERM; echo go; while :; do sleep 0.01; done", path);
    start(&gentle, SHELL(BOTH | SGK_PROCESS_TERMINATE, command));
    EVENTUALLY(gentle.values == 1);
    stop(&gentle);
    assert_all_ended();
    assert_int_equal(read(file, command, sizeof command), 6);
    close(file), unlink(path);
}

/* Ctrl-C in a terminal ends the program, too, unless it has its own group. */
static void group_of_a_program(void **state) {
    (void)state;
    const char *command = "cut -d ' ' -f 5 /proc/$$/stat";
    char expected[64];
    snprintf(expected, sizeof expected, "1:%d:0|4::0|", (int)getpgrp());
    program same = {0}, own = {0};
    start(&same, SHELL(SGK_PROCESS_OUTPUT, command));
    assert_ends(&same, 0, expected);
    start(&own, SHELL(SGK_PROCESS_OUTPUT | SGK_PROCESS_OWN_GROUP, command));
    EVENTUALLY(own.ends == 1);
    assert_int_not_equal(strcmp(own.text, expected), 0);
    assert_ends(&own, 0, NULL);
}

/* The program has no blocked and no ignored signal, although this thread has both. */
static void signals_of_a_program(void **state) {
    (void)state;
    program p = {0};
    sigset_t user, before;
    sigemptyset(&user), sigaddset(&user, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &user, &before);
    struct sigaction ignored = {.sa_handler = SIG_IGN}, previous;
    sigaction(SIGUSR2, &ignored, &previous);
    start(&p, SHELL(SGK_PROCESS_OUTPUT, "kill -USR2 $$; echo survived"));
    assert_ends(&p, 0, "4::-12|");
    program blocked = {0};
    start(&blocked, SHELL(SGK_PROCESS_OUTPUT, "kill -USR1 $$; echo survived"));
    assert_ends(&blocked, 0, "4::-10|");
    sigaction(SIGUSR2, &previous, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void bytes_of_a_program(void **state) {
    (void)state;
    program p = {0};
    start(&p, RUN(SGK_PROCESS_OUTPUT | SGK_PROCESS_BYTES, NULL, "head", "-c", "100000", "/dev/zero"));
    EVENTUALLY(p.ends == 1);
    assert_int_equal(p.bytes, 100000);
    assert_true(p.biggest <= 4096);
    assert_ends(&p, 0, NULL);
}

/* During a pause the library reads nothing, so the program waits. Nothing is lost. */
static void paused_program(void **state) {
    (void)state;
    program p = {0};
    start(&p, RUN(SGK_PROCESS_OUTPUT, NULL, "seq", "30000"));
    EVENTUALLY(p.values > 0);
    sgk_disposable *hold = sgk_disposable_hold(p.run);
    sgk_queue_sync(queue, do_nothing, NULL);
    long long values = p.values;
    for (int i = 0; i < 20; i++) sleep_a_moment();
    assert_int_equal(p.values, values);
    assert_true(values < 30001 || p.ends == 1);
    sgk_disposable_dispose(hold), sgk_disposable_release(hold);
    EVENTUALLY(p.ends == 1);
    assert_int_equal(p.values, 30001);
    assert_int_equal(p.bytes, 9 + 90 * 2 + 900 * 3 + 9000 * 4 + 20001 * 5);
    assert_ends(&p, 0, NULL);
}

/* The three streams of the program, although a descriptor of this process has the number of one. */
static void without_a_standard_input(void **state) {
    (void)state;
    program p = {0};
    int kept = dup(0);
    close(0);
    sgk_signal *input = texts();
    start(&p, RUN(BOTH, input, "cat"));
    EVENTUALLY(p.ends == 1);
    if (kept >= 0) dup2(kept, 0), close(kept);
    assert_ends(&p, 0, "1:one:0|1:two:0|4::0|");
    sgk_signal_release(input);
}

/* The system reaps the program itself, so nobody learns its exit status. */
static void reaped_by_the_system(void **state) {
    (void)state;
    program p = {0};
    struct sigaction ignored = {.sa_handler = SIG_IGN}, previous;
    sigaction(SIGCHLD, &ignored, &previous);
    start(&p, SHELL(SGK_PROCESS_OUTPUT, "sleep 0.1; echo text"));
    EVENTUALLY(p.ends == 1);
    assert_ends(&p, ECHILD, NULL);
    sigaction(SIGCHLD, &previous, NULL);
}

/* If somebody else has reaped the program, its number may belong to another one, which is not ended. */
static void reaped_by_another(void **state) {
    (void)state;
    program p = {0};
    start(&p, SHELL(SGK_PROCESS_OUTPUT | SGK_PROCESS_OWN_GROUP, "sleep 100 & echo $!"));
    EVENTUALLY(p.values == 1);
    assert_true(waitpid(-1, NULL, 0) > 0);
    close(alive[1]);
    alive[1] = -1;
    stop(&p);
    assert_int_equal(poll(&(struct pollfd){alive[0], POLLIN, 0}, 1, 100), 0);
    assert_int_equal(kill(atoi(p.text + 2), SIGKILL), 0);
}

enum { PROGRAMS = 8, ROUNDS = 5 };

/* Starts programs and disposes them at any time, beside others. */
static void start_and_dispose(void *context, int index) {
    (void)context;
    for (int round = 0; round < ROUNDS; round++) {
        program p = {0}, whole = {0};
        sgk_signal *input = texts();
        start(&p, index % 2 ? RUN(BOTH, input, "cat") : SHELL(BOTH, "echo one; echo two"));
        start(&whole, RUN(BOTH, input, "cat"));
        for (int i = 0; i < (index + round) % 5; i++) sched_yield();
        if (round % 2) EVENTUALLY(p.values > 0);
        stop(&p);
        assert_ends(&whole, 0, "1:one:0|1:two:0|4::0|");
        sgk_signal_release(input);
    }
}
static void many_programs(void **state) {
    (void)state;
    in_parallel(repeated(PROGRAMS) > 2 ? PROGRAMS : 2, start_and_dispose, NULL);
}

/* The child of a fork neither ends nor reaps its parent's program. */
static void a_program_and_a_fork(void **state) {
    (void)state;
    program p = {0};
    hand h = {0};
    sgk_signal *source = hand_signal(&h);
    start(&p, RUN(SGK_PROCESS_OUTPUT, source, "cat"));
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        sgk_disposable_dispose(p.run);
        execlp("true", "true", (char *)NULL); /* valgrind would look for leaks at an exit of this copy */
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    sgk_subscriber_next(h.subscriber, sgk_give(sgk_string("still here\n")));
    EVENTUALLY(p.values == 1);
    sgk_subscriber_complete(h.subscriber);
    assert_ends(&p, 0, "1:still here:0|4::0|");
    hand_free(&h);
    sgk_signal_release(source);
}

int run_processes(void) {
    const struct CMUnitTest tests[] = {
        STARTED(output_and_status),
        STARTED(it_starts_at_each_start),
        STARTED(input_of_a_program),
        STARTED(unread_input),
        STARTED(failing_input),
        STARTED(not_startable),
        STARTED(ended_early),
        STARTED(group_of_a_program),
        STARTED(signals_of_a_program),
        STARTED(bytes_of_a_program),
        STARTED(paused_program),
        STARTED(without_a_standard_input),
        STARTED(reaped_by_the_system),
        STARTED(reaped_by_another),
        STARTED(many_programs),
        STARTED(a_program_and_a_fork),
    };
    if (getenv("PORTABLE")) return 0; /* only on Linux */
    return cmocka_run_group_tests_name("processes", tests, NULL, NULL);
}
