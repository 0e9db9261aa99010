// Requests with retry, timeout and cancellation over a pool: at most two at a time, each with three attempts.
#include <atomic>
#include <iostream>
#include <signalkit.hpp>
#include <thread>

using namespace std::chrono_literals;

// This replaces a network. The first attempt of /flaky fails, and /slow never answers.
static std::string fetch(const std::string &url, const sgk::subscriber<std::string> &subscriber) {
    static std::atomic<int> failures{0};
    while (url == "/slow" && subscriber.is_active()) std::this_thread::sleep_for(1ms); // until it is cancelled
    if (url == "/flaky" && failures++ == 0) throw std::runtime_error("connection reset");
    return url + ": 200 OK";
}

int main() {
    const sgk::queue pool = sgk::queue::concurrent("requests", 2), loop = sgk::queue::main();
    const auto request = [=](const std::string &url) {
        return sgk::create<std::string>([url](const sgk::subscriber<std::string> &subscriber) {
            subscriber.next(fetch(url, subscriber));
            subscriber.complete();
        }) | sgk::run_on(pool)
            | sgk::timeout(500ms, loop)
            | sgk::retry({3, 50ms}, loop)
            | sgk::catch_error([url](const sgk::failure &error) { return sgk::just(url + ": " + error.text()); });
    };
    const sgk::scoped_disposable run = sgk::from(std::vector<std::string>{"/a", "/slow", "/flaky", "/b"})
        | sgk::merge_map(2, request)
        | sgk::deliver_on(loop)
        | sgk::start([](const std::string &line) { std::cout << line << "\n"; });
    sgk::main_run_until(run, 30s); // the user gives up after 30 seconds: the end of the block cancels the requests
}
