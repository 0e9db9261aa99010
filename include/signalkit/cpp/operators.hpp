/** @file
 * Operators that are stages of the library: `source | sgk::switch_map(f) | sgk::debounce(300ms, queue)`.
 *
 * Each operator has the name of its C function without `sgk_signal_`, and the same behaviour. The comments here
 * describe only differences. A function is the last argument, except that a queue and a sgk::bound follow it. An
 * exception of a function fails the subscription, except where a comment says that it terminates the program. Times are
 * durations.
 */
#ifndef SIGNALKIT_CPP_OPERATORS_HPP
#define SIGNALKIT_CPP_OPERATORS_HPP

#include "fusing.hpp"

SGK_CPP_BEGIN

namespace detail {

/** The stages whose operand is an element: `make(source, value)` is the function of the library. */
template <class Make, class V>
struct element_stage : checked_stage {
    Make make;
    V element;
    element_stage(Make c, V v) : make(std::move(c)), element(std::move(v)) {}

    using function = V;
    template <class T>
    struct in {
        static constexpr fault problem = is_lossy<T, V>() ? fault::smaller_number
            : std::is_same_v<T, value>                    ? fault::none
            : std::is_constructible_v<T, const V &>       ? fault::none
                                                          : fault::no_element;
    };
    template <class T>
    auto operator()(const signal<T> &source) const {
        if constexpr (std::is_same_v<T, value>)
            return made<signal<T>>(make(source.get(), value(codec<V>::to(element)).get()));
        else return made<signal<T>>(make(source.get(), value(codec<T>::to(static_cast<T>(element))).get()));
    }
};
template <class Make, class V>
auto with_element(Make make, V v) {
    return element_stage<Make, stored_t<V>>(std::move(make), stored_t<V>(std::move(v)));
}

/** The stages whose operand is another signal with elements of the same type. */
template <class Make, class U>
struct signal_stage : checked_stage {
    Make make;
    signal<U> other;
    signal_stage(Make c, signal<U> s) : make(std::move(c)), other(std::move(s)) {}

    using function = signal<U>;
    template <class T>
    struct in {
        static constexpr fault problem =
            std::is_same_v<T, U> || std::is_same_v<T, value> ? fault::none : fault::other_type;
    };
    template <class T>
    auto operator()(const signal<T> &source) const {
        return made<signal<T>>(make(source.get(), other.get()));
    }
};
template <class Make, class S>
auto with_signal(Make make, S other) {
    static_assert(is_flow<S>, "sgk: the operand is not a signal");
    return signal_stage<Make, element_t<S>>(std::move(make), signal<element_t<S>>(std::move(other)));
}

/** A function of an element that returns a signal, for C. */
template <class T, class F>
struct making {
    using result = typename called<F, T>::result;
    static constexpr fault problem = call_or<F, T>(is_flow<result> ? fault::none : fault::no_signal);
    using out = element_t<std::conditional_t<problem == fault::none, result, broken>>;

    static sgk_signal *make(void *context, sgk_value v) noexcept { return of(shared<F>::at(context), v); }
    static sgk_signal *of(F &f, sgk_value v) noexcept {
        if (!codec<T>::matches(v)) return failing(mismatch_error("map", codec<T>::name(), v));
        return signal_from<out>([&] { return call<T>(f, codec<T>::from(v)); });
    }
};
/** `make(source, function, context, destroy)` is the function of the library. */
template <class Make, class F>
struct inner_stage : checked_stage {
    Make make;
    shared<F> f;
    inner_stage(Make c, F of) : make(std::move(c)), f(std::move(of)) {}

    using function = F;
    template <class T>
    using in = making<T, F>;
    template <class T>
    auto operator()(const signal<T> &source) const {
        using M = making<T, F>;
        return made<signal<typename M::out>>(make(source.get(), M::make, f.context(), shared<F>::destroy));
    }
};
template <class Make, class F>
auto to_signals(Make make, F f) {
    return inner_stage<Make, F>(std::move(make), std::move(f));
}

/** The type of the elements of a stage whose elements are signals. */
template <class S>
struct inner_type {
    using type = broken;
};
template <class T>
struct inner_type<signal<T>> {
    using type = T;
};
template <>
struct inner_type<value> {
    using type = value;
};
template <class Make>
struct flattening : checked_stage {
    Make make;
    explicit flattening(Make c) : make(std::move(c)) {}

