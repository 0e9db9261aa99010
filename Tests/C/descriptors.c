/* Descriptors: readiness, lines, bytes, the sink; and where the system has them as such, its signals, children and
 * changes of files. */
#include "suite.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<linux/filter.h>) && __has_include(<linux/seccomp.h>) /* the cross compiler for musl has neither */
#include <linux/filter.h>
#include <linux/seccomp.h>
#define HAS_SECCOMP 1
#else
#define HAS_SECCOMP 0
#endif

/* The events of a subscription: texts, each followed by a bar; the sum of ints; the terminal event. */
typedef struct log {
    pthread_mutex_t lock;
    char text[512];
    atomic_llong bytes, values, last; /* the last int, or the first of an array */
    atomic_int error, ends, disposed, destroyed;
    char reason[128];
    int taken_over;               /* a descriptor that the subscription closes */
    atomic_bool is_closed;        /* when the error was delivered */
    void (*act)(struct log *log); /* inside of each value */
    sgk_disposable *run;
    void *object;
} log;

static void log_next(void *context, sgk_value value) {
    log *l = context;
    bool is_array = sgk_value_kind(value) == SGK_ARRAY, is_int = sgk_value_kind(value) == SGK_INT;
    if (is_int || is_array) l->last = sgk_to_int(is_array ? sgk_array_at(value, 0) : value);
    if (is_array) value = sgk_array_at(value, 1);
    size_t length = 0;
    const char *data = is_int ? "" : sgk_value_data(value, &length);
    pthread_mutex_lock(&l->lock);
    size_t used = strlen(l->text);
    if (used + length + 2 < sizeof l->text) snprintf(l->text + used, sizeof l->text - used, "%.*s|", (int)length, data);
    pthread_mutex_unlock(&l->lock);
    l->bytes += (long long)length;
    l->values++;
    if (l->act) l->act(l);
}

static void log_error(void *context, sgk_value error) {
    log *l = context;
    snprintf(l->reason, sizeof l->reason, "%s", sgk_error_text(error));
    l->error = sgk_error_code(error);
    l->is_closed = fcntl(l->taken_over, F_GETFD) == -1;
    l->ends++;
}
static void log_completed(void *context) { ((log *)context)->ends++; }
static void log_started(void *context, sgk_disposable *run) { ((log *)context)->run = sgk_disposable_retain(run); }
static void log_destroy(void *context) { ((log *)context)->destroyed++; }

/* Starts and releases the signal. */
static void start(log *l, sgk_signal *signal) {
    assert_non_null(signal);
    pthread_mutex_init(&l->lock, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = log_next, handlers.error = log_error, handlers.completed = log_completed;
    handlers.started = log_started, handlers.context = l, handlers.destroy = log_destroy;
    sgk_disposable_release(sgk_signal_start(signal, &handlers));
    sgk_signal_release(signal);
}
static void stop(log *l) {
    sgk_disposable_dispose(l->run);
    EVENTUALLY(l->destroyed == 1);
    sgk_disposable_release(l->run);
    pthread_mutex_destroy(&l->lock);
}
static void assert_ends(log *l, int error) {
    EVENTUALLY(l->ends == 1);
    assert_int_equal(l->error, error);
    stop(l);
}
static void assert_text(log *l, const char *text) {
    pthread_mutex_lock(&l->lock);
    assert_string_equal(l->text, text);
    pthread_mutex_unlock(&l->lock);
}

#define SUSPENDING(most) SGK_BOUND(.limit = most, .overflow = SGK_OVERFLOW_SUSPEND)

static sgk_queue *queue;
static int open_before;

/* The watching thread's own descriptors are there to stay: they are counted in. */
static int prepare(void **state) {
    (void)state;
    queue = sgk_queue_create("descriptors");
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    log l = {0};
    start(&l, sgk_signal_fd(ends[0], SGK_FD_READ, queue));
    stop(&l);
    close(ends[0]), close(ends[1]);
    open_before = open_descriptors();
    return 0;
}
static int finish(void **state) {
    EVENTUALLY(open_descriptors() == open_before); /* what a thread is just using is closed by it */
    sgk_queue_release(queue);
    return nothing_alive(state);
}
#define WATCHED(name) cmocka_unit_test_setup_teardown(name, prepare, finish)

typedef struct two {
    int reads, writes;
} two;
static two piped(void) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    return (two){ends[0], ends[1]};
}
static two paired(void) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    return (two){ends[0], ends[1]};
}
static void put(int fd, const char *text) { assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text)); }
static int file_with(const char *text) {
    char path[] = "/tmp/signalkit-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    put(fd, text);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* ---- Reading ---- */

static void lines_as_they_come(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        two p = kind ? paired() : piped();
        log l = {0};
        start(&l, sgk_signal_fd_lines(p.reads, 100, queue));
        close(p.reads); /* it has its own */
        put(p.writes, "one\ntw");
        EVENTUALLY(l.values == 1);
        put(p.writes, "o\n\n\r\nthree");
        EVENTUALLY(l.values == 4);
        assert_int_equal(l.ends, 0);
        close(p.writes);
        EVENTUALLY(l.ends == 1);
        assert_text(&l, "one|two||\r|three|");
        assert_ends(&l, 0);
    }
}

/* C libraries have different texts for errno. */
static void assert_reason(const log *l, const char *call, int number) {
    char expected[128];
    snprintf(expected, sizeof expected, "%s: %s", call, strerror(number));
    assert_string_equal(l->reason, expected);
}

static void what_is_in_a_line(void **state) {
    (void)state;
    int fd = file_with("12345\n1234567\n");
    log ok = {0}, too_long = {0};
    start(&ok, sgk_signal_fd_lines(fd, 7, queue));
    assert_ends(&ok, 0);
    assert_text(&ok, "12345|1234567|");
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    start(&too_long, sgk_signal_fd_lines(fd, 6, queue));
    assert_ends(&too_long, EMSGSIZE);
    assert_text(&too_long, "12345|");
    assert_reason(&too_long, "sgk_signal_fd_lines: read", EMSGSIZE);
    close(fd);
    two p = piped();
    log nuls = {0}, endless = {0};
    start(&nuls, sgk_signal_fd_lines(p.reads, 100, queue));
    assert_int_equal(write(p.writes, "a\0b\n\0", 5), 5);
    close(p.writes);
    assert_ends(&nuls, 0);
    assert_int_equal(nuls.bytes, 4);
    assert_int_equal(nuls.values, 2);
    close(p.reads);
    p = piped();
    start(&endless, sgk_signal_fd_lines(p.reads, 3, queue));
    put(p.writes, "1234"); /* there is no newline, and that is seen */
    assert_ends(&endless, EMSGSIZE);
    close(p.reads), close(p.writes);
}

/* Lines longer than one read. */
static void long_lines(void **state) {
    (void)state;
    enum { LONG = 300000 };
    char path[] = "/tmp/signalkit-XXXXXX";
    int fd = mkstemp(path);
    unlink(path);
    char *line = malloc(LONG + 1);
    memset(line, 'x', LONG);
    line[LONG] = '\n';
    for (int i = 0; i < 3; i++) assert_int_equal(write(fd, line, LONG + 1), LONG + 1);
    free(line);
    const int64_t limits[] = {INT64_MAX, LONG, LONG - 1};
    for (int i = 0; i < 3; i++) {
        lseek(fd, 0, SEEK_SET);
        log l = {0};
        start(&l, sgk_signal_fd_lines(fd, limits[i], queue));
        assert_ends(&l, limits[i] >= LONG ? 0 : EMSGSIZE);
        assert_int_equal(l.bytes, limits[i] >= LONG ? 3 * LONG : 0);
    }
    close(fd);
}

/* Returns the resident memory of the process. */
static int64_t resident(void) {
    long all, there = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &all, &there), 2);
    fclose(file);
    return (int64_t)there * sysconf(_SC_PAGESIZE);
}

/* Runs that wait have no memory to read to: 64 KiB for each would be 26 MB. */
static void many_wait(void **state) {
    (void)state;
    enum { RUNS = 400 };
    two p = piped();
    sgk_disposable *runs[RUNS];
    SGK_AUTO(sgk_signal) lines = sgk_signal_fd_lines(p.reads, 100, queue);
    int64_t before = 0;
    for (int i = 0; i < RUNS; i++) {
        if (i == 1) before = resident();
        runs[i] = sgk_signal_start(lines, NULL);
    }
    int64_t taken = resident() - before;
    for (int i = 0; i < RUNS; i++) {
        sgk_disposable_dispose(runs[i]);
        sgk_disposable_release(runs[i]);
    }
    close(p.reads), close(p.writes);
    assert_true(taken < 16 << 20);
}

