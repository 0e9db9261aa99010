// An exception that leaves a callback of the C interface ends the program, wherever the library has called it from:
// what docs/processes.md says. Each case in a process of its own, which must get neither to its end nor to the handler
// outside.
#include <csignal>
#include <cstdio>
#include <exception>
#include <signalkit.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static sgk_value throw_from_map(void *, sgk_value) { throw 1; }
static void throw_from_next(void *, sgk_value) { throw 1; }
static void throw_from_work(void *) { throw 1; }

static sgk_disposable *throw_from_generator(void *, sgk_subscriber *) { throw 1; }

static void a_stage() {
    sgk_signal *ones = sgk_signal_single(sgk_int(1)), *mapped = sgk_signal_map(ones, throw_from_map, nullptr, nullptr);
    sgk_disposable_release(sgk_signal_start(mapped, nullptr));
}
static void a_handler_of_a_pipe() {
    sgk_pipe *pipe = sgk_pipe_create();
    sgk_disposable_release(sgk_signal_start_next(sgk_pipe_signal(pipe), throw_from_next, nullptr, nullptr));
    sgk_pipe_next(pipe, sgk_int(1));
}
static void a_generator() {
    sgk_disposable_release(sgk_signal_start(sgk_signal_create(throw_from_generator, nullptr, nullptr), nullptr));
}
static void a_disposal() {
    sgk_disposable_dispose(sgk_action_disposable_create(throw_from_work, nullptr, nullptr));
}
static void a_destroy_at_a_release() {
    sgk_signal_release(sgk_signal_create(throw_from_generator, nullptr, throw_from_work));
}
static void work_that_is_waited_for() {
    sgk_queue_sync(sgk_queue_create("own"), throw_from_work, nullptr);
}
static void work_on_a_thread_of_the_pool() {
    sgk_queue_async(sgk_queue_concurrent_default(), throw_from_work, nullptr, nullptr);
    sleep(60);
}

static bool ends(const char *name, void (*work)()) {
    pid_t child = fork();
    if (child == 0) {
        rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        std::set_terminate([] { _exit(42); });
        try {
            work();
        } catch (int) {
            _exit(1);
        }
        _exit(2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    bool right = WIFEXITED(status) && WEXITSTATUS(status) == 42;
    std::printf("%s %s (status %x)\n", right ? "ok    " : "FAILED", name, static_cast<unsigned>(status));
    return right;
}

int main() {
    bool right = true;
#define CASE(work) right = ends(#work, work) && right
    CASE(a_stage);
    CASE(a_handler_of_a_pipe);
    CASE(a_generator);
    CASE(a_disposal);
    CASE(a_destroy_at_a_release);
    CASE(work_that_is_waited_for);
    CASE(work_on_a_thread_of_the_pool);
    return right ? 0 : 1;
}
