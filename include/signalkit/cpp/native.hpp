/** @file
 * Native callbacks: functions without a context, whose calls are events of a signal. See callback.h.
 */
#ifndef SIGNALKIT_CPP_NATIVE_HPP
#define SIGNALKIT_CPP_NATIVE_HPP

#include "operators.hpp"

namespace sgk {

/** A compiled signature: `signature("(ctx, i32, cstr) -> void")`; see typed.h. */
class signature : public handle<sgk_signature> {
public:
    using handle::handle;

    explicit signature(const char *text) : signature(detail::made<signature>(sgk_signature_create(text))) {}
    /** Returns the number of values that a function of this signature receives. */
    std::size_t arity() const noexcept { return sgk_signature_arity(get()); }
    bool uses_libffi() const noexcept { return sgk_signature_uses_libffi(get()); }
};

/** A function that is created at run time; see callback.h. It may be called as long as this object has an owner. */
class native_callback : public handle<sgk_callback> {
public:
    using handle::handle;

    /** Creates a function that returns `result`. */
    explicit native_callback(const signature &of, const value &result = {})
        : native_callback(
              detail::made<native_callback>(sgk_callback_create(of.get(), result.get(), nullptr, nullptr, nullptr))) {}
    /** Creates a function that returns the result of `handler`, and `result` after disposal.
     *
     * `handler` has a typed parameter for each argument. An exception of it terminates the program. */
    template <class F>
    native_callback(const signature &of, const value &result, F handler)
        : native_callback(answering(of, result, std::move(handler))) {}

    /** Returns the function as a pointer of the type that matches the signature:
     * `function<int(const void *, const void *)>()`. */
    template <class Fn>
    Fn *function() const noexcept {
        return reinterpret_cast<Fn *>(sgk_callback_function(get()));
    }
    /** Returns a signal that emits a value for each call. */
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_callback_signal(get())); }
    /** Returns a disposable that ends the callback. */
    sgk::disposable disposable() const { return detail::made<sgk::disposable>(sgk_callback_disposable(get())); }

private:
    template <class... P>
    static constexpr std::size_t number(detail::types<P...>) {
        return sizeof...(P);
    }

    template <class F>
    static native_callback answering(const signature &of, const value &result, F handler) {
        constexpr std::size_t arity = number(typename detail::parameters<F>::type{});
        if (of.arity() != arity)
            throw error(SGK_ERROR_ARGUMENT,
                "sgk::native_callback: handler: takes another number of arguments than the signature");
        return detail::made<native_callback>(sgk_callback_create(
            of.get(), result.get(),
            [](void *context, const sgk_value *values, std::size_t) noexcept {
                return detail::call_spread(*static_cast<F *>(context), values, std::make_index_sequence<arity>{});
            },
            new F(std::move(handler)), detail::destroy<F>));
    }
};

} // namespace sgk

#endif
