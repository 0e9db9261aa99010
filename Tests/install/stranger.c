/* A stranger's program, written from the header alone, compiled against the installed library. */
#include <signalkit.h>
#include <stdio.h>

static sgk_disposable *generate(void *context, sgk_subscriber *subscriber) {
    (void)context;
    for (int i = 1; sgk_subscriber_next(subscriber, sgk_int(i)) == SGK_OK; i++) {}
    return NULL;
}

static bool is_odd(void *context, sgk_value value) {
    (void)context;
    return sgk_to_int(value) % 2 != 0;
}

static sgk_value square(void *context, sgk_value value) {
    (void)context;
    return sgk_int(sgk_to_int(value) * sgk_to_int(value));
}

static void add(void *context, sgk_value value) { *(int64_t *)context += sgk_to_int(value); }
static void done(void *context) { printf("sum %lld\n", (long long)*(int64_t *)context); }

int main(void) {
    int64_t sum = 0;
    {
        SGK_AUTO(sgk_signal) numbers = sgk_signal_create(generate, NULL, NULL);
        SGK_AUTO(sgk_signal) odd = sgk_signal_filter(numbers, is_odd, NULL, NULL);
        SGK_AUTO(sgk_signal) squares = sgk_signal_map(odd, square, NULL, NULL);
        SGK_AUTO(sgk_signal) five = sgk_signal_take(squares, 5);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = &sum;
        handlers.next = add;
        handlers.completed = done;
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(five, &handlers);
        if (!run) {
            fprintf(stderr, "%s\n", sgk_last_error());
            return 1;
        }
    }
    return sum == 1 + 9 + 25 + 49 + 81 && sgk_live_total() == 0 ? 0 : 1;
}
