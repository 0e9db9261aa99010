/** @file
 * Disposables, queues, timers, the main queue's loop, the log.
 */
#ifndef SIGNALKIT_CPP_QUEUE_HPP
#define SIGNALKIT_CPP_QUEUE_HPP

#include "callback.hpp"

#include <algorithm>

namespace sgk {

// ---- Disposables ----

/** What can be disposed of. Destroying it disposes nothing; see scoped_disposable. */
class disposable : public handle<sgk_disposable, sgk_disposable_retain, sgk_disposable_release> {
public:
    using handle::handle;

    /** Runs `action()` when it is disposed, at most once. */
    template <class F>
    static disposable action(F action) {
        return detail::made<disposable>(sgk_action_disposable_create(
            detail::function<sgk_action_fn>::own<F>, new F(std::move(action)), detail::destroy<F>));
    }
    /** Disposes. Any thread, inside callbacks too, more than once; an empty one does nothing. */
    void dispose() const noexcept {
        if (*this) sgk_disposable_dispose(get());
    }
    /** Disposes a run of signal::start_waitable and returns when no callback of it runs on any other thread. False from
     * inside one. */
    bool dispose_and_wait() const {
        const sgk_status status = sgk_disposable_dispose_and_wait(get());
        if (status != SGK_ERROR_THREAD) check(status);
        return status == SGK_OK;
    }
    /** What has become of a run, for people: "running", "ended", "disposed", or "no run"; static. */
    const char *state() const {
        const char *text = sgk_disposable_state(get());
        if (!text) check(sgk_last_status());
        return text;
    }
    /** One that forwards to this, and reports through the log when it goes undisposed. `file` is copied. */
    [[nodiscard]] disposable strict(const char *file, int line) const {
        return detail::made<disposable>(sgk_disposable_strict(get(), file, line));
    }
};

/** Disposes at the end of its scope. */
class scoped_disposable {
public:
    scoped_disposable() noexcept = default;
    scoped_disposable(disposable inner) noexcept : inner_(std::move(inner)) {}
    scoped_disposable(scoped_disposable &&) noexcept = default;
    scoped_disposable &operator=(scoped_disposable &&other) noexcept {
        std::swap(inner_, other.inner_);
        other.dispose();
        return *this;
    }
    ~scoped_disposable() { inner_.dispose(); }

    /** Disposes now. */
    void dispose() noexcept { std::exchange(inner_, {}).dispose(); }
    /** Gives it away undisposed. */
    [[nodiscard]] disposable release() noexcept { return std::exchange(inner_, {}); }

private:
    disposable inner_;
};

/** Holds at most one disposable. */
class meta_disposable : public disposable {
public:
    meta_disposable() : disposable(detail::made<disposable>(sgk_meta_disposable_create())) {}
    /** Stores `child` (empty: none), then disposes the one that was there. */
    void set(const disposable &child) const { check(sgk_meta_disposable_set(get(), child.get())); }
};

/** Holds any number of disposables, and disposes them in the order in which they were added. */
class disposable_set : public disposable {
public:
    disposable_set() : disposable(detail::made<disposable>(sgk_disposable_set_create())) {}
    void add(const disposable &member) const { check(sgk_disposable_set_add(get(), member.get())); }
    /** Takes the first occurrence out, without disposing it. */
    void remove(const disposable &member) const { check(sgk_disposable_set_remove(get(), member.get())); }
    /** Takes the member that was added last out, without disposing it. */
    void remove_last() const { check(sgk_disposable_set_remove_last(get())); }
};

/** Holds a disposable per key. */
class disposable_dict : public disposable {
public:
    disposable_dict() : disposable(detail::made<disposable>(sgk_disposable_dict_create())) {}
    /** Stores `member` (empty: none) under `key`, then disposes the one that was there. */
    void set(const value &key, const disposable &member) const {
        check(sgk_disposable_dict_set(get(), key.get(), member.get()));
    }
};

// ---- Queues ----

namespace detail {

/** What a call comes to whose caller waits for it: a result, or what it has thrown. */
template <class R>
class awaited {
public:
    template <class F, class... A>
    void run(F &f, A &...arguments) noexcept {
        try {
            if constexpr (std::is_void_v<R>) f(arguments...);
            else result_.emplace(f(arguments...));
        } catch (...) { thrown_ = std::current_exception(); }
    }
    std::decay_t<R> take() {
        if (thrown_) std::rethrow_exception(thrown_);
        if constexpr (!std::is_void_v<R>) return std::move(*result_);
    }

private:
    std::exception_ptr thrown_;
    std::optional<std::conditional_t<std::is_void_v<R>, char, std::decay_t<R>>> result_;
};

} // namespace detail

/** Runs work: in order and one at a time on a serial queue and on the main queue. */
class queue : public handle<sgk_queue, sgk_queue_retain, sgk_queue_release> {
public:
    using handle::handle;

