// The cases for libraries of signals and slots. The program defines `Signal`, whose slots take an int64_t.
#pragma once

#include <vector>

#include "../bench.h"

inline auto add_to(int64_t &sum) {
    return [&sum](int64_t number) { sum += number; };
}

// A stage is a signal whose slot emits the next one: what there is instead of `map`.
template <class Signal>
double ten_maps(long count) {
    int64_t sum = 0;
    Signal stages[11];
    for (int i = 0; i < 10; i++) {
        stages[i].connect([next = &stages[i + 1]](int64_t number) { (*next)(number + 1); });
    }
    stages[10].connect(add_to(sum));
    double start = bench_now();
    for (long i = 0; i < count; i++) stages[0](i);
    double end = bench_now();
    bench_check(sum, bench_sum(count) + 10 * count, "sum");
    return (end - start) / double(count);
}

template <class Signal, long subscribers>
double broadcast(long count) {
    int64_t sum = 0;
    Signal source;
    for (long i = 0; i < subscribers; i++) source.connect(add_to(sum));
    long events = (count + subscribers - 1) / subscribers;
    double start = bench_now();
    for (long i = 0; i < events; i++) source(i);
    double end = bench_now();
    bench_check(sum, bench_sum(events) * subscribers, "sum");
    return (end - start) / double(events * subscribers);
}

template <class Signal>
double connect_and_disconnect(long count) {
    int64_t sum = 0;
    Signal source;
    double start = bench_now();
    for (long i = 0; i < count; i++) source.connect(add_to(sum)).disconnect();
    double end = bench_now();
    source(1);
    bench_check(sum, 0, "received after disconnecting");
    return (end - start) / double(count);
}

template <class Signal>
double bytes(long count) {
    int64_t sum = 0;
    Signal source;
    std::vector<decltype(source.connect(add_to(sum)))> connections;
    connections.reserve(size_t(count));
    double before = bench_heap();
    for (long i = 0; i < count; i++) connections.push_back(source.connect(add_to(sum)));
    double after = bench_heap();
    source(1);
    bench_check(sum, count, "sum");
    return (after - before) / double(count);
}
