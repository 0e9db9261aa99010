#include <signalkit.hpp>
#include <signalkit/cpp/testing.hpp>
#include <iostream>

using namespace std::chrono_literals;

static sgk::signal<std::string> settled(const sgk::signal<std::string> &turns, const sgk::queue &on) {
    return turns | sgk::debounce(2s, on) | sgk::distinct_until_changed();
}

int main() {
    bool met = false;
    {
        const auto queue = sgk::queue::virtual_time();
        const auto source = sgk::marble_cold<std::string>(queue, "-a-bc----b---|");
        sgk::marble_log log(queue);
        sgk::marble_run run(queue, settled(log.logged(source), queue));
        queue.run();
        met = run.expect("------c----b-|") && log.expect({"^------------!"});
    }
    {
        const auto queue = sgk::queue::virtual_time();
        const auto tomorrow = sgk::just("good morning") | sgk::delay_start(24h, queue);
        const sgk::scoped_disposable subscription = tomorrow.start(
            [&queue](std::string_view text) { std::cout << text << " at " << queue.now().count() << "\n"; });
        queue.advance(24h - 1s);
        std::cout << queue.pending() << " pending\n";
        queue.advance(1s);
    }
    std::cout << (met ? "all met\n" : "not met\n");
    return met ? 0 : 1;
}
