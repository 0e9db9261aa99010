/* Sockets that keep the boundaries of messages: their datagrams as values, and values that are sent as datagrams. */
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

/* ---- Sockets ---- */

typedef struct place {
    union {
        struct sockaddr any;
        struct sockaddr_in internet;
        struct sockaddr_un local;
    } address;
    socklen_t size;
    int fd;
} place;

static char folder[32];

/* A socket with an address. */
static place bound_to(int family, const char *name) {
    place p = {.size = sizeof p.address.internet, .fd = socket(family, SOCK_DGRAM, 0)};
    p.address.any.sa_family = (sa_family_t)family;
    if (family == AF_UNIX) {
        snprintf(p.address.local.sun_path, sizeof p.address.local.sun_path, "%s/%s", folder, name);
        p.size = sizeof p.address.local;
    } else p.address.internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(p.fd, &p.address.any, p.size), 0);
    assert_int_equal(getsockname(p.fd, &p.address.any, &p.size), 0);
    return p;
}
static void leave(place *p) {
    close(p->fd);
    if (p->address.any.sa_family == AF_UNIX) unlink(p->address.local.sun_path);
}
/* A socket without an address, whose peer is that one. */
static int connected_to(place *p) {
    int fd = socket(p->address.any.sa_family, SOCK_DGRAM, 0);
    assert_int_equal(connect(fd, &p->address.any, p->size), 0);
    return fd;
}
/* Two sockets without addresses. */
typedef struct two {
    int reads, writes;
} two;
static two pair(int type) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, type, 0, ends), 0);
    return (two){ends[0], ends[1]};
}
static void close_both(two p) { close(p.reads), close(p.writes); }

static void say(int fd, const char *text) {
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), (int)strlen(text));
}
static void say_to(int fd, place *to, const char *text) {
    assert_int_equal(sendto(fd, text, strlen(text), 0, &to->address.any, to->size), (int)strlen(text));
}
static void assert_hears(int fd, const char *text) {
    char heard[64] = "";
    assert_int_equal(recv(fd, heard, sizeof heard - 1, 0), (int)strlen(text));
    assert_string_equal(heard, text);
}
static bool is_silent(int fd) { return poll(&(struct pollfd){fd, POLLIN, 0}, 1, 30) == 0; }
/* Sends until the receiver is full. Returns how many there were. */
static int fill(int fd) {
    int count = 0;
    while (send(fd, "0", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1) count++;
    assert_int_equal(errno, EAGAIN);
    return count;
}

/* ---- Subscriptions ---- */

typedef struct seen {
    pthread_mutex_t lock;
    char text[4096]; /* the data of all values, with | behind each */
    size_t length;
    char address[128]; /* of the latest one */
    size_t address_size;
    atomic_int values, error, ends, destroyed;
    atomic_llong sum; /* of the values */
    char reason[128];
    sgk_disposable *run;
    int dispose_at; /* in the callback of this value; 0: never */
    door *blocks;   /* the callback of a value */
} seen;

static long long number_in(sgk_value datagram) {
    size_t size;
    const char *data = sgk_value_data(sgk_array_at(datagram, 0), &size);
    char text[24] = "";
    memcpy(text, data, size < sizeof text ? size : sizeof text - 1);
    return atoll(text);
}

static void see_next(void *context, sgk_value value) {
    seen *s = context;
    size_t count;
    assert_non_null(sgk_array_items(value, &count));
    assert_int_equal(count, 2);
    assert_int_equal(sgk_array_at(value, 0).kind, SGK_BYTES);
    assert_int_equal(sgk_array_at(value, 1).kind, SGK_BYTES);
    size_t size;
    const char *data = sgk_value_data(sgk_array_at(value, 0), &size);
    pthread_mutex_lock(&s->lock);
    s->length += (size_t)snprintf(s->text + s->length, sizeof s->text - s->length, "%.*s|", (int)size, data);
    if (s->length > sizeof s->text / 2) s->length = 0;
    const char *address = sgk_value_data(sgk_array_at(value, 1), &s->address_size);
    assert_true(s->address_size <= sizeof s->address);
    memcpy(s->address, address, s->address_size);
    pthread_mutex_unlock(&s->lock);
    s->sum += number_in(value);
    if (++s->values == s->dispose_at) sgk_disposable_dispose(s->run);
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
    pthread_mutex_init(&s->lock, NULL);
    sgk_disposable_release(sgk_signal_start(signal,
        SGK_HANDLERS(.next = see_next, .error = see_error, .completed = see_end, .started = see_run, .context = s,
            .destroy = see_destroy)));
    sgk_signal_release(signal);
}
static void stop(seen *s) {
    sgk_disposable_dispose(s->run);
    EVENTUALLY(s->destroyed == 1);
    sgk_disposable_release(s->run);
}
static void assert_reason(seen *s, const char *call, int error) {
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s: %s", call, strerror(error));
    assert_string_equal(s->reason, wanted);
}
static void assert_ends(seen *s, int error) {
    EVENTUALLY(s->ends == 1);
    assert_int_equal(s->error, error);
    stop(s);
}
static bool has(seen *s, const char *text) {
    pthread_mutex_lock(&s->lock);
    bool is_there = strcmp(s->text, text) == 0;
    pthread_mutex_unlock(&s->lock);
    return is_there;
}

static sgk_queue *queue;
static int open_before;

static sgk_signal *received(int fd) { return sgk_signal_fd_datagrams(fd, 2000, queue); }
/* Sends one value. */
static sgk_signal *sent(int fd, sgk_value value) {
    sgk_signal *signal = sgk_signal_just(sgk_give(value));
    SGK_STAGE(sink_fd, signal, fd, false, SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE), queue);
    return signal;
}
static sgk_value bytes_of(const void *data, size_t size) { return sgk_give(sgk_bytes(data, size)); }
static sgk_value to_place(const char *text, place *p) {
    return sgk_array((sgk_value[]){sgk_give(sgk_string(text)), bytes_of(&p->address, p->size)}, 2);
}

