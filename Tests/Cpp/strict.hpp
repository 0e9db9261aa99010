/* Uses of all templates, which compile without warnings under the strictest flags, with and without exceptions. */
#pragma once

inline int64_t strict();
inline int64_t strict() {
    using namespace std::chrono_literals;
    const sgk::queue queue = sgk::queue::virtual_time();
    const sgk::pipe<int64_t> source;
    const sgk::signal<std::string> words = source.signal() | sgk::filter([](int64_t n) { return n > 0; }) |
        sgk::map([](int64_t n) -> sgk::outcome<int64_t> {
            if (n > 9) return sgk::failed("large");
            return n;
        }) | sgk::take(3) | sgk::skip(1) | sgk::scan(int64_t{0}, [](int64_t sum, int64_t n) { return sum + n; }) |
        sgk::distinct_until_changed() | sgk::map([](int64_t n) { return std::to_string(n); });
    const sgk::signal<std::size_t> sizes = sgk::combine_latest(words, source.signal()) |
        sgk::map([](std::string_view word, int64_t) { return word.size(); }) | sgk::pairwise() |
        sgk::map([](std::size_t a, std::size_t b) { return a + b; }) |
        sgk::reduce(std::size_t{0}, [](std::size_t a, std::size_t b) { return a + b; }) |
        sgk::map_error([](const sgk::failure &f) { return f.text(); });
    int64_t seen = 0;
    const sgk::scoped_disposable subscription = sizes | sgk::switch_map([](std::size_t n) { return sgk::just(n); }) |
        sgk::retry({3, 1s}, queue) | sgk::timeout(5s, queue) | sgk::catch_with(sgk::empty<std::size_t>()) |
        sgk::deliver_on(queue, {10, SGK_OVERFLOW_DROP_OLDEST}) |
        sgk::start([&](std::size_t) { seen++; }, [](const sgk::failure &) {}, [] {});
    source.next(1);
    const sgk::state<std::string> state("a");
    state.set("b");
    const sgk::event_emitter<int64_t> emitter;
    emitter.map([](int64_t n) { return n + 1; }).on_next([&](int64_t n) { seen += n; });
    for (const int64_t n : sgk::reader(sgk::from({int64_t{1}, int64_t{2}}))) seen += n;
    seen += sgk::zip(4, sgk::range(1, 2), sgk::range(3, 2)) | sgk::map([](int64_t a, int64_t b) { return a * b; }) |
        sgk::get(1s);
    sgk::marble_run run(queue, sgk::marble_cold<std::string>(queue, "-a|") | sgk::debounce(1s, queue));
    queue.run();
    return run.expect("--a|") ? seen : 0;
}
