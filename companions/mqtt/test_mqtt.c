/* The companion for MQTT, against a mosquitto of its own. */
#include "testing.h"

#include <mosquitto.h>
#include <signalkit/mqtt.h>

static int port;
static pid_t broker;

static void start_broker(void) {
    char path[64];
    snprintf(path, sizeof path, "%s/mosquitto.conf", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "listener %d 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location %s/\n"
                  "max_queued_messages 0\n", port, directory);
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
    heard heard = HEARD_INIT;
    sgk_disposable *run = hear(sgk_mqtt_publish(mqtt, topic, sgk_give(sgk_string(payload)), qos, retained), &heard);
    if (!run) fail_msg("%s", sgk_mqtt_last_error());
    EVENTUALLY(heard.ends);
    assert_int_equal(heard.ends, 1);
    assert_int_equal(heard.values, 0);
    heard_done(&heard, run);
}

static void assert_last(heard *heard, const char *topic, const char *payload, bool retained) {
    sgk_value last = heard_last(heard);
    size_t length;
    const char *data = sgk_mqtt_payload(last, &length);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive),
    };
    return cmocka_run_group_tests_name("mqtt", tests, begin, end);
}
