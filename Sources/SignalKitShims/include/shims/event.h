/* What wakes a loop: a file descriptor that is readable from being raised until it is cleared. */
#ifndef SIGNALKIT_SHIMS_EVENT_H
#define SIGNALKIT_SHIMS_EVENT_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A new one, or -1. */
static inline int sgk_shim_event_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline void sgk_shim_event_close(int event) { (void)close(event); }

static inline void sgk_shim_event_raise(int event) {
    const uint64_t one = 1;
    if (event >= 0 && write(event, &one, sizeof one) < 0) return; /* so many have raised it that it is up */
}

static inline void sgk_shim_event_clear(int event) {
    uint64_t count;
    if (event >= 0 && read(event, &count, sizeof count) < 0) return; /* it was not up */
}

/* Waits until it is up, or a signal has come; false when that cannot be. */
static inline bool sgk_shim_event_wait(int event) {
    struct pollfd ready = {event, POLLIN, 0};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

/* In the child of a fork: under the same number one that the parent does not share. */
static inline void sgk_shim_event_renew(int event) {
    int made = event >= 0 ? sgk_shim_event_make() : -1;
    if (made < 0) return;
    if (dup2(made, event) >= 0) (void)fcntl(event, F_SETFD, FD_CLOEXEC);
    (void)close(made);
}

#endif
