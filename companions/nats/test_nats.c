/* Tests of the companion for NATS with a private nats-server. */
#include "testing.h"

#include <dlfcn.h>
#include <math.h>
#include <nats/nats.h>
#include <signalkit/nats.h>

static int port;
static pid_t server;

static void start_server(void) {
    char number[16], store[64], rules[64];
    snprintf(number, sizeof number, "%d", port);
    snprintf(store, sizeof store, "%s/store", directory);
    snprintf(rules, sizeof rules, "%s/rules", directory);
    FILE *file = fopen(rules, "w");
    fputs("authorization { users = [{user: a, password: b, permissions: {subscribe: {deny: \"secret.>\"}}}] }\n"
          "no_auth_user: a\n",
        file);
    fclose(file);
    const char *path = access("/usr/sbin/nats-server", X_OK) == 0 ? "/usr/sbin/nats-server" : "nats-server";
    const char *const arguments[] = {path, "-a", "127.0.0.1", "-p", number, "-js", "-sd", store, "-c", rules, NULL};
    server = server_start(arguments, "nats-server.log");
    EVENTUALLY(answers(port));
}

static int begin(void **state) {
    (void)state;
    make_directory();
    port = free_port();
    start_server();
    return 0;
}
static int end(void **state) {
    (void)state;
    server_stop(server, SIGTERM);
    remove_directory();
    return 0;
}

static sgk_nats *connect_with(const sgk_nats_options *options) {
    char url[64];
    snprintf(url, sizeof url, "nats://127.0.0.1:%d", port);
    sgk_nats *nats = sgk_nats_connect(url, options);
    if (!nats) fail_msg("%s", sgk_nats_last_error());
    return nats;
}

static void let_go(sgk_nats *nats) {
    assert_int_equal(sgk_nats_close(nats, PATIENCE), SGK_OK);
    sgk_nats_release(nats);
    nothing_is_left();
}

static void values_arrive(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    heard all = HEARD_INIT, one = HEARD_INIT;
    sgk_disposable *first = hear(sgk_nats_subscribe(nats, "house.*.warm"), &all);
    sgk_disposable *second = hear(sgk_nats_subscribe(nats, "house.cellar.>"), &one);
    assert_int_equal(sgk_nats_publish(nats, "house.cellar.warm", sgk_give(sgk_string("12.5"))), SGK_OK);
    assert_int_equal(sgk_nats_publish(nats, "house.attic.warm", sgk_give(sgk_bytes("3\0 0", 4))), SGK_OK);
    assert_int_equal(sgk_nats_publish(nats, "garden.warm", sgk_give(sgk_string(""))), SGK_OK);
    EVENTUALLY(all.values == 2 && one.values == 1);
    sgk_value last = heard_last(&all);
    size_t length;
    assert_memory_equal(sgk_nats_data(last, &length), "3\0 0", 5);
    assert_int_equal(length, 4);
    assert_string_equal(sgk_nats_subject(last), "house.attic.warm");
    sgk_value_release(last);
    heard_done(&all, first);
    assert_int_equal(sgk_nats_close(nats, PATIENCE), SGK_OK);
    EVENTUALLY(one.ends == 1);
    heard_done(&one, second);
    assert_int_equal(sgk_nats_publish(nats, "house.attic.warm", sgk_give(sgk_string("x"))), SGK_ERROR_ENDED);
    let_go(nats);
}

static void release(void *nats) { sgk_nats_release(nats); }
static void ends_are_waited_for_and_left_alone(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    sgk_signal *signal = sgk_nats_subscribe(nats, "x");
    what_ends_is_waited_for(start_and_dispose, signal);
    sgk_signal_release(signal);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_nats_subscribe(nats, "x"), &heard);
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(sgk_nats_publish(nats, "x", sgk_give(sgk_string("x"))), SGK_OK);
        EVENTUALLY(heard.values == i);
        let_go_in_a_child(run, release, nats);
    }
    heard_done(&heard, run);
    let_go(nats);
}

/* Between finding a subscription and locking it, libnats 3.4 allocates a message. This makes the allocation slow. */
static _Atomic bool allocates_slowly;
#if !INSTRUMENTED
extern void *__libc_malloc(size_t size);
__attribute__((visibility("default"))) void *malloc(size_t size) {
    Dl_info caller;
    if (allocates_slowly && dladdr(__builtin_return_address(0), &caller) && strstr(caller.dli_fname, "libnats"))
        sleep_a_moment();
    return __libc_malloc(size);
}
#endif

/* The client would be destroyed by its own thread. */
static void one_is_enough(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    allocates_slowly = true;
    for (int i = 0; i < 100; i++) {
        heard heard = HEARD_INIT;
        sgk_signal *signal = sgk_nats_subscribe(nats, "one");
        SGK_STAGE(take, signal, 1);
        sgk_disposable *run = hear(signal, &heard);
        for (int j = 0; j < 3; j++) sgk_nats_publish(nats, "one", sgk_give(sgk_string("x")));
        EVENTUALLY(heard.ends == 1);
        assert_int_equal(heard.values, 1);
        heard_done(&heard, run);
    }
    allocates_slowly = false;
    sgk_nats_release(nats); /* without a close */
    nothing_is_left();
}

/* A callback closes and releases everything. */
static void close_inside(void *context, sgk_value value) {
    (void)value;
    assert_int_equal(sgk_nats_close(context, PATIENCE), SGK_ERROR_THREAD);
}
static void a_callback_may_close(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    sgk_signal *signal = sgk_nats_subscribe(nats, "close");
    sgk_disposable *run = sgk_signal_start_next(signal, close_inside, nats, NULL);
    sgk_nats_publish(nats, "close", sgk_give(sgk_string("x")));
    heard states = HEARD_INIT;
    sgk_disposable *changes = hear(sgk_nats_states(nats), &states);
    EVENTUALLY(sgk_to_int(states.last) == SGK_NATS_CLOSED);
    heard_done(&states, changes);
    sgk_disposable_release(run);
    sgk_signal_release(signal);
    let_go(nats);
}

/* ---- Requests ---- */

