// SignalKit from C++: the operators of c/operators.c with lambdas of plain types, which may throw, and whole C++
// pipelines. The cases and their results are the same.
#include <signalkit.hpp>

#include <semaphore.h>

#include "../c/frames.h"
#include "../c/threads.h"

using std::int64_t;
using namespace std::chrono_literals;
using numbers = sgk::signal<int64_t>;

// ---- The operators ----

static const auto sum_of_two = [](int64_t a, int64_t b) { return a + b; };

static auto scanned() {
    return sgk::scan(int64_t(0), [](int64_t accumulated, int64_t number) { return number - accumulated; });
}
static auto merged() {
    return sgk::merge_map(
        4, [](int64_t number) { return sgk::just(number); }, 0);
}
static auto merged_created() {
    return sgk::merge_map(
        4,
        [](int64_t number) {
            return sgk::create<int64_t>(
                [number](const sgk::subscriber<int64_t> &to) { to.next(number), to.complete(); });
        },
        0);
}
static auto shared() { return sgk::share(); }
constexpr int chunk_length = 10;
static auto chunked() { return sgk::chunked(chunk_length); }
static auto debounced(const sgk::queue &on) { return sgk::debounce(10ms, on); }

static numbers combined(const numbers &left, const numbers &right) {
    return sgk::combine_latest(left, right) | sgk::map(sum_of_two);
}
static numbers zipped(const numbers &left, const numbers &right) {
    return sgk::zip(1, left, right) | sgk::map(sum_of_two);
}
static numbers with_latest(const numbers &left, const numbers &right) {
    return left | sgk::with_latest_from(right) | sgk::map(sum_of_two);
}

// ---- W14: an event ----

static auto adding_to(int64_t &sum) {
    return [&sum](int64_t number) { sum += number; };
}

template <auto stage>
static double through_one(long count, int64_t expected) {
    int64_t sum = 0;
    const sgk::pipe<int64_t> pipe;
    const sgk::scoped_disposable run = (pipe.signal() | stage()).start(adding_to(sum));
    const double nanoseconds = put_all(pipe.get(), count);
    bench_check(sum, expected, "sum");
    return nanoseconds / double(count);
}

static double scan(long count) { return through_one<scanned>(count, int64_t(count) * count / 4); }
static double share(long count) { return through_one<shared>(count, bench_sum(count)); }
static double merge(long count) { return through_one<merged>(count, bench_sum(count)); }
static double merge_created(long count) { return through_one<merged_created>(count, bench_sum(count)); }

static double chunk(long count) {
    int64_t sum = 0;
    const sgk::pipe<int64_t> pipe;
    const sgk::scoped_disposable run = (pipe.signal() | chunked()).start([&sum](const std::vector<int64_t> &numbers) {
        for (const int64_t number : numbers) sum += number;
    });
    const double nanoseconds = put_all(pipe.get(), count);
    bench_check(sum, bench_sum(count / chunk_length * chunk_length), "sum");
    return nanoseconds / double(count);
}

template <auto join, int per_round>
static double joined(long count) {
    int64_t sum = 0;
    const sgk::pipe<int64_t> left, right;
    const sgk::scoped_disposable run = join(left.signal(), right.signal()).start(adding_to(sum));
    const long rounds = count / per_round;
    if (per_round == 1) right.next(0);
    const double start = bench_now();
    for (long i = 0; i < rounds; i++) {
        if (per_round == 2) right.next(i);
        left.next(i);
    }
    const double end = bench_now();
    bench_check(sum, bench_sum(rounds) * per_round, "sum");
    return (end - start) / double(rounds * per_round);
}

// ---- W14: time ----

static double interval(long count) {
    int64_t sum = 0;
    const sgk::queue clock = sgk::queue::virtual_time();
    const sgk::scoped_disposable run = sgk::interval(1s, clock).start(adding_to(sum));
    const double start = bench_now();
    clock.advance(sgk::duration(double(count)));
    const double end = bench_now();
    bench_check(sum, bench_sum(count), "sum");
    return (end - start) / double(count);
}

static double debounce_there(long count) {
    int64_t sum = 0;
    const sgk::queue clock = sgk::queue::virtual_time();
    const sgk::pipe<int64_t> pipe;
    const sgk::scoped_disposable run = (pipe.signal() | debounced(clock)).start(adding_to(sum));
    const double nanoseconds = clock.sync([&] { return put_all(pipe.get(), count); });
    bench_check(sum, 0, "sum too soon");
    clock.advance(1s);
    bench_check(sum, count - 1, "sum");
    return nanoseconds / double(count);
}

