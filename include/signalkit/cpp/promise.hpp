/** @file
 * Promises and states. Each member function is like its C function (promise.h).
 */
#ifndef SIGNALKIT_CPP_PROMISE_HPP
#define SIGNALKIT_CPP_PROMISE_HPP

#include "signal.hpp"

SGK_CPP_BEGIN

/** A promise that follows a signal. It stores the latest element and emits it first to each new subscription. */
template <class T>
class promise : public handle<sgk_promise> {
public:
    using value_type = T;
    using handle::handle;

    /** Creates a promise without an element. */
    promise() : promise(detail::made<promise>(sgk_promise_create())) {}
    explicit promise(T first)
        : promise(
              detail::made<promise>(sgk_promise_create_value(value(detail::codec<T>::to(std::move(first))).get()))) {}
    /** Creates a promise that follows `source` from its first subscription on. */
    [[nodiscard]] static promise initialize_on_first_access(const sgk::signal<T> &source) {
        return detail::made<promise>(sgk_promise_create_initialize_on_first_access(source.get()));
    }

    void set(const sgk::signal<T> &source) const { check(sgk_promise_set(get(), source.get())); }
    /** Returns a signal that emits the stored element, then each new element. */
    [[nodiscard]] sgk::signal<T> signal() const { return detail::made<sgk::signal<T>>(sgk_promise_signal(get())); }
    /** Sets a function that is called when the promise is destroyed. */
    template <class F>
    void on_deinit(F f) const {
        check(sgk_promise_on_deinit(get(), detail::call_action<F>, new F(std::move(f)), detail::destroy<F>));
    }
};

/** An element that any thread can change. The signal emits the current element, then each new element once, in order.
 *
 * Copies share the state. */
template <class T>
class state : public handle<sgk_state> {
public:
    using value_type = T;
    using handle::handle;

    /** Creates a state without an element. */
    state() : state(detail::made<state>(sgk_state_create(false))) {}
    /** Creates a state. If `ignore_repeated` is true, setting an equal element does nothing. */
    template <class B = bool, class = detail::only_bool<B>>
    explicit state(T initial, B ignore_repeated = false)
        : state(detail::made<state>(
              sgk_state_create_value(sgk::value(detail::codec<T>::to(std::move(initial))).get(), ignore_repeated))) {}

    /** Returns the element. Throws if there is none. */
    T value() const { return sgk::value(sgk_state_value(get())).template as<T>(); }
    /** Sets an element that does not depend on the previous one. */
    void set(T next) const { check(sgk_state_set(get(), sgk::value(detail::codec<T>::to(std::move(next))).get())); }
    /** Sets the result of `f(element)` and returns it. Changes of several threads follow one another.
     *
     * An exception of `f` is thrown, and nothing changes. */
    template <class F>
    T modify(F f) const {
        struct change {
            F &f;
            std::optional<T> result;
            std::exception_ptr thrown;
        } made{f, {}, {}};
        const sgk_status status = sgk_state_modify(
            get(),
            [](void *context, sgk_value v, sgk_value *result) noexcept {
                auto &self = *static_cast<change *>(context);
                self.thrown = detail::attempt([&] {
                    self.result.emplace(self.f(sgk::value::share(v).template as<T>()));
                    *result = detail::codec<T>::to(*self.result);
                });
                return self.thrown ? SGK_ERROR_ENDED : SGK_OK;
            },
            &made);
        detail::rethrow(made.thrown);
        check(status);
        return *std::move(made.result);
    }
    [[nodiscard]] sgk::signal<T> signal() const { return detail::made<sgk::signal<T>>(sgk_state_signal(get())); }
};

SGK_CPP_END

#endif
