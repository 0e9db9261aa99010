/** @file
 * Signals: making them, starting them; pipes.
 */
#ifndef SIGNALKIT_CPP_SIGNAL_HPP
#define SIGNALKIT_CPP_SIGNAL_HPP

#include "queue.hpp"

namespace sgk {

/** Stands for a callback that is not there. */
struct none {};

/** A recipe for a stream of values, which runs anew for every start. */
class signal : public handle<sgk_signal, sgk_signal_retain, sgk_signal_release> {
public:
    using handle::handle;

    /** Starts a run: `next(value)`, `error(value)`, `completed()`; `started(disposable)` is called before the generator runs. Each may be
     * missing, or sgk::none. Returns what stops the run; destroying that stops nothing. */
    template <class N = none, class E = none, class C = none, class S = none>
    disposable start(N next = {}, E on_error = {}, C completed = {}, S started = {}) const;

    /** The same, for a run that disposable::dispose_and_wait can be called with. */
    template <class N = none, class E = none, class C = none, class S = none>
    disposable start_waitable(N next = {}, E on_error = {}, C completed = {}, S started = {}) const;
};

/** What a generator emits into. Copy it to emit after the generator has returned. */
class subscriber : public handle<sgk_subscriber, sgk_subscriber_retain, sgk_subscriber_release> {
public:
    using handle::handle;

    /** Emits. Whether the run still goes on: a generator that emits in a loop stops at false. */
    bool next(const value &v) const { return emitted(sgk_subscriber_next(get(), v.get())); }
    /** Ends the run with an error. False when it had ended. */
    bool error(const value &e) const { return emitted(sgk_subscriber_error(get(), e.get())); }
    /** Ends the run. False when it had ended. */
    bool complete() const { return emitted(sgk_subscriber_complete(get())); }
    /** Calls `action()` once when the run is torn down, also while the generator has not returned; now, if that has happened. */
    template <class F>
    void on_dispose(F action) const {
        check(sgk_subscriber_on_dispose(get(), detail::function<sgk_action_fn>::own<F>, new F(std::move(action)), detail::destroy<F>));
    }
    /** Holds `object` until the run is over, or nobody holds the subscriber. */
    template <class T>
    void keep_alive(T object) const { check(sgk_subscriber_keep_alive(get(), new T(std::move(object)), detail::destroy<T>)); }
    /** Whether values still arrive anywhere. */
    bool is_active() const noexcept { return sgk_subscriber_is_active(get()); }

private:
    static bool emitted(sgk_status status) {
        if (status != SGK_ERROR_ENDED) check(status);
        return status == SGK_OK;
    }
};

/** A source that is fed by hand; what is put in reaches everybody who listens then. */
class pipe : public handle<sgk_pipe, sgk_pipe_retain, sgk_pipe_release> {
public:
    using handle::handle;

