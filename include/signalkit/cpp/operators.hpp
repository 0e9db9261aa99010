/** @file
 * Operators: `source | sgk::map(f) | sgk::take(3) | sgk::start(next)`.
 *
 * Each operator has the name of its C function without `sgk_signal_`, and the same arguments and behaviour. The
 * comments here describe only differences. A callback is the last argument, except that a queue, optional arguments and
 * a list of signals follow it. Any function of a signal is an operator, so you can use yours, too.
 */
#ifndef SIGNALKIT_CPP_OPERATORS_HPP
#define SIGNALKIT_CPP_OPERATORS_HPP

#include "signal.hpp"

namespace sgk {

/** Applies an operator. */
template <class Op, class = std::enable_if_t<std::is_invocable_v<Op, const signal &>>>
decltype(auto) operator|(const signal &source, Op &&op) {
    detail::require(source);
    return std::forward<Op>(op)(source);
}

/** Starts a subscription: `source | sgk::start(next, error, completed)`. See signal::start. */
template <class N = none, class E = none, class C = none, class S = none>
auto start(N next = {}, E on_error = {}, C completed = {}, S started = {}) {
    return [all = detail::observe(std::move(next), std::move(on_error), std::move(completed), std::move(started))](
               const signal &source) { return detail::start(source, all); };
}

namespace detail {

template <class T>
auto raw(const T &argument) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) return argument;
    else return argument.get();
}

/** Returns the operator of a C function without a callback. It stores the arguments that follow the signal. */
template <class Function, class... A>
auto plain(Function function, A... arguments) {
    return [=](const signal &source) { return made<signal>(function(source.get(), raw(arguments)...)); };
}

/** Returns the operator of a C function whose callback is the last argument. `arguments` precede the callback. `with`
 * is
 * with_callback, or a similar function. */
template <class With, class Function, class F, class... A>
auto stage_with(With with, Function function, F f, A... arguments) {
    return [with, function, f = shared<F>(std::move(f)), arguments...](const signal &source) {
        return with(
            [=](auto callback, void *context, sgk_destroy_fn destroy) {
                return function(source.get(), raw(arguments)..., callback, context, destroy);
            },
            f);
    };
}
template <class Fn, class... A>
auto stage(A... arguments) {
    return stage_with(
        [](auto apply, const auto &f) { return with_callback<Fn>(std::move(apply), f); }, std::move(arguments)...);
}
template <class Fn, class... A>
auto results(A... arguments) {
    return stage_with(
        [](auto apply, const auto &f) { return with_results<Fn>(std::move(apply), f); }, std::move(arguments)...);
}
template <class Fn, class... A>
auto inner(A... arguments) {
    return stage_with(
        [](auto apply, const auto &f) { return with_signals<Fn>(std::move(apply), f); }, std::move(arguments)...);
}

/** Returns the operator of a stage without state. `function` is the C function for a callback that cannot throw. */
template <class Fn, class Step, class Function, class F>
auto step(Function function, F f) {
    if constexpr (detail::function<Fn>::template plain<F>) return stage<Fn>(function, std::move(f));
    else return [f = shared<F>(std::move(f))](const signal &source) { return stepped<Step>(source, f); };
}

template <class F, std::size_t... I>
sgk_value call_spread(F &f, const sgk_value *values, std::index_sequence<I...>) {
    return call<sgk_value>(f, values[I]...);
}

/** Calls `f` with the values of an array as arguments. */
template <std::size_t count, class F>
auto spread(F f) {
    return [f = std::move(f)](const sgk_value *values, std::size_t) mutable {
        return call_spread(f, values, std::make_index_sequence<count>{});
    };
}

template <class F, class G>
struct loop {
    F once;
    G reduce;

    static sgk_signal *next_round(void *self, const sgk_value *accumulated) noexcept {
        try {
            return signal(static_cast<loop *>(self)->once(
                              accumulated ? std::optional<value>(read<value>(*accumulated)) : std::nullopt))
                .release();
        } catch (...) { return failing(caught()); }
    }
    static sgk_value fold(void *self, sgk_value accumulated, sgk_value v) noexcept {
        return call<sgk_value>(static_cast<loop *>(self)->reduce, accumulated, v);
    }
};

/** Two callbacks: one returns the key of a value, the other one the signal of a value or of a group. */
template <class K, class F>
struct keyed {
    K key;
    F make;

    using run = bound<keyed>;

