// Boost.Signals2.
#include <boost/signals2.hpp>
#include <atomic>
#include <thread>

#include "slots.hpp"

using signal_type = boost::signals2::signal<void(int64_t)>;

static const char *const name = "Boost.Signals2";

// Two threads at once: the slot has to see to itself.
static double two_threads(long count) {
    std::atomic<int64_t> sum{0};
    signal_type source;
    source.connect([&sum](int64_t number) { sum.fetch_add(number, std::memory_order_relaxed); });
    long events = (count + 1) / 2;
    auto emit = [&] {
        for (long i = 0; i < events; i++) source(i);
    };
    double start = bench_now();
    std::thread one(emit), two(emit);
    one.join();
    two.join();
    double end = bench_now();
    bench_check(sum, bench_sum(events) * 2, "sum");
    return (end - start) / double(events * 2);
}

static const bench_case cases[] = {
    {"W1", "Boost.Signals2, a signal per stage", ten_maps<signal_type>, 200000},
    {"W2.1", name, broadcast<signal_type, 1>, 2000000},
    {"W2.10", name, broadcast<signal_type, 10>, 3000000},
    {"W2.1000", name, broadcast<signal_type, 1000>, 3000000},
    {"W3.time", "Boost.Signals2 (connect, disconnect)", connect_and_disconnect<signal_type>, 300000},
    {"W3.bytes", "Boost.Signals2 (a slot)", bytes<signal_type>, 10000},
    {"W7", name, two_threads, 1000000},
};

BENCH_MAIN(cases)