static int prepare(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/signalkit-XXXXXX");
    assert_non_null(mkdtemp(folder));
    queue = sgk_queue_create("datagrams");
    two p = pair(SOCK_DGRAM);
    seen s = {.dispose_at = 0};
    see(&s, received(p.reads)); /* the thread that watches has descriptors */
    say(p.writes, "1");
    EVENTUALLY(s.values == 1);
    stop(&s);
    close_both(p);
    open_before = open_descriptors();
    return 0;
}
static int finish(void **state) {
    EVENTUALLY(open_descriptors() == open_before); /* a thread closes what it has used, perhaps after the count */
    assert_int_equal(rmdir(folder), 0);
    sgk_queue_release(queue);
    return nothing_alive(state);
}
#define WITH_SOCKETS(name) cmocka_unit_test_setup_teardown(name, prepare, finish)

/* ---- Receiving ---- */

static void assert_sender(seen *s, place *p) {
    pthread_mutex_lock(&s->lock);
    size_t size = s->address_size;
    bool is_sender = size == p->size && memcmp(s->address, &p->address, size) == 0;
    pthread_mutex_unlock(&s->lock);
    assert_true(is_sender);
}
static void data_and_senders(void **state) {
    (void)state;
    static const int families[] = {AF_INET, AF_UNIX};
    for (int i = 0; i < 2; i++) {
        place to = bound_to(families[i], "to"), one = bound_to(families[i], "one"), two = bound_to(families[i], "two");
        seen s = {0};
        see(&s, received(to.fd));
        say_to(one.fd, &to, "first");
        EVENTUALLY(s.values == 1);
        assert_sender(&s, &one);
        say_to(two.fd, &to, "");
        EVENTUALLY(s.values == 2);
        assert_sender(&s, &two);
        say_to(one.fd, &to, "third"), say_to(one.fd, &to, ""), say_to(one.fd, &to, "fifth");
        EVENTUALLY(s.values == 5);
        assert_sender(&s, &one);
        assert_true(has(&s, "first||third||fifth|"));
        assert_int_equal(s.ends, 0);
        stop(&s);
        leave(&to), leave(&one), leave(&two);
    }
    struct two p = pair(SOCK_DGRAM); /* without addresses */
    seen s = {.address_size = 1};
    see(&s, received(p.reads));
    say(p.writes, "");
    say(p.writes, "text");
    EVENTUALLY(has(&s, "|text|"));
    stop(&s);
    assert_int_equal(s.address_size, 0);
    close_both(p);
}

