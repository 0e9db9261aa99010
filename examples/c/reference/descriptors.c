/* Examples of signalkit/descriptors.h. */
#include "print.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void stop(void *context) {
    (void)context;
    sgk_main_stop();
}

/* Prints what a signal emits, and runs the main queue until it has completed. */
static void print_all(sgk_signal *signal) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.completed = stop;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(signal, &handlers);
    sgk_main_run();
}

/* A pipe of the system with a text in it, and its end behind that. */
static int pipe_with(const char *text) {
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], text, strlen(text)) < 0) exit(1);
    close(ends[1]);
    return ends[0];
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(1);
}

/* A socket that listens at a free port of this machine. */
static int listen_at(struct sockaddr_in *address) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof *address;
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)address, size) != 0 || listen(listener, 10) != 0 ||
        getsockname(listener, (struct sockaddr *)address, &size) != 0)
        exit(1);
    return listener;
}

/* sgk_signal_fd_lines */
static void fd_lines(void) {
    int fd = pipe_with("first\nsecond\n");
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) all = sgk_signal_fd_lines(fd, 1000, main_queue);
    print_all(all);
    close(fd);
}
/* first
 * second */

/* sgk_signal_fd_bytes
 * Emits bytes as they arrive, at most four in a value. */
static void fd_bytes(void) {
    int fd = pipe_with("abcdef");
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) all = sgk_signal_fd_bytes(fd, 4, main_queue);
    print_all(all);
    close(fd);
}
/* 61626364
 * 6566 */

/* sgk_signal_fd
 * Emits bits: the descriptor is readable (SGK_FD_READ), and the peer has closed its end. */
static void fd_ready(void) {
    int fd = pipe_with("a");
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) ready = sgk_signal_fd(fd, SGK_FD_READ, main_queue);
    SGK_AUTO(sgk_signal) once = sgk_signal_take(ready, 1);
    print_all(once);
    close(fd);
}
/* 5 */

/* sgk_signal_sink_fd
 * Writes the values of a signal to a descriptor. The completion arrives when all is written. */
static void sink_fd(void) {
    int ends[2];
    if (pipe(ends) != 0) exit(1);
    const sgk_value texts[] = {sgk_give(sgk_string("hello, ")), sgk_give(sgk_string("world\n"))};
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) source = sgk_signal_from_array(texts, 2);
    SGK_AUTO(sgk_signal) written = sgk_signal_sink_fd(source, ends[1], true, SGK_BOUND(.limit = 1000), main_queue);
    print_all(written);
    SGK_AUTO(sgk_signal) read = sgk_signal_fd_lines(ends[0], 1000, main_queue);
    print_all(read);
    close(ends[0]);
}
/* hello, world */

/* sgk_signal_unix_signal
 * The first SIGUSR1; it is blocked first, in all threads. */
static void unix_signal(void) {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) signals = sgk_signal_unix_signal(SIGUSR1, main_queue);
    SGK_AUTO(sgk_signal) first = sgk_signal_take(signals, 1);
    kill(getpid(), SIGUSR1);
    print_all(first);
}
/* 10 */

/* sgk_signal_child
 * How a process that was started has ended. */
static void child(void) {
    pid_t pid = fork();
    if (pid == 0) _exit(3);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) end = sgk_signal_child(pid, main_queue);
    print_all(end);
}
/* 3 */

/* sgk_signal_process
 * A program that reads what a signal emits. The last value is its exit status. */
static void process(void) {
    static const char *const arguments[] = {"sort", "-r", NULL};
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) text = sgk_signal_just(sgk_give(sgk_string("one\ntwo\n")));
    SGK_AUTO(sgk_signal) sorted = sgk_signal_process(arguments, text, SGK_PROCESS_OUTPUT, 100, main_queue);
    print_all(sorted);
}
/* [1, two, 0]
 * [1, one, 0]
 * [4, , 0] */

static sgk_signal *lines_of(void *queue, int connection) { return sgk_signal_fd_lines(connection, 1000, queue); }

/* sgk_signal_accept
 * Emits the lines that clients send, of at most ten clients at a time. The first line of this client ends the server. */
static void accept_connections(void) {
    struct sockaddr_in address;
    int listener = listen_at(&address), client = socket(AF_INET, SOCK_STREAM, 0);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) lines = sgk_signal_accept(listener, 10, lines_of, main_queue, NULL, main_queue);
    SGK_STAGE(take, lines, 1);
    if (connect(client, (struct sockaddr *)&address, sizeof address) != 0 || write(client, "a line\n", 7) != 7) exit(1);
    print_all(lines);
    close(client), close(listener);
}
/* a line */