    static sgk_value key_of(void *self, sgk_value v) noexcept {
        try {
            return call<sgk_value>((*static_cast<run *>(self)->f).key, v);
        } catch (...) {
            static_cast<run *>(self)->outlet.error(caught());
            return sgk_null();
        }
    }
    template <class... A>
    static sgk_signal *made_of(void *self, A... arguments) noexcept {
        try {
            return call<sgk_signal *>((*static_cast<run *>(self)->f).make, arguments...);
        } catch (...) { return failing(caught()); }
    }
};

/** Returns the operator of a C function with both callbacks. It is created for each subscription, because `key` may
 * throw. */
template <class Fn, class Function, class K, class F>
auto per_key(Function function, K key, F make, owned_bound limits) {
    using both = keyed<K, F>;
    return [=, f = shared<both>({std::move(key), std::move(make)})](const signal &source) {
        auto apply = [=](subscriber outlet) {
            const Fn make_of = both::made_of;
            return made<signal>(function(source.get(), limits.get(), both::key_of, make_of,
                new bound<both>{f, std::move(outlet)}, destroy<bound<both>>));
        };
        apply({}); // throws for bad arguments
        return generated([=](const subscriber &outlet) { start_into(outlet, apply(outlet)); });
    };
}

/** The callbacks of with_state. */
template <class I, class N, class E, class C, class D>
struct state_watcher {
    I initial;
    N next;
    E error;
    C completed;
    D disposed;

    using state = std::decay_t<std::invoke_result_t<I &>>;
    using run = bound<state_watcher>;

    /** The callbacks for one subscription. An exception fails it. */
    static signal watched(const signal &source, run all) {
        sgk_state_handlers handlers = SGK_STATE_HANDLERS_INIT;
        handlers.context = new run(std::move(all));
        handlers.destroy = destroy<run>;
        handlers.initial_state = [](void *context) noexcept -> void * {
            auto &self = *static_cast<run *>(context);
            try {
                return new state((*self.f).initial());
            } catch (...) {
                self.outlet.error(caught());
                return nullptr;
            }
        };
        handlers.drop = destroy<state>;
        if constexpr (given<N>)
            handlers.next = [](void *context, void *s, sgk_value v) noexcept {
                guarded(context, s, &state_watcher::next, v);
            };
        if constexpr (given<E>)
            handlers.error = [](void *context, void *s, sgk_value e) noexcept {
                guarded(context, s, &state_watcher::error, e);
            };
        if constexpr (given<C>)
            handlers.completed = [](void *context, void *s) noexcept {
                guarded(context, s, &state_watcher::completed);
            };
        if constexpr (given<D>)
            handlers.disposed = [](void *context, void *s) noexcept {
                if (s) (*static_cast<run *>(context)->f).disposed(*static_cast<state *>(s));
            };
        return made<signal>(sgk_signal_with_state(source.get(), &handlers));
    }

private:
    template <class F, class... A>
    static void guarded(void *context, void *s, F state_watcher::*which, A... arguments) noexcept {
        auto &self = *static_cast<run *>(context);
        try {
            invoke_with(*static_cast<state *>(s), (*self.f).*which, arguments...);
        } catch (...) { self.outlet.error(caught()); }
    }
};

inline std::vector<sgk_signal *> raw_signals(const std::vector<signal> &sources) {
    std::vector<sgk_signal *> raw;
    for (const signal &s : sources) raw.push_back(s.get());
    return raw;
}

} // namespace detail

// ---- Mapping ----

template <class F>
auto map(F f) {
    return detail::step<sgk_map_fn, detail::mapping>(sgk_signal_map, std::move(f));
}
template <class F>
auto filter(F f) {
    return detail::step<sgk_filter_fn, detail::filtering>(sgk_signal_filter, std::move(f));
}
template <class F>
auto map_error(F f) {
    return detail::stage<sgk_map_fn>(sgk_signal_map_error, std::move(f));
}
/** `f` returns a std::optional. If it is empty, the value is dropped. */
template <class F>
auto compact_map(F f) {
    return [f = detail::shared<F>(std::move(f))](
               const signal &source) { return detail::stepped<detail::choosing>(source, f); };
}
inline auto ignore_values() { return detail::plain(sgk_signal_ignore_values); }
inline auto distinct_until_changed() { return detail::plain(sgk_signal_distinct_until_changed); }
/** Like sgk_signal_distinct_until_changed_by. */
template <class F>
auto distinct_until_changed(F equal) {
    return detail::stage<sgk_equal_fn>(sgk_signal_distinct_until_changed_by, std::move(equal));
}
inline auto serialized() { return detail::plain(sgk_signal_serialized); }

