/* Examples of signalkit/callback.h. */
#include "print.h"

#include <signalkit/callback.h>
#include <stdlib.h>

typedef void (*listener)(int code, const char *text);

/* A library that takes a function without a context. */
static void some_library(listener tell) {
    tell(1, "begin");
    tell(2, "end");
}

/* sgk_callback_create, sgk_callback_function, sgk_callback_signal
 * The calls of a function that is made at run time are events. */
static void create(void) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i32, cstr) -> void");
    SGK_AUTO(sgk_callback) callback = sgk_callback_create(signature, sgk_null(), NULL, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(calls, print, NULL, NULL);
    some_library((listener)sgk_callback_function(callback));
}
/* [1, begin]
 * [2, end] */

typedef int (*comparison)(const void *, const void *);

/* Compares two ints; the context says in which order. */
static int32_t compare(const int *order, const int *a, const int *b) { return *order * ((*a > *b) - (*a < *b)); }

/* sgk_callback_create_typed
 * qsort has no context for its comparison; this one has. */
static void create_typed(void) {
    int order = -1, numbers[] = {1, 3, 2};
    sgk_signature *of_qsort = sgk_signature_shared("(ptr, ptr) -> i32");
    SGK_AUTO(sgk_callback) callback =
        sgk_callback_create_typed(of_qsort, sgk_int(0), SGK_TYPED(compare, "(ctx, ptr, ptr) -> i32"), &order, NULL);
    qsort(numbers, 3, sizeof *numbers, (comparison)sgk_callback_function(callback));
    printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
}
/* 3 2 1 */

/* sgk_callback_disposable
 * After that calls come to nothing, and the signal has completed. */
static void disposable(void) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i32, cstr) -> void");
    SGK_AUTO(sgk_callback) callback = sgk_callback_create(signature, sgk_null(), NULL, NULL, NULL);
    SGK_AUTO(sgk_signal) calls = sgk_callback_signal(callback);
    SGK_AUTO(sgk_disposable) subscription = start_printing(calls);
    SGK_AUTO(sgk_disposable) all = sgk_callback_disposable(callback);
    sgk_disposable_dispose(all);
    some_library((listener)sgk_callback_function(callback));
}
/* completed */

int main(void) {
    create();
    create_typed();
    disposable();
}
