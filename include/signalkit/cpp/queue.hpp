/** @file
 * Disposables, queues, timers, thread pools, the main queue's loop, the log.
 */
#ifndef SIGNALKIT_CPP_QUEUE_HPP
#define SIGNALKIT_CPP_QUEUE_HPP

#include "callback.hpp"

#include <algorithm>

/** Adds a policy to SGK_OVERFLOW_PAUSE: `SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_OLDEST`, as in C. */
[[nodiscard]] constexpr sgk_overflow operator|(sgk_overflow left, sgk_overflow right) {
    return static_cast<sgk_overflow>(static_cast<unsigned>(left) | static_cast<unsigned>(right));
}

SGK_CPP_BEGIN

// ---- Disposables ----

/** An object that can be disposed once. Destroying it does not dispose; see scoped_disposable. */
class [[nodiscard]] disposable : public handle<sgk_disposable> {
public:
    using handle::handle;

    /** Creates a disposable that runs `action()` when it is disposed, at most once. */
    template <class F>
    [[nodiscard]] static disposable action(F action) {
        return detail::made<disposable>(
            sgk_action_disposable_create(detail::call_action<F>, new F(std::move(action)), detail::destroy<F>));
    }
    /** Disposes the object. A second call does nothing, nor does a call on an empty disposable. Any thread, also inside
     * callbacks. */
    void dispose() const noexcept {
        if (*this) sgk_disposable_dispose(get());
    }
    /** Disposes a subscription of signal::start_waitable and waits until no callback of it runs on another thread.
     *
     * Returns false if a running callback waits for the caller. */
    bool dispose_and_wait() const {
        const sgk_status status = sgk_disposable_dispose_and_wait(get());
        if (status != SGK_ERROR_THREAD) check(status);
        return status == SGK_OK;
    }
    /** Returns the state of a subscription as static text: "running", "ended", "disposed", or "no run". */
    const char *state() const {
        const char *text = sgk_disposable_state(get());
        if (!text) check(sgk_last_status());
        return text;
    }
    /** Pauses the source of a subscription until the result is disposed or destroyed, whichever is first.
     *
     * Holds are counted. A source that cannot be paused keeps emitting. See sgk_disposable_hold. */
    [[nodiscard]] disposable hold() const { return detail::made<disposable>(sgk_disposable_hold(get())); }
    /** Creates a strict disposable, which logs a message if it is released without dispose. `file` is copied. */
    [[nodiscard]] disposable strict(const char *file, int line) const {
        return detail::made<disposable>(sgk_disposable_strict(get(), file, line));
    }
};

/** Disposes a disposable at the end of its scope. */
class [[nodiscard]] scoped_disposable {
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

    /** Disposes immediately. */
    void dispose() noexcept { std::exchange(inner_, {}).dispose(); }
    /** Returns the disposable, which this still disposes. */
    const disposable &get() const noexcept { return inner_; }
    /** Transfers the disposable to the caller without disposing it. */
    [[nodiscard]] disposable release() noexcept { return std::exchange(inner_, {}); }

private:
    disposable inner_;
};

/** A container for one disposable at a time. */
class disposable_slot : public disposable {
public:
    disposable_slot() : disposable(detail::made<disposable>(sgk_disposable_slot_create())) {}
    /** Stores `child`, which may be empty, and then disposes the previous one. */
    void set(const disposable &child) const { check(sgk_disposable_slot_set(get(), child.get())); }
};

/** A set of disposables. It disposes them in the order in which they were added. */
class disposable_bag : public disposable {
public:
    disposable_bag() : disposable(detail::made<disposable>(sgk_disposable_bag_create())) {}
    void add(const disposable &member) const { check(sgk_disposable_bag_add(get(), member.get())); }
    /** Removes the first occurrence without disposing it. */
    void remove(const disposable &member) const { check(sgk_disposable_bag_remove(get(), member.get())); }
};

/** A dictionary of disposables. */
class disposable_dict : public disposable {
public:
    disposable_dict() : disposable(detail::made<disposable>(sgk_disposable_dict_create())) {}
    /** Stores `member`, which may be empty, under `key`, and then disposes the previous one. */
    void set(const value &key, const disposable &member) const {
        check(sgk_disposable_dict_set(get(), key.get(), member.get()));
    }
};

// ---- Queues ----