template <class F>
auto reduce(value initial, F f) {
    return detail::stage<sgk_reduce_fn>(sgk_signal_reduce, std::move(f), std::move(initial));
}
/** `f` is called as `f(accumulated, value, emitter)`, with a sgk::emitter. */
template <class F>
auto reduce_emitting(value initial, F f) {
    return detail::stage<sgk_reduce_emitting_fn>(sgk_signal_reduce_emitting, std::move(f), std::move(initial));
}
template <class F>
auto reduce_generator(value initial, F f) {
    return detail::inner<sgk_reduce_generator_fn>(sgk_signal_reduce_generator, std::move(f), std::move(initial));
}
/** Emits each accumulated value, beginning with `f(initial, value)` for the first value. */
template <class F>
auto scan(value initial, F f) {
    return detail::results<sgk_reduce_fn>(sgk_signal_scan, std::move(f), std::move(initial));
}

inline auto pairwise() { return detail::plain(sgk_signal_pairwise); }
inline auto enumerated() { return detail::plain(sgk_signal_enumerated); }
inline auto to_array(std::int64_t limit, sgk_overflow overflow = SGK_OVERFLOW_ERROR, value error = "no room",
    overflow_counter counter = {}) {
    return detail::plain(
        sgk_signal_to_array, detail::owned_bound(limit, overflow, std::move(error), std::move(counter)));
}
inline auto distinct(std::int64_t limit, sgk_overflow overflow = SGK_OVERFLOW_DROP_OLDEST, value error = {},
    overflow_counter counter = {}) {
    return detail::plain(
        sgk_signal_distinct, detail::owned_bound(limit, overflow, std::move(error), std::move(counter)));
}
template <class F>
auto distinct_by(std::int64_t limit, F key, sgk_overflow overflow = SGK_OVERFLOW_DROP_OLDEST, value error = {},
    overflow_counter counter = {}) {
    return detail::stage<sgk_map_fn>(sgk_signal_distinct_by, std::move(key),
        detail::owned_bound(limit, overflow, std::move(error), std::move(counter)));
}

inline value event_make_next(const value &v) { return value(sgk_event_make_next(v.get())); }
inline value event_make_error(const value &e) { return value(sgk_event_make_error(e.get())); }
inline value event_make_completed() { return value(sgk_event_make_completed()); }
inline auto to_events() { return detail::plain(sgk_signal_to_events); }
inline auto from_events() { return detail::plain(sgk_signal_from_events); }

// ---- Taking ----

inline auto take(std::int64_t count) { return detail::plain(sgk_signal_take, count); }
/** `f` returns a sgk_take_action. */
template <class F>
auto take_until(F f) {
    return detail::stage<sgk_take_until_fn>(sgk_signal_take_until, std::move(f));
}
inline auto take_last(std::int64_t count = 1) { return detail::plain(sgk_signal_take_last, count); }
inline auto last() { return detail::plain(sgk_signal_last); }
template <class F>
auto take_while(F f) {
    return detail::stage<sgk_filter_fn>(sgk_signal_take_while, std::move(f));
}
inline auto skip(std::int64_t count) { return detail::plain(sgk_signal_skip, count); }
template <class F>
auto skip_while(F f) {
    return detail::stage<sgk_filter_fn>(sgk_signal_skip_while, std::move(f));
}
inline auto first() { return detail::plain(sgk_signal_first); }
inline auto first_or(value v) { return detail::plain(sgk_signal_first_or, std::move(v)); }
inline auto skip_until(signal until) { return detail::plain(sgk_signal_skip_until, std::move(until)); }
inline auto take_until_signal(signal until) { return detail::plain(sgk_signal_take_until_signal, std::move(until)); }

// ---- Side effects ----

