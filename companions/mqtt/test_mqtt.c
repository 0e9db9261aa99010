/* Tests of the companion for MQTT with a private mosquitto. */
#include "testing.h"

#include <errno.h>
#include <mosquitto.h>
#include <signalkit/mqtt.h>
#include <stdatomic.h>

static int port;
static pid_t broker;

static void start_broker(void) {
    char path[64];
    snprintf(path, sizeof path, "%s/mosquitto.conf", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
        "listener %d 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location %s/\n"
        "max_queued_messages 0\nset_tcp_nodelay true\n",
        port, directory);
    if (getuid() == 0) fputs("user root\n", file); /* the directory is this test's alone */
    fclose(file);
    const char *program = access("/usr/sbin/mosquitto", X_OK) == 0 ? "/usr/sbin/mosquitto" : "mosquitto";
    broker = server_start((const char *const[]){program, "-c", path, NULL}, "mosquitto.log");
    EVENTUALLY(answers(port));
}

static int begin(void **state) {
    (void)state;
    make_directory();
    port = free_port();
    start_broker();
    return 0;
}
static int end(void **state) {
    (void)state;
    server_stop(broker, SIGTERM);
    remove_directory();
    return 0;
}

static const sgk_retry soon = {.size = sizeof soon, .delay = 0.01, .max_delay = 30, .jitter = 0.2};

static sgk_mqtt *client_with(const sgk_mqtt_options *options) {
    sgk_mqtt *mqtt = sgk_mqtt_create("127.0.0.1", port, options);
    if (!mqtt) fail_msg("%s", sgk_mqtt_last_error());
    return mqtt;
}

static void let_go(sgk_mqtt *mqtt) {
    sgk_mqtt_release(mqtt);
    nothing_is_left();
}

/* Publishes, and waits until the broker has it. */
static void publish(sgk_mqtt *mqtt, const char *topic, const char *payload, int qos, bool retained) {
    SGK_AUTO(sgk_signal) signal = sgk_mqtt_publish(mqtt, topic, sgk_give(sgk_string(payload)), qos, retained);
    if (!signal) fail_msg("%s", sgk_mqtt_last_error());
    sgk_value values;
    assert_int_equal(sgk_signal_collect(signal, 1, PATIENCE, &values), SGK_OK);
    sgk_value_release(values);
}

static void assert_last(heard *heard, const char *topic, const char *payload, bool retained) {
    sgk_value last = heard_last(heard);
    size_t length;
    const char *data = sgk_mqtt_data(last, &length);
    assert_non_null(data);
    assert_int_equal(length, strlen(payload));
    assert_memory_equal(data, payload, length);
    assert_string_equal(sgk_mqtt_message_topic(last), topic);
    assert_int_equal(sgk_to_bool(sgk_array_at(last, SGK_MQTT_PART_RETAINED)), retained);
    sgk_value_release(last);
}

static void messages_arrive(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    heard all = HEARD_INIT, one = HEARD_INIT;
    sgk_disposable *first = hear(sgk_mqtt_topic(mqtt, "house/+/warm", 1), &all);
    sgk_disposable *second = hear(sgk_mqtt_topic(mqtt, "house/cellar/#", 0), &one);
    publish(mqtt, "house/cellar/warm", "12.5", 2, false);
    publish(mqtt, "garden/warm", "", 0, false);
    publish(mqtt, "house/attic/warm", "30", 0, false);
    EVENTUALLY(all.values == 2 && one.values == 1); /* the filters overlap, and each has it once */
    assert_last(&all, "house/attic/warm", "30", false);
    assert_last(&one, "house/cellar/warm", "12.5", false);
    heard_done(&all, first);
    heard_done(&one, second);
    let_go(mqtt);
}

static void client_and_run(void *context) {
    (void)context;
    sgk_mqtt *mqtt = client_with(NULL);
    sgk_signal *signal = sgk_mqtt_topic(mqtt, "x", 0);
    start_and_dispose(signal);
    sgk_signal_release(signal);
    sgk_mqtt_release(mqtt);
}
static void release(void *mqtt) { sgk_mqtt_release(mqtt); }
static void ends_are_waited_for_and_left_alone(void **state) {
    (void)state;
    what_ends_is_waited_for(client_and_run, NULL);
    sgk_mqtt *mqtt = client_with(NULL);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "x", 0), &heard);
    for (int i = 1; i <= 2; i++) {
        publish(mqtt, "x", "x", 0, false);
        EVENTUALLY(heard.values == i);
        let_go_in_a_child(run, release, mqtt);
    }
    heard_done(&heard, run);
    let_go(mqtt);
}

static void state_comes_first(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    publish(mqtt, "state/a", "old", 1, true);
    publish(mqtt, "state/a", "on", 1, true);
    publish(mqtt, "state/b", "off", 0, true);
    heard early = HEARD_INIT, late = HEARD_INIT, all = HEARD_INIT;
    sgk_disposable *first = hear(sgk_mqtt_topic(mqtt, "state/a", 1), &early);
    EVENTUALLY(early.values == 1);
    assert_last(&early, "state/a", "on", true);
    sgk_disposable *second = hear(sgk_mqtt_topic(mqtt, "state/+", 1), &all);
    EVENTUALLY(all.values == 2);
    sgk_disposable *third = hear(sgk_mqtt_topic(mqtt, "state/a", 1), &late); /* the same subscription */
    EVENTUALLY(late.values == 1);
    assert_last(&late, "state/a", "on", true);
    publish(mqtt, "state/a", "away", 1, true);
    EVENTUALLY(early.values == 2 && late.values == 2 && all.values == 3);
    assert_last(&early, "state/a", "away", false); /* and has not heard "on" a second time */
    publish(mqtt, "state/a", "", 1, true);
    publish(mqtt, "state/b", "", 1, true);
    EVENTUALLY(all.values == 5);
    heard_done(&early, first);
    heard_done(&all, second);
    heard_done(&late, third);
    let_go(mqtt);
}

/* The client receives each message once, independent of the number of subscriptions, and none without one. */
static void runs_share_a_subscription(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    heard heard[10] = {0};
    sgk_disposable *runs[10];
    for (int i = 0; i < 10; i++) {
        pthread_mutex_init(&heard[i].lock, NULL);
        runs[i] = hear(sgk_mqtt_topic(mqtt, "shared/#", 0), &heard[i]);
    }
    for (int i = 0; i < 20; i++) publish(mqtt, "shared/x", "x", 1, false);
    for (int i = 0; i < 10; i++) EVENTUALLY(heard[i].values == 20);
    for (int i = 0; i < 10; i++) heard_done(&heard[i], runs[i]);
    publish(mqtt, "shared/x", "y", 1, false);
    sgk_mqtt_counts counts = SGK_MQTT_COUNTS_INIT;
    assert_int_equal(sgk_mqtt_counts_get(mqtt, &counts), SGK_OK);
    assert_int_equal(counts.received, 20);
    assert_int_equal(counts.published, 21);
    assert_int_equal(counts.acknowledged, 21);
    assert_int_equal(counts.lost, 0);
    assert_int_equal(counts.connections, 1);
    let_go(mqtt);
}

