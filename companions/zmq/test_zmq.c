/* The companion for ZeroMQ: it has no server, only peers. */
#include "testing.h"

#include <errno.h>
#include <math.h>
#include <signalkit/zmq.h>

static char endpoint[128];

static sgk_zmq_sender *sender_of(sgk_zmq_sender *sender) {
    if (!sender) fail_msg("%s", sgk_zmq_last_error());
    assert_int_equal(sgk_zmq_endpoint(sender, endpoint, sizeof endpoint), SGK_OK);
    return sender;
}

static void let_go(sgk_zmq *zmq) {
    sgk_zmq_release(zmq);
    nothing_is_left();
}

static bool last_is(heard *heard, const char *text) {
    sgk_value last = heard_last(heard);
    bool is_it = sgk_value_equal(last, sgk_give(sgk_bytes(text, strlen(text))));
    sgk_value_release(last);
    return is_it;
}

/* Sends until the subscriber receives it. ZeroMQ reports neither an active subscription nor a peer that has left. */
static void send_until_heard(sgk_zmq_sender *sender, const char *text, heard *heard) {
    EVENTUALLY((sgk_zmq_send(sender, sgk_give(sgk_string(text))), last_is(heard, text)));
}

static void what_is_published_reaches_all(void **state) {
    (void)state;
    sgk_zmq *zmq = sgk_zmq_create(1);
    sgk_zmq_sender *sender = sender_of(sgk_zmq_publisher(zmq, "tcp://127.0.0.1:*", NULL));
    heard all = HEARD_INIT, some = HEARD_INIT;
    sgk_disposable *first = hear(sgk_zmq_subscribe(zmq, endpoint, "", NULL), &all);
    sgk_disposable *second = hear(sgk_zmq_subscribe(zmq, endpoint, "warm", NULL), &some);
    send_until_heard(sender, "warm", &some);
    send_until_heard(sender, "warm", &all);
    sgk_value parts[] = {sgk_give(sgk_string("warmer")), sgk_give(sgk_bytes("\0\1", 2)), sgk_give(sgk_string(""))};
    sgk_value three = sgk_array(parts, 3), last;
    assert_int_equal(sgk_zmq_send(sender, three), SGK_OK);
    assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_string("cold"))), SGK_OK);
    EVENTUALLY(last_is(&all, "cold"));
    EVENTUALLY((last = heard_last(&some), sgk_value_release(last), sgk_value_kind(last) == SGK_ARRAY));
    last = heard_last(&some);
    size_t count, length;
    const sgk_value *items = sgk_array_items(last, &count);
    assert_int_equal(count, 3);
    assert_memory_equal(sgk_value_data(items[1], &length), "\0\1", 2);
    assert_int_equal(length, 2);
    sgk_value_release(last);
    sgk_value_release(three);
    heard_done(&all, first);
    heard_done(&some, second);
    sgk_zmq_sender_release(sender);
    let_go(zmq);
}

static void release(void *zmq) { sgk_zmq_release(zmq); }
static void ends_are_waited_for_and_left_alone(void **state) {
    (void)state;
    sgk_zmq *zmq = sgk_zmq_create(1);
    sgk_zmq_sender *sender = sender_of(sgk_zmq_pusher(zmq, "@inproc://x", NULL));
    sgk_signal *signal = sgk_zmq_pull(zmq, ">inproc://x", NULL);
    what_ends_is_waited_for(start_and_dispose, signal);
    sgk_signal_release(signal);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_zmq_pull(zmq, ">inproc://x", NULL), &heard);
    for (int i = 1; i <= 2; i++) {
        send_until_heard(sender, i == 1 ? "before" : "after", &heard);
        let_go_in_a_child(run, release, zmq);
    }
    heard_done(&heard, run);
    sgk_zmq_sender_release(sender);
    let_go(zmq);
}

