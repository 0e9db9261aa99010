/* Injects failures, one at a time: in each scenario the first allocation fails, then the second, and so on, until the
 * scenario runs without a failure. The same is done with each start of a thread, and with each system call.
 *
 *     torture [STRIDE [SCENARIO…]]   quick: only every STRIDE-th allocation at the start of a process, and of other
 *                                    calls the first three. By default all
 *
 * A scenario must end with its normal result, or with an error that the headers describe. Each object is released once.
 * A later run without failures has the normal result. No memory leaks. Without any memory the library may abort the
 * program with its message. */
#include "torture.h"

#include "faults.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { SECONDS = 20, FEW = 3 }; /* until it hangs; signals that come one after another */
#define ALL INT64_MAX

typedef struct failing {
    call call;
    int64_t count;     /* the number of consecutive failures */
    bool is_bounded;   /* freed memory can be allocated again */
    bool is_in_memory; /* in a process that has made the scenario before, too */
    int errors[6];
} failing;

static const failing all_failing[] = {
    {ALLOCATION, 1, false, true, {ENOMEM}},
    {ALLOCATION, ALL, true, true, {ENOMEM}},
    {ALLOCATION, ALL, false, false, {ENOMEM}},
    {MAPPING, 1, false, false, {ENOMEM}},
    {MAPPING, ALL, false, false, {ENOMEM}},
    {KEY, 1, false, false, {EAGAIN, ENOMEM}},
    {SPECIFIC, 1, false, false, {ENOMEM}},
    {SPECIFIC, ALL, false, false, {ENOMEM}},
    {THREAD, 1, false, false, {EAGAIN, EPERM}},
    {THREAD, ALL, false, false, {EAGAIN}},
    {EVENTFD, 1, false, false, {EMFILE, ENFILE, ENOMEM}},
    {EVENTFD, ALL, false, false, {EMFILE}},
    {RAISE, FEW, false, false, {EINTR}},
    {CLEAR, FEW, false, false, {EINTR, EAGAIN}},
    {EPOLL_CREATE, 1, false, false, {EMFILE, ENFILE, ENOMEM}},
    {EPOLL_CREATE, ALL, false, false, {EMFILE}},
    {EPOLL_CTL, 1, false, false, {ENOMEM, ENOSPC}},
    {EPOLL_CTL, ALL, false, false, {ENOSPC}},
    {EPOLL_WAIT, FEW, false, false, {EINTR}},
    {POLL, FEW, false, false, {EINTR, ENOMEM, EINVAL}},
    {READ, FEW, false, false, {EINTR, EAGAIN}},
    {READ, 1, false, false, {EIO}},
    {WRITE, FEW, false, false, {EINTR, EAGAIN}},
    {WRITE, 1, false, false, {EIO, ENOSPC, EPIPE}},
    {SEND, FEW, false, false, {EINTR, EAGAIN}},
    {SEND, 1, false, false, {EPIPE, ENOBUFS, ENOMEM}},
    {RECV, FEW, false, false, {EINTR, EAGAIN}},
    {RECV, 1, false, false, {ECONNRESET, ENOMEM}},
    {FCNTL, 1, false, false, {EMFILE}},
    {FCNTL, ALL, false, false, {EMFILE}},
    {DUP2, 1, false, false, {EINTR, EBUSY, EMFILE}},
    {CLOSE, 1, false, false, {EINTR, EIO}},
    {SIGNALFD, 1, false, false, {EMFILE, ENFILE, ENOMEM, ENODEV}},
    {PIDFD, 1, false, false, {EMFILE, ENFILE, ENOMEM, ENOSYS}},
    {WAITID, FEW, false, false, {EINTR}},
    {WAITID, 1, false, false, {ECHILD}},
    {INOTIFY, 1, false, false, {EMFILE, ENFILE, ENOMEM}},
    {INOTIFY_ADD, 1, false, false, {ENOSPC, ENOMEM, EACCES, ENOENT}},
    {FUTEX_WAITS, FEW, false, false, {EINTR, EAGAIN}},
    {SOCKET, 1, false, false, {EMFILE, ENFILE, ENOBUFS, ENOMEM}},
    {BIND, 1, false, false, {EADDRINUSE, EACCES, ENOMEM}},
    {LISTEN, 1, false, false, {EADDRINUSE}},
    {ACCEPT, FEW, false, false, {EINTR, EAGAIN, ECONNABORTED}},
    {ACCEPT, 1, false, false, {EMFILE, ENFILE, ENOMEM}},
    {CHMOD, 1, false, false, {EPERM, EROFS}},
    {STATX, 1, false, false, {ENOMEM, ENOENT}},
    {OPEN, 1, false, false, {EMFILE, ENFILE, ENOENT}},
    {OPENDIR, 1, false, false, {EMFILE, ENFILE, ENOMEM}},
    {ROBUST_LIST, 1, false, false, {EPERM, ESRCH}},
    {AFFINITY, 1, false, false, {EINVAL, ENOSYS}},
};
enum { ALL_FAILING = sizeof all_failing / sizeof *all_failing };

