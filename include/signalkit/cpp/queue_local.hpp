/** @file
 * Objects that are used on one queue only.
 */
#ifndef SIGNALKIT_CPP_QUEUE_LOCAL_HPP
#define SIGNALKIT_CPP_QUEUE_LOCAL_HPP

#include "signal.hpp"

SGK_CPP_BEGIN

/** A `T` that is created, used and destroyed on one serial queue. The handle may be copied and used on any thread. */
template <class T>
class queue_local : public handle<sgk_queue_local> {
public:
    using handle::handle;

    /** Creates the object by `make()`, on the queue: inline if the queue is current, otherwise later. */
    template <class F>
    queue_local(const queue &on, F make)
        : queue_local(detail::made<queue_local>(sgk_queue_local_create(
              [](void *context) noexcept -> void * { return new T((*static_cast<F *>(context))()); },
              detail::destroy<T>, new F(std::move(make)), detail::destroy<F>, on.get()))) {}

    /** Returns the object, or nullptr before it has been created. Throws if the queue is not current. */
    T *unsafe_get() const {
        sgk_clear_error();
        void *object = sgk_queue_local_unsafe_get(this->get());
        if (!object) check(sgk_last_status());
        return static_cast<T *>(object);
    }
    /** Calls `use(object)` on the queue: inline if the queue is current, otherwise later. */
    template <class F>
    void with(F use) const {
        check(sgk_queue_local_with(
            this->get(),
            [](void *context, void *object) noexcept { (*static_cast<F *>(context))(*static_cast<T *>(object)); },
            new F(std::move(use)), detail::destroy<F>));
    }
    /** Calls `use(object)` on the queue, and returns its result or throws its exception. */
    template <class F>
    auto sync_with(F &&use) const {
        detail::awaited<std::invoke_result_t<F &, T &>> result;
        auto body = [&](void *object) { result.run(use, *static_cast<T *>(object)); };
        check(sgk_queue_local_sync_with(
            this->get(),
            [](void *context, void *object) noexcept { (*static_cast<decltype(body) *>(context))(object); }, &body));
        return result.take();
    }
    /** Creates a signal that calls `generator(object, subscriber<U>)` on the queue for each start. See sgk::create. */
    template <class U, class F>
    [[nodiscard]] signal<U> signal_with(F generator) const {
        return detail::made<signal<U>>(sgk_queue_local_signal_with(
            this->get(),
            [](void *context, void *object, sgk_subscriber *to) noexcept {
                return detail::generate_into<U>(to, [&](const subscriber<U> &into) {
                    return (*static_cast<F *>(context))(*static_cast<T *>(object), into);
                });
            },
            new F(std::move(generator)), detail::destroy<F>));
    }
};

SGK_CPP_END

#endif
