/* Promises, shared runs, sequencers; objects that live on a queue. */
#include "suite.hpp"

#include <memory>

using namespace sgk;

// Nothing that C++ would convert to a bool is taken for one.
static_assert(
    std::is_constructible_v<state<int>, int, bool> && !std::is_constructible_v<state<int>, int, const char *>);
static_assert(!std::is_constructible_v<state<int>, int, int>);

void holders() {
    test("promises", [] {
        record r, s;
        bool gone = false;
        {
            promise<int64_t> held(1);
            held.on_deinit([&, c = captured()] { gone = c.sound(); });
            disposable run = r.run(held.signal());
            sgk::pipe<int64_t> source;
            held.set(source.signal());
            source.next(2);
            CHECK(r.text() == "1 2");
            run.dispose();
            CHECK(!gone);
        }
        CHECK(gone);
        int starts = 0;
        promise<int64_t> lazy =
            promise<int64_t>::initialize_on_first_access(count_to(3) | before_started([&] { starts++; }));
        CHECK(starts == 0);
        s.run(lazy.signal()).dispose();
        CHECK(starts == 1 && s.text() == "1 2 3");
        CHECK_THROWS(promise<int64_t>().set(sgk::signal<int64_t>()), SGK_ERROR_NULL);
    });
    test("states without an element, and repeated elements", [] {
        record r, s;
        state<int> held;
        state<std::string> strict("a", true);
        disposable one = r.run(held.signal()), two = s.run(strict.signal());
        held.set(1), held.set(1), strict.set("a"), strict.set("b");
        CHECK(r.text() == "1 1" && s.text() == "a b");
        one.dispose(), two.dispose();
        CHECK_THROWS(state<int>().value(), SGK_ERROR_KIND);
    });
    test("a state goes over to what a function makes of it", [] {
        record r;
        state<int> count(1);
        const state<int> same = count;
        disposable run = r.run(count.signal());
        CHECK(count.modify([](int n) { return n + 1; }) == 2);
        count.set(5);
        CHECK(same.value() == 5);
        try {
            static_cast<void>(count.modify([](int) -> int { throw 7; }));
            CHECK(false);
        } catch (int thrown) { CHECK(thrown == 7); }
        CHECK(r.text() == "1 2 5");
        run.dispose();
        state<std::string> text("a", true);
        record s;
        disposable other = s.run(text.signal());
        CHECK(text.modify([](const std::string &t) { return t; }) == "a" &&
            text.modify([](const std::string &t) { return t + "b"; }) == "ab");
        CHECK(s.text() == "a ab");
        other.dispose();
        state<value> any;
        CHECK(any.value().is_null());
        CHECK(any.modify([](const value &v) { return v.is_null() ? value(1) : value(2); }) == value(1) &&
            any.value() == value(1));
    });
    test("several threads change a state", [] {
        state<int> count(0);
        int last = -1;
        bool is_broken = false;
        disposable run = count.signal() | start([&](int n) { is_broken = is_broken || n != ++last; });
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; i++)
            threads.emplace_back([&] {
                for (int j = 0; j < 1000; j++) count.modify([](int n) { return n + 1; });
            });
        for (auto &thread : threads) thread.join();
        CHECK(count.value() == 3000 && last == 3000 && !is_broken);
        run.dispose();
    });
    test("a literal 0 is a value, and no null handle", [] {
        record r;
        disposable run = r.run(promise<int>(0).signal());
        CHECK(r.text() == "0");
        run.dispose();
    });
    test("one run for many", [] {
        sgk::pipe<int64_t> source;
        int starts = 0;
        const auto counted = source.signal() | before_started([&] { starts++; });
        const auto shared = counted | share();
        multicast_table table;
        record r, s, t;
        disposable one = r.run(shared), two = s.run(shared), three = t.run(table.shared("a", counted)),
                   four = t.run(table.shared("a", never<int64_t>()));
        CHECK(starts == 2);
        source.next(1);
        CHECK(r.text() == "1" && s.text() == "1" && t.text() == "1 1");
        for (const auto &run : {one, two, three, four}) run.dispose();
        source.next(2);
        CHECK(s.text() == "1");
    });
    test("one run, whose latest values are replayed", [] {
        const queue q = queue::virtual_time();
        sgk::pipe<int64_t> source;
        int starts = 0;
        const auto counted = source.signal() | before_started([&] { starts++; });
        const sgk::signal<int64_t> shared[] = {
            counted | share(2), counted | share(2, 10s, q), counted | share(2, no_timeout)};
        for (const sgk::signal<int64_t> &each : shared) {
            record r, s;
            disposable one = r.run(each);
            source.next(1), source.next(2), source.next(3);
            one.dispose();
            disposable two = s.run(each);
            CHECK(r.text() == "1 2 3" && s.text() == (&each == shared ? "" : "2 3"));
            two.dispose();
        }
        CHECK(starts == 4);
        q.advance(10s);
    });
    test("signals shared by name, and pipes by name", [] {
        multicast_signal_manager manager;
        record r, s;
        int made = 0;
        sgk::pipe<int64_t> source;
        auto producer = [&] { return made++, source.signal(); };
        const auto first = manager.multicasted_signal("a", producer),
                   second = manager.multicasted_signal("a", producer);
        disposable one = r.run(first), two = r.run(second);
        source.next(1);
        CHECK(made == 1 && r.text() == "1 1");
        one.dispose(), two.dispose();
        CHECK(events(manager.multicasted_signal(
                  "b", [c = captured()]() -> sgk::signal<int64_t> { throw std::runtime_error("none"); })) == "!none");
        disposable three = s.run(manager.multicasted_pipe<int>("p"));
        manager.next("p", 5), manager.next("q", 6);
        CHECK(s.text() == "5");
        three.dispose();
        int runs = 0;
        for (int i = 0; i < 2; i++)
            manager.start_standalone_signal_if_not_running(
                "c", [&] { return never<int64_t>() | before_started([&] { runs++; }); });
        CHECK(runs == 1);
    });
    test("one after another", [] {
        sequencer line;
        sgk::pipe<std::string> first;
        record r;
        disposable one = r.run(line.enqueue(first.signal())), two = r.run(line.enqueue(just("second")));
        first.next("first");
        CHECK(r.text() == "first");
        first.complete();
        CHECK(r.text() == "first | second |");
    });
    test("an object on a queue", [] {
        queue on("local");
        struct counter : captured {
            explicit counter(const queue &home) : queue_(home) { CHECK(queue_.is_current()); }
            counter(const counter &) = delete;
            ~counter() { CHECK(queue_.is_current()); }
            int count = 0;
            queue queue_;
        };
        {
            queue_local<counter> local(on, [on] { return counter(on); });
            local.with([c = captured()](counter &it) { it.count++; });
            CHECK(local.sync_with([](counter &it) { return ++it.count; }) == 2);
            on.sync([&] { CHECK(local.unsafe_get()->count == 2); });
            CHECK_THROWS(local.unsafe_get(), SGK_ERROR_THREAD);
            try {
                local.sync_with([](counter &) { throw std::out_of_range("far"); });
                CHECK(false);
            } catch (const std::out_of_range &) {
            }
            auto numbers = local.signal_with<int>([c = captured()](counter &it, const subscriber<int> &to) {
                to.next(it.count), to.complete();
                return [kept = c] {};
            });
            record r, s;
            disposable run = r.run(numbers),
                       failing = s.run(
                           local.signal_with<int>([](counter &, const subscriber<int> &) { throw value("broken"); }));
            on.sync([] {});
            CHECK(r.text() == "2 |" && s.text() == "!broken");
        }
        CHECK(drain(10s));
        CHECK_THROWS(queue_local<int>(queue::concurrent_default(), [] { return 1; }), SGK_ERROR_ARGUMENT);
    });
}
