/* The system's functions: futex, a descriptor for wake-ups, the time. */
#include "explorer.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long futex(uintptr_t address, int op, uint32_t value, const struct timespec *time) {
    fiber *me = &fibers[current];
    me->looks = 0;
    stop();
    location *at = locate(address, 4);
    touches(address, true);
    /* The kernel's lock for this address. */
    me->view.clock[current]++;
    join(&me->view, &at->bucket);
    if (op == FUTEX_WAKE_PRIVATE) {
        at->bucket = me->view;
        long woken = 0;
        for (int t = 0; t < thread_count && woken < (int32_t)value; t++) {
            if (fibers[t].state != WAITS || fibers[t].waits_on != address) continue;
            fibers[t].state = READY;
            woken++;
        }
        note(0, WAKE, RELAXED, address, (uint64_t)woken, 0);
        return woken;
    }
    int index = (int)(at - locations), options[STORES], count = 0;
    for (int i = at->count - 1; i >= 0 && at->stores[i]->at >= me->view.floor[index]; i--) options[count++] = i;
    store *seen = at->stores[options[choose(count)]];
    me->view.floor[index] = seen->at;
    at->reads[current] = me->view.clock[current];
    at->bucket = me->view;
    note(0, WAIT, RELAXED, address, seen->value, 0);
    if ((uint32_t)seen->value != value) return errno = EAGAIN, -1;
    me->state = WAITS;
    me->waits_on = address;
    me->has_time = time && time->tv_sec < 1000000;
    me->timed_out = false;
    stop();
    return me->timed_out ? (errno = ETIMEDOUT, -1) : 0;
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
    if (number == SYS_futex && explores && is_ours((uintptr_t)a)) {
        return futex((uintptr_t)a, (int)b, (uint32_t)c, (const struct timespec *)d);
    }
    return __real_syscall(number, a, b, c, d, e, f);
}
/* The descriptor that wakes the main thread: the number of its wake-ups. */
static int raised;
static int64_t now;
void forget_system(void) { raised = 0, now = 0; }
int32_t weak_raised(void) { return raised; }
int __wrap_eventfd(unsigned count, int flags) { return (void)count, (void)flags, 1 << 20; }
extern ssize_t __real_write(int, const void *, size_t), __real_read(int, void *, size_t);
ssize_t __wrap_write(int fd, const void *bytes, size_t size) {
    if (fd < 1 << 20) return __real_write(fd, bytes, size);
    return raised++, (ssize_t)size;
}
ssize_t __wrap_read(int fd, void *bytes, size_t size) {
    return fd < 1 << 20 ? __real_read(fd, bytes, size) : (ssize_t)size;
}
extern int __real_close(int);
int __wrap_close(int fd) { return fd < 1 << 20 ? __real_close(fd) : 0; }
int __wrap_sched_yield(void) { return 0; }
int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    now += clock == CLOCK_MONOTONIC_COARSE ? 0 : 1000000; /* (by that it is never time to look at threads) */
    if (clock == CLOCK_MONOTONIC_COARSE) return memset(time, 0, sizeof *time), 0;
    *time = (struct timespec){1000 + now / 1000000000, now % 1000000000};
    return 0;
}
