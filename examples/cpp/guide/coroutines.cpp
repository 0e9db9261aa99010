#include <signalkit.hpp>
#include <coroutine>
#include <iostream>

struct task { // starts immediately; its frame is destroyed at its end
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

static task show(sgk::signal<std::string> greeting, sgk::reader<int> numbers) {
    std::cout << co_await greeting.first() << "\n";
    int sum = 0;
    try {
        while (const auto n = co_await numbers.async_next()) sum += *n;
    } catch (const sgk::failure &f) {
        std::cout << "failed: " << f.text() << "\n";
    }
    std::cout << "sum " << sum << "\n";
}

int main() {
    const sgk::pipe<std::string> greetings;
    const sgk::pipe<int> numbers;
    show(greetings.signal(), sgk::reader(numbers.signal()));
    std::cout << "show is suspended\n";
    numbers.next(1);
    greetings.next("hello");
    numbers.next(2);
    numbers.error("no power");
}
