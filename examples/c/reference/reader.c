/* Examples of signalkit/reader.h. */
#include "print.h"

#include <math.h>
#include <poll.h>

/* sgk_reader_create, sgk_reader_next
 * A thread asks for one value after another; at most ten wait for it. */
static void create(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_signal) elsewhere = sgk_signal_run_on(numbers, worker);
    SGK_AUTO(sgk_reader) reader = sgk_reader_create(elsewhere, SGK_BOUND(.limit = 10));
    sgk_value value;
    sgk_status status;
    while ((status = sgk_reader_next(reader, 10, &value)) == SGK_OK) {
        print(NULL, value);
        sgk_value_release(value);
    }
    puts(sgk_status_text(status));
}
/* 1
 * 2
 * 3
 * the signal has completed without a value */

/* sgk_reader_fd
 * A program with its own loop reads when the descriptor is readable. */
static void fd(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_reader) reader = sgk_reader_create(values, NULL);
    sgk_pipe_next(pipe, sgk_int(1));
    sgk_pipe_next(pipe, sgk_int(2));
    struct pollfd ready = {sgk_reader_fd(reader), POLLIN, 0};
    while (poll(&ready, 1, 0) > 0) {
        sgk_value value;
        sgk_reader_next(reader, 0, &value);
        print(NULL, value);
    }
}
/* 1
 * 2 */

static void read_one(void *reader) {
    sgk_value value;
    if (sgk_reader_next(reader, 0, &value) == SGK_OK) print("there is ", value);
}

/* sgk_reader_when_ready
 * Calls a function, without blocking, as soon as an event is available. */
static void when_ready(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_reader) reader = sgk_reader_create(values, NULL);
    sgk_reader_when_ready(reader, read_one, reader, NULL);
    puts("nothing yet");
    sgk_pipe_next(pipe, sgk_int(1));
}
/* nothing yet
 * there is 1 */

/* sgk_reader_close
 * Wakes a waiting thread, and ends the reader. */
static void reader_close(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    SGK_AUTO(sgk_reader) reader = sgk_reader_create(numbers, NULL);
    sgk_reader_close(reader);
    sgk_value value;
    puts(sgk_status_text(sgk_reader_next(reader, INFINITY, &value)));
}
/* already ended or disposed */

/* sgk_signal_get
 * The first value, for a program that has to wait for it. */
static void get(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_signal) answer = sgk_signal_timer(0.001, worker);
    sgk_value value;
    if (sgk_signal_get(answer, 10, &value) == SGK_OK) print(NULL, value);
}
/* 0 */

/* sgk_signal_collect
 * All values, at most a thousand. */
static void collect(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 3);
    sgk_value values;
    if (sgk_signal_collect(numbers, 1000, 10, &values) == SGK_OK) print(NULL, values);
    sgk_value_release(values);
}
/* [1, 2, 3] */

int main(void) {
    create();
    fd();
    when_ready();
    reader_close();
    get();
    collect();
}