/* The socket would be closed inside its own callback. */
static void one_is_enough(void **state) {
    (void)state;
    sgk_zmq *zmq = sgk_zmq_create(1);
    sgk_zmq_options options = SGK_ZMQ_OPTIONS_INIT;
    options.overflow = SGK_OVERFLOW_DROP_NEWEST; /* otherwise the sender would wait without a peer */
    for (int i = 0; i < 20; i++) {
        sgk_zmq_sender *sender = sender_of(sgk_zmq_pusher(zmq, "@tcp://127.0.0.1:*", &options));
        char where[160];
        snprintf(where, sizeof where, ">%s", endpoint);
        heard heard = HEARD_INIT;
        sgk_signal *signal = sgk_zmq_pull(zmq, where, NULL);
        SGK_STAGE(take, signal, 1);
        sgk_disposable *run = hear(signal, &heard);
        EVENTUALLY((sgk_zmq_send(sender, sgk_give(sgk_string("x"))), heard.ends == 1));
        assert_int_equal(heard.values, 1);
        heard_done(&heard, run);
        sgk_zmq_sender_release(sender);
    }
    let_go(zmq);
}

/* How many there are, their sum, how many are not in their order, and the last one. */
static void add_number(void *context, sgk_value message) {
    _Atomic int64_t *sums = context;
    int64_t number = -1;
    size_t length;
    const char *data = sgk_value_data(message, &length);
    if (length == 8) memcpy(&number, data, 8);
    sums[2] += sums[0] > 0 && number <= sums[3];
    sums[3] = number;
    sums[1] += number;
    sums[0]++;
}

/* A pushing thread waits for slow pulling sockets. */
static void a_million_arrives(void **state) {
    (void)state;
    int64_t many = how_many(1000000);
    enum { WORKERS = 2 };
    sgk_zmq *zmq = sgk_zmq_create(1);
    sgk_zmq_options options = SGK_ZMQ_OPTIONS_INIT;
    options.limit = 100;
    sgk_zmq_sender *sender = sender_of(sgk_zmq_pusher(zmq, "@tcp://127.0.0.1:*", &options));
    char where[160];
    snprintf(where, sizeof where, ">%s", endpoint);
    _Atomic int64_t sums[WORKERS][4] = {{0}};
    sgk_disposable *runs[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        sgk_signal *signal = sgk_zmq_pull(zmq, where, &options);
        runs[i] = sgk_signal_start_next(signal, add_number, (void *)sums[i], NULL);
        sgk_signal_release(signal);
    }
    for (int64_t i = 0; i < many; i++) assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_bytes(&i, 8))), SGK_OK);
    EVENTUALLY(sums[0][0] + sums[1][0] == many);
    assert_int_equal(sums[0][1] + sums[1][1], many * (many - 1) / 2);
    assert_int_equal(sums[0][2] + sums[1][2], 0);
    sgk_zmq_counts counts = SGK_ZMQ_COUNTS_INIT;
    assert_int_equal(sgk_zmq_counts_get(zmq, &counts), SGK_OK);
    assert_true(counts.sent == many && counts.received == many && counts.dropped == 0);
    for (int i = 0; i < WORKERS; i++) {
        sgk_disposable_dispose(runs[i]);
        sgk_disposable_release(runs[i]);
    }
    sgk_zmq_sender_release(sender);
    let_go(zmq);
}

