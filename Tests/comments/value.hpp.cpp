#include <signalkit.hpp>

template <class T>
struct documented {
    EXAMPLE
};

struct point { double x, y; };
using both = std::tuple<double, double>;

template <>
struct sgk::conversion<point> {
    static constexpr const char *name = documented<point>::name;
    static bool matches(sgk_value v) { return value::share(v).is<both>(); }
    static point from(sgk_value v) {
        const auto [x, y] = value::share(v).as<both>();
        return {x, y};
    }
    static sgk_value to(const point &p) { return value(both(p.x, p.y)).release(); }
};
using written = sgk::conversion<point>;
static_assert(std::is_same_v<decltype(&written::matches), decltype(&documented<point>::matches)>);
static_assert(std::is_same_v<decltype(&written::from), decltype(&documented<point>::from)>);
static_assert(std::is_same_v<decltype(&written::to), decltype(&documented<point>::to)>);

int main() {
    double sum = 0;
    std::string error;
    const sgk::disposable first = sgk::just(point{1, 2}) | sgk::start([&](point p) { sum = p.x + p.y; }),
        second = sgk::any_signal(sgk::just(5)) | sgk::start([](point) {},
            [&](const sgk::failure &e) { error = e.text(); });
    return sum == 3 && error.find("a point") != error.npos ? 0 : 1;
}
