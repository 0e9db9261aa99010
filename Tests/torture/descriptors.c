/* Descriptors, and the inspector's socket. */
#include "scenarios.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

static void stop_at_end(void *context) { see_end(context), sgk_main_stop(); }
static void stop_at_error(void *context, sgk_value error) { see_error(context, error), sgk_main_stop(); }

/* Runs the main queue until the signal has ended. Returns whether it has not failed. Its error is an errno. */
static bool see_through(sgk_signal *signal, seen *seen) {
    sgk_handlers handlers = all_of(seen);
    handlers.completed = stop_at_end;
    handlers.error = stop_at_error;
    RUN(run, sgk_signal_start(signal, &handlers));
    sgk_status status = has_threads() ? sgk_main_run() : SGK_OK;
    MUST(status == SGK_OK || status == SGK_ERROR_SYSTEM);
    UNTIL(seen->ends);
    MUST(!seen->error || strerror(seen->error));
    return !seen->error;
}

/* Two ends of a pipe, closed at the end. */
typedef struct ends {
    int reads, writes;
} ends;
static void close_ends(ends *ends) {
    close(ends->reads);
    if (ends->writes >= 0) close(ends->writes);
}
static ends new_ends(void) {
    int made[2];
    MUST(pipe2(made, O_CLOEXEC) == 0);
    return (ends){made[0], made[1]};
}
#define ENDS(name) __attribute__((cleanup(close_ends))) ends name = new_ends()

bool lines(void) {
    ENDS(pipe);
    seen *seen = new_seen();
    MUST(write(pipe.writes, "first\nsecond\nthird", sizeof "first\nsecond\nthird" - 1) > 0 && close(pipe.writes) == 0);
    pipe.writes = -1;
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, all, sgk_signal_fd_lines(pipe.reads, 100, main_queue));
    return see_through(all, seen) && came(seen, 3, 16, true);
}

bool readiness(void) {
    ENDS(pipe);
    seen *seen = new_seen();
    MUST(write(pipe.writes, "a", 1) == 1);
    MADE(sgk_queue, queue, sgk_queue_create("a queue"));
    MADE(sgk_signal, ready, sgk_signal_fd(pipe.reads, SGK_FD_READ, queue));
    STAGE(ready, sgk_signal_take(ready, 2));
    return see_through(ready, seen) && came(seen, 2, 2, true);
}

/* From one descriptor to another, by a sink, and by bytes. */
bool sinks(void) {
    ENDS(pipe);
    seen *written = new_seen(), *read_ = new_seen();
    HELD(text, sgk_string("a text of thirty bytes or so.\n"));
    MADE(sgk_queue, queue, sgk_queue_create("a queue"));
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, source, sgk_signal_from_array((sgk_value[]){text, text, text}, 3));
    MADE(sgk_signal, sink,
        sgk_signal_sink_fd(
            source, pipe.writes, false, SGK_BOUND(.limit = 40, .overflow = SGK_OVERFLOW_SUSPEND), queue));
    MADE(sgk_signal, bytes, sgk_signal_fd_bytes(pipe.reads, 1000, main_queue));
    if (!see_through(sink, written)) return false;
    MUST(written->values == 0);
    STAGE(bytes, sgk_signal_take(bytes, 1));
    return see_through(bytes, read_) && came(read_, 1, 90, true);
}

bool unix_signals(void) {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    seen *seen = new_seen();
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, signals, sgk_signal_unix_signal(SIGUSR1, main_queue));
    STAGE(signals, sgk_signal_take(signals, 1));
    MUST(kill(getpid(), SIGUSR1) == 0);
    bool is_whole = see_through(signals, seen) && came(seen, 1, SIGUSR1, true);
    (void)sigtimedwait(&blocked, NULL, &(struct timespec){0, 0}); /* nobody has read it */
    return is_whole;
}

bool children(void) {
    seen *seen = new_seen();
    pid_t child = fork();
    if (child == 0) _exit(3);
    MUST(child > 0);
    sgk_queue *main_queue = sgk_queue_main();
    sgk_signal *end = sgk_signal_child(child, main_queue);
    bool is_whole = end ? see_through(end, seen) && came(seen, 1, 3, true) : main_queue && refused();
    sgk_signal_release(end);
    sgk_queue_release(main_queue);
    pid_t reaped = waitpid(child, NULL, 0);
    MUST(is_whole ? reaped < 0 : true);
    return is_whole;
}

bool programs(void) {
    static const char *const arguments[] = {"/bin/true", NULL};
    seen *seen = new_seen();
    sgk_queue *main_queue = sgk_queue_main();
    sgk_signal *program = sgk_signal_process(arguments, NULL, 0, 100, main_queue);
    bool is_whole =
        program ? see_through(program, seen) && came(seen, 1, SGK_PROCESS_EXIT, true) : main_queue && refused();
    sgk_signal_release(program);
    sgk_queue_release(main_queue);
    return is_whole;
}

