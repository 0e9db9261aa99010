/** @file
 * Operators whose functions are called inline: neighbours become one stage.
 *
 * `source | map(f) | filter(g) | take(3)` is one stage of the library. Between the functions C++ objects are moved, and
 * no value is created. Any other operator, a conversion to `signal<T>`, and the 17th function end such a group. A
 * function takes the element type, a `const` reference to it, or a wider number type. The first function of a group of
 * texts may take a `std::string_view`, which avoids a copy. A function of a tuple may take its elements as parameters.
 *
 * An exception fails the subscription. Functions are shared by all subscriptions: keep state in `scan` or `stage`.
 */
#ifndef SIGNALKIT_CPP_FUSING_HPP
#define SIGNALKIT_CPP_FUSING_HPP

#include "signal.hpp"

SGK_CPP_BEGIN

namespace detail {

/** Stores an object, whose type need not be assignable. */
template <class T>
SGK_CPP_INLINE void store(std::optional<T> &place, T &&object) {
    if constexpr (std::is_move_assignable_v<T>) place = std::move(object);
    else place.emplace(std::move(object));
}

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
struct is_outcome : std::false_type {};
template <class T>
struct is_outcome<outcome<T>> : std::true_type {};
template <class T>
constexpr bool is_answer = std::is_same_v<bare<T>, bool> ||
    (std::is_class_v<bare<T>> && std::is_constructible_v<bool, T>);

template <class F, class T>
constexpr fault call_or(fault otherwise) {
    return called<F, T>::problem != fault::none ? called<F, T>::problem : otherwise;
}

/** The element type behind a function that returns R. */
template <class R, class = void>
struct result_of {
    using type = stored_t<R>;
};
template <>
struct result_of<void, void> {
    using type = broken;
};
template <class T>
struct result_of<outcome<T>, void> {
    using type = T;
};

template <class F>
struct map_stage : fusing {
    F f;
    static constexpr const char *name = "map";
    explicit map_stage(F of) : f(std::move(of)) {}

    using function = F;
    template <class T>
    struct in : shape {
        using result = typename called<F, T>::result;
        static constexpr bool resolves = is_outcome<bare<result>>::value;
        static constexpr fault problem = call_or<F, T>(std::is_void_v<result> ? fault::no_result : fault::none);
        static constexpr bool drops = resolves, ends = resolves, fails = resolves;
        using out = typename result_of<bare<result>>::type;
    };
    template <class T, class Rep>
    SGK_CPP_INLINE auto step(Rep &&rep, no_state &, [[maybe_unused]] control &c) {
        using out = typename in<T>::out;
        if constexpr (in<T>::resolves) return outcome<out>(call<T>(f, std::forward<Rep>(rep))).resolve(c);
        else if constexpr (std::is_same_v<out, bare<decltype(call<T>(f, std::forward<Rep>(rep)))>>)
            return out(call<T>(f, std::forward<Rep>(rep)));
        else return static_cast<out>(call<T>(f, std::forward<Rep>(rep)));
    }
    template <class T>
    static constexpr bool maps_elements = how<F, T> == calling::with_elements && !in<T>::resolves;
    static constexpr bool takes_result = true;
    template <class T, class Make>
    SGK_CPP_INLINE auto step_of(Make &&make, no_state &s, control &c) {
        using out = typename in<T>::out;
        if constexpr (how<F, T> != calling::directly) return step<T>(make(), s, c);
        else if constexpr (in<T>::resolves) return outcome<out>(f(make())).resolve(c);
        else return out(f(make()));
    }
};

template <class F>
struct compact_map_stage : fusing {
    F f;
    static constexpr const char *name = "compact_map";
    explicit compact_map_stage(F of) : f(std::move(of)) {}

    using function = F;
    template <class R>
    struct element {
        using type = broken;
    };
    template <class E>
    struct element<std::optional<E>> {
        using type = stored_t<E>;
    };
    template <class T>
    struct in : shape {
        using result = bare<typename called<F, T>::result>;
        static constexpr fault problem = call_or<F, T>(is_optional<result>::value ? fault::none : fault::no_optional);
        static constexpr bool drops = true;
        using out = typename element<result>::type;
    };
    template <class T, class Rep>
    SGK_CPP_INLINE std::optional<typename in<T>::out> step(Rep &&rep, no_state &, control &) {
        using out = typename in<T>::out;
        if constexpr (std::is_same_v<bare<decltype(call<T>(f, std::forward<Rep>(rep)))>, std::optional<out>>)
            return call<T>(f, std::forward<Rep>(rep));
        else { // the result may point into the argument
            T argument_of_f(argument(std::forward<Rep>(rep)));
            const auto found = call<T>(f, argument_of_f);
            return found ? std::optional<out>(out(*found)) : std::nullopt;
        }
    }
};

/** A function of an element that passes or is dropped. */
template <class F, bool answers>
struct asking : fusing {
    F f;
    explicit asking(F of) : f(std::move(of)) {}

