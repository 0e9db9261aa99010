#include <signalkit.hpp>
#include <iostream>

static auto warm_in_fahrenheit(double limit) {
    return sgk::filter([limit](double degrees) { return degrees >= limit; })
        | sgk::distinct_until_changed()
        | sgk::map([](double degrees) { return degrees * 9 / 5 + 32; });
}

static sgk::signal<std::string> search(std::string_view word) {
    return sgk::from({std::string(word) + " 1", std::string(word) + " 2"});
}

int main() {
    const sgk::pipe<double> sensor;
    const auto subscription = sensor.signal() | warm_in_fahrenheit(20) | sgk::take(2)
        | sgk::start([](double degrees) { std::cout << degrees << " F\n"; }, sgk::none(),
              [] { std::cout << "that was all\n"; });
    for (double degrees : {19, 20, 20, 15, 25, 30}) sensor.next(degrees);

    const sgk::disposable searches = sgk::from({"red", "blue"}) | sgk::concat_map(search)
        | sgk::start([](std::string_view found) { std::cout << found << "\n"; });

    const sgk::pipe<double> kitchen, cellar;
    const sgk::scoped_disposable shown = sgk::combine_latest(kitchen.signal(), cellar.signal())
        | sgk::map([](double warm, double cold) { return warm - cold; })
        | sgk::start([](double d) { std::cout << "difference " << d << "\n"; });
    kitchen.next(21), cellar.next(12), kitchen.next(22);
}