namespace detail {

/** The result or the exception of a call for which a caller waits. */
template <class R>
class awaited {
public:
    template <class F, class... A>
    void run(F &f, A &...arguments) noexcept {
        thrown_ = attempt([&] {
            if constexpr (std::is_void_v<R>) f(arguments...);
            else result_.emplace(f(arguments...));
        });
    }
    std::decay_t<R> take() {
        rethrow(thrown_);
        if constexpr (!std::is_void_v<R>) return std::move(*result_);
    }

private:
    std::exception_ptr thrown_;
    std::optional<std::conditional_t<std::is_void_v<R>, char, std::decay_t<R>>> result_;
};

} // namespace detail

/** Runs work. A serial queue and the main queue run one job at a time, in order. */
class queue : public handle<sgk_queue> {
public:
    using handle::handle;

    /** Creates a serial queue. The name is for debuggers. */
    explicit queue(const char *name) : queue(detail::made<queue>(sgk_queue_create(name))) {}
    explicit queue(const std::string &name) : queue(name.c_str()) {}
    /** Creates a concurrent queue with 1 to 1024 threads. */
    [[nodiscard]] static queue concurrent(const char *name, int threads) {
        return detail::made<queue>(sgk_queue_create_concurrent(name, threads));
    }
    /** Returns the main queue. Its work runs inside main_run or main_drain. */
    [[nodiscard]] static queue main() { return detail::made<queue>(sgk_queue_main()); }
    /** Returns the process-wide concurrent queue of default priority. */
    [[nodiscard]] static queue concurrent_default() { return detail::made<queue>(sgk_queue_concurrent_default()); }
    /** Returns the process-wide concurrent queue of background priority. */
    [[nodiscard]] static queue concurrent_background() {
        return detail::made<queue>(sgk_queue_concurrent_background());
    }

    /** Creates a queue with a virtual clock, which only advance and run change. */
    [[nodiscard]] static queue virtual_time() { return virtual_time({}); }
    /** Creates a queue with the same virtual clock. */
    [[nodiscard]] static queue virtual_time(const queue &beside) {
        return detail::made<queue>(sgk_queue_create_virtual(beside.get()));
    }
    /** Creates a queue on the program's loop from a C table (sgk_queue_create_custom). queue_on is for loops in C++. */
    [[nodiscard]] static queue custom(const sgk_queue_table &table, void *context) {
        return detail::made<queue>(sgk_queue_create_custom(&table, context));
    }

    /** Returns the time of the queue's clock. */
    duration now() const noexcept { return duration(sgk_queue_now(get())); }
    /** Advances a virtual clock and runs the work that expires. */
    void advance(duration time) const { check(sgk_queue_advance(get(), time.count())); }
    /** Runs the pending work of a virtual clock, at most `limit` jobs. Returns their number. */
    int64_t run(int64_t limit = 1000000) const { return counted(sgk_queue_run(get(), limit)); }
    /** Returns the number of pending jobs and timers on a virtual clock. */
    int64_t pending() const { return counted(sgk_queue_pending(get())); }
    /** Simulates a sleep of the system: advances the wall clock, but not the queue's clock. */
    void suspend(duration time) const { check(sgk_queue_suspend(get(), time.count())); }
    /** Returns how many jobs were dropped because the loop of a custom queue had ended. */
    int64_t dropped() const { return counted(sgk_queue_dropped(get())); }

    /** Reports whether the caller runs on this queue. */
    bool is_current() const noexcept { return sgk_queue_is_current(get()); }

    /** Runs `work()` on the queue: inline if the queue is current, otherwise later. */
    template <class F>
    void async(F work) const {
        check(sgk_queue_async(get(), detail::call_action<F>, new F(std::move(work)), detail::destroy<F>));
    }
    /** Runs `work()` on the queue later, never inline. */
    template <class F>
    void dispatch(F work) const {
        check(sgk_queue_dispatch(get(), detail::call_action<F>, new F(std::move(work)), detail::destroy<F>));
    }
    /** Runs `work()` on the queue, and returns its result or throws its exception.
     *
     * It deadlocks on the main queue if nothing runs it. */
    template <class F>
    auto sync(F &&work) const {
        detail::awaited<std::invoke_result_t<F &>> result;
        auto body = [&] { result.run(work); };
        check(sgk_queue_sync(get(), detail::call_action<decltype(body)>, &body));
        return result.take();
    }
    /** Runs `work()` on the queue after `time`, never inline. Returns a disposable that cancels it. */
    template <class F>
    disposable after(duration time, F work) const {
        return detail::made<disposable>(
            sgk_queue_after(get(), time.count(), detail::call_action<F>, new F(std::move(work)), detail::destroy<F>));
    }

private:
    /** Returns a number, or throws an error if it is a negative status. */
    static int64_t counted(int64_t number) {
        check(static_cast<sgk_status>(std::min<int64_t>(number, 0)));
        return number;
    }
};

