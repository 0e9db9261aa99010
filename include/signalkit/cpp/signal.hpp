/** @file
 * Signals, their stages and their starts; subscribers, generators and pipes. See signal.h and pipe.h.
 */
#ifndef SIGNALKIT_CPP_SIGNAL_HPP
#define SIGNALKIT_CPP_SIGNAL_HPP

#include "queue.hpp"

SGK_CPP_BEGIN

template <class T>
class awaited_first;
template <class H>
class awaited_resumption;

namespace detail {

template <class Flow>
using element_t = typename bare<Flow>::value_type;

// ---- Fusing: neighbouring functions become one stage ----

/** The maximum number of functions in a group. It bounds the length of the types' names. */
constexpr std::size_t group_limit = 16;

/** The second result of a group: whether the subscription ends. */
struct control {
    bool ends = false;
    bool fails = false;
    value error;
};

struct no_state {};

/** A stage that reports the fault of its function: `in<T>::problem` for elements of the type T. */
struct checked_stage : stage_base {};

/** The properties of a stage behind elements of one type. A stage that fuses defines `in<T>`, which derives from this.
 * It has a `name`, and `passes<T>(rep, state, control)` or `step<T>(rep, state, control)`. */
struct shape {
    static constexpr fault problem = fault::none;
    static constexpr bool keeps = false;        ///< An element passes unchanged, or not at all.
    static constexpr bool drops = false;        ///< There may be no result.
    static constexpr bool ends = false;         ///< It may complete the subscription.
    static constexpr bool fails = false;        ///< It may fail the subscription without an exception.
    static constexpr bool flushes = false;      ///< `flush<T>(state, control)` may emit at the completion.
    static constexpr bool silent = false;       ///< It emits nothing before the completion.
    static constexpr bool takes_errors = false; ///< `recover<T>(error, state, control)` receives the error.
    using state = no_state;
};

struct fusing : checked_stage {
    /** Whether `step_of<T>(make, state, control)` exists, whose element is the result of `make()`. It has no state. */
    static constexpr bool takes_result = false;
    /** Whether the stage only has a name: a combining operator has called its function. */
    static constexpr bool is_done = false;
    /** Whether the stage is a function of the elements of a T, which is a tuple. */
    template <class T>
    static constexpr bool maps_elements = false;
    /** Reports whether the stage completes without an element. */
    bool is_empty() const noexcept { return false; }
};

template <class T, bool views>
struct entry_rep {
    using type = typename codec<T>::rep;
};
template <>
struct entry_rep<std::string, true> {
    using type = std::string_view;
};

/** The begin of a group: the form in which its first function receives the borrowed element. */
template <class T, bool views>
struct entry : shape {
    using out = T;
    using rep = typename entry_rep<T, views>::type;
    using first_rep = rep;
    static constexpr bool keeps = true, stateful = false, is_done = true;
    static constexpr std::size_t length = 0;

    SGK_CPP_INLINE rep run(rep &&element, no_state &, control &) { return std::move(element); }
    bool is_empty() const noexcept { return false; }
    template <class Names>
    static constexpr void names(Names &) {}
};

template <class Prev, class Own>
struct both_states {
    Prev prev;
    Own own;
};

/** A stage behind others. */
template <class Prev, class S>
struct link {
    Prev prev;
    S stage;

    using in = typename Prev::out;
    using own = typename S::template in<in>;
    using out = typename own::out;
    using own_state = typename own::state;
    static constexpr bool keeps = Prev::keeps && own::keeps, drops = Prev::drops || own::drops,
                          ends = Prev::ends || own::ends, fails = Prev::fails || own::fails,
                          flushes = Prev::flushes || own::flushes, silent = own::flushes ? own::silent : Prev::silent,
                          takes_errors = Prev::takes_errors || own::takes_errors,
                          stateful = Prev::stateful || !std::is_same_v<own_state, no_state>,
                          is_done = Prev::is_done && S::is_done;
    static constexpr std::size_t length = Prev::length + 1;
    using rep = std::conditional_t<own::keeps, typename Prev::rep, out>;
    using state = std::conditional_t<stateful, both_states<typename Prev::state, own_state>, no_state>;
    using result = std::conditional_t<drops, std::optional<rep>, rep>;
    using first_rep = typename Prev::first_rep;

    /** Whether the result of the stages before is the parameter of the function. That saves the move of an object. */
    static constexpr bool calls_prev =
        S::takes_result && !Prev::drops && std::is_class_v<in> && std::is_same_v<typename Prev::rep, in>;

