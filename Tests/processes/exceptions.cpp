// An exception that leaves a callback of the C interface ends the program, independent of the caller in the library
// (docs/processes.md). Each case runs in a separate process, which must reach neither its end nor the outer handler. A
// longjmp out of the `dispatch` of a custom queue does not block the queue for other threads.
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <signalkit.h>
#include <signalkit/queue_custom.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static sgk_value throw_from_map(void *, sgk_value) { throw 1; }
static void throw_from_next(void *, sgk_value) { throw 1; }
static void throw_from_work(void *) { throw 1; }

static sgk_disposable *throw_from_generator(void *, sgk_subscriber *) { throw 1; }

static void a_stage() {
    sgk_signal *ones = sgk_signal_just(sgk_int(1)), *mapped = sgk_signal_map(ones, throw_from_map, nullptr, nullptr);
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
static void a_disposal() { sgk_disposable_dispose(sgk_action_disposable_create(throw_from_work, nullptr, nullptr)); }
static void a_destroy_at_a_release() {
    sgk_signal_release(sgk_signal_create(throw_from_generator, nullptr, throw_from_work));
}
static void work_that_is_waited_for() { sgk_queue_sync(sgk_queue_create("own"), throw_from_work, nullptr); }
static void work_on_a_thread_of_the_pool() {
    sgk_queue_async(sgk_queue_concurrent_default(), throw_from_work, nullptr, nullptr);
    sleep(60);
}

static sgk_status throw_from_dispatch(void *, sgk_work_fn, void *, sgk_destroy_fn) { throw 1; }
static sgk_queue *queue_of(decltype(sgk_queue_table::dispatch) dispatch) {
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.dispatch = dispatch;
    return sgk_queue_create_custom(&table, nullptr);
}
static void dispatch_to_a_custom_queue() {
    sgk_queue_dispatch(queue_of(throw_from_dispatch), throw_from_work, nullptr, nullptr);
}

// The loop: one work at a time, which the main thread takes and another one runs.
static std::jmp_buf outside;
static bool leaves;
static sgk_work_fn waiting_work;
static void *waiting_context;
static sgk_destroy_fn waiting_destroy;

static sgk_status leave_or_keep(void *, sgk_work_fn work, void *context, sgk_destroy_fn destroy) {
    if (leaves) std::longjmp(outside, 1);
    waiting_work = work, waiting_context = context, waiting_destroy = destroy;
    return SGK_OK;
}
static void run_what_waits() {
    waiting_work(waiting_context);
    waiting_destroy(waiting_context);
}
static void count(void *number) { ++*static_cast<int *>(number); }
static sgk_status of_main;
static void wait_for_main(void *number) { of_main = sgk_queue_sync(sgk_queue_main(), count, number); }

// The main thread waits for the loop no more: work of the loop may wait for the main queue.
static bool goes_on_after_a_longjmp_out_of_dispatch() {
    int calls = 0;
    sgk_queue *queue = queue_of(leave_or_keep);
    leaves = true;
    if (setjmp(outside) == 0) sgk_queue_sync(queue, count, &calls);
    leaves = false;
    if (sgk_queue_dispatch(queue, wait_for_main, &calls, nullptr) != SGK_OK) return false;
    std::atomic<bool> is_done(false);
    std::thread loop([&is_done] { run_what_waits(), is_done = true; });
    while (!is_done) sgk_main_drain(), usleep(1000);
    loop.join();
    return of_main == SGK_OK && calls == 1;
}

static bool ends(const char *name, void (*work)()) {
    pid_t child = fork();
    if (child == 0) {
        rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        std::set_terminate([] { _exit(42); });
        try {
            work();
        } catch (int) { _exit(1); }
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
    CASE(dispatch_to_a_custom_queue);
    const bool goes_on = goes_on_after_a_longjmp_out_of_dispatch();
    std::printf("%s goes_on_after_a_longjmp_out_of_dispatch\n", goes_on ? "ok    " : "FAILED");
    right = goes_on && right;
    return right ? 0 : 1;
}
