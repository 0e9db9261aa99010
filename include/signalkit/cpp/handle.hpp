/** @file
 * Errors as exceptions, and the owner of a handle.
 */
#ifndef SIGNALKIT_CPP_HANDLE_HPP
#define SIGNALKIT_CPP_HANDLE_HPP

#if defined(__GNUC__) // for whoever has that warning on: C has no other casts
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#include "../../signalkit.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace sgk {

/** Thrown when a call fails; `what()` is the last error: "function: argument: reason". */
class error : public std::runtime_error {
public:
    error(sgk_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
    sgk_status status() const noexcept { return status_; }
    /** The text of that status alone. */
    const char *status_text() const noexcept { return sgk_status_text(status_); }

private:
    sgk_status status_;
};

/** Throws for a negative status. */
inline void check(sgk_status status) {
    if (status < 0) throw error(status, sgk_last_error());
}

/** Owns one reference to a handle, or none. The base of all the types that are named after a kind of handle. */
template <class C, C *(*Retain)(C *), void (*Release)(C *)>
class handle {
public:
    using c_type = C;

    handle() noexcept = default;
    /** Takes over a reference: what a C function has returned. (A template, for which a literal 0 is a number and no
     * pointer.) */
    template <class P, class = std::enable_if_t<std::is_convertible_v<P, C *>>>
    explicit handle(P owned) noexcept : pointer_(owned) {}
    handle(const handle &other) noexcept : pointer_(Retain(other.pointer_)) {}
    handle(handle &&other) noexcept : pointer_(other.release()) {}
    handle &operator=(handle other) noexcept {
        std::swap(pointer_, other.pointer_);
        return *this;
    }
    ~handle() { Release(pointer_); }

    /** The C handle, borrowed; NULL when there is none. */
    C *get() const noexcept { return pointer_; }
    /** Gives the reference away. */
    [[nodiscard]] C *release() noexcept { return std::exchange(pointer_, nullptr); }
    /** Whether there is a handle. */
    explicit operator bool() const noexcept { return pointer_ != nullptr; }

    friend bool operator==(const handle &a, const handle &b) noexcept { return a.pointer_ == b.pointer_; }
    friend bool operator!=(const handle &a, const handle &b) noexcept { return a.pointer_ != b.pointer_; }

private:
    C *pointer_ = nullptr;
};

namespace detail {

/** For a parameter that only a bool may be given to, and neither a text nor a number, which C++ would convert. */
template <class B>
using only_bool = std::enable_if_t<std::is_same_v<B, bool>>;

/** Owns what a creating function has returned, or throws its error. */
template <class H>
H made(typename H::c_type *owned) {
    if (!owned) throw error(sgk_last_status(), sgk_last_error());
    return H(owned);
}

} // namespace detail

} // namespace sgk

#endif
