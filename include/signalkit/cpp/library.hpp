/** @file
 * The C header without warnings, and the parts of the C library that these headers use under another name.
 */
#ifndef SIGNALKIT_CPP_LIBRARY_HPP
#define SIGNALKIT_CPP_LIBRARY_HPP

#if defined(__clang__) // the warnings of the program are about the program
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#include "../../signalkit.h"
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

/** The inline namespace of these headers. Two shared objects with different versions of the headers, or with and
 * without exceptions, do not share their functions. */
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define SGK_CPP_EXCEPTIONS 1
#define SGK_CPP_VERSION v1
#else
#define SGK_CPP_EXCEPTIONS 0
#define SGK_CPP_VERSION v1_no_exceptions
#endif

/** Begins and ends the declarations of a header. Its code is clean under -Weverything, except for captures that have the
 * name of the captured variable, arrays of C, casts of functions, and classes without a source file. */
#if defined(__clang__)
#define SGK_CPP_BEGIN                                                       \
    _Pragma("clang diagnostic push")                                        \
    _Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"")        \
    _Pragma("clang diagnostic ignored \"-Wshadow-uncaptured-local\"")       \
    _Pragma("clang diagnostic ignored \"-Wunsafe-buffer-usage\"")           \
    _Pragma("clang diagnostic ignored \"-Wunsafe-buffer-usage-in-libc-call\"") \
    _Pragma("clang diagnostic ignored \"-Wcast-function-type-strict\"")     \
    _Pragma("clang diagnostic ignored \"-Wnrvo\"")                          \
    _Pragma("clang diagnostic ignored \"-Wweak-vtables\"")                  \
    namespace sgk {                                                         \
    inline namespace SGK_CPP_VERSION {
#define SGK_CPP_END \
    }               \
    }               \
    _Pragma("clang diagnostic pop")
#else
#define SGK_CPP_BEGIN \
    namespace sgk {   \
    inline namespace SGK_CPP_VERSION {
#define SGK_CPP_END \
    }               \
    }
#endif

#if defined(__GNUC__)
#define SGK_CPP_INLINE [[gnu::always_inline]] inline
#define SGK_CPP_COLD [[gnu::cold, gnu::noinline]]
#else
#define SGK_CPP_INLINE inline
#define SGK_CPP_COLD
#endif

