#include <signalkit.hpp>
#include <iostream>

using namespace std::chrono_literals;

static sgk::signal<std::string> radio() {
    return sgk::create<std::string>([](const sgk::subscriber<std::string> &listener) {
        std::cout << "on\n";
        listener.next("news"); // a copy of `listener` can emit later, on any thread
        return [] { std::cout << "off\n"; };
    });
}

int main() {
    auto print = [](std::string_view text) { std::cout << text << "\n"; };

    const sgk::disposable subscription = radio().start(print);
    subscription.dispose();
    subscription.dispose(); // does nothing

    const sgk::disposable once = radio() | sgk::take(1) | sgk::start(print);

    const sgk::disposable_bag all;
    all.add(radio().start(print));
    all.add(sgk::disposable::action([] { std::cout << "and the light\n"; }));
    all.dispose();

    const sgk::queue work("work");
    int drawn = 0;
    const sgk::disposable ticks = sgk::interval(1ms, work).start_waitable([&drawn](std::int64_t) { drawn++; });
    ticks.dispose_and_wait();
    const int before = drawn; // no callback is running, so the variable may be read
    work.sync([] {});
    std::cout << std::boolalpha << (drawn == before) << "\n";
}
