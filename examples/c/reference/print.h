/* Callbacks that print, for the examples of the reference. */
#include <signalkit.h>
#include <stdio.h>

/* Prints a value. */
static inline void print(void *context, sgk_value value) {
    char text[100];
    sgk_value_describe(value, text, sizeof text);
    printf("%s%s\n", context ? (const char *)context : "", text);
}

/* Prints the error that has ended a run. */
static inline void print_error(void *context, sgk_value error) {
    (void)context;
    print("failed: ", error);
}

/* Prints that a subscription has completed. */
static inline void print_end(void *context) {
    (void)context;
    puts("completed");
}

/* Starts a signal, and prints all of its events. */
static inline sgk_disposable *start_printing(sgk_signal *signal) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = print;
    handlers.error = print_error;
    handlers.completed = print_end;
    return sgk_signal_start(signal, &handlers);
}

/* Prints a value and its time by the clock of a queue. */
static inline void print_at(void *queue, sgk_value value) {
    printf("%g s: ", sgk_queue_now(queue));
    print(NULL, value);
}