    template <class In>
    SGK_CPP_INLINE result run(In &&element, state &s, control &c) {
        if constexpr (calls_prev) {
            no_state nothing;
            return stage.template step_of<in>(
                [&]() -> in {
                    if constexpr (stateful) return prev.run(std::forward<In>(element), s.prev, c);
                    else return prev.run(std::forward<In>(element), s, c);
                },
                nothing, c);
        } else if constexpr (stateful)
            return of<Prev::drops, result>(prev.run(std::forward<In>(element), s.prev, c), s.own, c);
        else return of<Prev::drops, result>(prev.run(std::forward<In>(element), s, c), s, c);
    }
    /** Returns the element at the completion. */
    std::optional<rep> flush(state &s, control &c) {
        if constexpr (own::flushes) return stage.template flush<in>(s.own, c);
        else if constexpr (stateful) return of<true, std::optional<rep>>(prev.flush(s.prev, c), s.own, c);
        else return of<true, std::optional<rep>>(prev.flush(s, c), s, c);
    }
    /** Returns the element that replaces the error. Only the first stage of a group receives the error. */
    std::optional<rep> recover(sgk_value e, state &s, control &c) {
        if constexpr (own::takes_errors && stateful) return stage.template recover<in>(e, s.own, c);
        else if constexpr (own::takes_errors) return stage.template recover<in>(e, s, c);
        else if constexpr (stateful) return of<true, std::optional<rep>>(prev.recover(e, s.prev, c), s.own, c);
        else return of<true, std::optional<rep>>(prev.recover(e, s, c), s, c);
    }
    bool is_empty() const noexcept { return prev.is_empty() || stage.is_empty(); }
    template <class Names>
    static constexpr void names(Names &all) {
        Prev::names(all);
        all[length - 1] = S::name;
    }

private:
    template <bool is_optional, class R, class V>
    SGK_CPP_INLINE R of(V &&v, own_state &state_of_stage, control &c) {
        if constexpr (!is_optional) return one<R>(std::forward<V>(v), state_of_stage, c);
        else {
            if (!v) return R();
            return one<R>(*std::forward<V>(v), state_of_stage, c);
        }
    }
    template <class R, class V>
    SGK_CPP_INLINE R one(V &&v, own_state &state_of_stage, control &c) {
        if constexpr (!own::keeps) return stage.template step<in>(std::forward<V>(v), state_of_stage, c);
        else if constexpr (!own::drops)
            return static_cast<void>(stage.template passes<in>(v, state_of_stage, c)), R(std::forward<V>(v));
        else {
            if (!stage.template passes<in>(v, state_of_stage, c)) return R();
            return R(std::forward<V>(v));
        }
    }
};

/** Passes each element. */
struct passing_stage : fusing {
    using function = void;
    template <class T>
    struct in : shape {
        static constexpr bool keeps = true;
        using out = T;
    };
    template <class T, class Rep>
    SGK_CPP_INLINE bool passes(const Rep &, no_state &, control &) const noexcept {
        return true;
    }
};
/** Represents the function of a combining operator in the description. */
struct done_stage : passing_stage {
    static constexpr const char *name = "map";
    static constexpr bool is_done = true;
};
/** Reports whether L is a combining operator, and S a function of its elements: `L::absorb` combines and calls it. */
template <class L, class S, class = void>
struct absorbs : std::false_type {};
template <class L, class S>
struct absorbs<L, S, std::void_t<typename L::combining, decltype(S::is_done)>>
    : std::bool_constant<S::template maps_elements<element_t<L>>> {};

/** Reports whether the first function of a group takes a std::string_view. */
template <class T, class S, class = void>
struct takes_view : std::false_type {};
template <class S>
struct takes_view<std::string, S, std::void_t<decltype(&S::f)>>
    : std::bool_constant<std::is_same_v<parameter_t<decltype(std::declval<S>().f)>, std::string_view>> {};

template <class Chain>
constexpr auto names_of() {
    std::array<const char *, Chain::length> all{};
    Chain::names(all);
    return all;
}
template <class Chain>
inline constexpr auto names = names_of<Chain>();

/** The functions of a group, as a stage of the library. */
template <class T, class Chain>
struct group {
    using out = typename Chain::out;
    using state = typename Chain::state;
    static constexpr bool has_state = Chain::stateful || Chain::flushes || Chain::takes_errors;

    Chain chain;
    explicit group(Chain c) : chain(std::move(c)) {}

    /** One subscription. */
    struct run {
        Chain &chain;
        state own{};
        explicit run(Chain &c) : chain(c) {}
    };

