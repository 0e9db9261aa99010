/** @file
 * Values: the data that signals carry, and its conversion from and to C++ types.
 */
#ifndef SIGNALKIT_CPP_VALUE_HPP
#define SIGNALKIT_CPP_VALUE_HPP

#include "handle.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sgk {

/** Converts a `T` to a value and back. Specialize it for your types:
 *
 *     static constexpr const char *name = "a point";     // for the text of an error
 *     static bool matches(sgk_value v);                  // whether `from` can read this value, which is borrowed
 *     static T from(sgk_value v);                        // called only if it matches
 *     static sgk_value to(const T &t);                   // the caller owns the result
 */
template <class T, class Enable = void>
struct conversion;

namespace detail {

template <class T, class = void>
struct is_convertible : std::false_type {};
template <class T>
struct is_convertible<T, std::void_t<decltype(conversion<T>::to(std::declval<const T &>()))>> : std::true_type {};

template <class T, class = void>
struct is_readable : std::false_type {};
template <class T>
struct is_readable<T, std::void_t<decltype(conversion<T>::from(sgk_value()))>> : std::true_type {};

// Plain values, the most frequent ones, have no references. The compiler sees it here and omits the call.
inline sgk_value retain(sgk_value v) noexcept { return v.kind < SGK_STRING ? v : sgk_value_retain(v); }
inline void release(sgk_value v) noexcept {
    if (v.kind >= SGK_STRING) sgk_value_release(v);
}

inline std::string describe(sgk_value v) {
    std::string text(sgk_value_describe(v, nullptr, 0), '\0');
    sgk_value_describe(v, text.data(), text.size() + 1);
    return text;
}

/** Throws the error of a value of another type. It is a separate function, so that the usual path stays short. */
[[noreturn]] inline void mismatch(const char *name, sgk_value v) {
    throw error(
        SGK_ERROR_KIND, std::string("not ") + name + ", but " + sgk_kind_text(sgk_value_kind(v)) + ": " + describe(v));
}

/** Reports whether a borrowed value is a `T`. */
template <class T>
bool matches(sgk_value v) {
    static_assert(is_readable<T>::value, "there is no sgk::conversion for this type: specialise it");
    return conversion<T>::matches(v);
}

/** Returns the name of a `T` for error texts. */
template <class T>
const char *name() noexcept {
    return conversion<T>::name;
}

/** Returns a borrowed value as a `T`. Throws if it is not a `T`. */
template <class T>
T read(sgk_value v) {
    if (!matches<T>(v)) mismatch(name<T>(), v);
    return conversion<T>::from(v);
}

} // namespace detail

/** Owns a value. It has 16 bytes. Copying a string or an array adds a reference to the same one. */
class value {
public:
    /** Creates null. */
    value() noexcept : raw_(sgk_null()) {}
    /** Takes over a C value that the caller owns. */
    explicit value(sgk_value owned) noexcept : raw_(owned) {}
    /** Converts an object of a type with a conversion: bool, numbers, texts, nullptr, vectors, optionals, signals … */
    template <class T, class D = std::decay_t<T>,
        class = std::enable_if_t<!std::is_base_of_v<value, D> && detail::is_convertible<D>::value>>
    value(T &&from) : raw_(conversion<D>::to(from)) {}
    value(const value &other) noexcept : raw_(detail::retain(other.raw_)) {}
    value(value &&other) noexcept : raw_(other.release()) {}
    value &operator=(value other) noexcept {
        std::swap(raw_, other.raw_);
        return *this;
    }
    ~value() { detail::release(raw_); }

    /** Returns a copy of bytes. */
    static value bytes(const void *data, std::size_t length) { return value(sgk_bytes(data, length)); }
    /** Retains a borrowed C value. */
    static value share(sgk_value borrowed) noexcept { return value(detail::retain(borrowed)); }

    sgk_kind kind() const noexcept { return sgk_value_kind(raw_); }
    bool is_null() const noexcept { return raw_.kind == SGK_NULL; }

