/** @file
 * Conversion of a C++ callable to a function, a context and a destroy function. Users need only `sgk::emitter`.
 */
#ifndef SIGNALKIT_CPP_CALLBACK_HPP
#define SIGNALKIT_CPP_CALLBACK_HPP

#include "object.hpp"

#include <atomic>
#include <exception>

namespace sgk {

class signal;
class disposable;

/** The object through which a callback of reduce_emitting emits. It is valid during the call. */
class emitter {
public:
    explicit emitter(sgk_emitter *borrowed) noexcept : raw_(borrowed) {}
    void next(const value &v) const { check(sgk_emitter_next(raw_, v.get())); }

private:
    sgk_emitter *raw_;
};

namespace detail {

// ---- The parameters of a callable ----

template <class...>
struct types {};

/** The parameters of a callable with exactly one signature, or void for others, such as `[](auto v)`. */
template <class F, class = void>
struct parameters {
    using type = void;
};
template <class F>
struct parameters<F, std::void_t<decltype(&F::operator())>> : parameters<decltype(&F::operator())> {};

#define SGK_PARAMETERS(shape) \
    template <class R, class O, class... P> \
    struct parameters<R(shape)(P...)> { \
        using type = types<P...>; \
    }; \
    template <class R, class O, class... P> \
    struct parameters<R(shape)(P...) const> { \
        using type = types<P...>; \
    }; \
    template <class R, class O, class... P> \
    struct parameters<R(shape)(P...) noexcept> { \
        using type = types<P...>; \
    }; \
    template <class R, class O, class... P> \
    struct parameters<R(shape)(P...) const noexcept> { \
        using type = types<P...>; \
    };
SGK_PARAMETERS(O::*)
#undef SGK_PARAMETERS

template <class R, class... P>
struct parameters<R (*)(P...)> {
    using type = types<P...>;
};
template <class R, class... P>
struct parameters<R (*)(P...) noexcept> {
    using type = types<P...>;
};

/** A borrowed value that is known to match the type of the parameter. */
struct matching {
    sgk_value v;
};

/** The default C++ type of a C argument. */
template <class C>
struct natural {
    using type = C;
};
template <>
struct natural<sgk_value> {
    using type = value;
};
template <>
struct natural<matching> : natural<sgk_value> {};
template <>
struct natural<sgk_signal *> {
    using type = signal;
};
template <>
struct natural<sgk_disposable *> {
    using type = disposable;
};
template <>
struct natural<sgk_emitter *> {
    using type = emitter;
};
template <class C>
using natural_t = typename natural<C>::type;

template <class F, class... C>
using wanted = std::conditional_t<std::is_void_v<typename parameters<F>::type>, types<natural_t<C>...>,
    typename parameters<F>::type>;

// ---- Calling it ----

/** Converts a borrowed C argument to the type of the parameter. */
template <class P, class C>
std::decay_t<P> lift(C argument) {
    using T = std::decay_t<P>;
    if constexpr (std::is_same_v<T, C>) return argument;
    else if constexpr (std::is_same_v<C, sgk_value>) return read<T>(argument);
    else if constexpr (std::is_same_v<C, matching> && std::is_same_v<T, sgk_value>) return argument.v;
    else if constexpr (std::is_same_v<C, matching>) return conversion<T>::from(argument.v);
    else if constexpr (std::is_same_v<C, sgk_disposable *>) return T(sgk_disposable_retain(argument));
    else if constexpr (std::is_same_v<C, sgk_signal *>) return T(sgk_signal_retain(argument));
    else return T(argument);
}

/** Converts a result to a C result that the library owns. */
template <class R, class T>
R lower(T &&result) {
    using N = natural_t<R>;
    if constexpr (std::is_same_v<R, N> || std::is_same_v<R, std::decay_t<T>>) return static_cast<R>(result);
    else {
        static_assert(
            !std::is_same_v<N, signal> || std::is_constructible_v<N, T>, "the callback returns no sgk::signal");
        static_assert(!std::is_same_v<N, value> || std::is_constructible_v<N, T>,
            "the callback returns a type that has no sgk::conversion");
        return N(std::forward<T>(result)).release();
    }
}

/** Calls `f` with C arguments, and `use` with its result. The result may point into an argument, so `use` is called
 * while the arguments exist. */
template <class Use, class F, class... P, class... C>
auto invoke_as(Use use, F &f, types<P...>, C... arguments) {
    static_assert(sizeof...(P) == sizeof...(C), "the callback has another number of parameters than it is given");
    if constexpr (std::is_void_v<decltype(f(lift<P>(arguments)...))>) f(lift<P>(arguments)...);
    else return use(f(lift<P>(arguments)...));
}
template <class Use, class F, class... C>
auto invoke(Use use, F &f, C... arguments) {
    return invoke_as(use, f, wanted<F, C...>{}, arguments...);
}

/** Ignores a result. */
struct ignoring {
    template <class T>
    void operator()(T &&) const noexcept {}
};
template <class R>
struct lowering {
    template <class T>
    R operator()(T &&result) const {
        return lower<R>(std::forward<T>(result));
    }
};

/** Stores the content of a std::optional at `place`, and returns whether there is one. */
struct storing {
    sgk_value *place;
    template <class T>
    bool operator()(T &&found) const {
        if (found) *place = value(*std::forward<T>(found)).release();
        return static_cast<bool>(found);
    }
};

/** Calls `f` with C arguments, for a C result. */
template <class R, class F, class... C>
R call(F &f, C... arguments) {
    if constexpr (std::is_void_v<R>) invoke(ignoring{}, f, arguments...);
    else {
        static_assert(
            !std::is_void_v<decltype(invoke(lowering<R>{}, f, arguments...))>, "the callback returns nothing");
        return invoke(lowering<R>{}, f, arguments...);
    }
}

/** The parameters after the first. */
template <class P>
struct after_first {
    using type = void;
};
template <class First, class... P>
struct after_first<types<First, P...>> {
    using type = types<P...>;
};

/** Calls `f` with an object and with C arguments. */
template <class T, class F, class... C>
auto invoke_with(T &object, F &f, C... arguments) {
    using Rest = typename after_first<typename parameters<F>::type>::type;
    auto bound = [&](auto &&...more) { return f(object, std::forward<decltype(more)>(more)...); };
    return invoke_as(
        ignoring{}, bound, std::conditional_t<std::is_void_v<Rest>, types<natural_t<C>...>, Rest>{}, arguments...);
}

/** Reports whether each parameter accepts its C argument without a check. */
template <class W, class... C>
struct takes_as_is : std::bool_constant<std::is_same_v<W, types<C...>>> {};
template <class P, class... Ps, class C, class... Cs>
struct takes_as_is<types<P, Ps...>, C, Cs...>
    : std::bool_constant<(std::is_same_v<std::decay_t<P>, natural_t<C>> ||
          std::is_same_v<std::decay_t<P>, C>)&&takes_as_is<types<Ps...>, Cs...>::value> {};

template <class F, class W, class... C>
struct is_plain : std::false_type {};
template <class F, class... P, class... C>
struct is_plain<F, types<P...>, C...>
    : std::bool_constant<std::is_nothrow_invocable_v<F &, P...> && takes_as_is<types<P...>, C...>::value> {};

/** Returns the current exception as the error of a subscription. Call it only inside a `catch`. */
inline value caught() noexcept {
    try {
        throw;
    } catch (const value &v) { return v; } catch (const failure &f) {
        return f.cause();
    } catch (const std::exception &e) { return value(sgk_string(e.what())); } catch (...) {
        return value(sgk_string("an exception that is no std::exception"));
    }
}

template <class T>
void destroy(void *context) noexcept {
    delete static_cast<T *>(context);
}

/** A `T` with several owners: an operator, signals, and the library, which has it as a context. */
template <class T>
class shared {
public:
    explicit shared(T object) : box_(new box{std::move(object)}) {}
    shared(const shared &other) noexcept : box_(other.box_) { box_->owners.fetch_add(1, std::memory_order_relaxed); }
    shared(shared &&other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
    shared &operator=(const shared &) = delete;
    ~shared() { destroy(box_); }

    T &operator*() const noexcept { return box_->object; }

    /** Returns a new reference for the library, which passes it to `destroy`. */
    void *context() const noexcept { return shared(*this).release(); }
    void *release() noexcept { return std::exchange(box_, nullptr); }
    static T &at(void *context) noexcept { return static_cast<box *>(context)->object; }
    static void destroy(void *context) noexcept {
        auto owned = static_cast<box *>(context);
        if (owned &&
            (owned->owners.load(std::memory_order_acquire) == 1 ||
                owned->owners.fetch_sub(1, std::memory_order_acq_rel) == 1))
            delete owned;
    }

private:
    struct box {
        T object;
        std::atomic<std::size_t> owners{1};
    };
    box *box_;
};

/** The exception of a callback. It is emitted instead of a result, for the next stage. */
struct accident {
    value error;

