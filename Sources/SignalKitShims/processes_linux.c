/* Programs that subscriptions start. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 */
#endif

#include "shims/descriptors.h"

#ifndef SGK_SYSTEM_IS_POSIX
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct sgk_shim_process {
    int32_t pid, owner, ends[3]; /* `owner` is the process that has started it */
    uint32_t options;
    bool is_reaped;
    pthread_mutex_t lock; /* for `is_reaped`, and so for the number of the process */
};

static void close_end(int32_t *end) {
    if (*end >= 0) (void)close(*end);
    *end = -1;
}

/* A number that is none of the program's three streams. glibc before 2.29 would close a stream at exec whose number is
 * already the right one. */
static int32_t above_streams(int32_t fd) {
    if (fd < 0 || fd > 2) return fd;
    int32_t moved = fcntl(fd, F_DUPFD_CLOEXEC, 3), error = errno;
    (void)close(fd);
    errno = error;
    return moved;
}

/* Makes the pipe for a stream, and the action that gives the other end to the program. That end is stored in
 * `*theirs`. */
static int32_t connect_stream(
    sgk_shim_process *it, int32_t stream, int32_t *theirs, posix_spawn_file_actions_t *actions) {
    int32_t ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno | SGK_SHIM_IN_PIPE;
    bool is_input = stream == 0;
    it->ends[stream] = above_streams(ends[is_input]);
    int32_t error = it->ends[stream] < 0 ? errno : 0;
    *theirs = above_streams(ends[!is_input]);
    if (*theirs < 0) return errno;
    return error ? error : posix_spawn_file_actions_adddup2(actions, *theirs, stream);
}

/* The program inherits no blocked signal, and no ignored one. */
static int32_t prepare(posix_spawnattr_t *attributes, uint32_t options) {
    sigset_t signals;
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (options & SGK_SHIM_OWN_GROUP) flags |= POSIX_SPAWN_SETPGROUP;
    (void)sigemptyset(&signals);
    (void)posix_spawnattr_setsigmask(attributes, &signals);
    (void)sigfillset(&signals);
    (void)sigdelset(&signals, SIGKILL);
    (void)sigdelset(&signals, SIGSTOP);
    (void)posix_spawnattr_setsigdefault(attributes, &signals);
    return posix_spawnattr_setflags(attributes, flags);
}

static int32_t start(sgk_shim_process *it, const char *const *arguments, bool has_input) {
    int32_t theirs[3] = {-1, -1, -1};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int32_t error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = prepare(&attributes, it->options);
        for (int32_t stream = 0; !error && stream < 3; stream++) {
            if (stream ? (it->options & (uint32_t)stream) != 0 : has_input)
                error = connect_stream(it, stream, &theirs[stream], &actions);
            else if (stream == 0) error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        }
        if (!error)
            error = posix_spawnp(&it->pid, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    for (int32_t stream = 0; stream < 3; stream++) close_end(&theirs[stream]);
    return error;
}

static void reap(const sgk_shim_process *it) {
    siginfo_t info;
    while (waitid(P_PID, (id_t)it->pid, &info, WEXITED) != 0 && errno == EINTR) continue;
}

/* The program has no way to be watched, so it ends at once. */
static void give_up(const sgk_shim_process *it) {
    (void)kill(it->pid, SIGKILL);
    reap(it);
}

int32_t sgk_shim_process_start(
    const char *const *arguments, bool has_input, uint32_t options, sgk_shim_process **result) {
    sgk_shim_process *it = malloc(sizeof *it);
    if (!it) return -ENOMEM;
    *it = (sgk_shim_process){.owner = (int32_t)getpid(), .ends = {-1, -1, -1}, .options = options};
    (void)pthread_mutex_init(&it->lock, NULL);
    int32_t error = -start(it, arguments, has_input), descriptor = error ? error : sgk_shim_child_open(it->pid);
    if (!error && descriptor < 0) give_up(it);
    if (descriptor >= 0) return *result = it, descriptor;
    it->is_reaped = true; /* nothing is left to end */
    sgk_shim_process_stop(it);
    sgk_shim_process_free(it);
    return descriptor;
}

int32_t sgk_shim_process_stream(const sgk_shim_process *process, int32_t stream) { return process->ends[stream]; }

int32_t sgk_shim_process_take_input(sgk_shim_process *process) {
    int32_t input = process->ends[0];
    process->ends[0] = -1;
    return input;
}

int32_t sgk_shim_process_status(sgk_shim_process *process, int32_t *status) {
    (void)pthread_mutex_lock(&process->lock);
    int32_t error = sgk_shim_child_status(process->pid, status);
    if (error != EAGAIN) process->is_reaped = true;
    (void)pthread_mutex_unlock(&process->lock);
    return error;
}

bool sgk_shim_process_is_over(sgk_shim_process *process) {
    (void)pthread_mutex_lock(&process->lock);
    bool is_over = process->is_reaped;
    (void)pthread_mutex_unlock(&process->lock);
    return is_over;
}

/* Whether the number is still the program's: neither this process is the child of a fork, nor has another thread reaped
 * the program. */
static bool is_ours(const sgk_shim_process *process) {
    siginfo_t info;
    return process->owner == (int32_t)getpid() &&
        waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

void sgk_shim_process_stop(sgk_shim_process *process) {
    for (int32_t stream = 0; stream < 3; stream++) close_end(&process->ends[stream]);
    (void)pthread_mutex_lock(&process->lock);
    if (!process->is_reaped && is_ours(process))
        (void)kill(process->options & SGK_SHIM_OWN_GROUP ? -process->pid : process->pid,
            process->options & SGK_SHIM_TERMINATES ? SIGTERM : SIGKILL);
    else process->is_reaped = true;
    (void)pthread_mutex_unlock(&process->lock);
}

void sgk_shim_process_wait(sgk_shim_process *process) {
    if (!(process->options & SGK_SHIM_TERMINATES) && !sgk_shim_process_is_over(process)) reap(process);
}

void sgk_shim_process_free(sgk_shim_process *process) { free(process); }
#endif
