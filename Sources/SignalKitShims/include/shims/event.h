/* Waiting for what wakes a loop. */
#ifndef SIGNALKIT_SHIMS_EVENT_H
#define SIGNALKIT_SHIMS_EVENT_H

#include "system.h"

#include <errno.h>
#include <poll.h>

/* Waits until it is up, or a signal has come; false when that cannot be. */
static inline bool sgk_shim_event_wait(sgk_shim_event event) {
    struct pollfd ready = {sgk_shim_event_descriptor(event), POLLIN, 0};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

#endif
