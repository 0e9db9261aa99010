/*
 * The difference of two sensors with signals, as the README shows it. before.c does the same with callbacks.
 */
#define _GNU_SOURCE
#include <signalkit.h>
#include <stdio.h>

#include "sensor.h"

static sensor kitchen = {.degrees = 21}, cellar = {.degrees = 12};
static int shown;

static void report(void *subscriber, double degrees) { sgk_subscriber_next(subscriber, sgk_double(degrees)); }

/* Starts a sensor for a subscription. The disposable stops it. */
static sgk_disposable *listen_to(void *sensor, sgk_subscriber *subscriber) {
    if (!sensor_start(sensor, report, sgk_subscriber_retain(subscriber), sgk_release)) return NULL;
    return sgk_action_disposable_create(sensor_stop, sensor, NULL);
}

static void show(void *context, sgk_value degrees) {
    (void)context;
    printf("warmer by %.1f\n", sgk_to_double(degrees));
    if (++shown == 3) sgk_main_stop();
}

static sgk_value difference(void *context, const sgk_value *degrees, size_t count) {
    (void)context, (void)count;
    return sgk_double(sgk_to_double(degrees[0]) - sgk_to_double(degrees[1]));
}

static sgk_signal *warmer_by(sgk_signal *warm, sgk_signal *cold, sgk_queue *main_queue) {
    sgk_signal *const both[] = {warm, cold};                      /* each emits on its own thread */
    sgk_signal *s = sgk_combine_latest_map(both, 2, difference, NULL, NULL, NULL);
    SGK_STAGE(distinct_until_changed, s);
    SGK_STAGE(deliver_on, s, main_queue); /* continues on the main thread, without a lock */
    return s;
}

static bool watch(sgk_queue *main_queue) {
    SGK_AUTO(sgk_signal) warm = sgk_signal_create(listen_to, &kitchen, NULL);
    SGK_AUTO(sgk_signal) cold = sgk_signal_create(listen_to, &cellar, NULL);
    SGK_AUTO(sgk_signal) difference = warmer_by(warm, cold, main_queue);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(difference, show, NULL, NULL);
    if (!subscription) return false;
    sgk_main_run();
    sgk_disposable_dispose(subscription); /* stops both sensors; their state is freed after the last callback */
    return true;
}

int main(void) {
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    if (!watch(main_queue)) return fprintf(stderr, "%s\n", sgk_last_error()), 1;
    sensor_wait(&kitchen);
    sensor_wait(&cellar);
    sgk_drain(10);
}
