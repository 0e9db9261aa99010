/** @file
 * Readers: a thread requests the values of a signal and waits for them. coroutine.hpp is for coroutines.
 */
#ifndef SIGNALKIT_CPP_READER_HPP
#define SIGNALKIT_CPP_READER_HPP

#include "signal.hpp"

#include <iterator>
#include <limits>

namespace sgk {

template <class T>
class awaited_reading;

namespace detail {

constexpr double for_ever = std::numeric_limits<double>::infinity();

/** Returns the status if it is a result of a read. Otherwise, and for the signal's error, it throws. */
inline sgk_status answer(sgk_status status, const value &found) {
    if (status == SGK_ERROR_FAILED) throw failure(found);
    if (status != SGK_ERROR_COMPLETED && status != SGK_ERROR_TIMEOUT && status != SGK_ERROR_ENDED) check(status);
    return status;
}

/** Returns the value, or throws an error if there is no value. */
inline value needed(sgk_status status, value found) {
    if (answer(status, found) != SGK_OK) throw error(status, sgk_status_text(status));
    return found;
}

} // namespace detail

/** Subscribes to a signal and buffers its values until they are requested.
 *
 * Copies share the reader. It is closed when the last copy is destroyed.
 *
 *     for (int64_t n : sgk::reader<int64_t>(source)) use(n);
 *
 * The loop ends when the signal completes or the reader is closed. An error of the signal is thrown as sgk::failure.
 * sgk_reader_next describes where a thread may wait, and the work that it runs during the wait. */
template <class T = value>
class reader : public handle<sgk_reader> {
public:
    using handle::handle;

    /** Starts a subscription. See sgk_reader_create. */
    explicit reader(const signal &source, int64_t limit = 1024, sgk_overflow overflow = SGK_OVERFLOW_SUSPEND,
        const value &error = {}, const overflow_counter &counter = {})
        : reader(make(source, limit, overflow, error, counter)) {}

    /** Waits for the next value. Returns std::nullopt after the completion, or if the reader is closed.
     *
     * Throws the signal's error. */
    std::optional<T> next() const {
        std::optional<T> place;
        next(place, detail::for_ever);
        return place;
    }
    /** Waits at most `seconds` for the next value and stores it in `place`.
     *
     * Returns SGK_OK; or SGK_ERROR_COMPLETED, SGK_ERROR_TIMEOUT or SGK_ERROR_ENDED (the reader is closed), with an
     * empty `place`. Throws the signal's error. */
    sgk_status next(std::optional<T> &place, double seconds) const {
        sgk_value raw = sgk_null();
        const sgk_status status = sgk_reader_next(get(), seconds, &raw);
        const value found(raw);
        place.reset();
        if (detail::answer(status, found) == SGK_OK) place.emplace(detail::owned<T>(found));
        return status;
    }
#ifdef __cpp_impl_coroutine
    /** Waits for the next value in a coroutine, without blocking a thread: `co_await numbers.async_next()`. */
    awaited_reading<T> async_next() const;
#endif
    /** Calls `ready()` once, when a value or the terminal event can be read: immediately, or on the emitting thread. */
    template <class F>
    void when_ready(F ready) const {
        const auto call = detail::function<sgk_action_fn>::template own<F>;
        check(sgk_reader_when_ready(get(), call, new F(std::move(ready)), detail::destroy<F>));
    }
    /** Returns a descriptor that is readable while a value or the terminal event can be read. */
    int fd() const {
        const int descriptor = sgk_reader_fd(get());
        if (descriptor == SGK_ERROR_ENDED) throw error(SGK_ERROR_ENDED, "sgk::reader: is closed");
        check(descriptor < 0 ? static_cast<sgk_status>(descriptor) : SGK_OK);
        return descriptor;
    }
    /** Disposes the subscription and wakes waiting threads. */
    void close() const { check(sgk_reader_close(get())); }

    struct end_of_values {};

    /** Reads one value per step, and waits for it only when it is dereferenced or compared.
     *
     * Therefore `| std::views::take(3)` does not wait for a fourth value. */
    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T *;
        using reference = const T &;

        explicit iterator(reader source) : source_(std::move(source)) {}
        /** Creates an iterator at the same value, which is read for the copy. */
        iterator(const iterator &other) : source_(other.source_), value_(other.here()), is_read_(true) {}
        iterator(iterator &&) = default;
        iterator &operator=(iterator other) noexcept {
            std::swap(source_, other.source_), std::swap(value_, other.value_), std::swap(is_read_, other.is_read_);
            return *this;
        }

        const T &operator*() const { return *here(); }
        const T *operator->() const { return &*here(); }
        iterator &operator++() {
            here(), is_read_ = false;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const iterator &it, end_of_values) { return !it.here(); }
        friend bool operator!=(const iterator &it, end_of_values) { return it.here().has_value(); }

    private:
        const std::optional<T> &here() const {
            if (!is_read_) value_ = source_.next(), is_read_ = true;
            return value_;
        }

        reader source_;
        mutable std::optional<T> value_;
        mutable bool is_read_ = false;
    };

    iterator begin() const { return iterator(*this); }
    end_of_values end() const { return {}; }

private:
    static reader make(const signal &source, int64_t limit, sgk_overflow overflow, const value &error,
        const overflow_counter &counter) {
        detail::require(source);
        return detail::made<reader>(
            sgk_reader_create(source.get(), detail::owned_bound(limit, overflow, error, counter).get()));
    }
};

/** Waits for the first value: `source | sgk::get<int64_t>(2)`.
 *
 * Throws the signal's error as sgk::failure. Without a value it throws sgk::error: SGK_ERROR_COMPLETED or
 * SGK_ERROR_TIMEOUT. */
template <class T = value>
auto get(double seconds = detail::for_ever) {
    return [seconds](const signal &source) {
        sgk_value raw = sgk_null();
        const sgk_status status = sgk_signal_get(source.get(), seconds, &raw);
        return detail::owned<T>(detail::needed(status, value(raw)));
    };
}

/** Waits for the completion, or for `limit` values: `source | sgk::collect<int64_t>(100, 2)`.
 *
 * Returns the values as a std::vector. It throws the same exceptions as get. */
template <class T = value>
auto collect(int64_t limit, double seconds = detail::for_ever) {
    return [limit, seconds](const signal &source) {
        sgk_value raw = sgk_null();
        const sgk_status status = sgk_signal_collect(source.get(), limit, seconds, &raw);
        const value all = detail::needed(status, value(raw));
        std::vector<T> values;
        values.reserve(all.size());
        for (std::size_t i = 0; i < all.size(); i++) values.push_back(detail::owned<T>(all[i]));
        return values;
    };
}

} // namespace sgk

#endif
