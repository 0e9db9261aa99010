/** @file
 * Promises. Each member function does what the C function of its name says.
 */
#ifndef SIGNALKIT_CPP_PROMISE_HPP
#define SIGNALKIT_CPP_PROMISE_HPP

#include "signal.hpp"

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
    static value_promise of(const value &v, B ignore_repeated = false) {
        return detail::made<value_promise>(sgk_value_promise_create_value(v.get(), ignore_repeated));
    }

    void set(const value &v) const { check(sgk_value_promise_set(get(), v.get())); }
    /** sgk_value_promise_get. */
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_value_promise_get(get())); }
};

} // namespace sgk

#endif
