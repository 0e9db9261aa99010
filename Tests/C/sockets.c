/* Stream sockets: servers that accept connections, clients that connect, and who closes what. */
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Places to listen at ---- */

typedef struct place {
    union {
        struct sockaddr any;
        struct sockaddr_in internet;
        struct sockaddr_un local;
    } address;
    socklen_t size;
    int listener;
    char folder[32];
} place;

static place listen_at(int family, int backlog) {
    place p = {.size = sizeof p.address.internet, .folder = "/tmp/signalkit-XXXXXX"};
    p.address.any.sa_family = (sa_family_t)family;
    if (family == AF_UNIX) {
        assert_non_null(mkdtemp(p.folder));
        snprintf(p.address.local.sun_path, sizeof p.address.local.sun_path, "%s/socket", p.folder);
        p.size = sizeof p.address.local;
    } else p.address.internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    p.listener = socket(family, SOCK_STREAM, 0);
    assert_int_equal(bind(p.listener, &p.address.any, p.size), 0);
    assert_int_equal(getsockname(p.listener, &p.address.any, &p.size), 0);
    if (backlog >= 0) assert_int_equal(listen(p.listener, backlog), 0);
    return p;
}
static void leave(place *p) {
    close(p->listener);
    if (p->address.any.sa_family != AF_UNIX) return;
    unlink(p->address.local.sun_path);
    rmdir(p->folder);
}

/* A client without the library. */
static int dial_with(int fd, place *p) {
    assert_int_equal(connect(fd, &p->address.any, p->size), 0);
    return fd;
}
static int dial(place *p) { return dial_with(socket(p->address.any.sa_family, SOCK_STREAM, 0), p); }
static void say(int fd, const char *text) { assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text)); }
static void assert_hears(int fd, const char *text) {
    char heard[64] = "";
    size_t count = 0;
    while (count < strlen(text)) {
        ssize_t more = read(fd, heard + count, strlen(text) - count);
        assert_true(more > 0);
        count += (size_t)more;
    }
    assert_string_equal(heard, text);
}
static void assert_closed(int fd) {
    char byte;
    ssize_t count = read(fd, &byte, 1);
    assert_true(count == 0 || (count < 0 && errno == ECONNRESET));
    close(fd);
}
static bool is_silent(int fd) { return poll(&(struct pollfd){fd, POLLIN, 0}, 1, 30) == 0; }

/* ---- Subscriptions ---- */

typedef struct seen {
    atomic_int values, error, ends, destroyed, contexts; /* the contexts of callbacks that were destroyed */
    atomic_llong sum;
    char reason[128];
    sgk_disposable *run;
    door *blocks; /* the callback of a value */
} seen;

static void see_next(void *context, sgk_value value) {
    seen *s = context;
    s->values++;
    s->sum += atoll(sgk_value_data(value, NULL));
    if (s->blocks) wait_at(s->blocks);
}
static void see_error(void *context, sgk_value error) {
    seen *s = context;
    snprintf(s->reason, sizeof s->reason, "%s", sgk_error_text(error));
    s->error = sgk_error_code(error);
    s->ends++;
}
static void see_end(void *context) { ((seen *)context)->ends++; }
static void see_run(void *context, sgk_disposable *run) { ((seen *)context)->run = sgk_disposable_retain(run); }
static void see_destroy(void *context) { ((seen *)context)->destroyed++; }

/* Starts and releases the signal. */
static void see(seen *s, sgk_signal *signal) {
    assert_non_null(signal);
    sgk_disposable_release(sgk_signal_start(signal,
        SGK_HANDLERS(.next = see_next, .error = see_error, .completed = see_end, .started = see_run, .context = s,
            .destroy = see_destroy)));
    sgk_signal_release(signal);
}
static void stop(seen *s) {
    sgk_disposable_dispose(s->run);
    EVENTUALLY(s->destroyed == 1);
    EVENTUALLY(s->contexts == 1);
    sgk_disposable_release(s->run);
}
static void assert_ends(seen *s, int error) {
    EVENTUALLY(s->ends == 1);
    assert_int_equal(s->error, error);
    stop(s);
}