static void too_long(void **state) {
    (void)state;
    place to = bound_to(AF_INET, NULL);
    int from = connected_to(&to);
    char data[2001];
    memset(data, '1', sizeof data);
    seen fits = {0}, long_one = {0}, later = {0};
    see(&fits, sgk_signal_fd_datagrams(to.fd, 2000, queue));
    assert_int_equal(send(from, data, 2000, 0), 2000);
    EVENTUALLY(fits.values == 1);
    stop(&fits);
    say(from, "before"), assert_int_equal(send(from, data, 2001, 0), 2001), say(from, "after");
    see(&long_one, sgk_signal_fd_datagrams(to.fd, 2000, queue));
    EVENTUALLY(long_one.ends == 1);
    assert_reason(&long_one, "sgk_signal_fd_datagrams: recvmsg", EMSGSIZE);
    assert_true(has(&long_one, "before|"));
    assert_ends(&long_one, EMSGSIZE);
    see(&later, sgk_signal_fd_datagrams(to.fd, 5, queue));
    EVENTUALLY(has(&later, "after|"));
    stop(&later);
    close(from), leave(&to);
}

/* A datagram waits in the system, and its sender waits when there are too many. */
typedef struct sender {
    int fd, count;
    long long from;
    atomic_int sent;
} sender;
static void *send_numbers(void *context) {
    sender *s = context;
    for (int i = 0; i < s->count; i++) {
        char text[24];
        snprintf(text, sizeof text, "%lld", s->from + i);
        say(s->fd, text);
        s->sent++;
    }
    return NULL;
}
/* Each number once, and those of a sender in their order. */
typedef struct order {
    long long last[64];
    atomic_bool is_wrong;
} order;
static void check_order(void *context, sgk_value value) {
    order *o = context;
    long long number = number_in(value), from = number / 1000000;
    if (number != o->last[from] + 1) o->is_wrong = true;
    o->last[from] = number;
}
static void pauses_lose_nothing(void **state) {
    (void)state;
    place to = bound_to(AF_UNIX, "to");
    const int count = repeated(5000);
    order o = {.last = {-1}};
    seen s = {0};
    sender from = {.fd = connected_to(&to), .count = count};
    sgk_signal *signal = received(to.fd);
    SGK_STAGE(after_next, signal, check_order, &o, NULL);
    see(&s, signal);
    sgk_disposable *hold = sgk_disposable_hold(s.run);
    pthread_t thread;
    pthread_create(&thread, NULL, send_numbers, &from);
    for (int last = -1; from.sent != last || last == 0;) last = from.sent, sleep_a_moment(), sleep_a_moment();
    assert_true(from.sent < count);
    assert_int_equal(s.values, 0);
    sgk_disposable_dispose(hold), sgk_disposable_release(hold);
    for (int i = 0; i < 20 && from.sent < count; i++) { /* short ones */
        hold = sgk_disposable_hold(s.run);
        sgk_queue_sync(queue, do_nothing, NULL);
        int before = s.values;
        sleep_a_moment();
        assert_int_equal(s.values, before);
        sgk_disposable_dispose(hold), sgk_disposable_release(hold);
        sleep_a_moment();
    }
    EVENTUALLY(s.values == count);
    pthread_join(thread, NULL);
    assert_false(o.is_wrong);
    assert_int_equal(s.sum, (long long)count * (count - 1) / 2);
    stop(&s);
    close(from.fd), leave(&to);
}

static sender senders[8];
static void send_from(void *context, int index) {
    (void)context;
    send_numbers(&senders[index]);
}
/* A source that has received all does no work until the next datagram. */
static void an_idle_source_rests(void **state) {
    (void)state;
    two ends = pair(SOCK_DGRAM);
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    seen s = {0};
    see(&s, sgk_signal_fd_datagrams(ends.reads, 2000, time));
    for (int round = 1; round <= 3; round++) {
        say(ends.writes, "text");
        EVENTUALLY((sgk_queue_run(time, 10), s.values == round));
        int64_t jobs = 0;
        for (int i = 0; i < 10; i++) sleep_a_moment(), jobs += sgk_queue_run(time, 1000);
        assert_true(jobs <= 10);
    }
    stop(&s);
    close(ends.reads), close(ends.writes);
}

static void many_senders(void **state) {
    (void)state;
    place to = bound_to(AF_UNIX, "to");
    const int count = repeated(1000);
    order o = {.is_wrong = false};
    seen s = {0};
    for (int i = 0; i < 8; i++) {
        senders[i] = (sender){.fd = connected_to(&to), .count = count, .from = 1000000LL * i};
        o.last[i] = senders[i].from - 1;
    }
    sgk_signal *signal = received(to.fd);
    SGK_STAGE(after_next, signal, check_order, &o, NULL);
    see(&s, signal);
    in_parallel(8, send_from, NULL);
    EVENTUALLY(s.values == 8 * count);
    assert_false(o.is_wrong);
    stop(&s);
    for (int i = 0; i < 8; i++) close(senders[i].fd);
    leave(&to);
}