    using function = F;
    template <class T>
    struct in_base : shape {
        using asked = called<F, const T &>;
        static constexpr fault problem =
            call_or<F, const T &>(answers && !is_answer<typename asked::result> ? fault::no_bool : fault::none);
        static constexpr bool keeps = true, drops = answers;
        using out = T;
    };
    template <class T>
    using in = in_base<T>;
    template <class T, class Rep>
    SGK_CPP_INLINE bool answer(const Rep &rep) {
        return static_cast<bool>(call<const T &>(f, rep));
    }
};

template <class F>
struct filter_stage : asking<F, true> {
    static constexpr const char *name = "filter";
    using asking<F, true>::asking;
    template <class T, class Rep>
    SGK_CPP_INLINE bool passes(const Rep &rep, no_state &, control &) {
        return this->template answer<T>(rep);
    }
};
template <class F>
struct before_next_stage : asking<F, false> {
    static constexpr const char *name = "before_next";
    using asking<F, false>::asking;
    template <class T, class Rep>
    SGK_CPP_INLINE bool passes(const Rep &rep, no_state &, control &) {
        static_cast<void>(call<const T &>(this->f, rep));
        return true;
    }
};
template <class F>
struct take_while_stage : asking<F, true> {
    static constexpr const char *name = "take_while";
    using asking<F, true>::asking;
    template <class T>
    struct in : asking<F, true>::template in_base<T> {
        static constexpr bool ends = true;
    };
    template <class T, class Rep>
    SGK_CPP_INLINE bool passes(const Rep &rep, no_state &, control &c) {
        const bool goes_on = this->template answer<T>(rep);
        if (!goes_on) c.ends = true;
        return goes_on;
    }
};
template <class F>
struct skip_while_stage : asking<F, true> {
    static constexpr const char *name = "skip_while";
    using asking<F, true>::asking;
    template <class T>
    struct in : asking<F, true>::template in_base<T> {
        struct state {
            bool passes = false;
        };
    };
    template <class T, class Rep, class State>
    SGK_CPP_INLINE bool passes(const Rep &rep, State &s, control &) {
        return s.passes || (s.passes = !this->template answer<T>(rep));
    }
};

/** The count of `take` and `skip`. */
struct counting : fusing {
    std::int64_t count;
    explicit counting(std::int64_t number) : count(number) {}
    using function = void;
    template <class T>
    struct in_base : shape {
        static constexpr bool keeps = true, drops = true;
        using out = T;
        struct state {
            std::int64_t seen = 0;
        };
    };
};
struct take_stage : counting {
    static constexpr const char *name = "take";
    using counting::counting;
    bool is_empty() const noexcept { return count == 0; }
    template <class T>
    struct in : in_base<T> {
        static constexpr bool ends = true;
    };
    template <class T, class Rep, class State>
    SGK_CPP_INLINE bool passes(const Rep &, State &s, control &c) const noexcept {
        const bool goes_on = s.seen < count;
        if (++s.seen >= count) c.ends = true;
        return goes_on;
    }
};
struct skip_stage : counting {
    static constexpr const char *name = "skip";
    using counting::counting;
    template <class T>
    using in = in_base<T>;
    template <class T, class Rep, class State>
    SGK_CPP_INLINE bool passes(const Rep &, State &s, control &) const noexcept {
        return s.seen >= count || (++s.seen, false);
    }
};

/** Compares by `==`. */
struct equal_elements {
    template <class T>
    auto operator()(const T &a, const T &b) const -> decltype(static_cast<bool>(a == b)) {
        return static_cast<bool>(a == b);
    }
};
template <class F>
struct distinct_stage : fusing {
    F equal;
    static constexpr const char *name = "distinct_until_changed";
    explicit distinct_stage(F of) : equal(std::move(of)) {}

