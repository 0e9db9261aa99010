/** @file
 * Values: the data that signals carry, and their conversion from and to C++ types. Errors are values, too.
 */
#ifndef SIGNALKIT_CPP_VALUE_HPP
#define SIGNALKIT_CPP_VALUE_HPP

#include "handle.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string_view>
#include <tuple>
#include <vector>

SGK_CPP_BEGIN

/** A length of time. `500ms` and `2s` convert to it. A number does not. */
using duration = std::chrono::duration<double>;
/** The duration that never ends. */
constexpr duration no_timeout{std::numeric_limits<double>::infinity()};

/** Converts a `T` to a value of another kind and back. Without a conversion, a `T` of your program is carried as an
 * object. Specialize it for types that other languages shall read:
 *
 *     static constexpr const char *name = "a point";     // for the text of an error
 *     static bool matches(sgk_value v);                  // whether `from` can read this value, which is borrowed
 *     static T from(sgk_value v);                        // called only if it matches
 *     static sgk_value to(const T &t);                   // the caller owns the result
 */
template <class T, class Enable = void>
struct conversion;

class value;
template <class T>
class signal;
/** A signal whose element type is not known. */
using any_signal = signal<value>;

namespace detail {

/** How a `T` is a value: `name()`, `matches(v)`, `from(v)` of a borrowed value, `to(t)`, which the caller owns. `rep`
 * is the result of `from`. */
template <class T, class Enable = void>
struct codec;

template <class T, class = void>
struct has_conversion : std::false_type {};
template <class T>
struct has_conversion<T, std::void_t<decltype(conversion<T>::to(std::declval<const T &>()))>> : std::true_type {};

/** The type as which a result is stored: a text that may point into an argument is copied. */
template <class T>
struct stored {
    using type = T;
};
template <>
struct stored<std::string_view> {
    using type = std::string;
};
template <>
struct stored<const char *> {
    using type = std::string;
};
template <>
struct stored<char *> {
    using type = std::string;
};
template <class T>
using stored_t = typename stored<std::decay_t<T>>::type;

template <class T>
struct is_tuple : std::false_type {};
template <class... T>
struct is_tuple<std::tuple<T...>> : std::true_type {};

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

inline std::string mismatch(const char *name, sgk_value v) {
    return std::string("not ") + name + ", but " + sgk_kind_text(sgk_value_kind(v)) + ": " + describe(v);
}

/** An element that is borrowed from a value. */
template <class T>
struct lent {
    const T *object;
};
template <class Rep>
struct is_lent : std::false_type {};
template <class T>
struct is_lent<lent<T>> : std::true_type {};

template <class Rep>
SGK_CPP_INLINE decltype(auto) argument(Rep &&rep) noexcept {
    if constexpr (is_lent<bare<Rep>>::value) return *rep.object;
    else return std::forward<Rep>(rep);
}

/** Reports whether an object of this type converts to a value without a word. Other types are objects, and need
 * value::object. */
template <class T, class = void>
struct is_plain : has_conversion<T> {};

} // namespace detail

/** Owns a value. It has 16 bytes. Copying a string or an array adds a reference to the same one. */
class value {
public:
    /** Creates null. */
    value() noexcept : raw_(sgk_null()) {}
    /** Takes over a C value that the caller owns or gives away (sgk_give). Retains a borrowed one (SGK_LENT). */
    explicit value(sgk_value owned) noexcept : raw_(owned.reserved ? sgk_value_retain(owned) : owned) {}
    /** Converts bool, numbers, texts, nullptr, vectors, optionals, tuples, signals, and types with a conversion. */
    template <class T, class D = std::decay_t<T>,
        class = std::enable_if_t<!std::is_base_of_v<value, D> && detail::is_plain<D>::value>>
    value(T &&from) : raw_(detail::codec<D>::to(std::forward<T>(from))) {}
    value(const value &other) noexcept : raw_(detail::retain(other.raw_)) {}
    value(value &&other) noexcept : raw_(other.release()) {}
    value &operator=(value other) noexcept {
        std::swap(raw_, other.raw_);
        return *this;
    }
    ~value() { detail::release(raw_); }

