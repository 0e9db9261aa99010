/* The companion for D-Bus, compared with its client library: `bench_dbus CONTENDER MESSAGES ADDRESS`. One connection
 * sends signals or calls, and another receives or answers. */
#define WINDOW 4096 /* the companion's limit is 10,000 */
#include "bench.h"

#include <pthread.h>
#include <semaphore.h>
#include <signalkit/dbus.h>
#include <systemd/sd-bus.h>

static const char *address;
static const char name[] = "org.example.Bench", path[] = "/org/example/Bench", forth[] = "Forth";
static sem_t ready, answered;

/* ---- Plainly: the main thread sends, and another thread receives ---- */

static sd_bus *plain_bus(void) {
    sd_bus *bus = NULL;
    must(sd_bus_new(&bus) >= 0 && sd_bus_set_address(bus, address) >= 0 && sd_bus_set_bus_client(bus, 1) >= 0 &&
            sd_bus_start(bus) >= 0,
        "to connect");
    return bus;
}
static int plain_count(sd_bus_message *m, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    const void *data;
    size_t length;
    must(sd_bus_message_read_array(m, 'y', &data, &length) >= 0 && length == SIZE, "the size");
    arrived++;
    return 0;
}
static int plain_answer(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    const void *data;
    size_t length;
    sd_bus_message *m = NULL;
    must(sd_bus_message_read_array(call, 'y', &data, &length) >= 0 && sd_bus_message_new_method_return(call, &m) >= 0 &&
            sd_bus_message_append_array(m, 'y', data, length) >= 0 && sd_bus_send(NULL, m, NULL) >= 0,
        "to answer");
    sd_bus_message_unref(m);
    return 1;
}
static void *plain_serve(void *is_rate) {
    sd_bus *bus = plain_bus();
    must((is_rate ? sd_bus_match_signal(bus, NULL, NULL, path, name, forth, plain_count, NULL)
                  : sd_bus_add_object(bus, NULL, path, plain_answer, NULL)) >= 0 &&
            sd_bus_request_name(bus, name, 0) >= 0,
        "to serve");
    sem_post(&ready);
    for (;;)
        if (sd_bus_process(bus, NULL) == 0) sd_bus_wait(bus, UINT64_MAX);
    return NULL;
}
static void plain_send(void *bus, const char *data) {
    uint64_t queued = 0;
    sd_bus_message *m = NULL;
    must(sd_bus_message_new_signal(bus, &m, path, name, forth) >= 0 &&
            sd_bus_message_append_array(m, 'y', data, SIZE) >= 0 && sd_bus_send(bus, m, NULL) >= 0,
        "to send");
    sd_bus_message_unref(m);
    if (sd_bus_get_n_queued_write(bus, &queued) >= 0 && queued) sd_bus_flush(bus);
}
static void plain_ask(void *bus) {
    static const char data[SIZE];
    sd_bus_message *m = NULL, *reply = NULL;
    must(sd_bus_message_new_method_call(bus, &m, name, path, name, forth) >= 0 &&
            sd_bus_message_append_array(m, 'y', data, SIZE) >= 0 && sd_bus_call(bus, m, 0, NULL, &reply) >= 0,
        "to ask");
    sd_bus_message_unref(m);
    sd_bus_message_unref(reply);
}
static void measure_plain(bool is_rate, int64_t messages) {
    pthread_t thread;
    must(pthread_create(&thread, NULL, plain_serve, is_rate ? "" : NULL) == 0, "a thread");
    while (sem_wait(&ready) != 0) {}
    sd_bus *bus = plain_bus();
    if (is_rate) measure_rate(messages, plain_send, bus);
    else measure_latency(messages, plain_ask, bus);
    sd_bus_flush_close_unref(bus);
}

/* ---- With the companion ---- */

static void own_count(void *context, sgk_value message) {
    (void)context;
    size_t length;
    sgk_value_data(sgk_array_at(sgk_array_at(message, SGK_DBUS_PART_ARGUMENTS), 0), &length);
    must(length == SIZE, "the size");
    arrived++;
}
static void own_answer(void *context, sgk_value call) {
    (void)context;
    must(sgk_dbus_reply(call, "ay", sgk_array_at(call, SGK_DBUS_PART_ARGUMENTS)) == SGK_OK, "to answer");
}
static void own_hear(void *context, sgk_value reply) { (void)context, (void)reply, sem_post(&answered); }
static void own_ready(void *context, sgk_value value) { (void)context, (void)value, sem_post(&ready); }

static sgk_value own_arguments(const char *data) {
    sgk_value bytes = sgk_give(sgk_bytes(data, SIZE));
    return sgk_give(sgk_array(&bytes, 1));
}
static void own_send(void *bus, const char *data) {
    SGK_AUTO(sgk_signal) emit = sgk_dbus_emit(bus, path, name, forth, "ay", own_arguments(data));
    sgk_disposable_release(sgk_signal_start(emit, NULL));
}
static void own_ask(void *bus) {
    static const char data[SIZE];
    SGK_AUTO(sgk_signal) call = sgk_dbus_call(bus, name, path, name, forth, "ay", own_arguments(data), 0);
    sgk_disposable_release(sgk_signal_start_next(call, own_hear, NULL, NULL));
    while (sem_wait(&answered) != 0) {}
}
static void measure_own(bool is_rate, int64_t messages) {
    SGK_AUTO(sgk_dbus) here = sgk_dbus_create(address);
    SGK_AUTO(sgk_dbus) there = sgk_dbus_create(address);
    SGK_AUTO(sgk_signal)
    come = is_rate ? sgk_dbus_signals(there, NULL, path, name, forth) : sgk_dbus_object(there, path);
    SGK_AUTO(sgk_signal) own = sgk_dbus_own(there, name);
    SGK_AUTO(sgk_disposable) serving = sgk_signal_start_next(come, is_rate ? own_count : own_answer, NULL, NULL);
    SGK_AUTO(sgk_disposable) owning = sgk_signal_start_next(own, own_ready, NULL, NULL);
    while (sem_wait(&ready) != 0) {}
    if (is_rate) measure_rate(messages, own_send, here);
    else measure_latency(messages, own_ask, here);
    sgk_disposable_dispose(serving);
    sgk_disposable_dispose(owning);
}

int main(int count, char **arguments) {
    must(count == 4, "bench_dbus CONTENDER MESSAGES ADDRESS");
    address = arguments[3];
    sem_init(&ready, 0, 0);
    sem_init(&answered, 0, 0);
    bool is_rate = strstr(arguments[1], "rate") != NULL;
    (strstr(arguments[1], "plain") ? measure_plain : measure_own)(is_rate, atoll(arguments[2]));
    return 0;
}
