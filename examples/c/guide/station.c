/* The station of docs/guide.md: two sensors, each on a queue of its own, of which one answers only at the second attempt. */
#include <signalkit.h>
#include <stdio.h>

struct sensor {
    const char *const *lines;
    int refusals;  /* so often it does not answer */
};

static sgk_disposable *ask_sensor(void *context, sgk_subscriber *subscriber) {
    struct sensor *sensor = context;
    if (sensor->refusals > 0) {
        sensor->refusals--;
        sgk_subscriber_error(subscriber, sgk_null());
        return NULL;
    }
    for (const char *const *line = sensor->lines; *line; line++) {
        if (sgk_subscriber_next(subscriber, sgk_give(sgk_string(*line))) != SGK_OK) return NULL;
    }
    sgk_subscriber_complete(subscriber);
    return NULL;
}

static bool parse(void *context, sgk_value value, sgk_value *result) {
    (void)context;
    double degrees;
    if (sscanf(sgk_value_data(value, NULL), "%lf", &degrees) != 1) return false;
    *result = sgk_double(degrees);
    return true;
}

static sgk_signal *readings(struct sensor *sensor, const char *name) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create(name);
    sgk_signal *s = sgk_signal_create(ask_sensor, sensor, NULL);
    sgk_signal_replace(&s, sgk_signal_retry(s, 0.01, 1, true, queue));
    sgk_signal_replace(&s, sgk_signal_compact_map(s, parse, NULL, NULL));
    sgk_signal_replace(&s, sgk_signal_run_on(s, queue));
    return s;
}

static sgk_value difference(void *context, const sgk_value *values, size_t count) {
    (void)context;
    (void)count;
    return sgk_double(sgk_to_double(values[0]) - sgk_to_double(values[1]));
}

static void draw(void *context, sgk_value value) {
    double *last = context;  /* a screen, in a real station */
    *last = sgk_to_double(value);
}

static void stop(void *context) {
    (void)context;
    sgk_main_stop();
}

int main(void) {
    static const char *const warm[] = {"21", "21.5", "?", "22", NULL}, *const cold[] = {"12", "11.5", NULL};
    struct sensor kitchen = {warm, 0}, cellar = {cold, 1};
    double last = 0;

    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_signal) above = readings(&kitchen, "kitchen");
    SGK_AUTO(sgk_signal) below = readings(&cellar, "cellar");
    sgk_signal *const both[] = {above, below};
    SGK_AUTO(sgk_signal) differences = sgk_combine_latest_map(both, 2, difference, NULL, NULL, NULL);
    SGK_AUTO(sgk_signal) calm = sgk_signal_throttle(differences, 0.1, main_queue);

    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = &last;
    handlers.next = draw;
    handlers.completed = stop;
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(calm, &handlers);
    if (!run) return fprintf(stderr, "%s\n", sgk_last_error()), 1;
    sgk_main_run();
    printf("the last difference: %.1f\n", last);
}
