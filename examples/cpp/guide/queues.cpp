#include <signalkit.hpp>
#include <iostream>
#include <thread>

using namespace std::chrono_literals;

int main() {
    const sgk::pipe<int> numbers;
    int sum = 0;
    const sgk::scoped_disposable adding = numbers.signal().start([&sum](int n) { sum += n; });
    auto send = [&numbers] {
        for (int n = 1; n <= 1000; n++) numbers.next(n);
    };
    std::thread one(send), two(send);
    one.join(), two.join();
    std::cout << "sum " << sum << "\n";

    const auto main_thread = std::this_thread::get_id();
    const sgk::queue measuring("measuring"), ui = sgk::queue::main();
    const sgk::scoped_disposable drawing = sgk::interval(10ms, measuring)
        | sgk::filter([=](std::int64_t) { return std::this_thread::get_id() != main_thread; })
        | sgk::take(3)
        | sgk::deliver_on(ui)
        | sgk::start(
              [=](std::int64_t) {
                  const bool here = std::this_thread::get_id() == main_thread;
                  std::cout << "a reading, on the main thread: " << (here ? "yes" : "no") << "\n";
              },
              sgk::none(), [] { sgk::main_stop(); });
    sgk::main_run();

    const int square = measuring.sync([] { return 7 * 7; });
    std::cout << "square " << square << "\n";

    const sgk::pipe<int> fast;
    const auto lost = sgk::overflow_counter::create();
    const sgk::scoped_disposable slow = fast.signal()
        | sgk::deliver_on(ui, {2, SGK_OVERFLOW_DROP_OLDEST, {}, lost})
        | sgk::start([](int n) { std::cout << "kept " << n << "\n"; });
    std::thread([&fast] {
        for (int n = 1; n <= 5; n++) fast.next(n);
    }).join();
    sgk::main_drain();
    std::cout << lost.dropped() << " lost\n";
}
