/** @file
 * SignalKit for C++17 and later: the C interface with owning classes, lambdas and pipelines. It is header-only, and
 * links to the same library.
 *
 *     sgk::pipe pipe;
 *     auto subscription = pipe.signal()
 *         | sgk::filter([](int64_t n) { return n % 2 == 0; })
 *         | sgk::map([](int64_t n) { return n / 2; })
 *         | sgk::start([](int64_t n) { std::cout << n << "\n"; });
 *     for (int i = 1; i <= 6; i++) pipe.next(i);
 *     subscription.dispose();
 *
 * The rules of `signalkit.h` apply. C++ adds these:
 *
 * **Ownership.** A `sgk::signal`, `sgk::queue` … owns one reference. Copying retains it, and destroying releases it.
 * `get()` returns the C handle, borrowed. `release()` transfers it to the caller, and the explicit constructor takes
 * one over. Destroying a `sgk::disposable` does not stop its subscription. Destroying a `sgk::scoped_disposable` does.
 * Call functions without a wrapper by their C names.
 *
 * **Values.** A `sgk::value` is created from a bool, a number, a text, a `std::vector` or `std::optional` of them, or a
 * signal. `as<T>()` reads it. Specialize `sgk::conversion<T>` for your types.
 *
 * **Callbacks** are callable objects, also with captures. The library stores one copy and destroys it after the last
 * call. The parameters of a callback determine the types of its arguments: `[](int64_t n)`, `[](std::string_view
 * text)`, `[](sgk::value v)`. `[](auto v)` receives a `sgk::value`. A `std::string_view` is valid during the call. The
 * result is converted to a value while the arguments exist, so it may point into them.
 *
 * **Exceptions** never enter the library.
 * - A call that fails throws `sgk::error`. Emitting into an ended subscription is not a failure: it returns false.
 * - If a callback of an operator or a generator throws, *its subscription* fails. The error is the thrown `sgk::value`,
 *   the text of a `std::exception`, or the text "an exception that is no std::exception". A value that does not fit the
 *   type of a parameter counts as an exception of the callback. Other subscriptions of the same signal continue. After
 *   the end of the subscription the exception is dropped, like every event.
 * - The same holds for `next` of a start. Then the `error` callback of the start is called, or
 *   `set_unhandled_error_handler` applies.
 * - `queue::sync` throws the exception of its work in the caller.
 * - In all other functions (`error`, `completed`, work of queues, timers, disposables, callbacks after an end,
 *   destructors) an exception calls `std::terminate`, as in a `std::thread`.
 *
 * **Cost.** Stages without state (map, filter, compact_map, before_next) cost little more than in C. `next` of a start
 * is one more such stage, created at each start. Operators whose callbacks return signals (switch_map, catch_error,
 * reduce_generator, deferred) also cost little more. Each other operator whose callback may throw is two stages,
 * created for each subscription. A `noexcept` callback with `sgk::value` parameters costs the same as in C.
 */
#ifndef SIGNALKIT_HPP
#define SIGNALKIT_HPP

#include "signalkit/cpp/value.hpp"
#include "signalkit/cpp/callback.hpp"
#include "signalkit/cpp/queue.hpp"
#include "signalkit/cpp/signal.hpp"
#include "signalkit/cpp/sources.hpp"
#include "signalkit/cpp/operators.hpp"
#include "signalkit/cpp/event_link.hpp"
#include "signalkit/cpp/promise.hpp"
#include "signalkit/cpp/reader.hpp"
#include "signalkit/cpp/coroutine.hpp"
#include "signalkit/cpp/sharing.hpp"
#include "signalkit/cpp/queue_local.hpp"
#include "signalkit/cpp/loop.hpp"
#include "signalkit/cpp/object.hpp"
#include "signalkit/cpp/native.hpp"
#include "signalkit/cpp/debug.hpp"

#endif
