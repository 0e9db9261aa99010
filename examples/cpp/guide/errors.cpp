#include <signalkit.hpp>
#include <iostream>

using namespace std::chrono_literals;

static double parse(const std::string &text) {
    if (text.find_first_not_of("0123456789.") != std::string::npos) throw std::invalid_argument("no number: " + text);
    return std::stod(text);
}

int main() {
    const sgk::signal<double> readings = sgk::from({"21.5", "warm", "22"}) | sgk::map(parse);
    auto print = [](double degrees) { std::cout << degrees << "\n"; };
    auto print_error = [](const sgk::failure &error) { std::cout << "failed: " << error.text() << "\n"; };

    const sgk::disposable one = readings.start(print, print_error),
        two = readings | sgk::catch_with(sgk::just(-1.0)) | sgk::start(print, print_error);

    const auto time = sgk::queue::virtual_time();
    int attempts = 0;
    const sgk::disposable three = sgk::deferred([&attempts] {
        if (++attempts < 3) throw std::runtime_error("not yet");
        return sgk::just(attempts);
    }) | sgk::retry({5, 100ms}, time) // 5 attempts, the second after 100 ms
        | sgk::start([](int n) { std::cout << "attempt " << n << "\n"; }, print_error);
    time.advance(1s);

    try {
        const auto none = readings | sgk::take(-1);
    } catch (const sgk::error &e) {
        std::cout << e.what() << "\n";
    }
    try {
        const std::vector<double> all = readings | sgk::collect(10, 1s);
    } catch (const sgk::failure &f) {
        std::cout << "thrown: " << f.text() << "\n";
    }
    sgk::set_unhandled_error_handler(
        [](const sgk::failure &error, const char *name) { std::cout << "unhandled in " << name << ": " << error << "\n"; });
    const sgk::disposable four = readings | sgk::named("readings") | sgk::start(print);
    sgk_set_unhandled_error_handler(nullptr, nullptr, nullptr);
}
