#include <signalkit.h>
#include <stdio.h>

static sgk_disposable *emit_lines(void *context, sgk_subscriber *subscriber) {
    for (const char *const *line = context; *line; line++) {
        sgk_value text = sgk_string(*line);                            /* created here, so it is ours … */
        sgk_status status = sgk_subscriber_next(subscriber, sgk_give(text));  /* … and transferred */
        if (status != SGK_OK) return NULL;                             /* the subscription has ended */
    }
    sgk_subscriber_complete(subscriber);
    return NULL;                                                       /* nothing to dispose later */
}

static sgk_value parse(void *context, sgk_value value) {
    (void)context;
    char room[32];
    double degrees;
    if (sscanf(sgk_value_data(value, NULL), "%31s %lf", room, &degrees) != 2) return sgk_dropped();
    sgk_value parts[] = {sgk_give(sgk_string(room)), sgk_double(degrees)};
    return sgk_array(parts, 2);                                        /* takes the parts over; transferred to the library */
}

static void print(void *context, sgk_value reading) {
    (void)context;
    const char *room = sgk_value_data(sgk_array_at(reading, 0), NULL); /* borrowed: good until we return */
    printf("%s: %.1f\n", room, sgk_to_double(sgk_array_at(reading, 1)));
}

int main(void) {
    static const char *const lines[] = {"kitchen 21.5", "cellar 12", "???", "kitchen 22", NULL};
    SGK_AUTO(sgk_signal) source = sgk_signal_create(emit_lines, (void *)lines, NULL);
    SGK_AUTO(sgk_signal) readings = sgk_signal_map(source, parse, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(readings, print, NULL, NULL);
    if (!subscription) return fprintf(stderr, "%s\n", sgk_last_error()), 1;
}