template <class F>
auto before_next(F f) {
    return detail::step<sgk_next_fn, detail::watching>(sgk_signal_before_next, std::move(f));
}
template <class F>
auto after_next(F f) {
    return detail::stage<sgk_next_fn>(sgk_signal_after_next, std::move(f));
}
template <class F>
auto before_started(F f) {
    return detail::stage<sgk_action_fn>(sgk_signal_before_started, std::move(f));
}
template <class F>
auto before_error(F f) {
    return detail::stage<sgk_error_fn>(sgk_signal_before_error, std::move(f));
}
template <class F>
auto before_completed(F f) {
    return detail::stage<sgk_completed_fn>(sgk_signal_before_completed, std::move(f));
}
/** `f` is called after the end, so an exception terminates the program. */
template <class F>
auto after_completed(F f) {
    return detail::stage<sgk_completed_fn>(sgk_signal_after_completed, [f = std::move(f)]() mutable noexcept { f(); });
}
/** `f` is called after the end, so an exception terminates the program. */
template <class F>
auto after_disposed(F f) {
    return detail::stage<sgk_action_fn>(sgk_signal_after_disposed, [f = std::move(f)]() mutable noexcept { f(); });
}
/** Calls functions at the events of the signal, with a state for each subscription.
 *
 * `initial()` returns the state, of any type. The others receive a reference to it: `next(state, value)`, `error(state,
 * value)`, `completed(state)`, `disposed(state)`. Each of them may be missing, or sgk::none. `disposed` is
 * called after the end, so an exception of it terminates the program. */
template <class I, class N = none, class E = none, class C = none, class D = none>
auto with_state(I initial, N next = {}, E on_error = {}, C completed = {}, D disposed = {}) {
    using W = detail::state_watcher<I, N, E, C, D>;
    detail::shared<W> all(
        {std::move(initial), std::move(next), std::move(on_error), std::move(completed), std::move(disposed)});
    return [all = std::move(all)](const signal &source) {
        detail::require(source);
        return detail::generated([source, all](const subscriber &outlet) {
            detail::start_into(outlet, W::watched(source, {all, outlet}));
        });
    };
}
inline auto named(std::string name) {
    return [name = std::move(name)](
               const signal &source) { return detail::made<signal>(sgk_signal_named(source.get(), name.c_str())); };
}
inline auto trace(std::string name) {
    return [name = std::move(name)](
               const signal &source) { return detail::made<signal>(sgk_signal_trace(source.get(), name.c_str())); };
}

// ---- Signals of signals; a callback returns a sgk::signal ----

inline auto switch_to_latest() { return detail::plain(sgk_signal_switch_to_latest); }
inline auto concat_all() { return detail::plain(sgk_signal_concat_all); }
inline auto concat_latest() { return detail::plain(sgk_signal_concat_latest); }
inline auto take_until_replacement(signal replacement) {
    return detail::plain(sgk_signal_take_until_replacement, std::move(replacement));
}
template <class F>
auto switch_map(F f) {
    return detail::inner<sgk_map_to_signal_fn>(sgk_signal_switch_map, std::move(f));
}
template <class F>
auto concat_map(F f) {
    return detail::stage<sgk_map_to_signal_fn>(sgk_signal_concat_map, std::move(f));
}
template <class F>
auto concat_map_latest(F f) {
    return detail::stage<sgk_map_to_signal_fn>(sgk_signal_concat_map_latest, std::move(f));
}
inline auto merge_all(std::int64_t limit, std::int64_t waiting, sgk_overflow overflow = SGK_OVERFLOW_ERROR,
    value error = "no room", overflow_counter counter = {}) {
    return detail::plain(sgk_signal_merge_all, limit,
        detail::owned_bound(waiting == 0 ? SGK_UNBUFFERED : waiting, overflow, std::move(error), std::move(counter)));
}
template <class F>
auto merge_map(std::int64_t limit, std::int64_t waiting, F f, sgk_overflow overflow = SGK_OVERFLOW_ERROR,
    value error = "no room", overflow_counter counter = {}) {
    return detail::inner<sgk_map_to_signal_fn>(sgk_signal_merge_map, std::move(f), limit,
        detail::owned_bound(waiting == 0 ? SGK_UNBUFFERED : waiting, overflow, std::move(error), std::move(counter)));
}
inline auto merge_all_ordered(std::int64_t limit, std::int64_t waiting, sgk_overflow overflow = SGK_OVERFLOW_ERROR,
    value error = "no room", overflow_counter counter = {}) {
    return detail::plain(sgk_signal_merge_all_ordered, limit,
        detail::owned_bound(waiting == 0 ? SGK_UNBUFFERED : waiting, overflow, std::move(error), std::move(counter)));
}
template <class F>
auto map_ordered(std::int64_t limit, std::int64_t waiting, F f, sgk_overflow overflow = SGK_OVERFLOW_ERROR,
    value error = "no room", overflow_counter counter = {}) {
    return detail::inner<sgk_map_to_signal_fn>(sgk_signal_map_ordered, std::move(f), limit,
        detail::owned_bound(waiting == 0 ? SGK_UNBUFFERED : waiting, overflow, std::move(error), std::move(counter)));
}
template <class F>
auto exhaust_map(F f) {
    return detail::inner<sgk_map_to_signal_fn>(sgk_signal_exhaust_map, std::move(f));
}
/** `key(value)` returns the key of a value, `f(value)` a sgk::signal. */
template <class K, class F>
auto switch_map_per(std::int64_t limit, K key, F f, sgk_overflow overflow = SGK_OVERFLOW_ERROR, value error = "no room",
    overflow_counter counter = {}) {
    return detail::per_key<sgk_map_to_signal_fn>(sgk_signal_switch_map_per, std::move(key), std::move(f),
        detail::owned_bound(limit, overflow, std::move(error), std::move(counter)));
}
/** `key(value)` returns the key of a value. `pipeline(key, values)` receives a sgk::signal of the values and returns a
 * sgk::signal. */