    /** Reports whether the value can be read as a `T`. */
    template <class T>
    bool is() const {
        return conversion<T>::matches(raw_);
    }
    /** Returns the value as a `T`. Throws sgk::error (SGK_ERROR_KIND) if it is not a `T`.
     *
     * A `std::string_view` of a string or bytes is valid as long as the value. */
    template <class T>
    T as() const {
        return detail::read<T>(raw_);
    }
    /** Returns the value as a `T`, or `otherwise` if it is not a `T`. */
    template <class T>
    T as_or(T otherwise) const {
        return is<T>() ? conversion<T>::from(raw_) : std::move(otherwise);
    }

    /** Returns the number of elements, or 0 if the value is not an array. */
    std::size_t size() const noexcept {
        std::size_t count = 0;
        if (raw_.kind == SGK_ARRAY) sgk_array_items(raw_, &count);
        return count;
    }
    /** Returns an element. Throws if the index is out of range. */
    value operator[](std::size_t index) const {
        if (index >= size())
            throw error(SGK_ERROR_ARGUMENT, "sgk::value: no element " + std::to_string(index) + " in " + text());
        return share(sgk_array_at(raw_, index));
    }

    /** Returns the value as readable text. */
    std::string text() const { return detail::describe(raw_); }
    std::size_t hash() const noexcept { return static_cast<std::size_t>(sgk_value_hash(raw_)); }

    /** Returns the C value, borrowed. */
    sgk_value get() const noexcept { return raw_; }
    /** Transfers the C value to the caller. This is then null. */
    [[nodiscard]] sgk_value release() noexcept { return std::exchange(raw_, sgk_null()); }

    /** Like sgk_value_equal: compares kind and content. */
    friend bool operator==(const value &a, const value &b) noexcept { return sgk_value_equal(a.raw_, b.raw_); }
    friend bool operator!=(const value &a, const value &b) noexcept { return !(a == b); }
    friend std::ostream &operator<<(std::ostream &out, const value &v) { return out << v.text(); }

private:
    sgk_value raw_;
};

/** The exception of a read from a signal that has failed.
 *
 * `cause()` is the signal's error. If a callback lets the exception pass, its subscription fails with that error. */
class failure : public error {
public:
    explicit failure(value cause) : error(SGK_ERROR_FAILED, cause.text()), cause_(std::move(cause)) {}
    const value &cause() const noexcept { return cause_; }

private:
    value cause_;
};

// ---- Conversions ----

template <>
struct conversion<std::nullptr_t> {
    static constexpr const char *name = "null";
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_NULL; }
    static std::nullptr_t from(sgk_value) noexcept { return nullptr; }
    static sgk_value to(std::nullptr_t) noexcept { return sgk_null(); }
};

template <>
struct conversion<bool> {
    static constexpr const char *name = "a bool";
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_BOOL; }
    static bool from(sgk_value v) noexcept { return sgk_to_bool(v); }
    static sgk_value to(bool flag) noexcept { return sgk_bool(flag); }
};

/** Converts integers of all sizes. A number that does not fit is an error in both directions. */
template <class T>
struct conversion<T, std::enable_if_t<std::is_integral_v<T>>> {
    static constexpr const char *name = "an int of this size";
    static bool matches(sgk_value v) noexcept {
        const std::int64_t n = sgk_to_int(v);
        return v.kind == SGK_INT && static_cast<std::int64_t>(static_cast<T>(n)) == n &&
            (std::is_signed_v<T> || n >= 0);
    }
    static T from(sgk_value v) noexcept { return static_cast<T>(sgk_to_int(v)); }
    static sgk_value to(T n) {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(std::int64_t))
            if (n > static_cast<T>(std::numeric_limits<std::int64_t>::max()))
                throw error(SGK_ERROR_ARGUMENT, "sgk::value: the number is too large");
        return sgk_int(static_cast<std::int64_t>(n));
    }
};

/** Converts floating-point numbers. It reads doubles, and ints as doubles. */
template <class T>
struct conversion<T, std::enable_if_t<std::is_floating_point_v<T>>> {
    static constexpr const char *name = "a number";
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_DOUBLE || v.kind == SGK_INT; }
    static T from(sgk_value v) noexcept { return static_cast<T>(sgk_to_double(v)); }
    static sgk_value to(T number) noexcept { return sgk_double(static_cast<double>(number)); }
};