    using function = F;
    template <class T>
    struct in : shape {
        static constexpr fault problem =
            std::is_invocable_r_v<bool, F &, const T &, const T &> ? fault::none : fault::no_equal;
        static constexpr bool keeps = true, drops = true;
        using out = T;
        struct state {
            std::optional<T> latest;
        };
    };
    template <class T, class Rep, class State>
    SGK_CPP_INLINE bool passes(const Rep &rep, State &s, control &) {
        if constexpr (std::is_same_v<F, equal_elements>) {
            if (s.latest && *s.latest == argument(rep)) return false;
            store(s.latest, T(argument(rep)));
        } else {
            T element(argument(rep));
            if (s.latest && equal(std::as_const(*s.latest), std::as_const(element))) return false;
            store(s.latest, std::move(element));
        }
        return true;
    }
};

struct pairwise_stage : fusing {
    static constexpr const char *name = "pairwise";
    using function = void;
    template <class T>
    struct in : shape {
        static constexpr bool drops = true;
        using out = std::tuple<T, T>;
        struct state {
            std::optional<T> latest;
        };
    };
    template <class T, class Rep, class State>
    SGK_CPP_INLINE std::optional<std::tuple<T, T>> step(Rep &&rep, State &s, control &) const {
        T element(argument(std::forward<Rep>(rep)));
        std::optional<std::tuple<T, T>> pair;
        if (s.latest) pair.emplace(std::move(*s.latest), element);
        store(s.latest, std::move(element));
        return pair;
    }
};
struct enumerated_stage : fusing {
    static constexpr const char *name = "enumerated";
    using function = void;
    template <class T>
    struct in : shape {
        using out = std::tuple<std::int64_t, T>;
        struct state {
            std::int64_t next = 0;
        };
    };
    template <class T, class Rep, class State>
    SGK_CPP_INLINE std::tuple<std::int64_t, T> step(Rep &&rep, State &s, control &) const {
        return {s.next++, T(argument(std::forward<Rep>(rep)))};
    }
};

/** The accumulated value of `scan` and `reduce`. It is copied at the first element of a subscription. */
template <class A, class F>
struct accumulating : fusing {
    A initial;
    F f;
    accumulating(A first, F of) : initial(std::move(first)), f(std::move(of)) {}

    using function = F;
    template <class T, class = void>
    struct accumulates : std::false_type {};
    template <class T>
    struct accumulates<T, std::enable_if_t<std::is_invocable_r_v<A, F &, A, T>>>
        : std::bool_constant<!is_lossy<A, bare<std::invoke_result_t<F &, A, T>>>()> {};
    template <class T>
    struct in_base : shape {
        static constexpr fault problem = accumulates<T>::value ? fault::none : fault::no_accumulator;
        using out = A;
        struct state {
            std::optional<A> accumulated;
        };
    };
    template <class T, class Rep, class State>
    SGK_CPP_INLINE A &accumulate(Rep &&rep, State &s) {
        if (!s.accumulated) s.accumulated.emplace(initial);
        A next = f(std::move(*s.accumulated), argument(std::forward<Rep>(rep)));
        store(s.accumulated, std::move(next));
        return *s.accumulated;
    }
};
template <class A, class F>
struct scan_stage : accumulating<A, F> {
    static constexpr const char *name = "scan";
    using accumulating<A, F>::accumulating;
    template <class T>
    using in = typename accumulating<A, F>::template in_base<T>;
    template <class T, class Rep, class State>
    SGK_CPP_INLINE A step(Rep &&rep, State &s, control &) {
        return this->template accumulate<T>(std::forward<Rep>(rep), s);
    }
};
template <class A, class F>
struct reduce_stage : accumulating<A, F> {
    static constexpr const char *name = "reduce";
    using accumulating<A, F>::accumulating;
    template <class T>
    struct in : accumulating<A, F>::template in_base<T> {
        static constexpr bool drops = true, flushes = true, silent = true;
    };
    template <class T, class Rep, class State>
    SGK_CPP_INLINE std::optional<A> step(Rep &&rep, State &s, control &) {
        static_cast<void>(this->template accumulate<T>(std::forward<Rep>(rep), s));
        return std::nullopt;
    }
    template <class T, class State>
    std::optional<A> flush(State &s, control &) {
        return s.accumulated ? std::move(s.accumulated) : std::optional<A>(this->initial);
    }
};

template <class F>
struct map_error_stage : fusing {
    F f;
    static constexpr const char *name = "map_error";
    explicit map_error_stage(F of) : f(std::move(of)) {}