template <class K, class F>
auto group_by(std::int64_t limit, K key, F pipeline, sgk_overflow overflow = SGK_OVERFLOW_ERROR,
    value error = "no room", overflow_counter counter = {}) {
    return detail::per_key<sgk_pipeline_fn>(sgk_signal_group_by, std::move(key), std::move(pipeline),
        detail::owned_bound(limit, overflow, std::move(error), std::move(counter)));
}

// ---- Sequences, repeat and retry ----

inline auto concat_with(signal next) { return detail::plain(sgk_signal_concat_with, std::move(next)); }
/** Like sgk_signal_catch (`catch` is a keyword). */
template <class F>
auto catch_error(F f) {
    return detail::inner<sgk_map_to_signal_fn>(sgk_signal_catch, std::move(f));
}
inline auto start_with(value v) { return detail::plain(sgk_signal_start_with, std::move(v)); }
inline auto end_with(value v) { return detail::plain(sgk_signal_end_with, std::move(v)); }
inline auto default_if_empty(value v) { return detail::plain(sgk_signal_default_if_empty, std::move(v)); }
inline auto switch_if_empty(signal other) { return detail::plain(sgk_signal_switch_if_empty, std::move(other)); }
inline auto catch_with(signal other) { return detail::plain(sgk_signal_catch_with, std::move(other)); }
inline auto catch_and_return(value v) { return detail::plain(sgk_signal_catch_and_return, std::move(v)); }
/** Runs the signals one after another. */
inline signal concat(const std::vector<signal> &sources) {
    return detail::made<signal>(sgk_concat(detail::raw_signals(sources).data(), sources.size()));
}
template <class... S>
signal concat(const signal &first, const S &...more) {
    return concat(std::vector<signal>{first, more...});
}
inline auto repeat(std::int64_t count) { return detail::plain(sgk_signal_repeat, count); }
inline auto restart() { return detail::plain(sgk_signal_restart); }
/** Starts the signal again each time it fails. See sgk_signal_retry. `size` of the policy may be 0. */
inline auto retry(sgk_retry policy = {}, queue on = {}) {
    policy.size = sizeof policy;
    return
        [=](const signal &source) { return detail::made<signal>(sgk_signal_retry(source.get(), &policy, on.get())); };
}
/** Like retry, but `decide(error, failures)` returns a sgk::signal, or an empty one to start again after the wait. */
template <class F>
auto retry(sgk_retry policy, F decide, queue on = {}) {
    policy.size = sizeof policy;
    return [=, f = detail::shared<F>(std::move(decide))](const signal &source) {
        return detail::with_signals<sgk_retry_fn>(
            [=](auto callback, void *context, sgk_destroy_fn destroy) {
                sgk_retry whole = policy;
                whole.decide = callback, whole.context = context, whole.destroy = destroy;
                return sgk_signal_retry(source.get(), &whole, on.get());
            },
            f);
    };
}

/** Runs the signals that `once(accumulated)` returns, until one is empty, and folds their values by
 * `reduce(accumulated, value)`.
 *
 * `accumulated` is a std::optional<sgk::value>, which is empty before the first value. An exception of `once` fails the
 * result. An exception of `reduce` terminates the program. */