    using conversion = sgk::conversion<std::shared_ptr<accident>>;

    static sgk_value of(value error) { return conversion::to(std::make_shared<accident>(accident{std::move(error)})); }
    static bool is(sgk_value v) { return v.kind == SGK_OBJECT && conversion::matches(v); }
    template <class T>
    static bool is(const T &) noexcept {
        return false;
    }

    /** The transformation in the next stage. It fails the subscription with the exception. */
    static sgk_value end_run(void *, sgk_value v) noexcept {
        return is(v) ? sgk_failed(value(conversion::from(v)->error).release()) : sgk_unchanged();
    }
};

/** The C functions that call a callable, to which `context` points. An exception terminates the program. */
template <class Fn>
struct function;
template <class R, class... A>
struct function<R (*)(void *, A...)> {
    /** Reports whether `F` can be called without a guard. */
    template <class F>
    static constexpr bool plain = is_plain<F, wanted<F, A...>, A...>::value;

    /** `context` is the callable itself. */
    template <class F>
    static R own(void *context, A... arguments) noexcept {
        return call<R>(*static_cast<F *>(context), arguments...);
    }
    /** `context` is one of several owners of the callable. */
    template <class F>
    static R shared(void *context, A... arguments) noexcept {
        return call<R>(detail::shared<F>::at(context), arguments...);
    }
    /** Like shared. If the callable throws, the result is `Caught(exception)`. */
    template <class F, R (*Caught)(value) noexcept>
    static R catching(void *context, A... arguments) noexcept {
        try {
            return call<R>(detail::shared<F>::at(context), arguments...);
        } catch (...) { return Caught(caught()); }
    }
    /** Like shared. If the callable throws, the exception is the result. */
    template <class F>
    static R emitting(void *context, A... arguments) noexcept {
        try {
            if ((accident::is(arguments) || ...)) return R(); // an accumulated exception: the subscription has failed
            return call<R>(detail::shared<F>::at(context), arguments...);
        } catch (...) { return accident::of(caught()); }
    }
    /** `context` is a `B` with the callable and the subscriber that fails if it throws. */
    template <class B>
    static R guarded(void *context, A... arguments) noexcept {
        auto &bound = *static_cast<B *>(context);
        try {
            return call<R>(*bound.f, arguments...);
        } catch (...) {
            bound.outlet.error(caught());
            return R(); // null, false or NULL: dropped, because the subscription has failed
        }
    }
};

} // namespace detail

} // namespace sgk

#endif
