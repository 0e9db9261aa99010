/** @file
 * Readers: a thread requests the elements of a signal and waits for them. coroutine.hpp is for coroutines.
 */
#ifndef SIGNALKIT_CPP_READER_HPP
#define SIGNALKIT_CPP_READER_HPP

#include "operators.hpp"

#include <iterator>

SGK_CPP_BEGIN

template <class T>
class awaited_reading;

namespace detail {

/** Returns the status if it is a result of a read. Otherwise, and for the signal's error, it throws. */
inline sgk_status answer(sgk_status status, const value &found) {
    if (status == SGK_ERROR_FAILED) raise(failure(found));
    if (status != SGK_ERROR_COMPLETED && status != SGK_ERROR_TIMEOUT && status != SGK_ERROR_ENDED) check(status);
    return status;
}

/** Returns the value, or throws an error if there is no value. */
inline value needed(sgk_status status, value found) {
    if (answer(status, found) != SGK_OK) raise(status, sgk_status_text(status));
    return found;
}

} // namespace detail

/** Subscribes to a signal and buffers its elements until they are requested.
 *
 * Copies share the reader. It is closed when the last copy is destroyed.
 *
 *     for (int n : sgk::reader(source)) use(n);
 *
 * The loop ends when the signal completes or the reader is closed. An error of the signal is thrown as sgk::failure.
 * sgk_reader_next describes where a thread may wait, and the work that it runs during the wait. */
template <class T>
class reader : public handle<sgk_reader> {
public:
    using value_type = T;
    using handle::handle;

    /** Starts a subscription. By default a full buffer of 1024 elements blocks the emitting thread. */
    explicit reader(const signal<T> &source, const bound &of = {}) : reader(make(source, of)) {}

    /** Waits for the next element. Returns std::nullopt after the completion, or if the reader is closed.
     *
     * Throws the signal's error. */
    std::optional<T> next() const {
        std::optional<T> place;
        next(place, no_timeout);
        return place;
    }
    /** Waits at most `time` for the next element and stores it in `place`.
     *
     * Returns SGK_OK; or SGK_ERROR_COMPLETED, SGK_ERROR_TIMEOUT or SGK_ERROR_ENDED (the reader is closed), with an
     * empty `place`. Throws the signal's error. */
    sgk_status next(std::optional<T> &place, duration time) const {
        sgk_value raw = sgk_null();
        const sgk_status status = sgk_reader_next(get(), time.count(), &raw);
        const value found(raw);
        place.reset();
        if (detail::answer(status, found) == SGK_OK) place.emplace(found.template as<T>());
        return status;
    }
    /** Waits for the next element in a coroutine, without blocking a thread: `co_await numbers.async_next()`. */
    template <class U = T>
    awaited_reading<U> async_next() const {
        return awaited_reading<U>(*this);
    }
    /** Calls `ready()` once when an event can be read: immediately, or on the emitting thread. */
    template <class F>
    void when_ready(F ready) const {
        check(sgk_reader_when_ready(get(), detail::call_action<F>, new F(std::move(ready)), detail::destroy<F>));
    }
    /** Returns a descriptor that is readable while an element or the terminal event can be read. */
    int fd() const {
        const int descriptor = sgk_reader_fd(get());
        if (descriptor == SGK_ERROR_ENDED) detail::raise(SGK_ERROR_ENDED, "sgk::reader: is closed");
        check(descriptor < 0 ? static_cast<sgk_status>(descriptor) : SGK_OK);
        return descriptor;
    }
    /** Disposes the subscription and wakes waiting threads. */
    void close() const { check(sgk_reader_close(get())); }

    struct end_of_elements {};

    /** Reads one element per step, and waits for it only when it is dereferenced or compared.
     *
     * Therefore `| std::views::take(3)` does not wait for a fourth element. */
    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T *;
        using reference = const T &;

        explicit iterator(reader source) : source_(std::move(source)) {}
        /** Creates an iterator at the same element, which is read for the copy. */
        iterator(const iterator &other) : source_(other.source_), element_(other.here()), is_read_(true) {}
        iterator(iterator &&) = default;
        iterator &operator=(iterator other) noexcept {
            std::swap(source_, other.source_), std::swap(element_, other.element_), std::swap(is_read_, other.is_read_);
            return *this;
        }

        const T &operator*() const { return *here(); }
        const T *operator->() const { return &*here(); }
        iterator &operator++() {
            here(), is_read_ = false;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const iterator &it, end_of_elements) { return !it.here(); }
        friend bool operator!=(const iterator &it, end_of_elements) { return it.here().has_value(); }

    private:
        const std::optional<T> &here() const {
            if (!is_read_) element_ = source_.next(), is_read_ = true;
            return element_;
        }

        reader source_;
        mutable std::optional<T> element_;
        mutable bool is_read_ = false;
    };

    iterator begin() const { return iterator(*this); }
    end_of_elements end() const { return {}; }

private:
    static reader make(const signal<T> &source, const bound &of) {
        return detail::made<reader>(
            of.apply([&](auto b) { return sgk_reader_create(detail::sealed(source).get(), b); }));
    }
};

template <class S, class = std::enable_if_t<detail::is_flow<S>>>
reader(const S &, const bound & = {}) -> reader<detail::element_t<S>>;

/** Waits for the first element: `source | sgk::get(2s)`.
 *
 * Throws the signal's error as sgk::failure. Without an element it throws sgk::error: SGK_ERROR_COMPLETED or
 * SGK_ERROR_TIMEOUT. */
[[nodiscard]] inline auto get(duration time = no_timeout) {
    return detail::on_signal([time](const auto &source) {
        sgk_value raw = sgk_null();
        const sgk_status status = sgk_signal_get(source.get(), time.count(), &raw);
        return detail::needed(status, value(raw)).template as<detail::element_t<decltype(source)>>();
    });
}

/** Waits for the completion, or for `limit` elements: `source | sgk::collect(100, 2s)`.
 *
 * Returns the elements as a std::vector. It throws the same exceptions as get. */
[[nodiscard]] inline auto collect(std::int64_t limit, duration time = no_timeout) {
    return detail::on_signal([limit, time](const auto &source) {
        sgk_value raw = sgk_null();
        const sgk_status status = sgk_signal_collect(source.get(), limit, time.count(), &raw);
        return detail::needed(status, value(raw)).template as<std::vector<detail::element_t<decltype(source)>>>();
    });
}

SGK_CPP_END

#endif