/* The client would be destroyed by its own thread. */
static void one_is_enough(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    for (int i = 0; i < 50; i++) {
        heard heard = HEARD_INIT;
        sgk_signal *signal = sgk_mqtt_topic(mqtt, "one", 1);
        SGK_STAGE(take, signal, 1);
        sgk_disposable *run = hear(signal, &heard);
        for (int j = 0; j < 3; j++) publish(mqtt, "one", "x", j, false);
        EVENTUALLY(heard.ends == 1);
        assert_int_equal(heard.values, 1);
        heard_done(&heard, run);
    }
    let_go(mqtt);
    for (int i = 0; i < 20; i++) { /* whose run is the last that holds the client */
        heard heard = HEARD_INIT;
        mqtt = client_with(NULL);
        sgk_signal *signal = sgk_mqtt_topic(mqtt, "one", 1);
        SGK_STAGE(take, signal, 1);
        sgk_disposable *run = hear(signal, &heard);
        publish(mqtt, "one", "x", 1, false);
        sgk_mqtt_release(mqtt);
        EVENTUALLY(heard.ends == 1);
        heard_done(&heard, run);
        nothing_is_left();
    }
}

/* A subscription that starts during the delivery of a message does not receive that message. */
static void begun_anew_inside(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    heard heard = HEARD_INIT, other = HEARD_INIT;
    sgk_signal *signal = sgk_mqtt_topic(mqtt, "anew", 1);
    SGK_STAGE(take, signal, 1);
    SGK_STAGE(repeat, signal, SGK_UNBOUNDED);
    sgk_disposable *run = hear(signal, &heard);
    sgk_disposable *listening = hear(sgk_mqtt_topic(mqtt, "anew", 0), &other); /* and is notified after it */
    for (int i = 1; i <= 20; i++) {
        publish(mqtt, "anew", "x", i % 3, false);
        EVENTUALLY(heard.values >= i && other.values == i);
    }
    assert_int_equal(heard.values, 20);
    heard_done(&heard, run);
    heard_done(&other, listening);
    let_go(mqtt);
}

/* ---- Callbacks may release everything ---- */

typedef struct letting_go {
    sgk_mqtt *mqtt;
    _Atomic(sgk_disposable *) own, other;
    int way;
    heard second, third;
    sgk_disposable *second_run, *third_run;
    atomic_int calls, ends, destroyed;
} letting_go;

static void let_go_inside(void *context, sgk_value value) {
    (void)value;
    letting_go *l = context;
    if (l->calls++) return;
    sgk_mqtt *mqtt = l->mqtt;
    l->mqtt = NULL;
    switch (l->way) {
    case 0: sgk_disposable_dispose(l->own); break;
    case 1: sgk_disposable_dispose(l->other); break;
    case 2: sgk_disposable_dispose(l->other), sgk_disposable_dispose(l->own); break;
    case 3: sgk_disposable_dispose(l->own), sgk_mqtt_release(mqtt), mqtt = NULL; break;
    case 4:
        sgk_mqtt_release(mqtt), mqtt = NULL, sgk_disposable_dispose(l->other), sgk_disposable_dispose(l->own);
        break;
    case 5: /* starts another subscription */
        l->second_run = hear(sgk_mqtt_topic(mqtt, "inside", 1), &l->second);
        sgk_disposable_dispose(l->own);
        break;
    case 6:
        l->third_run = hear(sgk_mqtt_publish(mqtt, "inside", sgk_give(sgk_string("again")), 2, false), &l->third);
        break;
    case 7: /* and cancels it */
        l->third_run = hear(sgk_mqtt_publish(mqtt, "inside", sgk_give(sgk_string("again")), 2, false), &l->third);
        sgk_disposable_dispose(l->third_run);
        sgk_disposable_dispose(l->own);
        sgk_disposable_dispose(l->other);
        break;
    }
    if (mqtt) sgk_mqtt_release(mqtt);
}
static void count_end(void *context) { ((letting_go *)context)->ends++; }
static void count_destroy(void *context) { ((letting_go *)context)->destroyed++; }

static void all_is_let_go_inside(void **state) {
    (void)state;
    sgk_mqtt *outside = client_with(NULL);
    for (int way = 0; way < 8; way++) {
        for (int round = 0; round < 5; round++) {
            letting_go l = {.way = way, .second = HEARD_INIT, .third = HEARD_INIT};
            heard other = HEARD_INIT;
            l.mqtt = client_with(NULL);
            SGK_AUTO(sgk_signal) signal = sgk_mqtt_topic(l.mqtt, "inside", 1);
            if (round % 2) l.other = hear(sgk_mqtt_topic(l.mqtt, "inside", 0), &other); /* told before it, or after */
            sgk_handlers handlers = SGK_HANDLERS_INIT;
            handlers.context = &l;
            handlers.next = let_go_inside;
            handlers.completed = count_end;
            handlers.destroy = count_destroy;
            l.own = sgk_signal_start(signal, &handlers);
            sgk_signal_replace(&signal, NULL);
            if (round % 2 == 0) l.other = hear(sgk_mqtt_topic(l.mqtt, "inside", 0), &other);
            while (!l.calls) publish(outside, "inside", "x", 1, false);
            if (way == 6) EVENTUALLY(l.third.ends == 1);
            if (way == 5)
                while (!l.second.values) publish(outside, "inside", "x", 1, false);
            sgk_disposable_dispose(l.own);
            EVENTUALLY(l.destroyed == 1);
            sgk_disposable_release(l.own);
            heard_done(&other, l.other);
            if (way == 5) heard_done(&l.second, l.second_run);
            if (way >= 6) heard_done(&l.third, l.third_run);
        }
    }
    let_go(outside);
}

static sgk_signal *publish_it(void *context, sgk_value value) {
    return sgk_mqtt_publish(context, "echo/2", value, 1, false);
}
static sgk_value payload_of(void *context, sgk_value message) {
    (void)context;
    return sgk_value_retain(sgk_array_at(message, SGK_MQTT_PART_PAYLOAD));
}

/* A callback of a completion publishes again. */
static void chains_on_the_thread_of_the_client(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    heard heard = HEARD_INIT, echo = HEARD_INIT;
    sgk_signal *signal = sgk_mqtt_topic(mqtt, "echo/1", 1);
    SGK_STAGE(take, signal, 100);
    SGK_STAGE(map, signal, SGK_FN(payload_of));
    SGK_STAGE(concat_map, signal, publish_it, mqtt, NULL);
    sgk_disposable *echoed = hear(sgk_mqtt_topic(mqtt, "echo/2", 2), &echo);
    sgk_disposable *run = hear(signal, &heard);
    for (int i = 0; i < 100; i++) publish(mqtt, "echo/1", "x", i % 3, false);
    EVENTUALLY(heard.ends == 1);
    EVENTUALLY(echo.values == 100);
    heard_done(&heard, run);
    heard_done(&echo, echoed);
    let_go(mqtt);
}

/* ---- Order and number ---- */

