/** @file
 * Signals in coroutines, for C++20 and later. For compilers without coroutines this header is empty.
 *
 *     task show(sgk::signal<std::string> source, sgk::reader<int> numbers) { // any coroutine type of the program
 *         std::cout << co_await source.first();
 *         while (auto n = co_await numbers.async_next()) std::cout << *n;
 *     }
 *
 * If the value is available, the coroutine continues immediately. Otherwise it continues on the thread that emits the
 * value or closes the reader, inside that emission. No thread is blocked in the meantime. To continue on another
 * thread, add sgk::deliver_on to the source.
 *
 * A coroutine that sends values waits by `co_await numbers.ready(queue)` while a stage asks for a pause. It then
 * continues on the queue.
 *
 * Inside the emission the coroutine must not block until the same source emits. SGK_OVERFLOW_SUSPEND does not block
 * that thread as long as no other thread has read.
 *
 * If a coroutine is destroyed while it waits, it disposes its subscription. A reader is closed with its last owner.
 * Destroy a coroutine only where it cannot be resumed at the same moment, for example on the emitting thread or queue.
 */
#ifndef SIGNALKIT_CPP_COROUTINE_HPP
#define SIGNALKIT_CPP_COROUTINE_HPP

#include "reader.hpp"

#ifdef __cpp_impl_coroutine
#include <coroutine>
#include <memory>

SGK_CPP_BEGIN

namespace detail {

/** The shared state of a coroutine and the callbacks that resume it. */
class suspension {
public:
    /** Claims the right to set the result and to resume. Returns false if another caller has it. */
    bool claim() noexcept { return !claimed_.exchange(true, std::memory_order_acq_rel); }
    void unclaim() noexcept { claimed_.store(false, std::memory_order_release); }
    /** Resumes the coroutine after the result is set. If it is not suspended yet, it will not suspend. */
    void resume() noexcept {
        if (state_.exchange(over, std::memory_order_acq_rel) == suspended) coroutine_.resume();
    }
    void prepare(std::coroutine_handle<> coroutine) noexcept { coroutine_ = coroutine; }
    /** Suspends the coroutine and returns true, unless the result is set. From then on another thread may resume it. */
    bool suspend() noexcept { return state_.exchange(suspended, std::memory_order_acq_rel) == begun; }

private:
    enum { begun, suspended, over };
    std::coroutine_handle<> coroutine_;
    std::atomic<int> state_{begun};
    std::atomic<bool> claimed_{false};
};

/** The wait for the first event of a subscription. */
struct first_event : suspension {
    sgk_status status = SGK_OK;
    value found;
    disposable run;

    void end(sgk_status how, sgk_value with) noexcept {
        if (!claim()) return;
        status = how;
        found = value::share(with);
        if (run) sgk_disposable_dispose(run.get());
        resume();
    }
};

} // namespace detail

/** The awaiter of `co_await source.first()`. */
template <class T>
class awaited_first {
public:
    explicit awaited_first(const signal<T> &source) : source_(detail::sealed(source)) {}
    awaited_first(const awaited_first &) = delete;
    awaited_first &operator=(const awaited_first &) = delete;
    ~awaited_first() {
        if (shared_ && (*shared_)->claim()) sgk_disposable_dispose((*shared_)->run.get());
    }

    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> coroutine) {
        using event = detail::first_event;
        using owners = std::shared_ptr<event>;
        shared_.emplace(std::make_shared<event>());
        const owners kept = *shared_; // the awaiter may have been destroyed when this returns
        kept->prepare(coroutine);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = new owners(kept);
        handlers.started = [](void *to, sgk_disposable *run) noexcept {
            (*static_cast<owners *>(to))->run = disposable(sgk_disposable_retain(run));
        };
        handlers.next = [](void *to, sgk_value v) noexcept { owners(*static_cast<owners *>(to))->end(SGK_OK, v); };
        handlers.error = [](void *to, sgk_value e) noexcept {
            owners(*static_cast<owners *>(to))->end(SGK_ERROR_FAILED, e);
        };
        handlers.completed = [](void *to) noexcept {
            owners(*static_cast<owners *>(to))->end(SGK_ERROR_COMPLETED, sgk_null());
        };
        handlers.destroy = [](void *to) noexcept { // the source may have released its subscriber without an end
            const owners last = *static_cast<owners *>(to);
            delete static_cast<owners *>(to);
            last->end(SGK_ERROR_COMPLETED, sgk_null());
        };
        static_cast<void>(detail::made<disposable>(sgk_signal_start(source_.get(), &handlers)));
        return kept->suspend();
    }
    T await_resume() const {
        const auto &event = **shared_;
        return detail::needed(detail::answer(event.status, event.found), event.found).template as<T>();
    }

private:
    signal<T> source_;
    std::optional<std::shared_ptr<detail::first_event>> shared_;
};

/** The awaiter of `co_await numbers.async_next()`. */
template <class T>
class awaited_reading {
public:
    explicit awaited_reading(reader<T> source) : source_(std::move(source)) {}
    awaited_reading(const awaited_reading &) = delete;
    awaited_reading &operator=(const awaited_reading &) = delete;
    ~awaited_reading() {
        if (waiting_) static_cast<void>(waiting_->claim());
    }

    bool await_ready() {
        look();
        return status_ != SGK_ERROR_TIMEOUT;
    }
    bool await_suspend(std::coroutine_handle<> coroutine) {
        waiting_ = std::make_shared<detail::suspension>();
        const auto kept = waiting_; // the awaiter may have been destroyed when this returns
        kept->prepare(coroutine);
        watch(kept);
        return kept->suspend();
    }
    std::optional<T> await_resume() {
        detail::rethrow(thrown_);
        return std::move(place_);
    }

private:
    void look() noexcept {
        thrown_ = detail::attempt([this] { status_ = source_.next(place_, duration()); });
        if (thrown_) status_ = SGK_ERROR_FAILED;
    }
    void watch(std::shared_ptr<detail::suspension> waiting) {
        const reader<T> source = source_;
        source.when_ready([this, waiting = std::move(waiting)]() noexcept {
            if (!waiting->claim()) return; // the awaiter has been destroyed
            look();
            if (status_ == SGK_ERROR_TIMEOUT) return waiting->unclaim(), watch(waiting); // another has read it
            waiting->resume();
        });
    }

    reader<T> source_;
    std::optional<T> place_;
    std::exception_ptr thrown_;
    sgk_status status_ = SGK_ERROR_TIMEOUT;
    std::shared_ptr<detail::suspension> waiting_;
};

/** The awaiter of `co_await numbers.ready(queue)`, for a pipe or a subscriber. */
template <class H>
class awaited_resumption {
public:
    awaited_resumption(H paused, queue on) : paused_(std::move(paused)), on_(std::move(on)) {}
    awaited_resumption(const awaited_resumption &) = delete;
    awaited_resumption &operator=(const awaited_resumption &) = delete;
    ~awaited_resumption() {
        if (waiting_) static_cast<void>(waiting_->claim());
    }

    bool await_ready() const { return !paused_.is_paused(); }
    bool await_suspend(std::coroutine_handle<> coroutine) {
        waiting_ = std::make_shared<detail::suspension>();
        const auto kept = waiting_; // the awaiter may have been destroyed when this returns
        kept->prepare(coroutine);
        paused_.on_resume(on_, [kept]() noexcept {
            if (kept->claim()) kept->resume();
        });
        return kept->suspend();
    }
    void await_resume() const noexcept {}

private:
    H paused_;
    queue on_;
    std::shared_ptr<detail::suspension> waiting_;
};

SGK_CPP_END

#endif

#endif