template <class F, class G>
signal accumulating_loop(F once, G reduce) {
    using L = detail::loop<F, G>;
    return detail::made<signal>(
        sgk_accumulating_loop(L::next_round, L::fold, new L{std::move(once), std::move(reduce)}, detail::destroy<L>));
}

// ---- Time ----

inline auto throttle(double seconds, sgk_edges edges, queue on) {
    return detail::plain(sgk_signal_throttle, seconds, edges, std::move(on));
}
inline auto throttle(double seconds, queue on) { return throttle(seconds, SGK_EDGES_BOTH, std::move(on)); }
inline auto debounce(double seconds, queue on) { return detail::plain(sgk_signal_debounce, seconds, std::move(on)); }
inline auto deliver_on(queue on) { return detail::plain(sgk_signal_deliver_on, std::move(on)); }
inline auto deliver_on(thread_pool on) { return detail::plain(sgk_signal_deliver_on_thread_pool, std::move(on)); }
inline auto run_on(thread_pool on) { return detail::plain(sgk_signal_run_on_thread_pool, std::move(on)); }
/** Delivers with a buffer of limited size. See sgk_signal_deliver_on_bounded. */
inline auto deliver_on(
    queue on, int64_t limit, sgk_overflow overflow, value error = {}, overflow_counter counter = {}) {
    return detail::plain(sgk_signal_deliver_on_bounded,
        detail::owned_bound(limit, overflow, std::move(error), std::move(counter)), std::move(on));
}
inline auto run_on(queue on) { return detail::plain(sgk_signal_run_on, std::move(on)); }
/** Starts the signal after a delay. It does not delay the events. */
inline auto delay_start(double seconds, queue on) {
    return detail::plain(sgk_signal_delay_start, seconds, std::move(on));
}
inline auto suspend_aware_delay(double seconds, double granularity, queue on) {
    return detail::plain(sgk_signal_suspend_aware_delay, seconds, granularity, std::move(on));
}
inline auto timeout(double seconds, queue on) { return detail::plain(sgk_signal_timeout, seconds, std::move(on)); }
inline auto timeout_first(double seconds, queue on) {
    return detail::plain(sgk_signal_timeout_first, seconds, std::move(on));
}
/** Blocks the start until the first event of any kind, or for `seconds`. The end of the wait cancels nothing. */
inline auto blocking(double seconds) { return detail::plain(sgk_signal_blocking, seconds); }
inline auto blocking(double seconds, queue on) { return detail::plain(sgk_signal_blocking_on, seconds, std::move(on)); }

inline auto chunked(std::int64_t count) { return detail::plain(sgk_signal_chunked, count); }
/** Like sgk_signal_chunked_within. */
inline auto chunked(std::int64_t count, double seconds, queue on) {
    return detail::plain(sgk_signal_chunked_within, count, seconds, std::move(on));
}
inline auto chunked_by(signal boundary, std::int64_t limit) {
    return detail::plain(sgk_signal_chunked_by, std::move(boundary), limit);
}
inline auto delay(double seconds, queue on, std::int64_t limit, sgk_overflow overflow, value error = {},
    overflow_counter counter = {}) {
    return detail::plain(sgk_signal_delay, seconds,
        detail::owned_bound(limit, overflow, std::move(error), std::move(counter)), std::move(on));
}
inline auto sink_fd(std::int64_t fd, std::int64_t limit, bool closes, queue on) {
    return detail::plain(sgk_signal_sink_fd, fd, limit, closes, std::move(on));
}
inline auto timestamped(queue on) { return detail::plain(sgk_signal_timestamped, std::move(on)); }
inline auto time_interval(queue on) { return detail::plain(sgk_signal_time_interval, std::move(on)); }
inline auto take_for(double seconds, queue on) { return detail::plain(sgk_signal_take_for, seconds, std::move(on)); }
/** Like sgk_signal_sample_on. */
inline auto sample(signal trigger) { return detail::plain(sgk_signal_sample_on, std::move(trigger)); }
inline auto sample(double seconds, queue on) { return detail::plain(sgk_signal_sample, seconds, std::move(on)); }

// ---- Combining ----

/** Emits arrays of the latest values of all signals, on the queue `on` if it is not empty. */
inline signal combine_latest(const std::vector<signal> &sources, const queue &on = {}) {
    return detail::made<signal>(sgk_combine_latest(detail::raw_signals(sources).data(), sources.size(), on.get()));
}
template <class... S>
signal combine_latest(const signal &first, const S &...more) {
    return combine_latest(std::vector<signal>{first, more...});
}

