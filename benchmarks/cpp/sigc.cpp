// libsigc++, which is not thread-safe.
#include <sigc++/sigc++.h>
#include <vector>

#include "../bench.h"

using signal_type = sigc::signal<void(int64_t)>;

static const char *const name = "libsigc++ (one thread)";

// A stage is a signal whose slot emits the next one: what there is instead of `map`.
static double ten_maps(long count) {
    int64_t sum = 0;
    signal_type stages[11];
    for (int i = 0; i < 10; i++) {
        stages[i].connect([next = &stages[i + 1]](int64_t number) { next->emit(number + 1); });
    }
    stages[10].connect([&sum](int64_t number) { sum += number; });
    double start = bench_now();
    for (long i = 0; i < count; i++) stages[0].emit(i);
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
    for (long i = 0; i < events; i++) source.emit(i);
    double end = bench_now();
    bench_check(sum, bench_sum(events) * subscribers, "sum");
    return (end - start) / double(events * subscribers);
}

static double connect_and_disconnect(long count) {
    int64_t sum = 0;
    signal_type source;
    double start = bench_now();
    for (long i = 0; i < count; i++) source.connect([&sum](int64_t number) { sum += number; }).disconnect();
    double end = bench_now();
    source.emit(1);
    bench_check(sum, 0, "received after disconnecting");
    return (end - start) / double(count);
}

static double bytes(long count) {
    int64_t sum = 0;
    signal_type source;
    std::vector<sigc::connection> connections;
    connections.reserve(size_t(count));
    double before = bench_heap();
    for (long i = 0; i < count; i++) connections.push_back(source.connect([&sum](int64_t number) { sum += number; }));
    double after = bench_heap();
    source.emit(1);
    bench_check(sum, count, "sum");
    return (after - before) / double(count);
}

static const bench_case cases[] = {
    {"W1", "libsigc++, a signal per stage", ten_maps, 1000000},
    {"W2.1", name, broadcast<1>, 3000000},
    {"W2.10", name, broadcast<10>, 10000000},
    {"W2.1000", name, broadcast<1000>, 10000000},
    {"W3.time", "libsigc++ (connect, disconnect)", connect_and_disconnect, 500000},
    {"W3.bytes", "libsigc++ (a slot)", bytes, 10000},
};

BENCH_MAIN(cases)
