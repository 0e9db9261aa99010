/** @file
 * Promises. Each member function does what the C function of its name says.
 */
#ifndef SIGNALKIT_CPP_PROMISE_HPP
#define SIGNALKIT_CPP_PROMISE_HPP

#include "signal.hpp"

#include <exception>

namespace sgk {

/** Holds the latest value of whichever signal it was set to last, and passes it on. */
class promise : public handle<sgk_promise, sgk_promise_retain, sgk_promise_release> {
public:
    using handle::handle;

    /** Without a value. */
    promise() : promise(detail::made<promise>(sgk_promise_create())) {}
    explicit promise(const value &v) : promise(detail::made<promise>(sgk_promise_create_value(v.get()))) {}
    /** Sets itself to `source` when it is first listened to. */
    static promise initialize_on_first_access(const sgk::signal &source) {
        return detail::made<promise>(sgk_promise_create_initialize_on_first_access(source.get()));
    }

    void set(const sgk::signal &source) const { check(sgk_promise_set(get(), source.get())); }
    /** sgk_promise_get: what is there, then each new value. */
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_promise_get(get())); }
    /** Calls `f()` when the promise goes. */
    template <class F>
    void on_deinit(F f) const {
        check(sgk_promise_on_deinit(
            get(), detail::function<sgk_action_fn>::own<F>, new F(std::move(f)), detail::destroy<F>));
    }
};

namespace detail {

/** sgk_value_promise_modify with what `f` returns; what it throws comes out of here, and nothing has changed then. */
template <class F>
value modify(sgk_value_promise *promise, F &f) {
    struct change {
        F &f;
        value result;
        std::exception_ptr thrown;
    } made{f, {}, {}};
    const sgk_modify_fn once = [](void *context, sgk_value v, sgk_value *result) noexcept {
        auto &self = *static_cast<change *>(context);
        try {
            self.result = value(call<sgk_value>(self.f, v));
            *result = value(self.result).release();
            return SGK_OK;
        } catch (...) {
            self.thrown = std::current_exception();
            return SGK_ERROR_ENDED;
        }
    };
    const sgk_status status = sgk_value_promise_modify(promise, once, &made);
    if (made.thrown) std::rethrow_exception(made.thrown);
    check(status);
    return made.result;
}

} // namespace detail

/** Holds a value and passes it on: first the one that is there, then each that is set. */
class value_promise : public handle<sgk_value_promise, sgk_value_promise_retain, sgk_value_promise_release> {
public:
    using handle::handle;

    /** Without a value. */
    value_promise() : value_promise(false) {}
    /** Without a value (`of` makes one with); `ignore_repeated`, a bool: setting what is there already does nothing. */
    template <class B, class = detail::only_bool<B>>
    explicit value_promise(const B &ignore_repeated)
        : value_promise(detail::made<value_promise>(sgk_value_promise_create(ignore_repeated))) {}
    /** With a value. */
    template <class B = bool, class = detail::only_bool<B>>
    static value_promise of(const sgk::value &v, B ignore_repeated = false) {
        return detail::made<value_promise>(sgk_value_promise_create_value(v.get(), ignore_repeated));
    }

    /** The value that is there, or null. */
    sgk::value value() const { return sgk::value(sgk_value_promise_value(get())); }
    void set(const sgk::value &v) const { check(sgk_value_promise_set(get(), v.get())); }
    /** Sets what `f(value)` returns, and returns it: sgk_value_promise_modify. What `f` throws comes out, and nothing
     * changes. */
    template <class F>
    sgk::value modify(F f) const { return detail::modify(get(), f); }
    /** sgk_value_promise_get. */
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_value_promise_get(get())); }
};

/** A `T` that changes, from any thread: its signal shows each state once, in order, beginning with the current one. A
 * copy is the same state. */
template <class T>
class state {
public:
    /** `ignore_repeated`: whether a state that equals the one before is no new one. */
    explicit state(const T &initial, bool ignore_repeated = false)
        : held_(value_promise::of(initial, ignore_repeated)) {}

    T value() const { return detail::owned<T>(held_.value()); }
    /** Goes over to a state that does not depend on the one before. */
    void set(const T &next) const { held_.set(next); }
    /** Goes over to what `f(state)` returns, and returns it: see value_promise::modify. */
    template <class F>
    T modify(F f) const { return detail::owned<T>(detail::modify(held_.get(), f)); }
    sgk::signal signal() const { return held_.signal(); }

private:
    value_promise held_;
};

} // namespace sgk

#endif
