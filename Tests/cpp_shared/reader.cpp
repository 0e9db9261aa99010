#include "points.hpp"

int sum_of_points(sgk_signal *points) {
    int sum = 0;
    for (const point &p : sgk::reader(sgk::any_signal(points).as<point>() | sgk::distinct_until_changed()))
        sum = 10 * sum + p.x + p.y;
    return sum;
}

const char *error_of_hidden_points(sgk_signal *points) {
    static std::string text;
    text = "no error";
    static_cast<void>(sgk::any_signal(points).as<hidden_point>().start(
        [](const hidden_point &) {}, [](const sgk::failure &f) { text = f.text(); }));
    return text.c_str();
}