static sgk_signal *itself(void *signal, int connection) { return (void)connection, sgk_signal_retain(signal); }

bool sockets(void) {
    seen *seen = new_seen();
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    __attribute__((cleanup(close_ends))) ends listener = {socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), -1};
    MUST(bind(listener.reads, (struct sockaddr *)&place, size) == 0 && listen(listener.reads, 5) == 0);
    MUST(getsockname(listener.reads, (struct sockaddr *)&place, &size) == 0);
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, five, sgk_signal_just(sgk_int(5)));
    MADE(sgk_signal, server, sgk_signal_accept(listener.reads, 1, itself, five, NULL, main_queue));
    STAGE(server, sgk_signal_take(server, 1));
    MADE(sgk_signal, client, sgk_signal_connect(&place, size, itself, five, NULL, main_queue));
    MADE(sgk_signal, both, sgk_merge((sgk_signal *[]){server, client}, 2));
    return see_through(both, seen) && came(seen, 2, 10, true);
}

bool datagrams(void) {
    seen *written = new_seen(), *read_ = new_seen();
    int made[2];
    MUST(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, made) == 0);
    __attribute__((cleanup(close_ends))) ends pair = {made[0], made[1]};
    HELD(text, sgk_string("a text of thirty bytes or so.\n"));
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, source, sgk_signal_from_array((sgk_value[]){text, text, text}, 3));
    MADE(sgk_signal, sink,
        sgk_signal_sink_fd(source, pair.writes, false, SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE), main_queue));
    MADE(sgk_signal, datagrams, sgk_signal_fd_datagrams(pair.reads, 1000, main_queue));
    if (!see_through(sink, written)) return false;
    STAGE(datagrams, sgk_signal_take(datagrams, 3));
    return see_through(datagrams, read_) && came(read_, 3, 90, true);
}

bool wall_clock(void) {
    seen *seen = new_seen();
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, timer, sgk_signal_wall_clock_timer(1, main_queue));
    return see_through(timer, seen) && came(seen, 1, 0, true);
}

static bool follow(const char *file) {
    seen *seen = new_seen();
    MADE(sgk_queue, main_queue, sgk_queue_main());
    MADE(sgk_signal, lines, sgk_signal_file_lines(file, true, 100, main_queue));
    STAGE(lines, sgk_signal_take(lines, 2));
    return see_through(lines, seen) && came(seen, 2, 6, true);
}
bool file_lines(void) {
    char file[] = "/tmp/torture.XXXXXX";
    int fd = mkstemp(file);
    MUST(write(fd, "one\ntwo\n", 8) == 8 && close(fd) == 0);
    bool is_whole = follow(file);
    MUST(unlink(file) == 0);
    return is_whole;
}

bool file_changes(void) {
    char folder[] = "/tmp/torture.XXXXXX", file[40];
    MUST(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/new", folder);
    seen *seen = new_seen();
    sgk_queue *main_queue = sgk_queue_main();
    sgk_signal *changes = sgk_signal_file_changes(folder, SGK_FILE_CREATED, main_queue);
    if (changes) sgk_signal_replace(&changes, sgk_signal_take(changes, 1));
    sgk_handlers handlers = all_of(seen);
    sgk_disposable *run = sgk_signal_start(changes, &handlers);
    close(open(file, O_WRONLY | O_CREAT, 0600));
    while (run && !seen->ends && !refused_again()) continue;
    bool is_whole = run && seen->ends && !seen->error ? came(seen, 1, SGK_FILE_CREATED + 3, true) : false;
    if (!run && changes) (void)refused();
    sgk_disposable_release(run);
    sgk_signal_release(changes);
    sgk_queue_release(main_queue);
    MUST(unlink(file) == 0 && rmdir(folder) == 0);
    return is_whole;
}

/* ---- The inspector ---- */

/* Returns the number of lines in the answers. */
static int ask(const char *path, const char *requests) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), lines = 0;
    MUST(client >= 0 && connect(client, (struct sockaddr *)&address, sizeof address) == 0);
    if (send(client, requests, strlen(requests), MSG_NOSIGNAL) > 0) (void)shutdown(client, SHUT_WR);
    char text[4096];
    for (ssize_t count; (count = recv(client, text, sizeof text, 0)) > 0;)
        for (ssize_t i = 0; i < count; i++) lines += text[i] == '\n';
    close(client);
    return lines;
}

bool inspected(void) {
    char path[40];
    snprintf(path, sizeof path, "/tmp/torture-%d", (int)getpid());
    MADE(sgk_signal, never, sgk_signal_never());
    if (sgk_debug_inspect(path) != SGK_OK) {
        (void)refused();
        MUST(access(path, F_OK) != 0);
        return false;
    }
    int lines = ask(path, "graph\nlive\ndump\nwhat\n");
    MUST(lines <= 4);
    DONE(sgk_debug_inspect(NULL));
    return unlink(path) != 0 && lines == 4; /* it leaves what it cannot look at */
}
