/* The system calls of the library: each part of it works where a filter (seccomp) allows only its calls, and is ended
 * by the filter if one of them is missing. `system_calls list` prints the table of docs/processes.md.
 *
 * The filter is installed in `main`, after the program has started and its libraries are loaded. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <signalkit.h>
#include <signalkit/callback.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, sgk_last_error()), _exit(1)))

static char path[108];
static int ends[2], other[2], gate[2];
static pid_t parent, child, sibling;

static sgk_value plus_one(void *context, sgk_value value) { return (void)context, sgk_int(sgk_to_int(value) + 1); }
static void count(void *counter) { ++*(atomic_int *)counter; }
static void stop(void *context) { (void)context, sgk_main_stop(); }

/* Checks that a subscription to `signal` first emits `expected`. Releases both. */
static void emits(sgk_signal *signal, sgk_value expected) {
    sgk_value value = sgk_null();
    CHECK(sgk_signal_get(signal, 60, &value) == SGK_OK && sgk_value_equal(value, expected));
    sgk_value_release(value);
    sgk_value_release(expected);
    sgk_signal_release(signal);
}

/* ---- The parts ---- */

static void make_runs(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(pipe);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(values, plus_one, NULL, NULL);
    SGK_AUTO(sgk_signal) many = sgk_signal_chunked(mapped, 10000);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(many, NULL);
    for (int i = 0; i < 100000; i++) CHECK(sgk_pipe_next(pipe, sgk_int(i)) == SGK_OK);
    sgk_value text = sgk_signal_describe(many, SGK_DEBUG_TEXT);
    CHECK(sgk_value_kind(text) == SGK_STRING);
    sgk_value_release(text);
}

static void wait_for_values(void) {
    SGK_AUTO(sgk_pipe) pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) silent = sgk_pipe_signal(pipe);
    sgk_value value = sgk_null();
    CHECK(sgk_signal_get(silent, 0.01, &value) == SGK_ERROR_TIMEOUT);
    sgk_clear_error();
}

static void use_queues(void) {
    atomic_int counter = 0;
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    SGK_AUTO(sgk_queue) usual = sgk_queue_concurrent_default();
    CHECK(sgk_queue_sync(queue, count, &counter) == SGK_OK);
    for (int i = 0; i < 100; i++) CHECK(sgk_queue_async(i & 1 ? queue : usual, count, &counter, NULL) == SGK_OK);
    emits(sgk_signal_timer(0.01, queue), sgk_int(0));
    CHECK(sgk_drain(60) == SGK_OK && counter == 101);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    SGK_AUTO(sgk_disposable) later = sgk_queue_after(main_queue, 0.01, stop, NULL, NULL);
    CHECK(sgk_main_run() == SGK_OK && sgk_main_fd() >= 0);
    CHECK(sgk_queue_async(main_queue, count, &counter, NULL) == SGK_OK && sgk_main_drain() == SGK_OK && counter == 102);
}

static void use_the_background(void) {
    atomic_int counter = 0;
    SGK_AUTO(sgk_queue) queue = sgk_queue_concurrent_background();
    CHECK(sgk_queue_async(queue, count, &counter, NULL) == SGK_OK && sgk_drain(60) == SGK_OK && counter == 1);
}

static void read_and_write(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    emits(sgk_signal_fd_lines(ends[0], 100, queue), sgk_string("a line"));
    emits(sgk_signal_fd_bytes(other[0], 100, queue), sgk_bytes("bytes", 5));
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_string("written"));
    SGK_AUTO(sgk_signal) sink = sgk_signal_sink_fd(one, other[1], true, SGK_BOUND(.limit = 100), queue);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(sink, NULL);
    CHECK(sgk_drain(60) == SGK_OK);
}

static int pair[2];
static void make_a_pair(void) { CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0); }
static void exchange_datagrams(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    SGK_AUTO(sgk_signal) one = sgk_signal_just(sgk_string("datagram"));
    SGK_AUTO(sgk_signal) sink = sgk_signal_sink_fd(one, pair[1], true, NULL, queue);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(sink, NULL);
    SGK_AUTO(sgk_signal) datagrams = sgk_signal_fd_datagrams(pair[0], 100, queue);
    const sgk_value parts[] = {sgk_give(sgk_bytes("datagram", 8)), sgk_give(sgk_bytes("", 0))};
    emits(sgk_signal_retain(datagrams), sgk_array(parts, 2));
}

static void hear_signals(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    emits(sgk_signal_unix_signal(SIGUSR1, queue), sgk_int(SIGUSR1));
}

static void wait_for_a_child(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    emits(sgk_signal_child(child, queue), sgk_int(7));
}

