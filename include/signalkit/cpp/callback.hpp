/** @file
 * Calls of the program's functions: their parameters, their faults, and functions as contexts in C.
 */
#ifndef SIGNALKIT_CPP_CALLBACK_HPP
#define SIGNALKIT_CPP_CALLBACK_HPP

#include "guard.hpp"

#include <atomic>

SGK_CPP_BEGIN

/** Represents a missing callback. */
struct none {};

/** The base of signals, and of signals with functions that are not a stage yet. */
struct flow {};
/** The base of stages, which can follow a `|`. */
struct stage_base {};

namespace detail {

template <class T>
constexpr bool is_flow = std::is_base_of_v<flow, bare<T>>;
template <class T>
constexpr bool is_stage = std::is_base_of_v<stage_base, bare<T>>;
template <class T>
constexpr bool given = !std::is_same_v<T, none>;

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
template <class R, class... P>
struct parameters<R (*)(P...), void> {
    using type = types<P...>;
};
template <class R, class... P>
struct parameters<R (*)(P...) noexcept, void> : parameters<R (*)(P...)> {};
template <class R, class O, class... P>
struct parameters<R (O::*)(P...), void> : parameters<R (*)(P...)> {};
template <class R, class O, class... P>
struct parameters<R (O::*)(P...) const, void> : parameters<R (*)(P...)> {};
template <class R, class O, class... P>
struct parameters<R (O::*)(P...) noexcept, void> : parameters<R (*)(P...)> {};
template <class R, class O, class... P>
struct parameters<R (O::*)(P...) const noexcept, void> : parameters<R (*)(P...)> {};

/** The parameter of a function with one, or void. */
template <class P>
struct only_parameter {
    using type = void;
};
template <class P>
struct only_parameter<types<P>> {
    using type = P;
};
template <class F>
using parameter_t = bare<typename only_parameter<typename parameters<F>::type>::type>;

// ---- How a function is called with an element ----

template <class F, class T>
struct applies : std::false_type {};
template <class F, class... T>
struct applies<F, std::tuple<T...>> : std::is_invocable<F &, T...> {};

/** Reports whether a function of an untyped element reads another type. */
template <class F, class T>
constexpr bool reads = std::is_same_v<bare<T>, value> && !std::is_void_v<parameter_t<F>> &&
    !std::is_convertible_v<const value &, parameter_t<F>>;

/** Reports whether a number can change when a T becomes a P. An int64_t may become a double. */
template <class P, class T>
constexpr bool is_lossy() {
    if constexpr (!std::is_arithmetic_v<P> || !std::is_arithmetic_v<T> || std::is_same_v<P, T>) return false;
    else if constexpr (std::is_same_v<P, bool>) return true;
    else if constexpr (std::is_floating_point_v<P>) return std::is_floating_point_v<T> && sizeof(P) < sizeof(T);
    else if constexpr (std::is_floating_point_v<T>) return true;
    else
        return sizeof(P) < sizeof(T) || (sizeof(P) == sizeof(T) && std::is_signed_v<P> != std::is_signed_v<T>) ||
            (std::is_unsigned_v<P> && std::is_signed_v<T>);
}

enum class calling { impossible, directly, with_elements, reading, losing };

template <class F, class T>
constexpr calling how_called() {
    if constexpr (reads<F, T>) return calling::reading;
    else if constexpr (std::is_invocable_v<F &, T>)
        return is_lossy<parameter_t<F>, bare<T>>() ? calling::losing : calling::directly;
    else if constexpr (applies<F, bare<T>>::value) return calling::with_elements;
    else return calling::impossible;
}
template <class F, class T>
constexpr calling how = how_called<F, T>();

/** Reports whether a number becomes another type of number. */
template <class P, class A>
constexpr bool converts = std::is_arithmetic_v<P> &&std::is_arithmetic_v<A> && !std::is_same_v<P, A>;

/** Calls `f` with an element of the type T, which exists as a Rep. */
template <class T, class F, class Rep>
SGK_CPP_INLINE decltype(auto) call(F &f, Rep &&rep) {
    using A = decltype(argument(std::forward<Rep>(rep)));
    using P = parameter_t<F>;
    if constexpr (how<F, T> == calling::reading) {
        using wanted = std::conditional_t<std::is_void_v<P>, value, P>;
        return f(rep.template as<wanted>());
    } else if constexpr (how<F, T> == calling::with_elements) return std::apply(f, std::forward<Rep>(rep));
    else if constexpr (converts<P, bare<A>>) return f(static_cast<P>(argument(std::forward<Rep>(rep))));
    else if constexpr (std::is_invocable_v<F &, A>) return f(argument(std::forward<Rep>(rep)));
    else return f(bare<T>(argument(std::forward<Rep>(rep))));
}

template <class F, class T>
using result_t = decltype(call<T>(std::declval<F &>(), std::declval<T>()));

// ---- Faults of a function ----

enum class fault {
    none,
    parameters,
    smaller_number,
    no_result,
    no_bool,
    no_optional,
    no_accumulator,
    no_signal,
    no_stage,
    no_element,
    other_type,
    error_parameter,
    no_equal,
    no_error
};

/** Reports a fault. It is separate from the call, so that the compiler prints only the function and the type. */
template <class Function, class Element, fault found>
struct refused {
    static_assert(found != fault::parameters, "sgk: this function cannot be called with the elements of this signal");
    static_assert(found != fault::smaller_number,
        "sgk: the function or operand has a smaller number type than the signal: convert the number explicitly");
    static_assert(found != fault::no_result, "sgk: this function returns nothing (sgk::before_next watches elements)");
    static_assert(found != fault::no_bool, "sgk: this function does not return a bool");
    static_assert(found != fault::no_optional, "sgk::compact_map: this function does not return a std::optional");
    static_assert(found != fault::no_accumulator,
        "sgk: this function cannot be called with the accumulated value and an element, or returns another type");
    static_assert(found != fault::no_signal, "sgk: this function does not return a signal");
    static_assert(found != fault::no_stage, "sgk: this is neither an operator nor a function of this signal");
    static_assert(found != fault::no_element, "sgk: this value is not convertible to the elements of this signal");
    static_assert(found != fault::other_type, "sgk: this signal has another element type");
    static_assert(found != fault::error_parameter, "sgk: this function does not take a const sgk::failure &");
    static_assert(found != fault::no_equal, "sgk: the elements of this signal cannot be compared by this");
    static_assert(found != fault::no_error, "sgk: this function does not return an error");
    static constexpr bool reported = true;
};

/** Replaces a pipeline that the compiler has rejected. It accepts every further stage. */
struct broken : flow {
    using value_type = broken;
    template <class... A>
    broken start(A &&...) const {
        return {};
    }
    void dispose() const {}
    template <class H, class = typename H::c_type>
    operator H() const {
        return {};
    }
};

template <class F, class T>
constexpr fault fault_of_call = how<F, T> == calling::impossible ? fault::parameters
    : how<F, T> == calling::losing                               ? fault::smaller_number
                                                                 : fault::none;

/** The result of a function that can be called. */
template <class F, class T, fault found = fault_of_call<F, T>>
struct called {
    using result = void;
    static constexpr fault problem = found;
};
template <class F, class T>
struct called<F, T, fault::none> {
    using result = result_t<F, T>;
    static constexpr fault problem = fault::none;
};

// ---- Functions of an error ----

/** Reports whether the function takes errors of one type only. */
template <class F>
constexpr bool takes_one_error = !std::is_void_v<parameter_t<F>> && !std::is_invocable_v<F &, const failure &> &&
    !std::is_same_v<parameter_t<F>, value>;
template <class F>
constexpr bool takes_error =
    std::is_invocable_v<F &, const failure &> || std::is_invocable_v<F &, const value &> || takes_one_error<F>;

/** Calls a function, and stores a text that may point into the arguments. */
template <class F, class... A>
auto call_stored(F &f, A &&...arguments) {
    using R = std::invoke_result_t<F &, A...>;
    if constexpr (std::is_void_v<R>) f(std::forward<A>(arguments)...);
    else return stored_t<R>(f(std::forward<A>(arguments)...));
}
/** Calls a function with an error. The caller has asked handles_error. */
template <class F>
auto call_error(F &f, sgk_value e) {
    if constexpr (std::is_invocable_v<F &, const failure &>) return call_stored(f, failure(value::share(e)));
    else if constexpr (std::is_invocable_v<F &, const value &>) return call_stored(f, value::share(e));
    else return call_stored(f, argument(codec<parameter_t<F>>::from(e)));
}
/** Reports whether the function takes this error, as a catch clause does. */
template <class F>
bool handles_error(sgk_value e) {
    if constexpr (takes_one_error<F>) return codec<parameter_t<F>>::matches(e);
    else return true;
}

// ---- A function as a context in C ----

template <class T>
void destroy(void *context) noexcept {
    delete static_cast<T *>(context);
}

/** Calls the function of a context. An exception terminates the program. */
template <class F>
void call_action(void *context) noexcept {
    static_cast<void>((*static_cast<F *>(context))());
}

/** An object with several owners: an operator, signals, and the library, which has it as a context. */
template <class T>
class shared {
public:
    explicit shared(T object) : box_(new owned{std::move(object)}) {}
    shared(const shared &other) noexcept : box_(other.box_) { box_->owners.fetch_add(1, std::memory_order_relaxed); }
    shared(shared &&other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
    shared &operator=(const shared &) = delete;
    ~shared() { destroy(box_); }

    T &operator*() const noexcept { return box_->object; }

    /** Returns a new reference for the library, which passes it to `destroy`. */
    void *context() const noexcept { return shared(*this).release(); }
    void *release() noexcept { return std::exchange(box_, nullptr); }
    static T &at(void *context) noexcept { return static_cast<owned *>(context)->object; }
    static void destroy(void *context) noexcept {
        auto *box = static_cast<owned *>(context);
        if (box && box->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete box;
    }

private:
    struct owned {
        T object;
        std::atomic<std::size_t> owners{1};
        explicit owned(T o) : object(std::move(o)) {}
    };
    owned *box_;
};

} // namespace detail

SGK_CPP_END

#endif
