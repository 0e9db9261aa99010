/* A program that returns from `main` while its queues are at work: that ends it, and nothing else. */
#include <signalkit.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_int rounds;
static void *kept[16]; /* so that nobody takes it for a leak */

static void go_on(void *queue) {
    free(malloc(100));
    rounds++;
    sgk_queue_dispatch(queue, go_on, queue, NULL);
}

static void sleep_long(void *context) {
    (void)context;
    sleep(1000);
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int i = 0; i < 4; i++) {
        sgk_queue *queue = kept[i] = i % 2 ? sgk_queue_create("at work") : sgk_queue_concurrent_default();
        sgk_queue *asleep = kept[4 + i] = sgk_queue_create("asleep");
        sgk_queue_dispatch(queue, go_on, queue, NULL);
        sgk_queue_dispatch(i < 2 ? queue : asleep, sleep_long, NULL, NULL);
        kept[8 + i] = sgk_queue_after(queue, 0.0001 * i, go_on, queue, NULL);
    }
    kept[12] = sgk_thread_pool_create(2, 0.5);
    while (rounds < 1000) nanosleep(&(struct timespec){0, 100000}, NULL);
    return 0;
}