    using function = void;
    template <class T>
    struct in {
        static constexpr fault problem =
            std::is_same_v<typename inner_type<T>::type, broken> ? fault::no_signal : fault::none;
    };
    template <class T>
    auto operator()(const signal<T> &source) const {
        return made<signal<typename inner_type<T>::type>>(make(source.get()));
    }
};

template <class Make>
auto flatten(Make make) {
    return flattening<Make>(std::move(make));
}

/** Calls a function of an element that the library ignores. An exception terminates the program. */
template <class T, class F>
void watch(void *context, sgk_value v) noexcept {
    if (codec<T>::matches(v)) static_cast<void>(call<T>(shared<F>::at(context), codec<T>::from(v)));
}

/** Emits `[key, element]` for each element. An exception of the function of the key fails the subscription. */
template <class T, class K>
any_signal with_keys(const signal<T> &source, const shared<K> &key) {
    static constexpr const char *name = "key";
    sgk_stage stage = SGK_STAGE_INIT;
    stage.names = &name;
    stage.name_count = 1;
    stage.next = [](void *context, sgk_value v) noexcept {
        using result = stored_t<result_t<K, T>>;
        return guarded(
            [&] {
                if (!codec<T>::matches(v)) return failed_step(mismatch_error("key", codec<T>::name(), v));
                const value of(
                    codec<result>::to(static_cast<result>(call<T>(shared<K>::at(context), codec<T>::from(v)))));
                const std::array<sgk_value, 2> both{of.get(), v};
                return sgk_array(both.data(), both.size());
            },
            failed_step);
    };
    stage.context = key.context();
    stage.destroy = shared<K>::destroy;
    return made<any_signal>(sgk_signal_stage(source.get(), &stage));
}
inline sgk_value key_of(void *, sgk_value keyed) noexcept { return retain(sgk_array_at(keyed, 0)); }

/** Emits the elements of `with_keys`. */
template <class T>
signal<T> without_keys(const any_signal &keyed) {
    static constexpr const char *name = "element";
    sgk_stage stage = SGK_STAGE_INIT;
    stage.names = &name;
    stage.name_count = 1;
    stage.next = [](void *, sgk_value v) noexcept { return retain(sgk_array_at(v, 1)); };
    return made<signal<T>>(sgk_signal_stage(keyed.get(), &stage));
}

/** A stage that calls `f()` or `f(error)` at events of a subscription. An exception terminates the program. */
template <class Make, class F>
auto at_event(Make make, F f) {
    return same_type([make, f = shared<F>(std::move(f))](sgk_signal *s) {
        return make(
            s, [](void *context) noexcept { static_cast<void>(shared<F>::at(context)()); }, f.context(),
            shared<F>::destroy);
    });
}

} // namespace detail

// ---- Values ----

[[nodiscard]] inline auto ignore_values() { return detail::same_type(sgk_signal_ignore_values); }
[[nodiscard]] inline auto serialized() { return detail::same_type(sgk_signal_serialized); }
/** Emits one std::vector at the completion. */
[[nodiscard]] inline auto to_array(bound of = {}) {
    return detail::on_signal([of = std::move(of)](const auto &source) {
        return detail::made<signal<std::vector<detail::element_t<decltype(source)>>>>(
            of.apply([&](auto b) { return sgk_signal_to_array(source.get(), b); }));
    });
}
/** Drops elements that equal an earlier one. `of` limits the number of elements that it remembers. */
[[nodiscard]] inline auto distinct(bound of = {}) {
    return detail::same_type(
        [of = std::move(of)](sgk_signal *s) { return of.apply([&](auto b) { return sgk_signal_distinct(s, b); }); });
}
/** Drops elements whose `key(element)` equals an earlier one. */
template <class K>
[[nodiscard]] auto distinct_by(K key, bound of = {}) {
    return detail::on_signal([key = detail::shared<K>(std::move(key)), of = std::move(of)](const auto &source) {
        const any_signal keyed = detail::with_keys(source, key);
        return detail::without_keys<detail::element_t<decltype(source)>>(detail::made<any_signal>(of.apply(
            [&](auto b) { return sgk_signal_distinct_by(keyed.get(), b, detail::key_of, nullptr, nullptr); })));
    });
}

/** An event of a signal: an element, an error, or the completion. */
template <class T>
struct event {
    sgk_event_kind kind = SGK_EVENT_COMPLETED;
    std::optional<T> element = {};
    std::optional<failure> error = {};

    static event next(T t) { return {SGK_EVENT_NEXT, std::move(t), {}}; }
    static event fail(failure f) { return {SGK_EVENT_ERROR, {}, std::move(f)}; }
    static event complete() { return {}; }
};

namespace detail {

template <class T>
struct codec<event<T>, void> : plain_codec {
    using rep = event<T>;
    using raw = codec<std::tuple<std::int64_t, value>>;
    static constexpr const char *name() noexcept { return "an event"; }
    static bool matches(sgk_value v) {
        if (!raw::matches(v)) return false;
        const sgk_value kind = sgk_array_at(v, 0);
        return sgk_to_int(kind) != SGK_EVENT_NEXT || codec<T>::matches(sgk_array_at(v, 1));
    }
    static rep from(sgk_value v) {
        const sgk_value content = sgk_array_at(v, 1);
        const std::int64_t kind = sgk_to_int(sgk_array_at(v, 0));
        if (kind == SGK_EVENT_NEXT) return rep::next(element_of<T>(content));
        return kind == SGK_EVENT_ERROR ? rep::fail(failure(value::share(content))) : rep::complete();
    }
    static sgk_value to(const rep &e) {
        return raw::to({e.kind, e.element ? value(codec<T>::to(*e.element)) : e.error ? e.error->value() : value()});
    }
};
template <class E>
struct event_element {
    using type = broken;
};
template <class T>
struct event_element<event<T>> {
    using type = T;
};
struct from_events_stage : checked_stage {
    using function = void;
    template <class T>
    struct in {
        static constexpr fault problem =
            std::is_same_v<typename event_element<T>::type, broken> ? fault::other_type : fault::none;
    };
    template <class T>
    auto operator()(const signal<T> &source) const {
        return made<signal<typename event_element<T>::type>>(sgk_signal_from_events(source.get()));
    }
};

} // namespace detail

