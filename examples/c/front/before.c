/*
 * The difference of two sensors with callbacks, as the README shows it: it needs a lock, and it leaks. The tests detect
 * the leak. after.c does the same with signals.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "sensor.h"

static sensor kitchen = {.degrees = 21}, cellar = {.degrees = 12};
static sem_t enough;
static int shown;

static void show(double degrees) {
    printf("warmer by %.1f\n", degrees);
    if (++shown == 3) sem_post(&enough);
}

struct join { pthread_mutex_t lock; double warm, cold; bool has_warm, has_cold; };

static void on_warm(void *context, double degrees) {   /* runs on the sensor's thread */
    struct join *join = context;
    pthread_mutex_lock(&join->lock);
    join->warm = degrees, join->has_warm = true;
    if (join->has_cold) show(join->warm - join->cold); /* runs on that thread too, and under the lock */
    pthread_mutex_unlock(&join->lock);
}

static void on_cold(void *context, double degrees) {
    struct join *join = context;
    pthread_mutex_lock(&join->lock);
    join->cold = degrees, join->has_cold = true;
    if (join->has_warm) show(join->warm - join->cold);
    pthread_mutex_unlock(&join->lock);
}

static void watch(void) {
    struct join *join = calloc(1, sizeof *join);
    if (!join) exit(1);
    pthread_mutex_init(&join->lock, NULL);
    sensor_start(&kitchen, on_warm, join, NULL);
    sensor_start(&cellar, on_cold, join, NULL);
    sem_wait(&enough);
    sensor_stop(&kitchen), sensor_stop(&cellar); /* a callback may still use join, so it leaks */
}

int main(void) {
    sem_init(&enough, 0, 0);
    watch();
    sensor_wait(&kitchen);
    sensor_wait(&cellar);
}