    static sgk_value next(Chain &chain, state &s, sgk_value v) noexcept {
        if constexpr (Chain::is_done) return sgk_unchanged();
        return guarded(
            [&] {
                if (!codec<T>::matches(v)) return failed_step(mismatch_error(names<Chain>[0], codec<T>::name(), v));
                control c;
                auto result = chain.run(lend(v), s, c);
                sgk_value made;
                if constexpr (Chain::drops) {
                    if (!result) made = sgk_dropped();
                    else if constexpr (Chain::keeps) made = sgk_unchanged();
                    else made = codec<out>::to(*std::move(result));
                } else if constexpr (Chain::keeps) made = sgk_unchanged();
                else made = codec<out>::to(std::move(result));
                if constexpr (Chain::fails)
                    if (c.fails) return failed_step(std::move(c.error));
                if constexpr (Chain::ends)
                    if (c.ends) return ending(chain, s, c, made, v);
                return made;
            },
            failed_step);
    }
    /** Returns the last result: the element, or what a later stage of the group emits at the completion. */
    static sgk_value ending(Chain &chain, state &s, control &c, sgk_value made, sgk_value v) {
        if (made.reserved == SGK_OUTCOME_UNCHANGED) return sgk_last(sgk_value_retain(v));
        if (made.reserved != SGK_OUTCOME_DROPPED) return sgk_last(made);
        // an element does not pass a silent stage, so a stage before that one has ended
        if constexpr (Chain::silent) return at_end(chain.flush(s, c), c);
        else return static_cast<void>(chain), static_cast<void>(s), static_cast<void>(c), sgk_completed();
    }
    template <class Result>
    static sgk_value at_end(Result &&result, control &c) {
        if (c.fails) return failed_step(std::move(c.error));
        return result ? sgk_last(owned(*std::forward<Result>(result))) : sgk_completed();
    }

    static sgk_signal *applied(sgk_signal *source, Chain chain) {
        sgk_stage stage = SGK_STAGE_INIT;
        auto made_of = std::make_unique<group>(std::move(chain));
        stage.destroy = destroy<group>;
        stage.names = names<Chain>.data();
        stage.name_count = names<Chain>.size();
        if constexpr (!has_state)
            stage.next = [](void *context, sgk_value v) noexcept {
                no_state nothing;
                return next(static_cast<group *>(context)->chain, nothing, v);
            };
        else {
            stage.begin = [](void *context) noexcept -> void * {
                return new run(static_cast<group *>(context)->chain);
            };
            stage.end = destroy<run>;
            stage.next = [](void *self, sgk_value v) noexcept {
                return next(static_cast<run *>(self)->chain, static_cast<run *>(self)->own, v);
            };
        }
        if constexpr (Chain::flushes)
            stage.completed = [](void *self) noexcept {
                auto &of = *static_cast<run *>(self);
                return guarded(
                    [&] {
                        control c;
                        return at_end(of.chain.flush(of.own, c), c);
                    },
                    failed_step);
            };
        if constexpr (Chain::takes_errors)
            stage.error = [](void *self, sgk_value e) noexcept {
                auto &of = *static_cast<run *>(self);
                return guarded(
                    [&] {
                        control c;
                        return at_end(of.chain.recover(e, of.own, c), c);
                    },
                    failed_step);
            };
        stage.context = made_of.release();
        return sgk_signal_stage(source, &stage);
    }

private:
    SGK_CPP_INLINE static typename Chain::first_rep lend(sgk_value v) {
        if constexpr (std::is_same_v<typename Chain::first_rep, std::string_view>)
            return codec<std::string_view>::from(v);
        else return codec<T>::from(v);
    }
    template <class V>
    static sgk_value owned(V &&v) {
        return codec<out>::to(out(argument(std::forward<V>(v))));
    }
};

// ---- Starting ----

template <class F, class T, bool has = given<F>>
constexpr bool views = false;
template <class F>
constexpr bool views<F, std::string, true> = std::is_same_v<parameter_t<F>, std::string_view>;

/** The callbacks of a start. */
template <class T, class N, class E, class C, class S>
struct observer {
    N next;
    E error;
    C completed;
    S started;

    static observer &at(void *self) noexcept { return *static_cast<observer *>(self); }
    static sgk_value receive(void *self, sgk_value v) noexcept {
        return guarded(
            [&] {
                if (!codec<T>::matches(v)) return failed_step(mismatch_error("start", codec<T>::name(), v));
                if constexpr (views<N, T>) static_cast<void>(call<T>(at(self).next, codec<std::string_view>::from(v)));
                else static_cast<void>(call<T>(at(self).next, codec<T>::from(v)));
                return sgk_unchanged();
            },
            failed_step);
    }
    static sgk_handlers handlers() {
        sgk_handlers made = SGK_HANDLERS_INIT;
        if constexpr (given<N>) made.receive = receive;
        if constexpr (given<E>) made.error = [](void *self, sgk_value e) noexcept { call_error(at(self).error, e); };
        if constexpr (given<C>) made.completed = [](void *self) noexcept { at(self).completed(); };
        if constexpr (given<S>)
            made.started = [](void *self, sgk_disposable *started) noexcept {
                at(self).started(disposable(sgk_disposable_retain(started)));
            };
        made.destroy = destroy<observer>;
        return made;
    }
    static constexpr fault problem() {
        if constexpr (given<N>)
            if constexpr (fault_of_call<N, T> != fault::none) return fault_of_call<N, T>;
        if constexpr (given<E>)
            if constexpr (!takes_error<E> || takes_one_error<E>) return fault::error_parameter;
        return fault::none;
    }
};

/** Starts a signal. `wanted` is a function of the library. */
template <class T, class Start, class N, class E, class C, class S>
auto start_with_callbacks(sgk_signal *source, Start wanted, N next, E on_error, C completed, S started) {
    using O = observer<T, N, E, C, S>;
    if constexpr (O::problem() == fault::error_parameter)
        return static_cast<void>(refused<E, T, O::problem()>::reported), broken();
    else if constexpr (O::problem() != fault::none)
        return static_cast<void>(refused<N, T, O::problem()>::reported), broken();
    else {
        if (!source) raise(SGK_ERROR_NULL, "sgk::signal: is empty");
        sgk_handlers handlers = O::handlers();
        handlers.context = new O{std::move(next), std::move(on_error), std::move(completed), std::move(started)};
        return made<disposable>(wanted(source, &handlers));
    }
}

} // namespace detail

