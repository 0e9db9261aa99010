/** @file
 * One run for many listeners, and runs one after another. Each member function does what the C function of its name
 * says.
 */
#ifndef SIGNALKIT_CPP_SHARING_HPP
#define SIGNALKIT_CPP_SHARING_HPP

#include "operators.hpp"

namespace sgk {

/** `source | sgk::multicast()`: one run for all who listen at the same time. */
inline auto multicast() { return detail::plain(sgk_signal_multicast); }

/** Shares one run of a signal per key: sgk_multicast. */
class multicast_table : public handle<sgk_multicast, sgk_multicast_retain, sgk_multicast_release> {
public:
    using handle::handle;

    multicast_table() : multicast_table(detail::made<multicast_table>(sgk_multicast_create())) {}
    /** sgk_multicast_get. */
    signal shared(const std::string &key, const signal &source) const {
        return detail::made<signal>(sgk_multicast_get(get(), key.c_str(), source.get()));
    }
};

/** Signals that are shared by name, runs that nobody listens to, and pipes by name. A producer that throws produces a
 * signal that fails. */
class multicast_signal_manager : public handle<sgk_multicast_signal_manager, sgk_multicast_signal_manager_retain,
                                     sgk_multicast_signal_manager_release> {
public:
    using handle::handle;

    multicast_signal_manager()
        : multicast_signal_manager(detail::made<multicast_signal_manager>(sgk_multicast_signal_manager_create())) {}
    /** The signal shared under `key`; `producer()` makes it if there is none. */
    template <class F>
    signal multicasted_signal(const std::string &key, F &&producer) const {
        return detail::made<signal>(
            sgk_multicast_signal_manager_multicasted_signal(get(), key.c_str(), produce<F>, &producer));
    }
    /** Starts what `producer()` makes, for what it does, unless one runs under `key` already. */
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
class sequencer : public handle<sgk_sequencer, sgk_sequencer_retain, sgk_sequencer_release> {
public:
    using handle::handle;

    sequencer() : sequencer(detail::made<sequencer>(sgk_sequencer_create())) {}
    signal enqueue(const signal &source) const {
        return detail::made<signal>(sgk_sequencer_enqueue(get(), source.get()));
    }
};

} // namespace sgk

#endif