    /** A new serial queue; debuggers show the name. */
    explicit queue(const char *name) : queue(detail::made<queue>(sgk_queue_create(name))) {}
    explicit queue(const std::string &name) : queue(name.c_str()) {}
    /** The main queue, whose work runs in main_run or main_drain. */
    static queue main() { return detail::made<queue>(sgk_queue_main()); }
    /** The process-wide concurrent queue of default priority. */
    static queue concurrent_default() { return detail::made<queue>(sgk_queue_concurrent_default()); }
    /** The process-wide concurrent queue of background priority. */
    static queue concurrent_background() { return detail::made<queue>(sgk_queue_concurrent_background()); }

    /** A queue whose clock moves only by advance and run. */
    static queue virtual_time() { return virtual_time({}); }
    /** Another one with the same clock. */
    static queue virtual_time(const queue &beside) {
        return detail::made<queue>(sgk_queue_create_virtual(beside.get()));
    }
    /** A queue on a loop of the program's own, by a C table; see sgk_queue_create_custom, and queue_on for a loop in
     * C++. */
    static queue custom(const sgk_queue_table &table, void *context) {
        return detail::made<queue>(sgk_queue_create_custom(&table, context));
    }

    /** The time of its clock, in seconds. */
    double now() const noexcept { return sgk_queue_now(get()); }
    /** Moves a virtual clock on, running what becomes due. */
    void advance(double seconds) const { check(sgk_queue_advance(get(), seconds)); }
    void advance_to(double time) const { check(sgk_queue_advance_to(get(), time)); }
    /** Runs what waits for a virtual clock, at most so many things; returns how many. */
    int64_t run(int64_t limit = 1000000) const { return counted(sgk_queue_run(get(), limit)); }
    /** How much waits on a virtual clock, work and timers. */
    int64_t pending() const { return counted(sgk_queue_pending(get())); }
    /** The system sleeps: the clock on the wall moves on, the queue's does not. */
    void suspend(double seconds) const { check(sgk_queue_suspend(get(), seconds)); }
    /** How much work was let go because the loop of a custom queue had ended. */
    int64_t dropped() const { return counted(sgk_queue_dropped(get())); }

    /** Whether the caller runs on this queue. */
    bool is_current() const noexcept { return sgk_queue_is_current(get()); }

    /** Runs `work()` on the queue: inline when it is current; otherwise later. */
    template <class F>
    void async(F work) const {
        check(
            sgk_queue_async(get(), detail::function<sgk_work_fn>::own<F>, new F(std::move(work)), detail::destroy<F>));
    }
    /** Runs `work()` on the queue later, never inline. */
    template <class F>
    void dispatch(F work) const {
        check(sgk_queue_dispatch(
            get(), detail::function<sgk_work_fn>::own<F>, new F(std::move(work)), detail::destroy<F>));
    }
    /** Runs `work()` on the queue and returns, or throws, what that returns or throws. Waiting for the main queue hangs
     * when nobody runs it. */
    template <class F>
    auto sync(F &&work) const {
        detail::awaited<std::invoke_result_t<F &>> result;
        auto body = [&] { result.run(work); };
        check(sgk_queue_sync(get(), detail::function<sgk_work_fn>::own<decltype(body)>, &body));
        return result.take();
    }
    /** Runs `work()` on the queue in `seconds`, never inline. Returns what cancels it. */
    template <class F>
    disposable after(double seconds, F work) const {
        return detail::made<disposable>(sgk_queue_after(
            get(), seconds, detail::function<sgk_work_fn>::own<F>, new F(std::move(work)), detail::destroy<F>));
    }

private:
    /** A number, or a negative status. */
    static int64_t counted(int64_t number) {
        check(static_cast<sgk_status>(std::min<int64_t>(number, 0)));
        return number;
    }
};

/** Counts what overflows in deliver_on with a bound. */
class overflow_counter
    : public handle<sgk_overflow_counter, sgk_overflow_counter_retain, sgk_overflow_counter_release> {
public:
    using handle::handle;

    static overflow_counter create() { return detail::made<overflow_counter>(sgk_overflow_counter_create()); }
    int64_t dropped() const noexcept { return sgk_overflow_counter_dropped(get()); }
    int64_t suspended() const noexcept { return sgk_overflow_counter_suspended(get()); }
};

// ---- Timers ----

/** Calls a function on a queue after some time, once or again and again. Not running until start(); stops when its last
 * owner goes. */
class timer : public handle<sgk_timer, sgk_timer_retain, sgk_timer_release> {
public:
    using handle::handle;

    /** Calls `fire()` once, `seconds` after its start. */
    template <class F>
    static timer once(double seconds, const queue &on, F fire) { return make(seconds, false, on, std::move(fire)); }
    /** Calls `fire()` every `seconds` from its start on. */
    template <class F>
    static timer every(double seconds, const queue &on, F fire) { return make(seconds, true, on, std::move(fire)); }

