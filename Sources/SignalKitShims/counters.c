#include "shims/counters.h"

#include <pthread.h>
#include <stdlib.h>

_Thread_local sgk_shim_place *sgk_shim_place_here = NULL;

/* For threads that are ending, and those for which there was no memory. It is the last in the list, which only
 * grows. */
static sgk_shim_place shared = {.is_taken = true, .is_shared = true};
static sgk_shim_place *first = &shared;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

/* Called when the thread ends. Counts from destructors that run later go to the shared place. */
static void leave(void *place) {
    sgk_shim_place_here = &shared;
    __atomic_store_n(&((sgk_shim_place *)place)->is_taken, false, __ATOMIC_RELEASE);
}

static void make_key(void) { has_key = pthread_key_create(&key, leave) == 0; }

static sgk_shim_place *find_free(void) {
    for (sgk_shim_place *place = __atomic_load_n(&first, __ATOMIC_ACQUIRE); place != NULL; place = place->next) {
        if (!__atomic_load_n(&place->is_taken, __ATOMIC_RELAXED) &&
            !__atomic_exchange_n(&place->is_taken, true, __ATOMIC_ACQUIRE))
            return place;
    }
    return NULL;
}

static sgk_shim_place *make(void) {
    enum { LINE = 64 };
    sgk_shim_place *place = aligned_alloc(LINE, (sizeof *place + LINE - 1) / LINE * LINE);
    if (place == NULL) return NULL;
    *place = (sgk_shim_place){.is_taken = true, .next = __atomic_load_n(&first, __ATOMIC_ACQUIRE)};
    while (!__atomic_compare_exchange_n(&first, &place->next, place, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {}
    return place;
}

sgk_shim_place *sgk_shim_take_place(void) {
    sgk_shim_place_here = &shared;
    (void)pthread_once(&once, make_key);
    sgk_shim_place *place = has_key ? find_free() : NULL;
    if (place == NULL && has_key) place = make();
    if (place == NULL) return &shared;
    if (pthread_setspecific(key, place) != 0) {
        leave(place);
        return &shared;
    }
    return sgk_shim_place_here = place;
}

int64_t sgk_shim_counted(uint32_t counter) {
    int64_t sum = 0;
    for (sgk_shim_place *place = __atomic_load_n(&first, __ATOMIC_ACQUIRE); place != NULL; place = place->next) {
        sum += __atomic_load_n(&place->counters[counter], __ATOMIC_ACQUIRE);
    }
    return sum;
}

void sgk_shim_count_anew(uint32_t counter) {
    for (sgk_shim_place *place = first; place != NULL; place = place->next) place->counters[counter] = 0;
}