/** A description of a stream of elements of the type T. Each start creates an independent subscription.
 *
 * It is one pointer, and a copy is the same signal. An untyped signal, `any_signal`, has the element type sgk::value. A
 * typed signal converts to it, and `as<U>()` converts back. */
template <class T>
class [[nodiscard]] signal : public flow, public handle<sgk_signal> {
public:
    using value_type = T;
    using handle::handle;

    /** Returns an untyped signal. */
    template <class U, class = std::enable_if_t<std::is_same_v<T, value> && !std::is_same_v<U, value>>>
    signal(const signal<U> &typed) noexcept : handle(sgk_signal_retain(typed.get())) {}

    /** Returns the same signal with elements of the type U. It fails at an element of another type. */
    template <class U>
    signal<U> as() const;

    /** Starts a subscription with the callbacks `next(element)`, `error(const failure &)`, `completed()` and
     * `started(disposable)`.
     *
     * Each may be missing, or sgk::none. `started` is called before the source. Destroying the returned disposable does
     * not stop the subscription. */
    template <class N = none, class E = none, class C = none, class S = none>
    [[nodiscard]] auto start(N next = {}, E on_error = {}, C completed = {}, S started = {}) const {
        return detail::start_with_callbacks<T>(this->get(), sgk_signal_start, std::move(next), std::move(on_error),
            std::move(completed), std::move(started));
    }
    /** Starts a subscription that disposable::dispose_and_wait accepts. */
    template <class N = none, class E = none, class C = none, class S = none>
    [[nodiscard]] auto start_waitable(N next = {}, E on_error = {}, C completed = {}, S started = {}) const {
        return detail::start_with_callbacks<T>(this->get(), sgk_signal_start_waitable, std::move(next),
            std::move(on_error), std::move(completed), std::move(started));
    }

    /** Describes the signal: as text with one line per stage, for Graphviz, or as JSON. See debug.h. */
    std::string describe(sgk_debug_format format = SGK_DEBUG_TEXT) const {
        return value(sgk_signal_describe(this->get(), format)).template as<std::string>();
    }
    friend std::ostream &operator<<(std::ostream &stream, const signal &source) { return stream << source.describe(); }

    /** Waits for the first element in a coroutine: `co_await source.first()`.
     *
     * It throws the same exceptions as sgk::get; see coroutine.hpp. */
    template <class U = T>
    awaited_first<U> first() const {
        return awaited_first<U>(*this);
    }
};

/** A signal with functions that are not a stage yet: the result of `source | map(f)`. It becomes a signal<T> wherever
 * one is needed. Store pipelines as signal<T>: each conversion of the same object makes another stage. */
template <class T, class Chain>
class [[nodiscard]] fused : public flow {
public:
    using value_type = typename Chain::out;

    fused(signal<T> source, Chain chain) : source_(std::move(source)), chain_(std::move(chain)) {}

    /** Makes the stage. */
    signal<value_type> seal() && {
        sgk_signal *source = source_.get();
        signal<T> nothing;
        if (chain_.is_empty()) {
            nothing = detail::made<signal<T>>(sgk_signal_take(source, 0));
            source = nothing.get();
        }
        return detail::made<signal<value_type>>(detail::group<T, Chain>::applied(source, std::move(chain_)));
    }
    template <class Copy = Chain> // (a template, so that a chain that can only be moved does without it)
    signal<value_type> seal() const & {
        return fused<T, Copy>(*this).seal();
    }
    operator signal<value_type>() const & { return seal(); }
    operator signal<value_type>() && { return std::move(*this).seal(); }
    template <class U, class = std::enable_if_t<std::is_same_v<U, value> && !std::is_same_v<value_type, value>>>
    operator signal<U>() const & {
        return seal();
    }
    template <class U, class = std::enable_if_t<std::is_same_v<U, value> && !std::is_same_v<value_type, value>>>
    operator signal<U>() && {
        return std::move(*this).seal();
    }

