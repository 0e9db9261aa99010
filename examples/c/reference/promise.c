/* Examples of signalkit/promise.h. */
#include "print.h"

/* sgk_promise_create, sgk_promise_set, sgk_promise_signal
 * Who listens follows whichever signal the promise was set to last. */
static void create(void) {
    SGK_AUTO(sgk_promise) station = sgk_promise_create();
    SGK_AUTO(sgk_signal) heard = sgk_promise_signal(station);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(heard, print, NULL, NULL);
    SGK_AUTO(sgk_signal) first = sgk_signal_just(sgk_give(sgk_string("news")));
    SGK_AUTO(sgk_signal) second = sgk_signal_just(sgk_give(sgk_string("music")));
    sgk_promise_set(station, first);
    sgk_promise_set(station, second);
}
/* news
 * music */

/* sgk_promise_create_value */
static void create_value(void) {
    SGK_AUTO(sgk_promise) volume = sgk_promise_create_value(sgk_int(5));
    SGK_AUTO(sgk_signal) values = sgk_promise_signal(volume);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(values, print, NULL, NULL);
}
/* 5 */

static void say(void *text) { puts(text); }

/* sgk_promise_create_initialize_on_first_access
 * The settings are read when somebody asks for them, and once. */
static void create_initialize_on_first_access(void) {
    SGK_AUTO(sgk_signal) file = sgk_signal_just(sgk_int(7));
    SGK_AUTO(sgk_signal) reading = sgk_signal_before_started(file, say, "reading the file", NULL);
    SGK_AUTO(sgk_promise) settings = sgk_promise_create_initialize_on_first_access(reading);
    puts("made");
    SGK_AUTO(sgk_signal) values = sgk_promise_signal(settings);
    SGK_AUTO(sgk_disposable) first = sgk_signal_start_next(values, print, NULL, NULL);
    SGK_AUTO(sgk_disposable) second = sgk_signal_start_next(values, print, NULL, NULL);
}
/* made
 * reading the file
 * 7
 * 7 */

/* sgk_promise_on_deinit */
static void on_deinit(void) {
    sgk_promise *promise = sgk_promise_create_value(sgk_int(1));
    sgk_promise_on_deinit(promise, say, "it is gone", NULL);
    sgk_promise_release(promise);
}
/* it is gone */

/* sgk_state_create, sgk_state_set, sgk_state_signal
 * Setting an equal value emits nothing. */
static void state_create(void) {
    SGK_AUTO(sgk_state) temperature = sgk_state_create(true);
    SGK_AUTO(sgk_signal) news = sgk_state_signal(temperature);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(news, print, NULL, NULL);
    sgk_state_set(temperature, sgk_int(20));
    sgk_state_set(temperature, sgk_int(20));
    sgk_state_set(temperature, sgk_int(21));
}
/* 20
 * 21 */

/* sgk_state_create_value, sgk_state_value */
static void state_create_value(void) {
    SGK_AUTO(sgk_state) name = sgk_state_create_value(sgk_give(sgk_string("kitchen")), true);
    sgk_value value = sgk_state_value(name);
    print("now ", value);
    sgk_value_release(value);
}
/* now kitchen */

static sgk_status add_one(void *context, sgk_value value, sgk_value *result) {
    (void)context;
    *result = sgk_int(sgk_to_int(value) + 1);
    return SGK_OK;
}

/* sgk_state_modify
 * A counter that several threads may count with. */
static void state_modify(void) {
    SGK_AUTO(sgk_state) counter = sgk_state_create_value(sgk_int(0), false);
    SGK_AUTO(sgk_signal) values = sgk_state_signal(counter);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(values, print, NULL, NULL);
    sgk_state_modify(counter, add_one, NULL);
    sgk_state_modify(counter, add_one, NULL);
}
/* 0
 * 1
 * 2 */

int main(void) {
    create();
    create_value();
    create_initialize_on_first_access();
    on_deinit();
    state_create();
    state_create_value();
    state_modify();
}
