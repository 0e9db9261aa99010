/** @file
 * Sources: ranges, generators, timers, descriptors and resources. Each is like its C function (sources.h).
 */
#ifndef SIGNALKIT_CPP_SOURCES_HPP
#define SIGNALKIT_CPP_SOURCES_HPP

#include "signal.hpp"

#include <initializer_list>
#include <iterator>

SGK_CPP_BEGIN

/** Creates a signal that emits the elements of a range during each start and completes. The elements are copied now. */
template <class R>
[[nodiscard]] auto from(const R &items) {
    using T = detail::stored_t<decltype(*std::begin(items))>;
    std::vector<value> owned;
    std::vector<sgk_value> raw;
    for (const auto &item : items) owned.emplace_back(detail::codec<T>::to(T(item)));
    raw.reserve(owned.size());
    for (const value &v : owned) raw.push_back(v.get());
    return detail::made<signal<T>>(sgk_signal_from_array(raw.data(), raw.size()));
}
template <class T>
[[nodiscard]] auto from(std::initializer_list<T> items) {
    return from<std::initializer_list<T>>(items);
}

/** Creates a signal that emits the content of the std::optional that `next()` returns, until it is empty.
 *
 * An exception fails the subscription. All subscriptions share one `next`. If each of them must begin with the first
 * item, create the signal inside sgk::deferred. */
template <class F>
[[nodiscard]] auto generate(F next) {
    using T = typename std::invoke_result_t<F &>::value_type;
    using K = detail::stored_t<T>;
    return detail::made<signal<K>>(sgk_signal_from_iterator(
        [](void *context, sgk_value *item) noexcept {
            return detail::guarded(
                [&] {
                    auto found = (*static_cast<F *>(context))();
                    if (found) *item = detail::codec<K>::to(static_cast<K>(*std::move(found)));
                    return static_cast<bool>(found);
                },
                [&](value error) {
                    *item = detail::failed_step(std::move(error));
                    return false;
                });
        },
        new F(std::move(next)), detail::destroy<F>));
}

[[nodiscard]] inline signal<std::int64_t> range(std::int64_t first, std::int64_t count) {
    return detail::made<signal<std::int64_t>>(sgk_signal_range(first, count));
}
/** Emits 0, 1, 2 …, one each `time`. */
[[nodiscard]] inline signal<std::int64_t> interval(duration time, const queue &on) {
    return detail::made<signal<std::int64_t>>(sgk_signal_interval(time.count(), on.get()));
}
/** Like sgk_signal_timer. (sgk::timer is the class of timers without signals.) */
[[nodiscard]] inline signal<std::int64_t> timer_signal(duration time, const queue &on) {
    return detail::made<signal<std::int64_t>>(sgk_signal_timer(time.count(), on.get()));
}

namespace detail {

inline signal<std::tuple<std::int64_t, std::string, std::int64_t>> process(const std::vector<std::string> &arguments,
    sgk_signal *input, std::uint32_t options, std::int64_t limit, const queue &on) {
    std::vector<const char *> texts;
    for (const auto &argument : arguments) {
        if (argument.find('\0') != std::string::npos)
            raise(SGK_ERROR_ARGUMENT, "sgk_signal_process: arguments: must not contain a NUL");
        texts.push_back(argument.c_str());
    }
    texts.push_back(nullptr);
    return made<signal<std::tuple<std::int64_t, std::string, std::int64_t>>>(
        sgk_signal_process(texts.data(), input, options, limit, on.get()));
}

} // namespace detail

/** Like sgk_signal_fd. descriptors.h describes this signal and the next ones: ownership, events and errors. */
[[nodiscard]] inline signal<std::int64_t> fd_signal(int fd, std::uint32_t events, const queue &on) {
    return detail::made<signal<std::int64_t>>(sgk_signal_fd(fd, events, on.get()));
}
[[nodiscard]] inline signal<std::string> fd_lines(int fd, std::int64_t limit, const queue &on) {
    return detail::made<signal<std::string>>(sgk_signal_fd_lines(fd, limit, on.get()));
}
/** Emits the bytes as a std::string. */
[[nodiscard]] inline signal<std::string> fd_bytes(int fd, std::int64_t chunk, const queue &on) {
    return detail::made<signal<std::string>>(sgk_signal_fd_bytes(fd, chunk, on.get()));
}
/** Emits tuples of the data and the sender's address, both as bytes. */
[[nodiscard]] inline signal<std::tuple<std::string, std::string>> fd_datagrams(
    int fd, std::int64_t limit, const queue &on) {
    return detail::made<signal<std::tuple<std::string, std::string>>>(sgk_signal_fd_datagrams(fd, limit, on.get()));
}
[[nodiscard]] inline signal<int> unix_signal(int signo, const queue &on) {
    return detail::made<signal<int>>(sgk_signal_unix_signal(signo, on.get()));
}
[[nodiscard]] inline signal<int> child(int pid, const queue &on) {
    return detail::made<signal<int>>(sgk_signal_child(pid, on.get()));
}
/** Starts a program, and emits tuples of a bit (SGK_PROCESS_OUTPUT …), a line or bytes, and an exit status. */
[[nodiscard]] inline signal<std::tuple<std::int64_t, std::string, std::int64_t>> process(
    const std::vector<std::string> &arguments, std::uint32_t options, std::int64_t limit, const queue &on) {
    return detail::process(arguments, nullptr, options, limit, on);
}
/** Like that, with strings for the program's standard input. */
[[nodiscard]] inline signal<std::tuple<std::int64_t, std::string, std::int64_t>> process(
    const std::vector<std::string> &arguments, const signal<std::string> &input, std::uint32_t options,
    std::int64_t limit, const queue &on) {
    return detail::process(arguments, input.get(), options, limit, on);
}
namespace detail {

template <class F>
struct connections {
    F use;