    /** See signal::start and the other functions of sgk::signal. */
    template <class N = none, class E = none, class C = none, class S = none>
    [[nodiscard]] auto start(N next = {}, E on_error = {}, C completed = {}, S started = {}) const & {
        return seal().start(std::move(next), std::move(on_error), std::move(completed), std::move(started));
    }
    template <class N = none, class E = none, class C = none, class S = none>
    [[nodiscard]] auto start(N next = {}, E on_error = {}, C completed = {}, S started = {}) && {
        return std::move(*this).seal().start(
            std::move(next), std::move(on_error), std::move(completed), std::move(started));
    }
    template <class U>
    signal<U> as() const {
        return seal().template as<U>();
    }
    std::string describe(sgk_debug_format format = SGK_DEBUG_TEXT) const { return seal().describe(format); }
    template <class U = value_type>
    awaited_first<U> first() const {
        return awaited_first<U>(seal());
    }

    signal<T> &source() noexcept { return source_; }
    Chain &chain() noexcept { return chain_; }

private:
    signal<T> source_;
    Chain chain_;
};

// ---- Stages ----

/** Stages one behind another, without a signal yet: the result of `filter(f) | map(g)`. */
template <class A, class B>
struct [[nodiscard]] composed : stage_base {
    A first;
    B second;
    composed(A a, B b) : first(std::move(a)), second(std::move(b)) {}
};

namespace detail {

template <class T>
const signal<T> &sealed(const signal<T> &s) {
    if (!s) raise(SGK_ERROR_NULL, "sgk::signal: is empty");
    return s;
}
template <class T, class Chain>
signal<typename Chain::out> sealed(fused<T, Chain> f) {
    return std::move(f).seal();
}

template <class T, class Chain, class S>
auto append(fused<T, Chain> f, S stage) {
    using U = typename Chain::out;
    using own = typename S::template in<U>;
    constexpr bool separates = Chain::length >= group_limit || (own::takes_errors && Chain::length > 0) ||
        (own::flushes && (Chain::flushes || Chain::takes_errors || (Chain::ends && !own::silent)));
    if constexpr (separates)
        return append(fused<U, entry<U, takes_view<U, S>::value>>(std::move(f).seal(), {}), std::move(stage));
    else {
        using L = link<Chain, S>;
        return fused<T, L>(std::move(f.source()), L{std::move(f.chain()), std::move(stage)});
    }
}
template <class T, class S>
auto append(const signal<T> &source, S stage) {
    return append(fused<T, entry<T, takes_view<T, S>::value>>(sealed(source), {}), std::move(stage));
}

template <class T>
struct is_composed : std::false_type {};
template <class A, class B>
struct is_composed<composed<A, B>> : std::true_type {};

/** Returns the fault of a stage behind elements of the type T. */
template <class T, class S>
constexpr fault fault_of_stage() {
    if constexpr (std::is_base_of_v<checked_stage, S>) return S::template in<T>::problem;
    else if constexpr (is_stage<S>) return fault::none;
    else if constexpr (std::is_invocable_v<S &, const signal<T> &>) return fault::none;
    else return fault::no_stage;
}
template <class S, class = void>
struct function_of {
    using type = S;
};
template <class S>
struct function_of<S, std::enable_if_t<std::is_base_of_v<checked_stage, S>>> {
    using type = typename S::function;
};

template <class L, class R>
auto join(L &&left, R &&right) {
    using S = bare<R>;
    if constexpr (std::is_same_v<bare<L>, broken>) return broken();
    else if constexpr (is_composed<S>::value)
        return join(join(std::forward<L>(left), std::forward<R>(right).first), std::forward<R>(right).second);
    else {
        using T = element_t<L>;
        constexpr fault problem = fault_of_stage<T, S>();
        if constexpr (problem != fault::none) {
            static_cast<void>(refused<typename function_of<S>::type, T, problem>::reported);
            return broken();
        } else if constexpr (absorbs<bare<L>, S>::value) return left.absorb(S(std::forward<R>(right)));
        else if constexpr (std::is_base_of_v<fusing, S>)
            return append(std::forward<L>(left), S(std::forward<R>(right)));
        else return std::forward<R>(right)(sealed(std::forward<L>(left)));
    }
}

/** A stage of the library: `f(signal<T>)` for each T. */
template <class F>
struct library_stage : stage_base {
    F f;
    explicit library_stage(F function) : f(std::move(function)) {}
    template <class T>
    auto operator()(const signal<T> &source) const {
        return f(source);
    }
};
template <class F>
auto on_signal(F f) {
    return library_stage<F>(std::move(f));
}

/** `f(sgk_signal *)`: a stage that does not change the element type. */
template <class F>
auto same_type(F f) {
    return on_signal([f = std::move(f)](const auto &source) { return made<bare<decltype(source)>>(f(source.get())); });
}

/** The base of stages without state that pass an element or drop it. */
struct passing {
    static constexpr bool keeps = true, drops = true;
};

/** Passes each element. The begin of the group checks the types. */
struct as_stage : passing_stage {
    static constexpr const char *name = "as";
};

} // namespace detail

