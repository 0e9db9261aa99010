// SignalKit from C++: the cost of lambdas, compared with the same functions in C. A lambda of plain types can fail, by
// an exception or by a value of another type. A lambda that is noexcept and takes values cannot fail.
#include <signalkit.hpp>

#include "../c/frames.h"

static const auto lambda = sgk::map([](int64_t number) { return number + 1; });
static const auto noexcept_lambda = sgk::map([](sgk_value value) noexcept { return sgk_int(sgk_to_int(value) + 1); });
static const auto c_function = [](const sgk::signal &source) { return sgk::signal(mapped(source.get())); };

// A stage with state, whose lambda receives its subscription.
static const auto serial_lambda =
    sgk::distinct_until_changed([](int64_t last, int64_t number) { return last == number; });
static bool same(void *, sgk_value last, sgk_value value) { return sgk_to_int(last) == sgk_to_int(value); }
static const auto serial_c_function = [](const sgk::signal &source) {
    return sgk::signal(sgk_signal_distinct_until_changed_by(source.get(), same, nullptr, nullptr));
};

template <class Stage>
static sgk::signal chain(sgk::signal source, int length, const Stage &stage) {
    for (int i = 0; i < length; i++) source = source | stage;
    return source;
}

// ---- W12: a chain ----

template <int length, const auto &stage, int increment = 1>
static double from_generator(long count) {
    int64_t sum = 0;
    const sgk::signal source = sgk::create([count](const sgk::subscriber &to) noexcept {
        for (long i = 0; i < count; i++) sgk_subscriber_next(to.get(), sgk_int(i));
    });
    const sgk::signal signal = chain(source, length, stage);
    const double start = bench_now();
    const sgk::disposable run(sgk_signal_start_next(signal.get(), add_up, &sum, nullptr));
    const double end = bench_now();
    bench_check(sum, bench_sum(count) + int64_t(length) * increment * count, "sum");
    return (end - start) / double(count);
}

template <int length, const auto &stage>
static double from_pipe(long count) {
    int64_t sum = 0;
    const sgk::pipe pipe;
    const sgk::signal signal = chain(pipe.signal(), length, stage);
    const sgk::scoped_disposable run = sgk::disposable(sgk_signal_start_next(signal.get(), add_up, &sum, nullptr));
    const double nanoseconds = put_all(pipe.get(), count);
    bench_check(sum, bench_sum(count) + int64_t(length) * count, "sum");
    return nanoseconds / double(count);
}

// ---- W12: a subscription: pipe, map, filter, sink ----

static bool is_odd(void *, sgk_value value) { return sgk_to_int(value) % 2 != 0; }
static void count_up(void *context, sgk_value) { ++*static_cast<int64_t *>(context); }

struct in_c {
    sgk::signal signal;
    explicit in_c(const sgk::pipe &pipe)
        : signal(sgk_signal_filter(c_function(pipe.signal()).get(), is_odd, nullptr, nullptr)) {}
    sgk_disposable *start(int64_t &received) const {
        return sgk_signal_start_next(signal.get(), count_up, &received, nullptr);
    }
};

struct in_lambdas {
    sgk::signal signal;
    explicit in_lambdas(const sgk::pipe &pipe)
        : signal(pipe.signal() | lambda | sgk::filter([](int64_t number) { return number % 2 != 0; })) {}
    sgk_disposable *start(int64_t &received) const {
        return signal.start([&received](int64_t) { ++received; }).release();
    }
};

struct in_noexcept_lambdas {
    sgk::signal signal;
    explicit in_noexcept_lambdas(const sgk::pipe &pipe)
        : signal(pipe.signal() | noexcept_lambda |
              sgk::filter([](sgk_value value) noexcept { return is_odd(nullptr, value); })) {}
    sgk_disposable *start(int64_t &received) const {
        return signal.start([&received](sgk_value) noexcept { ++received; }).release();
    }
};

template <class Pipeline>
static double start_and_dispose(long count) {
    int64_t received = 0;
    const sgk::pipe pipe;
    const Pipeline pipeline(pipe);
    const double start = bench_now();
    for (long i = 0; i < count; i++) sgk::scoped_disposable(sgk::disposable(pipeline.start(received)));
    const double end = bench_now();
    pipe.next(0);
    bench_check(received, 0, "received after disposal");
    return (end - start) / double(count);
}

template <class Pipeline>
static double bytes(long count) {
    int64_t received = 0;
    const sgk::pipe pipe;
    const Pipeline pipeline(pipe);
    std::vector<sgk::scoped_disposable> runs(static_cast<size_t>(count));
    const double before = bench_heap();
    for (auto &run : runs) run = sgk::disposable(pipeline.start(received));
    const double after = bench_heap();
    pipe.next(0);
    bench_check(received, count, "received");
    return (after - before) / double(count);
}

static const char *const cpp = "SignalKit (C++)", *const plain = "SignalKit (C++, noexcept)";

#define CHAIN(row, measure, length) \
    {"W12." row "." #length, NAME, measure<length, c_function>, 1000000}, \
        {"W12." row "." #length, cpp, measure<length, lambda>, 1000000}, { \
        "W12." row "." #length, plain, measure<length, noexcept_lambda>, 1000000 \
    }
#define CHAINS(row, measure) \
    CHAIN(row, measure, 1), CHAIN(row, measure, 2), CHAIN(row, measure, 5), CHAIN(row, measure, 10), \
        CHAIN(row, measure, 20), CHAIN(row, measure, 40)
#define SUBSCRIPTION(row, measure, count) \
    {row, NAME, measure<in_c>, count}, {row, cpp, measure<in_lambdas>, count}, { \
        row, plain, measure<in_noexcept_lambdas>, count \
    }

#define SERIAL(length) \
    {"W12.serial." #length, NAME, from_generator<length, serial_c_function, 0>, 100000}, { \
        "W12.serial." #length, cpp, from_generator<length, serial_lambda, 0>, 100000 \
    }

static const bench_case cases[] = {
    CHAINS("generator", from_generator),
    CHAINS("pipe", from_pipe),
    SERIAL(10),
    SERIAL(40),
    SUBSCRIPTION("W12.time", start_and_dispose, 500000),
    SUBSCRIPTION("W12.bytes", bytes, 10000),
};

BENCH_MAIN(cases)