/** Emits each event, including the terminal event, as a sgk::event, then completes. */
[[nodiscard]] inline auto to_events() {
    return detail::on_signal([](const auto &source) {
        return detail::made<signal<event<detail::element_t<decltype(source)>>>>(sgk_signal_to_events(source.get()));
    });
}
/** The reverse of to_events. */
[[nodiscard]] inline auto from_events() { return detail::from_events_stage(); }

// ---- Taking ----

[[nodiscard]] inline auto take_last(std::int64_t count = 1) {
    return detail::same_type([count](sgk_signal *s) { return sgk_signal_take_last(s, count); });
}
/** Passes elements until `until` emits. */
[[nodiscard]] inline auto take_until(any_signal until) {
    return detail::same_type(
        [until = std::move(until)](sgk_signal *s) { return sgk_signal_take_until(s, until.get()); });
}
/** Drops elements until `until` emits. */
[[nodiscard]] inline auto skip_until(any_signal until) {
    return detail::same_type(
        [until = std::move(until)](sgk_signal *s) { return sgk_signal_skip_until(s, until.get()); });
}

// ---- Side effects ----

/** An exception of `f` terminates the program. */
template <class F>
[[nodiscard]] auto after_next(F f) {
    return detail::on_signal([f = detail::shared<F>(std::move(f))](const auto &source) {
        using T = detail::element_t<decltype(source)>;
        static_assert(detail::fault_of_call<F, T> == detail::fault::none,
            "sgk::after_next: this function cannot be called with the elements of this signal");
        return detail::made<signal<T>>(
            sgk_signal_after_next(source.get(), detail::watch<T, F>, f.context(), detail::shared<F>::destroy));
    });
}
/** An exception of `f` terminates the program, as in the next five operators. */
template <class F>
[[nodiscard]] auto before_started(F f) {
    return detail::at_event(sgk_signal_before_started, std::move(f));
}
template <class F>
[[nodiscard]] auto before_completed(F f) {
    return detail::at_event(sgk_signal_before_completed, std::move(f));
}
template <class F>
[[nodiscard]] auto after_completed(F f) {
    return detail::at_event(sgk_signal_after_completed, std::move(f));
}
template <class F>
[[nodiscard]] auto after_disposed(F f) {
    return detail::at_event(sgk_signal_after_disposed, std::move(f));
}
/** `f` takes a `const failure &`. If it takes another type, it is called with the errors of that type only. */
template <class F>
[[nodiscard]] auto before_error(F f) {
    static_assert(detail::takes_error<F>, "sgk::before_error: this function does not take a const sgk::failure &");
    return detail::same_type([f = detail::shared<F>(std::move(f))](sgk_signal *s) {
        return sgk_signal_before_error(
            s,
            [](void *context, sgk_value e) noexcept {
                if (detail::handles_error<F>(e))
                    static_cast<void>(detail::call_error(detail::shared<F>::at(context), e));
            },
            f.context(), detail::shared<F>::destroy);
    });
}

#if defined(__GNUC__)
#define SGK_CPP_FILE __builtin_FILE()
#define SGK_CPP_LINE __builtin_LINE()
#else
#define SGK_CPP_FILE nullptr
#define SGK_CPP_LINE 0
#endif

/** Names the signal, with the place of the call. */
[[nodiscard]] inline auto named(std::string name, const char *file = SGK_CPP_FILE, int line = SGK_CPP_LINE) {
    return detail::same_type([name = std::move(name), file, line](
                                 sgk_signal *s) { return sgk_signal_named_at(s, name.c_str(), file, line); });
}
/** Logs the events of the signal, with the place of the call. */
[[nodiscard]] inline auto trace(std::string name, const char *file = SGK_CPP_FILE, int line = SGK_CPP_LINE) {
    return detail::same_type([name = std::move(name), file, line](
                                 sgk_signal *s) { return sgk_signal_trace_at(s, name.c_str(), file, line); });
}
#undef SGK_CPP_FILE
#undef SGK_CPP_LINE

// ---- Signals of signals ----