static void bytes_as_they_come(void **state) {
    (void)state;
    two p = piped();
    put(p.writes, "12345");
    log l = {0};
    start(&l, sgk_signal_fd_bytes(p.reads, 3, queue));
    EVENTUALLY(l.values == 2);
    put(p.writes, "6");
    EVENTUALLY(l.values == 3);
    close(p.writes);
    assert_ends(&l, 0);
    assert_text(&l, "123|45|6|");
    close(p.reads);
}

static void files_and_null(void **state) {
    (void)state;
    int null = open("/dev/null", O_RDWR), fd = file_with("text");
    log empty = {0}, file = {0}, ready = {0};
    start(&empty, sgk_signal_fd_bytes(null, 10, queue));
    assert_ends(&empty, 0);
    start(&file, sgk_signal_fd_bytes(fd, 10, queue));
    assert_ends(&file, 0);
    assert_text(&file, "text|");
    start(&ready, sgk_signal_fd(fd, SGK_FD_READ | SGK_FD_WRITE, queue));
    EVENTUALLY(ready.values > 3); /* always, as long as nobody disposes it */
    assert_int_equal(ready.last, SGK_FD_READ | SGK_FD_WRITE);
    stop(&ready);
    close(null), close(fd);
}

static void terminals(void **state) {
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    log l = {0};
    start(&l, sgk_signal_fd_lines(master, 100, queue));
    put(slave, "hello\n");
    EVENTUALLY(l.values == 1);
    close(slave); /* read says EIO then */
    assert_ends(&l, 0);
    assert_text(&l, "hello\r|");
    close(master);
}

static void *dispose_elsewhere(void *l) {
    sgk_disposable_dispose(((log *)l)->run);
    ((log *)l)->disposed = 1;
    return NULL;
}
/* A terminal that is not read accepts a part of the data and blocks the writing thread. A disposal continues. */
static void terminals_that_stand_still(void **state) {
    (void)state;
    enum { MUCH = 1 << 20 };
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    char *much = calloc(1, MUCH), some[4096];
    SGK_AUTO(sgk_signal) bytes = sgk_signal_just(sgk_give(sgk_bytes(much, MUCH)));
    free(much);
    log l = {0};
    start(&l, sgk_signal_sink_fd(bytes, slave, false, SUSPENDING(1), queue));
    struct pollfd room = {slave, POLLOUT, 0};
    EVENTUALLY(poll(&room, 1, 0) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, dispose_elsewhere, &l);
    EVENTUALLY(l.disposed == 1);
    pthread_join(thread, NULL);
    fcntl(master, F_SETFL, O_NONBLOCK);
    EVENTUALLY((read(master, some, sizeof some), sgk_drain(0.001) == SGK_OK)); /* the thread is released */
    stop(&l);
    close(slave), close(master);
}

/* ---- Errors ---- */

static void bad_descriptors(void **state) {
    (void)state;
    two p = piped();
    close(p.reads), close(p.writes);
    log reading = {0}, ready = {0}, wrong_end = {0};
    start(&reading, sgk_signal_fd_lines(p.reads, 1, queue));
    assert_ends(&reading, EBADF);
    assert_reason(&reading, "sgk_signal_fd_lines: dup", EBADF);
    start(&ready, sgk_signal_fd(4000, SGK_FD_READ, queue));
    assert_ends(&ready, EBADF);
    p = piped();
    put(p.writes, "x");
    start(&wrong_end, sgk_signal_fd_bytes(p.writes, 1, queue));
    close(p.reads); /* or it is never ready */
    assert_ends(&wrong_end, EBADF);
    close(p.writes);
}

/* A descriptor is closed while it is watched, and its number is reused. The subscription continues with the original
 * file. */
static void closed_under_its_feet(void **state) {
    (void)state;
    two p = piped(), other = piped();
    log l = {0};
    start(&l, sgk_signal_fd_lines(p.reads, 100, queue));
    assert_int_equal(dup2(other.reads, p.reads), p.reads);
    put(other.writes, "other\n");
    put(p.writes, "mine\n");
    EVENTUALLY(l.values == 1);
    close(p.writes);
    assert_ends(&l, 0);
    assert_text(&l, "mine|");
    close(p.reads), close(other.reads), close(other.writes);
}

static void no_more_descriptors(void **state) {
    (void)state;
    struct rlimit before, few;
    two p = piped();
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    int fill[256], count = 0;
    few.rlim_cur = (rlim_t)p.writes + 8;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    while ((fill[count] = dup(p.reads)) >= 0) count++;
    log reading = {0}, ready = {0}, writing = {0};
    start(&reading, sgk_signal_fd_bytes(p.reads, 1, queue));
    start(&ready, sgk_signal_fd(p.reads, SGK_FD_READ, queue));
    SGK_AUTO(sgk_signal) empty = sgk_signal_empty();
    start(&writing, sgk_signal_sink_fd(empty, p.writes, false, SUSPENDING(1), queue));
    while (count > 0) close(fill[--count]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_ends(&reading, EMFILE);
    assert_ends(&ready, EMFILE);
    assert_ends(&writing, EMFILE);
    close(p.reads), close(p.writes);
}

/* ---- Readiness ---- */

static void read_one_byte(log *l) {
    char byte;
    assert_true(read(*(int *)l->object, &byte, 1) >= 0);
}
static void told_as_long_as_it_is_so(void **state) {
    (void)state;
    two p = piped();
    put(p.writes, "123");
    log l = {.act = read_one_byte, .object = &p.reads};
    start(&l, sgk_signal_fd(p.reads, SGK_FD_READ, queue));
    EVENTUALLY(l.values == 3);
    sgk_queue_sync(queue, do_nothing, NULL);
    assert_int_equal(l.values, 3); /* an empty pipe is not reported */
    assert_int_equal(l.last, SGK_FD_READ);
    close(p.writes);
    assert_ends(&l, 0);
    assert_int_equal(l.values, 4);
    assert_int_equal(l.last, SGK_FD_HANGUP);
    close(p.reads);
}

static void nobody_reads(void **state) {
    (void)state;
    two p = piped();
    log l = {0}, room = {0};
    start(&room, sgk_signal_fd(p.writes, SGK_FD_WRITE, queue));
    EVENTUALLY(room.values > 0);
    assert_int_equal(room.last, SGK_FD_WRITE);
    stop(&room);
    close(p.reads);
    start(&l, sgk_signal_fd(p.writes, SGK_FD_WRITE, queue));
    assert_ends(&l, EPIPE);
    close(p.writes);
}

/* Two runs of one descriptor, and one of its other direction. */
static void several_runs(void **state) {
    (void)state;
    two p = paired();
    log a = {0}, b = {0}, c = {0};
    start(&a, sgk_signal_fd(p.reads, SGK_FD_READ, queue));
    start(&b, sgk_signal_fd(p.reads, SGK_FD_READ, queue));
    start(&c, sgk_signal_fd(p.reads, SGK_FD_WRITE, queue));
    EVENTUALLY(c.values > 0);
    assert_int_equal(a.values + b.values, 0);
    put(p.writes, "x");
    EVENTUALLY(a.values > 0 && b.values > 0);
    stop(&a), stop(&b), stop(&c);
    close(p.reads), close(p.writes);
}

/* An error that is stored at the socket does not end the subscription. The reader receives it. */
static void errors_in_a_queue_of_their_own(void **state) {
    (void)state;
#ifdef IP_RECVERR
    struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = htons(1)};
    nobody.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1, error = 0;
    socklen_t size = sizeof error;
    bool is_sent = setsockopt(fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on) == 0 &&
        connect(fd, (const struct sockaddr *)&nobody, sizeof nobody) == 0 && send(fd, "x", 1, 0) == 1;
    struct pollfd asked = {fd, POLLIN, 0};
    if (is_sent) { /* there is such a network */
        EVENTUALLY(poll(&asked, 1, 0) == 1);
        assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size), 0);
        assert_int_equal(error, ECONNREFUSED); /* the socket itself has no error now */
        log l = {0};
        start(&l, sgk_signal_fd(fd, SGK_FD_READ, queue));
        EVENTUALLY(l.values > 0);
        assert_int_equal(l.last, SGK_FD_READ);
        assert_int_equal(l.ends, 0);
        stop(&l);
    }
    close(fd);
#endif
}

/* ---- Disposal ---- */

static void dispose_here(log *l) { sgk_disposable_dispose(l->run); }
static void nothing_is_read_after_disposal(void **state) {
    (void)state;
    two p = piped();
    put(p.writes, "1\n2\n");
    log lines = {.act = dispose_here}, bytes = {.act = dispose_here}, never = {0};
    start(&bytes, sgk_signal_fd_bytes(p.reads, 2, queue));
    EVENTUALLY(bytes.values == 1);
    stop(&bytes);
    start(&lines, sgk_signal_fd_lines(p.reads, 10, queue));
    EVENTUALLY(lines.values == 1);
    stop(&lines);
    assert_text(&lines, "2|");
    start(&never, sgk_signal_fd_bytes(p.reads, 2, queue));
    stop(&never);
    put(p.writes, "3");
    sgk_queue_sync(queue, do_nothing, NULL);
    char left;
    assert_int_equal(read(p.reads, &left, 1), 1);
    assert_int_equal(left, '3');
    assert_int_equal(lines.ends + bytes.ends + never.ends, 0);
    close(p.reads), close(p.writes);
}

