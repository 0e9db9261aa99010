/** @file
 * Promises. Each member function is like its C function (promise.h).
 */
#ifndef SIGNALKIT_CPP_PROMISE_HPP
#define SIGNALKIT_CPP_PROMISE_HPP

#include "signal.hpp"

#include <exception>

namespace sgk {

/** A promise that follows a signal. It stores the latest value and emits it first to each new subscription. */
class promise : public handle<sgk_promise> {
public:
    using handle::handle;

    /** Creates a promise without a value. */
    promise() : promise(detail::made<promise>(sgk_promise_create())) {}
    explicit promise(const value &v) : promise(detail::made<promise>(sgk_promise_create_value(v.get()))) {}
    /** Creates a promise that follows `source` from its first subscription on. */
    static promise initialize_on_first_access(const sgk::signal &source) {
        return detail::made<promise>(sgk_promise_create_initialize_on_first_access(source.get()));
    }

    void set(const sgk::signal &source) const { check(sgk_promise_set(get(), source.get())); }
    /** Returns a signal that emits the stored value, then each new value. */
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_promise_get(get())); }
    /** Sets a function that is called when the promise is destroyed. */
    template <class F>
    void on_deinit(F f) const {
        check(sgk_promise_on_deinit(
            get(), detail::function<sgk_action_fn>::own<F>, new F(std::move(f)), detail::destroy<F>));
    }
};

namespace detail {

/** Calls sgk_value_promise_modify with the result of `f`. An exception of `f` is thrown, and nothing changes. */
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

/** A promise whose values the program sets. It emits the stored value first to each new subscription. */
class value_promise : public handle<sgk_value_promise> {
public:
    using handle::handle;

    /** Creates a promise without a value. */
    value_promise() : value_promise(false) {}
    /** Creates a promise without a value. If `ignore_repeated` is true, setting an equal value does nothing. */
    template <class B, class = detail::only_bool<B>>
    explicit value_promise(const B &ignore_repeated)
        : value_promise(detail::made<value_promise>(sgk_value_promise_create(ignore_repeated))) {}
    /** Creates a promise with a value. */
    template <class B = bool, class = detail::only_bool<B>>
    static value_promise of(const sgk::value &v, B ignore_repeated = false) {
        return detail::made<value_promise>(sgk_value_promise_create_value(v.get(), ignore_repeated));
    }

    /** Returns the stored value, or null. */
    sgk::value value() const { return sgk::value(sgk_value_promise_value(get())); }
    void set(const sgk::value &v) const { check(sgk_value_promise_set(get(), v.get())); }
    /** Sets the result of `f(value)` and returns it, like sgk_value_promise_modify.
     *
     * An exception of `f` is thrown, and nothing changes. */
    template <class F>
    sgk::value modify(F f) const {
        return detail::modify(get(), f);
    }
    /** Returns a signal that emits the stored value, then each value that is set. */
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_value_promise_get(get())); }
};

/** A `T` that any thread can change. Its signal emits the current state, then each new state once, in order.
 *
 * Copies share the state. */
template <class T>
class state {
public:
    /** Creates a state. If `ignore_repeated` is true, setting an equal state does nothing. */
    explicit state(const T &initial, bool ignore_repeated = false)
        : held_(value_promise::of(initial, ignore_repeated)) {}

    T value() const { return detail::owned<T>(held_.value()); }
    /** Sets a state that does not depend on the previous one. */
    void set(const T &next) const { held_.set(next); }
    /** Sets the result of `f(state)` and returns it. See value_promise::modify. */
    template <class F>
    T modify(F f) const {
        return detail::owned<T>(detail::modify(held_.get(), f));
    }
    sgk::signal signal() const { return held_.signal(); }

private:
    value_promise held_;
};

} // namespace sgk

#endif