/* If the pulling socket is slow, the overflow policy decides. */
static void what_finds_no_room(void **state) {
    (void)state;
    const sgk_overflow policies[] = {SGK_OVERFLOW_DROP_NEWEST, SGK_OVERFLOW_ERROR};
    for (int i = 0; i < 2; i++) {
        sgk_zmq *zmq = sgk_zmq_create(1);
        sgk_zmq_options options = SGK_ZMQ_OPTIONS_INIT;
        options.limit = 10;
        options.overflow = policies[i];
        sgk_zmq_sender *sender = sender_of(sgk_zmq_pusher(zmq, "@inproc://narrow", &options));
        options.overflow = SGK_OVERFLOW_SUSPEND;
        _Atomic int64_t count = 0;
        sgk_signal *signal = sgk_zmq_pull(zmq, ">inproc://narrow", &options);
        pthread_mutex_lock(&gate);
        sgk_disposable *run = sgk_signal_start_next(signal, count_slowly, (void *)&count, NULL);
        int64_t failed = 0;
        for (int j = 0; j < 1000; j++) {
            sgk_status status = sgk_zmq_send(sender, sgk_give(sgk_string("x")));
            assert_true(status == SGK_OK || (policies[i] == SGK_OVERFLOW_ERROR && status == SGK_ERROR_SYSTEM));
            failed += status != SGK_OK;
        }
        pthread_mutex_unlock(&gate);
        sgk_zmq_counts counts = SGK_ZMQ_COUNTS_INIT;
        EVENTUALLY(sgk_zmq_counts_get(zmq, &counts) == SGK_OK && count == counts.sent);
        assert_int_equal(counts.sent + counts.dropped + failed, 1000);
        assert_true(counts.sent >= 20 && counts.sent <= 100);
        assert_true(policies[i] == SGK_OVERFLOW_ERROR ? counts.dropped == 0 : failed == 0);
        sgk_disposable_dispose(run);
        sgk_disposable_release(run);
        sgk_signal_release(signal);
        sgk_zmq_sender_release(sender);
        let_go(zmq);
    }
}

static int64_t number_of(sgk_value message) {
    int64_t number = -1;
    size_t length;
    const char *data = sgk_value_data(message, &length);
    if (length == sizeof number) memcpy(&number, data, sizeof number);
    return number;
}

typedef struct pushing {
    sgk_zmq_sender *sender;
    int64_t count;
} pushing;
static void *push_numbers(void *context) {
    pushing *pushing = context;
    for (int64_t i = 0; i < pushing->count; i++)
        if (sgk_zmq_send(pushing->sender, sgk_give(sgk_bytes(&i, 8))) != SGK_OK) return pushing;
    return NULL;
}

/* A pause stops the sender, when the limits of both sides are reached. */
static void a_slow_consumer_pauses_the_sender(void **state) {
    (void)state;
    enum { LIMIT = 10, LOTS = 100 };
    sgk_zmq *zmq = sgk_zmq_create(1);
    sgk_zmq_options options = SGK_ZMQ_OPTIONS_INIT;
    options.limit = LIMIT;
    pushing pushing = {sgk_zmq_pusher(zmq, "@inproc://slow", &options), how_many(100000)};
    slow slow = {.ends = HEARD_INIT, .number_of = number_of};
    pthread_t pusher;
    void *failed;
    pthread_mutex_lock(&gate);
    sgk_disposable *run = consume_slowly(sgk_zmq_pull(zmq, ">inproc://slow", &options), &slow);
    pthread_create(&pusher, NULL, push_numbers, &pushing);
    sgk_zmq_counts counts = SGK_ZMQ_COUNTS_INIT;
    EVENTUALLY(sgk_zmq_counts_get(zmq, &counts) == SGK_OK && slow.arrived >= SLOW_LIMIT && counts.sent >= 2 * LIMIT);
    let_it_come();
    assert_int_equal(sgk_zmq_counts_get(zmq, &counts), SGK_OK);
    assert_true(counts.sent <= LOTS);
    pthread_mutex_unlock(&gate);
    pthread_join(pusher, &failed);
    assert_null(failed);
    assert_slow(&slow, pushing.count, 1);
    slow_done(&slow, run);
    sgk_zmq_sender_release(pushing.sender);
    let_go(zmq);
}

/* During a hold nothing arrives, also from a sender that has been closed. The subscription can be disposed, also in the
 * child of a fork, which leaves that of the parent as it is. */
