/* Examples of signalkit/disposable.h. */
#include "print.h"

#include <string.h>

static void say(void *text) { puts(text); }

/* sgk_disposable_dispose, sgk_disposable_state
 * Disposes a subscription, which then receives nothing more. */
static void dispose(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(values, print, NULL, NULL);
    sgk_pipe_next(pipe, sgk_int(1));
    puts(sgk_disposable_state(subscription));
    sgk_disposable_dispose(subscription);
    puts(sgk_disposable_state(subscription));
    sgk_pipe_next(pipe, sgk_int(2));
}
/* 1
 * running
 * disposed */

/* sgk_disposable_hold
 * The source of the subscription waits until the hold is released. A pipe reports the pause. */
static void hold(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(values, print, NULL, NULL);
    sgk_disposable *hold = sgk_disposable_hold(subscription);
    puts(sgk_pipe_is_paused(pipe) ? "paused" : "runs");
    sgk_disposable_release(hold);
    puts(sgk_pipe_is_paused(pipe) ? "paused" : "runs");
}
/* paused
 * runs */

/* sgk_action_disposable_create
 * The action runs once, however often it is disposed. */
static void action_disposable(void) {
    SGK_AUTO(sgk_disposable) action = sgk_action_disposable_create(say, "switched off", NULL);
    sgk_disposable_dispose(action);
    sgk_disposable_dispose(action);
}
/* switched off */

/* sgk_disposable_slot_create, sgk_disposable_slot_set
 * Stores one disposable. Setting the next one disposes the previous one. */
static void disposable_slot(void) {
    SGK_AUTO(sgk_disposable) current = sgk_disposable_slot_create();
    SGK_AUTO(sgk_disposable) first = sgk_action_disposable_create(say, "the first is over", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_action_disposable_create(say, "the second is over", NULL);
    sgk_disposable_slot_set(current, first);
    sgk_disposable_slot_set(current, second);
    sgk_disposable_dispose(current);
}
/* the first is over
 * the second is over */

/* sgk_disposable_bag_create, sgk_disposable_bag_add
 * All runs of a program are stopped at once. */
static void disposable_bag(void) {
    SGK_AUTO(sgk_disposable) all = sgk_disposable_bag_create();
    SGK_AUTO(sgk_disposable) first = sgk_action_disposable_create(say, "first", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_action_disposable_create(say, "second", NULL);
    sgk_disposable_bag_add(all, first);
    sgk_disposable_bag_add(all, second);
    sgk_disposable_dispose(all);
}
/* first
 * second */

/* sgk_disposable_bag_remove
 * A removed disposable is not disposed with the others. */
static void disposable_bag_remove(void) {
    SGK_AUTO(sgk_disposable) all = sgk_disposable_bag_create();
    SGK_AUTO(sgk_disposable) first = sgk_action_disposable_create(say, "first", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_action_disposable_create(say, "second", NULL);
    sgk_disposable_bag_add(all, first);
    sgk_disposable_bag_add(all, second);
    sgk_disposable_bag_remove(all, first);
    sgk_disposable_dispose(all);
}
/* second */

/* sgk_disposable_dict_create, sgk_disposable_dict_set
 * One run for each name. */
static void disposable_dict(void) {
    SGK_AUTO(sgk_disposable) downloads = sgk_disposable_dict_create();
    SGK_AUTO(sgk_disposable) first = sgk_action_disposable_create(say, "the first of a", NULL);
    SGK_AUTO(sgk_disposable) second = sgk_action_disposable_create(say, "the second of a", NULL);
    sgk_disposable_dict_set(downloads, sgk_give(sgk_string("a")), first);
    sgk_disposable_dict_set(downloads, sgk_give(sgk_string("a")), second);
    sgk_disposable_dict_set(downloads, sgk_give(sgk_string("a")), NULL);
}
/* the first of a
 * the second of a */

static void print_message(void *context, const char *message) {
    (void)context;
    const char *file = strstr(message, "main.c");
    puts(file ? file : message);
}

/* sgk_disposable_strict
 * Reports a subscription that is released without dispose, with the place of its start. */
static void strict(void) {
    sgk_set_log_handler(print_message, NULL, NULL);
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    SGK_AUTO(sgk_disposable) plain = sgk_signal_start(never, NULL);
    sgk_disposable *subscription = sgk_disposable_strict(plain, "main.c", 12);
    sgk_disposable_release(subscription);
    sgk_set_log_handler(NULL, NULL, NULL);
}
/* main.c:12: strict disposable released without dispose */

/* sgk_disposable_strict_take
 * SGK_STRICT(start) calls this function. This subscription was disposed, so there is no report. */
static void strict_take(void) {
    SGK_AUTO(sgk_signal) never = sgk_signal_never();
    sgk_disposable *started = sgk_signal_start(never, NULL);
    SGK_AUTO(sgk_disposable) subscription = sgk_disposable_strict_take(started, __FILE__, __LINE__);
    sgk_disposable_dispose(subscription);
    puts(sgk_disposable_state(subscription));
}
/* disposed */

/* sgk_disposable_dispose_at
 * SGK_AUTO_DISPOSE calls this function at the end of a scope. */
static void dispose_at(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    sgk_disposable *subscription = sgk_signal_start_next(values, print, NULL, NULL);
    sgk_pipe_next(pipe, sgk_int(1));
    sgk_disposable_dispose_at(&subscription);
    sgk_pipe_next(pipe, sgk_int(2));
}
/* 1 */

int main(void) {
    dispose();
    hold();
    action_disposable();
    disposable_slot();
    disposable_bag();
    disposable_bag_remove();
    disposable_dict();
    strict();
    strict_take();
    dispose_at();
}