/* A thread looks for the child. The program's other children, SIGCHLD and its handler stay the program's. */
static atomic_int interruptions;
static void interrupt(int signal) { (void)signal, interruptions++; }
static void make_a_sibling(void) {
    siginfo_t info;
    CHECK(sigaction(SIGCHLD, &(struct sigaction){.sa_handler = interrupt, .sa_flags = SA_RESTART}, NULL) == 0);
    sibling = fork();
    if (sibling == 0) _exit(5);
    CHECK(waitid(P_PID, (id_t)sibling, &info, WEXITED | WNOWAIT) == 0);
}
static void wait_for_a_child_without_pidfd(void) {
    CHECK(syscall(SYS_pidfd_open, child, 0) < 0 && errno == ENOSYS);
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    SGK_AUTO(sgk_signal) status = sgk_signal_child(child, queue);
    sgk_value value = sgk_null();
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(status, NULL);
    sgk_disposable_dispose(run);
    CHECK(sgk_signal_get(status, 0.1, &value) == SGK_ERROR_TIMEOUT);
    sgk_clear_error();
    CHECK(write(gate[1], "!", 1) == 1);
    emits(sgk_signal_retain(status), sgk_int(7));
    while (interruptions < 2) CHECK(poll(NULL, 0, 1) == 0 || errno == EINTR);
    siginfo_t info;
    CHECK(waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG) < 0 && errno == ECHILD);
    CHECK(waitid(P_PID, (id_t)sibling, &info, WEXITED | WNOHANG) == 0 && info.si_status == 5);
}
static void end_behind_the_gate(void) {
    char byte;
    close(gate[1]); /* If the filter ends the parent, the child reads the end of the pipe and ends, too. */
    _exit(read(gate[0], &byte, 1) == 1 ? 7 : 1);
}

static void read_the_wall_clock(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    emits(sgk_signal_wall_clock_timer(1, queue), sgk_int(0));
}

/* Another process rotates it, because this one may not. */
static void write_log(const char *line) {
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line) && close(fd) == 0);
}
static void write_first_log(void) {
    write_log("one\n");
    CHECK(chdir("/tmp") == 0);
}
static void rotate_behind_the_gate(void) {
    char byte;
    close(gate[1]);
    if (read(gate[0], &byte, 1) == 1) {
        unlink(path);
        write_log("two\n");
        (void)!read(gate[0], &byte, 1); /* the end of the other process */
    }
    unlink(path);
    _exit(7);
}
static void open_the_gate(void *context, sgk_value line) {
    (void)context, (void)line;
    CHECK(write(gate[1], "!", 1) == 1);
}
static void follow_a_file(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    SGK_AUTO(sgk_signal) lines = sgk_signal_file_lines(strrchr(path, '/') + 1, true, 10, queue);
    SGK_STAGE(before_next, lines, open_the_gate, NULL, NULL);
    emits(sgk_signal_skip(lines, 1), sgk_string("two"));
}

static void watch_files(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    SGK_AUTO(sgk_signal) changes = sgk_signal_file_changes("/", SGK_FILE_WRITTEN, queue);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(changes, NULL);
    sgk_disposable_dispose(run);
    CHECK(sgk_drain(60) == SGK_OK);
}

static void watch_folders(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    SGK_AUTO(sgk_signal) changes = sgk_signal_file_changes("/var/tmp", SGK_FILE_WRITTEN | SGK_FILE_RECURSIVE, queue);
    SGK_AUTO(sgk_disposable) run = sgk_signal_start(changes, NULL);
    sgk_disposable_dispose(run);
    CHECK(sgk_drain(60) == SGK_OK);
}

static int listener;
static struct sockaddr_in listening_at;
static socklen_t address_size = sizeof listening_at;
static void listen_first(void) {
    listening_at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listener, (struct sockaddr *)&listening_at, address_size) == 0 && listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)&listening_at, &address_size) == 0);
}
static sgk_signal *number_of(void *context, int connection) {
    return (void)context, sgk_signal_just(sgk_int(connection > 0));
}
static void connect_and_accept(void) {
    SGK_AUTO(sgk_queue) queue = sgk_queue_create("queue");
    emits(sgk_signal_connect(&listening_at, address_size, number_of, NULL, NULL, queue), sgk_int(1));
    emits(sgk_signal_accept(listener, 1, number_of, NULL, NULL, queue), sgk_int(1));
}

/* (The child that looks says when it has its answer.) */
static void be_looked_into(void) {
    char answer;
    CHECK(sgk_debug_inspect(path) == SGK_OK && read(ends[0], &answer, 1) == 1 && answer == '{');
    CHECK(sgk_debug_inspect(NULL) == SGK_OK);
}
static void look(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char answer;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    while (connect(fd, (struct sockaddr *)&address, sizeof address) < 0 && getppid() == parent) usleep(1000);
    if (write(fd, "live\n", 5) == 5 && read(fd, &answer, 1) == 1) (void)!write(ends[1], &answer, 1);
    _exit(7);
}

