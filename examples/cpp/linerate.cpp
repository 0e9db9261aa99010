/*
 * linerate: reads lines from stdin as they arrive, and prints their number and rate.
 *
 *     c++ -std=c++17 -O2 linerate.cpp -o linerate $(pkg-config --cflags --libs signalkit)
 *     tail -f some.log | ./linerate
 *
 *     lines (a source with a thread) -> deliver_on -> scan (count) -> a pipe -> throttle -> a periodic report
 */
#include <signalkit.hpp>

#include <chrono>
#include <future>
#include <iostream>
#include <string>
#include <thread>

using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

/* The lines of a stream. A thread reads them until the end of the stream, or until the first line after the disposal. */
static sgk::signal<std::string> lines_of(std::istream &in) {
    return sgk::create<std::string>([&in](const sgk::subscriber<std::string> &to) {
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

        /* One subscription to the source, shared by its subscribers: each line becomes the totals. */
        struct totals {
            std::int64_t lines = 0, bytes = 0;
        };
        sgk::pipe<totals> counts;
        const auto counted = lines_of(std::cin) | sgk::deliver_on(counting)
            | sgk::scan(totals(), [](totals so_far, const std::string &line) {
                  return totals{so_far.lines + 1, so_far.bytes + static_cast<std::int64_t>(line.size()) + 1};
              });

        const sgk::scoped_disposable reports = counts.signal() | sgk::throttle(500ms, counting) | sgk::start([&](const totals &so_far) {
            const double seconds = std::chrono::duration<double>(clock_type::now() - began).count();
            std::cerr << so_far.lines << " lines, " << static_cast<double>(so_far.lines) / seconds << " lines/s\n";
        });
        totals all;
        const sgk::disposable subscription = counted | sgk::start(
            [&](const totals &so_far) { counts.next(all = so_far); },
            [&](const sgk::failure &error) { std::cerr << "linerate: " << error << "\n"; over.set_value(false); },
            [&] { over.set_value(true); });

        if (!over.get_future().get()) return 1;
        counting.sync([] {}); // the callback that has ended the wait has returned, too
        std::cout << "Lines: " << all.lines << ". Bytes: " << all.bytes << ".\n";
    }
    for (int left = 60000; sgk_live_total() != 0 && left > 0; left--) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::cout << "Objects left alive: " << sgk_live_total() << ".\n";
    return sgk_live_total() == 0 ? 0 : 1;
}
