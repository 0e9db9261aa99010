// Fusion of two sensors with sharing and a late subscriber, in virtual time.
#include <cmath>
#include <cstdio>
#include <signalkit.hpp>

using namespace std::chrono_literals;

static sgk::signal<double> sensor(sgk::duration period, double rate, const sgk::queue &clock) {
    return sgk::interval(period, clock)
        | sgk::map([rate](std::int64_t tick) { return 20 + 8 * std::sin(double(tick) * rate); })
        | sgk::filter([](double reading) { return reading < 27.5; }); // an implausible reading is dropped
}

int main() {
    const auto print = [](const char *name) {
        return [name](double reading) { std::printf("%s %.2f\n", name, reading); };
    };
    const sgk::queue clock = sgk::queue::virtual_time();
    const sgk::signal<double> fused = sgk::combine_latest(sensor(500ms, 0.3, clock), sensor(700ms, 0.2, clock))
        | sgk::map([](double inside, double outside) { return (inside + outside) / 2; })
        | sgk::stage(std::optional<double>(), [](std::optional<double> &smooth, double reading) {
              smooth = smooth ? 0.7 * *smooth + 0.3 * reading : reading;
              return *smooth;
          })
        | sgk::distinct_until_changed([](double before, double reading) { return std::abs(before - reading) < 0.05; })
        | sgk::share(1);
    const sgk::scoped_disposable display = fused.start(print("display"));
    clock.advance(3s);
    const sgk::scoped_disposable late = fused.start(print("late"));
    clock.advance(2s);
}