static void a_hold_stops_the_socket(void **state) {
    (void)state;
    sgk_zmq *zmq = sgk_zmq_create(1);
    for (int disposes = 0; disposes <= 1; disposes++) {
        sgk_zmq_sender *sender = sender_of(sgk_zmq_pusher(zmq, "@tcp://127.0.0.1:*", NULL));
        char where[160];
        snprintf(where, sizeof where, ">%s", endpoint);
        heard heard = HEARD_INIT;
        sgk_disposable *run = hear(sgk_zmq_pull(zmq, where, NULL), &heard);
        assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_string("1"))), SGK_OK);
        EVENTUALLY(heard.values == 1);
        sgk_disposable *hold = sgk_disposable_hold(run);
        assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_string("2"))), SGK_OK);
        assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_string("3"))), SGK_OK);
        sgk_zmq_sender_release(sender);
        let_it_come();
        let_go_paused_in_a_child(run, release, zmq);
        assert_int_equal(heard.values, 1);
        if (!disposes) {
            sgk_disposable_release(hold);
            EVENTUALLY(heard.values == 3 && last_is(&heard, "3"));
        }
        heard_done(&heard, run);
        if (disposes) sgk_disposable_release(hold);
        assert_int_equal(heard.values, disposes ? 1 : 3);
    }
    let_go(zmq);
}

static void *close_soon(void *sender) {
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    assert_int_equal(sgk_zmq_close(sender), SGK_OK);
    return NULL;
}

/* Without a pulling socket, a pushing thread waits until its socket is closed. */
static void who_waits_is_woken(void **state) {
    (void)state;
    sgk_zmq *zmq = sgk_zmq_create(1);
    sgk_zmq_sender *sender = sender_of(sgk_zmq_pusher(zmq, "@tcp://127.0.0.1:*", NULL));
    pthread_t closer;
    pthread_create(&closer, NULL, close_soon, sender);
    assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_string("x"))), SGK_ERROR_ENDED);
    pthread_join(closer, NULL);
    assert_int_equal(sgk_zmq_close(sender), SGK_OK);
    assert_int_equal(sgk_zmq_endpoint(sender, endpoint, sizeof endpoint), SGK_ERROR_ENDED);
    heard heard = HEARD_INIT;
    sgk_signal *single = sgk_signal_just(sgk_give(sgk_string("x")));
    sgk_disposable *run = hear(sgk_zmq_sent(single, sender), &heard);
    assert_int_equal(heard.ends, 2);
    heard_done(&heard, run);
    sgk_signal_release(single);
    sgk_zmq_sender_release(sender);
    let_go(zmq);
}

/* The last message arrives although the socket is closed immediately, because it lingers. Peers may connect later and
 * reconnect. */
static void the_last_arrives(void **state) {
    (void)state;
    sgk_zmq *zmq = sgk_zmq_create(1), *other = sgk_zmq_create(1);
    char where[64];
    snprintf(where, sizeof where, "tcp://127.0.0.1:%d", free_port());
    sgk_zmq_options options = SGK_ZMQ_OPTIONS_INIT;
    options.linger = PATIENCE;
    for (int i = 0; i < 2; i++) {
        sgk_zmq_sender *sender = sgk_zmq_pusher(zmq, where, &options);
        assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_string("last"))), SGK_OK);
        sgk_zmq_sender_release(sender);
        heard heard = HEARD_INIT;
        sgk_disposable *run = hear(sgk_zmq_pull(other, where, NULL), &heard);
        EVENTUALLY(heard.values == 1);
        heard_done(&heard, run);
        EVENTUALLY(!answers(atoi(strrchr(where, ':') + 1))); /* the port is free again */
    }
    sgk_zmq_release(other);
    let_go(zmq);
}

static bool is_x(void *context, sgk_value message) {
    (void)context;
    return sgk_value_equal(message, sgk_give(sgk_bytes("x", 1)));
}

