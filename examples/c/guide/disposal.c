#include <signalkit.h>
#include <stdio.h>
#include <stdlib.h>

struct screen {
    int64_t drawn;
};

static void draw(void *context, sgk_value value) {
    struct screen *screen = context;
    printf("drawn %lld times, now %lld\n", (long long)++screen->drawn, (long long)sgk_to_int(value));
}

static void free_screen(void *screen) {
    puts("the screen is freed");
    free(screen);
}

static void switch_off(void *context) {
    (void)context;
    puts("the radio is switched off");
}

static sgk_disposable *listen(void *context, sgk_subscriber *subscriber) {
    (void)context;
    sgk_subscriber_next(subscriber, sgk_int(1));  /* and more later, so the subscriber is retained: */
    return sgk_action_disposable_create(switch_off, sgk_subscriber_retain(subscriber), sgk_release);
}

static void say(void *context) { puts(context); }

int main(void) {
    struct screen *screen = calloc(1, sizeof *screen);
    if (!screen) return 1;
    sgk_signal *radio = sgk_signal_create(listen, NULL, NULL);
    sgk_disposable *subscription = sgk_signal_start_next(radio, draw, screen, free_screen);
    sgk_signal_release(radio);
    puts("the signal is released, the subscription continues");
    sgk_disposable_dispose(subscription);
    sgk_disposable_release(subscription);
    printf("objects left: %lld\n", (long long)sgk_live_total());

    sgk_disposable *all = sgk_disposable_bag_create();
    for (int i = 0; i < 2; i++) {
        SGK_AUTO(sgk_disposable) action = sgk_action_disposable_create(say, i == 0 ? "first" : "second", NULL);
        sgk_disposable_bag_add(all, action);
    }
    sgk_disposable_dispose(all);
    sgk_disposable_release(all);
    printf("objects left: %lld\n", (long long)sgk_live_total());
}