[[nodiscard]] inline auto switch_to_latest() { return detail::flatten(sgk_signal_switch_to_latest); }
[[nodiscard]] inline auto concat_all() { return detail::flatten(sgk_signal_concat_all); }
[[nodiscard]] inline auto concat_latest() { return detail::flatten(sgk_signal_concat_latest); }
[[nodiscard]] inline auto merge_all(std::int64_t limit, bound of = {}) {
    return detail::flatten([limit, of = std::move(of)](sgk_signal *s) {
        return of.apply([&](auto b) { return sgk_signal_merge_all(s, limit, b); });
    });
}
[[nodiscard]] inline auto merge_all_ordered(std::int64_t limit, bound of = {}) {
    return detail::flatten([limit, of = std::move(of)](sgk_signal *s) {
        return of.apply([&](auto b) { return sgk_signal_merge_all_ordered(s, limit, b); });
    });
}
template <class F>
[[nodiscard]] auto switch_map(F f) {
    return detail::to_signals(sgk_signal_switch_map, std::move(f));
}
template <class F>
[[nodiscard]] auto concat_map(F f) {
    return detail::to_signals(sgk_signal_concat_map, std::move(f));
}
template <class F>
[[nodiscard]] auto concat_map_latest(F f) {
    return detail::to_signals(sgk_signal_concat_map_latest, std::move(f));
}
template <class F>
[[nodiscard]] auto exhaust_map(F f) {
    return detail::to_signals(sgk_signal_exhaust_map, std::move(f));
}
/** At most `limit` signals run. `of` is the buffer of the elements that wait for one. */
template <class F>
[[nodiscard]] auto merge_map(std::int64_t limit, F f, bound of = {}) {
    return detail::to_signals(
        [limit, of = std::move(of)](sgk_signal *s, auto call, void *context, sgk_destroy_fn destroy) {
            return of.apply([&](auto b) { return sgk_signal_merge_map(s, limit, b, call, context, destroy); });
        },
        std::move(f));
}
/** Like merge_map, but emits the elements in the order of the signals. */
template <class F>
[[nodiscard]] auto map_ordered(std::int64_t limit, F f, bound of = {}) {
    return detail::to_signals(
        [limit, of = std::move(of)](sgk_signal *s, auto call, void *context, sgk_destroy_fn destroy) {
            return of.apply([&](auto b) { return sgk_signal_map_ordered(s, limit, b, call, context, destroy); });
        },
        std::move(f));
}
/** `replacement` emits a signal, which replaces the source. */
template <class S>
[[nodiscard]] auto take_until_replacement(S replacement) {
    using U = typename detail::inner_type<detail::element_t<S>>::type;
    const signal<signal<U>> other(std::move(replacement));
    return detail::with_signal(sgk_signal_take_until_replacement, signal<U>(sgk_signal_retain(other.get())));
}
/** Like switch_map, for each key separately: `key(element)`, `f(element)`. `of` limits the number of keys. */
template <class K, class F>
[[nodiscard]] auto switch_map_per(K key, F f, bound of = {}) {
    return detail::on_signal([key = detail::shared<K>(std::move(key)), f = detail::shared<F>(std::move(f)),
                                 of = std::move(of)](const auto &source) {
        using M = detail::making<detail::element_t<decltype(source)>, F>;
        static_assert(M::problem == detail::fault::none, "sgk::switch_map_per: the function does not return a signal");
        const any_signal keyed = detail::with_keys(source, key);
        return detail::made<signal<typename M::out>>(of.apply([&](auto b) {
            return sgk_signal_switch_map_per(
                keyed.get(), b, detail::key_of,
                [](void *context, sgk_value v) noexcept { return M::make(context, sgk_array_at(v, 1)); }, f.context(),
                detail::shared<F>::destroy);
        }));
    });
}
/** Groups elements by `key(element)`. `pipeline(key, signal)` returns the signal of a group. `of` limits the number of
 * groups. */
template <class K, class F>
[[nodiscard]] auto group_by(K key, F pipeline, bound of = {}) {
    return detail::on_signal([key = detail::shared<K>(std::move(key)), f = detail::shared<F>(std::move(pipeline)),
                                 of = std::move(of)](const auto &source) {
        using T = detail::element_t<decltype(source)>;
        using Key = detail::stored_t<detail::result_t<K, T>>;
        using R = std::invoke_result_t<F &, Key, signal<T>>;
        static_assert(detail::is_flow<R>, "sgk::group_by: the pipeline does not return a signal");
        using U = detail::element_t<R>;
        const any_signal keyed = detail::with_keys(source, key);
        return detail::made<signal<U>>(of.apply([&](auto b) {
            return sgk_signal_group_by(
                keyed.get(), b, detail::key_of,
                [](void *context, sgk_value k, sgk_signal *elements) noexcept {
                    return detail::signal_from<U>([&] {
                        const any_signal group(sgk_signal_retain(elements));
                        return detail::shared<F>::at(context)(
                            detail::element_of<Key>(k), detail::without_keys<T>(group));
                    });
                },
                f.context(), detail::shared<F>::destroy);
        }));
    });
}

// ---- Sequences, repeat and retry ----