typedef struct series {
    _Atomic int64_t next, wrong;
} series;
static void check_series(void *context, sgk_value message) {
    series *series = context;
    size_t length;
    int64_t number;
    const char *data = sgk_mqtt_data(message, &length);
    if (!data || length != sizeof number) {
        series->wrong++;
        return;
    }
    memcpy(&number, data, sizeof number);
    if (number != series->next++) series->wrong++;
}
static sgk_value number_as_bytes(void *context, sgk_value value) {
    (void)context;
    int64_t number = sgk_to_int(value);
    return sgk_bytes(&number, sizeof number);
}
/* `count` numbers, emitted on another thread, and held up there. */
static sgk_signal *numbers(int64_t count, sgk_queue *queue) {
    sgk_signal *signal = sgk_signal_range(0, count);
    SGK_STAGE(map, signal, SGK_FN(number_as_bytes));
    SGK_STAGE(run_on, signal, queue);
    return signal;
}

static void all_are_accounted_for(void **state) {
    (void)state;
    for (int qos = 0; qos <= 2; qos++) {
        int64_t count = how_many(20000) >> qos;
        sgk_mqtt *mqtt = client_with(NULL);
        sgk_overflow_counter *counter = sgk_overflow_counter_create();
        sgk_queue *queue = sgk_queue_create(NULL);
        series series = {0};
        heard heard = HEARD_INIT;
        SGK_AUTO(sgk_signal) topic = sgk_mqtt_topic(mqtt, "series", qos);
        SGK_AUTO(sgk_disposable) listening = sgk_signal_start_next(topic, check_series, &series, NULL);
        sgk_signal_replace(&topic, numbers(count, queue));
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        sgk_disposable *run = hear(
            sgk_mqtt_sink(mqtt, topic, "series", qos, false, 100, SGK_OVERFLOW_SUSPEND, sgk_null(), counter), &heard);
        EVENTUALLY_ALL(count, series.next);
        EVENTUALLY(heard.ends == 1);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        if (getenv("MANY")) print_message("QoS %d: %.0f a second\n", qos, (double)count / seconds);
        assert_int_equal(series.wrong, 0);
        assert_true(sgk_overflow_counter_suspended(counter) > 0);
        assert_int_equal(sgk_overflow_counter_dropped(counter), 0);
        sgk_mqtt_counts counts = SGK_MQTT_COUNTS_INIT;
        sgk_mqtt_counts_get(mqtt, &counts);
        assert_int_equal(counts.published, count);
        assert_int_equal(counts.acknowledged, count);
        assert_int_equal(counts.received, count);
        sgk_disposable_dispose(listening);
        sgk_disposable_replace(&listening, NULL);
        sgk_signal_replace(&topic, NULL);
        sgk_overflow_counter_release(counter);
        sgk_queue_release(queue);
        heard_done(&heard, run);
        let_go(mqtt);
    }
}

/* ---- Pauses ---- */

static int64_t number_of(sgk_value message) {
    int64_t number = -1;
    size_t length;
    const char *data = sgk_mqtt_data(message, &length);
    if (data && length == sizeof number) memcpy(&number, data, sizeof number);
    return number;
}

/* A slow consumer pauses the client. Messages are pending in the socket and at the broker. */
static void a_slow_consumer_pauses_the_client(void **state) {
    (void)state;
    enum { READS = 64 }; /* that are read before the client looks again */
    for (int qos = 0; qos <= 1; qos++) {
        int64_t count = 5000;
        sgk_mqtt *mqtt = client_with(NULL), *other = client_with(NULL);
        sgk_queue *queue = sgk_queue_create(NULL);
        slow slow = {.ends = HEARD_INIT, .number_of = number_of};
        heard heard = HEARD_INIT;
        sgk_disposable *listening = consume_slowly(sgk_mqtt_topic(mqtt, "slow", qos), &slow);
        publish(mqtt, "other", "x", 1, false); /* the broker has answered the subscription before */
        pthread_mutex_lock(&gate);
        sgk_signal *all = numbers(count, queue);
        sgk_disposable *run =
            hear(sgk_mqtt_sink(other, all, "slow", qos, false, 100, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL), &heard);
        sgk_signal_release(all);
        EVENTUALLY(heard.ends == 1);
        let_it_come();
        pthread_mutex_unlock(&gate);
        assert_slow(&slow, count, READS);
        slow_done(&slow, listening);
        heard_done(&heard, run);
        sgk_queue_release(queue);
        sgk_mqtt_release(other);
        let_go(mqtt);
    }
}

static int64_t connections(sgk_mqtt *mqtt) {
    sgk_mqtt_counts counts = SGK_MQTT_COUNTS_INIT;
    assert_int_equal(sgk_mqtt_counts_get(mqtt, &counts), SGK_OK);
    return counts.connections;
}

static bool last_begins(heard *heard, char character) {
    sgk_value last = heard_last(heard);
    size_t length;
    const char *data = sgk_mqtt_data(last, &length);
    bool does = length > 0 && *data == character;
    sgk_value_release(last);
    return does;
}

/* A hold stops the only subscription of its client, but neither its answers nor its connection. */
static void a_hold_stops_the_client(void **state) {
    (void)state;
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.id = "held";
    options.session = 3600;
    options.retry = &soon;
    options.keep_alive = 5;
    sgk_mqtt *mqtt = client_with(&options), *other = client_with(NULL);
    heard held = HEARD_INIT, free = HEARD_INIT;
    sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "held", 1), &held);
    publish(mqtt, "held", "0", 1, false);
    EVENTUALLY(held.values == 1);
    sgk_disposable *hold = sgk_disposable_hold(run);
    for (int i = 0; i < 3; i++) publish(other, "held", "1", 1, false);
    let_it_come();
    let_go_in_a_child(run, release, mqtt);
    if (how_many(0) >= 1000000) nanosleep(&(struct timespec){20, 0}, NULL); /* four times keep_alive */
    assert_int_equal(held.values, 1);
    assert_int_equal(connections(mqtt), 1);
    sgk_disposable_replace(&hold, NULL);
    EVENTUALLY(held.values == 4);
    if (how_many(0) >= 1000000) nanosleep(&(struct timespec){12, 0}, NULL);
    assert_int_equal(connections(mqtt), 1);

    hold = sgk_disposable_hold(run);
    for (int i = 0; i < 3; i++) publish(other, "held", "2", 1, false);
    let_it_come();
    assert_int_equal(held.values, 4);
    publish(mqtt, "other", "x", 1, false); /* whose answer is behind the messages */
    assert_int_equal(held.values, 7);
    publish(other, "held", "3", 1, false);
    let_it_come();
    assert_int_equal(held.values, 7);
    server_stop(broker, SIGTERM); /* the end of the connection is noticed */
    start_broker();
    EVENTUALLY(connections(mqtt) == 2);
    publish(other, "held", "4", 1, false);
    sgk_disposable_replace(&hold, NULL);
    EVENTUALLY(held.values >= 9 && last_begins(&held, '4')); /* the first may have come twice */

    hold = sgk_disposable_hold(run); /* another one decides */
    sgk_disposable *second = hear(sgk_mqtt_topic(mqtt, "free", 1), &free);
    publish(mqtt, "other", "x", 1, false); /* the broker has answered the subscription before */
    publish(other, "free", "5", 1, false);
    EVENTUALLY(free.values == 1);
    publish(other, "held", "6", 1, false);
    EVENTUALLY(last_begins(&held, '6'));
    sgk_disposable *both = sgk_disposable_hold(second);
    publish(other, "held", "7", 1, false);
    publish(other, "free", "7", 1, false);
    let_it_come();
    assert_int_equal(free.values, 1);
    heard_done(&held, run); /* in the pause; and the other one continues it */
    let_it_come();
    assert_int_equal(free.values, 1);
    sgk_disposable_release(both);
    EVENTUALLY(free.values == 2);
    both = sgk_disposable_hold(second);
    publish(other, "free", "8", 1, false);
    let_it_come();
    heard_done(&free, second);
    assert_int_equal(free.values, 2);
    sgk_disposable_release(both);
    sgk_disposable_release(hold);
    sgk_mqtt_release(other);
    let_go(mqtt);
}