    /** Moves an object of any type into a value. */
    template <class T>
    static value object(T from) {
        return value(detail::codec<detail::stored_t<T>>::to(std::move(from)));
    }
    /** Returns a copy of bytes. */
    static value bytes(const void *data, std::size_t length) { return value(sgk_bytes(data, length)); }
    /** Retains a borrowed C value. */
    static value share(sgk_value borrowed) noexcept { return value(detail::retain(borrowed)); }

    sgk_kind kind() const noexcept { return sgk_value_kind(raw_); }
    bool is_null() const noexcept { return raw_.kind == SGK_NULL; }

    /** Reports whether the value can be read as a `T`. */
    template <class T>
    bool is() const {
        return detail::codec<T>::matches(raw_);
    }
    /** Returns the value as a `T`. Throws sgk::error (SGK_ERROR_KIND) if it is not a `T`.
     *
     * A `std::string_view` of a string or bytes is valid as long as the value. */
    template <class T>
    T as() const {
        if (!is<T>()) detail::raise(SGK_ERROR_KIND, detail::mismatch(detail::codec<T>::name(), raw_));
        return detail::argument(detail::codec<T>::from(raw_));
    }
    /** Returns the value as a `T`, or `otherwise` if it is not a `T`. */
    template <class T>
    T as_or(T otherwise) const {
        if (!is<T>()) return otherwise;
        return detail::argument(detail::codec<T>::from(raw_));
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
            detail::raise(SGK_ERROR_ARGUMENT, "sgk::value: no element " + std::to_string(index) + " in " + text());
        return share(sgk_array_at(raw_, index));
    }

    /** Returns the data of a string or bytes for writing, with a new length: see sgk_value_make_writable. Throws for
     * other kinds. */
    char *make_writable(std::size_t length) {
        char *data = sgk_value_make_writable(&raw_, length);
        if (!data) detail::raise(sgk_last_status(), sgk_last_error());
        return data;
    }

    /** Returns readable text. */
    std::string text() const { return detail::describe(raw_); }
    std::size_t hash() const noexcept { return sgk_value_hash(raw_); }

    /** Returns the C value, borrowed. It is not marked by SGK_LENT: before a callback of C returns it, retain it; and
     * create another value from it with share. */
    sgk_value get() const noexcept { return raw_; }
    /** Transfers the C value to the caller. This is then null. */
    [[nodiscard]] sgk_value release() noexcept { return std::exchange(raw_, sgk_null()); }

    friend bool operator==(const value &a, const value &b) noexcept { return sgk_value_equal(a.raw_, b.raw_); }
    friend bool operator!=(const value &a, const value &b) noexcept { return !(a == b); }
    friend std::ostream &operator<<(std::ostream &stream, const value &v) { return stream << v.text(); }

private:
    sgk_value raw_;
};

/** The error of a signal, and the exception of the functions that wait for a signal. Any value can be an error.
 *
 * status() is SGK_ERROR_FAILED, and what() the text, a positive code, and the causes:
 * "fetch: no answer (503), caused by read: connection reset". */
class failure : public error {
public:
    explicit failure(sgk::value of) : error(SGK_ERROR_FAILED, of.text()), value_(std::move(of)) {}
    /** Creates an error with a code, a text and a cause, which is null or any other value: see sgk_error_from. */
    failure(int code, const std::string &text, const sgk::value &cause = {})
        : failure(sgk::value(sgk_error_from(code, text.c_str(), cause.get()))) {}
    failure(int code, const std::string &text, const failure &cause) : failure(code, text, cause.value()) {}

    /** Returns a sgk_status, which is negative, or a positive number of the program: see sgk_error_code. */
    int code() const noexcept { return sgk_error_code(value_.get()); }
    /** Returns the text without the code and the cause. A value that is no error is described. */
    std::string text() const {
        return value_.kind() == SGK_FAILURE ? std::string(sgk_error_text(value_.get())) : value_.text();
    }
    /** Returns the error that led to this one. */
    std::optional<failure> cause() const;
    const sgk::value &value() const noexcept { return value_; }
    /** Reports whether the error can be read as a `T`, and reads it, as value::is and value::as. */
    template <class T>
    bool is() const {
        return value_.is<T>();
    }
    template <class T>
    T as() const {
        return value_.as<T>();
    }

    friend std::ostream &operator<<(std::ostream &stream, const failure &f) { return stream << f.what(); }

private:
    sgk::value value_;
};