    using element = element_t<std::invoke_result_t<F &, int>>;

    static sgk_signal *used(void *self, int connection) noexcept {
        return signal_from<element>([&] { return static_cast<connections *>(self)->use(connection); });
    }
};

} // namespace detail

/** Accepts connections, and merges the signals that `serve(int connection)` returns. An exception of it is an error. */
template <class F>
[[nodiscard]] auto accept(int fd, std::int64_t limit, F serve, const queue &on) {
    using C = detail::connections<F>;
    return detail::made<signal<typename C::element>>(
        sgk_signal_accept(fd, limit, C::used, new C{std::move(serve)}, detail::destroy<C>, on.get()));
}
/** Connects at each start, and emits the events of the signal that `use(int connection)` returns. */
template <class F>
[[nodiscard]] auto connect(const void *address, std::size_t size, F use, const queue &on) {
    using C = detail::connections<F>;
    return detail::made<signal<typename C::element>>(
        sgk_signal_connect(address, size, C::used, new C{std::move(use)}, detail::destroy<C>, on.get()));
}
/** Emits 0 at a time of the wall clock. */
[[nodiscard]] inline signal<std::int64_t> wall_clock_timer(
    std::chrono::time_point<std::chrono::system_clock, duration> time, const queue &on) {
    return detail::made<signal<std::int64_t>>(sgk_signal_wall_clock_timer(time.time_since_epoch().count(), on.get()));
}
/** Emits tuples of a bit, the name and the number of a renaming. */
[[nodiscard]] inline signal<std::tuple<std::int64_t, std::string, std::int64_t>> file_changes(
    const std::string &path, std::uint32_t mask, const queue &on) {
    return detail::made<signal<std::tuple<std::int64_t, std::string, std::int64_t>>>(
        sgk_signal_file_changes(path.c_str(), mask, on.get()));
}
[[nodiscard]] inline signal<std::string> file_lines(
    const std::string &path, bool from_start, std::int64_t limit, const queue &on) {
    return detail::made<signal<std::string>>(sgk_signal_file_lines(path.c_str(), from_start, limit, on.get()));
}

namespace detail {

template <class A, class U>
struct resources {
    A acquire;
    U use;

    using resource = std::decay_t<std::invoke_result_t<A &>>;
    using element = element_t<std::invoke_result_t<U &, resource &>>;

    /** The resource of a subscription, or the error of `acquire`. */
    struct held {
        std::optional<resource> content;
        value error;
    };

    static void *make(void *self) noexcept {
        auto *made = new held;
        static_cast<void>(guarded(
            [&] {
                made->content.emplace(static_cast<resources *>(self)->acquire());
                return true;
            },
            [&](value error) {
                made->error = std::move(error);
                return false;
            }));
        return made;
    }
    static sgk_signal *used(void *self, void *context) noexcept {
        auto &of = *static_cast<held *>(context);
        if (!of.content) return failing(of.error);
        return signal_from<element>([&] { return static_cast<resources *>(self)->use(*of.content); });
    }
};

} // namespace detail

/** Creates a signal with a resource for each subscription, like sgk_signal_using.
 *
 * `acquire()` returns the resource. `use(resource)` receives a reference to it and returns the signal. The resource is
 * destroyed when the subscription ends or is disposed. */
template <class A, class U>
[[nodiscard]] auto using_resource(A acquire, U use) {
    using R = detail::resources<A, U>;
    return detail::made<signal<typename R::element>>(sgk_signal_using(R::make, R::used,
        detail::destroy<typename R::held>, new R{std::move(acquire), std::move(use)}, detail::destroy<R>));
}

SGK_CPP_END

#endif