SGK_CPP_BEGIN
namespace library {

// ---- Errors ----

inline sgk_value make_error(std::int32_t, const char *text) noexcept { return sgk_string(text); }
inline std::int32_t error_code(sgk_value) noexcept { return SGK_ERROR_FAILED; }
inline sgk_value error_cause(sgk_value) noexcept { return sgk_null(); }

// ---- Objects: a Box has `object`, and static functions release, equal, hash ----

template <class Box>
struct objects {
    static void *probe() noexcept {
        static char only;
        return &only;
    }
    static sgk_object_table table() noexcept {
        sgk_object_table made = SGK_OBJECT_TABLE_INIT;
        made.release = [](void *self) {
            if (self != probe()) Box::release(self);
        };
        made.equal = [](void *a, void *b) { return a == probe() || b == probe() || Box::equal(a, b); };
        made.hash = [](void *self) { return self == probe() ? 0 : Box::hash(self); };
        return made;
    }
    static sgk_value make(Box *box) noexcept {
        const sgk_object_table functions = table();
        return sgk_object(box, &functions);
    }
    static bool matches(sgk_value v) noexcept {
        static const sgk_value any = [] {
            const sgk_object_table functions = table();
            return sgk_object(probe(), &functions);
        }();
        return v.kind == SGK_OBJECT && sgk_value_equal(v, any);
    }
    static Box *at(sgk_value v) noexcept { return static_cast<Box *>(sgk_to_object(v)); }
};

// ---- Starting, describing ----

inline sgk_disposable *start_waitable(sgk_signal *signal, const sgk_handlers *handlers) noexcept {
    return sgk_signal_start_waitable(signal, handlers);
}
inline sgk_value describe(sgk_signal *signal, sgk_debug_format format) noexcept {
    return format == SGK_DEBUG_DOT ? sgk_signal_to_dot(signal)
        : format == SGK_DEBUG_JSON ? sgk_signal_to_json(signal)
                                   : sgk_signal_describe(signal);
}

// ---- State, links ----

using state_handle = sgk_value_promise;
inline state_handle *state_create(bool ignore_repeated) noexcept { return sgk_value_promise_create(ignore_repeated); }
inline state_handle *state_create_value(sgk_value value, bool ignore_repeated) noexcept {
    return sgk_value_promise_create_value(value, ignore_repeated);
}
inline sgk_value state_value(state_handle *state) noexcept { return sgk_value_promise_value(state); }
inline sgk_status state_set(state_handle *state, sgk_value value) noexcept { return sgk_value_promise_set(state, value); }
inline sgk_status state_modify(state_handle *state, sgk_modify_fn f, void *context) noexcept {
    return sgk_value_promise_modify(state, f, context);
}
inline sgk_signal *state_signal(state_handle *state) noexcept { return sgk_value_promise_get(state); }

struct link_function {
    sgk_map_fn map;
    void *context;
    sgk_destroy_fn destroy;
};
inline sgk_event_link *link_compact_map(sgk_event_link *link, sgk_map_fn map, void *context, sgk_destroy_fn destroy) {
    return sgk_event_link_compact_map(link, [](void *self, sgk_value v, sgk_value *result) {
        auto *f = static_cast<link_function *>(self);
        *result = f->map(f->context, v);
        if (result->reserved != SGK_OUTCOME_DROPPED) return true;
        *result = sgk_null();
        return false;
    }, new link_function{map, context, destroy}, [](void *self) {
        auto *f = static_cast<link_function *>(self);
        f->destroy(f->context);
        delete f;
    });
}

// ---- Native callbacks ----

/** Returns the number of arguments of a signature, or SIZE_MAX after an error. */
inline std::size_t arity(const char *text) noexcept {
    sgk_signature *signature = sgk_signature_create(text);
    const std::size_t count = signature ? sgk_signature_arity(signature) : SIZE_MAX;
    sgk_signature_release(signature);
    return count;
}
inline sgk_callback *make_callback(
    const char *text, sgk_value result, sgk_map_array_fn handler, void *context, sgk_destroy_fn destroy) noexcept {
    sgk_signature *signature = sgk_signature_create(text);
    sgk_callback *made = sgk_callback_create(signature, result, handler, context, destroy);
    sgk_signature_release(signature);
    return made;
}

// ---- Sequences ----

inline sgk_signal *take_until(sgk_signal *signal, sgk_signal *until) noexcept {
    return sgk_signal_take_until_signal(signal, until);
}
inline sgk_signal *repeat(sgk_signal *signal, std::int64_t count) noexcept {
    return count < 0 ? sgk_signal_restart(signal) : sgk_signal_repeat(signal, count);
}
inline sgk_signal *catch_with(sgk_signal *signal, sgk_signal *other) noexcept {
    return sgk_signal_catch(signal, [](void *context, sgk_value) { return sgk_signal_retain(static_cast<sgk_signal *>(context)); },
        sgk_signal_retain(other), [](void *context) { sgk_signal_release(static_cast<sgk_signal *>(context)); });
}

// ---- Time ----

inline sgk_signal *timeout(sgk_signal *signal, double seconds, sgk_queue *queue) noexcept {
    sgk_signal *alternate = sgk_signal_fail(sgk_give(make_error(SGK_ERROR_TIMEOUT, "timeout: no event in time")));
    sgk_signal *made = sgk_signal_timeout_between(signal, seconds, alternate, queue);
    sgk_signal_release(alternate);
    return made;
}
inline sgk_signal *timeout_first(sgk_signal *signal, double seconds, sgk_queue *queue) noexcept {
    sgk_signal *alternate = sgk_signal_fail(sgk_give(make_error(SGK_ERROR_TIMEOUT, "timeout: no event in time")));
    sgk_signal *made = sgk_signal_timeout(signal, seconds, alternate, queue);
    sgk_signal_release(alternate);
    return made;
}
inline sgk_signal *throttle(sgk_signal *signal, double seconds, sgk_edges edges, sgk_queue *queue) noexcept {
    return sgk_signal_throttle_edges(signal, seconds, edges, queue);
}

struct retry {
    std::int64_t attempts = 0;
    double delay = 0, factor = 0, increment = 0, max_delay = 0, jitter = 0, reset_after = 0;
    std::uint64_t seed = 0;
    bool reset_on_value = false;
    sgk_value (*decide)(void *context, sgk_value error, int64_t failures) = nullptr;
    void *context = nullptr;
    sgk_destroy_fn destroy = nullptr;
};
struct retry_origin {
    retry policy;
    sgk_queue *queue;
};
/** Without `jitter` and `reset_…`. */
inline sgk_signal *signal_retry(sgk_signal *signal, const retry *policy, sgk_queue *queue) {
    auto *origin = new retry_origin{*policy, sgk_queue_retain(queue)};
    return sgk_signal_retry_when(signal, [](void *context, sgk_value error, int64_t number) -> sgk_signal * {
        const auto &[p, q] = *static_cast<retry_origin *>(context);
        if (p.attempts > 0 && number >= p.attempts) return sgk_signal_fail(error);
        double wait = !(p.delay < 0 || p.delay > 0) ? 1 : p.delay < 0 ? 0 : p.delay;
        for (int64_t i = 1; i < number; i++) wait = wait * (p.factor > 0 ? p.factor : 2) + p.increment;
        if (wait > (p.max_delay > 0 ? p.max_delay : 60)) wait = p.max_delay > 0 ? p.max_delay : 60;
        if (!p.decide) return sgk_signal_timer(wait, q);
        const sgk_value decision = p.decide(p.context, error, number);
        if (decision.reserved == SGK_OUTCOME_FAILED) {
            sgk_value with = decision;
            with.reserved = 0;
            return sgk_signal_fail(sgk_give(with));
        }
        if (decision.reserved == SGK_OUTCOME_UNCHANGED) return sgk_signal_timer(wait, q);
        if (decision.kind == SGK_DOUBLE) return sgk_signal_timer(sgk_to_double(decision), q);
        if (decision.kind == SGK_SIGNAL) {
            sgk_signal *trigger = sgk_to_signal(decision);
            sgk_value_release(decision);
            return trigger;
        }
        return sgk_signal_fail(error);
    }, origin, [](void *context) {
        auto *from = static_cast<retry_origin *>(context);
        if (from->policy.destroy) from->policy.destroy(from->policy.context);
        sgk_queue_release(from->queue);
        delete from;
    });
}

// ---- Stages ----

struct stage {
    void *context = nullptr;
    sgk_destroy_fn destroy = nullptr;
    const char *const *names = nullptr;
    std::size_t name_count = 0;
    void *(*begin)(void *context) = nullptr;
    void (*end)(void *self) = nullptr;
    sgk_value (*next)(void *self, sgk_value value) = nullptr;
    sgk_value (*error)(void *self, sgk_value error) = nullptr;
    sgk_value (*completed)(void *self) = nullptr;
};

struct stage_origin {
    sgk_signal *source;
    stage functions;
    ~stage_origin() {
        sgk_signal_release(source);
        functions.destroy(functions.context);
    }
};
struct stage_run {
    std::shared_ptr<stage_origin> origin;
    sgk_subscriber *to;
    void *self;

