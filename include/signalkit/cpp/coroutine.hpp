/** @file
 * Signals in coroutines, for C++20 and later; for compilers without them this is empty.
 *
 *     task show(sgk::signal source, sgk::reader<int64_t> numbers) {          // whatever coroutine type the program has
 *         std::cout << co_await source.first<std::string>();
 *         while (auto n = co_await numbers.async_next()) std::cout << *n;
 *     }
 *
 * A coroutine goes on where it is, if what it waits for is there; otherwise on the thread that emits it, inside of
 * that emission (or of the close of a reader): who wants it elsewhere puts sgk::deliver_on behind the source. So it
 * must not wait there for the source itself; and SGK_OVERFLOW_SUSPEND does not hold up that thread as long as no other
 * has read. No thread is held meanwhile.
 *
 * A coroutine that is destroyed while it waits disposes what it has started: the run of `first`; a reader goes with
 * its last owner. It is destroyed where it could not be resumed at the same moment, as on the thread or queue that
 * emits.
 */
#ifndef SIGNALKIT_CPP_COROUTINE_HPP
#define SIGNALKIT_CPP_COROUTINE_HPP

#include "reader.hpp"

#ifdef __cpp_impl_coroutine
#include <coroutine>
#include <memory>

namespace sgk {

namespace detail {

/** What a coroutine and the callbacks that resume it share. */
class suspension {
public:
    /** Takes the right to resume it, and to say why; whoever comes later has to let it be. */
    bool claim() noexcept { return !claimed_.exchange(true, std::memory_order_acq_rel); }
    void unclaim() noexcept { claimed_.store(false, std::memory_order_release); }
    /** It has been said why: goes on, unless the coroutine is not suspended yet, and has not to be. */
    void resume() noexcept {
        if (state_.exchange(over, std::memory_order_acq_rel) == suspended) coroutine_.resume();
    }
    void prepare(std::coroutine_handle<> coroutine) noexcept { coroutine_ = coroutine; }
    /** Whether it is suspended. If it is, another thread may resume it from now on. */
    bool suspend() noexcept { return state_.exchange(suspended, std::memory_order_acq_rel) == begun; }

private:
    enum { begun, suspended, over };
    std::coroutine_handle<> coroutine_;
    std::atomic<int> state_{begun};
    std::atomic<bool> claimed_{false};
};

/** The wait for the first event of a run. */
struct first_event : suspension {
    sgk_status status = SGK_OK;
    value found;
    disposable run;

    void end(sgk_status how, sgk_value with) noexcept {
        if (!claim()) return;
        status = how, found = value::share(with);
        if (run) sgk_disposable_dispose(run.get());
        resume();
    }
};

} // namespace detail

/** What `co_await source.first<T>()` waits with. */
template <class T>
class awaited_first {
public:
    explicit awaited_first(const signal &source) : source_(source) { detail::require(source); }
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
        const owners kept = *shared_; // the awaiter may be gone when this returns
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
        handlers.destroy = [](void *to) noexcept { // the source may have gone without an end
            const owners last = *static_cast<owners *>(to);
            delete static_cast<owners *>(to);
            last->end(SGK_ERROR_COMPLETED, sgk_null());
        };
        static_cast<void>(detail::made<disposable>(sgk_signal_start(source_.get(), &handlers)));
        return kept->suspend();
    }
    T await_resume() const {
        const auto &event = **shared_;
        return detail::owned<T>(detail::needed(detail::answer(event.status, event.found), event.found));
    }

private:
    signal source_;
    std::optional<std::shared_ptr<detail::first_event>> shared_;
};

template <class T>
awaited_first<T> signal::first() const { return awaited_first<T>(*this); }

/** What `co_await numbers.async_next()` waits with. */
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
        const auto kept = waiting_; // the awaiter may be gone when this returns
        kept->prepare(coroutine);
        watch(kept);
        return kept->suspend();
    }
    std::optional<T> await_resume() {
        if (thrown_) std::rethrow_exception(thrown_);
        return std::move(place_);
    }

private:
    void look() noexcept {
        try {
            status_ = source_.next(place_, 0);
        } catch (...) { thrown_ = std::current_exception(), status_ = SGK_ERROR_FAILED; }
    }
    void watch(std::shared_ptr<detail::suspension> waiting) {
        const reader<T> source = source_;
        source.when_ready([this, waiting = std::move(waiting)]() noexcept {
            if (!waiting->claim()) return; // this is gone
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

template <class T>
awaited_reading<T> reader<T>::async_next() const { return awaited_reading<T>(*this); }

} // namespace sgk

#endif

#endif
