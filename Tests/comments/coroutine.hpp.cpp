/* in c++20 */
#include <signalkit.hpp>

#include <coroutine>
#include <exception>
#include <iostream>
#include <sstream>

/* Starts immediately, and destroys itself. */
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

EXAMPLE

int main() {
    std::ostringstream seen;
    std::streambuf *const before = std::cout.rdbuf(seen.rdbuf());
    show(sgk::just("text"), sgk::reader(sgk::merge(sgk::just(1), sgk::just(2))));
    std::cout.rdbuf(before);
    return seen.str() == "text12" && sgk_live_total() == 0 ? 0 : 1;
}