typedef struct churn {
    two p;
    atomic_llong read;
} churn;
static void churn_next(void *context, sgk_value value) {
    size_t length;
    sgk_value_data(value, &length);
    ((churn *)context)->read += (long long)length;
}
static void start_and_dispose(void *context, int index) {
    churn *c = context;
    for (int i = 0; i < 300; i++) {
        if (index == 0) put(c->p.writes, "x");
        SGK_AUTO(sgk_signal) signal = sgk_signal_fd_bytes(c->p.reads, 1, queue);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, churn_next, c, NULL);
        if (i % 3 == 0) sched_yield();
        sgk_disposable_dispose(run);
    }
}
/* Every byte that was read was read by a subscription. (A disposed one may have read it.) */
static void started_and_disposed_at_once(void **state) {
    (void)state;
    churn c = {.p = piped()};
    fcntl(c.p.reads, F_SETFL, O_NONBLOCK); /* several read it */
    in_parallel(3, start_and_dispose, &c);
    assert_int_equal(sgk_drain(PATIENCE), SGK_OK);
    char rest[512];
    ssize_t left = read(c.p.reads, rest, sizeof rest);
    assert_true(c.read + (left > 0 ? left : 0) <= 300);
    close(c.p.reads), close(c.p.writes);
}

/* ---- Much, and slowly ---- */

enum { MANY = 1000000 };
static void *write_many(void *context) {
    FILE *file = fdopen(*(int *)context, "w");
    for (int i = 0, many = repeated(MANY); i < many; i++) fprintf(file, "%d\n", i);
    fclose(file);
    return NULL;
}
typedef struct {
    atomic_llong read, handled;
} progress;
static void count_read(void *context, sgk_value value) {
    (void)value;
    ++((progress *)context)->read;
}
static void check_order(void *context, sgk_value value) {
    progress *it = context;
    if (atoi(sgk_value_data(value, NULL)) == it->handled) ++it->handled;
    if (it->handled % 1000 == 0) sched_yield();
}
/* A slow consumer on another queue blocks the reader, which blocks the writer. */
static void a_million_lines(void **state) {
    (void)state;
    two p = piped();
    pthread_t writer;
    pthread_create(&writer, NULL, write_many, &p.writes);
    SGK_AUTO(sgk_queue) slow = sgk_queue_create("slow");
    SGK_AUTO(sgk_overflow_counter) counter = sgk_overflow_counter_create();
    progress it = {0};
    SGK_AUTO(sgk_signal) lines = sgk_signal_fd_lines(p.reads, 64, queue);
    sgk_signal_replace(&lines, sgk_signal_before_next(lines, count_read, &it, NULL));
    sgk_signal_replace(&lines,
        sgk_signal_deliver_on_bounded(
            lines, SGK_BOUND(.limit = 64, .overflow = SGK_OVERFLOW_SUSPEND, .counter = counter), slow));
    counted ended = {0};
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = check_order, handlers.context = &it;
    sgk_signal_replace(&lines, sgk_signal_after_completed(lines, counted_work, &ended, NULL));
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(lines, &handlers);
    long long most = 0;
    while (ended.calls == 0) { /* (The counts of live objects are exact only while nothing changes them.) */
        long long read = it.read, waiting = read - it.handled;
        if (waiting > most) most = waiting;
        sleep_a_moment();
    }
    assert_int_equal(it.handled, repeated(MANY));
    assert_true(most <= 64 + 64 + 2); /* the pending values, the delivered ones, and the one that is read */
    assert_true(sgk_overflow_counter_suspended(counter) > 0);
    pthread_join(writer, NULL);
    close(p.reads);
}

/* ---- Writing ---- */

static void all_is_written(void **state) {
    (void)state;
    two p = piped();
    const sgk_value texts[] = {sgk_give(sgk_string("one, ")), sgk_give(sgk_bytes("two", 3)), sgk_give(sgk_string(""))};
    SGK_AUTO(sgk_signal) source = sgk_signal_from_array(texts, 3);
    log l = {0};
    start(&l, sgk_signal_sink_fd(source, p.writes, false, SUSPENDING(100), queue));
    assert_ends(&l, 0);
    assert_int_equal(l.values, 0);
    char text[16] = "";
    assert_int_equal(read(p.reads, text, sizeof text), 8);
    assert_string_equal(text, "one, two");
    put(p.writes, "x"); /* it is still open */
    close(p.writes), close(p.reads);
}

static void closes_in_the_end(void **state) {
    (void)state;
    two p = paired();
    SGK_AUTO(sgk_signal) text = sgk_signal_just(sgk_give(sgk_string("x")));
    log l = {0}, number = {0}, unread = {0};
    start(&l, sgk_signal_sink_fd(text, p.writes, true, SUSPENDING(100), queue));
    assert_ends(&l, 0);
    assert_int_equal(fcntl(p.writes, F_GETFD), -1); /* before the completion was delivered */
    close(p.reads);
    p = piped();
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_int(1));
    number.taken_over = p.writes;
    start(&number, sgk_signal_sink_fd(one, p.writes, true, SUSPENDING(100), queue));
    assert_ends(&number, EINVAL);
    assert_reason(&number, "sgk_signal_sink_fd: write of a value that is neither a string nor bytes", EINVAL);
    assert_true(number.is_closed);
    close(p.reads);
    p = piped();
    close(p.reads);
    unread.taken_over = p.writes;
    start(&unread, sgk_signal_sink_fd(text, p.writes, true, SUSPENDING(100), queue));
    assert_ends(&unread, EPIPE);
    assert_true(unread.is_closed);
}

/* Never SIGPIPE, blocked or not: the program would end. */
static void nobody_reads_any_more(void **state) {
    (void)state;
    SGK_AUTO(sgk_queue) here = sgk_queue_create_virtual(NULL);
    for (int kind = 0; kind < 4; kind++) {
        two p = kind % 2 ? paired() : piped();
        close(p.reads);
        SGK_AUTO(sgk_signal) text = sgk_signal_just(sgk_give(sgk_string("x")));
        log l = {0};
        start(&l, sgk_signal_sink_fd(text, p.writes, false, SUSPENDING(100), kind < 2 ? queue : here));
        for (int i = 0; kind >= 2 && l.ends == 0 && i < PATIENCE * 1000; i++) {
            sgk_queue_advance(here, 1); /* on a thread that does not block it */
            sleep_a_moment();
        }
        assert_ends(&l, EPIPE);
        sigset_t pending;
        sigpending(&pending);
        assert_false(sigismember(&pending, SIGPIPE));
        close(p.writes);
    }
}

/* A thread that emits more inside a start is not blocked by data that nothing writes. */
static void more_comes_when_nobody_reads(void **state) {
    (void)state;
    enum { TEXTS = 8 };
    two p = piped();
    close(p.reads);
    sgk_value text = sgk_string("text"), texts[TEXTS];
    for (int i = 0; i < TEXTS; i++) texts[i] = text;
    SGK_AUTO(sgk_signal) source = sgk_signal_from_array(texts, TEXTS);
    sgk_value_release(text);
    log l = {0};
    start(&l, sgk_signal_sink_fd(source, p.writes, false, SUSPENDING(1), queue));
    assert_ends(&l, EPIPE);
    close(p.writes);
}

enum { LONG = 1 << 20, LIMIT = 5000 };
static void *read_slowly(void *context) {
    unsigned char some[3000];
    unsigned long long sum = 0, place = 0;
    for (ssize_t count; (count = read(*(int *)context, some, sizeof some)) > 0;)
        for (ssize_t i = 0; i < count; i++) sum = sum * 31 + some[i] + ++place % 7;
    return (void *)(uintptr_t)sum;
}
static sgk_disposable *emit_texts(void *context, sgk_subscriber *subscriber) {
    (void)context;
    for (int i = 0, length; i < LONG; i += length) {
        char text[1000];
        length = 1 + i % 997;
        if (length > LONG - i) length = LONG - i;
        for (int k = 0; k < length; k++) text[k] = (char)((i + k) * 7);
        sgk_subscriber_next(subscriber, sgk_give(sgk_bytes(text, (size_t)length)));
    }
    sgk_subscriber_complete(subscriber);
    return NULL;
}
/* Partial writes and full buffers: nothing is lost, and emitting threads are blocked. With blocking and non-blocking
 * descriptors. */
