/** @file
 * SignalKit for C++17 and later: the C interface with owners, lambdas and pipelines. Header only; link the same
 * library.
 *
 *     sgk::pipe pipe;
 *     auto run = pipe.signal()
 *         | sgk::filter([](int64_t n) { return n % 2 == 0; })
 *         | sgk::map([](int64_t n) { return n / 2; })
 *         | sgk::start([](int64_t n) { std::cout << n << "\n"; });
 *     for (int i = 1; i <= 6; i++) pipe.next(i);
 *     run.dispose();
 *
 * The rules of `signalkit.h` hold. What C++ adds to them:
 *
 * **Ownership.** A `sgk::signal`, `sgk::queue` … owns one reference: copying retains, destroying releases. `get()`
 * lends the C handle, `release()` gives it away, the explicit constructor takes one over. Destroying a
 * `sgk::disposable` stops nothing; a `sgk::scoped_disposable` stops its run. Whatever is not wrapped here is used by
 * its C name.
 *
 * **Values.** A `sgk::value` is made of, and read as (`as<T>()`), a bool, a number, a text, a `std::vector` or
 * `std::optional` of such, a signal; specialise `sgk::conversion<T>` for types of your own.
 *
 * **Callbacks** are anything callable, with captures; there is one copy, destroyed when nothing can call it any more.
 * They say by their parameters what they want to be given: `[](int64_t n)`, `[](std::string_view text)`, `[](sgk::value
 * v)`; `[](auto v)` is given a `sgk::value`. A `std::string_view` is good for the call only. What they return is made a
 * value while that which they are given by reference is there: it may point into it.
 *
 * **Exceptions** never cross into the library.
 * - A call that fails throws `sgk::error`. (Emitting into a run that is over is no failure: that returns false.)
 * - A callback of an operator, or a generator, that throws ends *its run* with an error: the `sgk::value` that was
 *   thrown, otherwise the text of the `std::exception`; anything else that is thrown becomes the text "an exception
 *   that is no std::exception". A value that is not of the type that a callback's parameter asks for counts as thrown
 *   by it. Other runs of the same signal go on. After the end of the run there is nobody left to tell, and the
 *   exception is dropped, as any event is.
 * - `next` of a start: likewise, and the `error` callback beside it is called; without one, see
 *   `set_unhandled_error_handler`.
 * - Work of `queue::sync` throws at the caller.
 * - Anywhere else (`error`, `completed`, queues, timers, disposables, watching an end, destructors)
 *   nobody could be told, and `std::terminate` is called, as for a thread.
 *
 * What that costs: stages without state (map, filter, compact_map, before_next) fail where they stand, and cost little
 * more than in C; `next` of a start is one more of them, made at each start. So do those that make signals
 * (map_to_signal, catch_error, reduce_left_generator, deferred). Any other whose callback may throw is a stage of two,
 * made for each run. One that is `noexcept` and takes `sgk::value`s as they are costs what it costs in C.
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
