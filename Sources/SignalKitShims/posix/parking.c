/* A futex from POSIX functions. Threads sleep at a few places, each with a mutex and a condition. The address of the
 * word determines the place. A wake-up of one thread wakes all threads at the place, because the first might wait for
 * another word there. The others check their word and continue to sleep.
 *
 * No wake-up is lost. A thread checks its word under the mutex before it sleeps. The waking thread changes the word
 * first and then takes the mutex. Therefore the check sees the change, or the sleep has begun. Nothing is allocated,
 * and the waking thread does not read the word, which may no longer exist. */
#include "shims/system.h"

#ifdef SGK_SYSTEM_IS_POSIX
#include "parking.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

/* A power of two. (The tests have fewer, so that more meet.) */
#ifndef SGK_PARKING_PLACES
#define SGK_PARKING_PLACES 64
#endif

static struct place {
    _Alignas(64) pthread_mutex_t mutex;
    pthread_cond_t condition;
} places[SGK_PARKING_PLACES];

static struct place *place_of(uintptr_t word) {
    return &places[(uint64_t)word * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (SGK_PARKING_PLACES - 1)];
}

/* ---- Deadlines ----
 * Not by the clock on the wall, which jumps: Apple's systems count from the beginning of a sleep, all others by the
 * steady clock. */

enum { LONGEST = 3600 }; /* seconds: a thread that sleeps for longer looks at its word in between */

#ifdef __APPLE__
static void make_condition(pthread_cond_t *condition) { (void)pthread_cond_init(condition, NULL); }

static bool sleep_at(struct place *place, struct timespec time) {
    return pthread_cond_timedwait_relative_np(&place->condition, &place->mutex, &time) != ETIMEDOUT;
}
#else
static void make_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(condition, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

static bool sleep_at(struct place *place, struct timespec time) {
    struct timespec end;
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += time.tv_nsec;
    end.tv_sec += time.tv_sec + end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(&place->condition, &place->mutex, &end) != ETIMEDOUT;
}
#endif

/* ---- Places ---- */

/* Also in the child of a fork, where the threads that slept here, or held a mutex, do not exist. */
static void make(void) {
    for (int i = 0; i < SGK_PARKING_PLACES; i++) {
        (void)pthread_mutex_init(&places[i].mutex, NULL);
        make_condition(&places[i].condition);
    }
}

static void begin(void) {
    make();
    (void)pthread_atfork(NULL, NULL, make);
}

void sgk_parking_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, begin);
}

/* Disables cancellation during the sleep, because a wait for a condition is a cancellation point. Returns false after
   the timeout. */
static bool park(uintptr_t word, uint32_t expected, struct timespec time) {
    int cancellation;
    bool in_time = true;
    sgk_parking_begin();
    struct place *place = place_of(word);
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    (void)pthread_mutex_lock(&place->mutex);
    if (__atomic_load_n((const uint32_t *)word, __ATOMIC_RELAXED) == expected) in_time = sleep_at(place, time);
    (void)pthread_mutex_unlock(&place->mutex);
    (void)pthread_setcancelstate(cancellation, NULL);
    return in_time;
}

static void wake(uintptr_t word) {
    sgk_parking_begin();
    struct place *place = place_of(word);
    (void)pthread_mutex_lock(&place->mutex);
    (void)pthread_cond_broadcast(&place->condition);
    (void)pthread_mutex_unlock(&place->mutex);
}

/* ---- The interface ---- */

void sgk_shim_futex_wait(uintptr_t word, uint32_t expected) {
    (void)park(word, expected, (struct timespec){LONGEST, 0});
}

bool sgk_shim_futex_wait_for(uintptr_t word, uint32_t expected, int64_t nanoseconds) {
    int64_t seconds = nanoseconds / 1000000000;
    if (seconds >= LONGEST) return sgk_shim_futex_wait(word, expected), true;
    return park(word, expected, (struct timespec){(time_t)seconds, (long)(nanoseconds % 1000000000)});
}

void sgk_shim_futex_wake_one(uintptr_t word) { wake(word); }
void sgk_shim_futex_wake_all(uintptr_t word) { wake(word); }
#endif