static void slowly_read(void **state) {
    (void)state;
    unsigned long long expected = 0;
    for (unsigned long long i = 0; i < LONG; i++) expected = expected * 31 + (unsigned char)(i * 7) + (i + 1) % 7;
    for (int kind = 0; kind < 4; kind++) {
        two p = kind % 2 ? paired() : piped();
        if (kind >= 2) fcntl(p.writes, F_SETFL, O_NONBLOCK);
        pthread_t reader;
        pthread_create(&reader, NULL, read_slowly, &p.reads);
        SGK_AUTO(sgk_queue) elsewhere = sgk_queue_create(NULL);
        SGK_AUTO(sgk_signal) texts = sgk_signal_create(emit_texts, NULL, NULL);
        sgk_signal_replace(&texts, sgk_signal_run_on(texts, elsewhere));
        log l = {0};
        start(&l, sgk_signal_sink_fd(texts, p.writes, true, SUSPENDING(LIMIT), queue));
        assert_ends(&l, 0);
        void *sum;
        pthread_join(reader, &sum);
        assert_true((uintptr_t)sum == (uintptr_t)expected);
        close(p.reads);
    }
}

static void *put_one_more(void *context) {
    sgk_pipe_next(context, sgk_give(sgk_string("more")));
    return NULL;
}
static two full(void) {
    two p = piped();
    fcntl(p.writes, F_SETFL, O_NONBLOCK);
    char some[4096] = {0};
    while (write(p.writes, some, sizeof some) > 0) {}
    return p;
}
static void full_pipe_of(sgk_queue *where, two *p, sgk_pipe *pipe, log *l) {
    *p = full();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    start(l, sgk_signal_sink_fd(source, p->writes, false, SUSPENDING(4), where));
    sgk_pipe_next(pipe, sgk_give(sgk_string("1234")));
    sgk_queue_sync(where, do_nothing, NULL); /* it is written as soon as there is space */
    sgk_pipe_next(pipe, sgk_give(sgk_string("5678")));
}
static void full_pipe(two *p, sgk_pipe *pipe, log *l) { full_pipe_of(queue, p, pipe, l); }
static void disposed_while_it_holds_up(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    two p;
    log l = {0};
    full_pipe(&p, pipe, &l);
    pthread_t emitter;
    pthread_create(&emitter, NULL, put_one_more, pipe);
    sleep_a_moment();
    stop(&l);
    pthread_join(emitter, NULL);
    close(p.reads), close(p.writes);
}

/* A value that the source emits inside its start does not fit, so the start itself is blocked. */
static sgk_disposable *emit_until_disposed(void *context, sgk_subscriber *subscriber) {
    for (; sgk_subscriber_is_active(subscriber); ++*(atomic_int *)context)
        sgk_subscriber_next(subscriber, sgk_give(sgk_string("more")));
    return NULL;
}
static void *dispose_soon(void *context) {
    log *l = context;
    EVENTUALLY(*(atomic_int *)l->object == 2); /* one is being written, one is pending, and the third does not fit */
    sleep_a_moment();
    return dispose_elsewhere(l);
}
static void disposed_while_it_starts(void **state) {
    (void)state;
    two p = full();
    atomic_int emitted = 0;
    log l = {.object = &emitted};
    pthread_t thread;
    pthread_create(&thread, NULL, dispose_soon, &l);
    SGK_AUTO(sgk_signal) source = sgk_signal_create(emit_until_disposed, &emitted, NULL);
    start(&l, sgk_signal_sink_fd(source, p.writes, false, SUSPENDING(4), queue));
    pthread_join(thread, NULL);
    assert_int_equal(emitted, 3); /* the third was dropped */
    stop(&l);
    close(p.reads), close(p.writes);
}

static void put_here(void *context) { put_one_more(context); }
static void on_its_own_queue(void **state) {
    (void)state;
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    two p;
    log l = {0};
    full_pipe(&p, pipe, &l);
    sgk_queue_sync(queue, put_here, pipe);
    assert_ends(&l, ENOBUFS);
    close(p.reads), close(p.writes);
}

static sgk_queue *pools;
static void put_three(void *context) {
    for (int i = 0; i < 3; i++) put_one_more(context);
}
static void put_from_elsewhere(void *context) { assert_int_equal(sgk_queue_sync(pools, put_three, context), SGK_OK); }
static void assert_all_is_written(const two *p) {
    static const char all[] = "12345678moremoremore";
    char text[sizeof all] = "", some[4096];
    fcntl(p->reads, F_SETFL, O_NONBLOCK);
    for (size_t got = 0; got < sizeof all - 1;) {
        ssize_t count = -1;
        EVENTUALLY((count = read(p->reads, some, sizeof some)) > 0);
        for (ssize_t i = 0; i < count; i++)
            if (some[i]) text[got++] = some[i]; /* except the data that had filled it */
    }
    assert_string_equal(text, all);
}
/* A value that its queue's work waits for exceeds the limit, and everything is written when there is space. */
static void its_own_queue_waits_for_who_emits(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    pools = sgk_thread_pool_next_queue(pool);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    two p;
    log l = {0};
    full_pipe(&p, pipe, &l);
    counted done = {0};
    assert_int_equal(sgk_queue_dispatch(queue, put_from_elsewhere, pipe, NULL), SGK_OK);
    sgk_queue_dispatch(queue, counted_work, &done, counted_destroy);
    EVENTUALLY(done.destroyed == 1);
    assert_all_is_written(&p);
    stop(&l);
    sgk_queue_release(pools);
    close(p.reads), close(p.writes);
}

/* The same for work of another queue, if the only thread of the pool does it. */
static void no_other_thread_of_its_pool_writes(void **state) {
    (void)state;
    SGK_AUTO(sgk_thread_pool) pool = sgk_thread_pool_create(1, 0.5);
    SGK_AUTO(sgk_queue) writes = sgk_thread_pool_next_queue(pool);
    SGK_AUTO(sgk_queue) emits = sgk_thread_pool_next_queue(pool);
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    two p;
    log l = {0};
    counted done = {0};
    full_pipe_of(writes, &p, pipe, &l);
    assert_int_equal(sgk_queue_dispatch(emits, put_three, pipe, NULL), SGK_OK);
    sgk_queue_dispatch(emits, counted_work, &done, counted_destroy);
    EVENTUALLY(done.destroyed == 1);
    assert_all_is_written(&p);
    stop(&l);
    close(p.reads), close(p.writes);
}

static void its_source_lets_go(void **state) {
    (void)state;
    two p = piped();
    sgk_pipe *pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    log l = {0};
    start(&l, sgk_signal_sink_fd(source, p.writes, true, SUSPENDING(4), queue));
    sgk_signal_replace(&source, sgk_signal_never());
    sgk_pipe_next(pipe, sgk_give(sgk_string("x")));
    sgk_pipe_release(pipe);
    EVENTUALLY(fcntl(p.writes, F_GETFD) == -1);
    stop(&l);
    char text[4];
    assert_int_equal(read(p.reads, text, 4), 1);
    close(p.reads);
}

/* ---- Descriptors of Linux alone ---- */

/* Returns whether the subscription reports that the system (an old Linux, or valgrind) lacks the feature. Then the test
 * ends. */
static bool is_not_supported(log *l, const char *call) {
    for (int i = 0; i < 100 && l->ends == 0 && l->values == 0; i++) sleep_a_moment();
    if (l->error != ENOTSUP && l->error != ENOSYS) return false;
    assert_non_null(strstr(l->reason, call));
    stop(l);
    return true;
}

/* A thread that blocks no signal, like threads of a program's other libraries: present, and no longer needed. */
static void *block_nothing(void *stage) {
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    for (*(atomic_int *)stage = 1; *(atomic_int *)stage == 1;) sleep_a_moment();
    return NULL;
}
static void count_warning(void *context, const char *line) {
    if (strstr(line, "a thread does not block it")) ++*(int *)context;
}