template <class T>
template <class U>
signal<U> signal<T>::as() const {
    if constexpr (std::is_same_v<T, U> || std::is_same_v<U, value>) return signal<U>(sgk_signal_retain(this->get()));
    else return detail::append(signal<U>(sgk_signal_retain(this->get())), detail::as_stage()).seal();
}

/** Applies a stage, or composes two stages. A function of a signal is a stage, too. */
template <class L, class R, std::enable_if_t<detail::is_flow<L>, int> = 0>
[[nodiscard]] auto operator|(L &&left, R &&right) {
    return detail::join(std::forward<L>(left), std::forward<R>(right));
}
template <class L, class R, std::enable_if_t<detail::is_stage<L>, int> = 0>
[[nodiscard]] auto operator|(L &&left, R &&right) {
    return composed<detail::bare<L>, detail::bare<R>>(std::forward<L>(left), std::forward<R>(right));
}
/** Composes stages: `compose(a, b, c)` is `a | b | c`. */
template <class A, class... S>
[[nodiscard]] auto compose(A first, S... more) {
    if constexpr (sizeof...(S) == 0) return first;
    else return std::move(first) | compose(std::move(more)...);
}

namespace detail {

template <class N, class E, class C, class S>
struct start_stage : checked_stage {
    N next;
    E on_error;
    C completed;
    S started;

    using function = std::conditional_t<given<N>, N, E>;
    template <class T>
    struct in {
        static constexpr fault problem = observer<T, N, E, C, S>::problem();
    };
    start_stage(N n, E e, C c, S s)
        : next(std::move(n)), on_error(std::move(e)), completed(std::move(c)), started(std::move(s)) {}

    template <class T>
    auto operator()(const signal<T> &source) const & {
        return source.start(next, on_error, completed, started);
    }
    template <class T>
    auto operator()(const signal<T> &source) && {
        return source.start(std::move(next), std::move(on_error), std::move(completed), std::move(started));
    }
};

} // namespace detail

/** Starts a subscription: `source | sgk::start(next, error, completed)`. See signal::start. */
template <class N = none, class E = none, class C = none, class S = none>
[[nodiscard]] auto start(N next = {}, E on_error = {}, C completed = {}, S started = {}) {
    return detail::start_stage<N, E, C, S>(
        std::move(next), std::move(on_error), std::move(completed), std::move(started));
}

// ---- Signals as elements ----

namespace detail {

template <class T>
struct codec<signal<T>, void> : plain_codec {
    using rep = signal<T>;
    static constexpr const char *name() noexcept { return "a signal"; }
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_SIGNAL; }
    static rep from(sgk_value v) { return made<rep>(sgk_to_signal(v)); }
    static sgk_value to(const rep &s) noexcept { return sgk_signal_value(s.get()); }
};
/** The type as which a pipeline is stored. */
template <class T, class Chain>
struct stored<fused<T, Chain>> {
    using type = signal<typename Chain::out>;
};

} // namespace detail

// ---- Results of functions that may drop, end or fail ----

namespace detail {

enum class outcome_kind { element, dropped, last, completed, failed };
struct dropped_result {};
struct completed_result {};
struct failed_result {
    value error;
};
template <class T>
struct last_result {
    T element;
};
template <class T>
constexpr bool is_fused = false;
template <class T, class Chain>
constexpr bool is_fused<fused<T, Chain>> = true;

/** Converts the argument of a function that takes an error. */
template <class E>
value error_of(E &&error) {
    using D = std::decay_t<E>;
    if constexpr (std::is_same_v<D, value>) return std::forward<E>(error);
    else if constexpr (std::is_same_v<D, failure>) return error.value();
    else return value(codec<stored_t<D>>::to(stored_t<D>(std::forward<E>(error))));
}

} // namespace detail

/** Drops the element. */
[[nodiscard]] inline auto dropped() noexcept { return detail::dropped_result(); }
/** Completes the subscription. */
[[nodiscard]] inline auto completed() noexcept { return detail::completed_result(); }
/** Emits an element, then completes the subscription. */
template <class T>
[[nodiscard]] auto last(T element) {
    return detail::last_result<detail::stored_t<T>>{std::move(element)};
}
/** Fails the subscription. The error is a failure, or an object of any type, which catch_error can select. */
template <class E>
[[nodiscard]] auto failed(E error) {
    return detail::failed_result{detail::error_of(std::move(error))};
}

/** The result of a function that may do something else than emit an element: a `T`, `dropped()`, `last(t)`,
 * `completed()` or `failed(error)`. */
template <class T>
class outcome {
public:
    using value_type = T;