namespace detail {

// ---- Plain values ----

struct plain_codec {
    static constexpr bool is_plain = true;
};
template <class T>
struct is_plain<T, std::enable_if_t<codec<T>::is_plain>> : std::true_type {};

template <>
struct codec<value> {
    using rep = value;
    static constexpr const char *name() noexcept { return "a value"; }
    static bool matches(sgk_value) noexcept { return true; }
    static value from(sgk_value v) noexcept { return value::share(v); }
    static sgk_value to(value v) noexcept { return v.release(); }
};
template <>
struct codec<failure> {
    using rep = failure;
    static constexpr const char *name() noexcept { return "an error"; }
    static bool matches(sgk_value) noexcept { return true; }
    static failure from(sgk_value v) { return failure(value::share(v)); }
    static sgk_value to(const failure &f) noexcept { return sgk::value(f.value()).release(); }
};
template <>
struct codec<bool> : plain_codec {
    using rep = bool;
    static constexpr const char *name() noexcept { return "a bool"; }
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_BOOL; }
    static bool from(sgk_value v) noexcept { return v.bits != 0; }
    static sgk_value to(bool flag) noexcept { return sgk_bool(flag); }
};

/** Integers of all sizes, and enumerations. A number that does not fit is an error in both directions. */
template <class T>
struct codec<T, std::enable_if_t<std::is_integral_v<T> && !has_conversion<T>::value>> : plain_codec {
    using rep = T;
    static constexpr const char *name() noexcept { return "an int of this size"; }
    static bool matches(sgk_value v) noexcept {
        if constexpr (std::is_same_v<T, std::int64_t>) return v.kind == SGK_INT;
        else {
            const std::int64_t n = sgk_to_int(v);
            return v.kind == SGK_INT && static_cast<std::int64_t>(static_cast<T>(n)) == n &&
                (std::is_signed_v<T> || n >= 0);
        }
    }
    static T from(sgk_value v) noexcept { return static_cast<T>(v.bits); }
    static sgk_value to(T n) {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(std::int64_t))
            if (n > static_cast<T>(std::numeric_limits<std::int64_t>::max()))
                raise(SGK_ERROR_ARGUMENT, "sgk::value: the number is too large");
        if constexpr (std::is_same_v<T, std::int64_t>) return sgk_int(n);
        else return sgk_int(static_cast<std::int64_t>(n));
    }
};
template <class T>
struct codec<T, std::enable_if_t<std::is_enum_v<T> && !has_conversion<T>::value>> : plain_codec {
    using number = std::underlying_type_t<T>;
    using rep = T;
    static constexpr const char *name() noexcept { return codec<number>::name(); }
    static bool matches(sgk_value v) noexcept { return codec<number>::matches(v); }
    static T from(sgk_value v) noexcept { return static_cast<T>(codec<number>::from(v)); }
    static sgk_value to(T t) { return codec<number>::to(static_cast<number>(t)); }
};

/** Floating-point numbers. They read doubles, and ints as doubles. */
template <class T>
struct codec<T, std::enable_if_t<std::is_floating_point_v<T> && !has_conversion<T>::value>> : plain_codec {
    using rep = T;
    static constexpr const char *name() noexcept { return "a number"; }
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_DOUBLE || v.kind == SGK_INT; }
    static T from(sgk_value v) noexcept {
        if constexpr (std::is_same_v<T, double>) return sgk_to_double(v);
        else return static_cast<T>(sgk_to_double(v));
    }
    static sgk_value to(T number) noexcept {
        if constexpr (std::is_same_v<T, double>) return sgk_double(number);
        else return sgk_double(static_cast<double>(number));
    }
};
/** Durations, as seconds. */
template <class R, class P>
struct codec<std::chrono::duration<R, P>, void> : plain_codec {
    using rep = std::chrono::duration<R, P>;
    static constexpr const char *name() noexcept { return "a number of seconds"; }
    static bool matches(sgk_value v) noexcept { return codec<double>::matches(v); }
    static rep from(sgk_value v) noexcept { return std::chrono::duration_cast<rep>(duration(sgk_to_double(v))); }
    static sgk_value to(duration time) noexcept { return sgk_double(time.count()); }
};

// ---- Texts ----

