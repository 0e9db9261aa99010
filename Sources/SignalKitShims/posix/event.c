/* The wake-up of a loop: a pipe, which is readable while it contains data. One number contains its two ends, the
 * reading end in the lower half. */
#include "shims/system.h"

#ifdef SGK_SYSTEM_IS_POSIX
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static sgk_shim_event pack(int reads, int writes) {
    return (sgk_shim_event)((uint64_t)(uint32_t)writes << 32 | (uint32_t)reads);
}
static int writing_end(sgk_shim_event event) { return (int)(event >> 32); }

int32_t sgk_shim_event_descriptor(sgk_shim_event event) { return (int32_t)event; }

static bool prepare(int end) { return fcntl(end, F_SETFD, FD_CLOEXEC) == 0 && fcntl(end, F_SETFL, O_NONBLOCK) == 0; }

sgk_shim_event sgk_shim_event_make(void) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    sgk_shim_event event = pack(ends[0], ends[1]);
    if (prepare(ends[0]) && prepare(ends[1])) return event;
    sgk_shim_event_close(event);
    return -1;
}

void sgk_shim_event_close(sgk_shim_event event) {
    (void)close(sgk_shim_event_descriptor(event));
    (void)close(writing_end(event));
}

void sgk_shim_event_raise(sgk_shim_event event) {
    while (event >= 0 && write(writing_end(event), "", 1) < 0 && errno == EINTR) {} /* EAGAIN: it is up, more than so */
}

/* If another thread raises the event during this call, the event may stay raised or not. */
void sgk_shim_event_clear(sgk_shim_event event) {
    char some[512];
    ssize_t count;
    do count = event >= 0 ? read(sgk_shim_event_descriptor(event), some, sizeof some) : 0;
    while (count == (ssize_t)sizeof some || (count < 0 && errno == EINTR));
}

static void replace(int end, int by) {
    if (dup2(by, end) >= 0) (void)fcntl(end, F_SETFD, FD_CLOEXEC);
}

void sgk_shim_event_renew(sgk_shim_event event) {
    sgk_shim_event made = event >= 0 ? sgk_shim_event_make() : -1;
    if (made < 0) return;
    replace(sgk_shim_event_descriptor(event), sgk_shim_event_descriptor(made));
    replace(writing_end(event), writing_end(made));
    sgk_shim_event_close(made);
}
#endif
