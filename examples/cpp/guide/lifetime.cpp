#include <signalkit.hpp>
#include <iostream>
#include <memory>

struct tracker {
    const char *name;
    explicit tracker(const char *of) : name(of) {}
    ~tracker() { std::cout << name << " is destroyed\n"; }
};

class screen {
public:
    explicit screen(const sgk::signal<int> &readings)
        : subscription_(readings.start([this](int degrees) { draw(degrees); })) {}
    screen(const screen &) = delete;

private:
    void draw(int degrees) { std::cout << "drawn " << degrees << " as number " << ++count_ << "\n"; }

    int count_ = 0;
    sgk::scoped_disposable subscription_; // the last member, so it is destroyed first
};

class cache : public std::enable_shared_from_this<cache> {
public:
    void follow(const sgk::signal<int> &readings) {
        subscription_ = readings.start([weak = weak_from_this()](int degrees) {
            if (const auto self = weak.lock()) self->latest_ = degrees;
        });
    }
    ~cache() { std::cout << "the cache had " << latest_ << "\n"; }

private:
    int latest_ = 0;
    sgk::scoped_disposable subscription_;
};

int main() {
    const sgk::pipe<int> sensor;
    {
        const screen first(sensor.signal());
        sensor.next(20);
    }
    sensor.next(21); // nobody draws it

    {
        auto shared = std::make_shared<tracker>("the capture");
        const sgk::disposable ignored = sensor.signal().start([shared](int degrees) {
            std::cout << shared->name << " sees " << degrees << "\n";
        });
    }
    sensor.next(22); // the handle is destroyed, but the subscription continues

    const auto latest = std::make_shared<cache>();
    latest->follow(sensor.signal());
    sensor.next(23);
    sensor.complete();
    std::cout << "the end of main\n";
}