    /** A new one. */
    pipe() : pipe(detail::made<pipe>(sgk_pipe_create())) {}
    /** One that remembers the latest value. */
    static pipe replaying() { return detail::made<pipe>(sgk_pipe_create_replay()); }
    /** Its signal, which does not keep the pipe. */
    sgk::signal signal() const { return detail::made<sgk::signal>(sgk_pipe_signal(get())); }
    /** Delivers a value to those who listen now. False when the pipe has been completed. */
    bool next(const value &v) const {
        const sgk_status status = sgk_pipe_next(get(), v.get());
        if (status != SGK_ERROR_ENDED) check(status);
        return status == SGK_OK;
    }
    /** Ends it: everybody who listens, and who starts later, is told. */
    void complete() const { check(sgk_pipe_complete(get())); }
};

/** Signals as values, for signals of signals. */
template <>
struct conversion<signal> {
    static constexpr const char *name = "a signal";
    static bool matches(sgk_value v) noexcept { return v.kind == SGK_SIGNAL; }
    static signal from(sgk_value v) { return detail::made<signal>(sgk_value_signal(v)); }
    static sgk_value to(const signal &s) noexcept { return sgk_signal_value(s.get()); }
};

// ---- Making signals ----

namespace detail {

/** Here NULL is no failure that was noted before, as in C: that has thrown. */
inline void require(const signal &source) {
    if (!source) throw error(SGK_ERROR_NULL, "sgk::signal: is empty");
}

template <class F>
sgk_disposable *generate(void *context, sgk_subscriber *borrowed) noexcept {
    auto &generator = *static_cast<F *>(context);
    const subscriber to(sgk_subscriber_retain(borrowed));
    using R = std::invoke_result_t<F &, const subscriber &>;
    try {
        if constexpr (std::is_void_v<R>) generator(to);
        else if constexpr (std::is_convertible_v<R, disposable>) return disposable(generator(to)).release();
        else return disposable::action(generator(to)).release();
    } catch (...) {
        sgk_subscriber_error(to.get(), caught().get());
    }
    return nullptr;
}

template <class F>
signal generated(F generator) {
    return made<signal>(sgk_signal_create(generate<F>, new F(std::move(generator)), destroy<F>));
}

} // namespace detail

/** A signal that calls `generator(subscriber)` for every start, inside it. That returns what stops the source: a disposable, a function to be
 * called once, or nothing. */
template <class F>
signal create(F generator) { return detail::generated(std::move(generator)); }

/** Emits one value and completes. */
inline signal single(const value &v) { return detail::made<signal>(sgk_signal_single(v.get())); }
/** Completes. */
inline signal complete() { return detail::made<signal>(sgk_signal_complete()); }
/** Fails. */
inline signal fail(const value &e) { return detail::made<signal>(sgk_signal_fail(e.get())); }
/** Emits nothing and never ends. */
inline signal never() { return detail::made<signal>(sgk_signal_never()); }

/** Calls `generator()` for each start and behaves as the signal that it returns. */
template <class F>
signal deferred(F generator) {
    auto guarded = [generator = std::move(generator)]() mutable -> signal {
        try {
            return generator();
        } catch (...) { return fail(detail::caught()); }
    };
    using G = decltype(guarded);
    return detail::made<signal>(sgk_signal_deferred(detail::function<sgk_deferred_fn>::own<G>, new G(std::move(guarded)), detail::destroy<G>));
}

// ---- Stages whose callback may throw ----

namespace detail {

/** One run of such a stage. A callback belongs to a signal, but an exception is to end one run: so the stage is a generator, which makes and starts
 * for each run the C operator with a context that knows the run's subscriber. */
class guard {
public:
    explicit guard(const subscriber &outlet) : outlet_(outlet) {}

    /** Starts the operator into the outlet. */
    static disposable start(const std::shared_ptr<guard> &run, const signal &stage) {
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = new std::shared_ptr<guard>(run);
        handlers.destroy = destroy<std::shared_ptr<guard>>;
        handlers.started = [](void *context, sgk_disposable *started) {
            of(context).starting_ = started;
            stop_if_over();
        };
        handlers.next = [](void *context, sgk_value v) {
            sgk_subscriber_next(of(context).outlet_.get(), v);
            stop_if_over();
        };
        handlers.error = [](void *context, sgk_value e) { sgk_subscriber_error(of(context).outlet_.get(), e); };
        handlers.completed = [](void *context) { sgk_subscriber_complete(of(context).outlet_.get()); };
        run->outer_ = std::exchange(innermost, run.get());
        sgk_disposable *started = sgk_signal_start(stage.get(), &handlers);
        innermost = run->outer_;
        return made<disposable>(started);
    }

    void fail(const value &error) noexcept {
        sgk_subscriber_error(outlet_.get(), error.get());
        stop_if_over();
    }

    /** Until its generator has returned, an outlet does not know what to dispose: sources that emit inside the start are stopped here, those of all
     * guards that are being started on this thread. */
    static void stop_if_over() noexcept {
        for (guard *g = innermost; g; g = g->outer_)
            if (g->starting_ && !g->outlet_.is_active()) sgk_disposable_dispose(g->starting_);
    }

private:
    static guard &of(void *context) noexcept { return **static_cast<std::shared_ptr<guard> *>(context); }