    template <class U = T, class = std::enable_if_t<std::is_convertible_v<U, T>>>
    outcome(U &&element) : kind_(detail::outcome_kind::element), element_(std::forward<U>(element)) {}
    outcome(detail::dropped_result) noexcept : kind_(detail::outcome_kind::dropped) {}
    outcome(detail::completed_result) noexcept : kind_(detail::outcome_kind::completed) {}
    outcome(detail::failed_result f) noexcept : kind_(detail::outcome_kind::failed), error_(std::move(f.error)) {}
    template <class U, class = std::enable_if_t<std::is_convertible_v<U, T>>>
    outcome(detail::last_result<U> l) : kind_(detail::outcome_kind::last), element_(std::move(l.element)) {}

    /** Passes the outcome to a group, and returns the element. */
    std::optional<T> resolve(detail::control &c) && {
        c.ends = c.ends || kind_ == detail::outcome_kind::last || kind_ == detail::outcome_kind::completed;
        if (kind_ == detail::outcome_kind::failed) {
            c.fails = true;
            c.error = std::move(error_);
        }
        return std::move(element_);
    }

private:
    detail::outcome_kind kind_;
    std::optional<T> element_;
    value error_;
};

// ---- Sources ----

/** The object through which a generator emits. Copy it to emit after the generator has returned. */
template <class T>
class subscriber : public handle<sgk_subscriber> {
public:
    using value_type = T;
    using handle::handle;

    /** Emits an element. Returns false if the subscription has ended: a generator that emits in a loop stops then. */
    bool next(T element) const {
        return emitted(sgk_subscriber_next(get(), sgk_give(detail::codec<T>::to(std::move(element)))));
    }
    /** Fails the subscription. Returns false if it has already ended. See sgk::failed. */
    template <class E>
    bool error(E with) const {
        return emitted(sgk_subscriber_error(get(), sgk_give(detail::error_of(std::move(with)).release())));
    }
    /** Completes the subscription. Returns false if it has already ended. */
    bool complete() const { return emitted(sgk_subscriber_complete(get())); }
    /** Calls `action()` once when the subscription ends or is disposed, also while the generator is running.
     *
     * If that has already happened, the call is immediate. */
    template <class F>
    void on_dispose(F action) const {
        check(sgk_subscriber_on_dispose(get(), detail::call_action<F>, new F(std::move(action)), detail::destroy<F>));
    }
    /** Keeps `object` until the subscription ends or is disposed, or the subscriber is released. */
    template <class O>
    void keep_alive(O object) const {
        check(sgk_subscriber_keep_alive(get(), new O(std::move(object)), detail::destroy<O>));
    }
    /** Creates a subscriber without a signal, for bridges and tests of generators. Its events reach the callbacks. */
    template <class N = none, class E = none, class C = none>
    [[nodiscard]] static subscriber create(N next = {}, E on_error = {}, C completed = {}) {
        using O = detail::observer<T, N, E, C, none>;
        static_assert(
            O::problem() == detail::fault::none, "sgk: the callbacks cannot be called with this element type");
        sgk_handlers handlers = O::handlers();
        handlers.context = new O{std::move(next), std::move(on_error), std::move(completed), {}};
        return detail::made<subscriber>(sgk_subscriber_create(&handlers));
    }
    /** Returns whether a stage asks for a pause. See sgk_subscriber_is_paused. */
    [[nodiscard]] bool is_paused() const { return sgk_subscriber_is_paused(get()); }
    /** Calls `resumed()` once on the queue, as soon as no stage asks for a pause. See sgk_subscriber_on_resume. */
    template <class F>
    void on_resume(const queue &on, F resumed) const {
        check(sgk_subscriber_on_resume(
            get(), detail::call_action<F>, new F(std::move(resumed)), detail::destroy<F>, on.get()));
    }
    /** Waits in a coroutine while a stage asks for a pause: `co_await to.ready(queue)`. It then continues on the queue,
     * also if the subscription has ended. */
    template <class H = subscriber>
    awaited_resumption<H> ready(queue on) const {
        return awaited_resumption<H>(*this, std::move(on));
    }
    /** Reports whether the subscription is active. */
    bool is_active() const noexcept { return sgk_subscriber_is_active(get()); }

private:
    static bool emitted(sgk_status status) {
        if (status != SGK_ERROR_ENDED) check(status);
        return status == SGK_OK;
    }
};