static void signals_of_the_system(void **state) {
    (void)state;
    sigset_t user, before;
    sigemptyset(&user);
    sigaddset(&user, SIGUSR1);
    log l = {0}, unblocked = {0}, none = {0}, elsewhere;
    start(&unblocked, sgk_signal_unix_signal(SIGUSR1, queue));
    assert_ends(&unblocked, EINVAL);
    assert_non_null(strstr(unblocked.reason, "this thread does not block"));
    start(&none, sgk_signal_unix_signal(9999, queue));
    assert_ends(&none, EINVAL);
    assert_memory_equal(none.reason, "sgk_signal_unix_signal: signalfd: ", 34);
    int warnings = 0;
    sgk_set_log_handler(count_warning, &warnings, NULL);
    pthread_sigmask(SIG_BLOCK, &user, &before);
    start(&l, sgk_signal_unix_signal(SIGUSR1, queue));
    if (!is_not_supported(&l, "signalfd")) {
        assert_int_equal(warnings, 0);
        for (int i = 1; i <= 3; i++) {
            kill(getpid(), SIGUSR1);
            EVENTUALLY(l.values == i);
            assert_int_equal(l.last, SIGUSR1);
        }
        stop(&l);
        kill(getpid(), SIGUSR1); /* nobody reads it */
        int taken;
        sigwait(&user, &taken);
        atomic_int stage = 0;
        pthread_t other;
        assert_int_equal(pthread_create(&other, NULL, block_nothing, &stage), 0);
        EVENTUALLY(stage == 1);
        /* Under valgrind a thread blocks all signals unless it is in a system call. */
        for (int i = 0; i < 1000 && warnings == 0; i++) {
            elsewhere = (log){0};
            start(&elsewhere, sgk_signal_unix_signal(SIGUSR1, queue));
            stop(&elsewhere);
        }
        stage = 2;
        pthread_join(other, NULL);
        assert_int_equal(warnings, 1);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sgk_set_log_handler(NULL, NULL, NULL);
}

/* A child that exits with that status, or waits for a signal. It exits in another program: valgrind, which does not
 * follow it there, would look for leaks in the copy of this one, and replace the status. */
static pid_t child_with(int status) {
    pid_t child = fork();
    if (child == 0) {
        while (status < 0) pause();
        char command[32];
        snprintf(command, sizeof command, "exit %d", status);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    return child;
}
static void children(void **state) {
    (void)state;
    log ended = {0}, killed = {0}, reaped = {0}, disposed = {0}, stranger = {0};
    pid_t other = child_with(5), child = child_with(7);
    start(&ended, sgk_signal_child(child, queue));
    if (is_not_supported(&ended, "pidfd_open")) {
        waitpid(child, NULL, 0), waitpid(other, NULL, 0);
        return;
    }
    assert_ends(&ended, 0);
    assert_int_equal(ended.last, 7);
    int status;
    assert_int_equal(waitpid(child, &status, 0), -1);    /* reaped */
    assert_int_equal(waitpid(other, &status, 0), other); /* this one is not */
    assert_int_equal(WEXITSTATUS(status), 5);
    start(&reaped, sgk_signal_child(other, queue));
    assert_ends(&reaped, ECHILD);
    start(&stranger, sgk_signal_child(getpid(), queue));
    assert_ends(&stranger, ECHILD);
    child = child_with(-1);
    start(&killed, sgk_signal_child(child, queue));
    start(&disposed, sgk_signal_child(child, queue));
    stop(&disposed);
    sgk_queue_sync(queue, do_nothing, NULL);
    assert_int_equal(killed.values, 0);
    kill(child, SIGKILL);
    assert_ends(&killed, 0);
    assert_int_equal(killed.last, -SIGKILL);
    child = child_with(0);
    log late = {0};
    start(&late, sgk_signal_child(child, queue));
    stop(&late);
    waitpid(child, &status, 0); /* by the subscription, or else by this test */
}

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
static void times_of_the_wall_clock(void **state) {
    (void)state;
    const double gone[] = {-1e300, -1, 0, 1e-300, 1e-9, 1, wall_clock()};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        log l = {.last = 7};
        start(&l, sgk_signal_wall_clock_timer(gone[i], queue));
        if (is_not_supported(&l, "timerfd")) return;
        assert_ends(&l, 0);
        assert_int_equal(l.values, 1);
        assert_int_equal(l.last, 0);
    }
    const double later[] = {wall_clock() + 3600, 1e11, 1e300};
    for (int i = 0; i < 3; i++) {
        log l = {0}, soon = {0};
        start(&l, sgk_signal_wall_clock_timer(later[i], queue));
        double then = wall_clock() + 0.02;
        SGK_AUTO(sgk_signal) signal = sgk_signal_wall_clock_timer(then, queue);
        start(&soon, sgk_signal_retain(signal));
        assert_ends(&soon, 0);
        assert_true(wall_clock() >= then);
        assert_int_equal(l.values + l.ends, 0);
        stop(&l);
        log again = {0}; /* each subscription has its own timer */
        start(&again, sgk_signal_retain(signal));
        assert_ends(&again, 0);
        assert_int_equal(again.values, 1);
    }
}
static void a_virtual_queue_has_the_time_of_the_wall_clock(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip(); /* POSIX knows no such timers as descriptors */
    SGK_AUTO(sgk_queue) there = sgk_queue_create_virtual(NULL);
    log far = {0}, gone = {0};
    start(&far, sgk_signal_wall_clock_timer(wall_clock() + 3600, there));
    start(&gone, sgk_signal_wall_clock_timer(1, there));
    for (int i = 0; i < 100 && gone.ends == 0; i++) {
        sgk_queue_advance(there, 7200);
        sleep_a_moment();
    }
    EVENTUALLY((sgk_queue_advance(there, 0), gone.ends == 1));
    assert_int_equal(far.ends + far.values, 0);
    stop(&gone);
    stop(&far);
    sgk_queue_advance(there, 0);
}

/* ---- Files that are followed ---- */

static char folder[32], file[48], rotated[48];
static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/signalkit-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/log", folder);
    snprintf(rotated, sizeof rotated, "%s/log.1", folder);
}
static void remove_folder(void) {
    unlink(file), unlink(rotated);
    assert_int_equal(rmdir(folder), 0);
}
static void append(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}
/* Waits until the only inotify descriptor has this number of watches, and no event that nobody reads. */
static bool is_quiet(int watches) {
    bool is_quiet = false;
    for (int fd = 0; fd < 4096; fd++) {
        char path[64], line[256];
        snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
        FILE *info = fcntl(fd, F_GETFD) >= 0 ? fopen(path, "r") : NULL;
        int found = 0;
        while (info && fgets(line, sizeof line, info)) found += strncmp(line, "inotify ", 8) == 0;
        if (info) fclose(info);
        if (found > 0) is_quiet = found == watches && poll(&(struct pollfd){fd, POLLIN, 0}, 1, 0) == 0;
    }
    return is_quiet;
}
static void assert_quiet(int watches) { EVENTUALLY(is_quiet(watches)); }
static sgk_signal *followed(bool from_start) { return sgk_signal_file_lines(file, from_start, 1000, queue); }
static size_t length(log *l) {
    pthread_mutex_lock(&l->lock);
    size_t length = strlen(l->text);
    pthread_mutex_unlock(&l->lock);
    return length;
}
static void assert_comes(log *l, const char *text) {
    EVENTUALLY(length(l) >= strlen(text));
    assert_text(l, text);
}
/* Waits until the run has seen what has happened. (The queue reads after the watching thread has told it.) */
static void settle(void) {
    for (int i = 0; i < 20; i++) {
        sleep_a_moment();
        sgk_queue_sync(queue, do_nothing, NULL);
    }
}