template <>
struct codec<std::string_view> : plain_codec {
    using rep = std::string_view;
    static constexpr const char *name() noexcept { return "a text"; }
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_STRING || v.kind == SGK_BYTES; }
    static std::string_view from(sgk_value v) noexcept {
        std::size_t length = 0;
        const char *text = sgk_value_data(v, &length);
        return {text, length};
    }
    static sgk_value to(std::string_view text) noexcept { return sgk_string_n(text.data(), text.size()); }
};
template <>
struct codec<std::string> : codec<std::string_view> {
    using rep = std::string;
    /** Long texts are copied with spare capacity, because functions often append to them. */
    static std::string from(sgk_value v) {
        const std::string_view text = codec<std::string_view>::from(v);
        std::string own;
        if (text.size() > own.capacity()) own.reserve(text.size() + 32);
        own.assign(text);
        return own;
    }
};
template <>
struct codec<const char *> : codec<std::string_view> {
    using rep = const char *;
    static const char *from(sgk_value v) noexcept { return sgk_value_data(v, nullptr); }
    static sgk_value to(const char *text) noexcept { return sgk_string(text); }
};
template <>
struct codec<char *> : codec<const char *> {};

// ---- Pointers, null ----

/** Pointers. The library passes them on and never follows them. */
template <>
struct codec<void *> : plain_codec {
    using rep = void *;
    static constexpr const char *name() noexcept { return "a pointer"; }
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_POINTER; }
    static void *from(sgk_value v) noexcept { return sgk_to_pointer(v); }
    static sgk_value to(void *pointer) noexcept { return sgk_pointer(pointer); }
};
template <>
struct codec<std::nullptr_t> : plain_codec {
    using rep = std::nullptr_t;
    static constexpr const char *name() noexcept { return "null"; }
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_NULL; }
    static std::nullptr_t from(sgk_value) noexcept { return nullptr; }
    static sgk_value to(std::nullptr_t) noexcept { return sgk_null(); }
};
template <>
struct codec<std::nullopt_t> : plain_codec {
    static sgk_value to(std::nullopt_t) noexcept { return sgk_null(); }
};

// ---- Several elements ----

/** Reads an element of an array. */
template <class T>
T element_of(sgk_value v) {
    return argument(codec<T>::from(v));
}

/** Arrays. Every element must match. */
template <class T>
struct codec<std::vector<T>, void> {
    static constexpr bool is_plain = detail::is_plain<T>::value || std::is_same_v<T, value>;
    using rep = std::vector<T>;
    static constexpr const char *name() noexcept { return "an array of such elements"; }
    static bool matches(sgk_value v) {
        if (v.kind != SGK_ARRAY) return false;
        std::size_t count = 0;
        const sgk_value *items = sgk_array_items(v, &count);
        return std::all_of(items, items + count, [](sgk_value item) { return codec<T>::matches(item); });
    }
    static rep from(sgk_value v) {
        std::size_t count = 0;
        const sgk_value *items = sgk_array_items(v, &count);
        rep all;
        all.reserve(count);
        for (std::size_t i = 0; i < count; i++) all.push_back(element_of<T>(items[i]));
        return all;
    }
    static sgk_value to(const rep &all) {
        std::vector<value> owned;
        std::vector<sgk_value> raw;
        owned.reserve(all.size());
        for (const auto &each : all) owned.emplace_back(codec<T>::to(each));
        for (const value &v : owned) raw.push_back(v.get());
        return sgk_array(raw.data(), raw.size());
    }
};

/** Null, or a `T`. */
template <class T>
struct codec<std::optional<T>, void> {
    static constexpr bool is_plain = detail::is_plain<T>::value || std::is_same_v<T, value>;
    using rep = std::optional<T>;
    static constexpr const char *name() noexcept { return codec<T>::name(); }
    static bool matches(sgk_value v) { return v.kind == SGK_NULL || codec<T>::matches(v); }
    static rep from(sgk_value v) { return v.kind == SGK_NULL ? rep() : rep(element_of<T>(v)); }
    static sgk_value to(const rep &some) { return some ? codec<T>::to(*some) : sgk_null(); }
};