static sgk_value data_of(void *context, sgk_value datagram) {
    size_t size;
    const char *data = sgk_value_data(sgk_array_at(datagram, 0), &size);
    return (void)context, sgk_string_n(data, size);
}

/* sgk_signal_fd_datagrams
 * A server for UDP that sends each datagram back, and a client that sends three. */
static void datagrams(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int server = socket(AF_INET, SOCK_DGRAM, 0), client = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(server, (struct sockaddr *)&address, size) != 0 ||
        getsockname(server, (struct sockaddr *)&address, &size) != 0 ||
        connect(client, (struct sockaddr *)&address, size) != 0)
        exit(1);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) echo = sgk_signal_fd_datagrams(server, 65536, main_queue);
    SGK_STAGE(sink_fd, echo, server, false, SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE), main_queue);
    SGK_AUTO_DISPOSE serving = sgk_signal_start(echo, NULL);
    sgk_value three[] = {
        sgk_give(sgk_string("one")), sgk_give(sgk_string("two")), sgk_give(sgk_string("three"))};
    SGK_AUTO(sgk_signal) texts = sgk_signal_from_array(three, 3);
    SGK_STAGE(sink_fd, texts, client, false, NULL, main_queue);
    SGK_AUTO_DISPOSE sending = sgk_signal_start(texts, NULL);
    SGK_AUTO(sgk_signal) answers = sgk_signal_fd_datagrams(client, 65536, main_queue);
    SGK_STAGE(map, answers, data_of, NULL, NULL);
    SGK_STAGE(take, answers, 3);
    print_all(answers);
    close(client), close(server);
}
/* one
 * two
 * three */

static sgk_signal *greet(void *queue, int connection) {
    SGK_AUTO(sgk_signal) greeting = sgk_signal_just(sgk_give(sgk_string("welcome\n")));
    return sgk_signal_sink_fd(greeting, connection, false, NULL, queue);
}

/* sgk_signal_connect
 * A client that reads the greeting of a server. */
static void connect_to_a_server(void) {
    struct sockaddr_in address;
    int listener = listen_at(&address);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) server = sgk_signal_accept(listener, 10, greet, main_queue, NULL, main_queue);
    SGK_AUTO_DISPOSE serving = sgk_signal_start(server, NULL);
    SGK_AUTO(sgk_signal) lines =
        sgk_signal_connect(&address, sizeof address, lines_of, main_queue, NULL, main_queue);
    print_all(lines);
    close(listener);
}
/* welcome */

/* sgk_signal_wall_clock_timer
 * A tenth of a second from now, unless somebody sets the clock. */
static void wall_clock_timer(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) timer =
        sgk_signal_wall_clock_timer((double)now.tv_sec + (double)now.tv_nsec / 1e9 + 0.1, main_queue);
    print_all(timer);
}
/* 0 */

/* sgk_signal_file_changes
 * A file is made in a folder: SGK_FILE_CREATED, its name. */
static void file_changes(void) {
    char folder[] = "/tmp/folder.XXXXXX", file[40];
    if (!mkdtemp(folder)) exit(1);
    snprintf(file, sizeof file, "%s/new", folder);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) changes = sgk_signal_file_changes(folder, SGK_FILE_CREATED, main_queue);
    SGK_AUTO(sgk_signal) first = sgk_signal_take(changes, 1);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.completed = stop;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(first, &handlers);
    close(open(file, O_WRONLY | O_CREAT, 0600));
    sgk_main_run();
    unlink(file);
    rmdir(folder);
}
/* [256, new, 0] */

/* sgk_signal_file_lines
 * A log has a line. It is renamed, and another file with a line receives its name. */
static void file_lines(void) {
    char folder[] = "/tmp/folder.XXXXXX", path[40], old[40];
    if (!mkdtemp(folder)) exit(1);
    snprintf(path, sizeof path, "%s/log", folder);
    snprintf(old, sizeof old, "%s/log.1", folder);
    write_file(path, "one\n");
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) lines = sgk_signal_file_lines(path, true, 1000, main_queue);
    SGK_AUTO(sgk_signal) first = sgk_signal_take(lines, 2);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.completed = stop;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(first, &handlers);
    rename(path, old);
    write_file(path, "two\n");
    sgk_main_run();
    unlink(path);
    unlink(old);
    rmdir(folder);
}
/* one
 * two */

int main(void) {
    fd_lines();
    fd_bytes();
    fd_ready();
    sink_fd();
    unix_signal();
    child();
    process();
    accept_connections();
    datagrams();
    connect_to_a_server();
    wall_clock_timer();
    file_changes();
    file_lines();
}