static void not_received(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    two stream = pair(SOCK_STREAM);
    say(stream.writes, "text");
    seen of_pipe = {0}, of_stream = {0}, closed = {0}, refused = {0}, unconnected = {0};
    see(&of_pipe, received(ends[0]));
    EVENTUALLY(of_pipe.ends == 1);
    assert_reason(&of_pipe, "sgk_signal_fd_datagrams: recvmsg", ENOTSOCK);
    assert_ends(&of_pipe, ENOTSOCK);
    close(ends[0]), close(ends[1]);
    see(&closed, received(ends[0]));
    assert_ends(&closed, EBADF);
    see(&of_stream, received(stream.reads));
    assert_ends(&of_stream, EINVAL);
    assert_hears(stream.reads, "text"); /* nothing was read */
    close_both(stream);
    place p = bound_to(AF_INET, NULL);
    int fd = connected_to(&p);
    leave(&p);
    see(&refused, received(fd));
    say(fd, "nobody receives this");
    assert_ends(&refused, ECONNREFUSED);
    close(fd);
    fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    see(&unconnected, received(fd));
    assert_ends(&unconnected, ENOTCONN);
    close(fd);
}

static void ends_of_sockets(void **state) {
    (void)state;
    /* The other side of a connection closes. */
    two packets = pair(SOCK_SEQPACKET);
    seen s = {0};
    say(packets.writes, "one"), say(packets.writes, "two");
    close(packets.writes);
    see(&s, received(packets.reads));
    assert_ends(&s, 0);
    assert_string_equal(s.text, "one|two|");
    close(packets.reads);
    /* Somebody shuts the socket down: what has arrived is still received, and nothing runs in vain. */
    static const int families[] = {AF_INET, AF_UNIX};
    for (int i = 0; i < 2; i++) {
        place to = bound_to(families[i], "to");
        int from = connected_to(&to);
        seen late = {0}, early = {0};
        see(&early, received(to.fd));
        say(from, "before");
        EVENTUALLY(early.values == 1);
        sgk_disposable *hold = sgk_disposable_hold(early.run);
        sgk_queue_sync(queue, do_nothing, NULL);
        say(from, "1"), say(from, "2");
        (void)shutdown(to.fd, SHUT_RD); /* ENOTCONN, and yet it is */
        see(&late, received(to.fd));
        assert_ends(&late, 0);
        assert_string_equal(late.text, "1|2|");
        sgk_disposable_dispose(hold), sgk_disposable_release(hold);
        assert_ends(&early, 0);
        assert_string_equal(early.text, "before|");
        close(from), leave(&to);
    }
    /* A pair stays open without its other side. */
    two datagrams = pair(SOCK_DGRAM);
    seen silent = {0};
    see(&silent, received(datagrams.reads));
    close(datagrams.writes);
    for (int i = 0; i < 10; i++) sleep_a_moment();
    assert_int_equal(silent.ends, 0);
    stop(&silent);
    close(datagrams.reads);
}

/* The system closes descriptors that nobody takes. */
static void descriptors_are_not_passed(void **state) {
    (void)state;
    two p = pair(SOCK_DGRAM);
    seen s = {0};
    see(&s, received(p.reads));
    const int before = open_descriptors();
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec data = {"1", 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *passed = CMSG_FIRSTHDR(&message);
    passed->cmsg_level = SOL_SOCKET, passed->cmsg_type = SCM_RIGHTS, passed->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(passed), &p.reads, sizeof(int));
    assert_int_equal(sendmsg(p.writes, &message, 0), 1);
    EVENTUALLY(s.values == 1);
    assert_int_equal(open_descriptors(), before);
    stop(&s);
    close_both(p);
}

/* ---- Sending ---- */

static sgk_value of_number(void *context, sgk_value number) {
    (void)context;
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)sgk_to_int(number));
    return sgk_bytes(text, strlen(text));
}
static void assert_numbers(int fd, int from, int count) {
    for (int i = from; i < count; i++) {
        char text[24];
        snprintf(text, sizeof text, "%d", i);
        assert_hears(fd, text);
    }
}