static void a_file_that_grows(void **state) {
    (void)state;
    make_folder();
    append(file, "one\ntwo\nthr");
    log all = {0}, new = {0};
    start(&all, followed(true));
    if (is_not_supported(&all, "open")) {
        remove_folder();
        return;
    }
    assert_comes(&all, "one|two|");
    start(&new, followed(false));
    append(file, "ee\nfour");
    assert_comes(&all, "one|two|three|");
    settle();
    assert_text(&all, "one|two|three|");
    append(file, "\n\nsix\n");
    assert_comes(&all, "one|two|three|four||six|");
    assert_comes(&new, "ee|four||six|"); /* it begins where the file ended */
    assert_int_equal(all.ends + new.ends, 0);
    stop(&all), stop(&new);
    append(file, "seven\n");
    settle();
    assert_text(&all, "one|two|three|four||six|");
    remove_folder();
}
static void rotated_files(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    make_folder();
    log l = {0};
    start(&l, followed(false)); /* there is none */
    append(rotated, "another\n");
    settle();
    assert_int_equal(l.values, 0);
    append(file, "one\n");
    assert_comes(&l, "one|");
    assert_int_equal(rename(file, rotated), 0);
    append(rotated, "two\nthr"); /* nothing else has the name yet */
    assert_comes(&l, "one|two|");
    append(file, "four\n");
    assert_comes(&l, "one|two|thr|four|"); /* a line cannot continue in another file */
    append(rotated, "lost\n");
    append(file, "five\n");
    assert_comes(&l, "one|two|thr|four|five|");
    unlink(file);
    append(file, "six\nsev");
    assert_comes(&l, "one|two|thr|four|five|six|");
    unlink(file);
    append(file, "eight\n");
    assert_comes(&l, "one|two|thr|four|five|six|sev|eight|");
    append(rotated, "nine\n"); /* an older file with other content receives the name */
    assert_int_equal(rename(rotated, file), 0);
    assert_comes(&l, "one|two|thr|four|five|six|sev|eight|one|two|thrlost|nine|");
    assert_int_equal(rename(file, rotated), 0); /* away and back: it is still the same file */
    settle();
    assert_int_equal(rename(rotated, file), 0);
    append(file, "ten\n");
    assert_comes(&l, "one|two|thr|four|five|six|sev|eight|one|two|thrlost|nine|ten|");
    stop(&l);
    l = (log){0};
    start(&l, followed(false));
    unlink(file);
    append(rotated, "eleven\n");
    settle(); /* no file has the name, until one is moved there */
    assert_int_equal(rename(rotated, file), 0);
    assert_comes(&l, "eleven|");
    assert_int_equal(rename(file, rotated), 0);
    append(file, "twelve\n");
    assert_comes(&l, "eleven|twelve|");
    assert_quiet(2); /* the folder and one file are watched */
    unlink(file);
    assert_quiet(1);
    assert_int_equal(l.ends, 0);
    stop(&l);
    remove_folder();
}
static void truncated_files(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    make_folder();
    append(file, "a line\nand a part");
    log l = {0};
    start(&l, followed(true));
    assert_comes(&l, "a line|");
    assert_int_equal(truncate(file, 0), 0);
    assert_comes(&l, "a line|and a part|");
    append(file, "new\n");
    assert_comes(&l, "a line|and a part|new|");
    assert_int_equal(truncate(file, 2), 0); /* to a part of a line, which the next one completes */
    settle();
    append(file, "t\n");
    assert_comes(&l, "a line|and a part|new|net|");
    stop(&l);
    remove_folder();
}
static void symbolic_links(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    make_folder();
    char other[48], next[48];
    snprintf(other, sizeof other, "%s/other", folder), snprintf(next, sizeof next, "%s/next", folder);
    log l = {0};
    assert_int_equal(symlink("log.1", file), 0);
    start(&l, followed(false)); /* its target is missing */
    append(other, "other\n");
    assert_int_equal(symlink("other", next), 0);
    assert_int_equal(rename(next, file), 0);
    assert_comes(&l, "other|");
    append(other, "more\n");
    assert_comes(&l, "other|more|");
    append(rotated, "one\n");
    unlink(file);
    assert_int_equal(symlink("log.1", file), 0);
    assert_comes(&l, "other|more|one|");
    stop(&l);
    unlink(other);
    remove_folder();
}
static void files_that_are_not_followed(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    make_folder();
    const struct {
        const char *path;
        int error;
    } bad[] = {{"", ENOENT}, {"/nowhere/log", ENOENT}, {"/tmp/", EISDIR}, {"/tmp", EISDIR}, {"/dev/null/log", ENOTDIR}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        log l = {0};
        start(&l, sgk_signal_file_lines(bad[i].path, true, 10, queue));
        assert_ends(&l, bad[i].error);
    }
    log longs = {0}, loop = {0}, fifo = {0}, replaced = {0};
    append(file, "one\n");
    start(&replaced, followed(true));
    assert_comes(&replaced, "one|");
    unlink(file);
    assert_int_equal(mknod(file, S_IFSOCK | 0600, 0), 0);
    assert_ends(&replaced, ENXIO); /* a socket cannot be opened */
    unlink(file);
    assert_int_equal(symlink("log", file), 0);
    start(&loop, followed(true));
    assert_ends(&loop, ELOOP);
    unlink(file);
    assert_int_equal(mkfifo(file, 0600), 0);
    start(&fifo, followed(true));
    assert_ends(&fifo, ESPIPE);
    unlink(file);
    append(file, "1234567890\n12345678901\n");
    start(&longs, sgk_signal_file_lines(file, true, 10, queue));
    assert_ends(&longs, EMSGSIZE);
    assert_string_equal(longs.text, "1234567890|");
    remove_folder();
}
static void folders_that_go(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    enum { DELETED, MADE_AGAIN, MOVED, REPLACED, WAYS };
    for (int way = 0; way < WAYS; way++) {
        make_folder();
        append(file, "one\ntwo");
        log open = {0}, none = {0};
        start(&open, followed(true));
        start(&none, sgk_signal_file_lines(rotated, true, 10, queue));
        assert_comes(&open, "one|");
        char away[48];
        snprintf(away, sizeof away, "%s.away", folder);
        if (way < MOVED) {
            unlink(file);
            if (way == DELETED) settle(); /* the file is open when its folder is deleted, or not */
            assert_int_equal(rmdir(folder), 0);
        } else {
            assert_int_equal(rename(folder, away), 0);
        }
        if (way == MADE_AGAIN || way == REPLACED) {
            assert_int_equal(mkdir(folder, 0700), 0);
            append(file, "another\n"); /* is not read */
        }
        assert_ends(&open, 0); /* with the last line, which nobody can complete */
        assert_ends(&none, 0);
        assert_string_equal(open.text, "one|two|");
        assert_int_equal(none.values, 0);
        if (way == MADE_AGAIN || way == REPLACED) remove_folder();
        if (way < MOVED) continue;
        memcpy(folder, away, sizeof folder);
        snprintf(file, sizeof file, "%s/log", away);
        unlink(file), rmdir(away);
    }
}
/* What happens during a pause is seen, also if it is more than the system can report. */
static void too_many_changes(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    int most = 0;
    FILE *limit = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    if (limit == NULL) skip();
    assert_int_equal(fscanf(limit, "%d", &most), 1);
    fclose(limit);
    if (most > 100000) skip(); /* that would take long */
    make_folder();
    append(file, "one\n");
    log l = {0};
    door d = {0};
    start(&l, followed(true));
    assert_comes(&l, "one|");
    sgk_queue_dispatch(queue, wait_at, &d, counted_destroy); /* reading is blocked */
    append(file, "two\n");
    for (int i = 0; i <= most; i++) {
        snprintf(rotated, sizeof rotated, "%s/%d", folder, i % 2);
        close(open(rotated, O_CREAT | O_WRONLY, 0600));
        unlink(rotated);
    }
    remove_folder();
    open_and_wait(&d);
    assert_ends(&l, 0);
    assert_string_equal(l.text, "one|two|");
}
static void a_relative_path(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    make_folder();
    int before = open(".", O_RDONLY | O_DIRECTORY);
    assert_int_equal(chdir(folder), 0);
    log l = {0};
    start(&l, sgk_signal_file_lines("log", false, 10, queue));
    assert_int_equal(fchdir(before), 0);
    close(before);
    append(file, "one\n");
    assert_comes(&l, "one|");
    stop(&l);
    remove_folder();
}

enum { MANY_LINES = 10000, ROTATIONS = 200 };
typedef struct many {
    atomic_int count, disorder;
} many;
static void count_lines(void *context, sgk_value line) {
    many *m = context;
    if (atoi(sgk_value_data(line, NULL)) != m->count) m->disorder++;
    m->count++;
}
/* A file that loses the name before it was read is not seen. So the writer waits until its first line has arrived. */
static void *write_and_rotate(void *context) {
    many *m = context;
    FILE *out = fopen(file, "a");
    for (int i = 0, first = 0; i < MANY_LINES; i++) {
        if (i % (MANY_LINES / ROTATIONS) == MANY_LINES / ROTATIONS / 2) {
            EVENTUALLY(m->count > first);
            first = i;
            if (i / (MANY_LINES / ROTATIONS) % 2 == 0) {
                rename(file, rotated);
                fclose(out); /* writes the rest, which is read, too */
            } else {
                fclose(out);
                unlink(file);
            }
            out = fopen(file, "a");
        }
        fprintf(out, "%d\n", i);
        if (i % 7 == 0) fflush(out); /* at any byte, because of the buffer's size */
    }
    fclose(out);
    return NULL;
}
static void many_lines_and_rotations(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    for (int pauses = 0; pauses < 2; pauses++) {
        make_folder();
        many m = {0};
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.next = count_lines, handlers.context = &m;
        SGK_AUTO(sgk_queue) other = sgk_queue_create("other");
        SGK_AUTO(sgk_signal) lines = followed(true);
        if (pauses) SGK_STAGE(deliver_on_bounded, lines, SGK_BOUND(.limit = 4, .overflow = SGK_OVERFLOW_PAUSE), other);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(lines, &handlers);
        pthread_t writer;
        pthread_create(&writer, NULL, write_and_rotate, &m);
        EVENTUALLY(m.count >= MANY_LINES);
        pthread_join(writer, NULL);
        settle();
        assert_int_equal(m.count, MANY_LINES);
        assert_int_equal(m.disorder, 0);
        sgk_disposable_dispose(run);
        sgk_queue_sync(other, do_nothing, NULL);
        remove_folder();
    }
}
static void stop_inside(log *l) { sgk_disposable_dispose(l->run); }
static void followed_and_disposed(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip();
    make_folder();
    append(file, "one\ntwo\npart");
    for (int i = 0; i < 200; i++) {
        log l = {.act = i % 4 == 3 ? stop_inside : NULL};
        start(&l, sgk_signal_file_lines(i % 5 == 4 ? rotated : file, i % 2, 100, queue));
        if (i % 4 == 1) EVENTUALLY(l.values >= 2 || i % 5 == 4);
        if (i % 4 == 2) append(file, "more\n");
        stop(&l);
        if (i % 4 == 3 && i % 5 != 4) assert_true(l.values <= 1);
    }
    remove_folder();
}

