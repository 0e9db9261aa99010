// Boost.Signals2.
#include <boost/signals2.hpp>
#include <atomic>
#include <thread>
#include <vector>

#include "../bench.h"

using signal_type = boost::signals2::signal<void(int64_t)>;

static const char *const name = "Boost.Signals2";

// A stage is a signal whose slot emits the next one: what there is instead of `map`.
static double ten_maps(long count) {
    int64_t sum = 0;
    signal_type stages[11];
    for (int i = 0; i < 10; i++) {
        stages[i].connect([next = &stages[i + 1]](int64_t number) { (*next)(number + 1); });
    }
    stages[10].connect([&sum](int64_t number) { sum += number; });
    double start = bench_now();
    for (long i = 0; i < count; i++) stages[0](i);
    double end = bench_now();
    bench_check(sum, bench_sum(count) + 10 * count, "sum");
    return (end - start) / double(count);
}

template <long subscribers> static double broadcast(long count) {
    int64_t sum = 0;
    signal_type source;
    for (long i = 0; i < subscribers; i++) source.connect([&sum](int64_t number) { sum += number; });
    long events = (count + subscribers - 1) / subscribers;
    double start = bench_now();
    for (long i = 0; i < events; i++) source(i);
    double end = bench_now();
    bench_check(sum, bench_sum(events) * subscribers, "sum");
    return (end - start) / double(events * subscribers);
}

// Two threads at once: the slot has to see to itself.
static double two_threads(long count) {
    std::atomic<int64_t> sum{0};
    signal_type source;
    source.connect([&sum](int64_t number) { sum.fetch_add(number, std::memory_order_relaxed); });
    long events = (count + 1) / 2;
    auto emit = [&] { for (long i = 0; i < events; i++) source(i); };
    double start = bench_now();
    std::thread one(emit), two(emit);
    one.join();
    two.join();
    double end = bench_now();
    bench_check(sum, bench_sum(events) * 2, "sum");
    return (end - start) / double(events * 2);
}

static double connect_and_disconnect(long count) {
    int64_t sum = 0;
    signal_type source;
    double start = bench_now();
    for (long i = 0; i < count; i++) source.connect([&sum](int64_t number) { sum += number; }).disconnect();
    double end = bench_now();
    source(1);
    bench_check(sum, 0, "received after disconnecting");
    return (end - start) / double(count);
}

static double bytes(long count) {
    int64_t sum = 0;
    signal_type source;
    std::vector<boost::signals2::connection> connections;
    connections.reserve(size_t(count));
    double before = bench_heap();
    for (long i = 0; i < count; i++) connections.push_back(source.connect([&sum](int64_t number) { sum += number; }));
    double after = bench_heap();
    source(1);
    bench_check(sum, count, "sum");
    return (after - before) / double(count);
}

static const bench_case cases[] = {
    {"W1", "Boost.Signals2, a signal per stage", ten_maps, 200000},
    {"W2.1", name, broadcast<1>, 2000000},
    {"W2.10", name, broadcast<10>, 3000000},
    {"W2.1000", name, broadcast<1000>, 3000000},
    {"W3.time", "Boost.Signals2 (connect, disconnect)", connect_and_disconnect, 300000},
    {"W3.bytes", "Boost.Signals2 (a slot)", bytes, 10000},
    {"W7", name, two_threads, 1000000},
};

BENCH_MAIN(cases)
