/* Pull: readers as ranges, blocking reads. */
#include "suite.hpp"

#include <poll.h>

void readers() {
    using namespace sgk;

    test("a reader is a range", [] {
        std::vector<int64_t> seen;
        for (const int64_t n : reader(count_to(5) | run_on(queue("other")), 2)) seen.push_back(n);
        CHECK((seen == std::vector<int64_t>{1, 2, 3, 4, 5}));
        std::string all;
        for (const std::string &text : reader(just("text"))) all += text;
        CHECK(all == "text");
        for (const int64_t n : reader(empty<int64_t>())) CHECK(n > n);
        const reader<int64_t> kept(count_to(3));
        CHECK(*kept.begin() == 1 && *kept.begin() == 2 && kept.begin() != kept.end() && kept.begin() == kept.end());
    });
    test("its errors are thrown", [] {
        const reader<int64_t> numbers(
            count_to(endless) | map([](int64_t n) { return n > 2 ? throw value("over two") : n; }));
        CHECK(numbers.next() == 1 && numbers.next() == 2);
        for (int i = 0; i < 2; i++) {
            try {
                numbers.next();
                CHECK("thrown" == nullptr);
            } catch (const failure &f) {
                CHECK(f.value() == value("over two") && f.text() == "over two" &&
                    f.status() == SGK_ERROR_FAILED);
            }
        }
        CHECK(events(just(1) | map([&](int64_t) { return *numbers.next(); })) ==
            "!over two"); // thrown on it is the error itself
        CHECK_THROWS(reader(any_signal(just("text")).as<int>()).next(), SGK_ERROR_FAILED);
        CHECK_THROWS(reader(sgk::signal<int>()), SGK_ERROR_NULL);
        CHECK_THROWS(reader(never<int64_t>(), SGK_UNBUFFERED), SGK_ERROR_ARGUMENT);
        CHECK_THROWS(queue("own").sync([] {
            sgk::pipe<int64_t> quiet;
            reader(quiet.signal()).next();
        }),
            SGK_ERROR_THREAD);
    });
    test("what else a reading comes to", [] {
        sgk::pipe<std::string> source;
        overflow_counter counter = overflow_counter::create();
        const reader<std::string> texts(source.signal(), {1, SGK_OVERFLOW_DROP_OLDEST, {}, counter});
        std::optional<std::string> place("old");
        CHECK(texts.next(place, 0s) == SGK_ERROR_TIMEOUT && !place);
        pollfd ready{texts.fd(), POLLIN, 0};
        int told = 0;
        texts.when_ready([&] { told++; });
        CHECK(poll(&ready, 1, 0) == 0 && told == 0);
        source.next("a"), source.next("b");
        CHECK(poll(&ready, 1, 0) == 1 && told == 1 && counter.dropped() == 1);
        CHECK(texts.next(place, 10s) == SGK_OK && place == "b");
        source.complete();
        CHECK(texts.next(place, 10s) == SGK_ERROR_COMPLETED && !place);
        texts.close();
        CHECK(texts.next(place, 10s) == SGK_ERROR_ENDED && !texts.next());
        CHECK_THROWS(texts.fd(), SGK_ERROR_ENDED);
    });
    test("closing from elsewhere ends the loop", [] {
        sgk::pipe<int64_t> source;
        const reader<int64_t> numbers(source.signal());
        std::atomic<int> seen{0};
        std::thread looping([&] { for (int64_t n : numbers) seen += static_cast<int>(n); });
        source.next(1);
        CHECK(eventually([&] { return seen == 1; }));
        numbers.close();
        looping.join();
    });
    test("first and all", [] {
        CHECK((count_to(endless) | get()) == 1 && (just("text") | get(1s)) == "text" &&
            (any_signal(just(2)) | get()) == value(2));
        CHECK(((count_to(5) | collect(9)) == std::vector<int64_t>{1, 2, 3, 4, 5}) &&
            (empty<int64_t>() | collect(1, 0s)).empty());
        CHECK((count_to(endless) | collect(3)).size() == 3);
        sgk::pipe<int64_t> quiet;
        CHECK_THROWS(quiet.signal() | get(1ms), SGK_ERROR_TIMEOUT);
        CHECK_THROWS(never<int64_t>() | get(1ms), SGK_ERROR_TIMEOUT);
        CHECK_THROWS(never<int64_t>() | collect(1, 1ms), SGK_ERROR_TIMEOUT);
        CHECK_THROWS(empty<int64_t>() | get(), SGK_ERROR_COMPLETED);
        CHECK_THROWS(fail<int64_t>(5) | get(), SGK_ERROR_FAILED);
        CHECK_THROWS(fail<int64_t>(5) | collect(1), SGK_ERROR_FAILED);
        CHECK_THROWS(just(1) | collect(0), SGK_ERROR_ARGUMENT);
    });
    test("a step waits for nothing, a look does", [] {
        const queue time = queue::virtual_time(); // in its work a wait moves the time on
        time.dispatch([&] {
            const reader<int64_t> ticks(interval(1s, time));
            auto at = ticks.begin();
            CHECK(time.now() == 0s && *at == 0 && time.now() == 1s);
            ++at;
            CHECK(time.now() == 1s);
            auto copy = at; // of the present value
            CHECK(time.now() == 2s && *copy == 1 && *at == 1);
            ++at, ++at;
            CHECK(time.now() == 3s && *at == 3 && *copy == 1);
            at = copy;
            CHECK(*at == 1 && at != ticks.end());
        });
        time.run(1);
    });
}
