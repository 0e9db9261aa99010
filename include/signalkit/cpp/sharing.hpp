/** @file
 * Sharing one subscription among many subscribers, and running signals in sequence. Each member function is like its C
 * function (sharing.h).
 */
#ifndef SIGNALKIT_CPP_SHARING_HPP
#define SIGNALKIT_CPP_SHARING_HPP

#include "operators.hpp"

SGK_CPP_BEGIN

/** Shares one subscription and replays its latest `replay` elements to later subscribers: `source | sgk::share(1)`.
 *
 * `keep` is the time that the source continues without subscribers, by the clock of `on`. 0 and `no_timeout` (as long
 * as the shared signal exists) need no queue. */
[[nodiscard]] inline auto share(std::int64_t replay = 0, duration keep = {}, queue on = {}) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_share(s, replay, keep.count(), on.get()); });
}

/** A table of shared subscriptions, one per key. See sgk_multicast. */
class multicast_table : public handle<sgk_multicast> {
public:
    using handle::handle;

    multicast_table() : multicast_table(detail::made<multicast_table>(sgk_multicast_create())) {}
    /** Returns the signal that is shared under `key`, like sgk_multicast_get. */
    template <class S>
    [[nodiscard]] auto shared(const std::string &key, const S &source) const {
        const signal<detail::element_t<S>> of(source);
        return detail::made<signal<detail::element_t<S>>>(sgk_multicast_get(get(), key.c_str(), of.get()));
    }
};

/** Shared signals, subscriptions without subscribers, and pipes, each under a key.
 *
 * If a producer throws, its signal fails with the exception. */
class multicast_signal_manager : public handle<sgk_multicast_signal_manager> {
public:
    using handle::handle;

    multicast_signal_manager()
        : multicast_signal_manager(detail::made<multicast_signal_manager>(sgk_multicast_signal_manager_create())) {}
    /** Returns the signal that is shared under `key`. If there is no signal, `producer()` returns it. */
    template <class F>
    [[nodiscard]] auto multicasted_signal(const std::string &key, F &&producer) const {
        using T = detail::element_t<std::invoke_result_t<F &>>;
        return detail::made<signal<T>>(
            sgk_multicast_signal_manager_multicasted_signal(get(), key.c_str(), produce<F>, &producer));
    }
    /** Starts the signal that `producer()` returns, without callbacks, unless one is running under `key`. */
    template <class F>
    void start_standalone_signal_if_not_running(const std::string &key, F &&producer) const {
        check(sgk_multicast_signal_manager_start_standalone_signal_if_not_running(
            get(), key.c_str(), produce<F>, &producer));
    }
    /** Returns the signal of the pipe under `key`. */
    template <class T>
    [[nodiscard]] signal<T> multicasted_pipe(const std::string &key) const {
        return detail::made<signal<T>>(sgk_multicast_signal_manager_multicasted_pipe(get(), key.c_str()));
    }
    /** Sends an element into the pipe under `key`. */
    template <class T>
    void next(const std::string &key, T element) const {
        using K = detail::stored_t<T>;
        const value v(detail::codec<K>::to(K(std::move(element))));
        check(sgk_multicast_signal_manager_next(get(), key.c_str(), v.get()));
    }

private:
    template <class F>
    static sgk_signal *produce(void *producer) noexcept {
        using T = detail::element_t<std::invoke_result_t<F &>>;
        return detail::signal_from<T>(*static_cast<std::remove_reference_t<F> *>(producer));
    }
};

/** Runs signals one at a time, in the order in which they were started. */
class sequencer : public handle<sgk_sequencer> {
public:
    using handle::handle;

    sequencer() : sequencer(detail::made<sequencer>(sgk_sequencer_create())) {}
    template <class S>
    [[nodiscard]] auto enqueue(const S &source) const {
        const signal<detail::element_t<S>> of(source);
        return detail::made<signal<detail::element_t<S>>>(sgk_sequencer_enqueue(get(), of.get()));
    }
};

SGK_CPP_END

#endif
