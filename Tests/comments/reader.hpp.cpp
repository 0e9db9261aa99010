#include <signalkit.hpp>

int main() {
    int64_t sum = 0;
    {
        const sgk::signal source = sgk::merge(sgk::just(1), sgk::just(2));
        const auto use = [&](int64_t n) { sum += n; };
        EXAMPLE
    }
    return sum == 3 && sgk_live_total() == 0 ? 0 : 1;
}