static sgk_queue *queue;
static int open_before;

/* ---- Servers and clients ---- */

typedef struct server {
    seen seen; /* first: of its subscription */
    place place;
    atomic_int served, now, most;
    sgk_signal *(*serve)(struct server *server, int connection);
    sgk_queue *queue;
} server;

static void count_contexts(void *context) { ((seen *)context)->contexts++; }
static void count_out(void *context) { ((server *)context)->now--; }

static sgk_signal *serve_one(void *context, int connection) {
    server *s = context;
    s->served++;
    int now = ++s->now, most = s->most;
    while (now > most && !atomic_compare_exchange_weak(&s->most, &most, now)) {}
    sgk_signal *signal = s->serve(s, connection);
    if (signal) SGK_STAGE(after_disposed, signal, count_out, s, NULL);
    return signal;
}

/* Completes. */
static sgk_signal *nothing_instead(void *context, sgk_value error) { return (void)context, (void)error, NULL; }

/* Sends everything back until the client closes. A client that closes before it has read is ECONNRESET. */
static sgk_signal *echo(server *s, int connection) {
    sgk_signal *data = sgk_signal_fd_bytes(connection, 4096, s->queue);
    SGK_STAGE(sink_fd, data, connection, false, SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE), s->queue);
    SGK_STAGE(catch, data, SGK_FN(nothing_instead));
    return data;
}
/* Emits the numbers that it receives. */
static sgk_signal *lines_of(server *s, int connection) {
    sgk_signal *lines = sgk_signal_fd_lines(connection, 100, s->queue);
    SGK_STAGE(catch, lines, SGK_FN(nothing_instead));
    return lines;
}

static sgk_signal *server_signal(server *s, int64_t limit) {
    if (!s->queue) s->queue = queue;
    return sgk_signal_accept(s->place.listener, limit, serve_one, s, count_contexts, s->queue);
}
static void start_server(server *s, int family, int64_t limit) {
    s->place = listen_at(family, 100);
    if (!s->serve) s->serve = echo;
    see(&s->seen, server_signal(s, limit));
}
static void stop_server(server *s) {
    stop(&s->seen);
    leave(&s->place);
    EVENTUALLY(s->now == 0);
}

/* Sends two numbers and emits those that return. */
static sgk_signal *send_two(void *context, int connection) {
    (void)context;
    sgk_signal *text = sgk_signal_just(sgk_give(sgk_string("30\n12\n")));
    SGK_STAGE(sink_fd, text, connection, false, NULL, queue);
    sgk_signal *lines = sgk_signal_fd_lines(connection, 100, queue);
    SGK_STAGE(take, lines, 2);
    sgk_signal *both = sgk_merge(SGK_LIST(sgk_signal *, text, lines));
    sgk_signal_release(text), sgk_signal_release(lines);
    return both;
}
static sgk_signal *client_signal(seen *s, place *p, sgk_connection_fn use) {
    return sgk_signal_connect(&p->address, p->size, use, s, count_contexts, queue);
}

/* The descriptors of the thread that watches stay open, so they are counted. */
static int prepare(void **state) {
    (void)state;
    queue = sgk_queue_create("sockets");
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    seen s = {.contexts = 1};
    see(&s, sgk_signal_fd_lines(ends[0], 9, queue));
    stop(&s);
    close(ends[0]), close(ends[1]);
    open_before = open_descriptors();
    return 0;
}
static int finish(void **state) {
    EVENTUALLY(open_descriptors() == open_before); /* a thread closes what it has used, perhaps after the count */
    sgk_queue_release(queue);
    return nothing_alive(state);
}
#define CONNECTED(name) cmocka_unit_test_setup_teardown(name, prepare, finish)

static void echo_of_lines(void **state) {
    (void)state;
    static const int families[] = {AF_INET, AF_UNIX};
    for (int i = 0; i < 2; i++) {
        server s = {0};
        seen one = {0}, two = {0};
        start_server(&s, families[i], 2);
        sgk_signal *signal = client_signal(&one, &s.place, send_two);
        see(&one, sgk_signal_retain(signal));
        EVENTUALLY(one.ends == 1);
        two.contexts = 1;
        see(&two, signal); /* connects at each start */
        assert_ends(&two, 0);
        assert_ends(&one, 0);
        assert_int_equal(one.values + two.values, 4);
        assert_int_equal(one.sum + two.sum, 84);
        assert_int_equal(s.served, 2);
        EVENTUALLY(s.now == 0);
        assert_int_equal(s.seen.ends, 0);
        stop_server(&s);
    }
}

