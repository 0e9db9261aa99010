/* Each operator once, and the ways to write functions. The C suite tests the behaviour of operators. */
#include "suite.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static int64_t doubled(int64_t n) { return 2 * n; }
static sgk::value same(sgk::value v) noexcept { return v; }

/* An error of the program. */
struct http_error {
    int code;
};

void operators() {
    using namespace sgk;

    test("the ways to write a function", [] {
        int64_t factor = 3;
        CHECK(events(count_to(2) | map([factor](int64_t n) { return n * factor; })) == "3 6 |");
        CHECK(events(any_signal(count_to(2)) | map([](value v) { return v; })) == "1 2 |");
        CHECK(events(any_signal(count_to(2)) | map([](const value &v) noexcept { return v; })) == "1 2 |");
        CHECK(events(any_signal(count_to(2)) | map([](auto v) { return v.text() + "!"; })) == "1! 2! |");
        CHECK(events(any_signal(count_to(2)) | map([](int n) { return n + 1; })) == "2 3 |");
        CHECK(events(count_to(2) | map([](auto n) { return n + 1; })) == "2 3 |");
        CHECK(events(any_signal(count_to(2) | map(doubled)) | map(&same)) == "2 4 |");
        CHECK(events(count_to(2) | map(std::function<double(double)>([](double x) { return x / 2; }))) == "0.5 1 |");
        CHECK(events(just("a,b") | map([](std::string_view t) { return t.substr(2); })) == "b |");
        CHECK(events(just("a") | map([](const std::string &t) -> const std::string & { return t; })) == "a |");
        CHECK(events(count_to(3) | map([sum = int64_t{0}](int64_t n) mutable { return sum += n; })) == "1 3 6 |");
        CHECK(events(count_to(2) | map([p = std::make_unique<int>(7)](auto) { return *p; })) == "7 7 |");
    });
    test("types follow from the functions", [] {
        auto halves = range(1, 4) | filter([](int64_t n) { return n % 2 == 0; }) |
            map([](int64_t n) { return 0.5 * double(n); });
        static_assert(std::is_same_v<decltype(halves)::value_type, double>);
        static_assert(std::is_same_v<decltype(zip(1, halves, range(1, 2)))::value_type, std::tuple<double, int64_t>>);
        const auto shown = [](double) { return std::string_view("shown"); };
        static_assert(std::is_same_v<decltype(halves | map(shown))::value_type, std::string>);
        static_assert(!std::is_convertible_v<sgk::signal<int>, sgk::signal<double>>);
        const sgk::signal<double> stored = halves;
        const any_signal untyped = stored;
        CHECK(events(untyped) == "1 2 |" && events(untyped.as<double>()) == "1 2 |");
        CHECK(events(stored.as<double>()) == "1 2 |" && events(halves.as<value>()) == "1 2 |");
        CHECK(events(any_signal(just("x")).as<int>()) == "!as: not an int of this size, but string: x");
    });
    test("one's own operators, and stages without a signal", [] {
        auto twice = [](const sgk::signal<int64_t> &s) { return s | map(doubled) | take(2); };
        CHECK(events(count_to(endless) | twice) == "2 4 |");
        auto kept = map(doubled);
        CHECK(events(count_to(1) | kept | kept) == "4 |");
        const auto halve = filter([](int64_t n) { return n % 2 == 0; }) | map([](int64_t n) { return n / 2; });
        CHECK(events(count_to(8) | halve | halve) == "1 2 |");
        CHECK(events(count_to(8) | compose(halve, take(1), kept)) == "2 |");
        int64_t last_seen = 0;
        run(count_to(8) | (halve | sgk::start([&](int64_t n) { last_seen = n; })));
        CHECK(last_seen == 4);
    });
    test("mapping", [] {
        CHECK(events(count_to(4) | filter([](int64_t n) { return n % 2 == 0; })) == "2 4 |");
        CHECK(events(count_to(4) |
                  compact_map([](int64_t n) { return n > 2 ? std::optional<int64_t>(n) : std::nullopt; })) == "3 4 |");
        CHECK(events(fail<int>(1) | map_error([](int64_t e) { return e + 1; })) == "!2");
        CHECK(events(fail<int>("a") | map_error([](const failure &e) { return e.text() + "b"; })) == "!ab");
        CHECK(events(fail<int>("a") | map_error([](int64_t) { return "not called"; })) == "!a");
        CHECK(events(fail<int>(1) | map_error([](int64_t e) -> outcome<int> { return last(int(e)); })) == "1 |");
        CHECK(events(fail<int>(1) | map_error([](int64_t) -> outcome<int> { return dropped(); })) == "|");
        CHECK(events(count_to(3) | ignore_values()) == "|");
        CHECK(events(count_to(4) | map([](int64_t n) { return n / 2; }) | distinct_until_changed()) == "0 1 2 |");
        CHECK(events(count_to(4) | distinct_until_changed([](int64_t a, int64_t b) { return b == a + 1; })) == "1 3 |");
        CHECK(events(count_to(3) | serialized()) == "1 2 3 |");
    });
    test("outcomes", [] {
        const auto each = [](int64_t n) -> outcome<std::string> {
            if (n == 2) return dropped();
            if (n == 4) return last("end");
            return std::to_string(n);
        };
        CHECK(events(count_to(9) | map(each)) == "1 3 end |");
        CHECK(events(count_to(9) | map([](int64_t n) -> outcome<int64_t> {
            if (n == 2) return failed(http_error{404});
            return n;
        }) | catch_error([](const http_error &e) { return just(int64_t{e.code}); })) == "1 404 |");
        CHECK(events(count_to(9) | map([](int64_t n) -> outcome<int64_t> {
            if (n == 3) return completed();
            return n;
        }) | map(doubled)) == "2 4 |");
        CHECK(events(count_to(9) | map(each) | reduce(0, [](int n, const std::string &) { return n + 1; })) == "3 |");
    });
    test("folding", [] {
        auto add = [](int64_t a, int64_t n) { return a + n; };
        CHECK(events(count_to(4) | reduce(int64_t{0}, add)) == "10 |");
        CHECK(events(empty<int64_t>() | reduce(int64_t{7}, add)) == "7 |");
        CHECK(events(count_to(endless) | take(4) | reduce(int64_t{0}, add) | map(doubled)) == "20 |");
        CHECK(events(count_to(4) | reduce(int64_t{0}, add) | reduce(int64_t{1}, add)) == "11 |");
        CHECK(events(fail<int64_t>("x") | reduce(int64_t{0}, add)) == "!x");
        CHECK(events(count_to(4) | scan(int64_t{0}, add)) == "1 3 6 10 |");
        CHECK(events(count_to(2) |
                  scan("", [](const std::string &all, int64_t n) { return all + std::to_string(n); })) == "1 12 |");
    });
    test("stages with a state", [] {
        const auto sums = stage(int64_t{0}, [](int64_t &sum, int64_t n) { return sum += n; });
        const sgk::signal<int64_t> stateful = count_to(3) | sums;
        CHECK(events(stateful) == "1 3 6 |" && events(stateful) == "1 3 6 |");
        const auto limited = stage(0, [](int &count, int64_t n) -> outcome<int64_t> {
            if (++count == 3) return last(n);
            if (count == 2) return dropped();
            return n;
        });
        CHECK(events(count_to(endless) | limited) == "1 3 |");
        const auto counting = stage(
            0, [](int &count, int64_t) { count++; },
            [](int &count, const failure &f) -> outcome<int64_t> {
                if (f.text() == "pass") return failed(f);
                return last(int64_t{count} * 100);
            },
            [](int &count) { return std::optional<int64_t>(count); });
        CHECK(events(count_to(2) | counting) == "1 2 2 |" && events(empty<int64_t>() | counting) == "0 |");
        CHECK(events(concat(count_to(2), fail<int64_t>("x")) | counting) == "1 2 200 |");
        CHECK(events(fail<int64_t>("pass") | counting) == "!pass");
        CHECK(events(count_to(1) | stage([] { return captured(); }, [](captured &, int64_t) {})) == "1 |");
    });
    test("keeping", [] {
        CHECK(events(count_to(3) | pairwise()) == "[1, 2] [2, 3] |" &&
            events(count_to(2) | enumerated()) == "[0, 1] [1, 2] |");
        CHECK(events(count_to(2) | enumerated() | map([](int64_t at, int64_t n) { return at * 10 + n; })) == "1 12 |");
        CHECK(events(count_to(3) | to_array(SGK_UNBOUNDED)) == "[1, 2, 3] |" &&
            events(count_to(3) | to_array({2, SGK_OVERFLOW_ERROR, "no room"})) == "!no room");
        CHECK(events(count_to(3) | to_array({2, SGK_OVERFLOW_DROP_OLDEST})) == "[2, 3] |");
        CHECK(events(concat(count_to(2), count_to(3)) | distinct(10)) == "1 2 3 |");
        CHECK(events(count_to(5) | distinct_by([](int64_t n) { return n / 2; }, 10)) == "1 2 4 |");
    });
    test("events as elements", [] {
        CHECK(events(count_to(1) | to_events()) == "[0, 1] [2, null] |");
        CHECK(events(count_to(1) | to_events() | from_events()) == "1 |");
        CHECK(events(just(event<int>::next(5)) | from_events()) == "5 |" &&
            events(just(event<int>::fail(failure(value(5)))) | from_events()) == "!5");
        CHECK(events(just(event<int>::complete()) | from_events()) == "|");
        CHECK(events(fail<int>("x") | to_events() | map([](const event<int> &e) { return e.error->text(); })) == "x |");
    });
    test("taking", [] {
        CHECK(events(count_to(endless) | take(3)) == "1 2 3 |" && events(count_to(endless) | take(0)) == "|");
        CHECK(events(never<int>() | map([](int n) { return n; }) | take(0)) == "|");
        CHECK(events(count_to(3) | take_last()) == "3 |");
        CHECK(events(count_to(3) | take_last(2)) == "2 3 |" && events(count_to(3) | skip(2)) == "3 |");
        auto small = [](int64_t n) { return n < 3; };
        CHECK(events(count_to(endless) | take_while(small)) == "1 2 |" &&
            events(concat(count_to(4), just(int64_t{1})) | skip_while(small)) == "3 4 1 |");
        CHECK(events(count_to(3) | take_until(just(0))) == "|" &&
            events(count_to(3) | take_until(never<int>())) == "1 2 3 |");
        CHECK(events(count_to(3) | skip_until(just(0))) == "1 2 3 |" &&
            events(count_to(3) | skip_until(never<int>())) == "|");
    });
    test("watching", [] {
        std::string seen;
        auto note = [&](const char *what) { return [&seen, what] { seen += what; }; };
        auto watched = count_to(1) | before_next([&](int64_t) { seen += "n"; }) |
            after_next([&](auto) { seen += "N"; }) | before_started(note("s")) |
            before_error([&](auto) { seen += "e"; }) | before_completed(note("c")) | after_completed(note("C")) |
            after_disposed(note("d"));
        CHECK(events(watched) == "1 |" && seen == "snNcCd");
        CHECK(events(fail<int>(1) | before_error([&](int64_t) { seen = "e"; })) == "!1" && seen == "e");
        CHECK(events(fail<int>("x") | before_error([&](int64_t) { seen = "!"; })) == "!x" && seen == "e");
        std::string log;
        set_log_handler([&](const char *line) { log += line; });
        CHECK(events(just(1) | trace("name")) == "1 |");
        CHECK(events(count_to(2) | named("name")) == "1 2 |");
        sgk_set_log_handler(nullptr, nullptr, nullptr);
        CHECK(log.find("name#") != std::string::npos);
        CHECK((just(1) | named("here")).describe().find("\"here\" (" __FILE__ ":") != std::string::npos);
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
        const sgk::signal<sgk::signal<int64_t>> signals = count_to(2) | map([](int64_t n) { return just(n); });
        CHECK(events(signals | switch_to_latest()) == "1 2 |" && events(signals | concat_all()) == "1 2 |" &&
            events(signals | concat_latest()) == "1 2 |");
        CHECK(events(count_to(2) | map([](int64_t n) { return just(n) | map(doubled); }) | concat_all()) == "2 4 |");
        auto to_signal = [](int64_t n) { return count_to(n); };
        CHECK(events(count_to(2) | switch_map(to_signal)) == "1 1 2 |" &&
            events(count_to(2) | concat_map(to_signal)) == "1 1 2 |");
        CHECK(events(count_to(2) | concat_map_latest(to_signal)) == "1 1 2 |");
        CHECK(events(never<int>() | take_until_replacement(just(just(5)))) == "5 |");
        CHECK(events(signals | merge_all(2, SGK_UNBOUNDED)) == "1 2 |");
        CHECK(events(count_to(2) | merge_map(1, to_signal)) == "1 1 2 |");
        auto without_end = [](int64_t n) { return just(n) | concat_with(never<int64_t>()); };
        CHECK(events(count_to(2) | merge_map(1, without_end, {0, SGK_OVERFLOW_ERROR, 7})) == "1 !7");
        CHECK(events(signals | merge_all_ordered(2, SGK_UNBOUNDED)) == "1 2 |");
        CHECK(events(count_to(2) | map_ordered(1, to_signal)) == "1 1 2 |");
        CHECK(events(count_to(2) | map_ordered(1, without_end, {0, SGK_OVERFLOW_ERROR, 7})) == "1 !7");
        const auto is_odd = [](int64_t n) { return n % 2 == 1; };
        CHECK(events(count_to(3) | switch_map_per(is_odd, to_signal, 2)) == "1 1 2 1 2 3 |");
        CHECK(events(count_to(3) | switch_map_per(is_odd, without_end, {1, SGK_OVERFLOW_ERROR, "no room"})) ==
            "1 !no room");
        CHECK(events(count_to(3) | switch_map_per(is_odd, without_end, {1, SGK_OVERFLOW_DROP_OLDEST}) | take(3)) ==
            "1 2 3 |");
        const auto counted = [](bool odd, const sgk::signal<int64_t> &elements) {
            return elements | reduce(0, [](int n, int64_t) { return n + 1; }) |
                map([odd](int n) { return odd ? n : -n; });
        };
        CHECK(events(count_to(5) | group_by(is_odd, counted, 2)) == "3 -2 |");
        CHECK(events(count_to(2) | group_by(is_odd, counted, {1, SGK_OVERFLOW_ERROR, 7})) == "!7");
        CHECK(events(count_to(2) | exhaust_map(without_end) | take(1)) == "1 |" &&
            events(count_to(2) | exhaust_map(to_signal)) == "1 1 2 |");
        CHECK_THROWS(signals | merge_all(1, {1, SGK_OVERFLOW_SUSPEND}), SGK_ERROR_ARGUMENT);
    });
    test("sequences", [] {
        CHECK(events(count_to(1) | concat_with(just(int64_t{7}))) == "1 7 |");
        CHECK(events(any_signal(count_to(1)) | concat_with(just("x"))) == "1 x |");
        CHECK(events(fail<int64_t>(1) | catch_error([](int64_t e) { return just(e + 1); })) == "2 |");
        CHECK(events(fail<int64_t>("x") | catch_error([](int64_t e) { return just(e + 1); })) == "!x");
        CHECK(events(fail<int64_t>(http_error{5}) | catch_error([](const failure &f) {
            return just(int64_t{f.as<http_error>().code});
        })) == "5 |");
        CHECK(events(fail<int64_t>(1) | catch_with(count_to(2))) == "1 2 |");
        CHECK(events(count_to(2) | repeat() | take(3)) == "1 2 1 |");
        CHECK(events(count_to(2) | repeat(2)) == "1 2 1 2 |" &&
            events(concat(count_to(1), just(int64_t{7}), count_to(2))) == "1 7 1 2 |");
        CHECK(events(count_to(1) | start_with(8) | end_with(9)) == "8 1 9 |" &&
            events(fail<int>(1) | catch_and_return(4)) == "4 |");
        CHECK(events(empty<std::string>() | default_if_empty("a")) == "a |" &&
            events(empty<int64_t>() | switch_if_empty(count_to(2))) == "1 2 |");
        CHECK(events(concat(std::vector<sgk::signal<int>>{})) == "|");
        CHECK(events(just(1) | concat_with(just(2)) | start_with(0)) == "0 1 2 |");
    });
    test("retry", [] {
        const auto failing = deferred([n = int64_t{0}]() mutable { return fail<int64_t>(++n); });
        queue on = queue::virtual_time();
        auto seen = [&](const any_signal &s) {
            record r;
            const scoped_disposable subscription = r.run(s);
            on.advance(1h);
            return r.text();
        };
        const duration begun = on.now();
        CHECK(seen(fail<int64_t>("x") | retry({3, 2s}, on)) == "!x" && on.now() - begun == 1h);
        int starts = 0;
        const auto counted = deferred([&] { return starts++, fail<int64_t>("x"); });
        CHECK(seen(counted | retry({3}, on)) == "!x" && starts == 3);
        retry_policy policy;
        policy.decide = [](const failure &f, int64_t failures) { return f.as<int64_t>() == failures && failures < 5; };
        CHECK(seen(failing | retry(policy, on)) == "!5");
        policy.decide = [](const failure &, int64_t failures) -> retry_decision {
            if (failures == 1) return 5s;
            if (failures == 2) return just(0);
            return failed("enough");
        };
        CHECK(seen(fail<int>("x") | retry(policy, on)) == "!enough");
        CHECK(seen(just(1) | retry({}, on)) == "1 |");
    });
    test("time", [] {
        queue on("time");
        for (const sgk::signal<int64_t> &paced :
            {count_to(1) | throttle(10ms, on), count_to(1) | debounce(10ms, on), count_to(1) | deliver_on(on),
                count_to(1) | run_on(on), count_to(1) | delay_start(10ms, on),
                count_to(1) | suspend_aware_delay(10ms, 4s, on),
                never<int64_t>() | timeout(10ms, on) | catch_with(count_to(1))}) {
            record r;
            disposable subscription = r.run(paced);
            CHECK(eventually([&] { return r.text() == "1 |"; }));
            on.sync([] {});
        }
        CHECK_THROWS(never<int>() | throttle(-1s, on), SGK_ERROR_ARGUMENT);
    });
    test("sources", [] {
        CHECK(events(from({1, 2})) == "1 2 |" && events(from(std::vector<std::string>())) == "|" &&
            events(range(3, 2)) == "3 4 |");
        CHECK(events(from(std::vector<const char *>{"a", "b"})) == "a b |");
        auto down_from = [](int64_t n) {
            return generate([n]() mutable { return n ? std::optional<int64_t>(n--) : std::nullopt; });
        };
        CHECK(events(down_from(2)) == "2 1 |");
        CHECK(events(generate([]() -> std::optional<int> { throw std::runtime_error("broken"); })) == "!broken");
        queue on = queue::virtual_time();
        record ticks, once;
        scoped_disposable first = ticks.run(interval(1s, on)), second = once.run(timer_signal(2s, on));
        on.advance(3s);
        CHECK(ticks.text() == "0 1 2" && once.text() == "0 |");
        CHECK_THROWS(interval(0s, on), SGK_ERROR_ARGUMENT);
        CHECK(events(fd_signal(9999, SGK_FD_READ, on) | catch_and_return(7)) == "7 |" &&
            events(fd_lines(9999, 1, on) | catch_and_return("bad")) == "bad |" &&
            events(fd_bytes(9999, 1, on) | catch_and_return("bad")) == "bad |" &&
            events(just("x") | sink_fd(9999, false, on, 1) | catch_and_return("bad")) == "bad |");
        CHECK(events(unix_signal(9999, on) | catch_and_return(1)) == "1 |" &&
            events(child(1, on) | catch_and_return(1)) == "1 |");
        CHECK((wall_clock_timer(std::chrono::system_clock::now() - 1s, queue("wall clock")) | get(60s)) == 0);
        CHECK(std::get<1>(process({"echo", "text"}, SGK_PROCESS_OUTPUT, 9, queue("a program")) | get(60s)) == "text");
        CHECK_THROWS(process({std::string("cat\0", 4)}, 0, 9, on), SGK_ERROR_ARGUMENT);
        CHECK(std::get<1>(process({"cat"}, just(std::string("read")), SGK_PROCESS_OUTPUT, 9, queue("a program")) |
                  get(60s)) == "read");
        CHECK(events(file_lines("/nowhere/log", true, 9, on) | catch_and_return("bad")) == "bad |");
        CHECK(events(file_changes("/nowhere", 1, on) | map([](int64_t bits, const std::string &, int64_t) {
            return bits;
        }) | catch_and_return(1)) == "1 |");
        std::weak_ptr<int> seen;
        auto shared = using_resource([] { return std::make_shared<int>(7); },
            [&](std::shared_ptr<int> &made) {
                seen = made;
                return just(*made);
            });
        CHECK(events(shared) == "7 |" && seen.expired());
        CHECK(events(using_resource([]() -> int { throw value(5); }, [](int) { return never<int>(); })) == "!5");
        CHECK(events(using_resource([] { return 1; }, [](int) -> sgk::signal<int> { throw value(6); })) == "!6");
    });
    test("sockets", [] {
        const queue on("sockets");
        const int listener = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof place;
        CHECK(bind(listener, reinterpret_cast<sockaddr *>(&place), size) == 0 && listen(listener, 5) == 0 &&
            getsockname(listener, reinterpret_cast<sockaddr *>(&place), &size) == 0);
        record served;
        auto greet = [on](int c) { return just(std::string("hello")) | sink_fd(c, false, on, 9); };
        scoped_disposable server = served.run(sgk::accept(listener, 2, greet, on));
        auto heard = sgk::connect(&place, size, [on](int c) { return fd_bytes(c, 9, on); }, on);
        CHECK((heard | get(60s)) == "hello");
        auto broken = [](int) -> sgk::signal<int> { throw std::runtime_error("broken"); };
        CHECK((sgk::connect(&place, size, broken, on) | catch_and_return(7) | get(60s)) == 7);
        CHECK(served.text().empty());
        CHECK_THROWS(sgk::connect(&place, 1, greet, on), SGK_ERROR_ARGUMENT);
        CHECK_THROWS(sgk::accept(listener, 0, greet, on), SGK_ERROR_ARGUMENT);
        close(listener);
        const int receiver = socket(AF_INET, SOCK_DGRAM, 0), client = socket(AF_INET, SOCK_DGRAM, 0);
        place.sin_port = 0;
        CHECK(bind(receiver, reinterpret_cast<sockaddr *>(&place), size) == 0 &&
            getsockname(receiver, reinterpret_cast<sockaddr *>(&place), &size) == 0);
        record echoed;
        auto upper = [](const std::string &data, const std::string &from) { return std::tuple(data + "!", from); };
        scoped_disposable echo = echoed.run(fd_datagrams(receiver, 99, on) | map(upper) | sink_fd(receiver, false, on));
        const std::string to(reinterpret_cast<const char *>(&place), size);
        record sent;
        scoped_disposable sending = sent.run(just(std::tuple(std::string("hello"), to)) | sink_fd(client, false, on));
        CHECK((fd_datagrams(client, 99, on) | get(60s)) == std::tuple(std::string("hello!"), to));
        CHECK(echoed.text().empty());
        CHECK_THROWS(fd_datagrams(receiver, 0, on), SGK_ERROR_ARGUMENT);
        close(receiver), close(client);
    });
    test("elements in their time", [] {
        queue on = queue::virtual_time();
        auto seen = [&](const any_signal &s) {
            record r;
            const scoped_disposable subscription = r.run(s);
            on.advance(20s);
            return r.text();
        };
        CHECK(seen(count_to(3) | chunked(2)) == "[1, 2] [3] |" &&
            seen(count_to(3) | chunked(2, 5s, on)) == "[1, 2] [3] |");
        CHECK(seen(count_to(3) | chunked_by(never<int>(), 2)) == "[1, 2] [3] |");
        CHECK(seen(count_to(4) | windowed(2)) == "[1, 2] [2, 3] [3, 4] |" &&
            seen(count_to(5) | windowed(1, 3)) == "[1] [4] |");
        CHECK(seen(count_to(3) | delay(5s, on, {2, SGK_OVERFLOW_DROP_OLDEST})) == "2 3 |");
        CHECK(seen(count_to(3) | rate_limit(2, 1s, on)) == "1 2 3 |");
        CHECK(seen(count_to(3) | paused_by(just(false))) == "1 2 3 |");
        CHECK(seen(count_to(3) | rate_limit(2, 1s, on, {SGK_UNBUFFERED, SGK_OVERFLOW_DROP_NEWEST})) == "1 2 |");
        CHECK(seen(never<int>() | timeout_first(5s, on) | catch_and_return(1)) == "1 |");
        CHECK(seen(interval(4s, on) | timeout(5s, on) | take(2)) == "0 1 |");
        CHECK(seen(count_to(3) | throttle(5s, on, SGK_EDGE_TRAILING)) == "3 |");
        CHECK(seen(interval(5s, on) | take(1) | time_interval(on)) == "[5, 0] |");
        CHECK(seen(just(1) | timestamped(on) | map([&](duration at, int n) { return at == on.now() ? n : 0; })) ==
            "1 |");
        CHECK(seen(never<int>() | take_for(5s, on)) == "|");
        CHECK(seen(count_to(3) | sample(never<int>())) == "3 |" && seen(never<int>() | sample(5s, on)).empty());
    });
    test("joining", [] {
        CHECK(events(combine_latest(just(1), just("b"))) == "[1, b] |" &&
            events(combine_latest(std::vector<sgk::signal<int>>{})) == "[] |");
        const auto times = [](int64_t a, double b) { return double(a) * b; };
        CHECK(events(combine_latest(just(3), just(0.5)) | map(times)) == "1.5 |");
        queue virtual_queue = queue::virtual_time();
        record on_queue;
        disposable subscription = on_queue.run(
            combine_latest(std::vector<sgk::signal<int64_t>>{count_to(1), count_to(2)}, virtual_queue) |
            map([](const std::vector<int64_t> &all) { return all[0] + all[1]; }));
        CHECK(on_queue.text().empty());
        virtual_queue.run();
        CHECK(on_queue.text() == "2 3 |");
        CHECK(events(merge(count_to(1), count_to(2))) == "1 1 2 |");
        CHECK(events(zip(2, std::vector<sgk::signal<int64_t>>{count_to(2), count_to(3)})) == "[1, 1] [2, 2] |");
        CHECK(events(zip({1, SGK_OVERFLOW_ERROR, "no room"}, count_to(2), just(3))) == "!no room");
        CHECK(events(zip({1, SGK_OVERFLOW_DROP_OLDEST}, count_to(3), just(3))) == "[3, 3] |");
        CHECK(events(zip(SGK_UNBOUNDED, count_to(2), just(0.5)) | map(times)) == "0.5 |");
        CHECK(events(race(never<int64_t>(), count_to(2), just(int64_t{3}))) == "1 2 |");
        CHECK(events(count_to(2) | with_latest_from(just("x"))) == "[1, x] [2, x] |");
        CHECK(events(count_to(2) | with_latest_from(just(0.5)) | map(times)) == "0.5 1 |");
        auto throwing = [](int64_t, int64_t) -> int64_t { throw std::runtime_error("oh"); };
        CHECK(events(count_to(2) | with_latest_from(just(10)) | map(throwing)) == "!oh");
    });
    test("starting", [] {
        std::string seen;
        auto next = [&](int64_t n) { seen += std::to_string(n); };
        auto end = [&](auto...) { seen += "."; };
        run(count_to(2) | sgk::start(next));
        run(fail<int64_t>(1) | sgk::start(next, end));
        run(count_to(2) | sgk::start(next, none{}, end));
        run(count_to(2).start());
        CHECK(seen == "12.12.");
        disposable given;
        run(count_to(endless) |
            sgk::start(
                [&](int64_t n) {
                    seen = std::to_string(n);
                    if (n == 3) given.dispose();
                },
                none{}, none{}, [&](disposable started) { given = started; }));
        CHECK(seen == "3");
        run(count_to(1) |
            sgk::start([p = std::make_unique<int>(1), &seen](int64_t) { seen = std::to_string(*p + 4); }));
        CHECK(seen == "5");
    });
    test("pipes", [] {
        sgk::pipe<int64_t> source;
        record r;
        scoped_disposable subscription = r.run(source.signal() | map([](int64_t n) { return n + 1; }));
        source.next(1), source.next(2);
        subscription.dispose();
        source.next(3);
        CHECK(r.text() == "2 3");
        record broken;
        scoped_disposable other = broken.run(source.signal());
        source.error("gone");
        CHECK(broken.text() == "!gone" && !source.next(4));
    });
}