/** Counts dropped values, blocked threads and values above a limit. See overflow.h. */
class overflow_counter : public handle<sgk_overflow_counter> {
public:
    using handle::handle;

    [[nodiscard]] static overflow_counter create() {
        return detail::made<overflow_counter>(sgk_overflow_counter_create());
    }
    int64_t dropped() const noexcept { return sgk_overflow_counter_dropped(get()); }
    int64_t exceeded() const noexcept { return sgk_overflow_counter_exceeded(get()); }
    int64_t suspended() const noexcept { return sgk_overflow_counter_suspended(get()); }
};

/** The capacity of a buffer, and the policy when it is full. `100` and `{100, SGK_OVERFLOW_DROP_OLDEST}` convert to it.
 *
 * Without a limit or a policy an operator uses the defaults of its C function (sgk_bound). */
class bound {
public:
    bound() = default;
    /** @param limit    SGK_UNBOUNDED: no limit. 0 (merge_map and merge_all only): nothing is stored.
     *  @param error    The error of SGK_OVERFLOW_ERROR.
     *  @param counter  Counts dropped values and blocked threads. */
    bound(
        std::int64_t limit, std::optional<sgk_overflow> overflow = {}, value error = {}, overflow_counter counter = {})
        : limit_(limit == 0 ? SGK_UNBUFFERED : limit), overflow_(overflow), error_(std::move(error)),
          counter_(std::move(counter)) {}

    /** Calls a function with the sgk_bound, which is valid during the call. */
    template <class F>
    auto apply(F &&function) const {
        sgk_bound raw = SGK_BOUND_INIT;
        raw.limit = limit_;
        if (overflow_) raw.overflow = static_cast<std::uint32_t>(*overflow_);
        raw.counter = counter_.get();
        raw.error = error_.get();
        return function(static_cast<const sgk_bound *>(&raw));
    }

private:
    std::int64_t limit_ = 0;
    std::optional<sgk_overflow> overflow_;
    value error_;
    overflow_counter counter_;
};

// ---- Timers ----

/** Calls a function on a queue after a delay, once or repeatedly.
 *
 * start() starts it. It stops when its last owner is destroyed. */
class timer : public handle<sgk_timer> {
public:
    using handle::handle;

    /** Creates a timer that calls `fire()` once, `time` after its start. */
    template <class F>
    [[nodiscard]] static timer once(duration time, const queue &on, F fire) {
        return make(time, false, on, std::move(fire));
    }
    /** Creates a timer that calls `fire()` every `time` after its start. */
    template <class F>
    [[nodiscard]] static timer every(duration time, const queue &on, F fire) {
        return make(time, true, on, std::move(fire));
    }

    /** Starts or restarts the timer. */
    void start() const { check(sgk_timer_start(get())); }
    /** Stops the timer. On its queue no firing follows. A call on another thread may overlap one firing. */
    void invalidate() const { check(sgk_timer_invalidate(get())); }
    /** Fires a running timer and stops it: inline if its queue is current, otherwise later. */
    void fire_and_invalidate() const { check(sgk_timer_fire_and_invalidate(get())); }
    /** Sets a new delay and restarts the timer. */
    void reset_timeout(duration time) const { check(sgk_timer_reset_timeout(get(), time.count())); }
    /** Reports whether a firing is scheduled. */
    bool is_scheduled() const noexcept { return sgk_timer_is_scheduled(get()); }
    /** Returns the time until the next firing, or `no_timeout` if none is scheduled. */
    duration remaining_time() const noexcept { return duration(sgk_timer_remaining_time(get())); }
    /** Returns the time of the next firing since 1970, or 0 if none is scheduled. */
    duration timeout_date() const noexcept { return duration(sgk_timer_timeout_date(get())); }

private:
    template <class F>
    static timer make(duration time, bool repeat, const queue &on, F fire) {
        return detail::made<timer>(sgk_timer_create(
            time.count(), repeat, detail::call_action<F>, new F(std::move(fire)), detail::destroy<F>, on.get()));
    }
};

// ---- Thread pools ----

/** A fixed number of threads that run tasks. */
class thread_pool : public handle<sgk_thread_pool> {
public:
    using handle::handle;

