#include <signalkit.hpp>

int main() {
    int64_t sum = 0;
    {
        const sgk::signal<int> source = sgk::merge(sgk::just(1), sgk::just(2));
        const auto use = [&](int n) { sum += n; };
        EXAMPLE
    }
    return sum == 3 && sgk_live_total() == 0 ? 0 : 1;
}
