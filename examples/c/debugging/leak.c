/* Serves requests and subscribes to the news. It leaks, and docs/debugging.md shows how to find the place. */
#include <signalkit.h>
#include <stdio.h>

sgk_pipe *news; /* as long as the program runs */

void heard(void *count, sgk_value value) { *(int64_t *)count += sgk_to_int(value); }

sgk_disposable *listen_to(int64_t *count) {
    SGK_AUTO(sgk_signal) all = sgk_pipe_signal(news);
    SGK_AUTO(sgk_signal) named = sgk_signal_named_at(all, "news", SGK_HERE);
    return sgk_signal_start_next(named, heard, count, NULL);
}

int serve(int64_t *count, int request) {
    SGK_AUTO(sgk_disposable) subscription = listen_to(count);
    if (request % 2) return 404; /* without disposing the subscription */
    sgk_disposable_dispose(subscription);
    return 200;
}

int main(void) {
    news = sgk_pipe_create();
    int64_t count = 0;
    int found = 0;
    for (int request = 0; request < 10; request++) found += serve(&count, request) == 200;
    sgk_pipe_next(news, sgk_int(1));
    printf("%d of 10 found, the news heard %d times\n", found, (int)count);
    return 0;
}
