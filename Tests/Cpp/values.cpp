/* Values: conversions in both directions, failing conversions, ownership. */
#include "suite.hpp"

#include <sstream>
#include <unordered_map>

struct point {
    int64_t x, y;
};

template <>
struct sgk::conversion<point> {
    static constexpr const char *name = "a point";
    static bool matches(sgk_value v) {
        return sgk::value::share(v).is<std::vector<int64_t>>() && sgk::value::share(v).size() == 2;
    }
    static point from(sgk_value v) { return {sgk_to_int(sgk_array_at(v, 0)), sgk_to_int(sgk_array_at(v, 1))}; }
    static sgk_value to(const point &p) { return sgk::value(std::vector<int64_t>{p.x, p.y}).release(); }
};

/* Counts its copies. */
struct parcel {
    static int copies;
    int64_t content;
    explicit parcel(int64_t c) : content(c) {}
    parcel(const parcel &other) : content(other.content) { copies++; }
    parcel(parcel &&) noexcept = default;
    parcel &operator=(const parcel &) = delete;
    parcel &operator=(parcel &&) = delete;
};
int parcel::copies = 0;

template <>
struct sgk::conversion<parcel> {
    static constexpr const char *name = "a parcel";
    static bool matches(sgk_value v) { return v.kind == SGK_INT; }
    static parcel from(sgk_value v) { return parcel(sgk_to_int(v)); }
    static sgk_value to(const parcel &p) { return sgk_int(p.content); }
};

/* Nothing but the C value that a function receives. */
struct bare_value {
    sgk_value raw;
};
template <>
struct sgk::conversion<bare_value> {
    static constexpr const char *name = "any value";
    static bool matches(sgk_value) { return true; }
    static bare_value from(sgk_value v) { return {v}; }
    static sgk_value to(const bare_value &v) { return v.raw; }
};

