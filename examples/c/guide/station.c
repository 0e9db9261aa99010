/* The station of docs/guide.md: two sensors, each polled on its own queue. One of them sometimes does not answer. */
#include <signalkit.h>
#include <stdio.h>

#define READINGS 3  /* of each sensor; then the station closes */

struct sensor {
    const char *const *answers;  /* NULL: it does not answer */
    int64_t count, asked;
};

static sgk_value ask(void *context, sgk_value tick) {
    struct sensor *sensor = context;
    (void)tick;
    const char *answer = sensor->answers[sensor->asked++ % sensor->count];
    double degrees;
    if (!answer) return sgk_failed(sgk_null());                        /* the subscription fails; `retry` starts again */
    if (sscanf(answer, "%lf", &degrees) != 1) return sgk_dropped();    /* not a number */
    return sgk_double(degrees);
}

static sgk_signal *readings(struct sensor *sensor, const char *name) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(name);
    sgk_signal *s = sgk_signal_interval(0.01, queue);
    SGK_STAGE(map, s, ask, sensor, NULL);
    SGK_STAGE(retry, s, SGK_RETRY(.delay = 0.01, .max_delay = 1, .reset_on_value = true), queue);
    SGK_STAGE(take, s, READINGS);
    return s;
}

static sgk_value warmer(void *context, sgk_value most, sgk_value degrees) {
    (void)context;
    double before = sgk_to_double(most), now = sgk_to_double(degrees);
    return sgk_double(now > before ? now : before);
}

static sgk_value difference(void *context, const sgk_value *values, size_t count) {
    (void)context;
    (void)count;
    return sgk_double(sgk_to_double(values[0]) - sgk_to_double(values[1]));
}

static void draw(void *context, sgk_value lines) {
    double *screen = context;  /* a real one, in a real station */
    screen[0] = sgk_to_double(sgk_array_at(lines, 0));
    screen[1] = sgk_to_double(sgk_array_at(lines, 1));
}

static void stop(void *context) {
    (void)context;
    sgk_main_stop();
}

int main(void) {
    static const char *const up[] = {"21", "22", "?", "21.5"}, *const down[] = {"12", NULL, "11", "11.5"};
    struct sensor upstairs = {up, 4, 0}, downstairs = {down, 4, 0};
    double screen[2] = {0, 0};

    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) kitchen = readings(&upstairs, "kitchen");
    SGK_AUTO(sgk_signal) cellar = readings(&downstairs, "cellar");
    SGK_STAGE(share, kitchen, 1, 0, NULL);

    SGK_AUTO(sgk_signal) warmest = sgk_signal_scan(kitchen, sgk_double(-273), warmer, NULL, NULL);
    sgk_signal *const both[] = {kitchen, cellar};
    SGK_AUTO(sgk_signal) differences = sgk_combine_latest_map(both, 2, difference, NULL, NULL, NULL);

    sgk_signal *const lines[] = {warmest, differences};
    SGK_AUTO(sgk_signal) all = sgk_combine_latest(lines, 2, NULL);
    SGK_AUTO(sgk_signal) calm = sgk_signal_throttle(all, 0.1, SGK_EDGES_BOTH, main_queue);

    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = screen;
    handlers.next = draw;
    handlers.completed = stop;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(calm, &handlers);
    if (!subscription) return fprintf(stderr, "%s\n", sgk_last_error()), 1;
    sgk_main_run();
    printf("the warmest: %.1f, the last difference: %.1f\n", screen[0], screen[1]);
}
