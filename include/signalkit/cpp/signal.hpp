/** @file
 * Signals, subscribers and pipes. See signal.h and pipe.h.
 */
#ifndef SIGNALKIT_CPP_SIGNAL_HPP
#define SIGNALKIT_CPP_SIGNAL_HPP

#include "queue.hpp"

namespace sgk {

/** Represents a missing callback. */
struct none {};

template <class T>
class awaited_first;

/** An immutable description of a stream of values. Each start creates an independent subscription. */
class signal : public handle<sgk_signal> {
public:
    using handle::handle;

    /** Starts a subscription with the callbacks `next(value)`, `error(value)`, `completed()` and `started(disposable)`.
     *
     * Each may be missing, or sgk::none. `started` is called before the generator. Destroying the returned disposable
     * does not stop the subscription. */
    template <class N = none, class E = none, class C = none, class S = none>
    disposable start(N next = {}, E on_error = {}, C completed = {}, S started = {}) const;

    /** Starts a subscription that disposable::dispose_and_wait accepts. */
    template <class N = none, class E = none, class C = none, class S = none>
    disposable start_waitable(N next = {}, E on_error = {}, C completed = {}, S started = {}) const;

    /** Describes the signal: as text with one line per stage, for Graphviz, or as JSON. See debug.h. */
    std::string describe() const;
    std::string to_dot() const;
    std::string to_json() const;

#ifdef __cpp_impl_coroutine
    /** Waits for the first value in a coroutine: `co_await source.first<int64_t>()`.
     *
     * It throws the same exceptions as sgk::get; see coroutine.hpp. */
    template <class T = value>
    awaited_first<T> first() const;
#endif
};

/** The object through which a generator emits. Copy it to emit after the generator has returned. */
class subscriber : public handle<sgk_subscriber> {
public:
    using handle::handle;

    /** Emits a value. Returns false if the subscription has ended: a generator that emits in a loop stops then. */
    bool next(const value &v) const { return emitted(sgk_subscriber_next(get(), v.get())); }
    /** Fails the subscription. Returns false if it has already ended. */
    bool error(const value &e) const { return emitted(sgk_subscriber_error(get(), e.get())); }
    /** Completes the subscription. Returns false if it has already ended. */
    bool complete() const { return emitted(sgk_subscriber_complete(get())); }
    /** Calls `action()` once when the subscription ends or is disposed, also while the generator is running.
     *
     * If that has already happened, the call is immediate. */
    template <class F>
    void on_dispose(F action) const {
        check(sgk_subscriber_on_dispose(
            get(), detail::function<sgk_action_fn>::own<F>, new F(std::move(action)), detail::destroy<F>));
    }
    /** Keeps `object` until the subscription ends or is disposed, or the subscriber is released. */
    template <class T>
    void keep_alive(T object) const {
        check(sgk_subscriber_keep_alive(get(), new T(std::move(object)), detail::destroy<T>));
    }
    /** Creates a subscriber without a signal, for bridges and tests of generators. Its events reach the callbacks. */
    template <class N = none, class E = none, class C = none>
    static subscriber create(N next = {}, E on_error = {}, C completed = {});
    /** Reports whether the subscription is active. */
    bool is_active() const noexcept { return sgk_subscriber_is_active(get()); }

private:
    static bool emitted(sgk_status status) {
        if (status != SGK_ERROR_ENDED) check(status);
        return status == SGK_OK;
    }
};

/** A hot source. It sends each value to the subscriptions that are active at that moment. See pipe.h. */
class pipe : public handle<sgk_pipe> {
public:
    using handle::handle;