/* The connections above the limit wait in the system. */
static void limit_of_connections(void **state) {
    (void)state;
    server s = {0};
    start_server(&s, AF_INET, 2);
    int first = dial(&s.place), second = dial(&s.place), third = dial(&s.place), fourth = dial(&s.place);
    say(third, "3\n"), say(first, "1\n"), say(second, "2\n");
    assert_hears(first, "1\n"), assert_hears(second, "2\n");
    assert_true(is_silent(third));
    assert_int_equal(s.served, 2);
    close(second);
    assert_hears(third, "3\n");
    assert_int_equal(s.served, 3);
    close(third), close(first);
    say(fourth, "4\n");
    assert_hears(fourth, "4\n");
    close(fourth);
    EVENTUALLY(s.now == 0);
    assert_int_equal(s.most, 2);
    stop_server(&s);
}

/* Nor is more accepted while another thread delivers a value. */
static void limit_and_a_slow_consumer(void **state) {
    (void)state;
    door door = {.is_open = false};
    server s = {.serve = lines_of, .seen.blocks = &door, .queue = sgk_queue_create_concurrent("many", 3)};
    start_server(&s, AF_INET, 2);
    int clients[6];
    clients[0] = dial(&s.place);
    say(clients[0], "1\n");
    EVENTUALLY(s.seen.values == 1);
    for (int i = 1; i < 6; i++) say(clients[i] = dial(&s.place), "1\n");
    for (int i = 0; i < 30; i++) sleep_a_moment();
    assert_true(s.served <= 2);
    door.is_open = true;
    for (int i = 0; i < 6; i++) {
        EVENTUALLY(s.served >= i + 1);
        close(clients[i]);
    }
    EVENTUALLY(s.seen.values == 6);
    stop_server(&s);
    sgk_queue_release(s.queue);
}

static void paused_server(void **state) {
    (void)state;
    server s = {0};
    start_server(&s, AF_INET, SGK_UNBOUNDED);
    sgk_disposable *hold = sgk_disposable_hold(s.seen.run);
    sgk_queue_sync(queue, do_nothing, NULL);
    int client = dial(&s.place);
    say(client, "5\n");
    assert_true(is_silent(client));
    assert_int_equal(s.served, 0);
    sgk_disposable_dispose(hold), sgk_disposable_release(hold);
    assert_hears(client, "5\n");
    hold = sgk_disposable_hold(s.seen.run);
    int second = dial(&s.place);
    say(second, "6\n"), say(client, "7\n");
    assert_hears(client, "7\n"); /* it emits nothing */
    assert_true(is_silent(second));
    assert_int_equal(s.served, 1);
    sgk_disposable_dispose(hold), sgk_disposable_release(hold);
    assert_hears(second, "6\n");
    close(client), close(second);
    stop_server(&s);
    /* Nor when a place becomes free. */
    server one = {0};
    start_server(&one, AF_INET, 1);
    client = dial(&one.place), second = dial(&one.place);
    say(client, "1\n"), say(second, "2\n");
    assert_hears(client, "1\n");
    assert_true(is_silent(second));
    hold = sgk_disposable_hold(one.seen.run);
    close(client);
    EVENTUALLY(one.now == 0);
    assert_true(is_silent(second));
    assert_int_equal(one.served, 1);
    sgk_disposable_dispose(hold), sgk_disposable_release(hold);
    assert_hears(second, "2\n");
    close(second);
    stop_server(&one);
}

