#include <signalkit.hpp>
#include <iostream>

static sgk::signal radio() {
    return sgk::create([](const sgk::subscriber &listener) {
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

    radio() | sgk::take(1) | sgk::start(print);

    const sgk::disposable_set all;
    all.add(radio().start(print));
    all.add(sgk::disposable::action([] { std::cout << "and the light\n"; }));
    all.dispose();

    const sgk::queue work("work");
    int drawn = 0;
    const sgk::disposable ticks = sgk::interval(0.001, work).start_waitable([&drawn](int) { drawn++; });
    ticks.dispose_and_wait();
    const int before = drawn; // no callback is running, so the variable may be read
    work.sync([] {});
    std::cout << std::boolalpha << (drawn == before) << "\n";
}