    /** Creates a pipe. */
    pipe() : pipe(detail::made<pipe>(sgk_pipe_create())) {}
    /** Creates a pipe that replays its latest value. */
    static pipe replaying() { return detail::made<pipe>(sgk_pipe_create_replay()); }
    /** Returns the signal of the pipe. The signal does not retain the pipe. */
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_pipe_signal(get())); }
    /** Sends a value to all active subscriptions. Returns false if the pipe has ended. */
    bool next(const value &v) const {
        const sgk_status status = sgk_pipe_next(get(), v.get());
        if (status != SGK_ERROR_ENDED) check(status);
        return status == SGK_OK;
    }
    /** Completes the pipe, for active and later subscriptions. */
    void complete() const { check(sgk_pipe_complete(get())); }
    /** Fails the pipe, for active and later subscriptions. */
    void error(const value &e) const { check(sgk_pipe_error(get(), e.get())); }
};

/** Converts signals to values, for signals of signals. */
template <>
struct conversion<signal> {
    static constexpr const char *name = "a signal";
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_SIGNAL; }
    static signal from(sgk_value v) { return detail::made<signal>(sgk_to_signal(v)); }
    static sgk_value to(const signal &s) noexcept { return sgk_signal_value(s.get()); }
};

// ---- Creating signals ----

namespace detail {

/** Throws if a signal is empty. In C a NULL passes through, but in C++ the failed call has thrown. */
inline void require(const signal &source) {
    if (!source) throw error(SGK_ERROR_NULL, "sgk::signal: is empty");
}

/** Calls `generator(subscriber)`. An exception fails the subscription. */
template <class F>
sgk_disposable *generate(sgk_subscriber *borrowed, F &&generator) noexcept {
    const subscriber to(sgk_subscriber_retain(borrowed));
    using R = std::invoke_result_t<F &, const subscriber &>;
    try {
        if constexpr (std::is_void_v<R>) generator(to);
        else if constexpr (std::is_convertible_v<R, disposable>) return disposable(generator(to)).release();
        else return disposable::action(generator(to)).release();
    } catch (...) { sgk_subscriber_error(to.get(), caught().get()); }
    return nullptr;
}

template <class F>
signal generated(F generator) {
    return made<signal>(sgk_signal_create(
        [](void *context, sgk_subscriber *to) noexcept { return generate(to, *static_cast<F *>(context)); },
        new F(std::move(generator)), destroy<F>));
}

} // namespace detail

/** Creates a signal that calls `generator(subscriber)` during each start.
 *
 * The generator returns a disposable that stops the source, a function that is called once to stop it, or nothing. */
template <class F>
signal create(F generator) {
    return detail::generated(std::move(generator));
}

/** Creates a signal that emits one value and completes. */
inline signal just(const value &v) { return detail::made<signal>(sgk_signal_just(v.get())); }
/** Creates a signal that completes. */
inline signal empty() { return detail::made<signal>(sgk_signal_empty()); }
/** Creates a signal that fails. */
inline signal fail(const value &e) { return detail::made<signal>(sgk_signal_fail(e.get())); }
/** Creates a signal that never emits, completes or fails. */
inline signal never() { return detail::made<signal>(sgk_signal_never()); }

// ---- Stages whose callback may throw ----

