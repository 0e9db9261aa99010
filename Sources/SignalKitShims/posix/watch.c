/* The descriptors that one thread watches with poll. It waits for a copy of the set, and for an event that is raised
 * when the set changes. Functions without a POSIX descriptor are not supported. */
#include "shims/descriptors.h"

#ifdef SGK_SYSTEM_IS_POSIX
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct item {
    uint64_t key;
    int fd;
    uint32_t events;
    bool is_told; /* until it is set again */
} item;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static item *items; /* belong to the mutex */
static size_t count, room;
static sgk_shim_event changed = -1;

/* The set in the format of poll, after the event. Only the waiting thread uses it. */
static struct pollfd *asked;
static size_t asked_count, asked_room;

int32_t sgk_shim_watch_make(void) {
    changed = sgk_shim_event_make();
    return changed < 0 ? -errno : sgk_shim_event_descriptor(changed);
}

/* The thread that waits, and may have held the mutex, does not exist. */
void sgk_shim_watch_forget(int32_t set) {
    (void)set;
    (void)pthread_mutex_init(&mutex, NULL);
    items = NULL; /* another thread may have been about to move them */
    asked = NULL;
    count = room = asked_count = asked_room = 0;
    sgk_shim_event_close(changed);
}

static item *find(int fd, uint32_t events) {
    for (size_t i = 0; i < count; i++)
        if (items[i].fd == fd && items[i].events == events) return &items[i];
    return NULL;
}

static item *add(int fd, uint32_t events) {
    if (count == room) {
        size_t more = room ? 2 * room : 16;
        item *moved = realloc(items, more * sizeof *items);
        if (moved == NULL) return NULL;
        items = moved;
        room = more;
    }
    item *added = &items[count++];
    added->fd = fd;
    added->events = events;
    return added;
}

/* (poll takes files as well, and says that they are ready.) */
int32_t sgk_shim_watch_set(int32_t set, int32_t fd, uint32_t events, uint64_t key, bool again) {
    (void)set;
    (void)pthread_mutex_lock(&mutex);
    item *found = again ? find(fd, events) : add(fd, events);
    if (found) found->key = key, found->is_told = false;
    (void)pthread_mutex_unlock(&mutex);
    sgk_shim_event_raise(changed);
    return found ? 0 : ENOMEM;
}

void sgk_shim_watch_remove(int32_t set, int32_t fd, uint32_t events) {
    (void)set;
    (void)pthread_mutex_lock(&mutex);
    item *found = find(fd, events);
    if (found) *found = items[--count];
    (void)pthread_mutex_unlock(&mutex);
    sgk_shim_event_raise(changed);
}

static uint32_t seen_in(short events) {
    return (events & (POLLIN | POLLNVAL) ? SGK_SHIM_READ : 0u) | (events & (POLLOUT | POLLNVAL) ? SGK_SHIM_WRITE : 0u) |
        (events & POLLHUP ? SGK_SHIM_HANG_UP : 0u) | (events & POLLERR ? SGK_SHIM_FAULT : 0u);
}

static void copy(void) {
    (void)pthread_mutex_lock(&mutex);
    if (asked_room < count + 1) {
        struct pollfd *moved = realloc(asked, (room + 1) * sizeof *asked);
        if (moved) asked = moved, asked_room = room + 1;
    }
    asked_count = 0;
    if (asked_room > 0) asked[asked_count++] = (struct pollfd){sgk_shim_event_descriptor(changed), POLLIN, 0};
    for (size_t i = 0; i < count && asked_count < asked_room; i++) {
        if (items[i].is_told) continue;
        short events =
            (short)((items[i].events & SGK_SHIM_READ ? POLLIN : 0) | (items[i].events & SGK_SHIM_WRITE ? POLLOUT : 0));
        asked[asked_count++] = (struct pollfd){items[i].fd, events, 0};
    }
    (void)pthread_mutex_unlock(&mutex);
}

void sgk_shim_watch_wait(int32_t set) {
    (void)set;
    copy();
    if (poll(asked, (nfds_t)asked_count, asked_count > 0 ? -1 : 1) <= 0) asked_count = 0;
    else if (asked[0].revents) sgk_shim_event_clear(changed);
}

