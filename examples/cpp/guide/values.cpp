#include <signalkit.hpp>
#include <iostream>

struct reading {
    std::string room;
    double degrees;
};

template <>
struct sgk::conversion<reading> {
    static constexpr const char *name = "a reading";
    using parts = std::tuple<std::string, double>;
    static bool matches(sgk_value v) { return value::share(v).is<parts>(); }
    static reading from(sgk_value v) {
        const auto [room, degrees] = value::share(v).as<parts>();
        return {room, degrees};
    }
    static sgk_value to(const reading &r) { return value(parts(r.room, r.degrees)).release(); }
};

struct image {
    int width, height;
    explicit image(int w, int h) : width(w), height(h) {}
    ~image() { std::cout << "the image is destroyed\n"; }
};

int main() {
    const sgk::value number = 42, text = "warm", list = std::vector<int>{1, 2, 3};
    std::cout << number << " " << text << " " << list << "\n";
    std::cout << list[1].as<int>() << " " << text.is<int>() << " " << text.as_or(7) << "\n";
    try {
        std::cout << text.as<int>();
    } catch (const sgk::error &e) {
        std::cout << e.what() << "\n";
    }

    const sgk::disposable warm = sgk::from({reading{"kitchen", 21.5}, reading{"cellar", 12}})
        | sgk::filter([](const reading &r) { return r.degrees > 20; })
        | sgk::start([](const reading &r) { std::cout << r.room << ": " << r.degrees << "\n"; });

    const sgk::disposable images = sgk::just(std::make_shared<image>(640, 480))
        | sgk::start([](const std::shared_ptr<image> &shared) { std::cout << shared->width << " pixels\n"; });
}
