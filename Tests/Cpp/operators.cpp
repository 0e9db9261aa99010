/* Each operator once, and the ways to write callbacks. The C suite tests the behaviour of operators. */
#include "suite.hpp"

static int64_t doubled(int64_t n) { return 2 * n; }
static sgk::value same(sgk::value v) noexcept { return v; }

void operators() {
    using namespace sgk;

    test("the ways to write a callback", [] {
        int64_t factor = 3;
        CHECK(events(count_to(2) | map([factor](int64_t n) { return n * factor; })) == "3 6 |");
        CHECK(events(count_to(2) | map([](value v) { return v; })) == "1 2 |");
        CHECK(events(count_to(2) | map([](const value &v) noexcept { return v; })) == "1 2 |");
        CHECK(events(count_to(2) | map([](auto v) { return v.text() + "!"; })) == "1! 2! |");
        CHECK(events(count_to(2) | map([](sgk_value v) noexcept { return sgk_value_retain(v); })) == "1 2 |");
        CHECK(events(count_to(2) | map(doubled) | map(&same)) == "2 4 |");
        CHECK(events(count_to(2) | map(std::function<double(double)>([](double x) { return x / 2; }))) == "0.5 1 |");
        CHECK(events(just("a,b") | map([](std::string_view t) { return t.substr(2); })) == "b |");
        CHECK(events(just("a") | map([](const std::string &t) -> const std::string & { return t; })) == "a |");
        CHECK(events(count_to(3) | map([sum = int64_t{0}](int64_t n) mutable { return sum += n; })) == "1 3 6 |");
        CHECK(events(count_to(2) | map([p = std::make_unique<int>(7)](auto) { return *p; })) == "7 7 |");
    });
    test("one's own operators", [] {
        auto twice = [](const sgk::signal &s) { return s | map(doubled) | take(2); };
        CHECK(events(count_to(endless) | twice) == "2 4 |");
        auto kept = map(doubled);
        CHECK(events(count_to(1) | kept | kept) == "4 |");
    });
    test("mapping", [] {
        CHECK(events(count_to(4) | filter([](int64_t n) { return n % 2 == 0; })) == "2 4 |");
        CHECK(events(count_to(4) |
                  compact_map([](int64_t n) { return n > 2 ? std::optional<int64_t>(n) : std::nullopt; })) == "3 4 |");
        CHECK(events(fail(1) | map_error([](int64_t e) { return e + 1; })) == "!2");
        CHECK(events(count_to(3) | ignore_values()) == "|");
        CHECK(events(count_to(4) | map([](int64_t n) { return n / 2; }) | distinct_until_changed()) == "0 1 2 |");
        CHECK(events(count_to(4) | distinct_until_changed([](int64_t a, int64_t b) { return b == a + 1; })) == "1 3 |");
        CHECK(events(count_to(3) | serialized()) == "1 2 3 |");
    });
    test("folding", [] {
        auto add = [](int64_t a, int64_t n) { return a + n; };
        CHECK(events(count_to(4) | reduce(0, add)) == "10 |");
        CHECK(events(count_to(3) | reduce_emitting(0, [](int64_t a, int64_t n, emitter to) {
            to.next("+");
            return a + n;
        })) == "+ + + 6 |");
        CHECK(events(count_to(3) | reduce_generator(0, [](int64_t a, int64_t n) {
            return just(std::vector<value>{a + n, "so far"});
        })) == "so far so far so far 6 |");
        CHECK(events(count_to(4) | scan(0, add)) == "1 3 6 10 |");
    });
    test("keeping", [] {
        CHECK(events(count_to(3) | pairwise()) == "[1, 2] [2, 3] |" &&
            events(count_to(2) | enumerated()) == "[0, 1] [1, 2] |");
        CHECK(events(count_to(3) | to_array(SGK_UNBOUNDED)) == "[1, 2, 3] |" &&
            events(count_to(3) | to_array(2)) == "!no room");
        CHECK(events(count_to(3) | to_array(2, SGK_OVERFLOW_DROP_OLDEST)) == "[2, 3] |");
        CHECK(events(concat(count_to(2), count_to(3)) | distinct(10)) == "1 2 3 |");
        CHECK(events(count_to(5) | distinct_by(10, [](int64_t n) { return n / 2; })) == "1 2 4 |");
    });
    test("events as values", [] {
        CHECK(events(count_to(1) | to_events()) == "[0, 1] [2, null] |");
        CHECK(events(count_to(1) | to_events() | from_events()) == "1 |");
        CHECK(events(just(event_make_next(5)) | from_events()) == "5 |" &&
            events(just(event_make_error(5)) | from_events()) == "!5");
        CHECK(events(just(event_make_completed()) | from_events()) == "|");
    });
    test("taking", [] {
        CHECK(events(count_to(endless) | take(3)) == "1 2 3 |");
        CHECK(events(count_to(endless) | take_until([](int64_t n) {
            return n == 2 ? SGK_TAKE_PASSTHROUGH_AND_COMPLETE : SGK_TAKE_PASSTHROUGH;
        })) == "1 2 |");
        CHECK(events(count_to(3) | take_last()) == "3 |" && events(empty() | last()) == "null |");
        CHECK(events(count_to(3) | take_last(2)) == "2 3 |" && events(count_to(3) | skip(2)) == "3 |");
        auto small = [](int64_t n) { return n < 3; };
        CHECK(events(count_to(endless) | take_while(small)) == "1 2 |" &&
            events(count_to(4) | skip_while(small)) == "3 4 |");
        CHECK(events(count_to(endless) | first()) == "1 |" && events(empty() | first_or("x")) == "x |");
        CHECK(events(count_to(3) | take_until_signal(just(0))) == "|" &&
            events(count_to(3) | take_until_signal(never())) == "1 2 3 |");
        CHECK(events(count_to(3) | skip_until(just(0))) == "1 2 3 |" &&
            events(count_to(3) | skip_until(never())) == "|");
    });
    test("watching", [] {
        std::string seen;
        auto note = [&](const char *what) { return [&seen, what] { seen += what; }; };
        auto watched = count_to(1) | before_next([&](int64_t) { seen += "n"; }) |
            after_next([&](auto) { seen += "N"; }) | before_started(note("s")) |
            before_error([&](auto) { seen += "e"; }) | before_completed(note("c")) | after_completed(note("C")) |
            after_disposed(note("d"));
        CHECK(events(watched) == "1 |" && seen == "snNcCd");
        CHECK(events(fail(1) | before_error([&](int64_t) { seen = "e"; })) == "!1" && seen == "e");
        std::string stated;
        auto with_count = with_state([] { return 0; },
            [&](int &count, int64_t n) { stated += std::to_string(++count * 10 + n) + " "; },
            [&](int &, std::string e) { stated += "!" + e; }, [&](int &) { stated += "|"; },
            [&](int &count) { stated += std::to_string(count); });
        const auto stateful = count_to(2) | with_count;
        CHECK(events(stateful) == "1 2 |" && events(stateful) == "1 2 |" && stated == "11 22 |211 22 |2");
        stated.clear();
        CHECK(events(fail("x") | with_count) == "!x" && stated == "!x0");
        CHECK(events(count_to(1) | with_state([] { return captured(); })) == "1 |");
        std::string log;
        set_log_handler([&](const char *line) { log += line; });
        CHECK(events(just(1) | trace("name")) == "1 |");
        CHECK(events(count_to(2) | named("name")) == "1 2 |");
        sgk_set_log_handler(nullptr, nullptr, nullptr);
        CHECK(log.find("name#") != std::string::npos);
    });
    test("hooks of threads", [] {
        std::atomic<int> begun{0}, ended{0}, others{0};
        set_thread_hooks(
            [&](const char *name) {
                if (std::string(name) != "signalkit-pool") others++;
                begun++;
            },
            [&](const char *) { ended++; });
        { thread_pool pool(1); }
        while (begun == 0 || begun != ended) std::this_thread::yield();
        sgk_set_thread_hooks(nullptr, nullptr, nullptr, nullptr);
        while (begun != ended) std::this_thread::yield(); /* a thread that began before that */
        CHECK(others == 0);
    });
    test("signals of signals", [] {
        auto signals = count_to(2) | map([](int64_t n) { return just(n); });
        CHECK(events(signals | switch_to_latest()) == "1 2 |" && events(signals | concat_all()) == "1 2 |" &&
            events(signals | concat_latest()) == "1 2 |");
        auto to_signal = [](int64_t n) { return count_to(n); };
        CHECK(events(count_to(2) | switch_map(to_signal)) == "1 1 2 |" &&
            events(count_to(2) | concat_map(to_signal)) == "1 1 2 |");
        CHECK(events(count_to(2) | concat_map_latest(to_signal)) == "1 1 2 |");
        CHECK(events(never() | take_until_replacement(just(just(5)))) == "5 |");
        CHECK(events(signals | merge_all(2, SGK_UNBOUNDED)) == "1 2 |");
        CHECK(events(count_to(2) | merge_map(1, 0, to_signal)) == "1 1 2 |");
        auto without_end = [](int64_t n) { return just(n) | concat_with(never()); };
        CHECK(events(count_to(2) | merge_map(1, 0, without_end)) == "1 !no room");
        CHECK(events(count_to(2) | merge_map(1, 0, without_end, SGK_OVERFLOW_ERROR, 7)) == "1 !7");
        CHECK(events(signals | merge_all_ordered(2, SGK_UNBOUNDED)) == "1 2 |");
        CHECK(events(count_to(2) | map_ordered(1, 0, to_signal)) == "1 1 2 |");
        CHECK(events(count_to(2) | map_ordered(1, 0, without_end, SGK_OVERFLOW_ERROR, 7)) == "1 !7");
        const auto is_odd = [](int64_t n) { return n % 2 == 1; };
        CHECK(events(count_to(3) | switch_map_per(2, is_odd, to_signal)) == "1 1 2 1 2 3 |");
        CHECK(events(count_to(3) | switch_map_per(1, is_odd, without_end)) == "1 !no room");
        CHECK(events(count_to(3) | switch_map_per(1, is_odd, without_end, SGK_OVERFLOW_DROP_OLDEST) | take(3)) ==
            "1 2 3 |");
        const auto counted = [](bool odd, sgk::signal values) {
            return values | reduce(0, [](int64_t n, int64_t) { return n + 1; }) |
                map([odd](int64_t n) { return odd ? n : -n; });
        };
        CHECK(events(count_to(5) | group_by(2, is_odd, counted)) == "3 -2 |");
        CHECK(events(count_to(2) | group_by(1, is_odd, counted, SGK_OVERFLOW_ERROR, 7)) == "!7");
        CHECK(events(count_to(2) | exhaust_map(without_end) | take(1)) == "1 |" &&
            events(count_to(2) | exhaust_map(to_signal)) == "1 1 2 |");
        CHECK_THROWS(signals | merge_all(1, 1, SGK_OVERFLOW_SUSPEND), SGK_ERROR_ARGUMENT);
    });
    test("going on, and again", [] {
        CHECK(events(count_to(1) | concat_with(just("x"))) == "1 x |");
        CHECK(events(fail(1) | catch_error([](int64_t e) { return just(e + 1); })) == "2 |");
        CHECK(events(count_to(2) | restart() | take(3)) == "1 2 1 |");
        CHECK(events(count_to(2) | repeat(2)) == "1 2 1 2 |" &&
            events(concat(count_to(1), just("x"), count_to(2))) == "1 x 1 2 |");
        CHECK(events(count_to(1) | start_with("a") | end_with("z")) == "a 1 z |" &&
            events(fail(1) | catch_and_return("z")) == "z |");
        CHECK(events(empty() | default_if_empty("a")) == "a |" &&
            events(empty() | switch_if_empty(count_to(2))) == "1 2 |");
        CHECK(events(concat(std::vector<sgk::signal>{})) == "|");
        auto failing = deferred([n = int64_t{0}]() mutable { return fail(++n); });
        sgk_retry at_once{}, wrong{};
        at_once.delay = SGK_AT_ONCE, wrong.delay = -2;
        CHECK(events(failing | retry(at_once, [](int64_t e, int64_t) { return e < 5 ? signal() : empty(); })) == "!5");
        CHECK(events(just(1) | retry()) == "1 |");
        CHECK_THROWS(fail(1) | retry(wrong), SGK_ERROR_ARGUMENT);
    });
    test("time", [] {
        queue on("time");
        for (const auto &paced :
            {count_to(1) | throttle(0.01, on), count_to(1) | debounce(0.01, on), count_to(1) | deliver_on(on),
                count_to(1) | run_on(on), count_to(1) | delay_start(0.01, on),
                count_to(1) | suspend_aware_delay(0.01, 4, on),
                never() | timeout_first(0.01, on) | catch_with(just(1)), just(1) | blocking(1)}) {
            record r;
            disposable run = r.run(paced);
            CHECK(eventually([&] { return r.text() == "1 |"; }));
            on.sync([] {});
        }
        CHECK_THROWS(never() | throttle(-1, on), SGK_ERROR_ARGUMENT);
    });
    test("sources", [] {
        CHECK(
            events(from_array({1, "b"})) == "1 b |" && events(from_array({})) == "|" && events(range(3, 2)) == "3 4 |");
        auto down_from = [](int64_t n) {
            return from_iterator([n]() mutable { return n ? std::optional<int64_t>(n--) : std::nullopt; });
        };
        CHECK(events(down_from(2)) == "2 1 |");
        CHECK(events(from_iterator([]() -> std::optional<value> { throw std::runtime_error("broken"); })) == "!broken");
        queue on = queue::virtual_time();
        record ticks, once;
        scoped_disposable run = ticks.run(interval(1, on)), timed = once.run(timer_signal(2, on));
        on.advance(3);
        CHECK(ticks.text() == "0 1 2" && once.text() == "0 |");
        CHECK_THROWS(interval(0, on), SGK_ERROR_ARGUMENT);
        CHECK(events(fd_signal(9999, SGK_FD_READ, on) | catch_and_return("bad")) == "bad |" &&
            events(fd_lines(9999, 1, on) | catch_and_return("bad")) == "bad |" &&
            events(fd_bytes(9999, 1, on) | catch_and_return("bad")) == "bad |" &&
            events(just("x") | sink_fd(9999, 1, false, on) | catch_and_return("bad")) == "bad |");
        CHECK(events(unix_signal(9999, on) | catch_and_return(1)) == "1 |" &&
            events(child(1, on) | catch_and_return(1)) == "1 |" &&
            events(file_changes("/nowhere", 1, on) | catch_and_return(1)) == "1 |");
        std::weak_ptr<int> seen;
        auto shared = using_resource([] { return std::make_shared<int>(7); },
            [&](std::shared_ptr<int> &made) {
                seen = made;
                return just(*made);
            });
        CHECK(events(shared) == "7 |" && seen.expired());
        CHECK(events(using_resource([]() -> int { throw value(5); }, [](int) { return never(); })) == "!5");
        CHECK(events(using_resource([] { return 1; }, [](int) -> sgk::signal { throw value(6); })) == "!6");
    });
    test("values in their time", [] {
        queue on = queue::virtual_time();
        auto seen = [&](const sgk::signal &s) {
            record r;
            scoped_disposable run = r.run(s);
            on.advance(20);
            return r.text();
        };
        sgk_retry twice{}, at_once{};
        twice.attempts = 2, at_once.delay = SGK_AT_ONCE;
        CHECK(seen(count_to(3) | chunked(2)) == "[1, 2] [3] |" &&
            seen(count_to(3) | chunked(2, 5, on)) == "[1, 2] [3] |");
        CHECK(seen(count_to(3) | chunked_by(never(), 2)) == "[1, 2] [3] |");
        CHECK(seen(count_to(3) | delay(5, on, 2, SGK_OVERFLOW_DROP_OLDEST)) == "2 3 |");
        CHECK(seen(never() | timeout(5, on) | catch_with(just(1))) == "1 |");
        CHECK(seen(count_to(3) | throttle(5, SGK_EDGE_TRAILING, on)) == "3 |");
        CHECK(seen(interval(5, on) | take(1) | time_interval(on)) == "[5, 0] |" &&
            seen(just(1) | timestamped(on) | take(1)).substr(0, 1) == "[");
        CHECK(seen(never() | take_for(5, on)) == "|");
        CHECK(seen(count_to(3) | sample(never())) == "3 |" && seen(never() | sample(5, on)).empty());
        CHECK(seen(fail(1) | retry(twice, on)) == "!1" && seen(fail(1) | retry({}, on)).empty());
        CHECK(seen(fail(1) | retry(twice, [](int64_t, int64_t) { return sgk::signal(); }, on)) == "!1");
        auto in_a_second = [&](int64_t, int64_t number) { return number < 3 ? timer_signal(1, on) : fail("enough"); };
        CHECK(seen(fail(1) | retry({}, in_a_second, on)) == "!enough");
        CHECK(seen(fail(1) | retry(at_once, [](int64_t error, int64_t failures) {
            return failures < 3 ? sgk::signal() : fail(error + failures);
        })) == "!4");
    });
    test("joining", [] {
        CHECK(events(combine_latest(just(1), just("b"))) == "[1, b] |" &&
            events(combine_latest(std::vector<sgk::signal>{})) == "[] |");
        CHECK(events(combine_latest_map(
                  [](int64_t a, double b) { return static_cast<double>(a) * b; }, just(3), just(0.5))) == "1.5 |");
        queue virtual_queue = queue::virtual_time();
        record on_queue;
        disposable run = on_queue.run(
            combine_latest_map([](int64_t a, int64_t b) { return a + b; }, virtual_queue, just(1), count_to(2)));
        CHECK(on_queue.text().empty());
        virtual_queue.run();
        CHECK(on_queue.text() == "2 3 |");
        CHECK(events(combine_signals({just(1), just(2)}, {value(8), value(9)})) == "[8, 9] [1, 9] [1, 2] |");
        record there;
        disposable there_run = there.run(
            combine_signals({just(1), just(2)}, {value(8), std::nullopt}, queue("joining")));
        CHECK(eventually([&] { return there.text() == "[1, 2] |"; }));
        CHECK(events(merge(just(1), count_to(2))) == "1 1 2 |");
        CHECK(events(zip({count_to(2), count_to(3)}, 2)) == "[1, 1] [2, 2] |");
        CHECK(events(zip({count_to(2), just(3)}, 1)) == "!no room");
        CHECK(events(zip({count_to(3), just(3)}, 1, SGK_OVERFLOW_DROP_OLDEST)) == "[3, 3] |");
        auto times = [](int64_t a, double b) { return static_cast<double>(a) * b; };
        CHECK(events(zip_map(SGK_UNBOUNDED, times, count_to(2), just(0.5))) == "0.5 |");
        CHECK(events(race(never(), count_to(2), just(3))) == "1 2 |");
        CHECK(events(count_to(2) | with_latest_from(just("x"))) == "[1, x] [2, x] |");
        auto plus = [](int64_t a, int64_t b) { return a + b; };
        CHECK(events(count_to(2) | with_latest_from(just(10), plus)) == "11 12 |");
        auto throwing = [](int64_t, int64_t) -> int64_t { throw std::runtime_error("oh"); };
        CHECK(events(count_to(2) | with_latest_from(just(10), throwing)) == "!oh");
        CHECK(events(count_to(2) | sample(never())) == "2 |");
        CHECK_THROWS(combine_signals({just(1)}, {}), SGK_ERROR_ARGUMENT);
    });
    test("starting", [] {
        std::string seen;
        auto next = [&](int64_t n) { seen += std::to_string(n); };
        auto end = [&](auto...) { seen += "."; };
        count_to(2) | sgk::start(next);
        fail(1) | sgk::start(next, end);
        count_to(2) | sgk::start(next, none{}, end);
        static_cast<void>(count_to(2).start());
        CHECK(seen == "12.12.");
        disposable given;
        count_to(endless) |
            sgk::start(
                [&](int64_t n) {
                    seen = std::to_string(n);
                    if (n == 3) given.dispose();
                },
                none{}, none{}, [&](disposable run) { given = run; });
        CHECK(seen == "3");
    });
    test("pipes", [] {
        sgk::pipe source;
        record r;
        scoped_disposable run = r.run(source.signal() | map([](int64_t n) { return n + 1; }));
        source.next(1), source.next(2);
        run.dispose();
        source.next(3);
        CHECK(r.text() == "2 3");
        record broken;
        scoped_disposable other = broken.run(source.signal());
        source.error("gone");
        CHECK(broken.text() == "!gone" && !source.next(4));
    });
}
