#include <signalkit.hpp>
#include <iostream>

static double parse(const std::string &text) {
    if (text.find_first_not_of("0123456789.") != std::string::npos) throw std::invalid_argument("no number: " + text);
    return std::stod(text);
}

int main() {
    const auto readings = sgk::from_array({"21.5", "warm", "22"}) | sgk::map(parse);
    auto print = [](double degrees) { std::cout << degrees << "\n"; };
    auto print_error = [](std::string_view error) { std::cout << "failed: " << error << "\n"; };

    readings.start(print, print_error);
    readings | sgk::catch_error([](const sgk::value &) { return sgk::just(-1); }) | sgk::start(print, print_error);

    int attempts = 0;
    sgk_retry at_once{};
    at_once.attempts = 3, at_once.delay = SGK_AT_ONCE;
    sgk::deferred([&attempts] {
        if (++attempts < 3) throw sgk::value(attempts); // the error is this value
        return sgk::just(attempts);
    }) | sgk::retry(at_once)
        | sgk::start([](int n) { std::cout << "attempt " << n << "\n"; }, print_error);

    try {
        readings | sgk::take(-1);
    } catch (const sgk::error &e) {
        std::cout << e.what() << "\n";
    }
    try {
        readings | sgk::collect<double>(10, 1);
    } catch (const sgk::failure &f) {
        std::cout << "thrown: " << f.cause() << "\n";
    }
    sgk::set_unhandled_error_handler(
        [](const sgk::value &error, const char *name) { std::cout << "unhandled in " << name << ": " << error << "\n"; });
    readings | sgk::named("readings") | sgk::start(print);
    sgk_set_unhandled_error_handler(nullptr, nullptr, nullptr);
}