void values() {
    using sgk::value;

    test("plain types there and back", [] {
        value text("abc"), other = text;
        text.make_writable(3)[0] = 'x';
        CHECK(text.as<std::string>() == "xbc" && other.as<std::string>() == "abc");
        CHECK_THROWS(value(1).make_writable(1), SGK_ERROR_KIND);
        CHECK(value().is_null() && value(nullptr).is_null() && value(std::nullopt).is_null());
        CHECK(value(true).kind() == SGK_BOOL && value(true).as<bool>());
        CHECK(value(-3).kind() == SGK_INT && value(-3).as<int>() == -3 && value(-3).as<int64_t>() == -3);
        CHECK(value(static_cast<unsigned char>(200)).as<unsigned char>() == 200);
        CHECK(value(2.5).kind() == SGK_DOUBLE && value(2.5).as<double>() > 2.4 && value(3).as<double>() > 2.9);
        int target = 0;
        CHECK(value(static_cast<void *>(&target)).as<void *>() == &target);
    });
    test("texts there and back", [] {
        const std::string text("a\0b", 3);
        CHECK(value("abc").kind() == SGK_STRING && value("abc").as<std::string>() == "abc");
        CHECK(value(text).as<std::string>() == text);
        const value kept(std::string_view("view"));
        CHECK(kept.as<std::string_view>() == "view" && std::string(kept.as<const char *>()) == "view");
        CHECK(value::bytes("xy", 2).kind() == SGK_BYTES && value::bytes("xy", 2).as<std::string>() == "xy");
        CHECK(value("").as<std::string>().empty());
    });
    test("vectors and optionals", [] {
        const value numbers(std::vector<int64_t>{1, 2, 3});
        CHECK(numbers.kind() == SGK_ARRAY && numbers.size() == 3 && numbers[2] == 3);
        CHECK(numbers.as<std::vector<int>>() == (std::vector<int>{1, 2, 3}));
        const value mixed(std::vector<value>{1, "two", nullptr, std::vector<value>{4.5}});
        CHECK(mixed.text() == "[1, two, null, [4.5]]");
        CHECK(!mixed.is<std::vector<int>>() && mixed.is<std::vector<value>>());
        CHECK(!value().as<std::optional<int>>() && *value(4).as<std::optional<int>>() == 4);
        CHECK(value(std::optional<int>(5)) == 5 && value(std::optional<int>()).is_null());
        CHECK_THROWS(numbers[3], SGK_ERROR_ARGUMENT);
        CHECK(value(3).size() == 0);
    });
    test("what a callback takes by value is moved into it, and what it returns out of it", [] {
        using namespace sgk;
        const auto same = [](parcel p) { return p; };
        const auto second = [](const parcel &, parcel p) { return p; };
        const auto always = [](parcel) { return true; };
        sgk::pipe<parcel> source;
        auto all = source.signal() | map(same) | filter(always) | before_next([](parcel) {}) |
            compact_map([](parcel p) { return std::optional<parcel>(std::move(p)); }) | scan(parcel(0), second) |
            distinct_until_changed([](parcel, parcel) { return false; }) | take_while(always) |
            after_next([](parcel) {}) | switch_map([](parcel p) { return just(std::move(p)); }) |
            with_latest_from(just(parcel(1))) | map(second) | stage(0, [](int, const parcel &) {});
        std::vector<parcel> taken;
        const scoped_disposable run = (combine_latest(just(parcel(1)), all) | map(second)).start(
            [&](parcel p) { taken.push_back(std::move(p)); });
        source.next(parcel(7));
        CHECK(taken.size() == 1 && taken[0].content == 1);
        parcel::copies = 0;
        const value kept(parcel(3));
        CHECK(kept.as<parcel>().content == 3 && kept.as_or(parcel(1)).content == 3 && parcel::copies == 0);
        CHECK(value(std::vector<int>{1, 2}).as<std::vector<parcel>>().size() == 2 && parcel::copies == 0);
    });
    test("a function may return what it receives", [] {
        using namespace sgk;
        sgk::pipe<value> source;
        std::vector<value> taken;
        auto last = source.signal() | map([](value v) { return v; }) |
            scan(value(), [](const value &, value v) { return v; });
        auto first = combine_latest(last, just(1)) | map([](value v, int) { return v; }) |
            map([](const value &v) { return v[0]; });
        const scoped_disposable run = first.start([&](value v) { taken.push_back(std::move(v)); });
        source.next(std::vector<std::string>{"a", "b"});
        source.next(std::vector<value>{std::vector<int>{1, 2}, "c"});
        CHECK(taken.size() == 2 && taken[0] == "a" && taken[1].text() == "[1, 2]" && taken[1].get().reserved == 0);
    });
    test("a conversion may return what it borrows", [] {
        using namespace sgk;
        sgk::pipe<value> source;
        std::vector<value> taken;
        auto items = sgk::signal<bare_value>(sgk_signal_retain(source.signal().get())) |
            map([](bare_value v) { return v; }) | map([](bare_value v) { return bare_value{sgk_array_at(v.raw, 0)}; }) |
            compact_map([](bare_value v) { return std::optional<bare_value>(v); });
        const scoped_disposable run = items.start([&](bare_value v) {
            CHECK(v.raw.reserved == SGK_LENT);
            taken.push_back(value(v.raw));
        });
        for (const char *text : {"a", "b"}) source.next(std::vector<std::string>{text});
        CHECK(taken.size() == 2 && taken[0] == "a" && taken[1] == "b" && taken[0].get().reserved == 0);
    });
    test("a C value that is borrowed is retained", [] {
        std::vector<value> kept;
        {
            const value list(std::vector<std::string>{"a", "b"});
            kept.emplace_back(sgk_array_at(list.get(), 1));
        }
        CHECK(sgk_live_count(SGK_LIVE_VALUE) == 1 && kept[0].get().reserved == 0);
        CHECK(kept[0] == "b");
    });
    test("a C value that is given away is taken over", [] {
        const value text(sgk_give(sgk_string("given")));
        CHECK(text.get().reserved == 0 && text.text() == "given" && text.text() == "given");
    });
    test("what does not convert throws", [] {
        CHECK_THROWS(value("3").as<int>(), SGK_ERROR_KIND);
        CHECK_THROWS(value(300).as<unsigned char>(), SGK_ERROR_KIND);
        CHECK_THROWS(value(-1).as<std::uint64_t>(), SGK_ERROR_KIND);
        CHECK_THROWS(value(1).as<bool>(), SGK_ERROR_KIND);
        CHECK_THROWS(value(2.5).as<int64_t>(), SGK_ERROR_KIND);
        CHECK_THROWS(value().as<std::string>(), SGK_ERROR_KIND);
        CHECK_THROWS(value(UINT64_MAX), SGK_ERROR_ARGUMENT);
        CHECK(value("3").as_or(7) == 7 && value(3).as_or(7) == 3);
        try {
            value("three").as<double>();
        } catch (const sgk::error &e) {
            CHECK(std::string(e.what()) == "not a number, but string: three");
        }
    });
    test("a type of one's own", [] {
        const value v(point{3, 4});
        CHECK(v.as<point>().y == 4);
        CHECK_THROWS(value(3).as<point>(), SGK_ERROR_KIND);
        CHECK(events(sgk::just(point{3, 4}) | sgk::map([](const point &p) {
            return point{p.y, p.x};
        })) == "[4, 3] |");
    });
    test("copies share, moves leave null", [] {
        value first("text");
        value second = first;
        CHECK(first == second && first.get().bits == second.get().bits);
        value third = std::move(second);
        CHECK(sgk_live_count(SGK_LIVE_VALUE) == 1 && third == "text");
        second = third;
        first = value(3);
        CHECK(second == third && first == 3 && first != third);
        sgk_value raw = third.release();
        CHECK(third.is_null());
        CHECK(value(raw) == "text");
    });
    test("keys, text", [] {
        std::unordered_map<value, int> counts;
        counts["a"]++, counts[1]++, counts["a"]++;
        CHECK(counts.size() == 2 && counts["a"] == 2);
        std::ostringstream out;
        out << value(5) << value("x");
        CHECK(out.str() == "5x");
    });
    test("signals as values", [] {
        const value v(sgk::just(3));
        CHECK(v.kind() == SGK_SIGNAL && events(v.as<sgk::signal<int>>()) == "3 |");
        CHECK_THROWS(value(3).as<sgk::signal<int>>(), SGK_ERROR_KIND);
    });
}