static void answer_it(void *context, sgk_value message) {
    (void)context;
    assert_int_equal(sgk_nats_reply(message, sgk_give(sgk_nats_payload(message))), SGK_OK);
}

/* Returns the status with which the request fails. */
static natsStatus failure_of(sgk_signal *request) {
    sgk_value error;
    assert_int_equal(sgk_signal_get(request, PATIENCE, &error), SGK_ERROR_FAILED);
    natsStatus status = (natsStatus)sgk_error_code(error);
    assert_int_equal(sgk_value_kind(error), SGK_FAILURE);
    assert_int_equal(strncmp(sgk_error_text(error), "sgk_nats_", 9), 0);
    sgk_value_release(error);
    sgk_signal_release(request);
    return status;
}

static void requests_are_answered(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    assert_int_equal(failure_of(sgk_nats_request(nats, "echo", sgk_give(sgk_string("?")), 10)), NATS_NO_RESPONDERS);
    sgk_signal *asked = sgk_nats_work(nats, "echo", "echoes");
    sgk_disposable *run = sgk_signal_start_next(asked, answer_it, NULL, NULL);
    assert_int_equal(sgk_nats_flush(nats, PATIENCE), SGK_OK);
    sgk_signal *request = sgk_nats_request(nats, "echo", sgk_give(sgk_string("hello")), PATIENCE);
    for (int i = 0; i < 2; i++) { /* each start asks */
        sgk_value reply;
        assert_int_equal(sgk_signal_get(request, PATIENCE, &reply), SGK_OK);
        assert_string_equal(sgk_nats_data(reply, NULL), "hello");
        assert_int_equal(sgk_nats_reply(reply, sgk_int(1)), SGK_ERROR_ARGUMENT);
        sgk_value_release(reply);
    }
    sgk_signal_release(request);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(asked);

    /* A request without an answer, with a time-out and without; and too many of them. */
    heard silent = HEARD_INIT;
    sgk_disposable *listener = hear(sgk_nats_subscribe(nats, "silence"), &silent);
    assert_int_equal(failure_of(sgk_nats_request(nats, "silence", sgk_give(sgk_string("?")), 0.05)), NATS_TIMEOUT);
    enum { MANY = 1000 };
    heard waiting = HEARD_INIT;
    sgk_disposable *runs[MANY];
    for (int i = 0; i < MANY; i++)
        runs[i] = hear(sgk_nats_request(nats, "silence", sgk_give(sgk_string("?")), 3600), &waiting);
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    assert_int_equal(sgk_nats_counts_get(nats, &counts), SGK_OK);
    assert_int_equal(counts.requests, MANY);
    for (int i = 0; i < MANY / 2; i++) heard_done(&waiting, runs[i]);
    assert_int_equal(sgk_nats_counts_get(nats, &counts), SGK_OK);
    assert_int_equal(counts.requests, MANY / 2);
    heard_done(&silent, listener);
    assert_int_equal(sgk_nats_close(nats, PATIENCE), SGK_OK);
    EVENTUALLY(waiting.ends == 2);
    for (int i = MANY / 2; i < MANY; i++) heard_done(&waiting, runs[i]);
    let_go(nats);

    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.requests = 2;
    nats = connect_with(&options);
    listener = hear(sgk_nats_subscribe(nats, "silence"), &silent);
    for (int i = 0; i < 2; i++)
        runs[i] = hear(sgk_nats_request(nats, "silence", sgk_give(sgk_string("?")), 3600), &waiting);
    assert_int_equal(
        failure_of(sgk_nats_request(nats, "silence", sgk_give(sgk_string("?")), 3600)), NATS_INSUFFICIENT_BUFFER);
    for (int i = 0; i < 2; i++) heard_done(&waiting, runs[i]);
    heard_done(&silent, listener);
    let_go(nats);
}

/* A late reply to an abandoned request is not delivered to the request that now uses its slot. */
static void late_replies_are_nobodys(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    sgk_signal *asked = sgk_nats_subscribe(nats, "late");
    sgk_reader *reader = sgk_reader_create(asked, SGK_BOUND(.limit = 8));
    assert_int_equal(sgk_nats_flush(nats, PATIENCE), SGK_OK);
    assert_int_equal(failure_of(sgk_nats_request(nats, "late", sgk_give(sgk_string("1")), 0.01)), NATS_TIMEOUT);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_nats_request(nats, "late", sgk_give(sgk_string("2")), PATIENCE), &heard);
    for (int i = 1; i <= 2; i++) {
        sgk_value question;
        assert_int_equal(sgk_reader_next(reader, PATIENCE, &question), SGK_OK);
        assert_int_equal(atoi(sgk_nats_data(question, NULL)), i);
        assert_int_equal(sgk_nats_reply(question, sgk_give(sgk_nats_payload(question))), SGK_OK);
        sgk_value_release(question);
    }
    EVENTUALLY(heard.ends == 1);
    sgk_value last = heard_last(&heard);
    assert_string_equal(sgk_nats_data(last, NULL), "2");
    sgk_value_release(last);
    heard_done(&heard, run);
    sgk_reader_release(reader);
    sgk_signal_release(asked);
    let_go(nats);
}

/* ---- Groups ---- */

static void a_group_shares(void **state) {
    (void)state;
    enum { VALUES = 2000, MEMBERS = 3 };
    sgk_nats *senders = connect_with(NULL), *members[MEMBERS];
    heard heard_by[MEMBERS] = {HEARD_INIT, HEARD_INIT, HEARD_INIT};
    sgk_disposable *runs[MEMBERS];
    for (int i = 0; i < MEMBERS; i++) {
        members[i] = connect_with(NULL);
        runs[i] = hear(sgk_nats_work(members[i], "job", "group"), &heard_by[i]);
        assert_int_equal(sgk_nats_flush(members[i], PATIENCE), SGK_OK);
    }
    sgk_subscriber *sink = sgk_nats_sink(senders, "job");
    for (int i = 0; i < VALUES; i++) assert_int_equal(sgk_subscriber_next(sink, sgk_give(sgk_string("x"))), SGK_OK);
    sgk_subscriber_release(sink);
    EVENTUALLY(heard_by[0].values + heard_by[1].values + heard_by[2].values == VALUES);
    for (int i = 0; i < MEMBERS; i++) {
        assert_true(heard_by[i].values > 0);
        heard_done(&heard_by[i], runs[i]);
        sgk_nats_release(members[i]);
    }
    let_go(senders);
}