    /** Starts it, or starts it anew. */
    void start() const { check(sgk_timer_start(get())); }
    /** Stops it. On its own queue it does not fire after this; from elsewhere one firing may be in progress. */
    void invalidate() const { check(sgk_timer_invalidate(get())); }
    /** Ends it, if it runs, by firing it: inline on its queue, otherwise later there. */
    void fire_and_invalidate() const { check(sgk_timer_fire_and_invalidate(get())); }
    /** Changes the time and starts anew. */
    void reset_timeout(double seconds) const { check(sgk_timer_reset_timeout(get(), seconds)); }
    /** Whether a firing is due. */
    bool is_scheduled() const noexcept { return sgk_timer_is_scheduled(get()); }
    /** Seconds until the next firing; infinite when none is due. */
    double remaining_time() const noexcept { return sgk_timer_remaining_time(get()); }
    /** When it fires next, in seconds since 1970; 0 when no firing is due. */
    double timeout_date() const noexcept { return sgk_timer_timeout_date(get()); }

private:
    template <class F>
    static timer make(double seconds, bool repeat, const queue &on, F fire) {
        return detail::made<timer>(sgk_timer_create(seconds, repeat, detail::function<sgk_work_fn>::own<F>,
            new F(std::move(fire)), detail::destroy<F>, on.get()));
    }
};

// ---- Thread pools ----

/** A fixed number of threads that run tasks. */
class thread_pool : public handle<sgk_thread_pool, sgk_thread_pool_retain, sgk_thread_pool_release> {
public:
    using handle::handle;

    /** From 1 to 1024 threads; the priority is from 0 to 1. */
    explicit thread_pool(int threads, double priority = 0.5)
        : thread_pool(detail::made<thread_pool>(sgk_thread_pool_create(threads, priority))) {}
    /** Runs `task()` on any of the threads. Returns what keeps it from running if its turn has not come. */
    template <class F>
    disposable add_task(F task) const {
        return detail::made<disposable>(sgk_thread_pool_add_task(
            get(), detail::function<sgk_work_fn>::own<F>, new F(std::move(task)), detail::destroy<F>));
    }
    /** A new serial queue on the pool. */
    queue next_queue() const { return detail::made<queue>(sgk_thread_pool_next_queue(get())); }
    /** The pool as a concurrent queue, which keeps the pool. */
    queue as_queue() const { return detail::made<queue>(sgk_thread_pool_queue(get())); }
    /** Whether the caller runs on one of the threads. */
    bool is_current() const noexcept { return sgk_thread_pool_is_current_thread_in_pool(get()); }
    /** Lets the tasks that wait go and ends the threads. Does not wait. */
    void shutdown() const { check(sgk_thread_pool_shutdown(get())); }
};

// ---- The main queue's loop, the log, what is alive ----

/** Waits, at most `seconds`, until the queues and pools have no work left. Whether that is so. */
inline bool drain(double seconds) {
    const sgk_status status = sgk_drain(seconds);
    if (status != SGK_ERROR_TIMEOUT) check(status);
    return status == SGK_OK;
}

/** Runs the work of the main queue until main_stop. Main thread only. */
inline void main_run() { check(sgk_main_run()); }
/** Makes main_run return. Any thread; not from a signal handler. */
inline void main_stop() { check(sgk_main_stop()); }
/** Runs what the main queue has to do by now. Main thread only. */
inline void main_drain() { check(sgk_main_drain()); }

/** A file descriptor that is readable when the main queue has work, for a loop that then calls main_drain. */
inline int main_fd() {
    const int descriptor = sgk_main_fd();
    check(static_cast<sgk_status>(std::min(descriptor, 0)));
    return descriptor;
}

/** How many objects of the library are alive: of one kind, and of all. */
inline int64_t live_count(sgk_live kind) noexcept { return sgk_live_count(kind); }
inline int64_t live_total() noexcept { return sgk_live_total(); }
/** The text of a kind. */
inline const char *live_text(sgk_live kind) noexcept { return sgk_live_text(kind); }
/** The library's version. */
inline const char *version() noexcept { return sgk_version(); }

/** Directs the library's messages to `log(const char *)`; sgk_set_log_handler(NULL, NULL, NULL) goes back to stderr. */
template <class F>
void set_log_handler(F log) {
    sgk_set_log_handler(detail::function<sgk_log_fn>::own<F>, new F(std::move(log)), detail::destroy<F>);
}

/** Tells `handler(value error, const char *name)` of errors that end a run without an error callback; the name is that
 * of `named`, or nullptr. sgk_set_unhandled_error_handler(NULL, NULL, NULL) goes back to the log. */
template <class F>
void set_unhandled_error_handler(F handler) {
    sgk_set_unhandled_error_handler(
        [](void *context, sgk_value error, const char *name) noexcept {
            (*static_cast<F *>(context))(value::share(error), name);
        },
        new F(std::move(handler)), detail::destroy<F>);
}

} // namespace sgk

#endif