static sgk_value nothing(void *context, const sgk_value *values, size_t count) {
    return (void)context, (void)values, (void)count, sgk_null();
}
static void make_a_function(void) {
    SGK_AUTO(sgk_signature) signature = sgk_signature_create("(i64) -> i64 via libffi");
    SGK_AUTO(sgk_callback) callback = sgk_callback_create(signature, sgk_null(), nothing, NULL, NULL);
    CHECK(callback);
    ((int64_t(*)(int64_t))sgk_callback_function(callback))(1);
}

static struct {
    sgk_pipe *pipe;
    sgk_signal *delivered;
    sgk_queue *queue;
    sgk_timer *timer;
} made;

/* A timer that is restarted later does not wake the clock's thread. */
static void do_it_again(void) {
    static atomic_int counter;
    for (int i = 0; i < 1000; i++) {
        SGK_AUTO(sgk_disposable) run = sgk_signal_start(made.delivered, NULL);
        CHECK(sgk_pipe_next(made.pipe, sgk_give(sgk_string("value"))) == SGK_OK);
        sgk_disposable_dispose(run);
        CHECK(sgk_queue_sync(made.queue, count, &counter) == SGK_OK);
        CHECK(sgk_timer_reset_timeout(made.timer, 60 + counter) == SGK_OK);
    }
}
static void do_it_first(void) {
    made.pipe = sgk_pipe_create();
    SGK_AUTO(sgk_signal) values = sgk_pipe_signal(made.pipe);
    SGK_AUTO(sgk_signal) mapped = sgk_signal_map(values, plus_one, NULL, NULL);
    SGK_AUTO(sgk_queue) main_queue = sgk_queue_main();
    made.delivered = sgk_signal_deliver_on(mapped, main_queue);
    made.queue = sgk_queue_create("queue");
    made.timer = sgk_timer_create(60, false, stop, NULL, NULL, made.queue);
    do_it_again();
}