/* ---- Bounds ---- */

/* How many there are, their sum, and how many are not in their order. */
static void add_number(void *context, sgk_value message) {
    _Atomic int64_t *sums = context;
    size_t length;
    int64_t number = -1;
    const char *data = sgk_nats_data(message, &length);
    if (length == 8) memcpy(&number, data, 8);
    sums[2] += number != sums[0];
    sums[1] += number;
    sums[0]++;
}

/* Messages arrive in order, none lost, none twice, if the publisher waits for the subscriber. */
static void a_million_arrives(void **state) {
    (void)state;
    int64_t many = how_many(1000000);
    sgk_nats *nats = connect_with(NULL), *other = connect_with(NULL);
    _Atomic int64_t sums[3] = {0, 0, 0};
    sgk_signal *signal = sgk_nats_subscribe(other, "many");
    sgk_disposable *run = sgk_signal_start_next(signal, add_number, (void *)sums, NULL);
    assert_int_equal(sgk_nats_flush(other, PATIENCE), SGK_OK);
    for (int64_t i = 0; i < many; i++) {
        assert_int_equal(sgk_nats_publish(nats, "many", sgk_give(sgk_bytes(&i, 8))), SGK_OK);
        if (i % 32768 == 0) EVENTUALLY(sums[0] >= i - 32768);
    }
    EVENTUALLY(sums[0] == many);
    assert_int_equal(sums[1], many * (many - 1) / 2);
    assert_int_equal(sums[2], 0);
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    assert_int_equal(sgk_nats_counts_get(other, &counts), SGK_OK);
    assert_int_equal(counts.received, many);
    assert_int_equal(counts.dropped, 0);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(signal);
    sgk_nats_release(other);
    let_go(nats);
}

/* A slow subscription drops messages beyond its limit. Each is counted, also after its end. */
static void what_finds_no_room_is_counted(void **state) {
    (void)state;
    enum { VALUES = 5000 };
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.waiting_messages = 100;
    sgk_nats *nats = connect_with(&options);
    _Atomic int64_t count = 0;
    sgk_signal *signal = sgk_nats_subscribe(nats, "slow");
    sgk_disposable *run = sgk_signal_start_next(signal, count_slowly, (void *)&count, NULL);
    pthread_mutex_lock(&gate);
    for (int i = 0; i < VALUES; i++) sgk_nats_publish(nats, "slow", sgk_give(sgk_string("x")));
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    EVENTUALLY(sgk_nats_counts_get(nats, &counts) == SGK_OK && counts.received == VALUES);
    pthread_mutex_unlock(&gate);
    EVENTUALLY(sgk_nats_counts_get(nats, &counts) == SGK_OK && count + counts.dropped == VALUES);
    assert_true(count >= 100 && count <= 102);
    assert_int_equal(sgk_nats_close(nats, PATIENCE), SGK_OK);
    sgk_disposable_release(run);
    sgk_signal_release(signal);
    EVENTUALLY(sgk_nats_counts_get(nats, &counts) == SGK_OK && count + counts.dropped == VALUES);
    let_go(nats);
}

static void what_cannot_be_published_fails(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    size_t size = (2 << 20) + 1; /* more than the server takes */
    char *large = calloc(1, size);
    sgk_value bytes = sgk_bytes(large, size);
    free(large);
    assert_int_equal(sgk_nats_publish(nats, "x", bytes), SGK_ERROR_ARGUMENT);
    assert_int_equal(failure_of(sgk_nats_request(nats, "x", bytes, 10)), NATS_MAX_PAYLOAD);
    heard heard = HEARD_INIT;
    sgk_signal *single = sgk_signal_just(bytes);
    sgk_disposable *run = hear(sgk_nats_published(single, nats, "x"), &heard);
    assert_int_equal(heard.ends, 2);
    assert_int_equal(sgk_error_code(heard.last), SGK_ERROR_ARGUMENT);
    assert_string_equal(sgk_error_text(heard.last), sgk_nats_last_error());
    heard_done(&heard, run);
    sgk_signal_release(single);
    sgk_value_release(bytes);
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    assert_int_equal(sgk_nats_counts_get(nats, &counts), SGK_OK);
    assert_int_equal(counts.refused, 3);
    /* Smaller messages still arrive. */
    single = sgk_signal_just(sgk_give(sgk_string("small")));
    struct heard passed = HEARD_INIT;
    run = hear(sgk_nats_published(single, nats, "x"), &passed);
    assert_int_equal(passed.ends, 1);
    assert_int_equal(passed.values, 1);
    heard_done(&passed, run);
    sgk_signal_release(single);
    let_go(nats);
}

/* ---- The server ---- */

static void the_server_restarts(void **state) {
    (void)state;
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.reconnect_wait = 0.05;
    options.reconnects = SGK_UNBOUNDED;
    options.publishing_bytes = 4096;
    sgk_nats *nats = connect_with(&options);
    heard states = HEARD_INIT, heard = HEARD_INIT;
    sgk_disposable *changes = hear(sgk_nats_states(nats), &states);
    sgk_disposable *run = hear(sgk_nats_subscribe(nats, "again"), &heard);
    assert_int_equal(sgk_nats_publish(nats, "again", sgk_give(sgk_string("1"))), SGK_OK);
    EVENTUALLY(heard.values == 1);
    server_stop(server, SIGKILL);
    EVENTUALLY(states.values == 2);
    /* Now messages are buffered up to the limit. */
    int64_t kept = 0;
    while (sgk_nats_publish(nats, "again", sgk_give(sgk_string("2"))) == SGK_OK) kept++;
    assert_true(kept > 100 && kept < 4096);
    assert_non_null(strstr(sgk_nats_last_error(), "sgk_nats_publish: payload: "));
    start_server();
    EVENTUALLY(states.values == 3);
    assert_int_equal(sgk_to_int(states.last), SGK_NATS_CONNECTED);
    EVENTUALLY(heard.values == 1 + kept);
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    assert_int_equal(sgk_nats_counts_get(nats, &counts), SGK_OK);
    assert_int_equal(counts.reconnects, 1);
    assert_int_equal(counts.refused, 1);
    heard_done(&states, changes);
    heard_done(&heard, run);
    let_go(nats);
}

