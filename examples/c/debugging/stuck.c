/* Fetches pages, one after another. It gets stuck: docs/debugging.md finds out where. */
#define _POSIX_C_SOURCE 200809L
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

atomic_int answered;
sgk_pipe *silent; /* a server */

/* The answer comes after a millisecond, except for page 3. */
sgk_signal *fetch(void *queue, sgk_value page) {
    SGK_AUTO(sgk_signal) answer = sgk_to_int(page) == 3 ? sgk_pipe_signal(silent) : sgk_signal_timer(0.001, queue);
    char name[32];
    snprintf(name, sizeof name, "page %d", (int)sgk_to_int(page));
    return sgk_signal_named_at(answer, name, SGK_HERE);
}

void show(void *context, sgk_value answer) { (void)context, (void)answer, answered++; }

int main(void) {
    silent = sgk_pipe_create();
    sgk_queue *queue = sgk_queue_create("fetching");
    SGK_AUTO(sgk_signal) pages = sgk_signal_range(1, 6);
    SGK_AUTO(sgk_signal) answers = sgk_signal_concat_map(pages, fetch, queue, NULL);
    SGK_AUTO(sgk_signal) all = sgk_signal_named_at(answers, "answers", SGK_HERE);
    sgk_disposable *subscription = sgk_signal_start_next(all, show, NULL, NULL);
    nanosleep(&(struct timespec){0, 300000000}, NULL);
    printf("%d of 6 pages; it %s\n", answered, answered < 6 ? "hangs" : "is done");
    if (answered < 6) return 1;
    sgk_disposable_release(subscription);
    sgk_queue_release(queue);
    sgk_pipe_release(silent);
    return 0;
}