static sgk_signal *failing_at_nine(server *s, int connection) {
    (void)connection;
    return s->served == 2 ? sgk_signal_fail(sgk_give(sgk_error_f(9, "bad"))) : echo(s, connection);
}
static sgk_signal *failing_and_caught(server *s, int connection) {
    sgk_signal *signal = failing_at_nine(s, connection);
    SGK_STAGE(catch, signal, SGK_FN(nothing_instead));
    return signal;
}
static void error_of_a_connection(void **state) {
    (void)state;
    server bad = {.serve = failing_at_nine}, good = {.serve = failing_and_caught};
    start_server(&bad, AF_INET, 4);
    int first = dial(&bad.place), second = dial(&bad.place);
    EVENTUALLY(bad.seen.ends == 1);
    assert_int_equal(bad.seen.error, 9);
    assert_closed(first), assert_closed(second);
    stop_server(&bad);
    start_server(&good, AF_INET, 4);
    first = dial(&good.place), second = dial(&good.place);
    int third = dial(&good.place);
    assert_closed(second);
    say(first, "1\n"), say(third, "3\n");
    assert_hears(first, "1\n"), assert_hears(third, "3\n");
    close(first), close(third);
    stop_server(&good);
}

static sgk_signal *none(server *s, int connection) {
    (void)connection;
    s->now--;
    return NULL;
}
static sgk_signal *mistake(server *s, int connection) {
    s->now--;
    return sgk_signal_fd_lines(connection, 0, s->queue);
}
static void callbacks_without_a_signal(void **state) {
    (void)state;
    server s = {.serve = none}, wrong = {.serve = mistake};
    seen client = {0};
    start_server(&s, AF_UNIX, 1);
    assert_closed(dial(&s.place)), assert_closed(dial(&s.place));
    see(&client, client_signal(&client, &s.place, send_two));
    EVENTUALLY(client.ends == 1); /* perhaps EPIPE or ECONNRESET */
    stop(&client);
    assert_int_equal(s.seen.ends, 0);
    stop_server(&s);
    start_server(&wrong, AF_UNIX, 1);
    int fd = dial(&wrong.place);
    EVENTUALLY(wrong.seen.ends == 1);
    assert_string_equal(wrong.seen.reason, "sgk_signal_fd_lines: limit: must be 1 or more");
    assert_closed(fd);
    stop_server(&wrong);
}

static void disposed_in_the_middle(void **state) {
    (void)state;
    server s = {0};
    start_server(&s, AF_INET, 4);
    int clients[6];
    for (int i = 0; i < 6; i++) say(clients[i] = dial(&s.place), "1\n");
    for (int i = 0; i < 4; i++) assert_hears(clients[i], "1\n");
    stop_server(&s);
    for (int i = 0; i < 6; i++) assert_closed(clients[i]);
    /* A client, when it is connected, and before that. */
    server other = {.serve = lines_of};
    seen connected = {0}, early = {0};
    door door = {.is_open = false};
    start_server(&other, AF_INET, 4);
    see(&connected, client_signal(&connected, &other.place, send_two));
    EVENTUALLY(other.seen.values == 2);
    stop(&connected);
    EVENTUALLY(other.now == 0);
    sgk_queue_async(queue, wait_at, &door, counted_destroy);
    see(&early, client_signal(&early, &other.place, send_two));
    stop(&early);
    open_and_wait(&door);
    EVENTUALLY(other.served == 2);
    EVENTUALLY(other.now == 0);
    assert_int_equal(other.seen.values, 2);
    stop_server(&other);
}

static void not_connected(void **state) {
    (void)state;
    seen refused = {0}, missing = {0}, full = {0}, wrong = {0};
    place p = listen_at(AF_INET, 1), local = listen_at(AF_UNIX, 0);
    leave(&p);
    see(&refused, client_signal(&refused, &p, send_two));
    EVENTUALLY(refused.ends == 1);
    assert_string_equal(refused.reason, "sgk_signal_connect: connect: Connection refused");
    assert_ends(&refused, ECONNREFUSED);
    int waiting[10], count = 0; /* clients, until the backlog is full */
    do waiting[count] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    while (connect(waiting[count++], &local.address.any, local.size) == 0);
    assert_int_equal(errno, EAGAIN);
    see(&full, client_signal(&full, &local, send_two));
    assert_ends(&full, EAGAIN);
    while (count > 0) close(waiting[--count]);
    leave(&local);
    see(&missing, client_signal(&missing, &local, send_two));
    assert_ends(&missing, ENOENT);
    p.address.any.sa_family = 250;
    see(&wrong, client_signal(&wrong, &p, send_two));
    assert_ends(&wrong, EAFNOSUPPORT);
}

