/* Examples of signalkit/signal.h. */
#include "print.h"

#include <stdlib.h>

static void switch_off(void *context) {
    (void)context;
    puts("the radio is switched off");
}

static sgk_disposable *listen(void *context, sgk_subscriber *subscriber) {
    (void)context;
    sgk_subscriber_next(subscriber, sgk_give(sgk_string("music")));
    return sgk_action_disposable_create(switch_off, NULL, NULL);
}

/* sgk_signal_create, sgk_signal_start_next
 * A custom source, which returns a disposable that stops it. */
static void create(void) {
    SGK_AUTO(sgk_signal) radio = sgk_signal_create(listen, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(radio, print, NULL, NULL);
    sgk_disposable_dispose(subscription);
}
/* music
 * the radio is switched off */

/* sgk_signal_retain, sgk_signal_release, sgk_*_retain, sgk_*_release
 * Use these without SGK_AUTO, and to store a handle. Release each handle that you retained or that a function
 * returned. */
static void references(void) {
    sgk_signal *number = sgk_signal_just(sgk_int(1));
    sgk_signal *same = sgk_signal_retain(number);
    sgk_signal_release(number);
    sgk_disposable *subscription = sgk_signal_start_next(same, print, NULL, NULL);
    sgk_signal_release(same);
    sgk_disposable_release(subscription);
    printf("alive: %d\n", (int)sgk_live_total());
}
/* 1
 * alive: 0 */

/* sgk_signal_replace, sgk_*_replace
 * One variable is enough for a pipeline. The previous handle is released. */
static void replace(void) {
    SGK_AUTO(sgk_signal) s = sgk_signal_range(1, 100);
    sgk_signal_replace(&s, sgk_signal_skip(s, 10));
    sgk_signal_replace(&s, sgk_signal_take(s, 2));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(s, print, NULL, NULL);
}
/* 11
 * 12 */

/* sgk_signal_just */
static void just(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(7));
    SGK_AUTO(sgk_disposable) subscription = start_printing(number);
}
/* 7
 * completed */

/* sgk_signal_empty */
static void empty(void) {
    SGK_AUTO(sgk_signal) nothing = sgk_signal_empty();
    SGK_AUTO(sgk_disposable) subscription = start_printing(nothing);
}
/* completed */

/* sgk_signal_fail */
static void fail(void) {
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_give(sgk_string("no answer")));
    SGK_AUTO(sgk_disposable) subscription = start_printing(failing);
}
/* failed: no answer */

/* sgk_signal_never */
static void never(void) {
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    SGK_AUTO(sgk_signal) silent = sgk_signal_never();
    SGK_AUTO(sgk_signal) instead = sgk_signal_just(sgk_give(sgk_string("nothing has come")));
    SGK_AUTO(sgk_signal) timed = sgk_signal_timeout(silent, 60, time);
    SGK_AUTO(sgk_signal) watched = sgk_signal_catch_with(timed, instead);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(watched, print, NULL, NULL);
    sgk_queue_advance(time, 60);
}
/* nothing has come */

/* sgk_signal_value, sgk_to_signal
 * A signal as a value, and back. */
static void signal_value(void) {
    SGK_AUTO(sgk_signal) number = sgk_signal_just(sgk_int(7));
    sgk_value value = sgk_signal_value(number);
    SGK_AUTO(sgk_signal) same = sgk_to_signal(value);
    sgk_value_release(value);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(same, print, NULL, NULL);
}
/* 7 */

/* Counts as long as somebody listens. */
static sgk_disposable *count(void *context, sgk_subscriber *subscriber) {
    (void)context;
    int64_t number = 0;
    while (sgk_subscriber_next(subscriber, sgk_int(number)) == SGK_OK) number++;
    printf("stopped at %d\n", (int)number);
    return NULL;
}

/* sgk_subscriber_next
 * A source that emits in a loop ends when nobody wants more. */
static void subscriber_next(void) {
    SGK_AUTO(sgk_signal) numbers = sgk_signal_create(count, NULL, NULL);
    SGK_AUTO(sgk_signal) two = sgk_signal_take(numbers, 2);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(two, print, NULL, NULL);
}
/* 0
 * 1
 * stopped at 1 */

static sgk_disposable *fail_half_way(void *context, sgk_subscriber *subscriber) {
    (void)context;
    sgk_subscriber_next(subscriber, sgk_int(1));
    sgk_subscriber_error(subscriber, sgk_give(sgk_string("the connection is lost")));
    return NULL;
}

/* sgk_subscriber_error, sgk_signal_start */
static void subscriber_error(void) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.error = print_error;
    SGK_AUTO(sgk_signal) source = sgk_signal_create(fail_half_way, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(source, &handlers);
}
/* 1
 * failed: the connection is lost */

/* sgk_subscriber_create, sgk_subscriber_complete, sgk_subscriber_is_active
 * A subscriber without a signal obeys the rules, too: it receives nothing after the completion. */
static void subscriber_create(void) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.completed = print_end;
    SGK_AUTO(sgk_subscriber) subscriber = sgk_subscriber_create(&handlers);
    sgk_subscriber_next(subscriber, sgk_int(1));
    printf("active: %d\n", sgk_subscriber_is_active(subscriber));
    sgk_subscriber_complete(subscriber);
    sgk_subscriber_next(subscriber, sgk_int(2));
    printf("active: %d\n", sgk_subscriber_is_active(subscriber));
}
/* 1
 * active: 1
 * completed
 * active: 0 */