/* ---- Overflow, with a broker that does not read ---- */

static void what_finds_no_room(void **state) {
    (void)state;
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.window = 10;
    for (int overflow = SGK_OVERFLOW_DROP_OLDEST; overflow <= SGK_OVERFLOW_ERROR; overflow++) {
        sgk_mqtt *mqtt = client_with(&options);
        sgk_overflow_counter *counter = sgk_overflow_counter_create();
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
        publish(mqtt, "overflow", "connected", 1, false);
        server_pause(broker);
        heard heard = HEARD_INIT;
        sgk_disposable *run = hear(sgk_mqtt_sink(mqtt, signal, "overflow", 1, false, 5, (sgk_overflow)overflow,
                                       sgk_give(sgk_string("full")), counter),
            &heard);
        sgk_mqtt_counts counts = SGK_MQTT_COUNTS_INIT;
        int64_t emitted = 0;
        do {
            for (int i = 0; i < 1000; i++, emitted++) sgk_pipe_next(pipe, sgk_give(sgk_string("x")));
            sgk_mqtt_counts_get(mqtt, &counts);
        } while (counts.published < 11 && overflow != SGK_OVERFLOW_ERROR);
        for (int i = 0; i < 10; i++) sleep_a_moment();
        sgk_mqtt_counts_get(mqtt, &counts);
        assert_in_range(counts.published, 0, 11); /* the window, and the first */
        int64_t dropped = sgk_overflow_counter_dropped(counter);
        if (overflow == SGK_OVERFLOW_ERROR) assert_int_equal(dropped, 1);
        else assert_in_range(dropped, emitted - 10 - 5 - 1, emitted - 10);
        sgk_pipe_complete(pipe);
        kill(broker, SIGCONT);
        EVENTUALLY(heard.ends == (overflow == SGK_OVERFLOW_ERROR ? 2 : 1));
        EVENTUALLY((sgk_mqtt_counts_get(mqtt, &counts), counts.acknowledged == counts.published));
        if (overflow != SGK_OVERFLOW_ERROR) assert_int_equal(counts.published + dropped, emitted + 1);
        heard_done(&heard, run);
        sgk_signal_replace(&signal, NULL);
        sgk_pipe_replace(&pipe, NULL);
        sgk_overflow_counter_release(counter);
        let_go(mqtt);
    }
}

/* The emitting thread waits for a paused broker, and a disposal wakes it. */
static void *emit_many(void *pipe) {
    for (int i = 0; i < 1000; i++) sgk_pipe_next(pipe, sgk_give(sgk_string("x")));
    return NULL;
}
static void who_waits_is_let_go(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    publish(mqtt, "wait", "connected", 0, false);
    sgk_overflow_counter *counter = sgk_overflow_counter_create();
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    server_pause(broker);
    heard heard = HEARD_INIT;
    sgk_disposable *run =
        hear(sgk_mqtt_sink(mqtt, signal, "wait", 2, false, 2, SGK_OVERFLOW_SUSPEND, sgk_null(), counter), &heard);
    pthread_t thread;
    pthread_create(&thread, NULL, emit_many, pipe);
    sgk_mqtt_counts counts = SGK_MQTT_COUNTS_INIT;
    EVENTUALLY(
        sgk_overflow_counter_suspended(counter) > 0 && (sgk_mqtt_counts_get(mqtt, &counts), counts.published > 900));
    sgk_disposable_dispose(run);
    pthread_join(thread, NULL);
    kill(broker, SIGCONT);
    heard_done(&heard, run);
    sgk_overflow_counter_release(counter);
    sgk_signal_replace(&signal, NULL);
    sgk_pipe_replace(&pipe, NULL);
    let_go(mqtt);
}

/* ---- The broker goes, and comes again ---- */

static void connected_anew(void **state) {
    (void)state;
    for (int how = 0; how < 2; how++) {
        sgk_mqtt *mqtt = client_with(NULL);
        heard link = HEARD_INIT, heard = HEARD_INIT, sent = HEARD_INIT;
        sgk_disposable *states = hear(sgk_mqtt_connected(mqtt), &link);
        sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "anew", 1), &heard);
        publish(mqtt, "anew", "1", 1, false);
        EVENTUALLY(heard.values == 1);
        assert_int_equal(link.values, 2); /* no, yes */
        server_stop(broker, how ? SIGKILL : SIGTERM);
        EVENTUALLY(link.values == 3);
        sgk_disposable *waiting[3];
        for (int qos = 0; qos < 3; qos++)
            waiting[qos] = hear(sgk_mqtt_publish(mqtt, "anew", sgk_give(sgk_string("2")), qos, false), &sent);
        start_broker();
        EVENTUALLY(link.values == 4);
        EVENTUALLY(heard.values == 4);
        publish(mqtt, "anew", "3", 1, false);
        EVENTUALLY(heard.values == 5);
        for (int qos = 0; qos < 3; qos++) heard_done(&sent, waiting[qos]);
        assert_int_equal(heard.ends, 0);
        heard_done(&heard, run);
        heard_done(&link, states);
        let_go(mqtt);
    }
}

static void assert_error(heard *heard, int64_t number) {
    EVENTUALLY(heard->ends == 2);
    sgk_value error = heard_last(heard);
    assert_int_equal(sgk_value_kind(error), SGK_FAILURE);
    assert_int_equal(sgk_error_code(error), number);
    assert_int_equal(strncmp(sgk_error_text(error), "sgk_mqtt", 8), 0);
    sgk_value_release(error);
}

static void gives_up(void **state) {
    (void)state;
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.attempts = 3;
    options.retry = &soon;
    sgk_mqtt *mqtt = client_with(&options);
    publish(mqtt, "up", "x", 0, false);
    server_stop(broker, SIGKILL);
    heard runs[4] = {HEARD_INIT, HEARD_INIT, HEARD_INIT, HEARD_INIT};
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(pipe);
    sgk_disposable *all[] = {hear(sgk_mqtt_topic(mqtt, "up", 1), &runs[0]), hear(sgk_mqtt_connected(mqtt), &runs[1]),
        hear(sgk_mqtt_publish(mqtt, "up", sgk_give(sgk_string("x")), 1, false), &runs[2]),
        hear(sgk_mqtt_sink(mqtt, signal, "up", 1, false, 5, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL), &runs[3])};
    for (int i = 0; i < 4; i++) assert_error(&runs[i], MOSQ_ERR_ERRNO);
    for (int i = 0; i < 4; i++) heard_done(&runs[i], all[i]);
    start_broker();
    publish(mqtt, "up", "x", 1, false); /* begins anew */
    sgk_signal_replace(&signal, NULL);
    sgk_pipe_replace(&pipe, NULL);
    let_go(mqtt);
}