static void the_server_is_gone(void **state) {
    (void)state;
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.reconnect_wait = 0.01;
    options.reconnects = 2;
    sgk_nats *nats = connect_with(&options);
    heard states = HEARD_INIT, heard = HEARD_INIT, request = HEARD_INIT;
    sgk_disposable *changes = hear(sgk_nats_states(nats), &states);
    sgk_disposable *run = hear(sgk_nats_subscribe(nats, "gone"), &heard);
    sgk_disposable *asked = hear(sgk_nats_request(nats, "gone", sgk_give(sgk_string("?")), INFINITY), &request);
    EVENTUALLY(heard.values == 1);
    server_stop(server, SIGTERM);
    EVENTUALLY(heard.ends == 2 && request.ends == 2 && sgk_to_int(states.last) == SGK_NATS_CLOSED);
    assert_int_equal(sgk_nats_publish(nats, "gone", sgk_give(sgk_string("x"))), SGK_ERROR_ENDED);
    assert_int_equal(sgk_nats_flush(nats, 1), SGK_ERROR_ENDED);
    heard_done(&states, changes);
    heard_done(&heard, run);
    heard_done(&request, asked);
    char url[64];
    snprintf(url, sizeof url, "nats://127.0.0.1:%d", port);
    assert_null(sgk_nats_connect(url, NULL));
    assert_non_null(strstr(sgk_nats_last_error(), "sgk_nats_connect: url: "));
    let_go(nats);
    start_server();
}

static void *connect_elsewhere(void *options) { return connect_with(options); }
static void connected_too_late(natsConnection *connection, void *context) { (void)connection, (void)context; }
static void the_server_comes_later(void **state) {
    (void)state;
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.reconnect_wait = 0.02;
    options.reconnects = SGK_UNBOUNDED;
    natsOptions *client;
    assert_int_equal(natsOptions_Create(&client), NATS_OK);
    options.client = client;
    server_stop(server, SIGTERM);
    /* Such a connection would be established without a notification. */
    assert_int_equal(natsOptions_SetRetryOnFailedConnect(client, true, connected_too_late, NULL), NATS_OK);
    char url[64];
    snprintf(url, sizeof url, "nats://127.0.0.1:%d", port);
    assert_null(sgk_nats_connect(url, &options));
    nothing_is_left();
    assert_int_equal(natsOptions_SetRetryOnFailedConnect(client, true, NULL, NULL), NATS_OK);
    pthread_t thread;
    void *nats;
    pthread_create(&thread, NULL, connect_elsewhere, &options);
    for (int i = 0; i < 20; i++) sleep_a_moment();
    start_server();
    pthread_join(thread, &nats);
    assert_int_equal(sgk_nats_flush(nats, PATIENCE), SGK_OK);
    natsOptions_Destroy(client);
    let_go(nats);
}

/* A paused server blocks everything, and loses nothing. */
static void the_server_is_slow(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_nats_subscribe(nats, "still"), &heard);
    assert_int_equal(sgk_nats_flush(nats, PATIENCE), SGK_OK);
    server_pause(server);
    for (int i = 0; i < 100; i++) assert_int_equal(sgk_nats_publish(nats, "still", sgk_give(sgk_string("x"))), SGK_OK);
    assert_int_equal(sgk_nats_flush(nats, 0.05), SGK_ERROR_TIMEOUT);
    assert_int_equal(failure_of(sgk_nats_request(nats, "still", sgk_give(sgk_string("x")), 0.05)), NATS_TIMEOUT);
    assert_int_equal(heard.values, 0);
    kill(server, SIGCONT);
    EVENTUALLY(heard.values == 101);
    heard_done(&heard, run);
    server_pause(server);
    assert_int_equal(sgk_nats_close(nats, 0.05), SGK_ERROR_TIMEOUT);
    kill(server, SIGCONT);
    let_go(nats);
}

static void the_server_forbids(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    heard heard = HEARD_INIT, other = HEARD_INIT;
    sgk_disposable *allowed = hear(sgk_nats_subscribe(nats, "secre"), &other);
    sgk_disposable *run = hear(sgk_nats_subscribe(nats, "secret.*"), &heard);
    EVENTUALLY(heard.ends == 2);
    assert_int_equal(sgk_error_code(heard.last), NATS_NOT_PERMITTED);
    assert_non_null(strstr(sgk_error_text(heard.last), "secret.*"));
    for (int i = 0; i < 1000; i++) /* the answer may arrive before the call of the client library returns */
        assert_int_equal(failure_of(sgk_nats_work(nats, "secret.x", "group")), NATS_NOT_PERMITTED);
    assert_int_equal(other.ends, 0);
    heard_done(&heard, run);
    heard_done(&other, allowed);
    let_go(nats);
}

/* ---- Streams ---- */

static void make_stream(sgk_nats *nats, const char *name, const char *subject) {
    jsCtx *streams;
    jsStreamConfig config;
    jsErrCode code;
    assert_int_equal(natsConnection_JetStream(&streams, sgk_nats_client(nats), NULL), NATS_OK);
    jsStreamConfig_Init(&config);
    config.Name = name;
    config.Subjects = (const char *[]){subject};
    config.SubjectsLen = 1;
    assert_int_equal(js_AddStream(NULL, streams, &config, NULL, &code), NATS_OK);
    jsCtx_Destroy(streams);
}

static int64_t store(sgk_nats *nats, const char *subject, const char *text, const char *id) {
    sgk_value number;
    sgk_signal *signal = sgk_nats_store(nats, subject, sgk_give(sgk_string(text)), id, PATIENCE);
    assert_int_equal(sgk_signal_get(signal, PATIENCE, &number), SGK_OK);
    sgk_signal_release(signal);
    return sgk_to_int(number);
}

