#include <signalkit.hpp>
#include <iostream>

struct reading {
    std::string room;
    double degrees;
};

template <>
struct sgk::conversion<reading> {
    static constexpr const char *name = "a reading";
    static bool matches(sgk_value v) {
        return value::share(v).size() == 2 && conversion<std::string>::matches(sgk_array_at(v, 0)) &&
            conversion<double>::matches(sgk_array_at(v, 1));
    }
    static reading from(sgk_value v) {
        const value parts = value::share(v);
        return {parts[0].as<std::string>(), parts[1].as<double>()};
    }
    static sgk_value to(const reading &r) { return value(std::vector<value>{r.room, r.degrees}).release(); }
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
        text.as<int>();
    } catch (const sgk::error &e) {
        std::cout << e.what() << "\n";
    }

    sgk::from_array({reading{"kitchen", 21.5}, reading{"cellar", 12}})
        | sgk::filter([](const reading &r) { return r.degrees > 20; })
        | sgk::start([](const reading &r) { std::cout << r.room << ": " << r.degrees << "\n"; });

    sgk::just(std::make_shared<image>(640, 480))
        | sgk::start([](std::shared_ptr<image> shared) { std::cout << shared->width << " pixels\n"; });
}