/* Values of each kind. Nothing is joined or split. */
static void each_value_is_a_datagram(void **state) {
    (void)state;
    static const int families[] = {AF_INET, AF_UNIX};
    for (int i = 0; i < 2; i++) {
        place to = bound_to(families[i], "to"), other = bound_to(families[i], "other");
        int from = connected_to(&to);
        seen s = {0}, apart = {0};
        sgk_value values[] = {sgk_give(sgk_string("text")), bytes_of("\0b", 2), sgk_give(sgk_string("")),
            sgk_give(sgk_array((sgk_value[]){sgk_give(sgk_string("peer")), bytes_of("", 0)}, 2)),
            sgk_give(to_place("to", &to))};
        sgk_signal *signal = sgk_signal_from_array(values, 5);
        SGK_STAGE(sink_fd, signal, from, false, NULL, queue);
        see(&s, signal);
        assert_ends(&s, 0);
        assert_int_equal(s.values, 0);
        assert_hears(to.fd, "text");
        char heard[9];
        assert_int_equal(recv(to.fd, heard, sizeof heard, 0), 2);
        assert_memory_equal(heard, "\0b", 2);
        assert_hears(to.fd, ""), assert_hears(to.fd, "peer");
        assert_hears(to.fd, "to");
        /* From a socket without a peer, to several. */
        sgk_value both[] = {sgk_give(to_place("one", &to)), sgk_give(to_place("two", &other))};
        signal = sgk_signal_from_array(both, 2);
        SGK_STAGE(sink_fd, signal, other.fd, false, NULL, queue);
        see(&apart, signal);
        assert_ends(&apart, 0);
        assert_hears(to.fd, "one"), assert_hears(other.fd, "two");
        close(from), leave(&to), leave(&other);
    }
    two packets = pair(SOCK_SEQPACKET), stream = pair(SOCK_STREAM);
    seen s = {0}, of_packets = {0};
    sgk_signal *signal = sgk_signal_from_array((sgk_value[]){sgk_give(sgk_string("a")), sgk_give(sgk_string("b"))}, 2);
    SGK_STAGE(sink_fd, signal, packets.writes, true, NULL, queue);
    door door = {.is_open = false};
    sgk_queue_async(queue, wait_at, &door, counted_destroy); /* both wait together */
    see(&of_packets, signal);
    open_and_wait(&door);
    assert_ends(&of_packets, 0);
    assert_hears(packets.reads, "a"), assert_hears(packets.reads, "b"), assert_hears(packets.reads, "");
    close(packets.reads);
    /* A stream takes an array, too, if it has no address. */
    see(&s, sent(stream.writes, sgk_array((sgk_value[]){sgk_give(sgk_string("data")), sgk_give(sgk_string(""))}, 2)));
    assert_ends(&s, 0);
    assert_hears(stream.reads, "data");
    assert_true(is_silent(stream.reads));
    close_both(stream);
}

static void not_sent(void **state) {
    (void)state;
    place to = bound_to(AF_INET, NULL);
    two stream = pair(SOCK_STREAM), packets = pair(SOCK_SEQPACKET);
    int from = connected_to(&to), alone = socket(AF_INET, SOCK_DGRAM, 0);
    static char big[66000];
    sgk_value text = sgk_string("text"), none = sgk_bytes("", 0), five = sgk_int(5), all = sgk_bytes(big, 129);
    const struct {
        int fd, error;
        sgk_value value;
    } wrong[] = {
        {from, EINVAL, five},
        {from, EINVAL, sgk_array((sgk_value[]){text}, 1)},
        {from, EINVAL, sgk_array((sgk_value[]){text, none, none}, 3)},
        {from, EINVAL, sgk_array((sgk_value[]){five, none}, 2)},
        {from, EINVAL, sgk_array((sgk_value[]){text, five}, 2)},
        {from, EINVAL, sgk_array((sgk_value[]){text, all}, 2)},
        {from, EINVAL, sgk_array((sgk_value[]){text, text}, 2)}, /* too short for an address */
        {stream.writes, EINVAL, to_place("text", &to)},
        {from, EMSGSIZE, sgk_bytes(big, sizeof big)},
        {alone, EDESTADDRREQ, sgk_value_retain(text)},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        seen s = {0};
        see(&s, sent(wrong[i].fd, wrong[i].value));
        EVENTUALLY(s.ends == 1);
        if (wrong[i].error == EMSGSIZE) assert_reason(&s, "sgk_signal_sink_fd: sendto", EMSGSIZE);
        assert_ends(&s, wrong[i].error);
    }
    sgk_value_release(text), sgk_value_release(none), sgk_value_release(all);
    assert_true(is_silent(to.fd) && is_silent(stream.reads));
    /* Nobody receives. The error of an earlier datagram reports it, and SIGPIPE does not end the program. */
    leave(&to);
    say(from, "text");
    seen refused = {0}, unread = {0};
    see(&refused, sent(from, sgk_string("text")));
    assert_ends(&refused, ECONNREFUSED);
    close(packets.reads);
    see(&unread, sent(packets.writes, sgk_string("text")));
    assert_ends(&unread, EPIPE);
    close(packets.writes), close(from), close(alone), close_both(stream);
}

