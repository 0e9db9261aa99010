#include <signalkit.hpp>

int main() {
    int64_t sum = 0;
    {
        const sgk::signal source = sgk::merge_signals(sgk::single(1), sgk::single(2));
        const auto use = [&](int64_t n) { sum += n; };
        EXAMPLE
    }
    return sum == 3 && sgk_live_total() == 0 ? 0 : 1;
}