/* The operators of the library do the same to a single run. */
static void retried_by_the_program(void **state) {
    (void)state;
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.attempts = 1;
    sgk_mqtt *mqtt = client_with(&options);
    server_stop(broker, SIGTERM);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(NULL);
    sgk_signal *signal = sgk_mqtt_publish(mqtt, "again", sgk_give(sgk_string("x")), 1, false);
    SGK_STAGE(retry, signal, SGK_RETRY(.delay = 0.01), queue);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(signal, &heard);
    sleep_a_moment();
    start_broker();
    EVENTUALLY(heard.ends == 1);
    heard_done(&heard, run);
    sgk_queue_replace(&queue, NULL);
    let_go(mqtt);
}

static void absent_brokers(void **state) {
    (void)state;
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.attempts = 2;
    options.timeout = 0.05;
    options.retry = &soon;
    sgk_mqtt *mqtt = client_with(&options);
    server_pause(broker); /* the system still connects */
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "absent", 0), &heard);
    assert_error(&heard, SGK_MQTT_TIMEOUT);
    heard_done(&heard, run);
    kill(broker, SIGCONT);
    let_go(mqtt);
    mqtt = sgk_mqtt_create("/nowhere/at/all", 0, &options); /* a Unix socket that does not exist */
    struct heard none = HEARD_INIT;
    run = hear(sgk_mqtt_topic(mqtt, "absent", 0), &none);
    assert_error(&none, MOSQ_ERR_ERRNO);
    sgk_value error = heard_last(&none);
    char text[128];
    snprintf(text, sizeof text, "sgk_mqtt: %s", strerror(ENOENT));
    assert_string_equal(sgk_error_text(error), text);
    sgk_value_release(error);
    heard_done(&none, run);
    let_go(mqtt);
}

/* A broker that talks nonsense. */
typedef struct nonsense {
    int socket;
    atomic_int connections;
} nonsense;
static void *talk_nonsense(void *context) {
    nonsense *n = context;
    static const unsigned char what[][12] = {"HTTP/1.1 40", {0x20, 0xff, 0xff, 0xff, 0xff, 0xff}, {0x20, 3, 0, 0, 0xff},
        {0x30, 2, 0xff, 0xff}, {0x20, 3, 0, 0, 0, 0x30, 5, 0, 1, '#', 0xff, 0xff}, {0x20, 3, 0, 0x87, 0}, {0}};
    for (int one; (one = accept(n->socket, NULL, NULL)) >= 0; close(one)) {
        char connect[256];
        if (read(one, connect, sizeof connect) > 0) send(one, what[n->connections % 7], 12, MSG_NOSIGNAL);
        n->connections++;
    }
    return NULL;
}
static void nonsense_is_an_error(void **state) {
    (void)state;
    nonsense n = {socket(AF_INET, SOCK_STREAM, 0), 0};
    int at = free_port();
    struct sockaddr_in address = loopback(at);
    assert_int_equal(bind(n.socket, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(n.socket, 5), 0);
    pthread_t thread;
    pthread_create(&thread, NULL, talk_nonsense, &n);
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.attempts = 7;
    options.timeout = 1;
    const sgk_retry at_once = {.size = sizeof at_once, .delay = 0.001, .factor = 1};
    options.retry = &at_once;
    sgk_mqtt *mqtt = sgk_mqtt_create("127.0.0.1", at, &options);
    for (int i = 0; i < 3; i++) {
        heard heard = HEARD_INIT;
        sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "nonsense", 0), &heard);
        EVENTUALLY(heard.ends == 2 || n.connections > 15 * (i + 1)); /* one of them is taken for a connection */
        heard_done(&heard, run);
    }
    let_go(mqtt);
    shutdown(n.socket, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(n.socket);
}

/* A broker that accepts each connection, and ends it at once; with a message before, or without. */
enum { ATTEMPTS = 6 };
typedef struct quitter {
    int socket, port;
    bool has_message;
    atomic_int connections;
    double begun[ATTEMPTS + 1];
} quitter;
static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static void *quit_at_once(void *context) {
    quitter *q = context;
    static const unsigned char accepts[] = {0x20, 3, 0, 0, 0}, message[] = {0x30, 4, 0, 1, 'x', 0},
                               quits[] = {0xe0, 2, 0x82, 0}; /* a protocol error */
    for (int one; (one = accept(q->socket, NULL, NULL)) >= 0; close(one)) {
        char packet[256];
        if (q->connections <= ATTEMPTS) q->begun[q->connections] = seconds_now();
        q->connections++; /* before the client can hear of its end */
        if (read(one, packet, sizeof packet) > 0) send(one, accepts, sizeof accepts, MSG_NOSIGNAL);
        if (q->has_message) send(one, message, sizeof message, MSG_NOSIGNAL);
        send(one, quits, sizeof quits, MSG_NOSIGNAL);
        shutdown(one, SHUT_WR);
        while (read(one, packet, sizeof packet) > 0) {}
    }
    return NULL;
}
static void connections_without_use_are_failures(void **state) {
    (void)state;
    for (int has_message = 0; has_message < 2; has_message++) {
        quitter q = {.socket = socket(AF_INET, SOCK_STREAM, 0), .port = free_port(), .has_message = has_message};
        struct sockaddr_in address = loopback(q.port);
        assert_int_equal(bind(q.socket, (struct sockaddr *)&address, sizeof address), 0);
        assert_int_equal(listen(q.socket, 5), 0);
        pthread_t thread;
        pthread_create(&thread, NULL, quit_at_once, &q);
        sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
        options.attempts = ATTEMPTS;
        const sgk_retry doubles = {.size = sizeof doubles, .delay = has_message ? 0.001 : 0.02, .max_delay = 10};
        options.retry = &doubles;
        sgk_mqtt *mqtt = sgk_mqtt_create("127.0.0.1", q.port, &options);
        heard heard = HEARD_INIT;
        sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "x", 0), &heard);
        sgk_mqtt_counts counts = SGK_MQTT_COUNTS_INIT;
        if (has_message) {
            EVENTUALLY(q.connections > 2 * ATTEMPTS);
            assert_int_equal(heard.ends, 0);
            sgk_mqtt_counts_get(mqtt, &counts);
            assert_int_equal(counts.failed, 0);
        } else {
            assert_error(&heard, 0x82);
            assert_int_equal(q.connections, ATTEMPTS);
            sgk_mqtt_counts_get(mqtt, &counts);
            assert_int_equal(counts.failed, ATTEMPTS);
            for (int i = 1; i < ATTEMPTS; i++)
                assert_true(q.begun[i] - q.begun[i - 1] > 0.9 * doubles.delay * (1 << (i - 1)));
        }
        assert_true(counts.reason == 0x82 && counts.connections > 0);
        heard_done(&heard, run);
        let_go(mqtt);
        shutdown(q.socket, SHUT_RDWR);
        pthread_join(thread, NULL);
        close(q.socket);
    }
}

