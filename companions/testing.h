/* Shared code of the companions' tests: a private server on a free local port, or at a socket in a private directory;
 * and the events of a subscription. */
#ifndef COMPANION_TESTING_H
#define COMPANION_TESTING_H

#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <signalkit.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#if !defined __has_feature
#define __has_feature(name) 0
#endif
#define HAS_THREAD_SANITIZER __has_feature(thread_sanitizer)
#define INSTRUMENTED (HAS_THREAD_SANITIZER || __has_feature(address_sanitizer))

/* Seconds after which an event counts as missing. Nothing here takes so long on any machine. */
enum { PATIENCE = 120 };

static inline void sleep_a_moment(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); } /* or longer */

/* Waits until the condition holds. */
#define EVENTUALLY(condition) \
    do { \
        int patience_ = PATIENCE * 1000; \
        while (!(condition)) { \
            if (patience_-- == 0) fail_msg("never: %s", #condition); \
            sleep_a_moment(); \
        } \
    } while (0)

/* The number of messages: MANY, or a number that takes a few seconds. */
static inline int64_t how_many(int64_t usual) {
    const char *many = getenv("MANY");
    return many && *many ? atoll(many) : usual;
}

/* Waits for a count without a time limit, as long as it increases. */
#define EVENTUALLY_ALL(count, come) \
    for (int64_t left_ = 99; left_ >= 0; left_--) EVENTUALLY((come) >= (count) - (count)*left_ / 100)

/* ---- A server ---- */

static char directory[] = "/tmp/signalkit-XXXXXX"; /* of this test, after make_directory */

static inline void make_directory(void) { assert_non_null(mkdtemp(directory)); }
static inline void remove_directory(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
}

static inline struct sockaddr_in loopback(int port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static inline int free_port(void) {
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    int one = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(one, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(one, (struct sockaddr *)&address, &size), 0);
    close(one);
    return ntohs(address.sin_port);
}

static inline bool answers(int port) {
    struct sockaddr_in address = loopback(port);
    int one = socket(AF_INET, SOCK_STREAM, 0);
    bool is_there = connect(one, (struct sockaddr *)&address, sizeof address) == 0;
    close(one);
    return is_there;
}

/* Starts a program that ends together with this test. Its output is in the file `log` of the directory. */
static inline pid_t server_start(const char *const *arguments, const char *log) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, log);
    int output = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    pid_t server = fork();
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        execvp(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    close(output);
    assert_true(server > 0);
    return server;
}

static inline void server_stop(pid_t server, int with) {
    kill(server, with);
    kill(server, SIGCONT);
    assert_int_equal(waitpid(server, NULL, 0), server);
}

/* Pauses the server until SIGCONT. */
static inline void server_pause(pid_t server) {
    kill(server, SIGSTOP);
    assert_int_equal(waitpid(server, NULL, WUNTRACED), server);
}

/* ---- The events of a subscription ---- */

typedef struct heard {
    _Atomic int64_t values, ends; /* ends: 1 by completion, 2 by an error */
    pthread_mutex_t lock;
    sgk_value last; /* under the lock */
} heard;

#define HEARD_INIT \
    { \
        0, 0, PTHREAD_MUTEX_INITIALIZER, { 0, 0, 0 } \
    }

static inline void keep_last(heard *heard, sgk_value value) {
    pthread_mutex_lock(&heard->lock);
    sgk_value old = heard->last;
    heard->last = sgk_value_retain(value);
    pthread_mutex_unlock(&heard->lock);
    sgk_value_release(old);
}
static inline void hear_value(void *context, sgk_value value) {
    keep_last(context, value);
    ((heard *)context)->values++;
}
static inline void hear_error(void *context, sgk_value error) {
    keep_last(context, error);
    ((heard *)context)->ends = 2;
}
static inline void hear_end(void *context) { ((heard *)context)->ends = 1; }

/* The last value, or the error; owned by the caller. */
static inline sgk_value heard_last(heard *heard) {
    pthread_mutex_lock(&heard->lock);
    sgk_value last = sgk_value_retain(heard->last);
    pthread_mutex_unlock(&heard->lock);
    return last;
}

/* Starts the signal, which it releases. `next` receives `heard` as its context. */
static inline sgk_disposable *hear_by(sgk_next_fn next, sgk_signal *signal, heard *heard) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = heard;
    handlers.next = next;
    handlers.error = hear_error;
    handlers.completed = hear_end;
    sgk_disposable *run = sgk_signal_start_waitable(signal, &handlers);
    sgk_signal_release(signal);
    return run;
}
static inline sgk_disposable *hear(sgk_signal *signal, heard *heard) { return hear_by(hear_value, signal, heard); }

