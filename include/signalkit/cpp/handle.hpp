/** @file
 * Errors as exceptions, and the base class of owning classes.
 */
#ifndef SIGNALKIT_CPP_HANDLE_HPP
#define SIGNALKIT_CPP_HANDLE_HPP

#if defined(__GNUC__) // C has no other casts, and users may enable that warning
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#include "../all.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace sgk {

/** The exception of a failed call. `what()` is the last error: "function: argument: reason". */
class error : public std::runtime_error {
public:
    error(sgk_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
    sgk_status status() const noexcept { return status_; }
    /** Returns the text of the status. */
    const char *status_text() const noexcept { return sgk_status_text(status_); }

private:
    sgk_status status_;
};

/** Throws an error if the status is negative. */
inline void check(sgk_status status) {
    if (status < 0) throw error(status, sgk_last_error());
}

/** Owns one reference to a handle, or is empty. It is the base class of all classes of handles. */
template <class C>
class handle {
public:
    using c_type = C;

    handle() noexcept = default;
    /** Takes over a reference, such as the result of a C function. It is a template, so that a literal 0 is not
     * accepted
     * as a pointer. */
    template <class P, class = std::enable_if_t<std::is_convertible_v<P, C *>>>
    explicit handle(P owned) noexcept : pointer_(owned) {}
    handle(const handle &other) noexcept : pointer_(static_cast<C *>(sgk_retain(other.pointer_))) {}
    handle(handle &&other) noexcept : pointer_(other.release()) {}
    handle &operator=(handle other) noexcept {
        std::swap(pointer_, other.pointer_);
        return *this;
    }
    ~handle() { sgk_release(pointer_); }

    /** Returns the C handle, borrowed, or NULL if this is empty. */
    C *get() const noexcept { return pointer_; }
    /** Transfers the reference to the caller. This is then empty. */
    [[nodiscard]] C *release() noexcept { return std::exchange(pointer_, nullptr); }
    /** Reports whether this has a handle. */
    explicit operator bool() const noexcept { return pointer_ != nullptr; }

    friend bool operator==(const handle &a, const handle &b) noexcept { return a.pointer_ == b.pointer_; }
    friend bool operator!=(const handle &a, const handle &b) noexcept { return a.pointer_ != b.pointer_; }

private:
    C *pointer_ = nullptr;
};

namespace detail {

/** Restricts a parameter to bool, because C++ would convert a text or a number. */
template <class B>
using only_bool = std::enable_if_t<std::is_same_v<B, bool>>;

/** Owns the result of a function that creates a handle, or throws its error. */
template <class H>
H made(typename H::c_type *owned) {
    if (!owned) throw error(sgk_last_status(), sgk_last_error());
    return H(owned);
}

} // namespace detail

} // namespace sgk

#endif
