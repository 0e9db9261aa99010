/* Queues, timers, and pipelines that several threads use. */
#include "suite.hpp"

void queues() {
    using namespace sgk;

    test("work on a queue", [] {
        queue on("work");
        std::atomic<int> done{0};
        captured c;
        on.async([&, c] { done += on.is_current(); });
        on.dispatch([&, c, only = std::make_unique<int>(1)] { done += *only; });
        disposable cancelled = on.after(1000s, [&, c] { done += 100; }), soon = on.after(10ms, [&, c] { done += 1; });
        cancelled.dispose();
        CHECK(eventually([&] { return done == 3; }));
        CHECK(on.sync([&] { return on.is_current(); }) && !on.is_current());
        CHECK(queue::concurrent_default() != queue::concurrent_background());
    });
    test("virtual time, and a bound", [] {
        queue on = queue::virtual_time();
        std::vector<int64_t> seen;
        overflow_counter counter = overflow_counter::create();
        disposable run = count_to(5) | delay_start(1h, on) |
            deliver_on(on, {2, SGK_OVERFLOW_DROP_OLDEST, {}, counter}) |
            sgk::start([&](int64_t n) { seen.push_back(n); });
        on.advance(3599s);
        CHECK(seen.empty() && on.now() == 3599s);
        on.run();
        CHECK(on.now() == 1h && (seen == std::vector<int64_t>{1, 2, 3, 4, 5}) && counter.dropped() == 0 &&
            counter.suspended() == 0 && counter.exceeded() == 0);
        seen.clear();
        pipe<int64_t> numbers;
        disposable paused = numbers.signal() | deliver_on(on, {2, SGK_OVERFLOW_PAUSE, {}, counter}) |
            sgk::start([&](int64_t n) { seen.push_back(n); });
        for (int64_t n = 0; n < 3; n++) numbers.next(n);
        on.run();
        CHECK(seen.size() == 3 && counter.exceeded() == 1);
        seen.clear();
        pipe<int64_t> fast;
        const bound both(4, SGK_OVERFLOW_PAUSE | SGK_OVERFLOW_DROP_OLDEST, {}, counter);
        disposable two = fast.signal() | deliver_on(on, both) | sgk::start([&](int64_t n) { seen.push_back(n); });
        for (int64_t n = 0; n < 5; n++) {
            fast.next(n);
            CHECK(fast.is_paused() == (n >= 2)); // from three quarters of the limit
        }
        on.run();
        CHECK(seen == std::vector<int64_t>({1, 2, 3, 4}) && counter.dropped() == 1 && counter.exceeded() == 1);
        two.dispose();
        seen.clear();
        int resumed = 0;
        CHECK(numbers.next(0) && !numbers.is_paused() && numbers.next(1) && numbers.is_paused());
        numbers.on_resume(on, [&] { resumed++; });
        CHECK(resumed == 0 && on.run() > 0 && resumed == 1 && !numbers.is_paused() && seen.size() == 2);
        subscriber<int64_t> to;
        disposable held = create<int64_t>([&](const subscriber<int64_t> &s) { to = s; }) | sgk::start([](int64_t) {});
        {
            disposable hold = held.hold();
            to.on_resume(on, [&] { resumed++; });
            CHECK(to.is_paused() && on.run() == 0 && resumed == 1);
        }
        CHECK(!to.is_paused() && on.run() == 1 && resumed == 2);
        held.dispose();
        queue beside = queue::virtual_time(on);
        disposable later = beside.after(5s, [] {});
        CHECK(on.pending() == 1 && beside.now() == 1h && on.run(1) == 1 && on.pending() == 0 && on.dropped() == 0);
        on.suspend(10s);
        CHECK_THROWS(queue("real").advance(1s), SGK_ERROR_ARGUMENT);
        CHECK_THROWS(queue("real").pending(), SGK_ERROR_ARGUMENT);
        CHECK_THROWS(queue::custom(sgk_queue_table{}, nullptr), SGK_ERROR_ARGUMENT);
    });
    test("timers", [] {
        queue on("timers");
        std::atomic<int> fired{0};
        timer every = timer::every(2ms, on, [&] { fired++; }), once = timer::once(2ms, on, [&] { fired += 100; });
        every.start(), once.start();
        CHECK(eventually([&] { return fired >= 103; }));
        on.sync([&] { every.invalidate(); });
        CHECK_THROWS(timer::every(0s, on, [] {}), SGK_ERROR_ARGUMENT);
        queue still = queue::virtual_time();
        int rung = 0;
        timer alarm = timer::once(10s, still, [&] { rung++; });
        CHECK(!alarm.is_scheduled() && alarm.timeout_date() > 1e9s);
        alarm.start(), alarm.reset_timeout(20s), still.advance(5s);
        CHECK(alarm.is_scheduled() && alarm.remaining_time() == 15s && rung == 0);
        alarm.fire_and_invalidate(), still.run();
        CHECK(rung == 1 && !alarm.is_scheduled());
    });
    test("the main queue", [] {
        queue::main().dispatch([] { main_stop(); });
        main_run();
        const disposable over = just(int64_t{1}) | sgk::start([](int64_t) {});
        CHECK(main_run_until(over, 10s));
        const disposable silent = never<int64_t>() | sgk::start([](int64_t) {});
        CHECK(!main_run_until(silent, 0s));
        const scoped_disposable bounded = just(int64_t{1}) | sgk::start([](int64_t) {});
        CHECK(main_run_until(bounded, 10s));
        int done = 0;
        queue::main().dispatch([&] { done++; });
        main_drain();
        CHECK(done == 1);
    });
    test("many threads emit through guarded stages, and one throws", [] {
        for (int round = 0; round < 50; round++) {
            sgk::pipe<int64_t> source;
            std::atomic<int> errors{0}, nexts{0};
            captured c;
            disposable run = source.signal() | map([c](int64_t n) { return n == 30 ? throw value("thirty") : n; }) |
                filter([c](int64_t n) { return n > 0; }) |
                sgk::start([&, c](int64_t) { nexts++; }, [&, c](auto) { errors++; });
            std::vector<std::thread> threads;
            for (int t = 0; t < 4; t++)
                threads.emplace_back([&] { for (int i = 1; i <= 50; i++) source.next(i); });
            for (auto &t : threads) t.join();
            CHECK(errors == 1 && nexts >= 29);
        }
    });
    test("disposal from another thread stops a source that emits inside its start", [] {
        std::atomic<bool> going{false};
        disposable given;
        auto source = count_to(endless) | map([](int64_t n) { return n; }) | filter([&](int64_t) {
            going = true;
            return false;
        });
        std::thread starter(
            [&] {
                static_cast<void>(
                    source | sgk::start([](int64_t) {}, [](auto) {}, none{}, [&](disposable run) { given = run; }));
            });
        CHECK(eventually([&] { return going.load(); }));
        given.dispose();
        starter.join();
    });
}
