/** @file
 * Queues on the program's event loop. See queue_custom.h.
 */
#ifndef SIGNALKIT_CPP_LOOP_HPP
#define SIGNALKIT_CPP_LOOP_HPP

#include "queue.hpp"

#include <memory>

SGK_CPP_BEGIN

/** Work for a loop. Call it once, or destroy it: then a waiting caller receives an error. */
class loop_work {
public:
    loop_work(sgk_work_fn run, void *context, sgk_destroy_fn destroy) noexcept
        : run_(run), destroy_(destroy), context_(context) {}
    loop_work(loop_work &&other) noexcept
        : run_(other.run_), destroy_(std::exchange(other.destroy_, nullptr)), context_(other.context_) {}
    loop_work &operator=(loop_work &&other) noexcept {
        std::swap(run_, other.run_), std::swap(destroy_, other.destroy_), std::swap(context_, other.context_);
        return *this;
    }
    ~loop_work() {
        if (destroy_) destroy_(context_);
    }
    void operator()() const { run_(context_); }

private:
    sgk_work_fn run_;
    sgk_destroy_fn destroy_;
    void *context_;
};

namespace detail {

template <class L, class = void>
struct knows_itself : std::false_type {};
template <class L>
struct knows_itself<L, std::void_t<decltype(std::declval<L &>().is_current())>> : std::true_type {};

template <class L, class = void>
struct keeps_time : std::false_type {};
template <class L>
struct keeps_time<L, std::void_t<decltype(std::declval<L &>().after(duration(), std::declval<loop_work>()))>>
    : std::true_type {};

template <class L>
L &loop_of(void *context) noexcept {
    return **static_cast<std::shared_ptr<L> *>(context);
}

} // namespace detail

/** Creates a serial queue on a loop, which the queue retains. The rules of sgk_queue_table apply.
 *
 * `async(loop_work)` runs the work later, in the order of the calls, one at a time. If the loop has `bool
 * is_current()`, work may run inline there. If it has `after(duration, loop_work)` and `duration now()`, it measures
 * the time. An exception of one of them rejects the work. */
template <class L>
[[nodiscard]] queue queue_on(std::shared_ptr<L> loop) {
    sgk_queue_table table = SGK_QUEUE_TABLE_INIT;
    table.dispatch = [](void *context, sgk_work_fn run, void *work, sgk_destroy_fn destroy) noexcept {
        const bool failed =
            detail::attempt([&] { detail::loop_of<L>(context).async(loop_work(run, work, destroy)); }) != nullptr;
        return failed ? SGK_ERROR_SYSTEM : SGK_OK;
    };
    if constexpr (detail::knows_itself<L>::value)
        table.is_current = [](void *context) noexcept -> bool { return detail::loop_of<L>(context).is_current(); };
    if constexpr (detail::keeps_time<L>::value) {
        table.after = [](void *context, double seconds, sgk_work_fn run, void *work, sgk_destroy_fn destroy) noexcept {
            const bool failed = detail::attempt([&] {
                detail::loop_of<L>(context).after(duration(seconds), loop_work(run, work, destroy));
            }) != nullptr;
            return failed ? SGK_ERROR_SYSTEM : SGK_OK;
        };
        table.now = [](void *context) noexcept -> double {
            return duration(detail::loop_of<L>(context).now()).count();
        };
    }
    table.release = [](void *context) noexcept { delete static_cast<std::shared_ptr<L> *>(context); };
    auto kept = std::make_unique<std::shared_ptr<L>>(std::move(loop));
    queue made = queue::custom(table, kept.get());
    static_cast<void>(kept.release());
    return made;
}

SGK_CPP_END

#endif
