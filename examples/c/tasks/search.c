/* Search as you type, with debounce and switch over an event loop (poll): each line of the input is the text of the
 * field after a key. */
#define _DEFAULT_SOURCE
#include <poll.h>
#include <signalkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const words[] = {"signal", "signature", "single", "sink", "subscriber", "switch"};

static sgk_disposable *look_up(void *text, sgk_subscriber *subscriber) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(words[i], text, strlen(text)) == 0)
            sgk_subscriber_next(subscriber, sgk_give(sgk_string(words[i])));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

/* The next text cancels the search, also while it waits for its queue. */
static sgk_signal *search(void *index, sgk_value text) {
    sgk_signal *s = sgk_signal_create(look_up, strdup(sgk_to_text(text)), free);
    SGK_STAGE(to_array, s, NULL);
    SGK_STAGE(delay_start, s, 0.02, index);
    return s;
}

/* Without the spaces at its end. A shorter text is dropped. */
static sgk_value trim(void *context, sgk_value text) {
    (void)context;
    size_t length = strlen(sgk_to_text(text));
    while (length > 0 && sgk_to_text(text)[length - 1] == ' ') length--;
    return length < 2 ? sgk_dropped() : sgk_string_n(sgk_to_text(text), length);
}

static void show(void *context, sgk_value found) {
    (void)context;
    size_t count;
    const sgk_value *items = sgk_array_items(found, &count);
    printf("%zu found:", count);
    for (size_t i = 0; i < count; i++) printf(" %s", sgk_to_text(items[i]));
    printf("\n");
}

static void end(void *ended) { *(bool *)ended = true; }

int main(void) {
    bool ended = false;
    SGK_AUTO(sgk_queue) index = sgk_queue_create("index");
    SGK_AUTO(sgk_signal) s = sgk_signal_fd_lines(STDIN_FILENO, 1024, sgk_queue_main());
    SGK_STAGE(map, s, SGK_FN(trim));
    SGK_STAGE(debounce, s, 0.05, sgk_queue_main());
    SGK_STAGE(distinct_until_changed, s);
    SGK_STAGE(switch_map, s, search, index, NULL);
    SGK_STAGE(deliver_on, s, sgk_queue_main());
    SGK_AUTO_DISPOSE run = sgk_signal_start(s, SGK_HANDLERS(.next = show, .completed = end, .context = &ended));
    struct pollfd fds[] = {{sgk_main_fd(), POLLIN, 0}};
    while (run && !ended && poll(fds, 1, -1) > 0) sgk_main_drain();
    return 0;
}