    const subscriber outlet_;
    // While the start is on the stack, for the starting thread alone: what stops the run, and the guard that was being started already.
    sgk_disposable *starting_ = nullptr;
    guard *outer_ = nullptr;
    inline static thread_local guard *innermost = nullptr;
};

template <class F>
struct bound {
    std::shared_ptr<guard> run;
    std::shared_ptr<F> f;
};

/** The signal that `apply(function, context, destroy)` makes with a callback of the C type `Fn`. */
template <class Fn, class Apply, class F>
signal with_callback(Apply apply, const std::shared_ptr<F> &f) {
    using S = std::shared_ptr<F>;
    signal plain = made<signal>(apply(function<Fn>::template shared<F>, new S(f), destroy<S>)); // throws for bad arguments
    if constexpr (function<Fn>::template plain<F>) return plain;
    else
        return generated([apply, f](const subscriber &outlet) {
            using B = bound<F>;
            auto run = std::make_shared<guard>(outlet);
            return guard::start(run, made<signal>(apply(function<Fn>::template guarded<B>, new B{run, f}, destroy<B>)));
        });
}

} // namespace detail

// ---- Starting ----

namespace detail {

template <class N, class E, class C, class S>
struct observer {
    std::shared_ptr<N> next;
    std::shared_ptr<E> error;
    std::shared_ptr<C> completed;
    std::shared_ptr<S> started;

    template <class T>
    static constexpr bool given = !std::is_same_v<T, none>;

    template <bool Waitable = false>
    disposable start(const signal &source) const {
        // Where somebody can be told of what `next` throws it is a stage of its own. (But only the callbacks of a run are waited for, not its stages.)
        constexpr bool staged = given<N> && (given<E> || !Waitable) && !function<sgk_next_fn>::template plain<N>;
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        if constexpr (given<N> && !staged) handlers.next = [](void *self, sgk_value v) noexcept { call<void>(*of(self).next, v); };
        if constexpr (given<E>) handlers.error = [](void *self, sgk_value e) noexcept { call<void>(*of(self).error, e); };
        if constexpr (given<C>) handlers.completed = [](void *self) noexcept { call<void>(*of(self).completed); };
        if constexpr (given<S>) handlers.started = [](void *self, sgk_disposable *run) noexcept { call<void>(*of(self).started, run); };
        signal stage = source;
        if constexpr (staged)
            stage = with_callback<sgk_next_fn>(
                [source](sgk_next_fn f, void *context, sgk_destroy_fn d) { return sgk_signal_before_next(source.get(), f, context, d); }, next);
        handlers.context = new observer(*this);
        handlers.destroy = destroy<observer>;
        return made<disposable>((Waitable ? sgk_signal_start_waitable : sgk_signal_start)(stage.get(), &handlers));
    }

private:
    static const observer &of(void *self) noexcept { return *static_cast<observer *>(self); }
};

template <class N, class E, class C, class S>
observer<N, E, C, S> observe(N next, E on_error, C completed, S started) {
    return {std::make_shared<N>(std::move(next)), std::make_shared<E>(std::move(on_error)), std::make_shared<C>(std::move(completed)),
            std::make_shared<S>(std::move(started))};
}

} // namespace detail

template <class N, class E, class C, class S>
disposable signal::start(N next, E on_error, C completed, S started) const {
    detail::require(*this);
    return detail::observe(std::move(next), std::move(on_error), std::move(completed), std::move(started)).start(*this);
}

template <class N, class E, class C, class S>
disposable signal::start_waitable(N next, E on_error, C completed, S started) const {
    detail::require(*this);
    return detail::observe(std::move(next), std::move(on_error), std::move(completed), std::move(started)).template start<true>(*this);
}

} // namespace sgk

#endif
