/** @file
 * Marble tests: signalkit/testing.h, which says what a diagram is, in C++. For tests to include by itself;
 * signalkit.hpp does not.
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

namespace sgk {

namespace detail {

inline signal diagram(sgk_signal *source) {
    if (!source) throw error(SGK_ERROR_ARGUMENT, "sgk::marbles: no diagram");
    return signal(source);
}

} // namespace detail

/** A source on a virtual queue that does what the diagram says, anew for each start. */
inline signal marble_cold(const queue &on, const char *diagram) {
    return detail::diagram(sgk_marble_cold(on.get(), diagram));
}
/** One that does it from now on, whether somebody listens or not. */
inline signal marble_hot(const queue &on, const char *diagram) {
    return detail::diagram(sgk_marble_hot(on.get(), diagram));
}

/** A run that is recorded: `^` in the subscription is its begin, `!` its disposal. */
class marble_run {
public:
    marble_run(const queue &on, const signal &source, const char *subscription = "^")
        : run_(sgk_marble_start(on.get(), source.get(), subscription)) {
        if (!run_) throw error(SGK_ERROR_ARGUMENT, "sgk::marble_run: no signal, or no diagram");
    }
    marble_run(marble_run &&other) noexcept : run_(std::exchange(other.run_, nullptr)) {}
    marble_run &operator=(marble_run &&) = delete;
    ~marble_run() {
        if (run_) static_cast<void>(expect("")); // to let it go
    }
    /** Compares what has come by now with the diagram; prints both when they differ. Once. */
    [[nodiscard]] bool expect(const char *diagram) { return sgk_marble_expect(std::exchange(run_, nullptr), diagram); }

private:
    sgk_marble_run *run_;
};

} // namespace sgk

#endif