/* ---- The last will ---- */

static int leave_a_will(int at) {
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.will_topic = "machines/one";
    options.will = sgk_string("gone");
    options.will_qos = 1;
    options.will_retained = true;
    sgk_mqtt *mqtt = sgk_mqtt_create("127.0.0.1", at, &options);
    sgk_value_release(options.will);
    SGK_AUTO(sgk_signal) signal = sgk_mqtt_publish(mqtt, "machines/one", sgk_give(sgk_string("here")), 1, true);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(signal, NULL);
    for (;;) pause();
    return 0;
}

static void last_will(void **state) {
    (void)state;
    char number[16];
    snprintf(number, sizeof number, "%d", port);
    sgk_mqtt *mqtt = client_with(NULL);
    heard heard = HEARD_INIT, late = HEARD_INIT;
    pid_t machine = server_start((const char *const[]){"/proc/self/exe", "will", number, NULL}, "machine.log");
    sgk_disposable *run = hear(sgk_mqtt_watch(mqtt, "machines/+", 1, "gone"), &heard);
    EVENTUALLY(heard.values == 1);
    server_stop(machine, SIGKILL);
    assert_error(&heard, SGK_MQTT_GONE);
    heard_done(&heard, run);
    run = hear(sgk_mqtt_watch(mqtt, "machines/one", 1, "gone"), &late);
    assert_error(&late, SGK_MQTT_GONE);
    sgk_value error = heard_last(&late);
    assert_string_equal(sgk_error_text(error), "sgk_mqtt_watch: machines/one");
    assert_string_equal(sgk_mqtt_message_topic(sgk_error_cause(error)), "machines/one");
    sgk_value_release(error);
    heard_done(&late, run);
    publish(mqtt, "machines/one", "", 1, true);
    let_go(mqtt);
}

/* A client that disconnects properly publishes no last will. */
static void farewell(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "farewell", 1), &heard);
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.will_topic = "farewell";
    options.will = sgk_string("gone");
    publish(mqtt, "farewell", "x", 1, false);
    for (int i = 0; i < 10; i++) {
        sgk_mqtt *other = client_with(&options);
        publish(other, "farewell", "here", i % 3, false);
        sgk_mqtt_release(other);
        assert_int_equal(sgk_drain(PATIENCE), SGK_OK); /* then the client has disconnected */
        publish(mqtt, "farewell", "x", 1, false);
        EVENTUALLY(heard.values == 2 * i + 3);
        assert_last(&heard, "farewell", "x", false);
    }
    sgk_value_release(options.will);
    heard_done(&heard, run);
    let_go(mqtt);
}

/* ---- Sessions, groups ---- */

static void session_is_kept(void **state) {
    (void)state;
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.id = "keeper";
    options.session = 3600;
    heard heard = HEARD_INIT;
    sgk_mqtt *other = client_with(NULL), *mqtt = client_with(&options);
    sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "kept", 2), &heard);
    publish(mqtt, "kept", "x", 1, false);
    EVENTUALLY(heard.values == 1);
    publish(other, "other", "x", 1, false);
    server_stop(broker, SIGTERM); /* which writes down what it knows */
    start_broker();
    for (int i = 0; i < 10; i++) publish(other, "kept", "y", 1 + i % 2, false); /* whether it is connected or not */
    EVENTUALLY(heard.values == 11);
    heard_done(&heard, run);
    sgk_mqtt_release(other);
    let_go(mqtt);
}

static void groups_share_the_work(void **state) {
    (void)state;
    sgk_mqtt *clients[3] = {client_with(NULL), client_with(NULL), client_with(NULL)};
    heard heard[3] = {HEARD_INIT, HEARD_INIT, HEARD_INIT};
    sgk_disposable *runs[3];
    for (int i = 0; i < 3; i++) runs[i] = hear(sgk_mqtt_topic(clients[i], "$share/workers/work/#", 1), &heard[i]);
    int64_t published = 0; /* all after the first has subscribed: each reaches one of them */
    for (; !heard[0].values || !heard[1].values || !heard[2].values; published++)
        publish(clients[0], "work/x", "x", 1, false);
    EVENTUALLY(heard[0].values + heard[1].values + heard[2].values == published);
    for (int i = 0; i < 3; i++) heard_done(&heard[i], runs[i]), sgk_mqtt_release(clients[i]);
    nothing_is_left();
}

/* ---- Payloads ---- */

static void payloads(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "payloads/#", 1), &heard);
    size_t sizes[] = {0, 1, 127, 128, 16383, 16384, 1000000, 5000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *data = malloc(sizes[i] + 1);
        for (size_t k = 0; k < sizes[i]; k++) data[k] = (char)(k * 7); /* no UTF-8, and with NULs */
        struct heard sent = HEARD_INIT;
        sgk_disposable *sending =
            hear(sgk_mqtt_publish(mqtt, "payloads/x", sgk_give(sgk_bytes(data, sizes[i])), 1, false), &sent);
        EVENTUALLY(heard.values == (int64_t)i + 1);
        sgk_value last = heard_last(&heard);
        size_t length;
        const char *got = sgk_mqtt_data(last, &length);
        assert_int_equal(length, sizes[i]);
        assert_memory_equal(got, data, length);
        sgk_value_release(last);
        EVENTUALLY(sent.ends == 1);
        heard_done(&sent, sending);
        free(data);
    }
    /* Messages can be published as they are. */
    struct heard copies = HEARD_INIT;
    sgk_value parts[] = {sgk_give(sgk_string("payloads/y")), sgk_give(sgk_string("z"))};
    sgk_signal *signal = sgk_signal_just(sgk_give(sgk_array(parts, 2)));
    sgk_disposable *sending =
        hear(sgk_mqtt_sink(mqtt, signal, NULL, 1, false, 1, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL), &copies);
    sgk_signal_release(signal);
    EVENTUALLY(copies.ends == 1);
    EVENTUALLY(heard.values == (int64_t)(sizeof sizes / sizeof *sizes) + 1);
    assert_last(&heard, "payloads/y", "z", false);
    heard_done(&copies, sending);
    heard_done(&heard, run);
    let_go(mqtt);
}