/** Emits the result of `f` for the latest values of all signals, on a queue. */
template <class F, class... S>
signal combine_latest_map(F f, const queue &on, const S &...sources) {
    auto spread = detail::spread<sizeof...(S)>(std::move(f));
    return detail::with_results<sgk_map_array_fn>(
        [on, all = std::vector<signal>{sources...}](sgk_map_array_fn callback, void *context, sgk_destroy_fn destroy) {
            return sgk_combine_latest_map(
                detail::raw_signals(all).data(), all.size(), callback, context, destroy, on.get());
        },
        detail::shared<decltype(spread)>(std::move(spread)));
}
/** Emits the result of `f` for the latest values of all signals, on the emitting threads.
 *
 * `combine_latest_map([](int64_t a, double b) { return a * b; }, left, right)` is an example. */
template <class F, class... S>
signal combine_latest_map(F f, const signal &first, const S &...more) {
    return combine_latest_map(std::move(f), queue(), first, more...);
}

/** Emits arrays of the latest values, like combine_latest, with initial values.
 *
 * `initial` has an element for each signal. `on` is a queue, as in combine_latest. */
inline signal combine_signals(
    const std::vector<signal> &sources, const std::vector<std::optional<value>> &initial, const queue &on = {}) {
    if (initial.size() != sources.size())
        throw error(SGK_ERROR_ARGUMENT, "sgk::combine_signals: initial: has not one for each signal");
    std::vector<sgk_value> states;
    std::vector<const sgk_value *> places;
    for (const auto &state : initial) states.push_back(state ? state->get() : sgk_null());
    for (std::size_t i = 0; i < states.size(); i++) places.push_back(initial[i] ? &states[i] : nullptr);
    return detail::made<signal>(
        sgk_combine_signals(detail::raw_signals(sources).data(), sources.size(), places.data(), on.get()));
}

/** Passes the values of all signals. */
inline signal merge(const std::vector<signal> &sources) {
    return detail::made<signal>(sgk_merge(detail::raw_signals(sources).data(), sources.size()));
}
template <class... S>
signal merge(const signal &first, const S &...more) {
    return merge(std::vector<signal>{first, more...});
}

/** Emits an array of the first values of all signals, then of their second values, and so on. */
inline signal zip(const std::vector<signal> &sources, std::int64_t limit, sgk_overflow overflow = SGK_OVERFLOW_ERROR,
    const value &error = "no room", const overflow_counter &counter = {}) {
    const auto raw = detail::raw_signals(sources);
    const detail::owned_bound bound(limit, overflow, error, counter);
    return detail::made<signal>(sgk_zip(raw.data(), raw.size(), bound.get()));
}
/** Emits the result of `f` for the first values, the second values, and so on.
 *
 * If more than `limit` values of a signal are pending, the result fails.
 * `zip_map(100, [](int64_t a, double b) { return a * b; }, left, right)` is an example. */
template <class F, class... S>
signal zip_map(std::int64_t limit, F f, const S &...sources) {
    auto spread = detail::spread<sizeof...(S)>(std::move(f));
    return detail::with_results<sgk_map_array_fn>(
        [limit, all = std::vector<signal>{sources...}](
            sgk_map_array_fn callback, void *context, sgk_destroy_fn destroy) {
            const auto raw = detail::raw_signals(all);
            const detail::owned_bound bound(limit, SGK_OVERFLOW_ERROR, "no room", {});
            return sgk_zip_map(raw.data(), raw.size(), bound.get(), callback, context, destroy);
        },
        detail::shared<decltype(spread)>(std::move(spread)));
}

inline signal race(const std::vector<signal> &sources) {
    const auto raw = detail::raw_signals(sources);
    return detail::made<signal>(sgk_race(raw.data(), raw.size()));
}
template <class... S>
signal race(const signal &first, const S &...more) {
    return race(std::vector<signal>{first, more...});
}

// ---- A signal and the latest value of another one ----

inline auto with_latest_from(signal other) { return detail::plain(sgk_signal_with_latest_from, std::move(other)); }
/** Like sgk_signal_with_latest_from_map, with `f(value, latest)`. */
template <class F>
auto with_latest_from(signal other, F f) {
    return detail::results<sgk_map_array_fn>(
        sgk_signal_with_latest_from_map, detail::spread<2>(std::move(f)), std::move(other));
}

} // namespace sgk

#endif