/* (If the number was assigned to another descriptor in the meantime, this reports that descriptor, which may not be
   ready.) */
bool sgk_shim_watch_take(int32_t set, sgk_shim_ready *ready) {
    (void)set;
    bool is_some = false;
    (void)pthread_mutex_lock(&mutex);
    while (!is_some && asked_count > 1) {
        const struct pollfd *answer = &asked[--asked_count];
        item *found = answer->revents ? find(answer->fd, seen_in(answer->events)) : NULL;
        is_some = found && !found->is_told;
        if (!is_some) continue;
        found->is_told = true;
        *ready = (sgk_shim_ready){found->key, seen_in(answer->revents)};
    }
    (void)pthread_mutex_unlock(&mutex);
    return is_some;
}

/* ---- Not supported ---- */

int32_t sgk_shim_signal_open(int32_t signal) { return (void)signal, -SGK_SHIM_NOT_SUPPORTED; }
int32_t sgk_shim_signal_next(int32_t fd, int32_t *signal) { return (void)fd, (void)signal, SGK_SHIM_NOT_SUPPORTED; }
void sgk_shim_signal_pass_on(int32_t signal) { (void)signal; }
void sgk_shim_signal_leave(int32_t signal) { (void)signal; }
bool sgk_shim_signal_is_blocked_everywhere(int32_t signal) { return (void)signal, true; }
int32_t sgk_shim_child_open(int32_t pid) { return (void)pid, -SGK_SHIM_NOT_SUPPORTED; }
int32_t sgk_shim_child_status(int32_t pid, int32_t *status) { return (void)pid, (void)status, SGK_SHIM_NOT_SUPPORTED; }
int32_t sgk_shim_process_start(
    const char *const *arguments, bool has_input, uint32_t options, sgk_shim_process **process) {
    return (void)arguments, (void)has_input, (void)options, (void)process, -SGK_SHIM_NOT_SUPPORTED;
}
int32_t sgk_shim_process_stream(const sgk_shim_process *process, int32_t stream) {
    return (void)process, (void)stream, -1;
}
int32_t sgk_shim_process_take_input(sgk_shim_process *process) { return (void)process, -1; }
int32_t sgk_shim_process_status(sgk_shim_process *process, int32_t *status) {
    return (void)process, (void)status, SGK_SHIM_NOT_SUPPORTED;
}
bool sgk_shim_process_is_over(sgk_shim_process *process) { return (void)process, true; }
void sgk_shim_process_stop(sgk_shim_process *process) { (void)process; }
void sgk_shim_process_wait(sgk_shim_process *process) { (void)process; }
void sgk_shim_process_free(sgk_shim_process *process) { (void)process; }
int32_t sgk_shim_wall_clock_open(double unix_time) { return (void)unix_time, -SGK_SHIM_NOT_SUPPORTED; }
int32_t sgk_shim_wall_clock_came(int32_t fd) { return (void)fd, SGK_SHIM_NOT_SUPPORTED; }
int32_t sgk_shim_changes_open(const char *path, uint32_t mask, sgk_shim_changes **changes) {
    return (void)path, (void)mask, (void)changes, -SGK_SHIM_NOT_SUPPORTED;
}
void sgk_shim_changes_free(sgk_shim_changes *changes) { (void)changes; }
sgk_shim_change sgk_shim_changes_at(sgk_shim_changes *changes, const void *bytes) {
    return (void)changes, (void)bytes, (sgk_shim_change){.is_last = true, .name = ""};
}
bool sgk_shim_changes_found(sgk_shim_changes *changes, sgk_shim_change *change) {
    return (void)changes, (void)change, false;
}
int32_t sgk_shim_tail_open(const char *path, bool from_start, sgk_shim_tail **tail) {
    return (void)path, (void)from_start, (void)tail, -SGK_SHIM_NOT_SUPPORTED;
}
void sgk_shim_tail_close(sgk_shim_tail *tail) { (void)tail; }
int64_t sgk_shim_tail_read(sgk_shim_tail *tail, void *to, size_t size) { return (void)tail, (void)to, (void)size, 0; }
#endif
