#include <signalkit.hpp>
#include <iostream>

int main() {
    const sgk::signal<double> reading = sgk::just(21.5);
    auto print = [](double degrees) { std::cout << degrees << " degrees\n"; };
    const sgk::disposable first = reading.start(print), second = reading | sgk::start(print);
}
