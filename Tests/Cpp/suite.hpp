/* Shared code of the C++ tests: a test is a lambda. After each test no object is alive, neither of the library nor
 * captured by callbacks. */
#pragma once

#include <signalkit.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

using std::int64_t;
using namespace std::chrono_literals;

void failed(const char *file, int line, const std::string &what);

#define CHECK(condition) ((condition) ? void() : failed(__FILE__, __LINE__, #condition))
#define CHECK_THROWS(expression, code)                              \
    try {                                                           \
        static_cast<void>(expression);                              \
        failed(__FILE__, __LINE__, #expression " does not throw"); \
    } catch (const sgk::error &e) {                                 \
        CHECK(e.status() == (code));                                \
    }

/* Waits for a condition, by default longer than anything here takes on any machine. */
template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds time = 300s) {
    for (auto left = time; !condition() && left > 0ms; left -= 1ms) std::this_thread::sleep_for(1ms);
    return condition();
}

/* Captured by a callback, it shows how many copies of that there are. Used after its destruction it shows that, too. */
class captured {
public:
    static std::atomic<int> alive;
    captured() { alive++; }
    captured(const captured &) { alive++; }
    captured(captured &&) noexcept { alive++; }
    captured &operator=(const captured &) = default;
    captured &operator=(captured &&) = default;
    ~captured() { alive--, sound_ = false; }
    bool sound() const { return sound_; }

private:
    bool sound_ = true;
};

/* The events of a subscription, as a text: "1 2 3 |", or "1 !error". */
class record {
public:
    sgk::disposable run(const sgk::any_signal &source) {
        return source.start([this](const sgk::value &v) { add(v.text()); },
            [this](const sgk::failure &e) { add("!" + e.text()); }, [this] { add("|"); });
    }
    std::string text() const {
        const std::lock_guard<std::mutex> hold(lock_);
        return text_;
    }

private:
    void add(const std::string &word) {
        const std::lock_guard<std::mutex> hold(lock_);
        text_ += (text_.empty() ? "" : " ") + word;
    }
    mutable std::mutex lock_;
    std::string text_;
};

inline std::string events(const sgk::any_signal &source) {
    record r;
    static_cast<void>(r.run(source));
    return r.text();
}

/* Drops the disposable of a subscription that ends by itself. */
inline void run(const sgk::disposable &) {}

/* Emits 1…n inside the start, as long as it is wanted, and completes. */
inline sgk::signal<int64_t> count_to(int64_t n) {
    return sgk::create<int64_t>([n](const sgk::subscriber<int64_t> &to) {
        for (int64_t i = 1; i <= n; i++)
            if (!to.next(i)) return;
        to.complete();
    });
}
constexpr int64_t endless = INT64_MAX;

void test(const char *name, const std::function<void()> &body);

void values();
void operators();
void fusion();
void exceptions();
void lifetimes();
void queues();
void links();
void holders();
void bridges();
void readers();
void debugging();
void coroutines();
