/* Groups of functions that are one stage: the same events as one stage for each function, names, lifetimes. */
#include "suite.hpp"

#include <sstream>
#include <tuple>

namespace {

using numbers = sgk::signal<int64_t>;

/* Fails at the third element. */
numbers broken_source() { return sgk::concat(count_to(2), sgk::fail<int64_t>("broken")); }

/* Stages of all kinds from ints to ints. */
auto stages() {
    using namespace sgk;
    const auto odd = [](int64_t n) { return n % 2 == 1; };
    return std::make_tuple(
        map([](int64_t n) { return n * 3 + 1; }), map([](int64_t n) -> outcome<int64_t> {
            if (n == 2) return dropped();
            if (n == 6) return last(n);
            return n;
        }),
        map([](int64_t n) { return n == 4 ? throw value("four") : n; }), filter(odd),
        compact_map([](int64_t n) { return n != 3 ? std::optional<int64_t>(n) : std::nullopt; }),
        before_next([](int64_t) {}), take(3), take(0), take_while([](int64_t n) { return n < 5; }), skip(1),
        skip_while(odd), scan(int64_t{1}, std::plus<int64_t>()),
        pairwise() | map([](int64_t a, int64_t b) { return a * 10 + b; }),
        enumerated() | map([](int64_t at, int64_t n) { return at * 10 + n; }), distinct_until_changed(),
        map_error([](const failure &f) { return f.text() + "!"; }),
        map_error([](const failure &) -> outcome<int64_t> { return last(int64_t{9}); }),
        reduce(int64_t{1}, std::plus<int64_t>()),
        stage(
            int64_t{0}, [](int64_t &sum, int64_t n) { return sum += n; },
            [](int64_t &sum, const failure &) -> outcome<int64_t> { return last(sum); },
            [](int64_t &sum) { return std::optional<int64_t>(-sum); }));
}

/* Compares a group of functions with single stages. */
template <class A, class B>
void compare(const A &a, const B &b, std::size_t index) {
    for (const numbers &source : {count_to(7), broken_source(), sgk::empty<int64_t>()}) {
        const numbers fused = source | a | b | a;
        const numbers sealed_once = source | a, sealed_twice = sealed_once | b, sealed = sealed_twice | a;
        const std::string expected = events(sealed);
        if (events(fused) != expected || events(fused) != expected)
            failed(__FILE__, __LINE__, std::to_string(index) + ": " + events(fused) + " instead of " + expected);
    }
}

/* Compares each two stages. (A pair is compared once, because it has both of its orders.) Without ALL_PAIRS it compares
 * each stage with itself, with the next one, with the first one, and with the last two, which emit at the completion.
 * These groups are most of the compiler's work for this suite. The step cpp_pairs compares all. */
#ifdef ALL_PAIRS
constexpr bool all_pairs = true;
#else
constexpr bool all_pairs = false;
#endif
template <std::size_t row, std::size_t other, class All>
void compare_pair(const All &all) {
    if constexpr (all_pairs || row == 0 || other <= row + 1 || other + 2 >= std::tuple_size_v<All>)
        compare(std::get<row>(all), std::get<other>(all), row * 100 + other);
}
template <std::size_t row, class All, std::size_t... I>
void compare_from(const All &all, std::index_sequence<I...>) {
    (compare_pair<row, row + I>(all), ...);
}
template <class All, std::size_t... I>
void compare_all(const All &all, std::index_sequence<I...>) {
    (compare_from<I>(all, std::make_index_sequence<sizeof...(I) - I>()), ...);
}

/* An element that counts its objects, and throws at the copy of a number. */
struct fragile : captured {
    int64_t number;
    int64_t *left;
    fragile(int64_t n, int64_t *copies) : number(n), left(copies) {}
    fragile(const fragile &other) : captured(other), number(other.number), left(other.left) {
        if ((*left)-- == 0) throw std::runtime_error("copy");
    }
    fragile(fragile &&) noexcept = default;
    fragile &operator=(const fragile &) = delete;
    fragile &operator=(fragile &&) noexcept = default;
};

/* An element that counts its moves. */
struct moving {
    int64_t *moves;
    explicit moving(int64_t *count) : moves(count) {}
    moving(moving &&other) noexcept : moves(other.moves) { ++*moves; }
    moving(const moving &other) = default;
};
int64_t moves_through_maps(int maps) {
    using namespace sgk;
    int64_t moves = 0;
    const auto pass = [](moving m) { return m; };
    const auto one = just(int64_t{1}) | map([&](int64_t) { return moving(&moves); }) | map(pass);
    static_cast<void>(maps == 1 ? events(one | map([](const moving &) { return 1; }))
                                : events(one | map(pass) | map(pass) | map([](const moving &) { return 1; })));
    return moves;
}

/* Throws at the call of a number. */
auto throws_at(int64_t &left) {
    return [&left, c = captured()](int64_t n) {
        if (left-- == 0) throw std::runtime_error("call");
        return n;
    };
}

/* A lambda inside the template would have a name that contains the names of all lambdas before it. */
int64_t incremented(int64_t n) { return n + 1; }

template <int count, class Source>
auto maps_behind(Source source) {
    if constexpr (count == 0) return source;
    else return maps_behind<count - 1>(std::move(source) | sgk::map(incremented));
}

std::size_t lines_with(const std::string &text, const std::string &word) {
    std::istringstream in(text);
    std::size_t count = 0;
    for (std::string line; std::getline(in, line);) count += line.find(word) != line.npos;
    return count;
}

} // namespace