static void not_a_listener(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    say(ends[1], "text");
    server of_pipe = {.place.listener = ends[0]}, closed = {.place.listener = ends[1]};
    server silent = {.place = listen_at(AF_INET, -1)}, shut = {0};
    see(&of_pipe.seen, server_signal(&of_pipe, 1));
    assert_ends(&of_pipe.seen, ENOTSOCK);
    close(ends[0]), close(ends[1]);
    see(&closed.seen, server_signal(&closed, 1));
    assert_ends(&closed.seen, EBADF);
    see(&silent.seen, server_signal(&silent, 1));
    assert_ends(&silent.seen, EINVAL);
    assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    server of_datagrams = {.place.listener = ends[0]};
    see(&of_datagrams.seen, server_signal(&of_datagrams, 1));
    assert_ends(&of_datagrams.seen, EINVAL);
    close(ends[0]), close(ends[1]);
    leave(&silent.place);
    start_server(&shut, AF_INET, 1);
    shutdown(shut.place.listener, SHUT_RDWR);
    EVENTUALLY(shut.seen.ends == 1);
    assert_int_equal(shut.seen.error, EINVAL);
    stop_server(&shut);
}

/* The client waits until there is a descriptor for it. The server tries again at times of its queue. */
static void no_descriptor_left(void **state) {
    (void)state;
    if (getenv("SUITE_SLOW")) return; /* valgrind keeps descriptors for itself */
    server s = {.serve = none, .queue = sgk_queue_create_virtual(NULL)};
    start_server(&s, AF_UNIX, 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), next = dup(fd);
    close(next);
    struct rlimit before, few;
    getrlimit(RLIMIT_NOFILE, &before);
    few = before;
    few.rlim_cur = (rlim_t)next;
    setrlimit(RLIMIT_NOFILE, &few);
    dial_with(fd, &s.place);
    for (int i = 0; i < 50; i++) sgk_queue_advance(s.queue, 0), sleep_a_moment();
    assert_int_equal(s.served, 0);
    setrlimit(RLIMIT_NOFILE, &before);
    for (int i = 0; i < 50; i++) sgk_queue_advance(s.queue, 0), sleep_a_moment();
    assert_int_equal(s.served, 0);
    EVENTUALLY((sgk_queue_advance(s.queue, 0.1), s.served == 1));
    assert_closed(fd);
    assert_int_equal(s.seen.ends, 0);
    stop_server(&s);
    sgk_queue_release(s.queue);
}

/* Of two subscriptions one accepts a connection, and the other one finds none. It does not wait for one, even if the
 * listener is in blocking mode. */
static void two_servers_of_one_socket(void **state) {
    (void)state;
    server first = {0}, second = {0};
    start_server(&first, AF_INET, SGK_UNBOUNDED);
    second.serve = echo, second.place = first.place;
    see(&second.seen, server_signal(&second, SGK_UNBOUNDED));
    for (int i = 0; i < 50; i++) {
        if (i == 25) fcntl(first.place.listener, F_SETFL, O_NONBLOCK);
        int fd = dial(&first.place);
        say(fd, "1\n");
        assert_hears(fd, "1\n");
        close(fd);
    }
    assert_int_equal(first.served + second.served, 50);
    assert_int_equal(first.seen.ends + second.seen.ends, 0);
    stop(&second.seen);
    stop_server(&first);
}

