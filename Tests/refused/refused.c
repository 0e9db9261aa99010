/* A system that refuses threads: a pool is an error then, and nothing stays of it. This pthread_create stands before the C library's. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef int (*create_fn)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int granted = -1; /* how many threads more; -1: any number */
static atomic_int calls;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    if (granted == 0) return EAGAIN;
    if (granted > 0) granted--;
    return ((create_fn)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, argument);
}

static void count(void *context) {
    (void)context;
    calls++;
}

int main(void) {
    for (int some = 0; some < 4; some++) {
        granted = some;
        sgk_thread_pool *refused = sgk_thread_pool_create(4, 0.5);
        if (refused || sgk_last_status() != SGK_ERROR_SYSTEM || strncmp(sgk_last_error(), "sgk_thread_pool_create: thread_count: ", 38) != 0) {
            printf("with %d threads: %p, %s\n", some, (void *)refused, sgk_last_error());
            return 1;
        }
    }
    granted = 4;
    sgk_thread_pool *pool = sgk_thread_pool_create(4, 0.5);
    granted = -1;
    if (!pool) return printf("four threads were to be had: %s\n", sgk_last_error()), 1;
    sgk_disposable_release(sgk_thread_pool_add_task(pool, count, NULL, NULL));
    if (sgk_drain(10) != SGK_OK || calls != 1) return printf("the pool does not run its task\n"), 1;
    sgk_thread_pool_release(pool);
    if (sgk_live_total() != 0) return printf("left alive: %lld\n", (long long)sgk_live_total()), 1;
    return 0;
}