enum { WATCHERS = 3 };
typedef struct watched_child {
    pid_t process;
    log runs[WATCHERS];
    atomic_bool is_filtered, is_started, is_done;
} watched_child;

/* Hides pidfd_open from this thread and the threads that it starts. Returns whether this is possible. */
static bool hides_pidfd_open(void) {
#if HAS_SECCOMP
    enum { PIDFD_OPEN = 434 };
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PIDFD_OPEN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
    return false;
#endif
}

static void *start_without_pidfd(void *context) {
    watched_child *child = context;
    prctl(PR_SET_NAME, "without pidfd"); /* the threads that it starts inherit the name */
    child->is_filtered = hides_pidfd_open();
    for (int i = 0; i < WATCHERS; i++) start(&child->runs[i], sgk_signal_child(child->process, queue));
    child->is_started = true;
    EVENTUALLY(child->is_done);
    return NULL;
}

/* The thread that waits for a child ends with the subscription, although the child continues. */
static void nobody_looks_for_a_child_any_more(void **state) {
    (void)state;
    if (getenv("PORTABLE")) skip(); /* POSIX knows no children as descriptors */
    watched_child child = {.process = child_with(-1)};
    pthread_t starts;
    assert_int_equal(pthread_create(&starts, NULL, start_without_pidfd, &child), 0);
    EVENTUALLY(child.is_started);
    for (int i = 0; i < WATCHERS; i++) {
        if (child.is_filtered) EVENTUALLY(threads_named("without pidfd") == 1 + WATCHERS - i);
        stop(&child.runs[i]);
        assert_true(child.runs[i].values == 0 && child.runs[i].ends == 0);
    }
    EVENTUALLY(threads_named("without pidfd") == 1);
    child.is_done = true;
    pthread_join(starts, NULL);
    kill(child.process, SIGKILL);
    assert_int_equal(waitpid(child.process, NULL, 0), child.process); /* the program still reaps it */
}

static void changes_of_files(void **state) {
    (void)state;
    char folder[] = "/tmp/signalkit-XXXXXX", path[64], moved[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(moved, sizeof moved, "%s/longer name", folder);
    log l = {0}, missing = {0};
    start(&l,
        sgk_signal_file_changes(folder,
            SGK_FILE_CREATED | SGK_FILE_MOVED_FROM | SGK_FILE_MOVED_TO | SGK_FILE_DELETED | SGK_FILE_GONE, queue));
    if (is_not_supported(&l, "inotify_add_watch")) return (void)rmdir(folder);
    start(&missing, sgk_signal_file_changes(path, SGK_FILE_WRITTEN, queue));
    assert_ends(&missing, ENOENT);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    EVENTUALLY(l.values == 1);
    assert_int_equal(l.last, SGK_FILE_CREATED);
    log file = {0};
    start(&file, sgk_signal_file_changes(path, SGK_FILE_WRITTEN | SGK_FILE_MOVED, queue));
    int fd = open(path, O_WRONLY);
    put(fd, "x");
    close(fd);
    EVENTUALLY(file.values == 1);
    assert_int_equal(file.last, SGK_FILE_WRITTEN);
    rename(path, moved);
    EVENTUALLY(l.values == 3 && file.values == 2);
    assert_int_equal(file.last, SGK_FILE_MOVED);
    unlink(moved);
    assert_ends(&file, 0); /* it was deleted */
    EVENTUALLY(l.values == 4);
    assert_text(&l, "a|a|longer name|longer name|");
    rmdir(folder);
    assert_ends(&l, 0);
    assert_int_equal(l.last, SGK_FILE_GONE);
}

/* So many that the system drops some. */
static void changes_that_are_lost(void **state) {
    (void)state;
    char folder[] = "/tmp/signalkit-XXXXXX", path[64];
    int most = 0;
    FILE *file = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    if (file == NULL) skip();
    assert_int_equal(fscanf(file, "%d", &most), 1);
    fclose(file);
    if (most > 100000) skip(); /* that would take long */
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a", folder);
    log l = {0};
    door d = {0};
    start(&l, sgk_signal_file_changes(folder, SGK_FILE_CREATED | SGK_FILE_DELETED, queue));
    if (is_not_supported(&l, "inotify_add_watch")) return (void)rmdir(folder);
    sgk_queue_dispatch(queue, wait_at, &d, counted_destroy); /* reading is blocked */
    for (int i = 0; i <= most; i += 2) {
        close(open(path, O_CREAT | O_WRONLY, 0600));
        unlink(path);
    }
    open_and_wait(&d);
    EVENTUALLY(l.ends == 1);
    assert_true(l.values > 0); /* existing files are first */
    assert_reason(&l, "sgk_signal_file_changes: inotify", ENOBUFS);
    assert_ends(&l, ENOBUFS);
    rmdir(folder);
}

/* ---- On a loop of the program's ---- */

typedef struct job {
    sgk_work_fn work;
    void *context;
    sgk_destroy_fn destroy;
} job;
typedef struct watched {
    int fd;
    short events;
    sgk_ready_fn ready;
    void *context;
    sgk_destroy_fn destroy;
} watched;
typedef struct loop {
    pthread_mutex_t lock;
    pthread_t thread;
    job jobs[64]; /* the lock's */
    int count;
    watched watches[8]; /* the thread's */
    int watching, begun, refused;
    bool has_ended;
} loop;

static sgk_status loop_async(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    loop *l = context;
    pthread_mutex_lock(&l->lock);
    bool accepts = !l->has_ended && l->count < 64;
    if (accepts) l->jobs[l->count++] = (job){work, work_context, destroy};
    pthread_mutex_unlock(&l->lock);
    return accepts ? SGK_OK : SGK_ERROR_ENDED;
}
static bool loop_is_current(void *context) { return pthread_equal(((loop *)context)->thread, pthread_self()); }
static sgk_status loop_watch(
    void *context, int fd, uint32_t events, sgk_ready_fn ready, void *ready_context, sgk_destroy_fn destroy) {
    loop *l = context;
    assert_true(loop_is_current(l));
    l->begun++;
    if (lseek(fd, 0, SEEK_CUR) >= 0) return l->refused++, SGK_ERROR_SYSTEM;           /* a file: many loops cannot */
    for (int i = 0; i < l->watching; i++) assert_int_not_equal(l->watches[i].fd, fd); /* as many loops require */
    l->watches[l->watching++] =
        (watched){fd, (short)((events & SGK_FD_READ ? POLLIN : 0) | (events & SGK_FD_WRITE ? POLLOUT : 0)), ready,
            ready_context, destroy};
    return SGK_OK;
}
static watched take_watch(loop *l, int place) {
    watched taken = l->watches[place];
    l->watches[place] = l->watches[--l->watching];
    return taken;
}
static void loop_unwatch(void *context, int fd) {
    loop *l = context;
    assert_true(loop_is_current(l));
    for (int i = l->watching - 1; i >= 0; i--) {
        if (l->watches[i].fd != fd) continue;
        watched w = take_watch(l, i);
        w.destroy(w.context);
    }
}
static const sgk_queue_table watching = {
    sizeof(sgk_queue_table), loop_async, loop_is_current, NULL, NULL, NULL, NULL, loop_watch, loop_unwatch};

static void run_jobs(loop *l) {
    pthread_mutex_lock(&l->lock);
    job jobs[64];
    int count = l->count;
    memcpy(jobs, l->jobs, sizeof jobs);
    l->count = 0;
    pthread_mutex_unlock(&l->lock);
    for (int i = 0; i < count; i++) {
        if (!l->has_ended) jobs[i].work(jobs[i].context);
        jobs[i].destroy(jobs[i].context);
    }
}
static void turn(loop *l) {
    run_jobs(l);
    for (int i = l->watching - 1; i >= 0; i--) {
        struct pollfd asked = {l->watches[i].fd, l->watches[i].events, 0};
        if (poll(&asked, 1, 0) < 1) continue;
        watched w = take_watch(l, i);
        w.ready(w.context,
            (asked.revents & POLLIN ? SGK_FD_READ : 0) | (asked.revents & POLLOUT ? SGK_FD_WRITE : 0) |
                (asked.revents & POLLHUP ? SGK_FD_HANGUP : 0));
        w.destroy(w.context);
        return;
    }
    sleep_a_moment();
}
#define TURN_UNTIL(l, condition) \
    do { \
        for (int left = PATIENCE * 1000; !(condition) && left > 0; left--) turn(l); \
        assert_true(condition); \
    } while (0)

static void *come_and_go(void *context) {
    log *l = context;
    start(l, l->object);
    sgk_disposable_dispose(l->run);
    return NULL;
}

/* The calling thread's. */
static loop *make_loop(void) {
    loop *l = calloc(1, sizeof *l);
    pthread_mutex_init(&l->lock, NULL);
    l->thread = pthread_self();
    return l;
}
static void drop_loop(loop *l) {
    pthread_mutex_destroy(&l->lock);
    free(l);
}

static void watched_by_the_loop(void **state) {
    (void)state;
    loop *l = make_loop();
    SGK_AUTO(sgk_queue) there = sgk_queue_create_custom(&watching, l);
    two p = piped(), q = paired();
    log lines = {0}, file = {0}, left = {0}, writing = {0}, brief = {0};
    start(&lines, sgk_signal_fd_lines(p.reads, 100, there));
    put(p.writes, "one\ntwo\n");
    TURN_UNTIL(l, lines.values == 2);
    put(p.writes, "three\n");
    TURN_UNTIL(l, lines.values == 3);
    assert_int_equal(l->begun, 3);
    int fd = file_with("in a file");
    start(&file, sgk_signal_fd_lines(fd, 100, there));
    TURN_UNTIL(l, file.ends == 1);
    assert_text(&file, "in a file|");
    assert_true(l->refused > 0); /* it is read there nevertheless */
    SGK_AUTO(sgk_signal) text = sgk_signal_just(sgk_give(sgk_string("text")));
    start(&writing, sgk_signal_sink_fd(text, q.writes, true, SUSPENDING(100), there));
    TURN_UNTIL(l, writing.ends == 1);
    pthread_t thread;
    pthread_create(&thread, NULL, dispose_elsewhere, &lines);
    pthread_join(thread, NULL);
    TURN_UNTIL(l, l->watching == 0);
    put(p.writes, "four\n");
    for (int i = 0; i < 3; i++) turn(l);
    assert_int_equal(lines.values, 3);
    /* A subscription that is disposed before the loop runs it is not watched. */
    int begun = l->begun;
    brief.object = sgk_signal_fd_lines(p.reads, 100, there);
    pthread_create(&thread, NULL, come_and_go, &brief);
    pthread_join(thread, NULL);
    run_jobs(l);
    assert_int_equal(l->begun, begun);
    stop(&lines), stop(&file), stop(&writing), stop(&brief);
    /* The loop ends with a watched descriptor, and releases its references. */
    start(&left, sgk_signal_fd_lines(q.reads, 1, there));
    TURN_UNTIL(l, l->watching == 1);
    l->has_ended = true;
    run_jobs(l);
    watched w = take_watch(l, 0);
    w.destroy(w.context);
    stop(&left);
    /* Data that would be written there is released, and no thread is blocked. */
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
    log ended = {0};
    start(&ended, sgk_signal_sink_fd(source, p.writes, false, SUSPENDING(1), there));
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, put_one_more, pipe);
        pthread_join(thread, NULL);
    }
    stop(&ended);
    close(p.reads), close(p.writes), close(q.reads), close(fd);
    sgk_queue_replace(&there, NULL);
    drop_loop(l);
}

