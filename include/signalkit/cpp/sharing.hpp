/** @file
 * Sharing one subscription among many subscribers, and running signals in sequence. Each member function is like its C
 * function (sharing.h).
 */
#ifndef SIGNALKIT_CPP_SHARING_HPP
#define SIGNALKIT_CPP_SHARING_HPP

#include "operators.hpp"

namespace sgk {

/** Shares one subscription among all subscribers of the same time: `source | sgk::multicast()`. */
inline auto multicast() { return detail::plain(sgk_signal_multicast); }

/** Shares one subscription and replays its latest `replay` values to later subscribers: `source | sgk::share(1)`.
 *
 * `keep` is the number of seconds that the source continues without subscribers, by the clock of `q`. 0 and infinity
 * (as
 * long as the shared signal exists) need no queue. */
inline auto share(std::int64_t replay, double keep, const queue &q) {
    return detail::plain(sgk_signal_share, replay, keep, q);
}
inline auto share(std::int64_t replay = 0, double keep = 0) {
    return [=](const signal &source) {
        return detail::made<signal>(sgk_signal_share(source.get(), replay, keep, nullptr));
    };
}

/** A table of shared subscriptions, one per key. See sgk_multicast. */
class multicast_table : public handle<sgk_multicast> {
public:
    using handle::handle;

    multicast_table() : multicast_table(detail::made<multicast_table>(sgk_multicast_create())) {}
    /** Returns the signal that is shared under `key`, like sgk_multicast_get. */
    signal shared(const std::string &key, const signal &source) const {
        return detail::made<signal>(sgk_multicast_get(get(), key.c_str(), source.get()));
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
    signal multicasted_signal(const std::string &key, F &&producer) const {
        return detail::made<signal>(
            sgk_multicast_signal_manager_multicasted_signal(get(), key.c_str(), produce<F>, &producer));
    }
    /** Starts the signal that `producer()` returns, without callbacks, unless one is running under `key`. */
    template <class F>
    void start_standalone_signal_if_not_running(const std::string &key, F &&producer) const {
        check(sgk_multicast_signal_manager_start_standalone_signal_if_not_running(
            get(), key.c_str(), produce<F>, &producer));
    }
    signal multicasted_pipe(const std::string &key) const {
        return detail::made<signal>(sgk_multicast_signal_manager_multicasted_pipe(get(), key.c_str()));
    }
    void next(const std::string &key, const value &v) const {
        check(sgk_multicast_signal_manager_next(get(), key.c_str(), v.get()));
    }

private:
    template <class F>
    static sgk_signal *produce(void *producer) noexcept {
        try {
            return signal((*static_cast<std::remove_reference_t<F> *>(producer))()).release();
        } catch (...) { return detail::failing(detail::caught()); }
    }
};

/** Runs signals one at a time, in the order in which they were started. */
class sequencer : public handle<sgk_sequencer> {
public:
    using handle::handle;

    sequencer() : sequencer(detail::made<sequencer>(sgk_sequencer_create())) {}
    signal enqueue(const signal &source) const {
        return detail::made<signal>(sgk_sequencer_enqueue(get(), source.get()));
    }
};

} // namespace sgk

#endif
