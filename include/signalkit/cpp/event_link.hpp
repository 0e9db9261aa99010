/** @file
 * Chains of observers. An exception of a handler, or of the function of a derived link, terminates the program.
 */
#ifndef SIGNALKIT_CPP_EVENT_LINK_HPP
#define SIGNALKIT_CPP_EVENT_LINK_HPP

#include "fusing.hpp"

SGK_CPP_BEGIN

/** A link of a chain. Handlers observe it, and further links can be derived from it. The last link owns the chain.
 *
 * Each member function is like its C function (event_link.h). */
template <class T>
class event_link : public handle<sgk_event_link> {
public:
    using value_type = T;
    using handle::handle;

    /** Calls `next(element)` with each element, on the queue `on` if it is not empty. */
    template <class F>
    const event_link &on_next(F next, const queue &on = {}) const {
        static_assert(detail::fault_of_call<F, T> == detail::fault::none,
            "sgk: this function cannot be called with the elements of this link");
        check(sgk_event_link_on_next(
            get(),
            [](void *context, sgk_value v) noexcept {
                if (detail::codec<T>::matches(v))
                    static_cast<void>(detail::call<T>(*static_cast<F *>(context), detail::codec<T>::from(v)));
            },
            new F(std::move(next)), detail::destroy<F>, on.get()));
        return *this;
    }
    /** Calls `error(const failure &)` when the chain fails. */
    template <class F>
    const event_link &on_error(F error, const queue &on = {}) const {
        static_assert(detail::takes_error<F>, "sgk: this function does not take a const sgk::failure &");
        check(sgk_event_link_on_error(
            get(),
            [](void *context, sgk_value e) noexcept {
                if (detail::handles_error<F>(e)) static_cast<void>(detail::call_error(*static_cast<F *>(context), e));
            },
            new F(std::move(error)), detail::destroy<F>, on.get()));
        return *this;
    }
    /** Calls `finish()` when the chain completes. */
    template <class F>
    const event_link &on_finish(F finish, const queue &on = {}) const {
        check(sgk_event_link_on_finish(
            get(), detail::call_action<F>, new F(std::move(finish)), detail::destroy<F>, on.get()));
        return *this;
    }

    template <class F>
    [[nodiscard]] auto map(F f) const {
        using U = detail::stored_t<detail::result_t<F, T>>;
        return detail::made<event_link<U>>(sgk_event_link_map(
            get(),
            [](void *context, sgk_value v) noexcept {
                return detail::codec<U>::to(
                    static_cast<U>(detail::call<T>(*static_cast<F *>(context), detail::codec<T>::from(v))));
            },
            new F(std::move(f)), detail::destroy<F>));
    }
    template <class F>
    [[nodiscard]] event_link filter(F f) const {
        return detail::made<event_link>(sgk_event_link_filter(
            get(),
            [](void *context, sgk_value v) noexcept {
                return static_cast<bool>(detail::call<T>(*static_cast<F *>(context), detail::codec<T>::from(v)));
            },
            new F(std::move(f)), detail::destroy<F>));
    }
    /** `f` returns a std::optional. If it is empty, the element is dropped. */
    template <class F>
    [[nodiscard]] auto compact_map(F f) const {
        using U = detail::stored_t<typename detail::result_t<F, T>::value_type>;
        return detail::made<event_link<U>>(sgk_event_link_map(
            get(),
            [](void *context, sgk_value v) noexcept {
                auto found = detail::call<T>(*static_cast<F *>(context), detail::codec<T>::from(v));
                return found ? detail::codec<U>::to(static_cast<U>(*std::move(found))) : sgk_dropped();
            },
            new F(std::move(f)), detail::destroy<F>));
    }
    [[nodiscard]] event_link observer() const { return detail::made<event_link>(sgk_event_link_observer(get())); }
    void unlink() const { check(sgk_event_link_unlink(get())); }
    [[nodiscard]] sgk::signal<T> signal() const { return detail::made<sgk::signal<T>>(sgk_event_link_signal(get())); }
};

/** The first link of a chain, which emits. */
template <class T>
class event_emitter : public event_link<T> {
public:
    event_emitter() : event_link<T>(detail::made<event_link<T>>(sgk_event_emitter_create())) {}
    /** Creates an emitter with an element, which is stored for the first handler. */
    explicit event_emitter(T first)
        : event_link<T>(detail::made<event_link<T>>(
              sgk_event_emitter_create_value(value(detail::codec<T>::to(std::move(first))).get()))) {}

    void next(T element) const {
        check(sgk_event_emitter_next(this->get(), value(detail::codec<T>::to(std::move(element))).get()));
    }
    template <class E>
    void error(E with) const {
        check(sgk_event_emitter_error(this->get(), detail::error_of(std::move(with)).get()));
    }
    void finish() const { check(sgk_event_emitter_finish(this->get())); }
};

/** Starts the signal and returns a link that emits its events: `source | sgk::link()`. */
[[nodiscard]] inline auto link() {
    return detail::on_signal([](const auto &source) {
        return detail::made<event_link<detail::element_t<decltype(source)>>>(sgk_event_link_from_signal(source.get()));
    });
}

/** Owns the last links of chains. When it is cleared or destroyed, it unlinks them. */
class link_bag : public handle<sgk_link_bag> {
public:
    using handle::handle;

    link_bag() : link_bag(detail::made<link_bag>(sgk_link_bag_create())) {}
    template <class T>
    void add(const event_link<T> &l) const {
        check(sgk_link_bag_add(get(), l.get()));
    }
    void clear() const { check(sgk_link_bag_clear(get())); }
};

SGK_CPP_END

#endif