/* Returns the first message after the subscription is disposed. (sgk_signal_get may return earlier. Then a refused
 * message could be delivered to the same subscription again.) */
static sgk_value first_of(sgk_signal *messages) {
    sgk_value message;
    sgk_reader *reader = sgk_reader_create(messages, SGK_BOUND(.limit = 8));
    assert_int_equal(sgk_reader_next(reader, PATIENCE, &message), SGK_OK);
    sgk_reader_release(reader);
    return message;
}

static void streams_keep(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    make_stream(nats, "KEPT", "kept.*");
    assert_int_equal(store(nats, "kept.a", "1", NULL), 1);
    assert_int_equal(store(nats, "kept.a", "2", "second"), 2);
    assert_int_equal(store(nats, "kept.a", "2", "second"), 2);
    assert_int_equal(store(nats, "kept.b", "3", NULL), 3);
    assert_int_equal(
        failure_of(sgk_nats_store(nats, "nowhere", sgk_give(sgk_string("x")), NULL, 10)), NATS_NO_RESPONDERS);
    assert_int_equal(failure_of(sgk_nats_consume(nats, "NONE", "worker", NULL)), NATS_ERR);
    /* An answer that is not from a stream cannot be parsed. */
    sgk_signal *asked = sgk_nats_subscribe(nats, "odd");
    sgk_disposable *run = sgk_signal_start_next(asked, answer_it, NULL, NULL);
    assert_int_equal(
        failure_of(sgk_nats_store(nats, "odd", sgk_give(sgk_bytes("\0{\"", 3)), NULL, 10)), NATS_PROTOCOL_ERROR);
    sgk_disposable_dispose(run);
    sgk_disposable_release(run);
    sgk_signal_release(asked);

    sgk_nats_consumer consumer = SGK_NATS_CONSUMER_INIT;
    consumer.subject = "kept.a";
    consumer.patience = 1; /* a message that is refused without a request is delivered again then */
    consumer.limit = 1;
    sgk_signal *messages = sgk_nats_consume(nats, "KEPT", "worker", &consumer);
    sgk_value message;
    for (int i = 1; i <= 2; i++) { /* released without being settled: it is delivered again */
        message = first_of(messages);
        assert_string_equal(sgk_nats_data(message, NULL), "1");
        assert_int_equal(sgk_nats_deliveries(message), i);
        assert_int_equal(sgk_nats_reply(message, sgk_int(1)), SGK_ERROR_ARGUMENT);
        if (i == 2) assert_int_equal(sgk_nats_accept(message), SGK_OK);
        assert_int_equal(sgk_nats_refuse(message), SGK_OK);
        sgk_value_release(message);
        assert_int_equal(sgk_nats_flush(nats, PATIENCE), SGK_OK);
    }
    message = first_of(messages);
    assert_string_equal(sgk_nats_data(message, NULL), "2");
    assert_int_equal(sgk_nats_in_progress(message), SGK_OK);
    assert_int_equal(sgk_nats_accept(message), SGK_OK);
    sgk_value_release(message);
    assert_int_equal(sgk_signal_get(messages, 0.2, &message), SGK_ERROR_TIMEOUT);
    sgk_signal_release(messages);

    /* One that looks like word from the server. */
    natsMsg *odd = NULL;
    assert_int_equal(natsMsg_Create(&odd, "kept.c", NULL, "x", 1), NATS_OK);
    assert_int_equal(natsMsgHeader_Set(odd, "Status", "409"), NATS_OK);
    assert_int_equal(natsConnection_PublishMsg(sgk_nats_client(nats), odd), NATS_OK);
    natsMsg_Destroy(odd);
    consumer.subject = "kept.c";
    messages = sgk_nats_consume(nats, "KEPT", "odd", &consumer);
    assert_int_equal(sgk_signal_get(messages, PATIENCE, &message), SGK_OK);
    assert_int_equal(sgk_nats_accept(message), SGK_OK);
    sgk_value_release(message);
    sgk_signal_release(messages);
    let_go(nats);
}

/* The work for a message is a signal, whose end settles the message. Each number fails once. */
typedef struct work {
    _Atomic int done[1000], failed;
} work;

static sgk_signal *nothing_instead(void *context, sgk_value error) {
    (void)context, (void)error;
    return sgk_signal_empty();
}
static sgk_signal *work_on(void *context, sgk_value message) {
    work *work = context;
    int number = atoi(sgk_nats_data(message, NULL));
    bool fails = sgk_nats_deliveries(message) == 1 && number % 3 == 0;
    if (fails) work->failed++;
    else work->done[number]++;
    sgk_signal *pipeline = fails ? sgk_signal_fail(sgk_int(number)) : sgk_signal_just(sgk_int(number));
    sgk_signal_replace(&pipeline, sgk_nats_settled(pipeline, message));
    SGK_STAGE(catch, pipeline, SGK_FN(nothing_instead));
    return pipeline;
}

static void each_is_settled_by_its_pipeline(void **state) {
    (void)state;
    enum { VALUES = 1000 };
    sgk_nats *nats = connect_with(NULL);
    make_stream(nats, "WORK", "work");
    for (int i = 0; i < VALUES; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        assert_int_equal(sgk_nats_publish(nats, "work", sgk_give(sgk_string(text))), SGK_OK);
    }
    work *work = calloc(1, sizeof *work);
    sgk_nats_consumer consumer = SGK_NATS_CONSUMER_INIT;
    consumer.limit = 10;
    consumer.pause = 0.01;
    heard heard = HEARD_INIT;
    sgk_signal *messages = sgk_nats_consume(nats, "WORK", "all", &consumer);
    sgk_disposable *run = hear(sgk_signal_concat_map(messages, work_on, work, NULL), &heard);
    sgk_signal_release(messages);
    EVENTUALLY(heard.values == VALUES);
    for (int i = 0; i < VALUES; i++) assert_int_equal(work->done[i], 1);
    assert_int_equal(work->failed, (VALUES + 2) / 3);
    heard_done(&heard, run);
    free(work);
    let_go(nats);
}