/** Switches to `next` at the completion. It has the same element type, like the operands of the next operators. */
template <class S>
[[nodiscard]] auto concat_with(S next) {
    return detail::with_signal(sgk_signal_concat_with, std::move(next));
}
template <class S>
[[nodiscard]] auto switch_if_empty(S other) {
    return detail::with_signal(sgk_signal_switch_if_empty, std::move(other));
}
/** Switches to `other` at an error. */
template <class S>
[[nodiscard]] auto catch_with(S other) {
    return detail::with_signal(sgk_signal_catch_with, std::move(other));
}

/** Switches to the signal that `f(error)` returns when the signal fails.
 *
 * `f` takes a `const failure &`. If it takes another type, it handles the errors of that type, as a catch clause does,
 * and other errors pass. */
template <class F>
[[nodiscard]] auto catch_error(F f) {
    static_assert(detail::takes_error<F>, "sgk::catch_error: this function does not take a const sgk::failure &");
    return detail::on_signal([f = detail::shared<F>(std::move(f))](const auto &source) {
        using T = detail::element_t<decltype(source)>;
        return detail::made<signal<T>>(sgk_signal_catch(
            source.get(),
            [](void *context, sgk_value e) noexcept {
                if (!detail::handles_error<F>(e)) return sgk_signal_fail(e);
                return detail::signal_from<T>([&] { return detail::call_error(detail::shared<F>::at(context), e); });
            },
            f.context(), detail::shared<F>::destroy));
    });
}
template <class V>
[[nodiscard]] auto start_with(V element) {
    return detail::with_element(sgk_signal_start_with, std::move(element));
}
template <class V>
[[nodiscard]] auto end_with(V element) {
    return detail::with_element(sgk_signal_end_with, std::move(element));
}
template <class V>
[[nodiscard]] auto default_if_empty(V element) {
    return detail::with_element(sgk_signal_default_if_empty, std::move(element));
}
template <class V>
[[nodiscard]] auto catch_and_return(V element) {
    return detail::with_element(sgk_signal_catch_and_return, std::move(element));
}
/** Starts the signal `count` times in sequence. SGK_UNBOUNDED: without end. */
[[nodiscard]] inline auto repeat(std::int64_t count = SGK_UNBOUNDED) {
    return detail::same_type([count](sgk_signal *s) { return sgk_signal_repeat(s, count); });
}

/** A delay of a retry_policy that means no wait. */
constexpr duration at_once{SGK_AT_ONCE};

/** The result of `retry_policy::decide`: whether and when the next attempt starts. */
class retry_decision {
public:
    /** True: after the wait of the policy. False: no further attempt; the error passes. */
    template <class B, class = detail::only_bool<B>>
    retry_decision(B again) : trigger_(again ? nullptr : sgk_signal_empty()) {}
    /** After this time. */
    template <class R, class P>
    retry_decision(std::chrono::duration<R, P> time) : wait_(time) {}
    /** When this signal emits. If it completes without an element, the error passes. */
    template <class S, std::enable_if_t<detail::is_flow<S>, int> = 0>
    retry_decision(const S &trigger) : trigger_(trigger) {}
    /** No further attempt; the result fails with this error. */
    retry_decision(const detail::failed_result &f) : trigger_(sgk_signal_fail(f.error.get())) {}

    /** Returns the result of a sgk_retry_fn. `on` measures the time. */
    [[nodiscard]] sgk_signal *release(const queue &on) && {
        if (wait_) return sgk_signal_timer(wait_->count(), on.get());
        if (!trigger_) sgk_clear_error(); // `decide` may have handled an error
        return trigger_.release();
    }

private:
    std::optional<duration> wait_;
    any_signal trigger_;
};

/** The number of attempts of `retry`, and the waits between them. 0 means the default. */
struct retry_policy {
    std::int64_t attempts = 0; ///< The number of attempts, including the first one. 0: no limit.
    duration delay{};          ///< The wait before the second attempt. 0: 1 second. at_once: none.
    double factor = 0;         ///< Multiplies each further wait: 1 or more. 0: 2.
    duration increment{};      ///< Lengthens each further wait: 0 or more.
    duration max_delay{};      ///< The longest wait. 0: 60 seconds.
    double jitter = 0;         ///< From 0 to 1: the largest random change of a wait, as a part of it.
    duration reset_after{};    ///< The failure of an attempt that lasted so long counts as the first one. 0: no effect.
    std::uint64_t seed = 0;    ///< The seed of the random changes, for tests. 0: a different one each time.
    bool reset_on_value = false; ///< The failure after an element counts as the first one.
    /** Decides with the error and the number of failures. Empty: always again. An exception fails the result. */
    std::function<retry_decision(const failure &, std::int64_t)> decide = {};
};

/** Starts the signal again after an error, as the policy specifies. `on` measures the waits. By default it is the
 * concurrent queue of default priority. */
