#include <signalkit.h>
#include <stdio.h>

static sgk_value difference(void *context, const sgk_value *values, size_t count) {
    (void)context;
    (void)count;
    return sgk_double(sgk_to_double(values[0]) - sgk_to_double(values[1]));
}

static void print(void *context, sgk_value value) { printf("%s %.1f\n", (const char *)context, sgk_to_double(value)); }

int main(void) {
    SGK_AUTO(sgk_pipe) kitchen = sgk_pipe_create();
    SGK_AUTO(sgk_pipe) cellar = sgk_pipe_create();
    SGK_AUTO(sgk_signal) warm = sgk_pipe_signal(kitchen);
    SGK_AUTO(sgk_signal) cold = sgk_pipe_signal(cellar);
    sgk_signal *const both[] = {warm, cold};

    SGK_AUTO(sgk_signal) differences = sgk_combine_latest_map(both, 2, difference, NULL, NULL, NULL);
    SGK_AUTO(sgk_signal) all = sgk_merge(both, 2);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(differences, print, "difference", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(all, print, "any", NULL);
    if (!first || !second) return fprintf(stderr, "%s\n", sgk_last_error()), 1;

    sgk_pipe_next(kitchen, sgk_double(21));
    sgk_pipe_next(cellar, sgk_double(12));
    sgk_pipe_next(kitchen, sgk_double(22));
}