/* A client with another protocol does no harm. (Some input may count as a message of an old protocol.) */
static void nonsense_is_ignored(void **state) {
    (void)state;
    sgk_zmq *zmq = sgk_zmq_create(1);
    int port = free_port();
    char where[64];
    snprintf(where, sizeof where, "tcp://127.0.0.1:%d", port);
    heard heard = HEARD_INIT;
    sgk_signal *signal = sgk_zmq_pull(zmq, where, NULL);
    SGK_STAGE(filter, signal, SGK_FN(is_x));
    sgk_disposable *run = hear(signal, &heard);
    for (int i = 0; i < 10; i++) {
        struct sockaddr_in address = loopback(port);
        int one = socket(AF_INET, SOCK_STREAM, 0);
        EVENTUALLY(connect(one, (struct sockaddr *)&address, sizeof address) == 0);
        char noise[100];
        for (size_t j = 0; j < sizeof noise; j++) noise[j] = (char)(j * 37 + (size_t)i);
        assert_int_equal(send(one, noise, sizeof noise, MSG_NOSIGNAL), sizeof noise);
        close(one);
    }
    sgk_zmq_sender *sender = sgk_zmq_pusher(zmq, where, NULL);
    assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_string("x"))), SGK_OK);
    EVENTUALLY(heard.values == 1);
    heard_done(&heard, run);
    sgk_zmq_sender_release(sender);
    let_go(zmq);
}

#define SAYS(text) assert_non_null(strstr(sgk_zmq_last_error(), text))

