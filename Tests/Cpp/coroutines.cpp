/* Signals in coroutines: of C++20. */
#include "suite.hpp"

#ifdef __cpp_impl_coroutine

/* A coroutine that begins at once, and whose frame goes with this. */
class task {
public:
    struct promise_type {
        std::exception_ptr thrown;
        task get_return_object() { return task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { thrown = std::current_exception(); }
    };
    explicit task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    task(task &&other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    ~task() {
        if (frame_) frame_.destroy();
    }
    bool done() const { return frame_.done(); }
    void rethrow() const {
        if (frame_.promise().thrown) std::rethrow_exception(frame_.promise().thrown);
    }

private:
    std::coroutine_handle<promise_type> frame_;
};

static task first_of(sgk::any_signal source, std::string &seen, captured = {}) {
    seen = "waits";
    seen = (co_await source.first()).text();
}

static task all_of(sgk::reader<int64_t> numbers, std::atomic<int64_t> &sum, std::atomic<bool> &over, captured = {}) {
    while (auto n = co_await numbers.async_next()) sum += *n;
    over = true;
}

/* Sends 1 to `last`, while it may. Counts what it has sent. */
template <class To>
static task send_all(To to, sgk::queue on, int64_t last, std::atomic<int64_t> &sent, captured = {}) {
    for (int64_t n = 1; n <= last; n++) {
        co_await to.ready(on);
        if (!to.next(n)) co_return;
        sent++;
    }
    to.complete();
}

static task typed(std::atomic<int> &done) {
    const int64_t number = co_await sgk::just(int64_t{1}).first();
    const std::string text = co_await (sgk::just("te") | sgk::map([](std::string t) { return t + "xt"; })).first();
    done += number == 1 && text == "text" ? 2 : 0;
}

/* A source that counts its disposals. */
struct watched {
    sgk::subscriber<int64_t> to;
    int disposals = 0;
    sgk::signal<int64_t> signal() {
        return sgk::create<int64_t>([this](const sgk::subscriber<int64_t> &s) {
            to = s;
            return [this] { disposals++; };
        });
    }
};

void coroutines() {
    using namespace sgk;

    test("what is there at once", [] {
        std::atomic<int> done{0};
        task t = typed(done);
        CHECK(t.done() && done == 2);
        std::string seen;
        CHECK(first_of(count_to(endless), seen).done() && seen == "1");
        std::atomic<int64_t> sum{0};
        std::atomic<bool> over{false};
        CHECK(all_of(reader(count_to(10)), sum, over).done() && sum == 55 && over);
    });
    test("first waits, and stops the run", [] {
        watched w;
        std::string seen;
        task t = first_of(w.signal(), seen);
        CHECK(!t.done() && seen == "waits");
        w.to.next(7);
        CHECK(t.done() && seen == "7" && w.disposals == 1 && !w.to.next(8));
        t.rethrow();
        w.to = {};
    });
    test("what comes instead is thrown", [] {
        std::string seen;
        CHECK_THROWS(first_of(empty<int64_t>(), seen).rethrow(), SGK_ERROR_COMPLETED);
        CHECK_THROWS(first_of(fail<int64_t>("why"), seen).rethrow(), SGK_ERROR_FAILED);
        CHECK_THROWS(first_of(sgk::signal<int64_t>(), seen).rethrow(), SGK_ERROR_NULL);
        // its source is released immediately
        CHECK_THROWS(first_of(never<int64_t>(), seen).rethrow(), SGK_ERROR_COMPLETED);
        watched w;
        task t = first_of(w.signal(), seen), gone = first_of(w.signal(), seen);
        w.to = {};
        CHECK_THROWS(gone.rethrow(), SGK_ERROR_COMPLETED);
        std::atomic<int64_t> sum{0};
        std::atomic<bool> over{false};
        task failing = all_of(
            reader(count_to(endless) | map([](int64_t n) { return n > 2 ? throw value("over") : n; })), sum,
            over);
        CHECK_THROWS(failing.rethrow(), SGK_ERROR_FAILED);
        CHECK(sum == 3 && !over);
    });
    test("destroyed while it waits", [] {
        watched w, v;
        std::string seen;
        std::atomic<int64_t> sum{0};
        std::atomic<bool> over{false};
        {
            task t = first_of(w.signal(), seen), u = all_of(reader(v.signal()), sum, over);
            v.to.next(1);
        }
        CHECK(w.disposals == 1 && v.disposals == 1 && !w.to.next(1) && !v.to.next(1) && sum == 1 && !over);
        w.to = v.to = {};
    });
    test("a reader that outlives the coroutine tells nobody", [] {
        sgk::pipe<int64_t> source;
        const reader<int64_t> numbers(source.signal());
        std::atomic<int64_t> sum{0};
        std::atomic<bool> over{false};
        { task t = all_of(numbers, sum, over); }
        source.next(5);
        CHECK(sum == 0 && numbers.next() == 5);
    });
    test("it goes on where the source emits, or where that is delivered", [] {
        sgk::pipe<int64_t> source;
        queue on("there");
        bool is_there = false;
        auto follow = [](sgk::signal<int64_t> s, queue q, bool &there) -> task {
            co_await s.first();
            there = q.is_current();
        };
        task here = follow(source.signal(), on, is_there);
        source.next(1);
        CHECK(here.done() && !is_there);
        task there = follow(source.signal() | deliver_on(on), on, is_there);
        source.next(1);
        on.sync([] {});
        CHECK(there.done() && is_there);
    });
    test("two threads emit, and a coroutine reads", [] {
        for (int round = 0; round < 20; round++) {
            std::atomic<int64_t> sum{0};
            std::atomic<bool> over{false};
            sgk::pipe<int64_t> source;
            task t = all_of(reader(source.signal(), 4), sum, over);
            std::vector<std::thread> threads;
            for (int k = 0; k < 2; k++)
                threads.emplace_back([&] { for (int i = 1; i <= 100; i++) source.next(i); });
            for (auto &thread : threads) thread.join();
            source.complete();
            CHECK(eventually([&] { return over.load(); }) && sum == 2 * 5050 && t.done());
        }
    });
    test("a coroutine that sends waits during a pause", [] {
        const queue slow("slow"), on("sending");
        sgk::pipe<int64_t> source;
        std::atomic<int64_t> sent{0}, seen{0};
        std::atomic<bool> over{false};
        const disposable run = (source.signal() | deliver_on(slow, bound(4, SGK_OVERFLOW_PAUSE))).start(
            [&](int64_t n) { seen += n == seen + 1 && sent - n <= 4; }, [](value) {}, [&] { over = true; });
        disposable hold = run.hold();
        task t = send_all(source, on, 1000, sent);
        CHECK(!t.done() && sent == 0);
        hold = {};
        CHECK(eventually([&] { return over.load(); }) && sent == 1000 && seen == 1000);
        on.sync([] {});
        CHECK(t.done());
    });
    test("a generator waits during a pause, until its run is disposed", [] {
        const queue on("sending");
        std::atomic<int64_t> sent{0};
        std::optional<task> t;
        const auto endlessly = create<int64_t>([&](const subscriber<int64_t> &to) {
            t.emplace(send_all(to, on, endless, sent));
            return [] {};
        });
        const disposable run = (endlessly | deliver_on(on, bound(4, SGK_OVERFLOW_PAUSE))).start([](int64_t) {});
        const disposable hold = run.hold();
        on.sync([] {});
        const int64_t held = sent;
        on.sync([] {});
        CHECK(sent == held && !t->done());
        run.dispose();
        bool is_done = false;
        CHECK(eventually([&] { return on.sync([&] { is_done = t->done(); }), is_done; }));
    });
    test("destroyed during a pause", [] {
        const queue on("sending");
        sgk::pipe<int64_t> source;
        std::atomic<int64_t> sent{0};
        const disposable run = source.signal().start([](int64_t) {});
        {
            const disposable hold = run.hold();
            const task t = send_all(source, on, 1, sent);
        }
        on.sync([] {});
        CHECK(sent == 0);
    });
    test("several coroutines share a reader", [] {
        sgk::pipe<int64_t> source;
        std::atomic<int64_t> sum{0};
        std::atomic<bool> over[2] = {false, false};
        const reader<int64_t> numbers(source.signal());
        task one = all_of(numbers, sum, over[0]), two = all_of(numbers, sum, over[1]);
        for (int i = 1; i <= 10; i++) source.next(i);
        CHECK(sum == 55);
        numbers.close();
        CHECK(one.done() && two.done() && over[0] && over[1]);
    });
}

#else
void coroutines() {}
#endif
