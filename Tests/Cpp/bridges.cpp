/* Interfaces to other code: custom loops, native callbacks, objects as values, marbles. */
#include "suite.hpp"

#include <signalkit/cpp/testing.hpp>

#include <cstdlib>
#include <deque>
#include <memory>

using namespace sgk;

namespace {

/* Runs its work on request. */
struct hand_loop : captured {
    std::deque<loop_work> waiting;
    bool ended = false, inside = false;

    void async(loop_work work) {
        if (ended) throw std::runtime_error("ended");
        waiting.push_back(std::move(work));
    }
    bool is_current() const { return inside; }
    void run() {
        for (inside = true; !waiting.empty(); waiting.pop_front()) waiting.front()();
        inside = false;
    }
};

/* One that keeps the time. */
struct timed_loop : hand_loop {
    double time = 0;
    std::vector<std::pair<double, loop_work>> timers;

    void after(duration delay, loop_work work) { timers.emplace_back(time + delay.count(), std::move(work)); }
    duration now() const { return duration(time); }
    void advance(double seconds) {
        time += seconds;
        auto due = std::exchange(timers, {});
        for (auto &[when, work] : due) {
            if (when <= time) waiting.push_back(std::move(work));
            else timers.emplace_back(when, std::move(work));
        }
        run();
    }
};

struct circle : captured {
    double radius = 2;
};

} // namespace

void bridges() {
    test("a loop of one's own", [] {
        auto loop = std::make_shared<hand_loop>();
        queue on = queue_on(loop);
        record r;
        disposable run = r.run(count_to(3) | deliver_on(on));
        CHECK(r.text().empty());
        loop->run();
        CHECK(r.text() == "1 2 3 |");
        bool inlined = false;
        on.dispatch([&] { on.async([&] { inlined = true; }), CHECK(inlined); });
        loop->run();
        on.dispatch([c = captured()] { CHECK(false); });
        loop->waiting.clear(); // it ends with work
        loop->ended = true;
        try {
            on.dispatch([c = captured()] { CHECK(false); });
        } catch (const error &) {
        }
        CHECK(on.dropped() > 0);
    });
    test("a loop that keeps the time", [] {
        auto loop = std::make_shared<timed_loop>();
        queue on = queue_on(loop);
        int fired = 0;
        disposable late = on.after(2s, [&, c = captured()] { fired++; });
        loop->run(), loop->advance(1);
        CHECK(fired == 0 && on.now() > 900ms && on.now() < 1100ms);
        loop->advance(1.5);
        CHECK(fired == 1);
    });
    test("a function for a C library", [] {
        callback<void *, void *> compare("(ptr, ptr) -> i32", 0,
            [c = captured()](void *a, void *b) { return *static_cast<int *>(a) - *static_cast<int *>(b); });
        record r;
        int calls = 0;
        disposable run = compare.signal() | sgk::start([&](void *, void *) { calls++; });
        int numbers[] = {3, 1, 2};
        std::qsort(numbers, 3, sizeof *numbers, compare.function<int(const void *, const void *)>());
        CHECK(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3 && calls >= 2);
        compare.disposable().dispose();
        callback<int64_t> fixed("(i64) -> i64", 7);
        disposable other = r.run(fixed.signal());
        CHECK(fixed.function<int64_t(int64_t)>()(5) == 7 && r.text() == "5");
        CHECK_THROWS(callback<>("nonsense"), SGK_ERROR_ARGUMENT);
        using two = callback<int64_t, int64_t>;
        CHECK_THROWS(two("(i64) -> i64", 0, [](int64_t, int64_t) { return 1; }), SGK_ERROR_ARGUMENT);
    });
    test("objects as values", [] {
        auto it = std::make_shared<circle>();
        value v = value::object(it), same = value::object(it), other = value::object(std::make_shared<circle>());
        CHECK(v.kind() == SGK_OBJECT && v == same && v != other && v.hash() == same.hash() &&
            v.as<std::shared_ptr<circle>>() == it);
        CHECK(!v.is<std::shared_ptr<int>>() && !value(3).is<std::shared_ptr<circle>>());
        int foreign = 0;
        CHECK(!value(sgk_object(&foreign, nullptr)).is<std::shared_ptr<circle>>());
        std::weak_ptr<circle> watched = it;
        it.reset(), same = value(), v = value();
        CHECK(watched.expired());
        CHECK(events(just(std::make_shared<circle>()) |
                  map([](const std::shared_ptr<circle> &c) { return c->radius; })) == "2 |");
    });
    test("marbles", [] {
        queue on = queue::virtual_time();
        marble_run quiet(on, marble_cold(on, "-a-bc---|") | debounce(2s, on));
        marble_run late(on, marble_hot(on, "a-^b-c-#"), "--^---!");
        on.run();
        CHECK(quiet.expect("------c-|") && late.expect("---c-#"));
        marble_run unasked(on, never<int64_t>());
        CHECK_THROWS(marble_cold(on, "(a"), SGK_ERROR_ARGUMENT);
    });
    test("marbles, and their subscriptions", [] {
        queue on = queue::virtual_time();
        marble_log log(on), wrong(on), dropped(on), pauses(on);
        marble_run twice(on, log.logged(marble_cold(on, "-a|")) | repeat(2)),
            once(on, wrong.logged(never<int64_t>()), "^-!"), held(on, pauses.cold<int64_t>("-1-2|"), "^-p---r");
        on.run();
        CHECK(twice.expect("-a-a|") && log.expect({"^-!", "--^-!"}) && once.expect("") && !wrong.expect({"^--!"}));
        CHECK(held.expect("-1----2|") && pauses.expect({"^--p--r!"}));
        CHECK_THROWS(dropped.cold("(a"), SGK_ERROR_ARGUMENT);
        CHECK_THROWS(dropped.logged(sgk::signal<int64_t>()), SGK_ERROR_ARGUMENT);
        CHECK_THROWS(marble_run(on, sgk::signal<int64_t>()), SGK_ERROR_ARGUMENT);
    });
    test("a subscriber of one's own", [] {
        std::string seen;
        const auto to = subscriber<int64_t>::create(
            [&, c = captured()](int64_t n) { seen += std::to_string(n); }, none{}, [&] { seen += "."; });
        CHECK(to.next(1) && to.complete() && !to.next(2) && seen == "1.");
        CHECK(subscriber<int64_t>::create().next(1));
    });
    test("what is alive, and the version", [] {
        const auto kept = never<int64_t>();
        CHECK(live_total() == 1 && live_count(SGK_LIVE_SIGNAL) == 1 &&
            std::string(live_text(SGK_LIVE_SIGNAL)) == "signal");
        CHECK(std::string(version()) == sgk_version() && main_fd() >= 0);
    });
}
