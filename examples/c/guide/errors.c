#include <errno.h>
#include <signalkit.h>
#include <stdio.h>

/* Fails twice, then works. */
static sgk_disposable *ask_sensor(void *context, sgk_subscriber *subscriber) {
    int *attempts = context;
    printf("attempt %d\n", ++*attempts);
    if (*attempts < 3) {
        sgk_subscriber_error(subscriber, sgk_give(sgk_error(ETIMEDOUT, "no answer")));
    } else {
        sgk_subscriber_next(subscriber, sgk_double(21.5));
        sgk_subscriber_complete(subscriber);
    }
    return NULL;
}

static sgk_signal *last_known(void *context, sgk_value error) {
    (void)context;
    (void)error;
    return sgk_signal_just(sgk_double(20));
}

static void print(void *context, sgk_value value) {
    (void)context;
    printf("%.1f\n", sgk_to_double(value));
}

static void print_error(void *context, sgk_value error) {
    (void)context;
    printf("failed: %s\n", sgk_error_text(error));
}

int main(void) {
    int attempts = 0;
    SGK_AUTO(sgk_signal) reading = sgk_signal_create(ask_sensor, &attempts, NULL);

    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.error = print_error;
    SGK_AUTO(sgk_disposable) plain = sgk_signal_start(reading, &handlers);

    SGK_AUTO(sgk_signal) known = sgk_signal_catch(reading, last_known, NULL, NULL);
    SGK_AUTO(sgk_disposable) instead = sgk_signal_start(known, &handlers);

    attempts = 0;
    SGK_AUTO(sgk_signal) patient = sgk_signal_retry(reading, SGK_RETRY(.attempts = 3, .delay = SGK_AT_ONCE), NULL);
    SGK_AUTO(sgk_disposable) again = sgk_signal_start(patient, &handlers);
    return plain && instead && again ? 0 : 1;
}
