/* Examples of signalkit/queue_local.h. */
#include "print.h"

#include <signalkit/queue_local.h>
#include <stdlib.h>

/* The object: a counter, which only one queue touches, so that it needs no lock. */
static void *new_counter(void *context) {
    (void)context;
    return calloc(1, sizeof(int));
}

static void count(void *context, void *counter) {
    (void)context;
    ++*(int *)counter;
}

static void print_count(void *context, void *counter) {
    (void)context;
    printf("counted %d\n", *(int *)counter);
}

/* sgk_queue_local_create, sgk_queue_local_with, sgk_queue_local_sync_with */
static void create(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_queue_local) counter = sgk_queue_local_create(new_counter, free, NULL, NULL, worker);
    sgk_queue_local_with(counter, count, NULL, NULL);
    sgk_queue_local_with(counter, count, NULL, NULL);
    sgk_queue_local_sync_with(counter, print_count, NULL);
}
/* counted 2 */

/* Work on the queue of the object. */
static void look(void *local) {
    const int *counter = sgk_queue_local_unsafe_get(local);
    printf("on the queue: %d\n", *counter);
}

/* sgk_queue_local_unsafe_get
 * Returns the object only on its queue. */
static void unsafe_get(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_queue_local) counter = sgk_queue_local_create(new_counter, free, NULL, NULL, worker);
    sgk_queue_sync(worker, look, counter);
    if (!sgk_queue_local_unsafe_get(counter)) puts(sgk_last_error());
}
/* on the queue: 0
 * sgk_queue_local_unsafe_get: local: call this from work of its queue */

static sgk_disposable *emit_count(void *context, void *counter, sgk_subscriber *subscriber) {
    count(context, counter);
    sgk_subscriber_next(subscriber, sgk_int(*(int *)counter));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

/* sgk_queue_local_signal_with
 * A signal that asks the object. */
static void signal_with(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_queue_local) counter = sgk_queue_local_create(new_counter, free, NULL, NULL, worker);
    SGK_AUTO(sgk_signal) next = sgk_queue_local_signal_with(counter, emit_count, NULL, NULL);
    SGK_AUTO(sgk_signal) twice = sgk_signal_repeat(next, 2);
    SGK_AUTO(sgk_disposable) subscription = start_printing(twice);
    sgk_drain(10);
}
/* 1
 * 2
 * completed */

int main(void) {
    create();
    unsafe_get();
    signal_with();
}