    static stage_run &at(void *context) noexcept { return *static_cast<stage_run *>(context); }
    static void destroy(void *context) {
        auto *run = static_cast<stage_run *>(context);
        sgk_subscriber_release(run->to);
        if (run->origin->functions.end) run->origin->functions.end(run->self);
        delete run;
    }
    void emit(sgk_value result, sgk_value given, bool ends) const {
        const std::uint32_t outcome = result.reserved;
        result.reserved = 0;
        if (outcome == SGK_OUTCOME_FAILED) sgk_subscriber_error(to, result);
        else if (outcome == SGK_OUTCOME_UNCHANGED) sgk_subscriber_next(to, given);
        else if (outcome == 0 || outcome == SGK_OUTCOME_LAST) sgk_subscriber_next(to, result);
        if (outcome == 0 || outcome == SGK_OUTCOME_LAST || outcome == SGK_OUTCOME_FAILED) sgk_value_release(result);
        if (ends || outcome == SGK_OUTCOME_LAST || outcome == SGK_OUTCOME_COMPLETED) sgk_subscriber_complete(to);
    }
};

inline sgk_signal *signal_stage(sgk_signal *source, const stage *functions) {
    if (!source) {
        functions->destroy(functions->context);
        return sgk_signal_take(nullptr, 1);
    }
    if (!functions->begin && !functions->error && !functions->completed)
        return sgk_signal_transform(source, functions->next, functions->context, functions->destroy);
    auto *origin = new std::shared_ptr<stage_origin>(new stage_origin{sgk_signal_retain(source), *functions});
    return sgk_signal_create([](void *context, sgk_subscriber *to) -> sgk_disposable * {
        const std::shared_ptr<stage_origin> from = *static_cast<std::shared_ptr<stage_origin> *>(context);
        sgk_handlers handlers = SGK_HANDLERS_INIT;
        handlers.context = new stage_run{from, sgk_subscriber_retain(to),
            from->functions.begin ? from->functions.begin(from->functions.context) : from->functions.context};
        handlers.destroy = stage_run::destroy;
        handlers.started = [](void *own, sgk_disposable *started) {
            sgk_subscriber_on_dispose(stage_run::at(own).to, [](void *kept) {
                sgk_disposable_dispose(static_cast<sgk_disposable *>(kept));
            }, sgk_disposable_retain(started), [](void *kept) {
                sgk_disposable_release(static_cast<sgk_disposable *>(kept));
            });
        };
        handlers.next = [](void *own, sgk_value v) {
            const stage_run &run = stage_run::at(own);
            run.emit(run.origin->functions.next(run.self, v), v, false);
        };
        handlers.error = [](void *own, sgk_value e) {
            const stage_run &run = stage_run::at(own);
            if (run.origin->functions.error) run.emit(run.origin->functions.error(run.self, e), e, true);
            else sgk_subscriber_error(run.to, e);
        };
        handlers.completed = [](void *own) {
            const stage_run &run = stage_run::at(own);
            if (run.origin->functions.completed) run.emit(run.origin->functions.completed(run.self), sgk_null(), true);
            else sgk_subscriber_complete(run.to);
        };
        sgk_disposable_release(sgk_signal_start(from->source, &handlers));
        return nullptr;
    }, origin, [](void *context) { delete static_cast<std::shared_ptr<stage_origin> *>(context); });
}

} // namespace library
SGK_CPP_END

#endif