static sgk_signal *client_of(void *context, sgk_value number) {
    (void)number;
    return sgk_signal_connect(
        &((server *)context)->place.address, ((server *)context)->place.size, send_two, NULL, NULL, queue);
}
/* On one queue, of which at most 40 are accepted at the same time. */
static void many_connections(void **state) {
    (void)state;
    int count = repeated(1000);
    server s = {0};
    seen clients = {.contexts = 1};
    start_server(&s, AF_INET, 40);
    sgk_signal *all = sgk_signal_range(0, count);
    SGK_STAGE(merge_map, all, 60, NULL, client_of, &s, NULL);
    see(&clients, all);
    EVENTUALLY(clients.ends == 1);
    assert_int_equal(clients.values, 2 * count);
    assert_int_equal(clients.sum, 42 * count);
    assert_ends(&clients, 0);
    EVENTUALLY(s.now == 0);
    assert_int_equal(s.served, count);
    assert_true(s.most <= 40);
    stop_server(&s);
}

static void connect_and_dispose(void *context, int index) {
    server *s = context;
    for (int round = 0; round < 10; round++) {
        seen whole = {0}, part = {0};
        see(&part, client_signal(&part, &s->place, send_two));
        see(&whole, client_signal(&whole, &s->place, send_two));
        for (int i = 0; i < (index + round) % 5; i++) sched_yield();
        stop(&part);
        EVENTUALLY(whole.ends == 1);
        assert_int_equal(whole.sum, 42);
        assert_ends(&whole, 0);
    }
}
static void many_threads(void **state) {
    (void)state;
    server s = {.queue = sgk_queue_create_concurrent("many", 3)};
    start_server(&s, AF_INET, 3);
    in_parallel(8, connect_and_dispose, &s);
    EVENTUALLY(s.now == 0);
    assert_int_equal(s.seen.ends, 0);
    stop_server(&s);
    sgk_queue_release(s.queue);
}

/* Servers that are disposed at any time. */
static void come_and_go(void *context, int index) {
    (void)context;
    for (int round = 0; round < 10; round++) {
        server s = {.queue = sgk_queue_create_concurrent("many", 3)};
        start_server(&s, index % 2 ? AF_INET : AF_UNIX, 2);
        int clients[3];
        for (int i = 0; i < 3; i++) say(clients[i] = dial(&s.place), "1\n");
        for (int i = 0; i < (index + round) % 5; i++) sched_yield();
        if (round % 2) EVENTUALLY(s.served == 2);
        stop_server(&s);
        for (int i = 0; i < 3; i++) close(clients[i]);
        sgk_queue_release(s.queue);
    }
}
static void disposed_by_threads(void **state) {
    (void)state;
    in_parallel(4, come_and_go, NULL);
}