/* Both directions of a connection are watched. */
static sgk_pipe *to_client;
static sgk_signal *both_directions(void *there, int connection) {
    sgk_signal *data = sgk_pipe_signal(to_client), *lines = sgk_signal_fd_lines(connection, 100, there);
    SGK_STAGE(sink_fd, data, connection, false, NULL, there);
    sgk_signal *both = sgk_merge(SGK_LIST(sgk_signal *, lines, data));
    sgk_signal_release(data), sgk_signal_release(lines);
    return both;
}
static void a_connection_on_a_loop(void **state) {
    (void)state;
    loop *l = make_loop();
    SGK_AUTO(sgk_queue) there = sgk_queue_create_custom(&watching, l);
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (void *)&place, size), 0);
    assert_int_equal(getsockname(listener, (void *)&place, &size), 0);
    assert_int_equal(listen(listener, 1), 0);
    to_client = sgk_pipe_create();
    log lines = {0};
    start(&lines, sgk_signal_accept(listener, 1, both_directions, there, NULL, there));
    int room = 1 << 16;
    setsockopt(client, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    assert_int_equal(connect(client, (void *)&place, size), 0);
    put(client, "one\n");
    TURN_UNTIL(l, lines.values == 1);
    char *much = calloc(1, 8 << 20); /* more than the buffers of the system have room for */
    sgk_pipe_next(to_client, sgk_give(sgk_bytes(much, 8 << 20)));
    TURN_UNTIL(l, l->watching == 3); /* also the listener */
    put(client, "two\n");
    TURN_UNTIL(l, lines.values == 2);
    for (size_t count = 0; count < 8 << 20; turn(l)) {
        ssize_t more = recv(client, much, 8 << 20, MSG_DONTWAIT);
        if (more > 0) count += (size_t)more;
    }
    stop(&lines);
    TURN_UNTIL(l, l->watching == 0);
    run_jobs(l);
    assert_int_equal(read(client, much, 1), 0);
    free(much), close(listener), close(client);
    sgk_pipe_release(to_client);
    sgk_queue_replace(&there, NULL);
    drop_loop(l);
}

/* Only one turn of a subscription is in flight, in every case, and none after its end. */
static void one_turn_at_a_time(void **state) {
    (void)state;
    loop *l = make_loop();
    SGK_AUTO(sgk_queue) there = sgk_queue_create_custom(&watching, l);
    two p = piped();
    for (int completes = 0; completes < 2; completes++) {
        sgk_pipe *pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) source = sgk_pipe_signal(pipe);
        log writing = {0}, disposed = {0};
        start(&writing, sgk_signal_sink_fd(source, p.writes, false, SUSPENDING(100), there));
        start(&disposed, sgk_signal_sink_fd(source, p.writes, false, SUSPENDING(100), there));
        stop(&disposed);
        sgk_signal_replace(&source, NULL);
        assert_int_equal(l->count, 0);
        sgk_pipe_next(pipe, sgk_give(sgk_string("a")));
        assert_int_equal(l->count, 1);
        sgk_pipe_next(pipe, sgk_give(sgk_string("b")));
        assert_int_equal(l->count, 1);
        if (completes) sgk_pipe_complete(pipe);
        sgk_pipe_release(pipe); /* the source is released at the latest now */
        assert_int_equal(l->count, 1);
        run_jobs(l);
        assert_int_equal(l->count, 0);
        assert_int_equal(writing.ends, completes);
        stop(&writing);
    }
    close(p.writes);
    char text[8] = "";
    assert_int_equal(read(p.reads, text, sizeof text), 4);
    assert_string_equal(text, "abab");
    close(p.reads);
    sgk_queue_replace(&there, NULL);
    drop_loop(l);
}

int run_descriptors(void) {
    const struct CMUnitTest tests[] = {
        WATCHED(lines_as_they_come),
        WATCHED(what_is_in_a_line),
        WATCHED(long_lines),
        WATCHED(many_wait),
        WATCHED(bytes_as_they_come),
        WATCHED(files_and_null),
        WATCHED(terminals),
        WATCHED(terminals_that_stand_still),
        WATCHED(bad_descriptors),
        WATCHED(closed_under_its_feet),
        WATCHED(no_more_descriptors),
        WATCHED(told_as_long_as_it_is_so),
        WATCHED(nobody_reads),
        WATCHED(several_runs),
        WATCHED(errors_in_a_queue_of_their_own),
        WATCHED(nothing_is_read_after_disposal),
        WATCHED(started_and_disposed_at_once),
        WATCHED(a_million_lines),
        WATCHED(all_is_written),
        WATCHED(closes_in_the_end),
        WATCHED(nobody_reads_any_more),
        WATCHED(more_comes_when_nobody_reads),
        WATCHED(slowly_read),
        WATCHED(disposed_while_it_holds_up),
        WATCHED(disposed_while_it_starts),
        WATCHED(on_its_own_queue),
        WATCHED(its_own_queue_waits_for_who_emits),
        WATCHED(no_other_thread_of_its_pool_writes),
        WATCHED(its_source_lets_go),
        WATCHED(signals_of_the_system),
        WATCHED(children),
        WATCHED(times_of_the_wall_clock),
        WATCHED(a_virtual_queue_has_the_time_of_the_wall_clock),
        WATCHED(a_file_that_grows),
        WATCHED(rotated_files),
        WATCHED(truncated_files),
        WATCHED(symbolic_links),
        WATCHED(files_that_are_not_followed),
        WATCHED(folders_that_go),
        WATCHED(too_many_changes),
        WATCHED(a_relative_path),
        WATCHED(many_lines_and_rotations),
        WATCHED(followed_and_disposed),
        WATCHED(changes_of_files),
        WATCHED(nobody_looks_for_a_child_any_more),
        WATCHED(changes_that_are_lost),
        WATCHED(watched_by_the_loop),
        WATCHED(a_connection_on_a_loop),
        WATCHED(one_turn_at_a_time),
    };
    return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