/* The number of unsettled messages stays within the limit, also after an absence of the server. Messages of a disposed
 * subscription are delivered to others. */
static void what_is_not_settled_is_bounded(void **state) {
    (void)state;
    enum { VALUES = 100, LIMIT = 8 };
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.reconnect_wait = 0.05;
    options.reconnects = SGK_UNBOUNDED;
    sgk_nats *nats = connect_with(&options);
    make_stream(nats, "BOUNDED", "bounded");
    for (int i = 0; i < VALUES; i++) store(nats, "bounded", "x", NULL);
    sgk_nats_consumer consumer = SGK_NATS_CONSUMER_INIT;
    consumer.limit = LIMIT;
    consumer.patience = 2;
    sgk_signal *messages = sgk_nats_consume(nats, "BOUNDED", "all", &consumer);
    sgk_reader *reader = sgk_reader_create(messages, SGK_BOUND(.limit = VALUES));
    sgk_value kept[LIMIT], message;
    for (int i = 0; i < LIMIT; i++) assert_int_equal(sgk_reader_next(reader, PATIENCE, &kept[i]), SGK_OK);
    assert_int_equal(sgk_reader_next(reader, 1.5, &message), SGK_ERROR_TIMEOUT); /* each second it looks again */
    server_stop(server, SIGTERM);
    start_server();
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    EVENTUALLY(sgk_nats_counts_get(nats, &counts) == SGK_OK && counts.reconnects == 1);
    for (int i = 0; i < LIMIT; i++) {
        assert_int_equal(sgk_nats_accept(kept[i]), SGK_OK);
        sgk_value_release(kept[i]);
    }
    for (int i = LIMIT; i < VALUES / 2; i++) {
        assert_int_equal(sgk_reader_next(reader, PATIENCE, &message), SGK_OK);
        assert_int_equal(sgk_nats_accept(message), SGK_OK);
        sgk_value_release(message);
    }
    sgk_reader_release(reader); /* with its unread messages */
    reader = sgk_reader_create(messages, SGK_BOUND(.limit = VALUES));
    for (int i = VALUES / 2; i < VALUES; i++) {
        assert_int_equal(sgk_reader_next(reader, PATIENCE, &message), SGK_OK);
        assert_int_equal(sgk_nats_accept(message), SGK_OK);
        sgk_value_release(message);
    }
    sgk_reader_release(reader);
    sgk_signal_release(messages);
    let_go(nats);
}

static sgk_value accept_now(void *context, sgk_value message) {
    (void)context;
    assert_int_equal(sgk_nats_accept(message), SGK_OK);
    return sgk_unchanged();
}
static int64_t number_of(sgk_value message) { return atoll(sgk_nats_data(message, NULL)); }

/* A slow consumer pauses the stream, also if it accepts each message at its arrival. */
static void a_slow_consumer_pauses_the_stream(void **state) {
    (void)state;
    enum { VALUES = 5000, BATCH = 16 };
    sgk_nats *nats = connect_with(NULL);
    make_stream(nats, "SLOW", "slow");
    for (int i = 0; i < VALUES; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        assert_int_equal(sgk_nats_publish(nats, "slow", sgk_give(sgk_string(text))), SGK_OK);
    }
    sgk_nats_consumer consumer = SGK_NATS_CONSUMER_INIT;
    consumer.limit = BATCH;
    sgk_signal *messages = sgk_nats_consume(nats, "SLOW", "all", &consumer);
    SGK_STAGE(map, messages, SGK_FN(accept_now));
    slow slow = {.ends = HEARD_INIT, .number_of = number_of};
    pthread_mutex_lock(&gate);
    sgk_disposable *run = consume_slowly(messages, &slow);
    EVENTUALLY(slow.arrived >= SLOW_LIMIT);
    let_it_come();
    pthread_mutex_unlock(&gate);
    assert_slow(&slow, VALUES, 1 + BATCH); /* one in the callback, and one request before the pause */
    slow_done(&slow, run);
    let_go(nats);
}

/* During a pause nothing is requested, also of a server that has restarted. The subscription can end and be disposed.
 * The messages stay in the stream. */
static void a_pause_keeps_messages_in_the_stream(void **state) {
    (void)state;
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.reconnect_wait = 0.05;
    options.reconnects = SGK_UNBOUNDED;
    sgk_nats *nats = connect_with(&options);
    make_stream(nats, "PAUSED", "paused");
    sgk_state *paused = sgk_state_create_value(sgk_bool(true), true);
    sgk_signal *condition = sgk_state_signal(paused), *messages = sgk_nats_consume(nats, "PAUSED", "all", NULL);
    SGK_STAGE(map, messages, SGK_FN(accept_now));
    SGK_STAGE(paused_by, messages, condition);
    heard heard = HEARD_INIT, later = HEARD_INIT;
    sgk_disposable *run = hear(sgk_signal_retain(messages), &heard);
    for (int i = 0; i < 3; i++) store(nats, "paused", "x", NULL);
    let_it_come();
    let_go_paused_in_a_child(run, release, nats);
    server_stop(server, SIGTERM);
    start_server();
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    EVENTUALLY(sgk_nats_counts_get(nats, &counts) == SGK_OK && counts.reconnects == 1);
    nanosleep(&(struct timespec){1, 500000000}, NULL); /* each second it looks again */
    assert_int_equal(heard.values, 0);
    sgk_state_set(paused, sgk_bool(false));
    EVENTUALLY(heard.values == 3);
    heard_done(&heard, run);

    sgk_state_set(paused, sgk_bool(true));
    run = hear(sgk_signal_retain(messages), &heard);
    store(nats, "paused", "x", NULL);
    let_it_come();
    heard_done(&heard, run); /* in the pause */
    assert_int_equal(heard.values, 3);
    sgk_state_set(paused, sgk_bool(false));
    run = hear(sgk_signal_retain(messages), &later);
    EVENTUALLY(later.values == 1);
    heard_done(&later, run);

    sgk_state_set(paused, sgk_bool(true));
    run = hear(messages, &later);
    let_it_come();
    assert_int_equal(sgk_nats_close(nats, PATIENCE), SGK_OK);
    EVENTUALLY(later.ends == 1);
    heard_done(&later, run);
    sgk_signal_release(condition);
    sgk_state_release(paused);
    let_go(nats);
}

