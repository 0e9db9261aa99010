#include <signalkit.hpp>
#include <iostream>
#include <sstream>

static void example() {
    EXAMPLE
}

int main() {
    std::ostringstream printed;
    std::streambuf *before = std::cout.rdbuf(printed.rdbuf());
    example();
    std::cout.rdbuf(before);
    return printed.str() == "1\n2\n3\n" && sgk_live_total() == 0 ? 0 : 1;
}