static const uint32_t policies[] = {SGK_OVERFLOW_PAUSE, SGK_OVERFLOW_SUSPEND, SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_ERROR,
    SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_SUSPEND};

/* A receiver that does not receive. The source waits, and nothing is lost. A limit of 33 bytes: two datagrams. */
static void full_receivers(void **state) {
    (void)state;
    const int count = repeated(500);
    for (int i = 0; i < 8; i++) {
        place to = bound_to(AF_UNIX, "to");
        int from = i < 4 ? connected_to(&to) : socket(AF_UNIX, SOCK_DGRAM, 0), own = connected_to(&to);
        const int before = fill(own);
        SGK_AUTO(sgk_queue) emits = sgk_queue_create("emits");
        numbers n = {.count = count};
        sgk_signal *signal = sgk_signal_from_iterator(next_number, &n, numbers_destroy);
        SGK_STAGE(map, signal, of_number, NULL, NULL);
        if (i >= 4) {
            SGK_AUTO(sgk_signal) address = sgk_signal_just(bytes_of(&to.address, to.size));
            SGK_AUTO(sgk_signal) data = signal;
            signal = sgk_signal_with_latest_from(data, address);
        }
        SGK_STAGE(run_on, signal, emits);
        SGK_STAGE(sink_fd, signal, from, false, SGK_BOUND(.limit = 33, .overflow = policies[i % 4]), queue);
        seen s = {0};
        see(&s, signal);
        EVENTUALLY(n.next >= 1);
        for (int j = 0; j < 10; j++) sleep_a_moment();
        assert_true(n.next <= 6);
        assert_int_equal(s.ends, 0);
        for (int j = 0; j < before; j++) assert_hears(to.fd, "0");
        assert_numbers(to.fd, 0, count);
        assert_ends(&s, 0);
        close(from), close(own), leave(&to);
    }
}

/* At the limit, whose bytes include those of addresses: an error instead. */
static void limits_of_bytes(void **state) {
    (void)state;
    place to = bound_to(AF_UNIX, "to");
    int from = connected_to(&to), own = connected_to(&to);
    const int before = fill(own);
    for (int i = 0; i < 2; i++) {
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        sgk_signal *signal = sgk_pipe_signal(pipe);
        seen s = {0};
        const int64_t one = 16 + 4 + (i ? (int64_t)to.size : 0);
        SGK_STAGE(sink_fd, signal, from, false, SGK_BOUND(.limit = 2 * one), queue);
        see(&s, signal);
        for (int j = 0; j < 3; j++) { /* one is being sent */
            assert_int_equal(sgk_pipe_next(pipe, sgk_give(i ? to_place("text", &to) : sgk_string("text"))), SGK_OK);
            sgk_queue_sync(queue, do_nothing, NULL);
        }
        assert_int_equal(s.ends, 0);
        assert_int_equal(sgk_pipe_next(pipe, sgk_give(sgk_string(""))), SGK_OK);
        assert_ends(&s, SGK_ERROR_OVERFLOW);
    }
    for (int j = 0; j < before; j++) assert_hears(to.fd, "0");
    assert_true(is_silent(to.fd));
    close(from), close(own), leave(&to);
}

/* The system does not report when a receiver that is not the peer accepts more. */
static void tries_again(void **state) {
    (void)state;
    place to = bound_to(AF_UNIX, "to");
    int from = socket(AF_UNIX, SOCK_DGRAM, 0), own = connected_to(&to);
    const int before = fill(own);
    SGK_AUTO(sgk_queue) later = sgk_queue_create_virtual(NULL);
    seen s = {0}, disposed = {0};
    sgk_signal *signal = sgk_signal_just(sgk_give(to_place("text", &to)));
    SGK_STAGE(sink_fd, signal, from, true, NULL, later);
    SGK_AUTO(sgk_signal) endless = sgk_signal_just(sgk_give(to_place("lost", &to)));
    see(&disposed, sgk_signal_sink_fd(endless, from, false, NULL, later));
    see(&s, signal);
    for (int i = 0; i < 50; i++) sgk_queue_advance(later, 0), sleep_a_moment();
    stop(&disposed);
    assert_int_equal(sgk_queue_pending(later), 1); /* the time of the other sink */
    for (int i = 0; i < before; i++) assert_hears(to.fd, "0");
    for (int i = 0; i < 50; i++) sgk_queue_advance(later, 0), sleep_a_moment();
    assert_true(is_silent(to.fd));
    assert_int_equal(s.ends, 0);
    sgk_queue_advance(later, 0.009);
    assert_true(is_silent(to.fd));
    sgk_queue_advance(later, 0.002);
    assert_hears(to.fd, "text");
    assert_true(is_silent(to.fd));
    assert_int_equal(s.ends, 1);
    stop(&s);
    close(own), leave(&to);
}

