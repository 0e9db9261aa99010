/** @file
 * SignalKit for C++17 and later: signals with element types, lambdas and pipelines. It is header-only, and links to the
 * same library as C.
 *
 *     sgk::pipe<int> pipe;
 *     auto subscription = pipe.signal()
 *         | sgk::filter([](int n) { return n % 2 == 0; })
 *         | sgk::map([](int n) { return n / 2; })
 *         | sgk::start([](int n) { std::cout << n << "\n"; });
 *     for (int i = 1; i <= 6; i++) pipe.next(i);
 *     subscription.dispose();
 *
 * The rules of `signalkit.h` apply. C++ adds these:
 *
 * **Types.** A `sgk::signal<T>` emits elements of the type `T`. The compiler checks each function against it, and a
 * wrong function is one error. `sgk::any_signal` is a signal of sgk::value. A typed signal converts to it, and
 * `as<T>()` converts back.
 *
 * **Elements.** Any class can be an element. Bool, numbers, durations, texts, `std::vector`, `std::optional`,
 * `std::tuple` and signals become values that every language reads. Other classes, such as `std::shared_ptr<X>`, are
 * objects, which only C++ reads. They may be movable only. Specialize `sgk::conversion<T>` to choose another form. An
 * object that crosses a shared object needs a type with default visibility, as an exception does.
 *
 * **Ownership.** A `sgk::signal`, `sgk::queue` … owns one reference. Copying retains it, and destroying releases it.
 * `get()` returns the C handle, borrowed. `release()` transfers it to the caller, and the explicit constructor takes
 * one over. Destroying a `sgk::disposable` does not stop its subscription. Destroying a `sgk::scoped_disposable` does.
 * Call functions without a wrapper by their C names.
 *
 * **Functions** are callable objects, also with captures. The library stores one copy and destroys it after the last
 * call. All subscriptions of a signal call the same object. A `std::string_view` parameter is valid during the call. A
 * `std::string_view` result is copied while the arguments exist.
 *
 * **Fusion.** Neighbouring functions (fusing.hpp) become one stage, in which C++ objects are moved. Store a pipeline as
 * `signal<T>`: with `auto`, each use makes another stage.
 *
 * **Errors** are values. Callbacks receive them as `const sgk::failure &`, with a code, a text and a cause.
 * `sgk::failed(error)` makes one of an object of any type, and `catch_error` with a parameter of that type selects it.
 *
 * **Exceptions** never enter the library.
 * - A call that fails throws `sgk::error`. Emitting into an ended subscription is not a failure: it returns false.
 * - If a function of an operator, a generator, or `next` of a start throws, *its subscription* fails. The error is the
 *   thrown `sgk::failure` or `sgk::value`. Of another exception it has the text, the status of a `sgk::error` or the
 *   number of a `std::system_error` as its code, and a nested exception as its cause. Other subscriptions of the same
 *   signal continue. After the end of the subscription the exception is dropped, like every event.
 * - `queue::sync` throws the exception of its work in the caller.
 * - In all other functions (`error`, `completed`, work of queues, timers, disposables, callbacks after an end,
 *   destructors) an exception calls `std::terminate`, as in a `std::thread`.
 *
 * **Without exceptions** (`-fno-exceptions`) a call that fails prints its error and aborts. Functions return an
 * sgk::outcome to fail. The headers also compile with `-fno-rtti`.
 */
#ifndef SIGNALKIT_HPP
#define SIGNALKIT_HPP

#include "signalkit/cpp/value.hpp"
#include "signalkit/cpp/callback.hpp"
#include "signalkit/cpp/queue.hpp"
#include "signalkit/cpp/signal.hpp"
#include "signalkit/cpp/sources.hpp"
#include "signalkit/cpp/fusing.hpp"
#include "signalkit/cpp/operators.hpp"
#include "signalkit/cpp/event_link.hpp"
#include "signalkit/cpp/promise.hpp"
#include "signalkit/cpp/reader.hpp"
#include "signalkit/cpp/coroutine.hpp"
#include "signalkit/cpp/sharing.hpp"
#include "signalkit/cpp/queue_local.hpp"
#include "signalkit/cpp/loop.hpp"
#include "signalkit/cpp/native.hpp"
#include "signalkit/cpp/debug.hpp"

#endif
