#include <pthread.h>
#include <signalkit.h>
#include <stdio.h>

static void *measure(void *pipe) {
    for (int i = 1; i <= 1000; i++) sgk_pipe_next(pipe, sgk_int(i));
    return NULL;
}

static void add(void *context, sgk_value value) {
    int64_t *sum = context;
    *sum += sgk_to_int(value);
}

int main(void) {
    int64_t sum = 0;
    SGK_AUTO(sgk_pipe) readings = sgk_pipe_create();
    SGK_AUTO(sgk_signal) signal = sgk_pipe_signal(readings);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(signal, add, &sum, NULL);

    pthread_t kitchen, cellar;
    if (pthread_create(&kitchen, NULL, measure, readings) || pthread_create(&cellar, NULL, measure, readings)) return 1;
    pthread_join(kitchen, NULL);
    pthread_join(cellar, NULL);
    printf("%lld\n", (long long)sum);
}
