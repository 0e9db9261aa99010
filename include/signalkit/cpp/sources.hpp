/** @file
 * Sources: arrays, iterators, ranges, timers, descriptors and resources. Each is like its C function (sources.h).
 */
#ifndef SIGNALKIT_CPP_SOURCES_HPP
#define SIGNALKIT_CPP_SOURCES_HPP

#include "signal.hpp"

namespace sgk {

/** Creates a signal that emits the values during each start and completes. */
inline signal from_array(const std::vector<value> &items) {
    std::vector<sgk_value> raw;
    for (const value &item : items) raw.push_back(item.get());
    return detail::made<signal>(sgk_signal_from_array(raw.data(), raw.size()));
}

/** Creates a signal that emits the content of the std::optional that `next()` returns, until it is empty.
 *
 * An exception fails the subscription. All subscriptions share one `next`. If each of them must begin with the first
 * item, create the signal inside sgk::deferred. */
template <class F>
signal from_iterator(F next) {
    return detail::made<signal>(sgk_signal_from_iterator(
        [](void *context, sgk_value *item) noexcept {
            try {
                auto found = (*static_cast<F *>(context))();
                if (found) *item = value(*found).release();
                return static_cast<bool>(found);
            } catch (...) {
                *item = sgk_failed(detail::caught().release());
                return false;
            }
        },
        new F(std::move(next)), detail::destroy<F>));
}

inline signal range(std::int64_t first, std::int64_t count) {
    return detail::made<signal>(sgk_signal_range(first, count));
}
inline signal interval(double seconds, const queue &on) {
    return detail::made<signal>(sgk_signal_interval(seconds, on.get()));
}
/** Like sgk_signal_timer. (sgk::timer is the class of timers without signals.) */
inline signal timer_signal(double seconds, const queue &on) {
    return detail::made<signal>(sgk_signal_timer(seconds, on.get()));
}

/** Like sgk_signal_fd. descriptors.h describes this signal and the next five: ownership, events and errors. */
inline signal fd_signal(std::int64_t fd, std::int64_t events, const queue &on) {
    return detail::made<signal>(sgk_signal_fd(fd, events, on.get()));
}
inline signal fd_lines(std::int64_t fd, std::int64_t limit, const queue &on) {
    return detail::made<signal>(sgk_signal_fd_lines(fd, limit, on.get()));
}
inline signal fd_bytes(std::int64_t fd, std::int64_t chunk, const queue &on) {
    return detail::made<signal>(sgk_signal_fd_bytes(fd, chunk, on.get()));
}
inline signal unix_signal(std::int64_t signo, const queue &on) {
    return detail::made<signal>(sgk_signal_unix_signal(signo, on.get()));
}
inline signal child(std::int64_t pid, const queue &on) { return detail::made<signal>(sgk_signal_child(pid, on.get())); }
inline signal file_changes(const std::string &path, std::int64_t mask, const queue &on) {
    return detail::made<signal>(sgk_signal_file_changes(path.c_str(), mask, on.get()));
}

namespace detail {

template <class A, class U>
struct resources {
    A acquire;
    U use;

    /** The resource of a subscription, or the error of `acquire`. */
    struct held {
        std::optional<std::decay_t<std::invoke_result_t<A &>>> resource;
        value error;
    };

    static void *make(void *self) noexcept {
        auto made = new held;
        try {
            made->resource.emplace(static_cast<resources *>(self)->acquire());
        } catch (...) { made->error = caught(); }
        return made;
    }

    static sgk_signal *used(void *self, void *resource) noexcept {
        auto &of_run = *static_cast<held *>(resource);
        if (!of_run.resource) return failing(of_run.error);
        try {
            return signal(static_cast<resources *>(self)->use(*of_run.resource)).release();
        } catch (...) { return failing(caught()); }
    }
};

} // namespace detail

/** Creates a signal with a resource for each subscription, like sgk_signal_using.
 *
 * `acquire()` returns the resource. `use(resource)` receives a reference to it and returns the signal. The resource is
 * destroyed when the subscription ends or is disposed. */
template <class A, class U>
signal using_resource(A acquire, U use) {
    using R = detail::resources<A, U>;
    return detail::made<signal>(sgk_signal_using(R::make, R::used, detail::destroy<typename R::held>,
        new R{std::move(acquire), std::move(use)}, detail::destroy<R>));
}

} // namespace sgk

#endif
