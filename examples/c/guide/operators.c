#include <signalkit.h>
#include <stdio.h>
#include <stdlib.h>

struct limit {
    double degrees;
};

static bool is_warm(void *context, sgk_value value) {
    const struct limit *limit = context;
    return sgk_to_double(value) >= limit->degrees;
}

static sgk_value to_fahrenheit(void *context, sgk_value value) {
    (void)context;
    return sgk_double(sgk_to_double(value) * 9 / 5 + 32);
}

static sgk_signal *warm_in_fahrenheit(sgk_signal *celsius, double degrees) {
    struct limit *limit = malloc(sizeof *limit);
    if (!limit) return NULL;
    limit->degrees = degrees;
    sgk_signal *s = sgk_signal_filter(celsius, is_warm, limit, free);
    SGK_STAGE(distinct_until_changed, s);
    SGK_STAGE(map, s, SGK_FN(to_fahrenheit));
    return s;
}

static void print(void *context, sgk_value value) {
    (void)context;
    printf("%.1f F\n", sgk_to_double(value));
}

static void print_end(void *context) {
    (void)context;
    puts("that was all");
}

int main(void) {
    SGK_AUTO(sgk_pipe) sensor = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(sensor);
    sgk_signal_replace(&s, warm_in_fahrenheit(s, 20));
    SGK_STAGE(take, s, 2);

    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.completed = print_end;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(s, &handlers);
    if (!subscription) return fprintf(stderr, "%s\n", sgk_last_error()), 1;

    static const double degrees[] = {19, 20, 20, 15, 25, 30};
    for (int i = 0; i < 6; i++) sgk_pipe_next(sensor, sgk_double(degrees[i]));
}