namespace detail {

/** Returns the result of a throwing callback that should return a signal: a signal that fails the subscription. */
inline sgk_signal *failing(value error) noexcept { return sgk_signal_fail(error.get()); }

/** Returns the signal of `apply(function, context, destroy)`, with a callback of the C type `Fn` that returns a
 * signal. */
template <class Fn, class Apply, class F>
signal with_signals(Apply apply, const shared<F> &f) {
    return made<signal>(apply(function<Fn>::template catching<F, failing>, f.context(), shared<F>::destroy));
}

/** Starts a signal and passes its events to the subscriber. It is disposed when the subscriber ends, also during the
 * start. */
inline void start_into(const subscriber &outlet, const signal &source) {
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.context = sgk_subscriber_retain(outlet.get());
    handlers.destroy = [](void *to) { sgk_subscriber_release(static_cast<sgk_subscriber *>(to)); };
    handlers.started = [](void *to, sgk_disposable *run) {
        sgk_subscriber_on_dispose(
            static_cast<sgk_subscriber *>(to),
            [](void *kept) { sgk_disposable_dispose(static_cast<sgk_disposable *>(kept)); }, sgk_disposable_retain(run),
            [](void *kept) { sgk_disposable_release(static_cast<sgk_disposable *>(kept)); });
    };
    handlers.next = [](void *to, sgk_value v) { sgk_subscriber_next(static_cast<sgk_subscriber *>(to), v); };
    handlers.error = [](void *to, sgk_value e) { sgk_subscriber_error(static_cast<sgk_subscriber *>(to), e); };
    handlers.completed = [](void *to) { sgk_subscriber_complete(static_cast<sgk_subscriber *>(to)); };
    static_cast<void>(made<disposable>(sgk_signal_start(source.get(), &handlers)));
}

template <class F>
struct bound {
    shared<F> f;
    subscriber outlet;
};

/** Returns the signal of `apply(function, context, destroy)`, with a callback of the C type `Fn`.
 *
 * An exception of the callback must fail one subscription. Therefore, if it may throw, the stage is a generator. For
 * each
 * subscription it creates the C operator, with a context that contains the subscriber. */
template <class Fn, class Apply, class F>
signal with_callback(Apply apply, const shared<F> &f) {
    // throws for bad arguments
    signal plain = made<signal>(apply(function<Fn>::template shared<F>, f.context(), shared<F>::destroy));
    if constexpr (function<Fn>::template plain<F>) return plain;
    else
        return generated([apply, f](const subscriber &outlet) {
            using B = bound<F>;
            start_into(outlet, made<signal>(apply(function<Fn>::template guarded<B>, new B{f, outlet}, destroy<B>)));
        });
}

/** Like with_callback, for a callback whose results are emitted. An exception is emitted, too, and then fails the
 * subscription that receives it. */
template <class Fn, class Apply, class F>
signal with_results(Apply apply, const shared<F> &f) {
    if constexpr (function<Fn>::template plain<F>) return with_callback<Fn>(apply, f);
    else {
        const auto results = made<signal>(apply(function<Fn>::template emitting<F>, f.context(), shared<F>::destroy));
        return made<signal>(sgk_signal_map(results.get(), accident::end_run, nullptr, nullptr));
    }
}

// The steps of stages without state, which can fail without a further stage.

struct mapping {
    template <class F>
    static sgk_value step(F &f, matching v) {
        return call<sgk_value>(f, v);
    }
};

struct filtering {
    template <class F>
    static sgk_value step(F &f, matching v) {
        return call<bool>(f, v) ? sgk_unchanged() : sgk_dropped();
    }
};

/** `f` returns an optional. */
struct choosing {
    template <class F>
    static sgk_value step(F &f, matching v) {
        sgk_value found = sgk_null();
        return invoke(storing{&found}, f, v) ? found : sgk_dropped();
    }
};

struct watching {
    template <class F>
    static sgk_value step(F &f, matching v) {
        call<void>(f, v);
        return sgk_unchanged();
    }
};

/** Returns the failure of a step that has thrown. Call it only inside a `catch`. */
[[gnu::cold, gnu::noinline]] inline sgk_value thrown() noexcept { return sgk_failed(caught().release()); }

/** Returns the failure of a step whose callback does not accept the value. */
[[gnu::cold, gnu::noinline]] inline sgk_value mismatched(const char *name, sgk_value v) noexcept {
    try {
        mismatch(name, v);
    } catch (...) { return thrown(); }
}

/** The type of the parameter of a callback. For another number of parameters it is any, and `invoke` reports it. */
template <class Parameters>
struct taken {
    using type = sgk_value;
};
template <class P>
struct taken<types<P>> {
    using type = std::decay_t<P>;
};

/** Calls a step with a value that `f` may not accept, and an `f` that may throw. The check before the call is cheaper
 * than
 * an exception. */
template <class Step, class F>
sgk_value attempt(F &f, sgk_value v) noexcept {
    using T = typename taken<wanted<F, sgk_value>>::type;
    try {
        if constexpr (!std::is_same_v<T, sgk_value>)
            if (!matches<T>(v)) return mismatched(name<T>(), v);
        return Step::step(f, matching{v});
    } catch (...) { return thrown(); }
}

template <class Step, class F>
sgk_value attempted(void *context, sgk_value v) noexcept {
    return attempt<Step>(shared<F>::at(context), v);
}

/** Returns the signal with such a stage. */
template <class Step, class F>
signal stepped(const signal &source, const shared<F> &f) {
    return made<signal>(sgk_signal_map(source.get(), attempted<Step, F>, f.context(), shared<F>::destroy));
}

} // namespace detail