void fusion() {
    using namespace sgk;

    test("a group emits what its stages emit one by one", [] {
        const auto all = stages();
        compare_all(all, std::make_index_sequence<std::tuple_size_v<decltype(all)>>());
    });
    test("a description has the name of each function", [] {
        CHECK(lines_with(numbers(maps_behind<1>(count_to(1))).describe(), "map") == 1);
        CHECK(lines_with(numbers(maps_behind<16>(count_to(1))).describe(), "map") == 16);
        CHECK(lines_with(numbers(maps_behind<17>(count_to(1))).describe(), "map") == 17);
        const numbers mixed = count_to(9) | filter([](int64_t) { return true; }) | skip(1) |
            scan(int64_t{0}, std::plus<int64_t>()) | take(2);
        CHECK(mixed.describe().find("take\n  scan\n    skip\n      filter\n") == 0);
    });
    test("groups of 16 and 17 functions emit the same", [] {
        CHECK(events(maps_behind<16>(count_to(2))) == "17 18 |" && events(maps_behind<17>(count_to(2))) == "18 19 |");
        CHECK(events(maps_behind<40>(count_to(2)) | take(1)) == "41 |");
    });
    test("an exception at each call leaves nothing alive", [] {
        for (int64_t position = 0; position < 12; position++) {
            int64_t left = position;
            const auto f = throws_at(left);
            const numbers all = count_to(3) | map(f) | before_next(f) |
                filter([f](int64_t n) mutable { return f(n) > 0; }) |
                scan(int64_t{0}, [f](int64_t sum, int64_t n) mutable { return sum + f(n); });
            const std::string seen = events(all);
            CHECK(seen.find("!call") != seen.npos);
        }
        CHECK(captured::alive == 0);
    });
    test("an exception of each copy leaves nothing alive", [] {
        for (int64_t position = 0; position < 8; position++) {
            int64_t left = endless, seen = 0, errors = 0;
            sgk::pipe<fragile> source;
            {
                const sgk::signal<fragile> all = source.signal() | filter([](const fragile &) { return true; }) |
                    scan(fragile(0, &left), [](fragile sum, const fragile &n) {
                        sum.number += n.number;
                        return sum;
                    }) | pairwise() | map([](const fragile &, fragile second) { return second; });
                const scoped_disposable subscription = all |
                    sgk::start(
                        [&](const fragile &) { seen++; }, [&](const failure &f) { errors += f.text() == "copy"; });
                left = position;
                for (int64_t n = 1; n < 4; n++) source.next(fragile(n, &left));
                left = endless;
            }
            CHECK(errors == (seen == 2 ? 0 : 1));
        }
    });
    test("functions and elements that can only be moved", [] {
        sgk::pipe<std::unique_ptr<int64_t>> owners;
        int64_t sum = 0;
        const scoped_disposable subscription = owners.signal() |
            filter([](const std::unique_ptr<int64_t> &n) { return *n != 2; }) |
            map([more = std::make_unique<int64_t>(5)](const std::unique_ptr<int64_t> &n) { return *n + *more; }) |
            sgk::start([&](int64_t n) { sum += n; });
        for (int64_t n = 1; n < 4; n++) owners.next(std::make_unique<int64_t>(n));
        CHECK(sum == 14);
        const auto made = just(4) | map([](int n) { return std::make_unique<int>(n); }) |
            map([](std::unique_ptr<int> n) { return *n + 1; });
        CHECK(events(made) == "5 |");
    });
    test("an element that a function borrows is not copied", [] {
        int64_t left = 0; // the first copy throws
        sgk::pipe<fragile> source;
        int64_t seen = 0;
        {
            const scoped_disposable subscription = source.signal() |
                filter([](const fragile &f) { return f.number > 1; }) | before_next([](const fragile &) {}) |
                map([](const fragile &f) { return f.number; }) | sgk::start([&](int64_t n) { seen = n; });
            source.next(fragile(1, &left)), source.next(fragile(2, &left));
        }
        CHECK(seen == 2);
    });
    test("an element is moved once by each function that takes it", [] {
        CHECK(moves_through_maps(1) == 1 && moves_through_maps(3) == 3);
    });
    test("a function behind a combining operator receives what it receives from tuples", [] {
        using pairs = sgk::signal<std::tuple<int64_t, std::string>>;
        const auto texts = count_to(3) | map([](int64_t n) { return std::to_string(n); });
        const auto text = [](int64_t n, const std::string &s) { return s + (n == 3 ? throw value("three") : "."); };
        const auto compare_with_tuples = [&](const auto &combined, const std::string &name) {
            const pairs tuples = combined;
            const sgk::signal<std::string> called = combined | map(text);
            CHECK(events(called) == events(tuples | map(text)) && events(combined | map(text) | take(1)) == "1. |");
            CHECK(called.describe().find("map\n  " + name) == 0);
        };
        compare_with_tuples(zip(SGK_UNBOUNDED, count_to(3), texts), "zip");
        compare_with_tuples(count_to(3) | with_latest_from(texts | take(1)), "with_latest_from");
        CHECK(events(combine_latest(count_to(1), texts) | map(text)) == "1. 2. 3. |");
        CHECK(events(combine_latest(count_to(1), texts) | map(text) | scan(std::string(), std::plus<std::string>())) ==
            "1. 1.2. 1.2.3. |");
    });
    test("each subscription has its own state", [] {
        sgk::pipe<int64_t> source;
        const numbers counted = source.signal() | enumerated() | map([](int64_t at, int64_t) { return at; }) | take(2);
        record first, second;
        const scoped_disposable one = first.run(counted);
        source.next(1);
        const scoped_disposable two = second.run(counted);
        source.next(2), source.next(3), source.next(4);
        CHECK(first.text() == "0 1 |" && second.text() == "0 1 |");
    });
    test("many threads emit into a group with a state", [] {
        sgk::pipe<int64_t> source;
        int64_t sum = 0;
        {
            const scoped_disposable subscription = source.signal() | map([](int64_t n) { return n; }) |
                scan(int64_t{0}, std::plus<int64_t>()) | sgk::start([&](int64_t n) { sum = n; });
            std::vector<std::thread> threads;
            for (int t = 0; t < 4; t++)
                threads.emplace_back([&] { for (int64_t n = 1; n <= 500; n++) source.next(n); });
            for (auto &thread : threads) thread.join();
        }
        CHECK(sum == 4 * 500 * 501 / 2);
    });
}