static void values_that_are_none(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    sgk_value pair[] = {sgk_string("a/+"), sgk_string("x")}, swapped[] = {sgk_int(1), sgk_string("x")},
              number[] = {sgk_string("a"), sgk_int(1)};
    sgk_value wrong[] = {sgk_null(), sgk_int(1), sgk_string("a"), sgk_array(NULL, 0), sgk_array(pair, 1),
        sgk_array(pair, 2), sgk_array(swapped, 2), sgk_array(number, 2)};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        heard heard = HEARD_INIT;
        sgk_signal *signal = sgk_signal_just(wrong[i]);
        sgk_disposable *run =
            hear(sgk_mqtt_sink(mqtt, signal, NULL, 0, false, 1, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL), &heard);
        assert_error(&heard, SGK_MQTT_PAYLOAD);
        sgk_signal_release(signal);
        heard_done(&heard, run);
        sgk_value_release(wrong[i]);
    }
    sgk_value_release(pair[0]), sgk_value_release(pair[1]), sgk_value_release(swapped[1]), sgk_value_release(number[0]);
    heard heard = HEARD_INIT; /* a source that fails */
    sgk_signal *signal = sgk_signal_fail(sgk_give(sgk_string("broken")));
    sgk_disposable *run =
        hear(sgk_mqtt_sink(mqtt, signal, "x", 0, false, 1, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL), &heard);
    EVENTUALLY(heard.ends == 2);
    sgk_value error = heard_last(&heard);
    assert_string_equal(sgk_value_data(error, NULL), "broken");
    sgk_value_release(error);
    sgk_signal_release(signal);
    heard_done(&heard, run);
    let_go(mqtt);
}

/* ---- Who is refused ---- */

static void note_configured(void *context, struct mosquitto *client) {
    if (client) ++*(atomic_int *)context;
}
static void note_destroyed(void *context) { *(atomic_int *)context += 100; }

static void refusals(void **state) {
    (void)state;
    int usual = port;
    char path[64], number[16];
    snprintf(path, sizeof path, "%s/strict.conf", directory);
    port = free_port();
    snprintf(number, sizeof number, "%d", port);
    FILE *file = fopen(path, "w");
    fprintf(file, "listener %d 127.0.0.1\nallow_anonymous false\n", port);
    fclose(file);
    pid_t strict = server_start((const char *const[]){"/usr/sbin/mosquitto", "-c", path, NULL}, "strict.log");
    EVENTUALLY(answers(port));
    atomic_int configured = 0;
    sgk_mqtt_options options = SGK_MQTT_OPTIONS_INIT;
    options.attempts = 2;
    options.retry = &soon;
    options.user = "nobody";
    options.password = "nothing";
    options.configure = note_configured;
    options.context = &configured;
    options.destroy = note_destroyed;
    sgk_mqtt *mqtt = client_with(&options);
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_mqtt_topic(mqtt, "x", 0), &heard);
    assert_error(&heard, 135); /* not authorized */
    heard_done(&heard, run);
    let_go(mqtt);
    assert_int_equal(configured, 102);
    server_stop(strict, SIGTERM);
    port = usual;
}

/* ---- Many threads ---- */

static _Atomic int64_t crowd_heard;
static void count_heard(void *context, sgk_value value) {
    (void)value;
    (void)context;
    crowd_heard++;
}
static void *come_and_go(void *mqtt) {
    for (int i = 0; i < 60; i++) {
        char topic[32];
        snprintf(topic, sizeof topic, "crowd/%d", i % 5);
        SGK_AUTO(sgk_signal) signal = sgk_mqtt_topic(mqtt, i % 3 ? topic : "crowd/#", i % 3);
        SGK_AUTO(sgk_disposable) run = sgk_signal_start_next(signal, count_heard, NULL, NULL);
        if (i % 4) publish(mqtt, topic, "x", i % 3, i % 2);
        sgk_signal_replace(&signal, sgk_mqtt_publish(mqtt, topic, sgk_give(sgk_string("")), 1, true));
        SGK_AUTO(sgk_disposable) sending = sgk_signal_start(signal, NULL);
        if (i % 2) sgk_disposable_dispose(sending);
        sgk_disposable_dispose(run);
    }
    return NULL;
}
static void many_come_and_go(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, come_and_go, mqtt);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert_true(crowd_heard > 0);
    for (int i = 0; i < 5; i++) {
        char topic[32];
        snprintf(topic, sizeof topic, "crowd/%d", i);
        publish(mqtt, topic, "", 1, true);
    }
    let_go(mqtt);
}

/* ---- Misuse ---- */

static void assert_mistake(const void *result, const char *of) {
    if (result || strncmp(sgk_mqtt_last_error(), of, strlen(of)) != 0)
        fail_msg("%s, not %s", sgk_mqtt_last_error(), of);
}