/** Creates a signal that calls `generator()` for each start, and starts the signal that it returns. */
template <class F>
signal deferred(F generator) {
    return detail::with_signals<sgk_deferred_fn>(sgk_signal_deferred, detail::shared<F>(std::move(generator)));
}

// ---- Starting ----

namespace detail {

/** The callbacks of a start. */
template <class N, class E, class C, class S>
struct observer {
    N next;
    E error;
    C completed;
    S started;
};

template <class T>
constexpr bool given = !std::is_same_v<T, none>;

/** Returns the callbacks as C functions, without the context. */
template <class N, class E, class C, class S>
sgk_handlers handlers() {
    using O = shared<observer<N, E, C, S>>;
    sgk_handlers made = SGK_HANDLERS_INIT;
    constexpr bool is_plain = function<sgk_next_fn>::template plain<N>;
    if constexpr (given<N> && is_plain)
        made.next = [](void *self, sgk_value v) noexcept { call<void>(O::at(self).next, v); };
    if constexpr (given<N> && !is_plain)
        made.receive = [](void *self, sgk_value v) noexcept { return attempt<watching>(O::at(self).next, v); };
    if constexpr (given<E>) made.error = [](void *self, sgk_value e) noexcept { call<void>(O::at(self).error, e); };
    if constexpr (given<C>) made.completed = [](void *self) noexcept { call<void>(O::at(self).completed); };
    if constexpr (given<S>)
        made.started = [](void *self, sgk_disposable *run) noexcept { call<void>(O::at(self).started, run); };
    made.destroy = O::destroy;
    return made;
}

template <bool Waitable = false, class N, class E, class C, class S>
disposable start(const signal &source, shared<observer<N, E, C, S>> all) {
    require(source);
    sgk_handlers made_of = handlers<N, E, C, S>();
    made_of.context = all.release();
    if (made_of.next && !given<E> && !given<C> && !given<S> && !Waitable) // it stores less
        return made<disposable>(sgk_signal_start_next(source.get(), made_of.next, made_of.context, made_of.destroy));
    return made<disposable>((Waitable ? sgk_signal_start_waitable : sgk_signal_start)(source.get(), &made_of));
}

template <class N, class E, class C, class S>
shared<observer<N, E, C, S>> observe(N next, E on_error, C completed, S started) {
    return shared<observer<N, E, C, S>>(
        {std::move(next), std::move(on_error), std::move(completed), std::move(started)});
}

} // namespace detail

template <class N, class E, class C>
subscriber subscriber::create(N next, E on_error, C completed) {
    sgk_handlers handlers = detail::handlers<N, E, C, none>();
    handlers.context = detail::observe(std::move(next), std::move(on_error), std::move(completed), none{}).release();
    return detail::made<subscriber>(sgk_subscriber_create(&handlers));
}

template <class N, class E, class C, class S>
disposable signal::start(N next, E on_error, C completed, S started) const {
    return detail::start(
        *this, detail::observe(std::move(next), std::move(on_error), std::move(completed), std::move(started)));
}

template <class N, class E, class C, class S>
disposable signal::start_waitable(N next, E on_error, C completed, S started) const {
    return detail::start<true>(
        *this, detail::observe(std::move(next), std::move(on_error), std::move(completed), std::move(started)));
}

} // namespace sgk

#endif
