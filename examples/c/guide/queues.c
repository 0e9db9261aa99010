#include <signalkit.h>
#include <stdio.h>

struct sensor {
    sgk_pipe *pipe;
    int64_t count;
};

/* On the sensor's queue. */
static void measure(void *context) {
    struct sensor *sensor = context;
    sgk_pipe_next(sensor->pipe, sgk_int(++sensor->count));
}

/* Called on the main thread. */
static void draw(void *context, sgk_value value) {
    sgk_queue *main_queue = context;
    printf("reading %lld, on the main thread: %s\n", (long long)sgk_to_int(value), sgk_queue_is_current(main_queue) ? "yes" : "no");
}

static void stop(void *context) {
    (void)context;
    sgk_main_stop();
}

static void nothing(void *context) { (void)context; }

int main(void) {
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_queue) measuring = sgk_queue_create("measuring");
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    struct sensor sensor = {pipe, 0};
    SGK_AUTO(sgk_timer) timer = sgk_timer_create(0.01, true, measure, &sensor, NULL, measuring);

    SGK_AUTO(sgk_signal) readings = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) three = sgk_signal_take(readings, 3);
    SGK_AUTO(sgk_signal) delivered = sgk_signal_deliver_on(three, main_queue);

    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = main_queue;
    handlers.next = draw;
    handlers.completed = stop;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(delivered, &handlers);
    if (!subscription || sgk_timer_start(timer) != SGK_OK) return fprintf(stderr, "%s\n", sgk_last_error()), 1;
    sgk_main_run();

    sgk_timer_invalidate(timer);
    sgk_queue_sync(measuring, nothing, NULL);  /* now `measure` is not running: `sensor` may be released */
}