[[nodiscard]] inline auto retry(retry_policy policy = {}, queue on = {}) {
    struct deciding {
        decltype(retry_policy::decide) decide;
        queue on;
    };
    if (!on) on = queue::concurrent_default();
    return detail::same_type([policy = std::move(policy), on = std::move(on)](sgk_signal *s) {
        sgk_retry c = SGK_RETRY_INIT;
        c.attempts = policy.attempts;
        c.delay = policy.delay.count();
        c.factor = policy.factor;
        c.increment = policy.increment.count();
        c.max_delay = policy.max_delay.count();
        c.jitter = policy.jitter;
        c.reset_after = policy.reset_after.count();
        c.seed = policy.seed;
        c.reset_on_value = policy.reset_on_value;
        if (policy.decide) {
            c.decide = [](void *context, sgk_value e, std::int64_t failures) noexcept {
                const auto &of = *static_cast<const deciding *>(context);
                return detail::guarded(
                    [&] { return of.decide(failure(value::share(e)), failures).release(of.on); }, detail::failing);
            };
            c.context = new deciding{policy.decide, on};
            c.destroy = detail::destroy<deciding>;
        }
        return sgk_signal_retry(s, &c, on.get());
    });
}

/** Runs the signals that `once(accumulated)` returns, until one is empty, and folds their elements by
 * `reduce(accumulated, element)`.
 *
 * `accumulated` is a std::optional<T>, which is empty before the first element. `once` returns a signal<T>. */
template <class T, class F, class G>
[[nodiscard]] signal<T> accumulating_loop(F once, G reduce) {
    struct both {
        F once;
        G reduce;
    };
    return detail::made<signal<T>>(sgk_accumulating_loop(
        [](void *context, const sgk_value *accumulated) noexcept {
            return detail::signal_from<T>([&] {
                return static_cast<both *>(context)->once(
                    accumulated ? std::optional<T>(detail::element_of<T>(*accumulated)) : std::nullopt);
            });
        },
        [](void *context, sgk_value accumulated, sgk_value v) noexcept {
            return detail::guarded(
                [&] {
                    return detail::codec<T>::to(static_cast<both *>(context)->reduce(
                        detail::element_of<T>(accumulated), detail::element_of<T>(v)));
                },
                detail::failed_step);
        },
        new both{std::move(once), std::move(reduce)}, detail::destroy<both>));
}

// ---- Time ----

[[nodiscard]] inline auto debounce(duration time, queue on) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_debounce(s, time.count(), on.get()); });
}
[[nodiscard]] inline auto throttle(duration time, queue on, sgk_edges edges = SGK_EDGES_BOTH) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_throttle(s, time.count(), edges, on.get()); });
}
/** Delivers the events on a queue, without a limit. */
[[nodiscard]] inline auto deliver_on(queue on) {
    return detail::same_type([on](sgk_signal *s) { return sgk_signal_deliver_on(s, on.get()); });
}
/** Delivers the events on a queue, with a buffer of limited size. */
[[nodiscard]] inline auto deliver_on(queue on, bound of) {
    return detail::same_type([on, of = std::move(of)](sgk_signal *s) {
        return of.apply([&](auto b) { return sgk_signal_deliver_on_bounded(s, b, on.get()); });
    });
}
/** Pauses the source while the latest element of `condition` is true. See sgk_signal_paused_by. */
[[nodiscard]] inline auto paused_by(signal<bool> condition) {
    return detail::same_type(
        [condition = std::move(condition)](sgk_signal *s) { return sgk_signal_paused_by(s, condition.get()); });
}
[[nodiscard]] inline auto deliver_on(const thread_pool &on) { return deliver_on(on.as_queue()); }
[[nodiscard]] inline auto run_on(queue on) {
    return detail::same_type([on](sgk_signal *s) { return sgk_signal_run_on(s, on.get()); });
}
[[nodiscard]] inline auto run_on(const thread_pool &on) { return run_on(on.as_queue()); }
/** Delays each element and the completion. `of` limits the number of pending elements. */
[[nodiscard]] inline auto delay(duration time, queue on, bound of = {}) {
    return detail::same_type([=](sgk_signal *s) {
        return of.apply([&](auto b) { return sgk_signal_delay(s, time.count(), b, on.get()); });
    });
}
/** At most `count` elements pass at once, and one more every `time / count`. `of` is the buffer of those that wait. */
[[nodiscard]] inline auto rate_limit(std::int64_t count, duration time, queue on, bound of = {}) {
    return detail::same_type([=](sgk_signal *s) {
        return of.apply([&](auto b) { return sgk_signal_rate_limit(s, count, time.count(), b, on.get()); });
    });
}
/** Starts the signal after a delay. It does not delay the events. */
[[nodiscard]] inline auto delay_start(duration time, queue on) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_delay_start(s, time.count(), on.get()); });
}
[[nodiscard]] inline auto suspend_aware_delay(duration time, duration granularity, queue on) {
    return detail::same_type(
        [=](sgk_signal *s) { return sgk_signal_suspend_aware_delay(s, time.count(), granularity.count(), on.get()); });
}
/** Fails if no event arrives for `time`, before the first event or between two. */
[[nodiscard]] inline auto timeout(duration time, queue on) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_timeout(s, time.count(), on.get()); });
}
/** Fails if no event arrives within `time` of the start. */
[[nodiscard]] inline auto timeout_first(duration time, queue on) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_timeout_first(s, time.count(), on.get()); });
}
[[nodiscard]] inline auto take_for(duration time, queue on) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_take_for(s, time.count(), on.get()); });
}
/** Emits the latest element when `trigger` emits. */
[[nodiscard]] inline auto sample(any_signal trigger) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_sample_on(s, trigger.get()); });
}
[[nodiscard]] inline auto sample(duration time, queue on) {
    return detail::same_type([=](sgk_signal *s) { return sgk_signal_sample(s, time.count(), on.get()); });
}

