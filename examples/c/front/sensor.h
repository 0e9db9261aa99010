/*
 * A sensor as libraries have them: it calls back on its own thread until sensor_stop. The caller of sensor_stop does not
 * know when the last callback has returned. `destroy` is called then, if there is one.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

typedef struct sensor {
    double degrees;
    void (*report)(void *context, double degrees);
    void (*destroy)(void *context);
    void *context;
    atomic_bool stopped;
    sem_t over;
} sensor;

static void *sensor_run(void *context) {
    sensor *sensor = context;
    for (; !atomic_load(&sensor->stopped); sensor->degrees += 0.5) {
        sensor->report(sensor->context, sensor->degrees);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    if (sensor->destroy) sensor->destroy(sensor->context);
    sensor->context = NULL;
    sem_post(&sensor->over);
    return NULL;
}

static bool sensor_start(sensor *sensor, void (*report)(void *, double), void *context, void (*destroy)(void *)) {
    pthread_t thread;
    sensor->report = report;
    sensor->context = context;
    sensor->destroy = destroy;
    sem_init(&sensor->over, 0, 0);
    return pthread_create(&thread, NULL, sensor_run, sensor) == 0 && pthread_detach(thread) == 0;
}

static void sensor_stop(void *sensor) { atomic_store(&((struct sensor *)sensor)->stopped, true); }

static void sensor_wait(sensor *sensor) { sem_wait(&sensor->over); } /* for the end of a program */
