/* Chains of observers; subscribers and runs with more to say; pools. */
#include "suite.hpp"

using namespace sgk;

void links() {
    test("chains of observers", [] {
        std::string seen;
        event_emitter<int64_t> emitter(1);
        const captured c;
        const event_link<int64_t> even = emitter.observer().filter([c](int64_t n) { return n % 2 == 0; });
        const event_link<int64_t> halves = even.map([](int64_t n) { return n / 2; }).compact_map([](int64_t n) {
            return n < 3 ? std::optional<int64_t>(n) : std::nullopt;
        });
        halves.on_next([&, c](int64_t n) { seen += std::to_string(n); }).on_finish([&] { seen += "."; });
        for (int i = 2; i <= 6; i++) emitter.next(i);
        emitter.finish();
        CHECK(seen == "12.");
        event_emitter<int64_t> failing;
        failing.on_error([&](int64_t e) { seen = std::to_string(e); });
        failing.error(7);
        CHECK(seen == "7");
        CHECK_THROWS(check(sgk_event_emitter_next(halves.get(), sgk_int(1))), SGK_ERROR_HANDLE);
    });
    test("bags of links", [] {
        int seen = 0;
        event_emitter<int64_t> emitter;
        link_bag bag;
        const event_link<int64_t> shown = emitter.observer();
        shown.on_next([&](int64_t) { seen++; });
        bag.add(shown);
        emitter.next(1);
        bag.clear();
        emitter.next(2);
        CHECK(seen == 1);
        emitter.observer().unlink();
    });
    test("links and signals", [] {
        event_emitter<int64_t> emitter(5);
        record r;
        disposable run = r.run(emitter.signal());
        emitter.finish();
        CHECK(r.text() == "5 |");
        int64_t seen = 0;
        const event_link<int64_t> fed = count_to(3) | link();
        fed.on_next([&](int64_t n) { seen += n; });
        CHECK(seen == 6);
        queue on("links");
        event_emitter<int64_t> elsewhere;
        std::atomic<int> calls{0};
        elsewhere.on_next([&](int64_t) { calls += on.is_current() ? 1 : 100; }, on);
        elsewhere.next(1);
        CHECK(drain(10s) && calls == 1);
    });
    test("the end of a run", [] {
        std::string seen;
        subscriber<int64_t> kept;
        disposable run = create<int64_t>([&](const subscriber<int64_t> &to) {
            kept = to;
            to.keep_alive(captured());
            to.on_dispose([&] { seen += "t"; });
            return [&] { seen += "d"; };
        }).start();
        CHECK(captured::alive == 1);
        run.dispose();
        CHECK(seen == "td" && captured::alive == 0);
        kept.on_dispose([&] { seen += "late"; });
        CHECK(seen == "tdlate");
    });
    test("waiting for callbacks", [] {
        sgk::pipe<int64_t> source;
        std::atomic<bool> inside{false}, done{false};
        disposable run = source.signal().start_waitable([&](int64_t) {
            inside = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            done = true;
        });
        std::thread emitting([&] { source.next(1); });
        CHECK(eventually([&] { return inside.load(); }));
        CHECK(run.dispose_and_wait() && done);
        emitting.join();
        disposable own,
            inner = count_to(3).start_waitable(
                [&](int64_t) { CHECK(!own.dispose_and_wait()); }, none{}, none{}, [&](disposable d) { own = d; });
        CHECK_THROWS(count_to(1).start().dispose_and_wait(), SGK_ERROR_HANDLE);
    });
    test("pipes that end", [] {
        sgk::pipe<int64_t> source = sgk::pipe<int64_t>::replaying();
        CHECK(source.next(1));
        source.complete();
        CHECK(!source.next(2) && events(source.signal()) == "1 |");
    });
    test("loops", [] {
        auto add = [](int64_t a, int64_t n) { return a + n; };
        auto until = [](std::optional<int64_t> sum) {
            return sum && *sum > 3 ? sgk::signal<int64_t>() : count_to(2);
        };
        CHECK(events(accumulating_loop<int64_t>(until, add)) == "1 3 4 6 |");
        auto throwing = [](std::optional<int64_t>) -> sgk::signal<int64_t> { throw std::runtime_error("no more"); };
        CHECK(events(accumulating_loop<int64_t>(throwing, add)) == "!no more");
    });
    test("pools", [] {
        thread_pool pool(2);
        std::atomic<int> inside{0};
        static_cast<void>(pool.add_task([&] { inside += pool.is_current(); }));
        CHECK(drain(10s) && inside == 1 && !pool.is_current());
        for (const auto &there : {count_to(2) | run_on(pool), count_to(2) | deliver_on(pool)}) {
            record r;
            disposable run = r.run(there);
            CHECK(eventually([&] { return r.text() == "1 2 |"; }));
        }
        CHECK(pool.next_queue().sync([&] { return pool.is_current(); }));
        CHECK(pool.as_queue().sync([&] { return pool.is_current(); }));
        pool.shutdown();
        CHECK(drain(10s));
        CHECK_THROWS(thread_pool(0), SGK_ERROR_ARGUMENT);
    });
}