    template <class G, class = void>
    struct result {
        using type = void;
    };
    template <class G>
    struct result<G, std::enable_if_t<takes_error<G>>> {
        using type = bare<decltype(call_error(std::declval<G &>(), sgk_value()))>;
    };
    using error_result = typename result<F>::type;

    using function = F;
    template <class T>
    struct in : shape {
        static constexpr bool resolves = is_outcome<error_result>::value;
        static constexpr fault problem = !takes_error<F> ? fault::error_parameter
            : std::is_void_v<error_result>               ? fault::no_error
                                                         : fault::none;
        static constexpr bool fails = true, takes_errors = true;
        using out = T;
    };
    template <class T, class Rep>
    SGK_CPP_INLINE T step(Rep &&rep, no_state &, control &) const {
        return T(argument(std::forward<Rep>(rep)));
    }
    template <class T, class State>
    std::optional<T> recover(sgk_value e, State &, control &c) {
        if constexpr (in<T>::resolves) {
            if (handles_error<F>(e)) return call_error(f, e).resolve(c);
            c.error = value::share(e);
        } else c.error = handles_error<F>(e) ? error_of(call_error(f, e)) : value::share(e);
        c.fails = true;
        return std::nullopt;
    }
};

/** The functions of `stage`. */
template <class I, class N, class E, class C>
struct general_stage : fusing {
    I initial;
    N f; // next
    E on_error;
    C on_completed;
    static constexpr const char *name = "stage";
    general_stage(I i, N n, E e, C c)
        : initial(std::move(i)), f(std::move(n)), on_error(std::move(e)), on_completed(std::move(c)) {}

    /** The state: `initial`, or the result of the function `initial`. */
    template <class Initial, class = void>
    struct state_of {
        using type = Initial;
    };
    template <class Initial>
    struct state_of<Initial, std::enable_if_t<std::is_invocable_v<Initial &>>> {
        using type = std::decay_t<std::invoke_result_t<Initial &>>;
    };
    using S = typename state_of<I>::type;

    using function = N;
    template <class T, class = void>
    struct result {
        using type = void;
        static constexpr bool callable = false;
    };
    template <class T>
    struct result<T, std::void_t<std::invoke_result_t<N &, S &, const T &>>> {
        using type = std::invoke_result_t<N &, S &, const T &>;
        static constexpr bool callable = true;
    };
    template <class T>
    struct in : shape {
        using next_result = bare<typename result<T>::type>;
        static constexpr bool watches = std::is_void_v<next_result>;
        static constexpr fault problem = result<T>::callable ? fault::none : fault::parameters;
        static constexpr bool drops = is_outcome<next_result>::value, ends = drops || given<E>, fails = true,
                              flushes = given<C>, takes_errors = given<E>;
        using out = std::conditional_t<watches, T, typename result_of<next_result>::type>;
        struct state {
            std::optional<S> content;
        };
    };
    template <class T, class Rep, class State>
    SGK_CPP_INLINE auto step(Rep &&rep, State &s, control &c) {
        using own = in<T>;
        using out = typename own::out;
        if constexpr (own::watches) {
            T element(argument(std::forward<Rep>(rep)));
            f(state_in(s), std::as_const(element));
            return element;
        } else if constexpr (own::drops)
            return outcome<out>(f(state_in(s), static_cast<const T &>(T(argument(std::forward<Rep>(rep)))))).resolve(c);
        else return static_cast<out>(f(state_in(s), static_cast<const T &>(T(argument(std::forward<Rep>(rep))))));
    }
    template <class T, class State>
    std::optional<typename in<T>::out> flush(State &s, control &c) {
        using out = typename in<T>::out;
        if constexpr (std::is_void_v<decltype(on_completed(state_in(s)))>)
            return on_completed(state_in(s)), std::nullopt;
        else if constexpr (is_optional<bare<decltype(on_completed(state_in(s)))>>::value)
            return on_completed(state_in(s));
        else return outcome<out>(on_completed(state_in(s))).resolve(c);
    }
    template <class T, class State>
    std::optional<typename in<T>::out> recover(sgk_value e, State &s, control &c) {
        using out = typename in<T>::out;
        const failure error(value::share(e));
        if constexpr (std::is_void_v<decltype(on_error(state_in(s), error))>) {
            on_error(state_in(s), error);
            c.fails = true;
            c.error = value::share(e);
            return std::nullopt;
        } else return outcome<out>(on_error(state_in(s), error)).resolve(c);
    }

private:
    template <class State>
    S &state_in(State &s) {
        if (!s.content) {
            if constexpr (std::is_invocable_v<I &>) s.content.emplace(initial());
            else s.content.emplace(initial);
        }
        return *s.content;
    }
};

} // namespace detail

