/* Examples of signalkit/queue_custom.h. The adapters to GLib, libuv, libev and epoll are in examples/c/loops. */
#include "print.h"

#include <signalkit/queue_custom.h>

/* A minimal loop with a capacity of ten jobs, which run on request. */
struct loop {
    int count;
    struct {
        sgk_work_fn work;
        void *context;
        sgk_destroy_fn destroy;
    } waiting[10];
};

static sgk_status enqueue(void *context, sgk_work_fn work, void *work_context, sgk_destroy_fn destroy) {
    struct loop *loop = context;
    if (loop->count == 10) return SGK_ERROR_ENDED;
    loop->waiting[loop->count].work = work;
    loop->waiting[loop->count].context = work_context;
    loop->waiting[loop->count++].destroy = destroy;
    return SGK_OK;
}

static void run_loop(struct loop *loop) {
    for (int i = 0; i < loop->count; i++) {
        loop->waiting[i].work(loop->waiting[i].context);
        loop->waiting[i].destroy(loop->waiting[i].context);
    }
    loop->count = 0;
}

/* sgk_queue_create_custom, sgk_queue_dropped
 * A minimal loop. A real loop protects its jobs by a lock, and is woken. */
static void create_custom(void) {
    struct loop loop = {0};
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.dispatch = enqueue;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create_custom(&table, &loop);
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(numbers, queue);
    SGK_AUTO(sgk_disposable) subscription = start_printing(delivered);
    puts("the loop runs");
    while (loop.count > 0) run_loop(&loop);
    printf("dropped: %d\n", (int)sgk_queue_dropped(queue));
}
/* the loop runs
 * 1
 * 2
 * completed
 * dropped: 0 */

int main(void) { create_custom(); }
