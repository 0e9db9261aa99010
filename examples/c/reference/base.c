/* Examples of signalkit/base.h. */
#include "print.h"

/* sgk_version
 * The library may be newer than the header that a program was compiled with, never older. */
static void version(void) { printf("library %s, header %s\n", sgk_version(), SGK_VERSION_STRING); }
/* library 1.0.0, header 1.0.0 */

/* sgk_status_text */
static void status_text(void) { puts(sgk_status_text(SGK_ERROR_TIMEOUT)); }
/* timed out */

/* sgk_last_error, sgk_last_status, sgk_clear_error
 * A pipeline is checked once, at its end: the first error stays. */
static void last_error(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) wrong = sgk_signal_take(numbers, -1);
    SGK_AUTO(sgk_signal) rest = sgk_signal_skip(wrong, 1);
    if (!rest) printf("%s (%d)\n", sgk_last_error(), sgk_last_status());
    sgk_clear_error();
    printf("\"%s\" (%d)\n", sgk_last_error(), sgk_last_status());
}
/* sgk_signal_take: count: must be 0 or more (-3)
 * "" (0) */

static void forward(void *pipe, sgk_value value) { sgk_pipe_next(pipe, value); }

/* sgk_retain, sgk_release
 * A handle of any type can be the context of a callback: sgk_release destroys the reference that sgk_retain adds. */
static void release(void) {
    SGK_AUTO(sgk_pipe) log = sgk_pipe_create();
    SGK_AUTO(sgk_signal) lines = sgk_pipe_signal(log);
    SGK_AUTO(sgk_disposable) listener = sgk_signal_start_next(lines, print, NULL, NULL);
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(numbers, forward, sgk_retain(log), sgk_release);
}
/* 1
 * 2 */

static void print_message(void *context, const char *message) {
    (void)context;
    puts(message);
}

static void say(void *text) { puts(text); }

/* sgk_set_log_handler
 * What the library has to say goes where the program wants it. */
static void set_log_handler(void) {
    sgk_set_log_handler(print_message, "no more messages", say);
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(failing, print, NULL, NULL);
    sgk_set_log_handler(NULL, NULL, NULL);
}
/* a subscription failed with an unhandled error: 5
 * no more messages */

/* sgk_live_count, sgk_live_total, sgk_live_text
 * Counts the live objects of a program, which should be 0 at its end. */
static void live(void) {
    sgk_signal *forgotten = sgk_signal_never();
    for (int kind = 0; kind <= SGK_LIVE_READER; kind++)
        if (sgk_live_count(kind)) printf("%s: %d\n", sgk_live_text(kind), (int)sgk_live_count(kind));
    sgk_signal_release(forgotten);
    printf("in all: %d\n", (int)sgk_live_total());
}
/* signal: 1
 * in all: 0 */

int main(void) {
    version();
    status_text();
    last_error();
    release();
    set_log_handler();
    live();
}
