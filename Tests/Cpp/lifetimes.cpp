/* Owners, and what callbacks capture. */
#include "suite.hpp"

void lifetimes() {
    using namespace sgk;

    test("handles: copies retain, moves hand over", [] {
        sgk::signal<int> first = just(1), second = first;
        CHECK(first == second && second);
        sgk::signal<int> third = std::move(second);
        CHECK(first == third && sgk_live_count(SGK_LIVE_SIGNAL) == 1);
        first = third;
        third = {};
        CHECK(!third && first != third && sgk_live_count(SGK_LIVE_SIGNAL) == 1);
        sgk::signal<int> taken(first.release());
        CHECK(!first && events(taken) == "1 |");
    });
    test("one copy of a callback, gone with the last that can call it", [] {
        sgk::signal<int64_t> mapped;
        {
            captured c;
            mapped = count_to(2) | map([c = std::move(c)](int64_t n) { return c.sound() ? n : 0; });
        }
        CHECK(captured::alive == 1);
        CHECK(events(mapped) == "1 2 |" && captured::alive == 1);
        mapped = {};
        CHECK(captured::alive == 0);
    });
    test("a run keeps its callbacks until it ends", [] {
        sgk::pipe<int64_t> source;
        disposable run;
        {
            captured c;
            auto next = [c](int64_t) { CHECK(c.sound()); };
            run = source.signal() | filter([c](int64_t) { return c.sound(); }) | sgk::start(next, [c](auto) {});
        }
        CHECK(captured::alive > 0);
        source.next(1);
        run.dispose();
        CHECK(captured::alive == 0);
    });
    test("so does one whose source goes away", [] {
        disposable run;
        {
            sgk::pipe<int64_t> source;
            captured c;
            run = source.signal() | map([c](int64_t n) { return n; }) | sgk::start([c](int64_t) {}, [c](auto) {});
            source.next(1);
        }
        CHECK(captured::alive == 0);
    });
    test("a call that fails destroys its callback", [] {
        captured c;
        CHECK_THROWS(sgk::signal<int64_t>() | map([c](int64_t n) { return n; }), SGK_ERROR_NULL);
        CHECK_THROWS(queue().after(1s, [c] {}), SGK_ERROR_NULL);
        CHECK(captured::alive == 1);
    });
    test("a generator's stop, as a function and as a disposable", [] {
        int stops = 0;
        captured c;
        for (const auto &source :
            {create<int64_t>([&stops, c](const subscriber<int64_t> &) { return [&stops, c] { stops++; }; }),
                create<int64_t>(
                    [&stops](const subscriber<int64_t> &) { return disposable::action([&stops] { stops++; }); }),
                create<int64_t>([](subscriber<int64_t>) {})}) {
            disposable run = source.start();
            run.dispose(), run.dispose();
        }
        CHECK(stops == 2);
    });
    test("disposables", [] {
        int disposed = 0;
        auto count = [&] { return disposable::action([&] { disposed++; }); };
        { disposable released = count(); }
        CHECK(disposed == 0);
        { scoped_disposable scoped = count(); }
        CHECK(disposed == 1);
        {
            scoped_disposable kept;
            kept = count();
            kept = count();
            CHECK(disposed == 2);
            static_cast<void>(kept.release());
        }
        CHECK(disposed == 2);
        disposable_bag set;
        disposable out = count();
        set.add(count()), set.add(out), set.add(count()), set.remove(out);
        set.dispose();
        CHECK(disposed == 4);
        disposable_slot slot;
        slot.set(count()), slot.set(count()), slot.set({});
        CHECK(disposed == 6);
        disposable_dict dict;
        dict.set("a", count()), dict.set(1, count()), dict.set("a", {});
        CHECK(disposed == 7);
        dict.dispose();
        CHECK(disposed == 8);
        disposable().dispose();
        count().strict(__FILE__, __LINE__).dispose();
        CHECK(disposed == 9);
    });
    test("holds pause the source of a subscription", [] {
        const pipe<int64_t> numbers;
        scoped_disposable run = numbers.signal().start([](int64_t) {});
        {
            disposable one = run.get().hold(), other = run.get().hold();
            CHECK(numbers.is_paused());
            one.dispose();
            CHECK(numbers.is_paused());
        }
        CHECK(!numbers.is_paused());
        CHECK_THROWS(disposable::action([] {}).hold(), SGK_ERROR_KIND);
        run.get().hold().dispose();
    });
    test("what a callback returns may point into its parameters", [] {
        const std::string text = "longer than what is kept inside of a std::string itself";
        const auto shown = text + " |";
        CHECK(events(just(text) | map([](const std::string &t) { return t.c_str(); })) == shown);
        CHECK(events(just(text) | compact_map([](const std::string &t) {
            return std::optional<std::string_view>(t);
        })) == shown);
        CHECK(events(fail<int64_t>(text) | map_error([](const std::string &t) { return std::string_view(t); })) ==
            "!" + text);
        CHECK(events(just(text) | scan("", [](std::string, const std::string &t) { return t.c_str(); })) == shown);
        CHECK(events(just(text) | filter([](std::string_view t) { return !t.empty(); }) | map([](std::string_view t) {
            return t.substr(0, 6);
        })) == "longer |");
    });
}