static const struct part {
    const char *what;
    void (*use)(void);
    const char *stands_on;  /* the numbers of other parts, whose calls it makes, too */
    void (*do_first)(void); /* before the filter is put, if there is anything */
} parts[] = {
    {"values, signals, pipes, operators", make_runs, "", NULL},
    {"and its main thread waits: `sgk_signal_get`, `sgk_reader_next` …", wait_for_values, "0", NULL},
    {"queues, timers, thread pools, the main queue", use_queues, "01", NULL},
    {"the background queue", use_the_background, "012", NULL},
    {"descriptors that are read and written", read_and_write, "012", NULL},
    {"`sgk_signal_unix_signal`", hear_signals, "0124", NULL},
    {"`sgk_signal_child`", wait_for_a_child, "0124", NULL},
    {"`sgk_signal_file_changes`", watch_files, "0124", NULL},
    {"the inspector's socket", be_looked_into, "012", NULL},
    {"native callbacks by libffi", make_a_function, "0", NULL},
    {"a repetition of earlier calls: subscriptions, values, also on the main queue, `sgk_queue_sync` of an idle queue, "
     "postponed timers",
        do_it_again, "", do_it_first},
    {"`sgk_signal_child` where pidfd_open fails with ENOSYS or EPERM", wait_for_a_child_without_pidfd, "01246",
        make_a_sibling},
    {"`sgk_signal_wall_clock_timer`", read_the_wall_clock, "0124", NULL},
    {"`sgk_signal_file_lines`", follow_a_file, "01247", write_first_log},
    {"`SGK_FILE_RECURSIVE` there", watch_folders, "01247", NULL},
    {"`sgk_signal_accept`, `sgk_signal_connect`", connect_and_accept, "0124", listen_first},
    {"`sgk_signal_fd_datagrams`", exchange_datagrams, "0124", make_a_pair},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* Calls that depend on memory and chance are not tested for being required. */
#define ALWAYS(part, call) {part, true, #call, SYS_##call},
#define AT_TIMES(part, call) {part, false, #call, SYS_##call},
static const struct call {
    int part;
    bool is_sure;
    const char *name;
    long number;
} calls[] = {AT_TIMES(0, brk) ALWAYS(0, close) ALWAYS(0, futex) ALWAYS(0, getrandom) AT_TIMES(0, madvise) AT_TIMES(
    0, mmap) AT_TIMES(0, mprotect) AT_TIMES(0, mremap) AT_TIMES(0, munmap) ALWAYS(0, newfstatat) ALWAYS(0, openat)
        ALWAYS(0, prlimit64) ALWAYS(0, read) ALWAYS(0, sched_getaffinity) ALWAYS(1, eventfd2) ALWAYS(1, getpid)
            ALWAYS(1, gettid) ALWAYS(1, poll) AT_TIMES(2, clock_nanosleep) ALWAYS(2, clone3) AT_TIMES(2, exit) AT_TIMES(
                2, get_robust_list) AT_TIMES(2, getdents64) ALWAYS(2, prctl) AT_TIMES(2, rseq) ALWAYS(2, rt_sigaction)
                ALWAYS(2, rt_sigprocmask) AT_TIMES(2, sched_yield) ALWAYS(2, set_robust_list) ALWAYS(2, write) ALWAYS(
                    3, setpriority) ALWAYS(4, epoll_create1) ALWAYS(4, epoll_ctl) ALWAYS(4, epoll_wait) ALWAYS(4, fcntl)
                    ALWAYS(4, getsockopt) ALWAYS(4, ioctl) ALWAYS(4, sendto) ALWAYS(5, signalfd4) ALWAYS(6, pidfd_open)
                        ALWAYS(6, waitid) ALWAYS(7, inotify_add_watch) ALWAYS(7, inotify_init1) ALWAYS(8, accept4)
                            ALWAYS(8, bind) ALWAYS(8, chmod) ALWAYS(8, listen) ALWAYS(8, recvfrom) ALWAYS(8, sendto)
                                ALWAYS(8, socket) ALWAYS(8, statx) ALWAYS(8, unlink) ALWAYS(9, statfs) ALWAYS(11, pipe2)
                                    ALWAYS(12, timerfd_create) ALWAYS(12, timerfd_settime) ALWAYS(13, getcwd)
                                        ALWAYS(13, inotify_rm_watch) ALWAYS(13, pread64) ALWAYS(13, statx)
                                            AT_TIMES(14, inotify_rm_watch) ALWAYS(15, accept4) ALWAYS(15, connect)
                                                ALWAYS(15, socket) ALWAYS(16, recvmsg)};
enum { CALLS = sizeof calls / sizeof *calls };

static bool is_allowed(const struct call *call, int part) {
    return call->part == part || strchr(parts[part].stands_on, '0' + call->part);
}

/* ---- The filter ---- */

/* Allows the calls of the part, without that one, and the calls for the end of this program and its output. */
static void allow(int part, const struct call *missing) {
    bool has_pidfd = parts[part].use != wait_for_a_child_without_pidfd;
    struct sock_filter filter[2 * CALLS + 16] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0), /* of the test's handler */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_restart_syscall, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, has_pidfd ? UINT32_MAX : SYS_pidfd_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    unsigned short length = 7;
    for (const struct call *call = calls; call < calls + CALLS; call++) {
        if (call == missing || !is_allowed(call, part)) continue;
        filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call->number, 0, 1);
        filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    const struct sock_filter end[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDERR_FILENO, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    memcpy(filter + length, end, sizeof end);
    struct sock_fprog program = {(unsigned short)(length + sizeof end / sizeof *end), filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* Uses a part in a separate process, and returns its exit status. */
static int used(int part, const struct call *missing) {
    int status = 0;
    pid_t process = fork();
    if (process == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        CHECK(pipe2(ends, O_CLOEXEC) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, other) == 0 && pipe(gate) == 0);
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        sigprocmask(SIG_BLOCK, &set, NULL);
        kill(getpid(), SIGUSR1);
        parent = getpid();
        snprintf(path, sizeof path, "/tmp/system-calls.%d", (int)parent);
        child = fork();
        if (child == 0) {
            if (parts[part].use == be_looked_into) look();
            if (parts[part].use == wait_for_a_child_without_pidfd) end_behind_the_gate();
            if (parts[part].use == follow_a_file) rotate_behind_the_gate();
            _exit(7);
        }
        if (parts[part].use != be_looked_into) CHECK(write(ends[1], "a line\n", 7) == 7);
        CHECK(write(other[1], "bytes", 5) == 5);
        if (parts[part].do_first) parts[part].do_first();
        allow(part, missing);
        parts[part].use();
        _exit(0);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process);
    return status;
}

int main(int argc, char **argv) {
    bool lists = argc == 2 && strcmp(argv[1], "list") == 0;
    if (lists) puts("| what the program does | system calls |\n| --- | --- |");
    int failed = 0;
    for (int part = 0; part < PARTS; part++) {
        if (lists) printf("| %s | ", parts[part].what);
        int status = lists ? 0 : used(part, NULL);
        if (status != 0)
            failed = printf("%s: %s\n", parts[part].what, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "failed");
        const char *between = "";
        for (const struct call *call = calls; call < calls + CALLS; call++) {
            if (call->part != part) continue;
            if (lists) printf("%s%s%s", between, call->name, call->is_sure ? "" : "\\*");
            else if (call->is_sure && (status = used(part, call), !WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS))
                failed = printf("%s: does without %s\n", parts[part].what, call->name);
            between = ", ";
        }
        if (lists) puts(*between ? " |" : "none |");
    }
    return failed ? 1 : 0;
}
