#include <signalkit.hpp>
#include <iostream>

int main() {
    const sgk::signal reading = sgk::just(21.5);
    auto print = [](double degrees) { std::cout << degrees << " degrees\n"; };
    reading.start(print);
    reading | sgk::start(print);
}