static void misuse(void **state) {
    (void)state;
    sgk_mqtt *mqtt = client_with(NULL);
    struct {
        void *words[8];
    } other = {{0}};
    sgk_mqtt *wrong = (sgk_mqtt *)&other;
    atomic_int destroyed = 0;
    const sgk_mqtt_options usual = SGK_MQTT_OPTIONS_INIT;
    sgk_mqtt_options bad[12];
    for (int i = 0; i < 12; i++) bad[i] = usual;
    bad[0].keep_alive = 4;
    bad[1].timeout = -1;
    bad[2].session = 1;
    bad[3].password = "x";
    bad[4].attempts = -1;
    bad[5].window = 30001;
    bad[6].will_qos = 3;
    bad[7].will_topic = "a/#";
    bad[8].will_topic = "a"; /* without a will */
    const sgk_retry shrinks = {.size = sizeof shrinks, .factor = 0.5},
                    trembles = {.size = sizeof trembles, .jitter = 2}, no_size = {.size = 3};
    bad[9].retry = &shrinks;
    bad[10].retry = &trembles;
    bad[11].retry = &no_size;
    int count = (int)(sizeof bad / sizeof *bad);
    for (int i = 0; i < count; i++) {
        bad[i].context = &destroyed;
        bad[i].destroy = note_destroyed;
        assert_mistake(sgk_mqtt_create("x", 1, &bad[i]), "sgk_mqtt_create: options: ");
        assert_int_equal(destroyed, 100 * (i + 1));
    }
    struct {
        sgk_mqtt_options known;
        void *more;
    } newer = {usual, &destroyed};
    newer.known.context = &destroyed;
    newer.known.destroy = note_destroyed;
    for (int i = 0; i < 3; i++) {
        newer.known.size = (size_t[]){3, 4104, sizeof newer}[i];
        assert_mistake(sgk_mqtt_create("x", 1, &newer.known),
            "sgk_mqtt_create: options: unknown struct size; use the _INIT macro");
    }
    assert_int_equal(destroyed, 100 * count); /* unknown fields are ignored */
    newer.more = NULL;                        /* a newer program that leaves the new fields zero */
    sgk_mqtt_release(sgk_mqtt_create("x", 1, &newer.known));
    EVENTUALLY(destroyed == 100 * (count + 1));
    assert_mistake(sgk_mqtt_create(NULL, 1, NULL), "sgk_mqtt_create: host: ");
    assert_mistake(sgk_mqtt_create("x", -1, NULL), "sgk_mqtt_create: port: ");
    assert_mistake(sgk_mqtt_create("x", 65536, NULL), "sgk_mqtt_create: port: ");

    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    sgk_mqtt *handles[] = {NULL, wrong};
    for (int i = 0; i < 2; i++) {
        assert_mistake(sgk_mqtt_connected(handles[i]), "sgk_mqtt_connected: mqtt: ");
        assert_mistake(sgk_mqtt_topic(handles[i], "a", 0), "sgk_mqtt_topic: mqtt: ");
        assert_mistake(sgk_mqtt_watch(handles[i], "a", 0, "x"), "sgk_mqtt_watch: mqtt: ");
        sgk_mqtt *h = handles[i];
        assert_mistake(sgk_mqtt_publish(h, "a", sgk_give(sgk_string("x")), 0, false), "sgk_mqtt_publish: mqtt: ");
        assert_mistake(sgk_mqtt_sink(h, never, "a", 0, false, 1, SGK_OVERFLOW_SUSPEND, sgk_give(sgk_string("x")), NULL),
            "sgk_mqtt_sink: mqtt: ");
        sgk_mqtt_counts counts = SGK_MQTT_COUNTS_INIT;
        assert_int_equal(sgk_mqtt_counts_get(handles[i], &counts), i ? SGK_ERROR_HANDLE : SGK_ERROR_NULL);
        assert_ptr_equal(sgk_mqtt_retain(handles[i]), handles[i]);
        sgk_mqtt_release(handles[i]);
    }
    sgk_mqtt_counts counts = SGK_MQTT_COUNTS_INIT;
    assert_int_equal(sgk_mqtt_counts_get(mqtt, NULL), SGK_ERROR_NULL);
    counts.size--;
    assert_int_equal(sgk_mqtt_counts_get(mqtt, &counts), SGK_ERROR_ARGUMENT);
    struct {
        sgk_mqtt_counts known;
        int64_t more;
    } grown = {counts, 7};
    grown.known.size = sizeof grown; /* of a newer program */
    assert_int_equal(sgk_mqtt_counts_get(mqtt, &grown.known), SGK_OK);
    assert_true(grown.known.connections == 0 && grown.known.lost == 0 && grown.more == 0);
    grown.known.size = offsetof(sgk_mqtt_counts, lost); /* of an older one */
    grown.known.lost = 7;
    assert_int_equal(sgk_mqtt_counts_get(mqtt, &grown.known), SGK_OK);
    assert_int_equal(grown.known.lost, 7);

    const char *filters[] = {"", "a/#/b", "a+", "#b", "\xff"};
    for (int i = 0; i < 5; i++) assert_mistake(sgk_mqtt_topic(mqtt, filters[i], 0), "sgk_mqtt_topic: filter: ");
    assert_mistake(sgk_mqtt_topic(mqtt, NULL, 0), "sgk_mqtt_topic: filter: ");
    assert_mistake(sgk_mqtt_topic(mqtt, "a", -1), "sgk_mqtt_topic: qos: ");
    assert_mistake(sgk_mqtt_topic(mqtt, "a", 3), "sgk_mqtt_topic: qos: ");
    assert_mistake(sgk_mqtt_watch(mqtt, NULL, 0, "x"), "sgk_mqtt_watch: filter: ");
    assert_mistake(sgk_mqtt_watch(mqtt, "a", 3, "x"), "sgk_mqtt_watch: qos: ");
    assert_mistake(sgk_mqtt_watch(mqtt, "a", 0, NULL), "sgk_mqtt_watch: will: ");
    assert_mistake(sgk_mqtt_publish(mqtt, NULL, sgk_give(sgk_string("x")), 0, false), "sgk_mqtt_publish: topic: ");
    assert_mistake(sgk_mqtt_publish(mqtt, "a/+", sgk_give(sgk_string("x")), 0, false), "sgk_mqtt_publish: topic: ");
    assert_mistake(sgk_mqtt_publish(mqtt, "", sgk_give(sgk_string("x")), 0, false), "sgk_mqtt_publish: topic: ");
    assert_mistake(sgk_mqtt_publish(mqtt, "a", sgk_give(sgk_string("x")), 3, false), "sgk_mqtt_publish: qos: ");
    assert_mistake(sgk_mqtt_publish(mqtt, "a", sgk_int(1), 0, false), "sgk_mqtt_publish: payload: ");
    assert_mistake(sgk_mqtt_publish(mqtt, "a", sgk_give(sgk_array(NULL, 0)), 0, false), "sgk_mqtt_publish: payload: ");
    assert_mistake(
        sgk_mqtt_sink(mqtt, NULL, "a", 0, false, 1, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL), "sgk_mqtt_sink: signal: ");
    assert_mistake(sgk_mqtt_sink(mqtt, never, "a/+", 0, false, 1, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL),
        "sgk_mqtt_sink: topic: ");
    assert_mistake(
        sgk_mqtt_sink(mqtt, never, "a", 0, false, 0, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL), "sgk_mqtt_sink: limit: ");
    assert_mistake(
        sgk_mqtt_sink(mqtt, never, "a", 0, false, 1, (sgk_overflow)6, sgk_null(), NULL), "sgk_mqtt_sink: overflow: ");
    assert_mistake(
        sgk_mqtt_sink(mqtt, never, "a", 4, false, 1, SGK_OVERFLOW_SUSPEND, sgk_null(), NULL), "sgk_mqtt_sink: qos: ");
    sgk_value none[] = {sgk_null(), sgk_int(1), sgk_string("x"), sgk_array(NULL, 0)};
    size_t length = 7;
    for (int i = 0; i < 4; i++) {
        assert_mistake(sgk_mqtt_data(none[i], &length), "sgk_mqtt_data: message: ");
        assert_int_equal(length, 0);
        assert_mistake(sgk_mqtt_message_topic(none[i]), "sgk_mqtt_message_topic: message: ");
        sgk_value_release(none[i]);
    }
    sgk_signal_replace(&never, NULL);
    let_go(mqtt);
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "will") == 0) return leave_a_will(atoi(arguments[2]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive),
        cmocka_unit_test(ends_are_waited_for_and_left_alone),
        cmocka_unit_test(state_comes_first),
        cmocka_unit_test(runs_share_a_subscription),
        cmocka_unit_test(one_is_enough),
        cmocka_unit_test(begun_anew_inside),
        cmocka_unit_test(all_is_let_go_inside),
        cmocka_unit_test(chains_on_the_thread_of_the_client),
        cmocka_unit_test(all_are_accounted_for),
        cmocka_unit_test(a_slow_consumer_pauses_the_client),
        cmocka_unit_test(a_hold_stops_the_client),
        cmocka_unit_test(what_finds_no_room),
        cmocka_unit_test(who_waits_is_let_go),
        cmocka_unit_test(connected_anew),
        cmocka_unit_test(gives_up),
        cmocka_unit_test(retried_by_the_program),
        cmocka_unit_test(absent_brokers),
        cmocka_unit_test(nonsense_is_an_error),
        cmocka_unit_test(connections_without_use_are_failures),
        cmocka_unit_test(last_will),
        cmocka_unit_test(farewell),
        cmocka_unit_test(session_is_kept),
        cmocka_unit_test(groups_share_the_work),
        cmocka_unit_test(payloads),
        cmocka_unit_test(values_that_are_none),
        cmocka_unit_test(refusals),
        cmocka_unit_test(many_come_and_go),
        cmocka_unit_test(misuse),
    };
    if (count == 2) cmocka_set_test_filter(arguments[1]);
    return cmocka_run_group_tests_name("mqtt", tests, begin, end);
}
