/** @file
 * Marble tests. signalkit/testing.h describes diagrams. Tests include this header; signalkit.hpp does not.
 *
 *     sgk::queue queue = sgk::queue::virtual_time();
 *     sgk::marble_run run(queue, sgk::marble_cold(queue, "-a-bc---|") | sgk::debounce(2s, queue));
 *     queue.run();
 *     assert(run.expect("------c-|"));
 */
#ifndef SIGNALKIT_CPP_TESTING_HPP
#define SIGNALKIT_CPP_TESTING_HPP

#include "operators.hpp"

#if defined(__clang__) // the warnings of the program are about the program
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#include "../testing.h"
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <initializer_list>

SGK_CPP_BEGIN

namespace detail {

template <class T>
signal<T> diagram(sgk_signal *source) {
    if (!source) raise(SGK_ERROR_ARGUMENT, "sgk::marbles: no diagram");
    return signal<value>(source).template as<T>();
}

} // namespace detail

/** Creates a cold source on a virtual queue. Each subscription receives the events of the diagram from its start on.
 *
 * A digit in the diagram is an int, any other mark is a text. */
template <class T = value>
[[nodiscard]] signal<T> marble_cold(const queue &on, const char *diagram) {
    return detail::diagram<T>(sgk_marble_cold(on.get(), diagram));
}
/** Creates a hot source on a virtual queue. It emits the events of the diagram from now on. */
template <class T = value>
[[nodiscard]] signal<T> marble_hot(const queue &on, const char *diagram) {
    return detail::diagram<T>(sgk_marble_hot(on.get(), diagram));
}

/** A recorded subscription. `^` in its diagram is its start, `!` its disposal, `p` and `r` the start and the end of a
 * pause. */
class marble_run {
public:
    marble_run(const queue &on, const any_signal &source, const char *subscription = "^")
        : run_(sgk_marble_start(on.get(), source.get(), subscription)) {
        if (!run_) detail::raise(SGK_ERROR_ARGUMENT, "sgk::marble_run: no signal, or no diagram");
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

/** Records the starts, the pauses and the ends of subscriptions, by the clock of a virtual queue. */
class marble_log {
public:
    explicit marble_log(const queue &on) : log_(sgk_marble_log_create(on.get())) {
        if (!log_) detail::raise(SGK_ERROR_MEMORY, "sgk::marble_log: no memory");
    }
    marble_log(marble_log &&other) noexcept : log_(std::exchange(other.log_, nullptr)) {}
    marble_log &operator=(marble_log &&) = delete;
    ~marble_log() {
        if (log_) sgk_marble_log_release(log_);
    }
    /** Creates a cold source on the queue of the log, which records its subscriptions and their pauses. */
    template <class T = value>
    [[nodiscard]] signal<T> cold(const char *diagram) const {
        return detail::diagram<T>(sgk_marble_log_cold(log_, diagram));
    }
    /** Returns a signal that emits the events of `source`, and records its subscriptions here, without their pauses. */
    template <class S>
    [[nodiscard]] auto logged(const S &source) const {
        const signal<detail::element_t<S>> of(source);
        sgk_signal *made = sgk_marble_logged(log_, of.get());
        if (!made) detail::raise(SGK_ERROR_ARGUMENT, "sgk::marble_log: no signal");
        return signal<detail::element_t<S>>(made);
    }
    /** Compares the subscriptions, in the order of their starts, with diagrams such as `"--^-p-r---!"`.
     *
     * Prints the first one that differs. Call it once. */
    [[nodiscard]] bool expect(std::initializer_list<const char *> diagrams) {
        return sgk_marble_expect_subscriptions(
            std::exchange(log_, nullptr), diagrams.begin(), static_cast<int>(diagrams.size()));
    }

private:
    sgk_marble_log *log_;
};

SGK_CPP_END

#endif
