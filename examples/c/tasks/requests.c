/* Requests with retry, timeout and cancellation over a pool: at most two at a time, each with three attempts. */
#define _DEFAULT_SOURCE
#include <signalkit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* This replaces a network. The first attempt of /flaky fails, and /slow never answers. */
static sgk_disposable *fetch(void *url, sgk_subscriber *subscriber) {
    static atomic_int failures;
    while (strcmp(url, "/slow") == 0 && sgk_subscriber_is_active(subscriber)) usleep(1000); /* until it is cancelled */
    if (strcmp(url, "/flaky") == 0 && atomic_fetch_add(&failures, 1) == 0)
        sgk_subscriber_error(subscriber, sgk_give(sgk_string("connection reset")));
    sgk_subscriber_next(subscriber, sgk_give(sgk_string_f("%s: 200 OK", (const char *)url)));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

static sgk_signal *give_up(void *url, sgk_value error) {
    return sgk_signal_just(sgk_give(sgk_string_f("%s: %s", (const char *)url, sgk_to_text(error))));
}

static sgk_signal *request(void *pool, sgk_value url) {
    sgk_signal *s = sgk_signal_create(fetch, strdup(sgk_to_text(url)), free);
    SGK_STAGE(run_on, s, pool);
    SGK_STAGE(timeout, s, 0.5, sgk_queue_main());
    SGK_STAGE(retry, s, SGK_RETRY(.attempts = 3, .delay = 0.05), sgk_queue_main());
    SGK_STAGE(catch, s, give_up, strdup(sgk_to_text(url)), free);
    return s;
}

static void print(void *context, sgk_value value) {
    (void)context;
    printf("%s\n", sgk_to_text(value));
}

int main(void) {
    SGK_AUTO(sgk_queue) pool = sgk_queue_create_concurrent("requests", 2);
    SGK_AUTO(sgk_signal) s = sgk_signal_from_array(SGK_LIST(sgk_value, sgk_give(sgk_string("/a")),
        sgk_give(sgk_string("/slow")), sgk_give(sgk_string("/flaky")), sgk_give(sgk_string("/b"))));
    SGK_STAGE(merge_map, s, 2, NULL, request, pool, NULL);
    SGK_STAGE(deliver_on, s, sgk_queue_main());
    SGK_AUTO_DISPOSE run = sgk_signal_start_next(s, print, NULL, NULL);
    sgk_main_run_until(run, 30); /* the user gives up after 30 seconds: the end of the block cancels the requests */
    return 0;
}
