#include <signalkit.hpp>

template <class T>
struct documented {
    EXAMPLE
};

struct point { double x, y; };
using both = std::vector<double>;

template <>
struct sgk::conversion<point> {
    static constexpr const char *name = documented<point>::name;
    static bool matches(sgk_value v) { return conversion<both>::matches(v) && value::share(v).size() == 2; }
    static point from(sgk_value v) { return {conversion<both>::from(v)[0], conversion<both>::from(v)[1]}; }
    static sgk_value to(const point &p) { return conversion<both>::to({p.x, p.y}); }
};
using written = sgk::conversion<point>;
static_assert(std::is_same_v<decltype(&written::matches), decltype(&documented<point>::matches)>);
static_assert(std::is_same_v<decltype(&written::from), decltype(&documented<point>::from)>);
static_assert(std::is_same_v<decltype(&written::to), decltype(&documented<point>::to)>);

int main() {
    double sum = 0;
    std::string error;
    sgk::just(point{1, 2}) | sgk::start([&](point p) { sum = p.x + p.y; });
    sgk::just(5) | sgk::start([](point) {}, [&](std::string_view e) { error = e; });
    return sum == 3 && error.find("a point") != error.npos && sgk_live_total() == 0 ? 0 : 1;
}