/** Arrays of as many elements, each of its type. */
template <class... T>
struct codec<std::tuple<T...>, void> {
    static constexpr bool is_plain = ((detail::is_plain<T>::value || std::is_same_v<T, value>)&&...);
    using rep = std::tuple<T...>;
    static constexpr const char *name() noexcept { return "an array of as many elements of these types"; }
    static bool matches(sgk_value v) {
        std::size_t count = 0;
        if (v.kind != SGK_ARRAY) return false;
        const sgk_value *items = sgk_array_items(v, &count);
        return count == sizeof...(T) && all(items, std::index_sequence_for<T...>{});
    }
    static rep from(sgk_value v) { return made(sgk_array_items(v, nullptr), std::index_sequence_for<T...>{}); }
    static sgk_value to(const rep &t) {
        return std::apply(
            [](const T &...each) {
                const std::array<value, sizeof...(T)> owned{value(codec<T>::to(each))...};
                std::array<sgk_value, sizeof...(T)> raw{};
                for (std::size_t i = 0; i < owned.size(); i++) raw[i] = owned[i].get();
                return sgk_array(raw.data(), raw.size());
            },
            t);
    }

private:
    template <std::size_t... I>
    static bool all(const sgk_value *items, std::index_sequence<I...>) {
        return (codec<T>::matches(items[I]) && ...);
    }
    template <std::size_t... I>
    static rep made(const sgk_value *items, std::index_sequence<I...>) {
        return rep(element_of<T>(items[I])...);
    }
};

// ---- Types of the program ----

template <class T>
struct codec<T, std::enable_if_t<has_conversion<T>::value>> : plain_codec {
    using rep = T;
    static const char *name() noexcept { return conversion<T>::name; }
    static bool matches(sgk_value v) { return conversion<T>::matches(v); }
    static T from(sgk_value v) { return conversion<T>::from(v); }
    static sgk_value to(const T &t) { return conversion<T>::to(t); }
};

template <class T, class = void>
struct has_equal : std::false_type {};
template <class T>
struct has_equal<T, std::void_t<decltype(static_cast<bool>(std::declval<const T &>() == std::declval<const T &>()))>>
    : std::true_type {};

/** Returns the name of a type, for messages. */
template <class T>
const char *type_name() noexcept {
#if defined(__GNUC__)
    static const std::string &name = *new std::string([](std::string_view all) {
        const std::size_t first = all.find("T = ") + 4, last = all.find_first_of(";]", first);
        return std::string(all.substr(first, last - first));
    }(__PRETTY_FUNCTION__)); // outlives all values
    return name.c_str();
#else
    return "of a program";
#endif
}

/** An object of the program in a value. */
template <class T>
struct SGK_CPP_SHARED box {
    T object;

    static const char *name() noexcept { return type_name<T>(); }
    static box &at(void *self) noexcept { return *static_cast<box *>(self); }
    static void release(void *self) noexcept { delete static_cast<box *>(self); }
    static bool equal(void *a, void *b) noexcept {
        if constexpr (has_equal<T>::value) return static_cast<bool>(at(a).object == at(b).object);
        else return a == b;
    }
    static std::uint64_t hash(void *self) noexcept {
        if constexpr (has_equal<T>::value && std::is_default_constructible_v<std::hash<T>>)
            return std::hash<T>()(at(self).object);
        else if constexpr (has_equal<T>::value) return 0; // equal objects have equal hashes
        else return std::hash<void *>()(self);
    }
};

template <class T, class Enable>
struct codec {
    static constexpr bool is_plain = false;
    using rep = lent<T>;
    static const char *name() noexcept {
        static const std::string &text = *new std::string(std::string("an object of the type ") + type_name<T>());
        return text.c_str();
    }
    static bool matches(sgk_value v) noexcept { return library::objects<box<T>>::matches(v); }
    static lent<T> from(sgk_value v) noexcept { return {&library::objects<box<T>>::at(v)->object}; }
    static sgk_value to(T t) {
        static_assert(std::is_class_v<T>, "sgk: this type cannot be carried: it is neither a value nor a class");
        return library::objects<box<T>>::make(new box<T>{std::move(t)});
    }
    static sgk_value to(lent<T> t) { return to(*t.object); }
};

/** Reports whether a `T` points into the value from which it was read. */
template <class T>
constexpr bool is_view = std::is_same_v<T, std::string_view> || std::is_same_v<T, const char *>;

} // namespace detail

inline std::optional<failure> failure::cause() const {
    auto found = sgk::value::share(sgk_error_cause(value_.get()));
    if (found.is_null()) return {};
    return failure(std::move(found));
}

SGK_CPP_END

/** Makes values usable as keys of unordered containers. */
template <>
struct std::hash<sgk::value> {
    std::size_t operator()(const sgk::value &v) const noexcept { return v.hash(); }
};

#endif