template <>
struct conversion<std::string_view> {
    static constexpr const char *name = "a text";
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_STRING || v.kind == SGK_BYTES; }
    static std::string_view from(sgk_value v) noexcept {
        std::size_t length = 0;
        const char *text = sgk_value_data(v, &length);
        return {text, length};
    }
    static sgk_value to(std::string_view text) noexcept { return sgk_string_n(text.data(), text.size()); }
};

template <>
struct conversion<std::string> : conversion<std::string_view> {
    static std::string from(sgk_value v) { return std::string(conversion<std::string_view>::from(v)); }
};

template <>
struct conversion<const char *> : conversion<std::string_view> {
    static const char *from(sgk_value v) noexcept { return sgk_value_data(v, nullptr); }
    static sgk_value to(const char *text) noexcept { return sgk_string(text); }
};
template <>
struct conversion<char *> : conversion<const char *> {};

/** Converts pointers. The library passes them on and never follows them. */
template <>
struct conversion<void *> {
    static constexpr const char *name = "a pointer";
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_POINTER; }
    static void *from(sgk_value v) noexcept { return sgk_to_pointer(v); }
    static sgk_value to(void *pointer) noexcept { return sgk_pointer(pointer); }
};

template <>
struct conversion<value> {
    static constexpr const char *name = "a value";
    static bool matches(sgk_value) noexcept { return true; }
    static value from(sgk_value v) noexcept { return value::share(v); }
    static sgk_value to(const value &v) noexcept { return sgk_value_retain(v.get()); }
};

/** Converts arrays. Every element must match. */
template <class T>
struct conversion<std::vector<T>> {
    static constexpr const char *name = "an array of such elements";
    static bool matches(sgk_value v) {
        if (v.kind != SGK_ARRAY) return false;
        std::size_t count = 0;
        const sgk_value *items = sgk_array_items(v, &count);
        return std::all_of(items, items + count, [](sgk_value item) { return conversion<T>::matches(item); });
    }
    static std::vector<T> from(sgk_value v) {
        std::size_t count = 0;
        const sgk_value *items = sgk_array_items(v, &count);
        std::vector<T> all;
        all.reserve(count);
        for (std::size_t i = 0; i < count; i++) all.push_back(conversion<T>::from(items[i]));
        return all;
    }
    static sgk_value to(const std::vector<T> &all) {
        const std::vector<value> owned(all.begin(), all.end());
        std::vector<sgk_value> raw;
        for (const value &v : owned) raw.push_back(v.get());
        return sgk_array(raw.data(), raw.size());
    }
};

/** Converts null, or a `T`. */
template <class T>
struct conversion<std::optional<T>> {
    static constexpr const char *name = conversion<T>::name;
    static bool matches(sgk_value v) { return v.kind == SGK_NULL || conversion<T>::matches(v); }
    static std::optional<T> from(sgk_value v) {
        return v.kind == SGK_NULL ? std::nullopt : std::optional<T>(conversion<T>::from(v));
    }
    static sgk_value to(const std::optional<T> &some) { return some ? conversion<T>::to(*some) : sgk_null(); }
};
template <>
struct conversion<std::nullopt_t> {
    static sgk_value to(std::nullopt_t) noexcept { return sgk_null(); }
};

namespace detail {

/** Reports whether a `T` points into the value from which it was read. */
template <class T>
struct is_view : std::bool_constant<std::is_same_v<T, std::string_view> || std::is_same_v<T, const char *>> {};
template <class T>
struct is_view<std::vector<T>> : is_view<T> {};
template <class T>
struct is_view<std::optional<T>> : is_view<T> {};

/** Returns a temporary value as a `T`. */
template <class T>
T owned(const value &found) {
    static_assert(!is_view<T>::value, "the text would be gone: read a std::string");
    return found.template as<T>();
}

} // namespace detail

} // namespace sgk

/** Makes values usable as keys of unordered containers. */
template <>
struct std::hash<sgk::value> {
    std::size_t operator()(const sgk::value &v) const noexcept { return v.hash(); }
};

#endif