static double debounce(long count) {
    double arrival = 0;
    sem_t arrived;
    sem_init(&arrived, 0, 0);
    const sgk::queue queue("benchmark");
    const sgk::pipe<int64_t> pipe;
    const sgk::scoped_disposable run = (pipe.signal() | debounced(queue)).start([&, count](int64_t number) {
        if (number < count - 1) return; // the emitting thread was held up for so long
        arrival = bench_now();
        sem_post(&arrived);
    });
    const double start = bench_now();
    put_all(pipe.get(), count);
    sem_wait(&arrived);
    return (arrival - start - 1e7) / double(count);
}

// ---- W14: state ----

struct changes {
    sgk::state<int64_t> state;
    long count;
};

static void change(void *context) {
    const changes &it = *static_cast<changes *>(context);
    for (long i = 0; i < it.count; i++) it.state.modify([](int64_t number) { return number + 1; });
}

template <int threads>
static double modify(long count) {
    int64_t expected = 0;
    changes it{sgk::state<int64_t>(0), count / threads};
    const sgk::scoped_disposable run =
        it.state.signal().start([&expected](int64_t number) { bench_check(number, expected++, "state"); });
    const double nanoseconds = (threads == 2 ? on_two_threads : on_this_thread)(change, &it);
    bench_check(expected, it.count * threads + 1, "states");
    return nanoseconds / double(it.count * threads);
}

// ---- W15: started and disposed ----

template <class T>
static double start_and_dispose(long count, const sgk::signal<T> &signal) {
    int64_t sum = 0;
    const int64_t alive = sgk_live_total();
    const double start = bench_now();
    for (long i = 0; i < count; i++) sgk::scoped_disposable(signal.start([&sum](const auto &) { ++sum; }));
    const double end = bench_now();
    bench_check(sgk_live_total(), alive, "left alive");
    bench_check(sum, 0, "sum");
    return (end - start) / double(count);
}

template <auto stage>
static double start_stage(long count) {
    const sgk::pipe<int64_t> pipe;
    const auto pipeline = pipe.signal() | stage();
    return start_and_dispose(count, sgk::signal<typename decltype(pipeline)::value_type>(pipeline));
}

template <auto join>
static double start_join(long count) {
    const sgk::pipe<int64_t> left, right;
    return start_and_dispose(count, join(left.signal(), right.signal()));
}

static double start_interval(long count) {
    return start_and_dispose(count, sgk::interval(1s, sgk::queue::virtual_time()));
}

static double start_debounce(long count) {
    const sgk::pipe<int64_t> pipe;
    return start_and_dispose(count, pipe.signal() | debounced(sgk::queue::virtual_time()));
}

static const char *const cpp = "SignalKit (C++)";

static const bench_case cases[] = {
    {"W14.scan", cpp, scan, 3000000},
    {"W14.merged", cpp, merge, 500000},
    {"W14.merged.created", cpp, merge_created, 500000},
    {"W14.zip", cpp, joined<zipped, 2>, 2000000},
    {"W14.latest", cpp, joined<with_latest, 1>, 2000000},
    {"W14.share", cpp, share, 3000000},
    {"W14.chunked", cpp, chunk, 3000000},
    {"W14.interval", cpp, interval, 500000},
    {"W14.debounce", cpp, debounce, 1000000},
    {"W14.debounce.there", cpp, debounce_there, 1000000},
    {"W14.modify.1", cpp, modify<1>, 2000000},
    {"W14.modify.2", cpp, modify<2>, 2000000},
    {"W15.scan", cpp, start_stage<scanned>, 300000},
    {"W15.merged", cpp, start_stage<merged>, 300000},
    {"W15.combine", cpp, start_join<combined>, 300000},
    {"W15.zip", cpp, start_join<zipped>, 300000},
    {"W15.latest", cpp, start_join<with_latest>, 300000},
    {"W15.share", cpp, start_stage<shared>, 300000},
    {"W15.chunked", cpp, start_stage<chunked>, 300000},
    {"W15.interval", cpp, start_interval, 300000},
    {"W15.debounce", cpp, start_debounce, 300000},
};

BENCH_MAIN(cases)
