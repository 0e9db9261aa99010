/* Shared code of the tests of misuse. */
#ifndef MISUSE_H
#define MISUSE_H

#include "suite.h"

#include <limits.h>
#include <math.h>

extern sgk_queue *some_queue;
extern sgk_signal *some_signal;
extern counted context;

int make_some(void **state);
int drop_some(void **state);

#define MISUSE(name) cmocka_unit_test_setup_teardown(name, make_some, drop_some)

/* A call that returns a status. */
#define REFUSED(call, status, beginning) \
    do { \
        assert_int_equal((call), (status)); \
        assert_failed((status), (beginning)); \
    } while (0)

/* A call that returns a pointer, and destroys a context once. */
#define REFUSED_NULL(call, status, beginning) \
    do { \
        assert_null(call); \
        assert_failed((status), (beginning)); \
    } while (0)

#define REFUSED_DESTROYED(call, status, beginning) \
    do { \
        int before = context.destroyed; \
        REFUSED_NULL(call, status, beginning); \
        assert_int_equal(context.destroyed - before, 1); \
    } while (0)

#define WRONG(type) ((type *)(void *)some_queue)
#define WRONG_QUEUE ((sgk_queue *)(void *)some_signal)

/* A call on a queue that returns a status, and destroys the context once. */
#define REFUSED_WORK(call, status, beginning) \
    do { \
        int before = context.destroyed; \
        REFUSED(call, status, beginning); \
        assert_int_equal(context.destroyed - before, 1); \
    } while (0)

/* Each wrong field of a sgk_bound. `call` is a macro whose argument is the bound, which `name` ends with. */
#define REFUSES_BOUND(refused, call, name) \
    do { \
        const sgk_bound of_another_size = {.size = 7}; \
        refused(call(&of_another_size), SGK_ERROR_ARGUMENT, name ": unknown size or field"); \
        refused(call(SGK_BOUND(.reserved = 1)), SGK_ERROR_ARGUMENT, name ": unknown size or field"); \
        refused(call(SGK_BOUND(.limit = -3)), SGK_ERROR_ARGUMENT, name ".limit: must be 1 or more"); \
        refused(call(SGK_BOUND(.limit = INT64_MIN)), SGK_ERROR_ARGUMENT, name ".limit: must be 1 or more"); \
        refused(call(SGK_BOUND(.overflow = 6)), SGK_ERROR_ARGUMENT, name ".overflow: must be a sgk_overflow"); \
        refused(call(SGK_BOUND(.counter = WRONG(sgk_overflow_counter))), SGK_ERROR_HANDLE, name ".counter: "); \
    } while (0)

/* The same of an operator that must not block the emitting thread. */
#define REFUSES_SUSPENSION(refused, call, name) \
    do { \
        REFUSES_BOUND(refused, call, name); \
        refused(call(SGK_BOUND(.overflow = SGK_OVERFLOW_SUSPEND)), SGK_ERROR_ARGUMENT, \
            name ".overflow: must not suspend"); \
    } while (0)

/* The same of an operator that may pause its source. */
#define REFUSES_SUSPENSION_AFTER_PAUSES(refused, call, name) \
    do { \
        REFUSES_SUSPENSION(refused, call, name); \
        refused(call(SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_SUSPEND)), SGK_ERROR_ARGUMENT, \
            name ".overflow: must not suspend"); \
    } while (0)

/* The same of an operator in which nothing waits. */
#define REFUSES_SUSPENSION_AND_PAUSES(refused, call, name) \
    do { \
        REFUSES_SUSPENSION(refused, call, name); \
        refused(call(SGK_BOUND(.overflow = SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_ERROR)), SGK_ERROR_ARGUMENT, \
            name ".overflow: must not pause"); \
    } while (0)

#endif