static void misuse(void **state) {
    (void)state;
    sgk_zmq *zmq = sgk_zmq_create(1);
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_signal *never = sgk_signal_never();
    void *const wrong[] = {NULL, pipe};
    const sgk_status codes[] = {SGK_ERROR_NULL, SGK_ERROR_HANDLE};
    sgk_zmq_counts counts = SGK_ZMQ_COUNTS_INIT;
    for (int i = 0; i < 2; i++) {
        assert_null(sgk_zmq_publisher(wrong[i], "inproc://x", NULL));
        assert_null(sgk_zmq_pusher(wrong[i], "inproc://x", NULL));
        assert_null(sgk_zmq_subscribe(wrong[i], "inproc://x", "", NULL));
        assert_null(sgk_zmq_pull(wrong[i], "inproc://x", NULL));
        assert_int_equal(sgk_zmq_counts_get(wrong[i], &counts), codes[i]);
        assert_int_equal(sgk_zmq_send(wrong[i], sgk_give(sgk_string("x"))), codes[i]);
        assert_int_equal(sgk_zmq_endpoint(wrong[i], endpoint, sizeof endpoint), codes[i]);
        assert_int_equal(sgk_zmq_close(wrong[i]), codes[i]);
        assert_null(sgk_zmq_sink(wrong[i]));
        assert_null(sgk_zmq_sent(never, wrong[i]));
        SAYS(i == 0 ? "sgk_zmq_sent: sender: must not be NULL" : "sgk_zmq_sent: sender: must be a sgk_zmq_sender");
        assert_ptr_equal(sgk_zmq_retain(wrong[i]), wrong[i]);
        assert_ptr_equal(sgk_zmq_sender_retain(wrong[i]), wrong[i]);
        sgk_zmq_release(wrong[i]);
        sgk_zmq_sender_release(wrong[i]);
    }
    sgk_pipe_release(pipe);
    assert_null(sgk_zmq_create(-1));
    SAYS("sgk_zmq_create: io_threads: must be 0 or more");
    sgk_zmq *usual = sgk_zmq_create(0);
    assert_non_null(usual);
    sgk_zmq_release(usual);
    const char *const endpoints[] = {NULL, "", ",", "nonsense", "tcp://", "tcp://127.0.0.1:x", "tcp://127.0.0.1:65536"};
    for (size_t i = 0; i < sizeof endpoints / sizeof *endpoints; i++)
        assert_null(sgk_zmq_publisher(zmq, endpoints[i], NULL));
    SAYS("sgk_zmq_publisher: endpoints: Invalid argument");
    assert_null(sgk_zmq_subscribe(zmq, "inproc://x", NULL, NULL));
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_zmq_pull(zmq, "nonsense", NULL), &heard);
    assert_int_equal(heard.ends, 2);
    assert_int_equal(sgk_error_code(heard.last), EINVAL);
    assert_string_equal(sgk_error_text(heard.last), "sgk_zmq_pull: Invalid argument");
    heard_done(&heard, run);
    sgk_zmq_options options = SGK_ZMQ_OPTIONS_INIT;
    options.overflow = SGK_OVERFLOW_DROP_OLDEST;
    assert_null(sgk_zmq_pusher(zmq, "inproc://x", &options));
    SAYS("sgk_zmq_pusher: options: the overflow policy is not supported here");
    options.overflow = SGK_OVERFLOW_ERROR;
    assert_null(sgk_zmq_pull(zmq, "inproc://x", &options));
    options.overflow = SGK_OVERFLOW_SUSPEND;
    options.linger = NAN;
    assert_null(sgk_zmq_pusher(zmq, "inproc://x", &options));
    options.linger = 0;
    options.limit = -1;
    assert_null(sgk_zmq_pusher(zmq, "inproc://x", &options));
    options.size = 1;
    assert_null(sgk_zmq_pusher(zmq, "inproc://x", &options));
    counts.size = 1;
    assert_int_equal(sgk_zmq_counts_get(zmq, &counts), SGK_ERROR_ARGUMENT);
    assert_int_equal(sgk_zmq_counts_get(zmq, NULL), SGK_ERROR_NULL);

    sgk_zmq_sender *sender = sender_of(sgk_zmq_publisher(zmq, "tcp://127.0.0.1:*", NULL));
    assert_int_equal(sgk_zmq_endpoint(sender, endpoint, 2), SGK_ERROR_ARGUMENT);
    assert_int_equal(sgk_zmq_endpoint(sender, NULL, 2), SGK_ERROR_NULL);
    assert_int_equal(sgk_zmq_send(sender, sgk_int(1)), SGK_ERROR_KIND);
    sgk_value mixed[] = {sgk_give(sgk_string("x")), sgk_int(1)};
    assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_array(mixed, 2))), SGK_ERROR_KIND);
    assert_int_equal(sgk_zmq_send(sender, sgk_give(sgk_array(NULL, 0))), SGK_ERROR_ARGUMENT);
    sgk_subscriber *sink = sgk_zmq_sink(sender);
    assert_int_equal(sgk_subscriber_next(sink, sgk_int(1)), SGK_OK);
    assert_int_equal(sgk_subscriber_next(sink, sgk_give(sgk_string("x"))), SGK_OK);
    sgk_subscriber_release(sink);
    assert_null(sgk_zmq_sent(NULL, sender));
    sgk_zmq_sender_release(sender);
    sgk_signal_release(never);
    let_go(zmq);
}

int main(int count, char **arguments) {
    if (count > 1) cmocka_set_test_filter(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_published_reaches_all),
        cmocka_unit_test(ends_are_waited_for_and_left_alone),
        cmocka_unit_test(one_is_enough),
        cmocka_unit_test(a_million_arrives),
        cmocka_unit_test(what_finds_no_room),
        cmocka_unit_test(a_slow_consumer_pauses_the_sender),
        cmocka_unit_test(a_hold_stops_the_socket),
        cmocka_unit_test(who_waits_is_woken),
        cmocka_unit_test(the_last_arrives),
        cmocka_unit_test(nonsense_is_ignored),
        cmocka_unit_test(misuse),
    };
    return cmocka_run_group_tests_name("zmq", tests, NULL, NULL);
}
