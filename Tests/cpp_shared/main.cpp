/* Objects of C++ pass from one shared object to another, and to the program, if their type is visible. An object of a
 * hidden type is refused by its name. */
#include "points.hpp"

#include <iostream>

int main() {
    const int sum = sum_of_points(make_points());
    const int own = sum_of_points(sgk::just(point{2, 3}).release());
    const std::string refusal = error_of_hidden_points(make_hidden_points());
    int mine = 0;
    static_cast<void>(sgk::any_signal(make_points()).as<point>().start([&](const point &p) { mine += p.x; }));
    std::cout << sum << " " << own << " " << mine << " " << refusal << " " << sgk_live_total() << "\n";
    const std::string expected = "as: not an object of the type hidden_point, but object: hidden_point 0x";
    return sum == 37 && own == 5 && mine == 7 && refusal.rfind(expected, 0) == 0 && sgk_live_total() == 0 ? 0 : 1;
}
