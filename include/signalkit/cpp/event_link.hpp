/** @file
 * Chains of observers. An exception of a handler, or of the function of a derived link, terminates the program.
 */
#ifndef SIGNALKIT_CPP_EVENT_LINK_HPP
#define SIGNALKIT_CPP_EVENT_LINK_HPP

#include "signal.hpp"

namespace sgk {

/** A link of a chain. Handlers observe it, and further links can be derived from it. The last link owns the chain.
 *
 * Each member function is like its C function (event_link.h). */
class event_link : public handle<sgk_event_link> {
public:
    using handle::handle;

    /** Calls `next(value)` with each value, on the queue `on` if it is not empty. */
    template <class F>
    const event_link &on_next(F next, const queue &on = {}) const {
        return observe<sgk_next_fn>(sgk_event_link_on_next, std::move(next), on);
    }
    /** Calls `error(value)` when the chain fails. */
    template <class F>
    const event_link &on_error(F error, const queue &on = {}) const {
        return observe<sgk_error_fn>(sgk_event_link_on_error, std::move(error), on);
    }
    /** Calls `finish()` when the chain completes. */
    template <class F>
    const event_link &on_finish(F finish, const queue &on = {}) const {
        return observe<sgk_completed_fn>(sgk_event_link_on_finish, std::move(finish), on);
    }

    template <class F>
    event_link map(F f) const {
        return derived<sgk_map_fn>(sgk_event_link_map, std::move(f));
    }
    template <class F>
    event_link filter(F f) const {
        return derived<sgk_filter_fn>(sgk_event_link_filter, std::move(f));
    }
    /** `f` returns a std::optional. If it is empty, the value is dropped. */
    template <class F>
    event_link compact_map(F f) const {
        return derived<sgk_compact_map_fn>(
            sgk_event_link_compact_map, [f = std::move(f)](sgk_value v, sgk_value *result) mutable {
                return detail::invoke(detail::storing{result}, f, v);
            });
    }
    event_link observer() const { return detail::made<event_link>(sgk_event_link_observer(get())); }
    void unlink() const { check(sgk_event_link_unlink(get())); }
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_event_link_signal(get())); }

private:
    template <class Fn, class Function, class F>
    const event_link &observe(Function function, F f, const queue &on) const {
        check(
            function(get(), detail::function<Fn>::template own<F>, new F(std::move(f)), detail::destroy<F>, on.get()));
        return *this;
    }
    template <class Fn, class Function, class F>
    event_link derived(Function function, F f) const {
        return detail::made<event_link>(
            function(get(), detail::function<Fn>::template own<F>, new F(std::move(f)), detail::destroy<F>));
    }
};

/** The first link of a chain, which emits. */
class event_emitter : public event_link {
public:
    event_emitter() : event_link(detail::made<event_link>(sgk_event_emitter_create())) {}
    /** Creates an emitter with a value, which is stored for the first handler. */
    explicit event_emitter(const value &v)
        : event_link(detail::made<event_link>(sgk_event_emitter_create_value(v.get()))) {}

    void next(const value &v) const { check(sgk_event_emitter_next(get(), v.get())); }
    void error(const value &e) const { check(sgk_event_emitter_error(get(), e.get())); }
    void finish() const { check(sgk_event_emitter_finish(get())); }
};

/** Starts the signal and returns a link that emits its events: `source | sgk::link()`. */
inline auto link() {
    return [](const signal &source) { return detail::made<event_link>(sgk_event_link_from_signal(source.get())); };
}

/** Owns the last links of chains. When it is cleared or destroyed, it unlinks them. */
class link_bag : public handle<sgk_link_bag> {
public:
    using handle::handle;

    link_bag() : link_bag(detail::made<link_bag>(sgk_link_bag_create())) {}
    void add(const event_link &l) const { check(sgk_link_bag_add(get(), l.get())); }
    void clear() const { check(sgk_link_bag_clear(get())); }
};

} // namespace sgk

#endif