static inline void heard_done(heard *heard, sgk_disposable *run) {
    if (run) sgk_disposable_dispose_and_wait(run); /* then no callback uses the caller's stack */
    sgk_disposable_release(run);
    keep_last(heard, sgk_null());
}

/* A callback that is held up while a test has the gate. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static inline void count_slowly(void *context, sgk_value message) {
    (void)message;
    pthread_mutex_lock(&gate);
    ++*(_Atomic int64_t *)context;
    pthread_mutex_unlock(&gate);
}

/* ---- Slow consumers ---- */

enum { SLOW_LIMIT = 8 };

/* A consumer that the gate holds up. Messages with the numbers 0, 1, 2 … wait in a buffer that pauses their source. */
typedef struct slow {
    heard ends; /* first: it is the context */
    int64_t (*number_of)(sgk_value message);
    _Atomic int64_t arrived, next, wrong, most; /* most: that were in the process */
} slow;

static inline sgk_value slow_arrival(void *context, sgk_value message) {
    (void)message;
    slow *slow = context;
    int64_t pending = ++slow->arrived - slow->next;
    if (pending > slow->most) slow->most = pending;
    return sgk_unchanged();
}
static inline void slow_value(void *context, sgk_value message) {
    slow *slow = context;
    pthread_mutex_lock(&gate);
    slow->wrong += slow->number_of(message) != slow->next;
    slow->next++;
    pthread_mutex_unlock(&gate);
}

/* Starts the signal, which it releases. */
static inline sgk_disposable *consume_slowly(sgk_signal *signal, slow *slow) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    SGK_STAGE(map, signal, slow_arrival, slow, NULL);
    SGK_STAGE(deliver_on_bounded, signal, SGK_BOUND(.limit = SLOW_LIMIT, .overflow = SGK_OVERFLOW_PAUSE), queue);
    return hear_by(slow_value, signal, &slow->ends);
}

/* Checks that all messages have arrived in order, of which at most `more` were in the process beyond the limit. */
static inline void assert_slow(slow *slow, int64_t count, int64_t more) {
    EVENTUALLY_ALL(count, slow->next);
    assert_int_equal(slow->next, count);
    assert_int_equal(slow->arrived, count);
    assert_int_equal(slow->wrong, 0);
    if (slow->most > SLOW_LIMIT + more) fail_msg("%d were in the process", (int)slow->most);
}
static inline void slow_done(slow *slow, sgk_disposable *run) { heard_done(&slow->ends, run); }

/* Gives a message that a pause does not stop the time to arrive. */
static inline void let_it_come(void) { nanosleep(&(struct timespec){0, 100000000}, NULL); }

/* Disposes the subscription and releases the client in the child of a fork. Both must still work in the parent. */
static inline void let_go_in_a_child(sgk_disposable *run, void (*release)(void *), void *client) {
    sleep_a_moment(); /* until no callback is running */
    pid_t child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        sgk_disposable_dispose(run);
        sgk_disposable_release(run);
        release(client);
        _exit(sgk_drain(PATIENCE / 2) == SGK_OK ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The same during a pause. Its end may be work for a new thread, which ThreadSanitizer does not allow in a child. */
static inline void let_go_paused_in_a_child(sgk_disposable *run, void (*release)(void *), void *client) {
    if (!HAS_THREAD_SANITIZER) let_go_in_a_child(run, release, client);
}

/* Creates and releases objects repeatedly, and checks that sgk_drain waits for the consequences. */
static inline void what_ends_is_waited_for(void (*come_and_go)(void *), void *context) {
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    int64_t before = sgk_live_total();
    for (int i = 0; i < 50; i++) {
        come_and_go(context);
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
        assert_int_equal(sgk_live_total(), before);
    }
}
static inline void start_and_dispose(void *signal) {
    sgk_disposable *run = sgk_signal_start(signal, NULL);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
}

/* Waits for deferred releases, then checks that no object is alive. */
static inline void nothing_is_left(void) {
    time_t began = time(NULL);
    while (sgk_drain(1) != SGK_OK || sgk_live_total() != 0) {
        if (time(NULL) - began <= PATIENCE) continue;
        for (sgk_live kind = 0; sgk_live_count(kind) >= 0; kind++)
            if (sgk_live_count(kind)) print_error("left: %s, %d\n", sgk_live_text(kind), (int)sgk_live_count(kind));
        fail();
    }
}

#endif
