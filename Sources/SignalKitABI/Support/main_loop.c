/* The main queue as a loop. libdispatch makes a file descriptor readable when the main queue has work, and drains the queue on request;
 * that is how it lives inside other loops on Linux. */
#include "SignalKitSupport.h"
#include "shims/dispatch.h"
#include "shims/process.h"
#include "signalkit.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

static _Atomic bool stop_requested;

static void nothing(void *context) { (void)context; }

int sgk_support_main_fd(void) {
    int descriptor = sgk_shim_main_queue_fd();
    return descriptor >= 0 ? descriptor : SGK_ERROR_SYSTEM;
}

int32_t sgk_support_main_drain(void) {
    if (!sgk_shim_is_main_thread()) return SGK_ERROR_THREAD;
    int descriptor = sgk_support_main_fd();
    if (descriptor < 0) return descriptor;
    /* The event is consumed first: work that arrives during the drain raises it anew. */
    struct pollfd ready = {descriptor, POLLIN, 0};
    uint64_t events;
    if (poll(&ready, 1, 0) > 0 && read(descriptor, &events, sizeof events) < 0 && errno != EAGAIN) return SGK_ERROR_SYSTEM;
    sgk_shim_main_queue_drain(NULL);
    return SGK_OK;
}

int32_t sgk_support_main_run(void) {
    if (!sgk_shim_is_main_thread()) return SGK_ERROR_THREAD;
    int descriptor = sgk_support_main_fd();
    if (descriptor < 0) return descriptor;
    while (!stop_requested) {
        struct pollfd ready = {descriptor, POLLIN, 0};
        if (poll(&ready, 1, -1) < 0 && errno != EINTR) return SGK_ERROR_SYSTEM;
        int32_t status = sgk_support_main_drain();
        if (status != SGK_OK) return status;
    }
    stop_requested = false;
    return SGK_OK;
}

void sgk_support_main_stop(void) {
    stop_requested = true;
    sgk_shim_async(sgk_shim_main_queue(), NULL, nothing); /* wakes the loop */
}
