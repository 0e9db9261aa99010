/* Writes a timeline of subscriptions: a file for https://ui.perfetto.dev, or chrome://tracing.
 *
 *     timeline >trace.json
 *
 * Callbacks are slices on their threads, hops between queues are arrows, and other events are marks. The code between
 * the two lines traces. To use it in a program, call trace_into(file) at the start and trace_no_more() at the end. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signalkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---------------------------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void print_text(FILE *file, const char *text) {
    fputc('"', file);
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c < ' ') fprintf(file, "\\u%04x", c);
        else fputc(c, file);
    }
    fputc('"', file);
}

/* One event: `phase` is B for the beginning of a slice, E for its end, i for a mark, s and f for those of an arrow. */
static void print_event(FILE *file, const sgk_trace_event *e, const char *phase, const char *what, int64_t thread) {
    fprintf(file, ",\n{\"ph\":\"%s\",\"ts\":%.3f,\"pid\":1,\"tid\":%lld,\"id\":%lld,\"cat\":\"signalkit\",\"name\":", phase,
        e->time * 1e6, (long long)thread, (long long)e->run);
    print_text(file, e->name ? e->name : e->operation);
    fprintf(file, ",\"bp\":\"e\",\"s\":\"t\",\"args\":{\"what\":\"%s\",\"operator\":", what);
    print_text(file, e->operation);
    fprintf(file, ",\"parent\":%lld,\"context\":%llu}}", (long long)e->parent, (unsigned long long)e->context);
}

static void trace(void *context, const sgk_trace_event *e) {
    FILE *file = context;
    const char *what = sgk_trace_kind_text(e->kind);
    bool is_callback = e->operation[0] == 'r' && e->operation[1] == 'u'; /* "run" */
    pthread_mutex_lock(&lock);
    if (e->kind == SGK_TRACE_HOP) {
        print_event(file, e, "s", what, e->from_thread);
        print_event(file, e, "f", what, e->thread);
    } else if (e->kind == SGK_TRACE_RETURN) {
        print_event(file, e, "E", what, e->thread);
    } else if (is_callback && e->kind >= SGK_TRACE_NEXT && e->kind <= SGK_TRACE_COMPLETED) {
        print_event(file, e, "B", what, e->thread);
    } else {
        print_event(file, e, "i", what, e->thread);
    }
    pthread_mutex_unlock(&lock);
}

static void trace_into(FILE *file) {
    fputs("[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"signals\"}}", file);
    sgk_set_trace_handler(trace, file, NULL);
}

static void trace_no_more(FILE *file) {
    sgk_set_trace_handler(NULL, NULL, NULL);
    fputs("\n]\n", file);
}

/* ---------------------------------------------------------------------------------------------------------------- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Works for some seconds. */
static void work(void *context, sgk_value value) {
    (void)value;
    for (double begin = now(); now() - begin < *(const double *)context;) {}
}

static sgk_disposable *start(sgk_signal *signal, const char *name, const double *seconds) {
    SGK_AUTO(sgk_signal) named = sgk_signal_named_at(signal, name, SGK_HERE);
    return sgk_signal_start_next(named, work, (void *)seconds, NULL);
}

/* One queue logs the readings, and another sends them, which takes longer. */
int main(void) {
    static const double log_it = 0.0004, send = 0.0007;
    trace_into(stdout);
    {
        SGK_AUTO(sgk_queue) queue = sgk_queue_create("sender");
        SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
        SGK_AUTO(sgk_signal) measured = sgk_pipe_signal(pipe);
        SGK_AUTO(sgk_signal) there = sgk_signal_deliver_on(measured, queue);
        sgk_trace_set_context(4711);
        SGK_AUTO(sgk_disposable) sending = start(there, "send", &send);
        SGK_AUTO(sgk_disposable) logging = start(measured, "log", &log_it);
        for (int i = 0; i < 5; i++) sgk_pipe_next(pipe, sgk_int(i));
        sgk_drain(10);
        sgk_disposable_dispose(sending);
        sgk_disposable_dispose(logging);
    }
    trace_no_more(stdout);
    return 0;
}
