/* Fusion of two sensors with sharing and a late subscriber, in virtual time. */
#include <math.h>
#include <signalkit.h>
#include <stdio.h>

/* An implausible reading is dropped. */
static sgk_value measure(void *rate, sgk_value tick) {
    double reading = 20 + 8 * sin((double)sgk_to_int(tick) * *(const double *)rate);
    return reading < 27.5 ? sgk_double(reading) : sgk_dropped();
}

static sgk_signal *sensor(double seconds, const double *rate, sgk_queue *clock) {
    sgk_signal *s = sgk_signal_interval(seconds, clock);
    SGK_STAGE(map, s, measure, (void *)rate, NULL);
    return s;
}

static sgk_value average(void *context, const sgk_value *readings, size_t count) {
    (void)context;
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += sgk_to_double(readings[i]);
    return sgk_double(sum / (double)count);
}

static sgk_value smooth(void *context, sgk_value before, sgk_value reading) {
    (void)context;
    if (before.kind == SGK_NULL) return reading;
    return sgk_double(0.7 * sgk_to_double(before) + 0.3 * sgk_to_double(reading));
}

static bool is_close(void *context, sgk_value before, sgk_value reading) {
    (void)context;
    return fabs(sgk_to_double(before) - sgk_to_double(reading)) < 0.05;
}

static void print(void *name, sgk_value value) { printf("%s %.2f\n", (const char *)name, sgk_to_double(value)); }

int main(void) {
    static const double rates[] = {0.3, 0.2};
    SGK_AUTO(sgk_queue) clock = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) inside = sensor(0.5, &rates[0], clock);
    SGK_AUTO(sgk_signal) outside = sensor(0.7, &rates[1], clock);
    SGK_AUTO(sgk_signal) s = sgk_combine_latest_map(SGK_LIST(sgk_signal *, inside, outside), SGK_FN(average), NULL);
    SGK_STAGE(scan, s, sgk_null(), SGK_FN(smooth));
    SGK_STAGE(distinct_until_changed_by, s, SGK_FN(is_close));
    SGK_STAGE(share, s, 1, 0, NULL);
    SGK_AUTO_DISPOSE display = sgk_signal_start_next(s, print, "display", NULL);
    sgk_queue_advance(clock, 3);
    SGK_AUTO_DISPOSE late = sgk_signal_start_next(s, print, "late", NULL);
    sgk_queue_advance(clock, 2);
    return 0;
}
