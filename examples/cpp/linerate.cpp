/*
 * linerate: reads lines from stdin as they arrive, and prints their number and rate.
 *
 *     c++ -std=c++17 -O2 linerate.cpp -o linerate $(pkg-config --cflags --libs signalkit)
 *     tail -f some.log | ./linerate
 *
 *     lines (a source with a thread) -> deliver_on -> map (count) -> a pipe -> throttle -> a periodic report
 */
#include <signalkit.hpp>

#include <chrono>
#include <future>
#include <iostream>
#include <string>
#include <thread>

using clock_type = std::chrono::steady_clock;

/* The lines of a stream. A thread reads them until the end of the stream, or until the first line after the disposal. */
static sgk::signal lines_of(std::istream &in) {
    return sgk::create([&in](const sgk::subscriber &to) {
        auto reader = std::make_shared<std::thread>([&in, to] {
            std::string line;
            while (std::getline(in, line))
                if (!to.next(line)) return;
            if (in.bad()) to.error("the input is broken");
            else to.complete();
        });
        return [reader] { reader->detach(); };
    });
}

int main() {
    {
        const sgk::queue counting("linerate.counting");
        const auto began = clock_type::now();
        std::promise<bool> over;

        /* One subscription to the source, shared by its subscribers: each line becomes the totals [lines, bytes]. */
        sgk::pipe counts;
        std::int64_t lines = 0, bytes = 0;
        const auto counted = lines_of(std::cin) | sgk::deliver_on(counting) | sgk::map([&](std::string_view line) {
            bytes += static_cast<std::int64_t>(line.size()) + 1;
            return std::vector<std::int64_t>{++lines, bytes};
        });

        const sgk::scoped_disposable reports = counts.signal() | sgk::throttle(0.5, counting) | sgk::start([&](const std::vector<std::int64_t> &so_far) {
            const double seconds = std::chrono::duration<double>(clock_type::now() - began).count();
            std::cerr << so_far[0] << " lines, " << static_cast<double>(so_far[0]) / seconds << " lines/s\n";
        });
        const sgk::disposable subscription = counted | sgk::start(
            [&](const sgk::value &so_far) { counts.next(so_far); },
            [&](const sgk::value &error) { std::cerr << "linerate: " << error << "\n"; over.set_value(false); },
            [&] { over.set_value(true); });

        if (!over.get_future().get()) return 1;
        counting.sync([] {}); // the callback that has ended the wait has returned, too
        std::cout << "Lines: " << lines << ". Bytes: " << bytes << ".\n";
    }
    for (int left = 60000; sgk_live_total() != 0 && left > 0; left--) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::cout << "Objects left alive: " << sgk_live_total() << ".\n";
    return sgk_live_total() == 0 ? 0 : 1;
}
