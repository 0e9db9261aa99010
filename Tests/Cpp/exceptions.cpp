/* Exceptions: each ends its own subscription, and none crosses the library. */
#include "suite.hpp"

#include <sys/wait.h>
#include <unistd.h>

static int64_t over_two(int64_t n) { return n > 2 ? throw std::runtime_error("over two") : n; }

/* Returns whether `body` ends the process by std::terminate. */
template <class Body>
static bool terminates(Body body) {
    const pid_t child = fork();
    if (child == 0) {
        std::set_terminate([] { _exit(42); });
        body();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

void exceptions() {
    using namespace sgk;

    test("an operator's callback: the run fails, and its source is stopped", [] {
        captured c;
        CHECK(events(count_to(endless) | map([c](int64_t n) { return over_two(n); })) == "1 2 !over two");
        CHECK(events(count_to(endless) | filter([c](int64_t n) { return over_two(n) > 0; })) == "1 2 !over two");
        CHECK(events(count_to(endless) | compact_map([](int64_t n) { return std::optional<int64_t>(over_two(n)); })) ==
            "1 2 !over two");
        CHECK(events(count_to(endless) | map(over_two) | map(over_two) | filter([](auto) { return true; })) ==
            "1 2 !over two");
        CHECK(events(count_to(endless) | before_next(over_two)) == "1 2 !over two");
        CHECK(events(count_to(endless) | stage(2, [](int limit, int64_t n) {
            if (n > limit) over_two(n);
        })) == "1 2 !over two");
        const auto stateless = stage([]() -> int { throw value("no state"); }, [](int, int64_t) {}, none{}, [](int) {});
        CHECK(events(count_to(endless) | stateless) == "!no state" &&
            events(empty<int64_t>() | stateless) == "!no state");
        CHECK(events(count_to(endless) | reduce(int64_t{0}, [](int64_t, int64_t n) { return over_two(n); })) ==
            "!over two");
        CHECK(events(count_to(endless) | distinct_until_changed([](int64_t, int64_t n) { return over_two(n) < 0; })) ==
            "1 2 !over two");
        CHECK(events(count_to(endless) | switch_map([](int64_t n) { return just(over_two(n)); })) ==
            "1 2 !over two");
        const auto itself = [](auto, sgk::signal<int64_t> values) { return values; };
        CHECK(events(count_to(endless) | switch_map_per(over_two, [](int64_t n) { return just(n); }, 9)) ==
            "1 2 !over two");
        CHECK(
            events(count_to(endless) |
                switch_map_per(
                    [](int64_t n) { return n; }, [](int64_t n) { return just(over_two(n)); }, 9)) == "1 2 !over two");
        CHECK(events(count_to(endless) | group_by(over_two, itself, 9)) == "1 2 !over two");
        CHECK(events(count_to(endless) |
                  group_by([](int64_t n) { return n; },
                      [](int64_t n, sgk::signal<int64_t> values) { return over_two(n), values; }, 9)) ==
            "1 2 !over two");
        CHECK(events(fail<int64_t>(1) | map_error([](auto) -> int { throw value(2); })) == "!2");
        CHECK(events(fail<int64_t>(1) | catch_error([](auto) -> sgk::signal<int64_t> { throw value(2); })) == "!2");
        retry_policy throwing;
        throwing.decide = [](auto, auto) -> bool { throw value(2); };
        CHECK(events(fail<int64_t>(1) | retry(throwing, queue::virtual_time())) == "!2");
        CHECK(events(count_to(endless) | take_while([](int64_t n) { return over_two(n) > 0; })) == "1 2 !over two");
        CHECK(events(count_to(endless) | skip_while([](int64_t n) { return over_two(n) > 0; })) == "!over two");
        CHECK(events(count_to(endless) | distinct_by(over_two, 9)) == "1 2 !over two");
        CHECK(events(count_to(endless) | scan(int64_t{0}, [](int64_t, int64_t n) { return over_two(n); })) ==
            "1 2 !over two");
    });
    test("functions of tuples, of several signals, on a queue, of two subscriptions", [] {
        const auto sum = [](int64_t a, int64_t b) { return over_two(a + b); };
        CHECK(events(combine_latest(just(1), count_to(endless)) | map(sum)) == "2 !over two");
        CHECK(events(zip(1, just(1), count_to(endless)) | map(sum)) == "2 |");
        CHECK(events(zip(1, just(2), count_to(endless)) | map(sum)) == "!over two");
        CHECK(events(count_to(endless) | with_latest_from(just(1)) | map(sum)) == "2 !over two");
        sgk::pipe<int64_t> source;
        record first, second;
        auto scanned = source.signal() | scan(int64_t{0}, [bad = 0](int64_t a, int64_t n) mutable {
            return n == 2 && bad++ == 0 ? throw value("bad") : a + n;
        });
        const any_signal both = scanned;
        const scoped_disposable one = first.run(both), two = second.run(both);
        source.next(1), source.next(2), source.next(3);
        CHECK(first.text() == "1 !bad" && second.text() == "1 3 6");
    });
    test("what was thrown is the error", [] {
        CHECK(events(just(1) | map([](int64_t) -> int { throw value(std::vector<int>{1, 2}); })) == "![1, 2]");
        CHECK(events(just(1) | map([](int64_t) -> int { throw 5; })) == "!an exception that is no std::exception");
        CHECK(events(any_signal(just("x")) | map([](int64_t n) { return n; })) ==
            "!not an int of this size, but string: x");
        CHECK(events(any_signal(just("x")).as<int>()) == "!as: not an int of this size, but string: x");
    });
    test("an exception has a code and a cause", [] {
        const auto error_of = [](auto thrower) {
            std::optional<failure> found;
            run(just(1) | map([&](int) -> int { thrower(); return 1; }) |
                sgk::start(none{}, [&](const failure &f) { found = f; }));
            return found.value();
        };
        const failure plain = error_of([] { throw std::runtime_error("broken"); });
        CHECK(plain.code() == SGK_ERROR_FAILED && plain.text() == "broken" && !plain.cause());
        CHECK(plain.value().kind() == SGK_FAILURE && plain.status() == SGK_ERROR_FAILED);
        const failure of_call = error_of([] { static_cast<void>(just(1) | take(-1)); });
        CHECK(of_call.code() == SGK_ERROR_ARGUMENT && of_call.status() == SGK_ERROR_FAILED);
        CHECK(of_call.text() == "sgk::take: count: must be 0 or more");
        CHECK(error_of([] { throw std::system_error(ENOENT, std::generic_category()); }).code() == ENOENT);
        const std::error_code unknown(-7, std::generic_category());
        CHECK(error_of([&] { throw std::system_error(unknown); }).code() == SGK_ERROR_FAILED);
        const failure own = error_of([] { throw failure(404, "load", failure(7, "read")); });
        CHECK(own.code() == 404 && own.status() == SGK_ERROR_FAILED && own.text() == "load");
        CHECK(own.cause()->code() == 7 && own.cause()->text() == "read" && !own.cause()->cause());
        CHECK(std::string(own.what()) == "load (404), caused by read (7)");
        const failure nested = error_of([] {
            try {
                throw value(5);
            } catch (const value &) { std::throw_with_nested(std::runtime_error("outer")); }
        });
        CHECK(nested.text() == "outer" && nested.cause()->value() == value(5) && nested.cause()->text() == "5");
        const failure nothing = error_of([] { std::throw_with_nested(std::runtime_error("outer")); });
        CHECK(nothing.text() == "outer" && !nothing.cause());
        CHECK(failure(value(5)).code() == SGK_ERROR_FAILED && !failure(value(5)).cause());
    });
    test("a generator", [] {
        CHECK(events(create<int64_t>([](const subscriber<int64_t> &to) {
            to.next(1);
            throw std::runtime_error("broken");
        })) == "1 !broken");
        CHECK(events(deferred([]() -> sgk::signal<int64_t> { throw std::runtime_error("broken"); })) == "!broken");
        CHECK(events(create<int64_t>([](const subscriber<int64_t> &to) { to.complete(); throw 1; })) == "|");
    });
    test("other runs of the same signal go on", [] {
        sgk::pipe<int64_t> source;
        record first, second;
        const sgk::signal<int64_t> mapped = source.signal() |
            map([bad = 0](int64_t n) mutable { return n == 2 && bad++ == 0 ? throw value("bad") : n; });
        disposable one = first.run(mapped), two = second.run(mapped);
        source.next(1), source.next(2), source.next(3);
        two.dispose();
        CHECK(first.text() == "1 !bad" && second.text() == "1 2 3");
    });
    test("next: the error callback beside it is told", [] {
        std::string told;
        run(count_to(endless) |
            sgk::start([](int64_t n) { over_two(n); }, [&](const failure &f) { told += f.text(); }));
        CHECK(told == "over two");
    });
    test("next without an error callback: whoever hears of unhandled errors is told, and the run is over", [] {
        std::string told;
        set_unhandled_error_handler([&](const failure &error, const char *name) {
            told += std::string(name ? name : "?") + ": " + error.text() + "; ";
        });
        run(count_to(endless) | sgk::start([](int64_t n) { over_two(n); }));
        run(count_to(endless).start_waitable([](int64_t n) { over_two(n); }));
        run(any_signal(just("x")) | named("texts") | sgk::start([](int64_t) {}));
        run(any_signal(count_to(endless)) | sgk::start([](std::string_view) {}, [](const value &) {}));
        sgk_set_unhandled_error_handler(nullptr, nullptr, nullptr);
        CHECK(told == "?: over two; ?: over two; ?: not an int of this size, but string: x; ");
    });
    test("queue::sync throws at the caller", [] {
        queue on("sync");
        try {
            on.sync([]() -> int { throw std::out_of_range("far"); });
            CHECK(false);
        } catch (const std::out_of_range &e) {
            CHECK(std::string(e.what()) == "far");
        }
    });
    test("where nobody could be told, std::terminate", [] {
#ifndef SGK_TSAN // which does not like to go on after a fork
        CHECK(terminates([] { run(fail<int64_t>(1) | sgk::start(none{}, [](auto) { throw 1; })); }));
        CHECK(terminates([] { run(empty<int64_t>() | sgk::start(none{}, none{}, [] { throw 1; })); }));
        CHECK(terminates([] { disposable::action([] { throw 1; }).dispose(); }));
        CHECK(terminates([] { run(just(1) | after_completed([] { throw 1; }) | sgk::start()); }));
        CHECK(terminates([] { run(just(1) | before_completed([] { throw 1; }) | sgk::start()); }));
        CHECK(terminates([] { run(just(1) | after_next([](int) { throw 1; }) | sgk::start()); }));
        CHECK(terminates([] { run(just(1) | map([](int) noexcept { return over_two(3); }) | sgk::start()); }));
        CHECK(!terminates([] { run(just(1) | map([](int) -> int { throw 1; }) | sgk::start()); }));
#endif
    });
    test("failing calls throw", [] {
        CHECK_THROWS(sgk::signal<int64_t>() | take(3), SGK_ERROR_NULL);
        CHECK_THROWS(just(1) | take(-1), SGK_ERROR_ARGUMENT);
        CHECK_THROWS(sgk::signal<int64_t>() | map([](int64_t n) { return n; }), SGK_ERROR_NULL);
        CHECK_THROWS(sgk::signal<int64_t>().start(), SGK_ERROR_NULL);
        CHECK_THROWS(queue().async([] {}), SGK_ERROR_NULL);
        CHECK_THROWS(subscriber<int>().next(1), SGK_ERROR_NULL);
        try {
            static_cast<void>(just(1) | take(-1));
        } catch (const error &e) {
            CHECK(std::string(e.what()) == "sgk::take: count: must be 0 or more" &&
                std::string(e.status_text()) == "an argument is out of range");
        }
    });
}