/* Released messages are delivered again long before `patience` or the expiry of a request. A returning server receives
 * a new request immediately. */
static void nothing_waits_for_its_time(void **state) {
    (void)state;
    enum { SOON = 20 };
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.reconnect_wait = 0.05;
    options.reconnects = SGK_UNBOUNDED;
    sgk_nats *nats = connect_with(&options);
    make_stream(nats, "SOON", "soon");
    store(nats, "soon", "x", NULL);
    sgk_signal *messages = sgk_nats_consume(nats, "SOON", "all", NULL);
    sgk_reader *reader = sgk_reader_create(messages, SGK_BOUND(.limit = 8));
    sgk_value message;
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(sgk_reader_next(reader, SOON, &message), SGK_OK);
        assert_int_equal(sgk_nats_deliveries(message), i);
        if (i == 2) assert_int_equal(sgk_nats_accept(message), SGK_OK);
        sgk_value_release(message);
    }
    assert_int_equal(sgk_nats_flush(nats, PATIENCE), SGK_OK);
    server_stop(server, SIGKILL); /* it does not say that it has forgotten */
    start_server();
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    EVENTUALLY(sgk_nats_counts_get(nats, &counts) == SGK_OK && counts.reconnects == 1);
    store(nats, "soon", "y", NULL);
    assert_int_equal(sgk_reader_next(reader, SOON, &message), SGK_OK);
    assert_string_equal(sgk_nats_data(message, NULL), "y");
    assert_int_equal(sgk_nats_accept(message), SGK_OK);
    sgk_value_release(message);
    sgk_reader_release(reader);
    sgk_signal_release(messages);
    let_go(nats);
}

/* ---- Misuse ---- */

#define SAYS(text) assert_non_null(strstr(sgk_nats_last_error(), text))

