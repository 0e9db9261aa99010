#include <signalkit/cpp/testing.hpp>
#include <cassert>

using namespace std::chrono_literals;

static void example() {
    EXAMPLE
}

int main() {
    example();
    return sgk_live_total() == 0 ? 0 : 1;
}
