/* The counters of Sources/SignalKitShims: places that threads take over, what late destructors count, a system that has
 * nothing left, a fork. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool has_no_memory, has_no_value;
static void *some_memory(size_t alignment, size_t size) {
    return has_no_memory ? NULL : aligned_alloc(alignment, size);
}
static int some_value(pthread_key_t key, const void *value) {
    return has_no_value ? 1 : pthread_setspecific(key, value);
}

#define aligned_alloc some_memory
#define pthread_setspecific some_value
#include "../../Sources/SignalKitShims/counters.c"
#undef pthread_setspecific

#define CHECK(condition) \
    ((condition) ? (void)0 : (printf("line %d: %s\n", __LINE__, #condition), fflush(stdout), _exit(1)))

enum { COUNTER = SGK_SHIM_LIVE, THREADS = 4, ROUNDS = 200000 };

static int places(void) {
    int count = 0;
    for (sgk_shim_place *place = first; place != NULL; place = place->next) count++;
    return count;
}

static void *count_one(void *context) { return sgk_shim_count(COUNTER, 1), context; }

static void start_and_join(void *(*body)(void *)) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, body, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

/* Of a key that was created later, so that its destructor runs after the slot was returned. */
static pthread_key_t late_key;
static int late_calls;
static void count_late(void *value) {
    (void)value;
    CHECK(sgk_shim_place_here == &shared);
    sgk_shim_count(COUNTER, 1);
    late_calls++;
}
static void *end_late(void *context) {
    sgk_shim_count(COUNTER, 1);
    return pthread_setspecific(late_key, &late_calls), context;
}

static void *come_and_go(void *context) {
    for (int i = 0; i < ROUNDS / 100; i++) start_and_join(count_one);
    for (int i = 0; i < ROUNDS; i++) sgk_shim_count(COUNTER, i % 2 ? -1 : 2);
    return context;
}

static int64_t storm(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, come_and_go, NULL) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return THREADS * (ROUNDS / 100 + ROUNDS / 2);
}

int main(void) {
    int64_t sum = 1;
    sgk_shim_count(COUNTER, 1);
    int before = places();
    for (int i = 0; i < 100; i++, sum++) start_and_join(count_one);
    CHECK(sgk_shim_counted(COUNTER) == sum && places() == before + 1); /* all of them in one place */

    CHECK(pthread_key_create(&late_key, count_late) == 0);
    start_and_join(end_late);
    sum += 2;
    CHECK(late_calls == 1 && sgk_shim_counted(COUNTER) == sum && shared.counters[COUNTER] == 1);

    sum += storm();
    CHECK(sgk_shim_counted(COUNTER) == sum && places() <= before + 2 * THREADS);

    /* Threads for which there is no place count together, and one that cannot be kept is given back. */
    has_no_value = true;
    before = places();
    sum += storm();
    CHECK(sgk_shim_counted(COUNTER) == sum && places() <= before + THREADS);
    for (sgk_shim_place *place = first; place != NULL; place = place->next) {
        CHECK(place->is_taken == (place == &shared || place == sgk_shim_place_here));
        place->is_taken = true;
    }
    has_no_value = false;
    has_no_memory = true;
    sum += storm();
    CHECK(sgk_shim_counted(COUNTER) == sum);
    has_no_memory = false;

    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        sgk_shim_count_anew(COUNTER);
        CHECK(sgk_shim_counted(COUNTER) == 0);
        CHECK(storm() == sgk_shim_counted(COUNTER));
        _exit(0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0 && sgk_shim_counted(COUNTER) == sum);
    return 0;
}