static void misuse(void **state) {
    (void)state;
    sgk_nats *nats = connect_with(NULL);
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_nats *const wrong[] = {NULL, (sgk_nats *)pipe};
    const sgk_status codes[] = {SGK_ERROR_NULL, SGK_ERROR_HANDLE};
    sgk_nats_counts counts = SGK_NATS_COUNTS_INIT;
    sgk_signal *never = sgk_signal_never();
    for (int i = 0; i < 2; i++) {
        assert_null(sgk_nats_states(wrong[i]));
        assert_null(sgk_nats_client(wrong[i]));
        assert_null(sgk_nats_subscribe(wrong[i], "x"));
        assert_null(sgk_nats_work(wrong[i], "x", "y"));
        assert_null(sgk_nats_sink(wrong[i], "x"));
        assert_null(sgk_nats_published(never, wrong[i], "x"));
        assert_null(sgk_nats_request(wrong[i], "x", sgk_give(sgk_string("x")), 1));
        assert_null(sgk_nats_store(wrong[i], "x", sgk_give(sgk_string("x")), NULL, 1));
        assert_null(sgk_nats_consume(wrong[i], "x", "y", NULL));
        SAYS(i == 0 ? "sgk_nats_consume: nats: must not be NULL" : "sgk_nats_consume: nats: must be a sgk_nats");
        assert_int_equal(sgk_nats_publish(wrong[i], "x", sgk_give(sgk_string("x"))), codes[i]);
        assert_int_equal(sgk_nats_flush(wrong[i], 1), codes[i]);
        assert_int_equal(sgk_nats_close(wrong[i], 1), codes[i]);
        assert_int_equal(sgk_nats_counts_get(wrong[i], &counts), codes[i]);
        assert_ptr_equal(sgk_nats_retain(wrong[i]), wrong[i]);
        sgk_nats_release(wrong[i]);
    }
    sgk_pipe_release(pipe);
    assert_null(sgk_nats_connect(NULL, NULL));
    assert_null(sgk_nats_connect("", NULL));
    assert_null(sgk_nats_connect(" , ", NULL));
    assert_null(sgk_nats_connect("nonsense://127.0.0.1:x", NULL));
    char other[80];
    for (int i = 0; i < 2; i++) { /* where a server is */
        snprintf(other, sizeof other, i ? "nats://127.0.0.1:%d,ws://127.0.0.1:%d" : "http://127.0.0.1:%d", port, port);
        assert_null(sgk_nats_connect(other, NULL));
        SAYS("sgk_nats_connect: url: Invalid Argument");
    }
    sgk_nats_options options = SGK_NATS_OPTIONS_INIT;
    options.connect_timeout = -1;
    assert_null(sgk_nats_connect("nats://127.0.0.1", &options));
    SAYS("sgk_nats_connect: options: a field is out of range");
    options.connect_timeout = 0;
    options.reconnect_wait = NAN;
    assert_null(sgk_nats_connect("nats://127.0.0.1", &options));
    SAYS("sgk_nats_connect: options: a field is out of range");
    options.reconnect_wait = 0;
    options.size = 3;
    assert_null(sgk_nats_connect("nats://127.0.0.1", &options));
    counts.size = 3;
    assert_int_equal(sgk_nats_counts_get(nats, &counts), SGK_ERROR_ARGUMENT);
    assert_int_equal(sgk_nats_counts_get(nats, NULL), SGK_ERROR_NULL);
    assert_int_equal(sgk_nats_flush(nats, -1), SGK_ERROR_ARGUMENT);
    assert_int_equal(sgk_nats_flush(nats, NAN), SGK_ERROR_ARGUMENT);
    assert_int_equal(sgk_nats_close(nats, NAN), SGK_ERROR_ARGUMENT);

    char long_one[2000];
    memset(long_one, 'x', sizeof long_one);
    long_one[sizeof long_one - 1] = 0;
    const char *const subjects[] = {"", ".", "a.", ".a", "a..b", "a b", "a\r\nPUB b 0\r\n", "a.>.b", long_one};
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        assert_null(sgk_nats_subscribe(nats, subjects[i]));
        assert_null(sgk_nats_work(nats, "x", subjects[i]));
        assert_null(sgk_nats_consume(nats, subjects[i], "x", NULL));
        assert_null(sgk_nats_consume(nats, "x", subjects[i], NULL));
        assert_int_equal(sgk_nats_publish(nats, subjects[i], sgk_give(sgk_string("x"))), SGK_ERROR_ARGUMENT);
    }
    SAYS("sgk_nats_publish: subject: must be a subject");
    assert_int_equal(sgk_nats_publish(nats, NULL, sgk_give(sgk_string("x"))), SGK_ERROR_NULL);
    assert_int_equal(sgk_nats_publish(nats, "a.*", sgk_give(sgk_string("x"))), SGK_ERROR_ARGUMENT);
    assert_null(sgk_nats_sink(nats, ">"));
    assert_null(sgk_nats_request(nats, ">", sgk_null(), 1));
    assert_null(sgk_nats_subscribe(nats, NULL));
    assert_null(sgk_nats_work(nats, "x", NULL));
    assert_null(sgk_nats_published(NULL, nats, "x"));
    assert_null(sgk_nats_consume(nats, NULL, "x", NULL));
    assert_null(sgk_nats_consume(nats, "x\"", "x", NULL));
    sgk_nats_consumer consumer = SGK_NATS_CONSUMER_INIT;
    consumer.limit = -2;
    assert_null(sgk_nats_consume(nats, "x", "x", &consumer));
    assert_null(sgk_nats_request(nats, "x", sgk_give(sgk_string("x")), -1));
    assert_null(sgk_nats_store(nats, "x", sgk_give(sgk_string("x")), "two\r\nlines", 1));
    assert_int_equal(sgk_nats_publish(nats, "x", sgk_int(1)), SGK_ERROR_KIND);
    assert_null(sgk_nats_request(nats, "x", sgk_int(1), 1));
    SAYS("sgk_nats_request: payload: must be a string or bytes");

    /* Values that are not messages, such as a foreign object at an unreadable address. */
    static const sgk_object_type foreign_type = {sizeof foreign_type, "foreign", NULL, NULL, NULL, NULL, NULL};
    sgk_value foreign = sgk_object((void *)5, &foreign_type);
    const sgk_value none[] = {sgk_null(), sgk_int(1), foreign};
    for (int i = 0; i < 3; i++) {
        size_t length;
        assert_null(sgk_nats_data(none[i], &length));
        assert_null(sgk_nats_subject(none[i]));
        assert_int_equal(sgk_value_kind(sgk_nats_payload(none[i])), SGK_NULL);
        assert_int_equal(sgk_nats_reply(none[i], sgk_give(sgk_string("x"))), SGK_ERROR_KIND);
        assert_int_equal(sgk_nats_accept(none[i]), SGK_ERROR_KIND);
        assert_int_equal(sgk_nats_refuse(none[i]), SGK_ERROR_KIND);
        assert_int_equal(sgk_nats_in_progress(none[i]), SGK_ERROR_KIND);
        assert_int_equal(sgk_nats_deliveries(none[i]), 0);
        assert_null(sgk_nats_settled(never, none[i]));
    }
    SAYS("sgk_nats_settled: message: must be a message");
    sgk_value_release(foreign);

    /* A message of no stream. */
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_nats_subscribe(nats, "plain"), &heard);
    sgk_nats_publish(nats, "plain", sgk_give(sgk_string("")));
    EVENTUALLY(heard.values == 1);
    sgk_value message = heard_last(&heard);
    assert_int_equal(sgk_nats_accept(message), SGK_ERROR_ARGUMENT);
    assert_int_equal(sgk_nats_deliveries(message), 0);
    assert_null(sgk_nats_settled(never, message));
    assert_int_equal(sgk_nats_reply(message, sgk_give(sgk_string("x"))), SGK_ERROR_ARGUMENT);
    sgk_value_release(message);
    heard_done(&heard, run);
    assert_int_equal(sgk_nats_close(nats, PATIENCE), SGK_OK);

    /* Closed. */
    assert_int_equal(failure_of(sgk_nats_subscribe(nats, "x")), NATS_CONNECTION_CLOSED);
    assert_int_equal(failure_of(sgk_nats_request(nats, "x", sgk_give(sgk_string("x")), 1)), NATS_CONNECTION_CLOSED);
    assert_int_equal(failure_of(sgk_nats_consume(nats, "x", "x", NULL)), NATS_CONNECTION_CLOSED);
    assert_int_equal(sgk_nats_close(nats, 0), SGK_OK);
    sgk_signal_release(never);
    let_go(nats);
}

int main(int count, char **arguments) {
    if (count > 1) cmocka_set_test_filter(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_arrive),
        cmocka_unit_test(ends_are_waited_for_and_left_alone),
        cmocka_unit_test(one_is_enough),
        cmocka_unit_test(a_callback_may_close),
        cmocka_unit_test(requests_are_answered),
        cmocka_unit_test(late_replies_are_nobodys),
        cmocka_unit_test(a_group_shares),
        cmocka_unit_test(a_million_arrives),
        cmocka_unit_test(what_finds_no_room_is_counted),
        cmocka_unit_test(what_cannot_be_published_fails),
        cmocka_unit_test(the_server_restarts),
        cmocka_unit_test(the_server_is_gone),
        cmocka_unit_test(the_server_comes_later),
        cmocka_unit_test(the_server_is_slow),
        cmocka_unit_test(the_server_forbids),
        cmocka_unit_test(streams_keep),
        cmocka_unit_test(each_is_settled_by_its_pipeline),
        cmocka_unit_test(what_is_not_settled_is_bounded),
        cmocka_unit_test(a_slow_consumer_pauses_the_stream),
        cmocka_unit_test(a_pause_keeps_messages_in_the_stream),
        cmocka_unit_test(nothing_waits_for_its_time),
        cmocka_unit_test(misuse),
    };
    return cmocka_run_group_tests_name("nats", tests, begin, end);
}
