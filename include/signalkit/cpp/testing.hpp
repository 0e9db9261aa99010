/** @file
 * Marble tests. signalkit/testing.h describes diagrams. Tests include this header; signalkit.hpp does not.
 *
 *     sgk::queue queue = sgk::queue::virtual_time();
 *     sgk::marble_run run(queue, sgk::marble_cold(queue, "-a-bc---|") | sgk::debounce(2, queue));
 *     queue.run();
 *     assert(run.expect("------c-|"));
 */
#ifndef SIGNALKIT_CPP_TESTING_HPP
#define SIGNALKIT_CPP_TESTING_HPP

#include "../testing.h"
#include "operators.hpp"

#include <initializer_list>

namespace sgk {

namespace detail {

inline signal diagram(sgk_signal *source) {
    if (!source) throw error(SGK_ERROR_ARGUMENT, "sgk::marbles: no diagram");
    return signal(source);
}

} // namespace detail

/** Creates a cold source on a virtual queue. Each subscription receives the events of the diagram from its start on. */
inline signal marble_cold(const queue &on, const char *diagram) {
    return detail::diagram(sgk_marble_cold(on.get(), diagram));
}
/** Creates a hot source on a virtual queue. It emits the events of the diagram from now on. */
inline signal marble_hot(const queue &on, const char *diagram) {
    return detail::diagram(sgk_marble_hot(on.get(), diagram));
}

/** A recorded subscription. `^` in its diagram is its start, `!` its disposal. */
class marble_run {
public:
    marble_run(const queue &on, const signal &source, const char *subscription = "^")
        : run_(sgk_marble_start(on.get(), source.get(), subscription)) {
        if (!run_) throw error(SGK_ERROR_ARGUMENT, "sgk::marble_run: no signal, or no diagram");
    }
    marble_run(marble_run &&other) noexcept : run_(std::exchange(other.run_, nullptr)) {}
    marble_run &operator=(marble_run &&) = delete;
    ~marble_run() {
        if (run_) static_cast<void>(expect("")); // releases the subscription
    }
    /** Compares the recorded events with the diagram, and prints both if they differ. Call it once. */
    [[nodiscard]] bool expect(const char *diagram) { return sgk_marble_expect(std::exchange(run_, nullptr), diagram); }

private:
    sgk_marble_run *run_;
};

/** Records the starts and ends of subscriptions, by the clock of a virtual queue. */
class marble_log {
public:
    explicit marble_log(const queue &on) : log_(sgk_marble_log_create(on.get())) {
        if (!log_) throw error(SGK_ERROR_MEMORY, "sgk::marble_log: no memory");
    }
    marble_log(marble_log &&other) noexcept : log_(std::exchange(other.log_, nullptr)) {}
    marble_log &operator=(marble_log &&) = delete;
    ~marble_log() {
        if (log_) sgk_marble_log_release(log_);
    }
    /** Returns a signal that emits the events of `source`, and records its subscriptions here. */
    signal logged(const signal &source) const {
        sgk_signal *made = sgk_marble_logged(log_, source.get());
        if (!made) throw error(SGK_ERROR_ARGUMENT, "sgk::marble_log: no signal");
        return signal(made);
    }
    /** Compares the subscriptions, in the order of their starts, with diagrams such as `"--^---!"`.
     *
     * Prints the first one that differs. Call it once. */
    [[nodiscard]] bool expect(std::initializer_list<const char *> diagrams) {
        return sgk_marble_expect_subscriptions(
            std::exchange(log_, nullptr), diagrams.begin(), static_cast<int>(diagrams.size()));
    }

private:
    sgk_marble_log *log_;
};

} // namespace sgk

#endif
