/* Examples of signalkit/event_link.h. */
#include "print.h"

#include <signalkit/event_link.h>

static bool is_warm(void *context, sgk_value value) {
    (void)context;
    return sgk_to_double(value) >= 20;
}

/* sgk_event_emitter_create, sgk_event_link_filter, sgk_event_link_on_next, sgk_event_emitter_next */
static void emitter(void) {
    SGK_AUTO(sgk_event_link) temperature = sgk_event_emitter_create();
    SGK_AUTO(sgk_event_link) warm = sgk_event_link_filter(temperature, is_warm, NULL, NULL);
    sgk_event_link_on_next(warm, print, NULL, NULL, NULL);
    sgk_event_emitter_next(temperature, sgk_int(18));
    sgk_event_emitter_next(temperature, sgk_int(21));
}
/* 21 */

/* sgk_event_emitter_create_value
 * The value waits for the first who observes. */
static void emitter_value(void) {
    SGK_AUTO(sgk_event_link) volume = sgk_event_emitter_create_value(sgk_int(5));
    sgk_event_link_on_next(volume, print, NULL, NULL, NULL);
}
/* 5 */

/* sgk_event_emitter_error, sgk_event_link_on_error */
static void emitter_error(void) {
    SGK_AUTO(sgk_event_link) sensor = sgk_event_emitter_create();
    sgk_event_link_on_error(sensor, print_error, NULL, NULL, NULL);
    sgk_event_emitter_error(sensor, sgk_give(sgk_string("no answer")));
}
/* failed: no answer */

/* sgk_event_emitter_finish, sgk_event_link_on_finish */
static void emitter_finish(void) {
    SGK_AUTO(sgk_event_link) sensor = sgk_event_emitter_create();
    sgk_event_link_on_finish(sensor, print_end, NULL, NULL, NULL);
    sgk_event_emitter_finish(sensor);
}
/* completed */

static sgk_value to_fahrenheit(void *context, sgk_value value) {
    (void)context;
    return sgk_double(sgk_to_double(value) * 9 / 5 + 32);
}

/* sgk_event_link_map */
static void map(void) {
    SGK_AUTO(sgk_event_link) celsius = sgk_event_emitter_create();
    SGK_AUTO(sgk_event_link) fahrenheit = sgk_event_link_map(celsius, to_fahrenheit, NULL, NULL);
    sgk_event_link_on_next(fahrenheit, print, NULL, NULL, NULL);
    sgk_event_emitter_next(celsius, sgk_int(20));
}
/* 68 */

/* Halves of even numbers. */
/* sgk_event_link_observer
 * An observer can be published: others can subscribe to it but not emit. */
static void observer(void) {
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_event_link) shown = sgk_event_link_observer(emitter);
    sgk_event_link_on_next(shown, print, NULL, NULL, NULL);
    sgk_event_emitter_next(emitter, sgk_int(1));
    puts(sgk_status_text(sgk_event_emitter_next(shown, sgk_int(2))));
}
/* 1
 * not a live handle of the required kind */

/* sgk_event_link_unlink */
static void unlink_link(void) {
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_event_link) link = sgk_event_link_observer(emitter);
    sgk_event_link_on_next(link, print, NULL, NULL, NULL);
    sgk_event_emitter_next(emitter, sgk_int(1));
    sgk_event_link_unlink(link);
    sgk_event_emitter_next(emitter, sgk_int(2));
}
/* 1 */

/* sgk_event_link_signal
 * A chain of links as a signal, with all of its operators. */
static void link_signal(void) {
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_signal) values = sgk_event_link_signal(emitter);
    SGK_AUTO(sgk_signal) first = sgk_signal_take(values, 1);
    SGK_AUTO(sgk_disposable) subscription = start_printing(first);
    sgk_event_emitter_next(emitter, sgk_int(1));
}
/* 1
 * completed */

/* sgk_event_link_from_signal
 * And a signal as a link. */
static void signal_link(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_range(1, 2);
    SGK_AUTO(sgk_event_link) link = sgk_event_link_from_signal(numbers);
    sgk_event_link_on_next(link, print, NULL, NULL, NULL);
    sgk_event_link_on_finish(link, print_end, NULL, NULL, NULL);
}
/* 1
 * 2
 * completed */

/* sgk_link_bag_create, sgk_link_bag_add, sgk_link_bag_clear
 * What a window observes is held by its bag, and unlinked with it. */
static void link_bag(void) {
    SGK_AUTO(sgk_event_link) emitter = sgk_event_emitter_create();
    SGK_AUTO(sgk_link_bag) bag = sgk_link_bag_create();
    sgk_event_link *link = sgk_event_link_observer(emitter);
    sgk_event_link_on_next(link, print, NULL, NULL, NULL);
    sgk_link_bag_add(bag, link);
    sgk_event_link_release(link);
    sgk_event_emitter_next(emitter, sgk_int(1));
    sgk_link_bag_clear(bag);
    sgk_event_emitter_next(emitter, sgk_int(2));
}
/* 1 */

int main(void) {
    emitter();
    emitter_value();
    emitter_error();
    emitter_finish();
    map();
    observer();
    unlink_link();
    link_signal();
    signal_link();
    link_bag();
}