    /** Creates a pool of 1 to 1024 threads with a priority from 0 to 1. */
    explicit thread_pool(int threads, double priority = 0.5)
        : thread_pool(detail::made<thread_pool>(sgk_thread_pool_create(threads, priority))) {}
    /** Runs `task()` on one of the threads. Returns a disposable that cancels it before it starts. */
    template <class F>
    [[nodiscard]] disposable add_task(F task) const {
        return detail::made<disposable>(
            sgk_thread_pool_add_task(get(), detail::call_action<F>, new F(std::move(task)), detail::destroy<F>));
    }
    /** Creates a serial queue on the pool. */
    [[nodiscard]] queue next_queue() const { return detail::made<queue>(sgk_thread_pool_next_queue(get())); }
    /** Returns the pool as a concurrent queue, which retains the pool. */
    [[nodiscard]] queue as_queue() const { return detail::made<queue>(sgk_thread_pool_queue(get())); }
    /** Reports whether the caller runs on one of the threads. */
    bool is_current() const noexcept { return sgk_thread_pool_is_current_thread_in_pool(get()); }
    /** Drops the pending tasks and ends the threads, without waiting for them. */
    void shutdown() const { check(sgk_thread_pool_shutdown(get())); }
};

// ---- The main queue's loop, the log, live objects ----

/** Waits at most `time` until all queues and thread pools are idle. Returns false after a timeout. */
inline bool drain(duration time) {
    const sgk_status status = sgk_drain(time.count());
    if (status != SGK_ERROR_TIMEOUT) check(status);
    return status == SGK_OK;
}

/** Runs the main queue's work until main_stop. Main thread only. */
inline void main_run() { check(sgk_main_run()); }
/** Runs the main queue until a subscription is over, for at most `time`. Returns false after a timeout. */
inline bool main_run_until(const disposable &subscription, duration time = no_timeout) {
    const sgk_status status = sgk_main_run_until(subscription.get(), time.count());
    if (status != SGK_ERROR_TIMEOUT) check(status);
    return status == SGK_OK;
}
inline bool main_run_until(const scoped_disposable &subscription, duration time = no_timeout) {
    return main_run_until(subscription.get(), time);
}
/** Makes main_run return. Any thread, but not a signal handler. */
inline void main_stop() { check(sgk_main_stop()); }
/** Runs the main queue's pending work without waiting. Main thread only. */
inline void main_drain() { check(sgk_main_drain()); }

/** Returns a file descriptor that is readable while the main queue has work. A loop then calls main_drain. */
inline int main_fd() {
    const int descriptor = sgk_main_fd();
    check(static_cast<sgk_status>(std::min(descriptor, 0)));
    return descriptor;
}

/** Returns the number of live objects of the library, of one kind or of all kinds. */
inline int64_t live_count(sgk_live kind) noexcept { return sgk_live_count(kind); }
inline int64_t live_total() noexcept { return sgk_live_total(); }
/** Returns the text of a kind. */
inline const char *live_text(sgk_live kind) noexcept { return sgk_live_text(kind); }
/** Returns the library's version. */
inline const char *version() noexcept { return sgk_version(); }

/** Sets the function that receives the library's messages: `log(const char *)`.
 *
 * sgk_set_log_handler(NULL, NULL, NULL) restores stderr. */
template <class F>
void set_log_handler(F log) {
    sgk_set_log_handler([](void *context, const char *message) noexcept { (*static_cast<F *>(context))(message); },
        new F(std::move(log)), detail::destroy<F>);
}

/** Sets the functions that each later thread of the library calls before its first work and after its last:
 * `begin(const char *name)` and `end(const char *name)`.
 *
 * sgk_set_thread_hooks(NULL, NULL, NULL, NULL) removes them. */
template <class F, class G>
void set_thread_hooks(F begin, G end) {
    using hooks = std::pair<F, G>;
    sgk_set_thread_hooks([](void *context, const char *name) noexcept { static_cast<hooks *>(context)->first(name); },
        [](void *context, const char *name) noexcept { static_cast<hooks *>(context)->second(name); },
        new hooks(std::move(begin), std::move(end)), detail::destroy<hooks>);
}

/** Sets the function that receives errors of subscriptions without an error callback.
 *
 * It is called as `handler(const failure &, const char *name)`. The name comes from `named`, or is nullptr.
 * sgk_set_unhandled_error_handler(NULL, NULL, NULL) restores the log. */
template <class F>
void set_unhandled_error_handler(F handler) {
    sgk_set_unhandled_error_handler(
        [](void *context, sgk_value error, const char *name) noexcept {
            (*static_cast<F *>(context))(failure(value::share(error)), name);
        },
        new F(std::move(handler)), detail::destroy<F>);
}

SGK_CPP_END

#endif
