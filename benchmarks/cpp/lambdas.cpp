// SignalKit from C++: the cost of lambdas, compared with the same functions in C. Neighbouring lambdas are one stage.
#include <signalkit.hpp>

#include <cstring>
#include <string>

#include "../c/frames.h"

using std::int64_t;

static const auto lambda = sgk::map([](int64_t number) { return number + 1; });
static sgk::signal<int64_t> c_function(const sgk::signal<int64_t> &source) {
    return sgk::signal<int64_t>(mapped(source.get()));
}

// A stage with state.
static const auto serial_lambda =
    sgk::distinct_until_changed([](int64_t latest, int64_t number) { return latest == number; });
static bool same(void *, sgk_value latest, sgk_value value) { return sgk_to_int(latest) == sgk_to_int(value); }
static sgk::signal<int64_t> serial_c_function(const sgk::signal<int64_t> &source) {
    return sgk::signal<int64_t>(sgk_signal_distinct_until_changed_by(source.get(), same, nullptr, nullptr));
}

// Texts of 40 bytes, to which each stage appends one.
static const auto text_lambda = sgk::map([](std::string text) { return std::move(text += 'x'); });
static sgk_value append(void *, sgk_value value) {
    char longer[128];
    size_t length = 0;
    const char *text = sgk_value_data(value, &length);
    std::memcpy(longer, text, length);
    longer[length] = 'x';
    return sgk_string_n(longer, length + 1);
}
static sgk::signal<std::string> text_c_function(const sgk::signal<std::string> &source) {
    return sgk::signal<std::string>(sgk_signal_map(source.get(), append, nullptr, nullptr));
}

/** Returns a source with stages behind it. */
template <int length, const auto &stage, class Source>
static auto chain(Source source) {
    if constexpr (length == 0) return source;
    else return chain<length - 1, stage>(std::move(source) | stage);
}

// ---- W12: a chain ----

template <int length, const auto &stage, int increment = 1>
static double from_generator(long count) {
    int64_t sum = 0;
    const auto source = sgk::create<int64_t>([count](const sgk::subscriber<int64_t> &to) noexcept {
        for (long i = 0; i < count; i++) sgk_subscriber_next(to.get(), sgk_int(i));
    });
    const sgk::signal<int64_t> signal = chain<length, stage>(source);
    const double start = bench_now();
    const sgk::disposable run(sgk_signal_start_next(signal.get(), add_up, &sum, nullptr));
    const double end = bench_now();
    bench_check(sum, bench_sum(count) + int64_t(length) * increment * count, "sum");
    return (end - start) / double(count);
}

template <int length, const auto &stage>
static double from_pipe(long count) {
    int64_t sum = 0;
    const sgk::pipe<int64_t> pipe;
    const sgk::signal<int64_t> signal = chain<length, stage>(pipe.signal());
    const sgk::scoped_disposable run = sgk::disposable(sgk_signal_start_next(signal.get(), add_up, &sum, nullptr));
    const double nanoseconds = put_all(pipe.get(), count);
    bench_check(sum, bench_sum(count) + int64_t(length) * count, "sum");
    return nanoseconds / double(count);
}

static void add_length(void *sum, sgk_value value) {
    size_t length = 0;
    sgk_value_data(value, &length);
    *static_cast<int64_t *>(sum) += int64_t(length);
}

template <int length, const auto &stage>
static double of_texts(long count) {
    int64_t sum = 0;
    const sgk::pipe<std::string> pipe;
    const sgk::signal<std::string> signal = chain<length, stage>(pipe.signal());
    const sgk::scoped_disposable run = sgk::disposable(sgk_signal_start_next(signal.get(), add_length, &sum, nullptr));
    const sgk::value text(std::string(40, 'a'));
    const double start = bench_now();
    for (long i = 0; i < count; i++) sgk_pipe_next(pipe.get(), text.get());
    const double end = bench_now();
    bench_check(sum, (40 + length) * count, "length");
    return (end - start) / double(count);
}

// ---- W12: a subscription: pipe, map, filter, sink ----

static bool is_odd(void *, sgk_value value) { return sgk_to_int(value) % 2 != 0; }
static void count_up(void *context, sgk_value) { ++*static_cast<int64_t *>(context); }

struct in_c {
    sgk::signal<int64_t> signal;
    explicit in_c(const sgk::pipe<int64_t> &pipe)
        : signal(sgk_signal_filter(c_function(pipe.signal()).get(), is_odd, nullptr, nullptr)) {}
    sgk_disposable *start(int64_t &received) const {
        return sgk_signal_start_next(signal.get(), count_up, &received, nullptr);
    }
};

struct in_lambdas {
    sgk::signal<int64_t> signal;
    explicit in_lambdas(const sgk::pipe<int64_t> &pipe)
        : signal(pipe.signal() | lambda | sgk::filter([](int64_t number) { return number % 2 != 0; })) {}
    sgk_disposable *start(int64_t &received) const {
        return signal.start([&received](int64_t) { ++received; }).release();
    }
};

template <class Pipeline>
static double start_and_dispose(long count) {
    int64_t received = 0;
    const sgk::pipe<int64_t> pipe;
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
    const sgk::pipe<int64_t> pipe;
    const Pipeline pipeline(pipe);
    std::vector<sgk::scoped_disposable> runs(static_cast<size_t>(count));
    const double before = bench_heap();
    for (auto &run : runs) run = sgk::disposable(pipeline.start(received));
    const double after = bench_heap();
    pipe.next(0);
    bench_check(received, count, "received");
    return (after - before) / double(count);
}

static const char *const cpp = "SignalKit (C++)";

#define CHAIN(row, measure, length) \
    {"W12." row "." #length, NAME, measure<length, c_function>, 1000000}, { \
        "W12." row "." #length, cpp, measure<length, lambda>, 1000000 \
    }
#define CHAINS(row, measure) \
    CHAIN(row, measure, 1), CHAIN(row, measure, 2), CHAIN(row, measure, 5), CHAIN(row, measure, 10), \
        CHAIN(row, measure, 20), CHAIN(row, measure, 40)
#define SUBSCRIPTION(row, measure, count) \
    {row, NAME, measure<in_c>, count}, { row, cpp, measure<in_lambdas>, count }

#define SERIAL(length) \
    {"W12.serial." #length, NAME, from_generator<length, serial_c_function, 0>, 100000}, { \
        "W12.serial." #length, cpp, from_generator<length, serial_lambda, 0>, 100000 \
    }

static const bench_case cases[] = {
    CHAINS("generator", from_generator),
    CHAINS("pipe", from_pipe),
    {"W12.text.10", NAME, of_texts<10, text_c_function>, 200000},
    {"W12.text.10", cpp, of_texts<10, text_lambda>, 200000},
    SERIAL(10),
    SERIAL(40),
    SUBSCRIPTION("W12.time", start_and_dispose, 500000),
    SUBSCRIPTION("W12.bytes", bytes, 10000),
};

BENCH_MAIN(cases)
