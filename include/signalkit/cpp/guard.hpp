/** @file
 * The only `try` of these headers. No exception enters the library.
 */
#ifndef SIGNALKIT_CPP_GUARD_HPP
#define SIGNALKIT_CPP_GUARD_HPP

#include "value.hpp"

#include <exception>
#include <system_error>

SGK_CPP_BEGIN
namespace detail {

#if SGK_CPP_EXCEPTIONS

value caught() noexcept;

/** Returns the error of the exception that is nested in the current one, or null. */
SGK_CPP_COLD inline value caught_cause() noexcept {
    try {
        throw;
    } catch (const std::nested_exception &outer) {
        try {
            if (outer.nested_ptr()) outer.rethrow_nested();
        } catch (...) { return caught(); }
    } catch (...) {} // it has no cause
    return {};
}
inline value caught_error(int code, const char *text) noexcept { return failure(code, text, caught_cause()).value(); }

/** Returns the current exception as the error of a subscription. Call it only inside a `catch`. */
SGK_CPP_COLD inline value caught() noexcept {
    try {
        throw;
    } catch (const value &v) { return v; } catch (const failure &f) {
        return f.value();
    } catch (const error &e) { return caught_error(e.status(), e.what()); } catch (const std::system_error &e) {
        return caught_error(e.code().value() > 0 ? e.code().value() : SGK_ERROR_FAILED, e.what());
    } catch (const std::exception &e) { return caught_error(SGK_ERROR_FAILED, e.what()); } catch (...) {
        return caught_error(SGK_ERROR_FAILED, "an exception that is no std::exception");
    }
}

/** Returns `body()`, or `recover(error)` if it throws. */
template <class Body, class Recover>
SGK_CPP_INLINE auto guarded(Body &&body, Recover &&recover) noexcept {
    try {
        return body();
    } catch (...) { return recover(caught()); }
}

/** Calls `body()` and returns its exception, or nullptr. */
template <class Body>
std::exception_ptr attempt(Body &&body) noexcept {
    try {
        body();
        return nullptr;
    } catch (...) { return std::current_exception(); }
}
inline void rethrow(const std::exception_ptr &thrown) {
    if (thrown) std::rethrow_exception(thrown);
}

#else

template <class Body, class Recover>
SGK_CPP_INLINE auto guarded(Body &&body, Recover &&) noexcept {
    return body();
}
template <class Body>
std::exception_ptr attempt(Body &&body) noexcept {
    body();
    return nullptr;
}
inline void rethrow(const std::exception_ptr &) noexcept {}

#endif

/** Returns the failure of a step. */
SGK_CPP_COLD inline sgk_value failed_step(value error) noexcept { return sgk_failed(error.release()); }
/** Returns the result of a callback that should return a signal: a signal that fails. */
SGK_CPP_COLD inline sgk_signal *failing(const value &error) noexcept { return sgk_signal_fail(error.get()); }
SGK_CPP_COLD inline value mismatch_error(const char *stage, const char *name, sgk_value v) noexcept {
    return failure(SGK_ERROR_KIND, std::string(stage) + ": " + mismatch(name, v)).value();
}

} // namespace detail
SGK_CPP_END

#endif