namespace detail {

/** Calls `generator(subscriber)`. An exception fails the subscription. */
template <class T, class F>
sgk_disposable *generate_into(sgk_subscriber *borrowed, F &&generator) noexcept {
    const subscriber<T> to(sgk_subscriber_retain(borrowed));
    using R = std::invoke_result_t<F &, const subscriber<T> &>;
    return guarded(
        [&]() -> sgk_disposable * {
            if constexpr (std::is_void_v<R>) return generator(to), nullptr;
            else if constexpr (std::is_convertible_v<R, disposable>) return disposable(generator(to)).release();
            else return disposable::action(generator(to)).release();
        },
        [&](value error) -> sgk_disposable * {
            sgk_subscriber_error(to.get(), error.get());
            return nullptr;
        });
}

/** Returns the signal of a function of the program, for C. `make()` returns a flow with elements of the type T. */
template <class T, class Make>
sgk_signal *signal_from(Make &&make) noexcept {
    return guarded(
        [&] {
            signal<T> of = make();
            return of.release();
        },
        failing);
}

} // namespace detail

/** Creates a signal that calls `generator(subscriber<T>)` during each start.
 *
 * The generator returns a disposable that stops the source, a function that is called once to stop it, or nothing. */
template <class T, class F>
[[nodiscard]] signal<T> create(F generator) {
    static_assert(
        std::is_invocable_v<F &, const subscriber<T> &>, "sgk::create: the generator does not take a subscriber<T>");
    return detail::made<signal<T>>(sgk_signal_create(
        [](void *context, sgk_subscriber *to) noexcept {
            return detail::generate_into<T>(to, *static_cast<F *>(context));
        },
        new F(std::move(generator)), detail::destroy<F>));
}

/** Creates a signal that emits one element and completes. */
template <class T>
[[nodiscard]] auto just(T element) {
    using K = detail::stored_t<T>;
    return detail::made<signal<K>>(sgk_signal_just(value(detail::codec<K>::to(K(std::move(element)))).get()));
}
/** Creates a signal that completes. */
template <class T>
[[nodiscard]] signal<T> empty() {
    return detail::made<signal<T>>(sgk_signal_empty());
}
/** Creates a signal that fails. See sgk::failed. */
template <class T, class E>
[[nodiscard]] signal<T> fail(E error) {
    return detail::made<signal<T>>(sgk_signal_fail(detail::error_of(std::move(error)).get()));
}
/** Creates a signal that never emits, completes or fails. */
template <class T>
[[nodiscard]] signal<T> never() {
    return detail::made<signal<T>>(sgk_signal_never());
}

/** Creates a signal that calls `generator()` for each start, and starts the signal that it returns. */
template <class F>
[[nodiscard]] auto deferred(F generator) {
    using T = detail::element_t<std::invoke_result_t<F &>>;
    return detail::made<signal<T>>(
        sgk_signal_deferred([](void *context) noexcept { return detail::signal_from<T>(*static_cast<F *>(context)); },
            new F(std::move(generator)), detail::destroy<F>));
}

/** A hot source. It sends each element to the subscriptions that are active at that moment. See pipe.h. */
template <class T>
class pipe : public handle<sgk_pipe> {
public:
    using value_type = T;
    using handle::handle;

    /** Creates a pipe. */
    pipe() : pipe(detail::made<pipe>(sgk_pipe_create())) {}
    /** Creates a pipe that replays its latest element. */
    [[nodiscard]] static pipe replaying() { return detail::made<pipe>(sgk_pipe_create_replay()); }
    /** Returns the signal of the pipe. The signal does not retain the pipe. */
    [[nodiscard]] sgk::signal<T> signal() const { return detail::made<sgk::signal<T>>(sgk_pipe_signal(get())); }
    /** Sends an element to all active subscriptions. Returns false if the pipe has ended.
     *
     * A program that can wait then looks at is_paused(). */
    bool next(T element) const {
        const sgk_status status = sgk_pipe_next(get(), sgk_give(detail::codec<T>::to(std::move(element))));
        if (status != SGK_ERROR_ENDED) check(status);
        return status != SGK_ERROR_ENDED;
    }
    /** Returns whether a subscription asks for a pause. See sgk_pipe_next. */
    [[nodiscard]] bool is_paused() const { return sgk_pipe_is_paused(get()); }
    /** Calls `resumed()` once on the queue, as soon as no subscription asks for a pause. See sgk_pipe_on_resume. */
    template <class F>
    void on_resume(const queue &on, F resumed) const {
        check(
            sgk_pipe_on_resume(get(), detail::call_action<F>, new F(std::move(resumed)), detail::destroy<F>, on.get()));
    }
    /** Waits in a coroutine while a subscription asks for a pause: `co_await numbers.ready(queue)`. It then continues
     * on the queue. */
    template <class H = pipe>
    awaited_resumption<H> ready(queue on) const {
        return awaited_resumption<H>(*this, std::move(on));
    }
    /** Completes the pipe, for active and later subscriptions. */
    void complete() const { check(sgk_pipe_complete(get())); }
    /** Fails the pipe, for active and later subscriptions. See sgk::failed. */
    template <class E>
    void error(E with) const {
        check(sgk_pipe_error(get(), sgk_give(detail::error_of(std::move(with)).release())));
    }
};

SGK_CPP_END

#endif
