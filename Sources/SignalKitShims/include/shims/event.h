/* Waiting for what wakes a loop. */
#ifndef SIGNALKIT_SHIMS_EVENT_H
#define SIGNALKIT_SHIMS_EVENT_H

#include "system.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>

/* Waits until the event is raised or a signal arrives. Returns false if that is impossible. */
static inline bool sgk_shim_event_wait(sgk_shim_event event) {
    struct pollfd ready = {sgk_shim_event_descriptor(event), POLLIN, 0};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

/* Waits until the event is raised, at most the given nanoseconds; it may return early. Not a cancellation point. */
static inline void sgk_shim_event_wait_for(sgk_shim_event event, int64_t nanoseconds) {
    struct pollfd ready = {sgk_shim_event_descriptor(event), POLLIN, 0};
    int before;
    int milliseconds = nanoseconds < 1000000000000 ? (int)((nanoseconds + 999999) / 1000000) : 1000000;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    (void)poll(&ready, 1, milliseconds);
    (void)pthread_setcancelstate(before, &before);
}

/* From libdispatch, for run loops: a descriptor that is readable when the main queue has work, and the function that
   runs the work. */
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

#endif
