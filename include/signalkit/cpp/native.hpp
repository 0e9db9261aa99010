/** @file
 * Native callbacks: functions without a context, whose calls are events of a signal. See callback.h.
 */
#ifndef SIGNALKIT_CPP_NATIVE_HPP
#define SIGNALKIT_CPP_NATIVE_HPP

#include "operators.hpp"

SGK_CPP_BEGIN

namespace detail {

/** The element type of the signal of a callback with these arguments. */
template <class... A>
struct arguments_of {
    using type = std::tuple<A...>;
};
template <class A>
struct arguments_of<A> {
    using type = A;
};
template <>
struct arguments_of<> {
    using type = value;
};

} // namespace detail

/** A function that is created at run time. `A…` are the C++ types of its arguments:
 * `callback<int, std::string>("(i32, cstr) -> void")`. See callback.h and typed.h.
 *
 * The function may be called as long as this object has an owner. */
template <class... A>
class callback : public handle<sgk_callback> {
public:
    /** The element type of the signal: the argument, a tuple of several arguments, or null. */
    using value_type = typename detail::arguments_of<A...>::type;
    using handle::handle;

    /** Creates a function that returns `result`. */
    explicit callback(const char *signature, const value &result = {})
        : callback(detail::made<callback>(
              library::make_callback(checked(signature), result.get(), nullptr, nullptr, nullptr))) {}
    /** Creates a function that returns the result of `handler(arguments…)`, and `result` after disposal.
     *
     * An exception of the handler terminates the program. */
    template <class F>
    callback(const char *signature, const value &result, F handler)
        : callback(detail::made<callback>(library::make_callback(
              checked(signature), result.get(),
              [](void *context, const sgk_value *arguments, std::size_t) noexcept {
                  return answer(*static_cast<F *>(context), arguments, std::index_sequence_for<A...>{});
              },
              new F(std::move(handler)), detail::destroy<F>))) {}

    /** Returns the function as a pointer of the type that matches the signature:
     * `function<int(const void *, const void *)>()`. */
    template <class Fn>
    Fn *function() const noexcept {
        return reinterpret_cast<Fn *>(sgk_callback_function(get()));
    }
    /** Returns a signal that emits the arguments of each call. */
    [[nodiscard]] sgk::signal<value_type> signal() const {
        return detail::made<sgk::signal<value_type>>(sgk_callback_signal(get()));
    }
    /** Returns a disposable that ends the callback. */
    [[nodiscard]] sgk::disposable disposable() const {
        return detail::made<sgk::disposable>(sgk_callback_disposable(get()));
    }

private:
    static const char *checked(const char *signature) {
        const std::size_t arity = library::arity(signature);
        if (arity == SIZE_MAX) check(sgk_last_status());
        if (arity != sizeof...(A))
            detail::raise(
                SGK_ERROR_ARGUMENT, "sgk::callback: the signature has another number of arguments than the type");
        return signature;
    }
    template <class F, std::size_t... I>
    static sgk_value answer(F &f, const sgk_value *arguments, std::index_sequence<I...>) {
        static_cast<void>(arguments);
        if (!(detail::codec<A>::matches(arguments[I]) && ...)) return sgk_null();
        using R = std::invoke_result_t<F &, A...>;
        if constexpr (std::is_void_v<R>) return f(detail::element_of<A>(arguments[I])...), sgk_null();
        else {
            using K = detail::stored_t<R>;
            return detail::codec<K>::to(static_cast<K>(f(detail::element_of<A>(arguments[I])...)));
        }
    }
};

SGK_CPP_END

#endif