namespace detail {
template <class F>
auto to_vectors(F f) {
    return on_signal([f = std::move(f)](const auto &source) {
        return made<signal<std::vector<element_t<decltype(source)>>>>(f(source.get()));
    });
}
template <class F>
auto with_duration(F f) {
    return on_signal([f = std::move(f)](const auto &source) {
        return made<signal<std::tuple<duration, element_t<decltype(source)>>>>(f(source.get()));
    });
}
} // namespace detail

/** Emits vectors of `count` elements, like the next two operators. The last one may be shorter. */
[[nodiscard]] inline auto chunked(std::int64_t count) {
    return detail::to_vectors([=](sgk_signal *s) { return sgk_signal_chunked(s, count); });
}
[[nodiscard]] inline auto chunked(std::int64_t count, duration time, queue on) {
    return detail::to_vectors(
        [=](sgk_signal *s) { return sgk_signal_chunked_within(s, count, time.count(), on.get()); });
}
[[nodiscard]] inline auto chunked_by(any_signal boundary, std::int64_t limit) {
    return detail::to_vectors([=](sgk_signal *s) { return sgk_signal_chunked_by(s, boundary.get(), limit); });
}
/** Emits vectors of `count` elements. Each one starts `every` elements after the one before. */
[[nodiscard]] inline auto windowed(std::int64_t count, std::int64_t every = 1) {
    return detail::to_vectors([=](sgk_signal *s) { return sgk_signal_windowed(s, count, every); });
}
/** Emits tuples of the time of arrival, by the clock of `on`, and the element. */
[[nodiscard]] inline auto timestamped(queue on) {
    return detail::with_duration([=](sgk_signal *s) { return sgk_signal_timestamped(s, on.get()); });
}
/** Emits tuples of the time since the previous element and the element. */
[[nodiscard]] inline auto time_interval(queue on) {
    return detail::with_duration([=](sgk_signal *s) { return sgk_signal_time_interval(s, on.get()); });
}
/** Writes texts to a descriptor. A socket for datagrams also takes tuples of data and address. */
[[nodiscard]] inline auto sink_fd(int fd, bool closes, queue on, bound of = {}) {
    return detail::same_type([=](sgk_signal *s) {
        return of.apply([&](auto b) { return sgk_signal_sink_fd(s, fd, closes, b, on.get()); });
    });
}

// ---- Combining ----

namespace detail {

template <class T>
std::vector<sgk_signal *> raw_signals(const std::vector<signal<T>> &sources) {
    std::vector<sgk_signal *> raw;
    for (const signal<T> &s : sources) raw.push_back(s.get());
    return raw;
}
/** A signal of tuples. If a function of their elements follows, the library calls it without an array: `make(function,
 * context, destroy)`. */
template <class Make, class... T>
class [[nodiscard]] combined : public signal<std::tuple<T...>> {
public:
    using combining = void;
    combined(signal<std::tuple<T...>> tuples, Make make)
        : signal<std::tuple<T...>>(std::move(tuples)), make_(std::move(make)) {}

    template <class S>
    auto absorb(S stage) const {
        using F = typename S::function;
        using out = typename S::template in<std::tuple<T...>>::out;
        using chain = link<entry<out, false>, done_stage>;
        return fused<out, chain>(
            made<signal<out>>(make_(called_with<F, out>::call, new F(std::move(stage.f)), destroy<F>)), chain{});
    }

private:
    template <class F, class out>
    struct called_with {
        static sgk_value call(void *context, const sgk_value *items, std::size_t) noexcept {
            return of(*static_cast<F *>(context), items, std::index_sequence_for<T...>());
        }
        template <std::size_t... I>
        static sgk_value of(F &f, const sgk_value *items, std::index_sequence<I...>) noexcept {
            return guarded(
                [&] {
                    if (!(codec<T>::matches(items[I]) && ...))
                        return failed_step(value("map: not elements of these types"));
                    return codec<out>::to(out(f(element_of<T>(items[I])...)));
                },
                failed_step);
        }
    };