/* ---- Both ---- */

static sgk_signal *echo(int fd) {
    sgk_signal *signal = received(fd);
    SGK_STAGE(sink_fd, signal, fd, false, SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE), queue);
    return signal;
}
static void answers_to_senders(void **state) {
    (void)state;
    static const int families[] = {AF_INET, AF_UNIX};
    for (int i = 0; i < 2; i++) {
        place server = bound_to(families[i], "server"), one = bound_to(families[i], "one"),
              two = bound_to(families[i], "two");
        seen s = {0};
        see(&s, echo(server.fd));
        for (int round = 0; round < 20; round++) {
            say_to(one.fd, &server, "1"), say_to(two.fd, &server, ""), say_to(two.fd, &server, "2");
            assert_hears(two.fd, ""), assert_hears(two.fd, "2"), assert_hears(one.fd, "1");
        }
        assert_int_equal(s.ends, 0);
        stop(&s);
        leave(&server), leave(&one), leave(&two);
    }
}

static void disposed_at_any_time(void **state) {
    (void)state;
    two p = pair(SOCK_DGRAM);
    seen inside = {.dispose_at = 2}, next = {0};
    for (int i = 0; i < 4; i++) say(p.writes, (const char *[]){"1", "2", "3", "4"}[i]);
    see(&inside, received(p.reads));
    EVENTUALLY(inside.destroyed == 1);
    assert_true(has(&inside, "1|2|"));
    stop(&inside);
    see(&next, received(p.reads)); /* the rest is there */
    EVENTUALLY(has(&next, "3|4|"));
    /* The program closes its descriptor, and uses the number again. */
    int number = p.reads, ends[2];
    close(p.reads);
    assert_int_equal(pipe(ends), 0);
    assert_true(ends[0] == number || ends[1] == number);
    say(p.writes, "5");
    EVENTUALLY(has(&next, "3|4|5|"));
    stop(&next);
    EVENTUALLY(send(p.writes, "6", 1, MSG_NOSIGNAL) == -1); /* closed, after a poll */
    close(ends[0]), close(ends[1]), close(p.writes);
    /* A sink that takes its descriptor over closes it. */
    p = pair(SOCK_DGRAM);
    seen s = {0};
    sgk_signal *never = sgk_signal_never();
    SGK_STAGE(sink_fd, never, p.writes, true, NULL, queue);
    see(&s, never);
    stop(&s);
    assert_int_equal(fcntl(p.writes, F_GETFD), -1);
    close(p.reads);
}

static void no_descriptor_left(void **state) {
    (void)state;
    if (getenv("SUITE_SLOW")) return; /* valgrind keeps descriptors for itself */
    two p = pair(SOCK_DGRAM);
    int next = dup(p.reads);
    close(next);
    struct rlimit before, few;
    getrlimit(RLIMIT_NOFILE, &before);
    few = before;
    few.rlim_cur = (rlim_t)next;
    setrlimit(RLIMIT_NOFILE, &few);
    seen reads = {0}, writes = {0};
    see(&reads, received(p.reads));
    see(&writes, sent(p.writes, sgk_string("text")));
    setrlimit(RLIMIT_NOFILE, &before);
    assert_ends(&reads, EMFILE);
    assert_ends(&writes, EMFILE);
    close_both(p);
}

