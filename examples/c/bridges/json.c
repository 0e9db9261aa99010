/* Payloads are bytes, and the program defines their format. Here it is JSON, which the library jansson reads. Received
 * bytes become structures, and structures become bytes to send. Invalid payloads are counted and dropped.
 *
 *     cc json.c -o json $(pkg-config --cflags --libs signalkit-zmq jansson)
 *
 * (Sender and receiver are two sockets of one process, so that the example is complete.) */
#define _POSIX_C_SOURCE 200809L
#include <jansson.h>
#include <signalkit/zmq.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct reading {
    char room[32];
    double celsius;
};

static const sgk_object_type reading_type = {.size = sizeof reading_type, .name = "reading", .release = free};

static atomic_int not_understood;

/* An object value of a reading; null when there is no memory. */
static sgk_value reading_value(const char *room, double celsius) {
    struct reading *reading = calloc(1, sizeof *reading);
    if (!reading) return sgk_null();
    snprintf(reading->room, sizeof reading->room, "%s", room);
    reading->celsius = celsius;
    return sgk_object(reading, &reading_type);
}

static sgk_value reading_of_json(void *context, sgk_value payload) {
    (void)context;
    size_t length;
    const char *data = sgk_value_data(payload, &length), *room;
    double celsius;
    json_t *json = data ? json_loadb(data, length, 0, NULL) : NULL;
    bool is_one = json && json_unpack(json, "{s:s, s:F}", "room", &room, "celsius", &celsius) == 0;
    sgk_value reading = is_one ? reading_value(room, celsius) : sgk_null();
    if (!is_one) not_understood++;
    json_decref(json);
    return sgk_value_kind(reading) == SGK_OBJECT ? reading : sgk_dropped();
}

static sgk_value json_of_reading(void *context, sgk_value value) {
    (void)context;
    const struct reading *reading = sgk_to_object(value, &reading_type);
    json_t *json = json_pack("{s:s, s:f}", "room", reading->room, "celsius", reading->celsius);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    sgk_value payload = text ? sgk_string(text) : sgk_failed(sgk_string("no JSON of a reading"));
    free(text);
    json_decref(json);
    return payload;
}

static void print(void *count, sgk_value value) {
    const struct reading *reading = sgk_to_object(value, &reading_type);
    printf("%s: %.1f\n", reading->room, reading->celsius);
    ++*(atomic_int *)count;
}

int main(void) {
    static atomic_int count;
    {
        SGK_AUTO(sgk_zmq) zmq = sgk_zmq_create(1);
        SGK_AUTO(sgk_signal) readings = sgk_zmq_pull(zmq, "inproc://readings", NULL);
        SGK_STAGE(map, readings, SGK_FN(reading_of_json));
        SGK_AUTO(sgk_disposable) hearing = sgk_signal_start_next(readings, print, &count, NULL);

        SGK_AUTO(sgk_zmq_sender) sender = sgk_zmq_pusher(zmq, "inproc://readings", NULL);
        sgk_zmq_send(sender, sgk_give(sgk_string("no JSON")));
        sgk_zmq_send(sender, sgk_give(sgk_string("{\"room\": \"cellar\"}")));
        sgk_value items[] = {sgk_give(reading_value("kitchen", 21.5)), sgk_give(reading_value("cellar", 12))};
        SGK_AUTO(sgk_signal) measured = sgk_signal_from_array(items, 2);
        SGK_STAGE(map, measured, SGK_FN(json_of_reading));
        sgk_signal_replace(&measured, sgk_zmq_sent(measured, sender));
        SGK_AUTO(sgk_disposable) sending = sgk_signal_start(measured, NULL);
        if (!hearing || !sending) return fprintf(stderr, "%s%s\n", sgk_zmq_last_error(), sgk_last_error()), 1;
        while (count < 2) nanosleep(&(struct timespec){0, 1000000}, NULL);
        sgk_disposable_dispose(hearing);
    }
    while (sgk_live_total() != 0) sgk_drain(1);
    printf("Not understood: %d. Objects left alive: %lld\n", not_understood, (long long)sgk_live_total());
    return 0;
}