/* The child of a fork serves nobody, and does not end its parent's connections. */
static void servers_and_a_fork(void **state) {
    (void)state;
    server s = {0};
    start_server(&s, AF_INET, 4);
    int client = dial(&s.place), status = -1;
    say(client, "1\n");
    assert_hears(client, "1\n");
    sgk_queue_sync(queue, do_nothing, NULL); /* a fork copies no lock that a thread holds */
    pid_t child = fork();
    if (child == 0) {
        sgk_disposable_dispose(s.seen.run);
        execlp("true", "true", (char *)NULL); /* valgrind would look for leaks at an exit of this copy */
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    int second = dial(&s.place);
    say(client, "2\n"), say(second, "3\n");
    assert_hears(client, "2\n"), assert_hears(second, "3\n");
    close(client), close(second);
    stop_server(&s);
}

/* A connection is neither inherited by programs nor blocking. */
static atomic_int flags_seen;
static sgk_signal *look_at_flags(void *context, int connection) {
    (void)context;
    flags_seen += (fcntl(connection, F_GETFD) & FD_CLOEXEC) != 0;
    flags_seen += (fcntl(connection, F_GETFL) & O_NONBLOCK) != 0;
    return NULL;
}
static sgk_signal *serve_flags(server *s, int connection) {
    s->now--;
    return look_at_flags(NULL, connection);
}
static void flags_of_connections(void **state) {
    (void)state;
    server s = {.serve = serve_flags};
    seen client = {0};
    flags_seen = 0;
    start_server(&s, AF_UNIX, 1);
    see(&client, client_signal(&client, &s.place, look_at_flags));
    assert_ends(&client, 0);
    EVENTUALLY(flags_seen == 4);
    stop_server(&s);
}

/* ---- How many descriptors a connection needs ---- */

static int connection_seen;
static sgk_signal *echo_here(server *s, int connection) {
    connection_seen = connection;
    return echo(s, connection);
}
/* Two that read and two that write. Each client receives all that it has sent, perhaps from the other pair. */
static sgk_signal *two_echoes(server *s, int connection) {
    sgk_signal *one = echo(s, connection), *other = echo(s, connection);
    sgk_signal *both = sgk_merge(SGK_LIST(sgk_signal *, one, other));
    sgk_signal_release(one), sgk_signal_release(other);
    return both;
}
/* One reads after the other. */
static sgk_signal *line_then_bytes(server *s, int connection) {
    sgk_signal *first = sgk_signal_fd_bytes(connection, 2, s->queue),
               *rest = sgk_signal_fd_bytes(connection, 9, s->queue);
    SGK_STAGE(take, first, 1);
    SGK_STAGE(concat_with, first, rest);
    SGK_STAGE(sink_fd, first, connection, false, NULL, s->queue);
    SGK_STAGE(catch, first, SGK_FN(nothing_instead));
    sgk_signal_release(rest);
    return first;
}
static void assert_needs(sgk_signal *(*serve)(server *s, int connection), int count) {
    server s = {.serve = serve};
    start_server(&s, AF_INET, SGK_UNBOUNDED);
    int before = open_descriptors(), clients[20];
    for (int i = 0; i < 20; i++) say(clients[i] = dial(&s.place), "1\n");
    for (int i = 0; i < 20; i++) assert_hears(clients[i], "1\n");
    EVENTUALLY(open_descriptors() == before + 20 + 20 * count);
    for (int i = 0; i < 20; i += 2) close(clients[i]);
    EVENTUALLY(s.now == 10);
    EVENTUALLY(open_descriptors() == before + 10 + 10 * count);
    for (int i = 1; i < 20; i += 2) say(clients[i], "2\n"), assert_hears(clients[i], "2\n");
    sgk_disposable_dispose(s.seen.run);
    EVENTUALLY(s.now == 0);
    for (int i = 1; i < 20; i += 2) assert_closed(clients[i]);
    stop_server(&s);
}
static void descriptors_of_a_connection(void **state) {
    (void)state;
    assert_needs(echo, 1);
    assert_needs(two_echoes, 3);      /* the second pair has duplicates */
    assert_needs(line_then_bytes, 2); /* the second one starts before the first one is disposed */
    /* Afterwards the numbers are the program's, and its subscriptions have duplicates. */
    int ends[2];
    seen lines = {.contexts = 1};
    assert_int_equal(pipe(ends), 0);
    see(&lines, sgk_signal_fd_lines(ends[0], 9, queue));
    close(ends[0]);
    say(ends[1], "3\n"); /* SIGPIPE, if nobody reads */
    EVENTUALLY(lines.sum == 3);
    stop(&lines);
    close(ends[1]);
}

/* Both directions of a connection are watched at the same time, under the same number. */
enum { MUCH = 8 << 20 };
static sgk_pipe *much;
static sgk_signal *much_and_lines(server *s, int connection) {
    sgk_signal *data = sgk_pipe_signal(much), *lines = lines_of(s, connection);
    SGK_STAGE(sink_fd, data, connection, false, SGK_BOUND(.limit = MUCH), s->queue);
    sgk_signal *both = sgk_merge(SGK_LIST(sgk_signal *, lines, data));
    sgk_signal_release(data), sgk_signal_release(lines);
    return both;
}
static void both_directions_are_watched(void **state) {
    (void)state;
    server s = {.serve = much_and_lines};
    much = sgk_pipe_create();
    start_server(&s, AF_INET, 1);
    int before = open_descriptors(), client = socket(AF_INET, SOCK_STREAM, 0), room = 1 << 16;
    setsockopt(client, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    dial_with(client, &s.place);
    EVENTUALLY(s.served == 1);
    sgk_queue_sync(queue, do_nothing, NULL);
    char *data = calloc(1, MUCH);
    sgk_pipe_next(much, sgk_give(sgk_bytes(data, MUCH)));
    for (int i = 1; i <= 100; i++) { /* while the system's buffers for the other direction are full */
        say(client, "1\n");
        EVENTUALLY(s.seen.values == i);
    }
    for (size_t count = 0; count < MUCH;) {
        ssize_t more = read(client, data, 1 << 16);
        assert_true(more > 0);
        count += (size_t)more;
        if (count < MUCH / 2) continue;
        say(client, "1\n");
    }
    assert_int_equal(open_descriptors(), before + 2);
    sgk_pipe_next(much, sgk_give(sgk_string("end")));
    assert_hears(client, "end");
    free(data), close(client);
    stop_server(&s);
    sgk_pipe_release(much);
}

/* Connections that end on threads of a pool, whose numbers are used again. */
static void dispose_half(void *context, int index) {
    (void)context;
    for (int round = 0; round < 20; round++) {
        server s = {.queue = sgk_queue_create_concurrent("half", 2)};
        s.serve = (index + round) % 2 ? line_then_bytes : two_echoes;
        start_server(&s, AF_UNIX, 3);
        int clients[3];
        for (int i = 0; i < 3; i++) say(clients[i] = dial(&s.place), "1\n");
        if (round % 3) assert_hears(clients[0], "1\n");
        if (round % 4 == 0) shutdown(clients[1], SHUT_WR);
        else close(clients[1]), clients[1] = dial(&s.place); /* reuses the number */
        say(clients[0], "1\n");
        for (int i = 0; i < (index + round) % 5; i++) sched_yield();
        stop_server(&s);
        for (int i = 0; i < 3; i++) close(clients[i]);
        sgk_queue_release(s.queue);
    }
}
static void halves_that_end(void **state) {
    (void)state;
    in_parallel(3, dispose_half, NULL);
}

/* In the child of a fork the number of a connection may be the program's, and its subscription has a duplicate. */
static void number_of_a_connection_and_a_fork(void **state) {
    (void)state;
#if __has_feature(thread_sanitizer)
    skip(); /* the child must not start threads there */
#endif
    server s = {.serve = echo_here};
    start_server(&s, AF_INET, 4);
    int client = dial(&s.place), ends[2], status = -1;
    say(client, "1\n");
    assert_hears(client, "1\n");
    sgk_queue_sync(queue, do_nothing, NULL);
    pid_t child = fork();
    if (child == 0) {
        seen lines = {.contexts = 1};
        SGK_AUTO(sgk_queue) here = sgk_queue_create("here");
        if (pipe(ends) != 0 || dup2(ends[0], connection_seen) < 0) _exit(1);
        see(&lines, sgk_signal_fd_lines(connection_seen, 9, here));
        close(connection_seen), close(ends[0]);
        if (write(ends[1], "5\n", 2) != 2) _exit(2); /* EPIPE, if nobody reads */
        for (int i = 0; lines.sum == 0 && lines.ends == 0 && i < PATIENCE * 1000; i++) sleep_a_moment();
        if (lines.sum == 5) execlp("true", "true", (char *)NULL);
        _exit(3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    say(client, "2\n");
    assert_hears(client, "2\n");
    close(client);
    stop_server(&s);
}

int run_sockets(void) {
    const struct CMUnitTest tests[] = {
        CONNECTED(echo_of_lines),
        CONNECTED(limit_of_connections),
        CONNECTED(limit_and_a_slow_consumer),
        CONNECTED(paused_server),
        CONNECTED(error_of_a_connection),
        CONNECTED(callbacks_without_a_signal),
        CONNECTED(disposed_in_the_middle),
        CONNECTED(not_connected),
        CONNECTED(not_a_listener),
        CONNECTED(no_descriptor_left),
        CONNECTED(two_servers_of_one_socket),
        CONNECTED(many_connections),
        CONNECTED(many_threads),
        CONNECTED(disposed_by_threads),
        CONNECTED(servers_and_a_fork),
        CONNECTED(flags_of_connections),
        CONNECTED(descriptors_of_a_connection),
        CONNECTED(both_directions_are_watched),
        CONNECTED(halves_that_end),
        CONNECTED(number_of_a_connection_and_a_fork),
    };
    return cmocka_run_group_tests_name("sockets", tests, NULL, NULL);
}