/* Subscriptions to one socket, each of which receives a part, come and go. */
static atomic_int total, disposed;
static void add_to_total(void *context, sgk_value value) { (void)context, (void)value, total++; }
static void come_and_go(void *context, int index) {
    place *to = context;
    if (index < 2) {
        sender from = {.fd = connected_to(to), .count = repeated(2000)};
        send_numbers(&from);
        close(from.fd);
        return;
    }
    SGK_AUTO(sgk_queue) own = sgk_queue_create_concurrent("own", 2);
    for (int round = 0; round < repeated(100); round++) {
        sgk_signal *signal = sgk_signal_fd_datagrams(to->fd, 100, own);
        SGK_STAGE(after_next, signal, add_to_total, NULL, NULL);
        seen s = {0};
        see(&s, signal);
        for (int i = 0; i < (index + round) % 7; i++) sched_yield();
        sgk_disposable *hold = round % 3 ? NULL : sgk_disposable_hold(s.run);
        sched_yield();
        if (hold) sgk_disposable_dispose(hold), sgk_disposable_release(hold);
        disposed++; /* it may drop a datagram that it has just received */
        stop(&s);
    }
}
static void many_threads(void **state) {
    (void)state;
    place to = bound_to(AF_UNIX, "to");
    const int count = 2 * repeated(2000);
    total = disposed = 0;
    seen s = {0};
    sgk_signal *signal = received(to.fd);
    SGK_STAGE(after_next, signal, add_to_total, NULL, NULL);
    see(&s, signal); /* stays, so that no sender waits for ever */
    in_parallel(6, come_and_go, &to);
    EVENTUALLY(total + disposed >= count && is_silent(to.fd));
    assert_true(total <= count);
    assert_int_equal(s.ends, 0);
    stop(&s);
    leave(&to);
}

/* Sinks to receivers that are full, disposed at any time: while they watch, and while they wait for the next try. */
static sgk_value one_to_place(void *place, sgk_value number) { return (void)number, to_place("1", place); }
static void write_and_dispose(void *context, int index) {
    place *to = context;
    SGK_AUTO(sgk_queue) own = sgk_queue_create("own");
    for (int round = 0; round < 20; round++) {
        int from = index % 2 ? connected_to(to) : socket(AF_UNIX, SOCK_DGRAM, 0);
        sgk_signal *signal = sgk_signal_interval(0.0001, own);
        SGK_STAGE(map, signal, one_to_place, to, NULL);
        SGK_STAGE(sink_fd, signal, from, round % 4 > 1, SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE), own);
        seen s = {0};
        see(&s, signal);
        for (int i = 0; i < (index + round) % 9; i++) sleep_a_moment();
        stop(&s);
        if (round % 4 <= 1) close(from);
    }
}
static void sinks_of_many_threads(void **state) {
    (void)state;
    place to = bound_to(AF_UNIX, "to");
    int own = connected_to(&to);
    (void)fill(own);
    in_parallel(6, write_and_dispose, &to);
    close(own), leave(&to);
}

/* The child of a fork receives nothing. */
static void sockets_and_a_fork(void **state) {
    (void)state;
    place server = bound_to(AF_UNIX, "server"), client = bound_to(AF_UNIX, "client");
    int status = -1;
    seen s = {0};
    see(&s, echo(server.fd));
    say_to(client.fd, &server, "1");
    assert_hears(client.fd, "1");
    sgk_queue_sync(queue, do_nothing, NULL); /* a fork copies no lock that a thread holds */
    pid_t child = fork();
    if (child == 0) {
        sgk_disposable_dispose(s.run);
        execlp("true", "true", (char *)NULL); /* valgrind would look for leaks at an exit of this copy */
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    say_to(client.fd, &server, "2");
    assert_hears(client.fd, "2");
    stop(&s);
    leave(&server), leave(&client);
}

int run_datagrams(void) {
    const struct CMUnitTest tests[] = {
        WITH_SOCKETS(data_and_senders),
        WITH_SOCKETS(too_long),
        WITH_SOCKETS(pauses_lose_nothing),
        WITH_SOCKETS(an_idle_source_rests),
        WITH_SOCKETS(many_senders),
        WITH_SOCKETS(not_received),
        WITH_SOCKETS(ends_of_sockets),
        WITH_SOCKETS(descriptors_are_not_passed),
        WITH_SOCKETS(each_value_is_a_datagram),
        WITH_SOCKETS(not_sent),
        WITH_SOCKETS(full_receivers),
        WITH_SOCKETS(limits_of_bytes),
        WITH_SOCKETS(tries_again),
        WITH_SOCKETS(answers_to_senders),
        WITH_SOCKETS(disposed_at_any_time),
        WITH_SOCKETS(no_descriptor_left),
        WITH_SOCKETS(many_threads),
        WITH_SOCKETS(sinks_of_many_threads),
        WITH_SOCKETS(sockets_and_a_fork),
    };
    return cmocka_run_group_tests_name("datagrams", tests, NULL, NULL);
}
