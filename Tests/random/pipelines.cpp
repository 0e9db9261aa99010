// The pipelines of pipelines.py, run by the C++ headers.
#include <signalkit.hpp>

#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>

using namespace sgk;

using numbers = sgk::signal<int64_t>;

static constexpr double second = 1e6; // of microseconds

static int64_t pair(int64_t a, int64_t b) noexcept { return a * 100 + b; }

static const std::map<std::string, std::function<numbers(numbers, int64_t)>> plain = {
    {"map", [](auto s, auto n) { return s | map([n](int64_t v) { return v * 10 + n; }); }},
    {"filter", [](auto s, auto n) { return s | filter([n](int64_t v) { return v % n != 0; }); }},
    {"take", [](auto s, auto n) { return s | take(n); }},
    {"skip", [](auto s, auto n) { return s | skip(n); }},
    {"take_last", [](auto s, auto n) { return s | take_last(n); }},
    {"scan", [](auto s, auto) { return s | scan(int64_t{0}, std::plus<int64_t>()); }},
    {"distinct", [](auto s, auto) { return s | distinct_until_changed(); }},
    {"take_while", [](auto s, auto n) { return s | take_while([n](int64_t v) { return v < n; }); }},
    {"skip_while", [](auto s, auto n) { return s | skip_while([n](int64_t v) { return v < n; }); }},
    {"start_with", [](auto s, auto n) { return s | start_with(n); }},
    {"end_with", [](auto s, auto n) { return s | end_with(n); }},
    {"default", [](auto s, auto n) { return s | default_if_empty(n); }},
    {"first", [](auto s, auto) { return s | take(1); }},
    {"ignore", [](auto s, auto) { return s | ignore_values(); }},
    {"repeat", [](auto s, auto n) { return s | repeat(n); }},
    {"catch_value", [](auto s, auto n) { return s | catch_and_return(n); }},
};

static const std::map<std::string, std::function<numbers(numbers, duration, queue)>> timed = {
    {"delay_start", [](auto s, auto time, auto on) { return s | delay_start(time, on); }},
    {"delay",
        [](auto s, auto time, auto on) {
            return s | delay(time, on, {1000, SGK_OVERFLOW_ERROR});
        }},
    {"debounce", [](auto s, auto time, auto on) { return s | debounce(time, on); }},
    {"throttle", [](auto s, auto time, auto on) { return s | throttle(time, on); }},
    {"take_for", [](auto s, auto time, auto on) { return s | take_for(time, on); }},
    {"sample", [](auto s, auto time, auto on) { return s | sample(time, on); }},
};

static const std::map<std::string, std::function<numbers(numbers, numbers)>> joining = {
    {"merge", [](auto a, auto b) { return merge(a, b); }},
    {"then", [](auto a, auto b) { return a | concat_with(b); }},
    {"catch", [](auto a, auto b) { return a | catch_error([b](int64_t) { return b; }); }},
    {"combine", [](auto a, auto b) { return combine_latest(a, b) | map(pair); }},
    {"zip", [](auto a, auto b) { return zip(SGK_UNBOUNDED, a, b) | map(pair); }},
    {"with_latest", [](auto a, auto b) { return a | with_latest_from(b) | map(pair); }},
    {"race", [](auto a, auto b) { return race(a, b); }},
    {"take_until", [](auto a, auto b) { return a | take_until(b); }},
    {"skip_until", [](auto a, auto b) { return a | skip_until(b); }},
    {"switch_if_empty", [](auto a, auto b) { return a | switch_if_empty(b); }},
    {"switch", [](auto a, auto b) { return a | switch_map([b](int64_t) { return b; }); }},
    {"queue", [](auto a, auto b) { return a | concat_map([b](int64_t) { return b; }); }},
    {"merged",
        [](auto a, auto b) {
            return a |
                merge_map(
                    SGK_UNBOUNDED, [b](int64_t) { return b; }, SGK_UNBOUNDED);
        }},
    {"exhaust", [](auto a, auto b) { return a | exhaust_map([b](int64_t) { return b; }); }},
};

/** The output of a subscription, and the times at which each source was started and disposed. */
struct run {
    queue on = queue::virtual_time();
    std::string seen;
    std::map<int, std::string> starts, disposals;
    disposable running;

    std::string now() const { return std::to_string(std::llround(on.now().count() * second)); }
    void says(const std::string &event) { seen += (seen.empty() ? "" : " ") + now() + event; }
    void note(std::string &times) const { times += (times.empty() ? "" : ",") + now(); }

    numbers cold(int number, const std::string &events) {
        return create<int64_t>([this, number, events](const subscriber<int64_t> &to) {
            note(starts[number]);
            disposable_bag timers;
            std::istringstream in(events);
            int64_t time, value = 0;
            for (char kind; in >> time >> kind; in.ignore()) {
                if (kind == '=') in >> value;
                timers.add(on.after(std::chrono::microseconds(time), [to, kind, value] {
                    kind == '=' ? to.next(value) : kind == '|' ? to.complete() : to.error(int64_t{7});
                }));
            }
            return [this, number, timers] {
                note(disposals[number]);
                timers.dispose();
            };
        });
    }

    std::string play(const std::string &line) {
        std::istringstream words(line);
        std::vector<numbers> stack;
        double over;
        words >> over;
        for (std::string word; words >> word;) {
            const size_t colon = word.find(':');
            const std::string name = word.substr(0, colon);
            const std::string argument = colon == word.npos ? "0" : word.substr(colon + 1);
            const int n = std::stoi(argument);
            if (name == "cold") {
                stack.push_back(cold(n, argument.substr(argument.find(':') + 1)));
                continue;
            }
            const numbers top = stack.back();
            stack.pop_back();
            if (joining.count(name)) stack.back() = joining.at(name)(stack.back(), top);
            else if (timed.count(name)) stack.push_back(timed.at(name)(top, std::chrono::microseconds(n), on));
            else stack.push_back(plain.at(name)(top, n));
        }
        on.dispatch([this, source = stack.back()] {
            running = source.start([this](int64_t v) { says("=" + std::to_string(v)); },
                [this](const failure &e) { says("!" + e.text()); }, [this] { says("|"); });
        });
        const disposable ending = on.after(duration(over / second), [this] { running.dispose(); });
        on.advance(duration(60));
        for (const auto &[number, times] : starts)
            seen += (seen.empty() ? "" : " ") + std::to_string(number) + "+" + times + " " + std::to_string(number) +
                "-" + disposals[number];
        return seen;
    }
};

int main() {
    for (std::string line; std::getline(std::cin, line);) std::cout << run().play(line) << '\n';
    std::cout << "alive " << sgk_live_total() << '\n';
}
