#include <signalkit.hpp>
#include <signalkit/cpp/testing.hpp>
#include <iostream>

static sgk::signal settled(const sgk::signal &turns, const sgk::queue &on) {
    return turns | sgk::debounce(2, on) | sgk::distinct_until_changed();
}

int main() {
    bool met = false;
    {
        const auto queue = sgk::queue::virtual_time();
        const auto source = sgk::marble_cold(queue, "-a-bc----b---|");
        sgk::marble_log log(queue);
        sgk::marble_run run(queue, settled(log.logged(source), queue));
        queue.run();
        met = run.expect("------c----b-|") && log.expect({"^------------!"});
    }
    {
        const auto queue = sgk::queue::virtual_time();
        const auto tomorrow = sgk::just("good morning") | sgk::delay_start(86400, queue);
        const sgk::scoped_disposable subscription = tomorrow.start(
            [&queue](std::string_view text) { std::cout << text << " at " << queue.now() << "\n"; });
        queue.advance(86399);
        std::cout << queue.pending() << " pending\n";
        queue.advance(1);
    }
    std::cout << (met ? "all met\n" : "not met\n");
    return met ? 0 : 1;
}
