/*
 * A program with a data race: the main thread reads a variable while another thread may change it in a callback.
 * ThreadSanitizer reports it (docs/platforms.md#threadsanitizer).
 */
#include <pthread.h>
#include <signalkit.h>
#include <stdio.h>

static int count;

static void add(void *context, sgk_value value) {
    (void)context, (void)value;
    count++;
}

static void *emit(void *pipe) {
    for (int i = 0; i < 1000; i++) sgk_pipe_next(pipe, sgk_int(i));
    return NULL;
}

int main(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) s = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(s, add, NULL, NULL);
    pthread_t thread;
    int seen = 0;
    if (!subscription || pthread_create(&thread, NULL, emit, pipe) != 0) return 1;
    for (int i = 0; i < 1000; i++) seen += count > 0; /* the race: this thread does not wait for the other one */
    printf("%d\n", seen);
    pthread_join(thread, NULL);
    sgk_disposable_dispose(subscription);
}