/* ---- A separate process ---- */

static struct {
    int64_t at, failed;
    bool is_through;
} * state; /* read by the waiting process */

/* The blocks that are in use only grow as long as something is lost. */
static bool grows(const scenario *scenario, fault fault) {
    int64_t before = blocks_in_use();
    for (int i = 0; i < 12; i++) {
        begin_fault(fault);
        (void)scenario->run();
        (void)end_fault();
        nothing_is_left();
        MUST(scenario->run()); /* which restores the reserve */
        nothing_is_left();
        int64_t now = blocks_in_use();
        if (now <= before) return false;
        before = now;
    }
    return true;
}

static void fail_in_turn(const scenario *scenario, fault fault, int64_t stride, bool once) {
    const struct rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    int64_t before = 0;
    for (int i = 0; i < 3 && !once; i++) {
        MUST(scenario->run());
        nothing_is_left();
        before = blocks_in_use();
    }
    for (fault.first = state->at;; fault.first = state->at += stride) {
        (void)alarm(SECONDS);
        begin_fault(fault);
        bool is_whole = scenario->run();
        int64_t failed = end_fault();
        if (failed == 0) MUST(is_whole);
        nothing_is_left();
        MUST(scenario->run());
        nothing_is_left();
        int64_t now = blocks_in_use();
        if (!once && now > before) MUST(!grows(scenario, fault));
        before = blocks_in_use();
        state->failed += failed > 0;
        state->is_through = failed == 0;
        if (once || failed == 0) _exit(0);
    }
}

/* ---- And who looks at that ---- */

static int64_t total_failures, total_ends, total_wrong;
static bool is_brief;

static const char *said(int file) {
    static char text[4096];
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = 0;
    return text;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static int end_of(const scenario *scenario, fault fault, int64_t stride, bool once, int errors) {
    fflush(stdout);
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        MUST(dup2(errors, STDERR_FILENO) >= 0 && freopen("/dev/null", "w", stdout)); /* what examples print */
        fail_in_turn(scenario, fault, stride, once);
    }
    int status = 0;
    while (waitpid(child, &status, 0) != child) MUST(errno == EINTR);
    return status;
}

static void torture(const scenario *scenario, const failing *failing, int error, int64_t stride, bool once) {
    fault fault = {failing->call, error, 0, failing->count, failing->is_bounded};
    bool may_end =
        failing->call == ALLOCATION && failing->count == ALL && (!failing->is_bounded || scenario->looks_at_nothing);
    *state = (__typeof__(*state)){1, 0, false};
    int64_t most = is_brief && failing->call != ALLOCATION ? 3 : INT64_MAX;
    for (int wrong = 0; !state->is_through && wrong < 3 && state->at <= most; state->at += stride) {
        int errors = memfd_create("errors", 0);
        int status = end_of(scenario, fault, stride, once, errors);
        const char *text = said(errors);
        bool is_told =
            WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && ends_with(text, "signalkit: out of memory\n");
        if (status != 0 && may_end && is_told) {
            total_ends++;
            state->failed++;
        } else if (status != 0) {
            printf("%s: %s %lld %s with %s%s: status %#x\n%s", scenario->name, call_names[failing->call],
                (long long)state->at, failing->count == 1 ? "fails" : "and those behind it fail", strerror(error),
                once ? "" : ", made before", (unsigned)status, text);
            total_wrong++, wrong++;
        }
        close(errors);
    }
    total_failures += state->failed;
}

static bool is_among(const char *name, char **names) {
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

int main(int count, char **arguments) {
    int64_t stride = count > 1 ? atoll(arguments[1]) : 1;
    is_brief = stride > 1;
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MUST(state != MAP_FAILED);
    for (const scenario *one = scenarios; one->name; one++) {
        if (count > 2 && !is_among(one->name, &arguments[2])) continue;
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        int64_t before = total_failures;
        for (const failing *failing = all_failing; failing < all_failing + ALL_FAILING; failing++) {
            bool is_allocation = failing->call == ALLOCATION;
            if (!is_allocation && !one->is_of_system) continue;
            if (one->looks_at_nothing && !(is_allocation && failing->count == 1)) continue;
            for (const int *error = failing->errors; *error; error++) {
                torture(one, failing, *error, is_allocation ? stride : 1, true);
                int64_t own = is_brief && one->looks_at_nothing ? 23 : 1;
                if (failing->is_in_memory) torture(one, failing, *error, own, false);
            }
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        printf("%s: %lld failures, %.1f s\n", one->name, (long long)(total_failures - before),
            (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
    }
    printf("ended by the library: %lld\n", (long long)total_ends);
    printf("operations: %lld\n", (long long)total_failures);
    return total_wrong > 0;
}