static void close_file(void *name) { printf("%s is closed\n", (char *)name); }

static sgk_disposable *read_file(void *context, sgk_subscriber *subscriber) {
    (void)context;
    sgk_subscriber_keep_alive(subscriber, "the file", close_file);
    sgk_subscriber_next(subscriber, sgk_give(sgk_string("a line")));
    sgk_subscriber_complete(subscriber);
    return NULL;
}

/* sgk_subscriber_keep_alive
 * Releases the objects of a subscription at its end. */
static void keep_alive(void) {
    SGK_AUTO(sgk_signal) lines = sgk_signal_create(read_file, NULL, NULL);
    SGK_AUTO(sgk_disposable) subscription = start_printing(lines);
}
/* a line
 * completed
 * the file is closed */

static sgk_disposable *subscribe(void *context, sgk_subscriber *subscriber) {
    (void)context;
    sgk_subscriber_on_dispose(subscriber, switch_off, NULL, NULL);
    sgk_subscriber_next(subscriber, sgk_give(sgk_string("news")));
    puts("the generator goes on, and returns");
    return NULL;
}

/* sgk_subscriber_on_dispose
 * Notifies a disposed subscription immediately, while its generator is running. */
static void on_dispose(void) {
    SGK_AUTO(sgk_signal) radio = sgk_signal_create(subscribe, NULL, NULL);
    SGK_AUTO(sgk_signal) one = sgk_signal_take(radio, 1);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(one, print, NULL, NULL);
}
/* news
 * the radio is switched off
 * the generator goes on, and returns */

struct producer {
    sgk_subscriber *subscriber;
    sgk_queue *queue;
    int next;
};

/* Emits up to a pause, and continues after it. */
static void emit(void *context) {
    struct producer *p = context;
    while (p->next < 4 && !sgk_subscriber_is_paused(p->subscriber))
        sgk_subscriber_next(p->subscriber, sgk_int(++p->next));
    printf("stopped after %d\n", p->next);
    if (p->next < 4) sgk_subscriber_on_resume(p->subscriber, emit, p, NULL, p->queue);
}

static sgk_disposable *begin_to_emit(void *context, sgk_subscriber *subscriber) {
    ((struct producer *)context)->subscriber = sgk_subscriber_retain(subscriber);
    emit(context);
    return NULL;
}

/* sgk_subscriber_is_paused, sgk_subscriber_on_resume
 * A generator that obeys pauses loses no value, and never exceeds a limit. */
static void on_resume(void) {
    struct producer all = {0};
    SGK_AUTO(sgk_queue) time = sgk_queue_create_virtual(NULL);
    all.queue = time;
    SGK_AUTO(sgk_signal) numbers = sgk_signal_create(begin_to_emit, &all, NULL);
    SGK_AUTO(sgk_signal)
    bounded = sgk_signal_deliver_on_bounded(numbers, SGK_BOUND(.limit = 2, .overflow = SGK_OVERFLOW_PAUSE), time);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(bounded, print, NULL, NULL);
    sgk_queue_run(time, 100);
    sgk_subscriber_release(all.subscriber);
}
/* stopped after 2
 * 1
 * 2
 * 3
 * 4
 * stopped after 4 */

static void keep(void *last, sgk_value value) { *(int *)last = (int)sgk_to_int(value); }

/* sgk_signal_start_waitable, sgk_disposable_dispose_and_wait
 * After this call no callback runs on any thread, so the program may free their data. */
static void start_waitable(void) {
    SGK_AUTO(sgk_queue) worker = sgk_queue_create("worker");
    SGK_AUTO(sgk_signal) ticks = sgk_signal_interval(0.001, worker);
    int *last = calloc(1, sizeof *last);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = last;
    handlers.next = keep;
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_waitable(ticks, &handlers);
    printf("%s\n", sgk_status_text(sgk_disposable_dispose_and_wait(subscription)));
    free(last);
}
/* success */

static void print_unhandled(void *context, sgk_value error, const char *name) {
    (void)context;
    printf("of %s: ", name ? name : "somebody");
    print("nobody handles ", error);
}

/* sgk_set_unhandled_error_handler
 * Errors that end a run without an error callback are not lost. */
static void unhandled(void) {
    sgk_set_unhandled_error_handler(print_unhandled, NULL, NULL);
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(failing, print, NULL, NULL);
    sgk_set_unhandled_error_handler(NULL, NULL, NULL);
}
/* of somebody: nobody handles 5 */

/* sgk_ignore_error
 * Declares that this error does not matter. */
static void ignore_error(void) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.error = sgk_ignore_error;
    SGK_AUTO(sgk_signal) failing = sgk_signal_fail(sgk_int(5));
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start(failing, &handlers);
    printf("the run has %s\n", sgk_disposable_state(subscription));
}
/* the run has ended */

int main(void) {
    create();
    references();
    replace();
    just();
    empty();
    fail();
    never();
    signal_value();
    subscriber_next();
    subscriber_error();
    subscriber_create();
    keep_alive();
    on_dispose();
    on_resume();
    start_waitable();
    unhandled();
    ignore_error();
}
