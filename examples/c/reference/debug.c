/* Examples of signalkit/debug.h. */
#include "print.h"

#include <string.h>

static sgk_value same(void *context, sgk_value value) {
    (void)context;
    return value;
}

/* sgk_signal_describe, sgk_signal_named_at
 * Describes the stages of a signal. */
static void describe(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) named = sgk_signal_named_at(number, "number", "main.c", 12);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(named, same, NULL, NULL);
    sgk_value text = sgk_signal_describe(mapped, SGK_DEBUG_TEXT);
    fputs(sgk_value_data(text, NULL), stdout);
    sgk_value_release(text);
}
/* map
 *   named "number" (main.c:12)
 *     just */

/* Prints a message of the library, from its name on (before that it has the time, and the thread). */
static void print_message(void *name, const char *message) { puts(strstr(message, name)); }

/* sgk_signal_trace_at */
static void trace_at(void) {
    sgk_set_log_handler(print_message, "answer", NULL);
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(42));
    SGK_AUTO(sgk_signal) traced = sgk_signal_trace_at(number, "answer", "main.c", 12);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(traced, NULL);
    sgk_set_log_handler(NULL, NULL, NULL);
}
/* answer#1 (main.c:12) started
 * answer#1 (main.c:12) next 42
 * answer#1 (main.c:12) completed
 * answer#1 (main.c:12) disposed */

/* Counts the lines of a text in which there is a word. */
struct count {
    const char *word;
    int found;
};

static void count_lines(void *context, const char *text, size_t length) {
    struct count *count = context;
    char line[2000];
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    for (const char *place = line; (place = strstr(place, count->word)); place++) count->found++;
}

/* sgk_debug_watch, sgk_debug_graph
 * Describes the active subscriptions as text. Here the program only checks that the interval is in it. */
static void debug_graph(void) {
    sgk_debug_watch(true);
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(1, time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(ticks, NULL);
    struct count count = {"interval", 0};
    sgk_debug_graph(SGK_DEBUG_TEXT, count_lines, &count);
    printf("%d interval\n", count.found);
    sgk_debug_watch(false);
}
/* 1 interval */

/* sgk_debug_dump
 * Lists the live objects, and with SIGNALKIT_DEBUG=1 the places of their creation. */
static void debug_dump(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    struct count count = {"pipe", 0};
    sgk_debug_dump(count_lines, &count);
    printf("the pipe is in it: %d\n", count.found > 0);
}
/* the pipe is in it: 1 */

static void print_event(void *context, const sgk_trace_event *event) {
    (void)context;
    printf("%s %s\n", event->operation, sgk_trace_kind_text(event->kind));
}

/* sgk_set_trace_handler, sgk_trace_kind_text
 * Receives all events of subscriptions that start from now on. */
static void trace_handler(void) {
    sgk_set_trace_handler(print_event, NULL, NULL);
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(number, NULL);
    sgk_set_trace_handler(NULL, NULL, NULL);
}
/* run start
 * just start
 * just next
 * run next
 * run return
 * just completed
 * run completed
 * run return
 * just dispose
 * run dispose */

static void print_context(void *context, sgk_value value) {
    (void)context, (void)value;
    printf("span %d\n", (int)sgk_trace_context());
}

/* sgk_trace_set_context, sgk_trace_context
 * The number of a span goes with a run to wherever its callbacks are called. */
static void trace_context(void) {
    sgk_debug_watch(true);
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(1));
    SGK_AUTO(sgk_signal) elsewhere = sgk_signal_deliver_on(number, worker);
    uint64_t before = sgk_trace_set_context(7);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(elsewhere, print_context, NULL, NULL);
    sgk_trace_set_context(before);
    sgk_drain(10);
    sgk_debug_watch(false);
}
/* span 7 */

/* sgk_debug_inspect
 * From here on sgk-top shows what runs, by the socket; `%p` is the number of the process. */
static void debug_inspect(void) {
    puts(sgk_status_text(sgk_debug_inspect("/tmp/example-%p.socket")));
    puts(sgk_status_text(sgk_debug_inspect(NULL)));
}
/* success
 * success */

int main(void) {
    describe();
    trace_at();
    debug_graph();
    debug_dump();
    trace_handler();
    trace_context();
    debug_inspect();
}