/** Emits the result of `f(element)`. If the result is an sgk::outcome, `f` can also drop the element, or end the
 * subscription. */
template <class F>
[[nodiscard]] auto map(F f) {
    return detail::map_stage<F>(std::move(f));
}
/** Passes the elements for which `f(element)` is true. */
template <class F>
[[nodiscard]] auto filter(F f) {
    return detail::filter_stage<F>(std::move(f));
}
/** Emits the content of the std::optional that `f(element)` returns. If it is empty, the element is dropped. */
template <class F>
[[nodiscard]] auto compact_map(F f) {
    return detail::compact_map_stage<F>(std::move(f));
}
/** Calls `f(element)` before the element passes. */
template <class F>
[[nodiscard]] auto before_next(F f) {
    return detail::before_next_stage<F>(std::move(f));
}
/** Passes elements as long as `f(element)` is true, then completes. */
template <class F>
[[nodiscard]] auto take_while(F f) {
    return detail::take_while_stage<F>(std::move(f));
}
/** Drops elements as long as `f(element)` is true. */
template <class F>
[[nodiscard]] auto skip_while(F f) {
    return detail::skip_while_stage<F>(std::move(f));
}
/** Passes the first `count` elements, then completes. Throws if `count` is negative. */
[[nodiscard]] inline auto take(std::int64_t count) {
    if (count < 0) detail::raise(SGK_ERROR_ARGUMENT, "sgk::take: count: must be 0 or more");
    return detail::take_stage(count);
}
/** Drops the first `count` elements. Throws if `count` is negative. */
[[nodiscard]] inline auto skip(std::int64_t count) {
    if (count < 0) detail::raise(SGK_ERROR_ARGUMENT, "sgk::skip: count: must be 0 or more");
    return detail::skip_stage(count);
}
/** Drops elements that equal the previous element. */
[[nodiscard]] inline auto distinct_until_changed() {
    return detail::distinct_stage<detail::equal_elements>(detail::equal_elements());
}
/** Drops elements for which `equal(previous, element)` is true. `previous` is the latest element that has passed. */
template <class F>
[[nodiscard]] auto distinct_until_changed(F equal) {
    return detail::distinct_stage<F>(std::move(equal));
}
/** Emits each element except the first as a tuple, after the previous element. */
[[nodiscard]] inline auto pairwise() { return detail::pairwise_stage(); }
/** Emits each element as a tuple, after its number, which counts from 0. */
[[nodiscard]] inline auto enumerated() { return detail::enumerated_stage(); }
/** Emits each accumulated value, beginning with `f(initial, element)` for the first element. */
template <class A, class F>
[[nodiscard]] auto scan(A initial, F f) {
    return detail::scan_stage<detail::stored_t<A>, F>(detail::stored_t<A>(std::move(initial)), std::move(f));
}
/** Emits the accumulated value at the completion: `f(accumulated, element)` for each element. */
template <class A, class F>
[[nodiscard]] auto reduce(A initial, F f) {
    return detail::reduce_stage<detail::stored_t<A>, F>(detail::stored_t<A>(std::move(initial)), std::move(f));
}
/** Replaces the error by `f(error)`, which returns a failure or an object of any type. It begins a group.
 *
 * `f` takes a `const failure &`. If it takes another type, it receives the errors of that type only. */
template <class F>
[[nodiscard]] auto map_error(F f) {
    return detail::map_error_stage<F>(std::move(f));
}
/** Calls functions at the events, with a state for each subscription.
 *
 * `initial` is copied at the first event, or is a function that returns the state. `next(state, element)` returns an
 * element, an sgk::outcome, or nothing, to pass the element. `error(state, const failure &)` returns an outcome, or
 * nothing, to pass the error. `completed(state)` returns an outcome, a std::optional or nothing. */
template <class I, class N, class E = none, class C = none>
[[nodiscard]] auto stage(I initial, N next, E on_error = {}, C completed = {}) {
    return detail::general_stage<I, N, E, C>(
        std::move(initial), std::move(next), std::move(on_error), std::move(completed));
}

SGK_CPP_END

#endif