    Make make_;
};
template <class... T, class Make>
auto as_combined(sgk_signal *tuples, Make make) {
    return combined<Make, T...>(made<signal<std::tuple<T...>>>(tuples), std::move(make));
}

/** Returns the signal of tuples that `make(signals, count)` creates, and `make_map(signals, count, function, context,
 * destroy)` with a function. */
template <class Make, class MakeMap, class... S>
auto joined(const Make &make, MakeMap make_map, const S &...sources) {
    constexpr bool are_signals = (is_flow<S> && ...);
    static_assert(are_signals, "sgk: only signals can be combined; give a function for their elements to map");
    if constexpr (!are_signals) {
        return signal<value>(); // so that the compiler has one error
    } else {
        const std::tuple<signal<element_t<S>>...> all(sources...);
        const auto with_raw = [](const auto &tuple, const auto &use) {
            return std::apply(
                [&](const auto &...each) {
                    sgk_signal *raw[] = {each.get()...};
                    return use(raw, sizeof...(S));
                },
                tuple);
        };
        return as_combined<element_t<S>...>(with_raw(all, make),
            [all, with_raw, make_map = std::move(make_map)](sgk_map_array_fn f, void *context, sgk_destroy_fn destroy) {
                return with_raw(
                    all, [&](sgk_signal **raw, std::size_t n) { return make_map(raw, n, f, context, destroy); });
            });
    }
}
/** Returns the signal of elements that `make(signals, count)` creates. The signals have the same element type. */
template <class Make, class First, class... S>
auto alike(const Make &make, const First &first, const S &...more) {
    using T = element_t<First>;
    constexpr bool are_alike = (std::is_same_v<T, element_t<S>> && ...);
    static_assert(are_alike, "sgk: the signals have different element types");
    if constexpr (!are_alike) {
        return signal<T>(); // so that the compiler has one error
    } else {
        const std::array<signal<T>, 1 + sizeof...(S)> all{signal<T>(first), signal<T>(more)...};
        std::array<sgk_signal *, 1 + sizeof...(S)> raw{};
        for (std::size_t i = 0; i < raw.size(); i++) raw[i] = all[i].get();
        return made<signal<T>>(make(raw.data(), raw.size()));
    }
}
template <class Make, class T>
auto alike(const Make &make, const std::vector<signal<T>> &all) {
    return made<signal<T>>(make(raw_signals(all).data(), all.size()));
}

} // namespace detail

/** Emits tuples of the latest elements: `combine_latest(a, b) | map([](int a, double b) { … })`. */
template <class... S>
[[nodiscard]] auto combine_latest(const S &...sources) {
    return detail::joined([](auto raw, std::size_t n) { return sgk_combine_latest(raw, n, nullptr); },
        [](auto raw, std::size_t n, auto f, void *context, auto destroy) {
            return sgk_combine_latest_map(raw, n, f, context, destroy, nullptr);
        },
        sources...);
}
/** Emits vectors of the latest elements, on the queue `on` if it is not empty. */
template <class T>
[[nodiscard]] signal<std::vector<T>> combine_latest(const std::vector<signal<T>> &sources, const queue &on = {}) {
    return detail::made<signal<std::vector<T>>>(
        sgk_combine_latest(detail::raw_signals(sources).data(), sources.size(), on.get()));
}
/** Emits tuples of the first elements of all signals, then of their second elements, and so on. */
template <class... S>
[[nodiscard]] auto zip(const bound &of, const S &...sources) {
    return detail::joined([&](auto raw, std::size_t n) { return of.apply([&](auto b) { return sgk_zip(raw, n, b); }); },
        [of](auto raw, std::size_t n, auto f, void *context, auto destroy) {
            return of.apply([&](auto b) { return sgk_zip_map(raw, n, b, f, context, destroy); });
        },
        sources...);
}
template <class T>
[[nodiscard]] signal<std::vector<T>> zip(const bound &of, const std::vector<signal<T>> &sources) {
    const auto raw = detail::raw_signals(sources);
    return detail::made<signal<std::vector<T>>>(of.apply([&](auto b) { return sgk_zip(raw.data(), raw.size(), b); }));
}
/** Emits tuples of each element and the latest element of `other`. */
template <class S>
[[nodiscard]] auto with_latest_from(const S &other) {
    using U = detail::element_t<S>;
    return detail::on_signal([other = signal<U>(other)](const auto &source) {
        using T = detail::element_t<decltype(source)>;
        return detail::as_combined<T, U>(sgk_signal_with_latest_from(source.get(), other.get()),
            [source = signal<T>(source), other](sgk_map_array_fn f, void *context, sgk_destroy_fn destroy) {
                return sgk_signal_with_latest_from_map(source.get(), other.get(), f, context, destroy);
            });
    });
}
/** Passes the elements of all signals, which have the same type. A std::vector of signals is accepted, too. */
template <class... S>
[[nodiscard]] auto merge(const S &...sources) {
    return detail::alike(sgk_merge, sources...);
}
/** Runs the signals one after another. */
template <class... S>
[[nodiscard]] auto concat(const S &...sources) {
    return detail::alike(sgk_concat, sources...);
}
/** Passes the events of the signal that emits first. */
template <class... S>
[[nodiscard]] auto race(const S &...sources) {
    return detail::alike(sgk_race, sources...);
}

SGK_CPP_END

#endif
