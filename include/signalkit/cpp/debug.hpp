/** @file
 * Debugging: descriptions of signals, running subscriptions, live objects, and traces. See signalkit/debug.h.
 * @since 1.0
 */
#ifndef SIGNALKIT_CPP_DEBUG_HPP
#define SIGNALKIT_CPP_DEBUG_HPP

#include "operators.hpp"

#include <string>

SGK_CPP_BEGIN

/** Requests the observation of subscriptions that start during the life of this object. */
class debug_watch {
public:
    debug_watch() { sgk_debug_watch(true); }
    ~debug_watch() { sgk_debug_watch(false); }
    debug_watch(const debug_watch &) = delete;
    debug_watch &operator=(const debug_watch &) = delete;
};

namespace detail {
inline void append(void *context, const char *bytes, size_t length) noexcept {
    static_cast<std::string *>(context)->append(bytes, length);
}
} // namespace detail

/** Returns the observed subscriptions as text. See sgk_debug_graph. */
inline std::string debug_graph(sgk_debug_format format = SGK_DEBUG_TEXT) {
    std::string text;
    check(sgk_debug_graph(format, detail::append, &text));
    return text;
}

/** Returns the live objects as text. See sgk_debug_dump. */
inline std::string debug_dump() {
    std::string text;
    check(sgk_debug_dump(detail::append, &text));
    return text;
}

/** Sets the function that receives the events of subscriptions: `handler(const sgk_trace_event &)`.
 *
 * sgk_set_trace_handler(NULL, NULL, NULL) removes it. */
template <class F>
void set_trace_handler(F handler) {
    sgk_set_trace_handler(
        [](void *context, const sgk_trace_event *event) noexcept { (*static_cast<F *>(context))(*event); },
        new F(std::move(handler)), detail::destroy<F>);
}

/** Returns the text of a kind of trace event. */
inline const char *trace_kind_text(uint32_t kind) noexcept {
    return sgk_trace_kind_text(static_cast<sgk_trace_kind>(kind));
}

/** Sets the trace value of subscriptions that start on this thread during the life of this object. */
class trace_context {
public:
    explicit trace_context(uint64_t content) : before(sgk_trace_set_context(content)) {}
    ~trace_context() { sgk_trace_set_context(before); }
    trace_context(const trace_context &) = delete;
    trace_context &operator=(const trace_context &) = delete;

    /** Returns the trace value of the calling thread. */
    static uint64_t current() noexcept { return sgk_trace_context(); }

private:
    uint64_t before;
};

SGK_CPP_END

#endif
