/** @file
 * Seeing what runs, in C++: see signalkit/debug.h.
 * @since 1.0
 */
#ifndef SIGNALKIT_CPP_DEBUG_HPP
#define SIGNALKIT_CPP_DEBUG_HPP

#include "operators.hpp"

#include <ostream>
#include <string>

namespace sgk {

inline std::string signal::describe() const { return value(sgk_signal_describe(get())).as<std::string>(); }
inline std::string signal::to_dot() const { return value(sgk_signal_to_dot(get())).as<std::string>(); }
inline std::string signal::to_json() const { return value(sgk_signal_to_json(get())).as<std::string>(); }

/** Writes what the signal is made of. */
inline std::ostream &operator<<(std::ostream &stream, const signal &source) { return stream << source.describe(); }

/** `source | named("cpu", SGK_HERE)`: a name, and where it was given. */
inline auto named(std::string name, std::string file, int line) {
    return [name = std::move(name), file = std::move(file), line](const signal &source) {
        return detail::made<signal>(sgk_signal_named_at(source.get(), name.c_str(), file.c_str(), line));
    };
}

/** `source | trace("cpu", SGK_HERE)`. */
inline auto trace(std::string name, std::string file, int line) {
    return [name = std::move(name), file = std::move(file), line](const signal &source) {
        return detail::made<signal>(sgk_signal_trace_at(source.get(), name.c_str(), file.c_str(), line));
    };
}

/** What is started as long as this object lives is watched. */
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

/** What runs, as far as it is watched. */
inline std::string debug_graph(sgk_debug_format format = SGK_DEBUG_TEXT) {
    std::string text;
    check(sgk_debug_graph(format, detail::append, &text));
    return text;
}

/** What is alive; see sgk_debug_dump. */
inline std::string debug_dump() {
    std::string text;
    check(sgk_debug_dump(detail::append, &text));
    return text;
}

/** Has `handler(const sgk_trace_event &)` told of what happens to runs; sgk_set_trace_handler(NULL, NULL, NULL) ends
 * that. */
template <class F>
void set_trace_handler(F handler) {
    sgk_set_trace_handler(
        [](void *context, const sgk_trace_event *event) noexcept { (*static_cast<F *>(context))(*event); },
        new F(std::move(handler)), detail::destroy<F>);
}

/** The text of a kind of trace event. */
inline const char *trace_kind_text(sgk_trace_kind kind) noexcept { return sgk_trace_kind_text(kind); }

/** What runs that are started inside of the life of this object have as their value for traces. */
class trace_context {
public:
    explicit trace_context(uint64_t value) : before(sgk_trace_set_context(value)) {}
    ~trace_context() { sgk_trace_set_context(before); }
    trace_context(const trace_context &) = delete;
    trace_context &operator=(const trace_context &) = delete;

    /** The calling thread's value. */
    static uint64_t current() noexcept { return sgk_trace_context(); }

private:
    uint64_t before;
};

} // namespace sgk

#endif
